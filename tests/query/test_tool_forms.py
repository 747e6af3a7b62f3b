"""Forms that tools write around constants are those constants, and nothing else is taken for one."""

from __future__ import annotations

import duckdb
import pytest
from sqlglot import exp

import dpduck
from dpduck.compiler.parse.bind import bind_tree
from dpduck.compiler.parse.statements import Select, parse

PLAIN = [
    ("d >= (SELECT DATE '2024-01-31')", "d >= (DATE '2024-01-31')"),
    (
        "d >= ((SELECT ((SELECT DATE '2024-01-31') - INTERVAL '1 day')))",
        "d >= (((DATE '2024-01-31') - INTERVAL '1 day'))",
    ),
    ("d >= current_date + (-30 || ' day')::INTERVAL", "d >= current_date + INTERVAL '-30 day'"),
    ("d >= current_date - '2 Weeks'::INTERVAL", "d >= current_date - INTERVAL '2 week'"),
    ("d >= current_date + ('-' || '30 day')::INTERVAL", "d >= current_date + INTERVAL '-30 day'"),
    ("n > '100'::NUMERIC", "n > 100"),
    ("n BETWEEN '-1.5'::NUMERIC AND (2.25::NUMERIC)", "n BETWEEN -1.5 AND (2.25)"),
]
KEPT = [
    "n > (SELECT random())",  # computed once, not for each row
    "n > (SELECT 5 LIMIT 0)",
    "n > (SELECT 5 WHERE false)",
    "n > (SELECT 5 UNION SELECT 6)",
    "n > (SELECT max(5))",
    "n > (SELECT n)",
    "n IN (SELECT 5 FROM t)",
    "n > '1.23456'::NUMERIC",  # which DuckDB rounds
    "n > '12345678901234567'::NUMERIC",
    "n > '0.1'::DOUBLE",
    "d > current_date - ('1 day' || ' 2 hours')::INTERVAL",
    "d > current_date - '1 day 2 hours'::INTERVAL",
]
_TABLE = "FROM (SELECT DATE '2024-01-01' + i::INTEGER AS d, i / 4 - 3 AS n FROM range(60) AS r(i)) AS t"


def condition(text: str) -> exp.Expr:
    read = parse(f"SELECT 1 {_TABLE} WHERE {text}")
    assert isinstance(read, Select)
    where = bind_tree(read.expression, None).args["where"]
    assert isinstance(where, exp.Where)
    return where.this


@pytest.mark.parametrize(("written", "plain"), PLAIN)
def test_a_form_is_its_constant(written: str, plain: str) -> None:
    assert condition(written) == condition(plain)
    ((wrong,),) = duckdb.sql(
        f"SELECT count(*) {_TABLE} WHERE ({written}) IS DISTINCT FROM ({condition(written).sql('duckdb')})"
    ).fetchall()
    assert wrong == 0


@pytest.mark.parametrize("beside", ["7", "-7", "3000000000", "'7'", "2.5", "NULL", "DATE '2024-01-31'"])
def test_a_constant_in_a_query_of_its_own_has_its_own_type(beside: str) -> None:
    written = f"(SELECT {beside}) IS NOT NULL"
    constant = condition(written).find(exp.Paren)
    assert constant is not None
    alone, within = f"typeof((SELECT {beside}))", f"typeof({constant.sql('duckdb')})"
    ((expected, found),) = duckdb.sql(f"SELECT {alone}, {within}").fetchall()
    assert found == expected


def test_it_takes_no_type_from_what_it_stands_beside() -> None:
    """With that of t, (SELECT 7) * t had no value above 127."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE shown AS SELECT 100::TINYINT AS t")
        db = dpduck.connect(connection)
        db.execute("ALTER TABLE shown SET PUBLIC")
        assert db.execute("SELECT (SELECT 7) * t FROM shown").fetchall() == [(700,)]
        with pytest.raises(dpduck.DpduckError, match="an explicit cast is required"):
            db.execute("SELECT count(*) FROM shown WHERE current_date > (SELECT '2024-01-01')")


@pytest.mark.parametrize("written", KEPT)
def test_what_is_no_constant_stays(written: str) -> None:
    found = condition(written)
    assert found.find(exp.Subquery, exp.Query, exp.Cast) is not None


@pytest.mark.parametrize(
    ("written", "read_as"),
    [("0.5::DOUBLE PRECISION", "0.5"), ("0.45::REAL", "0.44999998807907104"), ("0.45::DOUBLE", "0.45")],
)
def test_the_fraction_of_a_quantile(written: str, read_as: str) -> None:
    """A REAL of 0.45 is a little less: over a column of doubles DuckDB 1.5.5 and 2.0.1 show it."""
    read = parse(f"SELECT percentile_cont({written}) WITHIN GROUP (ORDER BY n) {_TABLE}")
    assert isinstance(read, Select)
    fraction = bind_tree(read.expression, None).find(exp.PercentileCont)
    assert fraction is not None
    assert fraction.this == exp.Literal.number(read_as)


def test_a_value_in_the_list_keeps_its_type() -> None:
    read = parse(f"SELECT '100'::NUMERIC {_TABLE}")
    assert isinstance(read, Select)
    assert bind_tree(read.expression, None).find(exp.Cast) is not None


@pytest.mark.parametrize(
    "written",
    [
        "INTERVAL 1 DAY + '2024-01-01'::DATE",
        "INTERVAL '1 day' + '12:00:00'::TIME",
        "INTERVAL '1' DAY + INTERVAL '2 hours'",
        "DATE '2024-01-01' + INTERVAL (1) DAY - '2 hours'::INTERVAL",
    ],
)
def test_what_is_added_to_an_interval_is_what_is_written(written: str) -> None:
    with duckdb.connect() as connection:
        db = dpduck.connect(connection)
        expected = connection.execute(f"SELECT {written}").fetchall()
        assert db.execute(f"SELECT {written}").fetchall() == expected


@pytest.mark.parametrize(
    "written", ["INTERVAL 1 DAY + 3", "INTERVAL '1 day' + '2 hours'", "INTERVAL 1 DAY '2 hours'"]
)
def test_an_interval_is_one(written: str) -> None:
    """As DuckDB reads it: the parser took what stands behind for another."""
    with pytest.raises(duckdb.Error):
        duckdb.sql(f"SELECT {written}")
    with duckdb.connect() as connection, pytest.raises(dpduck.DpduckError):
        dpduck.connect(connection).execute(f"SELECT {written}")
