"""Numbers of nested levels, such as days, months and years, each with noise of its own, made to agree.

Every level is a table of totals of the finest one, its leaves. If only leaves get noise, a total of n of them
has n times the variance; if each of L levels gets its share of epsilon, each of its cells has L^2 times the
variance of a leaf alone. Weighted least squares then uses all of it: what a total says of its parts, and they
of it. The answer is the leaves alone, of which all totals are sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpduck.kernel.accounting.events import BoundedSums
from dpduck.kernel.errors import InternalError, ParameterError
from dpduck.kernel.mechanisms.sums import sum_rate
from dpduck.kernel.noise import Entropy, whole_laplace


@dataclass(frozen=True)
class Tree:
    """The cells of nested levels. `parents`: for each level but the first, the cell of the level before that
    each of its cells is in. `tops`: the number of cells of the first level. The last level has the leaves.
    """

    tops: int
    parents: tuple[tuple[int, ...], ...]

    def children(self, level: int) -> list[list[int]]:
        """The cells of the next level in each cell of a level."""
        found: list[list[int]] = [[] for _ in range(self.sizes[level])]
        for child, parent in enumerate(self.parents[level]):
            found[parent].append(child)
        return found

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of cells of each level."""
        return (self.tops, *map(len, self.parents))

    def totals(self, leaves: Sequence[int]) -> list[list[int]]:
        """The numbers of each level, from those of the leaves."""
        found = [list(leaves)]
        for parents, size in zip(reversed(self.parents), reversed(self.sizes[:-1]), strict=True):
            sums = [0] * size
            for number, parent in zip(found[0], parents, strict=True):
                sums[parent] += number
            found.insert(0, sums)
        return found


@dataclass(frozen=True)
class NoisyTotals:
    """A release: the noisy numbers of several tables of totals."""

    numbers: tuple[tuple[int, ...], ...]
    event: BoundedSums


@dataclass(frozen=True)
class NoisyLeaves:
    """A release: the numbers of the leaves, of which those of all levels are sums."""

    leaves: tuple[int, ...]
    event: BoundedSums


def noisy_totals(
    tables: Sequence[Sequence[int]], epsilon: Fraction, entropy: Entropy, *, bound: int, groups: int
) -> NoisyTotals:
    """Add discrete Laplace noise to the numbers of several tables of totals of the same groups.

    Privacy: epsilon-DP under adding or removing one unit, if that changes at most `groups` of the groups,
        each by at most `bound` in absolute value, and each table has the totals of a partition of the groups:
        its totals change by groups bound together at most, and one of them by as much at most. Of L tables
        the L1 sensitivity is L groups bound and the L-infinity sensitivity is groups bound: the release is
        that of `sums`, of L numbers that move by up to groups bound.
    Paper: Dwork, McSherry, Nissim, Smith, TCC 2006, Proposition 1.
    Input: whole ticks of any size; `bound` and `groups` at least 1.
    Noise: of rate epsilon / (L groups bound) on each number of each table.
    Errors: ParameterError before any draw, unless `bound` and `groups` are at least 1.
    """
    rate = sum_rate(epsilon, bound=bound * groups, groups=len(tables))
    noisy = [
        tuple(number + x for number, x in zip(table, whole_laplace(rate, len(table), entropy), strict=True))
        for table in tables
    ]
    return NoisyTotals(tuple(noisy), BoundedSums(epsilon, groups=len(tables)))


def noisy_leaves(
    leaves: Sequence[int], tree: Tree, epsilon: Fraction, entropy: Entropy, *, bound: int, groups: int
) -> NoisyLeaves:
    """Add discrete Laplace noise to the numbers of every level, and return whole leaves that fit them best.

    Privacy: epsilon-DP under adding or removing one unit, if that changes at most `groups` of the leaves,
        each by at most `bound` in absolute value: that of `noisy_totals`, as each level is a partition of the
        leaves. All else follows from the noisy numbers.
    Paper: least squares of a tree: Hay, Rastogi, Miklau, Suciu, VLDB 2010.
    Input: whole ticks of any size; `bound` and `groups` at least 1.
    Noise: of rate epsilon / (L groups bound) on each number of each of L levels.
    Errors: ParameterError before any draw, unless there are leaves, and `bound` and `groups` are at least 1.
    """
    if tree.sizes[-1] != len(leaves):
        raise ParameterError("the leaves are not those of the levels")
    made = noisy_totals(tree.totals(leaves), epsilon, entropy, bound=bound, groups=groups)
    return NoisyLeaves(tuple(whole(tree, least_squares(tree, made.numbers))), made.event)


def least_squares(tree: Tree, noisy: Sequence[Sequence[int]]) -> list[Fraction]:
    """Return the leaves with the least sum of squares of the differences of all levels' totals, exactly.

    Two passes: upwards, each number is combined with the sum of its parts, weighted by their inverse
    variances; downwards, what a sum of parts lacks is divided among them in proportion to their variances.
    """
    combined, variances = _upwards(tree, noisy)
    found = combined[0]
    for level in range(len(tree.parents)):
        own, spread = combined[level + 1], variances[level + 1]
        estimates = list(own)
        for parent, parts in enumerate(tree.children(level)):
            if parts:
                lack = found[parent] - sum((own[part] for part in parts), Fraction(0))
                each = lack / sum((spread[part] for part in parts), Fraction(0))
                for part in parts:
                    estimates[part] += spread[part] * each
        found = estimates
    return found


def _upwards(tree: Tree, noisy: Sequence[Sequence[int]]) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """The best estimate of each cell from what is below it, and its variance in those of one noise."""
    values, spreads = [list(map(Fraction, noisy[-1]))], [[Fraction(1)] * len(noisy[-1])]
    for level in range(len(tree.parents) - 1, -1, -1):
        above, spread = [], []
        for number, parts in zip(noisy[level], tree.children(level), strict=True):
            total = sum((values[0][part] for part in parts), Fraction(0))
            variance = sum((spreads[0][part] for part in parts), Fraction(0))
            above.append((number * variance + total) / (1 + variance))
            spread.append(variance / (1 + variance))
        values.insert(0, above)
        spreads.insert(0, spread)
    return values, spreads


def whole(tree: Tree, leaves: Sequence[Fraction]) -> list[int]:
    """Round leaves so that the totals of each level are rounded too: each by less than 2.

    Downwards: what the whole number of a cell lacks is spread evenly over its parts, which are rounded down;
    those with the largest fractions, of equal ones the first, are rounded up, as many as the sum needs.
    Leaves that are rounded apart would move a total of n of them by sqrt(n / 12).
    """
    exact = [list(leaves)]
    for parents, size in zip(reversed(tree.parents), reversed(tree.sizes[:-1]), strict=True):
        sums = [Fraction(0)] * size
        for number, parent in zip(exact[0], parents, strict=True):
            sums[parent] += number
        exact.insert(0, sums)
    found = [math.floor(number + Fraction(1, 2)) for number in exact[0]]
    for level in range(len(tree.parents)):
        rounded = [0] * tree.sizes[level + 1]
        for parent, parts in enumerate(tree.children(level)):
            wanted = [exact[level + 1][part] for part in parts]
            for part, near in zip(parts, _apportioned(wanted, found[parent]), strict=True):
                rounded[part] = near
        found = rounded
    return found


def _apportioned(numbers: Sequence[Fraction], total: int) -> list[int]:
    """Whole numbers near these whose sum is `total`."""
    if not numbers:
        return []
    spread = (total - sum(numbers, Fraction(0))) / len(numbers)
    moved = [number + spread for number in numbers]
    floors = [math.floor(number) for number in moved]
    up = total - sum(floors)
    order = sorted(range(len(moved)), key=lambda place: (floors[place] - moved[place], place))
    for place in order[:up]:
        floors[place] += 1
    return floors


def variances(sizes: Sequence[int]) -> list[float]:
    """Return the variance of the least-squares estimates of each level, in those of one noise.

    Input: the number of cells of each level, which are divided evenly.
    """
    return [variance_of_total(sizes, size) for size in sizes]


def variance_of_total(sizes: Sequence[int], cells: float) -> float:
    """Return the same of totals of the cells of a level, such that there are `cells` of these totals.

    What is estimated of n cells from below is moved by 1 / n of what their total lacks. So of a total of k of
    them the variance is k v (1 - k / n) + (k / n)^2 w, with v that of one from below and w that of the whole.
    """
    below = _below(sizes)
    found, before = below[0], sizes[0]
    if cells <= before:
        return found * before / cells
    for size, own in zip(sizes[1:], below[1:], strict=True):
        share = before / min(size, cells)
        variance = size / min(size, cells) * own * (1 - share) + share**2 * found
        if cells <= size:
            return variance
        found, before = variance, size
    raise InternalError("there are more totals than leaves")


def _below(sizes: Sequence[int]) -> list[float]:
    """The variance of the estimate of a cell of each level from what is below it."""
    below = [1.0]
    for parents, parts in zip(reversed(sizes[:-1]), reversed(sizes[1:]), strict=True):
        total = below[0] * parts / parents
        below.insert(0, total / (1 + total))
    return below
