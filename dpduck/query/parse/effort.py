"""What it may take to read a text: so many words and second thoughts of the parser, and a large one alone.

The first two are checked where they cost next to nothing, before there is a tree whose size could be seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlglot.parser import Parser

from dpduck.errors import SqlSyntaxError
from dpduck.system.fork_lock import ForkLock

MAX_WORDS = 50_000  # words and signs: a list of 10,000 dates has 40,000
_SECOND_THOUGHTS = 1_000  # besides one for each character; what people write takes a tenth of that
# Whoever finds a quote where the tokenizer finds none would count too few, so where a text has more than
# plain quotes, what is between them is counted, too.
_PLAIN = re.compile(r"'[^']*'|\"[^\"]*\"|\w+|[^\w\s]")
_ANY = re.compile(r"\w+|[^\w\s]")
_COMMENT = re.compile(r"--[^\n'\"]*(\n|\Z)?|/\*[^*'\"]*(\*/)?")  # whole if no quote begins in it
_NOT_PLAIN = re.compile(r"--|/\*|[$\\#]")

_LARGE = 10_000  # characters; the tree of a text may take a kilobyte for each
_WAIT = 0.1  # seconds between two looks whether somebody still waits
_large = ForkLock()


@contextmanager
def reading(text: str, check: Callable[[], None] = lambda: None) -> Iterator[None]:
    """One large text is read at a time in a process, until its plan is made: a tree takes 40 MB.

    Input: `check`: raises if nobody waits any more.
    """
    if len(text) <= _LARGE:
        yield
        return
    while not _large.acquire(_WAIT):
        check()
    try:
        yield
    finally:
        _large.release()


def check_words(text: str) -> None:
    """Refuse a text that has too many words to be read. Errors: SqlSyntaxError.

    >>> check_words("SELECT count(*) FROM people WHERE name IN ('a b c', 'd')")
    """
    if len(text) <= MAX_WORDS:
        return
    text = _COMMENT.sub(lambda comment: " " if comment.lastindex else comment[0], text)
    words = _ANY if _NOT_PLAIN.search(text) else _PLAIN
    if sum(1 for _ in words.finditer(text)) > MAX_WORDS:
        raise SqlSyntaxError(
            "the statement has too many words",
            detail=f"It may have {MAX_WORDS:,}, commas and other signs included.",
            hint="Use shorter lists of constants, or several statements.",
        )


class PatientParser(Parser):
    """A parser that goes back only so often to try another reading: nested deeply, that would never end."""

    _thoughts = 0

    def reset(self) -> None:
        super().reset()
        self._thoughts = 0

    def _retreat(self, index: int) -> None:
        if index != self._index:
            self._thoughts += 1
            if self._thoughts > _SECOND_THOUGHTS + min(len(self.sql), MAX_WORDS):
                raise SqlSyntaxError(
                    "the statement is nested too deeply",
                    hint="Use fewer parentheses, brackets and types within each other.",
                )
        super()._retreat(index)
