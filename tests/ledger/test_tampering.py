"""What happens to a ledger's file behind its back is noticed, or is without effect."""

from __future__ import annotations

import json
import random
import re
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path

import pytest

from benchmarks.attacks import tamper
from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.event_records import write_event
from dpduck.kernel.accounting.events import NoisyCount
from dpduck.kernel.errors import LedgerError
from dpduck.kernel.ledger import StoredRelease, open_ledger
from dpduck.kernel.ledger.chain import ChainEntry, start_of
from dpduck.kernel.ledger.fixed_point import cost_units
from dpduck.kernel.ledger.transactions import seal_of
from dpduck.kernel.system.sql_files import read_sql
from tests.ledger.contract import cost

SCRIPT = read_sql("ledger_sqlite.sql")
TRIGGERS = re.findall(r"^CREATE TRIGGER IF NOT EXISTS (\w+)", SCRIPT, re.MULTILINE)
COLUMNS = ", ".join(field.name for field in fields(ChainEntry))
CHUNKS = 6


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A closed ledger, all in one file, and its anchor."""
    path = tmp_path / "shop.ledger"
    tamper.build(path)
    assert not path.with_name("shop.ledger-wal").exists()
    return path


def fault(path: Path) -> str:
    """What is said when the ledger is opened and verified."""
    with pytest.raises(LedgerError) as caught, open_ledger(path) as ledger:
        ledger.verify()
    return f"{caught.value.message}: {caught.value.detail}"


def edit(path: Path, *statements: str | Callable[[sqlite3.Connection], object]) -> None:
    """Change a ledger as its owner can: without its triggers, which are put back as they were."""
    db = sqlite3.connect(path, isolation_level=None)
    for trigger in TRIGGERS:
        db.execute(f"DROP TRIGGER {trigger}")
    for statement in statements:
        db.execute(statement) if isinstance(statement, str) else statement(db)
    db.executescript(SCRIPT)
    db.close()


def sealed_again(db: sqlite3.Connection) -> None:
    """Compute all hashes anew, so that the chain holds."""
    [(ledger_id,)] = db.execute("SELECT id FROM ledger_schema").fetchall()
    before = start_of(ledger_id).hash
    for row in db.execute(f"SELECT {COLUMNS} FROM entry ORDER BY number").fetchall():
        before = ChainEntry(*row).seal(before)
        db.execute("UPDATE entry SET hash = ? WHERE number = ?", (before, row[0]))


# --- single bytes --------------------------------------------------------------------------------


def content_of(path: Path) -> tuple[list[int], list[int]]:
    """The places of all bytes that are not 0, but for the texts of tables and triggers; and all others."""
    content = path.read_bytes()
    db = sqlite3.connect(path)
    texts = [sql.encode() for (sql,) in db.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")]
    db.close()
    found = [(at, at + len(text)) for text in texts if (at := content.find(text)) > 0]
    within = {place for start, end in found for place in range(start, end)}
    held = [place for place, byte in enumerate(content) if byte and place not in within]
    return held, sorted(set(range(len(content))) - set(held))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_changed_byte_is_noticed_or_without_effect(path: Path, chunk: int) -> None:
    """Every byte of what the ledger holds and some others; `python -m benchmarks tamper` takes all."""
    choice = random.Random(chunk)
    held, others = content_of(path)
    positions = held[chunk::CHUNKS] + choice.sample(others, 100)
    found = tamper.tampered(path, [(at, choice.randrange(1, 256)) for at in positions])
    assert set(found) == {"noticed", "without effect"}
    assert found["noticed"] > 200


def test_a_changed_letter_of_a_query_an_answer_or_a_cap_is_noticed(path: Path) -> None:
    content = path.read_bytes()
    for text in (b"SELECT 3", b"217", b'"number": 1', b'"window":"month"', b"session"):
        places = [found.start() for found in re.finditer(re.escape(text), content)]
        assert places
        changes = [(at, 1) for place in places for at in range(place, place + len(text))]
        found = tamper.tampered(path, changes)
        assert found["noticed"] > len(text) / 2
        assert set(found) <= {"noticed", "without effect"}  # SQLite's own copies of old cells


# --- the file ------------------------------------------------------------------------------------


def test_a_file_that_was_cut(path: Path) -> None:
    content = path.read_bytes()
    for length in (*range(1, len(content), 1024), len(content) - 1):
        path.write_bytes(content[:length])
        assert fault(path)


def test_a_file_that_was_emptied_or_removed(path: Path) -> None:
    path.write_bytes(b"")
    assert fault(path).startswith("ledger is not the one of its anchor: '")
    path.unlink()
    assert fault(path).startswith("ledger is not the one of its anchor: '")


def test_an_older_copy(path: Path) -> None:
    copy = shutil.copy(path, path.with_name("copy"))
    with open_ledger(path) as ledger:
        ledger.charge(cost())
    shutil.copy(copy, path)
    assert re.match(r"ledger is behind its anchor: It has \d+ entries, and '.*' knows \d+", fault(path))


def test_an_older_copy_under_a_ledger_in_use(path: Path) -> None:
    """What a new file does not know is found by the next charge, which nobody gets an answer for."""
    copy = shutil.copy(path, path.with_name("copy"))
    with open_ledger(path) as ledger:
        ledger.charge(cost())
        ledger.pause()  # type: ignore[attr-defined]
        shutil.copy(copy, path)
        ledger.resume()  # type: ignore[attr-defined]
        with pytest.raises(LedgerError, match="ledger is not the one of its anchor") as caught:
            ledger.charge(cost())
        assert caught.value.charged == "0.5"
        assert caught.value.detail.endswith("Epsilon 0.5 was charged.")
    assert fault(path).startswith("ledger is not the one of its anchor")


def test_another_ledger(path: Path) -> None:
    other = path.with_name("other")
    with open_ledger(other) as ledger:
        for _ in range(20):
            ledger.charge(cost())
    shutil.copy(other, path)
    assert "knows another ledger" in fault(path)


def test_a_log_of_another_time_or_ledger(path: Path, tmp_path: Path) -> None:
    log = path.with_name("shop.ledger-wal")
    other = tmp_path / "other"
    with open_ledger(other) as ledger:
        ledger.charge(cost())
        foreign = other.with_name("other-wal").read_bytes()
    with open_ledger(path) as ledger:
        ledger.charge(cost())
        early = log.read_bytes()
        ledger.charge(cost())
        late = log.read_bytes()
        base = path.read_bytes()
    assert len(early) < len(late)
    for content in (b"", early, foreign, late[:-1], late[: len(late) // 2]):
        path.write_bytes(base)
        log.write_bytes(content)
        assert fault(path).startswith("ledger is ")
    path.write_bytes(base)
    log.write_bytes(late)
    with open_ledger(path) as ledger:
        ledger.verify()


# --- its contents --------------------------------------------------------------------------------


def test_entries_that_were_swapped(path: Path) -> None:
    edit(
        path,
        "UPDATE entry SET number = -1 WHERE number = 3",
        "UPDATE entry SET number = 3 WHERE number = 4",
        "UPDATE entry SET number = 4 WHERE number = -1",
    )
    assert "Entry 3 is not the one that was written" in fault(path)
    edit(path, sealed_again)
    assert "is not the one that" in fault(path)


@pytest.mark.parametrize("removed", [1, 2, 3])
def test_last_entries_that_were_removed_with_all_traces(path: Path, removed: int) -> None:
    def remove(db: sqlite3.Connection) -> None:
        db.execute(f"DELETE FROM entry WHERE number > (SELECT max(number) FROM entry) - {removed}")
        db.execute("DELETE FROM cap WHERE scope = 'session'")
        db.execute("DELETE FROM account")

    edit(path, remove, lambda db: _add_up(db))
    assert fault(path).startswith("ledger is behind its anchor")


def _add_up(db: sqlite3.Connection) -> None:
    """What follows from the entries, computed anew."""
    for kind, column in (("charge", "spent"), ("settle", "returned")):
        for name in ("epsilon", "delta", "rho", *(("mu_squared", "keys_delta") if kind == "charge" else ())):
            rows = db.execute(f"SELECT accounts, {name} FROM entry WHERE kind = '{kind}'").fetchall()
            for accounts, amount in rows:
                for scope, account, period in json.loads(accounts):
                    key = (scope, account, period)
                    db.execute("INSERT OR IGNORE INTO account VALUES (?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0)", key)
                    db.execute(
                        f"UPDATE account SET {name}_{column} = {name}_{column} + ?"
                        " WHERE scope = ? AND name = ? AND period = ?",
                        (amount, *key),
                    )
    for accounts, terms in db.execute("SELECT accounts, detail FROM entry WHERE kind = 'cap'").fetchall():
        for scope, account, _ in json.loads(accounts):
            db.execute("INSERT OR REPLACE INTO cap VALUES (?, ?, ?)", (scope, account, terms))


def test_adding_up_anew_is_as_good_as_the_ledger_itself(path: Path) -> None:
    """Else the tests around it would show nothing."""
    edit(path, "DELETE FROM account", "DELETE FROM cap", _add_up)
    with open_ledger(path) as ledger:
        ledger.verify()


def test_a_chain_that_was_written_anew(path: Path) -> None:
    edit(path, "UPDATE entry SET epsilon = 1 WHERE seq <= 3")
    assert "is not the one that was written" in fault(path)
    edit(path, "DELETE FROM account", sealed_again, _add_up)
    path.with_name("shop.ledger.anchor").rename(path.with_name("anchor"))
    assert "Entry 4 charges another amount than its event costs" in fault(path)
    path.with_name("anchor").rename(path.with_name("shop.ledger.anchor"))
    event = NoisyCount(Fraction(1, 10**9))
    units = cost_units(cost_of(event))
    price = f"event = '{write_event(event)}', rho = {units['rho']}, mu_squared = {units['mu_squared']}"
    edit(path, f"UPDATE entry SET {price} WHERE seq <= 3", "DELETE FROM account", sealed_again, _add_up)
    assert re.search(r"Its entry \d+ is not the one that '.*' knows", fault(path))
    path.with_name("shop.ledger.anchor").unlink()
    with open_ledger(path) as ledger:
        ledger.verify()  # without an anchor nothing tells it from a true one


@pytest.mark.parametrize("trigger", TRIGGERS)
def test_a_trigger_that_was_dropped_or_changed(path: Path, trigger: str) -> None:
    db = sqlite3.connect(path)
    db.execute(f"DROP TRIGGER {trigger}")
    db.close()
    assert "tables and triggers" in fault(path)
    db = sqlite3.connect(path)
    db.execute(f"CREATE TRIGGER {trigger} BEFORE UPDATE ON entry BEGIN SELECT 1; END")
    db.close()
    assert "tables and triggers" in fault(path)


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE answer SET contents = '[[\"999\"]]' WHERE seq = 1", "The kept answer of charge 1"),
        ("UPDATE answer SET subject = 'others' WHERE seq = 2", "The kept answer of charge 2"),
        ("DELETE FROM answer WHERE seq = 3", "The kept answer of charge 3"),
        ("INSERT INTO answer VALUES (99, 'sales', '1', '{}', '[]')", "The kept answer of charge 99"),
        ("UPDATE cap SET terms = replace(terms, '5000000000', '9000000000')", "The cap of session 'ana'"),
        ("UPDATE cap SET terms = '' WHERE scope = 'people'", "The cap of people 'sales.customer'"),
        ("DELETE FROM cap WHERE scope = 'budget'", "The cap of budget 'team'"),
        ("INSERT INTO cap VALUES ('session', 'eve', '')", "The cap of session 'eve'"),
        (
            "UPDATE account SET epsilon_spent = epsilon_spent - 1 WHERE name = 'team'",
            "budget 'team' has spent",
        ),
        ("UPDATE account SET epsilon_returned = epsilon_spent", "is not the sum of its entries"),
        ("DELETE FROM account WHERE scope = 'people'", "people 'sales.customer' has spent"),
        ("INSERT INTO account VALUES ('table', 't', '', 0, 0, 0, 0, 0, 0, 0, 0)", "table 't' has spent"),
        ("UPDATE entry SET at = at + 1 WHERE number = 2", "Entry 2 is not"),
        ("UPDATE entry SET hash = 'f00d' WHERE number = 2", "Entry 2 is not"),
        ("UPDATE ledger_schema SET id = 'f00d'", "not the one of its anchor"),
    ],
)
def test_a_single_edit(path: Path, statement: str, found: str) -> None:
    edit(path, statement)
    assert found in fault(path)


def test_an_answer_that_was_edited_is_never_given(path: Path) -> None:
    edit(path, "UPDATE answer SET contents = '[[\"999\"]]' WHERE seq = 1")
    with open_ledger(path) as ledger, pytest.raises(LedgerError, match="kept answer of charge 1 is not"):
        ledger.answer(1)


def test_an_answer_whose_seal_was_edited_too(path: Path) -> None:
    with open_ledger(path) as ledger:
        forged = replace(ledger.answer(1), rows='[["999"]]')
    assert isinstance(forged, StoredRelease)
    edit(
        path,
        "UPDATE answer SET contents = '[[\"999\"]]' WHERE seq = 1",
        f"UPDATE entry SET detail = '{seal_of(forged)}' WHERE kind = 'settle' AND about = 1",
        sealed_again,
    )
    assert "is not the one that" in fault(path)


def test_an_anchor_that_is_no_mark(path: Path) -> None:
    anchor = path.with_name("shop.ledger.anchor")
    mark = anchor.read_text()
    for text in ("{}", "[]", "17", '{"ledger": 1, "number": "x", "hash": null}', mark[:40], "\0" * 256):
        anchor.write_text(text)
        assert fault(path).startswith("anchor is damaged")
    anchor.write_text(mark)
    with open_ledger(path) as ledger:
        ledger.verify()
