"""Sums of bounded values by group, in whole ticks of any size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpduck.kernel.accounting.events import BoundedSums
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.accuracy import Accuracy
from dpduck.kernel.mechanisms.additive import half_width
from dpduck.kernel.mechanisms.linear_estimates import count_variance
from dpduck.kernel.noise import Entropy, whole_laplace


@dataclass(frozen=True)
class NoisySums:
    """A release: noisy sums in ticks, and the half-width that noise stays within with probability 0.95."""

    sums: tuple[int, ...]
    half_width: int
    event: BoundedSums


def noisy_sums(
    sums: Sequence[int], epsilon: Fraction, entropy: Entropy, *, bound: int, groups: int
) -> NoisySums:
    """Add discrete Laplace noise to the sum of each group of a public list of groups.

    Privacy: epsilon-DP under adding or removing one unit, if that changes at most `groups` of the
        sums, each by at most `bound` in absolute value.
        The vector of sums has L1 sensitivity s = groups * bound. For neighbours S, S' and an output
        y, P(y | S) / P(y | S') = prod e^(rate (|y_i - S'_i| - |y_i - S_i|)) <= e^(rate |S - S'|_1),
        which is at most e^epsilon for rate = epsilon / s. Values are whole ticks, so that no rounding
        of floats adds to the sensitivity (Casacuberta et al. 2022).
    Paper: Dwork, McSherry, Nissim, Smith, TCC 2006, Proposition 1; Ghosh, Roughgarden, Sundararajan,
        STOC 2009, for whole numbers.
    Input: sums in ticks, of any size; `bound` and `groups` at least 1.
    Noise: P(x) proportional to e^(-|x| epsilon / (groups bound)), independent, exact at any scale.
    Output: sums in ticks.
    Errors: ParameterError before any draw, unless `bound` and `groups` are at least 1.
    """
    rate = sum_rate(epsilon, bound=bound, groups=groups)
    noise = whole_laplace(rate, len(sums), entropy)
    noisy = tuple(total + x for total, x in zip(sums, noise, strict=True))
    return NoisySums(noisy, half_width(rate), BoundedSums(epsilon, groups=groups))


def sum_rate(epsilon: Fraction, *, bound: int, groups: int) -> Fraction:
    """The rate of the noise on a sum, per tick. Errors: ParameterError unless both bounds are positive."""
    if bound < 1 or groups < 1:
        raise ParameterError(
            "a sum needs values and groups that are bounded",
            detail=f"The bound on one unit is {bound} in each of {groups} groups; both must be positive.",
        )
    return epsilon / (groups * bound)


def accuracy_of_sums(epsilon: Fraction, *, bound: int, groups: int) -> Accuracy:
    """The expected error of each sum, in ticks.

    >>> accuracy_of_sums(Fraction(1), bound=10, groups=2).half_width
    60
    """
    rate = sum_rate(epsilon, bound=bound, groups=groups)
    return Accuracy(math.sqrt(count_variance(rate)), half_width(rate))
