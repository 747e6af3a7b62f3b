"""Names result columns without an alias as DuckDB does.

DuckDB names such a column by parsing its expression and printing the tree. Its parser is asked for the same
here, anew each time: the texts are analysts' own, and large, and none is kept for the next query. DuckDB 1.5
and 2.0 differ in some names; 1.5 parses by the settings of the process's default connection.
"""

from __future__ import annotations

import duckdb
from sqlglot import exp
from sqlglot.errors import ErrorLevel

from dpduck.compiler.parse.dialect import source_text, without_terms
from dpduck.compiler.parse.nodes import unwrap


def name_of(node: exp.Expr) -> str:
    """Return DuckDB's name of a select-list column without an alias.

    >>> from sqlglot import parse_one
    >>> name_of(parse_one("t.x")), name_of(parse_one("year(d) + count(*)", read="duckdb"))
    ('x', '("year"(d) + count_star())')
    """
    node = unwrap(node)
    if isinstance(node, exp.Dot):
        return str(node.expression.name)
    if isinstance(node, exp.Column):
        return node.name
    return _printed(_text(node))


def _text(node: exp.Expr) -> str:
    """Return the expression as the user wrote it, or as sqlglot generates it if no text was kept."""
    text = source_text(node)
    plain = without_terms(node)
    if text is not None and plain is node:
        return text
    return plain.sql(dialect="duckdb", unsupported_level=ErrorLevel.IGNORE)


def _printed(text: str) -> str:
    """Return the expression as DuckDB prints it; the text itself if DuckDB cannot parse it."""
    try:
        return duckdb.SQLExpression(text).get_name()
    except duckdb.Error:
        return text
