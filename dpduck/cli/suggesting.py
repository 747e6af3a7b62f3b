"""The command `suggest`."""

from __future__ import annotations

from dpduck.cli.arguments import Arguments
from dpduck.console.writer import Writer
from dpduck.engines.source import open_columns, open_source
from dpduck.policies.suggest import propose
from dpduck.policies.suggest.script import text_of


def suggest(options: Arguments, writer: Writer) -> None:
    """Run `suggest`. Of files the columns alone are opened, of a database its schema is read."""
    options.file.check()
    if options.is_database:
        source = open_source(options.file, read_only=True)
        with source.connection.cursor() as cursor:
            proposal = propose(cursor, reads_public=options.public)
        source.connection.close()
    else:
        with open_columns(options.file) as connection:
            proposal = propose(connection)
    writer.data(text_of(proposal, options.file.name))
