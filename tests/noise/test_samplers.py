"""Integer noise and uniform choice: exact laws, an independent sampler, and words that do not decide."""

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from dpduck.kernel.errors import InternalError
from dpduck.kernel.noise import (
    SystemEntropy,
    choose,
    discrete_laplace,
    geometric,
    laplace_at_least,
    samplers,
    whole_laplace,
)
from dpduck.kernel.noise.samplers import MIN_RATE, MIN_RATE_OF_WHOLE, choose_another, choose_distinct
from tests.noise.balls import EXTREME_WORDS, RATES, ball, precise
from tests.noise.laws import (
    Survival,
    assert_drawn_from,
    assert_frequencies,
    assert_not_drawn_from,
    geometric_survival,
    laplace_survival,
)
from tests.noise.test_uniform import random_words
from tests.oracles import canonne
from tests.oracles.fit import log_p_value
from tests.oracles.selection import precision
from tests.sources import HALF, WORD, Continued, Quiet, Repeating, Scripted, Seeded

SAMPLERS = {
    "geometric": (geometric, geometric_survival, canonne.geometric),
    "laplace": (discrete_laplace, laplace_survival, canonne.discrete_laplace),
}
every_sampler = pytest.mark.parametrize("name", SAMPLERS)


@every_sampler
def test_blocks_take_the_same_words(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sampler, words = SAMPLERS[name][0], Seeded("blocks").words(50).tolist()
    whole = sampler(Fraction(1, 10), 50, Scripted(words))
    monkeypatch.setattr(samplers, "_BLOCK", 7)
    assert sampler(Fraction(1, 10), 50, Scripted(words)).tolist() == whole.tolist()
    assert len(set(whole.tolist())) > 7


# The laws. Alpha is 1e-3 to accept and 1e-9 to reject, n as stated.


@every_sampler
@pytest.mark.parametrize("rate", RATES[:5], ids=float)
def test_the_right_rate_is_accepted_and_a_wrong_one_rejected(name: str, rate: Fraction) -> None:
    """n = 20000."""
    sampler, survival, _ = SAMPLERS[name]
    draws = sampler(rate, 20_000, Seeded(name, rate))
    assert_drawn_from(draws, survival(rate))
    assert_not_drawn_from(draws, survival(rate * Fraction(13, 10)))
    assert_not_drawn_from(draws, survival(rate * Fraction(7, 10)))


@every_sampler
def test_at_a_large_rate_noise_is_rare_and_still_there(name: str) -> None:
    """n = 2 million at rate 12, where one draw in about 100,000 is not 0; ±30 % is off by a factor 36."""
    sampler, survival, _ = SAMPLERS[name]
    draws = sampler(Fraction(12), 2_000_000, Seeded(name, "rare"))
    observed = Counter({True: int(np.count_nonzero(draws))})
    observed[False] = len(draws) - observed[True]

    def log_p(rate: Fraction) -> float:
        tail = survival(rate)(1) * (1 if name == "geometric" else 2)
        return log_p_value(observed, {True: tail, False: 1 - tail})

    assert log_p(Fraction(12)) > -7
    assert log_p(Fraction(12) * Fraction(7, 10)) < -20.7
    assert log_p(Fraction(24)) < -20.7


@every_sampler
@pytest.mark.parametrize("rate", [Fraction(1, 10**4), Fraction(1, 3), Fraction(9, 4)], ids=float)
def test_an_independent_sampler_agrees(name: str, rate: Fraction) -> None:
    """Canonne, Kamath and Steinke's, n = 3000: the same law accepts it and rejects 30 % more."""
    _, survival, reference = SAMPLERS[name]
    below = random.Random(f"{name}{rate}").randrange
    draws = [reference(rate, below) for _ in range(3000)]
    assert_drawn_from(draws, survival(rate), bins=8)
    assert_not_drawn_from(draws, survival(rate * Fraction(13, 10)), bins=8)
    assert_not_drawn_from(draws, survival(rate * Fraction(7, 10)), bins=8)


@pytest.mark.parametrize("x", [Fraction(0), Fraction(1, 5), Fraction(1), Fraction(7, 2)], ids=float)
def test_the_reference_coin_is_exponential(x: Fraction) -> None:
    below = random.Random(str(x)).randrange
    heads = Counter(canonne.bernoulli_exp(x, below) for _ in range(4000))
    probability = geometric_survival(x)(1)
    assert_frequencies(heads, {True: probability, False: 1 - probability})


# Exact inversion


def settled(word: int, count: int, rate: Fraction) -> bool:
    """Whether e^(-rate (g + 1)) <= 1 - V <= e^(-rate g) for all V with these digits, g = count."""
    smallest, largest = Fraction(WORD - word - 1, WORD), Fraction(WORD - word, WORD)
    upper, lower = (-ball(rate) * count).exp(), (-ball(rate) * (count + 1)).exp()
    return bool(ball(largest) <= upper and ball(smallest) >= lower)


def words_around_whole_noises(rate: Fraction) -> list[int]:
    """The two words on either side of the one that holds F(g), for several g."""
    steps = sorted({1, 2, 3, int(1 / rate), int(5 / rate) + 1})
    with precise():
        places = [(1 - (-ball(rate) * g).exp()) * WORD for g in steps]
        words = [int(place.floor().unique_fmpz()) for place in places]
    return [w + d for w in words for d in (-2, -1, 1, 2) if 0 <= w + d < WORD]


@pytest.mark.parametrize("rate", RATES, ids=float)
def test_geometric_is_the_inverse_of_its_distribution_function(rate: Fraction) -> None:
    """Word by word, in ball arithmetic: any wrong rate fails on the words next to a whole noise."""
    words = [*EXTREME_WORDS, *random_words(200, "inverse"), *words_around_whole_noises(rate)]
    assert unsettled(decisive(words, rate), rate, drawn_at=rate) == 0
    assert unsettled(decisive(words, rate), rate, drawn_at=rate * Fraction(10**9 + 1, 10**9)) >= 2


def unsettled(words: list[int], rate: Fraction, drawn_at: Fraction) -> int:
    counts = geometric(drawn_at, len(words), Continued(words, Seeded("more digits")))
    assert (counts >= 0).all()
    with precise():
        return sum(not settled(w, g, rate) for w, g in zip(words, counts.tolist(), strict=True))


def decisive(words: list[int], rate: Fraction) -> list[int]:
    """The words whose 64 digits tell the noise to far less than 1, not too close to 0 or 1."""
    margin = int(2**20 / min(rate, Fraction(1)))
    return [word for word in words if margin < word < WORD - margin]


@pytest.mark.parametrize("rate", RATES, ids=float)
def test_discrete_laplace_is_symmetric_word_by_word(rate: Fraction) -> None:
    """V and 1 - V give opposite noise: floor(X) and -floor(X), since X and 1 - X have the same law."""
    words = decisive(random_words(100, "mirror"), rate)
    draws = discrete_laplace(rate, len(words), Continued(words, Seeded("one")))
    mirrored = discrete_laplace(rate, len(words), Continued([WORD - 1 - w for w in words], Seeded("two")))
    agreeing = np.count_nonzero(draws == -mirrored)
    assert agreeing >= len(words) - 3


# Noise of any size


def below(rate: Fraction, x: int) -> arb:
    """P(N < x) for discrete Laplace noise."""
    p = (-ball(rate)).exp()
    return p ** (1 - x) / (1 + p) if x < 1 else 1 - p**x / (1 + p)


TINY = (
    Fraction(1, 2**30),
    MIN_RATE,
    MIN_RATE * Fraction(999, 1000),
    Fraction(3, 10**20),
    Fraction(1, 2**200),
)


def check_whole_laplace(rate: Fraction) -> None:
    """P(N < x) <= V <= P(N < x + 1) at the x drawn, with all the digits of V that there are."""
    words = [*EXTREME_WORDS[3:-3], *random_words(40, f"whole {rate}")]
    digits = [Seeded("digits", rate, word).words(8).tolist() for word in words]
    for word, later in zip(words, digits, strict=True):
        (x,) = whole_laplace(rate, 1, Continued([word, *later], Scripted()))
        level = Fraction(sum(w * WORD ** (8 - i) for i, w in enumerate([word, *later])), WORD**9)
        with precision(2000):
            assert below(rate, x) <= ball(level + Fraction(1, WORD**9))
            assert below(rate, x + 1) >= ball(level)


@pytest.mark.parametrize("rate", TINY, ids=float)
def test_noise_beyond_64_bits_is_exact(rate: Fraction) -> None:
    check_whole_laplace(rate)


def test_noise_of_64_bits_is_the_same_either_way() -> None:
    for rate in (Fraction(1), Fraction(1, 10**6), MIN_RATE):
        assert (
            whole_laplace(rate, 50, Seeded("either")) == discrete_laplace(rate, 50, Seeded("either")).tolist()
        )


@pytest.mark.parametrize("rate", [Fraction(3, 10**20), Fraction(1, 2**200)], ids=float)
def test_large_noise_has_its_law(rate: Fraction) -> None:
    """n = 4000, rounded down to hundredths of the scale: Laplace; a scale 30 % off is rejected."""
    draws = [math.floor(x * rate * 100) for x in whole_laplace(rate, 4000, Seeded("large", rate))]

    def survival(scale: float) -> Survival:
        return lambda g: 0.5 * math.exp(-g / scale) if g > 0 else 1 - 0.5 * math.exp(g / scale)

    assert_drawn_from(draws, survival(100))
    for factor in (0.7, 1.3):
        assert_not_drawn_from(draws, survival(100 / factor))


@pytest.mark.parametrize(
    ("sampler", "least"),
    [(geometric, MIN_RATE), (discrete_laplace, MIN_RATE), (whole_laplace, MIN_RATE_OF_WHOLE)],
)
def test_a_rate_too_small_for_the_integers_is_refused_before_any_draw(
    sampler: Callable[..., object], least: Fraction
) -> None:
    sampler(least, 3, Seeded("least"))
    with pytest.raises(InternalError, match="noise of this scale is too large for its integers"):
        sampler(least * Fraction(999, 1000), 3, Scripted())


def check_at_least(rate: Fraction, least: int) -> None:
    """V times P(N >= least) lies between P(N >= x + 1) and P(N >= x) at the x drawn."""
    for word in [*EXTREME_WORDS[5:-5], *random_words(20, f"at least {rate} {least}")]:
        later = Seeded("digits", word).words(8).tolist()
        x = laplace_at_least(rate, least, Continued([word, *later], Scripted()))
        level = Fraction(sum(w * WORD ** (8 - i) for i, w in enumerate([word, *later])), WORD**9)
        assert x >= least
        with precision(2000):
            whole = 1 - below(rate, least)
            assert 1 - below(rate, x + 1) <= ball(level + Fraction(1, WORD**9)) * whole
            assert 1 - below(rate, x) >= ball(level) * whole


@pytest.mark.parametrize("rate", [Fraction(1, 100), Fraction(2)], ids=float)
@pytest.mark.parametrize("least", [-1000, -3, 0, 1, 7, 150])
def test_noise_that_is_at_least_a_number_is_exact(rate: Fraction, least: int) -> None:
    check_at_least(rate, least)


def test_noise_far_out_in_the_tail_is_geometric() -> None:
    """n = 3000 draws given N >= 10^6, where the tail has probability e^(-10^6)."""
    entropy, rate = Seeded("tail"), Fraction(1)
    draws = [laplace_at_least(rate, 10**6, entropy) - 10**6 for _ in range(3000)]
    assert_drawn_from(draws, geometric_survival(rate), bins=5)
    assert_not_drawn_from(draws, geometric_survival(1.3), bins=5)


@every_sampler
def test_one_word_a_draw_unless_it_does_not_decide(name: str) -> None:
    sampler = SAMPLERS[name][0]
    source = Scripted([*Seeded(name).words(100).tolist(), 1, 2, 3])
    assert len(sampler(Fraction(1, 3), 100, source)) == 100
    assert source.left == 3
    assert len(sampler(Fraction(1, 3), 0, Scripted())) == 0


@pytest.mark.parametrize(("later", "expected"), [([0], 0), ([WORD - 1], 1)])
def test_an_undecided_word_gets_more_digits(later: list[int], expected: int) -> None:
    with precise():
        boundary = (1 - (-arb(1)).exp()) * WORD
        word = int(boundary.floor().unique_fmpz())
        digits = int(((boundary - word) * WORD).floor().unique_fmpz())
    source = Scripted([word, *later])
    assert geometric(Fraction(1), 1, source).tolist() == [expected]
    assert source.left == 0
    deeper = Scripted([word, digits, *later])
    assert geometric(Fraction(1), 1, deeper).tolist() == [expected]
    assert deeper.left == 0


def test_quiet_words_are_no_noise() -> None:
    assert geometric(Fraction(1, 10**6), 5, Quiet()).tolist() == [0] * 5
    assert discrete_laplace(Fraction(1, 10**6), 5, Quiet(HALF)).tolist() == [0] * 5


@pytest.mark.system_noise
def test_the_system_source_gives_fresh_words() -> None:
    words = SystemEntropy().words(1000)
    assert words.dtype == np.uint64
    assert len(set(words.tolist())) == 1000
    assert (SystemEntropy().words(4) != SystemEntropy().words(4)).any()
    assert len(SystemEntropy().words(0)) == 0


# Choice


@pytest.mark.parametrize("size", range(1, 13))
def test_every_member_is_equally_likely(size: int) -> None:
    """n = 4000 draws in `size` outcomes."""
    entropy = Seeded("choose", size)
    observed = Counter(choose(size, entropy) for _ in range(4000))
    assert_frequencies(observed, dict.fromkeys(range(size), 1 / size))


@pytest.mark.parametrize("size", [*range(1, 13), 10**6 + 3, 2**32, 2**63 + 1])
def test_each_member_has_an_equal_share_of_the_unit_interval(size: int) -> None:
    """Exactly: the share of member j begins at j / size, whatever the digits."""
    for j in {0, size // 2, size // 3, size - 1}:
        place = Fraction(j, size) * WORD
        word, rest = int(place), place - int(place)
        if rest == 0:
            assert choose(size, Continued([word], Scripted())) == j
            continue
        assert choose(size, Scripted([word, WORD - 1, WORD - 1])) == j
        assert choose(size, Scripted([word, 0, 0])) == j - 1


def test_a_third_needs_more_than_64_digits() -> None:
    """floor(2^64 / 3) = 0x5555...: all digits of 1/3, so that it lies on both sides."""
    third = WORD // 3
    for later, chosen in (([0], 0), ([WORD - 1], 1), ([third, third, third + 1], 1), ([third, third - 1], 0)):
        source = Scripted([third, *later])
        assert choose(3, source) == chosen
        assert source.left == 0
    assert choose(3, Scripted([third - 1])) == 0
    assert choose(3, Scripted([third + 1])) == 1


def test_a_stuck_source_is_an_error_and_no_endless_loop() -> None:
    with pytest.raises(InternalError, match="the entropy source repeats itself"):
        choose(3, Repeating(WORD // 3))


@pytest.mark.parametrize(("size", "count"), [(1, 1), (3, 2), (4, 3), (5, 5)])
def test_ordered_samples_are_equally_likely(size: int, count: int) -> None:
    """Exactly: every choice at each step, each of equal share, leads to another ordered sample."""
    steps = [range(size - i) for i in range(count)]
    samples = []
    for ranks in itertools.product(*steps):
        words = [(2 * r + 1) * WORD // (2 * (size - i)) for i, r in enumerate(ranks)]
        samples.append(tuple(choose_distinct(size, count, Scripted(words))))
    assert sorted(samples) == sorted(itertools.permutations(range(size), count))


def test_ordered_samples_in_numbers() -> None:
    """n = 6000 draws of two of four, in 12 outcomes."""
    entropy = Seeded("distinct")
    observed = Counter(tuple(choose_distinct(4, 2, entropy)) for _ in range(6000))
    assert_frequencies(observed, dict.fromkeys(itertools.permutations(range(4), 2), 1 / 12))


def test_another_is_never_a_taken_one() -> None:
    for taken in ([], [0], [4], [2, 0], [1, 3, 4]):
        free = [x for x in range(5) if x not in taken]
        words = [(2 * r + 1) * WORD // (2 * len(free)) for r in range(len(free))]
        assert [choose_another(5, taken, Scripted([w])) for w in words] == free
