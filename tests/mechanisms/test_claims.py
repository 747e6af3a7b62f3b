"""What the classes of events claim, enumerated: each law exactly, for all neighbours of small cases.

With p = e^(-rate) a fraction, a claim of k rates is a bound of p^-k on every ratio of probabilities. The laws
are those of tests/oracles, which the mechanisms' own tests show to be those of the code, noise by noise.
"""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from dpduck.kernel.accounting import events
from dpduck.kernel.accounting.events import Event
from dpduck.kernel.accounting.gaussian import most_mu_squared
from dpduck.kernel.errors import InternalError
from dpduck.kernel.mechanisms import above_found as of_found_keys
from dpduck.kernel.mechanisms.above_found import min_threshold
from dpduck.kernel.mechanisms.additive import noisy_counts, private_key_counts
from dpduck.kernel.mechanisms.averages import noisy_means
from dpduck.kernel.mechanisms.chosen_groups import LeveledCounts, noisy_bounded_counts
from dpduck.kernel.mechanisms.clamp_noise import GaussianOfClamp, LaplaceOfClamp
from dpduck.kernel.mechanisms.clamped_sums import Totals, noisy_clamped_sums
from dpduck.kernel.mechanisms.distinct_values import ladder, noisy_distinct
from dpduck.kernel.mechanisms.linear_estimates import best_split
from dpduck.kernel.mechanisms.moments import noisy_weights
from dpduck.kernel.mechanisms.partitions import select_partitions
from dpduck.kernel.mechanisms.private_topk import private_top_k
from dpduck.kernel.mechanisms.sparse_vector import above_threshold, divide
from dpduck.kernel.mechanisms.sums import noisy_sums
from dpduck.kernel.mechanisms.topk_above import top_k_above
from dpduck.kernel.noise import SystemEntropy
from dpduck.kernel.release import Release
from dpduck.kernel.scores import PlainScores
from tests import test_oracles
from tests.mechanisms.test_above_found import looked_at
from tests.oracles import (
    above,
    above_found,
    clamped,
    distinct,
    hybrid,
    in_few_groups,
    many_quantiles,
    partitions,
    peeling,
    quantile_intervals,
    selection,
    topk,
    unknown,
)
from tests.oracles.noise import discrete_laplace_pmf
from tests.oracles.normal import delta_of_shift, rounded_gaussian
from tests.oracles.privacy import Scores, monotonic_neighbours, ratio, worst_ratio
from tests.oracles.selection import precision

P = Fraction(1, 2)
SMALL: tuple[Scores, ...] = ((0, 0), (1, 0), (1, 0, 2), (0, 0, 0))
CLASSES = [
    kind
    for _, kind in inspect.getmembers(events, inspect.isclass)
    if issubclass(kind, Event) and kind is not Event
]


def worst(law: Callable[[Scores], Callable[[Any], Fraction]], outputs: Callable[[int], Iterable[Any]]) -> Any:
    return max(worst_ratio(law, q, monotonic_neighbours(q), list(outputs(len(q)))) for q in SMALL)


def shifted(*shifts: int) -> Fraction | float:
    """The worst ratio of numbers with noise of one rate, each moved so far."""
    span = range(-8, 9)
    return max(
        math.prod(
            (
                ratio(discrete_laplace_pmf(x, P), discrete_laplace_pmf(x - s, P))
                for x, s in zip(xs, shifts, strict=True)
            ),
            start=Fraction(1),
        )
        for xs in itertools.product(span, repeat=len(shifts))
    )


def refunded() -> Iterator[tuple[Fraction | float, int]]:
    """Of sparse vector's every output: the worst ratio, and the steps of P that it shows as used."""
    setting = above.Setting(0, 1, 2, (2, 2, 1))
    scores = (6, 6, 6, -6)
    here = above.law(scores, setting, P)
    for output in above.outputs(len(scores), setting, 2):
        used = 2 + sum({"clear": 1, "near": 2, "below": 0}[answer.kind] for answer in output)
        for neighbour in set(monotonic_neighbours(scores)):
            yield ratio(here(output), above.law(neighbour, setting, P)(output)), used


def refunded_by_places() -> Iterator[tuple[Fraction | float, int]]:
    """Of top k above a threshold."""
    for scores, k in itertools.product(SMALL, (1, 2)):
        here = hybrid.law(scores, 0, k, P)
        for output, _ in hybrid.outputs(len(scores), k, 4, P):
            for neighbour in set(monotonic_neighbours(scores)):
                yield (
                    ratio(here(output), hybrid.law(neighbour, 0, k, P)(output)),
                    hybrid.places_paid(output, k),
                )


def chosen_distinct() -> tuple[Fraction | float, int]:
    """Distinct values at levels 1 and 2, of which a unit adds up to 1 and 2: epsilon is 8 steps."""
    found = Fraction(1)
    for lead, one, two in itertools.product(range(4), range(2), range(3)):
        here = distinct.law((9, 9 + lead), 2, P)
        there = distinct.law((9 + one, 9 + lead + two), 2, P)
        for output in here.keys() & there.keys():
            found = max(found, there[output] / here[output], here[output] / there[output])
    return found, 8


def quartiles() -> tuple[Fraction | float, int]:
    """Two levels of medians: two steps of each are epsilon, and one unit comes on the far side of a gap."""
    shares, weights = [Fraction(i, 4) for i in (1, 2, 3)], [0, 2, *([0] * 40), 1]
    here, there = (many_quantiles.chance([*weights[:-1], far], shares, P, (0, 0, 0)) for far in (1, 2))
    return ratio(here, there), 4


def interval() -> tuple[Fraction | float, int]:
    """A median and the ends of its interval, 5 ranks beside it: two steps of each are a third of epsilon.

    All three are the first point, below all values. One unit more, above all of them, makes it worse by a
    step, and many points as good as the best, which were worse by a step.
    """
    gap, found = [0] * 40, Fraction(1)
    tables = [[0, 2, *gap, 5, *gap, 5, *gap, far] for far in (1, 2)]
    for beside in (-10, 0, 10):
        here, there = (
            quantile_intervals.scores(one, 2, sum(one) + beside, upper=beside > 0) for one in tables
        )
        found *= ratio(*(selection.permute_and_flip_pmf(one, P)[0] for one in (here, there)))
    return found, 6


def extreme() -> tuple[Fraction | float, int]:
    """The first of two points that passes: a value of one unit more is at both, or at the second alone."""
    setting = above.Setting(4, 1, 0, (3, 3, 1), adaptive=False)
    passed = above.Answer("near", 0, open=True)
    said: list[above.Output] = [(passed,), (above.BELOW, passed), (above.BELOW, above.BELOW)]
    found = Fraction(1)
    for first, second in itertools.product((0, 3, 30), repeat=2):
        here = above.law((first, first + second), setting, P)
        for both in (0, 1):
            there = above.law((first + both, first + second + 1), setting, P)
            found = max(found, *(max(ratio(here(o), there(o)), ratio(there(o), here(o))) for o in said))
    return found, 3


def clamped_sum() -> tuple[Fraction | float, int]:
    """A unit that raises the sum by its clamp beside: 3 steps of its noise, whatever the level."""
    found, steps = clamp_choice()
    return found * shifted(3), steps + 3


def clamp_choice() -> tuple[Fraction | float, int]:
    """A unit that raises all tail counts below the level that is chosen.

    Of no other unit, where the walk should have stopped long before: 3 steps, two of the threshold and one of
    one answer of sparse vector.
    """
    here, there = (clamped.stops([own] * 12 + [0], 0, P, 40)[12] for own in (0, 1))
    return ratio(here, there), 3


def chosen_groups() -> tuple[Fraction | float, int]:
    """A unit that raises all tail counts below the level that is chosen, and one count by 1 for m = 1.

    2 steps for the walk, as of `clamped_sum`, are a tenth of epsilon; 18 are for the counts.
    """
    tails, enough = [0] * 12, [0] * 12
    here, there = (in_few_groups.stops([own] * 12 + tails[:1], [*enough, 0], P, 40)[12] for own in (0, 1))
    return ratio(here, there) * shifted(18), 20


# The worst ratio of a pure claim, and how many steps of P it may be; all are attained.
PURE: dict[type[Event], Callable[[], tuple[Fraction | float, int]]] = {
    events.NoisyCount: lambda: (shifted(1), 1),
    events.Histogram: lambda: (shifted(1, 1), 2),
    events.DistinctCounts: chosen_distinct,
    events.ChosenGroupCounts: chosen_groups,
    events.ClampedSums: clamped_sum,
    events.ClampChoice: clamp_choice,
    events.BoundedSums: lambda: (shifted(3), 3),
    events.Average: lambda: (shifted(1, 2), 3),  # of 3 ticks, as they fall on the two sums
    events.NoisyMoments: lambda: (shifted(1, 2, 1), 4),  # of 4 ticks, as they fall on three sums
    events.NoisyTopK: lambda: (
        worst(lambda q: topk.selection_pmf_topk_exponential(q, 1, P), lambda n: topk.all_releases(n, 1, 4)),
        1,
    ),
    events.PermuteAndFlip: lambda: (
        worst(lambda q: selection.permute_and_flip_pmf(q, P).__getitem__, range),
        1,
    ),
    events.ManyQuantiles: quartiles,
    events.QuantileInterval: interval,
    events.ExtremeValue: extreme,
    events.ExponentialMechanism: lambda: (
        worst(lambda q: peeling.exponential_with_gap(q, P), lambda n: itertools.product(range(n), range(8))),
        1,
    ),
    events.GumbelTopK: lambda: (
        worst(lambda q: selection.exponential_mechanism_pmf(q, P).__getitem__, range),
        1,
    ),
    events.AboveThreshold: lambda: (max(found for found, _ in refunded()), 4),
    events.TopKAbove: lambda: (max(found for found, _ in refunded_by_places()), 2),
}
REFUNDS = {events.AboveThreshold: refunded, events.TopKAbove: refunded_by_places}


def bottom() -> tuple[Fraction, Fraction]:
    return test_oracles.theorem_c_delta(3, 2, 1, 2, P), unknown.bottom_delta(P, 2, 2)


def threshold() -> tuple[Fraction, Fraction]:
    delta = Fraction(1, 50)
    tau = unknown.threshold(P, delta, 2)
    return max(unknown.threshold_delta(q, tau, P) for q in itertools.product(range(tau + 2), repeat=2)), delta


def partition() -> tuple[Fraction, Fraction]:
    delta = Fraction(1, 50)
    curve = partitions.curve(1 / P, delta, 8)
    return max(partitions.exact_delta((n,), curve, 1 / P) for n in range(8)), delta


def normal() -> tuple[Fraction, Fraction]:
    """Of a count with the least noise for epsilon 1 and delta 1e-3, rounded."""
    epsilon, delta = Fraction(1), Fraction(1, 1000)
    law = rounded_gaussian(1 / most_mu_squared(epsilon, delta))
    with precision(200):
        return Fraction(float(delta_of_shift(law, epsilon, 1, 60))), delta


# The smallest delta that a claim with one needs, and the claimed one.
WITH_DELTA: dict[type[Event], Callable[[], tuple[Fraction, Fraction]]] = {
    events.PrivateTopK: bottom,
    events.PartitionSelection: threshold,
    events.KeySelection: partition,
    events.GaussianNoise: normal,
}


def test_every_class_is_enumerated() -> None:
    # A sum; below; and in test_gaussian_keys and test_choices.
    normal = {events.GaussianKeys, events.GaussianTopK}  # of which nothing is given back
    elsewhere = {events.Composed, events.PrivateSparseVector, *normal}
    assert set(CLASSES) == {*PURE, *WITH_DELTA, *elsewhere}
    assert {kind for kind in CLASSES if kind.finds_keys or kind.is_normal} == {*WITH_DELTA, *elsewhere}
    assert {kind for kind in CLASSES if kind.refunds} == {*REFUNDS, *elsewhere} - normal


@pytest.mark.parametrize("kind", PURE, ids=lambda kind: kind.__name__)
def test_a_pure_claim_holds_and_nothing_less_would(kind: type[Event]) -> None:
    found, steps = PURE[kind]()
    assert P ** -(steps - Fraction(1, 2)) < float(found)
    assert found <= P**-steps


@pytest.mark.parametrize("kind", REFUNDS, ids=lambda kind: kind.__name__)
def test_no_output_costs_more_than_it_shows(kind: type[Event]) -> None:
    assert all(found <= P**-used for found, used in REFUNDS[kind]())


@pytest.mark.parametrize("kind", WITH_DELTA, ids=lambda kind: kind.__name__)
def test_a_delta_is_enough(kind: type[Event]) -> None:
    needed, claimed = WITH_DELTA[kind]()
    assert claimed / 2 < needed <= claimed


RULES = above_found.Rules(0, 1, 2, Fraction(1, 50), 4, (2, 2, 1))
FOUND: tuple[Scores, ...] = ((0, 0, 0), (1, 1, 1), (3, 3, 2), (19, 1, 1), (19, 18, 18), (18, 18, 18))


@lru_cache
def found_keys(counts: Scores) -> Mapping[above_found.Named, Fraction]:
    return above_found.law(counts, RULES, P, 2)


@pytest.mark.parametrize("counts", FOUND)
def test_sparse_vector_over_found_keys(counts: Scores) -> None:
    """By what each output shows as used, not only by all of epsilon; both ways. Delta is not out of reach."""
    for more in set(monotonic_neighbours(counts)):
        if min(more) >= 0:
            here, there = found_keys(counts), found_keys(more)
            assert sum(here.values()) == sum(there.values()) == 1
            for one, other in ((here, there), (there, here)):
                needed = sum(max(one[o] - P ** -RULES.units(o) * other.get(o, 0), 0) for o in one)
                assert needed <= RULES.delta


def test_sparse_vector_over_found_keys_needs_its_delta() -> None:
    """Keys of one unit alone: whatever names them is paid by delta."""
    alone = found_keys((1, 1, 1))
    assert 0 < 1 - alone[()] < RULES.delta
    lower = replace(RULES, delta=Fraction(1, 5))
    assert 1 - above_found.law((1, 1, 1), lower, P, 2)[()] > 1 - alone[()]


def test_the_code_looks_at_the_keys_of_the_law(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the same threshold, for rates whose steps are P: epsilon is 4 ln 2, or hardly more."""
    monkeypatch.setattr(of_found_keys, "KEYS_READ", RULES.read - RULES.k)
    epsilon = Fraction(math.nextafter(4 * math.log(2), 3))
    budget = divide(epsilon, RULES.k, adaptive=True)
    assert budget.margin == RULES.margin
    assert [round(rate / budget.unit) for rate in (budget.threshold, budget.answer)] == [2, 2]
    assert min_threshold(epsilon, RULES.delta, RULES.k) == RULES.tau(P)
    for counts in FOUND:
        seen = looked_at(np.array(counts), RULES.threshold, RULES.k, epsilon, RULES.delta, monkeypatch)
        assert seen == above_found.looked_at(counts, RULES, RULES.tau(P))


def test_a_pure_event_has_no_delta() -> None:
    with pytest.raises(ValueError, match="Count is pure"):
        events.NoisyCount(Fraction(1), Fraction(1, 10**6))


def test_a_release_gives_back_only_what_its_event_may() -> None:
    made = Release()
    with pytest.raises(InternalError):
        made.add(events.NoisyCount(Fraction(1)), events.NoisyCount(Fraction(1, 2)))


def test_mechanisms_state_what_they_were_asked_for() -> None:
    """Epsilon and delta of the event are those that the noise was made for."""
    one, delta, entropy = Fraction(1), Fraction(1, 10**6), SystemEntropy()
    scores, counts = PlainScores(np.array([30, 20, 10])), np.array([30, 20, 10])
    totals = Totals(1, [0], [1], [2], [1], [1])
    pure = [
        noisy_counts(counts, one, entropy, groups=1).event,
        noisy_distinct(np.array([[10, 20]]), ladder(2), one, entropy, groups=1).event,
        noisy_clamped_sums(totals, 1, one / 2, LaplaceOfClamp(one / 2, 1), entropy).event,
        noisy_clamped_sums(totals, 1, one, GaussianOfClamp(one, 1), entropy).event,
        noisy_bounded_counts(LeveledCounts(1, *np.array([[0], [0], [2], [1]])), (1, 2), one, entropy).event,
        top_k_above(scores, 5, 1, one, entropy, measure=False).event,
        above_threshold(counts, 5, 1, one, entropy).event,
    ]
    assert all((event.epsilon, event.delta) == (one, 0) for event in pure)
    with_delta = [
        select_partitions(scores, one, delta, entropy, groups=1).event,
        private_key_counts(scores, one, delta, entropy, groups=1).event,
        private_top_k(scores, 1, one, delta, entropy, groups=1, measure=False).event,
    ]
    assert all((event.epsilon, event.delta) == (one, delta) for event in with_delta)


def test_groups_are_claimed_only_where_each_moves_by_its_share() -> None:
    """And not of a sum over groups, nor where fewer winners than were asked for share the epsilon."""
    one, delta, entropy = Fraction(1), Fraction(1, 10**6), SystemEntropy()
    scores, counts = PlainScores(np.array([300, 200, 100])), np.array([300, 200, 100])
    totals = Totals(1, [0], [1], [2], [1], [1])
    claimed = [
        noisy_counts(counts, one, entropy, groups=2, rows=5).event,
        noisy_sums([3, 4, 5], one, entropy, bound=7, groups=2).event,
        noisy_clamped_sums(totals, 1, one / 2, LaplaceOfClamp(one / 2, 2), entropy).event,
        noisy_means([3], [1], one, entropy, ticks=12, rows=5, groups=2).event,
        noisy_weights([[3], [4], [5]], one, entropy, whole=12, rows=5, groups=2).event,
        select_partitions(scores, one, delta, entropy, groups=2).event,
        private_key_counts(scores, one, delta, entropy, groups=2).event,
    ]
    assert [getattr(event, "groups", None) for event in claimed] == [2] * len(claimed)
    splits = [best_split(one, 8, moved) for moved in range(1, 9)]
    assert {split.together for split in splits} == {False, True}
    for split in splits:
        assert split.measured.groups == (1 if split.together else split.sensitivity)
    found = [
        top_k_above(scores, 5, 2, one, entropy, measure=True, groups=1).event,
        private_top_k(scores, 2, one, delta, entropy, groups=2, measure=True).event,
    ]
    assert all(event.parts[1] == events.NoisyCount(event.parts[1].epsilon) for event in found)  # type: ignore[attr-defined]
