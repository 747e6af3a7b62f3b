"""What the catalog says, what it refuses, and what it can never know."""

from __future__ import annotations

import contextlib
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from dpduck.doors.gateway import pg_catalog as module
from dpduck.doors.gateway.pg_catalog import Asker, PublicCatalog
from dpduck.kernel.catalog.model import Catalog, Contribution, fold
from dpduck.kernel.errors import DpduckError, SqlSyntaxError, UnknownNameError, UnsupportedSqlError
from dpduck.policies import load_catalog
from tests.gateway.pg_catalog.shop import ASKER, shop


@pytest.fixture(scope="module")
def public_catalog() -> PublicCatalog:
    return PublicCatalog(shop(), "shop")


def rows(
    public_catalog: PublicCatalog, sql: str, *params: Any, asker: Asker = ASKER
) -> list[tuple[Any, ...]]:
    _, cursor = public_catalog.open(sql, asker, params)
    found = cursor.fetchall()
    cursor.close()
    return found


# --- what it says --------------------------------------------------------------------------------


def test_comments_say_what_each_table_is(public_catalog: PublicCatalog) -> None:
    which = "oid >= 16384 AND relkind <> 'i'"
    sql = f"SELECT relname, obj_description(oid, 'pg_class') FROM pg_class WHERE {which}"

    assert dict(rows(public_catalog, sql)) == {
        "customers": "private: unit id",
        "orders": "private: unit through customer_id -> customers.id",
        "countries": "public",
        "Odd name": "closed: no policy yet",
        "visits": "private: unit user_id",
        "big_orders": "view: the policies of its tables hold",
    }


def test_comments_of_columns_say_unit_and_domain(public_catalog: PublicCatalog) -> None:
    sql = "SELECT attname, col_description(attrelid, attnum) FROM pg_attribute WHERE attrelid = $1::regclass"
    said = dict(rows(public_catalog, sql, "customers"))

    assert said["id"] == "privacy unit"
    assert said["age"] == "domain: BETWEEN (0, 90) STEP 1"
    assert said["name"] is None


def test_a_comment_names_the_contribution() -> None:
    catalog = shop()
    bounded = replace(catalog.tables[4], contribution=Contribution(groups=5, rows=3))
    opened = PublicCatalog(Catalog((bounded,)), "shop")

    comment = rows(opened, "SELECT obj_description('archive.visits'::regclass)")

    assert comment == [("private: unit user_id; at most groups = 5, rows = 3",)]


def test_oids_are_the_same_each_time() -> None:
    sql = "SELECT oid, relname FROM pg_class ORDER BY oid"
    first, second = (rows(PublicCatalog(shop(), "shop"), sql) for _ in range(2))

    assert first == second
    assert min(oid for oid, name in first if name == "visits") == 16384


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT current_user, user, session_user, current_role", ("ana", "ana", "ana", "ana")),
        ("SELECT current_database(), current_catalog, current_schema()", ("shop", "shop", "public")),
        ("SELECT pg_backend_pid(), current_schemas(true)", (7, ["pg_catalog", "public"])),
        ("SELECT current_setting('search_path')", ('"$user", public',)),
        ("SELECT current_setting('nothing', true)", (None,)),
        ("SELECT current_setting('server_version_num')::int / 100", (1500,)),
        ("SELECT 'orders'::regclass, 'orders'::regclass::oid = 'public.orders'::regclass", ("orders", True)),
        ("""SELECT '"Odd name"'::regclass, 'archive.visits'::regclass""", ('"Odd name"', "archive.visits")),
        ("SELECT to_regclass('nothing'), to_regtype('integer')", (None, 23)),
        ("SELECT 'int4'::regtype, 25::regtype, '_text'::regtype::oid", ("integer", "text", 1009)),
        ("SELECT format_type(1700, 589830), format_type(1043, 14)",
         ("numeric(9,2)", "character varying(10)")),
        ("SELECT format('%s.%I', 'a', 'B c')", ('a."B c"',)),
        ("SELECT has_table_privilege('orders', 'SELECT'), has_table_privilege('orders', 'INSERT')",
         (True, False)),
        ("SELECT 'a_b' LIKE 'a\\_b', 'axb' LIKE 'a\\_b'", (True, False)),
        ("SELECT 'ab' ~ '^a', 'AB' ~* '^a', 'ab' OPERATOR(pg_catalog.!~) '^b'", (True, True, True)),
        ("SELECT '{a,\"b,c\"}'::text[], 3 = ANY('{1,3}'::oid[]), 3 <> ALL('{1,3}')",
         (["a", "b,c"], True, False)),
        ("""SELECT '"shop"."public"."Odd name"'::regclass, 'shop.archive.visits'::regclass""",
         ('"Odd name"', "archive.visits")),
        ("""SELECT '"pg_catalog"."int4"'::regtype, 'int'::regtype, 'decimal[]'::regtype, 'char'::regtype""",
         ("integer", "integer", "numeric[]", "character")),
        ("SELECT 20 = ANY('{int,int8}'::regtype[]), 25 = ANY('{int,int8}'::regtype[])", (True, False)),
        ("SELECT EXISTS (SELECT FROM pg_class), EXISTS (SELECT FROM pg_enum)", (True, False)),
        ("SELECT E'a\\nb', $$c$$", ("a\nb", "c")),
        ("SELECT relpages, reltuples, pg_relation_size(oid) FROM pg_class WHERE oid = 16384",
         (0, -1.0, None)),
        ("SELECT indkey, indkey[0], indkey[1] FROM pg_index WHERE array_upper(indkey, 1) = 1", ("1 2", 1, 2)),
    ],
)  # fmt: skip
def test_functions_and_operators(public_catalog: PublicCatalog, sql: str, expected: tuple[Any, ...]) -> None:
    assert rows(public_catalog, sql) == [expected]


def test_names_of_the_query_are_never_taken_for_names_inside_a_macro(public_catalog: PublicCatalog) -> None:
    where = "pg_table_is_visible(oid) AND relnamespace = 'archive'::regnamespace"
    sql = f"SELECT relname FROM pg_class WHERE {where}"

    assert rows(public_catalog, sql) == []


def test_columns_have_the_types_of_postgres(public_catalog: PublicCatalog) -> None:
    query = public_catalog.prepare("SELECT oid, relname, relkind, relnatts, relhasindex FROM pg_class", ASKER)

    assert [column.type for column in query.columns] == ["oid", "name", "char", "SMALLINT", "BOOLEAN"]


def test_lists_of_names_are_lists_of_names(public_catalog: PublicCatalog) -> None:
    """Sequelize reads them as the text that node's pg makes of a type it does not know."""
    listed = "array_agg(relname), array_agg(relname ORDER BY oid), ARRAY(SELECT relname FROM pg_class)"
    query = public_catalog.prepare(
        f"SELECT {listed}, '{{a}}'::name[], array_agg(relname::text) FROM pg_class", ASKER
    )

    assert [column.type for column in query.columns] == [*["name[]"] * 4, "VARCHAR[]"]


def test_columns_come_in_the_order_of_their_tables(public_catalog: PublicCatalog) -> None:
    keys = "(SELECT relname FROM pg_constraint JOIN pg_class t ON t.oid = conrelid) k"
    joined = f"information_schema.columns JOIN {keys} ON k.relname = table_name"
    found = rows(public_catalog, f"SELECT table_name, ordinal_position FROM {joined}")

    assert len(found) > 20
    assert found == sorted(found)


def test_columns_have_the_names_of_postgres(public_catalog: PublicCatalog) -> None:
    items = (
        "1, 'a'::text, version(), (SELECT max(oid) FROM pg_type), relname::text, CASE WHEN true THEN 1 END"
    )
    sql = f"SELECT {items} FROM pg_class"
    query = public_catalog.prepare(sql, ASKER)

    assert [column.name for column in query.columns] == [
        "?column?",
        "text",
        "version",
        "max",
        "relname",
        "case",
    ]


def test_parameters_have_types_and_values(public_catalog: PublicCatalog) -> None:
    where = "oid = $1 AND relname = $2 AND relkind = ANY($3) AND relnatts > $4::int4"
    sql = f"SELECT relname FROM pg_class WHERE {where}"

    assert public_catalog.prepare(sql, ASKER).parameters == ("BIGINT", "VARCHAR", "VARCHAR[]", "INTEGER")
    assert rows(public_catalog, sql, 16384, "visits", ["r", "v"], 1) == [("visits",)]
    with pytest.raises(UnsupportedSqlError, match="takes 4 parameters but was given 1"):
        rows(public_catalog, sql, 16384)


def test_version_reads_as_15(public_catalog: PublicCatalog) -> None:
    assert re.match(r"PostgreSQL 15\.0\b", rows(public_catalog, "SELECT version()")[0][0])


def test_statistics_have_no_numbers(public_catalog: PublicCatalog) -> None:
    for table in ("pg_stats", "pg_statistic", "pg_stat_database"):
        assert rows(public_catalog, f"SELECT * FROM {table}") == []
    for table in ("pg_stat_user_tables", "pg_statio_user_tables"):
        found = rows(public_catalog, f"SELECT * FROM {table}")
        assert {name for _, _, name, *_ in found} == {
            "customers",
            "orders",
            "countries",
            "Odd name",
            "visits",
        }
        assert {number for _, _, _, *numbers in found for number in numbers} == {None}
    for table in ("pg_stat_user_indexes", "pg_statio_user_indexes"):
        assert {number for row in rows(public_catalog, f"SELECT * FROM {table}") for number in row[5:]} == {
            None
        }


# --- what concerns it ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "concerned"),
    [
        ("SELECT 1", True),
        ("select version()", True),
        ("-- hello\nSELECT * FROM pg_catalog.pg_class", True),
        ("/* hello */ SELECT * FROM information_schema.tables", True),
        ("SELECT * FROM (SELECT 1 AS a) AS q LIMIT 0", True),
        ("WITH orders AS (SELECT oid FROM pg_class) SELECT * FROM orders", True),
        ("SELECT * FROM pg_catalog.nothing", True),
        ("SELECT 'orders'::regclass", True),
        ("SELECT count(*) FROM orders", False),
        ('SELECT * FROM "Odd name"', False),
        ("SELECT * FROM orders, pg_class", False),
        ("SELECT (SELECT count(*) FROM orders) FROM pg_class", False),
        ("SELECT * FROM nothing", False),
        ("SELECT * FROM dp_budget()", False),
        ("SELECT dp_low(1)", False),
        ("SHOW PRIVACY", False),
        ("SET dp_epsilon = 1", False),
        ("EXPLAIN SELECT 1", False),
        ("SELECT 1; SELECT 2", False),
        ("SELECT ((", False),
        ("", False),
    ],
)
def test_concerns(public_catalog: PublicCatalog, sql: str, concerned: bool) -> None:
    assert public_catalog.concerns(sql) is concerned


def test_a_text_that_plainly_does_not_concern_it_costs_little(public_catalog: PublicCatalog) -> None:
    texts = [f"SELECT country, count(*) FROM customers WHERE age > {n} GROUP BY country" for n in range(200)]
    start = time.perf_counter()
    assert not any(public_catalog.concerns(text) for text in texts)

    assert time.perf_counter() - start < 0.2


# --- what it refuses -----------------------------------------------------------------------------

ATTACKS = (
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    'SELECT * FROM "/etc/passwd"',
    "SELECT * FROM pg_catalog.\"/etc/passwd\"",
    "SELECT read_text('/etc/passwd')",
    "SELECT * FROM glob('*')",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM duckdb_tables",
    "WITH duckdb_settings AS (SELECT 1) SELECT * FROM (SELECT 1) q, duckdb_secrets()",
    "SELECT getvariable('gateway_settings')",
    "SELECT * FROM query('SELECT 1')",
    "SELECT * FROM orders",
    "SELECT * FROM pg_class, orders",
    "SELECT * FROM memory.pg.pg_class",
    "SELECT * FROM pg.pg_class",
    "SELECT * FROM own.spellings",
    "SELECT own.series(1, 2)",
    "SELECT own_oid FROM pg_class",
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP TABLE pg_class",
    "DROP TABLE pg_class",
    "INSERT INTO pg_class SELECT * FROM pg_class",
    "UPDATE pg_class SET relname = 'x'",
    "CREATE TABLE x AS SELECT 1",
    "SELECT * INTO x FROM pg_class",
    "COPY pg_class TO '/tmp/x'",
    "ATTACH 'x'",
    "PRAGMA database_list",
    "SET threads = 4",
    "SELECT repeat('x', 1000000000)",
    "SELECT lpad('x', 1000000000, 'y')",
    "SELECT sleep_ms(100000)",
    "SELECT pg_sleep(100)",
    "SELECT error('x')",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT dblink('x')",
    "SELECT random(), setseed(0.5)",
    "SELECT nextval('x')",
    "SELECT * FROM range(1000000000)",
    "SELECT * FROM generate_series(1, 1000000000)",
    "SELECT * FROM generate_series(1, 10, 0)",
    "SELECT unnest(generate_series(1, 1000000000))",
    "SELECT * FROM pg_class USING SAMPLE 10",
    "SELECT * FROM pg_class TABLESAMPLE SYSTEM (10)",
    "SELECT * FROM pg_class FOR UPDATE",
    "SELECT 'secret-42'::nothing",
    "SELECT 'secret-42'::int4",
    "SELECT 'secret-42'::regclass",
    "SELECT secret_42 FROM pg_class",
    "SELECT \"secret 42\"(1)",
    "SELECT '\0'",
    "SELECT " + "(" * 5000 + "1" + ")" * 5000,
    "SELECT 1" + " + 1" * 50000,
)  # fmt: skip


@pytest.mark.parametrize("sql", ATTACKS, ids=range(len(ATTACKS)))
def test_attacks_are_refused_and_errors_quote_nothing(public_catalog: PublicCatalog, sql: str) -> None:
    with pytest.raises(DpduckError) as caught:
        rows(public_catalog, sql)

    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None
    for told in ("secret-42", "secret 42", "/etc/passwd", "LINE 1", "Binder", "memory."):
        assert told not in str(caught.value)


def test_the_kinds_of_refusal(public_catalog: PublicCatalog) -> None:
    for sql, kind in (
        ("SELECT ((", SqlSyntaxError),
        ("SELECT * FROM pg_nothing", UnknownNameError),
        ("SELECT nothing()", UnknownNameError),
        ("DROP TABLE pg_class", UnsupportedSqlError),
    ):
        with pytest.raises(kind):
            public_catalog.prepare(sql, ASKER)


@pytest.mark.parametrize(
    "sql",
    [
        "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT count(*) FROM x",
        "SELECT count(*) FROM pg_attribute a, pg_attribute b, pg_class c, pg_type d WHERE a.attnum < d.oid",
        "SELECT * FROM pg_attribute a, pg_attribute b, pg_attribute c",
        "SELECT string_agg(a.attname, '') FROM pg_attribute a, pg_attribute b, pg_attribute c",
    ],
)
def test_a_query_that_would_never_end_is_stopped(
    public_catalog: PublicCatalog, monkeypatch: pytest.MonkeyPatch, sql: str
) -> None:
    monkeypatch.setattr(module, "_SECONDS", 0.3)
    start = time.monotonic()
    with pytest.raises(UnsupportedSqlError, match="takes too long or too much room"):
        rows(public_catalog, sql)

    assert time.monotonic() - start < 5
    assert rows(public_catalog, "SELECT 1") == [(1,)]


@pytest.mark.parametrize(
    "step", ["replace(a, 'a', 'aaaa')", "quote_ident(a)", "a || a", "concat_ws(a, a, a)"]
)
def test_texts_cannot_grow_without_end(public_catalog: PublicCatalog, step: str) -> None:
    sql = "SELECT 'aaaa' AS a"
    for _ in range(40):
        sql = f"SELECT {step} AS a FROM ({sql}) q"
    start = time.monotonic()
    with contextlib.suppress(UnsupportedSqlError):
        assert rows(public_catalog, f"SELECT length(a) FROM ({sql}) q")[0][0] < 100_000

    assert time.monotonic() - start < 5


def test_like_takes_linear_time(public_catalog: PublicCatalog) -> None:
    assert rows(public_catalog, f"SELECT '{'a' * 200}' LIKE '{'%a' * 20}b'") == [(False,)]


def test_the_tables_cannot_be_reached_around_the_translation(public_catalog: PublicCatalog) -> None:
    cursor = public_catalog._tables.cursor()
    for sql in (
        "SET threads = 4",
        "SELECT * FROM read_text('/etc/passwd')",
        "INSTALL httpfs",
        "ATTACH '/tmp/x' AS y",
    ):
        with pytest.raises(duckdb.Error):
            cursor.execute(sql)


# --- what it can never know ----------------------------------------------------------------------


@pytest.mark.slow
def test_no_value_and_no_count_of_the_data_is_in_it(tmp_path: Path) -> None:
    connection = duckdb.connect(str(tmp_path / "shop.db"))
    connection.execute(
        "CREATE TABLE visits (user_id BIGINT, page VARCHAR, amount DECIMAL(9, 2) DEFAULT 31337)"
    )
    connection.execute("INSERT INTO visits SELECT i, 'planted-page', 77123.45 FROM range(54321) t(i)")
    connection.execute("CREATE VIEW one AS SELECT page FROM visits WHERE page = 'planted-page'")
    connection.execute("CHECKPOINT")
    opened = PublicCatalog(load_catalog(connection), "shop")
    tables = rows(
        opened,
        "SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema <> 'public'",
    )
    assert len(tables) >= 100

    for schema, table in tables:
        told = repr(rows(opened, f"SELECT * FROM {schema}.{table}"))
        for planted in ("planted-page", "54321", "77123", "31337"):
            assert planted not in told, table


def test_it_needs_no_connection_to_the_data() -> None:
    opened = PublicCatalog(Catalog(()), "empty")

    assert rows(opened, "SELECT * FROM pg_class WHERE oid >= 16384") == []


@pytest.mark.slow
def test_a_later_version_shares_the_catalog_only_if_it_shows_the_same() -> None:
    first = PublicCatalog(shop(), "shop")
    assert PublicCatalog.after(first, shop(), "shop", {}) is first
    table, *others = shop().tables
    comments = {(fold(table.schema), fold(table.name), None): "of its owner"}
    later = [
        PublicCatalog.after(first, Catalog((*others,)), "shop", {}),
        PublicCatalog.after(first, shop(), "shop", comments),
        PublicCatalog.after(first, shop(), "market", {}),
    ]
    said = "SELECT relname, obj_description(oid, 'pg_class') FROM pg_class"
    sql = f"{said} UNION ALL SELECT datname, NULL FROM pg_database"
    assert len({str(rows(catalog, sql)) for catalog in [first, *later]}) == 4
