"""A PostgreSQL server of the tests' own: Debian's package `postgresql`, in a folder that goes away."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg

PASSWORD = "secret"
BINARIES = max(
    Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[-3]), default=None
)

# No power is cut here, so nothing needs to reach the disk.
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "16MB",
    "max_connections": "60",
    "lc_messages": "C",
}


class Server:
    """A server with the superuser `owner`, listening on this machine alone.

    Input: a folder of its own; `copied`: another server, whose standby it is.
    """

    def __init__(self, folder: Path, copied: Server | None = None) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        _give(folder)
        if copied is None:
            self._make()
        else:
            self.copy(copied)

    def _make(self) -> None:
        password = self._folder / "password"
        password.write_text(PASSWORD)
        _give(password)
        options = ["-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync"]
        self._run("initdb", "-U", "owner", "--pwfile", str(password), *options)

    def copy(self, primary: Server) -> None:
        """Forget all, and be a standby of another server."""
        shutil.rmtree(self._folder / "data", ignore_errors=True)
        self._run("pg_basebackup", "--no-sync", "--checkpoint=fast", "-R", "-d", primary.url("postgres"))

    def start(self) -> None:
        """Start, and wait until it answers."""
        assert BINARIES is not None
        settings = {**_SETTINGS, "port": self.port, "unix_socket_directories": self._folder}
        command = [BINARIES, "-D", self._folder / "data"]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self._folder, **_account()
            )
        deadline = time.monotonic() + 30
        while not self._answers():
            assert self._process.poll() is None, (self._folder / "log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def stop(self, *, crashes: bool = False) -> None:
        """Stop at once, whoever is connected, and perhaps without writing down what it knows."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT if crashes else signal.SIGINT)
            self._process.wait(timeout=30)
            self._process = None

    def promote(self) -> None:
        """Stop to be a standby: it takes writes on return."""
        self._run("pg_ctl", "promote", "-w")

    def url(self, database: str, user: str = "owner", password: str = PASSWORD) -> str:
        """The address of a database."""
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}"

    def execute(self, *statements: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Run statements as the superuser, each by itself, and give the rows of the last one."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            for statement in statements:
                cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def database(self, options: str = "") -> Iterator[str]:
        """The name of a new database, which goes away in the end."""
        name = f"test_{secrets.token_hex(8)}"
        self.execute(f"CREATE DATABASE {name} {options}")
        try:
            yield name
        finally:
            self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    @contextmanager
    def user(self, options: str = "") -> Iterator[str]:
        """The name of a new user with the password of all, which goes away in the end."""
        name = f"user_{secrets.token_hex(8)}"
        self.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{PASSWORD}' {options}")
        try:
            yield name
        finally:
            self.execute(f"DROP ROLE {name}")

    def _run(self, program: str, *options: str) -> None:
        """Run a program of PostgreSQL on the server's data."""
        assert BINARIES is not None
        command = [BINARIES.with_name(program), *options, "-D", self._folder / "data"]
        subprocess.run(command, check=True, capture_output=True, cwd=self._folder, **_account())

    def _answers(self) -> bool:
        try:
            return self.execute("SELECT 1") == [(1,)]
        except psycopg.OperationalError:
            return False


@contextmanager
def running_server() -> Iterator[Server]:
    """A server that is stopped in the end, whatever happened.

    Its folder is where files of tests are: on a disk a new database takes ten times as long as in memory.
    """
    root = os.environ.get("PYTEST_DEBUG_TEMPROOT")
    with TemporaryDirectory(prefix="dpduck-postgres-", dir=root) as folder:
        server = Server(Path(folder))
        try:
            server.start()
            yield server
        finally:
            server.stop()


def _account() -> dict[str, Any]:
    """As whom to run: PostgreSQL refuses to be root."""
    return (
        {"user": _nobody().pw_uid, "group": _nobody().pw_gid, "extra_groups": []} if os.getuid() == 0 else {}
    )


def _nobody() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


def _give(*paths: Path) -> None:
    if os.getuid() == 0:
        for path in paths:
            os.chown(path, _nobody().pw_uid, _nobody().pw_gid)
