"""What a reader was asked and answered is written down, and another engine's answers are held against it."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from benchmarks.performance import scale_spark
from benchmarks.performance.scale_data import Tables
from benchmarks.report.results import FOLDER, load
from dpduck.engines.duckdb.engine import DuckEngine

ROWS = 20_000
HAS_SPARK = all(find_spec(name) for name in ("pyspark", "dpduck.engines.spark.engine")) and shutil.which(
    "java"
)


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    file = Tables(tmp_path_factory.mktemp("cache"), scale_spark.KEYS).rows(ROWS)
    con = duckdb.connect()
    con.execute(f"ATTACH '{file}' AS made (READ_ONLY)")
    con.execute("CREATE TABLE t AS FROM made.t")
    return con


@pytest.mark.parametrize("name", scale_spark.jobs(ROWS))
def test_an_engine_agrees_with_itself(con: duckdb.DuckDBPyConnection, name: str) -> None:
    record = scale_spark.compared(name, scale_spark.jobs(ROWS)[name], con, con, ROWS)
    assert (record["different"], record["met"]) == ([], True)
    assert record["reads"] >= 1
    assert 0 < record["collected"] < scale_spark.COLLECTED
    assert min(record["seconds"], record["duckdb_seconds"]) > 0
    [row] = scale_spark.rows([record])
    assert row[0] == name
    assert row[-2:] == ["yes", "yes"]


def test_another_answer_is_seen(con: duckdb.DuckDBPyConnection) -> None:
    """One score that differs by one, a type, a row too many: each of them is."""
    calls, _ = scale_spark.asked(con, scale_spark.jobs(ROWS)["histogram"])
    reads = [call for call in calls if not call.held]
    assert scale_spark.different(calls, DuckEngine(con)) == []
    answer = reads[0].answer
    last = answer.num_columns - 1
    field = answer.schema.field(last)
    scores = answer.column(last).to_pylist()
    scores[0] += 1
    wrong: list[pa.Table] = [
        answer.set_column(
            last, answer.schema.field(last), [pa.array(scores, answer.schema.field(last).type)]
        ),
        answer.set_column(last, field.name, answer.column(last).cast(pa.float64())),
        pa.concat_tables([answer, answer.slice(0, 1)]),
    ]
    for table in wrong:
        changed = [replace(reads[0], answer=table), *calls[calls.index(reads[0]) + 1 :]]
        before = calls[: calls.index(reads[0])]
        assert scale_spark.different([*before, *changed], DuckEngine(con)) == [reads[0].sql]
    turned = replace(reads[0], answer=answer.take(list(range(answer.num_rows))[::-1]))
    assert scale_spark.different([*calls[: calls.index(reads[0])], turned], DuckEngine(con)) == []


def test_too_much_is_not_met(con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scale_spark, "COLLECTED", 10)
    record = scale_spark.compared("histogram", scale_spark.jobs(ROWS)["histogram"], con, con, ROWS)
    assert (record["different"], record["met"]) == ([], False)


def test_without_spark_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing: Any = lambda name: None  # noqa: E731
    monkeypatch.setattr(scale_spark, "find_spec", missing)
    with pytest.raises(SystemExit, match=r"pip install '\.\[spark\]'"):
        scale_spark.main(scale_spark.Plan(1_000), tmp_path, tmp_path)


@pytest.mark.skipif(not HAS_SPARK, reason="needs pyspark and Java")
def test_spark_agrees(tmp_path: Path) -> None:
    """In a process of its own, since Spark is one for a process. It lives too short to be compiled well."""
    small = ["--rows", "2e4", "--cache", str(tmp_path), "--out", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "spark", *small],
        cwd=FOLDER.parents[1],
        env={**os.environ, "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    records = load(tmp_path / "spark.jsonl")
    assert [record["job"] for record in records] == [*scale_spark.jobs(ROWS)]
    assert all(record["met"] and record["scale"] < 1 for record in records)
