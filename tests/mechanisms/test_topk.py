"""Top-k with gaps: the code's law is the theorems' law, noise by noise and in frequencies."""

import itertools
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpduck.kernel.errors import InternalError, ParameterError
from dpduck.kernel.mechanisms.topk import K_MAX, Noise, top_k
from dpduck.kernel.scores import GroupedScores, PlainScores
from tests.mechanisms.checks import check_top_k, check_top_k_law, rational
from tests.mechanisms.enumeration import FORMS, plain, singles
from tests.noise.laws import ACCEPT, REJECT, assert_frequencies
from tests.oracles import topk as oracle
from tests.oracles.fit import log_p_value
from tests.sources import HALF, Quiet, Repeating, Scripted, Seeded

THREE = ((0, 0, 0), (1, 0, 2), (2, 2, 1), (0, 3, 3))
FOUR = ((0, 0, 0, 0), (1, 0, 0, 2))

both_noises = pytest.mark.parametrize("noise", ["exponential", "laplace"])
one_or_two = pytest.mark.parametrize("k", [1, 2])


# Every noise vector


@pytest.mark.slow
@both_noises
@one_or_two
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scores", THREE)
def test_of_three_in_every_form_it_is_the_definition(
    scores: Sequence[int], form: str, k: int, noise: Noise
) -> None:
    check_top_k(scores, k, noise, form=form, reach=3 if noise == "exponential" else 1)


@both_noises
@one_or_two
@pytest.mark.parametrize("scores", FOUR)
@pytest.mark.slow
def test_of_four_it_is_the_definition(scores: Sequence[int], k: int, noise: Noise) -> None:
    check_top_k(scores, k, noise, reach=2 if noise == "exponential" else 1)


@both_noises
@pytest.mark.parametrize("form", ["lumped", "tailed"])
def test_of_four_in_bounded_groups_it_is_the_definition(form: str, noise: Noise) -> None:
    check_top_k((1, 0, 0, 2), 2, noise, form=form, reach=1)


@pytest.mark.parametrize("rate", [Fraction(1, 50), Fraction(8)])
@both_noises
def test_the_rate_is_epsilon_over_k(rate: Fraction, noise: Noise) -> None:
    check_top_k((1, 0, 2), 2, noise, reach=1, rate=rate)


@pytest.mark.slow
@both_noises
@one_or_two
@pytest.mark.parametrize(("scores", "reach"), [((1, 0, 2), 2), ((0, 0, 0), 2), ((1, 0, 0, 2), 1)])
def test_its_law_is_the_theorems(scores: Sequence[int], reach: int, k: int, noise: Noise) -> None:
    """The weights of all noise vectors up to `reach`: each is the exact one, but for the mass left out."""
    check_top_k_law(scores, k, noise, reach=reach)


# Frequencies


Outcome = tuple[tuple[int, ...], tuple[int, ...]] | None


def frequencies(
    scores: Sequence[int], k: int, noise: Noise, cap: int, rate: Fraction, form: str
) -> Counter[Outcome]:
    """4000 releases, those with a gap of `cap` or more as one outcome."""
    entropy, vector = Seeded("top-k", scores, k, noise), FORMS[form](scores)
    observed: Counter[Outcome] = Counter()
    for _ in range(4000):
        release = top_k(vector, k, rate * k, entropy, noise=noise)
        gaps = tuple(int(gap // 1) for gap in release.gaps)
        observed[(release.candidates, gaps) if max(gaps) < cap else None] += 1
    return observed


def exact_law(scores: Sequence[int], k: int, noise: Noise, cap: int, rate: Fraction) -> dict[Outcome, float]:
    laws = {
        "exponential": oracle.selection_pmf_topk_exponential,
        "laplace": oracle.selection_pmf_topk_laplace,
    }
    of = laws[noise](scores, k, rational(rate))
    law: dict[Outcome, float] = {w: float(of(w)) for w in oracle.all_releases(len(scores), k, cap - 1)}
    return {**law, None: 1 - sum(law.values())}


@pytest.mark.slow
@both_noises
@pytest.mark.parametrize(("scores", "k", "cap"), [((1, 0, 2), 2, 2), ((1, 0, 0, 2), 1, 3)])
def test_frequencies_follow_the_exact_law(scores: Sequence[int], k: int, cap: int, noise: Noise) -> None:
    """n = 4000, alpha 1e-3 to accept, 1e-9 to reject a scale that is 30 % off."""
    rate = Fraction(3, 2)
    observed = frequencies(scores, k, noise, cap, rate, "plain" if k == 1 else "singles")
    assert_frequencies(observed, exact_law(scores, k, noise, cap, rate))
    for factor in (Fraction(7, 10), Fraction(13, 10)):
        assert log_p_value(observed, exact_law(scores, k, noise, cap, rate * factor)) < REJECT


@both_noises
def test_plain_and_grouped_scores_have_one_law(noise: Noise) -> None:
    """n = 2000 of (2, 2, 1), drawn as two groups; ACCEPT for candidates of a group taken together."""
    scores, rate = (2, 2, 1), Fraction(1)
    entropy, grouped = Seeded("grouped", noise), GroupedScores(np.array([2, 1]), np.array([2, 1]))
    observed: Counter[tuple[int, ...]] = Counter()
    for _ in range(2000):
        observed[top_k(grouped, 1, rate, entropy, noise=noise).candidates] += 1
    law = (
        oracle.selection_pmf_topk_exponential if noise == "exponential" else oracle.selection_pmf_topk_laplace
    )
    exact = law(scores, 1, rational(rate))
    winners = {(j,): sum(float(exact(((j,), (g,)))) for g in range(40)) for j in range(3)}
    assert log_p_value(observed, winners) > ACCEPT


# Zero noise


@settings(deadline=None)
@given(st.lists(st.integers(-(2**61), 2**61), min_size=2, max_size=8, unique=True), st.data())
def test_without_noise_it_is_a_sort(scores: list[int], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(scores) - 1))
    ordered = sorted(range(len(scores)), key=lambda i: -scores[i])
    gaps = [scores[a] - scores[b] for a, b in itertools.pairwise(ordered)][:k]
    for noise, start, half in (("exponential", 0, 0.5), ("laplace", HALF, 0)):
        release = top_k(plain(scores), k, Fraction(20), Quiet(start), noise=noise)  # type: ignore[arg-type]
        assert release.candidates == tuple(ordered[:k])
        assert release.gaps == tuple(float(g) + half for g in gaps)


def test_ties_without_noise_are_taken_in_order() -> None:
    release = top_k(plain((5, 7, 7, 5, 7)), 3, Fraction(20), Quiet())
    assert release.candidates == (1, 2, 4)
    assert release.gaps[:2] == (0.5, 0.5)
    assert release.gaps[2] in (1.5, 2.5)  # the true gap is 2, less or more a little


# Digits


def test_equal_words_are_told_apart_by_later_digits() -> None:
    """Two candidates with one word: the comparison asks both for more, and the larger wins."""
    wins = []
    for later in ((1, 9), (9, 1)):
        source = Scripted([HALF, HALF, *later, 0])
        release = top_k(singles((4, 4)), 1, Fraction(1), source)
        wins.append(release.candidates)
        assert release.gaps == (0.5,)
        assert source.left == 0
    assert sorted(wins) == [(0,), (1,)]


def test_a_gap_next_to_a_whole_number_asks_for_digits() -> None:
    """Scores 5 and 3 with one word: the gap is 2 or just below it, which 64 digits do not tell."""
    for later, gap in (((1, 9), 1.5), ((9, 1), 2.5)):
        source = Scripted([HALF, HALF, 0, *later])
        assert top_k(singles((5, 3)), 1, Fraction(1), source).gaps == (gap,)
        assert source.left == 0


@both_noises
def test_a_source_that_repeats_itself_is_an_error(noise: Noise) -> None:
    with pytest.raises(InternalError, match="the entropy source repeats itself"):
        top_k(singles((4, 4)), 1, Fraction(1), Repeating(HALF + 5), noise=noise)


def test_a_billion_equal_candidates() -> None:
    """Sizes are no cost: 2^40 zeros behind two clear winners, whose gaps are known."""
    scores = GroupedScores(np.array([10**6, 10**6 - 500, 0]), np.array([1, 1, 2**40]))
    release = top_k(scores, 3, Fraction(3), Seeded("billion"))
    assert release.candidates[:2] == (0, 1)
    assert 2 <= release.candidates[2] < 2**40 + 2
    assert abs(release.gaps[0] - 500) < 40


# Errors


@pytest.mark.parametrize("k", [0, -1, K_MAX + 1])
def test_k_out_of_range(k: int) -> None:
    with pytest.raises(ParameterError) as caught:
        top_k(plain((1, 2, 3)), k, Fraction(1), Scripted())
    assert str(caught.value) == (
        f"k is {k}\nDETAIL: k must be a whole number from 1 to 10000. Nothing was charged.\n"
        "HINT: Ask for fewer candidates, such as 10."
    )


@both_noises
@pytest.mark.parametrize(
    ("count", "hint"),
    [
        (3, "Ask for at most 2."),
        (2, "Ask for at most 1."),
        (1, "Give at least two candidates."),
        (0, "Give at least two candidates."),
    ],
)
def test_k_must_leave_one_candidate(count: int, hint: str, noise: Noise) -> None:
    with pytest.raises(ParameterError) as caught:
        top_k(PlainScores(np.arange(count)), 3, Fraction(1), Scripted(), noise=noise)
    assert str(caught.value) == (
        f"k is 3 but there are only {count} candidates\n"
        "DETAIL: The last gap is to the best candidate that is not selected, so one must be left. "
        f"Nothing was charged.\nHINT: {hint}"
    )
