"""The largest noises of a group, without its other members, have the law that sorting all would give."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from dpduck.kernel.noise import Exponential, Laplace, Maxima, OrderStatistic
from dpduck.kernel.noise.uniform import Uniform
from tests.noise.laws import (
    Survival,
    assert_drawn_from,
    assert_not_drawn_from,
    laplace_survival,
    order_survival,
)
from tests.sources import HALF, WORD, Quiet, Scripted, Seeded

RATE = Fraction(1, 10)
DRAWS = 3000
MILLION = 10**6
PLACES = [(m, j) for m in (1, 2, 3, 4, 5, MILLION) for j in (1, 2, 3) if j <= m]


def drawn_floors(
    size: int, places: int, rate: Fraction = RATE, name: str = "order", *, laplace: bool = False
) -> list[list[int]]:
    """DRAWS times, the floors of the largest `places` noises of `size`, in descending order."""
    entropy = Seeded(name, size)
    family = Laplace(rate) if laplace else Exponential(rate)
    maxima = Maxima.draw(family, np.full(DRAWS, size), entropy)
    rows = []
    for i in range(DRAWS):
        entry = maxima.single(i, entropy)
        row = [entry.floor()]
        while len(row) < places:
            following = entry.next(entropy)
            assert following is not None
            entry = following
            row.append(entry.floor())
        rows.append(row)
    return rows


@cache
def columns(size: int) -> list[tuple[int, ...]]:
    return list(zip(*drawn_floors(size, min(size, 3)), strict=True))


@pytest.mark.parametrize(("size", "place"), PLACES)
def test_each_place_has_its_exact_law(size: int, place: int) -> None:
    """n = 3000 draws in ten bins, alpha 1e-3 to accept, 1e-9 to reject the rate and its neighbour place."""
    draws = columns(size)[place - 1]
    assert_drawn_from(draws, order_survival(RATE, size, place))
    assert_not_drawn_from(draws, order_survival(RATE * Fraction(13, 10), size, place))
    assert_not_drawn_from(draws, order_survival(RATE * Fraction(7, 10), size, place))
    if place < size:
        assert_not_drawn_from(draws, order_survival(RATE, size, place + 1))


@pytest.mark.parametrize("size", [2, 3])
def test_all_places_together_are_all_the_noises(size: int) -> None:
    """Every member counted once: the plain law of one noise, so nothing is lost or drawn twice."""
    everything = [x for row in drawn_floors(size, size, name="all") for x in row]
    assert_drawn_from(everything, order_survival(RATE, 1, 1))


def test_the_gaps_of_exponential_noises_have_their_own_laws() -> None:
    """Rényi: the j-th spacing of M exponentials is exponential with rate j / scale, whatever the others.

    Spacings depend on all uniform numbers drawn so far, so this is about their joint law.
    """
    rate = Fraction(1, 100)
    rows = np.array(drawn_floors(4, 4, rate, "spacings"))
    for j in (1, 2, 3):
        spacing = rows[:, j - 1] - rows[:, j]
        assert_drawn_from(spacing, lambda g, j=j: spacing_survival(float(rate) * j, g))
        assert_not_drawn_from(spacing, lambda g, j=j: spacing_survival(float(rate) * (j + 1), g))


def spacing_survival(rate: float, g: int) -> float:
    """P(floor A - floor B >= g) for A - B exponential, nearly: at small rates fractions are uniform."""
    return 1.0 if g <= 0 else math.exp(-rate * (g - 0.5))


def test_laplace_noises_of_a_group() -> None:
    rows = drawn_floors(2, 2, Fraction(1, 5), "laplace", laplace=True)
    assert_drawn_from([row[0] for row in rows], squared_below(laplace_survival(Fraction(1, 5))))
    assert_drawn_from([x for row in rows for x in row], laplace_survival(Fraction(1, 5)))


def squared_below(single: Survival) -> Survival:
    """Of the larger of two."""
    return lambda g: 1 - (1 - single(g)) ** 2


def test_noises_come_in_strictly_descending_order_and_end() -> None:
    entropy = Seeded("descending")
    for size in (1, 2, 5):
        entry: OrderStatistic | None = Maxima.draw(Exponential(RATE), np.array([size]), entropy).single(
            0, entropy
        )
        seen = []
        while entry is not None:
            seen.append(entry.low)
            entry = entry.next(entropy)
        assert len(seen) == size
        assert seen == sorted(seen, reverse=True)


def test_the_last_noise_needs_no_word() -> None:
    single = Maxima.draw(Exponential(RATE), np.array([1]), Scripted([HALF])).single(0, Scripted())
    assert single.next(Scripted()) is None


def test_one_word_per_group() -> None:
    entropy = Scripted(range(5))
    Maxima.draw(Exponential(RATE), np.array([1, 10, 100]), entropy)
    assert entropy.left == 2


@pytest.mark.parametrize(("later", "floor"), [(0, 0), (WORD - 1, 1)])
def test_a_floor_that_64_digits_leave_open_gets_more(later: int, floor: int) -> None:
    """At rate 1 the noise is 1 where V = 1 - 1/e; the word there does not tell."""
    word = int((1 - Fraction(math.exp(-1))) * WORD)
    boundary = closest_word(word)
    source = Scripted([later])
    entry = Maxima.draw(Exponential(Fraction(1)), np.array([1]), Scripted([boundary])).single(0, source)
    assert entry.floor() == floor
    assert source.left == 0
    for clear in (boundary - 1, boundary + 1):
        settled = Maxima.draw(Exponential(Fraction(1)), np.array([1]), Scripted([clear])).single(
            0, Scripted()
        )
        assert settled.floor() == (clear > boundary)


def closest_word(start: int) -> int:
    """The word whose numbers lie on both sides of 1 - 1/e, near a guess good to a double's precision."""
    digits = "0.63212055882855767840447622983853913255418886896823"
    word = int(Fraction(digits) * WORD)
    assert abs(word - start) < 1 << 12
    return word


def test_noises_of_one_group_share_their_uniform_numbers() -> None:
    entropy = Quiet(HALF)
    first = Maxima.draw(Exponential(RATE), np.array([3]), entropy).single(0, entropy)
    second = first.next(entropy)
    assert second is not None
    assert second.uniforms[0] is first.uniforms[0]
    assert len(set(second.uniforms)) == 2


def test_nothing_that_was_drawn_shows_in_a_repr() -> None:
    entropy = Quiet(HALF)
    maxima = Maxima.draw(Exponential(RATE), np.array([3]), entropy)
    shown: Sequence[object] = (maxima, maxima.single(0, entropy), Uniform(HALF, entropy))
    assert not any(str(HALF) in repr(x) or "low" in repr(x) for x in shown)
