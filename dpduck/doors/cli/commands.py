"""The commands by name, and the shell."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import datetime
from fractions import Fraction

from dpduck.doors.cli.arguments import Arguments, make_parser
from dpduck.doors.cli.completion import completion_script
from dpduck.doors.cli.configuration import commands_of
from dpduck.doors.cli.demo import show_demo
from dpduck.doors.cli.opening import (
    check_output,
    has_ledger,
    kept_files,
    ledger_if_any,
    ledger_to_charge,
    opened,
)
from dpduck.doors.cli.questions import check_unit, explain, query, say
from dpduck.doors.cli.reports import page_module, show_budget, show_charges
from dpduck.doors.console.writer import Writer
from dpduck.doors.shell import Data, is_interactive, load_prompt, run_shell
from dpduck.kernel.errors import SqlSyntaxError, decimal_text
from dpduck.kernel.errors.advice import Audience
from dpduck.kernel.ledger import check_place, open_ledger
from dpduck.policies.beside import script_beside


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
    if options.command != "query" or not has_ledger(options):
        return "0"
    with open_ledger(options.ledger_path, options.anchor) as ledger:
        entries = ledger.entries(options.session)
    charged = [e.epsilon for e in entries if e.at >= started and e.query == options.sql]
    return decimal_text(sum(charged, Fraction(0)))


# --- shell ---------------------------------------------------------------------------------------


def _shell(options: Arguments, writer: Writer) -> None:
    check_unit(options)
    if is_interactive():
        load_prompt()  # so that a missing package fails before anything is opened
    # The owner may set policies, which are written to the file.
    read_only = options.analyst is not None or not os.access(options.file.text, os.W_OK)
    with opened(options, ledger_to_charge, read_only=read_only) as (db, service):
        say(db, options, writer)
        code = run_shell(
            db,
            service,
            writer,
            Data(
                options.file.table,
                kept=kept_files(options),
                stores_policies=options.is_database,
                script=str(script_beside(options.file) or ""),
                audience=Audience.SQL if options.is_database else Audience.SHELL_ON_FILE,
            ),
            format=options.format,
            intervals=options.intervals is not False,
            remembers=not options.no_history,
        )
    if code:
        raise SystemExit(code)


# --- the gateway ---------------------------------------------------------------------------------


def _serve(options: Arguments, writer: Writer) -> None:
    from dpduck.doors.cli.gateway import serve  # its imports take long

    serve(options, writer)


def _console(options: Arguments, writer: Writer) -> None:
    from dpduck.doors.cli.console import console  # its imports take long

    console(options, writer)


def _analyst(options: Arguments, writer: Writer) -> None:
    from dpduck.doors.cli.gateway import manage_analysts

    manage_analysts(options, writer)


def _audit(options: Arguments, writer: Writer) -> None:
    from dpduck.doors.cli.auditing import audit  # its imports take long

    check_unit(options)
    _check_places(options)
    if options.html is not None:
        page_module()
    audit(options, writer, ledger_if_any)


def _check_places(options: Arguments) -> None:
    for place in (options.html, options.details):
        if place is not None:
            check_output(place, options)


def _check(options: Arguments, writer: Writer) -> None:
    from dpduck.doors.cli.checking import check  # its imports take long

    check(options, writer)


def _policy(options: Arguments, writer: Writer) -> None:
    from dpduck.doors.cli.policy_scripts import manage_policies

    manage_policies(options, writer)


def _misfits(options: Arguments, writer: Writer) -> None:
    from dpduck.doors.cli.misfits import show_misfits

    show_misfits(options, writer)


def _suggest(options: Arguments, writer: Writer) -> None:
    from dpduck.doors.cli.suggesting import suggest

    suggest(options, writer)


def _demo(_: Arguments, writer: Writer) -> None:
    show_demo(writer)


def _completion(options: Arguments, writer: Writer) -> None:
    writer.data(completion_script(options.action, commands_of(make_parser())))


_COMMANDS: dict[str, Callable[[Arguments, Writer], None]] = {
    "demo": _demo,
    "query": query,
    "explain": explain,
    "suggest": _suggest,
    "misfits": _misfits,
    "policy": _policy,
    "budget": show_budget,
    "ledger": show_charges,
    "serve": _serve,
    "console": _console,
    "analyst": _analyst,
    "shell": _shell,
    "audit": _audit,
    "check": _check,
    "completion": _completion,
}
