"""What a gateway holds: for readers that stop reading, and after answers of a million rows."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import psycopg

READERS = 16
_ROWS = b"SELECT * FROM places"


def resident(pid: int) -> float:
    """The resident memory of a process, in MiB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1])
    return pages * 4096 / 2**20


def stalled(pid: int, connect: Callable[[], psycopg.Connection]) -> tuple[float, float]:
    """MiB at the start, and while readers have asked for a million rows each and read none."""
    clients = [connect() for _ in range(READERS)]
    before = resident(pid)
    for client in clients:
        client.pgconn.send_query(_ROWS)
    held, last = resident(pid), 0.0
    while abs(held - last) > 1:
        time.sleep(2)
        held, last = resident(pid), held
    for client in clients:
        client.close()
    return before, held


def after_reads(pid: int, connect: Callable[[], psycopg.Connection], *, seconds: float) -> list[float]:
    """MiB at the start, after eight answers of a million rows, and that many seconds later."""
    before = resident(pid)
    for _ in range(2):
        clients = [connect() for _ in range(4)]
        for client in clients:
            with client.cursor().copy("COPY (SELECT * FROM places) TO STDOUT (FORMAT binary)") as parts:
                for _ in parts:
                    pass
            client.close()
    used = resident(pid)
    time.sleep(seconds)
    return [before, used, resident(pid)]
