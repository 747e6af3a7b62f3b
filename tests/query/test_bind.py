"""Parameters to literals, on the tree."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import pytest

from dpduck.compiler.parse.statements import Parameters, Select, bind, parse
from dpduck.kernel.errors import ParameterError


def query(where: str) -> Select:
    parsed = parse(f"SELECT count(*) FROM visits WHERE {where}")
    assert isinstance(parsed, Select)
    return parsed


@pytest.mark.parametrize(
    ("where", "values", "same"),
    [
        ("age > ?", [5], "age > 5"),
        ("age > $1 AND age < $1", [5], "age > 5 AND age < 5"),
        ("age > $low", {"low": -5}, "age > -5"),
        ("amount < ?", [Decimal("1.25")], "amount < 1.25"),
        ("x < ?", [0.1], "x < 0.1"),
        ("page = ?", ["'; DROP TABLE visits; --"], "page = '''; DROP TABLE visits; --'"),
        ("ok = ?", [True], "ok = TRUE"),
        ("day = ?", [date(2024, 1, 2)], "day = DATE '2024-01-02'"),
        ("moment = ?", [datetime(2024, 1, 2, 3, 4, 5, 6)], "moment = TIMESTAMP '2024-01-02 03:04:05.000006'"),
        ("page = ?", [None], "page = NULL"),
    ],
)
def test_parameters_become_literals(where: str, values: Parameters, same: str) -> None:
    assert bind(query(where), values).expression.sql("duckdb") == query(same).expression.sql("duckdb")


@pytest.mark.parametrize(
    ("where", "values"),
    [
        ("age > ?", []),
        ("age > ?", None),
        ("age > ?", [1, 2]),
        ("age > 1", [1]),
        ("age > $2", [1, 2]),
        ("age > $a", {"b": 1}),
        ("age > ? AND age > $1", [1]),
        ("age > ?", [float("nan")]),
        ("age > ?", [float("inf")]),
        ("age > ?", [Decimal("NaN")]),
        ("age > ?", [b"x"]),
        ("age > ?", [[1]]),
        ("page = ?", ["a\0"]),
        ("page = ?", "a"),
    ],
)
def test_wrong_parameters(where: str, values: Parameters) -> None:
    with pytest.raises(ParameterError):
        bind(query(where), values)


@pytest.mark.parametrize("value", [10**6000, "\ud800", "\0"], ids=["long", "half", "nul"])
def test_values_that_cannot_be_written(value: object) -> None:
    with pytest.raises(ParameterError):
        bind(query("age > ?"), [value])  # type: ignore[list-item]


def test_binding_leaves_the_statement_as_it_is() -> None:
    select = query("age > ?")
    assert bind(select, [1]) != bind(select, [2])
    assert select == query("age > ?")


def test_set_operations_take_parameters() -> None:
    parsed = parse("SELECT ? UNION SELECT ?")
    assert isinstance(parsed, Select)
    assert bind(parsed, [1, 2]).expression.sql("duckdb") == "SELECT 1 UNION SELECT 2"


@pytest.mark.parametrize(
    "text",
    [
        "SELECT page, count(*) AS n FROM visits WHERE age > ? GROUP BY page ORDER BY n DESC LIMIT ?",
        "SELECT count(*) FROM visits WHERE (age > ? AND uid < ?) AND amount = ?",
        "SELECT count(*) FROM visits WHERE age > ? OR (uid IN (?, ?) AND NOT (a = ? OR a < ?)) OR uid = ?",
        "WITH t AS (SELECT page, count(*) AS n FROM visits WHERE age > ? GROUP BY page) "
        "SELECT page, n + ? FROM t WHERE n > ? LIMIT ? OFFSET ?",
        "SELECT count(*) FROM v WHERE a > (SELECT max(x) FROM p WHERE x < ?) AND b = ? AND a BETWEEN ? AND ?",
        "SELECT CASE WHEN count(*) > ? THEN ? ELSE ? END FROM visits WHERE age > ? HAVING count(*) > ?",
        "SELECT count(*) FILTER (WHERE age > ?) FROM v WHERE page LIKE ? GROUP BY page HAVING count(*) > ?",
    ],
)
def test_a_parameter_without_a_name_is_numbered_by_its_place_in_the_text(text: str) -> None:
    """sqlglot's tree has LIMIT before WHERE, and outer conditions before inner ones."""
    parts = text.split("?")
    values = list(range(101, 100 + len(parts)))
    literal = "".join(part + str(value) for part, value in zip(parts, [*values, ""], strict=True))
    found, expected = parse(text), parse(literal)
    assert isinstance(found, Select)
    assert isinstance(expected, Select)
    assert bind(found, values).expression.sql("duckdb") == bind(expected, None).expression.sql("duckdb")
