"""Who has logged in with a browser: each log in is a session of its own, as each connection of the wire is.

A visitor is known by a random cookie, of which only a digest is kept, and is forgotten after a while without
a request, at the latest after some hours, or as soon as the ledger no longer lets the name in with that role.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction

from dpduck.answers.settings import Settings
from dpduck.doors.gateway.roles import session_of
from dpduck.doors.gateway.web.runs import VisitorRuns
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.ledger import Ledger, Role
from dpduck.kernel.ledger.session import Session, new_session_name

_MOST = 1_000  # visitors, of whom the one who was silent for longest makes way
_MOST_OF_NAME = 20
_LOOK_SECONDS = 2.0  # between looks at who may log in


@dataclass
class Visitor:
    """Somebody who has logged in. `name`: None for the data owner at this machine.

    `initial`: the settings with which the session began; `csrf`: a secret that each form repeats; `since`,
    `seen`: when, by the clock of `Visitors`; `said`: what the next page says of what was done.
    """

    name: str | None
    role: Role
    session: Session
    settings: Settings
    initial: Settings
    since: float
    seen: float
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    runs: VisitorRuns = field(default_factory=VisitorRuns, repr=False)
    said: tuple[str, ...] = ()

    @property
    def is_here(self) -> bool:
        """Whether this is the owner where the data are, who may change policies, budgets and logins."""
        return self.name is None

    @property
    def oversees(self) -> bool:
        """Whether the visitor sees what everybody was charged."""
        return self.session.reader is None

    def sent(self, csrf: str) -> bool:
        """Whether a form was one of this visitor's pages. Input: what it repeats."""
        return hmac.compare_digest(csrf.encode("utf-8", "replace"), self.csrf.encode())


class Visitors:
    """All visitors. Safe for several threads.

    Input: `settings`: initial ones of each session; `budget`: a cap on each session's epsilon, None: no cap;
        `idle`, `most`: seconds without a request, and in all, after which a visitor is forgotten.
    """

    def __init__(
        self,
        ledger: Ledger,
        settings: Settings,
        budget: Fraction | None = None,
        *,
        idle: float = 1_800.0,
        most: float = 43_200.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ledger = ledger
        self._settings = settings
        self._budget = budget
        self._idle, self._most, self._clock = idle, most, clock
        self._lock = threading.Lock()
        self._visitors: dict[bytes, Visitor] = {}
        self._roles: dict[str, Role] = {}
        self._looked = -_LOOK_SECONDS

    def welcome(self, name: str | None, role: Role) -> tuple[str, Visitor]:
        """Begin a session. Output: the cookie's value, and the visitor. Errors: LedgerError."""
        here = Session(self._ledger, new_session_name())
        session = here if name is None else session_of(role, self._ledger, name)
        if session.asks:
            session.set_budget(self._budget)
        now, cookie = self._clock(), secrets.token_urlsafe(32)
        own_settings = (one.settings for one in self._ledger.analysts() if one.name == name)
        settings = self._settings.beginning_with(next(own_settings, ()))
        visitor = Visitor(name, role, session, settings, replace(settings), now, now)
        with self._lock:
            if name is not None:  # who was added since the last look is known from now on
                self._roles = {**self._roles, name: role}
            self._forget_late(now)
            own = [key for key, other in self._visitors.items() if other.name == name]
            self._make_room(own, _MOST_OF_NAME)
            self._make_room(list(self._visitors), _MOST)
            self._visitors[_digest(cookie)] = visitor
        return cookie, visitor

    def find(self, cookie: str) -> Visitor | None:
        """Whose cookie it is; None if nobody's any more. What `look` has read decides who may log in."""
        now = self._clock()
        with self._lock:
            self._forget_late(now)
            visitor = self._visitors.get(_digest(cookie))
            if visitor is None:
                return None
            if visitor.name is not None and self._roles.get(visitor.name) is not visitor.role:
                self._visitors.pop(_digest(cookie)).runs.stop_all()
                return None
            visitor.seen = now
            return visitor

    def part(self, cookie: str) -> None:
        """End a session, and what runs for it."""
        with self._lock:
            visitor = self._visitors.pop(_digest(cookie), None)
        if visitor is not None:
            visitor.runs.stop_all()

    def stop_all(self) -> None:
        """Stop whatever runs for anybody."""
        with self._lock:
            for visitor in self._visitors.values():
                visitor.runs.stop_all()

    @property
    def is_late(self) -> bool:
        """Whether it is time to look at who may log in."""
        return self._clock() - self._looked >= _LOOK_SECONDS

    def look(self) -> None:
        """Read who may log in, as what. If the ledger cannot be read, what was read last still counts."""
        self._looked = self._clock()
        try:
            roles = {analyst.name: analyst.role for analyst in self._ledger.analysts()}
        except DpduckError:  # without a readable ledger no query is answered either
            return
        self._roles = roles

    def look_again(self) -> None:
        """Forget who may log in, since that was changed."""
        self._looked = -_LOOK_SECONDS

    def _forget_late(self, now: float) -> None:
        late = [
            key
            for key, visitor in self._visitors.items()
            if now - visitor.seen > self._idle or now - visitor.since > self._most
        ]
        for key in late:
            self._visitors.pop(key).runs.stop_all()

    def _make_room(self, keys: list[bytes], most: int) -> None:
        silent = sorted(keys, key=lambda key: self._visitors[key].seen)
        for key in silent[: max(len(silent) - most + 1, 0)]:
            self._visitors.pop(key).runs.stop_all()


def _digest(cookie: str) -> bytes:
    return hashlib.sha256(cookie.encode("utf-8", "replace")).digest()
