"""A console on a copy of the shop; what a test needs of its own it opens itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

from dpduck.kernel.ledger import Role, open_ledger
from tests.gateway.web.sites import Site, add_login, site_on


@pytest.fixture(scope="session")
def shop_with_logins(shop_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shop with analysts, an auditor and an owner who may log in: not to be written to."""
    made = Path(copytree(shop_file.parent, tmp_path_factory.mktemp("web") / "shop")) / shop_file.name
    with open_ledger(f"{made}.ledger") as ledger:
        add_login(ledger, "ana")
        add_login(ledger, "eve")
        add_login(ledger, "aude", Role.AUDITOR)
        add_login(ledger, "olga", Role.OWNER)
    return made


@pytest.fixture
def shop(shop_with_logins: Path, tmp_path: Path) -> Path:
    """The shop with its logins, for a test of its own."""
    return Path(copytree(shop_with_logins.parent, tmp_path, dirs_exist_ok=True)) / shop_with_logins.name


@pytest.fixture
def site(shop: Path) -> Iterator[Site]:
    with site_on(shop) as made:
        yield made
