"""Names and types of results against DuckDB itself."""

from __future__ import annotations

import duckdb
import pytest

import dpduck
from dpduck.compiler.parse.statements import Select, parse
from dpduck.compiler.write import column_names
from dpduck.compiler.write.result_types import quantile_type
from dpduck.kernel.catalog.types import INTEGER_RANGES, parse_type
from dpduck.kernel.errors.advice import DeclareDomain

TYPES = [*INTEGER_RANGES, "DECIMAL(9,2)", "DECIMAL(38,4)", "FLOAT", "DOUBLE", "DATE", "TIMESTAMP"]


def test_names_of_three_parts() -> None:
    """The first is the database that has the tables, whatever its case; in CTEs and joins, too."""
    with duckdb.connect() as rows:
        rows.execute(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, k INTEGER); CREATE TABLE p (k INTEGER PRIMARY KEY)"
        )
        with dpduck.connect(rows, epsilon="1") as db:
            db.execute("ALTER TABLE t ADD PRIVACY_KEY (id); ALTER TABLE p SET PUBLIC")
            for name in ("memory.main.t", '"Memory"."public"."t"', "(SELECT * FROM memory.main.t)"):
                read = f"WITH x AS (SELECT id FROM {name} AS t)"
                joined = f"{read} SELECT count(*) FROM x JOIN memory.main.t AS t USING (id)"
                assert db.execute(joined).fetchall()
            assert db.execute("SELECT t.k FROM memory.main.p AS t").fetchall() == []
            for name in ("other.main.t", "system.main.t", "temp.public.p"):
                with pytest.raises(dpduck.UnsupportedSqlError, match="another database"):
                    db.execute(f"SELECT count(*) FROM {name}")


@pytest.mark.parametrize("name", TYPES)
def test_quantile_types(name: str) -> None:
    for function in ("median(x)", "quantile_cont(x, 0.25)"):
        described = duckdb.sql(f"DESCRIBE SELECT {function} FROM (SELECT NULL::{name} AS x)").fetchall()
        assert described[0][1] == quantile_type(parse_type(name))


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


# Of two spellings of one thing DuckDB keeps each: what was written decides, not what it means.
SPELLINGS = [
    "INTERVAL '1 day'",
    "INTERVAL 1 DAY",
    "substring(s FROM 1 FOR 2)",
    "substr(s, 1, 2)",
    "position('a' IN s)",
    "extract(year FROM d)",
    "date_part('year', d)",
    "k::INT",
    "CAST(k AS int4)",
    "TRY_CAST(s AS real)",
    "power(k, 2)",
    "k ** 2",
    "k ^ 2",
    "ifnull(k, 0)",
    "percentile_cont(0.5) WITHIN GROUP (ORDER BY k)",
    "mode() WITHIN GROUP (ORDER BY k)",
    "count(*) FILTER (k > 1)",
    "s LIKE 'a%' ESCAPE '$'",
    "(k) NOT BETWEEN 1 AND 2",
    "k IN (1, 2) IS NOT TRUE",
    "case k when 1 then 'x' end",
    "string_agg(s, ',' ORDER BY k DESC)",
    "sum(k) OVER (ORDER BY k ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
    "'it''s'",
    "-k",
    "- 1",
    "k::DECIMAL(10, 2)",
    "+".join(["k"] * 200),
    "{'a': k}",
    "[k, 2]",
    "k /* a comment */ + 1",
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_what_was_written_is_the_name(text: str) -> None:
    described = duckdb.sql(
        f"DESCRIBE SELECT {text} FROM (SELECT 1 AS k, 'a' AS s, DATE '2024-01-01' AS d) AS r"
    )
    select = parse(f"SELECT {text}, count(*) AS n FROM r")
    assert isinstance(select, Select)
    assert column_names.name_of(select.expression.expressions[0]) == described.fetchall()[0][0]


def test_a_term_of_privacy_is_no_part_of_the_name() -> None:
    select = parse("SELECT 1 + sum(x, contribution_bounds_per_row => (0, 9)) FROM r")
    assert isinstance(select, Select)
    assert column_names.name_of(select.expression.expressions[0]) == "(1 + sum(x))"


@pytest.mark.parametrize("name", ["a(b)", "a.b", "'x.y'"])
def test_a_column_is_known_by_its_tree_and_not_by_its_name(name: str) -> None:
    column, declared = '"' + name + '"', DeclareDomain("t", name, (1, 2))
    with duckdb.connect() as source:
        source.execute(f"CREATE TABLE t (id INTEGER, {column} INTEGER)")
        db = dpduck.connect(source)
        db.execute("ALTER TABLE t ADD PRIVACY_KEY (id)")
        db.execute("SET dp_epsilon = 1")
        for sql in (f"SELECT avg({column}) FROM t", f"SELECT {column}, count(*) FROM t GROUP BY 1"):
            with pytest.raises(dpduck.DpduckError) as refused:
                db.execute(f"EXPLAIN {sql}")
            assert f"column t.{name} has no public" in str(refused.value)
            assert declared.sql().partition(" SET")[0] in str(refused.value)
        with pytest.raises(dpduck.DpduckError, match=r"expression length\(.* has no public"):
            db.execute("EXPLAIN SELECT avg(length(id || 'x.y')) FROM t")
        db.execute(declared.example())
        db.execute(f"EXPLAIN SELECT {column}, count(*), sum({column}) FROM t GROUP BY 1")
