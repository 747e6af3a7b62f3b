"""Random queries on a market and on the same market without one customer: scores move as promised.

For each query: the plan is the same for both, its score SQL passes an independent inspection and runs on
both without error, the scores differ by what the plan declares and no more (`dpduck.audit.moves`), and, for a
share of them, the release and the answer made of it have the same columns, types and candidates. The plan is
a function of the catalog and of public facts: so it is made anew for a share of the neighbours only, and for
the others both are compared, which is faster. For a share of the queries nobody is missing, and rows only lie
in another order: then the scores are the same.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import duckdb

from dpduck.audit import moves
from dpduck.audit.moves import ViolationError
from dpduck.catalog.model import Catalog
from dpduck.engines.cancellation import Interrupts
from dpduck.engines.duckdb.engine import DuckEngine
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.errors import DpduckError, InternalError
from dpduck.noise import SystemEntropy
from dpduck.query.parse.statements import Select, parse
from dpduck.query.plan.model import EveryKey, Plan
from dpduck.release import release
from dpduck.runtime.results import Result, ResultRows, shape_of
from tests.fuzz.facts import FactsOfQuery
from tests.fuzz.gate import AnyPlan, limits_of, plan_select
from tests.fuzz.grammar import Grammar, Query
from tests.fuzz.inspection import Inspector, Name
from tests.fuzz.market import BOUNDS, Market, open_market
from tests.fuzz.tally import Tally

RELEASED = "answer"  # the one relation that an answer is made of
_RELEASES = 0.15  # of the queries, for which the answer is made too
_INSPECTED = 0.3
_PLANNED = 0.1  # of the neighbours, for which the query is planned anew
_SHUFFLED = 0.1  # of the queries, for which rows of the same people lie in another order
_MOST_CANDIDATES = 2_000  # of an answer that is made


@dataclass(frozen=True)
class Stage:
    """Everything that queries are tried on."""

    markets: tuple[Market, ...]
    inspector: Inspector
    answers: duckdb.DuckDBPyConnection

    @classmethod
    @cache
    def open(cls, changes: str = "") -> Stage:
        """The stage of this process. Input: statements that change the rows of its markets."""
        markets = (open_market(bounds, changes=changes) for bounds in BOUNDS)
        return cls(tuple(markets), Inspector.open(), duckdb.connect())


def run(seed: str, rounds: int) -> Tally:
    """Check as many queries; the same seed gives the same ones."""
    checker = Checker(Stage.open(), random.Random(seed), Tally())
    grammar = Grammar(random.Random(f"{seed} grammar"))
    for _ in range(rounds):
        checker.check(grammar.query())
    return checker.tally


@dataclass(frozen=True)
class Checker:
    """Checks one query after another, on as many `neighbours` each.

    `releases`, `inspected`: the shares of those for which the answer is made, and SQL is parsed once more.
    """

    stage: Stage
    chance: random.Random
    tally: Tally
    neighbours: int = 1
    releases: float = _RELEASES
    inspected: float = _INSPECTED

    def check(self, query: Query) -> None:
        """Note what becomes of the query."""
        market = self.chance.choice(self.stage.markets)
        try:
            outcome = self._outcome(query, market)
        except DpduckError as error:
            if isinstance(error, InternalError):
                self.tally.fail(f"InternalError: {error.message}", query.text)
                return
            self.tally.refusals[error.message] += 1
            outcome = "refused"
        except Exception as error:
            self.tally.fail(f"{type(error).__name__}: {str(error)[:200]}", query.text)
            return
        self.tally.count(outcome, query.features)

    def _outcome(self, query: Query, market: Market) -> str:
        select = parse(query.text)
        assert isinstance(select, Select)
        facts = FactsOfQuery(market.facts)
        plan = plan_select(select, market.catalog, facts)
        if not isinstance(plan, Plan):
            return "public"
        units = market.units_in(plan.tables)
        neighbours = [market.without(unit) for unit in self._some(units)]
        for neighbour in neighbours:
            if not self._is_planned_alike(select, plan, facts, neighbour):
                raise ViolationError("the plan depends on private rows")
        self._check(plan, select, market, neighbours)
        if self.chance.random() < _SHUFFLED:
            _check_order(plan, market, market.without(None))
        if self.chance.random() < self.releases:
            self._check_answers(plan, market, neighbours[0])
        return "accepted"

    def _some(self, units: Sequence[int]) -> Sequence[int]:
        return self.chance.sample(units, min(self.neighbours, len(units)))

    def _is_planned_alike(self, select: Select, plan: Plan, facts: FactsOfQuery, neighbour: Market) -> bool:
        """Whether the neighbour has the same plan; its catalog is the same, see `Market.without`."""
        if self.chance.random() < _PLANNED:
            return _plan(select, neighbour) == plan
        return facts.hold_in(neighbour.facts)

    def _check(self, plan: Plan, select: Select, market: Market, neighbours: Sequence[Market]) -> None:
        limits = limits_of(select)
        moves.check_price(plan, limits.epsilon, limits.delta)
        moves.check(plan, market.connection, [neighbour.connection for neighbour in neighbours])
        if self.chance.random() < self.inspected:
            tables = names_of(market.catalog)
            for part in moves.parts_of(plan):
                self.stage.inspector.check(part.of.score_sql, tables)
            self.stage.inspector.check(plan.answer_sql, frozenset(), frozenset({RELEASED}))

    def _check_answers(self, plan: Plan, market: Market, neighbour: Market) -> None:
        if isinstance(plan.selection, EveryKey) and moves.candidates(plan) > _MOST_CANDIDATES:
            return
        one, two = (self._answer(plan, side.connection) for side in (market, neighbour))
        if one != two:
            raise ViolationError("columns, types or candidates of the answer depend on private rows")

    def _answer(self, plan: Plan, connection: duckdb.DuckDBPyConnection) -> tuple[object, ...]:
        """What must not depend on private rows: the columns, and the keys where all of them are shown."""
        with DuckEngine(connection).open(Interrupts()) as reader:
            made = release(plan, reader, SystemEntropy())
        released = made.table([column.name for column in plan.columns])
        shown = Result.of_rows(ResultRows(shape_of(plan), released), self.stage.answers).arrow().schema
        every = isinstance(plan.selection, EveryKey)
        keys = [made.columns[f"k{i}"].to_pylist() for i in range(len(plan.keys))] if every else []
        return str(shown), keys, sorted(made.columns)


def _plan(select: Select, market: Market) -> AnyPlan:
    return plan_select(select, market.catalog, PublicFacts(market.connection))


def _check_order(plan: Plan, market: Market, shuffled: Market) -> None:
    """Check that scores do not depend on the order in which rows lie. Errors: ViolationError."""
    for part in moves.parts_of(plan):
        if part.read(market.connection).rows != part.read(shuffled.connection).rows:
            raise ViolationError("a score depends on the order of rows")


def names_of(catalog: Catalog) -> frozenset[Name]:
    """The tables that have a policy, by their whole names."""
    return frozenset(
        (table.database, table.schema, table.name)
        for table in catalog.tables
        if table.private or table.public
    )
