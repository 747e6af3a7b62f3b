"""The command lines of `dpduck serve` and `dpduck analyst`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from dpduck.answers.settings import Settings
from dpduck.doors.cli.login_arguments import LoginOptions, add_login, add_logins
from dpduck.doors.cli.shared_arguments import add_config
from dpduck.engines.duckdb.path import DataPath
from dpduck.kernel.accounting.amounts import parse_memory
from dpduck.kernel.errors import ParameterError

SERVE = """\
Answer analysts over the Postgres wire protocol, until told to end. They come
with psql, a driver of their language, a BI tool or the DuckDB shell, log in
with the name and the password that `dpduck analyst add` gave them, and have no
other way to the data: the file is opened for reading only, and what leaves it
is paid for. Each analyst is one identity for budgets, each connection a
session.

From other hosts only encrypted connections are taken, so give a certificate."""
SERVE_EXAMPLES = """\
examples:
  dpduck analyst add shop.duckdb ana
  dpduck serve shop.duckdb --epsilon 0.5
  dpduck serve shop.duckdb --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem
  psql "host=127.0.0.1 port=5433 user=ana dbname=shop"
  psql "host=127.0.0.1 port=5433 user=ana options='-c dp_epsilon=0.5'\""""
ANALYST = """\
Say who may log in to `dpduck serve`. The ledger keeps a salted verifier of each
password, never the password itself. An analyst who is removed is cut off within
seconds; what was spent stays spent."""

CHECK = """\
Read the settings of `dpduck serve`, open what they name without changing it,
and say what is wrong (it would not start), what is dangerous (it promises less
than it seems to) and what to think about. Nothing is served or charged.

exit codes: 0 nothing wrong or dangerous, 1 something is, 2 unreadable settings"""

_MOST_SECONDS = 86_400
_UNITS = {"MB": 10**6, "GB": 10**9, "MIB": 2**20, "GIB": 2**30}


@dataclass(frozen=True)
class Serving(LoginOptions):
    """Options of the server. Times are in seconds."""

    host: str = "127.0.0.1"
    port: int = 5433
    tls_cert: Path | None = None
    tls_key: Path | None = None
    allow_plain: bool = False
    require_tls: bool = False
    metrics_port: int | None = None
    quantum: float = 0.05
    max_connections: int = 100
    max_connections_by_name: int | None = None
    max_statements: int = 0
    message_memory: int = 64 * 2**20
    idle_timeout: int = 0
    statement_timeout: float = 300.0
    quiet: bool = False
    log_format: str = "text"
    alert: str | None = None
    console_port: int | None = None
    watch: bool = False


def take_serving(given: dict[str, Any]) -> Serving:
    """Remove the options of the server from a parsed command line, and return them."""
    taken = {field.name: given.pop(field.name, None) for field in fields(Serving)}
    return Serving(**{name: value for name, value in taken.items() if value is not None})


def add_serving(command: argparse.ArgumentParser, argument: Callable[..., Any]) -> None:
    """Add the options of `serve`. Input: a function that turns parsers of values into those of argparse."""
    where = command.add_argument_group("where it listens")
    add_address(where, argument, Serving.port)
    where.add_argument(
        "--metrics-port",
        metavar="N",
        type=argument(whole("port", 0, 65_535)),
        help="serve /metrics, /healthz and /readyz over HTTP, on 127.0.0.1 only (default: none)",
    )
    where.add_argument(
        "--console-port",
        metavar="N",
        type=argument(whole("port", 0, 65_535)),
        help="serve the console for browsers too, at the same address (default: none)",
    )
    who = command.add_argument_group("who may come in how")
    add_certificate(who)
    who.add_argument(
        "--require-tls",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="take no connection that is not encrypted, not even from this machine",
    )
    who.add_argument(
        "--allow-plain",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="take connections from other hosts that are not encrypted: for networks that are safe otherwise",
    )
    add_logins(command, argument)
    command.add_argument(
        "--intervals",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="beside each released number n an answer has n_low and n_high, unless a session says SET "
        "dp_intervals = off",
    )
    _add_limits(command, argument)


def _add_limits(command: argparse.ArgumentParser, argument: Callable[..., Any]) -> None:
    limits = command.add_argument_group("what it bears")
    add_times(limits, argument)
    limits.add_argument(
        "--max-connections",
        metavar="N",
        type=argument(whole("number of connections", 1, 10_000)),
        help="at once (default: 100)",
    )
    limits.add_argument(
        "--max-connections-by-name",
        metavar="N",
        type=argument(whole("number of connections", 1, 10_000)),
        help="at once of one analyst (default: a quarter of what the others leave)",
    )
    add_shares(limits, argument)
    limits.add_argument(
        "--idle-timeout",
        metavar="SECONDS",
        type=argument(whole("number of seconds", 0, _MOST_SECONDS)),
        help="a connection that says nothing for longer is closed (default: 0: never)",
    )
    limits.add_argument(
        "--quiet",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="log only what was refused and what failed",
    )
    limits.add_argument("--log-format", choices=("text", "json"), help="of the log (default: text)")
    limits.add_argument(
        "--alert",
        metavar="URL",
        type=argument(_web_address),
        help="where JSON is posted when 50, 80 and 100 %% of a budget are spent, which is logged too",
    )
    limits.add_argument(
        "--watch",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="go over to a file that takes the place of FILE as soon as it does (default: on SIGHUP)",
    )


def add_shares(limits: argparse._ActionsContainer, argument: Callable[..., Any]) -> None:
    """Add the options of what analysts share, of which one has at most a half."""
    limits.add_argument(
        "--max-statements",
        metavar="N",
        type=argument(whole("number of statements", 2, 1_000)),
        help="that run at once, half of them of one analyst (default: twice the processors, 4 at least)",
    )
    limits.add_argument(
        "--message-memory",
        metavar="SIZE",
        type=argument(_bytes),
        help="for what clients send in long messages and keep, half of it of one analyst (default: 64MiB)",
    )


def add_address(where: argparse._ActionsContainer, argument: Callable[..., Any], port: int) -> None:
    """Add the options of the address. Input: as of `add_serving`; the usual port."""
    where.add_argument("--host", metavar="ADDRESS", help="an address of this machine (default: 127.0.0.1)")
    where.add_argument(
        "--port", metavar="N", type=argument(whole("port", 0, 65_535)), help=f"0: any (default: {port})"
    )


def add_certificate(group: argparse._ActionsContainer) -> None:
    """Add the options of the certificate."""
    group.add_argument("--tls-cert", metavar="F", type=Path, help="a certificate, or a chain of them, in PEM")
    group.add_argument("--tls-key", metavar="F", type=Path, help="its private key, in PEM")


def add_times(limits: argparse._ActionsContainer, argument: Callable[..., Any]) -> None:
    """Add the options of when answers leave, and how long a statement may take."""
    limits.add_argument(
        "--quantum",
        metavar="MS",
        type=argument(_milliseconds),
        help="answers from private rows leave at the ticks of a public clock, so that the time they took "
        "says little (default: 50 milliseconds; 0: at once)",
    )
    limits.add_argument(
        "--statement-timeout",
        metavar="SECONDS",
        type=argument(whole("number of seconds", 0, _MOST_SECONDS)),
        help="a statement that takes longer is stopped, and its charge stays (default: 300; 0: never)",
    )


def add_analyst(
    command: argparse.ArgumentParser, argument: Callable[..., Any], name: Callable[..., Any]
) -> None:
    """Add the actions of `analyst`, with their file, name and source of the password."""
    actions = command.add_subparsers(
        dest="action", metavar="ACTION", required=True, title="actions", help="what to do"
    )
    add = actions.add_parser("add", help="let an analyst log in, or change the password or the role")
    listed = actions.add_parser("list", help="show who may log in")
    remove = actions.add_parser("remove", help="let an analyst log in no more")
    change = actions.add_parser("set", help="say with which setting the sessions of an analyst begin")
    for action in (add, listed, remove, change):
        action.add_argument("file", metavar="FILE", type=DataPath, help="the data that is served")
        action.add_argument("--ledger", metavar="L", help="where its ledger is (default: FILE.ledger)")
        action.add_argument("--anchor", metavar="PATH", help="where the head of the ledger is kept")
        add_config(action)
    for action in (add, remove, change):
        action.add_argument("analyst", metavar="NAME", type=argument(name), help="as it logs in")
    change.add_argument(
        "setting",
        metavar="SETTING=VALUE",
        type=argument(_default),
        help="such as dp_intervals=columns; dp_intervals= for none",
    )
    source = add.add_mutually_exclusive_group()
    source.add_argument(
        "--password-stdin",
        action="store_true",
        default=None,
        help="read the password from standard input (default: ask for it)",
    )
    source.add_argument(
        "--password-file", metavar="F", type=Path, help="read the password from the first line of a file"
    )
    add_login(add, argument)


def add_check(command: argparse.ArgumentParser) -> None:
    """Add the argument of `check`."""
    command.add_argument(
        "config",
        metavar="CONFIG",
        nargs="?",
        type=Path,
        help="a file of settings (default: that of DPDUCK_CONFIG, else dpduck.toml if it is here)",
    )


def whole(what: str, low: int, high: int) -> Callable[[str], int]:
    """A parser of whole numbers in a range. Errors: ParameterError."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
            raise ParameterError(f"{text[:40]!r} is not a {what}", detail=f"It is from {low} to {high}.")
        return int(text)

    return read


def _bytes(text: str) -> int:
    """A size of memory in bytes. Errors: ParameterError.

    >>> _bytes("2MB"), _bytes("1GiB")
    (2000000, 1073741824)
    """
    size = parse_memory(text).strip().upper()
    number = int("".join(filter(str.isdigit, size)))
    return number * _UNITS["".join(filter(str.isalpha, size))]


def _default(text: str) -> tuple[str, str]:
    """A setting of sessions and its value. Errors: ParameterError, UnknownNameError.

    >>> _default("dp_intervals=columns")
    ('dp_intervals', 'columns')
    """
    name, _, value = text.partition("=")
    Settings().shown(name.strip().lower())
    if value.strip():
        Settings().set(name.strip().lower(), value.strip())
    return name.strip().lower(), value.strip()


def _web_address(text: str) -> str:
    if not text.startswith(("http://", "https://")):
        raise ParameterError(f"{text[:20]!r} is not an address", hint="Write https://host/path.")
    return text


def _milliseconds(text: str) -> float:
    return whole("number of milliseconds", 0, 60_000)(text) / 1000
