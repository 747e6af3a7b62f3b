"""The victims of `crash`: processes that ask private queries until they are killed, and note what they saw.

The product has no hooks for this. A writer counts the lines of the pipeline that it runs (`sys.settrace`)
and kills itself before one of them, so that between any two lines there is a place to die; or it is
killed from outside, at any moment. What it notes goes to a file of its own in one write each.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import dpduck
from dpduck.kernel.errors import BudgetExceededError
from dpduck.kernel.ledger.session import Session
from tests.ledger.dashboard import EPSILON

_FOLDER = Path(dpduck.__file__).parent
# The files whose functions read, write or wait; between their lines those of pure functions run.
_PIPELINE = {
    str((_FOLDER / name).resolve(strict=True))
    for name in (
        "doors/connection/connection.py",
        "answers/service.py",
        "answers/pipeline.py",
        "kernel/ledger/session.py",
        "kernel/release/__init__.py",
        "kernel/release/release.py",
        "kernel/release/selections.py",
        "kernel/release/measures.py",
        "kernel/ledger/store.py",
        "kernel/ledger/transactions.py",
        "kernel/ledger/sqlite.py",
        "kernel/ledger/postgres.py",
        "kernel/ledger/anchor.py",
    )
}


@dataclass(frozen=True)
class Life:
    """What one writer is to do. `lines`: of the pipeline, after which it dies; None: when it is killed."""

    data: Path
    ledger: str
    session: str
    analyst: str
    replays: bool
    lines: int | None
    log: Path


def start(life: Life) -> int:
    """Live in a fork of this process, which must not have opened DuckDB. Output: its number."""
    child = os.fork()
    if child:
        return child
    try:
        _Writer(life).run()
    except BaseException:
        traceback.print_exc()
    os._exit(1)


class _Writer:
    def __init__(self, life: Life) -> None:
        self._life = life
        self._log = os.open(life.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_DSYNC", 0))
        self._told = 0

    def run(self) -> None:
        """Ask until the budget is spent, or death comes first."""
        life = self._life
        self._watch_charges()
        if life.lines is not None:
            sys.settrace(_Death(life.lines, self._note).trace)
        db = dpduck.connect(
            life.data, analyst=life.analyst, epsilon=EPSILON, ledger=life.ledger, session=life.session
        )
        db.execute(f"SET dp_replay = {'on' if life.replays else 'off'}")
        choice = random.Random(life.session)
        try:
            while True:
                self._ask(db, _query(choice))
        except BudgetExceededError:
            self._note("refused")
        sys.settrace(None)
        os._exit(0)

    def _ask(self, db: dpduck.Connection, text: str) -> None:
        self._told = 0
        db.notices.clear()
        rows = db.execute(text).fetchall()
        self._note("replay" if db.notices else "answer", text=text, seq=self._told, rows=len(rows))

    def _watch_charges(self) -> None:
        charge = Session.charge

        def noted(session: Session, *arguments: Any, **others: Any) -> int:
            self._told = charge(session, *arguments, **others)
            self._note("told", text=arguments[1], seq=self._told)
            return self._told

        Session.charge = noted  # type: ignore[assignment, method-assign]

    def _note(self, what: str, **facts: object) -> None:
        os.write(self._log, json.dumps({"what": what, **facts}).encode() + b"\n")


def _query(choice: random.Random) -> str:
    """One of some queries, most of which somebody has asked before."""
    age = choice.randrange(18, 48)
    return choice.choice(
        [
            f"SELECT count(*) AS n FROM sales WHERE age >= {age}",
            f"SELECT city, count(*) AS n FROM sales WHERE age < {age} GROUP BY city ORDER BY n DESC LIMIT 2",
            f"SELECT channel, sum(amount) AS revenue FROM sales WHERE pieces < {age // 6} GROUP BY channel",
            f"SELECT median(age) AS m FROM sales WHERE age > {age}",
        ]
    )


class _Death:
    """Lets the process run so many lines of the pipeline, then kills it."""

    def __init__(self, lines: int, note: Callable[..., None]) -> None:
        self._left = lines
        self._note = note
        self._passed: set[str] = set()

    def trace(self, frame: FrameType, event: str, _: object) -> Any:
        """Follow the functions of the pipeline, and no others."""
        if frame.f_code.co_filename not in _PIPELINE or frame.f_code.co_name.endswith("comp>"):
            return None
        if event == "call":
            if frame.f_code.co_qualname == "Connection.execute":
                self._passed.clear()  # another query
            self._passed.add(frame.f_code.co_qualname)
        elif event == "line":
            self._left -= 1
            if self._left < 0:
                sys.settrace(None)
                self._note("killed", where=_line(frame), stage=_stage(frame, self._passed))
                os.kill(os.getpid(), signal.SIGKILL)
        return self.trace


def _line(frame: FrameType) -> str:
    path = Path(frame.f_code.co_filename).relative_to(_FOLDER)
    return f"{path}:{frame.f_lineno} {frame.f_code.co_qualname}"


_OPENING, _BEFORE = "while the ledger is opened", "before the charge"
_READING, _REPLY = "while rows are read and noise is drawn", "before the reply"
STAGES = (
    _OPENING,
    _BEFORE,
    "in the charge, until its transaction returns",
    "in the charge, while the anchor is written",
    _READING,
    "in the settlement, until its transaction returns",
    "in the settlement, while the anchor is written",
    "in the note of a replay, until its transaction returns",
    "in the note of a replay, while the anchor is written",
    _REPLY,
    "at a random moment",
)


def _stage(frame: FrameType, passed: set[str]) -> str:
    """Where in the life of a query a line is, by the functions on the stack and those that came before."""
    stack = _stack(frame)
    for function, part in (
        ("Session.charge", "charge"),
        ("_keep", "settlement"),
        ("Session.replay", "note of a replay"),
    ):
        if function in stack:
            # `Ledger._append` knows the head once the transaction has returned.
            committed = "head" in stack.get("Ledger._append", {})
            when = "while the anchor is written" if committed else "until its transaction returns"
            return f"in the {part}, {when}"
    if "answer" in stack:
        drawn, charged = "rows" in stack["answer"], "seq" in stack["answer"]
        return _REPLY if drawn else _READING if charged else _BEFORE
    if passed & {"answer", "replay"}:
        return _REPLY
    return _BEFORE if passed & {"Connection.execute"} else _OPENING


def _stack(frame: FrameType | None) -> dict[str, dict[str, Any]]:
    """The local variables of the functions of the pipeline that are running, by their names."""
    found: dict[str, dict[str, Any]] = {}
    while frame is not None:
        if frame.f_code.co_filename in _PIPELINE:
            found.setdefault(frame.f_code.co_qualname, frame.f_locals)
        frame = frame.f_back
    return found
