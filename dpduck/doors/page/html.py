"""HTML that quoted text cannot break: text is escaped unless it is `Markup` already."""

from __future__ import annotations

from html import escape

from dpduck.doors.console.tables import one_line


class Markup(str):
    """A string of HTML."""

    __slots__ = ()


# Of a page of its own, without anything from elsewhere.
HEAD = Markup(
    '<meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
    '<meta name="color-scheme" content="light dark">'
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    "style-src 'unsafe-inline'; img-src data:\">"
    '<link rel="icon" href="data:,">'
)


def tag(name: str, /, *children: str, **attributes: str) -> Markup:
    """An element. Input: its children, and its attributes (`class_` for class, `aria_label` for aria-label).

    >>> tag("td", "a < b", tag("b", "!"), class_="number")
    '<td class="number">a &lt; b<b>!</b></td>'
    """
    said = "".join(f' {_attribute(key)}="{escape(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{said}>{joined(*children)}</{name}>")


def joined(*children: str) -> Markup:
    """Concatenate texts and elements, escaping the texts."""
    return Markup("".join(child if isinstance(child, Markup) else escape(child) for child in children))


def quoted(text: str) -> Markup:
    """Text of a user, on one line and isolated, since it may be written from right to left."""
    return tag("bdi", one_line(text))


def table(caption: str, headings: list[str], rows: list[list[str]], numbers: frozenset[int]) -> Markup:
    """A table whose first column names its rows. Input: `numbers`: the indices of right-aligned columns."""
    sides = [{"class_": "number"} if i in numbers else {} for i in range(len(headings))]
    head = [tag("th", text, scope="col", **side) for text, side in zip(headings, sides, strict=True)]
    body = []
    for first, *others in rows:
        cells = [tag("td", text, **side) for text, side in zip(others, sides[1:], strict=True)]
        body.append(tag("tr", tag("th", first, scope="row", **sides[0]), *cells))
    return tag("table", tag("caption", caption), tag("thead", tag("tr", *head)), tag("tbody", *body))


def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")
