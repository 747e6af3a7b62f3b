"""`dpduck audit`: selects the queries, runs the audit, and writes its reports."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from dpduck.doors.audit import queries
from dpduck.doors.audit.report import details, found_once, page
from dpduck.doors.audit.run import Findings, Task, catalog_of, run
from dpduck.doors.cli.arguments import Arguments
from dpduck.doors.console.files import write_file
from dpduck.doors.console.tables import progress
from dpduck.doors.console.writer import Writer
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.errors import ParameterError, SqlSyntaxError, UnknownNameError
from dpduck.kernel.ledger import Ledger


def audit(options: Arguments, writer: Writer, ledger_if_any: Callable[[Arguments], Ledger]) -> None:
    """Audit a file and print what was found. Errors: DpduckError; SystemExit if something was found."""
    catalog = catalog_of(options.file, options.policies)
    queries, source = _queries(options, catalog, ledger_if_any)
    if options.html is not None:
        from dpduck.doors.audit.page import (
            make_page,  # an extra; imported before the work, so that it fails early
        )
    with progress(f"auditing {options.file.name}"), _hearing() as check:
        found = run(Task(options.file, options.policies, queries, source, options.seconds, check))
    if options.html is not None:
        write_file(options.html, make_page(found, datetime.now(UTC)).encode("utf-8", "replace"))
        writer.note(f"wrote {options.html}")
    _write_details(options.details, found, writer)
    writer.show(page(found))
    if not found.clean:
        raise SystemExit(1)


@contextmanager
def _hearing() -> Iterator[Callable[[], None]]:
    """Handle Ctrl-C. Yields a function that raises it again, since DuckDB may turn it into an error."""
    pressed = []

    def press(*_: object) -> None:
        pressed.append(True)
        raise KeyboardInterrupt

    def check() -> None:
        if pressed:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, press)
    try:
        yield check
    except Exception:
        check()
        raise
    finally:
        signal.signal(signal.SIGINT, before)


def _queries(
    options: Arguments, catalog: Catalog, ledger_if_any: Callable[[Arguments], Ledger]
) -> tuple[list[str], str]:
    """The queries to audit, and where they come from."""
    if options.queries is not None:
        return queries.from_text(_read(options.queries), str(options.queries)), f"from {options.queries}"
    with ledger_if_any(options) as ledger:
        asked = queries.from_history(ledger.entries())
    if asked:
        return asked, "those that were asked before"
    return queries.from_policies(catalog), "made from the policies"


def _read(file: Path) -> str:
    reason = None
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        pass
    except UnicodeDecodeError:
        raise SqlSyntaxError(f"{file} is not UTF-8", hint="Save the file as UTF-8.") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
    if reason is None:
        raise UnknownNameError(f"file {file} does not exist", hint="Give the path of a file of queries.")
    raise ParameterError(f"file {file} cannot be read", detail=f"The system says: {reason}.")


def _write_details(place: Path | None, found: Findings, writer: Writer) -> None:
    """Write both sides of each difference, which only the owner may see."""
    if place is not None:
        write_file(place, details(found).encode("utf-8", "replace"))
        writer.note(f"wrote {place}, which shows private values: keep it to yourself")
    elif found_once(found.differences):
        writer.note("--details OUT writes both sides of each difference to a file; it shows private values")
