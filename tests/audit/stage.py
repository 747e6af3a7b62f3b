"""Databases as files, and neighbours of them, with conversations at every door that stay open.

Each query is asked of all neighbours of its unit through the quickest door; and in turns of one neighbour at
one of the other doors. DPDUCK_DEPTH=full asks every query at each of the doors without each of five units;
with light, fewer neighbours are asked, and fewer queries at another door.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cached_property, partial
from pathlib import Path

import duckdb
import pytest

from dpduck import policies
from dpduck.answers.claimed_bounds import BoundsCheck
from dpduck.doors.audit.carrying import Carrier
from dpduck.doors.audit.differential import Difference, Pair
from dpduck.doors.audit.doors import AuditDoor, Place, PythonDoor, PythonTalk, RegisterDoor, Talk, Transcript
from dpduck.doors.audit.gateway import GatewayDoor
from dpduck.doors.audit.neighbours import Neighbour, neighbours, shuffled
from dpduck.kernel.catalog.model import Catalog
from dpduck.policies import load_catalog
from tests.audit.doors import CommandLineDoor, ShellDoor
from tests.audit.rounds import Round
from tests.depth import FULL, depth
from tests.query.shop import statement
from tests.sources import Seeded

FULL_DOORS: tuple[AuditDoor, ...] = (PythonDoor(), RegisterDoor(), CommandLineDoor(), GatewayDoor())
# Neighbours that a query is asked of: with a unit less, and of other kinds.
REMOVED, OTHERS = depth(5, 2), depth(2, 1)
ALL_DOORS: tuple[AuditDoor, ...] = (
    PythonDoor(),
    GatewayDoor(),
    RegisterDoor(),
    GatewayDoor(),
    CommandLineDoor(),
    PythonDoor(),
    ShellDoor(),
    RegisterDoor(),
)
EVERY = depth(1, 6, 9)  # queries, of which one is asked at another door too
NO_LIMIT = "CREATE PRIVACY BUDGET everyone LIMIT 1000000 DELTA 0.5"


def unchecked(patch: pytest.MonkeyPatch) -> None:
    """Let plans and summaries run whose bounds are not proved, so that the audit sees them by itself."""
    for what in ("plan", "summary"):
        patch.setattr(BoundsCheck, what, lambda *_: None)


class Stage:
    """One database and its neighbours. Close it.

    Input: `make` creates the database with its policies in a file.
    """

    def __init__(self, folder: Path, name: str, make: Callable[[str], duckdb.DuckDBPyConnection]) -> None:
        self._folder, self._name = folder, name
        self._stack = ExitStack()
        (folder / "base").mkdir(parents=True)
        self.base = Place(folder / "base" / f"{name}.duckdb")
        with make(str(self.base.file)) as connection:
            policies.execute(connection, statement(NO_LIMIT))
            self.catalog: Catalog = load_catalog(connection)
            self.neighbours = _chosen(connection, self.catalog)
        self.carrier = Carrier(partial(Seeded, "audit"))
        self._files: dict[str, Place] = {}
        self._pairs: dict[tuple[str, str], Pair] = {}
        self._quick: dict[str, PythonTalk] = {}
        self._rounds: dict[tuple[str, frozenset[str | None]], Round] = {}
        self._asked = 0
        self.comparisons: Counter[str] = Counter()  # of transcripts, by door

    def close(self) -> None:
        self._stack.close()

    def check(self, sql: str) -> list[Difference]:
        """Ask a query everywhere. Output: what differs."""
        with self.carrier.installed():
            transcript, found = self._check_quickly(sql)
            if transcript.refused is None:
                found += self._check_doors(sql)
        return found

    def differs(self, sql: str) -> bool:
        """Whether anything differs of the first neighbour, through Python."""
        neighbour = self.neighbours[0]
        with self.carrier.installed():
            pair = Pair("Python", neighbour, (self._base, self._beside(neighbour)))
            _, found = pair.compare(sql, self.carrier)
            return (found or pair.moved(sql, self.carrier)) is not None

    def refuses(self, sql: str) -> str | None:
        """Why a query is not answered."""
        with self.carrier.installed():
            self.carrier.record()
            return self._base.ask(sql).refused

    # --- all neighbours ----------------------------------------------------------------------------

    def _check_quickly(self, sql: str) -> tuple[Transcript, list[Difference]]:
        self.carrier.record()
        transcript, found = self._base.ask(sql), []
        self._asked += 1
        near = [] if transcript.refused is not None else self._in_turn(self._near())
        for number, neighbour in enumerate(near):
            pair = Pair("Python", neighbour, (self._base, self._beside(neighbour)))
            difference = pair.compare_with(sql, transcript, self.carrier)
            self.comparisons["Python, in short"] += 1
            if difference is None and number == self._asked % len(near):
                difference = pair.moved(sql, self.carrier)
            found += [] if difference is None else [difference]
        return transcript, found

    def _near(self) -> list[Neighbour]:
        """The neighbours that differ in the unit of the query that was asked last."""
        root = next((plan.root.name for plan in self.carrier.plans), None)
        return [one for one in self.neighbours if root is None or one.root in (None, root)]

    def _in_turn(self, near: Sequence[Neighbour]) -> list[Neighbour]:
        """All that have a unit less, and some of the others."""
        less = [one for one in near if one.root is not None and not one.larger]
        others = [one for one in near if one not in less]
        first = self._asked * OTHERS % len(others)
        return less + (others + others)[first : first + OTHERS]

    @cached_property
    def _base(self) -> PythonTalk:
        return self._stack.enter_context(PythonDoor(thorough=False).open(self.base))

    def _beside(self, neighbour: Neighbour) -> PythonTalk:
        if neighbour.label not in self._quick:
            door = PythonDoor(thorough=False).beside(self._place(neighbour), self._base)
            self._quick[neighbour.label] = self._stack.enter_context(door)
        return self._quick[neighbour.label]

    # --- all doors -----------------------------------------------------------------------------------

    def _check_doors(self, sql: str) -> list[Difference]:
        if FULL:
            return self._check_all_doors(sql)
        if self._asked % EVERY:
            return []
        door, neighbour = self._turn(self._near())
        _, difference = self._pair(door, neighbour).compare(sql, self.carrier)
        self.comparisons[door.name] += 1
        return [] if difference is None else [difference]

    def _check_all_doors(self, sql: str) -> list[Difference]:
        found, near = [], [one for one in self._near() if one.root is not None and not one.larger]
        for door in FULL_DOORS:
            found += self._round(door, near).compare(sql, self.carrier)
            self.comparisons[door.name] += len(near)
        return found

    def _round(self, door: AuditDoor, near: Sequence[Neighbour]) -> Round:
        """Conversations with the database and all of those neighbours."""
        key = door.name, frozenset(one.root for one in near)
        if key not in self._rounds:
            others = {one: self._open(door, self._copy(self._place(one).file)) for one in near}
            self._rounds[key] = Round(door.name, self._open(door, self._copy(self.base.file)), others)
        return self._rounds[key]

    def _turn(self, near: Sequence[Neighbour]) -> tuple[AuditDoor, Neighbour]:
        """Each door has a neighbour of its own, so that few databases are open."""
        number = self._asked // EVERY % len(ALL_DOORS)
        return ALL_DOORS[number], near[number % len(near)]

    def _pair(self, door: AuditDoor, neighbour: Neighbour) -> Pair:
        """Two conversations that have been about the same queries so far."""
        key = door.name, neighbour.label
        if key not in self._pairs:
            mine, other = self._copy(self.base.file), self._copy(self._place(neighbour).file)
            self._pairs[key] = Pair(door.name, neighbour, (self._open(door, mine), self._open(door, other)))
        return self._pairs[key]

    def _open(self, door: AuditDoor, place: Place) -> Talk:
        return self._stack.enter_context(door.open(place))

    # --- files -----------------------------------------------------------------------------------------

    def _place(self, neighbour: Neighbour) -> Place:
        if neighbour.label not in self._files:
            place = self._copy(self.base.file)
            neighbour.change(place.file)
            self._files[neighbour.label] = place
        return self._files[neighbour.label]

    def _copy(self, file: Path) -> Place:
        folder = self._folder / str(len(list(self._folder.iterdir())))
        folder.mkdir()
        shutil.copyfile(file, folder / file.name)
        return Place(folder / file.name)


def _chosen(connection: duckdb.DuckDBPyConnection, catalog: Catalog) -> list[Neighbour]:
    """So many of each root, in turn; and the same rows in another order."""
    found: list[Neighbour] = [shuffled(table for table in catalog.tables if table.private)]
    counts: dict[tuple[str | None, bool], int] = {}
    for neighbour in neighbours(connection, catalog):
        kind = neighbour.root, neighbour.larger
        counts[kind] = counts.get(kind, 0) + 1
        if neighbour.larger or counts[kind] <= REMOVED:
            found.append(neighbour)
    return found
