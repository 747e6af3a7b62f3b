"""Golden files: blocks of SQL text, divided by a line of dashes; DPDUCK_WRITE_GOLDEN=1 writes them anew.

accepted/<database>/*.sql: the query, its plan in one comment, the score SQL of each part, the SQL that
makes the answer of the released columns (both broken into lines, see `lines`), and plain SQL that gives the
same rows without noise ('the query' if it is the query itself). A cell of two numbers in plain SQL,
[low, high], stands for anything between them. refused/*.sql: the query and, as comments, the error.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from tests.query.lines import broken, joined

FOLDER = Path(__file__).parent.parent / "golden"
WRITING = os.environ.get("DPDUCK_WRITE_GOLDEN") == "1"
THE_QUERY = "the query"
_RULE = "\n----\n"
_PLAIN, _PLAN, _SCORE, _ANSWER = "\n-- plain:\n", "\n-- plan: ", "\n-- score:\n", "\n-- answer:\n"


@dataclass
class Accepted:
    query: str
    plain: str
    plan: str = ""
    scores: tuple[str, ...] = ()
    answer: str = ""

    @property
    def expected(self) -> str:
        """SQL of the rows that come without noise."""
        return self.query if self.plain == THE_QUERY else self.plain


@dataclass
class Refused:
    query: str
    error: str


def files(kind: str) -> list[Path]:
    return sorted((FOLDER / kind).rglob("*.sql"))


def blocks(path: Path) -> list[str]:
    return [block.strip("\n") for block in path.read_text(encoding="utf-8").split(_RULE)]


def cases(path: Path) -> list[Accepted]:
    return [accepted(block) for block in blocks(path)]


def accepted(block: str) -> Accepted:
    """A block in parts; one that was just written by hand ends after its plain SQL."""
    head, _, made = block.partition(_PLAN)
    query, _, plain = head.partition(_PLAIN)
    plan, *parts = made.split(_SCORE)
    last, _, answer = parts.pop().partition(_ANSWER) if parts else plan.partition(_ANSWER)
    if made.count(_SCORE):
        parts.append(last)
    else:
        plan = last
    scores = tuple(joined(_statement(part)) for part in parts)
    return Accepted(_statement(query), _statement(plain), plan, scores, joined(_statement(answer)))


def _statement(text: str) -> str:
    return text.strip("\n").removesuffix(";")


def refused(block: str) -> Refused:
    query, _, error = block.partition(";\n-- ")
    return Refused(query.removesuffix(";"), error)


def write_accepted(path: Path, found: list[Accepted]) -> None:
    _write(path, [_text(case) for case in found])


def _text(case: Accepted) -> str:
    plain = case.plain if case.plain == THE_QUERY else f"{case.plain};"
    scores = "".join(f"{_SCORE}{broken(score)};" for score in case.scores)
    return f"{case.query};{_PLAIN}{plain}{_PLAN}{case.plan}{scores}{_ANSWER}{broken(case.answer)};"


def write_refused(path: Path, found: list[Refused]) -> None:
    _write(path, [f"{case.query};\n-- {case.error}" for case in found])


def _write(path: Path, texts: list[str]) -> None:
    path.write_text(_RULE.join(texts) + "\n", encoding="utf-8")
