"""Translates the target types of casts: DuckDB's built-in types, whose names cannot be redefined."""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.public.registry import allow, check
from dpduck.kernel.tree.emit import identifier, string

_NAMES = {
    exp.DType.BIGINT: "BIGINT",
    exp.DType.BIT: "BIT",
    exp.DType.BOOLEAN: "BOOLEAN",
    exp.DType.DATE: "DATE",
    exp.DType.DOUBLE: "DOUBLE",
    exp.DType.FLOAT: "FLOAT",
    exp.DType.INT: "INTEGER",
    exp.DType.INT128: "HUGEINT",
    exp.DType.INTERVAL: "INTERVAL",
    exp.DType.SMALLINT: "SMALLINT",
    exp.DType.TEXT: "VARCHAR",
    exp.DType.TIME: "TIME",
    exp.DType.TIMESTAMP: "TIMESTAMP",
    exp.DType.TIMESTAMPNTZ: "TIMESTAMP",
    exp.DType.TIMESTAMPTZ: "TIMESTAMP WITH TIME ZONE",
    exp.DType.TIMESTAMP_MS: "TIMESTAMP_MS",
    exp.DType.TIMESTAMP_NS: "TIMESTAMP_NS",
    exp.DType.TIMESTAMP_S: "TIMESTAMP_S",
    exp.DType.TIMETZ: "TIME WITH TIME ZONE",
    exp.DType.TINYINT: "TINYINT",
    exp.DType.UBIGINT: "UBIGINT",
    exp.DType.UINT: "UINTEGER",
    exp.DType.UINT128: "UHUGEINT",
    exp.DType.USMALLINT: "USMALLINT",
    exp.DType.UTINYINT: "UTINYINT",
    exp.DType.UUID: "UUID",
    exp.DType.VARBINARY: "BLOB",
    exp.DType.VARCHAR: "VARCHAR",
}

allow((exp.DataType,), "this expressions nested")
allow((exp.ColumnDef,), "this kind")


def type_name(node: exp.Expr) -> str:
    """Return the type in DuckDB's SQL. Errors: UnsupportedSqlError for a type that is not listed."""
    if not isinstance(node, exp.DataType) or node.args.get("kind") is not None:
        raise _unknown(node)
    parts, name = node.expressions, _NAMES.get(node.this)
    if node.this == exp.DType.ENUM and parts and all(_is_string(part) for part in parts):
        return f"ENUM({', '.join(string(part.name) for part in parts)})"
    check(node)
    if name is not None and not parts:
        return name
    if node.this == exp.DType.DECIMAL:
        return f"DECIMAL({', '.join(_digits(part) for part in parts)})" if parts else "DECIMAL"
    if node.this == exp.DType.ARRAY and len(parts) == 1:
        return f"{type_name(parts[0])}[]"
    if node.this == exp.DType.MAP and len(parts) == 2:
        return f"MAP({', '.join(type_name(part) for part in parts)})"
    if node.this == exp.DType.STRUCT and parts:
        return f"STRUCT({', '.join(_field(part) for part in parts)})"
    raise _unknown(node)


def _is_string(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and bool(node.is_string)


def _digits(node: exp.Expr) -> str:
    check(node)
    text = node.name if isinstance(node, exp.DataTypeParam) else ""
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise _unknown(node)
    return text


def _field(node: exp.Expr) -> str:
    check(node)
    if not isinstance(node, exp.ColumnDef) or not isinstance(node.args.get("kind"), exp.DataType):
        raise _unknown(node)
    return f"{identifier(node.name)} {type_name(node.args['kind'])}"


def _unknown(node: exp.Expr) -> Exception:
    return refusal(
        "this type is not supported",
        "A type that users define may mean anything.",
        "Write a type of DuckDB: INTEGER, DOUBLE, DECIMAL(18, 2), VARCHAR, DATE, TIMESTAMP, INTEGER[], ...",
        node,
    )
