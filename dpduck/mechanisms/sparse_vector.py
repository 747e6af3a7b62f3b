"""Candidates whose count is above a threshold, with their gaps to it: adaptive sparse vector.

The candidates are looked at in a public order; only those above cost anything, and one that is far
above costs half. Each candidate would need two noises of its own. But most of them only ever say
"below", so what is drawn is the place of the next candidate that is not: a run of equal counts needs
one uniform number, however long it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from flint import arb
from numpy.typing import NDArray

from dpduck.errors import ParameterError
from dpduck.events import Composed, Count, Event, SparseVector
from dpduck.mechanisms.accuracy import CONFIDENCE, Accuracy, least, tail, tail_of_many
from dpduck.mechanisms.additive import half_width
from dpduck.mechanisms.blue import count_variance
from dpduck.mechanisms.topk import K_MAX
from dpduck.noise import Entropy, Laplace, discrete_laplace, laplace_at_least
from dpduck.noise.entropy import Words
from dpduck.noise.uniform import Uniform, decide, integer, log_bounds
from dpduck.scores import SCORE_LIMIT

Integers = NDArray[np.int64]

_SHARES = 1000
_BLOCK = 1 << 14  # runs whose words are drawn at once
# What floats may be off by when they say that a run stays below: far more than their errors add up to.
_SLACK, _LEAST = 2.0**-38, 1e-280
# Discrete Laplace noise is within 1 of a continuous one of its rate; an answer has that of two.
_DISCRETE = 2.0


@dataclass(frozen=True)
class Budget:
    """How epsilon is divided: one part for the threshold, k equal parts for answers.

    An answer that passes the first, noisier test costs half a part: the unit in which costs are
    counted, so that no rounding decides when to stop.
    """

    k: int
    threshold: Fraction
    answer: Fraction
    adaptive: bool

    @property
    def unit(self) -> Fraction:
        return self.answer / 2

    @property
    def most(self) -> int:
        """The most answers there can be."""
        return 2 * self.k - 1 if self.adaptive else self.k

    @property
    def margin(self) -> int:
        """How far above the threshold the first test asks for: two standard deviations of its noise."""
        return math.ceil(2 * math.sqrt(count_variance(self.unit)))

    def rate(self, *, clear: bool) -> Fraction:
        """The rate of the noise of an answer, by the test that it passed."""
        return self.unit if clear else self.answer

    def spent(self, units: int) -> Fraction:
        """The epsilon of the threshold and of answers that cost so many units."""
        return self.threshold + units * self.unit


def divide(epsilon: Fraction, k: int, *, adaptive: bool) -> Budget:
    """The parts of threshold and answers as 1 : k^(2/3), in thousandths of epsilon.

    That is best for monotonic scores without the first test (Lyu, Su, Li, PVLDB 10(6), 2017).

    >>> divide(Fraction(1), 8, adaptive=True).threshold, divide(Fraction(1), 8, adaptive=True).answer
    (Fraction(1, 5), Fraction(1, 10))
    """
    threshold = epsilon * max(round(_SHARES / (1 + k ** (2 / 3))), 1) / _SHARES
    return Budget(k, threshold, (epsilon - threshold) / k, adaptive)


@dataclass(frozen=True)
class Above:
    """A release: candidates by number in the public order, their gaps to the noisy threshold, and counts.

    `clear`: passed the first, noisier test. `epsilon_used`: what the rest of the release shows as
    used; the charge is the whole epsilon of `event`.
    """

    candidates: tuple[int, ...]
    gaps: tuple[int, ...]
    clear: tuple[bool, ...]
    estimates: tuple[float, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]
    epsilon_used: Fraction
    event: Event


@dataclass(frozen=True, repr=False)
class Runs:
    """Counts of candidates in the public order: `lengths[i]` neighbours have `scores[i]` each."""

    scores: Integers
    lengths: Integers

    @classmethod
    def of(cls, scores: Integers, lengths: Integers | None) -> Runs:
        return cls(scores, np.ones(len(scores), dtype=np.int64) if lengths is None else lengths)

    @property
    def count(self) -> int:
        return int(self.lengths.sum())


@dataclass(frozen=True, slots=True, repr=False)
class _Hit:
    candidate: int
    score: int  # the true count, which leaves only with noise
    gap: int
    clear: bool


@dataclass(frozen=True, repr=False)
class _Trial:
    """What happens to a candidate whose count lies `distance` below the noisy threshold.

    It is above, clearly, if noise of rate `unit` is at least distance + margin; else above if other
    noise, of rate `answer`, is at least distance; else below.
    """

    distance: int
    budget: Budget

    def skipped(self, length: int, number: Uniform) -> int:
        """How many of a run of equal candidates are below before one is not; `length` if all are.

        P(at least j) = c^j for the probability c of being below: it is floor(ln V / ln c).
        """

        def place() -> int | None:
            first = number.ball().log() / self._log_below()
            if first >= length:
                return length
            whole = integer(first.floor())
            return None if whole is None else min(whole, length)

        return decide(place, [number])

    def hit(self, candidate: int, score: int, entropy: Entropy) -> _Hit:
        """By which test, and how far above, given that the candidate is not below."""
        clear = self.budget.adaptive and self._is_clear(entropy)
        least_noise = self.distance + (self.budget.margin if clear else 0)
        noise = laplace_at_least(self.budget.rate(clear=clear), least_noise, entropy)
        return _Hit(candidate, score, noise - self.distance, clear)

    def _is_clear(self, entropy: Entropy) -> bool:
        """With probability P(clearly above) / P(above)."""
        number = Uniform(int(entropy.words(1)[0]), entropy)

        def question() -> bool | None:
            excess = number.ball() * self._log_below().expm1() - self._log_not_clear().expm1()
            return True if excess > 0 else False if excess < 0 else None

        return decide(question, [number])

    def _log_below(self) -> arb:
        near = Laplace(self.budget.answer).log_below(self.distance)
        return near + self._log_not_clear() if self.budget.adaptive else near

    def _log_not_clear(self) -> arb:
        return Laplace(self.budget.unit).log_below(self.distance + self.budget.margin)


def above_threshold(
    scores: Integers,
    threshold: int,
    k: int,
    epsilon: Fraction,
    entropy: Entropy,
    *,
    lengths: Integers | None = None,
    adaptive: bool = True,
    measure: bool = False,
    groups: int | None = None,
) -> Above:
    """Find the first candidates whose count reaches a public threshold, and estimate their counts.

    Privacy: epsilon-DP under adding or removing one unit, which moves any number of the counts by 1,
        all in one direction.
        Let N be the threshold's noise, of rate e_0, X_i and Y_i those of the two tests of candidate i,
        of rates e_2 = e_1 / 2 and e_1, all discrete Laplace; s the margin. Candidate i is clearly
        above, with gap g = q_i + X_i - T - N, if g >= s; else above, with gap g = q_i + Y_i - T - N,
        if g >= 0; else below. Fix an output w, with c clear answers and d others, and its stop.
        If q'_i - q_i is 0 or 1 for all i: map N to N + 1, the noise of each answer's own test to itself
        plus 1 - (q'_i - q_i), and all else to itself. Gaps stay; a test that failed fails still, since
        q'_i - 1 <= q_i. So w comes out for q' too, and the map is one to one on whole numbers: P(w | q)
        <= e^(e_0 + c e_2 + d e_1) P(w | q'). If q_i - q'_i is 0 or 1: leave N, add q_i - q'_i to the
        noise of each answer's own test; a test that failed fails still, since q'_i <= q_i. Hence the
        factor is at most e^(c e_2 + d e_1). In units of e_2, of which there are 2 k, the scan stops
        when more than 2 k - 2 are used, and no answer costs more than 2; so e_0 + c e_2 + d e_1 <=
        e_0 + k e_1 = epsilon. Without the first test the answers cost 2 units each, k of them all.
        Measured: half of epsilon for all this, half for discrete Laplace noise on the counts of the
        w answers, of which one unit moves at most min(w, groups), each by 1.
    Paper: Ding, Wang, Zhang, Kifer, PVLDB 13(3), 2019, Algorithm 2, Theorem 4 and its footnote 6 for
        monotonic scores; with whole noise, costs counted in whole units (with floats the printed
        condition may stop one answer early), a margin of two standard deviations of the noise that is
        there (the printed one is four, for monotonic scores), and all gaps estimated together.
    Input: counts in a public order that does not depend on the data, candidates with count 0 included;
        `lengths`: how many neighbours share each count (default 1). `groups`: the most candidates that
        one unit counts for, None when unbounded; it matters when counts are measured.
        threshold: at most 2^61 in size; 1 <= k <= 10000.
    Noise: drawn as what it decides: one uniform number for each run, three more for each answer.
        About 0.1 seconds for a million runs; the length of a run costs nothing.
    Output: at most 2 k - 1 answers (k if not adaptive). Candidates that are never reached because the
        budget is used up are not answered.
        Estimates: threshold + gap; if measured, combined with the measurements by generalised least
        squares, with the threshold's noise common to all gaps.
        Intervals: with probability 0.95 all of lows <= counts <= highs hold together, whatever the
        data. Being selected makes an estimate too large, the more the more candidates compete: a
        bound for one candidate (the paper's Lemma 5) does not hold for those that are selected, so
        lows allow for the largest noise of all candidates. Given N, selection only makes
        the noise of an answer larger, so highs need to allow for as many noises as there are answers.
        Measured: each interval holds with probability 0.95, given what was selected, because it comes
        from the measurement alone; the estimate is moved into it if it lies outside.
    Errors: ParameterError before any draw.
    """
    _check(threshold, k)
    runs = Runs.of(scores, lengths)
    budget = divide(epsilon / 2 if measure else epsilon, k, adaptive=adaptive)
    bar = threshold + int(discrete_laplace(budget.threshold, 1, entropy)[0])
    hits = list(_affordable(_hits(runs, bar, budget, entropy), budget))
    levels = [threshold + hit.gap for hit in hits]
    event = SparseVector(budget.spent(2 * k), k=k)
    used = budget.spent(sum(map(_cost, hits)))
    if not measure:
        return _release(hits, _bounded(hits, levels, budget, runs.count), used, event)
    half = epsilon / 2
    intervals = _measured(hits, levels, budget, half / _moved(len(hits), groups), entropy)
    return _release(hits, intervals, used + (half if hits else 0), Composed.of(event, Count(half)))


def accuracy_of_estimates(
    epsilon: Fraction,
    k: int,
    candidates: int,
    *,
    adaptive: bool = True,
    measure: bool = False,
    groups: int | None = None,
) -> Accuracy:
    """How exact the counts will be, at worst: with as many answers as there can be, all of them clear.

    Input: as `above_threshold`; candidates: how many there are. Output: the deviation leaves out what
    being selected does, which depends on the data; the half-width does not.
    """
    budget = divide(epsilon / 2 if measure else epsilon, k, adaptive=adaptive)
    if not measure:
        noise = count_variance(budget.threshold) + count_variance(budget.rate(clear=adaptive))
        return Accuracy(math.sqrt(noise), max(_margins(budget, candidates, clear=adaptive)))
    rate = epsilon / 2 / _moved(budget.most, groups)
    return Accuracy(math.sqrt(_combined_variance(budget, count_variance(rate))), half_width(rate))


def detection_margin(epsilon: Fraction, k: int, *, adaptive: bool = True) -> int:
    """A distance w for which the answer is right: a count of at least T + w is found, and one of at most
    T - w is not, each with probability 0.95, if the scan comes that far.

    >>> detection_margin(Fraction(1), 1), detection_margin(Fraction(1), 10)
    (9, 35)
    """
    budget = divide(epsilon, k, adaptive=adaptive)
    common, near, clear = (float(1 / rate) for rate in (budget.threshold, budget.answer, budget.unit))

    def wrong(w: float) -> float:
        return tail(w, common, near) + (tail(w + budget.margin, common, clear) if adaptive else 0.0)

    return math.ceil(least(wrong, 1 - CONFIDENCE, common) + _DISCRETE)


# The scan


def _hits(runs: Runs, bar: int, budget: Budget, entropy: Entropy) -> Iterator[_Hit]:
    """All candidates above the bar, in order; noise is drawn only as far as they are taken."""
    starts = np.cumsum(runs.lengths) - runs.lengths
    for first in range(0, len(runs.scores), _BLOCK):
        block = slice(first, first + _BLOCK)
        lengths = runs.lengths[block]
        words = entropy.words(len(lengths))
        for i in _possible(words, bar - runs.scores[block], lengths, budget):
            score, start = int(runs.scores[first + i]), int(starts[first + i])
            number = Uniform(int(words[i]), entropy)
            yield from _hits_of_run(score, bar, budget, start, int(lengths[i]), number, entropy)


def _possible(words: Words, distances: Integers, lengths: Integers, budget: Budget) -> Integers:
    """The runs in which somebody may be above: all but those where ln V <= length * ln c for certain."""
    x = distances.astype(np.float64)
    log_below = Laplace(budget.answer).guess_log_below(x)
    if budget.adaptive:
        log_below += Laplace(budget.unit).guess_log_below(x + budget.margin)
    all_below = log_below * lengths * (1 + _SLACK) - _LEAST
    return np.flatnonzero(log_bounds(words)[1] >= all_below)


def _hits_of_run(
    score: int, bar: int, budget: Budget, start: int, length: int, number: Uniform, entropy: Entropy
) -> Iterator[_Hit]:
    """The hits among `length` candidates from number `start`; after each, the rest is a run of its own."""
    trial = _Trial(bar - score, budget)
    place = trial.skipped(length, number)
    while place < length:
        yield trial.hit(start + place, score, entropy)
        place += 1
        if place < length:
            place += trial.skipped(length - place, Uniform(int(entropy.words(1)[0]), entropy))


def _affordable(hits: Iterator[_Hit], budget: Budget) -> Iterator[_Hit]:
    """Hits until more than 2 k - 2 units are used, so that the last one can always be paid."""
    used = 0
    for hit in hits:
        yield hit
        used += _cost(hit)
        if used > 2 * budget.k - 2:
            return


def _cost(hit: _Hit) -> int:
    return 1 if hit.clear else 2


# Estimates


@dataclass(frozen=True)
class _Intervals:
    estimates: Sequence[float]
    lows: Sequence[float]
    highs: Sequence[float]


def _bounded(hits: Sequence[_Hit], levels: Sequence[int], budget: Budget, candidates: int) -> _Intervals:
    """Estimates from gaps alone, with bounds that hold for all at once."""
    margins = [_margins(budget, candidates, clear=hit.clear) for hit in hits]
    return _Intervals(
        [float(level) for level in levels],
        [level - below for level, (below, _) in zip(levels, margins, strict=True)],
        [level + above for level, (_, above) in zip(levels, margins, strict=True)],
    )


@lru_cache(maxsize=256)
def _margins(budget: Budget, candidates: int, *, clear: bool) -> tuple[float, float]:
    """How far below and above an estimate the count may be: the largest of as many noises as may matter.

    Each of the kinds of answer has an equal part of the doubt on either side.
    """
    doubt = (1 - CONFIDENCE) / (4 if budget.adaptive else 2)
    scale, common = float(1 / budget.rate(clear=clear)), float(1 / budget.threshold)
    rest = least(lambda d: tail_of_many(d, scale, common), doubt, scale) + _DISCRETE
    answers = budget.most if clear else budget.k
    below, above = (math.log(max(count, 2) / 2) * scale + rest for count in (candidates, answers))
    return below, above


def _measured(
    hits: Sequence[_Hit], levels: Sequence[int], budget: Budget, rate: Fraction, entropy: Entropy
) -> _Intervals:
    """Measure the counts with noise of that rate, and combine with the gaps.

    What the gaps say counts only within the measurement's interval, since selection makes them large.
    """
    noise = discrete_laplace(rate, len(hits), entropy).tolist()
    measured = [hit.score + x for hit, x in zip(hits, noise, strict=True)]
    variances = [count_variance(budget.rate(clear=hit.clear)) for hit in hits]
    width = half_width(rate)
    found = combine(measured, levels, variances, count_variance(rate), count_variance(budget.threshold))
    estimates = [min(max(x, m - width), m + width) for x, m in zip(found, measured, strict=True)]
    return _Intervals(estimates, [m - width for m in measured], [m + width for m in measured])


def combine(
    measured: Sequence[int],
    levels: Sequence[int],
    variances: Sequence[float],
    measured_variance: float,
    common_variance: float,
) -> list[float]:
    """Generalised least squares for counts that were measured twice, once with a noise common to all.

    levels[i] = q_i + noise of variances[i] - N. The mean of measured - levels, weighted by precision
    and shrunk, estimates N; the levels corrected by it are averaged with the measurements.

    >>> combine([12, 5], [10, 1], [1.0, 1.0], 1.0, 1.0)
    [11.75, 3.75]
    """
    precisions = [1 / (measured_variance + v) for v in variances]
    pull = sum(p * (m - y) for p, m, y in zip(precisions, measured, levels, strict=True))
    common = common_variance * pull / (1 + common_variance * sum(precisions))
    return [
        (v * m + measured_variance * (y + common)) * p
        for p, v, m, y in zip(precisions, variances, measured, levels, strict=True)
    ]


def _combined_variance(budget: Budget, measured: float) -> float:
    """The variance of a combined estimate with as many answers as there can be, all of the same kind.

    The mean of all levels has the common noise, their differences have not.
    """
    w, own = budget.most, count_variance(budget.rate(clear=budget.adaptive))
    of_mean = own + w * count_variance(budget.threshold)
    return (measured * of_mean / (measured + of_mean) + (w - 1) * measured * own / (measured + own)) / w


def _moved(answers: int, groups: int | None) -> int:
    """How many of the measured counts one unit may move."""
    return max(answers if groups is None else min(answers, groups), 1)


def _release(hits: Sequence[_Hit], found: _Intervals, used: Fraction, event: Event) -> Above:
    return Above(
        tuple(hit.candidate for hit in hits),
        tuple(hit.gap for hit in hits),
        tuple(hit.clear for hit in hits),
        tuple(found.estimates),
        tuple(found.lows),
        tuple(found.highs),
        used,
        event,
    )


def _check(threshold: int, k: int) -> None:
    if not 1 <= k <= K_MAX:
        raise ParameterError(f"k is {k}", detail=f"k must be a whole number from 1 to {K_MAX}.")
    if abs(threshold) > SCORE_LIMIT // 2:
        raise ParameterError("the threshold is too large", detail="It must be at most 2^61 in size.")
