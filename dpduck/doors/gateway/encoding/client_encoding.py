"""Clients that do not read UTF-8: what they send and are sent, from and to their encoding.

Everything inside is UTF-8. Whatever leaves is made as for any other client, and its texts are encoded anew at
the end, so that nothing else depends on a client's encoding.

Privacy: a character that the encoding does not have ends the statement with an error, mostly after the
charge. The error has one text, and whether it comes follows from rows that were released, and paid for.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dpduck.doors.gateway.encoding.pgtypes import BY_OID, ELEMENTS, pg_type
from dpduck.kernel.errors import DpduckError, ParameterError

_TEXTS = ("text", "varchar", "bpchar", "name", "json", "jsonb", "char", "unknown")
_ARRAY_HEAD, _DIMENSION = 12, 8  # bytes

Recode = Callable[[bytes], bytes]


class UntranslatableError(DpduckError):
    """A character that the client's encoding does not have, or bytes that are none in it."""

    sqlstate = "22P05"


@dataclass(frozen=True)
class ClientEncoding:
    """An encoding by PostgreSQL's name. `codec`: Python's name of it, None for UTF-8."""

    name: str
    codec: str | None = None

    def encode(self, text: bytes) -> bytes:
        """UTF-8 in the client's encoding. Errors: UntranslatableError, of which the text is constant."""
        if self.codec is None or text.isascii():
            return text
        try:
            return text.decode().encode(self.codec)
        except UnicodeError:
            pass
        raise self._missing(f"the answer has a character that {self.name} does not have")

    def decode(self, text: bytes) -> bytes:
        """The client's text in UTF-8. Errors: UntranslatableError."""
        if self.codec is None or text.isascii():
            return text
        try:
            return text.decode(self.codec).encode()
        except UnicodeError:
            pass
        raise self._missing(f"a parameter has bytes that are no text in {self.name}")

    def replaced(self, text: bytes) -> bytes:
        """UTF-8 in the client's encoding, with a question mark for each character that it does not have."""
        return text if self.codec is None else text.decode("utf-8", "replace").encode(self.codec, "replace")

    def check_name(self, name: str) -> None:
        """Errors: UntranslatableError, before anything is charged, if a column cannot be named."""
        if self.codec is None or name.isascii():
            return
        try:
            name.encode(self.codec)
        except UnicodeError:
            pass
        else:
            return
        raise self._missing(f"the answer has a column whose name {self.name} does not have")

    def _missing(self, what: str) -> UntranslatableError:
        return UntranslatableError(what, hint="SET client_encoding = 'UTF8'")


UTF8 = ClientEncoding("UTF8")
_LATIN1 = ClientEncoding("LATIN1", "latin-1")
_WIN1252 = ClientEncoding("WIN1252", "cp1252")
_ASCII = ClientEncoding("SQL_ASCII")  # bytes of no known meaning: those of UTF-8
_KNOWN = {
    "utf8": UTF8,
    "unicode": UTF8,
    "latin1": _LATIN1,
    "iso88591": _LATIN1,
    "win1252": _WIN1252,
    "windows1252": _WIN1252,
    "cp1252": _WIN1252,
    "sqlascii": _ASCII,
}


def encoding_of(name: str) -> ClientEncoding:
    """The encoding of a name, in PostgreSQL's spellings. Errors: ParameterError.

    >>> encoding_of("iso-8859-1").name, encoding_of("utf-8").codec
    ('LATIN1', None)
    """
    found = _KNOWN.get("".join(letter for letter in name.lower() if letter.isalnum()))
    if found is None:
        raise ParameterError(
            f"there is no client_encoding {name[:60]!r}",
            detail="There are UTF8, LATIN1, WIN1252 and SQL_ASCII, which is taken for UTF8.",
        )
    return found


# --- what clients send -----------------------------------------------------------------------------------


def decoded(oid: int, binary: bool, raw: bytes | None, encoding: ClientEncoding) -> bytes | None:
    """A parameter of a client in UTF-8. Input: the OID of its type, and whether it is in binary format.

    Errors: UntranslatableError.
    """
    if raw is None or encoding.codec is None:
        return raw
    recode = _recode(oid, binary, encoding.decode)
    return raw if recode is None else recode(raw)


# --- what clients are sent -------------------------------------------------------------------------------


def encoded_rows(
    rows: bytes, types: Sequence[str], formats: Sequence[int], encoding: ClientEncoding
) -> bytes:
    """DataRow messages with their texts in the client's encoding.

    Input: for each column its DuckDB type, and 0 for text or 1 for binary. Errors: UntranslatableError.
    """
    if encoding.codec is None:
        return rows
    recodes = [
        _recode(pg_type(kind).oid, bool(form), encoding.encode)
        for kind, form in zip(types, formats, strict=True)
    ]
    made, at = bytearray(), 0
    while at < len(rows):
        end = at + 1 + int.from_bytes(rows[at + 1 : at + 5], "big")
        body = _row(rows, at + 7, recodes)
        made += rows[at : at + 1] + struct.pack("!ih", 6 + len(body), len(recodes)) + body
        at = end
    return bytes(made)


def _row(rows: bytes, at: int, recodes: Sequence[Recode | None]) -> bytes:
    made = bytearray()
    for recode in recodes:
        size = int.from_bytes(rows[at : at + 4], "big", signed=True)
        field = rows[at + 4 : at + 4 + max(size, 0)]
        at += 4 + len(field)
        field = field if recode is None else recode(field)
        made += struct.pack("!i", size if size < 0 else len(field)) + field
    return bytes(made)


def encoded_lines(messages: bytes, encoding: ClientEncoding) -> bytes:
    """CopyData messages of text with their texts in the client's encoding. Errors: UntranslatableError."""
    return messages if encoding.codec is None else _each(messages, lambda _, body: encoding.encode(body))


def encoded_reply(reply: bytes, encoding: ClientEncoding) -> bytes:
    """Any other messages, with `?` for what the encoding does not have: names, errors, notices, settings."""
    if encoding.codec is None or reply.isascii() or reply[:1] in (b"D", b"d"):
        return reply

    def recode(kind: bytes, body: bytes) -> bytes:
        if kind == b"T":
            return _names(body, encoding.replaced)
        return encoding.replaced(body) if kind in _WHOLE else body

    return _each(reply, recode)


_WHOLE = (b"E", b"N", b"S", b"C")  # messages of texts alone


def _each(messages: bytes, recode: Callable[[bytes, bytes], bytes]) -> bytes:
    made, at = bytearray(), 0
    while at < len(messages):
        kind, end = messages[at : at + 1], at + 1 + int.from_bytes(messages[at + 1 : at + 5], "big")
        body = recode(kind, messages[at + 5 : end])
        made += kind + struct.pack("!i", 4 + len(body)) + body
        at = end
    return bytes(made)


def _names(body: bytes, recode: Recode) -> bytes:
    """A RowDescription: for each column its name, and 18 bytes of numbers."""
    made, at = bytearray(body[:2]), 2
    while at < len(body):
        end = body.index(b"\0", at)
        made += recode(body[at:end]) + body[end : end + 19]
        at = end + 19
    return bytes(made)


# --- values ----------------------------------------------------------------------------------------------


def _recode(oid: int, binary: bool, recode: Recode) -> Recode | None:
    """How a value is recoded; None if it has no text in it."""
    if not binary:
        return recode
    if oid in ELEMENTS:
        return (lambda raw: _array(raw, recode)) if ELEMENTS[oid].name in _TEXTS else None
    return recode if oid not in BY_OID or BY_OID[oid].name in _TEXTS else None


def _array(raw: bytes, recode: Recode) -> bytes:
    """An array of texts in binary format. What is malformed stays, for whoever reads it to refuse."""
    at = _ARRAY_HEAD + _DIMENSION * max(int.from_bytes(raw[:4], "big", signed=True), 0)
    made = bytearray(raw[:at])
    while at < len(raw):
        size = int.from_bytes(raw[at : at + 4], "big", signed=True)
        item = recode(raw[at + 4 : at + 4 + max(size, 0)])
        made += (raw[at : at + 4] if size < 0 else struct.pack("!i", len(item))) + item
        at += 4 + max(size, 0)
    return bytes(made)
