"""Statements about the connection: transactions, settings, views of the session, what is prepared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pyarrow as pa

from dpduck.answers.settings import columns_of
from dpduck.compiler.parse.postgres import PostgresReading, TemporaryView
from dpduck.doors.gateway import commands as c
from dpduck.doors.gateway.portals import PreparedObjects
from dpduck.doors.gateway.protocol import replies
from dpduck.doors.gateway.router import Queries, RowStream
from dpduck.doors.gateway.temporary_views import check_view, quoted
from dpduck.doors.gateway.transaction_settings import TransactionSettings
from dpduck.doors.gateway.variables import Variables
from dpduck.kernel.errors import UnknownNameError
from dpduck.kernel.plan.model import Output

_TEXT = "VARCHAR"


class SessionCommands:
    """Executes the statements about one connection. `status`: of the transaction, I: none, T: in one, E: in
    a failed one.
    """

    def __init__(self, queries: Queries, variables: Variables, prepared: PreparedObjects) -> None:
        self.status = "I"
        self._queries = queries
        self._variables = variables
        self._prepared = prepared
        self._settings = TransactionSettings(queries.service.settings, variables)

    def fail(self) -> None:
        """Let a transaction fail, if there is one."""
        if self.status == "T":
            self.status = "E"

    def run(self, command: c.ConnectionCommand) -> Iterator[bytes]:
        """Execute a statement; yields the replies. Errors: any DpduckError."""
        match command:
            case c.Begin():
                self.status = "T"
                self._settings.begin()
            case c.Commit():
                undone = command.rolls_back or self.status == "E"
                command = replace(command, tag="ROLLBACK" if undone else "COMMIT")
                yield from self._end(undone=undone, chains=command.chains)
            case c.Savepoint():
                yield from self._mark(command)
            case c.SetParameter():
                yield from self._set(command)
            case c.CloseCursor() | c.Deallocate():
                self._forget(command)
            case c.DropView():
                self._drop_view(command)
            case c.Discard():
                yield from self._discard(command)
        yield replies.complete(command.tag)

    def _end(self, *, undone: bool, chains: bool) -> Iterator[bytes]:
        """End a transaction, if there is one, and begin the next one if it chains."""
        if chains:
            self._settings.check_open("AND CHAIN")
        self.status = "T" if chains else "I"
        self._prepared.drop_portals(held=False)
        with self._changing() as changed:
            self._settings.end(undone=undone)
        if chains:
            self._settings.begin()
        yield replies.parameters(changed)

    def _mark(self, command: c.Savepoint) -> Iterator[bytes]:
        """Settings are undone to a savepoint; no query is, as each is independent of all others."""
        if command.goes_back:
            with self._changing() as changed:
                self._settings.go_back(command.name)
            self.status = "T"
            yield replies.parameters(changed)
        elif command.releases:
            self._settings.release(command.name)
        else:
            self._settings.save(command.name)

    @contextmanager
    def _changing(self) -> Iterator[dict[str, str]]:
        """Let settings change. Output: those to report to the client, once the block ends."""
        changed: dict[str, str] = {}
        before = self._reported()
        yield changed
        self._reread(self._reading.views)
        changed |= {name: value for name, value in self._reported().items() if before[name] != value}

    def _reported(self) -> dict[str, str]:
        return self._variables.reported | self._queries.service.settings.all_shown()

    def _set(self, command: c.SetParameter) -> Iterator[bytes]:
        """Set one. What a transaction is to end is set in none: then it is checked, and has no effect."""
        if command.is_local and not self._settings.are_local:
            self._settings.begin()
            try:
                for _ in self._assign(command):
                    pass
            finally:
                self._settings.end(undone=True)
                self._reread(self._reading.views)
            yield from self._warning("SET LOCAL can only be used in transaction blocks", "25P01")
            return
        with self._settings.changing():
            replied = list(self._assign(command))
            if not command.is_local:
                self._settings.keep(command.name)
        if not command.name.startswith("dp_"):
            self._reread(self._reading.views)
        yield from replied

    def _assign(self, command: c.SetParameter) -> Iterator[bytes]:
        remarks: tuple[str, ...] = ()
        settings = self._queries.service.settings
        if not command.name.startswith("dp_"):
            told, said = self._variables.set(command.name, command.value)
            remarks = () if said is None else (said,)
        elif not command.value:  # what is not set is reported as empty, and a pool sets what was reported
            remarks = self._queries.service.reset(command.name)
            told = {command.name: settings.shown(command.name)}
        else:
            remarks = self._queries.service.set(command.name, command.value)
            told = {command.name: settings.shown(command.name)}
        yield replies.parameters(told)
        for remark in remarks:
            yield from self._warning(remark, "01000")

    def _warning(self, text: str, sqlstate: str) -> Iterator[bytes]:
        """A warning, unless the client wants none."""
        if self._variables.shows("WARNING"):
            yield replies.notice(text, severity="WARNING", sqlstate=sqlstate)

    def shown(self, name: str) -> RowStream:
        """The answer of SHOW. Errors: UnknownNameError."""
        settings, columns = self._queries.service.settings, shown_columns(name)
        if name == "all":
            others = [(key, value, "") for key, value in self._variables.all.items()]
            rows = sorted([*others, *settings.rows_of(name)])
        else:
            rows = settings.rows_of(name) if name.startswith("dp_") else [(self._variables.get(name),)]
        values = [pa.array(column, pa.string()) for column in zip(*rows, strict=True)]
        return RowStream(columns, [pa.record_batch(values, names=[column.name for column in columns])])

    @property
    def _reading(self) -> PostgresReading:
        return self._queries.service.settings.reading or PostgresReading()

    def _reread(self, views: Sequence[TemporaryView]) -> None:
        """Read queries by the present search path, and with these views."""
        reading = replace(self._reading, schemas=self._variables.schemas, views=tuple(views))
        self._queries.service.settings.reading = reading

    def create_view(self, command: c.CreateView) -> None:
        """Create a view of the session; its query is planned, and charged where a query reads the view.

        Errors: TooManyError, RelationExistsError, those of planning the query.
        """
        reading = self._reading
        check_view(command, reading, self._queries.service.catalog())
        view, before = TemporaryView(command.name, command.sql, command.columns), reading.views
        self._reread((*reading.others(command.name), view))
        planned = False
        try:
            self._queries.columns(f"SELECT * FROM {quoted(command.name)} LIMIT 0", ())
            planned = True
        finally:
            if not planned:
                self._reread(before)

    def _drop_view(self, command: c.DropView) -> None:
        reading = self._reading
        if not reading.has_view(command.name) and not command.if_exists:
            raise UnknownNameError(
                f"the session has no view {command.name[:60]}",
                hint="Views of the data's owner are dropped by the owner.",
            )
        self._reread(reading.others(command.name))

    def _forget(self, command: c.CloseCursor | c.Deallocate) -> None:
        match command:
            case c.CloseCursor(name=None):
                self._prepared.drop_portals()
            case c.CloseCursor(name=str(name)):
                self._prepared.portal(name)
                self._prepared.drop_portal(name)
            case c.Deallocate(name=None):
                self._prepared.drop_statements()
            case c.Deallocate(name=str(name)):
                self._prepared.statement(name)
                self._prepared.drop_statement(name)

    def _discard(self, command: c.Discard) -> Iterator[bytes]:
        with self._settings.changing():
            self._queries.service.reset("all")
            told = self._variables.reset()
            self._settings.keep()
        if command.tag != "RESET":
            self._prepared.drop_statements()
            self._prepared.drop_portals()
        self._reread(self._reading.views if command.tag == "RESET" else ())
        yield replies.parameters(told | self._queries.service.settings.all_shown())


def shown_columns(name: str) -> tuple[Output, ...]:
    """The columns of SHOW."""
    return tuple(Output(each, _TEXT) for each in columns_of(name))
