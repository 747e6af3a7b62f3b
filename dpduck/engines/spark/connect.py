"""Data in a remote engine: the policies stay in DuckDB, on tables with the same columns."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from dpduck.engines.duckdb.hardening import harden
from dpduck.engines.source import Source
from dpduck.engines.spark.engine import SparkEngine, session_of
from dpduck.engines.spark.schema_replica import SchemaReplica
from dpduck.kernel.catalog.statements import PolicyStatement
from dpduck.kernel.errors import PolicyError, UnknownNameError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def open_spark(
    spark: SparkSession | str,
    *,
    policies_in: str | Path | None = None,
    read_only: bool = False,
    policies: Iterable[PolicyStatement] = (),
) -> Source:
    """The current database of a Spark session as a source.

    Input: a session, or an address such as spark://host:7077 or spark://local[2]; `policies_in`: a DuckDB
        file that holds the policies of this database only; the data owner's connection creates it
        (default: policies are kept in memory).
    Errors: PolicyError, UnknownNameError.
    """
    session, stops = session_of(spark) if isinstance(spark, str) else (spark, False)
    path = ":memory:" if policies_in is None else str(policies_in)
    if read_only and policies_in is not None and not Path(path).is_file():
        raise UnknownNameError(f"file {path} does not exist", hint="The data owner makes it by connecting.")
    read_only = read_only and policies_in is not None
    connection = duckdb.connect(path, read_only=read_only)
    harden(connection)
    replica = SchemaReplica(connection)
    engine = SparkEngine(session, replica, stops=stops)
    if not replica.claim(engine.name):
        connection.close()
        raise PolicyError(
            f"file {path} does not hold policies of {engine.name}",
            detail="The tables in it are those of another database.",
            hint="Name another file in policies_in, or USE the other database first.",
        )
    if not read_only:
        replica.renew(engine.schema())
    return Source(connection, tuple(policies), elsewhere=engine)
