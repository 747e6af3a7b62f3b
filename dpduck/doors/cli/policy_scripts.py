"""The commands `policy export`, `policy apply` and `policy diff`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from dpduck.doors.cli.arguments import Arguments
from dpduck.doors.cli.opening import ledger_to_charge, opened
from dpduck.doors.cli.questions import say
from dpduck.doors.cli.usage import UsageError
from dpduck.doors.console.files import write_file
from dpduck.doors.console.writer import Writer
from dpduck.engines.source import open_columns, open_source
from dpduck.kernel.catalog.csv_format import CsvWords, SetCsv
from dpduck.kernel.catalog.statements import CreateBudget, PolicyScript, PolicyStatement
from dpduck.kernel.errors import PolicyError, SqlSyntaxError
from dpduck.policies.beside import of_one_table, script_beside
from dpduck.policies.csv_record import csv_on_record, with_csv_format
from dpduck.policies.differences import ScriptDifference, difference, difference_of_scripts, stored_script
from dpduck.policies.scripts import read_script, read_script_file, script_text
from dpduck.policies.wording import sql_of

_STDIN = "-"


def manage_policies(options: Arguments, writer: Writer) -> None:
    """Run an action of `policy`."""
    options.file.check()
    _ACTIONS[options.action](options, writer)


def _export(options: Arguments, writer: Writer) -> None:
    if not options.is_database:
        given = options.policies
        _difference_in_file(options, (), given)  # so that what does not fit is not passed on
        return writer.data(script_text(given))
    _ = options.policies  # a database takes no options that declare any
    source = open_source(options.file, read_only=True)
    with source.connection.cursor() as cursor:
        text = stored_script(cursor)
    source.connection.close()
    return writer.data(text)


def _apply(options: Arguments, writer: Writer) -> None:
    script, text = _read(options)
    if not script:
        return writer.note("there is no statement in the script; nothing was changed")
    if not options.is_database:
        return _put_beside(options, script, text, writer)
    left = _difference_in_database(options, script).left
    if not left:
        return writer.note("these policies hold already; nothing was changed")
    with opened(options, ledger_to_charge, read_only=False) as (db, _):
        say(db, options, writer)
        db.execute(PolicyScript(tuple(left)))
        say(db, options, writer)
    count = f"{len(left)} {'statement' if len(left) == 1 else 'statements'}"
    return writer.note(f"applied {count}; dpduck query {options.file} 'SHOW PRIVACY' shows all policies")


def _put_beside(options: Arguments, script: Sequence[PolicyStatement], text: str, writer: Writer) -> None:
    """Check a script against the columns of files, and put it beside them."""
    place = script_beside(options.file)
    if place is None:
        raise PolicyError(
            f"there is no place for a script beside {options.file}",
            hint="Give its policies with each command: --unit, --domain, --groups and --rows.",
        )
    _difference_in_file(options, (), script)
    open_source(options.file, read_only=True, policies=tuple(script)).connection.close()
    if options.script != _STDIN and _is_same(_script_of(options), place):
        return writer.note(f"{place} fits, and holds for each command on {options.file}")
    if not any(isinstance(one, SetCsv) for one in script):
        text = "\n".join([text.rstrip(), *(f"{sql_of(one)};" for one in csv_on_record(options.file)), ""])
    write_file(place, text.encode())
    return writer.note(f"wrote {place}, which holds for each command on {options.file}")


def _is_same(one: Path, other: Path) -> bool:
    return one.exists() and other.exists() and one.samefile(other)


def _diff(options: Arguments, writer: Writer) -> None:
    script, _ = _read(options)
    if options.is_database:
        changed = [replace(one, replace=True) if isinstance(one, CreateBudget) else one for one in script]
        found = _difference_in_database(options, changed)
    else:
        found = _difference_in_file(options, options.policies, script)
    writer.data(found.text())
    if found.gone or found.new:
        raise SystemExit(1)


def _difference_in_database(options: Arguments, script: Sequence[PolicyStatement]) -> ScriptDifference:
    source = open_source(options.file, read_only=True)
    with source.connection.cursor() as cursor:
        found = difference(cursor, script)
    source.connection.close()
    return found


def _difference_in_file(
    options: Arguments, before: Sequence[PolicyStatement], script: Sequence[PolicyStatement]
) -> ScriptDifference:
    """Compare two scripts for files by their columns alone. Errors: as of `difference`."""
    known = (*csv_on_record(options.file), *before, *script)  # `apply` leaves it, if nothing else is said
    if not any(isinstance(one, SetCsv) for one in script):  # which leaves it as it is
        before = [one for one in before if not isinstance(one, SetCsv) or not script]
    said = with_csv_format(known, options.file, CsvWords(), records=False, proposes=True)
    with open_columns(options.file, said) as connection:
        return difference_of_scripts(connection, before, script)


def _read(options: Arguments) -> tuple[tuple[PolicyStatement, ...], str]:
    """The statements of the script, and its text. Errors: PolicyError, SqlSyntaxError."""
    if options.script == _STDIN:
        text = _from_stdin()
        said = read_script(text, "the script on standard input")
    else:
        place = _script_of(options)
        said = read_script_file(place)
        text = place.read_text(encoding="utf-8-sig")
    return (said if options.is_database else of_one_table(said, options.file)), text


def _script_of(options: Arguments) -> Path:
    """The file of the script. Errors: UsageError if none is named and there can be none beside FILE."""
    place = Path(options.script) if options.script is not None else script_beside(options.file)
    if place is None:
        raise UsageError("no script is named", hint="Write the path of one after FILE, or - for a pipe.")
    return place


def _from_stdin() -> str:
    try:
        return sys.stdin.read()
    except UnicodeDecodeError:
        pass
    raise SqlSyntaxError("the script on standard input is not UTF-8", hint="Save the file as UTF-8.")


_ACTIONS: dict[str, Callable[[Arguments, Writer], None]] = {
    "export": _export,
    "apply": _apply,
    "diff": _diff,
}
