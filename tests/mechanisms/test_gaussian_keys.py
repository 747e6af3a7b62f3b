"""Keys of private rows with Gaussian counts: the threshold, the exact delta of small cases, what is shown."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from flint import arb

from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import GaussianKeys
from dpduck.kernel.accounting.gaussian import delta_of_gaussian, most_mu_squared
from dpduck.kernel.errors import InternalError, ParameterError
from dpduck.kernel.mechanisms.additive import threshold
from dpduck.kernel.mechanisms.gaussian_keys import gaussian_key_counts, gaussian_threshold
from dpduck.kernel.scores import PlainScores
from tests.oracles.normal import ball, below, rounded_gaussian
from tests.oracles.selection import precision
from tests.sources import HALF, Quiet, Scripted, Seeded

ONE, MILLIONTH, FIFTIETH = Fraction(1), Fraction(1, 10**6), Fraction(1, 50)


@pytest.mark.parametrize(
    ("groups", "gaussian", "laplace"),
    [(1, 23, 15), (4, 47, 60), (16, 96, 256), (64, 199, 1108), (256, 413, 4781)],
)
def test_the_threshold_is_that_of_the_table(groups: int, gaussian: int, laplace: int) -> None:
    assert gaussian_threshold(ONE, MILLIONTH, groups).least == gaussian
    assert threshold(ONE, MILLIONTH, groups) == laplace


@pytest.mark.parametrize("groups", [1, 2, 7, 1000])
@pytest.mark.parametrize("delta", [FIFTIETH, MILLIONTH, Fraction(1, 10**15)])
def test_a_key_of_one_unit_is_shown_rarely_enough_and_no_higher_threshold_is_needed(
    groups: int, delta: Fraction
) -> None:
    found = gaussian_threshold(ONE, delta, groups)
    with precision(200):
        sd = ball(found.variances.own).sqrt()
        shown, next_lower = (below(-(arb(found.least - 1 - lower) - 0.5) / sd) for lower in (0, 1))
        assert shown * groups <= ball(delta / 2)
        assert next_lower * groups > ball(delta / 2)


def shown_law(count: int, groups: int, delta: Fraction, reach: int = 60) -> dict[int | None, arb]:
    """The exact law of one key: its noisy count from the threshold on, or None if it is hidden."""
    found = gaussian_threshold(ONE, delta, groups)
    law = rounded_gaussian(found.variances.own)
    shown: dict[int | None, arb] = {k: law(k - count) for k in range(found.least, found.least + reach)}
    shown[None] = 1 - sum(shown.values(), arb(0))
    return shown if count else {None: arb(1)}


def excess(one: dict[int | None, arb], other: dict[int | None, arb], more: tuple[arb, arb]) -> float:
    """The sum of (P - e P')+ where another key is shown with the probabilities `more` in P and P'.

    What it shows as is never likelier by more than that, so the event that it is shown counts as a whole.
    """
    e, total = arb(1).exp(), arb(0)
    for first, second in ((more[0], more[1]), (1 - more[0], 1 - more[1])):
        for key in {*one, *other}:
            left = one.get(key, arb(0)) * first - e * other.get(key, arb(0)) * second
            total += left if left > 0 else 0
    return float(total)


@pytest.mark.parametrize("count", [0, 1, 3, 6, 12, 20])
@pytest.mark.parametrize("groups", [1, 2])
def test_the_exact_delta_is_at_most_the_claim(count: int, groups: int) -> None:
    """One unit more in a key of `count` units; with two groups it also has a key of its own."""
    with precision(120):
        before, after = shown_law(count, groups, FIFTIETH), shown_law(count + 1, groups, FIFTIETH)
        own = 1 - shown_law(1, groups, FIFTIETH)[None] if groups == 2 else arb(0)
        needed = max(excess(before, after, (arb(0), own)), excess(after, before, (own, arb(0))))
    assert needed <= float(FIFTIETH)


def test_the_claim_is_hardly_too_large() -> None:
    """Half of delta is needed by keys of one unit alone, but for whole numbers; and by large counts."""
    with precision(120):
        alone = excess(shown_law(1, 1, FIFTIETH), shown_law(0, 1, FIFTIETH), (arb(0), arb(0)))
        large = excess(shown_law(20, 1, FIFTIETH), shown_law(19, 1, FIFTIETH), (arb(0), arb(0)))
    assert float(FIFTIETH) / 5 < alone <= float(FIFTIETH) / 2
    assert float(FIFTIETH) / 5 < large <= float(FIFTIETH) / 2


def test_quiet_noise_shows_the_counts_from_the_threshold_on() -> None:
    counts = PlainScores(np.array([96, 95, 1, 500]))
    found = gaussian_key_counts(counts, ONE, MILLIONTH, Quiet(HALF), groups=16)
    assert (found.candidates, found.counts, found.threshold) == ((0, 3), (96, 500), 96)
    mu_squared = most_mu_squared(ONE, MILLIONTH / 2)
    assert found.event == GaussianKeys(ONE, MILLIONTH, mu_squared)
    assert cost_of(found.event).rho == pytest.approx(float(mu_squared / 2), abs=1e-12)


def test_more_groups_need_a_higher_threshold() -> None:
    leasts = [gaussian_threshold(ONE, MILLIONTH, m).least for m in (1, 2, 5, 10, 100)]
    assert all(one < two for one, two in pairwise(leasts))


def test_without_a_delta_nothing_is_drawn() -> None:
    with pytest.raises(ParameterError, match="need a delta"):
        gaussian_key_counts(PlainScores(np.array([5])), ONE, Fraction(0), Scripted(), groups=1)


def test_noise_with_all_of_delta_has_no_price() -> None:
    """Half of it is that of the keys."""
    most = most_mu_squared(ONE, MILLIONTH)
    assert delta_of_gaussian(most, ONE) > MILLIONTH / 2
    with pytest.raises(InternalError):
        cost_of(GaussianKeys(ONE, MILLIONTH, most))


def test_the_noise_of_what_is_shown_is_that_of_its_variance() -> None:
    counts = PlainScores(np.full(4000, 10_000))
    found = gaussian_key_counts(counts, ONE, MILLIONTH, Seeded("keys"), groups=16)
    assert len(found.counts) == 4000
    noise = np.array(found.counts) - 10_000
    assert np.std(noise) == pytest.approx(
        gaussian_threshold(ONE, MILLIONTH, 16).variances.deviation, rel=0.06
    )
    assert 0.93 < np.mean(np.abs(noise) <= found.half_width) < 0.97
