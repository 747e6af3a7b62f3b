"""What a query asks about each group: one frozen record for each aggregate, and what one unit can move.

They are a closed union, `Aggregate`. What is done with each is a `match` in the pass that does it, which
ends with `assert_never`: mypy lists the places that a new aggregate has to fill. An aggregate says nothing of
noise. Its `conditions` are its own (FILTER, or the argument of count), beside those of the block.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from dpduck.catalog.model import RangeDomain
from dpduck.query.tree.nodes import Expression
from dpduck.query.write.expression import Typed
from dpduck.query.write.keys import Key


@dataclass(frozen=True)
class _Common:
    """`column`: the name under which it is released. `conditions`: of rows that count for it alone.

    `epsilon`: its part of the query's, where the query says so; None leaves it to the planner.
    """

    column: str
    conditions: tuple[Expression, ...]
    epsilon: Fraction | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Count(_Common):
    """Units in the group; with `rows`, its rows, at most that many of each unit.

    `type`: of the answer, plain DuckDB's, which depends on the spelling.
    """

    rows: int | None = None
    type: str = "BIGINT"


@dataclass(frozen=True)
class Distinct(_Common):
    """Distinct values in the group; each unit brings at most `values` of them."""

    value: Typed
    values: int


@dataclass(frozen=True)
class Sum(_Common):
    """The sum over units of their totals, each clamped to [low, high] (values of the column).

    `ticks`: the type of the fixed point in which it is exact; `type`: of the answer, plain DuckDB's.
    `each`: the ends to which each value is clamped before, where the query says so.
    """

    value: Typed
    low: Decimal
    high: Decimal
    ticks: str
    scale: int
    type: str
    each: tuple[Decimal, Decimal] | None = None

    @property
    def bound(self) -> int:
        """The most ticks by which one unit moves the sum."""
        return int(max(abs(self.low), abs(self.high)) * 10**self.scale)


@dataclass(frozen=True)
class Mean(_Common):
    """The mean of values clamped to [low, high]: of one per unit, its own mean, or of bounded rows."""

    value: Typed
    low: Fraction
    high: Fraction
    rows: int | None
    ticks: int = 2**30


@dataclass(frozen=True)
class Quantile(_Common):
    """The point of the grid with that share of values below: one value per unit, or bounded rows."""

    value: Typed
    key: Key
    grid: RangeDomain
    quantile: Fraction
    type: str
    rows: int | None = None


@dataclass(frozen=True)
class Mode(_Common):
    """The most frequent of the candidates."""

    value: Typed
    key: Key


Aggregate = Count | Distinct | Sum | Mean | Quantile | Mode
