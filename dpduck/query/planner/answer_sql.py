"""The columns that a plan releases, and the SQL that makes the answer of them."""

from __future__ import annotations

from collections.abc import Sequence

from dpduck.query.block.question import AggregateQuery, key_column, released
from dpduck.query.plan.aggregates import Count, Distinct, Mean, Mode, Quantile, Request, Sum
from dpduck.query.plan.model import RANK, RELEASE, KeysAbove, LargestKeys, Measure, Output, Selection
from dpduck.query.write import emit


def columns_of(
    question: AggregateQuery, selection: Selection, measures: Sequence[Measure]
) -> tuple[Output, ...]:
    """What a plan releases: the keys, then each aggregate with the ends of its interval."""
    columns = [Output(key_column(i), key.type) for i, (key, _) in enumerate(question.keys)]
    if isinstance(selection, (LargestKeys, KeysAbove)):
        columns.append(Output(RANK, "BIGINT"))
    if selection.counted is not None:
        columns += _released_columns(question.request(selection.counted))
    for measure in measures:
        columns += _released_columns(measure.request)
    return tuple(columns)


def _released_columns(request: Request) -> list[Output]:
    match request:
        case Count(type=sql_type):
            return _number(request.column, sql_type)
        case Distinct():
            return _number(request.column, "BIGINT")
        case Sum(type=sql_type):
            return _number(request.column, sql_type)
        case Mean():
            return _number(request.column, "DOUBLE")
        case Quantile(type=sql_type):
            return [Output(request.column, sql_type)]
        case Mode(value=value):
            return [Output(request.column, value.type.name), *_doubles(request.column, ("gap", "p_value"))]
    raise TypeError("a request of this kind releases no column")


def _number(column: str, sql_type: str) -> list[Output]:
    return [Output(column, sql_type), *_doubles(column, ("low", "high", "gap", "p_value"))]


def _doubles(column: str, names: Sequence[str]) -> list[Output]:
    """What is released beside a column."""
    return [Output(f"{column}_{name}", "DOUBLE") for name in names]


def answer_sql(question: AggregateQuery, selection: Selection, source: str = emit.identifier(RELEASE)) -> str:
    """The query's own SELECT list, HAVING, QUALIFY, ORDER BY and LIMIT over the released columns.

    It is post-processing: `source` holds released rows and nothing else, in the order that they have as a
    set. What ORDER BY leaves open, and DISTINCT, is decided by the rows too, so that LIMIT cuts there.
    """
    items = ", ".join(
        f"{_ranked(item.sql, question, selection)} AS {emit.identifier(item.name)}" for item in question.items
    )
    text = f"SELECT {question.distinct}{items} FROM {source}"
    # Counts that are measured again may say otherwise than the selection; what is shown fits HAVING.
    if question.having and not (isinstance(selection, KeysAbove) and selection.counted is None):
        text += f" WHERE {question.having}"
    if question.qualify:
        text += f" QUALIFY {question.qualify}"
    terms = _order_terms(question, selection)
    text += f" ORDER BY {', '.join(terms)}" if terms else ""
    text += f" LIMIT {question.limit}" if question.limit is not None else ""
    return text + (f" OFFSET {question.offset}" if question.offset else "")


def _order_terms(question: AggregateQuery, selection: Selection) -> list[str]:
    """The query's own terms, and those that decide between rows that are equal by them."""
    own = [
        (_ranked(f"{o.sql}{' DESC' if o.descending else ''}", question, selection), o.suffix)
        for o in question.order
    ]
    terms = [sql + suffix for sql, suffix in own]
    if question.distinct:
        return [*terms, *(str(place) for place, _ in enumerate(question.items, 1))]
    if isinstance(selection, (LargestKeys, KeysAbove)):
        last = [released(RANK)]
    else:
        last = [released(key_column(place)) for place, _ in enumerate(question.keys)]
    known = {order.sql for order in question.order} | {sql for sql, _ in own}
    return [*terms, *(term for term in last if term not in known)] if terms else []


def _ranked(sql: str, question: AggregateQuery, selection: Selection) -> str:
    """Without counts the noisy order itself says which group is larger."""
    ranked = isinstance(selection, (LargestKeys, KeysAbove)) and selection.counted is None
    if question.top is None or not ranked:
        return sql
    return sql.replace(f"{released(question.top[0])} DESC", released(RANK))


def shown_of(question: AggregateQuery, columns: Sequence[Output]) -> tuple[tuple[str, str], ...]:
    """The columns of the answer that show a released column as it is, and which."""
    known = {released(column.name): column.name for column in columns}
    return tuple((item.name, known[item.sql]) for item in question.items if item.sql in known)
