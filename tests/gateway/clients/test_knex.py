"""knex: columns, counts and public rows by its query builder."""

from __future__ import annotations

from tests.gateway.clients.contract import NOISE, Served, check_hidden
from tests.gateway.clients.nodejs import NodeTool, need_packages

need_packages("pg", "knex")

CHARGED = ("count", "filtered", "groups")
FREE = ("columns", "exists", "archived", "public", "transaction", "rows", "insert")


def test_contract_columns_and_builder(served: Served) -> None:
    tool = NodeTool(served, "knex")
    tool.check_contract((*CHARGED, *FREE), charged=len(CHARGED))
    columns = tool.saw("columns")
    assert list(columns) == ["visitor", "page", "age", "day", "amount", "member"]
    assert columns["visitor"]["nullable"] is False
    assert columns["amount"] == {"type": "numeric", "maxLength": None, "nullable": True, "defaultValue": None}
    assert tool.saw("exists") == [True, True]
    assert tool.saw("archived") is True
    assert abs(int(tool.saw("count")["n"]) - 6000) < NOISE
    assert abs(int(tool.saw("filtered")[0]["n"]) - 6000) < NOISE
    groups = tool.saw("groups")
    assert [row["page"] for row in groups] == ["help", "home", "jobs", "news", "shop"]
    assert all(45 < float(row["mean"]) < 55 for row in groups)
    assert tool.saw("public") == [{"title": "Start", "weight": 1.5}]
    assert tool.saw("transaction") == "3"
    check_hidden(tool.refused("rows"))
    assert tool.refused("insert").message == "INSERT is not supported"
