"""Writes names, strings and function calls in SQL.

Functions and operators are written as `system.main."name"(...)`: a macro of the same name (a user may
create one called `count`, or even `~~`, which is what LIKE means) does not change them. Comparisons,
AND, OR, NOT, IN, IS, CASE and CAST are syntax, which no macro can replace.
"""

from __future__ import annotations

from dpduck.kernel.catalog.model import Column, Table, fold
from dpduck.kernel.catalog.types import parse_type

HELD = "temp.main.dp_held"  # the temporary table of materialized scores
GIVEN = "temp.main.dp_given"  # the temporary table of rows that a query is sent with

LIST = "temp.main.dp_list"  # with a number: the temporary tables of public values

LONGEST_TEXT = 10_000  # bytes of a string that is a key or a unit, or that a function makes longer


def short_name(name: str) -> str:
    """The name of a temporary table without its schema.

    >>> short_name(GIVEN)
    'dp_given'
    """
    return name.rpartition(".")[2]


def identifier(name: str) -> str:
    """The name, always quoted.

    >>> print(identifier('a "b"'))
    "a ""b\"""
    """
    return '"' + name.replace('"', '""') + '"'


def string(text: str) -> str:
    """The text as a string literal.

    >>> print(string("it's"))
    'it''s'
    """
    return "'" + text.replace("'", "''") + "'"


def table_name(table: Table) -> str:
    """Return the table's full name, so that no other table shadows it, or the scan of its file."""
    if table.scan is not None:
        return table.scan
    name = ".".join(identifier(part) for part in (table.database, table.schema, table.name))
    if table.definition is None:
        return name
    floats = [column for column in table.columns if _holds_floats(column)]
    if not floats:
        return name
    replaced = (f"{unpruned(identifier(c.name))} AS {identifier(c.name)}" for c in floats)
    return f"(SELECT * REPLACE ({', '.join(replaced)}) FROM {name})"


def _holds_floats(column: Column) -> bool:
    return any(parse_type(one.type).kind == "float" for one in (column, *column.parts))


def unpruned(column: str) -> str:
    """Wrap a float or string column of a file so that DuckDB does not use the file's statistics for it.

    Writers of Parquet leave NaN out of the minimum and maximum, and hash -0.0 and 0.0 differently; their
    statistics of a string describe its bytes before invalid UTF-8 is replaced. DuckDB prunes rows by these
    statistics, or drops a test for NaN: then one unit decides whether the rows of others count, or whether
    a cast fails. DuckDB propagates no statistics through TRY, and TRY of a column changes no value.
    """
    return f"TRY({column})"


def row_alias(table: Table) -> str:
    """Return a table alias that is not a column name, so that `t.x` is always the column x."""
    taken = {fold(column.name) for column in table.columns}
    alias = "t"
    while alias in taken:
        alias += "_"
    return alias


def call(function: str, *arguments: str) -> str:
    """Return a call of a built-in DuckDB function.

    >>> print(call("~~", "t.x", "'a%'"))
    system.main."~~"(t.x, 'a%')
    """
    name = function if function.isidentifier() else identifier(function)
    return f"system.main.{name}({', '.join(arguments)})"
