"""The largest of many independent noises, drawn without drawing the others.

The maximum of M uniforms is V^(1/M); given it, the second largest is V^(1/M) W^(1/(M-1)), and so
on. So the noises of a group of equal candidates are known in descending order at one uniform number
each, however many candidates the group has (Devroye 1986, V.3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from flint import arb
from numpy.typing import NDArray

from dpduck.kernel.noise.entropy import Entropy, Words
from dpduck.kernel.noise.families import Family
from dpduck.kernel.noise.uniform import Floats, Uniform, decide, integer, log_bounds

_ROUNDING = 2.0**-50  # covers the rounding of one sum, four times over


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OrderStatistic:
    """One of the largest noises of a group: its uniform numbers and float bounds on its value."""

    family: Family
    size: int
    uniforms: tuple[Uniform, ...]  # the j-th largest depends on the first j uniforms
    log_low: float
    log_high: float
    low: float
    high: float

    def exact(self) -> arb:
        """A ball around the noise, as narrow as the digits drawn so far allow."""
        logs = (u.ball().log() / (self.size - i) for i, u in enumerate(self.uniforms))
        return self.family.exact(sum(logs, start=arb(0)))

    def floor(self) -> int:
        """The noise rounded down to an integer, exactly."""
        if math.isfinite(self.low + self.high) and math.floor(self.low) == math.floor(self.high):
            return math.floor(self.low)
        return decide(lambda: integer(self.exact().floor()), self.uniforms)

    def next(self, entropy: Entropy) -> OrderStatistic | None:
        """The next smaller noise of the group; None after the last."""
        left = self.size - len(self.uniforms)
        if left == 0:
            return None
        words = entropy.words(1)
        term_low, term_high = log_bounds(words)
        log_low = (self.log_low + term_low / left) * (1.0 + _ROUNDING)
        log_high = (self.log_high + term_high / left) * (1.0 - _ROUNDING)
        low, high = self.family.bounds(log_low, log_high)
        uniforms = (*self.uniforms, Uniform(int(words[0]), entropy))
        return OrderStatistic(
            self.family, self.size, uniforms, log_low.item(), log_high.item(), low.item(), high.item()
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Maxima:
    """The largest noise of each of many groups, as arrays."""

    family: Family
    sizes: NDArray[np.int64]
    words: Words
    log_low: Floats
    log_high: Floats
    low: Floats
    high: Floats

    @classmethod
    def draw(cls, family: Family, sizes: NDArray[np.int64], entropy: Entropy) -> Maxima:
        """Draw one maximum per group: one word each."""
        words = entropy.words(len(sizes))
        term_low, term_high = log_bounds(words)
        log_low = term_low / sizes * (1.0 + _ROUNDING)
        log_high = term_high / sizes * (1.0 - _ROUNDING)
        low, high = family.bounds(log_low, log_high)
        return cls(family, sizes, words, log_low, log_high, low, high)

    def single(self, group: int, entropy: Entropy) -> OrderStatistic:
        """The maximum of the group with that index; further digits are drawn from `entropy`."""
        return OrderStatistic(
            self.family,
            int(self.sizes[group]),
            (Uniform(int(self.words[group]), entropy),),
            float(self.log_low[group]),
            float(self.log_high[group]),
            float(self.low[group]),
            float(self.high[group]),
        )
