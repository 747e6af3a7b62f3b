"""Small makers of sqlglot nodes."""

from __future__ import annotations

from sqlglot import exp


def path(schema: str, function: exp.Expr) -> exp.Expr:
    """A function in one of our schemas."""
    return exp.Dot(this=exp.to_identifier(schema, quoted=True), expression=function)


def call(schema: str, name: str, *arguments: exp.Expr) -> exp.Expr:
    """A call of one of our macros."""
    return path(schema, exp.Anonymous(this=name, expressions=list(arguments)))


def builtin(name: str, *arguments: exp.Expr) -> exp.Expr:
    """A call of one of DuckDB's functions."""
    return exp.Anonymous(this=name, expressions=list(arguments))


def literal(text: str) -> exp.Expr:
    """A string."""
    return exp.Literal.string(text)


def cast(node: exp.Expr, duckdb_type: str) -> exp.Expr:
    """The node as one of DuckDB's types."""
    return exp.Cast(this=node, to=exp.DataType.build(duckdb_type, dialect="duckdb"))


def unwrap(node: exp.Expr) -> exp.Expr:
    """The node without the parentheses around it."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def outside(node: exp.Expr) -> exp.Expr | None:
    """The node around it that is no parenthesis."""
    parent = node.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    return parent
