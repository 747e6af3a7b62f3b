"""What a plan relies on changes before rows are read: the query is refused, and nothing is charged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import duckdb
import pytest

import dpduck
from dpduck.answers.service import Service
from dpduck.kernel.ledger.session import Session

SCHEMA = """
CREATE TABLE shops (id INTEGER, town VARCHAR);
INSERT INTO shops VALUES (1, 'Ulm'), (2, 'Bonn');
CREATE TABLE other (x INTEGER);
CREATE TABLE people AS SELECT i AS id FROM range(100) AS r(i);
ALTER TABLE people ADD PRIMARY KEY (id);
CREATE TABLE towns (id BIGINT PRIMARY KEY, town VARCHAR);
INSERT INTO towns VALUES (1, 'a'), (2, 'b');
CREATE TABLE sales AS SELECT i AS person, 1 + i % 2 AS shop FROM range(100) AS r(i);
"""
POLICIES = """
ALTER TABLE shops SET PUBLIC; ALTER TABLE other SET PUBLIC;
ALTER TABLE sales ADD PRIVACY_KEY (person); ALTER TABLE people ADD PRIVACY_KEY (id);
ALTER TABLE towns SET PUBLIC; CREATE PRIVACY BUDGET life LIMIT 1000 FORCE
"""
TOWNS = "SELECT town, count(*) AS n FROM sales JOIN shops ON shop = id GROUP BY town"
LABELS = "SELECT town, count(*) AS n FROM people JOIN towns USING (id) GROUP BY town"
PEOPLE = "SELECT count(*) AS n FROM people"
CHANGED = "the database has changed while the query was planned"
KEYLESS = "CREATE OR REPLACE TABLE people AS SELECT 7 AS id FROM range(50000)"
FOUNDATIONS = (  # what is done, and the query that relied on what it undoes
    (KEYLESS, PEOPLE),  # there was one row of each person
    ("CREATE OR REPLACE TABLE towns AS SELECT 1::BIGINT AS id, 'a' AS town FROM range(4)", LABELS),
    ("DROP TABLE people", PEOPLE),
    ("ALTER TABLE people RENAME TO folk", PEOPLE),
    ("ALTER TABLE people ADD COLUMN age INTEGER", PEOPLE),
)
CHANGES = (
    "INSERT INTO shops VALUES (1, 'Ulm')",  # then a person has two rows
    "INSERT INTO shops VALUES (3, 'Rome')",
    "DELETE FROM shops WHERE id = 1",
    "UPDATE shops SET town = 'Koeln' WHERE id = 2",
)


@pytest.fixture(params=["memory", "file"])
def rows(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    place = ":memory:" if request.param == "memory" else str(tmp_path / "shops.duckdb")
    with duckdb.connect(place) as connection:
        connection.execute(SCHEMA)
        yield connection


@pytest.fixture
def db(rows: duckdb.DuckDBPyConnection) -> Iterator[dpduck.Connection]:
    with dpduck.connect(rows, epsilon="0.5") as db:
        db.execute(POLICIES)
        yield db


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Lets something happen when the next query has been planned."""
    found = Service._found

    def then(happen: Callable[[], object]) -> None:
        def changed(service: Service, request: Any) -> Any:
            monkeypatch.setattr(Service, "_found", found)
            happen()
            return found(service, request)

        monkeypatch.setattr(Service, "_found", changed)

    return then


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_noticed(change: str, rows: Any, db: dpduck.Connection, planned: Any) -> None:
    planned(lambda: rows.execute(change))
    with pytest.raises(dpduck.PolicyError) as caught:
        db.execute(TOWNS)
    assert caught.value.message == CHANGED
    assert caught.value.charged == "0"
    assert db.execute("SELECT epsilon FROM dp_ledger()").fetchall() == []
    assert db.execute(TOWNS).fetchall()  # the hint is followed: by now it is planned for other rows
    assert db.charged == "0.5"


@pytest.mark.parametrize("change", ["INSERT INTO other VALUES (1)", "DELETE FROM sales WHERE person = 3"])
def test_other_rows_may_change(change: str, rows: Any, db: dpduck.Connection, planned: Any) -> None:
    planned(lambda: rows.execute(change))
    assert len(db.execute(TOWNS).fetchall()) == 2
    assert db.charged == "0.5"


@pytest.mark.parametrize(("change", "query"), FOUNDATIONS)
def test_tables_and_constraints_may_not_change(
    change: str, query: str, rows: Any, db: dpduck.Connection, planned: Any
) -> None:
    planned(lambda: rows.execute(change))
    with pytest.raises(dpduck.PolicyError) as caught:
        db.execute(query)
    assert caught.value.message == CHANGED
    assert caught.value.charged == "0"
    assert db.execute("SELECT epsilon FROM dp_ledger()").fetchall() == []


def test_policies_may_not_change(
    rows: duckdb.DuckDBPyConnection, db: dpduck.Connection, planned: Any
) -> None:
    owner = dpduck.connect(rows.cursor())
    planned(lambda: owner.execute("ALTER TABLE people SET PRIVACY CONTRIBUTION (rows = 3)"))
    with pytest.raises(dpduck.PolicyError, match=CHANGED):
        db.execute(PEOPLE)


def test_what_changes_after_the_check_is_not_read(
    rows: duckdb.DuckDBPyConnection, db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    charge = Session.charge

    def charged(session: Session, *args: Any, **options: Any) -> int:
        rows.cursor().execute(KEYLESS)
        return charge(session, *args, **options)

    db.execute("SET dp_epsilon = 5")
    monkeypatch.setattr(Session, "charge", charged)
    [(number,)] = db.execute(PEOPLE).fetchall()
    assert 0 < number < 200


def test_a_stream_asks_of_what_it_was_planned_for(
    rows: duckdb.DuckDBPyConnection, db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = Service.count_request

    def requested(service: Service, *args: Any) -> Any:
        found = request(service, *args)
        rows.cursor().execute(KEYLESS)
        return found

    monkeypatch.setattr(Service, "count_request", requested)
    with dpduck.SparseVector(1000, 3, "1", db) as above:
        with pytest.raises(dpduck.PolicyError, match=CHANGED):
            above.ask(PEOPLE)
        assert above.epsilon_used == "0"


@pytest.mark.slow
def test_a_race_is_never_won(rows: duckdb.DuckDBPyConnection, db: dpduck.Connection) -> None:
    """An owner replaces a table again and again while its people are counted."""
    for setting in ("SET dp_epsilon = 5", "SET dp_replay = off"):
        db.execute(setting)
    cursor, stop, answers = rows.cursor(), Event(), []
    cursor.execute("CREATE TABLE kept AS FROM people")

    def replace() -> None:
        while not stop.wait(0.01):
            cursor.execute(KEYLESS)
            cursor.execute(
                "BEGIN; DROP TABLE people; CREATE TABLE people (id BIGINT PRIMARY KEY); "
                "INSERT INTO people FROM kept; COMMIT"
            )

    owner = Thread(target=replace)
    owner.start()
    try:
        for _ in range(30):
            with suppress(dpduck.DpduckError):
                answers += db.execute(PEOPLE).fetchall()
    finally:
        stop.set()
        owner.join()
    assert all(number < 200 for (number,) in answers)
