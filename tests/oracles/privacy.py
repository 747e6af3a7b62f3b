"""Exact privacy checks: neighbours, worst likelihood ratio, hockey-stick divergence."""

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

Scores = tuple[int, ...]
Output = TypeVar("Output", bound=Hashable)


def monotonic_neighbours(scores: Sequence[int]) -> Iterator[Scores]:
    """All q + delta and q - delta, delta in {0, 1}^n: one unit is added or removed, with any candidates."""
    for sign in (1, -1):
        for delta in itertools.product((0, 1), repeat=len(scores)):
            yield tuple(q + sign * d for q, d in zip(scores, delta, strict=True))


def general_neighbours(scores: Sequence[int]) -> Iterator[Scores]:
    """All q + delta, delta in {-1, 0, 1}^n: sensitivity 1 without a common direction."""
    for delta in itertools.product((-1, 0, 1), repeat=len(scores)):
        yield tuple(q + d for q, d in zip(scores, delta, strict=True))


def ratio(first: Fraction, second: Fraction) -> Fraction | float:
    """The larger of the two quotients; infinite when only one of the two is zero, 1 when both are."""
    if first == second:
        return Fraction(1)
    if not first or not second:
        return math.inf
    return max(first / second, second / first)


def worst_ratio(
    pmf: Callable[[Scores], Callable[[Output], Fraction]],
    scores: Sequence[int],
    neighbours: Iterable[Scores],
    outputs: Iterable[Output],
) -> Fraction | float:
    """The largest P(w | q) / P(w | q') or its inverse, over the given neighbours q' and outputs w, exactly.

    Pure DP with epsilon means at most e^epsilon, for every output. `pmf(q)` returns the law of the release
    for scores q.
    """
    here = pmf(tuple(scores))
    base = [(w, here(w)) for w in outputs]
    worst: Fraction | float = Fraction(1)
    for neighbour in set(neighbours):
        there = pmf(neighbour)
        worst = max(worst, max(ratio(mass, there(w)) for w, mass in base))
    return worst


def hockey_stick(pairs: Iterable[tuple[Fraction, Fraction]], factor: Fraction) -> Fraction:
    """The largest P(S) - factor P'(S) over all sets S of outputs, from the pairs (P(w), P'(w)).

    With factor = e^epsilon, this is the smallest delta for which this ordered pair is (epsilon,
    delta)-close. Outputs with the same likelihood ratio may come merged into one pair.

    >>> hockey_stick([(Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))], Fraction(2))
    Fraction(1, 4)
    """
    return sum((max(first - factor * second, Fraction(0)) for first, second in pairs), Fraction(0))
