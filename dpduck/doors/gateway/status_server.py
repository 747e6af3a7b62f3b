"""The status of a server over HTTP: /healthz (is it alive), /readyz (would it answer), /metrics (Prometheus).

Both first are one constant word, with status 200 or 503, and say nothing of the data.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, make_wsgi_app
from prometheus_client.core import GaugeMetricFamily

from dpduck.kernel.errors import DpduckError
from dpduck.kernel.ledger import BudgetStatus

_MOST_QUIET = 30.0  # seconds without a sign of the event loop, which gives one several times a second

log = logging.getLogger("dpduck.gateway")

_Start = Callable[..., Any]
_App = Callable[[dict[str, Any], _Start], Iterable[bytes]]


class Status:
    """Whether a server is alive and ready. Input: raises DpduckError if nothing can be charged."""

    def __init__(self, check: Callable[[], object] = lambda: None) -> None:
        self._check = check
        self._alive = time.monotonic()
        self._listens = False

    def alive(self) -> None:
        """A sign of the event loop."""
        self._alive = time.monotonic()

    def listens(self, yes: bool) -> None:
        """The server listens, or is about to end."""
        self._listens = yes

    @property
    def is_healthy(self) -> bool:
        """Whether the event loop runs."""
        return time.monotonic() - self._alive < _MOST_QUIET

    @property
    def is_ready(self) -> bool:
        """Whether a query would be answered, as far as the server can tell."""
        if not (self._listens and self.is_healthy):
            return False
        try:
            self._check()
        except DpduckError:
            return False
        return True


class BudgetCollector:
    """The budgets as metrics, read when they are asked for. Input: reads them, or raises DpduckError."""

    def __init__(self, read: Callable[[], list[BudgetStatus]]) -> None:
        self._read = read

    def describe(self) -> list[GaugeMetricFamily]:
        """No names beforehand: else the ledger would be read when the collector is registered."""
        return []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Spent and left epsilon and delta by account, and whether the ledger can be read."""
        readable = GaugeMetricFamily("dpduck_ledger_readable", "Whether the ledger can be read")
        try:
            budgets = self._read()
        except DpduckError:
            budgets = None
        readable.add_metric([], float(budgets is not None))
        yield readable
        for quantity in ("epsilon", "delta"):
            for part, said in (("spent", "charged"), ("remaining", "left")):
                name = f"dpduck_{quantity}_{part}"
                text = f"{quantity.capitalize()} that is {said}, by account"
                family = GaugeMetricFamily(name, text, labels=["scope", "account", "period"])
                for budget in budgets or ():
                    amount = getattr(budget, f"{quantity}_{part}")
                    if amount is not None:
                        family.add_metric([budget.scope, budget.name, budget.period], float(amount))
                yield family


def serve_status(host: str, port: int, registry: CollectorRegistry, status: Status) -> int:
    """Serve the status over HTTP, in a thread. Output: the port."""
    server = make_server(host, port, _app(registry, status), _Server, _Silent)
    Thread(target=server.serve_forever, name="dpduck-status", daemon=True).start()
    return int(server.server_port)


def _app(registry: CollectorRegistry, status: Status) -> _App:
    metrics = make_wsgi_app(registry)

    def answer(environ: dict[str, Any], start: _Start) -> Iterable[bytes]:
        match environ.get("PATH_INFO"):
            case "/healthz":
                return _word(start, status.is_healthy)
            case "/readyz":
                return _word(start, status.is_ready)
            case "/metrics":
                return list(metrics(environ, start))
            case _:
                start("404 Not Found", [("Content-Type", "text/plain")])
                return [b"there are /healthz, /readyz and /metrics\n"]

    return answer


def _word(start: _Start, good: bool) -> list[bytes]:
    start("200 OK" if good else "503 Service Unavailable", [("Content-Type", "text/plain")])
    return [b"ok\n" if good else b"unavailable\n"]


class _Server(ThreadingMixIn, WSGIServer):
    """A thread for each request, so that a client that says nothing keeps nobody waiting."""

    daemon_threads = True


class _Silent(WSGIRequestHandler):
    """Logs no request."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: ARG002
        return
