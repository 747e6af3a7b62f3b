"""Releases the tables of a summary, or its residuals, from its scores. It runs below the data line.

The scores are the numbers of rows in the cells that have any, in whatever order an engine returns them; each
table adds them up to a vector of all its public cells, in the order of domains, so that nothing that leaves
here depends on the engine's order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.kernel.arrow.columns import scores_of, tick_integers
from dpduck.kernel.mechanisms.additive import noisy_counts
from dpduck.kernel.mechanisms.gaussian import gaussian_counts, gaussian_sums
from dpduck.kernel.noise import Entropy, whole_laplace
from dpduck.kernel.release.candidates import key_columns
from dpduck.kernel.release.domain_keys import numbers_of
from dpduck.summaries.design import Design
from dpduck.summaries.residuals import Columns, size_of
from dpduck.summaries.strategies import measured

Integers = NDArray[np.int64]


def noisy_tables(scores: pa.Table, design: Design, entropy: Entropy) -> list[dict[Columns, Integers]]:
    """What a design measures, with its noise, each an array with an axis for each of its columns.

    Output: of the counts, and then of each sum that is kept of a measure, whose numbers are of any size.
    """
    exact = tables_of(scores, design)
    return [noised(own, one, entropy) for own, one in zip(exact, design.quantities, strict=True)]


def noised(tables: Mapping[Columns, Integers], design: Design, entropy: Entropy) -> dict[Columns, Integers]:
    """The same from the tables of one quantity without noise, by its own design."""
    found = {}
    for table in design.tables:
        exact = tables[table]
        if design.gaussian is not None:
            exact = measured(exact, table, design.strategies)
        flat = exact.reshape(-1)
        if exact.dtype == object:
            noisy = np.array(_noisy_sums(flat.tolist(), design, table, entropy), dtype=object)
        elif design.gaussian is not None:
            noisy = gaussian_counts(flat, design.normal[table], entropy)
        else:
            noisy = noisy_counts(flat, design.shares[table], entropy, groups=1, rows=design.bound).counts
        found[table] = noisy.reshape(exact.shape)
    return found


def _noisy_sums(sums: list[int], design: Design, table: Columns, entropy: Entropy) -> list[int]:
    if design.gaussian is not None:
        return gaussian_sums(sums, design.normal[table], entropy)
    noise = whole_laplace(design.shares[table] / design.bound, len(sums), entropy)
    return [total + x for total, x in zip(sums, noise, strict=True)]


def tables_of(scores: pa.Table, design: Design) -> list[dict[Columns, Integers]]:
    """The tables of a design without noise: of the counts, and of each sum, in Python's integers."""
    keys = [column.key for column in design.rows.columns]
    places = [numbers_of(key, column) for key, column in zip(keys, key_columns(keys, scores), strict=True)]
    found = []
    for number in range(len(design.quantities)):
        name = "score" if number == 0 else f"score{number - 1}"
        cells = scores.column(name).combine_chunks()
        # Sums have any size: a tick may be far smaller than what 64 bits divide a total into.
        values = np.array(tick_integers(cells), dtype=object) if number else scores_of(cells, name)
        found.append({table: _table(values, places, table, design) for table in design.tables})
    return found


def _table(values: Integers, places: Sequence[Integers], table: Columns, design: Design) -> Integers:
    cells = np.zeros(size_of(table, design.sizes), dtype=values.dtype)
    place = np.zeros(len(values), dtype=np.int64)
    for column in table:
        place = place * design.sizes[column] + places[column]
    np.add.at(cells, place, values)
    return cells.reshape([design.sizes[column] for column in table])
