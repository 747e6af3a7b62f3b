"""What choosing k winners one after another costs beside Gaussian noise: one epsilon and delta for both.

Let each winner be chosen by an exponential mechanism of rate r, among those that are left, from scores that
one unit moves by 0 or 1, all one way: its logarithm of the ratio of probabilities between neighbours stays
within an interval of length r (see `mechanisms.peeling`). Then let numbers be released with Gaussian noise
of mu^2, which may depend on who won.

Theorem. Both together are (epsilon, delta)-DP if one of these holds:
    1. k r^2 / 8 + mu^2 / 2 <= `rho_limit(epsilon, delta)`;
    2. `delta_of_gaussian(mu^2 + pi k r^2 / 8, epsilon)` <= delta.
And they are (k r^2 / 8 + mu^2 / 2)-zCDP, and of mu^2 + pi k r^2 / 8 in GDP, always.
Proof. 1: a choice is (r^2 / 8)-zCDP (`mechanisms.peeling`), and zCDP adds up, also where a part depends on
the outputs before. 2: each choice is nu-GDP with nu^2 = pi r^2 / 8, and GDP adds up in squares, also
adaptively (Dong, Roth, Su, JRSS-B 2022, Corollary 3.3); the rest is the theorem of `accounting.gaussian`.
That a choice is nu-GDP: its ratio of probabilities is a mean over two outcomes with the ratios e^t and e^(t
- r), each output being made from these two at random, so it is post-processing of a pair (p, q) of coins
with logit p - logit q = r. A test of two coins is no better than one of N(0, 1) and N(nu, 1) if nu >= g(x +
r) - g(x), where x = logit q and g(x) = Phi^-1(1 / (1 + e^-x)). So nu = r sup g' will do. As a function of z
= g(x), g' is h(z) = Phi(z) Phi(-z) / phi(z), which is even, and largest at z = 0: there h = sqrt(pi / 8), so
that nu^2 = pi r^2 / 8. For h' = 1 - 2 Phi + z h, and h'' = h - 2 phi + z h'. At 0, h' = 0 and h'' < 0. Where
h' = 0 at a z > 0, h = (2 Phi - 1) / z, the mean of 2 phi on [0, z], exceeds 2 phi(z), so h'' > 0: h' could
only go from below 0 to above and stay there, but h tends to 0. QED

Which of the two holds is a public fact, as k, r, mu, epsilon and delta are. 1 is better where choosing takes
most of the loss, 2 where it takes little: pi / 2 times as much for choosing, but no loss by the conversion
from rho. For one or two winners the sum of k r and the epsilon of the noise may be less than either, but
there a noisy top-k without any delta (`mechanisms.topk_counts`) has the smaller error.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from flint import arb

from dpduck.kernel.accounting.amounts import MU_SQUARED_PLACES, RHO_PLACES
from dpduck.kernel.accounting.balls import ball, rounded_up
from dpduck.kernel.accounting.conversion import rho_limit
from dpduck.kernel.accounting.gaussian import delta_of_gaussian, most_mu_squared

_PLACES = 18  # decimal places of mu^2


def rho_of_choices(k: int, rate: Fraction, mu_squared: Fraction) -> Fraction:
    """The rho of both, rounded up to the decimal places of the ledger.

    >>> rho_of_choices(40, Fraction(1, 20), Fraction(1, 50))
    Fraction(9, 400)
    """
    return Fraction(math.ceil(_rho(k, rate, mu_squared) * 10**RHO_PLACES), 10**RHO_PLACES)


def mu_squared_of_choices(k: int, rate: Fraction, mu_squared: Fraction) -> Fraction:
    """The mu^2 of both, rounded up to the decimal places of the ledger.

    >>> mu_squared_of_choices(40, Fraction(1, 20), Fraction(1, 50))
    Fraction(5926990817, 100000000000)
    """
    whole = (mu_squared + _as_gaussian(k, rate)) * 10**MU_SQUARED_PLACES
    return Fraction(math.ceil(whole), 10**MU_SQUARED_PLACES)


def holds(k: int, rate: Fraction, mu_squared: Fraction, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether one of the theorem's conditions is met."""
    return (
        _rho(k, rate, mu_squared) <= rho_limit(epsilon, delta)
        or delta_of_gaussian(mu_squared + _as_gaussian(k, rate), epsilon) <= delta
    )


@lru_cache(maxsize=4096)
def mu_squared_beside(k: int, rate: Fraction, epsilon: Fraction, delta: Fraction) -> Fraction:
    """The largest mu^2 that the theorem leaves for numbers, rounded down to 1e-18; 0 if none.

    >>> round(float(mu_squared_beside(40, Fraction(1, 20), Fraction(1), Fraction(1, 10**6))), 5)
    0.02371
    """
    by_rho = 2 * rho_limit(epsilon, delta) - k * rate**2 / 4
    by_gaussian = most_mu_squared(epsilon, delta) - _as_gaussian(k, rate)
    return Fraction(max(by_rho, by_gaussian, Fraction(0)) * 10**_PLACES // 1, 10**_PLACES)


def _rho(k: int, rate: Fraction, mu_squared: Fraction) -> Fraction:
    return k * rate**2 / 8 + mu_squared / 2


@lru_cache(maxsize=4096)
def _as_gaussian(k: int, rate: Fraction) -> Fraction:
    """pi k r^2 / 8, rounded up."""
    return rounded_up(lambda: ball(k * rate**2 / 8) * arb.pi(), _PLACES)
