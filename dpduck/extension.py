"""dpduck inside a plain DuckDB connection: `register` gives it the dp_ functions.

The caller can read the raw tables, so this protects what is released, not against the caller. Each
function charges the ledger at every evaluation, before any noise is drawn.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import duckdb
import pyarrow as pa

from dpduck.errors import DpduckError, ExecutionError, decimal_text
from dpduck.functions import FUNCTIONS, Evaluation, Function
from dpduck.ledger import Ledger, open_ledger
from dpduck.noise import Entropy, SystemEntropy
from dpduck.quantities import Number, parse_budget
from dpduck.resources import read_sql
from dpduck.session import BUDGET_SCHEMA, LEDGER_SCHEMA, Session, new_session_name

# Ledgers of databases in memory, by the name of a registration: a second registration on the same
# database continues the ledger of the first.
_memory_ledgers: dict[str, Ledger] = {}


def register(
    con: duckdb.DuckDBPyConnection,
    session: str | None = None,
    budget: Number | None = None,
    ledger: str | Path | None = None,
) -> None:
    """Define the dp_ functions on a connection, for one session.

    Input: `session` names whose charges are added up (default: a new random name); `budget` is that
        session's cap in epsilon (None: recorded, not capped); `ledger` is a path (default: beside
        the database file; in memory for a database in memory).
    Errors: ParameterError, LedgerError. Nothing is charged.

    Registering again replaces the functions of the connection; other connections keep theirs.

    >>> con = duckdb.connect()
    >>> register(con, session="ana", budget="3.0")
    >>> con.execute("SELECT dp_median(x, 1, lo := 0, hi := 100) BETWEEN 0 AND 100 FROM range(101) t(x)").fetchone()
    (True,)
    >>> con.execute("SELECT epsilon_spent, epsilon_remaining FROM dp_budget()").fetchone()
    (Decimal('1.000000000'), Decimal('2.000000000'))
    """
    cap = None if budget is None else parse_budget(budget)
    name = secrets.token_hex(6)
    current = Session(_open(con, ledger, name), session or new_session_name())
    current.set_budget(cap)
    _define(con, name, current, SystemEntropy())


def _open(con: duckdb.DuckDBPyConnection, location: str | Path | None, name: str) -> Ledger:
    """The ledger at a location, beside the database, or shared within a database in memory."""
    if location is None:
        location = ledger_beside(con)
    if location is not None:
        return open_ledger(location)
    earlier = [key for (key,) in con.execute(_REGISTRATIONS).fetchall() if key in _memory_ledgers]
    _memory_ledgers[name] = _memory_ledgers[earlier[0]] if earlier else open_ledger(None)
    return _memory_ledgers[name]


_REGISTRATIONS = r"""
    SELECT DISTINCT regexp_extract(function_name, '^dpduck_([0-9a-f]{12})_top_k$', 1)
    FROM duckdb_functions() WHERE function_name LIKE 'dpduck\_%\_top\_k' ESCAPE '\'
"""


def ledger_beside(con: duckdb.DuckDBPyConnection) -> str | None:
    """`<file>.ledger` beside the connection's database, None for one in memory."""
    row = con.execute(
        "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"
    ).fetchone()
    return None if row is None or not row[0] else f"{row[0]}.ledger"


def _define(con: duckdb.DuckDBPyConnection, name: str, session: Session, entropy: Entropy) -> None:
    for function in FUNCTIONS:
        answer = _answers(function, session, entropy)
        _create(con, f"dpduck_{name}_{function.name}", answer, f"STRUCT(error VARCHAR, value {function.value_type})")
    for report, schema in (("budget", BUDGET_SCHEMA), ("ledger", LEDGER_SCHEMA)):
        answer = _reports(report, session, schema)
        _create(con, f"dpduck_{name}_{report}", answer, f"STRUCT(error VARCHAR, value {_rows_type(schema)})")
    con.execute(read_sql("functions.sql").replace("{id}", name))


def _create(con: duckdb.DuckDBPyConnection, name: str, function: object, returns: str) -> None:
    # Volatile, or DuckDB would merge equal calls and fold constant ones while it plans. NULLs are
    # passed in, since the aggregate of an empty table is NULL and is answered like any other.
    con.create_function(
        name, function, None, returns, type="arrow", null_handling="special", side_effects=True
    )


def _answers(function: Function, session: Session, entropy: Entropy) -> object:
    def answer(*columns: pa.ChunkedArray) -> pa.Array:
        calls = len(columns[0])
        values: Sequence[object] = [None] * calls
        error = None
        try:
            values = _evaluate(function, session, entropy, columns)
        except DpduckError as refusal:
            error = str(refusal)
        rows = [{"error": error, "value": value} for value in values]
        return pa.array(rows, type=_result(function.arrow_type))

    return answer


def _evaluate(
    function: Function, session: Session, entropy: Entropy, columns: Sequence[pa.ChunkedArray]
) -> list[object]:
    """Prepare all calls, charge for all, and only then draw. Errors: DpduckError."""
    evaluations = [function.prepare(*arguments) for arguments in _calls(columns)]
    charged = _charge(session, evaluations)
    try:
        return [evaluation.run(entropy) for evaluation in evaluations]
    except Exception:  # noqa: BLE001, S110  below the data line every error is the same constant text
        pass
    raise ExecutionError(charged=decimal_text(charged))


def _charge(session: Session, evaluations: Sequence[Evaluation]) -> Fraction:
    charged = Fraction(0)
    for (event, text), times in Counter((e.event, e.text) for e in evaluations).items():
        try:
            session.charge(event, text, evaluations=times)
        except DpduckError as refusal:
            if charged:
                raise type(refusal)(
                    refusal.message,
                    detail="Other rows of the same query were charged before.",
                    hint=refusal.hint,
                    charged=decimal_text(charged),
                ) from None
            raise
        charged += event.epsilon * times
    return charged


def _calls(columns: Sequence[pa.ChunkedArray]) -> list[tuple[object, ...]]:
    """The arguments of each call: the first column as Arrow, the others as Python values."""
    rows = columns[0].combine_chunks() if isinstance(columns[0], pa.ChunkedArray) else columns[0]
    lists = [_elements(rows, i) for i in range(len(rows))]
    return list(zip(lists, *(column.to_pylist() for column in columns[1:]), strict=True))


def _elements(lists: pa.ListArray, i: int) -> pa.Array:
    start, end = lists.offsets[i].as_py(), lists.offsets[i + 1].as_py()
    return lists.values[start:end] if lists.is_valid()[i].as_py() else lists.values[:0]


def _reports(report: str, session: Session, schema: pa.Schema) -> object:
    def answer(dummy: pa.ChunkedArray) -> pa.Array:
        value, error = None, None
        try:
            table = session.budgets() if report == "budget" else session.entries()
            value = table.to_pylist()
        except DpduckError as refusal:
            error = str(refusal)
        result = _result(pa.list_(pa.struct(list(schema))))
        return pa.array([{"error": error, "value": value}] * len(dummy), type=result)

    return answer


def _result(value: pa.DataType) -> pa.DataType:
    return pa.struct([("error", pa.string()), ("value", value)])


_SQL_TYPES = {"string": "VARCHAR", "int64": "BIGINT", "bool": "BOOLEAN", "timestamp[us, tz=UTC]": "TIMESTAMPTZ"}


def _rows_type(schema: pa.Schema) -> str:
    def sql(kind: pa.DataType) -> str:
        if pa.types.is_decimal(kind):
            return f"DECIMAL({kind.precision},{kind.scale})"
        return _SQL_TYPES[str(kind)]

    return "STRUCT(" + ", ".join(f'"{field.name}" {sql(field.type)}' for field in schema) + ")[]"
