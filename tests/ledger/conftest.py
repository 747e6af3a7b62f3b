"""The PostgreSQL server of a test run, and a database of it for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ledger.server import BINARIES, Server, running_server


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    if BINARIES is None:
        pytest.skip("PostgreSQL is not installed here (Debian: apt-get install postgresql)")
    with running_server() as server:
        yield server


@pytest.fixture
def database(server: Server) -> Iterator[str]:
    with server.database() as name:
        yield name


@pytest.fixture
def url(server: Server, database: str) -> str:
    return server.url(database)
