"""Finds that an answer over released rows reads no released number, so that it is known without a charge.

Rows for all keys of public domains are there whatever the private rows are. The answer is computed of them
with an error in place of each number: if it has a result, it has read none, and the result is the answer. So
count(*) over the groups of a histogram is free, as the list of its keys is (see `planner.whole_domain`).
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pyarrow as pa

from dpduck.answers.made_up_rows import keys_alone
from dpduck.answers.results import describe, shape_of
from dpduck.compiler.public.reads import has_inner_query
from dpduck.engines.duckdb.hardening import cursor_of
from dpduck.kernel.arrow.arrays import texts_of
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.errors.advice import Hint
from dpduck.kernel.errors.notices import Notice, Rank
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.model import Output, Plan, PublicPlan
from dpduck.kernel.tree import emit

_REASON = "the answer reads no number of private rows, but declared keys alone; that costs nothing"
_MOST_ROWS = 10_000
_NESTED = ("STRUCT", "MAP", "UNION", "ENUM", "BLOB", "BIT", "TIMESTAMP WITH")  # whose text says less
_NOTICE = Notice(
    Rank.MEANING,
    "This answer reads declared keys alone, whatever rows there are.",
    "This answer reads no number of private rows, but all declared keys, whether or not a row has them.",
    Hint.of("HAVING count(*) > 0 in the inner query asks for those that rows have."),
)


def known_answer(
    plan: Plan | CompoundPlan, database: duckdb.DuckDBPyConnection, interrupts: Interrupts
) -> PublicPlan | None:
    """The answer as SQL of constants; None if it reads a released number, or what is not public.

    Input: an empty database.
    """
    if isinstance(plan, Plan) and (plan.plain or not has_inner_query(plan.answer_sql or "")):
        return None  # a block by itself shows its numbers, or says why no group is there
    shape, keys = shape_of(plan), keys_alone(plan)
    if keys is None:
        return None
    names = [f"c{place}" for place in range(len(keys.columns))]
    table = pa.table([texts_of(column) for column in keys.columns], names)
    unread = "CASE WHEN system.main.random() < 2 THEN system.main.error('') END"  # no constant, computed late
    items = (
        f"{unread} AS {name}" if hidden else name for name, hidden in zip(names, keys.hidden, strict=True)
    )
    columns = describe(shape.query("(SELECT CAST(NULL AS VARCHAR[]) AS row)", "row"), database)
    if any(column.type.startswith(_NESTED) or column.type.endswith("]") for column in columns):
        return None
    with cursor_of(database) as cursor, interrupts.during(cursor):
        cursor.register("fields", table)
        try:
            trial = f"(SELECT {', '.join(items)} FROM fields)"
            cursor.execute(f"EXPLAIN ANALYZE {shape.query(trial)}").fetchall()
            # The rows stand as they would beside released numbers, computed in the same database.
            own = [f"c{place}" for place in range(len(columns))]
            texts = ", ".join(f"CAST({name} AS VARCHAR)" for name in own)
            cursor.execute(f"SELECT {texts} FROM ({shape.query('fields')}) AS answer({', '.join(own)})")
            rows = cursor.fetchmany(_MOST_ROWS + 1)
        except duckdb.Error:
            return None
    if len(rows) > _MOST_ROWS:
        return None
    return PublicPlan(_written(rows, columns), _REASON, notice=_NOTICE)


def _written(rows: Sequence[Sequence[str | None]], columns: Sequence[Output]) -> str:
    """SQL of rows that are given as text, in their order."""
    names = [f"c{place}" for place in range(len(columns))]
    items = ", ".join(
        f"CAST({name} AS {column.type}) AS {emit.identifier(column.name)}"
        for name, column in zip(names, columns, strict=True)
    )
    listed = rows or [[None] * len(columns)]
    values = ", ".join(f"({', '.join(map(_constant, row))})" for row in listed)
    return (
        f"SELECT {items} FROM (VALUES {values}) AS fields({', '.join(names)}){'' if rows else ' WHERE FALSE'}"
    )


def _constant(value: str | None) -> str:
    return "CAST(NULL AS VARCHAR)" if value is None else emit.string(value)
