"""Roll-ups: the deviation of the totals of each level, if groups alone are measured, or their totals too.

Sizes are those of levels that divide evenly; each unit is in one group, at epsilon 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

from benchmarks.accuracy import Table
from dpduck.mechanisms.levels import Tree, noisy_leaves, variance_of_total
from dpduck.noise import SystemEntropy

RUNS = 200  # answers of which the deviation is measured
# Sizes of levels, and deviations as first computed with other code: of each level apart, of leaves that are
# added up, and of all levels with least squares.
CASES: Sequence[tuple[tuple[int, ...], float, Sequence[float], Sequence[float]]] = (
    ((1, 12, 365), 4.24, (27.0, 7.80, 1.41), (4.07, 4.01, 4.17)),
    ((1, 4, 12, 360), 5.66, (26.8, 13.4, 7.75, 1.41), (4.89, 4.40, 4.77, 5.56)),
    ((1, 8, 40), 4.24, (8.94, 3.16, 1.41), (3.96, 3.66, 3.86)),
)


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
    caption = "from the total to the leaves; the plan of the least mean square is taken"
    return [Table("roll-ups", caption, tuple(rows))]


def _listed(numbers: Sequence[float]) -> str:
    return " ".join(f"{number:.3g}" for number in numbers)
