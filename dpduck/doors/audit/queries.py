"""The queries of an audit: those of a file, earlier ones from the ledger, or some for each policy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from dpduck.compiler.parse.split import split
from dpduck.compiler.parse.statements import Select, parse
from dpduck.kernel.catalog.model import Catalog, Column, RangeDomain, Table, fold, written
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.errors import DpduckError, ParameterError
from dpduck.kernel.ledger import Entry

_MOST_COLUMNS = 6  # columns of a table that get queries of their own
_LARGEST = 10_000  # keys that a histogram shows
_BY_FOUND = "WITH DIFFERENTIAL_PRIVACY OPTIONS (delta = 1e-6, max_groups_contributed = 1) "


def from_text(text: str, name: str) -> list[str]:
    """The statements of a file of queries. Errors: SqlSyntaxError; ParameterError if there is none."""
    found = [piece.text.strip() for piece in split(text)]
    if not found:
        raise ParameterError(
            f"there is no query in {name}",
            detail="Nothing was audited.",
            hint="Write SELECT ... statements into it, each with a semicolon at its end.",
        )
    return found


def from_history(entries: Iterable[Entry]) -> list[str]:
    """The earlier queries of the ledger, without repeats, newest first."""
    texts = dict.fromkeys(entry.query for entry in reversed(list(entries)))
    return [text for text in texts if _is_select(text)]


def _is_select(text: str) -> bool:
    with suppress(DpduckError):
        return isinstance(parse(text), Select)
    return False


def from_policies(catalog: Catalog) -> list[str]:
    """For each private table: its count, the counts by key, the largest, medians, means and sums."""
    return list(_in_turns([list(_of_table(table)) for table in catalog.tables if table.private]))


def _in_turns(each: Sequence[Sequence[str]]) -> Iterator[str]:
    """The first of each, then the second of each, and so on."""
    for place in range(max(map(len, each), default=0)):
        for queries in each:
            yield from queries[place : place + 1]


def _of_table(table: Table) -> Iterator[str]:
    schema = "" if table.schema == "main" else f"{written(table.schema)}."
    source = f"{schema}{written(table.name)}"
    yield f"SELECT count(*) FROM {source}"
    own = {fold(name) for name in (table.unit, table.link.column if table.link else None) if name}
    columns = [column for column in table.columns if fold(column.name) not in own]
    told = sorted(columns, key=lambda column: column.domain is None)[:_MOST_COLUMNS]
    yield from _in_turns([list(_of_column(source, column)) for column in told])


def _of_column(source: str, column: Column) -> Iterator[str]:
    name, kind = written(column.name), parse_type(column.type).kind
    is_number = kind in ("integer", "decimal", "float")
    if isinstance(column.domain, RangeDomain):
        yield f"SELECT median({name}) FROM {source}"
        if is_number:
            yield f"SELECT avg({name}), sum({name}) FROM {source}"
            yield f"SELECT stddev({name}), regr_slope({name}, {name}) FROM {source}"
            yield f"SELECT count(*) FROM {source} WHERE {name} * {name} > 100"
        yield f"SELECT max({name}) FROM {source}"
        return
    if column.domain is not None or kind in ("enum", "boolean"):
        yield f"SELECT {name}, count(*) AS n FROM {source} GROUP BY {name} ORDER BY n DESC LIMIT 3"
        yield f"SELECT mode({name}) FROM {source}"
        if column.domain is None or column.domain.size <= _LARGEST:
            yield f"SELECT {name}, count(*) FROM {source} GROUP BY {name}"
        return
    if kind in ("text", "integer", "date"):
        yield f"SELECT {_BY_FOUND}{name} FROM {source} GROUP BY {name}"
        yield f"SELECT {_BY_FOUND}{name}, count(*) FROM {source} GROUP BY {name}"
    yield f"SELECT count(*) FROM {source} WHERE {name} IS NOT NULL"
