"""A session of private queries, used as a DuckDB Python connection is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from dpduck.answers.ledger_location import close_beside
from dpduck.answers.service import Parameters, Service
from dpduck.doors.connection.cursor import Cursor
from dpduck.doors.connection.display import shown_budgets, shown_charges
from dpduck.doors.connection.door import door
from dpduck.doors.connection.protect import Domain, add_table
from dpduck.engines.duckdb.database import Database
from dpduck.kernel.ledger import Ledger


class Connection(Cursor):
    """A session of private queries, used as a DuckDB Python connection is used.

    It is a cursor of itself; `cursor` opens others, which share its session and its budget.
    `charged`: the exact epsilon, as text, that the last statement was charged. `notices`: what there was to
    say of it, such as that its answer was given before; before the first one, what the owner should know.
    """

    def __init__(
        self,
        data: Database,
        service: Service,
        *,
        ledger: Ledger | None = None,
        remarks: Sequence[str] = (),
    ) -> None:
        """Input: `remarks`: what is said with the first answer too, where nobody looks before."""
        super().__init__(service)
        self._remarks = tuple(remarks)
        self._data = data
        self._ledger = ledger  # that `close` closes; None if it belongs to the caller
        self._notices = service.open()

    @property
    def connection(self) -> Connection:
        """This connection."""
        return self

    def take_remarks(self) -> tuple[str, ...]:
        """What is said with the first answer; nothing from then on."""
        taken, self._remarks = self._remarks, ()
        return taken

    def cursor(self) -> Cursor:
        """Another cursor of the same session, with answers of its own. Errors: ParameterError if closed."""
        self._check_open()
        return Cursor(self._service, self)

    @door
    def sql(self, query: str | Any, params: Parameters = None) -> Cursor:
        """Run a statement now, and return its answer, which later statements leave as it is.

        Unlike a relation of DuckDB it can be built upon only in Python: each statement is a charge.
        Input and errors: as of `execute`.
        """
        cursor = self.cursor().execute(query, params)
        self.charged, self._notices = cursor.charged, cursor._notices
        return cursor

    query = sql

    def __repr__(self) -> str:
        shown = self._shown().text()
        whose = self._service.session.analyst
        owner = "the data owner" if whose is None else f"analyst {whose!r}"
        return f"<dpduck Connection of {owner}: no answer yet>" if shown is None else shown

    @door
    def protect(
        self,
        name: str,
        data: Any,
        *,
        unit: str,
        domains: Mapping[str, Domain] | None = None,
        groups: int | None = None,
        rows: int | None = None,
        unique: bool = False,
        types: Mapping[str, str] | None = None,
    ) -> Connection:
        """Copy a DataFrame, an Arrow table or a DuckDB relation into the database, as a protected table.

        For the data owner alone. A table in a file stays there.
        Input: `name` of the table; the others as of `dpduck.protect`.
        Output: this connection, whose `notices` say what of the types was found in the rows.
        Errors: as of `dpduck.protect`; PolicyError if there is such a table. Then nothing has changed.
        """
        self._check_open()
        self._notices = add_table(
            self._service,
            self._data,
            name,
            data,
            unit,
            domains or {},
            groups,
            rows,
            unique=unique,
            types=types,
        )
        return self

    def commit(self) -> None:
        """Do nothing: a charge is on record before its answer is made, and no statement writes rows."""
        self._check_open()

    def rollback(self) -> None:
        """Do nothing, as there is nothing to take back: a charge is not refunded."""
        self._check_open()

    @door
    def budget(self) -> pa.Table:
        """What may be spent, one row per account: this session's, or all for the owner.

        Output: an Arrow table, which IPython and Jupyter show as bars.
        """
        self._check_open()
        return shown_budgets(self._service.session.budgets(self._service.accounts()))

    @door
    def ledger(self) -> pa.Table:
        """The charges made, one row each: the analyst's own, or all for the owner.

        Output: an Arrow table, which IPython and Jupyter show one line each.
        """
        self._check_open()
        return shown_charges(self._service.session.entries())

    def close(self) -> None:
        """Close the connection. What was charged is on record already."""
        if self._is_closed:
            return
        super().close()
        self._service.close()
        self._data.close()
        if self._ledger is not None:
            close_beside(self._ledger)
