"""The walks of docs/contributing/walks.md: which rooms Python enters, in the order of the first call."""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"^\| (an? [^|]+) \| (\d+) \| (\d+) \| ([^|]+) \|$", re.MULTILINE)


def test_they_are_as_written(tmp_path: Path) -> None:
    """In a new process, since what is read once and kept makes later walks shorter."""
    command = [sys.executable, "-m", "tests.walks", str(tmp_path / "visits.duckdb")]
    made = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    rows = ROW.findall((ROOT / "docs/contributing/walks.md").read_text(encoding="utf-8"))
    assert made == {name: rooms.split(", ") for name, _, _, rooms in rows}
    assert [int(now) for _, _, now, _ in rows] == [len(rooms) for rooms in made.values()]
    assert all(int(before) > int(now) for _, before, now, _ in rows)
