"""Neighbours of a database: without one privacy unit and its rows, or with one more, of extreme values.

Which rows belong to a unit follows from the keys and links of the catalog. The units removed are conspicuous
ones: with the largest or smallest value of a column, a unique value, a NULL, or the most rows. An added unit
has values that hardly any real one has: the ends of each type, zero, NaN, empty and odd strings; and one of
them copies a real unit, so that counts tie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import duckdb

from dpduck.kernel.catalog.model import Catalog, Column, Table, fold
from dpduck.kernel.catalog.nested import element_of, fields_of
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.tree.emit import identifier, string

_WORDS = {
    "least": "the least values of each type",
    "greatest": "the greatest values of each type",
    "zero": "zeros",
    "odd": "odd values, such as NaN",
    "null": "NULLs",
    "twin": "the twin of another",
}
PROFILES = tuple(_WORDS)
_LONG = 5_000  # characters of a long text
_COMPARED = ("integer", "decimal", "float", "text", "date", "timestamp")


@dataclass(frozen=True)
class Neighbour:
    """A neighbour.

    `label` describes it without any value, `who` is the unit itself, for its owner; `change` turns a copy of
    the file into the neighbour; `larger`: it has one unit more; `root`: the table of the unit, None: all.
    """

    label: str
    who: str
    change: Callable[[Path], None]
    larger: bool = False
    root: str | None = None


def neighbours(connection: duckdb.DuckDBPyConnection, catalog: Catalog) -> Iterator[Neighbour]:
    """All neighbours worth trying, the most revealing first: alternately one unit less, and one more."""
    removals, additions = list(_without(connection, catalog)), list(_with(catalog))
    for place in range(max(len(removals), len(additions))):
        yield from removals[place : place + 1]
        yield from additions[place : place + 1]


def roots(catalog: Catalog) -> list[Table]:
    """The tables whose keys are the privacy units."""
    return [table for table in catalog.tables if table.unit is not None]


# --- one unit less -------------------------------------------------------------------------------


def _without(connection: duckdb.DuckDBPyConnection, catalog: Catalog) -> Iterator[Neighbour]:
    """Neighbours without a unit of each root table in turn, in the order of `units_of`."""
    each = [[(root, unit) for unit in units_of(connection, catalog, root)] for root in roots(catalog)]
    for place in range(max(map(len, each), default=0)):
        for units in each:
            for root, unit in units[place : place + 1]:
                label = f"without unit {place + 1} of {root.name}"
                change = in_database(partial(remove, catalog=catalog, root=root, unit=unit))
                yield Neighbour(label, f"{root.name}.{root.unit} = {unit}", change, root=root.name)


def remove(connection: duckdb.DuckDBPyConnection, catalog: Catalog, root: Table, unit: str) -> None:
    """Delete a unit with its rows in all linked tables. Input: the unit as text."""
    owned = [table for table in _tables(catalog) if catalog.root(table) == root]
    # All rows are found before the first is deleted, since a deleted row may be part of another's link.
    for number, table in enumerate(owned):
        mine = (
            f"SELECT t.rowid AS place FROM {name_of(table)} AS t WHERE {_belongs(catalog, table, 't', unit)}"
        )
        connection.execute(f"CREATE OR REPLACE TEMP TABLE dpduck_audit_{number} AS {mine}")
    for number, table in reversed(list(enumerate(owned))):
        gone = f"SELECT place FROM temp.dpduck_audit_{number}"
        connection.execute(f"DELETE FROM {name_of(table)} WHERE rowid IN ({gone})")
        connection.execute(f"DROP TABLE temp.dpduck_audit_{number}")


def _belongs(catalog: Catalog, table: Table, alias: str, unit: str) -> str:
    """Whether a row belongs to the unit; a row that leads to several units counts for each."""
    if table.unit is not None:
        return _is(alias, table.unit, unit)
    assert table.link is not None
    target = catalog.table(table.link.table, table.link.schema)
    column, inner = f"{alias}.{identifier(table.link.column)}", f"{alias}t"
    if _holds_unit(catalog, target, table.link.target):
        return _is(alias, table.link.column, unit)
    held = f"SELECT {inner}.{identifier(table.link.target)} FROM {name_of(target)} AS {inner}"
    return f"{column} IN ({held} WHERE {_belongs(catalog, target, inner, unit)})"


def _holds_unit(catalog: Catalog, table: Table, column: str) -> bool:
    """Whether the column's values are the units themselves: it is the key, or a link to such a column."""
    if table.link is None:
        return fold(table.unit or "") == fold(column)
    target = catalog.table(table.link.table, table.link.schema)
    return fold(table.link.column) == fold(column) and _holds_unit(catalog, target, table.link.target)


def _is(alias: str, column: str, unit: str) -> str:
    return f"CAST({alias}.{identifier(column)} AS VARCHAR) = {string(unit)}"


def units_of(connection: duckdb.DuckDBPyConnection, catalog: Catalog, root: Table) -> list[str]:
    """Conspicuous units, as text, without repeats. A table of many columns has many."""
    found: dict[str, None] = {}
    for table in _tables(catalog):
        if catalog.root(table) == root:
            for sql in _telling(catalog, table):
                with suppress(duckdb.Error):  # the type has no order or equality
                    found.update({str(unit): None for (unit,) in connection.execute(sql).fetchall()})
    return [unit for unit in found if unit != "None"]


def _telling(catalog: Catalog, table: Table) -> Iterator[str]:
    """SQL for conspicuous units of a table: by their numbers of rows, then by each column."""
    unit, source = _unit_sql(catalog, table)
    mine, text = f"{source} WHERE {unit} IS NOT NULL", f"CAST({unit} AS VARCHAR)"
    for order in ("DESC", "ASC"):
        yield f"SELECT {text} AS u FROM {mine} GROUP BY u ORDER BY count(*) {order}, u LIMIT 1"
    for column in table.columns:
        value = f"t.{identifier(column.name)}"
        if parse_type(column.type).kind in _COMPARED:
            for order in ("DESC", "ASC"):
                yield f"SELECT {text} FROM {mine} ORDER BY {value} {order} NULLS LAST LIMIT 1"
        yield f"SELECT CAST(min({unit}) AS VARCHAR) FROM {mine} GROUP BY {value} HAVING count(*) = 1 LIMIT 1"
        yield f"SELECT {text} FROM {mine} AND {value} IS NULL LIMIT 1"


def _unit_sql(catalog: Catalog, table: Table) -> tuple[str, str]:
    """SQL of the unit of a row `t`, and FROM of the rows."""
    source, alias, current = f"{name_of(table)} AS t", "t", table
    while current.unit is None:
        assert current.link is not None
        target = catalog.table(current.link.table, current.link.schema)
        column, goal = f"{alias}.{identifier(current.link.column)}", identifier(current.link.target)
        if _holds_unit(catalog, target, current.link.target):
            return column, source
        alias, current = f"{alias}t", target
        source += f" JOIN {name_of(target)} AS {alias} ON {column} = {alias}.{goal}"
    return f"{alias}.{identifier(current.unit)}", source


# --- one unit more -------------------------------------------------------------------------------


def _with(catalog: Catalog) -> Iterator[Neighbour]:
    for profile in PROFILES:
        for root in roots(catalog):
            change = in_database(partial(add, catalog=catalog, root=root, profile=profile))
            label = f"with an invented unit of {root.name}: {_WORDS[profile]}"
            yield Neighbour(label, "nobody", change, larger=True, root=root.name)


def add(connection: duckdb.DuckDBPyConnection, catalog: Catalog, root: Table, profile: str) -> None:
    """Insert an invented unit, with one row in each table, except rows that a constraint forbids."""
    new = {
        (table.name, column.name): _fresh(connection, catalog, table, column)
        for table in _tables(catalog)
        for column in table.columns
        if catalog.root(table) == root and _is_key(catalog, table, column)
    }
    for table in _tables(catalog):
        if catalog.root(table) == root:
            values = [_value(catalog, table, column, profile, new) for column in table.columns]
            names = ", ".join(identifier(column.name) for column in table.columns)
            source = f" FROM (SELECT * FROM {name_of(table)} LIMIT 1) AS t" if profile == "twin" else ""
            with suppress(duckdb.Error):
                row = f"SELECT {', '.join(values)}{source}"
                connection.execute(f"INSERT INTO {name_of(table)} ({names}) {row}")


def _value(
    catalog: Catalog, table: Table, column: Column, profile: str, new: Mapping[tuple[str, str], str]
) -> str:
    """SQL of a column of the invented row."""
    if table.link is not None and fold(column.name) == fold(table.link.column):
        target = catalog.table(table.link.table, table.link.schema)
        return new[target.name, target.column(table.link.target).name]
    if (table.name, column.name) in new:
        return new[table.name, column.name]
    return f"t.{identifier(column.name)}" if profile == "twin" else extreme(column.type, profile)


def _is_key(catalog: Catalog, table: Table, column: Column) -> bool:
    """Whether values of the column must be unique, or others are linked to it."""
    unique = {fold(name) for key in table.unique_keys for name in key}
    return fold(column.name) in {fold(table.unit or ""), *unique} or bool(_linked(catalog, table, column))


def _linked(catalog: Catalog, table: Table, column: Column) -> list[tuple[Table, str]]:
    """The columns that are linked to a column."""
    return [
        (other, other.link.column)
        for other in catalog.tables
        if other.link is not None
        and catalog.table(other.link.table, other.link.schema) == table
        and fold(other.link.target) == fold(column.name)
    ]


def _fresh(connection: duckdb.DuckDBPyConnection, catalog: Catalog, table: Table, column: Column) -> str:
    """SQL of a value that neither the column nor any column linked to it has."""
    places = [(table, column.name), *_linked(catalog, table, column)]
    held = " UNION ALL ".join(f"SELECT {identifier(name)} AS v FROM {name_of(one)}" for one, name in places)
    fresh = f"'nobody-' || count(*) FROM ({held})"
    if parse_type(column.type).kind in ("integer", "decimal"):
        ends = (f"{end}::HUGEINT" for end in ("max(v) + 1", "min(v) - 1"))
        fresh = ", ".join(f"TRY_CAST({end} AS {column.type})" for end in ends)
        fresh = f"CAST(COALESCE({fresh}, 1) AS VARCHAR) FROM ({held})"
    [(text,)] = connection.execute(f"SELECT {fresh}").fetchall()
    return _typed(text, column.type)


def extreme(type_name: str, profile: str) -> str:
    """SQL of a value of the type, NULL if there is no such value.

    >>> extreme("TINYINT", "least"), extreme("DOUBLE", "odd"), extreme("BLOB", "null")
    ("CAST('-128' AS TINYINT)", "CAST('nan' AS DOUBLE)", 'NULL')
    >>> print(extreme("STRUCT(a TINYINT)", "least"))
    CAST(struct_pack("a" := CAST('-128' AS TINYINT)) AS STRUCT(a TINYINT))
    """
    kind = parse_type(type_name)
    if profile == "null":
        return "NULL"
    fields, element = fields_of(type_name), element_of(type_name)
    if fields:
        parts = ", ".join(f"{identifier(name)} := {extreme(inner, profile)}" for name, inner in fields)
        return f"CAST(struct_pack({parts}) AS {type_name})"
    if element is not None:
        times, value = 0 if profile == "least" else _MOST_ELEMENTS, extreme(element, profile)
        return f"CAST(list_resize([{value}], {times}, {value}) AS {type_name})"
    if kind.kind in ("integer", "decimal"):
        low, high = kind.ticks
        ticks = {"least": low, "greatest": high, "odd": high - 1}.get(profile, 0)
        return _typed(_digits(ticks, kind.scale) if kind.scale else str(ticks), type_name)
    if kind.kind == "enum":
        return _typed(kind.members[0 if profile == "least" else -1], type_name)
    if kind.kind == "text":
        return _TEXTS.get(profile, "''")
    values = _EXTREMES.get(kind.kind if kind.kind != "other" else type_name)
    return "NULL" if values is None else _typed(values[PROFILES.index(profile)], type_name)


def _digits(ticks: int, scale: int) -> str:
    sign, digits = "-" if ticks < 0 else "", f"{abs(ticks):0{scale + 1}d}"
    return f"{sign}{digits[:-scale]}.{digits[-scale:]}"


def _typed(text: str, type_name: str) -> str:
    return f"CAST({string(text)} AS {type_name})"


_MOST_ELEMENTS = 5000  # of an invented list
_TEXTS = {
    "least": "''",
    "greatest": f"repeat('z', {_LONG})",
    "zero": "'0'",
    "odd": "'\u1e9e\u202e' || chr(0) || '\U0001f9ea''e\u0301\"'",
}
# By kind, or by type for types without a kind: least, greatest, zero, odd.
_EXTREMES = {
    "float": ("-inf", "inf", "-0.0", "nan"),
    "boolean": ("false", "true", "false", "true"),
    "date": ("-infinity", "infinity", "1970-01-01", "5881580-07-10"),
    "timestamp": ("-infinity", "infinity", "1970-01-01", "294247-01-10 04:00:54.775806"),
    "TIMESTAMP WITH TIME ZONE": (
        "-infinity",
        "infinity",
        "1970-01-01 00:00:00+00",
        "290309-12-22 (BC) 00:00:00+00",
    ),
    "TIMESTAMP_S": ("290309-12-22 (BC) 00:00:00", "294247-01-10 04:00:54", "1970-01-01", "0001-01-01"),
    "TIMESTAMP_MS": ("290309-12-22 (BC) 00:00:00", "294247-01-10 04:00:54", "1970-01-01", "0001-01-01"),
    "TIMESTAMP_NS": ("1677-09-22", "2262-04-11", "1970-01-01", "1969-12-31 23:59:59.999999999"),
    "JSON": ("null", f"{'[' * 400}{']' * 400}", '{"ms": 1e999}', '{"ms": "\\u0000"}'),
    "TIME": ("00:00:00", "23:59:59.999999", "00:00:00", "24:00:00"),
}


# --- tables --------------------------------------------------------------------------------------


def _tables(catalog: Catalog) -> list[Table]:
    """The private tables whose rows can be changed, link targets first."""
    held = [table for table in catalog.tables if table.private and table.definition is None]
    return sorted(held, key=lambda table: _depth(catalog, table))


def _depth(catalog: Catalog, table: Table) -> int:
    depth = 0
    while table.link is not None:
        table, depth = catalog.table(table.link.table, table.link.schema), depth + 1
    return depth


def name_of(table: Table) -> str:
    """The table's name in SQL, valid in any copy of the database."""
    return f"{identifier(table.schema)}.{identifier(table.name)}"


def shuffled(tables: Iterable[Table]) -> Neighbour:
    """The same rows in another physical order, which must not be visible either."""
    names = [name_of(table) for table in tables]

    def change(connection: duckdb.DuckDBPyConnection) -> None:
        for name in names:
            rows = f"CREATE TEMP TABLE dpduck_audit_rows AS FROM {name} ORDER BY rowid DESC"
            for sql in (rows, f"DELETE FROM {name}", f"INSERT INTO {name} FROM temp.dpduck_audit_rows"):
                connection.execute(sql)
            connection.execute("DROP TABLE temp.dpduck_audit_rows")

    return Neighbour("the same rows in another order", "nobody", in_database(change))


def in_database(change: Callable[[duckdb.DuckDBPyConnection], None]) -> Callable[[Path], None]:
    """The change as a function of a database file."""

    def run(file: Path) -> None:
        with duckdb.connect(str(file)) as connection:
            change(connection)

    return run
