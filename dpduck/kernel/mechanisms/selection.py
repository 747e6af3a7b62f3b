"""One winner: permute-and-flip and the exponential mechanism, with the gap to the runner-up for free."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from dpduck.kernel.accounting.events import Event, PermuteAndFlip
from dpduck.kernel.accounting.events import ExponentialMechanism as ExponentialEvent
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.noisy_max import rank
from dpduck.kernel.noise import Entropy, Exponential, Family, Gumbel
from dpduck.kernel.scores import Scores

GAP_STEPS = 1024  # gaps are released on a grid of sensitivity / 1024


@dataclass(frozen=True)
class Winner:
    """A release: the index of one candidate."""

    candidate: int
    event: Event


@dataclass(frozen=True)
class WinnerWithGap(Winner):
    """A winner, the gap to the runner-up in score units, and a p-value.

    `p_value` bounds the chance of a gap this large if another candidate were truly the best.
    """

    gap: float
    p_value: float


def permute_and_flip(
    scores: Scores, epsilon: Fraction, entropy: Entropy, *, monotonic: bool, sensitivity: Fraction | int = 1
) -> Winner:
    """Select one candidate; none of the known pure mechanisms has a smaller expected error.

    Privacy: epsilon-DP if one unit moves each score by at most `sensitivity`; `monotonic` claims
        that it moves all of them in the same direction, which halves the noise.
    Paper: McKenna, Sheldon, NeurIPS 2020, Algorithm 1 and Theorems 1 to 3. It equals the largest of
        score + exponential noise (Ding, Kifer, Yang, Zhang, 2021), which is how it is drawn.
    Input: at least one candidate.
    Noise: rate epsilon / sensitivity if monotonic, else epsilon / (2 sensitivity).
    Output: the candidate's index.
    Ties: equal scores are equally likely.
    Errors: ParameterError before any draw, without candidates.
    """
    check_candidates(scores.count, 1)
    ranking = rank(scores, 1, Exponential(selection_rate(epsilon, sensitivity, monotonic=monotonic)), entropy)
    (candidate,) = ranking.groups.candidates(ranking.members(1, entropy))
    return Winner(candidate, PermuteAndFlip(epsilon))


def permute_and_flip_with_gap(
    scores: Scores, epsilon: Fraction, entropy: Entropy, *, monotonic: bool, sensitivity: Fraction | int = 1
) -> WinnerWithGap:
    """Select as `permute_and_flip` does, and release the gap for free.

    Privacy: epsilon-DP, with the same conditions: Theorem B of `topk` for k = 1, with scores in units
        of what one unit moves them by. Scores that move either way by at most d move one way by at most
        2 d when d is added to all of one side, which changes neither order nor gaps: hence twice the
        noise. Moves that are not 0 or 1 are chains of such moves: d in [0, 1]^n is a sum of layers h_m
        1[S_m] whose heights add up to its largest entry, and Theorem B in units of h_m costs e^(h_m
        epsilon) each.
    Paper: Ding et al., VLDB Journal 2023, for the gap; see `topk.p_values` for the p-value.
    Input: at least two candidates.
    Output: the gap's floor on the public grid of sensitivity / 1024, in score units; the p-value
        e^(-rate gap), half of what the exponential mechanism has for the same large gap.
    Ties: equal scores are equally likely.
    Errors: ParameterError before any draw, with fewer than two candidates.
    """
    check_candidates(scores.count, 2)
    rate = selection_rate(epsilon, sensitivity, monotonic=monotonic)
    winner, gap = _best_of_two(scores, Exponential(rate), sensitivity, entropy)
    return WinnerWithGap(winner, PermuteAndFlip(epsilon), float(gap), math.exp(-float(gap * rate)))


def exponential(
    scores: Scores, epsilon: Fraction, entropy: Entropy, *, monotonic: bool, sensitivity: Fraction | int = 1
) -> WinnerWithGap:
    """Select with probability proportional to e^(rate score), and release the gap for free.

    Privacy: epsilon-DP, with the same conditions as `permute_and_flip`.
    Paper: Ding et al., VLDB Journal 2023, Algorithm 7, Theorem 10 and Corollary 3: the winner is the
        largest of score + Gumbel noise, and its distance to the runner-up is a function of the same
        private view.
    Input: at least two candidates.
    Noise: Gumbel, rate epsilon / sensitivity if monotonic, else epsilon / (2 sensitivity).
    Output: the gap's floor on the public grid of sensitivity / 1024, in score units; the p-value
        2 / (1 + e^(rate gap)), which the floor can only make larger.
    Ties: equal scores are equally likely.
    Errors: ParameterError before any draw, with fewer than two candidates.
    """
    check_candidates(scores.count, 2)
    rate = selection_rate(epsilon, sensitivity, monotonic=monotonic)
    winner, gap = _best_of_two(scores, Gumbel(rate), sensitivity, entropy)
    p_value = 2 / (1 + math.exp(min(float(gap * rate), 700.0)))
    return WinnerWithGap(winner, ExponentialEvent(epsilon), float(gap), p_value)


def expected_gap(theta: float) -> float:
    """The mean gap of the exponential mechanism, times its rate, where the winner's lead is theta.

    theta = rate q_s - ln sum_{j != s} e^(rate q_j) for winner s: about how far it is ahead of all others
    together. Ding et al. 2023, Theorem 10: P(gap >= t) = (1 + e^-theta) / (1 + e^(t - theta)), of which
    (1 + e^-theta) ln(1 + e^theta) is the mean. It tends to theta for a clear winner, and to 1 for one
    that won by noise alone: a gap of less than 1 / rate says nothing for the winner.

    >>> round(expected_gap(0.0), 4), round(expected_gap(30.0), 4), round(expected_gap(-50.0), 4)
    (1.3863, 30.0, 1.0)
    """
    if theta < -40:
        return 1.0
    return (1 + math.exp(-theta)) * (max(theta, 0.0) + math.log1p(math.exp(-abs(theta))))


def _best_of_two(
    scores: Scores, family: Family, sensitivity: Fraction | int, entropy: Entropy
) -> tuple[int, Fraction]:
    """The winner, and the floor of its gap on the public grid."""
    ranking = rank(scores, 2, family, entropy)
    (winner,) = ranking.groups.candidates(ranking.members(1, entropy))
    unit = Fraction(sensitivity, GAP_STEPS)
    return winner, ranking.best[0].floor_of_gap(ranking.best[1], unit) * unit


def selection_rate(epsilon: Fraction, sensitivity: Fraction | int, *, monotonic: bool) -> Fraction:
    """The rate of the noise of a selection."""
    return epsilon / sensitivity if monotonic else epsilon / (2 * sensitivity)


def check_candidates(count: int, least: int) -> None:
    """Check that there are as many candidates as a selection needs. Errors: ParameterError."""
    if count < least:
        raise ParameterError(
            f"there {'is only 1 candidate' if count == 1 else f'are only {count} candidates'}",
            detail=f"A selection needs at least {least}; a candidate whose score is NULL is none.",
            hint="Give more candidates.",
        )
