"""The ledger in a PostgreSQL database, which several hosts share.

The server serialises writes: a write first waits for an advisory lock, before budgets are read, and returns
after a commit that is on the server's disk. The time is the server's too, so that no host's clock opens a
window early. A host that dies or stops before the commit releases the lock, and has charged nothing. If
the server itself loses commits, with `fsync = off` or by failing over to a standby that lagged behind,
only an anchor detects it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, make_url, text
from sqlalchemy.exc import SQLAlchemyError

from dpduck.kernel.ledger import forks
from dpduck.kernel.ledger.anchor import Anchor
from dpduck.kernel.ledger.errors import closed_fault, damage_fault, moved_fault, version_fault
from dpduck.kernel.ledger.postgres_errors import (
    WHERE,
    UnknownOutcomeError,
    address_fault,
    encoding_fault,
    foreign_fault,
    is_lost,
    postgres_fault,
)
from dpduck.kernel.ledger.sqlite import BUSY_SECONDS
from dpduck.kernel.ledger.store import Ledger
from dpduck.kernel.ledger.transactions import Transaction
from dpduck.kernel.ledger.turns import Turns
from dpduck.kernel.ledger.upgrades import find_before, upgrade
from dpduck.kernel.ledger.versions import MOVED, OLDER, RECORDS_MU_SQUARED, VERSION
from dpduck.kernel.system.python_turns import waiting
from dpduck.kernel.system.sql_files import read_sql

CONNECTIONS = 4  # per ledger: concurrent transactions, most of which wait for the one that writes

_T = TypeVar("_T")

# Keepalives and timeouts detect a server that is gone, even during a statement. No prepared statements, so
# that a transaction-level connection pooler can be used.
_DRIVER = {
    "connect_timeout": "10",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
_ALWAYS = {"client_encoding": "utf8", "prepare_threshold": None}

# SET LOCAL, since a session setting would not survive such a pooler either. The search path puts temporary
# tables of other code after ours.
_BEGIN = """
    SET LOCAL search_path = dpduck, pg_temp;
    SET LOCAL lock_timeout = {milliseconds};
"""
_READ = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"
# READ COMMITTED: each statement sees everything committed before it, including during the wait for the lock.
_WRITE = f"""
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET LOCAL synchronous_commit = on;
    SET LOCAL idle_in_transaction_session_timeout = 60000;
    SELECT pg_advisory_xact_lock({int.from_bytes(b"dpduck")})
"""

_TABLES = """
    SELECT c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname = 'dpduck'
"""
_STATE = """
    SELECT version, id, CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) FROM ledger_schema
"""

# The statements that turn the tables of a version into those of the next.
_UPGRADES = {
    2: """
        ALTER TABLE dpduck.entry DROP CONSTRAINT entry_kind_check;
        CREATE INDEX entry_policy ON dpduck.entry (number) WHERE kind = 'policy';
        CREATE INDEX account_key ON dpduck.account (lower(name), period);
        CREATE INDEX cap_key ON dpduck.cap (lower(name));
        UPDATE dpduck.ledger_schema SET version = 3
    """,
    3: """
        ALTER TABLE dpduck.entry ADD COLUMN event TEXT;
        UPDATE dpduck.ledger_schema SET version = 4
    """,
    4: """
        ALTER TABLE dpduck.entry
            ADD COLUMN mu_squared BIGINT CHECK (mu_squared >= 0),
            ADD COLUMN keys_delta BIGINT CHECK (keys_delta >= 0);
        ALTER TABLE dpduck.account
            ADD COLUMN mu_squared_spent BIGINT NOT NULL DEFAULT 0 CHECK (mu_squared_spent >= 0),
            ADD COLUMN keys_delta_spent BIGINT NOT NULL DEFAULT 0 CHECK (keys_delta_spent >= 0);
        DROP TRIGGER account_grows ON dpduck.account;
        CREATE TRIGGER account_grows BEFORE UPDATE ON dpduck.account
            FOR EACH ROW WHEN (((new.epsilon_spent < old.epsilon_spent) OR (new.delta_spent < old.delta_spent)
            OR (new.rho_spent < old.rho_spent) OR (new.epsilon_returned < old.epsilon_returned)
            OR (new.delta_returned < old.delta_returned) OR (new.rho_returned < old.rho_returned)
            OR (new.mu_squared_spent < old.mu_squared_spent) OR (new.keys_delta_spent < old.keys_delta_spent)
            OR (new.scope <> old.scope) OR (new.name <> old.name) OR (new.period <> old.period)))
            EXECUTE FUNCTION dpduck.refuse('the ledger refunds nothing');
        ALTER TABLE dpduck.account ENABLE ALWAYS TRIGGER account_grows;
        UPDATE dpduck.ledger_schema SET version = 5
    """,
}

# The only change so far of a trigger: what version 5 added to the condition of `account_grows`.
_GROWS_SINCE_MU_SQUARED = (
    "    OR (new.mu_squared_spent < old.mu_squared_spent) OR (new.keys_delta_spent < old.keys_delta_spent)\n"
)

# Everything that runs when the tables are used, as PostgreSQL prints it; for triggers also if they are
# enabled.
_GUARDS = """
    WITH ours AS (
        SELECT c.oid, c.relname, c.relrowsecurity FROM pg_class AS c
        JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = 'dpduck'
    )
    SELECT pg_get_triggerdef(t.oid), t.tgenabled = 'A'
    FROM pg_trigger AS t JOIN ours ON ours.oid = t.tgrelid WHERE NOT t.tgisinternal
    UNION ALL
    SELECT pg_get_functiondef(p.oid), TRUE
    FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace WHERE n.nspname = 'dpduck'
    UNION ALL
    SELECT pg_get_ruledef(r.oid), TRUE FROM pg_rewrite AS r JOIN ours ON ours.oid = r.ev_class
    UNION ALL
    SELECT relname, FALSE FROM ours WHERE relrowsecurity
"""


class _PostgresTransaction:
    """One transaction, as `transactions` uses it. Input: the versions of the tables that are accepted."""

    def __init__(self, connection: Connection, versions: tuple[int, ...] = (VERSION,)) -> None:
        self._connection = connection
        states = self.run(_STATE)
        if len(states) == 1 and states[0][0] == MOVED:
            raise moved_fault(WHERE, str(self.run("SELECT place FROM moved")[0][0]))
        if len(states) != 1 or states[0][0] not in versions:
            raise version_fault(WHERE, ", ".join(str(version) for version, _, _ in states) or "none")
        self.version: int
        [(self.version, self.ledger_id, self.now)] = states

    def run(self, sql: str, values: Mapping[str, object] | None = None) -> list[tuple[Any, ...]]:
        given = {name: _escaped(value) for name, value in (values or {}).items()}
        result = self._connection.execute(text(sql), given)
        return [tuple(map(_unescaped, row)) for row in result] if result.returns_rows else []


class PostgresLedger(Ledger):
    """A ledger in the schema `dpduck` of a database.

    Input: the URL, which no message quotes, and whose password may be in PGPASSWORD or ~/.pgpass instead;
        `busy_seconds`: the timeout while another session writes.
    Errors: LedgerError if the database cannot be reached or used as a ledger.
    """

    _octets = "octet_length({})"

    def __init__(self, url: str, *, anchor: Anchor | None = None, busy_seconds: float = BUSY_SECONDS) -> None:
        self._engine = _engine(url)
        self._begin = _BEGIN.format(milliseconds=max(1, round(busy_seconds * 1000)))
        super().__init__(anchor)
        self._turns = Turns(CONNECTIONS)
        self._closed = False
        self._owner = os.getpid()
        forks.watch(self)
        try:
            if not self._run(_READ, _has_tables):
                self._change(_create)
            if self._run(_READ, _version) in OLDER:
                self._change(self._upgrade)
            self._check_anchor()
            self._read(lambda _: None)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._turns.take_all()
        self._closed = True
        self._engine.dispose()
        self._turns.give_all()

    def __del__(self) -> None:
        # For a ledger that was dropped without closing; nothing is lost, since every charge is durable.
        if hasattr(self, "_turns"):
            self.close()

    def pause(self) -> None:
        """Disconnect and wait for a fork: two processes cannot share a connection."""
        self._turns.take_all()
        self._engine.dispose()

    def resume(self) -> None:
        """Continue after a fork, in the parent and the child."""
        if self._owner == os.getpid():
            self._turns.give_all()
            return
        # These locks may be held by threads that do not exist in the child.
        self._owner, self._turns = os.getpid(), Turns(CONNECTIONS)
        self._renew_batches()
        self._engine.dispose(close=False)

    def _read(self, work: Callable[[Transaction], _T]) -> _T:
        return self._run(_READ, lambda connection: work(_PostgresTransaction(connection)))

    def _write(self, work: Callable[[Transaction], _T]) -> _T:
        return self._change(lambda connection: work(_PostgresTransaction(connection)))

    def _change(self, work: Callable[[Connection], _T]) -> _T:
        def commit(connection: Connection) -> _T:
            result = work(connection)
            _commit(connection)
            return result

        return self._run(_WRITE, commit)

    def _run(self, begin: str, work: Callable[[Connection], _T]) -> _T:
        try:
            with waiting(), self._turns:
                if self._closed:
                    raise closed_fault()
                with self._engine.connect() as connection:
                    _script(connection, self._begin + begin)
                    return work(connection)
        except SQLAlchemyError as error:
            fault = postgres_fault(error)
        # Raised outside the except block so that the driver's error is not attached as its context.
        raise fault

    def _upgrade(self, connection: Connection) -> None:
        """Upgrade an older ledger, unless another process did so during the wait. No copy is made."""
        db = _PostgresTransaction(connection, (VERSION, *OLDER))
        if db.version == VERSION:
            return
        fault = self._find_fault(db, db.version) or find_before(db, db.version, self._has_table)
        if fault is not None:
            raise damage_fault(fault)
        self._check_mark(db)
        for version in range(db.version, VERSION):
            _script(connection, _UPGRADES[version])
        upgrade(db, db.version, self._has_table)

    def _has_table(self, db: Transaction, name: str) -> bool:
        return bool(db.run("SELECT 1 WHERE to_regclass('dpduck.' || :name) IS NOT NULL", {"name": name}))

    def _find_fault(self, db: Transaction, version: int = VERSION) -> str | None:
        found = {(_plain(definition), good) for definition, good in db.run(_GUARDS)}
        if found != {(definition, True) for definition in _guards(version)}:
            return "The triggers of its tables are not those that were made."
        return None


def _engine(url: str) -> Engine:
    try:
        url.encode()
        address = make_url(url).set(drivername="postgresql+psycopg")
        driver = {name: value for name, value in _DRIVER.items() if name not in address.query}
        return create_engine(
            address,
            connect_args={**driver, **_ALWAYS},
            pool_size=CONNECTIONS,
            max_overflow=0,
            pool_pre_ping=True,
            hide_parameters=True,
        )
    except (SQLAlchemyError, ValueError):
        pass
    raise address_fault()


def _script(connection: Connection, sql: str) -> None:
    """Run several statements without parameters."""
    connection.exec_driver_sql(sql, execution_options={"no_parameters": True})


def _commit(connection: Connection) -> None:
    """Commit. Errors: LedgerError; UnknownOutcomeError if the connection was lost in between."""
    try:
        connection.commit()
    except SQLAlchemyError as error:
        fault = UnknownOutcomeError() if is_lost(error) else postgres_fault(error)
    else:
        return
    raise fault


# --- the tables ----------------------------------------------------------------------------------


def _has_tables(connection: Connection) -> bool:
    """Whether the schema is a ledger. Errors: LedgerError if it holds other tables."""
    names = set(connection.execute(text(_TABLES)).scalars())
    if names and "ledger_schema" not in names:
        raise foreign_fault()
    return bool(names)


def _version(connection: Connection) -> int:
    """The version of the tables. Errors: LedgerError if it is unknown."""
    return _PostgresTransaction(connection, (VERSION, *OLDER)).version


def _create(connection: Connection) -> None:
    """Create the tables, unless another process did so during the wait."""
    if _has_tables(connection):
        return
    encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
    if encoding != "UTF8":
        raise encoding_fault(encoding)
    _script(connection, read_sql("ledger_postgres.sql"))


@cache
def _guards(version: int) -> set[str]:
    """The functions and triggers of a ledger, by their source text, which PostgreSQL prints alike."""
    script = read_sql("ledger_postgres.sql")
    if version < RECORDS_MU_SQUARED:
        script = script.replace(_GROWS_SINCE_MU_SQUARED, "")
    functions = re.findall(r"^CREATE OR REPLACE FUNCTION .*?^\$function\$", script, re.DOTALL | re.MULTILINE)
    triggers = re.findall(r"^CREATE TRIGGER [^;]*", script, re.MULTILINE)
    return {_plain(definition) for definition in functions + triggers}


def _plain(definition: str) -> str:
    """A definition on one line, without the schema's name, which PostgreSQL does not print everywhere."""
    return " ".join(definition.replace("dpduck.", "").split())


# --- text ----------------------------------------------------------------------------------------

# PostgreSQL cannot store the character NUL. So SUBSTITUTE followed by a digit encodes NUL, and SUBSTITUTE
# itself. The chain is computed on the text before this encoding, hence alike on every store.


def _escaped(value: object) -> object:
    """Encode a value for storage.

    >>> [_escaped(value) for value in ("plain", "a\\0b", "\\x1a0", 7)]
    ['plain', 'a\\x1a0b', '\\x1a10', 7]
    """
    if not isinstance(value, str):
        return value
    return value.replace("\x1a", "\x1a1").replace("\0", "\x1a0")


def _unescaped(value: object) -> object:
    """Decode a stored value.

    >>> [_unescaped(_escaped(text)) for text in ("a\\0b", "\\x1a0", "\\x1a1\\0\\x1a")]
    ['a\\x00b', '\\x1a0', '\\x1a1\\x00\\x1a']
    """
    if not isinstance(value, str):
        return value
    return value.replace("\x1a0", "\0").replace("\x1a1", "\x1a")
