"""The command `dpduck`: demo, query, explain, budget, ledger, shell, serve, analyst and audit.

    arguments (parsing) -> commands (work) -> writer (output)

Answers go to stdout; errors, as message, DETAIL and HINT, to stderr. The exit code is 0, 1 if the
command was refused or failed, 2 for bad usage, and 130 if it was interrupted.
"""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from dpduck.doors.cli.arguments import Arguments, read_arguments
from dpduck.doors.cli.commands import charged_since, read_statement, run
from dpduck.doors.cli.usage import UsageError
from dpduck.doors.console.ctrl_c import CancelledError, leave_if_busy
from dpduck.doors.console.tables import error_text
from dpduck.doors.console.writer import Writer
from dpduck.kernel.errors import NOTHING_CHARGED, DpduckError, LedgerError

__all__ = ["main"]

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (default: that of the process). Output: the exit code."""
    writer = Writer()
    try:
        return _run(read_arguments(arguments), writer)
    except SystemExit as end:  # from argparse: the help, or bad usage
        return int(end.code or 0)
    except BrokenPipeError:  # the reader, such as head, has closed the pipe
        writer.abandon()
        return 1


def _run(options: Arguments, writer: Writer) -> int:
    started = datetime.now(UTC)
    try:
        if options.sql == "-":
            options = replace(options, sql=read_statement())
        options.file.check_kind()
        run(options, writer)
    except BrokenPipeError:
        raise
    except KeyboardInterrupt:
        return _interrupted(options, writer, started)
    except Exception as error:
        return _failed(error, options, writer, started)
    return 0


def _failed(error: Exception, options: Arguments, writer: Writer, started: datetime) -> int:
    if isinstance(error, UsageError):
        options.fail(_advised(error, options).rstrip())
    if isinstance(error, DpduckError):
        writer.error(_advised(error, options))
        return INTERRUPTED if isinstance(error, CancelledError) else 1
    # The text of an unexpected error is withheld, since it may quote a private value.
    writer.error(
        f"dpduck failed with {type(error).__name__}\n"
        f"DETAIL: This is a fault of dpduck itself. {_said_of_charges(options, started)}\n"
        "HINT: Please report it, with the command and the version.\n"
    )
    return 1


def _interrupted(options: Arguments, writer: Writer, started: datetime) -> int:
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)  # a second Ctrl-C ends the process at once
    writer.error(f"\ninterrupted. {_said_of_charges(options, started)}\n")
    signal.signal(signal.SIGINT, before)
    leave_if_busy(INTERRUPTED)
    return INTERRUPTED


def _said_of_charges(options: Arguments, started: datetime) -> str:
    """What was charged since the command started, for a command that did not end normally."""
    if options.command == "shell" or (options.ledger_is_shared and options.command == "query"):
        # A shell reports the cost of each statement. The entries of a shared ledger have the time of another
        # clock, so those of this command cannot be identified.
        return "What was charged stands in the ledger; dpduck ledger shows it."
    try:
        charged = charged_since(started, options)
    except LedgerError:
        return f"What was charged stands in {options.ledger_name}, which cannot be read now."
    return f"Epsilon {charged} was charged and stays charged." if charged != "0" else NOTHING_CHARGED


def _advised(error: DpduckError, options: Arguments) -> str:
    """The text of an error, with its hint for users of the command line."""
    return error_text(error, options.sql, options.audience)
