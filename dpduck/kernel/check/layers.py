"""A query in FROM: what of `units` passes from its rows to it.

 row     what is computed from a row alone, by total and deterministic functions, is a function of the row.
 window  with the unit in PARTITION BY a window computes from R_u alone. Ranks and sums over peers treat alike
         what their order takes for equal. What takes turns (row_number, lag, frames of ROWS) needs an order
         that settles the row, or all that is shown of it: else R_u depends on the order in which rows are
         read.
 group   GROUP BY or DISTINCT with the unit computes from R_u alone, if aggregates need no order. Without the
         unit the groups are *merged*, not local: one unit moves those whose keys it has, and no others. A row
         that is keys alone comes or goes; one with aggregates may change.
How many rows has a unit, where some columns are fixed?
 groups  there is one for each combination of what is grouped by.
 turn    row_number() <= n leaves n rows for each value of PARTITION BY, dense_rank() <= n leaves n values of
         ORDER BY.
 unnest  makes any number of rows of one, or as many as a written list has.
 places  a column that is 0 but where another has one of some values adds up to no more than it is, times the
         number of these values, times the rows that a unit has where that is fixed.
 shares  let w >= 0 be whole, U_j and T its running and whole sums over PARTITION BY unit, S, where S and
         ORDER BY settle the row, and P >= 0 a function of T. The sum over rows of (U_j P // T) - ((U_j - w_j)
         P // T) is P for each S, and no term is below 0: it is a telescope, as U_j - w_j = U_(j-1), U_0 = 0
         and the last U_j is T.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dpduck.kernel.catalog.model import fold
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.check.functions import CHOOSERS, RANKS, TURNS, UNNEST
from dpduck.kernel.check.shapes import (
    Key,
    ascends,
    is_of_groups,
    key_of,
    node_of,
    takes_turns,
    uncast,
)
from dpduck.kernel.check.spans import (
    ANY,
    INF,
    Facts,
    Known,
    Number,
    Span,
    constant,
    imply,
    join,
    scaled,
    span_of,
    times,
)
from dpduck.kernel.check.units import Fixed, From, Given, TableRows, UnboundedError, World
from dpduck.kernel.tree.nodes import (
    AggregateCall,
    Call,
    Choice,
    ColumnRef,
    Comparison,
    Conversion,
    Expression,
    Literal,
    Membership,
    Star,
    WindowCall,
)
from dpduck.kernel.tree.relations import SelectItem, SelectQuery
from dpduck.kernel.tree.walk import columns_in, every_part, has_subquery, parts_of, rewritten, ungrouped

_NUMBERED = frozenset({"row_number", "rank", "dense_rank"})
UNKNOWN = Literal(None, parse_type("BOOLEAN"))


class Layer:
    """A query in FROM. Errors: UnboundedError."""

    private: bool
    root: object
    is_local: bool
    is_unsteady: bool
    links: list[tuple[Key, object]]

    def __init__(self, query: SelectQuery, world: World) -> None:  # noqa: C901
        self.below = below = From(query.source, query.where, world)
        self.items = _items(query, below)
        self.names = self.items.keys()
        self.grouping = list(map(ungrouped, query.group_by)) or (
            list(self.items.values()) if query.distinct else []
        )
        if query.limit is not None or query.order_by or (query.distinct and query.group_by):
            raise UnboundedError("a query of this form")
        if (self.grouping and not below.is_local) or (query.having and not query.group_by):
            raise UnboundedError("groups of this form")
        self.private, self.root = (
            bool(below.private),
            below.scan(below.private[0]).root if below.private else None,
        )
        self.is_local = below.is_local and (not self.grouping or any(map(below.is_unit, self.grouping)))
        self.windows: dict[str, WindowCall] = {}
        self.all_windows: list[WindowCall] = []
        self.shown: list[Expression] = []  # items without windows
        self.repeats: Number = 1
        self._found: dict[object, Number] = {}
        self._spans: dict[object, Span] = {}
        for node in self.grouping:
            below.check(node)
        for test in query.having:
            below.check(test, aggregates=True)
        for name, item in self.items.items():
            self._check_item(name, item)
        for window in self.all_windows:
            self._check_window(window)
        turns = {(one.partition_by, one.order_by): one for one in self.all_windows if takes_turns(one)}
        if len(turns) > 1 and below.rows(below.fixed_by(next(iter(turns.values())))) > 1:
            raise UnboundedError("two orders that may have ties")
        self.units: list[Key] = [
            name for name, item in self.items.items() if self.is_local and below.is_unit(item)
        ]
        self.links = [
            (name, target)
            for name, item in self.items.items()
            if self.is_local and isinstance(item, ColumnRef)
            for alias in below.spine
            for key, target in below.scans[alias].links
            if below.classes.find((alias, key)) == below.classes.find(node_of(item))
        ]
        if below.is_local:
            changes = (
                []
                if self.is_local
                else [name for name, item in self.items.items() if item not in self.grouping]
            )
        else:
            changes = [name for name, item in self.items.items() if reads_shaken(item, below)]
        self.shaken = frozenset(changes)  # columns of merged groups that change in rows that stay
        self.having = query.having
        unsteady = self.having or any(reads_shaken(test, below) for test in below.tests)
        under = any(isinstance(scan, Layer) and scan.is_unsteady for scan in below.scans.values())
        self.is_unsteady = not self.is_local and bool(unsteady or under)  # rows go when others come

    def _check_item(self, name: str, item: Expression) -> None:
        inside = uncast(item)
        windows = [part for part in every_part(item) if isinstance(part, WindowCall)]
        if isinstance(inside, WindowCall):
            self.windows[name] = inside
        elif (
            isinstance(inside, Call)
            and inside.name == UNNEST
            and len(inside.arguments) == 1
            and not self.grouping
        ):
            item = ungrouped(inside.arguments[0])
            is_list = isinstance(item, Call) and item.name == "list_value"
            self.repeats = max(self.repeats, len(parts_of(item)) if is_list else INF)
        rest = rewritten(item, lambda part: UNKNOWN if isinstance(part, WindowCall) else None)
        self.below.check(rest, aggregates=bool(self.grouping))
        if self.grouping and not is_of_groups(item, self.grouping):
            raise UnboundedError("an item of a group that is no key")
        self.shown.append(rest)
        self.all_windows += windows

    def _check_window(self, window: WindowCall) -> None:
        """Lemma `window`."""
        below, function = self.below, window.function
        if not below.is_local or not any(map(below.is_unit, window.partition_by)):
            raise UnboundedError("a window over several units")
        for part in (*below.fixed_by(window), *function.arguments):
            below.check(part)
        if isinstance(function, AggregateCall):
            below.check_aggregate(function)
        is_known = isinstance(function, AggregateCall) or function.name in RANKS | TURNS
        if not is_known or self.grouping or self.repeats != 1:
            raise UnboundedError(f"window {function.name}")
        if takes_turns(window):
            fixed = below.fixed_by(window)
            shown = (*function.arguments, *self.shown)
            if below.rows(fixed) > 1 and not all(below.is_settled(node, fixed) for node in shown):
                raise UnboundedError("an order with ties")

    # --- columns ---------------------------------------------------------------------------------

    def has(self, key: Key) -> bool:
        return (key if isinstance(key, str) else key[0]) in self.items

    def type_of(self, key: Key) -> str | None:
        """The type of a column that is one of a table, a cast, or a turn."""
        item = self.items.get(key) if isinstance(key, str) else None
        if isinstance(item, ColumnRef):
            return self.below.scan(item.table).type_of(key_of(item))
        if isinstance(item, Conversion):
            return item.type.name
        return "BIGINT" if isinstance(item, WindowCall) and item.function.name in _NUMBERED else None

    def span(self, key: Key, given: Given) -> Span:
        """The span of a column, where this is known of columns of the row."""
        if not isinstance(key, str):
            return ANY
        case = key, *given.items()
        if case not in self._spans:
            self._spans[case] = span_of(self.items[key], self, self._where(given))
        return self._spans[case]

    def _where(self, given: Given) -> Facts:
        """What is known of a row of FROM where columns are between numbers."""
        known = dict(self.below.known)
        for name, facts in given.items():
            for fact in facts:
                imply(self.items[name], fact, known, self)
        return known

    def column_span(self, ref: ColumnRef, known: Known) -> Span:
        return self.below.column_span(ref, known)

    def other_span(self, node: Expression) -> Span:
        """The span of an aggregate of a group, or of a window."""
        if not isinstance(node, (AggregateCall, WindowCall)):
            return self.below.other_span(node)
        call = node.function if isinstance(node, WindowCall) else node
        if isinstance(call, Call):
            if call.name in _NUMBERED:
                return 1, INF, "int"
            chosen = call.arguments[::2] if call.name in TURNS - {"ntile"} else ()  # and what stands for none
            return join(span_of(one, self.below, {}) for one in chosen) if chosen else ANY
        most = self.below.rows(frozenset(self.grouping)) if self.grouping and self.is_local else INF
        if call.name == "count":
            return 0, most, "int"
        inside = self.below.span(call.arguments[0]) if call.arguments else ANY
        if call.name == "sum" and inside[2] is not None:
            low, high = scaled(inside, most)
            return low or inside[0], high or inside[1], inside[2]
        return inside if call.name in ("min", "max", "quantile_disc", *CHOOSERS) else ANY

    # --- how many --------------------------------------------------------------------------------

    def _fix(self, names: Iterable[str]) -> Fixed:
        return frozenset(self.items[name] for name in names if name not in self.windows)

    def rows(self, names: frozenset[str], ranks: Mapping[str, int]) -> Number:
        """The most rows of one unit, where columns are fixed, and others are numbers up to some number."""
        key = names, *ranks.items()
        if key not in self._found:
            self._found[key] = self._rows(names, ranks)
        return self._found[key]

    def _rows(self, names: frozenset[str], ranks: Mapping[str, int]) -> Number:
        below, fixed, known = self.below, self._fix(names), self._known(ranks)
        if self.grouping:
            return below.values(self.grouping, fixed, known)
        most = below.rows(fixed, known)
        for name, window in self.windows.items():
            times_each = 1 if name in names else ranks.get(name)
            if times_each is not None and all(below.is_settled(node, fixed) for node in window.partition_by):
                if window.function.name == "row_number":
                    most = min(most, times_each)
                if window.function.name == "dense_rank":
                    most = min(most, times(times_each, below.rows(fixed | below.order(window))))
        return times(most, self.repeats)

    def _known(self, ranks: Mapping[str, int]) -> Known:
        """What holds of a row of FROM where columns are at most numbers; of groups, of some row of each."""
        known: Facts = {}
        for name, most in ranks.items():
            item = self.items.get(name)
            if (
                self.grouping
                and isinstance(item, AggregateCall)
                and item.name == "min"
                and self._is_of_least(name)
            ):
                known[ungrouped(item.arguments[0])] = ((-INF, most, "int"),)
            elif not self.grouping and item is not None and name not in self.windows:
                imply(item, (-INF, most, "int"), known, self)
        return known

    def _is_of_least(self, name: str) -> bool:
        """Whether nothing else of merged groups changes: only those of which one unit has a least turn do."""
        return self.is_local or (self.shaken == {name} and not self.having)

    def values(self, wanted: Iterable[str], names: frozenset[str], ranks: Mapping[str, int]) -> Number:
        """The most combinations of values of columns in rows of a unit, where others are fixed."""
        below, fixed, items = self.below, self._fix(names), [self.items[name] for name in wanted]
        most = self.rows(names, ranks)
        if self.repeats == 1 and not any(
            isinstance(part, (AggregateCall, WindowCall)) for i in items for part in every_part(i)
        ):
            most = min(most, below.values(items, fixed, {} if self.grouping else self._known(ranks)))
        for name, window in self.windows.items():
            order = fixed | below.order(window)
            if name in ranks and window.function.name in ("dense_rank", "row_number"):
                settled = all(below.is_settled(node, fixed) for node in window.partition_by)
                if settled and all(below.is_settled(item, order) for item in items):
                    most = min(most, ranks[name])
        return most

    def settles(self, name: str, names: frozenset[str]) -> bool:
        """Whether a column has one value in the rows of a unit where others are fixed."""
        window, fixed = self.windows.get(name), self._fix(names)
        if window is None:
            return self.repeats == 1 and self.below.is_settled(self.items[name], fixed)
        return not takes_turns(window) and all(
            self.below.is_settled(node, fixed) for node in self.below.fixed_by(window)
        )

    def mass(self, key: Key, names: frozenset[str], given: Given) -> tuple[Number, Number]:
        """Between what a column adds up to over the rows of a unit where others are fixed."""
        low, high = scaled(self.span(key, given), self.rows(names, {}))
        if not isinstance(key, str) or self.grouping or self.repeats != 1 or len(self.below.scans) > 1:
            return low, high
        item, (least, most) = self.items[key], self._at_places(key, names, given)
        low, high = max(low, least), min(high, most)
        [(alias, scan)] = self.below.scans.items()
        if isinstance(scan, Layer):
            fixed = self.below.fixed_names(alias, self._fix(names))
            whole = (
                scan.mass(key_of(item), fixed, {})
                if isinstance(item, ColumnRef)
                else scan.shared(item, fixed, self)
            )
            return max(low, whole[0]), min(high, whole[1])
        return low, high

    def _at_places(self, key: str, names: frozenset[str], given: Given) -> tuple[Number, Number]:
        """Rule `places`."""
        match self.items[key]:
            case Choice(((Membership(place, members), value),), zero) if (
                zero is not None and constant(zero) == 0
            ):
                known = self._where(given)
                low, high, _ = span_of(place, self, known)
                numbers = [number for number in map(constant, members) if number is not None]
                places = [number for number in numbers if low <= number <= high]
                each = self.below.rows(self._fix(names) | {ungrouped(place)})
                if len(numbers) == len(members):
                    return scaled(span_of(value, self, {}), times(len({*places}), each))
        return -INF, INF

    def shared(self, item: Expression, fixed: frozenset[str], around: Layer) -> tuple[Number, Number]:
        """Rule `shares`, for an item of a query around this."""
        match item:
            case Call(
                "-",
                (Call("//", (Call("*", (upto, parts)), total)), Call("//", (Call("*", (less, same)), again))),
            ):
                if (
                    not isinstance(less, Call)
                    or less.name != "-"
                    or (upto, parts, total) != (less.arguments[0], same, again)
                ):
                    return -INF, INF
            case _:
                return -INF, INF
        nodes = [ungrouped(node) for node in (upto, total, less.arguments[1])]
        names = [fold(node.name) if isinstance(node, ColumnRef) and not node.path else "" for node in nodes]
        if not self.items.keys() >= {*names}:
            return -INF, INF
        below, weight = self.below, self.items[names[2]]
        running, whole = (uncast(self.items[name], "integer") for name in names[:2])
        windows = [
            w
            for w in (running, whole)
            if isinstance(w, WindowCall) and w.function.name == "sum" and not w.frame
        ]
        if not all([*map(ungrouped, w.function.arguments)] == [weight] for w in windows) or len(windows) < 2:
            return -INF, INF
        low, high, kind = around.below.span(parts)
        is_of_total = (
            {*columns_in(parts)} <= {nodes[1]} and not has_subquery(parts) and kind == "int" and low >= 0
        )
        least, _, weighed = below.span(weight)
        first, last = windows
        is_whole = not last.order_by and {*map(ungrouped, first.partition_by)} == {
            *map(ungrouped, last.partition_by)
        }
        if (
            is_of_total
            and is_whole
            and least >= 0
            and weighed == "int"
            and below.rows(below.fixed_by(first)) == 1
        ):
            return 0, times(high, below.values(first.partition_by, self._fix(fixed)))
        return -INF, INF

    def only_falls(self, name: str) -> bool:
        """Whether a column is a least turn, or a step of one, of rows that come and never go as it falls."""
        item, below = self.items[name], self.below
        if below.is_local:
            is_least = isinstance(item, AggregateCall) and item.name == "min"
            return not self.having and (name not in self.shaken or is_least)
        if not all(only_falls(test, below) for test in below.tests):
            return False
        if not isinstance(item, Choice):
            return only_falls(item, below)
        tests = [ungrouped(test) for test, _ in item.branches]
        ends = [
            constant(test.right) for test in tests if isinstance(test, Comparison) and test.symbol == "<="
        ]
        values = [
            constant(value) for value in (*(value for _, value in item.branches), item.otherwise or UNKNOWN)
        ]
        is_stair = len({test.left for test in tests if isinstance(test, Comparison)}) == 1 and len(
            ends
        ) == len(tests)
        return (
            is_stair and all(map(ascends, (ends, values))) and all(only_falls(test, below) for test in tests)
        )


def reads_shaken(node: Expression, rows: From) -> bool:
    """Whether an expression reads a column that changes in rows that stay."""
    return any(key_of(ref) in rows.scan(ref.table).shaken for ref in columns_in(node))


def only_falls(node: Expression, rows: From) -> bool:
    """Whether a column falls as least turns fall, or a test that it is at most a number comes to hold."""
    node = ungrouped(node)
    if isinstance(node, Comparison) and node.symbol in ("<", "<=") and constant(node.right) is not None:
        node = ungrouped(node.left)
    if not isinstance(node, ColumnRef):
        return not reads_shaken(node, rows)
    scan, key = rows.scan(node.table), key_of(node)
    return isinstance(scan, TableRows) or (isinstance(key, str) and scan.only_falls(key))


def _items(query: SelectQuery, below: From) -> dict[str, Expression]:
    """The columns by their names."""
    named: list[tuple[str, Expression]] = []
    for item in query.items:
        scan = next(iter(below.scans.values()))
        if isinstance(item, Star) and len(below.scans) == 1 and isinstance(scan, Layer):
            alias = next(iter(below.scans))
            named += [(name, ColumnRef(alias, name, one.type, True)) for name, one in scan.items.items()]
        elif isinstance(item, SelectItem):
            named.append((fold(item.name), ungrouped(item.value)))
        elif isinstance(item, ColumnRef) and not item.path:
            named.append((fold(item.name), item))
        else:
            raise UnboundedError("an item of this form")
    if len({name for name, _ in named}) < len(named):
        raise UnboundedError("two columns of one name")
    return dict(named)
