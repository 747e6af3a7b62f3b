"""What clients take for granted of PostgreSQL: names, the search path, views of a session, PREPARE."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.gateway.clients.contract import FRESH, Served
from tests.gateway.clients.shop import PASSWORD

Connection = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture
def session(served: Served) -> Iterator[Connection]:
    address = {"host": "127.0.0.1", "port": served.port, "user": "ana", "password": PASSWORD}
    with psycopg.connect(**address, dbname="shop", options=FRESH, autocommit=True) as session:
        yield session


def names(session: Connection, sql: str) -> list[str]:
    description = session.execute(sql).description
    assert description is not None
    return [column.name for column in description]


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ("count(*), sum(weight), upper(min(page))", ["count", "sum", "upper"]),
        ("1 + 1, 'x', '2024-02-29'::date, NULL", ["?column?", "?column?", "date", "?column?"]),
        ("max(page)::text, CASE WHEN true THEN 1 END, coalesce(max(page), '')", ["max", "case", "coalesce"]),
    ],
)
def test_columns_are_named_as_by_postgres(session: Connection, items: str, expected: list[str]) -> None:
    assert names(session, f"SELECT {items} FROM pages") == expected


def test_names_within_a_query(served: Served, session: Connection) -> None:
    before = served.count("ana")
    rows = session.execute("SELECT page, count(*) FROM visits GROUP BY page ORDER BY count DESC LIMIT 2")
    assert [page for page, _ in rows.fetchall()] == ["home", "news"]
    inner = "SELECT page, count(*) FROM visits GROUP BY page"
    rows = session.execute(
        f"SELECT page FROM ({inner}) AS s WHERE count > 3000 ORDER BY count DESC LIMIT ALL"
    )
    assert [page for (page,) in rows.fetchall()] == ["home", "news", "shop"]
    assert served.count("ana") == before + 2


def test_search_path(session: Connection) -> None:
    session.execute("SET search_path = archive, public")
    assert session.execute("SELECT count(*) FROM numbers").fetchall() == [(1000,)]
    assert session.execute('SELECT count(*) FROM "shop"."public"."pages"').fetchall() == [(3,)]
    session.execute("SET search_path = archive")
    with pytest.raises(psycopg.errors.UndefinedColumn, match="in no schema of the search path"):
        session.execute("SELECT count(*) FROM pages")
    session.execute("RESET search_path")
    assert session.execute("SELECT count(*) FROM pages").fetchall() == [(3,)]


def test_views_of_the_session(served: Served, session: Connection) -> None:
    before = served.count("ana")
    session.execute("CREATE TEMP VIEW old AS SELECT * FROM visits WHERE age >= 48")
    session.execute("CREATE TEMPORARY VIEW per_page(name, n) AS SELECT page, count(*) FROM old GROUP BY page")
    assert served.count("ana") == before
    rows = session.execute("SELECT name FROM per_page ORDER BY n DESC LIMIT 1").fetchall()
    assert rows == [("home",)]
    assert served.count("ana") == before + 1
    for taken in ("old", "pages"):
        with pytest.raises(psycopg.errors.DuplicateTable):
            session.execute(f"CREATE TEMP VIEW {taken} AS SELECT 1 AS one")
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="private rows cannot be listed"):
        session.execute("CREATE TEMP VIEW raw AS SELECT visitor FROM visits")
        session.execute("SELECT * FROM raw")
    session.execute("DROP VIEW per_page")
    session.execute("DISCARD ALL")
    with pytest.raises(psycopg.errors.UndefinedColumn):
        session.execute("SELECT count(*) FROM old")


def test_a_view_of_views_of_views_ends(session: Connection) -> None:
    session.execute("CREATE TEMP VIEW v0 AS SELECT page FROM pages")
    twice = "CREATE TEMP VIEW v{} AS SELECT a.page FROM v{} a, v{} b WHERE a.page = b.page"
    for n in range(1, 6):
        session.execute(twice.format(n, n - 1, n - 1).encode())
    with pytest.raises(psycopg.errors.UndefinedColumn, match="at most 100 temporary views"):
        session.execute(twice.format(6, 5, 5).encode() + b" AND EXISTS (SELECT 1 FROM v5)")


def test_prepare_and_execute(served: Served, session: Connection) -> None:
    before = served.count("ana")
    session.execute("PREPARE young (int, text) AS SELECT count(*) FROM visits WHERE age < $1 AND page = $2")
    assert served.count("ana") == before
    counts = [session.execute(f"EXECUTE young ({age}, 'home')").fetchall()[0][0] for age in (30, 48)]
    assert [round(count, -2) for count in counts] == [1200, 3000]
    assert served.count("ana") == before + 2
    with pytest.raises(psycopg.errors.InvalidParameterValue, match="takes 2 parameters, and 1 came"):
        session.execute("EXECUTE young (30)")
    session.execute("DEALLOCATE young")
    with pytest.raises(psycopg.errors.InvalidSqlStatementName):
        session.execute("EXECUTE young (30, 'home')")


def test_settings(session: Connection) -> None:
    session.execute("SET idle_session_timeout = 0")
    session.execute("SET plan_cache_mode = force_custom_plan")
    shown = {name: value for name, value, _ in session.execute("SHOW ALL").fetchall()}
    assert shown["plan_cache_mode"] == "force_custom_plan"
    session.execute("SET dp_epsilon = 0.25")  # a pooler learns of it
    assert session.pgconn.parameter_status(b"dp_epsilon") == b"0.25"
    session.execute("RESET dp_epsilon")
    assert session.pgconn.parameter_status(b"dp_epsilon") == b"10"


def test_locks_are_refused(session: Connection) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="tables are not locked"):
        session.execute("LOCK TABLE visits IN ACCESS SHARE MODE")


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ('SELECT \'"shop"."public"."pages"\'::regclass::text', "pages"),
        ("SELECT EXISTS (SELECT FROM information_schema.tables WHERE table_name = 'pages')", True),
        ("SELECT ARRAY[23, 25]::regtype[]", ["integer", "text"]),
        ("SELECT obj_description('pages'::regclass)", "What the site has; public"),
        (
            "SELECT attnotnull FROM pg_attribute WHERE attrelid = 'pages'::regclass AND attname = 'title'",
            True,
        ),
        ("SELECT count(*) FROM pg_seclabels", 0),
        ("SELECT pg_try_advisory_lock(7)", True),
        ("SELECT count(*) FROM unnest(ARRAY[1, 2], ARRAY['a']) WITH ORDINALITY AS u(a, b, n) WHERE n = a", 2),
        ("VALUES (7)", 7),
    ],
)
def test_catalog(session: Connection, sql: str, expected: object) -> None:
    assert session.execute(sql.encode()).fetchall() == [(expected,)]


def test_arrays_of_names_and_the_clock(session: Connection) -> None:
    cursor = session.execute("SELECT array_agg(relname), current_timestamp, now() FROM pg_class")
    assert cursor.description is not None
    assert [column.type_code for column in cursor.description] == [1003, 1184, 1184]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM visits WHERE 0 = 1",
        "SELECT * FROM (SELECT * FROM visits) AS q WHERE (0 = 1)",
        "SELECT * FROM visits LIMIT 0",
    ],
)
def test_probes_are_free(served: Served, session: Connection, sql: str) -> None:
    before = served.count("ana")
    assert names(session, sql) == ["visitor", "page", "age", "day", "amount", "member"]
    assert session.execute(sql.encode()).fetchall() == []
    assert served.count("ana") == before


@pytest.mark.parametrize("goal", ["STDIN", "STDOUT"])  # PostgreSQL takes either
def test_public_tables_are_copied(session: Connection, goal: str) -> None:
    with session.cursor().copy(f"COPY public.pages (page) TO {goal}".encode()) as copy:
        assert sorted(b"".join(bytes(part) for part in copy).split()) == [b"home", b"news", b"shop"]
    with (
        pytest.raises(psycopg.errors.FeatureNotSupported, match="private rows cannot be listed"),
        session.cursor().copy(f"COPY visits TO {goal}".encode()) as copy,
    ):
        list(copy)


def test_names_of_four_parts(served: Served, session: Connection) -> None:
    before = served.count("ana")
    four = (
        'SELECT "shop"."public"."visits"."page", count(*) FROM "shop"."public"."visits" GROUP BY 1 ORDER BY 2'
    )
    assert len(session.execute(four).fetchall()) == 5
    assert session.execute("SELECT public.pages.title FROM public.pages LIMIT ALL").rowcount == 3
    other = "SELECT other.public.visits.page, count(*) FROM public.visits GROUP BY 1"
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="a column of another database"):
        session.execute(other)
    assert served.count("ana") == before + 1


def test_padded_texts(session: Connection) -> None:
    assert session.execute("SELECT title::bpchar FROM pages WHERE page = 'home'::bpchar").fetchall() == [
        ("Start",)
    ]
    assert session.execute(
        "SELECT count(*) FROM pg_statio_all_tables WHERE relname = 'pages'"
    ).fetchall() == [(1,)]
