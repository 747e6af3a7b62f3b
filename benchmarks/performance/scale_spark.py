"""`python -m benchmarks spark`: the same scores from Spark as from DuckDB, and how little is collected.

Each job is asked through dpduck on Spark, in local mode. All that it reads there is written down, and read
again from DuckDB on the same rows: every table that came back has to be the same there, to the last row.
Beside it is the same job through dpduck on DuckDB. Each job runs once before the clock does.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa

import dpduck
from benchmarks.papers.data import Source
from benchmarks.performance.scale_data import MOST, Tables
from benchmarks.report.figure import Figure
from benchmarks.report.results import Record, Run, table
from dpduck.engines.duckdb.engine import DuckEngine
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.engine import Engine, ScoreReader
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.relations import SelectQuery

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HEADER = ["job", "rows", "Spark, seconds", "DuckDB, seconds", "reads", "collected, kB", "same", "met"]
COLLECTED = 10_000_000  # bytes, at most
MISSING = "pyspark is not installed: pip install '.[spark]', with Java 17 or later"
EPSILON = "0.05"  # the cap of people is 10
ROWS = 10_000_000
KEYS = (1_000, 100_000)
_KEY = re.compile("k[0-9]+")


@dataclass(frozen=True)
class Plan:
    """How much to measure."""

    rows: int = ROWS

    @property
    def scale(self) -> float:
        return self.rows / ROWS


@dataclass
class Call:
    """One thing that a reader was asked. `held`: its answer stayed where the data is."""

    query: SelectQuery
    answer: pa.Table
    given: pa.Table | None = None
    held: bool = False

    @property
    def sql(self) -> str:
        return sql(self.query)


@dataclass
class Recorder(ScoreReader):
    """Writes down what another reader is asked and answers."""

    inner: ScoreReader
    calls: list[Call] = field(default_factory=list)

    def read(self, query: SelectQuery, given: pa.Table | None = None) -> pa.Table:
        """As the other does."""
        answer = self.inner.read(query, given)
        self.calls.append(Call(query, answer, given))
        return answer

    def hold(self, query: SelectQuery) -> None:
        """As the other does; its rows are read beside, to be held against others."""
        self.inner.hold(query)
        self.calls.append(Call(query, self.inner.read(query), held=True))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command line, beside the folder of results."""
    parser.add_argument("--cache", type=Path, help="folder for generated data")
    parser.add_argument("--rows", type=lambda text: int(float(text)), default=ROWS, help="of the table")


def main(plan: Plan, cache: Path | None, folder: Path) -> int:
    """Ask every job, print a table, and add the figures to the result file. Returns 1 if one is not met."""
    if find_spec("pyspark") is None:
        raise SystemExit(MISSING)
    run = Run.start("spark", plan.scale)
    file = parquet(Source.of(cache, None, 1.0).cache, plan.rows)
    with session() as spark, duckdb.connect() as con:
        spark.sql(f"CREATE TABLE t USING parquet LOCATION '{file.resolve()}'")
        con.execute(f"CREATE TABLE t AS FROM '{file}'")
        records = [compared(name, sql, spark, con, plan.rows) for name, sql in jobs(plan.rows).items()]
    run.write(folder, records)
    print(table(HEADER, rows(records)))
    return int(not all(record["met"] for record in records))


def jobs(count: int) -> Mapping[str, str]:
    """Top k, histogram, median, and the largest groups above a threshold."""
    few, many = KEYS
    counted = "count(DISTINCT u20) AS n FROM t GROUP BY"
    return {
        "top 10": f"SELECT k{many}, {counted} k{many} ORDER BY n DESC LIMIT 10",
        "histogram": f"SELECT k{few}, {counted} k{few}",
        "median": "SELECT median(v) FROM t",
        "HAVING": f"SELECT k{many}, {counted} k{many} HAVING n > {count // 1_000} LIMIT 10",
    }


def parquet(cache: Path, count: int) -> Path:
    """The table of `scale` as Parquet, which both engines read."""
    source = Tables(cache, KEYS).rows(count)
    file = source.with_suffix(".parquet")
    if not file.exists():
        unfinished = file.with_suffix(".part")
        with duckdb.connect(str(source), read_only=True) as con:
            con.execute(f"COPY t TO '{unfinished}' (FORMAT parquet)")
        unfinished.rename(file)
    return file


@contextmanager
def session() -> Iterator[SparkSession]:
    """Spark in this process, without what it would leave behind."""
    from pyspark.sql import SparkSession

    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "spark.driver.memory": "4g",
            "spark.sql.shuffle.partitions": "8",  # 200 by default, for a cluster
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.warehouse.dir": folder,
        }
        spark = SparkSession.builder.master("local[*]").config(map=settings).getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        try:
            yield spark
        finally:
            spark.stop()


def compared(name: str, sql: str, spark: Any, con: duckdb.DuckDBPyConnection, count: int) -> Record:
    """One job on both engines. Input: a SparkSession and a connection, each with table `t`."""
    calls, seconds = asked(spark, sql)
    _, others = asked(con, sql)
    differing = different(calls, DuckEngine(con))
    answers = [call.answer for call in calls if not call.held]
    collected = sum(answer.nbytes for answer in answers)
    return {
        "job": name,
        "rows": count,
        "seconds": round(seconds, 3),
        "duckdb_seconds": round(others, 3),
        "reads": len(calls),
        "scores": sum(answer.num_rows for answer in answers),
        "collected": collected,
        "different": differing,
        "met": not differing and collected <= COLLECTED,
    }


def asked(database: Any, sql: str) -> tuple[list[Call], float]:
    """What a reader was asked for one answer, and the seconds of another one after it."""
    with dpduck.connect(database, epsilon=EPSILON) as db:
        db.execute("SET dp_replay = off")
        db.execute("ALTER TABLE t ADD PRIVACY_KEY (u20)")
        for key in KEYS:
            db.execute(f"ALTER TABLE t ALTER COLUMN k{key} SET PRIVACY DOMAIN BETWEEN (0, {key - 1})")
        db.execute(f"ALTER TABLE t ALTER COLUMN v SET PRIVACY DOMAIN BETWEEN (0, {MOST})")
        with _recorded(db._service._engine) as calls:
            db.execute(sql).fetchall()
        start = time.perf_counter()
        db.execute(sql).fetchall()
        return calls, time.perf_counter() - start


@contextmanager
def _recorded(engine: Engine) -> Iterator[list[Call]]:
    """A list that fills with what the engine's readers are asked."""
    calls: list[Call] = []
    usual = engine.open

    @contextmanager
    def opened(interrupts: Interrupts) -> Iterator[ScoreReader]:
        with usual(interrupts) as reader:
            yield Recorder(reader, calls)

    engine.open = opened  # type: ignore[method-assign]
    yield calls
    engine.open = usual  # type: ignore[method-assign]


def different(calls: Sequence[Call], engine: Engine) -> list[str]:
    """The queries to which the engine gives other rows, or rows of another type. Their order is free."""
    found = []
    with engine.open(Interrupts()) as reader:
        for call in calls:
            if call.held:
                reader.hold(call.query)
            answer = reader.read(call.query, call.given)
            if not _in_order(answer, call).equals(_in_order(call.answer, call)):
                found.append(call.sql)
    return found


def _in_order(rows: pa.Table, call: Call) -> pa.Table:
    """The rows that have to be the same. A number that is given chooses any of the groups of equal score."""
    if call.given is not None:
        rows = rows.select([name for name in rows.column_names if not _KEY.fullmatch(name)])
    ordered = rows.sort_by([(name, "ascending") for name in rows.column_names])
    return ordered.combine_chunks()


def rows(records: Sequence[Record]) -> list[list[str]]:
    """The records as cells of a table."""
    return [
        [
            r["job"],
            f"{r['rows']:,}",
            f"{r['seconds']:.2f}",
            f"{r['duckdb_seconds']:.2f}",
            str(r["reads"]),
            f"{r['collected'] / 1_000:,.1f}",
            "no" if r["different"] else "yes",
            "yes" if r["met"] else "no",
        ]
        for r in records
    ]


def tables(records: Sequence[Record]) -> Iterator[tuple[Sequence[str], Sequence[Sequence[str]]]]:
    """All jobs."""
    yield HEADER, rows(records)


def figures(records: Sequence[Record]) -> Iterator[Figure]:  # noqa: ARG001
    """None."""
    yield from ()
