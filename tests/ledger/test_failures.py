"""What goes wrong around a query: a clear error, no answer, nothing free, and the truth about the charge."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import duckdb
import pytest

import dpduck
from dpduck.answers import service
from dpduck.engines.duckdb.engine import DuckReader
from dpduck.kernel.errors import BudgetExceededError, LedgerError
from dpduck.kernel.ledger import anchor, open_ledger
from tests.ledger import dashboard
from tests.ledger.contract import ANA, cost
from tests.ledger.processes import ROOT, fork, wait

QUERY = "SELECT count(*) AS n FROM sales"
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def data(copied: Callable[..., Path]) -> Path:
    return copied(dashboard.make)


@pytest.fixture
def db(data: Path) -> Iterator[dpduck.Connection]:
    """A session that has asked once, so that all files are there."""
    with dpduck.connect(data, analyst="ana", epsilon="0.5", session="ana") as db:
        db.execute("SET dp_replay = off")
        db.execute(QUERY)
        yield db


def ledger_of(db: dpduck.Connection) -> Any:
    return db._service.session.ledger


def spent(db: dpduck.Connection) -> Decimal:
    return sum((row["epsilon"] for row in db.ledger().to_pylist()), Decimal(0))


def refused(db: dpduck.Connection, *, charged: str = "0", reads: bool = False) -> LedgerError:
    """The error of a query that must have no answer. `reads`: whether private rows may have been read."""
    with (
        patch.object(service, "answer", wraps=service.answer),
        patch.object(DuckReader, "read", autospec=True, side_effect=DuckReader.read) as read,
        pytest.raises(LedgerError) as caught,
    ):
        db.execute(QUERY)
    error = caught.value
    assert bool(read.called) is reads
    assert (error.charged, error.__cause__, error.__context__) == (charged, None, None)
    said = "Nothing was charged." if charged == "0" else f"Epsilon {charged} was charged."
    assert error.detail.endswith(said)
    assert error.detail.count("charged.") == 1
    assert error.hint
    return error


@contextmanager
def clock(moment: datetime) -> Iterator[None]:
    """The time as the ledger sees it."""
    with patch.object(time, "time_ns", lambda: int(moment.timestamp() * 10**6) * 1000):
        yield


# --- the disk ------------------------------------------------------------------------------------


def test_a_full_disk_at_the_charge(db: dpduck.Connection) -> None:
    before = spent(db)
    connection = ledger_of(db)._connected()
    [(pages,)] = connection.execute("PRAGMA page_count").fetchall()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    with patch("tests.ledger.test_failures.QUERY", f"{QUERY} -- {'x' * 50_000}"):
        assert refused(db).message == "ledger cannot be written"
    connection.execute("PRAGMA max_page_count = 1000000")
    assert spent(db) == before
    ledger_of(db).verify()
    assert db.execute(QUERY).fetchall()


def test_a_full_disk_at_the_settlement(db: dpduck.Connection) -> None:
    """The rows were read and the noise was drawn, but what cannot be kept does not leave."""
    ledger = ledger_of(db)
    settle = ledger.settle

    def full(*arguments: Any) -> None:
        connection = ledger._connected()
        [(pages,)] = connection.execute("PRAGMA page_count").fetchall()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        answer = arguments[-1]
        settle(*arguments[:-1], type(answer)(answer.subject, answer.version, "x" * 50_000, answer.rows))

    before = spent(db)
    with patch.object(ledger, "settle", full):
        error = refused(db, charged="0.5", reads=True)
    assert error.message == "ledger cannot be written"
    assert spent(db) == before + Decimal("0.5")
    ledger.verify()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of file sizes")
def test_a_disk_that_fills_up_while_queries_run(data: Path) -> None:
    """Under a limit of file sizes, hence in a process of its own. Each answer has its charge to the last."""
    script = """
import resource, sys
import dpduck
from dpduck.kernel.errors import LedgerError
with dpduck.connect(sys.argv[1], analyst="ana", epsilon="0.0001", session="ana") as db:
    db.execute("SET dp_replay = off")
    db.execute("SELECT count(*) FROM sales")
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
    answers, charged = 1, "0"
    while True:
        try:
            db.execute("SELECT count(*) FROM sales")
            answers += 1
        except LedgerError as error:
            print(error.message)
            charged = error.charged
            break
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    db._service.session.ledger.verify()
    print(db.ledger().num_rows - answers - (charged != "0"))
    db.execute("SELECT count(*) FROM sales")
"""
    command = [sys.executable, "-c", script, str(data)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == ["ledger cannot be written", "0"], done.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs users")
def test_a_folder_that_may_only_be_read(data: Path) -> None:
    """In a process without the rights of root, which has read all its modules before it gave them up."""
    script = """
import os, sys
import dpduck
with dpduck.connect(sys.argv[1], analyst="ana", epsilon="0.5", ledger=sys.argv[2]) as db:
    db.execute("SELECT count(*) FROM sales")
    if os.geteuid() == 0:
        os.seteuid(65534)
try:
    with dpduck.connect(sys.argv[1], analyst="ana", epsilon="0.5") as db:
        db.execute("SELECT count(*) FROM sales")
        print("answered")
except dpduck.LedgerError as error:
    print(error.message, error.charged)
"""
    with TemporaryDirectory() as folder:
        copy = Path(shutil.copy(data, folder))
        copy.chmod(0o644)
        first = data.with_name("first.ledger")
        # A folder of root is one that others may only read; else it is that of this user.
        Path(folder).chmod(0o755 if os.geteuid() == 0 else 0o555)
        command = [sys.executable, "-c", script, str(copy), str(first)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
        Path(folder).chmod(0o755)
    assert done.stdout == "ledger cannot be created 0\n", done.stderr


def test_a_ledger_that_may_only_be_read(db: dpduck.Connection) -> None:
    ledger_of(db)._connected().execute("PRAGMA query_only = ON")
    before = spent(db)
    assert refused(db).message == "ledger cannot be written"
    assert spent(db) == before


def test_a_locked_ledger(db: dpduck.Connection, data: Path) -> None:
    ledger_of(db)._busy_seconds = 0.1
    other = sqlite3.connect(f"{data}.ledger", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    before = spent(db)
    assert refused(db).message == "ledger is locked"
    other.execute("ROLLBACK")
    other.close()
    assert spent(db) == before
    assert db.execute(QUERY).fetchall()


def test_a_ledger_that_is_locked_for_a_moment_is_waited_for(data: Path, db: dpduck.Connection) -> None:
    other = sqlite3.connect(f"{data}.ledger", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.3, lambda: other.execute("ROLLBACK"))
    timer.start()
    assert db.execute(QUERY).fetchall()
    timer.join()
    other.close()


def test_a_ledger_that_went_away(db: dpduck.Connection, data: Path) -> None:
    ledger_of(db).pause()
    data.with_name(f"{data.name}.ledger").unlink()
    ledger_of(db).resume()
    assert refused(db).message == "ledger cannot be opened"


def test_a_ledger_that_was_closed(db: dpduck.Connection) -> None:
    ledger_of(db).close()
    assert refused(db).message == "ledger is closed"


def test_a_connection_that_is_closed_leaves_its_ledger_in_one_file(data: Path) -> None:
    """Else the last charges stay in a file beside it, and a ledger that is moved goes without them."""
    beside = data.with_name(f"{data.name}.ledger-wal")
    with dpduck.connect(data, analyst="ana", epsilon="0.1") as db:
        db.execute("SET dp_replay = off")
        db.execute(QUERY)
        assert beside.exists()
    assert not beside.exists()
    with open_ledger(f"{data}.ledger") as ledger:
        assert len(ledger.entries()) == 1


def test_a_ledger_in_memory_outlives_a_connection() -> None:
    with duckdb.connect() as source:
        source.execute("CREATE TABLE sales AS SELECT i AS id FROM range(9) r(i)")
        with dpduck.connect(source, epsilon="0.1") as db:
            db.execute("ALTER TABLE sales ADD PRIVACY_KEY (id)")
            db.execute(QUERY)
        with dpduck.connect(source) as db:
            assert db.ledger().num_rows == 1


# --- the clock -----------------------------------------------------------------------------------


def test_a_clock_that_steps_back_is_refused(db: dpduck.Connection) -> None:
    before = spent(db)
    with clock(datetime.now(UTC) - timedelta(hours=1)):
        assert refused(db).message == "clock is behind the ledger"
    assert spent(db) == before
    assert db.execute(QUERY).fetchall()


def test_a_clock_that_steps_back_before_the_settlement(db: dpduck.Connection) -> None:
    """The charge is made; what it bought cannot be kept, hence does not leave."""
    ledger, before = ledger_of(db), spent(db)
    settle = ledger.settle

    def late(*arguments: Any) -> None:
        with clock(datetime.now(UTC) - timedelta(hours=1)):
            settle(*arguments)

    with patch.object(ledger, "settle", late):
        assert refused(db, charged="0.5", reads=True).message == "clock is behind the ledger"
    assert spent(db) == before + Decimal("0.5")


def test_small_steps_back_are_tolerated_and_times_never_decrease(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "l") as ledger:
        for seconds in (0, -1, -30, -59.9, 5, 2, -54, 5):
            with clock(NOON + timedelta(seconds=seconds)):
                ledger.charge(cost("0.1"))
        with clock(NOON - timedelta(seconds=61)), pytest.raises(LedgerError, match="clock is behind"):
            ledger.charge(cost("0.1"))
        times = [entry.at for entry in ledger.entries()]
        assert times == sorted(times)
        assert times[-1] == NOON + timedelta(seconds=5)
        ledger.verify()


def test_a_day_is_never_opened_again(tmp_path: Path, data: Path) -> None:
    with dpduck.connect(data) as owner:
        owner.execute("CREATE PRIVACY BUDGET daily LIMIT 1 WINDOW 'day' FOR ana")
    midnight = datetime(2030, 1, 2, tzinfo=UTC)
    with dpduck.connect(data, analyst="ana", epsilon="0.5") as db:
        db.execute("SET dp_replay = off")
        with clock(midnight - timedelta(seconds=2)):
            db.execute(QUERY)
            db.execute(QUERY)
            with pytest.raises(BudgetExceededError, match="none remains"):
                db.execute(QUERY)
        with clock(midnight + timedelta(seconds=1)):
            db.execute(QUERY)
        for seconds in (-10, -1, 0, 30):  # the day before, by a clock that was set back a little
            with clock(midnight + timedelta(seconds=seconds)):
                if seconds == -10:
                    db.execute(QUERY)
                    continue
                with pytest.raises(BudgetExceededError, match="none remains"):
                    db.execute(QUERY)
        with clock(midnight - timedelta(hours=1)):
            assert refused(db).message == "clock is behind the ledger"
        assert [row["at"].date().isoformat() for row in db.ledger().to_pylist()] == [
            "2030-01-01",
            "2030-01-01",
            "2030-01-02",
            "2030-01-02",
        ]


# --- the anchor ----------------------------------------------------------------------------------


def test_an_anchor_that_cannot_be_written(db: dpduck.Connection, data: Path) -> None:
    """The charge is on record, but could be undone unseen: no row is read."""
    place, before = data.with_name(f"{data.name}.ledger.anchor"), spent(db)
    place.unlink()
    place.mkdir()
    error = refused(db, charged="0.5")
    assert error.message == "anchor of the ledger cannot be reached"
    assert spent(db) == before + Decimal("0.5")
    place.rmdir()
    assert db.execute(QUERY).fetchall()


def test_an_anchor_that_cannot_be_written_at_the_settlement(db: dpduck.Connection, data: Path) -> None:
    place, ledger, before = data.with_name(f"{data.name}.ledger.anchor"), ledger_of(db), spent(db)
    settle = ledger.settle

    def late(*arguments: Any) -> None:
        place.unlink()
        place.mkdir()
        settle(*arguments)

    with patch.object(ledger, "settle", late):
        refused(db, charged="0.5", reads=True)
    assert spent(db) == before + Decimal("0.5")


def test_an_anchor_that_cannot_be_written_at_a_replay(db: dpduck.Connection, data: Path) -> None:
    """What was free stays free, and says so."""
    place, before = data.with_name(f"{data.name}.ledger.anchor"), spent(db)
    db.execute("SET dp_replay = on")
    place.unlink()
    place.mkdir()
    refused(db)
    assert spent(db) == before
    place.rmdir()
    assert db.execute(QUERY).fetchall()


@pytest.mark.skipif(os.name != "posix", reason="needs locks of files")
def test_an_anchor_that_somebody_keeps_locked(db: dpduck.Connection, data: Path) -> None:
    import fcntl

    before = spent(db)
    with (
        data.with_name(f"{data.name}.ledger.anchor").open("r+") as held,
        patch.object(anchor, "_TIMEOUT", 0.1),
    ):
        fcntl.flock(held, fcntl.LOCK_EX)
        error = refused(db, charged="0.5")
    assert error.message == "anchor of the ledger cannot be reached"
    assert "another process keeps it locked" in error.detail
    assert spent(db) == before + Decimal("0.5")
    assert db.execute(QUERY).fetchall()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_lock_is_let_go_though_a_fork_has_the_anchor_open(tmp_path: Path) -> None:
    heard, told = os.pipe()
    with open_ledger(tmp_path / "l") as ledger, patch.object(anchor, "_TIMEOUT", 1.0):
        with anchor._locked(tmp_path / "l.anchor"):
            child = fork(lambda: bool(os.read(heard, 1)))
        ledger.charge(cost())
        os.write(told, b"1")
    wait(child)
    os.close(heard)
    os.close(told)


def test_an_anchor_that_is_ahead(data: Path, db: dpduck.Connection) -> None:
    place = data.with_name(f"{data.name}.ledger.anchor")
    mark = json.loads(place.read_text())
    before = spent(db)
    for changed in ({"number": mark["number"] + 50}, {"hash": "f00d"}, {"ledger": "another"}):
        place.write_text(json.dumps({**mark, **changed}))
        assert refused(db, charged="0.5").message.endswith("its anchor")
        assert json.loads(place.read_text()) == {**mark, **changed}  # the evidence stays
        with pytest.raises(LedgerError, match="anchor") as caught:
            open_ledger(f"{data}.ledger")
        assert caught.value.charged == "0"
    assert spent(db) == before + Decimal("1.5")


def test_an_old_copy_put_back_under_a_session(data: Path, db: dpduck.Connection) -> None:
    """Budgets do not come back with it."""
    ledger, copy = data.with_name(f"{data.name}.ledger"), data.with_name("copy")
    ledger_of(db).pause()
    shutil.copy(ledger, copy)
    ledger_of(db).resume()
    db.execute(QUERY)
    ledger_of(db).pause()
    shutil.copy(copy, ledger)
    ledger_of(db).resume()
    for _ in range(3):
        assert refused(db, charged="0.5").message.endswith("its anchor")


def test_another_ledger_put_under_a_session(data: Path, db: dpduck.Connection, tmp_path: Path) -> None:
    with open_ledger(tmp_path / "fresh") as fresh:
        fresh.charge(cost())
    ledger_of(db).pause()
    shutil.copy(tmp_path / "fresh", f"{data}.ledger")
    ledger_of(db).resume()
    assert refused(db, charged="0.5").message == "ledger is not the one of its anchor"


def test_a_refused_ledger_is_let_go(tmp_path: Path) -> None:
    """Whoever holds the error must not hold the file, or nobody could put the right one in its place."""
    path = tmp_path / "l"
    with open_ledger(path) as ledger:
        ledger.charge(cost())
    path.with_name("l.anchor").write_text(json.dumps({"ledger": "x", "number": 9, "hash": "y"}))
    with pytest.raises(LedgerError) as caught:
        open_ledger(path)
    assert caught.value.message == "ledger is not the one of its anchor"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["l", "l.anchor"]


class _Keeper(BaseHTTPRequestHandler):
    """An address that keeps what was put there."""

    kept: bytes | None = None
    broken = False

    def do_GET(self) -> None:
        self._reply(500 if _Keeper.broken else 404 if _Keeper.kept is None else 200, _Keeper.kept or b"")

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not _Keeper.broken:
            _Keeper.kept = body
        self._reply(500 if _Keeper.broken else 200, b"")

    def _reply(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    _Keeper.kept, _Keeper.broken = None, False
    server = HTTPServer(("127.0.0.1", 0), _Keeper)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://ana:secret@127.0.0.1:{server.server_port}/head"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_anchor_at_an_address(tmp_path: Path, address: str) -> None:
    path = tmp_path / "l"
    plain = address.replace("ana:secret@", "")
    with open_ledger(path, anchor=plain) as ledger:
        ledger.charge(cost())
        assert json.loads(_Keeper.kept or b"")["number"] == ledger.head().number
        _Keeper.broken = True
        with pytest.raises(LedgerError, match="anchor of the ledger cannot be reached") as caught:
            ledger.charge(cost())
        assert caught.value.charged == "0.5"
        assert "status 500" in caught.value.detail
        assert plain not in str(caught.value)
        _Keeper.broken = False
        mark = json.loads(_Keeper.kept or b"")
        _Keeper.kept = json.dumps({**mark, "number": 99}).encode()
        with pytest.raises(LedgerError, match="ledger is behind its anchor"):
            ledger.charge(cost())
        assert json.loads(_Keeper.kept)["number"] == 99
    with pytest.raises(LedgerError, match="ledger is behind its anchor"):
        open_ledger(path, anchor=plain)
    assert len(duckdb.connect().execute("SELECT 1").fetchall()) == 1


def test_an_address_where_nobody_answers(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="anchor of the ledger cannot be reached") as caught:
        open_ledger(tmp_path / "l", anchor="http://127.0.0.1:9/secret")
    assert "secret" not in str(caught.value)
    assert ANA.name not in str(caught.value)
