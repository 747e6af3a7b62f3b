"""Columns of a block with the domains that public tables give them.

A column of a public table, or one that equals it in every row, has the values of that table, which are
public, as its domain, unless the policy declares another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from dpduck.compiler.block.privacy_units import Owned
from dpduck.kernel.plan.expression import Columns, Typed
from dpduck.kernel.plan.public_facts import PublicValues


@dataclass(frozen=True)
class PublicColumns:
    """Columns that the rows of a block, or a subquery in its FROM, can see."""

    columns: Columns
    owned: Owned
    facts: PublicValues

    def resolve(self, node: exp.Column) -> Typed:
        """Return the expression that a column name denotes, with its domain."""
        return self.known(self.columns.resolve(node))

    def subquery(self, node: exp.Expr) -> Typed:
        """Return the value of a subquery beside the columns."""
        return self.columns.subquery(node)

    def with_domain(self, value: Typed) -> Typed:
        """Add the domain to a column of a public table, or to one equal to it."""
        if value.domain is not None:
            return value
        return replace(value, domain=self.owned.public_values(value.node, self.facts))

    def known(self, value: Typed) -> Typed:
        """Add the domain to a value, and to the columns of which a subquery computes it."""
        value = self.with_domain(value)
        if value.origin is None:
            return value
        return replace(value, origin=self.origin_of(value.origin))

    def origin_of(self, origin: tuple[exp.Expr, Columns]) -> tuple[exp.Expr, Columns]:
        """Return an expression of a subquery, and the columns that it can see, with their domains."""
        return origin[0], replace(self, columns=origin[1])
