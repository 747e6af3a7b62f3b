"""Which types a key may have."""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal
from dpduck.kernel.catalog.model import ValuesDomain
from dpduck.kernel.plan.expression import Typed


def check_key_type(value: Typed, node: exp.Expr) -> None:
    """Refuse a value whose type cannot be that of a key. Errors: UnsupportedSqlError."""
    what = f"column {column_of(value)}" if column_of(value) else "an expression"
    if value.type.kind == "float" and not isinstance(value.domain, ValuesDomain):
        raise refusal(
            f"{what} of type {value.type.name} cannot be a key",
            "Floating point values are rarely equal, so each would be a group of its own.",
            f"Group by ranges, as in CASE WHEN {column_of(value) or 'x'} < 10 THEN 'low' ELSE 'high' END, or "
            "by a column of integers, decimals or text.",
            node,
        )
    if value.type.kind == "other":
        raise refusal(
            f"{what} of type {value.type.name} cannot be a key",
            "Keys are whole numbers, decimals, text, dates, timestamps, BOOLEAN and ENUM.",
            "Use a column of one of these types.",
            node,
        )


def column_of(value: Typed) -> str:
    """Return the name of the column if the value is a column, else an empty string."""
    return "" if value.column is None else value.column[1]
