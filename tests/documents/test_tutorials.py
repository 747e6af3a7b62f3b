"""The notebooks run from their first cell to their last: in a kernel of Jupyter, in marimo, as a program."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "tutorials"
NOTEBOOKS = ["scientist", "owner", "engineer"]
KERNELS = {"with ipywidgets": "import ipywidgets", "without": "import sys\nsys.modules['ipywidgets'] = None"}
SECONDS = 240


def surroundings(scratch: Path) -> dict[str, str]:
    """What a notebook runs in: this dpduck, and a folder of its own for what it writes."""
    scratch.mkdir(exist_ok=True)
    own = {"PYTHONPATH": str(ROOT), "TMPDIR": str(scratch), "IPYTHONDIR": str(scratch), "HOME": str(scratch)}
    return os.environ | own | {"JUPYTER_PLATFORM_DIRS": "1", "MPLBACKEND": "Agg", "NO_COLOR": "1"}


def copied(name: str, tmp_path: Path) -> Path:
    return Path(shutil.copy(FOLDER / f"{name}.ipynb", tmp_path))


def in_kernel(name: str, start: str, tmp_path: Path) -> list[Any]:
    """Run a notebook in a kernel. Output: its cells of code, with what they showed."""
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(start))
    env = surroundings(tmp_path / "scratch")
    env.pop("MPLBACKEND")  # the kernel has one of its own, which shows pictures
    client = NotebookClient(notebook, timeout=SECONDS, kernel_name="python3")
    client.execute(env=env, cwd=str(tmp_path))
    return [cell for cell in notebook.cells[1:] if cell.cell_type == "code"]


def text_of(cells: list[Any]) -> str:
    """All that cells showed, as text."""
    outputs = [output for cell in cells for output in cell.outputs]
    texts = [out.get("text", "") + out.get("data", {}).get("text/plain", "") for out in outputs]
    return "\n".join(texts)


@pytest.mark.parametrize(
    ("name", "kernel"),
    [
        *(("scientist", kernel) for kernel in KERNELS),
        # These the site runs each day, in a kernel with ipywidgets (test_site.py).
        *(pytest.param(*each, marks=pytest.mark.nightly) for each in product(NOTEBOOKS[1:], KERNELS)),
    ],
)
def test_it_runs_in_jupyter(name: str, kernel: str, tmp_path: Path) -> None:
    cells = in_kernel(name, KERNELS[kernel], tmp_path)
    outputs = [output for cell in cells for output in cell.outputs]
    assert [out for out in outputs if out.output_type == "error" or out.get("name") == "stderr"] == []
    CHECKS[name](cells)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scratch"]  # it wrote nowhere else


def check_scientist(cells: list[Any]) -> None:
    shown = [out.get("data", {}) for cell in cells for out in cell.outputs]
    assert sum("±" in data.get("text/html", "") for data in shown) >= 3
    assert sum("image/png" in data for data in shown) == 1
    text = text_of(cells)
    assert "('0'," in text  # the same question again
    assert "private rows cannot be listed" in text and "Nothing was charged." in text
    assert 'class="bar"' in "".join(data.get("text/html", "") for data in shown)


def check_owner(cells: list[Any]) -> None:
    text = text_of(cells)
    assert "ALTER TABLE orders ADD PRIVACY_LINK (customer) REFERENCES customers(id);\n--   why:" in text
    assert "+ CREATE PRIVACY BUDGET life LIMIT 3 DELTA 0.000001;" in text
    assert "applied 10 statements" in text
    assert "The cap of budget 'marketing'" in text
    assert "the ledger is whole" in text
    assert text.count("ledger does not add up") == 1  # the forged copy
    assert "audit: 1 queries, 0 differences" in text
    assert "needs the word FORCE" in text


def check_engineer(cells: list[Any]) -> None:
    text = text_of(cells)
    assert "ana may log in" in text and "listening on 127.0.0.1:" in text
    assert "check: 0 wrong" in text
    assert "private rows cannot be listed" in text
    [after] = [line for line in text.splitlines() if line.startswith("[('help'") and _shop_of(line) > 4_500]
    assert "(exit code 1)" in text and "the ledger is whole" in text
    assert "restored: " in text and "backup may be older than what was spent" in text
    assert after


def _shop_of(line: str) -> int:
    found = re.search(r"'shop', (\d+)", line)
    assert found is not None, line
    return int(found[1])


CHECKS = {"scientist": check_scientist, "owner": check_owner, "engineer": check_engineer}


@pytest.mark.parametrize(
    "name", ["scientist", *(pytest.param(name, marks=pytest.mark.nightly) for name in NOTEBOOKS[1:])]
)
def test_it_runs_as_a_program(name: str, tmp_path: Path) -> None:
    cells = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4).cells
    program = tmp_path / f"{name}.py"
    program.write_text(
        "\n\n".join(cell.source for cell in cells if cell.cell_type == "code"), encoding="utf-8"
    )
    command = [sys.executable, "-W", "error::SyntaxWarning", str(program)]
    done = run(command, tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "name", ["scientist", *(pytest.param(name, marks=pytest.mark.nightly) for name in NOTEBOOKS[1:])]
)
def test_it_runs_in_marimo(name: str, tmp_path: Path) -> None:
    pytest.importorskip("marimo", reason="marimo is not installed: pip install '.[integration]'")
    app = tmp_path / f"{name}.py"
    convert = [sys.executable, "-m", "marimo", "convert", str(copied(name, tmp_path)), "-o", str(app)]
    converted = run(convert, tmp_path)
    assert converted.returncode == 0, converted.stderr
    assert app.read_text(encoding="utf-8").count("@app.cell") > 15
    done = run([sys.executable, str(app)], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def run(command: list[str], tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a scratch folder, within a few minutes."""
    return subprocess.run(
        command,
        cwd=tmp_path,
        env=surroundings(tmp_path / "scratch"),
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
