"""Find the stored answer that answers a plan best, if there is one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from dpduck.answers.replay.derive import Derived, Evaluate, Fit, derive, fit
from dpduck.answers.replay.describe import Description, describe, description_of, request_id, scales_of
from dpduck.kernel.arrow.strings import read_columns
from dpduck.kernel.errors import decimal_text
from dpduck.kernel.ledger import KeptAnswer, Ledger
from dpduck.kernel.ledger.transactions import MAX_ANSWERS
from dpduck.kernel.plan.aggregates import ChosenCount, ChosenDistinct, ClampedSum
from dpduck.kernel.plan.compound import CompoundPlan, column_name
from dpduck.kernel.plan.cost import column_error, expected_error, measure_error, places_of, without_interval
from dpduck.kernel.plan.model import Measure, Plan
from dpduck.kernel.plan.names import names_of, requests_of
from dpduck.kernel.plan.prices import event_of

MOST_NOISE = 10  # relative to a fresh answer: noisier ones are not used
NOTED_NOISE = 1.5
_HALVINGS = 30  # of the search for a scale of noise
_PLACES = 6  # of a tick, to which half-widths are read
# Their noise follows from what was chosen privately, so how it compares with a fresh answer's is not known.
_CHOSEN = (ChosenCount, ChosenDistinct, ClampedSum)


@dataclass(frozen=True)
class Replay:
    """An answer from an earlier release.

    `plan`: with the noise of that release, for what is said of it; `errors`: what the error of each number
    stays within at 95 %, by its name in the answer, where that release has other noise than a fresh one.
    """

    kept: KeptAnswer
    derived: Derived
    plan: Plan | CompoundPlan
    errors: Mapping[str, float] | None = None


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
    answers = _answers(plan, ledger, subject, version, analyst)
    for kept, description, how in _candidates(plan, wanted, answers):
        if only_same and description != wanted:
            continue
        columns = read_columns(ledger.answer(kept.seq).rows)
        derived = derive(plan, description, how, columns, evaluate)
        is_other = derived is not None and description != wanted
        noise = _noise(plan, derived, description) if derived is not None and is_other else None
        if derived is not None and (noise is None or noise.ratio <= MOST_NOISE):
            released = _as_released(plan, description, derived)
            errors = _errors(plan, released, derived) if is_other else None
            return Replay(kept, _noted(plan, derived.shown(), noise), released, errors)
    return None


def _answers(
    plan: Plan | CompoundPlan, ledger: Ledger, subject: str, version: str, analyst: str | None
) -> list[KeptAnswer]:
    """The newest answers on a subject, and those to the very question of a plan, however old they are."""
    newest = ledger.kept(subject, version, analyst)
    if len(newest) < MAX_ANSWERS or _alike(plan, newest):
        return newest
    return [*newest, *ledger.same(subject, version, description_of(plan), analyst)]


def may_answer(plan: Plan | CompoundPlan, answers: list[KeptAnswer]) -> bool:
    """Whether one of some answers on a plan's subject could serve it: then what `find` finds may change."""
    if not answers:
        return False
    if isinstance(plan, CompoundPlan):
        return bool(_alike(plan, answers))
    return any(True for _ in _candidates(plan, describe(plan), answers))


def _same(
    plan: CompoundPlan, ledger: Ledger, subject: str, version: str, analyst: str | None
) -> Replay | None:
    """The newest release of the same blocks. What several blocks have in common is not taken from others."""
    found = _alike(plan, _answers(plan, ledger, subject, version, analyst))
    if not found:
        return None
    newest = max(found, key=lambda kept: kept.seq)
    columns = read_columns(ledger.answer(newest.seq).rows)
    names = (column.name for column in plan.stored)
    derived = Derived(dict(zip(names, columns, strict=True)))
    return Replay(newest, derived, _blocks_as_released(plan, derived))


def _blocks_as_released(plan: CompoundPlan, derived: Derived) -> CompoundPlan:
    """As `_as_released`, for the same blocks: the query may have divided another epsilon between them."""
    blocks = []
    for number, block in enumerate(plan.blocks, 1):
        names = (column.name for column in block.columns)
        own = Derived({name: derived.columns[column_name(number, name)] for name in names})
        blocks.append(_as_released(block, describe(block), own))
    return replace(plan, blocks=tuple(blocks))


def _alike(plan: Plan | CompoundPlan, answers: list[KeptAnswer]) -> list[KeptAnswer]:
    """The answers that are releases of the same blocks for as much epsilon and delta."""
    event, wanted = event_of(plan), description_of(plan)
    return [
        kept
        for kept in answers
        if kept.description == wanted and kept.epsilon >= event.epsilon and kept.delta >= event.delta
    ]


@dataclass(frozen=True)
class _Noise:
    """The noise of a derived number, relative to that of a fresh one.

    `words`: what it stays within with probability 95 %, if that is known without the data.
    """

    column: str
    ratio: float
    words: str = ""


def _noise(plan: Plan, derived: Derived, kept: Description) -> _Noise | None:
    """The noise of the derived numbers that are noisiest compared with fresh ones; None without any."""
    found = _noise_by_scale(plan, kept)
    for column, fresh in column_error(plan).items():
        width = _half_width(column, derived) or 0.0
        words = f" is within {width:,.4g} with probability 95 %, not {fresh:,.4g}"
        found.append(_Noise(column, width / fresh if fresh else 1.0, words))
    return max(found, key=lambda noise: noise.ratio, default=None)


def _half_width(column: str, derived: Derived) -> float | None:
    """The largest half-width of the intervals of a number; None if it has none."""
    ends = zip(derived.columns.get(column, ()), derived.columns.get(f"{column}_high", ()), strict=True)
    known = ((value, high) for value, high in ends if value is not None and high is not None)
    return max((float(high) - float(value) for value, high in known), default=None)


def _errors(plan: Plan, released: Plan, derived: Derived) -> dict[str, float]:
    """What the error of each number stays within at 95 %, with the noise of the release.

    It grows as the half-width does, also where noise decides which groups are shown or added up. What has no
    interval in a fresh answer has no error here.
    """
    if plan.sets:
        return expected_error(released)
    none = without_interval(plan)
    fresh, columns = column_error(plan), dict(plan.sums) | dict(plan.shown)
    columns |= {one.name: one.computed.column for one in plan.ends if one.computed is not None}
    found = {}
    for name, error in expected_error(plan).items():
        column = columns[name]
        width = _half_width(column, derived)
        if width is not None and fresh.get(column) and column not in none:
            found[name] = error * width / fresh[column]
    return found


def _as_released(plan: Plan, kept: Description, derived: Derived) -> Plan:
    """The plan with the noise that its numbers have in the release.

    Of averages, statistics, quantiles and modes, and of totals on levels, the release says the scale; of the
    counts and sums that totals add up, the intervals do.
    """
    known, fresh = dict(kept.scales), scales_of(plan)

    def with_its_noise(measure: Measure) -> Measure:
        names = [name for name in map(request_id, measure.requests) if name in known and name in fresh]
        if names or not plan.sets:
            times = max((Fraction(known[name]) / fresh[name] for name in names), default=Fraction(1))
            return _with_times_the_noise(measure, times)
        return _with_error(measure, _half_width(measure.request.column, derived))

    asked = replace(plan.asked, is_cut=plan.asked.is_cut or not derived.complete)
    return replace(plan, measures=tuple(map(with_its_noise, plan.measures)), asked=asked)


def _with_times_the_noise(measure: Measure, times: Fraction) -> Measure:
    noise = measure.gaussian
    gaussian = None if noise is None else replace(noise, mu_squared=noise.mu_squared / times**2)
    return replace(measure, epsilon=measure.epsilon / times, gaussian=gaussian)


def _with_error(measure: Measure, wanted: float | None) -> Measure:
    """The measure with the least noise of its kind that has an error of so many ticks, or more.

    Input: the error; None if it is not known, which changes nothing.
    """
    ticks = 10.0 ** places_of(measure.request)

    def error(times: Fraction) -> int:
        return math.ceil((measure_error(_with_times_the_noise(measure, times)) or 0.0) * ticks)

    if wanted is None or measure_error(measure) is None:
        return measure
    least = math.ceil(round(wanted * ticks, _PLACES))
    if error(Fraction(1)) == least:
        return measure
    below, above = Fraction(0), Fraction(1)
    while error(above) < least:
        below, above = above, 2 * above
    for _ in range(_HALVINGS):
        middle = (below + above) / 2
        below, above = (below, middle) if error(middle) >= least else (middle, above)
    return _with_times_the_noise(measure, above)


def _noise_by_scale(plan: Plan, kept: Description) -> list[_Noise]:
    """The noise of averages, statistics, quantiles and modes, as far as the release says its scale."""
    known, fresh = dict(kept.scales), scales_of(plan)
    pairs = ((request.column, request_id(request)) for request in plan.requests)
    return [
        _Noise(column, float(Fraction(known[name]) / fresh[name]))
        for column, name in pairs
        if name in known and name in fresh
    ]


def _noted(plan: Plan, derived: Derived, noise: _Noise | None) -> Derived:
    if noise is None or noise.ratio < NOTED_NOISE:
        return derived
    names = {request.column: names_of(request, plan)[0] for request in requests_of(plan)}
    most = f"Its numbers are up to {noise.ratio:.1f} times as noisy as fresh ones"
    name = names[noise.column]
    said = f"{most}: the noise of {name}{noise.words}." if noise.words else f"{most}: {name} is."
    event = event_of(plan)
    delta = f" and delta {decimal_text(event.delta)}" if event.delta else ""
    cost = f"A fresh answer takes epsilon {decimal_text(event.epsilon)}{delta}."
    return replace(derived, note=f"{derived.note} {said} {cost}".strip())


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
