"""A DuckLake that is served while a process writes to it: each answer is of one snapshot that is known."""

from __future__ import annotations

import json
import threading
import time
from collections import defaultdict
from pathlib import Path

import pytest

import dpduck
from dpduck.kernel.arrow.strings import read_columns
from dpduck.kernel.ledger import open_ledger
from tests.depth import depth
from tests.engines.lakes import NAMES, PEOPLE, POLICIES, Writer, find, install
from tests.gateway import wiring as w
from tests.gateway.wiring import Gateway, rows_of

SECONDS = depth(60, 5)
ANALYSTS = [f"analyst{number}" for number in range(8)]
COUNT = "SELECT count(*) FROM people"
MORE = "INSERT INTO people SELECT 1000 + 100 * {0} + range, 'bonn', 5 FROM range(100)"
LIMIT = 120  # seconds that an answer may take on a busy machine
NEAR = 25  # the noise of a count at epsilon 10 is less, and each snapshot has 100 people more

if any(find(name) is None for name in NAMES):
    pytest.skip("the extensions of DuckLake are not installed as packages", allow_module_level=True)


@pytest.fixture
def writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Writer:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    install(tmp_path, *NAMES)
    writer = Writer(tmp_path / "shop.ducklake")
    writer.write(*PEOPLE.split(";"))
    with dpduck.connect(writer.catalog) as owner:
        owner.execute("; ".join(POLICIES))
    for analyst in ANALYSTS:
        w.add_analyst(writer.catalog, analyst)
    return writer


def ask(gateway: Gateway, analyst: str, over: threading.Event, told: list[tuple[str, int]]) -> None:
    """Ask a question of all again and again, and between that questions of one's own."""
    with gateway.client(user=analyst, timeout=LIMIT) as client:
        number = 1000 * (1 + ANALYSTS.index(analyst))
        while not over.is_set():
            number += 1
            asked = (COUNT, f"{COUNT} WHERE age < {number}")
            told += [(sql, int(str(rows_of(client.ask(sql))[0][0]))) for sql in asked]


def test_each_answer_is_of_one_snapshot(writer: Writer) -> None:
    gateway = Gateway(writer.catalog, "--epsilon", "10", "--quantum", "1", "--watch", script="", seconds=120)
    over, told = threading.Event(), {analyst: list[tuple[str, int]]() for analyst in ANALYSTS}
    threads = [threading.Thread(target=ask, args=(gateway, name, over, told[name])) for name in ANALYSTS]
    try:
        for thread in threads:
            thread.start()
        began = time.monotonic()
        written = 0
        while time.monotonic() - began < SECONDS or len(reloads(gateway)) < 2:
            written += 1
            writer.write(MORE.format(written))
            time.sleep(1)
        over.set()
        for thread in threads:
            thread.join()
        assert gateway.stop() == 0
    finally:
        over.set()
        gateway.kill()
    assert "not reloaded" not in "".join(gateway.log)
    people = counts(writer)
    by_version = stored(writer)
    assert len(by_version) >= 2
    for snapshot, answers in by_version.items():
        assert all(abs(answer - people[snapshot]) < NEAR for answer in answers.values())
    check_replays(told, by_version)


def reloads(gateway: Gateway) -> list[str]:
    return [line for line in gateway.log if "were reloaded" in line]


def counts(writer: Writer) -> dict[int, int]:
    """How many people each snapshot has."""
    with writer.open() as lake:
        numbers = lake.execute("SELECT snapshot_id FROM ducklake_snapshots('lake')").fetchall()
        found = {}
        for (number,) in numbers:
            if number > 1:  # the first two have no rows
                [(found[number],)] = lake.execute(f"{COUNT} AT (VERSION => {number})").fetchall()
    return found


def stored(writer: Writer) -> dict[int, dict[str, int]]:
    """By snapshot, the answer that is stored of each question, of which there is one."""
    found: dict[int, dict[str, int]] = defaultdict(dict)
    with open_ledger(f"{writer.catalog}.ledger") as ledger:
        for entry in ledger.entries():
            if entry.replayed:
                continue
            kept = ledger.answer(entry.seq)
            [[_, _, [_, version]]] = json.loads(kept.version)
            [answer, *_] = read_columns(kept.rows)
            # Of two that ask at the same moment, both pay, and both answers are right.
            found[int(version.split()[1])].setdefault(f"{entry.query} {answer[0]}", int(str(answer[0])))
        assert ledger.verify() == 0
    return found


def check_replays(told: dict[str, list[tuple[str, int]]], by_version: dict[int, dict[str, int]]) -> None:
    """Whatever was told is a stored answer of a snapshot, and nobody was told of an earlier one later."""
    of_answer = {
        (text.rpartition(" ")[0], answer): snapshot
        for snapshot, answers in by_version.items()
        for text, answer in answers.items()
    }
    for answers in told.values():
        snapshots = [of_answer[sql, answer] for sql, answer in answers]
        assert snapshots == sorted(snapshots)
