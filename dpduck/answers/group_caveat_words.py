"""The caveats of rows and groups in words: in one short sentence, in full, and what to ask instead."""

from __future__ import annotations

from collections.abc import Sequence

from dpduck.answers.caveat_words import (
    OMITTED,
    NoticeContext,
    Words,
    enumerated,
    listed,
    plural,
    short_list,
    subject,
    told_cure,
)
from dpduck.compiler.block.asks_beside import notice_of
from dpduck.compiler.planner.noises import may_be_gaussian
from dpduck.kernel.errors.advice import Action, BoundGroups, Hint, SetGroups, SetTo
from dpduck.kernel.plan.caveat_kinds import (
    CountsEmpty,
    CutGroups,
    DropsLines,
    DropsNullUnits,
    DropsRows,
    HidesRare,
    IgnoresNulls,
    ManyGroups,
    NoisyFilter,
)
from dpduck.kernel.plan.model import AsksBeside, Nulls

COUNTS_EMPTY = "Counts empty groups"
_FEW_GROUPS = 5  # of a bound that hints name
_OF_GAUSSIAN = 12  # groups from which Gaussian noise of a usual delta is surely less
_MEETS_SEVERAL = (
    "Its one row may meet several of a public table; a PRIMARY KEY or UNIQUE of the columns by which that is "
    "joined says that it meets one."
)


def of_comparison(caveats: Sequence[AsksBeside], context: NoticeContext) -> Words:  # noqa: ARG001
    notice = notice_of(caveats[0])
    return Words(notice.sentence, notice.detail)


def of_dropped_rows(caveats: Sequence[DropsRows], context: NoticeContext) -> Words:  # noqa: ARG001
    [caveat] = caveats
    kinds: dict[tuple[bool, bool], list[str]] = {}
    for key in caveat.keys:
        kinds.setdefault((key.nulls, key.others), []).append(key.name)
    short = (
        f"{'undeclared' if others else 'NULL'} {enumerated(names)}" for (_, others), names in kinds.items()
    )
    whole = f"Rows {_beside(kinds)} are left out{', also of totals' if caveat.totals else ''}."
    return Words(f"{OMITTED}: {'; '.join(short)}.", whole, lead=OMITTED)


def _beside(kinds: dict[tuple[bool, bool], list[str]]) -> str:
    """Return in words which rows the domains of keys leave out."""
    said = []
    for (nulls, others), names in kinds.items():
        kind = " or ".join(["NULL"] * nulls + ["not in its domain"] * others)
        said.append(f"whose {listed(names, 'or')} is {kind}")
    return ", or ".join(said)


def of_null_units(caveats: Sequence[DropsNullUnits], context: NoticeContext) -> Words:  # noqa: ARG001
    [caveat] = caveats
    short = ", ".join(dict.fromkeys(one.column for one in caveat.nulls))
    return Words(
        f"{OMITTED}: NULL {short}.", f"Rows {_of_nulls(caveat.nulls)} are not counted.", lead=OMITTED
    )


def of_dropped_lines(caveats: Sequence[DropsLines], context: NoticeContext) -> Words:  # noqa: ARG001
    tables = [one.table for one in caveats]
    whole = [
        f"Lines of {one.table} that are not {plural(one.values, 'value')} in UTF-8 are left out"
        for one in caveats
    ]
    detail = f"{'; '.join(whole)}; a value that is not of its column's type is NULL."
    return Words(f"{OMITTED}: unreadable lines of {short_list(tables)}.", detail, lead=OMITTED)


def of_ignored_nulls(caveats: Sequence[IgnoresNulls], context: NoticeContext) -> Words:  # noqa: ARG001
    [caveat] = caveats
    short = ", ".join(dict.fromkeys(f"{one.table}.{one.column}" for one in caveat.nulls))
    return Words(f"NOT IN ignores NULL in {short}.", f"NOT IN ignores rows {_of_nulls(caveat.nulls)}.")


def of_empty_groups(caveats: Sequence[CountsEmpty], context: NoticeContext) -> Words:  # noqa: ARG001
    [caveat] = caveats
    counts = f"{subject('count', caveat.columns)} all groups of the domain, also those without rows."
    short = f"{COUNTS_EMPTY}: {enumerated(caveat.columns)}."
    return Words(short, counts, Hint.of("HAVING in the subquery leaves out what is near 0."), COUNTS_EMPTY)


def of_rare_groups(caveats: Sequence[HidesRare], context: NoticeContext) -> Words:  # noqa: ARG001
    return Words(
        f"{OMITTED}: groups that few units have.", "Groups that few units have are left out.", lead=OMITTED
    )


def of_noisy_filter(caveats: Sequence[NoisyFilter], context: NoticeContext) -> Words:  # noqa: ARG001
    whole = "Noise decides which groups near a limit of HAVING or QUALIFY are shown."
    return Words("Noise decides near a limit.", whole)


def of_cut_groups(caveats: Sequence[CutGroups], context: NoticeContext) -> Words:  # noqa: ARG001
    [caveat] = caveats
    bound = f"Each {caveat.unit} counts in at most {plural(caveat.most, 'group')}"
    whose = f", the bound of {caveat.table}" if caveat.table else ""
    return Words(f"{bound}.", f"{bound}{whose}, so counts and sums may be too low.")


def of_many_groups(caveats: Sequence[ManyGroups], context: NoticeContext) -> Words:
    [caveat] = caveats
    unit, groups = caveat.unit, caveat.groups
    wide = f"Noise is {caveat.times:,} times as wide"
    short = f"{wide} for want of a bound."
    whole = f"{wide} because one {unit} may be in {groups:,} groups."
    choice: tuple[str | Action, ...] = ()
    if caveat.can_choose:
        choice = " ", SetGroups("private"), " has a smaller number chosen for counts, if few are in more."
    if caveat.table is None:
        return Words(short, f"{whole} {_MEETS_SEVERAL}", Hint.of(*choice[1:]))
    one_row = told_cure(
        f"If each {unit} has one row", BoundGroups(caveat.table, 1), is_owner=context.is_owner
    )
    return Words(short, whole, Hint.of(*one_row, *_with_fewer_groups(caveat, context), *choice))


def _with_fewer_groups(caveat: ManyGroups, context: NoticeContext) -> tuple[str | Action, ...]:
    """Return what else makes noise less where each unit may be in many groups."""
    ways: list[str | Action] = []
    if caveat.groups > _FEW_GROUPS:
        ways += [" Otherwise group by fewer or coarser keys, or ", SetGroups(_FEW_GROUPS)]
        ways += [f", which leaves out what one {caveat.unit} has in more groups."]
    measures = context.plan.measures
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


def _of_nulls(nulls: Sequence[Nulls]) -> str:
    return " and ".join(f"of {one.table} whose {one.column} is NULL" for one in nulls)
