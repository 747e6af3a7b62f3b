"""The typed plan of a private query: everything public about it, and nothing private.

A plan is frozen and printable. First a selection says which groups appear, then measures say what is
released about each, and `answer_sql` turns the released columns into the answer: post-processing. The
scores of its parts are trees, and what is written of these is the only text that ever reaches private rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from dpduck.catalog.model import RangeDomain, Table
from dpduck.catalog.types import parse_type
from dpduck.query.plan.aggregates import Aggregate, Count
from dpduck.query.plan.grid_sql import has_numbers
from dpduck.query.tree.duckdb import sql
from dpduck.query.tree.nodes import ColumnRef, Expression
from dpduck.query.tree.relations import Relation, SelectQuery
from dpduck.query.write.keys import Key

RELEASE = "answer"  # the name of the released columns in `answer_sql`
RANK = "rank"  # the released column that holds the noisy order of a selection
MOST_LISTED = 1 << 16  # groups of public domains whose scores are all read
UNITS = "units"  # counts that a selection needs and nobody asked to see


@dataclass(frozen=True)
class Output:
    """One column: its name and DuckDB type."""

    name: str
    type: str


@dataclass(frozen=True)
class Selection:
    """Which groups appear, and what finding them costs.

    `counted`: the released column of counts that comes with it, None if there is none.
    `groups`: the most groups that one unit may be in as far as its noise relies on it, None: any.
    """

    scores: SelectQuery | None = None
    epsilon: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)
    counted: str | None = None
    groups: int | None = None

    @property
    def score_sql(self) -> str:
        """What is read to find them, in DuckDB's SQL."""
        return "" if self.scores is None else sql(self.scores)


@dataclass(frozen=True)
class OneGroup(Selection):
    """No GROUP BY: all rows are one group."""


@dataclass(frozen=True)
class EveryKey(Selection):
    """All keys of a public domain, in its own order."""


@dataclass(frozen=True)
class FoundKeys(Selection):
    """Keys found in private rows, in enough of them to be shown."""


@dataclass(frozen=True)
class LargestKeys(Selection):
    """The k keys with the largest noisy counts, in that order.

    `gumbel`: by the noise that costs least in rho.
    """

    k: int = 1
    gumbel: bool = False


@dataclass(frozen=True)
class KeysAbove(Selection):
    """The keys with the largest noisy counts, at most k, whose counts reach a noisy threshold."""

    k: int = 1
    threshold: int = 0


@dataclass(frozen=True)
class Passes:
    """How a quantile of a fine grid is read: values are counted in bins, then one by one near the quantile.

    `bins` counts each group's values in bins of `width` grid points, by number. `points` counts
    points in the windows that it is given, one for each group: the group's keys k0, k1, ... and its `place`,
    the `low` and `high` number, the ends `since` and `until` of values with these numbers, as text, and the
    `first` and `last` rank within them. Its rows are the points that
    hold these ranks, with `upto`, the values up to there. Where units are reduced to one value first, that
    is held: both read `held`.
    """

    width: int
    bins: SelectQuery
    points: SelectQuery
    held: SelectQuery | None = None


@dataclass(frozen=True)
class Measure:
    """One request, the part of epsilon that it gets, and its scores.

    `groups`: the most groups that one unit may be in. `passes`: of a quantile that takes two; then
    `scores` counts the bins without holding anything.
    """

    request: Aggregate
    epsilon: Fraction
    delta: Fraction
    groups: int
    scores: SelectQuery
    passes: Passes | None = None

    @property
    def score_sql(self) -> str:
        """What is read for it, in DuckDB's SQL."""
        return sql(self.scores)


@dataclass(frozen=True)
class Asked:
    """What a plan asks of which rows, in parts that can be compared with those of another plan.

    `source`: FROM of its score SQL, in which the tables are called `aliases`; `unit`, `keys`: over it;
    `conditions`: of the rows, in no order. `one_row`: a unit has at most one row, so that groups are
    disjoint. `most`: the bound on groups that score SQL enforces, None if it drops no rows.
    `ranked`: the count that says which groups a selection keeps. `joins_public`: the rows are joined with
    public ones.
    """

    source: Relation
    aliases: tuple[str, ...]
    unit: ColumnRef
    conditions: frozenset[Expression]
    keys: tuple[Expression, ...]
    one_row: bool
    most: int | None = None
    ranked: Aggregate | None = None
    joins_public: bool = False


@dataclass(frozen=True)
class Plan:
    """How one query is answered.

    `tables`: the private tables read; `root`: whose key is the unit. `columns`: of the release;
    `shown`: for each column of the answer that is a released one as it stands, its name there and here.
    `plain`: the answer is these and nothing else. `shows_all`: no group that is released is left out of it
    for what its numbers are, nor changed by a query around. `constants`: parts of the answer's SQL that
    need no row.
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

    @property
    def queries(self) -> list[SelectQuery]:
        """What is read for the answer, but for what reads rows that are held or given."""
        parts = [self.selection.scores, *(measure.scores for measure in self.measures)]
        held = [measure.passes.held for measure in self.measures if measure.passes is not None]
        return [query for query in (*parts, *held) if query is not None]

    @property
    def unit(self) -> str:
        """The column whose values are the privacy units."""
        return str(self.root.unit)

    @property
    def is_held(self) -> bool:
        """Whether the scores stay where the data is, and only winners are named: there may be many groups.

        By public facts alone: groups of domains are counted, those found in private rows may be any number.
        """
        sizes = [None if key.domain is None else key.domain.size for key in self.keys]
        if None in sizes:
            return True
        numbered = all(
            has_numbers(key.domain, parse_type(key.type))
            for key in self.keys
            if isinstance(key.domain, RangeDomain)
        )
        return numbered and math.prod(size for size in sizes if size is not None) > MOST_LISTED

    @property
    def is_one_count(self) -> bool:
        """Whether the answer is one count of units as it is released, and nothing else."""
        if not isinstance(self.selection, OneGroup) or len(self.measures) != 1 or len(self.shown) != 1:
            return False
        [measure] = self.measures
        request = measure.request
        return self.plain and isinstance(request, Count) and request.rows is None and measure.groups == 1


@dataclass(frozen=True)
class Alternative:
    """A plan that was considered: what it does, and the half-width within which its counts would be."""

    title: str
    error: float


@dataclass(frozen=True)
class PublicPlan:
    """What is public already: fresh SQL that costs nothing.

    `reason`: why, for EXPLAIN. `report`: what the SQL reads as table `answer`; None: tables of the database,
    which are `tables`.
    """

    sql: str
    reason: str = "the query reads public tables only, and costs nothing"
    report: str | None = None
    tables: tuple[Table, ...] = ()
