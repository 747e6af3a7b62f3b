"""The aggregate query: a block that aggregates private rows, read but not yet planned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dpduck.compiler.block.privacy_units import Owned
from dpduck.kernel.plan.aggregates import Aggregate, Sum
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.keys import JointKeys, Key, KeySpace, Places, key_column
from dpduck.kernel.plan.model import RELEASE, AsksBeside, Cut, Nulls
from dpduck.kernel.tree import emit
from dpduck.kernel.tree.answer import AnswerExpression, ComputedEnds
from dpduck.kernel.tree.nodes import Expression


@dataclass(frozen=True)
class Item:
    """One column of the answer: its name and its expression over released columns.

    `by_rank`: an equivalent expression that orders groups by the noisy rank instead of by counts.
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
    """The parts of a block. `shown`: the released columns that SELECT, HAVING or QUALIFY use.

    `grouped`: whether there is a GROUP BY or keys. `top`: the column of unit counts that ranks the groups,
    and the number of groups wanted; `top_sum`: the same of a sum that does. `above`: the column of unit
    counts that HAVING compares, and the least count that passes. `distinct`: the terms of DISTINCT ON, none
    for DISTINCT; None without DISTINCT. `constants`: constant parts of the answer's SQL. `joint`: which keys
    occur in some combinations only. `key_conditions`: the conditions of HAVING and QUALIFY that read keys
    alone, over the rows. `beside`: what conditions ask for beside the domains of columns. `sets`: the
    grouping sets, if there are several. `not_in`: what NOT IN compares with as if it were never NULL.
    `top_by_qualify`: QUALIFY says no more than `top` does, so that a choice of the largest groups meets it.
    `chosen`: which numbers choose what the queries around the block show of it (see `compile.chosen_rows`).
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
    joint: tuple[JointKeys, ...] = ()
    key_conditions: tuple[Expression, ...] = ()
    beside: tuple[AsksBeside, ...] = ()
    sets: tuple[Places, ...] = ()
    not_in: tuple[Nulls, ...] = ()
    top_sum: tuple[str, int] | None = None
    top_by_qualify: bool = False
    chosen: Cut = field(default_factory=Cut)

    @property
    def space(self) -> KeySpace:
        """The candidates."""
        return KeySpace(tuple(key for key, _ in self.keys), self.joint)

    @property
    def most_groups(self) -> int | None:
        """The largest number of groups of the answer; None if it is unknown."""
        if not self.sets:
            return self.space.size
        sizes = [self.space.size_of(places) for places in self.sets]
        return None if None in sizes else sum(size or 0 for size in sizes)

    @property
    def has_noisy_filter(self) -> bool:
        """Whether HAVING or QUALIFY compares noisy numbers, beside keys."""
        keys = {key_column(number) for number, _ in enumerate(self.keys)}
        qualify = None if self.top_by_qualify else self.qualify  # as LIMIT
        filters = [term for term in (self.having, qualify) if term is not None]
        return any(not term.reads <= keys for term in filters)

    def request(self, column: str) -> Aggregate:
        """Return the request that is released as the column."""
        return next(request for request in self.requests if request.column == column)


def released(column: str) -> AnswerExpression:
    """Return a released column as an expression of the answer's SQL."""
    sql, low, high = (
        f"{emit.identifier(RELEASE)}.{emit.identifier(f'{column}{end}')}" for end in ("", "_low", "_high")
    )
    return AnswerExpression(sql, column, frozenset((column,)), ends=ComputedEnds(column, low, high))


def is_bounded(request: Sum, owned: Owned, keys: Sequence[tuple[Key, Typed]]) -> bool:
    """Whether declared bounds or the schema say how much a unit adds to a sum in a group."""
    ladder = request.ladder
    return ladder is None or (ladder.has_range and owned.shows_every_row(keys))
