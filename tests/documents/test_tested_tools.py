"""The table of tested tools, in docs/BI.md, has each client whose test checks the contract, and no other."""

from __future__ import annotations

import re

from tests.cli.processes import ROOT

FOLDER = ROOT / "tests" / "gateway" / "clients"
NAMES = {"node": "node pg", "duckdb_shell": "duckdb's shell"}  # where the file is called otherwise
CONTRACT = re.compile(r"\b(check_contract|check_program)\(|def test_contract|check_exhausted\(")


def table() -> list[str]:
    """The first cells of the table, in lower case, one for each tool."""
    section = (ROOT / "docs" / "BI.md").read_text(encoding="utf-8").partition("## What is tested")[2]
    rows = re.findall(r"^\| ([^|]+?) +\|", section.partition("\n## ")[0], re.MULTILINE)[1:]
    return [re.sub(r" [0-9.]+$", "", tool).lower() for row in rows for tool in row.split(", ")]


def test_each_client_is_in_the_table() -> None:
    files = {path.stem.removeprefix("test_") for path in FOLDER.glob("test_*.py")}
    tested = {
        name for name in files if CONTRACT.search((FOLDER / f"test_{name}.py").read_text(encoding="utf-8"))
    }
    assert files - tested == {"errors_seen", "postgres_habits"}
    assert sorted(table()) == sorted({NAMES.get(name, name) for name in tested} | {"superset"})
