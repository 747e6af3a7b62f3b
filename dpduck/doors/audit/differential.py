"""Compare a query on a database and on its neighbours: every observation must be the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from dpduck.doors.audit import moves
from dpduck.doors.audit.carrying import Carrier
from dpduck.doors.audit.doors import PythonTalk, Talk, Transcript
from dpduck.doors.audit.neighbours import Neighbour
from dpduck.doors.audit.releases import Breach
from dpduck.engines.duckdb.database import Database
from dpduck.kernel.errors import DpduckError

TIMES = 3  # that a difference must be reproduced


@dataclass(frozen=True)
class Difference:
    """A difference between a database and a neighbour.

    `neighbour` describes the unit removed or added without a value, `who` is the unit itself; the transcripts
    show private values.
    """

    query: str
    door: str
    neighbour: str
    who: str
    what: Breach
    transcripts: tuple[Transcript, Transcript]

    def __str__(self) -> str:
        head = f"{self.what}\nquery: {self.query}\ndoor: {self.door}; {self.neighbour} ({self.who})"
        one, two = self.transcripts
        return f"{head}\n--- the database as it is\n{one}\n--- its neighbour\n{two}\n"


@dataclass(frozen=True)
class Pair:
    """Two conversations through one interface, with a database and with a neighbour of it."""

    door: str
    neighbour: Neighbour
    talks: tuple[Talk, Talk]

    def compare(self, sql: str, carrier: Carrier) -> tuple[Transcript, Difference | None]:
        """Run a query on both. Output: the first transcript, and the difference, if any."""
        carrier.record()
        one = self.talks[0].ask(sql)
        return one, self.compare_with(sql, one, carrier)

    def compare_with(self, sql: str, said: Transcript, carrier: Carrier) -> Difference | None:
        """Run a query on the second, where the first has `said` something and its releases are recorded."""
        carrier.carry()
        two = self.talks[1].ask(sql)
        if verdict(said, two, carrier) is None:
            return None
        return self._confirmed(sql, carrier)

    def _confirmed(self, sql: str, carrier: Carrier) -> Difference | None:
        """The difference, if it occurs every time: the order of DuckDB's DISTINCT is random."""
        found = None
        for _ in range(TIMES):
            what, *transcripts = self._asked(sql, carrier)
            if what is None:
                return None
            found = self.difference(sql, what, (transcripts[0], transcripts[1]))
        return found

    def difference(self, sql: str, what: Breach, transcripts: tuple[Transcript, Transcript]) -> Difference:
        """Describe a breach between the two."""
        return Difference(sql, self.door, self.neighbour.label, self.neighbour.who, what, transcripts)

    def moved(self, sql: str, carrier: Carrier) -> Difference | None:
        """The breach by the scores that were just read, if any; scores of files are not compared."""
        one, two = self.talks
        if not (isinstance(one, PythonTalk) and isinstance(two, PythonTalk)) or one.is_file:
            return None
        larger, smaller = (two, one) if self.neighbour.larger else (one, two)
        what = moved_too_far(carrier, larger.data, [smaller.data])
        return None if what is None else self.difference(sql, what, (one.ask(sql), two.ask(sql)))

    def _asked(self, sql: str, carrier: Carrier) -> tuple[Breach | None, Transcript, Transcript]:
        carrier.record()
        one = self.talks[0].ask(sql)
        carrier.carry()
        two = self.talks[1].ask(sql)
        return verdict(one, two, carrier), one, two


def verdict(one: Transcript, two: Transcript, carrier: Carrier) -> Breach | None:
    """The breach between two transcripts, if any."""
    if one.failed or two.failed:
        sides = "both sides" if one.failed and two.failed else "one side"
        return Breach(f"it is charged, and fails on {sides}")
    if carrier.found:
        first = carrier.found[0]
        return Breach(f"the release itself: {first.kind}", first.quoted)
    what = one.difference(two)
    return None if what is None else Breach(f"{what} differs")


def moved_too_far(
    carrier: Carrier,
    everyone: Database,
    without: Sequence[Database],
) -> Breach | None:
    """The breach, if a score that was just read moves by more between neighbours than its noise covers."""
    found = None
    for plan in carrier.plans:
        try:
            moves.check(plan, everyone, without)
        except moves.ViolationError as violation:
            found = Breach(str(violation))
        except (duckdb.Error, DpduckError):
            found = Breach("a row makes it fail")
    return found
