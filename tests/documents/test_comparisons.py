"""The figures of docs/COMPARISONS.md are those of the benchmarks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.peers import compare, tables
from benchmarks.report.results import FOLDER, Record, load

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "COMPARISONS.md").read_text(encoding="utf-8")
NAMES = {
    "OpenDP core, over counts of DuckDB": "OpenDP core",
    "the same, a tenth of epsilon selects": "OpenDP core, a tenth selects",
}
ROWS = "dpduck, rows, Gaussian"
ROW = re.compile(r"^\| ([^|]+?) \| ([\d.,]*) ?\| ([\d,]*) ?\| ([\d.]+) \|$", re.MULTILINE)


def records() -> list[Record]:
    """All lines of the benchmark."""
    return load(FOLDER / "peers.jsonl")


def measured() -> dict[str, dict[str, object]]:
    """The last run of the ten largest, by tool."""
    return {r["rival"]: r for r in compare.latest(records()) if r["job"] == "top_10"}


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


def test_aim_is_as_far_off_as_it_says() -> None:
    """Errors of tables of one, two and three columns, then seconds of AIM and of the rows."""
    shown = tables.latest(records())
    found = {r["rival"]: r for r in shown}
    part = TEXT.split("AIM beside", 1)[1].split("\n\n", 1)[0]
    errors = re.findall(r"([\d.]+), ([\d.]+)\s+and\s+([\d.]+)", part)
    for figures, rival in zip(errors, ("AIM, for pairs", "AIM, for triples", ROWS), strict=True):
        for figure, asked in zip(figures, tables.ASKED, strict=False):
            assert float(figure) == pytest.approx(found[rival]["rmse"][asked][0], abs=0.05)
    [(own, other)] = re.findall(r"in ([\d.]+) s\s+in\s+place\s+of\s+(\d+)", part)
    assert float(own) == pytest.approx(found[ROWS]["median"], abs=0.05)
    assert float(other) == pytest.approx(found["AIM, for triples"]["median"], abs=0.5)


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
