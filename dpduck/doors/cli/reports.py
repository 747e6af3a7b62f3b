"""The commands `budget` and `ledger`."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pyarrow as pa

from dpduck.answers.service import Service
from dpduck.doors.cli.arguments import Arguments
from dpduck.doors.cli.opening import (
    check_output,
    has_ledger,
    ledger_if_any,
    no_ledger,
    note_missing_ledger,
    opened,
    print_table,
    session_of,
)
from dpduck.doors.cli.usage import UsageError
from dpduck.doors.console.export import as_csv, as_parquet, export_table
from dpduck.doors.console.files import write_file
from dpduck.doors.console.reports import (
    Notes,
    budget_lines,
    budget_notes,
    converted_accounts,
    ledger_lines,
    policy_lines,
)
from dpduck.doors.console.tables import progress
from dpduck.doors.console.writer import Writer
from dpduck.kernel.errors import LedgerError, ParameterError
from dpduck.kernel.ledger import Entry, Ledger, PolicyEntry, Subject, open_ledger
from dpduck.kernel.ledger.backups import back_up, restore
from dpduck.kernel.ledger.chain import Head
from dpduck.kernel.ledger.copies import named
from dpduck.kernel.ledger.glance import version_of
from dpduck.kernel.ledger.moves import move
from dpduck.kernel.ledger.session import policy_table
from dpduck.kernel.ledger.versions import RECORDS_EVENTS, VERSION
from dpduck.policies.decisions import place_of


def show_budget(options: Arguments, writer: Writer) -> None:
    """Run `budget`."""
    with opened(options, ledger_if_any, read_only=True, records=False) as (_, service):
        if options.html is not None:
            return _write_page(options, service, options.html, writer)
        accounts = service.accounts()
        budgets, rows = service.session.all_budgets(accounts), service.session.budgets(accounts)
    note_missing_ledger(options, writer)
    if options.format == "box":
        now = datetime.now(UTC)
        notes: Notes = {(b.scope, b.name): budget_notes(b, now) for b in budgets}
        writer.show(budget_lines(rows, writer.width, notes, converted_accounts(budgets)))
    else:
        print_table(rows, options, writer)
    return None


def _write_page(options: Arguments, service: Service, place: Path, writer: Writer) -> None:
    check_output(place, options)
    page = page_module()
    ledger, session = service.session.ledger, service.session
    head, entries = ledger.head(), _own_entries(options, ledger)
    facts = page.PageContents(
        file=options.file.name,
        analyst=options.analyst,
        budgets=session.all_budgets(service.accounts()),
        entries=entries,
        policies=_policies(options, ledger),
        seal=(head.number, head.hash),
        now=max([datetime.now(UTC), *(entry.at for entry in entries[-1:])]),
    )
    write_file(place, page.make_page(facts).encode("utf-8", "replace"))
    note_missing_ledger(options, writer)
    writer.note(f"wrote {place}")


def page_module() -> ModuleType:
    """The module that draws the page, which needs the extra `plot`. Errors: ParameterError without it."""
    try:
        return import_module("dpduck.doors.page.budgets")
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "dpduck":
            raise
    raise ParameterError(
        "the page needs matplotlib, which draws its charts",
        detail=f"The module {missing} is not installed.",
        hint="pip install 'dpduck[plot]'",
    )


def show_charges(options: Arguments, writer: Writer) -> None:
    """Run `ledger`."""
    options.file.check()
    if takes_care(options):
        return take_care(options, writer)
    if options.verify:
        if options.show_policies:
            raise UsageError("--verify shows nothing", hint="It covers policies too: leave --policies out.")
        return _verify(options, writer)
    with ledger_if_any(options) as ledger:
        if options.export is not None:
            return _export(options, ledger, options.export, writer)
        session = session_of(options, ledger)
        rows = (
            policy_table(_policies(options, ledger), options.analyst)
            if options.show_policies
            else session.entries()
        )
    rows = _selected(rows, options)
    note_missing_ledger(options, writer)
    if options.format == "box":
        lines = policy_lines if options.show_policies else ledger_lines
        writer.show(lines(rows, writer.width))
    else:
        print_table(rows, options, writer)
    return None


def _policies(options: Arguments, ledger: Ledger) -> list[PolicyEntry]:
    """The policy entries of the file that may be shown. The default ledger has only entries of this file."""
    subject = None if options.ledger is None else Subject("stored", place=place_of(options.file.where))
    return [entry for entry in ledger.policies(subject) if entry.may_be_shown_to(options.analyst)]


def _verify(options: Arguments, writer: Writer) -> None:
    if not has_ledger(options):
        raise no_ledger(options, "So there is nothing to verify.")
    with open_ledger(options.ledger_path, options.anchor) as ledger:
        with progress(f"verifying {options.ledger_name}"):
            not_repriced = ledger.verify()
        head = ledger.head()
    writer.show(f"the ledger is whole: {_entries(head.number)}, head {head.hash}\n")
    if not_repriced:
        verb = "is" if not_repriced == 1 else "are"
        writer.show(f"{_entries(not_repriced)} of before version {RECORDS_EVENTS} {verb} not re-priced\n")


def _entries(number: int) -> str:
    return f"{number} {'entry' if number == 1 else 'entries'}"


def _export(options: Arguments, ledger: Ledger, place: Path, writer: Writer) -> None:
    check_output(place, options)
    if options.show_policies:
        table = _selected(policy_table(_policies(options, ledger), options.analyst), options)
    else:
        table = export_table(_own_entries(options, ledger))
    write_file(place, as_csv(table) if place.suffix.lower() == ".csv" else as_parquet(table))
    note_missing_ledger(options, writer)
    writer.note(f"wrote {place}")


def _own_entries(options: Arguments, ledger: Ledger) -> list[Entry]:
    """The charges that may be shown: an analyst's own, or for the owner all; of these, those selected."""
    mine = [e for e in ledger.entries() if options.analyst is None or e.analyst == options.analyst]
    found = [entry for entry in mine if options.since is None or entry.at >= options.since]
    return found if options.limit is None else found[-options.limit :]


def _selected(rows: pa.Table, options: Arguments) -> pa.Table:
    """The rows of a report that --since and --limit select, the last ones of it."""
    if options.since is not None:
        since = options.since.replace(tzinfo=None)
        kept = [at >= since for at in rows["at"].to_pylist()]
        rows = rows.filter(pa.array(kept, pa.bool_()))
    return rows if options.limit is None else rows.slice(max(0, rows.num_rows - options.limit))


# `dpduck ledger --backup`, `--restore`, `--upgrade` and `--move`.


def takes_care(options: Arguments) -> bool:
    """Whether a command line asks for one of these."""
    return bool(options.backup or options.restore or options.upgrade or options.move)


def take_care(options: Arguments, writer: Writer) -> None:
    """Do what the command line asks for. Errors: LedgerError."""
    place, anchor = options.ledger_path, options.anchor
    if options.restore is not None:
        done = restore(options.restore, place, anchor, force=options.force)
        writer.show(f"restored: {_told(done.head)}\n")
        if done.replaced is not None:
            writer.show(f"the ledger before it is kept as {done.replaced}\n")
        return
    before = version_of(place)
    if before is None:
        raise LedgerError(
            f"there is no ledger at {named(place)}",
            hint="Give its place with --ledger, or --restore a backup.",
        )
    if options.backup is not None:
        writer.show(f"backed up to {options.backup}: {_told(back_up(place, anchor, options.backup))}\n")
    elif options.move is not None:
        writer.show(f"moved to {named(options.move)}: {_told(move(place, anchor, options.move))}\n")
        writer.note("the ledger that was is closed: give the new place with --ledger, or set it")
    else:
        with open_ledger(place, anchor) as ledger:
            ledger.verify()
            head = ledger.head()
        how = f"of version {VERSION}" if before == VERSION else f"upgraded from version {before} to {VERSION}"
        writer.show(f"the ledger is {how}, and whole: {_told(head)}\n")


def _told(head: Head) -> str:
    return f"{head.number} {'entry' if head.number == 1 else 'entries'}, head {head.hash}"
