"""Rust's tokio-postgres, by Debian's package of its sources: statements with types, and a transaction.

It takes a minute to compile. What was compiled is kept where CARGO_TARGET_DIR says.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.gateway.clients.contract import Served
from tests.gateway.clients.languages import PROGRAMS, check_program

SOURCES = Path("/usr/share/cargo/registry")

if shutil.which("cargo") is None or not list(SOURCES.glob("tokio-postgres-0.7.*")):
    pytest.skip(
        "cargo or tokio-postgres is missing (Debian: apt-get install cargo librust-tokio-postgres-dev)",
        allow_module_level=True,
    )


def test_contract_types_and_transaction(served: Served, tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    for name in ("Cargo.toml", "client.rs"):
        shutil.copy(PROGRAMS / "rust" / name, tmp_path / "build")
    target = Path(os.environ.get("CARGO_TARGET_DIR", tmp_path / "target"))
    built = subprocess.run(
        [*_CARGO, "--manifest-path", str(tmp_path / "build" / "Cargo.toml")],
        env={**os.environ, "CARGO_TARGET_DIR": str(target)},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    said = check_program(served, "rust", [str(target / "debug" / "client")])
    assert said["parameters"] == ["text", "int4"]
    assert (said["columns"], said["numeric"]) == (["int8"], "numeric")
    assert said["kinds"] == [
        9007199254740993,
        0.1,
        True,
        [1, None, 3],
        ["a", None, 'it\'s, "so"'],
        [0, 255, 97, 98],
        'it\'s "so", \\',
    ]


_CARGO = (
    *("cargo", "build", "--quiet", "--offline"),
    *("--config", 'source.crates-io.replace-with="debian"'),
    *("--config", f'source.debian.directory="{SOURCES}"'),
)
