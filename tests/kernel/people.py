"""Tables of people as DuckDB and the catalog know them, random rows, and neighbours: one unit less."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from dpduck.kernel.catalog.model import Catalog, Column, Link, Table

_TABLES = {
    "people": "id INTEGER PRIMARY KEY, n INTEGER, x DOUBLE, s VARCHAR",
    "visits": "person INTEGER, n INTEGER, x DOUBLE, s VARCHAR, l INTEGER[]",
    "orders": "number INTEGER PRIMARY KEY, person INTEGER, n INTEGER, d DECIMAL(5,2)",
    "items": "number INTEGER, n INTEGER, big BIGINT",
    "kinds": "person INTEGER, n INTEGER, s VARCHAR, UNIQUE (person, n)",
    "towns": "s VARCHAR PRIMARY KEY, n INTEGER",
    "marks": "n INTEGER, s VARCHAR",
    "others": "person INTEGER, n INTEGER, x DOUBLE",
}
_KEYS: dict[str, tuple[tuple[str, ...], ...]] = {
    "people": (("id",),),
    "orders": (("number",),),
    "kinds": (("person", "n"),),
    "towns": (("s",),),
}
_PRIMARY = {"people": ("id",), "orders": ("number",), "towns": ("s",)}
_LINKS = {
    "visits": ("person", "people", "id"),
    "orders": ("person", "people", "id"),
    "kinds": ("person", "people", "id"),
    "items": ("number", "orders", "number"),
}
PUBLIC = ("towns", "marks")
_DELETIONS = {
    "people": (
        "DELETE FROM items WHERE number IN (SELECT number FROM orders WHERE person = ?)",
        "DELETE FROM orders WHERE person = ?",
        "DELETE FROM kinds WHERE person = ?",
        "DELETE FROM visits WHERE person = ?",
        "DELETE FROM people WHERE id = ?",
    ),
    "others": ("DELETE FROM others WHERE person = ?",),
}
_INTEGERS = (0, 1, 2, 3, -1, 7, None, 2**31 - 1, -(2**31))
_DOUBLES = (0.0, -0.0, 1.0, 2.5, -3.25, 1e300, float("nan"), float("inf"), float("-inf"), None)
_TEXTS = ("a", "b", "c", "", "é", None)
UNITS = (1, 2, 3, 4)


def _table(name: str, declared: str) -> Table:
    words = [part.split() for part in declared.split(", ") if not part.startswith("UNIQUE") and " " in part]
    columns = tuple(Column(word[0], word[1]) for word in words if word[0] != "n)")
    link = _LINKS.get(name)
    unit = {"people": "id", "others": "person"}.get(name)
    return Table(
        "memory",
        "main",
        name,
        columns,
        unit=unit,
        public=name in PUBLIC,
        unit_is_unique=name == "people",
        unique_columns=tuple(key[0] for key in _KEYS.get(name, ()) if len(key) == 1),
        link=None if link is None else Link(link[0], "main", link[1], link[2]),
        unique_keys=_KEYS.get(name, ()),
        primary_key=_PRIMARY.get(name, ()),
        required=_PRIMARY.get(name, ()),
    )


CATALOG = Catalog(tuple(_table(name, declared) for name, declared in _TABLES.items()))


def open_tables() -> duckdb.DuckDBPyConnection:
    """An in-memory database with the tables, empty, of one thread."""
    connection = duckdb.connect(config={"threads": 1})
    for name, declared in _TABLES.items():
        connection.execute(f"CREATE TABLE {name} ({declared})")
    return connection


def fill(connection: duckdb.DuckDBPyConnection, source: random.Random, most: int = 9) -> None:  # noqa: C901
    """Replace all rows by random ones: few units, NULL, NaN, infinities and the ends of types."""
    for name in _TABLES:
        connection.execute(f"DELETE FROM {name}")
    people = [source.choice((*UNITS, *UNITS, None)) for _ in range(40)]
    for unit in source.sample(UNITS, source.randint(2, 4)):
        _insert(connection, "people", unit, _integer(source), source.choice(_DOUBLES), source.choice(_TEXTS))
    for number in range(source.randint(0, most)):
        row = people.pop(), _integer(source), source.choice(_DOUBLES), source.choice(_TEXTS)
        _insert(connection, "visits", *row, [_integer(source) for _ in range(source.randint(0, 3))])
        _insert(
            connection,
            "orders",
            number,
            people.pop(),
            _integer(source),
            source.choice((0, 1.25, -999.99, None)),
        )
        for _ in range(source.randint(0, 2)):
            _insert(connection, "items", source.choice((number, number, None, 99)), _integer(source), 2**62)
    for unit in UNITS:
        for n in source.sample((None, 0, 1, 2, 3), source.randint(0, 4)):
            _insert(connection, "kinds", unit, n, source.choice(_TEXTS))
            if n is None:
                _insert(connection, "kinds", unit, n, source.choice(_TEXTS))
        _insert(connection, "others", unit, _integer(source), source.choice(_DOUBLES))
    for text in source.sample(_TEXTS[:-1], source.randint(1, 4)):
        _insert(connection, "towns", text, _integer(source))
    for _ in range(source.randint(0, 4)):
        _insert(connection, "marks", _integer(source), source.choice(_TEXTS))


def _integer(source: random.Random) -> int | None:
    return source.choice(_INTEGERS[:6] if source.random() < 0.8 else _INTEGERS)


def _insert(connection: duckdb.DuckDBPyConnection, table: str, *row: object) -> None:
    connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", list(row))


@contextmanager
def without(connection: duckdb.DuckDBPyConnection, root: str, unit: int) -> Iterator[None]:
    """All tables with one unit less."""
    connection.execute("BEGIN")
    try:
        for statement in _DELETIONS[root]:
            connection.execute(statement, [unit])
        yield
    finally:
        connection.execute("ROLLBACK")
