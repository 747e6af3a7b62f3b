"""The command line of who logs in to a server, and how: sockets, certificates of clients, tokens."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from dpduck.kernel.errors import ParameterError
from dpduck.kernel.ledger import Role

_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}
MOST_GRACE = timedelta(days=30)


@dataclass(frozen=True)
class LoginOptions:
    """Options of the server about who comes in."""

    socket: Path | None = None
    socket_group: str | None = None
    client_ca: Path | None = None
    login_map: Path | None = None
    oidc_issuer: str | None = None
    oidc_audience: str | None = None
    oidc_jwks: str | None = None
    oidc_claim: str | None = None

    @property
    def takes_tokens(self) -> bool:
        """Whether any option about tokens is given."""
        return any((self.oidc_issuer, self.oidc_audience, self.oidc_jwks, self.oidc_claim))


def add_logins(command: argparse.ArgumentParser, argument: Callable[..., Any]) -> None:
    """Add the options of `serve`. Input: a function that turns parsers of values into those of argparse."""
    where = command.add_argument_group("a socket of the file system")
    where.add_argument("--socket", metavar="DIR", type=Path, help="listen on DIR/.s.PGSQL.PORT too")
    where.add_argument(
        "--socket-group", metavar="G", help="who may use it besides this account (default: nobody)"
    )
    who = command.add_argument_group("who logs in without a password")
    who.add_argument(
        "--client-ca",
        metavar="F",
        type=Path,
        help="authorities in PEM, whose certificates let clients in by their common name; with lists of what "
        "is revoked if there are any",
    )
    who.add_argument(
        "--login-map",
        metavar="F",
        type=Path,
        help="in TOML, [certificate] and [token]: which analyst a name there is (default: of the same name)",
    )
    who.add_argument(
        "--oidc-issuer",
        metavar="URL",
        type=argument(_https),
        help="whose tokens let clients in that connect with options='-c dp_login=token'",
    )
    who.add_argument("--oidc-audience", metavar="A", help="for whom its tokens have to be")
    who.add_argument(
        "--oidc-jwks", metavar="F", type=argument(_keys), help="its keys as JWKS: a file, or an https address"
    )
    who.add_argument("--oidc-claim", metavar="C", help="what names the person in a token (default: sub)")


def add_login(add: argparse.ArgumentParser, argument: Callable[..., Any]) -> None:
    """Add the options of `analyst add` about roles and passwords."""
    add.add_argument(
        "--role",
        choices=[role.value for role in Role],
        help="an auditor sees the ledger and is given no answers; an owner asks, and sees it too "
        "(default: as it was, at first analyst)",
    )
    add.add_argument(
        "--no-password",
        action="store_true",
        default=None,
        help="let in by certificate or token alone",
    )
    add.add_argument(
        "--grace",
        metavar="TIME",
        type=argument(_grace),
        help="how long the password before holds too, such as 30m, 24h or 7d (default: not at all)",
    )


def _grace(text: str) -> timedelta:
    number, unit = text[:-1], text[-1:]
    if number.isascii() and number.isdigit() and len(number) < 6 and unit in _UNITS:
        found = int(number) * _UNITS[unit]
        if found <= MOST_GRACE:
            return found
    raise ParameterError(
        f"{text[:20]!r} is not how long a password holds", hint="Write 30m, 24h or 7d; 30 days at most."
    )


def _https(text: str) -> str:
    if not text.startswith("https://"):
        raise ParameterError(f"{text[:60]!r} is not an https address", hint="Write https://host/path.")
    return text


def _keys(text: str) -> str:
    return _https(text) if "://" in text else text
