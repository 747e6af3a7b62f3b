"""Spark gives the scores of totals on levels that DuckDB gives, and refuses moments of the fourth degree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.plan.aggregates import Moments
from dpduck.kernel.plan.model import Plan
from tests.engines.sparks import Both, open_both, same
from tests.query import shop
from tests.query.shop import any_plan

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FOURTH = (
    "SELECT stddev(age) AS s, var_pop(age) AS v FROM people",
    "SELECT member, stddev(age) AS s FROM people GROUP BY member",
    "SELECT stddev(amount) AS s FROM visits",
)
ON_LEVELS = (
    "SELECT age, member, count(*) AS n FROM people GROUP BY GROUPING SETS ((age), (member))",
    "SELECT age, count(*) AS n, sum(age) AS s FROM people GROUP BY ROLLUP (age)",
    "SELECT age, member, count(*) AS n FROM people GROUP BY CUBE (age, member)",
)


def planned(query: str, both: Both, option: str) -> Plan:
    made = any_plan(
        query.replace("SELECT", f"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS ({option})"), both.catalog
    )
    assert isinstance(made, Plan)
    return made


def test_scores_of_levels_are_those_of_duckdb_and_fourth_moments_are_refused(
    spark: SparkSession, tmp_path: Path
) -> None:
    """Sums of fourth powers of places have more than the 38 digits of Spark's decimals."""
    both = open_both(spark, "shop", shop.open_shop(), shop.POLICIES.strip().splitlines(), tmp_path)
    try:
        for query in ON_LEVELS:
            made = planned(query, both, "noise = 'laplace'")
            assert made.levels, query
            for scores in made.queries:
                both.source.engine.check(scores)
                assert same(*both.read(scores)), query
        for query in FOURTH:
            made = planned(query, both, "interval = 'population'")
            assert {m.request.degree for m in made.measures if isinstance(m.request, Moments)} == {4}
            with pytest.raises(UnsupportedSqlError, match="cannot run on Spark") as raised:
                both.source.engine.check(made.queries[0])
            assert raised.value.detail.startswith("Whole numbers of more than 38 digits are not available")
    finally:
        both.close()
