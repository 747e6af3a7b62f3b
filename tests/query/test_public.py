"""Public SQL, written anew, means what it meant: names, types and rows are those of the text itself."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from sqlglot import exp

from dpduck import policies
from dpduck.compiler import public, validate
from dpduck.compiler.block.question import released
from dpduck.compiler.functions import table
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.errors import DpduckError, UnsupportedSqlError
from dpduck.kernel.tree.answer import AnswerExpression
from tests.query import golden
from tests.query.public_tables import KnownTables, open_tables, parsed, run, translated
from tests.query.shop import any_plan, open_shop
from tests.query.sqlwriter import random_query
from tests.query.tpch import open_tpch

ACCEPTED = [
    query
    for path in sorted((golden.FOLDER / "public" / "accepted").glob("*.sql"))
    for query in path.read_text("utf-8").splitlines()
]
REFUSED = sorted((golden.FOLDER / "public" / "refused").glob("*.sql"))
OLD = duckdb.__version__ < "2"


@pytest.fixture(scope="module")
def plain() -> Iterator[duckdb.DuckDBPyConnection]:
    with open_tables() as connection:
        yield connection


@pytest.fixture(scope="module")
def shop() -> Catalog:
    with open_shop() as connection:
        return policies.load_catalog(connection)


# --- what is accepted ----------------------------------------------------------------------------


def test_there_are_many_cases() -> None:
    assert len(ACCEPTED) >= 120
    assert sum(len(_refused(path)) for path in REFUSED) >= 60


@pytest.mark.parametrize("query", ACCEPTED)
def test_same_names_types_and_rows(query: str, plain: duckdb.DuckDBPyConnection) -> None:
    ordered = "ORDER BY" in query.rpartition(")")[2]
    wanted, got = run(plain, query, ordered=ordered), run(plain, translated(query), ordered=ordered)
    assert got[1:] == wanted[1:]
    unnamed = [(a, b) for a, b in zip(wanted[0], got[0], strict=True) if a != b]
    assert OLD or not unnamed


def _functions(tree: object) -> Iterator[dict[str, object]]:
    """The calls, operators among them, in DuckDB's own tree of a query."""
    if isinstance(tree, dict):
        if tree.get("class") in ("FUNCTION", "WINDOW"):
            yield tree
        for child in tree.values():
            yield from _functions(child)
    if isinstance(tree, list):
        for child in tree:
            yield from _functions(child)


@pytest.mark.parametrize("query", ACCEPTED)
def test_every_function_is_qualified(query: str, plain: duckdb.DuckDBPyConnection) -> None:
    sql = translated(query)
    found = plain.execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
    assert found is not None
    for function in _functions(json.loads(found[0])):
        assert (function["catalog"], function["schema"]) == ("system", "main"), (function, sql)


def test_every_function_exists_and_none_is_a_macro(plain: duckdb.DuckDBPyConnection) -> None:
    """Bodies of macros call functions by names that a user may take. nullif alone has none in its body."""
    found = plain.execute("SELECT DISTINCT function_name, function_type FROM duckdb_functions()").fetchall()
    macros = {name for name, kind in found if kind == "macro"}
    names = {name for name, _ in found}
    listed = {call.name for call in table.CALLS.values()}
    assert listed & macros <= {"nullif"}
    body = plain.execute(
        "SELECT macro_definition FROM duckdb_functions() WHERE function_name = 'nullif'"
    ).fetchone()
    assert body == ("CASE  WHEN ((a = b)) THEN (NULL) ELSE a END",)
    assert len(listed - names) < 12  # some are of one version only


def test_all_that_is_written_passes_the_gate() -> None:
    for kind, arguments in public.ALLOWED.items():
        assert arguments <= validate.ALLOWED[kind]


@pytest.fixture(scope="module")
def tpch_tables() -> Iterator[duckdb.DuckDBPyConnection]:
    with open_tpch() as connection:
        yield connection


@pytest.mark.parametrize("path", sorted((golden.FOLDER / "tpch").glob("q*.sql")), ids=lambda path: path.stem)
def test_tpch(path: Path, tpch_tables: duckdb.DuckDBPyConnection) -> None:
    """As if all of its tables were public."""
    text = path.read_text("utf-8")
    known = {row[0] for row in tpch_tables.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    got = run(tpch_tables, translated(text, known))
    assert got[1:] == run(tpch_tables, text)[1:]


# --- names that a user may take ------------------------------------------------------------------

_WINDOW_NAMES = [
    "row_number",
    "rank",
    "dense_rank",
    "percent_rank",
    "cume_dist",
    "ntile",
    "lag",
    "lead",
    "first_value",
    "last_value",
    "nth_value",
]


@pytest.fixture(scope="module")
def hostile() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database whose user has taken the name of every function and operator."""
    with open_tables() as connection:
        found = connection.execute("SELECT DISTINCT function_name FROM duckdb_functions()").fetchall()
        for name in sorted({row[0] for row in found} | set(_WINDOW_NAMES)):
            quoted = '"' + name.replace('"', '""') + '"'
            forms = ", ".join(f"({', '.join('abcd'[:n])}) AS 42" for n in range(5))
            connection.execute(f"CREATE OR REPLACE MACRO {quoted}{forms}")
        yield connection


def test_the_names_are_taken(hostile: duckdb.DuckDBPyConnection) -> None:
    for text in ("lower('A')", "1 + 1", "'a' LIKE 'b'", "INTERVAL 1 DAY", '"current_date"', "sum(1)", "[1]"):
        assert hostile.execute(f"SELECT {text}").fetchone() == (42,), text


@pytest.mark.parametrize("query", ACCEPTED)
def test_no_name_is_hijacked(
    query: str, plain: duckdb.DuckDBPyConnection, hostile: duckdb.DuckDBPyConnection
) -> None:
    sql = translated(query)
    assert run(hostile, sql) == run(plain, sql)


def test_no_type_can_be_taken(plain: duckdb.DuckDBPyConnection) -> None:
    for name in (
        "integer",
        "varchar",
        "date",
        "hugeint",
        "decimal",
        "interval",
        "struct",
        "map",
        "timestamptz",
    ):
        with pytest.raises(duckdb.Error):
            plain.execute(f"CREATE TYPE \"{name}\" AS ENUM ('1')")


# --- what is refused -----------------------------------------------------------------------------


def _refused(path: Path) -> list[tuple[str, str]]:
    """Queries, each with the lines of its error."""
    cases: list[tuple[str, list[str]]] = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("-- "):
            cases[-1][1].append(line[3:])
        else:
            cases.append((line, []))
    return [(query, "\n".join(lines)) for query, lines in cases]


def _error(query: str) -> str:
    """Of the translator alone: the gate before it may refuse more, in other words."""
    with pytest.raises(DpduckError) as caught:
        public.public_query(parsed(query), KnownTables())
    where = f" at {caught.value.position}" if caught.value.position is not None else ""
    return f"{type(caught.value).__name__}{where}: {caught.value}"


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.stem)
def test_refused(path: Path) -> None:
    cases = [(query, _error(query)) for query, _ in _refused(path)]
    if golden.WRITING:
        path.write_text(
            "".join(f"{q}\n-- {e.replace(chr(10), chr(10) + '-- ')}\n" for q, e in cases), "utf-8"
        )
    assert cases == _refused(path)


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.stem)
def test_refused_through_the_gate(path: Path) -> None:
    for query, _ in _refused(path):
        with pytest.raises(DpduckError):
            translated(query)


def test_an_argument_that_is_not_listed_is_refused() -> None:
    for kind in validate.ALLOWED:
        node = kind(this=exp.Null(), not_an_argument=exp.Null())
        with pytest.raises(UnsupportedSqlError):
            public.public_expression(node, KnownTables())


# --- bounds --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_size_of_the_text() -> None:
    assert translated(f"SELECT i FROM t WHERE i IN ({', '.join(['123456'] * 5_000)})")
    words = ", ".join(f"'{'x' * 100}{number}'" for number in range(2_000))
    with pytest.raises(UnsupportedSqlError, match="the query is too large"):
        translated(f"SELECT s FROM t WHERE s IN ({words})")


def test_repeated_arguments_do_not_double_without_end() -> None:
    nested = "s"
    for _ in range(15):
        nested = f"split_part({nested}, ',', 1)"
    with pytest.raises(UnsupportedSqlError, match="the argument of this function is too long"):
        translated(f"SELECT {nested} FROM t")


def test_long_chains_are_no_recursion() -> None:
    assert translated(f"SELECT {' AND '.join(['i = 1'] * 3_000)} FROM t")
    assert translated(" UNION ALL ".join(["SELECT 1"] * 90))


ALIASES = {
    "doubling": ", ".join(f"a{k} + a{k} AS a{k + 1}" for k in range(40)),
    "chain": ", ".join(f"a{k} + 1 AS a{k + 1}" for k in range(400)),
    "circle": "b AS a, a AS b",
}


@pytest.mark.parametrize("items", ALIASES.values(), ids=ALIASES)
def test_aliases_of_a_release_within_each_other(items: str, shop: Catalog) -> None:
    with pytest.raises(UnsupportedSqlError, match=r"the query is too large|defined by itself"):
        any_plan(f"SELECT count(*) AS a0, {items} FROM visits", shop)


# --- order ---------------------------------------------------------------------------------------

ORDERS = [
    "SELECT i FROM t ORDER BY i",
    "SELECT i FROM t ORDER BY i DESC",
    "SELECT i FROM t ORDER BY i NULLS FIRST",
    "SELECT i FROM t ORDER BY i DESC NULLS LAST",
    "SELECT i, n FROM t ORDER BY ALL",
    "SELECT i, n FROM t ORDER BY ALL DESC",
    "SELECT s, i FROM t ORDER BY 2 DESC, s NULLS FIRST",
    "SELECT list(i ORDER BY i) AS a, list(i ORDER BY i DESC NULLS FIRST) AS b FROM t",
    "SELECT list_sort([2, NULL, 1]) AS a, list_reverse_sort([2, NULL, 1]) AS b",
    "SELECT n, row_number() OVER (ORDER BY n) AS a, rank() OVER (ORDER BY i DESC) AS b FROM t ORDER BY n",
]


@pytest.mark.parametrize("query", ORDERS)
def test_order_does_not_depend_on_settings(query: str, plain: duckdb.DuckDBPyConnection) -> None:
    with open_tables() as connection:
        connection.execute("SET default_null_order = 'nulls_first'; SET default_order = 'DESC'")
        assert run(connection, translated(query), ordered=True) == run(plain, query, ordered=True)


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        ("i", " NULLS LAST"),
        ("i DESC", " NULLS LAST"),
        ("i NULLS FIRST", " NULLS FIRST"),
        ("i DESC NULLS FIRST", " NULLS FIRST"),
    ],
)
def test_nulls_suffix(text: str, suffix: str) -> None:
    order = parsed(f"SELECT i FROM t ORDER BY {text}").args["order"]
    assert public.nulls_suffix(order.expressions[0]) == suffix


def test_constant_limit() -> None:
    assert public.constant_limit(parsed("SELECT 1 LIMIT 10 OFFSET 5")) == (10, 5)
    assert public.constant_limit(parsed("SELECT 1 LIMIT (0)")) == (0, 0)
    assert public.constant_limit(parsed("SELECT 1 OFFSET 2")) == (None, 2)


# --- what a caller knows -------------------------------------------------------------------------


class _Released(KnownTables):
    """Knows count(*), and nothing else."""

    def value(self, node: exp.Expr) -> AnswerExpression | None:
        windowed = isinstance(node.parent, exp.Window) and node.arg_key == "this"
        return released("a0") if isinstance(node, exp.Count) and not windowed else None


def _over_a_release(text: str) -> str:
    return public.public_expression(parsed(f"SELECT {text}").expressions[0], _Released()).sql


def test_over_a_release() -> None:
    assert _over_a_release("count(*) + 1") == 'system.main."+"("answer"."a0", 1)'
    assert _over_a_release("sum(count(*)) OVER ()") == 'system.main.sum("answer"."a0") OVER ()'
    assert _over_a_release("count(*) OVER ()") == "system.main.count(*) OVER ()"


def test_no_aggregate_over_a_release() -> None:
    for text in ("sum(1)", "max(count(*))", "list(1)", "first(1) FILTER (WHERE TRUE)", "product(2)"):
        with pytest.raises(UnsupportedSqlError, match="cannot be computed from the released rows"):
            _over_a_release(text)


SILENT = [
    "SELECT count(*) FROM (SELECT * REPLACE (lower(page) AS page) FROM visits)",
    "SELECT count(*) FROM ((SELECT page FROM visits) LIMIT 5)",
    "SELECT max(age, 3) FROM visits",
    "SELECT count(*) FROM visits WINDOW w AS (ORDER BY random())",
]


@pytest.mark.parametrize("query", SILENT)
def test_a_release_passes_over_nothing_that_only_public_sql_reads(query: str, shop: Catalog) -> None:
    with pytest.raises(UnsupportedSqlError):
        any_plan(query, shop)


# --- small random queries ------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_random_queries_mean_the_same(
    seed: int, plain: duckdb.DuckDBPyConnection, hostile: duckdb.DuckDBPyConnection
) -> None:
    source = random.Random(seed)
    done = 0
    for _ in range(50):
        query = random_query(source)
        wanted: object = None
        try:
            wanted = run(plain, query)[1:]
        except duckdb.Error:
            continue  # a value out of range
        assert run(plain, translated(query))[1:] == wanted, query
        assert run(hostile, translated(query))[1:] == wanted, query
        done += 1
    assert done > 35
