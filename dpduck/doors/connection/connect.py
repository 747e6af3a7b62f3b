"""Opening a connection: to a database or files, or to a DataFrame that is protected at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from dpduck.answers.arguments import optional_path, optional_text, path_of, text_of, wrong_kind
from dpduck.answers.given_policies import policies_of_files
from dpduck.answers.ledger_location import open_beside
from dpduck.answers.service import Service
from dpduck.answers.settings import Settings
from dpduck.doors.connection.connection import Connection
from dpduck.doors.connection.door import door
from dpduck.doors.connection.protect import Domain, statements_of
from dpduck.engines.duckdb.path import DataPath
from dpduck.engines.source import Source, open_in_memory, open_source
from dpduck.engines.spark.connect import open_spark
from dpduck.engines.spark.engine import is_spark
from dpduck.kernel.accounting.amounts import Number, parse_budget
from dpduck.kernel.catalog.csv_format import CsvWords
from dpduck.kernel.catalog.statements import PolicyStatement, TableName
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.errors.advice import AlterTable, Hint
from dpduck.kernel.ledger import Room, check_place
from dpduck.kernel.ledger.session import Session, new_session_name

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@door
def connect(
    database: str | Path | duckdb.DuckDBPyConnection | SparkSession,
    *,
    analyst: str | None = None,
    epsilon: Number | None = None,
    delta: Number | None = None,
    budget: Number | None = None,
    ledger: str | Path | None = None,
    anchor: str | Path | None = None,
    session: str | None = None,
    unit: str | None = None,
    domains: Mapping[str, Domain] | None = None,
    groups: int | None = None,
    rows: int | None = None,
    policies: Iterable[PolicyStatement] = (),
    types: Mapping[str, str] | None = None,
    formats: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    quote: str | None = None,
    null: str | Sequence[str] | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    skip: int | None = None,
    memory: str | None = None,
    policies_in: str | Path | None = None,
    ledger_room: str | None = None,
) -> Connection:
    """Open a database for private queries.

    Input: a DuckDB, Parquet or CSV file, a folder or a glob of Parquet or CSV files, a DuckDB connection or a
        SparkSession (which stay the caller's, with their settings), or the address of Spark, such as
        spark://host:7077 (see docs/ENGINES.md). Without an `analyst` the caller is the data owner and may set
        policies; a named analyst opens the file read-only. `epsilon` and `delta` are spent by each query
        unless it says otherwise; `budget` caps this session in epsilon; `ledger` is a path, or a
        postgresql:// URL (default: `<file>.ledger`, of many files beside their folder; in memory for a
        database in memory), and `anchor` where its head is written down (default: beside the ledger's file).
        `session` names the session (default: a new random name). `unit`, `domains`, `groups` and `rows`
        say what is private in a file that stores no policies, as of `protect`, and `policies` by statements;
        both hold for this connection, after those of a script beside the file, such as visits.policy.sql.
        `types` and `formats`, by column, and `delimiter`, `quote`, `null`, `decimal`, `thousands`,
        `encoding`, `header` and `skip` say how a CSV file is read; what is not said is proposed once, told in
        a notice, and recorded in that script (docs/FILES.md).
        `memory` is the most that DuckDB may take, such as "4GB" (default: 80 % of the machine's);
        `policies_in` is the DuckDB file where the policies of Spark's tables are kept (default: in memory).
        `ledger_room` is the most that answers and summaries may take in the ledger, such as "4GB", of which
        each analyst has a quarter (default: 1GB).
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
    size = optional_text(ledger_room, "ledger_room")
    room = None if size is None else Room.parse(size)
    session, anchor = optional_text(session, "session"), optional_path(anchor, "anchor")
    ledger, policies_in = optional_path(ledger, "ledger"), optional_path(policies_in, "policies_in")
    if ledger is not None:
        check_place(ledger)
    words = csv_words(
        types, formats, delimiter=delimiter, quote=quote, null=null, decimal=decimal, thousands=thousands,
        encoding=encoding, header=header, skip=skip,
    )  # fmt: skip
    policies, declared = _statements(policies), (unit, domains or None, groups, rows, words or None)
    if is_spark(database):
        _check_undeclared(*declared)
        source = open_spark(
            database, policies_in=policies_in, read_only=analyst is not None, policies=policies
        )
        location = ledger
    elif isinstance(database, duckdb.DuckDBPyConnection):
        _check_undeclared(*declared)
        source, location = Source(database.cursor(), tuple(policies)), ledger
    else:
        if hasattr(database, "__arrow_c_stream__"):
            raise wrong_kind(
                database, "database", "a path", hint="Write dpduck.protect(data, unit='id') for a DataFrame."
            )
        path = DataPath(path_of(database, "database"))
        if path.is_database:
            path.check()
            _check_undeclared(*declared)
        else:
            own = statements_of(TableName(path.table), unit, domains or {}, groups, rows)
            policies = (*own, *policies)
        policies = policies_of_files(path, policies, words, by_owner=analyst is None)
        source = open_source(path, read_only=analyst is not None, policies=policies, memory=memory)
        location = path.ledger if ledger is None else ledger
    opened = open_beside(source.connection, location, anchor, room)
    current = Session(opened, session or new_session_name(), analyst)
    current.set_budget(cap)
    service = Service(source, current, settings)
    return Connection(source.connection, service, ledger=opened, remarks=source.remarks)


@door
def protect(
    data: Any,
    *,
    unit: str,
    domains: Mapping[str, Domain] | None = None,
    groups: int | None = None,
    rows: int | None = None,
    unique: bool = False,
    types: Mapping[str, str] | None = None,
    name: str = "data",
    epsilon: Number | None = None,
    delta: Number | None = None,
    budget: Number | None = None,
    ledger: str | Path | None = None,
    session: str | None = None,
    memory: str | None = None,
) -> Connection:
    """Protect a DataFrame: connect to a database in memory that holds a copy of its rows, as one table.

    Input: `data`: a pandas or polars DataFrame, an Arrow table or a DuckDB relation; named levels of an
        index are columns. `unit`: the column that says whose rows these are; rows without a value there count
        for nobody. `domains`: what each column may be as everybody knows: `(low, high)`, `(low, high, step)`
        or a list of values, never those that are found in the data. `groups` and `rows`: in how many groups
        one unit may count, and with how many rows in each. `unique`: that each unit has one row, which
        DuckDB then enforces: without it a unit may have any number, and what it may change needs more noise,
        or a bound. `types`: DuckDB's types of columns, such as {"day": "DATE"}: a value that does not fit is
        NULL, for its row alone. Columns of Python objects have the type of their values without it, which
        then counts as public, and `notices` say so. `name`: of the table. `epsilon`, `delta`,
        `budget`, `ledger`, `session` and `memory`: as of `connect`; without `ledger` charges are kept in
        memory, and are forgotten with the process.
    Errors: ParameterError for data that are no table, or that have columns of the same name, or of objects
        of several kinds; PolicyError for a unit of floating point, and for one that occurs twice or is
        missing where it is said to be unique; UnknownNameError; LedgerError. None
        quotes a value, and nothing is charged.

    >>> import pyarrow as pa
    >>> visits = pa.table({"id": [1, 2, 3] * 400, "page": ["home", "cart", "home"] * 400})
    >>> db = protect(visits, unit="id", domains={"page": ["home", "cart"]}, epsilon="1")
    >>> db.sql("SELECT page, count(*) AS n FROM data GROUP BY page").description[1][0]
    'n'
    """
    settings = Settings.parse(epsilon, delta)
    cap = None if budget is None else parse_budget(budget)
    session, memory = optional_text(session, "session"), optional_text(memory, "memory")
    ledger = optional_path(ledger, "ledger")
    if ledger is not None:
        check_place(ledger)
    source = open_in_memory(memory)
    opened = open_beside(source.connection, ledger)
    current = Session(opened, session or new_session_name())
    current.set_budget(cap)
    db = Connection(source.connection, Service(source, current, settings), ledger=opened)
    try:
        return db.protect(
            name, data, unit=unit, domains=domains, groups=groups, rows=rows, unique=unique, types=types
        )
    except BaseException:
        db.close()
        raise


def _check_undeclared(*declared: object) -> None:
    """Errors: ParameterError if something is declared for what stores its policies."""
    if any(one is not None for one in declared):
        raise ParameterError(
            "unit, domains, groups, rows and types are for files that store no policies",
            detail="The policies of a database are stored in it.",
            hint=Hint.of("Set them once: db.execute('", AlterTable("t", "ADD PRIVACY_KEY (column)"), "')."),
        )


def _statements(policies: Iterable[PolicyStatement]) -> tuple[PolicyStatement, ...]:
    """Errors: ParameterError."""
    if not isinstance(policies, Iterable):
        raise wrong_kind(policies, "policies", "a list of statements")
    given = tuple(policies)
    for statement in given:
        if not isinstance(statement, PolicyStatement):
            raise wrong_kind(statement, "each of policies", "a statement")
    return given


# How a CSV file is read, as arguments say it.


def csv_words(
    types: Mapping[str, str] | None,
    formats: Mapping[str, str] | None,
    *,
    null: str | Sequence[str] | None,
    header: bool | None,
    skip: int | None,
    **signs: str | None,
) -> CsvWords:
    """What the arguments say. Errors: ParameterError for what cannot hold of any file."""
    facts: dict[str, object] = {name: text_of(sign, name) for name, sign in signs.items() if sign is not None}
    if null is not None:
        if not isinstance(null, str | list | tuple):
            raise wrong_kind(null, "null", "a text or a list of texts")
        facts["null"] = tuple(text_of(one, "null") for one in ([null] if isinstance(null, str) else null))
    if header is not None:
        if not isinstance(header, bool):
            raise wrong_kind(header, "header", "True or False")
        facts["header"] = header
    if skip is not None:
        if not isinstance(skip, int) or isinstance(skip, bool):
            raise wrong_kind(skip, "skip", "a whole number")
        facts["skip"] = skip
    words = CsvWords(_by_column(types, "types"), _by_column(formats, "formats"), facts)
    words.check()
    return words


def _by_column(said: Mapping[str, str] | None, name: str) -> dict[str, str]:
    """Errors: ParameterError."""
    if said is None:
        return {}
    if not isinstance(said, Mapping):
        raise wrong_kind(said, name, "a dict of columns")
    column, value = f"a column of {name}", f"one of {name}"
    return {text_of(key, column): text_of(one, value) for key, one in said.items()}
