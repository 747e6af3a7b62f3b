"""`dpduck console`: the console in the browser, until it is told to end."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from dpduck.cli.arguments import Arguments, UsageError
from dpduck.cli.console_arguments import Browsing
from dpduck.cli.gateway import DataOwner
from dpduck.cli.needed import console_module, is_loopback
from dpduck.console.writer import Writer
from dpduck.engines.duckdb.hardening import open_scratch
from dpduck.engines.source import open_version
from dpduck.errors import ParameterError
from dpduck.ledger import open_ledger
from dpduck.runtime.settings import Settings


def console(options: Arguments, writer: Writer) -> None:
    """Serve the console until stopped. Errors: DpduckError."""
    browsing = options.browsing
    _check_encrypted(browsing)
    server = console_module("dpduck.gateway.web.server")
    served = console_module("dpduck.gateway.served_data")
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(message)s")
    with open_ledger(options.ledger_path, options.anchor) as ledger:
        settings = Settings(options.epsilon, options.delta)
        owner = DataOwner(options, ledger, settings, writer)
        data = served.ServedData(
            partial(open_version, options.file, policies=options.policies, memory=options.memory),
            owner.policies_of,
            open_scratch(options.memory),
            owner.accept,
        )
        shows_link = browsing.owner and is_loopback(browsing.web_host)
        if not shows_link and not ledger.analysts():
            writer.note(f"nobody may log in yet: dpduck analyst add {options.file} NAME")
        where = server.ConsoleOptions(
            browsing.web_host,
            browsing.web_port,
            browsing.names,
            browsing.web_cert,
            browsing.web_key,
            shows_link,
            60.0 * browsing.idle_minutes,
            browsing.web_quantum / 1000,
            float(browsing.web_timeout),
            options.budget,
        )

        def ready(address: str) -> None:
            print(f"listening on {address}", flush=True)  # noqa: T201 (a script waits for this line)

        def show_link(address: str) -> None:
            print(f"the data owner opens, once: {address}", flush=True)  # noqa: T201

        with _telling_of_the_address(browsing):
            asyncio.run(server.serve_console(options.file, data, ledger, settings, where, ready, show_link))
        data.close()


def _check_encrypted(browsing: Browsing) -> None:
    """Errors: UsageError for an address that others reach, without a certificate."""
    if (browsing.web_cert is None) != (browsing.web_key is None):
        raise UsageError("a certificate needs its key", hint="Give both --tls-cert and --tls-key.")
    if browsing.web_cert is None and not is_loopback(browsing.web_host):
        raise UsageError(
            f"others reach {browsing.web_host}, and nothing would be encrypted",
            detail="Passwords and answers would be read along.",
            hint="Give --tls-cert and --tls-key, or let a proxy on this machine encrypt.",
        )


@contextmanager
def _telling_of_the_address(browsing: Browsing) -> Iterator[None]:
    """Errors: ParameterError if the address is not available, or the certificate cannot be used."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or "it cannot be had"
    else:
        return
    raise ParameterError(
        f"cannot listen on {browsing.web_host}:{browsing.web_port}",
        detail=f"The system says: {reason}.",
        hint="Give another --host or --port.",
    )
