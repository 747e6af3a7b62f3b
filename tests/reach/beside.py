"""Answers without noise beside those of plain SQL, on rows that have a person.

A public list of keys also shows those that no row has, so that rows of plain SQL have to be among those of an
answer, and not the other way round. Where LIMIT would keep some of such rows, it is left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from dpduck import policies
from dpduck.kernel.catalog.model import Catalog
from tests.query import quiet
from tests.query.refusing import understand
from tests.query.shop import statement
from tests.questions import Tables

_LIMIT = re.compile(r"\s+LIMIT\s+\d+\s*\Z", re.IGNORECASE)
_LOUDER = 10**11  # sums over wide ranges need much epsilon to be exact


@dataclass(frozen=True)
class Beside:
    """One protected database, and the same rows without policies."""

    protected: duckdb.DuckDBPyConnection
    catalog: Catalog
    plain: duckdb.DuckDBPyConnection

    @classmethod
    def open(cls, tables: Tables, of_nobody: Sequence[str], more: Sequence[str] = ()) -> Beside:
        """Input: statements that delete the rows of nobody; and further policies."""
        protected, plain = tables.open_plain(":memory:"), tables.open_plain(":memory:")
        for text in (*tables.policies(), *more):
            policies.execute(protected, statement(text))
        for text in of_nobody:
            plain.execute(text)
        return cls(protected, policies.load_catalog(protected), plain)

    def missing(self, sql: str, plain_sql: str | None = None) -> list[quiet.Row]:
        """The rows of plain SQL that an answer without noise has not.

        Input: a query that is answered; `plain_sql`: DuckDB's text of it, if that is another one.
        """
        plain_sql = plain_sql or sql
        missing = self._missing(sql, plain_sql)
        if missing and _LIMIT.search(sql):
            missing = self._missing(_LIMIT.sub("", sql), _LIMIT.sub("", plain_sql))
        return missing

    def _missing(self, sql: str, plain_sql: str) -> list[quiet.Row]:
        plan = understand(sql, self.protected, self.catalog)
        assert plan is not None
        with_epsilon, quiet.LOUDER = quiet.LOUDER, _LOUDER
        try:
            answered = quiet.answer(plan, self.protected).fetchall()
        finally:
            quiet.LOUDER = with_epsilon
        expected = self.plain.execute(plain_sql).fetchall()
        return [row for row in expected if not any(_is_same(row, other) for other in answered)]


def _is_same(expected: quiet.Row, answered: quiet.Row) -> bool:
    return quiet.is_same([answered], [expected], ordered=True)
