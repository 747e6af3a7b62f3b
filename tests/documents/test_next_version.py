"""The commands of docs/GATEWAY.md that make the next version of the data."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import dpduck

GUIDE = Path(__file__).parents[2] / "docs" / "GATEWAY.md"


def commands() -> list[list[str]]:
    """The words of each command of the section."""
    section = GUIDE.read_text().split("## New data, new policies\n")[1].split("\n## ")[0]
    return [shlex.split(line) for line in section.split("```\n")[1].splitlines()]


def run(words: list[str], folder: Path) -> None:
    """Run a command; the shell of DuckDB is not installed everywhere, but its library is."""
    match words:
        case ["duckdb", file, sql]:
            with duckdb.connect(str(folder / file)) as db:
                db.execute(sql.replace("FROM '", f"FROM '{folder}/"))
        case ["dpduck", *rest]:
            environment = {**os.environ, "PYTHONPATH": str(GUIDE.parents[1])}
            command = [sys.executable, "-m", "dpduck", *rest]
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
        case ["pkill", *_]:
            pass  # tests/gateway/test_reload.py sends signals to servers
        case _:
            subprocess.run(words, cwd=folder, check=True)


@pytest.mark.slow
def test_the_next_version_has_the_new_rows_and_policies(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as db:
        db.execute("CREATE TABLE visits AS SELECT range AS visitor FROM range(100)")
        db.execute(f"COPY (SELECT range AS visitor FROM range(100, 150)) TO '{tmp_path}/today.parquet'")
    with dpduck.connect(tmp_path / "shop.duckdb") as owner:
        owner.execute("ALTER TABLE visits ADD PRIVACY_KEY (visitor)")
    for words in commands():
        run(words, tmp_path)
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as db:
        assert db.execute("SELECT count(*) FROM visits").fetchall() == [(150,)]
    with dpduck.connect(tmp_path / "shop.duckdb") as owner:
        owner.execute("SELECT statement FROM dp_policies()")
        stated = [str(statement) for (statement,) in owner.fetchall()]
    assert any("CONTRIBUTION (rows = 20)" in one for one in stated)
    assert not (tmp_path / "next.duckdb.ledger").exists()
