"""A delta above what people may lose in all was set without a word; queries that took it were refused."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.doors.cli import main
from tests.gateway.talking import House
from tests.gateway.wiring import query

WARNING = (
    "dp_delta is 0.001, and the people behind people.id may lose delta 0.00001 in all: queries that take a "
    "delta are refused."
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE people AS SELECT i AS id, i % 3 AS sex FROM range(90) r(i)")
    with dpduck.connect(path) as db:
        db.execute("ALTER TABLE people ADD PRIVACY_KEY (id)")
    return path


@pytest.mark.parametrize("analyst", [None, "ana"])
def test_when_it_is_set(shop: Path, analyst: str | None) -> None:
    with dpduck.connect(shop, analyst=analyst) as db:
        assert db.notices == []
        assert db.execute("SET dp_delta = 1e-3").notices == [WARNING]
        assert db.execute("SET dp_delta = 1e-5").notices == []
        assert db.execute("SET dp_epsilon = 0.5").notices == []
    with dpduck.connect(shop, analyst=analyst, delta="0.001") as db:
        assert db.notices == [WARNING]


def test_by_the_cap_that_was_declared(shop: Path) -> None:
    with dpduck.connect(shop) as db:
        db.execute("CREATE PRIVACY BUDGET life LIMIT 10 DELTA 0.01 FORCE")
        assert db.execute("SET dp_delta = 0.001").notices == []
        db.execute("ALTER PRIVACY BUDGET life DELTA 0")
        [notice] = db.execute("SET dp_delta = 0.0000001").notices
        assert "may lose delta 0 in all" in notice


def test_of_a_database_without_people(tmp_path: Path) -> None:
    with dpduck.connect(duckdb.connect(), delta="0.001") as db:
        assert db.notices == []
        assert db.execute("SET dp_delta = 0.01").notices == []


def test_on_the_command_line(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["query", str(shop), "SELECT count(*) FROM people", "--epsilon", "1", "--delta", "0.001"]
    assert main(arguments) == 0
    assert WARNING in capsys.readouterr().err


def test_in_plain_sql(shop: Path) -> None:
    """There a setting can only be set: nothing is said, and nothing fails."""
    with duckdb.connect(str(shop)) as connection:
        dpduck.register(connection, epsilon=1)
        connection.execute("SELECT * FROM dp('SET dp_delta = 0.001')").fetchall()


def test_at_the_gateway(shop: Path) -> None:
    house = House(shop)
    try:
        replies = house.talk().say(query("SET dp_delta = 0.001"))
        assert any(WARNING.encode() in reply[1] for reply in replies)
        replies = house.talk().say(query("SET dp_delta = 0.000001"))
        assert not any(b"may lose" in reply[1] for reply in replies)
    finally:
        house.close()
