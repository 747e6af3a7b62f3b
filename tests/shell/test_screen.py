"""The shell as a person sees it, in a real terminal; docs/COMMANDS.md shows this screen."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

pytest.importorskip("prompt_toolkit", reason="needs dpduck[shell]")
pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")

ROOT = Path(__file__).parents[2]
WIDTH, HEIGHT = 96, 40
PATIENCE = 60  # seconds until something must have appeared
# As of the page: each visitor has seen some pages.
VISITS = """
COPY (
    SELECT visitor, page, 20 + visitor % 41 AS age
    FROM range(1, 4001) AS v(visitor), (VALUES ('home', 1), ('news', 2), ('shop', 4)) AS p(page, every)
    WHERE visitor % every = 0
) TO 'visits.csv'
"""
COMMAND = "dpduck shell visits.csv --unit visitor --domain page=home,news,shop --epsilon 0.5 --budget 0.8"


class Terminal:
    """A terminal in which a shell runs, by tmux."""

    def __init__(self, folder: Path) -> None:
        self._name = f"dpduck-{os.getpid()}"
        dpduck = f"dpduck() {{ {shlex.quote(sys.executable)} -m dpduck.doors.cli \"$@\"; }}; PS1='$ '"
        (folder / "rc").write_text(dpduck)
        settings = {
            "PYTHONPATH": str(ROOT),
            "XDG_STATE_HOME": str(folder / "state"),
            "LC_ALL": "C.UTF-8",
            "PYTHONUTF8": "1",
        }
        given = [part for name, value in settings.items() for part in ("-e", f"{name}={value}")]
        size = ("-x", str(WIDTH), "-y", str(HEIGHT))
        self._tmux("-u", "-f", os.devnull, "new-session", "-d", *size, *given, "bash --rcfile rc")

    def type(self, text: str) -> None:
        """Type a line, and Enter."""
        self._tmux("send-keys", "-l", "--", text.removesuffix(";"))
        self._tmux("send-keys", *([r"\;"] if text.endswith(";") else []), "Enter")

    def shows(self, text: str) -> str:
        """Wait until the screen ends with a text. Output: the screen."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            lines = self._tmux("capture-pane", "-p").splitlines()
            screen = "\n".join(line.rstrip() for line in lines).rstrip()
            if screen.endswith(text):
                return screen
            time.sleep(0.05)
        raise AssertionError(f"no {text!r} in:\n{screen}")

    def close(self) -> None:
        self._tmux("kill-server")

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-L", self._name, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TMUX", raising=False)
    with duckdb.connect() as db:
        db.execute(VISITS)
    opened = Terminal(tmp_path)
    yield opened
    opened.close()


def masked(screen: str) -> list[str]:
    """The lines of a screen without the numbers of answers, which are random."""
    lines = screen.strip().splitlines()
    return [re.sub(r"[0-9][0-9,]*", "#", line) if line.startswith("│") else line for line in lines]


def shown() -> str:
    text = (ROOT / "docs" / "COMMANDS.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"<!-- shell -->\n```console\n(.*?)```\n<!-- /shell -->", text, re.DOTALL)
    return str(block)


def test_the_page_shows_this_screen(terminal: Terminal) -> None:
    terminal.shows("$")
    terminal.type(COMMAND)
    terminal.shows("(ε 0.8 left)>")
    terminal.type("SELECT page, count(*) AS n FROM visits")
    terminal.shows("...>")
    terminal.type("GROUP BY page ORDER BY n DESC LIMIT 2;")
    terminal.shows("Run it? [y/N]")
    terminal.type("y")
    terminal.shows("(ε 0.3 left)>")
    terminal.type("SELECT mode(page) FROM visits;")
    screen = terminal.shows("or raise --budget.\nvisits (ε 0.3 left)>")
    assert masked(screen) == masked(shown()), screen
    terminal.type(".quit")
    terminal.shows("$")
