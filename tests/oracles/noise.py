"""Geometric and discrete Laplace laws in exact arithmetic, and exact infinite sums of their products."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Literal, NamedTuple

from flint import fmpq

Noise = Literal["geometric", "laplace"]


class Factor(NamedTuple):
    """One factor of a summand over integers z: mass or distribution function of a noise at z - shift."""

    noise: Noise
    function: Literal["pmf", "cdf"]
    shift: int


def geometric_pmf(x: int, p: Fraction) -> Fraction:
    """P(G = x) where P(G >= g) = p^g.

    >>> geometric_pmf(2, Fraction(1, 2))
    Fraction(1, 8)
    """
    return (1 - p) * p**x if x >= 0 else Fraction(0)


def geometric_cdf(x: int, p: Fraction) -> Fraction:
    """P(G <= x)."""
    return 1 - p ** (x + 1) if x >= 0 else Fraction(0)


def discrete_laplace_pmf(x: int, p: Fraction) -> Fraction:
    """P(X = x) proportional to p^|x|, the law of the difference of two independent geometric draws.

    >>> discrete_laplace_pmf(0, Fraction(1, 2))
    Fraction(1, 3)
    """
    return (1 - p) / (1 + p) * p ** abs(x)


def discrete_laplace_cdf(x: int, p: Fraction) -> Fraction:
    """P(X <= x)."""
    return 1 - p ** (x + 1) / (1 + p) if x >= 0 else p**-x / (1 + p)


def geometric_variance(p: Fraction) -> Fraction:
    """Variance of a geometric draw; the discrete Laplace law has twice this."""
    return p / (1 - p) ** 2


def _right_form(factor: Factor, p: fmpq) -> tuple[fmpq, fmpq]:
    """Coefficients c0, c1 such that the factor is c0 + c1 p^(z - shift) for z >= shift."""
    scale = 1 / (1 + p) if factor.noise == "laplace" else fmpq(1)
    if factor.function == "pmf":
        return fmpq(0), (1 - p) * scale
    return fmpq(1), -p * scale


def _left_form(factor: Factor, p: fmpq) -> fmpq:
    """Coefficient d such that the factor is d p^(shift - z) for z < shift."""
    if factor.noise == "geometric":
        return fmpq(0)
    return (1 - p if factor.function == "pmf" else fmpq(1)) / (1 + p)


def _value(factor: Factor, z: int, p: fmpq) -> fmpq:
    if z < factor.shift:
        return _left_form(factor, p) * p ** (factor.shift - z)
    constant, slope = _right_form(factor, p)
    return constant + slope * p ** (z - factor.shift)


def _right_tail(factors: Sequence[Factor], start: int, p: fmpq) -> fmpq:
    """Sum over z >= start, where every factor has its right form: a polynomial in p^(z - start)."""
    polynomial = [fmpq(1)]
    for factor in factors:
        constant, slope = _right_form(factor, p)
        slope *= p ** (start - factor.shift)
        grown = [constant * c for c in polynomial] + [fmpq(0)]
        for degree, c in enumerate(polynomial):
            grown[degree + 1] += slope * c
        polynomial = grown
    if polynomial[0] != 0:
        raise ValueError("the sum diverges: it needs at least one mass function")
    return sum((c / (1 - p**degree) for degree, c in enumerate(polynomial) if degree), fmpq(0))


def _left_tail(factors: Sequence[Factor], stop: int, p: fmpq) -> fmpq:
    """Sum over z < stop, where every factor has its left form: one geometric series."""
    product = fmpq(1)
    for factor in factors:
        product *= _left_form(factor, p) * p ** (factor.shift - stop + 1)
    return product / (1 - p ** len(factors))


@cache
def _sum_normalised(factors: tuple[Factor, ...], p: Fraction) -> Fraction:
    base = fmpq(p.numerator, p.denominator)
    low = min(f.shift for f in factors)
    high = max(f.shift for f in factors)
    total = _left_tail(factors, low, base) + _right_tail(factors, high, base)
    for z in range(low, high):
        term = fmpq(1)
        for factor in factors:
            term *= _value(factor, z, base)
        total += term
    return Fraction(int(total.p), int(total.q))


def sum_over_integers(factors: Sequence[Factor], p: Fraction) -> Fraction:
    """The exact sum over all integers z of the product of the factors: two closed tails, a finite middle.

    >>> sum_over_integers([Factor("laplace", "pmf", 7)], Fraction(1, 2))
    Fraction(1, 1)
    """
    origin = min(f.shift for f in factors)
    moved = tuple(sorted(f._replace(shift=f.shift - origin) for f in factors))
    return _sum_normalised(moved, p)
