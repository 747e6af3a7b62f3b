"""The page on which one asks: a statement, what it would cost, and the answer below it."""

from __future__ import annotations

import secrets

from dpduck.answers.settings import Settings
from dpduck.doors.gateway.web.answers import answer_part
from dpduck.doors.gateway.web.asking import PriceTag
from dpduck.doors.gateway.web.layout import field, form, hidden
from dpduck.doors.gateway.web.runs import Run
from dpduck.doors.gateway.web.visitors import Visitor
from dpduck.doors.page.answers import folded
from dpduck.doors.page.html import Markup, joined, tag

_MOST_NOTES = 6


def ask_parts(
    visitor: Visitor,
    sql: str = "",
    epsilon: str = "",
    *,
    price: PriceTag | None = None,
    run: Run | None = None,
    number: int = 1,
    note: str = "",
) -> list[Markup]:
    """The form and the answer. Input: what stands in the form; `number`: which page of the answer's rows."""
    parts = [tag("h1", "Ask"), tag("p", note, class_="box", role="status") if note else Markup()]
    parts.append(_ask_form(visitor, sql, epsilon, price))
    parts.append(answer_part(run, number) if run is not None else _beginning(visitor))
    return parts


def _ask_form(visitor: Visitor, sql: str, epsilon: str, price: PriceTag | None) -> Markup:
    text = tag(
        "textarea",
        f"\n{sql}",  # of which HTML leaves out the line end
        name="sql",
        id="sql",
        rows="7",
        spellcheck="false",
        autocapitalize="off",
        autocomplete="off",
        aria_describedby="price",
        required="",
    )
    buttons = tag(
        "div",
        tag("button", "Run", type="submit", class_="main", id="go"),
        tag("button", "What would it cost?", type="submit", formaction="/price", id="ask-price"),
        tag("button", "Stop", type="button", id="stop", hidden=""),
        _epsilon(visitor.settings, epsilon),
        class_="row",
    )
    said = tag(
        "div", Markup() if price is None else price_part(price), id="price", role="status", class_="price"
    )
    return form(
        visitor,
        "/run",
        hidden("run", secrets.token_urlsafe(18)),
        tag("div", tag("label", "Statement", for_="sql"), text, class_="field editor"),
        said,
        buttons,
        id="ask",
    )


def _epsilon(settings: Settings, epsilon: str) -> Markup:
    usual = settings.shown("dp_epsilon")
    attributes = {"inputmode": "decimal", "size": "8", "value": epsilon, "autocomplete": "off"}
    if usual:
        attributes["placeholder"] = usual
    return field("Epsilon", "epsilon", **attributes)


def _beginning(visitor: Visitor) -> Markup:
    hint = (
        "A query on private rows is charged before a row is read. What it would cost is said as you type."
        if visitor.session.asks
        else "As an auditor you are given no answers about private rows; public tables and SHOW are free."
    )
    return tag("section", tag("p", hint, class_="quiet"), id="answer", tabindex="-1")


def price_part(price: PriceTag) -> Markup:
    """What is said of a statement before it runs."""
    if price.kind == "empty":
        return Markup()
    if price.error is not None:
        error = price.error
        lines = [tag("p", tag("strong", error.message)), tag("p", error.reason or "", class_="quiet")]
        if error.hint is not None:
            lines.append(tag("p", tag("span", "Hint: ", class_="quiet"), tag("code", error.hint)))
        return tag("div", *lines, class_="wrong")
    return joined(
        tag("p", _first_upper(price.line), class_=price.kind),
        folded(price.more[:_MOST_NOTES], "What the answer would mean"),
    )


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def login_parts(
    csrf: str, draft: str = "", *, error: Markup | None = None, note: str = "", links: bool = False
) -> list[Markup]:
    """The form with which analysts log in.

    Input: `csrf`: what the form repeats; `draft`: a statement that is kept until one has logged in; `links`:
        whether the terminal shows a link for the owner.
    """
    fields = (
        hidden("csrf", csrf),
        hidden("draft", draft),
        field("Name", "name", required="", autocomplete="username", autocapitalize="off", autofocus=""),
        field("Password", "password", type="password", required="", autocomplete="current-password"),
        tag("button", "Log in", type="submit", class_="main"),
    )
    owner = "The data owner opens the link that the terminal of dpduck console shows." if links else ""
    return [
        tag("h1", "Log in"),
        tag("p", note, class_="box", role="status") if note else Markup(),
        error or Markup(),
        tag("form", *fields, method="post", action="/login", id="login"),
        tag("p", owner, class_="quiet"),
    ]
