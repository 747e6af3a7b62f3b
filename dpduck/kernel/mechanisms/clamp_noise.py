"""The noise on sums of totals that are clamped to tau: as many times tau, whatever tau is.

One unit moves each of its at most m groups by tau: all of them by m tau in L1, and by sqrt(m) tau in L2. So
discrete Laplace noise has the rate epsilon / (m tau), and Gaussian noise the variance m tau^2 / mu^2
(`mechanisms.gaussian`). Sums of totals with signs move both ways, so that groups share no noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpduck.kernel.mechanisms.accuracy import CONFIDENCE
from dpduck.kernel.mechanisms.additive import half_width
from dpduck.kernel.mechanisms.gaussian import Variances, gaussian_sums, independent
from dpduck.kernel.noise import Entropy, whole_laplace
from dpduck.kernel.noise.gaussian import MAX_VARIANCE_OF_WHOLE
from dpduck.kernel.noise.samplers import MIN_RATE_OF_WHOLE


@dataclass(frozen=True)
class LaplaceOfClamp:
    """Discrete Laplace noise: epsilon-DP, if a unit is in at most `groups` groups."""

    epsilon: Fraction
    groups: int

    @property
    def square(self) -> Fraction:
        """The variance of the noise for one group, for a clamp of 1 without rounding: 2 / rate^2."""
        return 2 * (self.groups / self.epsilon) ** 2

    def rate(self, clamp: int) -> Fraction:
        """The rate of the noise for a clamp, per tick."""
        return self.epsilon / (self.groups * clamp)

    def half_width(self, clamp: int, confidence: float = CONFIDENCE) -> int:
        """What the noise of one sum stays within with at least this probability, in ticks."""
        return half_width(self.rate(clamp), confidence)

    def add(self, sums: Sequence[int], clamp: int, entropy: Entropy) -> list[int]:
        """Add the noise for a clamp to sums of totals that are clamped to it."""
        noise = whole_laplace(self.rate(clamp), len(sums), entropy)
        return [total + x for total, x in zip(sums, noise, strict=True)]

    def fits(self, clamp: int) -> bool:
        """Whether the noise for a clamp can be drawn."""
        return self.rate(clamp) >= MIN_RATE_OF_WHOLE


@dataclass(frozen=True)
class GaussianOfClamp:
    """Gaussian noise, independent for each group: mu-GDP, if a unit is in at most `groups` groups."""

    mu_squared: Fraction
    groups: int

    @property
    def square(self) -> Fraction:
        """The variance of the noise for one group, for a clamp of 1, without rounding."""
        return self.variances(1).total

    def variances(self, clamp: int) -> Variances:
        """The variance of the noise for a clamp, in ticks."""
        return independent(self.mu_squared, bound=clamp, groups=self.groups)

    def half_width(self, clamp: int, confidence: float = CONFIDENCE) -> int:
        """What the noise of one sum stays within with at least this probability, in ticks."""
        return self.variances(clamp).half_width(confidence)

    def add(self, sums: Sequence[int], clamp: int, entropy: Entropy) -> list[int]:
        """Add the noise for a clamp to sums of totals that are clamped to it."""
        return gaussian_sums(sums, self.variances(clamp), entropy)

    def fits(self, clamp: int) -> bool:
        """Whether the noise for a clamp can be drawn."""
        return self.variances(clamp).total <= MAX_VARIANCE_OF_WHOLE


ClampNoise = LaplaceOfClamp | GaussianOfClamp
