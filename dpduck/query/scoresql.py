"""Score SQL: for each candidate, the number of distinct privacy units. One form per shape of question.

Rows without a unit belong to nobody and are left out. Where the schema allows one row per unit, a row
is a unit and rows are counted; else units are made distinct by GROUP BY before they are counted, which
DuckDB runs faster than count(DISTINCT ...).
"""

from __future__ import annotations

from dpduck.catalog import Column, Domain, RangeDomain, ValuesDomain, fold
from dpduck.query import grid
from dpduck.query.emit import call, identifier, literal, table_name
from dpduck.query.scope import Scope, type_of

_COUNT = f"{call('count', '*')} AS score"


def key_name(column: Column) -> str:
    """The key's name in the score SQL: its own, unless that is the name of the score."""
    return "key" if fold(column.name) == "score" else column.name


def total(scope: Scope, conditions: list[str]) -> str:
    """One row: the number of units."""
    if scope.table.unit_is_unique:
        return f"SELECT {_COUNT} FROM {_rows(scope, conditions)}"
    unit = _unit(scope)
    return f"SELECT {_COUNT} FROM (SELECT {unit} FROM {_rows(scope, conditions)} GROUP BY {unit}) AS t"


def by_key(scope: Scope, conditions: list[str], column: Column) -> str:
    """A row for each candidate: the key and its units."""
    key, name = scope.sql(column), identifier(key_name(column))
    within = _within(scope, column)
    rows = _rows(scope, [*conditions, *([within] if within else [])])
    if scope.table.unit_is_unique:
        return f"SELECT {key} AS {name}, {_COUNT} FROM {rows} GROUP BY {key}"
    pairs = f"SELECT {key} AS {name} FROM {rows} GROUP BY {key}, {_unit(scope)}"
    return f"SELECT t.{name} AS {name}, {_COUNT} FROM ({pairs}) AS t GROUP BY t.{name}"


def by_value(scope: Scope, conditions: list[str], column: Column, domain: RangeDomain) -> str:
    """A row for each grid point: the point and the units whose one value it is.

    A unit with several rows is reduced to its own lower median first.
    """
    sql_type, name = type_of(column), identifier(key_name(column))
    values = _one_value_each(scope, conditions, column)
    inside = f"SELECT {grid.clamped('t.value', domain, sql_type)} AS value FROM ({values}) AS t"
    points = f"SELECT {grid.snapped('t.value', domain, sql_type)} AS value FROM ({inside}) AS t"
    return f"SELECT t.value AS {name}, {_COUNT} FROM ({points}) AS t GROUP BY t.value"


def _one_value_each(scope: Scope, conditions: list[str], column: Column) -> str:
    value = scope.sql(column)
    present = [f"{value} IS NOT NULL"]
    if type_of(column).kind == "float":
        present.append(f"(NOT {call('isnan', value)})")
    rows = _rows(scope, [*conditions, *present])
    if scope.table.unit_is_unique:
        return f"SELECT {value} AS value FROM {rows}"
    return f"SELECT {call('quantile_disc', value, '0.5')} AS value FROM {rows} GROUP BY {_unit(scope)}"


def _rows(scope: Scope, conditions: list[str]) -> str:
    tests = " AND ".join([f"{_unit(scope)} IS NOT NULL", *conditions])
    return f"{table_name(scope.table)} AS {scope.rows} WHERE {tests}"


def _unit(scope: Scope) -> str:
    return scope.sql(scope.table.column(str(scope.table.unit)))


def _within(scope: Scope, column: Column) -> str | None:
    """The condition that the key is a candidate, or None if every value is one."""
    domain, sql_type, key = column.domain, type_of(column), scope.sql(column)
    if domain is None:
        return None
    if isinstance(domain, RangeDomain):
        return grid.on_grid(key, domain, sql_type)
    if _holds_all(domain, sql_type.members) or (domain.size == 2 and sql_type.kind == "boolean"):
        return f"{key} IS NOT NULL"
    text = f"CAST({key} AS VARCHAR)" if sql_type.kind == "enum" else key
    return f"{text} IN ({', '.join(literal(value, sql_type) for value in domain)})"


def _holds_all(domain: Domain, members: tuple[str, ...]) -> bool:
    return isinstance(domain, ValuesDomain) and bool(members) and set(domain.values) == set(members)
