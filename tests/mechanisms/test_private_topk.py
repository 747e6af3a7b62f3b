"""Top-k over private keys: Theorem C's release and law, its bottom, and the counts above it."""

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms import private_topk
from dpduck.kernel.mechanisms.private_topk import KEYS_READ, bottom, private_top_k
from dpduck.kernel.scores import PlainScores
from tests.mechanisms.checks import check_bottom, check_private_counts, check_private_top_k, rational
from tests.noise.laws import REJECT, assert_frequencies
from tests.oracles import unknown
from tests.oracles.fit import log_p_value
from tests.sources import Quiet, Scripted, Seeded

EPSILONS = (Fraction(1, 10_000), Fraction(1, 100), Fraction(1), Fraction(20))
DELTAS = (Fraction(1, 10**18), Fraction(1, 10**6), Fraction(1, 3), Fraction(1, 2), Fraction(99, 100))


def read_only(monkeypatch: pytest.MonkeyPatch, keys: int) -> None:
    """Let `keys` + k keys be read, so that small data reach the cut."""
    monkeypatch.setattr(private_topk, "KEYS_READ", keys)


# Every noise vector


@pytest.mark.parametrize(
    ("counts", "k", "extra"),
    [
        ((2, 1, 1), 1, 0),
        ((2, 1, 1), 1, 1),
        ((2, 1, 1), 1, 2),
        ((2, 2, 5, 4), 1, 1),
        ((5, 5), 1, 0),
        ((3, 1, 3), 2, 0),
        ((3, 1, 2, 4), 2, 1),
        ((1,), 2, 1),
        ((), 1, 0),
    ],
)
def test_it_is_theorem_c_when_a_unit_has_any_number_of_keys(
    monkeypatch: pytest.MonkeyPatch, counts: Sequence[int], k: int, extra: int
) -> None:
    """Read are the k + `extra` largest; the bottom stands above the next count."""
    read_only(monkeypatch, extra)
    check_private_top_k(counts, k, groups=None)


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize(("counts", "k"), [((2, 1, 1), 1), ((2, 3, 1), 2), ((4, 4), 3), ((), 2)])
def test_it_is_theorem_c_when_units_have_few_keys(counts: Sequence[int], k: int, groups: int) -> None:
    check_private_top_k(counts, k, groups=groups)


@pytest.mark.parametrize("groups", [1, 2, None])
def test_counts_are_measured_for_as_many_as_there_are(groups: int | None) -> None:
    check_private_counts(groups=groups)


# Frequencies


@pytest.mark.parametrize(("counts", "k", "groups"), [((4, 3, 1), 1, None), ((3, 2), 2, 1)])
@pytest.mark.slow
def test_frequencies_follow_the_exact_law(
    monkeypatch: pytest.MonkeyPatch, counts: Sequence[int], k: int, groups: int | None
) -> None:
    """n = 3000 against bottom_probability; alpha 1e-3, and 1e-9 for a bottom that is one too low."""
    read_only(monkeypatch, 1)
    rate, delta, cap = Fraction(1), Fraction(1, 10), 3
    read = k + 1 if groups is None else len(counts)
    keyed = dict(enumerate(counts))
    (chosen,) = unknown.top_sets(keyed, read)
    level = unknown.cut(keyed, read) + bottom(rate * k, delta, k, groups)
    observed: Counter[object] = Counter()
    entropy = Seeded("private", counts, k)
    for _ in range(3000):
        release = private_top_k(
            PlainScores(np.array(counts)), k, rate * k, delta, entropy, groups=groups, measure=False
        )
        gaps = tuple(int(gap - 0.5) for gap in release.gaps)
        observed[(release.candidates, gaps) if max(gaps, default=0) < cap else None] += 1
    assert_frequencies(observed, bottom_law(chosen, level, k, rational(rate), cap))
    assert log_p_value(observed, bottom_law(chosen, level - 1, k, rational(rate), cap)) < REJECT


def bottom_law(chosen: dict[int, int], level: int, k: int, p: Fraction, cap: int) -> dict[object, float]:
    outputs = [w for w, _ in unknown.bottom_outputs(sorted(chosen), k, cap - 1, p)]
    law: dict[object, float] = {w: float(unknown.bottom_probability(w, chosen, level, k, p)) for w in outputs}
    return {**law, None: 1 - sum(law.values())}


def test_a_key_of_one_unit_shows_as_rarely_as_the_theorem_says() -> None:
    """n = 4000: 20 keys of count 1, one unit; anything shows with the exact delta of Theorem C, no more."""
    keys, rate, delta = 20, Fraction(1, 2), Fraction(1, 5)
    counts, entropy = np.ones(keys, dtype=np.int64), Seeded("rare keys")
    shown = Counter(
        bool(
            private_top_k(PlainScores(counts), 1, rate, delta, entropy, groups=keys, measure=False).candidates
        )
        for _ in range(4000)
    )
    exact = float(unknown.bottom_delta(rational(rate), bottom(rate, delta, 1, keys), keys))
    assert exact <= delta
    assert_frequencies(shown, {True: exact, False: 1 - exact})


# The bottom


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(("k", "groups"), [(1, None), (10_000, None), (1, 1), (7, 3)])
def test_the_bottom_keeps_delta_and_wastes_nothing(
    epsilon: Fraction, delta: Fraction, k: int, groups: int | None
) -> None:
    check_bottom(epsilon, delta, k, groups)


def test_rounding_never_lowers_the_bottom() -> None:
    """Delta a hair below what some bottom gives, where a double cannot tell: the next one is needed."""
    for epsilon, low in ((Fraction(1, 10), 4), (Fraction(1, 3), 1), (Fraction(3), 2)):
        nearest = Fraction(math.exp(-epsilon * (low - 1)) / 2)
        for offset in range(-4, 5):
            check_bottom(epsilon, nearest + offset * Fraction(1, 10**18), 1, 1)


@pytest.mark.parametrize("strangers", [1, 3, 50])
def test_the_exact_delta_is_at_most_the_one_asked(strangers: int) -> None:
    for epsilon, k in ((Fraction(1), 1), (Fraction(4), 3)):
        tau = bottom(epsilon, Fraction(1, 1000), k, strangers)
        assert unknown.bottom_delta(rational(epsilon / k), tau, strangers) <= Fraction(1, 1000)


# What is read


def test_the_bottom_stands_above_the_first_count_that_is_not_read() -> None:
    """10,001 keys are read for k = 1; with all counts equal to c, the bottom is c + tau, out of reach."""
    counts = np.full(KEYS_READ + 2, 10**6)
    release = private_top_k(
        PlainScores(counts), 1, Fraction(1), Fraction(1, 10**6), Quiet(), groups=None, measure=False
    )
    assert release.candidates == ()
    released = private_top_k(
        PlainScores(counts[:-1]), 1, Fraction(1), Fraction(1, 10**6), Quiet(), groups=None, measure=False
    )
    assert len(released.candidates) == 1


def test_without_noise_the_keys_well_above_the_bottom_show() -> None:
    counts = np.array([3, 1000, 400, 1, 700])
    release = private_top_k(
        PlainScores(counts), 4, Fraction(20), Fraction(1, 10**6), Quiet(), groups=1, measure=False
    )
    assert release.candidates == (1, 4, 2)
    tau = bottom(Fraction(20), Fraction(1, 10**6), 4, 1)
    # The bottom has the latest word, and so a little more of the noise that is about 0.
    assert release.gaps == (300.5, 300.5, 400 - tau - 1 + 0.5)
    assert release.found.counts == ()


# Counts


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [Fraction(1, 1000), Fraction(1), Fraction(20)])
@pytest.mark.parametrize("winners", [1, 3])
def test_intervals_hold_95_times_in_100(epsilon: Fraction, winners: int) -> None:
    """n = 800 for k = 3 with one or three keys far above the bottom: 95 % within four standard errors."""
    base, entropy = int(500 / epsilon) + 100, Seeded("coverage", epsilon, winners)
    counts = np.array([base * (9 + i) for i in range(winners)] + [1, 1])
    held = []
    for _ in range(800):
        release = private_top_k(
            PlainScores(counts), 3, epsilon, Fraction(1, 10**6), entropy, groups=1, measure=True
        )
        assert release.candidates == tuple(range(winners))[::-1]
        ends = zip(release.found.lows, release.found.highs, release.candidates, strict=True)
        held.append([low <= counts[i] <= high for low, high, i in ends])  # type: ignore[operator]
    inside = np.array(held)
    assert (inside.mean(axis=0) > 0.95 - 4 * math.sqrt(0.95 * 0.05 / 800)).all()
    assert inside.mean() < 0.98 or epsilon > 10


# Errors


@pytest.mark.parametrize("k", [0, -3, 10_001])
def test_k_is_checked_before_any_draw(k: int) -> None:
    with pytest.raises(ParameterError) as caught:
        private_top_k(
            PlainScores(np.array([3])), k, Fraction(1), Fraction(1, 10), Scripted(), groups=1, measure=False
        )
    assert str(caught.value) == (
        f"k is {k}\nDETAIL: k must be a whole number from 1 to 10000. Nothing was charged."
    )


@pytest.mark.parametrize("measure", [False, True])
def test_delta_is_needed_before_any_draw(*, measure: bool) -> None:
    with pytest.raises(ParameterError) as caught:
        private_top_k(
            PlainScores(np.array([3])), 1, Fraction(1), Fraction(0), Scripted(), groups=None, measure=measure
        )
    assert str(caught.value) == (
        "keys from private rows need a delta\nDETAIL: Nothing was charged.\nHINT: SET dp_delta = 1e-6."
    )
