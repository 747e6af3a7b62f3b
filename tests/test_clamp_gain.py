"""EXPLAIN says below which clamp a private one has less noise than the declared bound, where it may have."""

from __future__ import annotations

import re
from collections.abc import Iterator

import duckdb
import pytest

import dpduck

SUM = "SELECT sum(x) AS s FROM t"
LEAD = "  clamp     with SET dp_clamp = 'private': "


@pytest.fixture
def db() -> Iterator[dpduck.Connection]:
    """A policy whose bound on totals, 5,000 rows times 89, is far above what people have."""
    with duckdb.connect() as rows:
        rows.execute("CREATE TABLE t (id INTEGER NOT NULL, x INTEGER NOT NULL)")
        rows.execute("INSERT INTO t SELECT i % 1000, i % 90 FROM range(5000) AS r(i)")
        with dpduck.connect(rows, epsilon="1") as db:
            db.execute(
                "ALTER TABLE t ADD PRIVACY_KEY (id); ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = 5000);"
                "ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 89)"
            )
            yield db


def gains(db: dpduck.Connection, query: str) -> list[str]:
    lines = str(db.explain(query)).splitlines()
    return [line.removeprefix(LEAD) for line in lines if line.startswith("  clamp ")]


def test_it_says_what_a_private_clamp_costs(db: dpduck.Connection) -> None:
    [said] = gains(db, SUM)
    declared = float(re.search(r"in place of [+]-([0-9,]+)", said)[1].replace(",", ""))  # type: ignore[index]
    below = float(re.search(r"for a clamp below ([0-9,]+)", said)[1].replace(",", ""))  # type: ignore[index]
    assert declared == pytest.approx(db.explain(SUM).expected_error["s"], rel=1e-3)
    assert below == pytest.approx(5000 * 89 / 2, rel=0.01)  # half of epsilon chooses
    db.execute("SET dp_clamp = 'private'")
    text = str(db.explain(SUM))
    per_clamp = float(re.search(r"noise is within ([0-9.]+) times the clamp", text)[1])  # type: ignore[index]
    assert said.startswith(f"s +-{per_clamp:,.3g} times the clamp in place of ")
    assert declared / per_clamp == pytest.approx(below, rel=0.01)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(DISTINCT id) AS n FROM t",
        "SELECT avg(x) AS a FROM t",
        "SELECT median(x) AS m FROM t",
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (clamp = 'declared') sum(x) AS s FROM t",
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (clamp = 'private') sum(x) AS s FROM t",
    ],
)
def test_where_nothing_is_gained_or_it_is_settled_it_says_nothing(db: dpduck.Connection, query: str) -> None:
    assert gains(db, query) == []


def test_who_asked_for_it_is_not_told(db: dpduck.Connection) -> None:
    db.execute("SET dp_clamp = 'private'")
    assert gains(db, SUM) == []


def test_rows_that_a_policy_bounds_are_told_too(db: dpduck.Connection) -> None:
    [said] = gains(db, "SELECT count(*) AS n FROM t")
    assert said.startswith("n +-") and said.endswith("less noise for a clamp below 2,500")
