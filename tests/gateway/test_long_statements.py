"""What one client has computed for long, at no cost, holds up nobody else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import dpduck
from tests.gateway import wiring as w
from tests.gateway.wiring import Gateway, error_of, rows_of

BY_CITY = "SELECT city, count(*) AS n FROM people GROUP BY city"
TIMES = "range(1000000) b(x), range(1000000) c(y)"
LONG = {
    "over released rows": f"SELECT count(*) FROM ({BY_CITY}) a, {TIMES}",
    "over a report": f"SELECT count(*) FROM (SELECT * FROM dp_budget()) a, {TIMES}",
    "over public rows": f"SELECT count(*) FROM cities a, {TIMES}",
}
OTHERS = ("SELECT count(*) FROM cities", "SELECT count(*) FROM pg_catalog.pg_class", BY_CITY)


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    file = w.make_shop(tmp_path / "shop.duckdb")
    w.add_analyst(file)
    w.add_analyst(file, "bo")
    with dpduck.connect(file, epsilon="0.1") as owner:
        owner.execute(BY_CITY)
    gateway = Gateway(file, "--epsilon", "0.1", "--statement-timeout", "60", script="")
    yield gateway
    gateway.kill()


@pytest.mark.parametrize("sql", LONG.values(), ids=LONG.keys())
def test_others_are_answered_meanwhile(gateway: Gateway, sql: str) -> None:
    over = threading.Event()

    def ask() -> None:
        with suppress(ConnectionError), gateway.client(timeout=120) as client:  # the server is killed
            client.ask(sql)
            over.set()

    for _ in range(2):
        threading.Thread(target=ask, daemon=True).start()
    with gateway.client(timeout=30, user="bo") as client:
        for other in OTHERS * 3:
            replies = client.ask(other)
            assert rows_of(replies), error_of(replies)
        assert not over.is_set()
