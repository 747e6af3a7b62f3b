"""Functions of text in Spark SQL.

A text is a row of characters of Unicode in both, compared by its bytes. Upper and lower case are DuckDB's:
its own map of characters, written out.
"""

from __future__ import annotations

from sqlglot import exp

from dpduck.engines.spark.sql.casts import converted
from dpduck.engines.spark.sql.nodes import (
    Ask,
    EngineCall,
    Function,
    Unavailable,
    Value,
    call,
    either,
    number,
    present,
    text,
)
from dpduck.kernel.tree import emit

_SPACES = "".join(map(chr, (0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)))
_MOST_WILDCARDS = 2  # beyond which a pattern may take long on one row
_SPECIAL = frozenset("\\^$.|?*+()[]{}-&~#")


def _constant(called: EngineCall, place: int, what: str) -> str:
    constant = called.arguments[place].constant
    if not constant:
        raise Unavailable(f"{called.name} without {what} that is written out is not available")
    return constant


# --- case ----------------------------------------------------------------------------------------


def _cased(called: EngineCall) -> exp.Expr:
    [value] = called.arguments
    before, after = _case_map(called.name, called.ask)
    return call("translate", value.sql, text(before), text(after))


_maps: dict[str, tuple[str, str]] = {}


def _case_map(name: str, ask: Ask) -> tuple[str, str]:
    """All characters that DuckDB's lower() or upper() changes, and what they become."""
    if name in _maps:
        return _maps[name]
    characters = "".join(chr(code) for code in range(1, 0x110000) if not 0xD800 <= code < 0xE000)
    [[cased]] = ask(f"SELECT system.main.{name}({emit.string(characters)})")
    if len(str(cased)) != len(characters):
        raise Unavailable(f"{name} is not available")
    changed = [(one, other) for one, other in zip(characters, str(cased), strict=True) if one != other]
    _maps[name] = "".join(one for one, _ in changed), "".join(other for _, other in changed)
    return _maps[name]


# --- patterns ------------------------------------------------------------------------------------


def _like(called: EngineCall) -> exp.Expr:
    """In DuckDB a backslash stands for itself."""
    value, pattern = called.sqls[0], called.arguments[1].constant
    if pattern is None:
        raise Unavailable("LIKE without a pattern that is written out is not available")
    if pattern.count("%") > _MOST_WILDCARDS:
        raise Unavailable(f"LIKE with more than {_MOST_WILDCARDS} wildcards % is not available")
    return exp.Paren(this=exp.Like(this=value, expression=text(pattern.replace("\\", "\\\\"))))


def search(called: EngineCall) -> list[exp.Expr]:
    """A text, and another that is written out."""
    return [called.sqls[0], text(_constant(called, 1, "a text"))]


# --- parts ---------------------------------------------------------------------------------------


def _whole(value: Value, least: int) -> exp.Expr:
    """A place or length that is written out."""
    constant = value.constant or ""
    if not constant.isdigit() or int(constant) < least or int(constant) >= 2**31:
        raise Unavailable(f"a place or length below {least}, or not written out, is not available")
    return number(int(constant))


def _substring(called: EngineCall) -> exp.Expr:
    value, start, *length = called.arguments
    return call("substring", value.sql, _whole(start, 1), *(_whole(one, 0) for one in length))


def _left(called: EngineCall) -> exp.Expr:
    value, length = called.arguments
    return call("substring", value.sql, number(1), _whole(length, 0))


def _right(called: EngineCall) -> exp.Expr:
    value, length = called.arguments
    return call("right", value.sql, _whole(length, 0))


def _position(called: EngineCall) -> exp.Expr:
    return converted(call("instr", called.sqls[0], text(_constant(called, 1, "a text"))), "bigint")


def _trim(kind: str) -> Function:
    """Without characters, of all that Unicode calls spaces."""

    def write(called: EngineCall) -> exp.Expr:
        characters = _constant(called, 1, "characters") if len(called.arguments) > 1 else _SPACES
        return exp.Trim(this=called.sqls[0], expression=text(characters), position=kind)

    return write


def _split(called: EngineCall) -> exp.Expr:
    separator = _constant(called, 1, "a separator")
    quoted = "".join("\\" + one if one in _SPECIAL else one for one in separator)
    return call("split", called.sqls[0], text(quoted), number(-1))


def _element(called: EngineCall) -> exp.Expr:
    """NULL where there is none."""
    parts, place = called.arguments
    return call("get", parts.sql, number(int(_whole(place, 1).name) - 1))


# --- joined --------------------------------------------------------------------------------------


def texts(called: EngineCall) -> list[exp.Expr]:
    """Arguments that are all texts."""
    for value in called.arguments:
        if value.type.kind != "text":
            raise Unavailable(f"{called.name} of {value.type.name} is not available")
    return called.sqls


def _joined(called: EngineCall) -> exp.Expr:
    return call("concat", *texts(called))


def _concat(called: EngineCall) -> exp.Expr:
    """Without those that are NULL."""
    parts = [either((present(sql), sql), otherwise=text("")) for sql in texts(called)]
    return call("concat", *parts)


def _replace(called: EngineCall) -> exp.Expr:
    new = called.arguments[2].constant
    if new is None:
        raise Unavailable("replace by what is not written out is not available")
    return call("replace", called.sqls[0], text(_constant(called, 1, "a text")), text(new))


FUNCTIONS: dict[str, Function] = {
    "lower": _cased,
    "upper": _cased,
    "~~": _like,
    "substring": _substring,
    "left": _left,
    "right": _right,
    "strpos": _position,
    "trim": _trim("BOTH"),
    "ltrim": _trim("LEADING"),
    "rtrim": _trim("TRAILING"),
    "string_split": _split,
    "list_extract": _element,
    "||": _joined,
    "concat": _concat,
    "replace": _replace,
}
