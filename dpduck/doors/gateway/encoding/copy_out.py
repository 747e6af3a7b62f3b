"""COPY (query) TO STDOUT: rows as CopyData messages in Postgres's text, csv and binary formats."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpduck.doors.gateway.encoding.byte_columns import BYTES, data_of, joined, lengths_of, of_width, packed
from dpduck.doors.gateway.encoding.encode import BINARY_FORMAT, TEXT_FORMAT, field, tuples
from dpduck.kernel.errors import ParameterError

FORMATS = ("text", "csv", "binary")
_NAMES = ("format", "delimiter", "null", "header", "quote", "escape", "force_quote", "encoding")
_SWITCHES = {**dict.fromkeys(("true", "on", "1"), True), **dict.fromkeys(("false", "off", "0"), False)}
_SIGNATURE = b"PGCOPY\n\xff\r\n\0" + struct.pack("!ii", 0, 0)
_TRAILER = struct.pack("!h", -1)
_LETTERS = {b"\b": b"b", b"\t": b"t", b"\n": b"n", b"\v": b"v", b"\f": b"f", b"\r": b"r"}
_NO_TEXT_DELIMITER = r"\.abcdefghijklmnopqrstuvwxyz0123456789"


@dataclass(frozen=True, kw_only=True)
class CopyOptions:
    """The options of COPY TO; None is Postgres's default for the format. `force_quote`: names, or * for all.

    Errors: ParameterError, by Postgres's rules.
    """

    format: str = "text"
    delimiter: str | None = None
    null: str | None = None
    header: bool = False
    quote: str | None = None
    escape: str | None = None
    force_quote: tuple[str, ...] = ()
    encoding: str = "UTF8"

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise ParameterError(f"COPY format must be one of {', '.join(FORMATS)}")
        if self.encoding.upper().replace("-", "") not in ("UTF8", "UNICODE"):
            raise ParameterError("COPY encoding must be UTF8")
        if self.format == "binary":
            self._check_binary()
        else:
            self._check_delimiter()
            self._check_csv()
            self._check_null()

    @classmethod
    def read(cls, given: Mapping[str, str]) -> CopyOptions:
        """Read options as a statement writes them: names in lower case, and their text."""
        fields: dict[str, Any] = dict(given)
        unknown = fields.keys() - set(_NAMES)
        if unknown:
            raise ParameterError(
                "COPY has an option that is not known", hint=f"It takes {', '.join(_NAMES)}."
            )
        if "format" in fields:
            fields["format"] = fields["format"].lower()
        if "header" in fields:
            fields["header"] = _switch(fields["header"])
        if "force_quote" in fields:
            fields["force_quote"] = tuple(re.split(r"[\s,]+", fields["force_quote"].strip(" ()")))
        return cls(**fields)

    @property
    def separator(self) -> str:
        """The text between two fields."""
        return self.delimiter if self.delimiter is not None else "," if self.format == "csv" else "\t"

    @property
    def null_text(self) -> str:
        """The text for NULL."""
        return self.null if self.null is not None else "" if self.format == "csv" else r"\N"

    @property
    def quotes(self) -> tuple[str, str]:
        """The quote of csv, and the escape before a quote within quotes."""
        quote = '"' if self.quote is None else self.quote
        return quote, quote if self.escape is None else self.escape

    def is_forced(self, name: str) -> bool:
        """Whether the values of a column are always quoted."""
        return "*" in self.force_quote or name in self.force_quote

    def _check_binary(self) -> None:
        given = (self.delimiter, self.null, self.quote, self.escape)
        if self.header or self.force_quote or any(option is not None for option in given):
            raise ParameterError("COPY in binary format takes no other option than encoding")

    def _check_delimiter(self) -> None:
        if not _is_one_byte(self.separator) or self.separator in "\r\n":
            raise ParameterError("COPY delimiter must be a single one-byte character other than a line end")
        if self.format == "text" and self.separator in _NO_TEXT_DELIMITER:
            raise ParameterError("COPY delimiter must not be a lower-case letter, digit, point or backslash")

    def _check_csv(self) -> None:
        quote, escape = self.quotes
        if self.format == "text" and (self.quote is not None or self.escape is not None or self.force_quote):
            raise ParameterError("COPY quote, escape and force_quote are options of csv format")
        if not _is_one_byte(quote) or not _is_one_byte(escape):
            raise ParameterError("COPY quote and escape must each be a single one-byte character")
        if self.format == "csv" and quote == self.separator:
            raise ParameterError("COPY delimiter and quote must be different")

    def _check_null(self) -> None:
        if re.search("[\r\n\0]", self.null_text):
            raise ParameterError("COPY null cannot hold a line end or NUL")
        if self.separator in self.null_text:
            raise ParameterError("COPY delimiter must not appear in null")
        if self.format == "csv" and self.quotes[0] in self.null_text:
            raise ParameterError("COPY quote must not appear in null")


def copy_messages(
    batches: Iterable[pa.RecordBatch], types: Sequence[str], names: Sequence[str], options: CopyOptions
) -> Iterator[bytes]:
    """The rows as CopyData messages, one for each row; each chunk holds the messages of one batch.

    Input: for each column its DuckDB type and its name.
    """
    if options.format == "binary":
        return _binary_messages(batches, types)
    return _line_messages(batches, types, names, options)


def _binary_messages(batches: Iterable[pa.RecordBatch], types: Sequence[str]) -> Iterator[bytes]:
    """The signature is part of the message of the first row, or of the trailer if there is no row."""
    signature = _SIGNATURE
    for batch in batches:
        if not batch.num_rows:
            continue
        columns = [
            field(column, name, BINARY_FORMAT) for column, name in zip(batch.columns, types, strict=True)
        ]
        if signature:
            first = tuples(b"d", [column[:1] for column in columns])
            yield _message(signature + first[5:])
            signature, columns = b"", [column[1:] for column in columns]
        yield tuples(b"d", columns)
    yield _message(signature + _TRAILER)


def _message(body: bytes) -> bytes:
    return b"d" + struct.pack("!i", 4 + len(body)) + body


def _line_messages(
    batches: Iterable[pa.RecordBatch], types: Sequence[str], names: Sequence[str], options: CopyOptions
) -> Iterator[bytes]:
    if options.header:
        # force_quote does not apply to the header.
        cells = [_cell(pa.array([name.encode()], BYTES), options, len(names) == 1) for name in names]
        yield _lines(cells, options)
    for batch in batches:
        fields = (field(column, name, TEXT_FORMAT) for column, name in zip(batch.columns, types, strict=True))
        yield _lines(
            [
                _cell(column, options, len(names) == 1, forced=options.is_forced(name))
                for column, name in zip(fields, names, strict=True)
            ],
            options,
        )


def _lines(cells: Sequence[pa.Array], options: CopyOptions) -> bytes:
    separator = options.separator.encode()
    parts: list[pa.Array | bytes] = []
    for cell in cells:
        parts += [cell, separator]
    parts[-1] = b"\n"
    size = 4 + len(cells) + sum(lengths_of(cell) for cell in cells)
    head = np.zeros(len(cells[0]), np.dtype([("tag", "S1"), ("size", ">i4")]))
    head["tag"], head["size"] = b"d", size
    return data_of(packed(of_width(head), *parts)).tobytes()


def _cell(column: pa.Array, options: CopyOptions, is_alone: bool, *, forced: bool = False) -> pa.Array:
    """Values as a line shows them, NULL included. Input: `is_alone`: the line has no other column."""
    if options.format == "text":
        written = _escaped(column, options.separator.encode())
    else:
        written = _quoted(column, options, is_alone, forced)
    return pc.fill_null(written, options.null_text.encode())


def _escaped(column: pa.Array, separator: bytes) -> pa.Array:
    """Escape the backslash and the delimiter with a backslash, and control characters by their letter."""
    letters = {b"\\": b"\\", **({separator: separator} | _LETTERS)}
    present = set(np.flatnonzero(np.bincount(data_of(column), minlength=256)).tolist())
    for character, letter in letters.items():
        if ord(character) in present:
            column = pc.replace_substring(column, character, b"\\" + letter)
    return column


def _quoted(column: pa.Array, options: CopyOptions, is_alone: bool, forced: bool) -> pa.Array:
    """Quote values with a delimiter, quote or line end, or that would read as NULL or as end of data."""
    quote, escape = (option.encode() for option in options.quotes)
    special = options.separator.encode() + quote + b"\r\n"
    odd = pc.equal(column, pa.scalar(options.null_text.encode(), BYTES))
    if is_alone:
        odd = pc.or_(odd, pc.equal(column, pa.scalar(rb"\.", BYTES)))
    if np.isin(data_of(column), np.frombuffer(special, np.uint8)).any():
        odd = pc.or_(odd, pc.match_substring_regex(column, b"[" + re.escape(special) + b"]"))
    if not forced and not pc.any(odd).as_py():
        return column
    inner = pc.replace_substring(column, escape, escape * 2)
    if escape != quote:
        inner = pc.replace_substring(inner, quote, escape + quote)
    quoted = joined(quote, inner, quote)
    return quoted if forced else pc.if_else(odd, quoted, column)


def _switch(text: str) -> bool:
    if text.lower() not in _SWITCHES:
        raise ParameterError("COPY header must be true or false")
    return _SWITCHES[text.lower()]


def _is_one_byte(text: str) -> bool:
    return len(text) == 1 and 0 < ord(text) < 128
