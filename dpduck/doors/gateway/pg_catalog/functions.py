"""Function calls: translated to one of dpduck's macros or DuckDB's listed functions, or refused."""

from __future__ import annotations

import re

from sqlglot import exp

from dpduck.doors.gateway.pg_catalog.nodes import builtin, call, cast, literal, unwrap
from dpduck.doors.gateway.pg_catalog.vocabulary import (
    BUILTINS,
    SERIES,
    STRUCT_SERIES,
    TEXT,
    VECTORS,
    Vocabulary,
)
from dpduck.doors.gateway.planner_settings import planner_settings
from dpduck.kernel.errors import UnknownNameError, UnsupportedSqlError

_PLAIN = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_VECTOR_CALLS = {
    "array_lower": "vector_lower",
    "array_upper": "vector_upper",
    "generate_subscripts": "vector_subscripts",
}
_OWN_SERIES = {"series": "generate_series", "vector_subscripts": "generate_subscripts"}
_IDLE = {"jit", "geqo", *planner_settings()}  # settings that change nothing here
_FORMAT_PART = re.compile(r"%(?:[1-9]\$)?([sIL%])")


def rewrite_call(node: exp.Anonymous, vocabulary: Vocabulary) -> exp.Expr:
    """Translate a call to DuckDB. Errors: UnknownNameError, UnsupportedSqlError."""
    name = str(node.name).lower()
    if name == "all":
        return node  # part of a comparison, which translates it
    made = _made(name, node, vocabulary)
    if name in (*SERIES, *STRUCT_SERIES) and not _in_from(node):
        return made if name == "unnest" else builtin("unnest", made)
    return made


def _made(name: str, node: exp.Anonymous, vocabulary: Vocabulary) -> exp.Expr:
    arguments = list(node.expressions)
    if name == "format":
        return _format(arguments)
    if name == "set_config":
        _check_set_config(arguments)
    if name == "unnest":
        return builtin("unnest", *arguments)
    if name == "generate_series":
        if len(arguments) == 3 and arguments[2] == exp.Literal.number(1):
            arguments = arguments[:2]
        if len(arguments) != 2:
            raise UnsupportedSqlError("generate_series takes two numbers in a catalog query")
        return call("own", "series", *arguments)
    if name in _VECTOR_CALLS and arguments and _is_vector(arguments[0], vocabulary):
        return call("own", _VECTOR_CALLS[name], *arguments)
    return _listed(name, arguments, vocabulary)


def _listed(name: str, arguments: list[exp.Expr], vocabulary: Vocabulary) -> exp.Expr:
    for schema in ("pg", "info"):
        if name in vocabulary.macros[schema]:
            return call(schema, name, *arguments)
    if name in BUILTINS:
        return builtin(BUILTINS[name], *arguments)
    said = f"function {name}" if _PLAIN.fullmatch(name) else "this function"
    raise UnknownNameError(f"{said} is not supported in a catalog query")


def _check_set_config(arguments: list[exp.Expr]) -> None:
    """A query sets nothing: what matters to answers is for SET. Errors: UnsupportedSqlError."""
    constants = [unwrap(item) for item in arguments[:2]]
    name, value = (str(item.this).lower() if isinstance(item, exp.Literal) else "" for item in constants)
    if name not in _IDLE and (name, value) != ("bytea_output", "hex"):
        raise UnsupportedSqlError(
            "set_config sets nothing here", hint="Write SET name = value, or SET LOCAL name = value."
        )


def _is_vector(node: exp.Expr, vocabulary: Vocabulary) -> bool:
    node = unwrap(node)
    return isinstance(node, exp.Column) and vocabulary.declared.get(node.name) in VECTORS


def _in_from(node: exp.Expr) -> bool:
    parent = node.parent
    if isinstance(parent, exp.Dot) and isinstance(parent.this, exp.Identifier):
        parent = parent.parent
    return isinstance(parent, (exp.Table, exp.Lateral))


def _format(arguments: list[exp.Expr]) -> exp.Expr:
    """Translate format('%s.%I', a, b) to a concatenation."""
    first = unwrap(arguments[0]) if arguments else None
    if not isinstance(first, exp.Literal) or not first.is_string:
        raise UnsupportedSqlError("format takes a literal pattern in a catalog query")
    parts: list[exp.Expr] = []
    values, place, text = arguments[1:], 0, str(first.this)
    for match in _FORMAT_PART.finditer(text):
        parts.append(literal(text[place : match.start()]))
        place = match.end()
        if match[1] == "%":
            parts.append(literal("%"))
        elif not values:
            raise UnsupportedSqlError("format has too few arguments")
        else:
            parts.append(_formatted(match[1], values.pop(0)))
    return builtin("concat", *parts, literal(text[place:]))


def _formatted(kind: str, value: exp.Expr) -> exp.Expr:
    if kind == "s":
        return value
    return call("pg", "quote_ident" if kind == "I" else "quote_nullable", cast(value, TEXT))


def rewrite_from_call(node: exp.Expr, table: exp.Expr) -> exp.Expr:
    """Translate a function in FROM, whose call is already translated, to a table.

    Input: the node with the alias, and the table with the call.
    """
    function = table.this
    if isinstance(function, exp.Unnest):
        return rewrite_unnest(function, node)
    if not isinstance(function, (exp.Anonymous, exp.Dot)):
        raise UnsupportedSqlError("this table is not supported in a catalog query")
    alias = node.args.get("alias")
    own = function.expression if isinstance(function, exp.Dot) else function
    name = _OWN_SERIES.get(own.name, str(own.name).lower())
    shown = alias.name if alias is not None and alias.name else name
    columns = [] if alias is None else list(alias.args.get("columns") or [])
    ordinality = bool(table.args.get("ordinality"))
    if name in SERIES:
        return _unnested(function, shown, columns, ordinality=ordinality)
    if ordinality:
        raise UnsupportedSqlError("WITH ORDINALITY goes with unnest in a catalog query")
    item: exp.Expr = exp.Alias(this=function, alias=exp.to_identifier(shown, quoted=True))
    if name in STRUCT_SERIES:
        recursive = exp.PropertyEQ(this=exp.to_identifier("recursive"), expression=exp.true())
        item = builtin("unnest", function, recursive)
    alias = exp.TableAlias(this=exp.to_identifier(shown, quoted=True), columns=columns)
    return exp.Subquery(this=exp.Select(expressions=[item]), alias=alias)


def rewrite_unnest(function: exp.Expr, node: exp.Expr) -> exp.Expr:
    """Translate unnest(list) [WITH ORDINALITY] in FROM. Input: the call, and the node with the alias."""
    alias = node.args.get("alias") or function.args.get("alias")
    offset = function.args.get("offset")
    columns = [] if alias is None else list(alias.args.get("columns") or [])
    if isinstance(offset, exp.Identifier) and columns:
        columns.append(offset)
    if isinstance(offset, exp.Identifier) and alias is None:
        raise UnsupportedSqlError("WITH ORDINALITY needs an alias in a catalog query")
    shown = "unnest" if alias is None or not alias.name else alias.name
    if len(function.expressions) > 1:
        return _together(function.expressions, shown, columns, ordinality=bool(offset))
    return _unnested(builtin("unnest", *function.expressions), shown, columns, ordinality=bool(offset))


def _together(lists: list[exp.Expr], shown: str, columns: list[exp.Expr], *, ordinality: bool) -> exp.Expr:
    """Translate unnest(a, b): a derived table with a column for each list, as long as the longest."""
    items = [builtin("unnest", one) for one in lists]
    if ordinality:
        longest = builtin("greatest", *(builtin("len", one.copy()) for one in lists))
        items.append(builtin("unnest", builtin("generate_series", exp.Literal.number(1), longest)))
    alias = exp.TableAlias(this=exp.to_identifier(shown, quoted=True), columns=columns)
    return exp.Lateral(this=exp.Subquery(this=exp.Select(expressions=items)), alias=alias)


def _unnested(function: exp.Expr, shown: str, columns: list[exp.Expr], *, ordinality: bool) -> exp.Expr:
    if not columns:
        columns = [exp.to_identifier(shown, quoted=True)]
    if ordinality and len(columns) == 1:
        columns.append(exp.to_identifier("ordinality", quoted=True))
    if not (isinstance(function, exp.Anonymous) and function.name == "unnest"):
        function = exp.Anonymous(this="unnest", expressions=[function])
    alias = exp.TableAlias(this=exp.to_identifier(shown, quoted=True), columns=columns)
    return exp.Table(this=function, alias=alias, ordinality=ordinality or None)
