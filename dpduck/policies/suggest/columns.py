"""Which values columns take: what constraints enforce, public tables list, and must be asked. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpduck.kernel.catalog.model import Catalog, Column, Table, fold, written
from dpduck.kernel.catalog.statements import DomainReference, PolicyStatement, SetPrivacyDomain, TableName
from dpduck.kernel.catalog.types import parse_type
from dpduck.policies.suggest.constraints import Constraints
from dpduck.policies.suggest.names import is_an_id, names_a_person

_MOST_NAMED = 12
_Asked = tuple[str, tuple[str, ...]]

# Kinds of types, what is asked of them, and the form of a statement that answers.
_KINDS: Sequence[tuple[tuple[str, ...], str, str]] = (
    (
        ("text",),
        "Which values may {names} take, as everybody knows? Without them, keys need a delta.",
        "IN ('...', '...')",
    ),
    (
        ("integer", "decimal", "float"),
        "Between which bounds may {names} be, as is known without looking at the data?",
        "BETWEEN (LOW, HIGH)",
    ),
    (
        ("date", "timestamp"),
        "From which day to which one are there rows ({names})?",
        "BETWEEN ('FIRST', 'LAST')",
    ),
)


def enforced(table: Table, constraints: Constraints) -> Iterator[tuple[PolicyStatement, str]]:
    """The domains of a private table that its CHECK constraints enforce."""
    if not table.private:
        return
    for one in constraints.domains_of(table.schema, table.name):
        column = table.part(one.column)
        if column is not None and column.domain is None and not _is_whose(table, column):
            yield SetPrivacyDomain(_name(table), column.name, one.domain), "its CHECK constraint enforces it"


def referenced(
    catalog: Catalog, table: Table, constraints: Constraints
) -> Iterator[tuple[PolicyStatement, str]]:
    """The domains of a private table that are values of public tables, to which its foreign keys refer."""
    if not table.private:
        return
    for key in constraints.of(table.schema, table.name):
        targets = [one for one in catalog.tables if one.name == key.target and one.public]
        column = table.part(key.column)
        if len(targets) == 1 and column is not None and column.domain is None:
            domain = DomainReference(_name(targets[0]), key.target_column)
            why = f"its foreign key refers to {written(targets[0].name)}, which is public"
            yield SetPrivacyDomain(_name(table), column.name, domain), why


def questions(catalog: Catalog, table: Table) -> Iterator[_Asked]:
    """What only the owner knows about a private table: how much one unit adds, and what values there are."""
    if not table.private:
        return
    if not table.unit_is_unique:
        root = catalog.root(table)
        whose = written(root.unit or "") if root is table else f"row of {written(root.name)}"
        yield (
            f"In how many groups of an answer, such as days or pages, may one {whose} count, and with how "
            "many rows in each? Fewer groups, less noise; with rows, count(*) counts rows.",
            (f"ALTER TABLE {_written(table)} SET PRIVACY CONTRIBUTION (groups = N, rows = N);",),
        )
    for kinds, text, form in _KINDS:
        open_ones = [one for one in table.columns if _is_open(table, one, kinds)]
        if open_ones:
            first = written(open_ones[0].name)
            change = f"ALTER TABLE {_written(table)} ALTER COLUMN {first} SET PRIVACY DOMAIN {form};"
            yield text.format(names=_listed(open_ones)), (change,)


def _is_open(table: Table, column: Column, kinds: Sequence[str]) -> bool:
    """Whether nothing says which values a column takes, although groups or sums of them may be asked for."""
    asked = column.domain is None and column.reference is None and parse_type(column.type).kind in kinds
    tells_apart = is_an_id(column.name) or names_a_person(column.name) or _is_whose(table, column)
    is_key = fold(column.name) in map(fold, table.unique_columns)
    return asked and not tells_apart and not is_key


def _is_whose(table: Table, column: Column) -> bool:
    own = table.unit if table.link is None else table.link.column
    return own is not None and fold(own) == fold(column.name)


def _listed(columns: Sequence[Column]) -> str:
    names = [written(one.name) for one in columns[:_MOST_NAMED]]
    more = len(columns) - len(names)
    return ", ".join(names) + (f" and {more:,} more" if more else "")


def _written(table: Table) -> str:
    return written(table.name) if table.schema == "main" else f"{written(table.schema)}.{written(table.name)}"


def _name(table: Table) -> TableName:
    return TableName(table.name, None if table.schema == "main" else table.schema)
