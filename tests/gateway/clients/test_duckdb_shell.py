"""The DuckDB shell, with its extension postgres and `sql/duckdb_shell.sql`, as docs/DUCKDB_SHELL.md shows.

The shell and its extension are of one version, which need not be that of the package duckdb. So they are
looked for in the folder that DUCKDB_SHELL names (pip install --no-deps --target FOLDER duckdb-cli==1.5.5
duckdb-extension-postgres-scanner==1.5.5), then among the installed packages.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.processes import ROOT
from tests.gateway.clients.contract import (
    FRESH,
    HIDDEN,
    MEDIAN,
    TOP,
    Answer,
    Refusal,
    Served,
    check_contract,
    check_counts,
    check_hidden,
)

DOCUMENT = ROOT / "docs" / "DUCKDB_SHELL.md"
BLOCK = re.compile(r"^```sql\n(.*?)^```$(?:\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
FOLDERS = (Path(os.environ.get("DUCKDB_SHELL", "nowhere")), Path(sysconfig.get_path("purelib")))
SHELL = next((found for folder in FOLDERS if (found := folder / "duckdb_cli" / "duckdb").exists()), None)
EXTENSION = next(
    (
        found
        for folder in FOLDERS
        for found in folder.glob("duckdb_extension_postgres_scanner/extensions/*/*")
    ),
    None,
)
MACHINES = {"x86_64": "linux_amd64", "aarch64": "linux_arm64"}

if SHELL is None or EXTENSION is None:
    pytest.skip(
        "DUCKDB_SHELL names no folder with the DuckDB shell and its extension", allow_module_level=True
    )


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home of the shell's own, in which the extension is installed."""
    assert EXTENSION is not None
    place = tmp_path / ".duckdb" / "extensions" / EXTENSION.parent.name / MACHINES[platform.machine()]
    place.mkdir(parents=True)
    shutil.copy(EXTENSION, place)
    monkeypatch.setenv("HOME", str(tmp_path))


def shell(typed: str, *arguments: str) -> str:
    """What the shell shows, in the project's folder."""
    done = subprocess.run(
        [str(SHELL), *arguments],
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=ROOT,
        text=True,
        timeout=60,
    )
    return done.stdout


def attached(served: Served, user: str = "duckdb", options: str = FRESH) -> str:
    where = f"host=127.0.0.1 port={served.port} user={user} dbname=shop options=''{options}''"
    return f"ATTACH '{where}' AS dpduck (TYPE postgres, READ_ONLY);\n.read sql/duckdb_shell.sql\n"


def test_contract(served: Served) -> None:
    def ask(user: str, questions: Sequence[str]) -> list[Answer]:
        typed = "".join(f".print ===\nFROM dp($${question}$$);\n" for question in questions)
        return [_answer(said) for said in shell(attached(served, user) + typed, "-json").split("===\n")[1:]]

    check_contract(served, "duckdb", ask, hides=("sqlstate",))


def _answer(said: str) -> Answer:
    return [list(row.values()) for row in json.loads(said)] if said.startswith("[") else Refusal.of_text(said)


def test_a_private_table_cannot_be_scanned_and_a_public_one_can(served: Served) -> None:
    before = served.count("duckdb")
    for scan in (
        "FROM dpduck.visits;",
        "SELECT max(age) FROM dpduck.visits;",
        "SELECT 1 FROM dpduck.visits;",
    ):
        check_hidden(Refusal.of_text(shell(attached(served) + scan)), hides=("sqlstate",))
    typed = "SELECT title FROM dpduck.pages WHERE page = 'home' OR title LIKE 'Buy%' ORDER BY 1;"
    assert json.loads(shell(attached(served) + typed, "-json")) == [{"title": 'Buy "it"'}, {"title": "Start"}]
    typed = "SELECT sum(n) AS n, count(*) AS rows FROM dpduck.archive.numbers WHERE n < 10;"
    assert json.loads(shell(attached(served) + typed, "-json")) == [{"n": "45", "rows": 10}]
    assert served.count("duckdb") == before


def test_every_type(served: Served) -> None:
    typed = "FROM dpduck.kinds ORDER BY id;\n"
    first, second = json.loads(shell(attached(served) + typed, "-json"))
    again = shell(attached(served) + "FROM dp('SELECT * FROM kinds ORDER BY id');", "-json")
    assert json.loads(again) == [first, second]
    assert first["text"] == 'it\'s "so", \\'
    assert first["moment"] == "2024-02-29 12:30:00.123456"
    assert first["span"] == "1 month 2 days 03:00:00"
    assert first["price"] == "1234.500"
    assert set(second.values()) == {2, None}


def test_describing_costs_nothing_and_each_use_is_one_question(served: Served) -> None:
    before = served.count("duckdb")
    shell(attached(served) + f"DESCRIBE FROM dp('{TOP}');\nEXPLAIN FROM dp('{TOP}');\n")
    assert served.count("duckdb") == before
    typed = (
        f"BEGIN;\nFROM dp('{MEDIAN}') AS a, dp('{MEDIAN}') AS b;\nSELECT sum(n) FROM dp('{TOP}');\nCOMMIT;\n"
    )
    assert "Error" not in shell(attached(served) + typed)
    assert served.count("duckdb") == before + 3
    rows = json.loads(shell(attached(served) + f"SELECT * FROM dp('{TOP}') LIMIT 2;", "-json"))
    check_counts([tuple(row.values()) for row in rows], ["home", "news"])
    assert served.count("duckdb") == before + 4


def test_the_shell_goes_on_after_a_refusal(served: Served) -> None:
    typed = f"FROM dp('{HIDDEN}');\nFROM dpduck.visits;\nSELECT count(*) AS n FROM dpduck.pages;\n"
    assert shell(attached(served) + typed, "-csv").endswith("n\n3\n")


def test_the_document(served: Served) -> None:
    blocks = BLOCK.findall(DOCUMENT.read_text(encoding="utf-8"))
    typed = "".join(f"{block}.print ===\n" for block, _ in blocks).replace("port=5433", f"port={served.port}")
    said = shell(typed).split("===\n")[:-1]
    assert [_masked(text) for text in said] == [_masked(text) for _, text in blocks]
    assert len(blocks) > 8


def _masked(screen: str) -> str:
    """What does not change from time to time: all but numbers, and the widths that they make."""
    return re.sub(r"[─ ]+", " ", re.sub(r"[0-9][0-9.,:]*", "0", screen)).strip()
