"""The earlier answer that serves a plan best, if there is one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from dpduck.ledger import KeptAnswer, Ledger
from dpduck.query.plan import Plan
from dpduck.query.price import event_of
from dpduck.replay.derive import Derived, Evaluate, Fit, derive, fit
from dpduck.replay.describe import Description, describe


@dataclass(frozen=True)
class Replay:
    """An answer from an earlier release. `exact`: it is that release itself, and not computed from it."""

    kept: KeptAnswer
    derived: Derived
    exact: bool


def find(plan: Plan, ledger: Ledger, subject: str, version: str, evaluate: Evaluate) -> Replay | None:
    """Look for a release that holds what the plan asks and was worth at least as much epsilon.

    Output: the best: as it is, else with the fewest keys to sum over, then the newest.
    Errors: LedgerError.
    """
    for kept, description, how in _candidates(plan, ledger.kept(subject, version)):
        rows = json.loads(ledger.answer(kept.seq).rows)
        derived = derive(plan, description, how, rows, evaluate)
        if derived is not None:
            return Replay(kept, derived, describe(plan) == description)
    return None


def _candidates(plan: Plan, answers: list[KeptAnswer]) -> Iterator[tuple[KeptAnswer, Description, Fit]]:
    wanted = event_of(plan).epsilon
    found = []
    for kept in answers:
        description = Description.read(kept.description)
        how = fit(plan, description) if kept.epsilon >= wanted else None
        if how is not None:
            found.append((kept, description, how))
    yield from sorted(found, key=lambda one: (len(one[2].left_out), len(one[2].extra)))
