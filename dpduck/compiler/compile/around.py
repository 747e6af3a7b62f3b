"""What the queries around a block do with its rows: how many they keep, and what they pass on or divide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from dpduck.compiler import public
from dpduck.compiler.functions.aggregates import is_aggregate
from dpduck.compiler.parse.nodes import is_literal, scalar, unwrap
from dpduck.compiler.parse.quotients import form_of
from dpduck.compiler.write import column_names
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.plan.model import Plan, Quotient
from dpduck.kernel.plan.names import requests_of

# Aggregates of which a group without rows is no part, or which show it.
_WITHOUT_EMPTY = (
    exp.Sum,
    exp.Max,
    exp.ArgMax,
    exp.AnyValue,
    exp.LogicalOr,
    exp.ArrayAgg,
    exp.GroupConcat,
)


def is_whole(block: exp.Select) -> bool:
    """Whether a block is the whole statement."""
    outer = block.parent
    return outer is None or (isinstance(outer, exp.Subquery) and outer.parent is None)


def sources(select: exp.Select) -> list[exp.Expr]:
    """Return the items of FROM and of its joins."""
    source = select.args.get("from_")
    joins = select.args.get("joins") or []
    return ([source.this] if isinstance(source, exp.From) else []) + [join.this for join in joins]


def names_around(query: exp.Query) -> set[str]:
    """Return the names of the relations that the queries around a subquery read, in folded form."""
    names, node = set[str](), query.parent
    while node is not None:
        if isinstance(node, exp.Select):
            names |= {fold(source.alias_or_name) for source in sources(node)}
        node = node.parent
    return names


# --- how many of the rows are kept ---------------------------------------------------------------


def outer_top(select: exp.Select) -> tuple[str, int] | None:
    """Return the column by which the outer query sorts in descending order, and how many rows it keeps.

    None if the outer query does anything else: only then the rows that it drops need not be measured.
    """
    subquery = select.parent
    outer = subquery.find_ancestor(exp.Select) if isinstance(subquery, exp.Subquery) else None
    if outer is None or outer.args.get("from_") is not subquery.parent or outer.args.get("joins"):  # type: ignore[union-attr]
        return None
    if any(outer.args.get(clause) for clause in ("where", "group", "having", "qualify", "distinct")):
        return None
    if len(outer.expressions) == 1:
        largest = _max_by(unwrap(outer.expressions[0].unalias()))
        if largest is not None and not outer.args.get("limit"):
            return largest
    if any(
        is_aggregate(part) or isinstance(part, exp.Window) for e in outer.expressions for part in e.walk()
    ):
        return None
    order = outer.args.get("order")
    limit, offset = public.constant_limit(outer)
    first = order.expressions[0] if order is not None else None
    if limit is None or limit + offset == 0 or first is None or not first.args.get("desc"):
        return None
    column = _sorted_column(unwrap(first.this), outer)
    return None if column is None else (column, limit + offset)


def _sorted_column(node: exp.Expr, outer: exp.Select) -> str | None:
    """Return the inner column that ORDER BY names."""
    node = _sorted_by(node, outer)
    return node.name if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star) else None


def _sorted_by(node: exp.Expr, outer: exp.Select) -> exp.Expr:
    """Return what ORDER BY means, by a number or name. As in DuckDB, an alias comes before a column."""
    if isinstance(node, exp.Literal) and not node.is_string:
        number = scalar(node)
        if isinstance(number, int) and 1 <= number <= len(outer.expressions):
            return unwrap(outer.expressions[number - 1].unalias())
    elif isinstance(node, exp.Column) and not node.table:
        aliased = [
            e for e in outer.expressions if isinstance(e, exp.Alias) and fold(e.alias) == fold(node.name)
        ]
        return unwrap(aliased[0].this) if aliased else node
    return node


def _max_by(node: exp.Expr) -> tuple[str, int] | None:
    """Read max_by(key, count, k), which keeps the k largest: the name of the count, and k."""
    if not isinstance(node, exp.ArgMax) or not isinstance(unwrap(node.args["expression"]), exp.Column):
        return None
    count = node.args.get("count")
    k = 1 if count is None else scalar(count) if is_literal(count) else None
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        return None
    return unwrap(node.args["expression"]).name, k


# --- what is passed on ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Passed:
    """A column that an item of FROM passes on: the item's name, its own, and the released column."""

    source: str
    name: str
    column: str


@dataclass(frozen=True)
class Around:
    """The queries around one block. `plan`: of the block, with what the block itself shows."""

    block: exp.Select
    plan: Plan

    def shown(self, query: exp.Expr) -> tuple[tuple[str, str], ...]:
        """Return the released columns that a query selects unchanged, by their names in its answer."""
        if query == self.block:
            return self.plan.shown
        if isinstance(query, exp.Subquery):
            return self.shown(query.this)
        if isinstance(query, exp.SetOperation):
            return self._of_operands(query)
        if not isinstance(query, exp.Select):
            return ()
        known = self._read(query)
        return tuple(pair for node in query.expressions for pair in self._of_item(node, known))

    def _of_item(self, node: exp.Expr, known: list[_Passed]) -> list[tuple[str, str]]:
        value = _of_one_group(unwrap(node.unalias()))
        if isinstance(value, exp.Subquery):
            return [(node.alias_or_name, column) for _, column in self.shown(value.this)[:1]]
        if isinstance(value, exp.Star) or isinstance(value.this, exp.Star):
            star = value.this if isinstance(value, exp.Column) else value
            left_out = {fold(one.name) for one in star.args.get("except_") or ()}
            left_out |= {fold(one.alias) for one in star.args.get("replace") or ()}
            renamed = {fold(one.this.name): one.alias for one in star.args.get("rename") or ()}
            table = fold(value.table) if isinstance(value, exp.Column) else ""
            of_table = (one for one in known if table in ("", one.source))
            return [
                (renamed.get(fold(one.name), one.name), one.column)
                for one in of_table
                if fold(one.name) not in left_out
            ]
        column = _found(value, known) if isinstance(value, exp.Column) else None
        return [] if column is None else [(node.alias or column_names.name_of(unwrap(node)), column)]

    def _of_operands(self, query: exp.SetOperation) -> tuple[tuple[str, str], ...]:
        """The columns of UNION and the like have the names of the first operand's, by their places."""
        left, right = query.this, query.args["expression"]
        names, own = item_names(left), item_names(right)
        passed = dict(self.shown(right)).items()
        places = {name: place for place, name in enumerate(own)}
        renamed = (
            (names[places[name]], column)
            for name, column in passed
            if name in places and places[name] < len(names)
        )
        return tuple(dict.fromkeys((*self.shown(left), *renamed)))

    def _read(self, select: exp.Select) -> list[_Passed]:
        """Return the released columns that the subqueries in FROM pass on."""
        items = (item for item in sources(select) if isinstance(item, exp.Subquery))
        return [
            _Passed(fold(item.alias), name, column)
            for item in items
            if not item.alias_column_names
            for name, column in dict(self.shown(item.this)).items()
        ]

    # --- what is counted ---

    def counting(self) -> tuple[str, ...]:
        """Return the columns of queries around the block in which a group without rows counts as any other.

        Those are its averages, counts, medians and the like; not sums, to which it adds nothing.
        """
        found: list[str] = []
        inner = _from_item(self.block)
        while inner is not None and isinstance(outer := inner.parent_select, exp.Select):
            items = (item for item in outer.expressions if _counts_rows(item))
            found += [item.alias_or_name or item.sql(dialect="duckdb") for item in items]
            inner = _from_item(outer)
        return tuple(dict.fromkeys(found))

    # --- what is added up ---

    def sums(self, query: exp.Expr) -> tuple[tuple[str, str], ...]:
        """Return the columns of an outer query that are sums of a released number, each group at most once.

        Output: the name of each, and the released column; none where a condition reads released numbers.
        """
        if not isinstance(query, exp.Select) or any(query.args.get(part) for part in ("having", "qualify")):
            return ()
        items, where = sources(query), query.args.get("where")
        if len(items) != 1 or not isinstance(items[0], exp.Subquery) or items[0].this != self.block:
            return ()
        asked = {request.column for request in requests_of(self.plan)}
        known = [one for one in self._read(query) if one.column in asked]
        if where is not None and any(self._numbers(where, known)):
            return ()
        return tuple(
            (item.alias if item.alias else column_names.name_of(unwrap(item)), column)
            for item in query.expressions
            if (column := _summed(unwrap(item.unalias()), known)) is not None
        )

    # --- what is divided ---

    def quotients(self, query: exp.Expr) -> tuple[Quotient, ...]:
        """Return what the columns of an outer query divide by columns that are released numbers."""
        if not isinstance(query, exp.Select):
            return ()
        asked = {request.column for request in requests_of(self.plan)}
        known = [one for one in self._read(query) if one.column in asked]

        def read(node: exp.Expr) -> frozenset[str]:
            return frozenset(column for column in self._numbers(node, known) if column in asked)

        found = (
            Quotient(
                item.alias_or_name or item.sql(dialect="duckdb"),
                read(part.this),
                read(part.expression),
                *form_of(part),
                adds_up=any(isinstance(one, (exp.Window, exp.Sum)) for one in part.expression.walk()),
            )
            for item in query.expressions
            for part in item.find_all(exp.Div, exp.IntDiv)
        )
        return tuple(dict.fromkeys(quotient for quotient in found if quotient.divisor))

    def _numbers(self, node: exp.Expr, known: list[_Passed]) -> Iterator[str]:
        """Yield the released columns of names and of scalar subqueries in an expression."""
        if isinstance(node, exp.Subquery):
            yield from (column for _, column in self.shown(node.this)[:1])
        elif isinstance(node, exp.Column):
            column = _found(node, known)
            yield from () if column is None else (column,)
        else:
            for part in node.iter_expressions():
                yield from self._numbers(part, known)


def _summed(node: exp.Expr, known: list[_Passed]) -> str | None:
    """Return the released column of which an expression is the sum; None if it is anything else."""
    value = unwrap(node.this) if isinstance(node, exp.Sum) else None
    return _found(value, known) if isinstance(value, exp.Column) else None


def _from_item(select: exp.Select) -> exp.Subquery | None:
    """Return the item of FROM, or of its joins, that a query is; None if it stands elsewhere."""
    item = select.parent
    if not isinstance(item, exp.Subquery) or not isinstance(item.parent, (exp.From, exp.Join)):
        return None
    return item


def _counts_rows(item: exp.Expr) -> bool:
    """Whether an expression has an aggregate in which a group without rows counts."""
    return any(is_aggregate(part) and not isinstance(part, _WITHOUT_EMPTY) for part in _own_parts(item))


def _own_parts(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the parts of an expression, without those of subqueries and windows, which show each row."""
    yield node
    if not isinstance(node, (exp.Query, exp.Window)):
        for part in node.iter_expressions():
            yield from _own_parts(part)


def _found(node: exp.Column, known: list[_Passed]) -> str | None:
    """Return the released column that a name stands for."""
    table, name = fold(node.table), fold(node.name)
    found = (one.column for one in known if fold(one.name) == name and table in ("", one.source))
    return next(found, None)


def item_names(query: exp.Expr) -> list[str]:
    """Return the names of a query's columns, as far as they are known without its tables."""
    while isinstance(query, (exp.Subquery, exp.SetOperation)):
        query = query.this
    items = query.expressions if isinstance(query, exp.Select) else []
    return [item.alias if item.alias else column_names.name_of(unwrap(item)) for item in items]


def _of_one_group(value: exp.Expr) -> exp.Expr:
    """Return the number of one group that any_value(n) FILTER (...) is, as in what PIVOT stands for."""
    inner = unwrap(value.this) if isinstance(value, exp.Filter) else value
    return unwrap(inner.this) if isinstance(inner, exp.AnyValue) else value
