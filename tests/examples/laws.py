"""What an exponential mechanism of a given rate does, exactly, and how often chance may differ from it."""

import math
from collections.abc import Mapping, Sequence

ALPHA = 1e-6  # what a test of chance may fail by chance


def log_law(scores: Sequence[float], rate: float) -> list[float]:
    """The logarithm of the probability of each item.

    >>> [round(math.exp(x), 3) for x in log_law([100, 20], 0.2 / 4)]
    [0.982, 0.018]
    """
    best = max(scores)
    total = math.log(sum(math.exp(rate * (score - best)) for score in scores))
    return [rate * (score - best) - total for score in scores]


def law(scores: Sequence[float], rate: float) -> list[float]:
    return [math.exp(x) for x in log_law(scores, rate)]


def loss(epsilon: float, sensitivity: float, items: int, beta: float, *, monotonic: bool) -> float:
    """With probability 1 - beta the winner's score is less than this below the best."""
    rate = rate_of(epsilon, sensitivity, monotonic=monotonic)
    return math.log(items / beta) / rate


def rate_of(epsilon: float, sensitivity: float, *, monotonic: bool) -> float:
    return epsilon / (sensitivity if monotonic else 2 * sensitivity)


def gap_survival(scores: Sequence[float], winner: int, gap: float, rate: float) -> float:
    """P(gap >= this | winner)."""
    rest = sum(math.exp(rate * (q - scores[winner])) for i, q in enumerate(scores) if i != winner)
    return (1 + rest) / (1 + math.exp(rate * gap) * rest)


def winner_and_gap(
    scores: Sequence[float], cuts: Sequence[float], rate: float
) -> dict[tuple[int, int], float]:
    """The joint law of the winner and of the number of cuts that its gap reaches."""
    joint = {}
    for winner, mass in enumerate(law(scores, rate)):
        tails = [1.0, *(gap_survival(scores, winner, cut, rate) for cut in cuts), 0.0]
        joint |= {(winner, i): mass * (tails[i] - tails[i + 1]) for i in range(len(cuts) + 1)}
    return joint


def log_ratio(before: Mapping[object, float], after: Mapping[object, float], rate: float) -> float:
    """The privacy loss of two score vectors: the largest |log| of a ratio of probabilities."""
    laws = [log_law([scores[item] for item in before], rate) for scores in (before, after)]
    return max(abs(a - b) for a, b in zip(*laws, strict=True))


def most(n: int, p: float) -> int:
    """So many of n successes, or fewer, but for probability ALPHA: exact binomial tails.

    >>> most(1000, 0.05), most(10, 0.0)
    (86, 0)
    """
    if p <= 0:
        return 0
    tail = 0.0
    for k in range(n, 0, -1):
        tail += math.exp(_log_binomial(n, k, p))
        if tail > ALPHA:
            return k
    return 0


def _log_binomial(n: int, k: int, p: float) -> float:
    ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return ways + k * math.log(p) + (n - k) * math.log1p(-p)
