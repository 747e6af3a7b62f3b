"""How far a group must lead to be ranked right, and how many units it needs to be shown at all.

Both are 95 % points, from public facts alone, in units of the scores. Of keys from private rows those that
few units have are left out, whatever the query asks for: a group that is missing is off by its whole count,
so that what a group needs to be shown is an error as well as what it needs to come before others.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from dpduck.kernel.errors import InternalError
from dpduck.kernel.mechanisms.accuracy import CONFIDENCE
from dpduck.kernel.mechanisms.additive import half_width, threshold
from dpduck.kernel.mechanisms.leads import lead, reach_of_all
from dpduck.kernel.mechanisms.partitions import shown_from
from dpduck.kernel.mechanisms.private_topk import bottom
from dpduck.kernel.plan.model import FoundKeys, KeysAbove, LargestKeys, Selection
from dpduck.kernel.plan.prices import choice_of, rate_of_choices, split_of, threshold_of

_DOUBT = 0.05
_NORMAL = NormalDist().inv_cdf(1 - _DOUBT / 2)  # standard deviations that are a half-width
_ONE_SIDED = 1 - 2 * _DOUBT  # what noise stays within on both sides if it does on one with 95 %


def choosing_error(selection: Selection, others: int) -> float:
    """Return the lead that a group needs over others, or over a threshold, to be ranked right at 95 %.

    Input: `others`: how many candidates there are besides, whose noise may raise one of them above it.
    Output: in units of the scores.
    Errors: InternalError unless the selection ranks its candidates.
    """
    match selection:
        case LargestKeys(gaussian=True) as selection:
            return (selection.spread or 1) * lead("gumbel", others) / float(rate_of_choices(selection))
        case LargestKeys(k=k) | KeysAbove(k=k):
            split = split_of(selection)
            share = selection.epsilon - choice_of(selection) if split is None else split.selection
            is_gumbel = isinstance(selection, LargestKeys) and selection.gumbel
            spread = selection.spread or 1 if isinstance(selection, LargestKeys) else 1
            return float(k * spread / share) * lead("gumbel" if is_gumbel else "exponential", others)
    raise InternalError("a selection of this kind ranks nothing")


def choosing_error_of_all(width: float, others: int, *, fixed: bool, gaussian: bool) -> float:
    """Return the same where all groups are counted before some are shown.

    Input: `width`: the half-width of the counts; `fixed`: they are compared with a number, not each other;
        `gaussian`: their noise is that, and not Laplace noise.
    """
    scale = width / (_NORMAL if gaussian else math.log(1 / _DOUBT))
    return scale * (reach_of_all if fixed else lead)("gaussian" if gaussian else "laplace", others)


def units_to_be_found(selection: Selection) -> float:
    """Return how many units a key that is found in private rows needs to be shown at 95 %.

    Of a top-k: where no more than k - 1 other keys come before it.
    Errors: InternalError unless the selection finds keys in private rows.
    """
    match selection:
        case FoundKeys(counted=None, groups=int(groups)):
            return shown_from(selection.epsilon, selection.delta, groups=groups)
        case FoundKeys(groups=int(groups)) as selection:
            return least_count(selection) + found_half_width(selection, _ONE_SIDED)
        case LargestKeys(k=k, delta=delta, groups=groups) as selection if delta and not selection.gaussian:
            split = split_of(selection)
            share = selection.epsilon if split is None else split.selection
            return bottom(share, delta, k, groups) + float(k / share) * lead("exponential", 1)
    raise InternalError("a selection of this kind finds no keys")


def least_count(selection: FoundKeys) -> int:
    """Return the least noisy count with which a key is shown. Errors: InternalError if none is released."""
    if selection.counted is None or selection.groups is None:
        raise InternalError("a selection without counts has no threshold")
    if selection.gaussian:
        return threshold_of(selection).least
    return threshold(selection.epsilon, selection.delta, selection.groups)


def found_half_width(selection: FoundKeys, confidence: float = CONFIDENCE) -> int:
    """Return what the noise of the counts of found keys stays within at 95 %, or with another probability."""
    if selection.groups is None:
        raise InternalError("a selection of found keys needs a bound on groups")
    if selection.gaussian:
        return threshold_of(selection).variances.half_width(confidence)
    return half_width(selection.epsilon / selection.groups, confidence)
