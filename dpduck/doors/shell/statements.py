"""Split typed or piped lines into statements and commands of the shell.

A command begins with a dot, as in DuckDB's shell, or a backslash, as in psql; so are help, exit and quit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from dpduck.compiler.parse.split import StatementText, split
from dpduck.kernel.errors import SqlSyntaxError

_PROBE = "probe"
_SIGNS = (".", "\\")
_WORDS = ("help", "exit", "quit")


class _Cut(NamedTuple):
    """The split of a text: complete statements, and the rest. `open`: the rest has an unclosed quote."""

    ended: list[str]
    rest: str
    open: bool = False


def is_command(text: str) -> bool:
    """Whether the text is a command of the shell.

    >>> is_command("\\\\d visits"), is_command("Quit;"), is_command("help me")
    (True, True, False)
    """
    plain = text.strip()
    return plain.startswith(_SIGNS) or plain.rstrip("; ").lower() in _WORDS


def is_complete(text: str) -> bool:
    """Whether Enter runs the text: it is blank, a command, or ends with a semicolon.

    >>> is_complete("SELECT 1"), is_complete("SELECT 1;"), is_complete("SELECT 'a;"), is_complete(".help")
    (False, True, False, True)
    """
    return is_command(text) or not _cut(text).rest


def pieces(lines: Iterable[str]) -> Iterator[str]:
    """Yield the statements and commands in lines, each once it is complete; the last needs no semicolon.

    A line that is a command is run as one, except in the middle of a statement.

    >>> list(pieces(["SELECT 1; SELECT\\n", "  2;\\n", ".help\\n", "SELECT 3"]))
    ['SELECT 1', 'SELECT\\n  2', '.help', 'SELECT 3']
    """
    waiting = ""
    for line in lines:
        if is_command(line) and not _cut(waiting).rest:
            waiting = ""
            yield line.strip()
            continue
        waiting += line
        if ";" in line:
            ended, waiting, _ = _cut(waiting)
            yield from ended
            if ended and is_command(waiting):
                yield waiting.strip()
                waiting = ""
    last = _cut(waiting)
    if last.open:
        yield last.rest.strip()  # an incomplete statement, which the parser will refuse
    else:
        ended, begun = _joined(split(waiting), waiting)
        yield from ended if begun is None else [*ended, waiting[begun:].strip()]


def _cut(text: str) -> _Cut:
    try:
        # A probe after the text is a statement of its own if a semicolon ended the one before.
        *found, last = split(f"{text}\n{_PROBE}")
    except SqlSyntaxError:
        return _Cut([], text, open=True)
    ended, begun = _joined(found, text)
    if begun is not None:
        return _Cut(ended, text[begun:])
    return _Cut(ended, "" if last.text == _PROBE else text[last.start :])


def _joined(found: Sequence[StatementText], text: str) -> tuple[list[str], int | None]:
    """The statements of a text, of which those from BEGIN to COMMIT are one.

    Output: also where one begins that has no COMMIT yet.
    """
    ended, begun = [], None
    for piece in found:
        if begun is None and piece.starts("BEGIN"):
            begun = piece.start
        elif begun is None:
            ended.append(piece.text)
        elif piece.starts("COMMIT") or piece.starts("ROLLBACK"):
            ended.append(text[begun : piece.start + len(piece.text)])
            begun = None
    return ended, begun
