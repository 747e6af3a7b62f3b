"""Random queries over what is computed for each person apart: without one, scores move as they declare.

Then the same with faults put into derived tables on purpose, each of which is seen.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
from sqlglot import exp

from dpduck.compiler import compile as compile_
from dpduck.compiler.block import privacy_units, semi_joins, unit_aggregates, unit_local
from dpduck.compiler.block.derived_tables import UNIT, ComputedRows, DerivedTableWriter
from dpduck.compiler.block.privacy_units import Owned
from dpduck.compiler.block.row_keys import TableKey
from dpduck.compiler.block.rows import Instance, Visible
from dpduck.compiler.planner import score_sql
from dpduck.compiler.planner.plan_parts import PlanParts
from dpduck.compiler.planner.score_sql import GroupKeys
from dpduck.compiler.planner.shares import Share
from dpduck.compiler.private.type_rules import BIGINT
from dpduck.compiler.write.result_types import sum_type
from dpduck.kernel.catalog.types import SqlType, parse_type
from dpduck.kernel.plan.aggregates import Aggregate, Axis, Mean
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.keys import Key
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import AggregateCall, ColumnRef, Expression
from dpduck.kernel.tree.relations import SelectItem, SelectQuery
from dpduck.kernel.tree.walk import columns_in
from tests.depth import depth, one_in, part
from tests.fuzz import derived_queries
from tests.fuzz.derived_grammar import Derived
from tests.fuzz.grammar import Query
from tests.fuzz.haste import in_haste
from tests.fuzz.market import TIES
from tests.fuzz.random_queries import Checker, Stage
from tests.fuzz.tally import Tally

SEEDS = [f"pytest/{number}" for number in range(4)]
QUERIES = depth(100, 12)  # of each seed
MUTANT_QUERIES = 200  # within which a fault must be seen

FEATURES = (
    *("1 levels", "2 levels", "3 levels", "grouped", "windowed", "distinct", "semi joined", "grouped again"),
    *("windowed again", "distinct again", "filtered again", "joined", "left joined", "joined with table"),
    *("table joined inside", "CTE twice", "IN outside", "PIVOT", "delta", "bound on groups"),
    *("several blocks", "value in SELECT", "value in HAVING", "blocks joined", "UNION of blocks"),
    *("blocks side by side", "public rows beside", "totals", "nested", "unnested", "derived range"),
    *("joined on key", "joined on row key", "projected"),
)


@pytest.mark.parametrize("seed", part(SEEDS, 1, 4))
def test_one_customer_moves_scores_as_declared(seed: str) -> None:
    tally = derived_queries.run(seed, QUERIES)
    assert not tally.failures, "\n".join(f"{failure.reason}: {failure.text}" for failure in tally.failures)
    assert tally.outcomes["accepted"] >= 0.7 * QUERIES, tally.refusals.most_common(10)


@pytest.mark.nightly
def test_every_feature_is_tried_and_mostly_accepted() -> None:
    derived = Derived(random.Random("features"), odd=0)
    tally = derived_queries.planned(derived.query() for _ in range(250))
    rare = [name for name in FEATURES if tally.features.get(name, Counter())["accepted"] < 3]
    assert not rare
    refused = [name for name in FEATURES if _share(tally.features[name]) < 0.5]
    assert not refused


def _share(counts: Counter[str]) -> float:
    return counts["accepted"] / counts.total()


_VALUE = "(SELECT max(l_order) FROM lineitem AS w WHERE w.l_order = v.o_id) AS m"
_ORDERS = f"(SELECT o_id, o_customer, o_status, {_VALUE} FROM orders AS v) AS t"


@pytest.mark.parametrize(
    "query",
    [
        # The key of an order equals something that the order itself decides: a person has several orders.
        "SELECT o_status, count(*) FROM customer AS c "
        f"JOIN {_ORDERS} ON c.c_id = t.o_customer AND t.o_id = c.c_id * 0 + t.m GROUP BY o_status",
        "SELECT t.o_id % 3 = 1 AS g, count(*) FROM customer AS c "
        f"JOIN {_ORDERS} ON c.c_id = t.o_customer WHERE t.o_id = c.c_id * 0 + t.m GROUP BY g",
        # A key that is the value of a subquery, which is no constant.
        "SELECT count(*) FROM (SELECT o_customer, "
        "EXISTS (SELECT 1 FROM clerk WHERE k_name = v.o_clerk AND k_level > 0) AS k, max(o_price) AS a "
        "FROM orders AS v GROUP BY ALL) AS t WHERE k",
        "SELECT count(*) FROM (SELECT c_id, c_nation IN (SELECT n_id FROM nation WHERE n_id < 2) AS k "
        "FROM customer GROUP BY ALL) AS t WHERE k",
    ],
)
def test_what_random_queries_found(query: str) -> None:
    checker = Checker(Stage.open(), random.Random(query), Tally())
    for _ in range(10):
        checker.check(Query(query, frozenset()))
    assert not checker.tally.failures
    assert checker.tally.outcomes["accepted"] == 10, checker.tally.refusals


# --- the check sees faults -----------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant:
    """A rule taken out: where, and what stands there instead.

    It is looked for with queries that have `marker` in their text, and `form` among their features, or, if
    they forget the unit, a `feature`. `changes`: of the market's rows.
    """

    holder: object
    name: str
    instead: object
    marker: str = "SELECT"
    feature: str = ""
    changes: str = ""
    form: str = ""

    def queries(self, seed: str) -> Iterator[Query]:
        """Random queries that may show the fault."""
        derived = Derived(random.Random(seed), odd=bool(self.feature))
        while True:
            query = derived.query()
            if self.marker in query.text and {self.feature, self.form} - {""} <= query.features:
                yield query


_with_elements = DerivedTableWriter.with_elements
_grouped_by, _with_columns = DerivedTableWriter.grouped_by, DerivedTableWriter.with_columns
_partition, _chosen = unit_local._partition, unit_aggregates._chosen
_unit_window = unit_local.unit_window
_position = score_sql.position_of


def _by_keys_alone(rows: ComputedRows, by: Sequence[Expression]) -> ComputedRows:
    """Group by these alone, and so the rows of several people together, of whom the least has the group."""
    [instance] = rows.instances
    assert instance.derivation is not None
    query = instance.derivation.query
    unit, *items = query.items
    assert isinstance(unit, SelectItem)
    least = replace(unit, value=AggregateCall("min", (unit.value,), unit.value.type))  # type: ignore[attr-defined]
    merged = replace(query, items=(least, *items), group_by=tuple(by), distinct=False)
    other = replace(instance, derivation=replace(instance.derivation, query=merged))
    return replace(rows, instances=(other,), source=other.relation)


def _grouped_by_keys(self: DerivedTableWriter, values: Iterable[Typed]) -> ComputedRows:
    rows = _grouped_by(self, values)
    [instance] = rows.instances
    assert instance.derivation is not None
    return _by_keys_alone(rows, instance.derivation.query.group_by[1:])


def _distinct_without_unit(
    self: DerivedTableWriter, columns: Iterable[Visible], *, distinct: bool = False
) -> ComputedRows:
    rows = _with_columns(self, columns, distinct=distinct)
    return _by_keys_alone(rows, [item.value for item in self._items.values()]) if distinct else rows


def _one_row_each(
    self: DerivedTableWriter, columns: Iterable[Visible], *, distinct: bool = False
) -> ComputedRows:
    """Claim that each person has one row."""
    self.keys.append((UNIT,))
    return _with_columns(self, columns, distinct=distinct)


def _partition_without_unit(window: exp.Window, table: DerivedTableWriter) -> list[Typed]:
    return _partition(window, table)[1:]


def _any_unit(owned: Owned, *_: object) -> ColumnRef:
    return owned.unit


def _plain_sum(value: Expression, sql_type: SqlType) -> Expression:
    return AggregateCall("sum", (value,), parse_type(sum_type(sql_type)))


def _any_window(*arguments: Any) -> Typed:
    """Take rows that are equal in ORDER BY as they come."""
    return _unit_window(*arguments[:3], ())


def _any_of_best(call: unit_aggregates._Call, name: str, value: Typed, by: Typed) -> Typed:
    """Take the first row with the least or greatest y."""
    known = call.kept(value.node)
    return Typed(AggregateCall(name, (known, by.node), value.type), value.type, value.domain, ends=value.ends)


def _first_value(call: unit_aggregates._Call) -> Typed:
    value = call.argument()
    node = AggregateCall("first", (call.kept(value.node),), value.type)
    return Typed(node, value.type, value.domain, ends=value.ends)


def _all_groups(self: PlanParts, request: Aggregate, _: int | None) -> SelectQuery:
    question = self.question
    return score_sql.score_sql(question.owned, GroupKeys(question.keys, None), request, self._salt)


def _one_row_in_first(self: Owned, keys: Sequence[tuple[Key, Typed]]) -> bool:
    """Whether the first table of a join has one row, whatever the others multiply."""
    first = self.rows.instances[:1]
    alone = replace(self, rows=replace(self.rows, instances=first))
    return bool(_has_one_row_in(alone, keys)) or first[0].table.unit_is_unique


_has_one_row_in = Owned.has_one_row_in


def _reads_only_beside_subqueries(node: Expression, instances: Sequence[Instance]) -> bool:
    """Overlook what the subqueries of an expression read."""
    columns = list(columns_in(node))
    return bool(columns) and all(any(one.owns(column) for one in instances) for column in columns)


def _one_element_each(self: DerivedTableWriter, *arguments: Any) -> tuple[ComputedRows, Typed]:
    """Claim that each person has one element of a list."""
    rows, elements = _with_elements(self, *arguments)
    [instance] = rows.instances
    table = replace(instance.table, unit_is_unique=True, primary_key=(UNIT,), unique_keys=((UNIT,),))
    return replace(rows, instances=(replace(instance, table=table),)), elements


def _whole_budget(plans: Sequence[Plan], epsilon: Fraction, delta: Fraction) -> tuple[Share, ...]:
    """Let each block spend what all of them may."""
    return tuple(Share(epsilon, delta) for _ in plans)


_row_keys_of = Owned.row_keys_of


def _any_row_key(self: Owned, value: Expression) -> frozenset[TableKey]:
    """Take a number of an order line for the key of its order."""
    lines = [one for one in self.rows.instances if one.table.name == "lineitem"]
    if any(value == one.column("l_part") for one in lines):
        return frozenset(key for one in lines for _, key in one.row_keys)
    return _row_keys_of(self, value)


def _unclamped_position(value: Typed, request: Mean | Axis) -> Expression:
    """Take numbers beyond their range as they are, up to ten times its width."""
    width = request.high - request.low
    ticks = request.ticks * 21
    wide = replace(request, low=request.low - 10 * width, high=request.high + 10 * width, ticks=ticks)
    moved = _position(value, wide)
    return build.call("-", BIGINT, moved, build.literal(10 * request.ticks, BIGINT))


MUTANTS = {
    "groups of several people": Mutant(DerivedTableWriter, "grouped_by", _grouped_by_keys, "GROUP BY"),
    "DISTINCT over several people": Mutant(
        DerivedTableWriter, "with_columns", _distinct_without_unit, "SELECT DISTINCT"
    ),
    "windows over several people": Mutant(
        unit_local, "_partition", _partition_without_unit, "OVER (PARTITION BY"
    ),
    "EXISTS over several people": Mutant(
        semi_joins, "_unit_outside", _any_unit, feature="EXISTS over several"
    ),
    "IN over several people": Mutant(semi_joins, "_unit_outside", _any_unit, feature="IN over several"),
    "an average of several people": Mutant(
        semi_joins, "_unit_outside", _any_unit, feature="value of several"
    ),
    "strangers joined": Mutant(
        privacy_units, "_check_one_class", lambda *_: None, feature="strangers joined"
    ),
    "keys that subqueries seem to determine": Mutant(
        privacy_units, "_reads_only", _reads_only_beside_subqueries, "WHERE t.o_id = c.c_id * 0 + t.m"
    ),
    "sums that overflow": Mutant(unit_aggregates, "_exact_sum", _plain_sum, "sum(v_huge"),
    "windows by the order of rows": Mutant(
        unit_local, "unit_window", _any_window, "ROWS BETWEEN", changes=TIES
    ),
    "row numbers by the order of rows": Mutant(
        unit_local, "unit_window", _any_window, "row_number() OVER (PARTITION BY o_", changes=TIES
    ),
    "any of the largest": Mutant(
        unit_aggregates, "_chosen", _any_of_best, "ORDER BY o_seen) AS a", changes=TIES
    ),
    "any value": Mutant(
        unit_aggregates,
        "_READERS",
        {**unit_aggregates._READERS, exp.AnyValue: _first_value},
        "any_value(",
        changes=TIES,
    ),
    "several rows counted as one": Mutant(
        DerivedTableWriter, "with_columns", _one_row_each, "SELECT count(*) FROM (SELECT DISTINCT"
    ),
    "joins multiply rows": Mutant(
        Owned, "has_one_row_in", _one_row_in_first, "SELECT count(*) FROM (SELECT x.u"
    ),
    "totals are not clamped": Mutant(score_sql, "clamped_total", lambda total, *_: total, " sum("),
    "groups are not bounded": Mutant(PlanParts, "scores", _all_groups, "max_groups"),
    "groups of a block are not bounded": Mutant(PlanParts, "scores", _all_groups, form="several blocks"),
    "totals of a block are not clamped": Mutant(
        score_sql, "clamped_total", lambda total, *_: total, "sum(", form="several blocks"
    ),
    "groups with totals are not bounded": Mutant(PlanParts, "scores", _all_groups, form="totals"),
    "a block spends the whole": Mutant(compile_, "shares_of", _whole_budget, form="several blocks"),
    "a second block beside public rows": Mutant(
        score_sql, "clamped_total", lambda total, *_: total, "sum(", form="public rows beside"
    ),
    "one element of each list": Mutant(
        DerivedTableWriter, "with_elements", _one_element_each, "count(*)", form="unnested"
    ),
    "fields beyond their domain": Mutant(
        score_sql, "is_candidate", lambda *_: None, "f_home.city AS k", form="nested"
    ),
    "numbers beyond their range": Mutant(
        score_sql, "position_of", _unclamped_position, "avg(", form="derived range"
    ),
    "a key of several people": Mutant(Owned, "row_keys_of", _any_row_key, feature="row key of several"),
}


@pytest.mark.parametrize("name", one_in(2, MUTANTS))
def test_a_fault_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = MUTANTS[name]
    monkeypatch.setattr(mutant.holder, mutant.name, mutant.instead)
    checker = Checker(Stage.open(mutant.changes), random.Random(name), Tally())
    with in_haste():
        for query in islice(mutant.queries(name), MUTANT_QUERIES):
            checker.check(query)
            if checker.tally.failures:
                return
    pytest.fail(f"not seen: {checker.tally.outcomes} {checker.tally.refusals.most_common(5)}")
