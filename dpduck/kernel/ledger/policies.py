"""Decisions about the data as entries of the chain: policies and budgets, and who may log in.

An entry records who changed what, when and by which statement, and seals the digest of the whole policy after
it. A policy is a set of facts, each a name and a value; an entry holds the facts that it changed, so that
the digest can be recomputed from the record alone and compared with what is stored elsewhere.
Facts about privacy units (whose rows a table holds) are recorded with their text too: a user who may write
the data could change the text stored there, so the ledger is the authority.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal, get_args

from dpduck.kernel.catalog.model import fold
from dpduck.kernel.ledger.chain import ChainEntry, digest
from dpduck.kernel.ledger.errors import damage_fault
from dpduck.kernel.ledger.records import check_text
from dpduck.kernel.ledger.transactions import Transaction, append, moment, note, read_head, read_policy_links
from dpduck.kernel.ledger.versions import is_upgrade_to

# said: by a statement; undone: the last statement had no effect, or was rolled back; outside: edited without
# dpduck; found: existed before the record began; moved: opened at another location; given: by the options of
# a call; read: rows of a public table that was private once; ledger: who may log in, and the ledger itself.
How = Literal["said", "undone", "outside", "found", "moved", "given", "read", "ledger"]
Part = Literal["stored", "given", "ledger", "summary"]
Facts = Mapping[str, str]  # name of a fact -> the digest of its value
Notes = Mapping[str, str]  # name of a fact -> its value

_NOTHING: Facts = {}
_BATCH = 64


@dataclass(frozen=True)
class Subject:
    """Which policy an entry is about.

    Input: `part`: stored in a database, given with a call, the ledger's own, or which summaries there are;
        `database`: the name stored in the database, '' for none; `place`: a digest of its location, '' where
        a location means nothing.
    """

    part: Part
    database: str = ""
    place: str = ""


@dataclass(frozen=True)
class PolicyChange:
    """A change to record: the statement, its author (None: the owner or unknown), and the facts after it.

    `readers`: the analysts who may see it besides the owner; None: everybody. `whose`: the facts that now
    say whose rows the tables hold; None: unchanged.
    """

    subject: Subject
    how: How
    statement: str
    facts: Facts
    analyst: str | None = None
    readers: tuple[str, ...] | None = None
    whose: Notes | None = None

    def __post_init__(self) -> None:
        for text, name in ((self.statement, "statement"), (self.analyst or "", "analyst")):
            check_text(text, name)


@dataclass(frozen=True)
class PolicyEntry:
    """An entry about policies. `number`: its index in the chain; `before`, `digest`: of the whole policy.

    `follows`: the number of the previous entry about the same policy, if any. `readers`: the analysts who may
    see it besides the owner; None: everybody. `sets`: the facts that it changes, `gone`: those that it ends.
    """

    number: int
    at: datetime
    analyst: str | None
    subject: Subject
    how: How
    statement: str
    before: str
    digest: str
    follows: int | None
    readers: tuple[str, ...] | None
    sets: Facts = field(default_factory=dict, repr=False)
    gone: tuple[str, ...] = field(default=(), repr=False)

    def may_be_shown_to(self, analyst: str | None) -> bool:
        """Whether an analyst may see it; None: the owner, who may always.

        The statement of a summary says what its author means to ask, so it is shown to nobody else.
        """
        if analyst is None:
            return True
        if self.subject.part == "summary":
            return analyst == self.analyst
        if self.readers is None:
            return True
        if self.how == "said":  # a budget is FOR names in any spelling
            return fold(analyst) in map(fold, self.readers)
        return analyst in self.readers  # logins and readers are case-sensitive

    @property
    def who(self) -> str:
        """'owner', an analyst by name, or 'unknown' where the record does not tell."""
        if self.analyst is not None:
            reserved = self.analyst.lower() in ("owner", "unknown")
            return f"analyst {self.analyst}" if reserved else self.analyst
        return "unknown" if self.how in ("undone", "outside", "found", "moved") else "owner"


def digest_of(facts: Facts) -> str:
    """The SHA-256 digest of a whole policy.

    >>> digest_of({"b": "2", "a": "1"}) == digest_of({"a": "1", "b": "2"})
    True
    """
    return digest(json.dumps(sorted(facts.items()), separators=(",", ":")))


def add_policy(db: Transaction, change: PolicyChange) -> PolicyEntry:
    """Record a change as the successor of the last entry about the same policy."""
    return add_policies(db, [change])[0]


def add_policies(db: Transaction, changes: Sequence[PolicyChange]) -> list[PolicyEntry]:
    """Record changes of one policy, each as the successor of the one before."""
    last = read_last(db, changes[0].subject)
    follows = None if last is None else last.number
    before: Facts = _NOTHING if last is None else facts_at(db, last.number)
    known: Notes | None = None if last is None else whose_at(db, last.number)
    entries = []
    for change in changes:
        head = read_head(db)
        link = replace(
            note(db, "policy", head, accounts="[]", about=follows),
            analyst=change.analyst,
            query=change.statement,
            detail=_detail(change, before, known or _NOTHING),
        )
        append(db, head, link)
        entries.append(_entry(link))
        follows, before, known = link.number, change.facts, known if change.whose is None else change.whose
    return entries


def add_news(db: Transaction, change: PolicyChange, seen: str) -> PolicyEntry | None:
    """Record a change unless another one was recorded for that policy in the meantime.

    Input: `seen`: the digest on record when the change was made, '' if there was none.
    """
    last = read_last(db, change.subject)
    return add_policy(db, change) if ("" if last is None else last.digest) == seen else None


def read_last(db: Transaction, subject: Subject) -> PolicyEntry | None:
    """The last entry about a policy: by the database's own name, otherwise by its location.

    A new name at a known location means that another database replaced the one that was there.
    """
    by_place = None
    for entry in _backwards(db):
        other = entry.subject
        if entry.how == "read" or other.part != subject.part:
            continue
        if subject.database and other.database == subject.database:
            return entry
        if by_place is None and other.place == subject.place and (subject.place or subject.part != "stored"):
            by_place = entry
            if not subject.database:
                break
    return by_place


def facts_at(db: Transaction, number: int) -> dict[str, str]:
    """The facts of a policy as of an entry."""
    facts: dict[str, str] = {}
    for detail in _details_until(db, number):
        facts = changed(facts, detail)
    return facts


def whose_at(db: Transaction, number: int) -> dict[str, str] | None:
    """Whose rows the tables held as of an entry, the most recently stated fact last.

    It is what statements have declared, whatever happened to the database. None: nothing is on record.
    """
    changes = [detail["whose"] for detail in _details_until(db, number) if "whose" in detail]
    notes: dict[str, str] = {}
    for change in changes:
        kept = {about: text for about, text in notes.items() if about not in change}
        notes = {**kept, **{about: text for about, text in change.items() if text is not None}}
    return notes if changes else None


def _details_until(db: Transaction, number: int) -> list[dict[str, Any]]:
    """The details of the entries about one policy up to that number, oldest first."""
    details = []
    following: int | None = number
    for link in _links_backwards(db, number + 1):
        if link.number == following:
            details.append(json.loads(link.detail))
            following = link.about
        if following is None:
            break
    return details[::-1]


def changed(facts: Facts, detail: Mapping[str, Any]) -> dict[str, str]:
    """The facts after applying the detail of an entry."""
    kept = {name: said for name, said in facts.items() if name not in detail["gone"]}
    return {**kept, **detail["set"]}


def read_policies(db: Transaction, subject: Subject | None) -> list[PolicyEntry]:
    """The entries about the policies of a database and about the ledger, in order; None: of all databases."""
    entries = list(_backwards(db))[::-1]
    if subject is None:
        return entries
    names = {subject.database} | {
        entry.subject.database for entry in entries if subject.place and entry.subject.place == subject.place
    }
    return [entry for entry in entries if _is_of(entry.subject, subject.place, names - {""})]


def _is_of(subject: Subject, place: str, names: set[str]) -> bool:
    return subject.part == "ledger" or subject.database in names or subject.place == place


def has_read(db: Transaction, change: PolicyChange, words: str) -> bool:
    """Whether that read is on record since the policy last changed. Input: how its statement begins."""
    last = read_last(db, change.subject)
    for entry in _backwards(db):
        if last is None or entry.number <= last.number:
            return False
        same = entry.how == "read" and entry.analyst == change.analyst
        if same and entry.subject == change.subject and entry.statement.startswith(words):
            return True
    return False


def find_in_policy(link: ChainEntry, before: Facts) -> str | None:
    """The fault of an entry about policies, or None. Input: the facts before it."""
    try:
        detail = json.loads(link.detail)
        whole = detail["before"] == digest_of(before)
        after = changed(before, detail)
        whole = whole and detail["digest"] == digest_of(after)
        if detail["how"] == "said":
            whole = whole and all(
                after.get(about) == (None if text is None else digest(text))
                for about, text in detail.get("whose", {}).items()
            )
        known = detail["how"] in get_args(How) and detail["part"] in get_args(Part)
    except (ValueError, KeyError, TypeError):
        return "is not readable"
    return None if whole and known else "has another digest than its policy"


def _detail(change: PolicyChange, before: Facts, known: Notes) -> str:
    subject, facts = change.subject, change.facts
    detail: dict[str, Any] = {
        "how": change.how,
        "part": subject.part,
        "database": subject.database,
        "place": subject.place,
        "set": {name: said for name, said in sorted(facts.items()) if before.get(name) != said},
        "gone": sorted(name for name in before if name not in facts),
        "before": digest_of(before),
        "digest": digest_of(facts),
        "readers": None if change.readers is None else list(change.readers),
    }
    if change.whose is not None:
        gone: dict[str, str | None] = {about: None for about in known if about not in change.whose}
        new = {about: text for about, text in change.whose.items() if known.get(about) != text}
        detail["whose"] = {**gone, **new}
    return json.dumps(detail, separators=(",", ":"))


def _backwards(db: Transaction) -> Iterator[PolicyEntry]:
    """All entries about policies, newest first."""
    return map(_entry, _links_backwards(db, None))


def _links_backwards(db: Transaction, below: int | None) -> Iterator[ChainEntry]:
    links = read_policy_links(db, below, _BATCH)
    while links:
        yield from links
        links = read_policy_links(db, links[-1].number, _BATCH)


def _entry(link: ChainEntry) -> PolicyEntry:
    """Errors: LedgerError."""
    try:
        detail = json.loads(link.detail)
        readers: Sequence[str] | None = detail["readers"]
        return PolicyEntry(
            link.number,
            moment(link.at),
            link.analyst,
            Subject(detail["part"], detail["database"], detail["place"]),
            detail["how"],
            link.query,
            detail["before"],
            detail["digest"],
            link.about,
            None if readers is None else tuple(readers),
            dict(detail["set"]),
            tuple(detail["gone"]),
        )
    except (ValueError, KeyError, TypeError):
        pass
    raise damage_fault(f"Entry {link.number} is not readable.")


# --- who may log in ------------------------------------------------------------------------------

_LEDGER = Subject("ledger")


def last_upgrade_to(db: Transaction, version: int) -> int:
    """The number of the entry that upgraded the ledger to that version, 0 if it never had an older one."""
    for link in _links_backwards(db, None):
        if is_upgrade_to(version, link.query) and _is_of_ledger(link):
            return link.number
    return 0


def _is_of_ledger(link: ChainEntry) -> bool:
    """Whether an entry, which may be damaged, is about the ledger itself."""
    try:
        about = json.loads(link.detail)
        return bool(about["part"] == _LEDGER.part)
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def add_to_ledger(db: Transaction, statement: str, facts: Facts, *, concerns: str | None = None) -> None:
    """Record a change of the ledger itself. Input: its facts; the analyst whom it concerns."""
    readers = () if concerns is None else (concerns,)
    add_policy(db, PolicyChange(_LEDGER, "ledger", statement, facts, readers=readers))
