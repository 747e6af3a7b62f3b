"""Several quantiles by recursion: exact laws, privacy with weights in several parts, and odd values."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import ManyQuantiles, PermuteAndFlip
from dpduck.kernel.mechanisms import many_quantiles
from dpduck.kernel.mechanisms.many_quantiles import (
    Part,
    PartOf,
    errors_of_many,
    levels_of,
    places_of,
    quantiles,
)
from dpduck.kernel.mechanisms.quantile import Sample, ValueCounts, Values, rank_errors
from tests.mechanisms.checks import rational
from tests.noise.laws import REJECT, assert_frequencies
from tests.oracles.fit import log_p_value
from tests.oracles.many_quantiles import chance, law
from tests.sources import Quiet, Seeded

HALF = Fraction(1, 2)
QUARTILES = [Fraction(i, 4) for i in (1, 2, 3)]
STEP = Fraction(1, 2)


def evenly(number: int) -> list[Fraction]:
    return [Fraction(i, number + 1) for i in range(1, number + 1)]


def sample_of(weights: Sequence[int]) -> Sample:
    points = np.flatnonzero(weights)
    return ValueCounts(points, np.array(weights, dtype=np.int64)[points])


def drawn(
    weights: Sequence[int], shares: Sequence[Fraction], epsilon: Fraction, entropy: Seeded | Quiet
) -> tuple[int, ...]:
    sample = sample_of(weights)
    made = quantiles(
        lambda parts: [PartOf(sample, part) for part in parts],
        [sample.count],
        len(weights),
        shares,
        epsilon,
        entropy,
    )
    assert made.event == ManyQuantiles(epsilon, levels=levels_of(len(shares)))
    return tuple(made.offsets[0])


# Privacy


def check_privacy(step: Fraction, weight: int, points: int, most: int) -> Fraction:
    """The worst ratio of all releases, for all ways to add a unit whose weight is divided among points."""
    worst = Fraction(1)
    divided = [parts for parts in itertools.product(range(weight + 1), repeat=points) if sum(parts) == weight]
    for weights in itertools.product(range(most + 1), repeat=points):
        here = law(weights, QUARTILES, step)
        for parts in divided:
            more = [one + other for one, other in zip(weights, parts, strict=True)]
            there = law(more, QUARTILES, step)
            worst = max(worst, *(max(here[x] / there[x], there[x] / here[x]) for x in here))
    return worst


def test_a_unit_with_one_value_changes_no_probability_by_more_than_epsilon() -> None:
    """A level is two steps, and there are two levels."""
    assert check_privacy(STEP, 1, 3, 3) <= STEP**-4


def test_a_weight_that_is_in_several_parts_costs_no_more() -> None:
    """A weight of 3, in all ways divided among the points; the noise is for a weight of 3."""
    step = Fraction(4, 5)
    assert check_privacy(step, 3, 3, 2) <= step**-12


def test_levels_that_have_all_of_epsilon_would_cost_twice_as_much() -> None:
    weights = [0, 2, *([0] * 40), 1]
    here, there = (chance([*weights[:-1], far], QUARTILES, STEP, (0, 0, 0)) for far in (1, 2))
    assert here / there > STEP**-3


# The law


@pytest.mark.parametrize("weights", [(0, 0, 0), (1, 0, 2), (5, 0, 0), (2, 2, 3)], ids=str)
def test_releases_follow_the_law(weights: Sequence[int]) -> None:
    """n = 2000. With one rate for both levels, as epsilon is divided equally."""
    epsilon, entropy = Fraction(3), Seeded("many", weights)
    observed = Counter(drawn(weights, QUARTILES, epsilon, entropy) for _ in range(2000))
    exact = law(weights, QUARTILES, rational(epsilon / 4))
    assert sum(exact.values()) == 1
    assert_frequencies(observed, exact)


def test_frequencies_tell_levels_that_have_all_of_epsilon(monkeypatch: pytest.MonkeyPatch) -> None:
    weights, epsilon, entropy = (2, 2, 3), Fraction(3), Seeded("mutant")
    sample = sample_of(weights)
    monkeypatch.setattr(many_quantiles, "levels_of", lambda _: 1)
    observed: Counter[tuple[int, ...]] = Counter()
    for _ in range(2000):
        made = quantiles(
            lambda parts: [PartOf(sample, part) for part in parts], [7], 3, QUARTILES, epsilon, entropy
        )
        observed[tuple(made.offsets[0])] += 1
    assert log_p_value(observed, law(weights, QUARTILES, rational(epsilon / 4))) < REJECT


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=60),
    st.integers(1, 40),
    st.integers(0, 99),
)
def test_releases_ascend_and_are_points(weights: list[int], number: int, seed: int) -> None:
    found = drawn(weights, evenly(number), Fraction(1, 2), Seeded(seed))
    assert list(found) == sorted(found)
    assert 0 <= found[0] <= found[-1] < len(weights)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 199), min_size=1, max_size=80), st.integers(1, 12))
def test_without_noise_all_are_quantiles(values: list[int], number: int) -> None:
    """Of values that differ: each has as many below it as its share allows, and as many above it."""
    values = sorted(set(values))
    weights = np.bincount(values, minlength=200).tolist()
    shares = evenly(number)
    for share, point in zip(shares, drawn(weights, shares, Fraction(20), Quiet()), strict=True):
        below, above = (sum(v < point for v in values), sum(v > point for v in values))
        assert below <= share * len(values) + number
        assert above <= (1 - share) * len(values) + number


def test_levels_and_order_are_those_of_halves() -> None:
    read: list[list[int]] = []

    def noted(parts: Sequence[Part]) -> Sequence[Sample]:
        read.append([part.middle for part in parts])
        return [PartOf(Values(np.arange(100), 100), part) for part in parts]

    quantiles(noted, [100], 100, evenly(7), Fraction(5), Quiet())
    assert read == [[3], [1, 5], [0, 2, 4, 6]]
    assert [levels_of(k) for k in (1, 2, 3, 4, 8, 100)] == [1, 2, 2, 3, 4, 7]


def test_equal_values_keep_their_quantiles_only_if_the_grid_is_finer() -> None:
    """All values are 5: without places nothing is below the median, and the quartile is anywhere there."""
    shares, entropy = evenly(9), Seeded("equal")
    coarse = np.bincount([5] * 1000, minlength=10).tolist()
    assert min(drawn(coarse, shares, Fraction(10), entropy)) < 5
    places = places_of(10)
    spread = Values(5 * places + np.random.default_rng(5).integers(0, places, 1000), 10 * places)
    made = quantiles(
        lambda parts: [PartOf(spread, part) for part in parts],
        [1000],
        10 * places,
        shares,
        Fraction(10),
        entropy,
    )
    assert {offset // places for offset in made.offsets[0]} == {5}


def test_places_fit_64_bits() -> None:
    assert places_of(1) == places_of(2**45) == 2**16
    assert places_of(2**50) == 2**11
    assert places_of(2**62) == 1


# Cost and error


def test_rho_is_that_of_the_levels() -> None:
    for levels in (1, 2, 5):
        one = cost_of(PermuteAndFlip(Fraction(1, levels), groups=3)).rho
        assert cost_of(ManyQuantiles(Fraction(1), levels=levels, groups=3)).rho == levels * one


# Mean and largest rank error, of 150 runs of another program, 50 for k = 99; at epsilon 1.
REFERENCE = {1: (0.7, 0.7), 3: (1.9, 3.4), 9: (5.3, 13), 99: (12.5, 50)}


@pytest.mark.parametrize("k", REFERENCE)
def test_ranks_are_off_as_in_the_reference(k: int) -> None:
    n, points, runs, entropy = 10_000, 2**20, 30 if k > 9 else 150, Seeded("ranks", k)
    values = np.sort(np.random.default_rng(41).integers(0, points, n))
    sample, shares = ValueCounts(*np.unique(values, return_counts=True)), evenly(k)
    targets = np.array([float(share) * n for share in shares])
    found = []
    for _ in range(runs):
        made = quantiles(
            lambda parts: [PartOf(sample, part) for part in parts], [n], points, shares, Fraction(1), entropy
        )
        low, high = (np.searchsorted(values, made.offsets[0], side) for side in ("left", "right"))
        found.append(np.maximum(np.maximum(low - targets, targets - high), 0))
    off, (mean, largest) = np.array(found), REFERENCE[k]
    assert off.mean() == pytest.approx(mean, rel=0.2, abs=0.6)
    assert off.max(axis=1).mean() == pytest.approx(largest, rel=0.2, abs=0.6)
    promised = errors_of_many(points, shares, Fraction(1))
    usual = np.quantile(off, 0.95, axis=0) / [promised[share].typical for share in shares]
    assert 0.6 < usual.mean() < 1.25
    assert (off <= [promised[share].sure for share in shares]).all()


def test_one_quantile_is_off_as_one() -> None:
    assert errors_of_many(1000, [HALF], Fraction(1)) == {HALF: rank_errors(1000, HALF, Fraction(1))}


def test_most_quantiles_are_drawn_in_time_that_grows_with_their_number() -> None:
    values, shares = np.random.default_rng(3).integers(0, 2**30, 5000), evenly(1999)
    sample = ValueCounts(*np.unique(values, return_counts=True))
    made = quantiles(
        lambda parts: [PartOf(sample, part) for part in parts],
        [5000],
        2**30,
        shares,
        Fraction(10),
        Seeded("1999"),
    )
    assert made.offsets[0] == sorted(made.offsets[0])
    assert many_quantiles.levels_of(1999) == 11
