"""Exact laws merged into bins, and draws counted in the same bins. Alpha: 1e-3 to accept, 1e-9 to reject."""

import bisect
import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import numpy as np

from tests.oracles.fit import log_p_value

Survival = Callable[[int], float]  # g -> P(X >= g)

ACCEPT = math.log(1e-3)
REJECT = math.log(1e-9)


def geometric_survival(rate: Fraction | float) -> Survival:
    return lambda g: math.exp(-float(rate) * max(g, 0))


def laplace_survival(rate: Fraction | float) -> Survival:
    size = float(rate)
    scale = 1 + math.exp(-size)
    return lambda g: math.exp(-size * g) / scale if g > 0 else 1 - math.exp(-size * (1 - g)) / scale


def order_survival(rate: Fraction | float, size: int, place: int) -> Survival:
    """Of the floor of the place-th largest (from 1) of `size` exponential noises."""

    def survival(g: int) -> float:
        if g <= 0:
            return 1.0
        above = math.exp(-float(rate) * g)
        log_below = math.log1p(-above)
        terms = (math.comb(size, i) * above**i * math.exp((size - i) * log_below) for i in range(place))
        return 1 - sum(terms)

    return survival


def edges_of(survival: Survival, bins: int) -> list[int]:
    """Where to cut so that the bins are about equally likely."""
    reach = 1
    while survival(reach) > 1e-12 or survival(-reach) < 1 - 1e-12:
        reach *= 2
    points = range(-reach, reach)
    cuts = (
        bisect.bisect_left(points, i / bins, key=lambda g: 1 - survival(g)) - reach for i in range(1, bins)
    )
    return sorted(set(cuts))


def law_of(survival: Survival, edges: Sequence[int]) -> dict[int, float]:
    tails = [1.0, *map(survival, edges), 0.0]
    return {i: a - b for i, (a, b) in enumerate(itertools.pairwise(tails)) if a > b}


def counted(draws: Sequence[int] | np.ndarray, edges: Sequence[int]) -> dict[int, int]:
    bins, counts = np.unique(np.searchsorted(edges, draws, side="right"), return_counts=True)
    return dict(zip(bins.tolist(), counts.tolist(), strict=True))


def assert_drawn_from(draws: Sequence[int] | np.ndarray, survival: Survival, bins: int = 10) -> None:
    edges = edges_of(survival, bins)
    assert log_p_value(counted(draws, edges), law_of(survival, edges)) > ACCEPT


def assert_not_drawn_from(draws: Sequence[int] | np.ndarray, survival: Survival, bins: int = 10) -> None:
    edges = edges_of(survival, bins)
    assert log_p_value(counted(draws, edges), law_of(survival, edges)) < REJECT


def assert_frequencies(observed: Counter, law: Mapping) -> None:  # type: ignore[type-arg]
    """The outcomes are drawn from the law, as far as n draws tell."""
    assert math.isclose(float(sum(law.values())), 1, rel_tol=1e-9)
    assert log_p_value(observed, law) > ACCEPT
