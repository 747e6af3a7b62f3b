"""Budgets in mu^2: what pure events cost there, against their trade-off curves, and what a sum implies."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from flint import arb

from dpduck.kernel.accounting.composition import Cost, cost_of
from dpduck.kernel.accounting.conversion import epsilon_at, rho_limit
from dpduck.kernel.accounting.events import (
    ClampedSums,
    Composed,
    DistinctCounts,
    Event,
    GaussianKeys,
    GaussianNoise,
    GumbelTopK,
    Histogram,
    KeySelection,
    ManyQuantiles,
    NoisyCount,
    QuantileInterval,
)
from dpduck.kernel.accounting.gaussian import delta_of_gaussian, most_mu_squared
from dpduck.kernel.accounting.gdp import epsilon_at_mu_squared, mu_squared_limit, mu_squared_of
from tests.oracles.normal import ball, below
from tests.oracles.selection import precision

MILLIONTH = Fraction(1, 10**6)
STEP = Fraction(1, 10**12)
EPSILONS = ("0.0001", "0.01", "0.1", "0.5", "1", "3", "8", "20")


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_pure_event_is_at_least_as_hard_to_tell_as_its_normal_pair(epsilon: str) -> None:
    """At each level of the first error, the least second error of epsilon-DP is not below that of mu-GDP."""
    with precision(200):
        odds = ball(Fraction(epsilon)).exp()
        mu = ball(mu_squared_of(Fraction(epsilon))).sqrt()

        def pure(level: arb) -> arb:
            return (1 - odds * level).max((1 - level) / odds)

        def gaussian(level: arb) -> arb:
            return below(arb(2).sqrt() * (1 - 2 * level).erfinv() - mu)

        corner = 1 / (1 + odds)
        levels = [*(corner * i / 20 for i in range(1, 20)), *(arb(i) / 100 for i in range(1, 100))]
        assert all(gaussian(level) <= pure(level) for level in levels)
        assert 0 <= pure(corner) - gaussian(corner) < 1e-6  # they meet there, but for the last place


def test_it_is_rounded_up_and_known_where_it_is_small_and_large() -> None:
    assert [round(float(mu_squared_of(Fraction(e))), 6) for e in ("0.1", "1", "20")] == [
        0.015702,
        1.517911,
        138.260411,
    ]
    assert mu_squared_of(Fraction(0)) == 0
    assert mu_squared_of(Fraction(1, 10**9)) == STEP  # it is 1.6e-18


@pytest.mark.parametrize(
    ("epsilon", "delta", "gain"),
    [
        ("0.5", "1e-5", 1.90),
        ("1", "1e-6", 1.60),
        ("1", "1e-9", 1.41),
        ("4", "1e-6", 1.38),
        ("10", "1e-5", 1.29),
    ],
)
def test_a_cap_allows_more_than_in_rho(epsilon: str, delta: str, gain: float) -> None:
    """Both in rho, beside rho + 2 sqrt(rho ln(1 / delta)), which was used before."""
    wanted, failure = Fraction(epsilon), Fraction(delta)
    limit = mu_squared_limit(wanted, failure)
    assert 0 <= most_mu_squared(wanted, failure) - limit < STEP
    log = -math.log(failure)
    classical = (math.sqrt(log + wanted) - math.sqrt(log)) ** 2
    assert float(limit / 2) / classical == pytest.approx(gain, abs=0.011)
    assert limit / 2 > rho_limit(wanted, failure)


@pytest.mark.parametrize("mu_squared", ["0.000001", "0.04", "1", "9", "400"])
def test_the_epsilon_of_a_sum_is_the_least_in_steps(mu_squared: str) -> None:
    mu = Fraction(mu_squared)
    found = epsilon_at_mu_squared(mu, MILLIONTH)
    assert delta_of_gaussian(mu, found) <= MILLIONTH
    assert found == 0 or delta_of_gaussian(mu, found - Fraction(1, 10**9)) > MILLIONTH
    assert found <= epsilon_at(mu / 2, MILLIONTH)


def test_nothing_spent_implies_nothing() -> None:
    assert epsilon_at_mu_squared(Fraction(0), MILLIONTH) == 0
    assert epsilon_at_mu_squared(Fraction(1, 10**14), MILLIONTH) == 0
    assert mu_squared_limit(Fraction(0), MILLIONTH) == mu_squared_limit(Fraction(1), Fraction(0)) == 0


def test_gaussian_noise_costs_its_mu_and_no_delta_beside_it() -> None:
    mu_squared = most_mu_squared(Fraction(1), MILLIONTH)
    cost = cost_of(GaussianNoise(Fraction(1), MILLIONTH, mu_squared))
    assert 0 <= cost.mu_squared - mu_squared < STEP
    assert 0 <= cost.rho - mu_squared / 2 < STEP
    assert (cost.epsilon, cost.delta, cost.keys_delta) == (1, MILLIONTH, 0)


def test_keys_count_their_delta_beside_it() -> None:
    half = most_mu_squared(Fraction(1), MILLIONTH / 2)
    noisy = cost_of(GaussianKeys(Fraction(1), MILLIONTH, half))
    assert (noisy.delta, noisy.keys_delta) == (MILLIONTH, MILLIONTH / 2)
    assert cost_of(KeySelection(Fraction(1), MILLIONTH)).keys_delta == MILLIONTH
    odd = MILLIONTH + Fraction(1, 10**18)
    assert cost_of(GaussianKeys(Fraction(1), odd, half)).keys_delta == (odd + Fraction(1, 10**18)) / 2


@pytest.mark.parametrize(
    ("event", "parts"),
    [
        (NoisyCount(Fraction(1)), 1),
        (Histogram(Fraction(1), groups=16), 16),
        (KeySelection(Fraction(1), MILLIONTH, groups=4), 4),
        (ClampedSums(Fraction(1)), 2),
        (DistinctCounts(Fraction(1)), 2),
        (ManyQuantiles(Fraction(1), levels=7, groups=3), 21),
        (QuantileInterval(Fraction(1), groups=3), 9),
        (Event(Fraction(1), MILLIONTH), 1),
    ],
)
def test_independent_parts_add_up(event: Event, parts: int) -> None:
    assert cost_of(event).mu_squared == parts * mu_squared_of(Fraction(1, parts))
    both = cost_of(Composed.of(event, event))
    assert both == cost_of(event) * 2 == cost_of(event) + cost_of(event)
    assert both - cost_of(event) == cost_of(event)
    assert cost_of(event) * 0 == Cost()


def test_choices_cost_a_quarter_of_what_pure_events_cost() -> None:
    """pi epsilon^2 / (8 k) against pi epsilon^2 / (2 k): the range of each ratio is half as wide."""
    cost = cost_of(GumbelTopK(Fraction(1), k=10))
    assert float(cost.mu_squared) == pytest.approx(math.pi / 80, abs=1e-11)
    assert cost.mu_squared < 10 * mu_squared_of(Fraction(1, 10)) / 3.9
    assert cost.rho == Fraction(1, 80)
