"""Counts with discrete Laplace noise, over public keys or over keys taken from private rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.accounting.events import Event, GaussianKeys, Histogram, NoisyCount, PartitionSelection
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.errors.advice import Hint, SetTo
from dpduck.kernel.mechanisms.accuracy import CONFIDENCE, Accuracy
from dpduck.kernel.mechanisms.linear_estimates import count_variance
from dpduck.kernel.noise import Entropy, discrete_laplace
from dpduck.kernel.scores import Vector

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class NoisyCounts:
    """A release: noisy counts and the half-width that noise stays within with probability 0.95."""

    counts: Integers
    half_width: int
    event: Event


def noisy_counts(
    counts: Integers, epsilon: Fraction, entropy: Entropy, *, groups: int, rows: int = 1
) -> NoisyCounts:
    """Add discrete Laplace noise to each count of a public list of keys.

    Privacy: epsilon-DP if one unit moves at most `groups` of the counts, each by at most `rows`: the L1
        sensitivity is groups rows, the L-infinity sensitivity is rows, and rho is epsilon tanh(epsilon /
        (2 groups)) (proof in `composition`).
    Paper: Ghosh, Roughgarden, Sundararajan, STOC 2009 (the geometric mechanism); Laplace composition
        over the L1 sensitivity, Dwork et al. 2006.
    Noise: P(x) proportional to e^(-|x| epsilon / (groups rows)), independent.
    Output: integers, possibly negative.
    """
    rate = epsilon / (groups * rows)
    noisy = counts + discrete_laplace(rate, len(counts), entropy)
    event = NoisyCount(epsilon) if len(counts) == 1 else Histogram(epsilon, groups=groups)
    return NoisyCounts(noisy, half_width(rate), event)


def half_width(rate: Fraction, confidence: float = CONFIDENCE) -> int:
    """The smallest w with P(|N| <= w) >= confidence for discrete Laplace noise of that rate.

    P(|N| > w) = 2 p^(w+1) / (1 + p), p = e^(-rate).

    >>> half_width(Fraction(1)), half_width(Fraction(1, 10))
    (3, 30)
    """
    p = math.exp(-rate)
    needed = math.log((1 - confidence) * (1 + p) / 2) / -float(rate)
    return max(math.ceil(needed - 1e-9) - 1, 0)


def accuracy_of_counts(epsilon: Fraction, *, groups: int) -> Accuracy:
    """The expected error of each count of `noisy_counts`.

    >>> accuracy_of_counts(Fraction(1), groups=10).half_width
    30
    """
    return Accuracy(math.sqrt(count_variance(epsilon / groups)), half_width(epsilon / groups))


@dataclass(frozen=True)
class SelectedCounts:
    """A release: the indices and counts of the keys whose noisy count reached the threshold."""

    candidates: tuple[int, ...]
    counts: tuple[int, ...]
    half_width: int
    threshold: int
    event: PartitionSelection | GaussianKeys


def threshold(epsilon: Fraction, delta: Fraction, groups: int) -> int:
    """The smallest noisy count at which a key taken from private rows may be released.

    A key that exists because of one unit has count 1; it passes with probability
    P(N >= tau - 1) = p^(tau-1) / (1 + p), at most delta' = 1 - (1 - delta)^(1/groups), p = e^(-rate).
    With `groups` such keys, all stay hidden with probability at least 1 - delta.

    >>> threshold(Fraction(1), Fraction(1, 10**6), 1)
    15
    """
    rate = float(epsilon / groups)
    # delta / groups is never above delta' (Bernoulli's inequality) and needs no root.
    per_key = float(delta / groups)
    # Rounded up beyond any error of the logarithms.
    scaled = (2.0**-40 - math.log(per_key * (1 + math.exp(-rate)))) / rate
    return 1 + max(math.ceil(scaled), 0)


def private_key_counts(
    counts: Vector, epsilon: Fraction, delta: Fraction, entropy: Entropy, *, groups: int
) -> SelectedCounts:
    """Release noisy counts of keys that are known from private rows only, above a threshold.

    Privacy: (epsilon, delta)-DP if one unit touches at most `groups` keys, each count by 1. Keys of
        both neighbours pay epsilon by L1 sensitivity; keys of one neighbour only, at most `groups`,
        each with count 1, show with total probability at most delta.
    Paper: Korolova et al., WWW 2009; Wilson et al., PoPETs 2020(2), Theorem 2, with exact integer
        noise.
    Input: the counts of the keys present, each at least 1; delta > 0.
    Errors: ParameterError before any draw, if delta is 0.
    """
    if delta <= 0:
        raise ParameterError(
            "keys from private rows need a delta", hint=Hint.of(SetTo("dp_delta", "1e-6"), ".")
        )
    rate = epsilon / groups
    tau = threshold(epsilon, delta, groups)
    numbers: list[int] = []
    found: list[int] = []
    for start, block in counts.blocks():
        noisy = block + discrete_laplace(rate, len(block), entropy)
        shown = np.flatnonzero(noisy >= tau)
        numbers += (start + shown).tolist()
        found += noisy[shown].tolist()
    event = PartitionSelection(epsilon, delta, groups=groups)
    return SelectedCounts(tuple(numbers), tuple(found), half_width(rate), tau, event)
