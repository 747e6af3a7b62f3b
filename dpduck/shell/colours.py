"""Syntax highlighting: the kind of each part of a typed text."""

from __future__ import annotations

from collections.abc import Iterator

from dpduck.shell.keywords import FUNCTIONS, KEYWORDS
from dpduck.shell.scanning import Kind, Lexeme, scan
from dpduck.shell.statements import is_command

_KEYWORDS, _FUNCTIONS = frozenset(KEYWORDS), frozenset(FUNCTIONS)
_STYLES: dict[Kind, str] = {
    "comment": "comment",
    "string": "string",
    "quoted": "name",
    "number": "number",
}


def coloured(text: str) -> Iterator[tuple[str, str]]:
    """Split a text into parts with their kind: keyword, function, string, number, comment, command, or ''.

    >>> [part for part in coloured("SELECT max(n) -- so") if part[0]]
    [('keyword', 'SELECT'), ('function', 'max'), ('comment', '-- so')]
    """
    place = 0
    found = scan(text)
    if is_command(text):
        place = len(text) - len(text.lstrip()) + len(text.split()[0])
        yield "command", text[:place]
        found = [piece for piece in found if piece.start >= place]
    for piece, following in zip(found, [*found, None][1:], strict=True):
        yield "", text[place : piece.start]
        yield _style(piece, following), piece.text
        place = piece.end
    yield "", text[place:]


def _style(piece: Lexeme, following: Lexeme | None) -> str:
    if piece.kind != "word":
        return _STYLES.get(piece.kind, "")
    if following is not None and following.text == "(" and piece.text.lower() in _FUNCTIONS:
        return "function"
    return "keyword" if piece.word in _KEYWORDS else ""
