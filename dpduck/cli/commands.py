"""The commands: open the file and its ledger, run the command, and print."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pyarrow as pa

from dpduck.catalog.statements import PolicyStatement
from dpduck.cli.arguments import Arguments, UsageError, make_parser
from dpduck.cli.completion import completion_script
from dpduck.cli.configuration import commands_of
from dpduck.cli.demo import show_demo
from dpduck.cli.ledger_care import take_care, takes_care
from dpduck.connection import Connection
from dpduck.console.ctrl_c import run_cancellable
from dpduck.console.export import as_csv, as_parquet, export_table
from dpduck.console.files import write_file
from dpduck.console.reports import Notes, budget_lines, budget_notes, ledger_lines, left_line, policy_lines
from dpduck.console.tables import progress, render
from dpduck.console.writer import Writer
from dpduck.engines.source import open_source
from dpduck.errors import LedgerError, ParameterError, SqlSyntaxError, decimal_text
from dpduck.errors.advice import Audience
from dpduck.ledger import Entry, Ledger, PolicyEntry, Subject, check_place, open_ledger
from dpduck.ledger.session import Session, policy_table
from dpduck.ledger.versions import RECORDS_EVENTS
from dpduck.policies.decisions import place_of
from dpduck.query.parse.settings import ResetSetting, SetOption
from dpduck.query.parse.statements import Explain, Select, Statement, parse, reads_names
from dpduck.runtime.explain import Explanation
from dpduck.runtime.service import Service
from dpduck.runtime.settings import Settings
from dpduck.shell import Data, is_interactive, load_prompt, run_shell

EXPLAIN_SCHEMA = pa.schema(
    [
        ("epsilon", pa.string()),
        ("delta", pa.string()),
        ("mechanism", pa.string()),
        ("expected_error", pa.map_(pa.string(), pa.float64())),
        ("score_sql", pa.string()),
    ]
)


def run(options: Arguments, writer: Writer) -> None:
    """Run a command. Errors: DpduckError."""
    if options.ledger is not None:
        check_place(options.ledger)
    _COMMANDS[options.command](options, writer)


def read_statement() -> str:
    """The SQL text on standard input. Errors: SqlSyntaxError."""
    try:
        return sys.stdin.read()
    except UnicodeDecodeError:
        pass
    raise SqlSyntaxError("the statement on standard input is not UTF-8", hint="Save the file as UTF-8.")


def charged_since(started: datetime, options: Arguments) -> str:
    """The exact epsilon that the query of a command was charged. Errors: LedgerError.

    Input: when the command started.
    """
    if options.command != "query" or not _has_ledger(options):
        return "0"
    with open_ledger(options.ledger_path, options.anchor) as ledger:
        entries = ledger.entries(options.session)
    charged = [e.epsilon for e in entries if e.at >= started and e.query == options.sql]
    return decimal_text(sum(charged, Fraction(0)))


# --- query and explain ---------------------------------------------------------------------------


def _query(options: Arguments, writer: Writer) -> None:
    statement = parse(options.sql)
    _check_query(options, statement)
    if isinstance(statement, Explain):
        return _explain(options, writer)
    with _opened(options, _ledger, read_only=not isinstance(statement, PolicyStatement)) as (db, service):
        _say(db, options, writer)
        before = db.budget()
        with progress(f"reading {options.file.name}", service.interrupts):
            run_cancellable(lambda: db.execute(options.sql), service.interrupts)
        if not isinstance(statement, PolicyStatement):
            _print(db.arrow(), options, writer, db.charged)
        _say(db, options, writer)
        if db.charged != "0" and options.format == "box":
            writer.aside(left_line(db.charged, before, db.budget()))
    return None


def _say(db: Connection, options: Arguments, writer: Writer) -> None:
    for notice in db.notices_for(options.audience):
        writer.note(notice)


def _explain(options: Arguments, writer: Writer) -> None:
    statement = parse(options.sql)
    _check_query(options, statement)
    with _opened(options, _ledger_if_any, read_only=True, records=False) as (db, _):
        explanation = db.explain(options.sql)
        _say(db, options, writer)
    if options.format == "box":
        writer.show(f"{explanation}\n")
    else:
        _print(_explanation_table(explanation), options, writer)


def _explanation_table(explanation: Explanation) -> pa.Table:
    row = {name: getattr(explanation, name) for name in EXPLAIN_SCHEMA.names}
    row["expected_error"] = list(explanation.expected_error.items())
    return pa.Table.from_pylist([row], schema=EXPLAIN_SCHEMA)


def _check_query(options: Arguments, statement: Statement) -> None:
    """Refuse what is impossible on the command line before opening anything. Errors: UsageError."""
    if isinstance(statement, SetOption | ResetSetting):
        word = "SET" if isinstance(statement, SetOption) else "RESET"
        raise UsageError(
            f"{word} does not outlast the command",
            detail="A command line is one statement.",
            hint="Write --epsilon 0.5 or --delta 1e-6 beside the query.",
        )
    policies = options.policies
    if isinstance(statement, PolicyStatement):
        return _check_policy(options)
    if isinstance(statement, Explain) or (isinstance(statement, Select) and not reads_names(statement)):
        _check_select(options, has_policies=bool(policies))
    return None


def _check_policy(options: Arguments) -> None:
    if not options.is_database:
        raise UsageError(
            f"no policy can be stored in {options.file}",
            detail="A Parquet or CSV file has no place for one.",
            hint="Say with each query what is private: --unit COLUMN, and --domain COLUMN=LO..HI.",
        )


def _check_select(options: Arguments, *, has_policies: bool) -> None:
    if options.epsilon is None:
        raise UsageError(
            "a query needs --epsilon",
            detail="Each query spends some epsilon, and none is chosen for you.",
            hint="Add --epsilon 0.5: smaller is safer and noisier.",
        )
    _check_unit(options, has_policies=has_policies)


def _check_unit(options: Arguments, *, has_policies: bool) -> None:
    if not options.is_database and options.unit is None:
        raise UsageError(
            f"whose rows are in {options.file}?",
            detail="What is protected is one unit, with all its rows: a person, a household, a basket."
            if not has_policies
            else "A domain alone protects nobody.",
            hint="Add --unit COLUMN, the column that says whose row it is.",
        )


# --- shell ---------------------------------------------------------------------------------------


def _shell(options: Arguments, writer: Writer) -> None:
    _check_unit(options, has_policies=bool(options.policies))
    if is_interactive():
        load_prompt()  # so that a missing package fails before anything is opened
    # The owner may set policies, which are written to the file.
    read_only = options.analyst is not None or not os.access(options.file.text, os.W_OK)
    with _opened(options, _ledger, read_only=read_only) as (db, service):
        _say(db, options, writer)
        code = run_shell(
            db,
            service,
            writer,
            Data(
                options.file.table,
                kept=_kept(options),
                stores_policies=options.is_database,
                audience=Audience.SQL if options.is_database else Audience.SHELL_ON_FILE,
            ),
            format=options.format,
            remembers=not options.no_history,
        )
    if code:
        raise SystemExit(code)


# --- budget and ledger ---------------------------------------------------------------------------


def _budget(options: Arguments, writer: Writer) -> None:
    with _opened(options, _ledger_if_any, read_only=True, records=False) as (_, service):
        if options.html is not None:
            return _write_page(options, service, options.html, writer)
        accounts = service.accounts()
        budgets, rows = service.session.all_budgets(accounts), service.session.budgets(accounts)
    _note_missing_ledger(options, writer)
    if options.format == "box":
        now = datetime.now(UTC)
        notes: Notes = {(b.scope, b.name): budget_notes(b, now) for b in budgets}
        writer.show(budget_lines(rows, writer.width, notes))
    else:
        _print(rows, options, writer)
    return None


def _write_page(options: Arguments, service: Service, place: Path, writer: Writer) -> None:
    _check_place(place, options)
    page = _page_module()
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
    _note_missing_ledger(options, writer)
    writer.note(f"wrote {place}")


def _page_module() -> ModuleType:
    """The module that draws the page, which needs the extra `plot`. Errors: ParameterError without it."""
    try:
        return import_module("dpduck.page.budgets")
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "dpduck":
            raise
    raise ParameterError(
        "the page needs matplotlib, which draws its charts",
        detail=f"The module {missing} is not installed.",
        hint="pip install 'dpduck[plot]'",
    )


def _charges(options: Arguments, writer: Writer) -> None:
    options.file.check()
    if takes_care(options):
        return take_care(options, writer)
    if options.verify:
        if options.show_policies:
            raise UsageError("--verify shows nothing", hint="It covers policies too: leave --policies out.")
        return _verify(options, writer)
    with _ledger_if_any(options) as ledger:
        if options.export is not None:
            return _export(options, ledger, options.export, writer)
        session = _session(options, ledger)
        rows = (
            policy_table(_policies(options, ledger), options.analyst)
            if options.show_policies
            else session.entries()
        )
    rows = _selected(rows, options)
    _note_missing_ledger(options, writer)
    if options.format == "box":
        lines = policy_lines if options.show_policies else ledger_lines
        writer.show(lines(rows, writer.width))
    else:
        _print(rows, options, writer)
    return None


def _policies(options: Arguments, ledger: Ledger) -> list[PolicyEntry]:
    """The policy entries of the file that may be shown. The default ledger has only entries of this file."""
    subject = None if options.ledger is None else Subject("stored", place=place_of(options.file.where))
    return [entry for entry in ledger.policies(subject) if entry.may_be_shown_to(options.analyst)]


def _verify(options: Arguments, writer: Writer) -> None:
    if not _has_ledger(options):
        raise _no_ledger(options, "So there is nothing to verify.")
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
    _check_place(place, options)
    if options.show_policies:
        table = _selected(policy_table(_policies(options, ledger), options.analyst), options)
    else:
        table = export_table(_own_entries(options, ledger))
    write_file(place, as_csv(table) if place.suffix.lower() == ".csv" else as_parquet(table))
    _note_missing_ledger(options, writer)
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


def _check_place(place: Path, options: Arguments) -> None:
    """Refuse to overwrite the data, its ledger or the anchor. Errors: UsageError."""
    if any(place.exists() and file.exists() and place.samefile(file) for file in _kept(options)):
        raise UsageError(
            f"{place} is not a place for the answer",
            detail="It holds the data, the ledger or its anchor.",
            hint="Give the path of another file.",
        )


def _kept(options: Arguments) -> tuple[Path, ...]:
    """Files that must not be overwritten."""
    return (*options.file.files(), Path(options.ledger_path), Path(options.anchor_path))


# --- shared --------------------------------------------------------------------------------------


@contextmanager
def _opened(
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
            service = Service(source, _session(options, ledger), settings, records=records)
            yield Connection(source.connection, service), service
    except KeyboardInterrupt:
        closes = False  # a query may still run, and DuckDB cannot be closed during it
        raise
    finally:
        if closes:
            source.connection.close()


def _session(options: Arguments, ledger: Ledger) -> Session:
    return Session(ledger, options.session, options.analyst)


def _ledger(options: Arguments) -> Ledger:
    """Open the ledger to charge, and set the cap given on the command line."""
    ledger = open_ledger(options.ledger_path, options.anchor)
    _session(options, ledger).set_budget(options.budget)
    return ledger


def _ledger_if_any(options: Arguments) -> Ledger:
    """Open the ledger to read from, without creating a missing one.

    Errors: LedgerError if there was one once.
    """
    if _has_ledger(options):
        return open_ledger(options.ledger_path, options.anchor)
    if Path(options.anchor_path).exists():
        raise _no_ledger(options, f"Its anchor {options.anchor_path} says that there was one.")
    return open_ledger(None)


def _has_ledger(options: Arguments) -> bool:
    """Whether there is a ledger; for a URL only opening it would tell."""
    return options.ledger_is_shared or Path(options.ledger_path).exists()


def _no_ledger(options: Arguments, detail: str) -> LedgerError:
    return LedgerError(
        f"there is no ledger at {options.ledger_path}",
        detail=detail,
        hint="Give its place with --ledger, or restore it from a backup.",
    )


def _note_missing_ledger(options: Arguments, writer: Writer) -> None:
    if not _has_ledger(options):
        writer.note(f"there is no ledger at {options.ledger_path} yet: nothing was charged")


def _print(table: pa.Table, options: Arguments, writer: Writer, charged: str = "0") -> None:
    text = render(table, options.format, width=writer.width)
    (writer.show if options.format == "box" else writer.data)(text, charged=charged)


# --- the gateway ---------------------------------------------------------------------------------


def _serve(options: Arguments, writer: Writer) -> None:
    from dpduck.cli.gateway import serve  # its imports take long

    serve(options, writer)


def _console(options: Arguments, writer: Writer) -> None:
    from dpduck.cli.console import console  # its imports take long

    console(options, writer)


def _analyst(options: Arguments, writer: Writer) -> None:
    from dpduck.cli.gateway import manage_analysts

    manage_analysts(options, writer)


def _audit(options: Arguments, writer: Writer) -> None:
    from dpduck.cli.auditing import audit  # its imports take long

    _check_unit(options, has_policies=bool(options.policies))
    _check_places(options)
    if options.html is not None:
        _page_module()
    audit(options, writer, _ledger_if_any)


def _check_places(options: Arguments) -> None:
    for place in (options.html, options.details):
        if place is not None:
            _check_place(place, options)


def _check(options: Arguments, writer: Writer) -> None:
    from dpduck.cli.checking import check  # its imports take long

    check(options, writer)


def _demo(_: Arguments, writer: Writer) -> None:
    show_demo(writer)


def _completion(options: Arguments, writer: Writer) -> None:
    writer.data(completion_script(options.action, commands_of(make_parser())))


_COMMANDS: dict[str, Callable[[Arguments, Writer], None]] = {
    "demo": _demo,
    "query": _query,
    "explain": _explain,
    "budget": _budget,
    "ledger": _charges,
    "serve": _serve,
    "console": _console,
    "analyst": _analyst,
    "shell": _shell,
    "audit": _audit,
    "check": _check,
    "completion": _completion,
}
