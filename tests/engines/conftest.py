"""One Spark for all tests of a process: local, two threads, small, and silent."""

from __future__ import annotations

import importlib.util
import shutil
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # it lives for minutes
    "spark.driver.memory": "1g",
    "spark.log.level": "OFF",
    "spark.sql.adaptive.enabled": "false",
    # What is stopped ends at its next batch, which others wait for.
    "spark.sql.parquet.columnarReaderBatchSize": "64",
    "spark.sql.shuffle.partitions": "1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session, ANSI and in another time zone: dpduck's own must not depend on the caller's."""
    if importlib.util.find_spec("pyspark") is None or shutil.which("java") is None:
        pytest.skip("Spark needs pyspark and Java")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config(map=_SETTINGS)
    builder = builder.config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
    builder = builder.config("spark.sql.session.timeZone", "America/New_York")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pandas: which versions Spark has seen
        session = builder.getOrCreate()
    yield session
    session.stop()
