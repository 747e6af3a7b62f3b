"""`dpduck shell`: statements typed or piped, each with its answer and its cost.

    prompt (keys, history, colours) -\\
                                       lines -> statements -> commands -> session -> dpduck's connection
    a pipe ---------------------------/                                     |
                                                        costs: shown first, and confirmed if high

Only `prompt` uses prompt_toolkit, and a pipe does not need it. `completion` and `colours` are pure
functions of the text and the public catalog, on the lexemes from `scanning`. `waiting` shows progress while
a query runs, `history` stores what was typed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from importlib import import_module
from types import ModuleType

from dpduck.answers.service import Service
from dpduck.doors.connection import Connection
from dpduck.doors.console.ctrl_c import CancelledError
from dpduck.doors.shell.commands import feed
from dpduck.doors.shell.history import history_path, open_history
from dpduck.doors.shell.session import Data, Screen, ShellSession, UserInteraction
from dpduck.doors.shell.waiting import waiting
from dpduck.kernel.errors import DpduckError, ParameterError, SqlSyntaxError, decimal_text

__all__ = ["Data", "is_interactive", "load_prompt", "run_shell"]

INTERRUPTED = 130


def is_interactive() -> bool:
    """Whether stdin and stdout are a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def load_prompt() -> ModuleType:
    """Import the prompt, which needs the extra `shell`. Errors: ParameterError without it."""
    try:
        return import_module("dpduck.doors.shell.prompt")
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "dpduck":
            raise
    raise ParameterError(
        f"the interactive shell needs {missing}",
        detail="It is not installed; statements from a pipe need nothing more.",
        hint="pip install 'dpduck[shell]'",
    )


def run_shell(
    db: Connection,
    service: Service,
    screen: Screen,
    data: Data,
    *,
    format: str = "box",
    intervals: bool = True,
    remembers: bool = True,
) -> int:
    """Run what is typed, or piped, until it ends. Output: the exit code.

    Input: `intervals`: whether a box shows how far off numbers may be; `remembers`: whether the
        history is stored.
    """
    if not is_interactive():
        session = ShellSession(db, service, screen, data, format=format, intervals=intervals)
        return _exit_code(feed(session, _piped()))
    prompt = load_prompt()
    interaction = UserInteraction(prompt.ask, partial(waiting, interrupts=service.interrupts))
    session = ShellSession(db, service, screen, data, interaction, format, intervals=intervals)
    whose = "the data owner" if service.session.analyst is None else f"analyst {service.session.analyst}"
    screen.note(
        f"{data.name}, as {whose}. SQL ends with a semicolon; .help lists the commands; Ctrl-D leaves."
    )
    sign = "ε" if prompt.encodes("ε") else "epsilon"
    history = open_history(history_path()) if remembers else None
    prompt.converse(session, lambda: _left_text(session.left(), sign), history)
    return 0


def _left_text(left: Fraction | None, sign: str) -> str:
    return "" if left is None else f"{sign} {decimal_text(left)} left"


def _piped() -> Iterator[str]:
    """The lines on standard input. Errors: SqlSyntaxError."""
    try:
        yield from sys.stdin or ()
    except UnicodeDecodeError:
        pass
    else:
        return
    raise SqlSyntaxError("the text on standard input is not UTF-8", hint="Save the file as UTF-8.")


def _exit_code(error: DpduckError | None) -> int:
    if isinstance(error, CancelledError):
        return INTERRUPTED
    return 0 if error is None else 1
