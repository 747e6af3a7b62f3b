"""A real kernel of Jupyter, with ipywidgets and without; marimo and jupysql, through the DB-API."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.connection.conftest import HISTOGRAM

ROOT = Path(__file__).parents[2]
WITHOUT = "import sys; sys.modules['ipywidgets'] = None"  # as if it were not installed
WITHOUT_SPARK = "sys.modules['pyspark'] = None"  # jupysql fails where PySpark lacks what its client needs


def run(cells: list[str], tmp_path: Path) -> list[list[Any]]:
    """Run cells in a kernel. Output: the outputs of each."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    env = os.environ | {"PYTHONPATH": str(ROOT), "JUPYTER_PLATFORM_DIRS": "1", "IPYTHONDIR": str(tmp_path)}
    client = NotebookClient(notebook, timeout=120, allow_errors=True, kernel_name="python3")
    client.execute(env=env)
    return [cell.outputs for cell in notebook.cells]


@pytest.mark.parametrize("start", ["import ipywidgets", WITHOUT], ids=["with ipywidgets", "without"])
def test_a_kernel_shows_answers_plans_budgets_pictures_and_errors(
    file: Path, tmp_path: Path, start: str
) -> None:
    cells = [
        f"{start}\nimport dpduck\ndb = dpduck.connect({str(file)!r}, epsilon='0.5')\n"
        "%load_ext dpduck\n%dpduck db",
        f"%%dpduck answer\n{HISTOGRAM}",
        "db.explain('SELECT count(*) FROM visits')",
        "db.budget()",
        "answer.plot()",
        "db.sql('SELECT nothing FROM visits')",
        "%%dpduck\nSELECT FROM WHERE",
        f"%%dpduck plan --explain\n{HISTOGRAM}",
        "%%dpduck --db nothing\nSELECT 1",
        "assert db.ledger().num_rows == 1",
        "import pyarrow\npyarrow.table({'a': [1]})",
    ]
    opened, answer, plan, budget, picture, error, syntax, explained, missing, charged, other = run(
        cells, tmp_path
    )
    assert not [one for one in opened if one.output_type in ("error", "stream")]
    assert answer[0].data["text/html"].count("±") >= 3
    assert "It costs epsilon 0.5." in plan[0].data["text/html"]
    assert 'class="bar"' in budget[0].data["text/html"]
    assert "█" in budget[0].data["text/plain"]
    assert any("image/png" in one.get("data", {}) for one in picture)
    assert error[0].traceback[0] == "line 1: db.sql('SELECT nothing FROM visits')"
    assert error[0].traceback[1] == "UnknownNameError: table visits has no column nothing"
    assert len(error[0].traceback) == 4
    assert any("SqlSyntaxError" in line for line in syntax[0].traceback)
    assert "replayed" in explained[0].data["text/html"]
    assert missing[0].ename == "ParameterError"
    assert charged == []
    assert list(other[0].data) == ["text/plain"]


def test_magics_of_jupysql_use_the_connection(file: Path, tmp_path: Path) -> None:
    cells = [
        f"{WITHOUT}\n{WITHOUT_SPARK}\nimport dpduck\ndb = dpduck.connect({str(file)!r}, epsilon='0.5')",
        "%load_ext sql\n%config SqlMagic.displaycon = False\n%sql db",
        f"rows = %sql {HISTOGRAM}\nprint(sorted(row[0] for row in rows))",
        f"%sql dpduck:///{file}?analyst=ana&epsilon=0.5\n"
        "more = %sql SELECT count(*) FROM visits\nprint(len(more))",
        "print(db.ledger().num_rows)",
    ]
    outputs = run(cells, tmp_path)
    texts = ["".join(one.get("text", "") for one in cell) for cell in outputs]
    assert not [one for cell in outputs for one in cell if one.output_type == "error"], outputs
    assert "['cart', 'help', 'home']" in texts[2]


def test_sql_cells_of_marimo_use_the_connection(file: Path, tmp_path: Path) -> None:
    app = tmp_path / "app.py"
    app.write_text(
        "import marimo\n\napp = marimo.App()\n\n\n@app.cell\ndef _():\n"
        "    import dpduck\n    import marimo as mo\n"
        f"    db = dpduck.connect({str(file)!r}, epsilon='0.5')\n    return db, mo\n\n\n@app.cell\n"
        f"def _(db, mo):\n    answer = mo.sql({HISTOGRAM!r}, engine=db)\n"
        "    print(sorted(answer['page']), len(db.ledger()))\n"
        "    return\n\n\nif __name__ == '__main__':\n    app.run()\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, str(app)], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "['cart', 'help', 'home'] 1" in done.stdout
