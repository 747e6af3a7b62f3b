"""generate_series, range and unnest of constants: rows that a query makes of constants alone.

Their number is known when the query is planned, and bounded: DuckDB builds such a list in memory.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.metadata import version

from sqlglot import exp

from dpduck.compiler.functions.expressions import expression as row_expression
from dpduck.compiler.parse.nodes import refusal, unwrap
from dpduck.compiler.private.casts import cast
from dpduck.compiler.private.intervals import interval_of
from dpduck.compiler.private.type_rules import BIGINT, TIMESTAMP, VARCHAR
from dpduck.compiler.public.context import Context
from dpduck.compiler.public.registry import allow, expression, translates
from dpduck.kernel.catalog.types import ConversionError, convert
from dpduck.kernel.empty_database import cursor_of_nothing
from dpduck.kernel.errors import DpduckError, UnknownNameError
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.emit import call, identifier
from dpduck.kernel.tree.nodes import Expression

MAX_ROWS = 1_000_000  # of a series, and of what constants are multiplied to beside private rows
NAMES_BY_ALIAS = int(version("duckdb").split(".")[0]) >= 2  # of unnest(l) AS u the column is u, not unnest
_DAY = timedelta(days=1)
_LEAST_MONTH = 28 * _DAY
_FORM = (
    "Write generate_series(1, 10), or generate_series(DATE '2024-01-01', DATE '2024-12-31', INTERVAL 1 DAY)."
)

allow((exp.GenerateSeries,), "start end step is_end_exclusive")
allow((exp.Unnest,), "expressions alias offset")


@dataclass(frozen=True)
class Series:
    """The numbers or times from `start` to `end`. `most`: no fewer than its rows."""

    name: str
    start: Expression
    end: Expression
    step: Expression
    most: int

    @property
    def sql(self) -> str:
        """The call, of the table function or of that which gives a list."""
        return call(self.name, *map(sql, (self.start, self.end, self.step)))


def series_of(node: exp.GenerateSeries) -> Series:
    """Return the series of a call with constants. Errors: UnsupportedSqlError."""
    name = "range" if node.args.get("is_end_exclusive") else "generate_series"
    step = node.args.get("step")
    start, end = _value(node.args["start"], node), _value(node.args["end"], node)
    if isinstance(start, int) and isinstance(end, int):
        by = 1 if step is None else _value(step, node)
        if not isinstance(by, int) or by == 0:
            raise _not_a_series(node, "Its step is a whole number other than 0.")
        first, last, made = (build.literal(number, BIGINT) for number in (start, end, by))
        return _bounded(
            Series(
                name,
                first,
                last,
                made,
                max(0, (end - start) // by + (name != "range" or (end - start) % by != 0)),
            ),
            node,
        )
    if not isinstance(start, datetime) or not isinstance(end, datetime) or not isinstance(step, exp.Interval):
        raise _not_a_series(node, "It goes over whole numbers, or over dates or times by an INTERVAL.")
    length = interval_of(step)
    parts = (length.months, length.days, length.microseconds)
    if not any(parts) or len({math.copysign(1, part) for part in parts if part}) > 1:
        raise _not_a_series(node, "Its interval goes one way, and is not empty.")
    least = abs(length.months) * _LEAST_MONTH + abs(length.days) * _DAY
    least += timedelta(microseconds=abs(length.microseconds))
    most = abs(end - start) // least + 1
    first, last = build.literal(start, TIMESTAMP), build.literal(end, TIMESTAMP)
    return _bounded(Series(name, first, last, length.node, most), node)


def _bounded(series: Series, node: exp.Expr) -> Series:
    if series.most > MAX_ROWS:
        raise refusal(
            f"this series has more than {MAX_ROWS:,} rows",
            f"It would have about {series.most:,}, and is made in memory.",
            "Use a larger step, or a shorter range.",
            node,
        )
    return series


def _value(node: exp.Expr, call: exp.Expr) -> int | datetime:
    """Return a constant argument: a whole number, or a time, which is the midnight of a date."""
    typed = None
    try:
        typed = row_expression(unwrap(node), _Constants())
    except DpduckError:
        typed = None
    target = {"integer": BIGINT, "date": TIMESTAMP, "timestamp": TIMESTAMP}.get(
        typed.type.kind if typed else ""
    )
    if typed is None or target is None or typed.type.is_zoned:
        raise _not_a_series(
            call, "Its ends are constants: whole numbers, dates or timestamps without a zone."
        )
    text = sql(cast(cast(typed.node, typed.type, target), target, VARCHAR))
    with cursor_of_nothing() as cursor:
        [(found,)] = cursor.execute(f"SELECT {text}").fetchall()
    try:
        value = convert(found, target)
    except ConversionError:
        raise _not_a_series(call, "An end of it is NULL, or out of range.") from None
    assert isinstance(value, (int, datetime))
    return value


class _Constants:
    """The scope of a constant."""

    def resolve(self, node: exp.Column) -> Typed:
        raise UnknownNameError(f"there is no column {node.name}")

    def subquery(self, node: exp.Expr) -> Typed:
        raise UnknownNameError(f"{type(node).__name__} reads rows")


def _not_a_series(node: exp.Expr, reason: str) -> Exception:
    return refusal("this series is not supported", reason, _FORM, node)


# --- lists of constants --------------------------------------------------------------------------


def is_list_of_constants(node: exp.Expr) -> bool:
    """Whether a node is [1, 2], a series, or another list that reads no rows."""
    return (
        isinstance(unwrap(node), (exp.Array, exp.GenerateSeries)) and node.find(exp.Column, exp.Query) is None
    )


def most_elements(node: exp.Expr) -> int:
    """Return a bound on the number of elements of such a list. Errors: UnsupportedSqlError."""
    node = unwrap(node)
    return series_of(node).most if isinstance(node, exp.GenerateSeries) else len(node.expressions)


def unnested_constants(node: exp.Unnest, context: Context) -> str | None:
    """Return SQL of unnest([1, 2]) in FROM, without an alias; None for other lists."""
    if len(node.expressions) != 1 or node.args.get("offset") or not is_list_of_constants(node.expressions[0]):
        return None
    alias = node.args.get("alias")
    name = alias.name if NAMES_BY_ALIAS and isinstance(alias, exp.TableAlias) and alias.name else "unnest"
    return f"(SELECT {_unnested(node.expressions[0], context)} AS {identifier(name)})"


def _unnested(node: exp.Expr, context: Context) -> str:
    node = unwrap(node)
    listed = series_of(node).sql if isinstance(node, exp.GenerateSeries) else expression(node, context)
    return call("unnest", listed)


@translates(exp.Explode, arguments="this")
def _explode(node: exp.Expr, context: Context) -> str:
    """Translate unnest of constants in a select list without FROM, which then has a row for each."""
    select = node.find_ancestor(exp.Select)
    part: exp.Expr = node
    while part.parent is not None and part.parent is not select:
        part = part.parent
    is_item = part.arg_key == "expressions" and select is not None and select.args.get("from_") is None
    if not is_item or not is_list_of_constants(node.this):
        raise refusal(
            "unnest is not supported here",
            "Of public SQL it makes rows of constants only, in FROM or in a select list without FROM.",
            "Write FROM unnest([1, 2]) AS u(x), or take one element, l[1].",
            node,
        )
    context.seen.references += 1
    return _unnested(node.this, context)
