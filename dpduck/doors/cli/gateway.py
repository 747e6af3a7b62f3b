"""`dpduck serve` and `dpduck analyst`: run the gateway, and manage who may log in to it."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from getpass import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpduck.answers.service import Service
from dpduck.answers.settings import Settings
from dpduck.doors.cli.arguments import Arguments
from dpduck.doors.cli.checking import warnings
from dpduck.doors.cli.gateway_arguments import Serving
from dpduck.doors.cli.needed import console_module, gateway_module, is_loopback
from dpduck.doors.cli.usage import UsageError
from dpduck.doors.console.writer import Writer
from dpduck.engines.duckdb.hardening import open_scratch
from dpduck.engines.source import Source, open_version
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.errors.notices import full_text
from dpduck.kernel.ledger import Account, Ledger, LoginChange, Role, open_ledger
from dpduck.kernel.ledger.session import Session

if TYPE_CHECKING:
    from dpduck.doors.gateway.limits import ServerLimits
    from dpduck.doors.gateway.served_data import ServedData
    from dpduck.doors.gateway.server import Gateway


_PEER_HOST = "127.0.0.1"


def serve(options: Arguments, writer: Writer) -> None:
    """Serve until stopped. Errors: DpduckError."""
    serving = options.serving
    server = gateway_module("dpduck.doors.gateway.server")
    rules = partial(gateway_module("dpduck.doors.cli.login_checks").access_rules, serving)
    access = rules()
    limits = gateway_module("dpduck.doors.gateway.limits").ServerLimits(
        connections=serving.max_connections,
        connections_of_name=serving.max_connections_by_name,
        statements=serving.max_statements,
        message_bytes=serving.message_memory,
        idle_seconds=float(serving.idle_timeout),
        quantum=serving.quantum,
        budget=options.budget,
        statement_seconds=float(serving.statement_timeout),
    )
    _start_log(serving)
    with open_ledger(options.ledger_path, options.anchor, options.ledger_room) as ledger:
        settings = Settings(options.epsilon, options.delta, shows_ends=bool(options.intervals))
        owner = DataOwner(options, ledger, settings, writer)
        data = gateway_module("dpduck.doors.gateway.served_data").ServedData(
            partial(open_version, options.file, policies=options.policies, memory=options.memory),
            owner.policies_of,
            open_scratch(options.memory),
            owner.accept,
        )
        telemetry = _observed(serving, ledger, owner)
        for warning in warnings(options, data.source, ledger):
            writer.note(warning)
        if not ledger.analysts():
            writer.note(f"nobody may log in yet: {options.to_add_analyst}")
        if serving.metrics_port is not None:
            port = telemetry.serve(_PEER_HOST, serving.metrics_port)
            writer.note(f"counts for Prometheus at http://{_PEER_HOST}:{port}/metrics")

        def ready(*places: str) -> None:
            for place in places:
                print(f"listening on {place}", flush=True)  # noqa: T201 (a script waits for this line)

        async def run() -> None:
            gateway = server.Gateway(
                data, ledger, settings, limits, access, telemetry, rules, watches=serving.watch
            )
            async with console_beside(options, gateway, data, ledger, settings, limits):
                await gateway.serve(serving.host, serving.port, ready, _socket_of(serving))

        with telling_of_the_address(serving):
            asyncio.run(run())
        data.close()


class DataOwner:
    """What the data owner is told of each version of the data that is served, and its accounts."""

    def __init__(self, options: Arguments, ledger: Ledger, settings: Settings, writer: Writer) -> None:
        self._session = Session(ledger, options.session)
        self._settings = settings
        self._writer = writer
        self._service: Service | None = None

    def policies_of(self, source: Source) -> Catalog:
        """The policies of a source by the ledger's record, which stays as it is. Errors: DpduckError."""
        return Service(source, self._session, self._settings, records=False).catalog()

    def accept(self, source: Source) -> None:
        """Record how the policies of a source that will be served differ from the record; tell the owner.

        Errors: DpduckError.
        """
        service = Service(source, self._session, self._settings)
        for notice in service.open():
            self._writer.note(full_text(notice))
        service.catalog()
        self._service = service

    def accounts(self) -> Sequence[Account]:
        """The accounts of the last version."""
        return () if self._service is None else self._service.accounts()


def _observed(serving: Serving, ledger: Ledger, owner: DataOwner) -> Any:
    """The telemetry of a server, with its status and budgets; alerts begin."""
    watching, status = (
        gateway_module("dpduck.doors.gateway.budget_watch"),
        gateway_module("dpduck.doors.gateway.status_server"),
    )
    tell = None if serving.alert is None else watching.webhook(serving.alert)
    watch = watching.BudgetWatch(ledger, owner.accounts, tell)
    telemetry = gateway_module("dpduck.doors.gateway.telemetry").Telemetry(
        status.Status(ledger.head), watch.charged
    )
    telemetry.registry.register(status.BudgetCollector(watch.read))
    watch.start()
    return telemetry


def manage_analysts(options: Arguments, writer: Writer) -> None:
    """Add, remove or list analysts who may log in. Errors: DpduckError."""
    options.file.check()
    with open_ledger(options.ledger_path, options.anchor) as ledger:
        match options.action:
            case "add":
                _add(options, ledger, writer)
            case "remove":
                ledger.drop_analyst(options.analyst or "")
                writer.note(f"{options.analyst} may log in no more")
            case "set":
                name, value = options.setting or ("", "")
                ledger.set_default(options.analyst or "", name, value)
                writer.note(f"sessions of {options.analyst} begin with {name} = {value or 'its default'}")
            case _:
                _list(ledger, writer)


def _add(options: Arguments, ledger: Ledger, writer: Writer) -> None:
    scram, name = gateway_module("dpduck.doors.gateway.scram"), options.analyst or ""
    verifier = None
    if not options.no_password:
        salt = scram.salt_of(name, scram.secret_of(ledger))
        verifier = scram.verifier_of(_password(options), salt)
    elif options.password_stdin or options.password_file is not None:
        raise UsageError("a password, or none", hint="Leave out --no-password.")
    role = None if options.role is None else Role(options.role)
    ledger.put_analyst(name, LoginChange(verifier, role, options.grace or timedelta(0)))
    writer.note(f"{options.analyst} may log in")


def _socket_of(serving: Serving) -> Any:
    """The socket of the file system to listen on, None for none. Errors: UsageError."""
    if serving.socket is None:
        if serving.socket_group is not None:
            raise UsageError("a group of no socket", hint="Give --socket DIR too.")
        return None
    return gateway_module("dpduck.doors.gateway.local_socket").LocalSocket(
        serving.socket, serving.socket_group
    )


def _password(options: Arguments) -> str:
    """Read a new password. Errors: UsageError, ParameterError."""
    if options.password_file is not None:
        return _first_line(options.password_file)
    if options.password_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise UsageError("there is nobody to ask for the password", hint="Pipe it in with --password-stdin.")
    password = getpass(f"password of {options.analyst}: ")
    if getpass("the same again: ") != password:
        raise ParameterError("the two passwords differ", hint="Try again.")
    return password


def _first_line(file: Path) -> str:
    try:
        return (file.read_text(encoding="utf-8").splitlines() or [""])[0]
    except (OSError, UnicodeDecodeError) as error:
        reason = (getattr(error, "strerror", None) or "it is not UTF-8").lower()
    raise ParameterError("the password cannot be read", detail=f"The system says of {file}: {reason}.")


def _list(ledger: Ledger, writer: Writer) -> None:
    for analyst in ledger.analysts():
        said = [] if analyst.role is Role.ANALYST else [analyst.role.value]
        said += [f"{name} = {value}" for name, value in analyst.settings]
        said += ["no password"] if analyst.verifier is None else []
        if analyst.former_at(datetime.now(UTC)) is not None and analyst.until is not None:
            said.append(f"the password before holds until {analyst.until:%Y-%m-%d %H:%M} UTC")
        writer.show(f"{analyst.name} ({', '.join(said)})\n" if said else f"{analyst.name}\n")


@contextmanager
def telling_of_the_address(serving: Serving) -> Iterator[None]:
    """Errors: ParameterError if the address is not available."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or "it cannot be had"
    else:
        return
    raise ParameterError(
        f"cannot listen on {serving.host}:{serving.port}",
        detail=f"The system says: {reason}.",
        hint="Give another --host or --port.",
    )


def _start_log(serving: Serving) -> None:
    handler = logging.StreamHandler(sys.stderr)
    as_text = logging.Formatter("%(asctime)s %(levelname)s %(message)s")
    as_json = serving.log_format == "json"
    handler.setFormatter(
        gateway_module("dpduck.doors.gateway.log_format").JsonLines() if as_json else as_text
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    logging.getLogger("dpduck").setLevel(logging.WARNING if serving.quiet else logging.INFO)


# The console beside a gateway, in one process: one data, ledger, log and count of wrong passwords.


@asynccontextmanager
async def console_beside(
    options: Arguments,
    gateway: Gateway,
    data: ServedData,
    ledger: Ledger,
    settings: Settings,
    limits: ServerLimits,
) -> AsyncIterator[None]:
    """Serve the console while the block runs, if asked for. Errors: UsageError, OSError, LedgerError."""
    serving = options.serving
    if serving.console_port is None:
        yield
        return
    if serving.tls_cert is None and not is_loopback(serving.host):
        raise UsageError(
            "the console would not be encrypted",
            detail="In a browser passwords are sent as they are.",
            hint="Give --tls-cert and --tls-key.",
        )
    server = console_module("dpduck.doors.gateway.web.server")
    where = server.ConsoleOptions(
        serving.host,
        serving.console_port,
        certificate=serving.tls_cert,
        key=serving.tls_key,
        owner=False,
        quantum=limits.quantum,
        seconds=limits.statement_seconds,
        budget=limits.budget,
    )
    listens = asyncio.Event()

    def ready(address: str) -> None:
        print(f"the console is at {address}", flush=True)  # noqa: T201 (a script waits for this line)
        listens.set()

    serves = server.serve_console(options.file, data, ledger, settings, where, ready, lambda _: None, gateway)
    task = asyncio.create_task(serves)
    waiting = asyncio.create_task(listens.wait())
    await asyncio.wait([task, waiting], return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        waiting.cancel()
        await task  # raises why it does not listen
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
