"""A range that is far from the data: what released numbers show of it is said, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import dpduck
from tests.sources import HALF, Quiet

AT = "is within its noise of {}, an end of its range"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[dpduck.Connection]:
    path = tmp_path / "people.duckdb"
    with duckdb.connect(path) as con:
        con.execute(
            "CREATE TABLE people AS SELECT i AS id, (1000 + i % 4000)::INTEGER AS pay, i % 2 AS half "
            "FROM range(4000) AS r(i)"
        )
        con.execute("ALTER TABLE people ADD PRIMARY KEY (id)")
    with dpduck.connect(path, epsilon="4") as db:
        db._service._entropy = Quiet(HALF)  # an interval of 95 % misses the end of one group in twenty
        db.execute("ALTER TABLE people ADD PRIVACY_KEY (id)")
        db.execute("ALTER TABLE people ALTER COLUMN half SET PRIVACY DOMAIN BETWEEN (0, 1)")
        yield db


@pytest.mark.parametrize(
    ("number", "end"),
    [
        ("avg(pay, contribution_bounds_per_row => (0, 5))", "5"),
        ("avg(greatest(least(pay, 5), 0))", "5"),
        ("avg(pay, contribution_bounds_per_row => (9000, 20000))", "9,000"),
        ("median(pay, contribution_bounds_per_row => (0, 5))", "5"),
    ],
)
def test_a_number_at_an_end_is_said_to_be_there(db: dpduck.Connection, number: str, end: str) -> None:
    db.execute(f"SELECT {number} AS n FROM people")
    assert sum(f"n {AT.format(end)}: values beyond" in one for one in db.notices) == 1
    db.execute(f"SELECT half, {number} AS n FROM people GROUP BY half")
    assert sum(f"n {AT.format(end)} in 2 of 2 groups: values beyond" in one for one in db.notices) == 1


@pytest.mark.parametrize(
    "number",
    [
        "avg(pay, contribution_bounds_per_row => (0, 6000))",
        "median(pay, contribution_bounds_per_row => (0, 6000))",
        "median(half)",
        "avg(CASE WHEN pay > 0 THEN 1 ELSE 0 END)",  # no value can be beyond
    ],
)
def test_other_numbers_are_not(db: dpduck.Connection, number: str) -> None:
    db.execute(f"SELECT {number} AS n FROM people")
    assert not any("an end of its range" in one for one in db.notices)


def test_what_is_mere_noise_is_not(db: dpduck.Connection) -> None:
    """The interval then reaches both ends, whatever the values are."""
    db.execute("SET dp_epsilon = 0.001")
    db.execute("SELECT avg(pay, contribution_bounds_per_row => (0, 5)) AS n FROM people WHERE pay < 1003")
    assert not any("an end of its range" in one for one in db.notices)


@pytest.mark.parametrize("rest", ["HAVING n > 100", "ORDER BY n DESC LIMIT 1"])
def test_groups_that_are_not_shown_are_said_to_count(db: dpduck.Connection, rest: str) -> None:
    number = "avg(pay, contribution_bounds_per_row => (0, 5))"
    db.execute(f"SELECT half, {number} AS n FROM people GROUP BY half {rest}")
    said = [one for one in db.notices if "an end of its range" in one]
    assert [one.partition(": ")[0] for one in said] == [f"n {AT.format(5)} in 2 of 2 groups, shown or not"]
