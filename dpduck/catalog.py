"""What is public about the tables: columns, privacy units and domains. Frozen, no connection.

A table is private when it has a unit, public when its owner said so, and closed otherwise: a
database that has policies answers nothing from a table without one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from dpduck.errors import UnknownNameError

Value = int | Decimal | float | str | bool | date | datetime


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
    """The grid low, low + step, ..., high (both ends belong to it); never materialised.

    Input: int or Decimal ends with a step of the same kind; date ends with a step in days (int);
    datetime ends with a step in microseconds (int).
    """

    low: int | Decimal | date | datetime
    high: int | Decimal | date | datetime
    step: int | Decimal

    @property
    def size(self) -> int:
        return self._offset(self.high) + 1

    def _offset(self, value: int | Decimal | date | datetime) -> int:
        difference = value - self.low  # type: ignore[operator]
        if isinstance(difference, timedelta):
            unit = timedelta(microseconds=1) if isinstance(self.low, datetime) else timedelta(days=1)
            return difference // unit // int(self.step)
        return int(difference // self.step)

    def value(self, offset: int) -> int | Decimal | date | datetime:
        """The grid point number `offset`, counted from 0."""
        if isinstance(self.low, datetime):
            return self.low + timedelta(microseconds=offset * int(self.step))
        if isinstance(self.low, date):
            return self.low + timedelta(days=offset * int(self.step))
        return self.low + offset * self.step  # type: ignore[operator,no-any-return]


Domain = ValuesDomain | RangeDomain


@dataclass(frozen=True)
class Column:
    """A column's public facts: its name and DuckDB type as written in the schema, and its domain."""

    name: str
    type: str
    domain: Domain | None = None


@dataclass(frozen=True)
class Table:
    """A table's public facts. `unit` names the column whose value is the privacy unit.

    `unit_is_unique`: the schema itself (PRIMARY KEY or UNIQUE) allows one row per unit, so that a
    unit touches at most one group.
    """

    database: str
    schema: str
    name: str
    columns: tuple[Column, ...]
    unit: str | None = None
    public: bool = False
    unit_is_unique: bool = False

    def column(self, name: str) -> Column:
        """The column of that name; names compare without case, as in DuckDB. UnknownNameError."""
        for column in self.columns:
            if column.name.lower() == name.lower():
                return column
        known = ", ".join(column.name for column in self.columns)
        raise UnknownNameError(
            f"table {self.name} has no column {name}",
            hint=f"Its columns are: {known}.",
        )


@dataclass(frozen=True)
class Catalog:
    """All tables of one database."""

    tables: tuple[Table, ...]

    def table(self, name: str, schema: str | None = None) -> Table:
        """The table of that name; `public` means the default schema `main`. UnknownNameError."""
        wanted = None if schema is None else ("main" if schema.lower() == "public" else schema.lower())
        for table in self.tables:
            if table.name.lower() == name.lower() and table.schema.lower() == (wanted or "main"):
                return table
        known = ", ".join(table.name for table in self.tables) or "none"
        raise UnknownNameError(f"table {name} does not exist", hint=f"The tables are: {known}.")
