"""Bytes of a client to messages that may be said now: the protocol, without a socket.

wire.receive(bytes) -> messages, one by one; wire.tell(outcome) when one of them changes the state
"""

from __future__ import annotations

from collections.abc import Iterator

from dpduck.gateway.errors import ProtocolError
from dpduck.gateway.protocol.messages import MalformedError, Message, read_message, read_opening
from dpduck.gateway.protocol.states import TABLE, State, Transition

MOST_OPENING = 10_000  # bytes of a first packet
MOST_PROVING = 64 * 1024  # bytes of a message before its sender is known
MOST_READY = 64 * 1024 * 1024  # bytes of any other message


class Wire:
    """The receiving side of one connection.

    Output: `state`, for whoever wants to know.
    """

    def __init__(self) -> None:
        self.state = State.OPENING
        self._buffer = bytearray()

    @property
    def waits(self) -> bool:
        """Whether part of a message has come, and the rest has not."""
        return bool(self._buffer)

    def receive(self, data: bytes) -> Iterator[Message]:
        """Take bytes as they came; give the messages that are complete now.

        A message is read when it is asked for, so that what came of the one before counts.
        Errors: ProtocolError. No more can be received then.
        """
        self._buffer += data
        while (message := self._next()) is not None:
            yield message

    def tell(self, outcome: Transition) -> None:
        """Say what came of the last message."""
        self.state = TABLE[self.state][outcome]

    def _next(self) -> Message | None:
        if self.state is State.CLOSED:
            return None
        head = 4 if self.state is State.OPENING else 5
        if len(self._buffer) < head:
            return None
        size = int.from_bytes(self._buffer[head - 4 : head], "big", signed=True)
        self._check_size(size)
        end = head - 4 + size
        if len(self._buffer) < end:
            return None
        kind, body = self._buffer[0], bytes(self._buffer[head:end])
        del self._buffer[:end]
        return self._read(kind, body)

    def _check_size(self, size: int) -> None:
        most = {State.OPENING: MOST_OPENING, State.ASKED: MOST_PROVING, State.CHALLENGED: MOST_PROVING}
        if not 4 <= size <= most.get(self.state, MOST_READY):
            raise self._broken("a message of a length that is not allowed", f"Its length is {size} bytes.")

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
        return read_message(kind, body, proving=self.state is State.CHALLENGED)

    def _broken(self, what: str, detail: str) -> ProtocolError:
        self._buffer.clear()
        self.tell(Transition.ENDED)
        return ProtocolError(f"the client sent {what}", detail=detail)
