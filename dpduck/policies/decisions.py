"""Decisions about the data: recorded in the ledger before they take effect.

    statement -> prepared -> FORCE where needed -> recorded, durable -> stored -> caps set

A crash after recording leaves a record that is ahead of the policies, never policies ahead of the record.
Policies that differ from the record, because of such a crash or an edit without dpduck, are noticed when they
are loaded, and recorded, before any query is answered under them. Within a process, changes and notices
exclude each other; between processes, DuckDB lets only one open a file for writing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import duckdb

from dpduck.engines.duckdb.hardening import cursor_of
from dpduck.engines.source import Source
from dpduck.kernel.catalog.csv_format import SetCsv
from dpduck.kernel.catalog.model import Catalog, DeclaredBudget, Table, fold
from dpduck.kernel.catalog.statements import (
    AlterBudget,
    CreateBudget,
    DropBudget,
    PolicyScript,
    PolicyStatement,
)
from dpduck.kernel.errors import PolicyError
from dpduck.kernel.ledger import Facts, Ledger, PolicyChange, PolicyEntry, Subject
from dpduck.kernel.ledger.chain import digest
from dpduck.kernel.ledger.policies import How, digest_of
from dpduck.kernel.system.fork_lock import ForkLock
from dpduck.policies import (
    Fact,
    Prepared,
    Record,
    UnreadablePolicyError,
    apply,
    digests_of,
    on_record,
    prepare,
    record_found,
    sql_of,
    store,
    stored_facts,
)
from dpduck.policies.accounts import check_enforceable, enforce, lower_caps, table_account
from dpduck.policies.consequences import above_default, check_meant, what_holds

_UNREADABLE: Facts = {"unreadable": ""}
_LONGEST = 300  # characters of a statement in a notice
_ELSEWHERE = (
    "The policies of this database are on record in another ledger, and what was spent there does not count "
    "here. If the file was renamed, moved or copied, go on with that ledger: --ledger OLD_NAME.ledger."
)

_turns = ForkLock()


def place_of(where: str) -> str:
    """A location as the ledger records it: a digest, since paths are confidential."""
    return digest(f"place {where}") if where else ""


class Decisions:
    """The policies of one source, and their record in a ledger.

    Input: the analyst who asks (None: the data owner); `records`: whether to record what is noticed.
    Notices for the owner accumulate until `take_notices`.
    """

    def __init__(
        self, ledger: Ledger, source: Source, analyst: str | None = None, *, records: bool = True
    ) -> None:
        self._ledger = ledger
        self._source = source
        self._analyst = analyst
        self._records = records
        self._place = place_of(_where(source))
        self._database = ""
        self._seen: tuple[str, str] | None = None
        self._known: Record | None = None
        self._read: set[object] = set()
        self._notices: list[str] = list(source.remarks)

    @property
    def subject(self) -> Subject:
        """The subject of the policies stored in the database."""
        return Subject("stored", self._database, self._place)

    def take_notices(self) -> tuple[str, ...]:
        """The notices for the owner since the last call."""
        taken, self._notices = tuple(self._notices), []
        return taken if self._analyst is None else ()

    # --- policies that differ from the record ----------------------------------------------------

    def check(self, load: Callable[[], Catalog]) -> Catalog:
        """Load the catalog, and record its policies if they differ from the record.

        Errors: LedgerError; those of loading it.
        """
        given = {sql: digest(sql) for sql in map(sql_of, self._source.policies)}
        # What was seen is compared before the turn; at first nothing is, so it is loaded once.
        catalog = None if self._seen is None else self._loaded(load)
        if catalog is None or self._state(catalog, given) != self._seen:
            with _turns:
                catalog = self._loaded(load)
                differs = self._notice(catalog.database, dict(catalog.facts))
                self._known = self._on_record(dict(catalog.facts))
                if differs and self._records:
                    # What no statement declared may lower a cap, but never raises one.
                    recorded = self._as_recorded(catalog)
                    now = replace(recorded, budgets=catalog.budgets)
                    enforce(self._ledger, recorded, now, lowering=True)
                self._notice_given(given)
                self._lower_caps(self._as_recorded(catalog))
                if self._seen is None:
                    self._tell_last()
            self._seen = self._state(catalog, given)
        return self._as_recorded(catalog)

    @staticmethod
    def _state(catalog: Catalog, given: Facts) -> tuple[str, str]:
        """What is compared with what was seen last: stored policies, and those given at the start."""
        return digest_of(dict(catalog.facts)), digest_of(given)

    def _as_recorded(self, catalog: Catalog) -> Catalog:
        """The loaded catalog, limited to what statements have declared."""
        if self._known is None:
            return catalog
        return on_record(catalog, self._known, self._source.policies)

    def _on_record(self, facts: Facts) -> Record | None:
        """Whose rows the tables hold according to the ledger, which starts with what the file says; None for
        files, whose policies are not stored where they could be edited.
        """
        if self._source.files is not None:
            return None
        last = self._ledger.last_policy(self.subject)
        notes = None if last is None else self._ledger.policy_whose(last.number)
        if notes is not None:
            return Record.of_notes(notes)
        found = self._found(last)
        if last is not None:
            words = "found when the record began: whose rows the tables hold"
            self._add_news(PolicyChange(self.subject, "found", words, facts, None, (), found.notes), last)
        return found

    def _found(self, last: PolicyEntry | None) -> Record:
        """The initial record: what the file says.

        If the ledger knows other databases, the file is not trusted: it may be one of these under another
        name.
        """
        others = (entry.subject.part == "stored" for entry in self._ledger.policies())
        if last is None and self._place and any(others):
            return Record()
        with cursor_of(self._source.connection) as cursor:
            return record_found(cursor)

    def _loaded(self, load: Callable[[], Catalog]) -> Catalog:
        try:
            return load()
        except UnreadablePolicyError as error:
            with _turns:
                self._notice(self._database, digests_of(error.facts) or _UNREADABLE, readable=False)
            raise

    def _notice(self, database: str, facts: Facts, *, readable: bool = True) -> bool:
        """Record the stored policies if they differ from the record. Output: whether they differ."""
        if self._source.files is not None and not database:
            return False  # policies of files last for one connection, and are not stored yet
        self._database = database or self._database
        last = self._ledger.last_policy(self.subject)
        if last is not None and last.digest == digest_of(facts):
            self._notice_place(last, facts)
            return False
        if last is None and not facts:
            return False
        how, words = self._told(last, facts)
        whose = self._found(None).notes if how == "found" and readable else None
        change = PolicyChange(self.subject, how, words, facts, None, self._readers(), whose)
        entry = self._add_news(change, last)
        if entry is None and self._records:  # another process was there first
            return self._notice(database, facts, readable=readable)
        return last is not None

    def _told(self, last: PolicyEntry | None, facts: Facts) -> tuple[How, str]:
        if last is None:
            return "found", f"found when the record began: {self._differences({}, facts)}"
        if last.how == "said" and last.before == digest_of(facts):
            return "undone", f"edited from outside, or took no effect: {last.statement}"
        before = self._ledger.policy_facts(last.number)
        return "outside", f"edited from outside: {self._differences(before, facts)}"

    def _differences(self, before: Facts, after: Facts) -> str:
        """The statements that declare new facts, and the names of facts that are gone."""
        known = {fact.about: fact for fact in self._stored()}
        new = [
            _said(known.get(about), about)
            for about, said in sorted(after.items())
            if before.get(about) != said
        ]
        gone = [f"gone: {_named(about)}" for about in sorted(before) if about not in after]
        return "; ".join([*(text for text in new if text), *gone]) or "what is declared is the same"

    def _stored(self) -> Sequence[Fact]:
        try:
            with cursor_of(self._source.connection) as cursor:
                return stored_facts(cursor)
        except UnreadablePolicyError as error:
            return error.facts

    def _notice_place(self, last: PolicyEntry, facts: Facts) -> None:
        """Record, once per location, that a database was opened at another location."""
        if last.subject == self.subject or not self._database:
            return
        known = {entry.subject.place for entry in self._ledger.policies(self.subject)}
        if self._place not in known:
            self._add_news(
                PolicyChange(self.subject, "moved", "opened at another place", facts, None, ()), last
            )

    def _notice_given(self, given: Facts) -> None:
        """Record the policies given with this call if they differ from those of the last one."""
        subject = Subject("given", "", self._place)
        last = self._ledger.last_policy(subject)
        if digest_of(given) != (digest_of({}) if last is None else last.digest):
            words = "; ".join(given) or "no policy is given any more"
            self._add_news(PolicyChange(subject, "given", words, given, self._analyst), last)

    def _lower_caps(self, catalog: Catalog) -> None:
        """Set the caps that are declared with the data, at each opening, where they are lower than before."""
        if not self._records or not self._given_budgets():
            return
        for name in lower_caps(self._ledger, catalog):
            self._notices.append(
                f"The cap of {name} is lower than what is declared with the data, which never raises a cap. "
                "To raise it, take the budget out there, and write CREATE PRIVACY BUDGET ... LIMIT ... once."
            )

    def _given_budgets(self) -> dict[str, CreateBudget]:
        """The budgets that are declared with the data: in the script beside a file, or in `policies=`."""
        return {fold(one.name): one for one in self._source.policies if isinstance(one, CreateBudget)}

    def _add_news(self, change: PolicyChange, last: PolicyEntry | None) -> PolicyEntry | None:
        if not self._records:
            return last
        return self._ledger.add_policy_news(change, "" if last is None else last.digest)

    def _readers(self) -> tuple[str, ...] | None:
        """The analysts who may see a notice: all (None), or none if it may name other analysts."""
        return () if any(fact.kind == "budget" for fact in self._stored()) else None

    def _tell_last(self) -> None:
        """Notify the owner of an undeclared change, as long as it is the last entry."""
        last = self._ledger.last_policy(self.subject)
        first = last is None or (last.how == "found" and last.follows is None)
        if first and self._place and any(fact.kind == "people" for fact in self._stored()):
            self._notices.append(_ELSEWHERE)
        if last is not None and last.how in ("outside", "undone"):
            self._notices.append(
                f"The policies are not those that were set (noticed {last.at:%Y-%m-%d %H:%M:%S} UTC): "
                f"{_shortened(last.statement)}. dpduck ledger FILE --policies shows the record."
            )

    # --- statements of the owner -----------------------------------------------------------------

    def make(self, said: PolicyStatement, load: Callable[[], Catalog]) -> tuple[str, ...]:
        """Record a statement of the owner, then let it take effect. Output: remarks for the owner.

        The statements of a script take effect together.
        Errors: UnknownNameError, PolicyError, LedgerError; then it has no effect.
        """
        each = said.statements if isinstance(said, PolicyScript) else (said,)
        if any(isinstance(one, SetCsv) for one in each):
            raise PolicyError(
                "how a CSV file is read is not said to what is open",
                detail="It holds from the first line on, and a table of a database has types of its own.",
                hint="Put the statement into the script beside the file, or open it with --type.",
            )
        for one in each:
            if (
                isinstance(one, CreateBudget | AlterBudget | DropBudget)
                and fold(one.name) in self._given_budgets()
            ):
                raise PolicyError(
                    f"privacy budget {one.name} is declared with the data",
                    detail="The script beside the file, or policies=, says it at each opening.",
                    hint="Change it there: a lower LIMIT holds from the next opening on.",
                )
        with _turns:
            with cursor_of(self._source.connection) as cursor:
                made = self._prepared(cursor, each, load)
                last = made[-1]
                check_enforceable(made[0].catalog, last.then)
                for one, prepared in zip(each, made, strict=True):
                    check_meant(one, prepared, self._ledger, lambda: self._ledger.policies(self.subject))
                self._database = last.after.database
                self._ledger.add_policies([self._change(*pair) for pair in zip(each, made, strict=True)])
                before, then = self._with_given(made[0].catalog), self._with_given(last.then)
                enforce(self._ledger, before, then, lowering=True)
                store(cursor, made)
            self._seen = None if self._seen is None else (digest_of(last.after.digests), self._seen[1])
            self._known = None if self._known is None else last.record
            enforce(self._ledger, before, then)
            remarks = (self._remarks(*pair) for pair in zip(each, made, strict=True))
            return tuple(dict.fromkeys(chain.from_iterable(remarks)))

    def _prepared(
        self, cursor: duckdb.DuckDBPyConnection, said: Sequence[PolicyStatement], load: Callable[[], Catalog]
    ) -> list[Prepared]:
        """The prepared statements. The stored policies are checked unless they are as they were seen last."""
        rows, checked = self._source.engine.rows, self._seen
        if checked is not None:
            made = prepare(cursor, said, rows, self._known)
            if digest_of(made[0].before.digests) == checked[0]:
                return made
        self.check(load)
        return prepare(cursor, said, rows, self._known)

    def _change(self, said: PolicyStatement, prepared: Prepared) -> PolicyChange:
        budgets = [_budget_of(said, catalog) for catalog in (prepared.catalog, prepared.then)]
        named = {name for budget in budgets if budget is not None for name in budget.analysts}
        for_all = not any(budget is not None and budget.analysts for budget in budgets)
        readers = None if for_all else tuple(sorted(named))
        facts = prepared.after.digests
        whose = None if self._known is None else prepared.record.notes
        return PolicyChange(self.subject, "said", sql_of(said), facts, None, readers, whose)

    def _with_given(self, catalog: Catalog) -> Catalog:
        for statement in self._source.policies:
            catalog = apply(catalog, statement)
        return catalog

    def _remarks(self, said: PolicyStatement, prepared: Prepared) -> tuple[str, ...]:
        old, new = _budget_of(said, prepared.catalog), _budget_of(said, prepared.then)
        if old is not None and new is None:
            return (*prepared.remarks, what_holds(prepared.then, old))
        remarks = [] if new is None else [above_default(prepared, self._ledger)]
        unknown = [] if new is None or not new.analysts else self._unknown(new.analysts)
        remarks += [f"Nobody called {name} may log in: dpduck analyst add FILE {name}." for name in unknown]
        return (*prepared.remarks, *(remark for remark in remarks if remark is not None))

    def _unknown(self, names: Iterable[str]) -> list[str]:
        """The names that cannot log in and have never asked anything, if any analyst can log in."""
        known = {fold(analyst.name) for analyst in self._ledger.analysts()}
        if not known:
            return []
        known |= {fold(entry.analyst) for entry in self._ledger.entries() if entry.analyst is not None}
        return [name for name in names if fold(name) not in known]

    # --- rows read of tables that became public ------------------------------------------------

    def note_reading(self, tables: Iterable[Table], sql: str) -> None:
        """Record, once for each analyst, that rows of tables are read that are public and once were private.

        Errors: LedgerError.
        """
        for table in tables:
            key = (self._seen, table.schema, table.name)
            if key in self._read:
                continue
            if self._ledger.was_charged([table_account(table)]):
                self._add_reading(table, sql)
            self._read.add(key)

    def _add_reading(self, table: Table, sql: str) -> None:
        last = self._ledger.last_policy(self.subject)
        if last is None:
            return
        words = f"rows of {table.name} read while it is public: "
        readers = () if self._analyst is None else (self._analyst,)
        facts = self._ledger.policy_facts(last.number)
        change = PolicyChange(self.subject, "read", f"{words}{sql}", facts, self._analyst, readers)
        self._ledger.add_reading(change, words)


def _where(source: Source) -> str:
    """The location of the data, '' if it has no permanent one."""
    if source.files is not None:
        return source.files.where
    if source.lake is not None:
        return source.lake.where
    with source.connection.cursor() as cursor:  # other threads may use the connection
        rows = cursor.execute(
            "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"
        ).fetchall()
    return str(Path(rows[0][0]).resolve()) if rows and rows[0][0] else ""


def _budget_of(said: PolicyStatement, catalog: Catalog) -> DeclaredBudget | None:
    """The budget that a statement is about; None if it is not about a budget."""
    if not isinstance(said, (CreateBudget, AlterBudget, DropBudget)):
        return None
    return next((budget for budget in catalog.budgets if fold(budget.name) == fold(said.name)), None)


def _said(fact: Fact | None, about: str) -> str:
    """A fact as the statement that declares it; '' if no statement does."""
    try:
        return _named(about) if fact is None else fact.sql
    except UnreadablePolicyError as error:
        return error.message


def _named(about: str) -> str:
    fact = Fact.named(about)
    if fact is None:
        return about
    names = (name for name in (fact.schema, fact.table, fact.column) if name)
    return f"{fact.kind.replace('_', ' ')} {'.'.join(names)}".strip()


def _shortened(text: str) -> str:
    shown = "".join(sign if sign.isprintable() else "?" for sign in text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"
