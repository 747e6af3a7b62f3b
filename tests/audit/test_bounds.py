"""Bounds on epsilon from samples: exact intervals, never above the truth, near it where there is much to see.

The draws are of numpy's, with a seed: they are not noise of a release here.
"""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from dpduck.doors.audit.bounds import (
    ALPHA,
    Distinguisher,
    choose,
    epsilon_bound,
    judge,
    least_probability,
    whole,
)

DRAWS = 100_000


def laplace(scale: float, seed: int, shift: int = 0) -> list[int]:
    """Discrete Laplace noise with p = e^(-1 / scale), as a difference of geometric noises."""
    source = np.random.default_rng(seed)
    chance = -math.expm1(-1 / scale)
    noise: NDArray[np.int64] = source.geometric(chance, DRAWS) - source.geometric(chance, DRAWS) + shift
    return noise.tolist()


def binomial_tail(hits: int, draws: int, chance: Fraction) -> Fraction:
    """P(at least so many hits), exactly."""
    return sum(
        (math.comb(draws, i) * chance**i * (1 - chance) ** (draws - i) for i in range(hits, draws + 1)),
        Fraction(0),
    )


@pytest.mark.parametrize(("hits", "draws"), [(1, 1), (1, 20), (7, 20), (20, 20), (30, 100), (99, 100)])
@pytest.mark.parametrize("alpha", [Fraction(1, 20), ALPHA])
def test_the_interval_is_clopper_and_pearsons(hits: int, draws: int, alpha: Fraction) -> None:
    low = least_probability(hits, draws, alpha)
    assert binomial_tail(hits, draws, low) <= alpha
    assert binomial_tail(hits, draws, low + Fraction(1, 10**12)) > alpha


def test_without_hits_nothing_is_known() -> None:
    assert least_probability(0, 1000, ALPHA) == 0
    assert least_probability(0, 0, ALPHA) == 0


def test_intervals_of_many_draws_hold() -> None:
    low = least_probability(500_000, 1_000_000, ALPHA)
    assert 0.5 - 6.1 * 0.0005 < low < 0.5 - 5.9 * 0.0005


def test_the_bound_of_a_count_is_near_its_epsilon_and_below() -> None:
    bound = epsilon_bound(laplace(1, 1), laplace(1, 2, shift=1))
    assert 0.9 < bound.epsilon <= 1


def test_the_bound_of_a_count_with_little_noise_for_each_value_is_near_too() -> None:
    """Ten thousand values: only as numbers, above or below one, do they tell what they do."""
    bound = epsilon_bound(laplace(1000, 3), laplace(1000, 4, shift=1000))
    assert 0.85 < bound.epsilon <= 1


def test_a_scale_that_is_too_small_is_refuted() -> None:
    assert epsilon_bound(laplace(0.75, 5), laplace(0.75, 6, shift=1)).epsilon > 1


def test_the_same_law_gives_no_bound() -> None:
    assert epsilon_bound(laplace(1, 7), laplace(1, 8)).epsilon == 0


def test_what_never_comes_in_one_sample_is_bounded_by_how_much_was_seen() -> None:
    bound = epsilon_bound([("a", "b")] * 2000, [("b", "a")] * 2000)
    assert 3.5 < bound.epsilon < 4.5
    assert bound.hits == (1500, 0)


def test_delta_is_allowed_for() -> None:
    """One in a hundred answers tells all: that is (0, 1/100), and nothing more is found."""
    told = ["secret"] * 1000 + ["nothing"] * 99_000
    first = [told[i] for i in np.random.default_rng(9).permutation(len(told))]
    assert epsilon_bound(first, ["nothing"] * 100_000).epsilon > 2.5
    assert epsilon_bound(first, ["nothing"] * 100_000, Fraction(1, 100)).epsilon == 0


def test_an_order_is_found_in_answers_that_never_come_twice() -> None:
    """The numbers are all different; the order tells, if it is looked at."""
    source = np.random.default_rng(10)

    def answers(leak: float) -> list[tuple[tuple[str, float], ...]]:
        drawn = source.random((4000, 3))
        return [(("a", x), ("b", y)) if z < leak else (("b", y), ("a", x)) for x, y, z in drawn.tolist()]

    def order(answer: tuple[tuple[str, float], ...]) -> tuple[str, ...]:
        return tuple(key for key, _ in answer)

    first, second = answers(0.9), answers(0.1)
    assert epsilon_bound(first, second).epsilon == 0
    bound = epsilon_bound(first, second, views=(whole, order))
    assert bound.epsilon > 1.5
    assert bound.event.view is order


def test_both_directions_are_looked_at() -> None:
    rare, none = ["hit"] * 500 + ["miss"] * 500, ["miss"] * 1000
    shuffled = [rare[i] for i in np.random.default_rng(11).permutation(1000)]
    assert epsilon_bound(shuffled, none).epsilon == epsilon_bound(none, shuffled).epsilon > 1


def test_an_event_is_judged_on_what_it_was_not_chosen_on() -> None:
    """Noise that looks like a leak in one half is none in the other."""
    source = np.random.default_rng(12)
    first, second = (source.integers(0, 2000, 4000).tolist() for _ in range(2))
    seen = Counter(first), Counter(second)
    event = choose(seen, seen, Fraction(0))
    assert event.hits(seen[0]) > event.hits(seen[1])
    assert epsilon_bound(first, second).epsilon == 0


@pytest.mark.nightly
def test_the_bound_holds_at_least_as_often_as_it_says() -> None:
    """At alpha 1/20, 100 bounds on a ratio of 3 : 1: at most 5 above expected, 20 with probability 1e-7."""
    source = np.random.default_rng(13)
    event = Distinguisher(whole, frozenset(["hit"]))
    above = 0
    for _ in range(100):
        hits, others = int(source.binomial(1000, 0.3)), int(source.binomial(1000, 0.1))
        first, second = ({"hit": n, "miss": 1000 - n} for n in (hits, others))
        above += judge(event, (first, second), Fraction(0), Fraction(1, 20)).epsilon > math.log(3)
    assert above < 20
