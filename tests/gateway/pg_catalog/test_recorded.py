"""The queries that real clients send are answered, and as a real PostgreSQL answers them.

queries/<client>/NN.sql is what the client sent to a PostgreSQL 15 with the tables of `shop`; OIDs of user
objects are written {oid name}. NN.json has the names of its columns and, where dpduck has the same facts, its
rows. Those of npgsql, grafana, metabase, dbeaver, tableau, superset and pgcli were not recorded, but written
by what these tools ask.
"""

from __future__ import annotations

import json
import re
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dpduck.doors.gateway.pg_catalog import PublicCatalog
from tests.gateway.pg_catalog.shop import ASKER, shop

QUERIES = sorted(Path(__file__).with_name("queries").glob("*/*.sql"))
_FIRST_SYSTEM_OID = 10_000  # above which PostgreSQL gives out OIDs that differ from ours


@pytest.fixture(scope="module")
def public_catalog() -> PublicCatalog:
    return PublicCatalog(shop(), "shop")


@pytest.fixture(scope="module")
def oids(public_catalog: PublicCatalog) -> dict[str, str]:
    _, cursor = public_catalog.open("SELECT relname, oid FROM pg_class WHERE oid >= 16384", ASKER)
    return {name: str(oid) for name, oid in cursor.fetchall()}


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_recorded_query_is_answered_as_by_postgres(
    public_catalog: PublicCatalog, oids: dict[str, str], path: Path
) -> None:
    expected = json.loads(path.with_suffix(".json").read_text())
    sql = _filled(path.read_text(), oids)

    assert public_catalog.concerns(sql)
    query = public_catalog.prepare(sql, ASKER)
    given = [None if text is None else _filled(text, oids) for text in expected["parameters"]]
    params = [_parameter(kind, text) for kind, text in zip(query.parameters, given, strict=True)]
    query, cursor = public_catalog.open(sql, ASKER, params)
    rows = [_comparable(list(row)) for row in cursor.fetchall()]
    cursor.close()

    assert [column.name for column in query.columns] == expected["columns"]
    if "rows" in expected:
        assert sorted(rows, key=_order) == sorted(expected["rows"], key=_order)


def test_there_are_queries_of_every_client() -> None:
    clients = {path.parent.name for path in QUERIES}

    assert {"psql", "psycopg2", "psycopg3", "asyncpg", "sqlalchemy", "adbc", "jdbc", "odbc"} < clients
    assert {"duckdb", "node", "npgsql", "grafana", "metabase", "dbeaver", "tableau", "superset"} < clients


def _filled(sql: str, oids: dict[str, str]) -> str:
    return re.sub(r"\{oid ([^}]*)\}", lambda match: oids.get(match[1], "99999"), sql).strip()


def _parameter(kind: str, text: str | None) -> Any:
    """A value as it would come over the wire."""
    if text is None or not kind.endswith("[]"):
        return text
    return [item for item in text.strip("{}").split(",") if item]


def _order(row: list[Any]) -> str:
    return json.dumps(row, sort_keys=True, default=str)


def _comparable(value: Any) -> Any:
    """The value with OIDs hidden that PostgreSQL does not fix, and arrays and JSON in one form."""
    match value:
        case list() | tuple():
            return [_comparable(item) for item in value]
        case bool():
            return value
        case Decimal():
            return float(value)
        case int() if _FIRST_SYSTEM_OID <= value < 10 * _FIRST_SYSTEM_OID:
            return "<oid>"
        case str():
            return _comparable_text(value)
        case date() | datetime() | bytes():
            return str(value)
    return json.dumps(value, sort_keys=True) if isinstance(value, dict) else value


def _comparable_text(value: str) -> Any:
    if re.fullmatch(r"1\d{4}", value):
        return "<oid>"
    if value.startswith('{"'):
        return json.dumps(json.loads(value), sort_keys=True)
    if value.startswith("{") and value.endswith("}") and ":" not in value:
        return [_comparable(int(item)) if item.isdigit() else item for item in value[1:-1].split(",")]
    return value
