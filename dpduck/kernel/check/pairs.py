"""Pairs of a unit and a value, which units claim in turns: how many groups of them a unit has.

Theorem. Let rows be local, and of each let `score0` be a rank among all rows, by what is alike in all rows of
a unit and by the unit itself, and `score1` and `score2` be computed of the unit's own rows, where no two rows
of a unit in a group have the same `score1`. Then the pairs of each group are those of `mechanisms.claims`: a
fixed order of units, of which no two share a place; of each unit an order of its own values; names.
Proof. Two rows have the same rank if and only if they are equal in all that they are ranked by, so if they
are of one unit. Ranks are in the order of what they are ranked by. With one more unit they are other numbers
in the same order, and the mechanism uses nothing but that order. The pairs of all other units stay, and those
of a unit in a group are ordered by `score1` without ties. QED
"""

from __future__ import annotations

from dpduck.kernel.catalog.model import fold
from dpduck.kernel.check.scores import Score, is_key
from dpduck.kernel.check.shapes import uncast
from dpduck.kernel.check.units import From, UnboundedError, World
from dpduck.kernel.tree.build import count_rows
from dpduck.kernel.tree.nodes import ColumnRef, Expression, SortKey, WindowCall
from dpduck.kernel.tree.relations import SelectItem, SelectQuery
from dpduck.kernel.tree.walk import ungrouped

_RANKED, _OWN, _NAME = "score0", "score1", "score2"


def scores_of_pairs(pairs: SelectQuery, world: World) -> dict[str, Score]:
    """The pairs as scores, of which `groups` is bounded. Errors: UnboundedError."""
    if pairs.group_by or pairs.having or pairs.order_by or pairs.limit is not None or pairs.distinct:
        raise UnboundedError("pairs of this form")
    rows = From(pairs.source, pairs.where, world)
    items = {item.name: ungrouped(item.value) for item in pairs.items if isinstance(item, SelectItem)}
    if len(items) < len(pairs.items) or not rows.is_local or not items.keys() >= {_RANKED, _OWN, _NAME}:
        raise UnboundedError("pairs of this form")
    rank, own, name = (items.pop(score) for score in (_RANKED, _OWN, _NAME))
    keys = {fold(key): uncast(node) if is_key(node, uncast(node)) else node for key, node in items.items()}
    for node in (*keys.values(), own, name):
        rows.check(node)
    if not _ranks_units(rank, rows):
        raise UnboundedError("units that share a place")
    if not isinstance(own, ColumnRef) or rows.rows(frozenset((*keys.values(), own))) > 1:
        raise UnboundedError("values that share a place")
    return {_OWN: Score(rows, keys, count_rows())}


def _ranks_units(rank: Expression, rows: From) -> bool:
    if not isinstance(rank, WindowCall) or rank.function.name != "dense_rank" or rank.partition_by:
        return False
    terms = [term.value if isinstance(term, SortKey) else term for term in rank.order_by]
    for term in terms:
        rows.check(term)
    return any(map(rows.is_unit, terms)) and all(rows.is_settled(term, frozenset()) for term in terms)
