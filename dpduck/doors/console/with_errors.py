"""The rows of an answer as people are shown them, wherever that is: each released number with its error.

The data that programs read have all digits of a number; here are those that its noise leaves known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from dpduck.doors.console.boxes import Cells, box_of
from dpduck.doors.console.plus_minus import plus_error, plus_minus
from dpduck.doors.console.tables import cells_of


@dataclass(frozen=True)
class NumbersWithErrors:
    """The rows of an answer, and how far off each released number may be.

    `whole`: the `width` columns of the answer, and after them those of the ends that it does not show itself;
    `ends`: the places of both ends, by that of the number; `errors`: what others stay within, by name;
    `open_ends`: as of `answers.intervals.open_ends`.
    """

    whole: pa.Table
    width: int
    ends: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    errors: Mapping[str, float] = field(default_factory=dict)
    open_ends: Mapping[str, str] = field(default_factory=dict)

    @property
    def table(self) -> pa.Table:
        """The answer alone."""
        return self.whole.select(list(range(self.width)))

    def texts(self, start: int, size: int) -> dict[int, Cells]:
        """Some rows of the columns that have an error, as text with it, by the place of the column."""
        names, part = self.whole.column_names[: self.width], self.whole.slice(start, size)
        return {
            place: _with_errors(
                part, place, self.ends.get(place), self.errors.get(name), self.open_ends.get(name, "")
            )
            for place, name in enumerate(names)
            if place in self.ends or name in self.errors
        }

    def box(self, width: int | None, rows: int) -> str:
        """Draw it. Of the rows that a box leaves out in its middle no error is computed."""
        size = self.whole.num_rows
        if size <= rows:
            shown = self.texts(0, size)
        else:
            half = rows // 2 + 1
            first, last = self.texts(0, half), self.texts(size - half, half)
            between = [""] * (size - 2 * half)
            shown = {place: [*first[place], *between, *last[place]] for place in first}
        return box_of(self.table, shown, width=width, rows=rows)


def _with_errors(
    part: pa.Table, place: int, ends: tuple[int, int] | None, error: float | None, more: str
) -> Cells:
    """The numbers of one column as text, each with its error; NULL stays NULL."""
    rows = cells_of(part.select([place, *(ends or ())]))
    return [text and _with_error(text, both, error, f", {more}" if more else "") for text, *both in rows]


def _with_error(text: str, ends: Sequence[str | None], error: float | None, more: str) -> str:
    if any(end is not None for end in ends):
        low, high = ends
        return plus_minus(text, low, high, error)
    said = text if error is None else plus_error(text, error)
    return said if said == text else f"{said}{more}"
