"""The data that a server serves, and how it goes over from one version of them to the next.

A version is one database file, or set of files, with the policies that were loaded from it, and all that is
cached about the two. A connection reads one version at a time, and goes over to the current one between two
messages; what it had begun, such as a portal with rows left to send, ends with the version it began with. So
no statement meets the rows of one version and the policies of another, and nothing waits. An earlier version
is closed when no connection is at it any more.

The next version becomes current only if it can be opened, its policies are readable, and each table that had
a policy still has one that holds: a file that is damaged, has lost a column that a policy names, or has
policies that the ledger has no record of, is refused, and the current version stays.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

import duckdb

from dpduck.answers.service import PlanningWorkspace
from dpduck.doors.gateway.pg_catalog import PublicCatalog, comments_of
from dpduck.doors.gateway.pg_catalog.objects import Comments
from dpduck.doors.gateway.query_cache import QueryCache
from dpduck.engines.duckdb.data_version import FileState
from dpduck.engines.duckdb.hardening import cursor_of
from dpduck.engines.source import Source
from dpduck.kernel.catalog.model import Catalog, Table, fold
from dpduck.kernel.errors import PolicyError
from dpduck.policies import load_catalog

_SYNTHETIC = "synthetic rows of a private summary: a model of its numbers, no data"


class ServedVersion:
    """One version of the data: the source, its public catalog, and caches. Safe for several threads.

    Input: `answers`: the database in which answers are computed from released rows; the version before, if
        there is one. Errors: PolicyError.
    """

    def __init__(
        self, source: Source, answers: duckdb.DuckDBPyConnection, before: ServedVersion | None = None
    ) -> None:
        self.source = source
        self.query_cache = QueryCache()
        self._answers = answers
        with cursor_of(source.connection) as cursor:
            [(name,)] = cursor.execute("SELECT current_database()").fetchall()
            comments = comments_of(cursor)
        shown = None if before is None else before.catalog
        self._named = policies_of(source), str(name), comments
        self.catalog: PublicCatalog = PublicCatalog.after(shown, *self._named)
        self._with_summaries: tuple[tuple[Table, ...], PublicCatalog] = (), self.catalog
        self._workspaces: dict[str | None, PlanningWorkspace] = {}
        self._lock = threading.Lock()
        self._users = 0
        self._retired = False

    def workspace(self, analyst: str | None) -> PlanningWorkspace:
        """What the sessions of an analyst, or of the data owner, share."""
        with self._lock:
            if analyst not in self._workspaces:
                self._workspaces[analyst] = PlanningWorkspace.of(self.source, analyst, self._answers)
            return self._workspaces[analyst]

    def showing(self, synthetic: tuple[Table, ...]) -> PublicCatalog:
        """The public catalog with tables of synthetic rows beside the others."""
        shown, found = self._with_summaries
        if shown != synthetic:
            tables, database, comments = self._named
            both = replace(tables, tables=(*tables.tables, *synthetic))
            said: Comments = {(*_place(one), None): _SYNTHETIC for one in synthetic}
            found = self.catalog if not synthetic else PublicCatalog(both, database, {**comments, **said})
            self._with_summaries = synthetic, found
        return found

    def enter(self) -> bool:
        """Count one more connection, unless the version is closed. Output: whether it was counted."""
        with self._lock:
            if self._retired and not self._users:
                return False
            self._users += 1
            return True

    def leave(self) -> None:
        """Count one connection less; the last one closes a retired version."""
        with self._lock:
            self._users -= 1
            closes = self._retired and not self._users
        if closes:
            self._close()

    def retire(self) -> None:
        """Close the version as soon as no connection is at it."""
        with self._lock:
            closes = not self._retired and not self._users
            self._retired = True
        if closes:
            self._close()

    def _close(self) -> None:
        """Open cursors keep their database until they are closed."""
        self.source.connection.close()


class ServedData:
    """The current version, which another one may replace. `answers`: for released rows only.

    Input: `open_source`: opens the data as they are now; `policies`: those of a source as they would apply by
        the ledger's record, of which nothing is changed; `answers`: as of `ServedVersion`; `accept`: called
        with a source before any query is answered from it, once it is sure to be served.
    Errors: those of the three.
    """

    def __init__(
        self,
        open_source: Callable[[], Source],
        policies: Callable[[Source], Catalog],
        answers: duckdb.DuckDBPyConnection,
        accept: Callable[[Source], None] = lambda _: None,
    ) -> None:
        self._open_source = open_source
        self._load = policies
        self._accept = accept
        self.answers = answers
        self._reloading = threading.Lock()
        self._read: list[FileState] = []  # of each version
        self._current, self._policies = self._opened(None, None)

    @property
    def source(self) -> Source:
        """The source of the current version."""
        return self._current.source

    def enter(self) -> ServedVersion:
        """The current version, for one connection more, which calls `leave`."""
        while True:
            version = self._current
            if version.enter():  # else it was replaced meanwhile
                return version

    def is_current(self, version: ServedVersion) -> bool:
        """Whether no later version has replaced it."""
        return version is self._current

    def reload(self) -> bool:
        """Make the file that is there now the current version. Output: whether it is another one.

        Errors: DpduckError; then nothing changes, nor does the record of policies.
        """
        with self._reloading:
            if not self._current.source.is_replaced:
                return False
            version, policies = self._opened(self._current, self._policies)
            replaced, self._current, self._policies = self._current, version, policies
        replaced.retire()
        return True

    def close(self) -> None:
        """Close the current version, when no connection is at it."""
        self._current.retire()

    def _opened(
        self, before: ServedVersion | None, policies_before: Catalog | None
    ) -> tuple[ServedVersion, Catalog]:
        source = self._open_source().told_from(self._read)
        with ExitStack() as refused:
            refused.callback(source.connection.close)
            policies = self._load(source)
            if policies_before is not None:
                _check_open(policies_before, policies)
            version = ServedVersion(source, self.answers, before)
            self._accept(source)
            refused.pop_all()
        if source.fixed is not None:
            self._read.append(source.fixed)
        return version, policies


def policies_of(source: Source) -> Catalog:
    """The tables and policies of a source, as they are stored there. Errors: PolicyError."""
    with cursor_of(source.connection) as cursor:
        return load_catalog(cursor, source.policies, left_out=source.left_out)


def _check_open(before: Catalog, after: Catalog) -> None:
    """Errors: PolicyError if a table that had a policy has none that holds."""
    tables = {_place(table): table for table in after.tables}
    for table in before.tables:
        if table.private or table.public:
            _check_still_open(table, tables.get(_place(table)))


def _check_still_open(before: Table, after: Table | None) -> None:
    reason: str | None = None
    if after is None:
        reason = f"table {before.name} is gone"
    elif after.misfit is not None:
        reason = f"of table {before.name}: {after.misfit.reason}"
    elif not (after.private or after.public):
        reason = f"table {before.name} has no policy"
    if reason is not None:
        raise PolicyError(
            "the new data are not served",
            detail=f"In them {reason}. What was served stays.",
            hint="Mend the file, and reload; or restart the server if this is meant.",
        )


def _place(table: Table) -> tuple[str, str]:
    return fold(table.schema), fold(table.name)
