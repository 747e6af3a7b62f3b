"""Statements with irreversible consequences, which need the word FORCE.

Public rows cannot be made unread, a promise made under one key does not hold under another, and epsilon
spent above a cap cannot be recovered. Such a statement is refused unless it ends with FORCE.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from dpduck.kernel.catalog.model import Catalog, DeclaredBudget, Table, fold
from dpduck.kernel.catalog.statements import (
    AddPrivacyKey,
    AddPrivacyLink,
    AlterBudget,
    CreateBudget,
    DropBudget,
    DropPrivacy,
    DropPrivacyKey,
    DropPrivacyLink,
    PolicyStatement,
    SetPublic,
    TableStatement,
)
from dpduck.kernel.errors import PolicyError, decimal_text
from dpduck.kernel.ledger import Account, Ledger, PolicyEntry
from dpduck.kernel.ledger.session import DEFAULT_CAP
from dpduck.policies import Fact, Prepared, sql_of
from dpduck.policies.accounts import (
    is_lifetime,
    is_wider,
    lifetime_cap,
    table_account,
    unit_account_of,
    unit_accounts_of,
    widened,
)
from dpduck.policies.privacy_keys import subject
from dpduck.policies.unit_accounts import UnitAccount, is_new, without_table

_Follows = tuple[str, str] | None  # the action, and its consequence


class ForceNeededError(PolicyError):
    """A statement needs FORCE at its end. `sql`: the statement with it; `follows`: the consequence."""

    def __init__(self, what: str, follows: str, statement: PolicyStatement) -> None:
        self.sql, self.follows = f"{sql_of(statement)} FORCE", follows
        super().__init__(f"{what} needs the word FORCE", detail=follows, hint=f"If it is meant: {self.sql}.")


def check_meant(
    said: PolicyStatement, prepared: Prepared, ledger: Ledger, history: Callable[[], Iterable[PolicyEntry]]
) -> None:
    """Refuse a statement with irreversible consequences unless it ends with FORCE.

    Input: the statement as written, and as prepared; the entries about the database's policies.
    Errors: ForceNeededError, LedgerError.
    """
    if said.forced:
        return
    follows: _Follows = None
    if isinstance(said, TableStatement) and type(said) in _OF_TABLES:
        now, then = subject(prepared.catalog, said.table), subject(prepared.then, said.table)
        if ledger.was_charged([table_account(now)]):
            follows = _OF_TABLES[type(said)](now, then, prepared, history)
    elif isinstance(said, (CreateBudget, AlterBudget, DropBudget)):
        follows = _of_budget(said.name, prepared)
    if isinstance(said, AddPrivacyKey) and follows is None:
        follows = _begin_anew(subject(prepared.then, said.table), prepared, ledger)
    if follows is not None:
        raise ForceNeededError(*follows, said)


def _publish(now: Table, *_: object) -> _Follows:
    if now.public:
        return None
    return (
        f"making table {now.name} public",
        "Queries on its private rows were charged. Everybody who may ask reads all of its rows then, without "
        "noise or a charge, and nobody can take that back.",
    )


def _drop(now: Table, _: Table, prepared: Prepared, __: object) -> _Follows:
    if not now.private:
        return None
    unit = unit_account_of(prepared.catalog, now).name
    return (
        f"dropping the privacy of table {now.name}",
        f"Queries on it were charged to the people behind {unit}. Nothing says whose rows it holds then, so "
        "that it is closed; another key would keep other promises than those that were made.",
    )


def _key_again(
    now: Table, then: Table, prepared: Prepared, history: Callable[[], Iterable[PolicyEntry]]
) -> _Follows:
    """The consequence of a key or link that differs from the one under which queries were charged."""
    if now.private:
        return None
    new = {about: said for about, said in prepared.after.digests.items() if _says_whose(about, now)}
    for entry in reversed(list(history())):
        former = {about: said for about, said in entry.sets.items() if _says_whose(about, now)}
        if former and entry.how != "outside":
            if former == new:
                return None
            break
    held = then.unit if then.link is None else then.link.column
    return (
        f"another privacy key for table {now.name}",
        f"Queries on it were charged under another one. Answers protect whom {held} stands for then, and do "
        "not keep what was promised to others before.",
    )


def _begin_anew(table: Table, prepared: Prepared, ledger: Ledger) -> _Follows:
    """The consequence of a new account, where units that were charged have no table any more, or where the
    file had the key before any statement declared it.
    """
    if not is_new(table, prepared.known.unit_accounts, prepared.record.unit_accounts):
        return None
    gone = [
        one for one in without_table(prepared.then, prepared.known.unit_accounts) if _was_charged(one, ledger)
    ]
    if gone:
        places = ", ".join(one.place for one in gone)
        follows = (
            f"Nothing says whose rows {places} holds by now, and what was spent on its people would not "
            f"count for {table.name}. If these are rows of theirs, give the table its old name, or its key, "
            "and declare it then."
        )
    elif any(_says_whose(about, table) for about in prepared.before.digests):
        follows = (
            f"The ledger has no statement on record that says whose rows {table.name} holds. What was spent "
            "on them under another name, or is on record in another ledger, would not count."
        )
    else:
        return None
    return f"a new account for the people behind {table.name}", follows


def _was_charged(units: UnitAccount, ledger: Ledger) -> bool:
    return ledger.was_charged([Account("people", units.id, id=units.id, former=units.names)])


def _says_whose(about: str, table: Table) -> bool:
    fact = Fact.named(about)  # None: about logins, or policies of a call
    return fact is not None and fact.is_said_of(table) and fact.kind in ("privacy_key", "privacy_link")


_OF_TABLES: dict[type[TableStatement], Callable[..., Any]] = {
    SetPublic: _publish,
    DropPrivacyKey: _drop,
    DropPrivacyLink: _drop,
    DropPrivacy: _drop,
    AddPrivacyKey: _key_again,
    AddPrivacyLink: _key_again,
}


# --- budgets -------------------------------------------------------------------------------------


def _of_budget(name: str, prepared: Prepared) -> _Follows:
    old, new = _declared(prepared.catalog, name), _declared(prepared.then, name)
    if old is None:
        return None
    if new is None:
        return (
            f"dropping privacy budget {old.name}",
            f"{what_holds(prepared.then, old)} What is spent is gone.",
        )
    wider = widened(old, new)
    if not wider:
        return None
    return f"raising privacy budget {old.name}", f"{wider} What is spent of it is gone."


def above_default(prepared: Prepared, ledger: Ledger) -> str | None:
    """A warning for a first lifetime cap above the default, if the default was spent from."""
    cap = lifetime_cap(prepared.then)
    if lifetime_cap(prepared.catalog) is not None or cap is None or not is_wider(DEFAULT_CAP, cap):
        return None
    if not ledger.was_charged(unit_accounts_of(prepared.then)):
        return None
    return f"So far the default of {_default()} held, and queries were charged to it."


def what_holds(catalog: Catalog, dropped: DeclaredBudget) -> str:
    """What still caps the queries that a dropped budget capped, in a sentence."""
    if not is_lifetime(dropped):
        return f"Only the lifetime cap of the people holds for the queries that {dropped.name} counted."
    cap = lifetime_cap(catalog)
    if cap is None:
        return f"The lifetime cap of the people is the default again: {_default()}."
    return f"The lifetime cap of the people is {_amount(cap.epsilon)} then."


def _declared(catalog: Catalog, name: str) -> DeclaredBudget | None:
    return next((budget for budget in catalog.budgets if fold(budget.name) == fold(name)), None)


def _default() -> str:
    return f"{_amount(DEFAULT_CAP.epsilon)} and delta {decimal_text(DEFAULT_CAP.delta or Fraction(0))}"


def _amount(epsilon: Fraction | None) -> str:
    return f"epsilon {decimal_text(epsilon or Fraction(0))}"
