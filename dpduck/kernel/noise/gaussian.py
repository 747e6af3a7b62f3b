"""Rounded normal noise: real Gaussian noise on whole numbers, of which the sum is rounded to a whole number.

If f is whole, floor(f + X + 1/2) = f + floor(X + 1/2), so that rounding the ideal mechanism is the same as
adding a whole noise N = floor(X + 1/2), which is drawn without f. That is a function of the ideal output, and
so has its guarantee. It is not the discrete Gaussian distribution (Canonne, Kamath, Steinke, NeurIPS 2020),
for which the analytic delta of `accounting.gaussian` is wrong.

Each N is decided by exact comparison. Floats decide where proven bounds on X + 1/2 have the same floor. With
X = sd Z, |Z| < 5 and Z within E = `normal.ERROR` of the truth: the double for sd is off by at most 1.5 *
2^-53 of it, and the product by 2^-53 of that, so that X is off by less than sd (E + 2^-49); each addition
rounds by at most 2^-53 of the sum. `_BESIDE` and `_ROUNDING` are larger. Where the floors differ, ball
arithmetic decides, with more digits if need be. The variance is a fraction, and its root is never rounded
there.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from dpduck.kernel.errors import InternalError
from dpduck.kernel.noise.entropy import Entropy, Words
from dpduck.kernel.noise.normal import ERROR, folded, in_table, normal_ball, upper_quantile
from dpduck.kernel.noise.uniform import Floats, Uniform, decide, integer

Integers = NDArray[np.int64]

# With 4096 random bits, the most that are ever drawn for one noise, Z is at most 76. So noise of at most
# MAX_VARIANCE fits 64 bits; up to MAX_VARIANCE_OF_WHOLE, its standard deviation fits a double.
MAX_VARIANCE = Fraction(2**100)
MAX_VARIANCE_OF_WHOLE = Fraction(2**1000)

_BLOCK = 2**16  # noises drawn at a time: as many as fit the caches
_BESIDE = ERROR + 2.0**-48  # the error of sd Z, in standard deviations
_ROUNDING = 2.0**-50  # the error of sums, relative to 1 more than their size
_RADIUS = 2.0**-50  # of the shared number, in standard deviations


def rounded_gaussian(variance: Fraction, count: int, entropy: Entropy) -> Integers:
    """Draw N = floor(X + 1/2), X normal with mean 0 and that variance, `count` times, exactly.

    P(N = k) = Phi((k + 1/2) / sd) - Phi((k - 1/2) / sd).
    Errors: InternalError before any draw, for a variance above 2^100, or not above 0.
    """
    _check(variance, MAX_VARIANCE)
    sd = math.sqrt(variance)
    noise = np.empty(count, dtype=np.int64)
    for start in range(0, count, _BLOCK):
        block = noise[start : start + _BLOCK]
        words = entropy.words(len(block))
        values, known = _normal(words)
        settled = _settle(values * sd, sd * _BESIDE, known, block)
        for i in np.flatnonzero(~settled):
            block[i] = _decided(variance, Uniform(int(words[i]), entropy))
    return noise


def whole_gaussian(variance: Fraction, count: int, entropy: Entropy) -> list[int]:
    """The same noise as `rounded_gaussian`, in Python integers of any size.

    Errors: InternalError before any draw, for a variance above 2^1000, or not above 0.
    """
    if 0 < variance <= MAX_VARIANCE:
        noise: list[int] = rounded_gaussian(variance, count, entropy).tolist()
        return noise
    _check(variance, MAX_VARIANCE_OF_WHOLE)
    return [_decided(variance, Uniform(word, entropy)) for word in entropy.words(count).tolist()]


def correlated_gaussian(own: Fraction, shared: Fraction, count: int, entropy: Entropy) -> Integers:
    """Draw floor(sqrt(shared) Z_0 + sqrt(own) Z_i + 1/2) for i = 1, ..., `count`, exactly.

    The Z are independent standard normal numbers, Z_0 the same for all. Each sum is decided as one real
    number; to round its two parts apart would not be a function of the ideal output.
    Errors: InternalError before any draw, for a variance above 2^100, or not above 0.
    """
    _check(own, MAX_VARIANCE)
    _check(shared, MAX_VARIANCE)
    common = Uniform(int(entropy.words(1)[0]), entropy)
    sd, offset = math.sqrt(own), math.sqrt(shared) * decide(lambda: _narrow(normal_ball(common)), [common])
    beside = math.sqrt(shared) * 2 * _RADIUS + abs(offset) * _ROUNDING
    noise = np.empty(count, dtype=np.int64)
    for start in range(0, count, _BLOCK):
        block = noise[start : start + _BLOCK]
        words = entropy.words(len(block))
        values, known = _normal(words)
        settled = _settle(values * sd + offset, sd * _BESIDE + beside, known, block)
        for i in np.flatnonzero(~settled):
            block[i] = _decided_together(own, Uniform(int(words[i]), entropy), shared, common)
    return noise


def _normal(words: Words) -> tuple[Floats, NDArray[np.bool_]]:
    """Normal numbers within `ERROR`, and which are known at all."""
    tails, negative = folded(words)
    values = upper_quantile(tails)
    np.negative(values, out=values, where=negative)
    return values, in_table(tails)


def _settle(values: Floats, beside: float, known: NDArray[np.bool_], out: Integers) -> NDArray[np.bool_]:
    """Round values that are within `beside` of the true ones, into `out`; return which are decided."""
    values += 0.5
    width = np.abs(values)
    width += 1.0
    width *= _ROUNDING
    width += beside
    low, high = np.floor(values - width), np.floor(values + width)
    settled: NDArray[np.bool_] = (low == high) & known
    out[:] = np.where(settled, low, 0.0)
    return settled


def _decided(variance: Fraction, number: Uniform) -> int:
    return decide(lambda: _nearest(_root(variance) * normal_ball(number)), [number])


def _decided_together(own: Fraction, number: Uniform, shared: Fraction, common: Uniform) -> int:
    def nearest() -> int | None:
        return _nearest(_root(shared) * normal_ball(common) + _root(own) * normal_ball(number))

    return decide(nearest, [common, number])


def _nearest(ball: arb) -> int | None:
    return integer((ball + arb(0.5)).floor()) if ball.is_finite() else None


def _narrow(ball: arb) -> float | None:
    """The double in the middle of a ball with a radius below `_RADIUS`; None if it is wider."""
    return float(ball.mid()) if ball.is_finite() and float(ball.rad()) < _RADIUS else None


def _root(variance: Fraction) -> arb:
    return arb(fmpq(variance.numerator, variance.denominator)).sqrt()


def _check(variance: Fraction, most: Fraction) -> None:
    if not 0 < variance <= most:
        raise InternalError("noise of this scale is too large for its integers")
