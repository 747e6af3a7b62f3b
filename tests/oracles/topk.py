"""Top-k with gaps: the exact law of each release, for the two theorems and for the mutants.

An output is (order, gaps): the winners j_1..j_k and the integers g_1..g_k. Ranks R: a larger R wins a tie
("precedes").

*Law.* Fix R. Let s_l = 1 if the loser l precedes j_k, else 0, and M = max over losers of v_l + s_l. "The
winners are selected in this order and the last gap v_{j_k} - M is g_k" holds iff g_k >= 0 and M = z,
v_{j_k} = z + g_k, for some integer z: a loser with v_l + s_l <= v_{j_k} is exactly one behind j_k in (v,
R). So P(w | q, R) = sum over z of [prod F(z - s_l - q_l) - prod F(z - 1 - s_l - q_l)] * prod f(v_{j_i} -
q_{j_i}), with mass f and distribution function F of the noise. The floor gap of the exponential form,
v_{j_k} - v_l - [R_{j_k} < R_l] for the best loser l in (v, R), is the same number: the maximum of v_l + s_l
is reached at the best loser in (v, R) order.

*Theorem B holds for the integers too.* The same release with geometric noise and raw gaps (form "priority",
R fixed or random) has epsilon = k ln(1/p) for monotonic scores: with M in place of Z, M - 1 <= M' <= M, and
P(M = z), a telescoping sum over losers of mass(l) * products of distribution functions, obeys P(M' = z) >=
p P(M = z) and P(M' = z) <= P(M = z + 1) / p. The rest of the proof uses nothing else. So one form serves
both noises, and floors of ideal gaps are needed only to describe continuous noise.

*Which outputs are enough.* With geometric noise, a winner's factor is (1 - p) p^(v - q) as soon as its gap
to the losers is at least max q - min q, so raising g_i from there multiplies P(w | q) and P(w | q') by the
same p^i: gaps up to the spread of the scores, plus 1 for the neighbours, lose nothing. With Laplace noise
the same holds but for losers that are all far below, which is ever rarer: the ratio only tends to its limit,
and the bound is chosen large enough to come near it.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Literal

from tests.oracles.noise import Factor, Noise, sum_over_integers

Release = tuple[tuple[int, ...], tuple[int, ...]]  # order, gaps
Gaps = Literal["floor", "priority", "raw"]
Bits = tuple[int, ...]


@cache
def tie_patterns(winners: int, losers: int) -> tuple[tuple[Bits, Bits, int], ...]:
    """What matters of a uniformly random R, with the number of permutations of each pattern.

    First: is each winner behind the next one in R. Second: does each loser precede the last winner.
    """
    counts: Counter[tuple[Bits, Bits]] = Counter()
    for ranks in itertools.permutations(range(winners + losers)):
        counts[_bits(ranks[:winners], ranks[winners:])] += 1
    return tuple((inner, outer, count) for (inner, outer), count in counts.items())


def _bits(winners: Sequence[int], losers: Sequence[int]) -> tuple[Bits, Bits]:
    inner = tuple(int(a < b) for a, b in itertools.pairwise(winners))
    return inner, tuple(int(winners[-1] < r) for r in losers)


def winner_values(gaps: Sequence[int], inner: Bits, form: Gaps) -> list[int] | None:
    """Noisy values of the winners above z, or None when the output is impossible under this tie pattern."""
    if min(gaps) < 0:
        return None
    values = [gaps[-1]]
    for gap, behind in zip(reversed(gaps[:-1]), reversed(inner), strict=True):
        if form != "floor" and gap == 0 and behind:
            return None
        values.append(values[-1] + gap + (behind if form == "floor" else 0))
    return values[::-1]


def _loser_shifts(outer: Bits, last_gap: int, form: Gaps) -> tuple[Bits, Bits]:
    """Shifts of the two products of distribution functions: all losers low enough; none of them at z."""
    ones = (1,) * len(outer)
    if form != "raw":
        return outer, tuple(1 + s for s in outer)
    return (outer if last_gap == 0 else (0,) * len(outer)), ones


def _given_ties(
    output: Release, scores: Sequence[int], p: Fraction, noise: Noise, form: Gaps, ties: tuple[Bits, Bits]
) -> Fraction:
    order, gaps = output
    inner, outer = ties
    values = winner_values(gaps, inner, form)
    if values is None:
        return Fraction(0)
    losing = [q for i, q in enumerate(scores) if i not in order]
    winning = [Factor(noise, "pmf", scores[j] - v) for j, v in zip(order, values, strict=True)]
    low, below = (
        sum_over_integers(
            [*winning, *(Factor(noise, "cdf", q + s) for q, s in zip(losing, shift, strict=True))], p
        )
        for shift in _loser_shifts(outer, gaps[-1], form)
    )
    return low - below


def topk_probability(
    output: Release,
    scores: Sequence[int],
    p: Fraction,
    *,
    noise: Noise,
    form: Gaps,
    priority: Sequence[int] | None = None,
) -> Fraction:
    """P(output | scores), exactly.

    form "floor": floor gaps v_a - v_b - [R_a < R_b], the discrete form of continuous noise (Theorem B).
    form "priority": raw gaps, and a last gap to max(v_l + [l precedes j_k]) (Theorem A).
    form "raw": raw gaps, the last one to max v_l.
    priority: R as a fixed public tuple; by default a uniformly random R that is not released.
    """
    order, _ = output
    losers = [i for i in range(len(scores)) if i not in order]
    if priority is not None:
        ties = _bits([priority[j] for j in order], [priority[i] for i in losers])
        return _given_ties(output, scores, p, noise, form, ties)
    total = sum(
        (
            count * _given_ties(output, scores, p, noise, form, (inner, outer))
            for inner, outer, count in tie_patterns(len(order), len(losers))
        ),
        Fraction(0),
    )
    return total / math.factorial(len(scores))


def selection_pmf_topk_exponential(q: Sequence[int], k: int, p: Fraction) -> Callable[[Release], Fraction]:
    """Law of Theorem B's release: geometric noise, random R for ties, order and floor gaps.

    Epsilon is k ln(1/p) for monotonic scores. It is 2k ln(1/p) otherwise, because any neighbour is then two
    monotonic steps away: first all increases, then all decreases.

    >>> law = selection_pmf_topk_exponential([1, 0], 1, Fraction(1, 2))
    >>> law(((0,), (0,))), law(((1,), (0,)))
    (Fraction(1, 4), Fraction(1, 8))
    """
    _check_length(q, k)
    return lambda w: topk_probability(w, q, p, noise="geometric", form="floor")


def selection_pmf_topk_laplace(
    q: Sequence[int], k: int, p: Fraction, *, priority: Sequence[int] | None = None
) -> Callable[[Release], Fraction]:
    """Law of Theorem A's release: discrete Laplace noise, raw gaps, last gap corrected by priority.

    Epsilon is k ln(1/p) for monotonic scores, 2k ln(1/p) otherwise, for every fixed priority and hence for
    a random one.
    """
    _check_length(q, k)
    return lambda w: topk_probability(w, q, p, noise="laplace", form="priority", priority=priority)


def mutant_raw_last_gap(
    q: Sequence[int], k: int, p: Fraction, *, noise: Noise = "laplace"
) -> Callable[[Release], Fraction]:
    """Law of a release that is NOT pure DP: ties by index (the lower index wins), all gaps raw."""
    _check_length(q, k)
    by_index = [-i for i in range(len(q))]
    return lambda w: topk_probability(w, q, p, noise=noise, form="raw", priority=by_index)


def order_probability(order: Sequence[int], scores: Sequence[int], p: Fraction, *, noise: Noise) -> Fraction:
    """P(order) when gaps are not released and ties go to the lower index, by summing the raw gaps exactly.

    A gap at or above the spread contributes a geometric tail with geometric noise only, so this is for that
    noise.
    """
    if noise != "geometric":
        raise ValueError("the tail over gaps is closed for geometric noise only")
    bound = max(scores) - min(scores) + 1
    law = mutant_raw_last_gap(scores, len(order), p, noise=noise)
    return sum(
        (weight * law((tuple(order), gaps)) for gaps, weight in weighted_gaps(len(order), bound, p)),
        Fraction(0),
    )


def weighted_gaps(k: int, bound: int, p: Fraction) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """All gaps in {0..bound}^k; a gap equal to bound stands for all larger ones, with the weight of its tail.

    With geometric noise and a bound of at least the spread of all scores (see above), raising g_i by 1
    multiplies the probability by p^i, whatever the scores: the tail weighs 1 / (1 - p^i), and a sum over
    the box is the whole sum.
    """
    for gaps in itertools.product(range(bound + 1), repeat=k):
        weight = Fraction(1)
        for i, gap in enumerate(gaps, start=1):
            if gap == bound:
                weight /= 1 - p**i
        yield gaps, weight


def all_releases(n: int, k: int, bound: int) -> list[Release]:
    """Every order of k winners out of n, with every vector of gaps up to bound."""
    orders = itertools.permutations(range(n), k)
    boxes = list(itertools.product(range(bound + 1), repeat=k))
    return [(order, gaps) for order in orders for gaps in boxes]


def _check_length(q: Sequence[int], k: int) -> None:
    if not 0 < k < len(q):
        raise ValueError("k must be at least 1 and below the number of candidates")
