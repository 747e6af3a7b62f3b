"""Statements that are enormous or nested deeply: a refusal that says so, at every door, for nothing.

A thousand UNIONs without a table were an internal error of the gateway, and each minus in a row doubled the
time to plan a query.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.kernel.errors import ParameterError, SqlSyntaxError, UnsupportedSqlError
from tests.gateway import wiring as w
from tests.gateway.talking import House

COUNT = "SELECT count(*) FROM people WHERE "
LARGE = {
    "unions": " UNION ALL ".join(["SELECT count(*) FROM people"] * 1500),
    "unions without a table": " UNION ".join(["SELECT 1"] * 1500),
    "unions of a public table": " UNION ".join(["SELECT n FROM numbers"] * 1500),
    "sums": f"{COUNT}age{' + 1' * 1500} > 3",
    "sums without a table": f"SELECT 1{' + 1' * 1500}",
    "parentheses": f"{COUNT}{'(' * 5000}age > 3{')' * 5000}",
    "brackets": f"SELECT {'[' * 2000}1{']' * 2000}",
    "negations": f"{COUNT}{'NOT ' * 2000}age > 3",
    "constants": f"{COUNT}age IN ({', '.join(map(str, range(20_001)))})",
    "cases": f"{COUNT}{'CASE WHEN age > 1 THEN ' * 500}1{' ELSE 0 END' * 500} > 0",
    "subqueries": f"SELECT * FROM {'(SELECT * FROM ' * 300}people{')' * 300}",
    "CTEs": "WITH "
    + ", ".join(f"c{i} AS (SELECT * FROM {f'c{i - 1}' if i else 'people'})" for i in range(500))
    + " SELECT count(*) FROM c499",
    "EXPLAINs": "EXPLAIN " * 3000 + "SELECT 1",
}
REFUSED = (SqlSyntaxError, UnsupportedSqlError, ParameterError)
CODES = {error.sqlstate for error in REFUSED}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return w.make_shop(tmp_path_factory.mktemp("large") / "shop.duckdb")


@pytest.fixture(scope="module")
def house(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(shop, tmp_path_factory.mktemp("ledger") / "ledger")
    yield house
    house.close()


@pytest.mark.parametrize("sql", LARGE.values(), ids=LARGE)
def test_in_python(shop: Path, tmp_path: Path, sql: str) -> None:
    with dpduck.connect(shop, analyst="ana", epsilon="0.1", ledger=tmp_path / "ledger") as db:
        for ask in (db.execute, db.explain):
            with pytest.raises(REFUSED) as caught:
                ask(sql)
            assert caught.value.charged == "0"
            assert len(str(caught.value)) < 2000
        assert db.ledger().num_rows == 0


@pytest.mark.parametrize("sql", LARGE.values(), ids=LARGE)
def test_at_the_gateway(house: House, sql: str) -> None:
    talk = house.talk()
    for text in (sql, f"COPY ({sql}) TO STDOUT"):
        replies = talk.say(w.query(text))
        assert w.kinds(replies) == "EZ"
        assert w.error_of(replies)["C"] in CODES
    assert house.ledger.entries() == []


@pytest.mark.parametrize("sql", LARGE.values(), ids=LARGE)
def test_in_a_function(shop: Path, tmp_path: Path, sql: str) -> None:
    with duckdb.connect(str(shop), read_only=True) as con:
        dpduck.register(con, epsilon="0.1", ledger=tmp_path / "ledger")
        with pytest.raises(duckdb.Error) as caught:
            con.execute("FROM dp(?)", [sql]).fetchall()
        assert "dpduck failed" not in str(caught.value)
        assert con.execute("FROM dp_ledger()").fetchall() == []


def test_each_minus_takes_as_long_as_the_last(shop: Path, tmp_path: Path) -> None:
    with dpduck.connect(shop, analyst="ana", epsilon="0.1", ledger=tmp_path / "ledger") as db:
        before = time.monotonic()
        db.explain(f"{COUNT}{'- ' * 40}age > 3")
        assert time.monotonic() - before < 60  # of 2 to the 40 steps it would be years
