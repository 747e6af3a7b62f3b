"""The stored facts: what they keep, versions, the salt, and what replaces what."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

from dpduck import policies
from dpduck.kernel.catalog.model import Catalog, Contribution, DeclaredBudget, RangeDomain, ValuesDomain
from dpduck.kernel.catalog.statements import SetContribution, TableName
from dpduck.kernel.errors import ParameterError, PolicyError
from tests.policies.shop import KEY, ORDERS, open_tables, refused, run

# What version 1 wrote, word for word.
VERSION_1 = """
CREATE SCHEMA dpduck;
CREATE TABLE dpduck.policies (
    version INTEGER NOT NULL, schema_name VARCHAR NOT NULL, table_name VARCHAR NOT NULL,
    column_name VARCHAR NOT NULL, kind VARCHAR NOT NULL, details VARCHAR NOT NULL);
INSERT INTO dpduck.policies VALUES
    (1, 'main', 'customer', 'c_custkey', 'privacy_key', ''),
    (1, 'main', 'pages', '', 'public', ''),
    (1, 'main', 'customer', 'segment', 'domain', '{"in": ["a", "b"]}'),
    (1, 'main', 'customer', 'balance', 'domain', '{"between": ["0", "1"], "step": "0.5"}');
"""


def facts(connection: duckdb.DuckDBPyConnection) -> list[tuple[object, ...]]:
    return connection.execute(
        "SELECT version, table_name, column_name, kind FROM dpduck.policies "
        "WHERE kind NOT IN ('salt', 'people') ORDER BY ALL"
    ).fetchall()


class TestVersions:
    def check(self, catalog: Catalog) -> None:
        customer = catalog.table("customer")
        assert customer.unit == "c_custkey"
        assert customer.column("segment").domain == ValuesDomain(("a", "b"))
        assert customer.column("balance").domain == RangeDomain(0.0, 1.0, Fraction(1, 2))
        assert catalog.table("pages").public

    def test_files_of_version_1_are_read(self) -> None:
        with open_tables() as connection:
            connection.execute(VERSION_1)
            catalog = policies.load_catalog(connection)
            self.check(catalog)
            assert catalog.salt == 0

    def test_and_written_on(self) -> None:
        with open_tables() as connection:
            connection.execute(VERSION_1)
            catalog = run(connection, ORDERS)
            self.check(catalog)
            assert catalog.table("orders").private
            assert catalog.salt > 0
            assert {version for version, *_ in facts(connection)} == {1, 2}

    def test_later_versions_are_refused(self) -> None:
        with open_tables(KEY) as connection:
            connection.execute("UPDATE dpduck.policies SET version = 3 WHERE kind = 'privacy_key'")
            with pytest.raises(PolicyError) as caught:
                policies.load_catalog(connection)
            assert str(caught.value) == (
                "the policies in this file were written by a later version of dpduck\n"
                "DETAIL: Nothing was charged.\nHINT: Upgrade dpduck to open it."
            )

    def test_facts_that_nobody_knows_are_refused(self) -> None:
        with open_tables(KEY) as connection:
            connection.execute("UPDATE dpduck.policies SET kind = 'odd' WHERE kind = 'privacy_key'")
            with pytest.raises(PolicyError, match="the stored policy of table customer is not readable"):
                policies.load_catalog(connection)


class TestTheSalt:
    def test_it_is_made_once_and_kept(self, tmp_path: Path) -> None:
        path = str(tmp_path / "shop.duckdb")
        with open_tables(path=path) as connection:
            assert policies.load_catalog(connection).salt == 0
            salt = run(connection, KEY).salt
            assert 0 < salt < 2**63
            more = "ALTER TABLE customer SET PRIVACY CONTRIBUTION (rows = 1)"
            assert run(connection, ORDERS, more).salt == salt
        with duckdb.connect(path, read_only=True) as connection:
            assert policies.load_catalog(connection).salt == salt

    def test_databases_differ(self) -> None:
        with open_tables() as one, open_tables() as other:
            assert run(one, KEY).salt != run(other, KEY).salt


class TestWhatReplacesWhat:
    def test_a_table_has_one_fact_about_whose_it_is(self) -> None:
        with open_tables(KEY, "ALTER TABLE orders SET PUBLIC", ORDERS) as connection:
            assert facts(connection) == [
                (2, "customer", "c_custkey", "privacy_key"),
                (2, "orders", "o_custkey", "privacy_link"),
            ]
            run(connection, "ALTER TABLE orders DROP PRIVACY_LINK")
            run(connection, "ALTER TABLE orders SET PUBLIC")
            assert facts(connection)[1:] == [(2, "orders", "", "public")]

    def test_names_compare_as_in_duckdb(self) -> None:
        with open_tables(KEY) as connection:
            connection.execute("ALTER TABLE customer RENAME TO other; ALTER TABLE other RENAME TO CUSTOMER")
            run(connection, "ALTER TABLE Customer DROP PRIVACY_KEY")
            assert facts(connection) == []

    def test_other_facts_of_the_table_stay(self) -> None:
        texts = (
            "ALTER TABLE customer ALTER COLUMN segment SET PRIVACY DOMAIN IN ('a')",
            "ALTER TABLE customer SET PRIVACY CONTRIBUTION (groups = 3)",
        )
        with open_tables(KEY, *texts) as connection:
            run(connection, "ALTER TABLE customer DROP PRIVACY_KEY")
            assert [fact[3] for fact in facts(connection)] == ["contribution", "domain"]


class TestContributions:
    SET = "ALTER TABLE customer SET PRIVACY CONTRIBUTION"

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("(groups = 5, rows = 2)", Contribution(5, 2)),
            ("(ROWS = 1000000)", Contribution(None, 1_000_000)),
            ("(groups = 1)", Contribution(1, None)),
        ],
    )
    def test_they_are_stored(self, text: str, expected: Contribution) -> None:
        with open_tables(KEY) as connection:
            assert run(connection, f"{self.SET} {text}").table("customer").contribution == expected

    def test_a_new_one_replaces_the_old_one_as_a_whole(self) -> None:
        with open_tables(KEY, f"{self.SET} (groups = 5)") as connection:
            table = run(connection, f"{self.SET} (rows = 2)").table("customer")
            assert table.contribution == Contribution(None, 2)

    def test_one_can_be_dropped(self) -> None:
        drop = "ALTER TABLE customer DROP PRIVACY CONTRIBUTION"
        with open_tables(KEY, f"{self.SET} (groups = 5)") as connection:
            assert run(connection, drop).table("customer").contribution == Contribution()
            assert refused(connection, drop) == (
                "table customer has no bound on contributions\nDETAIL: Nothing was charged.\n"
                "HINT: ALTER TABLE customer SET PRIVACY CONTRIBUTION (groups = 5) sets one."
            )

    @pytest.mark.parametrize("bounds", [(0, None), (None, -1), (1_000_001, None)])
    def test_bounds_have_a_range(self, bounds: tuple[int | None, int | None]) -> None:
        with pytest.raises(ParameterError, match="is not a bound on contributions"):
            SetContribution(TableName("t"), *bounds)


class TestBudgets:
    def test_they_are_stored_exactly(self, tmp_path: Path) -> None:
        path = str(tmp_path / "shop.duckdb")
        texts = (
            "CREATE PRIVACY BUDGET life LIMIT 20.000000001 DELTA 1e-7",
            "CREATE PRIVACY BUDGET ads LIMIT 3 PER QUERY 0.1 WINDOW 'week' FOR ana, \"B b\"",
        )
        with open_tables(*texts, path=path):
            pass
        with duckdb.connect(path, read_only=True) as connection:
            assert policies.load_catalog(connection).budgets == (
                DeclaredBudget("ads", Fraction(3), None, Fraction(1, 10), "week", ("ana", "B b")),
                DeclaredBudget("life", Fraction(20 * 10**9 + 1, 10**9), Fraction(1, 10**7)),
            )

    def test_they_are_replaced_and_dropped_by_name(self) -> None:
        with open_tables("CREATE PRIVACY BUDGET life LIMIT 20") as connection:
            assert refused(connection, "CREATE PRIVACY BUDGET LIFE LIMIT 3") == (
                "privacy budget LIFE exists already\nDETAIL: Nothing was charged.\n"
                "HINT: CREATE OR REPLACE PRIVACY BUDGET LIFE ... changes it."
            )
            catalog = run(connection, "CREATE OR REPLACE PRIVACY BUDGET LIFE LIMIT 3")
            assert catalog.budgets == (DeclaredBudget("LIFE", Fraction(3)),)
            assert run(connection, "DROP PRIVACY BUDGET life").budgets == ()
            assert refused(connection, "DROP PRIVACY BUDGET life") == (
                "privacy budget life does not exist\nDETAIL: Nothing was charged.\n"
                "HINT: The privacy budgets are: none."
            )


def test_keys_of_several_columns_are_known() -> None:
    with open_tables() as connection:
        table = policies.load_catalog(connection).table("lineitem")
        assert (table.unique_keys, table.unique_columns) == ((("l_orderkey", "l_number"),), ())
        table = policies.load_catalog(connection).table("orders")
        assert (table.unique_keys, table.unique_columns) == ((("o_orderkey",),), ("o_orderkey",))
