"""Statements about the connection itself, which clients of Postgres send: transactions, settings, COPY.

None of them reads a table. Any other statement is a query, and handled elsewhere. They are parsed in
`command_readers`.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpduck.doors.gateway.encoding.copy_out import CopyOptions


@dataclass(frozen=True, kw_only=True)
class ConnectionCommand:
    """A statement about the connection. `tag`: its command tag in the reply."""

    tag: str


@dataclass(frozen=True, kw_only=True)
class Begin(ConnectionCommand):
    """BEGIN, which has an effect on the transaction status, and on how long settings last."""

    tag: str = "BEGIN"


@dataclass(frozen=True, kw_only=True)
class Commit(ConnectionCommand):
    """COMMIT or ROLLBACK. `rolls_back`: whether it is a ROLLBACK; `chains`: the next transaction begins."""

    tag: str = "COMMIT"
    rolls_back: bool = False
    chains: bool = False


@dataclass(frozen=True, kw_only=True)
class Savepoint(ConnectionCommand):
    """SAVEPOINT, RELEASE or ROLLBACK TO a `name`. `goes_back`: it is the last; `releases`: it is RELEASE."""

    name: str = ""
    goes_back: bool = False
    releases: bool = False


@dataclass(frozen=True, kw_only=True)
class SetParameter(ConnectionCommand):
    """SET name = value. `value`: None for DEFAULT. `is_local`: it ends with the transaction."""

    name: str
    value: str | None
    is_local: bool = False
    tag: str = "SET"


@dataclass(frozen=True, kw_only=True)
class ShowParameter(ConnectionCommand):
    """SHOW name."""

    name: str
    tag: str = "SHOW"


@dataclass(frozen=True, kw_only=True)
class Reload(ConnectionCommand):
    """SELECT pg_reload_conf(), which has the server read again what SIGHUP has it read."""

    tag: str = "SELECT"


@dataclass(frozen=True, kw_only=True)
class Deallocate(ConnectionCommand):
    """DEALLOCATE name, or ALL (None)."""

    name: str | None
    tag: str = "DEALLOCATE"


@dataclass(frozen=True, kw_only=True)
class Discard(ConnectionCommand):
    """DISCARD ALL, a part of it, or RESET ALL."""


@dataclass(frozen=True, kw_only=True)
class NoEffect(ConnectionCommand):
    """A statement without effect."""


@dataclass(frozen=True, kw_only=True)
class CopyOut(ConnectionCommand):
    """COPY (query) TO STDOUT.

    `shift`: the offset of the query in the statement; `picks`: the wanted columns of its answer, and
    `most`: the number of its rows; None for all of them.
    """

    sql: str
    options: CopyOptions
    shift: int = 0
    picks: tuple[str, ...] | None = None
    most: int | None = None
    tag: str = "COPY"


@dataclass(frozen=True, kw_only=True)
class DeclareCursor(ConnectionCommand):
    """DECLARE name CURSOR FOR query. `binary`: of its rows; `holds`: it outlives the transaction."""

    name: str
    sql: str
    shift: int = 0
    binary: bool = False
    holds: bool = False
    tag: str = "DECLARE CURSOR"


@dataclass(frozen=True, kw_only=True)
class Fetch(ConnectionCommand):
    """FETCH, or MOVE, which returns no rows. `most`: the number of rows, None for all remaining."""

    name: str
    most: int | None = 1
    tag: str = "FETCH"


@dataclass(frozen=True, kw_only=True)
class CloseCursor(ConnectionCommand):
    """CLOSE name, or ALL (None)."""

    name: str | None
    tag: str = "CLOSE CURSOR"


@dataclass(frozen=True, kw_only=True)
class CreateView(ConnectionCommand):
    """CREATE TEMP VIEW name (columns) AS query. `replaces`: it may exist; `shift`: the query's offset."""

    name: str
    columns: tuple[str, ...]
    sql: str
    replaces: bool = False
    shift: int = 0
    tag: str = "CREATE VIEW"


@dataclass(frozen=True, kw_only=True)
class DropView(ConnectionCommand):
    """DROP VIEW name, of the session. `if_exists`: it need not exist."""

    name: str
    if_exists: bool
    tag: str = "DROP VIEW"


@dataclass(frozen=True, kw_only=True)
class Prepare(ConnectionCommand):
    """PREPARE name (types) AS statement. `types`: as they are written; `shift`: the statement's offset."""

    name: str
    types: tuple[str, ...]
    sql: str
    shift: int = 0
    tag: str = "PREPARE"


@dataclass(frozen=True, kw_only=True)
class ExecutePrepared(ConnectionCommand):
    """EXECUTE name (values). `values`: as they are written."""

    name: str
    values: str
    tag: str = "EXECUTE"
