"""What answers, plans and reports show of themselves in notebooks and terminals.

It costs nothing and moves nothing: released rows are read once more, by a cursor of their own, and what the
ledger says of budgets. Where that fails, as on a closed connection, nothing is shown.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import duckdb
import pyarrow as pa

from dpduck.answers.explain import Explanation
from dpduck.answers.intervals import errors_of_totals, shown_with_errors, with_intervals
from dpduck.answers.results import Result, ResultRows
from dpduck.answers.service import Service
from dpduck.doors.console.boxes import box_of
from dpduck.doors.console.reports import budget_lines, ledger_lines
from dpduck.doors.console.tables import MAX_ROWS, cells_of, is_number, screen_width
from dpduck.doors.console.with_errors import NumbersWithErrors
from dpduck.doors.page.answers import AnswerTable, answer_html, budgets_html, plan_html, table_html
from dpduck.kernel.errors import DpduckError, is_charged
from dpduck.kernel.errors.notices import Brief

_FAILURES = (DpduckError, duckdb.Error)
_ALL_NOTICES = ".notices"  # of the cursor or connection
_STATUS = ["status"]  # the columns of what a statement without an answer returns
_EXPLAIN = ["explain"]  # and of a plan, whose lines are wider than any box


@dataclass(frozen=True)
class ShownAnswer:
    """The last answer of a cursor: what it has, and what was said of it."""

    result: Result | None
    rows: ResultRows | None
    service: Service
    notices: Brief
    charged: str

    def text(self) -> str | None:
        """The first rows as the shell draws them, the cost and the notices; None if there is no answer."""
        try:
            whole = None if self.result is None else self.numbers(MAX_ROWS + 1)
        except _FAILURES:
            return None
        if whole is None:
            return None
        if self._is_status(whole.table):
            return "\n".join(self.notices.whole) or "done"
        if self._is_plan(whole.table):
            return "\n".join(whole.table.column(0).to_pylist())
        table = whole.table.slice(0, MAX_ROWS)
        drawn = box_of(table, whole.texts(0, MAX_ROWS), width=screen_width())
        after = [f"the first {MAX_ROWS} rows"] if whole.table.num_rows > MAX_ROWS else []
        said = self.notices.pointing_to(_ALL_NOTICES)
        return drawn + "\n".join([*after, *errors_of_totals(self.rows), self._cost(), *said])

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
        lines = [*errors_of_totals(self.rows), *self.notices.lines]
        return answer_html(cells, self._cost(), budgets, lines, self.notices.more)

    @staticmethod
    def _is_status(table: pa.Table) -> bool:
        return table.column_names == _STATUS and not table.num_rows

    def _is_plan(self, table: pa.Table) -> bool:
        return table.column_names == _EXPLAIN and (self.rows is None or self.rows.plan is None)

    def _cost(self) -> str:
        if self.rows is None or self.rows.plan is None:
            return "Free: no private row was read."
        if is_charged(self.charged):
            return f"Epsilon {self.charged} was charged."
        return "Free: paid for before." if self.rows.replayed else "Nothing was charged."

    def _cells(self) -> AnswerTable | None:
        """The first rows as text, with the error beside each released number."""
        if self.result is None:
            return None
        whole = self.numbers(MAX_ROWS + 1)
        more, table = whole.table.num_rows > MAX_ROWS, whole.table.slice(0, MAX_ROWS)
        columns = [list(column) for column in zip(*cells_of(table), strict=True)] or [
            [] for _ in table.column_names
        ]
        for place, texts in whole.texts(0, MAX_ROWS).items():
            columns[place] = list(texts)
        numbers = frozenset(i for i, one in enumerate(table.schema) if is_number(one))
        return AnswerTable(table.column_names, list(zip(*columns, strict=True)), numbers, more)

    def numbers(self, most: int | None = None) -> NumbersWithErrors:
        """The answer with how far off its numbers are: at most how many rows (None: all)."""
        result, service = self.result, self.service
        assert result is not None
        return NumbersWithErrors(
            *shown_with_errors(
                self.rows,
                len(result.description),
                lambda: with_intervals(self.rows, service.scratch, service.interrupts, most, shown=True),
                lambda: result.shown(most),
            )
        )

    def box(self, width: int | None, rows: int) -> str:
        """All rows as the command line draws them: of many, the first and the last ones."""
        if self.result is None:
            return ""
        whole = self.numbers()
        if self._is_plan(whole.table):
            return "".join(f"{line}\n" for line in whole.table.column(0).to_pylist())
        return whole.box(width, rows) + "".join(f"{line}\n" for line in errors_of_totals(self.rows))

    def _budgets(self) -> list[Mapping[str, Any]]:
        """The capped accounts that the answer is charged to."""
        plan = None if self.rows is None else self.rows.plan
        if plan is None:
            return []
        rows = self.service.budgets_of(plan).to_pylist()
        return [row for row in rows if row["epsilon_limit"] is not None]


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
            numbers = frozenset(i for i, field in enumerate(table.schema) if is_number(field))
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
