"""Random queries of the accepted grammar: one customer moves the scores as the plan says, and never more.

What runs here is a short piece of `python -m benchmarks fuzz`, from fixed seeds; run that for longer, or with
another --seed. The second half shows that the check sees faults: score SQL with one rule taken out of it is
caught within a few hundred queries.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count, islice

import duckdb
import pytest

from dpduck.compiler.block import privacy_units
from dpduck.compiler.planner import score_sql
from dpduck.compiler.planner.plan_parts import PlanParts
from dpduck.compiler.planner.score_sql import GroupKeys
from dpduck.compiler.private.type_rules import BIGINT
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.catalog.types import SqlType, parse_type
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.plan.aggregates import Aggregate, Axis, Count, Mean, Moments, Quantile, Sum
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.tree import build, emit
from dpduck.kernel.tree.nodes import Comparison, Expression, Star, WindowCall
from dpduck.kernel.tree.relations import JoinedTables, SelectItem, SelectQuery
from tests.depth import depth, one_in
from tests.fuzz import random_queries
from tests.fuzz.gate import plan_text
from tests.fuzz.grammar import Grammar, Query
from tests.fuzz.random_queries import Checker, Stage
from tests.fuzz.rowwise import Rowwise
from tests.fuzz.sources import TABLES
from tests.fuzz.tally import Tally

SEEDS = [f"pytest/{number}" for number in range(6)]
QUERIES = depth(250, 20, 10)  # from each seed
MUTANT_QUERIES = 300  # within which a fault must be seen

FEATURES = (
    *("one table", "view", "CTE", "subquery", "self join", "left join", "join along link", "join in WHERE"),
    *("join public table", "WHERE", "GROUP BY", "no GROUP BY", "key column", "key expression"),
    *("key without domain", "HAVING", "QUALIFY", "ORDER BY", "top k", "threshold", "outer query", "OPTIONS"),
    *(
        "bound on groups",
        "FILTER",
        "count",
        "count(DISTINCT)",
        "count_if",
        "sum",
        "avg",
        "median",
        "mode",
        "min",
    ),
    *("max", "quantile_cont", "quantile_disc", "percentile_cont", "approx_top_k, histogram", "FROM first"),
    "arithmetic on aggregates",
)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_unit_moves_scores_as_promised(seed: str) -> None:
    tally = random_queries.run(seed, QUERIES)
    assert not tally.failures, "\n".join(f"{failure.reason}: {failure.text}" for failure in tally.failures)
    assert tally.outcomes["refused"] <= 0.1 * tally.total, tally.refusals.most_common(10)


@pytest.mark.nightly
def test_every_feature_is_tried_and_mostly_accepted() -> None:
    tally, market, grammar = Tally(), Stage.open().markets[0], Grammar(random.Random("features"))
    for query in [grammar.query() for _ in range(1400)]:
        try:
            plan_text(query.text, market.catalog, PublicFacts(market.connection))
        except DpduckError:
            tally.count("refused", query.features)
        else:
            tally.count("accepted", query.features)
    rare = [name for name in FEATURES if tally.features.get(name, Counter())["accepted"] < 3]
    assert not rare
    refused = [name for name in FEATURES if _share(tally.features[name]) < 0.8]
    assert not refused


def _share(counts: Counter[str]) -> float:
    return counts["accepted"] / counts.total()


@pytest.mark.parametrize("table", ["customer", "orders", "visit"])
def test_conditions_mean_what_plain_duckdb_means(table: str) -> None:
    market = Stage.open().markets[0]
    unit = next(name for name, kind in TABLES[table].items() if kind == "unit")
    columns = {name: kind.rstrip("!?") for name, kind in TABLES[table].items() if kind != "unit"}
    columns.pop("v_huge", None)  # the least of all numbers has no quotient here, and in DuckDB it has
    rowwise, compared = Rowwise(random.Random(table), columns), 0
    for _ in range(150):
        condition = rowwise.test(3)
        plain = f"SELECT count(DISTINCT {unit}) FROM {table} WHERE {condition}"
        try:
            made = plan_text(
                plain.replace(f"DISTINCT {unit}", "*"), market.catalog, PublicFacts(market.connection)
            )
            expected = market.connection.execute(plain).fetchall()
        except (DpduckError, duckdb.Error):
            continue  # plain DuckDB may fail on a row where the translation gives NULL
        compared += 1  # a condition that is never true has a public answer
        text = made.measures[0].score_sql if isinstance(made, Plan) else made.sql
        assert market.connection.execute(text).fetchall() == expected, condition
    assert compared >= 75


# --- the check sees faults -----------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant:
    """A rule taken out: where, what stands there instead, how it is found out, and by queries with what."""

    holder: object
    name: str
    instead: Callable[..., object]
    reason: str
    marker: str = "SELECT"
    query: str = ""  # the only one that is tried, if random ones take long


def _counts_rows(self: score_sql._Writer, request: Count) -> SelectQuery:
    return self._total(self._rows(request.conditions), score_sql._COUNT)


def _sum_without_clamp(self: score_sql._Writer, request: Sum) -> SelectQuery:
    rows = self._rows(
        (*request.conditions, *score_sql.is_number(request.value)),
        score_sql.fixed_point(request.value, request),
    )
    ticks = parse_type(request.ticks)
    part = build.converted(score_sql._sum_of(score_sql._column("value", ticks)), ticks)
    return self._total(self._parts(rows, part), score_sql._score_sum(ticks))


def _all_groups(self: PlanParts, request: Aggregate, _: int | None) -> SelectQuery:
    question = self.question
    return score_sql.score_sql(question.owned, GroupKeys(question.keys, None), request, self._salt)


_bounded_rows = score_sql._Writer._rows


def _rare_groups(
    self: score_sql._Writer, conditions: tuple[Expression, ...], *values: Expression
) -> SelectQuery:
    """Of each unit, the groups with fewest rows of all units, instead of a choice by a hash."""
    writer = score_sql._Writer(self._owned, replace(self._groups, most=None), 0)
    rows, most = _bounded_rows(writer, conditions, *values), self._groups.most
    if most is None:
        return rows
    size = WindowCall(build.count_rows(), self._keys, ())
    counted = score_sql._select([Star("t"), SelectItem(size, "size")], rows)
    order = score_sql._column("size", BIGINT), *self._keys
    place = WindowCall(build.call("dense_rank", BIGINT), (self._unit,), order)
    return score_sql._first(counted, place, "place", most)


def _all_rows(self: score_sql._Writer, rows: SelectQuery, types: Sequence[SqlType], most: int) -> SelectQuery:
    return rows


def _weight_of_all(size: Expression, request: Quantile) -> Expression:
    """The weight of all rows of a unit, instead of that of one."""
    return _weight_of(size, replace(request, rows=1_000_000))


_weight_of = score_sql._weight_of
_position = score_sql.position_of
_moments = score_sql._Writer._moments
_weights = score_sql._weights
_follow = privacy_units._follow_links


def _twice(value: Typed, request: Mean | Axis) -> Expression:
    return build.call("*", BIGINT, _position(value, request), build.digits(2))


def _weights_of_all(self: score_sql._Writer, request: Moments) -> SelectQuery:
    """The weights of all rows of a unit, instead of those of one."""
    return _moments(self, replace(request, rows=1_000_000))


def _square_weights(request: Moments, ticks: SqlType) -> list[Expression]:
    """Weights that do not add up to the same for each value: those of three sums of 1, u and u^2."""
    return [build.literal(request.axes[0].ticks ** 2, ticks), *_weights(request, ticks)[1:]]


def _loose_link(*arguments: object) -> object:
    """A linked row meets three rows, and so several people."""
    rows, instance = _follow(*arguments)  # type: ignore[arg-type]
    source = rows.source
    if not isinstance(source, JoinedTables):
        return rows, instance
    [test] = source.on
    assert isinstance(test, Comparison)
    sides = (build.call("%", side.type, side, build.digits(40)) for side in (test.left, test.right))
    return replace(rows, source=replace(source, on=(Comparison("=", *sides),))), instance


def _whole_budget(self: PlanParts, _: Sequence[Aggregate], weights: Sequence[float]) -> list[Fraction]:
    return [self.budget.epsilon for _ in weights]


def _bare_call(function: str, *arguments: str) -> str:
    return f'"{function}"({", ".join(arguments)})'


_BOUNDED_GROUPS = """
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1, max_groups_contributed = 2) o_day, count(*) FROM orders
GROUP BY o_day
"""

MUTANTS = {
    "rows are counted, not units": Mutant(
        score_sql._Writer, "_count_units", _counts_rows, "a count moves by"
    ),
    "totals are not clamped": Mutant(
        score_sql._Writer, "_sum", _sum_without_clamp, "a sum moves too far", "sum("
    ),
    "groups are not bounded": Mutant(PlanParts, "scores", _all_groups, "too many groups", "max_groups"),
    "groups are chosen by others' rows": Mutant(
        score_sql._Writer, "_rows", _rare_groups, "too many groups", query=_BOUNDED_GROUPS
    ),
    "links join many to many": Mutant(
        privacy_units, "_follow_links", _loose_link, "a count moves by", "lineitem"
    ),
    "rows are not bounded": Mutant(score_sql._Writer, "_choose_rows", _all_rows, "too many values"),
    "quantiles take all rows": Mutant(score_sql, "_weight_of", _weight_of_all, "too many values", "median("),
    "means are not clamped": Mutant(score_sql, "position_of", _twice, "a mean moves too far", "avg("),
    "arguments of statistics are not clamped": Mutant(
        score_sql, "position_of", _twice, "a weight is negative", "stddev("
    ),
    "moments take all rows": Mutant(
        score_sql._Writer, "_moments", _weights_of_all, "moments move too far", "stddev("
    ),
    "pairs take all rows": Mutant(
        score_sql._Writer, "_moments", _weights_of_all, "moments move too far", "regr_slope("
    ),
    "moments have noise of one sum each": Mutant(
        score_sql, "_weights", _square_weights, "moments move too far", "stddev("
    ),
    "any value is a candidate": Mutant(score_sql, "is_candidate", lambda *_: None, "a group is no candidate"),
    "epsilon is spent on each": Mutant(PlanParts, "shares", _whole_budget, "the parts do not cost epsilon"),
    "functions have no schema": Mutant(emit, "call", _bare_call, "without its whole name"),
}


@pytest.mark.parametrize("name", one_in(2, MUTANTS))
def test_a_fault_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = MUTANTS[name]
    monkeypatch.setattr(mutant.holder, mutant.name, mutant.instead)
    checker = Checker(Stage.open(), random.Random(name), Tally())
    grammar = Grammar(random.Random(f"{name} grammar"))
    texts = (grammar.query() if not mutant.query else Query(mutant.query, frozenset()) for _ in count())
    queries = (query for query in texts if mutant.marker in query.text)
    for query in islice(queries, MUTANT_QUERIES):
        checker.check(query)
        if any(mutant.reason in failure.reason for failure in checker.tally.failures):
            return
    pytest.fail(f"not seen in {MUTANT_QUERIES} queries: {checker.tally.failures[:3]}")


@pytest.mark.parametrize(
    "query",
    [
        "SELECT o_day, count(*) FROM customer, orders GROUP BY o_day",
        "SELECT o_day, count(*) FROM customer JOIN orders ON c_nation = o_id % 4 GROUP BY o_day",
        "SELECT b.v_tiny, count(*) FROM visit AS a JOIN visit AS b USING (v_page) GROUP BY 1",
    ],
)
def test_strangers_meeting_is_seen(query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Joins that are refused for good reason: were they not, the check would see it."""
    monkeypatch.setattr(privacy_units, "_check_one_class", lambda *_: None)
    checker = Checker(Stage.open(), random.Random(query), Tally())
    for _ in range(10):
        checker.check(Query(query, frozenset()))
    assert any("a count moves by" in failure.reason for failure in checker.tally.failures)
