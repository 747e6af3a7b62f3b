"""64 clients of one gateway: replays alone, and replays beside fresh queries and explanations.

All clients are in this process, which writes prepared bytes to their sockets and looks for the end of each
reply, so that it takes little of the machine itself; how much is measured, and so is what the server takes.
Each mix is measured beside replays alone, in turns and in the same run, since the machine is not always the
same.
"""

from __future__ import annotations

import os
import random
import select
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import mean, median

import psycopg

CLIENTS = 64
_SEED = 20260722
_REPLAY = "SELECT city, count(*) AS n FROM sales WHERE age > {} GROUP BY city ORDER BY n DESC LIMIT 3"
_FRESH = "SELECT count(*) AS n FROM sales WHERE age > 30 OR age = {}"
_EXPLAIN = "EXPLAIN SELECT count(*) AS n FROM sales WHERE age > 31 OR age = {}"
_PLACES = range(1, 6)  # so many queries are replayed
MIXES: Mapping[str, Mapping[str, int]] = {
    "replays alone": {"replay": 100},
    "95 % replays, 5 % fresh": {"replay": 95, "fresh": 5},
    "70 % replays, 20 % fresh, 10 % EXPLAIN": {"replay": 70, "fresh": 20, "explain": 10},
}
_READY = b"Z\x00\x00\x00\x05I"
_MOST_READ = 1 << 16


@dataclass
class _Client:
    """A connection whose socket is used directly. `kind`: of what was asked last, and when."""

    connection: psycopg.Connection
    socket: socket.socket
    kind: str = ""
    since: float = 0.0
    tail: bytes = b""


@dataclass
class _Tally:
    """How long each kind of statement took, and what server and clients took of the processors."""

    seconds: dict[str, list[float]] = field(default_factory=dict)

    def summary(self, passed: float, server: float, clients: float) -> dict[str, float]:
        total = sum(map(len, self.seconds.values()))
        return {
            "per_second": total / passed,
            **{kind: 1000 * mean(taken) for kind, taken in self.seconds.items()},
            "server_cpu_ms": 1000 * server / total,
            "client_cpu_ms": 1000 * clients / total,
            "load_average": os.getloadavg()[0],
        }


def mixed(
    connect: Callable[[], psycopg.Connection], pid: int, *, seconds: float, rounds: int
) -> dict[str, dict[str, float]]:
    """The mixes in turns, with the server's process. Output: of each, medians over its rounds: statements a
    second, the ms of each kind, and the ms of processors for one statement.
    """
    found: dict[str, list[dict[str, float]]] = {name: [] for name in MIXES}
    texts = _texts(random.Random(_SEED))
    with ExitStack() as opened:
        clients = [_client(opened.enter_context(connect())) for _ in range(CLIENTS)]
        for client in clients:
            opened.callback(client.socket.detach)  # the descriptor is the connection's
            for place in _PLACES:
                client.connection.execute(_REPLAY.format(place))  # so all replays are there, and recorded
        for _ in range(rounds):
            for name, mix in MIXES.items():
                found[name].append(_run(clients, texts, mix, pid, seconds))
    return {name: {key: median(run[key] for run in runs) for key in runs[0]} for name, runs in found.items()}


def _client(connection: psycopg.Connection) -> _Client:
    return _Client(connection, socket.socket(fileno=connection.pgconn.socket))


def _texts(chance: random.Random) -> dict[str, Iterator[bytes]]:
    """Messages of each kind without end: fresh ones and explanations are each asked for the first time."""
    numbers = count(1_000)
    return {
        "replay": (_message(_REPLAY.format(chance.choice(_PLACES))) for _ in count()),
        "fresh": (_message(_FRESH.format(next(numbers))) for _ in count()),
        "explain": (_message(_EXPLAIN.format(next(numbers))) for _ in count()),
    }


def _message(sql: str) -> bytes:
    body = sql.encode() + b"\x00"
    return b"Q" + (4 + len(body)).to_bytes(4, "big") + body


def _run(
    clients: list[_Client],
    texts: Mapping[str, Iterator[bytes]],
    mix: Mapping[str, int],
    pid: int,
    seconds: float,
) -> dict[str, float]:
    """Ask for so long, each client one statement at a time."""
    kinds, weights = list(mix), list(mix.values())
    chance, tally = random.Random(_SEED), _Tally({kind: [] for kind in mix})
    waiting = {client.socket.fileno(): client for client in clients}
    poll = select.epoll()
    for number in waiting:
        poll.register(number, select.EPOLLIN)

    def ask(client: _Client) -> None:
        client.kind = chance.choices(kinds, weights)[0]
        client.since = time.perf_counter()
        client.socket.sendall(next(texts[client.kind]))

    start, server, own = time.perf_counter(), processor_seconds(pid), time.process_time()
    for client in clients:
        ask(client)
    end, left = start + seconds, len(clients)
    while left:
        for number, _ in poll.poll():
            client = waiting[number]
            if not _has_replied(client):
                continue
            now = time.perf_counter()
            tally.seconds[client.kind].append(now - client.since)
            if now < end:
                ask(client)
            else:
                left -= 1
    poll.close()
    passed = time.perf_counter() - start
    return tally.summary(passed, processor_seconds(pid) - server, time.process_time() - own)


def _has_replied(client: _Client) -> bool:
    """Read what has come. Output: whether the reply is whole. Errors: AssertionError if it is an error."""
    data = client.tail + client.socket.recv(_MOST_READ)
    assert data, "the server has closed a connection"
    assert not data.startswith(b"E"), data[:300]
    client.tail = b"" if data.endswith(_READY) else data
    return not client.tail


def processor_seconds(pid: int) -> float:
    """What a process and its threads have taken of the processors so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
