"""What axe-core finds on a page. It is installed by npm, in a folder that NODE_PATH names."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from tests.gateway.web.chromium import Tab

SERIOUS = ("serious", "critical")


@cache
def axe() -> str:
    """The source of axe-core."""
    folders = [Path(folder) for folder in os.environ.get("NODE_PATH", "").split(":") if folder]
    places = [folder / "axe-core" / "axe.min.js" for folder in folders]
    found = next((place for place in places if place.exists()), None)
    if found is None:
        pytest.skip("axe-core is not there: npm install axe-core, and name its node_modules in NODE_PATH")
    return found.read_text(encoding="utf-8")


def serious_faults(tab: Tab) -> list[str]:
    """The faults that keep somebody out, each with the first element that has it."""
    tab.send("Page.setBypassCSP", enabled=True)
    tab.js(axe() + "; 0")
    tab.send("Page.setBypassCSP", enabled=False)
    faults = tab.js("axe.run(document).then(found => found.violations)")
    return [
        f"{fault['id']}: {fault['nodes'][0]['html']} {fault['nodes'][0]['failureSummary']}"
        for fault in faults
        if fault["impact"] in SERIOUS
    ]
