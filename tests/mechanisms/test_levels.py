"""Nested levels: private by their sensitivity, least squares by its normal equations, totals that agree."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import BoundedSums
from dpduck.kernel.errors import InternalError, ParameterError
from dpduck.kernel.mechanisms import levels
from dpduck.kernel.mechanisms.levels import (
    Tree,
    least_squares,
    noisy_leaves,
    variance_of_total,
    variances,
    whole,
)
from tests.depth import depth
from tests.mechanisms.enumeration import laplace_words
from tests.oracles.noise import discrete_laplace_pmf
from tests.sources import Scripted, Seeded

RUNS = depth(2000, 300, 150)
SMALL = Tree(1, ((0, 0, 0), (0, 0, 1, 1, 1, 2)))  # a total, three parts, and six leaves


def even(*sizes: int) -> Tree:
    """Levels of these sizes, each divided evenly."""
    pairs = itertools.pairwise(sizes)
    return Tree(sizes[0], tuple(tuple(i * up // down for i in range(down)) for up, down in pairs))


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    tops, parents = draw(st.integers(1, 3)), []
    size = tops
    for _ in range(draw(st.integers(0, 2))):
        counts = draw(st.lists(st.integers(1, 3), min_size=size, max_size=size))
        parents.append(tuple(parent for parent, count in enumerate(counts) for _ in range(count)))
        size = sum(counts)
    return Tree(tops, tuple(parents))


# Privacy


def test_the_levels_move_by_what_is_said() -> None:
    """Every way to change two of the six leaves by up to 3, up or down: L1 at most 18, a total at most 6."""
    worst, largest = 0, 0
    for places in itertools.combinations(range(6), 2):
        for moves in itertools.product(range(-3, 4), repeat=2):
            leaves = [0] * 6
            for place, move in zip(places, moves, strict=True):
                leaves[place] = move
            totals = SMALL.totals(leaves)
            worst = max(worst, sum(abs(x) for level in totals for x in level))
            largest = max(largest, max(abs(x) for level in totals for x in level))
    assert (worst, largest) == (3 * 2 * 3, 2 * 3)


def test_the_release_is_private_by_exact_arithmetic() -> None:
    """A total and two leaves, every output up to 5: no ratio above e^epsilon = p^-2, and one at it."""
    p, worst = Fraction(1, 2), Fraction(1)  # of each of two levels, for one unit in one leaf
    for leaf in (0, 1):
        shift = [1, int(leaf == 0), int(leaf == 1)]
        for xs in itertools.product(range(-5, 6), repeat=3):
            ratio = Fraction(1)
            for x, moved in zip(xs, shift, strict=True):
                ratio *= discrete_laplace_pmf(x, p) / discrete_laplace_pmf(x - moved, p)
            worst = max(worst, ratio, 1 / ratio)
    assert worst == p**-2


def check_noisy_leaves(bound: int = 2, groups: int = 3) -> None:
    """Noise of rate epsilon / (L groups bound) on each number, coarsest level first."""
    tree, rate = Tree(1, ((0, 0),)), Fraction(1, 4)
    epsilon = rate * 2 * bound * groups
    source = Scripted(laplace_words([3, -2, 4], rate))
    release = noisy_leaves([10, 20], tree, epsilon, source, bound=bound, groups=groups)
    assert release.leaves == tuple(whole(tree, least_squares(tree, [[33], [8, 24]])))
    assert release.event == BoundedSums(epsilon, groups=2)


@pytest.mark.parametrize(("bound", "groups"), [(1, 1), (2, 3), (7, 1)])
def test_each_number_gets_noise_of_the_stated_rate(bound: int, groups: int) -> None:
    check_noisy_leaves(bound, groups)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("bound=bound * groups, groups=len(tables)", "bound=bound, groups=len(tables)"),
        ("bound=bound * groups, groups=len(tables)", "bound=bound * groups, groups=1"),
        ("BoundedSums(epsilon, groups=len(tables))", "BoundedSums(epsilon / 2, groups=len(tables))"),
        ("tuple(number + x for number", "tuple(number for number"),
    ],
)
def test_mutants_are_caught(before: str, after: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import inspect

    source = inspect.getsource(levels.noisy_totals)
    assert source.count(before) == 1
    space = dict(vars(levels))
    exec(f"from __future__ import annotations\n{source.replace(before, after)}", space)
    monkeypatch.setattr(levels, "noisy_totals", space["noisy_totals"])
    with pytest.raises(AssertionError):
        check_noisy_leaves()


def test_rho_is_that_of_as_many_numbers_as_there_are_levels() -> None:
    event = noisy_leaves([1] * 6, SMALL, Fraction(1), Seeded("rho"), bound=1, groups=4).event
    assert cost_of(event).epsilon == 1
    assert float(cost_of(event).rho) == pytest.approx(math.tanh(1 / 6))  # epsilon tanh(epsilon / (2 L))


def test_bounds_are_checked_before_any_draw() -> None:
    for bound, groups, leaves in ((0, 1, [1] * 6), (1, 0, [1] * 6), (1, 1, [1] * 5)):
        with pytest.raises(ParameterError):
            noisy_leaves(leaves, SMALL, Fraction(1), Scripted(), bound=bound, groups=groups)


# Least squares


@settings(deadline=None)
@given(trees(), st.data())
def test_least_squares_meets_its_normal_equations(tree: Tree, data: st.DataObject) -> None:
    """The residuals of all levels that a leaf is in add up to 0: the minimum of a convex sum."""
    noisy = [data.draw(st.lists(st.integers(-50, 50), min_size=n, max_size=n)) for n in tree.sizes]
    found = least_squares(tree, noisy)
    sums = _totals(tree, found)
    residuals = [[a - b for a, b in zip(*pair, strict=True)] for pair in zip(noisy, sums, strict=True)]
    for leaf in range(tree.sizes[-1]):
        cell, total = leaf, residuals[-1][leaf]
        for level in range(len(tree.parents) - 1, -1, -1):
            cell = tree.parents[level][cell]
            total += residuals[level][cell]
        assert total == 0


def _totals(tree: Tree, leaves: list[Fraction]) -> list[list[Fraction]]:
    scale = math.lcm(*(leaf.denominator for leaf in leaves))
    sums = tree.totals([int(leaf * scale) for leaf in leaves])
    return [[Fraction(x, scale) for x in level] for level in sums]


@settings(deadline=None)
@given(trees(), st.data())
def test_exact_tables_are_returned_and_whole_numbers_stay(tree: Tree, data: st.DataObject) -> None:
    leaves = data.draw(st.lists(st.integers(-50, 50), min_size=tree.sizes[-1], max_size=tree.sizes[-1]))
    found = least_squares(tree, tree.totals(leaves))
    assert found == leaves
    assert whole(tree, found) == leaves


@settings(deadline=None)
@given(trees(), st.data())
def test_rounding_moves_no_number_of_any_level_by_two(tree: Tree, data: st.DataObject) -> None:
    fractions = st.fractions(-20, 20, max_denominator=30)
    leaves = data.draw(st.lists(fractions, min_size=tree.sizes[-1], max_size=tree.sizes[-1]))
    rounded = whole(tree, leaves)
    for exact, near in zip(_totals(tree, leaves), tree.totals(rounded), strict=True):
        assert all(abs(a - b) < 2 for a, b in zip(exact, near, strict=True))
    for exact, near in zip(_totals(tree, leaves)[0], tree.totals(rounded)[0], strict=True):
        assert abs(exact - near) <= Fraction(1, 2)


@pytest.mark.parametrize("sizes", [(1, 12, 360), (1, 4, 12, 360), (1, 8, 40), (3, 30)])
def test_variances_are_those_of_the_estimates(sizes: tuple[int, ...]) -> None:
    """The same by the inverse of the matrix of the normal equations."""
    tree = even(*sizes)
    if sizes[-1] <= 40:
        leaves = np.eye(sizes[-1], dtype=int)
        design = np.vstack([np.array([tree.totals(row.tolist())[level] for row in leaves]).T
                            for level in range(len(sizes))])  # fmt: skip
        spread = design @ np.linalg.inv(design.T @ design) @ design.T
        ends = np.cumsum([0, *sizes])
        exact = [spread[start, start] for start in ends[:-1]]
        assert variances(sizes) == pytest.approx(exact)
    assert all(0 < one <= 1 for one in variances(sizes))


@pytest.mark.parametrize(("sizes", "cells"), [((1, 8, 40), 4), ((2, 40), 8), ((4, 24), 1), ((1, 4, 24), 12)])
def test_variances_of_totals_between_levels_too(sizes: tuple[int, ...], cells: int) -> None:
    tree, leaves = even(*sizes), np.eye(sizes[-1], dtype=int)
    each = [tree.totals(row.tolist()) for row in leaves]
    design = np.vstack([np.array([totals[level] for totals in each]).T for level in range(len(sizes))])
    total = np.zeros(sizes[-1])
    total[: sizes[-1] // cells] = 1
    spread = total @ np.linalg.inv(design.T @ design) @ total
    assert variance_of_total(sizes, cells) == pytest.approx(spread)


def test_there_are_no_more_totals_than_leaves() -> None:
    with pytest.raises(InternalError):
        variance_of_total((1, 4), 5)


@pytest.mark.parametrize(
    ("sizes", "known"),
    [((1, 4, 12, 360), (4.89, 4.40, 4.77, 5.56)), ((1, 8, 40), (3.96, 3.66, 3.86))],
)
def test_deviations_are_those_of_the_reference(sizes: tuple[int, ...], known: tuple[float, ...]) -> None:
    """Laplace noise at epsilon 1, one group of each unit."""
    found = [len(sizes) * math.sqrt(2 * one) for one in variances(sizes)]
    assert found == pytest.approx(known, abs=0.01)


def test_answers_have_these_variances() -> None:
    tree, source = even(1, 8, 40), Seeded("levels")
    made = [
        tree.totals(noisy_leaves([7] * 40, tree, Fraction(1, 2), source, bound=1, groups=1).leaves)
        for _ in range(RUNS)
    ]
    for level, variance in enumerate(variances((1, 8, 40))):
        errors = np.array([one[level] for one in made]) - 7 * 40 / tree.sizes[level]
        expected = variance * 2 * (3 / 0.5) ** 2
        assert np.mean(errors**2) == pytest.approx(expected, rel=6 / math.sqrt(RUNS) + 0.02)
