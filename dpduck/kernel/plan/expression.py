"""A scalar expression over one private row: its node in score SQL, its type and its public domain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from sqlglot import exp

from dpduck.kernel.catalog.model import Column, Domain
from dpduck.kernel.catalog.nested import ELEMENTS
from dpduck.kernel.catalog.types import SqlType
from dpduck.kernel.tree.nodes import Expression

# The two ends of a public range of numbers; one that is unknown is None.
Ends = tuple[Fraction | None, Fraction | None]


@dataclass(frozen=True)
class Lack:
    """What a policy does not say: the domain of a column, or, where it is None, how many rows a unit has.

    `kind`: that of the column's type.
    """

    table: str
    column: str | None = None
    kind: str = ""


class Unprinted:
    """A name that is printed when somebody asks for it: most are never shown. Equal to its text."""

    def __init__(self, write: Callable[[], str]) -> None:
        self._write = write

    @cached_property
    def text(self) -> str:
        return self._write()

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return repr(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (str, Unprinted)) and str(other) == self.text

    def __hash__(self) -> int:
        return hash(self.text)


@dataclass(frozen=True)
class Typed:
    """A deterministic scalar expression over one private row, which fails on no row.

    `node`: over the columns of the score SQL's FROM; it has the type `type`, unless it is a bare NULL.
    `domain`: a public list or grid of values; if the expression is a key, rows with other values are
    left out.
    `named`: its name in errors, such as `visits.page` or `date_trunc('month', ts)`.
    `column`: for a column of a table, the names of the table and the column.
    `ends`: the least and the largest number that it can be, as far as they are known, where it has no domain.
    `parts`: of a list, its elements, and of JSON, what is declared of it: by the steps to each part.
    `origin`: for a column that a subquery computes, its expression and the columns that it can see.
    `claimed`: its ends rest on a bound of the policy on the rows of a unit, which may have more.
    `lacks`: for what is computed of several rows, what would have to be declared for it to have a range.
    """

    node: Expression
    type: SqlType
    domain: Domain | None = None
    named: str | Unprinted = ""
    column: tuple[str, str] | None = None
    origin: tuple[exp.Expr, Columns] | None = field(default=None, compare=False, repr=False)
    ends: Ends | None = None
    parts: tuple[tuple[tuple[str, ...], Column], ...] = ()
    claimed: bool = field(default=False, compare=False)
    lacks: tuple[Lack, ...] = field(default=(), compare=False)

    @property
    def name(self) -> str:
        """Its name in errors; empty if it has none."""
        return str(self.named)

    @property
    def elements(self) -> Domain | None:
        """The public domain of the elements of a list."""
        return next((part.domain for steps, part in self.parts if steps == (ELEMENTS,)), None)

    @classmethod
    def of(cls, node: Expression, domain: Domain | None = None) -> Typed:
        """Return a `Typed` with the type of the node."""
        return cls(node, node.type, domain)


class Columns(Protocol):
    """The columns that a query block can see."""

    def resolve(self, node: exp.Column) -> Typed:
        """Return the expression that a column name denotes. Errors: UnknownNameError, UnsupportedSqlError."""
        ...

    def subquery(self, node: exp.Expr) -> Typed:
        """Return the value of a subquery beside the columns. Errors: UnsupportedSqlError."""
        ...
