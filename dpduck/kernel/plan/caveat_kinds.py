"""The kinds of caveats: each says in one way how an answer differs from that of plain SQL."""

from __future__ import annotations

from dataclasses import dataclass

from dpduck.kernel.catalog.model import Bound
from dpduck.kernel.plan import aggregates
from dpduck.kernel.plan.model import AsksBeside, Nulls, PartialKey
from dpduck.kernel.plan.private_groups import NoChoice


@dataclass(frozen=True)
class CountsUnits:
    """Numbers that count each unit once, where it may have several rows."""

    columns: tuple[str, ...]
    unit: str


@dataclass(frozen=True)
class AddsUnits:
    """Totals that count each unit once for each group that they add up and that it is in."""

    columns: tuple[str, ...]
    unit: str


@dataclass(frozen=True)
class WeighsUnits:
    """Averages and quantiles in which each unit has the same weight, however many rows it has."""

    columns: tuple[str, ...]
    unit: str


@dataclass(frozen=True)
class MostUnits:
    """The values that most units have, which need not be those of most rows."""

    columns: tuple[str, ...]
    unit: str


@dataclass(frozen=True)
class CutRows:
    """Numbers of at most `most` rows of each unit and group."""

    columns: tuple[str, ...]
    unit: str
    most: int


@dataclass(frozen=True)
class CapsWeights:
    """Quantiles in which all rows of a unit and group together weigh at most as `most` rows."""

    columns: tuple[str, ...]
    unit: str
    most: int


@dataclass(frozen=True)
class CutValues:
    """Counts of distinct values, of which each unit contributes at most `most` to a group."""

    columns: tuple[str, ...]
    unit: str
    most: int
    table: str


@dataclass(frozen=True)
class MissesValues:
    """Counts of distinct values that are lower estimates: how many of each unit count is chosen privately."""

    columns: tuple[str, ...]
    unit: str
    most: int


@dataclass(frozen=True)
class MissesGroups:
    """Lower estimates: in how many groups each unit counts, of `most` at most, is chosen privately."""

    columns: tuple[str, ...]
    unit: str
    most: int


@dataclass(frozen=True)
class CutTotals:
    """A sum of totals of units, each clamped to [low, high]. `lowers`: clamping can only lower it."""

    columns: tuple[str, ...]
    unit: str
    low: float
    high: float
    lowers: bool


@dataclass(frozen=True)
class ClampsTotals:
    """Sums of totals of units, each clamped to a number that is chosen privately, which can only lower them
    if it `lowers`; if they are `counts`, of rows. `floors`: values below 0, if there are any, count as 0.
    `places`: to how many decimal places values are rounded first, where a query may not expect it.
    """

    columns: tuple[str, ...]
    unit: str
    lowers: bool
    counts: bool = False
    floors: bool = False
    places: int | None = None


@dataclass(frozen=True)
class ClampsValues:
    """Numbers of values clamped to [low, high], beyond which types and the query's expressions allow some.

    `argument`: of which values, if numbers have several; else empty.
    """

    columns: tuple[str, ...]
    low: Bound
    high: Bound
    argument: str = ""


@dataclass(frozen=True)
class CountsNulls:
    """Numbers in which NULL counts as `value`, since greatest and least skip it."""

    columns: tuple[str, ...]
    value: str


@dataclass(frozen=True)
class DividesBounded:
    """Quotients of numbers that bounds on a unit cut. `average`: nearer to those of plain SQL, if known.

    `is_all`: in place of the columns, which have no other part.
    """

    columns: tuple[str, ...]
    unit: str
    average: str
    is_all: bool = True


@dataclass(frozen=True)
class NoisierSets:
    """Numbers of several grouping sets that share epsilon, which makes them up to `times` as noisy as those
    of a query for one of the sets."""

    columns: tuple[str, ...]
    times: float


@dataclass(frozen=True)
class NearExtreme:
    """Least or, if `upper`, largest values but for those of `beyond` units or rows at most, at 95 %."""

    columns: tuple[str, ...]
    upper: bool
    beyond: int
    of: str


@dataclass(frozen=True)
class NeedsValues:
    """Quantiles which of fewer values than `least` may lie beyond all of them: at the upper end, at the lower
    one, or, of medians (None), at both."""

    columns: tuple[str, ...]
    upper: bool | None
    least: int
    of: str


@dataclass(frozen=True)
class NearRank:
    """Quantiles of few values: off by at most `rank` in rank at 95 %, and never between two values."""

    columns: tuple[str, ...]
    rank: int


@dataclass(frozen=True)
class NoiseAlone:
    """Ends of the interval of a sum that are shown, though bounds may have lowered or raised it by more."""

    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class OfTableAlone:
    """Intervals and p-values of differences that hold for the table, where a population's could be had."""

    columns: tuple[str, ...]


@dataclass(frozen=True)
class NearlyCovers:
    """Quantiles whose intervals cover about 95 %, as calibrated where values lie close together."""

    columns: tuple[str, ...]
    population: bool


@dataclass(frozen=True)
class DropsValues:
    """The values that come most often, of those in the declared domain."""

    columns: tuple[str, ...]
    size: int


@dataclass(frozen=True)
class CutGroups:
    """Each unit counts in at most `most` groups. `table`: that has this bound; empty if the query has it."""

    unit: str
    most: int
    table: str = ""


@dataclass(frozen=True)
class ManyGroups:
    """Noise is `times` as wide as if each unit had one row, in place of `groups`, as no constraint says.


    `table`: where a unit may have several; None: in none, but its row may meet several of a public table.
    `can_choose`: in how many groups units count could be chosen privately for some count.
    """

    table: str | None
    unit: str
    groups: int
    times: int
    can_choose: bool = False


@dataclass(frozen=True)
class LacksGaps:
    """Numbers of which the query asks how far they are ahead, where no group is chosen for being ahead."""

    columns: tuple[str, ...]


@dataclass(frozen=True)
class LacksChoice:
    """Numbers for which in how many groups each unit counts is not chosen, though the query asks for it.

    `most`: the groups in which each unit counts by a bound; None if there is none.
    """

    columns: tuple[str, ...]
    unit: str
    why: NoChoice
    most: int | None = None


@dataclass(frozen=True)
class DropsRows:
    """Rows whose keys are beside the domains of the query are in no group, and `totals`: in no total."""

    keys: tuple[PartialKey, ...]
    totals: bool = False


@dataclass(frozen=True)
class CountsEmpty:
    """Numbers of an outer query in which groups of a public domain count that have no rows."""

    columns: tuple[str, ...]


@dataclass(frozen=True)
class DropsNullUnits:
    """Rows that belong to no unit, as a key or link of theirs is NULL, are not counted."""

    nulls: tuple[Nulls, ...]


@dataclass(frozen=True)
class DropsLines:
    """Lines of a CSV file that are no rows are left out, and values that are not of their type are NULL.

    `values`: how many a line has.
    """

    table: str
    values: int


@dataclass(frozen=True)
class IgnoresNulls:
    """NOT IN ignores the rows of a subquery in which a column is NULL. In plain SQL one of them is enough for
    NOT IN to be true nowhere.
    """

    nulls: tuple[Nulls, ...]


@dataclass(frozen=True)
class HidesRare:
    """Groups that too few units have are not shown."""


@dataclass(frozen=True)
class NoisyFilter:
    """Noise decides which groups near a limit of HAVING or QUALIFY are shown."""


Counted = (
    aggregates.Count
    | aggregates.Mean
    | aggregates.Moments
    | aggregates.Quantile
    | aggregates.Quantiles
    | aggregates.Mode
)
OfColumns = (
    CountsUnits
    | AddsUnits
    | WeighsUnits
    | MostUnits
    | CutRows
    | CapsWeights
    | CutValues
    | MissesValues
    | MissesGroups
    | CutTotals
    | ClampsTotals
    | ClampsValues
    | CountsNulls
    | DropsValues
    | NoisierSets
    | NearExtreme
    | NeedsValues
    | NearRank
    | NearlyCovers
    | NoiseAlone
    | OfTableAlone
    | DividesBounded
    | LacksChoice
    | LacksGaps
)
OfGroups = (
    CutGroups
    | ManyGroups
    | DropsRows
    | CountsEmpty
    | DropsNullUnits
    | DropsLines
    | IgnoresNulls
    | HidesRare
    | NoisyFilter
    | AsksBeside
)
Caveat = OfColumns | OfGroups
