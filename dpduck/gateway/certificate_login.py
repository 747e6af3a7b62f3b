"""Log in by the certificate of a client: TLS has checked it, here it becomes a name."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpduck.errors import ParameterError


def take_client_certificates(context: ssl.SSLContext, authorities: Path) -> None:
    """Let clients show a certificate of these authorities; one of others ends the handshake.

    Input: a file of certificates in PEM, and of their lists of what is revoked if there are any; with a list,
        a certificate is taken only if the list of its authority does not have it.
    Errors: ParameterError.
    """
    try:
        context.load_verify_locations(authorities)
        revoked = "-----BEGIN X509 CRL-----" in authorities.read_text(encoding="ascii", errors="replace")
    except OSError as error:  # ssl.SSLError is one
        plain = not isinstance(error, ssl.SSLError) and error.strerror
        reason = error.strerror.lower() if plain and error.strerror else "it has no certificate in PEM"
    else:
        if revoked:
            context.verify_flags |= ssl.VerifyFlags.VERIFY_CRL_CHECK_LEAF
        context.verify_mode = ssl.CERT_OPTIONAL
        return
    raise ParameterError(
        "the authorities of clients cannot be used", detail=f"Reading {authorities}: {reason}."
    )


def name_in(certificate: Mapping[str, Any] | None) -> str | None:
    """The common name of a certificate that was checked. Input: as of `SSLObject.getpeercert`.

    Output: None if none was shown; '' if it has no common name, or several: it names nobody then.

    >>> name_in({"subject": ((("countryName", "DE"),), (("commonName", "ana"),))})
    'ana'
    """
    if not certificate:
        return None
    pairs = [pair for part in certificate.get("subject", ()) for pair in part]
    names = [value for key, value in pairs if key == "commonName"]
    return str(names[0]) if len(names) == 1 else ""
