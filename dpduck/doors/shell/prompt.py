"""The prompt: editing, history, colours and completion. The only module that uses prompt_toolkit."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, completion_is_selected
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import DummyHistory, FileHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.lexers import Lexer
from prompt_toolkit.styles import Style

from dpduck.doors.console.ctrl_c import StillBusyError
from dpduck.doors.shell.commands import COMMANDS, feed
from dpduck.doors.shell.completion import complete
from dpduck.doors.shell.keywords import FUNCTIONS, KEYWORDS
from dpduck.doors.shell.scanning import Kind, Lexeme, scan
from dpduck.doors.shell.session import ShellSession
from dpduck.doors.shell.statements import is_command, is_complete
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.errors import DpduckError

_STYLE = Style.from_dict(
    {
        "keyword": "ansiblue bold",
        "function": "ansicyan",
        "string": "ansigreen",
        "number": "ansimagenta",
        "comment": "ansibrightblack italic",
        "command": "ansiyellow",
        "name": "",
        "label": "bold",
        "left": "ansibrightblack",
    }
)
_COMMANDS = [(command.name, command.takes) for command in COMMANDS]


def converse(session: ShellSession, left: Callable[[], str], history: Path | None) -> None:
    """Read and run what is typed, until the end. Input: `left`: the prompt's text about the budget."""
    prompt = make_prompt(session, history)
    while not session.leaving:
        try:
            text = prompt.prompt(message(session.data.name, left()))
        except KeyboardInterrupt:
            continue  # the line is cleared
        except EOFError:
            return
        try:
            feed(session, text.splitlines(keepends=True))
        except StillBusyError:
            raise
        except KeyboardInterrupt:
            session.screen.error("interrupted\n")


def message(name: str, left: str) -> StyleAndTextTuples:
    """The prompt, such as `shop (ε 2.5 left)> `."""
    return [("class:label", name), ("class:left", f" ({left})" if left else ""), ("", "> ")]


def ask(question: str) -> bool:
    """Whether the user answers yes to a question; Ctrl-C and Ctrl-D are no."""
    prompt: PromptSession[str] = PromptSession(history=DummyHistory())
    try:
        return prompt.prompt(question).strip().lower() in ("y", "yes")
    except (KeyboardInterrupt, EOFError):
        return False


def make_prompt(session: ShellSession, history: Path | None) -> PromptSession[str]:
    """The editor for statements."""
    prompt: PromptSession[str] = PromptSession(
        history=DummyHistory() if history is None else FileHistory(str(history)),
        auto_suggest=AutoSuggestFromHistory(),
        completer=_CatalogCompleter(session.service.catalog),
        complete_while_typing=True,
        lexer=_Colours(),
        style=_STYLE,
        key_bindings=_keys(),
        prompt_continuation=_continuation,
        reserve_space_for_menu=6,
        multiline=Condition(lambda: not is_complete(prompt.default_buffer.text)),
    )
    return prompt


def _continuation(width: int, line: int, is_soft_wrap: int) -> StyleAndTextTuples:  # noqa: ARG001
    return [("class:left", "...> ".rjust(width))]


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("enter", filter=completion_is_selected)
    def _(event: KeyPressEvent) -> None:
        """Accept the selected completion without running the statement."""
        event.current_buffer.complete_state = None

    return keys


class _CatalogCompleter(Completer):
    """Completion from the public catalog; without a request, only for a word that has begun."""

    def __init__(self, catalog: Callable[[], Catalog]) -> None:
        self._catalog = catalog

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        try:
            catalog = self._catalog()
        except DpduckError:
            return
        for found in complete(document.text, document.cursor_position, catalog, _COMMANDS):
            typed = document.text_before_cursor[-found.replaces :] if found.replaces else ""
            if complete_event.completion_requested or (typed and typed != found.text):
                yield Completion(found.text, -found.replaces, display_meta=found.kind)


class _Colours(Lexer):
    """The colours of a text, scanned as a whole since a string may span several lines."""

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        lines: list[StyleAndTextTuples] = [[]]
        for style, text in coloured(document.text):
            first, *others = text.split("\n")
            lines[-1].append((f"class:{style}" if style else "", first))
            lines += [[(f"class:{style}" if style else "", other)] for other in others]
        return lambda number: lines[number] if number < len(lines) else []


def encodes(sign: str) -> bool:
    """Whether the screen's encoding has a character."""
    try:
        sign.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


# Syntax highlighting: the kind of each part of a typed text.


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
