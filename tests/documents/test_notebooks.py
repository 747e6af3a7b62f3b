"""What docs/NOTEBOOKS.md shows runs, in its order."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
DOCUMENT = Path(__file__).parents[2] / "docs" / "NOTEBOOKS.md"


def test_the_blocks_run_in_order() -> None:
    blocks = re.findall(
        r"^```python\n(.*?)^```$", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    assert len(blocks) >= 4
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, str(DOCUMENT), "exec"), names)
    assert sorted(names["counts"]["page"]) == ["cart", "help", "home"]
    assert len(names["rows"]) == 1
    names["db"].close()
    mpl.pyplot.close("all")
