"""The rows: every type with the ends of its values, NULL and NaN, once public and once of people."""

from __future__ import annotations

import duckdb

from tests.query.samples import TYPES, open_samples

ROWS = 48
UNITS_OF_A_ROW = 3  # so that all keys are found
FAR = 44
_MOMENTS = ("d", "e", "ts", "tt")
# Where a value is ordinary: beyond, private rows may have no value.
FAR_ENDS = {
    "h": "abs(t.h::DOUBLE) < 1e37",
    "uh": "t.uh::DOUBLE < 1e37",
    "w": "abs(t.w::DOUBLE) < 1e27",
    "s": "strlen(t.s) < 1000",
    "r": "strlen(t.r) < 1000",
    "tz": "t.tz BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'",
    **{name: f"t.{name} BETWEEN '0001-01-01' AND '9999-12-31'" for name in _MOMENTS},
}
COLUMNS = {"i": "INTEGER", **TYPES}
POLICIES = (
    "ALTER TABLE shown SET PUBLIC",
    "ALTER TABLE hidden ADD PRIVACY_KEY (unit)",
    f"ALTER TABLE hidden ALTER COLUMN i SET PRIVACY DOMAIN BETWEEN (0, {ROWS - 1})",
    "ALTER TABLE hidden SET PRIVACY CONTRIBUTION (groups = 1, rows = 1)",
    "CREATE OR REPLACE PRIVACY BUDGET everyone LIMIT 1000000 DELTA 0.999999",
)


def open_rows() -> duckdb.DuckDBPyConnection:
    """Tables shown and hidden with the same rows: i is the number of a row, unit a person of it.

    From `FAR` on values may lie beyond what is computed over private rows; before, they are ordinary.
    """
    connection = open_samples(ROWS)
    columns = ", ".join(_ordinary(name) for name in TYPES)
    connection.execute(f"CREATE TABLE shown AS SELECT t.row_number::INTEGER AS i, {columns} FROM t")
    people = f"SELECT s.i + {ROWS} * p.turn AS unit, s.* FROM shown s, range({UNITS_OF_A_ROW}) p(turn)"
    connection.execute(f"CREATE TABLE hidden AS {people}; DROP TABLE t")
    return connection


def _ordinary(name: str) -> str:
    if name not in FAR_ENDS:
        return f't."{name}"'
    return f'CASE WHEN t.row_number >= {FAR} OR {FAR_ENDS[name]} THEN t."{name}" END AS "{name}"'
