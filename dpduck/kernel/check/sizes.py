"""How many values an expression can have: as many as tests name, or its type has. NULL is one of them.

Lemma. A test that is true for each row lets an expression take: the constants of IN, or of =; the whole numbers or
days between two constants; the points of a grid, if the distance from its first is a multiple of the step; NULL
besides, where the test is that it is NULL or one of these. A BOOLEAN has two values, and an ENUM its members, and
NULL where no test is false for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING

from dpduck.catalog.model import fold
from dpduck.catalog.types import parse_type
from dpduck.kernel.check.spans import INF, Number, bare, constant, span_of
from dpduck.query.tree.nodes import (
    BOOLEAN,
    Call,
    Choice,
    ColumnRef,
    Comparison,
    Condition,
    Connective,
    Conversion,
    Expression,
    Literal,
    Membership,
    NullTest,
    RangeTest,
)

if TYPE_CHECKING:
    from dpduck.kernel.check.units import From


def size_of(node: Expression, rows: From) -> Number:
    """Return the most values, or infinity."""
    node = bare(node)
    return min(_by_tests(node, rows), _by_type(node, rows))


def _by_tests(node: Expression, rows: From) -> Number:
    found = min((_allowed(test, node, rows) for test in rows.tests), default=INF)
    low, high = _days(node, rows)
    if low is not None and high is not None:
        found = min(found, max((high - low).days + 1, 0))
    span = span_of(node, rows, rows.known)
    if span[2] == "int" and span[0] > -INF and span[1] < INF:
        found = min(found, max(span[1] - span[0] + 1, 0) + 1)
        if node in rows.known:
            found = min(found, max(span[1] - span[0] + 1, 0))  # a test compares it, so it is not NULL
    return found


def _allowed(test: Expression, node: Expression, rows: From) -> Number:  # noqa: PLR0911
    """How many values one test lets through."""
    match bare(test):
        case Membership(value, members) if bare(value) == node and _are_as_they_are(members, node, rows):
            return len(set(members))
        case Comparison("=", left, right) if bare(left) == node and _are_as_they_are((right,), node, rows):
            return 1
        case NullTest(value, False) if bare(value) == node:
            return 1
        case Connective("OR", links):
            return sum(_allowed(link, node, rows) for link in links)
        case Connective("AND", links):
            return min(_allowed(link, node, rows) for link in links)
        case Choice(((guard, step),), otherwise) if otherwise is not None and _is_false(otherwise):
            grid = _on_grid(guard, step, node, rows)
            return min(grid, _allowed(guard, node, rows), _allowed(step, node, rows))
    return INF


_OF_TIME = frozenset({"date_trunc", "last_day", "make_timestamp", "make_timestamptz", "time_bucket"})


def _are_as_they_are(members: Iterable[Expression], node: Expression, rows: From) -> bool:
    """Whether constants are compared with the values of a node, not with what a cast makes of these."""
    kind = span_of(node, rows, rows.known)[2]
    name = _type_name(node, rows)
    is_time = (isinstance(node, Call) and node.name in _OF_TIME) or (
        name is not None and parse_type(name).kind in ("date", "timestamp")
    )
    for member in map(bare, members):
        if not constant_like(member):
            return False
        match member.type.kind:
            case "text":  # a string constant is read as a value of the other side
                fits = True
            case "integer" | "decimal" | "boolean":
                fits = kind in ("int", "decimal", "double")
            case "float":
                fits = kind == "double"
            case _:
                fits = is_time
        if not fits:
            return False
    return True


def constant_like(node: Expression) -> bool:
    """Whether a node is a constant."""
    node = bare(node)
    return isinstance(node, Literal) or (isinstance(node, Conversion) and constant_like(node.value))


def _is_false(node: Expression) -> bool:
    node = bare(node)
    return isinstance(node, Literal) and node.value is False


def _on_grid(guard: Expression, step: Expression, node: Expression, rows: From) -> Number:
    """low <= x <= high, and (x - low) % step = 0: so many points."""
    ends = [_end(test, node) for test in _conjuncts(guard)]
    lows = [end for symbol, end in filter(None, ends) if symbol == ">="]
    highs = [end for symbol, end in filter(None, ends) if symbol == "<="]
    match bare(step):
        case Comparison("=", Call("%", (Call("-", (value, start)), size)), zero):
            first, width, none = _point(start), _point(size), _point(zero)
            same = _keeps(value, node, rows)
            if same and none == 0 and width and lows and highs and first == max(lows):
                return (min(highs) - first) // abs(width) + 1 if min(highs) >= first else 0
    return INF


def _end(test: Expression, node: Expression) -> tuple[str, Fraction] | None:
    match bare(test):
        case Comparison(">=" | "<=" as symbol, left, right) if bare(left) == node:
            point = _point(right)
            return None if point is None else (symbol, point)
    return None


def _conjuncts(test: Expression) -> Iterator[Expression]:
    test = bare(test)
    if isinstance(test, Connective) and test.word == "AND":
        for link in test.links:
            yield from _conjuncts(link)
    else:
        yield test


def _keeps(value: Expression, node: Expression, rows: From) -> bool:
    """Whether a value is a column of numbers or days, or a cast of it that keeps all of its places."""
    value = bare(value)
    name = _type_name(node, rows)
    if name is None or not isinstance(node, ColumnRef):
        return False
    own = parse_type(name)
    if isinstance(value, Conversion):
        exact = value.type.kind == "decimal" and value.type.scale >= own.scale
        exact |= own.kind == value.type.kind == "integer"
        return bare(value.value) == node and own.kind in ("integer", "decimal") and exact
    return value == node and own.kind in ("integer", "decimal", "date")


def _point(node: Expression) -> Fraction | None:
    """A number, or a day as its number."""
    node = bare(node)
    if isinstance(node, Literal) and node.type.kind == "date":
        day = _day(node)
        return None if day is None else Fraction(day.toordinal())
    point = constant(node)
    return None if point is None or point[0] > point[1] else Fraction(point[0])


def _day(node: Expression) -> date | None:
    node = bare(node)
    if not isinstance(node, Literal) or node.type.kind != "date" or not isinstance(node.value, str):
        return None
    try:
        return date.fromisoformat(node.value)
    except ValueError:
        return None


def _days(node: Expression, rows: From) -> tuple[date | None, date | None]:
    """The days between which tests keep a date."""
    lows: list[date] = []
    highs: list[date] = []
    if _type_name(node, rows) != "DATE":
        return None, None
    for outer in rows.tests:
        for test in _conjuncts(outer):
            match test:
                case Comparison(">=", left, right) if bare(left) == node:
                    lows += filter(None, [_day(right)])
                case Comparison("<=", left, right) if bare(left) == node:
                    highs += filter(None, [_day(right)])
                case RangeTest(value, low, high) if bare(value) == node:
                    lows += filter(None, [_day(low)])
                    highs += filter(None, [_day(high)])
    return max(lows, default=None), min(highs, default=None)


def _type_name(node: Expression, rows: From) -> str | None:
    """The type of an expression, where more than the node says so."""
    if isinstance(node, ColumnRef):
        return None if node.path else rows.find_scan(node.table).type_of(fold(node.name))
    if isinstance(node, Conversion):
        return node.type.name
    return BOOLEAN.name if isinstance(node, Condition) else None


def _by_type(node: Expression, rows: From) -> Number:
    name = _type_name(node, rows)
    if name is None:
        return INF
    known = parse_type(name)
    size = 2 if known.kind == "boolean" else len(set(known.members)) if known.kind == "enum" else 0
    if not size:
        return INF
    for test in rows.tests:
        match bare(test):
            case NullTest(value, True) if bare(value) == node:
                return size
            case Membership(value) if bare(value) == node:
                return size
    return size + 1
