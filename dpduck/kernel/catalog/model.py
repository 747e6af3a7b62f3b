"""The public facts about tables: columns, privacy units and domains. Frozen, no connection.

A table is private if it has a unit, public if its owner declared it so, and closed otherwise: a
database that has policies answers nothing from a table without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property, lru_cache

from dpduck.kernel.catalog.nested import ELEMENTS, JSON, name_of
from dpduck.kernel.catalog.statements import Accounting, Window
from dpduck.kernel.catalog.types import Value
from dpduck.kernel.errors import UnknownNameError
from dpduck.kernel.errors.advice import Hint
from dpduck.kernel.errors.names import did_you_mean, nearest
from dpduck.kernel.errors.names import written as written  # re-exported: quotes names of the catalog

Bound = int | Decimal | float | date | datetime
_MOST_LISTED = 50  # names of tables in a hint

_EXACT = Context(prec=100)  # more digits than any DECIMAL, so that nothing is rounded
_EPOCH = datetime(1970, 1, 1)
_ASCII_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


@lru_cache(maxsize=4096)
def fold(name: str) -> str:
    """The name in the form in which DuckDB compares names: only ASCII letters are lowered.

    >>> fold("Größe") == fold("GRößE"), fold("\u212a") == "k"
    (True, False)
    """
    return name.translate(_ASCII_LOWER)


@dataclass(frozen=True)
class ValuesDomain:
    """A public list of the values that a key may take, in the owner's order, without repeats."""

    values: tuple[Value, ...]

    @property
    def size(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Value]:
        return iter(self.values)


@dataclass(frozen=True)
class RangeDomain:
    """The grid low, low + step, ..., high, both ends included; never materialised.

    Input: int or Decimal ends with a step of the same kind; date ends with a step in days (int);
    datetime ends with a step in microseconds (int); float ends with a Fraction as step. A float end
    stands for its shortest decimal, so that the grid is exact: point i is the double nearest to
    low + i * step.
    Output: `size`, `value(offset)` and `offset(value)` are exact.

    >>> grid = RangeDomain(0.0, 1.0, Fraction(1, 10))
    >>> grid.size, grid.value(3), grid.offset(0.30000000000000004)
    (11, 0.3, 3)
    """

    low: Bound
    high: Bound
    step: int | Decimal | Fraction

    @property
    def size(self) -> int:
        return int((ticks(self.high) - ticks(self.low)) // Fraction(self.step)) + 1

    def offset(self, value: Bound) -> int:
        """The index of the grid point nearest to the value."""
        return round((ticks(value) - ticks(self.low)) / Fraction(self.step))

    def value(self, offset: int) -> Bound:
        """The grid point of that index."""
        if isinstance(self.low, datetime):
            return self.low + timedelta(microseconds=offset * int(self.step))
        if isinstance(self.low, date):
            return self.low + timedelta(days=offset * int(self.step))
        if isinstance(self.low, Decimal) and isinstance(self.step, Decimal):
            return _EXACT.add(self.low, _EXACT.multiply(Decimal(offset), self.step))
        point = ticks(self.low) + offset * Fraction(self.step)
        return float(point) if isinstance(self.low, float) else int(point)


def ticks(value: Bound) -> Fraction:
    """The value as an exact number: days for a date, microseconds for a datetime (since 1970)."""
    if isinstance(value, datetime):
        return Fraction((value - _EPOCH) // timedelta(microseconds=1))
    if isinstance(value, date):
        return Fraction((value - _EPOCH.date()).days)
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


Domain = ValuesDomain | RangeDomain


@dataclass(frozen=True)
class Reference:
    """A column of a public table whose values are a domain."""

    schema: str
    table: str
    column: str


@dataclass(frozen=True)
class Column:
    """A column's public facts: its name and DuckDB type as written in the schema, and its domain.

    `reference`: the column from which the domain is read when the catalog is loaded; until then it is None.
    `or_null`: whether NULL, which no domain contains, is a key as well. `parts`: the fields of a STRUCT
    and the elements of a list, of all depths, and parts of JSON that have a domain; each is a column that is
    named by its `path`.
    """

    name: str
    type: str
    domain: Domain | None = None
    reference: Reference | None = None
    or_null: bool = False
    parts: tuple[Column, ...] = ()
    path: tuple[str, ...] = ()  # of a part: its column, and what leads to it
    in_json: bool = False  # a part of JSON: as text, or as a number if its domain is a range

    @property
    def is_field(self) -> bool:
        """Whether it is a field of a STRUCT that is no element of a list: a row has one such value."""
        return bool(self.path) and ELEMENTS not in self.path and not self.in_json


@dataclass(frozen=True)
class Link:
    """Whose rows these are: the unit of the row of another table where `column` equals its `target`."""

    column: str
    schema: str
    table: str
    target: str


@dataclass(frozen=True)
class Contribution:
    """Contribution bounds of one unit: the groups of a query, the rows within a group. None: unbounded.

    Score SQL enforces a bound that its plan relies on; declaring one never drops rows by itself.
    """

    groups: int | None = None
    rows: int | None = None


@dataclass(frozen=True)
class Misfit:
    """Why a declared policy does not fit the present schema, and what its owner can do."""

    reason: str
    remedy: Hint | str


@dataclass(frozen=True)
class Table:
    """A table's public facts. `unit` names the column whose value is the privacy unit.

    `link`: instead of a unit column, the linked table whose rows say which unit a row belongs to.
    A table has a unit or a link, never both; with neither it is public or closed.
    `unit_is_unique`: the schema itself (PRIMARY KEY or UNIQUE) allows one row per unit, so that a
    unit touches at most one group. `unique_keys`: the columns of each PRIMARY KEY and UNIQUE constraint;
    `unique_columns`: the constraints with a single column. `definition`: CREATE VIEW ..., if a view has a
    policy. `version`: the owner's name for the state of its rows, None if not declared. `left_out`: columns
    that are not read, and why. `line_columns`: those of a line, of a CSV file. `account_ids`: the
    ids under which its units are charged, the present one first. `misfit`: why a declared policy no longer
    fits, which closes the table.
    """

    database: str
    schema: str
    name: str
    columns: tuple[Column, ...]
    unit: str | None = None
    public: bool = False
    unit_is_unique: bool = False
    scan: str | None = None  # SQL that reads the files behind the table, or computes its rows
    unique_columns: tuple[str, ...] = ()  # columns that are unique by themselves
    link: Link | None = None
    contribution: Contribution = Contribution()
    unique_keys: tuple[tuple[str, ...], ...] = ()
    primary_key: tuple[str, ...] = ()  # the one of `unique_keys` without NULLs, if any
    required: tuple[str, ...] = ()  # columns that a constraint keeps from NULL
    definition: str | None = None
    version: str | None = None
    left_out: tuple[tuple[str, str], ...] = ()
    line_columns: tuple[str, ...] = ()
    account_ids: tuple[str, ...] = ()
    misfit: Misfit | None = None

    @property
    def is_written(self) -> bool:
        """Whether a query itself writes its rows: VALUES, a series, or a list of constants."""
        return not self.database and self.public and self.scan is not None

    @property
    def full_name(self) -> str:
        """Its name, prefixed with the schema unless that is the default one."""
        return self.name if fold(self.schema) == "main" else f"{self.schema}.{self.name}"

    @property
    def private(self) -> bool:
        """Whether its rows belong to privacy units."""
        return self.unit is not None or self.link is not None

    def may_be_null(self, column: str) -> bool:
        """Whether no constraint keeps a column from NULL."""
        return fold(column) not in map(fold, (*self.primary_key, *self.required))

    def key_mark(self, column: str) -> str | None:
        """PRI of a column of the primary key, UNI of one of another key, as DESCRIBE has it."""
        if fold(column) in map(fold, self.primary_key):
            return "PRI"
        return "UNI" if any(fold(column) in map(fold, key) for key in self.unique_keys) else None

    def column(self, name: str) -> Column:
        """The column or part of that name, which compare without case, as in DuckDB. UnknownNameError."""
        found = self.part(name)
        if found is not None:
            return found
        known = [column.name for column in self.columns]
        listed = ", ".join(known[:_MOST_LISTED]) + (", ..." if len(known) > _MOST_LISTED else "")
        hint = f"{did_you_mean(name, known)} Its columns are: {listed}.".strip()
        raise self.not_read(name) or UnknownNameError(f"table {self.name} has no column {name}", hint=hint)

    def part(self, name: str) -> Column | None:
        """The column of that name, or else the part of one; None without either, or if several have it."""
        own = self._named.get(fold(name)) or [part for part in self.parts if fold(part.name) == fold(name)]
        return own[0] if len(own) == 1 else None if own else self._part_of_json(name)

    @cached_property
    def _named(self) -> dict[str, list[Column]]:
        """The columns by their folded names."""
        named: dict[str, list[Column]] = {}
        for column in self.columns:
            named.setdefault(fold(column.name), []).append(column)
        return named

    def _part_of_json(self, name: str) -> Column | None:
        """The part of JSON of that name, such as payload.net.type, of which nothing is declared."""
        first, *steps = name.split(".")
        found = self._named.get(fold(first), [])
        if not steps or not all(steps) or [column.type for column in found] != [JSON]:
            return None
        path = (found[0].name, *steps)
        return Column(name_of(path), "VARCHAR", path=path, in_json=True)

    @property
    def parts(self) -> tuple[Column, ...]:
        """The parts of all columns."""
        return tuple(part for column in self.columns for part in column.parts)

    def not_read(self, name: str) -> UnknownNameError | None:
        """The error for naming a column that is left out; None if it is not."""
        why = next((why for left, why in self.left_out if fold(left) == fold(name)), None)
        if why is None:
            return None
        return UnknownNameError(
            f"column {name} of table {self.name} is left out",
            detail=why,
            hint="Write it as another type, or import the file into a DuckDB database."
            if self.scan is not None or self.definition is not None
            else "Store its values in an ordinary column.",
        )


def default_account_ids(table: str, columns: Iterable[Column]) -> tuple[str, ...]:
    """The ids of units that have none of their own: the name of the table.

    Charges to one of its columns count too, as they were made in earlier versions: whichever column is the
    key, the units are the same.

    >>> default_account_ids("Visits", [Column("Person", "INTEGER")])
    ('visits', 'visits.person')
    """
    return (fold(table), *(fold(f"{table}.{column.name}") for column in columns))


@dataclass(frozen=True)
class View:
    """A view without a policy of its own, to be expanded: CREATE VIEW ... AS SELECT ...."""

    schema: str
    name: str
    sql: str
    database: str = ""
    columns: tuple[Column, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()

    def as_table(self) -> Table:
        """The table that the view becomes with a policy."""
        return Table(
            self.database, self.schema, self.name, self.columns, definition=self.sql, left_out=self.left_out
        )


@dataclass(frozen=True)
class DeclaredBudget:
    """A declared CREATE PRIVACY BUDGET. No `analysts`: queries of all; no `window`: forever."""

    name: str
    epsilon: Fraction
    delta: Fraction | None = None
    per_query: Fraction | None = None
    window: Window | None = None
    analysts: tuple[str, ...] = ()
    accounting: Accounting = "pure"
    keys_delta: Fraction | None = None


@dataclass(frozen=True)
class Catalog:
    """All tables and views of one database.

    `salt`: a public constant of the database, by which score SQL chooses among the rows of one unit.
    `budgets`: ordered by name. `database`: its unique name, '' if it has none. `facts`: its stored policies
    as the ledger records them: the name and a digest of each. `synthetic`: the tables of synthetic rows that
    summaries offer, where a query names them.
    """

    tables: tuple[Table, ...]
    views: tuple[View, ...] = ()
    salt: int = 0
    budgets: tuple[DeclaredBudget, ...] = ()
    database: str = ""
    facts: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    synthetic: tuple[Table, ...] = ()

    @property
    def accounting(self) -> Accounting:
        """How the units' budgets add up, if no budget adds up epsilon; of rho and mu^2, rho."""
        for_all = any(budget.window is None and not budget.analysts for budget in self.budgets)
        kinds = {budget.accounting for budget in self.budgets}
        if not for_all or "pure" in kinds:
            return "pure"
        return "zcdp" if "zcdp" in kinds else "gdp"

    def table(self, name: str, schema: str | None = None) -> Table:
        """The table of that name; `public` means the default schema `main`. Errors: UnknownNameError."""
        wanted = None if schema is None else ("main" if fold(schema) == "public" else fold(schema))
        for table in self.tables:
            if fold(table.name) == fold(name) and fold(table.schema) == (wanted or "main"):
                return table
        raise self._no_table(name, schema)

    def has(self, name: str, schema: str | None = None) -> bool:
        """Whether there is a table or view of that name; without a schema, in any one."""
        wanted = None if schema is None else ("main" if fold(schema) == "public" else fold(schema))
        places = [(one.name, one.schema) for one in self.tables] + [(v.name, v.schema) for v in self.views]
        return any(fold(own) == fold(name) and wanted in (None, fold(place)) for own, place in places)

    def _no_table(self, name: str, schema: str | None) -> UnknownNameError:
        names = [table.full_name for table in self.tables]
        near = nearest(name if schema is None else f"{schema}.{name}", names)
        near += [one.full_name for one in self.tables if fold(one.name) == fold(name)]
        hint = f"Did you mean {' or '.join(dict.fromkeys(near))}?"
        if not near:
            listed = ", ".join(names) or "none"
            many = f"SHOW PRIVACY lists the {len(names):,} tables."
            hint = f"The tables are: {listed}." if len(names) <= _MOST_LISTED else many
        return UnknownNameError(f"table {name} does not exist", hint=hint)

    def root(self, table: Table) -> Table:
        """The table at the end of a private table's links, whose key is the privacy unit."""
        while table.link is not None:
            table = self.table(table.link.table, table.link.schema)
        return table
