"""The messages of a client in the Postgres protocol, version 3, and how each is parsed.

A reader takes a message's body, checks every length and every byte of it, and has no state of the connection.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

UTF8 = "utf-8"


class MalformedError(ValueError):
    """Bytes that are not a valid message; the text gives the reason without quoting them."""


@dataclass(frozen=True)
class Message:
    """A message of a client."""


@dataclass(frozen=True)
class SslRequest(Message):
    """Asks for TLS."""


@dataclass(frozen=True)
class GssRequest(Message):
    """Asks for GSSAPI encryption."""


@dataclass(frozen=True)
class CancelRequest(Message):
    """Asks to cancel the statement of another connection; the secret authorises it."""

    pid: int
    secret: int


@dataclass(frozen=True)
class Startup(Message):
    """Opens a session: user, database and settings. `minor`: of the protocol's version."""

    parameters: Mapping[str, str]
    minor: int = 0

    @property
    def unknown_options(self) -> tuple[str, ...]:
        """Options of a later version of the protocol."""
        return tuple(name for name in self.parameters if name.startswith("_pq_."))


@dataclass(frozen=True)
class Password(Message):
    """What the client's user typed as a password, or a token in its place."""

    text: str = field(repr=False)


@dataclass(frozen=True)
class SaslInitial(Message):
    """The first step of SASL authentication."""

    mechanism: str
    data: bytes


@dataclass(frozen=True)
class SaslResponse(Message):
    """The last step of SASL authentication."""

    data: bytes


@dataclass(frozen=True)
class Query(Message):
    """Runs a text that may contain several statements."""

    sql: str


@dataclass(frozen=True)
class Parse(Message):
    """Prepares a statement. `types`: OIDs of its first parameters, 0 if the server is to decide."""

    name: str
    sql: str
    types: tuple[int, ...]


@dataclass(frozen=True)
class Bind(Message):
    """Creates a portal from a prepared statement and values. Formats: 0 text, 1 binary; one is for all."""

    portal: str
    statement: str
    formats: tuple[int, ...]
    values: tuple[bytes | None, ...]
    result_formats: tuple[int, ...]


@dataclass(frozen=True)
class DescribeStatement(Message):
    """Asks for the parameters and columns of a statement."""

    name: str


@dataclass(frozen=True)
class DescribePortal(Message):
    """Asks for the columns of a portal."""

    name: str


@dataclass(frozen=True)
class Execute(Message):
    """Runs a portal. `limit`: the largest number of rows to send now, 0: all."""

    portal: str
    limit: int


@dataclass(frozen=True)
class CloseStatement(Message):
    """Drops a prepared statement."""

    name: str


@dataclass(frozen=True)
class ClosePortal(Message):
    """Drops a portal."""

    name: str


@dataclass(frozen=True)
class Flush(Message):
    """Asks for all pending replies."""


@dataclass(frozen=True)
class Sync(Message):
    """Ends a sequence of messages; after an error, processing resumes here."""


@dataclass(frozen=True)
class FunctionCall(Message):
    """Calls a function by its OID: obsolete, and refused."""


@dataclass(frozen=True)
class CopyInput(Message):
    """Part of a COPY from the client, which is never expected."""


@dataclass(frozen=True)
class Terminate(Message):
    """Ends the connection."""


class _Body:
    """A cursor over the body of a message. Input: the codec of its texts."""

    def __init__(self, data: bytes, codec: str = UTF8) -> None:
        self._data = data
        self._codec = codec
        self._at = 0

    def text(self) -> str:
        end = self._data.find(b"\0", self._at)
        if end < 0:
            raise MalformedError("a text without an end")
        raw, self._at = self._data[self._at : end], end + 1
        try:
            return raw.decode(self._codec)
        except UnicodeDecodeError:
            pass
        raise MalformedError(f"a text that is not {self._codec.upper()}")

    def take(self, size: int) -> bytes:
        end = self._at + size
        if size < 0 or end > len(self._data):
            raise MalformedError("a length beyond the message")
        raw, self._at = self._data[self._at : end], end
        return raw

    def int16(self) -> int:
        return int.from_bytes(self.take(2), "big")

    def int32(self) -> int:
        return int.from_bytes(self.take(4), "big", signed=True)

    def oid(self) -> int:
        return int.from_bytes(self.take(4), "big")

    def field(self) -> bytes | None:
        size = self.int32()
        return None if size == -1 else self.take(size)

    def formats(self) -> tuple[int, ...]:
        codes = tuple(self.int16() for _ in range(self.int16()))
        if any(code not in (0, 1) for code in codes):
            raise MalformedError("a format that is neither text nor binary")
        return codes

    def rest(self) -> bytes:
        return self.take(len(self._data) - self._at)

    def end(self) -> None:
        if self._at != len(self._data):
            raise MalformedError("bytes after its end")


def read_opening(data: bytes) -> Message:
    """Parse the body of a first packet, which has no type byte. Errors: MalformedError."""
    body = _Body(data)
    code = body.oid()
    message: Message
    match code:
        case 80877103:
            message = SslRequest()
        case 80877104:
            message = GssRequest()
        case 80877102:
            message = CancelRequest(body.oid(), body.oid())
        case _ if code >> 16 == 3:
            return Startup(_parameters(body), code & 0xFFFF)
        case _:
            raise MalformedError("a version of the protocol that is not 3")
    body.end()
    return message


def _parameters(body: _Body) -> dict[str, str]:
    found: dict[str, str] = {}
    while name := body.text():
        found[name] = body.text()
    body.end()
    return found


def read_message(kind: int, data: bytes, *, authenticating: bool = False, codec: str = UTF8) -> Message:
    """Parse a message of a type, given as its byte.

    Input: `authenticating`: it is the last step of it; `codec`: of its texts.

    Errors: MalformedError.
    """
    if kind == ord("p"):
        return SaslResponse(data) if authenticating else _sasl_initial(data)
    reader = _READERS.get(kind)
    if reader is None:
        raise MalformedError("a message of no known type")
    body = _Body(data, codec)
    message = reader(body)
    body.end()
    return message


def read_password(data: bytes) -> Password:
    """Parse the body of a message that answers a question for a password. Errors: MalformedError."""
    body = _Body(data)
    message = Password(body.text())
    body.end()
    return message


def _sasl_initial(data: bytes) -> SaslInitial:
    body = _Body(data)
    message = SaslInitial(body.text(), body.field() or b"")
    body.end()
    return message


def _parse(body: _Body) -> Parse:
    return Parse(body.text(), body.text(), tuple(body.oid() for _ in range(body.int16())))


def _bind(body: _Body) -> Bind:
    portal, statement, formats = body.text(), body.text(), body.formats()
    values = tuple(body.field() for _ in range(body.int16()))
    if len(formats) > 1 and len(formats) != len(values):
        raise MalformedError("as many formats as neither one nor the values")
    return Bind(portal, statement, formats, values, body.formats())


def _describe(body: _Body) -> Message:
    return (DescribeStatement if _named_kind(body) == b"S" else DescribePortal)(body.text())


def _close(body: _Body) -> Message:
    return (CloseStatement if _named_kind(body) == b"S" else ClosePortal)(body.text())


def _named_kind(body: _Body) -> bytes:
    kind = body.take(1)
    if kind not in (b"S", b"P"):
        raise MalformedError("neither a statement nor a portal")
    return kind


def _execute(body: _Body) -> Execute:
    return Execute(body.text(), max(0, body.int32()))


def _ignored(message: Message) -> Callable[[_Body], Message]:
    def read(body: _Body) -> Message:
        body.rest()
        return message

    return read


_READERS: Mapping[int, Callable[[_Body], Message]] = {
    ord("Q"): lambda body: Query(body.text()),
    ord("P"): _parse,
    ord("B"): _bind,
    ord("D"): _describe,
    ord("E"): _execute,
    ord("C"): _close,
    ord("H"): lambda _: Flush(),
    ord("S"): lambda _: Sync(),
    ord("X"): lambda _: Terminate(),
    ord("F"): _ignored(FunctionCall()),
    ord("d"): _ignored(CopyInput()),
    ord("c"): _ignored(CopyInput()),
    ord("f"): _ignored(CopyInput()),
}
