"""Gaussian noise on counts and sums: variances, the worst move of a unit, intervals, mistakes that show."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.errors import InternalError
from dpduck.kernel.mechanisms import gaussian
from dpduck.kernel.mechanisms.gaussian import (
    Variances,
    correlated,
    gaussian_counts,
    gaussian_sums,
    independent,
)
from tests.sources import HALF, Quiet, Scripted, Seeded

ONE = Fraction(1)

# d, m: variance over that of independent noise (m), as computed once by a scan over all slopes
RATIOS = (
    (2, 2, 0.667),
    (3, 3, 0.600),
    (5, 5, 0.514),
    (8, 8, 0.455),
    (12, 12, 0.415),
    (16, 16, 0.391),
    (24, 24, 0.362),
    (64, 64, 0.316),
    (256, 256, 0.282),
    (10, 5, 0.800),
    (16, 8, 0.742),
    (24, 6, 0.902),
    (64, 16, 0.850),
    (64, 32, 0.624),
    (365, 30, 0.944),
)


def form(move: tuple[Fraction | int, ...], found: Variances) -> Fraction:
    """move' S^-1 move for S = own I + shared J: the mu^2 of that move."""
    total, squares = sum(move), sum(x * x for x in move)
    return (squares - found.shared / (found.own + found.shared * len(move)) * total * total) / found.own


def check_moves(size: int, most: int, values: tuple[int, ...] = (0, 1)) -> None:
    """No move of at most `most` of the numbers costs more than mu^2 = 1, and some move nearly that."""
    found = correlated(ONE, bound=1, groups=most, size=size) or independent(ONE, bound=1, groups=most)
    moves = (move for move in itertools.product(values, repeat=size) if sum(map(bool, move)) <= most)
    worst = max(form(move, found) for move in moves)
    assert Fraction(999, 1000) < worst <= 1, worst


@pytest.mark.parametrize("size", range(1, 11))
def test_no_move_of_whole_numbers_costs_more_than_its_mu(size: int) -> None:
    """All of {0, 1}^size, in fractions."""
    for most in {1, min(2, size), size // 2, size - 1, size} - {0}:
        check_moves(size, most)


@pytest.mark.parametrize("size", [4, 6, 9])
def test_the_worst_move_costs_exactly_that(size: int) -> None:
    found = correlated(ONE, bound=1, groups=size, size=size)
    assert found is not None
    assert max(form((1,) * s + (0,) * (size - s), found) for s in range(1, size + 1)) == 1


def test_moves_between_whole_numbers_cost_less() -> None:
    """Sums of non-negative values: in quarters, all of [0, 1]^4; the form is convex."""
    found = correlated(Fraction(4), bound=4, groups=4, size=4)
    assert found is not None
    worst = max(itertools.product(range(5), repeat=4), key=lambda move: form(move, found))
    assert set(worst) <= {0, 4}
    assert form(worst, found) == 4


def test_sums_with_signs_break_it() -> None:
    """The mutant: correlated noise on numbers that move both ways."""
    with pytest.raises(AssertionError):
        check_moves(4, 4, (-1, 0, 1))


def test_a_larger_shared_part_at_the_same_variance_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = gaussian._parts

    def skewed(most: int, size: int) -> tuple[Fraction, Fraction]:
        own, shared = honest(most, size)
        return own - shared / 10, shared + shared / 10

    monkeypatch.setattr(gaussian, "_parts", skewed)
    with pytest.raises(AssertionError):
        check_moves(6, 6)


def test_only_the_ends_of_the_whole_moves_are_not_enough() -> None:
    """With the real optimum of m = d, a whole s beside 1 / (2 t) may be worse than all others."""
    found = correlated(ONE, bound=1, groups=12, size=12)
    assert found is not None
    costs = [form((1,) * s + (0,) * (12 - s), found) for s in range(1, 13)]
    assert max(costs) == 1 > max(costs[0], costs[-1])


@pytest.mark.parametrize(("size", "most", "ratio"), RATIOS)
def test_variances_are_those_of_the_table(size: int, most: int, ratio: float) -> None:
    found = correlated(ONE, bound=1, groups=most, size=size)
    assert found is not None
    assert float(found.total) / most == pytest.approx(ratio, abs=6e-4)


@pytest.mark.parametrize(("size", "most"), [(3, 3), (12, 12), (10, 5), (64, 16)])
def test_no_slope_is_better(size: int, most: int) -> None:
    found = correlated(ONE, bound=1, groups=most, size=size)
    assert found is not None
    slopes = (i / (size * 5000) for i in range(5000))
    scanned = min(max(s - t * s * s for s in range(1, most + 1)) * (1 + t / (1 - t * size)) for t in slopes)
    assert float(found.total) <= scanned * (1 + 1e-6)


def test_noise_scales_with_the_bound_and_with_mu() -> None:
    one = correlated(ONE, bound=1, groups=8, size=8)
    other = correlated(Fraction(1, 9), bound=5, groups=8, size=8)
    assert one is not None
    assert other == Variances(one.own * 225, one.shared * 225)
    assert independent(Fraction(1, 9), bound=5, groups=8) == Variances(Fraction(1800))


def test_noise_is_not_shared_where_that_hardly_helps() -> None:
    assert correlated(ONE, bound=1, groups=1, size=1) is None
    assert correlated(ONE, bound=1, groups=1, size=100) is None
    assert correlated(ONE, bound=1, groups=3, size=10_000) is None
    assert correlated(Fraction(1, 10**40), bound=1, groups=8, size=8) is None
    with pytest.raises(InternalError):
        independent(Fraction(0), bound=1, groups=1)


# Intervals


@pytest.mark.parametrize("variance", [Fraction(1, 10), Fraction(1), Fraction(9), Fraction(10**6)], ids=float)
@pytest.mark.parametrize("confidence", [0.95, 0.999])
def test_the_half_width_is_the_least_that_is_sure_enough(variance: Fraction, confidence: float) -> None:
    width, sd = Variances(variance).half_width(confidence), math.sqrt(variance)

    def covered(w: float) -> float:
        return math.erf((w + 0.5) / sd / math.sqrt(2))

    assert covered(width) >= confidence
    assert width == 0 or covered(width - 1) < confidence


def test_intervals_cover_and_no_more() -> None:
    """n = 40,000, within 4 standard errors of the exact probability."""
    found = Variances(Fraction(7), Fraction(11, 2))
    draws = gaussian_counts(np.zeros(40_000, np.int64), Variances(found.total), Seeded("covers"))
    exact = math.erf((found.half_width() + 0.5) / math.sqrt(2 * found.total))
    assert abs(np.mean(np.abs(draws) <= found.half_width()) - exact) < 4 * math.sqrt(
        exact * (1 - exact) / 4e4
    )
    assert np.std(draws) == pytest.approx(found.deviation, rel=0.02)


@pytest.mark.parametrize("deviation", [0.1, 0.2, 0.255, 0.3, 0.5, 0.765, 1.0, 1.275, 3.0])
@pytest.mark.parametrize("number", [2, 3, 10, 100])
def test_totals_are_within_root_n_times_one_tick_more(deviation: float, number: int) -> None:
    """As replayed and added up numbers promise; by convolution of the exact law."""
    found = Variances(Fraction(deviation).limit_denominator(1000) ** 2)
    reach = math.ceil(9 * deviation) + 1
    ends = np.array([math.erf((k + 0.5) / deviation / math.sqrt(2)) for k in range(-reach - 1, reach + 1)])
    law, total = np.diff(ends) / 2, np.ones(1)
    for _ in range(number):
        total = np.convolve(total, law)
    width = math.floor(math.sqrt(number) * (found.half_width() + 1))
    middle = len(total) // 2
    assert total[max(middle - width, 0) : middle + width + 1].sum() >= 0.95


# Releases


def test_quiet_noise_leaves_numbers_as_they_are() -> None:
    counts = np.array([5, 0, 17])
    for found in (Variances(Fraction(9)), Variances(Fraction(9), Fraction(4))):
        assert gaussian_counts(counts, found, Quiet(HALF)).tolist() == [5, 0, 17]
        assert gaussian_sums([5, 0, -(10**30)], found, Quiet(HALF)) == [5, 0, -(10**30)]


def test_counts_and_sums_have_the_same_noise() -> None:
    counts = np.array([5, 0, 17, 4])
    for found in (Variances(Fraction(900)), Variances(Fraction(900), Fraction(400))):
        noisy = gaussian_counts(counts, found, Seeded("same")).tolist()
        assert noisy == gaussian_sums(counts.tolist(), found, Seeded("same"))
        assert noisy != counts.tolist()


def test_the_shared_part_is_in_the_differences_of_none() -> None:
    """2000 releases of 6 counts: differences have twice the own variance, the total much more."""
    found, entropy = Variances(Fraction(25), Fraction(100)), Seeded("differences")
    noise = np.array([gaussian_counts(np.zeros(6, np.int64), found, entropy) for _ in range(2000)])
    assert np.var(noise[:, 0] - noise[:, 1]) == pytest.approx(50, rel=0.15)
    assert np.var(noise.sum(axis=1)) == pytest.approx(6 * 25 + 36 * 100, rel=0.15)


def test_noise_that_is_too_large_is_refused_before_any_draw() -> None:
    with pytest.raises(InternalError):
        gaussian_counts(np.zeros(3, np.int64), Variances(Fraction(2**101)), Scripted())
    with pytest.raises(InternalError):
        gaussian_sums([1], Variances(Fraction(2**1001)), Scripted())
    assert len(gaussian_sums([1], Variances(Fraction(2**300)), Seeded("large"))) == 1
