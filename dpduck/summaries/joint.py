"""The most likely counts of full cells, none below 0, given the residuals that a summary has released.

Of all x >= 0 with the released total N, it is the one that makes

    sum over A of |R_A x - y_A|^2 / (2 s_A)  +  sum over A of a prior that holds x to the even distribution

least: y_A is the estimate of residual A, s_A its variance (with a covariance that is not even in place of the
identity, where noise has one). Released counts alone leave most cells of many columns open; among those that
fit as well, the most even x is taken. So x = N softmax(sum over A of theta_A), a log-linear model, whose
potentials theta_A make the convex dual

    N log sum exp(sum of theta_A)  -  sum of <theta_A, y_A>  +  sum of lambda_A s_A |theta_A|^2 / 2

least: a smooth function of as many numbers as there are released residuals, in place of a constrained one of
all cells. At its minimum y_A - R_A x = lambda_A s_A theta_A. lambda_A is smaller for residuals of fewer
columns, which are known best and are of the most use. lambda is the largest of a few at which the misfit of
the residuals of 1, of 2, ... columns is well within what their noise leads to, its degrees of freedom; so it
follows from the released numbers.

Source: McKenna, Sheldon, Miklau, ICML 2019 (arXiv 1901.09136), for the model; the metric is that of residuals
(arXiv 2305.08175). Everything here is post-processing. Its counts are estimates with an unknown bias:
intervals never come from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from dpduck.summaries.minimize import minimized
from dpduck.summaries.residuals import Columns, Floats, Variances, centred, size_of, summed_out

Integers = NDArray[np.int64]
Covariances = Mapping[Columns, Mapping[int, Floats]]  # of noise that is not even along a column, without s_A
_EVEN: Covariances = MappingProxyType({})

_PRIORS = (1.0, 0.3, 0.1, 0.03, 0.01)  # lambda of the residuals of the most columns
_FEWER = 0.3  # by how much lambda is smaller for each column less
_FITS = 0.7  # of the degrees of freedom, what the misfit may be
_ROUNDS = 200  # of the minimization for each lambda


def most_likely(
    residuals: Mapping[Columns, Floats],
    variances: Variances,
    sizes: Sequence[int],
    covariances: Covariances = _EVEN,
    check: Callable[[], None] = lambda: None,
) -> Floats:
    """The most likely counts, an axis for each column.

    Input: the estimates y_A, an axis for each of their columns, and s_A; `check`: called again and again, to
        stop by an exception. Output: numbers of which the sum is the released total, or 0 if that is below.
    """
    total = max(float(np.rint(residuals[()])), 0.0)
    parts = [part for part in residuals if part]
    if not total or not parts:
        return np.full(sizes, total / size_of(range(len(sizes)), sizes))
    potentials = None
    for prior in _PRIORS:
        dual = _Dual(residuals, variances, sizes, covariances, total, prior, check)
        potentials = minimized(dual, dual.start(potentials), _ROUNDS)
        counts = dual.counts(dual.of_parts(potentials))
        potentials = dual.unscaled(potentials)
        if dual.fits(counts):
            break
    return counts


class _Dual:
    """The dual function and its gradient, by potentials that are scaled to about the same curvature."""

    def __init__(
        self,
        residuals: Mapping[Columns, Floats],
        variances: Variances,
        sizes: Sequence[int],
        covariances: Covariances,
        total: float,
        prior: float,
        check: Callable[[], None],
    ) -> None:
        self._parts = sorted((part for part in residuals if part), key=lambda part: (-len(part), part))
        self._residuals = residuals
        self._covariances = covariances
        self._sizes = sizes
        self._total = total
        self._check = check
        most = len(self._parts[0])
        self._variances = {part: variances[part] for part in self._parts}
        self._priors = {part: prior * _FEWER ** (most - len(part)) for part in self._parts}
        self._lengths = [size_of(part, sizes) for part in self._parts]
        curvatures = [
            total / cells + self._priors[part] * self._variances[part]
            for part, cells in zip(self._parts, self._lengths, strict=True)
        ]
        self._scale = np.repeat(np.sqrt(curvatures), self._lengths)
        self._within = {part: self._smallest_around(part) for part in self._parts}

    def _smallest_around(self, part: Columns) -> Columns | None:
        """The smallest other set of columns that contains a part; None: only that of all columns does."""
        around = [other for other in self._parts if {*part} < {*other}]
        return min(around, key=lambda other: (size_of(other, self._sizes), other), default=None)

    # --- potentials ------------------------------------------------------------------------------

    def start(self, potentials: Floats | None) -> Floats:
        """Where the minimization starts. Input: the potentials for another prior, if they are known."""
        return np.zeros(sum(self._lengths)) if potentials is None else potentials * self._scale

    def unscaled(self, scaled: Floats) -> Floats:
        """The potentials, one after the other."""
        return np.asarray(scaled / self._scale)

    def of_parts(self, scaled: Floats) -> dict[Columns, Floats]:
        """The potentials of each residual, an axis for each of its columns."""
        pieces = np.split(self.unscaled(scaled), np.cumsum(self._lengths)[:-1])
        return {
            part: piece.reshape([self._sizes[column] for column in part])
            for part, piece in zip(self._parts, pieces, strict=True)
        }

    # --- the model -------------------------------------------------------------------------------

    def counts(self, potentials: Mapping[Columns, Floats]) -> Floats:
        """x: the counts of the full cells."""
        return self._model(potentials)[0]

    def _model(self, potentials: Mapping[Columns, Floats]) -> tuple[Floats, float]:
        """x, and the logarithm of the sum of exponentials. Potentials of parts go to larger ones first."""
        together = dict(potentials)
        logs = np.zeros(self._sizes)
        for part in reversed(self._parts):
            around = self._within[part]
            if around is None:
                logs = logs + _spread(together[part], part, range(len(self._sizes)), self._sizes)
            else:
                together[around] = together[around] + _spread(together[part], part, around, self._sizes)
        most = float(logs.max())
        raised = np.exp(logs - most)
        whole = float(raised.sum())
        return raised * (self._total / whole), most + float(np.log(whole))

    def _margins(self, counts: Floats) -> dict[Columns, Floats]:
        """The tables of all parts, each from the smallest one that contains it."""
        every = tuple(range(len(self._sizes)))
        known = {every: counts}
        for part in self._parts:
            around = self._within[part] or every
            known[part] = summed_out(known[around], around, part)
        return known

    def __call__(self, scaled: Floats) -> tuple[float, Floats]:
        self._check()
        potentials = self.of_parts(scaled)
        counts, log = self._model(potentials)
        margins = self._margins(counts)
        value, slopes = self._total * log, []
        for part in self._parts:
            own, known = potentials[part], self._residuals[part]
            drawn = self._priors[part] * self._of_noise(part, own)
            value += float((own * (drawn / 2 - known)).sum())
            slopes.append((centred(margins[part]) - known + drawn).reshape(-1))
        return value, np.concatenate(slopes) / self._scale

    def _of_noise(self, part: Columns, values: Floats) -> Floats:
        """The covariance of the noise of a residual, times values."""
        own = self._covariances.get(part, {})
        for axis, column in enumerate(part):
            if column in own:
                values = np.moveaxis(np.tensordot(own[column], values, axes=(1, axis)), 0, axis)
            else:
                values = values - values.mean(axis=axis, keepdims=True)
        return values * self._variances[part]

    # --- how well it fits ------------------------------------------------------------------------

    def fits(self, counts: Floats) -> bool:
        """Whether the misfit of the residuals of each number of columns is within what noise leads to."""
        margins = self._margins(counts)
        misfit: dict[int, float] = {}
        freedom: dict[int, float] = {}
        for part in self._parts:
            off = centred(margins[part]) - self._residuals[part]
            misfit[len(part)] = misfit.get(len(part), 0.0) + self._squared(part, off)
            own = float(np.prod([self._sizes[column] - 1 for column in part]))
            freedom[len(part)] = freedom.get(len(part), 0.0) + own
        return all(misfit[level] <= _FITS * freedom[level] for level in misfit)

    def _squared(self, part: Columns, off: Floats) -> float:
        """The square of a difference by the inverse of the covariance of its noise."""
        weighed = off
        for axis, column in enumerate(part):
            if column in self._covariances.get(part, {}):
                back = np.linalg.pinv(self._covariances[part][column], rcond=1e-9, hermitian=True)
                weighed = np.moveaxis(np.tensordot(back, weighed, axes=(1, axis)), 0, axis)
        return float((off * weighed).sum()) / self._variances[part]


def _spread(values: Floats, part: Columns, among: Sequence[int], sizes: Sequence[int]) -> Floats:
    """A function of some columns as one of more, that can be added to it."""
    return values.reshape([sizes[column] if column in part else 1 for column in among])


def whole(counts: Floats, start: float) -> Integers:
    """Counts as whole numbers, each moved by less than 1 and all of the same sum.

    Systematic rounding in the order of cells, after which each total by one column is brought as near to its
    own as exchanges of two cells, of which one was raised and the other not, can bring it.
    Input: numbers at least 0, of which the sum is whole; a start from 0 to below 1.

    >>> whole(np.array([0.5, 0.5, 1.0]), 0.25).tolist()
    [0, 1, 1]
    """
    ends = np.cumsum(counts.reshape(-1))
    ends[-1] = np.rint(ends[-1])
    reached = np.floor(np.concatenate([[0.0], ends]) + start).astype(np.int64)
    found = np.diff(np.maximum.accumulate(reached)).reshape(counts.shape)
    for axis in range(counts.ndim):
        _exchange(np.moveaxis(found, axis, 0).view(), np.moveaxis(counts, axis, 0))
    return found


def _exchange(found: Integers, counts: Floats) -> None:
    """Exchange raised cells along the first axis, until no total is off by 1 where another is the other way.

    Totals by the other columns stay as they are.
    """
    size = len(found)
    for _ in range(found.size if found.ndim > 1 else 0):  # each exchange brings two totals nearer
        off = (found - counts).reshape(size, -1).sum(axis=1)
        high, low = int(off.argmax()), int(off.argmin())
        if off[high] < 0.5 or off[low] > -0.5:
            return
        gain = found[high] - counts[high] - found[low] + counts[low]
        is_open = (found[high] > counts[high]) & (found[low] < counts[low])
        if not is_open.any():
            return
        place = is_open & (gain == gain[is_open].max())
        at = np.unravel_index(int(place.argmax()), place.shape)
        found[high][at] -= 1
        found[low][at] += 1
