"""The facts about the rows of public tables that planning uses."""

from __future__ import annotations

from typing import Protocol

from dpduck.catalog.model import Table, ValuesDomain


class PublicValues(Protocol):
    """Facts from the rows of public tables, as they are when a query is planned."""

    def is_unique(self, table: Table, columns: tuple[str, ...]) -> bool:
        """Whether the columns together identify the table's rows."""
        ...

    def values(self, table: Table, column: str) -> ValuesDomain | None:
        """Return the distinct values of a column, sorted; None if they cannot be a domain, as too many."""
        ...


class NoFacts:
    """Facts where no public table can be read: only constraints make columns unique, no values are known."""

    def is_unique(self, table: Table, columns: tuple[str, ...]) -> bool:  # noqa: ARG002
        return False

    def values(self, table: Table, column: str) -> ValuesDomain | None:  # noqa: ARG002
        return None
