"""What the thread that serves everybody does itself: what takes no waiting, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dpduck.doors.gateway.protocol.signals import FLUSH, WORK
from tests.gateway import wiring as w
from tests.gateway.talking import House, Talk
from tests.gateway.wiring import rows_of

COUNT = "SELECT count(*) FROM people"
CITIES = "SELECT city FROM cities"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = House(w.make_shop(tmp_path / "shop.duckdb"))
    yield opened
    opened.close()


def works(talk: Talk, *messages: bytes) -> bool:
    """Whether a thread of its own was asked for on the way."""
    return any(reply is WORK for reply in list(talk.work(*messages)))


def extended(sql: str) -> bytes:
    return w.parse(sql) + w.bind() + w.describe("P") + w.execute() + w.SYNC


def test_an_answer_that_the_connection_has_comes_at_once(house: House) -> None:
    talk = house.talk()
    first = rows_of(talk.ask(COUNT))
    assert works(talk, w.query(COUNT))  # the first replay is put on record
    charges = talk.charges
    for messages in (w.query(COUNT), extended(COUNT)):
        assert not works(talk, messages)
    assert rows_of(talk.ask(COUNT)) == first
    assert talk.charges == charges
    assert talk.done[-1].replayed


def test_what_takes_its_time_says_so_before_it_begins(house: House) -> None:
    talk = house.talk()
    for sql in (COUNT, CITIES, "SELECT 1", f"COPY ({CITIES}) TO STDOUT", f"EXPLAIN {COUNT}", "SHOW PRIVACY"):
        before = talk.charges
        replies = talk.work(w.query(sql))
        assert next(replies) is WORK, sql
        assert talk.charges == before, sql
        list(replies)


def test_what_is_about_the_connection_comes_at_once(house: House) -> None:
    talk = house.talk()
    for sql in ("BEGIN", "SHOW timezone", "COMMIT", "SET dp_epsilon = 1", "SHOW dp_epsilon", "DISCARD ALL"):
        assert not works(talk, w.query(sql)), sql


@pytest.mark.parametrize(
    "messages",
    [
        w.query(f"{CITIES} -- {'x' * 3000}"),
        w.parse("SELECT city FROM cities WHERE size = $1"),
        w.parse(CITIES) + w.describe("S"),
    ],
)
def test_long_and_unknown_texts_take_their_time(house: House, messages: bytes) -> None:
    assert works(house.talk(), messages, w.SYNC)


def test_settings_and_newer_answers_count(house: House) -> None:
    talk, other = house.talk(), house.talk()
    for _ in range(2):
        talk.ask(COUNT)
    assert not works(talk, w.query(COUNT))
    talk.ask("SET dp_replay = off")
    assert works(talk, w.query(COUNT))
    talk.ask("SET dp_replay = on")
    other.ask("SET dp_replay = off")
    newest = rows_of(other.ask(COUNT))
    assert works(talk, w.query(COUNT))
    assert rows_of(talk.ask(COUNT)) == newest


def test_another_session_is_put_on_record_first(house: House) -> None:
    talk, other = house.talk(), house.talk()
    for _ in range(2):
        talk.ask(COUNT)
    charges = other.charges
    assert works(other, w.query(COUNT))
    assert other.charges == charges + 1  # the entry of a replay
    assert not works(other, w.query(COUNT))


def test_a_signal_is_told_by_which_it_is() -> None:
    assert FLUSH == WORK == b""
    assert FLUSH is not WORK
