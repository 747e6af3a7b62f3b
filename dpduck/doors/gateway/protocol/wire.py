"""Parse a client's bytes into messages that its state allows: the protocol, without a socket.

wire.receive(bytes) -> messages, one by one; wire.tell(outcome) when one of them changes the state
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dpduck.doors.gateway.errors import ProtocolError, no_room
from dpduck.doors.gateway.protocol.messages import (
    UTF8,
    MalformedError,
    Message,
    read_message,
    read_opening,
    read_password,
)
from dpduck.doors.gateway.protocol.states import TABLE, State, Transition
from dpduck.doors.gateway.shares import Holding

MAX_OPENING = 10_000  # bytes of a first packet
MAX_AUTHENTICATING = 64 * 1024  # bytes of a message before authentication
MAX_READY = 64 * 1024 * 1024  # bytes of any other message
FREE = 64 * 1024  # bytes of a message for which no room is asked
_MESSAGE = "message"


class Wire:
    """The receiving side of one connection.

    `state`: its present state; `codec`: says the encoding of the client's texts, None for UTF-8; `holding`:
    where room is asked for a long message, as soon as its length has come; `count`: of messages so far.
    """

    def __init__(self) -> None:
        self.state = State.OPENING
        self.codec: Callable[[], str | None] = lambda: None
        self.holding = Holding()
        self.count = 0
        self._buffer = bytearray()

    @property
    def waits(self) -> bool:
        """Whether a message has arrived in part."""
        return bool(self._buffer)

    def receive(self, data: bytes) -> Iterator[Message]:
        """Add received bytes, and yield the messages that are complete.

        Each message is parsed only when requested, in the state that the outcome of the previous one left.
        Errors: ProtocolError. Nothing more can be received then.
        """
        self._buffer += data
        while (message := self._next()) is not None:
            yield message

    def tell(self, outcome: Transition) -> None:
        """Record the outcome of the last message."""
        self.state = TABLE[self.state][outcome]

    def _next(self) -> Message | None:
        if self.state is State.CLOSED:
            return None
        head = 4 if self.state is State.OPENING else 5
        if len(self._buffer) < head:
            self.holding.resize(_MESSAGE, 0)  # the message before was answered
            return None
        size = int.from_bytes(self._buffer[head - 4 : head], "big", signed=True)
        self._check_size(size)
        self._check_room(size)
        end = head - 4 + size
        if len(self._buffer) < end:
            return None
        with memoryview(self._buffer) as view:
            kind, body = view[0], bytes(view[head:end])
        del self._buffer[:end]
        self.count += 1
        return self._read(kind, body)

    def _check_size(self, size: int) -> None:
        most = {
            State.OPENING: MAX_OPENING,
            State.ASKED: MAX_AUTHENTICATING,
            State.ASKED_PASSWORD: MAX_AUTHENTICATING,
            State.CHALLENGED: MAX_AUTHENTICATING,
        }
        if not 4 <= size <= most.get(self.state, MAX_READY):
            raise self._broken("a message of a length that is not allowed", f"Its length is {size} bytes.")

    def _check_room(self, size: int) -> None:
        """Hold a message from when its length has come until it is answered. Errors: NoRoomError."""
        if not self.holding.resize(_MESSAGE, size if size > FREE else 0):
            self._buffer.clear()
            self.tell(Transition.ENDED)
            raise no_room()

    def _read(self, kind: int, body: bytes) -> Message:
        try:
            message = self._message(kind, body)
        except MalformedError as error:
            reason = str(error)
        else:
            after = TABLE[self.state].get(type(message))
            if after is not None:
                self.state = after
                return message
            reason = f"{type(message).__name__}, which may not be said now"
        raise self._broken("a message that is not understood", f"It is {reason}.")

    def _message(self, kind: int, body: bytes) -> Message:
        if self.state is State.OPENING:
            return read_opening(body)
        if self.state is State.ASKED_PASSWORD and kind == ord("p"):
            return read_password(body)
        codec = self.codec() or UTF8
        return read_message(kind, body, authenticating=self.state is State.CHALLENGED, codec=codec)

    def _broken(self, what: str, detail: str) -> ProtocolError:
        self._buffer.clear()
        self.tell(Transition.ENDED)
        return ProtocolError(f"the client sent {what}", detail=detail)
