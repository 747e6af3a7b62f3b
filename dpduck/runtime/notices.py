"""Notices of private answers, in words: the caveats of the plan."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import assert_never

from dpduck.catalog.model import Bound
from dpduck.errors.advice import Action, AskOwner, BoundGroups, BoundRows, Hint, SetGroups
from dpduck.query.block.asks_beside import words_of
from dpduck.query.plan.caveats import (
    AddsUnits,
    CapsWeights,
    Caveat,
    ClampsTotals,
    ClampsValues,
    CountsEmpty,
    CountsUnits,
    CutGroups,
    CutRows,
    CutTotals,
    CutValues,
    DividesBounded,
    DropsNullUnits,
    DropsRows,
    DropsValues,
    HidesRare,
    IgnoresNulls,
    ManyGroups,
    MissesGroups,
    MissesValues,
    MostUnits,
    NearExtreme,
    NearlyCovers,
    NearRank,
    NoiseAlone,
    NoisierSets,
    NoisyFilter,
    WeighsUnits,
    caveats,
)
from dpduck.query.plan.model import AsksBeside, Nulls, PartialKey, Plan

_PER_GROUP = "contribution_bounds_per_group"
_MEETS_SEVERAL = (
    "Its one row may meet several of a public table; a PRIMARY KEY or UNIQUE of the columns by which that is "
    "joined says that it meets one."
)


def of_plan(plan: Plan, *, is_owner: bool) -> tuple[Hint, ...]:
    """Return a notice for each caveat of a plan. Only an owner is told to change a policy."""
    place = " and group" if plan.keys else ""
    return tuple(_words(caveat, place, is_owner=is_owner) for caveat in caveats(plan))


def _words(caveat: Caveat, place: str, *, is_owner: bool) -> Hint:
    match caveat:
        case CutRows() | CapsWeights() | CutValues() | CutTotals() | ClampsTotals():
            return _of_cut(caveat, place, is_owner=is_owner)
        case ManyGroups(table=table, unit=unit, groups=groups, times=times):
            wide = f"Noise is {times:,} times as wide because one {unit} may be in {groups:,} groups. "
            if table is None:
                return Hint.of(f"{wide}{_MEETS_SEVERAL}")
            return Hint.of(
                wide, *_cure(f"If each {unit} has one row", BoundGroups(table, 1), is_owner=is_owner)
            )
        case AsksBeside():
            return Hint.of(words_of(caveat))
        case DropsNullUnits() | IgnoresNulls():
            return Hint.of(_of_null_units(caveat))
        case CutGroups() | DropsRows() | CountsEmpty() | HidesRare() | NoisyFilter():
            return Hint.of(_of_groups(caveat))
        case NearExtreme() | NearRank() | NearlyCovers() | NoiseAlone() | DividesBounded() | NoisierSets():
            return Hint.of(_of_single_numbers(caveat))
        case _:
            return Hint.of(_of_columns(caveat))


def _of_null_units(caveat: DropsNullUnits | IgnoresNulls) -> str:
    if isinstance(caveat, IgnoresNulls):
        return f"NOT IN ignores rows {_of_nulls(caveat.nulls)}."
    return f"Rows {_of_nulls(caveat.nulls)} are not counted."


def _of_columns(  # noqa: C901 (a case for each kind)
    caveat: CountsUnits
    | AddsUnits
    | WeighsUnits
    | MostUnits
    | MissesValues
    | MissesGroups
    | ClampsValues
    | DropsValues,
) -> str:
    columns = caveat.columns
    match caveat:
        case CountsUnits(unit=unit):
            counts = f"{_subject('count', columns)} distinct {unit}, not rows."
            return f"{counts} Rows: count(*, {_PER_GROUP} => (0, 5))."
        case AddsUnits(unit=unit):
            return (
                f"Totals of {_listed(columns, 'and')} count each {unit} once for each group that they add up."
            )
        case WeighsUnits(unit=unit):
            return f"{_subject('give', columns)} each {unit} the same weight, whatever rows it has."
        case MostUnits(unit=unit):
            return f"{_subject('take', columns)} the value of most distinct {unit}, not of most rows."
        case MissesValues(unit=unit, most=most):
            lower = (
                f"{_listed(columns, 'and')} {'are lower estimates' if columns[1:] else 'is a lower estimate'}"
            )
            return f"{lower}: values that need more than l of one {unit} are missed, l at most {most:,}."
        case MissesGroups(unit=unit, most=most):
            counts = f"{_subject('count', columns)} each {unit} in at most m of its groups"
            return f"{counts}, m up to {most:,} chosen privately: the truth may be above."
        case ClampsValues(low=low, high=high):
            ends = f"values from {_text(low)} to {_text(high)}"
            return f"{_subject('take', columns)} {ends}; those beyond count as the nearer end."
        case DropsValues(size=size):
            return f"{_subject('choose', columns)} among {_plural(size, 'value')}; others are left out."
    assert_never(caveat)


def _of_single_numbers(
    caveat: NearExtreme | NearRank | NearlyCovers | NoiseAlone | DividesBounded | NoisierSets,
) -> str:
    columns = caveat.columns
    are = "are" if len(columns) > 1 else "is"
    match caveat:
        case NearExtreme(quantile=quantile):
            place = f"the {float(100 * quantile):g} % quantile"
            return f"{_listed(columns, 'and')} {are} {place}: a true extreme is one row's value."
        case NearRank(rank=rank):
            off = f"{are} off by at most {_plural(rank, 'unit')} in rank with probability 95 %"
            return f"{_listed(columns, 'and')} {off}, and never between two values."
        case NoiseAlone():
            ends = f"dp_low and dp_high of {_listed(columns, 'and')} are for noise alone"
            return f"{ends}: what bounds cut may lie far beyond them."
        case NoisierSets(times=times):
            shared = "as if one grouping set were asked alone, as all share epsilon"
            return f"{_listed(columns, 'and')} {are} up to {times:.1f} times as noisy {shared}."
        case NearlyCovers(population=population):
            of = f"The interval{'s' * (len(columns) > 1)} of {_listed(columns, 'and')}"
            whose = f"the quantile of the {'population' if population else 'table'}"
            about = "at about 95 % where values lie close together; that is measured, not proved."
            return f"{of} cover{'s' * (len(columns) == 1)} {whose} {about}"
        case DividesBounded(unit=unit, average=average):
            cut = f"numbers that are bounded for each {unit}, so it may be far from plain SQL's."
            return f"{_subject('divide', columns)} {cut}" + (f" Nearer: {average}." if average else "")
    assert_never(caveat)


def _of_groups(caveat: CutGroups | DropsRows | CountsEmpty | HidesRare | NoisyFilter) -> str:
    match caveat:
        case DropsRows(keys=keys, totals=totals):
            return f"Rows {_beside(keys)} are left out{', also of totals' if totals else ''}."
        case CountsEmpty(columns=columns):
            counts = f"{_subject('count', columns)} all groups of the domain, also those without rows."
            return f"{counts} HAVING in the subquery leaves out what is near 0."
        case HidesRare():
            return "Groups that few units have are left out."
        case NoisyFilter():
            return "Noise decides which groups near a limit of HAVING or QUALIFY are shown."
        case CutGroups(unit=unit, most=most, table=table):
            whose = f", the bound of {table}" if table else ""
            return (
                f"Each {unit} counts in at most {_plural(most, 'group')}{whose}, so numbers may be too low."
            )
    assert_never(caveat)


def _of_cut(
    caveat: CutRows | CapsWeights | CutValues | CutTotals | ClampsTotals, place: str, *, is_owner: bool
) -> Hint:
    match caveat:
        case CutRows(columns=columns, unit=unit, most=most):
            rows = f"at most {_plural(most, 'row')} of each {unit}{place}"
            return Hint.of(f"{_subject('take', columns)} {rows}; others are left out.")
        case CapsWeights(columns=columns, unit=unit, most=most):
            weigh = f"{_subject('weigh', columns)} all rows alike, those of one {unit}{place} together"
            return Hint.of(f"{weigh} as at most {_plural(most, 'row')}.")
        case CutValues(columns=columns, unit=unit, most=most, table=table):
            values = f"at most {_plural(most, 'value')} of each {unit}{place}"
            cut = f"{_subject('take', columns)} {values}, so the truth may be far above. "
            return Hint.of(cut, *_cure("To count more", BoundRows(table, 10 * most), is_owner=is_owner))
        case CutTotals(columns=columns, unit=unit, low=low, high=high, lowers=lowers):
            total = f"a total from {low:,.12g} to {high:,.12g} of each {unit}{place}"
            effect = "so the truth may be above" if lowers else "so the truth may be above or below"
            more = f"{_PER_GROUP} => (low, high) sets other bounds."
            return Hint.of(f"{_subject('take', columns)} {total}, {effect}. {more}")
        case ClampsTotals(columns=columns, unit=unit, counts=True):
            rows = f"rows, of each {unit}{place} up to a number that is chosen privately"
            more = f"{_PER_GROUP} => (0, 5) sets a bound."
            return Hint.of(f"{_subject('count', columns)} {rows}, so the truth may be above. {more}")
        case ClampsTotals(columns=columns, unit=unit, lowers=lowers):
            clamped = f"a total of each {unit}{place} up to a clamp that is chosen privately"
            effect = "so the truth may be above" if lowers else "so the truth may be above or below"
            more = f"{_PER_GROUP} => (low, high) sets bounds."
            return Hint.of(f"{_subject('take', columns)} {clamped}, {effect}. {more}")
    assert_never(caveat)


def _beside(keys: Sequence[PartialKey]) -> str:
    """Return in words which rows the domains of keys leave out."""
    kinds: dict[str, list[str]] = {}
    for key in keys:
        which = ["NULL"] * key.nulls + ["not in its domain"] * key.others
        kinds.setdefault(" or ".join(which), []).append(key.name)
    return ", or ".join(f"whose {_listed(names, 'or')} is {kind}" for kind, names in kinds.items())


def _of_nulls(nulls: Sequence[Nulls]) -> str:
    return " and ".join(f"of {one.table} whose {one.column} is NULL" for one in nulls)


def _text(bound: Bound) -> str:
    return f"{bound:,.12g}" if isinstance(bound, int | float | Decimal) else str(bound)


def _subject(verb: str, columns: Sequence[str]) -> str:
    """Return the columns with a verb in the present tense. Input: the verb's plural."""
    return f"{_listed(columns, 'and')} {verb}{'s' * (len(columns) == 1)}"


def _listed(words: Sequence[str], last: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _cure(when: str, statement: Action, *, is_owner: bool) -> tuple[str | Action, ...]:
    """Return the words for a statement of the owner, as said to the owner or to an analyst."""
    if is_owner:
        return f"{when}: ", statement, "."
    if isinstance(statement, BoundGroups):
        return f"{when}: ", SetGroups(statement.groups), "."
    return f"{when}, ", AskOwner(statement), "."
