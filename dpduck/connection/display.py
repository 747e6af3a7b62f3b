"""What answers, plans and reports show of themselves in notebooks and terminals.

It costs nothing and moves nothing: released rows are read once more, by a cursor of their own, and what the
ledger says of budgets. Where that fails, as on a closed connection, nothing is shown.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
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


# --- tables on budgets and charges -------------------------------------------------------------------------


_MARK = b"dpduck"  # in the metadata of a schema: what the table is of
_BUDGETS, _CHARGES = b"budgets", b"charges"


def shown_budgets(table: pa.Table) -> pa.Table:
    """The same table of budgets, which IPython shows as bars."""
    return _marked(table, _BUDGETS)


def shown_charges(table: pa.Table) -> pa.Table:
    """The same table of charges, which IPython shows one line each."""
    return _marked(table, _CHARGES)


def _marked(table: pa.Table, kind: bytes) -> pa.Table:
    """Mark a table, and let the shell of IPython, if this is one, know how such tables are shown."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if shell is not None:
        formatters = shell.display_formatter.formatters
        for name, show in (("text/html", html_of_table), ("text/plain", _print_table)):
            if pa.Table not in formatters[name].type_printers:  # which may be the user's own
                formatters[name].for_type(pa.Table, show)
    return table.replace_schema_metadata({_MARK: kind})


def html_of_table(table: pa.Table) -> str | None:
    """A table of budgets or charges as HTML; None for others."""
    match _kind_of(table):
        case b"budgets":
            return budgets_html(table.to_pylist())
        case b"charges":
            last = table.slice(max(table.num_rows - MAX_ROWS, 0))
            numbers = frozenset(i for i, field in enumerate(table.schema) if is_number(field.type))
            cells = AnswerTable(table.column_names, cells_of(last), numbers)
            some = f"The last of {table.num_rows:,} charges"
            return table_html(cells, some if last.num_rows < table.num_rows else "Charges")
    return None


def text_of_table(table: pa.Table) -> str:
    """A table of budgets or charges as the command line writes it; others as Arrow does."""
    match _kind_of(table):
        case b"budgets":
            return budget_lines(table, screen_width()).rstrip("\n")
        case b"charges":
            return ledger_lines(table, screen_width()).rstrip("\n")
    return str(table)


def _kind_of(table: pa.Table) -> bytes | None:
    return (table.schema.metadata or {}).get(_MARK)


def _print_table(table: pa.Table, printer: Any, is_cycle: bool) -> None:  # noqa: ARG001 (as IPython calls it)
    printer.text(text_of_table(table))
