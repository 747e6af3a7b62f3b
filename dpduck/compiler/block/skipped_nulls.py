"""What NULL counts as in an aggregate of greatest(...) or least(...), which skip it. Pure.

greatest(x, 0) is 0 where x is NULL: the row counts, with 0, where an aggregate of x leaves it out. Whether x
may be NULL is public: constraints and conditions say where it is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from dpduck.compiler.block.null_keys import may_be_null
from dpduck.compiler.block.rows import SourceRows
from dpduck.kernel.catalog.types import parse_number
from dpduck.kernel.plan.aggregates import Aggregate, Axis
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree.nodes import Call, Conversion, Expression, Literal, NullTest
from dpduck.kernel.tree.walk import parts_of, ungrouped

_SKIPPING = {"greatest": max, "least": min}
OTHERS = "another argument"  # which is no constant


def counted_as(request: Aggregate, rows: SourceRows) -> str:
    """What NULL counts as in an aggregate, as text; empty where it is left out, or is none."""
    kept = rows.where(*request.conditions)
    found = [one for root in _arguments(request) for one in _counted_in(root, kept)]
    return " or ".join(dict.fromkeys(found))


def _arguments(request: Aggregate) -> Iterator[Expression]:
    value = getattr(request, "value", None)
    if isinstance(value, Typed):
        yield value.node
    yield from (axis.value.node for axis in getattr(request, "axes", ()) if isinstance(axis, Axis))
    tests = map(ungrouped, request.conditions)
    yield from (test.value for test in tests if isinstance(test, NullTest))


def _counted_in(node: Expression, rows: SourceRows) -> Iterator[str]:
    """Yield what NULL counts as in the outermost calls that skip it."""
    node = ungrouped(node)
    if isinstance(node, Call) and node.name in _SKIPPING:
        if _skips(node, rows):
            instead = _where_null(node, rows)
            yield str(instead.value) if isinstance(instead, Literal) else OTHERS
    else:
        for part in parts_of(node):
            yield from _counted_in(part, rows)


def _skips(node: Expression, rows: SourceRows) -> bool:
    """Whether a call is something where an argument of it, or of one within it, is NULL."""
    node = ungrouped(node)
    if not isinstance(node, Call) or node.name not in _SKIPPING:
        return False
    values = [_where_null(one, rows) for one in node.arguments]
    return (None in values and any(values)) or any(_skips(one, rows) for one in node.arguments)


def _where_null(node: Expression, rows: SourceRows) -> Expression | None:
    """The expression where all that may be NULL is so: a constant, or what is no constant; None for NULL."""
    node = ungrouped(node)
    if isinstance(node, Literal):
        return node if node.value is not None else None
    if isinstance(node, Conversion):
        return _where_null(node.value, rows)
    if not isinstance(node, Call) or node.name not in _SKIPPING:
        return None if may_be_null(node, rows) else node
    values = [one for one in (_where_null(each, rows) for each in node.arguments) if one is not None]
    constants = [one for one in values if isinstance(one, Literal)]
    if len(constants) < len(values):
        return node
    return _SKIPPING[node.name](constants, key=_order, default=None)


def _order(constant: Literal) -> tuple[Fraction, str]:
    """A constant in the order of its type: numbers by size, others by their text."""
    is_number = constant.type.kind in ("integer", "decimal", "float")
    return (parse_number(constant.value) if is_number else None) or Fraction(0), str(constant.value)
