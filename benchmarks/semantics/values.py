"""The numbers that aggregates give of private rows: sum, avg, min, max and median, without noise.

Each expression is clamped to a range, as its aggregate over private rows needs one. A group without any value
is left out: where plain SQL has NULL, its number is noise alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import duckdb

from benchmarks.semantics.doors import Door, Failed, Refused
from benchmarks.semantics.known import Difference
from benchmarks.semantics.plain import Expected
from benchmarks.semantics.rows import FAR
from benchmarks.semantics.tally import Tally
from dpduck.kernel.catalog.types import parse_type

_GROUPS = 4
_END = 100  # of the range, on both sides
_NUMBERS = ("integer", "decimal", "float")
# Floats and decimals of many digits are rounded to a grid; other numbers have larger steps, and are exact.
_OF_GRID = 1e-4


@dataclass(frozen=True)
class Statistic:
    """An aggregate. `least`, `greatest`: SQL between which it is, of {0}; `error`: how far it may be beyond.

    `size`: how many expressions one query may have.
    """

    name: str
    least: str
    greatest: str
    error: float
    size: int

    @property
    def place(self) -> str:
        """The name of the place, in what is counted."""
        return f"{self.name} of private rows"


STATISTICS = (
    Statistic("sum", "sum({0})", "sum({0})", _OF_GRID, 24),
    Statistic("avg", "avg({0})", "avg({0})", _END * 1e-3, 8),  # shown with the digits that its noise leaves
    Statistic("min", "min({0})", "min({0})", _OF_GRID, 2),
    Statistic("max", "max({0})", "max({0})", _OF_GRID, 2),
    # Of an even number of values any value between both middle ones is a median.
    Statistic("median", "quantile_disc({0}, 0.5)", "-quantile_disc(-({0}), 0.5)", _OF_GRID, 1),
)


def clamped(text: str) -> str:
    """An expression within the range. DuckDB's least() leaves NULL out, so it is tested."""
    return f"CASE WHEN ({text}) IS NOT NULL THEN greatest(least(({text}), {_END}), -{_END}) END"


def takes(one: Expected) -> bool:
    """Whether an expression has numbers, and fails on no row."""
    has_value = any(not one.is_null(row) for row in range(len(one.values)))
    return has_value and not one.raised and parse_type(one.type).kind in _NUMBERS


def query(statistic: Statistic, pack: Sequence[Expected]) -> str:
    """A query with the statistic of each expression by group."""
    items = [f"{statistic.name}({clamped(one.text)}) AS v{turn}" for turn, one in enumerate(pack)]
    return f"SELECT i % {_GROUPS} AS i, {', '.join(items)} FROM hidden WHERE i < {FAR} GROUP BY ALL"


Ends = tuple[float, float]


def plain(
    statistic: Statistic, one: Expected, connection: duckdb.DuckDBPyConnection
) -> tuple[str, Mapping[str, Ends]] | None:
    """The type of the statistic, and between which numbers it is in each group; None if DuckDB has none."""
    text = clamped(one.text)
    ends = ", ".join(form.format(f"({text})") for form in (statistic.least, statistic.greatest))
    rows = f"FROM hidden WHERE i < {FAR} GROUP BY ALL"
    try:
        kind = str(connection.sql(query(statistic, [one])).types[1])
        found = connection.execute(f"SELECT i % {_GROUPS} AS i, {ends} {rows}").fetchall()
    except duckdb.Error:
        return None
    return kind, {str(group): (float(low), float(high)) for group, low, high in found if low is not None}


def is_within(found: str | None, ends: Ends, error: float) -> bool:
    """Whether a number, as Python shows it, is between the ends."""
    low, high = ends
    try:
        number = float(str(found).removeprefix("Decimal('").removesuffix("')"))
    except ValueError:
        return False
    return low - error <= number <= high + error


def compare_values(
    expressions: Iterable[Expected], connection: duckdb.DuckDBPyConnection, door: Door, tally: Tally
) -> None:
    """Ask for each statistic of expressions of private rows, and compare it with plain DuckDB."""
    numbers = [one for one in expressions if takes(one)]
    for statistic in STATISTICS:
        for first in range(0, len(numbers), statistic.size):
            _compare(statistic, numbers[first : first + statistic.size], connection, door, tally)


def _compare(
    statistic: Statistic,
    pack: Sequence[Expected],
    connection: duckdb.DuckDBPyConnection,
    door: Door,
    tally: Tally,
) -> None:
    try:
        answer = door.ask(query(statistic, pack))
    except (Refused, Failed) as error:
        if len(pack) > 1:
            middle = len(pack) // 2
            for half in (pack[:middle], pack[middle:]):
                _compare(statistic, half, connection, door, tally)
        elif isinstance(error, Refused):
            tally.refuse(statistic.place, str(error))
        else:
            tally.differ(Difference(statistic.place, door.name, "failed", pack[0].text, str(error), ""))
        return
    for turn, one in enumerate(pack):
        found = {group: cells[turn] for group, cells in answer.rows.items()}
        _check(statistic, one, plain(statistic, one, connection), answer.types[turn], found, door, tally)


def _check(
    statistic: Statistic,
    one: Expected,
    expected: tuple[str, Mapping[str, Ends]] | None,
    kind: str,
    found: Mapping[str, str],
    door: Door,
    tally: Tally,
) -> None:
    """Compare the type and the groups of one statistic."""
    if expected is None:
        tally.outcomes[statistic.place, "refused by DuckDB"] += 1
        return
    tally.outcomes[statistic.place, "answered"] += 1
    type_name, groups = expected
    if kind != type_name:
        tally.differ(Difference(statistic.place, door.name, "type", one.text, kind, type_name))
        return
    wrong = [
        group for group, ends in groups.items() if not is_within(found.get(group), ends, statistic.error)
    ]
    if wrong:
        pair, rows = (str(found.get(wrong[0])), str(groups[wrong[0]])), tuple(map(int, wrong))
        tally.differ(Difference(statistic.place, door.name, "value", one.text, *pair, rows))
