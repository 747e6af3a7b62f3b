"""When budgets run out: every state, the time that the pace is taken from, and both ways to add up."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction

import pytest

from dpduck.doors.page.forecast import Forecast, forecast
from dpduck.kernel.accounting.conversion import rho_limit, share_of_delta
from dpduck.kernel.ledger import Account, Cap, Ledger, open_ledger
from tests.charges import NOW, PEOPLE, at, set_cap, spend

TEAM = Account("budget", "team")


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with open_ledger(None) as ledger:
        yield ledger


def ahead(ledger: Ledger, account: Account = PEOPLE, analyst: str | None = None) -> Forecast:
    with at(NOW):
        (budget,) = ledger.budgets([account])
    named = (account.scope, account.name)
    charges = [e for e in ledger.entries() if named in e.accounts and analyst in (None, e.analyst)]
    return forecast(budget, charges, NOW, sees_all=analyst is None)


class TestPace:
    def test_it_is_taken_since_the_first_charge(self, ledger: Ledger) -> None:
        spend(ledger, 10, "3")
        spend(ledger, 1, "1")
        found = ahead(ledger)
        assert found.pace is not None
        assert (found.pace.cost.epsilon, found.pace.charges, found.pace.days) == (4, 2, 10)
        assert (found.state, found.days) == ("ends", 15)  # 6 are left, at 0.4 a day
        assert found.day == date(2026, 12, 6)

    def test_it_is_taken_from_the_last_30_days(self, ledger: Ledger) -> None:
        spend(ledger, 100, "5")
        spend(ledger, 31, "1")
        spend(ledger, 29, "3")
        found = ahead(ledger)
        assert found.pace is not None
        assert (found.pace.cost.epsilon, found.pace.charges, found.pace.days) == (3, 1, 30)
        assert found.days == 10  # 1 is left, at 0.1 a day

    def test_it_is_taken_from_a_day_at_least(self, ledger: Ledger) -> None:
        spend(ledger, 0.001, "0.5")
        found = ahead(ledger)
        assert found.pace is not None
        assert (found.pace.time, found.days) == (timedelta(days=1), 19)

    def test_of_charges_that_are_only_the_last_ones_it_is_taken_since_the_first_of_them(
        self, ledger: Ledger
    ) -> None:
        spend(ledger, 20, "1")
        spend(ledger, 0.25, "0.5")
        spend(ledger, 0.125, "0.5")
        with at(NOW):
            (budget,) = ledger.budgets([PEOPLE])
        last = ledger.entries()[1:]
        found = forecast(budget, last, NOW, since=last[0].at)
        assert found.pace is not None
        assert (found.pace.days, found.days) == (Fraction(1, 4), 2)  # 8 are left, at 4 a day
        assert forecast(budget, [], NOW, since=last[0].at).state == "never"

    def test_the_first_charge_counts(self, ledger: Ledger) -> None:
        spend(ledger, 30, "1")
        assert ahead(ledger).days == 270


class TestStates:
    def test_no_charge_yet(self, ledger: Ledger) -> None:
        assert ahead(ledger) == Forecast("unused")

    def test_no_cap(self, ledger: Ledger) -> None:
        spend(ledger, 1, "1", TEAM)
        assert ahead(ledger, TEAM) == Forecast("uncapped")

    def test_spent_to_the_end(self, ledger: Ledger) -> None:
        spend(ledger, 1, "10")
        assert ahead(ledger) == Forecast("spent")

    def test_spent_when_not_even_the_smallest_query_fits(self, ledger: Ledger) -> None:
        spend(ledger, 1, "9.9999")
        assert ahead(ledger).state == "ends"
        spend(ledger, 1, "0.00005")
        assert ahead(ledger).state == "spent"

    def test_what_one_query_may_use_does_not_end_it(self, ledger: Ledger) -> None:
        set_cap(ledger, TEAM, Cap(Fraction(1), per_query=Fraction(0)))
        assert ahead(ledger, TEAM).state == "unused"

    def test_never_at_this_pace(self, ledger: Ledger) -> None:
        spend(ledger, 31, "1")
        found = ahead(ledger)
        assert (found.state, found.days, found.day) == ("never", None, None)

    def test_in_more_than_a_century(self, ledger: Ledger) -> None:
        set_cap(ledger, TEAM, Cap(Fraction(10**6)))
        spend(ledger, 1, "1", TEAM)
        found = ahead(ledger, TEAM)
        assert (found.state, found.day) == ("far", None)

    def test_delta_may_run_out_first(self, ledger: Ledger) -> None:
        spend(ledger, 2, "0.5", delta="0.000004")
        found = ahead(ledger)
        assert (found.state, found.part, found.days) == ("ends", "delta", 3)

    def test_a_cap_of_no_delta_is_not_one_that_is_spent(self, ledger: Ledger) -> None:
        set_cap(ledger, TEAM, Cap(Fraction(3), Fraction(0)))
        spend(ledger, 1, "1", TEAM)
        assert (ahead(ledger, TEAM).state, ahead(ledger, TEAM).days) == ("ends", 2)


class TestOthers:
    def test_an_analyst_does_not_see_the_pace_of_others(self, ledger: Ledger) -> None:
        spend(ledger, 4, "1", analyst="ana")
        assert ahead(ledger, analyst="ana").state == "ends"
        spend(ledger, 3, "1", analyst="bob")
        assert ahead(ledger, analyst="ana") == Forecast("unknown")
        assert ahead(ledger).state == "ends"

    def test_old_charges_do_not_hide_them(self, ledger: Ledger) -> None:
        set_cap(ledger, TEAM, Cap(Fraction(3), window="day"))
        spend(ledger, 4, "2", TEAM, analyst="ana")
        spend(ledger, 0.01, "1", TEAM, analyst="bob")
        assert ahead(ledger, TEAM, analyst="ana").state == "unknown"


class TestWindows:
    @pytest.mark.parametrize(
        ("window", "refills"),
        [("day", date(2026, 11, 22)), ("week", date(2026, 11, 23)), ("month", date(2026, 12, 1))],
    )
    def test_each_says_when_it_refills(self, ledger: Ledger, window: str, refills: date) -> None:
        set_cap(ledger, TEAM, Cap(Fraction(3), window=window))  # type: ignore[arg-type]
        assert ahead(ledger, TEAM) == Forecast("unused", refills=refills)
        spend(ledger, 0.01, "3", TEAM)
        assert ahead(ledger, TEAM) == Forecast("spent", refills=refills)

    def test_it_lasts_until_then(self, ledger: Ledger) -> None:
        set_cap(ledger, TEAM, Cap(Fraction(3), window="day"))
        spend(ledger, 0.01, "1", TEAM)
        assert ahead(ledger, TEAM).state == "lasts"  # 2 days for the rest, and the day ends sooner

    def test_or_not(self, ledger: Ledger) -> None:
        set_cap(ledger, TEAM, Cap(Fraction(3), window="month"))
        spend(ledger, 0.01, "1", TEAM)
        found = ahead(ledger, TEAM)
        assert (found.state, found.day, found.refills) == ("ends", date(2026, 11, 23), date(2026, 12, 1))

    def test_nothing_lately(self, ledger: Ledger) -> None:
        set_cap(ledger, TEAM, Cap(Fraction(3), window="month"))
        spend(ledger, 40, "1", TEAM)
        assert ahead(ledger, TEAM).state == "lasts"


def test_zcdp_runs_out_of_rho(ledger: Ledger) -> None:
    set_cap(ledger, TEAM, Cap(Fraction(6), Fraction(1, 10**6), accounting="zcdp"))
    for days in range(5, 0, -1):
        spend(ledger, days, "0.4", TEAM)
    found = ahead(ledger, TEAM)
    rate = found.pace.cost.rho / 5 if found.pace else 0
    assert (found.state, found.part) == ("ends", "rho")
    left = rho_limit(Fraction(6), share_of_delta(Fraction(1, 10**6))) - 5 * rate
    assert found.days == left / rate
