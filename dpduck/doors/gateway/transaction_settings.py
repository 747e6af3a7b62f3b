"""The settings of a connection as its transactions leave them: SET LOCAL ends with one, ROLLBACK undoes SET.

As in Postgres. A charge is no setting: nothing of it is undone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from dpduck.answers.settings import Settings
from dpduck.doors.gateway.errors import NoSavepointError, NoTransactionError, TooManyError
from dpduck.doors.gateway.variables import Variables

MOST_SAVEPOINTS = 32  # that differ
_MOST_BYTES = 256 * 1024  # of values that are not the present ones


@dataclass(frozen=True)
class _State:
    """The values of all settings at one time: dpduck's, and the changed ones of those that clients expect."""

    settings: Settings
    variables: Mapping[str, str]


@dataclass(frozen=True)
class _Mark:
    """A savepoint, or the beginning, whose name is None: the values then, and what was to last of them.

    `count`: how many savepoints of one name follow each other without a change.
    """

    name: str | None
    present: _State
    lasting: _State
    count: int = 1


class TransactionSettings:
    """Keeps what the settings of a connection are to be when its transaction ends; nothing outside of one."""

    def __init__(self, settings: Settings, variables: Variables) -> None:
        self._settings = settings
        self._variables = variables
        self._marks: list[_Mark] = []
        self._lasting = self._present()  # without what SET LOCAL has changed

    @property
    def are_local(self) -> bool:
        """Whether there is a transaction, with which SET LOCAL ends."""
        return bool(self._marks)

    def begin(self) -> None:
        """Begin a transaction, if there is none."""
        if not self._marks:
            self._lasting = self._present()
            self._marks.append(_Mark(None, self._lasting, self._lasting))

    def end(self, *, undone: bool) -> None:
        """Let what SET LOCAL has changed be as before; if the transaction is undone, what SET has, too."""
        if self._marks:
            self._restore(self._marks[0].lasting if undone else self._lasting)
            self._marks = []
            self._lasting = self._present()

    def save(self, name: str) -> None:
        """Make a savepoint, also if there is one of that name. Errors: NoTransactionError, TooManyError.

        Drivers make one of the same name before each statement: they are counted, and kept once, as long as
        no setting changes.
        """
        self.check_open("SAVEPOINT")
        last, mark = self._marks[-1], _Mark(name, self._present(), self._lasting)
        if mark == replace(last, count=1):
            self._marks[-1] = replace(last, count=last.count + 1)
            return
        if len(self._marks) > MOST_SAVEPOINTS:
            raise TooManyError(
                f"a transaction has at most {MOST_SAVEPOINTS} savepoints",
                detail="Those of one name between which no setting changes are one.",
                hint="RELEASE those that are not needed.",
            )
        self._marks.append(mark)

    def go_back(self, name: str) -> None:
        """Let all be as at the last savepoint of a name, which stays; those after it go.

        Errors: NoTransactionError, NoSavepointError.
        """
        self.check_open("ROLLBACK TO SAVEPOINT")
        place = self._place(name)
        mark = self._marks[place]
        self._restore(mark.present)
        self._lasting, self._marks = mark.lasting, self._marks[: place + 1]

    def release(self, name: str) -> None:
        """Forget the last savepoint of a name, and those after it.

        Errors: NoTransactionError, NoSavepointError.
        """
        self.check_open("RELEASE SAVEPOINT")
        place = self._place(name)
        mark = self._marks[place]
        others = [replace(mark, count=mark.count - 1)] if mark.count > 1 else []
        self._marks = self._marks[:place] + others

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Let settings change, or none of them, if what is kept would be too much. Errors: TooManyError."""
        present, lasting, changed = self._present(), self._lasting, False
        try:
            yield
            self._check_size()
            changed = True
        finally:
            if not changed:
                self._restore(present)
                self._lasting = lasting

    def keep(self, name: str | None = None) -> None:
        """Let the present value of one setting, or of all, last when the transaction is committed."""
        present = self._present()
        if name is None or not self._marks:
            self._lasting = present
        elif name.startswith("dp_"):
            settings = replace(self._lasting.settings)
            settings.restore(name, present.settings)
            self._lasting = replace(self._lasting, settings=settings)
        else:
            own = Variables.key(name)
            kept = {key: value for key, value in self._lasting.variables.items() if key != own}
            kept |= {key: value for key, value in present.variables.items() if key == own}
            self._lasting = replace(self._lasting, variables=kept)

    def check_open(self, statement: str) -> None:
        """Errors: NoTransactionError outside of a transaction. Input: what is for one only."""
        if not self._marks:
            raise NoTransactionError(f"{statement} can only be used in transaction blocks", hint="BEGIN")

    def _check_size(self) -> None:
        """Errors: TooManyError if the transaction keeps too much besides what is present."""
        states = [self._lasting, *(state for mark in self._marks for state in (mark.present, mark.lasting))]
        present = self._variables.changed
        own = {id(each) for each in (present, *present.values())}
        kept = {id(each): each for state in states for each in (state.variables, *state.variables.values())}
        if sum(sys.getsizeof(each) for key, each in kept.items() if key not in own) > _MOST_BYTES:
            raise TooManyError(
                "the transaction and its savepoints keep too much of what settings were",
                detail=f"It is at most {_MOST_BYTES} bytes.",
                hint="Set long values before BEGIN, or RELEASE savepoints that are not needed.",
            )

    def _present(self) -> _State:
        """The values without the session's views, which no ROLLBACK drops."""
        return _State(replace(self._settings, reading=None), self._variables.changed)

    def _restore(self, state: _State) -> None:
        self._settings.restore("all", state.settings)
        self._variables.restore(state.variables)

    def _place(self, name: str) -> int:
        """The place of the last savepoint of that name. Errors: NoSavepointError."""
        places = [place for place, mark in enumerate(self._marks) if mark.name == name]
        if not places:
            raise NoSavepointError(f"the transaction has no savepoint {name!r}")
        return places[-1]
