"""From rho to (epsilon, delta) and back: the values that are known, and what holds of all."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpduck.kernel.accounting.amounts import RHO_PLACES
from dpduck.kernel.accounting.conversion import epsilon_at, rho_limit, share_of_delta

MILLIONTH = Fraction(1, 10**6)
STEP = Fraction(1, 10**RHO_PLACES)

DELTAS = [Fraction(1, 10**places) for places in (1, 3, 5, 6, 9, 12, 18)] + [Fraction(1, 2), Fraction(9, 10)]
EPSILONS = [Fraction(*pair) for pair in ((1, 1000), (1, 10), (1, 2), (1, 1), (2, 1), (10, 1), (1000, 1))]


def classical(rho: float, delta: Fraction) -> float:
    """The epsilon of Bun and Steinke (2016)."""
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))


@pytest.mark.parametrize(
    ("epsilon", "places", "rho"),
    [
        ("0.5", 5, 0.008506),
        ("0.5", 6, 0.006642),
        ("0.5", 9, 0.003953),
        ("1", 5, 0.030557),
        ("1", 6, 0.024356),
        ("1", 9, 0.014973),
        ("2", 6, 0.088153),
        ("2", 9, 0.056131),
        ("4", 6, 0.311065),
        ("10", 5, 1.78270),
        ("10", 6, 1.53928),
    ],
)
def test_limits_that_were_computed_elsewhere(epsilon: str, places: int, rho: float) -> None:
    assert float(rho_limit(Fraction(epsilon), Fraction(1, 10**places))) == pytest.approx(rho, abs=5e-6)


def test_an_epsilon_that_was_computed_elsewhere() -> None:
    assert float(epsilon_at(Fraction(1, 50), MILLIONTH)) == pytest.approx(0.899935, abs=1e-6)


def decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def check_safe_side(epsilon: Fraction, delta: Fraction) -> None:
    """Both are within a step of the exact bounds at the best order, and on the safe side of them."""
    limit = rho_limit(epsilon, delta)
    orders = [Decimal(1) + Decimal(step) / 2000 for step in range(1, 100_000, 7)]
    spare = Decimal("1e-16")  # of orders between those of the grid, and of the digits

    def implied(order: Decimal, rho: Decimal) -> Decimal:
        loss = -(order * decimal(delta)).ln() / (order - 1)
        return order * rho + loss + (1 - 1 / order).ln()

    rho = decimal(limit)
    best = min(orders, key=lambda order: implied(order, rho))
    near = [best + Decimal(step) / 10**6 for step in range(-5000, 5000)]
    exact = min(implied(order, rho) for order in near)
    assert exact - spare <= decimal(epsilon_at(limit, delta)) <= exact + Decimal("1.01e-9")
    assert exact <= decimal(epsilon) + spare
    assert min(implied(order, rho + Decimal(2) / 10**12) for order in near) > decimal(epsilon)


@pytest.mark.slow
def test_it_is_rounded_to_the_safe_side() -> None:
    check_safe_side(Fraction(1), MILLIONTH)


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_limit_is_the_largest_rho_that_is_within(epsilon: Fraction, delta: Fraction) -> None:
    limit = rho_limit(epsilon, delta)
    assert epsilon_at(limit, delta) <= epsilon
    assert epsilon_at(limit * (1 + Fraction(1, 10**5)) + Fraction(1, 10**8), delta) > epsilon


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("rho", ["0.000000000001", "0.0000004", "0.001", "0.02", "0.5", "3", "100"])
def test_it_is_never_above_the_classical_bound(rho: str, delta: Fraction) -> None:
    assert float(epsilon_at(Fraction(rho), delta)) <= classical(float(rho), delta) + 1e-9


@pytest.mark.parametrize("delta", DELTAS)
def test_a_limit_never_falls_short_of_the_classical_one(delta: Fraction) -> None:
    for epsilon in EPSILONS:
        log = -math.log(delta)
        before = (math.sqrt(log + float(epsilon)) - math.sqrt(log)) ** 2
        assert float(rho_limit(epsilon, delta)) >= before * (1 - 1e-9) - 1e-12


amounts = st.fractions(min_value=STEP, max_value=50, max_denominator=10**RHO_PLACES)
shares = st.fractions(min_value=Fraction(1, 10**18), max_value=Fraction(99, 100), max_denominator=10**18)


@given(amounts, amounts, shares, shares)
def test_both_are_monotone(one: Fraction, other: Fraction, delta: Fraction, more: Fraction) -> None:
    low, high = sorted((one, other))
    small, large = sorted((delta, more))
    assert epsilon_at(low, small) <= epsilon_at(high, small)
    assert epsilon_at(low, large) <= epsilon_at(low, small)
    assert rho_limit(low, small) <= rho_limit(high, small)
    assert rho_limit(low, small) <= rho_limit(low, large)


@given(st.integers(1, 50 * 10**9).map(lambda steps: Fraction(steps, 10**9)), shares)
def test_what_is_within_the_limit_implies_no_more(epsilon: Fraction, delta: Fraction) -> None:
    limit = rho_limit(epsilon, delta)
    assert (limit * 10**RHO_PLACES).denominator == 1
    assert epsilon_at(limit, delta) <= epsilon


@pytest.mark.parametrize("delta", [MILLIONTH, Fraction(1, 10**3)])
@pytest.mark.parametrize("rho", [0.01, 0.5, 4.0])
def test_the_exact_delta_of_a_gaussian_is_below_what_is_claimed(rho: float, delta: Fraction) -> None:
    """A Gaussian of mu = sqrt(2 rho) is rho-zCDP, and its delta at each epsilon is known."""
    epsilon, mu = float(epsilon_at(Fraction(str(rho)), delta)), math.sqrt(2 * rho)

    def below(x: float) -> float:
        return math.erfc(-x / math.sqrt(2)) / 2

    exact = below(mu / 2 - epsilon / mu) - math.exp(epsilon) * below(-mu / 2 - epsilon / mu)
    assert exact <= float(delta)
    assert exact >= float(delta) / 20  # nor is it given away


def test_it_is_as_good_as_any_order_of_a_grid() -> None:
    rho, delta = 0.02, 1e-6
    orders = [1 + math.exp(step / 50) for step in range(-300, 500)]
    best = min(a * rho + math.log(1 / (a * delta)) / (a - 1) + math.log1p(-1 / a) for a in orders)
    assert float(epsilon_at(Fraction(1, 50), MILLIONTH)) <= best + 1e-9


def test_without_a_delta_there_is_no_room_in_rho() -> None:
    assert rho_limit(Fraction(1), Fraction(0)) == 0
    assert rho_limit(Fraction(0), Fraction(1, 2)) == 0
    assert epsilon_at(Fraction(0), MILLIONTH) == 0


def test_what_is_spent_so_slowly_implies_nothing() -> None:
    assert epsilon_at(STEP, Fraction(9, 10)) == 0
    for one, other in itertools.pairwise([epsilon_at(STEP * 10**n, Fraction(1, 10)) for n in range(10)]):
        assert one <= other


def test_half_of_a_delta_is_exact() -> None:
    assert share_of_delta(MILLIONTH) == MILLIONTH / 2
    assert share_of_delta(Fraction(3, 10**18)) == Fraction(1, 10**18)
