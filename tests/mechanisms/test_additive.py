"""Noisy counts: noise of the right scale on each count, thresholds that keep their delta."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.additive import half_width, noisy_counts, private_key_counts, threshold
from dpduck.kernel.scores import PlainScores
from tests.mechanisms.checks import (
    check_noisy_counts,
    check_private_key_counts,
    check_threshold,
    rational,
    smallest_half_width,
)
from tests.noise.laws import assert_drawn_from, assert_frequencies, assert_not_drawn_from, laplace_survival
from tests.oracles import unknown
from tests.sources import HALF, Quiet, Scripted, Seeded

EPSILONS = (Fraction(1, 10_000), Fraction(1, 100), Fraction(1), Fraction(20))
DELTAS = (Fraction(1, 10**18), Fraction(1, 10**6), Fraction(1, 3), Fraction(99, 100))


# Counts over public keys


@pytest.mark.parametrize("groups", [1, 4, 100])
def test_each_count_gets_its_own_noise_of_rate_epsilon_over_groups(groups: int) -> None:
    check_noisy_counts(groups)


@pytest.mark.parametrize("groups", [1, 5])
def test_the_noise_has_its_exact_law(groups: int) -> None:
    """n = 10000, alpha 1e-3; a scale 30 % off, or one that forgets `groups`, is rejected at 1e-9."""
    counts, epsilon = np.arange(10_000), Fraction(1, 2)
    release = noisy_counts(counts, epsilon, Seeded("counts", groups), groups=groups)
    noise = np.array(release.counts) - counts
    assert_drawn_from(noise, laplace_survival(epsilon / groups))
    for factor in (0.7, 1.3, *([] if groups == 1 else [groups])):
        assert_not_drawn_from(noise, laplace_survival(float(epsilon / groups) * factor))


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_noise_stays_within_the_half_width_95_times_in_100(epsilon: Fraction) -> None:
    """n = 20000: at least 95 % within four standard errors, and one less would not do."""
    release = noisy_counts(np.zeros(20_000, dtype=np.int64), epsilon, Seeded("width", epsilon), groups=1)
    sizes = np.abs(np.array(release.counts))
    assert (sizes <= release.half_width).mean() > 0.95 - 4 * math.sqrt(0.05 * 0.95 / 20_000)
    assert release.half_width == 0 or (sizes < release.half_width).mean() < 0.955


def test_the_half_width_is_the_smallest() -> None:
    for rate in (Fraction(1, 50), Fraction(1, 10), Fraction(1), Fraction(7, 2), Fraction(20)):
        assert half_width(rate) == smallest_half_width(rational(rate))


def test_without_noise_counts_are_true() -> None:
    counts = [7, 0, 10**15, -3]
    release = noisy_counts(np.array(counts), Fraction(1, 10_000), Quiet(HALF), groups=50)
    assert tuple(release.counts) == tuple(counts)
    assert noisy_counts(np.array([], dtype=np.int64), Fraction(1), Scripted(), groups=1).counts.tolist() == []


# Counts over private keys


def test_only_keys_at_the_threshold_show_with_their_noisy_counts() -> None:
    check_private_key_counts(1)
    check_private_key_counts(3)


@pytest.mark.parametrize("groups", [1, 2, 50])
@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_threshold_keeps_delta_and_wastes_nothing(
    epsilon: Fraction, delta: Fraction, groups: int
) -> None:
    check_threshold(epsilon, delta, groups)


def test_rounding_never_lowers_a_threshold() -> None:
    """Delta a hair below what some threshold gives, where a double cannot tell: the next one is needed."""
    for epsilon, low in ((Fraction(1, 10), 4), (Fraction(1, 3), 1), (Fraction(3), 2)):
        p = math.exp(-epsilon)
        nearest = Fraction(p ** (low - 1) / (1 + p))
        for offset in range(-4, 5):
            check_threshold(epsilon, nearest + offset * Fraction(1, 10**17), 1)


@pytest.mark.parametrize("groups", [1, 2])
def test_the_release_is_private_by_exact_arithmetic(groups: int) -> None:
    """The code's threshold in the oracle's law: the exact delta of the release is at most the one asked."""
    for epsilon, delta in ((Fraction(1), Fraction(1, 100)), (Fraction(2), Fraction(1, 10**4))):
        tau = threshold(epsilon, delta, groups)
        p = rational(epsilon / groups)
        assert unknown.threshold(p, delta, groups) <= tau <= unknown.threshold(p, delta, groups) + 1
        for counts in ([0] * groups, [1] * groups, [tau] * groups):
            assert unknown.threshold_delta(counts, tau, p) <= delta


def test_a_key_of_one_unit_shows_as_often_as_delta_allows() -> None:
    """n = 20000 keys of count 1 with delta 0.2: the share that shows is p^(tau - 1) / (1 + p), below 0.2."""
    epsilon, delta = Fraction(1, 2), Fraction(1, 5)
    release = private_key_counts(
        PlainScores(np.ones(20_000, dtype=np.int64)), epsilon, delta, Seeded("one"), groups=1
    )
    p = math.exp(-epsilon)
    share = p ** (release.threshold - 1) / (1 + p)
    shown = len(release.candidates)
    assert_frequencies(Counter({True: shown, False: 20_000 - shown}), {True: share, False: 1 - share})
    assert share <= delta
    assert min(release.counts) == release.threshold


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(-1, 2)])
def test_private_keys_need_a_delta_before_any_draw(delta: Fraction) -> None:
    with pytest.raises(ParameterError) as caught:
        private_key_counts(PlainScores(np.array([5])), Fraction(1), delta, Scripted(), groups=1)
    assert str(caught.value) == (
        "keys from private rows need a delta\nDETAIL: Nothing was charged.\nHINT: SET dp_delta = 1e-6."
    )
