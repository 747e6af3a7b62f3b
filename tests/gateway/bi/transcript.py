"""Transcripts of BI tools: what one sends, statement by statement, and what must come back.

A file begins with what it is from. A statement comes after a line `--! <expected>: <what it is for>`, where
expected is `done`, `rows`, `4 rows` or `refused 0A000`, and `, epsilon 0.5` where it is charged.
`--! with: varchar home, int4 5` gives its parameters, `--! protocol: ...` says how all of a file are sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
_HEAD = re.compile(
    r"(?P<outcome>done|rows|\d+ rows?|refused [0-9A-Z]{5})(, epsilon (?P<epsilon>[0-9.]+))?: (?P<what>.+)"
)


@dataclass(frozen=True)
class Step:
    """A statement. `outcome`: as it is written; `epsilon`: of its charge, None if it is free.

    `parameters`: the type and the text of each.
    """

    what: str
    outcome: str
    epsilon: str | None
    parameters: tuple[tuple[str, str], ...]
    sql: str


@dataclass(frozen=True)
class Transcript:
    """What a tool sends. `protocol`: simple, extended, or binary, which is extended with binary results."""

    tool: str
    protocol: str
    steps: tuple[Step, ...]


def tools() -> list[str]:
    """The tools of which there is a transcript."""
    return sorted(path.stem for path in FOLDER.glob("*.sql"))


def read(tool: str) -> Transcript:
    """Read a transcript. Errors: AssertionError for what is not written as it must be."""
    _, *blocks = re.split(r"^--! ", (FOLDER / f"{tool}.sql").read_text(encoding="utf-8"), flags=re.MULTILINE)
    word, protocol = blocks[0].split()[:2]
    assert word == "protocol:"
    assert protocol in ("simple", "extended", "binary")
    return Transcript(tool, protocol, tuple(_steps(blocks[1:])))


def _steps(blocks: list[str]) -> Iterator[Step]:
    rest = iter(blocks)
    for block in rest:
        head, _, body = block.partition("\n")
        parameters: tuple[tuple[str, str], ...] = ()
        if not body.strip():
            said, _, body = next(rest).partition("\n")
            assert said.startswith("with: "), said
            pairs = (pair.split(" ", 1) for pair in said.removeprefix("with: ").split(", "))
            parameters = tuple((kind, value) for kind, value in pairs)
        found = _HEAD.fullmatch(head)
        assert found is not None, head
        yield Step(found["what"], found["outcome"], found["epsilon"], parameters, _statement(body))


def _statement(body: str) -> str:
    """Without the remarks of the transcript, which have a blank line before and after."""
    parts = re.split(r"\n\s*\n", body.strip("\n"))
    while len(parts) > 1 and all(line.startswith("-- ") for line in parts[-1].strip().splitlines()):
        parts.pop()
    return "\n\n".join(parts)
