"""The room of a ledger at the command line, in `dpduck check` and over the wire."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import dpduck
from dpduck.doors.cli.arguments import read_arguments
from dpduck.doors.cli.checks import Grade, Setup, findings
from dpduck.kernel.ledger import open_ledger
from dpduck.kernel.ledger.records import StoredRelease
from tests.ledger import dashboard
from tests.ledger.contract import cost

COUNT = "SELECT city, count(*) AS n FROM sales GROUP BY city"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "shop.duckdb"
    dashboard.make(path)
    return path


def fill(data: Path, size: int) -> Path:
    """Let analyst ana keep so many bytes."""
    path = data.with_name(f"{data.name}.ledger")
    with open_ledger(path) as ledger:
        ledger.settle(ledger.charge(cost(analyst="ana")), None, StoredRelease("", "", "", "x" * size))
    return path


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dpduck", *words], capture_output=True, text=True, timeout=120, check=False
    )


def test_the_command_line_says_what_it_did_not_keep(data: Path) -> None:
    fill(data, 250_000)
    words = ("query", str(data), COUNT, "--analyst", "ana", "--epsilon", "0.1", "--ledger-room", "1MB")
    for _ in range(2):
        done = run(*words)
        assert done.returncode == 0, done.stderr
        assert "This answer is not kept in the ledger" in done.stderr
    with dpduck.connect(data) as db:
        assert db.ledger().num_rows == 3
    said = run("explain", *words[1:]).stdout
    assert "keeps     nothing, since there is no room left for whoever asks" in said


@pytest.mark.parametrize(("size", "told"), [(190_000, 0), (210_000, 1), (900_000, 2)])
def test_check_says_what_is_nearly_full(data: Path, size: int, told: int) -> None:
    with open_ledger(fill(data, size)) as ledger:
        kept = ledger.kept_bytes()
    options = read_arguments(["serve", str(data), "--ledger-room", "1MB"], speaker="dpduck check")
    found = [one for one in findings(Setup(options, kept=kept)) if "kept numbers" in one.message]
    assert [one.grade for one in found] == [Grade.ADVICE] * told
    if told:
        assert any("of ana take" in one.message for one in found)
        assert all("ledger-room" in one.advice for one in found)
