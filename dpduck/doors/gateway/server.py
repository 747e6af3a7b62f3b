"""The server: connections in, replies out. Each analyst has one budget, each connection is a session.

accept -> (TLS) -> startup -> authentication -> Conversation, in a thread while it works -> close
"""

from __future__ import annotations

import asyncio
import hmac
import math
import secrets
import signal
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from dpduck.answers.service import Service
from dpduck.answers.settings import Settings
from dpduck.compiler.parse.postgres import PostgresReading
from dpduck.doors.gateway.conversation import Conversation
from dpduck.doors.gateway.errors import ConnectionRefusedError, ShutdownError, SilentError
from dpduck.doors.gateway.execution import StatementOutcome
from dpduck.doors.gateway.limits import AccessRules, ServerLimits
from dpduck.doors.gateway.local_socket import LocalSocket, listening
from dpduck.doors.gateway.login_delays import LoginDelays
from dpduck.doors.gateway.logins import Logins, receive
from dpduck.doors.gateway.options import read_options
from dpduck.doors.gateway.pg_catalog import Asker
from dpduck.doors.gateway.protocol import messages as m
from dpduck.doors.gateway.protocol import replies
from dpduck.doors.gateway.protocol.signals import FLUSH, WORK
from dpduck.doors.gateway.protocol.states import State, Transition
from dpduck.doors.gateway.protocol.wire import Wire
from dpduck.doors.gateway.roles import check_reload, session_of
from dpduck.doors.gateway.room import ServerRoom, stranger
from dpduck.doors.gateway.router import Queries
from dpduck.doors.gateway.served_data import ServedData, ServedVersion
from dpduck.doors.gateway.shares import Holding, Turn
from dpduck.doors.gateway.telemetry import Telemetry, log
from dpduck.doors.gateway.transport import Transport
from dpduck.doors.gateway.variables import Variables
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.errors import AuthenticationError, DpduckError
from dpduck.kernel.ledger import Ledger, Role
from dpduck.kernel.system.memory import give_back, keep_little
from dpduck.kernel.system.python_turns import PythonTurns, switch_often, waiting

T = TypeVar("T")

_BACKLOG = 512  # connections that wait to be accepted
_CHUNK = 256 * 1024  # bytes of replies that are collected before they are sent
_TRIM_BYTES = 1024 * 1024  # of replies, after which there is something to give back
_CHORES = 4  # threads for what the server does for nobody in particular
_TURNS = 1  # threads that plan at once; what they wait for lets others begin
_WATCH_SECONDS = 0.1  # between checks of statement timeouts
_TRIM_SECONDS = 5.0  # between returns of free memory to the system
_LOGIN_CHECK_SECONDS = 2.0  # between checks of who may still log in


@dataclass
class Client:
    """A connection.

    `network`: where it comes from, as a name for who is not known yet; `name`, `role`, `settings`: of the
    analyst, once authenticated; `turn`: what waits for its turn, or has it; `holding`: of the memory.
    """

    transport: Transport
    network: Hashable
    pid: int
    secret: int
    since: float
    name: str | None = None
    role: Role = Role.ANALYST
    settings: tuple[tuple[str, str], ...] = ()
    conversation: Conversation | None = None
    task: asyncio.Task[None] | None = None
    stopping: ShutdownError | None = None
    turn: Turn | None = None
    unfinished: tuple[int, float] | None = None  # how many messages came before one, and when it began
    holding: Holding = field(default_factory=Holding)
    is_cut_off: bool = False

    def stopped(self) -> None:
        """What was stopped does not wait for its turn."""
        if self.turn is not None and self.conversation is not None and self.conversation.running.is_stopped:
            self.turn.skip()


class Gateway:
    """A server of private queries on `data`.

    Input: `settings`: initial settings of each session; `renew`: reads the certificate again, on SIGHUP;
        `watches`: whether it goes over to a file that takes the place of the one that is served as soon as it
        does, or only on SIGHUP.
    """

    def __init__(
        self,
        data: ServedData,
        ledger: Ledger,
        settings: Settings,
        limits: ServerLimits | None = None,
        access: AccessRules | None = None,
        telemetry: Telemetry | None = None,
        renew: Callable[[], AccessRules] | None = None,
        *,
        watches: bool = False,
    ) -> None:
        self._data = data
        self._ledger = ledger
        self._settings = settings
        self._limits = limits or ServerLimits()
        self._access = access or AccessRules()
        self._telemetry = telemetry or Telemetry()
        self._renew = renew
        self._renewals: set[asyncio.Task[None]] = set()
        self._clients: dict[int, Client] = {}
        self.room = ServerRoom(self._limits)
        self._chores = ThreadPoolExecutor(_CHORES, thread_name_prefix="dpduck-chores")
        self._turns = PythonTurns(_TURNS)
        self._logins = Logins(ledger, self._telemetry, self._at_the_door, secrets.token_bytes(32))
        self._pids = iter(range(1, 2**31))
        self._watches = watches
        self._ending = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._refused = ""  # what was said of the last reload that was refused
        self._sent = 0  # bytes of replies since free memory was given back
        keep_little()
        switch_often()

    async def serve(
        self, host: str, port: int, ready: Callable[..., None], socket: LocalSocket | None = None
    ) -> None:
        """Serve until stopped (`end`, or SIGTERM or SIGINT).

        Input: `ready`: called with the address, and the file of the socket if there is one.
        Errors: OSError if the address is not available; ParameterError if the socket is not.
        """
        self._loop = loop = asyncio.get_running_loop()
        made = partial(Transport, self._accept)
        server = await loop.create_server(made, host, port, backlog=_BACKLOG)
        bound = server.sockets[0].getsockname()[1]
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.end)
        loop.add_signal_handler(signal.SIGHUP, self.renew)
        watch = loop.create_task(self._watch())
        try:
            async with listening(socket, bound, made, _BACKLOG) as file:
                self._telemetry.status.listens(True)
                ready(f"{host}:{bound}", *([] if file is None else [str(file)]))
                await self._ending.wait()
            server.close()
            await self._shut_down()
        finally:
            watch.cancel()
            self.room.close()
            self._chores.shutdown(wait=False, cancel_futures=True)

    @property
    def login_delays(self) -> LoginDelays:
        """What counts wrong passwords, for another door of the same process."""
        return self._logins.delays

    @property
    def telemetry(self) -> Telemetry:
        """The log and the metrics, for another door of the same process."""
        return self._telemetry

    def end(self) -> None:
        """Begin the shutdown."""
        self._telemetry.status.listens(False)
        self._ending.set()

    # --- what changes while it serves ------------------------------------------------------------

    def renew(self) -> None:
        """Read the certificate again, for connections from then on, and go over to the data as they are.

        What cannot be used stays as it was, and the log says why.
        """
        task = asyncio.get_running_loop().create_task(self._renew_all())
        self._renewals.add(task)  # else it might be collected before it ends
        task.add_done_callback(self._renewals.discard)

    async def _renew_all(self) -> None:
        await self._read_access()
        await self._reload()

    async def _read_access(self) -> None:
        if self._renew is None or (self._access.context is None and self._access.tokens is None):
            return
        try:
            self._access = await self._in_thread(self._renew)
        except DpduckError as error:
            log.error("the certificate stays as it was: %s. %s", error.message, error.reason)
        else:
            log.warning("the certificate was read again")

    async def _reload(self) -> None:
        try:
            changed = await self._in_thread(self._data.reload)
        except DpduckError as error:
            said = f"{error.message}. {error.reason or ''}"
            if said != self._refused:  # a watch sees the same file again and again
                log.error("the data were not reloaded: %s", ascii(said)[1:-1])
            self._refused = said
            return
        self._refused = ""
        if changed:
            log.info("the data were reloaded")
            self._follow()

    def _follow(self) -> None:
        """Let idle connections leave the version before; all others do when their message is answered."""
        for client in self._clients.values():
            if client.conversation is not None:
                client.conversation.running.follow()

    # --- a connection ----------------------------------------------------------------------------

    def _accept(self, transport: Transport) -> None:
        network = stranger(transport.peer)
        client = Client(transport, network, next(self._pids), secrets.randbits(32), time.monotonic())
        self._clients[client.pid] = client
        self._make_room()
        client.task = asyncio.get_running_loop().create_task(self._handle(client))

    def _make_room(self) -> None:
        """Cut off the oldest client that is not known yet, if there are too many, of whoever has most."""
        unknown = [one for one in self._clients.values() if one.name is None and not one.is_cut_off]
        if len(unknown) > self._limits.unauthenticated:
            [(most, _)] = Counter(client.network for client in unknown).most_common(1)
            oldest = next(client for client in unknown if client.network == most)
            oldest.is_cut_off = True
            oldest.transport.abort()

    async def _handle(self, client: Client) -> None:
        wire = Wire()
        self._telemetry.opened(client.pid, client.transport.peer)
        try:
            await self._open(client, wire)
            if client.conversation is not None:
                await self._converse(client, wire, client.conversation)
        except ConnectionResetError:
            pass
        except DpduckError as error:
            self._telemetry.refused(client.pid, error.sqlstate, error.message)
            await _disconnect(client.transport, error)
        except Exception as error:
            log.error("connection %d failed with %s", client.pid, type(error).__name__)
        finally:
            del self._clients[client.pid]
            client.transport.close()
            if client.name is not None:
                self.room.connections.give_back(client.name)
            if client.conversation is not None:
                client.conversation.close()
            client.holding.close()
            self._sent += _TRIM_BYTES  # what a connection held is free now
            self._telemetry.closed(client.pid)

    async def _open(self, client: Client, wire: Wire) -> None:
        """From the first byte to an authenticated name. Errors: DpduckError, ConnectionResetError."""
        try:
            async with asyncio.timeout(self._limits.startup_seconds):
                startup = await self._startup(client, wire)
                if startup is not None:
                    await self._authenticate(client, wire, startup)
        except TimeoutError:
            pass
        else:
            return
        raise AuthenticationError("the client took too long to say who it is")

    async def _startup(self, client: Client, wire: Wire) -> m.Startup | None:
        """The client's startup message; None if it is gone, or only cancelled another one's statement."""
        while True:
            message = await receive(client.transport, wire)
            match message:
                case m.SslRequest():
                    await self._encrypt(client.transport, wire)
                case m.GssRequest():
                    await client.transport.write(replies.NO)
                case m.CancelRequest():
                    self._stop(message)
                    return None
                case m.Startup():
                    return message
                case _:
                    return None

    async def _encrypt(self, transport: Transport, wire: Wire) -> None:
        access = self._access
        if access.context is None or transport.encrypted or transport.is_local_socket:
            await transport.write(replies.NO)
            return
        if wire.waits:
            raise ConnectionResetError  # unencrypted bytes would be processed as if they were encrypted
        await transport.write(replies.YES_TLS)
        await transport.encrypt(access.context, self._limits.startup_seconds, access.binding)

    def _stop(self, request: m.CancelRequest) -> None:
        client = self._clients.get(request.pid)
        if client is None or client.conversation is None:
            return
        if hmac.compare_digest(str(client.secret), str(request.secret)):
            running = client.conversation.running
            number = running.number

            def stop() -> None:
                running.stop("canceling statement due to user request", number)
                client.stopped()

            # At a tick: at any other time, whether it still runs would reveal how long it takes.
            asyncio.get_running_loop().call_later(self._until_tick(), stop)

    async def _authenticate(self, client: Client, wire: Wire, startup: m.Startup) -> None:
        access = self._access
        access.check(client.transport)
        self._check_room()
        if startup.minor or startup.unknown_options:
            await client.transport.write(replies.older_protocol(startup.unknown_options))
        login = await self._logins.let_in(client.transport, wire, startup, access)
        self._check_room()  # others may have connected in the meantime
        self._take_place(login.name)
        client.name, client.role, client.settings = login.name, login.role, login.settings
        client.holding = wire.holding = Holding(self.room.memory, login.name)
        client.transport.is_known = True
        wire.tell(Transition.AUTHENTICATED)
        make = partial(self._conversation, client, wire, startup)
        conversation = await self._at_the_door(client.transport.peer, make)
        client.conversation = conversation
        await client.transport.write(
            login.proof + conversation.greet() + replies.key(client.pid, client.secret) + conversation.ready()
        )

    def _check_room(self) -> None:
        if self._ending.is_set():
            raise ShutdownError("the server is shutting down")
        if not self.room.connections.free:
            raise ConnectionRefusedError(
                "there are too many connections",
                detail=f"The server takes {self._limits.connections} at once.",
                hint="Close one, or try again later.",
            )

    def _take_place(self, name: str) -> None:
        """Count a connection. Errors: ConnectionRefusedError if its name has its share."""
        if not self.room.connections.take(name):
            raise ConnectionRefusedError(
                "there are too many connections of this name",
                detail=f"One name has {self.room.connections.most_of_one} at most, and fewer where others "
                "have many.",
                hint="Close one, or ask the data owner for --max-connections-by-name.",
            )

    def _conversation(self, client: Client, wire: Wire, startup: m.Startup) -> Conversation:
        """Create the client's session. Errors: ParameterError, UnknownNameError for an invalid option."""
        assert client.name is not None
        name, variables = client.name, Variables(client.name)
        settings = self._settings.beginning_with(client.settings)
        read_options(startup.parameters, settings, variables)
        database = startup.parameters.get("database") or name
        settings.reading = PostgresReading(variables.schemas, database=database)
        session = session_of(client.role, self._ledger, name)
        if session.asks:
            session.set_budget(self._limits.budget)
        interrupts = Interrupts()

        def service_of(version: ServedVersion) -> Service:
            workspace = version.workspace(name)
            return Service(
                version.source, session, settings, workspace, self._wait, records=False, interrupts=interrupts
            )

        def asker() -> Asker:
            return Asker(name, database, client.pid, variables.all)

        queries = Queries(self._data, service_of, asker)
        self._telemetry.authenticated(client.pid, name, session.name, encrypted=client.transport.encrypted)

        def watch(done: StatementOutcome) -> None:
            self._telemetry.done(client.pid, name, done)

        return Conversation(wire, queries, variables, watch, partial(self._reload_for, client.role))

    def _reload_for(self, role: Role) -> None:
        """Begin what SIGHUP begins; from any thread. Errors: PermissionDeniedError."""
        check_reload(role)
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self.renew)

    # --- a conversation --------------------------------------------------------------------------

    async def _converse(self, client: Client, wire: Wire, conversation: Conversation) -> None:
        def lost() -> None:
            conversation.running.end("the client is gone")
            client.stopped()

        client.transport.lost = lost
        data = b""
        while client.stopping is None and not client.transport.ended:
            await self._answer(client, conversation.work(data))
            # After Terminate the server closes the connection: a client may wait for that.
            if wire.state is State.CLOSED:
                return
            if client.stopping is None and not (data := await self._read(client, wire)):
                return
        if client.stopping is not None:
            await _disconnect(client.transport, client.stopping)

    async def _read(self, client: Client, wire: Wire) -> bytes:
        """The next bytes; empty if the client is gone. Errors: SilentError."""
        if wire.waits:
            if client.unfinished is None or client.unfinished[0] != wire.count:
                client.unfinished = wire.count, time.monotonic()
            left = client.unfinished[1] + self._limits.message_seconds - time.monotonic()
            said = "a message was not finished in time"
        elif self._limits.idle_seconds:
            left, said = self._limits.idle_seconds, "the connection was idle for too long"
        else:
            return await client.transport.read()
        with suppress(TimeoutError):
            async with asyncio.timeout(left):
                return await client.transport.read()
        raise SilentError(said, hint="Connect again. Nothing was charged for what was not sent.")

    async def _answer(self, client: Client, work: Iterator[bytes]) -> None:
        """Send replies as they are produced: immediate ones from the event loop, the others from a thread."""
        last: bytes | None = FLUSH
        while last is not None:
            if last is FLUSH:
                made, last = _pull(work, WORK)
            else:
                made, last = await self._in_turn(client, partial(self._work, work))
            self._sent += len(made)
            await client.transport.write(made)
            del made  # not kept while the next ones are made
            await asyncio.sleep(0)  # let other connections run

    def _work(self, work: Iterator[bytes]) -> tuple[bytes, bytes | None]:
        """As `_pull`, in a thread."""
        with self._turns.turn():
            return _pull(work)

    def _wait(self) -> None:
        """Wait, in a thread, for the next tick of the public clock."""
        with waiting():
            time.sleep(self._until_tick())

    def _until_tick(self) -> float:
        """Seconds until the next tick."""
        quantum = self._limits.quantum
        return quantum - time.monotonic() % quantum if quantum else 0.0

    async def _in_turn(self, client: Client, work: Callable[[], T]) -> T:
        """Work on a client's statement, when it is its name's turn. Its connections bound what may wait."""

        def asked(turn: Turn) -> None:
            client.turn = turn
            client.stopped()

        try:
            return await self.room.statements.run(client.name, work, bounded=False, asked=asked)
        finally:
            client.turn = None

    async def _at_the_door(self, address: str, work: Callable[[], T]) -> T:
        """Work on letting in somebody from an address. How many are not known yet bounds what may wait."""
        return await self.room.doors.run(stranger(address), work, bounded=False)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._chores, work)

    # --- the watch -------------------------------------------------------------------------------

    async def _watch(self) -> None:
        """Stop statements at their timeout, and disconnect analysts who may no longer log in."""
        looked = trimmed = time.monotonic()
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            self._telemetry.status.alive()
            await asyncio.sleep(self._until_tick())  # for the same reason as in `_stop`
            now = time.monotonic()
            for client in list(self._clients.values()):
                self._stop_late(client, now)
            if now - looked > _LOGIN_CHECK_SECONDS:
                looked = now
                await self._disconnect_removed()
                if self._watches:
                    await self._reload()
            if self._sent >= _TRIM_BYTES and now - trimmed > _TRIM_SECONDS:
                trimmed, self._sent = now, 0
                await self._in_thread(give_back)

    def _stop_late(self, client: Client, now: float) -> None:
        conversation = client.conversation
        started = None if conversation is None else conversation.running.started
        if conversation is None or started is None:
            return
        allowed = [s for s in (self._limits.statement_seconds, conversation.running.seconds_allowed) if s]
        late = now - started - min(allowed, default=math.inf)
        if late > 0:
            conversation.running.stop("canceling statement due to statement timeout")
            client.stopped()
        else:
            conversation.running.stop_again()
        if late > self._limits.grace_seconds and client.transport.is_full:
            client.transport.abort()  # the client does not read the answer

    async def _disconnect_removed(self) -> None:
        if not any(client.name for client in self._clients.values()):
            return
        try:
            analysts = await self._in_thread(self._ledger.analysts)
        except DpduckError:  # without a readable ledger no query is answered either
            return
        roles = {analyst.name: analyst.role for analyst in analysts}
        for client in list(self._clients.values()):
            if client.name is not None and roles.get(client.name) is not client.role:
                gone = client.name not in roles
                why = "the analyst may no longer log in" if gone else "the role has changed"
                await self._dismiss(client, ShutdownError(why))

    async def _dismiss(self, client: Client, why: ShutdownError) -> None:
        """Disconnect a client: immediately if it is idle, else when its statement has ended."""
        client.stopping = why
        if client.conversation is not None:
            client.conversation.running.end(why.message)
            client.stopped()
        if client.conversation is None or client.conversation.running.started is None:
            await _disconnect(client.transport, why)
        elif client.transport.is_full:
            client.transport.abort()

    async def _shut_down(self) -> None:
        """Wait for running statements within the grace period, and disconnect all clients."""
        for client in list(self._clients.values()):
            client.stopping = ShutdownError("the server is shutting down")
            if client.conversation is None or client.conversation.running.started is None:
                await _disconnect(client.transport, client.stopping)
        tasks = [client.task for client in self._clients.values() if client.task is not None]
        if not tasks:
            return
        await asyncio.wait(tasks, timeout=self._limits.grace_seconds)
        for client in list(self._clients.values()):
            if client.conversation is not None:
                client.conversation.running.end("the server is shutting down")
                client.stopped()
        _, late = await asyncio.wait(tasks, timeout=self._limits.grace_seconds)
        for client in list(self._clients.values()) if late else ():
            client.transport.abort()


def _pull(work: Iterator[bytes], *stops: bytes) -> tuple[bytes, bytes | None]:
    """Collect replies up to a size, until they must be sent, or until one of the given signals.

    Output: the replies, and the last one, which says why collecting stopped; None if there are no more.
    """
    made = bytearray()
    for reply in work:
        made += reply
        if len(made) > _CHUNK or reply is FLUSH or any(reply is stop for stop in stops):
            return bytes(made), reply
    return bytes(made), None


async def _disconnect(transport: Transport, why: DpduckError) -> None:
    """Send the reason why the connection ends, and close it."""
    with suppress(ConnectionResetError):
        await transport.write(replies.error(why, severity="FATAL"))
    transport.close()
