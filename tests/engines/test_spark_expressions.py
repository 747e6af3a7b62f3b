"""Each expression that Spark takes gives on awkward values what DuckDB gives; the others are listed.

So does a sample of those whose operands are constants and columns at the ends of their types.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dpduck.kernel.errors import DpduckError
from dpduck.kernel.tree.nodes import Expression
from tests.depth import part
from tests.engines.spark_rows import differences, sort_out
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


def _is_accepted(text: str) -> bool:
    try:
        return bool(translate(text))
    except DpduckError:
        return False


def _check(both: Both, taken: dict[str, Expression]) -> None:
    texts, wrong = list(taken), []
    for start in range(0, len(texts), AT_ONCE):
        wrong += differences(both, texts[start : start + AT_ONCE], taken)
    assert not wrong, "\n".join(map(str, wrong))


def test_an_expression_means_in_spark_what_it_means_in_duckdb(spark: SparkSession, tmp_path: Path) -> None:
    both = open_both(spark, "samples", open_samples(ROWS), [], tmp_path)
    taken, refused = sort_out(both, ALL)
    assert len(taken) >= LEAST
    _check(both, {text: taken[text] for text in part(list(taken), 3)})
    ends = [text for made in TABLE.values() for text in list(made())[::EVERY] if _is_accepted(text)]
    taken, _ = sort_out(both, ends)
    assert len(taken) >= LEAST_OF_ENDS
    _check(both, taken)
    both.close()
    text = "\n".join(refused)
    if golden.WRITING:
        REFUSED.parent.mkdir(exist_ok=True)
        REFUSED.write_text(text, encoding="utf-8")
    assert text == REFUSED.read_text(encoding="utf-8")
