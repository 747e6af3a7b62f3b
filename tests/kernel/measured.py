"""What one unit really moves, as DuckDB answers with and without it, against what the checker says."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction

import duckdb

from dpduck.kernel.check import Score
from dpduck.kernel.check.spans import INF
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.relations import SelectQuery
from tests.kernel.people import UNITS, without

Row = tuple[object, ...]


def read(
    connection: duckdb.DuckDBPyConnection, tree: SelectQuery, scores: Mapping[str, Score]
) -> dict[Row, Row]:
    """The scores by key. NULL counts as 0, and NaN equals itself."""
    cursor = connection.execute(sql(tree))
    names = [column[0] for column in cursor.description or ()]
    places = [names.index(name) for name in scores]
    found = {}
    for row in cursor.fetchall():
        key = tuple(
            "nan" if isinstance(cell, float) and math.isnan(cell) else cell
            for place, cell in enumerate(row)
            if place not in places
        )
        found[key] = tuple(row[place] or 0 for place in places)
    return found


def _exact(cell: object) -> Fraction:
    assert isinstance(cell, (int, Decimal))
    return Fraction(cell)


def excesses(
    connection: duckdb.DuckDBPyConnection, tree: SelectQuery, scores: Mapping[str, Score]
) -> Iterator[str]:
    """Where a unit moves more than is said, in words."""
    before = read(connection, tree, scores)
    for root in ("people", "others"):
        for unit in UNITS:
            with without(connection, root, unit):
                after = read(connection, tree, scores)
            yield from _compare(before, after, scores)


def _compare(before: dict[Row, Row], after: dict[Row, Row], scores: Mapping[str, Score]) -> Iterator[str]:
    zeros = (0,) * len(scores)
    keys = before.keys() | after.keys()
    for place, (name, score) in enumerate(scores.items()):
        moves = [_exact(before.get(key, zeros)[place]) - _exact(after.get(key, zeros)[place]) for key in keys]
        low, high = score.moves()
        for move in moves:
            if not low <= move <= high:
                yield f"{name} moves by {move}, not within {low} and {high}"
        changed = [move for move in moves if move]
        if len(changed) > score.groups():
            yield f"{name} moves in {len(changed)} groups, not {score.groups()}"
        least, most = score.moves([])
        if not least <= sum(moves) <= most:
            yield f"{name} moves by {sum(moves)} together, not within {least} and {most}"
        yield from _by_level(name, score, dict(zip(keys, moves, strict=True)))


def _by_level(name: str, score: Score, moves: Mapping[Row, Fraction]) -> Iterator[str]:
    """Where a unit moves the rows of the result up to a level, or of one, further than is said."""
    for place, key in enumerate(score.keys):
        numbers = {row: cell for row in moves if isinstance(cell := row[place], int)}
        for level in sorted({*numbers.values()})[:3]:
            least, most = score.moves([], {key: (-INF, level)})
            moved = sum((moves[row] for row, cell in numbers.items() if cell <= level), Fraction(0))
            if not least <= moved <= most:
                yield f"{name} moves by {moved} up to {key} {level}, not within {least} and {most}"
            least, most = score.moves(None, {key: (level, level)})
            of_level = [moves[row] for row, cell in numbers.items() if cell == level]
            if not all(least <= move <= most for move in of_level):
                yield f"{name} moves by {of_level} where {key} is {level}, not within {least} and {most}"


def largest(
    connection: duckdb.DuckDBPyConnection, tree: SelectQuery, scores: Mapping[str, Score]
) -> dict[str, Fraction]:
    """The most that any unit moves each score in a group."""
    before = read(connection, tree, scores)
    found: dict[str, Fraction] = defaultdict(Fraction)
    zeros = (0,) * len(scores)
    for unit in UNITS:
        with without(connection, "people", unit):
            after = read(connection, tree, scores)
        for key in before.keys() | after.keys():
            for place, name in enumerate(scores):
                one, other = before.get(key, zeros)[place], after.get(key, zeros)[place]
                found[name] = max(found[name], abs(_exact(one) - _exact(other)))
    return found
