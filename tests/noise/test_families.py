"""Every family: exact inverses of the distribution function, and float bounds that contain them."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from dpduck.kernel.noise import Exponential, Family, Gumbel, Laplace, Maxima, OrderStatistic
from dpduck.kernel.noise.uniform import log_bounds
from tests.noise.balls import EXTREME_WORDS, RATES, assert_contains, ball, exact_at, log_of, precise
from tests.noise.test_uniform import random_words
from tests.oracles.noise import discrete_laplace_cdf
from tests.sources import HALF, WORD, Continued, Seeded

FAMILIES = (Exponential, Gumbel, Laplace)
Make = Callable[[Fraction], Family]

every_family = pytest.mark.parametrize("make", FAMILIES)
every_rate = pytest.mark.parametrize("rate", RATES, ids=float)


# The inverse


def exponential_cdf(x: arb, rate: arb) -> arb:
    return 1 - (-rate * x).exp()


def gumbel_cdf(x: arb, rate: arb) -> arb:
    return (-(-rate * x).exp()).exp()


def laplace_cdf(x: arb, rate: arb) -> arb:
    """P(N + R <= x) for N discrete Laplace and R uniform: a straight line between whole numbers."""
    whole = int(x.floor().unique_fmpz())
    p = (-rate).exp()

    def below(n: int) -> arb:
        """P(N < n)."""
        return 1 - p**n / (1 + p) if n > 0 else p ** (1 - n) / (1 + p)

    return below(whole) + (below(whole + 1) - below(whole)) * (x - whole)


CDFS = {Exponential: exponential_cdf, Gumbel: gumbel_cdf, Laplace: laplace_cdf}


@every_family
@every_rate
def test_exact_inverts_the_distribution_function(make: Make, rate: Fraction) -> None:
    points = [Fraction(w, WORD) for w in (1 << 20, 1 << 60, HALF - 5, HALF + 7, WORD - (1 << 55), WORD - 9)]
    with precise():
        for point in points:
            found = CDFS[make](make(rate).exact(log_of(point)), ball(rate))  # type: ignore[index]
            assert found.contains(ball(point))
            assert float(found.rad()) < 2.0**-200


def test_the_floor_of_laplace_noise_is_discrete_laplace() -> None:
    """At rate ln 2, where p = 1/2 is rational: F(n + 1) is the exact distribution function at n."""
    rate = Fraction(0.6931471805599453)  # the nearest double: off by less than 2^-55
    for n in range(-6, 7):
        level = discrete_laplace_cdf(n, Fraction(1, 2))
        with precise():
            assert abs(Laplace(rate).exact(log_of(level)) - (n + 1)) < 1e-14


def test_the_median_of_laplace_noise_is_one_half() -> None:
    for rate in RATES:
        with precise():
            near = Laplace(rate).exact(log_of(Fraction(HALF + 1, WORD)))
            assert abs(near - 0.5) < 2.0**-60 * (1 + 1 / float(rate))
            assert not Laplace(rate).exact(log_of(Fraction(1, 2))).is_finite()


# Float bounds


@every_family
@every_rate
def test_the_bounds_contain_the_exact_noise(make: Make, rate: Fraction) -> None:
    family = make(rate)
    words = [*EXTREME_WORDS, *random_words(100, "families")]
    low, high = family.bounds(*log_bounds(np.array(words, dtype=np.uint64)))
    with precise():
        for word, a, b in zip(words, low.tolist(), high.tolist(), strict=True):
            smallest, largest = (exact_at(family, log_of(Fraction(w, WORD))) for w in (word, word + 1))
            assert_contains(a, b, smallest, largest)


@every_family
@every_rate
def test_the_bounds_decide_nearly_always(make: Make, rate: Fraction) -> None:
    words = Seeded("narrow").words(1000)
    low, high = make(rate).bounds(*log_bounds(words))
    assert np.median(high - low) < 2.0**-41 * (1 + 1 / float(rate))


@every_family
@pytest.mark.parametrize("rate", RATES[::2], ids=float)
@pytest.mark.parametrize("size", [1, 2, 7, 10**6, 2**61])
def test_the_bounds_contain_the_largest_noises_of_a_group(make: Make, rate: Fraction, size: int) -> None:
    words = [*EXTREME_WORDS[::3], *random_words(20, "groups")]
    maxima = Maxima.draw(make(rate), np.full(len(words), size), Continued(words, Seeded()))
    for i, word in enumerate(words):
        first = maxima.single(i, Seeded())
        assert_group_bounds(first, [word])
        chain, drawn = first, [word]
        for following in (words[-1 - i], HALF, WORD - 1):
            entry = chain.next(Continued([following], Seeded()))
            if entry is None:
                assert size == len(drawn)
                break
            chain, drawn = entry, [*drawn, following]
            assert_group_bounds(chain, drawn)


def assert_group_bounds(entry: OrderStatistic, words: list[int]) -> None:
    with precise():
        ends = []
        for end in (0, 1):
            logs = (log_of(Fraction(w + end, WORD)) / (entry.size - j) for j, w in enumerate(words))
            ends.append(exact_at(entry.family, sum(logs, arb(0))))
        assert_contains(entry.low, entry.high, *ends)
        ball = entry.exact()
        if ball.is_finite():
            assert not ball < entry.low
            assert not ball > entry.high
            assert not (ends[0].is_finite() and ends[1].is_finite()) or ball.overlaps((ends[0] + ends[1]) / 2)


# The discrete noise itself


WHOLE = (-(10**12), -5000, -3, -1, 0, 1, 2, 17, 700, 10**4, 10**7, 10**12)


@every_rate
def test_the_chance_of_less_than_a_whole_number_is_exact(rate: Fraction) -> None:
    """P(N < x) as a sum of masses where that is short, and by P(N >= x) = p^x / (1 + p) elsewhere."""
    family = Laplace(rate)
    with precise():
        p = (-ball(rate)).exp()
        for x in WHOLE:
            tail = p ** max(x, 1 - x) / (1 + p)
            expected = (-tail).log1p() if x > 0 else tail.log()
            assert family.log_below(x).overlaps(expected)
            assert family.log_below(x).rel_accuracy_bits() > 200
        for x in (-2, 0, 1, 3):
            ratio = (family.log_below(x + 1).exp() - family.log_below(x).exp()) / ((1 - p) / (1 + p))
            assert abs(ratio - p ** abs(x)) < arb(10) ** -40


@every_rate
def test_floats_propose_that_chance_to_40_bits(rate: Fraction) -> None:
    family = Laplace(rate)
    found = family.guess_log_below(np.array(WHOLE, dtype=np.float64))
    with precise():
        for x, value in zip(WHOLE, found.tolist(), strict=True):
            exact = family.log_below(x)
            assert abs(arb(value) - exact) <= abs(exact) * arb(2) ** -40 + arb(10) ** -300


# Mutants


@pytest.mark.parametrize(("name", "value"), [("SLACK", 0.0), ("SLACK", -(2.0**-44))])
def test_without_slack_some_bound_is_wrong(monkeypatch: pytest.MonkeyPatch, name: str, value: float) -> None:
    for module in ("families", "uniform"):
        monkeypatch.setattr(f"dpduck.kernel.noise.{module}.{name}", value)
    with pytest.raises(AssertionError):
        for rate in RATES:
            test_the_bounds_contain_the_exact_noise(Exponential, rate)
