"""The certificate of the server: loaded with its key, and until when clients will take it."""

from __future__ import annotations

import ssl
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from dpduck.kernel.errors import ParameterError

# OpenSSL's codes of why a certificate is not taken.
_NOT_YET, _EXPIRED = 9, 10
_ROUNDS = 10  # of messages; a handshake of TLS 1.3 needs three


def load_pair(cert: Path, key: Path) -> ssl.SSLContext:
    """TLS 1.3 with a certificate and its key. Errors: ParameterError if they cannot be read or do not fit."""
    alerting = import_module("dpduck.doors.gateway.transport").AlertingContext
    context: ssl.SSLContext = alerting(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    try:
        # Without the function OpenSSL would ask for a passphrase, and wait for whoever started the server.
        context.load_cert_chain(cert, key, password=lambda: b"")
    except (OSError, ssl.SSLError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "they do not fit"
    else:
        return context
    raise ParameterError(
        "the certificate or its key cannot be used",
        detail=f"Reading {cert} and {key}: {reason}.",
        hint="Both are files in PEM; the key has no passphrase.",
    )


def end_of(cert: Path, context: ssl.SSLContext) -> datetime | str | None:
    """Until when a certificate is valid (UTC); a text if it is not valid now; None if that cannot be told.

    The standard library has no reader of certificates, so a client in memory greets a server in memory: what
    it says of the certificate is what clients that check it will say.
    Input: the certificate, and the context that it was loaded into.
    """
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname = False
    client.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN  # so that it need not be a root
    client.load_verify_locations(cert)
    try:
        said = _greet(client, context)
    except ssl.SSLCertVerificationError as error:
        return {_EXPIRED: "has expired", _NOT_YET: "is not valid yet"}.get(error.verify_code)
    except ssl.SSLError:
        return None
    until = said.get("notAfter")
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(str(until)), UTC) if until else None


def _greet(client: ssl.SSLContext, server: ssl.SSLContext) -> dict[str, object]:
    """The certificate as a client sees it. Errors: ssl.SSLError."""
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    asking = client.wrap_bio(to_client, to_server)
    asked = server.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(_ROUNDS):
        try:
            asking.do_handshake()
            break
        except ssl.SSLWantReadError:
            with suppress(ssl.SSLWantReadError):
                asked.do_handshake()
    return dict(asking.getpeercert() or {})
