"""Intervals for a population: their sampling part by definition, that of clusters, and coverage."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.accuracy.moments import held, weights_of
from dpduck.kernel.mechanisms.deviations import REACH, STATISTICS, Extent, Sums, estimates, half_width_if_even
from dpduck.kernel.mechanisms.populations import FOURTH, NORMAL, sampling_of
from dpduck.kernel.mechanisms.populations import STATISTICS as OF_POPULATIONS
from tests.depth import depth

Floats = NDArray[np.float64]
RUNS = depth(2000, 1000, 400)
SPANS = [Extent(-10.0, 40.0), Extent(3.0, 5.0)]
N = 100_000  # so many that corrections for few values do not matter


def pair_weights(y: Floats, x: Floats) -> Floats:
    return np.einsum("in,jn->ij", *(np.stack([(1 - u) ** 2, 2 * u * (1 - u), u * u]) for u in (y, x))).ravel()


def places() -> tuple[Floats, Floats]:
    chance = np.random.default_rng(5)
    x = chance.beta(2, 4, N)
    return np.clip(0.1 + 0.6 * x + 0.1 * chance.normal(size=N), 0, 1), x


def half_width(name: str, rows: int = 1) -> float:
    y, x = places()
    both = len(STATISTICS) and name.startswith(("covar", "regr"))
    sums = pair_weights(y, x) if both else weights_of(y[None, :], 4 if name in FOURTH else 2)[0]
    found = estimates(name, sums[None, :], 1e-12, SPANS, sampling_of(name, rows))
    return float(found.highs[0] - found.lows[0]) / 2


def by_definition(name: str) -> float:
    y, x = (span.low + span.width * u for span, u in zip(SPANS, places(), strict=True))
    dy, dx = y - y.mean(), x - x.mean()
    slope = np.mean(dy * dx) / np.var(x)
    residual = np.var(dy - slope * dx)
    influence = {
        "avg": np.var(y),
        "var": np.var(dy**2),
        "stddev": np.var(dy**2) / (4 * np.var(y)),
        "covar": np.var(dy * dx),
        "regr_slope": residual / np.var(x),
        "regr_intercept": residual * (1 + x.mean() ** 2 / np.var(x)),
    }[name if name.startswith("regr") else name.partition("_")[0]]
    return NORMAL * math.sqrt(influence / N)


@pytest.mark.parametrize("name", sorted(OF_POPULATIONS))
def test_without_noise_the_half_width_is_that_of_sampling(name: str) -> None:
    assert half_width(name) == pytest.approx(by_definition(name), rel=1e-3)
    assert half_width(name, rows=4) == pytest.approx(2 * half_width(name), rel=1e-3)


def test_squares_of_both_parts_add_up() -> None:
    sums = weights_of(places()[0][None, :200], 2)
    scale = 1.0
    parts = [
        estimates("avg", sums, each, SPANS, sampling)
        for each, sampling in ((scale, None), (1e-12, sampling_of("avg", 1)), (scale, sampling_of("avg", 1)))
    ]
    noise, sampling, both = (float(one.highs[0] - one.lows[0]) / 2 for one in parts)
    assert both == pytest.approx(math.hypot(noise, sampling), rel=0.02)


@pytest.mark.parametrize("degree", [2, 4])
def test_weights_of_each_degree_give_the_powers(degree: int) -> None:
    u = places()[0][:50]
    sums = weights_of(u[None, :], degree)
    assert sums.sum() == pytest.approx(50)
    moments = Sums(sums, 0.0)
    for power in range(degree + 1):
        assert moments.mean_power(power)[0] == pytest.approx(np.mean(u**power))
    assert moments.mean(0).value[0] == pytest.approx(u.mean())
    assert moments.variance(0).value[0] == pytest.approx(u.var())


def test_weights_of_degree_four_are_a_partition_of_whole_ticks() -> None:
    """So one value moves the sums by T^4 together, and noise of rate epsilon / T^4 hides it."""
    for ticks, v in itertools.product((1, 2, 7), range(8)):
        if v <= ticks:
            own = [math.comb(4, j) * v**j * (ticks - v) ** (4 - j) for j in range(5)]
            assert min(own) >= 0
            assert sum(own) == ticks**4


def test_fourth_moments_stay_within_what_is_possible() -> None:
    """A few ones among zeros: the fourth moment is nearly the variance, four times the bound V / 4."""
    ones = np.zeros((1, 1000))
    ones[0, :20] = 1
    sums = weights_of(ones, 4)
    found = sampling_of("var_pop", 1)(Sums(sums, 0.0), SPANS, np.zeros(1))[0]
    truth = np.var((ones - 0.02) ** 2) / 1000 * NORMAL**2
    assert found == pytest.approx(truth, rel=0.01)
    assert found > 3 * (0.0196 / 4 - 0.0196**2) / 1000 * NORMAL**2
    noisy = sums + 400 * np.array([[1, -1, 1, -1, 1]])
    assert sampling_of("var_pop", 1)(Sums(noisy, 0.0), SPANS, np.zeros(1))[0] >= 0


def test_the_population_has_no_narrower_interval_than_the_table() -> None:
    chance = np.random.default_rng(9)
    for name in sorted(OF_POPULATIONS):
        cells = 9 if name.startswith(("covar", "regr")) else 5 if name in FOURTH else 3
        sums = chance.exponential(20, (200, cells)) + chance.laplace(size=(200, cells))
        alone = estimates(name, sums, 1.0, SPANS)
        both = estimates(name, sums, 1.0, SPANS, sampling_of(name, 1))
        assert (both.lows <= alone.lows + 1e-9).all()
        assert (both.highs >= alone.highs - 1e-9).all()
        assert np.array_equal(both.values, alone.values, equal_nan=True)


def test_an_average_without_noise_and_its_expected_error() -> None:
    u = places()[0][:1000]
    found = estimates("avg", weights_of(u[None, :], 2), 1e-9, SPANS)
    assert found.values[0] == pytest.approx(-10 + 40 * u.mean())
    noise = half_width_if_even("avg", 1000, 1.0, SPANS[:1])
    assert noise == pytest.approx(40 * REACH * math.sqrt(0.5) / 1000, rel=0.01)
    assert half_width_if_even("avg", 1000, 1.0, SPANS[:1], sampling=sampling_of("avg", 1)) > noise


@pytest.mark.parametrize("name", ["avg", "stddev_samp", "regr_slope"])
@pytest.mark.parametrize(("n", "epsilon"), [(200, 1.0), (1000, 0.5)])
def test_intervals_hold_for_the_population(name: str, n: int, epsilon: float) -> None:
    found = held(name, n, epsilon, np.random.default_rng(n), RUNS)
    allowed = 4 * math.sqrt(0.05 * 0.95 / RUNS)
    assert 0.95 - allowed <= found.of_population <= 0.985
    assert 0.95 - allowed <= found.of_table
