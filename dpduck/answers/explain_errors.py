"""The expected error of each number, in the words of EXPLAIN."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, assert_never

from dpduck.kernel.errors import decimal_text
from dpduck.kernel.mechanisms.additive import half_width
from dpduck.kernel.mechanisms.averages import accuracy_of_means
from dpduck.kernel.mechanisms.chosen_groups import CHOOSING, count_rate
from dpduck.kernel.mechanisms.deviations import half_width_if_even
from dpduck.kernel.mechanisms.moments import moment_scale
from dpduck.kernel.mechanisms.populations import sampling_of
from dpduck.kernel.mechanisms.proportions import half_width_of_half
from dpduck.kernel.mechanisms.quantile import RankErrors
from dpduck.kernel.plan import aggregates
from dpduck.kernel.plan.cost import (
    chosen_error,
    column_error,
    error_of_totals,
    errors_in_clamps,
    errors_of_ranks,
    errors_of_sums,
    expected_error,
    noise_of_distinct,
    rank_error,
    spans_of,
    units_of_clamp,
)
from dpduck.kernel.plan.coverage import Covers, covers
from dpduck.kernel.plan.keys import Places
from dpduck.kernel.plan.model import (
    UNITS,
    Measure,
    Plan,
)
from dpduck.kernel.plan.names import names_of, requests_of, spoken

ErrorsOfSets = Mapping[tuple[Places, str], float]  # by the keys of a grouping set, and the released column
ErrorOf = Literal["number", "average", "rank", "count", "noise"]

_MOST_SETS = 8  # grouping sets of which the error is shown
_UNITS = 1_000  # of which the relative error of a sum is shown


def promises_of(plan: Plan, known: ErrorsOfSets = MappingProxyType({})) -> list[str]:
    """The expected error of each released number, shown or computed with, in words.

    Input: of averages that were released, what those of each grouping set stay within at 95 %.
    """
    if plan.sets:
        return list(_promises_of_totals(plan, known))
    covered, own = covers(plan), column_error(plan)
    widest, names = {**own, **chosen_error(plan)}, _names(plan)
    promises = []
    for column, width in widest.items():
        for name in names[column]:
            promise = _promise(name, width, covered.get(column, "both"), f"{plan.unit} counts once")
            chosen = f"; {own[column]:,.4g} where noise is not why a group is shown"
            promises.append(promise if width == own[column] else promise + chosen)
    for measure in plan.measures:
        promises += _value_error(measure, plan)
    return [*promises, *_promises_of_sums(plan)]


@dataclass(frozen=True)
class KnownError:
    """What an error stays within with probability 0.95, in words of `promises_of`.

    `of`: of what it is: of the "number" itself; of an "average" or statistic of 1,000 units; of the "rank" of
    a quantile; of a mode's "count", below the largest; of the "noise" of what is chosen privately: of the
    least choice, of a clamp of 100, or of 5 rows.
    """

    within: float
    of: ErrorOf = "number"


def errors_of(plan: Plan) -> dict[str, KnownError]:
    """The error of each released number whose error `promises_of` says, by its name.

    The name is that in the answer, or of a number that is only computed with, as in 1 + count(*), its form in
    the query. Of grouping sets it is the largest.
    """
    found = {name: KnownError(within) for name, within in expected_error(plan).items()}
    names = {UNITS: [f"the count of {plan.unit}"]} | {
        request.column: _names_in_answer(request, plan) for request in requests_of(plan)
    }
    widest = [{**column_error(plan), **chosen_error(plan)}]
    if plan.sets:
        widest = [error_of_totals(plan, places) for places in plan.sets]
    errors = [(column, KnownError(within)) for one in widest for column, within in one.items()]
    errors += [(column, error) for measure in plan.measures for column, error in _other_errors(measure, plan)]
    for column, error in sorted(errors, key=lambda one: -one[1].within):
        for name in names[column] if math.isfinite(error.within) else ():
            found.setdefault(name, error)
    return found


def _names_in_answer(request: aggregates.Aggregate, plan: Plan) -> list[str]:
    """The names of an aggregate as programs find them; its form in the query if it is not shown as it is."""
    return [name for name, column in plan.shown if column == request.column] or names_of(request, plan)


def _other_errors(measure: Measure, plan: Plan) -> Iterator[tuple[str, KnownError]]:
    """The errors of a measure that are not of the number whatever the rows are, by released column."""
    request, ranks = measure.request, errors_of_ranks(measure)
    number = max(map(plan.space.most_merged, plan.sets), default=1)
    match request:
        case aggregates.ChosenDistinct():
            yield request.column, KnownError(half_width(noise_of_distinct(measure, 1)), "noise")
        case aggregates.ChosenCount():
            yield (
                request.column,
                KnownError(half_width(count_rate(measure.epsilon, 1, request.rows)), "noise"),
            )
        case aggregates.ClampedSum():
            clamp = 5 if request.counts else 100
            width = math.sqrt(number) * errors_in_clamps(plan)[request.column]
            yield request.column, KnownError(clamp * width, "noise")
        case aggregates.Mean():
            yield request.column, KnownError(_mean_width(measure, request, number), "average")
        case aggregates.Moments():
            yield request.column, KnownError(_moment_width(measure, request), "average")
        case aggregates.Mode() if (least := rank_error(measure)) is not None:
            yield request.column, KnownError(least, "count")
    yield from ((column, KnownError(error.sure, "rank")) for column, error in ranks.items())


def _promises_of_sums(plan: Plan) -> Iterator[str]:
    """The same of numbers that an outer query adds up over groups, whose noises add up too."""
    covered, sums = covers(plan), errors_of_sums(plan)
    for name, column in plan.sums:
        if column in sums:
            each = f"{plan.unit} counts once in each group"
            promise = _promise(name, sums[column], covered.get(column, "both"), each)
            yield f"{promise}: it adds up to {plan.space.size:,} groups"


def _promises_of_totals(plan: Plan, known: ErrorsOfSets) -> Iterator[str]:
    """The same of each grouping set; of many sets, of those that add up the fewest and the most groups."""
    sets = list(dict.fromkeys(plan.sets))
    if len(sets) > _MOST_SETS:
        merged = plan.space.most_merged
        sets = [min(sets, key=merged), max(sets, key=merged)]
    covered, names = covers(plan), _names(plan)
    each = f"{plan.unit} counts once in each group" if plan.asked.adds_units else f"{plan.unit} counts once"
    for measure in plan.measures:
        column = measure.request.column
        for places in sets:
            group = of_set(plan, places)
            own, widest = (error_of_totals(plan, places, chosen=chosen) for chosen in (False, True))
            for name in names[column] if column in widest else ():
                promise = _promise(name, widest[column], covered.get(column, "both"), each)
                chosen = f"; {own[column]:,.4g} where noise is not why a group is shown"
                yield f"{group}: {promise if own[column] == widest[column] else promise + chosen}"
            if any(of == column for _, of in known):
                if (places, column) in known:
                    width, covering = known[places, column], covered.get(column, "both")
                    yield from (f"{group}: {_promise(one, width, covering, each)}" for one in names[column])
                continue
            of_values = _value_error(measure, plan, plan.space.most_merged(places))
            yield from (f"{group}: {promise}" for promise in of_values)


def of_set(plan: Plan, places: Places) -> str:
    """Which groups those of a grouping set are."""
    names = [plan.keys[place].name for place in places]
    number = plan.space.most_merged(places)
    merged = f" (up to {number:,} groups together)" if number > 1 else ""
    return (f"each {', '.join(names)}" if names else "all") + merged


def coarsest_and_finest(plan: Plan) -> list[Places]:
    """Return the grouping sets that add up the most and the fewest groups."""
    merged = plan.space.most_merged
    return list(dict.fromkeys((max(plan.sets, key=merged), min(plan.sets, key=merged))))


def of_sets(plan: Plan, errors: Callable[[Places], Mapping[str, float]]) -> dict[str, float]:
    """Return the error of each number on these sets, by its name with that of its groups.

    Input: the errors of a grouping set by released column.
    """
    return {
        f"{spoken(name)} of {of_set(plan, places).partition(' (')[0]}": found[column]
        for places in coarsest_and_finest(plan)
        for found in [errors(places)]
        for name, column in plan.shown
        if column in found
    }


def clamped_errors(plan: Plan) -> dict[str, float]:
    """Return the error of each sum with a private clamp, in clamps, by name; of sets as `of_sets` does."""
    if plan.sets:
        return of_sets(plan, lambda places: errors_in_clamps(plan, places))
    widths = errors_in_clamps(plan)
    return {
        name: widths[request.column]
        for request in requests_of(plan)
        if request.column in widths
        for name in names_of(request, plan)
    }


def _promise(name: str, width: float, covered: Covers, each: str) -> str:
    size, sure = f"{width:,.4g}", "with probability 95 %"
    match covered:
        case "both":
            return f"{name} is within {size} of the truth {sure}"
        case "present":
            return f"{name} is within {size} of the truth {sure}, if no NULL is left out"
        case "units":
            return f"{name} is within {size} of the truth {sure}, if each {each}"
        case "domain":
            return f"{name} is within {size} of the truth {sure}, if all values are in their domains"
        case "below":
            return f"the truth is at least {name} - {size} {sure}, and may be far above {name}"
        case "noise":
            return f"the noise of {name} is within {size} {sure}; bounds may move it further"
    assert_never(covered)


def short_name(measure: Measure, plan: Plan) -> str:
    """What the aggregates of a measure are called."""
    return ", ".join(dict.fromkeys(names_of(request, plan)[0] for request in measure.requests))


def _names(plan: Plan) -> dict[str, list[str]]:
    """The names of the released columns of numbers, for each column."""
    return {UNITS: [f"the count of {plan.unit}"]} | {
        request.column: names_of(request, plan) for request in requests_of(plan)
    }


def _value_error(measure: Measure, plan: Plan, number: int = 1) -> list[str]:
    """The error of what is no count or sum. Input: of how many groups together."""
    short = short_name(measure, plan)
    if isinstance(measure.request, aggregates.ChosenDistinct):
        return [_distinct_error(short, plan.unit, measure)]
    if isinstance(measure.request, aggregates.ChosenCount):
        return [_count_error(short, plan.unit, measure, measure.request)]
    if isinstance(measure.request, aggregates.ClampedSum):
        return [_clamped_error(short, plan, measure, number)]
    if isinstance(measure.request, aggregates.Mean):
        width, of = _mean_width(measure, measure.request, number), _of_whom(measure.request)
        return [f"{short} of 1,000 units is within {width:,.4g}{of} with probability 95 %, less with more"]
    if isinstance(measure.request, aggregates.Moments):
        return [_moment_error(short, measure.request, measure)]
    ranks = errors_of_ranks(measure)
    if ranks:
        return [_rank_error(short, ranks.values(), measure, plan)]
    least = rank_error(measure)
    if least is None:
        return []
    return [f"{_part('count', short, plan)} is at most {least:,.0f} below the largest with probability 95 %"]


def _mean_width(measure: Measure, request: aggregates.Mean, number: int = 1) -> float:
    """What an average of 1,000 units stays within. Input: of how many groups together."""
    rows = request.rows or 1
    share = accuracy_of_means(measure.epsilon, 1000, rows=rows, groups=measure.groups).half_width
    if request.population:
        share = half_width_of_half(1000, float(rows * measure.groups / measure.epsilon), rows)
    return min(math.sqrt(number) * share, 1.0) * float(request.high - request.low)


def _moment_width(measure: Measure, request: aggregates.Moments) -> float:
    """The same of a statistic whose values fill their range evenly; infinite if it is NULL."""
    scale = moment_scale(measure.epsilon, rows=request.rows or 1, groups=measure.groups)
    sampling = sampling_of(request.statistic, request.rows or 1) if request.population else None
    return half_width_if_even(
        request.statistic, 1000, scale, spans_of(request), degree=request.degree, sampling=sampling
    )


def _rank_error(short: str, errors: Collection[RankErrors], measure: Measure, plan: Plan) -> str:
    """By how much the rank of a quantile is off, at most and usually; of several, the one that is worst."""
    request = measure.request
    if isinstance(request, aggregates.Quantile) and request.extreme:
        return _extreme_error(short, request, measure)
    one = request.of if isinstance(request, aggregates.Quantiles) else request
    weights = "rows" if isinstance(one, aggregates.Quantile) and one.rows is not None else "units"
    is_one = one is request
    rank = f"{_part('rank' if is_one else 'ranks', short, plan)} {'is' if is_one else 'are'}"
    sure, usual = (
        _rounded(max(numbers)) for numbers in ([e.sure for e in errors], [e.typical for e in errors])
    )
    off = f"{sure} {weights} with probability 95 %{'' if is_one else ' each'}"
    return f"{rank} off by at most {off}, about {usual} where values lie close together"


def _extreme_error(short: str, request: aggregates.Quantile, measure: Measure) -> str:
    """How many values are beyond an extreme, and how many it needs."""
    weights = "rows" if request.rows is not None else "units"
    found, parts = request.extreme_of(measure.epsilon / measure.groups), request.parts or 1
    beyond, needed = (f"{math.ceil(number / parts):,}" for number in (found.beyond, found.depth))
    sure = f"some value is there or beyond, and at most {beyond} {weights} are beyond"
    return f"{short}: with probability 95 % each, {sure}; fewer than about {needed} give the end of its range"


def _rounded(rank: float) -> str:
    return f"{rank:,.0f}" if rank >= 10 else f"{rank:,.2g}"


def _distinct_error(short: str, unit: str, measure: Measure) -> str:
    """What noise does, of which the amount depends on the number of values that is chosen."""
    one, two = (half_width(noise_of_distinct(measure, level)) for level in (1, 2))
    lower = f"{short} is a lower estimate: each {unit} stands for at most l values, and others are missed"
    sure = f"noise is within {one:,} with probability 95 % for l = 1, within {two:,} for l = 2"
    return f"{lower}; {sure}, and about twice as much for each doubling"


def _count_error(short: str, unit: str, measure: Measure, request: aggregates.ChosenCount) -> str:
    """What noise does, of which the amount depends on the number of groups that is chosen."""
    one, two = (half_width(count_rate(measure.epsilon, most, request.rows)) for most in (1, 2))
    lower = f"{short} is a lower estimate: {unit} in more than m groups are missed in some of them"
    sure = f"noise is within {one:,} with probability 95 % for m = 1, within {two:,} for m = 2"
    share = decimal_text(CHOOSING * measure.epsilon)
    return f"{lower}; {sure}, and about twice as much for each doubling; {share} of epsilon chooses m"


def _clamped_error(short: str, plan: Plan, measure: Measure, number: int) -> str:
    """What noise does, of which the amount depends on the clamp that is chosen. Input: of how many groups."""
    unit, column = plan.unit, measure.request.column
    own, width = (
        math.sqrt(number) * errors_in_clamps(plan, chosen=chosen)[column] for chosen in (False, True)
    )
    lost, clamp = f"what totals of one {unit} have beyond their clamp is lost, and not known", "the clamp"
    example = f"{100 * width:,.4g} for a clamp of 100"
    if isinstance(measure.request, aggregates.ClampedSum) and measure.request.counts:
        lost, clamp = f"rows of one {unit} beyond l are lost, and how many is not known", "l"
        example = f"{5 * width:,.4g} for l = 5"
    sure = f"noise is within {width:,.3g} times {clamp} with probability 95 %, such as {example}"
    sure += f" ({own:,.3g} times where noise is not why a group is shown)" if own != width else ""
    # Totals that are spread evenly from 0 to the clamp have half of it as their mean.
    share = f"{2 * width / _UNITS:.2g}" if width > _UNITS / 2 else f"{200 * width / _UNITS:.2g} %"
    times = "times the sum" if width > _UNITS / 2 else "of the sum"
    sure += f": {share} {times} of {_UNITS:,} units with totals evenly up to {clamp}, less of more"
    fewest = units_of_clamp(measure)
    where = " in the largest group all are" if measure.groups > 1 else " it is"
    few = f"; with fewer than about {fewest:,} units{where} all but 0, whatever the truth is"
    return f"{short}: {lost}; {sure}{few if fewest > 1 else ''}"


def _part(part: str, name: str, plan: Plan) -> str:
    return f"its {part}" if len(plan.measures) == 1 else f"the {part} of {name}"


def _moment_error(short: str, request: aggregates.Moments, measure: Measure) -> str:
    """What noise does to a statistic depends on how far values spread, which only the data say."""
    width = _moment_width(measure, request)
    if not math.isfinite(width):
        return f"{short} of 1,000 units is NULL, as noise is as large as their number or spread"
    sure = f"is within {width:,.4g}{_of_whom(request)} with probability 95 %"
    if request.statistic == "avg":
        return f"{short} of 1,000 units that fill its range evenly {sure}, less with more"
    return f"{short} of 1,000 units that fill its range evenly {sure}, more if they are close together"


def _of_whom(request: aggregates.Mean | aggregates.Moments) -> str:
    return " of that of the population" if request.population else ""
