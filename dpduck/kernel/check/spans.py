"""Spans: between which numbers an expression is, for every row, where it is neither NULL nor an error.

A span is (low, high, kind) with exact ends or infinity. DuckDB orders floating point numbers totally, with NaN above
infinity, so a finite `high` also says that the value is no NaN. `kind` is "int", "decimal" or "double", or None of
what has no known arithmetic; it follows from columns of the catalog, constants and casts, which are printed, never
from the type that a node claims for its own result.

Lemmas, one for each rule:
  monotone   f monotone: x in [a, b] gives f(x) in [f(a), f(b)]. Rounding to doubles, and to whole ticks, is monotone.
  corners    a product of intervals has its ends at products of ends, and a quotient at quotients if 0 is outside.
  lattice    least and greatest skip NULL; least is at most each argument's high that is never NULL of itself: as NULL
             arguments are skipped, only one that is no NULL bounds; constants are none.
  branches   in a branch of CASE its test is true and all before were not: false or NULL, where a comparison of x with
             a constant that is NULL says that x is NULL, which no span speaks of.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Protocol

from dpduck.catalog.types import SqlType
from dpduck.query.tree.nodes import (
    AggregateCall,
    Call,
    Choice,
    ColumnRef,
    Comparison,
    Condition,
    Connective,
    Conversion,
    Expression,
    FirstPresent,
    Grouped,
    Literal,
    Membership,
    Negation,
    RangeTest,
    WindowCall,
)

Number = int | Fraction | float  # a float is an infinity
INF = math.inf
Span = tuple[Number, Number, str | None]
ANY: Span = (-INF, INF, None)
NOTHING = (INF, -INF)
BOOLEAN: Span = (0, 1, "int")
Known = Mapping[Expression, Span]
_LARGEST = Fraction(2**1024 - 2**971)


class Scope(Protocol):
    """What an expression reads: columns, and aggregates where there are groups."""

    def column_span(self, ref: ColumnRef, known: Known) -> Span:
        """The span of a column, if expressions of the same row are within what is known."""

    def aggregate_span(self, node: AggregateCall | WindowCall, known: Known) -> Span:
        """The span of an aggregate or window."""


def bare(node: Expression) -> Expression:
    """Return the node without parentheses."""
    while isinstance(node, Grouped):
        node = node.value
    return node


def span_of(node: Expression, scope: Scope, known: Known) -> Span:
    """Return the span of an expression. Input: `known`: what holds of expressions of the row."""
    node = bare(node)
    found = _span(node, scope, known)
    return meet(found, known[node]) if known and node in known else found


def meet(one: Span, other: Span) -> Span:
    """Both spans at once. The kind is that of the first that has one."""
    return max(one[0], other[0]), min(one[1], other[1]), one[2] or other[2]


def join(spans: Iterable[Span]) -> Span:
    """The least span around spans; of values of several kinds it has none."""
    parts = [span for span in spans if span[0] <= span[1]]
    if not parts:
        return (*NOTHING, "int")
    kinds = {kind for _, _, kind in parts}
    kind = kinds.pop() if len(kinds) == 1 else "decimal" if kinds == {"int", "decimal"} else None
    return min(part[0] for part in parts), max(part[1] for part in parts), kind


@lru_cache(maxsize=4096)
def span_of_type(sql_type: SqlType) -> Span:
    """The values of a type. FLOAT has no known arithmetic here."""
    match sql_type.kind:
        case "integer":
            return (*sql_type.ticks, "int")
        case "decimal":
            return (*sql_type.ends, "decimal")
        case "boolean":
            return BOOLEAN
        case "float" if sql_type.name == "DOUBLE":
            return (-INF, INF, "double")
    return ANY


@lru_cache(maxsize=8192)
def number_of(node: Literal) -> Span | None:
    """A constant as a point; None if it is no finite number. NULL is the empty span."""
    if node.value is None:
        return (*NOTHING, "int")
    if isinstance(node.value, bool):
        return int(node.value), int(node.value), "int"
    kind = span_of_type(node.type)[2]
    if node.type.kind not in ("integer", "decimal", "float") or kind is None:
        return None
    if isinstance(node.value, int):
        return node.value, node.value, kind
    try:
        exact = Fraction(node.value)
    except ValueError:
        return None
    if kind == "double":
        return (*_doubles(exact, exact), kind)
    exact = round_to(exact, exact, node.type)[0] if kind == "int" else exact
    return exact, exact, kind


def constant(node: Expression) -> Span | None:
    """The number of a constant, also one within casts that keep it."""
    node = bare(node)
    if isinstance(node, Conversion):
        inside = constant(node.value)
        return None if inside is None else _converted(inside, node.type)
    return number_of(node) if isinstance(node, Literal) else None


def _span(node: Expression, scope: Scope, known: Known) -> Span:  # noqa: C901  (a case for each node)
    match node:
        case ColumnRef():
            return scope.column_span(node, known)
        case Literal():
            return number_of(node) or ANY
        case Conversion(value, target):
            return _converted(span_of(value, scope, known), target)
        case AggregateCall() | WindowCall():
            return scope.aggregate_span(node, known)
        case Choice(branches, otherwise):
            return _choice(branches, otherwise, scope, known)
        case FirstPresent(values):
            return join(span_of(value, scope, known) for value in values)
        case Call(name, arguments):
            return _call(name, arguments, scope, known)
        case Condition():
            return BOOLEAN
    return ANY


def _choice(
    branches: tuple[tuple[Expression, Expression], ...], otherwise: Expression | None, scope: Scope, known: Known
) -> Span:
    """Rule `branches`."""
    spans, failed = [], dict(known)
    for test, value in branches:
        held = dict(failed)
        learn(test, True, held, scope)
        if all(low <= high for low, high, _ in held.values()):
            spans.append(span_of(value, scope, held))
        learn(test, False, failed, scope)
    if otherwise is not None and all(low <= high for low, high, _ in failed.values()):
        spans.append(span_of(otherwise, scope, failed))
    return join(spans)


def learn(test: Expression, holds: bool, known: dict[Expression, Span], scope: Scope) -> None:  # noqa: C901, FBT001
    """Add what follows for numbers from a test that is true, or that is not."""
    test = bare(test)
    match test:
        case Comparison(symbol, left, right):
            _compare(symbol, left, right, holds, known, scope)
        case RangeTest(value, low, high) if holds:
            _compare(">=", value, low, holds, known, scope)
            _compare("<=", value, high, holds, known, scope)
        case Connective("AND", links) if holds:
            for link in links:
                learn(link, holds, known, scope)
        case Connective("OR", links) if not holds:
            for link in links:
                learn(link, holds, known, scope)
        case Negation(value) if holds:
            learn(value, False, known, scope)
        case Membership(value, members) if holds:
            points = [constant(member) for member in members]
            if all(points):
                low, high, kind = join(point for point in points if point is not None)
                _add(value, low, high, kind, known, scope)


_OPPOSITES = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "", "<>": "="}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "<>": "<>"}


def _compare(
    symbol: str, left: Expression, right: Expression, holds: bool, known: dict[Expression, Span], scope: Scope  # noqa: FBT001
) -> None:
    point = constant(right)
    if point is None:
        point, left, symbol = constant(left), right, _TURNED.get(symbol, "")
    if not holds:
        symbol = _OPPOSITES.get(symbol, "")
    if point is None or point[0] > point[1]:
        return
    low, high = {"<": (-INF, point[1]), "<=": (-INF, point[1])}.get(symbol, (point[0], INF))
    if symbol == "=":
        low, high = point[0], point[1]
    if symbol in ("<", "<=", ">", ">=", "="):
        _add(left, low, high, point[2], known, scope, strict=symbol in ("<", ">"))


def _add(
    value: Expression,
    low: Number,
    high: Number,
    kind: str | None,
    known: dict[Expression, Span],
    scope: Scope,
    *,
    strict: bool = False,
) -> None:
    """Note a span, if both sides are compared as they are: exact numbers, or as doubles."""
    value = bare(value)
    own = span_of(value, scope, known)
    if own[2] is None or (own[2] != "double" and kind == "double"):
        return
    if own[2] == "double" and kind != "double":
        low, high = _doubles(low, high)
    if strict and own[2] == kind == "int":
        low, high = (low + 1, high) if high == INF else (low, high - 1)
    known[value] = meet(own, (low, high, own[2]))
    if isinstance(value, Call) and value.name == "abs" and high < INF:  # |x| <= h is -h <= x <= h
        inside = bare(value.arguments[0])
        known[inside] = meet(span_of(inside, scope, known), (-high, high, own[2]))


# --- calls ---------------------------------------------------------------------------------------


def _call(name: str, arguments: tuple[Expression, ...], scope: Scope, known: Known) -> Span:  # noqa: C901
    if name in ("least", "greatest"):
        return _lattice(name, arguments, [span_of(one, scope, known) for one in arguments])
    if name == "//" and _is_mean(arguments):
        total = arguments[0]
        assert isinstance(total, AggregateCall)
        low, high, kind = span_of(total.arguments[0], scope, known)
        return (min(low, 0), max(high, 0), "int") if kind == "int" else ANY
    spans = [span_of(one, scope, known) for one in arguments]
    if any(low > high for low, high, _ in spans):
        return (*NOTHING, "int")  # NULL
    if len(spans) == 1:
        return _unary(name, spans[0])
    return _binary(name, *spans) if len(spans) == 2 else ANY  # noqa: PLR2004


def _is_mean(arguments: tuple[Expression, ...]) -> bool:
    """sum(x) // count(*): lemma `mean`: whole numbers of which the sum is rounded towards 0 are between their ends
    and 0, as there are at most as many values as rows."""
    total, rows = (bare(one) for one in arguments)
    is_sum = isinstance(total, AggregateCall) and total.name == "sum" and not total.distinct
    return is_sum and isinstance(rows, AggregateCall) and rows.name == "count" and not rows.arguments


def _lattice(name: str, arguments: tuple[Expression, ...], spans: list[Span]) -> Span:
    """Rule `lattice`: least is at most a constant argument, whatever is NULL; else only all ends together bound."""
    low, high, kind = join(spans)
    ends = [span for one, span in zip(arguments, spans, strict=True) if constant(one) and span[0] <= span[1]]
    if kind is None:
        return ANY
    if name == "least":
        high = min([high, *(end[1] for end in ends)])
    else:
        low = max([low, *(end[0] for end in ends)])
    return low, high, kind


def _unary(name: str, span: Span) -> Span:
    low, high, kind = span
    if name in ("strlen", "length", "len", "bit_count", "epoch_us", "dense_rank"):
        return (0 if name != "epoch_us" else -INF, INF, "int")
    if kind is None:
        return ANY
    match name:
        case "floor":
            return _floor(low), _floor(high), kind
        case "ceil" | "trunc" | "round":
            return _floor(low), -_floor(-high), kind
        case "abs":
            least = 0 if low <= 0 <= high else min(abs(low), abs(high))
            return least, max(abs(low), abs(high)), kind
        case "-":
            return -high, -low, kind
    return ANY


def _floor(end: Number) -> Number:
    return end if isinstance(end, float) else math.floor(end)


def _binary(name: str, one: Span, other: Span) -> Span:  # noqa: C901, PLR0911
    kinds = {one[2], other[2]}
    if None in kinds:
        return ANY
    if "double" in kinds or name == "/":
        return _of_doubles(name, one, other)
    kind = "int" if kinds == {"int"} else "decimal"
    match name:
        case "+":
            return one[0] + other[0], one[1] + other[1], kind
        case "-":
            return one[0] - other[1], one[1] - other[0], kind
        case "*":
            return (*_corners(one, other), kind)
        case "//" if kind == "int" and other[0] > 0:
            quotients = [_towards_zero(end, by) for end in one[:2] for by in other[:2]]
            return min(quotients), max(quotients), kind
        case "%" if other[0] > 0:
            most = other[1] - 1 if kind == "int" else other[1]
            return (max(-most, min(one[0], 0)), min(most, max(one[1], 0)), kind)
    return -INF, INF, kind if name in ("//", "%") else None


def _corners(one: Span, other: Span) -> tuple[Number, Number]:
    """Rule `corners`, with 0 times infinity as 0: no number is infinite."""
    products = [0 if 0 in (a, b) else a * b for a in one[:2] for b in other[:2]]
    return min(products), max(products)


def _towards_zero(end: Number, by: Number) -> Number:
    if isinstance(end, float):
        return end
    if isinstance(by, float):
        return 0
    return math.trunc(Fraction(end) / by)


def _of_doubles(name: str, one: Span, other: Span) -> Span:
    """Doubles: each operand is rounded to one, and so is the result; both are monotone. NaN only beyond finite ends."""
    nothing: Span = (-INF, INF, "double")
    if INF in (one[1], other[1]) or -INF in (one[0], other[0]):
        return nothing
    one, other = (*_doubles(*one[:2]), "double"), (*_doubles(*other[:2]), "double")
    if INF in (one[1], other[1]) or -INF in (one[0], other[0]):
        return nothing
    match name:
        case "+":
            ends = one[0] + other[0], one[1] + other[1]
        case "-":
            ends = one[0] - other[1], one[1] - other[0]
        case "*":
            ends = _corners(one, other)
        case "/" if other[0] > 0 or other[1] < 0:
            quotients = [Fraction(a) / Fraction(b) for a in one[:2] for b in other[:2]]
            ends = min(quotients), max(quotients)
        case _:
            return nothing
    low, high = _doubles(*ends)
    return (low, high, "double") if -INF < low and high < INF else nothing


def _doubles(low: Number, high: Number) -> tuple[Number, Number]:
    """The ends rounded to the nearest doubles, exactly."""
    return _double(low), _double(high)


def _double(end: Number) -> Number:
    if isinstance(end, float):
        return end
    if abs(end) > _LARGEST:
        return math.copysign(INF, end)
    return Fraction(float(end))


# --- casts ---------------------------------------------------------------------------------------


def _converted(span: Span, target: SqlType) -> Span:
    """The span after a cast; a value that does not fit is an error or NULL."""
    low, high, kind = span
    ends = span_of_type(target)
    if ends[2] is None:
        return ANY
    if low > high:
        return (low, high, ends[2])
    if kind is None or target.kind == "boolean":
        return ends
    if target.kind == "float":
        if kind == "decimal":  # read as ticks / 10^scale, each rounded: 2^-51 covers both
            low, high = low - abs(low) / 2**51, high + abs(high) / 2**51
        return (*_doubles(low, high), "double")
    if kind == "int" or (kind == "decimal" and low == -INF and high == INF):
        return meet((low, high, ends[2]), (*ends[:2], ends[2]))
    low, high = round_to(low, high, target)
    return meet((low, high, ends[2]), ends)


def round_to(low: Number, high: Number, target: SqlType) -> tuple[Number, Number]:
    """The ends of numbers rounded to whole ticks, whichever way halves go; doubles are multiplied before."""
    one = 10**target.scale
    lows, highs = [low * one], [high * one]
    if target.scale:
        lows.append(_double(low * one))
        highs.append(_double(high * one))
    least = min(end if isinstance(end, float) else math.ceil(end - Fraction(1, 2)) for end in lows)
    most = max(end if isinstance(end, float) else math.floor(end + Fraction(1, 2)) for end in highs)
    return (
        least if isinstance(least, float) else Fraction(least, one),
        most if isinstance(most, float) else Fraction(most, one),
    )


