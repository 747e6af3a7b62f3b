"""The connections of browsers: shared by the networks they come from, and with a time for each request.

Else one address could hold all that there may be, saying nothing, or never the end of a request's head.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from dpduck.gateway.room import stranger
from dpduck.gateway.shares import HALVES, Shares

MOST = 400  # connections
HEAD_SECONDS = 10.0  # from when nothing is asked to the end of the next request's head
_FULL = b"There are too many connections from this address.\n"
_REFUSAL = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: text/plain\r\n" + (
    b"Content-Length: %d\r\n\r\n%s" % (len(_FULL), _FULL)
)


def shared_connections(most: int = MOST) -> Shares:
    """The connections of one console."""
    return Shares(most, HALVES)


class SharedProtocol(H11Protocol):
    """HTTP/1.1. Input: `shares`: of which each network has its own; `seconds`: for the head of a request."""

    def __init__(self, *given: Any, shares: Shares, seconds: float = HEAD_SECONDS, **named: Any) -> None:
        super().__init__(*given, **named)
        self._shares, self._seconds = shares, seconds
        self._network: Hashable = None  # whose share it has
        self._head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        network = stranger(self.client[0] if self.client else "")
        if not self._shares.take(network):
            transport.write(_REFUSAL)
            transport.close()
            return
        self._network = network
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._network is not None:
            self._shares.give_back(self._network)
            self._network = None
        if self._head is not None:
            self._head.cancel()

    def data_received(self, data: bytes) -> None:
        if self._network is not None:
            super().data_received(data)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._expect_head()

    def _expect_head(self) -> None:
        if self._head is not None:
            self._head.cancel()
        self._head = self.loop.call_later(self._seconds, self._late)

    def _late(self) -> None:
        """Close the connection, unless a request is being answered."""
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()
