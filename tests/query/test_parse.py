"""Text to one statement, and parameters to literals."""

from __future__ import annotations

import logging
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from dpduck import policies
from dpduck.errors import DpduckError, ParameterError, SqlSyntaxError, UnsupportedSqlError
from dpduck.query.parse import Explain, Parameters, Select, SetOption, ShowPrivacy, bind, parse
from dpduck.statements import (
    AddPrivacyKey,
    DomainRange,
    DomainValues,
    DropPrivacyKey,
    SetPrivacyDomain,
    SetPublic,
    TableName,
)
from tests.query.shop import open_shop, plan

T = TableName("t")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ALTER TABLE t ADD PRIVACY_KEY (col)", AddPrivacyKey(T, "col")),
        ('alter table main."T x" add privacy_key ("a ""b")', AddPrivacyKey(TableName("T x", "main"), 'a "b')),
        ("ALTER TABLE t DROP PRIVACY_KEY;", DropPrivacyKey(T)),
        ("ALTER TABLE t SET PUBLIC", SetPublic(T)),
        (
            "ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN ('a', -1, 2.50, TRUE)",
            SetPrivacyDomain(T, "c", DomainValues(("a", -1, Decimal("2.50"), True))),
        ),
        (
            "ALTER TABLE t ALTER c SET PRIVACY DOMAIN BETWEEN (0, 100) STEP 5",
            SetPrivacyDomain(T, "c", DomainRange(0, 100, 5)),
        ),
        (
            "ALTER TABLE t ALTER COLUMN order SET PRIVACY DOMAIN BETWEEN (DATE '2024-01-01', '2024-12-31')",
            SetPrivacyDomain(T, "order", DomainRange(date(2024, 1, 1), "2024-12-31")),
        ),
        ("SET dp_epsilon = 0.50", SetOption("dp_epsilon", "0.50")),
        ("set DP_DELTA to 1e-6", SetOption("dp_delta", "1e-6")),
        ("SET dp_epsilon = -1", SetOption("dp_epsilon", "-1")),
        ("show privacy", ShowPrivacy()),
    ],
)
def test_statements(text: str, expected: object) -> None:
    assert parse(text) == expected


def test_queries() -> None:
    assert isinstance(parse("SELECT 1"), Select)
    assert isinstance(parse(" ; SELECT 1; -- done"), Select)
    assert isinstance(parse("EXPLAIN SELECT count(*) FROM t"), Explain)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", SqlSyntaxError),
        ("SELECT 1\0", SqlSyntaxError),
        ("SELECT 'a\0'", SqlSyntaxError),
        ("SELECT " + "(" * 5000 + "1" + ")" * 5000, SqlSyntaxError),
        ("SELECT " + "1" * 1_000_001, SqlSyntaxError),
        ("SELECT 1; SELECT 2", UnsupportedSqlError),
        ("ALTER TABLE t ADD PRIVACY_KEY (a, b)", SqlSyntaxError),
        ("ALTER TABLE t SET PUBLIC now", SqlSyntaxError),
        ("ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN REFERENCES p(c)", UnsupportedSqlError),
        ("ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN BETWEEN (1, 2, 3)", SqlSyntaxError),
        ("ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN (random())", UnsupportedSqlError),
        ("ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN ((SELECT 1))", UnsupportedSqlError),
        ("SET dp_epsilon = 1_0", UnsupportedSqlError),
        ("SET dp_epsilon = (SELECT 1)", UnsupportedSqlError),
        ("SET GLOBAL dp_epsilon = 1", UnsupportedSqlError),
        ("SET dp_epsilon = 1, dp_delta = 0", UnsupportedSqlError),
        ("EXPLAIN EXPLAIN SELECT 1", UnsupportedSqlError),
        ("EXPLAIN DROP TABLE t", UnsupportedSqlError),
    ],
)
def test_refused(text: str, kind: type[DpduckError]) -> None:
    with pytest.raises(kind) as caught:
        parse(text)
    assert type(caught.value) is kind


def test_odd_blanks_are_fine_in_quotes() -> None:
    assert isinstance(parse("SELECT count(*) FROM t WHERE c = 'a\u00a0\u200bb'"), Select)
    with pytest.raises(SqlSyntaxError) as caught:
        parse("SELECT 'x',\u00a01")
    assert caught.value.position == 12


def test_nothing_is_logged(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    with caplog.at_level(logging.DEBUG):
        for text in (
            "VACUUM FULL x",
            "SHOW TABLES",
            "SELECT a -> '$.x[' FROM t",
            "CALL f()",
            "ALTER VIEW v RENAME TO w",
        ):
            try:
                parse(text)
            except DpduckError:
                continue
    assert caplog.records == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("where", "values", "literal"),
    [
        ("age > ?", [5], "> 5"),
        ("age > $1 AND age < $1", [5], "> 5"),
        ("age > $low", {"low": -5}, ">= CAST('-5'"),
        ("amount < ?", [Decimal("1.25")], "CAST('1.25' AS DECIMAL(9,2))"),
        ("x < ?", [0.1], "CAST('0.1' AS DOUBLE)"),
        ("page = ?", ["'; DROP TABLE visits; --"], "'''; DROP TABLE visits; --'"),
        ("ok = ?", [True], "= TRUE"),
        ("day = ?", [date(2024, 1, 2)], "DATE '2024-01-02'"),
        ("moment = ?", [datetime(2024, 1, 2, 3, 4, 5, 6)], "TIMESTAMP '2024-01-02 03:04:05.000006'"),
        ("page = ?", [None], "CAST(NULL AS BOOLEAN)"),
    ],
)
def test_parameters_become_literals(where: str, values: Parameters, literal: str) -> None:
    with open_shop() as shop:
        made = plan(f"SELECT count(*) FROM visits WHERE {where}", policies.load_catalog(shop), values)
        shop.execute(made.score_sql)
    assert literal.replace(">= CAST", "> CAST") in made.score_sql


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
        ("moment > ?", [datetime(2024, 1, 1, tzinfo=UTC)]),
        ("page = ?", "a"),
    ],
)
def test_wrong_parameters(where: str, values: Parameters) -> None:
    select = parse(f"SELECT count(*) FROM visits WHERE {where}")
    assert isinstance(select, Select)
    with pytest.raises(ParameterError):
        bind(select, values)


def test_binding_leaves_the_statement_as_it_is() -> None:
    select = parse("SELECT count(*) FROM visits WHERE age > ?")
    assert isinstance(select, Select)
    assert bind(select, [1]) != bind(select, [2])


@pytest.mark.parametrize("value", [10**6000, "\ud800", "\0"], ids=["long", "half", "nul"])
def test_values_that_cannot_be_written(value: object) -> None:
    select = parse("SELECT count(*) FROM visits WHERE age > ?")
    assert isinstance(select, Select)
    with pytest.raises(ParameterError):
        bind(select, [value])  # type: ignore[list-item]


@pytest.mark.parametrize(
    "where",
    [
        " AND ".join(["age > 5"] * 3000),
        " OR ".join(["age > 5"] * 3000),
        "(" * 30 + "age > 5" + ")" * 30,
        "NOT " * 40 + "ok",
        f"age IN ({', '.join(map(str, range(1000)))})",
    ],
)
def test_large_conditions(where: str) -> None:
    with open_shop() as shop:
        made = plan(f"SELECT count(*) FROM visits WHERE {where}", policies.load_catalog(shop))
        assert len(shop.execute(made.score_sql).fetchall()) == 1


@pytest.mark.parametrize(
    "where",
    [
        " AND ".join(["age > 5"] * 8000),
        "(" * 150 + "age > 5" + ")" * 150,
        "NOT " * 150 + "ok",
        f"age IN ({', '.join(map(str, range(1001)))})",
        f"page LIKE '{'a' * 1001}'",
    ],
)
def test_too_large_conditions(where: str) -> None:
    with open_shop() as shop, pytest.raises((UnsupportedSqlError, SqlSyntaxError)):
        plan(f"SELECT count(*) FROM visits WHERE {where}", policies.load_catalog(shop))
