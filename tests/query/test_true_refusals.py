"""A refusal says what is so, on each version of DuckDB, and what it says to write is understood."""

from __future__ import annotations

import duckdb
import pytest
from sqlglot import exp

from dpduck import policies
from dpduck.compiler.functions.refusals import OF_OTHERS, of_function
from tests.query.refusing import error_of, open_views, understand

CONDITION = "SELECT count(*) FROM visits WHERE {}"

# What is refused, a query or a condition, what the refusal may not say, and the same as it is understood.
REFUSED = {
    "a name of the query around a subquery over private rows": (
        "SELECT name, (SELECT count(*) FROM visits v WHERE v.page = s.name) FROM shops s",
        "there is no table",
        "SELECT s.name, n FROM shops s LEFT JOIN (SELECT page, count(*) AS n FROM visits GROUP BY page) v "
        "ON v.page = s.name",
    ),
    "the same without aliases": (
        "SELECT name, (SELECT count(*) FROM visits WHERE visits.page = shops.name) FROM shops",
        "there is no table",
        "SELECT name, n FROM shops LEFT JOIN (SELECT page, count(*) AS n FROM visits GROUP BY page) v "
        "ON page = name",
    ),
    "a text as a list": (
        "page = ANY ('{a,b}'::text[])",
        "a subquery",
        "page IN ('a', 'b')",
    ),
    "a call as a list": (
        "page = ANY (string_split('a,b', ','))",
        "a subquery",
        "page IN ('a')",
    ),
    "not in a list": (
        "page <> ALL ('{a,b}'::text[])",
        "function",
        "page NOT IN ('a', 'b')",
    ),
    "above some": ("age > ANY (ARRAY[1, 2])", "a subquery", "age > 1 OR age > 2"),
    "a converted constant": (
        "age IN ('2'::INTEGER)",
        "reveal",
        "age = CAST('2' AS INTEGER)",
    ),
    "a rounded constant": (
        "amount IN (2.5::DECIMAL(5,1), 3)",
        "reveal",
        "amount = CAST(2.5 AS DECIMAL(5, 1)) OR amount = 3",
    ),
    "a computed constant": (
        "age IN (1, power(2, 2))",
        "reveal",
        "age = 1 OR age = power(2, 2)",
    ),
    "columns of the same row": (
        "age IN (score, tiny)",
        "reveal",
        "age = score OR age = tiny",
    ),
    "no constants": ("age IN ()", "at most", "FALSE"),
    "constants of VALUES": ("age IN (VALUES (1), (2))", "reveal", "age IN (1, 2)"),
    "constants of a SELECT": (
        "page IN (SELECT unnest(['a']))",
        "nothing to protect",
        "page IN ('a')",
    ),
    "fmod": ("fmod(x, 2) > 1", "mode", "x - 2 * floor(x / 2) > 1 AND x % 2 > 1"),
    "round_even": ("round_even(x, 1) > 1", "CASE", "round(x, 1) > 1"),
    "fdiv": ("fdiv(x, 2) > 1", "CASE", "floor(x / 2) > 1"),
    "one of several patterns": (
        "page LIKE ANY (ARRAY['a%', 'b%'])",
        "private rows",
        "page LIKE 'a%' OR page LIKE 'b%'",
    ),
    "a part of a date": (
        "extract(julian FROM day) > 1",
        "is not a unit of time",
        "extract(year FROM day) > 1",
    ),
    "age of two timestamps": ("age(moment, moment) > 1", "clock", "date_diff('day', moment, moment) > 1"),
    "a number of seconds": (
        "to_timestamp(age) > '2024-01-01'",
        "a text of another form",
        "age >= 1704067200",
    ),
    "iff": ("iff(age > 3, 1, 0) = 1", "CASE", "if(age > 3, 1, 0) = 1"),
    "zeroifnull": ("zeroifnull(age) = 1", "CASE", "coalesce(age, 0) = 1"),
    "format_date": ("format_date('%Y', day) = '2024'", "format_bytes", "strftime(day, '%Y') = '2024'"),
    "parse_date": (
        "parse_date('%F', page) > '2024-01-01'",
        "make_date",
        "TRY_CAST(page AS DATE) > '2024-01-01'",
    ),
    "approx_quantiles": (
        "SELECT approx_quantiles(age, 4) FROM visits",
        "Use count(*)",
        "SELECT quantile_cont(age, [0.25, 0.5, 0.75]) FROM visits",
    ),
    "anon_count": ("SELECT anon_count(*) FROM visits", "Use another", "SELECT count(*) FROM visits"),
    "wavg": (
        "SELECT wavg(x, score) FROM visits",
        "leave it out",
        "SELECT sum(x * score) / sum(score) FROM visits",
    ),
}

# Forms of other dialects that are no SQL here, what is to be said, and the same as it is understood.
ELSEWHERE = {
    "SELECT TOP 5 page, count(*) FROM visits GROUP BY page": (
        "LIMIT 5",
        "SELECT page, count(*) FROM visits GROUP BY page LIMIT 5",
    ),
    "SELECT WITH ANONYMIZATION OPTIONS (epsilon = 1) page, anon_count(*) FROM visits GROUP BY page": (
        "WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.5)",
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.5) page, count(*) FROM visits GROUP BY page",
    ),
    "SELECT anon_sum(age CLAMPED BETWEEN 0 AND 10) FROM visits": (
        "sum(x, contribution_bounds_per_group => (0, 10))",
        "SELECT sum(age, contribution_bounds_per_group => (0, 10)) FROM visits",
    ),
    "age > 1_000": ("such as 1000", "age > 1000"),
    "datediff(day, day, DATE '2024-01-31') > 3": (
        "date_diff('day', a, b)",
        "date_diff('day', day, DATE '2024-01-31') > 3",
    ),
    "decode(page, 'a', 1, 'b', 2) = 1": ("CASE x WHEN 'a'", "CASE page WHEN 'a' THEN 1 ELSE 0 END = 1"),
    "regexp_extract(page, 'B', 0, 'i') = 'b'": (
        "regexp_extract(lower(x)",
        "regexp_extract(lower(page), '([a-z]+)', 1) = 'b'",
    ),
}

# What refusals say to write for macros, beside the macro: both are computed.
INSTEAD = {
    "wavg": ("wavg(x, y)", "sum(x * y) / sum(y)"),
    "geomean": ("geomean(x)", "exp(avg(ln(x)))"),
    "fdiv": ("sum(fdiv(x, y))", "sum(floor(x / y))"),
    "fmod": ("sum(fmod(-x, y))", "sum(-x - y * floor(-x / y))"),
    "array_pop_back": ("array_pop_back(list(x ORDER BY x))", "list(x ORDER BY x)[:-2]"),
    "array_pop_front": ("array_pop_front(list(x ORDER BY x))", "list(x ORDER BY x)[2:]"),
    "array_push_back": ("array_push_back(list(x ORDER BY x), 1)", "list_append(list(x ORDER BY x), 1)"),
    "array_push_front": ("array_push_front(list(x ORDER BY x), 1)", "list_prepend(1, list(x ORDER BY x))"),
}


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    return open_views()


@pytest.mark.parametrize(("text", "untrue", "instead"), REFUSED.values(), ids=REFUSED)
def test_refused(text: str, untrue: str, instead: str, connection: duckdb.DuckDBPyConnection) -> None:
    catalog = policies.load_catalog(connection)
    query, other = (one if one.startswith("SELECT") else CONDITION.format(one) for one in (text, instead))
    assert untrue not in str(error_of(query, connection, catalog))
    assert understand(other, connection, catalog) is not None


@pytest.mark.parametrize("text", ELSEWHERE)
def test_what_other_dialects_write_is_named(text: str, connection: duckdb.DuckDBPyConnection) -> None:
    catalog, (said, instead) = policies.load_catalog(connection), ELSEWHERE[text]
    query, other = (one if one.startswith("SELECT") else CONDITION.format(one) for one in (text, instead))
    assert said in str(error_of(query, connection, catalog))
    assert understand(other, connection, catalog) is not None


def test_what_is_called_a_macro_is_one() -> None:
    """In all versions of DuckDB, or, as it says, until DuckDB 2."""
    rows = duckdb.execute("SELECT function_name, function_type FROM duckdb_functions()").fetchall()
    kinds = dict(rows)
    said = {name: str(of_function(name, exp.Anonymous(this=name))) for name in kinds if name[0].isalpha()}
    now = {name for name, text in said.items() if "It is a macro" in text}
    once = {name for name, text in said.items() if "was a macro until DuckDB 2" in text}
    assert now and once
    assert {kinds[name] for name in now} == {"macro"}
    assert {kinds[name] for name in once} == {"macro" if duckdb.__version__.startswith("1.") else "scalar"}


def test_functions_that_are_said_to_be_of_others_are_not_in_duckdb() -> None:
    found = duckdb.execute("SELECT function_name FROM duckdb_functions()").fetchall()
    assert not {name for _, names in OF_OTHERS for name in names.split()} & {name for (name,) in found}


@pytest.mark.parametrize("name", INSTEAD)
def test_what_stands_in_for_a_macro_is_the_same(name: str) -> None:
    rows = "FROM (VALUES (1.5::DOUBLE, 2::DOUBLE), (7, 3), (4, 5)) t(x, y)"
    macro, plain = INSTEAD[name]
    [(one, other)] = duckdb.execute(f"SELECT {macro}, {plain} {rows}").fetchall()
    assert one == pytest.approx(other)
