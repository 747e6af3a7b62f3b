"""The types that parameters are said to have before there are values."""

from __future__ import annotations

import pytest

from dpduck.compiler.parse.parameters import ParameterType, parameters_of
from dpduck.kernel.catalog.model import Catalog, Column, RangeDomain, Table
from dpduck.kernel.errors import ParameterError, SqlSyntaxError

COLUMNS = (
    Column("id", "BIGINT"),
    Column("name", "VARCHAR"),
    Column("age", "INTEGER", RangeDomain(0, 90, 1)),
    Column("born", "DATE"),
    Column("amount", "DECIMAL(9,2)"),
    Column("vip", "BOOLEAN"),
)
OTHER = (Column("id", "INTEGER"), Column("seen", "TIMESTAMP"))
CATALOG = Catalog(
    (
        Table("shop", "main", "people", COLUMNS, unit="id"),
        Table("shop", "main", "visits", OTHER, public=True),
    )
)


def types(sql: str) -> list[str]:
    return [wanted.type for wanted in parameters_of(sql, CATALOG)]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("age = $1", ["INTEGER"]),
        ("$1 = age", ["INTEGER"]),
        ("AGE >= $1 AND name = $2", ["INTEGER", "VARCHAR"]),
        ("name = $2 AND age = $1", ["INTEGER", "VARCHAR"]),
        ("born BETWEEN $1 AND $2", ["DATE", "DATE"]),
        ("age IN ($1, $2)", ["INTEGER", "INTEGER"]),
        ("age = ANY ($1)", ["INTEGER[]"]),
        ("name LIKE $1", ["VARCHAR"]),
        ("amount > -($1)", ["DECIMAL(9,2)"]),
        ("age + $1 > 3", ["INTEGER"]),
        ("age > CAST($1 AS SMALLINT)", ["SMALLINT"]),
        ("age > $1::INT", ["INTEGER"]),
        ("born < $1::timestamp", ["TIMESTAMP"]),
        ("length(name) > $1", ["BIGINT"]),
        ("extract(year FROM born) = $1", ["BIGINT"]),
        ("date_trunc('month', born) = $1", ["TIMESTAMP"]),
        ("vip = $1", ["BOOLEAN"]),
        ("age = ? AND name = ?", ["INTEGER", "VARCHAR"]),
        ("age = $1 AND id = $1", ["INTEGER"]),
        ("age = $2", ["VARCHAR", "INTEGER"]),
        ("nothing = $1", ["VARCHAR"]),
        ("3 < $1", ["BIGINT"]),
        ("2.5 < $1", ["DOUBLE"]),
        ("age = 3", []),
        ("name = '$1'", []),
    ],
)
def test_conditions(condition: str, expected: list[str]) -> None:
    assert types(f"SELECT count(*) FROM people WHERE {condition}") == expected


def test_other_places() -> None:
    assert types("SELECT name, count(*) FROM people GROUP BY name HAVING count(*) > $1") == ["BIGINT"]
    assert (
        types("SELECT name, count(*) FROM people GROUP BY name ORDER BY 2 LIMIT $1 OFFSET $2")
        == ["BIGINT"] * 2
    )
    assert types("SELECT name, count(*) AS n FROM people GROUP BY name HAVING n > $1") == ["BIGINT"]
    assert types("WITH x AS (SELECT * FROM people) SELECT count(*) FROM x WHERE age = $1") == ["INTEGER"]


def test_a_name_that_two_tables_have_with_two_types_is_taken_for_text() -> None:
    sql = "SELECT count(*) FROM people p JOIN visits v ON p.id = v.id WHERE {} = $1"
    assert types(sql.format("p.id")) == ["VARCHAR"]
    assert types(sql.format("seen")) == ["TIMESTAMP"]


def test_an_example_is_a_public_value() -> None:
    assert parameters_of("SELECT count(*) FROM people WHERE age = $1", CATALOG) == (
        ParameterType("INTEGER", 0),
    )
    assert parameters_of("SELECT count(*) FROM people WHERE name = $1", CATALOG) == (
        ParameterType("VARCHAR"),
    )
    [limit] = parameters_of("SELECT name FROM people LIMIT $1", CATALOG)
    assert limit.example == 1


def test_what_is_no_query_has_none() -> None:
    for sql in ("SET dp_epsilon = 1", "SHOW PRIVACY", "EXPLAIN SELECT count(*) FROM people WHERE age = $1"):
        assert types(sql) == []
    with pytest.raises(SqlSyntaxError):
        types("SELECT $1 FROM")


def test_as_many_as_there_may_be() -> None:
    assert len(types("SELECT count(*) FROM people WHERE age = $1000")) == 1_000
    for number in ("1001", "65536", "99999999999", "9" * 5_000):
        with pytest.raises(ParameterError, match="at most 1000 parameters"):
            types(f"SELECT count(*) FROM people WHERE age = ${number}")
