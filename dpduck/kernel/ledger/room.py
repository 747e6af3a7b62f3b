"""The room of a ledger: how many bytes of kept numbers it holds, in all and of one analyst.

Kept numbers are answers that may be given again, and the contents of summaries. What they take follows from
released numbers alone, and what they may take from public facts: so neither a refusal nor a notice for want
of room tells anything of rows. Charges are no kept numbers, and are never refused for it.

A process counts what it keeps just now, too. What other processes keep counts once it is on record: together
they may pass the cap by what they keep at the same moment, and by no more.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from dpduck.kernel.accounting.amounts import bytes_of, parse_memory
from dpduck.kernel.ledger.summaries import TABLE as SUMMARIES
from dpduck.kernel.ledger.transactions import Transaction, read_head

PART = 4  # of the room, one analyst has a part

_COLUMNS = ("subject", "version", "description", "contents")
_ANSWERS = """
    SELECT e.analyst, sum({bytes})
    FROM entry AS s JOIN answer AS a ON a.seq = s.about JOIN entry AS e ON e.seq = a.seq
    WHERE s.number > :after AND s.kind = 'settle' GROUP BY e.analyst
"""
_SUMMARIES = f"SELECT seq FROM {SUMMARIES}"
_SUMMARY = f"""
    SELECT e.analyst, {{bytes}} FROM {SUMMARIES} AS a JOIN entry AS e ON e.seq = a.seq WHERE a.seq = :seq
"""


@dataclass(frozen=True)
class Room:
    """How many bytes of kept numbers a ledger may hold: in all, and each analyst a quarter of it.

    The owner may fill all of it.
    """

    total: int = 10**9

    @classmethod
    def parse(cls, size: str) -> Room:
        """Read a size such as 1GB. Errors: ParameterError."""
        return cls(bytes_of(parse_memory(size)))

    def of(self, analyst: str | None) -> int:
        """What one analyst may keep; None: the owner."""
        return self.total if analyst is None else self.total // PART


@dataclass(frozen=True)
class RoomLeft:
    """How many bytes may still be kept: of an analyst's own part, and of the whole ledger."""

    own: int
    total: int

    def takes(self, size: int) -> bool:
        """Whether there is room for so many bytes."""
        return size <= min(self.own, self.total)


@dataclass(frozen=True)
class Kept:
    """The bytes of kept numbers by who paid for them. `upto`: the last entry that was looked at.

    `sizes`: of summaries, by the number of their charge.
    """

    upto: int = 0
    answers: Mapping[str | None, int] = field(default_factory=dict)
    sizes: Mapping[int, tuple[str | None, int]] = field(default_factory=dict)

    @property
    def by_analyst(self) -> Counter[str | None]:
        """The bytes of each; None: of the owner."""
        found = Counter(self.answers)
        for analyst, size in self.sizes.values():
            found[analyst] += size
        return found


def count(db: Transaction, before: Kept, octets: str, *, has_summaries: bool) -> Kept:
    """Count what is kept now.

    Input: what was counted before; `octets`: the SQL for the bytes of a text; whether there is a table of
        summaries.
    """
    head, sizes_of = read_head(db), " + ".join(octets.format(f"a.{column}") for column in _COLUMNS)
    if head.number < before.upto:  # another ledger was put in its place
        before = Kept()
    answers = Counter(before.answers)
    for analyst, size in _answers(db, before.upto, head.number, sizes_of):
        answers[analyst] += int(size)
    sizes = {}
    for (seq,) in db.run(_SUMMARIES) if has_summaries else ():
        known = before.sizes.get(seq)
        [(analyst, size)] = [known] if known else db.run(_SUMMARY.format(bytes=sizes_of), {"seq": seq})
        sizes[seq] = (analyst, int(size))
    return Kept(head.number, answers, sizes)


def _answers(db: Transaction, after: int, upto: int, sizes_of: str) -> Sequence[tuple[Any, ...]]:
    return db.run(_ANSWERS.format(bytes=sizes_of), {"after": after}) if upto > after else ()


class Keeping:
    """What a ledger keeps, and what this process is about to keep. Safe for several threads.

    Input: `look` counts what is kept in the store, from what was counted before.
    """

    def __init__(self, look: Callable[[Kept], Kept]) -> None:
        self._look = look
        self._lock = threading.Lock()
        self._kept = Kept()
        self._held: Counter[str | None] = Counter()
        self._ended = 0  # how often something was kept, which a count that began before may have missed

    def left(self, room: Room, analyst: str | None) -> RoomLeft:
        """How many bytes an analyst may still keep; None: the owner."""
        with self._counted() as used:
            return _left(room, used, analyst)

    def used(self) -> Counter[str | None]:
        """The bytes that each keeps, and is about to keep; None: the owner."""
        with self._counted() as used:
            return used

    @contextmanager
    def holding(self, room: Room, analyst: str | None, size: int) -> Iterator[bool]:
        """Hold room for so many bytes while they are kept. Output: whether there is as much."""
        with self._counted() as used:
            fits = _left(room, used, analyst).takes(size)
            if fits:
                self._held[analyst] += size
        try:
            yield fits
        finally:
            if fits:
                with self._lock:
                    self._held[analyst] -= size
                    self._ended += 1

    @contextmanager
    def _counted(self) -> Iterator[Counter[str | None]]:
        """Hold the lock, with what is kept by now. The store is read outside of the lock."""
        while True:
            ended = self._ended
            now = self._look(self._kept)
            with self._lock:
                if ended == self._ended:
                    self._kept = now
                    yield now.by_analyst + self._held
                    return


def _left(room: Room, used: Mapping[str | None, int], analyst: str | None) -> RoomLeft:
    own, total = room.of(analyst) - used.get(analyst, 0), room.total - sum(used.values())
    return RoomLeft(max(own, 0), max(total, 0))
