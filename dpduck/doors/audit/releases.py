"""The law of releases: those of two neighbours may differ only in their groups and in numbers.

The order of the rows, their number if it is public, which values are NULL and what is given back of the
charge must follow from the released rows themselves, or from public facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from dpduck.kernel.arrow.strings import text_rows
from dpduck.kernel.plan.aggregates import Mode, Moments
from dpduck.kernel.plan.keys import key_column
from dpduck.kernel.plan.model import EveryKey, FoundKeys, KeysAbove, LargestKeys, OneGroup, Plan
from dpduck.kernel.release import Release

Row = tuple[str | None, ...]


@dataclass(frozen=True)
class Breach:
    """A violation seen at a neighbour. `kind` contains no private value; `quoted`, the rest, may."""

    kind: str
    quoted: str = ""

    def __str__(self) -> str:
        return self.kind + self.quoted


def difference(plan: Plan, one: Release, two: Release) -> Breach | None:
    """The first difference of two releases of one plan beyond what is allowed, or None."""
    if one.event != two.event:
        return Breach(f"the event is {one.event} and {two.event}")
    before, after = rows_of(plan, one), rows_of(plan, two)
    return (
        _in_size(plan, before, after)
        or _in_order(plan, one, two, before, after)
        or _in_nulls(plan, before, after)
        or _in_refund(one, two, same=before == after)
    )


def rows_of(plan: Plan, made: Release) -> list[Row]:
    """The released rows as text: all keys, whether the query shows them or not, then the other columns."""
    names = [key_column(i) for i in range(len(plan.keys))]
    names += [column.name for column in plan.columns if column.name not in names]
    return list(text_rows(made.table(names)))


def _in_size(plan: Plan, before: Sequence[Row], after: Sequence[Row]) -> Breach | None:
    if len(before) == len(after) or _may_be_any_number(plan):
        return None
    return Breach(f"there are {len(before)} and {len(after)} rows")


def _may_be_any_number(plan: Plan) -> bool:
    """Whether the number of groups is itself released."""
    match plan.selection:
        case FoundKeys() | KeysAbove():
            return True
        case LargestKeys():
            return any(key.domain is None for key in plan.keys)
    return False


def _in_order(
    plan: Plan, one: Release, two: Release, before: Sequence[Row], after: Sequence[Row]
) -> Breach | None:
    """Ranked rows are in the order of their noise; the order of all others must follow from the keys."""
    if isinstance(plan.selection, (LargestKeys, KeysAbove, OneGroup)):
        return None
    width = len(plan.keys)
    first, then = ([row[:width] for row in rows] for rows in (before, after))
    if len(set(first)) < len(first) or len(set(then)) < len(then):
        return Breach("a group is there twice")
    if isinstance(plan.selection, FoundKeys) and not (_is_sorted(plan, one) and _is_sorted(plan, two)):
        return Breach("groups are not in the order of their keys")
    common = set(first) & set(then)
    first, then = ([key for key in keys if key in common] for keys in (first, then))
    if first == then:
        return None
    place = next(i for i, (a, b) in enumerate(zip(first, then, strict=True)) if a != b)
    where = f": at {place + 1} there are {first[place]} and {then[place]}"
    return Breach("the order of the same groups differs", where)


def _is_sorted(plan: Plan, made: Release) -> bool:
    """Whether groups are in ascending order of keys, NULL last."""
    names = [key_column(i) for i in range(len(plan.keys))]
    keys = pa.table([made.columns[name] for name in names], names)
    order = pc.sort_indices(keys, sort_keys=[(name, "ascending") for name in names])
    return bool(order.to_pylist() == list(range(keys.num_rows)))


def _in_nulls(plan: Plan, before: Sequence[Row], after: Sequence[Row]) -> Breach | None:
    """Compare which values are NULL, for the groups that both have."""
    if not isinstance(plan.selection, (EveryKey, OneGroup, FoundKeys)):
        return None
    width, free = len(plan.keys), _may_be_null(plan)
    names = [column.name for column in plan.columns if column.name not in set(map(key_column, range(width)))]
    then = {row[:width]: row[width:] for row in after}
    for row in before:
        for name, a, b in zip(names, row[width:], then.get(row[:width], row[width:]), strict=True):
            if (a is None) != (b is None) and name.partition("_")[0] not in free:
                return Breach(name, f" of {row[:width]} is NULL on one side")
    return None


def _may_be_null(plan: Plan) -> frozenset[str]:
    """The columns that may be NULL by noise: their ends and other parts begin with the same name.

    A mechanism itself decides whether there is a mode; noisy sums decide whether a statistic of moments
    is a number, since it is computed from them and public spans alone (see `release.measures`).
    """
    return frozenset(
        measure.request.column
        for measure in plan.measures
        if isinstance(measure.request, Moments)
        or (isinstance(measure.request, Mode) and measure.request.key.domain is None)
    )


def _in_refund(one: Release, two: Release, *, same: bool) -> Breach | None:
    if same and one.used != two.used:
        return Breach(f"of the same rows {one.used} and {two.used} was used")
    return None
