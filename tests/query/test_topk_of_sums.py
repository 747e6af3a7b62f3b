"""ORDER BY sum(x) DESC LIMIT k: the groups are chosen by their sums, and only those shown are measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from dpduck.answers.explain import explain
from dpduck.compiler.block.question import AggregateQuery
from dpduck.compiler.planner import clamped_sums, largest_groups
from dpduck.compiler.planner.choose import choose
from dpduck.compiler.planner.plan_parts import QueryBudget
from dpduck.doors.audit import moves
from dpduck.engines.duckdb.engine import DuckEngine
from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import (
    BoundedSums,
    ClampChoice,
    ClampedSums,
    Composed,
    GaussianNoise,
    GaussianTopK,
    GumbelTopK,
    NoisyTopK,
)
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.model import Catalog, Column, Contribution, RangeDomain, Table
from dpduck.kernel.plan import cost
from dpduck.kernel.plan.cost import column_error, expected_error
from dpduck.kernel.plan.model import EveryKey, LargestKeys, Plan
from dpduck.kernel.plan.prices import event_of
from dpduck.kernel.release import candidates, release
from tests.mechanisms.mutation import Mutant, pair_of_tests
from tests.query import quiet
from tests.query.shop import plan
from tests.query.test_planner import Spread, catalog
from tests.sources import Seeded

SUM = "sum(x, contribution_bounds_per_group => (0, 100))"
TOP = f"SELECT g, {SUM} AS s FROM t GROUP BY g ORDER BY s DESC LIMIT 10"
SIGNED = TOP.replace(SUM, "sum(x - 40, contribution_bounds_per_group => (-40, 60))")
ONE = Fraction(1)
NONE = Fraction(0)


def made(query: str = TOP, groups: int | None = None, delta: Fraction = NONE, size: int = 300) -> Plan:
    return plan(query, catalog(size, groups), epsilon=ONE, delta=delta)


def selection(query: str = TOP, groups: int | None = None) -> LargestKeys:
    found = made(query, groups).selection
    assert isinstance(found, LargestKeys)
    return found


# When, and at what price


def test_sums_rank_where_that_is_less_than_a_histogram() -> None:
    assert selection().spread == 100
    assert isinstance(made(groups=1).selection, EveryKey)
    assert isinstance(made(TOP.replace("10", "100")).selection, LargestKeys)
    assert isinstance(made(TOP.replace("10", "300")).selection, EveryKey)
    assert column_error(made())["a0"] < column_error(made(TOP.replace(" LIMIT 10", "")))["a0"] / 10


@pytest.mark.parametrize(
    "query",
    [
        TOP.replace("ORDER", "HAVING sum(x) < 9 ORDER"),
        TOP.replace("ORDER", "HAVING count(*) > 9 ORDER"),
        TOP.replace("DESC", "ASC"),
        TOP.replace("SELECT g", "SELECT DISTINCT g"),
        TOP.replace(SUM, "avg(x)"),
        TOP.replace("ORDER BY s", "ORDER BY s / 2"),
        TOP.replace("AS s", "AS s, rank() OVER (ORDER BY sum(x)) AS r"),
        TOP.replace("GROUP BY g", "GROUP BY ROLLUP (g)"),
    ],
)
def test_other_forms_measure_all_groups(query: str) -> None:
    assert isinstance(made(query).selection, EveryKey)


def check_spreads() -> None:
    """From 40 below to 60 above: 100, not 60, and not 120."""
    assert selection(SIGNED).spread == 100
    assert selection(TOP.replace(SUM, "sum(-x, contribution_bounds_per_group => (-50, 0))")).spread == 50
    above = TOP.replace(SUM, "sum(x, contribution_bounds_per_group => (20, 50))")
    assert selection(above).spread == 50  # a unit need not be there


@pytest.mark.parametrize("query", [TOP, SIGNED])
def test_the_charge_is_that_of_the_release(query: str) -> None:
    found = made(query)
    event = event_of(found)
    assert isinstance(event, Composed)
    assert [type(part) for part in event.parts] == [NoisyTopK, BoundedSums]
    assert (event.epsilon, event.delta) == (1, 0)
    assert release(found, Spread(300, spread=1000), Seeded("charge")).event == event


def test_other_numbers_are_measured_for_the_groups_shown() -> None:
    found = made(TOP.replace("AS s", "AS s, count(*) AS n"))
    assert isinstance(found.selection, LargestKeys)
    assert [measure.groups for measure in found.measures] == [10, 10]
    assert event_of(found).epsilon == 1


def test_gaussian_noise_is_less_where_there_is_a_delta() -> None:
    found = made(delta=Fraction(1, 10**6))
    assert [measure.gaussian is not None for measure in found.measures] == [True]
    assert column_error(found)["a0"] < column_error(made())["a0"]
    assert event_of(found).delta == Fraction(1, 10**6)


def test_many_are_chosen_with_half_of_a_delta() -> None:
    found = made(TOP.replace("10", "40"), delta=Fraction(1, 10**6), size=2000)
    assert isinstance(found.selection, LargestKeys)
    assert (found.selection.gaussian, found.selection.counted) == (True, None)
    event = event_of(found)
    assert isinstance(event, Composed)
    assert [type(part) for part in event.parts] == [GaussianTopK, GaussianNoise]
    assert (event.epsilon, event.delta) == (1, Fraction(1, 10**6))
    assert release(found, Spread(2000, spread=1000), Seeded("delta")).event == event
    text = explain(found, {}).text
    assert text.startswith("Gumbel top-k by sums: the 40 largest")
    assert "with a delta, correlated Gaussian noise" in text
    cost_of(event)


# With a clamp that is chosen privately

UNBOUNDED = TOP.replace(SUM, "sum(x)")
BOTH_SIGNS = TOP.replace(SUM, "sum(x - 40)")


def clamped(query: str = UNBOUNDED, groups: int | None = None, size: int = 300) -> LargestKeys:
    found = made(query, groups, size=size).selection
    assert isinstance(found, LargestKeys)
    assert found.clamped is not None
    return found


def test_a_clamp_is_chosen_before_the_groups() -> None:
    assert clamped().spread == 1
    assert clamped(BOTH_SIGNS).spread == 2
    assert isinstance(made(UNBOUNDED, groups=4).selection, EveryKey)
    assert isinstance(made(UNBOUNDED.replace("10", "300")).selection, EveryKey)
    ranked, every = made().selection, made(UNBOUNDED).alternatives
    assert isinstance(ranked, LargestKeys)
    assert ranked.clamped is None
    assert [one.is_taken for one in every] == [False, True]
    assert every[0].error > 10 * every[1].error


def check_sign() -> None:
    """Noise for one sign needs totals that are clamped at 0, whatever domains say of values."""
    for query, signed in ((UNBOUNDED, False), (BOTH_SIGNS, True)):
        found = clamped(query)
        assert found.spread == 1 + signed
        at_zero = "greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('0' AS" in found.score_sql
        assert at_zero != signed


@pytest.mark.parametrize("query", [UNBOUNDED, BOTH_SIGNS])
def test_clamp_groups_and_sums_are_paid_for(query: str, sales: duckdb.DuckDBPyConnection) -> None:
    found = plan(query, of_sales(), epsilon=ONE, delta=NONE)
    event = event_of(found)
    assert isinstance(event, Composed)
    assert [type(part) for part in event.parts] == [NoisyTopK, ClampChoice, ClampedSums]
    assert (event.epsilon, event.delta) == (1, 0)
    with DuckEngine(sales).open(Interrupts()) as reader:
        assert release(found, reader, Seeded("paid")).event == event


@pytest.mark.parametrize("query", [UNBOUNDED, BOTH_SIGNS])
def test_a_unit_moves_one_total_of_each_group(sales: duckdb.DuckDBPyConnection, query: str) -> None:
    """Also one whose values are beside the domain: what ranks groups is never below 0 then."""
    found = plan(query, of_sales(), epsilon=ONE, delta=NONE)
    extra = "INSERT INTO t SELECT 5, i % 50, CASE WHEN i % 2 = 0 THEN -2000000000 ELSE 2000000000 END"
    with duckdb.connect() as full, duckdb.connect() as less:
        for connection in (full, less):
            connection.register("everyone", sales.sql("SELECT * FROM t").to_arrow_table())
            connection.execute("CREATE TABLE t AS FROM everyone")
            connection.execute(f"{extra} FROM range(300) AS r(i)")
        less.execute("DELETE FROM t WHERE u = 5")
        moves.check(found, full, [less])


def test_without_noise_the_largest_are_found(sales: duckdb.DuckDBPyConnection) -> None:
    ranked = plan(UNBOUNDED, of_sales(), epsilon=Fraction(1000), delta=NONE)
    truth = dict(sales.execute("SELECT g, sum(x) FROM t GROUP BY g ORDER BY 2 DESC").fetchall())
    found = [truth[g] for g, _ in quiet.answer(ranked, sales).fetchall()]
    assert sorted(found, reverse=True) == list(truth.values())[:10]


def test_counts_of_rows_rank_in_the_same_way(sales: duckdb.DuckDBPyConnection) -> None:
    query = "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (count = 'rows') g, count(*) AS n FROM t GROUP BY g "
    found = plan(f"{query}ORDER BY n DESC LIMIT 3", of_sales(), epsilon=ONE, delta=NONE)
    assert isinstance(found.selection, LargestKeys)
    assert found.selection.clamped is not None
    assert found.selection.clamped.counts
    assert len(quiet.answer(found, sales).fetchall()) == 3


MUTANTS = [
    Mutant("signed sums as if of one sign", cost.spread_of, "(high - low)", "max(high, -low)", check_spreads),
    Mutant("both signs are counted in full", cost.spread_of, "high - low", "2 * high - low", check_spreads),
    Mutant(
        "totals of both signs as if of one",
        largest_groups._by_clamped_sums,
        "spread=1 if ranked.above_zero else 2",
        "spread=1",
        check_sign,
    ),
    Mutant(
        "policies are believed for the sign",
        clamped_sums.with_clamp,
        "above_zero=request.clamping.lowers",
        "above_zero=False",
        check_sign,
    ),
    Mutant(
        "each unit is in each group",
        cost.spread_of,
        "min(Fraction(request.low), Fraction(0))",
        "Fraction(request.low)",
        check_spreads,
    ),
]
test_each_mistake_is_caught, test_each_check_passes = pair_of_tests(MUTANTS)


# What it promises


def test_the_error_is_that_of_the_groups_shown() -> None:
    """10 groups at half of epsilon: a scale of 2,000."""
    found = made()
    assert expected_error(found)["s"] == column_error(found)["a0"] == pytest.approx(2000 * 3, rel=0.01)
    text = explain(found, {}).text
    assert text.startswith("noisy top-k by sums: the 10 largest of the 300 public values of g")
    assert "plan      -> noisy top-k by sums" in text
    assert "0.5 selects, 0.5 for s" in text


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("spread", [100, 10**9])
def test_released_intervals_are_kept(spread: int) -> None:
    """Whether noise chooses or not, as sums are measured after the choice."""
    found, covered = made(), []
    for run in range(150):
        out = release(found, Spread(300, spread=spread), Seeded("sums kept", run))
        truth = (300 - np.array(out.columns["k0"].to_pylist())) * spread
        covered.append(np.abs(np.array(out.columns["a0"], dtype=float) - truth) <= column_error(found)["a0"])
    assert np.mean(covered) == pytest.approx(0.95, abs=0.025)


# On data


@pytest.fixture(scope="module")
def sales() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (u INTEGER, g INTEGER, x INTEGER)")
    connection.execute("INSERT INTO t SELECT i % 97, (i * i) % 50, (i * 31) % 101 FROM range(4000) AS r(i)")
    yield connection
    connection.close()


def of_sales() -> Catalog:
    columns = (
        Column("u", "INTEGER"),
        Column("g", "INTEGER", RangeDomain(0, 49, 1)),
        Column("x", "INTEGER", RangeDomain(0, 100, 1)),
    )
    return Catalog((Table("memory", "main", "t", columns, unit="u", contribution=Contribution(None, None)),))


@pytest.mark.parametrize("low", [0, -40])
def test_without_noise_it_is_the_answer_of_a_histogram(sales: duckdb.DuckDBPyConnection, low: int) -> None:
    query = TOP.replace(SUM, f"sum(x + {low}, contribution_bounds_per_group => ({low}, 60))")
    ranked = plan(query, of_sales(), epsilon=ONE, delta=NONE)
    every = plan(query.replace("LIMIT 10", ""), of_sales(), epsilon=ONE, delta=NONE)
    assert isinstance(ranked.selection, LargestKeys)
    one, all_ = (quiet.answer(found, sales).fetchall() for found in (ranked, every))
    assert [s for _, s in one] == [s for _, s in all_[:10]]
    assert set(one) <= set(all_)


@pytest.mark.parametrize("query", [TOP, SIGNED])
def test_a_unit_moves_sums_apart_by_no_more_than_the_spread(
    sales: duckdb.DuckDBPyConnection, query: str
) -> None:
    found = plan(query, of_sales(), epsilon=ONE, delta=NONE)
    without = duckdb.connect()
    without.register("everyone", sales.sql("SELECT * FROM t").to_arrow_table())
    without.execute("CREATE TABLE t AS SELECT * FROM everyone WHERE u <> 5")
    moves.check(found, sales, [without])
    assert isinstance(found.selection, LargestKeys)
    small = replace(found, selection=replace(found.selection, spread=60))
    with pytest.raises(moves.ViolationError, match="too far apart"):
        moves.check(small, sales, [without])


def test_sums_of_any_size_are_ranked() -> None:
    """Clamped far beyond all others: nothing fails, and no two sums move further apart."""
    huge = [10**37, -(10**37), 5, 2**61, 2**62]
    scores = candidates._clamped(pa.array(huge, pa.decimal128(38, 0)))
    assert scores.tolist() == [2**60, -(2**60), 5, 2**60, 2**60]


def test_budgets_in_rho_choose_with_gumbel_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    questions: list[AggregateQuery] = []

    def asked(question: AggregateQuery, *rest: object) -> object:
        questions.append(question)
        return choose(question, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("dpduck.compiler.compile.statement.choose", asked)
    made()
    found = choose(questions[0], QueryBudget(ONE, NONE, accounting="zcdp"), None, 0, None)  # type: ignore[arg-type]
    assert isinstance(found, Plan)
    event = event_of(found)
    assert isinstance(event, Composed)
    assert [type(part) for part in event.parts] == [GumbelTopK, BoundedSums]
    assert cost_of(event.parts[0]).rho == Fraction(1, 4) / 80
    assert explain(found, {}).text.startswith("Gumbel top-k by sums")
    assert release(found, Spread(300, spread=1000), Seeded("gumbel")).event == event
