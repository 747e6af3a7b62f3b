"""Find the stored answer that answers a plan best, if there is one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dpduck.arrow.strings import read_columns
from dpduck.ledger import KeptAnswer, Ledger
from dpduck.query.plan.cost import column_error, event_of
from dpduck.query.plan.model import Plan
from dpduck.replay.derive import Derived, Evaluate, Fit, derive, fit
from dpduck.replay.describe import Description, describe

MOST_NOISE = 10  # relative to a fresh answer: noisier ones are not used
NOTED_NOISE = 1.5


@dataclass(frozen=True)
class Replay:
    """An answer from an earlier release."""

    kept: KeptAnswer
    derived: Derived


def find(
    plan: Plan, ledger: Ledger, subject: str, version: str, evaluate: Evaluate, analyst: str | None = None
) -> Replay | None:
    """Find a release that contains what the plan asks and cost at least as much epsilon and delta.

    Input: `analyst`: consider only answers that this analyst was given.
    Output: the best: an identical one, else the one with the fewest keys to sum over, then the newest. None
        if its numbers would be too noisy compared with fresh ones.
    Errors: LedgerError.
    """
    wanted = describe(plan)
    for kept, description, how in _candidates(plan, wanted, ledger.kept(subject, version, analyst)):
        columns = read_columns(ledger.answer(kept.seq).rows)
        derived = derive(plan, description, how, columns, evaluate)
        noise = 1.0 if derived is None or description == wanted else _noise(plan, derived)
        if derived is not None and noise <= MOST_NOISE:
            return Replay(kept, _noted(derived.shown(), noise))
    return None


def _noise(plan: Plan, derived: Derived) -> float:
    """The largest ratio of a derived number's half-width to that of a fresh one; at least 1."""
    ratios = [1.0]
    for column, width in column_error(plan).items():
        ends = zip(derived.columns.get(column, ()), derived.columns.get(f"{column}_high", ()), strict=True)
        halves = [
            float(high) - float(value) for value, high in ends if value is not None and high is not None
        ]
        ratios.append(max(halves, default=0.0) / width if width else 1.0)
    return max(ratios)


def _noted(derived: Derived, noise: float) -> Derived:
    if noise < NOTED_NOISE:
        return derived
    said = f"Its numbers are up to {noise:.1f} times as noisy as fresh ones."
    return replace(derived, note=f"{derived.note} {said}".strip())


def _candidates(
    plan: Plan, wanted: Description, answers: list[KeptAnswer]
) -> Iterator[tuple[KeptAnswer, Description, Fit]]:
    event = event_of(plan)
    found: list[tuple[KeptAnswer, Description, Fit]] = []
    for kept in answers:
        description = Description.read(kept.description)
        enough = kept.epsilon >= event.epsilon and kept.delta >= event.delta
        how = fit(wanted, description) if enough else None
        if how is not None:
            found.append((kept, description, how))
    yield from sorted(found, key=lambda one: (one[1] != wanted, len(one[2].left_out), len(one[2].extra)))
