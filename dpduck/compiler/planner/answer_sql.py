"""Determines the columns that a plan releases, and generates the SQL that computes the answer from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple, assert_never

from dpduck.compiler.block import grouping_sets
from dpduck.compiler.block.question import AggregateQuery, OrderTerm, released
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
from dpduck.kernel.plan.keys import key_column
from dpduck.kernel.plan.model import (
    RANK,
    RELEASE,
    Cut,
    Ends,
    EveryKey,
    Filter,
    KeysAbove,
    LargestKeys,
    Measure,
    Output,
    Plan,
    Quotient,
    Selection,
)
from dpduck.kernel.tree import emit
from dpduck.kernel.tree.answer import AnswerExpression, ComputedEnds

ENDS = ("_low", "_high")  # of the interval of a released column


@dataclass(frozen=True)
class EndColumns:
    """The intervals of an answer: which columns have one, and the columns that stand at its right for it.

    `added`: the name of each in the answer, its SQL over released columns, and which of these it is made of.
    """

    ends: tuple[Ends, ...] = ()
    added: tuple[tuple[str, str, frozenset[str]], ...] = ()


def columns_of(
    question: AggregateQuery, selection: Selection, measures: Sequence[Measure]
) -> tuple[Output, ...]:
    """Return the released columns: keys, a rank, and each aggregate with its interval, gap and p-value."""
    columns = [Output(key_column(i), key.type) for i, (key, _) in enumerate(question.keys)]
    if isinstance(selection, (LargestKeys, KeysAbove)):
        columns.append(Output(RANK, "BIGINT"))
    if selection.counted is not None:
        columns += _released_columns(question.request(selection.counted))
    for measure in measures:
        columns += _released_columns(measure.request)
    return tuple(columns)


def no_rows(question: AggregateQuery, *, shows_ends: bool = False) -> str:
    """Return the SQL of the answer if no row is selected: without GROUP BY, aggregates over no rows.

    Input: whether the answer has the ends of intervals.
    """
    columns = [Output(key_column(i), key.type) for i, (key, _) in enumerate(question.keys)]
    added = _ends_of_no_rows(question).added if shows_ends else ()
    read, zeros = read_by(question, EveryKey()).union(*(columns for _, _, columns in added)), set()
    for request in question.requests:
        columns += [column for column in _released_columns(request) if column.name in read]
        if isinstance(request, Distinct) or (isinstance(request, Count) and not request.is_sum):
            zeros |= {f"{request.column}{end}" for end in ("", *ENDS)}
    values = (("0" if column.name in zeros else "NULL", column) for column in columns)
    items = ", ".join(f"CAST({value} AS {c.type}) AS {emit.identifier(c.name)}" for value, c in values)
    kept = " WHERE FALSE" if question.grouped else ""
    return answer_sql(question, EveryKey(), f"(SELECT {items}{kept}) AS {emit.identifier(RELEASE)}", added)


def _released_columns(request: Aggregate) -> list[Output]:  # noqa: C901 (a case for each kind)
    match request:
        case Count(type=sql_type):
            return _number(request.column, sql_type)
        case Distinct():
            return _number(request.column, "BIGINT")
        case ChosenCount(of=of):
            return [*_number(request.column, of.type), Output(request.chosen, "BIGINT")]
        case ChosenDistinct():
            return [*_number(request.column, "BIGINT"), Output(request.chosen, "BIGINT")]
        case Sum(type=sql_type):
            return _number(request.column, sql_type)
        case ClampedSum(type=sql_type):
            return [*_number(request.column, sql_type), Output(request.chosen, "DOUBLE")]
        case Mean() | Moments():
            return [
                *_number(request.column, "DOUBLE"),
                Output(request.values_low, "DOUBLE"),
                *_parts(request),
            ]
        case Quantile(type=sql_type, interval=interval):
            ends = ("",) if interval is None else ("", *ENDS)
            return [Output(f"{request.column}{end}", sql_type) for end in ends]
        case Quantiles(asked=asked):
            return [column for one in asked for column in _released_columns(one)]
        case Mode(value=value):
            return [Output(request.column, value.type.name), *_doubles(request.column, ("gap", "p_value"))]
    assert_never(request)


def _parts(request: Mean | Moments) -> list[Output]:
    """Return the columns of which the means of several groups are made, if they are asked for."""
    if not isinstance(request, Mean) or not request.adds_up:
        return []
    return [Output(request.values, "DOUBLE"), Output(request.total, "DOUBLE")]


def _number(column: str, sql_type: str) -> list[Output]:
    return [Output(column, sql_type), *_doubles(column, ("low", "high", "gap", "p_value"))]


def _doubles(column: str, names: Sequence[str]) -> list[Output]:
    """Return DOUBLE columns that are released beside an aggregate: `column_name` for each name."""
    return [Output(f"{column}_{name}", "DOUBLE") for name in names]


def answer_sql(
    question: AggregateQuery,
    selection: Selection,
    source: str = emit.identifier(RELEASE),
    added: Sequence[tuple[str, str, frozenset[str]]] = (),
) -> str:
    """Return the query's SELECT list, HAVING, QUALIFY, ORDER BY and LIMIT over the released columns.

    Input: `added`: the columns at its right that have ends of intervals, as of `ends_of`.
    It is post-processing: `source` has released rows only. ORDER BY and DISTINCT get further terms over
    the released columns that break all ties, so that LIMIT is deterministic.
    """
    shown = ", ".join(
        f"{value.sql} AS {emit.identifier(item.name)}"
        for item, value in zip(question.items, _values(question, selection), strict=True)
    )
    shown += "".join(f", {sql} AS {emit.identifier(name)}" for name, sql, _ in added)
    text = f"SELECT {_distinct(question)}{shown} FROM {source}"
    text += grouping_sets.clause(question.sets) if question.sets else ""
    having = _having(question, selection)
    text += "" if having is None else f" {_word_of_having(question)} {having.sql}"
    qualify = _qualify(question, selection)
    text += "" if qualify is None else f" QUALIFY {qualify.sql}"
    terms = _order_terms(question, selection)
    text += f" ORDER BY {', '.join(terms)}" if terms else ""
    text += f" LIMIT {question.limit}" if question.limit is not None else ""
    return text + (f" OFFSET {question.offset}" if question.offset else "")


class NamedEnds(NamedTuple):
    """The names of both ends of a column, and how it is computed of a released number.

    `is_plain`: it is that number as it is.
    """

    low: str
    high: str
    of: ComputedEnds
    is_plain: bool


def ends_of(question: AggregateQuery, selection: Selection, columns: Sequence[Output]) -> EndColumns:
    """Return the columns of the answer with an interval, and what is added to it so that it has their ends.

    The ends of `n` are called `n_low` and `n_high`. If the answer has a column of such a name, it is that
    end, or else both names get a number, as `n_low_1`. There is no interval of totals of several grouping
    sets, nor where the ends would tell equal rows of DISTINCT apart: unless these differ in their keys.
    """
    values = _values(question, selection)
    keys = {key_column(place) for place, _ in enumerate(question.keys)}
    if question.sets or (question.distinct == () and not keys <= {value.column for value in values}):
        return EndColumns()
    known = {column.name for column in columns}
    names, written = [item.name for item in question.items], [value.sql for value in values]
    at = {name.lower(): place for place, name in reversed(list(enumerate(names)))}
    ends, added = [], []
    for place, (name, value) in enumerate(zip(tuple(names), values, strict=True)):
        if value.ends is None or not (reads := {f"{value.ends.column}{end}" for end in ENDS}) <= known:
            continue
        wanted = _free(name, (value.ends.low, value.ends.high), at, written)
        for spelled, sql in wanted:
            if spelled.lower() not in at:
                at[spelled.lower()] = len(names)
                names.append(spelled)
                written.append(sql)
                added.append((spelled, sql, frozenset(reads)))
        low, high = (at[spelled.lower()] for spelled, _ in wanted)
        ends.append(Ends(name, place, low, high, None if value.column is not None else value.ends))
    return EndColumns(tuple(ends), tuple(added))


def _ends_of_no_rows(question: AggregateQuery) -> EndColumns:
    measured = [column for request in question.requests for column in _released_columns(request)]
    return ends_of(question, EveryKey(), measured)


def names_of_ends(question: AggregateQuery, plan: Plan | None) -> tuple[list[str], dict[str, NamedEnds], int]:
    """Return the names of an answer with the ends of its intervals, and those of both ends for each number.

    Output: also, how many columns there are without those that are added at its right.
    Input: None for the plan if the answer is known without one.
    """
    found = _ends_of_no_rows(question) if plan is None else ends_of(question, plan.selection, plan.columns)
    names = [*(item.name for item in question.items), *(name for name, _, _ in found.added)]
    values = _values(question, EveryKey() if plan is None else plan.selection)
    ends = {}
    for one in found.ends:
        own = values[one.place].ends
        assert own is not None
        ends[one.name] = NamedEnds(names[one.low], names[one.high], own, one.computed is None)
    return names, ends, len(question.items)


def _free(
    name: str, both: tuple[str, str], at: Mapping[str, int], written: Sequence[str]
) -> list[tuple[str, str]]:
    """Return the names of both ends of an interval: free ones, or those of columns that are the ends.

    Input: SQL of both ends; the places of the names that there are, in lower case, and SQL of each.
    """
    for number in count():
        tail = f"_{number}" if number else ""
        named = [(f"{name}{end}{tail}", sql) for end, sql in zip(ENDS, both, strict=True)]
        places = ((at.get(spelled.lower()), sql) for spelled, sql in named)
        if all(place is None or written[place] == sql for place, sql in places):
            break
    return named


def filters_of(question: AggregateQuery, selection: Selection, source: str) -> tuple[Filter, ...]:
    """Return HAVING and QUALIFY, each with SQL of the groups that meet it and those before it.

    Input: `source`: as of `answer_sql`.
    """
    having, qualify = _having(question, selection), _qualify(question, selection)
    kept, found = f"SELECT 1 FROM {source}", []
    kept += grouping_sets.clause(question.sets) if question.sets else ""
    own = _word_of_having(question)
    for word, keyword, clause in (("HAVING", own, having), ("QUALIFY", "QUALIFY", qualify)):
        if clause is not None:
            kept = f"{kept} {keyword} {clause.sql}"
            found.append(Filter(word, f"{kept} LIMIT 1"))
    return tuple(found)


def _word_of_having(question: AggregateQuery) -> str:
    """Return the clause that HAVING becomes: each released row is a group, unless groups are added up."""
    return "HAVING" if question.sets else "WHERE"


def read_by(question: AggregateQuery, selection: Selection) -> frozenset[str]:
    """Return the released columns that the answer reads, other than to break ties."""
    clauses = [_having(question, selection), _qualify(question, selection)]
    parts = [
        *_values(question, selection),
        *(clause for clause in clauses if clause is not None),
        *(_ordering(order, question, selection) or order.value for order in question.order),
        *(question.distinct or ()),
    ]
    return frozenset().union(*(part.reads for part in parts))


def is_plain(question: AggregateQuery, selection: Selection) -> bool:
    """Whether the answer is the released rows unchanged: every item a released column, no other clause."""
    if question.sets:
        return False
    cut = question.limit is not None or question.offset or question.distinct is not None
    clauses = _having(question, selection), _qualify(question, selection)
    alone = not (cut or question.order) and clauses == (None, None)
    return alone and all(value.column is not None for value in _values(question, selection))


def shows_all(question: AggregateQuery, selection: Selection) -> bool:
    """Whether the answer drops no group because of its released numbers, and adds up none."""
    return _having(question, selection) is None and not question.sets


def cut_of(question: AggregateQuery, selection: Selection) -> Cut:
    """Return which released numbers decide what groups are shown, in the block or in queries around it."""
    own, around = _own_cut(question, selection), question.chosen
    if not own.columns | around.columns:
        return Cut()
    places = min(own.places, around.places) if own.columns else around.places
    return Cut(own.columns | around.columns, places, around.columns)


def _own_cut(question: AggregateQuery, selection: Selection) -> Cut:
    """Return which released numbers decide so in the block itself, by a condition or by their order."""
    clauses = _having(question, selection), _qualify(question, selection)
    conditions = [part for part in clauses if part is not None]
    ranked = question.limit is not None or question.offset or question.distinct is not None
    order = [_ordering(term, question, selection) or term.value for term in question.order if ranked]
    read = frozenset().union(*(part.reads for part in (*conditions, *order)))
    columns = _asked(question, read)
    if question.top is not None and question.having is None:
        return Cut(columns, max(question.top[1] - question.offset, 1))
    return Cut(columns, 1 if conditions else max(question.limit or 1, 1))


def differences_of(question: AggregateQuery, selection: Selection) -> tuple[tuple[str, tuple[str, str]], ...]:
    """Return the columns of the answer with ends of intervals of differences, and the two numbers of each."""
    return tuple(
        (item.name, pair)
        for item, value in zip(question.items, _values(question, selection), strict=True)
        for pair in value.differences
    )


def quotients_of(question: AggregateQuery, selection: Selection) -> tuple[Quotient, ...]:
    """Return what the columns of the answer divide by released numbers, such as sum(x) / count(*)."""
    found = {
        Quotient(
            item.name,
            _asked(question, division.dividend),
            divisor,
            division.factor,
            division.is_all,
            division.adds_up,
        ): None
        for item, value in zip(question.items, _values(question, selection), strict=True)
        for division in value.divisions
        if (divisor := _asked(question, division.divisor))
    }
    return tuple(found)


def _asked(question: AggregateQuery, read: frozenset[str]) -> frozenset[str]:
    """Return the columns of the aggregates of which some released column is read."""
    return frozenset(
        request.column
        for request in question.requests
        if not read.isdisjoint(output.name for output in _released_columns(request))
    )


def _distinct(question: AggregateQuery) -> str:
    """Return DISTINCT or DISTINCT ON (...), to be written before the select list."""
    if question.distinct is None:
        return ""
    terms = ", ".join(term.sql for term in question.distinct)
    return f"DISTINCT ON ({terms}) " if terms else "DISTINCT "


def _having(question: AggregateQuery, selection: Selection) -> AnswerExpression | None:
    """Return the HAVING of the answer; None if the selection applies it already.

    If the counts are shown, they are measured anew and may fall below the threshold, so HAVING stays.
    """
    decided = isinstance(selection, KeysAbove) and selection.counted is None
    return None if decided else question.having


def _qualify(question: AggregateQuery, selection: Selection) -> AnswerExpression | None:
    """Return the QUALIFY of the answer; None if the selection keeps just the groups that it asks for."""
    decided = isinstance(selection, (LargestKeys, KeysAbove)) and question.top_by_qualify
    return None if decided else question.qualify


def _order_terms(question: AggregateQuery, selection: Selection) -> list[str]:
    """Return the query's ORDER BY terms, then terms that break ties; none without ORDER BY or DISTINCT.

    Totals stand after the groups that they add up, also without ORDER BY.
    """
    terms, known = [], set()
    for order in question.order:
        rank = _ordering(order, question, selection)
        direction = " DESC" if order.descending and rank is None else ""
        terms.append(f"{(rank or order.value).sql}{direction}{order.suffix}")
        known |= {order.value.column, rank.column if rank is not None else None}
    if question.distinct is not None:
        return [*terms, *(str(position) for position, _ in enumerate(question.items, 1))]
    places = [index for index, _ in enumerate(question.keys)]
    if question.sets:
        pairs = (
            (grouping_sets.grouping([place], has_sets=True), released(key_column(place))) for place in places
        )
        return [*terms, *(part.sql for pair in pairs for part in pair)]
    ranked = isinstance(selection, (LargestKeys, KeysAbove))
    last = [RANK] if ranked else [key_column(place) for place in places]
    return [*terms, *(released(column).sql for column in last if column not in known)] if terms else []


def _is_ranked(question: AggregateQuery, selection: Selection) -> bool:
    """Whether the groups are ordered by the noisy rank, since no counts are released."""
    ranked = isinstance(selection, (LargestKeys, KeysAbove)) and selection.counted is None
    return question.top is not None and ranked


def _values(question: AggregateQuery, selection: Selection) -> list[AnswerExpression]:
    """Return the expressions of the select list."""
    ranked = _is_ranked(question, selection)
    return [item.by_rank if ranked and item.by_rank is not None else item.value for item in question.items]


def _ordering(order: OrderTerm, question: AggregateQuery, selection: Selection) -> AnswerExpression | None:
    """Return the noisy rank that replaces the counts in an ORDER BY term; None if they are not replaced."""
    ranked = _is_ranked(question, selection) and order.descending
    by_count = question.top is not None and order.value.column == question.top[0]
    return released(RANK) if ranked and by_count else None


def shown_of(question: AggregateQuery, columns: Sequence[Output]) -> tuple[tuple[str, str], ...]:
    """Return the answer columns that are released columns unchanged: the name of each, and that column."""
    known = {column.name for column in columns}
    shown = ((item.name, item.value.column) for item in question.items)
    return tuple((name, column) for name, column in shown if column is not None and column in known)
