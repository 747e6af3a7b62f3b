"""Runs the code of a page in a folder, block by block, and compares what it shows, but for noise.

    python      runs, with the names of the blocks before it
    sql         each statement, by the owner of the page's database, at epsilon 0.5
    console     each line behind $, in bash; one that ends with & goes on until the page ends
    text        what the block before it printed, or drew; the beginning is enough

Numbers are compared as numbers are that have noise, everything else as it stands.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
import shlex
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import dpduck

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
FRAME = re.compile(r"[─┬┴┼├┤┌┐└┘│+]|-{3,}")
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
FAR, NEAR = 0.1, 40.0  # how far numbers may be from what is shown: relatively, or at all
PORT = "5433"
PROMPT = "$ "
SECONDS = 120


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    text: str


def blocks_of(page: Path) -> list[Block]:
    """The blocks of a page, in order. A block of a list is indented."""
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [Block(language, re.sub(f"^{indent}", "", text, flags=re.M)) for indent, language, text in found]


@dataclass
class Reader:
    """Who reads a page in a folder, and types what it shows."""

    folder: Path
    database: str = "shop.duckdb"
    names: dict[str, object] = field(default_factory=dict)
    shown: str = ""
    port: str = field(default_factory=lambda: free_port())
    variables: dict[str, str] = field(default_factory=dict)
    waiting: list[subprocess.Popen[str]] = field(default_factory=list)

    def read(self, page: Path) -> None:
        """Run all blocks of a page. Errors: AssertionError where what is shown is not what happens."""
        self.read_blocks(blocks_of(page))

    def read_blocks(self, blocks: list[Block]) -> None:
        """Run some blocks."""
        try:
            for block in blocks:
                getattr(self, f"_{block.language}")(block.text)
        finally:
            self._stop()

    def _python(self, text: str) -> None:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(text, "page", "exec"), self.names)
        self.shown = printed.getvalue()

    def _sql(self, text: str) -> None:
        with dpduck.connect(self.folder / self.database, epsilon="0.5") as owner:
            for statement in filter(str.strip, text.split(";")):
                answer = owner.execute(statement)
                self.shown = answer.box() if answer.description else ""

    def _text(self, text: str) -> None:
        assert_like(self.shown, text)

    def _console(self, text: str) -> None:
        assert text.startswith(PROMPT)
        for piece in text[len(PROMPT) :].split(f"\n{PROMPT}"):
            line, _, shown = piece.partition("\n")
            assert_like(self._type(line.replace(PORT, self.port)), shown.replace(PORT, self.port))

    def _type(self, line: str) -> str:
        """Type a line into bash. Output: what it says."""
        if line.startswith("export "):
            name, _, value = line.removeprefix("export ").partition("=")
            self.variables[name] = shlex.split(value)[0]
            return ""
        if line.endswith(" &"):
            return self._begin(line.removesuffix(" &"))
        done = subprocess.run(
            ["bash", "-c", line], **self._place(), capture_output=True, timeout=SECONDS, check=False
        )  # type: ignore[call-overload]
        return done.stdout + done.stderr

    def _begin(self, line: str) -> str:
        place = self._place()
        process = subprocess.Popen(
            ["bash", "-c", f"exec {line}"], **place, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )  # type: ignore[call-overload]
        self.waiting.append(process)
        return str(process.stdout.readline())

    def _place(self) -> dict[str, object]:
        commands = self.folder / ".commands"
        if not commands.exists():
            commands.mkdir()
            script = commands / "dpduck"
            script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m dpduck "$@"\n', encoding="utf-8")
            script.chmod(0o755)
        path = {"PATH": f"{commands}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
        return {"cwd": self.folder, "env": os.environ | path | self.variables, "text": True}

    def _stop(self) -> None:
        for process in self.waiting:
            process.terminate()
            process.wait(timeout=SECONDS)
            if process.stdout is not None:
                process.stdout.close()
        for name in ("db", "ana", "owner", "con"):
            if hasattr(self.names.get(name), "close"):
                self.names[name].close()  # type: ignore[attr-defined]


def assert_like(found: str, shown: str) -> None:
    """Whether text begins with what a page shows, but for noise, frames and blanks."""
    found_words, shown_words = words_of(found), words_of(shown)
    begun = found_words[: len(shown_words)]
    assert [mask(word) for word in begun] == [mask(word) for word in shown_words], found
    far = [
        pair for pair in zip(numbers_of(begun), numbers_of(shown_words), strict=True) if not is_near(*pair)
    ]
    assert far == [], found


def words_of(text: str) -> list[str]:
    return FRAME.sub(" ", text).split()


def mask(word: str) -> str:
    return NUMBER.sub("#", word)


def numbers_of(words: list[str]) -> list[float]:
    return [float(number.replace(",", "")) for word in words for number in NUMBER.findall(word)]


def is_near(value: float, shown: float) -> bool:
    """Whether a number may be another draw of the one that is shown.

    >>> [is_near(3420, 3428), is_near(0.4, 0.5), is_near(3000, 3428), is_near(9, 40)]
    [True, False, False, False]
    """
    room = NEAR if abs(shown) >= 10 * NEAR else 0.0 if abs(shown) < 1 else max(3.0, FAR * abs(shown))
    return math.isclose(value, shown, abs_tol=room)


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])
