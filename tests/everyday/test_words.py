"""How many words stand below the answer of an everyday question; none of its meaning is folded away."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from statistics import median

import pytest

import dpduck
from dpduck.kernel.errors.notices import Notice, Rank, brief_of
from tests.depth import depth
from tests.everyday.test_everyday import DOMAINS, HERE, RECORD
from tests.questions import ANSWERED, Tables

MOST = 12  # words below the usual answer

pytestmark = pytest.mark.slow


def words_below(answer: dpduck.Cursor) -> int:
    """The words of the notices that an answer shows of itself."""
    shown = repr(answer).partition(" charged.\n")[2]
    return len(shown.split())


def answers() -> Iterator[dpduck.Cursor]:
    """Answers to all questions that have one, or to every third."""
    known, turns = RECORD.read(), cycle(range(depth(1, 3)))
    for domain in DOMAINS:
        tables = Tables(HERE / domain)
        with tables.open_plain(":memory:") as rows, dpduck.connect(rows, epsilon=1) as db:
            db.execute("; ".join(tables.policies()))
            db.execute("CREATE PRIVACY BUDGET b LIMIT 100000")
            for question in tables.questions():
                if known[question.number] == ANSWERED and next(turns) == 0:
                    yield db.sql(question.sql)


def test_the_usual_answer_has_few_words_below_and_each_meaning_has_a_line() -> None:
    counts = []
    for answer in answers():
        counts.append(words_below(answer))
        for notice in answer._notices:
            if isinstance(notice, Notice) and notice.rank is Rank.MEANING:
                assert brief_of([notice]).lines == (notice.sentence,)
                body = notice.sentence.removeprefix(f"{notice.lead}: ").removesuffix(".")
                assert any(body in line for line in brief_of(answer._notices).lines)
    print(f"{len(counts)} answers: {median(counts):g} words in the median, {max(counts)} at most")
    assert len(counts) > depth(200, 70) and median(counts) <= MOST
