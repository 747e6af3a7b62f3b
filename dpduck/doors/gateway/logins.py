"""Who a client is: by a certificate that it has shown, by a token if it says so, else by a password.

Every way ends in a name, and nobody comes in by a name that the ledger does not have. What a refusal says is
the same for a name that somebody has and for one that nobody has.
"""

from __future__ import annotations

import asyncio
import hmac
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from dpduck.doors.gateway.errors import PlainError, TokenError
from dpduck.doors.gateway.limits import AccessRules, TokenReader
from dpduck.doors.gateway.login_delays import LoginDelays
from dpduck.doors.gateway.login_names import Way
from dpduck.doors.gateway.options import login_option
from dpduck.doors.gateway.protocol import messages as m
from dpduck.doors.gateway.protocol import replies
from dpduck.doors.gateway.protocol.states import Transition
from dpduck.doors.gateway.protocol.wire import Wire
from dpduck.doors.gateway.scram import Authentication, offered, secret_of
from dpduck.doors.gateway.telemetry import Telemetry, log
from dpduck.doors.gateway.transport import Transport
from dpduck.kernel.errors import AuthenticationError, DpduckError, LedgerError, ParameterError
from dpduck.kernel.ledger import Analyst, Ledger, Role

T = TypeVar("T")


@dataclass(frozen=True)
class Login:
    """Somebody who was let in. `proof`: the last bytes of the authentication, for the client.

    `settings`: with which the session begins.
    """

    name: str
    role: Role
    proof: bytes
    settings: tuple[tuple[str, str], ...] = ()


class Logins:
    """Lets clients in. Input: `in_thread`: runs what may wait, for an address; `secret`: a random
    one of the server.
    """

    def __init__(
        self,
        ledger: Ledger,
        telemetry: Telemetry,
        in_thread: Callable[[str, Callable[[], Any]], Awaitable[Any]],
        secret: bytes,
    ) -> None:
        self._ledger = ledger
        self._telemetry = telemetry
        self._in_thread = in_thread
        self.delays = LoginDelays(secret)
        self._salts = secret_of(ledger)

    async def let_in(
        self, transport: Transport, wire: Wire, startup: m.Startup, access: AccessRules
    ) -> Login:
        """Authenticate a client. Errors: DpduckError, ConnectionResetError."""
        name, way = startup.parameters.get("user", ""), "password"
        shown = name_in(transport.client_certificate)
        try:
            if shown is not None:
                way = "certificate"
                # The handshake has proved that the client holds the key of a certificate that names `shown`.
                login = await self._named("certificate", shown, name, access, transport)
            elif login_option(startup.parameters) == "token":
                way = "token"
                login = await self._by_token(transport, wire, name, access)
            else:
                login = await self._by_password(transport, wire, name)
        except DpduckError as error:
            self._telemetry.login_refused(name, transport.peer, way, error)
            raise
        self.delays.right(transport.peer, name)
        self._telemetry.logged_in(name, transport.peer, way, login.role.value)
        return login

    # --- by password -----------------------------------------------------------------------------

    async def _by_password(self, transport: Transport, wire: Wire, name: str) -> Login:
        analyst = await self._in_thread(transport.peer, partial(self._analyst, name))
        authentication = self._authentication(name, analyst, transport.binding)
        await transport.write(replies.ask_authentication(offered(transport.binding)))
        first = await receive(transport, wire)
        if not isinstance(first, m.SaslInitial):
            raise ConnectionResetError
        await transport.write(replies.challenge(authentication.challenge(first.mechanism, first.data)))
        last = await receive(transport, wire)
        if not isinstance(last, m.SaslResponse):
            raise ConnectionResetError
        await self._wait(transport, name)
        final = self._checked(transport, name, lambda: authentication.check(last.data))
        assert analyst is not None
        return Login(name, analyst.role, replies.authenticated(final), analyst.settings)

    def _authentication(self, name: str, analyst: Analyst | None, binding: bytes | None) -> Authentication:
        try:
            if analyst is not None:
                former = analyst.former_at(datetime.now(UTC))
                return Authentication(name, analyst.verifier, self._salts, former=former, binding=binding)
        except LedgerError as error:  # a client would learn that the name exists
            log.error("of %s: %s", ascii(name), error.message)
        return Authentication(name, None, self._salts, binding=binding)

    # --- by token --------------------------------------------------------------------------------

    async def _by_token(self, transport: Transport, wire: Wire, name: str, access: AccessRules) -> Login:
        """Ask for the token where clients have a password, which goes over encrypted connections only."""
        if access.tokens is None:
            raise AuthenticationError(
                "this server takes no tokens", hint="The data owner sets --oidc-issuer. Leave dp_login out."
            )
        if not transport.encrypted and not transport.is_local_socket:
            raise PlainError(
                "the connection is not encrypted",
                detail="A token lets in whoever reads it.",
                hint="Connect with sslmode=require.",
            )
        wire.tell(Transition.ASKED_PASSWORD)
        await transport.write(replies.ASK_PASSWORD)
        said = await receive(transport, wire)
        if not isinstance(said, m.Password):
            raise ConnectionResetError
        await self._wait(transport, name)
        shown = await self._token_name(transport, name, said.text, access.tokens)
        try:
            return await self._named("token", shown, name, access, transport)
        except AuthenticationError:
            self.delays.wrong(transport.peer, name)
            raise

    async def _token_name(self, transport: Transport, name: str, token: str, tokens: TokenReader) -> str:
        reason = ""
        try:
            return str(await self._in_thread(transport.peer, partial(tokens.name_in, token)))
        except TokenError as error:
            reason = str(error)
        self.delays.wrong(transport.peer, name)
        raise AuthenticationError(
            f"token authentication failed for user {name[:60]!r}",
            detail=f"The token cannot be used: {reason}.",
            hint="Get a new one from its issuer.",
        )

    # --- what all ways share ---------------------------------------------------------------------

    async def _named(
        self, way: Way, shown: str, name: str, access: AccessRules, transport: Transport
    ) -> Login:
        """Let in whom a certificate or token names. Errors: AuthenticationError, the same for all names."""
        analyst = await self._in_thread(transport.peer, partial(self._analyst, name))
        meant = access.names.analyst(way, shown) if shown else None
        same = meant is not None and hmac.compare_digest(meant.encode(), name.encode("utf-8", "replace"))
        if not same or analyst is None or analyst.is_damaged:
            raise AuthenticationError(
                f"{way} authentication failed for user {name[:60]!r}",
                detail=f"The {way} is for another name, or nobody has this one.",
                hint="The data owner lets analysts in: dpduck analyst add FILE NAME --ledger L.",
            )
        return Login(name, analyst.role, replies.AUTHENTICATED, analyst.settings)

    def _analyst(self, name: str) -> Analyst | None:
        return next((one for one in self._ledger.analysts() if one.name == name), None)

    async def _wait(self, transport: Transport, name: str) -> None:
        """Wait until a try may be looked at. Errors: ConnectionRefusedError, LockedOutError."""
        await asyncio.sleep(self.delays.of_name(name))
        while wait := self.delays.of_address(transport.peer):
            await asyncio.sleep(wait)
        self.delays.check_lock(transport.peer, name)

    def _checked(self, transport: Transport, name: str, work: Callable[[], T]) -> T:
        """Do what tells right from wrong, and count the latter."""
        try:
            return work()
        except AuthenticationError:
            self.delays.wrong(transport.peer, name)
            raise


async def receive(transport: Transport, wire: Wire) -> m.Message | None:
    """The next message; None if the client is gone. Errors: ProtocolError."""
    data = b""
    while True:
        message = next(wire.receive(data), None)
        if message is not None:
            return message
        data = await transport.read()
        if not data:
            return None


# Log in by the certificate of a client: TLS has checked it, here it becomes a name.


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
