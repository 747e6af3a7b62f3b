"""The console beside a gateway, in one process: one data, ledger, log and count of wrong passwords."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from dpduck.cli.arguments import Arguments
from dpduck.cli.needed import console_module, is_loopback
from dpduck.cli.usage import UsageError
from dpduck.ledger import Ledger
from dpduck.runtime.settings import Settings

if TYPE_CHECKING:
    from dpduck.gateway.limits import ServerLimits
    from dpduck.gateway.served_data import ServedData
    from dpduck.gateway.server import Gateway


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
    server = console_module("dpduck.gateway.web.server")
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
