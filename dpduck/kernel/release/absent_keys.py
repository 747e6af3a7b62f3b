"""Find groups of public domains that have no row, without listing those that have.

The index of a group among all groups is written in digits with few values each. To find the missing group of
a given rank, the engine counts the rows with each value of the first digit, which tells how many groups are
missing under each value, and so which value the rank falls to; then the next digit within it, and so on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.kernel.arrow.columns import scores_of
from dpduck.kernel.engine import ScoreReader
from dpduck.kernel.plan import materialized_scores
from dpduck.kernel.plan.keys import Key, KeySpace
from dpduck.kernel.plan.materialized_scores import Digit
from dpduck.kernel.release import domain_keys
from dpduck.kernel.release.domain_keys import Group

Integers = NDArray[np.int64]
Prefix = tuple[int, ...]  # the values of the first digits

_BASE = 1 << 16


@dataclass(frozen=True, slots=True)
class _Node:
    """The search state of one rank: the digits so far, the range [low, high) of values that they leave for
    the current key, the index of the groups before it, and the rank among the remaining missing groups."""

    prefix: Prefix
    low: int
    high: int
    place: int
    rank: int


def groups_without_rows(space: KeySpace, reader: ScoreReader, ranks: Sequence[int]) -> list[Group]:
    """The groups that have `rank` missing groups before them, ordered by index.

    Input: public keys, none of them joint; the reader's materialized groups, at most one row for each.
    """
    digits = [digit for key in space.keys for digit in _digits(key)]
    nodes = [_Node((), 0, 1, 0, rank) for rank in ranks]
    inner = domain_keys.size_of(space)
    for count, digit in enumerate(digits, 1):
        if count == 1 or digits[count - 2].key is not digit.key:
            size = domain_keys.size_of_key(digit.key)
            inner //= size
            nodes = [_Node(n.prefix, 0, size, n.place * size, n.rank) for n in nodes]
        occupied = _occupied(digits[:count], reader, nodes)
        nodes = [_descend(node, digit.width, inner, occupied) for node in nodes]
        if digit.width == 1:
            nodes = [_Node(n.prefix, 0, 1, n.place + n.low, n.rank) for n in nodes]
    return [domain_keys.at(space, node.place) for node in nodes]


def _digits(key: Key) -> list[Digit]:
    size, width, widths = domain_keys.size_of_key(key), 1, [1]
    while not Digit(key, 1).is_value and size > width * _BASE:
        width *= _BASE
        widths.append(width)
    return [Digit(key, width) for width in reversed(widths)]


def _occupied(
    digits: Sequence[Digit], reader: ScoreReader, nodes: Sequence[_Node]
) -> dict[Prefix, tuple[Integers, Integers]]:
    """For each prefix of the nodes: values of the last digit, and the number of groups with rows for each."""
    prefixes = {node.prefix for node in nodes}
    table = reader.read(
        materialized_scores.occupied(digits, [sorted(set(values)) for values in zip(*prefixes, strict=True)])
    )
    columns = [_values(digit, table.column(i).combine_chunks()) for i, digit in enumerate(digits)]
    sizes = scores_of(table.column("size").combine_chunks(), "size")
    rows: dict[Prefix, list[int]] = defaultdict(list)
    for row, prefix in enumerate(zip(*(column.tolist() for column in columns[:-1]), strict=True)):
        rows[prefix].append(row)
    if len(columns) == 1:
        return {(): (columns[0], sizes)}
    return {prefix: (columns[-1][rows[prefix]], sizes[rows[prefix]]) for prefix in prefixes}


def _values(digit: Digit, column: pa.Array) -> Integers:
    if not digit.is_value:
        return scores_of(column, "digit")
    plain = column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column
    return domain_keys.numbers_of(digit.key, plain)


def _descend(node: _Node, width: int, inner: int, occupied: dict[Prefix, tuple[Integers, Integers]]) -> _Node:
    """Descend to the digit value that the rank falls to. Input: `inner`: groups for each value of the key."""
    first = node.low // width
    starts = np.arange(first, -(-node.high // width)) * width
    ends = np.minimum(starts + width, node.high)
    missing = (ends - starts) * inner
    values, sizes = occupied[node.prefix]
    missing[values - first] -= sizes
    upto = np.cumsum(missing)
    child = int(np.searchsorted(upto, node.rank, side="right"))
    before = int(upto[child - 1]) if child else 0
    prefix = (*node.prefix, first + child)
    return _Node(prefix, int(starts[child]), int(ends[child]), node.place, node.rank - before)
