"""The plan of a query with several blocks over private rows: one charge, one answer.

Each block is released with its own share of epsilon and delta, and what is made of the released rows is
post-processing. Privacy: the releases compose sequentially, all of them about the same privacy units, so the
query costs the sum of the shares (see `dpduck.kernel.accounting.composition`). No block reads what another
released, so their order is of no importance.

The released rows of all blocks are one table, which is stored and replayed as that of one block is: `block`
has the number of a row's block, and column `name` of block 2 is called `2.name`, NULL in rows of others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dpduck.kernel.catalog.model import Table
from dpduck.kernel.plan.model import KeysAbove, LargestKeys, Output, Plan
from dpduck.kernel.tree import emit
from dpduck.kernel.tree.relations import SelectQuery

BLOCKS = "blocks"  # the table of all released rows in `answer_sql`
MOST_CELLS = 50_000_000  # of the one table: a cell without a value takes memory, too
MOST_PUBLIC_ROWS = 100_000  # of one table, which an answer joins with released rows
BLOCK = Output("block", "INTEGER")  # the column that has the number of a row's block, from 1


@dataclass(frozen=True)
class RowsBeside:
    """The rows of a public table that an answer reads: some columns, and the SQL of these as text."""

    table: Table
    columns: tuple[Output, ...]
    sql: str


@dataclass(frozen=True)
class CompoundPlan:
    """How a query with several blocks, or with one that meets public rows, is answered.

    `blocks`: the plan of each, at its share of the budget. `answer_sql`: the answer from table `blocks`.
    `constants`: constant parts of it, besides those of the blocks. `public`: the public rows, which are
    numbered after the blocks.
    """

    blocks: tuple[Plan, ...]
    answer_sql: str
    constants: tuple[str, ...] = ()
    public: tuple[RowsBeside, ...] = ()

    @cached_property
    def parts(self) -> tuple[tuple[Output, ...], ...]:
        """The columns of each block, and then of public rows."""
        return (*(block.columns for block in self.blocks), *(rows.columns for rows in self.public))

    @cached_property
    def columns(self) -> tuple[Output, ...]:
        """The columns of the rows of all parts."""
        numbered = enumerate(self.parts, 1)
        own = (replace(c, name=column_name(n, c.name)) for n, columns in numbered for c in columns)
        return (BLOCK, *own)

    @property
    def stored(self) -> tuple[Output, ...]:
        """The columns of which the text of a release is stored: those of its blocks, without public rows."""
        return self.columns[: 1 + sum(len(block.columns) for block in self.blocks)]

    @property
    def tables(self) -> tuple[Table, ...]:
        """The private tables read."""
        return tuple(dict.fromkeys(table for block in self.blocks for table in block.tables))

    @property
    def root(self) -> Table:
        """The table whose key is the unit of all blocks."""
        return self.blocks[0].root

    @property
    def queries(self) -> list[SelectQuery]:
        """The queries that read tables of the data."""
        return [query for block in self.blocks for query in block.queries]

    @property
    def joins_public(self) -> bool:
        """Whether private rows are joined with public tables."""
        return any(block.joins_public for block in self.blocks)

    @property
    def is_one_count(self) -> bool:
        """Whether the answer is one released count: never, with several blocks."""
        return False


def most_groups(block: Plan) -> int:
    """The most groups that a block shows; 1 for keys found in private rows, of which nothing is known."""
    selection = block.selection
    if isinstance(selection, (LargestKeys, KeysAbove)):
        return selection.k
    return block.space.size or 1


def column_name(number: int, name: str) -> str:
    """The name of a column of a block or of public rows among those of all. Input: its number, from 1."""
    return f"{number}.{name}"


def rows_sql(number: int, columns: Sequence[Output]) -> str:
    """The SQL of the rows of one block or public table. Input: its number, from 1, and columns."""
    items = ", ".join(
        f"{emit.identifier(column_name(number, column.name))} AS {emit.identifier(column.name)}"
        for column in columns
    )
    return f"SELECT {items} FROM {emit.identifier(BLOCKS)} WHERE {emit.identifier(BLOCK.name)} = {number}"
