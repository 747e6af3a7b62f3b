"""What answers, plans and reports show of themselves in notebooks and terminals.

It costs nothing and moves nothing: released rows are read once more, by a cursor of their own, and what the
ledger says of budgets. Where that fails, as on a closed connection, nothing is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import pyarrow as pa

from dpduck.console.plus_minus import plus_error, plus_minus
from dpduck.console.reports import budget_lines, ledger_lines
from dpduck.console.tables import MAX_ROWS, cells_of, is_number, render, screen_width
from dpduck.engines.cancellation import Interrupted
from dpduck.errors import DpduckError, is_charged
from dpduck.page.answers import AnswerTable, answer_html, budgets_html, plan_html, table_html
from dpduck.runtime.explain import Explanation
from dpduck.runtime.intervals import ends_of, errors_of, with_intervals
from dpduck.runtime.results import Result, ResultRows
from dpduck.runtime.service import Service

_FAILURES = (DpduckError, duckdb.Error, Interrupted)
_STATUS = ["status"]  # the columns of what a statement without an answer returns


@dataclass(frozen=True)
class ShownAnswer:
    """The last answer of a cursor: what it has, and what was said of it."""

    result: Result | None
    rows: ResultRows | None
    service: Service
    notices: Sequence[str]
    charged: str

    def text(self) -> str | None:
        """The first rows as the shell draws them, the cost and the notices; None if there is no answer."""
        try:
            table = None if self.result is None else self.result.head(MAX_ROWS + 1)
        except _FAILURES:
            return None
        if table is None:
            return None
        if self._is_status(table):
            return "\n".join(self.notices) or "done"
        more = table.num_rows > MAX_ROWS
        drawn = render(table.slice(0, MAX_ROWS), "box", width=screen_width())
        after = [f"the first {MAX_ROWS} rows"] if more else []
        return drawn + "\n".join([*after, self._cost(), *self.notices])

    def html(self) -> str | None:
        """The first rows with their errors, the cost, what remains, and the notices; None for no answer."""
        try:
            cells = self._cells()
            if cells is None:
                return None
            budgets = self._budgets()
        except _FAILURES:
            return None
        if list(cells.names) == _STATUS and not cells.rows:
            return None
        return answer_html(cells, self._cost(), budgets, self.notices)

    @staticmethod
    def _is_status(table: pa.Table) -> bool:
        return table.column_names == _STATUS and not table.num_rows

    def _cost(self) -> str:
        if self.rows is None or self.rows.plan is None:
            return "Free: no private row was read."
        if is_charged(self.charged):
            return f"Epsilon {self.charged} was charged."
        return "Free: answered before." if self.rows.replayed else "Nothing was charged."

    def _cells(self) -> AnswerTable | None:
        """The first rows as text, with the error beside each released number."""
        if self.result is None:
            return None
        ends = ends_of(self.rows)
        if ends:
            service = self.service
            table = with_intervals(self.rows, service.scratch, service.interrupts, MAX_ROWS + 1)
        else:
            table = self.result.head(MAX_ROWS + 1)
        more, table = table.num_rows > MAX_ROWS, table.slice(0, MAX_ROWS)
        width = table.num_columns - 2 * len(ends)
        texts = cells_of(table)
        names = table.column_names
        columns = [[row[place] for row in texts] for place in range(width)]
        errors = errors_of(self.rows)
        for place in range(width):
            columns[place] = _with_errors(
                columns[place], _beside(names[place], table, ends), errors.get(names[place])
            )
        numbers = frozenset(i for i in range(width) if is_number(table.schema.field(i).type))
        return AnswerTable(names[:width], list(zip(*columns, strict=True)), numbers, more)

    def _budgets(self) -> list[Mapping[str, Any]]:
        """The capped accounts that the answer is charged to."""
        plan = None if self.rows is None else self.rows.plan
        if plan is None:
            return []
        rows = self.service.budgets_of(plan).to_pylist()
        return [row for row in rows if row["epsilon_limit"] is not None]


def _beside(name: str, table: pa.Table, ends: Sequence[str]) -> list[tuple[object, object]] | None:
    """The ends of the interval of a column in each row; None if it has none."""
    if name not in ends:
        return None
    place = table.num_columns - 2 * (len(ends) - ends.index(name))
    lows, highs = (table.column(index).to_pylist() for index in (place, place + 1))
    return list(zip(lows, highs, strict=True))


def _with_errors(
    texts: list[str | None], intervals: list[tuple[object, object]] | None, error: float | None
) -> list[str | None]:
    if intervals is not None:
        pairs = zip(texts, intervals, strict=True)
        return [None if text is None else plus_minus(text, *interval) for text, interval in pairs]
    if error is not None:
        return [None if text is None else plus_error(text, error) for text in texts]
    return texts


class ShownExplanation(Explanation):
    """A plan that shows itself in Jupyter; its fields and its text are those of an `Explanation`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return plan_html(self)


class ShownTable:
    """An Arrow table that shows itself: all that `pyarrow.Table` has, and `_repr_html_`.

    Functions of Arrow written in C take `table.arrow()`, or `pyarrow.table(table)`.
    """

    def __init__(self, table: pa.Table, text: Callable[[], str], html: Callable[[], str]) -> None:
        self._table, self._text, self._html = table, text, html

    @classmethod
    def of_budgets(cls, table: pa.Table) -> ShownTable:
        """Budgets, which are bars."""
        return cls(
            table, lambda: budget_lines(table, screen_width()), lambda: budgets_html(table.to_pylist())
        )

    @classmethod
    def of_charges(cls, table: pa.Table) -> ShownTable:
        """Charges, one line each."""

        def html() -> str:
            last = table.slice(max(table.num_rows - MAX_ROWS, 0))
            kinds = [field.type for field in table.schema]
            numbers = frozenset(i for i, kind in enumerate(kinds) if is_number(kind))
            cells = AnswerTable(table.column_names, cells_of(last), numbers)
            return table_html(
                cells,
                f"The last of {table.num_rows:,} charges" if last.num_rows < table.num_rows else "Charges",
            )

        return cls(table, lambda: ledger_lines(table, screen_width()), html)

    def arrow(self) -> pa.Table:
        """The Arrow table itself."""
        return self._table

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """That of the table, so that libraries which ask for an Arrow table take it."""
        return pa.Table

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def __len__(self) -> int:
        return len(self._table)

    def __getitem__(self, key: Any) -> Any:
        return self._table[key]

    def __eq__(self, other: object) -> bool:
        return bool(self._table == (other._table if type(other) is ShownTable else other))

    __hash__ = None  # type: ignore[assignment]

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def __reduce__(self) -> Any:
        return self._table.__reduce__()

    def __repr__(self) -> str:
        return self._text().rstrip("\n")

    def _repr_html_(self) -> str:
        return self._html()
