"""Selections: which groups are shown. Each selection of a plan has one mechanism."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.kernel.arrow.arrays import array_of
from dpduck.kernel.arrow.columns import scores_of
from dpduck.kernel.engine import ScoreReader
from dpduck.kernel.errors import InternalError
from dpduck.kernel.mechanisms.additive import private_key_counts
from dpduck.kernel.mechanisms.clamped_topk import clamped_top_k
from dpduck.kernel.mechanisms.gaussian_keys import gaussian_key_counts
from dpduck.kernel.mechanisms.gaussian_topk import choose_top_k, gaussian_top_k
from dpduck.kernel.mechanisms.partitions import select_partitions
from dpduck.kernel.mechanisms.peeling import gumbel_top_k
from dpduck.kernel.mechanisms.private_topk import private_top_k
from dpduck.kernel.mechanisms.topk import top_k
from dpduck.kernel.mechanisms.topk_above import top_k_above
from dpduck.kernel.mechanisms.topk_counts import top_k_counts
from dpduck.kernel.noise import Entropy
from dpduck.kernel.plan import materialized_scores
from dpduck.kernel.plan.aggregates import ClampedSum
from dpduck.kernel.plan.keys import KeySpace
from dpduck.kernel.plan.model import RANK, EveryKey, FoundKeys, KeysAbove, LargestKeys, OneGroup, Plan
from dpduck.kernel.plan.prices import gaussian_split_of
from dpduck.kernel.release import domain_keys
from dpduck.kernel.release.absent_keys import groups_without_rows
from dpduck.kernel.release.candidates import Candidates, ListedGroups, key_columns, of_candidates
from dpduck.kernel.release.domain_keys import Group
from dpduck.kernel.release.leveled_totals import totals_of
from dpduck.kernel.release.release import Release
from dpduck.kernel.release.shown import Shown
from dpduck.kernel.scores import GroupedScores
from dpduck.kernel.tree.relations import SelectQuery


def select(plan: Plan, reader: ScoreReader, entropy: Entropy, made: Release) -> Shown:
    """The groups of a plan that are shown."""
    match plan.selection:
        case OneGroup():
            return Shown()
        case EveryKey():
            return Shown.every(plan.space)
        case LargestKeys(clamped=ClampedSum() as request) as ranked:
            return _largest_clamped(plan, ranked, request, reader, entropy, made)
    candidates = _candidates(plan, reader)
    match plan.selection:
        case LargestKeys() as selection if plan.space.is_known:
            return _largest(selection, candidates, entropy, made)
        case LargestKeys() as selection:
            return _largest_found(selection, candidates, entropy, made)
        case FoundKeys() as selection:
            return _found(selection, candidates, entropy, made)
        case KeysAbove() as selection:
            return _above(selection, candidates, entropy, made)
    raise InternalError("a selection of this kind has no mechanism")


def _candidates(plan: Plan, reader: ScoreReader) -> Candidates:
    scores = plan.selection.scores
    if scores is None:
        raise InternalError("a selection without scores has no candidates")
    if not plan.is_held:
        sums = isinstance(plan.selection, LargestKeys) and bool(plan.selection.spread)
        return ListedGroups(plan.space, reader.read(scores), sums=sums)
    reader.hold(scores)
    return MaterializedGroups(plan.space, reader)


def _largest(selection: LargestKeys, candidates: Candidates, entropy: Entropy, made: Release) -> Shown:
    scores = candidates.scores
    if selection.gaussian and selection.counted is None:
        shares, spread = (selection.epsilon, selection.delta), selection.spread or 1
        chosen = choose_top_k(scores, selection.k, *shares, entropy, spread=spread)
        made.add(chosen.event)
        numbers = chosen.candidates
    elif selection.counted is None:
        select = gumbel_top_k if selection.gumbel else top_k
        selected = select(scores, selection.k, selection.epsilon, entropy, spread=selection.spread or 1)
        made.add(selected.event)
        numbers = selected.candidates
    elif selection.gaussian:
        measured = gaussian_top_k(scores, gaussian_split_of(selection), entropy)
        made.add(measured.event)
        made.put_counts(selection.counted, measured.counts, measured.half_width)
        numbers = measured.candidates
    else:
        top = top_k_counts(scores, selection.k, selection.epsilon, entropy, groups=selection.groups)
        made.add(top.event)
        made.put_ranked(selection.counted, top)
        numbers = top.candidates
    return _ranked(candidates, numbers, made)


def _largest_clamped(
    plan: Plan,
    selection: LargestKeys,
    request: ClampedSum,
    reader: ScoreReader,
    entropy: Entropy,
    made: Release,
) -> Shown:
    """Choose a clamp, and the groups with the largest sums of totals that are clamped to it."""
    if selection.scores is None:
        raise InternalError("a selection without scores has no candidates")
    table = of_candidates(plan.space, reader.read(selection.scores))
    owners = domain_keys.places_of(plan.space, key_columns(plan.keys, table))
    totals = totals_of(domain_keys.size_of(plan.space), owners, table, request)
    parts = selection.k, selection.epsilon
    top = clamped_top_k(
        totals, request.steps, *parts, entropy, spread=selection.spread, gumbel=selection.gumbel
    )
    made.add(top.event)
    made.columns[RANK] = np.arange(1, selection.k + 1)
    chosen = array_of(np.array(top.candidates, dtype=np.int64))
    return Shown.ranked([column.take(chosen) for column in domain_keys.all_groups(plan.space)])


def _largest_found(selection: LargestKeys, candidates: Candidates, entropy: Entropy, made: Release) -> Shown:
    top = private_top_k(
        candidates.scores,
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
    return _ranked(candidates, top.candidates, made)


def _found(selection: FoundKeys, candidates: Candidates, entropy: Entropy, made: Release) -> Shown:
    groups, counts = selection.groups, candidates.scores
    if groups is None:
        raise InternalError("a selection of found keys needs a bound on groups")
    if selection.counted is None:
        chosen = select_partitions(counts, selection.epsilon, selection.delta, entropy, groups=groups)
        made.add(chosen.event)
        return Shown.by_key(candidates.keys(chosen.candidates))[0]
    release_counts = gaussian_key_counts if selection.gaussian else private_key_counts
    shown = release_counts(counts, selection.epsilon, selection.delta, entropy, groups=groups)
    made.add(shown.event)
    keys = candidates.keys(shown.candidates)
    found, noisy = Shown.by_key(keys, np.array(shown.counts, dtype=np.int64))
    made.put_counts(selection.counted, noisy, shown.half_width)
    return found


def _above(selection: KeysAbove, candidates: Candidates, entropy: Entropy, made: Release) -> Shown:
    top = top_k_above(
        candidates.scores,
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
    return _ranked(candidates, top.candidates, made)


def _ranked(candidates: Candidates, numbers: Sequence[int], made: Release) -> Shown:
    made.columns[RANK] = np.arange(1, len(numbers) + 1)
    return Shown.ranked(candidates.keys(numbers))


# Candidates whose scores stay in the engine: Python holds only the distinct scores.
#
# There may be as many candidates as rows. The result has the same distribution as for `ListedGroups`: equal
# scores are exchangeable, and a winner is a uniformly chosen member of the group of its score.


Integers = NDArray[np.int64]

_MANY = 1 << 16  # with more members of one score, they are not sorted to be numbered


class MaterializedGroups(Candidates):
    """Candidates whose groups with rows are materialized in the engine: their keys, and `score`."""

    def __init__(self, space: KeySpace, reader: ScoreReader) -> None:
        self._reader = reader
        table = reader.read(materialized_scores.sizes())
        scores, sizes = (scores_of(table.column(name).combine_chunks(), name) for name in ("score", "size"))
        order = np.argsort(scores)
        self._scores, self._sizes = scores[order], sizes[order]
        self._ends = np.cumsum(self._sizes)
        super().__init__(space, int(self._sizes.sum()))

    @property
    def scores(self) -> GroupedScores:
        if not self._missing:
            return GroupedScores(self._scores, self._sizes)
        return GroupedScores(np.append(self._scores, 0), np.append(self._sizes, self._missing))

    def _found(self, numbers: Integers) -> list[pa.Array]:
        group = np.searchsorted(self._ends, numbers, side="right")
        score, rank = self._scores[group], numbers - (self._ends - self._sizes)[group]
        many = self._sizes[group] > _MANY
        tables = [self._read(materialized_scores.members(self._space.keys), score[~many], rank[~many])]
        for one in np.unique(score[many]):
            alone = score == one
            tables.append(
                self._read(
                    materialized_scores.members_of(self._space.keys, int(one)), score[alone], rank[alone]
                )
            )
        table = pa.concat_tables(tables)
        return _in_order(key_columns(self._space.keys, table), table, score, rank)

    def _read(self, query: SelectQuery, scores: Integers, ranks: Integers) -> pa.Table:
        return self._reader.read(query, pa.table({"score": array_of(scores), "rank": array_of(ranks)}))

    def _without_rows(self, ranks: Sequence[int]) -> list[Group]:
        return groups_without_rows(self._space, self._reader, ranks)


def _in_order(columns: list[pa.Array], table: pa.Table, score: Integers, rank: Integers) -> list[pa.Array]:
    """Sort rows of known score and rank into the order of the given scores and ranks."""
    found = [scores_of(table.column(name).combine_chunks(), name) for name in ("rank", "score")]
    order = np.empty(len(score), dtype=np.int64)
    order[np.lexsort((rank, score))] = np.lexsort(found)
    return [column.take(array_of(order)) for column in columns]
