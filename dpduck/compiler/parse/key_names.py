"""Names of keys of which only the SQL is stored."""

from __future__ import annotations

from functools import lru_cache

from sqlglot import exp, parse_one


@lru_cache(maxsize=1024)
def key_name(sql: str) -> str:
    """A key as people write it: without the alias of its table.

    >>> key_name('t."country"'), key_name('"lower"(t."country")')
    ('country', 'LOWER(country)')
    """
    node = parse_one(sql, read="duckdb")
    for column in node.find_all(exp.Column):
        column.set("table", None)
        column.this.set("quoted", False)
    return node.sql("duckdb")
