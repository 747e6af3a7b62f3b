"""Budgets that add up rho: how much they admit, and how their delta is shared."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpduck.accounting.composition import cost_of
from dpduck.accounting.conversion import rho_limit
from dpduck.accounting.events import Event, GumbelTopK, Histogram, KeySelection, NoisyCount
from dpduck.errors import BudgetExceededError
from dpduck.ledger import Account, Cap, Charge, Ledger, open_ledger
from dpduck.ledger.admission import fits
from dpduck.ledger.transactions import terms_of

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
    assert cap.delta_of_events == cap.delta_of_rho == MILLIONTH / 2
    with open_ledger(None) as ledger:
        account = Account("budget", "b")
        for keys_delta in (None, Fraction(0), MILLIONTH / 10):
            given = Cap(Fraction(1), MILLIONTH, accounting="zcdp", keys_delta=keys_delta)
            ledger.set_cap(account, given)
            assert ledger.budgets([account])[0].cap == given
        ledger.verify()
