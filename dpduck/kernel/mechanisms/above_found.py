"""Sparse vector over keys taken from private rows, where one unit may touch any number of keys.

A key that exists because of one unit would reveal that unit. So only the `KEYS_READ + k` largest counts are
read, and the threshold is kept far above any count that one unit can create and above the next count.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.accounting.events import PrivateSparseVector
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.private_topk import KEYS_READ
from dpduck.kernel.mechanisms.sparse_vector import Above, above_threshold, check_threshold, divide
from dpduck.kernel.mechanisms.topk import K_MAX
from dpduck.kernel.noise import Entropy

Integers = NDArray[np.int64]


def min_threshold(epsilon: Fraction, delta: Fraction, k: int) -> int:
    """Compute tau of Theorem E: how far the threshold must be above the largest count that is not read.

    >>> min_threshold(Fraction(1), Fraction(1, 10**6), 1)
    119
    """
    budget, strangers = divide(epsilon, k, adaptive=True), 2 * (KEYS_READ + k)
    of_threshold = _reach(Fraction(2) / delta, budget.threshold)
    of_answers = max(
        _reach(4 * strangers / delta, budget.rate(clear=True)) - budget.margin,
        _reach(4 * strangers / delta, budget.rate(clear=False)),
    )
    return of_threshold + max(of_answers, 0)


def _reach(odds: Fraction, rate: Fraction) -> int:
    """The smallest m with e^(-rate m) <= 1 / odds, rounded up beyond any error of the logarithm."""
    return max(math.ceil((math.log(odds) + 2.0**-40) * float(1 / rate)), 0)


def above_of_found(
    counts: Integers, threshold: int, k: int, epsilon: Fraction, delta: Fraction, entropy: Entropy
) -> Above:
    """Find the first present keys, in key order, whose count reaches a threshold.

    Privacy: (epsilon, delta)-DP under adding or removing one unit, which moves any number of counts by 1,
        all in one direction.
        Theorem E. Let T be the r = 10000 + k present keys with the largest counts, c the next count (0 if
        there is none), B the larger of the threshold and tau, x = max(0, c + tau - B). Release sparse
        vector (`above_threshold`) of the counts less x of the keys of T, in their order, at threshold B.
        Let D' be D with one more unit, and U the union of T and T', at most 2 r keys. Take M and M' for the
        release, and N and N' for sparse vector over all of U with D's and D''s true counts less x and x'.
        c' - c is 0 or 1, so x' - x is; so the scores of N' and N differ by 0 or 1, all in one direction
        (upwards if x' = x, downwards if not): for any outputs P(N) <= e^epsilon P(N') and the other way.
        Give M and N the same noise for each key. They agree unless a test of a key of U outside T passes
        in N; in D such a key has a count of at most c. A key of T outside T' has at most c' <= c + 1 in D.
        Let E be the event that, with the noise there is, a test of a key of U that is not in both T and T'
        would pass, wherever the scan stops. For any set S of outputs P(M in S) <= P(N in S, names none of
        them) + P(E) <= e^epsilon P(N' in S, names none) + P(E) <= e^epsilon P(M' in S) + P(E).
        From D' to D the same holds with E': in D' a key of T outside T' has at most c', one of T' outside T
        at most c + 1 <= c' + 1. On either side such a key, less x or x', lies d = tau - 1 or more below B:
        a test passes if X - N_0 >= d + s or Y - N_0 >= d, with the threshold's noise N_0 and the key's own
        X and Y (rates e_0, e_2, e_1; margin s). P(-N_0 >= m) <= e^(-e_0 m) for m >= 0, and X and Y
        likewise. With m = ln(2 / delta) / e_0 rounded up, either -N_0 >= m, of probability at most
        delta / 2, or one of 2 r keys has X > d + s - m or Y > d - m, of probability at most
        2 r (e^(-e_2 (d + s - m + 1)) + e^(-e_1 (d - m + 1))) <= delta / 2. So P(E) <= delta.
        The same inequalities hold with each output's own loss in place of epsilon, so the epsilon that an
        answer shows as unused may be settled; delta may not.
    Paper: sparse vector as in `above_threshold`; the limited domain after Durfee, Rogers, NeurIPS 2019.
    Input: counts of the keys present, each at least 1, in an order of the keys themselves; 1 <= k <= 10000;
        0 < delta < 1.
    Output: as `above_threshold`; gaps are to the noisy B. If more than r keys have counts near B, the counts
        that are estimated are those above x, and too low by it.
    Ties: which of the keys tied at rank r are read may depend on anything but the noise.
    Errors: ParameterError before any draw.
    """
    check_found(threshold, k, delta)
    tau = min_threshold(epsilon, delta, k)
    bar = max(threshold, tau)
    read, following = _largest(counts, KEYS_READ + k)
    excess = max(0, following + tau - bar)
    found = above_threshold(counts[read] - excess, bar, k, epsilon, entropy)
    return replace(
        found,
        candidates=tuple(int(read[candidate]) for candidate in found.candidates),
        event=PrivateSparseVector(found.event.epsilon, delta, k=k),
        used=PrivateSparseVector(found.used.epsilon, delta, k=k),
    )


def check_found(threshold: int, k: int, delta: Fraction) -> None:
    """Check the parameters of `above_of_found`. Errors: ParameterError."""
    if not 1 <= k <= K_MAX:
        raise ParameterError(f"k is {k}", detail=f"k must be a whole number from 1 to {K_MAX}.")
    if not 0 < delta < 1:
        raise ParameterError("keys from private rows need a delta", hint="Write delta := 1e-6.")
    check_threshold(threshold)


def _largest(counts: Integers, most: int) -> tuple[Integers, int]:
    """The indices of the `most` largest counts, ascending, and the next count (0 if there is none)."""
    if len(counts) <= most:
        return np.arange(len(counts)), 0
    order = np.argsort(-counts, kind="stable")
    return np.sort(order[:most]), int(counts[order[most]])
