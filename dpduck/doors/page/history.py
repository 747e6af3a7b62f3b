"""Spending over time: the charges of an account as points of a line, and as rows of a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from fractions import Fraction
from typing import TypeVar

from dpduck.doors.page.charts import Point
from dpduck.doors.page.forecast import Pace
from dpduck.kernel.accounting.composition import Cost
from dpduck.kernel.catalog.statements import WINDOWS, Window
from dpduck.kernel.ledger import BudgetStatus, Entry
from dpduck.kernel.ledger.windows import period_of

MOST_POINTS = 300  # of a line, which is not wider than that many pixels
MOST_ROWS = 10
_AHEAD = 12  # points of the forecast, which under zcdp and gdp is a curve

_T = TypeVar("_T")
Amount = Callable[[Cost], Fraction]
Row = tuple[str, int, Fraction]


def grouped(pairs: Iterable[tuple[_T, Entry]]) -> dict[_T, list[Entry]]:
    """The charges of each group, in order."""
    groups: dict[_T, list[Entry]] = defaultdict(list)
    for group, entry in pairs:
        groups[group].append(entry)
    return groups


def sum_of_epsilon(cost: Cost) -> Fraction:
    """A cost as an amount of epsilon, for accounts without a cap."""
    return cost.epsilon


def as_counted(budget: BudgetStatus) -> Amount:
    """A function that converts a cost to epsilon by a budget's accounting."""
    return lambda cost: replace(budget, spent=cost).epsilon_spent


def start_of(entries: Sequence[Entry], end: datetime) -> datetime:
    """The start of a chart that ends now: slightly before the first charge, and at least a day ago."""
    first = min(entries[0].at, end - timedelta(days=1))
    return first - (end - first) / 50


def curve(charges: Iterable[Entry], start: datetime, end: datetime, amount: Amount) -> list[Point]:
    """The spent amount over time; of many charges close together only the last becomes a point."""
    step = (end - start) / MOST_POINTS
    sums: dict[int, tuple[datetime, Cost]] = {}
    total = Cost()
    for charge in charges:
        total += charge.cost
        sums[(charge.at - start) // step] = (charge.at, total)
    points = [(at, float(amount(cost))) for at, cost in sums.values()]
    return [(start, 0.0), *points, (end, points[-1][1] if points else 0.0)]


def curve_ahead(budget: BudgetStatus, pace: Pace, days: Fraction, now: datetime) -> list[Point]:
    """The forecast of the spent amount over the next days."""
    times = [days * i / _AHEAD for i in range(_AHEAD + 1)]
    spent = [as_counted(budget)(budget.spent + pace.after(time)) for time in times]
    return [
        (now + timedelta(days=float(time)), float(amount)) for time, amount in zip(times, spent, strict=True)
    ]


def by_period(charges: Sequence[Entry], amount: Amount) -> tuple[Window, list[Row]]:
    """The charges of each day, week or month: its name, their number, and the amount spent by its end.

    Output: the shortest window that gives at most `MOST_ROWS` rows, and its rows, newest first; of more
        months, the earlier ones are one row.
    """
    for window in WINDOWS:
        rows = _by(window, charges, amount)
        if len(rows) <= MOST_ROWS:
            return window, rows[::-1]
    earlier, last = rows[: 1 - MOST_ROWS], rows[1 - MOST_ROWS :]
    until = (f"until {earlier[-1][0]}", sum(number for _, number, _ in earlier), earlier[-1][2])
    return window, [*last[::-1], until]


def _by(window: Window, charges: Sequence[Entry], amount: Amount) -> list[Row]:
    sums: dict[str, tuple[int, Cost]] = {}
    total = Cost()
    for charge in charges:
        total += charge.cost
        period = period_of(window, charge.at)
        number, _ = sums.get(period, (0, total))
        sums[period] = (number + 1, total)
    return [(period, number, amount(cost)) for period, (number, cost) in sums.items()]
