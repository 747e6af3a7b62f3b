"""Exact sums over the integers: the delta that whole noise really has, from its probabilities alone."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb, fmpq

Law = Callable[[int], arb]


def ball(number: Fraction) -> arb:
    return arb(fmpq(number.numerator, number.denominator))


def below(x: arb) -> arb:
    """Phi(x)."""
    return (-x / arb(2).sqrt()).erfc() / 2


def rounded_gaussian(variance: Fraction) -> Law:
    """P(floor(X + 1/2) = k) for a normal X."""
    sd = ball(variance).sqrt()

    def law(k: int) -> arb:
        low, high = (abs(k) - arb(0.5)) / sd, (abs(k) + arb(0.5)) / sd
        return below(-low) - below(-high)

    return law


def discrete_gaussian(variance: Fraction, reach: int) -> Law:
    """P(k) proportional to e^(-k^2 / (2 variance)) (Canonne, Kamath, Steinke 2020)."""

    def weight(k: int) -> arb:
        return (-ball(Fraction(k * k) / (2 * variance))).exp()

    total = sum(map(weight, range(-reach, reach + 1)), arb(0))
    return lambda k: weight(k) / total


def delta_of_shift(law: Law, epsilon: Fraction, shift: int, reach: int) -> arb:
    """The sum of (P(k) - e^epsilon P(k + shift))+: the delta of a count that moves so far, at least."""
    factor, total = ball(epsilon).exp(), arb(0)
    for k in range(-reach, reach + 1):
        excess = law(k) - factor * law(k + shift)
        total += excess if excess > 0 else 0
    return total
