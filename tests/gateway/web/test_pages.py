"""The console as a browser without JavaScript finds it: forms, pages, roles, and what is charged."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

import duckdb
import pytest

import dpduck
from dpduck.answers.service import Service
from dpduck.doors.gateway.web import asking
from dpduck.kernel.ledger import Role, open_ledger
from tests.gateway.web.sites import COUNTS, Site, add_login, site_on
from tests.gateway.wiring import SECRET

PAGES = ("/", "/schema", "/schema?schema=main&table=people", "/budgets", "/history")
OVERSEERS = ("/policies", "/logins")


# --- logging in ----------------------------------------------------------------------------------


def test_nothing_is_shown_to_who_has_not_logged_in(site: Site) -> None:
    client = site.client()
    for path in (*PAGES, *OVERSEERS):
        client.get(path)
        assert client.path == "/login"
    client.post("/run", {"csrf": "x", "run": "1", "sql": COUNTS})
    assert client.status == 401
    assert site.charges == 0


def test_one_logs_in_and_out(site: Site) -> None:
    client = site.as_analyst()
    assert (client.status, client.path) == (200, "/")
    assert "ana" in client.words()
    before = dict(client.cookies)
    client.post("/logout", {})
    assert client.path == "/login"
    client.cookies = before
    client.get("/")
    assert client.path == "/login"


@pytest.mark.parametrize(("name", "password"), [("ana", "wrong password"), ("nobody", "wrong password")])
def test_a_wrong_password_is_refused_alike_for_all_names(site: Site, name: str, password: str) -> None:
    client = site.client()
    client.log_in(name, password)
    assert client.status == 401
    assert f"password authentication failed for user '{name}'" in client.words()
    assert "The name or the password is wrong." in client.words()
    assert [key for key in client.cookies if not key.endswith("-login")] == []


def test_too_many_wrong_passwords_are_turned_away(site: Site) -> None:
    """From one address, whatever the names: the delays are those of the gateway, which have own tests."""
    client = site.client()
    client.get("/login")
    form = {"csrf": client.hidden("csrf"), "draft": "", "password": "wrong password"}
    found: list[str] = []

    def attempt(number: int) -> None:
        other = site.client()
        other.cookies = dict(client.cookies)
        other.post("/login", {**form, "name": f"n{number}"})
        found.append(other.words())

    def attempts(numbers: range) -> None:
        threads = [threading.Thread(target=attempt, args=(number,)) for number in numbers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    attempts(range(40))  # which are all looked at, as they come at once
    attempts(range(40, 44))
    assert any("too many wrong passwords from this address" in words for words in found)


def test_the_link_of_the_terminal_lets_in_one_browser_once(site: Site) -> None:
    owner = site.as_owner()
    assert owner.path == "/"
    assert "data owner" in owner.words()
    assert len(site.links) == 2
    other = site.client()
    other.get(site.links[0].removeprefix(site.address))
    assert other.status == 401
    assert "this link is used up" in other.words()
    other.get(site.links[1].removeprefix(site.address))
    assert other.path == "/"


def test_a_look_at_the_link_does_not_use_it_up(site: Site) -> None:
    path = site.links[0].removeprefix(site.address)
    looking = site.client()
    looking.head(path)
    assert looking.status == 200
    assert not looking.cookies
    assert len(site.links) == 1
    owner = site.client()
    owner.get(path)
    assert owner.path == "/"


def test_a_summary_is_said_to_be_one(shop: Path) -> None:
    with dpduck.connect(shop, epsilon="0.5") as db:
        db.execute("CREATE PRIVACY SUMMARY by_city ON people (city) EPSILON 1")
    with site_on(shop) as site:
        client = site.as_analyst("ana")
        client.get("/schema?schema=main&table=by_city")
        assert "by_city summary" in " ".join(client.words().split())
        assert "Synthetic rows of a private summary" in client.words()
        client.get("/schema?schema=main&table=people")
        assert "Synthetic rows" not in client.words()


def test_a_cookie_is_for_the_console_alone(site: Site) -> None:
    client = site.as_analyst()
    client.get("/login")
    for cookie in client.set_cookies:
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie


def test_who_is_removed_or_has_another_role_is_out(site: Site) -> None:
    client, other = site.as_analyst(), site.as_analyst("eve")
    site.ledger.drop_analyst("ana")
    add_login(site.ledger, "eve", Role.AUDITOR)
    threading.Event().wait(2.2)
    for one in (client, other):
        one.get("/")
        assert one.path == "/login"


# --- asking --------------------------------------------------------------------------------------


def test_the_walk_without_javascript(site: Site) -> None:
    client = site.as_analyst()
    client.post("/price", {"sql": COUNTS, "epsilon": ""})
    assert "Costs epsilon 0.5 of" in client.words()
    assert site.charges == 0
    client.run()
    assert "Epsilon 0.5 was charged." in client.words()
    assert "aachen" in client.words()
    assert client.text.count('class="whisker"') == 3
    assert site.charges == 1
    client.run()
    assert "Free: paid for before." in client.words()
    client.get("/history")
    assert "Free: paid for before." in client.words()


def test_a_form_that_is_sent_twice_is_charged_once(site: Site) -> None:
    client = site.as_analyst()
    number = client.hidden("run")
    sql = f"{COUNTS}  -- again"
    client.post("/run", {"run": number, "sql": "SET dp_replay = off", "epsilon": ""})
    client.get("/")
    number = client.hidden("run")
    paths = []

    def send() -> None:
        other = site.client()
        other.cookies = dict(client.cookies)
        other.post("/run", {"csrf": client.hidden("csrf"), "run": number, "sql": sql, "epsilon": "0.25"})
        paths.append(other.path)

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(paths)) == 1
    assert paths[0].startswith("/answers/")
    assert site.charges == 1
    for _ in range(3):
        client.get(paths[0])
        assert "Epsilon 0.25 was charged." in client.words()
    assert site.charges == 1
    client.run(sql, "0.25")  # another form is another run
    assert site.charges == 2


def test_two_tabs_at_one_cap_spend_no_more_than_it(shop: Path) -> None:
    with dpduck.connect(shop) as owner:
        owner.execute("CREATE PRIVACY BUDGET small LIMIT 0.9 FOR ana")
    with site_on(shop) as site:
        client = site.as_analyst()
        client.run("SET dp_replay = off")
        client.get("/")
        csrf, numbers, words = client.hidden("csrf"), [f"tab{i}" for i in range(4)], []

        def send(number: str) -> None:
            other = site.client()
            other.cookies = dict(client.cookies)
            other.post("/run", {"csrf": csrf, "run": number, "sql": COUNTS, "epsilon": ""})
            words.append(other.words())

        threads = [threading.Thread(target=send, args=(number,)) for number in numbers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sum("Epsilon 0.5 was charged." in said for said in words) == 1
        assert sum("Nothing was charged." in said for said in words) == 3
        assert site.charges == 1
        client.post("/price", {"csrf": csrf, "sql": COUNTS, "epsilon": "0.6"})
        assert "that is more than is left" in client.words()


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("", "empty"),
        (COUNTS, "priced"),
        ("SELECT size FROM cities", "free"),
        ("SHOW PRIVACY", "free"),
        ("EXPLAIN " + COUNTS, "free"),
        ("SELECT nme FROM people", "wrong"),
        ("SELEC", "wrong"),
        ("SELECT name FROM people", "wrong"),
        ("ALTER TABLE people SET PUBLIC", "wrong"),
        ("'" * 1001, "wrong"),
    ],
)
def test_what_is_said_while_one_types(site: Site, sql: str, kind: str) -> None:
    client = site.as_analyst()
    assert json.loads(client.price(sql))["kind"] == kind
    assert site.charges == 0


def test_public_rows_are_free_and_come_page_by_page(site: Site) -> None:
    client = site.as_analyst()
    client.run("SELECT n FROM numbers ORDER BY n LIMIT 10000")
    assert "Free: no private row was read." in client.words()
    assert "Rows 1 to 100 of 10,000" in client.words()
    assert len(client.text) < 40_000
    where = client.path.partition("#")[0]
    client.get(f"{where}?page=100")
    assert "Rows 9,901 to 10,000 of 10,000" in client.words()
    client.get(f"{where}?page=999999")
    assert "Rows 9,901 to 10,000 of 10,000" in client.words()
    assert client.get(f"{where}.csv").count("\n") == 10_001


def test_settings_are_those_of_the_session(site: Site) -> None:
    client, other = site.as_analyst(), site.as_analyst()
    client.run("SET dp_epsilon = 0.125")
    client.get("/")
    assert "Costs epsilon 0.125" in json.loads(client.price(COUNTS))["html"]
    other.get("/")
    assert "Costs epsilon 0.5" in json.loads(other.price(COUNTS))["html"]
    client.run("RESET dp_epsilon")
    client.get("/")
    assert "Costs epsilon 0.5" in json.loads(client.price(COUNTS))["html"]


def test_an_answer_is_its_session_s_own(site: Site) -> None:
    client, other = site.as_analyst(), site.as_analyst("eve")
    client.run()
    other.get(client.path)
    assert other.status == 404
    other.get(f"{client.path.partition('#')[0]}.csv")
    assert other.status == 404


def test_a_statement_that_runs_can_be_stopped(site: Site) -> None:
    client = site.as_analyst()
    csrf = client.hidden("csrf")
    sql = "SELECT count(*) FROM numbers a, numbers b, numbers c WHERE a.n * b.n % 7 = c.n % 5"
    done = threading.Event()

    def send() -> None:
        client.post("/run", {"csrf": csrf, "run": "slow", "sql": sql, "epsilon": ""})
        done.set()

    threading.Thread(target=send).start()
    other = site.client()
    other.cookies = dict(client.cookies)
    while not done.is_set():
        other.post("/stop", {"csrf": csrf})
        done.wait(0.2)
    assert "canceling statement due to user request" in client.words()
    assert site.charges == 0


def test_a_price_that_takes_too_long_is_not_said(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(service: Service, sql: str, **_: object) -> None:
        time.sleep(0.5)
        service.interrupts.check()

    monkeypatch.setattr(asking, "_PRICE_SECONDS", 0.1)
    monkeypatch.setattr(Service, "explain", slow)
    assert "it takes too long to say what this would cost" in site.as_analyst().price(COUNTS)


def test_a_statement_that_takes_too_long_is_stopped(shop: Path) -> None:
    with site_on(shop, seconds=1.0) as site:
        client = site.as_analyst()
        client.run("SELECT count(*) FROM numbers a, numbers b, numbers c WHERE a.n * b.n % 7 = c.n % 5")
        assert "canceling statement due to statement timeout" in client.words()


# --- roles ---------------------------------------------------------------------------------------


def test_each_role_sees_what_it_may(site: Site) -> None:
    analyst, auditor, owner, here = (
        *(site.as_analyst(name) for name in ("ana", "aude", "olga")),
        site.as_owner(),
    )
    analyst.run()
    for path in OVERSEERS:
        analyst.get(path)
        assert analyst.status == 400
        assert "only owners and auditors see this" in analyst.words()
        for one in (auditor, owner, here):
            one.get(path)
            assert one.status == 200
    auditor.run()
    assert "an auditor is given no answers" in auditor.words()
    for one in (auditor, owner, here):
        one.get("/history")
        assert "of everybody" in one.words()
        assert COUNTS in one.words()
    assert site.charges == 1
    other = site.as_analyst("eve")
    other.get("/history")
    assert COUNTS not in other.words()


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/logins/add", {"name": "mallory", "password": "a long password", "role": "owner"}),
        ("/logins/remove", {"name": "ana"}),
        ("/policies/preview", {"statement": "ALTER TABLE people SET PUBLIC"}),
        ("/policies/apply", {"statement": "ALTER TABLE people SET PUBLIC FORCE"}),
    ],
)
@pytest.mark.parametrize("name", ["ana", "aude", "olga"])
def test_only_the_owner_where_the_data_are_changes_anything(
    site: Site, name: str, path: str, fields: dict[str, str]
) -> None:
    client = site.as_analyst(name)
    before = site.ledger.head()
    client.post(path, fields)
    assert client.status == 400
    assert "are changed where the data are" in client.words()
    assert site.ledger.head() == before


def test_the_owner_lets_people_in_and_out(site: Site) -> None:
    owner = site.as_owner()
    owner.get("/logins")
    owner.post("/logins/add", {"name": "neo", "password": "a long password", "role": "auditor"})
    assert "neo may log in." in owner.words()
    client = site.client()
    client.log_in("neo", "a long password")
    assert "auditor" in client.words()
    owner.post("/logins/remove", {"name": "neo"})
    assert "neo may log in no more." in owner.words()
    client.get("/")
    assert client.path == "/login"
    owner.post("/logins/add", {"name": "neo", "password": "short", "role": "analyst"})
    assert owner.status == 400
    assert "a password has from 8 to" in owner.words()


def test_the_owner_changes_a_policy_after_seeing_the_difference(site: Site) -> None:
    owner, analyst = site.as_owner(), site.as_analyst()
    analyst.price("SELECT avg(age) AS a FROM people")
    owner.get("/policies")
    statement = "ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 119)"
    head = site.ledger.head()
    owner.post("/policies/preview", {"statement": statement})
    assert "- people.age: BETWEEN (0, 89) STEP 1" in owner.words().replace("  ", " ")
    assert "+ people.age: BETWEEN (0, 119) STEP 1" in owner.words().replace("  ", " ")
    assert site.ledger.head() == head
    owner.post("/policies/apply", {"statement": statement})
    assert "The policies were changed." in owner.words()
    owner.get("/policies")
    assert "The policies were changed." not in owner.words()
    analyst.get("/schema?schema=main&table=people")
    assert "From 0 to 119." in analyst.words()
    site.ledger.verify()
    with duckdb.connect(str(site.file), read_only=True) as db:
        assert db.execute("SELECT count(*) FROM people").fetchone() == (600,)


def test_a_change_that_cannot_be_made_changes_nothing(site: Site) -> None:
    owner = site.as_owner()
    owner.get("/policies")
    before = site.file.read_bytes()
    for statement in ("SELECT 1", "ALTER TABLE nowhere SET PUBLIC", "ALTER TABLE people SET PUBLIC"):
        owner.post("/policies/apply", {"statement": statement})
        assert owner.status == 400
        assert site.file.read_bytes() == before
    assert [path.name for path in site.file.parent.glob(".*")] == []


def test_the_record_of_policies_shows_what_changed(site: Site) -> None:
    owner = site.as_owner()
    entry = next(one for one in site.ledger.policies() if "SET PRIVACY DOMAIN BETWEEN" in one.statement)
    owner.get(f"/policies/{entry.number}")
    assert "added: domain main.people.age" in " ".join(owner.words().split())
    owner.get("/policies/999999")
    assert owner.status == 400


# --- what may not leave --------------------------------------------------------------------------


def test_nothing_private_is_on_the_wire_before_its_charge(shop: Path) -> None:
    with duckdb.connect(str(shop)) as db:
        db.execute("INSERT INTO people VALUES (7000, 'Zaphodville', 41, 'n')")
    with site_on(shop) as site:
        clients = [site.as_analyst(name) for name in ("ana", "aude", "olga")] + [site.as_owner()]
        for client in clients:
            for path in (*PAGES, *OVERSEERS):
                client.get(path)
            client.get("/")
            for sql in (COUNTS, "SELECT name FROM people", "SELECT name, count(*) FROM people GROUP BY name"):
                client.price(sql)
                client.get("/")
                client.post("/complete", {"sql": f"{sql} WHERE name = '", "cursor": "99"})
                client.get("/")
        assert site.charges == 0
        clients[0].run("SELECT name, count(*) AS n FROM people WHERE id < 0 GROUP BY name", "0.5")
        for client in clients:
            assert SECRET.encode() not in client.heard
            assert b"Zaphodville" not in client.heard


def test_an_unexpected_failure_says_nothing(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    client = site.as_analyst()
    from dpduck.doors.gateway.web import schema_page

    def fails(*_: object) -> None:
        raise RuntimeError(SECRET)

    monkeypatch.setattr(schema_page, "privacy_rows", fails)
    client.get("/schema?schema=main&table=people")
    assert client.status == 500
    assert SECRET not in client.text
    assert "fault of dpduck itself" in client.text


def test_a_session_that_ends_keeps_the_statement_and_runs_nothing(shop: Path) -> None:
    with site_on(shop, idle=0.5) as site:
        client = site.as_analyst()
        number, csrf = client.hidden("run"), client.hidden("csrf")
        threading.Event().wait(0.8)
        assert "Your session has ended" in client.post(
            "/price", {"csrf": csrf, "sql": COUNTS, "epsilon": ""}, Accept="application/json"
        )
        assert client.status == 401
        client.post("/run", {"csrf": csrf, "run": number, "sql": COUNTS, "epsilon": ""})
        assert client.status == 401
        assert client.hidden("draft") == COUNTS
        assert site.charges == 0
        client.post(
            "/login", {"name": "ana", "password": "correct horse battery", "draft": client.hidden("draft")}
        )
        assert COUNTS in client.words()
        assert "Your statement was not run." in client.words()
        assert site.charges == 0


# --- script in names, keys and errors ------------------------------------------------------------

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>"


def test_script_in_names_keys_and_errors_is_text(tmp_path: Path) -> None:
    file = tmp_path / "odd.duckdb"
    quoted = SCRIPT.replace('"', '""')
    with duckdb.connect(str(file)) as db:
        db.execute(f'CREATE TABLE "{quoted}" (id BIGINT PRIMARY KEY, "{quoted}" VARCHAR)')
        db.execute(f'INSERT INTO "{quoted}" SELECT range, ? FROM range(2000)', [SCRIPT])
    with dpduck.connect(file) as owner:
        owner.execute(f'ALTER TABLE "{quoted}" ADD PRIVACY_KEY (id)')
        owner.execute(f'ALTER TABLE "{quoted}" ALTER COLUMN "{quoted}" SET PRIVACY DOMAIN IN (\'{SCRIPT}\')')
    with open_ledger(f"{file}.ledger") as ledger:
        add_login(ledger, "ana")
        add_login(ledger, SCRIPT)
    with site_on(file) as site:
        owner = site.as_owner()
        sql = f'SELECT "{quoted}" AS "{quoted}", count(*) AS "{quoted}n" FROM "{quoted}" GROUP BY ALL'
        owner.run(sql)
        assert "2000" in owner.words().replace(",", "") or "±" in owner.words()
        pages = [owner.text]
        pages.append(owner.run(f"SELECT '{SCRIPT}' FROM nowhere"))
        pages.append(owner.run(f'SELECT "{quoted}x" FROM "{quoted}"'))
        pages.append(owner.post("/price", {"sql": sql + SCRIPT, "epsilon": SCRIPT}))
        table = f"/schema?{urlencode({'schema': 'main', 'table': SCRIPT})}"
        paths = ("/schema", table, "/history", "/budgets", "/policies", "/logins")
        pages += [owner.get(path) for path in paths]
        owner.get("/policies")
        pages.append(owner.post("/policies/preview", {"statement": f'ALTER TABLE "{quoted}x" SET PUBLIC'}))
        log_in = site.client()
        pages.append(log_in.log_in(SCRIPT, "wrong password", draft=SCRIPT))
        for text in pages:
            assert "alert(1)" in text
            assert "<script>" not in text
            assert "<img" not in text
