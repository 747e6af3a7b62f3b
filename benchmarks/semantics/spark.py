"""Spark's share: row expressions in Spark beside the same in DuckDB, which other doors hold to plain SQL."""

from __future__ import annotations

import tempfile
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.semantics.known import Difference
from benchmarks.semantics.run import drawn, is_row_expression
from benchmarks.semantics.tally import Tally
from dpduck.kernel.tree.nodes import Expression
from tests.engines.spark_rows import differences, sort_out
from tests.engines.sparks import Both, open_both
from tests.query.samples import open_samples

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLACE = "row of Spark"
_ROWS = 100
_AT_ONCE = 40  # expressions of one query
_SETTINGS: dict[str, bool | float | int | str | None] = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.log.level": "OFF",
    "spark.sql.warehouse.dir": tempfile.gettempdir(),
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def run(seed: str, count: int, end: float = inf) -> Tally:
    """Ask so many expressions in Spark, of those that private rows may have and Spark takes.

    Input: `end`: as of the other doors.
    """
    tally = Tally()
    texts = [text for text in drawn(seed, count, tally) if is_row_expression(text)]
    with _session() as spark, tempfile.TemporaryDirectory() as folder:
        both = open_both(spark, "semantics", open_samples(_ROWS), [], Path(folder))
        taken, refused = sort_out(both, texts)
        tally.outcomes[PLACE, "refused"] += len(refused)
        known_texts = list(taken)
        for first in range(0, len(taken), _AT_ONCE):
            if time.time() >= end:
                break
            _compare(both, known_texts[first : first + _AT_ONCE], taken, tally)
        both.close()
    return tally


def _compare(both: Both, texts: Sequence[str], taken: Mapping[str, Expression], tally: Tally) -> None:
    tally.outcomes[PLACE, "answered"] += len(texts)
    for text, pairs in differences(both, texts, taken):
        tally.differ(Difference(PLACE, "Spark", "value", text, str(pairs), "the same"))


@contextmanager
def _session() -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pandas: which versions Spark has seen
        session = SparkSession.builder.master("local[2]").config(map=_SETTINGS).getOrCreate()
    try:
        yield session
    finally:
        session.stop()
