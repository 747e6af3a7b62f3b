"""A PostgreSQL whose foreign tables are those of the gateway: aggregates are sent, rows stay away."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.gateway.clients.contract import (
    EPSILON,
    HIDDEN,
    HISTOGRAM,
    TOP,
    Answer,
    Refusal,
    Served,
    check_counts,
    check_exhausted,
    check_hidden,
    check_median,
)
from tests.gateway.clients.shop import BROKE, PASSWORD
from tests.ledger.server import BINARIES, running_server

if BINARIES is None:
    pytest.skip("PostgreSQL is missing (Debian: apt-get install postgresql)", allow_module_level=True)

USER = "foreign"
_FOREIGN = """
CREATE EXTENSION postgres_fdw;
CREATE SERVER shop FOREIGN DATA WRAPPER postgres_fdw
    OPTIONS (host '127.0.0.1', port '{port}', dbname 'shop', options '-c dp_replay=off');
CREATE USER MAPPING FOR owner SERVER shop OPTIONS (user '{user}', password '{password}');
CREATE ROLE spender SUPERUSER;
CREATE USER MAPPING FOR spender SERVER shop OPTIONS (user '{broke}', password '{password}');
IMPORT FOREIGN SCHEMA public FROM SERVER shop INTO public;
"""
_COLUMNS = """
SELECT attname, format_type(atttypid, atttypmod), attnotnull FROM pg_attribute
WHERE attrelid = 'visits'::regclass AND attnum > 0 ORDER BY attnum
"""


def test_aggregates_are_sent_and_rows_are_refused(served: Served) -> None:
    before = served.charges(USER)
    with running_server() as server, psycopg.connect(server.url("postgres"), autocommit=True) as local:
        local.execute(_FOREIGN.format(port=served.port, user=USER, broke=BROKE, password=PASSWORD))
        assert local.execute(_COLUMNS).fetchall() == [
            ("visitor", "bigint", True),
            ("page", "text", False),
            ("age", "integer", False),
            ("day", "date", False),
            ("amount", "numeric(9,2)", False),
            ("member", "boolean", False),
        ]
        assert local.execute("SELECT title FROM pages WHERE page = 'shop'").fetchall() == [('Buy "it"',)]
        check_counts(local.execute(HISTOGRAM).fetchall(), ["help", "home", "jobs", "news", "shop"])
        assert served.charges(USER) == [*before, EPSILON]
        check_counts(_answer(local, TOP), ["home", "news", "shop"])
        assert served.charges(USER) == [*before, EPSILON, EPSILON]
        check_median(_answer(local, "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY age) FROM visits"))
        assert served.charges(USER) == [*before, *[EPSILON] * 3]
        for sql in (HIDDEN, "SELECT count(*) FROM visits WHERE random() < 2"):  # random() is computed locally
            check_hidden(_answer(local, sql))
        spent = served.charges(BROKE)
        local.execute("SET ROLE spender")
        check_exhausted(_answer(local, HISTOGRAM))
        assert served.charges(BROKE) == spent
    assert served.charges(USER) == [*before, *[EPSILON] * 3]


def _answer(local: psycopg.Connection[Any], sql: str) -> Answer:
    try:
        return local.execute(sql.encode()).fetchall()
    except psycopg.Error as error:
        said = error.diag
        return Refusal(said.sqlstate, said.message_primary or "", said.message_detail, said.message_hint)
