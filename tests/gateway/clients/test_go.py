"""Go's pgx, by Debian's package of its sources: prepared statements, binary values, and a batch."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.gateway.clients.contract import Served
from tests.gateway.clients.languages import PROGRAMS, check_program

SOURCES = Path("/usr/share/gocode")

if shutil.which("go") is None or not (SOURCES / "src/github.com/jackc/pgx/v4").exists():
    pytest.skip(
        "Go or pgx is missing (Debian: apt-get install golang-go golang-github-jackc-pgx-v4-dev)",
        allow_module_level=True,
    )


def test_contract_types_and_batch(served: Served, tmp_path: Path) -> None:
    program, surroundings = tmp_path / "client", {"GO111MODULE": "off", "GOPATH": str(SOURCES), "GOFLAGS": ""}
    command = ["go", "build", "-o", str(program), str(PROGRAMS / "go" / "client.go")]
    built = subprocess.run(command, env={**os.environ, **surroundings}, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    said = check_program(served, "go", [str(program)])
    assert said["kinds"] == [
        9007199254740993,
        1234.5,
        0.1,
        [1, None, 3],
        ["a", None, 'it\'s, "so"'],
        "00ff6162",
    ]
    assert said["batch"] == ["Start", "What's new"]
