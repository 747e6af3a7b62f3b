"""Score intervals of proportions: Wilson's without noise, as wide as that of noise alone without sampling."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpduck.kernel.mechanisms.populations import NORMAL
from dpduck.kernel.mechanisms.proportions import REACH, half_width_of_half, score_intervals
from tests.depth import depth

RUNS = depth(4000, 2000, 1000)


def wilson(successes: float, n: float) -> tuple[float, float]:
    p, z = successes / n, NORMAL
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    width = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return middle - width, middle + width


@pytest.mark.parametrize(("successes", "n"), [(0, 10), (3, 40), (50, 100), (999, 1000)])
def test_without_noise_it_is_wilsons(successes: int, n: int) -> None:
    [low], [high] = score_intervals([successes], [n - successes], 1e-9)
    assert (low, high) == pytest.approx(wilson(successes, n), abs=1e-6)


def test_ends_are_those_where_the_inequality_turns() -> None:
    a, b, scale, rows = 30.0, 90.0, 4.0, 3
    n = a + b

    def slack(p: float) -> float:
        noise = REACH**2 * scale**2 * (p * p + (1 - p) ** 2)
        return ((1 - p) * a - p * b) ** 2 - NORMAL**2 * rows * n * p * (1 - p) - noise

    for end in score_intervals([a], [b], scale, rows):
        assert slack(float(end[0])) == pytest.approx(0, abs=1e-6)
    assert slack(0.25) < 0 < slack(0.0)


def test_where_noise_is_as_large_as_the_number_nothing_is_known() -> None:
    lows, highs = score_intervals([-3, 1, 0, 2], [1, -8, 0, 3], 2.0)
    assert lows.tolist() == [0.0] * 4
    assert highs.tolist() == [1.0] * 4
    assert half_width_of_half(3, 2.0) == 1.0


def test_swapping_success_and_failure_mirrors_the_interval() -> None:
    a, b = np.array([5.0, 40.0, 300.0]), np.array([100.0, 3.0, 299.0])
    low, high = score_intervals(a, b, 1.5)
    mirrored_low, mirrored_high = score_intervals(b, a, 1.5)
    assert np.allclose(low, 1 - mirrored_high)
    assert np.allclose(high, 1 - mirrored_low)
    assert (low <= a / (a + b)).all() and (a / (a + b) <= high).all()


@pytest.mark.parametrize(
    ("n", "p", "epsilon"), [(50, 0.02, 0.5), (200, 0.1, 0.5), (1000, 0.02, 0.5), (1000, 0.1, 1.0)]
)
def test_intervals_hold_for_the_population(n: int, p: float, epsilon: float) -> None:
    chance = np.random.default_rng(61)
    successes = chance.binomial(n, p, RUNS)
    noise = chance.laplace(scale=1 / epsilon, size=(2, RUNS))
    low, high = score_intervals(successes + noise[0], n - successes + noise[1], 1 / epsilon)
    held = float(np.mean((low <= p) & (p <= high)))
    assert 0.95 - 4 * math.sqrt(0.05 * 0.95 / RUNS) <= held <= 0.985
