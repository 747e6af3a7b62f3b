"""Averages that noise chooses, or that are shown only where there is less noise: 95 % of those shown hold."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import duckdb
import numpy as np
import pytest

import dpduck
from dpduck.kernel.mechanisms.averages import _intervals, noisy_means, widened
from tests.depth import depth
from tests.sources import Seeded

RUNS = depth(300, 30)
ENDS = "dp_low(a) AS low, dp_high(a) AS high FROM t GROUP BY k"
# Of 60 groups of 4 people about 7 averages are shown, of whose intervals 1 in 5 missed.
SPARSE = {
    f"SELECT avg(x) AS a, {ENDS}": 1.0,
    f"SELECT stddev_pop(x) AS a, {ENDS}": 0.0,
    f"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (interval = 'population') avg(x) AS a, {ENDS}": 1.0,
}
# By an average itself: those of 40 groups, which missed a half of the largest.
CHOSEN = {
    f"SELECT avg(x) AS a, {ENDS} ORDER BY a DESC LIMIT 1": 10.0,
    f"SELECT avg(x) AS a, {ENDS} HAVING a > 13": 10.0,
    f"SELECT * FROM (SELECT avg(x) AS a, -avg(x) AS z, {ENDS}) ORDER BY z LIMIT 3": 10.0,
}


def connected(people: int, groups: int, value: int) -> dpduck.Connection:
    rows = duckdb.connect()
    rows.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, k INTEGER, x INTEGER)")
    rows.execute(f"INSERT INTO t SELECT i, i % {groups}, {value} FROM range({people * groups}) AS r(i)")
    db = dpduck.connect(rows, epsilon="0.5")
    db.execute(
        "ALTER TABLE t ADD PRIVACY_KEY (id); CREATE PRIVACY BUDGET b LIMIT 100000;"
        f"ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, {groups - 1});"
        "ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 20)"
    )
    db.execute("SET dp_replay = off")
    return db


@pytest.fixture(scope="module")
def sparse() -> Iterator[dpduck.Connection]:
    with connected(people=4, groups=60, value=1) as db:
        yield db


@pytest.fixture(scope="module")
def even() -> Iterator[dpduck.Connection]:
    with connected(people=30, groups=40, value=10) as db:
        yield db


def false_coverage(db: dpduck.Connection, query: str, truth: float) -> float:
    """Which part of the averages shown lies outside of their intervals, on average over answers."""
    parts = []
    for run in range(RUNS):
        db._service._entropy = Seeded("averages", query, str(run))
        shown = [row for row in db.sql(query).arrow().to_pylist() if row["a"] is not None]
        missed = sum(not row["low"] <= truth <= row["high"] for row in shown)
        parts.append(missed / max(len(shown), 1))
    return sum(parts) / RUNS


@pytest.mark.parametrize("query", SPARSE)
def test_intervals_hold_for_the_few_that_are_shown(query: str, sparse: dpduck.Connection) -> None:
    assert false_coverage(sparse, query, SPARSE[query]) <= 0.08


@pytest.mark.parametrize("query", CHOSEN)
def test_intervals_hold_for_what_they_chose_by(query: str, even: dpduck.Connection) -> None:
    assert false_coverage(even, query, CHOSEN[query]) <= 0.1


def test_where_all_are_shown_none_is_wider() -> None:
    ticks, entropy = 10, Seeded("plain")
    counts = [1000, 1000, 1000, 0]
    for groups, doubt in ((3, 0.05), (4, 0.0375)):
        asked = [5 * count for count in counts[:groups]], counts[:groups], Fraction(1), entropy
        assert noisy_means(*asked, ticks=ticks, rows=1, groups=1).doubt == pytest.approx(doubt)


def test_a_statistic_by_which_noise_chooses_has_no_interval(even: dpduck.Connection) -> None:
    answer = even.sql(f"SELECT stddev_pop(x) AS a, {ENDS} ORDER BY a DESC LIMIT 2")
    assert [(row["low"], row["high"]) for row in answer.arrow().to_pylist()] == [(None, None)] * 2
    assert any("a has no interval, as it was used to choose what is shown" in one for one in answer.notices)


def test_widened_intervals_hold_what_they_are_of() -> None:
    """Those that are made of ends at 95 % hold the ones that the mechanism has at the smaller probability."""
    high, low = np.array([3, 40, 500, 90, 0]) * 1000, np.array([900, 30, 500, 5, 70]) * 1000
    shares = [int(a) / int(a + b) for a, b in zip(high, low, strict=True)]
    for doubt in (0.05, 0.01, 0.0001):
        lows, highs = (np.array(ends) for ends in _intervals(high, low, shares, 0.0005, 0.05))
        least, most = (np.array(ends) for ends in _intervals(high, low, shares, 0.0005, doubt))
        found = widened(lows, highs, np.array(shares), doubt)
        assert (found[0] <= least + 1e-9).all()
        assert (found[1] >= most - 1e-9).all()
        assert (found[1] - found[0] <= 1.05 * (most - least) + 1e-9).all()
