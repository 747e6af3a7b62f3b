"""A server as its owner starts it, on a database of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gateway.clients.contract import EPSILON, Served
from tests.gateway.clients.shop import PASSWORD, make_shop
from tests.gateway.serving import serving


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """`dpduck serve`, started once for all clients of a process; it ends well."""
    file = tmp_path_factory.mktemp("served") / "shop.duckdb"
    make_shop(file)
    with serving(file, "--epsilon", EPSILON, "--quantum", "1") as (port, _):
        yield Served(str(file), port)
    said = Path(f"{file}.log").read_text()
    assert "XX000" not in said  # a fault of dpduck itself
    assert "failed with" not in said


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """What clients of libpq take from their surroundings: the password alone."""
    for name in [name for name in os.environ if name.startswith("PG")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
