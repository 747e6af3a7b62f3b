"""The frame of every page: title, navigation, who is logged in; forms that repeat the visitor's secret."""

from __future__ import annotations

from collections.abc import Sequence

from dpduck.doors.gateway.web.visitors import Visitor
from dpduck.doors.page.html import Markup, joined, quoted, tag
from dpduck.kernel.errors import DpduckError

# Each page: its address, its name, and whether only who oversees the ledger has it.
PAGES = (
    ("/", "Ask", False),
    ("/schema", "Schema", False),
    ("/budgets", "Budgets", False),
    ("/history", "History", False),
    ("/policies", "Policies", True),
    ("/logins", "Logins", True),
)
_HEAD = Markup(
    '<meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
    '<meta name="color-scheme" content="light dark">'
    '<link rel="icon" href="/static/icon.svg">'
    '<link rel="stylesheet" href="/static/console.css">'
    '<script type="module" src="/static/console.js"></script>'
)


def page(title: str, file: str, visitor: Visitor | None, path: str, *content: str) -> str:
    """A whole page. Input: the name of the data; for whom; the address of its entry in the navigation."""
    head = tag("head", _HEAD, tag("title", f"{title} · {file} · dpduck"))
    skip = tag("a", "Skip to the content", href="#content", class_="skip")
    main = tag("main", *content, id="content", tabindex="-1")
    body = tag("body", skip, _header(file, visitor, path), main)
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _header(file: str, visitor: Visitor | None, path: str) -> Markup:
    brand = tag("p", tag("strong", "dpduck"), " ", quoted(file), class_="brand")
    if visitor is None:
        return tag("header", brand)
    entries = [
        tag("a", name, href=address, **({"aria_current": "page"} if address == path else {}))
        for address, name, is_overseers in PAGES
        if visitor.oversees or not is_overseers
    ]
    who = tag("span", "data owner") if visitor.name is None else quoted(visitor.name)
    role = "" if visitor.name is None else f" ({visitor.role.value})"
    leave = form(visitor, "/logout", tag("button", "Log out", class_="plain"))
    return tag(
        "header", brand, tag("nav", *entries, aria_label="Pages"), tag("div", who, role, leave, class_="who")
    )


def form(visitor: Visitor, action: str, *fields: str, **attributes: str) -> Markup:
    """A form that is sent with the visitor's secret."""
    secret = hidden("csrf", visitor.csrf)
    return tag("form", secret, *fields, method="post", action=action, **attributes)


def hidden(name: str, value: str) -> Markup:
    """A field that is not shown."""
    return Markup(str(tag("input", type="hidden", name=name, value=value)).removesuffix("</input>"))


def field(label: str, name: str, **attributes: str) -> Markup:
    """A field of one line with its label."""
    entry = Markup(str(tag("input", name=name, id=name, **attributes)).removesuffix("</input>"))
    return tag("div", tag("label", label, for_=name), entry, class_="field")


def error_box(error: DpduckError) -> Markup:
    """An error as every door words it: what is wrong, what is so and what was charged, what to type."""
    lines = [tag("p", tag("strong", error.message)), tag("p", error.detail)]
    if error.hint is not None:
        lines.append(tag("p", tag("span", "Hint: ", class_="quiet"), tag("code", error.hint)))
    return tag("div", *lines, class_="box wrong", role="alert")


def cells_table(
    caption: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[str | None]],
    numbers: frozenset[int] = frozenset(),
    *,
    cards: bool = False,
) -> Markup:
    """A table that may be scrolled sideways.

    Input: cells, escaped unless they are Markup, None for NULL; the indices of right-aligned columns;
        `cards`: on a narrow screen each row is a card, with the heading before each cell.
    """
    sides = [{"class_": "number"} if i in numbers else {} for i in range(len(headings))]
    head = [tag("th", name, scope="col", **side) for name, side in zip(headings, sides, strict=True)]
    cells = [{**side, "data_name": name} for name, side in zip(headings, sides, strict=True)]
    body = [
        tag("tr", *(tag("td", _cell(cell), **side) for cell, side in zip(row, cells, strict=True)))
        for row in rows
    ]
    drawn = tag("table", tag("caption", caption), tag("thead", tag("tr", *head)), tag("tbody", *body))
    kind = "scroll cards" if cards else "scroll"
    return tag("div", drawn, class_=kind, tabindex="0", role="region", aria_label=caption)


def _cell(text: str | None) -> Markup:
    if text is None:
        return tag("span", "NULL", class_="quiet")
    return text if isinstance(text, Markup) else quoted(text)


def paragraphs(lines: Sequence[str], class_: str = "quiet") -> Markup:
    """Each text as a paragraph."""
    return joined(*(tag("p", line, class_=class_) for line in lines))
