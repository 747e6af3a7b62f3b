"""Row expressions in Spark beside the same in DuckDB: which Spark takes, and where they differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa

from dpduck.engines.spark.sql import translate as foreign
from dpduck.engines.spark.sql.dialect import SPARK
from dpduck.engines.spark.sql.tables import view
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.model import Table
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.nodes import ColumnRef, Expression
from dpduck.kernel.tree.relations import SelectItem, SelectQuery, TableScan
from dpduck.kernel.tree.walk import columns_in
from tests.engines.sparks import Both
from tests.query.samples import translate

BIGINT = parse_type("BIGINT")


def query_of(expressions: list[Expression]) -> SelectQuery:
    items = [SelectItem(node, f"v{number}") for number, node in enumerate(expressions)]
    number = SelectItem(ColumnRef("t", "row_number", BIGINT), "k0")
    return SelectQuery((number, *items), TableScan(Table("memory", "main", "t", ()), "t"))


def sort_out(both: Both, texts: Iterable[str]) -> tuple[dict[str, Expression], list[str]]:
    """The expressions that Spark takes, and those that it does not, with the reason."""
    taken, refused = {}, []
    for text in texts:
        node = translate(text).node
        if any(column.name not in both.columns("t") for column in columns_in(node)):
            continue  # a column of a type that Spark does not have
        try:
            foreign.translate(query_of([node]), SPARK, lambda _: view("t"), both.mirror)
            taken[text] = node
        except UnsupportedSqlError as error:
            refused.append(f"{text}\n-- {error.detail.partition(': it would not')[0]}\n")
    return taken, refused


def differences(
    both: Both, texts: Sequence[str], taken: Mapping[str, Expression]
) -> list[tuple[str, list[object]]]:
    """The expressions whose values differ, each with some pairs of Spark's and DuckDB's."""
    query = query_of([taken[text] for text in texts])
    with both.source.engine.open(Interrupts()) as reader:
        found = reader.read(query).sort_by("k0")
    expected = both.duck.sql(sql(query)).to_arrow_table().sort_by("k0")
    return [
        (text, differing[:3])
        for number, text in enumerate(texts)
        if (differing := _differing(found.column(number + 1), expected.column(number + 1)))
    ]


def _differing(found: pa.ChunkedArray, expected: pa.ChunkedArray) -> list[object]:
    assert found.type == expected.type
    moments = {pa.date32(): pa.int32(), pa.timestamp("us"): pa.int64()}  # Python has fewer years
    if found.type in moments:
        found, expected = (column.cast(moments[found.type]) for column in (found, expected))
    pairs = zip(found.to_pylist(), expected.to_pylist(), strict=True)
    return [(one, other) for one, other in pairs if repr(_plain(one)) != repr(_plain(other))]


def _plain(value: object) -> object:
    """0.0 for -0.0, and NaN for NaN of either sign."""
    if isinstance(value, float):
        return value + 0.0 if value == value else "nan"
    return value
