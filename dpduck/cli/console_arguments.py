"""The command line of `dpduck console`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from dpduck.errors import ParameterError

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

_MOST_MINUTES = 12 * 60


@dataclass(frozen=True)
class Browsing:
    """How browsers reach the console. `names`: besides this machine's own; `owner`: whether a link lets in
    the data owner; `idle_minutes`: without a request, after which one logs in again.
    """

    web_host: str = "127.0.0.1"
    web_port: int = 8650
    names: tuple[str, ...] = ()
    web_cert: Path | None = None
    web_key: Path | None = None
    owner: bool = True
    idle_minutes: int = 30
    web_timeout: int = 300
    web_quantum: int = 50


def take_browsing(given: dict[str, Any]) -> Browsing:
    """Remove the options of the console from a parsed command line, and return them."""
    taken = {one.name: given.pop(one.name, None) for one in fields(Browsing)}
    taken["names"] = tuple(taken["names"] or ())
    return Browsing(**{name: value for name, value in taken.items() if value is not None})


def add_browsing(command: argparse.ArgumentParser, argument: Callable[..., Any]) -> None:
    """Add the options of `console`. Input: a function that turns parsers of values into those of argparse."""
    where = command.add_argument_group("where it listens")
    where.add_argument(
        "--host", dest="web_host", metavar="ADDRESS", help="an address of this machine (default: 127.0.0.1)"
    )
    where.add_argument(
        "--port",
        dest="web_port",
        metavar="N",
        type=argument(_whole("port", 0, 65_535)),
        help="0: any (default: 8650)",
    )
    where.add_argument(
        "--allow-host",
        dest="names",
        metavar="NAME",
        action="append",
        help="a further name by which browsers reach it; requests by other names are refused",
    )
    where.add_argument(
        "--tls-cert", dest="web_cert", metavar="F", type=Path, help="a certificate, or a chain, in PEM"
    )
    where.add_argument("--tls-key", dest="web_key", metavar="F", type=Path, help="its private key, in PEM")
    who = command.add_argument_group("who may come in, and what it bears")
    who.add_argument(
        "--owner",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="print a link that lets in the data owner (default: on this machine's own addresses)",
    )
    who.add_argument(
        "--idle-minutes",
        metavar="N",
        type=argument(_whole("number of minutes", 1, _MOST_MINUTES)),
        help="without a request, after which one must log in again (default: 30)",
    )
    who.add_argument(
        "--statement-timeout",
        dest="web_timeout",
        metavar="SECONDS",
        type=argument(_whole("number of seconds", 0, 86_400)),
        help="a statement that takes longer is stopped, and its charge stays (default: 300; 0: never)",
    )
    who.add_argument(
        "--quantum",
        dest="web_quantum",
        metavar="MS",
        type=argument(_whole("number of milliseconds", 0, 60_000)),
        help="answers from private rows leave at the ticks of a public clock (default: 50 milliseconds)",
    )


def _whole(what: str, low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 9 and low <= int(text) <= high):
            raise ParameterError(f"{text[:40]!r} is not a {what}", detail=f"It is from {low} to {high}.")
        return int(text)

    return read
