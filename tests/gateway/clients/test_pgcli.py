"""pgcli, a shell with completion: what it reads when it starts, and its answers and errors as text."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.gateway.clients.contract import Answer, Refusal, Served, check_contract

pytest.importorskip("pgcli")


def said(served: Served, user: str, text: str, home: Path) -> str:
    """What pgcli prints for statements on its standard input."""
    address = f"postgresql://{user}@127.0.0.1:{served.port}/shop?options=-c%20dp_replay%3Doff"
    done = subprocess.run(
        [sys.executable, "-m", "pgcli.main", "--warn=off", "--less-chatty", address],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home), "TERM": "dumb"},
    )
    return done.stdout + done.stderr


def test_contract(served: Served, tmp_path: Path) -> None:
    def ask(user: str, questions: Sequence[str]) -> list[Answer]:
        return [_answer(said(served, user, f"\\T csv\n{question};\n", tmp_path)) for question in questions]

    check_contract(served, "pgcli", ask, hides=("sqlstate",))


def _answer(text: str) -> Answer:
    if "ERROR:" in text or "DETAIL:" in text:
        lines = [line for line in text.splitlines() if line.strip()]
        start = next(n for n, line in enumerate(lines) if line.startswith("DETAIL:")) - 1
        while lines[start].startswith("LINE ") or set(lines[start].strip()) == {"^"}:
            start -= 1
        return Refusal.of_text("\n".join([f"ERROR: {lines[start]}", *lines[start + 1 :]]))
    lines = [line for line in text.splitlines() if line.startswith('"')]
    return list(csv.reader(io.StringIO("\n".join(lines))))[1:]


def test_tables_are_listed(served: Served, tmp_path: Path) -> None:
    before = served.count("pgcli")
    text = said(served, "pgcli", "\\dt\n\\d visits\n\\d+ pages\n", tmp_path)
    for part in ("visits", "pages", "kinds", "visitor", "bigint", "numeric(9,2)", "pages_pkey"):
        assert part in text, text
    assert served.count("pgcli") == before
