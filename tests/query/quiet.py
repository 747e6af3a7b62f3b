"""Answers without noise, of the very plan that is made: every share of epsilon is multiplied."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache

import duckdb

from dpduck.answers.blocks import together
from dpduck.answers.results import Result, ResultRows, shape_of
from dpduck.compiler.compile import AnyPlan
from dpduck.engines.duckdb.engine import DuckEngine
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.plan.aggregates import ClampedSum
from dpduck.kernel.plan.model import LargestKeys, Measure, Plan, PublicPlan
from dpduck.kernel.release import Release, release
from tests.sources import Seeded

LOUDER = 10**7
LOUDER_FOR_CLAMPS = 10**12  # since noise is in proportion to a clamp, which may be far above 1
Row = Sequence[object]


@cache
def scratch() -> duckdb.DuckDBPyConnection:
    """The database in which all answers are computed, each by a cursor of its own, as in a session."""
    return duckdb.connect()


def loud(plan: Plan) -> Plan:
    """The same plan with so much epsilon that noise is far below 1."""
    epsilon = plan.selection.epsilon * LOUDER
    if isinstance(plan.selection, LargestKeys) and plan.selection.gaussian:
        epsilon = min(epsilon, Fraction(LOUDER))  # beyond it, no noise is certified
    selection = replace(plan.selection, epsilon=epsilon)
    measures = tuple(_loud(measure) for measure in plan.measures)
    return replace(plan, selection=selection, measures=measures)


def _loud(measure: Measure) -> Measure:
    noise = measure.gaussian
    louder = LOUDER_FOR_CLAMPS if isinstance(measure.request, ClampedSum) else LOUDER
    if noise is not None:
        noise = replace(noise, mu_squared=noise.mu_squared * louder**2)
    return replace(measure, epsilon=measure.epsilon * louder, gaussian=noise)


def answer(plan: AnyPlan, connection: duckdb.DuckDBPyConnection) -> Result:
    """The plan's answer on the connection's data."""
    if isinstance(plan, PublicPlan):
        return Result(plan.sql, connection.cursor)
    with DuckEngine(connection).open(Interrupts()) as reader:
        made = [release(loud(block), reader, Seeded("quiet")) for block in plan.blocks]
    if isinstance(plan, Plan):
        return Result.of_rows(released_rows(loud(plan), made[0]), scratch())
    tables = [
        one.table([c.name for c in block.columns]) for block, one in zip(plan.blocks, made, strict=True)
    ]
    tables += [connection.sql(rows.sql).to_arrow_table() for rows in plan.public]
    return Result.of_rows(ResultRows(shape_of(plan), together(plan, tables)), scratch())


def released_rows(plan: Plan, made: Release) -> ResultRows:
    """A release as rows on their way out."""
    return ResultRows(shape_of(plan), made.table([column.name for column in plan.columns]))


def columns(result: Result) -> list[tuple[str, str]]:
    """Names and types."""
    return [(column[0], str(column[1])) for column in result.description]


def is_same(answered: Sequence[Row], expected: Sequence[Row], *, ordered: bool) -> bool:
    """Whether rows agree: numbers within a thousandth, intervals of numbers hold theirs."""
    if len(answered) != len(expected):
        return False
    if not ordered:
        answered, expected = _sorted(answered), _sorted(expected)
    return all(_same_row(*pair) for pair in zip(answered, expected, strict=True))


def _sorted(rows: Sequence[Row]) -> list[Row]:
    """By the cells that are exact, as far as possible."""
    return sorted(rows, key=lambda row: [_sort_key(cell) for cell in row])


def _sort_key(cell: object) -> tuple[str, str]:
    if isinstance(cell, (int, float, Decimal, list)) and not isinstance(cell, bool):
        low = cell[0] if isinstance(cell, list) and cell else cell
        return "1", f"{float(low):030.3f}" if isinstance(low, (int, float, Decimal)) else repr(low)
    return "0", repr(cell)


def _same_row(answered: Row, expected: Row) -> bool:
    return len(answered) == len(expected) and all(
        is_same_cell(*cells) for cells in zip(answered, expected, strict=True)
    )


def is_same_cell(answered: object, expected: object) -> bool:
    """Whether a cell is the expected one."""
    if isinstance(expected, list) and not isinstance(answered, list) and len(expected) == 2:
        low, high = expected
        return answered is not None and low <= answered <= high
    if isinstance(expected, list) and isinstance(answered, list):
        return len(expected) == len(answered) and all(map(is_same_cell, answered, expected))
    if isinstance(expected, (float, Decimal, Fraction)) and isinstance(answered, (int, float, Decimal)):
        return math.isclose(float(answered), float(expected), rel_tol=1e-3, abs_tol=1e-3)
    return answered == expected or Counter([repr(answered)]) == Counter([repr(expected)])
