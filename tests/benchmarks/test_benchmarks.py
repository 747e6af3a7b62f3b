"""The benchmarks run, at a tiny size; their results parse; the README says what the result files say."""

import json
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from benchmarks import report
from benchmarks.__main__ import main
from benchmarks.data import BASKETS, Source, generate
from benchmarks.results import FOLDER, last_run, load
from benchmarks.speed import met, target

TINY = ["--scale", "0.0005"]
COMMON = {"benchmark", "run", "commit", "packages", "machine", "seed", "scale"}


def test_speed_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["speed", *TINY, "--repeat", "1", "--cache", str(tmp_path), "--out", str(tmp_path)]) == 0
    records = load(tmp_path / "speed.jsonl")
    assert {r["way"] for r in records} >= {"DuckDB", "dp_top_k_counts", "dpduck.connect", "dp_median"}
    for record in records:
        assert record.keys() >= COMMON | {"job", "way", "seconds", "median", "ratio"}
        assert len(record["seconds"]) == 1
        assert record["median"] > 0
    assert "selection from 1e8 candidates" in capsys.readouterr().out


def test_accuracy_runs_on_generated_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draws = ["--draws", "40", "--sql-draws", "20", "--cache", str(tmp_path), "--out", str(tmp_path)]
    assert main(["accuracy", *TINY, *draws]) == 0
    records = load(tmp_path / "accuracy.jsonl")
    assert {r["kind"] for r in records} == {"mode", "median", "counts"}
    assert not any(r["own"] for r in records)
    assert "(generated)" in capsys.readouterr().out


def test_ledger_runs(tmp_path: Path) -> None:
    """In a process of its own, since it forks."""
    short = ["--seconds", "0.2", "--repeat", "3", "--refreshes", "3", "--out", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "ledger", *short],
        cwd=FOLDER.parents[1],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    records = load(tmp_path / "ledger.jsonl")
    assert [r["writers"] for r in records if r["kind"] == "charges"] == [1, 4, 16]
    assert all(r["per_second"] > 1 for r in records if r["kind"] == "charges")
    assert len([r for r in records if r["kind"] == "replay"]) == 4
    costs = {r["name"]: (r["epsilon"], r["again"]) for r in records if r["kind"] == "dashboard"}
    assert costs["as it is"] == costs["spelled in turns"] == (1.2, {})
    assert "another spelling" in done.stdout


def test_tamper_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tamper", "--bytes", "50", "--out", str(tmp_path)]) == 0
    [record] = load(tmp_path / "tamper.jsonl")
    assert (record["changed"], record["believed"]) == (50, {})
    assert record["noticed"] + record["without"] == 50
    assert "without effect" in capsys.readouterr().out


def test_own_files_are_read(tmp_path: Path) -> None:
    pq.write_table(generate("retail", 1e-3), tmp_path / "retail.parquet")
    source = Source.of(tmp_path / "cache", tmp_path, 1e-3)
    assert source.path("retail") == tmp_path / "retail.parquet"
    assert source.own("retail")
    assert not source.own("t10i4")


@pytest.mark.parametrize("name", BASKETS)
def test_baskets_have_their_statistics(name: str) -> None:
    """As many rows, baskets and items as asked for; no item twice in a basket; the same in every run."""
    shape = BASKETS[name].scaled(1e-3)
    table = generate(name, 1e-3)
    baskets, items = table["basket_id"].to_pylist(), table["item"].to_pylist()
    assert len(set(zip(baskets, items, strict=True))) == table.num_rows == shape.rows
    assert (len(set(baskets)), len(set(items))) == (shape.baskets, shape.items)
    assert generate(name, 1e-3).equals(table)


def test_targets_are_met_or_not() -> None:
    record = {"median": 0.2, "ratio": 1.2, "most_seconds": None, "most_ratio": 1.3}
    assert (target(record), met(record)) == ("1.30x", "yes")
    assert met({**record, "most_seconds": 0.1}) == "no"
    assert met({**record, "most_ratio": None}) == ""


def test_the_last_full_run_counts() -> None:
    runs = [("1", 1, "2.0.0"), ("2", 1, "2.0.0"), ("3", 1, "1.5.5"), ("4", 0.1, "2.0.0")]
    records = [{"run": run, "scale": scale, "packages": {"duckdb": v}} for run, scale, v in runs]
    assert [r["run"] for r in last_run(records, "2.0.0")] == ["2"]
    assert [r["run"] for r in last_run(records)] == ["3"]
    assert last_run([]) == []


def test_result_files_parse() -> None:
    for path in FOLDER.glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert json.loads(line).keys() >= COMMON


def test_the_readme_is_up_to_date() -> None:
    assert report.main(FOLDER, check=True) == 0
