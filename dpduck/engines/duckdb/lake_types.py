"""Which types of a Parquet file are read as which types of a DuckLake without a cast that can fail."""

from __future__ import annotations

_NAMES = {
    "boolean": "BOOLEAN",
    "int8": "TINYINT",
    "int16": "SMALLINT",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "uint8": "UTINYINT",
    "uint16": "USMALLINT",
    "uint32": "UINTEGER",
    "uint64": "UBIGINT",
    "float32": "FLOAT",
    "float64": "DOUBLE",
    "varchar": "VARCHAR",
    "blob": "BLOB",
    "uuid": "UUID",
    "date": "DATE",
    "time": "TIME",
    "timestamp": "TIMESTAMP",
    "timestamptz": "TIMESTAMP WITH TIME ZONE",
}  # by DuckLake's names
_WIDER = {
    "TINYINT": ("SMALLINT", "INTEGER", "BIGINT"),
    "SMALLINT": ("INTEGER", "BIGINT"),
    "INTEGER": ("BIGINT",),
    "UTINYINT": ("USMALLINT", "UINTEGER", "UBIGINT"),
    "USMALLINT": ("UINTEGER", "UBIGINT"),
    "UINTEGER": ("UBIGINT",),
    "FLOAT": ("DOUBLE",),
}


def is_read_without_loss(in_file: str | None, in_lake: str) -> bool:
    """Whether each value of a file's type has its like in a type of the lake.

    Input: DuckDB's name of the first, DuckLake's of the second. Types that are not known are not.

    >>> is_read_without_loss("INTEGER", "int64"), is_read_without_loss("DOUBLE", "int128")
    (True, False)
    >>> [is_read_without_loss("DECIMAL(10,2)", kind) for kind in ("decimal(10,2)", "decimal(4,2)")]
    [True, False]
    """
    if in_file is None:
        return False
    if in_lake.startswith("decimal("):
        return in_file == in_lake.upper().replace(" ", "")
    wanted = _NAMES.get(in_lake)
    return wanted is not None and (in_file == wanted or wanted in _WIDER.get(in_file, ()))
