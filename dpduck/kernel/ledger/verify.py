"""Verify a ledger: recompute everything that follows from the chain, and compare."""

from __future__ import annotations

import json
import operator
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from dpduck.kernel.accounting.composition import Cost
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.ledger import transactions
from dpduck.kernel.ledger.analysts import Analyst, facts_of
from dpduck.kernel.ledger.chain import ChainEntry, accounts_in, fields_of, start_of
from dpduck.kernel.ledger.fixed_point import cost_amount
from dpduck.kernel.ledger.policies import Facts, Subject, changed, find_in_policy, last_upgrade_to
from dpduck.kernel.ledger.repricing import (
    amounts_of,
    find_in_charge,
    find_in_replay,
    find_in_settlement,
    find_in_summary,
)
from dpduck.kernel.ledger.summaries import Exists, Names, read_summary, stored_summaries
from dpduck.kernel.ledger.transactions import Transaction
from dpduck.kernel.ledger.versions import RECORDS_EVENTS, RECORDS_MU_SQUARED, VERSION

_BATCH = 1000
_NOTHING = Cost()
_SPENT = "epsilon_spent, delta_spent, rho_spent"
_RETURNED = "epsilon_returned, delta_returned, rho_returned, 0, 0"


@dataclass(frozen=True)
class Verification:
    """The result of a verification: the first fault, or None.

    `not_repriced`: the number of charges and settlements from versions that recorded no events.
    """

    fault: str | None
    not_repriced: int = 0


@dataclass
class _Sums:
    """Running totals of the entries so far.

    `recorded_after`: the number of the entry after which events are recorded, None if they are not.
    """

    recorded_after: int | None
    not_repriced: int = 0
    spent: dict[tuple[str, str, str], Cost] = field(default_factory=lambda: defaultdict(Cost))
    returned: dict[tuple[str, str, str], Cost] = field(default_factory=lambda: defaultdict(Cost))
    caps: dict[tuple[str, str], str] = field(default_factory=dict)
    charges: dict[int, ChainEntry] = field(default_factory=dict)
    settled: dict[int, ChainEntry] = field(default_factory=dict)
    policies: dict[int, dict[str, str]] = field(default_factory=dict)  # by the number of their entry
    of_ledger: Facts = field(default_factory=dict)
    summaries: Names = field(default_factory=Names)

    def add(self, link: ChainEntry) -> str | None:
        """Add an entry to the totals. Output: its fault, or None."""
        match link.kind:
            case "charge":
                return self._add_charge(link)
            case "settle":
                return self._add_settlement(link)
            case "policy":
                return self._add_policy(link)
            case "cap":
                for scope, name, _ in json.loads(link.accounts):  # as spelled, as caps are stored
                    self.caps[scope, name] = link.detail
                return None
        return "is of an unknown kind"

    def _add_charge(self, link: ChainEntry) -> str | None:
        if link.seq != len(self.charges) + 1:
            return "is out of order"
        self.charges[link.seq] = link
        _add(self.spent, link)
        if self._is_old(link):
            self.not_repriced += link.about is None
            return None
        if link.about is None:
            return find_in_charge(link)
        return find_in_replay(link, self.charges.get(link.about), self.settled.get(link.about))

    def _add_settlement(self, link: ChainEntry) -> str | None:
        charge = self.charges.get(link.about or 0)
        if charge is None or link.about in self.settled or charge.accounts != link.accounts:
            return "settles no charge"
        back = amounts_of(link)
        if any(map(operator.gt, back.amounts, amounts_of(charge).amounts)):
            return "gives back more than was charged"
        self.settled[link.about or 0] = link
        _add(self.returned, link)
        if self._is_old(link):
            self.not_repriced += back != _NOTHING
            return None
        return find_in_settlement(link, charge)

    def _is_old(self, link: ChainEntry) -> bool:
        return self.recorded_after is None or link.number < self.recorded_after

    def _add_policy(self, link: ChainEntry) -> str | None:
        if link.about is not None and link.about not in self.policies:
            return "follows no policy"
        before = {} if link.about is None else self.policies[link.about]
        wrong = find_in_policy(link, before)
        if wrong is None:
            detail = json.loads(link.detail)
            after = self.policies[link.number] = changed(before, detail)
            if detail["part"] == "ledger":
                self.of_ledger = after
            elif detail["part"] == "summary":
                self.summaries.add(Subject(detail["part"], detail["database"], detail["place"]), after)
        return wrong


def _add(sums: dict[tuple[str, str, str], Cost], link: ChainEntry) -> None:
    for account in accounts_in(link.accounts):
        sums[account] += amounts_of(link)


def _no_table(_: Transaction, __: str) -> bool:
    """A store of a version that had no table but those of all ledgers."""
    return False


def verify(
    db: Transaction, analysts: Sequence[Analyst] | None, version: int = VERSION, *, exists: Exists = _no_table
) -> Verification:
    """Verify the whole ledger, whose tables are of that version.

    Input: the analysts who may log in; None if the version does not record them; `exists` tells whether the
        store has a table.
    """
    sums = _Sums(last_upgrade_to(db, RECORDS_EVENTS) if version >= RECORDS_EVENTS else None)
    fault = (
        _find_in_chain(db, sums, fields_of(version))
        or _find_in_analysts(analysts, sums)
        or _find_in_accounts(db, sums, version)
        or _find_in_caps(db, sums)
        or _find_in_answers(db, sums, exists)
    )
    return Verification(fault, sums.not_repriced)


def _find_in_chain(db: Transaction, sums: _Sums, names: Sequence[str]) -> str | None:
    """Check the hash of each entry and add it to the totals. Input: the names of the stored fields."""
    head = start_of(db.ledger_id)
    number, sealed = head.number, head.hash
    while True:
        links = list(transactions.read_links(db, number, _BATCH, names))
        if not links:
            return None
        for link, hashed in links:
            if link.number != number + 1 or link.seal(sealed) != hashed:
                return f"Entry {number + 1} is not the one that was written, or is missing."
            wrong = sums.add(link)
            if wrong is not None:
                return f"Entry {link.number} {wrong}."
            number, sealed = link.number, hashed


def _find_in_analysts(analysts: Sequence[Analyst] | None, sums: _Sums) -> str | None:
    same = analysts is None or facts_of(analysts) == sums.of_ledger
    return None if same else "Who may log in is not what was recorded."


def _find_in_accounts(db: Transaction, sums: _Sums, version: int) -> str | None:
    has_more = version >= RECORDS_MU_SQUARED
    spent = f"{_SPENT}, mu_squared_spent, keys_delta_spent" if has_more else f"{_SPENT}, 0, 0"
    rows = db.run(
        f"SELECT scope, name, period, {spent}, {_RETURNED} FROM account ORDER BY scope, name, period"
    )
    # Spellings of one name were once separate accounts; their sum must be right.
    stored: dict[tuple[str, str, str], tuple[Cost, Cost]] = defaultdict(lambda: (_NOTHING, _NOTHING))
    for scope, name, period, *amounts in rows:
        key = (scope, fold(name), period)
        before, back = stored[key]
        stored[key] = (before + cost_amount(*amounts[:5]), back + cost_amount(*amounts[5:]))
    for key in dict.fromkeys([*sums.spent, *stored]):
        expected = sums.spent.get(key)
        if expected is not None and not has_more:
            expected = replace(expected, mu_squared=Fraction(0), keys_delta=Fraction(0))
        if stored.get(key) != (expected, sums.returned.get(key, _NOTHING)):
            return f"What {key[0]} '{key[1]}' has spent is not the sum of its entries."
    return None


def _find_in_caps(db: Transaction, sums: _Sums) -> str | None:
    stored = {(scope, name): terms for scope, name, terms in db.run("SELECT scope, name, terms FROM cap")}
    for key in dict.fromkeys([*sums.caps, *stored]):
        if stored.get(key) != sums.caps.get(key):
            return f"The cap of {key[0]} '{key[1]}' is not the one that was set."
    return None


def _find_in_answers(db: Transaction, sums: _Sums, exists: Exists) -> str | None:
    answers = {seq for (seq,) in db.run("SELECT seq FROM answer")}
    summaries = stored_summaries(db, exists)
    sealed = {seq for seq, link in sums.settled.items() if link.detail}
    freed = sums.summaries.freed - answers - summaries
    for seq in sorted((answers | summaries | sealed) - freed):
        if seq in summaries:
            kept = read_summary(db, seq, exists) if seq in sealed and seq not in answers else None
            if kept is None:
                return f"The summary of charge {seq} is not the one that was released."
            wrong = find_in_summary(kept.description, sums.charges[seq])
            if wrong is not None:
                return f"The summary of charge {seq} {wrong}."
        elif seq not in answers or seq not in sealed or transactions.read_answer(db, seq) is None:
            return f"The kept answer of charge {seq} is not the one that was given."
    return _find_in_names(sums, summaries)


def _find_in_names(sums: _Sums, summaries: set[int]) -> str | None:
    """The fault of the summaries that there are by name, or None. One may be in the making, and charged."""
    for seq in sorted(sums.summaries.named):
        charge = sums.charges.get(seq)
        if charge is None or (seq not in summaries and seq in sums.settled):
            return f"The summary of charge {seq} is missing."
    return None
