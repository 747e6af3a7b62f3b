"""Log in by a token of OpenID Connect: who signed it, for whom, until when, and whom it names.

Source: OpenID Connect Core 1.0, section 3.1.3.7; RFC 8725 (best practices for JSON Web Tokens): the algorithm
is that of the key and never the token's choice, so `none` and secrets that are shared (HS256) are refused.
"""

from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jwt
from jwt import PyJWK, PyJWKSet
from jwt.exceptions import PyJWTError

from dpduck.doors.gateway.errors import TokenError
from dpduck.kernel.errors import ParameterError

LEEWAY_SECONDS = 60  # between the clocks of issuer and server
MOST_BYTES = 16 * 1024  # of a token


@dataclass(frozen=True)
class TokenRules:
    """Which tokens are taken. `claim`: what names the person; only sub never changes hands."""

    issuer: str
    audience: str
    keys: SigningKeys
    claim: str = "sub"

    def name_in(self, token: str) -> str:
        """Whom a valid token names. Errors: TokenError."""
        claims = self._claims(token)
        named = claims.get(self.claim)
        if not isinstance(named, str) or not named:
            raise TokenError("it does not say who it is for")
        if not _is_text(named):
            raise TokenError("its name is no text")
        if self.claim == "email" and claims.get("email_verified") is not True:
            raise TokenError("its issuer has not verified the address")
        return named

    def _claims(self, token: str) -> Mapping[str, Any]:
        key = self._key(token)
        reason = "it is no token"
        try:
            claims: Mapping[str, Any] = jwt.decode(
                token,
                key.key,
                algorithms=[key.algorithm_name],
                audience=self.audience,
                issuer=self.issuer,
                leeway=LEEWAY_SECONDS,
                options={"require": ["exp", "iat", "iss", "aud", "sub"]},
            )
        except jwt.exceptions.PyJWTError as error:
            reason = next((said for kind, said in _REASONS if isinstance(error, kind)), reason)
        else:
            if all(_is_time(claims[name]) for name in _TIMES if name in claims):
                return claims
            reason = "its times are no numbers"
        raise TokenError(reason)

    def _key(self, token: str) -> jwt.PyJWK:
        """Errors: TokenError."""
        head: Mapping[str, Any] = {}
        if len(token) <= MOST_BYTES:
            try:
                head = jwt.get_unverified_header(token)
            except (jwt.exceptions.PyJWTError, ValueError):
                head = {}
        if not head:
            raise TokenError("it is no token")
        algorithm, key_id = head.get("alg"), head.get("kid")
        if algorithm not in ALGORITHMS or "crit" in head:  # what it says is critical is not known here
            raise TokenError("it is not signed by a key of its issuer alone")
        key = self.keys.find(key_id if isinstance(key_id, str) else None, str(algorithm))
        if key is None:
            raise TokenError("it is signed by a key that is not known")
        return key


def _is_text(name: str) -> bool:
    """Whether UTF-8 has it: JSON can name half of a pair of code units, which is no character."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_time(claim: object) -> bool:
    """Whether a claim is a NumericDate (RFC 7519, section 2)."""
    return isinstance(claim, int | float) and not isinstance(claim, bool)


_TIMES = ("exp", "nbf", "iat")

_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (jwt.exceptions.ExpiredSignatureError, "it has expired"),
    (jwt.exceptions.ImmatureSignatureError, "it is not valid yet"),
    (jwt.exceptions.InvalidIssuedAtError, "it is not valid yet"),
    (jwt.exceptions.InvalidAudienceError, "it is for somebody else than this server"),
    (jwt.exceptions.InvalidIssuerError, "it is of another issuer"),
    (jwt.exceptions.MissingRequiredClaimError, "it does not say all that it has to"),
    (jwt.exceptions.InvalidSignatureError, "its signature is wrong"),
)


# The keys by which tokens are signed, from a file or an address (JWKS, RFC 7517), read again as they change.
#
# An issuer that rotates its keys signs with one that is not known yet. Then the keys are read again, but
# not more often than once a minute, whatever clients send: else whoever sends tokens with made-up keys
# would have the server call the issuer as often as they like. Keys are also read again after ten minutes,
# so that one that the issuer has withdrawn is not taken for much longer; if they cannot be read, they hold
# for an hour.


ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
REFETCH_SECONDS = 60.0  # between readings, whatever comes in
_FRESH_SECONDS = 600.0
_MOST_SECONDS = 3600.0  # that keys hold which could not be read again
_TIMEOUT = 5.0
_MOST_BYTES = 1024 * 1024


class SigningKeys:
    """The keys at a place. Safe for several threads. Input: a file, or an https address; a clock, in seconds.

    Errors: ParameterError if they cannot be read at first.
    """

    def __init__(self, place: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._place = place
        self._clock = clock
        self._lock = threading.Lock()
        self._keys = read_keys(place)
        self._read_at = self._tried_at = clock()

    def find(self, key_id: str | None, algorithm: str) -> PyJWK | None:
        """The key that a token names, or the only one if it names none; None if there is no such key."""
        with self._lock:
            self._refresh(_FRESH_SECONDS)
            found = self._known(key_id, algorithm)
            if found is None:
                self._refresh(REFETCH_SECONDS)
                found = self._known(key_id, algorithm)
            return found

    def _known(self, key_id: str | None, algorithm: str) -> PyJWK | None:
        named = [one for one in self._keys if key_id is None or one.key_id == key_id]
        if len(named) != 1 or self._clock() - self._read_at > _MOST_SECONDS:
            return None
        return named[0] if named[0].algorithm_name == algorithm else None

    def _refresh(self, seconds: float) -> None:
        """Read the keys again if they are older than that, and were not tried to be read a moment ago."""
        now = self._clock()
        if now - self._read_at < seconds or now - self._tried_at < REFETCH_SECONDS:
            return
        self._tried_at = now
        try:
            self._keys = read_keys(self._place)
        except ParameterError:
            return
        self._read_at = now


def read_keys(place: str) -> list[PyJWK]:
    """The keys at a place that can sign tokens of people. Errors: ParameterError.

    Secrets that signer and server share are left out: with them the server could sign too, and a public key
    that is taken for such a secret is how tokens are forged.
    """
    try:
        said = json.loads(_fetched(place) if "://" in place else Path(place).read_bytes()[:_MOST_BYTES])
        keys = PyJWKSet.from_dict(said).keys
    except PyJWTError:
        reason = "it has no key that can be used"
    except (OSError, ValueError, http.client.HTTPException) as error:
        reason = _reason(error)
    except (AttributeError, TypeError, KeyError):
        reason = "it is not a set of keys (JWKS)"
    else:
        usable = [one for one in keys if one.algorithm_name in ALGORITHMS and one.public_key_use != "enc"]
        if usable:
            return usable
        reason = "it has no key that can be used"
    raise ParameterError(
        "the keys of tokens cannot be read",
        detail=f"Of {place}: {reason}.",
        hint="--oidc-jwks is a file, or an https address, of keys as JWKS.",
    )


def _reason(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"status {error.code}"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return "it is not JSON" if isinstance(error, ValueError) else "it cannot be reached"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Keys come from the place that the owner named, and from no other that it points to."""

    def redirect_request(self, *_: object) -> None:
        return None


def _fetched(address: str) -> bytes:
    opener = urllib.request.build_opener(_NoRedirects)
    with opener.open(address, timeout=_TIMEOUT) as reply:
        body: bytes = reply.read(_MOST_BYTES)
        return body
