"""EXPLAIN says what a delta would gain: as much as it does gain, and only where the budgets allow it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import duckdb
import pytest

import dpduck

GROUPS = 64
COUNT = "SELECT k, count(DISTINCT id) AS n FROM t GROUP BY k"
SUM = "SELECT k, sum(x) AS s FROM t GROUP BY k"
LEAD = "  delta     with SET dp_delta = 1e-6: "


def opened(budget: str) -> Iterator[dpduck.Connection]:
    with duckdb.connect() as rows:
        rows.execute("CREATE TABLE t (id INTEGER NOT NULL, k INTEGER NOT NULL, x INTEGER NOT NULL)")
        rows.execute(f"INSERT INTO t SELECT i % 100, i % {GROUPS}, i % 10 FROM range(1000) AS r(i)")
        with dpduck.connect(rows, epsilon="1") as db:
            db.execute(
                f"ALTER TABLE t ADD PRIVACY_KEY (id); CREATE PRIVACY BUDGET b {budget};"
                f"ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, {GROUPS - 1})"
            )
            yield db


@pytest.fixture
def db() -> Iterator[dpduck.Connection]:
    yield from opened("LIMIT 100")


def gains(db: dpduck.Connection, query: str) -> list[str]:
    return [
        line.removeprefix(LEAD) for line in str(db.explain(query)).splitlines() if line.startswith("  delta ")
    ]


def test_it_says_what_the_delta_does_gain(db: dpduck.Connection) -> None:
    [said] = gains(db, COUNT)
    before = db.explain(COUNT).expected_error["n"]
    db.execute("SET dp_delta = 1e-6")
    after = db.explain(COUNT)
    assert after.expected_error["n"] < before / 5
    assert after.delta == "0.000001"
    assert said == (
        f"n +-{after.expected_error['n']:,.4g} in place of +-{before:,.4g}, for epsilon 1 and delta 0.000001"
    )
    assert gains(db, COUNT) == []  # it has one


def test_sums_with_a_private_clamp_gain_in_clamps(db: dpduck.Connection) -> None:
    [said] = gains(db, SUM)
    assert said.startswith("s +-")
    assert " clamps in place of +-" in said


@pytest.mark.parametrize("sets", ["ROLLUP (k)", "GROUPING SETS ((k), ())", "CUBE (k)"])
def test_totals_are_compared_with_those_of_the_same_grouping_set(sets: str, db: dpduck.Connection) -> None:
    """Without a delta the groups may be the noisiest, and with one the total: that is no gain of either."""
    query = f"SELECT k, count(DISTINCT id) AS n FROM t GROUP BY {sets}"
    [said] = gains(db, query)
    before = errors_by_group(db, query)
    db.execute("SET dp_delta = 1e-6")
    after = errors_by_group(db, query)
    groups = ["all", "each k"]
    assert set(groups) == before.keys() == after.keys()
    assert said.partition(", for ")[0] == ", ".join(
        f"n of {one} +-{after[one]} in place of +-{before[one]}" for one in groups
    )


def errors_by_group(db: dpduck.Connection, query: str) -> dict[str, str]:
    """The errors that EXPLAIN states of n, by the groups that they are of."""
    stated = re.compile(r"  error     (all|each k)(?: \(.*\))?: n is within ([0-9.,]+) of the truth")
    return dict(stated.findall(str(db.explain(query))))


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(DISTINCT id) AS n FROM t",
        f"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = 'laplace') {COUNT.removeprefix('SELECT ')}",
        f"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (delta = 1e-7) {COUNT.removeprefix('SELECT ')}",
        "SELECT k, median(greatest(least(x, 9), 0)) AS m FROM t GROUP BY k",
    ],
)
def test_what_gains_nothing_says_nothing(query: str, db: dpduck.Connection) -> None:
    assert gains(db, query) == []


@pytest.mark.parametrize(("budget", "says"), [("LIMIT 100 DELTA 1e-7", 0), ("LIMIT 100 DELTA 1e-5", 1)])
def test_a_budget_that_does_not_allow_it_says_nothing(budget: str, says: int) -> None:
    for db in opened(budget):
        assert len(gains(db, COUNT)) == says
        db.execute("SET dp_delta = 1e-6")
        if says:
            db.execute(COUNT)
        else:
            with pytest.raises(dpduck.BudgetExceededError):
                db.execute(COUNT)


def test_budgets_in_rho_say_what_it_costs_of_them() -> None:
    for db in opened("LIMIT 100 DELTA 1e-6 ACCOUNTING zcdp"):
        [said] = gains(db, COUNT)
        numbers = said.rpartition(", for rho ")[2].split(" in place of ")
        assert len(numbers) == 2
        assert f"  rho       {numbers[1]} of the budgets" in str(db.explain(COUNT))
        db.execute("SET dp_delta = 1e-6")
        assert f"  rho       {numbers[0]} of the budgets" in str(db.explain(COUNT))


def test_explaining_charges_nothing(db: dpduck.Connection) -> None:
    db.explain(COUNT)
    assert all(row["epsilon_spent"] in (None, "0", 0) for row in db.budget().to_pylist())
