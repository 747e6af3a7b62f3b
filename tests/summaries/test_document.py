"""docs/SUMMARIES.md and docs/DASHBOARDS.md are executed; below a query is its answer without noise."""

from __future__ import annotations

import re
from pathlib import Path

import dpduck
from tests.summaries.asking import rows, spent, told

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_document_is_executed(quiet: dpduck.Connection) -> None:
    blocks = BLOCK.findall((ROOT / "docs" / "SUMMARIES.md").read_text(encoding="utf-8"))
    answered, shown = [], 0
    for language, text in blocks:
        if language == "text":
            assert [" | ".join(map(str, row)) for row in answered] == text.strip().splitlines()
            assert "from summary board" in told(quiet)
            shown += 1
            continue
        for statement in text.split(";"):
            answered = rows(quiet, statement)
    assert (shown, spent(quiet)) == (2, 1)


def test_the_dashboard_is_executed(quiet: dpduck.Connection) -> None:
    """One charge, whatever is asked of it."""
    blocks = BLOCK.findall((ROOT / "docs" / "DASHBOARDS.md").read_text(encoding="utf-8"))
    statements = [text for language, text in blocks if language == "sql"]
    assert len(statements) == 4
    for statement in statements[:2]:
        quiet.execute(statement)
    quiet.execute("SET dp_summaries = only")
    assert len(rows(quiet, statements[2])) == 4
    assert "from summary board" in told(quiet)
    assert len(rows(quiet, statements[3])) == 5
    assert "synthetic rows" in told(quiet)
    assert spent(quiet) == 1
