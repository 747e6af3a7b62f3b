"""Shapes of expressions: parts of a whole that a unit's values share, and polynomials."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from dpduck.catalog.model import fold
from dpduck.kernel.check.spans import bare, constant
from dpduck.query.tree.nodes import AggregateCall, Call, ColumnRef, Conversion, Expression, WindowCall
from dpduck.query.tree.walk import columns_in, has_subquery

Polynomial = dict[tuple[Expression, ...], Fraction]  # products of columns, sorted by name, and their factors
_MOST_TERMS = 200


def parts_shared(
    item: Expression, columns: Mapping[str, Expression]
) -> tuple[Expression, Expression, WindowCall, WindowCall] | None:
    """Read (U P // T) - ((U - w) P // T), where U and T are windows of sums and P reads T alone: P, w, U and T."""
    match bare(item):
        case Call(
            "-",
            (
                Call("//", (Call("*", (upto, parts)), total)),
                Call("//", (Call("*", (Call("-", (again, weight)), other_parts)), other_total)),
            ),
        ):
            is_same = upto == again and total == other_total and parts == other_parts
            running, whole = _window(upto, columns), _window(total, columns)
            weighed = _named(weight, columns)
            if is_same and running and whole and weighed and set(columns_in(parts)) <= {bare(total)}:
                return None if has_subquery(parts) else (parts, bare(weighed), running, whole)
    return None


def _named(node: Expression, columns: Mapping[str, Expression]) -> Expression | None:
    node = bare(node)
    return columns.get(fold(node.name)) if isinstance(node, ColumnRef) and not node.path else None


def _window(node: Expression, columns: Mapping[str, Expression]) -> WindowCall | None:
    """The window of a sum that a column is, maybe cast to another whole number."""
    found = _named(node, columns)
    while isinstance(found, Conversion) and found.type.kind == "integer":
        found = bare(found.value)
    is_sum = isinstance(found, WindowCall) and isinstance(found.function, AggregateCall)
    return found if is_sum and found.function.name == "sum" and not found.function.distinct else None


def polynomial(node: Expression) -> Polynomial | None:
    """An expression of +, -, * over columns and constants as a polynomial, if it is one of whole numbers.

    Casts to wider whole numbers are left out; the caller knows that all columns are whole.
    """
    node = bare(node)
    point = constant(node)
    if point is not None:
        return {(): Fraction(point[0])} if point[0] == point[1] and point[2] == "int" else None
    match node:
        case ColumnRef():
            return {(node,): Fraction(1)}
        case Conversion(value, target, False) if target.kind == "integer":
            return polynomial(value)
        case Call("+" | "-" | "*" as name, (left, right)):
            one, other = polynomial(left), polynomial(right)
            if one is None or other is None or len(one) * len(other) > _MOST_TERMS:
                return None
            return _product(one, other) if name == "*" else plus(one, other, 1 if name == "+" else -1)
    return None


def plus(one: Polynomial, other: Polynomial, times: int = 1) -> Polynomial:
    """The sum of two polynomials, of the second so many times."""
    found = dict(one)
    for term, factor in other.items():
        found[term] = found.get(term, Fraction(0)) + times * factor
    return {term: factor for term, factor in found.items() if factor}


def _product(one: Polynomial, other: Polynomial) -> Polynomial:
    found: Polynomial = {}
    for left, a in one.items():
        for right, b in other.items():
            term = tuple(sorted(left + right, key=lambda ref: ref.name))
            found[term] = found.get(term, Fraction(0)) + a * b
    return found
