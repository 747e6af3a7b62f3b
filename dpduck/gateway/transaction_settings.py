"""The settings of a connection as its transactions leave them: SET LOCAL ends with one, ROLLBACK undoes SET.

As in Postgres. A charge is no setting: nothing of it is undone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dpduck.gateway.errors import TooManyError
from dpduck.gateway.variables import Variables
from dpduck.runtime.settings import Settings

MOST_SAVEPOINTS = 100  # each keeps all settings


@dataclass(frozen=True)
class _State:
    """The values of all settings at one time: dpduck's, and those that clients of Postgres expect."""

    settings: Settings
    variables: dict[str, str]


@dataclass(frozen=True)
class _Mark:
    """A savepoint, or the beginning, whose name is empty: the values then, and what was to last of them."""

    name: str
    present: _State
    lasting: _State


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
            self._marks.append(_Mark("", self._lasting, self._lasting))

    def end(self, *, undone: bool) -> None:
        """Let what SET LOCAL has changed be as before; if the transaction is undone, what SET has, too."""
        if self._marks:
            self._restore(self._marks[0].lasting if undone else self._lasting)
            self._marks = []

    def save(self, name: str) -> None:
        """Make a savepoint, in a transaction. Errors: TooManyError.

        Drivers make one of the same name before each statement: it is one as long as no setting changes.
        """
        mark = _Mark(name, self._present(), self._lasting)
        if not self._marks or mark == self._marks[-1]:
            return
        if len(self._marks) > MOST_SAVEPOINTS:
            raise TooManyError(f"a transaction has at most {MOST_SAVEPOINTS} savepoints")
        self._marks.append(mark)

    def go_back(self, name: str) -> None:
        """Let all be as at a savepoint, which stays, if there is one of that name."""
        place = self._place(name)
        if place is not None:
            mark = self._marks[place]
            self._restore(mark.present)
            self._lasting, self._marks = mark.lasting, self._marks[: place + 1]

    def release(self, name: str) -> None:
        """Forget a savepoint and those after it, if there is one of that name."""
        place = self._place(name)
        if place is not None:
            self._marks = self._marks[:place]

    def keep(self, name: str | None = None) -> None:
        """Let the present value of one setting, or of all, last when the transaction is committed."""
        present = self._present()
        if name is None:
            self._lasting = present
        elif name.startswith("dp_"):
            settings = replace(self._lasting.settings)
            settings.restore(name, present.settings)
            self._lasting = replace(self._lasting, settings=settings)
        else:
            own = Variables.key(name)
            kept = {key: value for key, value in present.variables.items() if key == own}
            self._lasting = replace(self._lasting, variables=self._lasting.variables | kept)

    def _present(self) -> _State:
        return _State(replace(self._settings), self._variables.values)

    def _restore(self, state: _State) -> None:
        self._settings.restore("all", state.settings)
        self._variables.restore(state.variables)

    def _place(self, name: str) -> int | None:
        """The place of the last savepoint of that name."""
        places = [place for place, mark in enumerate(self._marks) if place and mark.name == name]
        return places[-1] if places else None
