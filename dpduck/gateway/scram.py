"""Proof of identity by SCRAM-SHA-256 (RFC 5802, RFC 7677): no password crosses the wire, or is kept.

A name that nobody has gets a challenge too, so that names cannot be tried out. Its salt follows from the name
and from a secret that is kept with the verifiers, and so does the salt of each verifier that is made: it is
the same before a name is let in and after, and each time the server starts.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass

from scramp import ScramException, ScramMechanism

from dpduck.errors import AuthenticationError, LedgerError, ParameterError
from dpduck.gateway.protocol.replies import MECHANISM
from dpduck.ledger import Ledger

ITERATIONS = 32_768  # of the hash, for whoever steals a verifier and tries passwords
MIN_PASSWORD = 8
MAX_PASSWORD = 1_000

_VERIFIER = re.compile(r"SCRAM-SHA-256\$(\d{1,8}):([^$:]+)\$([^$:]+):([^$:]+)", re.ASCII)
# A client of libpq leaves its name out here, since the first packet had it; scramp wants one.
_NAMELESS = re.compile(r"^([^,]*,[^,]*,n=),")


def secret_of(ledger: Ledger) -> bytes:
    """The secret of those who may log in, which stays the same. Errors: LedgerError."""
    return ledger.login_secret(secrets.token_bytes(32))


def salt_of(name: str, secret: bytes) -> bytes:
    """The salt that a challenge names, whether anybody has that name or not."""
    return _derived("salt", name, secret)


def verifier_of(password: str, salt: bytes | None = None) -> str:
    """What checks a password, as PostgreSQL writes it. Errors: ParameterError.

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


class Proof:
    """One attempt to prove to be somebody.

    Input: the name that was said, its verifier (None: there is none), and a secret of the server from which
        the challenge for an unknown name follows.
    Errors: AuthenticationError, always the same for a name.
    """

    def __init__(self, name: str, verifier: str | None, secret: bytes) -> None:
        self._name = name
        nobody = _unknown_keys(name, secret)  # in any case, or time would tell
        keys = nobody if verifier is None else _keys(verifier)
        self._known = verifier is not None
        self._server = _mechanism().make_server(
            lambda _: (keys.salt, keys.stored, keys.server, keys.iterations)
        )

    def challenge(self, mechanism: str, first: bytes) -> bytes:
        """The challenge to a client's first message."""
        if mechanism != MECHANISM:
            raise self._refused()
        try:
            said = first.decode()
            self._server.set_client_first(_NAMELESS.sub(r"\1*,", said))
            # The proof is of the client's own words.
            self._server.client_first_bare = said.split(",", 2)[2]
            return str(self._server.get_server_first()).encode()
        except (ScramException, UnicodeDecodeError, IndexError):
            pass
        raise self._refused()

    def check(self, last: bytes) -> bytes:
        """The last word to a client that has proved who it is."""
        try:
            self._server.set_client_final(last.decode())
            final = str(self._server.get_server_final()).encode()
        except (ScramException, UnicodeDecodeError):
            final = b""
        if not final or not self._known:
            raise self._refused()
        return final

    def _refused(self) -> AuthenticationError:
        return AuthenticationError(
            f"password authentication failed for user {self._name[:60]!r}",
            detail="The name or the password is wrong.",
            hint="The data owner lets analysts in: dpduck analyst add FILE NAME.",
        )


def _unknown_keys(name: str, secret: bytes) -> _Keys:
    """Keys that no password has."""
    salt, stored, server = (_derived(part, name, secret) for part in ("salt", "key", "server"))
    return _Keys(salt, stored, server, ITERATIONS)


def _derived(part: str, name: str, secret: bytes) -> bytes:
    return hmac.digest(secret, f"{part} {name}".encode(), hashlib.sha256)


def _mechanism() -> ScramMechanism:
    return ScramMechanism(MECHANISM)


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
