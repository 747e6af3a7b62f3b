"""Questions about the tables of a folder, and the record of what becomes of each: answered, answered if the
session sets a delta, since keys have to be found in private rows, or the refusal.

A folder has tables.sql, which makes the tables with their rows, policies.sql and queries.sql, in which each
question has a number and a title. Questions that ask for private rows say so in their titles.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb

import dpduck

ANSWERED, WITH_DELTA = "answered", "answered with a delta"
_QUESTION = re.compile(r"^-- (\d+): (.*?)\n(.*?)(?=^-- \d+: |\Z)", re.DOTALL | re.MULTILINE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")  # today's, in the name of an expression


@dataclass(frozen=True)
class Question:
    """A question with its number and its SQL. `lists`: it asks for private rows."""

    number: int
    title: str
    sql: str

    @property
    def lists(self) -> bool:
        return "(private rows)" in self.title


def read_questions(file: Path) -> list[Question]:
    """The questions of a file, in its order."""
    found = _QUESTION.findall(file.read_bytes().decode())  # each character as it is, in strings too
    return [Question(int(number), title, sql.strip().rstrip(";")) for number, title, sql in found]


@dataclass(frozen=True)
class Tables:
    """The tables of a folder and their policies."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    def questions(self) -> list[Question]:
        return read_questions(self.folder / "queries.sql")

    def policies(self) -> list[str]:
        text = (self.folder / "policies.sql").read_text(encoding="utf-8")
        return [statement for statement in text.split(";") if statement.strip()]

    def open_plain(self, path: str) -> duckdb.DuckDBPyConnection:
        """Make the tables in a file or in memory, without policies."""
        connection = duckdb.connect(path)
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute((self.folder / "tables.sql").read_text(encoding="utf-8"))
        return connection

    def open(self, path: Path) -> dpduck.Connection:
        """Make the tables in a file, and protect them."""
        self.open_plain(str(path)).close()
        db = dpduck.connect(path, epsilon="0.1")
        db.execute("; ".join(self.policies()))
        return db


def verdict(question: Question, db: dpduck.Connection) -> str:
    """`ANSWERED`, `WITH_DELTA`, or the problem that a question is refused for without one."""
    problem = _problem(question, db)
    if problem is None:
        return ANSWERED
    db.execute("SET dp_delta = 1e-6")
    answered = _problem(question, db) is None
    db.execute("SET dp_delta = 0")
    return WITH_DELTA if answered else problem


def _problem(question: Question, db: dpduck.Connection) -> str | None:
    try:
        db.explain(question.sql)
    except dpduck.DpduckError as error:
        return _DATE.sub("DATE", str(error).splitlines()[0])
    return None


def verdicts_of(questions: Iterable[Question], db: dpduck.Connection) -> dict[int, str]:
    """The verdict of each question, by its number."""
    return {question.number: verdict(question, db) for question in questions}


@dataclass(frozen=True)
class Record:
    """The file of verdicts: a number and a verdict in each line. DPDUCK_WRITE_GOLDEN=1 writes it anew."""

    file: Path

    def read(self) -> dict[int, str]:
        lines = self.file.read_text(encoding="utf-8").splitlines()
        return {int(number): text for number, _, text in (line.partition(" ") for line in lines)}

    def check(self, found: Mapping[int, str]) -> None:
        """Compare some verdicts with the record. Errors: AssertionError if they differ."""
        if "DPDUCK_WRITE_GOLDEN" in os.environ:
            known = (self.read() if self.file.exists() else {}) | dict(found)
            lines = [f"{number} {text}\n" for number, text in sorted(known.items())]
            self.file.write_text("".join(lines), encoding="utf-8")
        known = self.read()
        assert found == {number: known.get(number) for number in found}

    def check_share(self, questions: Iterable[Question], least: float) -> None:
        """Check that there is a verdict of each question, that so large a share of those that have a private
        answer is answered, and of those that ask for private rows at most for such as many people have."""
        by_number = {question.number: question for question in questions}
        known = self.read()
        assert sorted(known) == sorted(by_number) == list(range(1, len(by_number) + 1))
        answered = {by_number[number] for number, text in known.items() if text == ANSWERED}
        assert not [question for question in answered if question.lists]
        found = {by_number[number] for number, text in known.items() if text == WITH_DELTA}
        asked = {question for question in by_number.values() if not question.lists}
        assert len(asked & (answered | found)) >= least * len(asked)
