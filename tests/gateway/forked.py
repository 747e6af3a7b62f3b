"""Gateways that start quickly: forks of a process that has read dpduck's modules, and nothing else."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from pathlib import Path
from tempfile import mkstemp

_SECONDS = 120  # for a server to listen or to end; it takes one unless the machine is busy
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    ["tests.gateway.forked", "dpduck.doors.cli.gateway", "dpduck.doors.gateway.server"]
)


class NotStartedError(Exception):
    """The server ended before it listened. Its text is the log."""


class ForkedGateway:
    """`dpduck serve` as a process of its own. `port`: where it listens; `process`: to be killed at will."""

    def __init__(self, file: Path, *options: str) -> None:
        """Errors: NotStartedError."""
        log, name = mkstemp(suffix=".log", dir=file.parent)
        os.close(log)
        self._log = Path(name)
        arguments = ["serve", str(file), "--port", "0", *options]
        self.process = _CONTEXT.Process(target=_serve, args=(name, arguments), daemon=True)
        self.process.start()
        self.port = self._listens()

    @property
    def log(self) -> str:
        """What it printed so far."""
        return self._log.read_text(errors="replace")

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.join(_SECONDS)

    def stop(self) -> int | None:
        """End it as its owner does. Output: its exit code."""
        assert self.process.pid is not None
        os.kill(self.process.pid, signal.SIGTERM)
        self.process.join(_SECONDS)
        return self.process.exitcode

    def _listens(self) -> int:
        deadline = time.monotonic() + _SECONDS
        while time.monotonic() < deadline:
            said = [line for line in self.log.splitlines() if line.startswith("listening on ")]
            if said and said[0].rpartition(":")[2].isdigit() and self.log.count("\n"):
                return int(said[0].rpartition(":")[2])
            if self.process.exitcode is not None:
                break
            time.sleep(0.01)
        self.kill()
        raise NotStartedError(self.log)


def _serve(log: str, arguments: list[str]) -> None:
    """Be a server: in the fork."""
    from dpduck.doors.cli import main

    file = os.open(log, os.O_WRONLY | os.O_APPEND)
    os.dup2(file, 1)
    os.dup2(file, 2)
    sys.exit(main(arguments))
