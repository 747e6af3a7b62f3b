"""Gaussian noise: what it costs in epsilon and delta, and the least noise for both.

Let f be a vector that one privacy unit moves by at most D in the Euclidean norm, and Z independent standard
normal numbers. f + sigma Z is mu-GDP with mu = D / sigma: no test tells neighbours apart better than one
tells N(0, 1) from N(mu, 1).

Theorem. It is (epsilon, delta)-DP if and only if delta is at least
    delta(mu, epsilon) = Phi(mu / 2 - epsilon / mu) - e^epsilon Phi(-mu / 2 - epsilon / mu),
and it is rho-zCDP with rho = mu^2 / 2.
Proof. For neighbours f and f + v the ratio of densities at y depends on <y - f, v> alone, which is normal. So
the pair is as easy to tell apart as N(0, 1) and N(|v| / sigma, 1), where the event of the largest excess is
that the ratio is above e^epsilon, a half line, whose probabilities are the two terms. The excess grows with
|v| (Balle, Wang, ICML 2018, Theorem 8; Dong, Roth, Su, JRSS-B 2022, Corollary 2.13). rho: Bun, Steinke, TCC
2016, Proposition 1.6. QED
Several vectors, each with noise of its own, are one such vector after each is divided by its sigma: then mu^2
adds up, and epsilon and delta follow from the sum. That is less than the sum of their epsilons and deltas.

Both terms of delta(mu, epsilon) are near each other where it is small, so no float computes it: it is bounded
in ball arithmetic, and whatever was searched for is certified by that bound.

The *discrete* Gaussian distribution has the same rho, but not this delta: of the noise for (1, 1e-6) it has
1.020e-6, and of that for (8, 1e-6) 3e-6. So noise here is the real one, rounded (`noise.gaussian`).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from flint import arb, fmpq

from dpduck.kernel.accounting.amounts import DELTA_PLACES
from dpduck.kernel.errors import InternalError
from dpduck.kernel.noise.uniform import integer, settle

_PLACES = 18  # decimal places of mu^2
_DIGITS = 64  # binary, of delta in units of its last place, which are known before it is rounded up
_STEPS = 40  # of the search; what it finds is within 1e-11 of the largest mu^2


@lru_cache(maxsize=1024)
def delta_of_gaussian(mu_squared: Fraction, epsilon: Fraction) -> Fraction:
    """Return delta(mu, epsilon), rounded up to 18 decimal places.

    >>> delta_of_gaussian(Fraction(1), Fraction(1)) * 10**18
    Fraction(126936737506643946, 1)
    """
    if mu_squared <= 0:
        return Fraction(0)

    def steps() -> int | None:
        scaled = _delta(mu_squared, epsilon) * 10**DELTA_PLACES
        known = scaled.is_finite() and scaled.rad() < arb(2) ** -_DIGITS
        return integer(scaled.upper().ceil()) if known else None

    return Fraction(settle(steps), 10**DELTA_PLACES)


@lru_cache(maxsize=1024)
def most_mu_squared(epsilon: Fraction, delta: Fraction) -> Fraction:
    """Return the largest mu^2, in multiples of 1e-18 and but for 1e-11 of it, of (epsilon, delta)-DP.

    Input: epsilon at least 0, delta above 0 and below 1. The noise of variance D^2 / mu^2 is the least.
    Errors: InternalError for other amounts, and if no such multiple is above 0.

    >>> f"{float(most_mu_squared(Fraction(1), Fraction(1, 10**6))) ** -0.5:.6f}"
    '4.224679'
    """
    if epsilon < 0 or not 0 < delta < 1:
        raise InternalError("Gaussian noise needs an epsilon, and a delta between 0 and 1")
    high = Fraction(1)
    while delta_of_gaussian(high, epsilon) <= delta:
        high *= 4
    low = high
    while not _is_enough(low, epsilon, delta):
        low /= 4
    if low != high:
        high = low * 4
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _is_enough(middle, epsilon, delta) else (low, middle)
    found = Fraction(low * 10**_PLACES // 1, 10**_PLACES)
    if not found or delta_of_gaussian(found, epsilon) > delta:
        raise InternalError("no Gaussian noise was found for this epsilon and delta")
    return found


def _is_enough(mu_squared: Fraction, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether delta is at least delta(mu, epsilon); no if they are too near to tell."""

    def decided() -> bool | None:
        needed = _delta(mu_squared, epsilon)
        allowed = _ball(delta)
        if needed.is_finite() and needed.rad() * 2**40 < allowed:
            return bool(needed <= allowed)
        return None

    return settle(decided)


def _delta(mu_squared: Fraction, epsilon: Fraction) -> arb:
    mu, loss = _ball(mu_squared).sqrt(), _ball(epsilon)
    return _below(mu / 2 - loss / mu) - loss.exp() * _below(-mu / 2 - loss / mu)


def _below(x: arb) -> arb:
    """Phi(x)."""
    return (-x / arb(2).sqrt()).erfc() / 2


def _ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))
