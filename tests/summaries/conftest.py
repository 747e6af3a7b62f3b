"""People with one row each, and visits of which each visitor has several, as the file of an owner."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

import dpduck
from tests.sources import HALF, Quiet

PEOPLE = """
CREATE TABLE people AS SELECT i AS id, (i * 7919 % 100)::INTEGER AS age,
    ['n', 's', 'e', 'w'][1 + (i * 31 // 7) % 4] AS region, i % 3 = 0 AS member,
    CASE WHEN i % 11 > 0 THEN (i * 13 % 5)::INTEGER END AS grade,
    DATE '2024-01-01' + (i * 17 % 366)::INTEGER AS joined, i % 2 AS hidden
FROM range(4000) AS r(i);
ALTER TABLE people ALTER COLUMN age SET NOT NULL;
ALTER TABLE people ALTER COLUMN region SET NOT NULL;
ALTER TABLE people ALTER COLUMN member SET NOT NULL;
ALTER TABLE people ALTER COLUMN joined SET NOT NULL;
ALTER TABLE people ALTER COLUMN hidden SET NOT NULL;
ALTER TABLE people ADD PRIMARY KEY (id);
CREATE TABLE visits AS SELECT i % 1000 AS uid, ['home', 'cart', 'help'][1 + (i * 7 % 10) % 3] AS page,
    (1 + i * 5 % 12)::INTEGER AS month, i AS nr
FROM range(5000) AS r(i);
ALTER TABLE visits ALTER COLUMN page SET NOT NULL;
ALTER TABLE visits ALTER COLUMN month SET NOT NULL
"""
POLICIES = """
ALTER TABLE people ADD PRIVACY_KEY (id);
ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 99);
ALTER TABLE people ALTER COLUMN region SET PRIVACY DOMAIN IN ('n', 's', 'e', 'w');
ALTER TABLE people ALTER COLUMN grade SET PRIVACY DOMAIN BETWEEN (0, 4) OR NULL;
ALTER TABLE people ALTER COLUMN joined SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-12-31');
ALTER TABLE visits ADD PRIVACY_KEY (uid);
ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('home', 'cart', 'help');
ALTER TABLE visits ALTER COLUMN month SET PRIVACY DOMAIN BETWEEN (1, 12)
"""
BOARD = """CREATE PRIVACY SUMMARY board ON people (age BANDS (18, 30, 45, 65), region, member, grade,
    date_trunc('month', joined) AS month) WORKLOAD (ALL 3 WAY) EPSILON 1"""


GAUSSIAN = (
    BOARD.replace(
        "(ALL 3 WAY)",
        "(ALL 3 WAY, 'SELECT grade, count(*) FROM people WHERE age >= 30 AND age < 65 GROUP BY grade')",
    )
    + " DELTA 1e-6 NOISE gaussian"
)


def make_shop(path: Path) -> None:
    with duckdb.connect(str(path)) as con:
        con.execute(PEOPLE)
    with dpduck.connect(path) as db:
        db.execute(POLICIES)


@pytest.fixture
def file(copied: Callable[..., Path]) -> Path:
    return copied(make_shop)


@pytest.fixture
def db(file: Path) -> Iterator[dpduck.Connection]:
    with dpduck.connect(file, epsilon="0.01") as connection:
        yield connection


@pytest.fixture
def quiet(db: dpduck.Connection) -> dpduck.Connection:
    """Discrete Laplace noise is 0, so that a summary has the true tables."""
    db._service._entropy = Quiet(HALF)
    return db


@pytest.fixture(params=[BOARD, GAUSSIAN], ids=["laplace", "gaussian"])
def board(quiet: dpduck.Connection, request: pytest.FixtureRequest) -> dpduck.Connection:
    """Noise of both kinds is 0."""
    quiet.execute(request.param)
    quiet.execute("SET dp_replay = off")
    return quiet
