"""Who a visitor is: by the name and password of an analyst, or by the link that the terminal shows.

Passwords are checked with the verifiers of the ledger, and wrong ones wait and lock as at the wire; beside a
gateway both count in one table. The link lets in one browser, and is used up then: the terminal shows
the next one.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import threading
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from dpduck.doors.gateway.login_delays import LoginDelays
from dpduck.doors.gateway.scram import is_password, secret_of, wrong_password
from dpduck.doors.gateway.telemetry import Telemetry, log
from dpduck.kernel.errors import AuthenticationError, DpduckError, LedgerError
from dpduck.kernel.ledger import Ledger, Role

InThread = Callable[[str, Callable[[], Any]], Awaitable[Any]]


class PasswordLogins:
    """Lets analysts in by their passwords. Input: `in_thread`: runs what may wait, for an address."""

    def __init__(
        self, ledger: Ledger, telemetry: Telemetry, in_thread: InThread, delays: LoginDelays | None = None
    ) -> None:
        self._ledger = ledger
        self._telemetry = telemetry
        self._in_thread = in_thread
        self._delays = delays or LoginDelays(secrets.token_bytes(32))
        self._salts = secret_of(ledger)

    async def let_in(self, peer: str, name: str, password: str) -> Role:
        """The role of a name, if the password is its own. Errors: DpduckError, the same for all names."""
        try:
            await asyncio.sleep(self._delays.of_name(name))
            while wait := self._delays.of_address(peer):
                await asyncio.sleep(wait)
            self._delays.check_lock(peer, name)
            role: Role | None = await self._in_thread(peer, partial(self._role_of, name, password))
            if role is None:
                self._delays.wrong(peer, name)
                raise wrong_password(name)
        except DpduckError as error:
            self._telemetry.login_refused(name, peer, "password", error)
            raise
        self._delays.right(peer, name)
        self._telemetry.logged_in(name, peer, "password", role.value)
        return role

    def _role_of(self, name: str, password: str) -> Role | None:
        """The role of a name whose password it is, else None. Errors: LedgerError that names nobody."""
        analyst = next((one for one in self._ledger.analysts() if one.name == name), None)
        verifier = former = None
        if analyst is not None and not analyst.is_damaged:
            verifier, former = analyst.verifier, analyst.former_at(datetime.now(UTC))
        try:
            right = is_password(password, name, verifier, self._salts, former=former)
        except LedgerError as error:  # a visitor would learn that the name exists
            log.error("of %s: %s", ascii(name), error.message)
            right = is_password(password, name, None, self._salts)
        return analyst.role if right and analyst is not None else None


class OneTimeLinks:
    """The links that let in the owner at this machine, one at a time. `show`: called with each token."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._lock = threading.Lock()
        self._token = secrets.token_urlsafe(32)
        show(self._token)

    def use(self, token: str) -> None:
        """Use the link up. Errors: AuthenticationError if it is another one, or was used before."""
        with self._lock:
            right = hmac.compare_digest(token.encode("utf-8", "replace"), self._token.encode())
            if right:
                self._token = secrets.token_urlsafe(32)
        if right:
            self._show(self._token)
            return
        raise AuthenticationError(
            "this link is used up, or is another console's",
            detail="Each link lets in one browser, once.",
            hint="The terminal of dpduck console shows the next one.",
        )
