"""Counts of keys that are known from private rows only, with Gaussian noise, above a threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from flint import arb, fmpq

from dpduck.kernel.accounting.events import GaussianKeys
from dpduck.kernel.accounting.gaussian import most_mu_squared
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.errors.advice import Hint, SetTo
from dpduck.kernel.mechanisms.additive import SelectedCounts
from dpduck.kernel.mechanisms.gaussian import Variances, gaussian_counts, independent
from dpduck.kernel.noise import Entropy
from dpduck.kernel.noise.uniform import settle
from dpduck.kernel.scores import Vector


@dataclass(frozen=True)
class Threshold:
    """The noise of the counts, and the smallest noisy count that is shown."""

    mu_squared: Fraction
    variances: Variances
    least: int


def gaussian_key_counts(
    counts: Vector, epsilon: Fraction, delta: Fraction, entropy: Entropy, *, groups: int
) -> SelectedCounts:
    """Release noisy counts of keys that are known from private rows only, above a threshold.

    Privacy: (epsilon, delta)-DP if one unit touches at most `groups` keys, each count by 1.
        Let one of two neighbours have a unit more. Keys of both have counts that move by at most 1, in at
        most `groups` of them: with mu^2 = groups / variance they are (epsilon, delta / 2)-DP
        (`mechanisms.gaussian`), and the threshold is post-processing. Keys of one neighbour only, at most
        `groups`, have count 1, and each is shown with probability P(N >= tau - 1) = Phi(-(tau - 3/2) / sd) <=
        delta / (2 groups). So what is shown of them differs from nothing with probability at most delta / 2,
        in either direction: that is (0, delta / 2)-DP. Noises are independent, so that both parts compose to
        (epsilon, delta) (`mechanisms.partitions`). It is also delta-approximately (mu^2 / 2)-zCDP.
    Paper: Wilson et al., PoPETs 2020(2), Theorem 2, with another noise; Lebeda, Retschmeier, arXiv
    2412.10357,
        for less delta in the same place, which is not used here.
    Input: the counts of the keys present, each at least 1; delta > 0.
    Errors: ParameterError before any draw, if delta is 0.
    """
    found = gaussian_threshold(epsilon, delta, groups)
    numbers: list[int] = []
    shown_counts: list[int] = []
    for start, block in counts.blocks():
        noisy = gaussian_counts(block, found.variances, entropy)
        shown = np.flatnonzero(noisy >= found.least)
        numbers += (start + shown).tolist()
        shown_counts += noisy[shown].tolist()
    event = GaussianKeys(epsilon, delta, found.mu_squared)
    width = found.variances.half_width()
    return SelectedCounts(tuple(numbers), tuple(shown_counts), width, found.least, event)


@lru_cache(maxsize=256)
def gaussian_threshold(epsilon: Fraction, delta: Fraction, groups: int) -> Threshold:
    """The noise and the threshold of `gaussian_key_counts`. Errors: ParameterError if delta is 0.

    >>> [gaussian_threshold(Fraction(1), Fraction(1, 10**6), m).least for m in (1, 4, 16, 64, 256)]
    [23, 47, 96, 199, 413]
    """
    if delta <= 0:
        raise ParameterError(
            "keys from private rows need a delta", hint=Hint.of(SetTo("dp_delta", "1e-6"), ".")
        )
    mu_squared, each = most_mu_squared(epsilon, delta / 2), delta / 2 / groups
    variances = independent(mu_squared, bound=1, groups=groups)
    sd = math.sqrt(variances.own)
    reach = max(math.floor(-NormalDist().inv_cdf(float(each)) * sd + 0.5) - 1, 0)
    while not settle(lambda reach=reach: _is_rare(reach, variances.own, each)):  # type: ignore[misc]
        reach += 1
    return Threshold(mu_squared, variances, 1 + reach)


def _is_rare(reach: int, variance: Fraction, probability: Fraction) -> bool | None:
    """Whether P(N >= reach) is at most a probability, exactly; None if they are too near to tell."""
    place = (arb(2 * reach - 1) / 2) / _ball(2 * variance).sqrt()
    difference = place.erfc() / 2 - _ball(probability)
    return True if difference <= 0 else False if difference > 0 else None


def _ball(number: Fraction) -> arb:
    return arb(fmpq(number.numerator, number.denominator))
