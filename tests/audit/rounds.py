"""A query, asked at one door of a database and of several neighbours: the database answers once for all.

All have been asked the same so far, as often: also when a difference is looked at again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpduck.doors.audit.carrying import Carrier
from dpduck.doors.audit.differential import TIMES, Difference, Pair, verdict
from dpduck.doors.audit.doors import Talk, Transcript
from dpduck.doors.audit.neighbours import Neighbour

Found = Mapping[str, tuple[str, Transcript]]  # by neighbour: what is wrong, and what it said


@dataclass(frozen=True)
class Round:
    """Conversations at one door. Input: with the database, and with each neighbour of it."""

    door: str
    base: Talk
    others: Mapping[Neighbour, Talk]

    def compare(self, sql: str, carrier: Carrier) -> list[Difference]:
        """Ask all. Output: what is wrong each time."""
        said, found = self._asked(sql, carrier)
        for _ in range(TIMES if found else 0):
            said, again = self._asked(sql, carrier)
            found = {label: again[label] for label in found.keys() & again.keys()}
        return [
            Pair(self.door, one, (self.base, talk)).difference(sql, what, (said, transcript))
            for one, talk in self.others.items()
            for what, transcript in [found.get(one.label, ("", said))]
            if what
        ]

    def _asked(self, sql: str, carrier: Carrier) -> tuple[Transcript, Found]:
        carrier.record()
        said, found = self.base.ask(sql), {}
        for neighbour, talk in self.others.items():
            carrier.carry()
            transcript = talk.ask(sql)
            what = verdict(said, transcript, carrier)
            if what is not None:
                found[neighbour.label] = what, transcript
        return said, found
