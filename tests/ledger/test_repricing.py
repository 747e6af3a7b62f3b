"""What an entry charged or gave back is computed again from the event that it records."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest

from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.event_records import read_event, write_event
from dpduck.kernel.accounting.events import (
    AboveThreshold,
    Composed,
    Event,
    GaussianNoise,
    GumbelTopK,
    Histogram,
    NoisyCount,
    NoisyTopK,
    PartitionSelection,
)
from dpduck.kernel.errors import InternalError, LedgerError
from dpduck.kernel.ledger import (
    Account,
    Cap,
    Charge,
    Ledger,
    StoredRelease,
    Subject,
    open_ledger,
    repricing,
    verify,
)
from dpduck.kernel.ledger.chain import FIELDS, ChainEntry, start_of
from dpduck.kernel.ledger.policies import last_upgrade_to
from dpduck.kernel.ledger.sqlite_upgrade import OBJECTS
from dpduck.kernel.ledger.transactions import Transaction
from dpduck.kernel.ledger.versions import RECORDS_EVENTS
from tests.ledger.contract import DESIGN, cost
from tests.mechanisms.mutation import Mutant, pair_of_tests

ANA = Account("session", "ana")
TEAM = Account("budget", "team", Cap(Fraction(3)))
TENTH = Fraction(1, 10)

# The numbers of the entries of `fill`.
SELECTION, TOP, SETTLED, GIVEN_BACK, OWED, FREE, COUNTED = 1, 2, 3, 4, 6, 7, 8

EVENTS: dict[int, Event | None] = {
    SELECTION: PartitionSelection(Fraction(1, 2), Fraction(1, 10**6)),
    TOP: Composed.of(GumbelTopK(TENTH, k=4), NoisyCount(TENTH)),
    SETTLED: Composed.of(AboveThreshold(Fraction(1, 2), k=2), NoisyCount(Fraction(1, 4))),
    GIVEN_BACK: Composed.of(AboveThreshold(Fraction(1, 3), k=2)),
    OWED: None,
    FREE: None,
    COUNTED: NoisyCount(TENTH),
}


def fill(ledger: Ledger) -> None:
    """Charges of all sorts, one that gives something back, and two that give its answer again."""
    for number in (SELECTION, TOP, SETTLED):
        ledger.charge(charge(EVENTS[number]))
    ledger.settle(3, EVENTS[GIVEN_BACK], StoredRelease("sales", "1", "{}", "[]"))
    bob = Charge(NoisyCount(Fraction(2)), "bob", "SELECT 1", (TEAM,), "bob")
    assert ledger.replay(bob, 3) == Fraction("0.333333334")
    assert ledger.replay(replace(bob, session="eve"), 3) == 0
    ledger.charge(charge(EVENTS[COUNTED], evaluations=3))


def charge(event: Event | None, **others: int) -> Charge:
    assert event is not None
    return Charge(event, "ana", "SELECT 1", (ANA,), "ana", **others)


def test_an_entry_holds_its_event() -> None:
    with open_ledger(None) as ledger:
        fill(ledger)
        assert ledger.verify() == 0
        rows = ledger._read(lambda db: db.run("SELECT number, kind, mechanism, event FROM entry"))
    held = {number: None if event is None else read_event(event) for number, _, _, event in rows}
    assert {number: held[number] for number in EVENTS} == EVENTS
    assert [kind for number, kind, _, _ in rows if number not in EVENTS] == ["cap"]
    assert rows[TOP - 1][1:3] == ("charge", "noisy_top_k+count")  # the label is for people


# --- what was changed ----------------------------------------------------------------------------

Edit = str | Callable[[Transaction], object]


def found_in(*edits: Edit, fill: Callable[[Ledger], None] = fill, seals: bool = True) -> str:
    """What is said of a ledger that its owner changed, as a rule with all hashes made anew; '' if nothing."""
    with open_ledger(None) as ledger:
        fill(ledger)
        assert _said(ledger) == ""
        ledger._write(partial(_edit, edits=(*edits, _sealed_again) if seals else edits))
        return _said(ledger)


def _said(ledger: Ledger) -> str:
    try:
        ledger.verify()
    except LedgerError as error:
        return error.detail
    return ""


def _edit(db: Transaction, *, edits: tuple[Edit, ...]) -> None:
    triggers = [(name, sql) for kind, name, _, sql in db.run(OBJECTS) if kind == "trigger"]
    for name, _ in triggers:
        db.run(f"DROP TRIGGER {name}")
    for edit in edits:
        db.run(edit) if isinstance(edit, str) else edit(db)
    for _, sql in triggers:
        db.run(sql)


def _sealed_again(db: Transaction) -> None:
    before = start_of(db.ledger_id).hash
    for row in db.run(f"SELECT {', '.join(FIELDS)} FROM entry ORDER BY number"):
        before = ChainEntry(*row).seal(before)
        db.run("UPDATE entry SET hash = :hash WHERE number = :number", {"hash": before, "number": row[0]})


def records(number: int, event: Event | str | None) -> str:
    """Write another event into an entry."""
    text = write_event(event) if isinstance(event, Event) else event
    value = "NULL" if text is None else "'" + text.replace("'", "''") + "'"
    return f"UPDATE entry SET event = {value} WHERE number = {number}"


def parameter(number: int, **values: object) -> Callable[[Transaction], object]:
    """Write other parameters into the event of an entry."""

    def change(db: Transaction) -> None:
        [(text,)] = db.run("SELECT event FROM entry WHERE number = :number", {"number": number})
        held = {**json.loads(text), **values}
        db.run(records(number, json.dumps(held, sort_keys=True, separators=(",", ":"))))

    return change


COSTS = "charges another amount than its event costs"
LEAVES = "gives back another amount than its event leaves"
OTHERS = "records mechanisms that were not charged"
UNREADABLE, NONE = "records an event that is not readable", "records no event"
PRICES: list[tuple[int, Edit, str]] = [
    (SELECTION, parameter(SELECTION, epsilon="1/4"), COSTS),
    (SELECTION, parameter(SELECTION, delta="1/10000000"), COSTS),
    (SELECTION, records(SELECTION, NoisyCount(Fraction(1, 2))), COSTS),
    (TOP, records(TOP, Composed.of(GumbelTopK(TENTH, k=5), NoisyCount(TENTH))), COSTS),  # of rho alone
    (TOP, records(TOP, Composed.of(NoisyTopK(TENTH, k=4), NoisyCount(TENTH))), COSTS),
    (TOP, records(TOP, Composed.of(GumbelTopK(TENTH, k=4))), COSTS),
    (COUNTED, f"UPDATE entry SET evaluations = 2 WHERE number = {COUNTED}", COSTS),
    (COUNTED, f"UPDATE entry SET epsilon = epsilon - 1 WHERE number = {COUNTED}", COSTS),
    (COUNTED, f"UPDATE entry SET delta = 1 WHERE number = {COUNTED}", COSTS),
    (COUNTED, f"UPDATE entry SET rho = rho - 1 WHERE number = {COUNTED}", COSTS),
    (GIVEN_BACK, records(GIVEN_BACK, AboveThreshold(Fraction(1, 2), k=2)), LEAVES),
    (GIVEN_BACK, records(GIVEN_BACK, AboveThreshold(Fraction(3, 4), k=2)), LEAVES),
    (GIVEN_BACK, records(GIVEN_BACK, AboveThreshold(Fraction(5), k=2)), LEAVES),
    (GIVEN_BACK, f"UPDATE entry SET epsilon = epsilon + 1 WHERE number = {GIVEN_BACK}", LEAVES),
    (GIVEN_BACK, f"UPDATE entry SET rho = 1 WHERE number = {GIVEN_BACK}", LEAVES),
    (GIVEN_BACK, records(GIVEN_BACK, None), NONE),
    (GIVEN_BACK, records(GIVEN_BACK, Composed.of(*[NoisyCount(Fraction(1, 6))] * 2)), OTHERS),
    (GIVEN_BACK, records(GIVEN_BACK, NoisyTopK(Fraction(1, 3), k=2)), OTHERS),
    (SELECTION, records(SELECTION, None), NONE),
    (COUNTED, parameter(COUNTED, event="count"), UNREADABLE),
    (COUNTED, parameter(COUNTED, k=3), UNREADABLE),
    (COUNTED, parameter(COUNTED, epsilon="1e999999999"), UNREADABLE),
    (COUNTED, parameter(COUNTED, epsilon="1" * 3000), UNREADABLE),  # whose rho nobody computes
    (COUNTED, records(COUNTED, ""), UNREADABLE),
    (COUNTED, records(COUNTED, "null"), UNREADABLE),
    (COUNTED, records(COUNTED, '{"event":"noisy_count"'), UNREADABLE),
    (COUNTED, records(COUNTED, "[" * 100_000), UNREADABLE),
    (GIVEN_BACK, records(GIVEN_BACK, "{}"), UNREADABLE),
    (OWED, f"UPDATE entry SET epsilon = 0 WHERE number = {OWED}", "charges another amount than its answer"),
    (FREE, f"UPDATE entry SET epsilon = 1 WHERE number = {FREE}", "charges another amount than its answer"),
    (OWED, f"UPDATE entry SET about = 1 WHERE number = {OWED}", "charges another amount than its answer"),
    (FREE, f"UPDATE entry SET about = 4 WHERE number = {FREE}", "repeats no answer"),
    (FREE, f"UPDATE entry SET about = 99 WHERE number = {FREE}", "repeats no answer"),
]


@pytest.mark.parametrize(("number", "edit", "said"), PRICES)
def test_a_price_that_is_not_that_of_its_event(number: int, edit: Edit, said: str) -> None:
    """Whoever changes it and makes all hashes anew must also find an event that costs as much."""
    assert found_in(edit) == f"Entry {number} {said}. Nothing was charged."


@pytest.mark.parametrize(
    "event",
    [
        NoisyTopK(TENTH, k=1),  # of the same price
        NoisyCount(TENTH * 2),
        "{}",
        None,
    ],
)
def test_another_event_breaks_the_chain(event: Event | str | None) -> None:
    said = found_in(records(COUNTED, event), seals=False)
    assert said.startswith(f"Entry {COUNTED} is not the one that was written")


def test_an_edit_that_changes_nothing_is_not_found() -> None:
    """Else the tests around it would show nothing."""
    assert found_in(records(COUNTED, EVENTS[COUNTED])) == ""


def say(db: Transaction, detail: str) -> None:
    """Forge an entry by which all before it would be of an older version."""
    [(number, at)] = db.run("SELECT max(number) + 1, max(at) FROM entry")
    text = "ledger upgraded from version 3 to version 5"
    link = ChainEntry(number, "policy", None, at, "", None, "", text, 1, 0, 0, 0, "[]", None, detail)
    names = ", ".join(f":{name}" for name in FIELDS)
    values = {name: getattr(link, name) for name in FIELDS}
    db.run(f"INSERT INTO entry ({', '.join(FIELDS)}, hash) VALUES ({names}, '')", values)


@pytest.mark.parametrize(
    "detail", ['{"part": "stored"}', "{", "[]", "17", "", "[" * 100_000, '{"parts": "ledger"}']
)
def test_only_an_upgrade_makes_entries_old(detail: str) -> None:
    said = found_in(records(SELECTION, None), lambda db: say(db, detail))
    assert said.startswith(f"Entry {SELECTION} records no event")


# --- what cannot be written ----------------------------------------------------------------------


class _Nameless(NoisyCount):
    pass


def test_an_event_without_a_name_is_not_charged() -> None:
    with open_ledger(None) as ledger:
        with pytest.raises(InternalError, match="no name"):
            ledger.charge(charge(_Nameless(TENTH)))
        assert ledger.entries() == ledger.budgets() == []
        seq = ledger.charge(charge(AboveThreshold(TENTH)))
        with pytest.raises(InternalError, match="no name"):
            ledger.settle(seq, _Nameless(TENTH / 2))
        ledger.settle(seq, AboveThreshold(TENTH / 2))
        ledger.verify()


def test_a_replay_of_an_unsettled_charge_costs_all_of_it() -> None:
    with open_ledger(None) as ledger:
        ledger.charge(cost("0.5", "1e-9"))
        assert ledger.replay(cost("0.5", "1e-9", accounts=(TEAM,)), 1) == Fraction(1, 2)
        ledger.settle(1, PartitionSelection(Fraction(1, 4), Fraction(1, 10**9)))
        assert ledger.replay(cost("0.5", "1e-9", session="eve", accounts=(TEAM,)), 1) == 0
        other = Account("budget", "other")
        assert ledger.replay(cost("0.5", "1e-9", accounts=(other,)), 1) == Fraction(1, 4)
        ledger.verify()


@pytest.mark.slow
def test_a_price_of_many_evaluations_is_read_in_time() -> None:
    """As a function of `register` settles the calls of one chunk of rows."""
    used = Composed.of(*[Composed.of(AboveThreshold(TENTH, k=2), NoisyCount(TENTH))] * 2048)
    with open_ledger(None) as ledger:
        event = Composed.of(AboveThreshold(2 * TENTH, k=2), NoisyCount(TENTH))
        ledger.settle(ledger.charge(charge(event, evaluations=2048)), used)
        (budget,) = ledger.budgets([ANA])
        assert budget.epsilon_spent == used.epsilon
        assert budget.spent.rho == cost_of(event).rho * 2048
        ledger.verify()


# --- mutants -------------------------------------------------------------------------------------


def check_prices(*numbers: int) -> None:
    for number, edit, said in PRICES:
        if number in numbers:
            assert said in found_in(edit)


def _check(*numbers: int) -> Callable[[], object]:
    return partial(check_prices, *numbers)


CHARGES, SETTLEMENTS, REPLAYS = _check(SELECTION, TOP, COUNTED), _check(GIVEN_BACK), _check(OWED, FREE)
SUMS = verify._Sums

MUTANTS = [
    Mutant(
        "charges are not re-priced", SUMS._add_charge, "return find_in_charge(link)", "return None", CHARGES
    ),
    Mutant(
        "replays are not re-priced",
        SUMS._add_charge,
        "return find_in_replay(link, self.charges.get(link.about), self.settled.get(link.about))",
        "return None",
        REPLAYS,
    ),
    Mutant(
        "settlements are not re-priced",
        SUMS._add_settlement,
        "return find_in_settlement(link, charge)",
        "return None",
        SETTLEMENTS,
    ),
    Mutant("all is old", SUMS._is_old, "link.number < self.recorded_after", "True", CHARGES),
    Mutant(
        "an upgrade is not looked for",
        verify.verify,
        "if version >= RECORDS_EVENTS else None)",
        "if version < RECORDS_EVENTS else None)",
        SETTLEMENTS,
    ),
    Mutant("no event is fine", repricing.find_in_charge, "return _NO_EVENT", "return None", CHARGES),
    Mutant(
        "nothing used is fine",
        repricing.find_in_settlement,
        "if amounts_of(link) == Cost() else _NO_EVENT",
        "",
        SETTLEMENTS,
    ),
    Mutant(
        "any mechanism gives back",
        repricing.find_in_settlement,
        "not _parts(used) <= charged",
        "False",
        SETTLEMENTS,
    ),
    Mutant("evaluations do not count", repricing.find_in_charge, " * link.evaluations", "", CHARGES),
    Mutant(
        "epsilon alone is compared",
        repricing.find_in_charge,
        "amounts_of(link) == price",
        "amounts_of(link).epsilon == price.epsilon",
        CHARGES,
    ),
    Mutant("any charge is an answer", repricing.find_in_replay, "charge.about is not None", "False", REPLAYS),
]

test_mutants_are_caught, test_the_checks_pass = pair_of_tests(MUTANTS)


def test_a_new_ledger_was_never_upgraded() -> None:
    with open_ledger(None) as ledger:
        fill(ledger)
        ledger.put_analyst("ledger upgraded from version 3 to version 5", "SCRAM")
        assert ledger._read(lambda db: last_upgrade_to(db, RECORDS_EVENTS)) == 0


GAUSSIAN = GaussianNoise(Fraction(1), Fraction(1, 10**6), Fraction(1, 20))
LAPLACE = Composed.of(NoisyCount(Fraction(1, 4)), Histogram(Fraction(3, 4)))
PARTS = '"shares":[[[],"0.01"],[[0],"0.04"]]'
OF_GAUSSIAN = f'{{"format":1,"noise":"gaussian","epsilon":"1","delta":"0.000001",{PARTS}}}'


@pytest.mark.parametrize(
    ("event", "description", "said"),
    [
        (LAPLACE, DESIGN, None),
        (LAPLACE, DESIGN.replace("0.25", "0.26"), "other parts"),
        (NoisyCount(Fraction(1, 2)), DESIGN, "other parts"),
        (GAUSSIAN, OF_GAUSSIAN, None),
        (GAUSSIAN, OF_GAUSSIAN.replace("0.04", "0.05"), "other parts"),
        (GAUSSIAN, OF_GAUSSIAN.replace('"1"', '"2"'), "other parts"),
        (GAUSSIAN, OF_GAUSSIAN.replace("0.000001", "0.00001"), "other parts"),
        (LAPLACE, OF_GAUSSIAN, "other parts"),
        (GAUSSIAN, OF_GAUSSIAN.replace('"gaussian"', '"laplace"'), "other parts"),
        (LAPLACE, DESIGN.replace("0.25", "a quarter"), "not readable"),
        (LAPLACE, "no design", "not readable"),
        (LAPLACE, '{"format":2}', None),
    ],
)
def test_the_parts_of_a_summary_add_up_to_its_charge(
    event: Event, description: str, said: str | None
) -> None:
    place = Subject("summary", "shop")
    with open_ledger(None) as ledger:
        paid = replace(charge(event), of_summary=True)
        made = ledger.charge_summary(paid, place, "board", "CREATE", is_new=True)
        ledger.settle_summary(made, StoredRelease("", "", description, ""), place, "board", "CREATE", None)
        if said is None:
            ledger.verify()
            return
        with pytest.raises(LedgerError, match=f"The summary of charge 1 .*{said}"):
            ledger.verify()
