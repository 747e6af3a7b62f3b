"""Neighbours of a Parquet or CSV file: without the rows of one unit, with every other row unchanged.

The rows are not read through DuckDB, since whether its reader accepts a row is part of the audit.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from dpduck.doors.audit.neighbours import Neighbour
from dpduck.kernel.catalog.model import fold


def file_neighbours(file: Path, unit: str) -> Iterator[Neighbour]:
    """Neighbours without one conspicuous unit each. Input: the column of the privacy unit."""
    is_parquet = file.suffix.lower() == ".parquet"
    units = _of_parquet(file, unit) if is_parquet else _of_csv(file, unit)
    remove = _from_parquet if is_parquet else _from_csv
    for number, value in enumerate(dict.fromkeys(units), 1):
        change: Callable[[Path], None] = partial(remove, unit=unit, value=value)
        yield Neighbour(f"without unit {number}", f"{unit} = {value}", change)


# --- Parquet -------------------------------------------------------------------------------------


def _of_parquet(file: Path, unit: str) -> Iterator[str]:
    """The units with the most and fewest rows, and those with a column's largest, smallest or no value."""
    table = parquet.read_table(file)
    owners = _texts(table.column(_named(table.column_names, unit)))
    yield from _by_rows(owners)
    for column in table.columns:
        for place in _places(column):
            if owners[place] is not None:
                yield str(owners[place])


def _places(column: pa.ChunkedArray) -> Iterator[int]:
    with suppress(pa.ArrowException):
        for order in ("ascending", "descending"):
            ordered = pc.sort_indices(column, sort_keys=[("", order)])
            yield from ordered.slice(0, 1).to_pylist()
        if column.null_count:
            yield pc.index(pc.is_null(column), True).as_py()


def _from_parquet(file: Path, unit: str, value: str) -> None:
    table = parquet.read_table(file)
    owners = _texts(table.column(_named(table.column_names, unit)))
    parquet.write_table(table.filter(pa.array([owner != value for owner in owners], pa.bool_())), file)


def _texts(column: pa.ChunkedArray) -> list[str | None]:
    return [None if value is None else str(value) for value in column.to_pylist()]


# --- CSV -----------------------------------------------------------------------------------------


def _of_csv(file: Path, unit: str) -> Iterator[str]:
    """The units with the most and fewest rows, and those of the longest, shortest and last row."""
    rows = list(_records(file, unit))
    yield from _by_rows([owner for owner, _ in rows])
    for choose in (max, min):
        owner, _ = choose(rows, key=lambda row: len(row[1]))
        yield owner
    yield rows[-1][0]


def _from_csv(file: Path, unit: str, value: str) -> None:
    head = file.read_text(encoding="utf-8", errors="surrogateescape").splitlines(keepends=True)[:1]
    kept = "".join(raw for owner, raw in _records(file, unit) if owner != value)
    file.write_text("".join(head) + kept, encoding="utf-8", errors="surrogateescape", newline="")


def _records(file: Path, unit: str) -> Iterator[tuple[str, str]]:
    """The unit and text of each line after the first: each line is a row of its own."""
    with file.open(encoding="utf-8", errors="surrogateescape", newline="") as lines:
        text = lines.read().splitlines(keepends=True)
    delimiter = csv.Sniffer().sniff(text[0], ",;|\t").delimiter if text else ","
    names, *rows = (next(csv.reader([line], delimiter=delimiter), []) for line in text)
    place = names.index(_named(names, unit))
    for row, line in zip(rows, text[1:], strict=True):
        yield (row[place] if place < len(row) else ""), line


# --- both ----------------------------------------------------------------------------------------


def _by_rows(owners: list[str] | list[str | None]) -> Iterator[str]:
    counted = Counter(owner for owner in owners if owner is not None)
    if counted:
        ranked = counted.most_common()
        yield ranked[0][0]
        yield ranked[-1][0]


def _named(names: list[str], wanted: str) -> str:
    return next(name for name in names if fold(name) == fold(wanted))
