"""Policies that are sent together: they take effect as a whole or not at all, and each is on record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import duckdb
import pytest

import dpduck
from dpduck.compiler.parse.statements import parse
from dpduck.kernel.catalog.statements import PolicyScript, SetPublic, TableName
from dpduck.policies import decisions

SCRIPT = """
BEGIN;
ALTER TABLE towns SET PUBLIC;
ALTER TABLE people ADD PRIVACY_KEY (id);
ALTER TABLE people ALTER COLUMN town SET PRIVACY DOMAIN REFERENCES towns(name);
ALTER TABLE visits ADD PRIVACY_LINK (person) REFERENCES people(id);
CREATE PRIVACY BUDGET life LIMIT 3;
COMMIT;
"""
WHOLE = [
    ("people", "private", "id", None, None, None),
    ("people", "private", "id", "town", "REFERENCES towns(name): 3 values", None),
    ("towns", "public", None, None, None, None),
    ("visits", "private", "person -> people.id", None, None, None),
]
NOTHING = [(name, "closed", None, None, None, None) for name in ("people", "towns", "visits")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "clinic.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE towns AS SELECT unnest(['a', 'b', 'c']) AS name")
        connection.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, town VARCHAR)")
        connection.execute("INSERT INTO people SELECT i, 'a' FROM range(50) AS r(i)")
        connection.execute("CREATE TABLE visits AS SELECT id AS person FROM people")
    return path


@pytest.fixture
def db(path: Path) -> Iterator[dpduck.Connection]:
    with dpduck.connect(path, epsilon="0.5") as db:
        yield db


def shown(db: dpduck.Connection) -> list[tuple[object, ...]]:
    return db.execute("SHOW PRIVACY").fetchall()


def said(db: dpduck.Connection) -> list[str]:
    return [row[0] for row in db.execute("SELECT statement FROM dp_policies()").fetchall()]


@pytest.mark.parametrize("text", [SCRIPT, SCRIPT.replace("BEGIN;", "").replace("COMMIT;", "")])
def test_a_script_takes_effect(text: str, db: dpduck.Connection) -> None:
    db.execute(text)
    assert shown(db) == WHOLE
    assert [words.rstrip(";") for words in SCRIPT.strip().split("\n")[1:-1]] == said(db)[-5:]


def test_one_by_one_comes_to_the_same(path: Path, tmp_path: Path) -> None:
    together, apart = tmp_path / "together.duckdb", tmp_path / "apart.duckdb"
    found = []
    for file, texts in ((together, [SCRIPT]), (apart, SCRIPT.split(";\n")[1:-2])):
        file.write_bytes(path.read_bytes())
        with dpduck.connect(file, epsilon="0.5") as db:
            for text in texts:
                db.execute(text)
            budgets = [row for row in db.execute("SHOW PRIVACY BUDGETS").fetchall() if row[0] != "session"]
            found.append((shown(db), budgets, said(db)))
        with dpduck.connect(file, epsilon="0.5") as db:
            assert db.notices == []  # nothing was edited
            db._service.session.ledger.verify()
            assert db.execute("SELECT count(*) FROM visits").fetchall()
    assert found[0] == found[1]


def test_one_wrong_statement_undoes_all(db: dpduck.Connection) -> None:
    with pytest.raises(dpduck.UnknownNameError) as caught:
        db.execute(SCRIPT.replace("visits ADD", "visit ADD"))
    assert "This is statement 4 of 5, of which none takes effect." in str(caught.value.detail)
    assert shown(db) == NOTHING
    assert said(db) == []
    db.execute(SCRIPT)
    assert shown(db) == WHOLE


def test_a_script_that_cannot_be_stored_is_on_record(path: Path) -> None:
    with dpduck.connect(path, epsilon="0.5") as db:
        with patch.object(decisions, "store", side_effect=RuntimeError), pytest.raises(RuntimeError):
            db.execute(SCRIPT)
        assert shown(db) == NOTHING
    with dpduck.connect(path, epsilon="0.5") as db:
        told = said(db)
        assert told[-1].startswith("edited from outside: gone: budget life; gone: domain main.people.town; ")
        assert len(told) == 6


def test_what_needs_force_needs_it_in_a_script(db: dpduck.Connection) -> None:
    db.execute(SCRIPT)
    db.execute("SELECT count(*) FROM visits")
    with pytest.raises(dpduck.PolicyError) as caught:
        db.execute("ALTER TABLE towns SET PUBLIC; ALTER TABLE visits DROP PRIVACY")
    assert "needs the word FORCE" in str(caught.value)
    assert shown(db) == WHOLE


def test_a_key_cannot_be_changed_in_two_steps(db: dpduck.Connection) -> None:
    db.execute(SCRIPT)
    db.execute("SELECT count(*) FROM visits")
    with pytest.raises(dpduck.PolicyError) as caught:
        db.execute("ALTER TABLE visits DROP PRIVACY FORCE; ALTER TABLE visits ADD PRIVACY_KEY (person)")
    assert "another privacy key for table visits needs the word FORCE" in str(caught.value)
    assert shown(db) == WHOLE


def test_an_analyst_sends_no_script(path: Path) -> None:
    with dpduck.connect(path, epsilon="0.5", analyst="ana") as db, pytest.raises(dpduck.PolicyError):
        db.execute(SCRIPT)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1; SELECT 2",
        "ALTER TABLE towns SET PUBLIC; SELECT 1",
        "BEGIN; ALTER TABLE towns SET PUBLIC",
        "ALTER TABLE towns SET PUBLIC; COMMIT",
        "BEGIN; COMMIT",
        "BEGIN; SHOW PRIVACY; COMMIT",
        "BEGIN; ALTER TABLE towns SET PUBLIC; ROLLBACK",
        "SET dp_epsilon = 1; ALTER TABLE towns SET PUBLIC",
    ],
)
def test_other_texts_hold_one_statement(text: str) -> None:
    with pytest.raises(dpduck.UnsupportedSqlError) as caught:
        parse(text)
    assert caught.value.message == "only one statement at a time is supported"


def test_one_statement_between_begin_and_commit() -> None:
    script = PolicyScript((SetPublic(TableName("towns")),))
    assert parse("BEGIN; ALTER TABLE towns SET PUBLIC; COMMIT;") == script
