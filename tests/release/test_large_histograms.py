"""Millions of public groups, each with its number: only where whole columns make them."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import numpy as np
import pytest

import dpduck
from dpduck.kernel.errors import UnsupportedSqlError

GROUPS = 2_000_000
COUNTS = "SELECT k, count(*) AS n FROM t GROUP BY k"


@pytest.fixture(scope="module")
def db() -> Iterator[dpduck.Connection]:
    """Each 500th group has 400 units."""
    rows = duckdb.connect()
    rows.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, k INTEGER, v INTEGER, c VARCHAR)")
    rows.execute(f"INSERT INTO t SELECT i, i * 500 % {GROUPS}, i % 9, 'a' FROM range(1600000) AS s (i)")
    with dpduck.connect(rows, epsilon=1) as connection:
        connection.execute("ALTER TABLE t ADD PRIVACY_KEY (id)")
        connection.execute(f"ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, {GROUPS - 1})")
        connection.execute("ALTER TABLE t ALTER COLUMN v SET PRIVACY DOMAIN BETWEEN (0, 9)")
        connection.execute("ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN ('a')")
        yield connection


@pytest.mark.slow
def test_all_groups_have_a_count(db: dpduck.Connection) -> None:
    """Of noise of rate 1, the largest of two million is above 40 with probability 1e-11."""
    answer = db.execute(COUNTS).arrow()
    assert answer.column("k").to_numpy().tolist() == list(range(GROUPS))
    noise = answer.column("n").to_numpy() - np.where(np.arange(GROUPS) % 500 == 0, 400, 0)
    assert 9 < np.abs(noise).max() < 40
    assert abs(noise.mean()) < 0.01
    assert abs(noise.var() - 1.84) < 0.02


@pytest.mark.parametrize(
    ("sql", "most"),
    [
        (COUNTS.replace("count(*)", "sum(v)"), "1,000,000"),
        (COUNTS.replace("AS n", "AS n, avg(v)"), "1,000,000"),
        (COUNTS.replace("k,", "k, c,") + ", c", "1,000,000"),
        (COUNTS.replace("k,", "k, v,") + ", v", "10,000,000"),
    ],
)
def test_what_would_be_too_many(db: dpduck.Connection, sql: str, most: str) -> None:
    with pytest.raises(UnsupportedSqlError, match=f"at most {most}") as caught:
        db.execute(sql)
    assert caught.value.charged == "0"


def test_the_largest_are_still_selected_and_not_counted(db: dpduck.Connection) -> None:
    plan = db.explain(f"{COUNTS} ORDER BY n DESC LIMIT 3")
    assert plan.mechanism == "noisy_top_k"
    assert not any("histogram" in other for other in plan.alternatives)
