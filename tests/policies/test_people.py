"""Which people are behind a table: what is noted, what is taken for the same, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from dpduck import policies
from dpduck.policies.store import read_store
from tests.policies.shop import KEY, ORDERS, open_tables, run, statement


@pytest.fixture
def shop(tmp_path: Path) -> duckdb.DuckDBPyConnection:
    return open_tables(path=str(tmp_path / "shop.duckdb"))


def people(connection: duckdb.DuckDBPyConnection) -> dict[str, tuple[str, ...]]:
    return {f"{one.schema}.{one.table}": one.names for one in read_store(connection).unit_accounts}


def remarks(connection: duckdb.DuckDBPyConnection, text: str) -> tuple[str, ...]:
    return policies.prepare(connection, [statement(text)])[0].remarks


def test_a_key_has_an_id_and_counts_what_was_charged_before_there_were_ids(
    shop: duckdb.DuckDBPyConnection,
) -> None:
    first, *rest = run(shop, KEY).table("customer").account_ids
    name, mark, number = first.partition("#")
    assert (name, mark, len(number)) == ("customer.c_custkey", "#", 16)
    assert int(number, 16) >= 0
    columns = ("c_custkey", "c_name", "segment", "balance")
    assert rest == ["customer", *(f"customer.{column}" for column in columns)]


def test_each_database_has_its_own(tmp_path: Path) -> None:
    names = set()
    for file in "ab":
        with open_tables(KEY, path=str(tmp_path / f"{file}.duckdb")) as connection:
            names.add(people(connection)["main.customer"][0])
    assert len(names) == 2


def test_in_memory_an_id_would_not_last() -> None:
    with open_tables(KEY) as connection:
        assert people(connection)["main.customer"][0] == "customer"


def test_policies_of_older_versions_are_charged_to_the_table(shop: duckdb.DuckDBPyConnection) -> None:
    run(shop, KEY)
    shop.execute("DELETE FROM dpduck.policies WHERE kind = 'people'")
    assert policies.load_catalog(shop).table("customer").account_ids[0] == "customer"
    names = run(shop, "ALTER TABLE pages SET PUBLIC").table("customer").account_ids
    assert names[0].startswith("customer.c_custkey#")
    assert "customer" in names


def test_an_older_key_on_a_column_that_is_gone_counts(shop: duckdb.DuckDBPyConnection) -> None:
    run(shop, KEY)
    shop.execute("DELETE FROM dpduck.policies WHERE kind = 'people'")
    shop.execute("CREATE OR REPLACE TABLE customer AS SELECT c_custkey AS person FROM customer")
    names = run(shop, "ALTER TABLE customer ADD PRIVACY_KEY (person)").table("customer").account_ids
    assert "customer.c_custkey" in names


def test_linked_tables_are_the_same_people(shop: duckdb.DuckDBPyConnection) -> None:
    run(shop, KEY, ORDERS)
    noted = people(shop)
    assert noted["main.orders"] == noted["main.customer"]


def test_two_that_turn_out_to_be_the_same_are_one_everywhere(shop: duckdb.DuckDBPyConnection) -> None:
    shop.execute("CREATE SCHEMA s")
    shop.execute("CREATE TABLE s.orders AS FROM main.orders")
    run(shop, KEY, "ALTER TABLE orders ADD PRIVACY_KEY (o_custkey)")
    run(shop, "ALTER TABLE s.orders ADD PRIVACY_KEY (o_custkey)")
    before = people(shop)
    assert before["main.orders"] == before["s.orders"] != before["main.customer"]
    run(shop, "ALTER TABLE orders DROP PRIVACY_KEY", ORDERS)
    noted = people(shop)
    assert noted["main.orders"] == noted["s.orders"] == noted["main.customer"]
    assert set(noted["main.customer"]) == {*before["main.orders"], *before["main.customer"]}


def test_others_are_others(shop: duckdb.DuckDBPyConnection) -> None:
    run(shop, KEY, "ALTER TABLE returns ADD PRIVACY_KEY (r_orderkey)")
    shop.execute("DROP TABLE returns")
    shop.execute("CREATE TABLE guests (guest INTEGER)")
    run(shop, "ALTER TABLE guests ADD PRIVACY_KEY (guest)")
    noted = people(shop)
    assert len({names[0] for names in noted.values()}) == len(noted) == 3


def test_what_is_stored_must_be_readable(shop: duckdb.DuckDBPyConnection) -> None:
    run(shop, KEY)
    for details in ("", "{}", "[1]", '{"names": 1, "columns": []}', '{"names": [], "columns": []}'):
        shop.execute("UPDATE dpduck.policies SET details = $d WHERE kind = 'people'", {"d": details})
        with pytest.raises(policies.UnreadablePolicyError, match="the stored people is not readable"):
            policies.load_catalog(shop)


class TestRemarks:
    def test_of_people_that_are_taken_for_others(self, shop: duckdb.DuckDBPyConnection) -> None:
        run(shop, KEY)
        assert remarks(shop, KEY) == ()
        shop.execute("ALTER TABLE customer RENAME TO persons")
        assert remarks(shop, "ALTER TABLE persons ADD PRIVACY_KEY (c_custkey)") == (
            "The people behind persons are taken for those behind customer: what was spent on them counts.",
        )

    def test_of_a_link_in_place_of_a_key(self, shop: duckdb.DuckDBPyConnection) -> None:
        run(shop, KEY)
        assert remarks(shop, ORDERS) == ()
        run(shop, "ALTER TABLE orders ADD PRIVACY_KEY (o_custkey)", "ALTER TABLE orders DROP PRIVACY_KEY")
        assert remarks(shop, ORDERS) == (
            "What was spent on the people behind orders before counts for those behind customer, whose they "
            "are now.",
        )

    def test_of_the_last_day_of_a_range(self, shop: duckdb.DuckDBPyConnection) -> None:
        shop.execute("CREATE TABLE events (person INTEGER NOT NULL, ts TIMESTAMP, tz TIMESTAMPTZ, d DATE)")
        run(shop, "ALTER TABLE events ADD PRIVACY_KEY (person)")
        domain = (
            "ALTER TABLE events ALTER COLUMN {} SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-12-31{}')"
        )
        for column in ("ts", "tz"):
            [said] = remarks(shop, domain.format(column, "") + " OR NULL")
            whole = domain.format(column, " 23:59:59")
            assert said.startswith(
                f"The domain of events.{column} ends when 2024-12-31 begins, at midnight: "
            )
            assert said.endswith(f"With all of that day: {whole} OR NULL.")
            assert remarks(shop, whole) == ()
            assert remarks(shop, domain.format(column, " 00:00:00")) == ()
        assert remarks(shop, domain.format("d", "")) == ()

    def test_of_an_enum(self, shop: duckdb.DuckDBPyConnection) -> None:
        shop.execute("INSERT INTO customer VALUES (1, 'ann', 'a', 1)")
        shop.execute("CREATE TYPE names AS ENUM (SELECT c_name FROM customer)")
        shop.execute('CREATE TABLE likes (person INTEGER NOT NULL, "who" names, yes BOOLEAN)')
        assert remarks(shop, "ALTER TABLE likes ADD PRIVACY_KEY (person)") == (
            "Column likes.who is an ENUM: its values (1) are public, as all of the schema is. If they were "
            "taken from private rows: ALTER TABLE likes ALTER COLUMN who TYPE VARCHAR.",
        )
        assert remarks(shop, "ALTER TABLE likes SET PUBLIC") == ()
