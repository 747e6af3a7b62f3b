"""TypeORM: its QueryRunner, repositories and query builder."""

from __future__ import annotations

from tests.gateway.clients.contract import NOISE, Served, check_counts, check_hidden
from tests.gateway.clients.nodejs import NodeTool, need_packages

need_packages("pg", "typeorm", "reflect-metadata")

SCHEMA = ("visits", "pages", "kinds", "tables", "exists", "where")
CHARGED = ("count", "sum", "mean", "groups", "filtered")
FREE = ("public", "paged", "one", "transaction", "rows")


def test_contract_schema_and_repositories(served: Served) -> None:
    tool = NodeTool(served, "typeorm")
    tool.check_contract((*SCHEMA, *CHARGED, *FREE), charged=len(CHARGED))
    _check_schema(tool)
    _check_repositories(tool)


def _check_schema(tool: NodeTool) -> None:
    assert tool.saw("where") == ["shop", "public"]
    assert tool.saw("exists") is True
    assert sorted(tool.saw("tables")) == ["archive.numbers", "pages", "visits"]
    visits = {column.pop("name"): column for column in tool.saw("visits")}
    assert list(visits) == ["visitor", "page", "age", "day", "amount", "member"]
    assert visits["visitor"] == {
        "type": "bigint", "isPrimary": False, "isNullable": False, "isArray": False, "comment": "privacy unit"
    }  # fmt: skip
    assert (visits["amount"]["precision"], visits["amount"]["scale"]) == (9, 2)
    pages = tool.saw("pages")
    assert [(column["isPrimary"], column["isNullable"]) for column in pages] == [
        (True, False),
        (False, False),
        (False, True),
    ]
    kinds = {column["name"]: (column["type"], column["isArray"]) for column in tool.saw("kinds")}
    assert kinds["names"] == ("text", True)
    assert kinds["instant"] == ("timestamp with time zone", False)


def _check_repositories(tool: NodeTool) -> None:
    assert abs(tool.saw("count") - 6000) < NOISE
    assert 200_000 < float(tool.saw("sum")) < 250_000
    assert 45 < tool.saw("mean") < 50
    check_counts([list(row.values()) for row in tool.saw("groups")], ["home", "news", "shop"])
    assert 2500 < tool.saw("filtered") < 3500
    assert [row["weight"] for row in tool.saw("public")] == [1.5, None, 0.25]
    rows, total = tool.saw("paged")
    assert ([row["page"] for row in rows], total) == (["news", "shop"], 3)
    assert tool.saw("one")["title"] == 'Buy "it"'
    assert tool.saw("transaction") == 3
    check_hidden(tool.refused("rows"))
