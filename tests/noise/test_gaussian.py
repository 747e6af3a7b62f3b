"""Rounded normal noise: exact inversion, its laws, undecided words, and noise that counts share."""

import math
import time
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from flint import arb

from dpduck.kernel.errors import InternalError
from dpduck.kernel.noise import correlated_gaussian, gaussian, normal, rounded_gaussian, whole_gaussian
from dpduck.kernel.noise.gaussian import MAX_VARIANCE, MAX_VARIANCE_OF_WHOLE
from tests.noise.balls import EXTREME_WORDS, ball, precise
from tests.noise.laws import Survival, assert_drawn_from, assert_not_drawn_from
from tests.noise.test_uniform import random_words
from tests.oracles.selection import precision
from tests.sources import HALF, WORD, Continued, Quiet, Repeating, Scripted, Seeded

VARIANCES = (Fraction(1, 4), Fraction(9), Fraction(160_000), Fraction(22, 7), Fraction(10**20, 3))
every_variance = pytest.mark.parametrize("variance", VARIANCES, ids=float)


def phi(x: arb) -> arb:
    return (-x / arb(2).sqrt()).erfc() / 2


def whole(ball: arb) -> int:
    found = ball.floor().unique_fmpz()
    assert found is not None
    return int(found)


def below(k: int, variance: Fraction) -> arb:
    """P(N < k) = Phi((k - 1/2) / sd)."""
    return phi((arb(k) - 0.5) / ball(variance).sqrt())


def gaussian_survival(sd: float) -> Survival:
    return lambda g: 0.5 * math.erfc((g - 0.5) / sd / math.sqrt(2))


def chi_square(draws: np.ndarray, sd: float, bins: int = 60) -> float:
    """How many standard deviations Pearson's statistic is above its mean (Wilson and Hilferty 1931)."""
    above = gaussian_survival(sd)
    ends = sorted({round(sd * 6 * (i / bins - 0.5)) for i in range(bins + 1)})
    tails = [1.0, *map(above, ends), 0.0]
    expected = np.array([a - b for a, b in pairwise(tails)]) * len(draws)
    observed = np.bincount(np.searchsorted(ends, draws, side="right"), minlength=len(expected))
    kept = expected >= 5
    rare = expected[~kept].sum()
    expected, observed = (np.append(x[kept], x[~kept].sum()) for x in (expected, observed))
    expected, observed = (expected, observed) if rare else (expected[:-1], observed[:-1])
    freedom = len(expected) - 1
    statistic = float((np.square(observed - expected) / expected).sum())
    spread = 2 / (9 * freedom)
    return (math.cbrt(statistic / freedom) - (1 - spread)) / math.sqrt(spread)


# The laws


@pytest.mark.parametrize("variance", [Fraction(1, 4), Fraction(9), Fraction(160_000)], ids=float)
def test_the_law_is_that_of_a_rounded_normal_number(variance: Fraction) -> None:
    """n = 200,000; 3.1 deviations is alpha = 1e-3; a scale 3 % off is 6 deviations away or more."""
    draws, sd = rounded_gaussian(variance, 200_000, Seeded("law", variance)), math.sqrt(variance)
    assert chi_square(draws, sd) < 3.1
    assert min(chi_square(draws, sd * 1.03), chi_square(draws, sd / 1.03)) > 6


@every_variance
def test_the_right_variance_is_accepted_and_a_wrong_one_rejected(variance: Fraction) -> None:
    """n = 20,000, with the alphas of `laws`."""
    draws, sd = rounded_gaussian(variance, 20_000, Seeded("gaussian", variance)), math.sqrt(variance)
    assert_drawn_from(draws, gaussian_survival(sd))
    assert_not_drawn_from(draws, gaussian_survival(sd * 1.3))
    assert_not_drawn_from(draws, gaussian_survival(sd * 0.7))


def test_a_million_draws_are_fast() -> None:
    """Half a second on two quiet cores; three here, where others run."""
    rounded_gaussian(Fraction(9), 1, Seeded("warm"))
    entropy, start = Seeded("speed"), time.perf_counter()
    assert len(rounded_gaussian(Fraction(160_000), 1_000_000, entropy)) == 1_000_000
    assert time.perf_counter() - start < 3


# The table of quantiles


def test_floats_are_within_the_proven_error() -> None:
    """Of each octave, at its ends, at the ends of segments, and at random."""
    tails = [(1 << octave) + d for octave in range(44, 63) for d in (0, 1, 2**octave // 16, 2**octave - 1)]
    tails += [word >> 1 | 1 << 62 for word in random_words(100, "upper")]
    tails += [(word >> (1 + i % 19)) | 1 << 44 for i, word in enumerate(random_words(400, "tails"))]
    found = normal.upper_quantile(np.array(tails, dtype=np.uint64))
    with precision(200):
        for tail, z in zip(tails, found.tolist(), strict=True):
            for end in (tail, tail + 1):
                exact = (arb(2 * end) / WORD).erfcinv() * arb(2).sqrt()
                assert abs(exact - arb(z)) < normal.ERROR


def test_a_table_that_is_less_exact_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(normal, "ERROR", 2.0**-46)
    normal._table.cache_clear()
    with pytest.raises(InternalError, match="not as exact as proven"):
        normal._table()
    monkeypatch.undo()
    normal._table()


def test_derivatives_of_the_quantile() -> None:
    """P_1, ..., P_6, by hand."""
    assert [list(map(int, normal._polynomial(n).coeffs())) for n in range(1, 7)] == [
        [1],
        [0, 1],
        [1, 0, 2],
        [0, 7, 0, 6],
        [7, 0, 46, 0, 24],
        [0, 127, 0, 326, 0, 120],
    ]


# Exact inversion


@every_variance
def test_noise_is_the_inverse_of_its_distribution_function(variance: Fraction) -> None:
    """P(N < n) <= V <= P(N < n + 1) at the n drawn, with all the digits of V that there are."""
    words = [*EXTREME_WORDS, *random_words(100, f"gaussian {variance}"), *boundaries(variance)]
    for word in words:
        later = Seeded("digits", variance, word).words(8).tolist()
        check_draw(variance, [word, *later])


def check_draw(variance: Fraction, words: list[int]) -> None:
    (n,) = whole_gaussian(variance, 1, Continued(words, Scripted()))
    level = Fraction(sum(w * WORD ** (len(words) - 1 - i) for i, w in enumerate(words)), WORD ** len(words))
    with precision(3000):
        assert below(n, variance) <= ball(level + Fraction(1, WORD ** len(words)))
        assert below(n + 1, variance) >= ball(level)


def boundaries(variance: Fraction) -> list[int]:
    """The words that hold Phi((k - 1/2) / sd) for several k, and those beside them."""
    sd = math.sqrt(variance)
    with precise():
        places = [
            below(k, variance) * WORD for k in {-3, 0, 1, 2, round(sd), -round(2 * sd), round(4 * sd) + 1}
        ]
        words = [whole(place) for place in places]
    return [w + d for w in words for d in (-1, 0, 1) if 0 <= w + d < WORD]


@pytest.mark.parametrize("variance", [Fraction(9), Fraction(1, 4), Fraction(160_000)], ids=float)
@pytest.mark.parametrize(("later", "up"), [([0], 0), ([WORD - 1], 1)])
@pytest.mark.parametrize("k", [-2, 1, 2])
def test_a_word_on_a_boundary_is_refined(variance: Fraction, k: int, later: list[int], up: int) -> None:
    """Its 64 digits are those of Phi((k - 1/2) / sd): the next word decides, or the one after it."""
    with precise():
        boundary = below(k, variance) * WORD
        word = whole(boundary)
        digits = whole((boundary - word) * WORD)
    source = Scripted([word, *later])
    assert rounded_gaussian(variance, 1, source).tolist() == [k - 1 + up]
    assert source.left == 0
    deeper = Scripted([word, digits, *later])
    assert rounded_gaussian(variance, 1, deeper).tolist() == [k - 1 + up]
    assert deeper.left == 0


def test_words_beyond_the_table_are_exact() -> None:
    """Down to a probability of 2^-512, where the noise is -26.5 deviations."""
    for zeros in (0, 1, 3, 7):
        for last in (1, 2**20, 2**43, 2**44 - 1):
            check_draw(Fraction(9), [*[0] * zeros, last, *Seeded(zeros, last).words(8).tolist()])
            high = [WORD - 1 - word for word in (*[0] * zeros, last)]
            check_draw(Fraction(9), [*high, *Seeded(last, zeros).words(8).tolist()])


def test_opposite_words_give_opposite_noise() -> None:
    words = [word for word in random_words(2000, "mirror") if 2**50 < word < WORD - 2**50]
    draws = rounded_gaussian(Fraction(160_000), len(words), Continued(words, Seeded("one")))
    others = [WORD - 1 - word for word in words]
    assert (draws == -rounded_gaussian(Fraction(160_000), len(words), Continued(others, Seeded("two")))).all()


def test_blocks_take_the_same_words(monkeypatch: pytest.MonkeyPatch) -> None:
    words = Seeded("blocks").words(51).tolist()
    whole = rounded_gaussian(Fraction(100), 50, Scripted(words)).tolist()
    together = correlated_gaussian(Fraction(100), Fraction(50), 50, Scripted(words)).tolist()
    monkeypatch.setattr(gaussian, "_BLOCK", 7)
    assert rounded_gaussian(Fraction(100), 50, Scripted(words)).tolist() == whole
    assert correlated_gaussian(Fraction(100), Fraction(50), 50, Scripted(words)).tolist() == together
    assert len(set(whole)) > 7


def test_one_word_a_draw_unless_it_does_not_decide() -> None:
    source = Scripted([*Seeded("count").words(100).tolist(), 1, 2, 3])
    assert len(rounded_gaussian(Fraction(9), 100, source)) == 100
    assert source.left == 3
    assert len(rounded_gaussian(Fraction(9), 0, Scripted())) == 0


def test_quiet_words_are_no_noise() -> None:
    assert rounded_gaussian(Fraction(10**6), 5, Quiet(HALF)).tolist() == [0] * 5
    assert correlated_gaussian(Fraction(10**6), Fraction(5), 5, Quiet(HALF)).tolist() == [0] * 5


def test_a_stuck_source_is_an_error_and_no_endless_loop() -> None:
    with pytest.raises(InternalError, match="the entropy source repeats itself"):
        rounded_gaussian(Fraction(9), 1, Repeating(0))


@pytest.mark.parametrize("variance", [MAX_VARIANCE, MAX_VARIANCE * 3, Fraction(2**700, 3)], ids=float)
def test_noise_beyond_64_bits_is_exact(variance: Fraction) -> None:
    for word in [*EXTREME_WORDS[5:-5], *random_words(10, f"large {variance}")]:
        check_draw(variance, [word, *Seeded("large", word).words(20).tolist()])


def test_a_variance_out_of_range_is_refused_before_any_draw() -> None:
    for sampler, most in ((rounded_gaussian, MAX_VARIANCE), (whole_gaussian, MAX_VARIANCE_OF_WHOLE)):
        sampler(most, 2, Seeded("most"))
        for variance in (most * 2, Fraction(0), Fraction(-1)):
            with pytest.raises(InternalError, match="too large for its integers"):
                sampler(variance, 1, Scripted())
    for own, shared in ((Fraction(0), Fraction(1)), (Fraction(1), MAX_VARIANCE * 2)):
        with pytest.raises(InternalError, match="too large for its integers"):
            correlated_gaussian(own, shared, 1, Scripted())


# Noise that all share in part

OWN, SHARED = Fraction(15, 4), Fraction(13, 10)


def middle(*words: int) -> arb:
    """The normal number of the uniform one in the middle of those with these digits."""
    level = Fraction(1, 2 * WORD ** len(words))
    level += sum(Fraction(word, WORD**place) for place, word in enumerate(words, 1))
    return (2 * ball(level) - 1).erfinv() * arb(2).sqrt()


def exact_together(word: int, *first: int) -> int:
    """floor(sqrt(b) Z_0 + sqrt(a) Z_1 + 1/2) of the words of the first and of another number."""
    with precision(300):
        real = ball(SHARED).sqrt() * middle(*first) + ball(OWN).sqrt() * middle(word) + 0.5
        return whole(real)


@pytest.mark.parametrize("first", [[1 << 62], [3 << 61], [HALF - 3], [7 << 60], [1 << 30, 99], [WORD - 5, 1]])
def test_each_sum_is_decided_as_one_real_number(first: list[int]) -> None:
    """Also of a shared number far out, of which more digits are drawn first."""
    words = Seeded("together").words(300).tolist()
    draws = correlated_gaussian(OWN, SHARED, len(words), Scripted([*first, *words]))
    assert draws.tolist() == [exact_together(word, *first) for word in words]


@pytest.mark.parametrize(("later", "up"), [(0, 0), (WORD - 1, 1)])
def test_a_sum_on_a_boundary_refines_both_numbers(later: int, up: int) -> None:
    """Z_0 and Z_1 such that the sum is 3/2 to 64 digits of each; further words of both decide."""
    first = 3 << 61
    with precise():
        shared = ball(SHARED).sqrt() * middle(first)
        word = whole(phi((arb(1.5) - shared) / ball(OWN).sqrt()) * WORD)
    source = Scripted([first, word, later, later])
    assert correlated_gaussian(OWN, SHARED, 1, source).tolist() == [1 + up]
    assert source.left == 0


def test_the_shared_part_is_the_covariance() -> None:
    """4000 vectors of 3: variances within 5 deviations of the estimate, 5.0 + 1/12, covariances of 1.3."""
    entropy = Seeded("covariance")
    draws = np.array([correlated_gaussian(OWN, SHARED, 3, entropy) for _ in range(4000)])
    found = np.cov(draws.T)
    expected = np.full((3, 3), float(SHARED)) + np.eye(3) * (float(OWN) + 1 / 12)
    assert np.abs(found - expected).max() < 5 * 5.1 * math.sqrt(2 / 4000)
    assert found[0, 1] > 0.8


def test_the_law_of_one_sum_is_that_of_its_variance() -> None:
    """n = 3000 vectors of one."""
    entropy = Seeded("sum")
    draws = np.array([correlated_gaussian(OWN * 9, SHARED * 9, 1, entropy)[0] for _ in range(3000)])
    sd = 3 * math.sqrt(OWN + SHARED)
    assert_drawn_from(draws, gaussian_survival(sd))
    assert_not_drawn_from(draws, gaussian_survival(sd * 1.3))
