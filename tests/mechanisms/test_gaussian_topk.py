"""The k largest, chosen with Gumbel noise and measured anew: price, order, counts and their intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from dpduck.kernel.accounting.choices import holds, rho_of_choices
from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import GaussianTopK
from dpduck.kernel.errors import InternalError, ParameterError
from dpduck.kernel.mechanisms.gaussian import Variances, correlated
from dpduck.kernel.mechanisms.gaussian_topk import (
    GaussianSplit,
    choose_top_k,
    choosing_rate,
    gaussian_split,
    gaussian_top_k,
)
from dpduck.kernel.mechanisms.linear_estimates import best_split
from dpduck.kernel.mechanisms.peeling import gumbel_top_k
from dpduck.kernel.scores import PlainScores
from tests.sources import HALF, Quiet, Scripted, Seeded

ONE = Fraction(1)
MILLIONTH = Fraction(1, 10**6)
Counts = NDArray[np.int64]


def split(k: int, groups: int | None = None, *, shared: bool = True) -> GaussianSplit:
    found = gaussian_split(ONE, MILLIONTH, k, groups=groups, shared=shared)
    assert found is not None
    return found


# What it costs


@pytest.mark.parametrize("k", [1, 2, 10, 40, 1000])
@pytest.mark.parametrize("groups", [None, 1, 5])
@pytest.mark.parametrize("shared", [True, False])
def test_the_parts_cost_what_is_claimed(k: int, groups: int | None, shared: bool) -> None:
    found = split(k, groups, shared=shared)
    assert holds(k, found.rate, found.mu_squared, ONE, MILLIONTH)
    assert cost_of(found.event).rho == rho_of_choices(k, found.rate, found.mu_squared)


def check_moves() -> None:
    """The noise of counts is enough for any moves of min(k, groups) of them: v' S^-1 v <= mu^2."""
    for k, groups, shared in [(6, None, True), (6, 3, True), (6, 3, False), (6, None, False), (2, 9, True)]:
        found = split(k, groups, shared=shared)
        own, common = found.variances.own, found.variances.shared
        moved = range(1, min(k, groups or k) + 1)
        worst = max(Fraction(s) / own - common / (own + common * k) * s * s / own for s in moved)
        assert 0.99 * found.mu_squared < worst <= found.mu_squared
        assert shared or not common


def test_counts_hide_all_moves_of_a_unit() -> None:
    check_moves()


def test_errors_are_those_of_the_reference() -> None:
    """At (1, 1e-6), units in any groups. The split leaves slightly less for counts than an even one."""
    widths = {k: split(k).half_width for k in (10, 40, 100)}
    assert widths == {10: 26, 40: 47, 100: 72}
    apart = {k: split(k, shared=False).half_width for k in (10, 40, 100)}
    assert apart == {10: 36, 40: 72, 100: 114}
    for k, scale in ((10, 10.1), (40, 20.3), (100, 32.0)):
        assert float(1 / split(k).rate) == pytest.approx(scale, rel=0.05)
        assert split(k).half_width < best_split(ONE, k, k).half_width()


def test_an_even_division_of_rho_has_the_half_width_of_the_reference() -> None:
    for k, width in ((10, 26.1), (40, 46.0), (100, 69.1)):
        shared = correlated(Fraction(24355970359, 10**12), bound=1, groups=k, size=k)
        assert shared is not None
        assert 1.96 * math.sqrt(shared.total) == pytest.approx(width, rel=0.01)


def test_what_is_too_little_to_choose_is_not_divided() -> None:
    small = Fraction(1, 10**9)
    assert gaussian_split(small, small**2, 10, groups=None, shared=True) is None
    with pytest.raises(ParameterError):
        gaussian_top_k(PlainScores(np.array([1, 2])), split(2), Scripted())


# Releases


def check_law(mechanism: Callable[..., object] = gaussian_top_k) -> None:
    """The winners are those of `peeling.gumbel_top_k`, draw by draw; counts of theirs without noise."""
    scores, found = PlainScores(np.array([30, 29, 31, 0, 30, 28])), split(3)
    orders = set()
    for number in range(60):
        made = mechanism(scores, found, Seeded(f"order {number}"))
        other = gumbel_top_k(scores, 3, 3 * found.rate, Seeded(f"order {number}"))
        assert made.candidates == other.candidates  # type: ignore[attr-defined]
        orders.add(other.candidates)
    assert len(orders) > 10
    sharp = GaussianSplit(ONE, MILLIONTH, 3, Fraction(100), ONE, Variances(Fraction(1, 10**6)))
    exact = mechanism(PlainScores(np.array([30, 0, 31, 0, 28, 28])), sharp, Seeded("exact"))
    assert exact.candidates[:2] == (2, 0)  # type: ignore[attr-defined]
    assert exact.counts.tolist() == [31, 30, 28]  # type: ignore[attr-defined]


def test_the_order_is_that_of_exponential_mechanisms() -> None:
    check_law()


def check_choices() -> None:
    """Of names alone, draw by draw: those of `peeling.gumbel_top_k`, at the largest rate; sums alike."""
    counts = np.array([30, 29, 31, 0, 30, 28])
    for k in (1, 2, 3):
        rate = choosing_rate(ONE, MILLIONTH, k)
        assert holds(k, rate, Fraction(0), ONE, MILLIONTH)
        assert not holds(k, rate * Fraction(1_000_001, 1_000_000), Fraction(0), ONE, MILLIONTH)
        for number in range(30):
            words = f"choices {number}"
            made = choose_top_k(PlainScores(counts), k, ONE, MILLIONTH, Seeded(words))
            sums = choose_top_k(PlainScores(counts * 7), k, ONE, MILLIONTH, Seeded(words), spread=7)
            assert made == sums
            assert made.candidates == gumbel_top_k(PlainScores(counts), k, k * rate, Seeded(words)).candidates
            assert made.event == GaussianTopK(ONE, MILLIONTH, k, rate)


def test_names_alone_have_all_of_it() -> None:
    check_choices()
    for k, scale in ((10, 7.17), (40, 14.3), (100, 22.7)):
        assert float(1 / choosing_rate(ONE, MILLIONTH, k)) == pytest.approx(scale, rel=0.01)
    with pytest.raises(InternalError):
        choose_top_k(PlainScores(np.array([2, 1])), 1, Fraction(1, 10**9), Fraction(1, 10**18), Scripted())


def test_quiet_counts_are_true_whoever_wins() -> None:
    made = gaussian_top_k(PlainScores(np.array([7, 7, 7, 7])), split(2), Quiet(HALF))
    assert made.counts.tolist() == [7, 7]
    assert made.event == GaussianTopK(ONE, MILLIONTH, 2, split(2).rate, split(2).mu_squared)


DATA = {
    "far apart": 10**6 - 10**4 * np.arange(60),
    "all tied": np.full(60, 500),
    "20,000 / rank": 20_000 // np.arange(1, 61),
    "3 sure, rest tied": np.where(np.arange(60) < 3, 10**5, 300),
}


def check_coverage(name: str, mechanism: Callable[..., object] = gaussian_top_k) -> None:
    """At each rank and in all, within 4 standard errors of what the half-width promises; no bias."""
    counts, found, runs = DATA[name], split(6), 500
    errors = np.zeros((runs, 6))
    entropy = Seeded(f"coverage {name}")
    for run in range(runs):
        made = mechanism(PlainScores(counts), found, entropy)
        errors[run] = made.counts - counts[list(made.candidates)]  # type: ignore[attr-defined]
    promised = math.erf((found.half_width + 0.5) / math.sqrt(2 * found.variances.total))
    slack = 4 * math.sqrt(promised * (1 - promised) / runs)
    covered = (np.abs(errors) <= found.half_width).mean(axis=0)
    assert np.all(np.abs(covered - promised) < slack), covered
    assert np.all(np.abs(errors.mean(axis=0)) < 4 * found.variances.deviation / math.sqrt(runs))


@pytest.mark.parametrize("name", DATA)
def test_intervals_are_kept_at_every_rank(name: str) -> None:
    check_coverage(name)
