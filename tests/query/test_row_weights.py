"""Weights of rows in medians and quantiles: what one unit adds, and which median it is of."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import dpduck
from dpduck import policies
from dpduck.compiler.planner import score_sql
from dpduck.doors.audit import moves
from dpduck.kernel.mechanisms.quantile import QuantileScores, ValueCounts
from dpduck.kernel.plan.aggregates import Quantile
from dpduck.kernel.plan.cost import errors_of_ranks
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.tree.build import call, literal
from dpduck.kernel.tree.nodes import Expression
from tests.query.shop import plan, statement

POLICIES = (
    "ALTER TABLE t ADD PRIVACY_KEY (id)",
    "ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 20)",
    "ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN IN ('a', 'b')",
)
QUERIES = ("SELECT median(x) FROM t", "SELECT k, quantile_cont(x, [0.1, 0.5]) FROM t GROUP BY k")


def opened(rows: int | None = None, key: str = "") -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE t (id INTEGER {key}, k VARCHAR, x INTEGER)")
    for text in POLICIES:
        policies.execute(connection, statement(text))
    if rows is not None:
        policies.execute(connection, statement(f"ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = {rows})"))
    return connection


def planned(connection: duckdb.DuckDBPyConnection, query: str) -> Plan:
    return plan(query, policies.load_catalog(connection), epsilon=Fraction(1))


def weights(connection: duckdb.DuckDBPyConnection, made: Plan) -> dict[int, int]:
    return dict(connection.execute(made.measures[0].score_sql).fetchall())


def of_median(made: Plan) -> Quantile:
    request = made.measures[0].request
    assert isinstance(request, Quantile)
    return request


@pytest.mark.slow
@pytest.mark.parametrize("rows", [None, 1, 3, 7, 100_000, 1_000_000])
def test_a_unit_weighs_as_many_rows_as_it_has_up_to_the_bound(rows: int | None) -> None:
    cap = rows or 1
    for own in (1, 2, 3, 5, 10, 1000):
        with opened(rows) as connection:
            connection.execute(f"INSERT INTO t SELECT 1, 'a', i % 20 FROM range({own}) AS r (i)")
            made = planned(connection, "SELECT median(x) FROM t")
            request, found = of_median(made), weights(connection, made)
            parts = request.parts or 0
            assert parts * cap == request.most <= max(2**16, cap)
            assert sum(found.values()) == min(own, cap) * parts
            each = parts * min(own, cap) / own
            for value, weight in found.items():
                times = len(range(value, own, 20))
                assert abs(weight - times * each) <= 1


def test_a_unit_with_one_row_by_a_constraint_weighs_one_whatever_is_declared() -> None:
    with opened(rows=50, key="PRIMARY KEY") as connection:
        made = planned(connection, "SELECT median(x) FROM t")
        assert of_median(made).most == 1
        assert errors_of_ranks(made.measures[0])["a0"].typical == pytest.approx(3, rel=0.01)


def fill(connection: duckdb.DuckDBPyConnection) -> None:
    """Insert units with 1 to 30 rows."""
    values = "id, ['a', 'b'][1 + i % 2], (id * i * 7) % 25 - 2"
    units = "range(1, 31) AS u (id), range(30) AS r (i) WHERE i < id"
    connection.execute(f"INSERT INTO t SELECT {values} FROM {units}")


def test_weights_without_a_cap_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def all_rows(size: Expression, request: Quantile) -> Expression:
        return call("*", size.type, size, literal(request.parts, size.type))

    monkeypatch.setattr(score_sql, "_weight_of", all_rows)
    with opened(rows=5) as everyone:
        fill(everyone)
        made = planned(everyone, QUERIES[0])
        before = moves.read(made, everyone)
        everyone.execute("DELETE FROM t WHERE id = 30")
        with pytest.raises(moves.ViolationError, match="too many values"):
            moves.compare(made, before, moves.read(made, everyone))


@pytest.mark.slow
@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("rows", [None, 2, 5])
def test_one_unit_moves_weights_by_no_more_than_declared(rows: int | None, query: str) -> None:
    """Of units with 1 to 30 rows, with each left out in turn."""
    with opened(rows) as everyone:
        fill(everyone)
        made = planned(everyone, query)
        everyone.execute("CREATE TABLE kept AS FROM t")
        before = moves.read(made, everyone)
        for gone in range(1, 31):
            everyone.execute(f"DELETE FROM t WHERE id = {gone}")
            moves.compare(made, before, moves.read(made, everyone))
            everyone.execute("DELETE FROM t")
            everyone.execute("INSERT INTO t FROM kept")


@pytest.mark.parametrize("q", [Fraction(1, 2), Fraction(9, 10)], ids=str)
def test_scores_move_by_at_most_the_weight_times_the_larger_share(q: Fraction) -> None:
    """All samples of two weights, and all ways to divide a weight of 4 among three points; it is attained."""
    points, largest = np.arange(3), 0
    divided = [parts for parts in itertools.product(range(5), repeat=3) if sum(parts) == 4]
    for others, parts in itertools.product(itertools.product((0, 3, 8), repeat=3), divided):
        both = (np.array(others), np.array(others) + parts)
        before, after = (QuantileScores(ValueCounts(points, units), 3, q) for units in both)
        largest = max(largest, *(abs(before.score_at(x) - after.score_at(x)) for x in range(3)))
    assert largest == 4 * max(q.numerator, q.denominator - q.numerator)


# --- which median it is ---------------------------------------------------------------------------------

# Bias in % of the median of all rows, of rows that weigh as at most so many of a unit: of 20,000 units, of
# which those with more rows have larger values, by another program.
BIAS = {1: -13.0, 2: -10.4, 4: -6.7, 8: -3.3, 16: -1.2, 32: -0.3, 60: 0.0}


@pytest.fixture(scope="module")
def people() -> Iterator[pa.Table]:
    rng = np.random.default_rng(41)
    rows = np.minimum(60, 1 + np.floor(np.exp(rng.normal(0.5, 1, 20_000)))).astype(np.int64)
    units = np.repeat(np.arange(20_000), rows)
    own = 0.2 * np.log(rows) + 0.5 * rng.normal(size=20_000)
    values = np.exp(7 + own[units] + 0.8 * rng.normal(size=len(units)))
    yield pa.table({"id": units, "x": values})


@pytest.mark.parametrize("cap", BIAS)
def test_the_median_is_that_of_rows_up_to_the_bias_of_the_cap(people: pa.Table, cap: int) -> None:
    with duckdb.connect() as connection:
        connection.register("made", people)
        connection.execute("CREATE TABLE t AS FROM made")
        [[truth]] = connection.execute("SELECT median(x) FROM t").fetchall()
        with dpduck.connect(connection, epsilon="2") as db:
            db.execute("ALTER TABLE t ADD PRIVACY_KEY (id)")
            db.execute("ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 1000000)")
            if cap > 1:
                db.execute(f"ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = {cap})")
            [[found]] = db.execute("SELECT median(x) FROM t").fetchall()
            [said] = [notice for notice in db.notices if "weigh" in notice or "weight" in notice]
            assert ("give" in said) if cap == 1 else (f"as at most {cap} rows" in said)
    assert 100 * (found / truth - 1) == pytest.approx(BIAS[cap], abs=1.3)
