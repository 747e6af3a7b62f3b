"""Synthetic rows: rows of the columns of a summary, as many as it has counted, made of its numbers alone.

They are a model of the released numbers, the most likely counts of full cells as whole numbers (see `joint`),
and no row is one that somebody has. Which rows there are, and their order, are functions of what was
released: what rounding draws is a digest of it. So making them costs nothing, and each process makes the same
ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from dpduck.compiler.compile.summary import CellColumn
from dpduck.kernel.arrow.arrays import texts_of
from dpduck.kernel.catalog.model import Column, Table
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.ledger.chain import digest
from dpduck.summaries.design import Design
from dpduck.summaries.joint import most_likely, whole
from dpduck.summaries.kept import Contents, write_tables
from dpduck.summaries.residuals import Columns, size_of

MOST_JOINT = 100_000  # full cells of a model
MOST_ROWS = 5_000_000
_DIGITS = 13  # of a digest, that make a number from 0 to below 1


@dataclass(frozen=True)
class Face:
    """The table that synthetic rows are of. `columns`: which of the design's they have, ascending."""

    table: Table
    columns: Columns


def face_of(name: str, design: Design) -> Face:
    """The table of a summary's synthetic rows: the columns that it has measured, bands by their labels.

    Output: a public table of no database.
    """
    measured = tuple(sorted({column for table in design.tables for column in table}))
    columns = (design.rows.columns[number] for number in measured)
    shown = tuple(Column(column.name, _type_of(column)) for column in columns)
    return Face(Table("", "main", name, shown, public=True), measured)


def _type_of(column: CellColumn) -> str:
    """The type of a column: of bands one whose order is theirs."""
    if column.asked is not None:
        return column.key.type
    members = ("'" + label.replace("'", "''") + "'" for label in _values_of(column) if label is not None)
    return f"ENUM({', '.join(members)})"


def _values_of(column: CellColumn) -> tuple[str | None, ...]:
    """The values of the cells, as text that casts to the type."""
    if column.asked is not None:
        return column.texts
    has_null = column.key.or_null
    return (*column.labels[:-1], None) if has_null else column.labels


def check_cells(name: str, design: Design) -> None:
    """Check that there are few enough cells, which are public. Errors: UnsupportedSqlError."""
    cells = size_of(face_of(name, design).columns, design.sizes)
    if cells > MOST_JOINT:
        raise UnsupportedSqlError(
            f"summary {name} has too many cells for synthetic rows",
            detail=f"Its columns have {cells:,} cells together, of which the most is {MOST_JOINT:,}.",
            hint=f"Ask {design.rows.owned.named[0].name} for counts: the summary answers them all the same.",
        )


def synthetic_rows(contents: Contents, name: str, check: Callable[[], None] = lambda: None) -> pa.Table:
    """The synthetic rows, with columns c0, c1, ... of text that casts to the types of the face.

    Input: `check`: as of `most_likely`, which takes seconds for many cells.
    Output: rows in the order of cells. Errors: UnsupportedSqlError.
    """
    design = contents.design
    check_cells(name, design)
    face = face_of(name, design)
    sizes = [design.sizes[column] for column in face.columns]
    residuals = {_among(part, face.columns): values for part, values in contents.residuals.items()}
    variances = {_among(part, face.columns): variance for part, variance in design.variances.items()}
    if float(residuals[()]) > MOST_ROWS:
        raise UnsupportedSqlError(
            f"summary {name} has counted too many rows for synthetic ones",
            detail=f"They would be about {float(residuals[()]):,.0f}, of which the most is {MOST_ROWS:,}.",
            hint=f"Ask {design.rows.owned.named[0].name} for counts: the summary answers them all the same.",
        )
    shapes = {
        _among(part, face.columns): {face.columns.index(column): one for column, one in own.items()}
        for part, own in design.shapes.items()
    }
    likely = most_likely(residuals, variances, sizes, shapes, check=check)
    counts = whole(likely, _drawn(contents))
    places = np.unravel_index(np.repeat(np.arange(counts.size), counts.reshape(-1)), counts.shape)
    columns = [
        _dictionary(_values_of(design.rows.columns[number]), place)
        for number, place in zip(face.columns, places, strict=True)
    ]
    return pa.table(columns, [f"c{number}" for number in range(len(columns))])


def _among(part: Columns, columns: Columns) -> Columns:
    return tuple(columns.index(column) for column in part)


def _drawn(contents: Contents) -> float:
    """A number from 0 to below 1, as good as drawn, that everybody can compute who has the release."""
    found = digest(write_tables(contents.design, [contents.tables]))
    return int(found[:_DIGITS], 16) / 16.0**_DIGITS


def _dictionary(values: tuple[str | None, ...], place: np.ndarray) -> pa.Array:
    """A column of text, each value of which is stored once."""
    known = [value for value in values if value is not None]
    numbers = np.cumsum([value is not None for value in values], dtype=np.int32) - 1
    there = np.array([value is not None for value in values])[place]
    buffers = [np.packbits(there, bitorder="little"), np.ascontiguousarray(numbers[place], np.int32)]
    indices = pa.Array.from_buffers(pa.int32(), len(place), list(map(pa.py_buffer, buffers)))
    return pa.DictionaryArray.from_arrays(indices, texts_of(known))
