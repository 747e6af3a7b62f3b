"""Sums of released numbers over groups: EXPLAIN states their error, in which noises add up."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import duckdb
import numpy as np
import pytest

import dpduck
from dpduck.answers import service
from dpduck.kernel.mechanisms.gaussian import correlated
from dpduck.kernel.plan.cost import errors_of_sums
from dpduck.kernel.plan.model import Gaussian, Plan
from tests.depth import depth
from tests.query.shop import any_plan
from tests.query.test_planner import catalog
from tests.sources import Seeded

GROUPS = "SELECT g, count(*) AS n FROM t GROUP BY g"
RUNS = depth(60, 100, 1000)


@pytest.fixture
def db() -> Iterator[dpduck.Connection]:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, g INTEGER, x INTEGER)")
    connection.execute("INSERT INTO t SELECT i, i % 30, i % 100 FROM range(600) AS r(i)")
    with dpduck.connect(connection, epsilon="1") as opened:
        opened.execute("ALTER TABLE t ADD PRIVACY_KEY (id)")
        opened.execute("ALTER TABLE t ALTER COLUMN g SET PRIVACY DOMAIN BETWEEN (0, 29)")
        opened.execute("ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 99)")
        yield opened


def errors(db: dpduck.Connection, query: str) -> list[str]:
    lines = (line.strip() for line in str(db.explain(query)).splitlines())
    return [line for line in lines if line.startswith("error  ")]


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT sum(n) AS s FROM ({GROUPS})",
        f"WITH q AS ({GROUPS}) SELECT sum(n) AS s FROM q",
        f"SELECT sum(n) AS s FROM ({GROUPS}) WHERE g < 30",
        f"SELECT g // 100 AS k, sum(n) AS s FROM ({GROUPS}) GROUP BY k",
    ],
)
def test_the_error_of_a_sum_is_stated(db: dpduck.Connection, query: str) -> None:
    explained = db.explain(query)
    one = db.explain(GROUPS).expected_error["n"]
    assert explained.expected_error == {"s": pytest.approx(math.sqrt(30) * (one + 1)), "count(*)": one}
    assert f"error     s is within {explained.expected_error['s']:,.4g} of the truth" in errors(db, query)[-1]
    assert errors(db, query)[-1].endswith(": it adds up to 30 groups")


def test_a_sum_without_a_name_has_that_of_its_column(db: dpduck.Connection) -> None:
    query = f"SELECT sum(n) FROM ({GROUPS})"
    name, _ = db.explain(query).expected_error
    assert [column[0] for column in db.execute(query).description] == [name]


def test_the_error_is_kept(db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    query, found = (
        f"SELECT sum(n) AS s, sum(m) AS t FROM ({GROUPS.replace('FROM', ', sum(x) AS m FROM')})",
        [],
    )
    width = db.explain(query).expected_error
    for run in range(RUNS):
        monkeypatch.setattr(service, "SystemEntropy", lambda run=run: Seeded("sums", run))
        db.execute("CREATE OR REPLACE PRIVACY BUDGET life LIMIT 100000 FORCE") if not run else None
        [(s, t)] = db.execute(query.replace("sum(x)", f"sum(x) FILTER (WHERE id < {1000 + run})")).fetchall()
        found.append((abs(s - 600) <= width["s"], abs(t - 29700) <= width["t"]))
    assert np.mean(found, axis=0) == pytest.approx([0.95, 0.95], abs=0.09)


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT sum(n) AS s FROM ({GROUPS} HAVING count(*) > 20)",
        f"SELECT sum(n) AS s FROM ({GROUPS}) WHERE n > 20",
        f"SELECT sum(n) AS s FROM ({GROUPS}) HAVING sum(n) > 20",
        f"SELECT sum(n) AS s FROM ({GROUPS} ORDER BY n DESC LIMIT 3)",
        f"SELECT sum(n + 1) AS s FROM ({GROUPS})",
        f"SELECT sum(a.n) AS s FROM ({GROUPS}) a, ({GROUPS}) b",
    ],
)
def test_sums_of_what_noise_chooses_have_none(db: dpduck.Connection, query: str) -> None:
    """Where noise decides what is added up it is not independent of it; other terms are not looked into."""
    assert "s" not in db.explain(query).expected_error


def test_shared_noise_adds_up_by_its_covariance() -> None:
    made = any_plan(f"SELECT sum(n) AS s FROM ({GROUPS})", catalog(20), epsilon=Fraction(1))
    assert isinstance(made, Plan)
    [measure] = made.measures
    noise = Gaussian(Fraction(1, 25), 20)
    shared = replace(made, measures=(replace(measure, gaussian=noise),))
    parts = correlated(Fraction(1, 25), bound=1, groups=20, size=20)
    assert parts is not None
    deviation = math.sqrt(20 * (float(parts.own) + 1 / 12) + 400 * float(parts.shared))
    assert errors_of_sums(shared)[measure.request.column] == pytest.approx(1.96 * deviation, abs=1)
    apart = replace(made, measures=(replace(measure, gaussian=replace(noise, size=None)),))
    assert (
        errors_of_sums(shared)[measure.request.column] > 1.2 * errors_of_sums(apart)[measure.request.column]
    )
