"""Who may log in, for owners and auditors; at this machine the owner lets people in and out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from dpduck.gateway.scram import MIN_PASSWORD
from dpduck.gateway.web.layout import cells_table, field, form, hidden
from dpduck.gateway.web.visitors import Visitor
from dpduck.ledger import Analyst, Role
from dpduck.page.html import Markup, joined, quoted, tag


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
