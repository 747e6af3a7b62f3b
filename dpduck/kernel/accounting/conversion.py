"""From rho to (epsilon, delta) and back, by the best order of the Renyi divergence.

What is rho-zCDP is, for every order alpha > 1, (epsilon, delta)-DP with

    epsilon = alpha rho + ln(1 / (alpha delta)) / (alpha - 1) + ln(1 - 1 / alpha)

(Canonne, Kamath, Steinke, NeurIPS 2020, Corollary 13; Asoodeh et al. 2021). Proof. With the privacy loss L,
delta(epsilon) = E[(1 - e^(epsilon - L))+], and (1 - e^-x)+ <= e^((alpha - 1) x) (1 - 1 / alpha)^alpha /
(alpha - 1), whose two sides touch where e^-x = 1 - 1 / alpha. E e^((alpha - 1) L) <= e^((alpha - 1) alpha
rho) gives delta, which is solved for epsilon. QED. It is never above rho + 2 sqrt(rho ln(1 / delta)) (Bun,
Steinke 2016, Proposition 1.3): at the best order for its first two terms without ln alpha they are that, and
the rest is negative.

Any alpha is valid, so it is looked for in floats, and the formula is evaluated at that one rational number in
balls and rounded to the safe side: no optimality has to be proved. The derivative of epsilon by alpha is
rho - ln(1 / (alpha delta)) / (alpha - 1)^2, which grows and so has one zero.

The order for a cap is a function of the cap alone. That is what makes it valid for analysts who adapt: the
whole interaction is rho-zCDP for the rho of the cap, and is converted once. To convert what was spent, at an
order that suits it, says how much that is, and decides nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from flint import arb

from dpduck.kernel.accounting.amounts import DELTA_PLACES, EPSILON_PLACES, RHO_PLACES
from dpduck.kernel.accounting.balls import ball, rounded_down, rounded_up

_STEPS = 200  # of bisection: more than the digits of a float


@lru_cache(maxsize=1024)
def epsilon_at(rho: Fraction, delta: Fraction) -> Fraction:
    """The epsilon that rho-zCDP implies at a delta between 0 and 1, rounded up to 1e-9.

    >>> float(epsilon_at(Fraction(1, 50), Fraction(1, 10**6)))
    0.899935268
    """
    if not rho:
        return Fraction(0)
    share, log = float(rho), -math.log(delta)
    beyond = _beyond(delta, lambda b: share * b * b + math.log1p(b) - log)

    def bound() -> arb:
        return (1 + ball(beyond)) * ball(rho) + _rest(beyond, delta)

    return max(rounded_up(bound, EPSILON_PLACES), Fraction(0))


@lru_cache(maxsize=1024)
def rho_limit(epsilon: Fraction, delta: Fraction) -> Fraction:
    """The largest rho that surely implies (epsilon, delta)-DP, rounded down to 1e-12.

    For each alpha the formula is solved for rho, and the largest of these is taken. At the best alpha both
    derivatives are 0, so that epsilon = L (2 alpha - 1) / (alpha - 1)^2 + ln(1 - 1 / alpha) with L = ln(1 /
    (alpha delta)), which falls as alpha grows.

    >>> float(rho_limit(Fraction(1), Fraction(1, 10**6)))
    0.024355970359
    """
    if epsilon <= 0 or not 0 < delta < 1:
        return Fraction(0)
    wanted, log = float(epsilon), -math.log(delta)

    def missing(b: float) -> float:
        implied = (log - math.log1p(b)) * (2 * b + 1) / (b * b) + math.log(b) - math.log1p(b)
        return wanted - implied

    beyond = _beyond(delta, missing)

    def bound() -> arb:
        return (ball(epsilon) - _rest(beyond, delta)) / (1 + ball(beyond))

    return max(rounded_down(bound, RHO_PLACES), Fraction(0))


def _rest(beyond: Fraction, delta: Fraction) -> arb:
    """What epsilon is besides alpha rho. Input: alpha - 1."""
    log = (1 + ball(beyond)).log()
    return -(log + ball(delta).log()) / ball(beyond) + ball(beyond).log() - log


def _beyond(delta: Fraction, rising: Callable[[float], float]) -> Fraction:
    """The order less 1, between 0 and 1 / delta - 1, near the zero of a rising function, by bisection."""
    low, high = -60.0, math.log(1 / delta - 1)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(math.exp(middle)) > 0 else (middle, high)
    return Fraction(math.exp((low + high) / 2))


def share_of_delta(delta: Fraction) -> Fraction:
    """The half of a zCDP delta that converts rho into epsilon; the other half is spent by events."""
    return Fraction(delta / 2 * 10**DELTA_PLACES // 1, 10**DELTA_PLACES)
