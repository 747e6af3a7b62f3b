"""Whatever a row holds, no answer fails below the data line: keys and values at the ends of their types.

An error there has a constant text, but that it comes at all would tell that the row exists.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import duckdb
import pytest

from dpduck import policies
from dpduck.kernel.catalog.model import Catalog
from tests.query import quiet
from tests.query.shop import any_plan, plan, statement

# Of each type: values at its ends, odd ones, and one that everybody has.
EXTREMES = {
    "TINYINT": ["-128", "127", "0"],
    "BIGINT": ["-9223372036854775808", "9223372036854775807", "0"],
    "HUGEINT": ["-170141183460469231731687303715884105728", "170141183460469231731687303715884105727", "0"],
    "UBIGINT": ["18446744073709551615", "0", "1"],
    "UHUGEINT": ["340282366920938463463374607431768211455", "0", "1"],
    "DECIMAL(38,0)": [
        "-99999999999999999999999999999999999999",
        "99999999999999999999999999999999999999",
        "0",
    ],
    "DECIMAL(38,38)": ["'0.99999999999999999999999999999999999999'", "0", "0.1"],
    "VARCHAR": ["''", "repeat('x', 100000)", "chr(0)", "'🦆́'", "'a'"],
    "DATE": ["'infinity'", "'-infinity'", "'290309-12-22 (BC)'", "'5881580-07-10'", "'2024-01-01'"],
    "TIMESTAMP": ["'infinity'", "'-infinity'", "'290309-12-22 (BC)'", "'294247-01-10'", "'2024-01-01'"],
    "BOOLEAN": ["true", "false"],
    "ENUM('a', 'b')": ["'a'", "'b'"],
}
NUMBERS = {
    "DOUBLE": ["'nan'", "'inf'", "'-inf'", "1.7e308", "-1.7e308", "5e-324", "1"],
    "FLOAT": ["'nan'", "'inf'", "'-inf'", "3.4e38", "1"],
    **{name: EXTREMES[name] for name in EXTREMES if "INT" in name or name == "DECIMAL(38,0)"},
}


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        yield opened


def table(connection: duckdb.DuckDBPyConnection, data_type: str, values: list[str]) -> Catalog:
    """Each value with five units of its own, and NULL."""
    connection.execute(f"CREATE TABLE t (u INTEGER, x {data_type}, y INTEGER)")
    for number, value in enumerate([*values, "NULL"]):
        connection.execute(f"INSERT INTO t SELECT {number} * 100 + i, {value}, i FROM range(5) AS r(i)")
    for text in (
        "ALTER TABLE t ADD PRIVACY_KEY (u)",
        "ALTER TABLE t SET PRIVACY CONTRIBUTION (groups = 2, rows = 3)",
        "ALTER TABLE t ALTER COLUMN y SET PRIVACY DOMAIN BETWEEN (0, 10)",
    ):
        policies.execute(connection, statement(text))
    return policies.load_catalog(connection)


@pytest.mark.slow
@pytest.mark.parametrize("data_type", EXTREMES)
def test_keys_found_in_private_rows(connection: duckdb.DuckDBPyConnection, data_type: str) -> None:
    catalog = table(connection, data_type, EXTREMES[data_type])
    for query in (
        "SELECT x, count(*), sum(y), avg(y), median(y), count(DISTINCT y) FROM t GROUP BY x",
        "SELECT x, median(y) FROM t GROUP BY x",
        "SELECT x FROM t GROUP BY x",
        "SELECT x, count(*) AS n, sum(y) FROM t GROUP BY x ORDER BY n DESC LIMIT 3",
        "SELECT mode(x), count(DISTINCT x) FROM t",
        "SELECT x, y, count(*) AS n FROM t GROUP BY x, y ORDER BY n DESC LIMIT 30",
    ):
        rows = quiet.answer(any_plan(query, catalog, delta=Fraction(1, 100)), connection).fetchall()
        assert rows or "x, y" in query, query


@pytest.mark.parametrize("data_type", NUMBERS)
def test_values_that_are_added_or_ranked(connection: duckdb.DuckDBPyConnection, data_type: str) -> None:
    catalog = table(connection, data_type, NUMBERS[data_type])
    bounds = "contribution_bounds_per_row => (0, 100)"
    query = f"SELECT sum(x, {bounds}), avg(x, {bounds}), median(x, {bounds}), max(x, {bounds}) FROM t"
    (row,) = quiet.answer(plan(query, catalog), connection).fetchall()
    assert None not in row


@pytest.mark.parametrize(
    "key",
    [
        "CASE WHEN u = 7 THEN DATE '2024-01-01' + 90000000 ELSE DATE '2024-01-01' END",
        "CASE WHEN u = 7 THEN TIMESTAMP '9999-12-31' + INTERVAL 9 YEAR ELSE TIMESTAMP '2024-01-01' END",
        "CASE WHEN u = 7 THEN 170141183460469231731687303715884105727 ELSE 1 END",
    ],
)
def test_a_key_made_for_one_unit_changes_nothing(connection: duckdb.DuckDBPyConnection, key: str) -> None:
    connection.execute("CREATE TABLE t AS SELECT i AS u, i % 3 AS y FROM range(50) AS r(i)")
    connection.execute("ALTER TABLE t ADD PRIMARY KEY (u)")
    policies.execute(connection, statement("ALTER TABLE t ADD PRIVACY_KEY (u)"))
    policies.execute(connection, statement("ALTER TABLE t ALTER y SET PRIVACY DOMAIN BETWEEN (0, 2)"))
    query = f"SELECT {key} AS k, count(*), median(y) FROM t GROUP BY k"
    made = plan(query, policies.load_catalog(connection))
    for _ in range(2):
        assert max(row[1] for row in quiet.answer(made, connection).fetchall()) in (49, 50)
        connection.execute("DELETE FROM t WHERE u = 7")


@pytest.mark.parametrize("condition", ["l.name = 'none'", "l.name = 'a'", "l.name IS NULL"])
def test_totals_are_clamped_above_any_join(connection: duckdb.DuckDBPyConnection, condition: str) -> None:
    """DuckDB 2.0.0 believes that a sum is 0 where it knows that no row meets the condition."""
    connection.execute("CREATE TABLE l (name VARCHAR PRIMARY KEY); INSERT INTO l VALUES ('a'), ('b')")
    connection.execute(
        "CREATE TABLE t AS SELECT i % 4 AS u, chr(97 + (i % 7)::INTEGER) AS name, i % 3 AS x "
        "FROM range(40) AS r(i)"
    )
    for text in (
        "ALTER TABLE t ADD PRIVACY_KEY (u)",
        "ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = 2)",
        "ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 1)",
        "ALTER TABLE l SET PUBLIC",
    ):
        policies.execute(connection, statement(text))
    query = f"SELECT sum(x), count(*), sum(x + 0.5) FROM t LEFT JOIN l ON t.name = l.name AND {condition}"
    made = plan(query, policies.load_catalog(connection))
    total, rows, more = (connection.sql(m.score_sql).fetchall()[0][0] for m in made.measures)
    assert 0 < total <= 4 * 2
    assert rows == 4 * 2
    assert 0 < more <= 4 * 2 * 1.5
