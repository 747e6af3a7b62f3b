"""A look at the last charges: those of one analyst or of all, page by page."""

from __future__ import annotations

from dpduck.kernel.ledger import Ledger, open_ledger
from dpduck.kernel.ledger.glance import last_charges, lasting_accounts
from tests.charges import spend


def spent(number: int) -> Ledger:
    ledger = open_ledger(None)
    for i in range(number):
        spend(ledger, number - i, "0.5", analyst="ana" if i % 3 == 0 else "eve")
    return ledger


def test_pages_cover_all_charges_once() -> None:
    with spent(10) as ledger:
        found, below = [], None
        while True:
            page = last_charges(ledger, 4, below=below)
            found += [entry.seq for entry in page.entries]
            below = page.before
            if below is None:
                break
        assert found == list(range(10, 0, -1))
        assert [entry.seq for entry in ledger.entries()] == found[::-1]


def test_those_of_one_analyst_are_looked_for_in_a_part_of_the_ledger() -> None:
    with spent(10) as ledger:
        page = last_charges(ledger, 4, analyst="ana", within=4)
        assert ([entry.seq for entry in page.entries], page.before) == ([10, 7], 7)
        page = last_charges(ledger, 4, below=7, analyst="ana", within=4)
        assert ([entry.seq for entry in page.entries], page.before) == ([4], 3)
        page = last_charges(ledger, 4, below=3, analyst="ana", within=4)
        assert ([entry.seq for entry in page.entries], page.before) == ([1], None)


def test_an_empty_ledger_has_none() -> None:
    with open_ledger(None) as ledger:
        assert last_charges(ledger, 4).entries == ()
        assert last_charges(ledger, 4).before is None


def test_of_many_accounts_those_of_people_come_first() -> None:
    with spent(2) as ledger:
        assert [one.scope for one in lasting_accounts(ledger)] == ["table", "people"]
        assert len(lasting_accounts(ledger, 1)) == 1
