"""Ranking: float bounds that hold at any size of score, all of the candidates, nothing in a repr."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from dpduck.kernel.mechanisms.noisy_max import NoisyScore, rank
from dpduck.kernel.noise import Exponential, Family, Gumbel, Laplace, Maxima
from dpduck.kernel.scores import GroupedScores, Member, PlainScores
from tests.mechanisms.enumeration import Layout, cdf_of, ranking_words, singles
from tests.noise.balls import EXTREME_WORDS, assert_contains, exact_at, log_of, precise
from tests.noise.test_uniform import random_words
from tests.sources import WORD, Continued, Quiet, Seeded

every_family = pytest.mark.parametrize("make", [Exponential, Gumbel, Laplace])


@every_family
@pytest.mark.parametrize("rate", [Fraction(1, 10**8), Fraction(1, 3), Fraction(20)], ids=float)
def test_bounds_of_noisy_scores_contain_them(make: type[Family], rate: Fraction) -> None:
    """Scores from the smallest to the largest differences that fit, next to noise of any size."""
    words = [*EXTREME_WORDS[::2], *random_words(20, "noisy scores")]
    maxima = Maxima.draw(make(rate), np.ones(len(words), dtype=np.int64), Continued(words, Seeded()))
    shifts = (0, -1, -3, -(10**6) - 1, -(2**53) - 1, -(2**62) - 1, 1 - 2**63)
    for i, word in enumerate(words):
        for shift in shifts:
            entry = NoisyScore.of(0, shift // 2, shift // 2 - shift, maxima.single(i, Seeded()), None)
            with precise():
                ends = [
                    exact_at(make(rate), log_of(Fraction(w, WORD))) + arb(shift) for w in (word, word + 1)
                ]
                assert_contains(entry.low, entry.high, *ends)


def test_all_candidates_are_ranked_when_asked_for_more() -> None:
    for scores in (PlainScores(np.array([3, 1, 3])), GroupedScores(np.array([3, 1]), np.array([2, 1]))):
        ranking = rank(scores, 10, Exponential(Fraction(1)), Seeded("all"))
        members = ranking.members(3, Seeded())
        assert sorted(ranking.groups.candidates(members)) == [0, 1, 2]
    assert rank(PlainScores(np.array([], dtype=np.int64)), 2, Exponential(Fraction(1)), Seeded()).best == ()


@every_family
def test_the_order_is_that_of_the_exact_values(make: type[Family]) -> None:
    """200 candidates in groups, ranked to the last: each value is above the next one, in ball arithmetic."""
    scores = GroupedScores(np.array([5, 4, 2, 0]), np.array([10, 20, 70, 100]))
    ranking = rank(scores, 200, make(Fraction(1, 2)), Seeded("exact order"))
    values = [entry.score + entry.noise.exact() for entry in ranking.best]
    assert len(values) == 200
    assert all(a > b for a, b in itertools.pairwise(values))


def test_pruned_groups_could_not_have_been_ranked() -> None:
    """The same words with and without distant groups in front: the best are the same."""
    words = Seeded("pruned").words(4).tolist()
    near = GroupedScores(np.array([9, 8, 7, 6]), np.ones(4, dtype=np.int64))
    far = GroupedScores(np.array([9, 8, 7, 6, -(10**9), -(10**12)]), np.ones(6, dtype=np.int64))
    family = Exponential(Fraction(1, 10))
    first = rank(near, 3, family, Continued(words, Seeded()))
    second = rank(far, 3, family, Continued([*words, WORD - 1, WORD - 1], Seeded()))
    assert [e.group for e in first.best] == [e.group for e in second.best]


def test_far_below_the_best_neighbours_are_still_told_apart() -> None:
    """Scores 2^63 below the best, where doubles are 1024 apart, round up or down; the ranking is exact."""
    scores = [2**62 - 1, *(1 - 2**62 + 507 + i % 9 for i in range(30))]
    rate, count = Fraction(1, 3), 12
    noise = [0.3 + (i * 37 % 31) / 4 for i in range(len(scores))]
    layout = Layout.of(singles(scores), scores, count)
    words = ranking_words(layout, noise, cdf_of("exponential", rate), 0, 0)
    ranking = rank(singles(scores), count, Exponential(rate), Continued(words, Seeded("far")))
    values = [Fraction(q) + Fraction(x) for q, x in zip(scores, noise, strict=True)]
    expected = sorted(range(len(scores)), key=lambda i: -values[i])[:count]
    assert [values[entry.group] for entry in ranking.best] == [values[i] for i in expected]


def test_neither_scores_nor_noise_show_in_a_repr() -> None:
    ranking = rank(PlainScores(np.array([123454321, 7])), 2, Exponential(Fraction(1)), Quiet())
    for shown in (ranking, ranking.best[0], ranking.groups, ranking.best[0].noise):
        assert "123454321" not in repr(shown)
        assert "Fraction" not in repr(shown)
    assert repr(Member(0, 1)) == "Member(group=0, rank=1)"
