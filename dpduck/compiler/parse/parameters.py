"""Infers the types of a query's parameters ($1, ?) from what they are compared with, without their values.

A client asks for them when it prepares a statement. They are for its information only: every value is
bound as a typed literal and passes the validator.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from dpduck.compiler.parse.bind import MAX_PARAMETERS
from dpduck.compiler.parse.statements import Select, parse
from dpduck.kernel.catalog.model import Catalog, Column, RangeDomain, fold
from dpduck.kernel.catalog.types import Value
from dpduck.kernel.errors import ParameterError, UnknownNameError

_TEXT, _WHOLE, _REAL = "VARCHAR", "BIGINT", "DOUBLE"
_TYPE_OF_FUNCTION = {
    exp.Count: _WHOLE,
    exp.Extract: _WHOLE,
    exp.Year: _WHOLE,
    exp.Month: _WHOLE,
    exp.Day: _WHOLE,
    exp.Length: _WHOLE,
    exp.DateTrunc: "TIMESTAMP",
    exp.TimestampTrunc: "TIMESTAMP",
    exp.Avg: _REAL,
    exp.Sum: _REAL,
    exp.Boolean: "BOOLEAN",
}
_THROUGH = (exp.Paren, exp.Neg, exp.Tuple, exp.Any)
_ALIKE = (exp.Predicate, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.IntDiv)


@dataclass(frozen=True)
class ParameterType:
    """The inferred type of a parameter: a DuckDB type, and a public example value if the catalog has one."""

    type: str
    example: Value | None = None


def parameters_of(text: str, catalog: Catalog) -> tuple[ParameterType, ...]:
    """Return the types of a query's parameters, $1 first; VARCHAR for a type that cannot be inferred.

    A statement that is not a query has no parameters.
    Errors: as of `parse`; ParameterError for a number above `MAX_PARAMETERS`.
    """
    statement = parse(text)
    if not isinstance(statement, Select):
        return ()
    tree = statement.expression
    found: dict[int, ParameterType] = {}
    for position, holder in enumerate(tree.find_all(exp.Placeholder), 1):
        name = str(holder.args.get("this") or position)
        number = _number(name)
        if number and found.get(number, _text()).type == _TEXT:
            found[number] = _type_of(holder, tree, catalog)
    return tuple(found.get(number, ParameterType(_TEXT)) for number in range(1, max(found, default=0) + 1))


def _number(name: str) -> int:
    """Return the number of a parameter; 0 if it has a name instead. Errors: ParameterError."""
    if not name.isdecimal():
        return 0
    if len(name) > len(str(MAX_PARAMETERS)) or int(name) > MAX_PARAMETERS:
        raise ParameterError(f"there are at most {MAX_PARAMETERS} parameters", hint="Count them from $1 on.")
    return int(name)


def _type_of(node: exp.Expr, tree: exp.Query, catalog: Catalog) -> ParameterType:
    parent = node.parent
    if isinstance(parent, _THROUGH):
        inner = _type_of(parent, tree, catalog)
        return ParameterType(f"{inner.type}[]", None) if isinstance(parent, exp.Any) else inner
    if isinstance(parent, (exp.Limit, exp.Offset)):
        return ParameterType(_WHOLE, 1)
    if isinstance(parent, exp.Cast):
        return ParameterType(_type_name(parent.to))
    if isinstance(parent, _ALIKE):
        found = (_of(other, tree, catalog) for other in _others(parent, node))
        return next((known for known in found if known is not None), _text())
    return _text()


def _type_name(kind: exp.DataType) -> str:
    """Return the name that DuckDB displays for a type."""
    name = kind.sql("duckdb")
    return {"INT": "INTEGER", "TEXT": _TEXT, "REAL": "FLOAT"}.get(name, name)


def _text() -> ParameterType:
    return ParameterType(_TEXT)


def _others(parent: exp.Expr, node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the other operands of the node's parent."""
    return (child for child in parent.iter_expressions() if child is not node)


def _of(node: exp.Expr, tree: exp.Query, catalog: Catalog) -> ParameterType | None:
    """Return the type of an expression if its syntax determines it, else None."""
    if isinstance(node, (exp.Paren, exp.Neg, exp.Alias)):
        return _of(node.this, tree, catalog)
    if isinstance(node, exp.Column):
        return _column(node, tree, catalog)
    if isinstance(node, exp.Cast):
        return ParameterType(_type_name(node.to))
    if isinstance(node, exp.Literal):
        return None if node.is_string else ParameterType(_WHOLE if node.is_int else _REAL)
    kind = next((kind for form, kind in _TYPE_OF_FUNCTION.items() if isinstance(node, form)), None)
    return None if kind is None else ParameterType(kind)


def _column(node: exp.Column, tree: exp.Query, catalog: Catalog) -> ParameterType | None:
    """Return the type of the column of that name, or else of the alias; None if the tables disagree on it."""
    columns = [c for c in _columns(tree, catalog) if fold(c.name) == fold(node.name)]
    if not columns:
        named = (a for a in tree.find_all(exp.Alias) if fold(a.alias) == fold(node.name))
        aliased = next((a.this for a in named if not isinstance(a.this, exp.Column)), None)
        return None if aliased is None else _of(aliased, tree, catalog)
    if len({column.type for column in columns}) > 1:
        return None
    return ParameterType(columns[0].type, _example(columns[0]))


def _columns(tree: exp.Query, catalog: Catalog) -> Iterator[Column]:
    for table in tree.find_all(exp.Table):
        try:
            found = catalog.table(table.name, table.db or None)
        except UnknownNameError:  # a CTE, or a name that planning will refuse
            continue
        yield from found.columns


def _example(column: Column) -> Value | None:
    domain = column.domain
    if domain is None:
        return None
    return domain.low if isinstance(domain, RangeDomain) else next(iter(domain), None)
