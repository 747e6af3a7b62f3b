"""Superset's REST API as its front end uses it, and the query contexts that its charts make."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Any

ADMIN = "admin"
SECONDS = 120
COUNT = {"expressionType": "SQL", "sqlExpression": "COUNT(*)", "label": "count"}
DAYS = "2024-01-01 : 2024-02-01"


@dataclass(frozen=True)
class Said:
    """What Superset answered: the status, and the body as JSON."""

    status: int
    body: Any

    @property
    def text(self) -> str:
        return json.dumps(self.body)


@dataclass
class Superset:
    """A Superset that runs at `url`, as its administrator, whose password is the name."""

    url: str
    _headers: dict[str, str] = field(default_factory=dict)

    def log_in(self) -> None:
        who = {"username": ADMIN, "password": ADMIN, "provider": "db", "refresh": True}
        token = self.post("security/login", who).body["access_token"]
        self._headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str) -> Said:
        return self._send("GET", path, None)

    def post(self, path: str, body: dict[str, Any]) -> Said:
        return self._send("POST", path, body)

    def put(self, path: str, body: dict[str, Any]) -> Said:
        return self._send("PUT", path, body)

    def new(self, kind: str, **fields: Any) -> int:
        """The number of a new database, dataset, chart or dashboard."""
        said = self.post(f"{kind}/", fields)
        assert said.status == 201, said
        return int(said.body["id"])

    def data(self, dataset: int, *queries: dict[str, Any], force: bool = False) -> Said:
        """What a chart shows, of the queries that it makes. Input: `force`: without Superset's cache."""
        source = {"id": dataset, "type": "table"}
        context = {"datasource": source, "force": force, "queries": list(queries), "result_format": "json"}
        return self.post("chart/data", {**context, "result_type": "full"})

    def _send(self, method: str, path: str, body: dict[str, Any] | None) -> Said:
        request = urllib.request.Request(
            f"{self.url}/api/v1/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", **self._headers},
        )
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as said:
                return Said(said.status, json.loads(said.read()))
        except urllib.error.HTTPError as error:
            text = error.read().decode()
            return Said(error.code, json.loads(text) if text.startswith("{") else text)


def metric(aggregate: str, column: str) -> dict[str, Any]:
    """A metric that is chosen with the mouse."""
    return {
        "expressionType": "SIMPLE",
        "aggregate": aggregate,
        "column": {"column_name": column},
        "label": f"{aggregate}({column})",
    }


def axis(grain: str) -> dict[str, Any]:
    """The axis of times, in a grain."""
    column = {"columnType": "BASE_AXIS", "sqlExpression": "ts", "label": "ts", "expressionType": "SQL"}
    return {**column, "timeGrain": grain}


def query(*columns: Any, metrics: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    """One query of a chart, with the parts that the front end always sends."""
    parts: dict[str, Any] = {
        "filters": [],
        "extras": {"having": "", "where": ""},
        "applied_time_extras": {},
        "columns": list(columns),
        "metrics": [COUNT] if metrics is None else metrics,
        "annotation_layers": [],
        "row_limit": 10000,
        "series_limit": 0,
        "order_desc": True,
        "url_params": {},
        "custom_params": {},
        "custom_form_data": {},
    }
    return {**parts, **more}


def by_time(grain: str, *series: str, metrics: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    """The query of a line, area or bar chart: its rows are turned into a column for each series."""
    metrics = [COUNT] if metrics is None else metrics
    labels = [one["label"] for one in metrics]
    pivot = {
        "index": ["ts"],
        "columns": list(series),
        "aggregates": {label: {"operator": "mean"} for label in labels},
        "drop_missing_columns": False,
    }
    steps = [{"operation": "pivot", "options": pivot}, {"operation": "flatten"}]
    shape = {"series_columns": list(series), "granularity": "ts", "post_processing": steps}
    return query(
        axis(grain),
        *series,
        metrics=metrics,
        orderby=[[metrics[0], False]],
        **{"time_range": DAYS, **shape, **more},
    )
