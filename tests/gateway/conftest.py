"""A shop with private and public tables, made once; each test may have a copy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile

import pytest

from tests.gateway.talking import House, Talk
from tests.gateway.wiring import make_shop


@pytest.fixture(scope="session")
def shop_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop as it was made: not to be written to."""
    return make_shop(tmp_path_factory.mktemp("gateway") / "shop.duckdb")


@pytest.fixture
def shop_copy(shop_file: Path, tmp_path: Path) -> Path:
    """The shop with its ledger, for a test of its own."""
    for name in ("shop.duckdb", "shop.duckdb.ledger", "shop.duckdb.ledger.anchor"):
        if shop_file.with_name(name).exists():
            copyfile(shop_file.with_name(name), tmp_path / name)
    return tmp_path / "shop.duckdb"


@pytest.fixture
def house(shop_file: Path, tmp_path: Path) -> Iterator[House]:
    house = House(shop_file, tmp_path / "ledger")
    yield house
    house.close()


@pytest.fixture
def talk(house: House) -> Talk:
    return house.talk()
