"""The interface of every ledger store, and what all of them share.

A store runs work as one transaction; the work itself is in `transactions`. Writes of several threads share a
transaction (see `batches`). After its commit the head of the chain is written to the anchor, if there is one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from fractions import Fraction
from types import TracebackType
from typing import Any, ClassVar, Self, TypeVar

from dpduck.kernel.accounting.events import Event
from dpduck.kernel.errors import DpduckError, LedgerError, decimal_text
from dpduck.kernel.ledger import transactions
from dpduck.kernel.ledger.analysts import (
    Analyst,
    LoginChange,
    drop_analyst,
    keep_secret,
    put_analyst,
    read_analysts,
    set_default,
)
from dpduck.kernel.ledger.anchor import Anchor, Mark
from dpduck.kernel.ledger.batches import Batches, Write, twin
from dpduck.kernel.ledger.chain import Head
from dpduck.kernel.ledger.errors import damage_fault, unlike_anchor
from dpduck.kernel.ledger.policies import (
    Notes,
    PolicyChange,
    PolicyEntry,
    Subject,
    add_news,
    add_policies,
    facts_at,
    has_read,
    read_last,
    read_policies,
    whose_at,
)
from dpduck.kernel.ledger.records import (
    Account,
    BudgetStatus,
    Cap,
    Charge,
    Entry,
    KeptAnswer,
    NewAnswers,
    StoredRelease,
    check_text,
)
from dpduck.kernel.ledger.room import Keeping, Kept, Room, RoomLeft, count
from dpduck.kernel.ledger.summaries import (
    TABLE as SUMMARIES,
)
from dpduck.kernel.ledger.summaries import (
    KeptSummary,
    KnownSummaries,
    PaidSummary,
    add_summary,
    charge_summary,
    drop_summary,
    free_summaries,
    has_summary,
    is_free,
    kept_summary,
    known_summaries,
    read_summary,
)
from dpduck.kernel.ledger.transactions import Transaction
from dpduck.kernel.ledger.verify import Verification, verify
from dpduck.kernel.system.keyed_locks import KeyedLocks

T = TypeVar("T")


class Ledger(ABC):
    """A durable record of charges, safe to use from many threads and many processes at once.

    Every method raises LedgerError if the store cannot be reached, read or written; then nothing
    was charged. `room`: for kept numbers, as the owner has set it for this process.
    """

    _octets: ClassVar[str]  # SQL for the bytes of a text

    def __init__(self, anchor: Anchor | None = None) -> None:
        self._anchor = anchor
        self.room = Room()
        self._renew_batches()

    def _renew_batches(self) -> None:
        """Begin with nothing to write: in the child of a fork, where the threads that wrote do not exist."""
        self._batches = Batches(self._commit)
        self.questions = KeyedLocks()  # that are answered now: whoever asks the same waits for that answer
        self._keeping = Keeping(lambda before: self._read(lambda db: self._count(db, before)))

    # --- implemented by each store ---------------------------------------------------------------

    @abstractmethod
    def _read(self, work: Callable[[Transaction], T]) -> T:
        """Run the work on one consistent snapshot."""

    @abstractmethod
    def _write(self, work: Callable[[Transaction], T]) -> T:
        """Run the work as the only writer; its changes are durable on return."""

    def _read_now(self, work: Callable[[Transaction], T]) -> T | None:  # noqa: ARG002
        """As `_read` if that needs no waiting, else None."""
        return None

    @abstractmethod
    def _find_fault(self, db: Transaction) -> str | None:
        """The fault of the store itself, below its entries; None if there is none."""

    @abstractmethod
    def _has_table(self, db: Transaction, name: str) -> bool:
        """Whether the store has a table of that name."""

    @abstractmethod
    def close(self) -> None:
        """Close the store. Any later call but this one raises LedgerError."""

    # --- charging --------------------------------------------------------------------------------

    def charge(self, charge: Charge) -> int:
        """Charge all accounts or none; the charge is durable on return.

        Output: the number of the charge.
        Errors: BudgetExceededError if a cap would be exceeded.
        """
        return self._append(lambda db: transactions.add_charge(db, charge), lambda _: charge.cost.epsilon)

    def settle(self, seq: int, used: Event | None = None, answer: StoredRelease | None = None) -> Fraction:
        """Record the outcome of a charge, once.

        Input: `used`: the event that the release itself shows as used, if less may be used than was charged
            (the rest is given back, rounded down); `answer`: the release, stored for replay.
        Output: the epsilon of the charge after the settlement.
        Errors: InternalError if more was used than charged, or the charge is already settled.
        """
        return self._append(lambda db: transactions.add_settlement(db, seq, used, answer))

    def replay(self, charge: Charge, seq: int) -> Fraction | None:
        """Record that the answer of an earlier charge is replayed.

        A release costs its privacy units nothing a second time. Only a named budget that has not paid for
        it, and which limits what its analysts may learn, is charged now, with the analyst's odometer.
        Input: what a fresh answer would be charged. Output: the epsilon charged; None, with nothing
            recorded, if such a budget would have to pay more for this answer than for a fresh one, or more
            than remains: then the caller proceeds as without an earlier answer.
        """

        if self._read(lambda db: transactions.is_replayed(db, charge, seq)):
            return Fraction(0)

        def again(db: Transaction) -> Fraction | None:
            return transactions.add_replay(db, charge, seq)

        def paid(charged: Fraction | None) -> Fraction:
            return charged or Fraction(0)

        return self._append(again, paid)

    def is_paid(self, charge: Charge, seq: int) -> bool:
        """Whether a replay would charge nothing. Once it is so, it stays so."""
        return self._read(lambda db: transactions.is_paid(db, charge, seq))

    def price_of_replay(self, charge: Charge, seq: int) -> Fraction | None:
        """What `replay` would charge now, recording nothing. Output: as of `replay`."""
        return self._read(lambda db: transactions.price_of_replay(db, charge, seq))

    def is_replayed(self, charge: Charge, seq: int) -> bool:
        """Whether an answer may be replayed with nothing to record, since its session has replayed it before.

        Once it is so, it stays so. It never waits: if it had to, or if the store is remote, it is False.
        """
        return bool(self._read_now(lambda db: transactions.is_replayed(db, charge, seq)))

    def kept(self, subject: str, version: str, analyst: str | None = None) -> list[KeptAnswer]:
        """The stored answers on one subject and state of the data, newest first.

        Input: `analyst`: only answers that this analyst was given, first or by replay.
        """
        return self._read(lambda db: transactions.read_kept(db, subject, version, analyst))

    def same(
        self, subject: str, version: str, description: str, analyst: str | None = None
    ) -> list[KeptAnswer]:
        """The answers of one description, however many others came since, those of most epsilon first.

        Input: `analyst`: as of `kept`, which is quicker, and forgets the oldest of more than `MAX_ANSWERS`.
        """
        return self._read(lambda db: transactions.read_same(db, subject, version, description, analyst))

    def new_answers(self, after: int, *, waits: bool = True) -> NewAnswers | None:
        """The answers that were stored after an entry, on any subject.

        Input: the number of the entry. Output: None if that needs waiting and `waits` is not set.
        """

        def work(db: Transaction) -> NewAnswers:
            return transactions.read_new_answers(db, after)

        return self._read(work) if waits else self._read_now(work)

    def answer(self, seq: int) -> StoredRelease:
        """The stored answer of a charge. Errors: LedgerError unless its digest is the one in the chain."""
        found = self._read(lambda db: transactions.read_answer(db, seq))
        if found is None:
            raise damage_fault(f"The kept answer of charge {seq} is not the one that was given.")
        return found

    # --- room ------------------------------------------------------------------------------------

    def holding(self, analyst: str | None, size: int) -> AbstractContextManager[bool]:
        """Hold room for numbers that are about to be kept. Output: whether there is room for so many bytes.

        Input: who pays for them, None for the owner.
        """
        return self._keeping.holding(self.room, analyst, size)

    def room_left(self, analyst: str | None) -> RoomLeft:
        """How many bytes of numbers may still be kept for an analyst; None: for the owner."""
        return self._keeping.left(self.room, analyst)

    def kept_bytes(self) -> Mapping[str | None, int]:
        """The bytes of kept numbers by who paid for them; None: the owner."""
        return self._keeping.used()

    def _count(self, db: Transaction, before: Kept) -> Kept:
        return count(db, before, self._octets, has_summaries=self._has_table(db, SUMMARIES))

    # --- summaries -------------------------------------------------------------------------------

    def charge_summary(
        self,
        charge: Charge,
        subject: Subject,
        name: str,
        statement: str,
        *,
        is_new: bool,
        before: int | None = None,
    ) -> PaidSummary:
        """Charge for a summary, and take its name if it is new; see `summaries.charge_summary`."""

        def work(db: Transaction) -> PaidSummary:
            return charge_summary(db, charge, subject, name, statement, is_new=is_new, before=before)

        return self._append(work, lambda _: charge.cost.epsilon)

    def settle_summary(
        self,
        paid: PaidSummary,
        summary: StoredRelease,
        subject: Subject,
        name: str,
        statement: str,
        who: str | None,
    ) -> bool:
        """Settle a charge with the summary that it paid for, which has that name then.

        Input: `subject`: of the summaries of a database; the statement; the analyst, None for the owner.
        Output: whether it has the name, which another may have meanwhile; then it is not kept.
        """
        done = self._append(lambda db: add_summary(db, paid, summary, subject, name, statement, who))
        self._free_summaries()
        return done

    def drop_summary(self, subject: Subject, name: str, statement: str, who: str | None) -> bool:
        """Take a name from a summary, which answers no more. Output: whether there was one."""
        done = self._append(lambda db: drop_summary(db, subject, name, statement, who))
        self._free_summaries()
        return done

    def _free_summaries(self) -> None:
        """Free the room of summaries that have no name any more; what is left now is freed with the next."""
        with suppress(LedgerError):
            self._append(lambda db: free_summaries(db, self._has_table))

    def summaries(self, subject: Subject, before: KnownSummaries | None = None) -> KnownSummaries:
        """The summaries of a database. Input: what was known before, returned if nothing has changed."""
        return self._read(lambda db: known_summaries(db, subject, before))

    def kept_summary(self, name: str, seq: int) -> KeptSummary:
        """The entry of a summary."""
        return self._read(lambda db: kept_summary(db, name, seq))

    def has_summary(self, seq: int) -> bool:
        """Whether a charge has paid for a summary that was released."""
        return self._read(lambda db: has_summary(db, seq, self._has_table))

    def summary(self, seq: int) -> StoredRelease | None:
        """The contents of a summary; None if it was dropped or made anew meanwhile.

        Errors: LedgerError unless their digest is the one in the chain.
        """

        def find(db: Transaction) -> tuple[StoredRelease | None, bool]:
            found = read_summary(db, seq, self._has_table)
            return found, found is None and is_free(db, seq, self._has_table)

        found, is_gone = self._read(find)
        if found is None and not is_gone:
            raise damage_fault(f"The summary of charge {seq} is not the one that was released.")
        return found

    # --- caps ------------------------------------------------------------------------------------

    def set_cap(self, account: Account, cap: Cap) -> None:
        """Set what an account may spend, in place of any earlier cap or default.

        What was spent stays spent.
        """
        self._append(lambda db: transactions.set_cap(db, account, cap))

    def drop_cap(self, account: Account) -> None:
        """Remove the cap of an account, whose default applies again from its next charge."""
        self._append(lambda db: transactions.set_cap(db, account, None))

    def was_charged(self, accounts: Iterable[Account]) -> bool:
        """Whether one of the accounts was ever charged."""
        wanted = list(accounts)
        return self._read(lambda db: transactions.was_charged(db, wanted))

    # --- policies --------------------------------------------------------------------------------

    def add_policies(self, changes: Sequence[PolicyChange]) -> None:
        """Record changes of one policy, durably and all or none, before they take effect."""
        self._append(lambda db: add_policies(db, changes))

    def add_policy_news(self, change: PolicyChange, seen: str) -> PolicyEntry | None:
        """Record a change that was noticed, unless another one was recorded for it in the meantime.

        Input: the digest that was on record when it was noticed, '' if none. Output: None if not recorded.
        """
        return self._append(lambda db: add_news(db, change, seen))

    def add_reading(self, change: PolicyChange, words: str) -> None:
        """Record that rows are read, unless that is on record. Input: how such a statement begins."""
        if not self._read(lambda db: has_read(db, change, words)):
            self._append(lambda db: add_policies(db, [change]))

    def last_policy(self, subject: Subject) -> PolicyEntry | None:
        """The last entry about a policy, None if there is none."""
        return self._read(lambda db: read_last(db, subject))

    def policy_facts(self, number: int) -> dict[str, str]:
        """The facts of a policy as of an entry."""
        return self._read(lambda db: facts_at(db, number))

    def policy_whose(self, number: int) -> Notes | None:
        """Whose rows the tables held as of an entry, by the statements on record; None if there are none."""
        return self._read(lambda db: whose_at(db, number))

    def policies(self, subject: Subject | None = None) -> list[PolicyEntry]:
        """The entries about a database's policies and about the ledger, in order; None: of all databases."""
        return self._read(lambda db: read_policies(db, subject))

    # --- who may log in --------------------------------------------------------------------------

    def set_default(self, name: str, setting: str, value: str) -> None:
        """Let each session of an analyst begin with a setting; "" for none. Errors: as of `put_analyst`.

        UnknownNameError if there is no such analyst.
        """
        self._append(lambda db: set_default(db, name, setting, value))

    def put_analyst(self, name: str, change: LoginChange | str) -> None:
        """Add an analyst, or change how one logs in. Input: the change, or the verifier of a password."""
        check_text(name, "analyst")
        wanted = LoginChange(change) if isinstance(change, str) else change
        self._append(lambda db: put_analyst(db, name, wanted))

    def drop_analyst(self, name: str) -> None:
        """Remove an analyst. Errors: UnknownNameError."""
        self._append(lambda db: drop_analyst(db, name))

    def login_secret(self, fresh: bytes) -> bytes:
        """The secret from which salts are derived: always the same. Input: its value if there is none yet."""
        return self._write(lambda db: keep_secret(db, fresh))

    def analysts(self) -> list[Analyst]:
        """All analysts who may log in, by name."""
        return self._read(lambda db: read_analysts(db, exists=self._has_table))

    # --- reading ---------------------------------------------------------------------------------

    def budgets(self, accounts: Iterable[Account] | None = None) -> list[BudgetStatus]:
        """Read what accounts may spend and have spent.

        Input: the accounts, or None for all accounts of the ledger, by scope and name.
        Output: one status for each, in order; an account never charged has spent nothing.
        """
        wanted = None if accounts is None else list(accounts)
        return self._read(lambda db: transactions.read_budgets(db, wanted))

    def entries(self, session: str | None = None) -> list[Entry]:
        """Read the charges of one session, or of all, in the order in which they were made."""
        check_text(session or "", "session")
        return self._read(lambda db: transactions.read_entries(db, session))

    def verify(self) -> int:
        """Recompute the hash of each entry, the cost of its event, the spent amount and cap of each account,
        and the digest of each policy, and compare.

        Output: the number of entries that cannot be re-priced, from versions that recorded no events.
        Errors: LedgerError that names the first difference.
        """

        def find(db: Transaction) -> Verification:
            fault = self._find_fault(db)
            if fault is not None:
                return Verification(fault)
            return verify(db, read_analysts(db, exists=self._has_table), exists=self._has_table)

        found = self._read(find)
        if found.fault is not None:
            raise damage_fault(found.fault)
        self._check_anchor()
        return found.not_repriced

    def head(self) -> Head:
        """The end of the chain: the number of the last entry of any kind, and the hash that seals all."""
        return self._read(transactions.read_head)

    # --- the anchor ------------------------------------------------------------------------------

    def _append(
        self, work: Callable[[Transaction], T], charged: Callable[[T], Fraction] = lambda _: Fraction(0)
    ) -> T:
        """Run the work with that of other threads, and advance the anchor to the head after all of it.

        Input: `charged`: the epsilon, from the result. Errors: those of the work, which then changes nothing.
        """
        return self._batches.run(work, charged)

    def _commit(self, batch: Sequence[Write[Any]]) -> None:
        """Do several writes in one transaction, in order, and advance the anchor once."""
        try:
            mark = self._write(lambda db: _do(db, batch))
        except Exception as error:
            broken, others = _parted(batch)
            if not broken or not others:
                for write in batch:
                    write.failure = error if len(batch) == 1 else twin(error)
                return
        else:
            self._advance_for(mark, [write for write in batch if write.failure is None])
            return
        # What ends a transaction ends that of its own write.
        self._commit(others)
        self._commit(broken)

    def _advance_for(self, mark: Mark, batch: Sequence[Write[Any]]) -> None:
        """Advance the anchor for writes that are durable."""
        if not batch:
            return
        try:
            self._advance(mark)
        except LedgerError as error:
            fault = error
        else:
            return
        # The entries are on record, so their charges stay; but no answer is given if that could be undone.
        for write in batch:
            charged = decimal_text(write.charged(write.value))
            write.failure = LedgerError(
                fault.message, detail=fault.reason, hint=fault.advice, charged=charged
            )

    def _advance(self, mark: Mark) -> None:
        """Advance the anchor to a mark. Errors: as `_check_anchor`."""
        if self._anchor is None:
            return
        other = self._anchor.write(mark, self._has)
        if other is not None:
            raise _unlike(self._anchor, mark, other)

    def _has(self, mark: Mark) -> bool:
        """Whether the ledger has the entry of a mark; every ledger has that of an empty one."""
        return not mark.number or self._read(lambda db: _holds(db, mark))

    def _check_mark(self, db: Transaction) -> None:
        """Errors: LedgerError if the state in a transaction is behind the anchor, or of another ledger."""
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


def _do(db: Transaction, batch: Sequence[Write[Any]]) -> Mark:
    """Do writes, each seeing those before it. A refused one changes nothing; other errors end it all.

    Output: the head after all of them.
    """
    for write in batch:
        write.clear()
        if len(batch) > 1:
            db.run("SAVEPOINT one_write")
        try:
            write.value = write.work(db)
        except DpduckError as error:
            if len(batch) == 1:
                raise
            write.failure = error
            db.run("ROLLBACK TO SAVEPOINT one_write")
        except Exception:
            write.broke = True
            raise
        if len(batch) > 1:
            db.run("RELEASE SAVEPOINT one_write")
    head = transactions.read_head(db)
    return Mark(db.ledger_id, head.number, head.hash)


def _parted(batch: Sequence[Write[Any]]) -> tuple[list[Write[Any]], list[Write[Any]]]:
    """The write that ended the transaction of a batch, if it was one of them, and the others."""
    return [write for write in batch if write.broke], [write for write in batch if not write.broke]


def _holds(db: Transaction, mark: Mark) -> bool:
    return (db.ledger_id, transactions.read_hash(db, mark.number)) == (mark.ledger, mark.hash)


def _unlike(anchor: Anchor, mark: Mark, anchored: Mark) -> LedgerError:
    same = mark.ledger == anchored.ledger
    return unlike_anchor(anchor.where, mark.number, anchored.number, same=same)
