"""Recognizes clauses that ask only for the largest groups, or for those above a threshold.

Groups are ranked by counts of units, which are monotonic with sensitivity 1, or by sums of bounded totals; a
threshold is for counts only. Each function returns the released column and a number, or None if the clause
has another form.
"""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler import public
from dpduck.compiler.block.clauses import BlockReader
from dpduck.compiler.block.question import Item, OrderTerm
from dpduck.compiler.parse.nodes import is_literal, scalar, unwrap
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.plan.aggregates import Count, Sum
from dpduck.kernel.tree.answer import AnswerExpression

MAX_THRESHOLD = 10**12  # no table has more units

Asked = tuple[str, int]


def top(reader: BlockReader, order: list[OrderTerm], limit: int | None, offset: int) -> Asked | None:
    """Read ORDER BY count(*) DESC LIMIT k OFFSET o: the count and k + o."""
    if limit is None or not order or not order[0].descending:
        return None
    column = _units_column(order[0].value, reader)
    return None if column is None or limit + offset < 1 else (column, limit + offset)


def top_sum(reader: BlockReader, order: list[OrderTerm], limit: int | None, offset: int) -> Asked | None:
    """Read ORDER BY sum(x) DESC LIMIT k OFFSET o: the sum and k + o."""
    if limit is None or not order or not order[0].descending or limit + offset < 1:
        return None
    column = order[0].value.column
    found = (request for request in reader.requests if request.column == column)
    return (column, limit + offset) if column and isinstance(next(found, None), Sum) else None


def _units_column(value: AnswerExpression, reader: BlockReader) -> str | None:
    """Return the released column if the value is a count of units, not of rows; else None."""
    for request in reader.requests:
        if request.column == value.column and isinstance(request, Count) and request.rows is None:
            return None if request.is_unsigned else request.column  # ranked counts may be below 0
    return None


def qualify_top(select: exp.Select, reader: BlockReader) -> Asked | None:
    """Read QUALIFY row_number() OVER (ORDER BY count(*) DESC) <= k: the count and k."""
    clause = select.args.get("qualify")
    test = unwrap(clause.this) if clause is not None else None
    if not isinstance(test, (exp.LTE, exp.LT)):
        return None
    window, bound = unwrap(test.this), unwrap(test.args["expression"])
    number = scalar(bound) if is_literal(bound) else None
    plain = isinstance(window, exp.Window) and isinstance(window.this, exp.RowNumber)
    if not plain or window.args.get("partition_by") or not isinstance(number, int):
        return None
    order = window.args.get("order")
    first = order.expressions[0] if order is not None and order.expressions else None
    if not isinstance(first, exp.Ordered) or not first.args.get("desc"):
        return None
    column = _units_column(public.public_expression(unwrap(first.this), reader), reader)
    k = number if isinstance(test, exp.LTE) else number - 1
    return None if column is None or k < 1 else (column, k)


def outer(reader: BlockReader, items: list[Item], outer: Asked | None) -> Asked | None:
    """Read an outer query that sorts by a count of this block and keeps k rows: the count and k."""
    if outer is None or reader.select.args.get("limit") is not None:
        return None
    for item in items:
        if fold(item.name) == fold(outer[0]):
            column = _units_column(item.value, reader)
            return None if column is None else (column, outer[1])
    return None


def above(select: exp.Select, reader: BlockReader) -> Asked | None:
    """Read HAVING count(*) > T: the count, and the least integer that passes."""
    clause = select.args.get("having")
    test = unwrap(clause.this) if clause is not None else None
    if isinstance(test, (exp.LT, exp.LTE)):
        mirror = exp.GT if isinstance(test, exp.LT) else exp.GTE
        test = mirror(this=test.args["expression"], expression=test.this)
    if not isinstance(test, (exp.GT, exp.GTE)) or not is_literal(test.args["expression"]):
        return None
    bound = scalar(test.args["expression"])
    if not isinstance(bound, int) or isinstance(bound, bool) or is_literal(test.this):
        return None
    column = _units_column(public.public_expression(unwrap(test.this), reader), reader)
    if column is None or not 0 < bound <= MAX_THRESHOLD:
        return None
    return column, bound + isinstance(test, exp.GT)
