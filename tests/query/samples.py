"""Columns of every type with awkward values, and ways to translate and run expressions over them."""

from __future__ import annotations

import duckdb
from sqlglot import exp

from dpduck.compiler.functions import expressions, private_refusals
from dpduck.compiler.functions.expressions import condition
from dpduck.compiler.parse.statements import Select, parse
from dpduck.compiler.validate import validate
from dpduck.kernel.catalog.model import Domain
from dpduck.kernel.catalog.types import INTEGER_RANGES, parse_type
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.nodes import ColumnRef

TYPES = {
    "t": "TINYINT",
    "n": "SMALLINT",
    "a": "INTEGER",
    "b": "INTEGER",
    "c": "BIGINT",
    "h": "HUGEINT",
    "ut": "UTINYINT",
    "ui": "UINTEGER",
    "u": "UBIGINT",
    "uh": "UHUGEINT",
    "m": "DECIMAL(9,2)",
    "k": "DECIMAL(18,3)",
    "w": "DECIMAL(38,10)",
    "v": "DECIMAL(4,4)",
    "x": "DOUBLE",
    "y": "DOUBLE",
    "f": "FLOAT",
    "s": "VARCHAR",
    "r": "VARCHAR",
    "d": "DATE",
    "e": "DATE",
    "ts": "TIMESTAMP",
    "tt": "TIMESTAMP",
    "ok": "BOOLEAN",
    "g": "ENUM('low', 'mid', 'high')",
    "tz": "TIMESTAMP WITH TIME ZONE",
    "ns": "TIMESTAMP_NS",
    "id": "UUID",
    "l": "INTEGER[]",
}
_FLOATS = ["nan", "inf", "-inf", "0", "-0.0", "1", "-1", "0.5", "-2.5", "1e30", "-1e30", "1e-30", "1e15", "7"]
_TEXTS = [
    "", "a", "A", "abc", "  x  ", "\t", "é", "ß", "İ", "ﬁ", "日本語", "👨‍👩‍👧", "e\u0301", "1", "-1", "1e400",
    "1_0", " 12 ", "2024-02-29", "2024-13-01", "inf", "nan", "true", "\u200b", "a,b,c", "%_", "x" * 3000,
    "ab\ncd", "\ufffd", "Σς", "infinity", "9" * 50, "0.5", "a" * 12, "low", "1999-12-31 23:59:59.999999+05",
    "\\",
]  # fmt: skip
_VALUES = {
    "integer": ["0", "1", "-1", "2", "3", "7", "100", "-100"],
    "decimal": ["0", "1", "-1", "0.5", "-0.5", "0.25"],
    "float": _FLOATS,
    "text": _TEXTS,
    "date": [
        "140000-12-31", "140000-01-01 (BC)", "293000-06-15", "289000-06-15 (BC)",
        "infinity", "-infinity", "1970-01-01", "2024-02-29", "2023-12-31", "0001-01-01", "0001-01-01 (BC)",
        "9999-12-31", "290309-12-22 (BC)", "290309-12-21 (BC)", "294247-01-10", "294247-01-11",
        "5881580-07-10", "5877642-06-25 (BC)", "2024-07-07",
    ],
    "timestamp": [
        "140000-12-31", "140000-01-01 (BC)", "293000-06-15", "289000-06-15 (BC)",
        "infinity", "-infinity", "1970-01-01", "2024-02-29 23:59:59.999999", "1969-12-31 23:59:59.999999",
        "0001-01-01", "9999-12-31 23:59:59", "290309-12-22 (BC) 00:00:00", "294247-01-10 04:00:54.775806",
    ],
    "boolean": ["true", "false"],
    "enum": ["low", "mid", "high"],
}  # fmt: skip
ROWS = 2_500  # more than one vector of DuckDB


class Columns:
    """The columns of TYPES, as a block sees them; domains can be given."""

    def __init__(self, **domains: Domain) -> None:
        self._domains = domains

    def resolve(self, node: exp.Column) -> Typed:
        name = node.name
        sql_type = parse_type(TYPES[name])
        return Typed(ColumnRef("t", name, sql_type), sql_type, self._domains.get(name), f"r.{name}")

    def subquery(self, node: exp.Expr) -> Typed:
        raise private_refusals.of_node(node)


def values_of(type_name: str) -> list[str]:
    """Awkward values of a type, as text."""
    sql_type = parse_type(type_name)
    values = list(_VALUES.get(sql_type.kind, []))
    if sql_type.kind in ("integer", "decimal"):
        low, high = sql_type.ticks
        extremes = [low, low + 1, high - 1, high, high // 2]
        digits = [
            f"{tick // 10**sql_type.scale}.{tick % 10**sql_type.scale:0{sql_type.scale or 1}}"
            for tick in extremes
            if tick >= 0
        ]
        whole = (
            [str(tick) for tick in extremes] if sql_type.scale == 0 else digits + ["-" + d for d in digits]
        )
        values += whole
    if type_name in INTEGER_RANGES:
        low, high = INTEGER_RANGES[type_name]
        values = [value for value in values if low <= int(value) <= high]
    if type_name == "DOUBLE":
        values += ["1e308", "-1.7976931348623157e308", "5e-324", "9007199254740993"]
    moments = [value if ":" in value or "infinity" in value else f"{value} 00:00:00" for value in values]
    return {
        "TIMESTAMP WITH TIME ZONE": [value + "+00" * ("infinity" not in value) for value in moments],
        "TIMESTAMP_NS": ["2024-01-01 00:00:00.123456789", "1970-01-01"],
        "UUID": ["00000000-0000-0000-0000-000000000001"],
        "INTEGER[]": ["[1, 2]"],
    }.get(type_name, values)


def open_samples(rows: int = ROWS) -> duckdb.DuckDBPyConnection:
    """A table t of the columns, whose values meet in all combinations; place 0 of a list is NULL."""
    connection = duckdb.connect()
    connection.execute("SET threads = 1; SET GLOBAL TimeZone = 'UTC'")
    columns = []
    for number, (name, type_name) in enumerate(TYPES.items()):
        values = values_of(type_name)
        quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
        place = f"CAST(hash(i, {number}) % {len(values) + 1} AS INTEGER)"
        cast = "TRY_CAST" if type_name.startswith("DECIMAL") else "CAST"
        columns.append(f'{cast}(([{quoted}])[{place}] AS {type_name}) AS "{name}"')
    connection.execute(
        f"CREATE TABLE t AS SELECT i AS row_number, {', '.join(columns)} FROM range({rows}) AS r(i)"
    )
    return connection


_MILD = {
    **{name: f"abs({name}::DOUBLE) < 100_000" for name in ("a", "b", "c", "h", "w")},
    **{name: f"{name} BETWEEN -9 AND 9" for name in ("t", "n")},
    **{name: f"{name} BETWEEN '0001-01-01' AND '9999-12-31'" for name in ("d", "e", "ts", "tt")},
}


def add_mild_samples(connection: duckdb.DuckDBPyConnection) -> None:
    """A table mild like t, with NULL for what lies far out, so that plain DuckDB rarely raises an error."""
    values = ", ".join(f"CASE WHEN {test} THEN {name} END AS {name}" for name, test in _MILD.items())
    connection.execute(f"CREATE TABLE mild AS SELECT * REPLACE ({values}) FROM t")


def node_of(text: str) -> exp.Expr:
    """The first item of a select list."""
    select = parse(f"SELECT {text} FROM t")
    assert isinstance(select, Select)
    node: exp.Expr = select.expression.expressions[0]
    return node


def read(text: str) -> Typed:
    """The expression, through the gate as of a query."""
    select = parse(f"SELECT {text} FROM t")
    assert isinstance(select, Select)
    return expressions.expression(validate(select).expression.expressions[0], Columns())


def translate(text: str, columns: Columns | None = None) -> Typed:
    return expressions.expression(node_of(text), columns or Columns())


def text_of(value: Typed) -> str:
    """The value in DuckDB's SQL."""
    return sql(value.node)


def translate_condition(text: str) -> str:
    return sql(condition(node_of(text), Columns()))
