"""The error for an argument without a public range: what an analyst can write, what the owner can declare."""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler.functions.expressions import endpoints_of
from dpduck.compiler.functions.lacking import cures
from dpduck.compiler.parse.nodes import position_of, refusal
from dpduck.compiler.write import column_names
from dpduck.kernel.catalog.ranges import RANGE_KINDS
from dpduck.kernel.catalog.types import SqlType, parse_type
from dpduck.kernel.errors import DpduckError, PolicyError
from dpduck.kernel.errors.advice import (
    Action,
    BoundRows,
    ByOwner,
    DeclareDomain,
    Hint,
    ReadAsNumbers,
    WithBounds,
)
from dpduck.kernel.plan.expression import Columns, Lack, Typed

ROWS = 20  # the bound of rows that hints suggest
_DATETIMES = ("date", "timestamp")


def no_range(
    value: Typed, node: exp.Expr, columns: Columns, *, bounded: WithBounds | None = None, instead: str = ""
) -> DpduckError:
    """Return the error for an argument without a public range.

    Input: the call with bounds, if it may set them; what may be asked instead.
    """
    way = bounded or _clamped(value, node, columns)
    other = [f", or {instead}, where a clamp is chosen privately"] if instead else []
    if value.type.kind not in RANGE_KINDS:
        return refusal(
            f"{value.name or 'an expression'} of type {value.type.name} has no order to choose from",
            "Quantiles, sums and means are of numbers; quantiles also of dates and timestamps.",
            Hint.of(
                ReadAsNumbers(value.column and value.column[1], "Use mode(x)"),
                ", or GROUP BY x with count(*)",
                "; of texts that are days or numbers write TRY_CAST(x AS DATE) or TRY_CAST(x AS DOUBLE)."
                if value.type.kind == "text"
                else ".",
            ),
            node,
        )
    if value.column is not None:
        return PolicyError(
            f"column {value.name} has no public range",
            detail="Without bounds one person could move the answer by any amount, and its range would "
            "come from private rows.",
            hint=Hint.of(
                "Write ",
                way,
                *other,
                ", or ",
                ByOwner(_declared(Lack(*value.column, value.type.kind))),
                ".",
            ),
            position=position_of(node),
        )
    low, high = endpoints_of(node, columns)
    if low is not None and low == high:
        return refusal(
            f"the range of {value.name or 'the argument'} is one number",
            f"It is {low}, whatever the rows are.",
            "Write a constant, or an expression that differs between rows.",
            node,
        )
    missing = cures(node, columns)
    ways: list[str | Action] = ["Write ", way, *other]
    for number, lack in enumerate(missing):
        ways += [", and ", _declared(lack)] if number else [", or ", ByOwner(_declared(lack))]
    return refusal(
        f"expression {value.name} has no public range"
        if value.name
        else "this expression has no public range",
        "Without bounds one person could move the answer by any amount.",
        Hint.of(*ways, "."),
        node,
    )


def _declared(lack: Lack) -> Action:
    """Return an example of what is lacking."""
    if lack.column is None:
        return BoundRows(lack.table, ROWS)
    if lack.kind == "text":
        return DeclareDomain(lack.table, lack.column, ("a", "b"), is_text=True)
    kind = "DATE" if lack.kind in _DATETIMES else "INTEGER"
    return DeclareDomain(lack.table, lack.column, example_ends(parse_type(kind)), is_range=True)


def _clamped(value: Typed, node: exp.Expr, columns: Columns) -> WithBounds:
    """Return an expression with a range instead of one without: least and greatest ignore NULL."""
    name = column_names.name_of(node) or "x"
    low, high = (None, None) if value.type.kind in _DATETIMES else endpoints_of(node, columns)
    clamped = name if high is not None else f"least({name}, HIGH)"
    inside = clamped if low is not None else f"greatest({clamped}, LOW)"
    return WithBounds(f"CASE WHEN {name} IS NOT NULL THEN {inside} END")


def example_ends(sql_type: SqlType) -> tuple[str | int, str | int]:
    """Return the ends of a range that hints suggest for a type."""
    return ("2024-01-01", "2024-12-31") if sql_type.kind in _DATETIMES else (0, 100)
