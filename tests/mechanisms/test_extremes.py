"""Least and largest values: the law of what passes first, in fractions, and what is promised of it."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.mechanisms.extremes import Extreme
from dpduck.kernel.mechanisms.quantile import ValueCounts, Values
from tests.mechanisms.mutation import Mutant, pair_of_tests
from tests.noise.laws import assert_frequencies
from tests.oracles import above
from tests.oracles.privacy import ratio
from tests.sources import HALF, Quiet, Seeded

P = Fraction(1, 2)
PASSED, POINTS = above.Answer("near", 0, open=True), 3
POWERS = (3, 3, 1)  # of P: noise of the threshold, and of tests; the last is of none
STEPS = 3  # epsilon


def counts_of(weights: Sequence[int], *, upper: bool) -> list[int]:
    """How many values are at each point or beyond, from the end on."""
    ordered = weights[::-1] if upper else weights
    return [*itertools.accumulate(ordered)]


def outputs() -> Iterator[above.Output]:
    """The first point that passes, or none."""
    for place in range(POINTS):
        yield (above.BELOW,) * place + (PASSED,)
    yield (above.BELOW,) * POINTS


def test_one_unit_moves_no_probability_by_more_than_epsilon_and_nothing_less_would_do() -> None:
    """Exactly, for all small samples; the value of a unit more is at each point, for both extremes."""
    setting, worst = above.Setting(4, 1, 0, POWERS, adaptive=False), Fraction(1)
    for weights in itertools.product((0, 3, 30), repeat=POINTS):
        for at, upper in itertools.product(range(POINTS), (False, True)):
            more = [number + (point == at) for point, number in enumerate(weights)]
            here, there = (above.law(counts_of(w, upper=upper), setting, P) for w in (weights, more))
            for output in outputs():
                worst = max(
                    worst, *(ratio(*pair) for pair in itertools.permutations((here(output), there(output))))
                )
    assert P ** -(STEPS - Fraction(1, 10)) < float(worst)
    assert worst <= P**-STEPS


def check_counts() -> None:
    """What is tested is the definition: of both samples, of windows, and of no values at all."""
    for weights in itertools.product((0, 1, 200), repeat=POINTS):
        for upper in (False, True):
            extreme = Extreme(upper, POINTS, Fraction(1))
            values = np.repeat(np.arange(POINTS), weights)
            distinct, units = np.unique(values, return_counts=True)
            for sample in (Values(values, POINTS), ValueCounts(distinct, units)):
                parts = [np.repeat(runs.scores, runs.lengths) for runs in extreme.counts(sample)]
                assert np.concatenate(parts).tolist() == counts_of(weights, upper=upper)


def check_law() -> None:
    """Draws have the frequencies of the law, at the rates by which epsilon is divided."""
    weights = (20, 9, 3)
    for upper in (False, True):
        extreme = Extreme(upper, POINTS, Fraction(1, 2))
        split, sample = extreme.split, ValueCounts(np.arange(POINTS), np.array(weights))
        assert split.threshold == split.answer == Fraction(1, 2)
        setting = above.Setting(extreme.depth, 1, 0, (0, 1, 1), adaptive=False)
        rates = [float(split.threshold), float(split.answer), 1.0]
        scores = counts_of(weights, upper=upper)
        chances = [above.probability(output, scores, setting, rates) for output in outputs()]
        order = [*range(POINTS)][:: -1 if upper else 1]
        law = dict(zip(order, chances, strict=False))
        law[order[-1]] += chances[-1]  # if none passes, the other end of the grid
        entropy = Seeded("extremes")
        drawn = Counter(extreme.select(sample, entropy).offset for _ in range(4_000))
        assert_frequencies(drawn, law)


def check_promises() -> None:
    """Of several values far from the end: nobody is at or beyond with 5 % at most, and few are, with 95 %."""
    for epsilon, points in ((Fraction(1), 50), (Fraction(1, 10), 60), (Fraction(20), 50)):
        extreme = Extreme(True, points, epsilon)
        rates = [float(rate) for rate in (extreme.split.threshold, extreme.split.answer, 1)]
        setting = above.Setting(extreme.depth, 1, 0, (0, 1, 1), adaptive=False)
        none = above.probability((above.BELOW,) * points, [0] * points, setting, rates)
        assert none >= 0.95
        assert epsilon > 1 or none < 0.985  # so no less would do
        # Each point has one value more: the first point with `beyond` + 1 values passes, but for 5 %.
        missed = above.probability((above.BELOW,), [extreme.beyond + 1], setting, rates)
        assert missed <= 0.05
        assert epsilon > 1 or missed > 0.005
        assert extreme.enough > extreme.beyond


def check_no_values() -> None:
    nothing = ValueCounts(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    for upper in (False, True):
        extreme = Extreme(upper, 2**40, Fraction(1))
        assert extreme.select(nothing, Quiet(HALF)).offset == (0 if upper else 2**40 - 1)


def test_values_far_below_a_wide_range_are_found() -> None:
    """Where noise moves the quantile 0.99 anywhere above: 2,000 values near its low end."""
    sample = ValueCounts(np.arange(200), np.full(200, 10))
    extreme, entropy = Extreme(True, 2**32, Fraction(1, 2)), Seeded("far below")
    found = [extreme.select(sample, entropy).offset for _ in range(100)]
    assert sum(offset > 199 for offset in found) <= 12  # 5 are expected at most
    assert min(found) >= 199 - extreme.beyond // 10 - 1


@pytest.mark.parametrize("epsilon", [Fraction(1, 10_000), Fraction(20)])
def test_any_epsilon_divides(epsilon: Fraction) -> None:
    extreme = Extreme(True, 2**61, epsilon / 2**16)
    assert 0 < extreme.depth < extreme.enough < 2**60
    assert extreme.select(ValueCounts(np.array([5]), np.array([2**16])), Seeded("any")).offset >= 0


MUTANTS = [
    Mutant("an order from the wrong end", Extreme._runs, "if self.upper", "if not self.upper", check_counts),
    Mutant(
        "the first part goes on below what was read", Extreme._runs, "int(offsets[-1]) + 1",
        "self.points", check_counts,
    ),
    Mutant(
        "points beyond all values are left out", Extreme._runs, "([0], offsets)",
        "(offsets[:1], offsets)", check_counts,
    ),
    Mutant("what was read counts again", Extreme.counts, "ends - near.count)", "ends)", check_counts),
    Mutant(
        "twice epsilon for tests", Extreme.split, "self.epsilon, adaptive",
        "2 * self.epsilon, adaptive", check_law,
    ),
    Mutant("ranks of the wrong end", Extreme.ranks_near, "if self.upper", "if not self.upper", check_counts),
    Mutant(
        "none passes: the end itself", Extreme.select, "self.points - 1 if passed is None",
        "0 if passed is None", check_no_values,
    ),
    Mutant("one test's noise for all points", Extreme.depth, "self.points", "1", check_promises),
    Mutant("no noise of the threshold", Extreme.beyond, "+ self._least(1) ", "", check_promises),
]  # fmt: skip


test_a_mutant_is_caught, test_the_check_passes_without_the_mutant = pair_of_tests(MUTANTS)
