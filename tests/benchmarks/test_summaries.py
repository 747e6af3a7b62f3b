"""The benchmark of summaries runs from SQL, at a tiny size, and its errors are those of noise."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.performance import summaries
from benchmarks.performance.summaries import Plan
from benchmarks.report.results import load


def test_all_tables_are_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert summaries.main(Plan(runs=1, questions=2, size=6), tmp_path) == 0
    [*records] = load(tmp_path / "summaries.jsonl")
    found = {record["table"]: record["rows"][1:] for record in records}
    assert list(found) == ["C", "D", "F", "planning", "memory"]
    for name, kind, published, here, _, _ in found["C"]:
        for one, other in zip(*(text.split(";")[0].split(", ") for text in (published, here)), strict=True):
            assert float(one) / 2 < float(other) < float(one) * 2, (name, kind)
    for kind, error, predicted, _, _ in found["F"]:
        ratio = float(error.replace(",", "")) / float(predicted.replace(",", ""))
        assert 0.4 < ratio < 2.5, kind
    raw = [float(row[2]) for row in found["D"] if row[1] == "raw"]
    assert all(0.9 < held < 0.99 for held in raw)
    assert "beside" not in capsys.readouterr().err
