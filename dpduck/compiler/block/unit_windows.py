"""Window functions over the rows of one privacy unit, in an order that the rows alone determine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from sqlglot import exp

from dpduck.compiler.block.row_limits import RowLimit
from dpduck.compiler.block.unit_aggregates import is_known, row_values, unit_aggregate
from dpduck.compiler.functions.aggregates import is_aggregate
from dpduck.compiler.functions.expressions import endpoints_of, expression
from dpduck.compiler.functions.lacking import lacking
from dpduck.compiler.parse.nodes import is_literal, refusal, scalar, unwrap
from dpduck.compiler.private.bounds import constant_number
from dpduck.compiler.private.casts import cast
from dpduck.compiler.write import column_names
from dpduck.kernel.catalog.types import SqlType, parse_type
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.plan.expression import Columns, Ends, Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import AggregateCall, Call, ColumnRef, Expression, SortKey, WindowCall
from dpduck.kernel.tree.walk import parts_of, rewritten

_BIGINT, _DOUBLE = parse_type("BIGINT"), parse_type("DOUBLE")
_FARTHEST = 1_000_000  # rows between a row and what it reads
_FROM_ONE: Ends = (Fraction(1), None)
_SHARE: Ends = (Fraction(0), Fraction(1))
_PLACES: dict[type[exp.Expr], tuple[str, SqlType, Ends]] = {
    exp.RowNumber: ("row_number", _BIGINT, _FROM_ONE),
    exp.Rank: ("rank", _BIGINT, _FROM_ONE),
    exp.DenseRank: ("dense_rank", _BIGINT, _FROM_ONE),
    exp.PercentRank: ("percent_rank", _DOUBLE, _SHARE),
    exp.CumeDist: ("cume_dist", _DOUBLE, _SHARE),
}
_NEIGHBOURS: dict[type[exp.Expr], str] = {exp.Lag: "lag", exp.Lead: "lead"}
_NUMBERS = ("integer", "decimal", "float")


def depends_on_ties(window: exp.Window) -> bool:
    """Whether a window function tells rows apart that are equal in its ORDER BY."""
    return isinstance(window.this, (exp.RowNumber, exp.Ntile, exp.FirstValue, *_NEIGHBOURS)) or bool(
        window.args.get("spec")
    )


def unit_window(
    window: exp.Window,
    columns: Columns,
    limit: RowLimit,
    partition: Sequence[Expression],
    ties: Sequence[Expression],
) -> Typed:
    """Return a window function as a typed expression of a SELECT.

    Input: `limit`: how many rows a unit has. `partition`: the unit and what else PARTITION BY names. `ties`:
        an order of the rows that are equal in ORDER BY, which tells all apart that differ in anything that
        the query reads.
    Errors: UnsupportedSqlError, UnknownNameError.
    """
    value = _Window(window, columns, limit, tuple(partition), ties).read()
    return replace(value, named=column_names.name_of(window))


class _Window:
    def __init__(
        self,
        node: exp.Window,
        columns: Columns,
        limit: RowLimit,
        partition: tuple[Expression, ...],
        ties: Sequence[Expression],
    ) -> None:
        self._node = node
        self._columns = columns
        self._limit = limit
        self._partition = partition
        order = node.args.get("order")
        terms = order.expressions if order is not None else []
        self._order = [key for term in terms for key in self._keys(term)]
        self._ties = tuple(ties) if depends_on_ties(node) else ()
        self._order += [SortKey(tie, nulls="LAST") for tie in self._ties]
        self._frame = None if node.args.get("spec") is None else self._read_frame(node.args["spec"])

    def read(self) -> Typed:
        function = self._node.this
        if type(function) in _PLACES:
            return self._place(function)
        if isinstance(function, exp.Ntile):
            return self._tile(function)
        if type(function) in _NEIGHBOURS:
            return self._neighbour(function)
        if isinstance(function, exp.FirstValue):
            value = self._value(function.this)
            return replace(value, node=self._over(build.call("first_value", value.type, value.node)))
        if is_aggregate(function) and not function.find(exp.Distinct):
            value = unit_aggregate(function, self._columns, self._limit)
            return replace(value, node=rewritten(value.node, self._over_aggregate))
        raise self._unsupported()

    def _over(self, function: Call | AggregateCall) -> WindowCall:
        beside = [SortKey(one, nulls="LAST") for one in function.arguments if self._differs(one)]
        return WindowCall(function, self._partition, (*self._order, *beside), self._frame)

    def _differs(self, node: Expression) -> bool:
        """Whether it may differ where all ties are alike: they have long texts as NULL."""
        if not self._ties or node in self._ties:
            return False
        is_text = isinstance(node, ColumnRef) and node.type.kind == "text"
        return is_text or any(map(self._differs, parts_of(node)))

    def _over_aggregate(self, node: Expression) -> Expression | None:
        return self._over(node) if isinstance(node, AggregateCall) else None

    def _keys(self, node: exp.Ordered) -> list[SortKey]:
        """Return the keys of a term: those of ORDER BY (a, b), in which NULL is the greatest value."""
        parts, is_descending = row_values(node.this), bool(node.args.get("desc"))
        nulls = "FIRST" if is_descending else "LAST"
        return [SortKey(self._value(part).node, is_descending, nulls) for part in parts] or [self._term(node)]

    def _term(self, node: exp.Ordered) -> SortKey:
        value = self._value(node.this)
        nulls = "FIRST" if node.args.get("nulls_first") else "LAST"
        return SortKey(value.node, bool(node.args.get("desc")), nulls)

    def _value(self, node: exp.Expr) -> Typed:
        value = expression(unwrap(node), self._columns)
        ends = endpoints_of(unwrap(node), self._columns) if value.type.kind in _NUMBERS else None
        lacks = () if value.domain is not None or is_known(ends) else lacking(node, self._columns)
        return Typed(build.sortable(value.node), value.type, value.domain, ends=ends, lacks=lacks)

    def _place(self, function: exp.Expr) -> Typed:
        """rank() and its kin. rank(ORDER BY x) is another function."""
        name, result, ends = _PLACES[type(function)]
        if function.expressions or not self._order:
            raise self._unsupported()
        most, node = self._limit.most, self._over(build.call(name, result))
        if is_known(ends):
            return Typed(node, result, ends=ends)
        if most is None:
            return Typed(node, result, ends=ends, lacks=self._limit.lacks)
        return Typed(node, result, ends=(ends[0], Fraction(most)), claimed=True)

    def _tile(self, function: exp.Expr) -> Typed:
        number = self._constant(function.this)
        if number == 0:
            raise self._unsupported()
        node = self._over(build.call("ntile", _BIGINT, build.literal(number, _BIGINT)))
        return Typed(node, _BIGINT, ends=(Fraction(1), Fraction(max(number, 1))))

    def _neighbour(self, function: exp.Expr) -> Typed:
        """lag(x, offset, default) and lead: without a default, NULL where there is no such row."""
        value = self._value(function.this)
        offset, default = function.args.get("offset"), function.args.get("default")
        distance = 1 if offset is None else self._constant(offset)
        arguments = [value.node, build.literal(distance, _BIGINT)]
        if default is not None:
            other = expression(unwrap(default), self._columns)
            arguments.append(cast(other.node, other.type, value.type))
            value = replace(value, domain=None, ends=self._joint_ends(value.ends, default))
        call = build.call(_NEIGHBOURS[type(function)], value.type, *arguments)
        return replace(value, node=self._over(call))

    def _joint_ends(self, ends: Ends | None, default: exp.Expr) -> Ends | None:
        """Return the ends of a value or its default, which is cast to the type of the value."""
        number = constant_number(unwrap(default))
        if ends is None or None in ends or number is None:
            return None
        low, high = ends
        return min(low, Fraction(math.floor(number))), max(high, Fraction(math.ceil(number)))  # type: ignore[type-var]

    def _read_frame(self, spec: exp.Expr) -> tuple[str, str]:
        """Read ROWS BETWEEN ... AND .... Errors: UnsupportedSqlError for another frame."""
        if str(spec.args.get("kind")).upper() != "ROWS" or spec.args.get("exclude"):
            raise self._unsupported()
        start = self._end(spec, "start")
        end = (0, "CURRENT ROW") if spec.args.get("end") is None else self._end(spec, "end")
        if start[0] > end[0] or start[0] == math.inf or end[0] == -math.inf:
            raise self._unsupported()
        return start[1], end[1]

    def _end(self, spec: exp.Expr, name: str) -> tuple[float, str]:
        """Return an end of a frame: how many rows after the present one it lies, and its text."""
        value, side = spec.args.get(name), str(spec.args.get(f"{name}_side") or "").upper()
        if value == "CURRENT ROW":
            return 0, "CURRENT ROW"
        if side not in ("PRECEDING", "FOLLOWING"):
            raise self._unsupported()
        rows = math.inf if value == "UNBOUNDED" else self._constant(value)
        return rows if side == "FOLLOWING" else -rows, f"{'UNBOUNDED' if rows == math.inf else rows} {side}"

    def _constant(self, node: object) -> int:
        number = scalar(unwrap(node)) if isinstance(node, exp.Expr) and is_literal(unwrap(node)) else None
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= _FARTHEST:
            raise self._unsupported()
        return number

    def _unsupported(self) -> DpduckError:
        return refusal(
            f"{_function_of(self._node)} over one person's rows is not supported like this",
            "Its result must be determined by the rows, whatever their order.",
            "Use row_number, rank, lag, lead, first_value, or count, sum, avg, min and max, over all rows or "
            "ROWS BETWEEN 6 PRECEDING AND CURRENT ROW.",
            self._node,
        )


def _function_of(window: exp.Window) -> str:
    """Return the name of the function of a window, as it was written."""
    call = window.this.find(exp.Func)
    return str(call.meta.get("name") or call.sql_name()).lower() if call is not None else "a function"
