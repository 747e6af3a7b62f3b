"""A per-row expression as score SQL will write it: its tree, its type, and its public values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from sqlglot import exp

from dpduck.catalog.model import Domain
from dpduck.catalog.types import SqlType
from dpduck.query.tree.nodes import Expression


@dataclass(frozen=True)
class Typed:
    """An expression over one private row, total and deterministic.

    `node`: over the columns of the score SQL's FROM; its type is this one, but that of NULL alone.
    `domain`: a public list or grid of values; rows whose value is not among them are left out where the
    expression is a key.
    `name`: how a person would call it in an error, `visits.page` or `date_trunc('month', ts)`.
    `column`: of a column of a table, that table's name and its own.
    `origin`: of a column that a subquery computes, the expression there and what it can see.
    """

    node: Expression
    type: SqlType
    domain: Domain | None = None
    name: str = ""
    column: tuple[str, str] | None = None
    origin: tuple[exp.Expr, Columns] | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, node: Expression, domain: Domain | None = None) -> Typed:
        """The value of a node, of the node's type."""
        return cls(node, node.type, domain)


class Columns(Protocol):
    """The columns that a query block can see."""

    def resolve(self, node: exp.Column) -> Typed:
        """What a column node stands for. Errors: UnknownNameError, UnsupportedSqlError."""
        ...
