"""Releases the tables of a summary, or its residuals, from its scores. It runs below the data line.

The scores are the numbers of rows in the cells that have any, in whatever order an engine returns them; each
table adds them up to a vector of all its public cells, in the order of domains, so that nothing that leaves
here depends on the engine's order.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.arrow.columns import scores_of
from dpduck.mechanisms.additive import noisy_counts
from dpduck.mechanisms.gaussian import gaussian_counts
from dpduck.noise import Entropy
from dpduck.release.candidates import key_columns
from dpduck.release.domain_keys import numbers_of
from dpduck.summaries.design import Design
from dpduck.summaries.residuals import Columns, size_of
from dpduck.summaries.strategies import measured

Integers = NDArray[np.int64]


def noisy_tables(scores: pa.Table, design: Design, entropy: Entropy) -> dict[Columns, Integers]:
    """What a design measures, with its noise, each an array with an axis for each of its columns."""
    return noised(tables_of(scores, design), design, entropy)


def noised(tables: Mapping[Columns, Integers], design: Design, entropy: Entropy) -> dict[Columns, Integers]:
    """The same from the tables without noise."""
    found = {}
    for table in design.tables:
        if design.gaussian is not None:
            exact = measured(tables[table], table, design.strategies)
            noisy = gaussian_counts(exact.reshape(-1), design.normal[table], entropy)
        else:
            exact, share = tables[table], design.shares[table]
            noisy = noisy_counts(exact.reshape(-1), share, entropy, groups=1, rows=design.bound).counts
        found[table] = noisy.reshape(exact.shape)
    return found


def tables_of(scores: pa.Table, design: Design) -> Mapping[Columns, Integers]:
    """The tables of a design without noise."""
    keys = [column.key for column in design.rows.columns]
    places = [numbers_of(key, column) for key, column in zip(keys, key_columns(keys, scores), strict=True)]
    counts = scores_of(scores.column("score").combine_chunks(), "score")
    found = {}
    for table in design.tables:
        shape = [design.sizes[column] for column in table]
        cells = np.zeros(size_of(table, design.sizes), dtype=np.int64)
        place = np.zeros(len(counts), dtype=np.int64)
        for column in table:
            place = place * design.sizes[column] + places[column]
        np.add.at(cells, place, counts)
        found[table] = cells.reshape(shape)
    return found
