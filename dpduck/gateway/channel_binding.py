"""What binds a login to the TLS connection that it goes over: a digest of the server's certificate.

With it a proof of a password holds for one server only: whoever stands in between with another certificate,
even one that the client takes, cannot pass it on.
Source: RFC 5929, section 4.1 (tls-server-end-point).
"""

from __future__ import annotations

import hashlib
import ssl
from contextlib import suppress

from asn1crypto.x509 import Certificate

BINDING_TYPE = "tls-server-end-point"

_WEAK = ("md5", "sha1")  # RFC 5929: SHA-256 takes their place
_WITHOUT_HASH = ("ed25519", "ed448")  # they hash inside; libpq finds no digest either, and gives up
_ROUNDS = 10  # of messages; a handshake of TLS 1.3 needs three


def endpoint_binding(context: ssl.SSLContext | None) -> bytes | None:
    """The digest of the certificate that a server with this context shows.

    Output: None without TLS, and for a certificate whose signature names no hash, such as one of Ed25519:
        there clients have no binding either.
    """
    shown = None if context is None else _shown(context)
    if shown is None:
        return None
    certificate = Certificate.load(shown)
    try:
        algorithm = str(certificate.hash_algo)
    except ValueError:
        return None
    if certificate.signature_algo in _WITHOUT_HASH:
        return None
    return hashlib.new("sha256" if algorithm in _WEAK else algorithm, shown).digest()


def _shown(context: ssl.SSLContext) -> bytes | None:
    """The certificate as a client is shown it, in DER.

    It is asked of the context, by a handshake in memory: the file may have changed since it was loaded.
    """
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    asking = client.wrap_bio(to_client, to_server)
    asked = context.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(_ROUNDS):
        try:
            asking.do_handshake()
        except ssl.SSLWantReadError:
            with suppress(ssl.SSLWantReadError):
                asked.do_handshake()
        else:
            break
    return asking.getpeercert(binary_form=True)
