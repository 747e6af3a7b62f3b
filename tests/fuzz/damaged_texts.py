"""Damaged texts: each is refused with an error of dpduck's own, or answered by SQL that passes inspection.

Seeds are texts that are accepted (of the grammar, of the golden files) and texts that are refused. A text
may do nothing else: no other error, no minute of thinking, no SQL that DuckDB cannot run.
"""

from __future__ import annotations

import random
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median

import duckdb

from dpduck import policies
from dpduck.answers.explain import explain
from dpduck.answers.rehearsal import check_shape
from dpduck.answers.results import shape_of
from dpduck.answers.settings import Settings
from dpduck.compiler.parse.settings import SetOption
from dpduck.compiler.parse.statements import Explain, Select, Statement, parse
from dpduck.doors.audit.moves import parts_of
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.catalog.statements import PolicyStatement
from dpduck.kernel.errors import DpduckError, InternalError
from dpduck.kernel.plan.compound import BLOCKS
from dpduck.kernel.plan.model import Plan, PublicPlan
from tests.fuzz.damage import Damage
from tests.fuzz.gate import AnyPlan, plan_select
from tests.fuzz.grammar import Grammar
from tests.fuzz.inspection import Inspector
from tests.fuzz.market import Market, open_market
from tests.fuzz.random_queries import RELEASED, names_of
from tests.fuzz.tally import Tally

GOLDEN = Path(__file__).parents[1] / "golden"
SECONDS = 0.5  # of this thread, that one text may always take
# As long as a plain query, measured beside it, may one text of so many characters take of this thread alone,
# and a longer one in proportion. DuckDB prints each item of a select list for its name: 5,000 of them, in
# 50,000 characters, took 2,250 times as long.
TIMES, PLAIN_LENGTH = 600, 10_000
PLAIN = "SELECT o_day, count(*) FROM orders GROUP BY o_day"

# What is accepted and no query over private rows.
_OTHERS = (
    "SET dp_epsilon = 0.5",
    "SET dp_max_groups_contributed = 3",
    "SHOW PRIVACY",
    "SHOW PRIVACY FOR orders",
    "SHOW PRIVACY BUDGETS",
    "SELECT ESTIMATE_REMAINING_DP_AGGREGATES('orders')",
    "EXPLAIN SELECT o_day, count(*) FROM orders GROUP BY o_day ORDER BY 2 DESC LIMIT 3",
    "ALTER TABLE orders ADD PRIVACY_KEY (o_customer)",
    "ALTER TABLE orders ADD PRIVACY_LINK (o_customer) REFERENCES customer(c_id)",
    "ALTER TABLE orders ALTER COLUMN o_price SET PRIVACY DOMAIN BETWEEN (0, 100) STEP 0.5",
    "ALTER TABLE orders ALTER COLUMN o_clerk SET PRIVACY DOMAIN IN ('clerk1', 'clerk2')",
    "ALTER TABLE customer ALTER COLUMN c_nation SET PRIVACY DOMAIN REFERENCES nation(n_id)",
    "ALTER TABLE orders SET PRIVACY CONTRIBUTION (groups = 5, rows = 2)",
    "CREATE PRIVACY BUDGET marketing LIMIT 3 DELTA 1e-6 PER QUERY 0.1 PER WEEK FOR ANALYST 'ann'",
    "SELECT n_region, count(*) AS n, string_agg(n_name, ', ' ORDER BY n_name) FROM nation GROUP BY ALL",
    "SELECT p_brand, n_name FROM part LEFT JOIN nation AS n ON p_id = n.n_id WHERE p_size IN (SELECT 5)",
    "WITH a AS (SELECT n_id, upper(n_name) AS u FROM nation) SELECT *, row_number() OVER (ORDER BY u) FROM a "
    "UNION ALL SELECT p_id, p_brand, 1 FROM part ORDER BY 1 NULLS FIRST LIMIT 5",
    "SELECT list_transform([1], x -> x + 1), {'a': 1}, CASE WHEN TRUE THEN DATE '2024-01-31' END",
)


@dataclass(frozen=True)
class Stage:
    """Everything that texts are tried on."""

    market: Market
    inspector: Inspector
    answers: duckdb.DuckDBPyConnection

    @classmethod
    @cache
    def open(cls) -> Stage:
        """The stage of this process."""
        return cls(open_market(), Inspector.open(), duckdb.connect())

    def time_plain(self) -> float:
        """Return how long this thread plans a plain query now, in seconds: the median of several times."""
        return median(self._plan_plain() for _ in range(9))

    def _plan_plain(self) -> float:
        start = time.thread_time()
        statement = parse(PLAIN)
        assert isinstance(statement, Select)
        plan_select(statement, self.market.catalog, PublicFacts(self.market.connection))
        return time.thread_time() - start


def run(seed: str, rounds: int) -> Tally:
    """Try as many texts; the same seed gives the same ones."""
    checker = Checker(Stage.open(), random.Random(seed), Tally())
    damage = Damage(random.Random(f"{seed} damage"), texts())
    for _ in range(rounds):
        checker.check(damage.text())
    return checker.tally


@cache
def texts() -> tuple[str, ...]:
    """What is damaged: queries of the grammar, those of the golden files, and other statements."""
    grammar = Grammar(random.Random("texts"))
    written = [grammar.query().text for _ in range(400)]
    return (*written, *golden(), *_OTHERS * 4)


def golden() -> list[str]:
    """All queries in the golden files, accepted and refused, on whatever tables."""
    blocks = (
        block.partition(";\n-- ")[0].strip()
        for path in sorted(GOLDEN.rglob("*.sql"))
        for block in path.read_text(encoding="utf-8").split("\n----\n")
    )
    return [block for block in blocks if 0 < len(block) < 3_000]


@dataclass(frozen=True)
class Checker:
    """Tries one text after another."""

    stage: Stage
    chance: random.Random
    tally: Tally

    def check(self, text: str) -> None:
        """Note what becomes of the text."""
        try:
            outcome = self._outcome(text)
        except InternalError as error:
            self.tally.fail(f"InternalError: {error.message}", text)
        except DpduckError as error:
            self.tally.count(f"refused: {type(error).__name__}")
        except Exception as error:
            self.tally.fail(f"{type(error).__name__}: {str(error)[:200]}", text)
        else:
            self.tally.count(outcome)

    def _outcome(self, text: str) -> str:
        start = time.thread_time()
        try:
            statement = parse(text)
            select = statement.select if isinstance(statement, Explain) else statement
            plan = self._plan(select) if isinstance(select, Select) else None
        finally:
            self._time(time.thread_time() - start, text)
        if plan is None:
            return self._apply(statement)
        self._inspect(plan)
        if isinstance(statement, Explain) or self.chance.random() < 0.05:
            str(explain(plan, {}))
        return "public query" if isinstance(plan, PublicPlan) else "private query"

    def _time(self, seconds: float, text: str) -> None:
        self.tally.took(seconds)
        # A machine may be slow for a while: the plain query is timed after what took long, in the same while.
        plain = max(1.0, len(text) / PLAIN_LENGTH) * TIMES
        if seconds > SECONDS and seconds > plain * self.stage.time_plain():
            self.tally.fail("it takes too long", text)

    def _plan(self, select: Select) -> AnyPlan:
        market = self.stage.market
        return plan_select(select, market.catalog, PublicFacts(market.connection))

    def _apply(self, statement: Statement) -> str:
        """What is no query only changes a catalog or settings, which are thrown away."""
        if isinstance(statement, PolicyStatement):
            changed = policies.apply(self.stage.market.catalog, statement)
            assert isinstance(changed, Catalog)
            return "policy"
        if isinstance(statement, SetOption):
            Settings().set(statement.name, statement.value)
            return "setting"
        return "other statement"

    def _inspect(self, plan: AnyPlan) -> None:
        market, inspector = self.stage.market, self.stage.inspector
        if isinstance(plan, PublicPlan):
            public = Catalog(tuple(table for table in market.catalog.tables if table.public))
            inspector.check(plan.sql, names_of(public))
            # Names, types and arguments of what is public are left to DuckDB; that it is SQL is not.
            with suppress(duckdb.BinderException, duckdb.InvalidInputException):
                market.connection.execute(f"EXPLAIN {plan.sql}")
            return
        for part in (part for block in plan.blocks for part in parts_of(block)):
            inspector.check(part.of.score_sql, names_of(market.catalog))
            market.connection.execute(f"EXPLAIN {part.of.score_sql}")
        released = RELEASED if isinstance(plan, Plan) else BLOCKS
        inspector.check(plan.answer_sql, frozenset(), frozenset({released}))
        check_shape(shape_of(plan), self.stage.answers)  # what a service does before it charges
