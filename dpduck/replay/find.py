"""Find the stored answer that answers a plan best, if there is one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dpduck.arrow.strings import read_columns
from dpduck.ledger import KeptAnswer, Ledger
from dpduck.query.plan.aggregates import ChosenDistinct, ClampedSum
from dpduck.query.plan.compound import CompoundPlan
from dpduck.query.plan.cost import column_error, event_of
from dpduck.query.plan.model import Plan
from dpduck.query.plan.names import names_of, requests_of
from dpduck.replay.derive import Derived, Evaluate, Fit, derive, fit
from dpduck.replay.describe import Description, describe, description_of

MOST_NOISE = 10  # relative to a fresh answer: noisier ones are not used
NOTED_NOISE = 1.5
# Their noise follows from what was chosen privately, so how it compares with a fresh answer's is not known.
_CHOSEN = (ChosenDistinct, ClampedSum)


@dataclass(frozen=True)
class Replay:
    """An answer from an earlier release."""

    kept: KeptAnswer
    derived: Derived


def find(
    plan: Plan | CompoundPlan,
    ledger: Ledger,
    subject: str,
    version: str,
    evaluate: Evaluate,
    analyst: str | None = None,
) -> Replay | None:
    """Find a release that contains what the plan asks and cost at least as much epsilon and delta.

    Input: `analyst`: consider only answers that this analyst was given.
    Output: the best: an identical one, else the one with the fewest keys to sum over, then the newest. None
        if its numbers would be too noisy compared with fresh ones.
    Errors: LedgerError.
    """
    if isinstance(plan, CompoundPlan):
        return _same(plan, ledger, subject, version, analyst)
    wanted = describe(plan)
    only_same = any(isinstance(request, _CHOSEN) for request in plan.requests)
    for kept, description, how in _candidates(plan, wanted, ledger.kept(subject, version, analyst)):
        if only_same and description != wanted:
            continue
        columns = read_columns(ledger.answer(kept.seq).rows)
        derived = derive(plan, description, how, columns, evaluate)
        noise = None if derived is None or description == wanted else _noise(plan, derived)
        if derived is not None and (noise is None or noise.ratio <= MOST_NOISE):
            return Replay(kept, _noted(plan, derived.shown(), noise))
    return None


def _same(
    plan: CompoundPlan, ledger: Ledger, subject: str, version: str, analyst: str | None
) -> Replay | None:
    """The newest release of the same blocks. What several blocks have in common is not taken from others."""
    event, wanted = event_of(plan), description_of(plan)
    found = [
        kept
        for kept in ledger.kept(subject, version, analyst)
        if kept.description == wanted and kept.epsilon >= event.epsilon and kept.delta >= event.delta
    ]
    if not found:
        return None
    newest = max(found, key=lambda kept: kept.seq)
    columns = read_columns(ledger.answer(newest.seq).rows)
    names = (column.name for column in plan.stored)
    return Replay(newest, Derived(dict(zip(names, columns, strict=True))))


@dataclass(frozen=True)
class _Noise:
    """The noise of a derived number: its half-width at 95 %, and that of a fresh one."""

    column: str
    width: float
    fresh: float

    @property
    def ratio(self) -> float:
        return self.width / self.fresh if self.fresh else 1.0


def _noise(plan: Plan, derived: Derived) -> _Noise | None:
    """The noise of the derived numbers that are noisiest compared with fresh ones; None without any."""
    found = []
    for column, fresh in column_error(plan).items():
        ends = zip(derived.columns.get(column, ()), derived.columns.get(f"{column}_high", ()), strict=True)
        halves = [
            float(high) - float(value) for value, high in ends if value is not None and high is not None
        ]
        found.append(_Noise(column, max(halves, default=0.0), fresh))
    return max(found, key=lambda noise: noise.ratio, default=None)


def _noted(plan: Plan, derived: Derived, noise: _Noise | None) -> Derived:
    if noise is None or noise.ratio < NOTED_NOISE:
        return derived
    names = {request.column: names_of(request, plan)[0] for request in requests_of(plan)}
    said = (
        f"Its numbers are up to {noise.ratio:.1f} times as noisy as fresh ones: the noise of "
        f"{names[noise.column]} is within {noise.width:,.4g} with probability 95 %, not {noise.fresh:,.4g}."
    )
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
