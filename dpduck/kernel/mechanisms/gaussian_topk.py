"""The k largest counts, chosen with Gumbel noise and then measured anew with Gaussian noise.

What chooses the winners is no part of the counts that are shown, so no selection raises these: the interval
of each is that of its own noise, at every rank and however near to each other the counts are. In
`topk_counts` the same noise chooses and counts, and only winners that lead by far have such intervals.

Both parts cost rho, in which k choices cost k times the square of one, and numbers that a unit moves
together cost the square of their Euclidean length: for many winners that is much less than sums of epsilons.
It needs a delta, or a budget in rho.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.accounting.choices import mu_squared_beside
from dpduck.kernel.accounting.conversion import rho_limit
from dpduck.kernel.accounting.events import GaussianTopK
from dpduck.kernel.errors import InternalError
from dpduck.kernel.mechanisms.gaussian import Variances, correlated, gaussian_counts, independent
from dpduck.kernel.mechanisms.noisy_max import rank
from dpduck.kernel.mechanisms.peeling import Peeled
from dpduck.kernel.mechanisms.topk import check_k
from dpduck.kernel.noise import Entropy, Gumbel
from dpduck.kernel.noise.gaussian import MAX_VARIANCE
from dpduck.kernel.scores import Scores

Integers = NDArray[np.int64]

_SHARES = 64  # of the largest rate, that are tried
_GUMBEL = math.pi**2 / 6  # the variance of Gumbel noise of rate 1
_PLACES = 12  # decimal places of the rate


@dataclass(frozen=True)
class GaussianSplit:
    """How epsilon and delta are divided: the rate of the noise that chooses, and mu^2 of what counts."""

    epsilon: Fraction
    delta: Fraction
    k: int
    rate: Fraction
    mu_squared: Fraction
    variances: Variances

    @property
    def event(self) -> GaussianTopK:
        """The event of choosing and counting."""
        return GaussianTopK(self.epsilon, self.delta, self.k, self.rate, self.mu_squared)

    @property
    def half_width(self) -> int:
        """What the error of each count stays within with probability 0.95, whatever the counts are."""
        return self.variances.half_width()


@dataclass(frozen=True)
class GaussianTop:
    """A release: the indices of the winners in the order of selection, and their counts."""

    candidates: tuple[int, ...]
    counts: Integers
    half_width: int
    event: GaussianTopK


@lru_cache(maxsize=256)
def gaussian_split(
    epsilon: Fraction, delta: Fraction, k: int, *, groups: int | None, shared: bool
) -> GaussianSplit | None:
    """Find the split that minimises the variance of a count plus that of the noise that chooses.

    As in `linear_estimates.best_split`, since an exact count of the wrong item is of little use.
    Input: `groups`: the most candidates that one unit counts for, None when unbounded; `shared`: the counts
        may share a part of their noise, as nothing adds them up; they do if that is less.
    Output: None if epsilon and delta are too small for it.
    """
    moved = k if groups is None else min(k, groups)
    one = _variances(Fraction(1), k, moved, shared=shared)

    def error(rate: Fraction) -> float:
        left = float(mu_squared_beside(k, rate, epsilon, delta))
        return float(one.total) / left + _GUMBEL / float(rate) ** 2 if left else math.inf

    most = math.sqrt(8 * rho_limit(epsilon, delta) / k)  # with which nothing is left for counts
    rates = (
        Fraction(round(most * share / _SHARES * 10**_PLACES), 10**_PLACES) for share in range(1, _SHARES)
    )
    rate = min((one for one in rates if one and error(one) < math.inf), key=error, default=None)
    if rate is None:
        return None
    mu_squared = mu_squared_beside(k, rate, epsilon, delta)
    variances = _variances(mu_squared, k, moved, shared=shared)
    if variances.total > MAX_VARIANCE:
        return None
    return GaussianSplit(epsilon, delta, k, rate, mu_squared, variances)


@lru_cache(maxsize=256)
def choosing_rate(epsilon: Fraction, delta: Fraction, k: int) -> Fraction:
    """The largest rate of k choices that cost no more, rounded down to 1e-12; 0 if they allow for none.

    >>> round(float(1 / choosing_rate(Fraction(1), Fraction(1, 10**6), 40)), 2)
    14.33
    """
    most = 8 * rho_limit(epsilon, delta) / k
    return Fraction(math.isqrt(int(most * 10 ** (2 * _PLACES))), 10**_PLACES)


def choose_top_k(
    scores: Scores, k: int, epsilon: Fraction, delta: Fraction, entropy: Entropy, *, spread: int = 1
) -> Peeled:
    """Select the k candidates with the largest noisy scores, and release nothing else.

    Privacy: (epsilon, delta)-DP, and zCDP, by `accounting.choices` without any numbers, for counts, or for
        sums of that spread, which are as counts in units of it (`peeling.gumbel_top_k`).
    Input: scores of n > k candidates; 1 <= k <= 10000; spread as `topk` says.
    Noise: Gumbel, of rate r / spread. Its scale grows with sqrt k, that of noisy top-k with k.
    Ties: equal scores are equally likely in every order.
    Errors: ParameterError before any draw, unless 1 <= k < n; InternalError if the rate is 0.
    """
    check_k(k, scores.count)
    rate = choosing_rate(epsilon, delta, k)
    if not rate:
        raise InternalError("epsilon and delta are too small to choose")
    ranking = rank(scores, k, Gumbel(rate / spread), entropy)
    winners = ranking.groups.candidates(ranking.members(k, entropy))
    return Peeled(tuple(winners), GaussianTopK(epsilon, delta, k, rate))


def gaussian_top_k(scores: Scores, split: GaussianSplit, entropy: Entropy) -> GaussianTop:
    """Select the k candidates with the largest noisy counts, and measure these counts.

    Privacy: (epsilon, delta)-DP, and zCDP, by `accounting.choices`, for counts of which one unit moves any
        number by 1, all one way: the order of the k largest of score + Gumbel noise of rate r is that of k
        exponential mechanisms (`peeling.gumbel_top_k`), and given the winners, the vector of their counts has
        Gaussian noise of mu^2 for the at most min(k, groups) that one unit moves (`mechanisms.gaussian`).
    Input: scores of n > k candidates; 1 <= k <= 10000.
    Noise: Gumbel of rate r; then Gaussian, independent of it, which the counts may share in part.
    Output: counts are unbiased at every rank. Gaps would not fit the bound of rho, and are not released.
    Ties: equal scores are equally likely in every order.
    Errors: ParameterError before any draw, unless 1 <= k < n.
    """
    check_k(split.k, scores.count)
    ranking = rank(scores, split.k, Gumbel(split.rate), entropy)
    members = ranking.members(split.k, entropy)
    true = np.array([ranking.groups.score(member) for member in members], dtype=np.int64)
    counts = gaussian_counts(true, split.variances, entropy)
    winners = ranking.groups.candidates(members)
    return GaussianTop(tuple(winners), counts, split.half_width, split.event)


def _variances(mu_squared: Fraction, k: int, moved: int, *, shared: bool) -> Variances:
    together = correlated(mu_squared, bound=1, groups=moved, size=k) if shared else None
    return together or independent(mu_squared, bound=1, groups=moved)
