"""Whose rows a table holds according to the ledger, as opposed to the data file. Pure.

A user who may write the file could add a key, a link, SET PUBLIC, or another id for its units. So a stored
fact counts only if a statement on record declared it. A table about which the file says anything else is
closed until its owner declares it again, and so are the tables linked to it. The units behind a table and
the budgets are those on record, so that only a statement can begin an account or raise a cap.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dpduck.kernel.catalog.model import Catalog, Misfit, Table, fold
from dpduck.kernel.catalog.statements import (
    AddPrivacyKey,
    AddPrivacyLink,
    CreateBudget,
    PolicyStatement,
    SetPublic,
    TableName,
    TableStatement,
)
from dpduck.kernel.ledger.chain import digest
from dpduck.policies.apply import apply
from dpduck.policies.store import WHOSE, Fact, Stored, notes_of, with_statement, with_unit_accounts
from dpduck.policies.unit_accounts import UnitAccount, account_of_table, with_names
from dpduck.policies.wording import sql_of

_BUDGET = "budget"
Place = tuple[str, str]  # folded names of a schema and a table


@dataclass(frozen=True)
class Record:
    """The units behind each table that ever was private, and the facts that say whose rows each table holds,
    or declare budgets.
    """

    unit_accounts: tuple[UnitAccount, ...] = ()
    facts: tuple[Fact, ...] = field(default=(), repr=False)

    @classmethod
    def of_notes(cls, notes: Mapping[str, str]) -> Record:
        """Read the notes of the ledger; of spellings the last counts. Errors: UnreadablePolicyError."""
        named = [replace(fact, details=text) for about, text in notes.items() if (fact := Fact.named(about))]
        unit_accounts = {
            (fold(one.schema), fold(one.table)): one for one in Stored(tuple(named)).unit_accounts
        }
        return cls(tuple(unit_accounts.values()), _kept(named))

    @property
    def notes(self) -> dict[str, str]:
        """The record as notes of the ledger: name and value of each fact."""
        return {**notes_of(self.unit_accounts), **{fact.about: fact.details for fact in self.facts}}


def record_of(stored: Stored, unit_accounts: Iterable[UnitAccount]) -> Record:
    """The initial record: the stored facts, and the units found behind the tables."""
    return Record(tuple(unit_accounts), _kept(stored.facts))


def recorded(
    before: Record, statement: PolicyStatement, table: Table | None, unit_accounts: Iterable[UnitAccount]
) -> Record:
    """The record after a statement. Input: the statement's table, if any; the units after it."""
    after = with_statement(Stored(before.facts), statement, table)
    return Record(tuple(unit_accounts), _kept(after.facts))


def with_record(stored: Stored, record: Record) -> Stored:
    """The stored facts, completed with budgets and units on record."""
    others = (fact for fact in stored.facts if fact.kind != _BUDGET)
    budgets = (fact for fact in record.facts if fact.kind == _BUDGET)
    return with_unit_accounts(Stored((*others, *budgets)), record.unit_accounts)


def _kept(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    return tuple(fact for fact in facts if fact.kind in (*WHOSE, _BUDGET))


def on_record(catalog: Catalog, record: Record, given: Sequence[PolicyStatement] = ()) -> Catalog:
    """The catalog according to the record. Input: `given`: policies that are not from the file."""
    named = [said.table for said in given if isinstance(said, TableStatement)]
    places = {(fold(one.schema or "main"), fold(one.name)) for one in named}
    return _with_tables(_with_budgets(catalog, record, given), record, places)


def _with_budgets(catalog: Catalog, record: Record, given: Sequence[PolicyStatement]) -> Catalog:
    budgets = Stored(tuple(fact for fact in record.facts if fact.kind == _BUDGET))
    catalog = replace(catalog, budgets=())
    for statement in (*budgets.statements, *given):
        if isinstance(statement, CreateBudget):
            catalog = apply(catalog, replace(statement, replace=True))
    return catalog


def _with_tables(catalog: Catalog, record: Record, given: Container[Place]) -> Catalog:
    stored = _by_place((about, said) for about, said in catalog.facts)
    known = _by_place((fact.about, digest(fact.details)) for fact in record.facts)

    def is_known(table: Table) -> bool:
        place = (fold(table.schema), fold(table.name))
        on_it = table.public or account_of_table(record.unit_accounts, table) is not None
        return place in given or (on_it and stored[place] == known[place])

    named = with_names(catalog, record.unit_accounts)
    tables = []
    for table in named.tables:
        strange = next((one for one in _chain(named, table) if not is_known(one)), None)
        tables.append(table if strange is None else _closed(table, strange))
    return replace(named, tables=tuple(tables))


def _by_place(facts: Iterable[tuple[str, str]]) -> Mapping[Place, set[tuple[str, str]]]:
    """The facts about whose rows each table holds, by table."""
    found: dict[Place, set[tuple[str, str]]] = defaultdict(set)
    for about, said in facts:
        fact = Fact.named(about)
        if fact is not None and fact.kind in WHOSE:
            found[fold(fact.schema), fold(fact.table)].add((about, said))
    return found


def _chain(catalog: Catalog, table: Table) -> list[Table]:
    """An open table and those it links to, up to the one with the key; nothing for a closed one."""
    chain = [table] if table.private or table.public else []
    while table.link is not None:
        table = catalog.table(table.link.table, table.link.schema)
        chain.append(table)
    return chain


def _closed(table: Table, strange: Table) -> Table:
    misfit = Misfit(
        f"the ledger has no statement on record that says of table {strange.name} what the file says",
        f"if it is meant, {sql_of(_declaring(strange))}; if it was said to another ledger, --ledger.",
    )
    return replace(
        table, unit=None, unit_is_unique=False, link=None, public=False, account_ids=(), misfit=misfit
    )


def _declaring(table: Table) -> PolicyStatement:
    """The statement that declares whose rows a table holds."""
    name, link = TableName(table.name, table.schema), table.link
    if link is not None:
        target = TableName(link.table, link.schema)
        return AddPrivacyLink(name, link.column, target, link.target, forced=True)
    if table.public:
        return SetPublic(name, forced=True)
    return AddPrivacyKey(name, table.unit or "", forced=True)
