"""Parameters: what psycopg sends is read back as it was, and what is no value is refused."""

from __future__ import annotations

import re
import struct
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from psycopg.adapt import PyFormat, Transformer
from psycopg.types.numeric import Float4, Int2, Int4, Int8, Oid

from dpduck.compiler.parse.bind import bind_tree
from dpduck.compiler.parse.statements import parse
from dpduck.doors.gateway.encoding.encode import BINARY_FORMAT
from dpduck.doors.gateway.encoding.parameters import decode, oid_of_duckdb
from dpduck.doors.gateway.encoding.pgtypes import BY_OID
from dpduck.kernel.errors import ParameterError
from tests.gateway.oracle import Session, postgres_session

TREE = parse("SELECT * FROM t WHERE a = $1").expression
LETTERS = st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
NUMERICS = st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**20), max_value=10**20)
VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1).map(Int8),
    st.integers(-(2**31), 2**31 - 1).map(Int4),
    st.integers(-(2**15), 2**15 - 1).map(Int2),
    st.integers(0, 2**32 - 1).map(Oid),
    st.floats(allow_nan=False, allow_infinity=False),
    st.floats(allow_nan=False, allow_infinity=False, width=32).map(Float4),
    NUMERICS,
    LETTERS,
    st.dates(),
    st.datetimes(),
    st.uuids(),
)


def dumped(value: Any, form: PyFormat) -> tuple[int, bool, bytes]:
    """The type, whether it is in binary format (which psycopg has not for all), and the payload."""
    dumper = Transformer().get_dumper(value, form)
    payload = bytes(dumper.dump(value) or b"")
    return dumper.oid, dumper.format == BINARY_FORMAT, payload


@given(VALUES, st.sampled_from([PyFormat.TEXT, PyFormat.BINARY]))
@settings(max_examples=300, deadline=None)
def test_what_psycopg_sends_is_read_back(value: Any, form: PyFormat) -> None:
    read = decode(*dumped(value, form))
    expected = str(value) if isinstance(value, UUID) else value
    assert read == expected
    assert isinstance(read, (bool, int, float, Decimal, str, date))
    assert type(read) is type(expected) or not isinstance(expected, (bool, str, date, Decimal))


@given(st.lists(st.one_of(st.none(), LETTERS), max_size=5), st.sampled_from([PyFormat.TEXT, PyFormat.BINARY]))
@settings(max_examples=150, deadline=None)
def test_arrays_of_text(values: list[str | None], form: PyFormat) -> None:
    oid, binary, payload = dumped(values, form)
    # psycopg leaves the type of a text array open: the server described it as text[].
    assert decode(oid or 1009, binary, payload) == values


@given(st.lists(st.one_of(st.none(), st.integers(-(2**40), 2**40)), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None)
def test_arrays_of_numbers(values: list[int | None]) -> None:
    for form in (PyFormat.TEXT, PyFormat.BINARY):
        sent = [None if value is None else Int8(value) for value in values]
        oid, binary, payload = dumped(sent, form)
        assert decode(oid or 1016, binary, payload) == values


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1)), st.integers(-14 * 60, 14 * 60))
@settings(max_examples=100, deadline=None)
def test_a_time_with_a_zone_becomes_utc(moment: datetime, minutes: int) -> None:
    aware = moment.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    for form in (PyFormat.TEXT, PyFormat.BINARY):
        oid, binary, payload = dumped(aware, form)
        assert oid == 1184
        assert decode(oid, binary, payload) == aware.astimezone(UTC).replace(tzinfo=None)


@pytest.mark.parametrize(
    ("oid", "payload", "value"),
    [
        (16, b" TRUE ", True),
        (16, b"off", False),
        (16, b"1", True),
        (21, b"-32768", -32768),
        (23, b" 7\n", 7),
        (20, b"+9223372036854775807", 9223372036854775807),
        (26, b"4294967295", 4294967295),
        (700, b"1e3", 1000.0),
        (701, b"-.5", -0.5),
        (1700, b"1.50", Decimal("1.50")),
        (1700, b"1e3", Decimal(1000)),
        (1082, b"2024-02-29", date(2024, 2, 29)),
        (1114, b"2024-02-29T12:30", datetime(2024, 2, 29, 12, 30)),
        (1114, b"2024-02-29", datetime(2024, 2, 29)),
        (1184, b"2024-02-29 12:30:00.5+05:30", datetime(2024, 2, 29, 7, 0, 0, 500000)),
        (1184, b"2024-02-29 12:30:00 -0100", datetime(2024, 2, 29, 13, 30)),
        (1184, b"2024-02-29T12:30:00Z", datetime(2024, 2, 29, 12, 30)),
        (1184, b"2024-02-29 12:30:00+00:00:50", datetime(2024, 2, 29, 12, 29, 10)),
        (1184, b"2024-02-29 12:30:00 UTC", datetime(2024, 2, 29, 12, 30)),
        (1184, b"2024-02-29", datetime(2024, 2, 29)),
        (2950, b"{00112233445566778899AABBCCDDEEFF}", "00112233-4455-6677-8899-aabbccddeeff"),
        (0, "é ".encode(), "é "),
        (25, b"", ""),
        (705, b"x", "x"),
        (1043, b"x", "x"),
        (18, b"x", "x"),
        (19, b"x", "x"),
        (1007, b"{1, NULL ,\"3\"}", [1, None, 3]),
        (1009, rb'{a b,"NULL","c\"\\,}",\{}', ["a b", "NULL", 'c"\\,}', "{"]),
        (1009, b'{""}', [""]),
        (1007, b" { } ", []),
        (1182, b"{2024-01-01}", [date(2024, 1, 1)]),
    ],
)  # fmt: skip
def test_text_format(oid: int, payload: bytes, value: Any) -> None:
    read = decode(oid, False, payload)
    assert (read, type(read)) == (value, type(value))


def test_an_empty_array_may_have_a_dimension() -> None:
    assert decode(1007, True, ARRAY_HEAD + struct.pack("!ii", 0, 1)) == []
    assert decode(1007, True, struct.pack("!iiI", 0, 0, 23)) == []


def test_null() -> None:
    assert decode(23, True, None) is None
    assert decode(999999, False, None) is None


ARRAY_HEAD = struct.pack("!iiI", 1, 0, 23)


@pytest.mark.parametrize(
    ("oid", "binary", "payload", "said"),
    [
        (16, False, b"maybe", "must be true or false, not 'maybe'"),
        (16, True, b"", "must be of 1 bytes in binary format, not 0"),
        (21, False, b"32768", "must be a whole number from -32768 to 32767, not '32768'"),
        (26, False, b"-1", "must be a whole number from 0 to 4294967295, not '-1'"),
        (23, False, b"1_0", "must be a whole number from -2147483648 to 2147483647, not '1_0'"),
        (23, False, b"", "must be a whole number"),
        (23, True, b"\0\0\0\0\0", "must be of 4 bytes in binary format, not 5"),
        (701, False, b"NaN", "must be a finite number such as 0.5, not 'NaN'"),
        (701, False, b"1e999", "must be a finite number, not NaN or Infinity"),
        (701, True, struct.pack("!d", float("inf")), "must be a finite number, not NaN or Infinity"),
        (700, True, struct.pack("!f", float("nan")), "must be a finite number, not NaN or Infinity"),
        (1700, False, b"Infinity", "must be a number such as 0.5, not 'Infinity'"),
        (1700, False, b"1e61", "must be a number of at most 60 digits before and after the point"),
        (1700, False, b"1e-61", "must be a number of at most 60 digits before and after the point"),
        (1700, True, struct.pack("!hhHH", 0, 0, 0xC000, 0), "must be a finite number, not NaN or Infinity"),
        (1700, True, struct.pack("!hhHH", 0, 0, 0xD000, 0), "must be a finite number, not NaN or Infinity"),
        (1700, True, struct.pack("!hhHH", 0, 0, 0x4001, 0), "is no numeric in binary format"),
        (1700, True, struct.pack("!hhHH", 1, 0, 0, 0), "is no numeric in binary format"),
        (1700, True, struct.pack("!hhHHH", 1, 0, 0, 0, 10000), "is no numeric in binary format"),
        (1700, True, struct.pack("!hhHHH", 1, 16, 0, 0, 1), "must be a number of at most 60 digits"),
        (1700, True, struct.pack("!hhHHH", 1, 32767, 0, 0, 1), "must be a number of at most 60 digits"),
        (1700, True, b"\0" * 7, "must be of 8 bytes or more in binary format"),
        (1082, False, b"2024-02-30", "must be a day such as 2024-01-31, not '2024-02-30'"),
        (1082, False, b"infinity", "must be a day such as 2024-01-31, not 'infinity'"),
        (1082, True, struct.pack("!i", 2**31 - 1), "must be a time of the years 1 to 9999"),
        (1114, True, struct.pack("!q", 2**63 - 1), "must be a time of the years 1 to 9999"),
        (1184, False, b"0001-01-01 00:00+01", "must be a time of the years 1 to 9999"),
        (1184, False, b"2024-01-31 00:00+24", "must be a time such as 2024-01-31 12:30:00+00, not"),
        (1184, False, b"2024-01-31 00:00+01:60", "must be a time such as 2024-01-31 12:30:00+00, not"),
        (2950, False, b"0011", "must be a UUID of 32 hexadecimal digits, not '0011'"),
        (2950, True, b"\0" * 17, "must be of 16 bytes in binary format, not 17"),
        (25, False, b"a\0b", "holds a NUL character, which text cannot"),
        (25, True, b"a\0", "holds a NUL character, which text cannot"),
        (0, False, b"\xff", "must be text in UTF-8"),
        (25, False, b"\xed\xa0\x80", "must be text in UTF-8"),
        (17, True, b"x", "is of a type that dpduck takes no parameters of: cast it to text"),
        (1186, False, b"1 day", "is of a type that dpduck takes no parameters of: cast it to text"),
        (424242, False, b"1", "is of a type that dpduck takes no parameters of: cast it to text"),
        (1007, False, b"1", "must be an array such as {1,2}"),
        (1007, False, b"{1,2", "must be an array of one dimension such as {1,2}"),
        (1007, False, b"{1,}", "must be an array of one dimension such as {1,2}"),
        (1007, False, b"{{1},{2}}", "must be an array of one dimension such as {1,2}"),
        (1007, False, b"{1}2", "must be an array such as {1,2} and nothing after it"),
        (1007, False, b"{x}", "must be a whole number from -2147483648 to 2147483647, not 'x'"),
        (1007, True, b"\0" * 11, "must be of 12 bytes or more in binary format"),
        (1007, True, struct.pack("!iiI", 0, 0, 20), "must be an array of int4 in binary format"),
        (1007, True, struct.pack("!iiI", 0, 2, 23), "must be an array of int4 in binary format"),
        (1007, True, struct.pack("!iiI", 2, 0, 23) + b"\0" * 16, "must be an array of one dimension"),
        (1007, True, struct.pack("!iiI", 0, 0, 23) + b"\0", "must be an array of one dimension"),
        (1007, True, ARRAY_HEAD + struct.pack("!iiii", 2, 1, 4, 7), "is cut short"),
        (1007, True, ARRAY_HEAD + struct.pack("!ii", 2**31 - 1, 1), "is cut short"),
        (1007, True, ARRAY_HEAD + struct.pack("!ii", -1, 1), "is cut short"),
        (1007, True, ARRAY_HEAD + struct.pack("!iii", 1, 1, 4), "is cut short"),
        (1007, True, ARRAY_HEAD + struct.pack("!iii", 1, 1, -2), "is cut short"),
        (1007, True, ARRAY_HEAD + struct.pack("!iiiib", 1, 1, 4, 7, 0), "has bytes after its last element"),
    ],
)
def test_what_is_refused(oid: int, binary: bool, payload: bytes, said: str) -> None:
    with pytest.raises(ParameterError) as caught:
        decode(oid, binary, payload)
    error = caught.value
    assert error.detail.startswith(f"It {said}")
    assert error.detail.endswith("Nothing was charged.")
    known = ("22008",) if oid in (1082, 1114, 1184) else ("22023",)
    assert (error.sqlstate in known, error.__context__, error.__cause__) == (True, None, None)


# What a real PostgreSQL 15 makes of these, in UTC: a value, or a class of errors.
DATETIMES = [
    (1082, "2020-06-01T00:00:00.000+00:00", date(2020, 6, 1)),  # as node-postgres writes a Date
    (1082, "2020-06-01T23:00:00-05", date(2020, 6, 1)),
    (1082, "20200601", date(2020, 6, 1)),
    (1082, "2020-6-1", date(2020, 6, 1)),
    (1082, "2020-06-01Z", date(2020, 6, 1)),
    (1082, "2020-06-01 12:30", date(2020, 6, 1)),
    (1082, "20200601T000000", date(2020, 6, 1)),
    (1082, "2020-13-01", "22008"),
    (1082, "abc", "22007"),
    (1114, "2020-06-01T12:30:00+02:00", datetime(2020, 6, 1, 12, 30)),
    (1114, "2020-6-1 1:2:3", datetime(2020, 6, 1, 1, 2, 3)),
    (1114, "20200601T123000", datetime(2020, 6, 1, 12, 30)),
    (1114, "2020-06-01 24:00:00", datetime(2020, 6, 2)),
    (1114, "2020-06-01 12:30:60", datetime(2020, 6, 1, 12, 31)),
    (1114, "2020-06-01 25:00", "22008"),
    (1114, "x", "22007"),
    (1184, "20200601T123000Z", datetime(2020, 6, 1, 12, 30)),
    (1184, "2020-06-01 12:30 +2", datetime(2020, 6, 1, 10, 30)),
    (1184, "2020-6-1", datetime(2020, 6, 1)),
    (1184, "2020-06-01+01", datetime(2020, 5, 31, 23)),
    (1184, "x", "22007"),
]


@pytest.mark.parametrize(("oid", "text", "wanted"), DATETIMES)
def test_datetimes_as_postgres_reads_them(oid: int, text: str, wanted: Any) -> None:
    if isinstance(wanted, str):
        with pytest.raises(ParameterError) as caught:
            decode(oid, False, text.encode())
        assert caught.value.sqlstate == wanted
    else:
        read = decode(oid, False, text.encode())
        assert (read, type(read)) == (wanted, type(wanted))


def test_postgres_reads_them_so() -> None:
    session = postgres_session()
    for oid, text, wanted in DATETIMES:
        name = BY_OID[oid].name
        found = session.pgconn.exec_params(f"SELECT ($1::{name})::timestamp".encode(), [text.encode()], [oid])
        if isinstance(wanted, str):
            assert (found.error_field(67) or b"").decode() == wanted, text
        else:
            assert (found.get_value(0, 0) or b"").decode()[: len(str(wanted))] == str(wanted), text


def test_the_error_names_the_type() -> None:
    for oid, name in ((23, "int4"), (1007, "int4[]"), (424242, "with OID 424242")):
        with pytest.raises(ParameterError, match=re.escape(f"a parameter of type {name} is not valid")):
            decode(oid, False, b"x")


def test_a_long_value_is_not_quoted_whole() -> None:
    with pytest.raises(ParameterError) as caught:
        decode(23, False, b"y" * 41)
    assert f"'{'y' * 37}...'" in str(caught.value)
    with pytest.raises(ParameterError) as caught:
        decode(23, False, b"y" * 40)
    assert f"'{'y' * 40}'" in str(caught.value)


@given(st.integers(0, 10**6), st.booleans(), st.binary(max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_a_value_or_refused(seed: int, binary: bool, payload: bytes) -> None:
    oids = [0, 16, 18, 20, 21, 23, 25, 26, 700, 701, 1082, 1114, 1184, 1700, 2950, 1007, 1009, 1231, 1182]
    try:
        read = decode(oids[seed % len(oids)], binary, payload)
    except ParameterError:
        return
    values = read if isinstance(read, list) else [read]
    for value in values:
        bind_tree(TREE, [value])


@pytest.mark.slow
def test_postgres_numerics_in_binary_format() -> None:
    session = postgres_session()
    for text in ("0", "0.00", "-0.001", "10000", "123456.7890", "0.00000001", "99999999.99999999"):
        assert _from_postgres(session, text) == (Decimal(text), text)
    assert _from_postgres(session, "1e20") == (Decimal(10**20), f"1{'0' * 20}")


def _from_postgres(session: Session, text: str) -> tuple[Any, str]:
    result = session.pgconn.exec_params(f"SELECT {text}::numeric".encode(), [], result_format=1)
    value = decode(1700, True, result.get_value(0, 0))
    return value, format(value, "f")


def test_described_types() -> None:
    assert [oid_of_duckdb(name) for name in ("INTEGER", "VARCHAR", "DATE[]", "DECIMAL(9,2)")] == [
        23,
        25,
        1182,
        1700,
    ]
