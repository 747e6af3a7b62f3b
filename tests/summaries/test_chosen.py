"""Numbers of one summary have related noises: a choice by any of them is a choice by all."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck
from dpduck.answers.pipeline import ReleaseRequest
from dpduck.answers.summaries import ServedPlan
from dpduck.compiler.parse.statements import Select, parse
from tests.depth import depth
from tests.sources import Seeded

GROUPS, PEOPLE = 40, 30
RUNS = depth(100, 8)
ENDS = "dp_low(n) AS lo, dp_high(n) AS hi FROM t GROUP BY k"
A = f"(SELECT k, count(*) AS n, count(*) FILTER (y >= 0) AS m, {ENDS})"
B = "(SELECT k, y, count(*) AS m FROM t GROUP BY k, y)"
C = "(SELECT k, count(*) AS m FROM t WHERE y IN (0, 1) GROUP BY k)"
BY_ANOTHER = f"SELECT k, n, lo, hi FROM {A} ORDER BY m DESC LIMIT 1"
BY_BLOCK = f"SELECT a.* FROM {A} AS a JOIN {C} AS b USING (k) ORDER BY b.m DESC LIMIT 1"
MEANS = (
    f"SELECT k, n, lo, hi FROM (SELECT k, avg({{0}}) AS n, sum({{0}}) AS m, {ENDS}) ORDER BY m DESC LIMIT 1"
)
ALL = 0  # places, where nothing chooses
CUTS = {  # the places of each block, in all columns of which intervals allow for the choice
    f"SELECT k, n, lo, hi FROM {A}": [ALL],
    BY_ANOTHER: [1],
    f"SELECT k, n, lo, hi FROM {A} ORDER BY m DESC LIMIT 4": [4],
    f"SELECT k, n, lo, hi FROM {A} WHERE m > 30": [1],
    f"SELECT k, n, lo, hi FROM {A} ORDER BY k LIMIT 1": [ALL],
    BY_BLOCK: [1, 1],
    f"SELECT a.* FROM {A} AS a JOIN {B} AS b USING (k) ORDER BY b.m DESC LIMIT 4": [1, 1],
    f"SELECT a.*, b.m FROM {A} AS a JOIN {C} AS b USING (k)": [ALL, ALL],
    MEANS.format("y"): [1],
}


@pytest.fixture(scope="module", params=["EPSILON 1", "EPSILON 1 DELTA 1e-6"])
def db(request: pytest.FixtureRequest) -> Iterator[dpduck.Connection]:
    """All groups have 30 people, half with 1 as y and 5 as x, half with 0 as both: noise chooses."""
    with duckdb.connect() as rows:
        rows.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, k INTEGER, x INTEGER, y INTEGER)")
        rows.execute(
            f"INSERT INTO t SELECT i, i % {GROUPS}, 5 * y, y FROM (SELECT i, i // {GROUPS} % 2 AS y"
            f" FROM range({GROUPS * PEOPLE}) AS r(i))"
        )
        with dpduck.connect(rows, epsilon="0.5") as db:
            db.execute(
                "ALTER TABLE t ADD PRIVACY_KEY (id); CREATE PRIVACY BUDGET b LIMIT 100000 DELTA 0.5;"
                f"ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, {GROUPS - 1});"
                "ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 20);"
                "ALTER TABLE t ALTER COLUMN y SET PRIVACY DOMAIN IN (0, 1)"
            )
            db.execute("SET dp_replay = off")
            db.execute(f"CREATE PRIVACY SUMMARY s ON t (k, y) MEASURES (x) {request.param}")
            db.execute("SET dp_summaries = only")
            yield db


def served(db: dpduck.Connection, query: str) -> ServedPlan:
    """How the summary serves a query."""
    select = parse(query)
    assert isinstance(select, Select)
    request = db._service._prepare.request(query, select, None, db._service.settings)
    assert isinstance(request, ReleaseRequest)
    found = db._service._search(request).best
    assert found is not None
    return found


@pytest.mark.parametrize("query", CUTS)
def test_what_chooses_by_one_number_widens_all(query: str, db: dpduck.Connection) -> None:
    for block, places in zip(served(db, query).blocks, CUTS[query], strict=True):
        columns = {request.column for request in block.plan.requests}
        assert block.plan.cut.columns == (columns if places else set())
        assert not places or block.plan.cut.places == places
        for column in columns:
            fixed, shown = block.widths[column], block.shown[column]
            assert (shown > fixed).all() if places else (shown == fixed).all()


@pytest.mark.parametrize("query", [BY_ANOTHER, BY_BLOCK])
def test_notices_and_errors_are_of_what_is_shown(query: str, db: dpduck.Connection) -> None:
    """EXPLAIN says what an answer has: the half-width of the group that the other number chooses."""
    [row] = db.sql(query).arrow().to_pylist()
    expected = db.explain(query).expected_error["n"]
    assert expected - 1 <= (row["hi"] - row["lo"]) / 2 <= expected


CHOSEN = {BY_ANOTHER: 30, BY_BLOCK: 30, MEANS.format("y"): 0.5, MEANS.format("x"): 2.5}


def test_the_intervals_of_what_another_number_chooses_hold(db: dpduck.Connection) -> None:
    held = dict.fromkeys(CHOSEN, 0)
    for run in range(RUNS):
        db._service._entropy = Seeded("together", str(run))
        db.execute("ALTER PRIVACY SUMMARY s REFRESH")
        for query, truth in CHOSEN.items():
            [row] = db.sql(query).arrow().to_pylist()
            held[query] += row["lo"] <= truth <= row["hi"]
    assert min(held.values()) >= 0.95 * RUNS - 3 * (0.95 * 0.05 * RUNS) ** 0.5
