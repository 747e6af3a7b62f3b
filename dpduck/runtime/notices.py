"""Notices of private answers, in words: the caveats of the plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from dpduck.errors.advice import Action, AskOwner, BoundGroups, BoundRows, Hint
from dpduck.query.plan.caveats import (
    Caveat,
    CountsUnits,
    CutGroups,
    CutRows,
    CutTotals,
    CutValues,
    ManyGroups,
    MostUnits,
    WeighsUnits,
    caveats,
)
from dpduck.query.plan.model import Plan

_PER_GROUP = "contribution_bounds_per_group"


def of_plan(plan: Plan, *, is_owner: bool) -> tuple[Hint, ...]:
    """Return a notice for each caveat of a plan. Only an owner is told to change a policy."""
    place = " and group" if plan.keys else ""
    return tuple(_words(caveat, place, is_owner=is_owner) for caveat in caveats(plan))


def _words(caveat: Caveat, place: str, *, is_owner: bool) -> Hint:
    match caveat:
        case CountsUnits(columns=columns, unit=unit):
            counts = f"{_subject('count', columns)} distinct {unit}, not rows."
            return Hint.of(f"{counts} Rows: count(*, {_PER_GROUP} => (0, 5)).")
        case WeighsUnits(columns=columns, unit=unit):
            return Hint.of(f"{_subject('give', columns)} each {unit} the same weight, whatever rows it has.")
        case MostUnits(columns=columns, unit=unit):
            return Hint.of(
                f"{_subject('take', columns)} the value of most distinct {unit}, not of most rows."
            )
        case CutRows() | CutValues() | CutTotals():
            return _of_cut(caveat, place, is_owner=is_owner)
        case CutGroups(unit=unit, most=most):
            return Hint.of(
                f"Each {unit} counts in at most {_plural(most, 'group')}, so numbers may be too low."
            )
        case ManyGroups(table=table, unit=unit, groups=groups):
            wide = f"Noise is {groups:,} times as wide because one {unit} may be in {groups:,} groups. "
            return Hint.of(
                wide, *_cure(f"If each {unit} has one row", BoundGroups(table, 1), is_owner=is_owner)
            )
    assert_never(caveat)


def _of_cut(caveat: CutRows | CutValues | CutTotals, place: str, *, is_owner: bool) -> Hint:
    match caveat:
        case CutRows(columns=columns, unit=unit, most=most):
            rows = f"at most {_plural(most, 'row')} of each {unit}{place}"
            return Hint.of(f"{_subject('take', columns)} {rows}; others are left out.")
        case CutValues(columns=columns, unit=unit, most=most, table=table):
            values = f"at most {_plural(most, 'value')} of each {unit}{place}"
            cut = f"{_subject('take', columns)} {values}, so the truth may be far above. "
            return Hint.of(cut, *_cure("To count more", BoundRows(table, 10 * most), is_owner=is_owner))
        case CutTotals(columns=columns, unit=unit, low=low, high=high, lowers=lowers):
            total = f"a total from {low:,.12g} to {high:,.12g} of each {unit}{place}"
            effect = "so the truth may be above" if lowers else "so the truth may be above or below"
            more = f"{_PER_GROUP} => (low, high) sets other bounds."
            return Hint.of(f"{_subject('take', columns)} {total}, {effect}. {more}")
    assert_never(caveat)


def _subject(verb: str, columns: Sequence[str]) -> str:
    """Return the columns with a verb in the present tense. Input: the verb's plural."""
    if len(columns) == 1:
        return f"{columns[0]} {verb}s"
    return f"{', '.join(columns[:-1])} and {columns[-1]} {verb}"


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _cure(when: str, statement: Action, *, is_owner: bool) -> tuple[str | Action, ...]:
    """Return the words for a statement of the owner, as said to the owner or to an analyst."""
    return (f"{when}: ", statement, ".") if is_owner else (f"{when}, ", AskOwner(statement), ".")
