"""Says for which keys NULL is a candidate, and which conditions leave no row where a key is NULL. Pure.

NULL is a candidate where the owner declared it beside the domain of a column that the key reads, where a row
of a public table may hold it, and where the query writes it: CASE WHEN age < 30 THEN 'young' END.
"""

from __future__ import annotations

from collections.abc import Callable

from dpduck.compiler.block.narrowing import conditions_of
from dpduck.compiler.block.rows import Instance, SourceRows
from dpduck.kernel.tree.nodes import (
    AggregateCall,
    Call,
    Choice,
    ColumnRef,
    Comparison,
    Connective,
    Conversion,
    Exists,
    Expression,
    FirstPresent,
    Literal,
    Membership,
    Negation,
    NullTest,
    RangeTest,
    ScalarSubquery,
    WindowCall,
)
from dpduck.kernel.tree.walk import parts_of, ungrouped

_NUMBERINGS = frozenset(
    {"count", "dense_rank", "ntile", "rank", "row_number"}
)  # window functions, never NULL
_OF_OTHERS = frozenset({"concat", "concat_ws", "greatest", "least"})  # functions that ignore NULL


def may_be_null(node: Expression, rows: SourceRows) -> bool:
    """Whether an expression may be NULL in a selected row whose values are in their domains."""
    return not _leave_no_null(rows, node.__eq__) and _can_be_null(ungrouped(node), rows)


def _can_be_null(node: Expression, rows: SourceRows) -> bool:
    match node:
        case NullTest() | Exists() | AggregateCall("count"):
            return False
        case WindowCall(function):
            return function.name not in _NUMBERINGS
        case Literal(value):
            return value is None
        case ColumnRef():
            return not any(one.owns(node) and _is_required(one, node, rows) for one in rows.instances)
        case Choice():
            return any(may_be_null(value, rows) for value in _results(node))
        case ScalarSubquery():
            return True
        case FirstPresent(values):
            return all(may_be_null(value, rows) for value in values)
    return any(may_be_null(part, rows) for part in parts_of(node))


def lists_null(node: Expression, rows: SourceRows) -> bool:
    """Whether public facts list NULL among the values of an expression."""
    return declares_null(node, rows) and not _leave_no_null(rows, node.__eq__)


def declares_null(node: Expression, rows: SourceRows) -> bool:
    """Whether public facts list NULL among the values of an expression, whatever conditions it must meet."""
    match node := ungrouped(node):
        case Literal(value):
            return value is None
        case NullTest() | ScalarSubquery() | Exists():
            return False
        case ColumnRef():
            return any(one.owns(node) and _holds_null(one, node, rows) for one in rows.instances)
        case Choice():
            return any(declares_null(value, rows) for value in _results(node))
        case FirstPresent(values):
            return all(declares_null(value, rows) for value in values)
    return any(declares_null(part, rows) for part in parts_of(node))


def _holds_null(instance: Instance, column: ColumnRef, rows: SourceRows) -> bool:
    if instance.table.private:
        return instance.table.column(column.name).or_null
    return not _is_required(instance, column, rows)


def _is_required(instance: Instance, column: ColumnRef, rows: SourceRows) -> bool:
    present = instance.derivation.present if instance.derivation is not None else instance.table.required
    return column.name in present and is_matched(instance, rows)


def is_matched(instance: Instance, rows: SourceRows) -> bool:
    """Whether each selected row has a row of this table, as behind a LEFT JOIN if a condition needs one."""
    return not instance.optional or _leave_no_null(rows, instance.owns)


def is_one_of_constants(node: Expression) -> bool:
    """Whether an expression is a CASE of constants."""
    node = ungrouped(node)
    return isinstance(node, Choice) and all(isinstance(one, Literal) for one in _results(node))


def _results(node: Choice) -> list[Expression]:
    """Return what CASE can give to values in their domains.

    One without ELSE guards a function against others; a query's own gives NULL there.
    """
    results = [result for _, result in node.branches]
    return results if node.otherwise is None else [*results, node.otherwise]


# --- conditions ----------------------------------------------------------------------------------


def _leave_no_null(rows: SourceRows, nulls: Callable[[Expression], bool]) -> bool:
    """Whether one of the conditions, all of which hold, is not true where some expressions are all NULL."""
    return any(is_untrue(condition, nulls) for condition in conditions_of(rows))


def is_untrue(condition: Expression, nulls: Callable[[Expression], bool]) -> bool:
    """Whether a condition is false or NULL wherever some expressions are all NULL."""
    match condition := ungrouped(condition):
        case NullTest(value, negated=True):
            return is_null(value, nulls)
        case Negation(value) if isinstance(test := ungrouped(value), NullTest):
            return not test.negated and is_null(test.value, nulls)
        case Connective("AND", links):
            return any(is_untrue(link, nulls) for link in links)
        case Connective(_, links):
            return all(is_untrue(link, nulls) for link in links)
    return is_null(condition, nulls)


def reached(value: FirstPresent | Choice, nulls: Callable[[Expression], bool]) -> list[Expression]:
    """Return what COALESCE or CASE can give where some expressions are all NULL; NULL if it gives none."""
    if isinstance(value, FirstPresent):
        return list(value.values)
    found = [result for test, result in value.branches if not is_untrue(test, nulls)]
    return found if value.otherwise is None else [*found, value.otherwise]


def is_null(value: Expression, nulls: Callable[[Expression], bool]) -> bool:
    """Whether an expression is NULL wherever the others are."""
    value = ungrouped(value)
    if nulls(value):
        return True
    match value:
        case Comparison(symbol) if symbol.startswith("IS"):
            return False
        case Call(name) if name in _OF_OTHERS:
            return False
        case Call() | Comparison() | Conversion() | Negation():
            return any(is_null(part, nulls) for part in parts_of(value))
        case RangeTest(inner) | Membership(inner):
            return is_null(inner, nulls)
        case FirstPresent() | Choice():
            return all(is_null(part, nulls) for part in reached(value, nulls))
        case Literal(constant):
            return constant is None
    return False
