"""A server is opened for each neighbour: their catalogs, which show the same, are made once."""

from collections.abc import Iterator

import pytest

from tests.gateway.talking import catalogs_made_once


@pytest.fixture(scope="session", autouse=True)
def one_catalog() -> Iterator[None]:
    with catalogs_made_once():
        yield
