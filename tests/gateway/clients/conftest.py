"""A server as its owner starts it, on a database of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.cli.processes import ROOT
from tests.gateway.clients.contract import EPSILON, Served
from tests.gateway.clients.shop import PASSWORD, make_shop

SECONDS = 30  # for the server to start, and to end


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """`dpduck serve`, started once for all clients of a process; it ends well."""
    file = tmp_path_factory.mktemp("served") / "shop.duckdb"
    make_shop(file)
    command = [sys.executable, "-m", "dpduck.cli", "serve", str(file), "--port", "0", "--epsilon", EPSILON]
    with (file.parent / "log.txt").open("w") as log:
        process = subprocess.Popen(
            [*command, "--quantum", "1"],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            assert said.startswith("listening on 127.0.0.1:"), (file.parent / "log.txt").read_text()
            yield Served(str(file), int(said.rpartition(":")[2]))
            process.send_signal(signal.SIGTERM)
            assert process.wait(SECONDS) == 0
            said = (file.parent / "log.txt").read_text()
            assert "XX000" not in said  # a fault of dpduck itself
            assert "failed with" not in said
        finally:
            process.kill()
            process.communicate()


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """What clients of libpq take from their surroundings: the password alone."""
    for name in [name for name in os.environ if name.startswith("PG")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
