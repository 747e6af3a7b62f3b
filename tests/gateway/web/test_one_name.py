"""One name takes all that it can have of a console: another one is answered all the same."""

from __future__ import annotations

import re
import select
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa
import pytest

from dpduck.doors.console.tables import render
from dpduck.doors.console.with_errors import NumbersWithErrors
from dpduck.doors.gateway.limits import ServerLimits
from dpduck.doors.gateway.web import server as web_server
from dpduck.doors.gateway.web.answers import csv_of
from dpduck.doors.gateway.web.asking import Asking
from dpduck.doors.gateway.web.runs import MOST_BYTES, RunOutcome
from dpduck.engines.duckdb.engine import DuckReader
from dpduck.kernel.tree.duckdb import sql
from tests.gateway.web.sites import Client, Site, site_on
from tests.gateway.wiring import wait_for

COUNT = "SELECT count(*) AS n FROM people"
LONG = f"{COUNT} WHERE age = 77"
STATEMENTS, MEMORY = 4, 400_000


class Held:
    """Queries on people of age 77, which go on when they are let go or stopped. `begun`: how many have."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.begun = 0

    def interrupt(self) -> None:
        self.over.set()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    plain, work = DuckReader.read, Held()

    def read(self: Any, query: Any, given: Any = None) -> Any:
        if "77" in sql(query):
            with self._interrupts.during(work):
                work.begun += 1
                assert work.over.wait(60)
        return plain(self, query, given)

    monkeypatch.setattr(DuckReader, "read", read)
    yield work
    work.over.set()


@pytest.fixture
def narrow(shop: Path) -> Iterator[Site]:
    with site_on(shop, limits=ServerLimits(statements=STATEMENTS, message_bytes=MEMORY)) as site:
        yield site


def in_thread(work: Any, *given: Any) -> threading.Thread:
    thread = threading.Thread(target=work, args=given, daemon=True)
    thread.start()
    return thread


def another(client: Client) -> Client:
    """The same browser, in another tab."""
    return Client(client.base, dict(client.cookies), text=client.text)


def test_two_sessions_of_a_name_have_half_of_the_places(narrow: Site, held: Held) -> None:
    def four(session: Client, first: int) -> list[threading.Thread]:
        session.get("/")
        asked = {f"{number}": f"{LONG} AND id <> {number}" for number in range(first, first + 4)}
        return [in_thread(another(session).run, text, "0.1", number) for number, text in asked.items()]

    one, two, before = narrow.as_analyst(), narrow.as_analyst(), narrow.charges
    running = four(one, 0)
    wait_for(lambda: held.begun == STATEMENTS // 2)
    waiting = four(two, 4)
    wait_for(lambda: two.get("/history").count("It is running.") == 4)
    eve = narrow.as_analyst("eve")
    assert "was charged" in eve.run(COUNT, "0.1")
    assert eve.get("/budgets")
    two.post("/stop", {})  # those that wait end at once, uncharged
    for thread in waiting:
        thread.join(30)
    assert narrow.charges == before + STATEMENTS // 2 + 1
    assert not held.over.is_set()
    one.post("/stop", {})
    for thread in running:
        thread.join(30)
    assert two.get("/history").count("Nothing was charged.") == 4


def test_prices_of_one_name_stand_before_nobody(narrow: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, goes_on, begun = Asking.price, threading.Event(), threading.Semaphore(0)

    def price(self: Asking, visitor: Any, text: str, epsilon: str) -> Any:
        if "-- long" in text:
            begun.release()
            assert goes_on.wait(60)
        return plain(self, visitor, text, epsilon)

    monkeypatch.setattr(Asking, "price", price)
    ana, eve = narrow.as_analyst(), narrow.as_analyst("eve")
    ana.get("/")
    eve.get("/")
    tabs = [another(ana) for _ in range(40)]
    threads = [in_thread(tab.price, f"{COUNT} -- long {n}") for n, tab in enumerate(tabs)]
    assert begun.acquire(timeout=30)
    wait_for(lambda: sum(tab.status == 429 for tab in tabs) == 35)  # one runs, and four wait
    assert "epsilon" in eve.price(COUNT)
    assert eve.status == 200
    for path in ("/", "/budgets", "/schema", "/history"):
        assert ana.get(path)
        assert ana.status == 200
    goes_on.set()
    for thread in threads:
        thread.join(30)
    assert sorted(tab.status for tab in tabs) == [200] * 5 + [429] * 35
    refused = next(tab for tab in tabs if tab.status == 429)
    assert '"kind":"refused"' in refused.text
    assert narrow.charges == 0


def body(size: int) -> bytes:
    head = f"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n"
    return f"{head}Content-Type: application/x-www-form-urlencoded\r\n\r\nname=".encode()


def test_forms_that_do_not_end_have_half_of_the_memory(narrow: Site) -> None:
    where = (urlsplit(narrow.address).hostname, urlsplit(narrow.address).port)
    with socket.create_connection(where) as one, socket.create_connection(where) as other:
        one.sendall(body(MEMORY // 2))
        other.sendall(body(MEMORY // 2))
        [told], _, _ = select.select([one, other], [], [], 30)  # whichever was read later
        assert told.recv(4_096).startswith(b"HTTP/1.1 503 ")
    eve = narrow.as_analyst("eve")
    assert "was charged" in eve.run(COUNT, "0.1")


def test_connections_of_one_network_are_half_and_end_if_they_say_nothing(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares = web_server.shared_connections(8)
    monkeypatch.setattr("dpduck.doors.gateway.web.server.shared_connections", lambda: shares)
    monkeypatch.setitem(web_server.SharedProtocol.__init__.__kwdefaults__, "seconds", 0.5)
    with site_on(shop) as site:
        where = (urlsplit(site.address).hostname, urlsplit(site.address).port)
        silent = [socket.create_connection(where) for _ in range(4)]
        with silent[0] as one:
            one.sendall(b"GET / HTTP/1.1\r\nHost: ")
            one.settimeout(30)
            with socket.create_connection(where) as more:
                assert more.recv(4_096).startswith(b"HTTP/1.1 503 ")
            assert one.recv(10) == b""  # it took too long to say what it wants
        wait_for(lambda: shares.free == 8)
        for link in silent[1:]:
            link.close()
        site.as_analyst()
        assert site.charges == 0


def test_an_answer_goes_out_in_parts() -> None:
    table = pa.table({'a "name"\n': [f"{i},\n" for i in range(5_000)], "n": range(5_000)})
    parts = list(csv_of(RunOutcome(NumbersWithErrors(table, 2))))
    assert "".join(parts) == render(table, "csv")
    assert max(map(len, parts)) < 100_000
    assert list(csv_of(RunOutcome())) == []


def test_an_answer_is_kept_up_to_a_size(narrow: Site) -> None:
    """Of 20,000 rows of 100 kB those that are kept are few, and that is said."""
    ana = narrow.as_analyst()
    words = ana.run(f"SELECT '{'x' * 100_000}' AS t, n FROM numbers")
    assert "rows that are kept of more" in words
    found = re.search(r"of ([0-9,]+) rows that are kept of more", words)
    assert found is not None
    assert MOST_BYTES < int(found[1].replace(",", "")) * 100_000 < 2 * MOST_BYTES
