"""What an analyst types is shown to the owner: it moved the cursor of a terminal, and got into the log.

`dpduck ledger --format csv|markdown` printed an analyst's escape sequences as they were; of `'O\\'Brien'`, a
text that ends behind the backslash or goes on, by whom one asks, a part of the value was logged.
"""

from __future__ import annotations

import csv
import io
import json

import pyarrow as pa
import pytest

from dpduck.compiler.parse.split import split
from dpduck.doors.console.tables import FORMATS, render, visible
from dpduck.doors.console.writer import Writer
from dpduck.doors.gateway.telemetry import masked

EVIL = [
    "\x1b]0;owned\x07",
    "\x1b[2J\x1b[1;1H",
    "\x9b31m",
    "a\rb",
    "\x08\x08\x08",
    "\x7f",
    "\u202etxt.exe",
    "\u2066x\u2069",
    "\u2028",
    "\x00",
    "\x85",
]
SIGNS = {
    sign for text in EVIL for sign in text if not ((sign.isascii() and sign.isprintable()) or sign.isalnum())
}


class Screen(io.StringIO):
    def __init__(self, *, watched: bool) -> None:
        super().__init__()
        self._watched = watched

    def isatty(self) -> bool:
        return self._watched


def printed(text: str, *, watched: bool) -> list[str]:
    """What each way to write prints."""
    seen = []
    for way in ("show", "data", "note", "error"):
        screen = Screen(watched=watched)
        getattr(Writer(screen, screen), way)(text)
        seen.append(screen.getvalue())
    return seen


@pytest.mark.parametrize("text", EVIL, ids=ascii)
@pytest.mark.parametrize("format", FORMATS)
def test_a_terminal_is_sent_no_control_characters(text: str, format: str) -> None:
    table = pa.table({"query": [f"SELECT '{text}'"], text or "n": [1]})
    for said in [*printed(render(table, format), watched=True), *printed(text, watched=True)]:
        rest = said.replace("\x1b[2m", "").replace("\x1b[0m", "").replace("\r\n", "\n")
        assert not SIGNS & set(rest) - {"\n"}, ascii(said)


@pytest.mark.parametrize("text", [t for t in EVIL if "\x00" not in t], ids=ascii)
def test_data_comes_back_as_it_was(text: str) -> None:
    table = pa.table({"query": [text]})
    [rows] = {tuple(map(tuple, csv.reader(io.StringIO(render(table, "csv"), newline="")))) for _ in range(1)}
    assert rows == (("query",), (text,))
    assert json.loads(render(table, "json")) == [{"query": text}]
    assert printed(text, watched=False)[1] == text


def test_what_is_shown_of_a_control_character_says_which_it_is() -> None:
    assert visible("a\x1b[1mb\u202ec\td\r\ne") == "a\\x1b[1mb\\u202ec\td\r\ne"
    assert visible("\x85\x9b\x7f\u2028") == "\\x85\\x9b\\x7f\\u2028"


@pytest.mark.parametrize(
    "sql",
    [
        r"SELECT count(*) FROM t WHERE name = 'O\'Brien' AND x = 'D\'Arc'",
        r"SELECT 'O\'Brien', 'D\'Arc'",
        r"SELECT E'O\'Brien' || 'x'",
        r"SELECT 1 WHERE a = 'x\' OR Brien = ' Brien '",
    ],
)
def test_no_part_of_a_text_with_a_backslash_before_its_quote_is_logged(sql: str) -> None:
    [piece] = split(sql)
    assert "Brien" not in masked(piece)
    assert "Arc" not in masked(piece)
    assert masked(piece).startswith("SELECT")
    assert masked(piece).endswith("?")


def test_other_texts_are_logged_as_before() -> None:
    [piece] = split(r"SELECT n FROM t WHERE path = 'C:\data' AND name = 'O''Brien' AND age > 3")
    assert masked(piece) == "SELECT n FROM t WHERE path = ? AND name = ? AND age > ?"
