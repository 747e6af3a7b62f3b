"""Whether a person is there must not decide whether a query fails.

What leaked: constants were written without their types, so that 100000*100000 overflowed only where a row
reached it; guards passed over constants; a decimal type that could not hold a result was bound in the middle
of an expression; a range that follows from domains went beyond what its type holds, and the end of the clamp
failed to convert as soon as one row came by. For epsilon 0.0001 each such query told one bit of one person.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.kernel.errors import DpduckError, ExecutionError
from tests.depth import part
from tests.trust.doors import DOORS, Said

WHO = "CASE WHEN name = 'n3' THEN {} ELSE TRUE END"
LEAST = "-170141183460469231731687303715884105728"

TABLE = """
CREATE TABLE people AS SELECT
    i AS id, 'n' || i AS name, (20 + i % 60)::INTEGER AS age, i % 2 = 1 AS secret,
    (i / 10)::DECIMAL(18,6) AS dc, (i - 50)::SMALLINT AS si, (i * 10)::INTEGER AS price
FROM range(1, 41) AS r(i)
"""
POLICIES = (
    "ADD PRIVACY_KEY (id)",
    "ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 120)",
    "ALTER COLUMN dc SET PRIVACY DOMAIN BETWEEN (0, 900000000000)",
    "ALTER COLUMN si SET PRIVACY DOMAIN BETWEEN (-30000, 30000)",
    "ALTER COLUMN price SET PRIVACY DOMAIN BETWEEN (0, 1000)",
)

CONDITIONS = {
    "an overflow of constants": WHO.format("100000 * 100000 > age"),
    "an overflow of nested constants": WHO.format("(50000 * 40000) + (50000 * 40000) > age"),
    "a constant beside a smaller column": WHO.format("si + 30000 > 32767"),
    "the least number divided": WHO.format(f"{LEAST} // (CASE WHEN secret THEN -1 ELSE 1 END) > age"),
    "its remainder": WHO.format(f"{LEAST} % (CASE WHEN secret THEN -1 ELSE 1 END) > age"),
    "its negative": WHO.format(f"-(CASE WHEN secret THEN {LEAST} ELSE 1 END) > age"),
    "a decimal without room": WHO.format(
        "round(CAST(regexp_extract('', '([0-9]+)', 1) AS DECIMAL(38,38)), -5) > 0"
    ),
    "a date with a huge number of days": WHO.format(
        "DATE '2024-01-01' + CAST(CASE WHEN secret THEN '170141183460469231731687303715884105729' END "
        "AS UHUGEINT) IS NULL"
    ),
}
AGGREGATES = {
    "a decimal cast of whole numbers": "median(CAST(age AS DECIMAL(2,0)))",
    "a shorter decimal": "median(CAST(dc AS DECIMAL(9,4)))",
    "the same, added up": "sum(CAST(dc AS DECIMAL(9,4)))",
    "a negative cast": "median(-CAST(dc AS INTEGER))",
    "a mean of a cast": "avg(-CAST(dc AS INTEGER))",
    "a product cast back": "median(CAST(si * si AS SMALLINT))",
    "the largest of it": "max(CAST(si * si AS SMALLINT))",
    "places that do not fit": "median(round(dc, 18))",
    "a sum of a cast": "sum(CAST(price AS TINYINT))",
}
QUERIES = [f"SELECT count(*) FROM people WHERE {condition}" for condition in CONDITIONS.values()]
QUERIES += [f"SELECT {aggregate} FROM people WHERE name = 'n3'" for aggregate in AGGREGATES.values()]
NAMES = [*CONDITIONS, *AGGREGATES]


def make(file: Path, *statements: str) -> Path:
    """The people and their policies, in a file."""
    with duckdb.connect(str(file)) as connection:
        for statement in (TABLE, *statements):
            connection.execute(statement)
    with dpduck.connect(str(file)) as db:
        for policy in POLICIES:
            db.execute(f"ALTER TABLE people {policy}")
    return file


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The database, and its neighbour without the third person."""
    folder = tmp_path_factory.mktemp("people")
    return make(folder / "with.duckdb"), make(
        folder / "without.duckdb", "DELETE FROM people WHERE name = 'n3'"
    )


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("sql", QUERIES, ids=NAMES)
def test_a_person_decides_no_error(files: tuple[Path, Path], door: str, sql: str) -> None:
    said: list[Said] = [DOORS[door](file, sql) for file in files]
    assert said[0] == said[1]
    assert "reading private data" not in said[0].error


# --- 300 pairs of an expression that may overflow, and a person ----------------------------------

COLUMNS = {
    "ti": ("TINYINT", "-128"),
    "sm": ("SMALLINT", "-32768"),
    "i": ("INTEGER", "-2147483648"),
    "b": ("BIGINT", "-9223372036854775808"),
    "h": ("HUGEINT", LEAST),
    "ut": ("UTINYINT", "255"),
    "ui": ("UINTEGER", "4294967295"),
    "ub": ("UBIGINT", "18446744073709551615"),
    "d9": ("DECIMAL(9,2)", "-9999999.99"),
    "d18": ("DECIMAL(18,18)", "0.999999999999999999"),
    "d38": ("DECIMAL(38,0)", "-99999999999999999999999999999999999999"),
    "dd": ("DECIMAL(38,38)", "0.99999999999999999999999999999999999999"),
    "f": ("FLOAT", "3.4028234e38"),
    "x": ("DOUBLE", "-1.7976931348623157e308"),
}
_OPERATIONS = (
    "-{0}", "abs({0})", "{0} - 1", "{0} + {0}", "{0} * {0}", "{0} * -100000", "{0} // -1", "{0} % -1",
    "1 // ({0} - {0})", "{0} / ({0} - {0})", "round({0}, -1)", "round({0}, -19)", "trunc({0}, -1)",
    "CAST({0} AS TINYINT)", "CAST({0} AS DECIMAL(38,38))", "CAST({0} AS UHUGEINT)", "pow({0}, 1000)",
    "9223372036854775807 + {0}", "170141183460469231731687303715884105727 - {0}", "ln({0})",
    "greatest({0}, 1) * 2147483647 * 2147483647",
)  # fmt: skip
_MOMENTS = (
    "d + 1", "d - 1", "d + i", "d - sm", "d + INTERVAL 9999 YEAR", "last_day(d)", "date_trunc('week', d)",
    "week(d)", "date_diff('day', d, DATE '2024-01-01')", "CAST(d AS TIMESTAMP)", "epoch_ms(ts)",
    "ts + INTERVAL 1 SECOND", "ts - INTERVAL 9999 YEAR", "time_bucket(INTERVAL 7 DAY, ts)",
    "date_trunc('century', ts)", "strftime(ts, '%Y-%m-%d')", "date_sub('microsecond', ts, DATE '0001-01-01')",
    "substr(s, b, b)", "left(s, h)", "CAST(s AS INTEGER)", "CAST(s AS DATE)", "CAST(s AS DOUBLE)",
)  # fmt: skip
OVERFLOWS = [operation.format(column) for column, operation in product(COLUMNS, _OPERATIONS)]
OVERFLOWS += _MOMENTS


def extremes() -> dpduck.Connection:
    """One person whose values are at the ends of all types, among others with harmless ones."""
    connection = duckdb.connect()
    columns = ", ".join(f"{name} {kind}" for name, (kind, _) in COLUMNS.items())
    connection.execute(f"CREATE TABLE t (u INTEGER, {columns}, d DATE, ts TIMESTAMP, s VARCHAR)")
    harmless = ", ".join("0" for _ in COLUMNS)
    connection.execute(
        f"INSERT INTO t SELECT i, {harmless}, '2024-01-31', '2024-01-31', 'a' FROM range(9) r(i)"
    )
    ends = ", ".join(f"'{value}'" for _, value in COLUMNS.values())
    connection.execute(
        f"INSERT INTO t VALUES (99, {ends}, '5881580-07-10', '294247-01-10', 'nobody''s number')"
    )
    db = dpduck.connect(connection, epsilon="0.001")
    db.execute("ALTER TABLE t ADD PRIVACY_KEY (u)")
    return db


@pytest.fixture(scope="module")
def neighbours() -> Iterator[tuple[dpduck.Connection, dpduck.Connection]]:
    with extremes() as full, extremes() as less:
        less._data.execute("DELETE FROM t WHERE u = 99")
        yield full, less


def said(db: dpduck.Connection, sql: str) -> str:
    """The message of the error, if there is one."""
    try:
        db.execute(sql)
    except ExecutionError:
        return "below the data line"
    except DpduckError as error:
        return error.message
    return ""


def test_three_hundred_expressions_that_may_overflow(
    neighbours: tuple[dpduck.Connection, dpduck.Connection],
) -> None:
    full, less = neighbours
    answered = 0
    tried = part(OVERFLOWS, 6)
    for expression in tried:
        sql = f"SELECT count({expression}) FROM t"
        one, two = said(full, sql), said(less, sql)
        assert one == two != "below the data line", sql
        answered += one == ""
    assert len(OVERFLOWS) >= 300
    assert answered >= 0.9 * len(tried)
