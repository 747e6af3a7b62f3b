"""A second discrete Laplace sampler, which shares nothing with the first: rejection, from exact coins.

Canonne, Kamath, Steinke, "The Discrete Gaussian for Differential Privacy", NeurIPS 2020, arXiv
2004.00010. All probabilities are fractions; the only source is uniform whole numbers below a bound. Its
time depends on the value drawn, so it is a reference and not for use.
"""

from collections.abc import Callable
from fractions import Fraction

Below = Callable[[int], int]  # a uniformly random number of 0, ..., n - 1


def bernoulli(probability: Fraction, below: Below) -> bool:
    """True with that probability."""
    return below(probability.denominator) < probability.numerator


def bernoulli_exp(x: Fraction, below: Below) -> bool:
    """True with probability e^(-x), x >= 0 (Algorithm 1)."""
    for _ in range(int(x)):
        if not _bernoulli_exp_unit(Fraction(1), below):
            return False
    return _bernoulli_exp_unit(x - int(x), below)


def _bernoulli_exp_unit(x: Fraction, below: Below) -> bool:
    """For x in [0, 1]: the number of coins x/1, x/2, x/3, ... until the first failure is odd."""
    coins = 1
    while bernoulli(x / coins, below):
        coins += 1
    return coins % 2 == 1


def geometric(rate: Fraction, below: Below) -> int:
    """G with P(G >= g) = e^(-rate g): the magnitude in Algorithm 2, before the sign."""
    s, t = rate.numerator, rate.denominator
    while True:
        low = below(t)
        if bernoulli_exp(Fraction(low, t), below):
            break
    high = 0
    while bernoulli_exp(Fraction(1), below):
        high += 1
    return (low + t * high) // s


def discrete_laplace(rate: Fraction, below: Below) -> int:
    """N with P(N = x) proportional to e^(-rate |x|) (Algorithm 2, scale 1 / rate)."""
    while True:
        size = geometric(rate, below)
        negative = bernoulli(Fraction(1, 2), below)
        if size or not negative:
            return -size if negative else size
