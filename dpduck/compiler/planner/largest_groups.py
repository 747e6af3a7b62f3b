"""Plans that choose the largest groups first: by counts, by sums, above a threshold."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from dpduck.compiler.block.question import is_bounded
from dpduck.compiler.planner.clamped_sums import with_clamp
from dpduck.compiler.planner.noises import can_share
from dpduck.compiler.planner.plan_parts import MAX_CANDIDATES, MAX_LIMIT, Draft, PlanParts, width_of_column
from dpduck.kernel.mechanisms.clamped_topk import can_rank
from dpduck.kernel.plan import cost, prices
from dpduck.kernel.plan.aggregates import ClampedSum, Count, Sum
from dpduck.kernel.plan.choosing import choosing_error, units_to_be_found
from dpduck.kernel.plan.model import (
    MOST_LISTED,
    UNITS,
    KeysAbove,
    LargestKeys,
    Selection,
)


def largest_groups(parts: PlanParts) -> list[Draft]:
    """Draft the plans of a query that asks for the largest groups; none if there is none.

    A top-k with threshold never costs more than one without, so the other is not considered.
    """
    return _above(parts) or _by_counts(parts) or _by_sums(parts)


def _by_counts(parts: PlanParts) -> list[Draft]:
    """Draft noisy top-k, with counts by BLUE if they are shown; none if it does not apply."""
    top = parts.question.top
    if top is None or (parts.size is None and parts.budget.delta == 0):
        return []
    column, k = top
    if k > MAX_LIMIT or (parts.size is not None and not k < parts.size <= MAX_CANDIDATES):
        return []
    if parts.sees_all_groups():
        return []
    counted = column if parts.is_shown(column, LargestKeys()) else None
    delta = parts.budget.delta if parts.size is None else Fraction(0)
    gumbel = parts.budget.in_rho and counted is None and parts.size is not None
    among = "those found in private rows" if parts.size is None else f"{parts.size:,}"
    title = f"{'Gumbel' if gumbel else 'noisy'} top-k: the {k:,} largest of {among}"
    anew = _chosen_anew(parts, column, k, counted) if parts.size is not None else []
    if anew and parts.budget.noise == "gaussian":
        return anew
    own = LargestKeys(delta=delta, counted=counted, k=k, gumbel=gumbel)
    return [*_ranked(parts, title, own, column), *anew]


def _chosen_anew(parts: PlanParts, column: str, k: int, counted: str | None) -> list[Draft]:
    """Draft Gumbel top-k, with Gaussian noise on the counts if they are shown; none if it does not apply.

    Gaps and p-values are of the noise of noisy top-k.
    """
    noise, delta = parts.budget.noise, parts.budget.delta
    if noise == "laplace" or parts.reads_gaps():
        return []
    if counted is None and parts.budget.in_rho:
        return []  # names cost much less rho at the price of epsilon alone
    if not delta:
        if noise == "gaussian" and counted is not None:
            raise parts.without_delta()
        return []
    others = [request for request in parts.question.requests if request.column != column]
    if any(cost.bound_of(request) is not None for request in others):
        delta /= 2  # the other half is for their noise
    shared = counted is not None and not parts.adds_up and can_share(parts.bound(k)[0], k)
    selection = LargestKeys(delta=delta, counted=counted, k=k, gaussian=True, shared=shared)
    name = "correlated Gaussian noise" if shared else "Gaussian noise"
    title = f"Gumbel top-k: the {k:,} largest of {parts.size:,}"
    title += ", with a delta" if counted is None else f", counted anew with {name}"
    return _ranked(parts, title, selection, column)


def _by_sums(parts: PlanParts) -> list[Draft]:
    """Draft top-k by a sum, with all numbers of the groups shown measured; none if it does not apply."""
    question = parts.question
    if question.top_sum is None or parts.size is None or parts.sees_all_groups():
        return []
    column, k = question.top_sum
    request = question.request(column)
    if not isinstance(request, Sum) or not k < parts.size <= MOST_LISTED or k > MAX_LIMIT:
        return []
    groups, most = parts.bound(k)
    if not is_bounded(request, question.owned, question.keys):
        return _by_clamped_sums(parts, request, k, groups, most)
    spread, gumbel = max(cost.spread_of(request), 1), parts.budget.in_rho
    weights = [3.0 * k, *(cost.weight(one, groups) for one in parts.requests)]
    shares = parts.shares([Count(UNITS, ()), *parts.requests], weights)
    measures = [
        parts.measure(one, share, groups=groups, most=most)
        for one, share in zip(parts.requests, shares[1:], strict=True)
    ]
    title = f"top-k by sums: the {k:,} largest of {parts.size:,}"
    plain = LargestKeys(parts.scores(request, None), shares[0], k=k, gumbel=gumbel, spread=spread)
    anew = replace(plain, gumbel=False, gaussian=True, delta=parts.budget.delta / 2)
    ways = [(f"{'Gumbel' if gumbel else 'noisy'} {title}", plain)]
    with_delta = parts.budget.noise != "laplace" and not gumbel
    if with_delta and anew.delta and prices.can_choose_anew(anew):
        ways.append((f"Gumbel {title}, with a delta", anew))
    return [
        Draft(
            one.titled(name),
            math.hypot(
                choosing_error(selection, parts.others) / 10**request.scale,
                width_of_column(column, one.measures),
            ),
            parts.plan(selection, one.measures, most, request),
        )
        for name, selection in ways
        for one in parts.noised(measures, k, selection.delta)
    ]


def _by_clamped_sums(parts: PlanParts, request: Sum, k: int, groups: int, most: int | None) -> list[Draft]:
    """Draft top-k by a sum whose clamp is chosen privately, before groups are chosen by the sums."""
    weights = [3.0 * k, *(cost.weight(one, groups) for one in parts.requests)]
    shares = parts.shares([Count(UNITS, ()), *parts.requests], weights)
    ranked = with_clamp(request, parts.question, shares[0], groups, parts.node)
    if not isinstance(ranked, ClampedSum) or not can_rank(shares[0]):
        return []
    measures = [
        parts.measure(one, share, groups=groups, most=most)
        for one, share in zip(parts.requests, shares[1:], strict=True)
    ]
    selection = LargestKeys(
        parts.scores(ranked, None),
        shares[0],
        k=k,
        gumbel=parts.budget.in_rho,
        spread=1 if ranked.above_zero else 2,
        clamped=ranked,
    )
    name = "Gumbel" if selection.gumbel else "noisy"
    title = f"{name} top-k by sums with a private clamp: the {k:,} largest of {parts.size:,}"
    choosing = choosing_error(selection, parts.others)
    return [
        Draft(
            one.titled(title),
            math.hypot(choosing, width_of_column(request.column, one.measures)),
            parts.plan(selection, one.measures, most, ranked),
        )
        for one in parts.noised(measures, k)
    ]


def _above(parts: PlanParts) -> list[Draft]:
    """Draft thresholded top-k, for HAVING with LIMIT; none if it does not apply."""
    question = parts.question
    if question.above is None or parts.size is None or parts.size > MAX_CANDIDATES:
        return []
    column, threshold = question.above
    if question.top is not None:
        k = question.top[1] if question.top[0] == column else 0
    else:
        k = 0 if question.limit is None or question.order else question.limit + question.offset
    if question.qualify is not None and not question.top_by_qualify:
        return []
    if parts.sees_all_groups() or not 0 < k <= min(parts.size, MAX_LIMIT):
        return []
    counted = column if parts.is_shown(column, KeysAbove()) else None
    title = f"top-k above {threshold:,}: at most {k:,} of {parts.size:,}"
    return _ranked(parts, title, KeysAbove(counted=counted, k=k, threshold=threshold), column)


def _ranked(parts: PlanParts, title: str, selection: LargestKeys | KeysAbove, column: str) -> list[Draft]:
    """Draft a selection of k groups by a count, with measures for the other requests."""
    k, counted = selection.k, selection.counted
    groups, most = parts.bound(k)
    relied = groups if groups < k and (counted is not None or parts.size is None) else None
    others = [request for request in parts.requests if request.column != column]
    first = k * (6.0 if counted else 3.0)  # near its half-width at epsilon 1
    count = parts.question.request(column)
    weights = [first, *(cost.weight(request, groups) for request in others)]
    shares = parts.shares([count, *others], weights)
    scores = parts.scores(count, most if relied is not None else None)
    selection = replace(selection, scores=scores, epsilon=shares[0], groups=relied)
    spent = Fraction(0)
    if isinstance(selection, LargestKeys) and selection.gaussian:
        if not prices.can_choose_anew(selection):
            return []
        spent = selection.delta
    measures = [
        parts.measure(request, share, groups=groups, most=most)
        for request, share in zip(others, shares[1:], strict=True)
    ]
    # The other numbers do not decide between plans, so those with the least noise are taken.
    best = min(parts.noised(measures, k, spent), key=lambda one: one.error)
    plan = parts.plan(selection, best.measures, most, count)
    found = units_to_be_found(selection) if parts.size is None else 0.0
    return [Draft(title, math.hypot(_cost(selection, parts.others), found), plan)]


def _cost(selection: Selection, others: int) -> float:
    """Return the cost of a selection: of choosing, and of counting if counts are shown."""
    counting = 0.0 if selection.counted is None else cost.selection_error(selection)
    return math.hypot(choosing_error(selection, others), counting)
