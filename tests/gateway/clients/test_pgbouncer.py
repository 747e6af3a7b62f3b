"""pgbouncer between clients and the gateway: one client's SET dp_epsilon is not the next one's price."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest

from tests.gateway.clients.contract import (
    COUNT,
    EPSILON,
    FRESH,
    Answer,
    Refusal,
    Served,
    check_contract,
)
from tests.gateway.clients.shop import BROKE, PASSWORD

_BOUNCER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
if _BOUNCER is None:
    pytest.skip("pgbouncer is missing (Debian: apt-get install pgbouncer)", allow_module_level=True)

USER = "bouncer"
# Versions from 1.20 on can follow settings that are reported; older ones only forget them (`reset_always`).
_CONFIGURATION = """
[databases]
shop = host=127.0.0.1 port={server} dbname=shop connect_query='SET dp_replay = off'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = plain
auth_file = {users}
pool_mode = {mode}
default_pool_size = 1
server_reset_query_always = 1
server_reset_query = DISCARD ALL; SET dp_replay = off
"""


@contextmanager
def _pool(served: Served, mode: str) -> Iterator[dict[str, Any]]:
    """A pool of one connection. Output: what its clients connect to."""
    with TemporaryDirectory(prefix="dpduck-pgbouncer-") as folder:
        Path(folder).chmod(0o755)  # pgbouncer refuses to be root
        yield from _pooled(served, Path(folder), mode)


def _pooled(served: Served, folder: Path, mode: str) -> Iterator[dict[str, Any]]:
    users, file = folder / "users.txt", folder / "pgbouncer.ini"
    users.write_text("".join(f'"{name}" "{PASSWORD}"\n' for name in (USER, BROKE)))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    file.write_text(_CONFIGURATION.format(server=served.port, port=port, users=users, mode=mode))
    account: dict[str, Any] = {"user": "nobody", "extra_groups": []} if os.getuid() == 0 else {}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen([str(_BOUNCER), str(file)], stdout=log, stderr=log, **account)
    where = {"host": "127.0.0.1", "port": port, "dbname": "shop", "user": USER, "password": PASSWORD}
    try:
        _wait_for(port, process)
        yield where
    finally:
        process.terminate()
        process.wait(10)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        assert process.poll() is None
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("pgbouncer does not listen")


@pytest.mark.parametrize("mode", ["transaction", "session"])
def test_contract(served: Served, mode: str) -> None:
    with _pool(served, mode) as where:

        def ask(user: str, questions: Sequence[str]) -> list[Answer]:
            with closing(psycopg.connect(**{**where, "user": user}, prepare_threshold=None)) as session:
                return [_answer(session, question) for question in questions]

        check_contract(served, USER, ask)


def _answer(session: psycopg.Connection[Any], question: str) -> Answer:
    """In a transaction of its own, so that another server connection may serve each."""
    try:
        with session.transaction():
            return session.execute(question.encode()).fetchall()
    except psycopg.Error as error:
        said = error.diag
        return Refusal(said.sqlstate, said.message_primary or "", said.message_detail, said.message_hint)


@pytest.mark.parametrize("mode", ["transaction", "session"])
def test_what_there_is(served: Served, mode: str) -> None:
    before = served.charges(USER)
    with _pool(served, mode) as where, psycopg.connect(**where, prepare_threshold=None) as session:
        rows = session.execute(_COLUMNS, ["visits"]).fetchall()
    assert [name for (name,) in rows] == ["visitor", "page", "age", "day", "amount", "member"]
    assert served.charges(USER) == before


_COLUMNS = """
SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 ORDER BY attnum
"""


def test_in_transaction_mode_a_price_ends_with_its_transaction(served: Served) -> None:
    before = served.charges(USER)
    with (
        _pool(served, "transaction") as where,
        psycopg.connect(**where, prepare_threshold=None) as first,
        psycopg.connect(**where, prepare_threshold=None) as second,
    ):
        first.execute("SET dp_epsilon = 3")
        first.execute(COUNT)
        first.commit()
        second.execute(COUNT)
        second.commit()
        first.execute(COUNT)
        first.commit()
    assert served.charges(USER) == [*before, "3", EPSILON, EPSILON]


def test_in_session_mode_a_price_ends_with_its_client(served: Served) -> None:
    before = served.charges(USER)
    with _pool(served, "session") as where:
        with psycopg.connect(**where, autocommit=True) as first:
            first.execute("SET dp_epsilon = 3")
            for _ in range(2):
                first.execute(COUNT, prepare=True)
        with psycopg.connect(**where, autocommit=True) as second:
            for _ in range(2):
                second.execute(COUNT, prepare=True)
    assert served.charges(USER) == [*before, "3", "3", EPSILON, EPSILON]


def test_settings_are_reported(served: Served) -> None:
    """For pools that follow them: pgbouncer from 1.20 on, by track_extra_parameters."""
    where = {"host": "127.0.0.1", "port": served.port, "dbname": "shop", "user": USER, "password": PASSWORD}
    with psycopg.connect(**where, options=FRESH, autocommit=True) as client:
        reported = client.pgconn.parameter_status
        assert (reported(b"dp_epsilon"), reported(b"dp_replay")) == (EPSILON.encode(), b"off")
        assert reported(b"dp_max_groups_contributed") == b"all"
        client.execute("SET dp_epsilon = 0.5")
        client.execute("SET dp_max_groups_contributed = 2")
        assert (reported(b"dp_epsilon"), reported(b"dp_max_groups_contributed")) == (b"0.5", b"2")
        client.execute("SET dp_max_groups_contributed = 'all'")  # as a pool restores it
        client.execute("DISCARD ALL")
        assert (reported(b"dp_epsilon"), reported(b"dp_max_groups_contributed")) == (EPSILON.encode(), b"all")
