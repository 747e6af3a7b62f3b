"""A public table that changes between planning and reading: the query is refused, and nothing is charged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import dpduck
from dpduck.runtime.service import Service

SCHEMA = """
CREATE TABLE shops (id INTEGER, town VARCHAR);
INSERT INTO shops VALUES (1, 'Ulm'), (2, 'Bonn');
CREATE TABLE other (x INTEGER);
CREATE TABLE sales AS SELECT i AS person, 1 + i % 2 AS shop FROM range(100) AS r(i);
"""
POLICIES = """
ALTER TABLE shops SET PUBLIC; ALTER TABLE other SET PUBLIC;
ALTER TABLE sales ADD PRIVACY_KEY (person); CREATE PRIVACY BUDGET life LIMIT 10
"""
TOWNS = "SELECT town, count(*) AS n FROM sales JOIN shops ON shop = id GROUP BY town"
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
    assert caught.value.message == "a public table has changed while the query was planned"
    assert caught.value.charged == "0"
    assert db.execute("SELECT epsilon FROM dp_ledger()").fetchall() == []
    if "(1, 'Ulm')" in change:  # the hint is followed: by now it is another query
        with pytest.raises(dpduck.DpduckError):
            db.execute(TOWNS)
    else:
        assert db.execute(TOWNS).fetchall()
        assert db.charged == "0.5"


@pytest.mark.parametrize("change", ["INSERT INTO other VALUES (1)", "DELETE FROM sales WHERE person = 3"])
def test_other_rows_may_change(change: str, rows: Any, db: dpduck.Connection, planned: Any) -> None:
    planned(lambda: rows.execute(change))
    assert len(db.execute(TOWNS).fetchall()) == 2
    assert db.charged == "0.5"
