"""Types, compared with a real PostgreSQL's own catalog."""

from __future__ import annotations

from dataclasses import astuple

import pytest

from dpduck.doors.gateway.encoding.pgtypes import (
    BUILTINS,
    BY_NAME,
    BY_OID,
    ELEMENTS,
    PgType,
    element_type,
    pg_type,
)
from tests.gateway.oracle import Session, postgres_session


@pytest.fixture(scope="module")
def postgres() -> Session:
    return postgres_session()


def test_builtin_types_are_those_of_postgres(postgres: Session) -> None:
    sql = """SELECT oid::int4, typname::text, typarray::int4, typlen, typcategory::text, typispreferred,
                    typbyval, typalign::text, typstorage::text, typinput::text
             FROM pg_type WHERE oid = any(%s) ORDER BY oid"""
    rows = postgres.execute(sql, [[builtin.oid for builtin in BUILTINS]]).fetchall()
    assert [(*row[:9], str(row[9]).removesuffix("in")) for row in rows] == list(map(astuple, BUILTINS))


@pytest.mark.parametrize("suffix", ["in", "out", "recv", "send"])
def test_their_functions_exist(postgres: Session, suffix: str) -> None:
    names = [builtin.functions + suffix for builtin in BUILTINS]
    rows = postgres.execute("SELECT DISTINCT proname::text FROM pg_proc WHERE proname = any(%s)", [names])
    assert {name for (name,) in rows} == set(names)


@pytest.mark.parametrize(
    ("duckdb_type", "name"),
    [
        ("BOOLEAN", "bool"),
        ("TINYINT", "int2"),
        ("UTINYINT", "int2"),
        ("SMALLINT", "int2"),
        ("USMALLINT", "int4"),
        ("INTEGER", "int4"),
        ("UINTEGER", "int8"),
        ("BIGINT", "int8"),
        ("UBIGINT", "numeric"),
        ("HUGEINT", "numeric"),
        ("UHUGEINT", "numeric"),
        ("BIGNUM", "numeric"),
        ("FLOAT", "float4"),
        ("DOUBLE", "float8"),
        ("VARCHAR", "text"),
        ("ENUM('a[]', 'b')", "text"),
        ("DATE", "date"),
        ("TIME", "time"),
        ("TIME_NS", "time"),
        ("TIME WITH TIME ZONE", "timetz"),
        ("TIMESTAMP", "timestamp"),
        ("TIMESTAMP_S", "timestamp"),
        ("TIMESTAMP_MS", "timestamp"),
        ("TIMESTAMP_NS", "timestamp"),
        ("TIMESTAMP WITH TIME ZONE", "timestamptz"),
        ("INTERVAL", "interval"),
        ("UUID", "uuid"),
        ("BLOB", "bytea"),
        ("BIT", "varbit"),
        ("JSON", "json"),
        ("VARIANT", "json"),
        ("STRUCT(a INTEGER[])", "json"),
        ("TUPLE(INTEGER, INTEGER)", "json"),
        ("MAP(VARCHAR, INTEGER)", "json"),
        ("UNION(a INTEGER)", "json"),
        ('"NULL"', "text"),
        ("GEOMETRY", "text"),
        ("oid", "oid"),
        ("name", "name"),
        ("char", "char"),
        ('"char"', "char"),
        ("INTEGER[]", "_int4"),
        ("INTEGER[3]", "_int4"),
        ("ENUM('a', 'b')[]", "_text"),
        ('"NULL"[]', "_text"),
        ("TIMESTAMP WITH TIME ZONE[]", "_timestamptz"),
        ("JSON[]", "_json"),
        ("INTEGER[][]", "json"),
        ("INTEGER[3][2]", "json"),
        ("INTEGER[][][]", "json"),
        ("STRUCT(a INTEGER)[]", "json"),
        ("VARIANT[]", "json"),
        ("MAP(INTEGER, INTEGER)[2]", "json"),
    ],
)
def test_what_a_duckdb_type_is_on_the_wire(duckdb_type: str, name: str) -> None:
    given = pg_type(duckdb_type)
    assert given.name == name
    known = BY_NAME[name.removeprefix("_")]
    assert given.oid == (known.array_oid if name.startswith("_") else known.oid)
    assert (given.size, given.array_oid) == (
        (-1, 0) if name.startswith("_") else (known.size, known.array_oid)
    )
    assert given.modifier == -1


def test_a_decimal_says_its_digits(postgres: Session) -> None:
    postgres.execute("CREATE TEMP TABLE digits (a numeric(9,2), b numeric(38,38), c numeric(18,3)[])")
    sql = "SELECT atttypmod FROM pg_attribute WHERE attrelid = 'digits'::regclass AND attnum > 0"
    modifiers = [row[0] for row in postgres.execute(sql)]
    assert [pg_type(f"DECIMAL{name}").modifier for name in ("(9,2)", "(38,38)", "(18,3)[]")] == modifiers
    assert pg_type("DECIMAL(9,2)") == PgType(1700, "numeric", -1, 589830, 1231)


def test_elements() -> None:
    assert element_type("STRUCT(a INTEGER[])") is None
    assert element_type("ENUM('a\n[]')[]") == "ENUM('a\n[]')"
    assert element_type("VARCHAR[12]") == "VARCHAR"
    assert ELEMENTS[1007] is BY_OID[23]
    assert 0 not in ELEMENTS
