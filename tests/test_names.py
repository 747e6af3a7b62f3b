"""DESCRIBE, SHOW TABLES and information_schema: names and types, free, and nothing of rows."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.doors.shell import keywords
from tests.cli.processes import finish, start

TABLES = """
CREATE TABLE visits (person INTEGER NOT NULL, day DATE, "a b" DECIMAL(9,2), seen TIMESTAMPTZ);
CREATE TABLE pages (name VARCHAR);
CREATE VIEW recent AS SELECT person, day FROM visits WHERE day > DATE '2024-01-01';
"""
DESCRIBED = [
    ("person", "INTEGER"),
    ("day", "DATE"),
    ("a b", "DECIMAL(9,2)"),
    ("seen", "TIMESTAMP WITH TIME ZONE"),
]


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute(TABLES)
        yield opened


@pytest.fixture
def db(con: duckdb.DuckDBPyConnection) -> Iterator[dpduck.Connection]:
    with dpduck.connect(con) as opened:
        opened.execute("ALTER TABLE visits ADD PRIVACY_KEY (person)")
        opened.execute("ALTER TABLE pages SET PUBLIC")
        yield opened


STATEMENTS = (
    "SHOW TABLES",
    "SHOW ALL TABLES",
    "DESCRIBE visits",
    "DESC main.visits",
    "DESCRIBE recent",
    "DESCRIBE SELECT * FROM visits",
    "DESCRIBE SELECT count(*) AS n FROM visits",
    "DESCRIBE SELECT upper(name) AS u, 1 FROM pages",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM information_schema.columns ORDER BY table_name, ordinal_position",
    "SELECT c.table_name, count(*) FROM information_schema.columns AS c GROUP BY ALL ORDER BY ALL",
)


@pytest.mark.parametrize("sql", STATEMENTS[:8])
def test_as_duckdb_has_it(con: duckdb.DuckDBPyConnection, db: dpduck.Connection, sql: str) -> None:
    plain = con.execute(sql)
    names, expected = [column[0] for column in plain.description or []], plain.fetchall()
    result = db.execute(sql)
    assert [column[0] for column in result.description] == names
    nulls = names.index("null") if "null" in names else None
    found = result.fetchall()
    expected = [row for row in expected if "dpduck" not in row]  # the schema of the policies
    assert [_without(row, nulls) for row in found] == [_without(row, nulls) for row in expected]
    assert result.charged == "0"


def test_keys_and_what_may_be_null_are_those_of_duckdb(
    con: duckdb.DuckDBPyConnection, db: dpduck.Connection
) -> None:
    """Whatever the schema declares; NULL was YES and the key nothing, also of a PRIMARY KEY."""
    con.execute(
        "CREATE TABLE Keyed (a INTEGER, b INTEGER UNIQUE, c INTEGER NOT NULL, d DATE UNIQUE NOT NULL, "
        "e TEXT, PRIMARY KEY (a, e), UNIQUE (c, b))"
    )
    for sql in ("DESCRIBE visits", "DESCRIBE keyed", "DESC main.pages"):
        assert db.execute(sql).fetchall() == con.execute(sql).fetchall()
    nullable = (
        "SELECT table_name, column_name, is_nullable FROM information_schema.columns "
        "WHERE table_name IN ('Keyed', 'visits') ORDER BY table_name, ordinal_position"
    )
    assert db.execute(nullable).fetchall() == con.execute(nullable).fetchall()


def _without(row: tuple[object, ...], place: int | None) -> tuple[object, ...]:
    return tuple(cell for number, cell in enumerate(row) if number != place)


def test_information_schema(db: dpduck.Connection) -> None:
    sql = "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'visits'"
    assert db.execute(f"{sql} ORDER BY ordinal_position").fetchall() == DESCRIBED
    tables = db.execute("SELECT table_name, table_type FROM information_schema.tables ORDER BY 1").fetchall()
    assert tables == [("pages", "BASE TABLE"), ("recent", "VIEW"), ("visits", "BASE TABLE")]


@pytest.mark.parametrize("sql", STATEMENTS)
def test_rows_change_nothing(con: duckdb.DuckDBPyConnection, db: dpduck.Connection, sql: str) -> None:
    before = db.execute(sql).fetchall()
    con.execute("INSERT INTO visits SELECT i, '2024-02-01', i, NULL FROM range(1000) AS r(i)")
    after = db.execute(sql)
    assert after.fetchall() == before
    assert (after.charged, db.budget()) == ("0", db.budget())


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SUMMARIZE visits", "SUMMARIZE is not supported"),
        ("SUMMARIZE SELECT * FROM visits", "SUMMARIZE is not supported"),
        ("DESCRIBE nothing", "table nothing does not exist"),
        ("DESCRIBE SELECT x FROM visits", "table visits has no column x"),
        ("SELECT * FROM information_schema.columns, pages", "cannot be joined with anything else"),
        ("SELECT count(*) FROM visits JOIN information_schema.tables ON true", "cannot be joined"),
    ],
)
def test_refused(db: dpduck.Connection, sql: str, message: str) -> None:
    with pytest.raises(dpduck.DpduckError, match=message):
        db.execute(sql)


@pytest.mark.slow
@pytest.mark.parametrize("sql", ["DESCRIBE visits", "SHOW ALL TABLES", "DESCRIBE SELECT * FROM visits"])
def test_command_line_and_shell(tmp_path: Path, sql: str) -> None:
    file = tmp_path / "shop.duckdb"
    with duckdb.connect(str(file)) as con:
        con.execute(TABLES)
    with dpduck.connect(file) as owner:
        owner.execute("ALTER TABLE visits ADD PRIVACY_KEY (person)")
    words = {"query": ("query", str(file), sql, "--format", "csv"), "shell": ("shell", str(file))}
    for name, given in words.items():
        done = finish(start(*given, folder=tmp_path, stdin=subprocess.PIPE), sql.encode())
        assert "DECIMAL(9,2)" in done.out, (name, done)


def test_the_shell_knows_the_words() -> None:
    assert {"DESCRIBE", "TABLES"} <= set(keywords.KEYWORDS)
