"""Functions of text, of a cost that is bounded by the length of the text and of the query."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpduck.catalog.model import Domain
from dpduck.catalog.types import parse_type
from dpduck.query.parse.nodes import refusal
from dpduck.query.private import domains
from dpduck.query.private.casts import cast
from dpduck.query.private.operands import (
    Constant,
    ExpressionReader,
    Operand,
    constant_argument,
    constant_of,
    in_type,
    only_argument,
    wrong_type,
)
from dpduck.query.private.type_rules import BIGINT, BOOLEAN, NULL, VARCHAR
from dpduck.query.tree import build
from dpduck.query.tree.duckdb import sql
from dpduck.query.tree.nodes import Expression, FirstPresent
from dpduck.query.write.expression import Typed

MAX_CONSTANT = 1_000  # characters of a constant that text is searched for, or replaced by
MAX_GROWTH = 20  # bytes that may stand for one
MAX_JOINED_SQL = 5_000  # characters of SQL that puts texts together: a column takes at least 5
MAX_PLACE = 2**32 - 1  # DuckDB raises an error for places beyond it
_HINT = "Convert numbers with CAST(x AS VARCHAR)."

Image = Callable[[str], str | int | bool | None]


def text(reader: ExpressionReader, node: exp.Expr, part: exp.Expr) -> Typed:
    """An argument that is text. Errors: UnsupportedSqlError."""
    value = reader.operand(part)
    if value.type.kind not in ("text", "null"):
        raise wrong_type(node, value, "text", _HINT)
    return Typed(in_type(value, VARCHAR, node), VARCHAR, value.domain if isinstance(value, Typed) else None)


def text_constant(node: exp.Expr | None, call: exp.Expr, what: str, hint: str) -> str:
    """An argument that is text written out."""
    value = constant_argument(node, call, what, hint).value
    if not isinstance(value, str) or len(value) > MAX_CONSTANT or "\0" in value:
        raise refusal(f"{what} is a text of up to {MAX_CONSTANT} characters", "It is not.", hint, call)
    return value


def _whole_number(node: exp.Expr, call: exp.Expr) -> int:
    hint = "Write split_part(x, ',', 1)."
    value = constant_argument(node, call, "the number of the part", hint).value
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MAX_PLACE:
        raise refusal("the number of the part is a whole number", "It is not.", hint, call)
    return value


def of_text(name: str, image: Image | None = None) -> Callable[[exp.Expr, ExpressionReader], Typed]:
    """A function from text to text."""

    def handler(node: exp.Expr, reader: ExpressionReader) -> Typed:
        value = text(reader, node, only_argument(node))
        domain = domains.of_text(value.domain, image) if image is not None else None
        return Typed.of(build.call(name, VARCHAR, value.node), domain)

    return handler


def length_of(name: str) -> Callable[[exp.Expr, ExpressionReader], Typed]:
    """length(x) in characters, strlen(x) in bytes."""

    def handler(node: exp.Expr, reader: ExpressionReader) -> Typed:
        value = text(reader, node, only_argument(node))
        return Typed.of(build.call(name, BIGINT, value.node), domains.of_text(value.domain, len))

    return handler


_TRIMMERS: dict[str, tuple[str, Callable[[str, str], str]]] = {
    "": ("trim", str.strip),
    "BOTH": ("trim", str.strip),
    "LEADING": ("ltrim", str.lstrip),
    "TRAILING": ("rtrim", str.rstrip),
}


def trim(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """trim(x), ltrim(x), rtrim(x), each with constant characters after x if wanted."""
    name, image = _TRIMMERS[str(node.args.get("position") or "")]
    value = text(reader, node, node.this)
    part = node.args.get("expression")
    if part is None:
        trimmed = build.call(name, VARCHAR, value.node)
        return Typed.of(trimmed, domains.of_text(value.domain, lambda x: image(x, " ")))
    characters = text_constant(part, node, "what is trimmed", "Write trim(x, '/').")
    domain = domains.of_text(value.domain, lambda x: image(x, characters))
    return Typed.of(build.call(name, VARCHAR, value.node, build.string(characters)), domain)


# --- parts of a text -----------------------------------------------------------------------------


_Place = tuple[Expression, int | None]
_TEXTS = parse_type("VARCHAR[]")


def substring(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """substr(x, start), substr(x, start, length)."""
    value = text(reader, node, node.this)
    parts = [node.args.get("start"), node.args.get("length")]
    places = [_place(reader, node, part) for part in parts if part is not None]
    if not places:
        raise refusal("substr takes a start", "DuckDB has no other form.", "Write substr(x, 1, 3).", node)
    domain = _image(
        value.domain, places, lambda x, n: domains.substring(x, n[0], n[1] if len(n) > 1 else None)
    )
    x = value.node if _is_plain(places) else build.call("||", VARCHAR, value.node, build.string(""))
    return Typed.of(build.call("substring", VARCHAR, x, *(place for place, _ in places)), domain)


def _is_plain(places: list[_Place]) -> bool:
    """Whether a start and length mean the same in ASCII and other columns.

    DuckDB 1.5 has a faster substring for columns that it knows to be ASCII, which counts from before the
    text as from its beginning. Then one row would change what others give; of x || '' it knows nothing.
    """
    return len(places) == 1 or all(number is not None and number >= 0 for _, number in places)


def left(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """left(x, n): the first n characters, or all but the last -n."""
    value, place = text(reader, node, node.this), _place(reader, node, node.args["expression"])
    domain = _image(value.domain, [place], lambda x, n: x[: n[0]])
    return Typed.of(build.call("left", VARCHAR, value.node, place[0]), domain)


def right(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """right(x, n): the last n characters, or all but the first -n."""
    value, place = text(reader, node, node.this), _place(reader, node, node.args["expression"])
    domain = _image(
        value.domain, [place], lambda x, n: x[max(0, len(x) - n[0]) :] if n[0] >= 0 else x[-n[0] :]
    )
    return Typed.of(build.call("right", VARCHAR, value.node, place[0]), domain)


def _place(reader: ExpressionReader, node: exp.Expr, part: exp.Expr) -> _Place:
    """A place or length as BIGINT, and its value if it is a constant; NULL where DuckDB would fail."""
    operand = reader.operand(part)
    if isinstance(operand, Constant) and isinstance(operand.value, int) and abs(operand.value) <= MAX_PLACE:
        return build.literal(operand.value, BIGINT), operand.value
    if operand.type == NULL:
        return build.null(BIGINT), None
    if operand.type.kind != "integer" or isinstance(operand, Constant):
        raise wrong_type(node, operand, "whole numbers of characters", "Write substr(x, 1, 3).")
    if operand.type.name in ("TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT", "UINTEGER"):
        return cast(operand.node, operand.type, BIGINT), None
    place = cast(operand.node, operand.type, BIGINT)
    least, most = build.compared(-MAX_PLACE, BIGINT), build.compared(MAX_PLACE, BIGINT)
    return build.only_where(build.between(place, least, most), place), None


def _image(
    domain: Domain | None, places: list[_Place], function: Callable[[str, list[int]], str]
) -> Domain | None:
    numbers = [number for _, number in places if number is not None]
    if len(numbers) < len(places):
        return None
    return domains.of_text(domain, lambda x: function(x, numbers))


def split_part(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """split_part(x, separator, n), spelled out: DuckDB's own is a macro over names that may be redefined."""
    hint = "Write split_part(x, ',', 1)."
    value = text(reader, node, node.this)
    separator = text_constant(node.args.get("delimiter"), node, "the separator", hint)
    if not separator:
        raise refusal("the separator may not be empty", "It would part single characters.", hint, node)
    number = _whole_number(node.args["part_index"], node)
    pieces = build.call("string_split", _TEXTS, value.node, build.string(separator))
    part = build.call("list_extract", VARCHAR, pieces, build.literal(number, BIGINT))
    domain = domains.of_text(value.domain, lambda x: domains.part_of_text(x, separator, number))
    found = FirstPresent((part, build.string("")), VARCHAR)
    return Typed.of(build.only_where(build.is_present(value.node), found), domain)


def position(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """strpos(x, y), instr(x, y), position(y IN x): the place of the constant y in x, or 0."""
    value = text(reader, node, node.this)
    wanted = text_constant(node.args.get("substr"), node, "what is searched", "Write strpos(x, '@').")
    domain = domains.of_text(value.domain, lambda x: x.find(wanted) + 1 if wanted.isascii() else None)
    return Typed.of(build.call("strpos", BIGINT, value.node, build.string(wanted)), domain)


def affix(name: str) -> Callable[[exp.Expr, ExpressionReader], Typed]:
    """starts_with(x, y), ends_with(x, y), contains(x, y) with a constant y."""

    def handler(node: exp.Expr, reader: ExpressionReader) -> Typed:
        arguments = (
            node.expressions if isinstance(node, exp.Anonymous) else [node.this, node.args["expression"]]
        )
        if len(arguments) != 2:
            raise refusal(
                f"{name} takes two texts", "DuckDB has no other form.", f"Write {name}(x, 'a').", node
            )
        value = text(reader, node, arguments[0])
        wanted = text_constant(arguments[1], node, "what is searched", f"Write {name}(x, 'a').")
        return Typed.of(build.call(name, BOOLEAN, value.node, build.string(wanted)), domains.BOOLEANS)

    return handler


# --- texts put together --------------------------------------------------------------------------


def replace(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """replace(x, from, to) with constants."""
    hint = "Write replace(x, 'a', 'b')."
    value = text(reader, node, node.this)
    old = text_constant(node.args.get("expression"), node, "what is replaced", hint)
    new = text_constant(node.args.get("replacement"), node, "the replacement", hint)
    x = growing(value.node, len(old.encode()), len(new.encode()), node) if old else value.node
    domain = domains.of_text(value.domain, lambda t: t.replace(old, new) if old else t)
    return Typed.of(build.call("replace", VARCHAR, x, build.string(old), build.string(new)), domain)


def growing(x: Expression, old: int, new: int, node: exp.Expr) -> Expression:
    """The text, cut off from function calls that would make it much longer: then it is NULL.

    Input: the lengths in bytes of what is replaced and of its replacement.
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


_WRITABLE = ("text", "integer", "decimal", "float", "date", "timestamp", "null")


def _short(part: Operand, text: Expression) -> Expression:
    if isinstance(part, Constant) or part.domain is not None or part.type.kind != "text":
        return text
    return build.only_where(build.is_short(text), text)


def joined(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """x || y: NULL if one of them is, or is longer than a text that is made longer may be."""
    parts = [reader.operand(part) for part in (node.this, node.args["expression"])]
    for part in parts:
        if part.type.kind not in _WRITABLE:
            raise wrong_type(node, part, "text", "Write CASE WHEN x THEN 'yes' ELSE 'no' END.")
    if any(part.type == NULL for part in parts):
        return Typed.of(build.null(VARCHAR))
    texts = [_short(part, in_type(_as_text(part), VARCHAR, node)) for part in parts]
    return Typed.of(_bounded(build.call("||", VARCHAR, *texts), node), _joined_domain(parts))


def _bounded(texts: Expression, node: exp.Expr) -> Expression:
    """Texts put together, refused where one text of the row may stand in them very often."""
    if len(sql(texts)) <= MAX_JOINED_SQL:
        return texts
    raise refusal(
        "too much text is put together",
        f"Written out it may have {MAX_JOINED_SQL:,} characters, so that no text of a row is repeated very "
        "often, which would take long on that row.",
        "Join fewer texts.",
        node,
    )


def _as_text(part: Operand) -> Operand:
    """A constant number or date beside text, written as DuckDB writes it."""
    if isinstance(part, Typed) or part.value is None or isinstance(part.value, str):
        return part
    return Typed.of(build.converted(in_type(part, part.type), VARCHAR))


def _joined_domain(parts: list[Operand]) -> Domain | None:
    first, second = parts
    if isinstance(first, Typed) and isinstance(second, Constant) and isinstance(second.value, str):
        suffix = second.value
        return _of_any_text(first, lambda x: x + suffix)
    if isinstance(second, Typed) and isinstance(first, Constant) and isinstance(first.value, str):
        prefix = first.value
        return _of_any_text(second, lambda x: prefix + x)
    return None


def _of_any_text(value: Typed, function: Callable[[str], str]) -> Domain | None:
    if value.type.kind != "text":
        return None
    return domains.mapped(value.domain, lambda x: function(x) if isinstance(x, str) else None)


def concat(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """concat(x, y, ...), which passes over NULL."""
    whole = build.call("concat", VARCHAR, *_texts(node, reader, node.expressions))
    return Typed.of(_bounded(whole, node))


def concat_ws(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """concat_ws(separator, x, y, ...), which passes over NULL."""
    separator, *parts = node.expressions
    hint = "Write concat_ws('-', x, y)."
    if constant_of(separator) is None or not parts:
        raise refusal("concat_ws takes a constant and texts", "The first one joins them.", hint, node)
    joiner = text_constant(separator, node, "the separator", hint)
    whole = build.call("concat_ws", VARCHAR, build.string(joiner), *_texts(node, reader, parts))
    return Typed.of(_bounded(whole, node))


def _texts(node: exp.Expr, reader: ExpressionReader, parts: list[exp.Expr]) -> list[Expression]:
    values = [reader.operand(part) for part in parts]
    for value in values:
        if value.type.kind not in (*_WRITABLE, "boolean"):
            raise wrong_type(node, value, "text", _HINT)
    return [in_type(_as_text(value), VARCHAR, node) for value in values]
