"""One person's row in a file moves nothing of how the rows of others are read, whatever is asked of them.

Files with and without one more row, at the first, middle or last place, are read as queries read them: all
rows, and those that meet a comparison, by which a reader skips what a file says cannot meet it. In each
column others have one value, or any: what a file says is then about the one person more than about others.
Types, values and errors of all other rows are the same, for each type, writer, encoding and size of row
groups; also in a database, whose statistics are DuckDB's own.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

from dpduck.engines.duckdb import parquet_columns
from dpduck.engines.source import open_source
from dpduck.kernel.tree import emit
from tests.depth import depth, part

OTHER = -1
NAN, INFINITE = float("nan"), float("inf")
ROUNDS = depth(20, 1)
Write = Callable[[pa.Table, Path, random.Random], None]


@dataclass(frozen=True)
class Kind:
    """A type with its awkward values; `whole`: the type of the numbers that they are stored as, if any."""

    type: pa.DataType
    values: Sequence[Any]
    whole: pa.DataType | None = None

    def array(self, values: Sequence[Any]) -> pa.Array:
        return (
            pa.array(values, self.type)
            if self.whole is None
            else pa.array(values, self.whole).view(self.type)
        )


def _numbers(kind: pa.DataType, low: int, high: int) -> Kind:
    return Kind(kind, [0, 1, 5, low, high, None])


_DAYS, _MOMENTS = (0, 1, 19_000, -719_162), (0, 1, 10**15, -(2**63), 2**63 - 1, None)
KINDS = {
    "int8": _numbers(pa.int8(), -128, 127),
    "int64": _numbers(pa.int64(), -(2**63), 2**63 - 1),
    "uint8": _numbers(pa.uint8(), 0, 255),
    "uint32": _numbers(pa.uint32(), 2**31, 2**32 - 1),
    "uint64": _numbers(pa.uint64(), 2**63, 2**64 - 1),
    "float": Kind(pa.float32(), [0.0, -0.0, 1.0, NAN, INFINITE, -INFINITE, None]),
    "double": Kind(pa.float64(), [0.0, -0.0, 1.0, NAN, INFINITE, -INFINITE, 5e-324, None]),
    "text": Kind(pa.string(), ["", "a", "b", "\0", "a\0b", "\U0010ffff" * 3, "z" * 70_000, "é", None]),
    "no text": Kind(pa.string(), [b"\xff", b"?", b"A\x80", b"b", b"zz", b"\xc3\xa9"], pa.binary()),
    "bytes": Kind(pa.binary(), [b"", b"a", b"\xff", b"\xff" * 100, b"\0", b"a" * 70_000, None]),
    "categories": Kind(pa.dictionary(pa.int8(), pa.string()), ["a", "b", "\0", "zz", None]),
    "days": Kind(pa.date32(), [*_DAYS, 2**31 - 1, -(2**31), None], pa.int32()),
    "microseconds": Kind(pa.timestamp("us"), _MOMENTS, pa.int64()),
    "moments": Kind(pa.timestamp("us", "UTC"), _MOMENTS, pa.int64()),
    "nanoseconds": Kind(pa.timestamp("ns"), _MOMENTS, pa.int64()),
    "truth": Kind(pa.bool_(), [True, False, None]),
    "short decimals": Kind(pa.decimal128(9, 2), [*map(Decimal, ("0", "9999999.99", "-9999999.99")), None]),
    "long decimals": Kind(pa.decimal128(38, 5), [*map(Decimal, ("0", "9" * 33, "-" + "9" * 33)), None]),
    "lists": Kind(pa.list_(pa.float64()), [[], [1.0], [NAN], None]),
    "structs": Kind(
        pa.struct([("a", pa.string()), ("b", pa.float64())]),
        [{"a": "a", "b": 1.0}, {"a": "\0z", "b": NAN}, {"a": None, "b": None}, None],
    ),
}


def by_pyarrow(table: pa.Table, file: Path, draw: random.Random) -> None:
    parquet.write_table(
        table,
        file,
        row_group_size=draw.choice([1, 3, 100]),
        use_dictionary=draw.random() < 0.5,
        store_schema=draw.random() < 0.5,
        write_page_index=draw.random() < 0.5,
        data_page_size=draw.choice([16, 1 << 20]),
        data_page_version=draw.choice(["1.0", "2.0"]),
    )


def by_duckdb(table: pa.Table, file: Path, draw: random.Random) -> None:
    with duckdb.connect() as connection:
        connection.register("t", table)
        version = draw.choice(["V1", "V2"])
        connection.execute(
            f"COPY t TO '{file}' (FORMAT parquet, ROW_GROUP_SIZE 2048, PARQUET_VERSION {version})"
        )


def by_polars(table: pa.Table, file: Path, draw: random.Random) -> None:
    pl.from_arrow(table).write_parquet(file, row_group_size=draw.choice([1, 3, 100]), statistics="full")  # type: ignore[union-attr]


def as_database(table: pa.Table, file: Path, draw: random.Random) -> None:
    with duckdb.connect(str(file)) as connection:
        connection.register("t", table)
        connection.execute("CREATE TABLE data AS FROM t")
        if draw.random() < 0.5:
            connection.execute("CREATE INDEX fast ON data (id)")


WRITERS: dict[str, tuple[Write, str]] = {
    "pyarrow": (by_pyarrow, "data.parquet"),
    "duckdb": (by_duckdb, "data.parquet"),
    "polars": (by_polars, "data.parquet"),
    "a database": (as_database, "data.duckdb"),
}


def conditions(kind: Kind) -> list[str]:
    """Conditions on column {v}, by DuckDB's own text of each value."""
    found = ["true", "{v} IS NULL", "{v} IS NOT NULL", "NOT {v} IS DISTINCT FROM {v}"]
    if pa.types.is_struct(kind.type):
        return [*found, "struct_extract({v}, 'a') > 'a'", "struct_extract({v}, 'b') > 1"]
    if pa.types.is_nested(kind.type):
        return [*found, "len({v}) > 0"]
    values: Any = kind.array(kind.values) if kind.whole != pa.binary() else ["?", "b", "A?", "c"]
    with duckdb.connect() as connection:
        connection.register("t", pa.table({"v": values}))
        [(name,)] = connection.execute("SELECT DISTINCT typeof(v) FROM t").fetchall()
        rows = connection.execute("SELECT v::VARCHAR FROM t WHERE v IS NOT NULL").fetchall()
        texts = [text for (text,) in rows if len(text) < 1000 and _is_value(connection, text, name)]
    for text in texts:
        value = f"CAST({emit.string(text)} AS {name})"
        found += [f"{{v}} {sign} {value}" for sign in ("=", "<>", "<", "<=", ">", ">=")]
        found.append(f"{{v}} IN ({value}, NULL)")
    return found


def _is_value(connection: duckdb.DuckDBPyConnection, text: str, kind: str) -> bool:
    """Whether DuckDB reads what it writes: not of the days before its first, nor braces of a format."""
    found = connection.execute(f"SELECT TRY_CAST(? AS {kind}) IS NOT NULL", [text]).fetchall()
    return found == [(True,)] and "{" not in text


def seen(file: Path, asked: Sequence[tuple[str, str]]) -> list[object]:
    """Types, and for each column and condition the rows of others, in order."""
    with closing(open_source(file, read_only=True).connection) as connection:
        types = connection.execute("DESCRIBE data").fetchall()
        found: list[object] = [types]
        read = {row[0] for row in types}  # DuckDB 1.5 leaves some out
        for column, condition in asked:
            if column in read:
                where = condition.format(v=column)
                rows = connection.execute(f"SELECT id, {column}::VARCHAR FROM data WHERE {where}").fetchall()
                found.append([row for row in rows if row[0] != OTHER])
    return found


def difference(kind: Kind, writer: str, folder: Path, draw: random.Random, most: int) -> str | None:
    """What the rows of others tell of one person's. Input: how many conditions and values are tried."""
    write, name = WRITERS[writer]
    count = draw.choice([1, 5, 20])
    others = [[value] * count for value in kind.values] + [
        draw.choices(kind.values, k=count) for _ in range(2)
    ]
    columns = [f"v{number}" for number in range(len(others))]
    each = [(column, condition) for column in columns for condition in conditions(kind)]
    asked = draw.sample(each, min(most, len(each)))
    place, seed = draw.choice([0, count // 2, count]), draw.random()

    def read(extra: Sequence[Any]) -> list[object]:
        """Input: the value of the one person, in each column; empty for nobody."""
        ids = [*range(place), *(OTHER for _ in extra), *range(place, count)]
        arrays = [kind.array([*own[:place], *extra, *own[place:]]) for own in others]
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        table = pa.table([pa.array(ids, pa.int64()), *arrays], ["id", *columns])
        write(table, folder / name, random.Random(seed))
        return seen(folder / name, asked)

    without = read([])
    for value in draw.sample(kind.values, min(most, len(kind.values))):
        for what, one, two in zip(["types", *asked], without, read([value]), strict=True):
            if one != two:
                return f"{what} with {value!r:.60}\n{one}\n{two}"
    return None


@pytest.mark.parametrize(("writer", "name"), part(list(product(WRITERS, KINDS)), 3))
def test_others_are_read_as_without_one_person(writer: str, name: str, tmp_path: Path) -> None:
    kind = KINDS[name]
    if kind.whole == pa.binary():
        writer = "pyarrow"  # no other lets such texts pass
    for number in range(ROUNDS):
        draw = random.Random(f"{name} {writer} {number}")
        assert difference(kind, writer, tmp_path / "files", draw, depth(10_000, 6)) is None


@pytest.mark.parametrize("name", ["double", "float"])
def test_what_a_file_says_is_found_where_it_is_believed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_columns, "_UNBELIEVED", set())
    draws = (random.Random(f"mutant {number}") for number in range(20))
    found = (difference(KINDS[name], "pyarrow", tmp_path / "files", draw, 200) for draw in draws)
    assert any(one is not None for one in found)
