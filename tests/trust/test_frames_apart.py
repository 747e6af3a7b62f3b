"""One person's row in a DataFrame, Arrow table or relation moves nothing of the rows of others.

For each kind of column the data are protected with and without one more row, at the first, middle and last
place, with the values that a library is most likely to stumble over. Types, values, order and errors of all
other rows are the same. Where a type comes from the values, `notices` say so, and a stated one is held to.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import dpduck
from dpduck.doors.connection import frames
from dpduck.doors.connection.frames import arrow_of
from dpduck.engines.duckdb.tables import create_table
from tests.depth import depth

Make = Callable[[Sequence[int], Sequence[Any]], object]
ROUNDS = depth(40, 1)
OTHER = -1  # the id of the one person
DATABASE = duckdb.connect()

NAN, FAR = float("nan"), 2**63 - 1


def of_arrow(kind: pa.DataType, whole: pa.DataType | None = None) -> Make:
    def make(ids: Sequence[int], values: Sequence[Any]) -> pa.Table:
        array = pa.array(values, kind) if whole is None else pa.array(values, whole).view(kind)
        return pa.table({"id": pa.array(ids, pa.int64()), "v": array})

    return make


def of_pandas(kind: str) -> Make:
    return lambda ids, values: pd.DataFrame({"id": ids, "v": pd.Series(list(values), dtype=kind)})


def of_polars(kind: Any) -> Make:
    return lambda ids, values: pl.DataFrame({"id": ids, "v": pl.Series(list(values), dtype=kind)})


def of_relation(kind: str) -> Make:
    """Values are the texts of their SQL, which DuckDB casts."""
    texts = of_arrow(pa.string())
    return lambda ids, values: (
        duckdb.connect().from_arrow(texts(ids, values)).project(f"id, CAST(v AS {kind}) AS v")
    )


def of_frame_in_duckdb(make: Make) -> Make:
    return lambda ids, values: duckdb.connect().from_df(make(ids, values))  # type: ignore[arg-type]


COLUMNS: dict[str, tuple[Make, list[Any]]] = {
    "Arrow: seconds": (of_arrow(pa.timestamp("s"), pa.int64()), [0, 10**9, -FAR, FAR, None]),
    "Arrow: milliseconds": (of_arrow(pa.timestamp("ms", "UTC"), pa.int64()), [0, 10**12, -FAR, FAR]),
    "Arrow: microseconds": (of_arrow(pa.timestamp("us"), pa.int64()), [0, 10**15, -FAR, FAR, -FAR - 1]),
    "Arrow: nanoseconds": (of_arrow(pa.timestamp("ns"), pa.int64()), [0, 1, -FAR, FAR]),
    "Arrow: days": (of_arrow(pa.date32(), pa.int32()), [0, 19_000, 2**31 - 1, -(2**31)]),
    "Arrow: days in milliseconds": (of_arrow(pa.date64(), pa.int64()), [0, 86_400_000, 1, FAR, -FAR]),
    "Arrow: lengths of time": (of_arrow(pa.duration("s"), pa.int64()), [0, 1, FAR, -FAR]),
    "Arrow: times": (of_arrow(pa.time32("s"), pa.int32()), [0, 86_399, 2**31 - 1, -1]),
    "Arrow: dictionaries": (of_arrow(pa.dictionary(pa.int8(), pa.string())), ["a", "b", "secret", None]),
    "Arrow: text that is none": (of_arrow(pa.string(), pa.binary()), [b"a", b"\xff", b"\x00", b"?"]),
    "Arrow: decimals": (of_arrow(pa.decimal256(38, 2)), [Decimal("1.5"), Decimal("-9e35"), None]),
    "Arrow: JSON": (
        lambda ids, values: pa.table(
            {
                "id": pa.array(ids, pa.int64()),
                "v": pa.ExtensionArray.from_storage(pa.json_(), pa.array(values, pa.string())),
            }
        ),
        ['{"a": 1}', "{bad", "", None],
    ),
    "pandas: numbers": (of_pandas("float64"), [1.0, NAN, float("inf"), 2.0**70]),
    "pandas: nullable numbers": (of_pandas("Int64"), [1, None, FAR, -FAR]),
    "pandas: categories": (of_pandas("category"), ["a", "b", "secret", None]),
    "pandas: text": (of_pandas("str"), ["a", "", "\x00", None]),
    "pandas: seconds": (
        lambda ids, values: pd.DataFrame({"id": ids, "v": np.array(values, "datetime64[s]")}),
        [0, 10**9, 10**13, -(10**13), -FAR],
    ),
    "pandas: truth": (of_pandas("boolean"), [True, False, None]),
    "polars: categories": (of_polars(pl.Categorical), ["a", "b", "secret", None]),
    "polars: an enum": (of_polars(pl.Enum(["a", "b", "secret"])), ["a", "b", "secret", None]),
    "polars: wide numbers": (of_polars(pl.Int128), [1, 2**126, -(2**126), None]),
    "polars: milliseconds": (
        lambda ids, values: pl.DataFrame({"id": ids, "v": values}).cast({"v": pl.Datetime("ms")}),
        [0, 10**12, 2**62, -(2**62)],
    ),
    "a relation: HUGEINT": (of_relation("HUGEINT"), ["1", str(2**127 - 1), str(-(2**127)), None]),
    "a relation: DATE": (of_relation("DATE"), ["2024-01-01", "infinity", "5877642-06-25 (BC)"]),
    "a relation: TIMETZ": (of_relation("TIMETZ"), ["01:00:00+00", "24:00:00+15:59:59", None]),
    "a relation: INTERVAL": (of_relation("INTERVAL"), ["1 day", "2147483647 months", None]),
    "a relation of pandas: categories": (
        of_frame_in_duckdb(of_pandas("category")),
        ["a", "b", "secret", None],
    ),
}
# Columns without a type of their own.
OBJECTS: list[Any] = [
    *("a", "7", "2024-01-01", "\ud800", b"\xff", 7, 2**70, 1.5, NAN, Decimal("1.5"), Decimal("NaN"), True),
    *(date(2024, 1, 1), datetime(2024, 1, 1, 12), datetime(2024, 1, 1, tzinfo=UTC), time(1), timedelta(1)),
    *(UUID(int=7), [1], {"a": 1}, None, pd.NaT, object, 1j),
]
STATED = [
    *("VARCHAR", "BIGINT", "DOUBLE", "DECIMAL(9,2)", "DATE", "TIMESTAMP", "BOOLEAN", "BLOB", "UUID", "TIME"),
    *("INTEGER[]", "ENUM('a', 'b')", "INTERVAL", "TIMESTAMPTZ", "HUGEINT"),
]


def seen(data: object, types: dict[str, str] | None = None) -> Any:
    """All that the rows of others are read as: types, values in order, notices; or the error."""
    try:
        rows = arrow_of(data, types)
        DATABASE.execute("DROP TABLE IF EXISTS data")
        create_table(DATABASE, "data", rows.table, rows.types)
    except dpduck.DpduckError as error:
        return str(error)
    found = DATABASE.execute("SELECT id, v::VARCHAR, v IS NULL FROM data").fetchall()
    kinds = [row[1] for row in DATABASE.execute("DESCRIBE data").fetchall()]
    return kinds, [row for row in found if row[0] != OTHER], rows.found


def neighbours(values: Sequence[Any], draw: random.Random) -> Iterator[tuple[Sequence[int], Sequence[Any]]]:
    """Rows of others, and the same with one more at the first, middle and last place."""
    own = [draw.choice(values) for _ in range(draw.choice([1, 7, 60]))]
    ids = list(range(len(own)))
    yield ids, own
    for place in {0, len(own) // 2, len(own)}:
        for value in draw.sample(values, min(depth(len(values), 4), len(values))):
            yield [*ids[:place], OTHER, *ids[place:]], [*own[:place], value, *own[place:]]


def difference(
    make: Make, values: Sequence[Any], draw: random.Random, types: dict[str, str] | None = None
) -> str | None:
    without, *others = (make(ids, each) for ids, each in neighbours(values, draw))
    expected = seen(without, types)
    return next((f"{expected}\n{found}" for one in others if (found := seen(one, types)) != expected), None)


@pytest.mark.parametrize("name", COLUMNS)
def test_others_are_read_as_without_one_person(name: str) -> None:
    make, values = COLUMNS[name]
    for number in range(ROUNDS):
        assert difference(make, values, random.Random(f"{name} {number}")) is None


def objects_of(kind: str) -> Make:
    if kind == "polars":
        return lambda ids, values: pl.DataFrame({"id": ids, "v": pl.Series(list(values), dtype=pl.Object)})
    return of_pandas("object")


@pytest.mark.parametrize("kind", STATED)
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_stated_type_is_held_to(library: str, kind: str) -> None:
    for number in range(ROUNDS):
        draw = random.Random(f"{kind} {number}")
        assert difference(objects_of(library), OBJECTS, draw, types={"v": kind}) is None


def test_what_objects_decide_is_said() -> None:
    """Without a stated type another one is never taken without a word, but for text."""
    for value in OBJECTS:
        found = seen(pd.DataFrame({"id": [1, 2], "v": pd.Series([value, value], dtype=object)}))
        assert isinstance(found, str) or found[0][1] == "VARCHAR" or "the type of v" in found[2][0]


def test_what_duckdb_found_in_a_file_is_said(tmp_path: Any) -> None:
    file = tmp_path / "rides.csv"
    file.write_text("id,v\n1,2\n2,3\n")
    with duckdb.connect() as plain:
        for relation in (
            plain.read_csv(str(file)),
            plain.sql(f"SELECT * FROM '{file}'"),
            plain.sql(f"SELECT id, v FROM read_csv_auto('{file}')").filter("id > 0"),
        ):
            with dpduck.protect(relation, unit="id") as db:
                [said] = db.notices
                assert said.startswith("Found in the rows by DuckDB, and taken for public")
        with dpduck.protect(plain.sql("SELECT 1 AS id, 2 AS v"), unit="id") as db:
            assert db.notices == []


MUTANTS: dict[str, tuple[object, str, Any, str]] = {
    "an ENUM keeps its members": (frames, "_MEMBERS", re.compile("$^"), "a relation of pandas: categories"),
    "Arrow converts as it likes": (frames, "plain", lambda array: array, "Arrow: lengths of time"),
}  # fmt: skip


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, what, other, column = MUTANTS[name]
    make, values = COLUMNS[column]
    monkeypatch.setattr(where, what, other)
    assert any(difference(make, values, random.Random(number)) is not None for number in range(5))


def test_types_taken_from_values_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "texts_of", frames.array_of)
    found = (difference(of_pandas("object"), [1, "a"], random.Random(n), {"v": "BIGINT"}) for n in range(5))
    assert any(one is not None for one in found)
