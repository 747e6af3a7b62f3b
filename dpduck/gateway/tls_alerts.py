"""TLS that says why a handshake failed, as the standard asks: an old client is sent an alert.

asyncio closes the connection of a handshake that fails and drops what OpenSSL wanted to send last, so a
client of TLS 1.2 would see a connection that broke, and its user would look for the fault in the network.
Here the last bytes are sent before asyncio hears of the failure.
Source: RFC 8446, section 6.2 (protocol_version, unknown_ca, ...).
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_send: ContextVar[Callable[[bytes], None] | None] = ContextVar("_send", default=None)


@contextmanager
def alerts_to(send: Callable[[bytes], None]) -> Iterator[None]:
    """Handshakes that begin in the block send their alerts by a function, which must not wait."""
    token = _send.set(send)
    try:
        yield
    finally:
        _send.reset(token)


class AlertingObject(ssl.SSLObject):
    """The TLS side of a connection. `alert`: sends the last bytes of a handshake that fails."""

    alert: Callable[[], None] | None = None

    def do_handshake(self) -> None:
        """As of SSLObject."""
        try:
            super().do_handshake()
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise
        except ssl.SSLError:
            if self.alert is not None:
                self.alert()
            raise


class AlertingContext(ssl.SSLContext):
    """A context whose handshakes tell why they fail, where `alerts_to` says how."""

    sslobject_class = AlertingObject

    def wrap_bio(
        self,
        incoming: ssl.MemoryBIO,
        outgoing: ssl.MemoryBIO,
        server_side: bool = False,
        server_hostname: str | bytes | None = None,
        session: ssl.SSLSession | None = None,
    ) -> ssl.SSLObject:
        """As of SSLContext."""
        made = super().wrap_bio(incoming, outgoing, server_side, server_hostname, session)
        send = _send.get()
        if isinstance(made, AlertingObject) and send is not None:
            made.alert = lambda: send(outgoing.read())
        return made
