"""A per-row expression as score SQL will write it: its text, its type, and its public values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from sqlglot import exp

from dpduck.catalog.model import Domain
from dpduck.catalog.types import SqlType


@dataclass(frozen=True)
class Typed:
    """An expression over one private row, total and deterministic.

    `sql`: fresh SQL over the columns of the score SQL's FROM. `domain`: a public list or grid of
    values; rows whose value is not among them are left out where the expression is a key.
    `name`: how a person would call it in an error, `visits.page` or `date_trunc('month', ts)`.
    `origin`: of a column that a subquery computes, the expression there and what it can see.
    """

    sql: str
    type: SqlType
    domain: Domain | None = None
    name: str = ""
    origin: tuple[exp.Expr, Columns] | None = field(default=None, compare=False, repr=False)


class Columns(Protocol):
    """The columns that a query block can see."""

    def resolve(self, node: exp.Column) -> Typed:
        """What a column node stands for. Errors: UnknownNameError, UnsupportedSqlError."""
        ...
