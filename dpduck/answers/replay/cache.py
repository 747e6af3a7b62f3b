"""The replay cache: the replay found for a plan, valid until an answer comes that could serve it too.

A dashboard runs the same queries again and again; searching all stored answers each time would cost more than
everything else. So what came to the ledger since is looked at once for all plans, and each plan with a replay
only looks at what is new on its subject.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from contextlib import suppress
from dataclasses import dataclass

from dpduck.answers.replay.derive import Evaluate
from dpduck.answers.replay.find import Replay, find, may_answer
from dpduck.kernel.ledger import KeptAnswer, Ledger
from dpduck.kernel.ledger.records import NewAnswers
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.model import Plan

_MOST = 256  # plans in the cache
_MOST_NEWS = 1_000  # answers in the feed


class AnswerFeed:
    """The last answers that came to a ledger, in order. Safe for several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._upto: int | None = None  # the last entry of the ledger that was looked at
        self._recent: deque[tuple[str, str, KeptAnswer]] = deque(maxlen=_MOST_NEWS)
        self.position = 0  # after the last one

    def look(self, ledger: Ledger, *, waits: bool = True) -> bool:
        """Look for new answers. Output: False if that needs waiting, and `waits` is not set.

        The ledger is read outside of the lock: a thread that held it meanwhile, and then waited for Python's,
        would send every replay of a server to a thread of its own, where it does the same to others.
        """
        while True:
            before = self._upto
            new = ledger.new_answers(-2 * _MOST_NEWS if before is None else before, waits=waits)
            if new is None:
                return False
            if new.upto == before or self._take(before, new):
                return True

    def _take(self, before: int | None, new: NewAnswers) -> bool:
        """Add what came after an entry. Output: False if another thread has added to the feed since."""
        with self._lock:
            if self._upto != before:
                return False
            self._upto = new.upto
            if new.answers is None:  # nothing that was found before may be relied on
                self._recent.clear()
                self.position += 1
            else:
                self._recent.extend(new.answers)
                self.position += len(new.answers)
            return True

    def since(self, position: int, subject: str, version: str) -> list[KeptAnswer] | None:
        """The answers after a position on one subject and version; None if not all of them are remembered."""
        with self._lock:
            missing = self.position - position
            if missing > len(self._recent):
                return None
            recent = [self._recent[-index] for index in range(missing, 0, -1)]
        return [kept for about, state, kept in recent if (about, state) == (subject, version)]


@dataclass
class _Known:
    """What was found for a plan: its subject and version, and up to where in the feed that holds."""

    plan: Plan | CompoundPlan
    subject: str
    version: str
    position: int
    found: Replay | None


class ReplayCache:
    """Finds replays, and remembers them by plan. Safe for several threads."""

    def __init__(self) -> None:
        # By the plan's identity; the plan is kept alive, so that its id cannot be reused.
        self._found: OrderedDict[int, _Known] = OrderedDict()
        self._feed = AnswerFeed()

    def find(
        self, plan: Plan | CompoundPlan, ledger: Ledger, subject: str, version: str, evaluate: Evaluate
    ) -> Replay | None:
        """As `dpduck.answers.replay.find`."""
        self._feed.look(ledger)
        known = self._known(plan, subject, version)
        if known is None:
            position = self._feed.position  # before the search, which may see more
            found = find(plan, ledger, subject, version, evaluate)
            known = self._found[id(plan)] = _Known(plan, subject, version, position, found)
            if len(self._found) > _MOST:
                self._found.popitem(last=False)
        return known.found

    def last(self, plan: Plan | CompoundPlan, ledger: Ledger, subject: str, version: str) -> Replay | None:
        """The last replay found for a plan, if it is still what `find` finds. It never waits.

        Output: None if that has to be found out.
        """
        if id(plan) not in self._found or not self._feed.look(ledger, waits=False):
            return None
        known = self._known(plan, subject, version)
        return None if known is None else known.found

    def _known(self, plan: Plan | CompoundPlan, subject: str, version: str) -> _Known | None:
        """What was found for a plan; None if an answer came since that could serve it."""
        known, position = self._found.get(id(plan)), self._feed.position
        if known is None or known.plan is not plan or (known.subject, known.version) != (subject, version):
            return None
        if known.position != position:
            new = self._feed.since(known.position, subject, version)
            if new is None or may_answer(plan, new):
                return None
            known.position = max(known.position, position)
        with suppress(KeyError):  # another thread may have let it go just now
            self._found.move_to_end(id(plan))
        return known
