"""One winner: the code's law is that of permute-and-flip, and of the exponential mechanism with its gap."""

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.selection import exponential, permute_and_flip
from dpduck.kernel.scores import GroupedScores, PlainScores
from tests.mechanisms.checks import check_exponential, check_permute_and_flip, rational
from tests.mechanisms.enumeration import FORMS, plain, singles
from tests.noise.laws import REJECT, assert_frequencies
from tests.oracles import selection as oracle
from tests.oracles.fit import log_p_value
from tests.sources import Quiet, Scripted, Seeded

every_form = pytest.mark.parametrize("form", FORMS)
two_claims = pytest.mark.parametrize(
    ("monotonic", "sensitivity"), [(True, 1), (False, 1), (True, 3), (False, 3)]
)
WRONG = (Fraction(7, 10), Fraction(13, 10))


# Every noise vector


@every_form
@pytest.mark.parametrize("scores", [(0, 0, 0), (1, 0, 2), (2, 2, 1), (1, 0, 1, 0)])
def test_permute_and_flip_is_the_largest_of_geometric_noise(scores: Sequence[int], form: str) -> None:
    check_permute_and_flip(scores, form=form)


@every_form
@pytest.mark.parametrize("scores", [(0, 0, 0), (1, 0, 2), (2, 2, 1), (1, 0, 1, 0)])
def test_exponential_is_the_largest_of_gumbel_noise(scores: Sequence[int], form: str) -> None:
    check_exponential(scores, form=form)


@two_claims
def test_the_rate_follows_the_claims(sensitivity: int, *, monotonic: bool) -> None:
    for rate in (Fraction(3), Fraction(1, 2)):
        check_permute_and_flip((1, 0, 1), monotonic=monotonic, sensitivity=sensitivity, rate=rate)
    check_exponential((1, 0, 1), monotonic=monotonic, sensitivity=sensitivity)


# Frequencies


@every_form
@pytest.mark.parametrize("scores", [(3, 1, 0, 0), (2, 2, 1)])
def test_permute_and_flip_frequencies(scores: Sequence[int], form: str) -> None:
    """n = 2000, alpha 1e-3, for every form of the vector, one bounded group of all included."""
    entropy, vector, epsilon = Seeded("flip", form, scores), FORMS[form](scores), Fraction(1)
    observed = Counter(
        permute_and_flip(vector, epsilon, entropy, monotonic=True).candidate for _ in range(2000)
    )
    assert_frequencies(observed, law_of(oracle.permute_and_flip_pmf, scores, epsilon))


def law_of(pmf: object, scores: Sequence[int], rate: Fraction) -> dict[int, Fraction]:
    return dict(enumerate(pmf(scores, rational(rate))))  # type: ignore[operator]


@two_claims
def test_frequencies_tell_the_rate(sensitivity: int, *, monotonic: bool) -> None:
    """n = 4000: accepted at 1e-3, rejected at 1e-9 with a rate that is 30 % off, or the other claim's."""
    scores, rate, vector = (6, 4, 1, 0), Fraction(1, 2), singles((6, 4, 1, 0))
    epsilon = rate * sensitivity * (1 if monotonic else 2)
    for draw, pmf in (
        (permute_and_flip, oracle.permute_and_flip_pmf),
        (exponential, oracle.exponential_mechanism_pmf),
    ):
        entropy = Seeded("claims", draw.__name__, monotonic, sensitivity)
        observed = Counter(
            draw(vector, epsilon, entropy, monotonic=monotonic, sensitivity=sensitivity).candidate
            for _ in range(4000)
        )
        assert_frequencies(observed, law_of(pmf, scores, rate))
        for factor in (*WRONG, 2 if monotonic else Fraction(1, 2)):
            assert log_p_value(observed, law_of(pmf, scores, rate * factor)) < REJECT


def test_the_gap_has_its_exact_law() -> None:
    """n = 6000 winners with the floor of their gap, 4 and more as one outcome (Theorem 10)."""
    scores, epsilon, cap = (3, 1, 0), Fraction(3, 4), 4
    entropy = Seeded("gap")
    observed: Counter[tuple[int, int]] = Counter()
    vector = singles(scores)
    for _ in range(6000):
        release = exponential(vector, epsilon, entropy, monotonic=True)
        observed[release.candidate, min(math.floor(release.gap), cap)] += 1
    assert_frequencies(observed, gap_law(scores, epsilon, cap))
    for factor in WRONG:
        assert log_p_value(observed, gap_law(scores, epsilon * factor, cap)) < REJECT


def gap_law(scores: Sequence[int], rate: Fraction, cap: int) -> dict[tuple[int, int], float]:
    p = rational(rate)
    winners = oracle.exponential_mechanism_pmf(scores, p)
    law = {}
    for s, mass in enumerate(winners):
        tails = [oracle.exponential_gap_survival(scores, s, g, p) for g in range(cap + 1)]
        law |= {
            (s, g): float(mass * (a - b)) for g, (a, b) in enumerate(zip(tails, [*tails[1:], 0], strict=True))
        }
    return law


def test_the_p_value_holds_for_equal_candidates() -> None:
    """With two equal scores any winner may be wrong: P(p-value <= x) is at most x, and nearly x."""
    entropy, epsilon, n = Seeded("p-value"), Fraction(2), 3000
    values = [exponential(plain((5, 5)), epsilon, entropy, monotonic=True).p_value for _ in range(n)]
    for x in (0.05, 0.25, 0.5):
        share = sum(v <= x for v in values) / n
        assert x - 4 * math.sqrt(x / n) - 0.002 < share < x + 4 * math.sqrt(x / n)


# Grouped scores


def test_equal_scores_are_equally_likely_in_a_large_group() -> None:
    """A million equal candidates in eight equal parts, n = 4000."""
    scores, entropy = GroupedScores(np.array([0]), np.array([10**6])), Seeded("equal")
    observed = Counter(
        permute_and_flip(scores, Fraction(1), entropy, monotonic=True).candidate // 125_000
        for _ in range(4000)
    )
    assert_frequencies(observed, dict.fromkeys(range(8), 1 / 8))


def test_one_against_a_crowd() -> None:
    """One candidate of score 20 against 10^6 of score 0, where the crowd wins now and then; n = 3000."""
    epsilon, crowd = Fraction(7, 10), 10**6
    scores, entropy = GroupedScores(np.array([20, 0]), np.array([1, crowd])), Seeded("crowd")
    coin = math.exp(-20 * float(epsilon))
    flip = (1 - (1 - coin) ** (crowd + 1)) / (coin * (crowd + 1))  # the integral of (1 - ct)^M
    weight = 1 / (1 + crowd * coin)
    for draw, single in ((permute_and_flip, flip), (exponential, weight)):
        observed = Counter(draw(scores, epsilon, entropy, monotonic=True).candidate == 0 for _ in range(3000))
        assert_frequencies(observed, {True: single, False: 1 - single})


# Zero noise, and errors


@settings(deadline=None)
@given(st.lists(st.integers(-(2**61), 2**61), min_size=2, max_size=8, unique=True))
def test_without_noise_the_best_wins(scores: list[int]) -> None:
    best = scores.index(max(scores))
    assert permute_and_flip(plain(scores), Fraction(20), Quiet(), monotonic=True).candidate == best
    assert exponential(plain(scores), Fraction(20), Seeded(), monotonic=True, sensitivity=1).gap >= 0


@pytest.mark.parametrize(
    ("count", "least", "draw"), [(0, 1, permute_and_flip), (0, 2, exponential), (1, 2, exponential)]
)
def test_too_few_candidates_is_an_error_before_any_draw(count: int, least: int, draw: object) -> None:
    with pytest.raises(ParameterError) as caught:
        draw(PlainScores(np.zeros(count, dtype=np.int64)), Fraction(1), Scripted(), monotonic=True)  # type: ignore[operator]
    assert str(caught.value) == (
        f"there {'is only 1 candidate' if count == 1 else 'are only 0 candidates'}\n"
        f"DETAIL: A selection needs at least {least}; a candidate whose score is NULL is none. "
        "Nothing was charged.\n"
        "HINT: Give more candidates."
    )


def test_one_candidate_is_the_winner() -> None:
    assert permute_and_flip(plain((3,)), Fraction(1), Seeded(), monotonic=True).candidate == 0
