"""JSON in private rows: the text at a constant path, as payload->'net'->>'type' or payload->>'$.net.type'.

DuckDB's functions fail on malformed text, which a column of type VARCHAR may hold, and one of type JSON if it
was written in another way than by a cast. So they see valid text only: the argument itself is NULL where
`json_valid` says no, and no branch is left to the executor. Long texts are NULL as well: a parsed text takes
up to nine times its length, for each of the 2,048 rows that are read together. Measured with 57,000 texts,
half of them malformed, on DuckDB 1.5.5 and 2.0.1 (`tests/trust/test_json.py`).
"""

from __future__ import annotations

import re

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal, unwrap
from dpduck.compiler.private.bounds import Bounds, Ranges
from dpduck.compiler.private.operands import Constant, ExpressionReader, constant_argument
from dpduck.compiler.private.type_rules import BOOLEAN, VARCHAR
from dpduck.kernel.catalog.model import Column, RangeDomain
from dpduck.kernel.catalog.nested import JSON
from dpduck.kernel.catalog.types import parse_number
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import Expression

Step = str | int  # a key of an object, or a place in an array

_KEY = re.compile(r"""\.(?:"([^"\\*]+)"|([^\s."\\*\[\]]+))""")
_PLACE = re.compile(r"\[([0-9]{1,9})\]", re.ASCII)
_UNWRITABLE = re.compile(r'["\\*\0]')
_FORM = "Write payload->>'type', payload->'net'->>'type' or payload->>'$.net.type'."


def text(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate x->>'key', x->>'$.a.b' and json_extract_string(x, path), also of parts x->'key'."""
    document, steps = _path(node)
    value = reader.raw(document)
    is_json = value.type.name == JSON
    if isinstance(value, Constant) or not (is_json or value.type.kind == "text"):
        raise refusal(
            "->> takes JSON or text",
            f"The argument is of type {value.type.name}.",
            "Use a column of type JSON, or of text that is JSON.",
            node,
        )
    valid = _valid(build.converted(value.node, VARCHAR) if is_json else value.node)
    found = build.call("json_extract_string", VARCHAR, valid, build.string(_written(steps)))
    said = _part(value, steps)
    domain = None if said is None or isinstance(said.domain, RangeDomain) else said.domain
    return Typed(found, VARCHAR, domain, column=_named(value, steps))


def part(node: exp.Expr, _: ExpressionReader) -> Typed:
    """Refuse x->'key' as a value: it is JSON, of which only texts are read."""
    raise refusal("a part of JSON is no plain value", "It is JSON itself.", _FORM, node)


def _valid(document: Expression) -> Expression:
    """Return a document where it is valid and short, else NULL."""
    short = build.only_short(document)
    return build.only_where(build.call("json_valid", BOOLEAN, short), short)


def _named(value: Typed, steps: list[Step]) -> tuple[str, str] | None:
    """Return the name under which a part of a column of type JSON can be declared."""
    if value.column is None or value.type.name != JSON or any(isinstance(s, int) or "." in s for s in steps):
        return None
    table, column = value.column
    return table, ".".join((column, *map(str, steps)))


def range_of(node: exp.Expr, ranges: Ranges) -> Bounds | None:
    """Return the declared range of the number at a path."""
    document, steps = _path(node)
    document = unwrap(document)
    value = ranges.columns.resolve(document) if isinstance(document, exp.Column) else None
    found = None if value is None else _part(value, steps)
    domain = None if found is None else found.domain
    if not isinstance(domain, RangeDomain):
        return None
    low, high = parse_number(str(domain.low)), parse_number(str(domain.high))
    return None if low is None or high is None else Bounds(low, high)


def _part(value: Typed, steps: list[Step]) -> Column | None:
    """Return what is declared of a path."""
    return next((part for place, part in value.parts if list(place) == steps), None)


# --- paths ---------------------------------------------------------------------------------------


def _path(node: exp.Expr) -> tuple[exp.Expr, list[Step]]:
    """Return the document, and the steps from it to a value. Errors: UnsupportedSqlError."""
    steps: list[Step] = []
    while isinstance(node, (exp.JSONExtract, exp.JSONExtractScalar)):
        steps = [*_steps(node.args.get("expression"), node), *steps]
        node = unwrap(node.this)
    return node, steps


def _steps(given: exp.Expr | None, node: exp.Expr) -> list[Step]:
    """Return the steps that a constant denotes: a key, a place, or a path that begins with $."""
    value = constant_argument(given, node, "the path into JSON", _FORM).value
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return [value]
    if not isinstance(value, str) or not value or _UNWRITABLE.search(value.replace('"', "")):
        raise _unknown(node)
    if not value.startswith(("$", "/")):
        return _checked([value], node)
    steps, rest = list[Step](), value[1:]
    while rest and value.startswith("$"):
        key, place = _KEY.match(rest), _PLACE.match(rest)
        match = key or place
        if match is None:
            raise _unknown(node)
        steps.append(int(place[1]) if place is not None else (key[1] or key[2]) if key is not None else "")
        rest = rest[match.end() :]
    return _checked(steps or [*rest.split("/")], node)


def _checked(steps: list[Step], node: exp.Expr) -> list[Step]:
    if any(isinstance(step, str) and (not step or _UNWRITABLE.search(step) or "~" in step) for step in steps):
        raise _unknown(node)
    return steps


def _unknown(node: exp.Expr) -> Exception:
    return refusal(
        "this path into JSON is not supported",
        "A path is a key, the number of an element, or $ and such steps, without wildcards.",
        _FORM,
        node,
    )


def _written(steps: list[Step]) -> str:
    """Return a path in DuckDB's form, in which every key is quoted.

    >>> _written(["net", "a.b", 0])
    '$."net"."a.b"[0]'
    """
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f'."{step}"' for step in steps)
