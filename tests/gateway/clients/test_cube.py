"""Cube's driver for PostgreSQL, with SQL as Cube writes it."""

from __future__ import annotations

from tests.gateway.clients.contract import NOISE, Served, check_counts
from tests.gateway.clients.nodejs import NodeTool, need_packages

need_packages("pg", "@cubejs-backend/postgres-driver")

CHARGED = ("weeks", "streamed")
FREE = ("connects", "schema", "schemas", "tables", "columns", "types")


def test_contract_schema_and_queries(served: Served) -> None:
    tool = NodeTool(served, "cube")
    tool.check_contract((*CHARGED, *FREE), charged=len(CHARGED))
    _check_schema(tool)
    weeks = tool.saw("weeks")
    assert [row["visits__day_week"] for row in weeks] == [
        f"2024-01-{day:02}T00:00:00.000" for day in (1, 8, 15, 22, 29)
    ]
    assert all(abs(int(row["visits__count"]) - 1400) < NOISE for row in weeks[:4])
    streamed = tool.saw("streamed")
    assert streamed["types"] == [
        {"name": "visits__page", "type": "text"},
        {"name": "visits__count", "type": "bigint"},
    ]
    check_counts([list(row.values()) for row in streamed["rows"]], ["home", "news", "shop", "help", "jobs"])


def _check_schema(tool: NodeTool) -> None:
    assert tool.saw("connects") is True
    schema = tool.saw("schema")
    assert set(schema) == {"archive", "public"}
    assert {column["name"]: column["type"] for column in schema["public"]["visits"]} == {
        "visitor": "bigint",
        "page": "text",
        "age": "integer",
        "day": "date",
        "amount": "numeric",
        "member": "boolean",
    }
    page = next(column for column in schema["public"]["pages"] if column["name"] == "page")
    assert page["attributes"] == ["primaryKey"]
    assert {one["schema_name"] for one in tool.saw("schemas")} == {"archive", "public"}
    assert len(tool.saw("tables")) == 4
    assert [one["column_name"] for one in tool.saw("columns")] == ["page", "title", "weight"]
    assert tool.saw("types")[4] == {"name": "amount", "type": "decimal"}
