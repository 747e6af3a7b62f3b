"""Who may come in how, and how much the server bears."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from fractions import Fraction
from ipaddress import ip_address

from dpduck.gateway.errors import PlainError
from dpduck.gateway.transport import Transport


@dataclass(frozen=True)
class ServerLimits:
    """What the server bears.

    `connections`: of clients that have proved who they are; `unproven`: of others, of which the oldest make
        way for new ones, so that connections that say nothing keep nobody out.
    `quantum`: seconds of the public clock at whose ticks answers from private rows leave; 0: at once.
    `budget`: the most epsilon of one session, None: no cap of its own.
    `startup_seconds`: for a client to prove who it is; `statement_seconds`: for one statement, 0: any;
    `grace_seconds`: for statements that run when the server is told to end.
    """

    connections: int = 100
    unproven: int = 200
    quantum: float = 0.05
    budget: Fraction | None = None
    startup_seconds: float = 10.0
    statement_seconds: float = 300.0
    grace_seconds: float = 5.0


@dataclass(frozen=True)
class AccessRules:
    """How clients may come in.

    `context`: None: nobody encrypted; `plain`: from other hosts too not encrypted; `tls_only`: even from this
    one only encrypted.
    """

    context: ssl.SSLContext | None = None
    plain: bool = False
    tls_only: bool = False

    def check(self, link: Transport) -> None:
        """Errors: PlainError."""
        if link.encrypted or self.plain or (_is_local(link.peer) and not self.tls_only):
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
