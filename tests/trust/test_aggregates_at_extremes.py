"""A value at the end of its type, or an unusual one, could make an aggregate fail below the data line.

Each aggregate of each column is refused before the charge, or answered.
"""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck

COLUMNS = {
    "HUGEINT": ("-170141183460469231731687303715884105727", "170141183460469231731687303715884105727", "0"),
    "UHUGEINT": ("0", "340282366920938463463374607431768211455", "1"),
    "UBIGINT": ("0", "18446744073709551615", "7"),
    "FLOAT": ("inf", "-inf", "nan", "-0.0", "1e-45", "3.4e38"),
    "DOUBLE": ("inf", "-inf", "nan", "-0.0", "5e-324", "1.7976931348623157e308"),
    "DECIMAL(38,38)": ("0." + "9" * 38, "-0." + "9" * 38, "0"),
    "DECIMAL(38,0)": ("9" * 38, "-" + "9" * 38, "0"),
    "DATE": ("infinity", "-infinity", "5881580-07-10", "0001-01-01 (BC)"),
    "TIMESTAMP": ("infinity", "-infinity", "294247-01-10 04:00:54.775806", "1970-01-01"),
    "TIMESTAMP_S": ("infinity", "-infinity", "290309-12-22 (BC) 00:00:00", "1970-01-01"),
    "TIMESTAMP_MS": ("infinity", "-infinity", "1970-01-01"),
    "TIMESTAMP_NS": ("infinity", "-infinity", "2262-04-11 23:47:16.854775", "1677-09-22"),
    "TIMESTAMPTZ": ("infinity", "-infinity", "294247-01-10 04:00:54.775806+00", "1970-01-01 00:00:00+00"),
    "TIME": ("00:00:00", "24:00:00", "23:59:59.999999"),
    "INTERVAL": ("178956970 years", "-178956970 years", "1 month", "30 days"),
    "BOOLEAN": ("true", "false"),
    "BIT": ("0", "1" * 200),
    "BLOB": ("", r"\x00\xFF"),
    "UUID": ("00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"),
    "VARCHAR": ("", "\U0010ffff", "a" * 20_000, "e\u0301"),
    "ENUM('a', '')": ("a", ""),
    "INTEGER[]": ("[]", "[NULL]", "[1]"),
    "STRUCT(a INTEGER)": ("{'a': NULL}", "{'a': 1}"),
}
AGGREGATES = (
    "count({c})",
    "count(DISTINCT {c})",
    "sum({c})",
    "avg({c})",
    "stddev({c})",
    "regr_slope({c}, {c})",
    "regr_count({c}, {c})",
    "min({c})",
    "max({c})",
    "median({c})",
    "quantile_cont({c}, 0.9)",
    "quantile_disc({c}, [0.0, 1.0])",
    "mode({c})",
    "approx_top_k({c}, 2)",
    "sum({c}, contribution_bounds_per_group => (-5, 5))",
    "avg(CAST({c} AS DOUBLE), contribution_bounds_per_group => (0, 1))",
)
SHAPES = (
    *(f"SELECT {call} FROM t" for call in AGGREGATES),
    "SELECT {c}, count(*) FROM t GROUP BY {c}",
    "SELECT {c}, count(*) FROM t GROUP BY {c} ORDER BY 2 DESC LIMIT 2",
    "SELECT DISTINCT {c} FROM t",
    "SELECT count(*) FROM t WHERE {c} = {c} AND {c} IS NOT NULL",
)
DOMAINS = {  # public ends, as far out as they can be
    "HUGEINT": "(-9223372036854775808, 9223372036854775807)",
    "UBIGINT": "(0, 9223372036854775807)",
    "FLOAT": "(-1e30, 1e30)",
    "DOUBLE": "(-1e300, 1e300)",
    "DATE": "('0001-01-01', '9999-12-31')",
    "TIMESTAMP": "('0001-01-01 00:00:00', '9999-12-31 00:00:00')",
    "DECIMAL(38,0)": "(-100, 9223372036854775000)",
}


@pytest.fixture(scope="module", params=(False, True), ids=("no domains", "domains"))
def extremes(request: pytest.FixtureRequest) -> Iterator[dpduck.Connection]:
    with duckdb.connect() as con:
        names = {kind: f"c{place}" for place, kind in enumerate(COLUMNS)}
        con.execute(f"CREATE TABLE t (person INTEGER, {', '.join(f'{n} {k}' for k, n in names.items())})")
        person = 0
        for kind, values in COLUMNS.items():
            for value in (*values, None):
                person += 1
                con.execute(
                    f"INSERT INTO t (person, {names[kind]}) VALUES (?, CAST(? AS {kind}))", [person, value]
                )
        with dpduck.connect(con, epsilon="0.001", delta="1e-9") as db:
            db.execute("ALTER TABLE t ADD PRIVACY_KEY (person)")
            db.execute("ALTER TABLE t SET PRIVACY CONTRIBUTION (groups = 3)")
            for kind, ends in DOMAINS.items() if request.param else ():
                db.execute(f"ALTER TABLE t ALTER COLUMN {names[kind]} SET PRIVACY DOMAIN BETWEEN {ends}")
            yield db


@pytest.mark.parametrize("kind", COLUMNS)
def test_each_is_refused_before_the_charge_or_answered(extremes: dpduck.Connection, kind: str) -> None:
    answered = 0
    for shape in SHAPES:
        sql = shape.replace("{c}", f"c{list(COLUMNS).index(kind)}")
        try:
            extremes.execute(sql).fetchall()
            answered += 1
        except dpduck.DpduckError as error:
            assert error.charged == "0", (sql, str(error))
    assert answered
