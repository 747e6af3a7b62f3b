"""300 everyday questions of nine domains, written by somebody who had not seen dpduck: which are answered.

`verdicts.txt` has what becomes of each: answered, or the refusal. DPDUCK_WRITE_GOLDEN=1 writes it anew.
Questions that ask for private rows say so in their titles, and none of these may be answered.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

import dpduck

HERE = Path(__file__).parent
DOMAINS = sorted(path.parent.name for path in HERE.glob("*/queries.sql"))
VERDICTS = HERE / "verdicts.txt"
LEAST_SHARE = 0.70  # of the questions that have a private answer
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


def questions_of(domain: str) -> list[Question]:
    text = (HERE / domain / "queries.sql").read_text(encoding="utf-8")
    found = _QUESTION.findall(text)
    return [Question(int(number), title, sql.strip().rstrip(";")) for number, title, sql in found]


def open_tables(domain: str, path: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(path)
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute((HERE / domain / "tables.sql").read_text(encoding="utf-8"))
    return connection


def policies_of(domain: str) -> list[str]:
    text = (HERE / domain / "policies.sql").read_text(encoding="utf-8")
    return [statement for statement in text.split(";") if statement.strip()]


def open_domain(domain: str, path: Path) -> dpduck.Connection:
    open_tables(domain, str(path)).close()
    db = dpduck.connect(path, epsilon="0.1")
    for statement in policies_of(domain):
        db.execute(statement)
    return db


def verdict(question: Question, db: dpduck.Connection) -> str:
    try:
        db.explain(question.sql)
    except dpduck.DpduckError as error:
        return _DATE.sub("DATE", str(error).splitlines()[0])
    return "answered"


def recorded() -> dict[int, str]:
    lines = VERDICTS.read_text(encoding="utf-8").splitlines()
    return {int(number): text for number, _, text in (line.partition(" ") for line in lines)}


@pytest.fixture(scope="module", params=DOMAINS)
def asked(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[int, str]]:
    """The verdicts of one domain."""
    path = tmp_path_factory.mktemp(request.param) / "everyday.duckdb"
    with open_domain(request.param, path) as db:
        found = {question.number: verdict(question, db) for question in questions_of(request.param)}
    if "DPDUCK_WRITE_GOLDEN" in os.environ:
        known = (recorded() if VERDICTS.exists() else {}) | found
        VERDICTS.write_text("".join(f"{n} {text}\n" for n, text in sorted(known.items())), encoding="utf-8")
    yield found


def test_verdicts(asked: dict[int, str]) -> None:
    known = recorded()
    assert asked == {number: known[number] for number in asked}


def test_most_are_answered_and_no_rows_are_listed() -> None:
    known = recorded()
    questions = [question for domain in DOMAINS for question in questions_of(domain)]
    assert sorted(known) == sorted(question.number for question in questions) == list(range(1, 301))
    answered = {number for number, text in known.items() if text == "answered"}
    assert not answered & {question.number for question in questions if question.lists}
    assert len(answered) >= LEAST_SHARE * sum(not question.lists for question in questions)
