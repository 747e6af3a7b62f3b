"""Integer noise and uniform choice, vectorised and exact."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.errors import InternalError
from dpduck.kernel.noise.entropy import Entropy
from dpduck.kernel.noise.families import Exponential, Family, Laplace
from dpduck.kernel.noise.uniform import Uniform, decide, integer, log_bounds

Integers = NDArray[np.int64]

# With 4096 random bits, the most that are ever drawn for one noise, no noise is larger than 2^12 / rate.
# So noise of at least MIN_RATE fits 64 bits; at MIN_RATE_OF_WHOLE and above, its variance fits a double.
MIN_RATE = Fraction(1, 2**50)
MIN_RATE_OF_WHOLE = Fraction(1, 2**500)

_BLOCK = 2**20  # noises drawn at a time: their bounds take many times the memory of the result


def geometric(rate: Fraction, count: int, entropy: Entropy) -> Integers:
    """Draw G >= 0 with P(G >= g) = e^(-rate g), `count` times, exactly.

    Errors: InternalError before any draw, for a rate below 2^-50.
    """
    return _floors(Exponential(rate), count, entropy)


def discrete_laplace(rate: Fraction, count: int, entropy: Entropy) -> Integers:
    """Draw N with P(N = x) proportional to e^(-rate |x|), `count` times, exactly.

    Its variance is 2p/(1-p)^2 with p = e^(-rate).
    Errors: InternalError before any draw, for a rate below 2^-50.
    """
    return _floors(Laplace(rate), count, entropy)


def whole_laplace(rate: Fraction, count: int, entropy: Entropy) -> list[int]:
    """The same noise as `discrete_laplace`, in Python integers of any size.

    Where 64 bits may not suffice, each draw is inverted in ball arithmetic: about 20 microseconds.
    Errors: InternalError before any draw, for a rate below 2^-500.
    """
    if rate >= MIN_RATE:
        noise: list[int] = discrete_laplace(rate, count, entropy).tolist()
        return noise
    _check_rate(rate, MIN_RATE_OF_WHOLE)
    family = Laplace(rate)
    return [_exact_floor(family, Uniform(word, entropy)) for word in entropy.words(count).tolist()]


def laplace_at_least(rate: Fraction, least: int, entropy: Entropy) -> int:
    """Draw N as `discrete_laplace` does, given that N >= `least`, exactly."""
    family, number = Laplace(rate), Uniform(int(entropy.words(1)[0]), entropy)

    def floor() -> int | None:
        above = number.ball() * -family.log_below(least).expm1()
        return integer(family.exact((-above).log1p()).floor())

    return decide(floor, [number])


def choose(size: int, entropy: Entropy) -> int:
    """Choose uniformly from 0, ..., size - 1: the floor of size * V, exactly."""
    number = Uniform(int(entropy.words(1)[0]), entropy)

    def place() -> int | None:
        low = (number.digits * size) >> number.length
        high = ((number.digits + 1) * size - 1) >> number.length
        return low if low == high else None

    return decide(place, [number])


def choose_distinct(size: int, count: int, entropy: Entropy) -> list[int]:
    """Choose `count` distinct numbers from 0, ..., size - 1, every ordered sample equally likely."""
    chosen: list[int] = []
    for _ in range(count):
        chosen.append(choose_another(size, chosen, entropy))
    return chosen


def choose_another(size: int, taken: list[int], entropy: Entropy) -> int:
    """Choose uniformly from 0, ..., size - 1 without the distinct numbers `taken`."""
    rank = choose(size - len(taken), entropy)
    for number in sorted(taken):
        rank += rank >= number
    return rank


def _floors(family: Family, count: int, entropy: Entropy) -> Integers:
    _check_rate(family.rate, MIN_RATE)
    floors = np.empty(count, dtype=np.int64)
    for start in range(0, count, _BLOCK):
        block = floors[start : start + _BLOCK]
        words = entropy.words(len(block))
        low, high = (np.floor(bound) for bound in family.bounds(*log_bounds(words)))
        settled = low == high
        block[:] = np.where(settled, low, 0.0)
        for i in np.flatnonzero(~settled):
            block[i] = _exact_floor(family, Uniform(int(words[i]), entropy))
    return floors


def _check_rate(rate: Fraction, least: Fraction) -> None:
    if rate < least:
        raise InternalError("noise of this scale is too large for its integers")


def _exact_floor(family: Family, number: Uniform) -> int:
    return decide(lambda: integer(family.exact(number.ball().log()).floor()), [number])
