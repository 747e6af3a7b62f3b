"""Evidence's connector, which asks for the number of rows before the rows, and pays for both once."""

from __future__ import annotations

from tests.gateway.clients.contract import (
    EPSILON,
    HIDDEN,
    HISTOGRAM,
    MEDIAN,
    NOISE,
    TOP,
    Refusal,
    Served,
    check_counts,
    check_hidden,
    check_median,
)
from tests.gateway.clients.nodejs import NodeTool, need_packages
from tests.gateway.clients.shop import BROKE

need_packages("@evidence-dev/postgres")


def test_contract(served: Served) -> None:
    """Each question with a condition that holds of all visits: nobody else's answer is given again for it."""
    before, broke = served.count("evidence"), served.count(BROKE)
    tool = NodeTool(served, "evidence", options="")
    asked = [_among(sql, age) for sql, age in ((TOP, 117), (HISTOGRAM, 118), (MEDIAN, 119))]
    top, histogram, median = tool.ask("evidence", *asked)
    assert served.charges("evidence")[before:] == [EPSILON] * 3
    check_counts(top, ["home", "news", "shop"])
    check_counts(histogram, ["help", "home", "jobs", "news", "shop"])
    check_median(median)
    assert tool.ask("evidence", *asked) == [top, histogram, median]
    assert served.count("evidence") == before + 3
    check_hidden(tool.ask("evidence", _among(HIDDEN, 116))[0], hides=("sqlstate", "detail", "hint"))
    assert served.count("evidence") == before + 4  # of the number of rows
    (exhausted,) = tool.ask(BROKE, _among(MEDIAN, 116))
    assert isinstance(exhausted, Refusal)  # of which the connector shows nothing
    assert served.count(BROKE) == broke


def _among(sql: str, age: int) -> str:
    return sql.replace("FROM visits", f"FROM visits WHERE age < {age}")


def test_schema_and_pages(served: Served) -> None:
    before = served.charges("evidence")
    tool = NodeTool(served, "evidence", options="")
    tool.look(("connects", "schema", "pages", "public"))
    assert served.charges("evidence") == [*before, EPSILON]
    assert tool.saw("connects") is True
    columns = [row["column_name"] for row in tool.saw("schema")["rows"]]
    assert columns == ["visitor", "page", "age", "day", "amount", "member"]
    pages = tool.saw("pages")
    assert [row["page"] for row in pages["rows"]] == ["home", "news", "shop", "help", "jobs"]
    assert abs(pages["rows"][0]["n"] - 2571) < NOISE
    assert (pages["expected"], pages["batches"]) == (5, 3)
    assert [column["evidenceType"] for column in pages["types"]] == ["string", "number"]
    assert [row["weight"] for row in tool.saw("public")["rows"]] == [1.5, None, 0.25]
