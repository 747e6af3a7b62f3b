"""Each expression that Spark takes gives on awkward values what DuckDB gives; the others are listed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa

from dpduck.errors import UnsupportedSqlError
from dpduck.interrupts import Interrupts
from dpduck.query.foreign import translate as foreign
from dpduck.query.foreign.spark import SPARK
from dpduck.query.foreign.spark_tables import view
from tests.engines.sparks import Both, open_both
from tests.query import golden
from tests.query.samples import open_samples, translate
from tests.query.test_expressions import ALL

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REFUSED = golden.FOLDER / "spark" / "refused_expressions.txt"
ROWS = 600
AT_ONCE = 60  # expressions in one query
LEAST = 500


def _query(expressions: list[str]) -> str:
    items = ", ".join(f"{sql} AS v{number}" for number, sql in enumerate(expressions))
    return f'SELECT t."row_number" AS k0, {items} FROM "memory"."main"."t" AS t'


def _sort_out(both: Both) -> tuple[dict[str, str], list[str]]:
    """The expressions that Spark takes, as score SQL, and those that it does not, with the reason."""
    taken, refused = {}, []
    for text in ALL:
        sql = translate(text).sql
        try:
            foreign.translate(_query([sql]), SPARK, lambda _: view("t"), both.mirror)
            taken[text] = sql
        except UnsupportedSqlError as error:
            refused.append(f"{text}\n-- {error.detail.partition(': it would not')[0]}\n")
        except duckdb.BinderException:  # a column of a type that Spark does not have
            continue
    return taken, refused


def _differences(both: Both, texts: list[str], taken: dict[str, str]) -> list[object]:
    sql = _query([taken[text] for text in texts])
    with both.source.engine.open(Interrupts()) as reader:
        found = reader.read(sql).sort_by("k0")
    expected = both.duck.sql(sql).to_arrow_table().sort_by("k0")
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


def test_an_expression_means_in_spark_what_it_means_in_duckdb(spark: SparkSession, tmp_path: Path) -> None:
    both = open_both(spark, "samples", open_samples(ROWS), [], tmp_path)
    taken, refused = _sort_out(both)
    texts = list(taken)
    assert len(texts) >= LEAST
    wrong = []
    for start in range(0, len(texts), AT_ONCE):
        wrong += _differences(both, texts[start : start + AT_ONCE], taken)
    both.close()
    assert not wrong, "\n".join(map(str, wrong))
    text = "\n".join(refused)
    if golden.WRITING:
        REFUSED.parent.mkdir(exist_ok=True)
        REFUSED.write_text(text, encoding="utf-8")
    assert text == REFUSED.read_text(encoding="utf-8")
