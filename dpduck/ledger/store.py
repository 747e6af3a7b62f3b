"""What every store of the ledger promises, and what all of them do alike.

A store runs a piece of work as one transaction; the pieces themselves are in `transactions`. After each
commit the head of the chain is written to the anchor, if there is one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from fractions import Fraction
from types import TracebackType
from typing import Self, TypeVar

from dpduck.accounting.events import Event
from dpduck.errors import LedgerError, decimal_text
from dpduck.ledger import transactions
from dpduck.ledger.analysts import Analyst, drop_analyst, keep_secret, put_analyst, read_analysts
from dpduck.ledger.anchor import Anchor, Mark
from dpduck.ledger.chain import Head
from dpduck.ledger.errors import damage_fault, unlike_anchor
from dpduck.ledger.policies import (
    Notes,
    PolicyChange,
    PolicyEntry,
    Subject,
    add_news,
    add_policy,
    facts_at,
    has_read,
    read_last,
    read_policies,
    whose_at,
)
from dpduck.ledger.records import (
    Account,
    BudgetStatus,
    Cap,
    Charge,
    Entry,
    KeptAnswer,
    StoredRelease,
    check_text,
)
from dpduck.ledger.transactions import Transaction
from dpduck.ledger.verify import Verification, verify

T = TypeVar("T")


class Ledger(ABC):
    """A durable record of charges, safe to use from many threads and many processes at once.

    Every method raises LedgerError if the store cannot be reached, read or written; then nothing
    was charged.
    """

    _anchor: Anchor | None = None

    # --- what a store does itself ----------------------------------------------------------------

    @abstractmethod
    def _read(self, work: Callable[[Transaction], T]) -> T:
        """Run the work on one consistent state."""

    @abstractmethod
    def _write(self, work: Callable[[Transaction], T]) -> T:
        """Run the work as the only writer; when this returns, what it did is durable."""

    def _read_now(self, work: Callable[[Transaction], T]) -> T | None:  # noqa: ARG002
        """As `_read`, if it takes no waiting; else None."""
        return None

    @abstractmethod
    def _find_fault(self, db: Transaction) -> str | None:
        """What is wrong with the store itself, beneath its entries; None if nothing is."""

    @abstractmethod
    def _has_table(self, db: Transaction, name: str) -> bool:
        """Whether the store has a table of that name."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the store. Any later call but this one raises LedgerError."""

    # --- charging --------------------------------------------------------------------------------

    def charge(self, charge: Charge) -> int:
        """Charge all accounts or none; when this returns the charge is durable.

        Output: the number of the charge.
        Errors: BudgetExceededError if a cap would be exceeded.
        """
        return self._append(lambda db: transactions.add_charge(db, charge), lambda _: charge.cost.epsilon)

    def settle(self, seq: int, used: Event | None = None, answer: StoredRelease | None = None) -> Fraction:
        """Record what came of a charge, once.

        Input: `used`: what the release itself shows as used, where that may be less than was charged (the
            rest comes back, rounded down); `answer`: the release, kept to be given again.
        Output: the epsilon that the charge comes to.
        Errors: InternalError if it used more than was charged, or is settled.
        """
        return self._append(lambda db: transactions.add_settlement(db, seq, used, answer))

    def replay(self, charge: Charge, seq: int) -> Fraction | None:
        """Record that the answer of an earlier charge is given again.

        What was released once costs the people nothing more. Only a named budget that has not paid for it,
        which says what its analysts may learn, is charged now, with the odometer of its analyst.
        Input: what a fresh answer would be charged. Output: the epsilon that was; None, and nothing is
            recorded, if such a budget would have to pay more for this answer than for a fresh one, or than it
            can: it is then as if nobody had asked.
        """

        def again(db: Transaction) -> Fraction | None:
            return transactions.add_replay(db, charge, seq)

        def paid(charged: Fraction | None) -> Fraction:
            return charged or Fraction(0)

        return self._append(again, paid)

    def is_replayed(self, charge: Charge, seq: int, newest: int) -> bool:
        """Whether an answer may be given again with nothing to record, and no kept answer is newer than one.

        So it is where its session was given it again before. It never waits: where it would have to, or where
        the store is elsewhere, the answer is no.
        """
        return bool(
            self._read_now(
                lambda db: (
                    transactions.read_newest(db) == newest and transactions.is_replayed(db, charge, seq)
                )
            )
        )

    def kept(self, subject: str, version: str, analyst: str | None = None) -> list[KeptAnswer]:
        """The answers on one subject and state of the data, the newest first.

        Input: an analyst, for the answers that they were given or given again.
        """
        return self._read(lambda db: transactions.read_kept(db, subject, version, analyst))

    def newest_answer(self) -> int:
        """The number of the charge whose kept answer is the newest, 0 if none is kept."""
        return self._read(transactions.read_newest)

    def answer(self, seq: int) -> StoredRelease:
        """The kept answer of a charge. Errors: LedgerError unless it is the one that was given."""
        found = self._read(lambda db: transactions.read_answer(db, seq))
        if found is None:
            raise damage_fault(f"The kept answer of charge {seq} is not the one that was given.")
        return found

    # --- caps ------------------------------------------------------------------------------------

    def set_cap(self, account: Account, cap: Cap) -> None:
        """Set what an account may spend. It replaces any cap it had; what was spent stays spent.

        The account's own default no longer matters.
        """
        self._append(lambda db: transactions.set_cap(db, account, cap))

    def drop_cap(self, account: Account) -> None:
        """Forget the cap of an account, whose default counts again from its next charge on."""
        self._append(lambda db: transactions.set_cap(db, account, None))

    def was_charged(self, accounts: Iterable[Account]) -> bool:
        """Whether anything was ever charged to one of the accounts."""
        wanted = list(accounts)
        return self._read(lambda db: transactions.was_charged(db, wanted))

    # --- policies --------------------------------------------------------------------------------

    def add_policy(self, change: PolicyChange) -> PolicyEntry:
        """Record a change of a policy; when this returns it is durable, and may take effect."""
        return self._append(lambda db: add_policy(db, change))

    def add_policy_news(self, change: PolicyChange, seen: str) -> PolicyEntry | None:
        """Record a change that was noticed, unless somebody else recorded something about it meanwhile.

        Input: the digest that was on record when it was noticed, '' if none was. Output: None if so.
        """
        return self._append(lambda db: add_news(db, change, seen))

    def add_reading(self, change: PolicyChange, words: str) -> None:
        """Record that rows are read, unless that is on record. Input: the words by which it is known."""
        if not self._read(lambda db: has_read(db, change, words)):
            self._append(lambda db: add_policy(db, change))

    def last_policy(self, subject: Subject) -> PolicyEntry | None:
        """The last entry about a policy, None if there is none."""
        return self._read(lambda db: read_last(db, subject))

    def policy_facts(self, number: int) -> dict[str, str]:
        """The facts of a policy as they were after an entry."""
        return self._read(lambda db: facts_at(db, number))

    def policy_whose(self, number: int) -> Notes | None:
        """Whose rows the tables held by what was said until an entry; None if nothing of it was on record."""
        return self._read(lambda db: whose_at(db, number))

    def policies(self, subject: Subject | None = None) -> list[PolicyEntry]:
        """The entries about a database's policies and about the ledger, in order; None: of all databases."""
        return self._read(lambda db: read_policies(db, subject))

    # --- who may log in --------------------------------------------------------------------------

    def put_analyst(self, name: str, verifier: str) -> None:
        """Let somebody log in with the password of a verifier; a former one no longer holds."""
        check_text(name, "analyst")
        self._append(lambda db: put_analyst(db, name, verifier))

    def drop_analyst(self, name: str) -> None:
        """Let somebody log in no more. Errors: UnknownNameError."""
        self._append(lambda db: drop_analyst(db, name))

    def login_secret(self, fresh: bytes) -> bytes:
        """The secret from which salts follow: always the same. Input: what it is if there is none."""
        return self._write(lambda db: keep_secret(db, fresh))

    def analysts(self) -> list[Analyst]:
        """Who may log in, by name."""
        return self._read(lambda db: read_analysts(db, exists=self._has_table))

    # --- reading ---------------------------------------------------------------------------------

    def budgets(self, accounts: Iterable[Account] | None = None) -> list[BudgetStatus]:
        """Read what accounts may spend and have spent.

        Input: the accounts, or None for all that the ledger knows, by scope and name.
        Output: one budget for each, in order; an account never seen has spent nothing.
        """
        wanted = None if accounts is None else list(accounts)
        return self._read(lambda db: transactions.read_budgets(db, wanted))

    def entries(self, session: str | None = None) -> list[Entry]:
        """Read the charges of one session, or of all, in the order in which they were made."""
        check_text(session or "", "session")
        return self._read(lambda db: transactions.read_entries(db, session))

    def verify(self) -> int:
        """Compute the hash of each entry, what its event costs or leaves, what each account has spent and may
        spend, and the digest of each policy, and compare.

        Output: how many entries are not re-priced, since they are of before a version that recorded events.
        Errors: LedgerError that names the first thing which differs.
        """

        def find(db: Transaction) -> Verification:
            fault = self._find_fault(db)
            if fault is not None:
                return Verification(fault)
            return verify(db, read_analysts(db, exists=self._has_table))

        found = self._read(find)
        if found.fault is not None:
            raise damage_fault(found.fault)
        self._check_anchor()
        return found.not_repriced

    def head(self) -> Head:
        """Where the chain ends: the number of the last entry of any kind, and the hash that seals all."""
        return self._read(transactions.read_head)

    # --- the anchor ------------------------------------------------------------------------------

    def _append(
        self, work: Callable[[Transaction], T], charged: Callable[[T], Fraction] = lambda _: Fraction(0)
    ) -> T:
        """Run the work, and write its head to the anchor. Input: `charged`: the epsilon, by the result."""
        result, head, ledger_id = self._write(lambda db: (work(db), transactions.read_head(db), db.ledger_id))
        try:
            self._advance(Mark(ledger_id, head.number, head.hash))
        except LedgerError as error:
            fault = error
        else:
            return result
        # The entry is on record, so its charge stays; but nobody gets an answer whose charge could be undone.
        raise LedgerError(
            fault.message, detail=fault.reason, hint=fault.advice, charged=decimal_text(charged(result))
        )

    def _advance(self, mark: Mark) -> None:
        """Move the anchor on to a mark. Errors: as of `_check_anchor`."""
        if self._anchor is None:
            return
        other = self._anchor.write(mark, self._has)
        if other is not None:
            raise _unlike(self._anchor, mark, other)

    def _has(self, mark: Mark) -> bool:
        """Whether the ledger has the entry of a mark, be it that of an empty ledger."""
        return not mark.number or self._read(lambda db: _holds(db, mark))

    def _check_mark(self, db: Transaction) -> None:
        """Errors: LedgerError if what a transaction finds is behind its anchor, or another ledger."""
        anchored = None if self._anchor is None else self._anchor.read()
        if self._anchor is not None and anchored is not None and anchored.number and not _holds(db, anchored):
            head = transactions.read_head(db)
            raise _unlike(self._anchor, Mark(db.ledger_id, head.number, head.hash), anchored)

    def _check_anchor(self) -> None:
        """Errors: LedgerError if the ledger is behind its anchor, or another one."""
        if self._anchor is None:
            return
        anchored = self._anchor.read()
        head, ledger_id = self._read(lambda db: (transactions.read_head(db), db.ledger_id))
        mark = Mark(ledger_id, head.number, head.hash)
        if anchored is None:
            self._advance(mark)
        elif not self._has(anchored):
            raise _unlike(self._anchor, mark, anchored)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _holds(db: Transaction, mark: Mark) -> bool:
    return (db.ledger_id, transactions.read_hash(db, mark.number)) == (mark.ledger, mark.hash)


def _unlike(anchor: Anchor, mark: Mark, anchored: Mark) -> LedgerError:
    same = mark.ledger == anchored.ledger
    return unlike_anchor(anchor.where, mark.number, anchored.number, same=same)
