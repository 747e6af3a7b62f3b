"""Computes the privacy cost of a plan: the events of its release, and how its epsilon is divided."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from dpduck.kernel.accounting.events import (
    Average,
    BoundedSums,
    ChosenGroupCounts,
    ClampChoice,
    ClampedSums,
    Composed,
    DistinctCounts,
    Event,
    ExtremeValue,
    GaussianKeys,
    GaussianNoise,
    GaussianTopK,
    GumbelTopK,
    Histogram,
    KeySelection,
    ManyQuantiles,
    NoisyCount,
    NoisyMoments,
    NoisyTopK,
    PartitionSelection,
    PermuteAndFlip,
    PrivateTopK,
    QuantileInterval,
    TopKAbove,
)
from dpduck.kernel.errors import InternalError
from dpduck.kernel.mechanisms import linear_estimates
from dpduck.kernel.mechanisms.gaussian_keys import Threshold, gaussian_threshold
from dpduck.kernel.mechanisms.gaussian_topk import GaussianSplit, choosing_rate, gaussian_split
from dpduck.kernel.mechanisms.many_quantiles import levels_of
from dpduck.kernel.plan import aggregates
from dpduck.kernel.plan.model import (
    EveryKey,
    FoundKeys,
    KeysAbove,
    LargestKeys,
    Measure,
    OneGroup,
    Plan,
    Planned,
    Selection,
)


def event_of(plan: Planned) -> Event:
    """Return the event of the plan's release. Errors: InternalError for an unknown kind of plan."""
    parts = [part for block in plan.blocks for part in _events_of(block)]
    if not parts:
        raise InternalError("a plan releases nothing")
    return parts[0] if len(parts) == 1 else Composed.of(*parts)


def _events_of(plan: Plan) -> list[Event]:
    known = plan.space.is_known
    own = [event for measure in plan.measures if (event := own_event(measure)) is not None]
    together = gaussian_event(plan)
    return [
        *_selection_events(plan.selection, known=known),
        *own,
        *([] if together is None else [together]),
    ]


def _selection_events(selection: Selection, *, known: bool) -> list[Event]:
    match selection:
        case OneGroup() | EveryKey():
            return []
        case FoundKeys(epsilon=epsilon, delta=delta, counted=None, groups=groups):
            return [KeySelection(epsilon, delta, groups=_known(groups))]
        case FoundKeys(gaussian=True) as selection:
            return [GaussianKeys(selection.epsilon, selection.delta, threshold_of(selection).mu_squared)]
        case FoundKeys(epsilon=epsilon, delta=delta, groups=groups):
            return [PartitionSelection(epsilon, delta, groups=_known(groups))]
        case LargestKeys(gaussian=True) as selection:
            return [_event_of_choices(selection)]
        case LargestKeys() | KeysAbove():
            return _ranking_events(selection, known=known)
    raise InternalError("a selection of this kind has no price")


def _ranking_events(selection: LargestKeys | KeysAbove, *, known: bool) -> list[Event]:
    split, choice = split_of(selection), choice_of(selection)
    share = selection.epsilon - choice if split is None else split.selection
    selected = _largest_event(selection, share, known=known)
    if choice:
        return [selected, ClampChoice(choice)]
    if split is None:
        return [selected]
    fewer = isinstance(selection, KeysAbove) or not known  # than k may be found
    return [selected, NoisyCount(split.measurement) if fewer else split.measured]


def choice_of(selection: LargestKeys | KeysAbove) -> Fraction:
    """Return the part of a selection's epsilon that chooses a clamp."""
    return selection.choice if isinstance(selection, LargestKeys) else Fraction(0)


def _event_of_choices(selection: LargestKeys) -> Event:
    if selection.counted is not None:
        return gaussian_split_of(selection).event
    return GaussianTopK(selection.epsilon, selection.delta, selection.k, rate_of_choices(selection))


def _known(groups: int | None) -> int:
    if groups is None:
        raise InternalError("a selection of found keys needs a bound on groups")
    return groups


def _largest_event(selection: LargestKeys | KeysAbove, share: Fraction, *, known: bool) -> Event:
    if isinstance(selection, KeysAbove):
        return TopKAbove(share, k=selection.k)
    if selection.gumbel:
        return GumbelTopK(share, k=selection.k)
    if known:
        return NoisyTopK(share, k=selection.k)
    return PrivateTopK(share, selection.delta, k=selection.k)


def gaussian_event(plan: Plan) -> GaussianNoise | None:
    """Return the one event of all measures with Gaussian noise; None if there are none."""
    parts = [
        (epsilon_of_noise(m), m.delta, m.gaussian.mu_squared) for m in plan.measures if m.gaussian is not None
    ]
    if not parts:
        return None
    epsilon, delta, mu_squared = (sum(amounts, Fraction(0)) for amounts in zip(*parts, strict=True))
    return GaussianNoise(epsilon, delta, mu_squared)


def epsilon_of_noise(measure: Measure) -> Fraction:
    """Return the part of epsilon that Gaussian noise on a measure may spend: what chooses a clamp is left."""
    return measure.epsilon / 2 if isinstance(measure.request, aggregates.ClampedSum) else measure.epsilon


def own_event(measure: Measure) -> Event | None:
    """Return what a measure costs beside Gaussian noise; None if that is all."""
    if measure.gaussian is None:
        return measure_event(measure)
    is_clamped = isinstance(measure.request, aggregates.ClampedSum)
    return ClampChoice(measure.epsilon - epsilon_of_noise(measure)) if is_clamped else None


def measure_event(measure: Measure) -> Event:  # noqa: C901 (a case for each kind)
    """Return the event of one measure without Gaussian noise."""
    groups = measure.groups
    if measure.levels is not None:
        return BoundedSums(measure.epsilon, groups=len(measure.levels.sizes))
    match measure.request:
        case aggregates.Count() | aggregates.Distinct():
            return NoisyCount(measure.epsilon) if groups == 1 else Histogram(measure.epsilon, groups=groups)
        case aggregates.ChosenCount():
            return ChosenGroupCounts(measure.epsilon)
        case aggregates.ChosenDistinct():
            return DistinctCounts(measure.epsilon)
        case aggregates.Sum():
            return BoundedSums(measure.epsilon, groups=groups)
        case aggregates.ClampedSum():
            return ClampedSums(measure.epsilon, groups=groups)
        case aggregates.Mean():
            return Average(measure.epsilon, groups=groups)
        case aggregates.Moments():
            return NoisyMoments(measure.epsilon, groups=groups)
        case aggregates.Quantile() as request:
            if request.extreme:
                return ExtremeValue(measure.epsilon, groups=groups)
            kind = QuantileInterval if request.has_ends else PermuteAndFlip
            return kind(measure.epsilon, groups=groups)
        case aggregates.Quantiles(shares=shares):
            return ManyQuantiles(measure.epsilon, levels=levels_of(len(shares)), groups=groups)
        case aggregates.Mode(key=key):
            if key.domain is None:
                return PrivateTopK(measure.epsilon, measure.delta, k=1)
            return PermuteAndFlip(measure.epsilon, groups=groups)
    assert_never(measure.request)


def split_of(selection: LargestKeys | KeysAbove) -> linear_estimates.Split | None:
    """Return how epsilon is split between selection and counts; None without counts: selection takes all.

    Errors: InternalError if the counts are measured anew: see `gaussian_split_of`.
    """
    if selection.counted is None:
        return None
    if isinstance(selection, LargestKeys) and selection.gaussian:
        raise InternalError("choosing and Gaussian noise divide no epsilon")
    groups = selection.k if selection.groups is None else selection.groups
    return linear_estimates.best_split(selection.epsilon, selection.k, min(selection.k, groups))


def gaussian_split_of(selection: LargestKeys) -> GaussianSplit:
    """Return the noises with which keys are chosen and counted anew. Errors: InternalError without any."""
    split = _gaussian_split(selection)
    if split is None:
        raise InternalError("epsilon and delta are too small to choose and count")
    return split


def rate_of_choices(selection: LargestKeys) -> Fraction:
    """Return the rate at which keys are chosen at the price of choices beside Gaussian noise."""
    if selection.counted is None:
        return choosing_rate(selection.epsilon, selection.delta, selection.k)
    return gaussian_split_of(selection).rate


def can_choose_anew(selection: LargestKeys) -> bool:
    """Whether epsilon and delta are enough to choose keys so, and to count them with Gaussian noise."""
    if selection.counted is None:
        return choosing_rate(selection.epsilon, selection.delta, selection.k) > 0
    return _gaussian_split(selection) is not None


def _gaussian_split(selection: LargestKeys) -> GaussianSplit | None:
    parts = selection.epsilon, selection.delta, selection.k
    return gaussian_split(*parts, groups=selection.groups, shared=selection.shared)


def mechanisms_of(plan: Plan) -> list[str]:
    """Return the mechanism of each released column of the answer, in order; without any, the selection's."""
    by_column = {one.column: _mechanism(measure) for measure in plan.measures for one in measure.requests}
    chosen = _selection_mechanism(plan.selection)
    if plan.selection.counted is not None and chosen is not None:
        by_column[plan.selection.counted] = chosen
    shown = [by_column[column] for _, column in plan.shown if column in by_column]
    return shown or [chosen or next(iter(by_column.values()))]


def _mechanism(measure: Measure) -> str:
    event = own_event(measure)
    return "gaussian" if event is None else event.mechanism


def _selection_mechanism(selection: Selection) -> str | None:
    events = _selection_events(selection, known=True)
    return events[0].mechanism if events else None


def threshold_of(selection: FoundKeys) -> Threshold:
    """Return the threshold of found keys whose counts have Gaussian noise."""
    if selection.groups is None:
        raise InternalError("a selection of found keys needs a bound on groups")
    return gaussian_threshold(selection.epsilon, selection.delta, selection.groups)
