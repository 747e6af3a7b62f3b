"""Constants in ball arithmetic, rounded to the decimal places of the ledger in a direction that is safe."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb, fmpq

from dpduck.kernel.noise.uniform import integer, settle


def ball(value: Fraction) -> arb:
    """A ball around an exact number, at the present precision."""
    return arb(fmpq(value.numerator, value.denominator))


def rounded_up(bound: Callable[[], arb], places: int) -> Fraction:
    """A constant rounded up to so many decimal places. Input: computes it at the present precision."""
    return Fraction(settle(lambda: integer((bound() * 10**places).ceil())), 10**places)


def rounded_down(bound: Callable[[], arb], places: int) -> Fraction:
    """A constant rounded down to so many decimal places."""
    return -rounded_up(lambda: -bound(), places)
