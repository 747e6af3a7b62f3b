"""A reload every second and another policy every ten, while many clients ask.

Each answer is of one version of data and policy: that which the ledger says, and that which was served when
it was asked for. How long no client was answered is printed, beside what it is without reloads; it is no
more than a figure, since the machine may be busy with other things.
"""

from __future__ import annotations

import json
import random
import signal
import threading
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

from dpduck.kernel.arrow.strings import read_columns
from dpduck.kernel.ledger import open_ledger
from tests.depth import depth
from tests.gateway.shops import SECONDS, Shop
from tests.gateway.wiring import Gateway, rows_of, wait_for

LASTS, STILL = depth(300, 6), depth(60, 2)  # seconds with reloads, and before them without
CLIENTS = depth(32, 8)
EACH, POLICY_EACH = 1.0, 10  # seconds for a version; versions for a policy
REST = 0.05  # seconds between a client's questions
FRESH = 20  # of so many questions of a client one is new
MORE = 100  # people that each version has more, all of them 5 years old
AT_FIRST = 7  # people of that age, and of each age at most, in the first version

Answer = tuple[tuple[str | None, ...], ...]


@dataclass(frozen=True)
class Asked:
    """An answer, when it was asked for and came, and which versions may have been served meanwhile."""

    began: float
    ended: float
    earliest: int
    latest: int
    sql: str
    rows: Answer

    @property
    def version(self) -> int:
        """The version of the rows. AssertionError if its policy is another version's."""
        version = version_of(max(int(str(row[1])) for row in self.rows))
        assert len(self.rows) == ages(version)
        return version


def version_of(most: int) -> int:
    """The version in which so many people have the most frequent age. AssertionError if there is none."""
    version = round(max(most - AT_FIRST, 0) / MORE)
    assert abs(most - AT_FIRST - MORE * version) < MORE / 4
    return version


def ages(version: int) -> int:
    """How many ages the domain of a version has."""
    return 10 + version // POLICY_EACH


class Loop:
    """Clients that ask a gateway, and the versions that it is given. `served`: as the log says; `taken`: by
    the file's name."""

    def __init__(self, shop: Shop, gateway: Gateway) -> None:
        self.shop, self.gateway = shop, gateway
        self.served = self.taken = 0
        self.asked: list[Asked] = []
        self.failures: list[object] = []
        self._over = threading.Event()

    def run(self, seconds: float, *, reloads: bool) -> list[Asked]:
        """Output: what was asked meanwhile, by when it was answered."""
        self._over.clear()
        before = len(self.asked)
        threads = [threading.Thread(target=self._ask, args=(number,)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        began = time.monotonic()
        while (passed := time.monotonic() - began) < seconds:
            self._next(reloads=reloads)
            time.sleep(max(EACH - (time.monotonic() - began - passed), 0))
        self._over.set()
        for thread in threads:
            thread.join()
        assert self.failures == []
        return sorted(self.asked[before:], key=lambda asked: asked.ended)

    def _next(self, *, reloads: bool) -> None:
        """Make the next version, and serve it. Without reloads another one takes as long to make."""
        number = self.taken + 1
        policy = f"ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, {ages(number) - 1})"
        rows = f"SELECT 1000000 * {number} + range, 'bonn', 5, 'x' FROM range({MORE})"
        policies = (policy,) if reloads and number % POLICY_EACH == 0 else ()
        made = self.shop.version(f"INSERT INTO people {rows}", policies=policies)
        if not reloads:
            self.shop.number -= 1
            return
        reloaded = sum("were reloaded" in line for line in self.gateway.log)
        self.taken = number
        self.shop.take(made)
        self.gateway.process.send_signal(signal.SIGHUP)
        wait_for(lambda: sum("were reloaded" in line for line in self.gateway.log) > reloaded, 120)
        self.served = number

    def _ask(self, number: int) -> None:
        chance = random.Random(number)
        fresh = 100 + 1_000_000 * (number + 1) + len(self.asked)
        try:
            with self.gateway.client(timeout=120) as client:
                while not self._over.is_set():
                    fresh += 1
                    where = f"WHERE age < {fresh}" if chance.randrange(FRESH) == 0 else ""
                    sql = f"SELECT age, count(*) FROM people {where} GROUP BY age"
                    earliest, began = self.served, time.monotonic()
                    replies = client.ask(sql)
                    ended = time.monotonic()
                    self.failures += [body for kind, body in replies if kind == "E"]
                    self.asked.append(Asked(began, ended, earliest, self.taken, sql, tuple(rows_of(replies))))
                    time.sleep(REST)
        except Exception as error:
            self.failures.append(error)


def longest_pause(asked: list[Asked]) -> float:
    """The longest time in which no client was answered."""
    return max(later.ended - asked[at].ended for at, later in enumerate(asked[1:]))


def waits(asked: list[Asked]) -> str:
    """How long replays took."""
    seconds = sorted(one.ended - one.began for one in asked if "WHERE" not in one.sql)
    parts = {"median": 0.5, "99 %": 0.99, "most": 1.0}
    shown = (
        f"{name} {1000 * seconds[int(part * (len(seconds) - 1))]:.0f} ms" for name, part in parts.items()
    )
    return f"{len(asked)} answers, replays {', '.join(shown)}"


@pytest.mark.slow
def test_each_answer_is_of_one_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop = Shop(tmp_path, limit="1000000")
    policy = f"ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, {ages(0) - 1})"
    shop.take(shop.version(policies=(policy,)))
    # The first version of this test is that file.
    gateway = Gateway(shop.file, "--epsilon", "10", "--quantum", "1", script="", seconds=120)
    try:
        loop = Loop(shop, gateway)
        loop.run(2, reloads=False)  # until all clients have met the server
        still = loop.run(STILL, reloads=False)
        moving = loop.run(LASTS, reloads=True)
        assert gateway.stop() == 0
    finally:
        gateway.kill()
    pauses = longest_pause(still), longest_pause(moving)
    with capsys.disabled():
        print(f"\n{loop.taken} reloads, {CLIENTS} clients")
        for name, pause, asked in zip(("without", "with"), pauses, (still, moving), strict=True):
            print(f"{name} reloads: longest pause {1000 * pause:.0f} ms; {waits(asked)}")
    check_answers(loop.asked)
    assert check_ledger(f"{shop.file}.ledger") >= loop.taken // 2


def check_answers(asked: list[Asked]) -> None:
    """Each answer is of one version, served at the time, and all of a version to a question are alike."""
    by_version: dict[tuple[int, str], set[Answer]] = defaultdict(set)
    for one in asked:
        assert one.earliest <= one.version <= one.latest
        by_version[one.version, one.sql].add(one.rows)
    assert max(map(len, by_version.values())) == 1


def check_ledger(path: str) -> int:
    """Each stored answer is of the version that is stored with it. Output: how many versions there are."""
    versions = set()
    with open_ledger(path) as ledger:
        for entry in ledger.entries():
            kept = ledger.answer(entry.seq) if not entry.replayed else None
            if kept is None:
                continue
            [[_, _, [_, written]]] = json.loads(kept.version)
            version = (
                int(written.split()[0]) // 10**9 - SECONDS - 1
            )  # the first one was made before it was served
            [_, counts, *_] = read_columns(kept.rows)
            assert version_of(max(int(str(one)) for one in counts)) == version
            assert len(counts) == ages(version)
            versions.add(version)
        assert ledger.verify() == 0
    return len(versions)
