"""dpduck beside the plain query: cells, the tables they read, processes that take turns, what is shown."""

import doctest
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest

from benchmarks.__main__ import main
from benchmarks.performance import scale
from benchmarks.performance.scale_cells import (
    DPDUCK,
    HISTOGRAM,
    MIDDLE,
    PLAIN,
    ROW,
    SPARSE,
    TOP,
    UNITS,
    cells,
)
from benchmarks.performance.scale_data import Tables
from benchmarks.performance.turns import Taken, in_processes
from benchmarks.report import plots
from benchmarks.report.results import FOLDER, load

# A child that "takes" what it is told to, in the order of its answers, and may die or sleep.
CHILD = """
import json, sys, time
ask = json.loads(sys.stdin.readline())
print(json.dumps({"start": 10.0}), flush=True)
for number, line in enumerate(sys.stdin):
    if number == ask.get("dies"):
        raise ValueError("no more at /some/where 1")
    time.sleep(ask.get("sleeps", 0))
    with open(ask["log"], "a") as log:
        log.write(ask["name"])
    print(json.dumps({"seconds": ask["seconds"] + number}), flush=True)
print(json.dumps({"peak": 20.0}), flush=True)
"""


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "some_child.py").write_text(CHILD)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return "some_child"


def test_it_runs(tmp_path: Path) -> None:
    """Each cell, both ways, in processes of their own."""
    small = ["--rows", "1e5", "--candidates", "1e2,1e4", "--repeat", "1", "--cache", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "scale", *small, "--out", str(tmp_path)],
        cwd=FOLDER.parents[1],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    records = load(tmp_path / "scale.jsonl")
    assert all(record["note"] == "" and record["scale"] < 1 for record in records)
    ours = [record for record in records if record["way"] == DPDUCK]
    assert [r["job"] for r in ours] == [TOP, TOP, HISTOGRAM, HISTOGRAM] * 3 + [MIDDLE, MIDDLE, SPARSE]
    for record in ours:
        assert len(record["seconds"]) == 1
        assert record["ratio"] > 0
        assert 20 < record["start_mib"] <= record["peak_mib"]
    names = {"scale-top", "scale-top-rows", "scale-histogram", "scale-median"}
    assert {figure.name for figure in scale.figures(records)} == names
    assert "seconds beyond the aggregation" in done.stdout


def test_both_ways_give_the_same_answer_without_noise(tmp_path: Path) -> None:
    """The plain query of each cell has the keys that the private one may answer with, and says as much."""
    tables = Tables(tmp_path, (100,))
    for cell in cells(tables, [2_000], 200):
        private, plain, *_ = cell.ways.values()
        assert private.policies
        assert not plain.policies
        with duckdb.connect(str(private.file), read_only=True) as con:
            found = con.execute(private.sql).fetchall()
            if cell.job in (TOP, HISTOGRAM):
                assert private.sql == plain.sql
                keys = {key for key, _ in found}
                assert keys <= set(range(100))
                assert len(keys) == (10 if cell.job == TOP else 100)
            elif cell.job == SPARSE:
                assert con.execute(plain.sql).fetchall() == [(400, found[0][1])]
            else:
                [(answer,)], [(middle,)] = found, con.execute(plain.sql).fetchall()
                assert 0.05e9 < answer < 0.25e9
                assert 0.05e9 < middle < 0.25e9


def test_a_table_is_made_once(tmp_path: Path) -> None:
    first = Tables(tmp_path, (10,)).rows(1_000)
    made = first.stat().st_mtime_ns
    assert Tables(tmp_path, (10,)).rows(1_000) == first
    assert first.stat().st_mtime_ns == made


def test_tables_are_what_they_say(tmp_path: Path) -> None:
    """Units with one row and with twenty, long-tailed keys within their domain, a key that is declared."""
    tables = Tables(tmp_path, (50, 1_000))
    with duckdb.connect(str(tables.rows(20_000)), read_only=True) as con:
        [facts] = con.execute(
            "SELECT count(*), count(DISTINCT id), count(DISTINCT u1), count(DISTINCT u20), "
            "min(k50), max(k50), min(k1000), max(k1000), min(v) >= 0, max(v) <= 1e9 FROM t"
        ).fetchall()
        assert facts == (20_000, 20_000, 20_000, 1_000, 0, 49, 0, 999, True, True)
        assert con.execute("SELECT DISTINCT n FROM (SELECT count(*) n FROM t GROUP BY u20)").fetchall() == [
            (20,)
        ]
        counts = [
            n for (n,) in con.execute("SELECT count(*) n FROM t GROUP BY k50 ORDER BY n DESC").fetchall()
        ]
        assert 3_100 < counts[0] < 3_950  # log(2) / log(51) of the rows: 3,526, with a deviation of 54
        assert 60 < counts[-1] < 140  # log(51 / 50) / log(51): 101
        kinds = "SELECT constraint_type FROM duckdb_constraints() WHERE constraint_column_names = ['id']"
        assert ("PRIMARY KEY",) in con.execute(kinds).fetchall()
    with duckdb.connect(str(tables.sparse(1_000)), read_only=True) as con:
        sql = "SELECT count(*), count(DISTINCT k), min(k) >= 0, max(k) < 10000 FROM t"
        assert con.execute(sql).fetchall() == [(2_000, 1_000, True, True)]
    assert not list(tmp_path.glob("*.part"))


def test_a_table_that_does_not_fit_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"needs 60000\.0 GB of disk"):
        Tables(tmp_path, (10,)).rows(10**15 // 1_000)
    assert not list(tmp_path.iterdir())


def test_ways_take_turns(tmp_path: Path, child: str) -> None:
    """Once to warm up, then each round in the other order; the first times do not count."""
    asks = {
        name: {"name": name, "seconds": s, "log": str(tmp_path / "log")} for name, s in (("a", 1), ("b", 5))
    }
    taken = in_processes(child, asks, repeat=3, seconds=60, limit=60)
    assert (tmp_path / "log").read_text() == "abbaabba"
    assert taken == {"a": Taken([2, 3, 4], 10.0, 20.0), "b": Taken([6, 7, 8], 10.0, 20.0)}


def test_no_round_begins_too_late(tmp_path: Path, child: str) -> None:
    asks = {"a": {"name": "a", "seconds": 1, "log": str(tmp_path / "log"), "sleeps": 0.2}}
    assert in_processes(child, asks, repeat=9, seconds=0.1, limit=60)["a"].seconds == [1]
    assert in_processes(child, asks, repeat=9, seconds=0.3, limit=60)["a"].seconds == [2]


def test_a_way_that_fails_says_why_and_the_other_goes_on(tmp_path: Path, child: str) -> None:
    usual = {"seconds": 1, "log": str(tmp_path / "log")}
    asks = {"a": {"name": "a", "dies": 1, **usual}, "b": {"name": "b", **usual}}
    taken = in_processes(child, asks, repeat=2, seconds=60, limit=60)
    assert taken["a"].note == "ValueError: no more at 1"
    assert taken["b"] == Taken([2, 3], 10.0, 20.0)
    slow = in_processes(child, {"a": {"name": "a", "sleeps": 9, **usual}}, repeat=2, seconds=60, limit=0.2)
    assert (slow["a"].note, slow["a"].seconds, slow["a"].peak) == ("> 0.2 s", [], None)


def test_claims_are_of_the_worst(tmp_path: Path) -> None:
    def record(job: str, unit: str, ratio: float, **more: Any) -> dict[str, Any]:
        facts = {"rows": 10_000_000, "candidates": 1_000, "way": DPDUCK, "note": "", "peak_ratio": 1.1}
        return {**facts, "job": job, "unit": unit, "ratio": ratio, **more}

    units = list(UNITS)
    found = [
        record(TOP, units[1], 1.0),
        record(HISTOGRAM, units[2], 1.21),
        record(TOP, units[2], 9.0, rows=1_000_000, peak_ratio=9.0),
        record(TOP, ROW, 1.21),
        record(MIDDLE, ROW, 0.5, candidates=None),
        record(MIDDLE, ROW, 1.0, candidates=None, peak_ratio=1.3),
        record(SPARSE, ROW, 3.0, beyond_seconds=1.5, beyond_mib=501.0),
    ]
    shown = [cells[1:] for cells in scale.claims(found)]
    assert shown == [
        ["<= 1.15", "1.21", "no"],
        ["", "1.10", ""],
        ["<= 1.25", "1.21", "yes"],
        ["", "1.21", ""],
        ["<= 1", "1.00", "yes"],
        ["", "0.71", ""],
        ["<= 1.2", "1.30", "no"],
        ["", "1.14", ""],
        ["<= 2", "1.50", "yes"],
        ["<= 500", "501.00", "no"],
    ]
    [worst, *_] = scale.claims(found)
    assert worst[0].endswith("worst (histogram of 1e3, 20 rows per unit, 1e7 rows)")
    failed = {**record(TOP, ROW, 0.0, note="> 300 s"), "ratio": None}
    del failed["ratio"], failed["peak_ratio"]
    assert [cells[1:] for cells in scale.claims([failed])] == [["0", "1", "no"], ["0", "1", "no"]]
    assert list(scale.claims([])) == []


def test_small_sizes_are_not_the_full_size() -> None:
    assert scale.Plan().scale == 1
    assert scale.Plan(rows=(100_000_000,)).scale < 1
    assert scale.Plan(candidates=(1_000,)).scale < 1


def test_the_growth_is_drawn(tmp_path: Path) -> None:
    usual = {"job": MIDDLE, "unit": ROW, "candidates": None, "note": ""}
    found = [
        {**usual, "rows": rows, "way": way, "median": rows / 1e8}
        for rows in (10**6, 10**7, 10**8)
        for way in (DPDUCK, PLAIN)
    ]
    [figure] = scale.figures(found)
    assert [(line.label, line.x, line.y) for line in figure.lines] == [
        (way, (10**6, 10**7, 10**8), (0.01, 0.1, 1.0)) for way in (DPDUCK, PLAIN)
    ]
    if plots.installed():
        assert plots.draw(figure, tmp_path).stat().st_size > 1_000


def test_options_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(scale, "main", lambda *given: asked.append(given))
    assert main(["scale", "--rows", "1e5,2e6", "--seconds", "3", "--out", str(tmp_path)]) == 0
    assert asked == [(scale.Plan(rows=(100_000, 2_000_000), seconds=3.0), None, tmp_path)]


def test_examples_run() -> None:
    assert doctest.testmod(scale).failed == 0
