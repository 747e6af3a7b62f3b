"""The most likely counts: they fit what was released, are never below 0, and beat clipped numbers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dpduck.summaries.joint import _Dual, most_likely, whole
from dpduck.summaries.residuals import (
    Columns,
    Floats,
    centred,
    combined,
    residual_variances,
    subsets,
    summed_out,
    table_of,
)

SIZES = (5, 4, 3)
EVERY = (0, 1, 2)
PAIRS = [(0, 1), (0, 2), (1, 2)]


def population(seed: int) -> Floats:
    """Few of many cells are in use, and columns depend on each other."""
    draw = np.random.default_rng(seed)
    shares = sum(
        np.einsum("a,b,c->abc", *[draw.dirichlet(np.full(size, 0.25)) for size in SIZES]) for _ in range(4)
    )
    counts: Floats = draw.multinomial(800, (shares / shares.sum()).reshape(-1)).reshape(SIZES).astype(float)
    return counts


def released(
    counts: Floats, tables: list[Columns], sd: float, seed: int
) -> tuple[dict[Columns, Floats], dict[Columns, float]]:
    """Residuals of noisy tables, and their variances."""
    draw = np.random.default_rng(seed)
    noisy = {}
    for table in tables:
        exact = summed_out(counts, EVERY, table)
        noisy[table] = exact + draw.normal(0, sd, exact.shape)
    variances = dict.fromkeys(tables, sd**2)
    return combined(noisy, variances, SIZES), residual_variances(variances, SIZES)


def test_without_noise_it_has_the_released_margins() -> None:
    counts = population(1)
    residuals, variances = released(counts, PAIRS, 1e-3, 2)
    found = most_likely(residuals, variances, SIZES)
    for table in PAIRS:
        own = summed_out(found, EVERY, table) - summed_out(counts, EVERY, table)
        assert np.abs(own).max() < 0.5, table


def test_it_is_never_below_0_and_keeps_the_total() -> None:
    for seed in range(5):
        residuals, variances = released(population(seed), PAIRS, 30, seed)
        assert table_of(residuals, (0, 1), SIZES).min() < 0
        found = most_likely(residuals, variances, SIZES)
        assert found.min() >= 0
        assert found.sum() == pytest.approx(np.rint(residuals[()]), abs=1e-6)


def test_it_is_as_exact_as_raw_margins_and_better_in_cells() -> None:
    raw, fitted = {1: 0.0, 2: 0.0}, {1: 0.0, 2: 0.0}
    for seed in range(20):
        counts = population(seed)
        residuals, variances = released(counts, PAIRS, 20, 100 + seed)
        found = most_likely(residuals, variances, SIZES)
        for size in raw:
            for table in itertools.combinations(EVERY, size):
                true = summed_out(counts, EVERY, table)
                raw[size] += float(((table_of(residuals, table, SIZES) - true) ** 2).mean())
                fitted[size] += float(((summed_out(found, EVERY, table) - true) ** 2).mean())
    assert fitted[1] < 1.1**2 * raw[1]
    assert fitted[2] < raw[2]


@pytest.mark.slow
def test_sums_of_it_are_not_shifted_as_those_of_clipped_numbers_are() -> None:
    """Trap 1: clipped at 0, the cells of a group add up to far too many."""
    shifted, clipped = [], []
    for seed in range(20):
        counts = population(seed)
        residuals, variances = released(counts, [EVERY], 20, 200 + seed)
        found = most_likely(residuals, variances, SIZES)
        true = summed_out(counts, EVERY, (0,))
        shifted.append(float((summed_out(found, EVERY, (0,)) - true).mean()))
        clip = np.maximum(table_of(residuals, EVERY, SIZES), 0).sum(axis=(1, 2))
        clipped.append(float((clip - true).mean()))
    assert np.mean(clipped) > 30
    assert abs(np.mean(shifted)) < 10


def test_the_gradient_is_that_of_the_dual() -> None:
    """Along what residuals have: in other directions, which no step takes, potentials are the same."""
    residuals, variances = released(population(3), PAIRS, 20, 3)
    draw = np.random.default_rng(0)
    half = draw.normal(size=(5, 5))
    covariances = {(0, 1): {0: centred(half @ half.T)}}
    dual = _Dual(residuals, variances, SIZES, covariances, 5000.0, 0.1, lambda: None)
    parts = sorted((part for part in residuals if part), key=lambda part: (-len(part), part))

    def drawn(part: Columns | None) -> Floats:
        """A direction of one residual, or of all."""
        pieces = []
        for own in parts:
            piece = centred(draw.normal(size=[SIZES[column] for column in own])).reshape(-1)
            pieces.append(piece * (part in (None, own)))
        return np.concatenate(pieces)

    at = drawn(None)
    for part in [*parts, None]:
        along = drawn(part)
        slope = (dual(at + 1e-4 * along)[0] - dual(at - 1e-4 * along)[0]) / 2e-4
        assert slope == pytest.approx(dual(at)[1] @ along, rel=1e-5), part


def test_noise_that_is_not_even_weighs_by_its_covariance() -> None:
    """Of two estimates that disagree, the one that is known better prevails."""
    counts = np.full((2, 4), 250.0)
    residuals = {part: np.zeros([(2, 4)[column] for column in part]) for part in subsets((0, 1))}
    residuals[()] = np.array(counts.sum())
    residuals[(1,)] = np.array([60.0, -60.0, 60.0, -60.0])
    one, other = np.array([1.0, -1, 0, 0]), np.array([0, 0, 1.0, -1])
    rest = np.eye(4) - 0.25
    sure = rest - 0.45 * np.outer(one, one)  # the difference of the first two is known ten times as well
    found = most_likely(residuals, dict.fromkeys(residuals, 900.0), (2, 4), {(1,): {1: sure}})
    totals = found.sum(axis=0)
    assert totals[0] - totals[1] > totals[2] - totals[3]
    assert other @ sure @ other > 5 * one @ sure @ one


def test_nobody_is_no_rows() -> None:
    residuals = {part: np.zeros([SIZES[column] for column in part]) for part in subsets(EVERY)}
    residuals[()] = np.array(-12.0)
    found = most_likely(residuals, dict.fromkeys(residuals, 9.0), SIZES)
    assert found.sum() == 0


def test_it_can_be_stopped() -> None:
    residuals, variances = released(population(1), PAIRS, 20, 1)

    def stop() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        most_likely(residuals, variances, SIZES, check=stop)


@pytest.mark.parametrize("start", [0.0, 0.25, 0.5, 0.999])
def test_whole_numbers_are_near(start: float) -> None:
    draw = np.random.default_rng(4)
    for sizes in [(40,), (7, 6), (5, 4, 3), (6, 1, 9)]:
        counts = draw.gamma(0.3, 3.0, sizes)
        counts *= np.rint(counts.sum()) / counts.sum()
        found = whole(counts, start)
        assert found.min() >= 0
        assert found.sum() == np.rint(counts.sum())
        assert np.abs(found - counts).max() < 1 + 1e-9
        if len(sizes) == 3:
            for axis in range(3):
                rest = tuple(other for other in range(3) if other != axis)
                assert np.abs((found - counts).sum(axis=rest)).max() < 1.5
