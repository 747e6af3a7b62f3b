"""Tumult Analytics on Spark: docs.tmlt.dev, tutorials, `Session`, `KeySet`, `QueryBuilder`.

It has no top k, so all public keys are counted and sorted. It demands a bound on what a basket may touch:
100 rows, above the size of all but one basket in some thousands. Spark gets 8 GB: its usual one is too few.
"""

from __future__ import annotations

# user: every job
from pyspark.sql import SparkSession
from pyspark.sql.functions import col
from tmlt.analytics import (
    AddOneRow,
    AddRowsWithID,
    KeySet,
    MaxRowsPerID,
    ProtectedChange,
    PureDPBudget,
    QueryBuilder,
    Session,
)

# end

PACKAGE = "tmlt.analytics"


def _opened(file: str, change: ProtectedChange) -> tuple[SparkSession, Session]:
    # user: every job
    spark = SparkSession.builder.config("spark.driver.memory", "8g").getOrCreate()
    data = spark.read.parquet(file)
    session = Session.from_dataframe(PureDPBudget(1), "data", data, protected_change=change)
    # end
    return spark, session


def top_10(file: str, size: int) -> list[list[float]]:
    """A basket is a unit."""
    # user: top_10
    spark, session = _opened(file, AddRowsWithID("basket_id"))
    keys = KeySet.from_dataframe(spark.range(size).select(col("id").cast("int").alias("item")))
    query = QueryBuilder("data").enforce(MaxRowsPerID(100)).groupby(keys).count()
    counts = session.evaluate(query, PureDPBudget(1))
    answer = counts.sort("count", ascending=False).limit(10).collect()
    # end
    return [[row["item"], row["count"]] for row in answer]


def median(file: str, size: int) -> float:
    """Each row is a unit."""
    # user: median
    _, session = _opened(file, AddOneRow())
    query = QueryBuilder("data").median("i", 0, size)
    answer = session.evaluate(query, PureDPBudget(1)).collect()
    # end
    return float(answer[0][0])


def mode(file: str, size: int) -> int:
    """Each row is a unit."""
    # user: mode
    spark, session = _opened(file, AddOneRow())
    keys = KeySet.from_dataframe(spark.range(size).select(col("id").cast("int").alias("item")))
    counts = session.evaluate(QueryBuilder("data").groupby(keys).count(), PureDPBudget(1))
    answer = counts.sort("count", ascending=False).limit(1).collect()
    # end
    return int(answer[0]["item"])
