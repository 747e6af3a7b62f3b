"""Ball arithmetic as the judge of floats."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

from flint import arb, fmpq

from dpduck.kernel.noise import Exponential, Family, Laplace
from tests.oracles.selection import precision
from tests.sources import HALF, WORD

RATES = (
    Fraction(1, 10**8),
    Fraction(1, 10_000),
    Fraction(1, 7),
    Fraction(1),
    Fraction(31, 10),
    Fraction(20),
)
EXTREME_WORDS = (
    *(0, 1, 2, 3, 1 << 11, 1 << 32, 1 << 52, 1 << 53, (1 << 53) + 1, 1 << 62),
    *(HALF - (1 << 10), HALF - 2, HALF - 1, HALF, HALF + 1, HALF + 2, HALF + (1 << 10)),
    *(WORD - (1 << 32), WORD - (1 << 11) - 1, WORD - (1 << 11), WORD - 3, WORD - 2, WORD - 1),
)


@contextmanager
def precise() -> Iterator[None]:
    """Far more digits than any float has."""
    with precision(320):
        yield


def ball(number: Fraction) -> arb:
    return arb(fmpq(number.numerator, number.denominator))


def log_of(number: Fraction) -> arb:
    return ball(number).log() if number else arb("-inf")


def exact_at(family: Family, log_cdf: arb) -> arb:
    """The noise at ln F, also at the ends, and at the median of Laplace noise, where its halves meet."""
    if log_cdf == 0:
        return arb("+inf")
    if log_cdf == arb("-inf"):
        return arb(0) if isinstance(family, Exponential) else arb("-inf")
    if isinstance(family, Laplace) and log_cdf.overlaps(-arb.const_log2()):
        return arb(0.5)
    return family.exact(log_cdf)


def assert_contains(low: float, high: float, smallest: arb, largest: arb) -> None:
    """low <= smallest and largest <= high, for certain."""
    assert not math.isnan(low)
    assert not math.isnan(high)
    assert low == -math.inf or arb(low) <= smallest
    assert high == math.inf or arb(high) >= largest


def relative_error(value: float, exact: arb) -> float:
    return float(abs(arb(value) / exact - 1).upper())
