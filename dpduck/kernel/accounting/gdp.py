"""Gaussian differential privacy (mu-GDP): what pure events cost in mu^2, and what a sum of mu^2 implies.

What is mu-GDP is told from its neighbour at most as well as N(0, 1) is from N(mu, 1) (Dong, Roth, Su, JRSS-B
2022). Gaussian noise is that exactly, so that a budget whose queries all have it loses nothing when they are
converted, where the best conversion of rho loses a tenth and more.

Theorem. What is epsilon-DP is mu-GDP with mu = 2 Phi^-1(e^epsilon / (1 + e^epsilon)).
Proof. The least type II error at level a is at least f(a) = max(1 - e^epsilon a, e^-epsilon (1 - a)) for
epsilon-DP, and G(a) = Phi(Phi^-1(1 - a) - mu) for mu-GDP, which is convex. They agree at a = 0, at a = 1, and
at a = 1 / (1 + e^epsilon), where f has its corner: f is the chords of G, and so above it. QED

Filter: mu is the root of the sum of mu^2 of events that are chosen adaptively, as long as the sum stays
within a cap that was fixed before (Smith, Thakurta, arXiv 2210.17520; Koskela, Tobaben, Honkela, ICLR 2023).
Deltas add up beside it: an event of (epsilon, delta) is, but for a part of weight delta, a function of one
randomised response of epsilon (Kairouz, Oh, Viswanath, ICML 2015). Runs in which no such part occurs are
mu-GDP, and the others weigh at most the sum of the deltas.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from flint import arb

from dpduck.kernel.accounting.amounts import EPSILON_PLACES, MU_SQUARED_PLACES
from dpduck.kernel.accounting.balls import ball, rounded_down, rounded_up
from dpduck.kernel.accounting.gaussian import delta_of_gaussian, most_mu_squared


@lru_cache(maxsize=1024)
def mu_squared_of(epsilon: Fraction) -> Fraction:
    """The mu^2 of what is epsilon-DP, rounded up to 1e-12.

    >>> float(mu_squared_of(Fraction(1)))
    1.517911190742
    """
    if not epsilon:
        return Fraction(0)

    def bound() -> arb:
        # Phi^-1(p) = sqrt(2) erfinv(2 p - 1), and 2 p - 1 = tanh(epsilon / 2).
        root = (ball(epsilon) / 2).tanh().erfinv()
        return 8 * root * root

    return rounded_up(bound, MU_SQUARED_PLACES)


@lru_cache(maxsize=1024)
def mu_squared_limit(epsilon: Fraction, delta: Fraction) -> Fraction:
    """The largest mu^2 that surely implies (epsilon, delta)-DP, rounded down to 1e-12.

    >>> float(mu_squared_limit(Fraction(1), Fraction(1, 10**6)))
    0.056028963825
    """
    if epsilon <= 0 or not 0 < delta < 1:
        return Fraction(0)
    most = most_mu_squared(epsilon, delta)
    return rounded_down(lambda: ball(most), MU_SQUARED_PLACES)


@lru_cache(maxsize=1024)
def epsilon_at_mu_squared(mu_squared: Fraction, delta: Fraction) -> Fraction:
    """The epsilon that mu-GDP implies at a delta between 0 and 1, rounded up to 1e-9.

    >>> float(epsilon_at_mu_squared(Fraction(1, 25), Fraction(1, 10**6)))
    0.834117549
    """
    step = Fraction(1, 10**EPSILON_PLACES)
    if delta_of_gaussian(mu_squared, Fraction(0)) <= delta:
        return Fraction(0)
    low, high = 0, 10**EPSILON_PLACES  # in steps: the epsilon is above low, and at most high
    while delta_of_gaussian(mu_squared, high * step) > delta:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if delta_of_gaussian(mu_squared, middle * step) > delta else (low, middle)
    return Fraction(high, 10**EPSILON_PLACES)
