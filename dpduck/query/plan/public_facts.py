"""What planning may ask about the rows of public tables."""

from __future__ import annotations

from typing import Protocol

from dpduck.catalog.model import Table, ValuesDomain


class PublicValues(Protocol):
    """Answers from public tables, as they stand while a query is planned."""

    def is_unique(self, table: Table, columns: tuple[str, ...]) -> bool:
        """Whether the columns together identify the table's rows."""
        ...

    def values(self, table: Table, column: str) -> ValuesDomain | None:
        """The values of a column, in their own order; None if there are too many for a domain."""
        ...


class NoFacts:
    """Where no table can be asked: nothing is unique but by constraint, no value is known."""

    def is_unique(self, table: Table, columns: tuple[str, ...]) -> bool:  # noqa: ARG002
        return False

    def values(self, table: Table, column: str) -> ValuesDomain | None:  # noqa: ARG002
        return None
