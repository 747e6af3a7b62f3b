"""Summaries of tables in Spark count what those of the same tables in DuckDB do, also of NULL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest

import dpduck
from tests.sources import HALF, Quiet
from tests.summaries.asking import rows, told

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# The same rows: in Spark each of them, in DuckDB the numbers that they are made of.
COLUMNS = """
    CAST(i AS INT) AS id, CASE WHEN i % 4 > 0 THEN i % 8 < 4 END AS member,
    CASE i % 5 WHEN 0 THEN 'x' WHEN 1 THEN 'y' WHEN 2 THEN 'other' WHEN 3 THEN 'x' END AS city,
    CASE WHEN i % 7 > 0 THEN CAST(i % 120 AS INT) END AS age,
    CAST(i % 90 AS DECIMAL(9, 2)) AS spent
"""
POLICIES = (
    "ALTER TABLE people ADD PRIVACY_KEY (id)",
    "ALTER TABLE people ALTER COLUMN city SET PRIVACY DOMAIN IN ('x', 'y')",
    "ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 99)",
    "ALTER TABLE people ALTER COLUMN spent SET PRIVACY DOMAIN BETWEEN (0, 100)",
    "ALTER TABLE people SET PRIVACY CONTRIBUTION (groups = 1, rows = 1)",
)
COLUMNS_OF_IT = "member, city, age BANDS (18, 65)"
SUMMARY = f"CREATE PRIVACY SUMMARY board ON people ({COLUMNS_OF_IT}) MEASURES (spent) EPSILON 2"
ASKED = (
    "SELECT count(*) FROM people",
    "SELECT member, count(*) FROM people GROUP BY member ORDER BY member",
    "SELECT city, count(*) FROM people WHERE member GROUP BY city ORDER BY city",
    "SELECT count(*) FROM people WHERE age >= 18 AND city IS NULL",
    "SELECT count(*) FROM people WHERE age IS NULL",
    "SELECT city, sum(spent) FROM people GROUP BY city ORDER BY city",
)


@pytest.fixture
def owners(spark: SparkSession, tmp_path: Path) -> Iterator[tuple[dpduck.Connection, dpduck.Connection]]:
    """The owner of the table in Spark, and of that in DuckDB; no noise in either."""
    spark.sql("DROP DATABASE IF EXISTS clubs CASCADE")
    spark.sql("CREATE DATABASE clubs")
    made = f"SELECT {COLUMNS} FROM (SELECT id AS i FROM range(2000))"
    spark.sql(f"CREATE TABLE clubs.people USING parquet AS {made}")
    spark.catalog.setCurrentDatabase("clubs")
    with duckdb.connect(tmp_path / "clubs.duckdb") as con:
        con.execute(f"CREATE TABLE people AS SELECT {COLUMNS} FROM range(2000) AS r (i)")
    there = dpduck.connect(spark, epsilon="0.01", ledger=tmp_path / "spark.ledger")
    here = dpduck.connect(tmp_path / "clubs.duckdb", epsilon="0.01")
    with there, here:
        for db in (there, here):
            db._service._entropy = Quiet(HALF)
            for policy in POLICIES:
                db.execute(policy)
        yield there, here
    spark.catalog.setCurrentDatabase("default")


def test_a_summary_of_spark_has_the_cells_of_that_in_duckdb(
    owners: tuple[dpduck.Connection, dpduck.Connection],
) -> None:
    there, here = owners
    for db in owners:
        db.execute(SUMMARY)
        assert db.charged == "2"
        db.execute("SET dp_summaries = only")
    assert rows(there, "SELECT * FROM dp_summary('board')") == rows(here, "SELECT * FROM dp_summary('board')")
    for sql in ASKED:
        assert rows(there, sql) == rows(here, sql), sql
        assert "from summary board" in told(there)
        assert there.charged == "0"
