"""Spans: between which numbers an expression is, for every row, where it is neither NULL nor an error.

A span is (low, high, kind) with exact ends or infinity. DuckDB orders floating point numbers totally, with
NaN above infinity, so a finite `high` also says that a value is no NaN. `kind` is "int", "decimal",
"double" or "date", or None of what has no arithmetic here. It follows from columns of the catalog, constants
and casts, which are printed, never from the type that a node claims for its own result. Lemmas:
 monotone  f monotone: x in [a, b] gives f(x) in [f(a), f(b)]. Rounding to the nearest double, or down, is
           monotone; a cast to whole ticks is within the ticks around.
 corners   a product of intervals has its ends at products of ends, a quotient at quotients, if 0 is outside.
 lattice   least and greatest skip NULL, so only a constant bounds alone; else all arguments together do.
 branches  where a branch of CASE is taken, its test is true and those before are not: false, or NULL, when
           what is compared with a constant is NULL, of which no span speaks.
 mean      sum(x) // count(*) of whole numbers is rounded towards 0, and there are no more values than rows:
           so it is between 0 and the ends of x.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Protocol

from dpduck.kernel.catalog.types import SqlType
from dpduck.kernel.check.functions import WHOLE
from dpduck.kernel.tree.nodes import (
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
    Literal,
    Membership,
    Negation,
    RangeTest,
    ScalarSubquery,
    WindowCall,
)
from dpduck.kernel.tree.walk import ungrouped

Number = Fraction | float  # an int, or a float that is a whole number or an infinity
INF = math.inf
Span = tuple[Number, Number, str | None]
ANY: Span = (-INF, INF, None)
NOTHING: Span = (INF, -INF, "int")  # NULL
DOUBLES: Span = (-INF, INF, "double")
Facts = dict[Expression, tuple[Span, ...]]
Known = Mapping[Expression, tuple[Span, ...]]
NONE_KNOWN: Known = MappingProxyType({})


class SpanSource(Protocol):
    """What gives spans to columns, where more is known of the row, and to aggregates and subqueries."""

    def column_span(self, ref: ColumnRef, known: Known) -> Span: ...

    def other_span(self, node: Expression) -> Span: ...


def span_of(node: Expression, source: SpanSource, known: Known) -> Span:
    """Return the span of an expression. Input: `known`: what holds of expressions of the row."""
    node = ungrouped(node)
    found = _span(node, source, known)
    for low, high, kind in known.get(node, ()):
        if found[2] == "double" and kind in ("int", "decimal", "double"):  # each is compared as a double
            found = meet(found, (_double(low), _double(high), "double"))
        elif found[2] is not None and kind in (found[2], found[2] == "int" and "whole"):
            found = meet(found, (low, high, found[2]))
    return found


def both(one: Known, other: Known) -> Known:
    """What is known by either."""
    return {node: (*one.get(node, ()), *other.get(node, ())) for node in {*one, *other}} if other else one


def meet(one: Span, other: Span) -> Span:
    """Both spans at once."""
    return max(one[0], other[0]), min(one[1], other[1]), one[2] or other[2]


def join(spans: Iterable[Span]) -> Span:
    """The least span around spans."""
    parts = [span for span in spans if span[0] <= span[1]]
    kinds = {kind for _, _, kind in parts}
    if not parts:
        return NOTHING
    kind = kinds.pop() if len(kinds) == 1 else None  # DuckDB may compute with mixed numbers as doubles
    return min(part[0] for part in parts), max(part[1] for part in parts), kind


@lru_cache(maxsize=4096)
def span_of_type(of: SqlType) -> Span:
    """The values of a type. FLOAT has no arithmetic here."""
    if of.kind in ("integer", "decimal"):
        return (*of.ends, "int" if of.kind == "integer" else "decimal")
    if of.kind == "boolean":
        return 0, 1, "int"
    if of.kind == "date":
        return -INF, INF, "date"
    return DOUBLES if of.name == "DOUBLE" else ANY


@lru_cache(maxsize=8192)
def _number_of(node: Literal) -> Span:
    kind = span_of_type(node.type)[2]
    if node.value is None:
        return NOTHING
    if kind is None or node.type.kind == "text":
        return ANY
    if kind == "date":
        return -INF, INF, kind
    try:
        exact = Fraction(node.value)
    except ValueError:  # not finite
        return ANY
    if kind != "double" and (exact * 10**node.type.scale).denominator > 1:  # rounded
        return ANY
    end = _double(exact) if kind == "double" else exact
    whole = end if isinstance(end, float) or end.denominator > 1 else int(end)  # quicker to compare
    return whole, whole, kind


def constant(node: Expression) -> Number | None:
    """The number of a constant, also in a cast that keeps it; None if it is none."""
    low, high, _ = _constant(node)
    return low if low == high else None


def _constant(node: Expression) -> Span:
    node = ungrouped(node)
    if isinstance(node, Conversion):
        return _converted(_constant(node.value), node.type)
    return _number_of(node) if isinstance(node, Literal) else ANY


def _span(node: Expression, source: SpanSource, known: Known) -> Span:
    match node:
        case ColumnRef():
            return source.column_span(node, known)
        case Literal():
            return _number_of(node)
        case Conversion(value, target):
            return _converted(span_of(value, source, known), target)
        case AggregateCall() | WindowCall() | ScalarSubquery():
            return source.other_span(node)
        case Choice():
            tests: list[Expression | None] = [*(test for test, _ in node.branches), None]
            taken = zip(tests, branches_of(node, known), strict=True)
            return join(
                span_of(value, source, held)
                for test, (value, held) in taken
                if value is not None and (test is None or _can_hold(test, source, known))
            )
        case FirstPresent(values):
            return join(span_of(value, source, known) for value in values)
        case Call():
            return _call(node, source, known)
    return (0, 1, "int") if isinstance(node, Condition) else ANY


def branches_of(node: Choice, known: Known) -> Iterable[tuple[Expression | None, Facts]]:
    """The values of CASE, None for NULL, and what is known where each is taken: rule `branches`."""
    failed = dict(known)
    for test, value in node.branches:
        held = dict(failed)
        learn(test, True, held)
        yield value, held
        learn(test, False, failed)
    yield node.otherwise, failed


def learn(test: Expression, holds: bool, known: Facts) -> None:
    """Add what follows for numbers from a test that is true, or that is not."""
    match ungrouped(test):
        case Comparison(symbol, left, right):
            _compare(symbol if holds else _OPPOSITES.get(symbol, ""), left, right, known)
        case RangeTest(value, low, high) if holds:
            _compare(">=", value, low, known)
            _compare("<=", value, high, known)
        case Connective(word, links) if (word == "AND") == holds:
            for link in links:
                learn(link, holds, known)
        case Negation(value) if holds:
            learn(value, False, known)
        case Membership(value, members) if holds:
            _add(value, join(map(_constant, members)), known)


def _can_hold(test: Expression, source: SpanSource, known: Known) -> bool:
    """Whether a comparison with a constant of the same kind may be true."""
    test = ungrouped(test)
    if not isinstance(test, Comparison) or (end := constant(test.right)) is None:
        return True
    low, high, kind = span_of(test.left, source, known)
    if kind is None or kind != _constant(test.right)[2]:
        return True
    return {"<": low < end, "<=": low <= end, ">": high > end, ">=": high >= end}.get(test.symbol, True)


_OPPOSITES = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "<>": "="}


def _compare(symbol: str, left: Expression, right: Expression, known: Facts) -> None:
    low, high, kind = _constant(right)
    ends = {"<": (-INF, high), "<=": (-INF, high), ">": (low, INF), ">=": (low, INF), "=": (low, high)}.get(
        symbol
    )
    if low == high and ends is not None:
        _add(left, (*ends, kind), known)
        if kind == "int" and symbol in ("<", ">"):  # of whole numbers
            _add(left, (ends[0] + 1, ends[1] - 1, "whole"), known)


def _add(value: Expression, span: Span, known: Facts) -> None:
    """Note a span, as what is compared with it: numbers of its kind."""
    value = ungrouped(value)
    others, alike = [], span
    for fact in known.get(value, ()):
        if fact[2] == span[2]:
            alike = meet(alike, fact)
        else:
            others.append(fact)
    known[value] = (*others, alike)
    if isinstance(value, Call) and value.name == "abs" and span[1] < INF:  # |x| <= h: -h <= x <= h
        _add(value.arguments[0], (-span[1], span[1], span[2]), known)


def imply(item: Expression, span: Span, known: Facts, source: SpanSource) -> None:
    """Add what follows from the span of an item, where it is not NULL: for |x|, and for what CASE tests."""
    item = ungrouped(item)
    _add(item, span, known)
    if isinstance(item, Choice):
        taken = [held for value, held in _branches(item) if _may_be(value, span)]
        for node in set.intersection(*map(set, taken)) if taken else ():
            found = join(span_of(node, source, held) for held in taken)
            if found[2] is not None:
                _add(node, found, known)


@lru_cache(maxsize=256)
def _branches(node: Choice) -> tuple[tuple[Expression | None, Facts], ...]:
    return tuple(branches_of(node, NONE_KNOWN))


def _may_be(value: Expression | None, span: Span) -> bool:
    """Whether a value may be within a span, or is NULL, of which no span speaks."""
    low, high, _ = ANY if value is None else _constant(value)
    return low > high or max(low, span[0]) <= min(high, span[1])


# --- calls and casts -----------------------------------------------------------------------------


_ARITHMETIC = frozenset({"least", "greatest", "abs", "floor", "+", "-", "*", "/", "//", "%"})


def _call(node: Call, source: SpanSource, known: Known) -> Span:  # noqa: C901  (a case for each)
    name, arguments = node.name, node.arguments
    if name not in _ARITHMETIC:
        return (-INF, INF, "int") if name in WHOLE else source.other_span(node)
    spans = [span_of(one, source, known) for one in arguments]
    low, high, kind = join(spans)
    if name in ("least", "greatest"):
        ends = [end for end in map(constant, arguments) if end is not None]
        low, high = (low, min([high, *ends])) if name == "least" else (max([low, *ends]), high)
        return ANY if kind is None else (low, high, kind)
    if any(span[2] is None for span in spans):
        return ANY
    if any(span[2] == "date" for span in spans):
        return (-INF, INF, "int") if name == "-" and kind == "date" else ANY
    if any(span[0] > span[1] for span in spans):
        return NOTHING
    if name == "abs":
        return 0, max(-low, high), kind
    if name == "floor":
        return _floor(low), _floor(high), kind
    if name in ("//", "%"):
        value = mean_of(arguments)
        inside = ANY if name == "%" or value is None else span_of(value, source, known)
        return (
            (*scaled(inside, 1), kind) if kind in ("int", "decimal") and name == "//" else (-INF, INF, kind)
        )
    if len(spans) == 1:
        return (-high, -low, kind) if name == "-" and kind in ("int", "decimal") else ANY
    if name == "/" or "double" in (spans[0][2], spans[1][2]):
        one, other = ((_double(span[0]), _double(span[1]), "double") for span in spans)
        low, high = map(_double, _ends(name, one, other))
        finite = all(-INF < end < INF for end in (low, high, *one[:2], *other[:2]))
        return (low, high, "double") if finite else DOUBLES
    return ANY if kind is None else (*_ends(name, spans[0], spans[1]), kind)


def _ends(name: str, one: Span, other: Span) -> tuple[Number, Number]:
    if name == "+":
        return one[0] + other[0], one[1] + other[1]
    if name == "-":
        return one[0] - other[1], one[1] - other[0]
    if name == "/" and (
        other[0] <= 0 <= other[1] or not all(-INF < end < INF for end in (*one[:2], *other[:2]))
    ):
        return -INF, INF
    pairs = [(a, b) for a in one[:2] for b in other[:2]]
    ends = [Fraction(a) / Fraction(b) if name == "/" else times(a, b) for a, b in pairs]
    return min(ends), max(ends)


def scaled(span: Span, most: Number) -> tuple[Number, Number]:
    """The ends of a sum of up to so many numbers."""
    return times(min(span[0], 0), most), times(max(span[1], 0), most)


def times(one: Number, other: Number) -> Number:
    """The product, where nothing is so often as one likes still nothing."""
    return 0 if 0 in (one, other) else one * other


def mean_of(arguments: tuple[Expression, ...]) -> Expression | None:
    """x of sum(x) // count(*): rule `mean`."""
    match tuple(map(ungrouped, arguments)):
        case (AggregateCall("sum", (value,), _, False), AggregateCall("count", (), _, False)):
            return value
    return None


def _floor(end: Number) -> Number:
    return end if isinstance(end, float) else math.floor(end)


def _double(end: Number) -> Number:
    if isinstance(end, float):
        return end
    try:
        return Fraction(float(end))  # rounded to nearest, as an int or Fraction is
    except OverflowError:
        return INF if end > 0 else -INF


def _converted(span: Span, target: SqlType) -> Span:
    """The span after a cast; a value that does not fit is an error, or NULL."""
    low, high, kind = span
    ends = span_of_type(target)
    if low > high or {kind, ends[2]} & {None, "date"} or target.kind == "boolean":
        return NOTHING if low > high else ends
    if ends[2] == "double":
        if kind == "decimal":  # read as ticks / 10^scale, each rounded
            low, high = low - max(low, -low) / 2**51, high + max(high, -high) / 2**51
        return _double(low), _double(high), "double"
    if kind == "double" and target.scale:
        return ends
    one = 10**target.scale
    low = low if isinstance(low, float) else Fraction(math.floor(low * one), one)
    high = high if isinstance(high, float) else Fraction(math.ceil(high * one), one)
    return max(low, ends[0]), min(high, ends[1]), ends[2]
