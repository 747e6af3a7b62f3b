"""Forecasts of when a budget runs out, if spending continues at the recent pace.

The pace is what was charged in the last 30 days, or since the first charge if that is more recent, but over
at least one day: a budget that was opened a minute ago has no pace by the minute. It is a plain rate, without
weekends, plans or trends, so a forecast is always shown together with the pace it is based on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Literal

from dpduck.kernel.accounting.amounts import EPSILON_MIN
from dpduck.kernel.accounting.composition import Cost, cost_of
from dpduck.kernel.accounting.events import NoisyCount
from dpduck.kernel.ledger import BudgetStatus, Entry
from dpduck.kernel.ledger.admission import fits, limits_of
from dpduck.kernel.ledger.windows import next_period, period_of

PACE_DAYS = 30
FAR_DAYS = 36_525  # a hundred years, beyond which a date is meaningless

_DAY = timedelta(days=1)
_SECOND = timedelta(seconds=1)
_SMALLEST = cost_of(NoisyCount(EPSILON_MIN))

State = Literal["uncapped", "spent", "unused", "unknown", "never", "lasts", "far", "ends"]


@dataclass(frozen=True)
class Pace:
    """What an account was charged within a time that ends now, of at least a day if all charges are known."""

    cost: Cost
    charges: int
    time: timedelta

    @property
    def days(self) -> Fraction:
        """The time in days."""
        return Fraction(self.time // timedelta(microseconds=1), _DAY // timedelta(microseconds=1))

    def after(self, days: Fraction) -> Cost:
        """The cost of that many days at this pace."""
        return self.cost * (days / self.days)


@dataclass(frozen=True)
class Forecast:
    """The forecast of a budget.

    `state`: uncapped; spent (not even the smallest query fits); unused (no charge yet); unknown (others
    spend here too, whose charges are not visible); never (nothing limited is spent at this pace); lasts (a
    window ends first); far (in more than a hundred years); ends (on `day`, where `part` runs out first).
    `refills`: when the next window begins.
    """

    state: State
    pace: Pace | None = None
    days: Fraction | None = None
    day: date | None = None
    part: str = "epsilon"
    refills: date | None = None


def forecast(
    budget: BudgetStatus,
    charges: Sequence[Entry],
    now: datetime,
    *,
    sees_all: bool = True,
    since: datetime | None = None,
) -> Forecast:
    """Forecast when a budget runs out at the pace of the charges to its account.

    Input: those charges in order; `sees_all`: whether they are certainly all. If not, a budget that has
        spent more than they cost is spent by others too. `since`: they are all from then on, and there were
        more before; None: there were none.
    """
    window = budget.cap.window
    refills = None if window is None else next_period(window, now)
    if not limits_of(budget):
        return Forecast("uncapped", refills=refills)
    if _is_spent(budget):
        return Forecast("spent", refills=refills)
    if not sees_all and budget.spent.epsilon > _counted(budget, charges):
        return Forecast("unknown", refills=refills)
    if not charges and (since is None or not budget.spent.epsilon):
        return Forecast("unused", refills=refills)
    return _ahead(budget, pace_of(charges, now, since), now, refills)


def pace_of(charges: Sequence[Entry], now: datetime, since: datetime | None = None) -> Pace:
    """The recent pace. Input: the charges in order, at least one unless there were more before `since`."""
    if since is None:
        time = max(min(now - charges[0].at, PACE_DAYS * _DAY), _DAY)
    else:  # so many that they fill less than a day: no charge before it is known to be spread over one
        time = max(min(now - since, PACE_DAYS * _DAY), _SECOND)
    recent = [charge for charge in charges if charge.at >= now - time]
    cost = sum((charge.cost for charge in recent), Cost())
    return Pace(cost, len(recent), time)


def _ahead(budget: BudgetStatus, pace: Pace, now: datetime, refills: date | None) -> Forecast:
    times = [
        ((limit - used) / getattr(pace.after(Fraction(1)), part), part)
        for part, limit, used in limits_of(budget)
        if getattr(pace.cost, part)
    ]
    if not times:
        return Forecast("lasts" if refills else "never", pace, refills=refills)
    days, part = min(times)
    if refills is not None and now + _DAY * float(min(days, Fraction(FAR_DAYS))) >= _midnight(refills, now):
        return Forecast("lasts", pace, days, refills=refills)
    if days > FAR_DAYS:
        return Forecast("far", pace, days, part=part)
    return Forecast("ends", pace, days, (now + _DAY * float(days)).date(), part, refills)


def _midnight(day: date, now: datetime) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=now.tzinfo)


def _counted(budget: BudgetStatus, charges: Sequence[Entry]) -> Fraction:
    """The epsilon of those charges that count in the current period."""
    window = budget.cap.window
    counted = (charge.epsilon for charge in charges if period_of(window, charge.at) == budget.period)
    return sum(counted, Fraction(0))


def _is_spent(budget: BudgetStatus) -> bool:
    """Whether not even the smallest query fits, disregarding the limit for one query."""
    whole = replace(budget, cap=replace(budget.cap, per_query=None))
    return fits(_SMALLEST, whole) == 0
