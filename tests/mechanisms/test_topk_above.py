"""Top-k down to a noisy threshold: its law is Theorem D's, noise by noise and in frequencies, and private."""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import Composed, TopKAbove
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms import linear_estimates
from dpduck.kernel.mechanisms.noisy_max import rank_above
from dpduck.kernel.mechanisms.ranked_counts import RankedCounts
from dpduck.kernel.mechanisms.topk_above import top_k_above
from dpduck.kernel.noise import Exponential
from dpduck.kernel.scores import GroupedScores, PlainScores, WithThreshold
from tests.mechanisms.checks import RATE, assert_close, assert_law, count_variance, expected_found, rational
from tests.mechanisms.enumeration import FORMS, Layout, cdf_of, noise_vectors, plain, ranking_words
from tests.noise.laws import REJECT, assert_frequencies
from tests.oracles import hybrid as oracle
from tests.oracles import unknown
from tests.oracles.fit import log_p_value
from tests.oracles.privacy import monotonic_neighbours, ratio
from tests.oracles.topk import Release
from tests.sources import Quiet, Scripted, Seeded

HALF = Fraction(1, 2)
CASES = (
    ((0, 0), 0, 1),
    ((0, 0), 0, 2),
    ((1, 0), 2, 1),
    ((1, 0), -1, 2),
    ((2, 0, 1), 1, 2),
    ((0, 0, 3), 2, 1),
    ((1, 1, 0), 0, 3),
    ((0, 2, 2), 3, 2),
)


# The law is private


def outputs_of(scores: Sequence[int], threshold: int, k: int) -> list[tuple[Release, Fraction]]:
    levels = [*scores, threshold]
    return list(oracle.outputs(len(scores), k, max(levels) - min(levels) + 1, HALF))


@pytest.mark.parametrize(("scores", "threshold", "k"), CASES)
def test_the_law_adds_up_and_is_that_of_a_bottom_at_the_threshold(
    scores: Sequence[int], threshold: int, k: int
) -> None:
    """Gaps beyond the spread have a closed sum; Theorem C's law with all keys read is another form."""
    law, total = oracle.law(scores, threshold, k, HALF), Fraction(0)
    for output, weight in outputs_of(scores, threshold, k):
        mass = law(output)
        total += weight * mass
        assert mass == unknown.bottom_probability(output, dict(enumerate(scores)), threshold, k, HALF)
    assert total == 1


def worst_by_places(scores: Sequence[int], threshold: int, k: int) -> dict[int, Fraction | float]:
    """The largest ratio between neighbours, over outputs that show 1, 2, ... of k places as paid."""
    worst: dict[int, Fraction | float] = defaultdict(lambda: Fraction(1))
    here = oracle.law(scores, threshold, k, HALF)
    base = [(output, here(output)) for output, _ in outputs_of(scores, threshold, k)]
    for neighbour in set(monotonic_neighbours(scores)):
        there = oracle.law(neighbour, threshold, k, HALF)
        for output, mass in base:
            paid = oracle.places_paid(output, k)
            worst[paid] = max(worst[paid], ratio(mass, there(output)))
    return worst


@pytest.mark.parametrize(("scores", "threshold", "k"), CASES)
def test_each_output_costs_what_it_shows(scores: Sequence[int], threshold: int, k: int) -> None:
    """Every neighbour, every output: at most e^((j + 1) epsilon / k) for j winners and the threshold."""
    for paid, worst in worst_by_places(scores, threshold, k).items():
        assert 1 <= paid <= k
        assert worst <= HALF**-paid


def test_what_is_shown_as_used_is_used() -> None:
    """One more on all candidates behind: each bound is attained, so that j / k would be too little."""
    for winners in range(4):
        output = (tuple(range(winners)), (3,) * winners)
        first, second = (
            oracle.law([0] * winners + [q] * (4 - winners), -20, 3, HALF)(output) for q in (0, 1)
        )
        paid = oracle.places_paid(output, 3)
        assert paid == min(winners + 1, 3)
        assert 0.9999 * 2**paid < ratio(first, second) <= 2**paid


def test_the_gap_below_the_threshold_is_not_for_free() -> None:
    """Named, the candidate right below the threshold would be one place more, and cost as much."""
    first, second = (
        oracle.chain_probability([-1, 0], [2], [q] * 3, HALF)  # the threshold, then a candidate
        for q in (0, 1)
    )
    assert ratio(first, second) == HALF**-2


def test_scores_that_move_both_ways_cost_twice() -> None:
    """One candidate rises, all others fall: nearly e^(2 epsilon), and counts never do that."""
    outputs = outputs_of((0, 1, 1), -5, 1)
    here, there = (oracle.law(scores, -5, 1, HALF) for scores in ((0, 1, 1), (1, 0, 0)))
    assert 0.95 * 4 < max(ratio(here(w), there(w)) for w, _ in outputs) <= 4


# Every noise vector


def check_top_k_above(
    scores: Sequence[int],
    threshold: int,
    k: int,
    *,
    form: str = "plain",
    reach: int = 2,
    rate: Fraction = RATE,
    law: bool = False,
) -> None:
    """Every noise vector and tie order: the release is the definition's; its law, if asked, Theorem D's."""
    levels, vector = [*scores, threshold], FORMS[form](scores)
    layout = Layout.of(WithThreshold(vector, threshold), levels, k + 1)
    found: dict[Release, float] = defaultdict(float)
    for drawn in noise_vectors("exponential", len(levels), reach, rate):
        winners, gaps = oracle.by_definition(drawn.values(levels), drawn.ranks, k)
        words = ranking_words(layout, drawn.real, cdf_of("exponential", rate), k + 1, len(winners))
        source = Scripted(words)
        release = top_k_above(vector, threshold, k, rate * k, source, measure=False)
        assert source.left == 0
        assert release.candidates == winners
        assert release.gaps == tuple(g + 0.5 for g in gaps)
        assert_close(release.p_values, [math.exp(-float(rate) * g) for g in gaps])
        assert release.found == RankedCounts()
        paid = oracle.places_paid((winners, gaps), k)
        assert release.event == TopKAbove(rate * k, k=k)
        assert release.used == TopKAbove(rate * paid, k=k)
        found[winners, gaps] += drawn.weight
    if law:
        exact = oracle.law(scores, threshold, k, rational(rate))
        assert_law(found, exact, len(levels) * math.exp(-float(rate) * (reach + 1)))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("scores", "threshold", "k"), [((1, 0, 2), 1, 2), ((0, 2, 2), 3, 1), ((1, 1, 0), 0, 3)]
)
def test_in_every_form_it_is_the_definition(scores: Sequence[int], threshold: int, k: int, form: str) -> None:
    check_top_k_above(scores, threshold, k, form=form, reach=1)


@pytest.mark.parametrize(("scores", "threshold", "k"), [c for c in CASES if len(c[0]) == 2])
def test_of_two_its_law_is_the_theorems(scores: Sequence[int], threshold: int, k: int) -> None:
    check_top_k_above(scores, threshold, k, reach=3, law=True)


@pytest.mark.parametrize(("scores", "threshold", "k"), [((2, 0, 1), 1, 2), ((0, 0, 0), 0, 2)])
def test_of_three_its_law_is_the_theorems(scores: Sequence[int], threshold: int, k: int) -> None:
    check_top_k_above(scores, threshold, k, reach=2, law=True)


@pytest.mark.parametrize("rate", [Fraction(1, 50), Fraction(8)])
def test_the_rate_is_epsilon_over_k(rate: Fraction) -> None:
    check_top_k_above((1, 0), 1, 2, reach=1, rate=rate)


def test_the_threshold_is_told_apart_from_candidates_of_its_score() -> None:
    """Scores equal to the threshold, near it and far from it: who is before it, by the exact order."""
    scores, threshold = np.array([5, 5, 5, 4, 6, -(10**9)]), 5
    vector = WithThreshold(PlainScores(scores), threshold)
    assert vector.count == 7
    for run in range(200):
        ranking, winners = rank_above(
            PlainScores(scores), threshold, 3, Exponential(Fraction(1, 2)), Seeded("told apart", run)
        )
        members = ranking.members(len(ranking.best), Seeded("members", run))
        names = ranking.groups.candidates(members)
        assert len(set(names)) == len(names) == 4
        assert winners == (names.index(6) if 6 in names[:3] else 3)
        values = [entry.score + entry.noise.exact() for entry in ranking.best]
        assert all(a > b for a, b in itertools.pairwise(values))


def test_the_threshold_is_a_candidate_like_any_other() -> None:
    """Groups of every form, then the threshold's; a score of it is its own."""
    for form, make in FORMS.items():
        groups = WithThreshold(make((3, 1, 3)), 2).groups(2, 100.0)
        assert groups.count == 4, form
        assert (groups.bounds[-1], groups.sizes[-1], groups.exact[-1]) == (2, 1, True)
        layout = Layout.of(WithThreshold(make((3, 1, 3)), 2), (3, 1, 3, 2), 2)
        assert layout.groups[-1][1] == [3]
        assert sorted(c for _, names, _ in layout.groups for c in names) == [0, 1, 2, 3]


# Frequencies


Outcome = Release | None


def exact_law(
    scores: Sequence[int], threshold: int, k: int, cap: int, rate: Fraction
) -> dict[Outcome, float]:
    law = oracle.law(scores, threshold, k, rational(rate))
    outputs = [w for w, _ in oracle.outputs(len(scores), k, cap - 1, HALF)]
    found: dict[Outcome, float] = {w: float(law(w)) for w in outputs}
    return {**found, None: 1 - sum(found.values())}


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("scores", "threshold", "k", "cap", "form"),
    [((2, 0, 1), 1, 2, 2, "plain"), ((1, 1, 0), 1, 1, 3, "lumped"), ((1, 0), 0, 2, 3, "singles")],
)
def test_frequencies_follow_the_exact_law(
    scores: Sequence[int], threshold: int, k: int, cap: int, form: str
) -> None:
    """n = 4000, gaps of `cap` or more as one; accepted at 1e-3, rejected at 1e-9 with a scale 30 % off, or
    a threshold one off.
    """
    rate, vector, entropy = Fraction(3, 2), FORMS[form](scores), Seeded("hybrid", scores, threshold, k)
    observed: Counter[Outcome] = Counter()
    for _ in range(4000):
        release = top_k_above(vector, threshold, k, rate * k, entropy, measure=False)
        gaps = tuple(int(gap) for gap in release.gaps)
        observed[(release.candidates, gaps) if max(gaps, default=0) < cap else None] += 1
    assert_frequencies(observed, exact_law(scores, threshold, k, cap, rate))
    for factor in (Fraction(7, 10), Fraction(13, 10)):
        assert log_p_value(observed, exact_law(scores, threshold, k, cap, rate * factor)) < REJECT
    for other in (threshold - 1, threshold + 1):
        assert log_p_value(observed, exact_law(scores, other, k, cap, rate)) < REJECT


def test_a_billion_candidates_below_the_threshold() -> None:
    """2^40 zeros, two far above: those and no more are seen, and a third of epsilon is not used."""
    scores = GroupedScores(np.array([10**6, 10**6 - 500, 0]), np.array([1, 1, 2**40]))
    release = top_k_above(scores, 10**5, 4, Fraction(4), Seeded("billion"), measure=False)
    assert release.candidates == (0, 1)
    assert abs(release.gaps[0] - 500) < 60
    assert abs(release.gaps[1] - (9 * 10**5 - 500)) < 60
    assert release.used.epsilon == 3


# Counts


def check_measured_above(groups: int | None = None) -> None:
    """Counts of two, one and no winners: selection at e / k, measurement by a unit's part in winners."""
    k, epsilon, threshold, scores = 2, Fraction(4), 16, (30, 24, 17)
    levels, vector = [*scores, threshold], plain(scores)
    most = k if groups is None else min(k, groups)
    split = linear_estimates.best_split(epsilon, k, most)
    layout = Layout.of(WithThreshold(vector, threshold), levels, k + 1)
    first = split.selection / k
    seen = []
    for whole in ((1, 2, 0, 0), (0, 11, 0, 3), (5, 0, 1, 12), (0, 0, 0, 15), (0, 0, 9, 9)):
        for ranks in ((3, 1, 2, 0), (0, 2, 1, 3)):
            values = [q + g for q, g in zip(levels, whole, strict=True)]
            real = [g + (r + 1) / 5 for g, r in zip(whole, ranks, strict=True)]
            winners, gaps = oracle.by_definition(values, ranks, k)
            levels_of_winners = [scores[c] + real[c] for c in winners]
            expected, measuring = expected_found(
                split, first, most, [scores[c] for c in winners], levels_of_winners, gaps
            )
            words = ranking_words(layout, real, cdf_of("exponential", first), k + 1, len(winners))
            source = Scripted([*words, *measuring])
            release = top_k_above(vector, threshold, k, epsilon, source, measure=True, groups=groups)
            assert source.left == 0
            assert (release.candidates, release.gaps) == (winners, tuple(g + 0.5 for g in gaps))
            assert_close(release.found.counts, expected)
            assert_paid(release.used, release.event, split, (winners, gaps), k)
            seen.append(len(winners))
    assert set(seen) == {0, 1, 2}


def assert_paid(used: object, event: object, split: linear_estimates.Split, output: Release, k: int) -> None:
    """The selection's part by places; the measurement's whole part, unless nothing was measured."""
    assert isinstance(event, Composed)
    assert [part.epsilon for part in event.parts] == [split.selection, split.measurement]
    places = split.selection * oracle.places_paid(output, k) / k
    assert used.epsilon == places + (split.measurement if output[0] else 0)  # type: ignore[attr-defined]


def check_each_measured(groups: int = 2, k: int = 40) -> None:
    """Where k is large and units are in few groups each count is measured: of one to three winners."""
    epsilon, threshold = Fraction(20), 200
    split = linear_estimates.best_split(epsilon, k, groups)
    assert not split.together
    first = split.selection / k
    for winners in (1, 2, 3):
        scores = [900 - 90 * i for i in range(winners)] + [5] * (k + 1 - winners)
        levels, vector = [*scores, threshold], plain(scores)
        layout = Layout.of(WithThreshold(vector, threshold), levels, k + 1)
        real = [(i * 5 % (k + 2) + 1) / (k + 3) + i % 3 for i in range(k + 2)]
        words = ranking_words(layout, real, cdf_of("exponential", first), k + 1, winners)
        order = tuple(range(winners))
        noisy = [levels[c] + real[c] for c in (*order, k + 1)]
        gaps = [math.floor(a - b) for a, b in itertools.pairwise(noisy)]
        expected, measuring = expected_found(split, first, groups, scores[:winners], noisy[:-1], gaps)
        source = Scripted([*words, *measuring])
        release = top_k_above(vector, threshold, k, epsilon, source, measure=True, groups=groups)
        assert source.left == 0
        assert (release.candidates, release.gaps) == (order, tuple(g + 0.5 for g in gaps))
        assert_close(release.found.counts, expected)
        assert_paid(release.used, release.event, split, (order, tuple(gaps)), k)


def test_each_count_is_measured_where_that_is_better() -> None:
    check_each_measured()


@pytest.mark.parametrize("groups", [None, 1, 2, 5])
def test_counts_are_measured_among_the_winners(groups: int | None) -> None:
    check_measured_above(groups)


@pytest.mark.parametrize("groups", [None, 1, 3])
@pytest.mark.parametrize(("k", "winners"), [(5, 5), (5, 2), (5, 1), (1, 1)])
def test_the_split_among_fewer_winners_spends_the_same(k: int, winners: int, groups: int | None) -> None:
    """The amounts stay; the measurement's rate rises as fewer counts move; the deviation is the formula's."""
    sensitivity = k if groups is None else min(k, groups)
    whole = linear_estimates.best_split(Fraction(2), k, sensitivity)
    part = whole.among(winners)
    assert (part.selection, part.measurement) == (whole.selection, whole.measurement)
    assert part.selection_rate == whole.selection / k
    assert part.measurement_rate == whole.measurement / min(winners, sensitivity)
    assert part.together == whole.together
    noise, measured = float(1 / part.selection_rate) ** 2, count_variance(part.measurement_rate)
    if part.together:
        expected = measured / winners**2 + (1 - 1 / winners) * noise
    else:
        weight = noise / measured
        expected = measured * (1 + weight * winners) / (winners + weight * winners)
    assert math.isclose(part.variance, expected, rel_tol=1e-6)


ABOVE = {
    "more than k are above": ((9000, 8000, 7000, 6000), 100),
    "two are above": ((9000, 8000, 10, 0), 4000),
    "one is above": ((9000, 10, 10, 0), 4000),
}


def check_coverage(name: str, groups: int | None, draws: int) -> None:
    """Of a selection that is not in doubt, intervals hold in 95 of 100, within two points."""
    scores, threshold = ABOVE[name]
    vector, entropy = plain(scores), Seeded("coverage above", name, groups)
    held: list[bool] = []
    while len(held) < draws:
        release = top_k_above(vector, threshold, 3, Fraction(1), entropy, measure=True, groups=groups)
        found = release.found
        assert release.candidates == tuple(range(len(found.counts)))
        for c, count, low, high in zip(
            release.candidates, found.counts, found.lows, found.highs, strict=True
        ):
            assert low is not None
            assert high is not None
            assert low < count < high
            held.append(low <= scores[c] <= high)
    assert abs(np.mean(held) - 0.95) < 0.02


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "groups", "draws"),
    [
        ("more than k are above", None, 10_000),
        ("more than k are above", 1, 10_000),
        ("two are above", None, 3000),
        ("one is above", None, 2000),
        ("one is above", 1, 2000),
    ],
)
def test_intervals_hold_95_times_in_100(name: str, groups: int | None, draws: int) -> None:
    check_coverage(name, groups, draws)


@pytest.mark.parametrize(("scores", "threshold"), [((50, 50, 50, 50), 50), ((90, 40, 40, 40, 40), 50)])
def test_p_values_are_calibrated_against_the_threshold_too(scores: Sequence[int], threshold: int) -> None:
    """n = 3000, k = 3: winners that are not truly above all that come after, the threshold included."""
    rate, vector, entropy = Fraction(1, 20), plain(scores), Seeded("p above", scores)
    wrong: list[list[float]] = [[], [], []]
    for _ in range(3000):
        release = top_k_above(vector, threshold, 3, 3 * rate, entropy, measure=False)
        left = set(range(len(scores)))
        stopped = len(release.candidates) < 3
        for place, (winner, p) in enumerate(zip(release.candidates, release.p_values, strict=True)):
            left.remove(winner)
            after = [scores[i] for i in left] + ([threshold] if stopped else [])
            if max(after) >= scores[winner]:
                wrong[place].append(p)
    assert max(map(len, wrong)) > 1000
    for found in wrong:
        for alpha in (0.01, 0.05, 0.2):
            share = sum(p <= alpha for p in found) / max(len(found), 1)
            assert share <= alpha + 5 * math.sqrt(alpha / max(len(found), 1))


# What is given back


def test_a_settlement_is_of_epsilon_only() -> None:
    """Nobody above, k = 4: a quarter is used; of rho all of it, since rho is a mean over outputs."""
    release = top_k_above(plain((0, 0, 0, 0)), 10**6, 4, Fraction(1), Seeded("settled"), measure=False)
    assert release.candidates == release.gaps == release.p_values == ()
    assert release.used == TopKAbove(Fraction(1, 4), k=4)
    assert cost_of(release.event).rho > 4 * cost_of(release.used).rho


# Zero noise, and errors


@settings(deadline=None)
@given(
    st.lists(st.integers(-(2**50), 2**50), min_size=2, max_size=8, unique=True),
    st.integers(-(2**50), 2**50),
    st.data(),
)
def test_without_noise_it_is_a_sort_down_to_the_threshold(
    scores: list[int], threshold: int, data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, len(scores)))
    release = top_k_above(plain(scores), threshold, k, Fraction(20) * k, Quiet(), measure=False)
    ordered = sorted(range(len(scores)), key=lambda i: -scores[i])
    above = [i for i in ordered if scores[i] > threshold][:k]
    if threshold not in scores:
        assert release.candidates == tuple(above)
        levels = sorted([*scores, threshold], reverse=True)
        gaps = [float(a - b) for a, b in itertools.pairwise(levels)][: len(above)]
        # The threshold has the last word, so that a gap to it is less than the true one by next to nothing.
        assert all(found in (g + 0.5, g - 0.5) for found, g in zip(release.gaps, gaps, strict=True))
        assert sum(found < g for found, g in zip(release.gaps, gaps, strict=True)) <= 1


@pytest.mark.parametrize(("k", "most"), [(0, 3), (-1, 3), (4, 3)])
def test_k_is_checked_before_any_draw(k: int, most: int) -> None:
    with pytest.raises(ParameterError, match=f"k is {k}\n") as caught:
        top_k_above(plain((3, 2, 1)), 1, k, Fraction(1), Scripted(), measure=False)
    assert f"from 1 to {most}" in str(caught.value)


@pytest.mark.parametrize("threshold", [2**61 + 1, -(2**62)])
def test_the_threshold_is_checked_before_any_draw(threshold: int) -> None:
    with pytest.raises(ParameterError, match="threshold is too large"):
        top_k_above(plain((3, 2, 1)), threshold, 1, Fraction(1), Scripted(), measure=False)


def test_neither_counts_nor_noise_show_in_a_repr() -> None:
    scores = WithThreshold(PlainScores(np.array([123454321, 7])), 5)
    release = top_k_above(
        PlainScores(np.array([123454321, 7])), 5, 1, Fraction(1), Seeded("repr"), measure=False
    )
    for shown in (scores, scores.groups(2, 10.0), release):
        assert "123454321" not in repr(shown)
