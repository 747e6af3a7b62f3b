"""Facts about public tables that are read once for many queries, none of which changes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import duckdb

from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.catalog.model import Table, ValuesDomain
from dpduck.kernel.plan.public_facts import Lists
from dpduck.kernel.tree.relations import SelectQuery

_MOST = 2_000  # facts that are kept

Question = tuple[object, ...]  # the name of a method, and its arguments


@dataclass
class RememberedFacts:
    """The facts of a database whose public tables stay as they are."""

    facts: PublicFacts
    _known: dict[Question, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, connection: duckdb.DuckDBPyConnection) -> RememberedFacts:
        return cls(PublicFacts(connection))

    def answer(self, question: Question) -> Any:
        """The answer to a question that a planner asked."""
        if question not in self._known:
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[question] = self._ask(*question)
        return self._known[question]

    def _ask(self, name: object, *arguments: Any) -> Any:
        if name == "rows":
            query, lists = arguments
            return self.facts.rows(query, dict(lists))
        method: Callable[..., Any] = getattr(self.facts, str(name))
        return method(*arguments)


@dataclass
class FactsOfQuery:
    """The facts that one query is planned with, each of which is noted: `PublicValues` for a planner."""

    known: RememberedFacts
    asked: dict[Question, Any] = field(default_factory=dict)

    def is_unique(self, table: Table, columns: tuple[str, ...]) -> bool:
        return bool(self._noted("is_unique", table, columns))

    def values(self, table: Table, column: str) -> ValuesDomain | None:
        found: ValuesDomain | None = self._noted("values", table, column)
        return found

    def count(self, table: Table) -> int:
        return int(self._noted("count", table))

    def rows(self, query: SelectQuery, lists: Lists) -> Sequence[tuple[Any, ...]] | None:
        listed = tuple((name, tuple(values)) for name, values in sorted(lists.items()))
        found: Sequence[tuple[Any, ...]] | None = self._noted("rows", query, listed)
        return found

    def _noted(self, *question: object) -> Any:
        self.asked[question] = self.known.answer(question)
        return self.asked[question]

    def hold_in(self, other: RememberedFacts) -> bool:
        """Whether another database answers all that was asked in the same way."""
        return all(other.answer(question) == answer for question, answer in self.asked.items())
