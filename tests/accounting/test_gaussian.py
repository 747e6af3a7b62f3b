"""The delta of Gaussian noise against mpmath, the least noise, and the discrete noise it is not for."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import Composed, GaussianNoise, NoisyCount
from dpduck.kernel.accounting.gaussian import delta_of_gaussian, most_mu_squared
from dpduck.kernel.errors import InternalError
from tests.oracles.normal import ball, delta_of_shift, discrete_gaussian, rounded_gaussian
from tests.oracles.selection import precision

# mu, epsilon, delta(mu, epsilon) from mpmath with 60 digits: ncdf(mu/2 - e/mu) - exp(e) ncdf(-mu/2 - e/mu)
POINTS = (
    ("1/1000", "1/10000", "0.000350952862015665876"),
    ("1/100", "1/100", "0.000837324267477342328"),
    ("1/10", "1/10", "0.00875176814580959398"),
    ("1/10", "1/2", "6.85658245583872656e-9"),
    ("1/4", "1", "2.92427210485640735e-6"),
    ("1/4", "1/1000", "0.0990267547493768805"),
    ("1/2", "1/2", "0.0524403232876696617"),
    ("1/2", "3", "3.40091173567352882e-10"),
    ("1", "0", "0.382924922548026207"),
    ("1", "1", "0.126936737506643946"),
    ("1", "5", "5.7937216919194941e-7"),
    ("1", "20", "2.66470670536549765e-86"),
    ("3/2", "1/10", "0.523965774632627079"),
    ("2", "2", "0.331897998776829394"),
    ("2", "8", "0.000495401738938745361"),
    ("3", "1", "0.787600741360384534"),
    ("4", "8", "0.405589358698031063"),
    ("5", "20", "0.0473229641885196586"),
    ("10", "20", "0.998029181465427634"),
    ("1/50", "1/10", "1.12400123569224741e-9"),
)
MILLIONTH = Fraction(1, 10**6)
TENTH_OF_BILLION = Fraction(1, 10**10)


def sigma(epsilon: object, delta: Fraction) -> float:
    """Of a count that one unit moves by 1."""
    return 1 / math.sqrt(most_mu_squared(Fraction(str(epsilon)), delta))


@pytest.mark.parametrize(("mu", "epsilon", "delta"), POINTS)
def test_delta_is_that_of_mpmath_rounded_up(mu: str, epsilon: str, delta: str) -> None:
    found, exact = delta_of_gaussian(Fraction(mu) ** 2, Fraction(epsilon)), Fraction(delta)
    assert (
        exact * (1 - Fraction(1, 10**17)) <= found <= exact * (1 + Fraction(1, 10**17)) + Fraction(1, 10**18)
    )


@pytest.mark.parametrize(
    ("epsilon", "delta", "expected"),
    [
        (1, MILLIONTH, 4.224679),
        (0.5, MILLIONTH, 8.0577 - 8.1e-5),
        (0.1, MILLIONTH, 36.304690),
        (2, MILLIONTH, 2.230476),
        (8, MILLIONTH, 0.652935),
        (1, Fraction(1, 10**9), 5.495266),
        (20, Fraction(1, 10**17), 0.468602),
    ],
)
def test_the_least_noise(epsilon: float, delta: Fraction, expected: float) -> None:
    assert sigma(epsilon, delta) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("epsilon", [Fraction(1, 10_000), Fraction(1, 10), Fraction(1), Fraction(20)])
@pytest.mark.parametrize("delta", [Fraction(1, 10**18), MILLIONTH, Fraction(1, 2), Fraction(999, 1000)])
def test_what_was_found_is_enough_and_hardly_more(epsilon: Fraction, delta: Fraction) -> None:
    found = most_mu_squared(epsilon, delta)
    assert delta_of_gaussian(found, epsilon) <= delta
    more = found * (1 + TENTH_OF_BILLION) + Fraction(2, 10**18)
    assert delta_of_gaussian(more, epsilon) > delta - Fraction(1, 10**18)
    assert (found * 10**18).denominator == 1


def test_more_epsilon_or_delta_needs_less_noise() -> None:
    epsilons = [sigma(e, MILLIONTH) for e in (0.01, 0.1, 1, 10)]
    deltas = [sigma(1, Fraction(1, 10**places)) for places in (12, 9, 6, 3)]
    assert epsilons == sorted(epsilons, reverse=True)
    assert deltas == sorted(deltas, reverse=True)


def test_amounts_without_noise_are_refused() -> None:
    for epsilon, delta in ((-1, MILLIONTH), (1, Fraction(0)), (1, Fraction(1))):
        with pytest.raises(InternalError):
            most_mu_squared(Fraction(epsilon), delta)
    assert delta_of_gaussian(Fraction(0), Fraction(1)) == 0


# Trap: the discrete Gaussian does not have this delta


@pytest.mark.parametrize(("epsilon", "real"), [(1, 1.020e-6), (2, 1.100e-6), (8, 3.01e-6), (4, 4.8e-7)])
def test_rounded_noise_keeps_the_delta_and_discrete_noise_does_not(epsilon: int, real: float) -> None:
    """By exact sums over the integers: for one count, at the least noise for delta 1e-6."""
    loss, reach = Fraction(epsilon), 80
    variance = 1 / most_mu_squared(loss, MILLIONTH)
    with precision(200):
        rounded = delta_of_shift(rounded_gaussian(variance), loss, 1, reach)
        discrete = delta_of_shift(discrete_gaussian(variance, reach), loss, 1, reach)
        assert rounded <= ball(MILLIONTH)
        assert float(discrete) == pytest.approx(real, rel=0.01)
        assert bool(discrete > ball(MILLIONTH)) is (epsilon != 4)


def test_a_third_less_noise_is_caught_by_the_same_sum() -> None:
    variance = 1 / most_mu_squared(Fraction(1), MILLIONTH)
    with precision(200):
        law = rounded_gaussian(variance * Fraction(9, 10))
        assert delta_of_shift(law, Fraction(1), 1, 80) > ball(MILLIONTH)


# The event


def test_its_cost_in_both_accounts() -> None:
    event = GaussianNoise(Fraction(1), MILLIONTH, Fraction(1, 25))
    cost = cost_of(Composed.of(event, NoisyCount(Fraction(1, 2))))
    assert (cost.epsilon, cost.delta) == (Fraction(3, 2), MILLIONTH)
    assert cost.rho == Fraction(1, 50) + cost_of(NoisyCount(Fraction(1, 2))).rho
    assert cost_of(GaussianNoise(Fraction(1), MILLIONTH, Fraction(1, 10**13))).rho == Fraction(1, 10**12)


def test_noise_that_is_less_than_it_claims_has_no_price() -> None:
    most = most_mu_squared(Fraction(1), MILLIONTH)
    cost_of(GaussianNoise(Fraction(1), MILLIONTH, most))
    for event in (
        GaussianNoise(Fraction(1), MILLIONTH, most * Fraction(10**9 + 1, 10**9)),
        GaussianNoise(Fraction(99, 100), MILLIONTH, most),
        GaussianNoise(Fraction(1), Fraction(0), most),
    ):
        with pytest.raises(InternalError, match="less than its epsilon and delta need"):
            cost_of(Composed.of(event))
