"""The dp_ functions inside a plain DuckDB connection: `register` defines them.

The caller can read the raw tables, so this protects what is released, not against the caller. Each
function charges the ledger at every evaluation, before any noise is drawn.
"""

from __future__ import annotations

import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from dpduck.answers.arguments import optional_path, optional_text, wrong_kind
from dpduck.answers.ledger_location import open_beside
from dpduck.answers.pipeline import unsettled
from dpduck.answers.results import PublicRows, ResultRows
from dpduck.answers.service import Service
from dpduck.answers.settings import Settings
from dpduck.doors.extension.functions import FUNCTIONS, CallOutcome, Evaluation, Function
from dpduck.doors.extension.value_counts import progressions
from dpduck.engines.source import Source
from dpduck.kernel.accounting.amounts import Number, parse_budget
from dpduck.kernel.accounting.events import Composed, Event
from dpduck.kernel.data_line import below
from dpduck.kernel.errors import DpduckError, ExecutionError, decimal_text
from dpduck.kernel.errors.advice import Audience
from dpduck.kernel.errors.missing import needed
from dpduck.kernel.ledger.session import (
    BUDGET_SCHEMA,
    LEDGER_SCHEMA,
    POLICY_SCHEMA,
    Session,
    new_session_name,
    sql_columns,
)
from dpduck.kernel.noise import Entropy, SystemEntropy
from dpduck.kernel.system.sql_files import read_sql

_UNEXPECTED = (
    "dpduck failed\n"
    "DETAIL: The cause is withheld because it may quote a private value.\n"
    "HINT: FROM dp_ledger() shows what was charged."
)


def register(
    con: duckdb.DuckDBPyConnection | Any,
    *,
    session: str | None = None,
    budget: Number | None = None,
    ledger: str | Path | None = None,
    epsilon: Number | None = None,
    delta: Number | None = None,
    anchor: str | Path | None = None,
) -> None:
    """Define the dp_ functions on a connection, for one session.

    Input: `con` is a DuckDB connection, or an engine of SQLAlchemy for DuckDB, of which each connection gets
        the functions when it is opened, all for one session. A cursor is a connection of its own. `session`
        is the name under which charges are added up (default: a new random name); `budget` is that session's
        cap in epsilon (None: recorded, not capped); `ledger` is a path, or a postgresql:// URL (default:
        beside the database file; in memory for a database in memory), and `anchor` the place where its head
        is also kept. `epsilon` and `delta` are what each protected query of `FROM dp('SELECT ...')` spends;
        `FROM dp('SET dp_epsilon = 0.5')` changes it.
    Errors: ParameterError, LedgerError. Nothing is charged.
    Without a delta the keys of dp_top_k and its like count as public, for which the caller vouches.
    Registering again replaces the functions of the connection; other connections keep theirs.

    >>> con = duckdb.connect()
    >>> register(con, session="ana", budget="3.0")
    >>> con.execute("SELECT dp_median(x, 1, lo := 0, hi := 9) < 10 FROM range(9) t(x)").fetchone()
    (True,)
    >>> con.execute("SELECT epsilon_spent, epsilon_remaining FROM dp_budget()").fetchone()
    (Decimal('1.000000000'), Decimal('2.000000000'))
    """
    settings = Settings.parse(epsilon, delta)
    cap = None if budget is None else parse_budget(budget)
    session, ledger = optional_text(session, "session"), optional_path(ledger, "ledger")
    anchor, session = optional_path(anchor, "anchor"), session or new_session_name()

    def define(one: Any) -> None:
        current = Session(open_beside(one, ledger, anchor), session)
        current.set_budget(cap)
        _define(one, current, replace(settings))

    if _is_engine(con):
        needed("sqlalchemy.event").listen(con, "connect", lambda one, _: define(one))
    elif isinstance(con, duckdb.DuckDBPyConnection):
        define(con)
    else:
        raise wrong_kind(con, "con", "a DuckDB connection")


def _is_engine(con: object) -> bool:
    """Whether this is an engine of SQLAlchemy for DuckDB, whose connections have DuckDB's methods."""
    named = str(getattr(getattr(con, "dialect", None), "name", ""))
    return type(con).__module__.startswith("sqlalchemy.") and named == "duckdb"


def _define(con: Any, current: Session, settings: Settings) -> None:
    """Define all functions on a connection, under a name of their own."""
    name = secrets.token_hex(6)
    define_functions(con, name, current, SystemEntropy())
    service = Service(Source(con.duplicate()), current, settings)
    define_protected(con, name, service)
    _create_report(con, name, "policies", POLICY_SCHEMA, service.policies)
    con.execute(read_sql("functions.sql").replace("{id}", name))


def define_functions(con: duckdb.DuckDBPyConnection, name: str, session: Session, entropy: Entropy) -> None:
    """Create the scalar functions that the dp_ macros of that name call."""
    for function in FUNCTIONS:
        answer = _answers(function, session, entropy)
        _create_fallible(con, f"dpduck_{name}_{function.name}", answer, function.value_type)
    _create_report(con, name, "budget", BUDGET_SCHEMA, session.budgets)
    _create_report(con, name, "ledger", LEDGER_SCHEMA, session.entries)
    # Not volatile: a constant domain is examined once, while DuckDB plans.
    _create(con, f"dpduck_{name}_progression", progressions, None, "BIGINT[]", type="arrow")


def define_protected(con: duckdb.DuckDBPyConnection, name: str, service: Service) -> None:
    """Create the functions behind `dp(query)`: `rewrite` runs while DuckDB binds, `run` when it executes.

    Binding happens for EXPLAIN and DESCRIBE too, sometimes twice, so `rewrite` reads and charges
    nothing: it names and types the columns, and the SQL that it returns calls `run`.
    """

    def rewrite(query: str | None) -> str:
        try:
            shape = service.shape(query or "")
        except DpduckError as refusal:
            return f"SELECT error({_literal(refusal.text_for(Audience.PLAIN_DUCKDB))})"
        if isinstance(shape, PublicRows):
            return shape.sql
        rows = f"dpduck_{name}_answer(dpduck_{name}_run({_literal(query or '')}, {_literal(repr(shape))}))"
        return shape.query(f"(SELECT unnest({rows}) AS r)", "r")

    def rows_of(query: str, promised: str) -> object:
        rows = service.run(query, promised=promised)
        assert isinstance(rows, ResultRows)
        return rows.rows

    def run(queries: pa.ChunkedArray, promises: pa.ChunkedArray) -> pa.Array:
        pairs = zip(queries.to_pylist(), promises.to_pylist(), strict=True)
        attempts = [_attempt(partial(rows_of, *pair)) for pair in pairs]
        return pa.array(attempts, _result(pa.list_(pa.list_(pa.string()))))

    _create(con, f"dpduck_{name}_rewrite", rewrite, ["VARCHAR"], "VARCHAR")
    _create_fallible(con, f"dpduck_{name}_run", run, "VARCHAR[][]")


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _attempt(function: Callable[[], object]) -> dict[str, object]:
    """The function's result, or the text of its error; an unexpected error has constant text."""
    try:
        return {"error": None, "value": function()}
    except DpduckError as refusal:
        return {"error": refusal.text_for(Audience.PLAIN_DUCKDB), "value": None}
    except Exception:
        return {"error": _UNEXPECTED, "value": None}


def _create_fallible(
    con: duckdb.DuckDBPyConnection, name: str, function: Callable[..., pa.Array], value_type: str
) -> None:
    """Create a volatile function that returns its error as a value.

    If it were not volatile, DuckDB would merge equal calls and fold constant ones while it plans.
    """
    returns = f"STRUCT(error VARCHAR, value {value_type})"
    _create(con, name, function, None, returns, type="arrow", side_effects=True)


def _create(con: duckdb.DuckDBPyConnection, *description: object, **options: object) -> None:
    # NULLs are passed in, since the aggregate of an empty table is NULL and must be answered like any other.
    create: Any = con.create_function  # its type differs between versions of DuckDB
    create(*description, null_handling="special", **options)


def _answers(function: Function, session: Session, entropy: Entropy) -> Callable[..., pa.Array]:
    def answer(*columns: pa.ChunkedArray) -> pa.Array:
        attempt = _attempt(partial(_evaluate, function, session, entropy, columns))
        values = attempt["value"] or [None] * len(columns[0])
        rows = [{"error": attempt["error"], "value": value} for value in values]  # type: ignore[attr-defined]
        return pa.array(rows, type=_result(function.arrow_type))

    return answer


def _evaluate(
    function: Function, session: Session, entropy: Entropy, columns: Sequence[pa.ChunkedArray]
) -> list[object]:
    """Prepare all calls, charge for all, and only then draw noise. Errors: DpduckError."""
    evaluations = [function.prepare(*arguments) for arguments in _calls(columns)]
    charged, charges = _charge(session, evaluations)
    values = None
    with below():
        values = [evaluation.run(entropy) for evaluation in evaluations]
    if values is None:
        raise ExecutionError(charged=decimal_text(charged))
    _settle(session, charges, evaluations, values, charged)
    return [value.value if isinstance(value, CallOutcome) else value for value in values]


def _charge(
    session: Session, evaluations: Sequence[Evaluation]
) -> tuple[Fraction, dict[tuple[Event, str], int]]:
    """Charge equal calls together. Output: the total epsilon, and the number of each charge."""
    charged, charges = Fraction(0), {}
    for (event, text), times in Counter((e.event, e.text) for e in evaluations).items():
        try:
            charges[event, text] = session.charge(event, text, evaluations=times)
        except DpduckError as refusal:
            if charged:
                raise type(refusal)(
                    refusal.message,
                    detail="Other rows of the same query were charged before.",
                    hint=refusal.advice,
                    charged=decimal_text(charged),
                ) from None
            raise
        charged += event.epsilon * times
    return charged, charges


def _settle(
    session: Session,
    charges: dict[tuple[Event, str], int],
    evaluations: Sequence[Evaluation],
    values: Sequence[object],
    charged: Fraction,
) -> None:
    """Give back what calls that stopped early show as unused. Errors: LedgerError, with the charge."""
    used: dict[int, list[Event]] = defaultdict(list)
    for evaluation, value in zip(evaluations, values, strict=True):
        if isinstance(value, CallOutcome):
            used[charges[evaluation.event, evaluation.text]].append(value.used)
    fault = None
    try:
        for seq, events in used.items():
            session.ledger.settle(seq, Composed.of(*events))
    except DpduckError as error:
        fault = error
    if fault is not None:
        raise unsettled(fault, charged)


def _calls(columns: Sequence[pa.ChunkedArray]) -> list[tuple[object, ...]]:
    """The arguments of each call: the first column as Arrow, the others as Python values."""
    rows = columns[0].combine_chunks() if isinstance(columns[0], pa.ChunkedArray) else columns[0]
    offsets, present = rows.offsets.to_pylist(), rows.is_valid().to_pylist()
    lists = [rows.values[offsets[i] : offsets[i + 1] if present[i] else offsets[i]] for i in range(len(rows))]
    return list(zip(lists, *(column.to_pylist() for column in columns[1:]), strict=True))


def _create_report(
    con: duckdb.DuckDBPyConnection, name: str, report: str, schema: pa.Schema, read: Callable[[], pa.Table]
) -> None:
    """Create the function behind the table macro of a report."""

    def answer(calls: pa.ChunkedArray) -> pa.Array:
        rows = _attempt(lambda: read().to_pylist())
        return pa.array([rows] * len(calls), type=_result(pa.list_(pa.struct(list(schema)))))

    _create_fallible(con, f"dpduck_{name}_{report}", answer, _rows_type(schema))


def _result(value: pa.DataType) -> pa.DataType:
    return pa.struct([("error", pa.string()), ("value", value)])


def _rows_type(schema: pa.Schema) -> str:
    return "STRUCT(" + ", ".join(f'"{name}" {sql_type}' for name, sql_type in sql_columns(schema)) + ")[]"
