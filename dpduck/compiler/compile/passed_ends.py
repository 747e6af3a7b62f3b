"""The ends of intervals that queries around a block pass on with its numbers, where an answer has them.

A block that is the whole statement has them at its right. One in FROM has them too if each query around it
keeps its rows as they are: `SELECT n FROM (SELECT count(*) AS n ...)` selects `n_low` and `n_high` as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from sqlglot import exp

from dpduck.compiler.compile.around import is_whole, item_names, sources
from dpduck.compiler.functions.aggregates import is_aggregate
from dpduck.compiler.parse.nodes import unwrap
from dpduck.compiler.planner.answer_sql import NamedEnds
from dpduck.compiler.public.computed_ends import ends_in_query
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.plan.model import Ends

_CHANGE_ROWS = ("group", "having", "distinct", "joins", "laterals")

NamesOfEnds = Mapping[str, NamedEnds]  # of the columns of a query that have both ends beside them


def passes_ends(block: exp.Select) -> bool:
    """Whether the answer has a block's rows as they are: no query around it makes others of them."""
    while not is_whole(block):
        outer = block.find_ancestor(exp.Select, exp.SetOperation)
        if not isinstance(outer, exp.Select) or inner_query(outer) is not block:
            return False
        block = outer
    return True


def select_ends(block: exp.Select, names: Sequence[str], ends: NamesOfEnds, own: int) -> tuple[Ends, ...]:
    """Add the ends of intervals to the select lists of the queries around a block, in place.

    Input: the names of the block's columns, and of those that are ends of its numbers; how many columns it
        has itself: those after them are ends that were added at its right.
    Output: the columns of the whole with the ends of their intervals.
    """
    while not is_whole(block):
        outer = block.find_ancestor(exp.Select)
        assert outer is not None
        made = _select_in(outer, names[:own], names[own:], ends)
        names, ends, own = made.names, made.ends, made.own
        block = outer
    at = {name: place for place, name in reversed(list(enumerate(names)))}
    return tuple(
        Ends(name, at[name], at[one.low], at[one.high], None if one.is_plain else one.of)
        for name, one in ends.items()
    )


def inner_query(outer: exp.Select) -> exp.Select | None:
    """Return the query whose rows another one has as they are; None if it makes others."""
    items = sources(outer)
    if len(items) != 1 or any(outer.args.get(clause) for clause in _CHANGE_ROWS):
        return None
    item = items[0]
    if not isinstance(item, exp.Subquery) or item.alias_column_names or item.args.get("pivots"):
        return None
    if any(is_aggregate(part) for one in outer.expressions for part in _own_parts(one)):
        return None
    return item.this if isinstance(item.this, exp.Select) else None


def _own_parts(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the parts of an expression, without those of subqueries and windows, which show each row."""
    yield node
    if not isinstance(node, (exp.Query, exp.Window)):
        for part in node.iter_expressions():
            yield from _own_parts(part)


@dataclass
class _Items:
    """The columns of a query: their names, how many are its own, and which have both ends beside them."""

    names: list[str] = field(default_factory=list)
    own: int = 0
    ends: dict[str, NamedEnds] = field(default_factory=dict)
    read: dict[str, str] = field(default_factory=dict)  # the column of the inner query that each is, if any

    def free(self, name: str, both: tuple[str, str]) -> tuple[str, str]:
        """Return the names of both ends of a number: free ones, or those of columns that are these ends."""
        taken = {fold(one) for one in self.names}
        numbered = (f"_{number}" if number else "" for number in count())
        pairs = ((f"{name}_low{tail}", f"{name}_high{tail}") for tail in numbered)
        return next(
            pair
            for pair in pairs
            if all(
                fold(one) not in taken or self.read.get(fold(one)) == fold(end)
                for one, end in zip(pair, both, strict=True)
            )
        )


def _select_in(outer: exp.Select, inner: Sequence[str], added: Sequence[str], ends: NamesOfEnds) -> _Items:
    """Add ends to one select list, at its right. Output: its columns.

    Input: the columns of the query in FROM, those that were added to it, and the ends of its numbers.
    """
    known, made = {fold(name): one for name, one in ends.items()}, _Items()
    of_columns = {name: (one.low, one.high, one.of) for name, one in known.items()}
    asked, computed = [], []
    for name, value in _expanded(outer, inner):
        made.names.append(name)
        if isinstance(value, exp.Column):
            made.read[fold(name)] = fold(value.name)
            asked.append((name, known.get(fold(value.name))))
        elif (found := ends_in_query(value, of_columns)) is not None:
            computed.append((name, found))
    made.own = len(made.names)
    _leave_out(outer, added)
    for name, one in asked:
        if one is not None:
            given = made.free(name, (one.low, one.high))
            made.ends[name] = one._replace(low=given[0], high=given[1])
            _append(outer, made, given, (one.low, one.high))
    for name, (low, high, of) in computed:
        given = made.free(name, ("", ""))
        made.ends[name] = NamedEnds(*given, of, is_plain=False)
        for end, node in zip(given, (low, high), strict=True):
            outer.append("expressions", exp.alias_(node, end, quoted=True))
            made.names.append(end)
    return made


def _leave_out(outer: exp.Select, added: Sequence[str]) -> None:
    """Leave columns out of the stars of a select list, in place."""
    for star in filter(None, map(_star, outer.expressions)):
        left_out = [exp.to_identifier(name, quoted=True) for name in added]
        star.set("except_", [*(star.args.get("except_") or ()), *left_out])


def _expanded(outer: exp.Select, inner: Sequence[str]) -> Iterator[tuple[str, exp.Expr]]:
    """Yield the columns of a select list, by name, with those that a star stands for."""
    for item, name in zip(outer.expressions, item_names(outer), strict=True):
        star = _star(item)
        if star is None:
            yield name, unwrap(item.unalias())
            continue
        left_out = {fold(one.name) for one in star.args.get("except_") or ()}
        replaced = {fold(one.alias): unwrap(one.this) for one in star.args.get("replace") or ()}
        renamed = {fold(one.this.name): one.alias for one in star.args.get("rename") or ()}
        for column in inner:
            if (key := fold(column)) not in left_out:
                yield renamed.get(key, column), replaced.get(key, exp.column(column))


def _append(outer: exp.Select, made: _Items, given: tuple[str, str], both: tuple[str, str]) -> None:
    """Add the ends of one number to a select list, unless it has them."""
    for name, end in zip(given, both, strict=True):
        if fold(name) not in made.read:
            column = exp.column(exp.to_identifier(end, quoted=True))
            outer.append("expressions", exp.alias_(column, name, quoted=True))
            made.names.append(name)
            made.read[fold(name)] = fold(end)


def _star(item: exp.Expr) -> exp.Star | None:
    """Return the star that an item is, also that of one table."""
    star = item.this if isinstance(item, exp.Column) else item
    return star if isinstance(star, exp.Star) else None
