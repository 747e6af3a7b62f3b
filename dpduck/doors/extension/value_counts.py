"""How often each value of a column occurs."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Integers = NDArray[np.int64]

LONG_DOMAIN = 1000  # domains with at least this many values are checked for being a progression
COUNTABLE_RANGE = 1 << 22  # integers within a range this wide are counted in an array, others by hashing


def occurrences(values: pa.Array, labels: pa.Array) -> Integers:
    """How often each label occurs; other values are ignored."""
    if pa.types.is_signed_integer(labels.type):
        wanted = labels.to_numpy().astype(np.int64, copy=False)
        low, high = int(wanted.min()), int(wanted.max())
        if high - low < COUNTABLE_RANGE:
            of_labels: Integers = _integer_counts(values.drop_null(), low, high)[wanted - low]
            return of_labels
    if pa.types.is_dictionary(values.type):
        values = values.cast(pa.string())
    distinct, counts = value_counts(values)
    from pyarrow import compute  # here, since it takes long to import and is needed only here

    places = compute.index_in(distinct, value_set=labels)
    known = places.is_valid().to_numpy(zero_copy_only=False)
    found = np.zeros(len(labels), dtype=np.int64)
    found[places.drop_null().to_numpy(zero_copy_only=False)] = counts[known]
    return found


def value_counts(values: pa.Array) -> tuple[pa.Array, Integers]:
    """The distinct values that are not NULL, and how often each occurs."""
    present = values.drop_null()
    if pa.types.is_signed_integer(values.type) and len(present):
        numbers = present.to_numpy()
        low, high = int(numbers.min()), int(numbers.max())
        if high - low < COUNTABLE_RANGE:
            counts = _integer_counts(present, low, high)
            occupied = np.flatnonzero(counts)
            return pa.array(occupied + low), counts[occupied]
    values_counts = present.value_counts()
    return values_counts.field("values"), values_counts.field("counts").to_numpy(zero_copy_only=False)


def _integer_counts(present: pa.Array, low: int, high: int) -> Integers:
    """How often each integer from low to high occurs; other values are ignored."""
    numbers = present.to_numpy()
    inside = numbers[(numbers >= low) & (numbers <= high)].astype(np.int64, copy=False)
    counts: Integers = np.bincount(inside - low, minlength=high - low + 1)
    return counts


def progressions(column: pa.ChunkedArray) -> pa.Array:
    """For each value that is a long list of evenly spaced integers: its first, step and size; else NULL.

    It depends on its argument alone, so DuckDB may compute it while it plans. DuckDB would make a constant
    of `range(1000000)` and copy it value by value, which takes longer than the mode itself.
    """
    integers = pa.types.is_list(column.type) and pa.types.is_signed_integer(column.type.value_type)
    rows = [_progression(value.values) if integers else None for value in column]
    return pa.array(rows, pa.list_(pa.int64()))


def _progression(values: pa.Array | None) -> list[int] | None:
    if values is None or len(values) < LONG_DOMAIN or values.null_count:
        return None
    numbers = values.to_numpy().astype(np.int64, copy=False)
    first, step, size = int(numbers[0]), int(numbers[1]) - int(numbers[0]), len(numbers)
    # Differences are modulo 2^64; that the end is right rules out that any of them has come around.
    if step == 0 or int(numbers[-1]) != first + step * (size - 1) or (np.diff(numbers) != step).any():
        return None
    return [first, step, size]
