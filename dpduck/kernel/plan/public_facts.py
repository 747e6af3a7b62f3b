"""The facts about the rows of public tables that planning uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from dpduck.kernel.catalog.model import Table, ValuesDomain
from dpduck.kernel.tree.relations import SelectQuery

Lists = Mapping[str, Sequence[str | None]]  # public values as text, by the name of their `ReaderTable`


class PublicValues(Protocol):
    """Facts from the rows of public tables, as they are when a query is planned."""

    def is_unique(self, table: Table, columns: tuple[str, ...]) -> bool:
        """Whether the columns together identify the table's rows."""
        ...

    def values(self, table: Table, column: str) -> ValuesDomain | None:
        """Return the distinct values of a column, sorted; None if they are too many, or one is no key."""
        ...

    def count(self, table: Table) -> int:
        """Return the number of rows."""
        ...

    def rows(self, query: SelectQuery, lists: Lists) -> Sequence[tuple[Any, ...]] | None:
        """Return the rows of a query on public tables and on lists; None if it cannot be run.

        Input: `lists`: for each `ReaderTable` of the query the values of its column `v`, beside which the
            column `i` counts them from 0.
        """
        ...


class NoFacts:
    """Facts where no public table can be read: only constraints make columns unique, no values are known."""

    def is_unique(self, table: Table, columns: tuple[str, ...]) -> bool:  # noqa: ARG002
        return False

    def values(self, table: Table, column: str) -> ValuesDomain | None:  # noqa: ARG002
        return None

    def count(self, table: Table) -> int:  # noqa: ARG002
        return 0

    def rows(self, query: SelectQuery, lists: Lists) -> Sequence[tuple[Any, ...]] | None:  # noqa: ARG002
        return None
