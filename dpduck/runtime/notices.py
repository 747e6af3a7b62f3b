"""Notices of private answers: one for each idea, in the order of their importance.

Several caveats of one kind, such as those of two columns with different bounds, are folded into one notice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dpduck.errors.advice import Hint
from dpduck.query.plan import caveat_kinds as said
from dpduck.query.plan.caveat_kinds import Caveat
from dpduck.query.plan.caveats import caveats
from dpduck.query.plan.model import AsksBeside, Plan
from dpduck.runtime.caveat_words import Told, words

# What a reader needs first: that a question may be mistyped; that a number may be far from the truth; that it
# is of something else than rows; what its interval covers; what is left out; what makes noise wide.
_BY_IMPORTANCE: tuple[tuple[type[Caveat], ...], ...] = (
    (AsksBeside,),
    (
        said.ClampsTotals,
        said.MissesValues,
        said.MissesGroups,
        said.CutTotals,
        said.CutRows,
        said.CutValues,
        said.CapsWeights,
        said.CutGroups,
        said.DividesBounded,
    ),
    (
        said.CountsUnits,
        said.AddsUnits,
        said.WeighsUnits,
        said.MostUnits,
        said.NearExtreme,
        said.NeedsValues,
        said.ClampsValues,
        said.CountsNulls,
        said.DropsValues,
    ),
    (said.OfTableAlone, said.NoiseAlone, said.NearlyCovers, said.NearRank),
    (
        said.DropsRows,
        said.DropsNullUnits,
        said.DropsLines,
        said.IgnoresNulls,
        said.HidesRare,
        said.CountsEmpty,
        said.NoisyFilter,
    ),
    (said.LacksChoice, said.LacksGaps, said.ManyGroups, said.NoisierSets),
)
_PLACES: Mapping[type[Caveat], int] = {
    kind: place for place, kinds in enumerate(_BY_IMPORTANCE) for kind in kinds
}
_APART = (AsksBeside, said.CutValues, said.ManyGroups)  # each has advice of its own


def of_blocks(
    blocks: Sequence[Plan], *, is_owner: bool, chosen: Sequence[Mapping[str, float]] = ()
) -> tuple[Hint, ...]:
    """Return the notices of an answer. Only an owner is told to change a policy.

    Input: `chosen`: for each block what was chosen privately, by the names of columns: a clamp, a number of
        groups or of values; empty if nothing is chosen yet.
    """
    found = [
        (_PLACES[type(kind[0])], words(kind, Told(block, numbers, is_owner=is_owner)))
        for block, numbers in zip(blocks, chosen or [{}] * len(blocks), strict=True)
        for kind in _kinds(caveats(block))
    ]
    return tuple(dict.fromkeys(hint for _, hint in sorted(found, key=lambda one: one[0])))


def _kinds(found: Sequence[Caveat]) -> list[list[Caveat]]:
    """Return caveats of one kind together, in the order of the first of each."""
    kinds: dict[object, list[Caveat]] = {}
    for caveat in found:
        kinds.setdefault(caveat if isinstance(caveat, _APART) else type(caveat), []).append(caveat)
    return list(kinds.values())
