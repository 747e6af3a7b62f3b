"""Intervals of differences of a summary's numbers hold, though the noises of these are not independent."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import numpy as np
import pytest

import dpduck
from dpduck.summaries.linear_queries import CellQuery, Grouping, ProductQuery, difference_of, variances_of
from dpduck.summaries.residuals import subsets
from tests.sources import Seeded

GROUPS, PEOPLE = 400, 10
TOTALS = "'SELECT k, count(*) FROM t GROUP BY k', 'SELECT k, y, count(*) FROM t GROUP BY k, y'"
ONE, OTHER = "count(*) FILTER (y = 0)", "count(*) FILTER (y = 1)"
ENDS = "dp_low(d) AS lo, dp_high(d) AS hi FROM t GROUP BY k"
QUERIES = {
    f"SELECT k, {ONE} - {OTHER} AS d, {ENDS}": 0.0,
    f"SELECT * FROM (SELECT k, {ONE} - {OTHER} AS d, {ENDS}) ORDER BY k": 0.0,
    f"SELECT k, count(*) - {OTHER} AS d, {ENDS}": PEOPLE / 2,
    f"SELECT k, sum(y) - {ONE} AS d, {ENDS}": 0.0,
}


@pytest.fixture(scope="module", params=["EPSILON 1", "EPSILON 1 DELTA 1e-6 NOISE gaussian"])
def db(request: pytest.FixtureRequest) -> Iterator[dpduck.Connection]:
    """Each group is of as many people of both kinds; of its total more is known than of each kind."""
    with duckdb.connect() as rows:
        rows.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, k INTEGER, y INTEGER)")
        made = f"SELECT i, i % {GROUPS}, i // {GROUPS} % 2 FROM range({GROUPS * PEOPLE}) AS r(i)"
        rows.execute(f"INSERT INTO t {made}")
        with dpduck.connect(rows, epsilon="0.5") as db:
            db.execute(
                "ALTER TABLE t ADD PRIVACY_KEY (id); CREATE PRIVACY BUDGET b LIMIT 1000 DELTA 0.5;"
                f"ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, {GROUPS - 1});"
                "ALTER TABLE t ALTER COLUMN y SET PRIVACY DOMAIN IN (0, 1)"
            )
            db._service._entropy = Seeded("differences", request.param)
            db.execute(
                f"CREATE PRIVACY SUMMARY s ON t (k, y) WORKLOAD ({TOTALS}) WEIGHT (20, 1) {request.param}"
            )
            db.execute("SET dp_summaries = only")
            yield db


@pytest.mark.parametrize("query", QUERIES)
def test_the_intervals_of_differences_hold(query: str, db: dpduck.Connection) -> None:
    """Of 400 differences, whose noises are nearly independent of each other."""
    truth = QUERIES[query]
    answer = db.sql(query).arrow().to_pylist()
    held = sum(row["lo"] <= truth <= row["hi"] for row in answer)
    assert held >= 0.95 * GROUPS - 3 * (0.95 * 0.05 * GROUPS) ** 0.5
    if "count(*) -" not in query:  # a total and its part go together, so that their difference is more exact
        assert held <= 0.985 * GROUPS


def test_means_are_as_wide_as_any_noises_ask(db: dpduck.Connection) -> None:
    """What their difference deviates is not computed: the distances of both ends add up."""
    means = "avg(y) FILTER (y = 0) AS a, avg(y) AS b"
    [apart] = db.sql(f"SELECT {means}, dp_low(b) AS low FROM t").arrow().to_pylist()
    [pair] = db.sql(f"SELECT {means}, dp_low(b) AS low, dp_low(a - b) FROM t").arrow().to_pylist()
    assert pair["b"] - pair["low"] == pytest.approx(2**0.5 * (apart["b"] - apart["low"]), rel=0.02)


SIZES = (3, 4, 2)
EACH, FIRST, REST = Grouping.each(4), Grouping(np.array([0, -1, -1]), 1), Grouping(np.array([-1, 0, 0]), 1)
VARIANCES = {part: 1.0 + sum(part) + len(part) for part in subsets((0, 1, 2))}


def test_the_variance_of_a_difference_is_that_of_its_cells() -> None:
    """A total without a part is the rest; a number differs from itself by nothing."""
    total, part, rest = ProductQuery((1,), (EACH,)), *(ProductQuery((0, 1), (g, EACH)) for g in (FIRST, REST))
    difference = difference_of(total, part, SIZES)
    assert difference is not None
    expected = variances_of(rest, VARIANCES, SIZES)
    assert variances_of(difference, VARIANCES, SIZES) == pytest.approx(expected)
    nothing = difference_of(part, part, SIZES)
    assert nothing is not None
    assert variances_of(nothing, VARIANCES, SIZES) == pytest.approx(np.zeros(4))


def test_what_is_no_difference_of_cells_has_none() -> None:
    by_one, by_other = ProductQuery((1,), (EACH,)), ProductQuery((1,), (Grouping(np.array([1, 0, 2, 3]), 4),))
    assert difference_of(by_one, by_other, SIZES) is None
    cells = CellQuery((1,), np.arange(4), np.ones(4), 4)
    assert difference_of(by_one, cells, SIZES) is None
    assert difference_of(by_one, by_one, (3, 4_000_000, 2)) is None
