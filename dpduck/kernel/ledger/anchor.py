"""Anchors: a copy of the head of the chain, kept outside the ledger.

The chain shows that an entry was changed, but not that the whole file was replaced by last week's copy.
An anchor does: a ledger that is behind its anchor, or another one, is refused, even while it is in use. The
anchor is written after each commit, so a crash in between leaves it slightly behind the ledger, never ahead.
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

from dpduck.kernel.errors import LedgerError

_WIDTH = 255  # a line of constant length is overwritten by a single write
_TIMEOUT = 10.0  # seconds


@dataclass(frozen=True)
class Mark:
    """The content of an anchor: the ledger's random name, and the number and hash of its last entry."""

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
        """Read the mark; None if there is none yet."""

    @abstractmethod
    def write(self, mark: Mark, has: Callable[[Mark], bool]) -> Mark | None:
        """Advance the anchor to a mark, unless it is already further.

        Input: `has` tells whether the ledger has the entry of a mark. Output: None; or, if the ledger lacks
        the anchor's present entry, that mark, and the anchor is not changed.
        """

    @abstractmethod
    def replace(self, mark: Mark) -> None:
        """Set the anchor to a mark, whatever it knows: only where the owner said so, which is on record."""


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

    def replace(self, mark: Mark) -> None:
        try:
            with self._in_turn(), _locked(self._path) as file:
                os.ftruncate(file, 0)  # it may hold something else
                os.pwrite(file, mark.line().encode(), 0)
        except OSError as error:
            fault = _unreachable(self.where, error.strerror)
        else:
            return
        raise fault

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """Serialise threads, since many that poll the file lock at once starve each other."""
        if self._turn[0] != os.getpid():  # a fork copied the lock, perhaps while it was held
            self._turn = (os.getpid(), threading.Lock())
        turn = self._turn[1]
        if not turn.acquire(timeout=_TIMEOUT):
            raise TimeoutError(errno.ETIMEDOUT, "Another thread keeps it locked")
        try:
            yield
        finally:
            turn.release()


class UrlAnchor(Anchor):
    """An anchor at an address that answers GET with the body of the last PUT, and 404 before the first."""

    def __init__(self, url: str) -> None:
        self._url = url
        # The rest of the address may contain a password.
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

    def replace(self, mark: Mark) -> None:
        self._send("PUT", mark.line().encode())

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
    """Open an anchor by path, or by address if it begins with http:// or https://."""
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
    """Wait for the lock with a timeout, since the process that holds it may be suspended."""
    import fcntl

    deadline = time.monotonic() + _TIMEOUT
    while True:
        with suppress(BlockingIOError):
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if time.monotonic() > deadline:
            raise TimeoutError(errno.ETIMEDOUT, "Another process keeps it locked")
        time.sleep(0.0005)


def _unlock(file: int) -> None:
    """Release the lock. Closing is not enough: a process that was forked meanwhile has the file open too."""
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
