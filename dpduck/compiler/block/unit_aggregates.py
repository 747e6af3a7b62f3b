"""Aggregates and window functions over the rows of one privacy unit: exact, deterministic, and never failing.

They are no releases: their results are columns of a derived table, which other aggregates count or sum up.
So they need no bounds and no noise, but they must not fail, or one unit would decide whether a query does,
and they must be a function of the unit's rows as a set. Sums of floating point numbers are taken in
millionths, since doubles add up differently in another order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from sqlglot import exp

from dpduck.compiler.block.row_limits import RowLimit
from dpduck.compiler.functions.expressions import conditions, endpoints_of, expression
from dpduck.compiler.functions.lacking import lacking
from dpduck.compiler.parse.nodes import is_literal, refusal, scalar, unwrap
from dpduck.compiler.write import column_names
from dpduck.compiler.write.result_types import quantile_type, sum_type
from dpduck.kernel.catalog.types import SqlType, parse_number, parse_type
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.plan.expression import Columns, Ends, Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import AggregateCall, Expression, Literal

_BIGINT, _BOOLEAN, _DOUBLE, _INTEGER = map(parse_type, ("BIGINT", "BOOLEAN", "DOUBLE", "INTEGER"))
_HUGEINT, _MILLIONTHS = parse_type("HUGEINT"), parse_type("DECIMAL(22,6)")
_NUMBERS = frozenset({"integer", "decimal", "float"})
_ORDERED = frozenset({"integer", "decimal", "float", "date", "timestamp", "boolean", "text"})
_MOST_DIGITS = 26  # of a value, so that a sum of 10^12 of them has at most 38
_FEW_DIGITS = 18  # of a decimal in 64 bits, of which no sum overflows
_WIDE = ("HUGEINT",)
_MOST_PLACES = 12  # after the point of a wide decimal, so that numbers below 10^14 are summed up as they are
_LARGEST = 1e15  # of a floating point number that is summed up in millionths
_UNLIMITED = RowLimit()


def unit_aggregate(node: exp.Expr, columns: Columns, limit: RowLimit = _UNLIMITED) -> Typed:
    """Return an aggregate over rows of one unit. Its node is written in a SELECT that groups by the unit.

    Input: `columns`, with the domains that public tables give them; `limit`: how many rows a unit has.
    Errors: UnsupportedSqlError, UnknownNameError.
    """
    tests: tuple[Expression, ...] = ()
    call = node.this if isinstance(node, exp.IgnoreNulls) else node
    if isinstance(call, exp.Filter):
        tests = conditions(call.args["expression"].this, columns)
        call = call.this
    reader = _READERS.get(type(call))
    if reader is None:
        raise _unsupported(node)
    value = reader(_Call(call, columns, tests, limit))
    return replace(value, named=column_names.name_of(node), column=None, origin=None)


class _Call:
    """An aggregate call with the conditions of FILTER."""

    def __init__(
        self, node: exp.Expr, columns: Columns, tests: tuple[Expression, ...], limit: RowLimit
    ) -> None:
        self.node = node
        self.columns = columns
        self.limit = limit
        self._tests = tests

    def argument(self, node: exp.Expr | None = None) -> Typed:
        """Return an argument, by default the first one, as it may be sorted."""
        node = self.node.this if node is None else node
        if not isinstance(node, exp.Expr) or isinstance(node, (exp.Star, exp.Distinct)):
            raise _unsupported(self.node)
        value = expression(unwrap(node), self.columns)
        ends = endpoints_of(node, self.columns) if value.type.kind in _NUMBERS else None
        lacks = () if value.domain is not None or is_known(ends) else lacking(node, self.columns)
        return Typed(build.sortable(value.node), value.type, value.domain, value.name, ends=ends, lacks=lacks)

    def number(self) -> Typed:
        """Return the first argument as a number: a BOOLEAN is 0 or 1."""
        value = self.argument()
        if value.type.kind == "boolean":
            zero, one = build.literal(0, _INTEGER), build.literal(1, _INTEGER)
            node = build.choice((value.node, one), (build.is_present(value.node), zero))
            return Typed(node, _INTEGER, ends=(Fraction(0), Fraction(1)))
        is_fine = value.type.width > _FEW_DIGITS and value.type.scale > _MOST_PLACES
        if value.type.kind not in _NUMBERS or value.type.name == "UHUGEINT" or is_fine:
            raise refusal(
                f"{column_names.name_of(self.node)} takes numbers",
                f"{value.name or 'Its argument'} is of type {value.type.name}.",
                "Use a numeric column or CAST(x AS DECIMAL(18,6)), or min(x) and max(x).",
                self.node,
            )
        return value

    def kept(self, value: Expression, *tests: Expression) -> Expression:
        """Return the value where FILTER and other tests hold, else NULL, which aggregates ignore."""
        every = (*self._tests, *tests)
        return value if not every else build.only_where(build.all_of(*every), value)


# --- counts --------------------------------------------------------------------------------------


def _count(call: _Call) -> Typed:
    argument = call.node.this
    if isinstance(argument, exp.Distinct):
        return _distinct(call, argument.expressions)
    one = build.literal(1, _INTEGER)
    if argument is None or isinstance(argument, exp.Star) or is_literal(argument):
        return _counted(call, call.kept(one))
    return _counted(call, call.kept(call.argument().node))


def _counted(call: _Call, value: Expression) -> Typed:
    return _number_of(call.limit, AggregateCall("count", (value,), _BIGINT))


def _number_of(limit: RowLimit, node: Expression) -> Typed:
    """Return a number of rows of one unit, from 0 to their limit."""
    most = None if limit.most is None else Fraction(limit.most)
    return Typed(node, node.type, ends=(Fraction(0), most), claimed=limit.most is not None, lacks=limit.lacks)


def _distinct(call: _Call, arguments: list[exp.Expr]) -> Typed:
    if len(arguments) != 1:
        raise _unsupported(call.node)
    value = call.argument(arguments[0])
    if value.type.kind not in _ORDERED:
        raise _unsupported(call.node)
    found = _number_of(call.limit, AggregateCall("count", (call.kept(value.node),), _BIGINT, distinct=True))
    values = _values_of(value)
    if values is None or (call.limit.most is not None and call.limit.most <= values):
        return found
    return replace(found, ends=(Fraction(0), Fraction(values)), claimed=True, lacks=())


def _values_of(value: Typed) -> int | None:
    """Return how many values an argument can have; None if that is not known."""
    if value.type.kind == "boolean":
        return 2
    return None if value.domain is None else value.domain.size


def _count_if(call: _Call) -> Typed:
    tests = conditions(call.node.this, call.columns)
    counted = _counted(call, call.kept(build.literal(1, _INTEGER), *tests))
    return replace(counted, node=build.converted(counted.node, _HUGEINT), type=_HUGEINT)


# --- sums and means ------------------------------------------------------------------------------


def _sum(call: _Call) -> Typed:
    value = call.number()
    result = parse_type(sum_type(value.type))
    total = build.converted(_exact_sum(call.kept(value.node), value.type), result)
    ends = _ends_of_sum(value.ends, call.limit.most)
    lacks = () if is_known(ends) else tuple(dict.fromkeys((*value.lacks, *call.limit.lacks)))
    return Typed(total, result, ends=ends, claimed=call.limit.most is not None, lacks=lacks)


def _exact_sum(value: Expression, sql_type: SqlType) -> Expression:
    """Return the sum of values, each moved into the span whose sums do not overflow. NaN counts as none."""
    if sql_type.kind == "float":
        inside = build.only_where(build.negated(build.call("isnan", _BOOLEAN, value)), value)
        value = build.converted(_clamped(inside, build.literal(_LARGEST, sql_type), sql_type), _MILLIONTHS)
        return AggregateCall("sum", (value,), parse_type("DECIMAL(38,6)"))
    if sql_type.name in _WIDE or sql_type.width > _FEW_DIGITS:
        most = min(sql_type.ticks[1], 10**_MOST_DIGITS)
        value = _clamped(value, build.in_ticks(most, sql_type), sql_type)
    return AggregateCall("sum", (value,), parse_type(sum_type(sql_type)))


def _clamped(value: Expression, most: Expression, sql_type: SqlType) -> Expression:
    """Return the value within [-most, most]; NULL stays NULL, which greatest and least would drop."""
    least = build.call("-", sql_type, most)
    inside = build.call("least", sql_type, build.call("greatest", sql_type, value, least), most)
    return build.only_where(build.is_present(value), build.converted(inside, sql_type))


def _ends_of_sum(ends: Ends | None, most: int | None) -> Ends | None:
    """Return the ends of a sum of 1 to `most` values: numbers of one sign only add to the first."""
    if ends is None:
        return None
    low, high = ends
    return (
        low if low is None or low >= 0 else None if most is None else low * most,
        high if high is None or high <= 0 else None if most is None else high * most,
    )


def is_known(ends: Ends | None) -> bool:
    """Whether both ends of a range are known."""
    return ends is not None and None not in ends


def _mean(call: _Call) -> Typed:
    value = call.number()
    kept = call.kept(value.node)
    total = build.converted(_exact_sum(kept, value.type), _DOUBLE)
    number = build.converted(AggregateCall("count", (kept,), _BIGINT), _DOUBLE)
    return Typed(build.call("/", _DOUBLE, total, number), _DOUBLE, ends=value.ends, lacks=value.lacks)


# --- values --------------------------------------------------------------------------------------


def _extreme(name: str) -> Callable[[_Call], Typed]:
    def read(call: _Call) -> Typed:
        value = call.argument()
        if value.type.kind not in _ORDERED or call.node.args.get("expressions"):
            raise _unsupported(call.node)
        node = AggregateCall(name, (call.kept(value.node),), value.type)
        return replace(value, node=node)

    return read


def _all_of(name: str) -> Callable[[_Call], Typed]:
    def read(call: _Call) -> Typed:
        value = call.argument()
        if value.type.kind != "boolean":
            raise _unsupported(call.node)
        return Typed(AggregateCall(name, (call.kept(value.node),), _BOOLEAN), _BOOLEAN, value.domain)

    return read


def _at_extreme(name: str) -> Callable[[_Call], Typed]:
    """arg_min(x, y): of several rows with the least y the one with the least x, so that it is determined."""

    def read(call: _Call) -> Typed:
        return _chosen(call, name, call.argument(), *_compared(call, call.node.args["expression"]))

    return read


def _compared(call: _Call, node: exp.Expr) -> list[Typed]:
    """Return what rows are compared by: one value, or the values of (a, b)."""
    return [call.argument(part) for part in row_values(node) or [node]]


def row_values(node: exp.Expr) -> list[exp.Expr]:
    """Return the parts of a row of values, (a, b) or row(a, b); none for other expressions."""
    node = unwrap(node)
    is_row = isinstance(node, exp.Tuple) or (isinstance(node, exp.Anonymous) and node.name.lower() == "row")
    return list(node.expressions) if is_row else []


def _in_order(at_start: str, at_end: str) -> Callable[[_Call], Typed]:
    """first(x ORDER BY y, z) and last(x ORDER BY y, z), which is arg_max(x, (y, z))."""

    def read(call: _Call) -> Typed:
        order = call.node.this
        terms = order.expressions if isinstance(order, exp.Order) else []
        if not terms:
            raise refusal(
                f"{column_names.name_of(call.node)} needs an order",
                "Rows have none of their own.",
                "Write first(x ORDER BY ts), or arg_min(x, ts).",
                call.node,
            )
        if len(terms) > 1 and any(term.args.get("desc") or term.args.get("nulls_first") for term in terms):
            raise refusal(
                f"{column_names.name_of(call.node)} sorts by several values, and not from the least",
                "Rows are compared by all of them at once, and NULL is the greatest.",
                "Write first(x ORDER BY a, b) or last(x ORDER BY a, b).",
                call.node,
            )
        name = at_end if terms[0].args.get("desc") else at_start
        by = [value for term in terms for value in _compared(call, term.this)]
        return _chosen(call, name, call.argument(order.this), *by)

    return read


def _chosen(call: _Call, name: str, value: Typed, *by: Typed) -> Typed:
    """Return the value of the first or last row. As in DuckDB, NULL is the greatest in a row of values."""
    if call.node.args.get("count") or {value.type.kind, *(one.type.kind for one in by)} - _ORDERED:
        raise _unsupported(call.node)
    present = [build.is_present(one.node) for one in by] if len(by) == 1 else []
    known = call.kept(value.node, *present)
    compared = build.call("row", parse_type("STRUCT(a INTEGER)"), *(one.node for one in by), value.node)
    return replace(value, node=AggregateCall(name, (known, compared), value.type))


def _median(call: _Call) -> Typed:
    return _quantile_of(call, build.literal(0.5, _DOUBLE), "quantile_cont")


def _quantile(name: str) -> Callable[[_Call], Typed]:
    def read(call: _Call) -> Typed:
        share = call.node.args.get("quantile") or call.node.args.get("expression")
        number = parse_number(scalar(unwrap(share))) if share and is_literal(unwrap(share)) else None
        if number is None or not 0 <= number <= 1:
            raise _unsupported(call.node)
        return _quantile_of(call, build.literal(float(number), _DOUBLE), name)

    return read


def _quantile_of(call: _Call, share: Literal, name: str) -> Typed:
    value = call.number()
    if value.type.kind == "decimal" or value.type.name == "HUGEINT":
        value = replace(value, node=build.converted(value.node, _DOUBLE), type=_DOUBLE)
    result = parse_type(quantile_type(value.type)) if name == "quantile_cont" else value.type
    node = AggregateCall(name, (call.kept(value.node), share), result)
    return replace(value, node=node, type=result, domain=None)


def _unsupported(node: exp.Expr) -> DpduckError:
    return refusal(
        f"{column_names.name_of(node)} of one person's rows is not supported",
        "It must be determined by the rows, whatever their order, and not fail on any.",
        "Use count, sum, avg, min, max, arg_min, arg_max, bool_or, bool_and, median or first(x ORDER BY ts).",
        node,
    )


_READERS: dict[type[exp.Expr], Callable[[_Call], Typed]] = {
    exp.Count: _count,
    exp.CountIf: _count_if,
    exp.Sum: _sum,
    exp.Avg: _mean,
    exp.Min: _extreme("min"),
    exp.AnyValue: _extreme("min"),  # any one that is determined
    exp.Max: _extreme("max"),
    exp.LogicalOr: _all_of("bool_or"),
    exp.LogicalAnd: _all_of("bool_and"),
    exp.ArgMin: _at_extreme("arg_min"),
    exp.ArgMax: _at_extreme("arg_max"),
    exp.First: _in_order("arg_min", "arg_max"),
    exp.Last: _in_order("arg_max", "arg_min"),
    exp.Median: _median,
    exp.PercentileCont: _quantile("quantile_cont"),
    exp.PercentileDisc: _quantile("quantile_disc"),
    exp.Quantile: _quantile("quantile_disc"),
}
