"""A value in a Parquet file that DuckDB cannot convert made every query that reads its column fail.

So the query told whether the person with that value is there: below with 9999999999999999 milliseconds. Each
physical type is tried with each annotation that it may have and the least and greatest values that it
holds, in all ways in which a query reads a column. A column that DuckDB may fail on is left out, by name.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dpduck
from dpduck.kernel.catalog.statements import AddPrivacyKey, TableName
from dpduck.kernel.errors import DpduckError, UnknownNameError
from tests.depth import part
from tests.trust import parquet_files as p
from tests.trust.parquet_files import BYTE_ARRAY, FIXED, INT32, INT64, INT96, Column

VERSION = tuple(map(int, duckdb.__version__.split(".")[:3]))
NEWER = VERSION >= (2,)
LONGS = (-(2**63), 2**63 - 1, 1 - 2**63, -(2**63) + 2, 9999999999999999, -9223372022400000001, 0, 1)
INTS = (-(2**31), 2**31 - 1, 1 - 2**31, 2 - 2**31, 999999999, 86400000, 0, 1)
REALS = (float("nan"), float("inf"), float("-inf"), -0.0, 0.0, 1e-300, 3.4e38, -3.4e38)
BYTES = (b"", b"\xff\xfe\0", b"\xc3", b"\xed\xa0\x80", b'{"a":', b"\0" * 40, b"\x7f" * 20, b"ok")
# Nanoseconds of a day, and days since 4714 BC.
MOMENTS = ((0, 2440588), (-(2**63), 2440588), (2**63 - 1, 2440588), (0, 109192578), (0, 0), (-(2**63), 0))
DISTANT = ((0, 2440588), (2**63 - 1, -(2**31)), (0, 2**31 - 1), (0, -(2**31)), (0, -1))


def fixed(size: int) -> list[bytes]:
    low, high = b"\x80" + b"\0" * (size - 1), b"\x7f" + b"\xff" * (size - 1)
    return [low, high, b"\xff" * size, b"\0" * size, b"\1" * size, b"\xfe" * size, low, high]


def column(physical: int, values: object, converted: int | None = None, **more: object) -> Column:
    return Column("x", physical, values, converted, **more)  # type: ignore[arg-type]


def decimal(
    physical: int, values: object, precision: int, scale: int = 0, length: int | None = None
) -> Column:
    logical = p.union(5, _1=p.i32(scale), _2=p.i32(precision))
    return column(physical, values, 5, logical=logical, scale=scale, precision=precision, length=length)


COLUMNS = {
    "boolean": column(p.BOOLEAN, (1, 0, 1, 0, 1, 1, 0, 0)),
    "int32": column(INT32, INTS),
    "int64": column(INT64, LONGS),
    "float": column(p.FLOAT, REALS),
    "double": column(p.DOUBLE, (*REALS[:6], 1.7e308, -1.7e308)),
    "bytes": column(BYTE_ARRAY, BYTES),
    "fixed": column(FIXED, fixed(5), length=5),
    "int96": column(INT96, [struct.pack("<qi", *m) for m in MOMENTS] + [b"\0" * 12]),
    "distant int96": column(INT96, [struct.pack("<qi", *m) for m in DISTANT] + [b"\xff" * 12, b"\x7f" * 12]),
    "date": column(INT32, INTS, 6, logical=p.union(6)),
    **{
        f"{'int' if signed else 'uint'}{bits}": column(
            INT64 if bits == 64 else INT32,
            LONGS if bits == 64 else INTS,
            (15 if signed else 11) + place,
            logical=p.integer(bits, signed=signed),
        )
        for place, bits in enumerate((8, 16, 32, 64))
        for signed in (True, False)
    },
    **{
        f"time {unit} {utc}": column(
            INT32 if unit == 1 else INT64,
            INTS if unit == 1 else LONGS,
            {1: 7, 2: 8}.get(unit),
            logical=p.timed(7, unit, utc=utc),
        )
        for unit in (1, 2, 3)
        for utc in (True, False)
    },
    **{
        f"timestamp {unit} {utc}": column(
            INT64, LONGS, {1: 9, 2: 10}.get(unit), logical=p.timed(8, unit, utc=utc)
        )
        for unit in (1, 2, 3)
        for utc in (True, False)
    },
    "old time ms": column(INT32, INTS, 7),
    "old time us": column(INT64, LONGS, 8),
    "old timestamp ms": column(INT64, LONGS, 9),
    "old timestamp us": column(INT64, LONGS, 10),
    **{
        f"decimal int32 {n} {s}": decimal(INT32, INTS, n, s)
        for n, s in ((1, 0), (4, 2), (5, 5), (9, 0), (9, 9))
    },
    **{f"decimal int64 {n} {s}": decimal(INT64, LONGS, n, s) for n, s in ((1, 0), (9, 0), (10, 0), (18, 18))},
    **{
        f"decimal fixed {n} {s} {size}": decimal(FIXED, fixed(size), n, s, size)
        for n, s, size in (
            *((1, 0, 1), (3, 0, 2), (4, 0, 2), (9, 9, 4), (18, 0, 8), (38, 0, 16), (38, 38, 16), (38, 10, 3)),
            *((5, 0, 16), (18, 18, 16), (38, 0, 20), (60, 0, 26)),
        )
    },
    **{f"decimal bytes {n}": decimal(BYTE_ARRAY, BYTES, n) for n in (4, 9, 18, 38, 60)},
    "string": column(BYTE_ARRAY, BYTES, 0, logical=p.union(1)),
    "old string": column(BYTE_ARRAY, BYTES, 0),
    "fixed string": column(FIXED, fixed(5), 0, logical=p.union(1), length=5),
    "enum": column(BYTE_ARRAY, BYTES, 4, logical=p.union(4)),
    "json": column(BYTE_ARRAY, BYTES, 19, logical=p.union(12)),
    "bson": column(BYTE_ARRAY, BYTES, 20, logical=p.union(13)),
    "uuid": column(FIXED, fixed(16), logical=p.union(14), length=16),
    "bytes as uuid": column(BYTE_ARRAY, BYTES, logical=p.union(14)),
    "float16": column(FIXED, fixed(2), logical=p.union(15), length=2),
    "interval": column(FIXED, fixed(12), 21, length=12),
    "unknown": column(INT32, INTS, logical=p.union(11)),
    "variant": column(BYTE_ARRAY, BYTES, logical=p.union(16)),
    "geometry": column(BYTE_ARRAY, BYTES, logical=p.union(17)),
    "geography": column(BYTE_ARRAY, BYTES, logical=p.union(18)),
}
READINGS = (
    "SELECT count(*) FROM t WHERE x IS NOT NULL",
    "SELECT count(*) FROM t WHERE x IS NOT NULL AND person > 3",
    "SELECT count(DISTINCT x) FROM t",
    "SELECT x, count(*) FROM t GROUP BY x ORDER BY 2 DESC LIMIT 3",
    "SELECT x, count(*) FROM t GROUP BY x",
    "SELECT count(*) FROM t WHERE CAST(x AS VARCHAR) LIKE '%1%'",
    "SELECT count(*) FROM t WHERE CAST(x AS DATE) > DATE '2020-01-01'",
    "SELECT count(*) FROM t WHERE date_trunc('month', x) > TIMESTAMP '2020-01-01'",
    "SELECT count(*) FROM t WHERE extract(year FROM x) > 2020",
    "SELECT count(*) FROM t WHERE x = x",
    "SELECT count(*) FROM t WHERE x + 1 > 2",
    "SELECT count(*) FROM t WHERE -x > 2",
    "SELECT count(*) FROM t WHERE CAST(x AS INTEGER) > 2",
    "SELECT count(*) FROM t WHERE upper(x) = 'OK'",
    "SELECT count(*) FROM t WHERE CASE WHEN person > 3 THEN x END IS NULL",
    "SELECT count(*) FROM t WHERE x IS NOT NULL AND y",
    "SELECT mode(x) FROM t",
    "SELECT min(x) FROM t",
    "SELECT median(x) FROM t",
    "SELECT sum(x) FROM t",
)
# What DuckDB 2.0 may fail on.
LEFT_OUT = {
    *(name for name in COLUMNS if "time " in name and not name.startswith(("timestamp", "old timestamp"))),
    *(
        "timestamp 1 True",
        "timestamp 1 False",
        "old timestamp ms",
        "json",
        "geometry",
        "geography",
    ),
    *("decimal fixed 5 0 16", "decimal fixed 18 18 16", "decimal fixed 38 0 20"),
    *(f"decimal bytes {digits}" for digits in (4, 9, 18, 38)),
}
NEWER_ONLY = {"decimal int32 1 0", "decimal int32 4 2", "decimal int64 1 0", "decimal int64 9 0"}
TEXTS = {"string", "old string", "fixed string", "enum"}


def opened(folder: Path, *columns: Column) -> dpduck.Connection:
    persons = Column("person", INT64, range(len(columns[0].values)))
    p.write(folder / "t.parquet", [persons, *columns, Column("y", p.BOOLEAN, [1] * len(columns[0].values))])
    return dpduck.connect(
        folder / "t.parquet",
        epsilon="0.01",
        delta="1e-7",
        ledger=folder / "ledger",
        policies=[AddPrivacyKey(TableName("t"), "person")],
    )


@pytest.mark.parametrize("name", COLUMNS)
def test_no_value_of_any_type_makes_a_query_fail(tmp_path: Path, name: str) -> None:
    if name == "bson" or (name in TEXTS and not NEWER) or (name == "distant int96" and VERSION >= (2, 0, 1)):
        with pytest.raises(DpduckError, match="cannot be opened"):
            opened(tmp_path, COLUMNS[name])
        return
    left_out = name in LEFT_OUT or (name in NEWER_ONLY and not NEWER)
    with opened(tmp_path, COLUMNS[name]) as db:
        accepted = 0
        for query in part(READINGS, 4):
            try:
                db.explain(query)
            except DpduckError as error:
                assert isinstance(error, UnknownNameError) or not left_out, (query, error)
                continue
            db.execute(query).fetchall()
            accepted += 1
        assert (accepted == 0) == left_out
        db.execute("SELECT count(*) FROM t WHERE y").fetchall()


@pytest.mark.parametrize("with_person", [True, False])
def test_one_timestamp_of_milliseconds_decides_nothing(tmp_path: Path, with_person: bool) -> None:
    times = [*range(1000), 9999999999999999][: 1000 + with_person]
    table = pa.table(
        {"person": range(len(times)), "left_on": pa.array(times, pa.int64()).view(pa.timestamp("ms"))}
    )
    pq.write_table(table, tmp_path / "t.parquet")
    policies = [AddPrivacyKey(TableName("t"), "person")]
    with dpduck.connect(tmp_path / "t.parquet", epsilon=1, policies=policies) as db:
        with pytest.raises(UnknownNameError) as caught:
            db.execute("SELECT count(*) FROM t WHERE left_on IS NOT NULL")
        assert str(caught.value) == (
            "column left_on of table t is left out\n"
            "DETAIL: DuckDB cannot read every value of Parquet's TIMESTAMP_MILLIS, and one would make a "
            "whole query fail. Nothing was charged.\n"
            "HINT: Write it as another type, or import the file into a DuckDB database."
        )
        assert caught.value.position == 30
        assert abs(db.execute("SELECT count(*) FROM t").fetchall()[0][0] - 1000) < 40
    with pytest.raises(UnknownNameError, match="column left_on of table t is left out"):
        dpduck.connect(
            tmp_path / "t.parquet", policies=[AddPrivacyKey(TableName("t"), "left_on")], ledger=tmp_path / "l"
        ).execute("SELECT 1")


def test_nested_columns_are_as_their_parts(tmp_path: Path) -> None:
    moments = pa.array([9999999999999999], pa.int64()).view(pa.timestamp("ms"))
    fine = pa.array([2**63 - 1], pa.int64()).view(pa.timestamp("us"))
    lists = {
        name: pa.ListArray.from_arrays([0, 1], values) for name, values in (("ms", moments), ("us", fine))
    }
    keys = pa.StringArray.from_buffers(2, *pa.array([b"a", b"a"]).buffers()[1:])
    pairs = pa.MapArray.from_arrays([0, 2], keys, pa.array([1, 2]))
    held = pa.StructArray.from_arrays([lists["ms"]], ["l"])
    pq.write_table(pa.table({"person": [1], **lists, "pairs": pairs, "held": held}), tmp_path / "t.parquet")
    policies = [AddPrivacyKey(TableName("t"), "person")]
    with dpduck.connect(tmp_path / "t.parquet", epsilon=1, policies=policies) as db:
        for name in ("us", "pairs"):
            db.execute(f"SELECT count(*) FROM t WHERE {name} IS NOT NULL")
        for name in ("ms", "held"):
            with pytest.raises(UnknownNameError, match="is left out"):
                db.execute(f"SELECT count(*) FROM t WHERE {name} IS NOT NULL")


@pytest.mark.parametrize(
    ("known", "later"),
    [
        ("timestamp 2 False", "timestamp 1 False"),
        *([("int96", "distant int96")] if VERSION >= (2, 0, 1) else []),  # DuckDB read both before
    ],
)
def test_a_file_that_comes_later_or_changes_cannot_bring_such_a_column(
    tmp_path: Path, known: str, later: str
) -> None:
    (tmp_path / "t").mkdir()
    good, bad = COLUMNS[known], COLUMNS[later]
    persons = Column("person", INT64, range(len(list(good.values))))
    p.write(tmp_path / "t" / "a.parquet", [persons, good])
    p.write(tmp_path / "one.parquet", [persons, good])
    for path, changed in (("t", "t/b.parquet"), ("one.parquet", "one.parquet")):
        policies = [AddPrivacyKey(TableName(path.removesuffix(".parquet")), "person")]
        with dpduck.connect(tmp_path / path, epsilon=1, policies=policies) as db:
            query = f"SELECT count(*) FROM {path.removesuffix('.parquet')} WHERE x IS NOT NULL"
            db.execute(query)
            p.write(tmp_path / changed, [persons, bad])
            os.utime(tmp_path / changed, (1, 1))  # DuckDB 1.5 tells files apart by whole seconds
            with pytest.raises(DpduckError, match=r"does not fit|cannot be opened") as caught:
                db.execute(query)
            assert caught.value.charged == "0"
