"""A small market with awkward data, for random queries: links, public tables, NULLs, infinities, bounds.

Beside the market stand its neighbours: databases made in the same way, from which one customer is gone
with all that belongs to them along the links, or all but some customers. The rows of a neighbour lie in
another order, which must not matter. The market can be had with other rows: ties, ends of types, or NULLs.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

import duckdb

from dpduck import policies
from dpduck.compiler.parse.statements import parse
from dpduck.kernel.catalog.model import Catalog, Table
from dpduck.kernel.catalog.statements import PolicyStatement
from dpduck.policies.schema import SCHEMA as STORE_SCHEMA
from dpduck.policies.schema import STORE
from tests.fuzz.facts import RememberedFacts

CUSTOMERS = 17
STRANGERS = (90, 91)  # in orders and visits only, without a row of their own
EVERYONE = frozenset((*range(CUSTOMERS), *STRANGERS))
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
CREATE TABLE profile (f_customer INTEGER, f_home STRUCT(city VARCHAR, zip INTEGER, since DATE),
    f_tags VARCHAR[], f_marks INTEGER[], f_days DATE[], f_goods STRUCT(kind VARCHAR, price DOUBLE)[],
    f_json JSON);
CREATE TABLE badge (b_customer INTEGER PRIMARY KEY, b_tags VARCHAR[], b_marks DOUBLE[]);
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
INSERT INTO profile SELECT CASE WHEN i % 6 = 0 THEN 3 WHEN i % 37 = 5 THEN 90 ELSE (i * 7) % {CUSTOMERS} END,
    CASE i % 7 WHEN 0 THEN NULL ELSE {{city: CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN 'Oslo' ELSE 'Bern' END,
        zip: i * 29 % 100, since: CASE i % 5 WHEN 0 THEN 'infinity'::DATE ELSE DATE '2024-01-01' + i::INTEGER
        END}} END,
    CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN [] WHEN 2 THEN ['new', 'vip', 'new'] WHEN 3 THEN [NULL, 'old']
        ELSE ['Büro'] END,
    CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN [i, NULL, 2147483647] ELSE [i % 9, -3, i % 9, i] END,
    CASE i % 3 WHEN 0 THEN [DATE '2024-01-01' + i::INTEGER, NULL]
        WHEN 1 THEN ['-infinity'::DATE, '2024-02-01'] END,
    CASE i % 4 WHEN 0 THEN [] ELSE [{{kind: 'a', price: i}}, NULL, {{kind: 'b', price: 'nan'::DOUBLE}}] END,
    CASE i % 6 WHEN 0 THEN NULL WHEN 1 THEN '{{"net": {{"type": "wifi"}}, "ms": 5}}'
        WHEN 2 THEN '{{"net": 1, "ms": "x"}}' WHEN 3 THEN '[1, 2]'
        ELSE '{{"net": {{"type": "cell"}}, "ms": ' || (i * 7) || '.5}}' END
FROM range(90) AS r(i);
INSERT INTO badge SELECT i,
    CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN ['vip', 'new'] ELSE ['old', 'old', NULL] END,
    CASE i % 3 WHEN 0 THEN ['inf'::DOUBLE, 'nan', i] WHEN 1 THEN [] ELSE [i * 0.5, NULL, -1e300] END
FROM range({CUSTOMERS}) AS r(i) WHERE i % 7 <> 4;
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
ALTER TABLE profile ADD PRIVACY_LINK (f_customer) REFERENCES customer(c_id)
ALTER TABLE badge ADD PRIVACY_LINK (b_customer) REFERENCES customer(c_id)
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
ALTER TABLE profile ALTER COLUMN f_home.city SET PRIVACY DOMAIN IN ('Oslo', 'Bern', 'Rome')
ALTER TABLE profile ALTER COLUMN f_home.zip SET PRIVACY DOMAIN BETWEEN (0, 50)
ALTER TABLE profile ALTER COLUMN f_home.since SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-03-01')
ALTER TABLE profile ALTER COLUMN f_tags SET PRIVACY DOMAIN IN ('new', 'vip', 'Büro')
ALTER TABLE profile ALTER COLUMN f_marks SET PRIVACY DOMAIN BETWEEN (0, 20)
ALTER TABLE profile ALTER COLUMN f_days SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-02-15')
ALTER TABLE profile ALTER COLUMN f_json.net.type SET PRIVACY DOMAIN IN ('wifi', 'cell')
ALTER TABLE badge ALTER COLUMN b_tags SET PRIVACY DOMAIN IN ('vip', 'old', 'new')
ALTER TABLE badge ALTER COLUMN b_marks SET PRIVACY DOMAIN BETWEEN (0, 8)
"""

# What the owner says one customer may contribute, in each of the markets that are tried.
BOUNDS = (
    "",
    "ALTER TABLE orders SET PRIVACY CONTRIBUTION (groups = 3, rows = 2)",
    """
    ALTER TABLE customer SET PRIVACY CONTRIBUTION (groups = 2)
    ALTER TABLE lineitem SET PRIVACY CONTRIBUTION (rows = 3)
    ALTER TABLE visit SET PRIVACY CONTRIBUTION (groups = 1, rows = 1)
    ALTER TABLE profile SET PRIVACY CONTRIBUTION (groups = 2, rows = 4)
    """,
)

# Other rows for the same tables: statements that are run once these are filled.
TIES = """
UPDATE customer SET c_nation = 1, c_segment = 'home', c_balance = 1, c_born = '1960-01-01', c_ok = true;
UPDATE orders SET o_day = DATE '2024-01-31' + o_id % 2, o_price = o_id % 2, o_clerk = 'clerk' || (o_id % 2),
    o_seen = TIMESTAMP '2024-01-02', o_status = 'O';
UPDATE lineitem SET l_part = l_part % 2, l_quantity = l_quantity % 2, l_price = 1, l_discount = 0,
    l_mode = 'AIR', l_big = 1, l_weight = 1;
UPDATE visit SET v_page = '/', v_tiny = v_tiny % 2, v_huge = 1, v_at = '2024-01-01 00:15:00', v_unsigned = 1;
UPDATE profile SET f_home = {'city': 'Oslo', 'zip': f_customer % 2, 'since': DATE '2024-01-02'},
    f_tags = ['new', 'new', 'vip'], f_marks = [1, 1, 2], f_days = ['2024-01-02'::DATE, '2024-01-02'],
    f_goods = [{'kind': 'a', 'price': 1}, {'kind': 'b', 'price': 1}],
    f_json = '{"net": {"type": "wifi"}, "ms": 1}';
UPDATE badge SET b_tags = ['vip', 'vip'], b_marks = [1, 1]
"""
ENDS = """
UPDATE customer SET c_balance = CASE c_id % 3 WHEN 0 THEN 9999999.99 WHEN 1 THEN -9999999.99 ELSE 0 END,
    c_born = CASE c_id % 3 WHEN 0 THEN 'infinity'::DATE WHEN 1 THEN '-infinity' ELSE '5881580-07-10' END,
    c_segment = CASE c_id % 3 WHEN 0 THEN repeat('x', 10001) WHEN 1 THEN chr(0) ELSE 'home' END;
UPDATE orders SET o_day = CASE o_id % 5 WHEN 0 THEN '5881580-07-10'::DATE WHEN 1 THEN '5877642-06-25 (BC)'
        WHEN 2 THEN '9999-12-31' ELSE o_day END,
    o_price = CASE o_id % 7 WHEN 0 THEN 1.7976931348623157e308 WHEN 1 THEN -1.7976931348623157e308
        WHEN 2 THEN -0.0 WHEN 3 THEN 5e-324 WHEN 4 THEN 1e15 ELSE o_price END,
    o_clerk = CASE o_id % 3 WHEN 0 THEN '' WHEN 1 THEN repeat('y', 10001) ELSE o_clerk END,
    o_seen = CASE o_id % 4 WHEN 0 THEN '294247-01-10 04:00:54.775806'::TIMESTAMP
        WHEN 1 THEN '290309-12-22 (BC) 00:00:00'::TIMESTAMP WHEN 2 THEN 'infinity' ELSE o_seen END;
UPDATE lineitem SET l_quantity = CASE WHEN l_part % 2 = 0 THEN 2147483647 ELSE -2147483648 END,
    l_price = CASE WHEN l_part % 3 = 0 THEN 9999999999.99 ELSE -9999999999.99 END,
    l_discount = CASE WHEN l_part % 3 = 1 THEN 99.99 ELSE -99.99 END,
    l_big = CASE WHEN l_part % 2 = 0 THEN 9223372036854775807 ELSE -9223372036854775808 END,
    l_weight = CASE l_part % 4 WHEN 0 THEN 3.4028234e38 WHEN 1 THEN -3.4028234e38 WHEN 2 THEN 'inf'
        ELSE -0.0 END;
UPDATE visit SET v_tiny = CASE WHEN v_unsigned % 2 = 0 THEN 127 ELSE -128 END,
    v_at = CASE v_unsigned % 3 WHEN 0 THEN '294247-01-10 04:00:54.775806'::TIMESTAMP
        WHEN 1 THEN '290309-12-22 (BC) 00:00:00'::TIMESTAMP ELSE v_at END;
UPDATE profile SET f_home = CASE f_customer % 3
        WHEN 0 THEN {'city': repeat('x', 10001), 'zip': 2147483647, 'since': '5881580-07-10'::DATE}
        WHEN 1 THEN {'city': chr(0), 'zip': -2147483648, 'since': '5877642-06-25 (BC)'::DATE} ELSE f_home END,
    f_tags = CASE f_customer % 3 WHEN 0 THEN [repeat('y', 10001), '', chr(0)]
        WHEN 1 THEN list_resize(f_tags, 40)
        ELSE f_tags END,
    f_marks = CASE f_customer % 2 WHEN 0 THEN [2147483647, -2147483648, 0] ELSE range(30)::INTEGER[] END,
    f_days = ['5881580-07-10'::DATE, '5877642-06-25 (BC)', 'infinity', '2024-01-05'],
    f_goods = [{'kind': '', 'price': 1.7976931348623157e308},
        {'kind': NULL, 'price': -1.7976931348623157e308}],
    f_json = CASE f_customer % 3 WHEN 0 THEN '{"net": {"type": null}, "ms": 1e400}'
        WHEN 1 THEN '{"net": {"type": "' || repeat('z', 10001) || '"}}'
        ELSE '{"ms": 9223372036854775808}' END;
UPDATE badge SET b_marks = [1.7976931348623157e308, -1.7976931348623157e308, -0.0, 5e-324]
"""
MISSING = """
UPDATE customer SET c_nation = NULL, c_segment = NULL, c_balance = NULL WHERE c_id % 2 = 0;
UPDATE orders SET o_customer = NULL WHERE o_id % 3 = 0;
UPDATE orders SET o_day = NULL, o_price = NULL, o_status = NULL WHERE o_id % 4 = 1;
UPDATE orders SET o_clerk = NULL, o_seen = NULL WHERE o_id % 4 > 1;
UPDATE lineitem SET l_order = NULL WHERE l_part % 4 = 0;
UPDATE lineitem SET l_part = NULL, l_quantity = NULL, l_mode = NULL WHERE l_order % 3 = 0;
UPDATE visit SET v_customer = CASE WHEN v_tiny % 2 = 0 THEN NULL ELSE 91 END
    WHERE v_tiny % 4 = 1 OR v_tiny % 5 = 0;
UPDATE visit SET v_page = NULL, v_tiny = NULL, v_huge = NULL, v_at = NULL WHERE v_tiny % 3 = 0;
UPDATE profile SET f_customer = NULL WHERE len(f_goods) = 0;
UPDATE profile SET f_home = NULL, f_tags = NULL, f_days = NULL WHERE f_customer % 3 = 0;
UPDATE profile SET f_marks = NULL, f_goods = NULL, f_json = NULL WHERE f_customer % 3 = 1;
UPDATE badge SET b_tags = NULL WHERE b_customer % 2 = 0
"""
CHANGES = ("", TIES, ENDS, MISSING)

_OF_UNIT = {
    "lineitem": "SELECT DISTINCT o_customer FROM lineitem JOIN orders ON l_order = o_id",
    "orders": "SELECT DISTINCT o_customer FROM orders",
    "visit": "SELECT DISTINCT v_customer FROM visit",
    "profile": "SELECT DISTINCT f_customer FROM profile",
    "badge": "SELECT b_customer FROM badge",
    "customer": "SELECT c_id FROM customer",
}
# The rows of customers, and those of nobody.
_REMOVE = """
DELETE FROM lineitem WHERE l_order IN (SELECT o_id FROM orders WHERE o_customer IN ({units}));
DELETE FROM orders WHERE o_customer IN ({units});
DELETE FROM visit WHERE v_customer IN ({units});
DELETE FROM profile WHERE f_customer IN ({units});
DELETE FROM badge WHERE b_customer IN ({units});
DELETE FROM customer WHERE c_id IN ({units})
"""
_REMOVE_NOBODY = """
DELETE FROM orders WHERE o_customer IS NULL;
DELETE FROM lineitem WHERE l_order IS NULL OR l_order NOT IN (SELECT o_id FROM orders);
DELETE FROM visit WHERE v_customer IS NULL;
DELETE FROM profile WHERE f_customer IS NULL
"""
_SHUFFLE = """
CREATE TEMP TABLE shuffled AS FROM {table} ORDER BY hash(rowid, {salt});
DELETE FROM {table};
INSERT INTO {table} FROM shuffled;
DROP TABLE shuffled
"""


@cache
def rows_without(
    units: frozenset[int], *, nobody: bool = False, changes: str = ""
) -> duckdb.DuckDBPyConnection:
    """The rows of a market without these customers, in another order, and without policies.

    Input: `nobody`: the rows of nobody are gone as well; `changes`: as of the market.
    """
    connection = _stocked(changes=changes)
    if units:
        _run(connection, _REMOVE.format(units=", ".join(map(str, sorted(units)))))
    if nobody:
        _run(connection, _REMOVE_NOBODY)
    for table in _OF_UNIT:
        _run(connection, _SHUFFLE.format(table=table, salt=sum(units) + 1))
    return connection


@cache
def _facts_without(units: frozenset[int], changes: str) -> RememberedFacts:
    return RememberedFacts.of(rows_without(units, changes=changes))


def halves(number: int) -> tuple[frozenset[int], frozenset[int]]:
    """All customers in two halves, another pair for each number."""
    half = frozenset(random.Random(number).sample(sorted(EVERYONE), len(EVERYONE) // 2))
    return half, EVERYONE - half


@dataclass
class Market:
    """One market with its policies, and its neighbours, which are made when they are first asked for.

    `changes`: statements by which its rows differ from `ROWS`. `facts`: what is public in its rows.
    """

    connection: duckdb.DuckDBPyConnection
    catalog: Catalog
    changes: str = ""
    _neighbours: dict[int, Market] = field(default_factory=dict)

    @classmethod
    def of(cls, connection: duckdb.DuckDBPyConnection, changes: str = "") -> Market:
        return cls(connection, policies.load_catalog(connection), changes)

    @cached_property
    def facts(self) -> RememberedFacts:
        return RememberedFacts.of(self.connection)

    def without(self, unit: int) -> Market:
        """The market without a customer, and all else the same, in another order."""
        if unit not in self._neighbours:
            connection = _stocked(changes=self.changes)
            _run(connection, _REMOVE.format(units=unit))
            for table in _OF_UNIT:
                _run(connection, _SHUFFLE.format(table=table, salt=unit))
            _copy_policies(self.connection, connection)
            neighbour = Market.of(connection, self.changes)
            assert neighbour.catalog == self.catalog
            self._neighbours[unit] = neighbour
        return self._neighbours[unit]

    def rows_without(self, units: frozenset[int], *, nobody: bool = False) -> duckdb.DuckDBPyConnection:
        """The rows without some customers, for score SQL alone."""
        return rows_without(units, nobody=nobody, changes=self.changes)

    def facts_without(self, unit: int) -> RememberedFacts:
        """What is public in the rows without a customer."""
        return _facts_without(frozenset([unit]), self.changes)

    def units_in(self, tables: Iterable[Table]) -> Sequence[int]:
        """Those of `UNITS` who have rows in one of the tables."""
        names = {table.name for table in tables}
        return [unit for unit in UNITS if self._tables_of[unit] & names]

    @cached_property
    def _tables_of(self) -> dict[int, set[str]]:
        """The tables in which each unit has rows."""
        found: dict[int, set[str]] = {unit: set() for unit in UNITS}
        for table, query in _OF_UNIT.items():
            for (unit,) in self.connection.execute(query).fetchall():
                found.setdefault(unit, set()).add(table)
        return found


def open_market(bounds: str = "", path: str = ":memory:", changes: str = "") -> Market:
    """The market with its policies, in memory or a file.

    Input: `bounds`: statements on contributions, one a line; `changes`: statements that change its rows.
    """
    connection = _stocked(path, changes)
    for line in (POLICIES + bounds).splitlines():
        if line.strip():
            statement = parse(line)
            assert isinstance(statement, PolicyStatement)
            policies.execute(connection, statement)
    return Market.of(connection, changes)


def _stocked(path: str = ":memory:", changes: str = "") -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(path)
    connection.execute("SET threads = 1")
    connection.execute(SCHEMA)
    connection.execute(ROWS)
    _run(connection, changes)
    return connection


def _run(connection: duckdb.DuckDBPyConnection, statements: str) -> None:
    for statement in filter(str.strip, statements.split(";")):
        connection.execute(statement)


def _copy_policies(source: duckdb.DuckDBPyConnection, target: duckdb.DuckDBPyConnection) -> None:
    """The same policies with the same salt, row by row."""
    (sql,) = source.execute(
        "SELECT sql FROM duckdb_tables() WHERE schema_name = ?", [STORE_SCHEMA]
    ).fetchall()
    target.execute(f"CREATE SCHEMA {STORE_SCHEMA}")
    target.execute(sql[0])
    rows = source.execute(f"FROM {STORE_SCHEMA}.{STORE}").fetchall()
    target.executemany(f"INSERT INTO {STORE_SCHEMA}.{STORE} VALUES (?, ?, ?, ?, ?, ?)", rows)
