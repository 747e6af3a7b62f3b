"""Random queries on a market and on the same market without one customer: scores move as promised.

For each query: the plan is the same for both, its score SQL passes an independent inspection and runs on
both without error, the scores differ by what the plan declares and no more (`dpduck.doors.audit.moves`), and,
for a share of them, the release and the answer made of it have the same columns, types and candidates.

What one customer adds to a score is a function of their rows alone: so the scores are the sums, exactly, of
those of this customer alone and of those without, and, for a share of the queries, of those of two halves of
all customers. This shows faults that one customer by chance does not, and whether the order of rows matters.

The plan is a function of the catalog and of public facts. So it is made anew without a customer for a share
of the queries, and for the others both are compared, which is faster.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

import duckdb

from dpduck.answers.blocks import together
from dpduck.answers.results import Result, ResultRows, shape_of
from dpduck.compiler.compile import AnyPlan, QueryLimits
from dpduck.compiler.parse.statements import Select, parse
from dpduck.doors.audit import moves
from dpduck.doors.audit.moves import ViolationError
from dpduck.engines.duckdb.engine import DuckEngine
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.errors import DpduckError, InternalError
from dpduck.kernel.noise import SystemEntropy
from dpduck.kernel.plan.compound import BLOCKS, CompoundPlan
from dpduck.kernel.plan.model import EveryKey, Plan, PublicPlan
from dpduck.kernel.plan.prices import event_of
from dpduck.kernel.release import release
from tests.fuzz.facts import FactsOfQuery
from tests.fuzz.gate import limits_of, plan_select
from tests.fuzz.grammar import Grammar, Query
from tests.fuzz.inspection import Inspector, Name
from tests.fuzz.market import BOUNDS, EVERYONE, UNITS, Market, halves, open_market
from tests.fuzz.tally import Tally

RELEASED = "answer"  # the one relation that an answer is made of
_RELEASES = 0.15  # of the queries, for which the answer is made too
_INSPECTED = 0.3
_PLANNED = 0.1  # of those that are planned anew without a customer
_HALVED, _HALVES = 0.5, 6  # of blocks that are asked of two halves of the customers; how many pairs there are
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


class RefusedError(Exception):
    """A query is refused, for a reason that is public."""


@contextmanager
def _refusing() -> Iterator[None]:
    """Take errors of dpduck's own for refusals, except internal ones."""
    try:
        yield
    except InternalError:
        raise
    except DpduckError as error:
        raise RefusedError(error.message) from error


def _told(error: Exception) -> str:
    """The text of an error, with what DuckDB says about it."""
    return f"{error.message}: {error.detail}" if isinstance(error, DpduckError) else str(error)


@dataclass(frozen=True)
class Checker:
    """Checks one query after another.

    `releases`, `inspected`, `halved`: the shares of those for which the answer is made, whose SQL is parsed
    once more, and which are asked of two halves of the customers.
    """

    stage: Stage
    chance: random.Random
    tally: Tally
    releases: float = _RELEASES
    inspected: float = _INSPECTED
    halved: float = _HALVED

    def check(self, query: Query) -> None:
        """Note what becomes of the query: once it is planned, no error may depend on private rows."""
        market = self.chance.choice(self.stage.markets)
        try:
            outcome = self._outcome(query, market)
        except RefusedError as refused:
            self.tally.refusals[str(refused)] += 1
            outcome = "refused"
        except Exception as error:
            self.tally.fail(f"{type(error).__name__}: {_told(error)[:200]}", query.text)
            return
        self.tally.count(outcome, query.features)

    def _outcome(self, query: Query, market: Market) -> str:
        facts = FactsOfQuery(market.facts)
        with _refusing():
            select = parse(query.text)
            assert isinstance(select, Select)
            plan = plan_select(select, market.catalog, facts)
        if isinstance(plan, PublicPlan):
            return "public"
        unit = self.chance.choice(market.units_in(plan.tables) or UNITS)
        if self.chance.random() < _PLANNED:
            if _plan(select, market.without(unit)) != plan:
                raise ViolationError("the plan depends on private rows")
        elif not facts.hold_in(market.facts_without(unit)):
            raise ViolationError("a public fact depends on private rows")
        _check_price(plan, limits_of(select))
        for block in plan.blocks:
            self._check(block, market, unit)
        if not isinstance(plan, Plan):
            self.stage.inspector.check(plan.answer_sql, frozenset(), frozenset({BLOCKS}))
        if self.chance.random() < self.releases:
            with _refusing():  # noise may be too large for what is computed of it
                self._check_answers(plan, market, market.without(unit))
        return "accepted"

    def _check(self, plan: Plan, market: Market, unit: int) -> None:
        everyone = moves.read(plan, market.connection)
        others = moves.read(plan, market.rows_without(frozenset([unit])))
        moves.compare(plan, everyone, others)
        alone = moves.read(plan, market.rows_without(EVERYONE - {unit}, nobody=True))
        moves.check_sum(plan, everyone, [others, alone])
        if self.chance.random() < self.halved:
            one, other = halves(self.chance.randrange(_HALVES))
            sides = market.rows_without(one), market.rows_without(other, nobody=True)
            moves.check_sum(plan, everyone, [moves.read(plan, side) for side in sides])
        if self.chance.random() < self.inspected:
            tables = names_of(market.catalog)
            for part in moves.parts_of(plan):
                self.stage.inspector.check(part.of.score_sql, tables)
            released = frozenset({RELEASED, BLOCKS})
            self.stage.inspector.check(plan.answer_sql, frozenset(), released)

    def _check_answers(self, plan: Plan | CompoundPlan, market: Market, neighbour: Market) -> None:
        every = [block for block in plan.blocks if isinstance(block.selection, EveryKey)]
        if any(moves.candidates(block) > _MOST_CANDIDATES for block in every):
            return
        one, two = (self._answer(plan, side.connection) for side in (market, neighbour))
        if one != two:
            raise ViolationError("columns, types or candidates of the answer depend on private rows")

    def _answer(self, plan: Plan | CompoundPlan, connection: duckdb.DuckDBPyConnection) -> tuple[object, ...]:
        """What must not depend on private rows: the columns, and the keys where all of them are shown."""
        tables, keys, names = [], [], []
        for block in plan.blocks:
            with DuckEngine(connection).open(Interrupts()) as reader:
                made = release(block, reader, SystemEntropy())
            tables.append(made.table([column.name for column in block.columns]))
            names.append(sorted(made.columns))
            if isinstance(block.selection, EveryKey):
                keys.append([made.columns[f"k{i}"].to_pylist() for i in range(len(block.keys))])
        beside = plan.public if isinstance(plan, CompoundPlan) else ()
        public = [connection.cursor().sql(rows.sql).to_arrow_table() for rows in beside]
        rows = ResultRows(shape_of(plan), together(plan, [*tables, *public]))
        shown = Result.of_rows(rows, self.stage.answers).arrow().schema
        return str(shown), keys, names


def _check_price(plan: Plan | CompoundPlan, limits: QueryLimits) -> None:
    """Check that the blocks of a plan together cost exactly epsilon, and at most delta."""
    if isinstance(plan, Plan):
        moves.check_price(plan, limits.epsilon, limits.delta)
        return
    events = [event_of(block) for block in plan.blocks]
    for block, event in zip(plan.blocks, events, strict=True):
        moves.check_price(block, event.epsilon, event.delta)
    if sum(event.epsilon for event in events) != limits.epsilon:
        raise ViolationError("the blocks do not cost epsilon")
    if sum(event.delta for event in events) > limits.delta:
        raise ViolationError("the blocks cost more than delta")


def _plan(select: Select, market: Market) -> AnyPlan:
    return plan_select(select, market.catalog, PublicFacts(market.connection))


def names_of(catalog: Catalog) -> frozenset[Name]:
    """The tables that have a policy, by their whole names."""
    return frozenset(
        (table.database, table.schema, table.name)
        for table in catalog.tables
        if table.private or table.public
    )
