"""The database that clients ask: private visits, public tables with every type, a budget nearly spent."""

from __future__ import annotations

from pathlib import Path

import duckdb

import dpduck
from dpduck.doors.gateway.scram import verifier_of
from dpduck.kernel.ledger import open_ledger

PASSWORD = "correct horse battery"
CLIENTS = (
    "psql",
    "psycopg",
    "psycopg2",
    "asyncpg",
    "sqlalchemy",
    "adbc",
    "node",
    "jdbc",
    "odbc",
    "duckdb",
    "django",
    "pgcli",
    "dbt",
    "ana",
    "sequelize",
    "typeorm",
    "knex",
    "drizzle",
    "cube",
    "evidence",
    "perl",
    "ruby",
    "php",
    "go",
    "rust",
    "r",
    "bouncer",
    "foreign",
    "harlequin",
    "ibis",
)
BROKE = "bea"  # whose budget is nearly spent

# Visitor v sees the first 1 to 5 pages: 6000, 4800, ... visitors. A visit has a day and an amount.
_TABLES = """
CREATE TABLE visits AS
SELECT visitor, ['home', 'news', 'shop', 'help', 'jobs'][page] AS page, (18 + visitor % 60)::INTEGER AS age,
    DATE '2024-01-01' + (visitor % 30)::INTEGER AS day, ((visitor % 100) / 4)::DECIMAL(9, 2) AS amount,
    CASE WHEN visitor % 7 = 0 THEN NULL ELSE visitor % 2 = 0 END AS member
FROM range(6000) AS v(visitor), range(1, 6) AS p(page)
WHERE page <= 1 + visitor % 5;
ALTER TABLE visits ALTER COLUMN visitor SET NOT NULL;

CREATE TABLE pages (page VARCHAR PRIMARY KEY, title VARCHAR NOT NULL, weight DOUBLE);
INSERT INTO pages VALUES ('home', 'Start', 1.5), ('news', 'What''s new', NULL), ('shop', 'Buy "it"', 0.25);
COMMENT ON TABLE pages IS 'What the site has';
COMMENT ON COLUMN pages.title IS 'As shown';

CREATE TABLE kinds (
    id INTEGER PRIMARY KEY, tiny TINYINT, small SMALLINT, big BIGINT, huge HUGEINT, unsigned UINTEGER,
    price DECIMAL(12, 3), real FLOAT, double DOUBLE, text VARCHAR, flag BOOLEAN, day DATE, clock TIME,
    moment TIMESTAMP, instant TIMESTAMPTZ, code UUID, span INTERVAL, bytes BLOB, doc JSON,
    list INTEGER[], names VARCHAR[]
);
INSERT INTO kinds (id) VALUES (2);
INSERT INTO kinds VALUES
    (1, 1, -2, 9007199254740993, 170141183460469231731687303715884105727, 4000000000, 1234.500, 0.5, 0.1,
     'it''s "so", \\',
     true, '2024-02-29', '23:59:58.5', '2024-02-29 12:30:00.123456', '2024-02-29 12:30:00+00',
     '12345678-1234-5678-1234-567812345678', INTERVAL '1 month 2 days 3 hours', '\\x00\\xFFab',
     '{"a": [1, null]}', [1, NULL, 3], ['a', NULL, 'it''s, "so"']);
CREATE SCHEMA archive;
CREATE TABLE archive.numbers AS SELECT i::INTEGER AS n, i * i AS square FROM range(1000) AS r(i);
"""

_POLICIES = f"""
ALTER TABLE visits ADD PRIVACY_KEY (visitor);
ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('home', 'news', 'shop', 'help', 'jobs');
ALTER TABLE visits ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 120);
ALTER TABLE visits ALTER COLUMN day SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-01-30');
ALTER TABLE visits ALTER COLUMN amount SET PRIVACY DOMAIN BETWEEN (0, 25);
ALTER TABLE pages SET PUBLIC;
ALTER TABLE kinds SET PUBLIC;
ALTER TABLE archive.numbers SET PUBLIC;
CREATE PRIVACY BUDGET visitors LIMIT 100000;
CREATE PRIVACY BUDGET little LIMIT 1.5 FOR {BROKE};
"""


def make_shop(file: Path) -> None:
    """Make the database, its policies and who may log in; spend most of the little budget."""
    with duckdb.connect(str(file)) as connection:
        connection.execute(_TABLES)
    with dpduck.connect(str(file)) as owner:
        for policy in filter(str.strip, _POLICIES.split(";")):
            owner.execute(policy)
    with dpduck.connect(str(file), analyst=BROKE, epsilon="1") as spender:
        spender.execute("SELECT count(*) FROM visits").fetchall()
    verifier = verifier_of(PASSWORD)
    with open_ledger(f"{file}.ledger") as ledger:
        for name in (*CLIENTS, BROKE):
            ledger.put_analyst(name, verifier)
