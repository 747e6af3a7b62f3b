"""Counts that passed a test against a noisy threshold: exact conditional laws, and simulated scans.

u = count - threshold, D = X - N with discrete Laplace X of the count's own rate and N of the threshold's. The
test is passed with gap u + D if that is at least `cut`. In floats, from masses on so wide a grid that what is
left out is below 1e-15.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def masses(rate: float, reach: int) -> Floats:
    """Of discrete Laplace noise, from -reach to reach."""
    p = math.exp(-rate)
    return (1 - p) / (1 + p) * p ** np.abs(np.arange(-reach, reach + 1))


@dataclass(frozen=True)
class Passing:
    """The law of gaps of one test, for any u; `before`: rate and margin of a test that was failed first."""

    cut: int
    rate: float
    common: float
    before: tuple[float, int] | None = None

    @property
    def reach(self) -> int:
        return int(40 / min(self.rate, self.common))

    def law(self, u: int, most: int) -> Floats:
        """P(gap = cut, cut + 1, .., cut + most | passed, u), the last for all larger ones."""
        z = np.arange(-self.reach, self.reach + 1)  # the threshold's noise
        weights = masses(self.common, self.reach)
        if self.before is not None:
            rate, margin = self.before
            weights = weights * (1 - at_least(margin - u + z, rate))
        own = self.cut + np.arange(most + 1)[:, None] + z[None, :] - u
        tails = at_least(own, self.rate) @ weights
        return np.append(-np.diff(tails), tails[-1]) / tails[0]


def at_least(m: NDArray[np.int64], rate: float) -> Floats:
    """P(X >= m) of discrete Laplace noise."""
    p = math.exp(-rate)
    inner = p ** np.abs(np.where(m > 0, m, 1 - m)) / (1 + p)
    return np.where(m > 0, inner, 1 - inner)


@dataclass(frozen=True)
class Scan:
    """What a scan of many runs answered: of each answer its run, candidate, test and gap."""

    runs: NDArray[np.int64]
    candidates: NDArray[np.int64]
    clear: NDArray[np.bool_]
    gaps: NDArray[np.int64]


@dataclass(frozen=True)
class Rates:
    """Of the threshold's noise and of the two tests', with the margin of the first; k answers' worth."""

    common: float
    near: float
    clear: float
    margin: int
    k: int
    adaptive: bool = True


def scan(
    scores: NDArray[np.int64], threshold: int, rates: Rates, runs: int, rng: np.random.Generator
) -> Scan:
    """So many scans of all candidates, by definition: each with all of its noises."""
    u = np.broadcast_to(scores - threshold, (runs, scores.shape[-1]))
    bar = laplace(rates.common, (runs, 1), rng)
    near_gap = u + laplace(rates.near, u.shape, rng) - bar
    clear_gap = u + laplace(rates.clear, u.shape, rng) - bar if rates.adaptive else near_gap
    clear = (clear_gap >= rates.margin) & rates.adaptive
    cost = np.where(clear, 1, np.where(near_gap >= 0, 2, 0))
    answered = (cost > 0) & (np.cumsum(cost, axis=1) - cost <= 2 * rates.k - 2)
    where = np.nonzero(answered)
    is_clear = clear[where]
    return Scan(*where, is_clear, np.where(is_clear, clear_gap[where], near_gap[where]))


def laplace(rate: float, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int64]:
    """Discrete Laplace noise."""
    p = -math.expm1(-rate)
    return rng.geometric(p, shape) - rng.geometric(p, shape)
