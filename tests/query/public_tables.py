"""Two public tables with awkward values, and the translation of queries over them."""

from __future__ import annotations

from collections.abc import Collection

import duckdb
from sqlglot import exp

from dpduck.compiler import public
from dpduck.compiler.block.inline import inline
from dpduck.compiler.parse.statements import Select, parse
from dpduck.compiler.validate.clock import validated_at
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.tree.answer import AnswerExpression
from dpduck.kernel.tree.emit import identifier
from tests.query.shop import NOON

TABLES = """
CREATE TABLE t (i INTEGER, s VARCHAR, d DATE, x DOUBLE, ts TIMESTAMP, b BOOLEAN, n DECIMAL(9, 2), l INTEGER[],
    st STRUCT(f INTEGER, g VARCHAR), m MAP(VARCHAR, INTEGER));
INSERT INTO t VALUES
    (1, 'a', '2020-01-01', 1.5, '2020-01-01 10:20:30', TRUE, 1.25, [1, 2, 3], {'f': 1, 'g': 'x'},
        MAP {'a': 1}),
    (2, 'abc', '2021-02-03', -2.5, '2021-05-06 00:00:00', FALSE, -7.5, [4, 5], {'f': 2, 'g': 'y'},
        MAP {'b': 1}),
    (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (NULL, '', '1999-12-31', 0, '1999-12-31 23:59:59.999', TRUE, 0, [], {'f': NULL, 'g': ''}, MAP {}),
    (2, 'B_%', '2020-02-29', 4, '2020-02-29 12:00:00', NULL, 99.99, [NULL, 2], {'f': 7, 'g': NULL},
        MAP {'a': 5});
CREATE TABLE u (i INTEGER, n INTEGER);
INSERT INTO u VALUES (1, 10), (2, 20), (4, 40);
"""

Rows = tuple[list[str], list[str], list[str]]  # names, types and rows


class KnownTables:
    """Lets some tables through, and knows nothing else."""

    def __init__(self, names: Collection[str] = ("t", "u")) -> None:
        self._names = names

    def table(self, node: exp.Table) -> str | None:
        known = node.name.lower() in self._names and node.db.lower() in ("", "main", "public")
        return f'"memory"."main".{identifier(node.name)}' if known else None

    def block(self, node: exp.Query) -> str | None:
        return None

    def value(self, node: exp.Expr) -> AnswerExpression | None:
        return None

    def constant(self, sql: str) -> None:
        pass


def open_tables() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    connection.execute(TABLES)
    return connection


def parsed(text: str) -> exp.Query:
    statement = parse(text)
    assert isinstance(statement, Select)
    return statement.expression


def translated(text: str, tables: Collection[str] = ("t", "u")) -> str:
    """As a query on public tables is translated, the gate and WITH included."""
    allowed = validated_at(Select(parsed(text)), NOON)
    return public.public_query(inline(allowed.expression, Catalog(())), KnownTables(tables))


def run(connection: duckdb.DuckDBPyConnection, sql: str, *, ordered: bool = False) -> Rows:
    result = connection.execute(sql)
    rows = [repr(row) for row in result.fetchall()]
    names, types = zip(*((column[0], str(column[1])) for column in result.description), strict=True)
    return list(names), list(types), rows if ordered else sorted(rows)
