"""Sparse vector over keys from private rows: what one unit alone makes stays hidden but with delta."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.accounting.events import PrivateSparseVector
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms import above_found
from dpduck.kernel.mechanisms.above_found import above_of_found, min_threshold
from dpduck.kernel.mechanisms.private_topk import KEYS_READ
from dpduck.kernel.mechanisms.sparse_vector import Above, EpsilonSplit, divide
from dpduck.kernel.noise import Entropy
from tests.sources import Scripted, Seeded

PRICES = [
    (Fraction(epsilon), Fraction(delta), k)
    for epsilon, delta, k in itertools.product(
        ("0.01", "0.5", "1", "20"), ("1e-9", "1e-6", "0.01"), (1, 3, 100)
    )
]


def tail(rate: float, least: int) -> float:
    """P(discrete Laplace noise >= least)."""
    odds = math.exp(-rate)
    return odds**least / (1 + odds) if least > 0 else 1 - odds ** (1 - least) / (1 + odds)


def passes(budget: EpsilonSplit, distance: int, noise: int) -> float:
    """The chance that one key so far below the threshold passes, given the threshold's noise."""
    clear = tail(float(budget.rate(clear=True)), distance + budget.margin + noise)
    near = tail(float(budget.rate(clear=False)), distance + noise)
    return clear + near - clear * near


def named(epsilon: Fraction, delta: Fraction, k: int, threshold: int) -> float:
    """The chance that any of all the strangers there may be passes: exact up to floats and 1e-15."""
    budget, strangers = divide(epsilon, k, adaptive=True), 2 * (KEYS_READ + k)
    rate = float(budget.threshold)
    reach, odds = math.ceil(45 / rate), math.exp(-rate)
    step = max(reach // 2000, 1)  # a coarser sum, from above: noise falls to the next point below
    total = 0.0
    for noise in range(-reach, reach, step):
        weight = tail(rate, noise) - tail(rate, noise + step)
        total += weight * -math.expm1(
            strangers * math.log1p(-min(passes(budget, threshold - 1, noise), 1 - 1e-16))
        )
    return total + odds**reach


@pytest.mark.parametrize(("epsilon", "delta", "k"), PRICES)
def test_strangers_pass_with_probability_delta_at_most(epsilon: Fraction, delta: Fraction, k: int) -> None:
    tau = min_threshold(epsilon, delta, k)
    assert named(epsilon, delta, k, tau) <= delta
    assert named(epsilon, delta, k, tau * 2 // 3) > delta  # and the threshold is not far too high


@pytest.mark.parametrize("seed", range(300))
def test_neighbours_differ_as_the_proof_says(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores of keys that both read move by 0 or 1 in one direction; the others lie tau - 1 below."""
    monkeypatch.setattr(above_found, "KEYS_READ", 2)
    dice = np.random.default_rng(seed)
    epsilon, delta, k, threshold = Fraction(20), Fraction(1, 100), 1, int(dice.integers(-5, 40))
    counts = dice.integers(0, 12, size=dice.integers(0, 9))
    more = counts + dice.integers(0, 2, size=len(counts))
    seen = [looked_at(c, threshold, k, epsilon, delta, monkeypatch) for c in (counts, more)]
    bar = max(threshold, min_threshold(epsilon, delta, k))
    assert [one[1] for one in seen] == [bar, bar]
    (before, _), (after, _) = seen
    moves = {after[key] - before[key] for key in before.keys() & after.keys()}
    assert moves <= {0, 1} or moves <= {0, -1}
    tau = min_threshold(epsilon, delta, k)
    # A key that only one of them reads lies below in that one.
    for scores, other in ((before, after), (after, before)):
        assert all(bar - scores[key] >= tau - 1 for key in scores.keys() - other.keys())


def looked_at(
    counts: np.ndarray, threshold: int, k: int, epsilon: Fraction, delta: Fraction, patch: pytest.MonkeyPatch
) -> tuple[dict[int, int], int]:
    """The scores that sparse vector is given, by the key's number, and its threshold."""
    given: list[tuple[np.ndarray, int]] = []
    whole = above_found.above_threshold

    def spy(scores: np.ndarray, bar: int, k: int, epsilon: Fraction, entropy: Entropy) -> Above:
        given.append((scores, bar))
        return whole(scores, bar, k, epsilon, entropy)

    present = np.flatnonzero(counts)
    read, _ = above_found._largest(counts[present], above_found.KEYS_READ + k)
    with patch.context() as context:
        context.setattr(above_found, "above_threshold", spy)
        above_of_found(counts[present], threshold, k, epsilon, delta, Seeded("looked at"))
    [(scores, bar)] = given
    return dict(zip(present[read].tolist(), scores.tolist(), strict=True)), bar


def test_keys_are_found_in_their_order_by_their_numbers() -> None:
    counts = np.array([9000, 1, 7000, 3, 8000])
    found = above_of_found(counts, 500, 3, Fraction(2), Fraction(1, 10**6), Seeded("in order"))
    assert found.candidates == (0, 2, 4)
    assert all(abs(e - counts[i]) < 200 for e, i in zip(found.estimates, found.candidates, strict=True))
    assert found.event == PrivateSparseVector(Fraction(2), Fraction(1, 10**6), k=3)
    assert found.used.epsilon < 2
    assert found.used.delta == found.event.delta


def test_of_more_keys_than_are_read_the_largest_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(above_found, "KEYS_READ", 1)
    counts = np.array([5, 9000, 4, 5, 7000, 6])
    found = above_of_found(counts, 500, 1, Fraction(2), Fraction(1, 10**6), Seeded("more"))
    assert found.candidates == (1,)


@pytest.mark.parametrize(
    ("threshold", "k", "delta"),
    [(5, 0, "1e-6"), (5, 10_001, "1e-6"), (5, 1, "0"), (5, 1, "1"), (2**61 + 1, 1, "1e-6")],
)
def test_bad_input_is_refused_before_any_draw(threshold: int, k: int, delta: str) -> None:
    with pytest.raises(ParameterError):
        above_of_found(np.array([9]), threshold, k, Fraction(1), Fraction(delta), Scripted())
