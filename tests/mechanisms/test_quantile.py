"""Quantiles: rank scores of every grid point, exactly, and the answers' law on small and huge grids."""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms import quantile as module
from dpduck.kernel.mechanisms.quantile import QuantileScores, Sample, ValueCounts, Values, quantile
from dpduck.kernel.scores import Member
from tests.mechanisms.checks import check_quantile, rank_scores, rational
from tests.noise.laws import REJECT, assert_frequencies
from tests.oracles.fit import log_p_value
from tests.oracles.selection import median_scores, permute_and_flip_pmf
from tests.sources import Quiet, Scripted, Seeded

HALF = Fraction(1, 2)
QUANTILES = (HALF, Fraction(1, 4), Fraction(9, 10))
HUGE = 2**32


def sensitivity(q: Fraction) -> int:
    return max(q.numerator, q.denominator - q.numerator)


def samples(values: Sequence[int], points: int) -> tuple[Sample, Sample]:
    offsets = np.array(values, dtype=np.int64)
    distinct, units = np.unique(offsets, return_counts=True)
    mixed = np.random.default_rng(1).permutation(len(distinct))
    return Values(offsets, points), ValueCounts(distinct[mixed], units[mixed])


# Scores


def test_the_median_score_is_the_one_of_the_statement() -> None:
    for counts in itertools.product(range(4), repeat=3):
        values = [x for x, c in enumerate(counts) for _ in range(c)]
        assert rank_scores(values, 3, HALF) == median_scores(counts)


def test_one_unit_moves_no_score_by_more_than_the_sensitivity() -> None:
    for q, values in itertools.product(QUANTILES, itertools.product(range(4), repeat=3)):
        for extra in range(4):
            before, after = (rank_scores(v, 4, q) for v in (values, (*values, extra)))
            assert max(abs(x - y) for x, y in zip(before, after, strict=True)) <= sensitivity(q)


def test_a_unit_with_parts_of_a_weight_moves_no_score_by_more_than_the_weight_allows() -> None:
    """All ways to divide a weight of 3 among the points, added to all small samples of weights."""
    divided = [parts for parts in itertools.product(range(4), repeat=3) if sum(parts) == 3]
    points = np.arange(3)
    for q, weights, parts in itertools.product(QUANTILES, itertools.product(range(4), repeat=3), divided):
        both = (np.array(weights), np.array(weights) + parts)
        before, after = (QuantileScores(ValueCounts(points, units), 3, q) for units in both)
        moved = [abs(before.score_at(x) - after.score_at(x)) for x in range(3)]
        assert max(moved) <= 3 * sensitivity(q)


@contextmanager
def coarse(few: int, bits: int) -> Iterator[None]:
    """Let windows be searched in 2^bits bins when there are more than `few` values."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_FEW", few)
        patch.setattr(module, "_COARSE_BITS", bits)
        yield


def unrolled(sample: Sample, points: int, q: Fraction, reach: float) -> list[int | None]:
    """The score of every grid point as the groups give it; in bounded groups checked against the bound."""
    groups = QuantileScores(sample, points, q).groups(1, reach)
    found: list[int | None] = [None] * points
    for g, (bound, size, exact) in enumerate(zip(groups.bounds, groups.sizes, groups.exact, strict=True)):
        for r in range(size):
            (offset,) = groups.candidates([Member(g, r)])
            assert found[offset] is None
            found[offset] = groups.score(Member(g, r))
            assert exact or groups.score(Member(g, r)) <= bound
    return found


@settings(deadline=None)
@given(st.data())
def test_the_groups_hold_every_grid_point_once_with_its_score(data: st.DataObject) -> None:
    """For values and for their counts, whatever is lumped; points near the quantile are never lumped."""
    points = data.draw(st.integers(1, 40))
    values = data.draw(st.lists(st.integers(0, points - 1), max_size=30))
    q = data.draw(st.sampled_from([*QUANTILES, Fraction(1, 100), Fraction(2, 3)]))
    reach = data.draw(st.sampled_from([0.0, 1.0, 5.0, 1e3, 1e300]))
    few, bits = data.draw(st.sampled_from([(4096, 16), (0, 2), (3, 1)]))
    expected = rank_scores(values, points, q)
    assert max(expected) == 0
    with coarse(few, bits):
        for sample in samples(values, points):
            assert unrolled(sample, points, q, reach) == expected


@settings(deadline=None)
@given(st.lists(st.integers(0, 15), max_size=40), st.sampled_from(QUANTILES), st.integers(0, 20))
def test_what_is_lumped_is_out_of_reach_or_at_its_bound(values: list[int], q: Fraction, reach: int) -> None:
    """So looking up ends at once: a lumped point never turns out much lower than it was taken for."""
    for sample in samples(values, 16):
        with coarse(0, 2):
            groups = QuantileScores(sample, 16, q).groups(1, reach)
        for g in np.flatnonzero(~groups.exact):
            members = [Member(int(g), r) for r in range(int(groups.sizes[g]))]
            own = {groups.score(member) for member in members}
            assert groups.bounds[g] < -reach or own == {groups.bounds[g]}


def test_coarse_bins_do_not_matter_on_a_huge_grid() -> None:
    """2^40 points and 6300 values, with neighbours in one bin: scores next to each value are exact."""
    points, rng = 2**40, np.random.default_rng(7)
    values = np.concatenate((rng.integers(0, points, 6200), 5 * 2**30 + rng.integers(0, 50, 100)))
    for q in QUANTILES:
        plain, counted = (QuantileScores(s, points, q) for s in samples(values.tolist(), points))
        for offset in {
            0,
            points - 1,
            *(int(v) + d for v in (*values[::700], *values[-3:]) for d in (-1, 0, 1)),
        }:
            below, at = int((values < offset).sum()), int((values == offset).sum())
            assert plain.score_at(offset) == counted.score_at(offset) == rank_score(below, at, 6300, q)
        for scores in (plain, counted):
            groups = scores.groups(1, 20.0)
            assert groups.count == points
            assert groups.bounds.max() == 0
            for g in np.flatnonzero(groups.exact):
                ends = groups.candidates([Member(int(g), 0), Member(int(g), int(groups.sizes[g]) - 1)])
                assert {scores.score_at(end) for end in ends} == {int(groups.bounds[g])}


def rank_score(below: int, at: int, n: int, q: Fraction) -> int:
    a, b = q.numerator, q.denominator
    return -max(0, (b - a) * below - a * (n - below), a * (n - below - at) - (b - a) * (at + below))


# Answers


@pytest.mark.parametrize("q", QUANTILES, ids=str)
@pytest.mark.parametrize("values", [(), (1,), (1, 1, 2), (0, 3, 3)], ids=str)
def test_it_is_permute_and_flip_on_rank_scores(values: Sequence[int], q: Fraction) -> None:
    """On a grid of 4 points, for every noise up to 2 and every tie order."""
    check_quantile(values, 4, q)


CASES = {
    "several": (2, 3, 3, 5),
    "empty": (),
    "both ends": (0, 0, 5, 5, 5),
    "one unit": (4,),
}


@pytest.mark.parametrize("values", CASES.values(), ids=CASES)
@pytest.mark.parametrize("q", QUANTILES, ids=str)
def test_answers_follow_permute_and_flip(values: Sequence[int], q: Fraction) -> None:
    """n = 2 * 1000 on a grid of 6 points, at half the rate: rank scores move in both directions."""
    epsilon = Fraction(3)
    rate = epsilon / (2 * sensitivity(q))
    law = permute_and_flip_pmf(rank_scores(values, 6, q), rational(rate))
    for name, sample in zip(("values", "counts"), samples(values, 6), strict=True):
        entropy = Seeded("quantile", name, values, q)
        observed = Counter(quantile(sample, 6, q, epsilon, entropy).offset for _ in range(1000))
        assert_frequencies(observed, dict(enumerate(law)))


@pytest.mark.parametrize("q", QUANTILES, ids=str)
def test_frequencies_tell_the_rate(q: Fraction) -> None:
    """n = 4000: the monotonic rate, and a sensitivity that is 30 % off, are rejected at 1e-9."""
    values, epsilon, points = (0, 0, 1, 2, 2, 3, 3, 3, 3, 4), Fraction(3, 2), 8
    rate, entropy = epsilon / (2 * sensitivity(q)), Seeded("rate", q)
    sample, _ = samples(values, points)
    observed = Counter(quantile(sample, points, q, epsilon, entropy).offset for _ in range(4000))
    scores = rank_scores(values, points, q)
    assert_frequencies(observed, dict(enumerate(permute_and_flip_pmf(scores, rational(rate)))))
    for factor in (Fraction(1, 2), Fraction(2)):
        law = permute_and_flip_pmf(scores, rational(rate * factor))
        assert log_p_value(observed, dict(enumerate(law))) < REJECT


@pytest.mark.parametrize("units", [2, 3])
def test_a_huge_grid_has_its_exact_law(units: int) -> None:
    """`units` people at one of 2^32 points: P(that point) = (1 - (1 - c)^(M+1)) / (c (M+1)); n = 3000."""
    epsilon, place = Fraction(20), 3 * HUGE // 8 + 5
    sample, _ = samples([place] * units, HUGE)
    entropy = Seeded("huge", units)
    observed: Counter[int | None] = Counter()
    for _ in range(3000):
        offset = quantile(sample, HUGE, HALF, epsilon, entropy).offset
        observed[None if offset == place else offset * 4 // HUGE] += 1
    coin = math.exp(-10 * units)
    single = -math.expm1(HUGE * math.log1p(-coin)) / (coin * HUGE)
    assert_frequencies(observed, {None: single, **dict.fromkeys(range(4), (1 - single) / 4)})


def test_a_grid_of_one_point_has_one_answer() -> None:
    for values in ((), (0, 0)):
        for sample in samples(values, 1):
            assert quantile(sample, 1, HALF, Fraction(1), Seeded()).offset == 0


@settings(deadline=None)
@given(st.lists(st.integers(0, 60), min_size=1, max_size=30), st.sampled_from(QUANTILES))
def test_without_noise_the_answer_is_a_quantile(values: list[int], q: Fraction) -> None:
    """As few below as q allows, and as few above as 1 - q does: numpy's quantiles lie there too."""
    for sample in samples(values, 61):
        answer = quantile(sample, 61, q, Fraction(20), Quiet()).offset
        assert sum(v < answer for v in values) <= q * len(values)
        assert sum(v > answer for v in values) <= (1 - q) * len(values)


def test_the_answer_shows_in_the_middle_of_much_data() -> None:
    values = np.random.default_rng(3).integers(0, HUGE, 20_000)
    offset = quantile(Values(values, HUGE), HUGE, Fraction(9, 10), Fraction(1), Seeded("much")).offset
    assert abs((values < offset).mean() - 0.9) < 0.01


# Errors


@pytest.mark.parametrize("q", [Fraction(0), Fraction(1), Fraction(-1, 2), Fraction(3, 2)])
def test_a_quantile_out_of_range_is_an_error_before_any_draw(q: Fraction) -> None:
    with pytest.raises(ParameterError) as caught:
        quantile(samples([1], 4)[0], 4, q, Fraction(1), Scripted())
    assert str(caught.value) == (
        f"quantile {q} is out of range\nDETAIL: Nothing was charged.\n"
        "HINT: Choose a quantile such as 0.5 or 0.95."
    )


def test_an_empty_grid_and_too_fine_a_quantile_are_errors_before_any_draw() -> None:
    with pytest.raises(ParameterError, match="the grid is empty"):
        quantile(samples([], 1)[0], 0, HALF, Fraction(1), Scripted())
    with pytest.raises(ParameterError, match="has too many decimal places"):
        quantile(samples([1, 2], 4)[0], 4, Fraction(1, 2**61), Fraction(1), Scripted())


def test_no_value_shows_in_a_repr() -> None:
    for sample in samples([54321], 2**17):
        scores = QuantileScores(sample, 2**17, HALF)
        for shown in (sample, scores, sample.window(0, 1), scores.groups(1, 10.0)):
            assert "54321" not in repr(shown)
    assert repr(samples([1], 2)[0]) == "<Values, hidden>"
