"""Noisy sums of weights: all three, or nine, at the price of one."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.moments import moment_scale, noisy_weights
from tests.mechanisms.enumeration import laplace_words
from tests.oracles.noise import discrete_laplace_pmf
from tests.sources import Scripted, Seeded


def own(place: int, ticks: int) -> list[int]:
    return [(ticks - place) ** 2, 2 * place * (ticks - place), place**2]


def check_noisy_weights(rows: int = 2, groups: int = 3) -> None:
    """Noise of rate epsilon / (groups rows whole) on each sum of each group, each drawn anew."""
    whole, rate = 9, Fraction(1, 4)
    sums = [[4, 0], [4, 18], [1, 9]]
    draws = [2, -3, 4, 1, -9, 3]
    words = laplace_words(draws, rate)
    source = Scripted(words)
    epsilon = rate * groups * rows * whole
    release = noisy_weights(sums, epsilon, source, whole=whole, rows=rows, groups=groups)
    expected = np.array([[6, -3], [8, 19], [-8, 12]]).T / whole
    assert np.array_equal(release.sums, expected)
    assert release.event.epsilon == epsilon
    assert release.scale == moment_scale(epsilon, rows=rows, groups=groups) == 1 / (whole * float(rate))


@pytest.mark.parametrize(("rows", "groups"), [(1, 1), (2, 3), (50, 7)])
def test_each_sum_gets_noise_of_the_stated_rate(rows: int, groups: int) -> None:
    check_noisy_weights(rows, groups)


@settings(deadline=None)
@given(st.integers(1, 50), st.data())
def test_weights_are_a_partition(ticks: int, data: st.DataObject) -> None:
    """None is negative, and they add up to the same for each value and each pair, whatever it is."""
    u, v = (data.draw(st.integers(0, ticks)) for _ in range(2))
    assert min(own(u, ticks)) >= 0
    assert sum(own(u, ticks)) == ticks**2
    pairs = [a * b for a, b in itertools.product(own(u, ticks), own(v, ticks))]
    assert sum(pairs) == ticks**4
    assert sum(a * (i // 3) * (i % 3) for i, a in enumerate(pairs)) == 4 * u * v * ticks**2


@pytest.mark.parametrize("ticks", [1, 2])
def test_the_sums_are_private_by_exact_arithmetic(ticks: int) -> None:
    """Every value, every output up to 6: no ratio above e^epsilon = p^-whole, and one at it."""
    p, worst = Fraction(1, 2), Fraction(1)
    for place in range(ticks + 1):
        moved = own(place, ticks)
        for xs in itertools.product(range(-6, 7), repeat=3):
            ratio = Fraction(1)
            for x, shift in zip(xs, moved, strict=True):
                ratio *= discrete_laplace_pmf(x, p) / discrete_laplace_pmf(x - shift, p)
            worst = max(worst, ratio, 1 / ratio)
    assert worst == p ** -(ticks**2)


def test_noise_of_fine_ticks_has_the_stated_scale() -> None:
    """n = 6000 sums in 2^80 ticks."""
    whole = 2**80
    release = noisy_weights(
        [[whole] * 2000] * 3, Fraction(1, 2), Seeded("fine"), whole=whole, rows=2, groups=1
    )
    assert release.scale == 4
    assert abs(np.abs(release.sums - 1).mean() / 4 - 1) < 0.06


@pytest.mark.parametrize(("whole", "rows", "groups"), [(0, 1, 1), (1, 0, 1), (1, 1, -2)])
def test_bounds_are_checked_before_any_draw(whole: int, rows: int, groups: int) -> None:
    with pytest.raises(ParameterError) as caught:
        noisy_weights([[3]], Fraction(1), Scripted(), whole=whole, rows=rows, groups=groups)
    assert str(caught.value) == (
        "a moment needs values, rows and groups that are bounded\n"
        f"DETAIL: It has {whole} ticks, {rows} rows and {groups} groups; all must be positive. "
        "Nothing was charged."
    )
