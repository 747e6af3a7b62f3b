"""Golden files: blocks of SQL text, divided by a line of dashes; DPDUCK_WRITE_GOLDEN=1 writes them anew.

accepted: the query, its plan in one comment, the score SQL, and plain SQL that must give the same scores.
refused: the query and, as comments, the error.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "golden"
WRITING = os.environ.get("DPDUCK_WRITE_GOLDEN") == "1"
_RULE = "\n----\n"


@dataclass
class Accepted:
    query: str
    plan: str
    score: str
    plain: str


@dataclass
class Refused:
    query: str
    error: str


def files(kind: str) -> list[Path]:
    return sorted((FOLDER / kind).glob("*.sql"))


def blocks(path: Path) -> list[str]:
    return [block.strip("\n") for block in path.read_text(encoding="utf-8").split(_RULE)]


def accepted(block: str) -> Accepted:
    query, _, rest = block.partition(";\n-- plan: ")
    summary, _, rest = rest.partition("\n-- score:\n")
    score, _, plain = rest.partition(";\n-- plain:\n")
    return Accepted(query, summary, score, plain.rstrip(";"))


def refused(block: str) -> Refused:
    query, _, error = block.partition(";\n-- ")
    return Refused(query, error)


def write_accepted(path: Path, cases: list[Accepted]) -> None:
    _write(
        path, [f"{c.query};\n-- plan: {c.plan}\n-- score:\n{c.score};\n-- plain:\n{c.plain};" for c in cases]
    )


def write_refused(path: Path, cases: list[Refused]) -> None:
    _write(path, [f"{case.query};\n-- {case.error}" for case in cases])


def _write(path: Path, texts: list[str]) -> None:
    path.write_text(_RULE.join(texts) + "\n", encoding="utf-8")
