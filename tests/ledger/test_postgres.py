"""The ledger in PostgreSQL: the contract, what the server keeps, and what happens when it does not answer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import psycopg
import pytest

import dpduck
from dpduck.doors import cli
from dpduck.doors.cli import main
from dpduck.kernel.errors import BudgetExceededError, LedgerError
from dpduck.kernel.ledger import Account, Cap, Ledger, StoredRelease, open_ledger, postgres
from dpduck.kernel.ledger.postgres import PostgresLedger
from dpduck.kernel.ledger.postgres_errors import UnknownOutcomeError
from dpduck.kernel.ledger.transactions import Transaction, add_charge
from tests.ledger.contract import ANA, PEOPLE, LedgerContract, cost, spent
from tests.ledger.processes import LIMIT, fork, kill, race, start, wait
from tests.ledger.server import PASSWORD, Server
from tests.ledger.test_sqlite import refusal as any_refusal

MOVED = "UPDATE entry SET query = 'x'"
CHEAPER = "UPDATE entry SET event = replace(event, '1/2', '1/4') WHERE number = 1"
SHRUNK = "UPDATE account SET epsilon_spent = 0"
DIE = "PERFORM pg_terminate_backend(pg_backend_pid())"


def refusal(call: Callable[[], object]) -> LedgerError:
    """The LedgerError of a call, which must say all that such an error says, and nothing of the URL."""
    error = any_refusal(call)
    for said in (str(error), repr(error), str(error.args)):
        assert PASSWORD not in said
        assert "127.0.0.1" not in said
    return error


@pytest.fixture
def ledger(url: str) -> Iterator[PostgresLedger]:
    with PostgresLedger(url) as ledger:
        yield ledger


@contextmanager
def granted(server: Server, database: str, *rights: str, options: str = "") -> Iterator[str]:
    """The address of a ledger for a new user who has only these rights."""
    with server.user(options) as name:
        for right in rights:
            server.execute(f"GRANT {right} TO {name}", database=database)
        try:
            yield server.url(database, name)
        finally:
            server.execute(f"DROP OWNED BY {name}", database=database)


CHARGES = (
    "USAGE ON SCHEMA dpduck",
    "SELECT, INSERT ON ALL TABLES IN SCHEMA dpduck",
    "UPDATE ON dpduck.account, dpduck.cap",
)
READS = ("USAGE ON SCHEMA dpduck", "SELECT ON ALL TABLES IN SCHEMA dpduck")


class TestPostgresLedger(LedgerContract):
    knows_at_once = False

    @pytest.fixture
    def ledger(self, url: str) -> Iterator[Ledger]:
        with open_ledger(url) as ledger:
            assert isinstance(ledger, PostgresLedger)
            yield ledger

    def test_charges_outlive_the_connection(self, ledger: Ledger, url: str) -> None:
        ledger.set_cap(ANA, Cap(Fraction(1)))
        ledger.charge(cost())
        with open_ledger(url.replace("postgresql://", "postgres://")) as other:
            assert other.entries() == ledger.entries()
            assert other.budgets() == ledger.budgets()
            assert other.charge(cost()) == 2
        with pytest.raises(BudgetExceededError):
            ledger.charge(cost())

    def test_an_answer_is_kept_and_given_again(self, ledger: Ledger) -> None:
        answer = StoredRelease("s" * 10_000, "version\0", "{}", '["\x1a0"]')
        ledger.settle(ledger.charge(cost()), answer=answer)
        assert [kept.seq for kept in ledger.kept(answer.subject, answer.version)] == [1]
        assert ledger.answer(1) == answer
        ledger.verify()

    def test_escapes_are_not_taken_for_what_they_stand_for(self, ledger: Ledger, server: Server) -> None:
        names = ["\0", "\x1a", "\x1a0", "\x1a1", "\x1a\0", "\\0", "a\0\0b"]
        for name in names:
            ledger.charge(cost(session=name, accounts=(Account("session", name),)))
        assert [entry.session for entry in ledger.entries()] == names
        assert [len(ledger.entries(name)) for name in names] == [1] * len(names)
        ledger.verify()

    def test_names_are_in_the_order_of_their_characters(self, ledger: Ledger) -> None:
        for name in ("b", "ä", "Z", "_", "a", "Ä"):
            ledger.charge(cost(accounts=(Account("session", name),)))
        assert [budget.name for budget in ledger.budgets()] == ["_", "a", "b", "z", "Ä", "ä"]

    def test_a_query_may_be_long_and_a_name_of_an_account_not(self, ledger: Ledger) -> None:
        long = "".join(chr(97 + number * number % 26) + str(number) for number in range(3000))
        ledger.charge(cost(session=long, query=long * 10))
        error = refusal(lambda: ledger.charge(cost(accounts=(Account("session", long),))))
        assert error.message == "ledger cannot be written"
        assert "too long" in error.detail
        assert len(ledger.entries()) == 1

    def test_the_time_is_the_servers(self, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(time, "time_ns", lambda: 0)
        monkeypatch.setattr(time, "time", lambda: 0.0)
        ledger.charge(cost())
        assert abs(ledger.entries()[0].at - datetime.now(UTC)) < timedelta(seconds=10)

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
    def test_parent_and_child_go_on_after_a_fork(self, ledger: Ledger) -> None:
        ledger.set_cap(ANA, Cap(Fraction(2)))
        ledger.charge(cost("0.5"))

        def child() -> None:
            assert ledger.charge(cost("0.5")) == 2
            ledger.charge(cost("0.5"))

        wait(fork(child))
        ledger.charge(cost("0.5"))
        with pytest.raises(BudgetExceededError):
            ledger.charge(cost("0.5"))
        assert [entry.seq for entry in ledger.entries()] == [1, 2, 3, 4]
        ledger.verify()

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
    def test_forks_while_threads_charge(self, ledger: Ledger) -> None:
        stop = threading.Event()

        def spend() -> int:
            number = 0
            while not stop.is_set():
                ledger.charge(cost("0.1"))
                number += 1
            return number

        with ThreadPoolExecutor(6) as pool:
            spending = [pool.submit(spend) for _ in range(6)]
            for _ in range(5):
                wait(fork(lambda: ledger.charge(cost("0.1"))))
            stop.set()
            charged = sum(each.result() for each in spending)
        assert len(ledger.entries()) == charged + 5
        ledger.verify()


# --- what the server keeps -----------------------------------------------------------------------


def test_a_write_is_alone_durable_and_impatient(
    ledger: PostgresLedger, server: Server, database: str
) -> None:
    for setting in ("synchronous_commit = off", "default_transaction_isolation = 'serializable'"):
        server.execute(f"ALTER DATABASE {database} SET {setting}")
    names = ("synchronous_commit", "transaction_isolation", "lock_timeout", "search_path")

    def settings(db: Transaction) -> list[str]:
        return [db.run(f"SHOW {name}")[0][0] for name in names]

    ledger.pause()
    ledger.resume()
    assert ledger._write(settings) == ["on", "read committed", "5s", "dpduck, pg_temp"]
    assert ledger._read(settings)[1:3] == ["repeatable read", "5s"]


def test_a_read_sees_one_state_and_writes_nothing(ledger: PostgresLedger) -> None:
    def work(db: Transaction) -> int:
        before = db.run("SELECT count(*) FROM entry")
        with ThreadPoolExecutor(1) as pool:
            pool.submit(ledger.charge, cost()).result()
        assert db.run("SELECT count(*) FROM entry") == before
        db.run("DELETE FROM cap")
        return 0

    assert refusal(lambda: ledger._read(work)).message == "ledger cannot be written"
    assert len(ledger.entries()) == 1


CHANGES = (
    "UPDATE entry SET epsilon = 0",
    "UPDATE entry SET epsilon = 0 WHERE FALSE",
    "DELETE FROM entry",
    "TRUNCATE entry",
    "INSERT INTO entry SELECT * FROM entry ON CONFLICT (number) DO UPDATE SET epsilon = 0",
    "UPDATE answer SET contents = ''",
    "DELETE FROM answer",
    "TRUNCATE answer",
    "DELETE FROM account",
    "TRUNCATE account",
    "UPDATE account SET epsilon_spent = 0",
    "UPDATE account SET epsilon_returned = epsilon_returned - 1",
    "UPDATE account SET name = 'bob'",
    "UPDATE account SET rho_spent = -1",
)


@pytest.mark.parametrize("role", ["origin", "replica"])
def test_it_is_append_only(ledger: Ledger, server: Server, database: str, role: str) -> None:
    ledger.settle(ledger.charge(cost()), answer=StoredRelease("subject", "version", "{}", "[]"))
    before = ledger.entries(), ledger.budgets()
    for statement in CHANGES:
        with pytest.raises(
            psycopg.errors.IntegrityError, match=r"the ledger (is append-only|refunds nothing)|check"
        ):
            tamper(server, database, f"SET session_replication_role = {role}", statement)
        assert (ledger.entries(), ledger.budgets()) == before, statement
        ledger.verify()


def tamper(server: Server, database: str, *statements: str) -> None:
    server.execute("SET search_path = dpduck", *statements, database=database)


REFUSE = "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE entry DISABLE TRIGGER entry_is_kept",
        "ALTER TABLE account DISABLE TRIGGER ALL",
        "ALTER TABLE answer ENABLE TRIGGER answer_is_kept",
        "DROP TRIGGER entry_is_kept ON entry",
        "DROP TRIGGER account_grows ON account",
        "DROP FUNCTION refuse CASCADE",
        f"{REFUSE} 'BEGIN RETURN NEW; END'",
        "CREATE TRIGGER another BEFORE INSERT ON entry EXECUTE FUNCTION refuse('x')",
        "CREATE RULE nothing AS ON INSERT TO entry DO INSTEAD NOTHING",
        "ALTER TABLE entry ENABLE ROW LEVEL SECURITY",
        "CREATE FUNCTION more() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'",
    ],
)
def test_verify_finds_that_what_guards_the_tables_was_changed(
    ledger: Ledger, server: Server, database: str, statement: str
) -> None:
    ledger.charge(cost())
    ledger.verify()
    tamper(server, database, statement)
    error = refusal(ledger.verify)
    assert error.message == "ledger does not add up"
    assert "triggers" in error.detail


@pytest.mark.parametrize(
    ("table", "statement", "found"),
    [
        ("entry", MOVED, "Entry 1 is not the one that was written"),
        ("entry", CHEAPER, "Entry 1 is not the one that was written"),
        ("entry", "DELETE FROM entry WHERE number = 2", "session 'ana'"),
        ("entry", "DELETE FROM entry WHERE number = 1", "Entry 1"),
        ("account", SHRUNK, "What session 'ana' has spent"),
        ("account", "DELETE FROM account", "What session 'ana' has spent"),
        ("cap", "UPDATE cap SET terms = ''", "The cap of people 'customers'"),
        ("answer", "UPDATE answer SET contents = '[1]'", "The kept answer of charge 1"),
    ],
)
def test_verify_finds_what_was_changed_behind_disabled_triggers(
    ledger: Ledger, server: Server, database: str, table: str, statement: str, found: str
) -> None:
    seq = ledger.charge(cost())
    if table != "entry":
        ledger.settle(seq, answer=StoredRelease("subject", "version", "{}", "[]"))
        ledger.set_cap(PEOPLE, Cap(Fraction(1)))
    else:
        ledger.charge(cost())
    again = "" if table == "cap" else f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_is_kept"
    tamper(server, database, f"ALTER TABLE {table} DISABLE TRIGGER ALL", statement)
    if table == "account":
        tamper(server, database, "ALTER TABLE account ENABLE ALWAYS TRIGGER account_grows")
    if again:
        tamper(server, database, again)
    error = refusal(ledger.verify)
    assert error.message == "ledger does not add up"
    assert found in error.detail


def test_an_anchor_is_only_one_that_was_given(
    url: str, tmp_path: Path, monkeypatch: Any, server: Server
) -> None:
    monkeypatch.chdir(tmp_path)
    with open_ledger(url) as ledger:
        ledger.charge(cost())
    assert not list(tmp_path.iterdir())
    with open_ledger(url, tmp_path / "anchor") as ledger:
        ledger.charge(cost())
    unlike = pytest.raises(LedgerError, match="ledger is not the one of its anchor")
    with server.database() as other, unlike:
        open_ledger(server.url(other), tmp_path / "anchor")


# --- many processes ------------------------------------------------------------------------------


def test_processes_race_to_the_cap_exactly(url: str) -> None:
    script = """
wait_until(begin())
done = 0
with open_ledger(path) as ledger:
    while True:
        try:
            ledger.charge(TENTH)
        except BudgetExceededError:
            break
        done += 1
print(done)
"""
    with open_ledger(url) as ledger:
        ledger.set_cap(PEOPLE, Cap(Fraction(20)))
        racers = [start(script, url) for _ in range(8)]
        assert sum(map(int, race(racers))) == 200
        assert spent(ledger, PEOPLE) == (20, 0)
        assert len(ledger.entries()) == 200
        ledger.verify()


def test_processes_race_to_make_the_same_ledger(server: Server, tmp_path: Path) -> None:
    script = """
addresses = Path(path).read_text().split()
start = begin()
for number, address in enumerate(addresses):
    wait_until(start + number / 5)
    with open_ledger(address) as ledger:
        ledger.charge(TENTH)
"""
    with server.database() as one, server.database() as two, server.database() as three:
        addresses = [server.url(name) for name in (one, two, three)]
        (tmp_path / "addresses").write_text("\n".join(addresses))
        race([start(script, tmp_path / "addresses") for _ in range(4)])
        for address in addresses:
            with open_ledger(address) as ledger:
                assert len(ledger.entries()) == 4
                ledger.verify()


def test_a_killed_process_never_loses_a_charge(url: str) -> None:
    script = """
ledger = open_ledger(path)
for _ in range(100_000):
    print(ledger.charge(Charge(NoisyCount(Fraction(1, 10)), 'ana', 'SELECT 1', (ANA,))), flush=True)
"""
    with open_ledger(url) as ledger:
        told = 0
        for number in (1, 7, 20):
            process = start(script, url)
            assert process.stdout is not None
            for _ in range(number):
                told = int(process.stdout.readline())
            told = int([told, *kill(process)][-1])
            ledger.set_cap(PEOPLE, Cap(Fraction(number)))  # waits until the dead process has let go
            entries = ledger.entries()
            # One more may be on record, of which the process could not tell any more.
            assert told <= len(entries) <= told + 1
            assert spent(ledger)[0] == Fraction(len(entries), 10)
            ledger.verify()


def test_a_kill_within_a_transaction_charges_nothing(url: str) -> None:
    script = """
import os, signal
from dpduck.kernel.ledger import transactions
ledger = open_ledger(path)
ledger.charge(TENTH)
add = transactions._add_paid
def die(*arguments):
    add(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)
transactions._add_paid = die
ledger.charge(TENTH)
"""
    process = start(script, url)
    process.communicate(timeout=LIMIT)
    assert process.returncode == -signal.SIGKILL
    with open_ledger(url) as ledger:
        assert ledger.charge(cost()) == 2
        assert len(ledger.entries()) == 2
        ledger.verify()


# --- wrong addresses and rights ------------------------------------------------------------------


class TestBadPlaces:
    def test_a_wrong_password(self, server: Server, database: str) -> None:
        error = refusal(lambda: open_ledger(server.url(database, password="secret7")))
        assert error.message == "ledger cannot be opened"
        assert "refused the user, the password or the database" in error.detail

    def test_no_password(self, server: Server, database: str) -> None:
        error = refusal(lambda: open_ledger(server.url(database).replace(f":{PASSWORD}", "")))
        assert "asks for a password" in error.detail

    def test_a_password_from_the_environment(
        self, server: Server, database: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PGPASSWORD", PASSWORD)
        with open_ledger(server.url(database).replace(f":{PASSWORD}", "")) as ledger:
            assert ledger.charge(cost()) == 1

    def test_a_database_that_does_not_exist(self, server: Server) -> None:
        assert refusal(lambda: open_ledger(server.url("none"))).message == "ledger cannot be opened"

    @pytest.mark.parametrize(
        "address",
        [
            "postgresql://ana:secret@127.0.0.1:1/db",
            "postgresql://ana:se/cr@et@127.0.0.1/secret",
            "postgresql://ana:secret@127.0.0.1:port/db",
            "postgresql://ana:secret@127.0.0.1:1/db?secret=secret",
            "postgresql://ana:secret@\udcff/db",
            "postgresql://ana:sec%00ret@127.0.0.1:1/db",
            "postgresql://ana:sec\0ret@127.0.0.1:1/db",
            "postgresql://ana:secret@[/db",
        ],
    )
    def test_addresses_that_lead_nowhere(self, address: str) -> None:
        assert refusal(lambda: open_ledger(address)).message == "ledger cannot be opened"

    def test_a_schema_of_somebody_else_is_left_alone(self, server: Server, database: str) -> None:
        server.execute("CREATE SCHEMA dpduck", "CREATE TABLE dpduck.t (a int)", database=database)
        error = refusal(lambda: open_ledger(server.url(database)))
        assert error.message == "database is not a ledger"
        assert server.execute("SELECT count(*) FROM dpduck.t", database=database) == [(0,)]

    def test_an_empty_schema_becomes_a_ledger_of_its_owner(self, server: Server, database: str) -> None:
        with granted(server, database) as url:
            name = url.split("/")[2].split(":")[0]
            server.execute(f"CREATE SCHEMA dpduck AUTHORIZATION {name}", database=database)
            with open_ledger(url) as ledger:
                assert ledger.charge(cost()) == 1

    def test_a_later_version(self, server: Server, database: str) -> None:
        open_ledger(server.url(database)).close()
        for change, version in (("UPDATE {} SET version = 9", "9"), ("DELETE FROM {}", "none")):
            server.execute(change.format("dpduck.ledger_schema"), database=database)
            error = refusal(lambda: open_ledger(server.url(database)))
            assert error.message == "ledger has an unknown version"
            assert f"version {version}" in error.detail

    def test_an_encoding_that_cannot_hold_every_text(self, server: Server) -> None:
        with server.database("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0") as database:
            error = refusal(lambda: open_ledger(server.url(database)))
            assert error.message == "ledger cannot be created"
            assert "LATIN1" in error.detail

    def test_a_user_who_may_not_create(self, server: Server, database: str) -> None:
        with granted(server, database) as url:
            error = refusal(lambda: open_ledger(url))
            assert error.message == "ledger cannot be used"
            assert "permission denied" in error.detail

    def test_a_user_without_any_right(self, ledger: Ledger, server: Server, database: str) -> None:
        with granted(server, database) as url:
            error = refusal(lambda: open_ledger(url))
            assert "hidden from the user" in error.detail

    def test_a_user_who_only_reads(self, ledger: Ledger, server: Server, database: str) -> None:
        ledger.charge(cost())
        with granted(server, database, *READS) as url, open_ledger(url) as other:
            assert other.entries() == ledger.entries()
            assert other.budgets() == ledger.budgets()
            other.verify()
            error = refusal(lambda: other.charge(cost()))
            assert error.message == "ledger cannot be used"
            assert "permission denied for table entry" in error.detail
        assert len(ledger.entries()) == 1

    def test_a_user_whose_transactions_are_read_only(
        self, ledger: Ledger, server: Server, database: str
    ) -> None:
        with granted(server, database, *CHARGES) as url:
            name = url.split("/")[2].split(":")[0]
            server.execute(f"ALTER ROLE {name} SET default_transaction_read_only = on")
            with open_ledger(url) as other:
                error = refusal(lambda: other.charge(cost()))
                assert (error.message, other.entries()) == ("ledger cannot be written", [])

    def test_a_user_who_only_charges_can_change_nothing(
        self, ledger: Ledger, server: Server, database: str
    ) -> None:
        with granted(server, database, *CHARGES) as url:
            with open_ledger(url) as other:
                seq = other.charge(cost())
                other.settle(seq, answer=StoredRelease("subject", "version", "{}", "[]"))
                other.set_cap(PEOPLE, Cap(Fraction(1)))
                other.verify()
            for statement in (
                "UPDATE dpduck.entry SET epsilon = 0",
                "DELETE FROM dpduck.answer",
                "ALTER TABLE dpduck.account DISABLE TRIGGER account_grows",
                "UPDATE dpduck.account SET epsilon_spent = 0",
                "UPDATE dpduck.ledger_schema SET id = ''",
                "CREATE FUNCTION dpduck.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
            ):
                with psycopg.connect(url) as connection, pytest.raises(psycopg.Error):
                    connection.execute(statement)
        ledger.verify()

    def test_temporary_tables_do_not_stand_in(self, ledger: PostgresLedger) -> None:
        def work(db: Transaction) -> int:
            db.run("CREATE TEMP TABLE account (LIKE dpduck.account INCLUDING ALL)")
            return add_charge(db, cost())

        ledger._write(work)
        assert spent(ledger)[0] == Fraction(1, 2)


# --- a server that fails -------------------------------------------------------------------------


def kill_sessions(server: Server, database: str) -> None:
    server.execute(
        f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{database}'"
    )


class TestBadTimes:
    def test_a_locked_ledger(self, url: str, server: Server, database: str) -> None:
        with PostgresLedger(url, busy_seconds=0.1) as ledger, psycopg.connect(url) as other:
            ledger.charge(cost())
            other.execute(postgres._WRITE)
            assert refusal(lambda: ledger.charge(cost())).message == "ledger is locked"
            assert refusal(lambda: ledger.set_cap(ANA, Cap())).message == "ledger is locked"
            assert len(ledger.entries()) == 1
            other.rollback()
            assert ledger.charge(cost()) == 2

    def test_a_ledger_that_is_locked_when_it_is_made(self, url: str) -> None:
        with psycopg.connect(url) as other:
            other.execute(postgres._WRITE)
            assert refusal(lambda: PostgresLedger(url, busy_seconds=0.1)).message == "ledger is locked"

    def test_lost_connections_are_made_anew(self, ledger: Ledger, server: Server, database: str) -> None:
        ledger.charge(cost())
        kill_sessions(server, database)
        assert ledger.charge(cost()) == 2

    def test_a_connection_lost_within_a_transaction(
        self, ledger: PostgresLedger, server: Server, database: str
    ) -> None:
        def work(db: Transaction) -> int:
            seq = add_charge(db, cost())
            kill_sessions(server, database)
            db.run("SELECT 1")
            return seq

        error = refusal(lambda: ledger._write(work))
        assert error.message == "ledger cannot be reached"
        assert ledger.entries() == []
        assert ledger.charge(cost()) == 1

    def test_a_connection_lost_beside_a_refusal(
        self, ledger: PostgresLedger, server: Server, database: str, capfd: pytest.CaptureFixture[str]
    ) -> None:
        def work(db: Transaction) -> int:
            kill_sessions(server, database)
            raise BudgetExceededError("no")

        with pytest.raises((BudgetExceededError, LedgerError)) as caught:
            ledger._write(work)
        assert caught.value.charged == "0"
        assert ledger.charge(cost()) == 1
        assert capfd.readouterr() == ("", "")

    def test_a_connection_lost_before_the_commit_was_sent(
        self, ledger: PostgresLedger, server: Server, database: str
    ) -> None:
        def work(db: Transaction) -> int:
            seq = add_charge(db, cost())
            kill_sessions(server, database)
            return seq

        # Seen from here, the commit may have arrived.
        with pytest.raises(UnknownOutcomeError):
            ledger._write(work)
        assert ledger.entries() == []

    def test_a_connection_lost_in_a_commit_that_did_not_happen(
        self, ledger: Ledger, server: Server, database: str
    ) -> None:
        tamper(
            server,
            database,
            f"CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN {DIE}; RETURN NULL; END'",
            "CREATE CONSTRAINT TRIGGER die AFTER INSERT ON entry DEFERRABLE INITIALLY DEFERRED"
            " FOR EACH ROW EXECUTE FUNCTION die()",
        )
        with pytest.raises(UnknownOutcomeError) as caught:
            ledger.charge(cost())
        assert str(caught.value) == (
            "ledger did not confirm what was written\n"
            "DETAIL: The connection to its server was lost during the commit, so what it wrote may or may "
            "not be on record. No answer was given. Whether anything was charged is not known.\n"
            "HINT: Look whether it is on record in the ledger given by --ledger, before you ask again."
        )
        assert caught.value.__cause__ is None
        assert caught.value.__context__ is None
        assert ledger.entries() == []

    def test_a_connection_lost_in_a_commit_that_happened(
        self, ledger: Ledger, server: Server, database: str
    ) -> None:
        waits = (
            f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{database}' AND wait_event = 'SyncRep'"
        )
        numbers = []

        def spend() -> None:
            while True:
                numbers.append(ledger.charge(cost()))

        # A commit then waits for a standby that never comes, but is on this server's record.
        server.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'", "SELECT pg_reload_conf()")
        try:
            with ThreadPoolExecutor(1) as pool:
                spending = pool.submit(spend)
                while server.execute(waits) != [(1,)]:
                    assert not spending.done()
                kill_sessions(server, database)
                assert isinstance(spending.exception(10), UnknownOutcomeError)
        finally:
            server.execute("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
        assert len(ledger.entries()) == len(numbers) + 1
        assert spent(ledger)[0] == Fraction(len(numbers) + 1, 2)
        ledger.verify()

    def test_a_commit_that_the_server_refuses(self, ledger: Ledger, server: Server, database: str) -> None:
        tamper(
            server,
            database,
            "CREATE CONSTRAINT TRIGGER no AFTER INSERT ON entry DEFERRABLE INITIALLY DEFERRED"
            " FOR EACH ROW EXECUTE FUNCTION refuse('not today')",
        )
        error = refusal(lambda: ledger.charge(cost()))
        assert error.message == "ledger failed"
        assert "PostgreSQL says 23000: not today." in error.detail
        assert ledger.entries() == []

    def test_a_host_that_stops_within_a_transaction_lets_go(
        self, ledger: PostgresLedger, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(postgres, "_WRITE", postgres._WRITE.replace("60000", "100"))

        def work(db: Transaction) -> int:
            seq = add_charge(db, cost())
            time.sleep(0.5)
            db.run("SELECT 1")
            return seq

        assert refusal(lambda: ledger._write(work)).message == "ledger cannot be reached"
        assert ledger.entries() == []

    def test_a_server_that_stops_and_comes_back(self, ledger: Ledger, server: Server) -> None:
        ledger.charge(cost())
        server.stop()
        try:
            assert refusal(lambda: ledger.charge(cost())).message == "ledger cannot be opened"
            assert refusal(ledger.entries).message == "ledger cannot be opened"
        finally:
            server.start()
        assert ledger.charge(cost()) == 2
        ledger.verify()

    def test_a_table_that_is_gone(self, ledger: Ledger, server: Server, database: str) -> None:
        tamper(server, database, "DROP TABLE account")
        assert refusal(lambda: ledger.charge(cost())).message == "ledger is damaged"

    def test_an_unknown_error_is_quoted(self, ledger: PostgresLedger) -> None:
        error = refusal(lambda: ledger._read(lambda db: db.run("SELECT 1 / 0")))
        assert error.message == "ledger failed"
        assert "PostgreSQL says 22012: division by zero." in error.detail


# --- where the address is given ------------------------------------------------------------------


def test_the_driver_is_only_loaded_for_such_an_address() -> None:
    script = "import sys, dpduck.doors.cli; assert not {'sqlalchemy', 'psycopg'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("missing", ["sqlalchemy", "psycopg"])
def test_without_the_driver(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, "dpduck.kernel.ledger.postgres")
    monkeypatch.delitem(sys.modules, "dpduck.kernel.ledger.postgres_errors")
    error = refusal(lambda: open_ledger("postgresql://ana:secret@127.0.0.1/db"))
    assert error.message == "ledger cannot be opened"
    assert "pip install 'dpduck[postgres]'" in str(error.hint)


def test_python_and_the_command_line_share_it(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "visits.csv"
    file.write_text("visitor,age\n" + "".join(f"{n},{20 + n % 50}\n" for n in range(1000)))
    asked = ["--unit", "visitor", "--ledger", url]
    count = "SELECT count(*) FROM visits"
    assert main(["query", str(file), *asked, "--epsilon", "1", "--budget", "1.5", count]) == 0
    assert main(["query", str(file), *asked, "--epsilon", "1", f"{count} WHERE age < 30"]) == 1
    assert main(["budget", str(file), *asked]) == 0
    assert main(["ledger", str(file), "--ledger", url]) == 0
    printed = capsys.readouterr()
    assert "only 0.5 remains" in printed.err
    assert "epsilon 1 of 1.5 spent" in printed.out
    assert PASSWORD not in printed.out + printed.err
    with dpduck.connect(file, ledger=url, session="ana") as db:
        assert db.ledger().num_rows == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["visits.csv", "visits.policy.sql"]


def test_after_a_fault_the_command_line_does_not_guess_by_another_clock(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError(PASSWORD)

    monkeypatch.setattr(cli, "run", fail)
    address = f"postgresql://ana:{PASSWORD}@127.0.0.1:1/db"
    assert (
        main(["query", "visits.csv", "--unit", "u", "--epsilon", "1", "--ledger", address, "SELECT 1"]) == 1
    )
    said = capsys.readouterr().err
    assert "What was charged stands in the ledger; dpduck ledger shows it." in said
    assert PASSWORD not in said
