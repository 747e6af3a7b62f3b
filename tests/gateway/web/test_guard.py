"""What is refused of a request before anything else, and what each response says to the browser."""

from __future__ import annotations

import re

import pytest

from dpduck.doors.gateway.web.guard import MOST_BYTES, Rates
from tests.gateway.web.sites import COUNTS, Site


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8650", "127.0.0.1.evil.example", "", "[::2]"])
def test_another_host_is_refused(site: Site, host: str) -> None:
    client = site.client()
    client.get("/login", Host=host)
    assert client.status == 421
    assert "csrf" not in client.text


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:99", "[::1]:7"])
def test_this_machine_by_any_of_its_names_is_not(site: Site, host: str) -> None:
    client = site.client()
    client.get("/login", Host=host)
    assert client.status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_post_from_another_site_is_refused(site: Site, headers: dict[str, str]) -> None:
    client = site.as_analyst()
    client.post("/run", {"run": client.hidden("run"), "sql": COUNTS, "epsilon": ""}, **headers)
    assert client.status == 403
    assert site.charges == 0


@pytest.mark.parametrize("csrf", ["", "wrong", "\ud83d\ude00"])
@pytest.mark.parametrize("path", ["/run", "/price", "/complete", "/stop", "/logout", "/policies/apply"])
def test_a_post_without_the_secret_of_the_session_is_refused(site: Site, path: str, csrf: str) -> None:
    client, other = site.as_analyst(), site.as_analyst("eve")
    for secret in (csrf.encode("utf-16", "surrogatepass").decode("utf-16"), other.hidden("csrf")):
        client.post(path, {"csrf": secret, "run": "1", "sql": COUNTS, "epsilon": ""})
        assert client.status == 403
    client.get("/")
    assert client.path == "/"
    assert site.charges == 0


def test_a_log_in_that_another_site_sends_is_refused(site: Site) -> None:
    client = site.client()
    client.get("/login")
    for csrf in ("", "wrong"):
        client.post("/login", {"csrf": csrf, "name": "ana", "password": "correct horse battery", "draft": ""})
        assert client.status == 403
    secret = client.hidden("csrf")
    client.cookies = {}
    client.post("/login", {"csrf": secret, "name": "ana", "password": "correct horse battery", "draft": ""})
    assert client.status == 403


def test_a_get_changes_nothing(site: Site) -> None:
    client = site.as_analyst()
    for path in ("/run", "/price", "/stop", "/logout", "/logins/add", "/policies/apply"):
        client.get(path)
        assert client.status == 405
    client.get("/")
    assert client.path == "/"


@pytest.mark.parametrize("path", ["/login", "/", "/static/console.css", "/static/nothing", "/nowhere"])
def test_each_response_says_what_the_browser_may_load(site: Site, path: str) -> None:
    client = site.as_analyst()
    client.get(path)
    policy = client.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert client.headers["x-content-type-options"] == "nosniff"
    kept = "no-cache" if path.startswith("/static/") else "no-store"  # asked for again each time, or not kept
    assert client.headers["cache-control"] == kept
    assert "server" not in client.headers


def test_pages_have_no_inline_script_or_style(site: Site) -> None:
    owner = site.as_owner()
    owner.run()
    for path in (
        owner.path,
        "/schema?schema=main&table=people",
        "/budgets",
        "/history",
        "/policies",
        "/logins",
    ):
        text = owner.get(path)
        assert " style=" not in text
        assert "<style" not in text
        assert re.search(r"<[^>]*\son\w+=", text) is None
        assert text.count("<script") == text.count('<script type="module" src="/static/console.js">') == 1


def test_what_is_too_large_is_refused(site: Site) -> None:
    client = site.as_analyst()
    client.post("/price", {"sql": "x" * (MOST_BYTES + 1), "epsilon": ""})
    assert client.status == 413
    client.get("/schema?table=" + "x" * 5000)
    assert client.status == 414


def test_an_address_that_asks_too_much_waits() -> None:
    now = [0.0]
    rates = Rates(1.0, 3, lambda: now[0])
    assert [rates.take("a") for _ in range(5)] == [True, True, True, True, False]
    assert rates.take("b")
    now[0] += 2.0
    assert rates.take("a")
