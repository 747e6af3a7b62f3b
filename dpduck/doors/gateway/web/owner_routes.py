"""What owners and auditors see beside what analysts do, and what the owner at this machine changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from dpduck.answers.summary_advice import SummaryAdvice, check_owner
from dpduck.doors.gateway.scram import MIN_PASSWORD, salt_of, secret_of, verifier_of
from dpduck.doors.gateway.web.layout import cells_table, error_box, field, form, hidden
from dpduck.doors.gateway.web.policy_changes import difference, make_change, read_change
from dpduck.doors.gateway.web.policy_page import ChangeShown, entry_parts, policy_parts
from dpduck.doors.gateway.web.visitors import Visitor
from dpduck.doors.page.html import Markup, joined, quoted, tag
from dpduck.kernel.errors import DpduckError, ParameterError, PermissionDeniedError
from dpduck.kernel.ledger import Analyst, LoginChange, PolicyEntry, Role

if TYPE_CHECKING:
    from dpduck.doors.gateway.web.app import Console


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


# Which summaries would have answered what was asked, for less: for who owns the data.


def summary_parts(found: Sequence[SummaryAdvice]) -> list[Markup]:
    """The page."""
    parts = [tag("h1", "What a summary would have cost")]
    if not found:
        parts.append(tag("p", "Nothing was charged that can be planned now."))
    parts += [tag("section", *_of_table(one), class_="box") for one in found]
    note = (
        "A private summary is paid for once, and then answers counts on its columns at no cost. This is "
        "computed from the queries on record and from public facts; no private row was read for it. Whoever "
        "sees the summary sees its columns and bands."
    )
    return [*parts, tag("p", note, class_="quiet")]


def _of_table(advice: SummaryAdvice) -> list[Markup]:
    parts = [tag("h2", quoted(advice.table)), tag("p", quoted(advice.words))]
    if advice.statement:
        parts.append(tag("pre", tag("code", quoted(f"{advice.statement};"))))
    if advice.reasons:
        rows = [(quoted(why), f"{times:,}") for why, times in advice.reasons]
        parts.append(
            cells_table("What it would not have answered", ("why", "questions"), rows, frozenset({1}))
        )
    return parts


# Who may log in, for owners and auditors; at this machine the owner lets people in and out.


def login_list_parts(visitor: Visitor, analysts: Sequence[Analyst], note: str) -> list[Markup]:
    """The page."""
    headings = ["name", "role", "way", *(["change"] if visitor.is_here else [])]
    rows = [
        [quoted(one.name), one.role.value, _way(one), *([_remove(visitor, one)] if visitor.is_here else [])]
        for one in analysts
    ]
    listed = cells_table("Who may log in", headings, rows) if rows else tag("p", "Nobody may log in yet.")
    return [tag("h1", "Logins"), joined(note), listed, _add(visitor) if visitor.is_here else _elsewhere()]


def _way(analyst: Analyst) -> str:
    if analyst.verifier is None:
        return "certificate or token, at the gateway only"
    before = analyst.former_at(datetime.now(UTC)) is not None
    return "password, and the one before for a while" if before else "password"


def _remove(visitor: Visitor, analyst: Analyst) -> Markup:
    button = tag("button", "Remove", type="submit", aria_label=f"Remove {analyst.name}")
    return form(visitor, "/logins/remove", hidden("name", analyst.name), button)


def _add(visitor: Visitor) -> Markup:
    roles = [tag("option", role.value) for role in Role]
    choice = tag("select", *roles, name="role", id="role")
    return joined(
        tag("h2", "Let somebody in, or change a password or role"),
        form(
            visitor,
            "/logins/add",
            field("Name", "name", required="", autocomplete="off", autocapitalize="off"),
            tag("div", tag("label", "Role", for_="role"), choice, class_="field"),
            field(
                "Password",
                "password",
                type="password",
                required="",
                autocomplete="new-password",
                minlength=str(MIN_PASSWORD),
            ),
            tag("button", "Save", type="submit", class_="main"),
            class_="stack",
        ),
        tag(
            "p",
            "The ledger keeps a verifier, never the password. What was spent stays spent.",
            class_="quiet",
        ),
    )


def _elsewhere() -> Markup:
    return tag("p", "Logins are changed where the data are: dpduck analyst add FILE NAME.", class_="quiet")
