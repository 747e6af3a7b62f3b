"""One asyncio connection: bytes to read and to write, which can be switched to TLS."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast

MOST_UNREAD = 256 * 1024  # unread bytes before reading is paused
MOST_UNKNOWN = 128 * 1024  # unread bytes at which a client that is not known yet is cut off

_SECONDS_TO_PART = 1.0  # for the TLS shutdown, which an idle client does not answer


class Transport(asyncio.Protocol):
    """A connection. Input: `opened`: called with it; `lost`: called when the client is gone."""

    def __init__(self, opened: Callable[[Transport], None]) -> None:
        self.lost: Callable[[], None] = lambda: None
        self._opened = opened
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._unread = bytearray()
        self._came = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._ended = False
        self.is_known = False  # whether the client has said who it is
        self.binding: bytes | None = None  # what a login is bound to, once the connection is encrypted

    # --- called by asyncio -----------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._opened(self)

    def data_received(self, data: bytes) -> None:
        self._unread += data
        self._came.set()
        if not self.is_known and len(self._unread) > MOST_UNKNOWN:
            self._unread.clear()
            self.abort()
        if len(self._unread) > MOST_UNREAD and self._transport is not None:
            self._transport.pause_reading()

    def eof_received(self) -> bool:
        self._end()
        return False

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002
        self._end()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    # --- called by the server --------------------------------------------------------------------

    @property
    def peer(self) -> str:
        """The address of the client; empty for one on a socket of the file system."""
        name = None if self._transport is None else self._transport.get_extra_info("peername")
        return str(name[0]) if isinstance(name, tuple) else ""

    @property
    def is_local_socket(self) -> bool:
        """Whether the client came over a socket of the file system."""
        place = None if self._transport is None else self._transport.get_extra_info("sockname")
        return isinstance(place, str)

    @property
    def client_certificate(self) -> Mapping[str, Any] | None:
        """The certificate that the client has shown, checked in the handshake; None if it showed none."""
        tls = None if self._transport is None else self._transport.get_extra_info("ssl_object")
        return None if tls is None else tls.getpeercert()

    @property
    def encrypted(self) -> bool:
        """Whether the connection uses TLS."""
        return self._transport is not None and self._transport.get_extra_info("ssl_object") is not None

    @property
    def ended(self) -> bool:
        """Whether the client is gone."""
        return self._ended

    @property
    def is_full(self) -> bool:
        """Whether the client is slow to read what was written."""
        return not self._writable.is_set()

    async def read(self) -> bytes:
        """The next received bytes; empty if the client is gone."""
        while not self._unread and not self._ended:
            await self._came.wait()
            if not self._ended:
                self._came.clear()
        data = bytes(self._unread)
        self._unread.clear()
        if not self._ended and self._transport is not None and not self._transport.is_reading():
            self._transport.resume_reading()
        return data

    async def write(self, data: bytes) -> None:
        """Send bytes, and wait while the client is slow to read them. Errors: ConnectionResetError."""
        if self._ended or self._transport is None:
            raise ConnectionResetError
        if data:
            self._transport.write(data)
        await self._writable.wait()

    async def encrypt(self, context: ssl.SSLContext, seconds: float, binding: bytes | None = None) -> None:
        """Switch to TLS. Input: what logins over it are bound to.

        Errors: ConnectionResetError if that fails, or if unencrypted bytes came in.
        Unencrypted bytes after the request for TLS might come from an attacker in between.
        """
        if self._unread or self._transport is None:
            raise ConnectionResetError
        try:
            with alerts_to(self._transport.write):
                made = await self._loop.start_tls(
                    self._transport,
                    self,
                    context,
                    server_side=True,
                    ssl_handshake_timeout=seconds,
                    ssl_shutdown_timeout=_SECONDS_TO_PART,
                )
        except (OSError, TimeoutError):
            made = None
        if made is None:
            self.close()
            raise ConnectionResetError
        self._transport, self.binding = made, binding

    def close(self) -> None:
        """Close the connection once everything written is sent."""
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """Close the connection immediately."""
        if self._transport is not None:
            self._transport.abort()

    def _end(self) -> None:
        self._ended = True
        self._came.set()
        self._writable.set()
        self.lost()


# TLS that says why a handshake failed, as the standard asks: an old client is sent an alert.
#
# asyncio closes the connection of a handshake that fails and drops what OpenSSL wanted to send last, so a
# client of TLS 1.2 would see a connection that broke, and its user would look for the fault in the network.
# Here the last bytes are sent before asyncio hears of the failure.
# Source: RFC 8446, section 6.2 (protocol_version, unknown_ca, ...).


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
