"""CSV files in which each line is parsed independently of all others.

A CSV reader that knows quotes lets one line affect the next: an unclosed quote swallows what follows, and a
value that does not fit the type of its column drops the row, but only from queries that read that column. So
DuckDB is asked for plain lines, and everything else is an expression over one line:

    line -> its parts -> a value for each column, or NULL if it is not of the column's type

A line with more or fewer parts than there are columns is not a row, nor is one that is not UTF-8 or has more
than 2,000,000 bytes. A quoted string ends with its line at the latest. The columns are detected in the first
file when it is opened, and are public like any schema.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import duckdb

from dpduck.engines.duckdb.path import literal_glob
from dpduck.query.tree import emit

_LINE, _PARTS = '"dpduck.line"', '"dpduck.parts"'  # names that no column of a file has
_APART = r"E'\x01'"  # a line with this character is not a row
_ESCAPE, _QUOTE = r"E'\x02'", r"E'\x03'"  # placeholders of an escaped escape and quote
# Either character ends a line wherever it is, and an empty line is not a row.
_READ = (
    ", columns = {'dpduck.line': 'VARCHAR'}, auto_detect = false, header = false, new_line = '\\n', "
    f"delim = {_APART}, quote = '', escape = '', strict_mode = false, ignore_errors = true"
)

# How a file is looked at, the first way that works: a line that is like no other must not decide for all, so
# it is passed over, whether it has other parts, another end, or is longer than a row may be.
_WAYS = (
    ", ignore_errors = true",
    ", ignore_errors = true, strict_mode = false",
    ", ignore_errors = true, strict_mode = false, max_line_size = 64000000, buffer_size = 128000000",
)

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class _CsvDialect:
    """How a line is split and parsed. `skip`: lines before the names or rows; characters are SQL literals."""

    delimiter: str
    quote: str
    escape: str | None  # None: quotes are escaped by doubling
    skip: int
    formats: Mapping[str, str]

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> _CsvDialect:
        """Input: the result of sniff_csv. If it saw no quote or escape, later rows may have the usual one."""
        quote, escape = (
            '"' if found[sign] in ("(empty)", None) else found[sign] for sign in ("Quote", "Escape")
        )
        formats = {"DATE": found["DateFormat"], "TIMESTAMP": found["TimestampFormat"]}
        return cls(
            emit.string(found["Delimiter"]),
            emit.string(quote),
            None if escape in (quote, '"') else escape,
            found["SkipRows"] * (2 if found["NewLineDelimiter"] == r"\r\n" else 1),
            {kind: emit.string(str(value)) for kind, value in formats.items() if value},
        )

    def parts(self, width: int) -> str:
        """SQL of the parts of a line, with their quotes, as a list."""
        plain = emit.call("string_split", _LINE, self.delimiter)
        # Every other piece between quotes is outside of them; only there delimiters separate parts.
        pieces = emit.call("string_split", _replaced(_LINE, self._hidden), self.quote)
        outside = f"{emit.call('mod', 'i', '2')} = 1"
        marked = f"CASE WHEN {outside} THEN {_replaced('x', [(self.delimiter, _APART)])} ELSE x END"
        each = emit.call("list_transform", pieces, f"lambda x, i: {marked}")
        whole = emit.call("array_to_string", each, self.quote)
        shown = _replaced(whole, [(sign, text) for text, sign in reversed(self._hidden)])
        parted = emit.call("string_split", shown, _APART)
        # Most lines have no delimiter within quotes, and are split in a fifth of the time.
        return f"CASE WHEN {emit.call('len', plain)} = {width} THEN {plain} ELSE {parted} END"

    def text(self, part: str) -> str:
        """SQL of a part without its quotes."""
        length = emit.call("length", part)
        within = emit.call("substring", part, "2", emit.call("-", length, "2"))
        if self.escape is None:
            doubled = emit.call("||", self.quote, self.quote)
            bare = _replaced(within, [(doubled, self.quote)])
        else:
            (twice, _), (escaped, _) = self._hidden
            pairs = [(twice, _ESCAPE), (escaped, self.quote), (_ESCAPE, emit.string(self.escape))]
            bare = _replaced(within, pairs)
        ends = (emit.call(name, part, self.quote) for name in ("starts_with", "suffix"))
        return f"CASE WHEN {' AND '.join(ends)} AND {length} > 1 THEN {bare} ELSE {part} END"

    def value(self, part: str, kind: str) -> str:
        """SQL of a part as a value of a type; NULL if it is empty, or not of the type."""
        text = self.text(part)
        if kind == "VARCHAR":
            return f"CASE WHEN {text} = '' THEN NULL ELSE {text} END"
        if kind in self.formats:
            text = emit.call("try_strptime", text, self.formats[kind])
        return f"TRY_CAST({text} AS {kind})"

    @property
    def _hidden(self) -> Pairs:
        """Escape sequences and their placeholders; none if quotes are doubled, since these pair up."""
        if self.escape is None:
            return []
        escape = emit.string(self.escape)
        return [
            (emit.call("||", escape, escape), _ESCAPE),
            (emit.call("||", escape, self.quote), _QUOTE),
        ]


def _replaced(text: str, pairs: Pairs) -> str:
    for old, new in pairs:
        text = emit.call("replace", text, old, new)
    return text


def _sniffed(cursor: duckdb.DuckDBPyConnection, file: str, options: str) -> dict[str, Any] | None:
    """The dialect and columns that DuckDB detects in a file."""
    with suppress(duckdb.Error):
        row = cursor.execute(f"SELECT * FROM sniff_csv(?{options})", [literal_glob(file)]).fetchone()
        assert row is not None
        return dict(zip([column[0] for column in cursor.description], row, strict=True))
    return None


def _found(cursor: duckdb.DuckDBPyConnection, file: str) -> dict[str, Any] | None:
    """Detect the dialect and columns that most lines of a file have.

    How many lines precede the names is only detected if no line is ignored, so that comes first.
    """
    strict = _sniffed(cursor, file, "")
    skip = "" if strict is None else f", skip = {strict['SkipRows']}"
    ways = (_sniffed(cursor, file, f"{skip}{way}") for way in _WAYS)
    return next(filter(None, ways), strict)


class CsvLines:
    """CSV files, with the dialect and columns that DuckDB detects in the first one.

    They apply to all files: otherwise a row could change how others are parsed. Of the other files only the
    line with the names is read, if there is one.
    """

    function = "read_csv"
    left_out: Mapping[str, str] = {}

    def __init__(self, dialect: _CsvDialect, columns: Sequence[tuple[str, str]], *, has_names: bool) -> None:
        self._dialect = dialect
        self.columns = columns
        self._has_names = has_names
        self._names: object = None
        self.options = f"{_READ}, skip = {dialect.skip + has_names}"

    @classmethod
    def of(cls, cursor: duckdb.DuckDBPyConnection, file: str) -> CsvLines | None:
        """Detect the dialect and columns of a file. None if it cannot be read."""
        found = _found(cursor, file)
        if found is None:
            return None
        with suppress(duckdb.Error):
            columns = [(column["name"], column["type"]) for column in found["Columns"]]
            made = cls(_CsvDialect.of(found), columns, has_names=bool(found["HasHeader"]))
            made._names = made._first_line(cursor, file)
            return made
        return None

    def first_misfit(self, cursor: duckdb.DuckDBPyConnection, files: Sequence[str]) -> str | None:
        """The first file that cannot be read or has other columns."""
        return next((file for file in files if not self._fits(cursor, file)), None)

    def select(self, source: str, partitions: Sequence[str]) -> str:
        """SQL of the rows. Input: SQL of the table function that reads the lines."""
        taken = {name.lower() for name in partitions}
        values = [
            f"{self._value(place, kind)} AS {emit.identifier(name)}"
            for place, (name, kind) in enumerate(self.columns, 1)
            if name.lower() not in taken
        ]
        more = "".join(f", {emit.identifier(name)}" for name in partitions)
        width = len(self.columns)
        apart = f"SELECT {self._dialect.parts(width)} AS {_PARTS}{more} FROM {source}"
        rows = f"({apart}) WHERE {emit.call('len', _PARTS)} = {width}"
        return f"(SELECT {', '.join(values)}{more} FROM {rows})"

    def _value(self, place: int, kind: str) -> str:
        return self._dialect.value(emit.call("list_extract", _PARTS, str(place)), kind)

    def _fits(self, cursor: duckdb.DuckDBPyConnection, file: str) -> bool:
        with suppress(duckdb.Error):
            return self._first_line(cursor, file) == self._names or not self._has_names
        return False

    def _first_line(self, cursor: duckdb.DuckDBPyConnection, file: str) -> object:
        texts = emit.call("list_transform", _PARTS, f"lambda x: {self._dialect.text('x')}")
        line = f"FROM read_csv($file{_READ}, skip = {self._dialect.skip}) LIMIT 1"
        parts = f"SELECT {self._dialect.parts(len(self.columns))} AS {_PARTS} {line}"
        return cursor.execute(f"SELECT {texts} FROM ({parts})", {"file": literal_glob(file)}).fetchone()
