"""Freshly written SQL: the only text that ever reaches the data is built from these parts.

Functions and operators are written as `system.main."name"(...)`: a macro of the same name (a user may
create one called `count`, or even `~~`, which is what LIKE means) does not change them. Comparisons,
AND, OR, NOT, IN, IS, CASE and CAST are syntax, which no macro can replace.
"""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from dpduck.catalog.model import Table, fold
from dpduck.catalog.types import SqlType, Value, parse_type

# For these DuckDB gives digits alone the type of what they are compared with; wider ones have a CAST.
_PLAIN_DIGITS = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}

HELD = "temp.main.dp_held"  # what a reader holds, as score SQL calls it
GIVEN = "temp.main.dp_given"  # what a reader is given beside the SQL

UNKNOWN = "CAST(NULL AS BOOLEAN)"
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


def is_short(text: str) -> str:
    """Whether a text is none that takes all memory: DuckDB keeps on no disk what one row holds.

    >>> print(is_short("t.x"))
    system.main.strlen(t.x) <= 10000
    """
    return f"{call('strlen', text)} <= {LONGEST_TEXT}"


def call(function: str, *arguments: str) -> str:
    """A function of DuckDB itself.

    >>> print(call("~~", "t.x", "'a%'"))
    system.main."~~"(t.x, 'a%')
    """
    name = function if function.isidentifier() else identifier(function)
    return f"system.main.{name}({', '.join(arguments)})"


def literal(value: Value, sql_type: SqlType) -> str:
    """A value of the type, which `sqltypes.convert` made, as a constant of that type wherever it stands.

    Digits alone would not do: DuckDB takes them for the narrowest type, in which a result may not fit.

    >>> from dpduck.catalog.types import parse_type
    >>> print(literal(5, parse_type("BIGINT")))
    CAST('5' AS BIGINT)
    """
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return string(value)
    if isinstance(value, datetime):
        return f"TIMESTAMP '{value.isoformat(' ')}'"
    if isinstance(value, date):
        return f"DATE '{value.isoformat()}'"
    text = format(value, "f") if isinstance(value, Decimal) else repr(value)
    return f"CAST('{text}' AS {sql_type.name})"


def compared(value: Value, sql_type: SqlType) -> str:
    """The same beside a value of the type, in a comparison or IN: digits say enough, and are read faster."""
    is_plain = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return str(value) if is_plain and sql_type.name in _PLAIN_DIGITS else literal(value, sql_type)
