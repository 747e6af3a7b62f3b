"""The interval of a rolled-up number holds its true value with probability at least 95 %, exactly."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from dpduck.kernel.mechanisms.additive import half_width
from tests.replay.club import Club

RATES = [Fraction(n, 20) for n in (1, 2, 5, 10, 16, 20, 25, 33, 40, 55, 60, 74, 80, 120, 200, 320)]
ADDED = [2, 3, 4, 7, 12, 20]
HISTOGRAM = "SELECT h, count(*), sum(x) FROM members GROUP BY h"


@pytest.fixture(scope="module")
def club() -> Club:
    return Club()


def noise(rate: Fraction) -> NDArray[np.float64]:
    """Discrete Laplace probabilities of -m, ..., m; what is left out is below 1e-15."""
    p, m = math.exp(-rate), math.ceil(35 / rate)
    return (1 - p) / (1 + p) * p ** np.abs(np.arange(-m, m + 1))


def covered(rate: Fraction, added: int, width: float) -> float:
    """The probability that a sum of noises is within a width, which the left out part makes smaller."""
    one = noise(rate)
    total = one
    for _ in range(added - 1):
        total = np.convolve(total, one)
    middle, reach = len(total) // 2, math.floor(width)
    return float(total[max(middle - reach, 0) : middle + reach + 1].sum())


def width_of(club: Club, added: int, half: int, *, column: str = "a0", tick: str = "1") -> float:
    """The half-width of a number that rolls up so many, each within `half` ticks."""
    release = club.keep(HISTOGRAM)
    each = float(Fraction(tick) * half)
    ends = {f"{column}_low": repr(-each), f"{column}_high": repr(each), column: "0"}
    columns = [
        [ends.get(name, cell) for cell in cells]
        for name, cells in zip(release.description.columns, release.released, strict=True)
    ]
    aggregate = "count(*)" if column == "a0" else "sum(x)"
    found = club.derived(
        replace(release, released=columns), f"SELECT {aggregate} FROM members WHERE h < {added}"
    )
    assert found is not None
    [low], [high] = found.columns["a0_low"], found.columns["a0_high"]
    assert float(low or 0) == -float(high or 0)
    return float(high or 0)


@pytest.mark.slow
@pytest.mark.parametrize("added", ADDED)
def test_a_rolled_up_count_is_within_its_interval(club: Club, added: int) -> None:
    for rate in RATES:
        half = half_width(rate)
        assert covered(rate, added, width_of(club, added, half)) >= 0.95, rate


@pytest.mark.parametrize("added", ADDED)
def test_an_interval_is_not_wasteful(club: Club, added: int) -> None:
    rate = Fraction(1, 20)
    width = width_of(club, added, half_width(rate))
    assert covered(rate, added, width) <= 0.97
    assert covered(rate, added, width * 0.9) < 0.95


def test_a_single_number_keeps_its_interval(club: Club) -> None:
    assert width_of(club, 1, 7) == 7


@pytest.mark.parametrize("half", [0, 1, 250])
def test_the_step_of_a_sum_is_its_last_place(club: Club, half: int) -> None:
    width = width_of(club, 9, half, column="a1", tick="0.01")
    assert width == pytest.approx(3 * (half + 1) / 100)


def test_without_the_extra_tick_it_would_be_false() -> None:
    """Where noise is rarely other than 0, half-widths are 0, and so are roots of sums of their squares."""
    rate = Fraction(37, 10)
    assert half_width(rate) == 0
    assert covered(rate, 20, 0.0) < 0.5
