"""Candidates whose scores stay in the engine: Python holds only the distinct scores.

There may be as many candidates as rows. The result has the same distribution as for `ListedGroups`: equal
scores are exchangeable, and a winner is a uniformly chosen member of the group of its score.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.arrow.arrays import array_of
from dpduck.arrow.columns import scores_of
from dpduck.engines import ScoreReader
from dpduck.query.plan import materialized_scores
from dpduck.query.tree.relations import SelectQuery
from dpduck.query.write.keys import KeySpace
from dpduck.release.absent_keys import groups_without_rows
from dpduck.release.candidates import Candidates, key_columns
from dpduck.release.domain_keys import Group
from dpduck.scores import GroupedScores

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
