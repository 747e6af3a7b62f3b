"""Roll-ups and cubes: the deviation of totals, if groups alone are measured, or their totals too.

Of roll-ups, sizes are those of levels that divide evenly; each unit is in one group, at epsilon 1. With
Gaussian noise at mu 1, each unit is in up to 16 groups, and counts once in each total that it is in: such
totals do not add up, and the table is of the arithmetic alone. dpduck's totals do, and have Laplace noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

from benchmarks.accuracy import Table
from dpduck.kernel.mechanisms.levels import Tree, noisy_leaves, variance_of_total
from dpduck.kernel.mechanisms.margins import Margins, noisy_cells, variance_of_margin
from dpduck.kernel.noise import SystemEntropy

RUNS = 200  # answers of which the deviation is measured
# Sizes of levels, and deviations as first computed with other code: of each level apart, of leaves that are
# added up, and of all levels with least squares.
CASES: Sequence[tuple[tuple[int, ...], float, Sequence[float], Sequence[float]]] = (
    ((1, 12, 365), 4.24, (27.0, 7.80, 1.41), (4.07, 4.01, 4.17)),
    ((1, 4, 12, 360), 5.66, (26.8, 13.4, 7.75, 1.41), (4.89, 4.40, 4.77, 5.56)),
    ((1, 8, 40), 4.24, (8.94, 3.16, 1.41), (3.96, 3.66, 3.86)),
)
# Sizes of the two keys of a cube, the most groups of a unit if noise is Gaussian, and deviations of the
# total, of each value of the first and of the second key, and of cells: as above.
CUBES: Sequence[tuple[tuple[int, int], int | None, Sequence[float], Sequence[float], Sequence[float]]] = (
    ((5, 4), None, (5.66,) * 4, (6.32, 2.83, 3.16, 1.41), (4.62,) * 4),
    ((5, 4), 16, (2.00, 4.47, 4.00, 8.00), (17.9, 8.0, 8.9, 4.0), (1.90, 3.87, 3.41, 6.31)),
    ((24, 7), None, (5.66,) * 4, (18.3, 3.74, 6.93, 1.41), (5.18,) * 4),
    ((24, 7), 16, (2.00, 8.00, 5.29, 8.00), (51.9, 10.6, 19.6, 4.0), (1.98, 7.33, 4.86, 7.33)),
)
EVERY = ((), (0,), (1,), (0, 1))  # the margins of a cube of two keys
# The same of roll-ups for units that are in up to 16 groups, with Gaussian noise.
IN_MANY = (((1, 12, 365), (1.73, 6.00, 6.93), (76.4, 22.1, 4.00), (1.73, 5.68, 6.82)),)


def even_tree(sizes: Sequence[int]) -> Tree:
    """Levels of these sizes, divided as evenly as can be."""
    pairs = pairwise(sizes)
    return Tree(sizes[0], tuple(tuple(i * above // below for i in range(below)) for above, below in pairs))


def deviations(sizes: Sequence[int], measured: Sequence[int]) -> list[float]:
    """The deviation of the totals of each level. Input: the sizes of those that are measured."""
    noise = math.sqrt(2) * len(measured)
    return [noise * math.sqrt(variance_of_total(measured, size)) for size in sizes]


def drawn(sizes: Sequence[int], runs: int = RUNS) -> list[float]:
    """The same of answers, if all levels are measured."""
    tree, entropy, leaves = even_tree(sizes), SystemEntropy(), [7] * sizes[-1]
    truth = tree.totals(leaves)
    squares = np.zeros(len(sizes))
    for _ in range(runs):
        made = tree.totals(noisy_leaves(leaves, tree, Fraction(1), entropy, bound=1, groups=1).leaves)
        squares += [np.mean(np.subtract(*pair) ** 2) for pair in zip(made, truth, strict=True)]
    return np.sqrt(squares / runs).tolist()


def deviations_of_cube(
    shape: tuple[int, int], measured: Sequence[tuple[int, ...]], most: int | None
) -> list[float]:
    """The deviation of the totals of each margin. Input: those that are measured; `most`: see `CUBES`."""
    margins = Margins(shape, tuple(measured))
    levels = len(measured)
    if most is None:
        variances = [Fraction(2 * levels**2)] * levels
    else:
        variances = [Fraction(levels * min(most, size)) for size in margins.sizes]
    return [math.sqrt(variance_of_margin(margins, keys, variances)) for keys in EVERY]


def deviations_in_many(sizes: Sequence[int], measured: Sequence[int], most: int) -> list[float]:
    """The same of a roll-up whose levels have Gaussian noise of different variances.

    Effects are those of a cube whose keys are the parts of each cell of a level, as many as on average.
    """
    parts = [sizes[0], *(Fraction(below, above) for above, below in pairwise(sizes))]
    variances = {size: Fraction(len(measured) * min(most, size)) for size in measured}
    found = []
    for level, _ in enumerate(sizes):
        total = Fraction(0)
        for effect in range(level + 1):  # the effect of one level, in those below it
            seen = [
                1 / (variances[size] * math.prod(parts[effect + 1 : place + 1]))
                for place, size in enumerate(sizes)
                if size in variances and place >= effect
            ]
            kept = 1 - 1 / Fraction(parts[effect]) if effect else Fraction(1)
            total += kept / sum(seen) / math.prod(parts[effect + 1 : level + 1]) ** 2
        found.append(math.sqrt(total))
    return found


def drawn_of_cube(shape: tuple[int, int], runs: int = RUNS) -> list[float]:
    """The deviations of answers, if all margins are measured."""
    margins, entropy = Margins(shape, EVERY), SystemEntropy()
    cells = np.full(shape, 7, dtype=object)
    squares = np.zeros(len(EVERY))
    for _ in range(runs):
        made = noisy_cells(cells, margins, Fraction(1), entropy, bound=1, groups=1).cells - cells
        squares += [np.mean(margins.margin(made, keys).astype(float) ** 2) for keys in EVERY]
    return np.sqrt(squares / runs).tolist()


def tables() -> Sequence[Table]:
    """All tables of the section."""
    rows = [("levels", "measured", "deviation of each level", "reference", "of answers", "root mean square")]
    for sizes, apart, added, fitted in CASES:
        name = " / ".join(map(str, sizes))
        rows += [(name, "each apart", _listed([apart] * len(sizes)), _listed([apart]), "", f"{apart:.2f}")]
        choices = {"leaves": (sizes[-1:], added), "leaves and total": ((sizes[0], sizes[-1]), ())}
        for what, (measured, known) in {**choices, "all": (sizes, fitted)}.items():
            found = deviations(sizes, measured)
            answers = _listed(drawn(sizes)) if what == "all" else ""
            mean = math.sqrt(math.fsum(one**2 for one in found) / len(found))
            rows += [("", what, _listed(found), _listed(known), answers, f"{mean:.2f}")]
    caption = "from the total to the leaves"
    return [Table("roll-ups", caption, tuple(rows)), _table_of_cubes(), _table_in_many()]


def _table_of_cubes() -> Table:
    rows = [("keys", "units in", "measured", "deviation of each set", "reference", "of answers")]
    for shape, most, apart, added, fitted in CUBES:
        name, units = " x ".join(map(str, shape)), "1 group" if most is None else f"{most} groups, Gaussian"
        rows += [(name, units, "each apart", _listed(apart), _listed(apart), "")]
        choices = {"cells": (EVERY[-1:], added), "cells and total": ((EVERY[0], EVERY[-1]), ())}
        for what, (measured, known) in {**choices, "all": (EVERY, fitted)}.items():
            found = deviations_of_cube(shape, measured, most)
            answers = _listed(drawn_of_cube(shape)) if what == "all" and most is None else ""
            rows += [("", "", what, _listed(found), _listed(known), answers)]
    return Table("cubes", "the total, each value of the first key, of the second, cells", tuple(rows))


def _table_in_many() -> Table:
    rows = [("levels", "measured", "deviation of each level", "reference")]
    for sizes, apart, added, fitted in IN_MANY:
        rows += [(" / ".join(map(str, sizes)), "each apart", _listed(apart), _listed(apart))]
        for what, (measured, known) in {"leaves": (sizes[-1:], added), "all": (sizes, fitted)}.items():
            rows += [("", what, _listed(deviations_in_many(sizes, measured, 16)), _listed(known))]
    return Table("roll-ups of units in 16 groups", "Gaussian noise at mu 1", tuple(rows))


def _listed(numbers: Sequence[float]) -> str:
    return " ".join(f"{number:.3g}" for number in numbers)
