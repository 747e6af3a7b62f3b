"""dpduck as a Python connection: ordinary SQL in, private answers out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import duckdb
import pyarrow as pa

from dpduck.accounting.amounts import Number, parse_budget
from dpduck.catalog.statements import PolicyStatement
from dpduck.engines.duckdb.database import Database
from dpduck.engines.duckdb.path import DataPath
from dpduck.engines.source import Source, open_source
from dpduck.engines.spark.connect import open_spark
from dpduck.engines.spark.engine import is_spark
from dpduck.errors import DpduckError, ParameterError
from dpduck.errors.advice import Audience, Hint, text_for
from dpduck.ledger import Ledger, check_place
from dpduck.ledger.session import Session, new_session_name
from dpduck.query.parse.statements import Parameters
from dpduck.runtime.arguments import optional_path, optional_text, path_of, text_of, wrong_kind
from dpduck.runtime.explain import Explanation
from dpduck.runtime.ledger_location import close_beside, open_beside
from dpduck.runtime.results import PublicRows, Result, ResultRows
from dpduck.runtime.service import Service
from dpduck.runtime.settings import Settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def connect(
    database: str | Path | duckdb.DuckDBPyConnection | SparkSession,
    analyst: str | None = None,
    epsilon: Number | None = None,
    delta: Number | None = None,
    budget: Number | None = None,
    ledger: str | Path | None = None,
    *,
    anchor: str | Path | None = None,
    session: str | None = None,
    policies: Iterable[PolicyStatement] = (),
    memory: str | None = None,
    policies_in: str | Path | None = None,
) -> Connection:
    """Open a database for private queries.

    Input: a DuckDB, Parquet or CSV file, a folder or a glob of Parquet or CSV files, a DuckDB connection or a
        SparkSession (which stay the caller's, with their settings), or the address of Spark, such as
        spark://host:7077 (see docs/ENGINES.md). Without an `analyst` the caller is the data owner and may set
        policies; a named analyst opens the file read-only. `epsilon` and `delta` are spent by each query
        unless it says otherwise; `budget` caps this session in epsilon; `ledger` is a path, or a
        postgresql:// URL (default: `<file>.ledger`, of many files beside their folder; in memory for a
        database in memory), and `anchor` where its head is written down (default: beside the ledger's file).
        `session` names the session (default: a new random name); `policies` hold for this connection only;
        `memory` is the most that DuckDB may take, such as "4GB" (default: 80 % of the machine's);
        `policies_in` is the DuckDB file where the policies of Spark's tables are kept (default: in memory).
    Errors: ParameterError, UnknownNameError, PolicyError, LedgerError. Nothing is charged.
    """
    settings = Settings.parse(epsilon, delta)
    cap = None if budget is None else parse_budget(budget)
    analyst, memory = optional_text(analyst, "analyst"), optional_text(memory, "memory")
    if analyst is not None and not analyst.strip():
        raise ParameterError(
            "the name of the analyst is empty",
            detail="A named analyst has a budget; without one the caller is the data owner.",
            hint="Name the analyst, or leave it out.",
        )
    session, anchor = optional_text(session, "session"), optional_path(anchor, "anchor")
    ledger, policies_in = optional_path(ledger, "ledger"), optional_path(policies_in, "policies_in")
    if ledger is not None:
        check_place(ledger)
    policies = _statements(policies)
    if is_spark(database):
        source = open_spark(
            database, policies_in=policies_in, read_only=analyst is not None, policies=policies
        )
        location = ledger
    elif isinstance(database, duckdb.DuckDBPyConnection):
        source, location = Source(database.cursor(), tuple(policies)), ledger
    else:
        path = DataPath(path_of(database, "database"))
        source = open_source(path, read_only=analyst is not None, policies=policies, memory=memory)
        location = path.ledger if ledger is None else ledger
    opened = open_beside(source.connection, location, anchor)
    current = Session(opened, session or new_session_name(), analyst)
    current.set_budget(cap)
    return Connection(source.connection, Service(source, current, settings), ledger=opened)


def _statements(policies: Iterable[PolicyStatement]) -> tuple[PolicyStatement, ...]:
    """Errors: ParameterError."""
    if not isinstance(policies, Iterable):
        raise wrong_kind(policies, "policies", "a list of statements")
    given = tuple(policies)
    for statement in given:
        if not isinstance(statement, PolicyStatement):
            raise wrong_kind(statement, "each of policies", "a statement")
    return given


class Connection:
    """A session of private queries, used as a DuckDB Python connection is used.

    `charged`: the exact epsilon, as text, that the last statement was charged. `notices`: what there was to
    say of it, such as that its answer was given before; before the first one, what the owner should know.
    """

    def __init__(self, data: Database, service: Service, *, ledger: Ledger | None = None) -> None:
        self._data = data
        self._service = service
        self._ledger = ledger  # that `close` closes; None if it belongs to the caller
        self._result: Result | None = None
        self.charged = "0"
        self._notices: tuple[Hint | str, ...] = service.open()

    def execute(self, sql: str, params: Parameters = None) -> Self:
        """Run one statement: SELECT, EXPLAIN, SET, SHOW, or for the owner one or more policy statements.

        Several policy statements take effect as a whole or not at all.
        A SELECT is charged before any private row is read.
        Errors: any DpduckError; its `charged` says what was charged.
        """
        self._close_result()
        self.charged, self._notices = "0", ()
        try:
            rows = self._service.run(text_of(sql, "the statement"), params)
        except DpduckError as error:
            self.charged = error.charged
            raise
        self.charged = rows.charged if isinstance(rows, ResultRows) else "0"
        self._notices = rows.notices
        interrupts = self._service.interrupts
        if isinstance(rows, PublicRows):
            open_public = partial(self._service.open_public, rows.sql)
            self._result = Result(rows.sql, open_public, interrupts=interrupts)
        else:
            self._result = Result.of_rows(rows, self._service.scratch, interrupts)
        return self

    def explain(self, sql: str, params: Parameters = None) -> Explanation:
        """What a query would do, cost and be worth. Charges nothing and reads no private row."""
        return self._service.explain(text_of(sql, "the query"), params)

    @property
    def notices(self) -> list[str]:
        """What there was to say of the last statement."""
        return self.notices_for(Audience.SQL)

    def notices_for(self, audience: Audience) -> list[str]:
        """The notices in the words of an audience."""
        return [text_for(notice, audience) for notice in self._notices]

    @property
    def description(self) -> list[tuple[Any, ...]]:
        """Names and types of the last result's columns, as in the DB-API."""
        return self._last().description

    def fetchall(self) -> list[tuple[Any, ...]]:
        """The rows that were not fetched yet."""
        return self._last().fetchall()

    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row, or None."""
        return self._last().fetchone()

    def df(self) -> Any:
        """The last result as a pandas DataFrame (needs pandas)."""
        return self._last().df()

    def arrow(self) -> pa.Table:
        """The last result as an Arrow table."""
        return self._last().arrow()

    def budget(self) -> pa.Table:
        """What may be spent, one row per account: this session's, or all for the owner."""
        return self._service.session.budgets(self._service.accounts())

    def ledger(self) -> pa.Table:
        """The charges made, one row each: the analyst's own, or all for the owner."""
        return self._service.session.entries()

    def close(self) -> None:
        """Close the connection. What was charged is on record already."""
        self._close_result()
        self._service.close()
        self._data.close()
        if self._ledger is not None:
            close_beside(self._ledger)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _last(self) -> Result:
        if self._result is None:
            raise ParameterError(
                "there is no result",
                detail="No statement has run, or the last one was refused.",
                hint="Call execute first.",
            )
        return self._result

    def _close_result(self) -> None:
        if self._result is not None:
            self._result.close()
            self._result = None
