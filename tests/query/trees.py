"""Queries as readers take them, for tests that have their text."""

from __future__ import annotations

from dpduck.kernel.tree.nodes import Star
from dpduck.kernel.tree.relations import ReaderTable, SelectQuery


def written(text: str) -> SelectQuery:
    """A query of which only the text is known, for readers that run DuckDB's SQL."""
    query = SelectQuery((Star(),), ReaderTable(text))  # so that no other text is equal
    object.__setattr__(query, "_text", text)
    return query
