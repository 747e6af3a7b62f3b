"""Text in whatever state it is while somebody types, cut into pieces for colours and completion.

Nothing is decided by it: what runs is read by the parser alone.
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
    """A piece of text, and where it begins."""

    kind: Kind
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def word(self) -> str:
        """The word in capitals; a sign as it is; nothing for the rest."""
        return self.text.upper() if self.kind in ("word", "sign") else ""

    @property
    def name(self) -> str:
        """The name that it stands for, nothing if it is none."""
        if self.kind == "quoted":
            return self.text[1:].removesuffix('"').replace('""', '"')
        return self.text if self.kind == "word" else ""

    @property
    def is_open(self) -> bool:
        """Whether it is a string, name or comment whose end is not written yet."""
        if self.kind == "comment":
            return self.text.startswith("--") or not self.text.endswith("*/")
        mark = {"string": "'", "quoted": '"'}.get(self.kind)
        return mark is not None and self.text.startswith(mark) and self.text.count(mark) % 2 == 1


def scan(text: str) -> list[Lexeme]:
    """The pieces of a text, without the blanks between them.

    >>> [piece.text for piece in scan("SELECT 'it''s', x.y -- so")]
    ['SELECT', "'it''s'", ',', 'x', '.', 'y', '-- so']
    """
    return [
        Lexeme(match.lastgroup, match[0], match.start())  # type: ignore[arg-type]
        for match in _PIECE.finditer(text)
    ]
