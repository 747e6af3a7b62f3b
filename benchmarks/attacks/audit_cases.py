"""The mechanisms that are audited, each with pairs of neighbours; the first pair is the worst that is known.

A draw is one run of the mechanism as it is, and an observation all that it released, numbers coarsened to
what there is to see. Claims are not written here: they are what the events of the releases say.

A bound comes near its claim where an event is e^epsilon times as likely with a unit as without, and not rare.
Permute-and-flip has such an event with two candidates. An exponential mechanism gives 1 - ln(1 + (e - 1) p)
for an event of probability p: its worst pair has as many candidates as the draws can still tell apart.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from typing import Any

import numpy as np

from benchmarks.attacks import audit_several as several
from benchmarks.attacks.audit_query import FAR_VALUES, POINTS, two_passes
from benchmarks.attacks.audit_several import DELTA, ONE, Draw, Scores, each
from dpduck.doors.audit.bounds import Tally, View, whole
from dpduck.kernel.accounting.events import Event, GaussianNoise
from dpduck.kernel.accounting.gaussian import most_mu_squared
from dpduck.kernel.mechanisms.additive import noisy_counts, private_key_counts
from dpduck.kernel.mechanisms.averages import noisy_means
from dpduck.kernel.mechanisms.clamp_noise import LaplaceOfClamp
from dpduck.kernel.mechanisms.clamped_sums import Totals, noisy_clamped_sums, steps_to
from dpduck.kernel.mechanisms.distinct_values import ladder, noisy_distinct
from dpduck.kernel.mechanisms.gaussian import correlated, gaussian_counts, independent
from dpduck.kernel.mechanisms.gaussian_keys import gaussian_key_counts
from dpduck.kernel.mechanisms.gaussian_topk import gaussian_split, gaussian_top_k
from dpduck.kernel.mechanisms.moments import noisy_weights
from dpduck.kernel.mechanisms.partitions import select_partitions
from dpduck.kernel.mechanisms.peeling import gumbel_top_k
from dpduck.kernel.mechanisms.private_topk import private_top_k
from dpduck.kernel.mechanisms.quantile import Values, quantile
from dpduck.kernel.mechanisms.selection import exponential, permute_and_flip, permute_and_flip_with_gap
from dpduck.kernel.mechanisms.sparse_vector import Stream, above_threshold
from dpduck.kernel.mechanisms.sums import noisy_sums
from dpduck.kernel.mechanisms.topk import top_k
from dpduck.kernel.mechanisms.topk_above import top_k_above
from dpduck.kernel.mechanisms.topk_counts import top_k_counts
from dpduck.kernel.noise import Entropy
from dpduck.kernel.scores import GroupedScores, PlainScores

Neighbours = tuple[Scores, Scores]

PAIRS = 50
_MU_SQUARED = most_mu_squared(ONE, DELTA)
_FAR = 12  # gaps are looked at up to here
_BELOW = 6  # counts just below the threshold, before the one that reaches it
_GRID = 42  # points of which a median is one


@dataclass(frozen=True)
class Case:
    """One mechanism.

    `rho`: the account in rho is audited too; `cheap`: draws cost next to nothing; `share`: how many draws it
    takes, of those that are asked for.
    """

    name: str
    draw: Draw
    pairs: tuple[Neighbours, ...]
    views: tuple[View, ...] = (whole,)
    rho: bool = False
    cheap: bool = False
    share: float = 1


def cases() -> list[Case]:
    """All mechanisms."""
    few, lone = _monotonic(3, 4), _monotonic(1, 20)
    one, two, many = ((1, 0), (0, 0)), ((1, 1, 0), (0, 0, 0)), ((1,) + (0,) * 59, (0,) * 60)
    stream = (2,) * _BELOW + (3,), (3,) * _BELOW + (3,)
    orders = (whole, _order)
    apart, of_levels = (sum, min, _weighted), (whole, sum, _first)
    return [
        Case("count", _count, _with(((0,), (1,)), lone), rho=True, cheap=True),
        Case("histogram", _histogram, _with(((0, 0), (1, 1)), _monotonic(2, 9)), (sum, min), cheap=True),
        Case("Gaussian noise on a count", _gaussian, _with(((0,), (1,)), lone), cheap=True),
        Case("correlated Gaussian noise", _correlated, _with(((0,) * 6, (1,) * 6), _monotonic(6, 9)), apart),
        Case("sum", _sum, _with(((0,), (3,)), _moved(1, 20, 3)), cheap=True),
        Case(
            "Gaussian noise on a sum",
            several.gaussian_sum,
            _with(((0,), (3,)), _moved(1, 20, 3)),
            cheap=True,
        ),
        Case(
            "groups and their total",
            several.leaves,
            _with(((0, 0), (1, 0)), _one_of(2, 9)),
            of_levels,
        ),
        Case("cells of a cube", several.cells, _with(((0,) * 4, (1, 0, 0, 0)), _one_of(4, 9)), of_levels),
        Case("mean", _mean, _with(((20,), (21,)), lone)),
        Case("moments", _moments, _with(((20,), (21,)), lone)),
        Case("distinct values", _distinct, _with(((9, 17), (9, 19)), _levels(30))),
        Case("sum with a private clamp", _clamped, _with(((4,) * 9, (4,) * 10), _values(9))),
        Case("permute-and-flip", _flip, _with(one, few), rho=True),
        Case("permute-and-flip with gap", _flip_with_gap, _with(one, few), orders),
        Case("top k above a threshold", _top_k_above, _with(((1,), (0,)), few), orders),
        Case("top k, exponential noise", _top_k("exponential"), _with(two, few), (*orders, _last)),
        Case("top k, Laplace noise", _top_k("laplace"), _with(((1,) + (0,) * 6, (0,) * 7), few), orders),
        Case("top k with counts", _top_k_counts, _with(one, few), (*orders, _least)),
        Case("median", _median, _with(((1,), (0, 1)), _values(16)), rho=True, share=2),
        Case("top k, Gumbel noise", _gumbel, _with(many, few), rho=True, share=2),
        Case("top k with Gaussian counts", _gaussian_top_k, _with(((1, 1, 0), (0, 0, 0)), few), orders),
        Case("top k by sums", several.largest_sum, _with(((0, 0), (2, -1)), _signed(3, 9)), orders),
        Case("top k of names, with a delta", several.names, _with(((1, 1, 0, 0), (0, 0, 0, 0)), few)),
        Case("quartiles", several.quartiles, _with(((7,), (0, 7)), _values(16)), (whole, _first)),
        Case("exponential mechanism with gap", _exponential, _with(many, few), orders, share=2),
        Case("sparse vector", _above, _with(stream, few), (whole, _only_last), share=2),
        Case("stream of a sparse vector", _stream, _with(stream, few), (whole, _only_last), share=2),
        Case("found keys", _key, _with(((4,), (3,)), lone), cheap=True),
        Case("found keys with counts", _key_count, _with(((8,), (7,)), lone), cheap=True),
        Case("found keys with Gaussian counts", _gaussian_key, _with(((9,), (8,)), lone), cheap=True),
        Case("top k of found keys", _private_top_k, _with(((8,), (7,)), _found(3, 6)), orders),
        Case("median in two passes, by query", two_passes, _with(FAR_VALUES, _values(POINTS)), share=0.05),
    ]


# --- pairs ----------------------------------------------------------------------------------------


def _with(worst: Neighbours, others: Sequence[Neighbours]) -> tuple[Neighbours, ...]:
    return (worst, *others)[:PAIRS]


def _monotonic(size: int, most: int) -> list[Neighbours]:
    """Scores, some of which one unit raises by 1: different pairs, and the same ones each time."""
    return _moved(size, most, 1)


def _moved(size: int, most: int, step: int) -> list[Neighbours]:
    source = random.Random(f"{size} {most} {step}")
    found: dict[Neighbours, None] = {}
    while len(found) < PAIRS:
        scores = tuple(source.randint(0, most * 4) for _ in range(size))
        raised = tuple(q + step * source.randint(0, 1) for q in scores)
        if raised != scores:
            found[scores, raised] = None
    return list(found)


def _one_of(size: int, most: int) -> list[Neighbours]:
    """Counts, one of which one unit raises by 1."""
    source = random.Random(f"one of {size} {most}")
    found: dict[Neighbours, None] = {}
    while len(found) < PAIRS:
        scores, place = tuple(source.randint(0, most) for _ in range(size)), source.randrange(size)
        found[scores, tuple(q + (number == place) for number, q in enumerate(scores))] = None
    return list(found)


def _signed(size: int, most: int) -> list[Neighbours]:
    """Sums that one unit moves by -1 to 2, each by another number."""
    source = random.Random(f"signed {size} {most}")
    found: dict[Neighbours, None] = {}
    while len(found) < PAIRS:
        scores = tuple(source.randint(-most, most) for _ in range(size))
        found[scores, tuple(q + source.randint(-1, several.SPREAD - 1) for q in scores)] = None
    return [(one, other) for one, other in found if one != other]


def _levels(most: int) -> list[Neighbours]:
    """What is counted with 1 and with 2 values of each unit, of which one unit adds up to as many."""
    source = random.Random(most)
    found: dict[Neighbours, None] = {}
    while len(found) < PAIRS:
        one, more = source.randint(0, most), source.randint(0, most)
        added = source.choice(((0, 1), (0, 2), (1, 1), (1, 2)))
        found[(one, one + more), (one + added[0], one + more + added[1])] = None
    return list(found)


def _found(size: int, most: int) -> list[Neighbours]:
    """Counts of keys of which one unit has some, perhaps a new one; a key of 0 units is not there."""
    return [(tuple(filter(None, a)), tuple(filter(None, b))) for a, b in _moved(size, most, 1)]


def _values(points: int) -> list[Neighbours]:
    """Values of units, and one more unit."""
    source = random.Random(points)
    found: dict[Neighbours, None] = {}
    while len(found) < PAIRS:
        values = tuple(sorted(source.randrange(points) for _ in range(source.randint(0, 8))))
        found[values, tuple(sorted((*values, source.randrange(points))))] = None
    return list(found)


# --- draws: many at once, where noise is added to numbers ------------------------------------------


def _numbers(vector: Any) -> Tally:
    values, sizes = np.unique(np.asarray(vector), return_counts=True)
    return dict(zip(values.tolist(), sizes.tolist(), strict=True))


def _count(scores: Scores, times: int, entropy: Entropy) -> tuple[Tally, Event]:
    made = noisy_counts(np.full(times, scores[0]), ONE, entropy, groups=1)
    return _numbers(made.counts), made.event


def _histogram(scores: Scores, times: int, entropy: Entropy) -> tuple[Tally, Event]:
    made = noisy_counts(np.tile(scores, times), ONE, entropy, groups=len(scores))
    rows, sizes = np.unique(made.counts.reshape(times, -1), axis=0, return_counts=True)
    return dict(zip(map(tuple, rows.tolist()), sizes.tolist(), strict=True)), made.event


def _gaussian(scores: Scores, times: int, entropy: Entropy) -> tuple[Tally, Event]:
    variances = independent(_MU_SQUARED, bound=1, groups=1)
    counts = gaussian_counts(np.full(times, scores[0]), variances, entropy)
    return Counter(counts.tolist()), GaussianNoise(ONE, DELTA, _MU_SQUARED)


def _correlated(scores: Scores, times: int, entropy: Entropy) -> tuple[Tally, Event]:
    variances = correlated(_MU_SQUARED, bound=1, groups=len(scores), size=len(scores))
    assert variances is not None
    counts = np.array(scores)
    rows = Counter(tuple(gaussian_counts(counts, variances, entropy).tolist()) for _ in range(times))
    return rows, GaussianNoise(ONE, DELTA, _MU_SQUARED)


def _weighted(row: Any) -> int:
    """How far the first half of the numbers is above the last."""
    return int(sum(row[: len(row) // 2]) - sum(row[len(row) // 2 :]))


def _gaussian_key(scores: Scores, times: int, entropy: Entropy) -> tuple[Tally, Event]:
    counts = PlainScores(np.full(times, scores[0]))
    made = gaussian_key_counts(counts, ONE, DELTA, entropy, groups=1)
    tally = Counter[Hashable](made.counts)
    tally["hidden"] = times - len(made.counts)
    return tally, made.event


def _sum(scores: Scores, times: int, entropy: Entropy) -> tuple[Tally, Event]:
    made = noisy_sums([scores[0]] * times, ONE, entropy, bound=3, groups=1)
    return Counter(made.sums), made.event


def _mean(scores: Scores, times: int, entropy: Entropy) -> tuple[Tally, Event]:
    """Of values 0 and 1: so many of value 1 and 20 of value 0. What is seen is the noisy sum that follows."""
    made = noisy_means([scores[0]] * times, [scores[0] + 20] * times, ONE, entropy, ticks=1, rows=1, groups=1)
    return Counter(
        round(float(share) * number) for share, number in zip(made.shares, made.counts, strict=True)
    ), made.event


def _moments(scores: Scores, times: int, entropy: Entropy) -> tuple[Tally, Event]:
    """Of values at the upper end of their range. What is seen is the noisy sum of their squares."""
    sums = [[0] * times, [0] * times, [scores[0]] * times]
    made = noisy_weights(sums, ONE, entropy, whole=1, rows=1, groups=1)
    return Counter(map(round, made.sums[:, 2].tolist())), made.event


def _key(scores: Scores, times: int, entropy: Entropy) -> tuple[Tally, Event]:
    """Whether the key is there in the end. A key of no unit is no candidate, and never is."""
    made = select_partitions(PlainScores(np.full(times, scores[0])), ONE, DELTA, entropy, groups=1)
    shown = len(made.candidates) if scores[0] else 0
    return {1: shown, 0: times - shown}, made.event


def _key_count(scores: Scores, times: int, entropy: Entropy) -> tuple[Tally, Event]:
    made = private_key_counts(PlainScores(np.full(times, scores[0])), ONE, DELTA, entropy, groups=1)
    counts = made.counts if scores[0] else ()
    return Counter({-1: times - len(counts), **Counter(counts)}), made.event


# --- draws: one by one ----------------------------------------------------------------------------


@lru_cache(maxsize=4)
def _plain(scores: Scores) -> PlainScores:
    return PlainScores(np.array(scores, dtype=np.int64))


@lru_cache(maxsize=4)
def _grouped(scores: Scores) -> GroupedScores:
    """The same, with equal scores found once for all draws."""
    vector = np.array(scores, dtype=np.int64)
    values, sizes = np.unique(vector, return_counts=True)
    return GroupedScores(values, sizes, np.argsort(vector, kind="stable"))


def _steps(numbers: Sequence[float]) -> tuple[int, ...]:
    return tuple(max(-_FAR, min(int(number // 1), _FAR)) for number in numbers)


def _order(observation: Any) -> Hashable:
    """The names alone."""
    names: Hashable = observation[0]
    return names


def _first(observation: Any) -> int:
    """The first number alone."""
    return int(observation[0])


def _least(observation: Any) -> Hashable:
    """The names, and the least of the gaps and of the counts."""
    names, gaps, counts = observation
    return names, min(gaps), min(counts)


def _last(observation: Any) -> Hashable:
    """The names whatever their order, and the gap to the best that is not among them."""
    names, gaps = observation
    return frozenset(names), gaps[-1]


def _only_last(observation: Any) -> int:
    """The gap of the last candidate, if it is the only answer and a near one."""
    names, gaps, used = observation
    return int(gaps[0]) if names == (_BELOW,) and used == 1 else -_FAR - 1


def _top_k(noise: Any) -> Draw:
    def observe(scores: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
        made = top_k(_grouped(scores), 2 if noise == "exponential" else 1, ONE, entropy, noise=noise)
        return (made.candidates, _steps(made.gaps)), made.event

    return each(observe)


@each
def _top_k_counts(scores: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    made = top_k_counts(_grouped(scores), 1, ONE, entropy)
    return (made.candidates, _steps(made.gaps), _steps(made.found.counts)), made.event


@each
def _gumbel(scores: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    made = gumbel_top_k(_grouped(scores), 1, ONE, entropy)
    return made.candidates, made.event


@each
def _gaussian_top_k(scores: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    """In steps of four, as the noise is that of both counts."""
    split = gaussian_split(ONE, DELTA, 2, groups=None, shared=True)
    assert split is not None
    made = gaussian_top_k(_grouped(scores), split, entropy)
    return (made.candidates, _steps((made.counts / 4).tolist())), made.event


@each
def _distinct(scores: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    """Of one group, counted with 1 or 2 values of each unit."""
    made = noisy_distinct(np.array([scores]), ladder(2), ONE, entropy, groups=1)
    return (made.most, *_steps([int(made.counts[0]) - 9])), made.event


@each
def _clamped(totals: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    """Totals of units from 0 to 8, added up by level as the score SQL does, with the clamps 1, 2, 4 and 8."""
    levels = [steps_to(total) for total in totals]
    signs = [int(total > 0) for total in totals]
    found = Totals(1, [0] * len(totals), levels, totals, signs, [1] * len(totals))
    half = ONE / 2
    made = noisy_clamped_sums(found, 3, half, LaplaceOfClamp(half, 1), entropy)
    return (made.clamp, *_steps([(made.sums[0] - 20) / made.clamp])), made.event


@each
def _flip(scores: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    made = permute_and_flip(_grouped(scores), ONE, entropy, monotonic=True)
    return made.candidate, made.event


@each
def _flip_with_gap(scores: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    made = permute_and_flip_with_gap(_grouped(scores), ONE, entropy, monotonic=True)
    return (made.candidate, *_steps([made.gap])), made.event


@each
def _exponential(scores: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    made = exponential(_grouped(scores), ONE, entropy, monotonic=True)
    return (made.candidate, *_steps([made.gap * 2])), made.event


@each
def _top_k_above(scores: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    made = top_k_above(_grouped(scores), 1, 1, ONE, entropy, measure=False)
    return (made.candidates, _steps(made.gaps), made.used.epsilon), made.event


@each
def _above(scores: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    runs = [(score, len(list(run))) for score, run in groupby(scores)]
    values, lengths = (np.array(numbers, dtype=np.int64) for numbers in zip(*runs, strict=True))
    made = above_threshold(values, 3, 1, ONE, entropy, lengths=lengths)
    return (made.candidates, _steps(made.gaps), made.used.epsilon), made.event


@each
def _stream(scores: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    """What is asked next depends on what was answered: after an answer, the counts from the other end."""
    stream, left = Stream(3, 1, ONE, entropy, adaptive=True, measure=False), list(scores[::-1])
    names: list[int] = []
    gaps: list[float] = []
    while left and not stream.is_over:
        answer = stream.ask(left.pop())
        if answer is not None:
            names.append(len(scores) - len(left) - 1)
            gaps.append(answer.gap)
            left.reverse()
    return (tuple(names), _steps(gaps), stream.finish().used.epsilon), stream.event


@lru_cache(maxsize=4)
def _sample(values: Scores) -> Values:
    return Values(np.array(values, dtype=np.int64), _GRID)


@each
def _median(values: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    made = quantile(_sample(values), _GRID, Fraction(1, 2), ONE, entropy)
    return made.offset, made.event


@each
def _private_top_k(scores: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    made = private_top_k(_plain(scores), 1, ONE, DELTA, entropy, groups=3, measure=False)
    return (made.candidates, _steps(made.gaps)), made.event
