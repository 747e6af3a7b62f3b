"""Replaces parameters by literals on the parsed tree, before validation, so the validator sees what runs.

A parameter's value is never parsed as SQL text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import TypeGuard

from sqlglot import exp

from dpduck.compiler.parse.any_array import listed_tree
from dpduck.compiler.parse.nodes import PLACE
from dpduck.compiler.parse.tool_forms import plain_tree
from dpduck.kernel.catalog.types import parse_moment
from dpduck.kernel.errors import ParameterError

MAX_TEXT = 1_000_000  # characters: room for a domain of some ten thousand values
MAX_PARAMETERS = 1_000
MAX_BITS = 160  # of an integer: wider than any SQL type

# NUL terminates a string for some readers; a lone surrogate is not a character and cannot be encoded.
UNWRITABLE = re.compile("[\0\ud800-\udfff]")

Single = int | Decimal | float | str | bool | date | datetime | None
Parameter = Single | Sequence[Single]
Parameters = Sequence[Parameter] | Mapping[str, Parameter] | None


def bind_tree(tree: exp.Query, parameters: Parameters) -> exp.Query:
    """Return a copy of the tree in which each parameter (?, $1 or $name) is a literal of its value.

    Input: a sequence for ? and $1, a mapping for $name. Every value must be used.
        A list is accepted for `x = ANY ($1)`.
    Errors: ParameterError.
    """
    if parameters is None and tree.find(exp.Placeholder) is None:
        return listed_tree(plain_tree(tree))
    bound = tree.copy()
    holders = list(bound.find_all(exp.Placeholder))
    labels = _labels(holders)
    values = _named_values([str(holder.args.get("this") or "") for holder in holders], labels, parameters)
    for holder, label in zip(holders, labels, strict=True):
        value = values[label]
        holder.replace(_list(value, label) if _is_list(value, holder) else _literal(value, label))
    return listed_tree(plain_tree(bound))


def _labels(holders: Sequence[exp.Placeholder]) -> list[str]:
    """Return the name of each parameter; of a ? its number in the order of the text, not of the tree."""
    places = sorted({holder.meta[PLACE] for holder in holders if not holder.args.get("this")})
    return [str(holder.args.get("this") or places.index(holder.meta[PLACE]) + 1) for holder in holders]


def _named_values(
    names: Sequence[str], labels: Sequence[str], parameters: Parameters
) -> dict[str, Parameter]:
    wanted = set(labels)
    if any(names) and not all(names):
        raise ParameterError(
            "? and $1 cannot be mixed in one statement", hint="Write $1, $2, ... throughout."
        )
    given = _given_values(parameters)
    if wanted != set(given):
        raise ParameterError(
            f"the statement takes {_listed(wanted)} but was given {_listed(set(given))}",
            hint="Pass one value for each parameter.",
        )
    return given


def _given_values(parameters: Parameters) -> dict[str, Parameter]:
    if parameters is None:
        return {}
    if isinstance(parameters, (str, bytes)) or not isinstance(parameters, (Sequence, Mapping)):
        raise ParameterError("parameters must be a list or a dict", hint="Pass [value] or {'name': value}.")
    if len(parameters) > MAX_PARAMETERS:
        raise ParameterError(f"more than {MAX_PARAMETERS} parameters")
    if isinstance(parameters, Mapping):
        return {str(name): value for name, value in parameters.items()}
    return {str(number + 1): value for number, value in enumerate(parameters)}


def _listed(names: set[str]) -> str:
    if not names:
        return "no parameters"
    return f"the parameters {', '.join(sorted(names)[:10])}"


def _is_list(value: object, holder: exp.Placeholder) -> TypeGuard[Sequence[object]]:
    """Whether the value is a list and the placeholder stands where a list is allowed."""
    around = holder.find_ancestor(exp.Any, exp.All, exp.Anonymous, exp.Binary, exp.In)
    return isinstance(value, (list, tuple)) and isinstance(around, (exp.Any, exp.All, exp.Anonymous))


def _list(values: Sequence[object], name: str) -> exp.Expr:
    """Return the ARRAY literal of a list parameter, for `x = ANY ($1)`."""
    if len(values) > MAX_PARAMETERS:
        raise ParameterError(f"parameter {name} holds more than {MAX_PARAMETERS} values")
    return exp.Array(expressions=[_literal(value, name) for value in values])


def _literal(value: object, name: str) -> exp.Expr:
    if value is None:
        return exp.Null()
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, (int, float, Decimal)):
        return _number_literal(value, name)
    if isinstance(value, str) and not UNWRITABLE.search(value) and len(value) <= MAX_TEXT:
        return exp.Literal.string(value)
    if isinstance(value, datetime) and (moment := parse_moment(value)) is not None:
        text = moment.isoformat(" ")
        if value.tzinfo is None:
            return exp.cast(exp.Literal.string(text), exp.DType.TIMESTAMP)
        return exp.cast(exp.Literal.string(f"{text}+00"), exp.DType.TIMESTAMPTZ)
    if isinstance(value, date) and not isinstance(value, datetime):
        return exp.Cast(this=exp.Literal.string(value.isoformat()), to=exp.DataType(this=exp.DType.DATE))
    raise ParameterError(
        f"parameter {name} has an unsupported type or value",
        detail="It may be an int, Decimal, finite float, str, bool, date, datetime, or None.",
    )


def _number_literal(value: int | float | Decimal, name: str) -> exp.Expr:
    if (isinstance(value, int) and value.bit_length() > MAX_BITS) or not math.isfinite(value):
        raise ParameterError(f"parameter {name} is not a finite number of at most {MAX_BITS} bits")
    magnitude = value.copy_abs() if isinstance(value, Decimal) else abs(value)  # abs() rounds a Decimal
    text = repr(magnitude) if isinstance(magnitude, float) else str(magnitude)
    literal = exp.Literal.number(text)
    return exp.Neg(this=literal) if value < 0 else literal
