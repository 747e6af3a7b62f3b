"""The aggregates of a query: one frozen record each, with the bounds on what one unit contributes.

They are a closed union, `Aggregate`. Each pass handles them by a `match` that ends with `assert_never`, so
mypy lists the places that have to handle a new aggregate. An aggregate says nothing about noise. Its
`conditions` (of FILTER, or of the argument of count) apply in addition to those of the block.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from dpduck.kernel.catalog.model import RangeDomain
from dpduck.kernel.mechanisms.chosen_groups import group_ladder
from dpduck.kernel.mechanisms.distinct_values import ladder
from dpduck.kernel.mechanisms.extremes import Extreme
from dpduck.kernel.mechanisms.many_quantiles import places_of
from dpduck.kernel.mechanisms.populations import FOURTH
from dpduck.kernel.mechanisms.quantile_intervals import End, IntervalKind
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.keys import Key
from dpduck.kernel.plan.roundings import roundings_of
from dpduck.kernel.tree.nodes import Expression


@dataclass(frozen=True)
class Clamping:
    """How the range of an argument may move a number away from that of plain SQL.

    `by_call`: bounds that the query sets may clamp a value. `by_domain`: only declared domains say that no
    value is beyond the range. `lowers`: clamping can only lower a sum; it `floors` values that are below 0 if
    only declared domains say that there are none.
    """

    by_call: bool = False
    by_domain: bool = False
    lowers: bool = False
    floors: bool = False

    @property
    def moves(self) -> bool:
        """Whether a value may be beyond the range."""
        return self.by_call or self.by_domain


@dataclass(frozen=True)
class Written:
    """An aggregate as the query writes it, for people; empty if the query does not write it.

    `average`: the average that plain SQL computes by dividing it by the number of rows; empty if it is none.
    `bounded`: the same with a range in the call, of an argument that has no other.
    """

    text: str = ""
    average: str = ""
    bounded: str = ""


@dataclass(frozen=True)
class _Common:
    """`column`: the name of its released column. `conditions`: which rows this aggregate counts.

    `epsilon`: its share of the query's epsilon, if the query sets it; None: the planner chooses it. Fields
    that are not compared say how the number differs from that of plain SQL, and change no release.
    """

    column: str
    conditions: tuple[Expression, ...]
    epsilon: Fraction | None = field(default=None, kw_only=True)
    written: Written = field(default=Written(), compare=False, kw_only=True)
    nulls: str = field(default="", compare=False, kw_only=True)


@dataclass(frozen=True)
class Count(_Common):
    """The number of units in the group; if `rows` is set, of rows, at most `rows` of each unit.

    `type`: of the answer, as in plain DuckDB: count_if(x) and sum(1) give HUGEINT,
    regr_count(y, x) UINTEGER. `asks_rows`: plain SQL counts rows, unlike in count(DISTINCT unit);
    `asks_units`: the query asks for the latter, too. `asks_present`: plain SQL leaves the NULL unit out.
    """

    rows: int | None = None
    type: str = "BIGINT"
    asks_rows: bool = field(default=True, compare=False)
    asks_units: bool = field(default=False, compare=False)
    asks_present: bool = field(default=False, compare=False)

    @property
    def is_unsigned(self) -> bool:
        """Whether its type holds no number below 0, which noise may make of it."""
        return self.type == "UINTEGER"

    @property
    def is_sum(self) -> bool:
        """Whether plain DuckDB computes it as a sum, which is NULL of no rows."""
        return self.type == "HUGEINT"


@dataclass(frozen=True)
class ChosenCount(_Common):
    """The number of units, or of rows, in the group as `of` says, where each unit counts in at most m groups:
    m is chosen privately, at most `most` (see `mechanisms.chosen_groups`).

    `level`: the key of the levels in the score SQL, by which what counts is added up.
    """

    of: Count
    most: int
    level: Key

    @property
    def ladder(self) -> tuple[int, ...]:
        """The numbers of groups of which one is chosen."""
        return group_ladder(self.most)

    @property
    def rows(self) -> int:
        """The most that one unit has in a group."""
        return self.of.rows or 1

    @property
    def chosen(self) -> str:
        """The released column of the number of groups in which each unit counts."""
        return f"{self.column}_most"


@dataclass(frozen=True)
class Distinct(_Common):
    """The number of distinct values in the group; each unit contributes at most `values` of them.

    `is_of_unit`: all rows of a unit have the same value, or NULL. `declared`: the policy says how many values
    count; otherwise the planner may have their number chosen privately: see `ChosenDistinct`. `by_domain`:
    only a declared domain says that a unit has no more. `size`: how many values there are, if that is known.
    """

    value: Typed
    values: int
    is_of_unit: bool = field(default=False, compare=False)
    declared: bool = field(default=False, compare=False)
    by_domain: bool = field(default=False, compare=False)
    size: int | None = field(default=None, compare=False)


@dataclass(frozen=True)
class ChosenDistinct(_Common):
    """The number of distinct values in the group; how many of each unit count, at most `most`, is chosen
    privately, one number for all groups (see `mechanisms.distinct_values`).

    `level`: the key of the levels in the score SQL, which counts a value at the first that has it. `size`: of
    the domain, if the argument has no other values. `claims`: units claim values in turns, and the score SQL
    gives the pairs of a unit and a value; otherwise each unit ranks its own (see `mechanisms.claims`).
    """

    value: Typed
    most: int
    level: Key
    size: int | None = None
    claims: bool = False

    @property
    def levels(self) -> tuple[int, ...]:
        """The numbers of values of each unit of which one is chosen."""
        return ladder(self.most)

    @property
    def chosen(self) -> str:
        """The released column of the number of values of each unit that count."""
        return f"{self.column}_most"


@dataclass(frozen=True)
class Ladder:
    """The clamps of a total of which one may be chosen privately: 1, 2, 4, ..., 2^steps ticks (`ClampedSum`).

    `has_range`: a public range bounds the values; without it, a sum must have such a clamp.
    """

    steps: int
    has_range: bool


@dataclass(frozen=True)
class Sum(_Common):
    """The sum over units of their totals, each clamped to [low, high] (values of the column).

    `ticks`: the fixed-point type in which the sum is exact; `type`: of the answer, as in plain DuckDB.
    `each`: the range to which each value is clamped first, if the query sets one. `ladder`: nothing bounds
    the rows of a unit, or its values: its total may have a clamp that is chosen privately. `counts`: it is a
    count of rows, of which each adds 1.
    """

    value: Typed
    low: Decimal
    high: Decimal
    ticks: str
    scale: int
    type: str
    each: tuple[Decimal, Decimal] | None = None
    clamping: Clamping = field(default=Clamping(), compare=False)
    ladder: Ladder | None = field(default=None, compare=False)
    counts: bool = field(default=False, compare=False)

    @property
    def bound(self) -> int:
        """The sensitivity of the sum, in ticks."""
        return int(max(abs(self.low), abs(self.high)) * 10**self.scale)


@dataclass(frozen=True)
class ClampedSum(_Common):
    """The sum over units of their totals, each clamped to a number that is chosen privately, one for all
    groups: a power of two of ticks, at most 2^steps (see `mechanisms.clamped_sums`).

    `level`: the key of the levels in the score SQL, by which totals are added up. `has_range`: a public range
    bounds the values. `above_zero`: no value is said to be below 0, so that the score SQL clamps values and
    totals at 0, too, and rounds down. The other fields are those of a `Sum`.
    """

    value: Typed
    steps: int
    level: Key
    ticks: str
    scale: int
    type: str
    each: tuple[Decimal, Decimal] | None = None
    clamping: Clamping = field(default=Clamping(), compare=False)
    counts: bool = field(default=False, compare=False)
    has_range: bool = field(default=True, compare=False)
    above_zero: bool = False

    @property
    def ceiling(self) -> Decimal:
        """The largest total of a unit that counts in full, if all are as large."""
        return self.clamp(self.steps)

    def clamp(self, level: int) -> Decimal:
        """The clamp of a level, as a value of the column."""
        return Decimal((0, tuple(map(int, str(1 << level))), -self.scale))

    @property
    def chosen(self) -> str:
        """The released column of the clamp."""
        return f"{self.column}_most"


@dataclass(frozen=True)
class Mean(_Common):
    """The mean of values clamped to [low, high]: over units, of their means, or over bounded rows.

    `adds_up`: the sum and the number of the values are released beside it, for means of several groups.
    `population`: it is a proportion, whose interval holds for the population that units are a sample of.
    """

    value: Typed
    low: Fraction
    high: Fraction
    rows: int | None
    ticks: int = 2**30
    clamping: Clamping = field(default=Clamping(), compare=False)
    adds_up: bool = False
    population: bool = False

    @property
    def values_low(self) -> str:
        """The released column of the lower end of the interval of the number of values."""
        return f"{self.column}_values_low"

    @property
    def values(self) -> str:
        """The released column of the number of values, if it adds up."""
        return f"{self.column}_values"

    @property
    def total(self) -> str:
        """The released column of the sum of values, if it adds up."""
        return f"{self.column}_total"


@dataclass(frozen=True)
class Axis:
    """An argument of a statistic, clamped to [low, high]: its place there is one of `ticks` + 1.

    `written`: the argument as the query has it.
    """

    value: Typed
    low: Fraction
    high: Fraction
    ticks: int
    clamping: Clamping = field(default=Clamping(), compare=False)
    written: str = field(default="", compare=False)


@dataclass(frozen=True)
class Moments(_Common):
    """A statistic of the moments of values, or of pairs (y, x): see `mechanisms.deviations` for their names.

    All rows of a unit in a group weigh 1 together; or each weighs 1, of at most `rows`. `population`: its
    interval holds for the population that units are a sample of (see `mechanisms.populations`).
    """

    statistic: str
    axes: tuple[Axis, ...]
    rows: int | None
    population: bool = False

    @property
    def degree(self) -> int:
        """The degree of the weights of a value: that of the moments that follow from their sums."""
        return 4 if self.population and self.statistic in FOURTH else 2

    @property
    def weights(self) -> int:
        """The number of weights of a value, or pair of values, in as many sums."""
        return math.prod([self.degree + 1] * len(self.axes))

    @property
    def whole(self) -> int:
        """What the weights of a value, or pair of values, add up to, in ticks."""
        return math.prod(axis.ticks for axis in self.axes for _ in range(self.degree))

    @property
    def clamping(self) -> Clamping:
        """How the ranges of all arguments together may move the statistic."""
        each = [axis.clamping for axis in self.axes]
        return Clamping(any(one.by_call for one in each), any(one.by_domain for one in each))

    @property
    def values_low(self) -> str:
        """The released column of the lower end of the interval of the number of values."""
        return f"{self.column}_values_low"


@dataclass(frozen=True)
class Quantile(_Common):
    """The grid point with the share `quantile` of values below it; for 0 and 1 see `mechanisms.extremes`.

    All values count, and those of a unit in a group weigh as much as they are, but at most as `rows`, or as
    one if that is None. `parts`: into how many equal parts a weight of 1 is divided, so that all weights are
    whole; None: a unit has one value.
    `interval`: what its interval is of; None: the query asks for none, and all of epsilon is for the
    quantile. `doubt`: of an extreme, how often nobody may be there or beyond.
    """

    value: Typed
    key: Key
    grid: RangeDomain
    quantile: Fraction
    type: str
    rows: int | None = None
    parts: int | None = None
    clamping: Clamping = field(default=Clamping(), compare=False)
    interval: IntervalKind | None = None
    doubt: Fraction = Fraction(1, 20)

    @property
    def extreme(self) -> bool:
        """Whether it is the least or largest value."""
        return self.quantile in (0, 1)

    @property
    def has_ends(self) -> bool:
        """Whether the ends of an interval are selected. Of that of an extreme, one is the extreme itself."""
        return self.interval is not None and not self.extreme

    def extreme_of(self, epsilon: Fraction) -> Extreme:
        """Return what selects it, if it is an extreme. Input: epsilon of a group."""
        return Extreme(self.quantile == 1, self.grid.size, epsilon / self.most, self.doubt)

    def ends(self, epsilon: Fraction) -> tuple[End, ...]:
        """Return the ends of its interval that are selected. Input: epsilon of a group, for all of them."""
        if self.interval is None or self.extreme:
            return ()
        roundings = roundings_of(self.grid, self.value.type)
        return self.interval.ends(self.quantile, epsilon, self.most, self.grid.size, roundings)

    @property
    def rounds_down(self) -> bool:
        """Whether values lie between points of the grid, and count as the one below."""
        sql_type = self.value.type
        return sql_type.kind == "float" or Fraction(self.grid.step) * 10**sql_type.scale > 1

    @property
    def most(self) -> int:
        """The maximum of what one unit contributes to the scores of a group."""
        return (self.rows or 1) * (self.parts or 1)


@dataclass(frozen=True)
class Quantiles(_Common):
    """Several quantiles of the same values, which share epsilon (see `mechanisms.many_quantiles`).

    `asked`: at least two, which differ in their shares, or in the type of the answer.
    """

    asked: tuple[Quantile, ...]

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """The quantiles that are selected, ascending."""
        return tuple(sorted({one.quantile for one in self.asked}))

    @property
    def of(self) -> Quantile:
        """One of them: all are of the same values, on the same grid."""
        return self.asked[0]

    @property
    def places(self) -> int:
        """Into how many places each point of the grid is divided."""
        return places_of(self.of.grid.size)


@dataclass(frozen=True)
class Mode(_Common):
    """The most frequent candidate. `partial`: its domain may leave values out."""

    value: Typed
    key: Key
    partial: bool = field(default=False, compare=False)


Aggregate = (
    Count
    | ChosenCount
    | Distinct
    | ChosenDistinct
    | Sum
    | ClampedSum
    | Mean
    | Moments
    | Quantile
    | Quantiles
    | Mode
)


def scores_of(request: Aggregate) -> int:
    """Return how many columns of numbers the score SQL of an aggregate has."""
    match request:
        case Mean() | ChosenCount():
            return 2
        case ClampedSum() | ChosenDistinct(claims=True):
            return 3
        case Moments(weights=weights):
            return weights
        case _:
            return 1
