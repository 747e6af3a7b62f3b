"""A lower bound on the epsilon of a release, from samples of its output.

There are two samples of what the same query showed, on two neighbouring databases. If the release is
(epsilon, delta)-differentially private, then P(E) <= e^epsilon P'(E) + delta for every event E, whichever of
the two databases P is of. An event is chosen on a quarter of each sample and judged on the rest, so that
choosing among very many events costs no confidence. A bound above the claim refutes the claim; one below it
proves nothing.
Paper: after Ding, Wang, Wang, Zhang, Kifer, CCS 2018; Jagielski, Ullman, Oprea, NeurIPS 2020; with the
    intervals of Clopper and Pearson, Biometrika 1934, computed in rigorous arithmetic.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from dpduck.kernel.noise.uniform import settle

Observation: TypeAlias = Hashable  # everything that was seen of one answer, order included
View = Callable[[Any], Hashable]  # a function of it: an order, a number, the rows as a set
Tally = Mapping[Observation, int]  # how often each observation occurred
Pair = tuple[Tally, Tally]  # on one database, and on its neighbour

ALPHA = Fraction(1, 10**9)  # the probability that the bound of one pair is too high
_PARTS = 8  # of a sample: one ranks, one chooses, the others judge
_MOST_STEPS = 100  # of Newton's method, of which a few are needed
_BITS = 20  # correct bits that a step needs
_DEVIATIONS = 6.0  # standard deviations of the judging draws that correspond roughly to ALPHA
_DOUBT = 1.0  # standard deviations by which the chosen event may be worse than it seems


@dataclass(frozen=True)
class Distinguisher:
    """An event: whether the `view` of an observation is one of the `members`.

    `swapped`: it is more likely in the second sample.
    """

    view: View
    members: Container[Hashable]
    swapped: bool = False

    def hits(self, tally: Tally) -> int:
        """How many of the observations are in the event."""
        return sum(count for one, count in tally.items() if self.view(one) in self.members)


@dataclass(frozen=True)
class Bound:
    """A lower bound on epsilon, which fails with probability at most `ALPHA`, and its event.

    `hits`, `draws`: first of the sample where the event is more likely, then of the other.
    """

    epsilon: float
    event: Distinguisher
    hits: tuple[int, int]
    draws: tuple[int, int]


@dataclass(frozen=True)
class Span:
    """The numbers in a closed interval. It contains nothing that is not a number."""

    low: float
    high: float

    def __contains__(self, value: object) -> bool:
        return _is_number(value) and self.low <= value <= self.high  # type: ignore[operator]


def whole(observation: Observation) -> Hashable:
    """The identity view."""
    return observation


def epsilon_bound(
    first: Sequence[Observation],
    second: Sequence[Observation],
    delta: Fraction = Fraction(0),
    *,
    views: Sequence[View] = (whole,),
    alpha: Fraction = ALPHA,
) -> Bound:
    """A lower bound on the epsilon of a release, given its delta.

    Input: independent observations of the release on one database, and on a neighbour; `views`: functions of
        an observation, among whose values events are sought; for numbers, also the values up to, and from,
        one of them. Observations that hardly ever repeat need a coarser view.
    Output: true with probability at least 1 - alpha; 0 if nothing was found.
    """
    ranking, choosing, judging = (
        (_part(first, *part), _part(second, *part)) for part in ((0, 1), (1, 2), (2, _PARTS))
    )
    event = choose(ranking, choosing, delta, views, judges=_PARTS - 2)
    return judge(event, judging, delta, alpha)


def _part(sample: Sequence[Observation], start: int, end: int) -> Tally:
    """A range of the parts of a sample."""
    return Counter(sample[len(sample) * start // _PARTS : len(sample) * end // _PARTS])


def choose(
    ranking: Pair, choosing: Pair, delta: Fraction, views: Sequence[View] = (whole,), *, judges: float = 1
) -> Distinguisher:
    """Choose the event by which two databases seem to differ most.

    Input: tallies that rank the values of each view, and others that decide how many of the first make up
        the event: with the same ones, values that occurred once would seem best. `judges`: how many times as
        many draws the bound will have; the more, the rarer the event may be.
    """
    deviations = _DOUBT + _DEVIATIONS / math.sqrt(judges)
    best, most = Distinguisher(whole, frozenset()), 0.0
    for view in views:
        ranked, chosen = ([_seen(tally, view) for tally in pair] for pair in (ranking, choosing))
        for swapped, step in ((False, 1), (True, -1)):
            for score, members in _candidates(ranked[::step], chosen[::step], float(delta), deviations):
                if score > most:
                    best, most = Distinguisher(view, members, swapped), score
    return best


def judge(event: Distinguisher, judging: Pair, delta: Fraction, alpha: Fraction = ALPHA) -> Bound:
    """The bound by an event that was chosen independently of these tallies."""
    likely, other = judging[::-1] if event.swapped else judging
    hits = event.hits(likely), event.hits(other)
    draws = sum(likely.values()), sum(other.values())
    low = least_probability(hits[0], draws[0], alpha / 2)
    high = 1 - least_probability(draws[1] - hits[1], draws[1], alpha / 2)
    return Bound(_log_ratio(low - delta, high), event, hits, draws)


# --- probabilities ---------------------------------------------------------------------------------


def least_probability(hits: int, draws: int, alpha: Fraction) -> Fraction:
    """The lower end of Clopper and Pearson's one-sided interval for a probability, rounded down slightly.

    P(at least `hits` of `draws`) is at most alpha at it and below it. Floats propose it, and an exact
    comparison decides.

    >>> round(float(least_probability(3, 3, Fraction(1, 1000))), 9)
    0.1
    """
    if hits == 0 or draws == 0:
        return Fraction(0)

    def holds(probability: Fraction) -> bool:
        return settle(lambda: _sign(_ball(alpha) - _tail(_ball(probability), hits, draws))) > 0

    end = Fraction(_proposed(hits, draws, alpha))
    slack = Fraction(1, 2**44)
    while not holds(end * (1 - slack)):
        slack = min(slack * 16, Fraction(1))
    return end * (1 - slack)


def _proposed(hits: int, draws: int, alpha: Fraction) -> float:
    """Approximately where P(at least `hits` of `draws`) is alpha, by Newton's method on its logarithm.

    It is concave in ln(probability), so that after the first step the solution is approached from below.
    """
    [start] = _about(np.array([float(hits)]), draws, -math.sqrt(-2 * math.log(alpha)))
    place = math.log(max(float(start), hits * 1e-12 / draws))
    for _ in range(_MOST_STEPS):
        step = settle(lambda at=place: _newton(at, hits, draws, alpha))  # type: ignore[misc]
        place = min(place + step, -1e-16)
        if abs(step) < 1e-13:
            break
    return math.exp(place)


def _newton(place: float, hits: int, draws: int, alpha: Fraction) -> float | None:
    """A step in ln(probability): the error of ln(tail), divided by its slope."""
    at, misses = arb(place), draws - hits
    tail = _tail(at.exp(), hits, draws)
    ways = arb(draws + 1).lgamma() - arb(hits).lgamma() - arb(misses + 1).lgamma()
    slope = (ways + hits * at + misses * (-at.expm1()).log()).exp() / tail
    step = (_ball(alpha).log() - tail.log()) / slope
    return float(step.mid()) if step.is_finite() and step.rel_accuracy_bits() > _BITS else None


def _tail(probability: arb, hits: int, draws: int) -> arb:
    """P(at least `hits` of `draws`): the incomplete beta function."""
    return probability.beta_lower(hits, draws - hits + 1, regularized=True)


def _log_ratio(low: Fraction, high: Fraction) -> float:
    """ln(low / high), rounded down; at least 0."""
    if low <= high:
        return 0.0
    exact = settle(lambda: _lower_end(_ball(low / high).log()))
    return math.nextafter(exact, 0.0)


def _lower_end(ball: arb) -> float | None:
    return float(ball.lower()) if ball.is_finite() else None


def _sign(ball: arb) -> int | None:
    return 1 if ball > 0 else -1 if ball < 0 else None


def _ball(number: Fraction) -> arb:
    return arb(fmpq(number.numerator, number.denominator))


# --- events --------------------------------------------------------------------------------------


def _seen(tally: Tally, view: View) -> Counter[Hashable]:
    counted: Counter[Hashable] = Counter()
    for one, count in tally.items():
        counted[view(one)] += count
    return counted


def _candidates(
    ranked: Sequence[Counter[Hashable]],
    chosen: Sequence[Counter[Hashable]],
    delta: float,
    deviations: float,
) -> Iterator[tuple[float, Container[Hashable]]]:
    """The best set of values by their ratios; and for numbers, the best interval below or above one."""

    def best(values: Sequence[Hashable]) -> tuple[float, int]:
        counts = np.array([[tally[value] for tally in chosen] for value in values], dtype=np.float64)
        draws = chosen[0].total(), chosen[1].total()
        return _best_prefix(counts.reshape(-1, 2), draws, delta, deviations)

    by_ratio = sorted(ranked[0], key=lambda value: (ranked[1][value] + 0.5) / (ranked[0][value] + 0.5))
    score, size = best(by_ratio)
    yield score, frozenset(by_ratio[:size])
    values: list[Any] = list({**chosen[0], **chosen[1]})
    if values and all(map(_is_number, values)):
        values.sort()
        score, size = best(values)
        yield score, Span(-math.inf, values[size - 1])
        score, size = best(values[::-1])
        yield score, Span(values[-size], math.inf)


def _best_prefix(
    counts: NDArray[np.float64], draws: tuple[int, int], delta: float, deviations: float
) -> tuple[float, int]:
    """The prefix of the rows with the best approximate bound on epsilon: that bound, and its length."""
    if not len(counts):
        return 0.0, 0
    hits = np.cumsum(counts, axis=0)
    low, high = _about(hits[:, 0], draws[0], -deviations), _about(hits[:, 1], draws[1], deviations)
    scores = np.log(np.maximum(low - delta, 1e-300)) - np.log(high)
    best = int(np.argmax(scores))
    return float(scores[best]), best + 1


def _about(hits: NDArray[np.float64], draws: int, deviations: float) -> NDArray[np.float64]:
    """The end of Wilson's interval that many standard deviations up (or down)."""
    share, spread = hits / draws, deviations * deviations / draws
    root = deviations * np.sqrt(share * (1 - share) / draws + spread / draws / 4)
    middle: NDArray[np.float64] = (share + spread / 2 + root) / (1 + spread)
    return middle


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not math.isnan(value)
