"""Access rules for clients, and the capacity of the server."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from fractions import Fraction
from ipaddress import ip_address
from typing import Protocol

from dpduck.doors.gateway.errors import PlainError
from dpduck.doors.gateway.login_names import LoginNames
from dpduck.doors.gateway.transport import Transport


@dataclass(frozen=True)
class ServerLimits:
    """Limits of the server.

    `connections`: of authenticated clients; `connections_of_name`: of them by one name, None: a quarter;
        `unauthenticated`: of others, the oldest of which make way for new ones, so that silent connections
        keep no client out.
    `statements`: that run at once, half of them by one name, 0: by the number of processors;
        `message_bytes`: of what clients have sent of unfinished messages, and keep, half of it by one name.
    `quantum`: seconds between ticks of the public clock at which answers from private rows leave; 0: at once.
    `budget`: a cap on the epsilon of each session, None: no cap.
    `startup_seconds`: the timeout for authentication; `statement_seconds`: for one statement, 0: none;
    `grace_seconds`: for running statements at a shutdown; `message_seconds`: for a message that was begun;
    `idle_seconds`: of silence after which a connection ends, 0: none.
    """

    connections: int = 100
    connections_of_name: int | None = None
    unauthenticated: int = 200
    statements: int = 0
    message_bytes: int = 64 * 1024 * 1024
    quantum: float = 0.05
    budget: Fraction | None = None
    startup_seconds: float = 10.0
    statement_seconds: float = 300.0
    grace_seconds: float = 5.0
    message_seconds: float = 60.0
    idle_seconds: float = 0.0


class TokenReader(Protocol):
    """What finds out whom a token names."""

    def name_in(self, token: str) -> str:
        """The name in a valid token. Errors: TokenError."""


@dataclass(frozen=True)
class AccessRules:
    """How clients may connect.

    `context`: None: TLS is not available; `plain`: other hosts may connect without encryption; `tls_only`:
    even this host must encrypt, except over a socket of its file system, where nobody can be in between.
    `binding`: what binds a login to a connection that `context` encrypts; `tokens`: None: none are taken;
    `names`: which analyst a certificate or token stands for.
    """

    context: ssl.SSLContext | None = None
    plain: bool = False
    tls_only: bool = False
    binding: bytes | None = None
    tokens: TokenReader | None = None
    names: LoginNames = field(default_factory=LoginNames)

    def check(self, transport: Transport) -> None:
        """Errors: PlainError."""
        if transport.encrypted or transport.is_local_socket or self.plain:
            return
        if _is_local(transport.peer) and not self.tls_only:
            return
        hint = (
            "Connect with sslmode=require."
            if self.context
            else "Start the server with --tls-cert and --tls-key."
        )
        raise PlainError(
            "the connection is not encrypted",
            detail="Answers would be read along, and requests changed, by whoever is between.",
            hint=hint,
        )


def _is_local(address: str) -> bool:
    try:
        return ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return False
