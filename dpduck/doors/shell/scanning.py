"""A scanner for incomplete text while it is typed, for colours and completion.

Nothing else depends on it: statements that run are parsed by the real parser.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Kind = Literal["comment", "string", "quoted", "number", "word", "sign"]

_PIECE = re.compile(
    r"""
      (?P<comment> --[^\n]* | /\*.*?(?:\*/|\Z) )
    | (?P<string> '(?:[^']|'')*(?:'|\Z) | \$(?P<tag>(?:[^\W\d]\w*)?)\$.*?(?:\$(?P=tag)\$|\Z) )
    | (?P<quoted> "(?:[^"]|"")*(?:"|\Z) )
    | (?P<number> \d[\d_.]*(?:[eE][+-]?\d+)? )
    | (?P<word> [^\W\d]\w* )
    | (?P<sign> \S )
    """,
    re.VERBOSE | re.DOTALL,
)


class Lexeme(NamedTuple):
    """A lexeme, and its offset in the text."""

    kind: Kind
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def word(self) -> str:
        """A word in upper case; an operator unchanged; '' for anything else."""
        return self.text.upper() if self.kind in ("word", "sign") else ""

    @property
    def name(self) -> str:
        """The name that it denotes, '' if it is not a name."""
        if self.kind == "quoted":
            return self.text[1:].removesuffix('"').replace('""', '"')
        return self.text if self.kind == "word" else ""

    @property
    def is_open(self) -> bool:
        """Whether it is a string, name or comment that is not closed yet."""
        if self.kind == "comment":
            return self.text.startswith("--") or not self.text.endswith("*/")
        mark = {"string": "'", "quoted": '"'}.get(self.kind)
        return mark is not None and self.text.startswith(mark) and self.text.count(mark) % 2 == 1


def scan(text: str) -> list[Lexeme]:
    """The lexemes of a text, without whitespace.

    >>> [piece.text for piece in scan("SELECT 'it''s', x.y -- so")]
    ['SELECT', "'it''s'", ',', 'x', '.', 'y', '-- so']
    """
    return [
        Lexeme(match.lastgroup, match[0], match.start())  # type: ignore[arg-type]
        for match in _PIECE.finditer(text)
    ]
