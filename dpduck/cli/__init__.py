"""The command `dpduck`: demo, query, explain, budget and ledger.

    arguments (what was typed) -> commands (what is done) -> writer (what is seen)

Answers go to stdout; errors, as message, DETAIL and HINT, to stderr. The exit code is 0, 1 if the
command was refused or failed, 2 for bad usage, and 130 if it was interrupted.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import FrameType

from dpduck.cli.advice import as_options
from dpduck.cli.arguments import BadUsage, Options, read_arguments
from dpduck.cli.commands import charged_since, read_statement, run
from dpduck.writer import Writer
from dpduck.errors import NOTHING_CHARGED, DpduckError, InternalError
from dpduck.terminal import error_text

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (default: that of the process). Output: the exit code."""
    writer = Writer()
    try:
        return _run(read_arguments(arguments), writer)
    except SystemExit as end:  # from argparse: the help, or bad usage
        return int(end.code or 0)
    except BrokenPipeError:  # the reader, such as head, has seen enough
        writer.abandon()
        return 1


@dataclass
class _Interrupts:
    """Whether the user has pressed Ctrl-C."""

    happened: bool = False


def _run(options: Options, writer: Writer) -> int:
    started = datetime.now(UTC)
    with _noted_interrupts() as interrupts:
        try:
            if options.sql == "-":
                options = replace(options, sql=read_statement())
            run(options, writer)
        except KeyboardInterrupt:
            interrupts.happened = True
        except BadUsage as usage:
            options.fail(_advised(usage, options))
        except DpduckError as error:
            # DuckDB ends an interrupted query with an error of its own.
            if not interrupts.happened:
                writer.error(_advised(error, options))
                return 1
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001  nobody wants to see a traceback
            writer.error(error_text(_fault(error, options, started)))
            return 1
        else:
            return 0
        return _interrupted(options, writer, started)


def _interrupted(options: Options, writer: Writer, started: datetime) -> int:
    charged = charged_since(started, options)
    said = f"Epsilon {charged} was charged and stays charged." if charged != "0" else NOTHING_CHARGED
    writer.error(f"\ninterrupted. {said}\n")
    return 130


def _fault(error: Exception, options: Options, started: datetime) -> InternalError:
    # Its text is withheld, since it may quote a private value.
    return InternalError(
        f"dpduck failed with {type(error).__name__}",
        detail="This is a fault of dpduck itself.",
        hint="Please report it, with the command and the version.",
        charged=charged_since(started, options),
    )


def _advised(error: DpduckError, options: Options) -> str:
    """The text of an error whose hint is in the words of the command line."""
    if error.hint is not None:
        error.hint = as_options(error.hint, is_database=options.is_database)
    return error_text(error, options.sql)


@contextmanager
def _noted_interrupts() -> Iterator[_Interrupts]:
    """Note the first Ctrl-C, and raise KeyboardInterrupt as ever; a second one ends the process."""
    interrupts = _Interrupts()

    def note(_signal: int, _frame: FrameType | None) -> None:
        interrupts.happened = True
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield interrupts
        return
    before = signal.signal(signal.SIGINT, note)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, before)
