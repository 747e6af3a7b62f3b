"""Evidence's connector, which asks for the number of rows before the rows, and pays for both once."""

from __future__ import annotations

from tests.gateway.clients.contract import EPSILON, NOISE, Served
from tests.gateway.clients.nodejs import NodeTool, need_packages

need_packages("@evidence-dev/postgres")


def test_pages_are_charged_once(served: Served) -> None:
    """A page that nobody else asks for, since their answers would be given again."""
    before = served.charges("evidence")
    tool = NodeTool(served, "evidence", options="")
    tool.look(("connects", "pages", "public"))
    assert served.charges("evidence") == [*before, EPSILON]
    assert tool.saw("connects") is True
    pages = tool.saw("pages")
    assert [row["page"] for row in pages["rows"]] == ["home", "news", "shop", "help", "jobs"]
    assert abs(pages["rows"][0]["n"] - 2571) < NOISE
    assert (pages["expected"], pages["batches"]) == (5, 3)
    assert [column["evidenceType"] for column in pages["types"]] == ["string", "number"]
    assert [row["weight"] for row in tool.saw("public")["rows"]] == [1.5, None, 0.25]
