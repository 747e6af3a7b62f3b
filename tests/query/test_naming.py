"""Names and types of results against DuckDB itself."""

from __future__ import annotations

import duckdb
import pytest

from dpduck.catalog.types import INTEGER_RANGES, parse_type
from dpduck.query.parse.statements import Select, parse
from dpduck.query.write import column_names
from dpduck.query.write.result_types import quantile_type

TYPES = [*INTEGER_RANGES, "DECIMAL(9,2)", "DECIMAL(38,4)", "FLOAT", "DOUBLE", "DATE", "TIMESTAMP"]


@pytest.mark.parametrize("name", TYPES)
def test_quantile_types(name: str) -> None:
    for function in ("median(x)", "quantile_cont(x, 0.25)"):
        described = duckdb.sql(f"DESCRIBE SELECT {function} FROM (SELECT NULL::{name} AS x)").fetchall()
        assert described[0][1] == quantile_type(parse_type(name))


def test_keywords_are_those_of_duckdb() -> None:
    known = {row[0] for row in duckdb.sql("SELECT keyword_name FROM duckdb_keywords()").fetchall()}
    assert known <= column_names.KEYWORDS


@pytest.mark.parametrize(
    "column", ["k", "K", '"a b"', '"größe"', '"1a"', '"x$"', "_x", "year", "date", '"end"']
)
def test_unnamed_aggregates(column: str) -> None:
    for text in (
        f"mode({column})",
        f"Median({column})",
        f"count({column})",
        f"quantile_disc(r.{column}, 0.5)",
    ):
        described = duckdb.sql(f"DESCRIBE SELECT {text} FROM (SELECT 1 AS {column}) AS r").fetchall()
        select = parse(f"SELECT {text} FROM r")
        assert isinstance(select, Select)
        assert column_names.name_of(select.expression.expressions[0]) == described[0][0]
