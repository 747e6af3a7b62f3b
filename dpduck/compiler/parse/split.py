"""Splits a text into statements where Postgres and DuckDB would: at semicolons outside quotes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import TokenType

from dpduck.compiler.parse.bind import MAX_TEXT
from dpduck.compiler.parse.dialect import Dpduck, NumberedDpduck, dialect_of
from dpduck.compiler.parse.effort import check_words
from dpduck.kernel.errors import SqlSyntaxError

_SHORT = 4_000  # characters: only texts up to this length are cached


class _PlainWords(Dpduck):
    """The dialect in which a keyword such as RESET does not swallow the rest of the text as one token."""

    class Tokenizer(Dpduck.Tokenizer):
        COMMANDS = set()  # noqa: RUF012


class _NumberedWords(NumberedDpduck):
    class Tokenizer(NumberedDpduck.Tokenizer):
        COMMANDS = set()  # noqa: RUF012


@dataclass(frozen=True)
class Word:
    """A token: its text without quotes, whether it is quoted, and its start and end in the statement."""

    text: str
    quoted: bool
    start: int
    end: int


@dataclass(frozen=True)
class StatementText:
    """One statement. `start`: its offset in the whole text. `words`: its tokens, without comments."""

    text: str
    start: int
    words: tuple[Word, ...]

    def starts(self, *words: str) -> bool:
        """Whether the statement begins with these unquoted words, in any case. Input: upper case.

        >>> split("begin work; select 1")[0].starts("BEGIN")
        True
        """
        first = [word.text.upper() for word in self.words[: len(words)] if not word.quoted]
        return first == list(words)


def split(text: str) -> tuple[StatementText, ...]:
    """Return the statements of a text, without empty ones.

    Errors: SqlSyntaxError if a quote or a comment has no end, or the text is too long or has too many words.

    >>> [statement.text for statement in split("SELECT 'a;b'; -- c;\\n SELECT $$;$$;")]
    ["SELECT 'a;b'", 'SELECT $$;$$']
    """
    if len(text) > MAX_TEXT:
        raise SqlSyntaxError(f"the text is longer than {MAX_TEXT} characters")
    check_words(text)
    return _cached(text) if len(text) <= _SHORT else _statements(text)


@lru_cache(maxsize=256)
def _cached(text: str) -> tuple[StatementText, ...]:
    return _statements(text)


def _statements(text: str) -> tuple[StatementText, ...]:
    statements: list[StatementText] = []
    current: list[Word] = []
    for word in [*_words(text), Word(";", False, len(text), len(text))]:
        if word.text == ";" and not word.quoted:
            if current:
                statements.append(_statement(text, current))
            current = []
        else:
            current.append(word)
    return tuple(statements)


def _statement(text: str, words: list[Word]) -> StatementText:
    start, end = words[0].start, words[-1].end
    moved = (Word(word.text, word.quoted, word.start - start, word.end - start) for word in words)
    return StatementText(text[start:end], start, tuple(moved))


def _words(text: str) -> list[Word]:
    try:
        dialect = _NumberedWords() if isinstance(dialect_of(text), NumberedDpduck) else _PlainWords()
        tokens = dialect.tokenize(text)
    except TokenError:
        tokens = None
    if tokens is None:
        raise SqlSyntaxError("the text is not complete", detail="A quote or a comment has no end.")
    return [
        Word(
            token.text,
            token.token_type in _QUOTED or text[token.start : token.start + 1] == '"',
            token.start,
            token.end + 1,
        )
        for token in tokens
    ]


_QUOTED = (
    TokenType.STRING,
    TokenType.NATIONAL_STRING,
    TokenType.RAW_STRING,
    TokenType.HEREDOC_STRING,
    TokenType.BYTE_STRING,
    TokenType.HEX_STRING,
    TokenType.BIT_STRING,
    TokenType.UNICODE_STRING,
)
