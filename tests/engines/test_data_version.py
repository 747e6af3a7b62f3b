"""When rows count as others than those that an earlier answer was made from."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from dpduck.engines.duckdb.data_version import DataFile, FileState, version_of
from dpduck.engines.duckdb.files import DataSet
from dpduck.engines.duckdb.path import DataPath
from dpduck.kernel.catalog.model import Table

TIME = 1_600_000_000


def write(path: Path, rows: int) -> Path:
    """A file of that many rows, written at `TIME`: a database or a Parquet file by its name."""
    if path.suffix == ".duckdb":
        with duckdb.connect(str(path)) as db:
            db.execute(f"CREATE TABLE t AS SELECT hash(range) AS person FROM range({rows})")
    else:
        duckdb.execute(f"COPY (SELECT hash(range) AS person FROM range({rows})) TO '{path}'")
    os.utime(path, (TIME, TIME))
    return path


def of_database(folder: Path) -> str | None:
    return DataFile(folder / "t.duckdb").written()


def of_files(folder: Path) -> str | None:
    with duckdb.connect() as db:
        return DataSet(DataPath(f"{folder}/*.parquet"), db).written()


def of_view(folder: Path) -> str | None:
    view = Table("memory", "main", "t", (), definition=f"CREATE VIEW t AS FROM '{folder}/*.parquet'")
    return version_of([view], DataFile(None, "memory"))


KINDS = [("t.duckdb", of_database), ("t.parquet", of_files), ("t.parquet", of_view)]


@pytest.mark.parametrize(("name", "version"), KINDS)
def test_a_file_of_the_same_time_and_another_size_is_another_version(
    tmp_path: Path, name: str, version: Callable[[Path], str | None]
) -> None:
    file = write(tmp_path / name, 10)
    before = version(tmp_path)
    file.unlink()
    write(file, 500_000)
    assert file.stat().st_mtime_ns == TIME * 10**9
    assert version(tmp_path) != before


@pytest.mark.parametrize(("name", "version"), KINDS)
def test_a_copy_with_its_time_is_the_same_version(
    tmp_path: Path, name: str, version: Callable[[Path], str | None]
) -> None:
    file = write(tmp_path / name, 10)
    before, number = version(tmp_path), file.stat().st_ino
    copy = tmp_path / "copy"
    shutil.copy2(file, copy)
    copy.rename(file)
    assert file.stat().st_ino != number
    assert version(tmp_path) == before


def test_a_write_to_the_log_alone_is_another_version(tmp_path: Path) -> None:
    file = write(tmp_path / "t.duckdb", 10)
    log = file.with_name("t.duckdb.wal")
    before = of_database(tmp_path)
    log.write_bytes(b"x")
    os.utime(log, (TIME - 1, TIME - 1))
    assert of_database(tmp_path) != before


def state(number: int, size: int = 1) -> FileState:
    return FileState((1, number), (TIME, None), (size, 0))


def test_files_that_only_their_number_tells_apart_are_told_by_a_mark() -> None:
    first = state(1)
    other, larger = state(2).told_from([first]), state(3, 2).told_from([first])
    third = state(4).told_from([first, other, larger])
    assert larger.version == state(3, 2).version
    assert len({first.version, other.version, third.version}) == 3
    assert state(2).told_from([first, other, third]).version == other.version
    assert state(1).told_from([first, other, third]).version == first.version


def test_a_mark_is_no_write() -> None:
    assert state(2).told_from([state(1)]) == state(2)
