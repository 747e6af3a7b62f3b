"""One winner with its gap on a fine grid, and k winners one after another: exact laws, Renyi divergences.

*The grid.* Exponential noise of rate r per score unit is noise of rate r / s per step of 1 / s, so the floor
of the gap on that grid is the whole gap of scores s q with p^(1/s): the law is rational in x = p^(1/s), and a
unit moves scores by 0 or s steps.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from tests.oracles.selection import exponential_gap_survival, exponential_mechanism_pmf
from tests.oracles.topk import selection_pmf_topk_exponential

Won = tuple[int, int]  # a candidate, the floor of its gap in steps
Scores = Sequence[int]


def flip_with_gap(scores: Scores, x: Fraction, steps: int = 1) -> Callable[[Won], Fraction]:
    """Law of (winner, gap) of permute-and-flip with gap: Theorem B for one winner.

    >>> flip_with_gap([1, 0], Fraction(1, 2))((0, 0))
    Fraction(1, 4)
    """
    law = selection_pmf_topk_exponential([steps * q for q in scores], 1, x)
    return lambda won: law(((won[0],), (won[1],)))


def exponential_with_gap(scores: Scores, x: Fraction, steps: int = 1) -> Callable[[Won], Fraction]:
    """Law of (winner, gap) of the exponential mechanism with gap (Theorem 10)."""
    fine = [steps * q for q in scores]
    winners = exponential_mechanism_pmf(fine, x)

    def probability(won: Won) -> Fraction:
        winner, gap = won
        ends = [exponential_gap_survival(fine, winner, g, x) for g in (gap, gap + 1)]
        return winners[winner] * (ends[0] - ends[1])

    return probability


def peeled(scores: Scores, x: Fraction) -> Callable[[tuple[Won, ...]], Fraction]:
    """Law of k times permute-and-flip with gap, each among those that have not won."""

    def probability(output: tuple[Won, ...]) -> Fraction:
        left, total = list(range(len(scores))), Fraction(1)
        for winner, gap in output:
            among = flip_with_gap([scores[i] for i in left], x)
            total *= among((left.index(winner), gap))
            left.remove(winner)
        return total

    return probability


def one_after_another(scores: Scores, x: Fraction) -> Callable[[tuple[int, ...]], Fraction]:
    """Law of the order of k exponential mechanisms without replacement: the product formula.

    >>> one_after_another([1, 0, 0], Fraction(1, 2))((0, 1))
    Fraction(1, 4)
    """
    best = max(scores)
    weights = [x ** (best - q) for q in scores]

    def probability(order: tuple[int, ...]) -> Fraction:
        left, total = sum(weights, Fraction(0)), Fraction(1)
        for winner in order:
            total *= weights[winner] / left
            left -= weights[winner]
        return total

    return probability


def orders(n: int, k: int) -> list[tuple[int, ...]]:
    """Every order of k out of n."""
    return list(itertools.permutations(range(n), k))


def chosen(n: int, k: int, most: int) -> Iterator[tuple[Won, ...]]:
    """Every order of k out of n with gaps up to `most`."""
    for order in orders(n, k):
        for gaps in itertools.product(range(most + 1), repeat=k):
            yield tuple(zip(order, gaps, strict=True))


def renyi(pairs: Sequence[tuple[Fraction, Fraction]], alpha: float) -> float:
    """D_alpha(P || Q) from all pairs (P(w), Q(w)), where both are positive; alpha = 1 is KL.

    >>> pairs = [(Fraction(3, 4), Fraction(1, 2)), (Fraction(1, 4), Fraction(1, 2))]
    >>> round(math.exp(renyi(pairs, 2)), 9)
    1.25
    """
    logs = [(float(a), math.log(a) - math.log(b)) for a, b in pairs]
    if alpha == 1:
        return math.fsum(a * ratio for a, ratio in logs)
    exponents = [(alpha - 1) * ratio for _, ratio in logs]
    most = max(exponents)
    if most > 1:
        total = most + math.log(
            math.fsum(a * math.exp(x - most) for (a, _), x in zip(logs, exponents, strict=True))
        )
    else:  # a divergence far below 1 keeps its digits
        total = math.log1p(math.fsum(a * math.expm1(x) for (a, _), x in zip(logs, exponents, strict=True)))
    return total / (alpha - 1)
