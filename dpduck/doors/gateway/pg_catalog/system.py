"""Catalog rows that do not depend on the schema: Postgres's own that clients need, and dpduck's functions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import duckdb

from dpduck.doors.gateway.encoding.pgtypes import BUILTINS, BY_NAME, Builtin, pg_type
from dpduck.doors.gateway.pg_catalog.objects import PUBLIC, Field, Relation

Row = dict[str, Any]

OWNER, CATALOG, _PUBLIC, _INFORMATION = 10, 11, 2200, 13000
HEAP, BTREE = 2, 403
CLASS_OIDS = {
    "pg_tablespace": 1213,
    "pg_type": 1247,
    "pg_attribute": 1249,
    "pg_proc": 1255,
    "pg_class": 1259,
    "pg_database": 1262,
    "pg_am": 2601,
    "pg_attrdef": 2604,
    "pg_cast": 2605,
    "pg_constraint": 2606,
    "pg_depend": 2608,
    "pg_description": 2609,
    "pg_index": 2610,
    "pg_inherits": 2611,
    "pg_language": 2612,
    "pg_namespace": 2615,
    "pg_operator": 2617,
    "pg_rewrite": 2618,
    "pg_trigger": 2620,
    "pg_extension": 3079,
    "pg_policy": 3256,
    "pg_statistic_ext": 3381,
    "pg_enum": 3501,
}
_SYSTEM_FIRST = 13100  # OIDs of catalog tables that are not in the list above
_SCHEMA_FIRST = 14000  # of user schemas besides public
_PROC_FIRST, _CALL_FIRST = 12000, 15000  # of the types' I/O functions, and of dpduck's own
_PSEUDO = (
    (2249, "record"),
    (2275, "cstring"),
    (2276, "any"),
    (2277, "anyarray"),
    (2279, "trigger"),
    (2281, "internal"),
    (2283, "anyelement"),
)

SHOWN = {
    "bool": "boolean",
    "int2": "smallint",
    "int4": "integer",
    "int8": "bigint",
    "float4": "real",
    "float8": "double precision",
    "bpchar": "character",
    "varchar": "character varying",
    "bit": "bit",
    "varbit": "bit varying",
    "char": '"char"',
    "time": "time without time zone",
    "timetz": "time with time zone",
    "timestamp": "timestamp without time zone",
    "timestamptz": "timestamp with time zone",
}
_CALLS = (
    ("dp_low", '"any"', "float8", False, "The lower end of a released number's 95 % interval"),
    ("dp_high", '"any"', "float8", False, "The upper end of a released number's 95 % interval"),
    ("dp_gap", '"any"', "float8", False, "How far a selected group was ahead of the next one"),
    ("dp_p_value", '"any"', "float8", False, "The p-value of a selected group's lead"),
    ("dp_budget", "", "record", True, "What is left of your budgets"),
    ("dp_ledger", "", "record", True, "What was charged to your budgets"),
    ("dp_policies", "", "record", True, "What was decided about the data"),
)
_DECLARED = re.compile(r'\b(\w+) (oid|regproc|name|"char"|int2vector|oidvector)(?=[,)\s])')


def declared_types(sql: str) -> dict[str, str]:
    """The Postgres types of columns that DuckDB has no type for, by the column's name.

    >>> declared_types('CREATE TABLE pg.pg_am (oid oid, amname name, amtype "char");')["amtype"]
    'char'
    """
    return {match[1]: match[2].strip('"') for match in _DECLARED.finditer(sql)}


def schema_oids(users: Sequence[Relation]) -> dict[str, int]:
    known = {"pg_catalog": CATALOG, PUBLIC: _PUBLIC, "information_schema": _INFORMATION}
    others = sorted({item.schema for item in users} - known.keys())
    return known | {name: _SCHEMA_FIRST + n for n, name in enumerate(others)}


def namespaces(places: dict[str, int]) -> list[Row]:
    return [{"oid": oid, "nspname": name, "nspowner": OWNER} for name, oid in places.items()]


def databases(name: str) -> list[Row]:
    row = {"oid": 5, "datname": name, "datdba": OWNER, "encoding": 6, "datlocprovider": "c"}
    flags = {"datistemplate": False, "datallowconn": True, "datconnlimit": -1, "dattablespace": 1663}
    return [row | flags | {"datcollate": "C", "datctype": "C", "datfrozenxid": 0, "datminmxid": 0}]


def access_methods() -> list[Row]:
    return [
        {"oid": HEAP, "amname": "heap", "amhandler": 3, "amtype": "t"},
        {"oid": BTREE, "amname": "btree", "amhandler": 330, "amtype": "i"},
    ]


def languages() -> list[Row]:
    names = ((12, "internal"), (13, "c"), (14, "sql"))
    return [
        {"oid": oid, "lanname": name, "lanowner": OWNER, "lanispl": False, "lanpltrusted": name == "sql"}
        for oid, name in names
    ]


def collations() -> list[Row]:
    common = {"collnamespace": CATALOG, "collowner": OWNER, "collencoding": -1, "collisdeterministic": True}
    return [
        {"oid": 100, "collname": "default", "collprovider": "d", **common},
        {"oid": 950, "collname": "C", "collprovider": "c", "collcollate": "C", "collctype": "C", **common},
    ]


def _functions_of(item: Builtin) -> dict[str, int]:
    """The OIDs of a type's I/O functions, by name."""
    first = _PROC_FIRST + 4 * BUILTINS.index(item)
    return {f"{item.functions}{what}": first + n for n, what in enumerate(("in", "out", "recv", "send"))}


_ARRAY_FUNCTIONS = {"array_in": 750, "array_out": 751, "array_recv": 2400, "array_send": 2401}


def types() -> Iterator[Row]:
    for item in BUILTINS:
        kind = "p" if item.category in ("P", "X") else "b"
        yield _type_row(item.oid, item.name, item, _functions_of(item)) | {
            "typtype": kind,
            "typcategory": item.category,
            "typispreferred": item.preferred,
            "typlen": item.size,
            "typbyval": item.by_value,
            "typalign": item.alignment,
            "typstorage": item.storage,
            "typarray": item.array_oid,
            "typelem": {"int2vector": 21, "oidvector": 26, "name": 18}.get(item.name, 0),
        }
        if item.array_oid:
            yield _type_row(item.array_oid, f"_{item.name}", item, _ARRAY_FUNCTIONS) | {
                "typtype": "b",
                "typcategory": "A",
                "typispreferred": False,
                "typlen": -1,
                "typbyval": False,
                "typalign": "d" if item.alignment == "d" else "i",
                "typstorage": "x",
                "typarray": 0,
                "typelem": item.oid,
                "typsubscript": 6179,
            }


def _type_row(oid: int, name: str, item: Builtin, functions: dict[str, int]) -> Row:
    read, show, receive, send = functions.values()
    return {
        "oid": oid,
        "typname": name,
        "typnamespace": CATALOG,
        "typowner": OWNER,
        "typisdefined": True,
        "typdelim": ",",
        "typrelid": 0,
        "typsubscript": 0,
        "typinput": read,
        "typoutput": show,
        "typreceive": receive,
        "typsend": send,
        "typmodin": 0,
        "typmodout": 0,
        "typanalyze": 0,
        "typnotnull": False,
        "typbasetype": 0,
        "typtypmod": -1,
        "typndims": 0,
        "typcollation": 100
        if item.name in ("text", "varchar", "bpchar")
        else 950
        if item.name == "name"
        else 0,
    }


def pseudo_types() -> Iterator[Row]:
    void = BY_NAME["void"]
    for oid, name in _PSEUDO:
        yield _type_row(oid, name, void, dict.fromkeys(("in", "out", "recv", "send"), 0)) | {
            "typtype": "p",
            "typcategory": "P",
            "typispreferred": False,
            "typlen": 4,
            "typbyval": True,
            "typalign": "i",
            "typstorage": "p",
            "typarray": 0,
            "typelem": 0,
        }


def shown_types() -> Iterator[Row]:
    for item in BUILTINS:
        shown = SHOWN.get(item.name, item.name)
        yield {"object": item.oid, "shown": shown}
        if item.array_oid:
            yield {"object": item.array_oid, "shown": f"{shown}[]"}
    for oid, name in _PSEUDO:
        yield {"object": oid, "shown": '"any"' if name == "any" else name}


def io_functions() -> Iterator[Row]:
    named = {name: oid for item in BUILTINS for name, oid in _functions_of(item).items()} | _ARRAY_FUNCTIONS
    for name, oid in named.items():
        yield _function_row(oid, name, CATALOG, 2275, 12) | {"pronargs": 1, "proargtypes": [2281]}


def _function_row(oid: int, name: str, schema: int, result: int, language: int) -> Row:
    return {
        "oid": oid,
        "proname": name,
        "pronamespace": schema,
        "proowner": OWNER,
        "prolang": language,
        "procost": 1.0,
        "prorows": 0.0,
        "provariadic": 0,
        "prosupport": 0,
        "prokind": "f",
        "prosecdef": False,
        "proleakproof": False,
        "proisstrict": True,
        "proretset": False,
        "provolatile": "s",
        "proparallel": "s",
        "pronargdefaults": 0,
        "prorettype": result,
        "prosrc": name,
    }


def call_rows() -> Iterator[Row]:
    for n, (name, arguments, result, many, _) in enumerate(_CALLS):
        types = [2276] if arguments else []
        yield _function_row(_CALL_FIRST + n, name, _PUBLIC, _oid_of(result), 14) | {
            "pronargs": len(types),
            "proargtypes": types,
            "proretset": many,
            "provolatile": "v",
        }


def _oid_of(name: str) -> int:
    return 2249 if name == "record" else BY_NAME[name].oid


def call_texts() -> Iterator[Row]:
    for n, (_, arguments, result, many, _) in enumerate(_CALLS):
        shown = SHOWN.get(result, result)
        yield {
            "object": _CALL_FIRST + n,
            "arguments": arguments,
            "result": f"SETOF {shown}" if many else shown,
        }


def call_comments() -> Iterator[Row]:
    for n, (_, _, _, _, text) in enumerate(_CALLS):
        yield comment(_CALL_FIRST + n, "pg_proc", 0, text)


def system_relations(connection: duckdb.DuckDBPyConnection, declared: dict[str, str]) -> Iterator[Relation]:
    rows = connection.execute(
        "SELECT schema_name, table_name, list(column_name ORDER BY column_index),"
        " list(data_type ORDER BY column_index) FROM duckdb_columns()"
        " WHERE schema_name IN ('pg', 'info') GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    views = {
        row[0]
        for row in connection.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
    }
    for number, (schema, name, columns, types) in enumerate(rows):
        own = declared if schema == "pg" else {}
        fields = tuple(Field(c, pg_type(own.get(c, t)), t) for c, t in zip(columns, types, strict=True))
        oid = CLASS_OIDS.get(name, _SYSTEM_FIRST + number)
        shown = "pg_catalog" if schema == "pg" else "information_schema"
        yield Relation(oid, shown, name, "v" if name in views else "r", fields)


def comment(oid: int, catalog: str, number: int, text: str) -> Row:
    return {"objoid": oid, "classoid": CLASS_OIDS[catalog], "objsubid": number, "description": text}
