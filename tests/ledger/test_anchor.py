"""Anchors: a ledger that was cut, exchanged or put back is refused; one that went on is not."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.kernel.errors import LedgerError
from dpduck.kernel.ledger import Account, Cap, open_ledger
from dpduck.kernel.ledger import anchor as anchors
from dpduck.kernel.ledger.anchor import FileAnchor, Mark, open_anchor
from tests.ledger.contract import ANA, cost


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "shop.ledger"


@contextmanager
def copied(path: Path) -> Iterator[Path]:
    """A copy of the closed ledger as it is now, to be put back."""
    copy = path.with_name("copy")
    shutil.copy(path, copy)
    yield copy


def refusal(path: Path, anchor: Path | str | None = None) -> str:
    with pytest.raises(LedgerError) as caught:
        open_ledger(path, anchor)
    assert caught.value.charged == "0"
    return str(caught.value)


def charge(path: Path, times: int = 1, anchor: Path | str | None = None) -> None:
    with open_ledger(path, anchor) as ledger:
        for _ in range(times):
            ledger.charge(cost("0.1"))


class TestFile:
    def test_it_follows_the_head(self, path: Path) -> None:
        charge(path, 3)
        mark = FileAnchor(Path(f"{path}.anchor")).read()
        with open_ledger(path) as ledger:
            head = ledger.head()
            assert mark is not None
            assert (mark.number, mark.hash) == (head.number, head.hash) == (3, head.hash)
            ledger.set_cap(ANA, Cap(Fraction(1)))
            ledger.verify()

    def test_threads_ask_for_the_file_one_by_one(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Many that ask at once keep each other from it for so long that some of them give up."""
        asking: list[int] = []
        most: list[int] = []
        plain = anchors._lock

        def lock(file: int) -> None:
            asking.append(file)
            most.append(len(asking))
            plain(file)
            asking.pop()

        monkeypatch.setattr(anchors, "_lock", lock)
        with open_ledger(path) as ledger:
            threads = [threading.Thread(target=ledger.charge, args=(cost("0.1"),)) for _ in range(24)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(30)
            assert len(ledger.entries()) == 24
        assert set(most) == {1}

    def test_a_fork_does_not_inherit_a_turn(self, path: Path) -> None:
        anchor = FileAnchor(path)
        taken = threading.Lock()
        taken.acquire()
        anchor._turn = (0, taken)
        assert anchor.write(Mark("a", 1, "b"), lambda _: True) is None
        assert anchor.read() == Mark("a", 1, "b")

    def test_a_turn_that_never_comes_is_an_error(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(anchors, "_TIMEOUT", 0.05)
        anchor = FileAnchor(path)
        with anchor._turn[1], pytest.raises(LedgerError, match="another thread keeps it locked"):
            anchor.write(Mark("a", 1, "b"), lambda _: True)

    def test_an_old_copy_is_refused(self, path: Path) -> None:
        charge(path, 2)
        with copied(path) as copy:
            charge(path)
            shutil.copy(copy, path)
        assert refusal(path).startswith("ledger is behind its anchor\nDETAIL: It has 2 entries, and ")

    def test_another_ledger_is_refused(self, path: Path) -> None:
        charge(path)
        path.unlink()
        said = refusal(path)
        assert said.startswith("ledger is not the one of its anchor\nDETAIL: ")
        assert "remove the anchor" in said

    def test_an_old_copy_that_went_on_is_refused(self, path: Path) -> None:
        charge(path, 2)
        with copied(path) as copy:
            charge(path)
            elsewhere = path.with_name("other.ledger")
            shutil.copy(copy, elsewhere)
        charge(elsewhere, 5)
        shutil.copy(elsewhere, path)
        assert "Its entry 3 is not the one that" in refusal(path)

    def test_an_anchor_that_is_behind_is_moved_on(self, path: Path) -> None:
        charge(path)
        anchor = Path(f"{path}.anchor")
        before = anchor.read_bytes()
        charge(path)
        anchor.write_bytes(before)
        charge(path)
        assert FileAnchor(anchor).read() == FileAnchor(anchor).read()
        assert anchor.read_bytes() != before

    def test_it_never_moves_back(self, path: Path) -> None:
        anchor = FileAnchor(path)
        for mark in (Mark("a", 5, "x"), Mark("a", 4, "y")):
            assert anchor.write(mark, lambda _: True) is None
        assert anchor.read() == Mark("a", 5, "x")

    def test_a_mark_that_the_ledger_lacks_stays(self, path: Path) -> None:
        anchor, other = FileAnchor(path), Mark("a", 5, "x")
        anchor.write(other, lambda _: True)
        assert anchor.write(Mark("a", 6, "y"), lambda _: False) == other == anchor.read()

    @pytest.mark.parametrize("text", ["[]", '{"ledger": 1, "number": "2", "hash": 3}', "nonsense", "\0"])
    def test_a_damaged_one_is_refused(self, path: Path, text: str) -> None:
        charge(path)
        Path(f"{path}.anchor").write_text(text)
        assert refusal(path).startswith("anchor is damaged\n")

    def test_one_that_cannot_be_written_leaves_the_charge(self, path: Path, tmp_path: Path) -> None:
        folder = tmp_path / "elsewhere"
        folder.mkdir()
        with open_ledger(path, folder / "anchor") as ledger:
            shutil.rmtree(folder)
            with pytest.raises(LedgerError) as caught:
                ledger.charge(cost("0.1"))
            assert caught.value.charged == "0.1"
            assert "Epsilon 0.1 was charged." in caught.value.detail
            assert "Nothing was charged" not in str(caught.value)
            assert len(ledger.entries()) == 1


class _Notebook(BaseHTTPRequestHandler):
    """Answers GET with what was PUT last."""

    held: bytes = b""

    def do_GET(self) -> None:
        self.send_response(200 if self.server.held else 404)  # type: ignore[attr-defined]
        self.end_headers()
        self.wfile.write(self.server.held)  # type: ignore[attr-defined]

    def do_PUT(self) -> None:
        self.server.held = self.rfile.read(int(self.headers["Content-Length"]))  # type: ignore[attr-defined]
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def notebook() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Notebook)
    server.held = b""  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def address(server: ThreadingHTTPServer) -> str:
    return f"http://127.0.0.1:{server.server_port}/shop?key=secret"


class TestAddress:
    def test_it_holds_the_head(self, path: Path, notebook: ThreadingHTTPServer) -> None:
        charge(path, 2, address(notebook))
        with copied(path) as copy:
            charge(path, 1, address(notebook))
            shutil.copy(copy, path)
        said = refusal(path, address(notebook))
        assert said.startswith("ledger is behind its anchor\n")
        assert "secret" not in said

    def test_one_that_does_not_answer_is_a_refusal(self, path: Path, notebook: ThreadingHTTPServer) -> None:
        where = address(notebook)
        notebook.shutdown()
        notebook.server_close()
        said = refusal(path, where)
        assert said.startswith("anchor of the ledger cannot be reached\n")
        assert "secret" not in said

    def test_a_refused_put_is_an_error(self, path: Path, notebook: ThreadingHTTPServer) -> None:
        with open_ledger(path, address(notebook)) as ledger:
            notebook.RequestHandlerClass.do_PUT = lambda self: self.send_error(503)  # type: ignore[attr-defined]
            with pytest.raises(LedgerError, match="status 503") as caught:
                ledger.charge(cost("0.1"))
            assert caught.value.charged == "0.1"


def test_it_is_given_to_a_connection(tmp_path: Path) -> None:
    file, anchor = tmp_path / "shop.duckdb", tmp_path / "far" / "anchor"
    anchor.parent.mkdir()
    with duckdb.connect(str(file)) as con:
        con.execute("CREATE TABLE visits (uid INTEGER PRIMARY KEY)")
    with dpduck.connect(file, epsilon=1, anchor=anchor) as db:
        db.execute("ALTER TABLE visits ADD PRIVACY_KEY (uid)")
        db.execute("SELECT count(*) FROM visits")
    mark = open_anchor(anchor).read()
    assert mark is not None
    assert mark.number > 0
    with duckdb.connect() as con:
        dpduck.register(con, ledger=tmp_path / "other.ledger", anchor=anchor.with_name("second"))
        assert anchor.with_name("second").exists()


def test_an_account_of_another_ledger_is_no_head() -> None:
    with open_ledger(None) as ledger:
        ledger.charge(cost(accounts=(Account("session", "ana"),)))
        assert ledger.head().number == 1
