"""Queries that provably show no private row are free, in every door; previews are asked for.

That their names, types and rows are those of plain DuckDB is in tests/golden/accepted/shop/empty.sql.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest
from sqlglot import exp, parse_one

import dpduck
from dpduck import policies
from dpduck.compiler.block.emptiness import reason_to_keep_nothing
from dpduck.engines.duckdb.engine import DuckEngine
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.plan.model import Plan, PublicPlan
from tests.query.shop import any_plan, open_shop

BY_PAGE = "SELECT page, count(*) AS n FROM visits GROUP BY page"
ROWS = "SELECT uid, page FROM visits LIMIT 10"
SHOP = "CREATE TABLE visits AS SELECT i % 9 AS uid, 'p' || i % 3 AS page, i AS age FROM range(90) AS r(i)"
POLICIES = (
    "ALTER TABLE visits ADD PRIVACY_KEY (uid)",
    "ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('p0', 'p1', 'p2')",
)


def make_shop(path: Path) -> None:
    with duckdb.connect(str(path)) as con:
        con.execute(SHOP)
    with dpduck.connect(path) as db:
        for policy in POLICIES:
            db.execute(policy)


@pytest.fixture
def file(copied: Callable[..., Path]) -> Path:
    return copied(make_shop)


@pytest.fixture
def db(file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dpduck.Connection]:
    """A connection without an epsilon, on which no private row can be read."""

    def refuse(*_: object) -> None:
        raise AssertionError("private rows were read")

    monkeypatch.setattr(DuckEngine, "open", refuse)
    with dpduck.connect(file) as connection:
        yield connection


def planned(query: str) -> Plan | PublicPlan:
    with open_shop() as connection:
        return any_plan(query, policies.load_catalog(connection), facts=PublicFacts(connection))


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (f"{BY_PAGE} LIMIT 0", "LIMIT 0 shows no row"),
        ("SELECT count(*) FROM visits WHERE 1 = 0", "WHERE is never true"),
        (f"SELECT * FROM ({BY_PAGE}) AS t WHERE 1 = 0", "WHERE is never true in the query around it"),
        (f"{BY_PAGE} HAVING false", "HAVING is never true"),
        (f"{BY_PAGE} LIMIT 2 OFFSET 3", "OFFSET 3 skips every row"),
        ("SELECT * FROM visits LIMIT 0", "LIMIT 0 shows no row"),
    ],
)
def test_they_are_free_and_explained(db: dpduck.Connection, query: str, reason: str) -> None:
    db.execute(query).fetchall()
    assert (db.charged, db.notices) == ("0", [])
    assert db.ledger().num_rows == 0
    told = db.explain(query)
    assert told.epsilon == "0"
    assert str(told).startswith(f"public: {reason}, so no private row is read, and the query is free\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM visits WHERE page = 'a' OR 1 = 0",
        "SELECT count(*) FROM visits WHERE age > 5 AND age < 7",
        "SELECT count(*) FROM visits WHERE age >= 5 AND age <= 5",
        "SELECT count(*) FROM visits WHERE page = 'a' AND page IN ('a', 'b')",
        "SELECT count(*) FROM visits WHERE page = 'none of its domain'",
        "SELECT count(*) FROM visits HAVING count(*) < 0",
        "SELECT count(*) FROM visits LIMIT 1",
        "SELECT page, count(*) FROM visits GROUP BY page LIMIT 10 OFFSET 3",
        "SELECT n FROM (SELECT count(*) AS n FROM visits) UNION ALL (SELECT 1 WHERE false)",
        # The WHERE belongs to rows whose aggregate is one row, and the release stands beside that.
        "SELECT count(*), (SELECT count(*) FROM visits) FROM (SELECT 1) WHERE false",
    ],
)
def test_what_may_depend_on_rows_is_not(query: str) -> None:
    assert isinstance(planned(query), Plan)


@pytest.mark.parametrize("rows", ["(VALUES (3))", "(SELECT 3)", "(SELECT age FROM visits)"])
@pytest.mark.parametrize("test", ["3 IN {}", "3 NOT IN {}", "EXISTS {}", "3 > ALL {}", "{} = 3"])
def test_a_subquery_among_constants_decides_nothing(test: str, rows: str) -> None:
    query = parse_one(f"SELECT 1 HAVING {test.format(rows)} AND TRUE", read="duckdb")
    assert isinstance(query, exp.Select)
    with open_shop() as connection:
        assert reason_to_keep_nothing(query, PublicFacts(connection)) is None


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT nowhere FROM visits LIMIT 0", "table visits has no column nowhere"),
        ("SELECT page FROM visits WHERE false ORDER BY nowhere", "table visits has no column nowhere"),
        ("SELECT avg(age) FROM visits WHERE false", "column visits.age has no public range"),
        ("SELECT age, count(*) FROM visits GROUP BY age LIMIT 0", "column visits.age has no public domain"),
        ("SELECT * FROM nowhere LIMIT 0", "table nowhere does not exist"),
        ("SELECT page FROM visits LIMIT -1", "LIMIT takes a whole number"),
    ],
)
def test_errors_come_first(db: dpduck.Connection, query: str, message: str) -> None:
    with pytest.raises(dpduck.DpduckError) as caught:
        db.execute(query)
    assert caught.value.message == message


class TestPreview:
    def test_it_is_off_until_it_is_asked_for(self, db: dpduck.Connection) -> None:
        for setting in (None, "SET dp_preview = off"):
            if setting:
                db.execute(setting)
            with pytest.raises(dpduck.UnsupportedSqlError, match="private rows cannot be listed"):
                db.execute(ROWS)

    def test_names_and_types_and_a_notice(self, db: dpduck.Connection) -> None:
        db.execute("SET dp_preview = 'empty'")
        for query in (ROWS, "SELECT uid, page FROM visits WHERE age > 7 ORDER BY age LIMIT 10 OFFSET 5"):
            assert db.execute(query).fetchall() == []
            assert [(column[0], str(column[1])) for column in db.description] == [
                ("uid", "BIGINT"),
                ("page", "VARCHAR"),
            ]
            assert db.charged == "0"
            assert db.notices == [
                "This preview shows the names and types of the columns; private rows are never listed. "
                "SET dp_preview = off refuses such queries instead."
            ]

    @pytest.mark.parametrize(
        ("query", "message"),
        [
            ("SELECT uid FROM visits", "private rows cannot be listed"),
            ("SELECT uid FROM nowhere LIMIT 1", "table nowhere does not exist"),
            ("SELECT uid, nowhere FROM visits LIMIT 1", "table visits has no column nowhere"),
            ("SELECT EXISTS (SELECT uid FROM visits LIMIT 1)", "private rows cannot be listed"),
            ("SELECT uid FROM visits QUALIFY row_number() OVER () = 1 LIMIT 1", None),
        ],
    )
    def test_all_else_is_refused(self, db: dpduck.Connection, query: str, message: str | None) -> None:
        db.execute("SET dp_preview = empty")
        with pytest.raises(dpduck.DpduckError) as caught:
            db.execute(query)
        assert message in (None, caught.value.message)

    def test_no_other_value(self, db: dpduck.Connection) -> None:
        with pytest.raises(dpduck.DpduckError, match="dp_preview is empty or off"):
            db.execute("SET dp_preview = on")


def test_on_a_plain_connection(file: Path) -> None:
    with duckdb.connect(str(file)) as con:
        dpduck.register(con, session="ana")
        probe = con.execute("SELECT * FROM dp('SELECT * FROM visits LIMIT 0')")
        assert [column[0] for column in probe.description] == ["uid", "page", "age"]
        assert probe.fetchall() == []
        assert con.execute("FROM dp('SELECT count(*) FROM visits WHERE false')").fetchall() == [(0,)]
        con.execute("FROM dp('SET dp_preview = empty')").fetchall()
        assert con.execute(f"FROM dp('{ROWS}')").fetchall() == []


def test_the_plan_names_no_table() -> None:
    made = planned(f"{BY_PAGE} LIMIT 0")
    assert isinstance(made, PublicPlan)
    assert (made.tables, made.report) == ((), None)
