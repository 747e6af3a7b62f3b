"""The messages of the server in the Postgres protocol, version 3, as bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence

from dpduck.doors.gateway.encoding.pgtypes import pg_type
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.errors.notices import Brief
from dpduck.kernel.plan.model import Output

MECHANISM = "SCRAM-SHA-256"
BOUND_MECHANISM = "SCRAM-SHA-256-PLUS"

YES_TLS, NO = b"S", b"N"

_NO_COLUMN = 0  # answers have no table OID


def _message(kind: bytes, body: bytes = b"") -> bytes:
    return kind + struct.pack("!i", len(body) + 4) + body


def _text(value: str) -> bytes:
    return value.replace("\0", "").encode("utf-8", "replace") + b"\0"


# --- authentication ------------------------------------------------------------------------------


def ask_authentication(mechanisms: Sequence[str] = (MECHANISM,)) -> bytes:
    """AuthenticationSASL, with the mechanisms offered."""
    return _message(b"R", struct.pack("!i", 10) + b"".join(map(_text, mechanisms)) + b"\0")


ASK_PASSWORD = _message(b"R", struct.pack("!i", 3))  # AuthenticationCleartextPassword
AUTHENTICATED = _message(b"R", struct.pack("!i", 0))  # AuthenticationOk


def challenge(data: bytes) -> bytes:
    """AuthenticationSASLContinue."""
    return _message(b"R", struct.pack("!i", 11) + data)


def authenticated(data: bytes) -> bytes:
    """AuthenticationSASLFinal, and AuthenticationOk."""
    return _message(b"R", struct.pack("!i", 12) + data) + _message(b"R", struct.pack("!i", 0))


def older_protocol(unknown_options: Sequence[str]) -> bytes:
    """NegotiateProtocolVersion: the server speaks 3.0, without these options."""
    options = b"".join(map(_text, unknown_options))
    return _message(b"v", struct.pack("!ii", 3 << 16, len(unknown_options)) + options)


def parameters(values: Mapping[str, str]) -> bytes:
    """ParameterStatus of each setting."""
    return b"".join(_message(b"S", _text(name) + _text(value)) for name, value in values.items())


def key(pid: int, secret: int) -> bytes:
    """BackendKeyData, which a cancel request must present."""
    return _message(b"K", struct.pack("!II", pid, secret))


# --- statements ----------------------------------------------------------------------------------


def ready(status: str) -> bytes:
    """ReadyForQuery. Input: I: no transaction, T: in one, E: in a failed one."""
    return _message(b"Z", status.encode())


def parameter_types(oids: Sequence[int]) -> bytes:
    """ParameterDescription."""
    return _message(b"t", struct.pack(f"!H{len(oids)}I", len(oids), *oids))


def columns(outputs: Sequence[Output], formats: Sequence[int]) -> bytes:
    """RowDescription. Input: a format for each column."""
    return _message(b"T", struct.pack("!H", len(outputs)) + b"".join(map(_column, outputs, formats)))


def _column(output: Output, form: int) -> bytes:
    kind = pg_type(output.type)
    numbers = struct.pack("!IhIhih", _NO_COLUMN, 0, kind.oid, kind.size, kind.modifier, form)
    return _text(output.name) + numbers


def copy_out(form: int, count: int) -> bytes:
    """CopyOutResponse."""
    return _message(b"H", struct.pack(f"!bH{count}H", form, count, *[form] * count))


def complete(tag: str) -> bytes:
    """CommandComplete."""
    return _message(b"C", _text(tag))


PARSED = _message(b"1")
BOUND = _message(b"2")
CLOSED = _message(b"3")
NO_COLUMNS = _message(b"n")
SUSPENDED = _message(b"s")
NO_STATEMENT = _message(b"I")
COPIED = _message(b"c")


# --- errors and notices --------------------------------------------------------------------------


def error(failure: DpduckError, *, severity: str = "ERROR", sqlstate: str | None = None) -> bytes:
    """ErrorResponse. Input: ERROR ends a statement, FATAL the connection."""
    fields = {
        "S": severity,
        "V": severity,
        "C": sqlstate or failure.sqlstate,
        "M": failure.message,
        "D": failure.detail,
        "H": failure.hint,
        "P": None if failure.position is None else str(failure.position),
    }
    return _message(b"E", _fields(fields))


def notice(
    text: str, *, detail: str = "", hint: str = "", severity: str = "NOTICE", sqlstate: str = "00000"
) -> bytes:
    """NoticeResponse."""
    fields = {"S": severity, "V": severity, "C": sqlstate, "M": text, "D": detail or None, "H": hint or None}
    return _message(b"N", _fields(fields))


def notices(brief: Brief) -> Iterator[bytes]:
    """NoticeResponses of an answer: of each line; the last one has what more there is to say."""
    *first, last = brief.lines or brief.details[:1] or ("",)
    yield from map(notice, first)
    if last:
        yield notice(last, detail="\n".join(brief.details), hint="\n".join(brief.hints))


def _fields(fields: Mapping[str, str | None]) -> bytes:
    said = [name.encode() + _text(value) for name, value in fields.items() if value is not None]
    return b"".join(said) + b"\0"
