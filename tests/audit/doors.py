"""Doors above the package's own: the command line and the shell, in this process or as one."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from dpduck.doors.audit.doors import ANALYST, AuditDoor, Notes, Place, Talk, Transcript
from dpduck.doors.cli import main
from dpduck.doors.console.tables import FORMATS

_LOOK = 8  # queries, after which budgets and charges are shown


class CommandLineDoor(AuditDoor):
    """`dpduck query`, then `explain`, `budget` and `ledger`: exit codes, all of stdout and stderr."""

    name = "command line"

    @contextmanager
    def open(self, place: Place) -> Iterator[Talk]:
        yield CommandLineTalk(place)


class CommandLineTalk(Talk):
    """All queries have one ledger; it is looked at after some of them."""

    def __init__(self, place: Place, ledger: str = "line.ledger") -> None:
        self._place = place
        self._number = 0
        self._ledger = place.file.with_name(ledger)
        for stale in (self._ledger, Path(f"{self._ledger}.anchor")):
            stale.unlink(missing_ok=True)

    def ask(self, sql: str) -> Transcript:
        self._number += 1
        notes = Notes(self._place)
        form = FORMATS[self._number % len(FORMATS)]
        file, who = str(self._place.file), ["--analyst", ANALYST, "--ledger", str(self._ledger)]
        self._run(notes, ["query", file, sql, *self._costs, *who, "--format", form])
        if self._number % _LOOK == 0:
            self._run(notes, ["explain", file, sql, *self._costs, *who])
            self._run(notes, ["budget", file, *who])
            self._run(notes, ["ledger", file, *who, "--format", "csv"])
        return notes.transcript()

    @property
    def _costs(self) -> list[str]:
        return ["--epsilon", f"{self._place.epsilon}", "--delta", f"{float(self._place.delta):.18f}"]

    def _run(self, notes: Notes, arguments: Sequence[str]) -> None:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = main(arguments)
        name = "error" if code and arguments[0] == "query" else arguments[0]
        notes.add(name, (code, out.getvalue(), err.getvalue()))


class ShellDoor(AuditDoor):
    """`dpduck shell` with a statement and its plan piped in."""

    name = "shell"

    @contextmanager
    def open(self, place: Place) -> Iterator[Talk]:
        yield ShellTalk(place, "shell.ledger")


class ShellTalk(CommandLineTalk):
    """Each query has a shell of its own."""

    def ask(self, sql: str) -> Transcript:
        notes = Notes(self._place)
        who = ["--analyst", ANALYST, "--ledger", str(self._ledger)]
        with pytest.MonkeyPatch.context() as patch:
            typed = f"{sql};\n{sql};\n.budget\n"
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
            self._run(notes, ["shell", str(self._place.file), *self._costs, *who])
        return notes.transcript()
