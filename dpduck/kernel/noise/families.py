"""The noise families, each as the inverse of its distribution function F, in floats and in balls.

A family maps ln F(x) to x, increasing. `rate` is 1/scale, per unit of score, an exact fraction.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb, fmpq

from dpduck.kernel.noise.uniform import SLACK, Floats


@dataclass(frozen=True)
class Family(ABC):
    """A noise distribution on the reals."""

    rate: Fraction

    @abstractmethod
    def guess(self, log_cdf: Floats) -> Floats:
        """x for ln F(x), in floats, with a relative error well below `SLACK`."""

    @abstractmethod
    def exact(self, log_cdf: arb) -> arb:
        """A ball that contains x for every ln F(x) in the given ball."""

    def bounds(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Bounds on x for ln F(x) between `low` and `high`."""
        with np.errstate(divide="ignore", invalid="ignore"):
            x_low, x_high = self.guess(low), self.guess(high)
            size = float(1 / self.rate) + 1.0
            return x_low - (np.abs(x_low) + size) * SLACK, x_high + (np.abs(x_high) + size) * SLACK


@dataclass(frozen=True)
class Exponential(Family):
    """P(X > x) = e^(-rate x) for x >= 0. Its floor is geometric: P(floor X >= g) = e^(-rate g)."""

    def guess(self, log_cdf: Floats) -> Floats:
        return -np.log(-np.expm1(log_cdf)) / float(self.rate)

    def exact(self, log_cdf: arb) -> arb:
        return -(-log_cdf.expm1()).log() / _ball(self.rate)


@dataclass(frozen=True)
class Gumbel(Family):
    """F(x) = exp(-e^(-rate x)): the largest q + X has probability proportional to e^(rate q)."""

    def guess(self, log_cdf: Floats) -> Floats:
        return -np.log(-log_cdf) / float(self.rate)

    def exact(self, log_cdf: arb) -> arb:
        return -(-log_cdf).log() / _ball(self.rate)


@dataclass(frozen=True)
class Laplace(Family):
    """Discrete Laplace plus an independent uniform tie-breaker: X = N + R, P(N = x) ~ p^|x|.

    p = e^(-rate), R uniform in (0, 1). With P(N >= x) = p^x / (1 + p) for x >= 0, P(X > N + R) is
    linear in R, which gives the upper half of the inverse; X and 1 - X have the same distribution,
    which gives the lower half. floor X is the discrete Laplace noise itself.
    """

    def guess(self, log_cdf: Floats) -> Floats:
        upper = log_cdf >= -np.log(2.0)
        log_tail = np.where(upper, np.log(-np.expm1(log_cdf)), log_cdf)
        half = self._upper_guess(log_tail)
        return np.where(upper, half, 1.0 - half)

    def _upper_guess(self, log_tail: Floats) -> Floats:
        rate = float(self.rate)
        y = -(log_tail + np.log1p(np.exp(-rate))) / rate
        whole = np.floor(y)
        x: Floats = np.where(np.isinf(y), y, whole + np.expm1(-rate * (y - whole)) / np.expm1(-rate))
        return x

    def guess_log_below(self, x: Floats) -> Floats:
        """ln P(N < x) for whole numbers x, in floats, to a relative error of 2^-40 (or 1e-300 absolute)."""
        rate = float(self.rate)
        log_scale = np.log1p(np.exp(-rate))
        upper = np.log1p(-np.exp(-rate * np.maximum(x, 1.0) - log_scale))
        lower: Floats = np.where(x >= 1, upper, -rate * (1.0 - x) - log_scale)
        return lower

    def log_below(self, x: int) -> arb:
        """A ball around ln P(N < x), where P(N >= x) = p^x / (1 + p) for x >= 0, and N is symmetric."""
        rate = _ball(self.rate)
        log_scale = (-rate).exp().log1p()
        if x < 1:
            return -rate * (1 - x) - log_scale
        return (-(-rate * x - log_scale).exp()).log1p()

    def exact(self, log_cdf: arb) -> arb:
        if log_cdf >= -arb.const_log2():
            return self._upper_exact((-log_cdf.expm1()).log())
        if log_cdf < -arb.const_log2():
            return 1 - self._upper_exact(log_cdf)
        return arb("+/- inf")

    def _upper_exact(self, log_tail: arb) -> arb:
        rate = _ball(self.rate)
        y = -(log_tail + (-rate).exp().log1p()) / rate
        whole = y.floor()
        return whole + (-rate * (y - whole)).expm1() / (-rate).expm1()


def _ball(rate: Fraction) -> arb:
    return arb(fmpq(rate.numerator, rate.denominator))
