"""The privacy loss of a summary with Gaussian noise, by the score SQL and what is measured of its tables."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpduck
from dpduck.answers.summary_preparation import prepared_summary
from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import GaussianNoise
from dpduck.kernel.accounting.gaussian import delta_of_gaussian
from dpduck.kernel.errors import InternalError
from dpduck.summaries import design as designs_of
from dpduck.summaries import release, strategies
from dpduck.summaries.design import Design
from dpduck.summaries.release import noised, noisy_tables, tables_of
from dpduck.summaries.residuals import Columns
from dpduck.summaries.strategies import Strategy, measured
from tests.depth import depth, one_in
from tests.mechanisms.mutation import Mutant
from tests.sources import HALF, Quiet, Seeded
from tests.summaries.conftest import POLICIES
from tests.summaries.test_release import (
    STATEMENT,
    design_of,
    filled,
    observed,
    place,
    test_the_rows_that_count_are_those_of_every_summary,
    visits,
)

__all__ = ["place"]

EVEN = f"{STATEMENT} DELTA 1e-6 NOISE gaussian"
FITTED = """CREATE PRIVACY SUMMARY v ON visits (page, month) WORKLOAD (ALL 2 WAY,
    'SELECT page, count(*) FROM visits WHERE month < 4 GROUP BY page',
    'SELECT count(*) FROM visits WHERE month >= 9 AND page <> ''cart''') WEIGHT (1, 20, 20)
    CONTRIBUTION (rows = 3) EPSILON 1 DELTA 1e-6 NOISE gaussian"""
BOUNDED = "ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 3)"
both = pytest.mark.parametrize("statement", [EVEN, FITTED], ids=["even", "fitted"])


@pytest.fixture
def bounded(place: Path) -> Path:
    with dpduck.connect(place) as db:
        db.execute(BOUNDED)
    return place


def exact(path: Path, statement: str) -> tuple[Design, dict[Columns, np.ndarray]]:
    """A design, and what it measures without noise, through the score SQL."""
    with dpduck.connect(path) as db:
        design, salt = design_of(db, statement)
        with db._service._open() as reader:
            [tables] = tables_of(reader.read(design.scores(salt)), design)
    return design, {part: measured(tables[part], part, design.strategies) for part in design.tables}


def loss(design: Design, one: dict[Columns, np.ndarray], other: dict[Columns, np.ndarray]) -> Fraction:
    """mu^2 between two databases, exactly: squared moves by the variance of the noise that is drawn."""
    return sum(
        (int(((one[part] - other[part]) ** 2).sum()) / design.normal[part].own for part in design.tables),
        Fraction(0),
    )


def losses(path: Path, statement: str) -> Iterator[tuple[Design, Fraction]]:
    """Of removing each unit of random tables, and one whose rows are all in one cell."""
    for seed in range(depth(12, 3)):
        whole = visits(random.Random(seed), 4)
        whole += [(9, "help", 12, nr) for nr in range(5)] + [(8, "home", 1, nr) for nr in range(5)]
        filled(path, whole)
        design, with_all = exact(path, statement)
        for unit in sorted({row[0] for row in whole}):
            filled(path, [row for row in whole if row[0] != unit])
            yield design, loss(design, with_all, exact(path, statement)[1])


def check_losses(path: Path, statement: str) -> None:
    worst = Fraction(0)
    for design, found in losses(path, statement):
        event = design.event
        assert isinstance(event, GaussianNoise)
        assert found <= event.mu_squared
        worst = max(worst, found)
    assert delta_of_gaussian(event.mu_squared, event.epsilon) <= event.delta
    assert worst > event.mu_squared * (Fraction(1, 2) if design.strategies else Fraction(999, 1000))


@both
def test_no_unit_costs_more_than_is_charged(bounded: Path, statement: str) -> None:
    """And what is charged is reached, where noise is even: by a unit with all its rows in one cell."""
    assert bool(exact(bounded, statement)[0].strategies) == (statement == FITTED)
    check_losses(bounded, statement)


MUTANTS = [
    ("the root of m", Design.normal, "self.bound**2", "self.bound"),
    ("a row moves a cell by 1", Design.normal, "length_of(part, self.sizes, self.strategies)", "1"),
    ("the shortest column", Strategy.length, ".max()", ".min()"),
    ("even noise of the wrong length", strategies.length_of, "size * (size - 1)", "(size - 1)"),
    ("the residual of the table is not divided", strategies.measured, "* counts.shape[axis]", "* 1000"),
    ("twice mu squared", designs_of._with_gaussian, "plan.shares, mu_squared", "plan.shares, 2 * mu_squared"),
]


@pytest.mark.parametrize("mutant", one_in(2, MUTANTS), ids=lambda mutant: mutant[0])
def test_too_little_noise_is_caught(
    bounded: Path, mutant: tuple[str, Any, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Mutant(*mutant, check=lambda: None).install(monkeypatch)
    with pytest.raises((AssertionError, InternalError)):
        for statement in (EVEN, FITTED):
            check_losses(bounded, statement)


def test_a_matrix_that_leaves_a_residual_out_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the check of its rank, a pseudo-inverse would give what is not measured no variance."""
    Mutant("no rank", Strategy.__post_init__, "size > 1 and ", "False and ", lambda: None).install(
        monkeypatch
    )
    flat = Strategy(np.array([[1, -1, 0], [-1, 1, 0], [0, 0, 0]]))
    assert np.linalg.matrix_rank(flat.shape) < 2


def test_a_salt_of_its_own_is_caught(bounded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two summaries would show different rows of one unit."""
    test_the_rows_that_count_are_those_of_every_summary(bounded)
    Mutant(
        "a salt of its own",
        prepared_summary,
        "version, catalog.salt,",
        "version, len(create.text),",
        lambda: None,
    ).install(monkeypatch)
    with pytest.raises(AssertionError):
        test_the_rows_that_count_are_those_of_every_summary(bounded)


@both
def test_noise_has_the_variance_of_its_share_and_the_rows_of_a_unit(bounded: Path, statement: str) -> None:
    design, numbers = exact(bounded, statement)
    empty = {part: np.zeros([design.sizes[i] for i in part], dtype=np.int64) for part in design.tables}
    squares: dict[Columns, list[float]] = {part: [] for part in design.tables}
    entropy = Seeded("normal noise of summaries", statement)
    for _ in range(2000):
        for part, noise in noised(empty, design, entropy).items():
            squares[part].append(float((noise.astype(float) ** 2).mean()))
    for part, found in squares.items():
        variance = float(design.normal[part].own)
        assert np.mean(found) == pytest.approx(variance, rel=0.15), part
        assert np.mean(found) / 1.3 != pytest.approx(variance, rel=0.15)
    assert all(not cells.any() for cells in numbers.values())


@both
def test_the_event_is_one_gaussian_mechanism(bounded: Path, statement: str) -> None:
    with dpduck.connect(bounded) as db:
        design, _ = design_of(db, statement)
    event = design.event
    assert isinstance(event, GaussianNoise)
    assert (event.epsilon, event.delta) == (1, Fraction(1, 10**6))
    assert event.mu_squared == sum(design.shares.values())
    assert cost_of(event).rho == pytest.approx(float(event.mu_squared) / 2)
    assert float(event.mu_squared) == pytest.approx(0.236704**2, rel=1e-5)


@both
def test_neighbours_are_told_apart_by_released_numbers_alone(tmp_path: Path, statement: str) -> None:
    whole = visits(random.Random(5), 5)
    seen = []
    for name, kept in [("all", whole), *((f"{u}", [row for row in whole if row[0] != u]) for u in (1, 2))]:
        path = tmp_path / f"without {name}.duckdb"
        filled(path, kept)
        with dpduck.connect(path) as db:
            db.execute(";".join(POLICIES.split(";")[5:]))
            db.execute("ALTER TABLE visits SET PRIVACY VERSION '1'")
            db.execute(BOUNDED)
        seen.append(observed(path, statement))
    assert seen[1] == seen[0] == seen[2]


def test_what_is_released_does_not_follow_the_order_of_scores(bounded: Path) -> None:
    filled(bounded, visits(random.Random(1), 6))
    with dpduck.connect(bounded) as db:
        design, salt = design_of(db, FITTED)
        with db._service._open() as reader:
            scores = reader.read(design.scores(salt))
    turned = scores.take(list(range(scores.num_rows - 1, -1, -1)))
    one, other = (noisy_tables(each, design, Quiet(HALF))[0] for each in (scores, turned))
    assert all((one[part] == other[part]).all() for part in design.tables)
    assert release.noised is noised
