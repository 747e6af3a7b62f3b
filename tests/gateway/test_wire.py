"""Bytes to messages: however they are cut, and whatever they are."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpduck.doors.gateway.errors import ProtocolError
from dpduck.doors.gateway.protocol import messages as m
from dpduck.doors.gateway.protocol.states import State, Transition
from dpduck.doors.gateway.protocol.wire import MAX_AUTHENTICATING, MAX_OPENING, MAX_READY, Wire
from tests.gateway import wiring as w

OPENING = w.GSS_REQUEST + w.SSL_REQUEST + w.startup(user="ana")
WORK = (
    w.query("SELECT 'ä'")
    + w.parse("SELECT $1", "s", [23])
    + w.bind([b"1", None], "s", "p", [1, 0], [1])
    + w.describe("S", "s")
    + w.execute("p", 3)
    + w.close("P", "p")
    + w.FLUSH
    + w.SYNC
    + w.TERMINATE
)


def ready() -> Wire:
    wire = Wire()
    wire.state = State.READY
    return wire


def heard(wire: Wire, *parts: bytes) -> list[m.Message]:
    return [message for part in parts for message in wire.receive(part)]


def test_all_at_once() -> None:
    assert [type(message).__name__ for message in heard(Wire(), OPENING)] == [
        "GssRequest",
        "SslRequest",
        "Startup",
    ]
    assert len(heard(ready(), WORK)) == 9


@pytest.mark.parametrize("place", range(len(WORK) + 1))
def test_cut_anywhere(place: int) -> None:
    assert heard(ready(), WORK[:place], WORK[place:]) == heard(ready(), WORK)


@given(st.lists(st.integers(0, len(OPENING)), max_size=8))
def test_cut_in_many_places(places: list[int]) -> None:
    cuts = [0, *sorted(places), len(OPENING)]
    parts = [OPENING[start:end] for start, end in pairwise(cuts)]
    assert heard(Wire(), *parts) == heard(Wire(), OPENING)


def test_byte_by_byte() -> None:
    assert heard(ready(), *(WORK[n : n + 1] for n in range(len(WORK)))) == heard(ready(), WORK)


def test_what_waits_is_known() -> None:
    wire = Wire()
    assert not wire.waits
    assert heard(wire, w.SSL_REQUEST[:7]) == []
    assert wire.waits
    assert heard(wire, w.SSL_REQUEST[7:]) == [m.SslRequest()]
    assert not wire.waits
    # What was sent in the open behind a request to encrypt is still there to be noticed.
    assert next(wire.receive(w.SSL_REQUEST + w.startup(user="ana"))) == m.SslRequest()
    assert wire.waits


def test_a_message_is_read_only_when_it_is_asked_for() -> None:
    wire = ready()
    messages = wire.receive(w.parse("a") + w.query("b") + w.SYNC)
    assert type(next(messages)) is m.Parse
    wire.tell(Transition.FAILED)
    assert type(next(messages)) is m.Query
    assert wire.state is State.SKIPPING
    assert type(next(messages)) is m.Sync
    assert wire.state is State.READY


@pytest.mark.parametrize(
    ("state", "most"),
    [
        (State.OPENING, MAX_OPENING),
        (State.ASKED, MAX_AUTHENTICATING),
        (State.CHALLENGED, MAX_AUTHENTICATING),
        (State.READY, MAX_READY),
        (State.SKIPPING, MAX_READY),
    ],
)
def test_lengths_are_judged_before_the_bytes_come(state: State, most: int) -> None:
    for size in (most + 1, 2**31 - 1, 3, 0, -1, -(2**31)):
        wire = Wire()
        wire.state = state
        head = size.to_bytes(4, "big", signed=True)
        with pytest.raises(ProtocolError, match="a length that is not allowed"):
            heard(wire, head if state is State.OPENING else b"Q" + head)
        assert wire.state is State.CLOSED
        assert not wire.waits
    wire = Wire()
    wire.state = state
    head = most.to_bytes(4, "big")
    assert heard(wire, head if state is State.OPENING else b"Q" + head) == []


def test_the_limits() -> None:
    assert (MAX_OPENING, MAX_AUTHENTICATING, MAX_READY) == (10_000, 64 * 1024, 64 * 1024 * 1024)


def test_a_long_message_is_taken_in_parts() -> None:
    sql = "x" * 3_000_000
    wire, message = ready(), w.query(sql)
    parts = [message[n : n + 65_536] for n in range(0, len(message), 65_536)]
    assert heard(wire, *parts) == [m.Query(sql)]


def test_many_messages_at_once_are_not_slow() -> None:
    assert len(heard(ready(), w.SYNC * 50_000)) == 50_000


@pytest.mark.parametrize("start", [OPENING, w.startup(user="a"), w.SSL_REQUEST, w.cancel(1, 2)])
def test_a_message_that_is_cut_off_is_none(start: bytes) -> None:
    for end in range(len(w.startup(user="a"))):
        wire = Wire()
        list(wire.receive(start[:end]))
        assert wire.state in (State.OPENING, State.ASKED, State.CLOSED)


@given(st.sampled_from(State), st.lists(st.binary(max_size=40), max_size=4))
def test_any_bytes(state: State, parts: list[bytes]) -> None:
    wire = Wire()
    wire.state = state
    try:
        heard(wire, *parts)
    except ProtocolError as error:
        assert error.charged == "0"
        assert wire.state is State.CLOSED
        assert heard(wire, w.SYNC) == []


@pytest.mark.slow
def test_a_hundred_thousand_broken_messages() -> None:
    """Valid conversations with bytes changed, left out or doubled: messages or a ProtocolError."""
    words = random.Random(7)
    valid, broken = [OPENING, WORK, w.startup(user="ana"), w.cancel(1, 2)], 0
    for _ in range(100_000):
        data = bytearray(words.choice(valid))
        for _ in range(words.randrange(1, 4)):
            place = words.randrange(len(data))
            how = words.randrange(3)
            data[place : place + (how > 0)] = bytes([words.randrange(256)]) * (how < 2)
        wire = Wire()
        wire.state = words.choice([State.OPENING, State.READY, State.SKIPPING, State.CHALLENGED])
        try:
            for _ in wire.receive(bytes(data)):
                pass
        except ProtocolError:
            broken += 1
            assert wire.state is State.CLOSED
    assert broken > 30_000
