"""Anchors: where the head of the chain is written down outside the ledger.

The chain shows that an entry was changed, but not that the whole file was put back to last week's copy.
An anchor does: a ledger that is behind it, or is another one, is refused, also while it is in use. It is
written after each commit, so a crash in between leaves it a little behind the ledger, never ahead.
"""

from __future__ import annotations

import errno
import json
import os
import threading
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from dpduck.errors import LedgerError

_WIDTH = 255  # a line of constant length is overwritten in one piece
_TIMEOUT = 10.0  # seconds


@dataclass(frozen=True)
class Mark:
    """What an anchor holds: the ledger's own name, the number of its last entry, and that entry's hash."""

    ledger: str
    number: int
    hash: str

    def line(self) -> str:
        """The mark as one line of JSON."""
        return json.dumps(asdict(self)).ljust(_WIDTH) + "\n"


class Anchor(ABC):
    """A place outside the ledger. Every method raises LedgerError if it cannot be reached."""

    where: str

    @abstractmethod
    def read(self) -> Mark | None:
        """The mark, None if there is none yet."""

    @abstractmethod
    def write(self, mark: Mark, has: Callable[[Mark], bool]) -> Mark | None:
        """Move the mark forward; one that is further on stays.

        Input: `has` tells whether the ledger has the entry of a mark. Output: the mark that is there if it
        has not, which then stays too; else None.
        """


class FileAnchor(Anchor):
    """An anchor in a file of mode 0600."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.where = f"'{path}'"
        self._turn = (os.getpid(), threading.Lock())

    def read(self) -> Mark | None:
        try:
            text = self._path.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return None
        except OSError as error:
            fault = _unreachable(self.where, error.strerror)
        else:
            return _mark(text, self.where)
        raise fault

    def write(self, mark: Mark, has: Callable[[Mark], bool]) -> Mark | None:
        try:
            with self._in_turn(), _locked(self._path) as file:
                text = os.pread(file, _WIDTH + 1, 0).decode(errors="replace")
                known = _mark(text, self.where)
                if known is not None and not has(known):
                    return known
                if known is None or known.number < mark.number:
                    os.pwrite(file, mark.line().encode(), 0)
        except OSError as error:
            fault = _unreachable(self.where, error.strerror)
        else:
            return None
        raise fault

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """Let threads ask for the file one by one: many that ask at once keep each other from it."""
        if self._turn[0] != os.getpid():  # a fork copied it, perhaps while somebody had the turn
            self._turn = (os.getpid(), threading.Lock())
        turn = self._turn[1]
        if not turn.acquire(timeout=_TIMEOUT):
            raise TimeoutError(errno.ETIMEDOUT, "Another thread keeps it locked")
        try:
            yield
        finally:
            turn.release()


class UrlAnchor(Anchor):
    """An anchor at an address that answers GET with what was PUT there last, and 404 before that."""

    def __init__(self, url: str) -> None:
        self._url = url
        # The rest of the address may hold a password.
        self.where = f"'{url.partition('://')[0]}://...'"

    def read(self) -> Mark | None:
        text = self._send("GET", None)
        return None if text is None else _mark(text, self.where)

    def write(self, mark: Mark, has: Callable[[Mark], bool]) -> Mark | None:
        known = self.read()
        if known is not None and not has(known):
            return known
        if known is None or known.number < mark.number:
            self._send("PUT", mark.line().encode())
        return None

    def _send(self, method: str, body: bytes | None) -> str | None:
        request = urllib.request.Request(self._url, data=body, method=method)  # noqa: S310 (http only, see below)
        reason: str | None
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT) as reply:  # noqa: S310
                return str(reply.read(_WIDTH * 4).decode("utf-8", "replace"))
        except urllib.error.HTTPError as error:
            if method == "GET" and error.code == 404:
                return None
            reason = f"status {error.code}"
        except (OSError, ValueError) as error:
            reason = str(getattr(error, "reason", error))
        raise _unreachable(self.where, reason)


def open_anchor(location: str | Path) -> Anchor:
    """An anchor by its path, or by its address if that begins with http:// or https://."""
    text = str(location)
    return (
        UrlAnchor(text) if text.startswith(("http://", "https://")) else FileAnchor(Path(location).absolute())
    )


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if os.name == "posix":  # not on Windows, where the last writer wins
            _lock(file)
        yield file
    finally:
        if os.name == "posix":
            _unlock(file)
        os.close(file)


def _lock(file: int) -> None:
    """Wait for the lock, but not for ever: whoever holds it may have been stopped."""
    import fcntl

    deadline = time.monotonic() + _TIMEOUT
    while True:
        with suppress(BlockingIOError):
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if time.monotonic() > deadline:
            raise TimeoutError(errno.ETIMEDOUT, "Another process keeps it locked")
        time.sleep(0.0005)


def _unlock(file: int) -> None:
    """Let go. Closing would not do: a process that was forked meanwhile has the file open too."""
    import fcntl

    fcntl.flock(file, fcntl.LOCK_UN)


def _mark(text: str, where: str) -> Mark | None:
    if not text.strip():
        return None
    try:
        mark = Mark(**json.loads(text))
        if isinstance(mark.number, int) and isinstance(mark.ledger, str) and isinstance(mark.hash, str):
            return mark
    except (ValueError, TypeError):
        pass
    raise LedgerError(
        "anchor is damaged",
        detail=f"{where} holds something else than a mark of a ledger.",
        hint="Restore it, or give another place for it with --anchor.",
    )


def _unreachable(where: str, reason: str | None) -> LedgerError:
    return LedgerError(
        "anchor of the ledger cannot be reached",
        detail=f"The system says of {where}: {(reason or 'no reason').lower()}.",
        hint="Give another place for it with --anchor, or for the ledger with --ledger.",
    )
