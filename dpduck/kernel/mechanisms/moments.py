"""Noisy moments of bounded values by group: sums of weights that share one noise, from which moments follow.

A value u in [0, 1], its place in the public range, has three weights: (1 - u)^2, 2 u (1 - u) and u^2. None is
negative and they add up to 1, so a value moves all three sums together by 1, and noise that hides it in one
of them hides it in all. A pair of values has the nine products of their weights, which add up to 1 too. The
number n and the sums of u and u^2, and of pairs that of u v, are linear in these sums: sum u = W_1 / 2 + W_2,
sum u^2 = W_2. So noise is in widths of the public range, wherever that lies, and epsilon is not divided among
moments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.accounting.events import NoisyMoments
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.noise import Entropy, whole_laplace

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class NoisyWeights:
    """A release. `sums`: groups x weights, in values; `scale`: of the Laplace noise on each of them."""

    sums: Floats
    scale: float
    event: NoisyMoments


def noisy_weights(
    sums: Sequence[Sequence[int]], epsilon: Fraction, entropy: Entropy, *, whole: int, rows: int, groups: int
) -> NoisyWeights:
    """Release the sums of the weights of each group of a public list of groups.

    Privacy: epsilon-DP under adding or removing one unit, if a unit has values in at most `groups` groups, at
        most `rows` of them (or weights of so many) in each.
        Weights are whole numbers of ticks, of which a value has at most `whole` together, none negative. So
        a unit moves the sums of a group by d_0, ..., d_k >= 0 (all added, or all taken away) with
        sum d_i <= rows whole: the sums of all groups have L1 sensitivity groups rows whole, and discrete
        Laplace noise of rate epsilon / (groups rows whole) on each is epsilon-DP, as in `sums`. All else
        is computed from the noisy sums.
    Paper: Dwork, McSherry, Nissim, Smith, TCC 2006, Proposition 1, for a partition of unity (the Bernstein
        polynomials of degree 2).
    Input: sums: for each weight one of each group, in ticks; whole, rows and groups at least 1.
    Noise: of scale groups rows / epsilon, in values, on each. Sums of 1, u - 1/2 and (u - 1/2)^2 with a third
        of epsilon each give standard deviations 1.8 times the error; six sums of pairs, slopes 2.5 times.
    Errors: ParameterError before any draw, unless whole, rows and groups are at least 1.
    """
    rate = weight_rate(epsilon, whole=whole, rows=rows, groups=groups)
    noisy = []
    for column in sums:
        noise = whole_laplace(rate, len(column), entropy)
        noisy.append([(ticks + x) / whole for ticks, x in zip(column, noise, strict=True)])
    scale = moment_scale(epsilon, rows=rows, groups=groups)
    return NoisyWeights(np.array(noisy, dtype=np.float64).T, scale, NoisyMoments(epsilon, groups=groups))


def weight_rate(epsilon: Fraction, *, whole: int, rows: int, groups: int) -> Fraction:
    """The rate of the noise on each sum, per tick. Errors: ParameterError unless all are positive."""
    if min(whole, rows, groups) < 1:
        raise ParameterError(
            "a moment needs values, rows and groups that are bounded",
            detail=f"It has {whole} ticks, {rows} rows and {groups} groups; all must be positive.",
        )
    return epsilon / (groups * rows * whole)


def moment_scale(epsilon: Fraction, *, rows: int, groups: int) -> float:
    """The scale of the noise on each sum, in values."""
    return float(groups * rows / epsilon)
