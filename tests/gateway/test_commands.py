"""Statements about the connection itself, as clients of Postgres write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpduck.compiler.parse.split import split
from dpduck.doors.gateway import commands as c
from dpduck.doors.gateway.command_readers import command_of
from dpduck.doors.gateway.encoding.copy_out import CopyOptions
from dpduck.kernel.errors import DpduckError


def command(text: str) -> c.ConnectionCommand | None:
    [piece] = split(text)
    return command_of(piece)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("BEGIN", c.Begin()),
        ("begin transaction isolation level repeatable read, read only", c.Begin()),
        ("START TRANSACTION", c.Begin()),
        ("COMMIT", c.Commit()),
        ("END TRANSACTION", c.Commit()),
        ("ROLLBACK", c.Commit(rolls_back=True)),
        ("ABORT WORK", c.Commit(rolls_back=True)),
        ("SAVEPOINT a", c.Savepoint(tag="SAVEPOINT", name="a")),
        ("RELEASE SAVEPOINT a", c.Savepoint(tag="RELEASE", name="a", releases=True)),
        ("ROLLBACK TO a", c.Savepoint(tag="ROLLBACK", name="a", goes_back=True)),
        ("ROLLBACK TRANSACTION TO SAVEPOINT a", c.Savepoint(tag="ROLLBACK", name="a", goes_back=True)),
        ("SET a.b = 1", c.SetParameter(name="a.b", value="1")),
        ("SET dp_epsilon TO 0.5", c.SetParameter(name="dp_epsilon", value="0.5")),
        ("SET SESSION DateStyle = 'ISO, MDY'", c.SetParameter(name="datestyle", value="ISO, MDY")),
        ('SET LOCAL search_path TO a, "B"', c.SetParameter(name="search_path", value="a, B", is_local=True)),
        ("SET x.y TO DEFAULT", c.SetParameter(name="x.y", value=None)),
        ("SET x.y TO 'DEFAULT'", c.SetParameter(name="x.y", value="DEFAULT")),
        ("SET TIME ZONE 'UTC'", c.SetParameter(name="timezone", value="UTC")),
        ("SET NAMES 'UTF8'", c.SetParameter(name="client_encoding", value="UTF8")),
        ("SET TRANSACTION READ ONLY", c.NoEffect(tag="SET")),
        ("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", c.NoEffect(tag="SET")),
        ("SHOW dp_epsilon", c.ShowParameter(name="dp_epsilon")),
        ("SHOW TIME ZONE", c.ShowParameter(name="timezone")),
        ("SHOW transaction isolation level", c.ShowParameter(name="transaction_isolation")),
        ("SHOW PRIVACY", None),
        ("SHOW PRIVACY FOR people", None),
        ("RESET ALL", c.Discard(tag="RESET")),
        ("reset all -- and more", c.Discard(tag="RESET")),
        ("RESET dp_epsilon", c.SetParameter(name="dp_epsilon", value=None)),
        ("DEALLOCATE s", c.Deallocate(name="s")),
        ('DEALLOCATE PREPARE "S"', c.Deallocate(name="S")),
        ("DEALLOCATE ALL", c.Deallocate(name=None)),
        ('DEALLOCATE "ALL"', c.Deallocate(name="ALL")),
        ("DISCARD ALL", c.Discard(tag="DISCARD ALL")),
        ("UNLISTEN *", c.NoEffect(tag="UNLISTEN")),
        ("COPY (SELECT 1) TO STDOUT", c.CopyOut(sql="SELECT 1", options=CopyOptions(), shift=6)),
        ("SELECT 1", None),
        ("EXPLAIN SELECT 1", None),
        ("(SELECT 1)", None),
        ("CREATE TABLE t(a INT)", None),
        ('"BEGIN"', None),
        ("'BEGIN'", None),
    ],
)
def test_commands(text: str, expected: c.ConnectionCommand | None) -> None:
    assert command(text) == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", CopyOptions()),
        ("(FORMAT binary)", CopyOptions(format="binary")),
        ("WITH BINARY", CopyOptions(format="binary")),
        ("(FORMAT csv, HEADER)", CopyOptions(format="csv", header=True)),
        ("(FORMAT csv, DELIMITER ';', HEADER false)", CopyOptions(format="csv", delimiter=";")),
        ("WITH CSV HEADER DELIMITER AS '|'", CopyOptions(format="csv", delimiter="|", header=True)),
        ("WITH (FORMAT text, NULL 'x')", CopyOptions(null="x")),
    ],
)
def test_options_of_copy(options: str, expected: CopyOptions) -> None:
    found = command(f"COPY people TO STDOUT {options}")
    assert isinstance(found, c.CopyOut)
    assert found.options == expected


def test_a_table_is_copied_as_a_query() -> None:
    whole, part = command('COPY a."B c" TO STDOUT'), command('COPY t (x, "y") TO STDOUT')
    assert isinstance(whole, c.CopyOut)
    assert isinstance(part, c.CopyOut)
    assert whole.sql == 'SELECT * FROM a."B c"'
    assert part.sql == 'SELECT x, "y" FROM t'


@pytest.mark.parametrize(
    "text",
    [
        "SET",
        "SET a",
        "SET a.b =",
        "SET a b",
        "RESET",
        "DEALLOCATE",
        "DEALLOCATE a b",
        "COPY",
        "COPY t",
        "COPY (",
    ],
)
def test_what_is_not_understood_is_refused(text: str) -> None:
    with pytest.raises(DpduckError):
        command(text)


WORDS = ["COPY", "SET", "SHOW", "RESET", "DEALLOCATE", "DISCARD", "BEGIN", "ROLLBACK", "TO", "FROM", "STDOUT"]
MORE = [
    "(",
    ")",
    ",",
    ".",
    "=",
    "'x'",
    '"y"',
    "1",
    "ALL",
    "DEFAULT",
    "a",
    "TIME",
    "ZONE",
    "CSV",
    "WITH",
    "NULL",
]


@given(st.sampled_from(WORDS), st.lists(st.sampled_from(WORDS + MORE), max_size=9))
def test_any_words_are_a_command_a_query_or_refused(first: str, rest: list[str]) -> None:
    for piece in split(" ".join((first, *rest))):
        try:
            found = command_of(piece)
        except DpduckError:
            continue
        assert found is None or isinstance(found, c.ConnectionCommand)
