"""Authentication by SCRAM-SHA-256 (RFC 5802, RFC 7677): no password crosses the wire, or is stored.

Over TLS the proof can be bound to the server's certificate (SCRAM-SHA-256-PLUS). A client that could do so,
and says that the server could not, has been lied to by somebody in between, and is refused.

An unknown name gets a challenge too, so that names cannot be probed. Its salt is derived from the name
and from a secret that is stored with the verifiers, and so is the salt of each new verifier: it is
the same before a name is added and after, and at each start of the server.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import ssl
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from asn1crypto.x509 import Certificate
from scramp import ScramException, ScramMechanism

from dpduck.doors.gateway.errors import BindingError
from dpduck.doors.gateway.protocol.replies import BOUND_MECHANISM, MECHANISM
from dpduck.kernel.errors import AuthenticationError, LedgerError, ParameterError
from dpduck.kernel.ledger import Ledger

ITERATIONS = 32_768  # of the hash, against guessing with a stolen verifier
MIN_PASSWORD = 8
MAX_PASSWORD = 1_000

_VERIFIER = re.compile(r"SCRAM-SHA-256\$(\d{1,8}):([^$:]+)\$([^$:]+):([^$:]+)", re.ASCII)
# libpq omits the name here, since the first packet had it; scramp requires one.
_NAMELESS = re.compile(r"^([^,]*,[^,]*,n=),")


def secret_of(ledger: Ledger) -> bytes:
    """The ledger's secret for salts, which never changes. Errors: LedgerError."""
    return ledger.login_secret(secrets.token_bytes(32))


def salt_of(name: str, secret: bytes) -> bytes:
    """The salt in the challenge for a name, whether it exists or not."""
    return _derived("salt", name, secret)


def verifier_of(password: str, salt: bytes | None = None) -> str:
    """The verifier of a password, in PostgreSQL's format. Errors: ParameterError.

    Input: the salt of its name (default: a random one).

    >>> verifier_of("correct horse battery").startswith("SCRAM-SHA-256$32768:")
    True
    """
    if not MIN_PASSWORD <= len(password) <= MAX_PASSWORD:
        raise ParameterError(
            f"a password has from {MIN_PASSWORD} to {MAX_PASSWORD} characters",
            hint="A long random one is best: a client keeps it for you.",
        )
    try:
        used, stored, server, iterations = _mechanism().make_auth_info(password, ITERATIONS, salt)
    except ScramException:
        pass
    else:
        return f"{MECHANISM}${iterations}:{_text(used)}${_text(stored)}:{_text(server)}"
    raise ParameterError(
        "the password has a character that is not allowed in one", hint="Use letters and digits."
    )


def is_password(
    password: str, name: str, verifier: str | None, secret: bytes, *, former: str | None = None
) -> bool:
    """Whether a password, which was sent as such, is that of a verifier, or of an earlier one that holds too.

    Input: as of `Authentication`. An unknown name takes as long as a known one.
    """
    nobody = _unknown_keys(name, secret)
    keys = nobody if verifier is None else _keys(verifier)
    earlier = nobody if former is None or verifier is None else _keys(former)
    try:
        _, stored, _, _ = _mechanism().make_auth_info(password[:MAX_PASSWORD], keys.iterations, keys.salt)
    except ScramException:
        return False
    same = (earlier.salt, earlier.iterations) == (keys.salt, keys.iterations)
    found = hmac.compare_digest(stored, keys.stored)
    before = hmac.compare_digest(stored, earlier.stored)
    return verifier is not None and (found or (before and same))


@dataclass(frozen=True)
class _Keys:
    salt: bytes
    stored: bytes
    server: bytes
    iterations: int


def _keys(verifier: str) -> _Keys:
    found = _VERIFIER.fullmatch(verifier)
    if found is None:
        raise LedgerError(
            "a verifier in the ledger is damaged", hint="dpduck analyst add FILE NAME sets it anew."
        )
    salt, stored, server = (base64.b64decode(part) for part in found.group(2, 3, 4))
    return _Keys(salt, stored, server, int(found[1]))


def offered(binding: bytes | None) -> tuple[str, ...]:
    """The mechanisms that a client may choose from. Input: what binds logins to its connection."""
    return (MECHANISM,) if binding is None else (BOUND_MECHANISM, MECHANISM)


class Authentication:
    """One authentication attempt.

    Input: the name; its verifier (None: it has no password); a secret of the server from which the challenge
        for an unknown name is derived; `former`: the verifier of an earlier password that holds too;
        `binding`: what binds it to its connection.
    Errors: AuthenticationError, always the same for a name; BindingError, the same for all names.
    """

    def __init__(
        self,
        name: str,
        verifier: str | None,
        secret: bytes,
        *,
        former: str | None = None,
        binding: bytes | None = None,
    ) -> None:
        self._name = name
        self._binding = None if binding is None else (BINDING_TYPE, binding)
        nobody = _unknown_keys(name, secret)  # always computed, so that timing reveals nothing
        self._known = verifier is not None
        keys = nobody if verifier is None else _keys(verifier)
        earlier = nobody if former is None or verifier is None else _keys(former)
        # One challenge is for both, so an earlier password of another salt cannot be proved.
        fits = (earlier.salt, earlier.iterations) == (keys.salt, keys.iterations)
        self._candidates = (keys, earlier if fits else replace(nobody, salt=keys.salt))
        self._servers: list[Any] = []

    def challenge(self, mechanism: str, first: bytes) -> bytes:
        """The challenge to a client's first message."""
        if mechanism not in offered(self._binding and self._binding[1]):
            raise self._refused()
        self._check_binding(mechanism, first)
        try:
            said = first.decode()
            nonce = secrets.token_hex()
            self._servers = [self._server(keys, nonce, said) for keys in self._candidates]
            told, *_ = [str(server.get_server_first()) for server in self._servers]  # all say the same
            return told.encode()
        except (ScramException, UnicodeDecodeError, IndexError):
            pass
        raise self._refused()

    def _server(self, keys: _Keys, nonce: str, said: str) -> Any:
        server = _mechanism().make_server(
            lambda _: (keys.salt, keys.stored, keys.server, keys.iterations), self._binding, nonce
        )
        server.set_client_first(_NAMELESS.sub(r"\1*,", said))
        # The client's proof covers its message as sent.
        server.client_first_bare = said.split(",", 2)[2]
        return server

    def _check_binding(self, mechanism: str, first: bytes) -> None:
        """Errors: BindingError if the client's flag is not that of its mechanism, or tells of a lie."""
        if first.startswith(b"y,") and self._binding is not None:
            raise BindingError(
                "the login is not bound to this connection",
                detail="The client can bind it, and was told that the server cannot. It can: somebody in "
                "between may have said so.",
                hint="Connect with channel_binding=require.",
            )
        if first.startswith(b"p=") != (mechanism == BOUND_MECHANISM):
            raise BindingError(
                "the client's first message does not fit its mechanism",
                detail=f"A login is bound to its connection with {BOUND_MECHANISM}, and with nothing else.",
            )

    def check(self, last: bytes) -> bytes:
        """The final message to a client that is authenticated."""
        finals = [self._final(server, last) for server in self._servers]
        final = next(filter(None, finals), b"")
        if not final or not self._known:
            raise self._refused()
        return final

    def _final(self, server: Any, last: bytes) -> bytes:
        try:
            server.set_client_final(last.decode())
            return str(server.get_server_final()).encode()
        except (ScramException, UnicodeDecodeError):
            return b""

    def _refused(self) -> AuthenticationError:
        return wrong_password(self._name)


def wrong_password(name: str) -> AuthenticationError:
    """The one refusal of a name, whatever is wrong."""
    return AuthenticationError(
        f"password authentication failed for user {name[:60]!r}",
        detail="The name or the password is wrong.",
        hint="The data owner lets analysts in: dpduck analyst add FILE NAME --ledger L.",
    )


def _unknown_keys(name: str, secret: bytes) -> _Keys:
    """Keys that match no password."""
    salt, stored, server = (_derived(part, name, secret) for part in ("salt", "key", "server"))
    return _Keys(salt, stored, server, ITERATIONS)


def _derived(part: str, name: str, secret: bytes) -> bytes:
    return hmac.digest(secret, f"{part} {name}".encode(), hashlib.sha256)


def _mechanism() -> ScramMechanism:
    return ScramMechanism(MECHANISM)


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


# What binds a login to the TLS connection that it goes over: a digest of the server's certificate.
#
# With it a proof of a password holds for one server only: whoever stands in between with another certificate,
# even one that the client takes, cannot pass it on.
# Source: RFC 5929, section 4.1 (tls-server-end-point).


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
