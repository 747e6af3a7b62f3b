"""Margins of several keys: private by their sensitivity, best by the normal equations, totals that agree."""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import BoundedSums
from dpduck.kernel.errors import InternalError, ParameterError
from dpduck.kernel.mechanisms import margins
from dpduck.kernel.mechanisms.margins import Keys, Margins, Table, least_squares, noisy_cells, rounding_of
from tests.depth import depth
from tests.mechanisms.enumeration import laplace_words
from tests.oracles.noise import discrete_laplace_pmf
from tests.sources import Scripted, Seeded

RUNS = depth(2000, 300, 150)
ONE = Fraction(1)


def subsets(keys: Keys) -> list[Keys]:
    return [part for size in range(len(keys) + 1) for part in itertools.combinations(keys, size)]


def cube(*shape: int) -> Margins:
    return Margins(shape, tuple(subsets(tuple(range(len(shape))))))


def table(numbers: Sequence[object], shape: tuple[int, ...]) -> Table:
    found = np.empty(len(numbers), dtype=object)
    found[:] = numbers
    return found.reshape(shape)


@st.composite
def measured(draw: st.DrawFn) -> Margins:
    shape = tuple(draw(st.lists(st.integers(1, 3), min_size=1, max_size=3)))
    sets = draw(st.lists(st.sampled_from(subsets(tuple(range(len(shape))))), min_size=1, unique=True))
    return Margins(shape, tuple(sets))


@st.composite
def tables(draw: st.DrawFn, shape: tuple[int, ...]) -> Table:
    size = math.prod(shape)
    return table(draw(st.lists(st.integers(-50, 50), min_size=size, max_size=size)), shape)


def design(made: Margins, sets: Sequence[Keys]) -> np.ndarray:
    """The matrix that gives the numbers of some margins from the cells."""
    rows = []
    for place in range(math.prod(made.shape)):
        cells = table([int(place == other) for other in range(math.prod(made.shape))], made.shape)
        rows.append(np.concatenate([made.margin(cells, keys).ravel() for keys in sets]).astype(float))
    return np.array(rows).T


# Privacy


def test_the_margins_move_by_what_is_said() -> None:
    """Every way to change two of six cells by up to 2, up or down: L1 at most 16, one total at most 4."""
    made, worst, largest = cube(2, 3), 0, 0
    for places in itertools.combinations(range(6), 2):
        for moves in itertools.product(range(-2, 3), repeat=2):
            cells = table([dict(zip(places, moves, strict=True)).get(i, 0) for i in range(6)], (2, 3))
            moved = [abs(x) for total in made.totals(cells) for x in total.ravel()]
            worst, largest = max(worst, sum(moved)), max(largest, *moved)
    assert (worst, largest) == (4 * 2 * 2, 2 * 2)


@pytest.mark.parametrize("sets", [((0,), (1,)), ((), (0,), (1,))])
def test_the_release_is_private_by_exact_arithmetic(sets: tuple[Keys, ...]) -> None:
    """Two cells with these margins, every output up to 3: no ratio above e^epsilon = p^-L, and one at it."""
    made, p, worst = Margins((2, 1), sets), Fraction(1, 2), ONE
    for cell in (0, 1):
        moves = [
            x for total in made.totals(table([int(cell == i) for i in (0, 1)], (2, 1))) for x in total.ravel()
        ]
        for xs in itertools.product(range(-3, 4), repeat=len(moves)):
            ratio = ONE
            for x, moved in zip(xs, moves, strict=True):
                ratio *= discrete_laplace_pmf(x, p) / discrete_laplace_pmf(x - moved, p)
            worst = max(worst, ratio, 1 / ratio)
    assert worst == p ** -len(sets)


def check_noisy_cells(bound: int = 2, groups: int = 3) -> None:
    """Noise of rate epsilon / (L groups bound) on each number of each margin, in their order."""
    made, rate = Margins((2, 2), ((0,), (1,))), Fraction(1, 4)
    epsilon = rate * 2 * bound * groups
    source = Scripted(laplace_words([9, -2], rate) + laplace_words([4, -4], rate))
    release = noisy_cells(table([10, 20, 30, 40], (2, 2)), made, epsilon, source, bound=bound, groups=groups)
    rows, columns = (made.margin(release.cells, keys).ravel().tolist() for keys in made.sets)
    # The totals are 107 and 100, so that all agree on 103.5, which is rounded up; lacks are spread evenly.
    assert sum(rows) == sum(columns) == 104
    assert all(abs(a - b) <= 1 for a, b in zip(rows + columns, [37.25, 66.25, 45.75, 57.75], strict=True))
    assert release.event == BoundedSums(epsilon, groups=2)


@pytest.mark.parametrize(("bound", "groups"), [(1, 1), (2, 3), (7, 1)])
def test_each_number_gets_noise_of_the_stated_rate(bound: int, groups: int) -> None:
    check_noisy_cells(bound, groups)


def check_least_squares() -> None:
    """The residuals of all margins, over their variances, add up to 0 over each cell."""
    made, variances = Margins((3, 2, 2), ((), (0, 1), (1, 2), (2,))), [ONE, Fraction(2), Fraction(3), ONE / 5]
    noisy = [
        table([(7 * i * i + number) % 23 for i in range(size)], shape.shape)
        for number, (size, shape) in enumerate(
            zip(made.sizes, made.totals(np.ones((3, 2, 2), dtype=object)), strict=True)
        )
    ]
    assert_best(made, noisy, variances)


def assert_best(made: Margins, noisy: Sequence[Table], variances: Sequence[Fraction]) -> None:
    numerators, denominator = least_squares(made, noisy, variances)
    cells = table([Fraction(x, denominator) for x in numerators.ravel()], made.shape)
    gradient = table([Fraction(0)] * cells.size, made.shape)
    for margin, fitted, variance in zip(noisy, made.totals(cells), variances, strict=True):
        gradient = gradient + (margin - fitted) / variance
    assert not gradient.any()


MUTANTS = [
    (noisy_cells, "[Fraction(1)] * len(noisy)", "[Fraction(place + 1) for place, _ in enumerate(noisy)]"),
    (noisy_cells, "bound=bound, groups=groups", "bound=bound, groups=1"),
    (noisy_cells, "bound=bound, groups=groups", "bound=1, groups=groups"),
    (least_squares, "int(weight * common)", "common"),
    (margins._effect, "* margins.shape[axis] -", "-"),
    (margins._effect, "for axis in effect", "for axis in effect[:1]"),
    (margins.whole, "2 * sums + denominator", "2 * sums"),
    (margins.whole, "for axis in range(rounded.ndim)", "for axis in range(1, rounded.ndim)"),
]


@pytest.mark.parametrize(("function", "before", "after"), MUTANTS)
def test_mutants_are_caught(
    function: object, before: str, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = inspect.getsource(function)  # type: ignore[arg-type]
    assert source.count(before) == 1
    space = vars(margins) | {}
    exec(f"from __future__ import annotations\n{source.replace(before, after)}", space)
    name = function.__name__  # type: ignore[attr-defined]
    monkeypatch.setattr(margins, name, space[name])
    if name in globals():
        monkeypatch.setitem(globals(), name, space[name])
    with pytest.raises((AssertionError, ValueError)):
        check_noisy_cells()
        check_least_squares()
        check_rounding()


def test_a_weighted_mean_is_no_plain_one() -> None:
    """The inverse variances of margins of other sizes: without them, the check of mutants would be idle."""
    check_least_squares()
    made = Margins((4,), ((), (0,)))
    assert made.inverse_variances((), [ONE, ONE]) == [1, Fraction(1, 4)]
    assert made.inverse_variances((0,), [ONE, Fraction(2)]) == [0, Fraction(1, 2)]


def test_rho_is_that_of_as_many_numbers_as_there_are_margins() -> None:
    cells = table([1] * 6, (2, 3))
    event = noisy_cells(cells, cube(2, 3), ONE, Seeded("rho"), bound=1, groups=4).event
    assert cost_of(event).epsilon == 1
    assert float(cost_of(event).rho) == pytest.approx(math.tanh(1 / 8))  # epsilon tanh(epsilon / (2 L))


def test_bounds_are_checked_before_any_draw() -> None:
    for bound, groups, size in ((0, 1, 6), (1, 0, 6), (1, 1, 4)):
        with pytest.raises(ParameterError):
            noisy_cells(
                table([1] * size, (2, size // 2)), cube(2, 3), ONE, Scripted(), bound=bound, groups=groups
            )


# Least squares


@settings(deadline=None)
@given(measured(), st.data())
def test_least_squares_meets_its_normal_equations(made: Margins, data: st.DataObject) -> None:
    shapes = [total.shape for total in made.totals(np.ones(made.shape, dtype=object))]
    noisy = [data.draw(tables(shape)) for shape in shapes]
    variances = [data.draw(st.fractions(Fraction(1, 9), 9, max_denominator=9)) for _ in made.sets]
    assert_best(made, noisy, variances)


@settings(deadline=None)
@given(measured(), st.data())
def test_margins_of_exact_tables_are_returned(made: Margins, data: st.DataObject) -> None:
    cells = data.draw(tables(made.shape))
    numerators, denominator = least_squares(made, made.totals(cells), [ONE] * len(made.sets))
    for exact, fitted in zip(made.totals(cells), made.totals(numerators), strict=True):
        assert (fitted == exact * denominator).all()
    for exact, near in zip(
        made.totals(cells), made.totals(margins.whole(numerators, denominator)), strict=True
    ):
        assert (exact == near).all()


@settings(deadline=None)
@given(measured(), st.integers(1, 30), st.data())
def test_rounding_moves_each_total_by_what_is_said(
    made: Margins, denominator: int, data: st.DataObject
) -> None:
    numerators = data.draw(tables(made.shape))
    rounded = margins.whole(numerators, denominator)
    for keys in subsets(tuple(range(len(made.shape)))):
        moved = made.margin(rounded, keys) * denominator - made.margin(numerators, keys)
        assert max(abs(x) for x in moved.ravel()) <= rounding_of(keys) * denominator


def check_rounding() -> None:
    found = margins.whole(table([5, 5, 5, 0, 0, 5], (2, 3)), 10)
    assert found.tolist() == [[1, 0, 1], [0, 0, 0]]


def test_totals_are_rounded_not_cells() -> None:
    check_rounding()


@pytest.mark.parametrize("made", [cube(3, 2), cube(2, 2, 3), Margins((3, 4), ((0,), (1,))),
                                  Margins((2, 3, 2), ((), (0, 1), (1, 2)))])  # fmt: skip
def test_variances_are_those_of_the_estimates(made: Margins) -> None:
    """The same by the pseudo-inverse of the matrix of the normal equations, with other noise on each set."""
    variances = [Fraction(number + 1, 2) for number, _ in enumerate(made.sets)]
    weights = np.diag(
        [1 / float(v) for v, size in zip(variances, made.sizes, strict=True) for _ in range(size)]
    )
    all_rows = design(made, made.sets)
    spread = np.linalg.pinv(all_rows.T @ weights @ all_rows)
    for keys in {part for one in made.sets for part in subsets(one)}:
        total = design(made, [keys])[0]
        assert margins.variance_of_margin(made, keys, variances) == pytest.approx(total @ spread @ total)


def test_totals_that_nothing_measures_have_no_variance() -> None:
    with pytest.raises(InternalError):
        margins.variance_of_margin(Margins((2, 2), ((0,), (1,))), (0, 1), [ONE, ONE])


@pytest.mark.parametrize(
    ("shape", "noise", "known"),
    [
        ((5, 4), None, (4.62, 4.62, 4.62, 4.62)),
        ((24, 7), None, (5.18, 5.18, 5.18, 5.18)),
        ((5, 4), 16, (1.90, 3.87, 3.41, 6.31)),
        ((24, 7), 16, (1.98, 7.33, 4.86, 7.33)),
    ],
)
def test_deviations_are_those_of_the_reference(
    shape: tuple[int, int], noise: int | None, known: tuple[float, ...]
) -> None:
    """Laplace noise at epsilon 1; Gaussian noise at mu 1 for units in up to 16 cells of each margin."""
    made = cube(*shape)
    spreads = [Fraction(2 * 4**2) if noise is None else Fraction(4 * min(noise, size)) for size in made.sizes]
    found = [math.sqrt(margins.variance_of_margin(made, keys, spreads)) for keys in made.sets]
    assert found == pytest.approx(known, abs=0.01)


@pytest.mark.parametrize("made", [cube(5, 4), Margins((5, 4), ((0,), (1,)))])
def test_answers_have_these_variances(made: Margins) -> None:
    source, cells = Seeded("margins"), table([7] * 20, (5, 4))
    drawn = [noisy_cells(cells, made, ONE / 2, source, bound=1, groups=1).cells for _ in range(RUNS)]
    for keys in made.sets:
        errors = np.array([(made.margin(one - cells, keys)).astype(float) for one in drawn])
        variance = margins.variance_of_margin(made, keys, [ONE] * len(made.sets))
        expected = variance * 2 * (len(made.sets) / 0.5) ** 2
        assert np.mean(errors**2) == pytest.approx(expected, rel=6 / math.sqrt(RUNS) + 0.03)
