"""Computes the expected error of a plan, from the plan alone: it is public."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import assert_never

from dpduck.kernel.errors import InternalError
from dpduck.kernel.mechanisms.additive import half_width
from dpduck.kernel.mechanisms.chosen_groups import widening as widening_of_counts
from dpduck.kernel.mechanisms.clamp_noise import ClampNoise, GaussianOfClamp, LaplaceOfClamp
from dpduck.kernel.mechanisms.clamped_sums import units_above
from dpduck.kernel.mechanisms.clamped_sums import widening as widening_of_sums
from dpduck.kernel.mechanisms.deviations import Extent
from dpduck.kernel.mechanisms.distinct_values import widening
from dpduck.kernel.mechanisms.gaussian import Variances, correlated, independent
from dpduck.kernel.mechanisms.levels import variance_of_total
from dpduck.kernel.mechanisms.many_quantiles import errors_of_many, levels_of
from dpduck.kernel.mechanisms.margins import Margins, rounding_of, variance_of_margin
from dpduck.kernel.mechanisms.private_topk import KEYS_READ
from dpduck.kernel.mechanisms.quantile import RankErrors, rank_errors
from dpduck.kernel.mechanisms.quantile_intervals import PARTS
from dpduck.kernel.mechanisms.ranked_counts import half_width_if_chosen
from dpduck.kernel.plan import aggregates
from dpduck.kernel.plan.choosing import found_half_width, least_count
from dpduck.kernel.plan.keys import Places
from dpduck.kernel.plan.model import (
    EveryKey,
    FoundKeys,
    KeysAbove,
    LargestKeys,
    Measure,
    Plan,
    Selection,
)
from dpduck.kernel.plan.prices import (
    epsilon_of_noise,
    gaussian_split_of,
    split_of,
)

_DOUBT = 0.05


def column_error(plan: Plan) -> dict[str, float]:
    """Return for each released number the half-width that its noise stays within with probability 0.95."""
    errors = {m.request.column: width for m in plan.measures if (width := measure_error(m)) is not None}
    counted = plan.selection.counted
    if counted is not None:
        errors[counted] = selection_error(plan.selection)
    return errors


def expected_error(plan: Plan) -> dict[str, float]:
    """Return for each released number, by its name in the answer, what its error stays within at 95 %.

    That is `column_error`, but where noise decides which groups are shown: see `chosen_error`.
    """
    errors = {} if plan.sets else {**column_error(plan), **chosen_error(plan)}
    for places in plan.sets:
        for column, error in error_of_totals(plan, places).items():
            errors[column] = max(error, errors.get(column, 0.0))
    sums = errors_of_sums(plan)
    shown = {name: errors[column] for name, column in plan.shown if column in errors}
    computed = {
        one.name: one.computed.error(errors[one.computed.column])
        for one in plan.ends
        if one.computed is not None and one.computed.column in errors
    }
    return shown | computed | {name: sums[column] for name, column in plan.sums if column in sums}


def errors_of_sums(plan: Plan) -> dict[str, float]:
    """Return for each count or sum what its total over all groups stays within at 95 %.

    Independent noises as in `error_of_totals`. Gaussian noise of n groups has the variance n a + n^2 b, with
    the part b that they share, and n / 12 more from rounding.
    Output: none where noise decides which groups are added up, where their number is not public, or where the
        noise follows from a clamp that is not chosen yet.
    """
    number = plan.space.size
    if number is None or plan.sets or plan.cut.columns or not isinstance(plan.selection, EveryKey):
        return {}
    found = {}
    for measure in plan.measures:
        width, tick = measure_error(measure), 10.0 ** -places_of(measure.request)
        if measure.gaussian is not None and bound_of(measure.request) is not None:
            one = variances_of(measure)
            total = Variances(number * (one.own + Fraction(1, 12)), number**2 * one.shared)
            found[measure.request.column] = total.half_width() * tick
        elif width is not None:
            found[measure.request.column] = width if number == 1 else math.sqrt(number) * (width + tick)
    return found


def error_of_totals(plan: Plan, places: Places, *, chosen: bool = True) -> dict[str, float]:
    """Return for each number what the totals of a grouping set stay within at 95 %.

    n > 1 independent noises together are within sqrt n times one tick more than the half-width of one, with
    at least the same probability (see `replay.derive`). Noise that groups share is not chosen for totals.
    Input: `chosen`: allow for it where noise decides which totals are shown.
    """
    number, found = plan.space.most_merged(places), {}
    for measure in plan.measures:
        column = measure.request.column
        doubt = doubt_of_totals(plan, column) if chosen else _DOUBT
        width = measure_error(measure, doubt)
        if measure.levels is not None:
            found[column] = error_on_levels(measure, places, measure.levels.sizes[-1] / number, doubt)
        elif width is not None:
            tick = 10.0 ** -places_of(measure.request)
            found[column] = width if number == 1 else math.sqrt(number) * (width + tick)
    return found


def doubt_of_totals(plan: Plan, column: str) -> float:
    """Return how often the interval of a total may miss: less where noise decides which totals are shown."""
    if column not in plan.cut.columns:
        return _DOUBT
    return _DOUBT * min(plan.cut.places / sum(plan.space.size_of(one) or 0 for one in plan.sets), 1)


def costs_of_sets(plans: Sequence[Plan]) -> list[float]:
    """Return for each of several plans of one query how exact it is on all grouping sets.

    That is the root of the mean square of the half-widths of all numbers on all sets, each relative to the
    least that any of the plans has there. So no set counts more than another because of how noisy its totals
    are in any case, and one that a plan makes r times as noisy as need be costs r^2.
    Output: in units of the numbers: times the root of the mean square of what each is relative to. It is 0 if
    no number is a count or a sum.
    """
    each = [_errors_of_sets(plan) for plan in plans]
    least = {key: min(errors[key] for errors in each) for key in each[0]}
    typical = _root_mean_square(list(least.values()))
    return [
        typical * _root_mean_square([_relative(errors[key], one) for key, one in least.items()])
        for errors in each
    ]


def _errors_of_sets(plan: Plan) -> dict[tuple[str, frozenset[int]], float]:
    """What the totals of each grouping set stay within at 95 %, for each number that is a count or a sum."""
    return {
        (column, places): width
        for places in dict.fromkeys(map(frozenset, plan.sets))
        for column, width in error_of_totals(plan, tuple(sorted(places)), chosen=False).items()
    }


def _relative(width: float, least: float) -> float:
    if not least:
        return math.inf if width else 1.0
    return width / least


def _root_mean_square(numbers: Sequence[float]) -> float:
    return math.sqrt(math.fsum(one**2 for one in numbers) / len(numbers)) if numbers else 0.0


def loss_of_sets(plan: Plan) -> dict[str, float]:
    """Return by how much a number measured on levels is noisier than if one set were asked alone, at most.

    Of the grouping sets that no other one contains, whose groups are nothing but themselves there.
    """
    distinct = set(map(frozenset, plan.sets))
    finest = [tuple(sorted(one)) for one in distinct if not any(one < other for other in distinct)]
    found: dict[str, float] = {}
    for measure in plan.measures:
        if measure.levels is None:
            continue
        for places in finest:
            groups = min(measure.groups, plan.space.size_of(places) or 1)
            alone = measure_error(replace(measure, levels=None, groups=groups))
            width = error_of_totals(plan, places, chosen=False)[measure.request.column]
            if alone:
                column = measure.request.column
                found[column] = max(found.get(column, 0.0), width / alone)
    return found


def error_on_levels(measure: Measure, places: Places, cells: float, doubt: float = _DOUBT) -> float:
    """Return what totals stay within that are measured on levels.

    A weighted sum of Laplace noises exceeds ln(1 / doubt) times the root of the sum of the squares of their
    weighted scales with at most this probability: the tails of one alone are the heaviest. Rounding adds
    to it.
    Input: the keys of the totals, and how many there are.
    """
    levels, bound = measure.levels, bound_of(measure.request)
    if levels is None or bound is None:
        raise InternalError("a measure without levels has no totals of its own")
    scale = float(len(levels.sizes) * measure.groups * bound / measure.epsilon)
    if levels.shape:
        keys = tuple(sorted(place for place in places if levels.shape[place] > 1))
        margins = Margins(levels.shape, levels.places)
        variance = variance_of_margin(margins, keys, [Fraction(1)] * len(levels.places))
        rounding = rounding_of(keys)
    else:
        variance, rounding = variance_of_total(levels.sizes, cells), 2
    width = -math.log(doubt) * scale * math.sqrt(variance) + rounding
    return width / 10.0 ** places_of(measure.request)


def chosen_error(plan: Plan) -> dict[str, float]:
    """Return the error of each released number whose own noise decides which groups are shown.

    It holds whatever the data are. Where groups are near ties, noise chooses those that it raises most, and
    so the error is that of the largest noises of all groups. Where the groups shown are far above all others
    it is `column_error`. Which of the two it is, only the data say.
    """
    found, groups = {}, _groups_measured(plan)
    match plan.selection:
        case LargestKeys(gaussian=True, counted=str(counted)) as selection:  # chosen by another noise
            if counted in plan.cut.columns:
                doubt = _DOUBT * min(plan.cut.places / groups, 1)
                found[counted] = float(gaussian_split_of(selection).variances.half_width(1 - doubt))
        case Selection(counted=str(counted)):
            found[counted] = _selected_error(plan, plan.space.size or KEYS_READ)
    for measure in plan.measures:
        width = measure_error(measure, _DOUBT * min(plan.cut.places / groups, 1))
        if measure.request.column in plan.cut.columns and width is not None:
            found[measure.request.column] = width
    return found


def interval_factors(plan: Plan) -> dict[str, float]:
    """Return by how much the released intervals of numbers are too narrow, as noise chose what is shown.

    Output: for the numbers of measures, whose intervals are released for all groups, for ranked counts that
        are measured anew, and for counts of found keys. Other selections release intervals that allow for it.
    """
    plain, chosen = column_error(plan), chosen_error(plan)
    measured = [measure.request.column for measure in plan.measures]
    match plan.selection:
        case LargestKeys(gaussian=True, counted=str(counted)):
            measured.append(counted)
        case FoundKeys(counted=str(counted)) if counted in plan.cut.columns:
            measured.append(counted)
    factors = {name: chosen[name] / plain[name] for name in measured if name in chosen and plain[name]}
    for measure in plan.measures:
        name = measure.request.column
        doubt = _DOUBT * min(plan.cut.places / _groups_measured(plan), 1)
        match measure.request:
            case aggregates.ChosenDistinct() if name in plan.cut.columns:
                factors[name] = widening(noise_of_distinct(measure), doubt)
            case aggregates.ChosenCount(ladder=ladder, rows=rows) if name in plan.cut.columns:
                factors[name] = widening_of_counts(measure.epsilon, ladder, rows, doubt)
            case aggregates.ClampedSum(steps=steps) if name in plan.cut.columns:
                factors[name] = widening_of_sums(noise_of_clamp(measure), steps, doubt)
    return factors


def doubt_if_chosen(plan: Plan) -> float:
    """Return how often the interval of a number may miss by which noise chooses the groups that are shown."""
    return _DOUBT * min(plan.cut.places / _groups_measured(plan), 1)


def without_interval(plan: Plan) -> frozenset[str]:
    """Return the numbers that have no interval, as noise chooses by them what is shown.

    Statistics, and averages for a population, have parts of an interval that are not released. That of a
    ranked count allows for its own choice, not for another one among the groups that this has chosen.
    """
    found, selection = set[str](), plan.selection
    if doubt_if_chosen(plan) < _DOUBT:
        for request in (one for measure in plan.measures for one in measure.requests):
            of_parts = isinstance(request, aggregates.Moments)
            if of_parts or (isinstance(request, aggregates.Mean) and request.population):
                found.add(request.column)
    chosen_again = isinstance(selection, KeysAbove) and selection.counted in plan.cut.again
    if isinstance(selection, LargestKeys) and not selection.gaussian and not selection.spread:
        chosen_again = plan.cut.places < selection.k and selection.counted in plan.cut.again
    if chosen_again and selection.counted is not None:
        found.add(selection.counted)
    return frozenset(found & plan.cut.columns)


def noise_of_distinct(measure: Measure, level: int = 1) -> Fraction:
    """Return the rate of the noise of distinct values, where so many of each unit count."""
    return measure.epsilon / (2 * level * measure.groups)


def noise_of_clamp(measure: Measure) -> ClampNoise:
    """Return the noise of a sum with a private clamp."""
    if measure.gaussian is not None:
        return GaussianOfClamp(measure.gaussian.mu_squared, measure.groups)
    return LaplaceOfClamp(epsilon_of_noise(measure), measure.groups)


def units_of_clamp(measure: Measure) -> int:
    """Return of how many units in a group, at least, a sum with a private clamp is not all but 0."""
    return units_above(measure.epsilon - epsilon_of_noise(measure), noise_of_clamp(measure))


def width_per_clamp(measure: Measure) -> float:
    """Return the half-width of a sum with a private clamp, in clamps: the same for all but the least."""
    return noise_of_clamp(measure).half_width(2**32) / 2**32


def errors_in_clamps(plan: Plan, places: Places | None = None, *, chosen: bool = True) -> dict[str, float]:
    """Return for each sum with a private clamp what it stays within at 95 %, in clamps.

    Input: the keys of a grouping set, for its totals; `chosen`: allow for it where noise decides which groups
        are shown, as `interval_factors` does for the intervals that an answer shows.
    """
    factors = interval_factors(plan) if chosen else {}
    number = 1 if places is None else plan.space.most_merged(places)
    return {
        measure.request.column: math.sqrt(number)
        * width_per_clamp(measure)
        * factors.get(measure.request.column, 1.0)
        for measure in plan.measures
        if isinstance(measure.request, aggregates.ClampedSum)
    }


def _groups_measured(plan: Plan) -> int:
    """Return of how many groups other numbers are measured than those that select them."""
    if isinstance(plan.selection, (LargestKeys, KeysAbove)):
        return plan.selection.k
    return plan.space.size or KEYS_READ


def _selected_error(plan: Plan, candidates: int) -> float:
    """Return the error of the counts by which a selection chooses among so many candidates."""
    match plan.selection:
        case LargestKeys(k=k) as selection:
            return _ranked_error(selection, max(candidates / min(plan.cut.places, k), 1.0))
        case KeysAbove() as selection:  # where all but one are below the threshold
            return _ranked_error(selection, candidates)
        case FoundKeys(counted=str(counted)) as selection:
            # More noise than it takes to show the key of a single unit has a chance below delta.
            is_cut = counted in plan.cut.columns
            doubt = _DOUBT * min(plan.cut.places / candidates, 1) if is_cut else _DOUBT
            return float(max(least_count(selection) - 1, found_half_width(selection, 1 - doubt)))
    raise InternalError("a selection of this kind has no error")


def _ranked_error(selection: LargestKeys | KeysAbove, candidates: float) -> float:
    split = split_of(selection)
    assert split is not None
    return half_width_if_chosen(split, candidates)


def selection_error(selection: Selection) -> float:
    """Return the half-width of the counts that a selection releases. Errors: InternalError if it has none."""
    match selection:
        case LargestKeys(gaussian=True, counted=str()) as selection:
            return float(gaussian_split_of(selection).half_width)
        case LargestKeys(counted=str()) | KeysAbove(counted=str()):
            split = split_of(selection)
            assert split is not None
            return split.half_width()
        case FoundKeys() as selection:
            return float(found_half_width(selection))
    raise InternalError("a selection of this kind has no error")


def measure_error(  # noqa: C901 (a case for each kind)
    measure: Measure, doubt: float = _DOUBT
) -> float | None:
    """Return the half-width of a count or sum; None for other requests (see `rank_error`).

    Input: `doubt`: the probability that noise exceeds it.
    """
    if measure.gaussian is not None and not isinstance(measure.request, aggregates.ClampedSum):
        return float(variances_of(measure).half_width(1 - doubt) / 10 ** places_of(measure.request))
    if measure.levels is not None:
        return error_on_levels(measure, measure.levels.places[-1], measure.levels.sizes[-1], doubt)
    rate = measure.epsilon / measure.groups
    match measure.request:
        case aggregates.Count(rows=rows):
            return float(half_width(rate / (rows or 1), 1 - doubt))
        case aggregates.Distinct(values=values):
            return float(half_width(rate / values, 1 - doubt))
        case aggregates.Sum() as request:
            return float(half_width(rate / max(request.bound, 1), 1 - doubt) / 10**request.scale)
        case aggregates.ChosenCount() | aggregates.ChosenDistinct() | aggregates.ClampedSum():
            return None
        case aggregates.Mean() | aggregates.Moments():
            return None
        case aggregates.Quantile() | aggregates.Quantiles() | aggregates.Mode():
            return None
    assert_never(measure.request)


def bound_of(request: aggregates.Aggregate) -> int | None:
    """Return by how much one unit moves the number of a group, at most; None of what is no count or sum."""
    match request:
        case aggregates.Count(rows=rows):
            return rows or 1
        case aggregates.Distinct(values=values):
            return values
        case aggregates.Sum():
            return max(request.bound, 1)
        case aggregates.ChosenCount() | aggregates.ChosenDistinct() | aggregates.ClampedSum():
            return None
        case aggregates.Mean() | aggregates.Moments():
            return None
        case aggregates.Quantile() | aggregates.Quantiles() | aggregates.Mode():
            return None
    assert_never(request)


def spread_of(request: aggregates.Sum) -> int:
    """Return by how much the moves of two groups' sums by one unit differ at most, in ticks.

    A unit need not be in each group, so 0 is among the moves.
    """
    low, high = min(Fraction(request.low), Fraction(0)), max(Fraction(request.high), Fraction(0))
    ticks: Fraction = (high - low) * 10**request.scale
    return math.ceil(ticks)


def moves_one_way(request: aggregates.Aggregate) -> bool:
    """Whether a unit that is added raises the numbers of all groups, or lowers all, if it moves them."""
    match request:
        case aggregates.Count():
            return True
        case aggregates.Sum(low=low, high=high):
            return low >= 0 or high <= 0
        case _:
            return False


def places_of(request: aggregates.Aggregate) -> int:
    """Return the decimal places of the ticks in which noise is added."""
    return request.scale if isinstance(request, aggregates.Sum | aggregates.ClampedSum) else 0


def variances_of(measure: Measure) -> Variances:
    """Return the variances of Gaussian noise, in ticks. Errors: InternalError if the measure has none."""
    noise, bound = measure.gaussian, bound_of(measure.request)
    if noise is None or bound is None:
        raise InternalError("a measure without Gaussian noise has no variance of it")
    if noise.size is None:
        return independent(noise.mu_squared, bound=bound, groups=measure.groups)
    shared = correlated(noise.mu_squared, bound=bound, groups=measure.groups, size=noise.size)
    if shared is None or not moves_one_way(measure.request):
        raise InternalError("numbers that move both ways, or in few groups, share no noise")
    return shared


def spans_of(request: aggregates.Moments) -> list[Extent]:
    """Return the public ranges of the arguments of a statistic."""
    return [Extent(float(axis.low), float(axis.high - axis.low)) for axis in request.axes]


def scale_of(measure: Measure) -> Fraction:
    """Return the scale of the noise of one number of a measure, if a unit has one row in each group."""
    return measure.groups * _parts_of(measure.request) / measure.epsilon


def _parts_of(request: aggregates.Aggregate) -> int:
    """Return how many selections share the epsilon of an aggregate."""
    match request:
        case aggregates.Quantiles(shares=shares):
            return levels_of(len(shares))
        case aggregates.Quantile(has_ends=True):
            return PARTS
    return 1


def errors_of_ranks(measure: Measure) -> dict[str, RankErrors]:
    """Return how far ranks of quantiles are off, in units or rows, by released column; none of the rest."""
    return _errors_of_ranks(measure.request, measure.epsilon / measure.groups)


def _errors_of_ranks(request: aggregates.Aggregate, epsilon: Fraction) -> dict[str, RankErrors]:
    match request:
        case aggregates.Quantile(extreme=True, column=column, parts=parts):
            rank = request.extreme_of(epsilon).beyond / (parts or 1)
            return {column: RankErrors(rank, rank)}
        case aggregates.Quantile(column=column, grid=grid, quantile=q, rows=rows, has_ends=has_ends):
            own = epsilon / PARTS if has_ends else epsilon
            return {column: rank_errors(grid.size, q, own / (rows or 1))}
        case aggregates.Quantiles(asked=asked, of=one, shares=shares, places=places):
            errors = errors_of_many(one.grid.size * places, shares, epsilon / (one.rows or 1))
            return {each.column: errors[each.quantile] for each in asked}
    return {}


def rank_error(measure: Measure) -> float | None:
    """Return how far a mode's count is below the largest, or by how many units a quantile's rank is off.

    The bound holds with probability at least 0.95, whatever the values are: see `errors_of_ranks` for what is
    usual. None for other requests, and for a mode without domain.

    The winner of n candidates with noise of rate a loses at most (ln n + ln 20) / a (union bound over
    exponential noise; McKenna and Sheldon 2020, Section 4).
    """
    return _rank_error(measure.request, measure.epsilon / measure.groups)


def _rank_error(request: aggregates.Aggregate, epsilon: Fraction) -> float | None:
    match request:
        case aggregates.Mode(key=key) if key.domain is not None:
            return math.log(key.domain.size / _DOUBT) / float(epsilon)
        case aggregates.Quantile() | aggregates.Quantiles():
            return max(errors.sure for errors in _errors_of_ranks(request, epsilon).values())
        case (
            aggregates.Count()
            | aggregates.ChosenCount()
            | aggregates.Distinct()
            | aggregates.ChosenDistinct()
            | aggregates.Sum()
            | aggregates.ClampedSum()
            | aggregates.Mean()
            | aggregates.Moments()
            | aggregates.Mode()
        ):
            return None
    assert_never(request)


def weight(request: aggregates.Aggregate, groups: int) -> float:
    """Return the error of a request at epsilon 1, relative to its sensitivity; epsilon is divided by it.

    It is relative since a count of up to 50 rows of each unit is also about 50 times larger.
    """
    error = _rank_error(request, Fraction(1, groups)) or 1.0
    match request:
        case aggregates.Count() | aggregates.ChosenCount() | aggregates.Distinct():
            return max(float(half_width(Fraction(1, groups))), 1.0)
        case aggregates.ChosenDistinct() | aggregates.Sum():
            return max(float(half_width(Fraction(1, groups))), 1.0)
        case aggregates.ClampedSum():
            return 2 * max(float(half_width(Fraction(1, groups))), 1.0)
        case aggregates.Mean() | aggregates.Moments():
            return math.sqrt(2) * max(half_width(Fraction(1, groups)), 1)
        case aggregates.Quantile(rows=rows):
            return max(error / (rows or 1), 1.0)
        case aggregates.Quantiles(of=one):
            return max(error / (one.rows or 1), 1.0)
        case aggregates.Mode():
            return max(error, 1.0)
    assert_never(request)
