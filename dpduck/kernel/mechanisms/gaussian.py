"""Whole numbers by group with Gaussian noise, independent or with a part that all groups share.

Independent noise of variance v costs mu^2 = D^2 / v, where D is how far one unit moves the vector of numbers
in the Euclidean norm: with at most `groups` numbers moved, each by at most `bound`, D^2 = groups bound^2.
Laplace noise pays for the sum of all moves, which is `groups` bound; so Gaussian noise is less where a unit
may be in many groups, and needs a delta, or a budget in rho.

Several vectors of one release, each with its own part of mu^2, are together as one with the sum of these
parts (`accounting.gaussian`). To minimise the sum of w_j v_j, with D_j for D, v_j = (D_j / sqrt w_j) sum_i
(D_i sqrt w_i) / mu^2 (Lagrange). A relative error has w_j = 1 / D_j^2, and gives each the same part of mu^2.

Correlated noise. *Numbers that all move one way*, each by at most `bound`, in at most m of d groups: noise
sqrt(b) Z_0 + sqrt(a) Z_i, with the same Z_0 for all groups, is less than independent noise, if m is near d.
Theorem. With bound 1 and covariance S = a I + b J the release is 1-GDP if s - t s^2 <= a for all whole s from
1 to m, where t = b / (a + b d). Proof. S^(-1/2) (f + S^(1/2) Z) is a vector with independent noise of
variance 1, so that the release is mu-GDP with mu^2 the largest v' S^-1 v over the moves v of f. These are in
[0, 1]^d with at most m numbers above 0, or the negative of such. The form is convex, and so largest at a
vertex, a vector of s <= m ones. S^-1 = (I - t J) / a, which gives (s - t s^2) / a there. QED Of fewer groups
than d it is the marginal, which is post-processing; and all is scaled by bound^2 / mu^2. Paper: Lebeda, SOSA
2025, arXiv 2408.06853, for m = d, where a = sqrt d (sqrt d + 1) / 4 and b = (sqrt d + 1) / 4 are the least
for real s. Here a is the largest s - t s^2 of whole s, exactly, and t is chosen to minimise a + b. Traps: the
theorem fails for sums with signs and for the pairs of sums of a mean, which move both ways (v' S^-1 v of (1,
-1) is 2 / a); and for adjacency by replacement. The shared part does not average out: the sum of the noises
of n groups has variance n a + n^2 b. So totals of such numbers are not offered.

Privacy: all noise is real, and numbers are whole, so that rounding the sum is post-processing
(`noise.gaussian`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.errors import InternalError
from dpduck.kernel.mechanisms.accuracy import CONFIDENCE
from dpduck.kernel.noise import Entropy, correlated_gaussian, rounded_gaussian, whole_gaussian
from dpduck.kernel.noise.gaussian import MAX_VARIANCE

Integers = NDArray[np.int64]

_STANDARD = NormalDist()
_DENOMINATOR = 10**12  # of t
_MANY = 2.0  # a variance above which rounding adds 1/12, to 16 digits
_WAVES = 4000
_STEPS = 60  # of the search for t
_LEAST_GAIN = Fraction(99, 100)  # of the variance: noise that is correlated for less is not worth it


@dataclass(frozen=True)
class Variances:
    """The variance of the noise of one group: its own part, and the part that all groups share."""

    own: Fraction
    shared: Fraction = Fraction(0)

    @property
    def total(self) -> Fraction:
        """The variance of the noise of one number, but for its rounding, which adds 1/12 at most."""
        return self.own + self.shared

    def half_width(self, confidence: float = CONFIDENCE) -> int:
        """The smallest w with P(|N| <= w) >= confidence, for the rounded noise N of one number.

        P(|N| > w) = 2 Phi(-(w + 1/2) / sd).

        >>> Variances(Fraction(9)).half_width(), Variances(Fraction(1, 100)).half_width()
        (6, 0)
        """
        reach = math.sqrt(self.total) * -_STANDARD.inv_cdf((1 - confidence) / 2)
        return max(math.ceil(reach * (1 + 1e-9) - 0.5), 0)

    @property
    def deviation(self) -> float:
        """The standard deviation of the rounded noise of one number, at most."""
        return math.sqrt(self.total + Fraction(1, 12))


def rounded_variance(variance: float) -> float:
    """The variance of rounded normal noise of variance v: v + 1/12, but for a term that is tiny unless v is.

    It is the sum of the Fourier series of what rounding adds, squared, and times the noise.

    >>> round(rounded_variance(4.0), 9), round(rounded_variance(0.25), 9)
    (4.083333333, 0.325412763)
    """
    if variance > _MANY:
        return variance + 1 / 12
    waves = (
        math.cos(math.pi * k)
        * math.exp(-2 * math.pi**2 * k**2 * variance)
        * (1 / (math.pi * k) ** 2 + 4 * variance)
        for k in range(1, _WAVES)
    )
    return max(variance + 1 / 12 + math.fsum(waves), 0.0)


def independent(mu_squared: Fraction, *, bound: int, groups: int) -> Variances:
    """The variance of independent noise on numbers: one unit moves at most `groups`, each by at most `bound`.

    >>> float(independent(Fraction(1, 4), bound=3, groups=2).own)
    72.0
    """
    return Variances(groups * bound * bound / _positive(mu_squared))


def correlated(mu_squared: Fraction, *, bound: int, groups: int, size: int) -> Variances | None:
    """The variances of noise that is shared in part, for numbers of `size` groups that all move one way.

    Output: None if it is hardly less than independent noise, or too much for 64 bits.

    >>> found = correlated(Fraction(1), bound=1, groups=12, size=12)
    >>> found is not None and [round(float(part), 3) for part in (found.own, found.shared)]
    [3.804, 1.17]
    """
    groups = min(groups, size)
    own, shared = _parts(groups, size)
    if own + shared > groups * _LEAST_GAIN or not shared:
        return None
    scale = bound * bound / _positive(mu_squared)
    return Variances(own * scale, shared * scale) if scale * own <= MAX_VARIANCE else None


def gaussian_counts(counts: Integers, variances: Variances, entropy: Entropy) -> Integers:
    """Add Gaussian noise to the count of each group of a public list of groups.

    Privacy: mu-GDP for the mu and the moves that the variances were made for (module docstring).
    Noise: rounded normal, independent, or with a part that is the same for all; exact.
    Output: integers, possibly negative.
    Errors: InternalError before any draw, for a variance that is too large for 64 bits.
    """
    if variances.shared:
        return counts + correlated_gaussian(variances.own, variances.shared, len(counts), entropy)
    return counts + rounded_gaussian(variances.own, len(counts), entropy)


def gaussian_sums(sums: Sequence[int], variances: Variances, entropy: Entropy) -> list[int]:
    """The same for sums in ticks, of any size; noise that is shared must fit 64 bits."""
    if variances.shared:
        noise = correlated_gaussian(variances.own, variances.shared, len(sums), entropy).tolist()
    else:
        noise = whole_gaussian(variances.own, len(sums), entropy)
    return [total + x for total, x in zip(sums, noise, strict=True)]


@lru_cache(maxsize=256)
def _parts(most: int, size: int) -> tuple[Fraction, Fraction]:
    """a and b of the theorem, for at most `most` of `size` numbers, with the least a + b."""
    t = Fraction(_best_slope(most, size)).limit_denominator(_DENOMINATOR)
    t = min(max(t, Fraction(0)), Fraction(_DENOMINATOR - 1, _DENOMINATOR * size))
    own = max(s - t * s * s for s in _vertices(most, t))
    return own, t * own / (1 - t * size)


def _vertices(most: int, t: Fraction) -> set[int]:
    """The whole s from 1 to `most` among which s - t s^2 is largest: those beside its top at 1 / (2 t)."""
    top = most if not t else int(1 / (2 * t))
    return {min(max(s, 1), most) for s in (top, top + 1)}


def _best_slope(most: int, size: int) -> float:
    """t with about the least a + b, by golden section on each side of where the best s changes."""

    def total(t: float) -> float:
        s = min(max(round(0.5 / t), 1), most) if t > 0 else most
        return (s - t * s * s) * (1 + t / (1 - t * size))

    low, high, golden = 0.0, 1.0 / size, (math.sqrt(5) - 1) / 2
    for _ in range(_STEPS):
        left, right = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, right) if total(left) <= total(right) else (left, high)
    beside = (1 / (2 * s + 1) for s in _around(0.5 / max(low, 1e-300), most) if 2 * s + 1 > size)
    return min(((low + high) / 2, *beside), key=total)


def _around(place: float, most: int) -> range:
    """Whole s near one: at 1 / (2 s + 1) the best s changes, which are corners of the total."""
    middle = round(min(place, float(most)))
    return range(max(middle - 3, 1), min(middle + 3, most) + 1)


def _positive(mu_squared: Fraction) -> Fraction:
    if mu_squared <= 0:
        raise InternalError("Gaussian noise needs a part of mu squared")
    return mu_squared
