"""Totals over any sets of keys, such as those of CUBE, each with noise of its own, made to agree.

Cells are all combinations of values of K keys, of which key i has n_i. The *margin* of a set T of keys is
the table of totals over all other keys. It is a sum of *effects*, one for each U within T: the effect of U
is what of the margin of U is in none of smaller sets, which is P_U = prod over i in U of (I - J / n_i)
applied to it.

Theorem. Let the margins of some sets T have independent noise, of variance v_T on each number. The effect
of U, computed from the margin of T, has the noise of v_T prod over i in T - U of n_i on each number, before
P_U. So the best linear unbiased estimates have of each effect its mean over all measured T with U within T,
weighted by the inverses of these; and none of effects that no measured set contains. Proof. Let E_U be the
vectors over the cells that vary with the keys of U alone and add up to 0 along each of them: these spaces
are orthogonal, and all cells are their sum. The map from cells to the margin of T sends E_U to 0 unless U
is within T; else it multiplies by prod over i not in T of n_i and keeps the spaces of different U
orthogonal. Noise that is the same on all numbers of a margin stays independent between orthogonal spaces.
So the least-squares problem is one for each U, of a vector that is measured several times, each time with
noise of one variance: its solution is the weighted mean. QED Papers: Li, Miklau, Hay, McGregor, Rastogi,
VLDB Journal 2015; Xiao, He, Zhang, Kifer, NeurIPS 2023.

Effects that nothing measures are 0 in the cells that are returned: their margins of all measured sets, and
of the sets within these, are the estimates, and no others are. All is computed in whole numbers over one
denominator.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.accounting.events import BoundedSums
from dpduck.kernel.errors import InternalError, ParameterError
from dpduck.kernel.mechanisms.levels import noisy_totals
from dpduck.kernel.noise import Entropy

Table: TypeAlias = NDArray[Any]  # of Python's whole numbers, with an axis for each key
Keys: TypeAlias = tuple[int, ...]  # some of the keys by index, ascending


@dataclass(frozen=True)
class Margins:
    """Which margins are measured. `shape`: the number of values of each key; `sets`: those of the margins."""

    shape: tuple[int, ...]
    sets: tuple[Keys, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of cells of each margin."""
        return tuple(math.prod(self.shape[key] for key in keys) for keys in self.sets)

    @property
    def effects(self) -> list[Keys]:
        """The effects that some margin contains."""
        return sorted({effect for keys in self.sets for effect in _within(keys)}, key=lambda u: (len(u), u))

    def totals(self, cells: Table) -> list[Table]:
        """The margins of a table; axes of keys that are added up have length 1."""
        return [self.margin(cells, keys) for keys in self.sets]

    def margin(self, cells: Table, keys: Keys) -> Table:
        """The totals over all keys but these."""
        others = tuple(axis for axis in range(len(self.shape)) if axis not in keys)
        return cells.sum(axis=others, keepdims=True) if others else cells

    def inverse_variances(self, effect: Keys, variances: Sequence[Fraction]) -> list[Fraction]:
        """For each margin the inverse variance of an effect's numbers; 0 if it does not have the effect."""
        found = []
        for keys, variance in zip(self.sets, variances, strict=True):
            added = math.prod(self.shape[key] for key in keys if key not in effect)
            found.append(1 / (variance * added) if set(effect) <= set(keys) else Fraction(0))
        return found


@dataclass(frozen=True)
class NoisyCells:
    """A release: whole numbers of all cells, of which those of the measured sets are sums."""

    cells: Table
    event: BoundedSums


def noisy_cells(
    cells: Table, margins: Margins, epsilon: Fraction, entropy: Entropy, *, bound: int, groups: int
) -> NoisyCells:
    """Add discrete Laplace noise to the numbers of every margin, and return whole cells that fit them best.

    Privacy: epsilon-DP under adding or removing one unit, if that changes at most `groups` of the cells, each
        by at most `bound` in absolute value: that of `levels.noisy_totals`, as each margin is a partition of
        the cells. All else follows from the noisy numbers.
    Input: whole ticks of any size; `bound` and `groups` at least 1.
    Output: effects of keys that are in no measured set together are left out of the cells.
    Errors: ParameterError before any draw, unless the cells have the shape of the margins.
    """
    if cells.shape != margins.shape:
        raise ParameterError("the cells are not those of the margins")
    totals = margins.totals(cells)
    flat = [[int(number) for number in total.ravel()] for total in totals]
    made = noisy_totals(flat, epsilon, entropy, bound=bound, groups=groups)
    noisy = [_table(numbers, total.shape) for numbers, total in zip(made.numbers, totals, strict=True)]
    numerators, denominator = least_squares(margins, noisy, [Fraction(1)] * len(noisy))
    return NoisyCells(whole(numerators, denominator), made.event)


def least_squares(
    margins: Margins, noisy: Sequence[Table], variances: Sequence[Fraction]
) -> tuple[Table, int]:
    """Return the cells whose margins fit the noisy ones best, exactly: whole numbers over one denominator.

    Input: the variance of the noise of each margin, in any unit.
    """
    effects = margins.effects
    weights = {}
    for effect in effects:
        inverse = margins.inverse_variances(effect, variances)
        weights[effect] = [one / sum(inverse, Fraction(0)) for one in inverse]
    common = math.lcm(*(weight.denominator for each in weights.values() for weight in each))
    found = _table([0] * math.prod(margins.shape), margins.shape)
    for effect in effects:
        for weight, margin in zip(weights[effect], noisy, strict=True):
            if weight:
                found = found + int(weight * common) * _effect(margins, margin, effect)
    return found, common * math.prod(margins.shape)


def _effect(margins: Margins, margin: Table, effect: Keys) -> Table:
    """The effect in a margin, times the number of values of each of all keys.

    (n I - J) along each key of the effect is whole; the other keys divide a total evenly among their values.
    """
    part = margins.margin(margin, effect)
    for axis in effect:
        part = part * margins.shape[axis] - part.sum(axis=axis, keepdims=True)
    return part


def whole(numerators: Table, denominator: int) -> Table:
    """Round cells so that all totals are rounded too: those over the cells of s keys by at most 2^s / 2.

    The sums of all cells up to each one, along all keys, are rounded; cells are differences of these. A total
    is a sum, with signs, of the rounded sums at the 2^s corners of a box that are not before the first cell,
    where all sums are 0. Cells that are rounded apart would move a total of n of them by sqrt(n / 12).
    """
    sums = numerators
    for axis in range(sums.ndim):
        sums = np.cumsum(sums, axis=axis, dtype=object)
    rounded = (2 * sums + denominator) // (2 * denominator)
    for axis in range(rounded.ndim):
        rounded = np.diff(rounded, axis=axis, prepend=_ZERO)
    return rounded


_ZERO = np.zeros((), dtype=object)


def rounding_of(keys: Keys) -> float:
    """By how much `whole` moves a total over the cells of some keys at most."""
    return 2.0 ** len(keys) / 2


def variance_of_margin(margins: Margins, keys: Keys, variances: Sequence[Fraction]) -> float:
    """Return the variance of the least-squares estimate of each number of a margin.

    Effects are independent. That of U has v prod over i in U of (1 - 1 / n_i) on each number, v the variance
    of its weighted mean, and is divided among the values of the other keys.
    Errors: InternalError if no measured set contains these keys.
    """
    found = Fraction(0)
    for effect in _within(keys):
        known = sum(margins.inverse_variances(effect, variances), Fraction(0))
        if not known:
            raise InternalError("no margin that is measured has these totals")
        kept = math.prod(1 - Fraction(1, margins.shape[key]) for key in effect)
        parts = math.prod(margins.shape[key] for key in keys if key not in effect)
        found += kept / known / parts**2
    return float(found)


def _within(keys: Keys) -> Iterator[Keys]:
    """All sets of some of the keys."""
    for size in range(len(keys) + 1):
        yield from combinations(keys, size)


def _table(numbers: Sequence[int], shape: tuple[int, ...]) -> Table:
    found = np.empty(len(numbers), dtype=object)
    found[:] = numbers
    return found.reshape(shape)
