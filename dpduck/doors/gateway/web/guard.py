"""What is checked of each request before anything else, and what each response says to the browser.

- *Host*: a name that the console is not reached by is refused. Else a page of another site could have its own
  name resolve to this machine, and read what the console says (DNS rebinding).
- *Origin*: what changes something comes from a page of the console itself; with it comes a secret of the
  session, which `app` compares.
- *Size* and *rate*: a request has a bounded body, and each address a number of requests in a time.
- The response lets the browser load nothing from elsewhere, run no script but the console's files, show it in
  no other page, and keep nothing.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dpduck.doors.gateway.login_delays import Debts
from dpduck.doors.gateway.telemetry import log

MOST_BYTES = 1024 * 1024  # of a body
_MOST_ADDRESS = 4_096  # characters of a path with its query
_SAME_SITE = ("same-origin", "none")  # what browsers call requests of the console's own pages
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class TooLargeError(Exception):
    """The body of a request is larger than `MOST_BYTES`."""


@dataclass
class Rates:
    """How many requests an address may make: `free` at once, then one in `seconds`."""

    seconds: float = 0.005
    free: int = 600
    clock: Callable[[], float] = time.monotonic
    _debts: Debts = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._debts = Debts(self.seconds, self.free, 10.0, self.clock, secrets.token_bytes(32))

    def take(self, address: str, count: int = 1) -> bool:
        """Count a request. Input: as how many. Output: whether it may be answered."""
        if self._debts.wait(address):
            return False
        for _ in range(count):
            self._debts.add(address)
        return True


class Guard:
    """Middleware around the console.

    Input: `hosts`: the names by which it is reached, without ports; `rates`: by address.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str], rates: Rates | None = None) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._rates = rates or Rates()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request of ASGI."""
        if scope["type"] != "http":
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, _with_headers(send))
            return
        try:
            kept = "no-cache" if scope["path"].startswith("/static/") else "no-store"
            await self._app(scope, _bounded(receive), _with_headers(send, kept))
        except TooLargeError:
            await _said(413, "The request is too large.")(scope, receive, _with_headers(send))
        except Exception as error:  # it was answered; its text may quote a private value
            log.error("a request of the console failed with %s", type(error).__name__)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if _name_of(host) not in self._hosts:
            return _said(421, "This console is not reached by that name. --allow-host adds one.")
        if len(scope["path"]) + len(scope["query_string"]) > _MOST_ADDRESS:
            return _said(414, "The address is too long.")
        if declared(headers) > MOST_BYTES:
            return _said(413, "The request is too large.")
        if scope["method"] not in ("GET", "HEAD") and not _is_own(headers, host):
            return _said(403, "The request comes from a page of another site. Nothing was done.")
        client = scope.get("client")
        if not self._rates.take("" if client is None else client[0]):
            return _said(429, "There were too many requests. Try again in a moment.")
        return None


def _is_own(headers: Mapping[str, str], host: str) -> bool:
    """Whether a page of the console sent it, as far as the browser tells; all present ones do."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None and site not in _SAME_SITE:
        return False
    return origin is None or urlsplit(origin).netloc.lower() == host.lower()


def _name_of(host: str) -> str:
    """A Host header without its port.

    >>> _name_of("LocalHost:8000"), _name_of("[::1]:80"), _name_of("::1")
    ('localhost', '::1', '::1')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.lower() if host.count(":") > 1 else host.partition(":")[0].lower()


def declared(headers: Mapping[str, str]) -> int:
    """How many bytes of a body a request announces: the most that it may have, if it does not say."""
    text = headers.get("content-length", str(MOST_BYTES) if "transfer-encoding" in headers else "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else MOST_BYTES + 1


def _bounded(receive: Receive) -> Receive:
    """The same body, up to a size. Errors: TooLargeError."""
    size = 0

    async def receive_some() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > MOST_BYTES:
            raise TooLargeError
        return message

    return receive_some


def _with_headers(send: Send, kept: str = "no-store") -> Send:
    """The same with the headers of every response. Input: what the browser may keep."""

    async def send_more(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            headers["Cache-Control"] = kept
        await send(message)

    return send_more


def _said(status: int, text: str) -> PlainTextResponse:
    return PlainTextResponse(f"{text}\n", status)
