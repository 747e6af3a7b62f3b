"""Optimal partition selection: the printed recursion, decided exactly, word by word; its exact delta."""

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.additive import threshold
from dpduck.kernel.mechanisms.partitions import Curve, select_partitions, shown_from
from dpduck.kernel.scores import PlainScores
from tests.noise.balls import ball, precise
from tests.noise.laws import REJECT, assert_frequencies
from tests.oracles import partitions as oracle
from tests.oracles.fit import log_p_value
from tests.sources import HALF, WORD, Continued, Quiet, Scripted, Seeded

CASES = (
    (Fraction(1), Fraction(1, 10**6), 1),
    (Fraction(1, 10), Fraction(1, 1000), 1),
    (Fraction(2), Fraction(1, 100), 3),
    (Fraction(20), Fraction(1, 10**18), 1),
    (Fraction(3, 7), Fraction(1, 3), 2),
    (Fraction(1, 2), Fraction(9, 10), 1),
)
every_case = pytest.mark.parametrize(("epsilon", "delta", "groups"), CASES)


# The recursion is private, and no larger one is


@pytest.mark.parametrize("x", [Fraction(3, 2), Fraction(3), Fraction(50)])
@pytest.mark.parametrize("delta", [Fraction(1, 1000), Fraction(1, 10), Fraction(2, 3)])
def test_its_delta_is_exact_for_one_key(x: Fraction, delta: Fraction) -> None:
    """At every count; and showing any key a little more often needs a larger delta."""
    values = oracle.curve(x, delta, 60)
    assert values[-1] == 1
    for n in range(59):
        assert oracle.exact_delta([n], values, x) <= delta
    for n in range(1, 60):
        if values[n] < 1:
            more = [*values[:n], values[n] + (1 - values[n]) / 10**6, *values[n + 1 :]]
            assert oracle.exact_delta([n - 1], more, x) > delta


@pytest.mark.parametrize("groups", [2, 3])
def test_several_keys_compose(groups: int) -> None:
    """A unit with that many keys, of any counts: factor x^groups, delta groups times that of one key."""
    x, delta = Fraction(3, 2), Fraction(1, 50)
    values = oracle.curve(x, delta, 30)
    for n in range(25):
        for step in (0, 1, 5):
            counts = [n + step * i for i in range(groups)]
            if max(counts) < 30:
                assert oracle.exact_delta(counts, values, x**groups) <= groups * delta
    assert oracle.exact_delta([0] * groups, values, x**groups) > delta


# The code's numbers are the recursion's


def recursion(epsilon: Fraction, delta: Fraction, groups: int, most: int) -> list[arb]:
    """With every minimum taken for certain."""
    growth, share = ball(epsilon / groups).exp(), ball(delta / groups)
    values = [arb(0)]
    for _ in range(most):
        last = values[-1]
        values.append(
            certain_min(certain_min(growth * last + share, 1 - (1 - last - share) / growth), arb(1))
        )
    return values


def certain_min(a: arb, b: arb) -> arb:
    assert a < b or b <= a
    return a if a < b else b


def check_curve(epsilon: Fraction, delta: Fraction, groups: int) -> None:
    curve = Curve(epsilon / groups, delta / groups)
    with precise():
        for n, value in enumerate(recursion(epsilon, delta, groups, 400)):
            found = curve.at(n)
            assert found >= 1 if value == 1 else abs(found - value) < arb(10) ** -30


@every_case
def test_the_closed_form_is_the_recursion(epsilon: Fraction, delta: Fraction, groups: int) -> None:
    check_curve(epsilon, delta, groups)


def check_words(epsilon: Fraction, delta: Fraction, groups: int) -> None:
    """The words next to the probability, on either side, decide; the one that holds it asks for more."""
    with precise():
        values = recursion(epsilon, delta, groups, 40)
        below_one = [n for n, value in enumerate(values) if n > 0 and value < 1]
        places = [int((values[n] * WORD).floor().unique_fmpz()) for n in below_one]
        rest = [(values[n] * WORD - w) * WORD for n, w in zip(below_one, places, strict=True)]
        digits = [int(r.floor().unique_fmpz()) for r in rest]
    inner = [(n, w) for n, w in zip(below_one, places, strict=True) if 0 < w < WORD - 1]
    for step, shown in ((-1, True), (1, False)):
        source = Scripted([w + step for _, w in inner])
        counts = np.array([n for n, _ in inner])
        release = select_partitions(PlainScores(counts), epsilon, delta, source, groups=groups)
        assert release.candidates == (tuple(range(len(inner))) if shown else ())
    for i, (n, word) in enumerate(zip(below_one, places, strict=True)):
        for later, shown in ((max(digits[i] - 1, 0), True), (min(digits[i] + 1, WORD - 1), False)):
            source = Scripted([word, later])
            found = select_partitions(PlainScores(np.array([n])), epsilon, delta, source, groups=groups)
            assert found.candidates == ((0,) if shown else ())
            assert source.left == 0


@every_case
def test_every_word_is_decided_as_the_real_number_would_be(
    epsilon: Fraction, delta: Fraction, groups: int
) -> None:
    check_words(epsilon, delta, groups)


def test_keys_with_many_units_always_show_and_keys_with_none_never() -> None:
    counts = np.array([10**12, 0, 10**9, 0])
    for words in ([WORD - 1] * 4, [0] * 4):
        source = Continued(words, Seeded("more"))
        release = select_partitions(PlainScores(counts), Fraction(1), Fraction(1, 10**6), source, groups=1)
        assert release.candidates == (0, 2)


# Frequencies


@pytest.mark.parametrize("counts", [(3, 5, 8)])
def test_frequencies_follow_the_exact_law(counts: Sequence[int]) -> None:
    """n = 3000 of three keys together; alpha 1e-3, and 1e-9 for one unit more or less."""
    epsilon, delta = Fraction(1), Fraction(1, 50)
    entropy = Seeded("partitions")
    observed = Counter(
        select_partitions(PlainScores(np.array(counts)), epsilon, delta, entropy, groups=2).candidates
        for _ in range(3000)
    )
    values = oracle.curve(Fraction(math.exp(epsilon / 2)), delta / 2, 20)

    def law(shift: int) -> dict[tuple[int, ...], float]:
        chances = [float(values[n + shift]) for n in counts]
        sets = [tuple(i for i in range(3) if mask >> i & 1) for mask in range(8)]
        return {s: math.prod(c if i in s else 1 - c for i, c in enumerate(chances)) for s in sets}

    assert_frequencies(observed, law(0))
    for shift in (-1, 1):
        assert log_p_value(observed, law(shift)) < REJECT


def test_a_key_of_one_unit_shows_with_delta() -> None:
    """n = 20000 keys of count 1 with delta 0.3 for three groups: a tenth of them shows."""
    counts = np.ones(20_000, dtype=np.int64)
    shown = len(
        select_partitions(
            PlainScores(counts), Fraction(1), Fraction(3, 10), Seeded("one"), groups=3
        ).candidates
    )
    assert_frequencies(Counter({True: shown, False: 20_000 - shown}), {True: 0.1, False: 0.9})


# For planners


@every_case
def test_shown_from_is_the_least_number_of_units(epsilon: Fraction, delta: Fraction, groups: int) -> None:
    for probability in (Fraction(1, 100), Fraction(1, 2), Fraction(19, 20)):
        found = shown_from(epsilon, delta, groups=groups, probability=probability)
        with precise():
            values = recursion(epsilon, delta, groups, found)
            assert values[found] > ball(probability)
            assert found == 1 or values[found - 1] < ball(probability)


def test_fewer_units_are_needed_than_with_noisy_counts() -> None:
    for epsilon, delta, groups in CASES[:4]:
        noisy = threshold(epsilon, delta, groups)  # shown with probability 1/2 or a little more
        assert shown_from(epsilon, delta, groups=groups, probability=Fraction(1, 2)) <= noisy


# Zero noise, and errors


def test_without_noise_the_keys_that_are_likely_show() -> None:
    counts = np.array([3, 1000, 400, 1, 14, 13])
    release = select_partitions(PlainScores(counts), Fraction(1), Fraction(1, 10**6), Quiet(HALF), groups=1)
    assert release.candidates == (1, 2, 4)
    assert (
        select_partitions(
            PlainScores(counts[:0]), Fraction(1), Fraction(1, 2), Scripted(), groups=1
        ).candidates
        == ()
    )


@pytest.mark.parametrize(("delta", "groups"), [(Fraction(0), 1), (Fraction(-1), 1)])
def test_delta_is_needed_before_any_draw(delta: Fraction, groups: int) -> None:
    with pytest.raises(ParameterError) as caught:
        select_partitions(PlainScores(np.array([3])), Fraction(1), delta, Scripted(), groups=groups)
    assert str(caught.value) == (
        "keys from private rows need a delta\nDETAIL: Nothing was charged.\nHINT: SET dp_delta = 1e-6."
    )


@pytest.mark.parametrize(("delta", "groups"), [(Fraction(1), 1), (Fraction(1, 2), 0)])
def test_parameters_out_of_range_are_refused(delta: Fraction, groups: int) -> None:
    with pytest.raises(ParameterError, match="a delta below 1 and at least one group"):
        select_partitions(PlainScores(np.array([3])), Fraction(1), delta, Scripted(), groups=groups)
