"""How many joined rows of a unit count, where the tables that are joined have bounds of their own."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck

SETUP = """
CREATE TABLE cities (city INTEGER PRIMARY KEY);
INSERT INTO cities FROM range(6);
CREATE TABLE people (id BIGINT PRIMARY KEY, city INTEGER);
INSERT INTO people SELECT i, i % 6 FROM range(300) t(i);
CREATE TABLE orders AS SELECT i % 300 AS person, i AS number, i % 9 AS amount FROM range(2400) t(i);
CREATE TABLE lines AS SELECT i AS line, i % 2400 AS number FROM range(4800) t(i);
ALTER TABLE lines ADD PRIMARY KEY (line);
CREATE TABLE calls AS SELECT i % 300 AS person, i FROM range(900) t(i);
CREATE TABLE visits AS SELECT i % 300 AS person, i FROM range(900) t(i);
CREATE TABLE items (person BIGINT, number BIGINT);
INSERT INTO items SELECT i % 300, i % 1200 FROM range(1500) t(i);
ALTER TABLE orders ADD PRIMARY KEY (number);
"""
POLICIES = """
CREATE PRIVACY BUDGET b LIMIT 100;
ALTER TABLE people ADD PRIVACY_KEY (id);
ALTER TABLE orders ADD PRIVACY_LINK (person) REFERENCES people (id);
ALTER TABLE calls ADD PRIVACY_LINK (person) REFERENCES people (id);
ALTER TABLE visits ADD PRIVACY_LINK (person) REFERENCES people (id);
ALTER TABLE items ADD PRIVACY_LINK (person) REFERENCES people (id);
ALTER TABLE lines ADD PRIVACY_LINK (number) REFERENCES orders (number);
ALTER TABLE cities SET PUBLIC;
ALTER TABLE people ALTER COLUMN city SET PRIVACY DOMAIN BETWEEN 0 AND 5;
ALTER TABLE orders ALTER COLUMN amount SET PRIVACY DOMAIN BETWEEN 0 AND 8;
ALTER TABLE orders SET PRIVACY CONTRIBUTION (rows = 8);
ALTER TABLE lines SET PRIVACY CONTRIBUTION (rows = 16);
ALTER TABLE calls SET PRIVACY CONTRIBUTION (rows = 3);
ALTER TABLE items SET PRIVACY CONTRIBUTION (rows = 5);
"""


@pytest.fixture(scope="module")
def owner() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as connection:
        connection.execute(SETUP)
        with dpduck.connect(connection, epsilon="1") as db:
            for statement in filter(str.strip, POLICIES.split(";")):
                db.execute(statement)
            yield db


@pytest.mark.parametrize(
    ("source", "most"),
    [
        ("orders", 8),
        ("orders JOIN people ON id = person", 8),
        ("orders JOIN calls USING (person)", 24),
        ("orders o JOIN orders p USING (person)", 64),
        ("orders JOIN visits USING (person)", 8),  # of which one has no bound
        ("orders o LEFT JOIN items i ON i.number = o.number AND i.person = o.person", 13),
    ],
)
def test_as_many_joined_rows_count_as_both_bounds_let_a_unit_have(
    owner: dpduck.Connection, source: str, most: int
) -> None:
    text = str(owner.explain(f"SELECT count(*) AS n FROM {source}"))
    assert f"n takes at most {most} rows of each" in text


def test_a_join_within_both_bounds_is_not_cut(owner: dpduck.Connection) -> None:
    """It was cut at 8 of 24 rows: 2,400 for 7,200."""
    query = "SELECT count(*) AS n FROM orders JOIN calls USING (person)"
    [[found]] = owner.execute(query).fetchall()
    assert abs(found - 7_200) < 24 * 25  # noise of the rate 1 / 24 is beyond that with e^-25


def error_of(owner: dpduck.Connection, query: str) -> str:
    return next(line for line in str(owner.explain(query)).splitlines() if line.startswith("  error"))


@pytest.mark.parametrize(
    "source",
    [
        "orders o {0} people p ON p.id = o.person",
        "orders o {0} people p ON p.id = o.person AND p.city <> 3",
        "(SELECT * FROM orders WHERE number > 7) o {0} people p ON p.id = o.person",
        "orders o {0} people p ON p.id = o.person {0} cities c USING (city)",
        "lines l {0} orders o ON o.number = l.number {0} people p ON p.id = o.person",
        "cities d JOIN (lines l {0} orders o USING (number)) ON d.city = l.line "
        "{0} people p ON p.id = o.person",
    ],
)
def test_a_left_join_of_what_a_unit_has_once_is_as_exact_as_a_join(
    owner: dpduck.Connection, source: str
) -> None:
    """Each person has one city, whatever orders lead to it: noise was that of persons in all six."""
    query = f"SELECT p.city, count(*) AS n FROM {source} GROUP BY p.city"
    assert error_of(owner, query.format("LEFT JOIN")) == error_of(owner, query.format("JOIN"))


def test_rows_of_left_joins_along_links_are_those_of_plain_sql(owner: dpduck.Connection) -> None:
    """The checker proves the claim before the charge; noise is below 16 rows in all runs but e^-20."""
    owner.execute("SET dp_epsilon = 20")
    found = owner.execute(
        "SELECT p.city, count(*) AS n FROM lines l LEFT JOIN orders o USING (number) "
        "LEFT JOIN people p ON p.id = o.person GROUP BY p.city ORDER BY p.city"
    ).fetchall()
    assert [city for city, _ in found] == list(range(6))
    assert all(abs(count - 800) < 16 for _, count in found)


@pytest.mark.parametrize("on", ["o.number > 7", "p.city < o.amount"])
def test_a_left_join_that_finds_a_row_for_some_rows_of_a_unit_is_not(
    owner: dpduck.Connection, on: str
) -> None:
    """Then a person counts in the group of its city and in that of NULL."""
    query = "SELECT p.city, count(*) AS n FROM orders o {} people p ON p.id = o.person AND " + on
    left, inner = (f"{query.format(join)} GROUP BY p.city" for join in ("LEFT JOIN", "JOIN"))
    assert error_of(owner, left) != error_of(owner, inner)
