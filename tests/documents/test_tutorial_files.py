"""Notebooks are in the repository as text: no output, no counter, nothing of who saved them."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "tutorials"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def test_there_is_one_for_each_who_comes() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["engineer", "owner", "scientist"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_nothing_of_a_run_is_in_a_notebook(path: Path) -> None:
    """To take out what a run left: Kernel, Restart Kernel and Clear Outputs of All Cells, then save."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = notebook["cells"]
    assert [cell["id"] for cell in cells] == [f"cell-{number:02}" for number in range(1, len(cells) + 1)]
    assert [
        cell for cell in cells if cell["metadata"] or cell.get("outputs") or cell.get("execution_count")
    ] == []
    assert notebook["metadata"] == {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    assert path.stat().st_size < 20_000


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_each_cell_is_python_that_needs_no_jupyter(path: Path) -> None:
    """No magic and no shell: so a notebook runs in marimo and as a program, too."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert len(sources) >= 8
    defined: set[str] = set()
    for source in sources:
        named = {alias.asname or alias.name.partition(".")[0] for alias in imported(source)}
        assert not named & defined, "marimo wants each name to be defined in one cell"
        defined |= named


def imported(source: str) -> list[ast.alias]:
    nodes = ast.walk(ast.parse(source))
    return [alias for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names]
