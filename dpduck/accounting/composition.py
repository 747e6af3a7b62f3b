"""Composition: exact sums of epsilon and delta, and a second account in rho (zCDP).

Two filters, each valid when the analyst picks every query after seeing the answers so far:
    pure    the sums of epsilon and of delta stay within their caps (Rogers, Roth, Ullman, Vadhan, NeurIPS
            2016, Theorem 3.6 for basic composition).
    zcdp    the sums of rho and of delta stay within theirs (Whitehouse, Ramdas, Rogers, Wu, ICML 2023,
            Theorem 1); what was released is then delta-approximately rho-zCDP, which is turned into
            (epsilon, delta) once, at the cap.

A stream (`mechanisms.sparse_vector.Stream`) is one event, although its questions come one by one, and between
them the analyst may run other queries and other streams. In the first account that changes nothing, by the
same argument as without streams: every mechanism has its own noise, and each question is a function of the
answers so far, so the probability of a whole transcript is a product of one factor for each mechanism,
of its answers given its questions; each factor changes by at most e^epsilon of its own. It also holds with
delta, and for costs that are chosen adaptively: interleaved mechanisms compose as if each answered at once
(Vadhan, Wang, TCC 2021, for pure DP; Lyu, NeurIPS 2022, for (epsilon, delta) and zCDP; Vadhan, Zhang, STOC
2023, for f-DP, of which (epsilon, delta) is a case), and filters that are valid for sequential composition
stay valid (Haney, Shoemate, Tian, Vadhan, Vyrros, Xu, Zhang, CCS 2023, for (epsilon, delta), and for Renyi
divergences of each fixed order, which is what rho bounds).
fixed order, which is what rho bounds).

Epsilon that an event's own output shows as unused is returned in the first account only: there the ratio
of probabilities of a whole transcript is bounded output by output (Rogers, Samorodnitsky, Wu, Ramdas, ICML
2023). rho bounds a mean over outputs: if likely outputs paid less because unlikely ones paid more, the sum
would bound nothing.

An event of cost (epsilon, delta) is delta-approximately rho-zCDP with rho = epsilon tanh(epsilon / 2).
Proof. Such a pair of outputs is, but for a part of weight delta, epsilon-indistinguishable, and that is
a function of one randomised response with the odds e^epsilon (Kairouz, Oh, Viswanath, ICML 2015,
Theorem 3.2). Its Renyi divergence of order a is D_a = K(a) / (a - 1) with K = ln(cosh(s epsilon) /
cosh(epsilon / 2)), s = a - 1/2. As a function of u = s^2, cosh(epsilon sqrt u) is a product of terms
1 + u / y_i^2 with real y_i, so ln of it is concave, and K(1) = 0 at u = 1/4. Hence D_a / a =
K / (u - 1/4) falls as a grows, and is largest at a = 1, where it is epsilon tanh(epsilon / 2).
That is less than epsilon^2 / 2, the bound of Bun and Steinke (TCC 2016, Proposition 3.3), and is what
discrete Laplace noise on one count costs exactly. Of k exponential mechanisms, each of epsilon / k, more is
known: epsilon^2 / (8 k), see `mechanisms.peeling`. A stream, which is pure, is an interactive function of
that same one response (Vadhan, Wang 2021), and so has the same rho.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import arb, fmpq

from dpduck.accounting.amounts import DELTA_PLACES, EPSILON_PLACES
from dpduck.accounting.events import Composed, DistinctCounts, Event, GumbelTopK
from dpduck.noise.uniform import integer, settle

RHO_PLACES = 12


@dataclass(frozen=True)
class Cost:
    """What one or more events cost: exact epsilon and delta, and rho rounded up to 1e-12."""

    epsilon: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)
    rho: Fraction = Fraction(0)

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.epsilon + other.epsilon, self.delta + other.delta, self.rho + other.rho)

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.epsilon - other.epsilon, self.delta - other.delta, self.rho - other.rho)

    def __mul__(self, times: int) -> Cost:
        return Cost(self.epsilon * times, self.delta * times, self.rho * times)

    def rounded_down(self) -> Cost:
        """Rounded down to the decimal places that the ledger records."""
        return Cost(*map(_whole_steps, vars(self).values(), (EPSILON_PLACES, DELTA_PLACES, RHO_PLACES)))


def cost_of(event: Event) -> Cost:
    """The cost of an event in both accounts.

    >>> from dpduck.accounting.events import NoisyCount
    >>> cost_of(NoisyCount(Fraction(1, 2))).rho
    Fraction(61229665601, 500000000000)
    """
    parts = event.parts if isinstance(event, Composed) else (event,)
    return Cost(event.epsilon, event.delta, sum(map(_rho_of, parts), Fraction(0)))


def _rho_of(event: Event) -> Fraction:
    if isinstance(event, GumbelTopK):
        steps = event.epsilon**2 / (8 * event.k) * 10**RHO_PLACES
        return Fraction(math.ceil(steps), 10**RHO_PLACES)
    if isinstance(event, DistinctCounts):  # two pure releases, one after the other, of half of epsilon each
        return 2 * _rho(event.epsilon / 2)
    return _rho(event.epsilon)


@lru_cache(maxsize=1024)
def _rho(epsilon: Fraction) -> Fraction:
    def bound() -> arb:
        x = _ball(epsilon)
        return x * (x / 2).tanh()

    return _rounded_up(bound, RHO_PLACES) if epsilon else Fraction(0)


@lru_cache(maxsize=1024)
def rho_limit(epsilon: Fraction, delta: Fraction) -> Fraction:
    """The largest rho that surely implies (epsilon, delta)-DP, rounded down to 1e-12.

    epsilon = rho + 2 sqrt(rho ln(1 / delta)) (Bun and Steinke 2016, Proposition 1.3), solved for rho.

    >>> float(rho_limit(Fraction(1), Fraction(1, 10**6)))
    0.017468904769
    """

    def bound() -> arb:
        log = -(_ball(delta).log())
        root = (log + _ball(epsilon)).sqrt() - log.sqrt()
        return -(root * root)

    return -_rounded_up(bound, RHO_PLACES) if epsilon > 0 and 0 < delta < 1 else Fraction(0)


@lru_cache(maxsize=1024)
def epsilon_at(rho: Fraction, delta: Fraction) -> Fraction:
    """The epsilon that rho-zCDP implies at a delta between 0 and 1, rounded up to 1e-9.

    >>> float(epsilon_at(Fraction(1, 50), Fraction(1, 10**6)))
    1.071304354
    """

    def bound() -> arb:
        return _ball(rho) + 2 * (_ball(rho) * -(_ball(delta).log())).sqrt()

    return _rounded_up(bound, EPSILON_PLACES) if rho else Fraction(0)


def _ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def _rounded_up(bound: Callable[[], arb], places: int) -> Fraction:
    return Fraction(settle(lambda: integer((bound() * 10**places).ceil())), 10**places)


def _whole_steps(amount: Fraction, places: int) -> Fraction:
    return Fraction(amount * 10**places // 1, 10**places)


def share_of_delta(delta: Fraction) -> Fraction:
    """The half of a zCDP delta that converts rho into epsilon; the other half is spent by events."""
    return _whole_steps(delta / 2, DELTA_PLACES)
