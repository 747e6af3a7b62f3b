"""Which tables a summary measures with discrete Laplace noise, and with which share of epsilon each.

A table with the share e of epsilon 1 has noise of variance v = 2 m^2 / e^2 in each cell, where m is how many
rows of one unit count; so the precision of each residual is a sum of e^2, with known factors. The shares make

    sum over charts q of weight_q log(mean variance of q)

least: it has no scale, so that no chart starves. It is not convex: the best of a few public starts is taken.
Everything here follows from the workload and the sizes of domains, which are public, and never from rows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from dpduck.kernel.accounting.amounts import EPSILON_PLACES
from dpduck.summaries.minimize import minimized
from dpduck.summaries.residuals import Columns, Floats, closure, precision_of
from dpduck.summaries.workload import Chart, matrix_of

_LEAST_SHARE = 0.001  # smaller ones are dropped
_TURNS = 6  # starts
_TURN = (math.sqrt(5) - 1) / 2  # of starts that differ in a public way


def planned_shares(charts: Sequence[Chart], sizes: Sequence[int]) -> dict[Columns, float]:
    """The shares of epsilon, which sum to 1, by the tables that are measured."""
    parts = closure(chart.columns for chart in charts)
    found = _best(charts, parts, parts, sizes)
    kept = [table for table, share in zip(parts, found, strict=True) if share >= _LEAST_SHARE]
    if len(kept) < len(parts):
        found = _best(charts, parts, kept, sizes, [found[[table in kept for table in parts]]])
    return dict(zip(kept, found.tolist(), strict=True))


def _best(
    charts: Sequence[Chart],
    parts: Sequence[Columns],
    tables: Sequence[Columns],
    sizes: Sequence[int],
    starts: Sequence[Floats] = (),
) -> Floats:
    """The best shares of some tables. Input: starts, which are shares; none for those of any workload."""
    objective = _Objective(charts, parts, tables, sizes)
    logs = [np.log(start) for start in starts] or _starts(charts, tables)
    ends = [minimized(objective, start) for start in logs]
    return _softmax(min(ends, key=lambda end: objective(end)[0]))


def _starts(charts: Sequence[Chart], tables: Sequence[Columns]) -> list[Floats]:
    """Even shares; more for the tables that no other contains; and some that tell tables apart in turns."""
    largest = np.array([not any({*table} < {*other} for other in tables) for table in tables])
    asked = np.array([any(chart.columns == table for chart in charts) for table in tables])
    turns = [(np.arange(1, len(tables) + 1) * _TURN * number) % 1 for number in range(1, _TURNS + 1)]
    return [np.zeros(len(tables)), 3.0 * largest, *(asked + largest + 2.0 * turn for turn in turns)]


class _Objective:
    """The objective and its gradient, by the logarithms of shares up to a constant."""

    def __init__(
        self,
        charts: Sequence[Chart],
        parts: Sequence[Columns],
        tables: Sequence[Columns],
        sizes: Sequence[int],
    ) -> None:
        self._coefficients = matrix_of(charts, parts)
        self._weights = np.array([chart.weight for chart in charts])
        self._precisions = np.array(
            [
                [precision_of(table, part, 1.0, sizes) if {*part} <= {*table} else 0.0 for table in tables]
                for part in parts
            ]
        )

    def __call__(self, logs: Floats) -> tuple[float, Floats]:
        shares = _softmax(logs)
        precision = self._precisions @ (shares**2 / 2)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            variance = np.where(precision > 0, 1.0 / precision, np.inf)
            terms = np.where(self._coefficients > 0, self._coefficients * variance, 0.0)
            losses = terms.sum(axis=1)
            if not np.isfinite(losses).all():
                return math.inf, np.zeros_like(logs)
            value = float(self._weights @ np.log(losses))
            by_variance = (self._weights / losses) @ self._coefficients
            by_precision = np.where(precision > 0, -by_variance * variance**2, 0.0)
            by_share = (by_precision @ self._precisions) * shares
            if not np.isfinite(by_share).all():
                return math.inf, np.zeros_like(logs)
        return value, shares * (by_share - float(by_share @ shares))


def _softmax(logs: Floats) -> Floats:
    raised = np.exp(logs - logs.max())
    return np.asarray(raised / raised.sum())


def variances_of_noise(shares: Mapping[Columns, Fraction], rows: int) -> dict[Columns, float]:
    """The variance of the noise in a cell of each table: 2 p / (1 - p)^2, p = e^(-share / rows).

    Input: the share of each table as epsilon; how many rows of one unit count.
    """
    found = {}
    for table, share in shares.items():
        rate = float(share / rows)
        found[table] = 2 * math.exp(-rate) / math.expm1(-rate) ** 2
    return found


def rounded(
    shares: Mapping[Columns, float], epsilon: Fraction, places: int = EPSILON_PLACES
) -> dict[Columns, Fraction]:
    """Shares as exact parts of epsilon, or of mu squared, which the ledger can record, and which sum to it.

    Output: the largest remainders are rounded up; a table that is left with nothing is left out, so that the
    caller sees whether epsilon is too small for the plan.

    >>> rounded({(0,): 0.5, (1,): 0.5}, Fraction(1, 10**9))
    {(0,): Fraction(1, 1000000000)}
    """
    whole = epsilon * 10**places
    if whole.denominator != 1:
        raise ValueError("the amount has more places than the ledger records")
    exact = {table: share * int(whole) for table, share in shares.items()}
    units = {table: math.floor(share) for table, share in exact.items()}
    left = int(whole) - sum(units.values())
    order = sorted(exact, key=lambda table: (units[table] - exact[table], len(table), table))
    for number in range(abs(left)):  # beyond one each only by what floats lose
        units[order[number % len(order)]] += 1 if left > 0 else -1
    return {table: Fraction(unit, 10**places) for table, unit in units.items() if unit > 0}
