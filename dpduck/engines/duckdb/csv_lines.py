"""CSV files in which each line is parsed independently of all others, by facts that are on record.

A CSV reader that knows quotes lets one line affect the next: an unclosed quote swallows what follows, and a
value that does not fit the type of its column drops the row, but only from queries that read that column.
One that finds out by itself how a file is written lets one line decide how all are read. So DuckDB is asked
for plain lines, and everything else is an expression over one line and a `CsvFormat`:

    line -> its parts -> a value for each column, or NULL if it is not written as its column's values are

A line with more or fewer parts than there are columns is not a row, nor is one that is not UTF-8 or has more
than 2,000,000 bytes. A quoted string ends with its line at the latest.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice, takewhile
from pathlib import Path

import duckdb

from dpduck.engines.duckdb.path import literal_glob
from dpduck.kernel.catalog.csv_format import (
    FLOATS,
    INTEGERS,
    MOMENTS,
    CsvColumn,
    CsvFormat,
    is_number,
    names_in_header,
)
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.tree import emit

_LONGEST = 2_000_000  # bytes of a line
_MOST_EMPTY = 20
_ENDED = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_LINE, _PARTS = '"dpduck.line"', '"dpduck.parts"'  # names that no column of a file has
_APART = r"E'\x01'"  # a line with this character is not a row
_ESCAPE, _QUOTE = r"E'\x02'", r"E'\x03'"  # placeholders of an escaped escape and quote
# Either character ends a line wherever it is, and an empty line is not a row.
_READ = (
    ", columns = {'dpduck.line': 'VARCHAR'}, auto_detect = false, header = false, new_line = '\\n', "
    f"delim = {_APART}, quote = '', escape = '', strict_mode = false, ignore_errors = true"
)
# Of these strptime makes dates, whatever the format.
_NO_MOMENTS = "('infinity', '-infinity', 'epoch', 'Infinity', '-Infinity', 'Epoch')"
# What a TIMESTAMP is written like, with no zone: its offset would be left out.
_ISO_DATE = r"\d{4}-\d\d?-\d\d?"
_ISO_TIMESTAMP = r"\d{4}-\d\d?-\d\d?([ T]\d\d?:\d\d?(:\d\d?(\.\d+)?)?)?"
_OFFSET = r".*([Zz]|[-+]\d\d(:?\d\d)?)"
_WORDS = {"true/false": ("true", "t", "false", "f")}

Pairs = Sequence[tuple[str, str]]


class _Dialect:
    """How a line is split into parts."""

    def __init__(self, form: CsvFormat) -> None:
        self._delimiter = emit.string(form.delimiter)
        self._quote = emit.string(form.quote) if form.quote else ""
        escaped = form.quote and form.escape and form.escape != form.quote
        self._escape = emit.string(form.escape) if escaped else None  # None: quotes are doubled

    def parts(self, width: int) -> str:
        """SQL of the parts of a line, without their quotes, as a list."""
        plain = emit.call("string_split", _LINE, self._delimiter)
        if not self._quote:
            return plain
        # Most lines have no quote, and are split in a fifth of the time.
        quoted = emit.call("list_transform", self._quoted_parts(width), f"lambda x: {self._text('x')}")
        return f"CASE WHEN {emit.call('contains', _LINE, self._quote)} THEN {quoted} ELSE {plain} END"

    def _quoted_parts(self, width: int) -> str:
        plain = emit.call("string_split", _LINE, self._delimiter)
        # Every other piece between quotes is outside of them; only there delimiters separate parts.
        pieces = emit.call("string_split", _replaced(_LINE, self._hidden), self._quote)
        outside = f"{emit.call('mod', 'i', '2')} = 1"
        marked = f"CASE WHEN {outside} THEN {_replaced('x', [(self._delimiter, _APART)])} ELSE x END"
        each = emit.call("list_transform", pieces, f"lambda x, i: {marked}")
        whole = emit.call("array_to_string", each, self._quote)
        shown = _replaced(whole, [(sign, text) for text, sign in reversed(self._hidden)])
        parted = emit.call("string_split", shown, _APART)
        return f"CASE WHEN {emit.call('len', plain)} = {width} THEN {plain} ELSE {parted} END"

    def _text(self, part: str) -> str:
        """SQL of a part without its quotes."""
        length = emit.call("length", part)
        within = emit.call("substring", part, "2", emit.call("-", length, "2"))
        if self._escape is None:
            doubled = emit.call("||", self._quote, self._quote)
            bare = _replaced(within, [(doubled, self._quote)])
        else:
            (twice, _), (escaped, _) = self._hidden
            bare = _replaced(within, [(twice, _ESCAPE), (escaped, self._quote), (_ESCAPE, self._escape)])
        ends = (emit.call(name, part, self._quote) for name in ("starts_with", "suffix"))
        return f"CASE WHEN {' AND '.join(ends)} AND {length} > 1 THEN {bare} ELSE {part} END"

    @property
    def _hidden(self) -> Pairs:
        """Escape sequences and their placeholders; none if quotes are doubled, since these pair up."""
        if self._escape is None:
            return []
        return [
            (emit.call("||", self._escape, self._escape), _ESCAPE),
            (emit.call("||", self._escape, self._quote), _QUOTE),
        ]


def _replaced(text: str, pairs: Pairs) -> str:
    for old, new in pairs:
        text = emit.call("replace", text, old, new)
    return text


class CsvValues:
    """SQL of the value of a part; NULL if it is empty, or not written as the values of its column are."""

    def __init__(self, form: CsvFormat) -> None:
        self._form = form
        self._nulls = ", ".join(map(emit.string, ("", *form.null)))

    def of(self, text: str, column: CsvColumn) -> str:
        """SQL of the value. Input: SQL of the part without its quotes."""
        kind = column.type
        if kind == "VARCHAR":
            return f"CASE WHEN {text} IN ({self._nulls}) THEN NULL ELSE {text} END"
        if self._form.null:  # else the empty text is of no other type
            text = f"CASE WHEN {text} IN ({self._nulls}) THEN NULL ELSE {text} END"
        if is_number(kind):
            return self._number(self._signs(text), column)
        if kind == "BOOLEAN":
            return _boolean(text, column.format or "true/false")
        return _moment(text, column)

    def _signs(self, text: str) -> str:
        """A number with the signs that DuckDB knows. What is a sign in neither is not a number."""
        form = self._form
        if form.thousands:
            sign, point = (re.escape(one) for one in (form.thousands, form.decimal))
            grouped = emit.string(rf"\s*[-+]?\d{{1,3}}({sign}\d{{3}})+({point}\d*)?\s*")
            whole = emit.call("replace", text, emit.string(form.thousands), "''")
            is_grouped = emit.call("regexp_full_match", text, grouped)
            has_sign = emit.call("contains", text, emit.string(form.thousands))
            text = f"CASE WHEN NOT {has_sign} THEN {text} WHEN {is_grouped} THEN {whole} END"
        if form.decimal != ".":
            both = (emit.string(f".{form.decimal}"), emit.string(f"{form.decimal}."))
            text = emit.call("translate", text, *both)
        return text

    @staticmethod
    def _number(text: str, column: CsvColumn) -> str:
        kind = column.type
        if column.format is None and kind in INTEGERS:
            # DuckDB would take 60.5, 1e3 and 0100 for whole numbers, and two of them for the same one.
            number = f"TRY_CAST({text} AS {kind})"
            return f"CASE WHEN CAST({number} AS VARCHAR) = {text} THEN {number} END"
        if kind in INTEGERS:
            bare = emit.call("trim", text)
            is_whole = emit.call("regexp_full_match", bare, r"'[-+]?\d+'")
            return f"TRY_CAST(CASE WHEN {is_whole} THEN {bare} END AS {kind})"
        if kind in FLOATS:
            return f"TRY_CAST({text} AS {kind})"
        scale = kind.rpartition(",")[2].rstrip(")")
        fits = emit.call("regexp_full_match", emit.call("trim", text), rf"'[-+]?\d*\.?\d{{0,{scale}}}0*'")
        return f"TRY_CAST(CASE WHEN {fits} THEN {text} END AS {kind})"


def _boolean(text: str, words: str) -> str:
    known = _WORDS.get(words.lower(), ())
    yes, _, no = words.lower().partition("/")
    each = {"true": known[:2] or (yes,), "false": known[2:] or (no,)}
    cases = (f"WHEN {emit.string(word)} THEN {value}" for value, all_of in each.items() for word in all_of)
    return f"CASE {emit.call('lower', text)} {' '.join(cases)} END"


def _moment(text: str, column: CsvColumn) -> str:
    kind = column.type
    if column.format is not None:
        parsed = emit.call("try_strptime", text, emit.string(column.format))
        return f"CAST(CASE WHEN {text} NOT IN {_NO_MOMENTS} THEN {parsed} END AS {kind})"
    if kind in MOMENTS:
        is_iso = emit.call(
            "regexp_full_match", text, emit.string(_ISO_DATE if kind == "DATE" else _ISO_TIMESTAMP)
        )
        return f"TRY_CAST(CASE WHEN {is_iso} THEN {text} END AS {kind})"
    if kind == "TIMESTAMP WITH TIME ZONE":
        has_offset = emit.call("regexp_full_match", text, emit.string(_OFFSET))
        return f"TRY_CAST(CASE WHEN {has_offset} THEN {text} END AS {kind})"
    return f"TRY_CAST({text} AS {kind})"


def part(place: int) -> str:
    """The name of a part of a line, which no column of a file has. Input: from 1."""
    return f'"dpduck.{place}"'


class CsvLines:
    """CSV files that are all read by the same facts: otherwise a row could change how others are parsed.

    Of a file nothing else is looked at than the line with the names, if the facts say that there is one.
    """

    function = "read_csv"
    left_out: Mapping[str, str] = {}

    def __init__(self, form: CsvFormat, *, ends_of_skipped: int = 1) -> None:
        """Input: `ends_of_skipped`: how many characters end a line that is skipped: of CR LF each is one."""
        self.format = form
        self.columns = [(column.name, column.type) for column in form.columns]
        self._dialect = _Dialect(form)
        self._skip = form.skip * ends_of_skipped
        self.options = f"{_READ}, skip = {self._skip + form.header}"

    @classmethod
    def of(cls, form: CsvFormat, file: str) -> CsvLines:
        """The files that a first one is like. Of an address a line ends in one character."""
        first = _line_at(file, 0) if form.skip else None
        return cls(form, ends_of_skipped=2 if (first or "").endswith("\r\n") else 1)

    @staticmethod
    def empty_ahead(form: CsvFormat, file: str) -> int:
        """How many empty lines stand before the names, below those that are skipped."""
        lines = (_line_at(file, form.skip + number) for number in range(_MOST_EMPTY))
        return sum(1 for _ in takewhile(lambda line: line is not None and not line.strip("\r\n"), lines))

    def first_misfit(self, cursor: duckdb.DuckDBPyConnection, files: Sequence[str]) -> str | None:
        """The first file that cannot be read or has other columns."""
        return next((file for file in files if not self._fits(cursor, file)), None)

    def select(self, source: str, partitions: Sequence[str]) -> str:
        """SQL of the rows. Input: SQL of the table function that reads the lines."""
        taken = {name.lower() for name in partitions}
        own = {
            place: column
            for place, column in enumerate(self.format.columns, 1)
            if column.name.lower() not in taken
        }
        values, more = CsvValues(self.format), "".join(f", {emit.identifier(name)}" for name in partitions)
        each = (
            f"{values.of(part(n), column)} AS {emit.identifier(column.name)}" for n, column in own.items()
        )
        return f"(SELECT {', '.join(each)}{more} FROM {self._texts(source, own, more)})"

    def texts(self, source: str) -> str:
        """SQL of the parts of each row as texts, called as `part` says. Input: as of `select`."""
        return self._texts(source, range(1, len(self.columns) + 1), "")

    def _texts(self, source: str, places: Iterable[int], more: str) -> str:
        width = len(self.columns)
        apart = f"SELECT {self._dialect.parts(width)} AS {_PARTS}{more} FROM {source}"
        listed = (f"{emit.call('list_extract', _PARTS, str(n))} AS {part(n)}" for n in places)
        return f"(SELECT {', '.join(listed)}{more} FROM ({apart}) WHERE {emit.call('len', _PARTS)} = {width})"

    def _fits(self, cursor: duckdb.DuckDBPyConnection, file: str) -> bool:
        with suppress(duckdb.Error):
            found = self.header(cursor, file)
            named = [fold(name) for name, _ in self.columns]
            return not self.format.header or list(map(fold, found or ())) == named
        return False

    def header(self, cursor: duckdb.DuckDBPyConnection, file: str) -> tuple[str, ...] | None:
        """The names in the line that has them; None if there is none, or it is not UTF-8.

        That is the line at its place, whatever it holds: DuckDB would pass over one that it cannot read, to
        the first row. Errors: those of DuckDB.
        """
        width = len(self.columns)
        if Path(file).is_file():
            line = _line_at(file, self.format.skip)
            if line is None:
                return None
            said = {"line": line.rstrip("\r\n").removeprefix("\ufeff")}
            source = f"(SELECT $line AS {_LINE})"
        else:
            said = {"file": literal_glob(file)}
            source = f"(FROM read_csv($file{_READ}, skip = {self._skip}) LIMIT 1)"
            below = f"(FROM read_csv($file{_READ}, skip = {self._skip + 1}) LIMIT 1)"
            if cursor.execute(f"SELECT ({source}) IS NOT DISTINCT FROM ({below})", said).fetchone() == (
                True,
            ):
                return None  # it was passed over
        found = cursor.execute(f"SELECT {self._dialect.parts(width)} FROM {source}", said).fetchone()
        return None if found is None or found[0] is None else names_in_header(found[0])


def _line_at(file: str, place: int) -> str | None:
    """A line of a file with its end, by its number from 0; None if there is none, or it is not UTF-8."""
    place_of, packed = Path(file), file.lower().endswith(".gz")
    if not place_of.is_file():
        return None
    with suppress(OSError, EOFError, UnicodeDecodeError):
        with gzip.open(place_of) if packed else place_of.open("rb") as lines:
            head = lines.read((place + 1) * _LONGEST)
        found = next(islice(_ENDED.finditer(head), place, None), None)
        return None if found is None else found[0].decode()
    return None
