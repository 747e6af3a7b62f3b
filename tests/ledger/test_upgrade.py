"""Ledgers of older versions: upgraded when they are opened, whole, with a copy, or not touched at all."""

from __future__ import annotations

import json
import shutil
import sqlite3
import stat
import threading
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from unittest.mock import patch

import pytest

from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.event_records import write_event
from dpduck.kernel.accounting.events import Histogram
from dpduck.kernel.accounting.gdp import mu_squared_of
from dpduck.kernel.errors import LedgerError
from dpduck.kernel.ledger import Account, Charge, Ledger, open_ledger, sqlite, sqlite_upgrade
from dpduck.kernel.ledger.chain import FIELDS, FIELDS_BEFORE_EVENTS, ChainEntry, fields_of, start_of
from dpduck.kernel.ledger.postgres import PostgresLedger
from dpduck.kernel.ledger.sqlite import SqliteLedger
from tests.ledger.contract import cost
from tests.ledger.processes import race, start
from tests.ledger.server import Server

HERE = Path(__file__).parent
UPGRADED = "ledger upgraded from version 2 to version 5"
STATEMENTS = {
    2: [UPGRADED],
    3: ["analyst add ana", "analyst add bob", "ledger upgraded from version 3 to version 5"],
    4: ["analyst add ana", "analyst add bob", "ledger upgraded from version 4 to version 5"],
}
NOT_REPRICED = {2: 6, 3: 6, 4: 0}  # five charges, and what one of them gave back; version 4 has events
ACCOUNT = """
    scope, name, period, epsilon_spent, delta_spent, rho_spent, epsilon_returned, delta_returned, rho_returned
"""
TABLES = ("entry", "account", "cap", "answer", "analyst")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A ledger of version 2 with its anchor, as its release left it."""
    return made(tmp_path / "shop.ledger", 2)


def made(path: Path, version: int | str) -> Path:
    """A ledger of an older version with its anchor. Input: the end of the name of its file of SQL."""
    db = sqlite3.connect(path)
    db.executescript((HERE / f"version_{version}.sql").read_text())
    db.execute("PRAGMA journal_mode = WAL")
    number, sealed = db.execute("SELECT number, hash FROM entry ORDER BY number DESC").fetchone()
    [(name,)] = db.execute("SELECT id FROM ledger_schema").fetchall()
    db.close()
    path.chmod(0o600)
    mark = json.dumps({"ledger": name, "number": number, "hash": sealed}).ljust(255) + "\n"
    path.with_name(f"{path.name}.anchor").write_text(mark)
    return path


def rows(path: Path, table: str, names: Sequence[str] = FIELDS_BEFORE_EVENTS) -> list[tuple[object, ...]]:
    db = sqlite3.connect(path)
    columns = ", ".join((*names, "hash")) if table == "entry" else ACCOUNT if table == "account" else "*"
    found = db.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2, 3").fetchall()
    db.close()
    return found


def files(path: Path) -> dict[str, bytes]:
    """All that is beside the ledger, without what SQLite only needs while it is open."""
    return {
        file.name: file.read_bytes()
        for file in path.parent.iterdir()
        if not file.name.endswith(("-shm", "-wal"))
    }


def refused(path: Path, busy_seconds: float = 0.2) -> str:
    """What is said when the ledger is opened; nothing has changed then."""
    before = {table: rows(path, table) for table in TABLES}
    there = set(files(path))
    with pytest.raises(LedgerError) as caught:
        opened(path, busy_seconds)
    assert "Nothing was charged." in caught.value.detail
    assert {table: rows(path, table) for table in TABLES} == before
    assert rows(path, "ledger_schema")[0][1] == 2
    assert set(files(path)) == there
    return f"{caught.value.message}: {caught.value.detail}"


def opened(path: Path, busy_seconds: float = 5.0) -> Ledger:
    with patch.object(sqlite, "BUSY_SECONDS", busy_seconds):
        return SqliteLedger(path, busy_seconds=busy_seconds)


@pytest.mark.parametrize("version", STATEMENTS)
def test_it_is_whole_before_and_after(version: int, tmp_path: Path) -> None:
    old = made(tmp_path / "shop.ledger", version)
    before = {table: rows(old, table) for table in TABLES}
    with open_ledger(old) as ledger:
        assert ledger.verify() == NOT_REPRICED[version]
        assert [one.statement for one in ledger.policies()] == STATEMENTS[version]
        assert [one.name for one in ledger.analysts()] == ["ana", "bob"]
        assert len(ledger.kept("sales", "1")) == 3
        assert ledger.charge(cost()) == len([row for row in before["entry"] if row[2] is not None]) + 1
        assert ledger.verify() == NOT_REPRICED[version]
    after = {table: rows(old, table) for table in TABLES}
    assert after["entry"][: len(before["entry"])] == before["entry"]
    assert len(after["entry"]) == len(before["entry"]) + 2
    for table in ("cap", "answer", "analyst"):
        assert after[table] == before[table]
    assert set(before["account"]) - set(after["account"]) <= {
        row for row in before["account"] if row[:2] == ("session", "ana")
    }
    with open_ledger(old) as ledger:  # with the anchor that has gone on
        assert ledger.verify() == NOT_REPRICED[version]
        assert len(ledger.policies()) == len(STATEMENTS[version])


@pytest.mark.parametrize(("name", "not_repriced"), [("2_asked", 4), ("5_asked", 0)])
def test_what_releases_left_is_whole_and_goes_on(name: str, not_repriced: int, tmp_path: Path) -> None:
    """Ledgers of questions that were asked: all that was spent stays spent, with the caps and answers."""
    old = made(tmp_path / "shop.ledger", name)
    before = {table: rows(old, table) for table in ("entry", "account", "cap", "answer")}
    with open_ledger(old) as ledger:
        assert ledger.verify() == not_repriced
        charged = [entry.epsilon for entry in ledger.entries()]
        assert sum(charged) == Fraction(3, 2)
        [team] = ledger.budgets([Account("analyst", "ana")])
        assert team.spent.epsilon == sum(e.epsilon for e in ledger.entries() if e.analyst == "ana")
        assert len(ledger.entries()[0].query) > 20
        ledger.charge(cost())
        assert ledger.verify() == not_repriced
    assert rows(old, "entry")[: len(before["entry"])] == before["entry"]
    assert set(before["account"]) <= set(rows(old, "account"))
    assert (rows(old, "cap"), rows(old, "answer")) == (before["cap"], before["answer"])
    assert len(before["answer"]) >= 4


@pytest.mark.parametrize(("after", "said"), [(-1, ""), (1, "Entry {} charges another amount")])
def test_only_what_is_charged_after_the_upgrade_is_priced_again(
    tmp_path: Path, after: int, said: str
) -> None:
    """What is before it is verified as it was: by the chain and the sums. Here, both are made anew."""
    old = made(tmp_path / "shop.ledger", 3)
    with open_ledger(old) as ledger:
        upgrade = ledger.head().number
        ledger.charge(cost(accounts=(Account("session", "carl"),)))
    number = upgrade + after if after > 0 else 13
    edited(
        f"UPDATE entry SET rho = rho + 1 WHERE number = {number}",
        "UPDATE account SET rho_spent = rho_spent + 1 WHERE "
        + ("name = 'carl'" if after > 0 else "name <> 'carl'"),
        lambda db: sealed_again(db, FIELDS),
    )(old)
    old.with_name("shop.ledger.anchor").unlink()
    assert fault(old).startswith(said.format(number)) if said else fault(old) == ""


def test_what_was_charged_stays_charged_and_new_charges_cost_less(tmp_path: Path) -> None:
    """Records of version 4 are priced as they were; a histogram of 16 groups costs a 16th of it since."""
    budget, carl = Account("budget", "rho"), Account("session", "carl")
    old, new = Histogram(Fraction(1, 50)), Histogram(Fraction(1, 50), groups=16)
    with open_ledger(made(tmp_path / "shop.ledger", 4)) as ledger:
        [before] = ledger.budgets([budget])
        assert (before.cap.accounting, before.spent.rho) == ("zcdp", Fraction(1249966670, 10**12))
        assert any(entry.event == write_event(old) for entry in ledger.entries())
        for event in (old, new):
            ledger.charge(Charge(event, "carl", "SELECT 5", (carl, budget)))
        [after] = ledger.budgets([budget])
        assert after.spent.rho - before.spent.rho == cost_of(old).rho + cost_of(new).rho
        assert cost_of(new).rho * 15 < cost_of(old).rho == Fraction(199993334, 10**12)
        assert ledger.verify() == 0


@pytest.mark.parametrize("version", STATEMENTS)
def test_what_was_charged_before_counts_in_mu_squared(version: int, tmp_path: Path) -> None:
    """As one pure event of its epsilon, and all of its delta as that of keys."""
    path = made(tmp_path / "shop.ledger", version)
    with open_ledger(path) as ledger:
        entries = [entry for entry in ledger.entries() if not entry.replayed]
        assert len(entries) >= 5
        for entry in entries:  # some were given epsilon back, which mu squared is not
            assert entry.mu_squared >= mu_squared_of(entry.epsilon)
            assert entry.keys_delta >= entry.delta
        team = Account("budget", "team")
        paid = [entry for entry in ledger.entries() if ("budget", "team") in entry.accounts]
        [spent] = ledger.budgets([team])
        ledger.charge(Charge(Histogram(Fraction(1, 50), groups=16), "carl", "SELECT 5", (team,)))
        [after] = ledger.budgets([team])
        assert spent.spent.mu_squared == sum(entry.mu_squared for entry in paid) > 0
        assert after.spent - spent.spent == cost_of(Histogram(Fraction(1, 50), groups=16))
    edited("UPDATE account SET mu_squared_spent = mu_squared_spent + 1 WHERE name = 'team'")(path)
    assert fault(path) == "What budget 'team' has spent is not the sum of its entries. Nothing was charged."


def test_a_version_before_does_not_open_this_one(tmp_path: Path) -> None:
    """It knows versions 2 to 4, and would count what a cap leaves by other terms."""
    path = tmp_path / "shop.ledger"
    open_ledger(path).close()
    with (
        patch.object(sqlite, "VERSION", 4),
        patch.object(sqlite, "OLDER", (2, 3)),
        pytest.raises(LedgerError, match="version"),
    ):
        open_ledger(path)


def fault(path: Path) -> str:
    with open_ledger(path) as ledger:
        try:
            ledger.verify()
        except LedgerError as error:
            return error.detail
    return ""


def test_the_copy_is_the_ledger_as_it_was(old: Path) -> None:
    before = {table: rows(old, table) for table in (*TABLES, "ledger_schema")}
    open_ledger(old).close()
    copy = old.with_name("shop.ledger.v2.bak")
    assert {table: rows(copy, table) for table in before} == before
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(old.stat().st_mode) == 0o600
    names = {"shop.ledger", "shop.ledger.anchor", "shop.ledger.v2.bak"}
    assert set(files(old)) == names


def test_a_copy_that_is_there_is_not_written_over(old: Path) -> None:
    other = old.with_name("shop.ledger.v2.bak")
    other.write_text("mine")
    open_ledger(old).close()
    assert other.read_text() == "mine"
    assert rows(old.with_name("shop.ledger.v2.2.bak"), "ledger_schema")[0][1] == 2


def test_one_without_analysts_has_no_table_of_them(old: Path) -> None:
    db = sqlite3.connect(old)
    db.execute("DROP TABLE analyst")
    db.close()
    with open_ledger(old) as ledger:
        ledger.verify()
        assert ledger.analysts() == []


def edited(*statements: str | Callable[[sqlite3.Connection], object]) -> Callable[[Path], None]:
    def edit(path: Path) -> None:
        db = sqlite3.connect(path, isolation_level=None)
        triggers = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            db.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            db.execute(statement) if isinstance(statement, str) else statement(db)
        for _, sql in triggers:
            db.execute(sql)
        db.close()

    return edit


def sealed_again(db: sqlite3.Connection, names: Sequence[str] = FIELDS_BEFORE_EVENTS) -> None:
    [(name,)] = db.execute("SELECT id FROM ledger_schema").fetchall()
    before = start_of(name).hash
    for row in db.execute(f"SELECT {', '.join(names)} FROM entry ORDER BY number").fetchall():
        before = ChainEntry(*row).seal(before)
        db.execute("UPDATE entry SET hash = ? WHERE number = ?", (before, row[0]))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (edited("UPDATE entry SET epsilon = 1 WHERE number = 3"), "Entry 3 is not the one that was written"),
        (edited("DELETE FROM entry WHERE number = 5"), "Entry 5 is not the one that was written"),
        (edited("UPDATE account SET epsilon_spent = epsilon_spent - 1"), "is not the sum of its entries"),
        (edited("UPDATE cap SET terms = ''"), "is not the one that was set"),
        (edited("UPDATE answer SET contents = '[]' WHERE seq = 1"), "The kept answer of charge 1"),
        (edited("DELETE FROM entry WHERE number = 14", sealed_again), "ledger does not add up"),
    ],
)
def test_a_damaged_one_is_not_touched(old: Path, damage: Callable[[Path], None], said: str) -> None:
    damage(old)
    assert said in refused(old)


def test_one_whose_triggers_are_gone(old: Path) -> None:
    db = sqlite3.connect(old)
    db.execute("DROP TRIGGER entry_no_delete")
    db.close()
    assert "tables and triggers are not those that were made" in refused(old)


def test_one_that_is_behind_its_anchor(old: Path) -> None:
    anchor = old.with_name("shop.ledger.anchor")
    mark = json.loads(anchor.read_text())
    anchor.write_text(json.dumps({**mark, "number": mark["number"] + 1}))
    there = files(old)
    with pytest.raises(LedgerError, match="behind its anchor"):
        open_ledger(old)
    assert files(old) == there


def test_damaged_bytes(old: Path) -> None:
    content = bytearray(old.read_bytes())
    content[4096 * 3 : 4096 * 5] = bytes(4096 * 2)
    old.write_bytes(content)
    with pytest.raises(LedgerError):
        open_ledger(old)
    assert old.read_bytes() == content
    assert set(files(old)) == {"shop.ledger", "shop.ledger.anchor"}


def test_one_that_another_process_has_open(old: Path) -> None:
    """It may be of the older release, which would go on by its own rules."""
    other = sqlite3.connect(old, isolation_level=None)
    other.execute("SELECT * FROM entry").fetchall()
    said = refused(old)
    assert said.startswith("ledger of an older version cannot be upgraded: Another process has it open.")
    other.close()
    with open_ledger(old) as ledger:
        ledger.verify()


def test_one_that_may_only_be_read(old: Path) -> None:
    connect = sqlite3.connect

    def read_only(target: object, **options: object) -> sqlite3.Connection:
        return connect(str(target).replace("mode=rw", "mode=ro"), **options)  # type: ignore[call-overload, no-any-return]

    with patch.object(sqlite_upgrade.sqlite3, "connect", read_only):
        assert refused(old).startswith("ledger cannot be written")


def test_a_copy_that_cannot_be_made(old: Path) -> None:
    with patch.object(sqlite_upgrade, "sync", side_effect=OSError(28, "No space left on device")):
        said = refused(old)
    assert "No copy of it could be made first: no space left on device." in said


@pytest.mark.parametrize("step", ["_keep_copy", "_remake", "upgrade"])
def test_a_crash_at_any_step_leaves_one_or_the_other(old: Path, step: str) -> None:
    before = {table: rows(old, table) for table in (*TABLES, "ledger_schema")}
    whole = getattr(sqlite_upgrade, step)

    def crash(*arguments: object) -> None:
        whole(*arguments)
        raise KeyboardInterrupt

    with patch.object(sqlite_upgrade, step, crash), pytest.raises(KeyboardInterrupt):
        open_ledger(old)
    assert {table: rows(old, table) for table in before} == before
    with open_ledger(old) as ledger:
        ledger.verify()
        assert [one.statement for one in ledger.policies()] == [UPGRADED]


OPEN = """
wait_until(begin())
with open_ledger(path) as ledger:
    ledger.charge(TENTH)
    ledger.verify()
    print(len(ledger.policies()))
"""


@pytest.mark.slow
def test_many_that_open_it_at_once(old: Path) -> None:
    assert race([start(OPEN, old) for _ in range(6)]) == ["1\n"] * 6
    with open_ledger(old) as ledger:
        ledger.verify()
        assert sum(entry.query == "SELECT 1" for entry in ledger.entries() if entry.session == "ana") == 6


def test_many_threads(old: Path) -> None:
    def work() -> None:
        with open_ledger(old) as ledger:
            ledger.charge(cost())

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with open_ledger(old) as ledger:
        ledger.verify()
        assert len(ledger.policies()) == 1


def test_a_copy_put_back_is_noticed(old: Path) -> None:
    """The anchor has gone on."""
    with open_ledger(old) as ledger:
        ledger.charge(cost())
    shutil.copy(old.with_name("shop.ledger.v2.bak"), old)
    with pytest.raises(LedgerError, match="behind its anchor"):
        open_ledger(old)


# --- PostgreSQL ----------------------------------------------------------------------------------


def fill(server: Server, database: str, old: Path, version: int = 2) -> None:
    """The tables of that version, with the same rows."""
    server.execute(
        (HERE / f"version_{version}_postgres.sql").read_text(),
        "CREATE TABLE dpduck.analyst (name TEXT PRIMARY KEY, verifier TEXT NOT NULL, added BIGINT NOT NULL)",
        database=database,
    )
    inserts = []
    for table in TABLES:
        for row in rows(old, table, fields_of(version)):
            values = ", ".join(
                "NULL" if v is None else f"$q${v}$q$" if isinstance(v, str) else str(v) for v in row
            )
            inserts.append(f"INSERT INTO dpduck.{table} VALUES ({values})")
    name = rows(old, "ledger_schema")[0][2]
    server.execute(*inserts, f"UPDATE dpduck.ledger_schema SET id = '{name}'", database=database)


@pytest.mark.parametrize("version", STATEMENTS)
def test_in_postgresql(server: Server, database: str, url: str, tmp_path: Path, version: int) -> None:
    old = made(tmp_path / "shop.ledger", version)
    fill(server, database, old, version)
    anchor = old.with_name("shop.ledger.anchor")
    with open_ledger(url, anchor) as ledger:
        assert ledger.verify() == NOT_REPRICED[version]
        assert [one.statement for one in ledger.policies()] == STATEMENTS[version]
        assert [one.name for one in ledger.analysts()] == ["ana", "bob"]
        ledger.charge(cost())
        ledger.verify()
    with PostgresLedger(url) as ledger:
        assert ledger.verify() == NOT_REPRICED[version]
        assert len(ledger.policies()) == len(STATEMENTS[version])


def test_a_damaged_one_in_postgresql(server: Server, database: str, url: str, old: Path) -> None:
    fill(server, database, old)
    off = "ALTER TABLE dpduck.entry DISABLE TRIGGER entry_is_kept"
    on = "ALTER TABLE dpduck.entry ENABLE ALWAYS TRIGGER entry_is_kept"
    change = "UPDATE dpduck.entry SET epsilon = 1 WHERE number = 3"
    server.execute(off, change, on, database=database)
    with pytest.raises(LedgerError, match="Entry 3 is not the one that was written"):
        open_ledger(url)
    assert server.execute("SELECT version FROM dpduck.ledger_schema", database=database) == [(2,)]
    assert server.execute("SELECT count(*) FROM dpduck.entry", database=database) == [(14,)]


def test_many_that_open_it_at_once_in_postgresql(server: Server, database: str, url: str, old: Path) -> None:
    fill(server, database, old)
    assert race([start(OPEN, url) for _ in range(4)]) == ["1\n"] * 4
    with open_ledger(url) as ledger:
        ledger.verify()


def test_somebody_without_the_right_in_postgresql(server: Server, database: str, url: str, old: Path) -> None:
    fill(server, database, old)
    rights = ("USAGE ON SCHEMA dpduck", "SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA dpduck")
    with server.user() as name:
        for right in rights:
            server.execute(f"GRANT {right} TO {name}", database=database)
        with pytest.raises(LedgerError, match="ledger cannot be used"):
            open_ledger(server.url(database, name))
        server.execute(f"DROP OWNED BY {name}", database=database)
    assert server.execute("SELECT version FROM dpduck.ledger_schema", database=database) == [(2,)]
    with open_ledger(url) as ledger:
        ledger.verify()
