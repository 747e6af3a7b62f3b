"""Each expression that Spark takes gives on awkward values what DuckDB gives; the others are listed.

So does a sample of those whose operands are constants and columns at the ends of their types.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from dpduck.catalog.model import Table
from dpduck.catalog.types import parse_type
from dpduck.engines.cancellation import Interrupts
from dpduck.engines.spark.sql import translate as foreign
from dpduck.engines.spark.sql.dialect import SPARK
from dpduck.engines.spark.sql.tables import view
from dpduck.errors import DpduckError, UnsupportedSqlError
from dpduck.query.tree.duckdb import sql
from dpduck.query.tree.nodes import ColumnRef, Expression
from dpduck.query.tree.relations import SelectItem, SelectQuery, TableScan
from dpduck.query.tree.walk import columns_in
from tests.depth import part
from tests.engines.sparks import Both, open_both
from tests.query import golden
from tests.query.function_cases import ALL
from tests.query.samples import open_samples, translate
from tests.trust.test_every_expression import TABLE

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REFUSED = golden.FOLDER / "spark" / "refused_expressions.txt"
ROWS = 600
AT_ONCE = 60  # expressions in one query
LEAST = 500
EVERY, LEAST_OF_ENDS = 97, 40  # of the table of operands at the ends of their types


BIGINT = parse_type("BIGINT")


def _query(expressions: list[Expression]) -> SelectQuery:
    items = [SelectItem(node, f"v{number}") for number, node in enumerate(expressions)]
    number = SelectItem(ColumnRef("t", "row_number", BIGINT), "k0")
    return SelectQuery((number, *items), TableScan(Table("memory", "main", "t", ()), "t"))


def _sort_out(both: Both, texts: Iterable[str] = ALL) -> tuple[dict[str, Expression], list[str]]:
    """The expressions that Spark takes, and those that it does not, with the reason."""
    taken, refused = {}, []
    for text in texts:
        node = translate(text).node
        if any(column.name not in both.columns("t") for column in columns_in(node)):
            continue  # a column of a type that Spark does not have
        try:
            foreign.translate(_query([node]), SPARK, lambda _: view("t"), both.mirror)
            taken[text] = node
        except UnsupportedSqlError as error:
            refused.append(f"{text}\n-- {error.detail.partition(': it would not')[0]}\n")
    return taken, refused


def _differences(both: Both, texts: list[str], taken: dict[str, Expression]) -> list[object]:
    query = _query([taken[text] for text in texts])
    with both.source.engine.open(Interrupts()) as reader:
        found = reader.read(query).sort_by("k0")
    expected = both.duck.sql(sql(query)).to_arrow_table().sort_by("k0")
    return [
        (text, differing[:3])
        for number, text in enumerate(texts)
        if (differing := _differing(found.column(number + 1), expected.column(number + 1)))
    ]


def _is_accepted(text: str) -> bool:
    try:
        return bool(translate(text))
    except DpduckError:
        return False


def _check(both: Both, taken: dict[str, Expression]) -> None:
    texts, wrong = list(taken), []
    for start in range(0, len(texts), AT_ONCE):
        wrong += _differences(both, texts[start : start + AT_ONCE], taken)
    assert not wrong, "\n".join(map(str, wrong))


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


def test_an_expression_means_in_spark_what_it_means_in_duckdb(spark: SparkSession, tmp_path: Path) -> None:
    both = open_both(spark, "samples", open_samples(ROWS), [], tmp_path)
    taken, refused = _sort_out(both)
    assert len(taken) >= LEAST
    _check(both, {text: taken[text] for text in part(list(taken), 3)})
    ends = [text for made in TABLE.values() for text in list(made())[::EVERY] if _is_accepted(text)]
    taken, _ = _sort_out(both, ends)
    assert len(taken) >= LEAST_OF_ENDS
    _check(both, taken)
    both.close()
    text = "\n".join(refused)
    if golden.WRITING:
        REFUSED.parent.mkdir(exist_ok=True)
        REFUSED.write_text(text, encoding="utf-8")
    assert text == REFUSED.read_text(encoding="utf-8")
