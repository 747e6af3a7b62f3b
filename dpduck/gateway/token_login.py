"""Log in by a token of OpenID Connect: who signed it, for whom, until when, and whom it names.

Source: OpenID Connect Core 1.0, section 3.1.3.7; RFC 8725 (best practices for JSON Web Tokens): the algorithm
is that of the key and never the token's choice, so `none` and secrets that are shared (HS256) are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jwt

from dpduck.gateway.errors import TokenError
from dpduck.gateway.signing_keys import ALGORITHMS, SigningKeys

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
