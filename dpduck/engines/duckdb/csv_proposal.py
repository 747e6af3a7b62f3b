"""A proposal of how a CSV file is read, from its first lines: for its owner, once.

The first 20,480 lines are private rows. So what is found in them is told to the owner, who makes it public by
going on, and is recorded (`policies.csv_record`); whoever cannot record it gets the facts that need no rows
(`read_as_text`): the names in the first line, and texts.
"""

from __future__ import annotations

import codecs
import gzip
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb

from dpduck.catalog.csv_format import (
    INTEGERS,
    PADDED,
    CsvColumn,
    CsvFormat,
    CsvWords,
    column_type,
    is_number,
)
from dpduck.catalog.model import fold
from dpduck.engines.duckdb.csv_lines import CsvLines, CsvValues, part
from dpduck.engines.duckdb.path import literal_glob
from dpduck.errors import ParameterError
from dpduck.query.tree import emit

_SAMPLE = 20_480
_MOST_REMARKS = 6
_HEAD_BYTES = 4 << 20
_HEAD = 20  # the most lines before the names
_SIGNS = ",;\t|"

# How a file is looked at, the first way that works: a line that is like no other must not decide for all, so
# it is passed over, whether it has other parts, another end, or is longer than a row may be.
_WAYS = (
    ", ignore_errors = true",
    ", ignore_errors = true, strict_mode = false",
    ", ignore_errors = true, strict_mode = false, max_line_size = 64000000, buffer_size = 128000000",
)
# DuckDB's names of facts, where somebody has said them.
_ITS_NAMES = {
    "delimiter": "delim", "quote": "quote", "escape": "escape", "header": "header", "skip": "skip",
    "null": "nullstr", "decimal": "decimal_separator",
}  # fmt: skip
_DAYS = (
    "%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d",
    "%d/%m/%y", "%m/%d/%y", "%d.%m.%y", "%d-%m-%y", "%m-%d-%y", "%d %b %Y", "%d-%b-%Y", "%b %d, %Y",
    "%d %B %Y", "%B %d, %Y",
)  # fmt: skip
_CLOCKS = ("%H:%M:%S", "%H:%M", "%I:%M:%S %p", "%I:%M %p", "%H:%M:%S.%f")
_BOOLEANS = ("true/false", "yes/no", "y/n", "1/0", "on/off", "ja/nein", "oui/non", "si/no")
_NUMBERS = ((".", ""), (".", ","), (",", ""), (",", "."), (",", " "), (".", "'"), (".", " "))
# Texts that stand for no value in many a file, and may be named to the owner.
_GAPS = ("NA", "N/A", "n/a", "na", "NULL", "null", "NaN", "nan", "None", "none", "-", "--", "?", ".", "#N/A")


@dataclass(frozen=True)
class ProposedFormat:
    """The facts, and what the owner should know of them, a sentence each; whether there was any line."""

    format: CsvFormat
    remarks: tuple[str, ...] = ()
    has_lines: bool = True


def read_as_text(cursor: duckdb.DuckDBPyConnection, file: str, words: CsvWords) -> CsvFormat | None:
    """The facts without a look at a row: what is said, and the names in the first line. None: no such file.

    Errors: ParameterError if words do not fit them.
    """
    said = words.change(CsvFormat(tuple(CsvColumn(name) for name in words.types)))
    if not said.header:
        return said if said.columns else None
    signs = [said.delimiter] if "delimiter" in words.facts else list(_SIGNS)
    with suppress(duckdb.Error):
        found = [_named(cursor, file, replace(said, delimiter=sign, columns=())) for sign in signs]
        return words.change(max(found, key=lambda one: len(one.columns)))
    return None


def _named(cursor: duckdb.DuckDBPyConnection, file: str, form: CsvFormat) -> CsvFormat:
    names = CsvLines.of(form, file).header(cursor, file) or ()
    return replace(form, columns=tuple(map(CsvColumn, names)))


def propose_format(cursor: duckdb.DuckDBPyConnection, file: str, words: CsvWords) -> ProposedFormat | None:
    """Find how most of the first lines are written, but for what is said. None if it cannot be read.

    Errors: ParameterError if words do not fit the file.
    """
    found = _detected(cursor, file, words)
    if found is None:
        return None
    form = words.change(_format_of(found, words))
    if "skip" not in words.facts:
        form = replace(form, skip=form.skip + CsvLines.empty_ahead(form, file))
    with suppress(duckdb.Error):
        form = _with_names(cursor, file, form)
        sample = _Sample(cursor, file, form)
        form = replace(form, columns=tuple(sample.completed(n) for n in range(1, len(form.columns) + 1)))
        return _with_remarks(cursor, file, form, words)
    return None


def likely_encoding(files: Sequence[Path]) -> dict[str, object]:
    """The fact of an encoding, if most lines of the first file that are not ASCII are not UTF-8."""
    with suppress(OSError, EOFError):
        file = files[0]
        with gzip.open(file) if file.suffix.lower() == ".gz" else file.open("rb") as lines:
            head = lines.read(_HEAD_BYTES)
        if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return {"encoding": "utf-16"}
        others = [line for line in head.split(b"\n")[:_SAMPLE] if not line.isascii()]
        if 2 * sum(map(_is_utf8, others)) < len(others):
            return {"encoding": "windows-1252"}
    return {}


def _is_utf8(line: bytes) -> bool:
    with suppress(UnicodeDecodeError):
        line.decode()
        return True
    return False


def complete_format(
    cursor: duckdb.DuckDBPyConnection, file: str, form: CsvFormat, words: CsvWords
) -> ProposedFormat:
    """Find how the values of columns are written whose types words have changed.

    Errors: those of DuckDB for a file that cannot be read.
    """
    sample = _Sample(cursor, file, form)
    named = {fold(name) for name in words.types} - {fold(name) for name in words.formats}
    columns = tuple(
        sample.completed(place) if fold(column.name) in named else column
        for place, column in enumerate(form.columns, 1)
    )
    return _with_remarks(cursor, file, replace(form, columns=columns), words, about=words.types)


def _with_remarks(
    cursor: duckdb.DuckDBPyConnection,
    file: str,
    form: CsvFormat,
    words: CsvWords,
    about: Iterable[str] | None = None,
) -> ProposedFormat:
    sample = _Sample(cursor, file, form)
    found = [*sample.misfits(words.types), *(sample.remarks(words) if about is None else ())]
    if len(found) > _MOST_REMARKS:
        left = f"So it is with {len(found) - _MOST_REMARKS + 1} more columns: dpduck suggest tells of all."
        found = [*found[: _MOST_REMARKS - 1], left]
    return ProposedFormat(form, tuple(found), sample.has_lines())


def _with_names(cursor: duckdb.DuckDBPyConnection, file: str, form: CsvFormat) -> CsvFormat:
    """The facts with the names in the first line as `CsvLines` reads them."""
    names = CsvLines.of(form, file).header(cursor, file) if form.header else None
    if names is None or len(names) != len(form.columns):
        return form
    columns = zip(form.columns, names, strict=True)
    return replace(form, columns=tuple(replace(column, name=name) for column, name in columns))


# --- what DuckDB detects -------------------------------------------------------------------------


def _detected(cursor: duckdb.DuckDBPyConnection, file: str, words: CsvWords) -> dict[str, Any] | None:
    """The dialect and columns that most lines of a file have.

    How many lines precede the names is only detected if no line is ignored. There a line that is longer than
    all before it looks like the names, so that only few lines are skipped.
    """
    said = [(_ITS_NAMES[name], value) for name, value in words.facts.items() if name in _ITS_NAMES]
    given = "".join(f", {name} = {_option(value)}" for name, value in said)
    strict = _sniffed(cursor, file, given)
    if strict is not None and strict["HasHeader"] and 0 < strict["SkipRows"] <= _HEAD:
        given += f", skip = {strict['SkipRows']}"
    ways = (_sniffed(cursor, file, given + way) for way in _WAYS)
    return next(filter(None, ways), strict)


def _option(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(emit.string, ('', *value)))}]"
    return emit.string(value) if isinstance(value, str) else str(value)


def _sniffed(cursor: duckdb.DuckDBPyConnection, file: str, options: str) -> dict[str, Any] | None:
    with suppress(duckdb.Error):
        row = cursor.execute(f"SELECT * FROM sniff_csv(?{options})", [literal_glob(file)]).fetchone()
        assert row is not None
        return dict(zip([column[0] for column in cursor.description], row, strict=True))
    return None


def _format_of(found: Mapping[str, Any], words: CsvWords) -> CsvFormat:
    """If no quote or escape was seen, later lines may have the usual one."""
    quote, escape = ('"' if found[sign] in ("(empty)", None) else found[sign] for sign in ("Quote", "Escape"))
    formats = {"DATE": found["DateFormat"], "TIMESTAMP": found["TimestampFormat"]}
    columns = tuple(
        CsvColumn(one["name"], _type_of(one["type"]), formats.get(one["type"]) or None)
        for one in found["Columns"]
    )
    signs = {"decimal": words.facts.get("decimal", "."), "thousands": words.facts.get("thousands", "")}
    return CsvFormat(
        columns,
        found["Delimiter"],
        quote,
        quote if escape in (quote, '"') else escape,
        header=bool(found["HasHeader"]),
        skip=found["SkipRows"],
        **signs,  # type: ignore[arg-type]
    )


def _type_of(kind: str) -> str:
    """The type that is read for one that DuckDB detects: one number of 40 digits makes it BIGNUM."""
    if kind == "BIGNUM":
        return "BIGINT"
    with suppress(ParameterError):
        return column_type(kind)
    return "VARCHAR"


# --- what the first lines are like ---------------------------------------------------------------


class _Sample:
    """The first lines of a file, as texts."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection, file: str, form: CsvFormat) -> None:
        self._cursor = cursor
        self._form = form
        self._file = file
        lines = CsvLines.of(form, file)
        source = f"read_csv({emit.string(literal_glob(file))}{lines.options}, hive_partitioning = false)"
        self._texts = f"(FROM {lines.texts(source)} LIMIT {_SAMPLE})"

    def _counts(self, place: int, ways: Iterable[tuple[CsvFormat, CsvColumn]]) -> list[int]:
        """How many values there are, and how many fit, in each way of reading them."""
        text = part(place)
        fits = [f"count({CsvValues(form).of(text, column)})" for form, column in ways]
        there = f"count(CASE WHEN {text} <> '' THEN 1 END)"
        row = self._cursor.execute(f"SELECT {', '.join([there, *fits])} FROM {self._texts}").fetchone()
        assert row is not None
        return list(row)

    def completed(self, place: int) -> CsvColumn:
        """A column with the format that most of its values have, if its type has any and none is said."""
        column = self._form.columns[place - 1]
        ways = [column] if column.format else [column, *(replace(column, format=f) for f in _formats(column))]
        if len(ways) == 1:
            return column
        _, *fit = self._counts(place, ((self._form, way) for way in ways))
        return ways[fit.index(max(fit))]

    def has_lines(self) -> bool:
        """Whether there is any row."""
        return bool(self._cursor.execute(f"SELECT 1 FROM {self._texts} LIMIT 1").fetchall())

    def misfits(self, types: Iterable[str]) -> Iterator[str]:
        """Which columns have none of the values that somebody says they have."""
        named = {fold(name) for name in types}
        for place, column in enumerate(self._form.columns, 1):
            if fold(column.name) in named:
                there, fit = self._counts(place, [(self._form, column)])
                if there and not fit:
                    yield f"No value of the first lines is written like {column}: they are NULL."

    def remarks(self, words: CsvWords) -> Iterator[str]:
        """What the owner should know of the columns, beside their types."""
        for place, column in enumerate(self._form.columns, 1):
            said = {name.lower() for name in (*words.types, *words.formats)}
            if column.name.lower() in said:
                continue
            if column.type == "DATE" and column.format in ("%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y"):
                yield from self._other_order(place, column)
            elif column.type == "VARCHAR":
                yield from self._other_type(place, column)

    def _other_order(self, place: int, column: CsvColumn) -> Iterator[str]:
        assert column.format is not None
        turned = column.format.translate(str.maketrans("dm", "md"))
        there, fit = self._counts(place, [(self._form, replace(column, format=turned))])
        if there and fit == there:
            yield (
                f"Days and months of {column.name} could be the other way round: "
                f"--format {shlex.quote(f'{column.name}={turned}')} if so."
            )

    def _other_type(self, place: int, column: CsvColumn) -> Iterator[str]:
        """Why a column is text although most of its values are something else, and what reads them so."""
        form = self._form
        signs = dict.fromkeys([(form.decimal, form.thousands), *_NUMBERS])
        kinds = [(replace(form, decimal=d, thousands=t), replace(column, type="DOUBLE")) for d, t in signs]
        days = [(form, replace(column, type="DATE", format=day)) for day in _DAYS]
        whole = replace(column, type="BIGINT")
        padded = replace(whole, format=PADDED)
        ways = [*kinds, *days]
        there, exact, loose, *fit = self._counts(place, [(form, whole), (form, padded), *ways])
        best = max(fit, default=0)
        if not there or best < 0.5 * there or exact < loose:  # zeros lead in numbers that name something
            return
        options, what = self._said(*ways[fit.index(best)], whole=exact == best)
        if best < there:
            gap = self._gap(place)
            others = f"no {what} ({gap} is one)" if gap else f"no {what}"
            yield f"{column.name} is text, as some of its values are {others}: {options} makes them NULL."
        else:
            yield f"{column.name} is text: {options} reads its values as {what}."

    def _said(self, form: CsvFormat, column: CsvColumn, *, whole: bool) -> tuple[str, str]:
        name = column.name
        if not is_number(column.type):
            typed, written = (shlex.quote(f"{name}={said}") for said in ("DATE", column.format))
            return f"--type {typed} --format {written}", "dates"
        kind = "BIGINT" if whole else column.type
        signs = [
            f"--{sign} {emit.string(value) if value in (' ', chr(39)) else value}"
            for sign, value in (("decimal", form.decimal), ("thousands", form.thousands))
            if value != getattr(self._form, sign) and value
        ]
        return " ".join([f"--type {shlex.quote(f'{name}={kind}')}", *signs]), "numbers"

    def _gap(self, place: int) -> str | None:
        listed = ", ".join(map(emit.string, _GAPS))
        text = part(place)
        rows = f"{self._texts} WHERE {text} IN ({listed})"
        most = f"SELECT {text} FROM {rows} GROUP BY ALL ORDER BY count(*) DESC, 1"
        row = self._cursor.execute(most).fetchone()
        return None if row is None else str(row[0])


def _formats(column: CsvColumn) -> list[str]:
    match column.type:
        case "DATE":
            return list(_DAYS)
        case "TIMESTAMP":
            return [f"{day} {clock}" for day in _DAYS for clock in _CLOCKS]
        case "BOOLEAN":
            return list(_BOOLEANS)
        case kind if kind in INTEGERS:
            return [PADDED]
    return []
