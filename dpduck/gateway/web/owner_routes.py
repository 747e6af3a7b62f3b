"""What owners and auditors see beside what analysts do, and what the owner at this machine changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from dpduck.errors import DpduckError, ParameterError, PermissionDeniedError
from dpduck.gateway.scram import salt_of, secret_of, verifier_of
from dpduck.gateway.web.layout import error_box
from dpduck.gateway.web.login_list_page import login_list_parts
from dpduck.gateway.web.policy_changes import difference, make_change, read_change
from dpduck.gateway.web.policy_page import ChangeShown, entry_parts, policy_parts
from dpduck.gateway.web.summary_page import summary_parts
from dpduck.gateway.web.visitors import Visitor
from dpduck.ledger import LoginChange, PolicyEntry, Role
from dpduck.page.html import Markup, tag
from dpduck.runtime.summary_advice import check_owner

if TYPE_CHECKING:
    from dpduck.gateway.web.app import Console

_SEE_OTHER = 303


class OwnerRoutes:
    """The pages on policies and logins."""

    def __init__(self, console: Console) -> None:
        self._console = console

    async def policies(self, request: Request, visitor: Visitor) -> Response:
        return await self._policies_with(request, visitor, ChangeShown(), _said(visitor))

    async def _policies_with(
        self,
        request: Request,
        visitor: Visitor,
        change: ChangeShown,
        note: str = "",
        status: int = 200,
    ) -> Response:
        _check_oversees(visitor)

        def parts() -> list[Markup]:
            with self._console.asking.service(visitor) as service:
                return policy_parts(visitor, service.catalog(), self._console.ledger.policies(), change, note)

        return self._console.page(
            request, visitor, "Policies", *await self._console.in_thread(visitor, parts), status=status
        )

    async def preview(self, request: Request, visitor: Visitor) -> Response:
        _check_here(visitor)
        sql = request.state.form.get("statement", "")

        def change() -> ChangeShown:
            statement = read_change(sql)
            with self._console.asking.service(visitor) as service:
                return ChangeShown(sql, difference(service.catalog(), statement))

        try:
            shown, note, status = await self._console.in_thread(visitor, change), "", 200
        except DpduckError as error:
            shown, note, status = ChangeShown(sql), error_box(error), 400
        return await self._policies_with(request, visitor, shown, note, status)

    async def apply(self, request: Request, visitor: Visitor) -> Response:
        _check_here(visitor)
        sql = request.state.form.get("statement", "")
        data, session = self._console.asking.data, visitor.session.name
        try:
            said = await self._console.in_thread(
                visitor, partial(make_change, data, self._console.place, self._console.ledger, session, sql)
            )
        except DpduckError as error:
            return await self._policies_with(request, visitor, ChangeShown(sql), error_box(error), 400)
        visitor.said = ("The policies were changed.", *said)
        return RedirectResponse("/policies", _SEE_OTHER)

    async def policy_entry(self, request: Request, visitor: Visitor) -> Response:
        _check_oversees(visitor)
        number = int(request.path_params["number"])

        def parts() -> list[Markup]:
            entry = next((one for one in self._console.ledger.policies() if one.number == number), None)
            if entry is None:
                raise ParameterError("there is no such entry about policies")
            return entry_parts(entry, *self._facts_of(entry))

        return self._console.page(
            request, visitor, "Policies", *await self._console.in_thread(visitor, parts)
        )

    def _facts_of(self, entry: PolicyEntry) -> tuple[Mapping[str, str], Mapping[str, str]]:
        before = {} if entry.follows is None else self._console.ledger.policy_facts(entry.follows)
        return before, self._console.ledger.policy_facts(entry.number)

    async def summaries(self, request: Request, visitor: Visitor) -> Response:
        check_owner(visitor.session)

        def parts() -> list[Markup]:
            with self._console.asking.service(visitor) as service:
                return summary_parts(service.summary_advice())

        return self._console.page(request, visitor, "Budgets", *await self._console.in_thread(visitor, parts))

    async def login_list(self, request: Request, visitor: Visitor) -> Response:
        return await self._login_list_with(request, visitor, _said(visitor))

    async def _login_list_with(
        self, request: Request, visitor: Visitor, note: str, status: int = 200
    ) -> Response:
        _check_oversees(visitor)
        analysts = await self._console.in_thread(visitor, self._console.ledger.analysts)
        return self._console.page(
            request, visitor, "Logins", *login_list_parts(visitor, analysts, note), status=status
        )

    async def let_in(self, request: Request, visitor: Visitor) -> Response:
        _check_here(visitor)
        form = request.state.form
        name = form.get("name", "").strip()

        def work() -> None:
            if not name or not name.isprintable():
                raise ParameterError("an analyst needs a name of printable characters")
            salt = salt_of(name, secret_of(self._console.ledger))
            verifier = verifier_of(form.get("password", ""), salt)
            self._console.ledger.put_analyst(name, LoginChange(verifier, _role(form.get("role", ""))))

        return await self._changed_logins(request, visitor, work, f"{name} may log in.")

    async def let_out(self, request: Request, visitor: Visitor) -> Response:
        _check_here(visitor)
        name = request.state.form.get("name", "")
        return await self._changed_logins(
            request, visitor, partial(self._console.ledger.drop_analyst, name), f"{name} may log in no more."
        )

    async def _changed_logins(
        self, request: Request, visitor: Visitor, work: Callable[[], None], said: str
    ) -> Response:
        try:
            await self._console.in_thread(visitor, work)
        except DpduckError as error:
            return await self._login_list_with(request, visitor, error_box(error), 400)
        self._console.visitors.look_again()
        visitor.said = (said,)
        return RedirectResponse("/logins", _SEE_OTHER)


def _said(visitor: Visitor) -> Markup:
    """What there is to say of what the visitor did last, once."""
    lines, visitor.said = visitor.said, ()
    return tag("div", *(tag("p", line) for line in lines), class_="box", role="status") if lines else Markup()


def _check_oversees(visitor: Visitor) -> None:
    """Errors: PermissionDeniedError."""
    if not visitor.oversees:
        raise PermissionDeniedError("only owners and auditors see this", hint="Ask the data owner.")


def _check_here(visitor: Visitor) -> None:
    """Errors: PermissionDeniedError for whoever is not the owner where the data are."""
    if not visitor.is_here:
        raise PermissionDeniedError(
            "policies, budgets and logins are changed where the data are",
            detail="The link that the terminal of dpduck console shows lets the owner do so.",
        )


def _role(name: str) -> Role:
    """Errors: ParameterError."""
    found = next((role for role in Role if role.value == name), None)
    if found is None:
        raise ParameterError(f"{name[:40]!r} is not a role", detail="It is analyst, auditor or owner.")
    return found
