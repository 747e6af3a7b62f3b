"""Where numbers may be moved to 0 or above: never before they are added up, and never for an interval."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.accuracy.synthetic import (
    Sparse,
    errors,
    populations,
    released,
    sparse,
)
from dpduck.summaries.design import Kind
from dpduck.summaries.joint import whole
from dpduck.summaries.residuals import summed_out
from tests.depth import depth
from tests.sources import Seeded
from tests.summaries.simulated import KINDS


@pytest.fixture(scope="module")
def found() -> dict[str, Sparse]:
    population = populations()["adult4"]
    return sparse(population, depth(40, 6), lambda run: Seeded("sparse", run))


def test_raw_intervals_hold_and_those_of_projected_numbers_do_not(found: dict[str, Sparse]) -> None:
    """Cells that are fixed beforehand: projected ones are within them too often, their sums too seldom."""
    assert 0.94 < found["raw"].coverage < 0.96
    assert found["raw"].sums_covered > 0.9
    assert found["most likely"].coverage > 0.98
    assert found["clipped at 0"].coverage > found["raw"].coverage + 0.01
    assert found["clipped at 0"].sums_covered < 0.5


def test_most_likely_counts_are_better_in_small_cells_and_unbiased_in_sums(found: dict[str, Sparse]) -> None:
    raw, clipped, likely = (found[name] for name in ("raw", "clipped at 0", "most likely"))
    assert likely.small < clipped.small < raw.small
    assert likely.large < 1.1 * raw.large
    assert clipped.bias > 50
    assert abs(likely.bias) < 0.1 * clipped.bias
    assert likely.sums < 1.1 * raw.sums


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["adult4", "shop4"])
def test_rows_are_no_worse_than_raw_numbers(name: str, kind: Kind) -> None:
    """In tables of 1, 2 and 3 columns and in ranges, each at most 1.1 times."""
    population, squares = populations()[name], {"raw": [], "rows": []}
    for run in range(depth(20, 4)):
        one = released(population, Seeded("margins", name, run), kind)
        rows = whole(one.likely, 0.5).astype(float)
        squares["raw"].append(errors(one, one.raw))
        squares["rows"].append(
            errors(one, lambda table, rows=rows: summed_out(rows, population.every, table))
        )
    raw, rows = (np.sqrt(np.mean(own, axis=0)) for own in squares.values())
    assert (rows <= 1.1 * raw).all(), (raw, rows)
    assert rows[2] < 0.9 * raw[2]
