"""The console as a server of its own: it listens, says where, and ends when it is told to."""

from __future__ import annotations

import asyncio
import secrets
import signal
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, cast

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from dpduck.answers.settings import Settings
from dpduck.doors.gateway.limits import ServerLimits
from dpduck.doors.gateway.room import ServerRoom, stranger
from dpduck.doors.gateway.served_data import ServedData
from dpduck.doors.gateway.server import Gateway
from dpduck.doors.gateway.shares import HALVES, Shares
from dpduck.doors.gateway.telemetry import Telemetry, log
from dpduck.doors.gateway.web.app import Console
from dpduck.doors.gateway.web.asking import Asking
from dpduck.doors.gateway.web.logins import OneTimeLinks, PasswordLogins
from dpduck.doors.gateway.web.visitors import Visitors
from dpduck.engines.duckdb.path import DataPath
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.ledger import Ledger
from dpduck.kernel.system.python_turns import switch_often

_READY_SECONDS = 0.02
_GRACE_SECONDS = 5
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class ConsoleOptions:
    """How the console is reached, and what it bears.

    `port`: 0 takes any; `names`: further names by which browsers reach it; `owner`: whether the terminal
    shows a link for the owner; `idle`: seconds without a request after which one must log in again;
    `quantum`, `seconds`: as of the gateway; `limits`: what is shared, unless it is beside a gateway;
    `signals`: whether it ends on SIGTERM and SIGINT.
    """

    host: str = "127.0.0.1"
    port: int = 8650
    names: tuple[str, ...] = ()
    certificate: Path | None = None
    key: Path | None = None
    owner: bool = True
    idle: float = 1_800.0
    quantum: float = 0.05
    seconds: float = 300.0
    budget: Fraction | None = None
    limits: ServerLimits = field(default_factory=ServerLimits)
    signals: bool = True


class _WebServer(uvicorn.Server):
    """A server whose signals are handled by who runs it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals as they are."""
        yield


async def serve_console(
    place: DataPath,
    data: ServedData,
    ledger: Ledger,
    settings: Settings,
    options: ConsoleOptions,
    ready: Callable[[str], None],
    show_link: Callable[[str], None],
    beside: Gateway | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT, or until the task is cancelled.

    Input: `ready`: called with the address once it listens; `show_link`: with each address that lets in the
        owner, once; `beside`: a gateway that runs in the same process, counts wrong passwords with the
        console, and handles the signals. Errors: OSError if the address is not available; LedgerError.
    """
    loop = asyncio.get_running_loop()
    await _check_address(options)
    switch_often()
    room = ServerRoom(options.limits) if beside is None else beside.room
    telemetry = Telemetry() if beside is None else beside.telemetry
    asking = Asking(
        data,
        room.statements,
        quantum=options.quantum,
        seconds=options.seconds,
        charged=telemetry.look_at_budgets,
    )
    delays = None if beside is None else beside.login_delays
    visitors = Visitors(ledger, settings, options.budget, idle=options.idle)
    secure = options.certificate is not None
    console = Console(
        place,
        ledger,
        asking,
        visitors,
        PasswordLogins(ledger, telemetry, lambda peer, work: room.doors.run(stranger(peer), work), delays),
        room,
        secure=secure,
        hosts=(*LOOPBACK, options.host, *options.names),
        # Browsers send cookies to all ports of a host, so each console has a name of its own for its cookie.
        cookie=f"{'__Host-' if secure else ''}dpduck-{secrets.token_hex(4)}",
    )
    server = _WebServer(_configuration(console, options))
    task = loop.create_task(server.serve())
    try:
        address = await _address(server, task, options)
        if options.owner:
            console.links = OneTimeLinks(lambda token: show_link(f"{address}/open/{token}"))
        for number in () if beside is not None or not options.signals else (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, lambda: setattr(server, "should_exit", True))
        if beside is None and options.signals:
            loop.add_signal_handler(signal.SIGHUP, lambda: loop.run_in_executor(None, _reload, data))
        ready(address)
        await asyncio.shield(task)
    finally:
        server.should_exit = True
        visitors.stop_all()
        with suppress(Exception):
            await task
        if beside is None:
            room.close()


def _reload(data: ServedData) -> None:
    """Go over to the file that is there now, as the gateway does on SIGHUP."""
    try:
        data.reload()
    except DpduckError as error:
        why = " ".join(filter(None, (f"{error.message}.", error.reason)))
        log.error("the data were not reloaded: %s", ascii(why)[1:-1])


def _configuration(console: Console, options: ConsoleOptions) -> uvicorn.Config:
    return uvicorn.Config(
        console.app(),
        host=options.host,
        port=options.port,
        ssl_certfile=options.certificate,
        ssl_keyfile=options.key,
        log_config=None,
        log_level="critical",  # its lines may quote what was sent; the guard has a log of its own
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=_GRACE_SECONDS,
        http=cast("type[asyncio.Protocol]", partial(SharedProtocol, shares=shared_connections())),
    )


async def _check_address(options: ConsoleOptions) -> None:
    """Errors: OSError if the address is not available, at which uvicorn would end the process."""
    probe = await asyncio.get_running_loop().create_server(asyncio.Protocol, options.host, options.port)
    probe.close()
    await probe.wait_closed()


async def _address(server: _WebServer, task: asyncio.Task[None], options: ConsoleOptions) -> str:
    """Where it listens, as soon as it does. Errors: OSError."""
    while not server.started:
        if task.done():
            raise OSError("the address is not available")
        await asyncio.sleep(_READY_SECONDS)
    port = server.servers[0].sockets[0].getsockname()[1]
    scheme = "http" if options.certificate is None else "https"
    host = f"[{options.host}]" if ":" in options.host else options.host
    return f"{scheme}://{host}:{port}"


# The connections of browsers: shared by the networks they come from, and with a time for each request.
#
# Else one address could hold all that there may be, saying nothing, or never the end of a request's head.


MOST = 400  # connections
HEAD_SECONDS = 10.0  # from when nothing is asked to the end of the next request's head
_FULL = b"There are too many connections from this address.\n"
_REFUSAL = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: text/plain\r\n" + (
    b"Content-Length: %d\r\n\r\n%s" % (len(_FULL), _FULL)
)


def shared_connections(most: int = MOST) -> Shares:
    """The connections of one console."""
    return Shares(most, HALVES)


class SharedProtocol(H11Protocol):
    """HTTP/1.1. Input: `shares`: of which each network has its own; `seconds`: for the head of a request."""

    def __init__(self, *given: Any, shares: Shares, seconds: float = HEAD_SECONDS, **named: Any) -> None:
        super().__init__(*given, **named)
        self._shares, self._seconds = shares, seconds
        self._network: Hashable = None  # whose share it has
        self._head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        network = stranger(self.client[0] if self.client else "")
        if not self._shares.take(network):
            transport.write(_REFUSAL)
            transport.close()
            return
        self._network = network
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._network is not None:
            self._shares.give_back(self._network)
            self._network = None
        if self._head is not None:
            self._head.cancel()

    def data_received(self, data: bytes) -> None:
        if self._network is not None:
            super().data_received(data)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._expect_head()

    def _expect_head(self) -> None:
        if self._head is not None:
            self._head.cancel()
        self._head = self.loop.call_later(self._seconds, self._late)

    def _late(self) -> None:
        """Close the connection, unless a request is being answered."""
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()
