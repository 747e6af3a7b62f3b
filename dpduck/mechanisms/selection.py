"""One winner: permute-and-flip, and the exponential mechanism with its gap."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from dpduck.errors import ParameterError
from dpduck.events import Event, PermuteAndFlip
from dpduck.events import Exponential as ExponentialEvent
from dpduck.mechanisms.noisy_max import rank
from dpduck.noise import Entropy, Exponential, Gumbel
from dpduck.scores import Scores

GAP_STEPS = 1024  # gaps are released on a grid of sensitivity / 1024


@dataclass(frozen=True)
class Winner:
    """A release: one candidate, by number."""

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
    Output: the candidate's number.
    Ties: equal scores are equally likely.
    Errors: ParameterError before any draw, without candidates.
    """
    _check_candidates(scores, 1)
    ranking = rank(scores, 1, Exponential(_rate(epsilon, sensitivity, monotonic=monotonic)), entropy)
    (candidate,) = ranking.groups.candidates(ranking.members(1, entropy))
    return Winner(candidate, PermuteAndFlip(epsilon))


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
    _check_candidates(scores, 2)
    rate = _rate(epsilon, sensitivity, monotonic=monotonic)
    ranking = rank(scores, 2, Gumbel(rate), entropy)
    (candidate,) = ranking.groups.candidates(ranking.members(1, entropy))
    unit = Fraction(sensitivity, GAP_STEPS)
    gap = ranking.best[0].floor_of_gap(ranking.best[1], unit) * unit
    p_value = 2 / (1 + math.exp(min(float(gap * rate), 700.0)))
    return WinnerWithGap(candidate, ExponentialEvent(epsilon), float(gap), p_value)


def _rate(epsilon: Fraction, sensitivity: Fraction | int, *, monotonic: bool) -> Fraction:
    return epsilon / sensitivity if monotonic else epsilon / (2 * sensitivity)


def _check_candidates(scores: Scores, least: int) -> None:
    if scores.count < least:
        raise ParameterError(
            f"there are only {scores.count} candidates",
            detail=f"A selection needs at least {least}.",
            hint="Give more candidates.",
        )
