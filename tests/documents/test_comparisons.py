"""The figures of docs/COMPARISONS.md are those of the benchmarks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks.peers import compare

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "COMPARISONS.md").read_text(encoding="utf-8")
NAMES = {
    "OpenDP core, over counts of DuckDB": "OpenDP core",
    "the same, a tenth of epsilon selects": "OpenDP core, a tenth selects",
}
ROW = re.compile(r"^\| ([^|]+?) \| ([\d.,]*) ?\| ([\d,]*) ?\| ([\d.]+) \|$", re.MULTILINE)


def measured() -> dict[str, dict[str, object]]:
    """The last run of the ten largest, by tool."""
    lines = (ROOT / "benchmarks" / "results" / "peers.jsonl").read_text(encoding="utf-8").splitlines()
    records = compare.latest([json.loads(line) for line in lines])
    return {r["rival"]: r for r in records if r["job"] == "top_10"}


def test_the_table_is_that_of_the_benchmark() -> None:
    rows = ROW.findall(TEXT)
    found = measured()
    assert len(rows) == 7
    for name, seconds, memory, error in rows:
        record = found[NAMES.get(name, name)]
        assert float(error) == pytest.approx(record["rmse"], abs=0.05)
        assert bool(seconds) == bool(record["median"])
        if seconds:
            assert float(seconds) == pytest.approx(record["median"], abs=0.005)
            assert int(memory.replace(",", "")) == record["peak_mib"]


def test_each_rival_is_said_to_be_better_at_something() -> None:
    parts = [
        part
        for part in TEXT.split("\n## ")
        if re.match(r"(?:OpenDP|Smart|Qrlew|Tumult|DPSQL|BigQ|Snow|DuckDB)", part)
    ]
    assert len(parts) == 8
    assert [
        part.splitlines()[0] for part in parts if "**Better**" not in part or "](https://" not in part
    ] == []
