"""Noisy top-k over keys taken from private rows, where one unit may touch any number of keys.

A key that exists because of one unit would reveal that unit. So only the `KEYS_READ + k` largest counts are
read, and nothing is released below a noisy bottom that is far above the next count.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from dpduck.kernel.accounting.events import Composed, Event, NoisyCount, PrivateTopK
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.errors.advice import Hint, SetTo
from dpduck.kernel.mechanisms import linear_estimates
from dpduck.kernel.mechanisms.noisy_max import rank_above
from dpduck.kernel.mechanisms.ranked_counts import RankedCounts, measured_counts
from dpduck.kernel.mechanisms.topk import K_MAX, p_values, release_gaps
from dpduck.kernel.noise import Entropy, Exponential
from dpduck.kernel.scores import Vector

KEYS_READ = 10_000


@dataclass(frozen=True)
class PrivateTop:
    """A release: the indices of at most k keys, in noisy order, with gaps and p-values; counts if measured.

    If there are fewer than k keys, the bottom was reached, and the last gap is the gap to the bottom.
    """

    candidates: tuple[int, ...]
    gaps: tuple[float, ...]
    p_values: tuple[float, ...]  # see `topk.p_values`
    found: RankedCounts
    event: Event


def bottom(epsilon: Fraction, delta: Fraction, k: int, groups: int | None) -> int:
    """Compute tau of Theorem C: how far the bottom must be above the largest count that is not read.

    >>> bottom(Fraction(1), Fraction(1, 10**6), 1, 1)
    15
    """
    strangers = KEYS_READ + k if groups is None else groups
    # Rounded up beyond any error of the logarithms.
    scaled = (math.log(strangers) - math.log(2 * delta) + 2.0**-40) * float(k / epsilon)
    return 1 + max(math.ceil(scaled), 0)


def private_top_k(
    counts: Vector,
    k: int,
    epsilon: Fraction,
    delta: Fraction,
    entropy: Entropy,
    *,
    groups: int | None,
    measure: bool,
) -> PrivateTop:
    """Select at most k keys with the largest noisy counts from the keys that are present.

    Privacy: (epsilon, delta)-DP under adding or removing one unit, which moves any number of counts
        by 1, all in one direction (`groups` bounds that number, None: unbounded).
        Theorem C. Let T be the r = 10000 + k present keys with the largest counts, c the next count,
        b = k / epsilon, and the bottom a candidate of score c + tau. Release the noisy order with
        gaps (Theorem B of `topk`) down to the bottom, and nothing below it. When `groups` is known,
        all present keys are read and c = 0.
        Let D' be D with one more unit, X = T \\ T', Y = T' \\ T. A key x of X and a key y of Y have
        c <= h_x <= c' <= h'_y <= c + 1. So x and y can be paired as one candidate that moves by 0 or
        1; the keys of both, the pairs and the bottom are a monotonic score vector. |Y| exceeds |X|
        only if fewer than r keys are present without the unit; then c = 0, and the unpaired
        newcomers N of Y have score 1 in D' and are not in D.
        From D to D': D gets N as phantoms of score 0. With them Theorem B applies: releases that
        name no key of X or Y have ratios of at most e^epsilon. Where no phantom is above the bottom,
        the release is that of D.
        From D' to D: where no key of N is above the bottom, N does not matter to the release, not
        even to its last gap, which an unnamed newcomer could set else. So for a w that names no key
        of X or Y, P_D'(w, no key of N is above the bottom) <= P_(D' without N)(w) <= e^epsilon P_D(w),
        by Theorem B again.
        What is left out, either way: that one of X or Y is named, or one of N above the bottom.
        Such a stranger's noise exceeds the bottom's by tau - 1 at least, with probability at most
        e^(-(tau-1)/b) / 2; either way there are at most |Y| <= s of them, s = r (s = `groups` if
        known). Hence delta = s e^(-(tau-1)/b) / 2.
        The counts of the winners, if asked, are a further pure release, see `topk_counts`.
    Paper: after Durfee, Rogers, NeurIPS 2019 (limited domain), with gaps and exponential noise.
    Input: counts of the keys present, each at least 1; 1 <= k <= 10000; delta > 0.
    Ties: which of the keys tied at rank r are read may depend on anything but the noise.
    Errors: ParameterError before any draw.
    """
    _check(k, delta)
    split = linear_estimates.best_split(epsilon, k, k if groups is None else min(k, groups))
    selection = split.selection if measure else epsilon
    read, following = counts.histogram().best(KEYS_READ + k if groups is None else counts.count)
    floor = following + bottom(selection, delta, k, groups)
    family = Exponential(selection / k)
    ranking, winners = rank_above(read, floor, k, family, entropy)
    members = ranking.members(winners, entropy)
    gaps = release_gaps(ranking, winners, family)
    chosen = ranking.groups.candidates(members)
    ranked = tuple(chosen), gaps, p_values(gaps, family.rate)
    selected = PrivateTopK(selection, delta, k=k)
    if not measure:
        return PrivateTop(*ranked, RankedCounts(), selected)
    found = measured_counts(ranking, members, split.among(winners), entropy)
    return PrivateTop(*ranked, found, Composed.of(selected, NoisyCount(split.measurement)))


def _check(k: int, delta: Fraction) -> None:
    if not 1 <= k <= K_MAX:
        raise ParameterError(f"k is {k}", detail=f"k must be a whole number from 1 to {K_MAX}.")
    if delta <= 0:
        raise ParameterError(
            "keys from private rows need a delta", hint=Hint.of(SetTo("dp_delta", "1e-6"), ".")
        )
