"""Sequelize: its QueryInterface, and models that count."""

from __future__ import annotations

from tests.gateway.clients.contract import NOISE, Served, check_counts, check_hidden
from tests.gateway.clients.nodejs import NodeTool, need_packages

need_packages("pg", "sequelize")

SCHEMA = ("tables", "schemas", "visits", "pages", "indexes", "references", "exists")
CHARGED = ("count", "distinct", "sum", "mean", "groups")
FREE = ("transaction", "public", "one", "rows", "insert")


def test_contract_schema_and_models(served: Served) -> None:
    tool = NodeTool(served, "sequelize")
    tool.check_contract((*SCHEMA, *CHARGED, *FREE), charged=len(CHARGED))
    _check_schema(tool)
    _check_models(tool)


def _check_schema(tool: NodeTool) -> None:
    assert tool.saw("tables") == ["kinds", "pages", "visits"]
    assert tool.saw("schemas") == ["archive"]
    assert tool.saw("exists") is True
    assert tool.saw("references") == []
    visits, pages = tool.saw("visits"), tool.saw("pages")
    assert list(visits) == ["visitor", "page", "age", "day", "amount", "member"]
    assert visits["visitor"] == {
        "type": "BIGINT",
        "allowNull": False,
        "comment": "privacy unit",
        "primaryKey": False,
        "defaultValue": None,
        "special": [],
    }
    facts = {name: (one["type"], one["allowNull"], one["primaryKey"]) for name, one in pages.items()}
    assert facts == {
        "page": ("TEXT", False, True),
        "title": ("TEXT", False, False),
        "weight": ("DOUBLE PRECISION", True, False),
    }
    (index,) = tool.saw("indexes")
    assert (index["name"], index["primary"], index["fields"]) == ("pages_pkey", True, [{"attribute": "page"}])


def _check_models(tool: NodeTool) -> None:
    assert abs(tool.saw("count") - 2100) < NOISE
    assert abs(tool.saw("distinct") - 6000) < NOISE
    assert 200_000 < tool.saw("sum") < 250_000
    assert 45 < tool.saw("mean") < 50
    check_counts([list(row.values()) for row in tool.saw("groups")], ["help", "home", "jobs", "news", "shop"])
    assert tool.saw("transaction") == 3
    assert [row["weight"] for row in tool.saw("public")] == [1.5, None, 0.25]
    assert tool.saw("one")["title"] == 'Buy "it"'
    check_hidden(tool.refused("rows"))
    assert tool.refused("insert").message == "INSERT is not supported"
