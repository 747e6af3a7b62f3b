"""Score vectors: groups that hold every candidate once with its score, and never show one."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.selection import permute_and_flip
from dpduck.kernel.scores import SCORE_LIMIT, CandidateGroups, GroupedScores, Member, PlainScores, Scores
from tests.mechanisms.checks import rational
from tests.mechanisms.enumeration import Lumped
from tests.noise.laws import assert_frequencies
from tests.oracles.selection import permute_and_flip_pmf
from tests.sources import Seeded

NEAR = st.integers(-20, 20)
FAR = st.integers(1 - SCORE_LIMIT, SCORE_LIMIT - 1)
VALUES = st.lists(NEAR, max_size=25) | st.lists(FAR, max_size=8) | st.lists(NEAR | FAR, max_size=12)


def check_groups(scores: Scores, values: Sequence[int], wanted: int, reach: float) -> None:
    """Every candidate is one member, with its own score; only what is far below the best is lumped."""
    groups = scores.groups(wanted, reach)
    members = [Member(g, r) for g, size in enumerate(groups.sizes.tolist()) for r in range(size)]
    numbers = groups.candidates(members)
    assert scores.count == groups.count == len(values)
    assert sorted(numbers) == list(range(len(values)))
    assert groups.candidates(members[::-1]) == numbers[::-1]
    assert [groups.candidates([member])[0] for member in members[:5]] == numbers[:5]
    ordered = sorted(values, reverse=True)
    for member, number in zip(members, numbers, strict=True):
        assert groups.score(member) == values[number]
        if not groups.exact[member.group]:
            assert values[number] <= groups.bounds[member.group]
            assert values[number] < ordered[min(wanted, len(values)) - 1] - min(reach, SCORE_LIMIT) + 1


# Plain scores


@settings(deadline=None)
@given(VALUES, st.integers(1, 6), st.sampled_from([0.0, 0.5, 3.0, 100.0, 1e19, 1e300]))
def test_groups_of_a_vector(values: list[int], wanted: int, reach: float) -> None:
    check_groups(PlainScores(np.array(values, dtype=np.int64)), values, wanted, reach)


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 9), max_size=12),
    st.integers(1, 9),
    st.integers(1, 4),
    st.sampled_from([0.0, 4.0]),
)
def test_candidates_that_are_not_listed_follow_with_score_0(
    values: list[int], absent: int, wanted: int, reach: float
) -> None:
    """Numbered after the listed ones; a group of their own, next to listed candidates of score 0."""
    scores = PlainScores(np.array(values, dtype=np.int64), absent)
    groups = scores.groups(wanted, reach)
    members = [Member(g, r) for g, size in enumerate(groups.sizes.tolist()) for r in range(size)]
    numbers = groups.candidates(members)
    full = [*values, *[0] * absent]
    assert scores.count == len(full)
    assert sorted(numbers) == list(range(len(full)))
    assert [groups.score(member) for member in members] == [full[number] for number in numbers]


@settings(deadline=None)
@given(st.lists(NEAR, min_size=1, max_size=25))
def test_equal_scores_are_one_group(values: list[int]) -> None:
    groups = PlainScores(np.array(values)).groups(len(values), 1e9)
    distinct, sizes = np.unique(values, return_counts=True)
    assert groups.bounds.tolist() == distinct.tolist()
    assert groups.sizes.tolist() == sizes.tolist()
    assert groups.exact.all()


def test_members_of_a_group_come_in_their_own_order() -> None:
    groups = PlainScores(np.array([4, 9, 4, 9, 4])).groups(5, 1e9)
    assert groups.candidates([Member(0, 2), Member(1, 0), Member(0, 0), Member(1, 1)]) == [4, 1, 0, 3]
    assert groups.candidates([]) == []


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64])
def test_any_whole_type_will_do(dtype: type) -> None:
    check_groups(PlainScores(np.array([3, 1, 3], dtype=dtype)), [3, 1, 3], 2, 1e9)
    check_groups(PlainScores(np.array([], dtype=dtype)), [], 1, 1.0)


# Grouped scores


@settings(deadline=None)
@given(st.lists(st.tuples(NEAR, st.integers(1, 5)), max_size=8), st.integers(1, 4))
def test_groups_of_a_histogram(rows: list[tuple[int, int]], wanted: int) -> None:
    """Numbered group after group, as numpy repeats them; two groups may share a score."""
    scores, sizes = (np.array([row[i] for row in rows], dtype=np.int64) for i in (0, 1))
    check_groups(GroupedScores(scores, sizes), np.repeat(scores, sizes).tolist(), wanted, 0.0)


def test_a_histogram_may_be_huge() -> None:
    scores = GroupedScores(np.array([5, 0]), np.array([3, 2**61]))
    assert scores.count == 2**61 + 3
    groups = scores.groups(2, 1.0)
    assert groups.candidates([Member(1, 2**61 - 1), Member(0, 2)]) == [2**61 + 2, 2]


# One law, whatever the groups


PARTITIONS = ([[0, 1, 2, 3]], [[0], [1, 2, 3]], [[3, 0], [1, 2]], [[0, 2, 1], [3]], [[2], [3], [0], [1]])


@pytest.mark.parametrize("margin", [0, 5])
@pytest.mark.parametrize("parts", PARTITIONS, ids=str)
def test_what_is_lumped_does_not_change_an_answer(parts: list[list[int]], margin: int) -> None:
    """n = 1000 for every way to lump (3, 1, 0, 0) under looser and looser bounds; alpha 1e-3."""
    values, entropy = (3, 1, 0, 0), Seeded("lumped", parts, margin)
    scores = Lumped(values, parts, margin)
    observed = Counter(
        permute_and_flip(scores, Fraction(1), entropy, monotonic=True).candidate for _ in range(1000)
    )
    assert_frequencies(observed, dict(enumerate(permute_and_flip_pmf(values, rational(Fraction(1))))))


@pytest.mark.parametrize("reach", [0.0, 1.0])
def test_a_tail_that_often_wins_keeps_the_law(reach: float) -> None:
    """400 candidates of scores 0 to 4 behind one of score 6, lumped much too early; n = 800."""

    class Eager(PlainScores):
        def groups(self, wanted: int, _: float) -> CandidateGroups:
            return super().groups(wanted, reach)

    values = [6, *[i % 5 for i in range(400)]]
    scores, entropy, rate = Eager(np.array(values)), Seeded("tail", reach), Fraction(6, 5)
    observed = Counter(
        values[permute_and_flip(scores, rate, entropy, monotonic=True).candidate] for _ in range(800)
    )
    assert_frequencies(observed, grouped_law(Counter(values), float(rate)))


def grouped_law(groups: Counter[int], rate: float) -> dict[int, float]:
    """Permute-and-flip's mass of each score: M c times the integral of the product of (1 - ct)^M."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    t, best = (nodes + 1) / 2, max(groups)
    coins = {q: np.exp(-rate * (best - q)) for q in groups}
    everyone = np.exp(sum(m * np.log1p(-coins[q] * t) for q, m in groups.items()))
    return {
        q: float(m * coins[q] * np.sum(weights / 2 * everyone / (1 - coins[q] * t)))
        for q, m in groups.items()
    }


# Errors and secrecy


@pytest.mark.parametrize(
    "values",
    [
        np.array([0.5]),
        np.array([1.0, 2.0]),
        np.array([True]),
        np.array([[1, 2]]),
        np.array(["1"]),
        np.array(3),
    ],
    ids=str,
)
def test_only_vectors_of_whole_numbers(values: np.ndarray) -> None:
    with pytest.raises(ParameterError) as caught:
        PlainScores(values)
    assert str(caught.value) == "scores must be a vector of whole numbers\nDETAIL: Nothing was charged."
    with pytest.raises(ParameterError):
        GroupedScores(values, np.ones(1, dtype=np.int64))


@pytest.mark.parametrize("value", [SCORE_LIMIT, -SCORE_LIMIT, 2**63 - 1, -(2**63)])
def test_scores_have_a_limit(value: int) -> None:
    with pytest.raises(ParameterError, match=r"scores must be below 2\^62 in size"):
        PlainScores(np.array([0, value]))
    check_groups(
        PlainScores(np.array([SCORE_LIMIT - 1, 1 - SCORE_LIMIT])), [SCORE_LIMIT - 1, 1 - SCORE_LIMIT], 1, 9.0
    )


def test_an_unsigned_score_beyond_the_limit() -> None:
    with pytest.raises(ParameterError, match=r"scores must be below 2\^62 in size"):
        PlainScores(np.array([2**64 - 1], dtype=np.uint64))


@pytest.mark.parametrize(("scores", "sizes"), [([1, 2], [1]), ([1], [0]), ([1], [-3]), ([], [1])])
def test_groups_must_fit(scores: list[int], sizes: list[int]) -> None:
    with pytest.raises(ParameterError) as caught:
        GroupedScores(np.array(scores, dtype=np.int64), np.array(sizes, dtype=np.int64))
    assert str(caught.value) == (
        "each group needs one score and a size of at least 1\nDETAIL: Nothing was charged."
    )


def test_no_score_shows_in_a_repr() -> None:
    plain = PlainScores(np.array([7654321, 7654321, 3]))
    grouped = GroupedScores(np.array([7654321]), np.array([7654322]))
    assert repr(plain) == "<PlainScores, hidden>"
    assert repr(grouped) == "<GroupedScores, hidden>"
    for shown in (plain.groups(1, 1.0), grouped.groups(1, 1.0)):
        assert "7654" not in repr(shown)
        assert "7654" not in str(shown)


def test_an_error_shows_no_score() -> None:
    with pytest.raises(ParameterError) as caught:
        PlainScores(np.array([SCORE_LIMIT + 123]))
    assert str(SCORE_LIMIT + 123) not in str(caught.value)
