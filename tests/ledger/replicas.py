"""A PostgreSQL server and its standby, which knows each commit before the server confirms it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.ledger.server import Server

_IN_STEP = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
_LIMIT = 60  # seconds for a standby to be in step


class Replicas:
    """Two servers, of which one takes writes. `servers`: both, in a fixed order."""

    def __init__(self, folder: Path) -> None:
        for name in ("first", "second"):
            (folder / name).mkdir()
        self.primary = Server(folder / "first")
        self.primary.start()
        self.standby = Server(folder / "second", self.primary)
        self.servers = (self.primary, self.standby)
        self._follow()

    def restart(self) -> None:
        """Let the primary crash, and start it again."""
        self.primary.stop(crashes=True)
        self.primary.start()

    def fail_over(self) -> None:
        """Let the primary crash, and the standby take its place; what was the primary is the next standby."""
        self.primary.stop(crashes=True)
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary

    def mend(self) -> None:
        """Make a standby of the server that crashed, as an administrator does after a failover."""
        # Nobody confirms commits yet: without this each of them would wait for ever.
        self._confirm_by("")
        self.standby.copy(self.primary)
        self._follow()

    def stop(self) -> None:
        """Stop both."""
        for server in self.servers:
            server.stop(crashes=True)

    def _follow(self) -> None:
        """Start the standby, and let each commit wait for it from then on."""
        self.standby.start()
        self._confirm_by("*")
        deadline = time.monotonic() + _LIMIT
        while self.primary.execute(_IN_STEP) != [(1,)]:
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def _confirm_by(self, names: str) -> None:
        self.primary.execute(
            f"ALTER SYSTEM SET synchronous_standby_names = '{names}'", "SELECT pg_reload_conf()"
        )


@contextmanager
def running_replicas() -> Iterator[Replicas]:
    """Two servers that are stopped in the end, whatever happened."""
    with TemporaryDirectory(prefix="dpduck-postgres-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")) as folder:
        Path(folder).chmod(0o755)
        replicas = Replicas(Path(folder))
        try:
            yield replicas
        finally:
            replicas.stop()
