"""Theorem B for sums: order and gaps cost k times the spread of a unit's moves, whatever their signs."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.errors import InternalError
from dpduck.kernel.mechanisms import peeling, topk
from dpduck.kernel.mechanisms.peeling import gumbel_top_k
from dpduck.kernel.mechanisms.topk import top_k
from dpduck.kernel.scores import PlainScores
from tests.mechanisms.mutation import Mutant, pair_of_tests
from tests.oracles.topk import selection_pmf_topk_exponential
from tests.oracles.topk_of_sums import log_density
from tests.sources import Quiet, Scripted, Seeded

ONE = Fraction(1)
Move = Callable[[random.Random], float]
KINDS: dict[str, tuple[Move, float]] = {  # how a score moves, and the spread
    "0 or 1": (lambda source: float(source.randint(0, 1)), 1),
    "thirds": (lambda source: source.randint(0, 3) / 3, 1),
    "real": (lambda source: source.random(), 1),
    "both signs": (lambda source: float(source.choice((-1, 1))), 2),
    "from -1 to 2": (lambda source: source.choice((-1.0, 0.0, 2.0, source.uniform(-1, 2))), 3),
}
CASES = 1500


def worst(move: Move, seed: str) -> float:
    """The largest |ln ratio| over k of random scores, winners, gaps and moves."""
    source, found = random.Random(seed), 0.0
    for _ in range(CASES):
        n = source.randint(2, 5)
        k = source.randint(1, min(3, n - 1))
        scores = [source.choice((float(source.randint(0, 4)), source.uniform(0, 4))) for _ in range(n)]
        winners, gaps = source.sample(range(n), k), [source.uniform(0, 3) for _ in range(k)]
        moved = [q + move(source) for q in scores]
        ratio = log_density(scores, winners, gaps) - log_density(moved, winners, gaps)
        found = max(found, abs(ratio) / k)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_order_and_gaps_cost_k_times_the_spread(kind: str) -> None:
    move, spread = KINDS[kind]
    assert 0.8 * spread < worst(move, kind) <= spread * (1 + 1e-9)


def test_signed_sums_cost_more_than_their_bound() -> None:
    """The mutant: the rate of sums of one sign, which move by at most 1, for sums that move by -1 or 1."""
    move, _ = KINDS["both signs"]
    assert worst(move, "both signs") > 1.5


def test_the_density_is_that_of_whole_gaps() -> None:
    """Integrated over gaps from 0 to 1 and from 1 to 2, against the exact law of the floors."""
    steps = (np.arange(2000) + 0.5) / 2000
    x = Fraction(np.exp(-1.0))
    for scores in ((1, 0), (0, 2, 1)):
        exact = selection_pmf_topk_exponential(scores, 1, x)
        parts = [
            np.mean([np.exp(log_density(scores, [0], [g]) - g) for g in steps + whole]) for whole in (0, 1)
        ]
        wanted = [float(exact(((0,), (whole,)))) for whole in (0, 1)]
        assert parts[0] / parts[1] == pytest.approx(wanted[0] / wanted[1], rel=1e-3)


# The code


def check_scale() -> None:
    """Sums in thirds of the spread are counts in units of it, draw by draw."""
    counts = np.array([9, 8, 9, 2, 0])
    for number in range(40):
        one = top_k(PlainScores(counts), 2, ONE, Seeded("scale", number))
        sums = top_k(PlainScores(counts * 3), 2, ONE, Seeded("scale", number), spread=3)
        assert sums.candidates == one.candidates
        assert all(abs(a - 3 * b) <= 3 for a, b in zip(sums.gaps, one.gaps, strict=True))
        assert sums.event == one.event


def check_gumbel_scale() -> None:
    counts = np.array([9, 8, 9, 2, 0])
    for number in range(40):
        one = gumbel_top_k(PlainScores(counts), 2, ONE, Seeded("scale", number))
        sums = gumbel_top_k(PlainScores(counts * 3), 2, ONE, Seeded("scale", number), spread=3)
        assert (sums.candidates, sums.event) == (one.candidates, one.event)


def test_sums_are_counts_in_units_of_their_spread() -> None:
    check_scale()
    check_gumbel_scale()


def test_sums_below_zero_are_ranked_too() -> None:
    """Also below candidates without rows, whose sum is 0."""
    made = top_k(PlainScores(np.array([-5, -(10**15), 10**15, -7]), absent=1), 3, ONE, Quiet())
    assert made.candidates == (2, 4, 0)


def test_laplace_noise_is_for_counts() -> None:
    with pytest.raises(InternalError):
        top_k(PlainScores(np.array([3, 2])), 1, ONE, Scripted(), noise="laplace", spread=2)


MUTANTS = [
    Mutant("sums as if they were counts", topk.top_k, "(k * spread)", "k", check_scale),
    Mutant(
        "Gumbel: sums as if they were counts", peeling.gumbel_top_k, "(k * spread)", "k", check_gumbel_scale
    ),
]
test_each_mistake_is_caught, test_each_check_passes = pair_of_tests(MUTANTS)
