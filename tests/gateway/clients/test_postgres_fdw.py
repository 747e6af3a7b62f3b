"""A PostgreSQL whose foreign tables are those of the gateway: aggregates are sent, rows stay away."""

from __future__ import annotations

import psycopg
import pytest

from tests.gateway.clients.contract import (
    EPSILON,
    HIDDEN,
    HISTOGRAM,
    Refusal,
    Served,
    check_counts,
    check_hidden,
)
from tests.gateway.clients.shop import PASSWORD
from tests.ledger.server import BINARIES, running_server

if BINARIES is None:
    pytest.skip("PostgreSQL is missing (Debian: apt-get install postgresql)", allow_module_level=True)

USER = "foreign"
_FOREIGN = """
CREATE EXTENSION postgres_fdw;
CREATE SERVER shop FOREIGN DATA WRAPPER postgres_fdw
    OPTIONS (host '127.0.0.1', port '{port}', dbname 'shop', options '-c dp_replay=off');
CREATE USER MAPPING FOR owner SERVER shop OPTIONS (user '{user}', password '{password}');
IMPORT FOREIGN SCHEMA public FROM SERVER shop INTO public;
"""
_COLUMNS = """
SELECT attname, format_type(atttypid, atttypmod), attnotnull FROM pg_attribute
WHERE attrelid = 'visits'::regclass AND attnum > 0 ORDER BY attnum
"""


def test_aggregates_are_sent_and_rows_are_refused(served: Served) -> None:
    before = served.charges(USER)
    with running_server() as server, psycopg.connect(server.url("postgres"), autocommit=True) as local:
        local.execute(_FOREIGN.format(port=served.port, user=USER, password=PASSWORD))
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
        for sql in (HIDDEN, "SELECT count(*) FROM visits WHERE random() < 2"):  # random() is computed locally
            with pytest.raises(psycopg.Error) as refused:
                local.execute(sql)
            said = refused.value.diag
            check_hidden(
                Refusal(said.sqlstate, said.message_primary or "", said.message_detail, said.message_hint)
            )
    assert served.charges(USER) == [*before, EPSILON]
