"""Composition: exact sums of epsilon and delta, and two more accounts, in rho (zCDP) and in mu^2 (GDP).

Three filters, each valid when the analyst picks every query after seeing the answers so far:
    pure    the sums of epsilon and of delta stay within their caps (Rogers, Roth, Ullman, Vadhan, NeurIPS
            2016, Theorem 3.6 for basic composition).
    zcdp    the sums of rho and of the deltas of keys stay within theirs (Whitehouse, Ramdas, Rogers, Wu, ICML
            2023, Theorem 1); what was released is then delta-approximately rho-zCDP, which `conversion` turns
            into (epsilon, delta) once, at the cap.
    gdp     the same with mu^2 in place of rho (`gdp`).

The deltas of keys are those of finding keys in private rows. Gaussian noise has a delta only beside an
epsilon: its rho and its mu^2 say all of it, and so it has none of these.

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
known: epsilon^2 / (8 k), see `mechanisms.peeling`. Gaussian noise is mu^2 / 2, see `accounting.gaussian`;
of both together see `accounting.choices`. A
stream, which is pure, is an interactive function of that same one response (Vadhan, Wang 2021), and so has
the same rho.

Discrete Laplace noise of rate a on each number of a vector that one unit moves by s in all (L1) and by at
most c each (L-infinity) has rho = a s tanh(a c / 2).
Proof. The noises are independent, so the rho of the numbers add up. A number that moves by d_i is
(a d_i)-DP, and has rho a d_i tanh(a d_i / 2) by the above. tanh grows, and d_i <= c: the sum is at most
a tanh(a c / 2) sum d_i <= a tanh(a c / 2) s. It is attained where whole numbers move by 1 each (c = 1);
where they move by more, one noise hides several steps, and costs less.
With `groups` g, a unit moves at most g groups by c each: s = g c, a = epsilon / s, and rho = epsilon
tanh(epsilon / (2 g)), where epsilon tanh(epsilon / 2) would be up to g times as much. A group may be several
numbers, such as the pair of sums of a mean, if c is the L1 sensitivity of them together. In the same way of g
winners, or keys, that are chosen apart with epsilon / g each: g times (epsilon / g) tanh(epsilon / (2 g)).
With a delta, each part is epsilon / g-indistinguishable but for a part of weight delta_i, and the sum of the
delta_i counts apart (a key that only one neighbour has is left out of both, at a weight that the threshold
bounds). The L-infinity bound is a fact of the score SQL, which clamps totals and cuts rows: what does not
enforce it has an event without `groups`.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from flint import arb

from dpduck.kernel.accounting.amounts import DELTA_PLACES, EPSILON_PLACES, MU_SQUARED_PLACES, RHO_PLACES
from dpduck.kernel.accounting.balls import ball, rounded_up
from dpduck.kernel.accounting.choices import holds, mu_squared_of_choices, rho_of_choices
from dpduck.kernel.accounting.events import (
    Average,
    BoundedSums,
    ChosenGroupCounts,
    ClampedSums,
    Composed,
    DistinctCounts,
    Event,
    ExtremeValue,
    GaussianKeys,
    GaussianNoise,
    GaussianTopK,
    GumbelTopK,
    Histogram,
    KeySelection,
    ManyQuantiles,
    NoisyCount,
    NoisyMoments,
    PartitionSelection,
    PermuteAndFlip,
    QuantileInterval,
)
from dpduck.kernel.accounting.gaussian import delta_of_gaussian
from dpduck.kernel.accounting.gdp import mu_squared_of
from dpduck.kernel.errors import InternalError


@dataclass(frozen=True)
class Cost:
    """What one or more events cost: exact epsilon and delta; rho and mu^2, rounded up to 1e-12, and the delta
    that counts beside them."""

    epsilon: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)
    rho: Fraction = Fraction(0)
    mu_squared: Fraction = Fraction(0)
    keys_delta: Fraction = Fraction(0)

    def __add__(self, other: Cost) -> Cost:
        return Cost(*map(operator.add, self.amounts, other.amounts))

    def __sub__(self, other: Cost) -> Cost:
        return Cost(*map(operator.sub, self.amounts, other.amounts))

    def __mul__(self, times: Fraction | int) -> Cost:
        return Cost(*(amount * times for amount in self.amounts))

    @property
    def amounts(self) -> tuple[Fraction, ...]:
        """The amounts in the order of the fields."""
        return self.epsilon, self.delta, self.rho, self.mu_squared, self.keys_delta

    def rounded_down(self) -> Cost:
        """Rounded down to the decimal places that the ledger records."""
        places = (EPSILON_PLACES, DELTA_PLACES, RHO_PLACES, MU_SQUARED_PLACES, DELTA_PLACES)
        return Cost(*map(_whole_steps, self.amounts, places))


def cost_of(event: Event) -> Cost:
    """The cost of an event in all accounts.

    >>> from dpduck.kernel.accounting.events import NoisyCount
    >>> cost_of(NoisyCount(Fraction(1, 2))).rho
    Fraction(61229665601, 500000000000)
    """
    parts = event.parts if isinstance(event, Composed) else (event,)
    beside = sum(map(_beside_sums, parts), Cost())
    return replace(beside, epsilon=event.epsilon, delta=event.delta)


def _beside_sums(event: Event) -> Cost:  # noqa: C901 (a case for each kind)
    """The amounts of an event besides its epsilon and delta."""
    match event:
        case GaussianNoise(delta=delta):
            return _cost_of_gaussian(event, delta)
        case GaussianKeys(delta=delta):
            return replace(
                _cost_of_gaussian(event, delta / 2), keys_delta=_rounded_up(delta / 2, DELTA_PLACES)
            )
        case GaussianTopK() as event:
            return _cost_of_gaussian_top_k(event)
        case GumbelTopK(epsilon=epsilon, k=k):
            rho = _rounded_up(epsilon**2 / (8 * k), RHO_PLACES)
            return Cost(rho=rho, mu_squared=mu_squared_of_choices(k, epsilon / k, Fraction(0)))
        case DistinctCounts(epsilon=epsilon):  # two pure, each of half of it
            return _cost_of_groups(epsilon / 2, 1, Fraction(0)) * 2
        case ClampedSums(epsilon=epsilon, groups=groups):  # the same, and the second has independent parts
            choice, sums = (_cost_of_groups(epsilon / 2, parts, Fraction(0)) for parts in (1, groups))
            return choice + sums
        case ChosenGroupCounts(epsilon=epsilon):  # two pure, of a tenth and the rest
            parts = epsilon / 10, epsilon * 9 / 10
            return sum((_cost_of_groups(part, 1, Fraction(0)) for part in parts), Cost())
        case (  # of as many pure releases
            ManyQuantiles(epsilon=epsilon, levels=levels, groups=groups)
            | QuantileInterval(epsilon=epsilon, levels=levels, groups=groups)
        ):
            return _cost_of_groups(epsilon / levels, groups, Fraction(0)) * levels
        case (
            Average(groups=groups)
            | BoundedSums(groups=groups)
            | ExtremeValue(groups=groups)
            | Histogram(groups=groups)
            | KeySelection(groups=groups)
            | NoisyCount(groups=groups)
            | NoisyMoments(groups=groups)
            | PartitionSelection(groups=groups)
            | PermuteAndFlip(groups=groups)
        ):
            return _cost_of_groups(event.epsilon, groups, event.delta)
    return _cost_of_groups(event.epsilon, 1, event.delta)


def _cost_of_groups(epsilon: Fraction, groups: int, delta: Fraction) -> Cost:
    mu_squared = _mu_squared(epsilon, groups)
    return Cost(rho=rho_of(epsilon, groups), mu_squared=mu_squared, keys_delta=delta)


def _cost_of_gaussian(event: GaussianNoise | GaussianKeys, delta: Fraction) -> Cost:
    """Its mu^2, and half of that in rho.

    Errors: InternalError if its mu has a larger delta than claimed: then it has no price.
    """
    if delta_of_gaussian(event.mu_squared, event.epsilon) > delta:
        raise InternalError("Gaussian noise is less than its epsilon and delta need")
    mu_squared = _rounded_up(event.mu_squared, MU_SQUARED_PLACES)
    return Cost(rho=_rounded_up(event.mu_squared / 2, RHO_PLACES), mu_squared=mu_squared)


def _mu_squared(epsilon: Fraction, parts: int) -> Fraction:
    """Of independent parts that are (epsilon / parts)-DP each."""
    return parts * mu_squared_of(epsilon / parts)


def _cost_of_gaussian_top_k(event: GaussianTopK) -> Cost:
    """Errors: InternalError if it costs more than it claims."""
    parts = event.k, event.rate, event.mu_squared
    if not holds(*parts, event.epsilon, event.delta):
        raise InternalError("the noise of a top-k is less than its epsilon and delta need")
    return Cost(rho=rho_of_choices(*parts), mu_squared=mu_squared_of_choices(*parts))


@lru_cache(maxsize=1024)
def rho_of(epsilon: Fraction, groups: int = 1) -> Fraction:
    """Return the rho of what is epsilon-DP, in parts of an equal epsilon each, rounded up to 1e-12."""

    def bound() -> arb:
        x = ball(epsilon)
        return x * (x / (2 * groups)).tanh()

    return rounded_up(bound, RHO_PLACES) if epsilon else Fraction(0)


def _rounded_up(amount: Fraction, places: int) -> Fraction:
    return Fraction(math.ceil(amount * 10**places), 10**places)


def _whole_steps(amount: Fraction, places: int) -> Fraction:
    return Fraction(amount * 10**places // 1, 10**places)
