"""The commands `query` and `explain`."""

from __future__ import annotations

import pyarrow as pa

from dpduck.answers.explain import Explanation
from dpduck.compiler.parse.settings import ResetSetting, SetOption
from dpduck.compiler.parse.statements import Explain, Select, Statement, parse, reads_names
from dpduck.doors.cli.arguments import Arguments
from dpduck.doors.cli.opening import ledger_if_any, ledger_to_charge, opened, print_table
from dpduck.doors.cli.usage import UsageError
from dpduck.doors.connection import Connection
from dpduck.doors.console.ctrl_c import run_cancellable
from dpduck.doors.console.reports import left_line
from dpduck.doors.console.tables import progress
from dpduck.doors.console.writer import Writer
from dpduck.kernel.catalog.statements import AddPrivacyKey, PolicyStatement, SetPublic
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.policies.beside import script_beside

EXPLAIN_SCHEMA = pa.schema(
    [
        ("epsilon", pa.string()),
        ("delta", pa.string()),
        ("mechanism", pa.string()),
        ("expected_error", pa.map_(pa.string(), pa.float64())),
        ("error_of", pa.map_(pa.string(), pa.string())),
        ("score_sql", pa.string()),
    ]
)


def query(options: Arguments, writer: Writer) -> None:
    """Run `query`."""
    statement = parse(options.sql)
    _check_query(options, statement)
    if isinstance(statement, Explain):
        return explain(options, writer)
    read_only = not isinstance(statement, PolicyStatement)
    with opened(options, ledger_to_charge, read_only=read_only) as (db, service):
        say(db, options, writer)
        before = db.budget()
        with progress(f"reading {options.file.name}", service.interrupts):
            run_cancellable(lambda: db.execute(options.sql), service.interrupts)
        if not isinstance(statement, PolicyStatement):
            _print_answer(db, options, writer)
        say(db, options, writer)
        if db.charged != "0" and options.format == "box":
            writer.aside(left_line(db.charged, before, db.budget()))
    return None


def _print_answer(db: Connection, options: Arguments, writer: Writer) -> None:
    """Print the answer with its errors: in a box unless told not to, in other formats if asked for them."""
    if _shows_errors(options):
        return writer.show(db.box(writer.width), charged=db.charged)
    table = db.shown_table()
    if options.format != "box" and options.intervals:
        try:
            table = db.shown_table(intervals=True)
        except UnsupportedSqlError as error:  # the answer is paid for, so it is shown nonetheless
            writer.note(f"{error.message}: {error.reason}")
    return print_table(table, options, writer, db.charged)


def _shows_errors(options: Arguments) -> bool:
    return options.format == "box" and options.intervals is not False


def say(db: Connection, options: Arguments, writer: Writer) -> None:
    """Write the notices of the last statement: in short, or with `--why` all there is to say."""
    brief = db.brief_for(options.audience, errors=_shows_errors(options))
    if options.format != "box" and options.intervals is None and (line := db.error_line) is not None:
        writer.note(line)
    for line in brief.whole if options.why else brief.pointing_to("--why"):
        writer.note(line)


def explain(options: Arguments, writer: Writer) -> None:
    """Run `explain`: at the epsilon that is given, or at the one that an error takes."""
    statement = parse(options.sql)
    _check_query(options, statement)
    wanted = options.wanted
    with opened(options, ledger_if_any, read_only=True, records=False) as (db, service):
        if wanted is not None:
            service.settings.epsilon = service.epsilon_for(options.sql, wanted)
        explanation = db.explain(options.sql)
        say(db, options, writer)
    if options.format == "box":
        found = "" if wanted is None else f"{wanted} takes epsilon {explanation.epsilon}\n"
        writer.show(f"{found}{explanation}\n")
    else:
        print_table(_explanation_table(explanation), options, writer)


def _explanation_table(explanation: Explanation) -> pa.Table:
    row = {name: getattr(explanation, name) for name in EXPLAIN_SCHEMA.names}
    row |= {name: list(getattr(explanation, name).items()) for name in ("expected_error", "error_of")}
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
    if options.is_database:
        _ = options.policies  # a database takes no options that declare any
    if isinstance(statement, PolicyStatement):
        return _check_policy(options)
    if isinstance(statement, Explain) or (isinstance(statement, Select) and not reads_names(statement)):
        _check_select(options)
    return None


def _check_policy(options: Arguments) -> None:
    if not options.is_database:
        raise UsageError(
            f"no policy can be stored in {options.file}",
            detail="A Parquet or CSV file has no place for one.",
            hint="Say with each query what is private: --unit COLUMN, and --domain COLUMN=LO..HI; or once, "
            f"in {script_beside(options.file) or 'a script of policies'}.",
        )


def _check_select(options: Arguments) -> None:
    if options.wanted is not None and options.epsilon is not None and "epsilon" not in options.sources:
        raise UsageError("--error finds the epsilon", hint="Leave out --epsilon, or --error.")
    if options.epsilon is None and options.wanted is None:
        finds = options.command == "explain"
        raise UsageError(
            "a query needs --epsilon",
            detail="Each query spends some epsilon, and none is chosen for you.",
            hint="Add --epsilon 0.5: smaller is safer and noisier."
            + (" Or --error 20, and it is found." if finds else ""),
        )
    check_unit(options)


def check_unit(options: Arguments) -> None:
    """Errors: UsageError if nothing says whose rows a file holds."""
    options.file.check()
    policies = options.policies
    if options.is_database or any(isinstance(one, AddPrivacyKey | SetPublic) for one in policies):
        return
    place = script_beside(options.file)
    script = (
        "" if place is None else f" Or declare it once, in {place}: dpduck suggest {options.file} prints one."
    )
    raise UsageError(
        f"whose rows are in {options.file}?",
        detail="What is protected is one unit, with all its rows: a person, a household, a basket."
        if not policies
        else "A domain or a bound alone protects nobody.",
        hint=f"Add --unit COLUMN, the column that says whose row it is.{script}",
    )
