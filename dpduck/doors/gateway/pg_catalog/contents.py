"""The rows of the catalog tables: the public schema and its policies, nothing derived from private rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import duckdb
import pyarrow as pa

from dpduck.doors.gateway.encoding.pgtypes import BY_OID, ELEMENTS, PgType
from dpduck.doors.gateway.pg_catalog.objects import (
    PUBLIC,
    Field,
    ForeignKey,
    KeyConstraint,
    Relation,
)
from dpduck.doors.gateway.pg_catalog.system import (
    BTREE,
    HEAP,
    OWNER,
    SHOWN,
    Row,
    access_methods,
    call_comments,
    call_rows,
    call_texts,
    collations,
    comment,
    databases,
    io_functions,
    languages,
    namespaces,
    pseudo_types,
    schema_oids,
    shown_types,
    system_relations,
    types,
)
from dpduck.kernel.arrow.strings import table_of


def fill(
    connection: duckdb.DuckDBPyConnection,
    users: Sequence[Relation],
    database: str,
    declared: dict[str, str],
) -> None:
    """Insert all rows. Input: a database in which gateway_catalog.sql has just run; its owner's relations."""
    system = list(system_relations(connection, declared))
    places = schema_oids(users)
    everything = [*users, *system]
    for table, rows in (
        ("pg.pg_namespace", namespaces(places)),
        ("pg.pg_database", databases(database)),
        ("pg.pg_tablespace", [{"oid": 1663, "spcname": "pg_default", "spcowner": OWNER}]),
        ("pg.pg_am", access_methods()),
        ("pg.pg_language", languages()),
        ("pg.pg_collation", collations()),
        ("pg.pg_type", [*types(), *pseudo_types()]),
        ("own.shown_types", shown_types()),
        ("pg.pg_proc", [*io_functions(), *call_rows()]),
        ("own.calls", call_texts()),
        ("pg.pg_class", [row for item in everything for row in _class_rows(item, places)]),
        ("pg.pg_attribute", [row for item in everything for row in _attribute_rows(item)]),
        (
            "own.column_facts",
            [_facts(item.oid, n, c) for item in everything for n, c in enumerate(item.fields, 1)],
        ),
        ("own.spellings", [row for item in everything for row in _spelling_rows(item)]),
        ("pg.pg_index", [_index_row(item, key) for item in users for key in item.keys]),
        ("pg.pg_constraint", [row for item in users for row in _constraint_rows(item, places)]),
        ("own.definitions", [row for item in users for row in _definition_rows(item, users)]),
        ("pg.pg_description", [*call_comments(), *(row for item in users for row in _comment_rows(item))]),
    ):
        _insert(connection, table, rows)


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: Iterable[Row]) -> None:
    given = list(rows)
    if not given:
        return
    columns = {name: [row[name] for row in given] for name in given[0]}
    kinds = [
        (name, pa.int64() if set(map(type, column)) == {int} else pa.string())
        for name, column in columns.items()
    ]
    connection.register(
        "rows_to_insert", table_of(list(zip(*columns.values(), strict=True)), pa.schema(kinds))
    )
    connection.execute(f"INSERT INTO {table} BY NAME SELECT * FROM rows_to_insert")
    connection.unregister("rows_to_insert")


def _class_rows(item: Relation, places: dict[str, int]) -> Iterator[Row]:
    row = _class_row(item.oid, item.name, places[item.schema], item.kind, len(item.fields))
    yield row | {"relhasindex": bool(item.keys), "relam": HEAP if item.kind == "r" else 0}
    for key in item.keys:
        yield _class_row(key.index, key.name, places[item.schema], "i", len(key.columns)) | {"relam": BTREE}


def _class_row(oid: int, name: str, schema: int, kind: str, columns: int) -> Row:
    return {
        "oid": oid,
        "relname": name,
        "relnamespace": schema,
        "reltype": 0,
        "reloftype": 0,
        "relowner": OWNER,
        "relfilenode": 0,
        "reltablespace": 0,
        "relpages": 0,
        "reltuples": -1.0,
        "relallvisible": 0,
        "reltoastrelid": 0,
        "relhasindex": False,
        "relisshared": False,
        "relpersistence": "p",
        "relkind": kind,
        "relnatts": columns,
        "relchecks": 0,
        "relhasrules": kind == "v",
        "relhastriggers": False,
        "relhassubclass": False,
        "relrowsecurity": False,
        "relforcerowsecurity": False,
        "relispopulated": True,
        "relreplident": "n" if kind == "i" else "d",
        "relispartition": False,
        "relrewrite": 0,
        "relfrozenxid": 0,
        "relminmxid": 0,
    }


def _attribute_rows(item: Relation) -> Iterator[Row]:
    for number, column in enumerate(item.fields, 1):
        yield _attribute_row(item.oid, number, column)
    for key in item.keys:
        for number, place in enumerate(key.columns, 1):
            yield _attribute_row(key.index, number, item.fields[place - 1]) | {"attnotnull": False}


def _attribute_row(relation: int, number: int, column: Field) -> Row:
    kind = column.type
    element = ELEMENTS.get(kind.oid)
    base = element or BY_OID[kind.oid]
    return {
        "attrelid": relation,
        "attname": column.name,
        "atttypid": kind.oid,
        "attstattarget": -1,
        "attlen": kind.size,
        "attnum": number,
        "attndims": int(element is not None),
        "attcacheoff": -1,
        "atttypmod": kind.modifier,
        "attbyval": base.by_value and element is None,
        "attalign": ("d" if base.alignment == "d" else "i") if element else base.alignment,
        "attstorage": "x" if element else base.storage,
        "attcompression": "",
        "attnotnull": column.required,
        "atthasdef": False,
        "atthasmissing": False,
        "attidentity": "",
        "attgenerated": "",
        "attisdropped": False,
        "attislocal": True,
        "attinhcount": 0,
        "attcollation": 100 if base.name in ("text", "varchar", "bpchar") else 0,
    }


_PRECISIONS = {
    "int2": (16, 2, 0),
    "int4": (32, 2, 0),
    "int8": (64, 2, 0),
    "float4": (24, 2, None),
    "float8": (53, 2, None),
}
_MOMENTS = {"date": 0, "time": 6, "timetz": 6, "timestamp": 6, "timestamptz": 6, "interval": 6}


def _facts(relation: int, number: int, column: Field) -> Row:
    """The row about a column's type in information_schema.columns."""
    kind = column.type
    array = kind.oid in ELEMENTS
    precision, radix, scale = (None, None, None) if array else _PRECISIONS.get(kind.name, _decimal(kind))
    return {
        "relation": relation,
        "number": number,
        "data_type": "ARRAY" if array else SHOWN.get(kind.name, kind.name),
        "udt": kind.name,
        "numeric_precision": precision,
        "radix": radix,
        "scale": scale,
        "datetime_precision": _MOMENTS.get(kind.name),
    }


def _decimal(kind: PgType) -> tuple[int | None, int | None, int | None]:
    if kind.name != "numeric":
        return None, None, None
    if kind.modifier < 0:
        return None, 10, None
    return (kind.modifier - 4) >> 16, 10, (kind.modifier - 4) & 0xFFFF


def _spelling_rows(item: Relation) -> Iterator[Row]:
    """Each spelling of the names of a relation and its indexes, with a schema and without."""
    for oid, name in ((item.oid, item.name), *((key.index, key.name) for key in item.keys)):
        names, schemas = _spellings(name), _spellings(item.schema)
        if item.schema in (PUBLIC, "pg_catalog"):
            yield from ({"spelling": text, "object": oid} for text in names)
        yield from ({"spelling": f"{schema}.{text}", "object": oid} for schema in schemas for text in names)


def _spellings(name: str) -> list[str]:
    quoted = '"' + name.replace('"', '""') + '"'
    return [name, quoted] if re.fullmatch(r"[a-z_][a-z0-9_$]*", name) else [quoted]


def _index_row(item: Relation, key: KeyConstraint) -> Row:
    size = len(key.columns)
    return {
        "indexrelid": key.index,
        "indrelid": item.oid,
        "indnatts": size,
        "indnkeyatts": size,
        "indisunique": True,
        "indnullsnotdistinct": False,
        "indisprimary": key.primary,
        "indisexclusion": False,
        "indimmediate": True,
        "indisclustered": False,
        "indisvalid": True,
        "indcheckxmin": False,
        "indisready": True,
        "indislive": True,
        "indisreplident": False,
        "indkey": list(key.columns),
        "indcollation": [0] * size,
        "indclass": [0] * size,
        "indoption": [0] * size,
    }


def _constraint_rows(item: Relation, places: dict[str, int]) -> Iterator[Row]:
    schema = places[item.schema]
    for key in item.keys:
        kind = "p" if key.primary else "u"
        row = _constraint_row(key.oid, key.name, schema, kind, item.oid, key.columns)
        yield row | {"conindid": key.index, "confrelid": 0, "confkey": None}
    for link in item.references:
        row = _constraint_row(link.oid, link.name, schema, "f", item.oid, (link.column,))
        actions = {"confupdtype": "a", "confdeltype": "a", "confmatchtype": "s"}
        yield row | actions | {"conindid": link.key, "confrelid": link.table, "confkey": [link.target]}


def _constraint_row(oid: int, name: str, schema: int, kind: str, table: int, columns: tuple[int, ...]) -> Row:
    return {
        "oid": oid,
        "conname": name,
        "connamespace": schema,
        "contype": kind,
        "condeferrable": False,
        "condeferred": False,
        "convalidated": True,
        "conrelid": table,
        "contypid": 0,
        "conparentid": 0,
        "confupdtype": " ",
        "confdeltype": " ",
        "confmatchtype": " ",
        "conislocal": True,
        "coninhcount": 0,
        "connoinherit": True,
        "conkey": list(columns),
    }


def _definition_rows(item: Relation, users: Sequence[Relation]) -> Iterator[Row]:
    for key in item.keys:
        names = ", ".join(_quoted(item.fields[place - 1].name) for place in key.columns)
        kind = "PRIMARY KEY" if key.primary else "UNIQUE"
        table = f"{_quoted(item.schema)}.{_quoted(item.name)}"
        yield {"object": key.oid, "definition": f"{kind} ({names})"}
        index = f"CREATE UNIQUE INDEX {_quoted(key.name)} ON {table} USING btree ({names})"
        yield {"object": key.index, "definition": index}
    for link in item.references:
        yield {"object": link.oid, "definition": _reference_text(item, link, users)}


def _reference_text(item: Relation, link: ForeignKey, users: Sequence[Relation]) -> str:
    target = next(other for other in users if other.oid == link.table)
    schema = "" if target.schema == PUBLIC else f"{_quoted(target.schema)}."
    column, wanted = item.fields[link.column - 1].name, target.fields[link.target - 1].name
    return f"FOREIGN KEY ({_quoted(column)}) REFERENCES {schema}{_quoted(target.name)}({_quoted(wanted)})"


def _quoted(name: str) -> str:
    return _spellings(name)[0]


def _comment_rows(item: Relation) -> Iterator[Row]:
    if item.comment is not None:
        yield comment(item.oid, "pg_class", 0, item.comment)
    for number, column in enumerate(item.fields, 1):
        if column.comment is not None:
            yield comment(item.oid, "pg_class", number, column.comment)
