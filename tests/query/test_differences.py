"""dp_low, dp_high and dp_p_value of the difference of two numbers: formula, units in both, p-values."""

from __future__ import annotations

import math
from collections.abc import Iterator

import duckdb
import numpy as np
import pytest

import dpduck
from benchmarks.accuracy.proportions import differences
from dpduck.answers import service
from tests.sources import Seeded

LIFT = "avg(won) FILTER (WHERE arm = 'b') - avg(won) FILTER (WHERE arm = 'a') AS lift"


@pytest.fixture
def db(monkeypatch: pytest.MonkeyPatch) -> Iterator[dpduck.Connection]:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, arm VARCHAR, won BOOLEAN, x INTEGER)")
    connection.execute(
        "INSERT INTO t SELECT i, ['a', 'b'][1 + i % 2], hash(i) % 100 < 20 + 8 * (i % 2), hash(i, 1) % 100 "
        "FROM range(6000) AS r(i)"
    )
    connection.execute("CREATE TABLE loose AS FROM t")
    monkeypatch.setattr(service, "SystemEntropy", lambda: Seeded("differences"))
    with dpduck.connect(connection, epsilon="1") as opened:
        for table in ("t", "loose"):
            opened.execute(f"ALTER TABLE {table} ADD PRIVACY_KEY (id)")
            opened.execute(f"ALTER TABLE {table} ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 99)")
        yield opened


@pytest.mark.parametrize(
    ("one", "other", "covered"),
    [
        ("count(*) FILTER (WHERE arm = 'a')", "count(*) FILTER (WHERE arm = 'b')", "both"),
        ("avg(x) FILTER (WHERE arm = 'a')", "avg(x) FILTER (WHERE arm = 'b')", "domain"),
        ("count(*)", "sum(x, contribution_bounds_per_group => (0, 9))", "noise"),
    ],
)
def test_explain_says_what_the_interval_covers(
    db: dpduck.Connection, one: str, other: str, covered: str
) -> None:
    """That of the number of which least is covered; a bound that lowers one may raise the difference."""
    ends = "dp_low(b - a) AS low, dp_high(b - a) AS high, dp_p_value(b - a) AS p"
    covers = db.explain(f"SELECT {one} AS a, {other} AS b, {ends} FROM t").covers
    assert {covers[name] for name in ("low", "high", "p")} == {covered}
    assert set(covers) == {"a", "b", "low", "high", "p"}


def test_the_formula_is_movers() -> None:
    first, second = (
        np.array([[0.5, 0.4, 0.8], [3.0, 1.0, 4.0]]),
        np.array([[0.3, 0.25, 0.4], [2.0, 2.0, 2.0]]),
    )
    low, high, p = differences([*first.T], [*second.T])
    assert low == pytest.approx([0.2 - math.hypot(0.1, 0.1), 1.0 - 2.0])
    assert high == pytest.approx([0.2 + math.hypot(0.3, 0.05), 1.0 + 1.0])
    assert p == pytest.approx([0.05 ** (0.2 / math.hypot(0.1, 0.1)), 1 - 0.95 / 2])


def test_the_p_value_is_five_percent_where_the_interval_touches_zero() -> None:
    for size in (0.5, -0.5):
        ends = (size - 0.5, size + 0.5)
        _, _, [p] = differences([np.array([size]), *np.array(ends)[:, None]], [np.zeros(1)] * 3)
        assert p == pytest.approx(0.05)
    _, _, [p] = differences([np.zeros(1), np.array([-1.0]), np.array([1.0])], [np.zeros(1)] * 3)
    assert p == 1


def test_p_values_are_above_the_truth_for_noise_sampling_and_both() -> None:
    """By tails of a normal law, of Laplace noise, of their sum, and of one that is nearly uniform."""
    chance = np.random.default_rng(3)
    laws = [
        chance.normal(size=400_000),
        chance.laplace(size=400_000),
        chance.normal(size=400_000) + chance.laplace(size=400_000),
        chance.uniform(-1, 1, 400_000),
    ]
    for law in map(np.abs, laws):
        reach = float(np.quantile(law, 0.95))
        sizes = np.linspace(0, 2 * reach, 41)
        _, _, p = differences([sizes, sizes - reach, sizes + reach], [np.zeros(41)] * 3)
        truth = np.array([np.mean(law > size) for size in sizes])
        assert (p >= truth - 4 * np.sqrt(truth * (1 - truth) / 400_000) - 1e-5).all()


def widths(db: dpduck.Connection, table: str, value: str = LIFT) -> tuple[float, float, float]:
    """The half-widths of both numbers and that of the difference."""
    sides = value.partition(" AS ")[0].split(" - ")
    asked = ", ".join(f"dp_high({side}) - dp_low({side})" for side in sides)
    [row] = db.execute(f"SELECT {value}, {asked}, dp_high(lift) - dp_low(lift) FROM {table}").fetchall()
    return tuple(width / 2 for width in row[1:])  # type: ignore[return-value]


@pytest.mark.parametrize("table", ["t", "loose"])
def test_noises_are_independent_whoever_is_in_both(db: dpduck.Connection, table: str) -> None:
    first, second, both = widths(db, table)
    assert both == pytest.approx(math.hypot(first, second), rel=0.05)


def test_for_the_population_it_is_said_who_is_in_both(db: dpduck.Connection) -> None:
    db.execute("SET dp_interval = population")
    first, second, both = widths(db, "t")
    assert both == pytest.approx(math.hypot(first, second), rel=0.05)
    overlap = "avg(won) FILTER (WHERE arm = 'b') - avg(won) AS lift"
    negated = "avg(x) FILTER (WHERE won) - avg(x) FILTER (WHERE NOT won) AS lift"
    same = "avg(x) FILTER (WHERE arm = 'b') - avg(x) FILTER (WHERE arm = 'b' AND won) AS lift"
    for table, value, apart in (
        ("loose", LIFT, False),
        ("t", overlap, False),
        ("t", same, False),
        ("t", negated, True),
    ):
        first, second, both = widths(db, table, value)
        expected = math.hypot(first, second) if apart else first + second
        assert both == pytest.approx(expected, rel=0.05), value


def test_an_arm_without_values_gives_null_and_a_notice(db: dpduck.Connection) -> None:
    value = LIFT.replace("'a'", "'zz'")
    [row] = db.execute(f"SELECT {value}, dp_low(lift), dp_high(lift), dp_p_value(lift) FROM t").fetchall()
    assert row == (None, None, None, None)
    assert any("NULL stands for" in notice for notice in db.notices)


def test_counts_and_sums_have_differences_too(db: dpduck.Connection) -> None:
    value = "count(*) FILTER (WHERE arm = 'b') - count(*) FILTER (WHERE arm = 'a') AS d"
    [row] = db.execute(f"SELECT {value}, dp_low(d) <= d, dp_high(d) >= d, dp_p_value(d) FROM t").fetchall()
    assert row[1:3] == (True, True)
    assert 0 < row[3] <= 1
    rows = db.execute(
        "SELECT x // 50 AS k, sum(x) - count(*) AS d, dp_low(d) < d FROM t GROUP BY k"
    ).fetchall()
    assert rows[0][2]


@pytest.mark.parametrize(
    "value",
    ["dp_gap(count(*) - sum(x))", "dp_low(mode(x) - avg(x))", "dp_low(avg(x) + avg(won))", "dp_low(1 - 2)"],
)
def test_what_has_no_interval_is_refused(db: dpduck.Connection, value: str) -> None:
    with pytest.raises(dpduck.DpduckError, match="takes a"):
        db.execute(f"SELECT {value} FROM t")
    db.execute("SET dp_interval = population")
    with pytest.raises(dpduck.DpduckError, match="is not known for a population"):
        db.execute("SELECT dp_p_value(count(*) - avg(x)) FROM t")


ENDS = "dp_low(lift) AS low, dp_high(lift) AS high, dp_p_value(lift) AS p"
OF_TABLE = (
    "low, high and p allow for noise alone, not for chance of sampling: they tell whether the rows of this "
    "table differ, not whether what they were drawn from does. At the same price, "
    "SET dp_interval = 'population' asks that."
)


def test_a_difference_in_the_table_says_that_it_is_not_one_of_the_population(db: dpduck.Connection) -> None:
    query = f"SELECT {LIFT}, {ENDS} FROM t"
    db.execute(query)
    assert OF_TABLE in db.notices
    explained = db.explain(query)
    assert OF_TABLE in explained.caveats
    assert "interval  of low, high, p for the table: noise alone" in str(explained)
    cost = explained.epsilon
    db.execute("SET dp_interval = 'population'")
    assert db.explain(query).epsilon == cost
    db.execute(query)
    assert not any("chance of sampling" in one for one in db.notices)
    assert "for the population" in str(db.explain(query))


@pytest.mark.parametrize(
    "select", [LIFT, "count(*) AS a, count(x) AS b, dp_p_value(a - b)", "corr(x, x + x) AS c, dp_low(c)"]
)
def test_nothing_is_said_where_no_population_could_be_asked_of(db: dpduck.Connection, select: str) -> None:
    db.execute(f"SELECT {select} FROM t")
    assert not any("chance of sampling" in one for one in db.notices)


def test_explain_says_of_whom_shown_intervals_are(db: dpduck.Connection) -> None:
    shown = str(db.explain("SELECT avg(x) AS a, count(*) AS n, dp_low(n) FROM t"))
    assert "interval  of n for the table: noise alone" in shown
    assert "interval " not in str(db.explain("SELECT avg(x) AS a, count(*) AS n FROM t"))
