"""Fifty users at once: each is answered, and charged for what was asked, once."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from dpduck.kernel.ledger import open_ledger
from tests.gateway.web.sites import COUNTS, add_login, site_on

USERS = 50


def test_fifty_users_at_once(shop: Path) -> None:
    with open_ledger(f"{shop}.ledger") as ledger:
        for number in range(USERS):
            add_login(ledger, f"user{number}")
    with site_on(shop) as site:
        said: list[str] = []
        took: list[float] = []
        begin = threading.Barrier(USERS)

        def work(number: int) -> None:
            client = site.as_analyst(f"user{number}")
            begin.wait(120)
            started = time.monotonic()
            client.get("/budgets")
            client.get("/")
            client.price(COUNTS)
            client.get("/")
            client.run(f"SELECT count(*) AS n FROM people WHERE age < {number}", "0.1")
            said.append(client.words())
            took.append(time.monotonic() - started)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(USERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(300)
        assert len(said) == USERS
        assert all("Epsilon 0.1 was charged." in words for words in said)
        assert site.charges == USERS
        print(f"{USERS} users: the slowest had all five pages after {max(took):.1f} s")
