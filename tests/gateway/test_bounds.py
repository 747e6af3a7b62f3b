"""How many bytes wait for a reader who is slow: a bound on each step, whatever the rows are."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

import dpduck
from dpduck.doors.gateway.encoding.rows import BATCH_BYTES, MOST_BATCH_ROWS, batch_rows, batches
from dpduck.doors.gateway.portals import BYTES_AT_ONCE, ROWS_AT_ONCE, Portal, Statement, rows_at_once
from dpduck.doors.gateway.router import RowStream
from dpduck.engines.duckdb.hardening import cursor_of, harden
from dpduck.kernel.plan.model import Output
from dpduck.kernel.system import memory
from tests.gateway import wiring as w

CHARACTERS = 1_000  # of each value
READERS = 8
MANY = """
CREATE TABLE many AS SELECT i AS id, 'place ' || i AS name, i / 7 AS share FROM range(1000000) AS t (i)
"""
MOST_HELD = 5 * 2**20  # bytes for a reader that has stopped


@pytest.mark.parametrize("columns", [1, 4, 100, 1_000])
def test_a_batch_of_fixed_width_is_no_larger_than_meant(columns: int) -> None:
    assert 1 <= batch_rows(["BIGINT"] * columns) <= MOST_BATCH_ROWS
    assert batch_rows(["BIGINT"] * columns) * 8 * columns <= BATCH_BYTES


def test_long_values_come_in_smaller_pieces() -> None:
    narrow = pa.record_batch([pa.array(range(8_192))], names=["n"])
    wide = pa.record_batch([pa.array(["x" * CHARACTERS] * 1_000)], names=["text"])
    huge = pa.record_batch([pa.array(["x" * 10 * BYTES_AT_ONCE] * 3)], names=["text"])
    assert rows_at_once(narrow) == ROWS_AT_ONCE
    assert rows_at_once(wide) * CHARACTERS <= BYTES_AT_ONCE < (rows_at_once(wide) + 2) * CHARACTERS * 1.01
    assert rows_at_once(huge) == 1  # a row is sent whole


@pytest.mark.parametrize("limit", [0, 777])
def test_all_rows_of_a_portal_come_in_order_and_in_bounded_pieces(limit: int) -> None:
    count = 2_000
    batch = pa.record_batch([pa.array([f"{i:0{CHARACTERS}}" for i in range(count)])], names=["text"])
    portal = Portal(Statement(None), answer=RowStream((Output("text", "VARCHAR"),), [batch, batch]))
    pieces: list[bytes] = []
    while portal.sent < 2 * count:
        sent = portal.sent
        pieces += portal.rows(limit)
        assert portal.sent - sent in ((2 * count,) if limit == 0 else (limit, 2 * count - sent))
    assert max(map(len, pieces)) <= 2 * BYTES_AT_ONCE
    numbers = [int(row[-CHARACTERS:]) for piece in pieces for row in _rows(piece)]
    assert numbers == [*range(count), *range(count)]


def _rows(piece: bytes) -> list[bytes]:
    size = 1 + 4 + 2 + 4 + CHARACTERS  # a letter, two lengths and the number of columns
    assert len(piece) % size == 0
    return [piece[start : start + size] for start in range(0, len(piece), size)]


def test_duckdb_computes_little_ahead_of_a_reader(tmp_path: Path) -> None:
    """Also where the settings are locked, as those of a served file are."""
    setting = "SELECT current_setting('streaming_buffer_size')"
    with duckdb.connect(str(tmp_path / "rows.duckdb")) as con:
        before = con.execute(setting).fetchall()
        harden(con)
        with cursor_of(con) as cursor:
            [batch] = batches(cursor, "SELECT 1 AS one", (Output("one", "INTEGER"),))
            assert batch.num_rows == 1
            assert cursor.execute(setting).fetchall() == [("250.0 KiB",)] != before
        assert con.execute(setting).fetchall() == before


def test_free_memory_goes_back() -> None:
    if not memory.keep_little():
        pytest.skip("not glibc")
    memory.give_back()
    before = _resident()
    blocks = [bytes(1_000) for _ in range(100_000)]
    keep = blocks[::1_000]
    del blocks
    memory.give_back()
    assert _resident() - before < 20 * 2**20
    assert len(keep) == 100


def test_arrow_keeps_nothing_for_each_thread() -> None:
    before = pa.default_memory_pool()
    try:
        if memory.keep_little():
            assert pa.default_memory_pool().backend_name == "system"
    finally:
        pa.set_memory_pool(before)


def test_a_reader_that_stops_costs_little(tmp_path: Path) -> None:
    """Each has asked for a million rows, some 60 MB, of which the server makes what fits into buffers."""
    if not memory.keep_little():
        pytest.skip("not glibc")
    file = w.make_shop(tmp_path / "shop.duckdb")
    with duckdb.connect(str(file)) as db:
        db.execute(MANY)
    with dpduck.connect(file) as owner:
        owner.execute("ALTER TABLE many SET PUBLIC")
    w.add_analyst(file)
    gateway = w.Gateway(file, script="")
    try:
        with ExitStack() as clients:
            first, *readers = [clients.enter_context(gateway.client()) for _ in range(1 + READERS)]
            first.send(w.query("SELECT * FROM many"))  # after which all is there that readers share
            for _ in range(30):
                first.take(2**20)
            start = _settled(gateway)
            for reader in readers:
                reader.send(w.query("SELECT * FROM many"))
            held = _settled(gateway)
    finally:
        gateway.kill()
    assert (held - start) / READERS < MOST_HELD


def _settled(gateway: w.Gateway) -> int:
    """What the process holds once free memory was given back, which happens every five seconds."""
    last, now = 0, gateway.memory
    while abs(now - last) > 2**20:
        time.sleep(6)
        last, now = now, gateway.memory
    return now


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1]) * 4096
