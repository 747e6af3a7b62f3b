"""The progress display of a running query: rich's spinner, or a plain line without rich."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TextIO

from dpduck.doors.console.tables import following, progress
from dpduck.kernel.cancellation import Interrupts

DELAY = 0.4  # seconds; most queries are done by then, so nothing flickers


class _Line:
    """A line that is computed whenever rich draws it."""

    def __init__(self, text: Callable[[], str]) -> None:
        self._text = text

    def __rich__(self) -> str:
        return self._text()


@contextmanager
def waiting(
    label: str, interrupts: Interrupts | None = None, *, stream: TextIO | None = None, delay: float = DELAY
) -> Iterator[None]:
    """Show that work is in progress, once it takes a while. On a terminal only; removed at the end.

    Input: the `interrupts` of the session that works.
    """
    stream = sys.stderr if stream is None else stream
    if not stream.isatty() or find_spec("rich") is None:
        with progress(label, interrupts, stream=stream):
            yield
        return
    from rich.console import Console

    with following(label, interrupts) as line:
        status = Console(file=stream, markup=False, highlight=False).status(_Line(line))
        start = threading.Timer(delay, status.start)
        start.daemon = True
        start.start()
        try:
            yield
        finally:
            start.cancel()
            start.join()
            status.stop()
