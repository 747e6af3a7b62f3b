"""A link was believed for ever because its target had no value twice when it was declared.

Later rows made the target ambiguous: with `UPDATE customers SET code = 0` one more person moved a count by
1001. Now a link leads to the units themselves, or to a column that a constraint keeps unique.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import dpduck

TABLES = """
CREATE TABLE customers (id INTEGER, code INTEGER, name VARCHAR);
INSERT INTO customers SELECT i, 1000 + i, 'n' || i FROM range(1000) r(i);
CREATE TABLE orders (code INTEGER, item VARCHAR);
INSERT INTO orders SELECT 1000 + i, 'a' FROM range(1000) r(i);
"""
KEY = "ALTER TABLE customers ADD PRIVACY_KEY (id)"
LINK = "ALTER TABLE orders ADD PRIVACY_LINK (code) REFERENCES customers(code)"
COUNT = "SELECT count(*) FROM orders"
# What a version that looked at the rows has stored.
OLD_LINK = """
INSERT INTO dpduck.policies VALUES (2, 'main', 'orders', 'code', 'privacy_link',
    '{"schema": "main", "table": "customers", "column": "code", "seen_unique": true}')
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(TABLES)
    with dpduck.connect(path) as db:
        db.execute(KEY)
    return path


def refused(db: dpduck.Connection, sql: str) -> str:
    with pytest.raises(dpduck.PolicyError) as caught:
        db.execute(sql)
    assert caught.value.charged == "0"
    return str(caught.value)


def write(path: Path, *statements: str) -> None:
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)


def test_rows_prove_nothing(shop: Path) -> None:
    with dpduck.connect(shop, epsilon=1) as db:
        assert refused(db, LINK).startswith("column customers.code is not unique\n")
        assert refused(db, COUNT).startswith("table orders has no privacy policy\n")


def test_whether_the_rows_are_unique_does_not_show(shop: Path) -> None:
    with dpduck.connect(shop) as db:
        before = refused(db, LINK)
    write(shop, "UPDATE customers SET code = 0")
    with dpduck.connect(shop) as db:
        assert refused(db, LINK) == before


@pytest.mark.parametrize("analyst", [None, "ana"])
def test_an_old_link_is_closed_with_a_word_to_its_owner(shop: Path, analyst: str | None) -> None:
    write(shop, OLD_LINK)
    with dpduck.connect(shop, analyst=analyst, epsilon=1) as db:
        assert refused(db, COUNT) == (
            "table orders is closed, since its privacy policy no longer holds\n"
            "DETAIL: When it is applied: column customers.code is not unique. Nothing was charged.\n"
            "HINT: The owner can mend it: ALTER TABLE customers ADD PRIMARY KEY (code)."
        )
        rows = {row[0]: row for row in db.execute("SHOW PRIVACY").fetchall() if row[3] is None}
        assert rows["orders"][1] == "closed: column customers.code is not unique"
        assert rows["customers"][1] == "private"
        [(query, answered, how)] = db.execute("SHOW PRIVACY FOR orders").fetchall()
        assert (query, answered) == ("any query", "no")
        assert how.startswith("Its policy no longer holds: column customers.code is not unique. ALTER TABLE")


def test_the_remedy_opens_it_again(shop: Path) -> None:
    write(shop, OLD_LINK, "ALTER TABLE customers ADD PRIMARY KEY (code)")
    for ledger in shop.parent.glob(f"{shop.name}.ledger*"):
        ledger.unlink()  # the link is older than the record
    with dpduck.connect(shop, epsilon=1) as db:
        assert db.execute(COUNT).fetchall()
    with duckdb.connect(str(shop)) as connection, pytest.raises(duckdb.ConstraintException):
        connection.execute("UPDATE customers SET code = 0")


def test_a_constraint_that_is_gone_closes_the_table(shop: Path) -> None:
    write(shop, "ALTER TABLE customers ADD PRIMARY KEY (code)")
    with dpduck.connect(shop, epsilon=1) as db:
        db.execute(LINK)
        assert db.execute(COUNT).fetchall()
    write(shop, "CREATE OR REPLACE TABLE customers AS SELECT id, 0 AS code, name FROM customers")
    with dpduck.connect(shop, epsilon=1) as db:
        assert "closed, since its privacy policy no longer holds" in refused(db, COUNT)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("ALTER TABLE customers RENAME id TO person", "table customers has no column id"),
        (
            "ALTER TABLE customers ALTER id TYPE DOUBLE",
            "of type DOUBLE cannot be a privacy key",
        ),
    ],
)
def test_every_policy_that_no_longer_fits_says_why(shop: Path, change: str, reason: str) -> None:
    write(shop, change)
    with dpduck.connect(shop, epsilon=1) as db:
        assert reason in refused(db, "SELECT count(*) FROM customers")


def test_a_public_table_that_was_made_again(shop: Path) -> None:
    write(shop, "CREATE TABLE items (item VARCHAR)")
    with dpduck.connect(shop, epsilon=1) as db:
        db.execute("ALTER TABLE items SET PUBLIC")
    write(shop, "CREATE OR REPLACE TABLE items AS SELECT name AS item, id FROM customers")
    with dpduck.connect(shop, epsilon=1) as db:
        assert "table items is not the one that was set public" in refused(db, "FROM items")


class TestFactsOfPublicTables:
    """What public rows say is asked again whenever they may have changed."""

    def test_a_key_for_joins_in_one_session(self, shop: Path) -> None:
        with duckdb.connect(str(shop)) as connection:
            connection.execute("CREATE TABLE kinds (code INTEGER, kind VARCHAR)")
            connection.execute("INSERT INTO kinds VALUES (1000, 'k'), (1001, 'k')")
            with dpduck.connect(connection, epsilon=1, ledger=f"{shop}.ledger") as db:
                db.execute("ALTER TABLE kinds SET PUBLIC")
                join = "SELECT count(*) FROM customers JOIN kinds USING (code)"
                db.execute("SET dp_replay = off")
                assert db.execute(join).fetchall()
                connection.execute("INSERT INTO kinds VALUES (1000, 'other')")
                assert db.execute(join).fetchall()  # a unit counts once, whatever number of rows it meets
                connection.execute("DELETE FROM kinds WHERE kind = 'other'")
                assert db.execute(join).fetchall()

    def test_a_domain_in_one_session(self, shop: Path) -> None:
        with duckdb.connect(str(shop)) as connection:
            connection.execute("CREATE TABLE kinds AS SELECT 'a' AS item")
            with dpduck.connect(connection, epsilon=1, ledger=f"{shop}.ledger") as db:
                db.execute("ALTER TABLE orders ADD PRIVACY_KEY (code)")
                db.execute("ALTER TABLE kinds SET PUBLIC")
                db.execute("ALTER TABLE orders ALTER item SET PRIVACY DOMAIN REFERENCES kinds(item)")
                keys = "SELECT DISTINCT item FROM orders ORDER BY item"
                assert db.execute(keys).fetchall() == [("a",)]
                connection.execute("INSERT INTO kinds VALUES ('b')")
                assert db.execute(keys).fetchall() == [("a",), ("b",)]


def test_a_link_is_no_key_of_its_target(shop: Path) -> None:
    """Rows of one person in three tables multiply, though a link says that one of them holds the key."""
    write(
        shop,
        "CREATE TABLE a AS SELECT 1 AS person",
        "CREATE TABLE b AS SELECT 1 AS person",
    )
    with dpduck.connect(shop, epsilon=1) as db:
        for table in "ab":
            db.execute(f"ALTER TABLE {table} ADD PRIVACY_LINK (person) REFERENCES customers(id)")
        with pytest.raises(dpduck.UnsupportedSqlError, match="multiply each other's rows"):
            db.execute(
                "SELECT count(*) FROM customers AS c JOIN a ON a.person = c.id JOIN b ON b.person = c.id"
            )
