"""A proposal of how a CSV file is read, from its first lines: for its owner, once.

The first 20,480 lines are private rows. So what is found in them is told to the owner, who makes it public by
going on, and is recorded (`policies.csv_record`); whoever cannot record it gets the facts that need no rows
(`read_as_text`): the names in the first line, and texts.
"""

from __future__ import annotations

import codecs
import gzip
import shlex
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

import duckdb

from dpduck.engines.duckdb.csv_lines import CsvLines, CsvValues, part
from dpduck.engines.duckdb.path import literal_glob
from dpduck.kernel.catalog.csv_format import (
    INTEGERS,
    PADDED,
    CsvColumn,
    CsvFormat,
    CsvWords,
    column_type,
    is_number,
)
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.tree import emit

_SAMPLE = 20_480
_MOST_WAYS = 400  # of reading values, that one pass over the lines tries
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
        form = replace(form, columns=sample.completed(range(1, len(form.columns) + 1)))
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
    places = {place for place, column in enumerate(form.columns, 1) if fold(column.name) in named}
    columns = sample.completed(places)
    return _with_remarks(cursor, file, replace(form, columns=columns), words, about=words.types)


def _with_remarks(
    cursor: duckdb.DuckDBPyConnection,
    file: str,
    form: CsvFormat,
    words: CsvWords,
    about: Iterable[str] | None = None,
) -> ProposedFormat:
    sample = _Sample(cursor, file, form)
    found = sample.told([*sample.misfits(words.types), *(sample.remarks(words) if about is None else ())])
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


Ways = Sequence[tuple[CsvFormat, CsvColumn]]


@dataclass(frozen=True)
class _Question:
    """Ways of reading a column, and what is to be said, given how many values there are and fit in each."""

    place: int
    ways: Ways
    remark: Callable[..., str | None]


def _text(place: int, column: CsvColumn) -> str:
    """SQL of a part of a line. Without two digits no format of days fits, which strptime is slow to say."""
    text = part(place)
    if column.type != "DATE" or column.format not in _DAYS:
        return text
    return f"CASE WHEN {emit.call('regexp_matches', text, emit.string('[0-9].*[0-9]'))} THEN {text} END"


def _misfit(column: CsvColumn, there: int, fit: int) -> str | None:
    return (
        f"No value of the first lines is written like {column}: they are NULL." if there and not fit else None
    )


def _other_order(turned: CsvColumn, there: int, fit: int) -> str | None:
    if not there or fit < there:
        return None
    option = shlex.quote(f"{turned.name}={turned.format}")
    return f"Days and months of {turned.name} could be the other way round: --format {option} if so."


class _Sample:
    """The first lines of a file, as texts."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection, file: str, form: CsvFormat) -> None:
        self._cursor = cursor
        self._form = form
        self._file = file
        lines = CsvLines.of(form, file)
        source = f"read_csv({emit.string(literal_glob(file))}{lines.options}, hive_partitioning = false)"
        self._texts = f"(FROM {lines.texts(source)} LIMIT {_SAMPLE})"

    def _counts(self, asked: Sequence[tuple[int, Ways]]) -> list[list[int]]:
        """How many values each column has, and how many fit, in each way of reading them.

        Input: the place of each column, and the ways. One pass over the lines counts for many columns.
        """
        found: list[list[int]] = []
        while len(found) < len(asked):
            ends = accumulate(len(ways) for _, ways in asked[len(found) :])
            few = max(1, sum(1 for end in ends if end <= _MOST_WAYS))
            found += self._pass(asked[len(found) :][:few])
        return found

    def _pass(self, asked: Sequence[tuple[int, Ways]]) -> Iterator[list[int]]:
        counts = (
            [f"count(CASE WHEN {part(place)} <> '' THEN 1 END)"]
            + [f"count({CsvValues(form).of(_text(place, column), column)})" for form, column in ways]
            for place, ways in asked
        )
        listed = ", ".join(f"[{', '.join(each)}]" for each in counts)
        row = self._cursor.execute(f"SELECT {listed} FROM {self._texts}").fetchone()
        assert row is not None
        return map(list, row)

    def completed(self, places: Container[int]) -> tuple[CsvColumn, ...]:
        """All columns, those at the places with the format that most values have, if none is said."""
        ways = {
            place: [column, *(replace(column, format=each) for each in _formats(column))]
            for place, column in enumerate(self._form.columns, 1)
            if place in places and not column.format and _formats(column)
        }
        counts = self._counts([(place, [(self._form, way) for way in each]) for place, each in ways.items()])
        columns = list(self._form.columns)
        for (place, each), (_, *fit) in zip(ways.items(), counts, strict=True):
            columns[place - 1] = each[fit.index(max(fit))]
        return tuple(columns)

    def has_lines(self) -> bool:
        """Whether there is any row."""
        return bool(self._cursor.execute(f"SELECT 1 FROM {self._texts} LIMIT 1").fetchall())

    def told(self, questions: Sequence[_Question]) -> list[str]:
        """The remarks that the counts of each question give."""
        counts = self._counts([(one.place, one.ways) for one in questions])
        found = (one.remark(*counted) for one, counted in zip(questions, counts, strict=True))
        return [remark for remark in found if remark is not None]

    def misfits(self, types: Iterable[str]) -> Iterator[_Question]:
        """Which columns have none of the values that somebody says they have."""
        named = {fold(name) for name in types}
        for place, column in enumerate(self._form.columns, 1):
            if fold(column.name) in named:
                yield _Question(place, [(self._form, column)], partial(_misfit, column))

    def remarks(self, words: CsvWords) -> Iterator[_Question]:
        """What the owner should know of the columns, beside their types."""
        for place, column in enumerate(self._form.columns, 1):
            said = {name.lower() for name in (*words.types, *words.formats)}
            if column.name.lower() in said:
                continue
            if column.type == "DATE" and column.format in ("%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y"):
                turned = replace(column, format=column.format.translate(str.maketrans("dm", "md")))
                yield _Question(place, [(self._form, turned)], partial(_other_order, turned))
            elif column.type == "VARCHAR":
                yield self._other_type(place, column)

    def _other_type(self, place: int, column: CsvColumn) -> _Question:
        """Why a column is text although most of its values are something else, and what reads them so."""
        form = self._form
        signs = dict.fromkeys([(form.decimal, form.thousands), *_NUMBERS])
        kinds = [(replace(form, decimal=d, thousands=t), replace(column, type="DOUBLE")) for d, t in signs]
        days = [(form, replace(column, type="DATE", format=day)) for day in _DAYS]
        whole = replace(column, type="BIGINT")
        padded = replace(whole, format=PADDED)
        ways = [*kinds, *days]

        def remark(there: int, exact: int, loose: int, *fit: int) -> str | None:
            best = max(fit, default=0)
            if not there or best < 0.5 * there or exact < loose:  # zeros lead in numbers that name something
                return None
            options, what = self._said(*ways[fit.index(best)], whole=exact == best)
            if best < there:
                gap = self._gap(place)
                others = f"no {what} ({gap} is one)" if gap else f"no {what}"
                return (
                    f"{column.name} is text, as some of its values are {others}: {options} makes them NULL."
                )
            return f"{column.name} is text: {options} reads its values as {what}."

        return _Question(place, [(form, whole), (form, padded), *ways], remark)

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
