"""Pages on a ledger with many charges of many sessions: they read a bounded part of it.

DPDUCK_ENTRIES=1000000 pytest -n 0 -s tests/gateway/web/test_long_ledger.py     says how long each page takes
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpduck.kernel.ledger import transactions
from tests.gateway.web.sites import COUNTS, Site, site_on

ENTRIES = int(os.environ.get("DPDUCK_ENTRIES", "20000"))
MOST_READ = 2_100  # entries, and accounts, of one page
PAGES = ("/", "/budgets", "/history", f"/history?below={ENTRIES // 2}", "/schema?schema=main&table=people")


def lengthen(file: Path) -> None:
    """Repeat the last charge and its settlement, each time of a session of its own.

    The chain does not hold afterwards, which nothing but verify looks at.
    """
    with sqlite3.connect(f"{file}.ledger") as db:
        charge, settlement = (
            _last(db, "entry", f"kind = '{kind}' ORDER BY number DESC") for kind in ("charge", "settle")
        )
        account = _last(db, "account", "scope = 'session' ORDER BY name")
        number, seq = db.execute("SELECT max(number), max(seq) FROM entry").fetchone()

        def entries() -> Iterator[dict[str, object]]:
            for i in range(1, ENTRIES + 1):
                who = {"session": f"s{i}", "at": charge["at"] + i, "analyst": "ana" if i % 500 == 0 else "x"}
                here = number + 2 * i - 1
                yield {**charge, **who, "number": here, "seq": seq + i, "hash": f"c{i}"}
                yield {**settlement, **who, "number": here + 1, "about": seq + i, "hash": f"s{i}"}

        _add(db, "entry", charge, entries())
        _add(db, "account", account, ({**account, "name": f"s{i}"} for i in range(1, ENTRIES + 1)))
    db.close()
    Path(f"{file}.ledger.anchor").unlink()


def _last(db: sqlite3.Connection, table: str, which: str) -> dict[str, object]:
    found = db.execute(f"SELECT * FROM {table} WHERE {which} LIMIT 1")
    return dict(zip((column[0] for column in found.description), found.fetchone(), strict=True))


def _add(
    db: sqlite3.Connection, table: str, like: dict[str, object], rows: Iterator[dict[str, object]]
) -> None:
    names = list(like)
    sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' for _ in names)})"
    db.executemany(sql, ([row[name] for name in names] for row in rows))


@pytest.fixture
def long(shop: Path) -> Iterator[Site]:
    with site_on(shop) as site:
        client = site.as_analyst()
        client.run("SET dp_replay = off")
        client.run()
    lengthen(shop)
    with site_on(shop) as site:
        yield site


def test_a_page_reads_a_bounded_part_of_the_ledger(long: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    read = {"entries": 0, "accounts": 0}
    as_entry, read_budget = transactions._as_entry, transactions._read_budget

    def entry(*given: object) -> object:
        read["entries"] += 1
        return as_entry(*given)

    def budget(*given: object) -> object:
        read["accounts"] += 1
        return read_budget(*given)

    monkeypatch.setattr(transactions, "_as_entry", entry)
    monkeypatch.setattr(transactions, "_read_budget", budget)
    for who, client in (("analyst", long.as_analyst()), ("owner", long.as_owner())):
        for path in PAGES:
            read.update(entries=0, accounts=0)
            started = time.monotonic()
            client.get(path)
            print(f"{who} {path}: {time.monotonic() - started:.3f} s, {read}")
            assert client.status == 200
            assert max(read.values()) <= MOST_READ
        client.get("/")
        for what, work in (
            ("cost", lambda client=client: client.price(COUNTS)),
            ("run", lambda client=client: client.run(COUNTS, "0.25")),
            ("rows", lambda client=client: client.run("SELECT n FROM numbers ORDER BY n LIMIT 10000")),
        ):
            started = time.monotonic()
            work()
            print(f"{who} {what}: {time.monotonic() - started:.3f} s")


def test_the_history_goes_back_to_the_first_charge(long: Site) -> None:
    """An analyst's own charges are few among many: each page looks at a part, and leads to the next one."""
    client, seen, below = long.as_analyst(), 0, ""
    for _ in range(200):
        text = client.get(f"/history{below}")
        seen += text.count("<code>")
        if "Older charges" not in text:
            break
        below = "?below=" + text.rpartition("/history?below=")[2].partition('"')[0]
    assert seen == ENTRIES // 500 + 1
