"""Twelve charts with random slicers: one charge, charts that agree, and intervals that hold."""

from __future__ import annotations

import random
import statistics
from pathlib import Path

import duckdb
import pytest

from benchmarks.performance.summary_dashboard import covered, refreshed
from tests.depth import depth
from tests.summaries import board


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("census") / "census.duckdb"
    board.make(path)
    return path


def test_it_is_refreshed_for_one_charge(file: Path) -> None:
    found = refreshed(file, depth(1000, 8))
    assert found.charges == ["1"]
    assert found.differing == []
    assert found.mechanisms == {"summary"}
    assert len(found.took) == 12 * depth(1000, 8)
    print(f"p50 {statistics.median(found.took) * 1000:.1f} ms")


@pytest.mark.nightly
def test_intervals_hold_for_cells_that_are_fixed_beforehand(file: Path) -> None:
    """Of all cells of all charts, in releases of their own."""
    found = covered(file, depth(200, 12))
    assert abs(found - 0.95) < depth(10, 20) / 1000


def test_the_shape_is_that_of_a_census(file: Path) -> None:
    with duckdb.connect(str(file), read_only=True) as con:
        assert con.execute("SELECT count(*), count(DISTINCT id) FROM census").fetchall() == [(48_842, 48_842)]
        charts = board.charts(board.slicers(random.Random(1)))
        rows = [con.execute(sql).fetchall() for sql in charts]
    assert len(rows) == 12
    assert len(rows[11]) > 100


def test_charts_that_disagree_are_found() -> None:
    answers: list[list[tuple[object, ...]]] = [[(10,)], [(3,)], [(0, 5), (1, 5)], *[[(0, 10)]] * 3]
    answers += [[(0, 0, 10)], [(0, 0, 30)]]
    assert board.alike(answers, {}) == [7]
    assert board.alike(answers, {"sex": "sex = 1"}) == []
