"""String functions, of a cost that is bounded by the lengths of the strings and of the query."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.private import domains
from dpduck.compiler.private.casts import cast
from dpduck.compiler.private.operands import (
    Constant,
    ExpressionReader,
    Operand,
    constant_argument,
    constant_of,
    in_type,
    only_argument,
    wrong_type,
)
from dpduck.compiler.private.type_rules import BIGINT, BOOLEAN, NULL, VARCHAR
from dpduck.kernel.catalog.model import Domain
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.nodes import Expression, FirstPresent

MAX_CONSTANT = 1_000  # characters of a constant to search for, or of a replacement
MAX_GROWTH = 20  # bytes that may replace one byte
MAX_JOINED_SQL = 5_000  # characters of a concatenation in SQL, where a column takes at least 5
MAX_POSITION = 2**32 - 1  # DuckDB raises an error for positions beyond it
_HINT = "Convert numbers with CAST(x AS VARCHAR)."

Image = Callable[[str], str | int | bool | None]


def string_argument(reader: ExpressionReader, node: exp.Expr, part: exp.Expr) -> Typed:
    """Return an argument of type VARCHAR. Errors: UnsupportedSqlError for another type."""
    value = reader.operand(part)
    if value.type.kind not in ("text", "null"):
        raise wrong_type(node, value, "text", _HINT)
    return Typed(in_type(value, VARCHAR, node), VARCHAR, value.domain if isinstance(value, Typed) else None)


def string_constant(node: exp.Expr | None, call: exp.Expr, what: str, hint: str) -> str:
    """Return the value of an argument that is a string literal. Errors: UnsupportedSqlError if it is not."""
    value = constant_argument(node, call, what, hint).value
    if not isinstance(value, str) or len(value) > MAX_CONSTANT or "\0" in value:
        raise refusal(f"{what} is a text of up to {MAX_CONSTANT} characters", "It is not.", hint, call)
    return value


def _whole_number(node: exp.Expr, call: exp.Expr) -> int:
    hint = "Write split_part(x, ',', 1)."
    value = constant_argument(node, call, "the number of the part", hint).value
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MAX_POSITION:
        raise refusal("the number of the part is a whole number", "It is not.", hint, call)
    return value


def of_text(name: str, image: Image | None = None) -> Callable[[exp.Expr, ExpressionReader], Typed]:
    """Return the writer of a unary function from VARCHAR to VARCHAR. `image`: the function in Python."""

    def handler(node: exp.Expr, reader: ExpressionReader) -> Typed:
        value = string_argument(reader, node, only_argument(node))
        domain = domains.of_text(value.domain, image) if image is not None else None
        return Typed.of(build.call(name, VARCHAR, value.node), domain)

    return handler


def length_of(name: str) -> Callable[[exp.Expr, ExpressionReader], Typed]:
    """Return the writer of length(x), in characters, or strlen(x), in bytes."""

    def handler(node: exp.Expr, reader: ExpressionReader) -> Typed:
        value = string_argument(reader, node, only_argument(node))
        return Typed.of(build.call(name, BIGINT, value.node), domains.of_text(value.domain, len))

    return handler


_TRIMMERS: dict[str, tuple[str, Callable[[str, str], str]]] = {
    "": ("trim", str.strip),
    "BOTH": ("trim", str.strip),
    "LEADING": ("ltrim", str.lstrip),
    "TRAILING": ("rtrim", str.rstrip),
}


def trim(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate trim(x [, characters]), ltrim and rtrim, where the characters are a constant."""
    name, image = _TRIMMERS[str(node.args.get("position") or "")]
    value = string_argument(reader, node, node.this)
    part = node.args.get("expression")
    if part is None:
        trimmed = build.call(name, VARCHAR, value.node)
        return Typed.of(trimmed, domains.of_text(value.domain, lambda x: image(x, " ")))
    characters = string_constant(part, node, "what is trimmed", "Write trim(x, '/').")
    domain = domains.of_text(value.domain, lambda x: image(x, characters))
    return Typed.of(build.call(name, VARCHAR, value.node, build.string(characters)), domain)


# --- substrings ----------------------------------------------------------------------------------


_Position = tuple[Expression, int | None]
_STRINGS = parse_type("VARCHAR[]")


def substring(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate substr(x, start [, length])."""
    value = string_argument(reader, node, node.this)
    parts = [node.args.get("start"), node.args.get("length")]
    positions = [_position_argument(reader, node, part) for part in parts if part is not None]
    if not positions:
        raise refusal("substr takes a start", "DuckDB has no other form.", "Write substr(x, 1, 3).", node)
    domain = _image(
        value.domain, positions, lambda x, n: domains.substring(x, n[0], n[1] if len(n) > 1 else None)
    )
    x = value.node if _same_in_ascii(positions) else build.call("||", VARCHAR, value.node, build.string(""))
    return Typed.of(build.call("substring", VARCHAR, x, *(position for position, _ in positions)), domain)


def _same_in_ascii(positions: list[_Position]) -> bool:
    """Whether substr gives the same in ASCII columns as in others, for this start and length.

    DuckDB 1.5 has a faster substr for columns whose statistics say ASCII, which reads a position before the
    first character as the first. So one row could change the results of others. x || '' has no statistics.
    """
    return len(positions) == 1 or all(number is not None and number >= 0 for _, number in positions)


def left(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate left(x, n): the first n characters, or all but the last -n."""
    value = string_argument(reader, node, node.this)
    position = _position_argument(reader, node, node.args["expression"])
    domain = _image(value.domain, [position], lambda x, n: x[: n[0]])
    return Typed.of(build.call("left", VARCHAR, value.node, position[0]), domain)


def right(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate right(x, n): the last n characters, or all but the first -n."""
    value = string_argument(reader, node, node.this)
    position = _position_argument(reader, node, node.args["expression"])
    domain = _image(
        value.domain, [position], lambda x, n: x[max(0, len(x) - n[0]) :] if n[0] >= 0 else x[-n[0] :]
    )
    return Typed.of(build.call("right", VARCHAR, value.node, position[0]), domain)


def _position_argument(reader: ExpressionReader, node: exp.Expr, part: exp.Expr) -> _Position:
    """Return a position or length as BIGINT, NULL where DuckDB would fail, and its value if constant."""
    operand = reader.operand(part)
    if (
        isinstance(operand, Constant)
        and isinstance(operand.value, int)
        and abs(operand.value) <= MAX_POSITION
    ):
        return build.literal(operand.value, BIGINT), operand.value
    if operand.type == NULL:
        return build.null(BIGINT), None
    if operand.type.kind != "integer" or isinstance(operand, Constant):
        raise wrong_type(node, operand, "whole numbers of characters", "Write substr(x, 1, 3).")
    if operand.type.name in ("TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT", "UINTEGER"):
        return cast(operand.node, operand.type, BIGINT), None
    position = cast(operand.node, operand.type, BIGINT)
    least, most = build.compared(-MAX_POSITION, BIGINT), build.compared(MAX_POSITION, BIGINT)
    return build.only_where(build.between(position, least, most), position), None


def _image(
    domain: Domain | None, positions: list[_Position], function: Callable[[str, list[int]], str]
) -> Domain | None:
    numbers = [number for _, number in positions if number is not None]
    if len(numbers) < len(positions):
        return None
    return domains.of_text(domain, lambda x: function(x, numbers))


def split_part(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate split_part(x, separator, n), inline: DuckDB's is a macro over names that may be redefined."""
    hint = "Write split_part(x, ',', 1)."
    value = string_argument(reader, node, node.this)
    separator = string_constant(node.args.get("delimiter"), node, "the separator", hint)
    if not separator:
        raise refusal("the separator may not be empty", "It would part single characters.", hint, node)
    number = _whole_number(node.args["part_index"], node)
    pieces = build.call("string_split", _STRINGS, value.node, build.string(separator))
    part = build.call("list_extract", VARCHAR, pieces, build.literal(number, BIGINT))
    domain = domains.of_text(value.domain, lambda x: domains.part_of_text(x, separator, number))
    found = FirstPresent((part, build.string("")), VARCHAR)
    return Typed.of(build.only_where(build.is_present(value.node), found), domain)


def position(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate strpos(x, y), instr(x, y) and position(y IN x) with a constant y: its position in x, or 0."""
    value = string_argument(reader, node, node.this)
    wanted = string_constant(node.args.get("substr"), node, "what is searched", "Write strpos(x, '@').")
    domain = domains.of_text(value.domain, lambda x: x.find(wanted) + 1 if wanted.isascii() else None)
    return Typed.of(build.call("strpos", BIGINT, value.node, build.string(wanted)), domain)


def affix(name: str) -> Callable[[exp.Expr, ExpressionReader], Typed]:
    """Return the writer of starts_with(x, y), ends_with(x, y) or contains(x, y) with a constant y."""

    def handler(node: exp.Expr, reader: ExpressionReader) -> Typed:
        arguments = (
            node.expressions if isinstance(node, exp.Anonymous) else [node.this, node.args["expression"]]
        )
        if len(arguments) != 2:
            raise refusal(
                f"{name} takes two texts", "DuckDB has no other form.", f"Write {name}(x, 'a').", node
            )
        value = string_argument(reader, node, arguments[0])
        wanted = string_constant(arguments[1], node, "what is searched", f"Write {name}(x, 'a').")
        return Typed.of(build.call(name, BOOLEAN, value.node, build.string(wanted)), domains.BOOLEANS)

    return handler


# --- replacement and concatenation ---------------------------------------------------------------


def replace(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate replace(x, from, to) with constants."""
    hint = "Write replace(x, 'a', 'b')."
    value = string_argument(reader, node, node.this)
    old = string_constant(node.args.get("expression"), node, "what is replaced", hint)
    new = string_constant(node.args.get("replacement"), node, "the replacement", hint)
    x = guard_growth(value.node, len(old.encode()), len(new.encode()), node) if old else value.node
    domain = domains.of_text(value.domain, lambda t: t.replace(old, new) if old else t)
    return Typed.of(build.call("replace", VARCHAR, x, build.string(old), build.string(new)), domain)


def guard_growth(x: Expression, old: int, new: int, node: exp.Expr) -> Expression:
    """Replace a long string by NULL, if a replacement may lengthen it.

    Input: the lengths in bytes of the replaced string and of the replacement.
    Errors: UnsupportedSqlError if the result may be more than `MAX_GROWTH` times as long.
    """
    if new <= old:
        return x
    if new > MAX_GROWTH * max(1, old):
        raise refusal(
            "this replacement is too long",
            f"It may be {MAX_GROWTH} times as long as what it replaces; more may take long on one row.",
            "Write a shorter one.",
            node,
        )
    return build.only_where(build.is_short(x), x)


_CASTABLE = ("text", "integer", "decimal", "float", "date", "timestamp", "null")


def _guard_length(part: Operand, text: Expression) -> Expression:
    if isinstance(part, Constant) or part.domain is not None or part.type.kind != "text":
        return text
    return build.only_where(build.is_short(text), text)


def concat_operator(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate x || y: NULL if an operand is NULL, or a string of a row that is too long to be extended."""
    parts = [reader.operand(part) for part in (node.this, node.args["expression"])]
    for part in parts:
        if part.type.kind not in _CASTABLE:
            raise wrong_type(node, part, "text", "Write CASE WHEN x THEN 'yes' ELSE 'no' END.")
    if any(part.type == NULL for part in parts):
        return Typed.of(build.null(VARCHAR))
    texts = [_guard_length(part, in_type(_as_string(part), VARCHAR, node)) for part in parts]
    return Typed.of(_bounded(build.call("||", VARCHAR, *texts), node), _concat_domain(parts))


def _bounded(texts: Expression, node: exp.Expr) -> Expression:
    """Return a concatenation. Errors: UnsupportedSqlError if it may repeat a string of the row very often."""
    if len(sql(texts)) <= MAX_JOINED_SQL:
        return texts
    raise refusal(
        "too much text is put together",
        f"Written out it may have {MAX_JOINED_SQL:,} characters, so that no text of a row is repeated very "
        "often, which would take long on that row.",
        "Join fewer texts.",
        node,
    )


def _as_string(part: Operand) -> Operand:
    """Cast a constant number or date to VARCHAR, as DuckDB formats it; other operands are unchanged."""
    if isinstance(part, Typed) or part.value is None or isinstance(part.value, str):
        return part
    return Typed.of(build.converted(in_type(part, part.type), VARCHAR))


def _concat_domain(parts: list[Operand]) -> Domain | None:
    first, second = parts
    if isinstance(first, Typed) and isinstance(second, Constant) and isinstance(second.value, str):
        suffix = second.value
        return _mapped_strings(first, lambda x: x + suffix)
    if isinstance(second, Typed) and isinstance(first, Constant) and isinstance(first.value, str):
        prefix = first.value
        return _mapped_strings(second, lambda x: prefix + x)
    return None


def _mapped_strings(value: Typed, function: Callable[[str], str]) -> Domain | None:
    if value.type.kind != "text":
        return None
    return domains.mapped(value.domain, lambda x: function(x) if isinstance(x, str) else None)


def concat(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate concat(x, y, ...), which ignores NULL."""
    whole = build.call("concat", VARCHAR, *_texts(node, reader, node.expressions))
    return Typed.of(_bounded(whole, node))


def concat_ws(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate concat_ws(separator, x, y, ...), which ignores NULL."""
    separator, *parts = node.expressions
    hint = "Write concat_ws('-', x, y)."
    if constant_of(separator) is None or not parts:
        raise refusal("concat_ws takes a constant and texts", "The first one joins them.", hint, node)
    joiner = string_constant(separator, node, "the separator", hint)
    whole = build.call("concat_ws", VARCHAR, build.string(joiner), *_texts(node, reader, parts))
    return Typed.of(_bounded(whole, node))


def _texts(node: exp.Expr, reader: ExpressionReader, parts: list[exp.Expr]) -> list[Expression]:
    values = [reader.operand(part) for part in parts]
    for value in values:
        if value.type.kind not in (*_CASTABLE, "boolean"):
            raise wrong_type(node, value, "text", _HINT)
    return [in_type(_as_string(value), VARCHAR, node) for value in values]
