"""A look at a ledger: its version, without making, upgrading or changing anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpduck.kernel.errors import LedgerError
from dpduck.kernel.ledger import open_ledger
from dpduck.kernel.ledger.glance import version_of
from dpduck.kernel.ledger.versions import VERSION
from tests.ledger.server import Server
from tests.ledger.test_upgrade import made


@pytest.mark.parametrize("version", [2, 3, 4])
def test_an_older_file_stays_as_it_is(version: int, tmp_path: Path) -> None:
    place = made(tmp_path / "ledger", version)
    before = place.read_bytes()
    assert version_of(place) == version
    assert place.read_bytes() == before
    assert not list(tmp_path.glob("*.bak"))


def test_of_this_version_none_and_no_ledger(tmp_path: Path) -> None:
    place = tmp_path / "ledger"
    assert version_of(place) is None
    assert not place.exists()
    place.touch()
    assert version_of(place) is None
    with open_ledger(place):
        assert version_of(place) == VERSION
    place.write_text("something else, of some length, that SQLite does not know" * 20)
    with pytest.raises(LedgerError, match="file is not a ledger"):
        version_of(place)


@pytest.mark.services
def test_in_a_database(server: Server, url: str, database: str) -> None:
    assert version_of(url) is None
    assert server.execute("SELECT to_regnamespace('dpduck')", database=database) == [(None,)]
    with open_ledger(url):
        assert version_of(url) == VERSION
    with pytest.raises(LedgerError) as caught:
        version_of(server.url(database, user="nobody"))
    assert "nobody" not in str(caught.value)
