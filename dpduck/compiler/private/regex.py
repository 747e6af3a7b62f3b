r"""Parses the regular expressions of a query, to ensure that RE2 accepts them and to bound their cost.

DuckDB compiles a pattern when a query runs, and a syntax error would be an error below the data line. So
only a small grammar is accepted: characters, ., classes, groups, |, ^, $, \b, and repetitions. RE2 matches
it in time linear in the string; only the replacement of all matches may scan the rest of the string again
from every position, for patterns with `Pattern.looks_ahead`.
"""

from __future__ import annotations

from dataclasses import dataclass

MAX_PATTERN = 200  # characters
MAX_REPEAT = 50  # in {n,m}
MAX_SIZE = 1_000  # characters after repetitions are expanded
MAX_NESTING = 20

_SPECIAL = set(".^$|()[]{}*+?\\")
_CLASSES = set("dDwWsS")
_CONTROLS = set("tnrfv")


class PatternError(ValueError):
    """A pattern that is not accepted; its message says why."""


@dataclass(frozen=True)
class PatternPart:
    """A part of a pattern, with the shortest and longest match in characters; None is unbounded.

    `ends_anywhere`: unbounded, but a match can end after each repetition, so no character is read in vain.
    `size`: characters of the part after repetitions are expanded.
    """

    size: int
    shortest: int
    longest: int | None
    ends_anywhere: bool = False


@dataclass(frozen=True)
class Pattern:
    """A pattern that RE2 accepts. `shortest`: the length of its shortest match, in characters."""

    groups: int
    shortest: int
    looks_ahead: bool


def read_pattern(text: str) -> Pattern:
    r"""Parse a pattern. Errors: PatternError.

    >>> read_pattern(r"(\d+)-[a-z]{2,3}")
    Pattern(groups=1, shortest=4, looks_ahead=True)
    """
    if len(text) > MAX_PATTERN:
        raise PatternError(f"it is longer than {MAX_PATTERN} characters")
    reader = _PatternReader(text)
    part = reader.alternatives()
    if reader.position < len(text):
        raise PatternError("there is ) without (")
    return Pattern(reader.groups, part.shortest, part.longest is None and not part.ends_anywhere)


class _PatternReader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.groups = 0
        self.depth = 0

    def _next(self) -> str:
        return self.text[self.position : self.position + 1]

    def _take(self) -> str:
        character = self._next()
        if not character:
            raise PatternError("it ends too early")
        self.position += 1
        return character

    def alternatives(self) -> PatternPart:
        parts = [self._sequence()]
        while self._next() == "|":
            self.position += 1
            parts.append(self._sequence())
        lengths = [part.longest for part in parts]
        known = [length for length in lengths if length is not None]
        unbounded = len(known) < len(lengths)
        return PatternPart(
            _checked_size(sum(part.size for part in parts)),
            min(part.shortest for part in parts),
            None if unbounded else max(known),
            unbounded and all(part.ends_anywhere or part.longest is not None for part in parts),
        )

    def _sequence(self) -> PatternPart:
        whole = PatternPart(1, 0, 0)
        while self._next() not in ("", "|", ")"):
            part = self._repeated()
            longest = (
                None if None in (whole.longest, part.longest) else (whole.longest or 0) + (part.longest or 0)
            )
            ends_anywhere = whole.longest is not None and part.ends_anywhere
            size = _checked_size(whole.size + part.size)
            whole = PatternPart(size, whole.shortest + part.shortest, longest, ends_anywhere)
        return whole

    def _repeated(self) -> PatternPart:
        part, repeatable = self._atom()
        if self._next() not in ("*", "+", "?", "{"):
            return part
        if not repeatable:
            raise PatternError("a repetition needs something to repeat")
        least, most = self._count()
        if self._next() == "?":
            self.position += 1
        if self._next() in ("*", "+", "?", "{"):
            raise PatternError("a repetition is itself repeated")
        size = _checked_size(part.size * max(least, most or 1, 1))
        if most is None:
            return PatternPart(size, part.shortest * least, None, part.longest is not None)
        longest = None if part.longest is None else part.longest * most
        return PatternPart(size, part.shortest * least, longest, False)

    def _count(self) -> tuple[int, int | None]:
        symbol = self._take()
        if symbol != "{":
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[symbol]
        end = self.text.find("}", self.position)
        inside = self.text[self.position : end] if end >= 0 else ""
        low, comma, high = inside.partition(",")
        if not _is_count(low) or not (high == "" or _is_count(high)):
            raise PatternError("{ opens {n}, {n,} or {n,m}; as a character it is \\{")
        self.position = end + 1
        least = int(low)
        most = least if not comma else (int(high) if high else None)
        if max(least, most or 0) > MAX_REPEAT or (most is not None and most < least):
            raise PatternError(f"a repetition {{n,m}} goes from n to m, up to {MAX_REPEAT}")
        return least, most

    def _atom(self) -> tuple[PatternPart, bool]:
        """Parse one atom; return it, and whether it can be repeated."""
        character = self._take()
        if character == "(":
            return self._group(), True
        if character == "[":
            self._class()
            return PatternPart(1, 1, 1), True
        if character == "\\":
            return self._escape()
        if character in "^$":
            return PatternPart(1, 0, 0), False
        if character != "." and character in _SPECIAL:
            raise PatternError(f"{character} stands alone; as a character it is \\{character}")
        return PatternPart(1, 1, 1), True

    def _group(self) -> PatternPart:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise PatternError(f"groups are nested more than {MAX_NESTING} deep")
        if self._next() == "?":
            if self.text[self.position : self.position + 2] != "?:":
                raise PatternError("of (?...) only (?:...) is known")
            self.position += 2
        else:
            self.groups += 1
        part = self.alternatives()
        if self._next() != ")":
            raise PatternError("there is ( without )")
        self.position += 1
        self.depth -= 1
        return part

    def _escape(self) -> tuple[PatternPart, bool]:
        character = self._take()
        if character in "bB":
            return PatternPart(1, 0, 0), False
        if character in _CLASSES or character in _CONTROLS or _is_punctuation(character):
            return PatternPart(1, 1, 1), True
        raise PatternError(f"\\{character} is not known")

    def _class(self) -> None:
        if self._next() == "^":
            self.position += 1
        if self._next() == "]":
            raise PatternError("an empty class matches nothing; ] as a character is \\]")
        while self._next() != "]":
            low = self._class_item()
            if self._next() != "-" or self.text[self.position + 1 : self.position + 2] == "]":
                continue
            self.position += 1
            high = self._class_item()
            if low is None or high is None or low > high:
                raise PatternError("a range in a class goes from one character to a later one")
        self.position += 1

    def _class_item(self) -> str | None:
        """Parse one item of a class; return its character, or None for a named class."""
        character = self._take()
        if character == "[":
            raise PatternError("[ in a class is written \\[")
        if character != "\\":
            return character
        escaped = self._take()
        if escaped in _CLASSES:
            return None
        if escaped in _CONTROLS:
            return {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v"}[escaped]
        if _is_punctuation(escaped):
            return escaped
        raise PatternError(f"\\{escaped} is not known")


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 3


def _is_punctuation(character: str) -> bool:
    return character.isascii() and character.isprintable() and not character.isalnum() and character != "_"


def _checked_size(size: int) -> int:
    if size > MAX_SIZE:
        raise PatternError(f"with its repetitions it is longer than {MAX_SIZE} characters")
    return size


def count_references(replacement: str, groups: int) -> tuple[int, int]:
    r"""Return the number of literal bytes, and of references \0, \1, ..., in a replacement.

    Errors: PatternError if RE2 does not accept it.

    >>> count_references(r"<\1>", 1)
    (2, 1)
    """
    literal = references = position = 0
    while position < len(replacement):
        if replacement[position] != "\\":
            literal += len(replacement[position].encode())
            position += 1
            continue
        following = replacement[position + 1 : position + 2]
        if following == "\\":
            literal += 1
        elif following.isascii() and following.isdigit() and int(following) <= groups:
            references += 1
        else:
            raise PatternError(f"\\ in a replacement is followed by a group, up to {groups}, or by \\")
        position += 2
    return literal, references
