"""How many joined rows of a unit count, where the tables that are joined have bounds of their own."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck

SETUP = """
CREATE TABLE people (id BIGINT PRIMARY KEY);
INSERT INTO people FROM range(300);
CREATE TABLE orders AS SELECT i % 300 AS person, i AS number FROM range(2400) t(i);
CREATE TABLE calls AS SELECT i % 300 AS person, i FROM range(900) t(i);
CREATE TABLE visits AS SELECT i % 300 AS person, i FROM range(900) t(i);
CREATE TABLE items (person BIGINT, number BIGINT);
INSERT INTO items SELECT i % 300, i % 1200 FROM range(1500) t(i);
ALTER TABLE orders ADD PRIMARY KEY (number);
"""
POLICIES = """
ALTER TABLE people ADD PRIVACY_KEY (id);
ALTER TABLE orders ADD PRIVACY_LINK (person) REFERENCES people (id);
ALTER TABLE calls ADD PRIVACY_LINK (person) REFERENCES people (id);
ALTER TABLE visits ADD PRIVACY_LINK (person) REFERENCES people (id);
ALTER TABLE items ADD PRIVACY_LINK (person) REFERENCES people (id);
ALTER TABLE orders SET PRIVACY CONTRIBUTION (rows = 8);
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
