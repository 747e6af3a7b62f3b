"""The command line of `dpduck console`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from dpduck.doors.cli.gateway_arguments import add_address, add_certificate, add_shares, add_times, whole

CONSOLE = """\
Open the console: dpduck in a browser. Analysts log in with the name and the
password that `dpduck analyst add` gave them. What a query costs, or what is
wrong with it, is said as one types; answers come as tables and charts with
their errors; budgets, schema and history are pages beside it.

The data owner opens the link that is printed here. It lets in one browser,
once, and may change policies, budgets and logins. Needs 'dpduck[console]'."""
CONSOLE_EXAMPLES = """\
examples:
  dpduck console shop.duckdb --epsilon 0.5
  dpduck console shop.duckdb --no-owner --host 0.0.0.0 \\
      --allow-host dp.example.org --tls-cert cert.pem --tls-key key.pem"""

PORT = 8650  # unless another one is given
_MOST_MINUTES = 12 * 60


@dataclass(frozen=True)
class Browsing:
    """How browsers reach the console, besides what `Serving` says. `allow_host`: names besides this machine's
    own; `no_owner`: no link lets in the data owner; `idle_minutes`: without a request, after which one logs
    in again.
    """

    allow_host: tuple[str, ...] = ()
    no_owner: bool = False
    idle_minutes: int = 30


def take_browsing(given: dict[str, Any]) -> Browsing:
    """Remove the options of the console from a parsed command line, and return them."""
    if given.get("command") == "console" and given.get("port") is None:
        given["port"] = PORT
    taken = {one.name: given.pop(one.name, None) for one in fields(Browsing)}
    taken["allow_host"] = tuple(taken["allow_host"] or ())
    return Browsing(**{name: value for name, value in taken.items() if value is not None})


def add_browsing(command: argparse.ArgumentParser, argument: Callable[..., Any]) -> None:
    """Add the options of `console`. Input: a function that turns parsers of values into those of argparse."""
    where = command.add_argument_group("where it listens")
    add_address(where, argument, PORT)
    where.add_argument(
        "--allow-host",
        metavar="NAME",
        action="append",
        help="a further name by which browsers reach it; requests by other names are refused",
    )
    add_certificate(where)
    who = command.add_argument_group("who may come in, and what it bears")
    who.add_argument(
        "--no-owner",
        action="store_true",
        default=None,
        help="print no link that lets in the data owner, as on an address that others reach",
    )
    who.add_argument(
        "--idle-minutes",
        metavar="N",
        type=argument(whole("number of minutes", 1, _MOST_MINUTES)),
        help="without a request, after which one must log in again (default: 30)",
    )
    add_times(who, argument)
    add_shares(who, argument)
