"""Names, texts and calls in SQL: what all that is written is built from.

Functions and operators are written as `system.main."name"(...)`: a macro of the same name (a user may
create one called `count`, or even `~~`, which is what LIKE means) does not change them. Comparisons,
AND, OR, NOT, IN, IS, CASE and CAST are syntax, which no macro can replace.
"""

from __future__ import annotations

from dpduck.catalog.model import Table, fold
from dpduck.catalog.types import parse_type

HELD = "temp.main.dp_held"  # what a reader holds, as score SQL calls it
GIVEN = "temp.main.dp_given"  # what a reader is given beside the SQL

LONGEST_TEXT = 10_000  # bytes of a text that tells groups or persons apart, or that is made longer


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
    """The table with its database and schema, so that nothing can stand before it, or its file."""
    if table.scan is not None:
        return table.scan
    name = ".".join(identifier(part) for part in (table.database, table.schema, table.name))
    if table.definition is None:
        return name
    floats = [column for column in table.columns if parse_type(column.type).kind == "float"]
    if not floats:
        return name
    replaced = (f"{unpruned(identifier(c.name))} AS {identifier(c.name)}" for c in floats)
    return f"(SELECT * REPLACE ({', '.join(replaced)}) FROM {name})"


def unpruned(column: str) -> str:
    """A column of files, floating point or text, of which DuckDB does not believe what a file says.

    Writers of Parquet leave NaN out of the least and greatest value, and hash -0.0 apart from 0.0; what they
    say of a text is about its bytes, before those that are not UTF-8 are replaced. DuckDB
    skips rows by these, or drops a test for NaN: then one unit decides whether the rows of others count, or
    a cast fails. Of TRY nothing is known beforehand, and it is never in the way: a column cannot fail.
    """
    return f"TRY({column})"


def row_alias(table: Table) -> str:
    """A name for the rows that no column bears, so that `t.x` is always the column x."""
    taken = {fold(column.name) for column in table.columns}
    alias = "t"
    while alias in taken:
        alias += "_"
    return alias


def call(function: str, *arguments: str) -> str:
    """A function of DuckDB itself.

    >>> print(call("~~", "t.x", "'a%'"))
    system.main."~~"(t.x, 'a%')
    """
    name = function if function.isidentifier() else identifier(function)
    return f"system.main.{name}({', '.join(arguments)})"
