"""The command `misfits`: exact counts, for the owner, of what a CSV file holds that no answer counts."""

from __future__ import annotations

import codecs
import gzip
from pathlib import Path

import pyarrow as pa

from dpduck.doors.cli.arguments import Arguments
from dpduck.doors.cli.opening import print_table
from dpduck.doors.cli.usage import UsageError
from dpduck.doors.console.writer import Writer
from dpduck.engines.duckdb.csv_lines import CsvValues, part
from dpduck.engines.duckdb.files import DataSet
from dpduck.engines.duckdb.path import TEXTS
from dpduck.engines.source import Source, open_source
from dpduck.kernel.tree import emit

SCHEMA = pa.schema(
    [("what", pa.string()), ("type", pa.string()), ("misfits", pa.int64()), ("of", pa.int64())]
)
_BOM = codecs.BOM_UTF8


def show_misfits(options: Arguments, writer: Writer) -> None:
    """Run `misfits`. Errors: UsageError for what is not CSV; those of opening the file."""
    options.file.check()
    if options.file.kind not in TEXTS:
        raise UsageError(
            f"{options.file} is no CSV file",
            detail="Of other files each row is read as it is.",
            hint="Give the path of a CSV file, or of a folder of them.",
        )
    source = open_source(options.file, read_only=True, policies=options.policies, memory=options.memory)
    table = count_misfits(source)
    source.connection.close()
    print_table(table, options, writer)
    writer.note("These counts are exact: they are for who owns the data, and not to be shown to others.")


def count_misfits(source: Source) -> pa.Table:
    """How many lines are no rows, and for each column how many values do not fit; each of how many."""
    files = source.files
    assert isinstance(files, DataSet)
    form = files.format
    assert form is not None
    values = CsvValues(form)
    asked = ["count(*)"]
    for place, column in enumerate(form.columns, 1):
        text = part(place)
        there = f"{text} NOT IN ({', '.join(map(emit.string, ('', *form.null)))})"
        asked += [f"count(*) FILTER ({there})", f"count({values.of(text, column)})"]
    row = source.connection.execute(f"SELECT {', '.join(asked)} FROM {files.texts()}").fetchall()[0]
    ahead = form.skip + form.header
    lines = sum(max(_lines_of(file, ahead), 0) for file in files.readable())
    found: list[tuple[str, str | None, int, int]] = [("lines that are no rows", None, lines - row[0], lines)]
    for place, column in enumerate(form.columns):
        there, fit = row[1 + 2 * place], row[2 + 2 * place]
        found.append((column.name, column.type, there - fit, there))
    return pa.Table.from_pylist([dict(zip(SCHEMA.names, one, strict=True)) for one in found], SCHEMA)


def _lines_of(file: Path, ahead: int) -> int:
    """How many lines a file has that are not empty, but for those ahead of its rows."""
    count = skipped = 0
    with gzip.open(file) if file.suffix.lower() == ".gz" else file.open("rb") as blocks:
        for block in blocks:  # ends with \n, and may hold ends that are \r
            for line in block.removesuffix(b"\n").removesuffix(b"\r").split(b"\r"):
                if skipped < ahead:
                    skipped += 1
                elif line.removeprefix(_BOM):
                    count += 1
    return count
