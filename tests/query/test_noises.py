"""Which noise a plan has: that of the least error where a delta is given, and what is asked for."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import duckdb
import numpy as np
import pytest

import dpduck
from dpduck.compiler.planner.shares import shares_of
from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import Composed, GaussianKeys, GaussianNoise
from dpduck.kernel.accounting.gaussian import delta_of_gaussian, most_mu_squared
from dpduck.kernel.catalog.model import Column
from dpduck.kernel.errors import DpduckError, InternalError
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.cost import column_error, expected_error, variances_of
from dpduck.kernel.plan.model import FoundKeys, Gaussian, LargestKeys, Measure, Plan
from dpduck.kernel.plan.prices import event_of
from dpduck.kernel.release import release
from tests.query.shop import any_plan, plan
from tests.query.test_planner import Spread, catalog
from tests.sources import Seeded

COUNTS = "SELECT g, count(*) AS n FROM t GROUP BY g"
MILLIONTH = Fraction(1, 10**6)
ONE = Fraction(1)


def made(query: str, size: int = 64, groups: int | None = 16, delta: Fraction = MILLIONTH) -> Plan:
    return plan(query, catalog(size, groups), epsilon=ONE, delta=delta)


def noises(query: str, size: int = 64, groups: int | None = 16, delta: Fraction = MILLIONTH) -> list[str]:
    return [noise_of(measure) for measure in made(query, size, groups, delta).measures]


def noise_of(measure: Measure) -> str:
    if measure.gaussian is None:
        return "laplace"
    return "gaussian" if measure.gaussian.size is None else "correlated"


# The choice


@pytest.mark.parametrize(
    ("size", "groups", "noise"),
    [
        (64, 1, "laplace"),
        (1000, 7, "laplace"),
        (1000, 10, "gaussian"),
        (1000, 16, "gaussian"),
        (64, 16, "correlated"),
        (16, None, "correlated"),
        (3, None, "laplace"),
        (7, None, "correlated"),
    ],
)
def test_the_noise_of_the_least_error_is_chosen(size: int, groups: int | None, noise: str) -> None:
    found = made(COUNTS, size, groups)
    assert list(map(noise_of, found.measures)) == [noise]
    assert min(one.error for one in found.alternatives) == column_error(found)["a0"]
    assert noises(COUNTS, size, groups, Fraction(0)) == ["laplace"]


@pytest.mark.parametrize(("size", "deviation"), [(16, 10.56), (64, 19.0)])
def test_the_deviations_are_those_of_the_table(size: int, deviation: float) -> None:
    """At epsilon 1 and delta 1e-6, for units that may be in all groups."""
    [measure] = made(COUNTS, size, None).measures
    assert math.sqrt(variances_of(measure).total) == pytest.approx(deviation, rel=0.005)


def test_the_alternatives_are_listed_with_their_half_widths() -> None:
    assert [(one.title, round(one.error)) for one in made(COUNTS, 16, None).alternatives] == [
        ("histogram of all 16 groups", 48),
        ("histogram of all 16 groups, correlated Gaussian noise", 21),
        ("histogram of all 16 groups, Gaussian noise", 33),
    ]


GAUSSIAN = "WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = 'gaussian')"


@pytest.mark.parametrize(
    "rest",
    [
        "sum(x, contribution_bounds_per_group => (0, 50)) AS n FROM t GROUP BY ROLLUP (g)",
        "count(*) AS n FROM t GROUP BY GROUPING SETS ((g), ())",
    ],
)
def test_noise_of_numbers_whose_totals_are_shown_is_not_shared(rest: str) -> None:
    """The shared part of a total would not average out."""
    assert noises(f"SELECT {GAUSSIAN} g, {rest}", 16, None) == ["gaussian"]


def test_the_error_of_totals_is_that_of_independent_noise() -> None:
    found = made(f"SELECT {GAUSSIAN} g, count(*) AS n FROM t GROUP BY ROLLUP (g)", 16, None)
    [measure] = found.measures
    total = 1.96 * math.sqrt(16 * float(variances_of(measure).total))
    assert total <= expected_error(found)["n"] <= total * 1.1


def test_sums_with_signs_share_no_noise() -> None:
    signed = "sum(x - 50, contribution_bounds_per_group => (-50, 50))"
    plain = "sum(x, contribution_bounds_per_group => (0, 50))"
    assert noises(f"SELECT g, {signed} AS s, {plain} AS t FROM t GROUP BY g", 32, None) == [
        "gaussian",
        "correlated",
    ]


def test_what_is_no_count_or_sum_keeps_its_own_noise() -> None:
    found = made("SELECT g, count(*) AS n, avg(x) AS m, median(x) AS q FROM t GROUP BY g", 64, None)
    assert list(map(noise_of, found.measures)) == ["correlated", "laplace", "laplace"]
    assert cost_of(event_of(found)).epsilon == 1
    assert event_of(found).delta == MILLIONTH


def test_several_counts_of_all_rows_may_share_one_delta() -> None:
    many = ", ".join(f"count(*) FILTER (WHERE x > {i}) AS n{i}" for i in range(30))
    assert set(noises(f"SELECT {many} FROM t")) == {"gaussian"}
    assert noises("SELECT count(*) AS n FROM t") == ["laplace"]


def test_other_numbers_of_selected_groups() -> None:
    total = "sum(x, contribution_bounds_per_group => (0, 50))"
    found = made(f"SELECT g, {total} AS s FROM t GROUP BY g ORDER BY count(*) DESC LIMIT 10", 100_000, None)
    assert isinstance(found.selection, LargestKeys)
    assert [noise_of(measure) for measure in found.measures] == ["correlated"]
    assert [m.gaussian.size for m in found.measures if m.gaussian is not None] == [10]


# What it costs


def test_all_gaussian_numbers_are_one_event() -> None:
    total = "sum(x, contribution_bounds_per_group => (0, 9))"
    found = made(f"SELECT g, count(*) AS n, {total} AS s, avg(x) AS m FROM t GROUP BY g", 64, 64)
    event = event_of(found)
    assert isinstance(event, Composed)
    *others, together = event.parts
    assert isinstance(together, GaussianNoise)
    assert len(others) == 1
    assert together.delta == MILLIONTH
    assert together.mu_squared == most_mu_squared(together.epsilon, MILLIONTH)
    assert delta_of_gaussian(together.mu_squared, together.epsilon) <= MILLIONTH
    assert cost_of(event).rho > together.mu_squared / 2


def test_shares_of_epsilon_are_shares_of_the_error() -> None:
    found = made(
        "SELECT g, count(*, epsilon => 0.75) AS n, count(*, epsilon => 0.25) FILTER (WHERE x > 3) AS k "
        "FROM t GROUP BY g",
        1000,
        64,
    )
    one, other = (m.gaussian.mu_squared for m in found.measures if m.gaussian is not None)
    assert one == 9 * other
    widths = list(column_error(found).values())
    assert widths[1] == pytest.approx(3 * widths[0], rel=0.02)


def test_two_numbers_cost_less_than_two_releases() -> None:
    """Half of mu^2 each, not half of epsilon and delta each."""
    two = made("SELECT g, count(*) AS n, count(*) FILTER (WHERE x > 3) AS k FROM t GROUP BY g", 1000, 64)
    half = plan(COUNTS, catalog(1000, 64), epsilon=ONE / 2, delta=MILLIONTH / 2)
    assert column_error(two)["a0"] < 0.8 * column_error(half)["a0"]


@pytest.mark.slow
def test_a_release_has_the_event_that_was_charged_and_its_noise() -> None:
    found = made(COUNTS, 16, None)
    [measure] = found.measures
    errors = []
    for run in range(200):
        out = release(found, Spread(16), Seeded("gaussian release", run))
        assert out.event == event_of(found)
        counts = np.array(out.columns["a0"])
        errors.append(counts - (16 - np.arange(16)) * 1_000_000)
        assert (np.array(out.columns["a0_high"]) - counts == column_error(found)["a0"]).all()
    variances = variances_of(measure)
    assert np.var(errors) == pytest.approx(float(variances.total), rel=0.3)
    assert np.var([np.mean(e) for e in errors]) == pytest.approx(
        float(variances.shared + variances.own / 16), rel=0.4
    )
    inside = np.mean(np.abs(errors) <= column_error(found)["a0"])
    assert inside > 0.9


def test_a_measure_of_both_ways_cannot_share_noise() -> None:
    found = made(
        "SELECT g, sum(x - 50, contribution_bounds_per_group => (-50, 50)) AS s FROM t GROUP BY g", 32
    )
    [measure] = found.measures
    assert measure.gaussian is not None
    forged = replace(measure, gaussian=Gaussian(measure.gaussian.mu_squared, 32))
    with pytest.raises(InternalError):
        variances_of(forged)


# As a session asks for it


@pytest.fixture
def db() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as con:
        con.execute("CREATE TABLE v AS SELECT range // 20 AS id, range % 16 AS page FROM range(20000)")
        with dpduck.connect(con, epsilon=1) as connection:
            connection.execute("ALTER TABLE v ADD PRIVACY_KEY (id)")
            connection.execute("ALTER TABLE v ALTER COLUMN page SET PRIVACY DOMAIN BETWEEN (0, 15)")
            connection.execute("SET dp_delta = 1e-6")
            yield connection


PAGES = "SELECT page, count(*) AS n FROM v GROUP BY page"


def test_explain_says_which_noise_and_at_what_delta(db: dpduck.Connection) -> None:
    found = db.explain(PAGES)
    assert (found.mechanism, found.delta) == ("gaussian", "0.000001")
    text = str(found)
    assert (
        "noise     Gaussian, of standard deviation 10.57, of which all groups share a part of 4.723" in text
    )
    assert "cost      epsilon 1, delta 0.000001" in text
    assert "-> histogram of all 16 groups, correlated Gaussian noise: +-21" in text
    assert "Noise is 7 times as wide because one id may be in 16 groups." in " ".join(text.split())


def test_a_query_or_a_session_asks_for_its_noise(db: dpduck.Connection) -> None:
    asked = "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = '{}') count(*) AS n FROM v"
    assert db.explain(asked.format("gaussian")).mechanism == "gaussian"
    assert db.explain(asked.format("best")).mechanism == "count"
    db.execute("SET dp_noise = gaussian")
    assert db.explain("SELECT count(*) AS n FROM v").mechanism == "gaussian"
    assert db.explain(asked.format("laplace")).mechanism == "count"
    db.execute("SET dp_noise = 'laplace'")
    assert db.explain(PAGES).mechanism == "histogram"
    assert db.explain(PAGES).delta == "0"


@pytest.mark.parametrize(
    "query",
    [
        "SELECT sum(n) FROM (SELECT page, count(*) AS n FROM v GROUP BY page)",
        "SELECT page, sum(count(*)) OVER () FROM v GROUP BY page",
        "WITH a AS (SELECT page, count(*) AS n FROM v GROUP BY page) SELECT avg(n) FROM a",
    ],
)
def test_noise_is_not_shared_where_groups_may_be_added_up(query: str, db: dpduck.Connection) -> None:
    assert "Gaussian, of standard deviation 16.9 " in f"{db.explain(query)} ".replace("\n", " ")


@pytest.mark.parametrize("accounting", ["zcdp", "gdp"])
def test_gaussian_noise_costs_no_delta_where_rho_or_mu_squared_adds_up(
    accounting: str, db: dpduck.Connection
) -> None:
    db.execute(f"CREATE PRIVACY BUDGET life LIMIT 9 DELTA 1e-6 ACCOUNTING {accounting} KEYS DELTA 0")
    db.execute("SET dp_replay = off")
    plan = db.explain(PAGES)
    assert (plan.mechanism, plan.delta) == ("gaussian", "0.000001")
    for _ in range(5):
        db.execute(PAGES)
    spent = {row[0]: row[6] for row in db.execute("SHOW PRIVACY BUDGETS").fetchall()}
    assert (spent["people"], spent["table"]) == ("0.000001", "0.000005")  # the first to turn it into epsilon


def test_a_delta_above_that_of_all_queries_is_refused_and_said_before(db: dpduck.Connection) -> None:
    db.execute("CREATE PRIVACY BUDGET life LIMIT 9 DELTA 1e-6 ACCOUNTING gdp")
    db.execute("SET dp_delta = 0.5")
    assert any("queries that take a delta are refused" in notice for notice in db.notices)
    with pytest.raises(dpduck.BudgetExceededError, match=r"one query may use 0\.000001"):
        db.execute(PAGES)
    db.execute("SET dp_delta = 1e-6")
    assert any("queries that find keys in private rows are refused" in notice for notice in db.notices)
    db.execute(PAGES)


def test_gaussian_noise_without_a_delta_is_refused_before_the_charge(db: dpduck.Connection) -> None:
    db.execute("SET dp_delta = 0")
    db.execute("SET dp_noise = gaussian")
    with pytest.raises(DpduckError, match="Gaussian noise needs a delta") as caught:
        db.execute(PAGES)
    assert "Nothing was charged" in str(caught.value)
    assert "SET dp_delta = 1e-6, or SET dp_noise = best" in str(caught.value)
    assert db.execute("SELECT count(*) FROM dp_ledger()").fetchall() == [(0,)]
    db.execute("SET dp_delta = 1e-6")
    assert len(db.execute(PAGES).fetchall()) == 16


@pytest.mark.parametrize(
    "statement",
    ["SET dp_noise = other", "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = 'x') count(*) FROM v"],
)
def test_there_are_no_other_noises(db: dpduck.Connection, statement: str) -> None:
    with pytest.raises(DpduckError, match="noise is best, laplace or gaussian"):
        db.execute(statement)


def test_the_ledger_has_its_epsilon_and_delta(db: dpduck.Connection) -> None:
    rows = db.execute(PAGES).fetchall()
    assert len(rows) == 16
    [(epsilon, delta, mechanism)] = db.execute("SELECT epsilon, delta, mechanism FROM dp_ledger()").fetchall()
    assert (epsilon, float(delta), mechanism) == (1, 1e-6, "gaussian")


def test_numbers_that_share_noise_are_replayed_but_not_added_up(db: dpduck.Connection) -> None:
    db.execute(PAGES).fetchall()
    assert db.explain(PAGES).replayed is not None
    assert db.explain(f"{PAGES} ORDER BY n DESC LIMIT 3").replayed is not None
    assert db.explain("SELECT page, count(*) AS n FROM v GROUP BY ROLLUP (page)").replayed is None
    assert db.explain("SELECT count(*) AS n FROM v WHERE page = 9").replayed is not None
    assert db.explain("SELECT count(*) AS n FROM v WHERE page IN (3, 9)").replayed is None


def test_independent_noise_is_added_up(db: dpduck.Connection) -> None:
    db.execute("SELECT page, count(*) AS n FROM v GROUP BY ROLLUP (page)").fetchall()
    assert db.explain("SELECT page, count(*) AS n FROM v GROUP BY ROLLUP (page)").replayed is not None


def test_blocks_have_parts_of_delta_that_are_decimals() -> None:
    """With a third of delta each, some blocks may spend theirs and others not."""
    delta = Fraction(1, 10**6)
    spending, other = made(COUNTS, 16, None), made(COUNTS, 64, 1)
    shares = shares_of([spending, other, spending, spending], ONE, delta)
    assert [share.delta for share in shares].count(0) == 1
    assert sum(share.delta for share in shares) == delta
    assert all((share.delta * 10**18).denominator == 1 for share in shares)


def test_several_blocks_share_one_delta() -> None:
    sums = COUNTS.replace("count(*)", "sum(x, contribution_bounds_per_group => (0, 50))")
    query = f"SELECT a.g, a.n, b.n AS s FROM ({COUNTS}) AS a JOIN ({sums}) AS b ON a.g = b.g"
    found = any_plan(query, catalog(16), epsilon=ONE, delta=MILLIONTH)
    assert isinstance(found, CompoundPlan)
    assert [list(map(noise_of, block.measures)) for block in found.blocks] == [["gaussian"]] * 2
    event = event_of(found)
    assert (event.epsilon, event.delta) == (1, MILLIONTH)
    cost_of(event)


# Keys found in private rows


def found_keys(groups: int, query: str = "SELECT word, count(*) AS n FROM t GROUP BY word") -> Plan:
    known = catalog(5, groups)
    columns = (*known.tables[0].columns, Column("word", "VARCHAR"))
    table = replace(known.tables[0], columns=columns)
    return plan(query, replace(known, tables=(table,)), epsilon=ONE, delta=MILLIONTH)


@pytest.mark.parametrize(("groups", "gaussian"), [(1, False), (7, False), (12, True), (64, True)])
def test_found_keys_have_the_noise_of_the_least_error(groups: int, *, gaussian: bool) -> None:
    made = found_keys(groups)
    assert isinstance(made.selection, FoundKeys)
    assert made.selection.gaussian is gaussian
    assert len(made.alternatives) == 2
    event = event_of(made)
    assert isinstance(event, GaussianKeys) is gaussian
    assert (event.epsilon, event.delta) == (1, MILLIONTH)
    assert column_error(made)["a0"] == min(one.error for one in made.alternatives)


def test_found_keys_without_counts_have_no_noise_to_choose() -> None:
    made = found_keys(64, "SELECT word, sum(x) AS s FROM t GROUP BY word")
    assert isinstance(made.selection, FoundKeys)
    assert not made.selection.gaussian
    assert list(map(noise_of, made.measures)) == ["laplace"]


def test_found_keys_are_released_as_they_were_charged() -> None:
    with duckdb.connect() as con:
        con.execute("CREATE TABLE v AS SELECT range // 20 AS id, 'w' || range % 40 AS word FROM range(40000)")
        with dpduck.connect(con, epsilon=1, delta=1e-6) as db:
            db.execute("ALTER TABLE v ADD PRIVACY_KEY (id)")
            db.execute("ALTER TABLE v SET PRIVACY CONTRIBUTION (groups = 20)")
            text = str(db.explain("SELECT word, count(*) AS n FROM v GROUP BY word"))
            assert "Gaussian, of standard deviation 19.52, with half of delta" in text
            rows = db.execute("SELECT word, count(*) AS n FROM v GROUP BY word").fetchall()
            assert len(rows) == 40
            assert all(abs(n - 1000) < 120 for _, n in rows)
            [(event,)] = db.execute("SELECT delta FROM dp_ledger()").fetchall()
            assert float(event) == 1e-6
