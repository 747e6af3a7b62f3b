"""A query of a tree: which of its columns are the unit, and how many rows, values and how much one unit has in it.

`is_local` (see `units`) passes from FROM to the query, with these lemmas; R_u are the rows of unit u.
 row      what an item, or a test, computes from the row alone is a function of the row.
 window   a window whose PARTITION BY has the unit computes from R_u alone. Rows that its order takes for equal are
          treated alike by ranks and by sums over peers. Those that take a turn (row_number, lag, frames of ROWS) need
          an order that is total but for rows which are equal in all items: else what R_u is depends on the order in
          which rows are read. Values that DuckDB takes for equal count as equal.
 group    GROUP BY with the unit, or DISTINCT with it, computes from R_u alone, if aggregates need no order of rows.
          There is one row for each combination of what is grouped by: at most `values` of them.
 merged   GROUP BY without the unit gives a relation that is not local, of one row for each combination of keys. One
          unit moves those rows whose keys it has: at most `values` of them; a row that is keys alone comes or goes, a
          row with aggregates may change. Nothing but counts, and least turns (see `scores`), is believed of it.
 turn     row_number() <= n leaves at most n rows of a unit for each value of PARTITION BY, and dense_rank() <= n
          at most n values of ORDER BY.
 unnest   a row becomes any number of rows, or as many as a written list has.
 shares   let w >= 0 be whole and U_j, T be its running and whole sums over PARTITION BY unit, S, ordered by O, where S
          and O settle the row, and P >= 0 a function of T. Then sum over rows of (U_j P // T) - ((U_j - w_j) P // T)
          = P for each S, and no term is below 0: the sum is a telescope, since U_j - w_j = U_(j-1), U_0 = 0 and the
          last U_j is T.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from dpduck.catalog.model import fold
from dpduck.kernel.check.functions import CHOOSERS, EXACT_SUMS, ORDERLESS, RANKS, SCALARS, TURNS, UNNEST
from dpduck.kernel.check.spans import (
    ANY,
    BOOLEAN,
    INF,
    Known,
    Number,
    Scope,
    Span,
    bare,
    constant,
    join,
    learn,
    meet,
    span_of,
)
from dpduck.kernel.check.shares import parts_shared
from dpduck.kernel.check.units import Fixed, From, Key, UnboundedError, World, key_of, node_of, times
from dpduck.query.tree.nodes import (
    AggregateCall,
    Call,
    Choice,
    ColumnRef,
    Comparison,
    Conversion,
    Exists,
    Expression,
    ScalarSubquery,
    SortKey,
    Star,
    WindowCall,
)
from dpduck.query.tree.relations import SelectItem, SelectQuery
from dpduck.query.tree.walk import parts_of

_NUMBERS = frozenset({"row_number", "rank", "dense_rank"})


class Layer:
    """A query in FROM. Errors: UnboundedError."""

    def __init__(self, query: SelectQuery, world: World) -> None:
        if query.limit is not None or query.order_by:
            raise UnboundedError("LIMIT or ORDER BY")
        self.rows_from = From(query.source, query.where, world, Layer)
        self.private = bool(self.rows_from.private)
        self.items = _items(query, self.rows_from)
        self.grouping = [bare(node) for node in query.group_by]
        if query.distinct:
            if self.grouping:
                raise UnboundedError("DISTINCT of groups")
            self.grouping = list(self.items.values())
        self.is_grouped = bool(self.grouping)
        self.having = query.having
        self._memo: dict[object, Number] = {}
        self._check()

    def _check(self) -> None:
        rows = self.rows_from
        for test in rows.tests:
            check_row(test, rows)
        for group in rows.optional:
            for test in group.on:
                check_row(test, rows)
        for node in self.grouping:
            check_row(node, rows)
        self.windows: dict[str, WindowCall] = {}
        self.repeats: Number = 1
        for name, item in self.items.items():
            self._check_item(name, item)
        for test in self.having:
            check_row(test, rows, aggregates=True)
        if self.private and not rows.has_no_nobody and rows.is_local:
            raise UnboundedError("rows of nobody")
        if self.is_grouped and not rows.is_local:
            raise UnboundedError("groups of groups of several units")
        if not self.is_grouped and self.having:
            raise UnboundedError("HAVING without groups")
        turns = [window for window in self.windows.values() if _takes_turns(window)]
        if self.windows:
            if self.is_grouped or self.repeats != 1:
                raise UnboundedError("windows over groups or lists")
            for window in self.windows.values():
                self._check_window(window)
        if len(turns) > 1 and rows.rows(_fixed_by(turns[0])) > 1:
            raise UnboundedError("two orders that may both have ties")

    def _check_item(self, name: str, item: Expression) -> None:
        rows = self.rows_from
        inside = _uncast(item)
        if isinstance(inside, WindowCall):
            self.windows[name] = inside
            return
        if isinstance(inside, Call) and inside.name == UNNEST and len(inside.arguments) == 1:
            written = bare(inside.arguments[0])
            is_list = isinstance(written, Call) and written.name == "list_value"
            self.repeats = max(self.repeats, len(parts_of(written)) if is_list else INF)
            check_row(written, rows)
            if self.is_grouped:
                raise UnboundedError("a list of groups")
            return
        if item in self.grouping:
            return
        check_row(item, rows, aggregates=self.is_grouped)
        if self.is_grouped and not _is_of_groups(item, self.grouping):
            raise UnboundedError("an item of a group that is no key")

    def _check_window(self, window: WindowCall) -> None:
        """Lemma `window`."""
        rows = self.rows_from
        if not self.private:
            raise UnboundedError("a window over public rows")
        if not rows.is_local or not any(rows.is_unit(node) for node in window.partition_by):
            raise UnboundedError("a window over several units")
        function = window.function
        for part in (*window.partition_by, *map(_term, window.order_by), *function.arguments):
            check_row(part, rows)
        if isinstance(function, AggregateCall):
            if function.distinct or function.name not in ORDERLESS | EXACT_SUMS:
                raise UnboundedError(f"window {function.name}")
            _check_aggregate(function, rows)
        elif function.name not in RANKS | TURNS:
            raise UnboundedError(f"window {function.name}")
        if _takes_turns(window):
            fixed = _fixed_by(window)
            shown = [*function.arguments, *(item for name, item in self.items.items() if name not in self.windows)]
            if rows.rows(fixed) > 1 and not all(rows.is_settled(node, fixed) for node in shown):
                raise UnboundedError("an order with ties")

    # --- whose rows ------------------------------------------------------------------------------

    @property
    def root(self) -> object:
        return self.rows_from.scans[self.rows_from.private[0]].root

    @cached_property
    def is_local(self) -> bool:
        """Whether each row belongs to one unit. Lemmas `row`, `window` and `group`."""
        rows = self.rows_from
        return rows.is_local and (not self.is_grouped or any(rows.is_unit(node) for node in self.grouping))

    @cached_property
    def units(self) -> list[Key]:
        """The columns that are the unit."""
        if not self.private or not self.is_local:
            return []
        return [name for name, item in self.items.items() if self.rows_from.is_unit(item)]

    @cached_property
    def links(self) -> list[tuple[Key, object]]:
        """Columns that name a private row, of which each row here has the unit."""
        rows, found = self.rows_from, []
        if not self.is_local:
            return []
        for name, item in self.items.items():
            if not isinstance(item, ColumnRef):
                continue
            root = rows.classes.find(node_of(item))
            for alias in rows.spine:
                for key, target in rows.scans[alias].links:
                    if rows.classes.find((alias, key)) == root:
                        found.append((name, target))
        return found

    @cached_property
    def shaken(self) -> frozenset[str]:
        """Columns of a relation that is not local which change in rows that stay. Lemma `merged`."""
        rows = self.rows_from
        if rows.is_local and not self.is_local:
            return frozenset(name for name, item in self.items.items() if item not in self.grouping)
        if rows.is_local:
            return frozenset()
        return frozenset(name for name, item in self.items.items() if reads_shaken(item, rows))

    def only_falls(self, name: str) -> bool:
        """Whether a column is a least turn, or a step of it that falls with it, of rows that are more where it falls."""
        item, rows = self.items[name], self.rows_from
        if not rows.is_local:
            if not all(only_falls(test, rows) for test in rows.tests):
                return False
            if isinstance(item, ColumnRef):
                return only_falls(item, rows)
            return isinstance(item, Choice) and _is_stair(item) and all(only_falls(t, rows) for t, _ in item.branches)
        return name not in self.shaken or (isinstance(item, AggregateCall) and item.name == "min" and not self.having)

    @property
    def is_shaken(self) -> bool:
        """Whether rows may change, not only come and go: also by tests and keys that read what changes."""
        rows = self.rows_from
        nodes = [*self.items.values(), *rows.tests, *self.grouping, *self.having]
        return not self.is_local and bool(self.shaken or any(reads_shaken(node, rows) for node in nodes))

    # --- columns ---------------------------------------------------------------------------------

    def has(self, ref: ColumnRef) -> bool:
        return fold(ref.path[0] if ref.path else ref.name) in self.items

    def type_of(self, key: Key) -> str | None:
        """The type of a column that is one of a table, or a cast."""
        item = self.items.get(key) if isinstance(key, str) else None
        if isinstance(item, ColumnRef) and not item.path:
            return self.rows_from.find_scan(item.table).type_of(key_of(item))
        if isinstance(item, Conversion):
            return item.type.name
        return "BIGINT" if isinstance(item, WindowCall) and item.function.name in _NUMBERS else None

    def span(self, key: Key, given: Mapping[str, Span]) -> Span:
        """The span of a column, where other columns of the row have these."""
        if not isinstance(key, str):
            return ANY
        if not given:
            found = self._spans.get(key)
            if found is None:
                found = self._spans[key] = self._span(key, given)
            return found
        return self._span(key, given)

    @cached_property
    def _spans(self) -> dict[str, Span]:
        return {}

    def _span(self, key: str, given: Mapping[str, Span]) -> Span:
        known: dict[Expression, Span] = dict(self.rows_from.known) if not self.is_grouped else {}
        for name, span in given.items():
            item = self.items.get(name)
            if item is not None:
                known[item] = meet(span, known.get(item, ANY))
                learn_span(item, span, known, self)
        return span_of(self.items[key], self, known)

    def column_span(self, ref: ColumnRef, known: Known) -> Span:
        own = self.rows_from.column_span(ref, known)
        if self.is_grouped and ref in self.rows_from.known:
            own = meet(own, self.rows_from.known[ref])
        return own

    def aggregate_span(self, node: AggregateCall | WindowCall, known: Known) -> Span:
        """The span of an aggregate of one group of one unit, or of a window."""
        rows = self.rows_from
        call, most = node, rows.rows(frozenset(self.grouping))
        if isinstance(call, WindowCall):
            if isinstance(call.function, Call):
                return (1, INF, "int") if call.function.name in _NUMBERS else ANY
            call, most = call.function, INF
        if self.is_grouped and not self.is_local:  # of rows of any number of units
            most = INF
        if call.name == "count":
            return 0, most, "int"
        if call.name in ("bool_and", "bool_or"):
            return BOOLEAN
        if not call.arguments:
            return ANY
        inside = span_of(call.arguments[0], rows, rows.known)
        if call.name == "sum":
            low, high = scaled(inside, most)
            return inside[0] if low == 0 else low, inside[1] if high == 0 else high, inside[2]
        return inside if call.name in ("min", "max") else ANY

    # --- how many --------------------------------------------------------------------------------

    def _fix(self, names: frozenset[str]) -> Fixed:
        """What is fixed in FROM, where columns are."""
        return frozenset(self.items[name] for name in names if name not in self.windows)

    def rows(self, names: frozenset[str] = frozenset(), ranks: Mapping[str, int] | None = None) -> Number:
        """The most rows of one unit, where columns are fixed, and columns of turns are at most numbers."""
        key = ("rows", names, tuple(ranks.items()) if ranks else ())
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = self._rows(names, ranks or {})
        return found

    def _rows(self, names: frozenset[str], ranks: Mapping[str, int]) -> Number:
        rows, fixed = self.rows_from, self._fix(names)
        known = self._known_from(ranks)
        if self.is_grouped:
            return rows.values(self.grouping, fixed, known)
        most = rows.rows(fixed, known)
        for name, window in self.windows.items():
            if not all(rows.is_settled(node, fixed) for node in window.partition_by):
                continue
            if window.function.name == "row_number":
                most = min(most, 1 if name in names else ranks.get(name, INF))
            if window.function.name == "dense_rank" and (name in names or name in ranks):
                of_each = rows.rows(fixed | {*map(_term, window.order_by)})
                most = min(most, times(1 if name in names else ranks[name], of_each))
        return times(most, self.repeats)

    def _known_from(self, ranks: Mapping[str, int]) -> Known:
        """What holds of rows of FROM where columns are at most numbers; of groups, of some row of each."""
        known: dict[Expression, Span] = {}
        for name, most in ranks.items():
            item = self.items.get(name)
            if self.is_grouped:
                if isinstance(item, AggregateCall) and item.name == "min":
                    known[bare(item.arguments[0])] = (-INF, most, "int")
            elif item is not None and name not in self.windows:
                known[item] = (-INF, most, "int")
                learn_span(item, known[item], known, self)
        return known

    def settles(self, name: str, names: frozenset[str]) -> bool:
        """Whether a column has one value in the rows of a unit where others are fixed."""
        rows, fixed = self.rows_from, self._fix(names)
        window = self.windows.get(name)
        if window is None:
            return name in self.items and rows.is_settled(self.items[name], fixed)
        nodes = (*window.partition_by, *map(_term, window.order_by))
        return not _takes_turns(window) and all(rows.is_settled(node, fixed) for node in nodes)

    def values(self, wanted: Iterable[str], names: frozenset[str], ranks: Mapping[str, int] | None = None) -> Number:
        """The most combinations of values of columns that rows of one unit have, where others are fixed."""
        rows, fixed = self.rows_from, self._fix(names)
        items = [self.items[name] for name in wanted]
        found = self.rows(names, ranks)
        if any(not self._is_plain(item) for item in items):
            return found
        if not self.is_grouped:
            found = min(found, rows.values(items, fixed, self._known_from(ranks or {})))
        else:
            found = min(found, rows.values(items, fixed))
        for name, most in (ranks or {}).items():
            window = self.windows.get(name)
            if window is None or window.function.name not in ("dense_rank", "row_number"):
                continue
            order = fixed | {*map(_term, window.order_by)}
            if all(rows.is_settled(node, fixed) for node in window.partition_by) and all(
                rows.is_settled(item, order) for item in items
            ):
                found = min(found, most)
        return found

    def _is_plain(self, item: Expression) -> bool:
        """Whether an item is computed from columns of a row, or of what rows are grouped by."""
        if isinstance(item, ColumnRef):
            return True
        if isinstance(item, (AggregateCall, WindowCall, ScalarSubquery, Exists)):
            return False
        if isinstance(item, Call) and item.name == UNNEST:
            return False
        return all(self._is_plain(part) for part in parts_of(item))

    def mass(self, name: str, names: frozenset[str]) -> tuple[Number, Number]:
        """Between what a column adds up to over the rows of a unit where columns are fixed."""
        item, rows = self.items[name], self.rows_from
        low, high = scaled(self.span(name, {}), self.rows(names))
        if self.is_grouped or self.repeats != 1 or self.windows or len(rows.scans) != 1:
            return low, high
        [(alias, scan)] = rows.scans.items()
        if isinstance(scan, Layer):
            fixed = rows.fixed_names(alias, scan, self._fix(names))
            if isinstance(item, ColumnRef) and not item.path:
                least, most = scan.mass(fold(item.name), fixed)
            else:
                most = scan.shared(item, fixed, rows)
                least = 0 if most < INF else -INF
            return max(low, least), min(high, most)
        return low, high

    def shared(self, item: Expression, names: frozenset[str], around: From) -> Number:
        """Lemma `shares`, for an item over the columns of this query, which FROM of another reads."""
        found = parts_shared(item, self.items)
        if found is None:
            return INF
        parts, weight, running, whole = found
        rows, fixed = self.rows_from, self._fix(names)
        low, most, kind = span_of(parts, around, around.known)
        if kind != "int" or low < 0 or most == INF:
            return INF
        weighed = span_of(weight, rows, rows.known)
        if weighed[0] < 0 or weighed[2] != "int" or running.frame or whole.frame or whole.order_by:
            return INF
        if {*map(bare, running.partition_by)} != {*map(bare, whole.partition_by)}:
            return INF
        if any(bare(window.function.arguments[0]) != weight for window in (running, whole)):
            return INF
        if rows.rows(_fixed_by(running)) > 1:
            return INF
        return times(most, rows.values(running.partition_by, fixed))


def learn_span(item: Expression, span: Span, known: dict[Expression, Span], scope: Scope) -> None:
    """What follows for a row from the span of an item: of |x| for x, and of a step of CASE for what it tests."""
    inside = bare(item)
    if isinstance(inside, Call) and inside.name == "abs" and span[1] < INF:
        value = bare(inside.arguments[0])
        known[value] = meet(span_of(value, scope, known), (-span[1], span[1], span[2]))
    if isinstance(inside, Choice):
        before: dict[Expression, Span] = {}
        possible = []
        for test, value in inside.branches:
            held = dict(before)
            learn(test, True, held, scope)
            if _may_be(value, span):
                possible.append(held)
            learn(test, False, before, scope)
        if inside.otherwise is None or _may_be(inside.otherwise, span):
            possible.append(before)
        for node in set.intersection(*map(set, possible)) if possible else ():
            known[node] = meet(join(one[node] for one in possible), known.get(node, ANY))


def _may_be(value: Expression, span: Span) -> bool:
    """Whether a value of CASE may be within a span, or NULL: no span speaks of that."""
    point = constant(value)
    return point is None or point[0] > point[1] or max(point[0], span[0]) <= min(point[1], span[1])


def scaled(span: Span, times: Number) -> tuple[Number, Number]:
    """The ends of a sum of up to so many numbers."""
    low, high = min(span[0], 0), max(span[1], 0)
    if times == 0:
        return 0, 0
    return (0 if low == 0 else low * times), (0 if high == 0 else high * times)


# --- what is read --------------------------------------------------------------------------------


def check_row(node: Expression, rows: From, *, aggregates: bool = False) -> None:
    """Check that an expression reads its row, or its group, and nothing else. Errors: UnboundedError."""
    stack = [node]
    while stack:
        part = stack.pop()
        match part:
            case ColumnRef(table):
                if not rows.find_scan(table).has(part):
                    raise UnboundedError(f"no column {part.name}")
            case Call(name):
                if name not in SCALARS:
                    raise UnboundedError(f"function {name}")
            case AggregateCall():
                if not aggregates:
                    raise UnboundedError("an aggregate without groups")
                _check_aggregate(part, rows)
                for argument in part.arguments:
                    check_row(argument, rows)
                continue
            case WindowCall():
                raise UnboundedError("a window within an expression")
            case ScalarSubquery(query) | Exists(query):
                _check_subquery(query, rows, is_scalar=isinstance(part, ScalarSubquery))
        stack += parts_of(part)


def _check_aggregate(node: AggregateCall, rows: From) -> None:
    """An aggregate is a function of the set of its rows."""
    if node.name in EXACT_SUMS:
        if len(node.arguments) != 1 or span_of(node.arguments[0], rows, rows.known)[2] not in ("int", "decimal"):
            raise UnboundedError("a sum of rounded numbers")
    elif node.name in CHOOSERS:
        chosen, by = node.arguments
        by = bare(by)
        fixed = frozenset(map(bare, parts_of(by) if isinstance(by, Call) and by.name == "row" else (by,)))
        if node.distinct or not rows.is_settled(chosen, fixed):
            raise UnboundedError(f"{node.name} with ties")
    elif node.name not in ORDERLESS:
        raise UnboundedError(f"aggregate {node.name}")


def _check_subquery(query: SelectQuery, outer: From, *, is_scalar: bool) -> None:
    """A subquery reads public rows, and private ones of the unit of the row around it."""
    if query.limit is not None or query.order_by or query.having or query.group_by or query.distinct:
        raise UnboundedError("a subquery of this form")
    rows = From(query.source, query.where, outer.world, Layer, outer=outer)
    if rows.private and not (outer.private and rows.is_local and outer.is_local):
        raise UnboundedError("a subquery over other units")
    for test in rows.tests:
        check_row(test, rows)
    for group in rows.optional:
        for test in group.on:
            check_row(test, rows)
    for item in query.items:
        value = item.value if isinstance(item, SelectItem) else item
        if isinstance(value, Star):
            raise UnboundedError("a subquery of this form")
        check_row(value, rows, aggregates=is_scalar)
        if is_scalar and not _is_of_groups(value, []):
            raise UnboundedError("a subquery of several rows")


def _is_of_groups(node: Expression, keys: list[Expression]) -> bool:
    """Whether an expression reads columns in keys and aggregates alone."""
    node = bare(node)
    if node in keys or isinstance(node, AggregateCall):
        return True
    if isinstance(node, (ColumnRef, ScalarSubquery, Exists)):
        return False
    return all(_is_of_groups(part, keys) for part in parts_of(node))


def reads_shaken(node: Expression, rows: From) -> bool:
    """Whether an expression reads a column that changes in rows that stay."""
    if isinstance(node, ColumnRef):
        scan = rows.find_scan(node.table)
        return isinstance(scan, Layer) and scan.private and key_of(node) in scan.shaken
    return any(reads_shaken(part, rows) for part in parts_of(node))


def only_falls(node: Expression, rows: From) -> bool:
    """Whether a column, or a test that it is at most a number, only falls, or comes to hold, as least turns fall."""
    node = bare(node)
    if isinstance(node, Comparison) and node.symbol in ("<", "<=") and constant(node.right):
        node = bare(node.left)
    if not reads_shaken(node, rows):
        return True
    scan = rows.find_scan(node.table) if isinstance(node, ColumnRef) else None
    return isinstance(scan, Layer) and isinstance(node, ColumnRef) and scan.only_falls(fold(node.name))


def _is_stair(item: Choice) -> bool:
    """Whether a CASE asks if one column is at most a, b, ..., ascending, and its values ascend."""
    tests = [bare(test) for test, _ in item.branches]
    if not all(isinstance(test, Comparison) and test.symbol == "<=" for test in tests) or item.otherwise is None:
        return False
    ends = [constant(test.right) for test in tests if isinstance(test, Comparison)]
    values = [constant(value) for value in (*(value for _, value in item.branches), item.otherwise)]
    columns = {bare(test.left) for test in tests if isinstance(test, Comparison)}
    return len(columns) == 1 and all(_ascend(points) for points in (ends, values))


def _ascend(points: list[Span | None]) -> bool:
    numbers = [point[0] for point in points if point is not None]
    return len(numbers) == len(points) and numbers == sorted(numbers)


def _items(query: SelectQuery, rows: From) -> dict[str, Expression]:
    """The columns by their folded names."""
    found: dict[str, Expression] = {}
    for item in query.items:
        value = item.value if isinstance(item, SelectItem) else item
        if isinstance(value, Star):
            [(alias, scan)] = rows.scans.items() if len(rows.scans) == 1 else [("", None)]
            if not isinstance(scan, Layer) or value.table not in (None, alias):
                raise UnboundedError("all columns of several tables")
            named = [(name, _column(alias, name, inner)) for name, inner in scan.items.items()]
        elif isinstance(item, SelectItem):
            named = [(fold(item.name), bare(value))]
        elif isinstance(value, ColumnRef) and not value.path:
            named = [(fold(value.name), value)]
        else:
            raise UnboundedError("an item without a name")
        for name, node in named:
            if name in found:
                raise UnboundedError(f"two columns {name}")
            found[name] = node
    return found


def _column(alias: str, name: str, item: Expression) -> ColumnRef:
    return ColumnRef(alias, name, item.type, True)


def _uncast(node: Expression) -> Expression:
    node = bare(node)
    return _uncast(node.value) if isinstance(node, Conversion) else node


def _term(term: Expression | SortKey) -> Expression:
    return bare(term.value if isinstance(term, SortKey) else term)


def _takes_turns(window: WindowCall) -> bool:
    return window.function.name in TURNS or window.frame is not None


def _fixed_by(window: WindowCall) -> Fixed:
    return frozenset(map(bare, window.partition_by)) | frozenset(map(_term, window.order_by))
