"""How a CSV file is read, on record: in the script beside it, and by that in the ledger.

What somebody says holds. Of what nobody says, the owner's first command that may write it down proposes
facts, tells them, and adds them to the script, as the statement ALTER TABLE t SET CSV; from then on nothing
is found in lines again, whatever later versions of the file are like. Where nothing can be recorded, at an
address or for a named analyst, columns are texts, called as the first line says.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from dpduck.engines.duckdb.csv_proposal import ProposedFormat
from dpduck.engines.duckdb.path import TEXTS, DataPath
from dpduck.engines.source import complete_for, format_in, open_source, propose_for, text_format
from dpduck.kernel.catalog.csv_format import CsvWords, SetCsv
from dpduck.kernel.catalog.statements import PolicyStatement, TableName
from dpduck.kernel.errors import DpduckError, ParameterError
from dpduck.policies.beside import read_beside, script_beside
from dpduck.policies.scripts import read_script
from dpduck.policies.wording import sql_of

_MOST_SHOWN = 20  # columns in the line that tells of them
_AS_TEXT = (
    "No record says how {name} is read: its columns are text, but for what --type says. The owner of {name} "
    "records it by a first query."
)


def with_csv_format(
    policies: tuple[PolicyStatement, ...], path: DataPath, words: CsvWords, *, records: bool, proposes: bool
) -> tuple[PolicyStatement, ...]:
    """The policies of a file, with how it is read if it is CSV.

    Input: `words`: what options say of that; `records`: whether the script may be written; `proposes`:
        whether lines may be looked at, by the owner.
    Errors: ParameterError for words that fit no CSV file, or not this one; PolicyError, UnknownNameError.
    """
    if path.kind not in TEXTS:
        if words:
            raise ParameterError(
                f"{path.name} is no CSV file",
                detail="Its columns have the types that they are stored with.",
                hint="Leave out what says how lines of CSV are read, such as --type and --format.",
            )
        return policies
    words.check()
    known = format_in(policies)
    policies = tuple(one for one in policies if not isinstance(one, SetCsv))
    if known is not None:
        said = words.change(known)
        if said == known:
            return (SetCsv(_table(path), known), *policies)
        found = complete_for(path, said, words) if proposes and words.types else ProposedFormat(said)
        return (_recorded(path, found, records=records, is_new=False), *policies)
    place = script_beside(path)
    if not proposes or place is None or not os.access(place.parent, os.W_OK):
        form = text_format(path, words)
        remarks: tuple[str, ...] = (_AS_TEXT.format(name=path.name),)
        return policies if form is None else (SetCsv(_table(path), form, remarks=remarks), *policies)
    proposed = propose_for(path, words)
    if proposed is None:
        return policies  # opening it says what is wrong
    return (_recorded(path, proposed, records=records, is_new=True), *policies)


def csv_on_record(path: DataPath) -> tuple[SetCsv, ...]:
    """How lines of CSV are read by the script that is there. Errors: those of reading it."""
    return tuple(one for one in read_beside(path) if isinstance(one, SetCsv))[-1:]


def _table(path: DataPath) -> TableName:
    return TableName(path.table)


def _recorded(path: DataPath, found: ProposedFormat, *, records: bool, is_new: bool) -> SetCsv:
    """The statement, written down if that is to be, with what the owner should know.

    Errors: those of opening the files by it; then nothing is written.
    """
    statement = SetCsv(_table(path), found.format)
    place = script_beside(path)
    told = f"Taken as public, of {path.name}: {found.format.shown(_MOST_SHOWN)}."
    if not found.has_lines:
        told = f"{path.name} has no lines yet, so that nothing is recorded of how they are read."
    elif records and place is not None:
        open_source(path, read_only=True, policies=(statement,)).connection.close()
        statement = _added(statement, place, path, is_new=is_new)
        told = f"Taken as public, and recorded in {place}: {statement.format.shown(_MOST_SHOWN)}."
    return replace(statement, remarks=(told, *found.remarks))


def _added(statement: SetCsv, place: Path, path: DataPath, *, is_new: bool) -> SetCsv:
    """Add the statement to the script; or, if another process has just proposed one, return that."""
    with _locked(place):
        text = place.read_text(encoding="utf-8-sig") if place.is_file() else ""
        there = [one for one in read_script(text, str(place)) if isinstance(one, SetCsv)]
        if there and (is_new or there[-1].format == statement.format):
            return replace(there[-1], table=_table(path))
        end = "" if not text or text.endswith("\n") else "\n"
        before = _ended(text, end)
        part = place.with_name(f"{place.name}.part")
        written = replace(statement, table=TableName(path.account_name))  # whatever link leads there
        part.write_text(f"{before}{sql_of(written)};\n", encoding="utf-8")
        if place.is_file():
            shutil.copymode(place, part)
        part.replace(place)
    return statement


def _ended(text: str, end: str) -> str:
    """A script to which a statement can be added: its last one may lack a semicolon."""
    for more in ("", ";"):
        candidate = f"{text}{end}{more}"
        with_one = f"{candidate}\nALTER TABLE t SET PUBLIC;"
        with suppress(DpduckError):
            read_script(with_one, "")
            return candidate + ("\n" if more else "")
    return f"{text}{end}"


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    """Keep other processes of this machine from adding to the same script meanwhile."""
    import fcntl

    folder = os.open(place.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)
