"""Clients that ask several gateways without a pause, whatever happens, and keep what each was told."""

from __future__ import annotations

import itertools
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.gateway.wiring import PASSWORD, Wired, error_of, rows_of

_PAUSE = 0.05  # seconds before a client tries to connect again
_LIMIT = 60.0  # seconds that a client waits for anything
_NUMBERS = itertools.count(1000)
_ASKED = re.compile(r"\bage < (\d+)")


@dataclass(frozen=True)
class Told:
    """What a client was told of a question. `rows`: of an answer; `error`: its fields; else neither came."""

    number: int
    rows: tuple[tuple[str | None, ...], ...] = ()
    error: tuple[tuple[str, str], ...] = ()

    @property
    def says_nothing_charged(self) -> bool:
        """Whether it is an error that says that nothing was charged."""
        return "Nothing was charged." in dict(self.error).get("D", "")


class Asker:
    """A client with a thread of its own. Each question is asked once, and is like no other.

    Input: the analyst; `port`: of its gateway at the time. `told`: of each question, in order; `refusals`:
    errors of connections that were not taken.
    """

    def __init__(self, name: str, port: Callable[[], int]) -> None:
        self.name = name
        self.told: list[Told] = []
        self.refusals: Counter[str] = Counter()
        self._port = port
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def answers(self) -> int:
        """How many answers came."""
        return sum(bool(told.rows) for told in self.told)

    def end(self) -> None:
        """Ask nothing more, once the answer to the last question is there."""
        self._over.set()
        self._thread.join(2 * _LIMIT)
        assert not self._thread.is_alive()

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                with Wired(self._port(), timeout=_LIMIT) as client:
                    client.login(self.name, PASSWORD)
                    self._ask(client)
            except ConnectionError:  # it is killed, or not there yet
                time.sleep(_PAUSE)
            except AssertionError as refused:
                self.refusals[str(refused)] += 1
                time.sleep(_PAUSE)

    def _ask(self, client: Wired) -> None:
        while not self._over.is_set():
            number = next(_NUMBERS)
            self.told.append(Told(number))  # what a client knows until something comes
            replies = client.ask(question(number))
            if any(kind == "E" for kind, _ in replies):
                self.told[-1] = Told(number, error=tuple(sorted(error_of(replies).items())))
                if self.told[-1].error[0] == ("C", "53400"):
                    time.sleep(_PAUSE)
            else:
                self.told[-1] = Told(number, tuple(rows_of(replies)))


def question(number: int) -> str:
    """A count of all people that no other number asks for: no age is that high."""
    return f"SELECT count(*) FROM people WHERE age < {number}"


def number_in(query: str) -> int:
    """The number of a question, in the ledger."""
    found = _ASKED.search(query)
    assert found is not None, query
    return int(found[1])


@contextmanager
def asking(askers: list[Asker]) -> Iterator[None]:
    """Let all end after the block, whatever happens in it."""
    try:
        yield
    finally:
        for asker in askers:
            asker.end()
