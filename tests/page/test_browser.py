"""The page in a real browser: it asks for nothing, and its text is there."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from dpduck.doors.page.budgets import make_page
from dpduck.kernel.ledger import Account, open_ledger
from tests.charges import PEOPLE, TABLE, spend
from tests.page.test_page import SCRIPT, facts

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
OPTIONS = (
    "--headless",
    "--no-sandbox",  # which a container cannot have; the page is our own
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--virtual-time-budget=2000",  # milliseconds for whatever might still load
)
# Each asks for something, which shows that the test would see it.
RESTLESS = {
    "a picture": '<img src="http://127.0.0.1:9/picture.png">',
    "a script": "<script>fetch('http://127.0.0.1:9/data')</script>",
    "a style": "<style>@import url(http://127.0.0.1:9/style.css);</style>",
    "a drawing": '<svg><image href="http://127.0.0.1:9/drawing.svg"/></svg>',
}

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")


def opened(html: str, folder: Path) -> tuple[str, list[str]]:
    """The document after the browser has loaded it, and the addresses that it asked for."""
    page, log = folder / "page.html", folder / "log.json"
    page.write_text(html, encoding="utf-8")
    done = subprocess.run(
        [
            str(BROWSER),
            *OPTIONS,
            f"--user-data-dir={folder}/profile",
            f"--log-net-log={log}",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        timeout=120,
        check=True,
    )
    events = [event.get("params", {}) for event in json.loads(log.read_text(encoding="utf-8"))["events"]]
    # What the browser asks for on its own account belongs to no page.
    asked = [e["url"] for e in events if "url" in e and "file://" in e.get("network_isolation_key", "")]
    return done.stdout.decode(), asked


@pytest.fixture(scope="module")
def html() -> str:
    with open_ledger(None) as ledger:
        spend(ledger, 40, "1")
        spend(ledger, 3, "0.5", PEOPLE, TABLE, Account("session", SCRIPT), analyst=SCRIPT, query=SCRIPT)
        return make_page(facts(ledger))


def test_it_asks_for_nothing_and_shows_its_text(html: str, tmp_path: Path) -> None:
    document, asked = opened(html, tmp_path)
    assert asked == []
    assert "Privacy budget of <bdi>shop.duckdb</bdi>" in document
    assert "<bdi>&lt;script&gt;alert('ana')&lt;/script&gt;</bdi>" in document
    assert "<script" not in document
    assert "the last 30 days: 1 charge, epsilon 0.017 a day" in document
    assert ">cap 10</text>" in document


@pytest.mark.parametrize("restless", RESTLESS.values(), ids=RESTLESS)
def test_a_request_would_be_seen(restless: str, tmp_path: Path) -> None:
    _, asked = opened(f"<!DOCTYPE html><p>Hello{restless}", tmp_path)
    assert len(asked) == 1
    assert asked[0].startswith("http://127.0.0.1:9/")


@pytest.mark.parametrize("restless", RESTLESS.values(), ids=RESTLESS)
def test_and_the_page_would_not_let_it_out(html: str, restless: str, tmp_path: Path) -> None:
    _, asked = opened(html.replace("</main>", f"{restless}</main>"), tmp_path)
    assert asked == []
