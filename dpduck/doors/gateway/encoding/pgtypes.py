"""The Postgres type of a DuckDB column on the wire, and Postgres's own table of types.

Lists of a scalar type are arrays. Deeper lists are json: in Postgres all inner arrays must have the same
length, which is known only when the rows are, after their type was sent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class PgType:
    """A type as in RowDescription; `modifier` is Postgres's typmod, -1 if there is none."""

    oid: int
    name: str
    size: int
    modifier: int = -1
    array_oid: int = 0


@dataclass(frozen=True)
class Builtin:
    """A row of Postgres 15's pg_type.

    `functions`: the prefix of the names of its four I/O functions, before in, out, recv and send.
    """

    oid: int
    name: str
    array_oid: int
    size: int
    category: str
    preferred: bool
    by_value: bool
    alignment: str
    storage: str
    functions: str


BUILTINS = (
    Builtin(16, "bool", 1000, 1, "B", True, True, "c", "p", "bool"),
    Builtin(17, "bytea", 1001, -1, "U", False, False, "i", "x", "bytea"),
    Builtin(18, "char", 1002, 1, "Z", False, True, "c", "p", "char"),
    Builtin(19, "name", 1003, 64, "S", False, False, "c", "p", "name"),
    Builtin(20, "int8", 1016, 8, "N", False, True, "d", "p", "int8"),
    Builtin(21, "int2", 1005, 2, "N", False, True, "s", "p", "int2"),
    Builtin(22, "int2vector", 1006, -1, "A", False, False, "i", "p", "int2vector"),
    Builtin(23, "int4", 1007, 4, "N", False, True, "i", "p", "int4"),
    Builtin(24, "regproc", 1008, 4, "N", False, True, "i", "p", "regproc"),
    Builtin(25, "text", 1009, -1, "S", True, False, "i", "x", "text"),
    Builtin(26, "oid", 1028, 4, "N", True, True, "i", "p", "oid"),
    Builtin(27, "tid", 1010, 6, "U", False, False, "s", "p", "tid"),
    Builtin(28, "xid", 1011, 4, "U", False, True, "i", "p", "xid"),
    Builtin(29, "cid", 1012, 4, "U", False, True, "i", "p", "cid"),
    Builtin(30, "oidvector", 1013, -1, "A", False, False, "i", "p", "oidvector"),
    Builtin(114, "json", 199, -1, "U", False, False, "i", "x", "json_"),
    Builtin(700, "float4", 1021, 4, "N", False, True, "i", "p", "float4"),
    Builtin(701, "float8", 1022, 8, "N", True, True, "d", "p", "float8"),
    Builtin(705, "unknown", 0, -2, "X", False, False, "c", "p", "unknown"),
    Builtin(1042, "bpchar", 1014, -1, "S", False, False, "i", "x", "bpchar"),
    Builtin(1043, "varchar", 1015, -1, "S", False, False, "i", "x", "varchar"),
    Builtin(1082, "date", 1182, 4, "D", False, True, "i", "p", "date_"),
    Builtin(1083, "time", 1183, 8, "D", False, True, "d", "p", "time_"),
    Builtin(1114, "timestamp", 1115, 8, "D", False, True, "d", "p", "timestamp_"),
    Builtin(1184, "timestamptz", 1185, 8, "D", True, True, "d", "p", "timestamptz_"),
    Builtin(1186, "interval", 1187, 16, "T", True, False, "d", "p", "interval_"),
    Builtin(1266, "timetz", 1270, 12, "D", False, False, "d", "p", "timetz_"),
    Builtin(1560, "bit", 1561, -1, "V", False, False, "i", "x", "bit_"),
    Builtin(1562, "varbit", 1563, -1, "V", True, False, "i", "x", "varbit_"),
    Builtin(1700, "numeric", 1231, -1, "N", False, False, "i", "m", "numeric_"),
    Builtin(2205, "regclass", 2210, 4, "N", False, True, "i", "p", "regclass"),
    Builtin(2206, "regtype", 2211, 4, "N", False, True, "i", "p", "regtype"),
    Builtin(2278, "void", 0, 4, "P", False, True, "i", "p", "void_"),
    Builtin(2950, "uuid", 2951, 16, "U", False, False, "c", "p", "uuid_"),
    Builtin(3802, "jsonb", 3807, -1, "U", False, False, "i", "x", "jsonb_"),
    Builtin(4089, "regnamespace", 4090, 4, "N", False, True, "i", "p", "regnamespace"),
)

BY_NAME = {builtin.name: builtin for builtin in BUILTINS}
BY_OID = {builtin.oid: builtin for builtin in BUILTINS}
ELEMENTS = {builtin.array_oid: builtin for builtin in BUILTINS if builtin.array_oid}

# By the names that DESCRIBE and duckdb_columns() print. JSON is the only alias that they keep; oid, name
# and "char" are for catalog tables, whose columns declare them.
_SCALARS = {
    "BOOLEAN": "bool",
    **dict.fromkeys(("TINYINT", "UTINYINT", "SMALLINT"), "int2"),
    **dict.fromkeys(("USMALLINT", "INTEGER"), "int4"),
    **dict.fromkeys(("UINTEGER", "BIGINT"), "int8"),
    **dict.fromkeys(("UBIGINT", "HUGEINT", "UHUGEINT", "BIGNUM", "VARINT"), "numeric"),
    "FLOAT": "float4",
    "DOUBLE": "float8",
    "DATE": "date",
    **dict.fromkeys(("TIME", "TIME_NS"), "time"),
    **dict.fromkeys(("TIME WITH TIME ZONE", "TIMETZ"), "timetz"),
    **dict.fromkeys(("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"), "timestamp"),
    **dict.fromkeys(("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ", "TIMESTAMPTZ_NS"), "timestamptz"),
    "INTERVAL": "interval",
    "UUID": "uuid",
    "BLOB": "bytea",
    "BIT": "varbit",
    **dict.fromkeys(("JSON", "VARIANT"), "json"),
    "oid": "oid",
    "name": "name",
    **dict.fromkeys(("char", '"char"'), "char"),
    "int2vector": "int2vector",
    "oidvector": "oidvector",
}
_NESTED = ("STRUCT(", "MAP(", "UNION(", "TUPLE(")
_LIST = re.compile(r"(.*)\[[0-9]*\]", re.DOTALL)
_DECIMAL = re.compile(r"DECIMAL\(([0-9]+),([0-9]+)\)", re.ASCII)
_NUMERIC_HEADER = 4  # the length of the varlena header, part of a numeric's typmod


def element_type(duckdb_type: str) -> str | None:
    """The type of a list's or array's elements, or None if the type is not a list.

    >>> element_type("VARCHAR[3][]"), element_type("ENUM('a[]')")
    ('VARCHAR[3]', None)
    """
    match = _LIST.fullmatch(duckdb_type)
    return match[1] if match else None


def pg_type(duckdb_type: str) -> PgType:
    """The Postgres type of a DuckDB type, as DESCRIBE or duckdb_columns() prints it; text if it is unknown.

    >>> pg_type("DECIMAL(9,2)")
    PgType(oid=1700, name='numeric', size=-1, modifier=589830, array_oid=1231)
    >>> pg_type("DATE[]").name, pg_type("DATE[][]").name, pg_type("STRUCT(a INTEGER)[]").name
    ('_date', 'json', 'json')
    """
    element = element_type(duckdb_type)
    if element is None:
        return _scalar(duckdb_type)
    inner = pg_type(element)
    if element_type(element) is not None or element.startswith(_NESTED) or element == "VARIANT":
        return _scalar("JSON")
    return PgType(inner.array_oid, f"_{inner.name}", -1, inner.modifier)


def _scalar(duckdb_type: str) -> PgType:
    decimal = _DECIMAL.fullmatch(duckdb_type)
    if decimal:
        modifier = ((int(decimal[1]) << 16) | int(decimal[2])) + _NUMERIC_HEADER
        return _of("numeric", modifier)
    if duckdb_type.startswith(_NESTED):
        return _of("json")
    return _of(_SCALARS.get(duckdb_type, "text"))


def _of(name: str, modifier: int = -1) -> PgType:
    builtin = BY_NAME[name]
    return PgType(builtin.oid, name, builtin.size, modifier, builtin.array_oid)
