"""Dashboards: where their charts are, and what a browser shows of them."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.page.test_browser import BROWSER


def positions(charts: Sequence[int]) -> dict[str, Any]:
    """Where charts are on a dashboard of rows of two."""
    rows = [charts[place : place + 2] for place in range(0, len(charts), 2)]
    names = [f"ROW-{number}" for number in range(len(rows))]
    found: dict[str, Any] = {
        "DASHBOARD_VERSION_KEY": "v2",
        "ROOT_ID": {"type": "ROOT", "id": "ROOT_ID", "children": ["GRID_ID"]},
        "GRID_ID": {"type": "GRID", "id": "GRID_ID", "children": names, "parents": ["ROOT_ID"]},
    }
    for name, row in zip(names, rows, strict=True):
        parts = [f"CHART-{chart}" for chart in row]
        found[name] = {
            "type": "ROW", "id": name, "children": parts, "parents": ["ROOT_ID", "GRID_ID"],
            "meta": {"background": "BACKGROUND_TRANSPARENT"},
        }  # fmt: skip
        for part, chart in zip(parts, row, strict=True):
            found[part] = {
                "type": "CHART", "id": part, "children": [], "parents": ["ROOT_ID", "GRID_ID", name],
                "meta": {"chartId": chart, "width": 6, "height": 40},
            }  # fmt: skip
    return found


def opened(url: str, picture: Path) -> str:
    """The text of a page when its charts are drawn, and a picture of it."""
    options = (
        *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
        *("--disable-background-networking", "--window-size=1200,900", "--virtual-time-budget=60000"),
        *(f"--user-data-dir={picture.parent}/profile", f"--screenshot={picture}", "--dump-dom"),
    )
    done = subprocess.run([str(BROWSER), *options, url], capture_output=True, timeout=300, check=True)
    return done.stdout.decode()
