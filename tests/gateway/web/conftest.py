"""A console on a copy of the shop; what a test needs of its own it opens itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dpduck.ledger import Role, open_ledger
from tests.gateway.web.sites import Site, add_login, site_on


@pytest.fixture
def shop(shop_copy: Path) -> Path:
    """A shop with an analyst, an auditor and an owner who may log in."""
    with open_ledger(f"{shop_copy}.ledger") as ledger:
        add_login(ledger, "ana")
        add_login(ledger, "eve")
        add_login(ledger, "aude", Role.AUDITOR)
        add_login(ledger, "olga", Role.OWNER)
    return shop_copy


@pytest.fixture
def site(shop: Path) -> Iterator[Site]:
    with site_on(shop) as made:
        yield made
