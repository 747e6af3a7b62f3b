"""Privacy links: whose rows a table holds that does not say so itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from dpduck import policies
from dpduck.kernel.catalog.model import Catalog, Column, Link, Table
from dpduck.kernel.errors import PolicyError
from tests.policies.shop import KEY, LINES, ORDERS, open_tables, refused, run, statement


def test_links_lead_to_the_key() -> None:
    with open_tables(KEY, ORDERS, LINES) as connection:
        catalog = policies.load_catalog(connection)
    lines, orders = catalog.table("lineitem"), catalog.table("orders")
    assert orders.link == Link("o_custkey", "main", "customer", "c_custkey")
    assert lines.link == Link("l_orderkey", "main", "orders", "o_orderkey")
    assert (lines.private, lines.unit, lines.public) == (True, None, False)
    assert catalog.root(lines) == catalog.root(orders) == catalog.table("customer")


def test_links_survive_reopening_in_whatever_order_they_are_stored(tmp_path: Path) -> None:
    path = str(tmp_path / "shop.duckdb")
    with open_tables(KEY, ORDERS, LINES, path=path) as connection:
        before = policies.load_catalog(connection)
        connection.execute(
            "CREATE OR REPLACE TABLE dpduck.policies AS FROM dpduck.policies ORDER BY table_name DESC"
        )
    with duckdb.connect(path, read_only=True) as connection:
        assert policies.load_catalog(connection) == before


def test_a_link_may_be_declared_again_and_a_public_table_may_get_one() -> None:
    with open_tables(KEY, "ALTER TABLE orders SET PUBLIC", ORDERS) as connection:
        catalog = run(connection, ORDERS)
        assert (catalog.table("orders").private, catalog.table("orders").public) == (True, False)


def test_dropping_a_link_closes_the_table() -> None:
    with open_tables(KEY, ORDERS) as connection:
        table = run(connection, "ALTER TABLE orders DROP PRIVACY_LINK").table("orders")
        assert (table.link, table.private, table.public) == (None, False, False)
        assert run(connection, "ALTER TABLE customer DROP PRIVACY_KEY").table("customer").unit is None


def test_a_link_closes_when_its_target_is_gone() -> None:
    with open_tables(KEY, ORDERS, LINES) as connection:
        connection.execute("DROP TABLE orders")
        catalog = policies.load_catalog(connection)
        assert not catalog.table("lineitem").private
        connection.execute("CREATE TABLE orders (o_orderkey INTEGER, o_custkey INTEGER)")
        catalog = policies.load_catalog(connection)
        # The new table has no PRIMARY KEY, so that its rows do not say whose the lines are.
        assert catalog.table("orders").private
        assert not catalog.table("lineitem").private


def test_stored_links_that_contradict_each_other_close_the_table() -> None:
    with open_tables(KEY, ORDERS) as connection:
        connection.execute("UPDATE dpduck.policies SET table_name = 'orders' WHERE kind = 'privacy_key'")
        connection.execute("UPDATE dpduck.policies SET column_name = 'o_custkey' WHERE kind = 'privacy_key'")
        catalog = policies.load_catalog(connection)
        assert (catalog.table("orders").unit, catalog.table("orders").link) == ("o_custkey", None)
        assert not catalog.table("customer").private


class TestUniqueTargets:
    """A link leads to the units themselves, or to a column of which a constraint forbids repeats."""

    PLAIN = "ALTER TABLE returns ADD PRIVACY_LINK (r_orderkey) REFERENCES o2(k)"

    def open(self, rows: str) -> duckdb.DuckDBPyConnection:
        connection = open_tables(KEY)
        connection.execute("CREATE TABLE o2 (k INTEGER, u INTEGER)")
        connection.execute(f"INSERT INTO o2 VALUES {rows}")
        run(connection, "ALTER TABLE o2 ADD PRIVACY_LINK (u) REFERENCES customer(c_custkey)")
        return connection

    @pytest.mark.parametrize("rows", ["(1, 1), (2, 1), (NULL, 1)", "(1, 1), (1, 2)"])
    def test_the_rows_are_not_asked(self, rows: str) -> None:
        with self.open(rows) as connection:
            assert refused(connection, self.PLAIN) == (
                "column o2.k is not unique\n"
                "DETAIL: A row of returns would belong to several rows of o2, and so perhaps to two units. "
                "No constraint forbids it, and how the rows are now says nothing of later ones. Nothing was "
                "charged.\n"
                "HINT: ALTER TABLE o2 ADD PRIMARY KEY (k)."
            )

    def test_the_hint_helps(self) -> None:
        with self.open("(1, 1), (2, 1)") as connection:
            connection.execute("ALTER TABLE o2 ADD PRIMARY KEY (k)")
            assert run(connection, self.PLAIN).table("returns").private

    def test_an_index_is_no_constraint(self) -> None:
        with self.open("(1, 1), (2, 1)") as connection:
            connection.execute("CREATE UNIQUE INDEX once ON o2 (k)")
            assert "is not unique" in refused(connection, self.PLAIN)

    def test_a_link_to_a_link_that_holds_the_unit(self) -> None:
        with self.open("(1, 1), (2, 1)") as connection:
            link = "ALTER TABLE returns ADD PRIVACY_LINK (r_orderkey) REFERENCES o2(u)"
            catalog = run(connection, link)
        assert catalog.root(catalog.table("returns")).name == "customer"

    def test_the_unit_itself_need_not_be_unique(self) -> None:
        with open_tables("ALTER TABLE orders ADD PRIVACY_KEY (o_custkey)") as connection:
            link = "ALTER TABLE returns ADD PRIVACY_LINK (r_orderkey) REFERENCES orders(o_custkey)"
            assert run(connection, link).table("returns").private

    def test_a_pure_catalog_knows_constraints_only(self) -> None:
        columns = (Column("k", "INTEGER"), Column("u", "INTEGER"))
        target = Table("db", "main", "o2", columns, unit="u")
        catalog = Catalog((target, Table("db", "main", "returns", (Column("r_orderkey", "INTEGER"),))))
        with pytest.raises(PolicyError, match="not unique"):
            policies.apply(catalog, statement(self.PLAIN))
        unique = replace(catalog, tables=(replace(target, unique_columns=("k",)), catalog.tables[1]))
        assert policies.apply(unique, statement(self.PLAIN)).table("returns").private


@pytest.mark.parametrize(
    ("before", "text", "error"),
    [
        (
            [KEY, "ALTER TABLE orders ADD PRIVACY_KEY (o_custkey)"],
            ORDERS,
            "table orders already has the privacy key o_custkey\n"
            "DETAIL: A table has a key or one link: two persons in one row cannot both be protected by one "
            "unit. Nothing was charged.\n"
            "HINT: ALTER TABLE orders DROP PRIVACY_KEY first.",
        ),
        (
            [KEY, ORDERS],
            "ALTER TABLE orders ADD PRIVACY_KEY (o_orderkey)",
            "table orders already has the privacy link o_custkey to customer.c_custkey\n"
            "DETAIL: A table has a key or one link: two persons in one row cannot both be protected by one "
            "unit. Nothing was charged.\n"
            "HINT: ALTER TABLE orders DROP PRIVACY_LINK first.",
        ),
        (
            [KEY, ORDERS],
            "ALTER TABLE orders ADD PRIVACY_LINK (o_orderkey) REFERENCES customer(c_custkey)",
            "table orders already has the privacy link o_custkey to customer.c_custkey\n"
            "DETAIL: A table has a key or one link: two persons in one row cannot both be protected by one "
            "unit. Nothing was charged.\n"
            "HINT: ALTER TABLE orders DROP PRIVACY_LINK first.",
        ),
        (
            [],
            ORDERS,
            "table customer has no privacy key or link\n"
            "DETAIL: A link leads to the table that says whose rows these are. Nothing was charged.\n"
            "HINT: Say first whose rows customer holds: ALTER TABLE customer ADD PRIVACY_KEY (c_custkey) "
            "if each c_custkey is one person, else ADD PRIVACY_LINK (column) REFERENCES t(column).",
        ),
        (
            [],
            "ALTER TABLE orders ADD PRIVACY_LINK (o_custkey) REFERENCES orders(o_orderkey)",
            "table orders cannot be linked to itself\n"
            "DETAIL: A link leads to the table that says whose rows these are. Nothing was charged.\n"
            "HINT: ALTER TABLE orders ADD PRIVACY_KEY (column), if a column of it says so.",
        ),
        (
            [KEY],
            "ALTER TABLE lineitem ADD PRIVACY_LINK (l_big) REFERENCES customer(c_custkey)",
            "columns lineitem.l_big and customer.c_custkey differ in type\n"
            "DETAIL: They are of type BIGINT and INTEGER; comparing them could round. Nothing was charged.\n"
            "HINT: ALTER TABLE lineitem ALTER COLUMN l_big TYPE INTEGER.",
        ),
        (
            [KEY],
            "ALTER TABLE pages ADD PRIVACY_LINK (heat) REFERENCES customer(balance)",
            "column pages.heat of type DOUBLE cannot be a privacy link\n"
            "DETAIL: The values of a privacy link are equal or not, without rounding: not FLOAT, not nested. "
            "Nothing was charged.\n"
            "HINT: Use a column of integers, text or UUIDs.",
        ),
        (
            [KEY],
            "ALTER TABLE orders ADD PRIVACY_LINK (nix) REFERENCES customer(c_custkey)",
            "table orders has no column nix\nDETAIL: Nothing was charged.\n"
            "HINT: Its columns are: o_orderkey, o_custkey, o_date.",
        ),
        (
            [KEY],
            "ALTER TABLE orders ADD PRIVACY_LINK (o_custkey) REFERENCES nix(c_custkey)",
            "table nix does not exist\nDETAIL: Nothing was charged.\n"
            "HINT: The tables are: customer, lineitem, orders, pages, returns.",
        ),
        (
            [KEY, ORDERS, LINES],
            "ALTER TABLE customer DROP PRIVACY_KEY",
            "other tables are linked to customer: orders\n"
            "DETAIL: Without it nothing would say whose rows theirs are. Nothing was charged.\n"
            "HINT: ALTER TABLE orders DROP PRIVACY_LINK first.",
        ),
        (
            [KEY, ORDERS, LINES, LINES.replace("lineitem", "returns").replace("l_", "r_")],
            "ALTER TABLE orders DROP PRIVACY_LINK",
            "other tables are linked to orders: lineitem, returns\n"
            "DETAIL: Without it nothing would say whose rows theirs are. Nothing was charged.\n"
            "HINT: ALTER TABLE lineitem DROP PRIVACY_LINK first.",
        ),
        (
            [],
            "ALTER TABLE orders DROP PRIVACY_LINK",
            "table orders has no privacy link\nDETAIL: Nothing was charged.\n"
            "HINT: ALTER TABLE orders ADD PRIVACY_LINK (column) REFERENCES t(column) adds one.",
        ),
        (
            [KEY, ORDERS],
            "ALTER TABLE orders SET PUBLIC",
            "table orders has the privacy link o_custkey to customer.c_custkey\n"
            "DETAIL: A table with a privacy key or link holds private rows. Nothing was charged.\n"
            "HINT: ALTER TABLE orders DROP PRIVACY_LINK first.",
        ),
    ],
)
def test_refusals_teach(before: list[str], text: str, error: str) -> None:
    with open_tables(*before) as connection:
        assert refused(connection, text) == error
