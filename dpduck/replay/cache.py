"""The replay cache: the replay found for a plan, valid until another answer is added to the ledger.

A dashboard runs the same queries again and again; searching all stored answers each time would cost more than
everything else.
"""

from __future__ import annotations

from collections import OrderedDict

from dpduck.ledger import Ledger
from dpduck.query.plan.compound import CompoundPlan
from dpduck.query.plan.model import Plan
from dpduck.replay.derive import Evaluate
from dpduck.replay.find import Replay, find

_MOST = 256  # plans in the cache


# A plan; the subject, the version, and the number of the newest answer when it was searched; what was found.
_Known = tuple[Plan | CompoundPlan, tuple[str, str, int], Replay | None]


class ReplayCache:
    """Finds replays, and remembers them by plan. Safe for several threads."""

    def __init__(self) -> None:
        # By the plan's identity; the plan is kept alive, so that its id cannot be reused.
        self._found: OrderedDict[int, tuple[Plan | CompoundPlan, tuple[str, str, int], Replay | None]] = (
            OrderedDict()
        )

    def find(
        self, plan: Plan | CompoundPlan, ledger: Ledger, subject: str, version: str, evaluate: Evaluate
    ) -> Replay | None:
        """As `dpduck.replay.find`."""
        state = (subject, version, ledger.newest_answer())
        known = self._found.get(id(plan))
        if known is not None and known[0] is plan and known[1] == state:
            return known[2]
        found = find(plan, ledger, subject, version, evaluate)
        self._found[id(plan)] = (plan, state, found)
        if len(self._found) > _MOST:
            self._found.popitem(last=False)
        return found

    def last(self, plan: Plan | CompoundPlan, subject: str, version: str) -> tuple[Replay, int] | None:
        """The last replay found for a plan, and the newest stored answer at that time, without the ledger."""
        known = self._found.get(id(plan))
        if known is None or known[0] is not plan or known[2] is None:
            return None
        then_subject, then_version, newest = known[1]
        return (known[2], newest) if (then_subject, then_version) == (subject, version) else None
