"""Text to one statement: queries, settings, what is refused and what is never said."""

from __future__ import annotations

import logging

import pytest
from sqlglot import exp

from dpduck import policies
from dpduck.compiler.parse import dialect
from dpduck.compiler.parse.dialect import AggregateTerms
from dpduck.compiler.parse.settings import SetOption
from dpduck.compiler.parse.statements import Explain, QueryOptions, Select, bind, parse
from dpduck.kernel.catalog.statements import ShowBudgetsFor, TableName
from dpduck.kernel.errors import DpduckError, SqlSyntaxError, UnsupportedSqlError
from tests.query.shop import open_shop, plan

DP = "WITH DIFFERENTIAL_PRIVACY OPTIONS"


def select(text: str) -> Select:
    parsed = parse(text)
    assert isinstance(parsed, Select)
    return parsed


def refusal(text: str) -> str:
    with pytest.raises(DpduckError) as caught:
        parse(text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("SELECT 1", exp.Select),
        (" ; SELECT 1; -- done", exp.Select),
        ("(SELECT 1)", exp.Select),
        ("FROM t", exp.Select),
        ("FROM t SELECT count(*)", exp.Select),
        ("WITH a AS (SELECT x FROM t) SELECT count(*) FROM a", exp.Select),
        ("SELECT 1 UNION ALL SELECT 2", exp.Union),
        ("(SELECT 1) EXCEPT (SELECT 2)", exp.Except),
        ("SELECT 1 INTERSECT SELECT 2", exp.Intersect),
        ("(SELECT x FROM t) LIMIT 3", exp.Subquery),
    ],
)
def test_queries(text: str, kind: type[exp.Expr]) -> None:
    assert type(select(text).expression) is kind
    explained = parse(f"EXPLAIN {text.strip(' ;')}")
    assert isinstance(explained, Explain)
    assert type(explained.select.expression) is kind


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SET dp_epsilon = 0.50", SetOption("dp_epsilon", "0.50")),
        ("set DP_DELTA to 1e-6", SetOption("dp_delta", "1e-6")),
        ("SET dp_epsilon = -1", SetOption("dp_epsilon", "-1")),
        ("SET dp_max_groups_contributed = 5", SetOption("dp_max_groups_contributed", "5")),
        ("SET dp_replay = on", SetOption("dp_replay", "on")),
        ("SET dp_replay = OFF", SetOption("dp_replay", "off")),
        ("SET dp_replay TO 'on'", SetOption("dp_replay", "on")),
        ("SET dp_replay = false", SetOption("dp_replay", "off")),
    ],
)
def test_settings(text: str, expected: object) -> None:
    assert parse(text) == expected


def test_settings_that_are_none() -> None:
    assert refusal("SET dp_replay = 5") == (
        "dp_replay is on or off\n"
        "DETAIL: On: a question that was answered before gets the same answer again. Nothing was charged.\n"
        "HINT: Write SET dp_replay = off."
    )
    assert refusal("SET dp_epsilon = (SELECT 1)") == (
        "a constant is expected here\n"
        "DETAIL: It must be a number or a string, as it stands. Nothing was charged.\n"
        "HINT: Write the value itself, such as 0.5."
    )


class TestOptions:
    def test_they_are_no_part_of_the_tree(self) -> None:
        with_options = select(f"SELECT {DP} (epsilon = 1, delta = 1e-6) page, count(*) FROM t GROUP BY page")
        assert with_options.options == QueryOptions("1", "1e-6")
        assert with_options.expression == select("SELECT page, count(*) FROM t GROUP BY page").expression

    @pytest.mark.parametrize(
        ("text", "options"),
        [
            ("epsilon = 0.10", QueryOptions("0.10")),
            ("max_groups_contributed = 2, privacy_unit_column = id", QueryOptions(groups=2, unit="id")),
            ('Privacy_Unit_Column = "a b"', QueryOptions(unit="a b")),
            ("epsilon = -1", QueryOptions("-1")),  # which its reader refuses
        ],
    )
    def test_values_are_as_written(self, text: str, options: QueryOptions) -> None:
        assert select(f"SELECT {DP} ({text}) count(*) FROM t").options == options

    @pytest.mark.parametrize(
        "text",
        [
            f"FROM t SELECT {DP} (epsilon = 1) count(*)",
            f"WITH a AS (SELECT x FROM t) SELECT {DP} (epsilon = 1) count(*) FROM a",
            f"(SELECT {DP} (epsilon = 1) count(*) FROM t)",
        ],
    )
    def test_the_outermost_select_has_them(self, text: str) -> None:
        assert select(text).options == QueryOptions("1")
        explained = parse(f"EXPLAIN {text}")
        assert isinstance(explained, Explain)
        assert explained.select.options == QueryOptions("1")

    def test_binding_keeps_them(self) -> None:
        parsed = select(f"SELECT {DP} (epsilon = 1) count(*) FROM t WHERE x = ?")
        assert bind(parsed, [1]).options == QueryOptions("1")

    @pytest.mark.parametrize(
        "text",
        [
            f"SELECT count(*) FROM (SELECT {DP} (epsilon = 1) x FROM t)",
            f"WITH a AS (SELECT {DP} (epsilon = 1) x FROM t) SELECT count(*) FROM a",
            f"SELECT {DP} (epsilon = 1) 1 UNION SELECT 2",
        ],
    )
    def test_a_part_of_a_query_has_none(self, text: str) -> None:
        assert refusal(text) == (
            "WITH DIFFERENTIAL_PRIVACY is not supported in a part of a query\n"
            "DETAIL: A query is answered as a whole, at one price. Nothing was charged.\n"
            "HINT: Write it after the first SELECT of the statement, or behind the last WITH."
        )

    def test_refusals_teach(self) -> None:
        assert refusal(f"SELECT {DP} (kappa = 1) 1") == (
            "DIFFERENTIAL_PRIVACY has no option kappa\n"
            "DETAIL: Its options are epsilon, delta, max_groups_contributed, privacy_unit_column, noise, "
            "interval, count, distinct_values, clamp. "
            "Nothing was charged.\nHINT: Leave it out."
        )
        assert refusal(f"SELECT {DP} (epsilon = 1, EPSILON = 2) 1") == (
            "option epsilon is given twice\nDETAIL: Nothing was charged.\nHINT: Leave one out."
        )
        assert refusal(f"SELECT {DP} (max_groups_contributed = 0) 1") == (
            "max_groups_contributed = 0 is not a bound on contributions\n"
            "DETAIL: It is a whole number from 1 to 1000000. Nothing was charged.\n"
            "HINT: Write max_groups_contributed = 5."
        )
        assert refusal(f"SELECT {DP} (privacy_unit_column = t.id) 1") == (
            "privacy_unit_column takes a column\n"
            "DETAIL: It is the column of the table's privacy key. Nothing was charged.\n"
            "HINT: Write privacy_unit_column = id, or leave it out."
        )
        assert "a constant is expected here" in refusal(f"SELECT {DP} (epsilon = ?) 1")
        assert "expecting OPTIONS (epsilon = 0.5, ...)" in refusal("SELECT WITH DIFFERENTIAL_PRIVACY 1")
        assert "expecting name = value" in refusal(f"SELECT {DP} (epsilon) 1")


class TestBoundsOfAggregates:
    @pytest.mark.parametrize(
        ("call", "bare", "per"),
        [
            ("sum(x, contribution_bounds_per_group => (0, -100))", "sum(x)", "group"),
            ("avg(x, CONTRIBUTION_BOUNDS_PER_ROW => (0, -100))", "avg(x)", "row"),
            ("count(*, contribution_bounds_per_group => (0, -100))", "count(*)", "group"),
            (
                "quantile_cont(x, 0.5, contribution_bounds_per_row => (0, -100))",
                "quantile_cont(x, 0.5)",
                "row",
            ),
        ],
    )
    def test_they_wrap_the_aggregate(self, call: str, bare: str, per: str) -> None:
        node = select(f"SELECT {call} FROM t").expression.selects[0]
        assert isinstance(node, AggregateTerms)
        assert node.this == select(f"SELECT {bare} FROM t").expression.selects[0]
        assert node.args["per"] == per
        assert (node.args["low"].sql(), node.args["high"].sql()) == ("0", "-100")

    def test_of_nested_calls_each_has_its_own(self) -> None:
        outer = select("SELECT sum(avg(x), contribution_bounds_per_row => (0, 1)) FROM t")
        (node,) = outer.expression.selects
        assert isinstance(node, AggregateTerms)
        assert node.this == exp.Sum(this=exp.Avg(this=exp.column("x")))
        inner = select("SELECT sum(avg(x, contribution_bounds_per_row => (0, 1))) FROM t")
        (node,) = inner.expression.selects
        assert isinstance(node, exp.Sum)
        assert isinstance(node.this, AggregateTerms)

    def test_a_share_of_epsilon_stands_beside_them(self) -> None:
        text = "SELECT sum(x, epsilon => 0.2, contribution_bounds_per_row => (0, 1)) FROM t"
        (node,) = select(text).expression.selects
        assert isinstance(node, AggregateTerms)
        assert (node.args["per"], node.args["epsilon"].sql()) == ("row", "0.2")
        assert "epsilon is given twice" in refusal("SELECT sum(x, epsilon => 1, epsilon => 1) FROM t")

    def test_there_are_two(self) -> None:
        text = refusal("SELECT sum(x, contribution_bounds_per_row => 5) FROM t")
        assert "contribution_bounds_per_row takes two bounds: (low, high)" in text


@pytest.mark.parametrize(
    "call",
    [
        "quantile_cont(x, 0.5, y)",
        "quantile_disc(x, 0.5, y)",
        "approx_quantile(x, 0.5, 1, 2, 3, y)",
        "max_by(x, y, 3, z)",
        "any_value(x, y)",
        "lpad(x, 1, 'a', y)",
        "date_trunc(x, y)",
    ],
)
def test_no_argument_is_dropped(call: str) -> None:
    with pytest.raises(SqlSyntaxError):
        parse(f"SELECT {call} FROM t")


@pytest.mark.parametrize(
    "source",
    [
        "TABLE(SNOWFLAKE.DATA_PRIVACY.ESTIMATE_REMAINING_DP_AGGREGATES('s.t'))",
        "TABLE(estimate_remaining_dp_aggregates('s.t'))",
        "ESTIMATE_REMAINING_DP_AGGREGATES('s.t')",
    ],
)
def test_snowflakes_estimate(source: str) -> None:
    assert parse(f"SELECT * FROM {source}") == ShowBudgetsFor(TableName("t", "s"))
    for text in (
        f"SELECT 1 FROM {source}",
        f"SELECT * FROM {source} LIMIT 1",
        f"SELECT * FROM {source} AS a",
    ):
        assert refusal(text) == (
            "this use of ESTIMATE_REMAINING_DP_AGGREGATES is not supported\n"
            "DETAIL: It takes the name of a table, and its answer is taken as it is. Nothing was charged.\n"
            "HINT: Write SELECT * FROM TABLE(ESTIMATE_REMAINING_DP_AGGREGATES('t'))."
        )


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", SqlSyntaxError),
        ("SELECT 1\0", SqlSyntaxError),
        ("SELECT 'a\0'", SqlSyntaxError),
        ("SELECT " + "(" * 5000 + "1" + ")" * 5000, SqlSyntaxError),
        ("SELECT " + "1" * 1_000_001, SqlSyntaxError),
        ("SELECT 1; SELECT 2", UnsupportedSqlError),
        ("SET dp_epsilon = 1_0", UnsupportedSqlError),
        ("SET dp_epsilon = (SELECT 1)", UnsupportedSqlError),
        ("SET GLOBAL dp_epsilon = 1", UnsupportedSqlError),
        ("SET dp_epsilon = 1, dp_delta = 0", UnsupportedSqlError),
        ("SET threads = 1", UnsupportedSqlError),
        ("EXPLAIN EXPLAIN SELECT 1", UnsupportedSqlError),
        ("EXPLAIN DROP TABLE t", UnsupportedSqlError),
        ("EXPLAIN ANALYZE SELECT 1", UnsupportedSqlError),
        ("EXPLAIN SHOW PRIVACY", UnsupportedSqlError),
        ("EXPLAIN VALUES (1)", UnsupportedSqlError),
        ("WITH a AS (SELECT 1) SHOW PRIVACY", SqlSyntaxError),
    ],
)
def test_refused(text: str, kind: type[DpduckError]) -> None:
    with pytest.raises(kind) as caught:
        parse(text)
    assert type(caught.value) is kind


@pytest.mark.parametrize("operand", ["a", "[1]", "NULL", "(a + 1)", "sum(a)", "+a"])
def test_a_sign_is_dropped_before_numbers_alone(operand: str) -> None:
    """In DuckDB + makes an empty list of a list that is NULL, and takes no text."""
    assert "a sign + before an expression" in refusal(f"SELECT +{operand} FROM t")
    assert (
        select("SELECT +1, 2 * +0.5, +(-3) FROM t").expression.sql("duckdb")
        == "SELECT 1, 2 * 0.5, (-3) FROM t"
    )


def test_odd_blanks_are_fine_in_quotes() -> None:
    assert isinstance(parse("SELECT count(*) FROM t WHERE c = 'a\u00a0\u200bb'"), Select)
    with pytest.raises(SqlSyntaxError) as caught:
        parse("SELECT 'x',\u00a01")
    assert caught.value.position == 12


def test_nothing_is_logged(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    with caplog.at_level(logging.DEBUG):
        for text in (
            "VACUUM FULL x",
            "SHOW DATABASES",
            "SELECT a -> '$.x[' FROM t",
            "CALL f()",
            "ALTER VIEW v RENAME TO w",
            "CREATE PRIVACY x",
            "CREATE SOMETHING odd",
            "DROP SOMETHING odd",
        ):
            try:
                parse(text)
            except DpduckError:
                continue
    assert caplog.records == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
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
        plan(f"SELECT count(*) FROM visits WHERE {where}", policies.load_catalog(shop))


@pytest.mark.parametrize(
    "where",
    [
        " AND ".join(["age > 5"] * 8000),
        "(" * 150 + "age > 5" + ")" * 150,
        "NOT " * 150 + "ok",
        f"age IN ({', '.join(map(str, range(10_001)))})",
        f"page LIKE '{'a' * 1001}'",
    ],
)
@pytest.mark.slow
def test_too_large_conditions(where: str) -> None:
    with open_shop() as shop, pytest.raises((UnsupportedSqlError, SqlSyntaxError)):
        plan(f"SELECT count(*) FROM visits WHERE {where}", policies.load_catalog(shop))


@pytest.mark.parametrize("name", ['"C"', '"POSIX"'])
def test_the_collation_that_all_text_has_may_be_named(name: str) -> None:
    plain = select("SELECT count(*) FROM t WHERE s = 'a' AND 'b' < r")
    assert select(f"SELECT count(*) FROM t WHERE s = 'a' COLLATE {name} AND 'b' COLLATE {name} < r") == plain


@pytest.mark.parametrize("name", ["C", '"c"', "nocase", '"de"', '"C".nocase'])
def test_no_other_collation_is_left_out(name: str) -> None:
    query = select(f"SELECT count(*) FROM t WHERE s = 'a' COLLATE {name}").expression
    assert query.find(exp.Collate) is not None


def test_compiled_parsers_are_told_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """With sqlglotc 30.30.0, which sqlglot[c] installs, every class that extends a parser fails like this."""

    def refuse(*_: object, **__: object) -> None:
        raise TypeError("interpreted classes cannot inherit from compiled")

    monkeypatch.setattr(dialect.DpduckParser, "__init__", refuse)
    dialect._check_sqlglot.cache_clear()
    try:
        assert "pip uninstall sqlglotc" in refusal("SELECT 1")
    finally:
        monkeypatch.undo()
        dialect._check_sqlglot.cache_clear()
    assert select("SELECT 1")
