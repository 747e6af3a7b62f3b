"""dpduck as a Python connection: ordinary SQL in, private answers out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import duckdb
import pyarrow as pa

from dpduck.catalog import Catalog
from dpduck.database import open_database
from dpduck.engine import accounts_of, answer
from dpduck.errors import ParameterError, PolicyError
from dpduck.explain import Explanation, explain
from dpduck.ledger import Account
from dpduck.noise import Entropy, SystemEntropy
from dpduck.placement import open_beside
from dpduck.policies import execute as execute_policy
from dpduck.policies import load_catalog
from dpduck.quantities import Number, parse_budget, parse_delta, parse_epsilon
from dpduck.query.make_plan import make_plan
from dpduck.query.parse import (
    Explain,
    Parameters,
    Select,
    SetOption,
    ShowPrivacy,
    bind,
    parse,
)
from dpduck.query.plan import Output, Plan
from dpduck.query.validate import validate
from dpduck.result import Result
from dpduck.session import Session, new_session_name
from dpduck.show import PRIVACY_SCHEMA, privacy_table
from dpduck.statements import PolicyStatement


def connect(
    database: str | Path | duckdb.DuckDBPyConnection,
    analyst: str | None = None,
    epsilon: Number | None = None,
    delta: Number | None = None,
    budget: Number | None = None,
    ledger: str | Path | None = None,
    *,
    session: str | None = None,
    policies: Iterable[PolicyStatement] = (),
) -> Connection:
    """Open a database for private queries.

    Input: a DuckDB, Parquet or CSV file, or a DuckDB connection (which stays the caller's). Without
        an `analyst` the caller is the data owner and may set policies; a named analyst opens the
        file read-only. `epsilon` and `delta` are spent by each query unless it says otherwise;
        `budget` caps this session in epsilon; `ledger` is a path (default: `<file>.ledger`; in memory
        for a database in memory). `session` names the session (default: a new random name);
        `policies` hold for this connection only.
    Errors: ParameterError, UnknownNameError, PolicyError, LedgerError. Nothing is charged.
    """
    settings = Settings.parse(epsilon, delta)
    cap = None if budget is None else parse_budget(budget)
    if isinstance(database, duckdb.DuckDBPyConnection):
        data, location = database.cursor(), ledger
    else:
        data = open_database(database, read_only=analyst is not None)
        location = ledger or f"{database}.ledger"
    current = Session(open_beside(data, location), session or new_session_name(), analyst)
    current.set_budget(cap)
    return Connection(data, current, settings, tuple(policies))


class Settings:
    """The cost of a query that does not name one; SET changes it."""

    def __init__(self, epsilon: Fraction | None = None, delta: Fraction = Fraction(0)) -> None:
        self.epsilon = epsilon
        self.delta = delta

    @classmethod
    def parse(cls, epsilon: Number | None, delta: Number | None) -> Self:
        """Errors: ParameterError."""
        return cls(
            None if epsilon is None else parse_epsilon(epsilon),
            Fraction(0) if delta is None else parse_delta(delta),
        )

    def set(self, name: str, value: str) -> None:
        """Errors: ParameterError."""
        if name == "dp_epsilon":
            self.epsilon = parse_epsilon(value)
        else:
            self.delta = parse_delta(value)


class Connection:
    """A session of private queries, used as a DuckDB Python connection is used."""

    def __init__(
        self,
        data: duckdb.DuckDBPyConnection,
        session: Session,
        settings: Settings,
        policies: tuple[PolicyStatement, ...] = (),
    ) -> None:
        self._data = data
        self._session = session
        self._settings = settings
        self._policies = policies
        self._entropy: Entropy = SystemEntropy()
        self._result = Result()

    def execute(self, sql: str, params: Parameters = None) -> Self:
        """Run one statement: SELECT, EXPLAIN, SET, SHOW, or for the owner a policy statement.

        A SELECT is charged before any private row is read.
        Errors: any DpduckError; its `charged` says what was charged.
        """
        statement = parse(sql)
        match statement:
            case Select():
                plan = self._plan(bind(statement, params))
                release = answer(plan, sql, self._session, self._read, self._entropy)
                self._result.show(plan.outputs, release)
            case Explain(select=select):
                self._result.show_text("explain", str(explain(self._plan(bind(select, params)))).splitlines())
            case SetOption(name=name, value=value):
                self._settings.set(name, value)
                self._result.show_nothing()
            case ShowPrivacy():
                self._result.show_table(privacy_table(self._catalog()))
            case PolicyStatement():
                self._set_policy(statement)
                self._result.show_nothing()
        return self

    def explain(self, sql: str, params: Parameters = None) -> Explanation:
        """What a query would do, cost and be worth. Charges nothing and reads no private row."""
        statement = parse(sql)
        select = statement.select if isinstance(statement, Explain) else statement
        if not isinstance(select, Select):
            raise ParameterError("only a SELECT has a plan", hint="Write SELECT ....")
        return explain(self._plan(bind(select, params)))

    def outputs(self, sql: str) -> tuple[Output, ...]:
        """The columns that a statement will return; of a SELECT as its plan says, else text."""
        statement = parse(sql)
        if isinstance(statement, Select):
            return self._plan(statement).outputs
        if isinstance(statement, ShowPrivacy):
            return tuple(Output(name, "VARCHAR", "key") for name in PRIVACY_SCHEMA.names)
        return (Output("explain" if isinstance(statement, Explain) else "status", "VARCHAR", "key"),)

    def text_rows(self) -> list[list[str | None]]:
        """The rows of the last result as text."""
        return self._result.text_rows()

    @property
    def description(self) -> list[tuple[Any, ...]]:
        """Names and types of the last result's columns, as in the DB-API."""
        return self._result.description

    def fetchall(self) -> list[tuple[Any, ...]]:
        """The rows that were not fetched yet."""
        return self._result.fetchall()

    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row, or None."""
        return self._result.fetchone()

    def df(self) -> Any:
        """The last result as a pandas DataFrame (needs pandas)."""
        return self._result.df()

    def arrow(self) -> pa.Table:
        """The last result as an Arrow table."""
        return self._result.arrow()

    def budget(self) -> pa.Table:
        """What may be spent, one row per account: this session's, or all for the owner."""
        return self._session.budgets(self._accounts())

    def ledger(self) -> pa.Table:
        """The charges made, one row each: the analyst's own, or all for the owner."""
        return self._session.entries()

    def close(self) -> None:
        """Close the connection. What was charged is on record already."""
        self._result.close()
        self._data.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _plan(self, select: Select) -> Plan:
        if self._settings.epsilon is None:
            raise ParameterError(
                "no epsilon is set",
                detail="Each query spends some epsilon, and none is chosen for you.",
                hint="SET dp_epsilon = 0.5.",
            )
        valid = validate(select)
        return make_plan(valid, self._catalog(), self._settings.epsilon, self._settings.delta)

    def _catalog(self) -> Catalog:
        return load_catalog(self._data, self._policies)

    def _read(self, sql: str) -> pa.Table:
        return self._data.sql(sql).to_arrow_table()

    def _set_policy(self, statement: PolicyStatement) -> None:
        if self._session.analyst is not None:
            raise PolicyError(
                "only the data owner sets policies",
                detail=f"This connection belongs to analyst {self._session.analyst!r}.",
                hint="Ask the data owner.",
            )
        execute_policy(self._data, statement)

    def _accounts(self) -> Sequence[Account]:
        private = [table for table in self._catalog().tables if table.unit is not None]
        return list(dict.fromkeys(account for table in private for account in accounts_of(table)))
