"""A small market with awkward data, for random queries: links, public tables, NULLs, infinities, bounds.

Beside the market stand its neighbours: databases made in the same way, from which one customer is gone
with all that belongs to them along the links.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import duckdb

from dpduck import policies
from dpduck.catalog.model import Catalog
from dpduck.catalog.statements import PolicyStatement
from dpduck.policies.schema import SCHEMA as STORE_SCHEMA
from dpduck.policies.schema import STORE
from dpduck.query.parse.statements import parse

CUSTOMERS = 17
STRANGERS = (90, 91)  # in orders and visits only, without a row of their own
UNITS = (0, 1, 2, 3, 5, 7, 10, 16, *STRANGERS)  # who may be missing: some with many rows, some with few

SCHEMA = """
CREATE TABLE customer (c_id INTEGER PRIMARY KEY, c_nation INTEGER, c_segment VARCHAR, c_balance DECIMAL(9,2),
    c_born DATE, c_ok BOOLEAN);
CREATE TABLE orders (o_id INTEGER PRIMARY KEY, o_customer INTEGER, o_day DATE, o_price DOUBLE,
    o_status ENUM('O', 'F', 'P'), o_clerk VARCHAR, o_seen TIMESTAMP);
CREATE TABLE lineitem (l_order INTEGER, l_part INTEGER, l_quantity INTEGER, l_price DECIMAL(12,2),
    l_discount DECIMAL(4,2), l_mode VARCHAR, l_big BIGINT, l_weight FLOAT);
CREATE TABLE visit (v_customer INTEGER, v_page VARCHAR, v_tiny TINYINT, v_huge HUGEINT, v_at TIMESTAMP,
    v_unsigned UINTEGER);
CREATE TABLE nation (n_id INTEGER PRIMARY KEY, n_name VARCHAR, n_region VARCHAR);
CREATE TABLE part (p_id INTEGER UNIQUE, p_brand VARCHAR, p_size INTEGER);
CREATE TABLE clerk (k_name VARCHAR, k_level INTEGER);
CREATE TABLE closed (x INTEGER);
CREATE VIEW late AS SELECT * FROM orders WHERE o_day > DATE '2024-02-01';
CREATE VIEW sales(customer, day, price) AS SELECT o_customer, o_day, o_price FROM orders;
CREATE VIEW baskets AS SELECT o.o_day AS day, l.l_quantity AS quantity, l.l_mode AS mode, p.p_brand AS brand
    FROM orders AS o JOIN lineitem AS l ON l.l_order = o.o_id JOIN part AS p ON l.l_part = p.p_id;
"""

ROWS = f"""
INSERT INTO customer SELECT i, CASE WHEN i % 5 = 0 THEN NULL ELSE i % 4 END,
    CASE i % 6 WHEN 0 THEN NULL WHEN 1 THEN 'home' WHEN 2 THEN 'Büro' WHEN 3 THEN 'Home' ELSE '' END,
    i * 13.37 - 50, DATE '1950-01-01' + (i * 700)::INTEGER, CASE i % 3 WHEN 0 THEN NULL ELSE i % 3 = 1 END
FROM range({CUSTOMERS}) AS r(i);
INSERT INTO orders SELECT i,
    CASE WHEN i % 11 = 0 THEN NULL WHEN i % 5 = 0 THEN 1 WHEN i % 29 = 3 THEN 90
        ELSE (i * i * i) % {CUSTOMERS} END,
    CASE i % 13 WHEN 0 THEN 'infinity'::DATE WHEN 1 THEN NULL ELSE DATE '2024-01-01' + (i % 60)::INTEGER END,
    CASE i % 9 WHEN 0 THEN 'nan'::DOUBLE WHEN 1 THEN 'inf' WHEN 2 THEN '-inf' ELSE i * 3.7 - 20 END,
    CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN 'O' WHEN 2 THEN 'F' ELSE 'P' END,
    'clerk' || (i % 7), TIMESTAMP '2024-01-01' + INTERVAL (i * 311) MINUTE
FROM range(120) AS r(i);
INSERT INTO lineitem SELECT CASE WHEN i % 23 = 0 THEN NULL ELSE (i * 7) % 130 END, (i * 5) % 9,
    CASE WHEN i % 10 = 0 THEN NULL ELSE (i * 31) % 60 - 5 END, (i * 97) % 1000 + 0.25, (i % 11) / 100.0,
    CASE i % 6 WHEN 0 THEN NULL WHEN 1 THEN 'AIR' WHEN 2 THEN 'RAIL' ELSE 'SHIP' END,
    CASE i % 3 WHEN 0 THEN 9223372036854775807 - i WHEN 1 THEN i - 9223372036854775808 ELSE i % 7 END,
    CASE i % 8 WHEN 0 THEN 'nan'::FLOAT ELSE i / 16.0 END
FROM range(300) AS r(i);
INSERT INTO visit SELECT CASE WHEN i % 7 = 0 THEN 2 WHEN i % 31 = 5 THEN 91 ELSE (i * 5) % {CUSTOMERS} END,
    CASE i % 5 WHEN 0 THEN '/' WHEN 1 THEN '/a?q=1' WHEN 2 THEN NULL WHEN 3 THEN '/A?q=1'
        ELSE '/ü/' || (i % 4) END,
    (i * 37) % 255 - 127, CASE i % 3 WHEN 0 THEN 170141183460469231731687303715884105727
        WHEN 1 THEN -170141183460469231731687303715884105728 ELSE i END,
    CASE i % 17 WHEN 0 THEN '-infinity'::TIMESTAMP WHEN 1 THEN NULL
        ELSE TIMESTAMP '2024-01-01' + INTERVAL (i * 97) SECOND END,
    CASE i % 4 WHEN 0 THEN 4294967295 ELSE i END
FROM range(200) AS r(i);
INSERT INTO nation VALUES (0, 'FRANCE', 'EUROPE'), (1, 'PERU', 'AMERICA'), (2, 'KENYA', 'AFRICA'),
    (9, NULL, NULL);
INSERT INTO part SELECT i, 'brand' || (i % 3), i * 5 FROM range(8) AS r(i);
INSERT INTO clerk SELECT 'clerk' || i, i % 3 FROM range(5) AS r(i);
INSERT INTO closed VALUES (1);
"""

POLICIES = """
ALTER TABLE nation SET PUBLIC
ALTER TABLE part SET PUBLIC
ALTER TABLE clerk SET PUBLIC
ALTER TABLE customer ADD PRIVACY_KEY (c_id)
ALTER TABLE orders ADD PRIVACY_LINK (o_customer) REFERENCES customer(c_id)
ALTER TABLE lineitem ADD PRIVACY_LINK (l_order) REFERENCES orders(o_id)
ALTER TABLE visit ADD PRIVACY_LINK (v_customer) REFERENCES customer(c_id)
ALTER TABLE customer ALTER COLUMN c_nation SET PRIVACY DOMAIN REFERENCES nation(n_id)
ALTER TABLE customer ALTER COLUMN c_segment SET PRIVACY DOMAIN IN ('home', 'Home', 'Büro', 'farm')
ALTER TABLE customer ALTER COLUMN c_balance SET PRIVACY DOMAIN BETWEEN (-40, 100) STEP 0.50
ALTER TABLE customer ALTER COLUMN c_born SET PRIVACY DOMAIN BETWEEN ('1950-01-01', '1980-01-01')
ALTER TABLE orders ALTER COLUMN o_day SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-03-31')
ALTER TABLE orders ALTER COLUMN o_price SET PRIVACY DOMAIN BETWEEN (0, 300)
ALTER TABLE orders ALTER COLUMN o_seen SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-01-15') STEP 3600
ALTER TABLE lineitem ALTER COLUMN l_quantity SET PRIVACY DOMAIN BETWEEN (0, 50)
ALTER TABLE lineitem ALTER COLUMN l_price SET PRIVACY DOMAIN BETWEEN (0, 1000)
ALTER TABLE lineitem ALTER COLUMN l_discount SET PRIVACY DOMAIN BETWEEN (0, 0.10)
ALTER TABLE lineitem ALTER COLUMN l_mode SET PRIVACY DOMAIN IN ('AIR', 'RAIL', 'SHIP', 'TRUCK')
ALTER TABLE lineitem ALTER COLUMN l_big SET PRIVACY DOMAIN BETWEEN (-5, 5)
ALTER TABLE lineitem ALTER COLUMN l_weight SET PRIVACY DOMAIN BETWEEN (0, 16) STEP 0.25
ALTER TABLE visit ALTER COLUMN v_page SET PRIVACY DOMAIN IN ('/', '/a?q=1', '/A?q=1', '/ü/3')
ALTER TABLE visit ALTER COLUMN v_tiny SET PRIVACY DOMAIN BETWEEN (-100, 100) STEP 10
ALTER TABLE visit ALTER COLUMN v_huge SET PRIVACY DOMAIN BETWEEN (0, 200)
ALTER TABLE visit ALTER COLUMN v_at SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-01-02') STEP 900
"""

# What the owner says one customer may contribute, in each of the markets that are tried.
BOUNDS = (
    "",
    "ALTER TABLE orders SET PRIVACY CONTRIBUTION (groups = 3, rows = 2)",
    """
    ALTER TABLE customer SET PRIVACY CONTRIBUTION (groups = 2)
    ALTER TABLE lineitem SET PRIVACY CONTRIBUTION (rows = 3)
    ALTER TABLE visit SET PRIVACY CONTRIBUTION (groups = 1, rows = 1)
    """,
)

REMOVE = """
DELETE FROM lineitem WHERE l_order IN (SELECT o_id FROM orders WHERE o_customer = {unit});
DELETE FROM orders WHERE o_customer = {unit};
DELETE FROM visit WHERE v_customer = {unit};
DELETE FROM customer WHERE c_id = {unit}
"""


@dataclass
class Market:
    """One market with its policies, and its neighbours, which are made when they are first asked for."""

    connection: duckdb.DuckDBPyConnection
    catalog: Catalog
    _neighbours: dict[int, Market] = field(default_factory=dict)

    @classmethod
    def of(cls, connection: duckdb.DuckDBPyConnection) -> Market:
        return cls(connection, policies.load_catalog(connection))

    def without(self, unit: int) -> Market:
        """The market without a customer, and all else the same."""
        if unit not in self._neighbours:
            connection = _stocked()
            for statement in REMOVE.format(unit=unit).split(";"):
                connection.execute(statement)
            _copy_policies(self.connection, connection)
            self._neighbours[unit] = Market.of(connection)
        return self._neighbours[unit]


def open_market(bounds: str = "", path: str = ":memory:") -> Market:
    """The market with its policies, in memory or a file. Input: statements on contributions, one a line."""
    connection = _stocked(path)
    for line in (POLICIES + bounds).splitlines():
        if line.strip():
            statement = parse(line)
            assert isinstance(statement, PolicyStatement)
            policies.execute(connection, statement)
    return Market.of(connection)


def _stocked(path: str = ":memory:") -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(path)
    connection.execute("SET threads = 1")
    connection.execute(SCHEMA)
    connection.execute(ROWS)
    return connection


def _copy_policies(source: duckdb.DuckDBPyConnection, target: duckdb.DuckDBPyConnection) -> None:
    """The same policies with the same salt, row by row."""
    (sql,) = source.execute(
        "SELECT sql FROM duckdb_tables() WHERE schema_name = ?", [STORE_SCHEMA]
    ).fetchall()
    target.execute(f"CREATE SCHEMA {STORE_SCHEMA}")
    target.execute(sql[0])
    rows = source.execute(f"FROM {STORE_SCHEMA}.{STORE}").fetchall()
    target.executemany(f"INSERT INTO {STORE_SCHEMA}.{STORE} VALUES (?, ?, ?, ?, ?, ?)", rows)
