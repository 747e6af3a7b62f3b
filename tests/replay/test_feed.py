"""The feed of new answers: threads that look at once miss none, and wait for none."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import cast

from dpduck.answers.replay.cache import AnswerFeed
from dpduck.kernel.ledger import KeptAnswer, Ledger
from dpduck.kernel.ledger.records import NewAnswers

SECONDS = 30


def kept(seq: int) -> KeptAnswer:
    return KeptAnswer(seq, datetime(2026, 11, 27, tzinfo=UTC), Fraction(1), Fraction(0), "")


class Answers:
    """A ledger that only has answers. `reading`: what the next read waits for, after it has read."""

    def __init__(self) -> None:
        self.upto, self.reading = 0, threading.Event()
        self.reading.set()
        self.reads = threading.Semaphore(0)

    def new_answers(self, after: int, *, waits: bool = True) -> NewAnswers | None:
        upto = self.upto
        found = tuple(("people", "1", kept(number)) for number in range(max(after, 0) + 1, upto + 1))
        self.reads.release()
        if waits:
            assert self.reading.wait(SECONDS)
        return NewAnswers(upto, found)


def look(feed: AnswerFeed, answers: Answers, *, waits: bool = True) -> bool:
    return feed.look(cast("Ledger", answers), waits=waits)


def numbers(found: Sequence[KeptAnswer] | None) -> list[int]:
    assert found is not None
    return [one.seq for one in found]


def test_one_that_does_not_wait_looks_while_another_reads() -> None:
    feed, answers = AnswerFeed(), Answers()
    assert look(feed, answers)
    answers.reads.acquire()
    answers.upto = 2
    answers.reading.clear()
    other = threading.Thread(target=look, args=(feed, answers), daemon=True)
    other.start()
    assert answers.reads.acquire(timeout=SECONDS)  # it has read two answers, and has not added them
    answers.upto = 3
    assert look(feed, answers, waits=False)
    assert numbers(feed.since(0, "people", "1")) == [1, 2, 3]
    answers.reading.set()
    other.join(SECONDS)
    assert numbers(feed.since(0, "people", "1")) == [1, 2, 3]  # none is there twice
    assert feed.position == 3


def test_many_threads_see_each_answer_once() -> None:
    feed, answers = AnswerFeed(), Answers()
    done = threading.Event()

    def watch() -> None:
        while not done.is_set():
            look(feed, answers, waits=False)

    threads = [threading.Thread(target=watch, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(500):
        answers.upto += 1
        look(feed, answers)
        assert feed.position == answers.upto
    done.set()
    for thread in threads:
        thread.join(SECONDS)
    assert numbers(feed.since(0, "people", "1")) == list(range(1, 501))


def test_an_older_ledger_in_its_place_forgets_what_was_found() -> None:
    class Older(Answers):
        def new_answers(self, after: int, *, waits: bool = True) -> NewAnswers | None:
            found = super().new_answers(after, waits=waits)
            return found if found is None or found.upto >= after else NewAnswers(found.upto, None)

    feed, answers = AnswerFeed(), Older()
    answers.upto = 5
    assert look(feed, answers)
    before = feed.position
    answers.upto = 3
    assert look(feed, answers)
    assert feed.since(before - 1, "people", "1") is None
