"""The checker: how far one unit moves each score, computed from the score tree and the catalog alone.

It believes nothing of what made the tree. What it does not understand is unbounded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.check.layers import Layer
from dpduck.kernel.check.pairs import scores_of_pairs
from dpduck.kernel.check.passes import check_passes
from dpduck.kernel.check.scores import Bound, Score, check_together, in_one_row, scores_of
from dpduck.kernel.check.spans import INF
from dpduck.kernel.check.units import UnboundedError, World
from dpduck.kernel.errors import UnknownNameError
from dpduck.kernel.tree.relations import SelectQuery

__all__ = [
    "INF",
    "Bound",
    "Score",
    "Scores",
    "UnboundedError",
    "check",
    "check_pairs",
    "check_points",
    "check_together",
    "in_one_row",
]

T = TypeVar("T")
Scores = dict[str, Score]


def check(score: SelectQuery, catalog: Catalog, held: SelectQuery | None = None) -> Scores:
    """Return the score columns of a query: how far one unit moves each.

    Input: `held`: the query whose rows the reader holds, if the score query reads them.
    Errors: UnboundedError of a tree that is not understood.
    """
    return _understood(lambda: scores_of(score, World(catalog, Layer, held)))


def check_pairs(pairs: SelectQuery, catalog: Catalog) -> Scores:
    """Return the pairs of units and values that units claim in turns. Errors: as of `check`."""
    return _understood(lambda: scores_of_pairs(pairs, World(catalog, Layer)))


def check_points(
    bins: SelectQuery, points: SelectQuery, held: SelectQuery | None, width: int, catalog: Catalog
) -> None:
    """Check that points are of the values that bins of `width` numbers count. Errors: as of `check`."""
    _understood(lambda: check_passes(bins, points, World(catalog, Layer, held), width))


def _understood(work: Callable[[], T]) -> T:
    try:
        return work()
    except (LookupError, ValueError, RecursionError, UnknownNameError):
        raise UnboundedError("a tree of another form") from None
