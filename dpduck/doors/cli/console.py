"""`dpduck console`: the console in the browser, until it is told to end."""

from __future__ import annotations

import asyncio
import logging
import sys
from functools import partial

from dpduck.answers.settings import Settings
from dpduck.doors.cli.arguments import Arguments
from dpduck.doors.cli.gateway import DataOwner, telling_of_the_address
from dpduck.doors.cli.gateway_arguments import Serving
from dpduck.doors.cli.needed import console_module, is_loopback
from dpduck.doors.cli.usage import UsageError
from dpduck.doors.console.writer import Writer
from dpduck.engines.duckdb.hardening import open_scratch
from dpduck.engines.source import open_version
from dpduck.kernel.ledger import open_ledger


def console(options: Arguments, writer: Writer) -> None:
    """Serve the console until stopped. Errors: DpduckError."""
    browsing, serving = options.browsing, options.serving
    _check_encrypted(serving)
    server = console_module("dpduck.doors.gateway.web.server")
    served = console_module("dpduck.doors.gateway.served_data")
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(message)s")
    limits = console_module("dpduck.doors.gateway.limits").ServerLimits(
        statements=serving.max_statements, message_bytes=serving.message_memory
    )
    with open_ledger(options.ledger_path, options.anchor, options.ledger_room) as ledger:
        settings = Settings(options.epsilon, options.delta)
        owner = DataOwner(options, ledger, settings, writer)
        data = served.ServedData(
            partial(open_version, options.file, policies=options.policies, memory=options.memory),
            owner.policies_of,
            open_scratch(options.memory),
            owner.accept,
        )
        shows_link = not browsing.no_owner and is_loopback(serving.host)
        if not shows_link and not ledger.analysts():
            writer.note(f"nobody may log in yet: dpduck analyst add {options.file} NAME")
        where = server.ConsoleOptions(
            serving.host,
            serving.port,
            names=browsing.allow_host,
            certificate=serving.tls_cert,
            key=serving.tls_key,
            owner=shows_link,
            idle=60.0 * browsing.idle_minutes,
            quantum=serving.quantum,
            seconds=float(serving.statement_timeout),
            budget=options.budget,
            limits=limits,
        )

        def ready(address: str) -> None:
            print(f"listening on {address}", flush=True)  # noqa: T201 (a script waits for this line)

        def show_link(address: str) -> None:
            print(f"the data owner opens, once: {address}", flush=True)  # noqa: T201

        with telling_of_the_address(serving):
            asyncio.run(server.serve_console(options.file, data, ledger, settings, where, ready, show_link))
        data.close()


def _check_encrypted(serving: Serving) -> None:
    """Errors: UsageError for an address that others reach, without a certificate."""
    if (serving.tls_cert is None) != (serving.tls_key is None):
        raise UsageError("a certificate needs its key", hint="Give both --tls-cert and --tls-key.")
    if serving.tls_cert is None and not is_loopback(serving.host):
        raise UsageError(
            f"others reach {serving.host}, and nothing would be encrypted",
            detail="Passwords and answers would be read along.",
            hint="Give --tls-cert and --tls-key, or let a proxy on this machine encrypt.",
        )
