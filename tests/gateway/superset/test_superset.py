"""Apache Superset itself: its databases, datasets, SQL Lab, charts of all kinds, a dashboard in a browser.

It is installed apart, since it wants versions of its own, and has a job of its own: `bash .ci/superset`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import dpduck
from dpduck.kernel.ledger import open_ledger
from tests.gateway.bi.shop import PASSWORD, make_shop
from tests.gateway.serving import serving
from tests.gateway.superset.boards import opened, positions
from tests.gateway.superset.client import COUNT, DAYS, Said, Superset, axis, by_time, metric, query
from tests.gateway.superset.running import SUPERSET, running
from tests.page.test_browser import BROWSER

if SUPERSET is None:
    pytest.skip(
        "Superset is missing: set SUPERSET to its command, as .ci/superset does", allow_module_level=True
    )

EPSILON = Fraction(1, 2)
USER, BROKE = "superset", "bea"
JOINED = "SELECT v.page, v.ts, v.amount, p.topic FROM visits v JOIN pages p ON v.page = p.name"
JANUARY = {"granularity": "ts", "time_range": DAYS}
SUM, MEAN = metric("SUM", "amount"), metric("AVG", "amount")
MEDIAN = {
    "expressionType": "SQL",
    "sqlExpression": "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY amount)",
    "label": "median",
}
BINS = {"label": "bin", "sqlExpression": "floor(age / 10) * 10", "expressionType": "SQL"}
BOXES = {"whisker_type": "tukey", "percentiles": None, "groupby": ["page"], "metrics": ["AVG(amount)"]}
RUNNING = {"operator": "sum", "columns": {"count": "count"}}

# Each kind of chart with the queries that it makes, and how many rows each gives.
CHARTS: dict[str, tuple[list[dict[str, Any]], list[int]]] = {
    "big number": ([query(**JANUARY)], [1]),
    "big number with trendline": ([by_time("P1D")], [31]),
    "pie": ([query("page", orderby=[[COUNT, False]], **JANUARY)], [4]),
    "line": ([by_time("P1W")], [5]),
    "bar": ([by_time("P1M", "page")], [1]),
    "area": ([by_time("P1D", "page", metrics=[SUM])], [31]),
    "scatter": ([by_time("P3M", metrics=[MEAN])], [1]),
    "table": ([query("page", metrics=[COUNT, MEAN, metric("MAX", "age")], **JANUARY)], [4]),
    "pivot table": ([query(axis("P1M"), "page", metrics=[SUM], **JANUARY)], [4]),
    "heat map": (
        [
            query(
                "page",
                axis("P1W"),
                post_processing=[{"operation": "rank", "options": {"metric": "count", "group_by": "page"}}],
                **JANUARY,
            )
        ],
        [20],
    ),
    "treemap": ([query("page", metrics=[SUM], orderby=[[SUM, False]], **JANUARY)], [4]),
    "gauge": ([query(metrics=[MEAN], **JANUARY)], [1]),
    "radar": ([query("page", metrics=[MEAN, metric("AVG", "age")], **JANUARY)], [4]),
    "bubble": ([query("page", metrics=[metric("AVG", "age"), SUM, COUNT], **JANUARY)], [4]),
    "box plot": (
        [
            query(
                axis("P1D"),
                "page",
                metrics=[MEAN],
                series_columns=["page"],
                post_processing=[{"operation": "boxplot", "options": BOXES}],
                **JANUARY,
            )
        ],
        [4],
    ),
    "mixed": ([by_time("P1W", metrics=[MEDIAN]), by_time("P1W", "page", metrics=[SUM])], [5, 5]),
    "distinct people": ([query("page", metrics=[metric("COUNT_DISTINCT", "visitor")], **JANUARY)], [4]),
    "median": ([query(metrics=[MEDIAN], **JANUARY)], [1]),
    "bins of custom SQL": ([query(BINS, **JANUARY)], [13]),
    "two weeks compared": (
        [by_time("P1D", time_range="2024-02-01 : 2024-02-08", time_offsets=["1 week ago"])],
        [7],
    ),
}
CHARGES = {"mixed": 2, "two weeks compared": 2}  # of a chart that makes several queries of SQL
GRAINS = {  # and the rows of one day; 10000 are the most that a chart asks for
    "PT1S": 10000,
    "PT5S": 10000,
    "PT30S": 2880,
    "PT1M": 1440,
    "PT5M": 288,
    "PT10M": 144,
    "PT15M": 96,
    "PT30M": 48,
    "PT1H": 24,
    **dict.fromkeys(("P1D", "P1W", "P1M", "P3M", "P1Y"), 1),
}


@dataclass(frozen=True)
class Shop:
    """Superset, the file that the gateway serves, and the numbers of what Superset has of it."""

    superset: Superset
    file: Path
    database: int
    visits: int
    joined: int
    broke: int
    ends: int

    def charges(self, analyst: str = USER) -> list[Fraction]:
        """Epsilon of each charge, oldest first."""
        with open_ledger(f"{self.file}.ledger") as ledger:
            return [e.epsilon for e in ledger.entries() if e.analyst == analyst and e.epsilon]

    def lab(self, sql: str, number: int, database: int | None = None) -> Said:
        """What SQL Lab answers. Input: a number of its own for each query."""
        where = {"database_id": database or self.database, "schema": "public", "queryLimit": 1000}
        said = {"sql": sql, "client_id": f"lab{number}", "runAsync": False}
        return self.superset.post("sqllab/execute/", {**where, **said})


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    file = tmp_path_factory.mktemp("shop") / "shop.duckdb"
    make_shop(file, [USER, BROKE])
    with dpduck.connect(str(file)) as owner:
        owner.execute(f"CREATE PRIVACY BUDGET little LIMIT 0.25 FOR {BROKE}")
    with (
        serving(file, "--epsilon", str(float(EPSILON)), "--quantum", "1") as (port, _),
        running(tmp_path_factory.mktemp("superset")) as superset,
    ):
        options = "-c%20dp_preview%3Dempty"
        database = superset.new("database", database_name="shop", sqlalchemy_uri=_uri(port, options))
        visits = superset.new("dataset", database=database, schema="public", table_name="visits")
        joined = superset.new("dataset", database=database, schema="public", table_name="joined", sql=JOINED)
        broke = superset.new("database", database_name="little", sqlalchemy_uri=_uri(port, "", BROKE))
        options = "-c%20dp_intervals%3Dcolumns"
        ends = superset.new("database", database_name="ends", sqlalchemy_uri=_uri(port, options))
        yield Shop(superset, file, database, visits, joined, broke, ends)
    assert "XX000" not in Path(f"{file}.log").read_text()


def _uri(port: int, options: str, user: str = USER) -> str:
    password = PASSWORD.replace(" ", "%20")
    return f"postgresql+psycopg2://{user}:{password}@127.0.0.1:{port}/shop?options={options}"


def test_what_there_is(shop: Shop) -> None:
    before = shop.charges()
    said = shop.superset.get(f"database/{shop.database}/tables/?q=(force:!f,schema_name:public)")
    assert [table["value"] for table in said.body["result"]] == ["pages", "visits"]
    said = shop.superset.get(f"database/{shop.database}/table_metadata/?name=visits&schema=public")
    columns = {column["name"]: (column["type"], column["comment"]) for column in said.body["columns"]}
    assert list(columns) == ["visitor", "page", "ts", "day", "age", "amount"]
    assert columns["visitor"] == ("INTEGER", "privacy unit")
    columns = shop.superset.get(f"dataset/{shop.joined}").body["result"]["columns"]
    assert [(one["column_name"], one["is_dttm"]) for one in columns] == [
        ("page", False), ("ts", True), ("amount", False), ("topic", False)
    ]  # fmt: skip
    assert shop.charges() == before


@pytest.mark.parametrize("kind", CHARTS)
def test_charts(shop: Shop, kind: str) -> None:
    """Each is answered, charged once for each query that it makes, and free when it is asked again."""
    queries, rows = CHARTS[kind]
    before = shop.charges()
    said = shop.superset.data(shop.visits, *queries)
    assert said.status == 200, said.text
    assert [one["rowcount"] for one in said.body["result"]] == rows
    after = shop.charges()
    assert after[: len(before)] == before
    assert after[len(before) :] in ([], [EPSILON] * CHARGES.get(kind, 1))  # none if it follows from another
    again = shop.superset.data(shop.visits, *queries, force=True)
    assert [one["data"] for one in again.body["result"]] == [one["data"] for one in said.body["result"]]
    assert shop.charges() == after


def test_time_grains(shop: Shop) -> None:
    """All that Superset offers for PostgreSQL, for one day."""
    for grain, rows in GRAINS.items():
        said = shop.superset.data(shop.visits, by_time(grain, time_range="2024-01-01 : 2024-01-02"))
        assert said.status == 200, (grain, said.text)
        assert said.body["result"][0]["rowcount"] == rows, grain


def test_datasets_that_are_queries(shop: Shop) -> None:
    before = shop.charges()
    topics = shop.superset.data(shop.joined, query("topic", orderby=[[COUNT, False]], **JANUARY))
    assert {row["topic"] for row in topics.body["result"][0]["data"]} == {"main", "text", "sale"}
    weeks = shop.superset.data(shop.joined, by_time("P1W", metrics=[SUM]))
    assert weeks.body["result"][0]["rowcount"] == 5
    assert shop.charges() == [*before, EPSILON, EPSILON]


def test_filters(shop: Shop) -> None:
    before = shop.charges()
    values = shop.superset.data(shop.visits, query("page", metrics=[], row_limit=1000))
    pages = sorted(row["page"] for row in values.body["result"][0]["data"])
    assert pages == ["help", "home", "news", "shop"]
    assert shop.charges() == before  # the domain lists them
    filters = [
        {"col": "page", "op": "IN", "val": ["home", "news"]},
        {"col": "age", "op": ">=", "val": 18},
        {"col": "amount", "op": "IS NOT NULL"},
        {"col": "page", "op": "ILIKE", "val": "%o%"},
    ]
    extras = {"having": "(COUNT(*) > 50)", "where": "(age < 70)"}
    said = shop.superset.data(shop.visits, query("page", filters=filters, extras=extras, **JANUARY))
    assert [row["page"] for row in said.body["result"][0]["data"]] == ["home"]
    assert shop.charges() == [*before, EPSILON]


def test_sql_lab(shop: Shop) -> None:
    before = shop.charges()
    asked = "SELECT page, count(*) AS n FROM visits WHERE age > 30 GROUP BY page ORDER BY n DESC"
    top = shop.lab(asked, 1)
    assert top.body["status"] == "success", top.text
    assert top.body["data"][0]["page"] == "home"
    assert shop.charges() == [*before, EPSILON]
    told = shop.lab("SELECT visitor, count(*) AS n FROM visits GROUP BY visitor", 2)
    assert told.status == 500
    assert "the privacy unit" in told.text
    assert "Nothing was charged." in told.text
    rows = shop.lab("SELECT * FROM visits", 3)
    assert rows.body["data"] == []  # by dp_preview = empty
    assert [column["name"] for column in rows.body["columns"]][:2] == ["visitor", "page"]
    assert shop.charges() == [*before, EPSILON]


def test_the_error_of_an_answer(shop: Shop) -> None:
    """Superset 6.1.0 shows no notice; it shows the ends where the URI of its database asks for columns."""
    asked = "SELECT page, count(*) AS n FROM visits WHERE age > 32 GROUP BY page"
    plain = shop.lab(asked, 5)
    assert list(plain.body["data"][0]) == ["page", "n"], plain.text
    assert "±" not in plain.text
    said = shop.lab(asked, 6, shop.ends)
    assert list(said.body["data"][0]) == ["page", "n", "n_low", "n_high"], said.text
    assert all(0 <= row["n_low"] <= max(row["n"], 0) for row in said.body["data"]), said.text
    assert {row["n_high"] for row in said.body["data"]} == {None}  # or higher: a visitor counts in one group


def test_what_is_refused(shop: Shop) -> None:
    before = shop.charges()
    raw = {"operation": "histogram", "options": {"column": "amount", "groupby": [], "bins": 5}}
    histogram = shop.superset.data(shop.visits, query("amount", metrics=[], post_processing=[raw], **JANUARY))
    series = shop.superset.data(
        shop.visits, by_time("P1D", "page", series_limit=2, series_limit_metric=COUNT)
    )
    for said, message in (
        (histogram, "column amount of type DOUBLE cannot be a key"),
        (series, "LIMIT inside FROM is not supported here"),
    ):
        assert said.status == 400
        assert message in said.text
        assert "Nothing was charged." in said.text
        assert "HINT:" in said.text
    assert shop.charges() == before


def test_an_exhausted_budget(shop: Shop) -> None:
    said = shop.lab("SELECT count(*) AS n FROM visits WHERE age > 31", 4, shop.broke)
    assert said.status == 500
    assert "query needs epsilon 0.5 but only 0.25 remains" in said.text
    assert "Nothing was charged." in said.text
    assert shop.charges(BROKE) == []


CONTROLS = {
    "kind": ("echarts_timeseries_line", "pie", "big_number_total", "table"),
    "line": {"x_axis": "ts", "time_grain_sqla": "P1W", "groupby": ["page"], "metrics": [COUNT]},
    "pie": {"groupby": ["page"], "metric": COUNT},
    "big_number_total": {"metric": metric("COUNT_DISTINCT", "visitor")},
    "table": {"query_mode": "aggregate", "groupby": ["page"], "metrics": [COUNT, MEAN]},
}


@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
def test_a_dashboard_in_a_browser(shop: Shop, tmp_path: Path) -> None:
    """Its own front end makes the queries: each chart is charged once, with the filter that is set."""
    charts = [_chart(shop, kind) for kind in CONTROLS["kind"]]
    dashboard = _dashboard(shop, charts)
    before = shop.charges()
    picture = tmp_path / "dashboard.png"
    text = opened(f"{shop.superset.url}/superset/dashboard/{dashboard}/?standalone=2", picture)
    assert len(shop.charges()) == len(before) + len(charts)
    assert "Unexpected error" not in text
    for kind in CONTROLS["kind"]:
        assert f"a {kind}" in text
    assert picture.stat().st_size > 10_000
    opened(f"{shop.superset.url}/superset/dashboard/{dashboard}/?standalone=2", picture)
    assert len(shop.charges()) == len(before) + len(charts)


def _chart(shop: Shop, kind: str) -> int:
    controls = CONTROLS["line" if kind.endswith("line") else kind]
    form = {"viz_type": kind, "datasource": f"{shop.visits}__table", "row_limit": 1000, **controls}
    form["adhoc_filters"] = [
        {
            "expressionType": "SIMPLE",
            "subject": "ts",
            "operator": "TEMPORAL_RANGE",
            "comparator": "2024-01-02 : 2024-02-02",  # so that nothing follows from what was asked before
            "clause": "WHERE",
        }
    ]
    return shop.superset.new(
        "chart",
        slice_name=f"a {kind}",
        viz_type=kind,
        datasource_id=shop.visits,
        datasource_type="table",
        params=json.dumps(form),
    )


def _dashboard(shop: Shop, charts: list[int]) -> int:
    """A dashboard of two rows, with a filter of pages that is set."""
    dashboard = shop.superset.new("dashboard", dashboard_title="Visits")
    for chart in charts:
        shop.superset.put(f"chart/{chart}", {"dashboards": [dashboard]})
    chosen = {"extraFormData": {"filters": [{"col": "page", "op": "IN", "val": ["home", "news"]}]}}
    state = {"value": ["home", "news"], "label": "home, news"}
    only = {
        "id": "NATIVE_FILTER-pages",
        "name": "Pages",
        "type": "NATIVE_FILTER",
        "filterType": "filter_select",
        "targets": [{"datasetId": shop.visits, "column": {"name": "page"}}],
        "defaultDataMask": {**chosen, "filterState": state},
        "cascadeParentIds": [],
        "scope": {"rootPath": ["ROOT_ID"], "excluded": []},
        "controlValues": {"multiSelect": True, "enableEmptyFilter": False},
    }
    said = shop.superset.put(
        f"dashboard/{dashboard}",
        {
            "position_json": json.dumps(positions(charts)),
            "json_metadata": json.dumps({"native_filter_configuration": [only]}),
        },
    )
    assert said.status == 200, said
    return dashboard
