"""A policy for a database, proposed from its schema alone: names, types and constraints.

No row is read, but for `reads_public` those of tables that their owner has declared public. Each statement
that is proposed is accepted as it stands, after those before it; what the schema does not say is a question.
`names` says what names mean, `constraints` what is enforced, `whose` whose rows a table holds, `columns`
which values its columns take, and `script` writes all of it down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import duckdb

from dpduck.compiler.parse.statements import parse
from dpduck.kernel.catalog.model import Catalog, Table
from dpduck.kernel.catalog.statements import PolicyStatement, TableName
from dpduck.kernel.errors import DpduckError
from dpduck.policies import apply, load_catalog
from dpduck.policies.schema import asking, read_domains
from dpduck.policies.show import answer_rows
from dpduck.policies.suggest import columns, whose
from dpduck.policies.suggest.constraints import read_constraints
from dpduck.policies.wording import sql_of

_OF_COURSE = ("GROUP BY", "JOIN of a public table")  # forms of queries that name no column or table
Answers = dict[str, str]  # by the form of a query: yes, no, or with a delta


@dataclass(frozen=True)
class Proposed:
    """A statement, why it is proposed, and the forms of queries that it allows: yes, or with delta."""

    statement: PolicyStatement
    why: str
    allows: Answers


@dataclass(frozen=True)
class Question:
    """What the schema does not say, and statements that would say it, with gaps to be filled in."""

    text: str
    forms: Sequence[str] = ()


@dataclass
class OfTable:
    """What is proposed for a table. `before`: what is declared already, if anything."""

    table: Table
    before: str = ""
    proposed: list[Proposed] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


@dataclass(frozen=True)
class Proposal:
    """What is proposed for a database, in an order in which it can be run.

    `views`: their names. `files`: of CSV, how it is read, which is found in its first lines.
    """

    tables: Sequence[OfTable]
    views: Sequence[str] = ()
    has_budget: bool = False
    files: Sequence[PolicyStatement] = ()

    @property
    def statements(self) -> list[PolicyStatement]:
        """All statements, in order."""
        return [one.statement for table in self.tables for one in table.proposed]


def propose(
    connection: duckdb.DuckDBPyConnection, catalog: Catalog | None = None, *, reads_public: bool = False
) -> Proposal:
    """Propose a policy.

    Input: the catalog (default: what the database itself says, with the policies stored in it); whether
        tables that are public are read for the values of others' keys.

    Errors: PolicyError if the stored policies are not readable.
    """
    constraints = read_constraints(connection)
    loaded = catalog or load_catalog(connection, values=reads_public)
    trial = _TriedCatalog(loaded)
    decided = whose.decide(loaded, constraints)
    order = {(one.schema, one.name): place for place, one in enumerate(decided.order)}
    of_tables = [OfTable(table, _before(table)) for table in decided.order]
    for one in of_tables:
        choice = decided.choices.get((one.table.schema, one.table.name))
        if choice is not None and not trial.add(one, choice.statement, choice.why):
            one.questions.append(Question(choice.why))
        one.questions += [Question(*asked) for asked in decided.questions_of(one.table)]
    for one in of_tables:
        table = trial.table(one.table)
        for statement, why in columns.enforced(table, constraints):
            trial.add(one, statement, why)
        for statement, why in columns.referenced(trial.catalog, table, constraints) if reads_public else ():
            trial.add(one, statement, why, connection)
        one.questions += [
            Question(*asked) for asked in columns.questions(trial.catalog, trial.table(one.table))
        ]
    tables = sorted(of_tables, key=lambda one: order[one.table.schema, one.table.name])
    return Proposal(tables, [view.name for view in loaded.views], bool(loaded.budgets))


def _before(table: Table) -> str:
    if table.public:
        return "public"
    if table.link is not None:
        return f"private: linked to {table.link.table}.{table.link.target} by {table.link.column}"
    return "" if table.unit is None else f"private: by {table.unit}"


class _TriedCatalog:
    """The catalog as it would be after the statements that are proposed so far."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    def table(self, table: Table) -> Table:
        """The table as it would be."""
        return self.catalog.table(table.name, table.schema)

    def add(
        self,
        to: OfTable,
        statement: PolicyStatement,
        why: str,
        connection: duckdb.DuckDBPyConnection | None = None,
    ) -> bool:
        """Add a statement if it would be accepted. Input: where values of public tables are read.

        Output: whether it was added.
        """
        try:
            parse(sql_of(statement))
            then = apply(self.catalog, statement)
            if connection is not None:
                then = read_domains(asking(connection), then)
        except DpduckError:
            return False
        referring = then.table(to.table.name, to.table.schema).columns if connection is not None else ()
        if any(one.reference is not None and one.domain is None for one in referring):
            return False  # the public table has no value that could be a key
        before, after = self._answers(self.catalog, to.table), self._answers(then, to.table)
        self.catalog = then
        better = {query: how for query, how in after.items() if how != before.get(query, "no")}
        to.proposed.append(Proposed(replace(statement, forced=False), why, better))
        return True

    @staticmethod
    def _answers(catalog: Catalog, table: Table) -> Answers:
        """How each form of a query is answered, but for those that are not."""
        rows = answer_rows(catalog, TableName(table.name, table.schema))
        return {str(query): str(how) for query, how, _ in rows if how != "no" and query not in _OF_COURSE}
