"""Policies: checked before anything is written, stored in the file, applied to the schema of today."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

from dpduck import policies
from dpduck.kernel.catalog.model import Catalog, Column, RangeDomain, Table, ValuesDomain
from dpduck.kernel.errors import DpduckError, PolicyError, UnknownNameError
from dpduck.kernel.errors.advice import DeclareDomain, Hint
from tests.query.shop import SCHEMA, open_shop, plan, statement


def bare() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(SCHEMA)
    return connection


def domain_of(column: str, text: str) -> object:
    with bare() as connection:
        change = statement(f"ALTER TABLE visits ALTER COLUMN {column} SET PRIVACY DOMAIN {text}")
        policies.execute(connection, change)
        return policies.load_catalog(connection).table("visits").column(column.strip('"')).domain


@pytest.mark.parametrize(
    ("column", "text", "domain"),
    [
        ("page", "IN ('b', 'a', '')", ValuesDomain(("b", "a", ""))),
        ("age", "IN (3, '5')", ValuesDomain((3, 5))),
        ("amount", "IN (1, 2.50)", ValuesDomain((Decimal("1.00"), Decimal("2.50")))),
        ("grade", "IN ('low')", ValuesDomain(("low",))),
        ("day", "IN ('2024-01-01')", ValuesDomain((date(2024, 1, 1),))),
        ("age", "BETWEEN (0, 99)", RangeDomain(0, 99, 1)),
        ("age", "BETWEEN (-10, '10') STEP 5", RangeDomain(-10, 10, 5)),
        ("amount", "BETWEEN (0, 1)", RangeDomain(Decimal("0.00"), Decimal("1.00"), Decimal("0.01"))),
        ("x", "BETWEEN (0, 1)", RangeDomain(0.0, 1.0, Fraction(1, 2**32))),
        ("x", "BETWEEN (-0.1, 0.2) STEP 0.1", RangeDomain(-0.1, 0.2, Fraction(1, 10))),
        ("day", "BETWEEN ('2024-01-01', '2024-01-31')", RangeDomain(date(2024, 1, 1), date(2024, 1, 31), 1)),
        (
            "moment",
            "BETWEEN ('2024-01-01', '2024-01-02') STEP 0.5",
            RangeDomain(datetime(2024, 1, 1), datetime(2024, 1, 2), 500_000),
        ),
    ],
)
def test_domains_are_stored_exactly(column: str, text: str, domain: object) -> None:
    assert domain_of(column, text) == domain


def test_timestamps_have_a_usual_step() -> None:
    domain = domain_of("moment", "BETWEEN ('2000-01-01', '2024-01-01')")
    assert isinstance(domain, RangeDomain)
    width = (datetime(2024, 1, 1) - datetime(2000, 1, 1)).total_seconds() * 10**6
    assert int(domain.step) >= 1
    assert width % int(domain.step) == 0
    assert domain.value(domain.size - 1) == datetime(2024, 1, 1)


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("page", "BETWEEN ('a', 'b')"),
        ("page", "IN (1)"),
        ("page", "IN ('a', 'a')"),
        ("page", "IN (NULL)"),
        ("age", "IN (1, '1')"),
        ("age", "IN (1.7)"),
        ("age", "IN ('x')"),
        ("tiny", "IN (128)"),
        ("grade", "IN ('none')"),
        ("ok", "BETWEEN (FALSE, TRUE)"),
        ("x", "IN (1, 2)"),
        ("zone", "IN ('2024-01-01', TIMESTAMPTZ '2024-01-01 01:00:00+01')"),
        ("zone", "BETWEEN ('2024-01-01', 'infinity')"),
        ("age", "BETWEEN (5, 5)"),
        ("age", "BETWEEN (9, 1)"),
        ("age", "BETWEEN (0, 10) STEP 0"),
        ("age", "BETWEEN (0, 10) STEP -1"),
        ("age", "BETWEEN (0, 10) STEP 3"),
        ("age", "BETWEEN (0, 10) STEP 0.5"),
        ("age", "BETWEEN (0.5, 10)"),
        ("huge", "BETWEEN (0, 170141183460469231731687303715884105727)"),
        ("x", "BETWEEN (-1e308, 1e308)"),
        ("x", "BETWEEN (10000000000000000, 10000000000000002)"),
        ("x", "BETWEEN (0, 1) STEP 1e-20"),
        ("x", "BETWEEN (0, 'inf')"),
        ("day", "BETWEEN ('2024-01-01', 'infinity')"),
        ("moment", "BETWEEN ('2024-01-01', '2024-01-02') STEP 1e-7"),
    ],
)
def test_wrong_domains_change_nothing(column: str, text: str) -> None:
    with bare() as connection:
        before = policies.load_catalog(connection)
        change = statement(f"ALTER TABLE visits ALTER COLUMN {column} SET PRIVACY DOMAIN {text}")
        with pytest.raises(PolicyError) as caught:
            policies.execute(connection, change)
        assert policies.load_catalog(connection) == before
        schemas = connection.execute("SELECT count(*) FROM duckdb_schemas() WHERE schema_name = 'dpduck'")
        assert schemas.fetchall() == [(0,)]
        policies.execute(connection, statement(declared(caught.value)))


def declared(error: DpduckError) -> str:
    """The statement of a domain that a hint shows, with its examples."""
    assert isinstance(error.advice, Hint)
    actions = [getattr(part, "action", part) for part in error.advice.parts]
    return next(action for action in actions if isinstance(action, DeclareDomain)).example()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("ALTER TABLE nothing ADD PRIVACY_KEY (a)", UnknownNameError),
        ("ALTER TABLE visits ADD PRIVACY_KEY (nothing)", UnknownNameError),
        ("ALTER TABLE visits ADD PRIVACY_KEY (x)", PolicyError),
        ("ALTER TABLE visits ADD PRIVACY_KEY (f)", PolicyError),
        ("ALTER TABLE odd ADD PRIVACY_KEY (list)", PolicyError),
        ("ALTER TABLE odd ADD PRIVACY_KEY (pair)", PolicyError),
        ("ALTER TABLE visits DROP PRIVACY_KEY", PolicyError),
        ("ALTER TABLE dpduck.policies SET PUBLIC", UnknownNameError),
    ],
)
def test_wrong_statements(text: str, error: type[Exception]) -> None:
    with bare() as connection:
        connection.execute("CREATE TABLE odd (list INTEGER[], pair STRUCT(a INTEGER))")
        policies.execute(connection, statement("ALTER TABLE shops SET PUBLIC"))
        with pytest.raises(error):
            policies.execute(connection, statement(text))


def test_policies_survive_reopening(tmp_path: Path) -> None:
    path = str(tmp_path / "shop.duckdb")
    with open_shop(path) as connection:
        before = policies.load_catalog(connection)
    with duckdb.connect(path, read_only=True) as connection:
        assert policies.load_catalog(connection) == before
    assert all(table.schema != "dpduck" for table in before.tables)


def test_key_and_public_exclude_each_other() -> None:
    with bare() as connection:
        policies.execute(connection, statement("ALTER TABLE visits ADD PRIVACY_KEY (uid)"))
        with pytest.raises(PolicyError):
            policies.execute(connection, statement("ALTER TABLE visits SET PUBLIC"))
        with pytest.raises(PolicyError):
            policies.execute(connection, statement("ALTER TABLE visits ADD PRIVACY_KEY (age)"))
        policies.execute(connection, statement("ALTER TABLE visits DROP PRIVACY_KEY"))
        assert policies.load_catalog(connection).table("visits").unit is None
        policies.execute(connection, statement("ALTER TABLE visits SET PUBLIC"))
        assert policies.load_catalog(connection).table("VISITS").public
        policies.execute(connection, statement("ALTER TABLE visits ADD PRIVACY_KEY (UID)"))
        table = policies.load_catalog(connection).table("visits")
        assert (table.unit, table.public) == ("uid", False)


def test_a_column_that_is_gone_closes_the_table() -> None:
    with open_shop() as connection:
        connection.execute("ALTER TABLE visits DROP COLUMN uid")
        connection.execute("ALTER TABLE people ALTER COLUMN age TYPE VARCHAR")
        connection.execute("DROP TABLE shops")
        catalog = policies.load_catalog(connection)
        assert not catalog.table("visits").private
        assert catalog.table("people").column("age").domain is None


def test_one_row_per_unit_comes_from_the_schema() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE a (u INTEGER PRIMARY KEY)")
        connection.execute("CREATE TABLE b (u INTEGER UNIQUE)")
        connection.execute("CREATE TABLE c (u INTEGER, v INTEGER, PRIMARY KEY (u, v))")
        for name in "abc":
            policies.execute(connection, statement(f"ALTER TABLE {name} ADD PRIVACY_KEY (u)"))
        catalog = policies.load_catalog(connection)
        assert [catalog.table(name).unit_is_unique for name in "abc"] == [True, True, False]


def test_a_view_over_a_file_takes_policies_without_storing(tmp_path: Path) -> None:
    path = str(tmp_path / "r.parquet")
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT i % 5 AS u, i % 3 AS k FROM range(30) AS r(i)) TO '{path}'")
        connection.execute(f"CREATE VIEW r AS SELECT * FROM read_parquet('{path}')")
        extra = [
            statement("ALTER TABLE r ADD PRIVACY_KEY (u)"),
            statement("ALTER TABLE r ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, 1)"),
        ]
        catalog = policies.load_catalog(connection, extra)
        table = catalog.table("r")
        assert (table.unit, table.column("k").domain) == ("u", RangeDomain(0, 1, 1))
        assert catalog.views == ()
        plain = policies.load_catalog(connection)
        assert ([view.name for view in plain.views], plain.tables) == (["r"], ())


def test_apply_is_pure() -> None:
    catalog = Catalog((Table("db", "main", "t", (Column("u", "INTEGER"),)),))
    changed = policies.apply(catalog, statement("ALTER TABLE t ADD PRIVACY_KEY (u)"))
    assert changed.table("t").unit == "u"
    assert catalog.table("t").unit is None


def test_collations_make_text_unfit_for_keys() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE c (u INTEGER, s VARCHAR COLLATE nocase)")
        policies.execute(connection, statement("ALTER TABLE c ADD PRIVACY_KEY (u)"))
        with pytest.raises(PolicyError):
            policies.execute(
                connection, statement("ALTER TABLE c ALTER COLUMN s SET PRIVACY DOMAIN IN ('a', 'A')")
            )


def test_the_gaps_of_a_hint_are_no_values() -> None:
    with open_shop() as connection:
        gaps = statement("ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('...', 'home')")
        with pytest.raises(PolicyError, match="cannot be the privacy domain") as caught:
            policies.execute(connection, gaps)
        assert "... stands for values that are known" in str(caught.value.detail)


def test_hints_are_statements_that_parse() -> None:
    with open_shop() as connection:
        catalog = policies.load_catalog(connection)
        for query in ("SELECT disease, count(*) FROM visits GROUP BY 1", "SELECT median(t) FROM people"):
            with pytest.raises(PolicyError) as caught:
                plan(query, catalog)
            policies.apply(catalog, statement(declared(caught.value)))
