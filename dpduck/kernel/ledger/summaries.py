"""The releases of private summaries, kept beside their charges, and which of them there are by name.

Contents are sealed by the settlement of their charge, as kept answers are, but are in a table of their own,
since they may be large. It is created with the first summary, so that a ledger without any has none. Which
summaries there are is a policy of its own in the chain: its facts say for each name the charge that paid for
it. The contents of a summary that was replaced or dropped are freed: the chain has their digest, and says
that it has no name any more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from dpduck.kernel.accounting.event_records import read_event
from dpduck.kernel.accounting.events import Event
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.errors import InternalError, ParameterError
from dpduck.kernel.ledger.policies import (
    Facts,
    PolicyChange,
    Subject,
    add_policy,
    facts_at,
    read_last,
    read_policies,
)
from dpduck.kernel.ledger.records import Charge, StoredRelease
from dpduck.kernel.ledger.transactions import Transaction, add_charge, add_settlement, moment, seal_of

TABLE = "summary"
COLUMNS = ("seq", "subject", "version", "description", "contents")
SCRIPT = """CREATE TABLE IF NOT EXISTS summary (
    seq         BIGINT PRIMARY KEY,
    subject     TEXT   NOT NULL,
    version     TEXT   NOT NULL,
    description TEXT   NOT NULL,
    contents    TEXT   NOT NULL
)"""

_KEEP = """
    INSERT INTO summary (seq, subject, version, description, contents)
    VALUES (:seq, :subject, :version, :description, :contents)
"""
_FREE = f"DELETE FROM {TABLE} WHERE seq = :seq"
_CONTENTS = "SELECT subject, version, description, contents FROM summary WHERE seq = :seq"
_CHARGE = "SELECT at, analyst, event FROM entry WHERE seq = :seq"
_SEALED = "SELECT detail FROM entry WHERE about = :seq AND kind = 'settle'"
_LAST_POLICY = "SELECT max(number) FROM entry WHERE kind = 'policy'"
_NAMED = "summary "  # before the name, in facts

Exists = Callable[[Transaction, str], bool]


@dataclass(frozen=True)
class KeptSummary:
    """A summary that there is. `seq`: of the charge that paid for it; `at`: when, UTC; `event`: for what."""

    name: str
    seq: int
    at: datetime
    analyst: str | None
    event: Event


@dataclass(frozen=True)
class KnownSummaries:
    """All summaries of a database by their folded names, as of the entry about policies of that number."""

    number: int = 0
    by_name: Mapping[str, int] | None = None

    @property
    def names(self) -> Mapping[str, int]:
        """The charge that paid for each."""
        return self.by_name or {}


@dataclass(frozen=True)
class PaidSummary:
    """A summary that is being made. `seq`: of its charge; `holder`: of that which has the name meanwhile."""

    seq: int
    holder: int | None


def charge_summary(
    db: Transaction,
    charge: Charge,
    subject: Subject,
    name: str,
    statement: str,
    *,
    is_new: bool,
    before: int | None,
) -> PaidSummary:
    """Charge for a summary.

    Input: `is_new`: the name is taken from now on, so that of two that make it at once one is refused, with
        nothing charged; otherwise it stays that of the summary before until this one is settled. `before`:
        the charge of the summary that is replaced.
    Errors: ParameterError if there is one of that name already, or another than was to be replaced;
        BudgetExceededError.
    """
    known = known_summaries(db, subject).names
    holder = known.get(fold(name))
    if is_new and holder is not None:
        raise ParameterError(
            f"there is a summary {name} already",
            hint="DROP PRIVACY SUMMARY first, or write CREATE OR REPLACE PRIVACY SUMMARY.",
        )
    if not is_new and holder != before and (before is not None or _is_settled(db, holder)):
        raise ParameterError(
            f"summary {name} was made anew or dropped meanwhile",
            detail="No data was read.",
            hint="Look at SHOW PRIVACY SUMMARIES, and write it again.",
        )
    seq = add_charge(db, charge)
    if is_new:
        _record(db, subject, {**known, fold(name): seq}, statement, charge.analyst)
    return PaidSummary(seq, seq if is_new else holder)


def _is_settled(db: Transaction, seq: int | None) -> bool:
    """Whether a summary was released; not while it is made, or after a crash."""
    return seq is not None and bool(db.run(_SEALED, {"seq": seq}))


def add_summary(
    db: Transaction,
    paid: PaidSummary,
    summary: StoredRelease,
    subject: Subject,
    name: str,
    statement: str,
    who: str | None,
) -> bool:
    """Settle a charge with the summary that it paid for, which from now on has that name.

    Output: whether it has; not if another was made under that name meanwhile, or it was dropped. Then it is
        not kept.
    Errors: InternalError if the charge is settled already.
    """
    known = known_summaries(db, subject).names
    if known.get(fold(name)) != paid.holder:
        add_settlement(db, paid.seq, None, None)
        return False
    db.run(SCRIPT)
    seq, parts = paid.seq, (summary.subject, summary.version, summary.description, summary.rows)
    db.run(_KEEP, dict(zip(COLUMNS, (seq, *parts), strict=True)))
    add_settlement(db, seq, None, None, seal=seal_of(summary))
    if paid.holder != seq:
        _record(db, subject, {**known, fold(name): seq}, statement, who)
    return True


class Names:
    """Which charges have paid for summaries that had a name, and which of them still have one.

    The last entry about each database counts, wherever it was; where it has no name, that about its place.
    """

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._last: dict[tuple[str, str], Facts] = {}

    def add(self, subject: Subject, after: Facts) -> None:
        """Add the facts after an entry, in the order of entries."""
        self._last[subject.database, "" if subject.database else subject.place] = after
        self._seen.update(map(int, after.values()))

    @property
    def named(self) -> set[int]:
        """The charges of the summaries that there are."""
        return {int(seq) for facts in self._last.values() for seq in facts.values()}

    @property
    def freed(self) -> set[int]:
        """The charges of those that had a name, and have none."""
        return self._seen - self.named


def _names(db: Transaction) -> Names:
    names, facts = Names(), dict[int, Facts]()
    for entry in read_policies(db, None):
        if entry.subject.part == "summary":
            before = {} if entry.follows is None else facts[entry.follows]
            kept = {name: said for name, said in before.items() if name not in entry.gone}
            facts[entry.number] = {**kept, **entry.sets}
            names.add(entry.subject, facts[entry.number])
    return names


def free_summaries(db: Transaction, exists: Exists) -> None:
    """Delete the contents of all summaries that had a name, and have none any more."""
    for seq in stored_summaries(db, exists) & _names(db).freed:
        db.run(_FREE, {"seq": seq})


def is_free(db: Transaction, seq: int, exists: Exists) -> bool:
    """Whether a summary has no contents because it has no name any more."""
    return not has_summary(db, seq, exists) and seq in _names(db).freed


def drop_summary(db: Transaction, subject: Subject, name: str, statement: str, who: str | None) -> bool:
    """Take a name from a summary. Output: whether there was one of that name."""
    known = dict(known_summaries(db, subject).names)
    if known.pop(fold(name), None) is None:
        return False
    _record(db, subject, known, statement, who)
    return True


def _record(
    db: Transaction, subject: Subject, known: Mapping[str, int], statement: str, who: str | None
) -> None:
    facts = {f"{_NAMED}{name}": str(seq) for name, seq in known.items()}
    add_policy(db, PolicyChange(subject, "said", statement, facts, who))


def known_summaries(
    db: Transaction, subject: Subject, before: KnownSummaries | None = None
) -> KnownSummaries:
    """The summaries that there are. Input: what was known before, returned if no policy has changed since."""
    [(number,)] = db.run(_LAST_POLICY)
    if before is not None and before.number == (number or 0):
        return before
    last = read_last(db, subject)
    is_own = last is not None and last.subject.database == subject.database  # not what was there before
    facts = facts_at(db, last.number) if last is not None and is_own else {}
    by_name = {name.removeprefix(_NAMED): int(seq) for name, seq in facts.items()}
    return KnownSummaries(number or 0, by_name)


def kept_summary(db: Transaction, name: str, seq: int) -> KeptSummary:
    """The entry of a summary. Errors: InternalError if there is no such charge."""
    found = db.run(_CHARGE, {"seq": seq})
    if not found or found[0][2] is None:
        raise InternalError("a summary has a charge")
    at, analyst, event = found[0]
    return KeptSummary(name, seq, moment(at), analyst, read_event(event))


def has_summary(db: Transaction, seq: int, exists: Exists) -> bool:
    """Whether a charge has paid for a summary that was released; not while it is made, or after a crash."""
    return exists(db, TABLE) and bool(db.run("SELECT 1 FROM summary WHERE seq = :seq", {"seq": seq}))


def read_summary(db: Transaction, seq: int, exists: Exists) -> StoredRelease | None:
    """The contents of a summary; None unless their digest is the one in the chain."""
    found = db.run(_CONTENTS, {"seq": seq}) if exists(db, TABLE) else []
    sealed = db.run(_SEALED, {"seq": seq})
    if not found or not sealed:
        return None
    summary = StoredRelease(*found[0])
    return summary if seal_of(summary) == sealed[0][0] else None


def stored_summaries(db: Transaction, exists: Exists) -> set[int]:
    """The charges that paid for a summary, by the table of contents."""
    return {seq for (seq,) in db.run(f"SELECT seq FROM {TABLE}")} if exists(db, TABLE) else set()
