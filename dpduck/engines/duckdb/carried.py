"""Columns that other systems' types cannot hold travel as DuckDB's own text.

Arrow has no value for a UHUGEINT above 2^127, a BIT, the zone of a TIMETZ or a long INTERVAL: it is given
other values. NumPy refuses dates far away, and polars intervals. So that whoever has paid for an answer can
read all of it, such columns are cast to VARCHAR. Where people read it, a column keeps its type besides.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

import pyarrow as pa

from dpduck.kernel.tree.emit import identifier

TYPE_OF_TEXT = b"dpduck.type"  # in a field's metadata: the type of DuckDB whose values its texts are

# What Arrow gives other values for.
LOST_BY_ARROW = frozenset(("UHUGEINT", "BIT", "BIGNUM", "TIME WITH TIME ZONE", "VARIANT"))
LOST_BY_POLARS = LOST_BY_ARROW | {"INTERVAL"}
LOST_WHEN_SHOWN = LOST_BY_ARROW | {"INTERVAL", "HUGEINT"}
# What NumPy has no type for, or not for all of its values.
LOST_BY_NUMPY = LOST_BY_ARROW | {"INTERVAL", "DATE"}
# What Python has no value for, of some of them.
LOST_BY_PYTHON = frozenset(("INTERVAL",))
_WORDS = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|TIME WITH TIME ZONE|TIMESTAMP WITH TIME ZONE|\w+""")
_NO_TYPE_OF_TEXT = frozenset(("UNION", "VARIANT"))  # a text does not say which member it is


def carried(query: str, columns: Sequence[Sequence[Any]], lost: Collection[str]) -> str:
    """The query with a cast to VARCHAR around each column with a type that is lost.

    Input: SQL; its columns as the DB-API describes them; names of types, which may stand within others.
    """
    places = {place for place, column in enumerate(columns) if is_lost(column[1], lost)}
    if not places:
        return query
    names = [f"c{place}" for place in range(len(columns))]
    items = (
        f"{f'CAST({name} AS VARCHAR)' if place in places else name} AS {identifier(str(columns[place][0]))}"
        for place, name in enumerate(names)
    )
    return f"SELECT {', '.join(items)} FROM ({query}) AS t({', '.join(names)})"


def typed(table: pa.Table, columns: Sequence[Sequence[Any]], lost: Collection[str]) -> pa.Table:
    """What `carried` gave, with the types of the columns that are text, for `console.tables` to show."""
    fields = [
        field.with_metadata({TYPE_OF_TEXT: str(column[1])})
        if is_lost(column[1], lost) and not is_lost(column[1], _NO_TYPE_OF_TEXT)
        else field
        for field, column in zip(table.schema, columns, strict=True)
    ]
    return table.cast(pa.schema(fields, table.schema.metadata))


def is_lost(kind: object, lost: Collection[str]) -> bool:
    """Whether one of the types stands in a type.

    >>> is_lost("STRUCT(a BIT, b INTEGER)", {"BIT"}), is_lost("ENUM('BIT')", {"BIT"})
    (True, False)
    """
    return any(word in lost for word in _WORDS.findall(str(kind)))
