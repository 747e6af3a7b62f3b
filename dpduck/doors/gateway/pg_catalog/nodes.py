"""Constructors of sqlglot nodes."""

from __future__ import annotations

from sqlglot import exp


def path(schema: str, function: exp.Expr) -> exp.Expr:
    """A function in one of dpduck's schemas."""
    return exp.Dot(this=exp.to_identifier(schema, quoted=True), expression=function)


def call(schema: str, name: str, *arguments: exp.Expr) -> exp.Expr:
    """A call of one of dpduck's macros."""
    return path(schema, exp.Anonymous(this=name, expressions=list(arguments)))


def builtin(name: str, *arguments: exp.Expr) -> exp.Expr:
    """A call of one of DuckDB's functions."""
    return exp.Anonymous(this=name, expressions=list(arguments))


def literal(text: str) -> exp.Expr:
    """A string literal."""
    return exp.Literal.string(text)


def cast(node: exp.Expr, duckdb_type: str) -> exp.Expr:
    """A cast to one of DuckDB's types."""
    return exp.Cast(this=node, to=exp.DataType.build(duckdb_type, dialect="duckdb"))


def unwrap(node: exp.Expr) -> exp.Expr:
    """The node without surrounding parentheses."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def outside(node: exp.Expr) -> exp.Expr | None:
    """The closest enclosing node that is not a parenthesis."""
    parent = node.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    return parent
