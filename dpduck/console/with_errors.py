"""The rows of an answer as people are shown them, wherever that is: each released number with its error.

The data that programs read have all digits of a number; here are those that its noise leaves known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from dpduck.console.boxes import Cells, box_of
from dpduck.console.plus_minus import plus_error, plus_minus
from dpduck.console.tables import cells_of
from dpduck.query.plan.model import Ends


@dataclass(frozen=True)
class NumbersWithErrors:
    """The rows of an answer, and how far off each released number may be.

    `whole`: the `width` columns of the answer, and after them those of the ends that it does not show itself;
    `ends`: the columns that have an interval; `errors`: what others stay within, by name.
    """

    whole: pa.Table
    width: int
    ends: Sequence[Ends] = ()
    errors: Mapping[str, float] | None = None

    @property
    def table(self) -> pa.Table:
        """The answer alone."""
        return self.whole.select(list(range(self.width)))

    def texts(self, start: int, size: int) -> dict[int, Cells]:
        """Some rows of the columns that have an error, as text with it, by the place of the column."""
        errors, intervals = self.errors or {}, {one.place: one for one in self.ends}
        names = self.whole.column_names[: self.width]
        places = [place for place, name in enumerate(names) if place in intervals or name in errors]
        part = self.whole.slice(start, size)
        return {place: _with_errors(part, place, intervals.get(place), errors) for place in places}

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


def _with_errors(part: pa.Table, place: int, ends: Ends | None, errors: Mapping[str, float]) -> Cells:
    """The numbers of one column as text, each with its error; NULL stays NULL."""
    error = errors.get(part.column_names[place])
    if ends is not None:
        rows = cells_of(part.select([place, ends.low, ends.high]))
        return [text and plus_minus(text, low, high, error) for text, low, high in rows]
    assert error is not None
    return [text and plus_error(text, error) for (text,) in cells_of(part.select([place]))]
