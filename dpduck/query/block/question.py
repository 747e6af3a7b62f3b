"""A block that aggregates private rows, read but not yet planned: its groups, requests and clauses."""

from __future__ import annotations

from dataclasses import dataclass

from dpduck.query.block.privacy_units import Owned
from dpduck.query.plan.aggregates import Aggregate
from dpduck.query.plan.model import RELEASE
from dpduck.query.tree import emit
from dpduck.query.tree.answer import AnswerExpression
from dpduck.query.write.expression import Typed
from dpduck.query.write.keys import Key


@dataclass(frozen=True)
class Item:
    """One column of the answer: its name and what it makes of released columns.

    `by_rank`: the same where groups come in an order of their own, if it says which ones are larger.
    """

    name: str
    value: AnswerExpression
    by_rank: AnswerExpression | None = None


@dataclass(frozen=True)
class OrderTerm:
    """One term of ORDER BY over released columns."""

    value: AnswerExpression
    descending: bool
    suffix: str  # NULLS FIRST or LAST, as written


@dataclass(frozen=True)
class AggregateQuery:
    """A block in parts. `requests` by released column; `shown`: those that SELECT, HAVING or QUALIFY use.

    `grouped`: whether there is a GROUP BY. `top`: the column of counts by which the largest groups are
    asked, and how many. `above`: the column of counts and the threshold that HAVING compares it with.
    `distinct`: None without the word, else the terms of ON.
    `constants`: parts of its SQL that need no row.
    """

    owned: Owned
    keys: tuple[tuple[Key, Typed], ...]
    requests: tuple[Aggregate, ...]
    shown: frozenset[str]
    items: tuple[Item, ...]
    grouped: bool
    having: AnswerExpression | None = None
    qualify: AnswerExpression | None = None
    order: tuple[OrderTerm, ...] = ()
    limit: int | None = None
    offset: int = 0
    distinct: tuple[AnswerExpression, ...] | None = None
    top: tuple[str, int] | None = None
    above: tuple[str, int] | None = None
    constants: tuple[str, ...] = ()

    def request(self, column: str) -> Aggregate:
        """The request that is released as the column."""
        return next(request for request in self.requests if request.column == column)


def released(column: str) -> AnswerExpression:
    """A column of the release in the answer's SQL."""
    sql = f"{emit.identifier(RELEASE)}.{emit.identifier(column)}"
    return AnswerExpression(sql, column, frozenset((column,)))


def key_column(number: int) -> str:
    """The released column of a key."""
    return f"k{number}"
