"""Messages of a client, byte by byte as the protocol's documentation lays them out."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpduck.doors.gateway.protocol import messages as m
from dpduck.doors.gateway.protocol.messages import MalformedError, read_message, read_opening
from tests.gateway import wiring as w


def body(message: bytes) -> tuple[int, bytes]:
    assert int.from_bytes(message[1:5], "big") == len(message) - 1
    return message[0], message[5:]


def read(message: bytes, *, authenticating: bool = False) -> m.Message:
    return read_message(*body(message), authenticating=authenticating)


@pytest.mark.parametrize(
    ("packet", "expected"),
    [
        (b"\x04\xd2\x16\x2f", m.SslRequest()),
        (b"\x04\xd2\x16\x30", m.GssRequest()),
        (b"\x04\xd2\x16\x2e\x00\x00\x00\x07\xff\xff\xff\xff", m.CancelRequest(7, 2**32 - 1)),
        (b"\x00\x03\x00\x00user\0ana\0\0", m.Startup({"user": "ana"})),
        (b"\x00\x03\x00\x02user\0\xc3\xa4\0_pq_.x\0\0\0", m.Startup({"user": "ä", "_pq_.x": ""}, 2)),
        (b"\x00\x03\x00\x00\0", m.Startup({})),
    ],
)
def test_openings(packet: bytes, expected: m.Message) -> None:
    assert read_opening(packet) == expected


def test_options_of_later_versions_are_told_apart() -> None:
    assert m.Startup({"user": "a", "_pq_.x": "1", "_pq_.y": ""}).unknown_options == ("_pq_.x", "_pq_.y")


@pytest.mark.parametrize(
    "packet",
    [
        b"",
        b"\x00\x03\x00",
        b"\x00\x02\x00\x00user\0ana\0\0",  # an older version
        b"\x00\x04\x00\x00\0",
        b"\x16\x03\x01\x00",  # TLS without asking for it
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x04\xd2\x16\x2f\0",  # bytes after its end
        b"\x04\xd2\x16\x2e\x00\x00\x00\x07\xff\xff\xff",  # half a key
        b"\x00\x03\x00\x00",
        b"\x00\x03\x00\x00user\0ana\0",  # no end
        b"\x00\x03\x00\x00user\0ana",
        b"\x00\x03\x00\x00user\0\0ana\0\0more",
        b"\x00\x03\x00\x00user\0\xff\0\0",  # not UTF-8
    ],
)
def test_openings_that_are_none(packet: bytes) -> None:
    with pytest.raises(MalformedError):
        read_opening(packet)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (b"Q\0\0\0\x0dSELECT 1\0", m.Query("SELECT 1")),
        (b"Q\0\0\0\x05\0", m.Query("")),
        (b"P\0\0\0\x13s\0SELECT\0\0\x01\0\0\0\x17", m.Parse("s", "SELECT", (23,))),
        (b"P\0\0\0\x08\0\0\0\0", m.Parse("", "", ())),
        (
            b"B\0\0\0\x1ep\0s\0\0\x02\0\0\0\x01\0\x02\0\0\0\x02ab\xff\xff\xff\xff\0\x01\0\x01",
            m.Bind("p", "s", (0, 1), (b"ab", None), (1,)),
        ),
        (b"B\0\0\0\x0c\0\0\0\0\0\0\0\0", m.Bind("", "", (), (), ())),
        (b"D\0\0\0\x07Ss\0", m.DescribeStatement("s")),
        (b"D\0\0\0\x06P\0", m.DescribePortal("")),
        (b"E\0\0\0\x0ap\0\0\0\0\x05", m.Execute("p", 5)),
        (b"E\0\0\0\x09\0\xff\xff\xff\xff", m.Execute("", 0)),
        (b"C\0\0\0\x07Ss\0", m.CloseStatement("s")),
        (b"C\0\0\0\x06P\0", m.ClosePortal("")),
        (b"H\0\0\0\x04", m.Flush()),
        (b"S\0\0\0\x04", m.Sync()),
        (b"X\0\0\0\x04", m.Terminate()),
        (b"F\0\0\0\x06ab", m.FunctionCall()),
        (b"d\0\0\0\x07abc", m.CopyInput()),
        (b"c\0\0\0\x04", m.CopyInput()),
        (b"f\0\0\0\x05\0", m.CopyInput()),
        (b"p\0\0\0\x0dM\0\0\0\0\x03abc", m.SaslInitial("M", b"abc")),
        (b"p\0\0\0\x0aM\0\xff\xff\xff\xff", m.SaslInitial("M", b"")),
    ],
)
def test_messages(message: bytes, expected: m.Message) -> None:
    assert read(message) == expected


def test_a_last_proof_is_all_of_its_bytes() -> None:
    assert read(b"p\0\0\0\x07M\0\xff", authenticating=True) == m.SaslResponse(b"M\0\xff")


@pytest.mark.parametrize(
    "message",
    [
        b"Q\0\0\0\x04",  # no text
        b"Q\0\0\0\x06ab",  # without an end
        b"Q\0\0\0\x07a\0b",  # bytes after it
        b"Q\0\0\0\x06\xff\0",  # not UTF-8
        b"P\0\0\0\x06\0\0",  # no count
        b"P\0\0\0\x0c\0\0\0\x02\0\0\0\x17",  # two types, of which one came
        b"B\0\0\0\x0c\0\0\0\x01\0\x02\0\0",  # format 2
        b"B\0\0\0\x10\0\0\0\0\0\x01\0\0\0\x09\0\0",  # a value that goes beyond the message
        b"B\0\0\0\x10\0\0\0\0\0\x01\xff\xff\xff\xfe\0\0",  # of length -2
        b"B\0\0\0\x08\0\0\xff\xff",  # 65,535 formats, of which none came
        b"D\0\0\0\x06X\0",
        b"D\0\0\0\x04",
        b"C\0\0\0\x06p\0",
        b"E\0\0\0\x05\0",
        b"S\0\0\0\x05a",
        b"X\0\0\0\x05a",
        b"p\0\0\0\x0dM\0\0\0\0\x04abc",
        b"p\0\0\0\x0dM\0\xff\xff\xff\xfdabc",
        b"!\0\0\0\x04",
        b"\0\0\0\0\x04",
    ],
)
def test_messages_that_are_none(message: bytes) -> None:
    with pytest.raises(MalformedError) as caught:
        read(message)
    assert "ab" not in str(caught.value)


def test_a_bind_of_all_the_parameters_there_may_be() -> None:
    found = read(w.bind([b"1"] * 65_535, results=[1] * 65_535))
    assert isinstance(found, m.Bind)
    assert len(found.values) == len(found.result_formats) == 65_535


names = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=20)
words = st.integers(0, 65_535)


@given(names, names, st.lists(st.integers(0, 2**32 - 1), max_size=5))
def test_parse_as_it_was_written(name: str, sql: str, types: list[int]) -> None:
    assert read(w.parse(sql, name, types)) == m.Parse(name, sql, tuple(types))


@given(names, names, st.lists(st.none() | st.binary(max_size=9), max_size=5), st.integers(0, 1))
def test_bind_as_it_was_written(portal: str, statement: str, values: list[bytes | None], form: int) -> None:
    message = w.bind(values, statement, portal, [form] * len(values), [form])
    assert read(message) == m.Bind(portal, statement, (form,) * len(values), tuple(values), (form,))


@given(st.sampled_from(b"QPBDECHSXFdcfp!"), st.binary(max_size=60), st.booleans())
def test_any_bytes_are_a_message_or_malformed(kind: int, data: bytes, authenticating: bool) -> None:
    try:
        assert isinstance(read_message(kind, data, authenticating=authenticating), m.Message)
    except MalformedError as error:
        assert str(error).isascii()  # and quotes nothing


@given(st.sampled_from([b"", struct.pack("!i", 3 << 16), w.SSL_REQUEST[4:], w.cancel(1, 2)[4:]]), st.binary())
def test_any_bytes_are_an_opening_or_malformed(start: bytes, data: bytes) -> None:
    try:
        assert isinstance(read_opening(start + data), m.Message)
    except MalformedError as error:
        assert str(error).isascii()
