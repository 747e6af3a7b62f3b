"""Which groups there are: each selection of a plan has one mechanism."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.candidates import Candidates, Group, candidates_of
from dpduck.columns import scores_of
from dpduck.engines import Reader
from dpduck.errors import InternalError
from dpduck.mechanisms.additive import private_key_counts
from dpduck.mechanisms.partitions import select_partitions
from dpduck.mechanisms.peeling import gumbel_top_k
from dpduck.mechanisms.private_topk import private_top_k
from dpduck.mechanisms.topk import top_k
from dpduck.mechanisms.topk_above import top_k_above
from dpduck.mechanisms.topk_counts import top_k_counts
from dpduck.noise import Entropy
from dpduck.query.plan import (
    RANK,
    EveryKey,
    FoundKeys,
    KeysAbove,
    LargestKeys,
    OneGroup,
    Plan,
)
from dpduck.release.made import Release

Integers = NDArray[np.int64]


def select(plan: Plan, reader: Reader, entropy: Entropy, made: Release) -> list[Group]:
    match plan.selection:
        case OneGroup():
            return [()]
        case EveryKey():
            every = candidates_of(plan.keys, pa.table({key.name: [] for key in plan.keys}))
            return [every.at(place) for place in range(every.size)]
    scores = reader.read(plan.selection.score_sql)
    candidates = candidates_of(plan.keys, scores)
    counts = scores_of(scores.column("score").combine_chunks(), "score")
    known = all(key.domain is not None for key in plan.keys)
    match plan.selection:
        case LargestKeys() as selection if known:
            return _largest(selection, candidates, counts, entropy, made)
        case LargestKeys() as selection:
            return _largest_found(selection, candidates, counts, entropy, made)
        case FoundKeys() as selection:
            return _found(selection, candidates, counts, entropy, made)
        case KeysAbove() as selection:
            return _above(selection, candidates, counts, entropy, made)
    raise InternalError("a selection of this kind has no mechanism")


def _largest(
    selection: LargestKeys, candidates: Candidates, counts: Integers, entropy: Entropy, made: Release
) -> list[Group]:
    scores = candidates.scores(counts)
    if selection.counted is None:
        select = gumbel_top_k if selection.gumbel else top_k
        selected = select(scores, selection.k, selection.epsilon, entropy)
        made.add(selected.event)
        numbers = selected.candidates
    else:
        top = top_k_counts(scores, selection.k, selection.epsilon, entropy, groups=selection.groups)
        made.add(top.event)
        made.put_ranked(selection.counted, top)
        numbers = top.candidates
    made.columns[RANK] = list(range(1, len(numbers) + 1))
    return [candidates.value(number) for number in numbers]


def _largest_found(
    selection: LargestKeys, candidates: Candidates, counts: Integers, entropy: Entropy, made: Release
) -> list[Group]:
    top = private_top_k(
        counts,
        selection.k,
        selection.epsilon,
        selection.delta,
        entropy,
        groups=selection.groups,
        measure=selection.counted is not None,
    )
    made.add(top.event)
    if selection.counted is not None:
        made.put_ranked(selection.counted, top)
    made.columns[RANK] = list(range(1, len(top.candidates) + 1))
    return [candidates.value(number) for number in top.candidates]


def _found(
    selection: FoundKeys, candidates: Candidates, counts: Integers, entropy: Entropy, made: Release
) -> list[Group]:
    groups = selection.groups
    if groups is None:
        raise InternalError("a selection of found keys needs a bound on groups")
    if selection.counted is None:
        chosen = select_partitions(counts, selection.epsilon, selection.delta, entropy, groups=groups)
        made.add(chosen.event)
        return [candidates.value(number) for number in chosen.candidates]
    shown = private_key_counts(counts, selection.epsilon, selection.delta, entropy, groups=groups)
    made.add(shown.event)
    made.put_counts(selection.counted, shown.counts, -shown.half_width, shown.half_width)
    return [candidates.value(number) for number in shown.candidates]


def _above(
    selection: KeysAbove, candidates: Candidates, counts: Integers, entropy: Entropy, made: Release
) -> list[Group]:
    top = top_k_above(
        candidates.scores(counts),
        selection.threshold,
        selection.k,
        selection.epsilon,
        entropy,
        measure=selection.counted is not None,
        groups=selection.groups,
    )
    made.add(top.event, top.used)
    if selection.counted is not None:
        made.put_ranked(selection.counted, top)
    made.columns[RANK] = list(range(1, len(top.candidates) + 1))
    return [candidates.value(number) for number in top.candidates]
