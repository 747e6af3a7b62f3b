"""The typed plan of a private query: everything public about it, and nothing private.

A plan is frozen and printable. The selection determines which groups appear, the measures what is released
about each group, and `answer_sql` computes the answer from the released columns, which is post-processing.
The scores of its parts are trees; SQL generated from these is the only SQL that reads private rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from dpduck.kernel.catalog.model import Bound, RangeDomain, Table
from dpduck.kernel.catalog.types import Value, parse_type
from dpduck.kernel.errors.notices import Notice
from dpduck.kernel.mechanisms.clamped_topk import WALK
from dpduck.kernel.plan.aggregates import Aggregate, ClampedSum, Count, Quantiles
from dpduck.kernel.plan.grid_sql import has_numbers
from dpduck.kernel.plan.keys import JointKeys, Key, KeySpace, Places
from dpduck.kernel.tree.answer import ComputedEnds
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.nodes import ColumnRef, Expression
from dpduck.kernel.tree.relations import Relation, SelectQuery

RELEASE = "answer"  # the table of released columns in `answer_sql`
RANK = "rank"  # the released column that holds the noisy order of a selection
MOST_LISTED = 1 << 16  # groups of public domains: up to so many, all scores are read into memory
UNITS = "units"  # the released counts that a selection needs and the query does not ask for


@dataclass(frozen=True)
class Output:
    """One column: its name and DuckDB type."""

    name: str
    type: str


@dataclass(frozen=True)
class Selection:
    """Which groups appear, and what selecting them costs.

    `counted`: the column of counts that the selection releases; None: it releases none.
    `groups`: the maximum number of groups per unit that its noise relies on; None: unbounded.
    """

    scores: SelectQuery | None = None
    epsilon: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)
    counted: str | None = None
    groups: int | None = None

    @property
    def score_sql(self) -> str:
        """The score SQL of the selection; empty if it reads nothing."""
        return "" if self.scores is None else sql(self.scores)


@dataclass(frozen=True)
class OneGroup(Selection):
    """No GROUP BY: all rows are one group."""


@dataclass(frozen=True)
class EveryKey(Selection):
    """All keys of a public domain, in its own order."""


@dataclass(frozen=True)
class FoundKeys(Selection):
    """Keys of private rows that enough units have: partition selection, which costs a delta.

    `gaussian`: the counts that it releases have Gaussian noise, for which half of delta is spent.
    """

    gaussian: bool = False


@dataclass(frozen=True)
class LargestKeys(Selection):
    """The k keys with the largest noisy counts, in that order: noisy top-k.

    `gumbel`: it uses Gumbel noise, which costs least in rho. `gaussian`: so it does, at the price of choices
    beside Gaussian noise, for which `delta` is spent; its counts, if any, are measured anew with such noise.
    `shared`: a part of that may be the same for all of them, as nothing adds them up. `spread`: the scores
    are sums in ticks; one unit moves any two of them by numbers that differ by at most that. Then the sums of
    the groups shown are a measure. 0: the scores are counts of units. `clamped`: the sums are of totals that
    are clamped to a number which is chosen privately first (see `mechanisms.clamped_topk`); then `spread` is
    in such clamps.
    """

    k: int = 1
    gumbel: bool = False
    gaussian: bool = False
    shared: bool = False
    spread: int = 0
    clamped: ClampedSum | None = None

    @property
    def choice(self) -> Fraction:
        """The part of epsilon that chooses a clamp."""
        return Fraction(0) if self.clamped is None else WALK * self.epsilon


@dataclass(frozen=True)
class KeysAbove(Selection):
    """The keys, at most k, with the largest noisy counts that reach a noisy threshold: thresholded top-k."""

    k: int = 1
    threshold: int = 0


@dataclass(frozen=True)
class Passes:
    """The two passes of a quantile on a fine grid: count values in bins, then by point near the quantile.

    `bins` counts each group's values in bins of `width` grid points, by index. `points` counts the values at
    points within windows, one or several per group, which the query is sent with: the group's keys k0, k1,
    ... and its `place`, the `low` and `high` index, the range `since` and `until`, as text, of the values in
    any window, and the `first` and `last` rank within it. It returns the points that contain these ranks,
    with `upto`, the number of values up to there. `held`: if each unit is first reduced to one value, the
    query that is materialized, which both passes read.
    """

    width: int
    bins: SelectQuery
    points: SelectQuery
    held: SelectQuery | None = None


@dataclass(frozen=True)
class Gaussian:
    """Gaussian noise of a measure: its part of mu^2, the cost of all such measures of a plan together.

    `size`: of how many groups the noise shares a part, where numbers all move one way; None: of none.
    """

    mu_squared: Fraction
    size: int | None = None


@dataclass(frozen=True)
class Levels:
    """The levels on which totals are measured. `places`: the keys of each, coarsest first. `sizes`: how many
    cells each has. Nested levels end with the groups themselves (see `mechanisms.levels`). `shape`: the
    number of values of each key, if they are not nested and the groups are all combinations of these (see
    `mechanisms.margins`).
    """

    places: tuple[Places, ...]
    sizes: tuple[int, ...]
    shape: tuple[int, ...] = ()

    @property
    def has_groups(self) -> bool:
        """Whether the groups of all keys are measured; else only totals are, and no group has a number."""
        return not self.shape or len(self.places[-1]) == len(self.shape)


@dataclass(frozen=True)
class Measure:
    """One aggregate, its share of epsilon, and its scores.

    `gaussian`: its noise is that; None: that of its own mechanism. `groups`: the maximum number of groups per
    unit. `passes`: the passes of a quantile that takes two;
    then `scores` counts the bins without materializing anything. `levels`: on which its totals are measured,
    too; None: on none.
    """

    request: Aggregate
    epsilon: Fraction
    delta: Fraction
    groups: int
    scores: SelectQuery
    passes: Passes | None = None
    gaussian: Gaussian | None = None
    levels: Levels | None = None

    @property
    def score_sql(self) -> str:
        """The score SQL of the measure."""
        return sql(self.scores)

    @property
    def requests(self) -> tuple[Aggregate, ...]:
        """The aggregates as the query asks for them, each with a released column of its own."""
        return self.request.asked if isinstance(self.request, Quantiles) else (self.request,)


@dataclass(frozen=True)
class PartialKey:
    """A key whose domain may leave out rows: with NULL, or with other values than the owner declared."""

    name: str
    nulls: bool
    others: bool


@dataclass(frozen=True)
class Nulls:
    """A column of a private table that no constraint keeps from NULL."""

    table: str
    column: str


@dataclass(frozen=True)
class AsksBeside:
    """A comparison of a column with a constant that no value of the column's declared domain meets.

    `ends`: of the domain, if it is a range. `near`: the values of the domain that are spelled alike.
    """

    column: str
    symbol: str
    value: Value
    ends: tuple[Bound, Bound] | None = None
    near: tuple[str, ...] = ()


@dataclass(frozen=True)
class Asked:
    """The rows and keys that a plan reads, in parts that can be compared with those of another plan.

    `source`: FROM of the score SQL, with table aliases `aliases`; `unit`, `keys`: expressions over it.
    `conditions`: filters on the rows. `one_row`: a unit has at most one row, so groups share no unit.
    `one_each`: a unit has at most one row in each group.
    `most`: the maximum number of groups per unit that score SQL enforces; None if it drops no rows.
    `is_cut`: another source of the numbers has left out rows of units that have many.
    `ranked`: the count or sum by which a selection chooses groups. `joins_public`: the rows are joined with
    public tables. `partial_keys`: the keys whose domains may leave rows out.
    `noisy_filter`: HAVING or QUALIFY compares noisy numbers. `beside`: what conditions ask for beside the
    domains of columns. `adds_units`: a total of a grouping set may be of groups that share a unit.
    `null_units`: the keys and links that may be NULL, where rows belong to no unit. `of_null_units`: the
    aggregates, by their released columns, that plain SQL computes of such rows too. `not_in`: what NOT IN
    compares with as if it were never NULL. `named`: the private tables in FROM, of which the
    contribution bounds hold. `private_groups`: the query asks that in how many groups a unit counts is chosen
    privately, where it can be.
    """

    source: Relation
    aliases: tuple[str, ...]
    unit: ColumnRef
    conditions: frozenset[Expression]
    keys: tuple[Expression, ...]
    one_row: bool
    one_each: bool = False
    most: int | None = None
    ranked: Aggregate | None = None
    joins_public: bool = False
    partial_keys: tuple[PartialKey, ...] = ()
    noisy_filter: bool = False
    beside: tuple[AsksBeside, ...] = ()
    adds_units: bool = False
    null_units: tuple[Nulls, ...] = field(default=(), compare=False)
    of_null_units: frozenset[str] = field(default=frozenset(), compare=False)
    not_in: tuple[Nulls, ...] = field(default=(), compare=False)
    named: tuple[Table, ...] = field(default=(), compare=False)
    private_groups: bool = field(default=False, compare=False)
    is_cut: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Cut:
    """Which of all groups the answer shows, if released numbers decide that, and so their noise.

    `columns`: those numbers, by the released columns. `places`: how many groups are shown, at least 1; 1 if
    that depends on the numbers as well. `again`: those by which queries around the block choose.
    """

    columns: frozenset[str] = frozenset()
    places: int = 1
    again: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Quotient:
    """A column of the answer that divides released numbers: its name, and the columns of these numbers.

    `factor`, `is_all`, `adds_up`: as of `Division`.
    """

    name: str
    dividend: frozenset[str]
    divisor: frozenset[str]
    factor: str | None = ""
    is_all: bool = True
    adds_up: bool = False


@dataclass(frozen=True)
class Filter:
    """HAVING or QUALIFY over the released columns: its word, and SQL that has a row if a group meets it."""

    word: str
    sql: str


@dataclass(frozen=True)
class Ends:
    """A column of an answer with the ends of its interval: its name, and the places of all three, from 0.

    `computed`: how it is computed of a released number; None if it is one as it is.
    """

    name: str
    place: int
    low: int
    high: int
    computed: ComputedEnds | None = None


@dataclass(frozen=True)
class Plan:
    """How one query is answered.

    `tables`: the private tables read. `root`: the table whose key is the unit. `columns`: of the release.
    `shown`: for each answer column that is a released column unchanged, its name in the answer and in the
    release. `plain`: the answer has no other columns. `shows_all`: the answer drops no released group
    because of its numbers, and no outer query changes it. `constants`: constant parts of the answer's SQL.
    `joint`: which of the keys occur in some combinations only. `cut`: which groups the answer shows.
    `quotients`: what it divides. `filters`: the conditions on released numbers that its groups meet.
    `sets`: the grouping sets of which the answer has totals, each as the places of its keys, if there are
    several; then `shown` is of columns that are such totals. `counting`: the columns of outer queries in
    which each group counts, also one without rows. `differences`: the columns of the answer with ends of
    intervals of differences, and the two numbers; `apart`: these pairs, also within other queries. `sums`:
    the columns of an outer query that add up a number of groups, and that number. `ends`: the columns of the
    answer with an interval; `ends_sql`: the answer with `n_low` and `n_high` for each column `n` of these,
    which may be `answer_sql` itself; empty if an outer query makes the answer.
    """

    tables: tuple[Table, ...]
    root: Table
    keys: tuple[Key, ...]
    selection: Selection
    measures: tuple[Measure, ...]
    columns: tuple[Output, ...]
    answer_sql: str
    asked: Asked
    shown: tuple[tuple[str, str], ...] = ()
    plain: bool = False
    shows_all: bool = False
    alternatives: tuple[Alternative, ...] = ()
    constants: tuple[str, ...] = ()
    joint: tuple[JointKeys, ...] = ()
    cut: Cut = Cut()
    quotients: tuple[Quotient, ...] = ()
    filters: tuple[Filter, ...] = ()
    sets: tuple[Places, ...] = ()
    counting: tuple[str, ...] = ()
    differences: tuple[tuple[str, tuple[str, str]], ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    sums: tuple[tuple[str, str], ...] = ()
    ends: tuple[Ends, ...] = field(default=(), compare=False)
    ends_sql: str = field(default="", compare=False, repr=False)

    @property
    def blocks(self) -> tuple[Plan, ...]:
        """The plans of all blocks over private rows: this one."""
        return (self,)

    @property
    def stored(self) -> tuple[Output, ...]:
        """The columns of which the text of a release is stored."""
        return self.columns

    @property
    def joins_public(self) -> bool:
        """Whether private rows are joined with public tables."""
        return self.asked.joins_public

    @property
    def space(self) -> KeySpace:
        """The candidates."""
        return KeySpace(self.keys, self.joint)

    @property
    def queries(self) -> list[SelectQuery]:
        """The queries that read tables of the data, as opposed to materialized or sent rows."""
        parts = [self.selection.scores, *(measure.scores for measure in self.measures)]
        held = [measure.passes.held for measure in self.measures if measure.passes is not None]
        return [query for query in (*parts, *held) if query is not None]

    @property
    def unit(self) -> str:
        """The column whose values are the privacy units; with its table where another has such a column."""
        name, own = str(self.root.unit), self.root
        others = [table for table in self.tables if (table.schema, table.name) != (own.schema, own.name)]
        return f"{own.name}.{name}" if any(table.part(name) is not None for table in others) else name

    @property
    def is_held(self) -> bool:
        """Whether the scores are materialized beside the data, because there may be many groups.

        It depends on public facts alone: the sizes of domains; keys without a domain may be any number.
        """
        size = self.space.size
        if size is None:
            return True
        numbered = all(
            has_numbers(key.domain, parse_type(key.type))
            for key in self.keys
            if isinstance(key.domain, RangeDomain)
        )
        return numbered and not self.joint and size > MOST_LISTED

    @property
    def requests(self) -> list[Aggregate]:
        """What its measures answer."""
        return [request for measure in self.measures for request in measure.requests]

    @property
    def levels(self) -> tuple[Places, ...]:
        """The keys of each level on which totals are measured, too; empty if none are."""
        return next((measure.levels.places for measure in self.measures if measure.levels is not None), ())

    @property
    def shares_noise(self) -> bool:
        """Whether the noise of different groups has a part in common, so that sums of groups are noisier."""
        noises = (measure.gaussian for measure in self.measures)
        ranked = isinstance(self.selection, LargestKeys) and self.selection.shared
        return ranked or any(noise is not None and noise.size is not None for noise in noises)

    @property
    def is_one_count(self) -> bool:
        """Whether the answer is one released count of units, unchanged, and nothing else."""
        if not isinstance(self.selection, OneGroup) or len(self.measures) != 1 or len(self.shown) != 1:
            return False
        [measure] = self.measures
        request = measure.request
        return self.plain and isinstance(request, Count) and request.rows is None and measure.groups == 1


class Planned(Protocol):
    """A plan that reads private rows: of one block, or of several."""

    @property
    def blocks(self) -> tuple[Plan, ...]:
        """The plans of the blocks."""
        ...


@dataclass(frozen=True)
class Alternative:
    """A plan that was considered: a description, and the half-width of its counts.

    `is_taken`: it is the plan. `price`: in rho or mu^2, if the units' budgets add up that.
    """

    title: str
    error: float
    is_taken: bool = False
    price: Fraction | None = None


@dataclass(frozen=True)
class PublicPlan:
    """A query on public data, which costs nothing; its SQL is generated anew from the validated tree.

    `reason`: why it costs nothing, for EXPLAIN. `report`: the report that the SQL reads as table `answer`;
    None: it reads the public `tables` of the database. `notice`: for the user, beside the answer.
    `synthetic`: the report is the synthetic rows of a summary, which are as those of this table.
    """

    sql: str
    reason: str = "the query reads public tables only, and costs nothing"
    report: str | None = None
    tables: tuple[Table, ...] = ()
    notice: Notice | None = None
    synthetic: Table | None = None
