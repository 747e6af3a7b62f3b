"""Statements in, rows out: what a connection, a function or a gateway asks, one statement at a time.

A service keeps no result, so many threads may use one: each statement runs on a cursor of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self

import duckdb
import pyarrow as pa

from dpduck.catalog import Catalog
from dpduck.engine import accounts_of, answer
from dpduck.errors import ParameterError, PolicyError
from dpduck.explain import Explanation, explain
from dpduck.ledger import Account
from dpduck.noise import Entropy, SystemEntropy
from dpduck.policies import execute as execute_policy
from dpduck.policies import load_catalog
from dpduck.quantities import Number, parse_delta, parse_epsilon
from dpduck.query.make_plan import make_plan
from dpduck.query.parse import Explain, Parameters, Select, SetOption, ShowPrivacy, Statement, bind, parse
from dpduck.query.plan import Output, Plan
from dpduck.query.validate import validate
from dpduck.result import Rows, release_rows, text_rows
from dpduck.session import Session
from dpduck.show import PRIVACY_COLUMNS, privacy_rows
from dpduck.statements import PolicyStatement

_EXPLAIN_COLUMNS = ("explain",)
_STATUS_COLUMNS = ("status",)


@dataclass
class Settings:
    """What a query costs that does not say so itself; SET changes it."""

    epsilon: Fraction | None = None
    delta: Fraction = Fraction(0)

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


class Service:
    """Runs statements for one session.

    Input: a DuckDB connection to the data; policies that hold for this service only; where the data is
        a file with one view, the SQL that reads it.
    """

    def __init__(
        self,
        data: duckdb.DuckDBPyConnection,
        session: Session,
        settings: Settings,
        policies: Sequence[PolicyStatement] = (),
        scan: str | None = None,
    ) -> None:
        self.session = session
        self._data = data
        self._settings = settings
        self._policies = tuple(policies)
        self._scan = scan
        self._entropy: Entropy = SystemEntropy()

    def run(self, sql: str, params: Parameters = None) -> Rows:
        """Run one statement. A SELECT is charged before any private row is read.

        Errors: any DpduckError; its `charged` says what was charged.
        """
        statement = parse(sql)
        match statement:
            case Select():
                plan = self._plan(statement, params)
                release = answer(plan, sql, self.session, self._read, self._entropy)
                return release_rows(plan.outputs, release)
            case Explain(select=select):
                lines = str(explain(self._plan(select, params))).splitlines()
                return text_rows(_EXPLAIN_COLUMNS, [(line,) for line in lines])
            case ShowPrivacy():
                return text_rows(PRIVACY_COLUMNS, privacy_rows(self.catalog()))
        self._change(statement)
        return text_rows(_STATUS_COLUMNS, [])

    def explain(self, sql: str, params: Parameters = None) -> Explanation:
        """What a query would do, cost and be worth. Charges nothing and reads no private row."""
        statement = parse(sql)
        select = statement.select if isinstance(statement, Explain) else statement
        if not isinstance(select, Select):
            raise ParameterError("only a SELECT has a plan", hint="Write SELECT ....")
        return explain(self._plan(select, params))

    def outputs(self, sql: str) -> tuple[Output, ...]:
        """The columns that a statement will return. Charges nothing and reads no private row."""
        statement = parse(sql)
        match statement:
            case Select():
                return self._plan(statement, None).outputs
            case Explain():
                names: Sequence[str] = _EXPLAIN_COLUMNS
            case ShowPrivacy():
                names = PRIVACY_COLUMNS
            case _:
                names = _STATUS_COLUMNS
        return text_rows(names, []).outputs

    def catalog(self) -> Catalog:
        """The public facts of the database, as they stand now."""
        with self._data.cursor() as cursor:
            catalog = load_catalog(cursor, self._policies)
        if self._scan is None:
            return catalog
        return Catalog(tuple(replace(table, scan=self._scan) for table in catalog.tables))

    def accounts(self) -> list[Account]:
        """The tables and sets of people that queries on this database are charged to."""
        private = [table for table in self.catalog().tables if table.unit is not None]
        return list(dict.fromkeys(account for table in private for account in accounts_of(table)))

    def _plan(self, select: Select, params: Parameters) -> Plan:
        if self._settings.epsilon is None:
            raise ParameterError(
                "no epsilon is set",
                detail="Each query spends some epsilon, and none is chosen for you.",
                hint="SET dp_epsilon = 0.5.",
            )
        valid = validate(bind(select, params))
        return make_plan(valid, self.catalog(), self._settings.epsilon, self._settings.delta)

    def _read(self, sql: str) -> pa.Table:
        with self._data.cursor() as cursor:
            return cursor.sql(sql).to_arrow_table()

    def _change(self, statement: Statement) -> None:
        match statement:
            case SetOption(name=name, value=value):
                self._settings.set(name, value)
            case PolicyStatement():
                if self.session.analyst is not None:
                    raise PolicyError(
                        "only the data owner sets policies",
                        detail=f"This connection belongs to analyst {self.session.analyst!r}.",
                        hint="Ask the data owner.",
                    )
                with self._data.cursor() as cursor:
                    execute_policy(cursor, statement)
