"""A finite-sample test of a sampler against an exact law."""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

Outcome = TypeVar("Outcome", bound=Hashable)


def log_p_value(observed: Mapping[Outcome, int], pmf: Mapping[Outcome, Fraction | float]) -> float:
    """Bound on log P(KL divergence >= the observed one), by the method of types: no asymptotics.

    There are C(n + m - 1, m - 1) types of n draws over m outcomes, and each with divergence D has
    probability at most exp(-n D). The outcomes of the law must be finite in number, so merge tails before.
    An impossible outcome gives -inf. The bound is conservative: reject at alpha when the value is below
    log(alpha).
    """
    n = sum(observed.values())
    if any(c and not pmf.get(o) for o, c in observed.items()):
        return -math.inf
    kl = sum(c / n * (math.log(c / n) - math.log(pmf[o])) for o, c in observed.items() if c)
    types = math.lgamma(n + len(pmf)) - math.lgamma(n + 1) - math.lgamma(len(pmf))
    return min(0.0, types - n * kl)


def expected_log_p_value(
    actual: Mapping[Outcome, Fraction | float], pmf: Mapping[Outcome, Fraction | float], n: int
) -> float:
    """About what `log_p_value` gives for n draws from `actual`: the power of the test."""
    kl = sum(float(a) * (math.log(a) - math.log(pmf[o])) for o, a in actual.items() if a)
    types = math.lgamma(n + len(pmf)) - math.lgamma(n + 1) - math.lgamma(len(pmf))
    return min(0.0, types - n * kl)


def merged_law(cdf: Callable[[int], Fraction], low: int, high: int) -> dict[int, Fraction]:
    """The law of an integer clamped to [low, high]: all of the mass on finitely many outcomes."""
    inner = {x: cdf(x) - cdf(x - 1) for x in range(low + 1, high)}
    return {low: cdf(low), **inner, high: 1 - cdf(high - 1)}


def counts_of(draws: Sequence[int], low: int, high: int) -> dict[int, int]:
    """How often each value of [low, high] was drawn, values outside counted at the nearer end."""
    result = dict.fromkeys(range(low, high + 1), 0)
    for x in draws:
        result[min(max(int(x), low), high)] += 1
    return result
