"""Integer noise and uniform choice, vectorised and exact."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpduck.noise.entropy import Entropy
from dpduck.noise.families import Exponential, Family, Laplace
from dpduck.noise.uniform import Uniform, decide, integer, log_bounds

Integers = NDArray[np.int64]


def geometric(rate: Fraction, count: int, entropy: Entropy) -> Integers:
    """Draw G >= 0 with P(G >= g) = e^(-rate g), `count` times, exactly."""
    return _floors(Exponential(rate), count, entropy)


def discrete_laplace(rate: Fraction, count: int, entropy: Entropy) -> Integers:
    """Draw N with P(N = x) proportional to e^(-rate |x|), `count` times, exactly.

    Its variance is 2p/(1-p)^2 with p = e^(-rate).
    """
    return _floors(Laplace(rate), count, entropy)


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
    words = entropy.words(count)
    low, high = family.bounds(*log_bounds(words))
    floors = np.floor(low)
    for i in np.flatnonzero(floors != np.floor(high)):
        floors[i] = _exact_floor(family, Uniform(int(words[i]), entropy))
    return floors.astype(np.int64)


def _exact_floor(family: Family, number: Uniform) -> int:
    return decide(lambda: integer(family.exact(number.ball().log()).floor()), [number])
