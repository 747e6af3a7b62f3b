"""Carry the releases of one database over to its neighbour, so that everything else can be compared exactly.

A mechanism promises that whatever it releases for one database it may release for a neighbour too. So a query
is run on both, and on the second its release is checked against the first by the law of releases
(`releases`) and then replaced by it. Any remaining difference in rows, text, bytes, charges or errors
bypassed the mechanism.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from unittest.mock import patch

import numpy as np
import pyarrow as pa

from dpduck.answers import pipeline, preparation, summary_statements
from dpduck.doors.audit import releases
from dpduck.kernel.engine import ScoreReader
from dpduck.kernel.noise import Entropy
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.release import Release, release
from dpduck.summaries.design import Design
from dpduck.summaries.release import Integers, noisy_tables, tables_of
from dpduck.summaries.residuals import Columns

Tables = Mapping[Columns, Integers]
Law = Callable[[Plan, Release, Release], releases.Breach | None]


class Carrier:
    """Replaces `release` while it is `installed`.

    Input: `entropy` makes the source of noise for each release (None: the pipeline's own). `found`: breaches
    in the releases of the second database.
    """

    def __init__(self, entropy: Callable[[], Entropy] | None = None, law: Law = releases.difference) -> None:
        self._entropy = entropy
        self._law = law
        self._first: list[tuple[Plan, Release]] = []
        self._summaries: list[tuple[Design, list[Tables], list[dict[Columns, Integers]]]] = []
        self._place: int | None = None
        self._summary = 0
        self.found: list[releases.Breach] = []

    @property
    def plans(self) -> list[Plan]:
        """The plans released for the first database."""
        return [plan for plan, _ in self._first]

    def record(self) -> None:
        """Begin the queries on the first database."""
        self._first, self._summaries, self._place, self.found = [], [], None, []

    def carry(self) -> None:
        """Begin the same queries on the second database."""
        self._place, self._summary, self.found = 0, 0, []

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Replace in this process what releases answers and summaries, and stop the clock: time is public."""
        now = preparation.present_time()
        with (
            patch.object(pipeline, "release", self._release),
            patch.object(summary_statements, "noisy_tables", self._noisy_tables),
            patch.object(preparation, "present_time", lambda: now),
        ):
            yield

    def _release(self, plan: Plan, reader: ScoreReader, entropy: Entropy) -> Release:
        made = release(plan, reader, entropy if self._entropy is None else self._entropy())
        if self._place is None:
            self._first.append((plan, made))
            return made
        return self._carried(made)

    def _carried(self, made: Release) -> Release:
        place, self._place = self._place or 0, (self._place or 0) + 1
        if place >= len(self._first):
            self.found.append(releases.Breach("private rows are read more often"))
            return made
        planned, released = self._first[place]
        wrong = self._law(planned, released, made)
        if wrong is not None:
            self.found.append(wrong)
        return released

    # --- summaries -------------------------------------------------------------------------------

    def _noisy_tables(
        self, scores: pa.Table, design: Design, entropy: Entropy
    ) -> list[dict[Columns, Integers]]:
        made = noisy_tables(scores, design, entropy if self._entropy is None else self._entropy())
        exact: list[Tables] = [*tables_of(scores, design)]
        if self._place is None:
            self._summaries.append((design, exact, made))
            return made
        place, self._summary = self._summary, self._summary + 1
        if place >= len(self._summaries):
            self.found.append(releases.Breach("a summary is released more often"))
            return made
        planned, before, released = self._summaries[place]
        wrong = _difference_of_tables(planned, design, before, exact)
        if wrong is not None:
            self.found.append(wrong)
        return released


def _difference_of_tables(
    one: Design, two: Design, before: Sequence[Tables], after: Sequence[Tables]
) -> releases.Breach | None:
    """What tells two neighbours apart in what a summary counts, beyond what its noise covers, or None.

    The noise of each table is for the rows of one unit that count, wherever in the table they are.
    """
    if (one.event, one.tables, one.sizes) != (two.event, two.tables, two.sizes):
        return releases.Breach("the designs of a summary differ")
    for own, first, second in zip(one.quantities, before, after, strict=True):
        for table in one.tables:
            moved = int(np.abs(first[table] - second[table]).sum())
            if moved > own.bound:
                where = f": {one.named(table)} by {moved} for {own.bound}"
                return releases.Breach("a table of a summary moves by more than its noise covers", where)
    return None
