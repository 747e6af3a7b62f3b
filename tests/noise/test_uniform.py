"""Uniform numbers: float bounds on their logarithms, and decisions that wait for enough digits."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from dpduck.kernel.errors import InternalError
from dpduck.kernel.noise.uniform import SLACK, Floats, Uniform, decide, integer, log_bounds, settle
from tests.noise.balls import EXTREME_WORDS, assert_contains, log_of, precise, relative_error
from tests.sources import HALF, WORD, Quiet, Repeating, Scripted, Seeded

Points = list[float]


def random_words(count: int, name: str) -> list[int]:
    """Uniform words, and words of every magnitude at either end."""
    words = Seeded(name).words(count).tolist()
    small = [word >> shift % 64 for shift, word in enumerate(words)]
    return [*words, *small, *(WORD - 1 - word for word in small)]


# The assumption behind SLACK


def fractions_of_one(count: int) -> Points:
    return [(word + 1) / WORD for word in random_words(count, "log")]


def small_negatives(count: int) -> Points:
    return [-(word / WORD) / 2 for word in random_words(count, "log1p") if word]


def logarithms(count: int) -> Points:
    exponents = np.linspace(-60, 9.5, count)
    return [float(x) for x in -(2.0**exponents)]


@pytest.mark.parametrize(
    ("function", "exact", "points"),
    [
        (np.log, arb.log, [*fractions_of_one(500), 2.0**-64, 1 - 2.0**-53, 0.5, 0.7071067811865476]),
        (np.log1p, arb.log1p, [*small_negatives(500), -0.5, -(2.0**-64), -(2.0**-53)]),
        (np.expm1, arb.expm1, [*logarithms(1500), -math.log(2), -745.0, -1e-19]),
        (np.exp, arb.exp, [x for x in logarithms(1500) if x > -700]),
    ],
)
def test_numpy_is_sixty_four_times_better_than_the_slack(
    function: Callable[[Floats], Floats], exact: Callable[[arb], arb], points: Points
) -> None:
    """Relative error below 2^-50 where SLACK is 2^-44, in vectors and one at a time."""
    together = function(np.array(points))
    alone = [float(function(np.array([x]))[0]) for x in points]
    scalars = [float(function(np.float64(x))) for x in points]
    with precise():
        for x, *values in zip(points, together.tolist(), alone, scalars, strict=True):
            truth = exact(arb(x))
            if truth != 0:
                assert all(relative_error(value, truth) < 2.0**-50 for value in values)
    assert SLACK == 2.0**-44


# Bounds on ln V


def test_the_bounds_contain_the_logarithm_of_every_number_with_these_digits() -> None:
    words = [*EXTREME_WORDS, *random_words(300, "bounds")]
    low, high = log_bounds(np.array(words, dtype=np.uint64))
    with precise():
        for word, a, b in zip(words, low.tolist(), high.tolist(), strict=True):
            first = log_of(Fraction(word, WORD))
            assert_contains(a, b, first, log_of(Fraction(word + 1, WORD)))


def test_the_bounds_are_narrow_at_both_ends() -> None:
    words = [1 << 40, HALF - 1, HALF, WORD - (1 << 40)]
    low, high = log_bounds(np.array(words, dtype=np.uint64))
    assert (high - low <= np.abs(low) * 2.0**-23).all()
    central = slice(1, 3)
    assert (high - low)[central].max() <= 2.0**-42


# Decisions


def test_a_ball_holds_all_numbers_with_the_digits_drawn() -> None:
    number = Uniform(5, Scripted([7, WORD - 1]))
    with precise():
        for digits in (5, 5 * WORD + 7, (5 * WORD + 7) * WORD + WORD - 1):
            unit = WORD ** (number.length // 64)
            assert number.ball().contains(arb(digits) / unit)
            assert number.ball().contains(arb(digits + 1) / unit)
            assert float(number.ball().rad()) * unit < 0.51
            if number.length < 192:
                number.refine()


def half_decided(number: Uniform) -> bool | None:
    ball, half = number.ball(), arb(1) / 2
    return True if ball > half else False if ball < half else None


def test_digits_are_drawn_only_while_the_question_is_open() -> None:
    clear = Uniform(HALF + 1, Scripted())
    assert decide(lambda: half_decided(clear), [clear]) is True
    source = Scripted([0, 0, 1, 99])
    close = Uniform(HALF, source)
    assert decide(lambda: half_decided(close), [close]) is True
    assert source.left == 1
    below = Uniform(HALF - 1, Scripted([WORD - 1, WORD - 2]))
    assert decide(lambda: half_decided(below), [below]) is False


def test_a_source_that_repeats_itself_is_an_error_and_no_endless_loop() -> None:
    stuck = Uniform(HALF - 1, Repeating(WORD - 1))
    with pytest.raises(InternalError, match="the entropy source repeats itself"):
        decide(lambda: half_decided(stuck), [stuck])
    assert stuck.length <= 64 * 65


def test_all_numbers_in_question_get_more_digits() -> None:
    first, second = Uniform(9, Quiet(10)), Uniform(9, Quiet(20))

    def sign() -> int | None:
        difference = first.ball() - second.ball()
        return 1 if difference > 0 else -1 if difference < 0 else None

    assert decide(sign, [first, second]) == -1
    assert (first.length, second.length) == (128, 128)


def test_an_integer_is_known_when_the_ball_holds_just_one() -> None:
    with precise():
        assert integer(arb(3) + arb(0, 0.25)) == 3
        assert integer(arb(3.5) + arb(0, 0.25)) is None
        assert integer(arb(3) + arb(0, 1.5)) is None
        assert integer(arb("+/- inf")) is None
        assert integer(arb("nan")) is None


def test_a_constant_gets_more_digits_until_it_is_settled() -> None:
    """The whole part of 10^90 e needs about 300 binary digits."""
    scaled = lambda: arb(10) ** 90 * arb(1).exp()  # noqa: E731
    digits = "2718281828459045235360287471352662497757247093699959574966967627724076630353547594571382178"
    assert settle(lambda: integer(scaled().floor())) == int(digits)
    with pytest.raises(InternalError, match="a constant lies on a boundary"):
        settle(lambda: integer((arb(2).sqrt() ** 2).floor()))
