"""The caveats of a plan in words, those of one kind in one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import assert_never

from dpduck.catalog.model import Bound
from dpduck.errors.advice import Action, AskOwner, BoundGroups, BoundRows, Hint, SetGroups, SetTo
from dpduck.query.block.asks_beside import words_of
from dpduck.query.plan.caveat_kinds import (
    AddsUnits,
    CapsWeights,
    Caveat,
    ClampsTotals,
    ClampsValues,
    CountsEmpty,
    CountsNulls,
    CountsUnits,
    CutGroups,
    CutRows,
    CutTotals,
    CutValues,
    DividesBounded,
    DropsLines,
    DropsNullUnits,
    DropsRows,
    DropsValues,
    HidesRare,
    IgnoresNulls,
    LacksChoice,
    LacksGaps,
    ManyGroups,
    MissesGroups,
    MissesValues,
    MostUnits,
    NearExtreme,
    NearlyCovers,
    NearRank,
    NeedsValues,
    NoiseAlone,
    NoisierSets,
    NoisyFilter,
    OfColumns,
    OfTableAlone,
    WeighsUnits,
)
from dpduck.query.plan.model import AsksBeside, Nulls, PartialKey, Plan
from dpduck.query.planner.noises import may_be_gaussian

_PER_GROUP = "contribution_bounds_per_group"
_FEW_GROUPS = 5  # of a bound that hints name
_OF_GAUSSIAN = 12  # groups from which Gaussian noise of a usual delta is surely less
_MEETS_SEVERAL = (
    "Its one row may meet several of a public table; a PRIMARY KEY or UNIQUE of the columns by which that is "
    "joined says that it meets one."
)


@dataclass(frozen=True)
class Told:
    """Of which plan something is told, to whom, and what was `chosen` privately for it, by column names."""

    plan: Plan
    chosen: Mapping[str, float]
    is_owner: bool

    @property
    def place(self) -> str:
        """What bounds on a unit are for, besides each unit."""
        return " and group" if self.plan.keys else ""

    def numbers(self, columns: Sequence[str]) -> str:
        """Return what was chosen for columns, in parentheses; empty if nothing is chosen yet."""
        found = [f"{self.chosen[name]:,.6g}" for name in columns if name in self.chosen]
        return f" ({listed(list(dict.fromkeys(found)), 'and')})" if found else ""


def words(  # noqa: C901 (a case for each kind)
    caveats: Sequence[Caveat], told: Told
) -> Hint:
    """Return caveats of one kind as a notice."""
    match first := caveats[0]:
        case ManyGroups():
            return _of_many_groups(first, told)
        case CutValues():
            return _of_cut_values(first, told)
        case AsksBeside():
            return Hint.of(words_of(first))
        case ClampsTotals():
            return Hint.of(_of_clamps([one for one in caveats if isinstance(one, ClampsTotals)], told))
        case DividesBounded():
            return Hint.of(_of_quotients([one for one in caveats if isinstance(one, DividesBounded)]))
        case LacksChoice():
            return Hint.of(_of_no_choice([one for one in caveats if isinstance(one, LacksChoice)]))
        case CountsUnits():
            return _of_units(first)
        case OfTableAlone():
            return _of_table(first)
        case _ if isinstance(first, OfColumns):
            return Hint.of(_joined([_of_columns(one, told) for one in caveats if isinstance(one, OfColumns)]))
        case _:
            return Hint.of(_of_groups(first))


def _joined(parts: Sequence[tuple[str, str]]) -> str:
    """Return sentences with a common end. Input: of each what is its own, and the end."""
    return "; ".join(own for own, _ in parts) + parts[0][1]


def _of_columns(  # noqa: C901 (a case for each kind)
    caveat: OfColumns, told: Told
) -> tuple[str, str]:
    """Return what is so of columns, and the end of the sentence, which all caveats of the kind share."""
    columns, place = caveat.columns, told.place
    match caveat:
        case LacksGaps():
            gaps = f"dp_gap and dp_p_value of {listed(columns, 'and')} are NULL"
            return gaps, ", as all groups are counted and none is chosen for being ahead: compare intervals."
        case AddsUnits(unit=unit):
            totals = f"Totals of {listed(columns, 'and')} count each {unit} once for each group"
            return totals, " that they add up."
        case WeighsUnits(unit=unit):
            return f"{subject('give', columns)} each {unit} the same weight", ", whatever rows it has."
        case MostUnits(unit=unit):
            return f"{subject('take', columns)} the value of most distinct {unit}", ", not of most rows."
        case MissesValues(unit=unit, most=most):
            lower = (
                f"{listed(columns, 'and')} {'are lower estimates' if columns[1:] else 'is a lower estimate'}"
            )
            missed = f"values that need more than l of one {unit} are missed, l up to {most:,}"
            return f"{lower}: {missed} chosen privately{told.numbers(columns)}", "."
        case MissesGroups(unit=unit, most=most):
            counts = f"{subject('count', columns)} each {unit} in at most m of its groups"
            chosen = f"m up to {most:,} chosen privately{told.numbers(columns)}"
            return f"{counts}, {chosen}", ": the truth may be above."
        case ClampsValues(low=low, high=high, argument=argument):
            ends = f"{argument or 'values'} from {_text(low)} to {_text(high)}"
            return f"{subject('take', columns)} {ends}", "; those beyond count as the nearer end."
        case CountsNulls(value=value):
            return f"{subject('count', columns)} NULL as {value}", ", as greatest and least skip it."
        case DropsValues(size=size):
            return f"{subject('choose', columns)} among {_plural(size, 'value')}", "; others are left out."
        case CutRows(unit=unit, most=most):
            rows = f"at most {_plural(most, 'row')} of each {unit}{place}"
            return f"{subject('take', columns)} {rows}", "; others are left out."
        case CapsWeights(unit=unit, most=most):
            weigh = f"{subject('weigh', columns)} all rows alike, those of one {unit}{place} together"
            return f"{weigh} as at most {_plural(most, 'row')}", "."
        case CutTotals(unit=unit, low=low, high=high, lowers=lowers):
            total = f"a total from {_number(low)} to {_number(high)} of each {unit}{place}"
            cut = f"{subject('take', columns)} {total}, so the truth may be {_beyond(lowers=lowers)}"
            return cut, f". {_PER_GROUP} => (low, high) sets other bounds."
        case NearExtreme() | NeedsValues() | NearRank() | NearlyCovers() | NoiseAlone() | NoisierSets():
            return _of_single_numbers(caveat)
    raise AssertionError(f"a caveat of the kind {type(caveat).__name__} has words of its own")


def _of_single_numbers(
    caveat: NearExtreme | NeedsValues | NearRank | NearlyCovers | NoiseAlone | NoisierSets,
) -> tuple[str, str]:
    columns = caveat.columns
    named, are = listed(columns, "and"), "are" if len(columns) > 1 else "is"
    match caveat:
        case NearExtreme(upper=upper, beyond=beyond, of=of):
            place = "largest value" if upper else "least value"
            return f"{named} {are} the {place} but for those of up to {beyond:,} {of}", (
                ": a true extreme is one row's value."
            )
        case NeedsValues(upper=upper, least=least, of=of):
            side = "above" if upper else "below"
            return f"{named} may be {side} all values of fewer than about {least:,} {of}", (
                ": ask for a quantile nearer 0.5, or for more epsilon."
            )
        case NearRank(rank=rank):
            off = f"{are} off by at most {_plural(rank, 'unit')} in rank with probability 95 %"
            return f"{named} {off}", ", and never between two values."
        case NoiseAlone():
            ends = f"dp_low and dp_high of {named} are for noise alone"
            return ends, ": what bounds cut may lie far beyond them."
        case NoisierSets(times=times):
            noisy = f"{named} {are} up to {times:.1f} times as noisy"
            return noisy, " as if one grouping set were asked alone, as all share epsilon."
        case NearlyCovers(population=population):
            of = f"The interval{'s' * (len(columns) > 1)} of {named}"
            whose = f"the quantile of the {'population' if population else 'table'}"
            about = (
                " at about 95 % where values lie close together, or on neighbouring multiples of a number "
                "such as 0.5 or 10; that is measured, not proved. Between a few values far apart it may miss "
                "far more often."
            )
            return f"{of} cover{'s' * (len(columns) == 1)} {whose}", about
    assert_never(caveat)


def _of_clamps(caveats: Sequence[ClampsTotals], told: Told) -> str:
    """Return that totals of each unit, or its rows, count up to a number that is chosen privately."""
    sums, counts = ([one for one in caveats if one.counts is counts] for counts in (False, True))
    parts = []
    if sums:
        columns = [name for one in sums for name in one.columns]
        clamp = f"a clamp that is chosen privately{told.numbers(columns)}"
        total = f"a total of each {sums[0].unit}{told.place}{_floor_of(sums)} up to {clamp}"
        more = f"{_PER_GROUP} => (low, high) sets bounds.{_places_of(sums)}"
        parts.append(f"{subject('take', columns)} {total}, so the truth may be {_of_sides(sums)}. {more}")
    if counts:
        columns = [name for one in counts for name in one.columns]
        number = f"a number that is chosen privately{told.numbers(columns)}"
        rows = f"rows, of each {counts[0].unit}{told.place} up to {number}"
        parts.append(f"{subject('count', columns)} {rows}, so the truth may be above.")
    return " ".join(parts)


def _places_of(sums: Sequence[ClampsTotals]) -> str:
    """Return of which sums values are rounded, and how."""
    rounded = [one for one in sums if one.places is not None]
    if not rounded:
        return ""
    columns = [name for one in rounded for name in one.columns]
    down = "down " if all(one.lowers for one in rounded) else ""
    places = f"{down}to {rounded[0].places} decimal places, and NaN counts as none"
    return f" {subject('round', columns)} values {places}."


def _floor_of(sums: Sequence[ClampsTotals]) -> str:
    """Return of which sums values below 0 count as 0."""
    floored = [name for one in sums if one.floors for name in one.columns]
    if not floored:
        return ""
    of = "" if all(one.floors for one in sums) else f" of {listed(floored, 'and')}"
    return f", with values below 0{of} as 0,"


def _of_units(caveat: CountsUnits) -> Hint:
    """What is counted, and how rows are: up to a number for each unit that is chosen, or that is known."""
    counts = f"{subject('count', caveat.columns)} distinct {caveat.unit}, not rows. Rows: "
    known = f", or count(*, {_PER_GROUP} => (0, HIGH)) if HIGH is known without looking at the data."
    return Hint.of(counts, SetTo("dp_count", "'rows'"), known)


def _of_table(caveat: OfTableAlone) -> Hint:
    allow = f"{subject('allow', caveat.columns)} for noise alone, not for chance of sampling"
    tell = "they tell" if caveat.columns[1:] else "it tells"
    whose = "whether the rows of this table differ, not whether what they were drawn from does"
    ask = SetTo("dp_interval", "'population'")
    return Hint.of(f"{allow}: {tell} {whose}. At the same price, ", ask, " asks that.")


def _of_sides(sums: Sequence[ClampsTotals]) -> str:
    """Return on which side of sums the truth may be; if not of all on both, which may be below."""
    either = [name for one in sums if not one.lowers for name in one.columns]
    if either and any(one.lowers for one in sums):
        return f"above, of {listed(either, 'and')} also below"
    return _beyond(lowers=not either)


def _beyond(*, lowers: bool) -> str:
    return "above" if lowers else "above or below"


def _of_quotients(caveats: Sequence[DividesBounded]) -> str:
    columns = [name for one in caveats for name in one.columns]
    averages = dict.fromkeys(one.average for one in caveats if one.average)
    place = "" if all(one.is_all for one in caveats) else ", in place of the quotient"
    cut = f"numbers that are bounded for each {caveats[0].unit}, so {'they' if columns[1:] else 'it'} may be"
    nearer = f" Nearer{place}: {', '.join(averages)}." if averages else ""
    return f"{subject('divide', columns)} {cut} far from plain SQL's.{nearer}"


def _of_no_choice(caveats: Sequence[LacksChoice]) -> str:
    """Return on which numbers a session's or query's wish for a private bound has no effect, and why."""
    parts = [f"on {listed(one.columns, 'and')}, as {_why(one)}" for one in caveats]
    return f"max_groups_contributed = 'private' has no effect {'; '.join(parts)}."


def _why(caveat: LacksChoice) -> str:
    match caveat.why:
        case "bound":
            return f"a bound of {_plural(caveat.most or 0, 'group')} holds already"
        case "found":
            return "keys that are found in private rows need a bound that is known"
        case "totals":
            return f"totals add up groups, in each of which a {caveat.unit} counts"
        case "ranks":
            return "their order, or a condition on them, decides which groups are shown"
        case "kind":
            return "only counts of units, or of bounded rows, have such a choice"
        case "few":
            return f"one {caveat.unit} may be in too few groups for a choice to pay"
        case "epsilon":
            return "epsilon is too small for a choice and a count"
    assert_never(caveat.why)


def _of_groups(  # noqa: C901 (one case for each kind)
    caveat: (
        CutGroups
        | DropsRows
        | DropsNullUnits
        | DropsLines
        | IgnoresNulls
        | CountsEmpty
        | HidesRare
        | NoisyFilter
    ),
) -> str:
    match caveat:
        case DropsRows(keys=keys, totals=totals):
            return f"Rows {_beside(keys)} are left out{', also of totals' if totals else ''}."
        case DropsNullUnits(nulls=nulls):
            return f"Rows {_of_nulls(nulls)} are not counted."
        case DropsLines(table=table, values=values):
            lines = f"Lines of {table} that are not {_plural(values, 'value')} in UTF-8 are left out"
            return f"{lines}; a value that is not of its column's type is NULL."
        case IgnoresNulls(nulls=nulls):
            return f"NOT IN ignores rows {_of_nulls(nulls)}."
        case CountsEmpty(columns=columns):
            counts = f"{subject('count', columns)} all groups of the domain, also those without rows."
            return f"{counts} HAVING in the subquery leaves out what is near 0."
        case HidesRare():
            return "Groups that few units have are left out."
        case NoisyFilter():
            return "Noise decides which groups near a limit of HAVING or QUALIFY are shown."
        case CutGroups(unit=unit, most=most, table=table):
            whose = f", the bound of {table}" if table else ""
            bound = f"at most {_plural(most, 'group')}{whose}"
            return f"Each {unit} counts in {bound}, so counts and sums may be too low."
    assert_never(caveat)


def _of_many_groups(caveat: ManyGroups, told: Told) -> Hint:
    unit, groups = caveat.unit, caveat.groups
    wide = f"Noise is {caveat.times:,} times as wide because one {unit} may be in {groups:,} groups. "
    choice: tuple[str | Action, ...] = ()
    if caveat.can_choose:
        choice = " ", SetGroups("private"), " has a smaller number chosen for counts, if few are in more."
    if caveat.table is None:
        return Hint.of(f"{wide}{_MEETS_SEVERAL}", *choice)
    one_row = _cure(f"If each {unit} has one row", BoundGroups(caveat.table, 1), is_owner=told.is_owner)
    return Hint.of(wide, *one_row, *_with_fewer_groups(caveat, told), *choice)


def _with_fewer_groups(caveat: ManyGroups, told: Told) -> tuple[str | Action, ...]:
    """Return what else makes noise less where each unit may be in many groups."""
    ways: list[str | Action] = []
    if caveat.groups > _FEW_GROUPS:
        ways += [" Otherwise group by fewer or coarser keys, or ", SetGroups(_FEW_GROUPS)]
        ways += [f", which leaves out what one {caveat.unit} has in more groups."]
    measures = told.plan.measures
    if (
        caveat.groups > _OF_GAUSSIAN
        and not any(one.gaussian for one in measures)
        and may_be_gaussian(measures)
    ):
        ways += [
            " With ",
            SetTo("dp_delta", "1e-6"),
            ", if budgets have one, noise grows with the square root",
        ]
        ways += [" of the groups."]
    return tuple(ways)


def _of_cut_values(caveat: CutValues, told: Told) -> Hint:
    values = f"at most {_plural(caveat.most, 'value')} of each {caveat.unit}{told.place}"
    cut = f"{subject('take', caveat.columns)} {values}, so the truth may be far above. "
    more = BoundRows(caveat.table, 10 * caveat.most)
    return Hint.of(cut, *_cure("To count more", more, is_owner=told.is_owner))


def _beside(keys: Sequence[PartialKey]) -> str:
    """Return in words which rows the domains of keys leave out."""
    kinds: dict[str, list[str]] = {}
    for key in keys:
        which = ["NULL"] * key.nulls + ["not in its domain"] * key.others
        kinds.setdefault(" or ".join(which), []).append(key.name)
    return ", or ".join(f"whose {listed(names, 'or')} is {kind}" for kind, names in kinds.items())


def _of_nulls(nulls: Sequence[Nulls]) -> str:
    return " and ".join(f"of {one.table} whose {one.column} is NULL" for one in nulls)


def _text(bound: Bound) -> str:
    return _number(bound) if isinstance(bound, int | float | Decimal) else str(bound)


def _number(number: float | Decimal) -> str:
    """Return a number in words: whole ones as they are, others of nine digits.

    Ends of ranges are rounded outwards to ticks, which nobody wrote.

    >>> _number(1234567890123), _number(0.0384000000004), _number(-2.5)
    ('1,234,567,890,123', '0.0384', '-2.5')
    """
    return f"{int(number):,}" if number == int(number) else f"{float(number):,.9g}"


def subject(verb: str, columns: Sequence[str]) -> str:
    """Return the columns with a verb in the present tense. Input: the verb's plural."""
    return f"{listed(columns, 'and')} {verb}{'s' * (len(columns) == 1)}"


def listed(names: Sequence[str], last: str) -> str:
    """Return names as a list in words, with a word before the last."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _cure(when: str, statement: Action, *, is_owner: bool) -> tuple[str | Action, ...]:
    """Return the words for a statement of the owner, as said to the owner or to an analyst."""
    if is_owner:
        return f"{when}: ", statement, "."
    if isinstance(statement, BoundGroups):
        return f"{when}: ", SetGroups(statement.groups), "."
    return f"{when}, ", AskOwner(statement), "."
