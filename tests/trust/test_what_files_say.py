"""What a Parquet file says of its own rows decided which were read, and one unit decides what it says.

Writers leave NaN out of the least and greatest value of a row group. To DuckDB NaN is greater than any
number: one unit with 1000 decided whether all that are NaN were counted by `x > 100`. One with NaN where
the file says that there is none made sums fail, and DuckDB 1.5 looked for 0.0 by its hash, which that of
-0.0 is not. The least and greatest text are those of the bytes: of 500 units whose text is no UTF-8, and is
read as '?', one unit with 'zz' decided whether any was counted by `s = '?'`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dpduck
from dpduck.kernel.catalog.statements import AddPrivacyKey, TableName
from dpduck.kernel.errors import PolicyError

NEWER = int(duckdb.__version__.split(".")[0]) >= 2
NAN = float("nan")
WIDE = 60.0  # noise of epsilon 0.5 is beyond it once in 10^13
NEIGHBOURS = {
    "one beyond the bound": ([NAN] * 500 + [float(i % 100) for i in range(500)], 1000.0),
    "one number among NaN": ([NAN] * 500, 7.0),
    "one NaN among numbers": ([5.0] * 500, NAN),
    "one 0.0 before -0.0": ([-0.0] * 500 + [1.0] * 500, 0.0),
}
CONDITIONS = [
    "x > 100",
    "NOT x <= 100",
    "x < 100",
    "x = 0.0",
    "x = '-0.0'::DOUBLE",
    "isnan(x)",
    "NOT isnan(x)",
    "isfinite(x)",
    "x IN (7, 1000)",
    "x IS NOT NULL AND x > 50",
    "CASE WHEN x > 100 THEN true ELSE false END",
]


def write(path: Path, values: list[float], kind: pa.DataType, *, by_duckdb: bool) -> None:
    table = pa.table({"u": range(len(values)), "x": pa.array(values, kind)})
    if by_duckdb:
        with duckdb.connect() as connection:
            connection.register("t", table)
            connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")
    else:
        pq.write_table(table, path)


def counts(path: Path, conditions: Sequence[str] = CONDITIONS) -> list[float]:
    key = AddPrivacyKey(TableName("data"), "u")
    with dpduck.connect(str(path), epsilon="0.5", policies=[key]) as db:
        db.execute("SET dp_replay = off")
        each = [f"SELECT count(*) FROM data WHERE {condition}" for condition in conditions]
        return [db.execute(sql).fetchall()[0][0] for sql in each]


@pytest.mark.parametrize("kind", [pa.float64(), pa.float32()], ids=str)
@pytest.mark.parametrize("by_duckdb", [False, True], ids=["by pyarrow", "by duckdb"])
@pytest.mark.parametrize("name", NEIGHBOURS)
def test_one_unit_moves_no_count_by_more_than_one(
    name: str, by_duckdb: bool, kind: pa.DataType, tmp_path: Path
) -> None:
    values, other = NEIGHBOURS[name]
    found = []
    for folder, rows in (("without", values), ("with", [other, *values])):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "data.parquet"
        write(path, rows, kind, by_duckdb=by_duckdb)
        found.append(counts(path))
    differing = [
        condition for condition, one, two in zip(CONDITIONS, *found, strict=True) if abs(one - two) > WIDE
    ]
    assert differing == []


def test_a_nan_that_the_file_does_not_know_makes_nothing_fail(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    write(path, [5.0] * 500 + [NAN], pa.float64(), by_duckdb=False)
    key = AddPrivacyKey(TableName("data"), "u")
    bounds = "contribution_bounds_per_row => (0, 10)"
    with dpduck.connect(str(path), epsilon="0.5", policies=[key]) as db:
        for call in (f"sum(x, {bounds})", f"avg(x, {bounds})", f"median(x, {bounds})", f"max(x, {bounds})"):
            assert db.execute(f"SELECT {call} FROM data").fetchall()[0][0] is not None


def test_a_view_of_files_is_read_likewise(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    write(path, [1000.0, *NEIGHBOURS["one beyond the bound"][0]], pa.float64(), by_duckdb=False)
    with duckdb.connect() as connection:
        connection.execute(f"CREATE VIEW data AS SELECT * FROM read_parquet('{path}')")
        with dpduck.connect(connection, epsilon="0.5") as db:
            db.execute("ALTER TABLE data ADD PRIVACY_KEY (u)")
            assert abs(db.execute("SELECT count(*) FROM data WHERE x > 100").fetchall()[0][0] - 501) < WIDE
            assert abs(db.execute("SELECT count(*) FROM data WHERE isnan(x)").fetchall()[0][0] - 500) < WIDE


NOT_UTF8 = {
    "one text above what is replaced": ([b"\xff"] * 500, b"zz"),
    "one that is what is read for the others": ([b"\xff"] * 500, b"?"),
    "one that is replaced among texts": ([b"x"] * 500, b"\xff\xfe"),
    "a first byte among texts": ([b"A\x80"] * 500, b"b"),
}
OF_TEXTS = [
    *("s = '?'", "s > 'b'", "s < 'b'", "s <> '?'", "s >= 'A?' AND s < 'B'", "s = 'A?'", "s LIKE '?%'"),
    *("s LIKE 'A?%'", "s IN ('?', 'A?', 'zz')", "NOT s <= 'b'", "s BETWEEN 'c' AND 'zzzz'", "strlen(s) = 1"),
]


@pytest.mark.parametrize("how", [{}, {"use_dictionary": False}, {"row_group_size": 100}], ids=str)
@pytest.mark.parametrize("name", NOT_UTF8)
def test_one_unit_does_not_decide_how_texts_are_read(name: str, how: dict[str, Any], tmp_path: Path) -> None:
    texts, other = NOT_UTF8[name]
    found = []
    for folder, rows in (("without", texts), ("with", [other, *texts])):
        (tmp_path / folder).mkdir()
        table = pa.table({"u": range(len(rows)), "s": pa.array(rows, pa.binary()).view(pa.string())})
        pq.write_table(table, tmp_path / folder / "data.parquet", **how)
        if NEWER:
            found.append(counts(tmp_path / folder / "data.parquet", OF_TEXTS))
    if not NEWER:
        with pytest.raises(PolicyError, match="cannot be opened"):
            counts(tmp_path / "with" / "data.parquet", OF_TEXTS)
        return
    differing = [
        condition for condition, one, two in zip(OF_TEXTS, *found, strict=True) if abs(one - two) > WIDE
    ]
    assert differing == []
