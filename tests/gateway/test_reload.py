"""A file takes the place of the one that is served, while it is served."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from dpduck.kernel.arrow.strings import read_columns
from dpduck.kernel.ledger import open_ledger
from tests.depth import depth
from tests.gateway import wiring as w
from tests.gateway.shops import SECONDS, Shop
from tests.gateway.wiring import Gateway, error_of, rows_of, wait_for

VERSIONS = depth(9, 5)
COUNT = "SELECT count(*) FROM people"
SIZE = "SELECT max(n) FROM numbers"
SAID = "the data were"


def hang_up(gateway: Gateway) -> str:
    """Ask for a reload. Output: the line of the log that says how it went."""
    before = sum(SAID in line for line in gateway.log)
    gateway.process.send_signal(signal.SIGHUP)
    wait_for(lambda: sum(SAID in line for line in gateway.log) > before)
    return [line for line in gateway.log if SAID in line][-1]


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


@pytest.fixture
def gateway(shop: Shop) -> Iterator[Gateway]:
    yield from served(shop)


def served(shop: Shop, *options: str) -> Iterator[Gateway]:
    gateway = Gateway(shop.file, "--epsilon", "10", "--quantum", "1", *options, script="")
    yield gateway
    code = gateway.stop()
    gateway.kill()
    assert code == 0
    assert "Traceback" not in "".join(gateway.log)


@pytest.fixture
def watching(shop: Shop) -> Iterator[Gateway]:
    yield from served(shop, "--watch")


def policies_on_record(shop: Shop) -> list[str]:
    with open_ledger(f"{shop.file}.ledger") as ledger:
        return [f"{entry.how}: {entry.statement}" for entry in ledger.policies()]


def counted(client: w.Wired) -> int:
    return int(str(rows_of(client.ask(COUNT))[0][0]))


def test_a_connection_goes_over_and_what_it_began_ends_with_the_old_rows(
    shop: Shop, gateway: Gateway
) -> None:
    with gateway.client() as client, gateway.client() as idle:
        assert abs(counted(client) - 600) < 50
        client.send(w.query("BEGIN") + w.query("DECLARE c CURSOR FOR SELECT n FROM numbers ORDER BY n DESC"))
        client.until("Z")
        client.until("Z")
        assert rows_of(client.ask("FETCH 1 FROM c")) == [("19999",)]
        more = "INSERT INTO people SELECT range + 600, 'bonn', 5, 'x' FROM range(1000)"
        shop.take(shop.version(more, "DELETE FROM numbers WHERE n > 9"))
        assert counted(client) == counted(client)
        assert "reloaded" in hang_up(gateway)
        assert rows_of(client.ask(SIZE)) == [("9",)]
        rest = rows_of(client.ask("FETCH ALL FROM c"))
        assert (rest[0], rest[-1], len(rest)) == (("19998",), ("0",), 19_999)
        assert abs(counted(client) - 1600) < 50
        assert rows_of(idle.ask(SIZE)) == [("9",)]
    with open_ledger(f"{shop.file}.ledger") as ledger:
        assert [entry.epsilon for entry in ledger.entries() if not entry.replayed] == [10, 10]
        assert ledger.verify() == 0


def test_a_file_of_the_same_time_and_size_is_not_answered_from_the_one_before(
    shop: Shop, gateway: Gateway
) -> None:
    with gateway.client() as client:
        first = counted(client)
        before = shop.file.stat()
        other = shop.version("TRUNCATE people")
        os.utime(other, (SECONDS, SECONDS))
        after = other.stat()
        assert (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
        kept = shop.file.with_name("first.duckdb")
        shop.file.rename(kept)
        shop.take(other)
        assert "reloaded" in hang_up(gateway)
        second = counted(client)
        assert (abs(first - 600) < 50, abs(second) < 50) == (True, True)
        assert counted(client) == second
        shop.take(kept)  # the very file that was served first
        assert "reloaded" in hang_up(gateway)
        assert counted(client) == first


def test_an_idle_connection_does_not_keep_the_old_file(shop: Shop, gateway: Gateway) -> None:
    def held() -> list[str]:
        found = []
        for link in Path(f"/proc/{gateway.process.pid}/fd").iterdir():
            with suppress(OSError):
                found.append(str(link.readlink()))
        return [name for name in found if re.search(r"(shop|next)\.duckdb( \(deleted\))?$", name)]

    with gateway.client() as client:
        assert rows_of(client.ask(SIZE)) == [("19999",)]
        shop.take(shop.version("DELETE FROM numbers WHERE n > 9"))
        hang_up(gateway)
        wait_for(lambda: held() == [str(shop.file)])


def test_policies_that_were_set_on_the_new_file_hold_with_it(shop: Shop, gateway: Gateway) -> None:
    ages = "SELECT age, count(*) FROM people GROUP BY age"
    with gateway.client() as client:
        assert len(rows_of(client.ask(ages))) == 90
        policy = "ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 9)"
        shop.take(shop.version(policies=(policy,)))
        assert "reloaded" in hang_up(gateway)
        assert len(rows_of(client.ask(ages))) == 10


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("ALTER TABLE people RENAME TO persons", "table people is gone"),
        ("ALTER TABLE people RENAME COLUMN id TO other", "of table people"),
        ("DELETE FROM dpduck.policies WHERE kind = 'privacy_key'", "table people"),
        ("UPDATE dpduck.policies SET column_name = 'age' WHERE kind = 'privacy_key'", "of table people"),
        ("UPDATE dpduck.policies SET kind = 'public' WHERE kind = 'privacy_key'", "of table people"),
    ],
)
def test_data_without_the_policies_they_had_are_refused(
    shop: Shop, gateway: Gateway, sql: str, reason: str
) -> None:
    with gateway.client() as client:
        before = counted(client)
        shop.take(shop.version(sql))
        recorded = policies_on_record(shop)
        said = hang_up(gateway)
        assert "not reloaded" in said
        assert reason in said
        assert policies_on_record(shop) == recorded
        assert counted(client) == before  # given again: it is the version that was served
        assert len(rows_of(client.ask("SELECT city, count(*) FROM people GROUP BY city"))) == 3


def test_a_damaged_file_is_refused_and_a_good_one_taken_after_it(shop: Shop, gateway: Gateway) -> None:
    good = shop.version("DELETE FROM numbers WHERE n > 9")
    kept = good.rename(good.with_name("good.duckdb"))
    bad = kept.with_name("bad.duckdb")
    bad.write_bytes(kept.read_bytes()[:5000])
    with gateway.client() as client:
        shop.take(bad)
        assert "not reloaded: file" in hang_up(gateway)
        assert rows_of(client.ask(SIZE)) == [("19999",)]
        shop.file.unlink()
        gateway.process.send_signal(signal.SIGHUP)
        assert rows_of(client.ask(SIZE)) == [("19999",)]
        shop.take(kept)
        assert "were reloaded" in hang_up(gateway)
        assert rows_of(client.ask(SIZE)) == [("9",)]


def test_a_file_written_in_place_is_no_new_version(shop: Shop, gateway: Gateway) -> None:
    with gateway.client() as client:
        counted(client)
        os.utime(shop.file)
        said = hang_up(gateway)
        assert "written while it is served" in said
        assert error_of(client.ask("SELECT nothing FROM people"))["C"] == "42703"


def test_a_server_that_watches_goes_over_by_itself(shop: Shop, watching: Gateway) -> None:
    with watching.client() as client:
        shop.take(shop.version("DELETE FROM numbers WHERE n > 9"))
        wait_for(lambda: any("were reloaded" in line for line in watching.log))
        assert rows_of(client.ask(SIZE)) == [("9",)]


def ask_until(over: threading.Event, gateway: Gateway, number: int, failures: list[str]) -> None:
    """Ask a new question again and again; questions of two numbers differ."""
    with gateway.client() as client:
        asked = 100 + 100_000 * number
        while not over.is_set():
            asked += 1
            replies = client.ask(f"{COUNT} WHERE age < {asked}")
            failures += [body.decode() for kind, body in replies if kind == "E"]


def test_every_answer_belongs_to_one_version(shop: Shop, gateway: Gateway) -> None:
    """Version v has 600 + 1000 v people; what is stored of an answer names the version's time of writing."""
    over, failures = threading.Event(), list[str]()
    threads = [
        threading.Thread(target=ask_until, args=(over, gateway, number, failures)) for number in range(4)
    ]
    for thread in threads:
        thread.start()
    for version in range(1, VERSIONS):
        rows = "SELECT top + 1 + range, 'bonn', 5, 'x' FROM range(1000), (SELECT max(id) AS top FROM people)"
        shop.take(shop.version(f"INSERT INTO people {rows}"))
        assert "were reloaded" in hang_up(gateway)
        with gateway.client() as client:
            client.ask(f"{COUNT} WHERE age < {99 - version}")
    over.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert versions_asked(f"{shop.file}.ledger") == set(range(VERSIONS))


def versions_asked(ledger: str) -> set[int]:
    """The versions of which answers are stored in a ledger. AssertionError if one is of another's rows."""
    versions = set()
    with open_ledger(ledger) as opened:
        for entry in opened.entries():
            kept = opened.answer(entry.seq)
            [[_, _, [_, time]]] = json.loads(kept.version)
            version = int(time.split()[0]) // 10**9 - SECONDS
            [counts, *_] = read_columns(kept.rows)
            assert abs(int(str(counts[0])) - 600 - 1000 * version) < 50
            versions.add(version)
    return versions
