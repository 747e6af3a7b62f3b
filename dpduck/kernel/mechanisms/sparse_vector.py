"""Adaptive sparse vector: candidates whose count is above a threshold, with their gaps to it.

The candidates are tested in a public order, or asked for one by one (`Stream`); only those above cost
anything, and one that is far above costs half. Each candidate would need two noises of its own. But most
of them only answer "below", so the sampler draws the index of the next candidate that does not: a run of
equal counts needs one uniform number, however long it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb
from numpy.typing import NDArray

from dpduck.kernel.accounting.events import AboveThreshold, Composed, Event, NoisyCount
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.linear_estimates import count_variance
from dpduck.kernel.mechanisms.threshold_estimates import Level, measured, selected
from dpduck.kernel.mechanisms.topk import K_MAX
from dpduck.kernel.noise import Entropy, Laplace, discrete_laplace, laplace_at_least
from dpduck.kernel.noise.entropy import Words
from dpduck.kernel.noise.uniform import Uniform, decide, integer, log_bounds
from dpduck.kernel.scores import SCORE_LIMIT

Integers = NDArray[np.int64]

_SHARES = 1000
_BLOCK = 1 << 14  # runs whose random words are drawn together
# The tolerance for floats that decide that a whole run is below: far more than their errors can add up to.
_SLACK, _LEAST = 2.0**-38, 1e-280


@dataclass(frozen=True)
class EpsilonSplit:
    """How epsilon is divided: one part for the threshold, k equal parts for answers.

    An answer that passes the first, noisier test costs half a part. Costs are counted in half parts, so
    that no rounding decides when to stop.
    """

    k: int
    threshold: Fraction
    answer: Fraction
    adaptive: bool

    @property
    def unit(self) -> Fraction:
        return self.answer / 2

    @property
    def max_answers(self) -> int:
        """The largest possible number of answers."""
        return 2 * self.k - 1 if self.adaptive else self.k

    @property
    def margin(self) -> int:
        """How far above the threshold the first test is: two standard deviations of its noise."""
        return math.ceil(2 * math.sqrt(count_variance(self.unit)))

    def rate(self, *, clear: bool) -> Fraction:
        """The rate of an answer's noise: `clear` says that it passed the first test."""
        return self.unit if clear else self.answer

    def is_over(self, used: int) -> bool:
        """Whether too few units remain, after `used`, for another answer."""
        return used > 2 * self.k - 2

    def spent(self, units: int) -> Fraction:
        """The epsilon of the threshold and of answers that cost that many units in total."""
        return self.threshold + units * self.unit


def divide(epsilon: Fraction, k: int, *, adaptive: bool) -> EpsilonSplit:
    """Divide epsilon between threshold and answers as 1 : k^(2/3), in thousandths of epsilon.

    That is best for monotonic scores without the first test (Lyu, Su, Li, PVLDB 10(6), 2017).

    >>> divide(Fraction(1), 8, adaptive=True).threshold, divide(Fraction(1), 8, adaptive=True).answer
    (Fraction(1, 5), Fraction(1, 10))
    """
    threshold = epsilon * max(round(_SHARES / (1 + k ** (2 / 3))), 1) / _SHARES
    return EpsilonSplit(k, threshold, (epsilon - threshold) / k, adaptive)


def check_threshold(threshold: int) -> None:
    """Check that the threshold is at most 2^61 in size. Errors: ParameterError."""
    if abs(threshold) > SCORE_LIMIT // 2:
        raise ParameterError("the threshold is too large", detail="It must be at most 2^61 in size.")


@dataclass(frozen=True)
class _Plan:
    """A threshold, the split of epsilon for the tests, and the epsilon for measuring the answers' counts."""

    threshold: int
    budget: EpsilonSplit
    measurement: Fraction

    @classmethod
    def of(cls, threshold: int, k: int, epsilon: Fraction, *, adaptive: bool, measure: bool) -> _Plan:
        """Errors: ParameterError for a k or threshold out of range."""
        if not 1 <= k <= K_MAX:
            raise ParameterError(f"k is {k}", detail=f"k must be a whole number from 1 to {K_MAX}.")
        check_threshold(threshold)
        measurement = epsilon / 2 if measure else Fraction(0)
        return cls(threshold, divide(epsilon - measurement, k, adaptive=adaptive), measurement)

    @property
    def event(self) -> Event:
        tests = AboveThreshold(self.budget.spent(2 * self.budget.k), k=self.budget.k)
        return Composed.of(tests, NoisyCount(self.measurement)) if self.measurement else tests

    def bar(self, entropy: Entropy) -> int:
        """The noisy threshold."""
        return self.threshold + int(discrete_laplace(self.budget.threshold, 1, entropy)[0])


@dataclass(frozen=True)
class Above:
    """A release: the indices of candidates in the public order, gaps to the noisy threshold, and estimates.

    `clear`: whether the candidate passed the first, noisier test; `costs`: the epsilon of each answer.
    `used`: the part of `event` that the rest of the release shows as used.
    """

    candidates: tuple[int, ...]
    gaps: tuple[int, ...]
    clear: tuple[bool, ...]
    costs: tuple[Fraction, ...]
    estimates: tuple[float, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]
    event: Event
    used: Event


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

    It is clearly above if noise of rate `unit` is at least distance + margin; otherwise above if a second
    noise, of rate `answer`, is at least distance; otherwise below.
    """

    distance: int
    budget: EpsilonSplit

    def skipped(self, length: int, number: Uniform) -> int:
        """How many of a run of equal candidates are below before one is not; `length` if all are below.

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
        """Draw which test the candidate passed, and its gap, given that it is not below."""
        clear = self.budget.adaptive and self._is_clear(entropy)
        least_noise = self.distance + (self.budget.margin if clear else 0)
        noise = laplace_at_least(self.budget.rate(clear=clear), least_noise, entropy)
        return _Hit(candidate, score, noise - self.distance, clear)

    def _is_clear(self, entropy: Entropy) -> bool:
        """Draw whether it is clearly above: with probability P(clearly above) / P(above)."""
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
        condition may stop one answer early), a margin of two standard deviations of the noise used here
        (the printed one is four, for monotonic scores), and all gaps estimated together.
    Input: counts in a public order that does not depend on the data, candidates with count 0 included;
        `lengths`: how many neighbours share each count (default 1). `groups`: the most candidates that
        one unit counts for, None when unbounded; it matters when counts are measured.
        threshold: at most 2^61 in size; 1 <= k <= 10000.
    Noise: one uniform number for each run, which decides the whole run, and three more for each answer.
        About 0.1 seconds for a million runs; the length of a run costs nothing.
    Output: at most 2 k - 1 answers (k if not adaptive). Candidates that are never reached because the
        budget is used up are not answered.
        Estimates: threshold + gap, which selection biases upwards; if measured, combined with the
        measurements by generalised least squares, with the threshold's noise common to all gaps.
        Intervals: each holds with probability 0.95 given that its candidate passed; from gaps alone an
        end may be open. See `threshold_estimates`.
    Errors: ParameterError before any draw.
    """
    plan = _Plan.of(threshold, k, epsilon, adaptive=adaptive, measure=measure)
    runs = Runs.of(scores, lengths)
    hits = list(_affordable(_hits(runs, plan.bar(entropy), plan.budget, entropy), plan.budget))
    return _release(hits, plan, groups, entropy)


def first_above(parts: Iterable[Runs], threshold: int, split: EpsilonSplit, entropy: Entropy) -> int | None:
    """Find the first candidate whose count reaches a public threshold; None if there is none.

    Privacy: that of `above_threshold` for one answer, of which the gap is not released. It costs the same
        wherever the answer is.
    Input, errors: as of `above_threshold`; scores and threshold may be negative. Counts come in parts, and
        none is asked for after that with the answer. `split`: of one answer without a first test; its proof
        holds for any parts of epsilon.
    """
    check_threshold(threshold)
    bar, start = _Plan(threshold, split, Fraction(0)).bar(entropy), 0
    for runs in parts:
        for hit in _hits(runs, bar, split, entropy):
            return start + hit.candidate
        start += runs.count
    return None


@dataclass(frozen=True)
class StreamAnswer:
    """A count of a stream that is above the threshold: its gap, an estimate and the estimate's interval."""

    gap: int
    clear: bool
    estimate: float
    low: float
    high: float


class Stream:
    """Sparse vector over counts that are submitted one by one, each chosen after seeing the earlier answers.

    Privacy: that of `above_threshold`, whose proof treats the tests one at a time: epsilon-DP for counts that
        one unit moves by 0 or 1, all in one direction.
    Input: as `above_threshold`. Counts that are measured at the end stay in memory until then.
    Errors: ParameterError before any draw; also from `ask` once the stream is over.
    """

    def __init__(
        self,
        threshold: int,
        k: int,
        epsilon: Fraction,
        entropy: Entropy,
        *,
        adaptive: bool = True,
        measure: bool = False,
    ) -> None:
        self._plan = _Plan.of(threshold, k, epsilon, adaptive=adaptive, measure=measure)
        self._entropy = entropy
        self._bar: int | None = None
        self._hits: list[_Hit] = []
        self._asked = 0
        self._released: Above | None = None

    @property
    def event(self) -> Event:
        """The largest possible cost of the stream."""
        return self._plan.event

    @property
    def is_over(self) -> bool:
        """Whether the stream was finished or cannot pay for another answer."""
        return self._released is not None or self._plan.budget.is_over(sum(map(_cost, self._hits)))

    def ask(self, count: int) -> StreamAnswer | None:
        """Test a count against the noisy threshold. Returns None if it is below."""
        if self.is_over:
            raise stream_is_over()
        if self._bar is None:
            self._bar = self._plan.bar(self._entropy)
        budget, number = self._plan.budget, Uniform(int(self._entropy.words(1)[0]), self._entropy)
        hits = list(_hits_of_run(count, self._bar, budget, self._asked, 1, number, self._entropy))
        self._asked += 1
        if not hits:
            return None
        [hit] = hits
        self._hits.append(hit)
        found = selected([_level(hit, budget)], self._plan.threshold, budget.threshold)
        return StreamAnswer(hit.gap, hit.clear, found.estimates[0], found.lows[0], found.highs[0])

    def finish(self) -> Above:
        """End the stream and release all its answers, with measured counts if it was created so."""
        if self._released is None:
            self._released = _release(self._hits, self._plan, None, self._entropy)
        return self._released


def stream_is_over() -> ParameterError:
    """The error for a test against a stream that has ended."""
    return ParameterError(
        "the stream is over",
        detail="Its answers are used up, or it was closed.",
        hint="Open another one, which is charged anew.",
    )


# The scan


def _hits(runs: Runs, bar: int, budget: EpsilonSplit, entropy: Entropy) -> Iterator[_Hit]:
    """All candidates above the noisy threshold, in order; noise is drawn only as far as they are consumed."""
    starts = np.cumsum(runs.lengths) - runs.lengths
    for first in range(0, len(runs.scores), _BLOCK):
        block = slice(first, first + _BLOCK)
        lengths = runs.lengths[block]
        words = entropy.words(len(lengths))
        for i in _possible(words, bar - runs.scores[block], lengths, budget):
            score, start = int(runs.scores[first + i]), int(starts[first + i])
            number = Uniform(int(words[i]), entropy)
            yield from _hits_of_run(score, bar, budget, start, int(lengths[i]), number, entropy)


def _possible(words: Words, distances: Integers, lengths: Integers, budget: EpsilonSplit) -> Integers:
    """The runs that may contain a hit: all except those where ln V <= length * ln c for certain."""
    x = distances.astype(np.float64)
    log_below = Laplace(budget.answer).guess_log_below(x)
    if budget.adaptive:
        log_below += Laplace(budget.unit).guess_log_below(x + budget.margin)
    all_below = log_below * lengths * (1 + _SLACK) - _LEAST
    return np.flatnonzero(log_bounds(words)[1] >= all_below)


def _hits_of_run(
    score: int, bar: int, budget: EpsilonSplit, start: int, length: int, number: Uniform, entropy: Entropy
) -> Iterator[_Hit]:
    """The hits among `length` candidates from index `start`; what follows a hit is treated as a new run."""
    trial = _Trial(bar - score, budget)
    place = trial.skipped(length, number)
    while place < length:
        yield trial.hit(start + place, score, entropy)
        place += 1
        if place < length:
            place += trial.skipped(length - place, Uniform(int(entropy.words(1)[0]), entropy))


def _affordable(hits: Iterator[_Hit], budget: EpsilonSplit) -> Iterator[_Hit]:
    """Hits until the budget is used up."""
    used = 0
    for hit in hits:
        yield hit
        used += _cost(hit)
        if budget.is_over(used):
            return


def _cost(hit: _Hit) -> int:
    return 1 if hit.clear else 2


# What is released


def _release(hits: Sequence[_Hit], plan: _Plan, groups: int | None, entropy: Entropy) -> Above:
    """Release gaps and estimates; counts are measured first if the plan says so."""
    budget, threshold = plan.budget, plan.threshold
    levels = [_level(hit, budget) for hit in hits]
    used: Event = AboveThreshold(budget.spent(sum(map(_cost, hits))), k=budget.k)
    found = selected(levels, threshold, budget.threshold)
    if hits and plan.measurement:
        rate = plan.measurement / _moved(len(hits), groups)
        noise = discrete_laplace(rate, len(hits), entropy).tolist()
        counts = [hit.score + x for hit, x in zip(hits, noise, strict=True)]
        found = measured(counts, rate, levels, threshold, budget.threshold)
        used = Composed.of(used, NoisyCount(plan.measurement))
    return Above(
        tuple(hit.candidate for hit in hits),
        tuple(hit.gap for hit in hits),
        tuple(hit.clear for hit in hits),
        tuple(_cost(hit) * budget.unit for hit in hits),
        tuple(found.estimates),
        tuple(found.lows),
        tuple(found.highs),
        plan.event,
        used,
    )


def _level(hit: _Hit, budget: EpsilonSplit) -> Level:
    return Level(hit.gap, budget.margin if hit.clear else 0, budget.rate(clear=hit.clear))


def _moved(answers: int, groups: int | None) -> int:
    """How many of the measured counts one unit may move."""
    return max(answers if groups is None else min(answers, groups), 1)
