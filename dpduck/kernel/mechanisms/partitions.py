"""Partition selection: which keys of private rows may be released, without their counts.

A key that exists because of one unit must stay hidden except with probability delta, and its probability
may grow by at most a factor e^epsilon plus delta with each further unit. The largest probabilities that
satisfy this have a closed form. They are treated as real numbers and compared with uniform numbers to as
many digits as needed, so no rounding affects the decision.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from dpduck.kernel.accounting.events import KeySelection
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.errors.advice import Hint, SetTo
from dpduck.kernel.noise import Entropy
from dpduck.kernel.noise.uniform import Uniform, decide, integer, settle
from dpduck.kernel.scores import Vector

Integers = NDArray[np.int64]

_WORD = 1 << 64


@dataclass(frozen=True)
class SelectedPartitions:
    """A release: the indices of the keys that may be shown, ascending."""

    candidates: tuple[int, ...]
    event: KeySelection


@dataclass(frozen=True)
class Curve:
    """The largest probability pi_n with which a key of n units may be shown, for each n.

    pi_0 = 0, pi_(n+1) = min(e^epsilon pi_n + delta, 1 - e^(-epsilon) (1 - pi_n - delta), 1).
    The first of the three is the least as long as pi_n <= (1 - delta) / (e^epsilon + 1), the first
    `turn` steps; each part of the recursion is a geometric series.
    """

    epsilon: Fraction
    delta: Fraction

    @cached_property
    def turn(self) -> int:
        """The first n with pi_n > (1 - delta) / (e^epsilon + 1), by its closed form.

        That is 1 + floor(ln(1 + (1 - delta)(e^epsilon - 1) / (delta (e^epsilon + 1))) / epsilon). The
        argument of the floor is never an integer, since e^epsilon is transcendental.
        """

        def steps() -> arb:
            growth, delta = _ball(self.epsilon).expm1(), _ball(self.delta)
            return (1 + (1 - delta) * growth / (delta * (growth + 2))).log() / _ball(self.epsilon)

        return 1 + settle(lambda: integer(steps().floor()))

    def at(self, count: int) -> arb:
        """A ball around pi_n for n = `count`, or around a number above 1 where pi_n is 1."""
        rate, delta = _ball(self.epsilon), _ball(self.delta)
        gain = delta / rate.expm1()
        start = gain * (rate * min(count, self.turn)).expm1()
        if count <= self.turn:
            return start
        left = (-rate * (count - self.turn)).exp()
        return (1 - left) * (1 + gain) + left * start


def select_partitions(
    counts: Vector, epsilon: Fraction, delta: Fraction, entropy: Entropy, *, groups: int
) -> SelectedPartitions:
    """Select each key with the largest probability that privacy allows for its number of units.

    Privacy: (epsilon, delta)-DP under adding or removing one unit, if a unit touches at most `groups`
        keys, each count by 1.
        One key, with rate a = epsilon / groups and share d = delta / groups: a count of n shows it
        with probability pi_n, pi_0 = 0, so that keys without units never show. For neighbouring counts
        n and n + 1 both outcomes obey P <= e^a P' + d in both directions: shown, pi_(n+1) <= e^a pi_n
        + d is the first term of the minimum; hidden, 1 - pi_n <= e^a (1 - pi_(n+1)) + d is the
        second, solved for pi_(n+1); the other two follow from pi_n <= pi_(n+1).
        Many keys: they are decided independently, and neighbours differ in at most `groups` of them,
        so the release is (groups a, groups d)-DP by basic composition: if P <= e^a P' + d and
        Q <= e^b Q' + e on all events, then for the product, with (x)+ the positive part,
        P x Q (S) = sum_u P(u) Q(S_u) <= sum_u P(u) min(1, e^b Q'(S_u)) + e
        <= sum_u e^a P'(u) e^b Q'(S_u) + sum_u (P(u) - e^a P'(u))+ + e <= e^(a+b) P' x Q'(S) + d + e.
    Paper: Desfontaines, Voss, Gipson, Mandayam, PoPETs 2022(1), Theorem 1 (no mechanism for one key
        shows more) and Section 4 for several keys; Dwork et al., EUROCRYPT 2006, for composition.
    Input: the number of units of each key; 0 < delta < 1; groups at least 1.
    Noise: a uniform real number for each key; the key is shown if it is below pi_n, which is decided
        exactly, without rounding either of them.
    Output: indices of keys, ascending.
    Errors: ParameterError before any draw.
    """
    curve = _curve(epsilon, delta, groups)
    found = [start + _shown(curve, block, entropy) for start, block in counts.blocks()]
    numbers = np.concatenate(found).tolist() if found else []
    return SelectedPartitions(tuple(numbers), KeySelection(epsilon, delta, groups=groups))


def shown_from(
    epsilon: Fraction, delta: Fraction, *, groups: int, probability: Fraction = Fraction(19, 20)
) -> int:
    """The smallest number of units with which a key is shown with at least that probability.

    Input: probability above 0 and below 1. Errors: ParameterError, as `select_partitions`.

    >>> shown_from(Fraction(1), Fraction(1, 10**6), groups=1)
    16
    """
    curve = _curve(epsilon, delta, groups)

    def reached(count: int) -> bool:
        return settle(lambda: _is_positive(curve.at(count) - _ball(probability)))

    high = 1
    while not reached(high):
        high *= 2
    return bisect.bisect_left(range(high), True, lo=1, key=reached)


def _curve(epsilon: Fraction, delta: Fraction, groups: int) -> Curve:
    if delta <= 0:
        raise ParameterError(
            "keys from private rows need a delta", hint=Hint.of(SetTo("dp_delta", "1e-6"), ".")
        )
    if delta >= 1 or groups < 1:
        raise ParameterError("keys from private rows need a delta below 1 and at least one group")
    return Curve(epsilon / groups, delta / groups)


def _shown(curve: Curve, counts: Integers, entropy: Entropy) -> Integers:
    """The indices of the keys that are shown."""
    words = entropy.words(len(counts))
    distinct, place = np.unique(counts, return_inverse=True)
    bounds = settle(lambda: [_word_bounds(curve.at(n)) for n in distinct.tolist()])
    surely, perhaps = np.array(bounds, dtype=np.uint64).reshape(-1, 2).T
    shown = words < surely[place]
    for i in np.flatnonzero((words <= perhaps[place]) & ~shown):
        shown[i] = _is_shown(curve, int(counts[i]), Uniform(int(words[i]), entropy))
    return np.flatnonzero(shown)


def _word_bounds(probability: arb) -> tuple[int, int]:
    """Words below the first bound are surely below the probability; words above the second surely are not."""
    last = _WORD - 1
    low, high = integer((probability.lower() * _WORD).floor()), integer((probability.upper() * _WORD).ceil())
    return min(low or 0, last), last if high is None else min(high, last)


def _is_shown(curve: Curve, count: int, number: Uniform) -> bool:
    return count > 0 and decide(lambda: _is_positive(curve.at(count) - number.ball()), [number])


def _is_positive(ball: arb) -> bool | None:
    return True if ball > 0 else False if ball < 0 else None


def _ball(number: Fraction) -> arb:
    return arb(fmpq(number.numerator, number.denominator))
