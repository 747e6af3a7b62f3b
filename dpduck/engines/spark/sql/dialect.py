"""Spark SQL. It is written for a session that is not ANSI (no row can make it fail), in UTC, and that keeps
the places of decimals (`SETTINGS`); nothing here relies on the first to give the right numbers.

Left out is what is not certainly the same in both, above all regular expressions, text read as numbers,
logarithms and powers, whose last digit depends on the machine, and numbers without a sign.
"""

from __future__ import annotations

from sqlglot import exp

from dpduck.engines.spark.sql import datetimes, numbers, plain, strings
from dpduck.engines.spark.sql.casts import cast, constant, type_of
from dpduck.engines.spark.sql.nodes import Dialect, EngineCall, call

# What files say of their values, which is wrong for NaN: one unit would decide whether the rows of others are
# skipped.
_STATEMENTS_OF_FILES = {
    f"spark.sql.{kind}.{setting}": "false"
    for kind in ("parquet", "orc")
    for setting in ("filterPushdown", "aggregatePushdown", "mergeSchema")
}
# What a session of Spark must say for this dialect to mean what it means.
SETTINGS = {
    **_STATEMENTS_OF_FILES,
    "spark.sql.ansi.enabled": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.decimalOperations.allowPrecisionLoss": "false",
    "spark.sql.caseSensitive": "false",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.ansi.doubleQuotedIdentifiers": "false",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
    "spark.sql.parquet.int96RebaseModeInRead": "CORRECTED",
    "spark.sql.avro.datetimeRebaseModeInRead": "CORRECTED",
}


def _hash(called: EngineCall) -> exp.Expr:
    """Any function of the unit's own values will do: it says which of its groups or rows are kept."""
    return call("xxhash64", *called.sqls)


SPARK = Dialect(
    "Spark",
    "spark",
    {
        "count": lambda called: call("count", *called.sqls),
        "hash": _hash,
        **plain.FUNCTIONS,
        **numbers.FUNCTIONS,
        **datetimes.FUNCTIONS,
        **strings.FUNCTIONS,
        "-": datetimes.minus,
        "+": datetimes.plus,
        "isinf": datetimes.isinf,
        "isfinite": datetimes.isfinite,
    },
    type_of,
    cast,
    constant,
)
