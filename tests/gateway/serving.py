"""A server as its owner starts it: a process of its own, on any port, that ends well."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from dpduck.doors.cli import main
from tests.cli.processes import ROOT

SECONDS = 30  # for a server to end
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def let_in(file: Path, name: str, password: str, *options: str) -> None:
    """Let an analyst log in."""
    with patch("sys.stdin", StringIO(f"{password}\n")), redirect_stderr(StringIO()) as said:
        assert main(["analyst", "add", str(file), name, "--password-stdin", *options]) == 0, said.getvalue()


@contextmanager
def serving(file: Path, *options: str) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """Serve a file while the block runs. Output: the port and the process, whose log is FILE.log."""
    command = [sys.executable, "-m", "dpduck", "serve", str(file), "--port", "0", *options]
    log = Path(f"{file}.log")
    with log.open("a") as lines:
        process = subprocess.Popen(
            command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=lines, text=True, cwd=file.parent
        )
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            assert said.startswith("listening on "), log.read_text()
            yield int(said.rpartition(":")[2]), process
            process.send_signal(signal.SIGTERM)
            assert process.wait(SECONDS) == 0, log.read_text()
        finally:
            process.kill()
            process.communicate()
