"""docs/SUMMARIES.md is executed: statements run, and below a query is its answer without noise."""

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
