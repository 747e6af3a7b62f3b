"""Choosing winners beside Gaussian noise: the price covers the worst coins, also if picked in turn."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import cache
from statistics import NormalDist

import pytest

from dpduck.kernel.accounting.choices import holds, mu_squared_beside, rho_of_choices
from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.conversion import rho_limit
from dpduck.kernel.accounting.events import GaussianTopK
from dpduck.kernel.accounting.gaussian import delta_of_gaussian, most_mu_squared
from dpduck.kernel.errors import InternalError
from tests.oracles import peeling
from tests.oracles.privacy import Scores, monotonic_neighbours

ONE = Fraction(1)
MILLIONTH = Fraction(1, 10**6)
NORMAL = NormalDist()
CASES = [(1, 0.8), (2, 0.5), (3, 0.4), (3, 0.15)]  # k and the rate, at epsilon 1
DELTAS = [Fraction(1, 10), Fraction(1, 100), Fraction(1, 10**4)]


def delta_of_normal(mu: float, epsilon: float) -> float:
    """What a normal number that moves by mu of its deviations exceeds e^epsilon by."""
    if mu <= 0:
        return max(1 - math.exp(epsilon), 0.0)
    low = NORMAL.cdf(mu / 2 - epsilon / mu)
    return low - math.exp(epsilon) * NORMAL.cdf(-mu / 2 - epsilon / mu)


def worst_coins(k: int, rate: float, mu: float, epsilon: float) -> float:
    """The delta of k coins and then a normal number: each coin is the worst after what was seen.

    A coin shows e^t or e^(t - rate) as the ratio of its two probabilities, at any t from 0 to the rate.
    """
    ends = [rate * i / 12 for i in range(1, 12)]

    @cache
    def best(left: int, loss: float) -> float:
        if not left:
            return delta_of_normal(mu, loss)
        found = []
        for t in ends:
            p = (1 - math.exp(rate - t)) / (math.exp(-t) - math.exp(rate - t))  # sum of q: p e^-t + ... = 1
            found.append(
                p * best(left - 1, round(loss - t, 9)) + (1 - p) * best(left - 1, round(loss - t + rate, 9))
            )
        return max(found)

    return best(k, epsilon)


@pytest.mark.parametrize("delta", DELTAS, ids=float)
@pytest.mark.parametrize(("k", "rate"), CASES)
def test_the_worst_coins_in_turn_are_within_delta(k: int, rate: float, delta: Fraction) -> None:
    exact = Fraction(rate).limit_denominator(100)
    left = mu_squared_beside(k, exact, ONE, delta)
    if left:
        assert worst_coins(k, rate, math.sqrt(left), 1.0) <= delta * (1 + Fraction(1, 10**6))


def test_that_delta_is_nearly_needed() -> None:
    """At delta 0.1 the coins are nearly normal together, and the price is within a factor of 2."""
    left = mu_squared_beside(3, Fraction(1, 4), ONE, Fraction(1, 10))
    assert worst_coins(3, 0.25, math.sqrt(left), 1.0) > 0.05


@pytest.mark.parametrize("scores", [(0, 0, 1), (2, 2, 1), (0, 0, 0, 0)])
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("delta", DELTAS, ids=float)
def test_whole_releases_are_within_delta(scores: Scores, k: int, delta: Fraction) -> None:
    """All orders of winners, then their counts with independent noise: both ways, exactly but for floats."""
    rate = Fraction(3, 10)
    left = mu_squared_beside(k, rate, ONE, delta)
    x = Fraction(math.exp(-rate))
    here = peeling.one_after_another(scores, x)
    for other in set(monotonic_neighbours(scores)) - {tuple(scores)}:
        there = peeling.one_after_another(other, x)
        for one, two in ((here, there), (there, here)):
            needed = 0.0
            for order in peeling.orders(len(scores), k):
                p, q = float(one(order)), float(two(order))
                moved = sum(scores[i] != other[i] for i in order)
                mu = math.sqrt(float(left) * moved / k)
                needed += p * delta_of_normal(mu, 1.0 - math.log(p / q))
            assert needed <= delta


def slope(z: float) -> float:
    """g' of the proof, as a function of z."""
    return NORMAL.cdf(z) * NORMAL.cdf(-z) / NORMAL.pdf(z)


def test_a_choice_is_gaussian_with_the_stated_mu() -> None:
    assert slope(0) ** 2 == pytest.approx(math.pi / 8)
    assert all(slope(z / 50) < slope((z - 1) / 50) for z in range(1, 300))
    for rate, logit in itertools.product((0.1, 1.0, 3.0), (-4.0, -1.5, -0.5, 0.0, 2.0)):
        p, q = (1 / (1 + math.exp(-x)) for x in (logit + rate, logit))
        moved = NORMAL.inv_cdf(p) - NORMAL.inv_cdf(q)
        assert moved**2 <= math.pi / 8 * rate**2
        if logit == -rate / 2 and rate == 1.0:
            assert moved**2 > 0.99 * math.pi / 8


def check_conditions() -> None:
    """What is left is allowed, and a millionth more is not, by either condition."""
    for k, rate, delta in [
        (40, Fraction(1, 20), MILLIONTH),  # by rho
        (40, Fraction(1, 200), MILLIONTH),  # as Gaussian
        (3, Fraction(1, 10), Fraction(1, 100)),
        (10_000, Fraction(1, 1000), MILLIONTH),
    ]:
        left = mu_squared_beside(k, rate, ONE, delta)
        assert left > 0
        assert holds(k, rate, left, ONE, delta)
        assert not holds(k, rate, left * Fraction(1_000_001, 1_000_000), ONE, delta)


def check_worst_coins() -> None:
    """As `test_the_worst_coins_in_turn_are_within_delta`, where condition 2 is the one that holds."""
    left = mu_squared_beside(3, Fraction(2, 5), ONE, Fraction(1, 10))
    assert worst_coins(3, 0.4, math.sqrt(left), 1.0) <= 0.1


def test_what_is_left_is_all_that_is_left() -> None:
    check_conditions()
    check_worst_coins()


def test_both_conditions_are_of_use() -> None:
    by_rho = 2 * rho_limit(ONE, MILLIONTH) - 40 * Fraction(1, 20) ** 2 / 4
    assert abs(mu_squared_beside(40, Fraction(1, 20), ONE, MILLIONTH) - by_rho) < Fraction(1, 10**17)
    few = mu_squared_beside(40, Fraction(1, 200), ONE, MILLIONTH)
    assert few > 2 * rho_limit(ONE, MILLIONTH) - 40 * Fraction(1, 200) ** 2 / 4
    assert delta_of_gaussian(few + Fraction(40, 8 * 200**2) * Fraction(314159, 100000), ONE) <= MILLIONTH
    assert few < most_mu_squared(ONE, MILLIONTH)


def test_where_choosing_takes_all_nothing_is_left() -> None:
    assert mu_squared_beside(40, ONE, ONE, MILLIONTH) == 0


def test_rho_is_of_both_and_rounded_up() -> None:
    assert rho_of_choices(40, Fraction(1, 20), Fraction(1, 50)) == Fraction(9, 400)
    assert rho_of_choices(1, Fraction(1, 10**7), Fraction(0)) == Fraction(1, 10**12)


def test_an_event_has_a_price_only_if_it_costs_what_it_claims() -> None:
    rate = Fraction(1, 20)
    left = mu_squared_beside(40, rate, ONE, MILLIONTH)
    event = GaussianTopK(ONE, MILLIONTH, 40, rate, left)
    assert cost_of(event).rho == rho_of_choices(40, rate, left)
    for wrong in (
        GaussianTopK(ONE, MILLIONTH, 41, rate, left),
        GaussianTopK(ONE, MILLIONTH, 40, rate * 2, left),
        GaussianTopK(ONE, MILLIONTH, 40, rate, left * 2),
        GaussianTopK(ONE / 2, MILLIONTH, 40, rate, left),
        GaussianTopK(ONE, MILLIONTH / 10, 40, rate, left),
        GaussianTopK(ONE, Fraction(0), 40, rate, left),
    ):
        with pytest.raises(InternalError):
            cost_of(wrong)
