"""The command `suggest`."""

from __future__ import annotations

from dataclasses import replace

from dpduck.answers.summary_advice import script_of
from dpduck.doors.cli.arguments import Arguments
from dpduck.doors.cli.opening import ledger_if_any, note_missing_ledger, opened
from dpduck.doors.console.writer import Writer
from dpduck.engines.source import open_columns, open_source
from dpduck.kernel.catalog.csv_format import SetCsv
from dpduck.policies.csv_record import csv_on_record, with_csv_format
from dpduck.policies.suggest import propose
from dpduck.policies.suggest.script import text_of


def suggest(options: Arguments, writer: Writer) -> None:
    """Run `suggest`. Of files the columns alone are opened, of a database its schema is read."""
    options.file.check()
    if options.summaries:
        return _of_summaries(options, writer)
    if options.is_database:
        source = open_source(options.file, read_only=True)
        with source.connection.cursor() as cursor:
            proposal = propose(cursor, reads_public=options.public)
        source.connection.close()
    else:
        record = csv_on_record(options.file)
        said = with_csv_format(record, options.file, options.csv, records=False, proposes=True)
        with open_columns(options.file, said) as connection:
            proposal = propose(connection)
        proposal = replace(proposal, files=said)
        for remark in (remark for one in said if isinstance(one, SetCsv) for remark in one.remarks[1:]):
            writer.note(remark)
    return writer.data(text_of(proposal, options.file.name))


def _of_summaries(options: Arguments, writer: Writer) -> None:
    """Propose summaries. Nothing is charged, and no private row is read."""
    note_missing_ledger(options, writer)
    with opened(options, ledger_if_any, read_only=True, records=False) as (_, service):
        writer.data(script_of(service.summary_advice()))
