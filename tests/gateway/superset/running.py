"""Superset as a process of its own, from the environment that SUPERSET names."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.gateway.superset.client import Superset

SUPERSET = os.environ.get("SUPERSET")  # the path of its command; its Python stands beside it
_START = Path(__file__).with_name("start.py")
_SECONDS = 600
_CONFIGURATION = """
SECRET_KEY = "a key of forty characters, for tests alone"
SQLALCHEMY_DATABASE_URI = "sqlite:///{folder}/superset.db?timeout=60"
WTF_CSRF_ENABLED = False
TALISMAN_ENABLED = False
RATELIMIT_ENABLED = False
"""


@contextmanager
def running(folder: Path) -> Iterator[Superset]:
    """Run Superset while the block runs. Input: an empty folder, where its log is `superset.log`."""
    assert SUPERSET is not None
    (folder / "superset_config.py").write_text(_CONFIGURATION.format(folder=folder))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    surroundings = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PG"))
    }
    surroundings |= {"SUPERSET_CONFIG_PATH": str(folder / "superset_config.py"), "SUPERSET_HOME": str(folder)}
    command = [str(Path(SUPERSET).with_name("python")), str(_START), str(port)]
    with (folder / "superset.log").open("w") as log:
        process = subprocess.Popen(command, cwd=folder, env=surroundings, stdout=log, stderr=log)
        try:
            superset = Superset(f"http://127.0.0.1:{port}")
            _wait_for(f"{superset.url}/health", process, folder / "superset.log")
            superset.log_in()
            yield superset
        finally:
            process.terminate()
            process.wait(60)


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text()[-3000:]
        try:
            with urllib.request.urlopen(url, timeout=60):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    raise AssertionError(f"Superset does not listen: {log.read_text()[-3000:]}")
