"""Which tables a query on public tables reads."""

from __future__ import annotations

import sqlglot
from sqlglot import exp


def tables_read(sql: str, database: str) -> list[str]:
    """The names of the tables of a database that a query reads, each once.

    >>> tables_read('SELECT a FROM "memory"."main"."pages" AS p', "memory")
    ['pages']
    """
    tree = sqlglot.parse_one(sql, dialect="duckdb")
    named = [table for table in tree.find_all(exp.Table) if table.catalog == database and table.db == "main"]
    return list(dict.fromkeys(table.name for table in named))
