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

from dpduck.budgets import (
    BUDGET_COLUMNS,
    REMAINING_COLUMNS,
    accounts_of,
    accounts_shown,
    budget_rows,
    check_enforceable,
    enforce,
    remaining_rows,
)
from dpduck.catalog import Catalog
from dpduck.engine import answer
from dpduck.errors import ParameterError, PolicyError, UnsupportedSqlError
from dpduck.explain import Explanation, explain
from dpduck.facts import PublicFacts
from dpduck.ledger import Account
from dpduck.noise import Entropy, SystemEntropy
from dpduck.policies import apply as apply_policy
from dpduck.policies import execute as execute_policy
from dpduck.policies import load_catalog
from dpduck.quantities import Number, parse_delta, parse_epsilon
from dpduck.query.make_plan import Limits, make_plan
from dpduck.query.parse import Explain, Options, Parameters, Select, SetOption, Statement, bind, parse
from dpduck.query.plan import Plan, PublicPlan
from dpduck.query.validate import validate
from dpduck.result import (
    PublicRows,
    Row,
    Rows,
    Shape,
    check_shape,
    release_rows,
    shape_of,
    text_rows,
    text_shape,
)
from dpduck.session import Session
from dpduck.show import ANSWER_COLUMNS, PRIVACY_COLUMNS, answer_rows, privacy_rows
from dpduck.statements import (
    AlterBudget,
    CreateBudget,
    PolicyStatement,
    ShowBudgets,
    ShowBudgetsFor,
    ShowPrivacy,
    ShowPrivacyFor,
    ShowStatement,
    TableName,
    parse_bound,
)

_EXPLAIN_COLUMNS = ("explain",)
_STATUS_COLUMNS = ("status",)
_SHOW_COLUMNS: dict[type[ShowStatement], Sequence[str]] = {
    ShowPrivacy: PRIVACY_COLUMNS,
    ShowPrivacyFor: ANSWER_COLUMNS,
    ShowBudgets: BUDGET_COLUMNS,
    ShowBudgetsFor: REMAINING_COLUMNS,
}


@dataclass
class Settings:
    """What a query costs that does not say so itself; SET changes it.

    `groups`: the most groups that a unit may contribute to, beside the table's own bound.
    """

    epsilon: Fraction | None = None
    delta: Fraction = Fraction(0)
    groups: int | None = None

    @classmethod
    def parse(cls, epsilon: Number | None, delta: Number | None) -> Self:
        """Errors: ParameterError."""
        return cls(
            None if epsilon is None else parse_epsilon(epsilon),
            Fraction(0) if delta is None else parse_delta(delta),
        )

    def set(self, name: str, value: str) -> None:
        """Errors: ParameterError, UnsupportedSqlError."""
        match name:
            case "dp_epsilon":
                self.epsilon = parse_epsilon(value)
            case "dp_delta":
                self.delta = parse_delta(value)
            case "dp_max_groups_contributed":
                self.groups = parse_bound(value, name)
            case "dp_replay" if value == "off":
                pass  # as it is: each query is answered afresh
            case _:
                raise UnsupportedSqlError(
                    f"{name} = {value} is not supported",
                    detail="No answer is kept, so each query is answered afresh and charged.",
                    hint="SET dp_replay = off.",
                )

    def of_query(self, options: Options) -> Settings:
        """What holds for a query that says some of it itself. Errors: ParameterError."""
        groups = [bound for bound in (self.groups, options.groups) if bound is not None]
        return Settings(
            self.epsilon if options.epsilon is None else parse_epsilon(options.epsilon),
            self.delta if options.delta is None else parse_delta(options.delta),
            min(groups, default=None),
        )


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
        self._bench = duckdb.connect(":memory:")  # where answers are bound; it stays empty

    def run(self, sql: str, params: Parameters = None, *, promised: str | None = None) -> Rows | PublicRows:
        """Run one statement. A SELECT is charged before any private row is read.

        Input: `promised`: the repr of the shape of a query, if it was given out before; if it would be
            another by now, nothing runs.
        Errors: any DpduckError; its `charged` says what was charged.
        """
        statement = parse(sql)
        match statement:
            case Select():
                return self._answer(statement, params, sql, promised)
            case Explain(select=select):
                lines = str(self._explain(select, params)).splitlines()
                return text_rows(_EXPLAIN_COLUMNS, [(line,) for line in lines])
            case ShowPrivacy() | ShowPrivacyFor() | ShowBudgets() | ShowBudgetsFor():
                return text_rows(_SHOW_COLUMNS[type(statement)], self._show(statement))
        self._change(statement)
        return text_rows(_STATUS_COLUMNS, [])

    def _answer(
        self, select: Select, params: Parameters, sql: str, promised: str | None
    ) -> Rows | PublicRows:
        catalog = self.catalog()
        plan = self._plan(select, params, catalog)
        shape = None if isinstance(plan, PublicPlan) else shape_of(plan)
        if promised is not None and repr(shape) != promised:
            raise PolicyError(
                "the plan of this query has changed",
                detail="A policy or a setting was changed while it was prepared.",
                hint="Run it again.",
            )
        if isinstance(plan, PublicPlan):
            return PublicRows(plan.sql)
        check_shape(shape_of(plan), self._bench)
        accounts = accounts_of(catalog, plan.tables, plan.root, self.session.analyst)
        return release_rows(plan, answer(plan, sql, self.session, accounts, self._read, self._entropy))

    def explain(self, sql: str, params: Parameters = None) -> Explanation:
        """What a query would do, cost and be worth. Charges nothing and reads no private row."""
        statement = parse(sql)
        select = statement.select if isinstance(statement, Explain) else statement
        if not isinstance(select, Select):
            raise ParameterError("only a SELECT has a plan", hint="Write SELECT ....")
        return self._explain(select, params)

    def _explain(self, select: Select, params: Parameters) -> Explanation:
        catalog = self.catalog()

        def replan(epsilon: Fraction) -> Plan | PublicPlan:
            return self._plan(select, params, catalog, epsilon)

        return explain(self._plan(select, params, catalog), replan)

    def shape(self, sql: str) -> Shape | PublicRows:
        """What a statement will return: columns and the SQL over them, or SQL on public tables.

        Charges nothing and reads no private row.
        """
        statement = parse(sql)
        match statement:
            case Select():
                plan = self._plan(statement, None, self.catalog())
                return PublicRows(plan.sql) if isinstance(plan, PublicPlan) else shape_of(plan)
            case Explain():
                return text_shape(_EXPLAIN_COLUMNS)
            case ShowPrivacy() | ShowPrivacyFor() | ShowBudgets() | ShowBudgetsFor():
                return text_shape(_SHOW_COLUMNS[type(statement)])
        return text_shape(_STATUS_COLUMNS)

    def catalog(self) -> Catalog:
        """The public facts of the database, as they stand now."""
        with self._data.cursor() as cursor:
            catalog = load_catalog(cursor, self._policies)
        if self._scan is None:
            return catalog
        return replace(catalog, tables=tuple(replace(table, scan=self._scan) for table in catalog.tables))

    def accounts(self) -> list[Account]:
        """The accounts that queries on this database are charged to, besides the session."""
        return accounts_shown(self.catalog(), self.session)

    def _plan(
        self, select: Select, params: Parameters, catalog: Catalog, epsilon: Fraction | None = None
    ) -> Plan | PublicPlan:
        settings = self._settings.of_query(select.options)
        epsilon = settings.epsilon if epsilon is None else epsilon
        if epsilon is None:
            raise ParameterError(
                "no epsilon is set",
                detail="Each query spends some epsilon, and none is chosen for you.",
                hint="SET dp_epsilon = 0.5.",
            )
        limits = Limits(epsilon, settings.delta, settings.groups, select.options.unit)
        return make_plan(validate(bind(select, params)), catalog, limits, PublicFacts(self._data))

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
                self._set_policy(statement)

    def _set_policy(self, statement: PolicyStatement) -> None:
        before = self.catalog()
        if isinstance(statement, (CreateBudget, AlterBudget)):
            check_enforceable(apply_policy(before, statement))
        with self._data.cursor() as cursor:
            execute_policy(cursor, statement)
        after = self.catalog()
        if before.budgets or after.budgets:
            enforce(self.session.ledger, before, after)

    def _show(self, statement: ShowStatement) -> Sequence[Row]:
        match statement:
            case ShowPrivacy():
                return privacy_rows(self.catalog())
            case ShowPrivacyFor(table=name):
                return answer_rows(self.catalog(), name)
            case ShowBudgets():
                return budget_rows(self.session, self.catalog())
            case ShowBudgetsFor(table=name):
                return self._remaining(name)

    def _remaining(self, name: TableName) -> Sequence[Row]:
        """How many queries on a table its budgets still allow."""
        catalog, settings = self.catalog(), self._settings
        table = catalog.table(name.name, name.schema)
        own = accounts_of(catalog, [table], catalog.root(table), self.session.analyst)
        accounts = (self.session.account, *own)
        return remaining_rows(self.session.ledger, accounts, settings.epsilon, settings.delta)
