"""What a person sees of a query that takes long, and what Ctrl-C does, in a real terminal."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from tests.cli.processes import ROOT, finish, start, without_notices

pty = pytest.importorskip("pty", reason="terminals of POSIX")
fcntl = pytest.importorskip("fcntl", reason="terminals of POSIX")
termios = pytest.importorskip("termios", reason="terminals of POSIX")

COUNT = "SELECT page, count(*) FROM visits GROUP BY page"
QUERY = ("query", "visits", "--unit", "person", "--domain", "page=0,1", "--epsilon", "0.5", COUNT)
SHELL = ("shell", "visits", "--unit", "person", "--domain", "page=0,1", "--epsilon", "0.5", "--no-history")
PERCENT = re.compile(r"reading visits(, part \d+)? \d{1,2} % \d+ s")
CANCELLED = (
    "cancelled\n"
    "DETAIL: The charge stays: how much was read before it stopped can no longer be told. "
    "Epsilon 0.5 was charged.\n"
)


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of files that takes some seconds to count: each row is another person."""
    folder = tmp_path_factory.mktemp("visits")
    (folder / "visits").mkdir()
    with duckdb.connect() as db:
        for number in range(2):
            rows = f"md5((range * 2 + {number})::VARCHAR) AS person, range % 2 AS page FROM range(4000000)"
            db.execute(f"COPY (SELECT {rows}) TO '{folder}/visits/{number}.parquet'")
    return folder


class Typed:
    """The command in a terminal of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        for old in folder.glob("*.ledger*"):
            old.unlink()
        self._ours, theirs = pty.openpty()
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "100"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dpduck", *arguments],
            cwd=folder,
            env=environment,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(theirs, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)
        self.text = ""
        self.started = time.monotonic()

    def until(self, seen: Callable[[str], object], seconds: float = 300) -> None:
        """Read the screen until something is seen, or the end."""
        end = time.monotonic() + seconds
        while not seen(self.text):
            assert time.monotonic() < end, self.text
            if select.select([self._ours], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self._ours, 65536).decode("utf-8", "replace").replace("\r\n", "\n")
                except OSError:  # the end
                    return

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def end(self) -> int:
        self.until(lambda _: False)
        return self.process.wait(60)


def charges(folder: Path) -> list[str]:
    done = finish(start("ledger", "visits", "--format", "json", folder=folder))
    return [row["epsilon"] for row in json.loads(done.out)]


def test_a_long_query_shows_how_far_it_is(visits: Path) -> None:
    typed = Typed(visits, *QUERY)
    assert typed.end() == 0
    lines = typed.text.split("\r")
    assert any(PERCENT.fullmatch(line.strip()) for line in lines), typed.text
    assert "100 %" not in typed.text
    assert "┌" in lines[-1]  # the line of progress is gone, and the answer stands alone
    assert lines[-2].strip() == ""


def test_ctrl_c_stops_it_and_says_what_was_charged(visits: Path) -> None:
    typed = Typed(visits, *QUERY)
    typed.until(PERCENT.search)
    pressed = time.monotonic()
    typed.press("\x03")
    assert typed.end() == 130
    # About one second, on a machine with nothing else to do. A busy one was as slow before.
    assert time.monotonic() - pressed < 3 * (pressed - typed.started)
    assert typed.text.replace("\r", "").endswith(CANCELLED)
    assert charges(visits) == [0.5]


def test_ctrl_c_in_the_shell_goes_back_to_the_prompt(visits: Path) -> None:
    pytest.importorskip("prompt_toolkit", reason="needs dpduck[shell]")
    typed = Typed(visits, *SHELL)
    typed.until(lambda text: "ε" in text or "epsilon" in text or "visits" in text.partition("leaves.")[2])
    typed.press(f"{COUNT};\r")
    typed.until(PERCENT.search)
    typed.press("\x03")
    typed.until(lambda text: "Epsilon 0.5 was" in text)
    typed.press(".quit\r")
    assert typed.end() == 0
    assert charges(visits) == [0.5]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_without_a_terminal_nothing_is_shown(visits: Path) -> None:
    for old in visits.glob("*.ledger*"):
        old.unlink()
    done = finish(start(*QUERY, "--format", "csv", folder=visits))
    assert (done.code, without_notices(done.err)) == (0, "")
    assert done.out.startswith("page,count_star()\r\n0,")
