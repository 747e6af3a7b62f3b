"""Notices of private answers: the caveats of a plan, each kind with its rank and its words, in one tuple.

Its order is that in which they are said. Several caveats of one kind, such as those of two columns with
different bounds, are folded into one notice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dpduck.answers import caveat_words as numbers
from dpduck.answers import group_caveat_words as groups
from dpduck.answers.caveat_words import CLAMPED, NoticeContext, Words, shared
from dpduck.kernel.errors.notices import Notice, Rank
from dpduck.kernel.plan import caveat_kinds as kinds
from dpduck.kernel.plan.caveat_kinds import Caveat
from dpduck.kernel.plan.caveats import caveats
from dpduck.kernel.plan.model import AsksBeside, Plan

_MEANING, _UNCERTAIN, _ADVICE = Rank.MEANING, Rank.UNCERTAIN, Rank.ADVICE


@dataclass(frozen=True)
class SaidCaveat:
    """How caveats of a kind are said. `apart`: each in a notice of its own, as it has advice of its own."""

    kind: type[Caveat]
    rank: Rank
    write: Callable[[Sequence[Any], NoticeContext], Words]
    apart: bool = False


# What a reader needs first: that a question may be mistyped; that a number may be far from the truth; that it
# is of something else than rows; what is left out; what its interval covers; what makes noise wide.
CAVEATS: tuple[SaidCaveat, ...] = (
    SaidCaveat(AsksBeside, _MEANING, groups.of_comparison, apart=True),
    SaidCaveat(kinds.ClampsTotals, _MEANING, numbers.of_clamps),
    SaidCaveat(kinds.MissesValues, _MEANING, shared(numbers.of_missed_values)),
    SaidCaveat(kinds.MissesGroups, _MEANING, shared(numbers.of_missed_groups)),
    SaidCaveat(kinds.CutTotals, _MEANING, shared(numbers.of_cut_totals, CLAMPED)),
    SaidCaveat(kinds.CutRows, _MEANING, numbers.of_cut_rows),
    SaidCaveat(kinds.CutValues, _MEANING, numbers.of_cut_values, apart=True),
    SaidCaveat(kinds.CapsWeights, _MEANING, shared(numbers.of_capped_weights)),
    SaidCaveat(kinds.CutGroups, _MEANING, groups.of_cut_groups),
    SaidCaveat(kinds.DividesBounded, _MEANING, numbers.of_quotients),
    SaidCaveat(kinds.CountsUnits, _MEANING, numbers.of_units),
    SaidCaveat(kinds.AddsUnits, _MEANING, shared(numbers.of_added_units)),
    SaidCaveat(kinds.WeighsUnits, _MEANING, shared(numbers.of_weighed_units)),
    SaidCaveat(kinds.MostUnits, _MEANING, shared(numbers.of_most_units)),
    SaidCaveat(kinds.NearExtreme, _MEANING, shared(numbers.of_extremes)),
    SaidCaveat(kinds.NeedsValues, _MEANING, shared(numbers.of_needed_values)),
    SaidCaveat(kinds.ClampsValues, _MEANING, shared(numbers.of_clamped_values, CLAMPED)),
    SaidCaveat(kinds.CountsNulls, _MEANING, shared(numbers.of_counted_nulls)),
    SaidCaveat(kinds.DropsValues, _MEANING, shared(numbers.of_dropped_values)),
    SaidCaveat(kinds.OfTableAlone, _UNCERTAIN, numbers.of_table),
    SaidCaveat(kinds.NoiseAlone, _UNCERTAIN, shared(numbers.of_ends_of_noise)),
    SaidCaveat(kinds.NearlyCovers, _UNCERTAIN, shared(numbers.of_coverage)),
    SaidCaveat(kinds.NearRank, _UNCERTAIN, shared(numbers.of_ranks)),
    SaidCaveat(kinds.DropsRows, _MEANING, groups.of_dropped_rows),
    SaidCaveat(kinds.DropsNullUnits, _MEANING, groups.of_null_units),
    SaidCaveat(kinds.DropsLines, _MEANING, groups.of_dropped_lines),
    SaidCaveat(kinds.IgnoresNulls, _MEANING, groups.of_ignored_nulls),
    SaidCaveat(kinds.HidesRare, _MEANING, groups.of_rare_groups),
    SaidCaveat(kinds.CountsEmpty, _MEANING, groups.of_empty_groups),
    SaidCaveat(kinds.NoisyFilter, _UNCERTAIN, groups.of_noisy_filter),
    SaidCaveat(kinds.LacksChoice, _UNCERTAIN, numbers.of_no_choice),
    SaidCaveat(kinds.LacksGaps, _UNCERTAIN, shared(numbers.of_gaps)),
    SaidCaveat(kinds.ManyGroups, _ADVICE, groups.of_many_groups, apart=True),
    SaidCaveat(kinds.NoisierSets, _ADVICE, shared(numbers.of_noisier_sets)),
)
_PLACES: Mapping[type[Caveat], int] = {said.kind: place for place, said in enumerate(CAVEATS)}


def of_blocks(
    blocks: Sequence[Plan], *, is_owner: bool, chosen: Sequence[Mapping[str, float]] = ()
) -> tuple[Notice, ...]:
    """Return the notices of an answer. Only an owner is told to change a policy.

    Input: `chosen`: for each block what was chosen privately, by the names of columns: a clamp, a number of
        groups or of values; empty if nothing is chosen yet.
    """
    found = [
        (place, of_kind(CAVEATS[place], alike, NoticeContext(block, numbers, is_owner)))
        for block, numbers in zip(blocks, chosen or [{}] * len(blocks), strict=True)
        for place, alike in _by_kind(list(_true_of(caveats(block), numbers)))
    ]
    return tuple(dict.fromkeys(notice for _, notice in sorted(found, key=lambda one: one[0])))


def _true_of(found: Iterable[Caveat], chosen: Mapping[str, float]) -> Iterator[Caveat]:
    """Yield the caveats that hold for what was chosen: in all of its groups each unit counts as it is."""
    for caveat in found:
        if not isinstance(caveat, kinds.MissesGroups):
            yield caveat
            continue
        columns = tuple(name for name in caveat.columns if chosen.get(name, 0) < caveat.most)
        if columns:
            yield replace(caveat, columns=columns)


def of_kind(said: SaidCaveat, alike: Sequence[Caveat], context: NoticeContext) -> Notice:
    """Return caveats of one kind as a notice."""
    return Notice(said.rank, *said.write(alike, context))


def _by_kind(found: Sequence[Caveat]) -> list[tuple[int, list[Caveat]]]:
    """Return caveats of one kind together, with the place of the kind, in the order of the first of each."""
    alike: dict[object, list[Caveat]] = {}
    for caveat in found:
        is_apart = CAVEATS[_PLACES[type(caveat)]].apart
        alike.setdefault(caveat if is_apart else type(caveat), []).append(caveat)
    return [(_PLACES[type(kind[0])], kind) for kind in alike.values()]
