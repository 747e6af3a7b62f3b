"""The console in a real browser: a day of an analyst and of the owner, and what goes wrong in one."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import dpduck
from tests.gateway.web.accessible import serious_faults
from tests.gateway.web.chromium import BROWSER, Browser, Tab, chromium
from tests.gateway.web.sites import COUNTS, Site, site_on
from tests.gateway.wiring import PASSWORD

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")

PRICED = "document.querySelector('#price').innerText.includes('osts epsilon')"
ANSWERED = "document.querySelector('#answer .cost') && location.pathname.startsWith('/answers/')"
# When the last key was pressed, and when the cost stood there.
STOPWATCH = """
    window.watch = new Promise(done => {
        let typed = 0;
        document.querySelector('#sql').addEventListener('input', () => typed = performance.now());
        document.querySelector('.code').addEventListener('keyup', () => typed = performance.now(), true);
        new MutationObserver(() => done(performance.now() - typed)).observe(
            document.querySelector('#price'), {childList: true, subtree: true});
    }); 0
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


def logged_in(browser: Browser, site: Site, name: str = "ana") -> Tab:
    tab = browser.tab()
    tab.size(1440)
    tab.open(f"{site.address}/login")
    tab.fill("#name", name)
    tab.fill("#password", PASSWORD)
    tab.press("Enter")
    tab.until("location.pathname === '/' && document.querySelector('.code')")
    return tab


def write(tab: Tab, sql: str) -> None:
    """Type a statement in place of what is in the editor."""
    tab.click(".code")
    tab.until("document.activeElement.matches('.code')")
    tab.press("a", control=True)
    tab.type(sql)
    tab.until(f"document.forms.ask.elements.sql.value === {json.dumps(sql)}")


def run_by_key(tab: Tab) -> None:
    """Press Control and Enter, and wait for what comes of it."""
    before = tab.js("document.forms.ask.elements.run.value")
    tab.press("Enter", control=True)
    tab.until(f"document.forms.ask.elements.run.value !== '{before}'")


def test_the_walk(shop: Path, browser: Browser) -> None:
    with dpduck.connect(shop) as owner:
        owner.execute("CREATE PRIVACY BUDGET small LIMIT 1.2 FOR ana")
    with site_on(shop) as site:
        tab = logged_in(browser, site)
        tab.js(STOPWATCH)
        write(tab, COUNTS)
        for key in "  ":
            tab.press(key)
        tab.until(PRICED)
        print(f"the cost stood there {tab.js('window.watch'):.0f} ms after the last key")
        assert site.charges == 0
        tab.click("#go")
        tab.until(ANSWERED)
        assert "Epsilon 0.5 was charged." in tab.text()
        assert tab.js("document.querySelectorAll('#answer .whisker').length") == 3
        assert "±" in tab.js("document.querySelector('#answer table').innerText")
        tab.until("document.querySelector('#price').innerText.includes('nswered before')")
        where = tab.js("location.href")
        tab.open(where)  # as a reload does
        tab.until(f"{ANSWERED} && document.querySelector('.code')")
        assert site.charges == 1

        write(tab, "SELECT count(*) AS n FROM people WHERE age < 30")
        tab.until("document.querySelector('#price .dear')")  # more than a fifth of what is left
        run_by_key(tab)
        write(tab, "SELECT avg(age) AS a FROM people")
        tab.until("document.querySelector('#price .short')")
        run_by_key(tab)
        assert "only 0.2 remains" in tab.text()
        assert "Nothing was charged." in tab.text()
        assert site.charges == 2

        for path, words in {"schema": "Choose a table", "budgets": "small", "history": "of yours"}.items():
            tab.click(f"header a[href='/{path}']")
            tab.until(f"location.pathname === '/{path}' && document.readyState === 'complete'")
            assert words in tab.text()
        tab.click("header form button")
        tab.until("location.pathname === '/login'")
        tab.open(where)
        tab.until("location.pathname === '/login'")
        assert tab.complaints() == []


def test_errors_and_completion_come_while_one_types(site: Site, browser: Browser) -> None:
    tab = logged_in(browser, site)
    write(tab, "SELECT nme FROM people")
    tab.until("document.querySelector('#price .wrong')")
    assert "table people has no column nme" in tab.text()
    write(tab, "SELECT ci")
    for key in "t":
        tab.press(key)
    shadow = "document.querySelector('.code').shadowRoot"
    tab.until(f"{shadow}.querySelector('.cm-tooltip-autocomplete li')")
    assert "city" in tab.js(f"{shadow}.querySelector('.cm-tooltip-autocomplete').innerText")
    threading.Event().wait(0.5)  # a list that has just come takes no key, so that none is taken by mistake
    tab.press("Enter")
    tab.until("document.querySelector('#sql').value === 'SELECT city'")
    assert site.charges == 0
    assert tab.complaints() == []


def test_a_double_click_is_one_charge(site: Site, browser: Browser) -> None:
    tab = logged_in(browser, site)
    write(tab, "SET dp_replay = off")
    tab.press("Enter", control=True)
    tab.until(ANSWERED)
    write(tab, COUNTS)
    tab.js("for (const _ of [1, 2, 3]) document.querySelector('#go').click()")
    tab.until("document.querySelector('#answer .whisker')")
    assert site.charges == 1


def test_two_tabs_at_one_cap(shop: Path, browser: Browser) -> None:
    with dpduck.connect(shop) as owner:
        owner.execute("CREATE PRIVACY BUDGET small LIMIT 0.6 FOR ana")
    with site_on(shop) as site:
        first = logged_in(browser, site)
        second = browser.tab(beside=first)
        second.size(1440)
        second.open(site.address)
        second.until("document.querySelector('.code')")
        write(first, COUNTS)
        write(second, "SELECT count(*) AS n FROM people WHERE age < 30")  # no part of the other
        for tab in (first, second):
            tab.js("document.querySelector('#go').click()")
        for tab in (first, second):
            tab.until("document.querySelector('#answer .cost, #answer .wrong')")
        assert site.charges == 1
        assert sum("Epsilon 0.5 was charged." in tab.text() for tab in (first, second)) == 1


def test_a_session_that_ends_while_one_types(shop: Path, browser: Browser) -> None:
    with site_on(shop, idle=2.0) as site:
        tab = logged_in(browser, site)
        write(tab, COUNTS)
        tab.until(PRICED)
        threading.Event().wait(2.5)
        tab.press(" ")
        tab.until("document.querySelector('#price button')")
        assert "Your session has ended. Nothing was charged" in tab.text()
        tab.click("#price button")
        tab.until("document.querySelector('#login')")
        assert site.charges == 0
        tab.fill("#name", "ana")
        tab.fill("#password", PASSWORD)
        tab.press("Enter")
        tab.until(f"document.querySelector('.code') && {PRICED}")
        assert tab.js("document.querySelector('#sql').value").strip() == COUNTS
        assert site.charges == 0


def test_without_javascript(site: Site, browser: Browser) -> None:
    tab = browser.tab()
    tab.size(390)
    tab.send("Emulation.setScriptExecutionDisabled", value=True)
    tab.open(f"{site.address}/login")
    tab.fill("#name", "ana")
    tab.fill("#password", PASSWORD)
    tab.press("Enter")
    tab.until("document.querySelector('#ask-price')")
    assert tab.js("document.querySelector('.code') === null")
    tab.fill("#sql", COUNTS)
    tab.click("#ask-price")
    tab.until(f"document.readyState === 'complete' && {PRICED}")
    assert site.charges == 0
    tab.click("#go")
    tab.until(ANSWERED)
    assert "Epsilon 0.5 was charged." in tab.text()
    assert site.charges == 1


def test_the_keyboard_alone_is_enough(site: Site, browser: Browser) -> None:
    tab = logged_in(browser, site)
    tab.js("document.querySelector('.skip').focus()")
    seen = []
    for _ in range(14):
        tab.press("Tab")
        seen.append(tab.js("(e => e.id || e.className || e.innerText)(document.activeElement)"))
        if seen[-1] == "code":
            tab.press("Escape")
    assert seen.index("code") < seen.index("go") < seen.index("epsilon")


def test_a_page_of_another_site_cannot_ask(site: Site, browser: Browser) -> None:
    tab = logged_in(browser, site)
    secret = tab.js("document.forms.ask.elements.csrf.value")
    other = browser.tab(beside=tab)
    other.open("data:text/html,<title>evil</title>")
    other.js(
        f"""const f = document.createElement('form'); f.method = 'post'; f.action = '{site.address}/run';
        for (const [name, value] of [['csrf', '{secret}'], ['run', '1'], ['sql', '{COUNTS}']]) {{
            const i = document.createElement('input'); i.name = name; i.value = value; f.append(i); }}
        document.body.append(f); f.submit(); 0"""
    )
    other.until("document.body && document.body.innerText.includes('another site')")
    assert site.charges == 0


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_no_serious_fault_of_accessibility(shop: Path, browser: Browser, width: int, *, dark: bool) -> None:
    with site_on(shop) as site:
        tab = browser.tab()
        tab.size(width, dark=dark)
        tab.open(f"{site.address}/login")
        assert serious_faults(tab) == []
        tab.open(site.links[-1])
        tab.until("document.querySelector('.code')")
        write(tab, COUNTS)
        tab.press("Enter", control=True)
        tab.until(ANSWERED)
        assert serious_faults(tab) == []
        write(tab, "SELECT nme FROM people")
        tab.until("document.querySelector('#price .wrong')")
        assert serious_faults(tab) == []
        for path in ("/schema?schema=main&table=people", "/budgets", "/history", "/policies", "/logins"):
            tab.open(f"{site.address}{path}")
            assert serious_faults(tab) == [], path
            assert tab.js("document.documentElement.scrollWidth") <= width, path
        tab.fill("#name", "x")
        tab.open(f"{site.address}/policies")
        tab.fill("#statement", "ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 119)")
        tab.click("main form button.main")
        tab.until("document.querySelector('#difference')")
        assert serious_faults(tab) == []
