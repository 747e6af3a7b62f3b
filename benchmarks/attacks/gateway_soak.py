"""A server under load and under broken messages: what became of clients, of the budget, and of its memory."""

from __future__ import annotations

import socket
from collections import Counter
from fractions import Fraction
from pathlib import Path

from benchmarks.attacks.gateway_fuzz import fuzz
from benchmarks.attacks.gateway_load import Ask, load
from dpduck.kernel.ledger import open_ledger
from tests.gateway import wiring as w
from tests.gateway.wiring import Gateway, Wired, error_of, kinds

COUNT = "SELECT count(*) FROM people"
CITIES = "SELECT city FROM cities"
ASKED = (COUNT, CITIES, "SELECT city, count(*) FROM people GROUP BY city", "SHOW dp_epsilon")

OPENINGS = (w.startup(user="ana", database="shop"), w.SSL_REQUEST, w.GSS_REQUEST, w.cancel(1, 2))
ROUNDS = (
    w.query(CITIES),
    w.query("BEGIN; SHOW timezone; COMMIT"),
    w.query("SELECT nothing FROM people"),
    w.query(f"COPY ({CITIES}) TO STDOUT"),
    w.parse("SELECT city FROM cities WHERE size = $1", "s")
    + w.bind([b"1"], "s", "p")
    + w.describe("P", "p")
    + w.execute("p", 1)
    + w.close("P", "p")
    + w.close("S", "s")
    + w.SYNC,
    w.message("F", b"x") + w.FLUSH + w.SYNC,
    w.sasl_initial("n,,n=,r=x"),
)


def soak(
    folder: Path, *, clients: int, seconds: float, limit: int
) -> tuple[Counter[str], Fraction, list[int]]:
    """Let clients ask until a budget is spent, and go on.

    Output: how many statements ended with each sqlstate; the epsilon that was spent, by a ledger that adds
        up; the server's memory in bytes, each second.
    """
    file = w.make_shop(folder / "shop.duckdb", limit=str(limit))
    w.add_analyst(file)
    gateway = Gateway(
        file, "--epsilon", "0.1", "--quantum", "20", "--max-connections-by-name", str(clients + 1), script=""
    )
    memory: list[int] = []
    opened: list[Wired] = []

    def connect() -> Ask:
        client = Wired(gateway.port, timeout=60)
        opened.append(client)
        client.login()
        client.ask("SET dp_replay = off")
        return lambda sql: _sqlstate(client, sql)

    try:
        found = load(
            connect,
            ASKED,
            clients=clients,
            seconds=seconds,
            meanwhile=lambda: memory.append(gateway.memory),
        )
        _spend_the_rest(gateway)
        with open_ledger(f"{file}.ledger") as ledger:
            spent = sum((entry.epsilon for entry in ledger.entries()), Fraction(0))
            ledger.verify()
        assert gateway.stop() == 0
    finally:
        gateway.kill()
        for client in opened:
            client.socket.close()
    return found, spent, memory


def fuzzed(gateway: Gateway, count: int) -> Counter[str]:
    """Send broken messages to a server, which must answer afterwards and charge nothing.

    Output: as of `fuzz`.
    """
    before = w.entries(gateway.file)

    def connect() -> socket.socket:
        return socket.create_connection(("127.0.0.1", gateway.port), timeout=20)

    def login() -> socket.socket:
        client = Wired(gateway.port)
        client.login()
        return client.socket

    found = fuzz(connect, login, OPENINGS, ROUNDS, count)
    with gateway.client() as client:
        assert kinds(client.ask(CITIES)) == "TDDDCZ"
    assert w.entries(gateway.file) == before
    return found


def _sqlstate(client: Wired, sql: str) -> str:
    errors = [reply for reply in client.ask(sql) if reply[0] == "E"]
    return error_of(errors)["C"] if errors else "00000"


def _spend_the_rest(gateway: Gateway) -> None:
    """Ask until there is nothing left to spend."""
    with gateway.client() as client:
        client.ask("SET dp_replay = off")
        while (sqlstate := _sqlstate(client, COUNT)) == "00000":
            pass
        assert sqlstate == "53400"
