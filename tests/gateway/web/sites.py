"""A console on a shop of its own, in a thread of the test, and a client without JavaScript."""

from __future__ import annotations

import asyncio
import html
import http.client
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from dpduck.answers.service import Service
from dpduck.answers.settings import Settings
from dpduck.doors.gateway.served_data import ServedData
from dpduck.doors.gateway.web.server import ConsoleOptions, serve_console
from dpduck.engines.duckdb.hardening import open_scratch
from dpduck.engines.duckdb.path import DataPath
from dpduck.engines.source import Source, open_version
from dpduck.kernel.ledger import Ledger, LoginChange, Role, open_ledger
from dpduck.kernel.ledger.session import Session
from tests.gateway.talking import catalogs_made_once
from tests.gateway.wiring import PASSWORD

COUNTS = "SELECT city, count(*) AS n FROM people GROUP BY city"


def add_login(ledger: Ledger, name: str, role: Role = Role.ANALYST, password: str = PASSWORD) -> None:
    from dpduck.doors.gateway.scram import salt_of, secret_of, verifier_of

    ledger.put_analyst(name, LoginChange(verifier_of(password, salt_of(name, secret_of(ledger))), role))


@dataclass
class Site:
    """A console that listens. `links`: the addresses that let in the owner, in the order they were shown."""

    address: str
    ledger: Ledger
    data: ServedData
    file: Path
    links: list[str] = field(default_factory=list)

    def client(self) -> Client:
        return Client(self.address)

    def as_analyst(self, name: str = "ana") -> Client:
        client = self.client()
        client.log_in(name)
        return client

    def as_owner(self) -> Client:
        client = self.client()
        client.get(urlsplit(self.links[-1]).path)
        return client

    @property
    def charges(self) -> int:
        return len(self.ledger.entries())


@contextmanager
def site_on(file: Path, epsilon: str | None = "0.5", **options: object) -> Iterator[Site]:
    """Serve a console while the block runs."""
    ledger = open_ledger(f"{file}.ledger")
    settings = Settings.parse(epsilon, None)

    def policies_of(source: Source) -> object:
        return Service(source, Session(ledger, "test"), settings, records=False).catalog()

    def accept(source: Source) -> None:
        Service(source, Session(ledger, "test"), settings).open()

    place = DataPath(str(file))
    with catalogs_made_once():
        data = ServedData(partial(open_version, place), policies_of, open_scratch(), accept)
    where = ConsoleOptions(port=0, signals=False, **{"quantum": 0.0, **options})
    ready, links, addresses = threading.Event(), [], []
    loop = asyncio.new_event_loop()

    def listens(address: str) -> None:
        addresses.append(address)
        ready.set()

    async def run() -> None:
        with suppress(asyncio.CancelledError):
            await serve_console(place, data, ledger, settings, where, listens, links.append)

    task = loop.create_task(run())
    thread = threading.Thread(target=loop.run_until_complete, args=(task,), daemon=True)
    thread.start()
    assert ready.wait(60)
    try:
        yield Site(addresses[0], ledger, data, file, links)
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(30)
        loop.close()
        data.close()
        ledger.close()


@dataclass
class Client:
    """A browser without JavaScript: cookies, forms and redirects. `heard`: all that came, as it came."""

    base: str
    cookies: dict[str, str] = field(default_factory=dict)
    status: int = 0
    text: str = ""
    path: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    set_cookies: list[str] = field(default_factory=list)
    heard: bytes = b""
    most_redirects: int = 5

    def get(self, path: str, **headers: str) -> str:
        return self._send("GET", path, None, headers)

    def head(self, path: str) -> str:
        return self._send("HEAD", path, None, {})

    def post(self, path: str, fields: dict[str, str], **headers: str) -> str:
        """Send fields, with the secret of the last page unless they have one."""
        given = fields if "csrf" in fields else {"csrf": self.hidden("csrf"), **fields}
        sent = {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.base, **headers}
        return self._send("POST", path, urlencode(given), sent)

    def log_in(self, name: str = "ana", password: str = PASSWORD, draft: str = "") -> str:
        self.get("/login")
        return self.post("/login", {"name": name, "password": password, "draft": draft})

    def run(self, sql: str = COUNTS, epsilon: str = "", number: str | None = None) -> str:
        if number is None:
            self.get("/")
        number = self.hidden("run") if number is None else number
        return self.post("/run", {"run": number, "sql": sql, "epsilon": epsilon})

    def price(self, sql: str, epsilon: str = "") -> str:
        return self.post("/price", {"sql": sql, "epsilon": epsilon}, Accept="application/json")

    def hidden(self, name: str) -> str:
        found = re.search(rf'name="{name}" value="([^"]*)"', self.text)
        assert found is not None, self.text
        return html.unescape(found[1])

    def words(self) -> str:
        """The text of the page."""
        return html.unescape(re.sub(r"<[^>]*>", " ", self.text))

    def _send(self, method: str, path: str, body: str | None, headers: dict[str, str], hops: int = 0) -> str:
        host = urlsplit(self.base).netloc
        connection = http.client.HTTPConnection(host, timeout=120)
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {**({"Cookie": cookies} if cookies else {}), **headers}
        connection.request(method, path.partition("#")[0], body, sent)
        reply = connection.getresponse()
        raw = reply.read()
        connection.close()
        self.status, self.path = reply.status, path
        self.headers = {name.lower(): value for name, value in reply.getheaders()}
        self.set_cookies = reply.headers.get_all("Set-Cookie") or []
        self.heard += str(reply.headers).encode() + raw
        for cookie in self.set_cookies:
            name, _, value = cookie.partition(";")[0].partition("=")
            if "Max-Age=0" in cookie:
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value
        where = self.headers.get("location")
        if self.status in (301, 302, 303, 307) and where and hops < self.most_redirects:
            return self._send("GET", where, None, {}, hops + 1)
        self.text = raw.decode()
        return self.text
