"""FILES.md: its Python runs on such a folder, and answers."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from tests.documents.test_code_of_documents import ROOT, blocks_of

PAGE = ROOT / "docs" / "FILES.md"


def test_its_python_is_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "data" / "year=2024"
    folder.mkdir(parents=True)
    pages = "['home', 'news', 'shop'][1 + i % 3]"
    rows = f"SELECT i AS person, {pages} AS page FROM range(900) t(i)"
    duckdb.sql(rows).write_parquet(str(folder / "rows.parquet"))
    [code] = [text for language, text in blocks_of(PAGE) if language == "python"]
    *before, last = code.strip().splitlines()
    names: dict[str, object] = {}
    exec("\n".join(before), names)
    answer = eval(last, names)
    assert sorted(row[0] for row in answer.fetchall()) == ["home", "news", "shop"]
    names["db"].close()  # type: ignore[attr-defined]
