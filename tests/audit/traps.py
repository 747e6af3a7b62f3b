"""A database and queries by which one person's presence, or one value of theirs, could once be told.

Person 3 is called n3. Each query is harmless for everybody else.
"""

from __future__ import annotations

from functools import partial

import duckdb

from dpduck import policies
from dpduck.doors.audit.neighbours import Neighbour, in_database, remove
from dpduck.kernel.catalog.model import Catalog
from tests.query.shop import statement

SCHEMA = """
CREATE TABLE people (
    id INTEGER PRIMARY KEY, name VARCHAR, k VARCHAR, age INTEGER, dc DECIMAL(18,4), price DECIMAL(9,2),
    si SMALLINT, bi BIGINT, h HUGEINT, x DOUBLE, secret BOOLEAN, born DATE, seen TIMESTAMP);
INSERT INTO people SELECT
    i, 'n' || i, ['b', 'c', 'a'][1 + (i + 1) % 3], CASE i WHEN 3 THEN 77 ELSE i % 60 END,
    CASE i WHEN 3 THEN 99999.9999 ELSE i * 1.5 END, i % 1000 * 10.25, CASE i WHEN 3 THEN -32768 ELSE i END,
    CASE i WHEN 3 THEN 9223372036854775807 ELSE i END,
    CASE i WHEN 3 THEN '-170141183460469231731687303715884105728'::HUGEINT ELSE i END,
    CASE i WHEN 3 THEN 'nan'::DOUBLE ELSE i / 7.0 END, i = 3, DATE '1970-01-01' + (i * 97)::INTEGER,
    CASE i WHEN 3 THEN '294247-01-10 04:00:54.775806' ELSE '2024-01-01' END::TIMESTAMP
FROM range(60) AS r(i);
"""
POLICIES = """
ALTER TABLE people ADD PRIVACY_KEY (id)
ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 120)
ALTER TABLE people ALTER COLUMN dc SET PRIVACY DOMAIN BETWEEN (-99999999999999, 99999999999999)
ALTER TABLE people ALTER COLUMN price SET PRIVACY DOMAIN BETWEEN (0, 1000)
ALTER TABLE people ALTER COLUMN si SET PRIVACY DOMAIN BETWEEN (-32768, 32767)
ALTER TABLE people ALTER COLUMN bi SET PRIVACY DOMAIN BETWEEN (-9223372036854775808, 9223372036854775807)
"""
ORDERS = (
    "SELECT k FROM people GROUP BY k",
    "SELECT k, count(*) FROM people GROUP BY k",
    "SELECT k, count(*) FROM people GROUP BY k LIMIT 2",
    "SELECT k FROM people GROUP BY k HAVING count(*) > 2",
    "SELECT DISTINCT k, count(*) > 0 AS there FROM people GROUP BY k",
    "WITH t AS (SELECT k, count(*) AS n FROM people GROUP BY k) SELECT k FROM t",
    "SELECT k FROM (SELECT k, avg(age) AS a FROM people GROUP BY k) AS t WHERE a > 0",
    "SELECT avg(age) FROM people GROUP BY k",
)
_LEAST = "-170141183460469231731687303715884105728"
_GUARDED = "SELECT count(*) FROM people WHERE CASE WHEN name = 'n3' AND age >= 50 THEN {} ELSE age > 5 END"
CONSTANTS = tuple(
    _GUARDED.format(test)
    for test in (
        "100000 * 100000 > age",
        "2147483647 + 1 > age",
        "-2147483648 - 1 < age",
        "9223372036854775807 + 1 > age",
        "4000000000 * 4000000000 * 4000000000 * 4000000000 * 4000000000 > age",
        "abs(-2147483648) > age",
        "-(-2147483648) > age",
        "30000::SMALLINT * 2::SMALLINT > age",
        "100::TINYINT + 100::TINYINT > age",
        "99999.9999 * 99999999999999999999999999999999.9 > age",
        "1e308 * 1e308 > age",
        "exp(1000) > age",
        "2 ** 2000 > age",
        "pow(10, 400) > age",
        "sqrt(-1) > age",
        "ln(0) > age",
        "DATE '2024-01-01' + 2147483647 > born",
        "CAST('x' AS INTEGER) > age",
        "CAST(300 AS TINYINT) > age",
        "chr(-1) = name",
        "repeat('x', 1000000000000) = name",
        "lpad('x', 2000000000, 'y') = name",
    )
)
# Of two columns: conditions on one are tried on its public values, where a failure is nobody's.
_SIGN = "(CASE WHEN secret AND name > '' THEN -1 ELSE 1 END)"
LEAST = tuple(
    f"SELECT count(*) FROM people WHERE {_LEAST} {operator} {_SIGN} < 0" for operator in ("//", "%", "*", "-")
)
SMALL_DECIMALS = (
    "SELECT count(*) FROM people WHERE "
    "round(CAST(regexp_extract(name, '([0-9]+)', 1) AS DECIMAL(38,38)), -5) > 0",
    "SELECT count(*) FROM people WHERE round(dc, -10) > 0 AND secret",
    "SELECT count(*) FROM people WHERE CAST(dc AS DECIMAL(38,38)) > 0.5",
)
RANGES = (
    "SELECT median(CAST(age AS DECIMAL(2,0))) FROM people WHERE name = 'n3'",
    "SELECT median(CAST(dc AS DECIMAL(9,4))) FROM people WHERE name = 'n3'",
    "SELECT median(CAST(dc AS DECIMAL(8,4))) FROM people WHERE name = 'n3'",
    "SELECT median(-CAST(dc AS INTEGER)) FROM people WHERE name = 'n3'",
    "SELECT median(round(dc, 18)) FROM people WHERE name = 'n3'",
    "SELECT median(CAST(si * si AS SMALLINT)) FROM people WHERE name = 'n3'",
    "SELECT avg(CAST(price AS TINYINT)) FROM people WHERE name = 'n3'",
    "SELECT max(CAST(bi AS INTEGER)) FROM people WHERE name = 'n3'",
    "SELECT sum(abs(si)) FROM people WHERE name = 'n3'",
    "SELECT sum(-si) FROM people WHERE name = 'n3'",
    "SELECT median(bi + 1) FROM people WHERE name = 'n3'",
    "SELECT median(bi * 2) FROM people WHERE name = 'n3'",
)
RESULTS = (
    "SELECT mode(bi // 2) FROM people",
    "SELECT k, mode(bi) FROM people GROUP BY k",
    "SELECT max(CAST(price AS TINYINT)) FROM people",
    "SELECT max(CAST(age * 3 AS TINYINT)) FROM people",
)
_LISTED = "FROM (VALUES ('a'), ('b'), ('c'), ('d')) AS d(k) LEFT JOIN people AS p ON p.k = d.k GROUP BY d.k"
_FOUND = "FROM (SELECT {} AS k, count(*) AS n FROM people GROUP BY ALL)"
FUNCTIONS = (
    f"SELECT dp_top_k(k, n, 2, 0.5) FROM (SELECT d.k, count(p.id) AS n {_LISTED})",
    f"SELECT dp_top_k(k, n, 2, 0.5) FROM (SELECT d.k, max(p.bi) AS n {_LISTED})",
    f"SELECT dp_top_k(k, n, 2, 0.5) FROM (SELECT d.k, min(p.si) AS n {_LISTED})",
    f"SELECT dp_top_k(k, n, 2, 0.5) FROM (SELECT d.k, sum(p.id) FILTER (WHERE p.secret) AS n {_LISTED})",
    f"SELECT dp_top_k_counts(k, n, 2, 0.5) FROM (SELECT d.k, max(p.bi) AS n {_LISTED})",
    f"SELECT dp_above(k, n, 5, 2, 0.5) FROM (SELECT d.k, max(p.bi) AS n {_LISTED})",
    f"SELECT dp_select(k, n, 0.5) FROM (SELECT d.k, max(p.bi) AS n {_LISTED})",
    f"SELECT dp_select(k, n, 0.5) FROM (SELECT d.k, max(p.x) AS n {_LISTED})",
    f"SELECT dp_select(k, n, 0.5, sensitivity := 1e-9) "
    f"FROM (SELECT d.k, max(CASE WHEN p.secret THEN 1.7e308 ELSE 1 END) AS n {_LISTED})",
    f"SELECT dp_top_k(k, n, 2, 0.5, delta := 1e-6) {_FOUND.format('k')}",
    f"SELECT dp_top_k(k, n, 2, 0.5, delta := 1e-6) {_FOUND.format('secret')}",
    f"SELECT dp_top_k_counts(k, n, 2, 0.5, delta := 1e-6) {_FOUND.format('secret')}",
    f"SELECT dp_above(k, n, 5, 2, 0.5, delta := 1e-6) {_FOUND.format('secret')}",
    "SELECT dp_mode(name, 0.5, delta := 1e-6) FROM people WHERE secret",
    "SELECT dp_mode(secret, 0.5) FROM people",
    "SELECT dp_mode(k, 0.5, domain := ['a', 'b']) FROM people WHERE secret",
    "SELECT dp_median(bi, 0.5, lo := 0, hi := 100) FROM people",
    "SELECT dp_median(x, 0.5, lo := 0, hi := 100) FROM people WHERE secret",
    "SELECT dp_quantile(h, 0.9, 0.5, lo := 0, hi := 100) FROM people",
    "SELECT dp_median(seen, 0.5, lo := TIMESTAMP '2024-01-01', hi := TIMESTAMP '2025-01-01') FROM people",
    "SELECT dp_median(dc, 0.5, lo := 0, hi := 100) FROM people WHERE secret",
)
QUERIES = {
    "orders": ORDERS,
    "constants": CONSTANTS,
    "least": LEAST,
    "small decimals": SMALL_DECIMALS,
    "ranges": RANGES,
    "results": RESULTS,
}


def open_people(path: str) -> duckdb.DuckDBPyConnection:
    """The database in a file, with its policies."""
    connection = duckdb.connect(path)
    connection.execute(SCHEMA)
    for text in POLICIES.strip().splitlines():
        policies.execute(connection, statement(text))
    return connection


def without(catalog: Catalog, unit: int) -> Neighbour:
    """The database without a person; it is 3 of whom the queries tell."""
    root = catalog.table("people")
    change = in_database(partial(remove, catalog=catalog, root=root, unit=str(unit)))
    return Neighbour(f"without n{unit}", f"people.id = {unit}", change, root="people")
