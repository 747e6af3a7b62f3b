"""Budgets that add up rho or mu squared: how much they admit, and how their delta is shared."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.conversion import rho_limit
from dpduck.kernel.accounting.events import (
    Event,
    GaussianNoise,
    GumbelTopK,
    Histogram,
    KeySelection,
    NoisyCount,
)
from dpduck.kernel.accounting.gaussian import most_mu_squared
from dpduck.kernel.catalog.statements import Accounting
from dpduck.kernel.errors import BudgetExceededError
from dpduck.kernel.ledger import Account, Cap, Charge, Ledger, open_ledger
from dpduck.kernel.ledger.admission import fits
from dpduck.kernel.ledger.transactions import terms_of

MILLIONTH = Fraction(1, 10**6)
HISTOGRAM = Histogram(Fraction(1, 50), groups=16)


def budget(keys_delta: Fraction | None) -> Account:
    cap = Cap(Fraction(1), MILLIONTH, accounting="zcdp", keys_delta=keys_delta)
    return Account("budget", f"of {keys_delta}", cap)


def charge(ledger: Ledger, account: Account, event: Event, times: int = 1) -> None:
    ledger.charge(Charge(event, "s", "SELECT 1", (account,), evaluations=times))


@pytest.mark.parametrize(
    ("keys_delta", "most"), [(Fraction(0), 1948), (MILLIONTH / 10, 1930), (MILLIONTH / 2, 1834), (None, 1834)]
)
def test_a_budget_of_1_at_a_millionth_admits_1900_histograms_of_16_groups(
    keys_delta: Fraction | None, most: int
) -> None:
    """By the sum of epsilons 50; by the rho of one group and the classical conversion 83."""
    account = budget(keys_delta)
    with open_ledger(None) as ledger:
        [before] = ledger.budgets([account])
        assert fits(cost_of(HISTOGRAM), before) == most
        charge(ledger, account, HISTOGRAM, 1900 if most > 1900 else most - 30)
        for _ in range(most - (1900 if most > 1900 else most - 30)):
            charge(ledger, account, HISTOGRAM)
        with pytest.raises(BudgetExceededError, match="needs rho"):
            charge(ledger, account, HISTOGRAM)
        [after] = ledger.budgets([account])
        assert 1 - Fraction(1, 1000) < after.epsilon_spent <= 1
        assert after.delta_spent <= MILLIONTH
        ledger.verify()


@pytest.mark.parametrize(
    ("event", "keys_delta", "most"),
    [
        (NoisyCount(Fraction(1, 10)), Fraction(0), 4),
        (NoisyCount(Fraction(1, 50)), Fraction(0), 121),
        (Histogram(Fraction(1, 10), groups=16), Fraction(0), 77),
        (GumbelTopK(Fraction(1, 10)), Fraction(0), 19),
        (GumbelTopK(Fraction(1, 50)), Fraction(0), 487),
    ],
)
def test_what_fits_of_each_mechanism(event: Event, keys_delta: Fraction, most: int) -> None:
    with open_ledger(None) as ledger:
        [found] = ledger.budgets([budget(keys_delta)])
        assert fits(cost_of(event), found) == most


def test_keys_spend_their_part_of_delta_and_no_more() -> None:
    keys = KeySelection(Fraction(1, 100), MILLIONTH / 20, groups=4)
    with open_ledger(None) as ledger:
        account = budget(MILLIONTH / 10)
        for _ in range(2):
            charge(ledger, account, keys)
        with pytest.raises(BudgetExceededError, match="needs delta"):
            charge(ledger, account, keys)
        [found] = ledger.budgets([account])
        assert found.delta_to_convert == MILLIONTH * 9 / 10
        assert found.delta_spent == found.delta_limit == MILLIONTH
        with pytest.raises(BudgetExceededError, match="needs delta"):
            charge(ledger, budget(Fraction(0)), keys)


def test_what_keys_spent_is_not_spent_again_when_their_part_is_made_smaller() -> None:
    """The owner may, with FORCE; then rho is converted at what is left of delta."""
    with open_ledger(None) as ledger:
        account = budget(MILLIONTH / 2)
        charge(ledger, account, KeySelection(Fraction(1, 100), MILLIONTH / 4))
        ledger.set_cap(account, Cap(Fraction(1), MILLIONTH, accounting="zcdp", keys_delta=Fraction(0)))
        [found] = ledger.budgets([account])
        assert found.delta_to_convert == MILLIONTH * 3 / 4
        left = rho_limit(Fraction(1), MILLIONTH * 3 / 4) - found.spent.rho
        assert fits(cost_of(HISTOGRAM), found) == left // cost_of(HISTOGRAM).rho


def test_a_cap_without_a_part_for_keys_is_stored_as_before() -> None:
    cap = Cap(Fraction(1), MILLIONTH, accounting="zcdp")
    assert terms_of(cap) == (
        '{"epsilon":1000000000,"delta":1000000000000,"per_query":null,"window":null,"accounting":"zcdp"}'
    )
    assert cap.delta_of_events == cap.delta_of_measure == MILLIONTH / 2
    with open_ledger(None) as ledger:
        account = Account("budget", "b")
        for keys_delta in (None, Fraction(0), MILLIONTH / 10):
            given = Cap(Fraction(1), MILLIONTH, accounting="zcdp", keys_delta=keys_delta)
            ledger.set_cap(account, given)
            assert ledger.budgets([account])[0].cap == given
        ledger.verify()


# --- budgets in mu^2, and Gaussian noise ----------------------------------------------------------


def in_mu_squared(keys_delta: Fraction = Fraction(0)) -> Account:
    return Account("budget", "g", Cap(Fraction(1), MILLIONTH, accounting="gdp", keys_delta=keys_delta))


def gaussian(epsilon: str, delta: Fraction = MILLIONTH / 10) -> GaussianNoise:
    return GaussianNoise(Fraction(epsilon), delta, most_mu_squared(Fraction(epsilon), delta))


def most(account: Account, event: Event) -> int:
    with open_ledger(None) as ledger:
        [found] = ledger.budgets([account])
        return fits(cost_of(event), found) or 0


def test_gaussian_noise_costs_no_delta_of_a_budget_in_rho_or_mu_squared() -> None:
    """In mu^2 as many as its sum allows: 15 % more than in rho, and the sum of epsilons would allow 20."""
    event = gaussian("0.05")
    assert (most(in_mu_squared(), event), most(budget(Fraction(0)), event)) == (355, 308)
    with open_ledger(None) as ledger:
        for _ in range(355):
            charge(ledger, in_mu_squared(), event)
        with pytest.raises(BudgetExceededError, match=r"needs mu squared 0\.000157731 but only"):
            charge(ledger, in_mu_squared(), event)
        [found] = ledger.budgets([in_mu_squared()])
        assert found.spent.delta == 355 * MILLIONTH / 10
        assert found.spent.keys_delta == 0
        assert 1 - Fraction(1, 100) < found.epsilon_spent <= 1
        assert found.delta_spent == MILLIONTH
        ledger.verify()


def test_other_queries_cost_more_in_mu_squared() -> None:
    assert (most(in_mu_squared(), HISTOGRAM), most(budget(Fraction(0)), HISTOGRAM)) == (1426, 1948)


def test_keys_spend_their_part_of_delta_in_mu_squared_too() -> None:
    keys = KeySelection(Fraction(1, 100), MILLIONTH / 20, groups=4)
    account = in_mu_squared(MILLIONTH / 10)
    with open_ledger(None) as ledger:
        charge(ledger, account, keys)
        charge(ledger, account, gaussian("0.05", MILLIONTH))
        charge(ledger, account, keys)
        with pytest.raises(BudgetExceededError, match=r"needs delta 0.00000005 but none remains"):
            charge(ledger, account, keys)
        [found] = ledger.budgets([account])
        assert found.delta_to_convert == MILLIONTH * 9 / 10


def test_what_adds_up_epsilon_beside_it_counts_all_of_delta() -> None:
    pure = Account("analyst", "ana", Cap(Fraction(9), MILLIONTH))
    with open_ledger(None) as ledger:
        for _ in range(10):
            ledger.charge(Charge(gaussian("0.05"), "s", "SELECT 1", (in_mu_squared(), pure)))
        with pytest.raises(BudgetExceededError, match=r"needs delta 0.0000001 but none remains") as caught:
            ledger.charge(Charge(gaussian("0.05"), "s", "SELECT 1", (in_mu_squared(), pure)))
        assert "analyst 'ana'" in caught.value.detail
        ledger.verify()


@pytest.mark.parametrize("accounting", ["zcdp", "gdp"])
@pytest.mark.parametrize("per_query", [None, Fraction(1, 1000)])
def test_a_large_delta_makes_no_epsilon_small(accounting: Accounting, per_query: Fraction | None) -> None:
    """Of (0.0001, 0.5), Gaussian noise is next to nothing: one query took a third of a lifetime of 20, and a
    session with a cap of 0.001, or PER QUERY, was charged 0.0001 for it."""
    cap = Cap(Fraction(20), MILLIONTH, per_query, accounting=accounting, keys_delta=Fraction(0))
    people, session = Account("people", "p", cap), Account("session", "s", Cap(Fraction(1, 1000)))
    with open_ledger(None) as ledger:
        large = gaussian("0.0001", Fraction(1, 2))
        with pytest.raises(BudgetExceededError, match=r"needs delta 0\.5 but one query may use 0\.000001"):
            ledger.charge(Charge(large, "s", "SELECT 1", (session, people)))
        assert fits(cost_of(large), ledger.budgets([people])[0]) == 0
        assert ledger.budgets([people])[0].spent.rho == 0
        for _ in range(10):
            ledger.charge(Charge(gaussian("0.0001", MILLIONTH), "s", "SELECT 1", (session, people)))
        with pytest.raises(BudgetExceededError, match=r"needs epsilon 0\.0001 but none remains"):
            ledger.charge(Charge(gaussian("0.0001", MILLIONTH), "s", "SELECT 1", (session, people)))
