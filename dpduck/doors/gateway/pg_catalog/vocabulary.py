"""The allow-list of catalog queries: nodes, types, functions. Everything else is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

TEXT, OID = "VARCHAR", "BIGINT"
OIDS = f"{OID}[]"

NODES = frozenset(
    {
        *(exp.Select, exp.Union, exp.Except, exp.Intersect, exp.Subquery, exp.With, exp.CTE, exp.Values),
        *(exp.Table, exp.Unnest, exp.TableAlias, exp.From, exp.Join, exp.Lateral, exp.Where, exp.Group),
        *(exp.Having, exp.Order, exp.Ordered, exp.Limit, exp.Offset, exp.Fetch, exp.Distinct, exp.Star),
        *(exp.Alias, exp.Column, exp.Identifier, exp.Dot, exp.Literal, exp.Null, exp.Boolean, exp.Parameter),
        *(exp.ByteString, exp.RawString, exp.Paren, exp.Tuple, exp.Array, exp.Bracket, exp.Case, exp.If),
        *(exp.And, exp.Or, exp.Not, exp.Neg, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is),
        *(exp.NullSafeEQ, exp.NullSafeNEQ, exp.In, exp.Between, exp.Exists, exp.Any, exp.Like, exp.ILike),
        *(exp.Escape, exp.RegexpLike, exp.RegexpILike, exp.Operator, exp.Collate, exp.Add, exp.Sub, exp.Mul),
        *(exp.Div, exp.Mod, exp.DPipe, exp.BitwiseAnd, exp.BitwiseOr, exp.Cast, exp.DataType),
        *(exp.DataTypeParam, exp.ObjectIdentifier, exp.PseudoType, exp.Anonymous, exp.Filter, exp.Window),
        *(exp.WindowSpec, exp.Substring, exp.Trim, exp.StrPosition, exp.CurrentUser, exp.SessionUser),
        *(exp.CurrentSchema, exp.CurrentCatalog, exp.CurrentRole, exp.CurrentDate, exp.CurrentTimestamp),
        *(exp.CurrentTime, exp.Localtime, exp.Localtimestamp),
    }
)

# DuckDB's functions that have the same name in Postgres: total, without side effects, and cheap.
_SAME = """
    count min max sum avg bool_and bool_or array_agg string_agg row_number rank dense_rank lag lead
    first_value coalesce nullif greatest least lower upper length concat concat_ws split_part left
    right strpos substring substr trim ltrim rtrim md5 abs round floor ceil row now starts_with
      ascii reverse mod
"""
BUILTINS: Mapping[str, str] = {
    **{name: name for name in _SAME.split()},
    "btrim": "trim",
    **dict.fromkeys(("clock_timestamp", "statement_timestamp", "transaction_timestamp"), "now"),
    "every": "bool_and",
    "char_length": "length",
    "character_length": "length",
    "json_build_object": "json_object",
    "jsonb_build_object": "json_object",
    "array": "array",
}

# Functions that return rows; for those that return structs, the fields are the columns.
SERIES = ("unnest", "generate_series", "generate_subscripts", "pg_partition_ancestors")
STRUCT_SERIES = (
    *("_pg_expandarray", "aclexplode", "pg_get_keywords", "pg_options_to_table", "pg_partition_tree"),
    *("pg_show_all_settings", "pg_available_extensions"),
)

VECTORS = ("int2vector", "oidvector")
REG_TYPES = ("regclass", "regtype", "regproc", "regprocedure", "regnamespace", "regrole")

_NUMBERS = {
    **dict.fromkeys(("int2", "smallint"), "SMALLINT"),
    **dict.fromkeys(("int4", "int", "integer"), "INTEGER"),
    **dict.fromkeys(("int8", "bigint", "oid", "xid", "xid8", "cid"), "BIGINT"),
    **dict.fromkeys(("float4", "real", "float"), "FLOAT"),
    **dict.fromkeys(("float8", "double"), "DOUBLE"),
    **dict.fromkeys(("numeric", "decimal"), "DECIMAL(38, 6)"),
}
TYPES: Mapping[str, str] = {
    **_NUMBERS,
    **dict.fromkeys(("text", "varchar", "char", "bpchar", "name", "cstring", "xml", "inet", "cidr"), TEXT),
    **dict.fromkeys(("sql_identifier", "character_data", "yes_or_no", "pg_node_tree", "aclitem"), TEXT),
    **dict.fromkeys(
        ("unknown", "regcollation", "regconfig", "regoper", "regoperator", "refcursor", "pg_lsn"), TEXT
    ),
    "cardinal_number": "INTEGER",
    **dict.fromkeys(("boolean", "bool"), "BOOLEAN"),
    "date": "DATE",
    **dict.fromkeys(("timestamp", "timestampntz"), "TIMESTAMP"),
    **dict.fromkeys(("timestamptz", "time_stamp"), "TIMESTAMPTZ"),
    "interval": "INTERVAL",
    "uuid": "UUID",
    **dict.fromkeys(("json", "jsonb"), "JSON"),
}


@dataclass(frozen=True)
class Vocabulary:
    """The names in the catalog database.

    `relations`, `macros`: the names in each schema. `columns`: DuckDB types by column name.
    `declared`: Postgres types of columns that DuckDB has no type for, by column name.
    """

    relations: Mapping[str, frozenset[str]]
    macros: Mapping[str, frozenset[str]]
    columns: Mapping[str, str]
    declared: Mapping[str, str]
