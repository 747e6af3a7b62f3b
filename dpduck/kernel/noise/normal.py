"""The quantile of the standard normal distribution: exactly, in balls; and in floats with a proven error.

Z = z(u) is the number that a standard normal variable exceeds with probability u, and u a uniform number at
most 1/2; the sign is a coin of its own. numpy has no such function, and none whose error is proven. So it is
computed here, from a table of polynomials.

Theorem. For every whole t from 2^44 to 2^63 - 1, and every u in [t, t + 1] / 2^64, `upper_quantile(t)` is
within `ERROR` of z(u).
Proof. `_clipped` moves t by at most 2^10, and rounds it to a double t', so that |t' / 2^64 - u| <= 2^-52 u +
2^-64 (`moved`). The 4 bits after the leading bit of t' name one of 16 segments of its octave, of which c is
the middle, h half the width (both over 2^64), and s = (t' / 2^64 - c) / h in [-1, 1) is computed without
rounding: it is 2^-47 times a whole number below 2^48, less 1. With g(z) = 1 / phi(z) = sqrt(2 pi) e^(z^2 /
2), z' = -g and g' = z g, so that the n-th derivative is (-1)^n P_n(z) g^n, P_1 = 1, P_(n+1) = P_n' + n z P_n.
All coefficients of P_n are at least 0, so its size grows with z, and is largest at the left end of the
segment, z being at least 0. Hence Taylor's polynomial of degree d = 8 is within (h g)^(d+1) P_(d+1)(z) /
(d+1)!, at the left end, of z (`remainder`). Its coefficients k_n, of powers of s, are rounded to doubles, and
Horner's rule of degree d in doubles has a relative error of each term of at most (1 + 2^-53)^(2d+1) - 1,
which with that rounding is less than 20 * 2^-53 (Higham 2002, Section 5.1): in all 20 * 2^-53 sum |k_n|
(`rounded`). And u differs from the argument used by at most `moved`, which moves z by at most g times as
much, g at a u that is smaller by a factor of 1 - 2^-43 at most than the left end, where g is larger by far
less than a hundredth (`shifted`). The sum of the three is computed in balls for each segment when the table
is made, and must be below `ERROR`. QED
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from flint import arb, ctx, fmpz_poly
from numpy.typing import NDArray

from dpduck.kernel.errors import InternalError
from dpduck.kernel.noise.entropy import Words
from dpduck.kernel.noise.uniform import Floats, Uniform, settle

ERROR = 2.0**-42

_LOWEST = 44  # in the table, t is at least 2^44, and below 2^63
_BITS = 4  # that name a segment of an octave
_DEGREE = 8
_MANTISSA = 52
_REST = np.uint64((1 << (_MANTISSA - _BITS)) - 1)
_FIRST = np.int64((1023 + _LOWEST) << _BITS)  # the number of the first segment, as the bits of its doubles
_PRECISION = 96  # of the table, in binary digits
_LARGEST = np.uint64((1 << 63) - (1 << 10))  # the largest double below 2^63


def folded(words: Words) -> tuple[Words, NDArray[np.bool_]]:
    """The tails of normal numbers: t with u in [t, t + 1] / 2^64, below 2^63; and which are below 0.

    Input: the first 64 digits of uniform numbers V. The normal number is below 0 if V is below 1/2.
    """
    negative = words < np.uint64(1 << 63)
    return np.where(negative, words, ~words), negative


def in_table(tails: Words) -> NDArray[np.bool_]:
    """Of which tails `upper_quantile` knows the quantile."""
    return tails >= np.uint64(1 << _LOWEST)


def upper_quantile(tails: Words) -> Floats:
    """z(u) for each tail, within `ERROR`; any number for those that are not in the table."""
    bits = _clipped(tails).view(np.uint64)
    place = (bits >> np.uint64(_MANTISSA - _BITS)).view(np.int64) - _FIRST
    s = (bits & _REST).astype(np.float64)
    s *= 2.0 ** (1 - _MANTISSA + _BITS)
    s -= 1.0
    table = _table()
    z: Floats = table[_DEGREE].take(place)
    for power in reversed(range(_DEGREE)):
        z *= s
        z += table[power].take(place)
    return z


def normal_ball(number: Uniform) -> arb:
    """A ball that contains the standard normal number of a uniform one, as narrow as its digits allow."""
    last = (1 << number.length) - 1
    negative = number.digits >> (number.length - 1) == 0
    tail = number.digits if negative else last - number.digits
    z = ((arb(2 * tail + 1) + arb(0, 1)) * arb(2) ** -number.length).erfcinv() * arb(2).sqrt()
    return -z if negative else z


def _clipped(tails: Words) -> Floats:
    return np.clip(tails, np.uint64(1 << _LOWEST), _LARGEST).astype(np.float64)


@lru_cache(maxsize=1)
def _table() -> tuple[Floats, ...]:
    """The coefficients of all segments: an array for each power. Takes about 0.1 s, once."""
    segments = [(octave, place) for octave in range(_LOWEST, 63) for place in range(1 << _BITS)]
    rows = settle(lambda: _segments(segments))
    table = np.array([coefficients for coefficients, _ in rows])
    if not max(error for _, error in rows) < ERROR:
        raise InternalError("the table of normal quantiles is not as exact as proven")
    return tuple(np.ascontiguousarray(column) for column in table.T)


def _segments(places: list[tuple[int, int]]) -> list[tuple[tuple[float, ...], float]]:
    with ctx.workprec(_PRECISION):
        return [_segment(*place) for place in places]


def _segment(octave: int, place: int) -> tuple[tuple[float, ...], float]:
    """The coefficients of one segment, and a bound on the error there."""
    half = arb(2) ** (octave - _BITS - 1 - 64)
    left = arb(2) ** (octave - _BITS - 64) * ((1 << _BITS) + place)
    middle, end = _quantile(left + half), _quantile(left)
    exact = [middle, *(_term(n, middle, half) for n in range(1, _DEGREE + 1))]
    remainder = abs(_term(_DEGREE + 1, end, half))
    rounded = sum(map(abs, exact), arb(0)) * 20 * arb(2) ** -53
    moved = arb(2) ** -52 * (left + 2 * half) + arb(2) ** -64
    shifted = moved * _slope(end) * 1.01
    error = math.nextafter(float((remainder + rounded + shifted).upper()), math.inf)
    return tuple(float(one.mid()) for one in exact), error


def _quantile(u: arb) -> arb:
    return (2 * u).erfcinv() * arb(2).sqrt()


def _slope(z: arb) -> arb:
    return (2 * arb.pi()).sqrt() * (z * z / 2).exp()


def _term(n: int, z: arb, half: arb) -> arb:
    """The coefficient of ((u - c) / half)^n in the series of the quantile around c, of which z is that."""
    return (-half * _slope(z)) ** n * _polynomial(n)(z) / math.factorial(n)


@lru_cache
def _polynomial(n: int) -> fmpz_poly:
    """P_n, n at least 1."""
    if n == 1:
        return fmpz_poly([1])
    before = _polynomial(n - 1)
    return before.derivative() + (n - 1) * fmpz_poly([0, 1]) * before
