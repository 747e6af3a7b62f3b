"""The caveats of a plan: what its answer means where that differs from plain SQL, from public facts alone.

A number of plain SQL is of all rows. A released number is of units, or of what bounds let a unit contribute;
where constraints do not say that both are the same, the plan has a caveat, which is shown with the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import Literal, assert_never, get_args

from dpduck.catalog.model import Bound
from dpduck.query.plan import aggregates
from dpduck.query.plan.aggregates import Aggregate
from dpduck.query.plan.cost import errors_of_ranks, loss_of_sets, measure_error, width_per_clamp
from dpduck.query.plan.model import AsksBeside, EveryKey, Measure, Nulls, PartialKey, Plan, Quotient
from dpduck.query.plan.names import names_of, requests_of
from dpduck.query.plan.private_groups import NoChoice, why_not, would_be_chosen

_FEW_VALUES = 1_000  # points of a grid
_NOTED_LOSS = 1.5  # times the noise of one grouping set, from which it is said

# What the 95 % interval of a released number covers: the number of plain SQL; the same if there were no NULL
# that a caveat names; or, without these, if each unit had one row, or if all values were in their declared
# domains; the same from below only, as bounds can but lower it; or the noise alone, as bounds can move the
# number either way.
Covers = Literal["both", "present", "units", "domain", "below", "noise"]


@dataclass(frozen=True)
class CountsUnits:
    """Numbers that count each unit once, where it may have several rows."""

    columns: tuple[str, ...]
    unit: str


@dataclass(frozen=True)
class AddsUnits:
    """Totals that count each unit once for each group that they add up and that it is in."""

    columns: tuple[str, ...]
    unit: str


@dataclass(frozen=True)
class WeighsUnits:
    """Averages and quantiles in which each unit has the same weight, however many rows it has."""

    columns: tuple[str, ...]
    unit: str


@dataclass(frozen=True)
class MostUnits:
    """The values that most units have, which need not be those of most rows."""

    columns: tuple[str, ...]
    unit: str


@dataclass(frozen=True)
class CutRows:
    """Numbers of at most `most` rows of each unit and group."""

    columns: tuple[str, ...]
    unit: str
    most: int


@dataclass(frozen=True)
class CapsWeights:
    """Quantiles in which all rows of a unit and group together weigh at most as `most` rows."""

    columns: tuple[str, ...]
    unit: str
    most: int


@dataclass(frozen=True)
class CutValues:
    """Counts of distinct values, of which each unit contributes at most `most` to a group."""

    columns: tuple[str, ...]
    unit: str
    most: int
    table: str


@dataclass(frozen=True)
class MissesValues:
    """Counts of distinct values that are lower estimates: how many of each unit count is chosen privately."""

    columns: tuple[str, ...]
    unit: str
    most: int


@dataclass(frozen=True)
class MissesGroups:
    """Lower estimates: in how many groups each unit counts, of `most` at most, is chosen privately."""

    columns: tuple[str, ...]
    unit: str
    most: int


@dataclass(frozen=True)
class CutTotals:
    """A sum of totals of units, each clamped to [low, high]. `lowers`: clamping can only lower it."""

    columns: tuple[str, ...]
    unit: str
    low: float
    high: float
    lowers: bool


@dataclass(frozen=True)
class ClampsTotals:
    """Sums of totals of units, each clamped to a number that is chosen privately, which can only lower them
    if it `lowers`; if they are `counts`, of rows."""

    columns: tuple[str, ...]
    unit: str
    lowers: bool
    counts: bool = False


@dataclass(frozen=True)
class ClampsValues:
    """Numbers of values clamped to [low, high], beyond which types and the query's expressions allow some."""

    columns: tuple[str, ...]
    low: Bound
    high: Bound


@dataclass(frozen=True)
class DividesBounded:
    """Quotients of numbers that bounds on a unit cut. `average`: nearer to those of plain SQL, if known."""

    columns: tuple[str, ...]
    unit: str
    average: str


@dataclass(frozen=True)
class NoisierSets:
    """Numbers of several grouping sets that share epsilon, which makes them up to `times` as noisy as those
    of a query for one of the sets."""

    columns: tuple[str, ...]
    times: float


@dataclass(frozen=True)
class NearExtreme:
    """Quantiles in place of the least and largest values."""

    columns: tuple[str, ...]
    quantile: Fraction


@dataclass(frozen=True)
class NearRank:
    """Quantiles of few values: off by at most `rank` in rank at 95 %, and never between two values."""

    columns: tuple[str, ...]
    rank: int


@dataclass(frozen=True)
class NoiseAlone:
    """Ends of the interval of a sum that are shown, though bounds may have lowered or raised it by more."""

    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class NearlyCovers:
    """Quantiles whose intervals cover about 95 %, as calibrated where values lie close together."""

    columns: tuple[str, ...]
    population: bool


@dataclass(frozen=True)
class DropsValues:
    """The values that come most often, of those in the declared domain."""

    columns: tuple[str, ...]
    size: int


@dataclass(frozen=True)
class CutGroups:
    """Each unit counts in at most `most` groups. `table`: that has this bound; empty if the query has it."""

    unit: str
    most: int
    table: str = ""


@dataclass(frozen=True)
class ManyGroups:
    """Noise is `times` as wide as if each unit had one row, in place of `groups`, as no constraint says.


    `table`: where a unit may have several; None: in none, but its row may meet several of a public table.
    `can_choose`: in how many groups units count could be chosen privately for some count.
    """

    table: str | None
    unit: str
    groups: int
    times: int
    can_choose: bool = False


@dataclass(frozen=True)
class LacksChoice:
    """Numbers for which in how many groups each unit counts is not chosen, though the query asks for it.

    `most`: the groups in which each unit counts by a bound; None if there is none.
    """

    columns: tuple[str, ...]
    unit: str
    why: NoChoice
    most: int | None = None


@dataclass(frozen=True)
class DropsRows:
    """Rows whose keys are beside the domains of the query are in no group, and `totals`: in no total."""

    keys: tuple[PartialKey, ...]
    totals: bool = False


@dataclass(frozen=True)
class CountsEmpty:
    """Numbers of an outer query in which groups of a public domain count that have no rows."""

    columns: tuple[str, ...]


@dataclass(frozen=True)
class DropsNullUnits:
    """Rows that belong to no unit, as a key or link of theirs is NULL, are not counted."""

    nulls: tuple[Nulls, ...]


@dataclass(frozen=True)
class IgnoresNulls:
    """NOT IN ignores the rows of a subquery in which a column is NULL. In plain SQL one of them is enough for
    NOT IN to be true nowhere.
    """

    nulls: tuple[Nulls, ...]


@dataclass(frozen=True)
class HidesRare:
    """Groups that too few units have are not shown."""


@dataclass(frozen=True)
class NoisyFilter:
    """Noise decides which groups near a limit of HAVING or QUALIFY are shown."""


Counted = (
    aggregates.Count
    | aggregates.Mean
    | aggregates.Moments
    | aggregates.Quantile
    | aggregates.Quantiles
    | aggregates.Mode
)
OfColumns = (
    CountsUnits
    | AddsUnits
    | WeighsUnits
    | MostUnits
    | CutRows
    | CapsWeights
    | CutValues
    | MissesValues
    | MissesGroups
    | CutTotals
    | ClampsTotals
    | ClampsValues
    | DropsValues
    | NoisierSets
    | NearExtreme
    | NearRank
    | NearlyCovers
    | NoiseAlone
    | DividesBounded
    | LacksChoice
)
OfGroups = (
    CutGroups
    | ManyGroups
    | DropsRows
    | CountsEmpty
    | DropsNullUnits
    | IgnoresNulls
    | HidesRare
    | NoisyFilter
    | AsksBeside
)
Caveat = OfColumns | OfGroups


def caveats(plan: Plan) -> tuple[Caveat, ...]:
    """Return the caveats of a plan. Columns that differ from plain SQL in the same way share one."""
    columns: dict[OfColumns, tuple[str, ...]] = {}
    for request in requests_of(plan):
        for caveat in _of_request(request, plan):
            columns[caveat] = (*columns.get(caveat, ()), *names_of(request, plan))
    for measure in plan.measures:
        for request, near in _of_ranks(measure):
            columns[near] = (*columns.get(near, ()), *names_of(request, plan))
    others: Iterator[tuple[Aggregate, OfColumns]] = chain(_of_sets(plan), _of_ends(plan), _of_choices(plan))
    for request, other in others:
        columns[other] = (*columns.get(other, ()), *names_of(request, plan))
    for quotient in plan.quotients:
        for caveat in _of_quotient(quotient, plan):
            columns[caveat] = (*columns.get(caveat, ()), quotient.name)
    found = (replace(caveat, columns=tuple(dict.fromkeys(names))) for caveat, names in columns.items())
    return (*found, *_of_groups(plan))


def covers(plan: Plan) -> dict[str, Covers]:
    """Return for each released column that has an interval what this covers."""
    known = {request.column: _covers(request, plan) for request in requests_of(plan)}
    return {column: covered for column, covered in known.items() if covered is not None}


def _of_ends(plan: Plan) -> Iterator[tuple[Aggregate, NoiseAlone]]:
    """Yield the sums of which ends are shown that are of noise alone."""
    shown, known = {column for _, column in plan.shown}, covers(plan)
    for request in requests_of(plan):
        ends = f"{request.column}_low", f"{request.column}_high"
        is_sum = isinstance(request, aggregates.Sum | aggregates.ClampedSum)
        if is_sum and known.get(request.column) == "noise" and not shown.isdisjoint(ends):
            yield request, NoiseAlone()


def covers_of_differences(plan: Plan) -> dict[str, Covers]:
    """Return for each end of the interval of a difference, by its name in the answer, what this covers.

    What moves one of both numbers one way may move the difference either way.
    """
    known = covers(plan)
    found: dict[str, Covers] = {}
    for name, pair in plan.differences:
        each: list[Covers] = [known.get(column, "both") for column in pair]
        least = max(each, key=get_args(Covers).index)
        found[name] = "noise" if least == "below" else least
    return found


def _of_request(request: Aggregate, plan: Plan) -> Iterator[OfColumns]:
    """Yield the caveats of one aggregate, without its columns."""
    if isinstance(request, aggregates.Quantile) and request.extreme:
        yield NearExtreme((), request.quantile)
    if isinstance(request, aggregates.Quantile) and request.interval is not None:
        yield NearlyCovers((), request.interval.population)
    yield from _of_rows(request, plan)
    if _adds_units(request, plan):
        yield AddsUnits((), plan.unit)
    yield from _of_ranges(request, plan)
    if isinstance(request, aggregates.Mode) and request.partial and request.key.domain is not None:
        yield DropsValues((), request.key.domain.size)


def _of_ranges(request: Aggregate, plan: Plan) -> Iterator[OfColumns]:
    """Yield that values are clamped to their ranges, if only domains or the call say that they are within."""
    match request:
        case aggregates.Sum(clamping=clamping, low=low, high=high) if clamping.by_domain:
            if plan.asked.one_each:
                yield ClampsValues((), low, high)
        case aggregates.ClampedSum(each=(low, high)):
            yield ClampsValues((), low, high)
        case aggregates.Mean(clamping=clamping, low=low, high=high) if clamping.moves:
            yield ClampsValues((), float(low), float(high))
        case aggregates.Moments(axes=axes):
            clamped = (axis for axis in axes if axis.clamping.moves)
            yield from (ClampsValues((), float(axis.low), float(axis.high)) for axis in clamped)
        case aggregates.Quantile(clamping=clamping, grid=grid) if clamping.moves:
            yield ClampsValues((), grid.low, grid.high)


def _of_rows(  # noqa: C901 (a case for each kind)
    request: Aggregate, plan: Plan
) -> Iterator[OfColumns]:
    """Yield what bounds on a unit, which may have several rows in a group, make of an aggregate."""
    if isinstance(request, aggregates.Sum):
        if request.clamping.by_call or not plan.asked.one_each:
            ends = float(request.low), float(request.high)
            yield CutTotals((), plan.unit, *ends, request.clamping.lowers)
    elif isinstance(request, aggregates.ClampedSum):
        yield ClampsTotals((), plan.unit, request.clamping.lowers, request.counts)
    elif isinstance(request, aggregates.Distinct):
        if not (plan.asked.one_each or request.is_of_unit or _has_few_values(request)):
            yield CutValues((), plan.unit, request.values, plan.tables[0].name)
    elif isinstance(request, aggregates.ChosenDistinct):
        yield MissesValues((), plan.unit, request.most)
    elif isinstance(request, aggregates.ChosenCount):
        yield MissesGroups((), plan.unit, request.most)
        yield from _of_rows(request.of, plan)
    elif not plan.asked.one_each:
        yield from _of_several(request, plan.unit)


def _adds_units(request: Aggregate, plan: Plan) -> bool:
    """Whether a total counts or weighs a unit several times, where a query of its own would do so once."""
    if not plan.asked.adds_units or plan.selection.groups == 1:
        return False
    match request:
        case aggregates.Count(rows=None, asks_units=asks_units):
            return asks_units or not plan.asked.one_each
        case aggregates.Mean(rows=None):
            return not plan.asked.one_each
    return False


def _of_several(request: Counted, unit: str) -> Iterator[OfColumns]:
    """Yield what becomes of several rows of a unit in an aggregate that sees their number or weight."""
    match request:
        case aggregates.Mode():
            yield MostUnits((), unit)
        case aggregates.Count(rows=int(rows)) | aggregates.Mean(rows=int(rows)):
            yield CutRows((), unit, rows)
        case aggregates.Moments(rows=int(rows)):
            yield CutRows((), unit, rows)
        case aggregates.Quantile(rows=int(rows)):
            yield CapsWeights((), unit, rows)
        case aggregates.Count(asks_rows=asks_rows):
            if asks_rows:
                yield CountsUnits((), unit)
        case aggregates.Mean() | aggregates.Moments() | aggregates.Quantile() | aggregates.Quantiles():
            yield WeighsUnits((), unit)
        case _:
            assert_never(request)


def _of_ranks(measure: Measure) -> Iterator[tuple[Aggregate, NearRank]]:
    """Yield how near quantiles are that plain SQL takes between two of few whole numbers or dates."""
    errors = errors_of_ranks(measure).values()
    for request in measure.requests:
        match request:
            case aggregates.Quantile(extreme=False, value=value, grid=grid, type=answer):
                between = value.type.kind in ("integer", "date") and answer != value.type.name
                if between and grid.size <= _FEW_VALUES:
                    yield request, NearRank((), round(max(error.sure for error in errors)))


def _of_sets(plan: Plan) -> Iterator[tuple[Aggregate, NoisierSets]]:
    """Yield by how much the totals of other sets make those of each noisier."""
    losses = loss_of_sets(plan)
    for request in requests_of(plan):
        times = round(losses.get(request.column, 1.0), 1)
        if times >= _NOTED_LOSS:
            yield request, NoisierSets((), times)


def _of_choices(plan: Plan) -> Iterator[tuple[Aggregate, LacksChoice]]:
    """Yield the numbers that a query asks to have a private choice of groups, and that have none."""
    for request in requests_of(plan) if plan.asked.private_groups else ():
        why = None if isinstance(request, aggregates.ChosenCount) else why_not(request, plan)
        if why is not None:
            yield request, LacksChoice((), plan.unit, why, plan.asked.most)


def _of_quotient(quotient: Quotient, plan: Plan) -> Iterator[DividesBounded]:
    """Yield that a quotient is of bounded numbers, which differ from those of plain SQL by no one factor."""
    requests = {request.column: request for request in requests_of(plan)}
    parts = [requests[column] for column in quotient.dividend | quotient.divisor]
    bounds = CountsUnits | CutRows | CutValues | MissesValues | CutTotals | ClampsTotals
    if any(isinstance(caveat, bounds) for part in parts for caveat in _of_rows(part, plan)):
        yield DividesBounded((), plan.unit, _average(quotient, requests))


def _average(quotient: Quotient, requests: Mapping[str, Aggregate]) -> str:
    """Return the average that plain SQL computes by a quotient; empty if it is none."""
    if len(quotient.dividend) != 1 or len(quotient.divisor) != 1:
        return ""
    [dividend], [divisor] = (
        [requests[column] for column in columns] for columns in (quotient.dividend, quotient.divisor)
    )
    if not isinstance(divisor, aggregates.Count) or not divisor.asks_rows:
        return ""
    if isinstance(dividend, aggregates.ClampedSum) and not dividend.has_range:
        return dividend.written.bounded if dividend.conditions == divisor.conditions else ""
    of_all = isinstance(dividend, aggregates.Count) and dividend.asks_rows and not divisor.conditions
    same = (
        isinstance(dividend, aggregates.Sum | aggregates.ClampedSum)
        and dividend.conditions == divisor.conditions
    )
    return dividend.written.average if of_all or same else ""


def _has_few_values(request: aggregates.Distinct) -> bool:
    """Whether its argument has a domain of no more values than a unit may contribute."""
    domain = request.value.domain
    return domain is not None and domain.size <= request.values


def _covers(request: Aggregate, plan: Plan) -> Covers | None:
    if isinstance(request, aggregates.Mode):
        return None
    if isinstance(request, aggregates.Quantile) and request.interval is None:
        return None
    leaves_out = plan.asked.not_in or request.column in plan.asked.of_null_units
    if isinstance(request, aggregates.ChosenDistinct) and request.size is None:
        return "below"
    if isinstance(request, aggregates.ChosenCount):
        return "below"
    found = list(_of_request(request, plan))
    clamping = getattr(request, "clamping", aggregates.Clamping(lowers=True))
    is_cut = plan.asked.most is not None or clamping.by_call
    if is_cut or any(isinstance(one, CutRows | CutValues | CutTotals | ClampsTotals) for one in found):
        below = clamping.lowers and not isinstance(request, aggregates.Mean | aggregates.Quantile)
        return "below" if below else "noise"
    if any(isinstance(one, CountsUnits | AddsUnits | WeighsUnits | CapsWeights) for one in found):
        return "units"
    if clamping.by_domain or (isinstance(request, aggregates.Distinct) and request.by_domain):
        return "domain"
    return "present" if leaves_out else "both"


def _of_groups(plan: Plan) -> Iterator[OfGroups]:
    yield from plan.asked.beside
    if plan.asked.partial_keys:
        yield DropsRows(plan.asked.partial_keys, totals=bool(plan.sets))
    if plan.counting and plan.keys and isinstance(plan.selection, EveryKey) and not plan.asked.noisy_filter:
        yield CountsEmpty(plan.counting)
    if any(request.column in plan.asked.of_null_units for request in requests_of(plan)):
        yield DropsNullUnits(plan.asked.null_units)
    if plan.asked.not_in:
        yield IgnoresNulls(plan.asked.not_in)
    if plan.asked.noisy_filter:
        yield NoisyFilter()
    if plan.keys and not plan.space.is_known:
        yield HidesRare()
    if plan.asked.most is not None:
        bounded = (one.name for one in plan.asked.named if one.contribution.groups == plan.asked.most)
        yield CutGroups(plan.unit, plan.asked.most, next(bounded, ""))
    else:
        yield from _of_unbounded_groups(plan)


def _times_as_wide(measure: Measure) -> int:
    """Return how many times as wide the noise of a measure is as if each unit were in one group.

    It is 1 where a unit counts in a number of groups that is chosen privately.
    """
    if isinstance(measure.request, aggregates.ChosenCount):
        return 1
    if measure.gaussian is None:
        return measure.groups
    alone = replace(measure, gaussian=None, groups=1)
    if isinstance(measure.request, aggregates.ClampedSum):
        return max(round(width_per_clamp(measure) / width_per_clamp(alone)), 1)
    width, least = measure_error(measure), measure_error(alone)
    return measure.groups if width is None or not least else max(round(width / least), 1)


def _of_unbounded_groups(plan: Plan) -> Iterator[ManyGroups]:
    """Yield that no bound on groups is declared, where one would make the noise smaller."""
    own = plan.selection.groups or 1
    groups = max([own, *(measure.groups for measure in plan.measures)])
    times = max([own if plan.selection.epsilon else 1, *map(_times_as_wide, plan.measures)])
    bounds = [table.contribution for table in plan.asked.named]
    is_declared = any(bound.groups is not None or bound.rows not in (None, 1) for bound in bounds)
    if min(times, groups) > 1 and not is_declared and not plan.asked.one_each:
        table = next((table.name for table in plan.asked.named if not table.unit_is_unique), None)
        yield ManyGroups(table, plan.unit, groups, times, would_be_chosen(plan))
