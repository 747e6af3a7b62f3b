"""Freshly written SQL: the only text that ever reaches the data is built from these parts.

Functions and operators are written as `system.main."name"(...)`: a macro of the same name (a user may
create one called `count`, or even `~~`, which is what LIKE means) does not change them. Comparisons,
AND, OR, NOT, IN, IS, CASE and CAST are syntax, which no macro can replace.
"""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from dpduck.catalog import Table, fold
from dpduck.sqltypes import SqlType, Value

# For these the digits alone have a type that is compared exactly; wider ones are written with a CAST.
_PLAIN_DIGITS = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}

HELD = "temp.main.dp_held"  # what a reader holds, as score SQL calls it
GIVEN = "temp.main.dp_given"  # what a reader is given beside the SQL

UNKNOWN = "CAST(NULL AS BOOLEAN)"


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
        return f"system.main.{table.scan}"
    return ".".join(identifier(part) for part in (table.database, table.schema, table.name))


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


def literal(value: Value, sql_type: SqlType) -> str:
    """A value of the type, which `sqltypes.convert` made, as a typed constant."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return string(value)
    if isinstance(value, datetime):
        return f"TIMESTAMP '{value.isoformat(' ')}'"
    if isinstance(value, date):
        return f"DATE '{value.isoformat()}'"
    if isinstance(value, int) and value >= 0 and sql_type.name in _PLAIN_DIGITS:
        return str(value)
    text = format(value, "f") if isinstance(value, Decimal) else repr(value)
    return f"CAST('{text}' AS {sql_type.name})"
