"""Made-up rows such as a plan may release, on which the answer's SQL is tried before anything is charged.

Keys of public domains are those that are released, or some of them, and rows of public tables are their own.
Numbers are made up: some are small and differ, others are equal, negative or large. Nothing of them comes
from private rows, so whether the answer's SQL fails on them is public. How many rows there are is bounded by
what joining all of them takes, so that time decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import pyarrow as pa

from dpduck.compiler.planner.answer_sql import ENDS
from dpduck.compiler.public.reads import times_read
from dpduck.kernel.arrow.arrays import texts_of
from dpduck.kernel.arrow.strings import text
from dpduck.kernel.catalog.model import RangeDomain
from dpduck.kernel.catalog.types import SqlType, parse_moment, parse_type
from dpduck.kernel.plan.aggregates import Aggregate, Mode, Quantile
from dpduck.kernel.plan.compound import BLOCK, BLOCKS, CompoundPlan, RowsBeside
from dpduck.kernel.plan.keys import Key, KeySpace
from dpduck.kernel.plan.model import RANK, RELEASE, EveryKey, OneGroup, Output, Plan
from dpduck.kernel.release.domain_keys import at

Texts = tuple[str | None, ...]

_FIRST_GROUPS = 24  # of a block, in the first tables
_MOST_GROUPS = 2_000  # of a block whose groups are all released
_MOST_WORK = 4_000_000  # rows, if the answer joins each row with all others

# The number in a row and a column. Most queries can compute with those of the first kind.
_NUMBERS: tuple[Callable[[int, int], int], ...] = (
    lambda row, column: 1 + (row + column) % 9,
    lambda row, column: 300 + 37 * row + 11 * column,
    lambda _, __: 1,
    lambda _, __: 0,
    lambda _, __: -1,
    lambda _, __: 300,
    lambda row, column: -1_000_000 - 13 * row - 7 * column,
    lambda row, column: 20_240_101 + (row + column) % 28,
    lambda row, column: 10**12 + 13 * row + 7 * column,
)
_NULLS = -1  # the kind of numbers that are NULL
_TEXTS = (
    "1", "a", "2024-01-31", "2024-01-31 12:30:00", "true", "31.01.2024", "01/31/2024", "12:30", "",
)  # fmt: skip
_NO_NUMBERS = ("text", "enum", "boolean")
_DAY = parse_moment("2024-01-01")
_BESIDE = {"_gap": "1.0", "_p_value": "0.5"}  # released with each number


class MadeUpRows(NamedTuple):
    """Rows with made-up numbers, and the same with NULL in place of each number."""

    numbers: pa.Table
    nulls: pa.Table


def made_up_rows(plan: Plan | CompoundPlan, beside: Sequence[pa.Table] = ()) -> Iterator[MadeUpRows]:
    """Yield tables with the columns of a plan as text, c0, c1, ...: each time other rows.

    There are less than 300 of them, and the first one is small.
    Input: the rows of the plan's public tables, as text; those that are not given are made up.
    """
    if isinstance(plan, Plan):
        parts = [_released(plan)]
    else:
        known = [_public(rows, table) for rows, table in zip(plan.public, beside, strict=False)]
        parts = [*map(_released, plan.blocks), *(known or (_beside(rows.columns) for rows in plan.public))]
    most, times = max(part.count for part in parts), _times_read(plan)

    def table(choice: int, kind: int) -> pa.Table:
        found = [part.columns(choice, kind, place) for place, part in enumerate(parts)]
        counts = rows_within([len(own[0]) for own in found], times, _MOST_WORK)
        found = [[column[:count] for column in own] for own, count in zip(found, counts, strict=True)]
        columns = found[0] if isinstance(plan, Plan) else _together(found)
        return pa.table([texts_of(column) for column in columns], [f"c{i}" for i in range(len(columns))])

    for choice in range(most):
        nulls = table(choice, _NULLS)
        for kind in range(len(_NUMBERS)):
            yield MadeUpRows(table(choice, kind), nulls)


class KeysAlone(NamedTuple):
    """The columns of all rows that a plan releases, as text; its numbers, which are NULL, are `hidden`."""

    columns: list[Texts]
    hidden: list[bool]


def keys_alone(plan: Plan | CompoundPlan) -> KeysAlone | None:
    """The rows that a plan releases whatever private rows are; None if they are not known, or many."""
    sizes = [block.space.size or 0 for block in plan.blocks]
    if isinstance(plan, CompoundPlan) and plan.public:
        return None
    is_whole = all(isinstance(block.selection, (OneGroup, EveryKey)) for block in plan.blocks)
    if not is_whole or not all(sizes) or rows_within(sizes, _times_read(plan), _MOST_WORK) != sizes:
        return None
    if sum(sizes) > _MOST_GROUPS:
        return None
    parts, hidden = [], [False] * isinstance(plan, CompoundPlan)
    for block, size in zip(plan.blocks, sizes, strict=True):
        groups = [tuple(map(text, at(block.space, number))) for number in range(size)]
        known, numbers = len(block.keys), len(block.columns) - len(block.keys)
        parts.append([tuple(group[place] for group in groups) for place in range(known)])
        parts[-1] += [(None,) * size] * numbers
        hidden += [False] * known + [True] * numbers
    return KeysAlone(parts[0] if isinstance(plan, Plan) else _together(parts), hidden)


def _times_read(plan: Plan | CompoundPlan) -> list[int]:
    """Return how often the answer's SQL reads each part."""
    if isinstance(plan, Plan):
        found, numbers = times_read(plan.answer_sql or "", RELEASE, BLOCK.name), [0]
    else:
        found, numbers = times_read(plan.answer_sql, BLOCKS, BLOCK.name), [*range(1, len(plan.parts) + 1)]
    return [max(1, found[number]) for number in numbers]


def rows_within(sizes: Sequence[int], times: Sequence[int], most: int) -> list[int]:
    """Return how many rows of each part to take, so that all of them joined are at most so many.

    Input: the size of each part, and how often it is read.

    >>> rows_within([24, 100_000], [1, 1], 1_000_000), rows_within([366], [4], 1_000_000)
    ([24, 41666], [31])
    """
    left, reads, found = float(most), sum(times), [0] * len(sizes)
    for part in sorted(range(len(sizes)), key=sizes.__getitem__):
        found[part] = min(sizes[part], max(1, int(left ** (1 / reads))))
        left /= max(1, found[part]) ** times[part]
        reads -= times[part]
    return found


def _together(parts: Sequence[list[Texts]]) -> list[Texts]:
    """Return the columns of all parts, after the number of each row's part (see `kernel.plan.compound`)."""
    lengths = [len(columns[0]) for columns in parts]
    found: list[Texts] = [
        tuple(str(number) for number, length in enumerate(lengths, 1) for _ in range(length))
    ]
    for place, columns in enumerate(parts):
        before, after = (None,) * sum(lengths[:place]), (None,) * sum(lengths[place + 1 :])
        found += [(*before, *column, *after) for column in columns]
    return found


@dataclass(frozen=True)
class _Block:
    """What is known of the rows of a block, or of a public table beside them.

    `choices`: of the groups of its rows, each as the values of the first columns. `points`: what a column may
    hold, if that is known. `all_of`: all groups of these keys are a choice, the only one if all are released.
    """

    outputs: tuple[Output, ...]
    choices: tuple[tuple[Texts, ...], ...]
    points: dict[str, Texts] = field(default_factory=dict)
    all_of: KeySpace | None = None

    @property
    def count(self) -> int:
        """The number of choices."""
        return len(self.choices) + (self.all_of is not None)

    @cached_property
    def _all(self) -> tuple[Texts, ...]:
        """All groups."""
        space = self.all_of
        return () if space is None else tuple(tuple(map(text, at(space, n))) for n in range(space.size or 0))

    def columns(self, choice: int, kind: int, part: int) -> list[Texts]:
        """The columns of one choice of rows, with numbers of one kind. Input: this part's place."""
        number = choice % self.count
        groups = self.choices[number] if number < len(self.choices) else self._all
        keys = len(groups[0]) if groups else 0
        return [
            tuple(group[place] for group in groups)
            if place < keys
            else tuple(self._number(output, row, place + 5 * part, kind) for row in range(len(groups)))
            for place, output in enumerate(self.outputs)
        ]

    def _number(self, output: Output, row: int, place: int, kind: int) -> str | None:
        if output.name == RANK:
            return str(row + 1)
        if kind == _NULLS and parse_type(output.type).kind not in _NO_NUMBERS:
            return None
        if points := self.points.get(output.name):
            return points[(kind + kind % 2 * row) % len(points)]
        for ending, fixed in _BESIDE.items():
            if output.name.endswith(ending):
                return fixed
        for end, change in zip(ENDS, (-1, 1), strict=True):
            if output.name.endswith(end):  # beside its number, which is in the column before
                return _typed(_NUMBERS[kind](row, place) + 100 * change, parse_type(output.type))
        return _typed(_NUMBERS[kind](row, place), parse_type(output.type))


def _released(plan: Plan) -> _Block:
    """Return what is public of the rows that a block releases."""
    points: dict[str, Texts] = {}
    for request in plan.requests:
        points |= _points(request)
    if isinstance(plan.selection, (OneGroup, EveryKey)) and 0 < (plan.space.size or 0) <= _MOST_GROUPS:
        return _Block(plan.columns, (), points, plan.space)
    return _Block(plan.columns, tuple(_choices(plan)), points)


def _public(rows: RowsBeside, table: pa.Table) -> _Block:
    """Return the rows of a public table, all of whose columns are known."""
    return _Block(rows.columns, (tuple(zip(*(column.to_pylist() for column in table.columns), strict=True)),))


def _beside(outputs: tuple[Output, ...]) -> _Block:
    """Return that nothing but their types is known of some columns."""
    types = [parse_type(output.type) for output in outputs]
    rows = tuple(tuple(_unknown(one, n) for one in types) for n in range(len(_TEXTS) + 1))
    return _Block(outputs, (rows, *((row,) for row in rows)))


def _choices(plan: Plan) -> Iterator[tuple[Texts, ...]]:
    """Yield groups that a block may release: all of them, or else some together, and then each alone.

    Where there are too many, others stand for them that have a result more often: NULL, or none.
    """
    space, size = plan.space, plan.space.size
    if size is None:
        groups = [tuple(_value(key, n) for key in space.keys) for n in range(len(_TEXTS) + 1)]
    else:
        groups = [tuple(map(text, at(space, place))) for place in range(min(size, _FIRST_GROUPS))]
    if size is None or not isinstance(plan.selection, (OneGroup, EveryKey)):
        yield tuple(groups[: getattr(plan.selection, "k", None)])
        for group in groups[:_FIRST_GROUPS]:
            yield (group,)
        if size is not None and size > _FIRST_GROUPS:
            yield ((None,) * len(space.keys),)
        return
    yield tuple(groups)
    if size > _MOST_GROUPS:
        yield ()


def _value(key: Key, number: int) -> str | None:
    """Return a value of a key: of its domain, if it has one."""
    if key.domain is None:
        return _unknown(parse_type(key.type), number)
    if not key.domain.size or number == len(_TEXTS):
        return None
    return text(_at(key, number % key.domain.size))


def _points(request: Aggregate) -> dict[str, Texts]:
    """Return what the columns of a quantile or a mode may hold, up to one value for each kind of numbers."""
    kinds = len(_NUMBERS)
    match request:
        case Quantile(grid=grid):
            small = [n for n in (1, 0) if isinstance(grid.low, (int, Decimal)) and grid.low <= n <= grid.high]  # type: ignore[operator]
            some = [*map(str, small), *(text(grid.value(n)) for n in _spread(grid.size, kinds - len(small)))]
            ends = (text(grid.low), text(grid.high))
            low, high = (f"{request.column}{end}" for end in ENDS)
            return {request.column: tuple(some), low: ends[:1], high: ends[1:]}
        case Mode(key=key) if key.domain is not None:
            is_cut = key.domain.size > kinds
            values = tuple(text(_at(key, n)) for n in _spread(key.domain.size, kinds - is_cut))
            return {request.column: (*values, None) if is_cut else values}
    return {}


def _at(key: Key, number: int) -> object:
    assert key.domain is not None
    return key.domain.value(number) if isinstance(key.domain, RangeDomain) else key.domain.values[number]


def _spread(size: int, most: int) -> list[int]:
    """Return that many numbers below a size, from the first to the last; all of them, if they are no more.

    >>> _spread(3, 5), _spread(100, 3)
    ([0, 1, 2], [0, 49, 99])
    """
    return list(range(size)) if size <= most else [n * (size - 1) // (most - 1) for n in range(most)]


def _unknown(sql_type: SqlType, number: int) -> str | None:
    """Return a value of a type; the last one is NULL, with which most of what may fail has a result."""
    if number == len(_TEXTS):
        return None
    return (
        _typed(_NUMBERS[number % len(_NUMBERS)](0, 0), sql_type)
        if sql_type.kind != "text"
        else _TEXTS[number]
    )


def _typed(number: int, sql_type: SqlType) -> str | None:
    """Return a number as a value of a type; None for a type of which no values are made up.

    >>> _typed(300, parse_type("TINYINT")), _typed(-1, parse_type("DATE")), _typed(1, parse_type("BLOB"))
    ('127', '2023-12-31', None)
    """
    match sql_type.kind:
        case "integer" | "decimal":
            low, high = sql_type.ends
            return str(int(min(max(Fraction(number), low), high)))
        case "float":
            return str(float(number))
        case "enum":
            return sql_type.members[number % len(sql_type.members)]
        case "boolean":
            return str(number % 2 == 0)
        case "date" | "timestamp":
            assert _DAY is not None
            moment = _DAY + timedelta(days=number % 366 if number >= 0 else -1)
            return str(moment.date() if sql_type.kind == "date" else moment)
    return None
