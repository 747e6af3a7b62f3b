"""Noisy means: one pair of sums at the price of one, and intervals that hold however few the values."""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms import averages
from dpduck.kernel.mechanisms.averages import (
    NoisyMeans,
    accuracy_of_mean_counts,
    accuracy_of_means,
    noisy_means,
)
from tests.mechanisms.enumeration import laplace_words
from tests.oracles.noise import discrete_laplace_pmf
from tests.sources import HALF, Quiet, Scripted, Seeded

DRAWS = 4000


# Definition


def check_noisy_means(rows: int = 2, groups: int = 3) -> None:
    """Noise of rate epsilon / (groups rows ticks) on the high and on the low end of each group."""
    ticks, rate = 10, Fraction(1, 4)
    high, counts = [31, 0, 5, 2, 10], [5, 0, 1, 1, 1]
    draws = [2, -3, 4, 1, -9, 3, 1, -12, 3, -4]
    expected = [
        (Fraction(33, 33 + 16), Fraction(49, 10)),
        (Fraction(4, 5), Fraction(5, 10)),
        (Fraction(0), Fraction(4, 10)),
        (Fraction(1, 2), Fraction(-1, 10)),
        (Fraction(1), Fraction(9, 10)),
    ]
    source = Scripted(laplace_words(draws, rate))
    epsilon = rate * groups * rows * ticks
    release = noisy_means(high, counts, epsilon, source, ticks=ticks, rows=rows, groups=groups)
    assert release.shares == tuple(share for share, _ in expected)
    assert release.counts == tuple(float(count) for _, count in expected)
    assert release.event.epsilon == epsilon
    assert source.left == 0
    check_ends(release, high, counts, draws, rate)


def check_ends(
    release: NoisyMeans, high: Sequence[int], counts: Sequence[int], draws: Sequence[int], rate: Fraction
) -> None:
    """An end within (0, 1) is where (1 - x) A~ - x B~ is as large as its noise at x, and 1 tick.

    Sums that noise makes negative count as 0.
    """
    for i, (a, n) in enumerate(zip(high, counts, strict=True)):
        noisy_high, noisy_low = max(a + draws[2 * i], 0), max(n * 10 - a + draws[2 * i + 1], 0)
        assert release.lows[i] <= float(release.shares[i]) <= release.highs[i]
        for end, one, other in (
            (release.lows[i], noisy_high, noisy_low),
            (1 - release.highs[i], noisy_low, noisy_high),
        ):
            excess = ((1 - end) * one - end * other - 1) * float(rate)
            assert end == 0 or math.isclose(excess, width(end, release.doubt), rel_tol=1e-3)
            assert end > 0 or excess <= width(end, release.doubt)


def width(x: float, doubt: float = 0.05) -> float:
    """t with P(|(1 - x) X - x Y| > t) = doubt for Laplace noise of scale 1, by quadrature and bisection."""
    own, other = max(x, 1 - x), min(x, 1 - x)
    points = (np.arange(-8000, 8000) + 0.5) * 5e-3
    density = np.exp(-np.abs(points)) / 2 * 5e-3

    def outside(t: float) -> float:
        left = (t - other * points) / own
        above = np.where(left > 0, np.exp(-np.abs(left)) / 2, 1 - np.exp(-np.abs(left)) / 2)
        return 2 * float((above * density).sum())

    low, high = 0.0, 10.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if outside(middle) > doubt else (low, middle)
    return high


@pytest.mark.parametrize(("rows", "groups"), [(1, 1), (2, 3), (50, 7)])
def test_both_ends_get_noise_of_the_stated_rate(rows: int, groups: int) -> None:
    check_noisy_means(rows, groups)


@pytest.mark.parametrize("x", [0.0, 0.01, 0.1, 0.3, 0.5, 0.77, 1.0])
def test_the_width_of_the_noise_at_a_share(x: float) -> None:
    found = float(averages._width(np.array([x]))[0])
    assert width(x) * (1 - 1e-4) <= found <= width(x) * (1 + 1e-3)


def test_the_width_is_convex() -> None:
    table = averages._table(0.05)
    assert (np.diff(table, 2) > -1e-12).all()
    assert (np.diff(table) < 0).all()
    assert math.isclose(table[0], math.log(20))


# Privacy


@settings(deadline=None)
@given(st.integers(1, 50), st.data())
def test_a_unit_moves_both_ends_together_by_its_rows_and_no_more(ticks: int, data: st.DataObject) -> None:
    """L1: |dA| + |dB| = T for each value, whatever the values."""
    values = st.lists(st.integers(0, ticks), max_size=6)
    others, own = data.draw(values), data.draw(values)

    def ends(sample: list[int]) -> tuple[int, int]:
        return sum(sample), len(sample) * ticks - sum(sample)

    (a, b), (c, d) = ends(others), ends(others + own)
    assert abs(a - c) + abs(b - d) == len(own) * ticks


@pytest.mark.parametrize(("ticks", "rows"), [(1, 1), (3, 1), (2, 2)])
def test_the_pair_is_private_by_exact_arithmetic(ticks: int, rows: int) -> None:
    """Every value of a unit, every output up to 8: no ratio above e^epsilon = p^-(rows ticks), and one at it.
    Noise for the sum alone and for the number of values would need more.
    """
    p = Fraction(1, 2)
    worst = Fraction(1)
    for values in itertools.product(range(ticks + 1), repeat=rows):
        a, b = sum(values), rows * ticks - sum(values)
        for x, y in itertools.product(range(-8, 9), repeat=2):
            here = discrete_laplace_pmf(x, p) * discrete_laplace_pmf(y, p)
            there = discrete_laplace_pmf(x - a, p) * discrete_laplace_pmf(y - b, p)
            worst = max(worst, here / there, there / here)
    assert worst == p ** -(rows * ticks)


# Errors and intervals


def drawn(share: float, count: int, *, ticks: int = 2**32, rows: int = 1) -> tuple[NoisyMeans, float]:
    """DRAWS means of `count` values at epsilon 1, and the true share."""
    high = round(share * count * ticks)
    entropy = Seeded("means", share, count, ticks, rows)
    release = noisy_means(
        [high] * DRAWS, [count] * DRAWS, Fraction(1), entropy, ticks=ticks, rows=rows, groups=1
    )
    return release, high / (count * ticks) if count else share


@pytest.mark.slow
@pytest.mark.parametrize("count", [0, 1, 3, 6, 8, 10, 20, 1000])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.8, 1.0])
def test_intervals_hold_however_few_the_values(share: float, count: int) -> None:
    check_coverage(share, count)


def check_coverage(share: float, count: int) -> None:
    """n = 4000: 95 %, within four standard errors; not much more where noise makes no sum negative."""
    release, true = drawn(share, count)
    held = [low <= true <= high for low, high in zip(release.lows, release.highs, strict=True)]
    error = math.sqrt(0.05 * 0.95 / DRAWS)
    assert np.mean(held) > 0.95 - 4 * error
    if count * min(share, 1 - share) > 3:
        assert np.mean(held) < 0.95 + 4 * error
    inside = np.mean(np.abs(np.array(release.counts) - count) <= release.count_half_width)
    assert abs(inside - 0.95) < 4 * error


@pytest.mark.parametrize("rows", [1, 5])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.5])
def test_the_accuracy_is_as_stated(share: float, rows: int) -> None:
    """n = 4000 means of 2000 values: the first-order variance at the share, at most the worst one; within the
    half-width in 95 of 100 or more.
    """
    release, true = drawn(share, 2000, rows=rows)
    accuracy = accuracy_of_means(Fraction(1), 2000, rows=rows, groups=1)
    errors = np.array([float(s) for s in release.shares]) - true
    first_order = math.sqrt(2 * ((1 - share) ** 2 + share**2)) * rows / 2000
    expected = first_order / math.sqrt(2) if share == 0 else first_order  # clamped on one side
    assert abs(math.sqrt((errors**2).mean()) / expected - 1) < 0.08
    assert first_order <= accuracy.deviation * (1 + 1e-12)
    assert (np.abs(errors) <= accuracy.half_width).mean() > 0.95 - 4 * math.sqrt(0.05 * 0.95 / DRAWS)
    counts = accuracy_of_mean_counts(Fraction(1), ticks=2**32, rows=rows, groups=1)
    assert counts.half_width == release.count_half_width
    assert abs(np.std(release.counts) / counts.deviation - 1) < 0.08


@pytest.mark.parametrize("count", [1, 3, 6, 7, 8, 12, 50])
@pytest.mark.parametrize("share", [0.0, 0.2, 0.5])
def test_the_half_width_of_a_mean_holds_for_few_values_too(share: float, count: int) -> None:
    release, true = drawn(share, count)
    half = accuracy_of_means(Fraction(1), count, rows=1, groups=1).half_width
    errors = np.abs(np.array([float(s) for s in release.shares]) - true)
    assert (errors <= half).mean() > 0.95 - 4 * math.sqrt(0.05 * 0.95 / DRAWS)


def test_the_variance_is_half_of_that_of_two_releases() -> None:
    """n = 4000 at shares 0.5 and 0.9, against a centred sum and a count with half of epsilon each."""
    for share in (0.5, 0.9):
        release, true = drawn(share, 5000)
        found = np.var([float(s) for s in release.shares])
        entropy = np.random.Generator(np.random.Philox(key=5))
        centred = (true - 0.5) * 5000 + entropy.laplace(scale=0.5 / 0.5, size=DRAWS)
        number = 5000 + entropy.laplace(scale=1 / 0.5, size=DRAWS)
        assert abs(found / np.var(centred / number) / 0.5 - 1) < 0.15


@pytest.mark.parametrize("ticks", [1, 2, 5])
def test_few_ticks_are_enough_for_honest_intervals(ticks: int) -> None:
    release, true = drawn(0.5, 40, ticks=ticks)
    held = [low <= true <= high for low, high in zip(release.lows, release.highs, strict=True)]
    assert np.mean(held) > 0.95 - 4 * math.sqrt(0.05 * 0.95 / DRAWS)


# Zero noise, and errors


def test_without_noise_means_are_true() -> None:
    high, counts = [7, 0, 30, 12 * 2**40], [2, 3, 3, 2**40]
    release = noisy_means(high, counts, Fraction(20), Quiet(HALF), ticks=12, rows=1, groups=1)
    assert release.shares == (Fraction(7, 24), Fraction(0), Fraction(30, 36), Fraction(1))
    assert release.counts == (2, 3, 3, 2**40)
    assert noisy_means([], [], Fraction(1), Scripted(), ticks=1, rows=1, groups=1).shares == ()


@pytest.mark.parametrize(("high", "draws"), [(0, [-400, 3]), (0, [-400, -1000]), (1000, [3, -400])])
def test_no_interval_claims_that_a_mean_is_certain(high: int, draws: list[int]) -> None:
    """Also where noise leaves no share that would explain the sums; the truth is 0 or 1 here."""
    rate = Fraction(1, 100)
    source = Scripted(laplace_words(draws, rate))
    release = noisy_means([high], [100], 10 * rate, source, ticks=10, rows=1, groups=1)
    assert release.lows[0] <= high / 1000 <= release.highs[0]
    assert release.highs[0] - release.lows[0] > 0.02


def test_a_group_of_nothing_is_answered_by_the_middle() -> None:
    release = noisy_means([0], [0], Fraction(1), Quiet(HALF), ticks=12, rows=1, groups=1)
    assert release.shares == (Fraction(1, 2),)
    assert (release.lows, release.highs) == ((0.0,), (1.0,))


@pytest.mark.parametrize(("ticks", "rows", "groups"), [(0, 1, 1), (1, 0, 1), (1, 1, -2)])
def test_bounds_are_checked_before_any_draw(ticks: int, rows: int, groups: int) -> None:
    with pytest.raises(ParameterError) as caught:
        noisy_means([3], [1], Fraction(1), Scripted(), ticks=ticks, rows=rows, groups=groups)
    assert str(caught.value) == (
        "a mean needs values, rows and groups that are bounded\n"
        f"DETAIL: It has {ticks} ticks, {rows} rows and {groups} groups; all must be positive. "
        "Nothing was charged."
    )
