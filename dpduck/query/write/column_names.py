"""Names of unnamed result columns: DuckDB gives them.

DuckDB reads the text of the column and prints the tree that it got, which is how it names the column of a
table. It needs no table for that. DuckDB 1.5 and 2.0 differ in some names.
"""

from __future__ import annotations

from functools import cache, lru_cache

import duckdb
from sqlglot import exp
from sqlglot.errors import ErrorLevel

from dpduck.query.parse.dialect import AggregateTerms, written
from dpduck.query.parse.nodes import unwrap

_PREFIX = "SELECT "
_PRINTED = f"SELECT json_deserialize_sql(json_serialize_sql('{_PREFIX}' || $text))"
_MEMO = 4096


def name_of(node: exp.Expr) -> str:
    """The name of an unnamed column of the select list.

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
    """The expression as it was written, or as sqlglot writes it if it came about otherwise."""
    text = written(node)
    if text is not None and node.find(AggregateTerms) is None:
        return text
    plain: exp.Expr = node.transform(lambda part: part.this if isinstance(part, AggregateTerms) else part)
    return plain.sql(dialect="duckdb", unsupported_level=ErrorLevel.IGNORE)


@lru_cache(_MEMO)
def _printed(text: str) -> str:
    """The expression as DuckDB prints it; the text itself if DuckDB does not know such an expression."""
    try:
        row = _parser().cursor().execute(_PRINTED, {"text": text}).fetchone()
    except duckdb.Error:
        return text
    assert row is not None
    return str(row[0]).removeprefix(_PREFIX)


@cache
def _parser() -> duckdb.DuckDBPyConnection:
    """A DuckDB that only parses."""
    return duckdb.connect(":memory:", config={"threads": 1})
