"""The data and the ledger of a command: opened, told apart from what is to be written, and printed from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from dpduck.answers.service import Service
from dpduck.answers.settings import Settings
from dpduck.doors.cli.arguments import Arguments
from dpduck.doors.cli.usage import UsageError
from dpduck.doors.connection import Connection
from dpduck.doors.console.tables import render
from dpduck.doors.console.writer import Writer
from dpduck.engines.source import open_source
from dpduck.kernel.errors import LedgerError
from dpduck.kernel.ledger import Ledger, open_ledger
from dpduck.kernel.ledger.session import Session


@contextmanager
def opened(
    options: Arguments,
    open_its_ledger: Callable[[Arguments], Ledger],
    *,
    read_only: bool,
    records: bool = True,
) -> Iterator[tuple[Connection, Service]]:
    """Open the file and then its ledger, and close both at the end. A query only reads the file."""
    source = open_source(options.file, read_only=read_only, policies=options.policies, memory=options.memory)
    closes = True
    try:
        with open_its_ledger(options) as ledger:
            settings = Settings(
                options.epsilon,
                options.delta,
                replay=not options.fresh,
                noisy_averages=bool(options.noisy_averages),
            )
            service = Service(source, session_of(options, ledger), settings, records=records)
            yield Connection(source.connection, service), service
    except KeyboardInterrupt:
        closes = False  # a query may still run, and DuckDB cannot be closed during it
        raise
    finally:
        if closes:
            source.connection.close()


def session_of(options: Arguments, ledger: Ledger) -> Session:
    """The session of whoever asks."""
    return Session(ledger, options.session, options.analyst)


def ledger_to_charge(options: Arguments) -> Ledger:
    """Open the ledger to charge, and set the cap given on the command line."""
    ledger = open_ledger(options.ledger_path, options.anchor, options.ledger_room)
    session_of(options, ledger).set_budget(options.budget)
    return ledger


def ledger_if_any(options: Arguments) -> Ledger:
    """Open the ledger to read from, without creating a missing one.

    Errors: LedgerError if there was one once.
    """
    if has_ledger(options):
        return open_ledger(options.ledger_path, options.anchor, options.ledger_room)
    if Path(options.anchor_path).exists():
        raise no_ledger(options, f"Its anchor {options.anchor_path} says that there was one.")
    return open_ledger(None)


def has_ledger(options: Arguments) -> bool:
    """Whether there is a ledger; for a URL only opening it would tell."""
    return options.ledger_is_shared or Path(options.ledger_path).exists()


def no_ledger(options: Arguments, detail: str) -> LedgerError:
    """The error for a ledger that is not there."""
    return LedgerError(
        f"there is no ledger at {options.ledger_path}",
        detail=detail,
        hint="Give its place with --ledger, or restore it from a backup.",
    )


def note_missing_ledger(options: Arguments, writer: Writer) -> None:
    """Say that there is no ledger yet."""
    if not has_ledger(options):
        writer.note(f"there is no ledger at {options.ledger_path} yet: nothing was charged")


def print_table(table: pa.Table, options: Arguments, writer: Writer, charged: str = "0") -> None:
    """Print a table in the format that was asked for. Input: what it was charged, for a failure."""
    text = render(table, options.format, width=writer.width)
    (writer.show if options.format == "box" else writer.data)(text, charged=charged)


def check_output(place: Path, options: Arguments) -> None:
    """Refuse to overwrite the data, its ledger or the anchor. Errors: UsageError."""
    if any(place.exists() and file.exists() and place.samefile(file) for file in kept_files(options)):
        raise UsageError(
            f"{place} is not a place for the answer",
            detail="It holds the data, the ledger or its anchor.",
            hint="Give the path of another file.",
        )


def kept_files(options: Arguments) -> tuple[Path, ...]:
    """Files that must not be overwritten."""
    return (*options.file.files(), Path(options.ledger_path), Path(options.anchor_path))
