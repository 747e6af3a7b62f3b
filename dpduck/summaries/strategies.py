"""How the residual of a set of columns is measured: a matrix of whole numbers for each of its columns.

The residual of A is M_A x, multiplied along each column i by a matrix B_i whose rows each add up to 0. With
independent noise of variance v on each of these numbers its best estimate has the covariance v (x)_i
(B_i' B_i)^+. One row of a unit moves them by a product of columns of the B_i, so that their Euclidean norm is
at most the product of the longest, and m rows move them by at most m times that.

Even noise: B = n I - 11', whose columns have the squared length n (n - 1). A fitted B leaves more noise to
what is seldom asked. Let G be the mean square of what queries ask along the column, projected to sums of 0,
and X = B'B. The cost is the largest diagonal element of X, times the trace of G X^+. With weights d of the
values, which sum to 1, the largest element is at least the sum of d_c X_cc, and the X with the least product
of that and the trace solves G = X D X for D = diag(d):

    X = D^(-1/2) (D^(1/2) G D^(1/2))^(1/2) D^(-1/2)   on the vectors with the sum 0.

The weights of values whose elements are large are raised a few times, and the best X of all is taken. G is
mixed with a little of what points and ranges ask: without it a question beside the declared ones would
have no variance, which is not a variance of 0.

A fitted matrix is rounded to whole numbers, each row still adding up to 0, before anything is computed of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpduck.summaries.residuals import Columns, Floats, Shapes, centred

Integers = NDArray[np.int64]

MOST_FITTED = 256  # values of a column whose matrix is fitted
_SCALE = 2**8  # the largest element of a fitted matrix
_MOST_TIMES = 2**26  # the largest product of elements of the matrices of one residual
_BESIDE = 0.05  # how much of G is what points and ranges ask
_TURNS = 6  # weights of values that are tried
_LEAST = 1e-9  # of the largest eigenvalue: below, a direction is not measured


@dataclass(frozen=True, eq=False)
class Strategy:
    """A fitted matrix, rows x values, of full rank but for the sum. Errors: ValueError for any other."""

    matrix: Integers

    def __post_init__(self) -> None:
        size = self.matrix.shape[1]
        if self.matrix.sum(axis=1).any():
            raise ValueError("a row does not add up to 0")
        powers = np.linalg.eigvalsh((self.matrix.T @ self.matrix).astype(np.float64))
        if size > 1 and powers[1] <= _LEAST * powers[-1]:
            raise ValueError("a residual is not measured at all")

    @cached_property
    def length(self) -> int:
        """The squared length of the longest column."""
        return int((self.matrix**2).sum(axis=0).max())

    @cached_property
    def back(self) -> Floats:
        """The pseudo-inverse: from what is measured to the residual."""
        return np.asarray(np.linalg.pinv(self.matrix.astype(np.float64), rcond=_LEAST))

    @cached_property
    def shape(self) -> Floats:
        """(B'B)^+: the covariance of the residual, if the noise has the variance of `scale_of`, squared."""
        return self.back @ self.back.T * _SCALE**2


Strategies = Mapping[Columns, Mapping[int, Strategy]]  # by residual and column, where noise is not even


def fitted(gram: Floats) -> Strategy | None:
    """The strategy for a column; None if there is nothing to fit, or no matrix of full rank was found.

    Input: G as values x values, positive.
    """
    size = len(gram)
    asked = centred(gram)
    trace = float(np.trace(asked))
    if size < 3 or trace <= 0:
        return None
    basis = _basis(size)
    inner = basis.T @ ((1 - _BESIDE) * asked / trace + _BESIDE * _anything(size)) @ basis
    best, least, weights = np.eye(size), math.inf, np.full(size, 1.0 / size)
    for _ in range(_TURNS):
        root = _power(basis.T @ (weights[:, None] * basis), 0.5)
        back = np.linalg.inv(root)
        half = back @ _power(root @ inner @ root, 0.5) @ back
        whole = basis @ half @ basis.T
        lengths = np.diagonal(whole)
        cost = float(lengths.max() * np.trace(inner @ np.linalg.inv(half)))
        if cost < least:
            best, least = whole, cost
        weights = weights * lengths / float(weights @ lengths)
    try:
        return Strategy(_whole(centred(_power(best, 0.5))))
    except ValueError:
        return None


def _basis(size: int) -> Floats:
    """Orthonormal vectors with the sum 0, as columns."""
    steps = np.triu(np.ones((size, size - 1))) - np.eye(size, size - 1, -1) * np.arange(1, size)
    return np.asarray(steps / np.sqrt((steps**2).sum(axis=0)))


def _anything(size: int) -> Floats:
    """What all points and all ranges ask, in equal parts, with trace 1."""
    points = np.eye(size) - 1.0 / size
    place = np.arange(size)
    ranges = centred((np.minimum(place[:, None], place) + 1.0) * (size - np.maximum(place[:, None], place)))
    return np.asarray((points / np.trace(points) + ranges / np.trace(ranges)) / 2)


def _power(matrix: Floats, power: float) -> Floats:
    """A power of a symmetric positive matrix."""
    found, vectors = np.linalg.eigh(matrix)
    return np.asarray((vectors * np.maximum(found, 0.0) ** power) @ vectors.T)


def _whole(matrix: Floats) -> Integers:
    """A matrix in whole numbers up to `_SCALE`, of which each row adds up to 0: raised by its remainders."""
    exact = matrix * (_SCALE / float(np.abs(matrix).max()))
    whole = np.floor(exact).astype(np.int64)
    for row, own in zip(whole, exact, strict=True):
        order = np.argsort(row - own, kind="stable")
        row[order[: -int(row.sum())]] += 1
    return whole


def length_of(part: Columns, sizes: Sequence[int], strategies: Strategies) -> int:
    """The squared length of the longest column of the matrix of a residual: how far one row moves it."""
    own, length = strategies.get(part, {}), 1
    for column in part:
        size = sizes[column]
        length *= own[column].length if column in own else size * (size - 1)
    return length


def scale_of(part: Columns, sizes: Sequence[int], strategies: Strategies) -> int:
    """By how much what is measured is larger than the residual, about: of even noise, exactly."""
    own, scale = strategies.get(part, {}), 1
    for column in part:
        scale *= _SCALE if column in own else sizes[column]
    return scale


def is_small_enough(part: Columns, sizes: Sequence[int], own: Mapping[int, Strategy]) -> bool:
    """Whether what is measured of 10^11 rows fits 64 bits. Input: the fitted strategies of a residual."""
    largest = math.prod(_SCALE if column in own else sizes[column] for column in part)
    return largest <= _MOST_TIMES


def measured(counts: Integers, part: Columns, strategies: Strategies) -> Integers:
    """What is measured of a table, exactly: an axis for each column, with as many places as values."""
    own = strategies.get(part, {})
    for axis, column in enumerate(part):
        if column in own:
            counts = np.moveaxis(np.tensordot(own[column].matrix, counts, axes=(1, axis)), 0, axis)
        else:
            counts = counts * counts.shape[axis] - counts.sum(axis=axis, keepdims=True)
    return counts


def residual_of(noisy: Floats, part: Columns, strategies: Strategies) -> Floats:
    """The estimate of a residual from what was measured of it with noise."""
    own = strategies.get(part, {})
    for axis, column in enumerate(part):
        if column in own:
            noisy = np.moveaxis(np.tensordot(own[column].back, noisy, axes=(1, axis)), 0, axis)
        else:
            size = noisy.shape[axis]
            noisy = (noisy - noisy.mean(axis=axis, keepdims=True)) / size
    return noisy


def shapes_of(strategies: Strategies) -> Shapes:
    """The covariances of fitted strategies."""
    return {part: {i: one.shape for i, one in own.items()} for part, own in strategies.items()}
