"""The first lines of the README, typed into a new Python beside a CSV: an answer within a minute."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import duckdb

from tests.documents.executed import assert_like

ROOT = Path(__file__).parents[2]
SECONDS = 60
SURVEY = """
COPY (
    SELECT i AS person, ['Aarau', 'Bern', 'Bern', 'Chur'][1 + i % 4] AS city, 18 + i * 37 % 60 AS age
    FROM range(2000) AS r(i)
) TO 'survey.csv'
"""


def transcript() -> tuple[list[str], str]:
    """What the README types, and what it shows."""
    block = re.search(r"^```pycon\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    assert block is not None
    lines = block[1].splitlines()
    typed = [line.removeprefix(">>> ") for line in lines if line.startswith(">>> ")]
    return typed, "\n".join(line for line in lines if not line.startswith(">>> "))


def test_a_csv_is_answered_in_five_lines_within_a_minute(tmp_path: Path) -> None:
    typed, shown = transcript()
    assert len(typed) <= 5
    with duckdb.connect() as con:
        con.execute(SURVEY.replace("survey.csv", str(tmp_path / "survey.csv")))
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-i", "-q"],
        input="\n".join(typed) + "\n",
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "NO_COLOR": "1", "PYTHONSTARTUP": ""},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    taken = time.monotonic() - begun
    assert_like(done.stdout, shown)
    assert "Traceback" not in done.stderr
    assert taken < SECONDS
    print(f"{len(typed)} lines, {taken:.1f} s")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["survey.csv"]


def test_the_command_line_needs_one(tmp_path: Path) -> None:
    """What `dpduck demo` ends with, typed with a file of one's own."""
    with duckdb.connect() as con:
        con.execute(SURVEY.replace("survey.csv", str(tmp_path / "survey.csv")))
    command = ["query", "survey.csv", "SELECT count(*) FROM survey", "--unit", "person", "--epsilon", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "dpduck", *command],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    assert re.search(r"│ +(?:1,9\d\d|2,0[0-2]\d) ± 3 │", done.stdout)
