"""Noisy sums: exact noise of the stated rate at any scale, and the privacy of what they are added to."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.additive import accuracy_of_counts, noisy_counts
from dpduck.kernel.mechanisms.sums import accuracy_of_sums, noisy_sums
from tests.mechanisms.checks import count_variance, rational, smallest_half_width
from tests.mechanisms.enumeration import laplace_words
from tests.noise.laws import assert_drawn_from, assert_not_drawn_from, laplace_survival
from tests.oracles.noise import discrete_laplace_pmf
from tests.sources import HALF, Quiet, Scripted, Seeded


def check_noisy_sums(bound: int = 6, groups: int = 4) -> None:
    """Each sum gets its own noise, of rate epsilon / (groups bound)."""
    sums, draws, rate = [5, 2**80, -(10**30), 0], [0, 3, -2, -11], Fraction(1, 8)
    source = Scripted(laplace_words(draws, rate))
    release = noisy_sums(sums, rate * groups * bound, source, bound=bound, groups=groups)
    assert release.sums == tuple(s + x for s, x in zip(sums, draws, strict=True))
    assert release.half_width == smallest_half_width(rational(rate))
    assert release.event.epsilon == rate * groups * bound
    assert source.left == 0


@pytest.mark.parametrize(("bound", "groups"), [(1, 1), (6, 4), (1000, 3)])
def test_each_sum_gets_its_own_noise_of_the_stated_rate(bound: int, groups: int) -> None:
    check_noisy_sums(bound, groups)


def check_privacy(bound: int, groups: int) -> None:
    """By exact arithmetic, on every output up to 6: a unit that adds up to `bound` to each of `groups` sums
    changes no probability by more than e^epsilon, and some by just that.
    """
    epsilon_root = Fraction(1, 2)  # e^(-epsilon / (groups bound)), the p of the noise
    worst = Fraction(1)
    for change in range(-bound, bound + 1):
        for output in range(-6, 7):
            ratio = discrete_laplace_pmf(output - change, epsilon_root) / discrete_laplace_pmf(
                output, epsilon_root
            )
            worst = max(worst, ratio**groups)  # the sums are alike and independent
    assert worst == epsilon_root ** -(groups * bound)


@pytest.mark.parametrize(("bound", "groups"), [(1, 1), (3, 1), (2, 3)])
def test_the_release_is_private_by_exact_arithmetic(bound: int, groups: int) -> None:
    check_privacy(bound, groups)


SCALES = ((1, 1), (10**4, 7), (2**60, 1), (2**70, 100))


@pytest.mark.parametrize(("bound", "groups"), SCALES)
def test_the_noise_has_its_law(bound: int, groups: int) -> None:
    """n = 5000, in hundredths of its scale where that is large; a scale 30 % off is rejected at 1e-9."""
    epsilon, unit = Fraction(1), max(groups * bound // 100, 1)
    release = noisy_sums([2**75] * 5000, epsilon, Seeded("sums", bound), bound=bound, groups=groups)
    noise = np.array([(x - 2**75 + unit // 2) // unit for x in release.sums])
    rate = float(epsilon) * unit / (groups * bound)

    def rounded(factor: float) -> object:
        if unit == 1:
            return laplace_survival(rate * factor)
        half = rate * factor / 2
        return lambda g: (
            0.5 * math.exp(half - rate * factor * g)
            if g > 0
            else 1 - 0.5 * math.exp(rate * factor * g - half)
        )

    assert_drawn_from(noise, rounded(1))  # type: ignore[arg-type]
    for factor in (0.7, 1.3):
        assert_not_drawn_from(noise, rounded(factor))  # type: ignore[arg-type]


@pytest.mark.parametrize(("bound", "groups"), SCALES)
@pytest.mark.parametrize("epsilon", [Fraction(1, 10_000), Fraction(1), Fraction(20)])
def test_noise_stays_within_the_half_width_95_times_in_100(
    epsilon: Fraction, bound: int, groups: int
) -> None:
    """n = 2000: within four standard errors."""
    release = noisy_sums([0] * 2000, epsilon, Seeded("width", bound, epsilon), bound=bound, groups=groups)
    inside = np.mean([abs(x) <= release.half_width for x in release.sums])
    error = math.sqrt(0.05 * 0.95 / 2000)
    assert inside > 0.95 - 4 * error
    assert inside < 0.95 + 4 * error or release.half_width < 10
    accuracy = accuracy_of_sums(epsilon, bound=bound, groups=groups)
    assert accuracy.half_width == release.half_width
    deviation = math.sqrt(sum((x / accuracy.deviation) ** 2 for x in release.sums) / 2000)
    assert abs(deviation - 1) < 0.2 or release.half_width < 3


def test_the_accuracy_of_counts_is_that_of_sums_of_ones() -> None:
    for epsilon in (Fraction(1, 100), Fraction(1), Fraction(20)):
        for groups in (1, 7):
            accuracy = accuracy_of_counts(epsilon, groups=groups)
            assert accuracy == accuracy_of_sums(epsilon, bound=1, groups=groups)
            assert math.isclose(accuracy.deviation**2, count_variance(epsilon / groups))
            release = noisy_counts(np.array([1]), epsilon, Seeded("one"), groups=groups)
            assert accuracy.half_width == release.half_width


def test_without_noise_sums_are_true() -> None:
    sums = [7, 0, -(2**100), 10**40]
    release = noisy_sums(sums, Fraction(1, 10_000), Quiet(HALF), bound=10**4, groups=50)
    assert release.sums == tuple(sums)
    assert noisy_sums([], Fraction(1), Scripted(), bound=1, groups=1).sums == ()


@pytest.mark.parametrize(("bound", "groups"), [(0, 1), (1, 0), (-5, 2)])
def test_bounds_are_checked_before_any_draw(bound: int, groups: int) -> None:
    with pytest.raises(ParameterError) as caught:
        noisy_sums([3], Fraction(1), Scripted(), bound=bound, groups=groups)
    assert str(caught.value) == (
        "a sum needs values and groups that are bounded\n"
        f"DETAIL: The bound on one unit is {bound} in each of {groups} groups; both must be positive. "
        "Nothing was charged."
    )
