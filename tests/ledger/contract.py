"""What every ledger must do; a store's tests inherit this class and provide the fixture `ledger`."""

from __future__ import annotations

import threading
from dataclasses import FrozenInstanceError, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest

from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import Composed, NoisyCount, NoisyTopK, PartitionSelection
from dpduck.kernel.errors import BudgetExceededError, InternalError, LedgerError, ParameterError
from dpduck.kernel.ledger import Account, Cap, Charge, Ledger, Room, StoredRelease, Subject
from dpduck.kernel.ledger.room import RoomLeft

ANA = Account("session", "ana")
PEOPLE = Account("people", "customers")
DESIGN = '{"format":1,"noise":"laplace","shares":[[[],"0.25"],[[0],"0.75"]]}'  # of a summary


def cost(epsilon: str = "0.5", delta: str = "0", **others: Any) -> Charge:
    """A charge to session ana, unless told otherwise."""
    event = PartitionSelection(Fraction(epsilon), Fraction(delta))
    fields: dict[str, Any] = {"session": "ana", "query": "SELECT 1", "accounts": (ANA,)}
    return Charge(event, **{**fields, **others})


def spent(ledger: Ledger, account: Account = ANA) -> tuple[object, object]:
    """Epsilon and delta."""
    (budget,) = ledger.budgets([account])
    return budget.epsilon_spent, budget.delta_spent


class LedgerContract:
    """The tests that do not depend on the store."""

    knows_at_once = True  # that a replay needs no record

    @pytest.fixture
    def ledger(self) -> Ledger:
        raise NotImplementedError

    def test_a_charge_is_recorded_whole(self, ledger: Ledger) -> None:
        before = datetime.now(UTC)
        charge = cost("0.25", "0.000001", analyst="bob", query="SELECT 'ä'", evaluations=3)
        assert ledger.charge(charge) == 1
        (entry,) = ledger.entries()
        assert (entry.seq, entry.session, entry.analyst) == (1, "ana", "bob")
        assert (entry.epsilon, entry.delta) == (Fraction(3, 4), Fraction(3, 10**6))
        assert (entry.mechanism, entry.query) == ("partition_selection", "SELECT 'ä'")
        assert (entry.evaluations, entry.replayed) == (3, False)
        assert entry.at.tzinfo is UTC
        assert before - timedelta(milliseconds=1) <= entry.at <= datetime.now(UTC)
        assert spent(ledger) == (Fraction(3, 4), Fraction(3, 10**6))
        ledger.verify()

    def test_the_head_is_that_of_the_last_entry(self, ledger: Ledger) -> None:
        heads = [ledger.head()]
        ledger.set_cap(ANA, Cap(Fraction(2)))
        heads.append(ledger.head())
        ledger.charge(cost())
        heads.append(ledger.head())
        assert [head.number for head in heads] == [0, 1, 2]
        assert len({head.hash for head in heads}) == 3
        assert heads[-1] == ledger.head()

    def test_a_composed_event_is_charged_in_sum(self, ledger: Ledger) -> None:
        event = Composed.of(NoisyTopK(Fraction(1, 4)), NoisyCount(Fraction(1, 8)))
        ledger.charge(Charge(event, session="ana", query="", accounts=(ANA,)))
        assert ledger.entries()[0].mechanism == "noisy_top_k+count"
        assert spent(ledger)[0] == Fraction(3, 8)

    def test_entries_are_in_order_and_of_one_session(self, ledger: Ledger) -> None:
        numbers = [ledger.charge(cost(session=name)) for name in ("ana", "bob", "ana")]
        assert numbers == [1, 2, 3]
        assert [entry.seq for entry in ledger.entries()] == [1, 2, 3]
        assert [entry.seq for entry in ledger.entries("ana")] == [1, 3]
        assert [entry.analyst for entry in ledger.entries("bob")] == [None]
        assert ledger.entries("nobody") == []

    def test_without_a_cap_all_is_recorded_and_nothing_refused(self, ledger: Ledger) -> None:
        for _ in range(3):
            ledger.charge(cost("20"))
        (budget,) = ledger.budgets([ANA])
        assert (budget.epsilon_limit, budget.epsilon_remaining) == (None, None)
        assert (budget.delta_limit, budget.delta_remaining) == (None, None)
        assert spent(ledger) == (60, 0)

    def test_a_tenth_ten_times_meets_a_cap_of_one_exactly(self, ledger: Ledger) -> None:
        ledger.set_cap(ANA, Cap(Fraction(1)))
        for _ in range(10):
            ledger.charge(cost("0.1"))
        assert ledger.budgets([ANA])[0].epsilon_remaining == 0
        with pytest.raises(BudgetExceededError):
            ledger.charge(cost("0.000000001"))
        assert len(ledger.entries()) == 10

    def test_the_smallest_delta_counts(self, ledger: Ledger) -> None:
        ledger.set_cap(ANA, Cap(None, Fraction(3, 10**18)))
        for _ in range(3):
            ledger.charge(cost("1", "1e-18"))
        with pytest.raises(BudgetExceededError, match=r"needs delta 0.000000000000000001 but none remains"):
            ledger.charge(cost("1", "1e-18"))

    def test_all_accounts_are_charged_or_none(self, ledger: Ledger) -> None:
        accounts = (ANA, Account("analyst", "bob"), Account("table", "visits"), PEOPLE)
        ledger.charge(cost("0.5", accounts=accounts))
        ledger.set_cap(PEOPLE, Cap(Fraction(1, 2)))
        with pytest.raises(BudgetExceededError):
            ledger.charge(cost("0.5", accounts=accounts))
        assert [spent(ledger, account)[0] for account in accounts] == [Fraction(1, 2)] * 4
        assert len(ledger.entries()) == 1
        ledger.verify()

    def test_the_same_name_in_two_scopes_is_two_accounts(self, ledger: Ledger) -> None:
        ledger.charge(cost(accounts=(ANA,)))
        assert spent(ledger, Account("analyst", "ana")) == (0, 0)

    def test_setting_a_cap_again_sets_it(self, ledger: Ledger) -> None:
        ledger.set_cap(ANA, Cap(Fraction(1), Fraction(0)))
        ledger.set_cap(ANA, Cap(Fraction(1), Fraction(0)))
        ledger.charge(cost("1"))
        with pytest.raises(BudgetExceededError):
            ledger.charge(cost("1"))
        ledger.set_cap(ANA, Cap(Fraction(2)))
        ledger.charge(cost("1", "0.1"))
        assert spent(ledger) == (2, Fraction(1, 10))

    def test_a_cap_below_what_is_spent_leaves_nothing(self, ledger: Ledger) -> None:
        ledger.charge(cost("2"))
        ledger.set_cap(ANA, Cap(Fraction(1)))
        assert ledger.budgets([ANA])[0].epsilon_remaining == 0
        with pytest.raises(BudgetExceededError, match="but none remains"):
            ledger.charge(cost("0.1"))

    def test_a_default_holds_from_the_first_charge_on(self, ledger: Ledger) -> None:
        people = replace(PEOPLE, default=Cap(Fraction(10), Fraction(1, 10**5)))
        with pytest.raises(BudgetExceededError):
            ledger.charge(cost("10.1", accounts=(people,)))
        ledger.charge(cost("9", accounts=(people,)))
        # Whoever charges next, with another default or with none, meets the cap that was applied.
        for account in (people, PEOPLE, replace(PEOPLE, default=Cap(Fraction(99)))):
            with pytest.raises(BudgetExceededError, match=r"needs epsilon 1.5 but only 1 remains"):
                ledger.charge(cost("1.5", accounts=(account,)))
        assert ledger.budgets()[0].delta_limit == Fraction(1, 10**5)

    def test_a_default_gives_way_to_a_cap_even_to_none(self, ledger: Ledger) -> None:
        people = replace(PEOPLE, default=Cap(Fraction(1)))
        ledger.set_cap(people, Cap())
        ledger.charge(cost("20", accounts=(people,)))
        assert ledger.budgets([people])[0].epsilon_limit is None

    def test_a_dropped_cap_makes_way_for_the_default(self, ledger: Ledger) -> None:
        people = replace(PEOPLE, default=Cap(Fraction(1)))
        ledger.set_cap(people, Cap(Fraction(20)))
        ledger.charge(cost("0.5", accounts=(people,)))
        ledger.drop_cap(people)
        with pytest.raises(BudgetExceededError, match=r"needs epsilon 0.6 but only 0.5 remains"):
            ledger.charge(cost("0.6", accounts=(people,)))

    def test_budgets_in_the_order_asked_for_or_of_all(self, ledger: Ledger) -> None:
        ledger.charge(cost(accounts=(PEOPLE, ANA)))
        new = Account("budget", "marketing", default=Cap(Fraction(3)))
        names = [(b.scope, b.name, b.epsilon_limit) for b in ledger.budgets([new, ANA])]
        assert names == [("budget", "marketing", 3), ("session", "ana", None)]
        assert [b.name for b in ledger.budgets()] == ["customers", "ana"]

    def test_the_refusal_teaches(self, ledger: Ledger) -> None:
        ledger.set_cap(PEOPLE, Cap(Fraction(1)))
        ledger.charge(cost("0.7", accounts=(PEOPLE,)))
        with pytest.raises(BudgetExceededError) as caught:
            ledger.charge(cost("0.5", accounts=(ANA, PEOPLE)))
        assert str(caught.value) == (
            "query needs epsilon 0.5 but only 0.3 remains\n"
            "DETAIL: The cap of people 'customers' is epsilon 1, of which 0.7 is spent. No data was read."
            " Nothing was charged.\n"
            "HINT: Lower epsilon to 0.3 or less, or ask the data owner for more."
        )
        assert caught.value.sqlstate == "53400"
        assert caught.value.__cause__ is None
        assert caught.value.__context__ is None

    def test_the_refusal_of_several_evaluations(self, ledger: Ledger) -> None:
        ledger.set_cap(ANA, Cap(Fraction("0.7")))
        with pytest.raises(BudgetExceededError) as caught:
            ledger.charge(cost("0.5", evaluations=2))
        assert caught.value.message == ("query needs epsilon 1 (2 evaluations of 0.5) but only 0.7 remains")
        assert caught.value.hint == "Lower epsilon to 0.35 or less, or ask the data owner for more."
        with pytest.raises(BudgetExceededError) as caught:
            ledger.charge(cost("0.5", evaluations=10_000))
        assert caught.value.hint == "Evaluate it fewer times, or ask the data owner for more."

    def test_the_refusal_names_the_budget_that_allows_least(self, ledger: Ledger) -> None:
        ledger.set_cap(ANA, Cap(Fraction("0.4")))
        ledger.set_cap(PEOPLE, Cap(Fraction("0.2")))
        for accounts in ((ANA, PEOPLE), (PEOPLE, ANA)):
            with pytest.raises(BudgetExceededError, match=r"only 0\.2 remains[\s\S]*people 'customers'"):
                ledger.charge(cost("0.5", accounts=accounts))

    def test_what_would_overflow_is_refused(self, ledger: Ledger) -> None:
        ledger.charge(cost("1", "0.9", evaluations=10))
        with pytest.raises(BudgetExceededError, match="cannot count the delta of session 'ana' further"):
            ledger.charge(cost("1", "0.9"))
        with pytest.raises(BudgetExceededError):
            ledger.charge(cost("20", evaluations=2**62))
        assert spent(ledger) == (10, 9)
        ledger.verify()

    def test_what_is_not_exact_is_refused(self, ledger: Ledger) -> None:
        for epsilon in (Fraction(1, 3), Fraction(1, 10**10), Fraction(-1)):
            with pytest.raises(InternalError):
                Charge(NoisyCount(epsilon), session="ana", query="", accounts=(ANA,))
            with pytest.raises(InternalError):
                ledger.set_cap(ANA, Cap(epsilon))
        with pytest.raises(InternalError):
            ledger.set_cap(ANA, Cap(None, Fraction(1, 10**19)))
        with pytest.raises(InternalError):
            ledger.set_cap(ANA, Cap(Fraction(10**10)))
        assert ledger.budgets() == []

    def test_text_is_kept_as_it_is(self, ledger: Ledger) -> None:
        strange = "a\0b'\";--\n🦆"
        account = Account("session", strange)
        ledger.charge(cost(session=strange, query=strange, analyst=strange, accounts=(account,)))
        (entry,) = ledger.entries(strange)
        assert (entry.session, entry.query, entry.analyst) == (strange,) * 3
        assert ledger.budgets()[0].name == strange
        ledger.verify()

    def test_an_account_is_its_id_whatever_it_is_called(self, ledger: Ledger) -> None:
        key = "people.id#0123456789abcdef"
        ledger.set_cap(Account("people", "people.id", id=key), Cap(Fraction(1)))
        ledger.charge(cost(accounts=(Account("people", "People.Code", id=key),)))
        renamed = Account("people", "persons.code", id=key.upper())
        assert spent(ledger, renamed) == (Fraction(1, 2), 0)
        with pytest.raises(BudgetExceededError, match=r"only 0\.5 remains") as caught:
            ledger.charge(cost("0.6", accounts=(renamed,)))
        assert "people 'persons.code'" in str(caught.value)
        assert [(b.name, b.key) for b in ledger.budgets()] == [("people.id", key)]
        assert ledger.entries()[0].accounts == (("people", "people.id"),)

    def test_ids_are_shown_where_names_are_not_enough(self, ledger: Ledger) -> None:
        keys = [f"people.id#{digit * 16}" for digit in "01"]
        for key in keys:
            ledger.charge(cost(accounts=(Account("people", "people.id", id=key),)))
        assert [budget.name for budget in ledger.budgets()] == keys
        assert [entry.accounts for entry in ledger.entries()] == [(("people", key),) for key in keys]

    def test_what_was_spent_under_former_names_counts(self, ledger: Ledger) -> None:
        for name, epsilon in (("visits.a", "0.25"), ("visits.b", "0.5"), ("others", "0.125")):
            ledger.charge(cost(epsilon, accounts=(Account("people", name),)))
        ledger.set_cap(Account("people", "visits.b"), Cap(Fraction(1)))
        now = Account("people", "visits.c", Cap(Fraction(9)), former=("Visits.A", "visits.b"))
        assert spent(ledger, now) == (Fraction(3, 4), 0)
        ledger.charge(cost("0.25", accounts=(now,)))
        with pytest.raises(BudgetExceededError, match="none remains"):
            ledger.charge(cost("0.25", accounts=(now,)))
        ledger.set_cap(now, Cap(Fraction(2)))
        ledger.charge(cost("1", accounts=(now,)))
        assert spent(ledger, now) == (Fraction(2), 0)
        ledger.verify()

    def test_what_was_spent_in_a_window_counts_once_there_is_none(self, ledger: Ledger) -> None:
        team = Account("budget", "team")
        ledger.set_cap(team, Cap(Fraction(3), window="month"))
        ledger.charge(cost("2", accounts=(team,)))
        ledger.set_cap(team, Cap(Fraction(3)))
        assert spent(ledger, team) == (Fraction(2), 0)
        with pytest.raises(BudgetExceededError, match="only 1 remains"):
            ledger.charge(cost("1.5", accounts=(team,)))

    def test_spellings_of_older_versions_are_added_up(self, ledger: Ledger) -> None:
        for name in ("People.Id", "PEOPLE.id", "people.id"):
            account = Account("people", name)
            object.__setattr__(account, "key", name)  # as they were stored
            ledger.set_cap(account, Cap(Fraction(2)))
            seq = ledger.charge(cost(accounts=(account,)))
        with pytest.raises(BudgetExceededError, match=r"only 0\.5 remains"):
            ledger.charge(cost("0.6", accounts=(Account("people", "People.Id"),)))
        ledger.charge(cost("0.5", accounts=(Account("people", "People.Id"),)))
        assert [(b.name, b.epsilon_spent) for b in ledger.budgets()] == [("people.id", Fraction(2))]
        ledger.settle(seq, used=PartitionSelection(Fraction(1, 4)))
        assert spent(ledger, Account("people", "people.id")) == (Fraction(7, 4), 0)
        ledger.verify()

    def test_threads_share_a_cap_exactly(self, ledger: Ledger) -> None:
        ledger.set_cap(ANA, Cap(Fraction(2)))
        refused = []

        def spend() -> None:
            for _ in range(5):
                try:
                    ledger.charge(cost("0.1"))
                except BudgetExceededError:
                    refused.append(1)

        threads = [threading.Thread(target=spend) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(refused) == 20
        assert spent(ledger) == (2, 0)
        assert [entry.seq for entry in ledger.entries()] == list(range(1, 21))
        ledger.verify()

    def test_a_settlement_gives_back_what_was_not_used(self, ledger: Ledger) -> None:
        ledger.set_cap(ANA, Cap(Fraction(1)))
        seq = ledger.charge(cost("0.8", accounts=(ANA, PEOPLE)))
        ledger.settle(seq, PartitionSelection(Fraction("0.3")))
        assert spent(ledger) == spent(ledger, PEOPLE) == (Fraction("0.3"), 0)
        assert [entry.epsilon for entry in ledger.entries()] == [Fraction("0.3")]
        ledger.charge(cost("0.7"))
        ledger.verify()

    def test_it_settles_once_and_never_gives_more_than_was_charged(self, ledger: Ledger) -> None:
        seq = ledger.charge(cost("0.5"))
        with pytest.raises(InternalError):
            ledger.settle(seq, NoisyCount(Fraction("0.6")))
        with pytest.raises(InternalError, match="settled once"):
            ledger.settle(seq + 1)
        ledger.settle(seq)
        with pytest.raises(InternalError, match="settled once"):
            ledger.settle(seq, NoisyCount(Fraction("0.1")))
        assert spent(ledger) == (Fraction(1, 2), 0)
        ledger.verify()

    def test_an_answer_is_kept_with_its_charge(self, ledger: Ledger) -> None:
        kept = [
            StoredRelease("visits", version, f'{{"n": "{version}"}}', '[["ä\\u0000"]]')
            for version in ("1", "2", "1")
        ]
        for answer in kept:
            ledger.settle(ledger.charge(cost("0.5", "1e-9")), answer=answer)
        found = ledger.kept("visits", "1")
        assert [(one.seq, one.epsilon, one.delta) for one in found] == [
            (seq, Fraction(1, 2), Fraction(1, 10**9)) for seq in (3, 1)
        ]
        assert [one.description for one in found] == [kept[0].description] * 2
        assert ledger.answer(2) == kept[1]
        assert ledger.kept("visits", "3") == ledger.kept("orders", "1") == []
        assert ledger.same("visits", "1", kept[0].description) == found
        assert ledger.same("visits", "1", kept[1].description) == []
        assert ledger.same("visits", "1", kept[0].description, "nobody") == []
        with pytest.raises(LedgerError, match="does not add up"):
            ledger.answer(4)
        ledger.verify()

    def test_a_replay_is_free_but_for_budgets_that_have_not_paid(self, ledger: Ledger) -> None:
        ledger.charge(cost("0.5", accounts=(ANA, PEOPLE)))
        assert ledger.replay(cost("0.5", accounts=(ANA, PEOPLE)), 1) == 0
        team = Account("budget", "team", Cap(Fraction("0.6")))
        bob = cost("0.5", session="bob", analyst="bob", accounts=(Account("analyst", "bob"), team, PEOPLE))
        assert [ledger.replay(bob, 1) for _ in range(3)] == [Fraction(1, 2), 0, 0]
        assert spent(ledger, team) == spent(ledger, Account("analyst", "bob")) == (Fraction(1, 2), 0)
        assert spent(ledger, PEOPLE) == (Fraction(1, 2), 0)
        assert [(e.session, e.epsilon, e.replayed) for e in ledger.entries()] == [
            ("ana", Fraction(1, 2), False),
            ("ana", 0, True),
            ("bob", Fraction(1, 2), True),
        ]
        ledger.charge(cost("0.5"))
        # What it cannot pay is as if nobody had asked: the price would tell of the answer.
        assert ledger.replay(replace(bob, query="another"), 4) is None
        with pytest.raises(BudgetExceededError, match=r"only 0\.1 remains"):
            ledger.charge(replace(bob, query="another"))
        ledger.verify()

    def test_a_replay_that_needs_no_record_is_known_without_waiting(self, ledger: Ledger) -> None:
        team = Account("budget", "team", Cap(Fraction(1)))
        ledger.charge(cost("0.5", accounts=(ANA,)))
        ledger.settle(1, None, StoredRelease("visits", "1", "{}", "[]"))
        plain, owing = cost("0.5", accounts=(ANA,)), cost("0.5", session="bob", accounts=(ANA, team))
        assert not ledger.is_replayed(plain, 1)
        for charge in (plain, owing):
            ledger.replay(charge, 1)
        before = len(ledger.entries())
        known = self.knows_at_once
        assert ledger.is_replayed(plain, 1) == ledger.is_replayed(owing, 1) == known
        assert not ledger.is_replayed(replace(plain, session="carl"), 1)
        other = Account("budget", "others", Cap(Fraction(1)))
        assert not ledger.is_replayed(replace(plain, accounts=(ANA, other)), 1)
        assert len(ledger.entries()) == before

    def test_a_summary_is_kept_with_its_charge_under_a_name(self, ledger: Ledger) -> None:
        place, kept = Subject("summary", "shop"), StoredRelease("people", "1", DESIGN, "[[1,2]]")
        paid = cost("1", of_summary=True, query="CREATE")
        first = ledger.charge_summary(paid, place, "Board", "CREATE", is_new=True)
        seq = first.seq
        assert (ledger.summaries(place).names, ledger.has_summary(seq)) == ({"board": seq}, False)
        with pytest.raises(ParameterError, match="there is a summary board already"):
            ledger.charge_summary(paid, place, "board", "CREATE", is_new=True)
        assert spent(ledger)[0] == 1  # the refused one cost nothing
        assert ledger.settle_summary(first, kept, place, "Board", "CREATE", None)
        assert (ledger.summary(seq), ledger.kept_summary("board", seq).event) == (kept, paid.event)
        assert ledger.summaries(Subject("summary", "other")).names == {}
        ledger.verify()
        second = ledger.charge_summary(paid, place, "board", "REFRESH", is_new=False, before=seq)
        again = second.seq
        assert ledger.summaries(place).names == {"board": seq}  # until the new one is there
        assert ledger.settle_summary(second, kept, place, "board", "REFRESH", "bob")
        known = ledger.summaries(place)
        assert known.names == {"board": again}
        assert ledger.summaries(place, known) is known
        assert ledger.drop_summary(place, "BOARD", "DROP", None)
        assert not ledger.drop_summary(place, "board", "DROP", None)
        assert ledger.summaries(place, known).names == {}
        assert [entry.mechanism for entry in ledger.entries()] == ["summary", "summary"]
        assert [(p.statement, p.who) for p in ledger.policies() if p.subject == place] == [
            ("CREATE", "owner"),
            ("REFRESH", "bob"),
            ("DROP", "owner"),
        ]
        ledger.verify()

    def test_a_summary_takes_no_name_that_others_changed_meanwhile(self, ledger: Ledger) -> None:
        place, kept = Subject("summary", "shop"), StoredRelease("people", "1", DESIGN, "[[1,2]]")
        paid = cost("1", of_summary=True, query="CREATE")
        first = ledger.charge_summary(paid, place, "board", "CREATE", is_new=True)
        ledger.settle_summary(first, kept, place, "board", "CREATE", None)
        renewed = ledger.charge_summary(paid, place, "board", "REFRESH", is_new=False, before=first.seq)
        ledger.drop_summary(place, "board", "DROP", None)
        assert not ledger.settle_summary(renewed, kept, place, "board", "REFRESH", None)
        assert ledger.summaries(place).names == {}
        other = ledger.charge_summary(paid, place, "board", "REPLACE", is_new=False)
        new = ledger.charge_summary(paid, place, "board", "CREATE", is_new=True)
        ledger.settle_summary(new, kept, place, "board", "CREATE", "ana")
        assert not ledger.settle_summary(other, kept, place, "board", "REPLACE", "bob")
        charged = spent(ledger)[0]
        for before in (None, first.seq):
            with pytest.raises(ParameterError, match="made anew or dropped meanwhile"):
                ledger.charge_summary(paid, place, "board", "REPLACE", is_new=False, before=before)
        assert (ledger.summaries(place).names, spent(ledger)[0]) == ({"board": new.seq}, charged)
        ledger.verify()

    def test_each_question_to_a_summary_is_on_record_once(self, ledger: Ledger) -> None:
        place, paid = Subject("summary", "shop"), cost("1", of_summary=True)
        made = ledger.charge_summary(paid, place, "board", "CREATE", is_new=True)
        ledger.settle_summary(made, StoredRelease("", "", DESIGN, ""), place, "board", "CREATE", None)
        seq = made.seq
        for query in ("a", "b", "a"):
            assert ledger.replay(replace(paid, query=query), seq) == 0
        assert ledger.replay(replace(paid, query="a", session="other"), seq) == 0
        asked = [(entry.query, entry.epsilon, entry.mechanism) for entry in ledger.entries()[1:]]
        assert asked == [("a", 0, "summary"), ("b", 0, "summary"), ("a", 0, "summary")]
        team = Account("budget", "team", default=Cap(Fraction(3, 2)))
        with_team = replace(paid, accounts=(ANA, team))
        assert ledger.replay(replace(with_team, query="c"), seq) == 1
        assert ledger.replay(replace(with_team, query="d"), seq) == 0
        poor = replace(paid, accounts=(ANA, Account("budget", "poor", default=Cap(Fraction(1, 2)))))
        assert ledger.replay(replace(poor, query="e"), seq) is None
        ledger.verify()

    def test_caps_of_one_query_and_under_zcdp(self, ledger: Ledger) -> None:
        ledger.set_cap(ANA, Cap(Fraction(9), per_query=Fraction("0.5")))
        with pytest.raises(BudgetExceededError, match=r"needs epsilon 0\.6 but one query may use 0\.5"):
            ledger.charge(cost("0.6"))
        ledger.set_cap(ANA, Cap(Fraction(1), Fraction(1, 10**6), accounting="zcdp"))
        ledger.charge(cost("0.1"))
        (budget,) = ledger.budgets([ANA])
        assert (budget.cap.accounting, budget.spent.epsilon) == ("zcdp", Fraction(1, 10))
        assert budget.spent.rho == cost_of(NoisyCount(Fraction(1, 10))).rho
        assert Fraction("0.4") < budget.epsilon_spent < Fraction("0.5")
        with pytest.raises(BudgetExceededError, match="needs rho"):
            ledger.charge(cost("0.3"))
        with pytest.raises(InternalError, match="needs an epsilon and a delta"):
            Cap(Fraction(1), accounting="zcdp")
        ledger.verify()

    def test_a_cap_with_a_window_names_its_period(self, ledger: Ledger) -> None:
        ledger.set_cap(ANA, Cap(Fraction(1), window="month"))
        ledger.charge(cost("0.8"))
        (budget,) = ledger.budgets([ANA])
        assert (budget.period, budget.epsilon_remaining) == (f"{datetime.now(UTC):%Y-%m}", Fraction("0.2"))
        with pytest.raises(BudgetExceededError, match=rf"session 'ana' in {budget.period}"):
            ledger.charge(cost("0.8"))
        ledger.verify()

    def test_a_closed_ledger_says_so(self, ledger: Ledger) -> None:
        ledger.close()
        ledger.close()
        with pytest.raises(LedgerError, match="ledger is closed"):
            ledger.charge(cost())

    # --- the room for kept numbers -----------------------------------------------------------------

    def test_kept_numbers_are_counted_by_who_paid(self, ledger: Ledger) -> None:
        assert ledger.kept_bytes() == {}
        answer = StoredRelease("s", "v", "d", "\u00e4" * 500)  # of two bytes each
        for analyst in ("ana", "ana", "bob", None):
            ledger.settle(ledger.charge(cost(analyst=analyst)), None, answer)
        assert ledger.kept_bytes() == {"ana": 2006, "bob": 1003, None: 1003}
        assert answer.size == 1003

    def test_an_analyst_has_a_quarter_and_the_owner_the_rest(self, ledger: Ledger) -> None:
        ledger.room = Room(4000)
        assert (ledger.room_left("ana"), ledger.room_left(None)) == (
            RoomLeft(1000, 4000),
            RoomLeft(4000, 4000),
        )
        ledger.settle(ledger.charge(cost(analyst="ana")), None, StoredRelease("", "", "", "x" * 900))
        assert (ledger.room_left("ana"), ledger.room_left("bob")) == (
            RoomLeft(100, 3100),
            RoomLeft(1000, 3100),
        )
        with ledger.holding("ana", 101) as fits:
            assert not fits
        with ledger.holding("ana", 100) as fits:
            assert fits
            assert ledger.room_left("ana") == RoomLeft(0, 3000)
            with ledger.holding("ana", 1) as other:
                assert not other
        assert ledger.room_left("ana") == RoomLeft(100, 3100)

    def test_many_threads_never_pass_the_room(self, ledger: Ledger) -> None:
        ledger.room = Room(40_000)
        gate = threading.Barrier(8)

        def keep() -> None:
            gate.wait()
            for _ in range(3):
                answer = StoredRelease("", "", "", "x" * 1000)
                seq = ledger.charge(cost("0.01", analyst="ana"))
                with ledger.holding("ana", answer.size) as fits:
                    ledger.settle(seq, None, answer if fits else None)

        threads = [threading.Thread(target=keep) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert ledger.kept_bytes() == {"ana": 10_000}
        assert len(ledger.entries()) == 24
        ledger.verify()

    def test_dropped_and_replaced_summaries_are_freed(self, ledger: Ledger) -> None:
        subject, contents = Subject("summary", "db", "here"), StoredRelease("s", "v", DESIGN, "[]" * 500)
        charge = replace(cost("1"), event=NoisyCount(Fraction(1)), of_summary=True)
        seqs, before = [], None
        for number in range(3):
            paid = ledger.charge_summary(charge, subject, "a", "text", is_new=not number, before=before)
            assert ledger.settle_summary(paid, contents, subject, "a", "text", None)
            seqs.append(before := paid.seq)
            assert ledger.kept_bytes() == {None: contents.size}
        assert [ledger.has_summary(seq) for seq in seqs] == [False, False, True]
        assert ledger.summary(seqs[0]) is None  # gone, and not damaged
        assert ledger.summary(seqs[2]) == contents
        ledger.drop_summary(subject, "a", "text", None)
        assert ledger.kept_bytes() == {}
        ledger.verify()


class TestRecords:
    """What is refused before any store is asked."""

    def test_wrong_charges(self) -> None:
        with pytest.raises(InternalError, match="0 evaluations"):
            cost(evaluations=0)
        for accounts in ((), (ANA, PEOPLE, ANA), (ANA, Account("session", "ana", Cap(Fraction(1))))):
            with pytest.raises(InternalError, match="at least one account, and each of them once"):
                cost(accounts=accounts)

    def test_wrong_accounts(self) -> None:
        with pytest.raises(InternalError, match="scope 'planet'"):
            Account("planet", "earth")  # type: ignore[arg-type]
        with pytest.raises(InternalError, match="cannot be recorded exactly"):
            Account("session", "ana", default=Cap(Fraction(1, 3)))
        with pytest.raises(InternalError, match="cannot be recorded exactly"):
            Account("session", "ana", default=Cap(0.5))  # type: ignore[arg-type]

    def test_half_a_surrogate_pair_is_not_text(self) -> None:
        for field in ("session", "query", "analyst"):
            with pytest.raises(ParameterError, match=f"{field} is not valid Unicode"):
                cost(**{field: "\ud800"})
        with pytest.raises(ParameterError, match="name of the session"):
            Account("session", "\udfff")

    def test_records_are_frozen(self) -> None:
        with pytest.raises(FrozenInstanceError):
            cost().session = "bob"  # type: ignore[misc]
