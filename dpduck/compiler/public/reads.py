"""How the SQL of an answer reads the released rows of blocks: how often each, and by inner queries."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

_MANY = 8  # of SQL that is nested too deeply to be read again


def times_read(sql: str, table: str, column: str) -> Counter[int]:
    """How often a table is read, by the number of which a column of it is wanted; 0: without one.

    Input: SQL that is written here; the names of the table, and of the column with numbers of blocks.

    >>> sql = 'SELECT * FROM (SELECT 1 FROM "b" WHERE "n" = 2) JOIN "b" ON TRUE'
    >>> sorted(times_read(sql, "b", "n").items())
    [(0, 1), (2, 1)]
    """
    found: Counter[int] = Counter()
    with suppress(RecursionError, SqlglotError):
        for scan in parse_one(sql, read="duckdb").find_all(exp.Table):
            if scan.name == table:
                found[_number(scan.parent_select, column)] += 1
        return found
    return Counter(dict.fromkeys(range(_MANY), _MANY))


def has_inner_query(sql: str) -> bool:
    """Whether a query stands in another, or beside it. Input: SQL that is written here.

    >>> has_inner_query("SELECT 1 FROM (SELECT 2)"), has_inner_query("SELECT 1 FROM t HAVING TRUE")
    (True, False)
    """
    with suppress(RecursionError, SqlglotError):
        return len(list(parse_one(sql, read="duckdb").find_all(exp.Select))) > 1
    return False


def _number(select: exp.Select | None, column: str) -> int:
    where = select and select.args.get("where")
    test = where and where.this
    if isinstance(test, exp.EQ) and isinstance(test.this, exp.Column) and test.this.name == column:
        return int(test.expression.name)
    return 0
