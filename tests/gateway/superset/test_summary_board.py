"""A dashboard in Superset on a private summary: charts, filters and refreshes are free (docs/DASHBOARDS.md).

The connection has dp_summaries=only, so that what the summary does not answer is refused and never charged.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

import dpduck
from dpduck.doors.gateway.scram import verifier_of
from dpduck.kernel.ledger import open_ledger
from tests.gateway.bi.shop import PASSWORD
from tests.gateway.serving import serving
from tests.gateway.superset.boards import opened, positions
from tests.gateway.superset.client import COUNT, Superset, query
from tests.gateway.superset.running import SUPERSET, running
from tests.page.test_browser import BROWSER

if SUPERSET is None:
    pytest.skip(
        "Superset is missing: set SUPERSET to its command, as .ci/superset does", allow_module_level=True
    )

ANALYST = "superset"
PICTURE = os.environ.get("DPDUCK_PICTURE")  # where the picture of the dashboard is kept, to look at it
PEOPLE = """
CREATE TABLE people AS
SELECT i AS id, (i * 7919 % 100)::INTEGER AS age, ['n', 's', 'e', 'w'][1 + (i % 7) // 2] AS region,
    i % 3 = 0 AS member, DATE '2024-01-01' + (i * i % 366)::INTEGER AS joined
FROM range(20000) AS r(i);
ALTER TABLE people ADD PRIMARY KEY (id);
"""
POLICIES = """
ALTER TABLE people ADD PRIVACY_KEY (id);
ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 99);
ALTER TABLE people ALTER COLUMN region SET PRIVACY DOMAIN IN ('n', 's', 'e', 'w');
ALTER TABLE people ALTER COLUMN joined SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-12-31');
CREATE PRIVACY SUMMARY board ON people
    (region, member, age BANDS (18, 30, 45, 65), date_trunc('month', joined) AS month)
    WORKLOAD (ALL 3 WAY) EPSILON 1
"""
YEAR = {"granularity": "joined", "time_range": "2024-01-01 : 2025-01-01"}
ADULTS = {
    "expressionType": "SQL", "sqlExpression": "COUNT(*) FILTER (WHERE age >= 18)", "label": "adults"
}  # fmt: skip


@dataclass(frozen=True)
class Board:
    """Superset, the file that the gateway serves, and the datasets: people, and synthetic rows."""

    superset: Superset
    file: Path
    people: int
    rows: int

    def charges(self) -> list[tuple[str, bool]]:
        """Epsilon of each charge, and whether it is the question to a summary."""
        with open_ledger(f"{self.file}.ledger") as ledger:
            return [(str(e.epsilon), e.mechanism == "summary") for e in ledger.entries() if e.epsilon]


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    file = tmp_path_factory.mktemp("people") / "people.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute(PEOPLE)
    with dpduck.connect(str(file)) as owner:
        for statement in POLICIES.split(";"):
            owner.execute(statement)
    with open_ledger(f"{file}.ledger") as ledger:
        ledger.put_analyst(ANALYST, verifier_of(PASSWORD))
    with (
        serving(file, "--quantum", "1") as (port, _),
        running(tmp_path_factory.mktemp("superset")) as superset,
    ):
        options = "-c%20dp_preview%3Dempty%20-c%20dp_summaries%3Donly"
        password = PASSWORD.replace(" ", "%20")
        uri = f"postgresql+psycopg2://{ANALYST}:{password}@127.0.0.1:{port}/people?options={options}"
        database = superset.new("database", database_name="people", sqlalchemy_uri=uri)
        people = superset.new("dataset", database=database, schema="public", table_name="people")
        rows = superset.new("dataset", database=database, schema="public", table_name="board")
        yield Board(superset, file, people, rows)
    assert "XX000" not in Path(f"{file}.log").read_text()


def test_the_summary_is_a_table_of_the_database(board: Board) -> None:
    columns = board.superset.get(f"dataset/{board.rows}").body["result"]["columns"]
    assert [one["column_name"] for one in columns] == ["region", "member", "age", "month"]
    assert [one["column_name"] for one in columns if one["is_dttm"]] == ["month"]


MONTHS = {"columnType": "BASE_AXIS", "sqlExpression": "joined", "label": "joined", "expressionType": "SQL"}
CHARTS: dict[str, tuple[dict[str, Any], int]] = {
    "big number": (query(**YEAR), 1),
    "pie": (query("region", orderby=[[COUNT, False]], **YEAR), 4),
    "line": (query({**MONTHS, "timeGrain": "P1M"}, **YEAR), 12),
    "bars by quarter": (query({**MONTHS, "timeGrain": "P3M"}, "member", **YEAR), 8),
    "table": (query("region", "member", metrics=[COUNT, ADULTS], **YEAR), 8),
    "a filter": (query("member", filters=[{"col": "region", "op": "IN", "val": ["n", "e"]}], **YEAR), 2),
    "bands": (query("region", filters=[{"col": "age", "op": ">=", "val": 45}], **YEAR), 4),
}


@pytest.mark.parametrize("kind", CHARTS)
def test_charts_are_free(board: Board, kind: str) -> None:
    asked, rows = CHARTS[kind]
    said = board.superset.data(board.people, asked, force=True)
    assert said.status == 200, said.text
    assert said.body["result"][0]["rowcount"] == rows
    assert board.charges() == [("1", True)]


def test_charts_of_synthetic_rows_are_free(board: Board) -> None:
    said = board.superset.data(board.rows, query("age", "region"), force=True)
    assert said.status == 200, said.text
    assert said.body["result"][0]["rowcount"] == 20
    raw = query("region", "age", "month", metrics=[], row_limit=50)
    said = board.superset.data(board.rows, {**raw, "is_timeseries": False}, force=True)
    assert said.status == 200, said.text
    assert board.charges() == [("1", True)]


def test_what_no_summary_answers_is_refused_and_not_charged(board: Board) -> None:
    asked = query("region", filters=[{"col": "age", "op": ">=", "val": 21}], **YEAR)
    said = board.superset.data(board.people, asked, force=True)
    assert said.status == 400
    assert "no summary answers this query" in said.text
    assert board.charges() == [("1", True)]


KINDS: dict[str, dict[str, Any]] = {
    "echarts_timeseries_line": {
        "x_axis": "joined", "time_grain_sqla": "P1M", "groupby": ["member"], "metrics": [COUNT]
    },
    "pie": {"groupby": ["region"], "metric": COUNT},
    "big_number_total": {"metric": COUNT},
    "table": {"query_mode": "aggregate", "groupby": ["region", "member"], "metrics": [COUNT, ADULTS]},
}  # fmt: skip


TITLES = {
    "echarts_timeseries_line": "Members by the month in which they joined",
    "pie": "Regions",
    "big_number_total": "People",
    "table": "Regions and members, and of these adults",
}


@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
def test_a_dashboard_in_a_browser_is_free(board: Board, tmp_path: Path) -> None:
    charts = [_chart(board, kind) for kind in KINDS]
    dashboard = board.superset.new("dashboard", dashboard_title="People, from a summary")
    for chart in charts:
        board.superset.put(f"chart/{chart}", {"dashboards": [dashboard]})
    placed = {"position_json": json.dumps(positions(charts)), "json_metadata": "{}"}
    assert board.superset.put(f"dashboard/{dashboard}", placed).status == 200
    picture = tmp_path / "dashboard.png"
    for _ in range(2):
        text = opened(f"{board.superset.url}/superset/dashboard/{dashboard}/?standalone=2", picture)
        assert "Unexpected error" not in text
        assert "no summary answers" not in text
        for kind in KINDS:
            assert TITLES[kind] in text
    assert picture.stat().st_size > 10_000
    assert board.charges() == [("1", True)]
    if PICTURE:
        shutil.copyfile(picture, PICTURE)


def _chart(board: Board, kind: str) -> int:
    form = {"viz_type": kind, "datasource": f"{board.people}__table", "row_limit": 1000, **KINDS[kind]}
    form["adhoc_filters"] = [
        {
            "expressionType": "SIMPLE",
            "subject": "joined",
            "operator": "TEMPORAL_RANGE",
            "comparator": YEAR["time_range"],
            "clause": "WHERE",
        }
    ]
    return board.superset.new(
        "chart",
        slice_name=TITLES[kind],
        viz_type=kind,
        datasource_id=board.people,
        datasource_type="table",
        params=json.dumps(form),
    )
