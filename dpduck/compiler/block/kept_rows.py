"""Checks that a block ignores the rows of a public table for which nobody has a partner.

`FROM shops LEFT JOIN visits ON visits.page = shops.name` keeps each shop. Which of them nobody visits is
private, so the score SQL joins both by an inner join, and shops without visits are groups like all others: of
which the rows are counted, with noise. That is what plain SQL means if the rows that it keeps beside,
where all columns of `visits` are NULL, are ignored by all aggregates and in no group of their own. So keys
read columns of the public tables alone, and each aggregate must be one that ignores such rows, as count(x)
does where x is NULL. A condition of WHERE that such rows do not meet leaves an inner join.
"""

from __future__ import annotations

from typing import assert_never

from sqlglot import exp

from dpduck.compiler.block.null_keys import is_null, is_untrue, reached
from dpduck.compiler.block.question import AggregateQuery
from dpduck.compiler.block.rows import KeptRows
from dpduck.compiler.parse.nodes import refusal
from dpduck.kernel.catalog.types import parse_number
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.plan.aggregates import (
    Aggregate,
    ChosenCount,
    ChosenDistinct,
    ClampedSum,
    Count,
    Distinct,
    Mean,
    Mode,
    Moments,
    Quantile,
    Quantiles,
    Sum,
)
from dpduck.kernel.tree.nodes import Choice, Expression, FirstPresent, Literal
from dpduck.kernel.tree.walk import columns_in, ungrouped

_NUMBERS = ("integer", "decimal", "float")


def check_ignored(question: AggregateQuery, node: exp.Expr) -> None:
    """Refuse a block that rows without a partner would change. Errors: UnsupportedSqlError."""
    rows, kept = question.owned.rows, question.owned.rows.kept
    if kept is None or any(is_untrue(condition, kept.are_null) for condition in rows.conditions):
        return
    for _, key in question.keys:
        if any(map(kept.are_null, columns_in(key.node))):
            raise _private_key(key.name, kept, node)
    for request in question.requests:
        if not _ignores(request, kept):
            raise _counted(request, kept, node)


def _ignores(request: Aggregate, kept: KeptRows) -> bool:
    """Whether rows that are kept without a partner do not change an aggregate."""
    if any(is_untrue(condition, kept.are_null) for condition in request.conditions):
        return True
    match request:
        case Count() | ChosenCount():
            return False
        case Sum(value=value) | ClampedSum(value=value):
            return _adds_nothing(value.node, kept)
        case Moments():
            return any(is_null(axis.value.node, kept.are_null) for axis in request.axes)
        case Distinct() | ChosenDistinct() | Mean() | Quantile() | Mode():
            return is_null(request.value.node, kept.are_null)
        case Quantiles(asked=asked):
            return all(_ignores(one, kept) for one in asked)
    assert_never(request)


def _adds_nothing(value: Expression, kept: KeptRows) -> bool:
    """Whether a number is NULL or 0 in these rows, so that it leaves a sum as it is."""
    match value := ungrouped(value):
        case Literal(number, kind) if kind.kind in _NUMBERS and not isinstance(number, bool):
            return number is None or parse_number(number) == 0
        case FirstPresent() | Choice():
            return all(_adds_nothing(part, kept) for part in reached(value, kept.are_null))
    return is_null(value, kept.are_null)


def _private_key(name: str, kept: KeptRows, node: exp.Expr) -> DpduckError:
    return refusal(
        f"the key {name or 'of GROUP BY'} is NULL where this LEFT JOIN finds nothing",
        f"Which rows of the public table have no partner in {kept.absent[0].table.name} is private.",
        "Group by columns of the public table, or write JOIN in place of LEFT JOIN.",
        node,
    )


def _counted(request: Aggregate, kept: KeptRows, node: exp.Expr) -> DpduckError:
    name = kept.absent[0].table.name
    column = kept.absent[0].table.unit or kept.absent[0].table.columns[0].name
    return refusal(
        f"{request.written.text or 'an aggregate'} counts rows of the public table without a partner",
        f"Which rows have none in {name} is private.",
        f"Aggregate a column of {name}, as in count({name}.{column}), or write JOIN in place of LEFT JOIN.",
        node,
    )
