"""A table as a box in which numbers have their errors beside them: 1,204 ± 12.

DuckDB draws it, as it draws all boxes. The numbers with their errors are text for it, so they are aligned
here, and the types of their columns are written over those of text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from dpduck.doors.console.tables import MAX_ROWS, render, text_width
from dpduck.kernel.arrow.arrays import texts_of

_NAMES, _TYPES = 1, 2  # lines of a box
_EDGE = "│"
_TEXT = "varchar"  # DuckDB's name for it in a box

Cells = Sequence[str | None]


def box_of(
    table: pa.Table, shown: Mapping[int, Cells], *, width: int | None = None, rows: int = MAX_ROWS
) -> str:
    """Draw a table, with other texts for the values of some columns.

    Input: `shown`: the texts, by the place of the column; `width` and `rows`: as of `render`.
    """
    if not shown or not table.num_rows:
        return render(table, "box", width=width, rows=rows)
    types = _cells(render(table.slice(0, 0), "box").splitlines()[_TYPES])
    drawn = table
    for place, texts in shown.items():
        name = table.column_names[place]
        least = max(text_width(name), len(types[place]), len(_TEXT))
        drawn = drawn.set_column(place, name, texts_of(_aligned(texts, least)))
    lines = render(drawn, "box", width=width, rows=rows).splitlines()
    lines[_TYPES] = _with_types(lines[_NAMES], lines[_TYPES], table.column_names, types, shown)
    return "\n".join(lines) + "\n"


def _aligned(texts: Cells, least: int) -> list[str | None]:
    """Texts with their ends in one column, at least so wide."""
    width = max([least, *(text_width(text) for text in texts if text is not None)])
    return [None if text is None else " " * (width - text_width(text)) + text for text in texts]


def _with_types(
    names: str, line: str, columns: Sequence[str], types: Sequence[str], shown: Mapping[int, object]
) -> str:
    """The line of types, with those of the table. A box that is too wide leaves columns out in its middle."""
    there, cells = _cells(names), line.split(_EDGE)
    whole = len(there) == len(columns)
    for place in shown:
        at = place if whole else there.index(columns[place]) if columns[place] in there else None
        if at is not None:
            cells[at + 1] = types[place].center(text_width(cells[at + 1]))
    return _EDGE.join(cells)


def _cells(line: str) -> list[str]:
    """The texts between the edges of a line of a box."""
    return [cell.strip() for cell in line.split(_EDGE)[1:-1]]
