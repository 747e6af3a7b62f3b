"""A dashboard costs what its queries cost once, however often it is refreshed and however it is spelled."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

import dpduck
from tests.ledger import dashboard

COST = Decimal(dashboard.EPSILON)
REFRESHES = 30


@pytest.fixture
def db(tmp_path: Path) -> Iterator[dpduck.Connection]:
    path = tmp_path / "shop.duckdb"
    dashboard.make(path)
    with dpduck.connect(path, analyst=dashboard.ANALYST, epsilon=dashboard.EPSILON) as db:
        yield db


def charged(db: dpduck.Connection) -> list[str]:
    """The queries that cost something."""
    return [row["query"] for row in db.ledger().to_pylist() if row["epsilon"]]


def spent(db: dpduck.Connection) -> dict[str, Decimal]:
    return {row["scope"]: row["epsilon_spent"] for row in db.budget().to_pylist()}


@pytest.mark.slow
def test_a_dashboard_is_paid_for_once(db: dpduck.Connection) -> None:
    """Twelve queries, each time spelled otherwise: whitespace, cases, quotes, aliases, literals."""
    first = [db.execute(spellings[0]).fetchall() for spellings in dashboard.QUERIES.values()]
    once = charged(db)
    assert once == [spellings[0] for spellings in dashboard.QUERIES.values()]
    assert len(once) == 12
    for refresh in range(1, REFRESHES):
        for spellings, rows in zip(dashboard.QUERIES.values(), first, strict=True):
            again = db.execute(spellings[refresh % len(spellings)]).fetchall()
            assert sorted(map(str, again)) == sorted(map(str, rows))
    assert charged(db) == once
    assert spent(db) == dict.fromkeys(("session", "analyst", "table", "people"), 12 * COST)


@pytest.mark.slow
def test_a_dashboard_of_another_session_costs_nothing_more(db: dpduck.Connection) -> None:
    texts = [text for spellings in dashboard.QUERIES.values() for text in spellings]
    rows = [db.execute(text).fetchall() for text in texts]
    path = Path(db._data.execute("SELECT path FROM duckdb_databases() LIMIT 1").fetchall()[0][0])
    db.close()
    with dpduck.connect(path, analyst="bob", epsilon=dashboard.EPSILON) as bob:
        assert [bob.execute(text).fetchall() for text in texts] == rows
        assert charged(bob) == []
        assert spent(bob)["people"] == 12 * COST


@pytest.mark.parametrize("name", dashboard.OTHERWISE)
def test_spellings_that_are_not_seen_to_be_the_same_are_paid_for(db: dpduck.Connection, name: str) -> None:
    """A limit. Where one of these costs nothing more, its spellings belong to `dashboard.QUERIES`."""
    for text in dashboard.OTHERWISE[name]:
        db.execute(text)
    assert charged(db) == dashboard.OTHERWISE[name]


def test_what_differs_is_paid_for(db: dpduck.Connection) -> None:
    """Else the tests above would show nothing."""
    texts = [
        "SELECT count(*) FROM sales WHERE age > 30",
        "SELECT count(*) FROM sales WHERE age >= 30",
        "SELECT count(*) FROM sales WHERE age > 31",
        "SELECT count(*) FROM sales WHERE city = 'Bonn'",
        "SELECT count(*) FROM sales WHERE NOT is_gift",
        "SELECT sum(pieces) FROM sales",
        "SELECT sum(amount) FROM sales",
    ]
    for text in texts:
        db.execute(text)
    assert charged(db) == texts
