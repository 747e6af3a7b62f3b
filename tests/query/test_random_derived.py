"""Random queries over what is computed for each person apart: without one, scores move as they declare."""

from __future__ import annotations

import pytest

from tests.depth import part
from tests.fuzz import derived_queries

SEEDS = [f"pytest/{number}" for number in range(4)]
QUERIES = 30  # of each seed


@pytest.mark.parametrize("seed", part(SEEDS, 1, 4))
def test_one_customer_moves_scores_as_declared(seed: str) -> None:
    tally = derived_queries.run(seed, QUERIES)
    assert not tally.failures, "\n".join(f"{failure.reason}: {failure.text}" for failure in tally.failures)
    assert tally.outcomes["accepted"] >= 0.5 * QUERIES
