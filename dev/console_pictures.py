"""Draw the pictures of docs/CONSOLE.md: the console on a small shop, at two widths, light and dark.

    python dev/console_pictures.py

It needs Chromium and the packages of the extra `integration`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import duckdb
from PIL import Image

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import dpduck  # noqa: E402
from dpduck.kernel.ledger import open_ledger  # noqa: E402
from tests.gateway.web.chromium import Browser, Tab, chromium  # noqa: E402
from tests.gateway.web.sites import Site, add_login, site_on  # noqa: E402
from tests.gateway.wiring import PASSWORD  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
SHOP = """
CREATE TABLE visitors AS
    SELECT range AS id, ['north', 'south', 'east', 'west'][1 + range * range % 7 % 4] AS region,
        18 + range % 60 AS age
    FROM range(20000);
ALTER TABLE visitors ADD PRIMARY KEY (id);
CREATE TABLE visits AS
    SELECT (i * 7919) % 20000 AS visitor, ['home', 'news', 'shop', 'help', 'jobs', 'press'][
            1 + CAST(floor(6 * pow((i * 104729 % 100003) / 100003, 2)) AS INTEGER)] AS page,
        DATE '2026-10-01' + CAST(floor(31 * (i * 15485863 % 1000003) / 1000003
            + 3 * sin(i % 31)) % 31 AS INTEGER) AS day
    FROM range(90000) AS r(i)
"""
POLICIES = """
ALTER TABLE visitors ADD PRIVACY_KEY (id);
ALTER TABLE visitors ALTER COLUMN region SET PRIVACY DOMAIN IN ('north', 'south', 'east', 'west');
ALTER TABLE visitors ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 119);
ALTER TABLE visits ADD PRIVACY_LINK (visitor) REFERENCES visitors (id);
ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 20);
ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('home', 'news', 'shop', 'help', 'jobs', 'press');
ALTER TABLE visits ALTER COLUMN day SET PRIVACY DOMAIN BETWEEN ('2026-10-01', '2026-10-31');
CREATE PRIVACY BUDGET everyone LIMIT 10;
CREATE PRIVACY BUDGET weekly LIMIT 3 WINDOW 'week' FOR ana
"""
BY_PAGE = (
    "SELECT page, count(DISTINCT visitor) AS visitors\nFROM visits\nGROUP BY page\nORDER BY visitors DESC"
)
BY_DAY = "SELECT day, count(DISTINCT visitor) AS visitors\nFROM visits\nGROUP BY day\nORDER BY day"
LOOKS = {
    "desktop": (1440, False),
    "desktop-dark": (1440, True),
    "phone": (390, False),
    "phone-dark": (390, True),
}

# Of most pages some looks are enough.
LOOKS_OF = {
    "login": ("phone",),
    "days": ("desktop", "phone-dark"),
    "error": ("desktop",),
    "schema": ("desktop", "phone-dark"),
    "history": ("desktop-dark", "phone"),
    "policies": ("desktop", "phone-dark"),
    "logins": ("desktop",),
    "owner-budgets": (),
}


def make_shop(folder: Path) -> Path:
    """The database, its policies and its analyst."""
    file = folder / "shop.duckdb"
    with duckdb.connect(str(file)) as db:
        db.execute(SHOP)
    with dpduck.connect(file) as owner:
        for statement in POLICIES.split(";"):
            owner.execute(statement)
    with open_ledger(f"{file}.ledger") as ledger:
        add_login(ledger, "ana")
    return file


def ask(tab: Tab, sql: str) -> None:
    """Type a statement and run it."""
    tab.click(".code")
    tab.press("a", control=True)
    tab.type(sql)
    tab.until("document.querySelector('#price p')")
    before = tab.js("document.forms.ask.elements.run.value")
    tab.press("Enter", control=True)
    tab.until(f"document.forms.ask.elements.run.value !== '{before}'")
    tab.until("document.querySelector('#price p')")


def draw(tab: Tab, name: str) -> None:
    """The page as it is, in each look."""
    for look, (width, dark) in LOOKS.items():
        if look not in LOOKS_OF.get(name, LOOKS):
            continue
        tab.size(width, 900 if width > 600 else 844, dark=dark)
        tab.js("scrollTo(0, 0); new Promise(done => setTimeout(done, 300))")
        place = PICTURES / f"console-{name}-{look}.png"
        tab.picture(place)
        Image.open(place).convert("RGB").quantize(64).save(place, optimize=True)
    tab.size(1440, 900)


def walk(site: Site, browser: Browser) -> None:
    """Log in as the analyst and then as the owner, and draw each page."""
    tab = browser.tab()
    tab.size(1440, 700)
    tab.open(f"{site.address}/login")
    draw(tab, "login")
    tab.fill("#name", "ana")
    tab.fill("#password", PASSWORD)
    tab.press("Enter")
    tab.until("location.pathname === '/' && document.querySelector('.code')")
    ask(tab, BY_PAGE)
    draw(tab, "ask")
    ask(tab, BY_DAY)
    draw(tab, "days")
    ask(tab, "SELECT avg(agee) AS a FROM visitors")
    draw(tab, "error")
    for name, path in {
        "schema": "/schema?schema=main&table=visits",
        "budgets": "/budgets",
        "history": "/history",
    }.items():
        tab.open(f"{site.address}{path}")
        draw(tab, name)
    owner = browser.tab()
    owner.size(1440, 700)
    owner.open(site.links[-1])
    owner.open(f"{site.address}/policies")
    owner.fill("#statement", "ALTER TABLE visitors ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (18, 99)")
    owner.click("main form button.main")
    owner.until("document.querySelector('#difference')")
    draw(owner, "policies")
    owner.open(f"{site.address}/logins")
    draw(owner, "logins")
    owner.open(f"{site.address}/budgets")
    draw(owner, "owner-budgets")


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        made = make_shop(Path(scratch))
        with site_on(made) as opened, chromium() as started:
            walk(opened, started)
