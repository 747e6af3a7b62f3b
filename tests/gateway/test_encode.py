"""Fields and rows, compared with the bytes that a real PostgreSQL sends for the same values."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from decimal import Decimal
from itertools import product
from typing import Any

import duckdb
import numpy as np
import psycopg
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from psycopg.adapt import PyFormat, Transformer
from psycopg.types.numeric import Int8

from dpduck.doors.gateway.encoding.encode import BINARY_FORMAT, TEXT_FORMAT, data_rows, field
from dpduck.doors.gateway.encoding.intervals import interval_text, parse_interval
from dpduck.doors.gateway.encoding.numerics import numeric_binary, numeric_text, packed_number
from dpduck.doors.gateway.encoding.pgtypes import pg_type
from tests.gateway.oracle import Session, our_bytes, postgres_bytes, postgres_session, rows_of


@pytest.fixture(scope="module")
def postgres() -> Session:
    return postgres_session()


@pytest.fixture(scope="module")
def duck() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        yield connection


# DuckDB's expression, and Postgres's for the same value.
SAME = [
    ("true", "true"),
    ("false", "false"),
    ("(-128)::TINYINT", "(-128)::int2"),
    ("255::UTINYINT", "255::int2"),
    ("(-32768)::SMALLINT", "(-32768)::int2"),
    ("65535::USMALLINT", "65535::int4"),
    ("(-2147483648)::INTEGER", "(-2147483648)::int4"),
    ("4294967295::UINTEGER", "4294967295::int8"),
    ("(-9223372036854775808)::BIGINT", "(-9223372036854775808)::int8"),
    ("18446744073709551615::UBIGINT", "18446744073709551615::numeric"),
    (f"(-{2**127})::HUGEINT", f"(-{2**127})::numeric"),
    ("170141183460469231731687303715884105727::HUGEINT", "170141183460469231731687303715884105727::numeric"),
    ("(-7)::HUGEINT", "(-7)::numeric"),
    ("(-9223372036854775808)::HUGEINT", "(-9223372036854775808)::numeric"),
    ("9223372036854775808::HUGEINT", "9223372036854775808::numeric"),
    ("340282366920938463463374607431768211455::UHUGEINT", "340282366920938463463374607431768211455::numeric"),
    (f"'-{'9' * 60}'::BIGNUM", f"(-{'9' * 60})::numeric"),
    ("0::BIGNUM", "0::numeric"),
    ("0::DECIMAL(9,3)", "0::numeric(9,3)"),
    ("1234567.89::DECIMAL(9,2)", "1234567.89::numeric(9,2)"),
    ("(-0.0001)::DECIMAL(4,4)", "(-0.0001)::numeric(4,4)"),
    ("10000::DECIMAL(18,1)", "10000::numeric(18,1)"),
    ("100000000::DECIMAL(18,0)", "100000000::numeric(18,0)"),
    ("0.00000001::DECIMAL(18,10)", "0.00000001::numeric(18,10)"),
    ("'0.00000000000000000000000000000000000001'::DECIMAL(38,38)", "1e-38::numeric(38,38)"),
    (f"'-{'9' * 28}.{'9' * 10}'::DECIMAL(38,10)", f"(-{'9' * 28}.{'9' * 10})::numeric(38,10)"),
    ("1.5::DOUBLE", "1.5::float8"),
    ("'-0.0'::DOUBLE", "'-0.0'::float8"),
    ("'nan'::DOUBLE", "'nan'::float8"),
    ("'-inf'::DOUBLE", "'-inf'::float8"),
    ("'inf'::FLOAT", "'inf'::float4"),
    ("'nan'::FLOAT", "'nan'::float4"),
    ("'-inf'::FLOAT", "'-inf'::float4"),
    ("0.1::FLOAT", "0.1::float4"),
    ("'-0.0'::FLOAT", "'-0.0'::float4"),
    ("''", "''::text"),
    ("'naïve ☃'", "'naïve ☃'::text"),
    ("'b'::ENUM('a', 'b')", "'b'::text"),
    ("repeat('x', 1000000)", "repeat('x', 1000000)"),
    ("''::BLOB", "''::bytea"),
    (r"'\x00\xFF\x5C'::BLOB", r"'\x00ff5c'::bytea"),
    ("'00112233-4455-6677-8899-aabbccddeeff'::UUID", "'00112233-4455-6677-8899-aabbccddeeff'::uuid"),
    ("'f0112233-4455-6677-8899-aabbccddeeff'::UUID", "'f0112233-4455-6677-8899-aabbccddeeff'::uuid"),
    ("'1'::BIT", "B'1'::varbit"),
    ("'0000000011111111101'::BIT", "B'0000000011111111101'::varbit"),
    ("""'{"a": [1, null]}'::JSON""", """'{"a": [1, null]}'::json"""),
    ("{'a': 1, 'b': [NULL, 'x\"y']}", """'{"a":1,"b":[null,"x\\"y"]}'::json"""),
    ("{'a': [1, 2]}::VARIANT", """'{"a":[1,2]}'::json"""),
    ("MAP {'a': 1}", """'{"a":1}'::json"""),
    ("[[1, 2], [3], NULL]", "'[[1,2],[3],null]'::json"),
    ("[{'a': 'inf'::DOUBLE, 'b': 'NaN'}]", """'[{"a":"Infinity","b":"NaN"}]'::json"""),
    ("{'a': '-inf'::FLOAT, 'b': 'nan'::FLOAT}", """'{"a":"-Infinity","b":"NaN"}'::json"""),
    ("union_value(n := 2)", """'{"n":2}'::json"""),
    ("DATE '2024-02-29'", "date '2024-02-29'"),
    ("DATE '0001-01-01'", "date '0001-01-01'"),
    ("DATE '9999-12-31'", "date '9999-12-31'"),
    ("DATE '10000-01-01'", "date '10000-01-01'"),
    ("DATE '0044-03-15 (BC)'", "date '0044-03-15 BC'"),
    ("DATE '0001-12-31 (BC)'", "date '0001-12-31 BC'"),
    ("DATE '4714-11-24 (BC)'", "date '4714-11-24 BC'"),
    ("DATE '4714-11-23 (BC)'", "date '-infinity'"),
    ("DATE '5874897-12-31'", "date '5874897-12-31'"),
    ("DATE '5874898-01-01'", "date 'infinity'"),
    ("DATE 'infinity'", "date 'infinity'"),
    ("DATE '-infinity'", "date '-infinity'"),
    ("TIME '00:00:00'", "time '00:00:00'"),
    ("TIME '23:59:59.999999'", "time '23:59:59.999999'"),
    ("TIME '12:30:00.5'", "time '12:30:00.5'"),
    ("TIME '24:00:00'", "time '24:00:00'"),
    ("'12:00:00.1234567'::TIME_NS", "time '12:00:00.1234567'"),
    ("'12:00:00+05:30'::TIMETZ", "timetz '12:00:00+05:30'"),
    ("'12:00:00.25-15:59'::TIMETZ", "timetz '12:00:00.25-15:59'"),
    ("'00:00:00+00'::TIMETZ", "timetz '00:00:00+00'"),
    ("'24:00:00+05:30:15'::TIMETZ", "timetz '24:00:00+05:30:15'"),
    ("TIMESTAMP '2024-02-29 12:30:45'", "timestamp '2024-02-29 12:30:45'"),
    ("TIMESTAMP '1969-12-31 23:59:59.999990'", "timestamp '1969-12-31 23:59:59.99999'"),
    ("TIMESTAMP '0001-01-01 00:00:00'", "timestamp '0001-01-01 00:00:00'"),
    ("TIMESTAMP '0044-03-15 (BC) 01:02:03.5'", "timestamp '0044-03-15 01:02:03.5 BC'"),
    ("TIMESTAMP '4714-11-24 (BC) 00:00:00'", "timestamp '4714-11-24 00:00:00 BC'"),
    ("TIMESTAMP '4714-11-23 (BC) 23:59:59'", "timestamp '-infinity'"),
    ("TIMESTAMP '290000-01-01 00:00:00.000001'", "timestamp '290000-01-01 00:00:00.000001'"),
    ("TIMESTAMP '294246-01-01 00:00:00'", "timestamp '294246-01-01 00:00:00'"),
    ("TIMESTAMP 'infinity'", "timestamp 'infinity'"),
    ("TIMESTAMP '-infinity'", "timestamp '-infinity'"),
    ("TIMESTAMP_S '2024-02-29 12:30:45'", "timestamp '2024-02-29 12:30:45'"),
    ("'infinity'::TIMESTAMP_S", "timestamp 'infinity'"),
    ("'-infinity'::TIMESTAMP_MS", "timestamp '-infinity'"),
    ("TIMESTAMP_MS '2024-02-29 12:30:45.125'", "timestamp '2024-02-29 12:30:45.125'"),
    ("TIMESTAMP_NS '2024-02-29 12:30:45.1234565'", "timestamp '2024-02-29 12:30:45.123457'"),
    ("TIMESTAMP_NS '1950-01-01 00:00:00.000000789'", "timestamp '1950-01-01 00:00:00.000001'"),
    ("'infinity'::TIMESTAMP_NS", "timestamp 'infinity'"),
    ("'-infinity'::TIMESTAMP_NS", "timestamp '-infinity'"),
    ("TIMESTAMPTZ '2024-02-29 12:30:45.5+02'", "timestamptz '2024-02-29 12:30:45.5+02'"),
    ("TIMESTAMPTZ '0044-03-15 (BC) 00:00:00+00'", "timestamptz '0044-03-15 00:00:00+00 BC'"),
    ("TIMESTAMPTZ 'infinity'", "timestamptz 'infinity'"),
    ("INTERVAL '14 months'", "interval '14 months'"),
    ("INTERVAL '-14 months'", "interval '-14 months'"),
    ("INTERVAL '-1 month' + INTERVAL '1 day'", "interval '-1 month +1 day'"),
    ("INTERVAL '-1 day' + INTERVAL '1 hour'", "interval '-1 day +1 hour'"),
    ("INTERVAL '1 day' - INTERVAL '0.5 seconds'", "interval '1 day -0.5 seconds'"),
    ("INTERVAL '0 seconds'", "interval '0'"),
    ("to_hours(3000000)", "interval '3000000 hours'"),
    ("INTERVAL '1 year'", "interval '1 year'"),
    ("[1, NULL, 3]", "'{1,NULL,3}'::int4[]"),
    ("[]::BIGINT[]", "'{}'::int8[]"),
    ("[NULL]::VARCHAR[]", "'{NULL}'::text[]"),
    ("[1.5, 2]::DECIMAL(9,2)[]", "'{1.50,2.00}'::numeric(9,2)[]"),
    ("[1, 2]::SMALLINT[2]", "'{1,2}'::int2[]"),
    ("[true, NULL]", "'{t,NULL}'::bool[]"),
    ("[0.1::DOUBLE, 'nan'::DOUBLE]", "array[0.1, 'nan']::float8[]"),
    ("['x', 'y z', '', 'null', 'NULLs', 'a\"b', 'a\\b', '{', '}', ',', chr(11), chr(10), '☃']",
     "array['x', 'y z', '', 'null', 'NULLs', 'a\"b', 'a\\b', '{', '}', ',', chr(11), chr(10), '☃']"),
    ("['a', NULL]::ENUM('a')[]", "array['a', NULL]::text[]"),
    (r"['\xAA'::BLOB, ''::BLOB]", r"array['\xaa', '']::bytea[]"),
    ("[DATE '2024-01-01', DATE 'infinity']", "array['2024-01-01', 'infinity']::date[]"),
    ("[TIMESTAMP '2024-01-01 00:00:00.5']", "array['2024-01-01 00:00:00.5']::timestamp[]"),
    ("[INTERVAL '1 month']", "array['1 month']::interval[]"),
    ("['1'::BIT, '01'::BIT]", "array['1', '01']::varbit[]"),
    ("['12:00:00+01'::TIMETZ]", "array['12:00:00+01']::timetz[]"),
    (f"['{'0aF1' * 8}'::UUID]", f"array['{'0aF1' * 8}']::uuid[]"),
    ("""['{"a":1}'::JSON]""", """array['{"a":1}']::json[]"""),
]  # fmt: skip


@pytest.mark.parametrize("form", [TEXT_FORMAT, BINARY_FORMAT])
def test_every_value_is_sent_as_postgres_sends_it(postgres: Session, duck: Any, form: int) -> None:
    different = []
    for ours, theirs in SAME:
        # A row of NULL before and after: the value must not depend on what shares its batch.
        sql = f"SELECT v FROM range(3) AS t(i) LEFT JOIN (SELECT {ours} AS v) ON i = 1 ORDER BY i"
        expected = [None, *postgres_bytes(postgres, f"SELECT {theirs}", form), None]
        got = our_bytes(duck, sql, form)
        if got != expected or our_bytes(duck, f"SELECT {ours}", form) != expected[1:2]:
            different.append((ours, got, expected))
    assert different == []


def test_the_types_described_are_those_that_postgres_gives(postgres: Session, duck: Any) -> None:
    for ours, theirs in SAME:
        described = duck.execute(f"DESCRIBE SELECT {ours} AS v").fetchall()[0][1]
        result = postgres.pgconn.exec_params(f"SELECT {theirs}".encode(), [])
        assert pg_type(described).oid == result.ftype(0), ours


FLOATS = [
    *(sign * 10.0**power * digits for sign in (1, -1) for power in range(-20, 24) for digits in (1, 1.25)),
    *(5e-324, 1.7976931348623157e308, 999999999999999.9, 999999999999999.0, 99999999999999.98, 0.0, -0.0),
    *(0.0001, 0.00009999999999999999, 1e15, 123456789012345680.0, 1e23),
]  # fmt: skip


def test_doubles(postgres: Session) -> None:
    values = [*FLOATS, *np.frombuffer(np.random.default_rng(1).bytes(8 * 5000), np.float64).tolist()]
    values = [value for value in values if math.isfinite(value)]
    expected = [row[0] for row in postgres.execute("SELECT v::text FROM unnest(%s::float8[]) AS v", [values])]
    got = field(pa.array(values), "DOUBLE", TEXT_FORMAT).to_pylist()
    halfway = _different(got, expected)
    assert ("1e+23", "9.999999999999999e+22") in halfway
    assert len(halfway) < 10
    assert all(float(ours) == float(theirs) and len(ours) < len(theirs) for ours, theirs in halfway)


def test_floats(postgres: Session) -> None:
    random = np.frombuffer(np.random.default_rng(2).bytes(4 * 5000), np.float32)
    known = np.array([value for value in FLOATS if 1e-40 < abs(value) < 1e38 or not value], np.float32)
    values = np.concatenate([random[np.isfinite(random)], known, np.float32([999999.94, 1e6, 1234567])])
    sent = [float(value) for value in values]
    expected = [
        row[0] for row in postgres.execute("SELECT v::float4::text FROM unnest(%s::float8[]) AS v", [sent])
    ]
    got = field(pa.array(values), "FLOAT", TEXT_FORMAT).to_pylist()
    halfway = _different(got, expected)
    assert len(halfway) < 20
    assert all(np.float32(ours) == np.float32(theirs) and len(ours) < len(theirs) for ours, theirs in halfway)


def _different(got: list[bytes], expected: list[str]) -> list[tuple[str, str]]:
    """What Postgres writes otherwise: a digit more where the shortest form lies halfway to the next value."""
    pairs = zip((value.decode() for value in got), expected, strict=True)
    return [(ours, theirs) for ours, theirs in pairs if ours != theirs]


DECIMALS = [(4, 2), (9, 0), (9, 9), (18, 3), (18, 18), (38, 0), (38, 7), (38, 38), (38, 20)]


@pytest.mark.parametrize(("precision", "scale"), DECIMALS)
def test_decimals(postgres: Session, precision: int, scale: int) -> None:
    rng = np.random.default_rng(precision * 100 + scale)
    digits = ["".join(map(str, rng.integers(0, 10, size))) for size in rng.integers(1, precision + 1, 300)]
    sparse = [f"{10 ** int(place)}" for place in rng.integers(0, precision, 100)]
    signs = rng.choice([-1, 1], 400).tolist()
    numbers = [int(text) * sign for text, sign in zip([*digits, *sparse], signs, strict=True)]
    values = [_scaled(number, scale) for number in numbers]
    array = pa.array([*values, None], pa.decimal128(precision, scale))
    texts = [format(value, "f") for value in values]
    for form in (TEXT_FORMAT, BINARY_FORMAT):
        sql = f"SELECT v::numeric({precision},{scale}) FROM unnest('{{{','.join(texts)}}}'::text[]) AS v"
        got = field(array, f"DECIMAL({precision},{scale})", form).to_pylist()
        assert got == [*postgres_bytes(postgres, sql, form), None]


def _scaled(number: int, scale: int) -> Decimal:
    return Decimal((int(number < 0), tuple(map(int, str(abs(number)))), -scale))


def test_calendar(postgres: Session) -> None:
    rng = np.random.default_rng(3)
    days = rng.integers(-2_451_545 + 10_957, 4_000_000, 2000).astype(np.int32)
    micros = rng.integers(-211_813_488_000_000_000 + 946_684_800_000_000, 2**62, 2000)
    micros[::3] -= micros[::3] % 1_000_000
    for form in (TEXT_FORMAT, BINARY_FORMAT):
        dates = field(pa.array(days).view(pa.date32()), "DATE", form).to_pylist()
        listed = ",".join(map(str, days))
        assert dates == postgres_bytes(
            postgres, f"SELECT date '1970-01-01' + v FROM unnest('{{{listed}}}'::int4[]) AS v", form
        )
        moments = field(pa.array(micros).view(pa.timestamp("us")), "TIMESTAMP", form).to_pylist()
        pairs = ",".join(f"({int(m) // 86_400_000_000},{int(m) % 86_400_000_000})" for m in micros)
        sql = f"""SELECT timestamp '1970-01-01' + make_interval(days => d) + (u || ' microseconds')::interval
                  FROM (VALUES {pairs}) AS t(d, u)"""
        assert moments == postgres_bytes(postgres, sql, form)


@given(st.integers(-(10**5), 10**5), st.integers(-(10**5), 10**5), st.integers(-(10**15), 10**15))
@settings(max_examples=60, deadline=None)
def test_intervals_are_read_as_duckdb_writes_them(duck: Any, months: int, days: int, micros: int) -> None:
    sql = f"SELECT (to_months({months}) + to_days({days}) + to_microseconds({micros}))::VARCHAR"
    assert parse_interval(duck.execute(sql).fetchall()[0][0]) == (months, days, micros)


def test_intervals(postgres: Session) -> None:
    spans = product((0, 1, -1, 25, -25), (0, 1, -1, 40), (0, 1, -1, 3_600_000_000, -61_000_000))
    rows = f"FROM (VALUES {','.join(map(str, spans))}) AS t(m, d, u)"
    sql = f"SELECT make_interval(months => m, days => d) + (u || ' microseconds')::interval {rows}"
    with duckdb.connect() as connection:
        written = connection.execute(
            f"SELECT (to_months(m) + to_days(d) + to_microseconds(u))::VARCHAR {rows}"
        ).fetchall()
    assert [interval_text(text) for (text,) in written] == postgres_bytes(postgres, sql, TEXT_FORMAT)


@given(st.lists(st.one_of(st.none(), st.text().filter(lambda text: "\0" not in text)), max_size=6))
@settings(max_examples=150, deadline=None)
def test_psycopg_reads_our_arrays(values: list[str | None]) -> None:
    array = pa.array([None, values], pa.list_(pa.string()))
    for form in (TEXT_FORMAT, BINARY_FORMAT):
        null, sent = field(array, "VARCHAR[]", form).to_pylist()
        assert null is None
        assert _loaded(sent, pg_type("VARCHAR[]").oid, form) == values


def _loaded(sent: bytes, oid: int, form: int) -> Any:
    return Transformer().get_loader(oid, psycopg.pq.Format(form)).load(sent)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**14), max_value=10**14))
@settings(max_examples=150, deadline=None)
def test_psycopg_reads_our_numerics(value: Decimal) -> None:
    packed = numeric_binary(pa.array([value], pa.decimal128(38, 4)))[0].as_py()
    assert _loaded(packed, 1700, BINARY_FORMAT) == value
    assert packed == packed_number(format(value, "f"))


def test_exact_bytes_of_a_row() -> None:
    batch = pa.record_batch(
        [pa.array([7, None]), pa.array(["é", ""]), pa.array([None, True])], names=["a", "b", "c"]
    )
    rows = data_rows(batch, ["INTEGER", "VARCHAR", "BOOLEAN"], [1, 0, 0])
    first = b"\0\x03" + b"\0\0\0\x04\0\0\0\x07" + b"\0\0\0\x02\xc3\xa9" + b"\xff\xff\xff\xff"
    second = b"\0\x03" + b"\xff\xff\xff\xff" + b"\0\0\0\0" + b"\0\0\0\x01t"
    assert rows == b"D\0\0\0\x18" + first + b"D\0\0\0\x13" + second


def test_no_rows_are_no_bytes() -> None:
    with duckdb.connect() as connection:
        for ours, _ in SAME:
            types, _, (batch,) = rows_of(connection, f"SELECT {ours} AS v")
            for form in (TEXT_FORMAT, BINARY_FORMAT):
                assert data_rows(batch.slice(1), types, [form]) == b""
                assert data_rows(batch.slice(0, 0), types, [form]) == b""


def test_a_slice_of_a_batch_is_sent_as_its_rows_alone(duck: Any) -> None:
    columns = ", ".join(f"{ours} AS v{n}" for n, (ours, _) in enumerate(SAME))
    types, _, (batch,) = rows_of(
        duck, f"SELECT v.* FROM range(9) AS t(i) LEFT JOIN (SELECT {columns}) AS v ON i % 4 < 3 ORDER BY i"
    )
    for form in (TEXT_FORMAT, BINARY_FORMAT):
        formats = [form] * len(types)
        whole = data_rows(batch, types, formats)
        parts = [data_rows(batch.slice(start, 2), types, formats) for start in range(0, 9, 2)]
        assert b"".join(parts) == whole


def test_null_columns_and_nul_characters() -> None:
    assert field(pa.nulls(2), '"NULL"', TEXT_FORMAT).to_pylist() == [None, None]
    assert field(pa.array([[None], []], pa.list_(pa.null())), '"NULL"[]', TEXT_FORMAT).to_pylist() == [
        b"{NULL}",
        b"{}",
    ]
    for form in (TEXT_FORMAT, BINARY_FORMAT):
        assert field(pa.array(["a\0b", None]), "VARCHAR", form).to_pylist() == ["a\ufffdb".encode(), None]


def test_names_and_oids() -> None:
    assert field(pa.array([4294967295]), "oid", BINARY_FORMAT).to_pylist() == [b"\xff\xff\xff\xff"]
    assert field(pa.array([23]), "oid", TEXT_FORMAT).to_pylist() == [b"23"]
    assert field(pa.array(["pg_type"]), "name", BINARY_FORMAT).to_pylist() == [b"pg_type"]
    assert field(pa.array(["r"]), '"char"', BINARY_FORMAT).to_pylist() == [b"r"]


def test_numerics_of_text_and_of_decimals_agree() -> None:
    values = [Decimal(text) for text in ("0", "1", "-1", "10000", "99999999", "-12345678901234567890")]
    texts = [format(value, "f") for value in values]
    array = pa.array(values, pa.decimal128(38, 0))
    assert numeric_binary(array).to_pylist() == numeric_binary(pa.array(texts)).to_pylist()
    assert numeric_text(array).to_pylist() == [text.encode() for text in texts]
    assert struct.unpack("!4h1H", packed_number("10000")) == (1, 1, 0, 0, 1)


def test_psycopg_reads_our_integers() -> None:
    sent = field(pa.array([-5]), "BIGINT", BINARY_FORMAT)[0].as_py()
    assert sent == Transformer().get_dumper(Int8(-5), PyFormat.BINARY).dump(Int8(-5))
