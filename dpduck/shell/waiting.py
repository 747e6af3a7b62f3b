"""What is seen while a query runs: rich's spinner, or a plain line without rich."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TextIO

from dpduck.terminal import progress

DELAY = 0.4  # seconds; most queries are done by then, and nothing flickers


@contextmanager
def waiting(label: str, *, stream: TextIO | None = None, delay: float = DELAY) -> Iterator[None]:
    """Show that something is at work, once it takes a while. On a terminal only; gone when it is done."""
    stream = sys.stderr if stream is None else stream
    if not stream.isatty() or find_spec("rich") is None:
        with progress(label, stream=stream):
            yield
        return
    from rich.console import Console

    status = Console(file=stream).status(label)
    start = threading.Timer(delay, status.start)
    start.daemon = True
    start.start()
    try:
        yield
    finally:
        start.cancel()
        start.join()
        status.stop()
