"""The released rows of several blocks as one table, in which each block has its own rows and columns.

The text of a release is stored in this form, and the answer's SQL reads it (see `plan.compound`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from dpduck.answers.results import telling
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.model import Plan


def together(plan: Plan | CompoundPlan, tables: Sequence[pa.Table]) -> pa.Table:
    """The rows of all blocks, and of public tables if they are given after these, in columns c0, c1, ...."""
    if isinstance(plan, Plan):
        [table] = tables
        return table
    sizes = [table.num_rows for table in tables]
    numbers = [pa.repeat(pa.scalar(number, pa.int32()), size) for number, size in enumerate(sizes, 1)]
    columns = [pa.chunked_array(numbers, pa.int32())]
    for place, table in enumerate(tables):
        before, after = sum(sizes[:place]), sum(sizes[place + 1 :])
        for column in table.columns:
            parts = [pa.nulls(before, column.type), *column.chunks, pa.nulls(after, column.type)]
            columns.append(pa.chunked_array(parts, column.type))
    return pa.table(columns, [f"c{i}" for i in range(len(columns))])


def rows_beside(
    plan: Plan | CompoundPlan,
    open_public: Callable[[str], duckdb.DuckDBPyConnection],
    interrupts: Interrupts,
) -> list[pa.Table]:
    """The rows of public tables that stand beside released ones in an answer, as text.

    Errors: UnsupportedSqlError if DuckDB cannot read them; Interrupted.
    """
    tables = []
    for rows in () if isinstance(plan, Plan) else plan.public:
        with telling(), open_public(rows.sql) as cursor, interrupts.during(cursor):
            tables.append(cursor.sql(rows.sql).to_arrow_table())
    return tables


def apart(plan: Plan | CompoundPlan, table: pa.Table) -> tuple[pa.Table, ...]:
    """The table of each block, from what `together` has made of them. Its numbers may be text."""
    if isinstance(plan, Plan):
        return (table,)
    found, place = [], 1
    for number, block in enumerate(plan.blocks, 1):
        own = table.filter(pc.equal(table.column(0).cast(pa.int32()), number))
        columns = own.columns[place : place + len(block.columns)]
        found.append(pa.table(columns, [f"c{i}" for i in range(len(columns))]))
        place += len(block.columns)
    return tuple(found)
