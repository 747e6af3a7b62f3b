"""Finds that a query shows no row, or reads none, whatever the private rows are.

It decides by the query and the types of columns alone: constant conditions, LIMIT 0, an OFFSET beyond all
groups, and conditions that no value of a column meets together. DuckDB evaluates the constants. An answer
that does not depend on private rows is public, so it costs nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice

from sqlglot import exp

from dpduck.compiler import public
from dpduck.compiler.block.narrowing import comparison_range, conditions_of, narrowed
from dpduck.compiler.block.question import AggregateQuery
from dpduck.compiler.block.rows import SourceRows
from dpduck.compiler.functions.aggregates import is_aggregate
from dpduck.compiler.functions.expressions import condition
from dpduck.compiler.parse.nodes import unwrap
from dpduck.kernel.catalog.model import ValuesDomain
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.plan.public_facts import PublicValues
from dpduck.kernel.tree.emit import LIST
from dpduck.kernel.tree.nodes import (
    BOOLEAN,
    ColumnRef,
    Comparison,
    Connective,
    Expression,
    Literal,
)
from dpduck.kernel.tree.relations import ReaderTable, SelectQuery
from dpduck.kernel.tree.walk import columns_in, has_subquery, rewritten, ungrouped

_ONE_ROW = ReaderTable(f"{LIST}0", "g")
_VARIABLE = (exp.Column, exp.Star, exp.Query, exp.Window)
_UNKNOWN = ColumnRef("g", "v", BOOLEAN, is_ours=True)
_NO_COLUMNS = SourceRows((), _ONE_ROW, (), ())
_MOST_CONSTANTS = 100  # that are evaluated for one query
_DISCRETE = frozenset({"integer", "text", "date", "timestamp", "boolean"})  # equal values are the same value


_NEVER = "{} is never true"


def reason_to_show_nothing(select: exp.Select, question: AggregateQuery, facts: PublicValues) -> str | None:
    """Return why the answer of an aggregate query is known; None if it depends on private rows."""
    if selects_nothing(question.owned.rows, facts):
        return _NEVER.format("WHERE")
    most = question.most_groups if question.grouped else 1
    if most is not None and 0 < most <= question.offset:
        return f"OFFSET {question.offset} skips every row"
    return reason_to_keep_nothing(select, facts)


def reason_to_list_nothing(select: exp.Select, rows: SourceRows, facts: PublicValues) -> str | None:
    """Return why a query that lists private rows has none to list; None if it may have some."""
    return _NEVER.format("WHERE") if selects_nothing(rows, facts) else reason_to_keep_nothing(select, facts)


def reason_to_select_nothing(query: exp.Query, facts: PublicValues) -> str | None:
    """Return why a query selects no row of its FROM, which an aggregate would still turn into one row."""
    where = query.args.get("where")
    return _NEVER.format("WHERE") if where is not None and _is_never_true(where.this, facts) else None


def reason_to_keep_nothing(query: exp.Query, facts: PublicValues) -> str | None:
    """Return why LIMIT, HAVING or QUALIFY of a query leaves no row; None if they may leave one.

    Errors: UnsupportedSqlError if LIMIT is not constant.
    """
    if public.constant_limit(query)[0] == 0:
        return "LIMIT 0 shows no row"
    clauses = ((name, query.args.get(name)) for name in ("having", "qualify"))
    never = (name for name, clause in clauses if clause is not None and _is_never_true(clause.this, facts))
    return next((_NEVER.format(name.upper()) for name in never), None)


def selects_nothing(rows: SourceRows, facts: PublicValues) -> bool:
    """Whether no row can meet all conditions of a block."""
    tests = conditions_of(rows)
    return _never_true(tests, facts) or _contradict(tests, facts) or _ask_beside_enum(tests, facts)


# --- constants -----------------------------------------------------------------------------------


def _is_never_true(node: exp.Expr, facts: PublicValues) -> bool:
    """Whether a condition is false or NULL because of its constant parts."""
    return _never_true([_outline(node)], facts)


def _outline(node: exp.Expr) -> Expression:
    """Return the ANDs and ORs of a condition and its constants, with a column for each other part."""
    node = unwrap(node)
    if isinstance(node, (exp.And, exp.Or)):
        links = tuple(_outline(part) for part in node.flatten())
        return Connective("AND" if isinstance(node, exp.And) else "OR", links)
    if any(isinstance(part, _VARIABLE) or is_aggregate(part) for part in node.walk()):
        return _UNKNOWN
    try:
        return condition(node, _NO_COLUMNS)
    except DpduckError:
        return _UNKNOWN


def _never_true(tests: Sequence[Expression], facts: PublicValues) -> bool:
    """Whether the constant parts of conditions joined by AND make one of them false or NULL."""
    constants = dict.fromkeys(part for test in tests for part in _constants(test))
    false = set(_failing(list(constants), facts))
    return any(_fails_by(test, false) for test in tests)


def _constants(test: Expression) -> Iterator[Expression]:
    """Yield the largest parts of a condition, joined by AND and OR, that read no column."""
    inside = ungrouped(test)
    if not any(columns_in(inside)):
        if not has_subquery(inside):
            yield inside
    elif isinstance(inside, Connective):
        for link in inside.links:
            yield from _constants(link)


def _fails_by(test: Expression, false: set[Expression]) -> bool:
    """Whether a condition is never true, given constant parts that are not."""
    inside = ungrouped(test)
    if inside in false or not isinstance(inside, Connective):
        return inside in false
    links = (_fails_by(link, false) for link in inside.links)
    return any(links) if inside.word == "AND" else all(links)


def _failing(constants: Sequence[Expression], facts: PublicValues) -> list[Expression]:
    """Return the conditions without columns that are false or NULL, of those that are few enough to try."""
    tried = list(islice(constants, _MOST_CONSTANTS))
    if not tried:
        return []
    found = facts.rows(SelectQuery(tuple(tried), _ONE_ROW), {f"{LIST}0": [None]})
    values = found[0] if found else [True] * len(tried)
    return [constant for constant, value in zip(tried, values, strict=True) if not value]


# --- contradictions ------------------------------------------------------------------------------


def _contradict(tests: Sequence[Expression], facts: PublicValues) -> bool:
    """Whether no value of some column meets all conditions that read this column alone."""
    by_column: dict[ColumnRef, list[Expression]] = defaultdict(list)
    for test in tests:
        columns = set(columns_in(test))
        if len(columns) == 1:
            by_column[columns.pop()].append(test)
    several = {column: own for column, own in by_column.items() if len(own) > 1}
    return any(
        _is_empty_range(column, own) or _excludes_its_value(column, own, facts)
        for column, own in several.items()
    )


def _ask_beside_enum(tests: Sequence[Expression], facts: PublicValues) -> bool:
    """Whether a condition reads one ENUM alone, and is true for none of its values and not for NULL."""
    for test in tests:
        columns = set(columns_in(test))
        column = columns.pop() if len(columns) == 1 else None
        if column is None or column.type.kind != "enum":
            continue
        null = rewritten(test, partial(_instead, column, Literal(None, column.type)))
        members = ValuesDomain(column.type.members)
        if narrowed(members, column, [test], facts).size == 0 and _failing([null], facts):
            return True
    return False


def _instead(column: ColumnRef, value: Literal, node: Expression) -> Expression | None:
    return value if node == column else None


def _is_empty_range(column: ColumnRef, tests: Sequence[Expression]) -> bool:
    """Whether comparisons with constants leave no number between the largest low and the least high end."""
    lows: list[tuple[Fraction, bool]] = []
    highs: list[tuple[Fraction, bool]] = []
    for test in tests:
        low, high, exclusive = comparison_range(test, column) or (None, None, False)
        lows += [] if low is None else [(low, exclusive)]
        highs += [] if high is None else [(-high, exclusive)]
    if not lows or not highs:
        return False
    (low, above), (negative, below) = max(lows), max(highs)
    return low > -negative or (low == -negative and (above or below))


def _excludes_its_value(column: ColumnRef, tests: Sequence[Expression], facts: PublicValues) -> bool:
    """Whether a condition gives the column one value, for which another condition is not true."""
    value = next((found for test in tests if (found := _value_of(column, test)) is not None), None)
    if value is None:
        return False
    constants = [rewritten(test, lambda node: value if node == column else None) for test in tests]
    return bool(_failing(constants, facts))


def _value_of(column: ColumnRef, test: Expression) -> Literal | None:
    """Return the constant of `column = constant`, if it is of the column's own type."""
    match ungrouped(test):
        case Comparison("=", Literal() as constant, other) | Comparison("=", other, Literal() as constant):
            same = other == column and constant.type == column.type
            return constant if same and column.type.kind in _DISCRETE else None
    return None
