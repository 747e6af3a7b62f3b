"""Limits on the work of parsing: tokens, backtracking, and one large statement at a time in a process.

The first two are cheap to check, and are checked before there is a tree whose size could be measured.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlglot.parser import Parser

from dpduck.kernel.errors import SqlSyntaxError
from dpduck.kernel.system.fork_lock import ForkLock

MAX_WORDS = 50_000  # words and punctuation: a list of 10,000 dates has 40,000
_BACKTRACKS = 1_000  # in addition to one for each character; ordinary queries need a tenth of that
# If these patterns saw a quote where the tokenizer sees none, they would undercount. So the content of
# quotes is skipped only in a text that has no comments, escapes or dollar quotes (`_NOT_PLAIN`).
_PLAIN = re.compile(r"'[^']*'|\"[^\"]*\"|\w+|[^\w\s]")
_ANY = re.compile(r"\w+|[^\w\s]")
_COMMENT = re.compile(r"--[^\n'\"]*(\n|\Z)?|/\*[^*'\"]*(\*/)?")  # a group matches if it has no quote
_NOT_PLAIN = re.compile(r"--|/\*|[$\\#]")

_LARGE = 10_000  # characters; a tree may take one kilobyte of memory per character
_WAIT = 0.1  # poll interval of `check`, in seconds
_large = ForkLock()


@contextmanager
def reading(text: str, check: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold a process-wide lock while a large text is parsed and planned: its tree may take 40 MB.

    Input: `check`: called while waiting for the lock; it raises if the query was cancelled.
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
    """Refuse a text of more than `MAX_WORDS` words and punctuation marks. Errors: SqlSyntaxError.

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


class LimitedParser(Parser):
    """A parser that limits its backtracking, which is exponential in the depth of nesting."""

    _backtracks = 0

    def reset(self) -> None:
        super().reset()
        self._backtracks = 0

    def _retreat(self, index: int) -> None:
        if index != self._index:
            self._backtracks += 1
            if self._backtracks > _BACKTRACKS + min(len(self.sql), MAX_WORDS):
                raise SqlSyntaxError(
                    "the statement is nested too deeply",
                    hint="Use fewer parentheses, brackets and types within each other.",
                )
        super()._retreat(index)
