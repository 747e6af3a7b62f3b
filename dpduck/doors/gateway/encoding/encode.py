"""Columns as Postgres fields, and rows of fields as messages: Arrow in, bytes out.

Lists of a scalar type are arrays; deeper lists, structs, maps and unions arrive as json text (see
pgtypes and rows). Types that Arrow cannot represent arrive as DuckDB's text.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpduck.doors.gateway.encoding.byte_columns import (
    BYTES,
    Numbers,
    data_of,
    joined,
    lengths_of,
    of_offsets,
    of_width,
    offsets_of,
    packed,
    validity,
)
from dpduck.doors.gateway.encoding.encode_binary import binary_of
from dpduck.doors.gateway.encoding.encode_text import text_of
from dpduck.doors.gateway.encoding.pgtypes import ELEMENTS, Builtin, pg_type

TEXT_FORMAT, BINARY_FORMAT = 0, 1
_QUOTED_ELEMENT = rb'(?i)^(?:null)?$|[{}",\\ \t\n\r\x0b\x0c]'
_NULL_LENGTH = -1


def data_rows(batch: pa.RecordBatch, types: Sequence[str], formats: Sequence[int]) -> bytes:
    """The rows as DataRow messages.

    Input: for each column its DuckDB type, and 0 for text or 1 for binary.
    """
    columns = zip(batch.columns, types, formats, strict=True)
    return tuples(b"D", [field(column, duckdb_type, form) for column, duckdb_type, form in columns])


def field(array: pa.Array, duckdb_type: str, form: int) -> pa.Array:
    """A column as large_binary: the wire form of each value, without its length."""
    column_type = pg_type(duckdb_type)
    if column_type.oid in ELEMENTS and not pa.types.is_null(array.type):
        return _array(array, ELEMENTS[column_type.oid], form)
    return _scalar(array, column_type.name, form)


def tuples(tag: bytes, columns: Sequence[pa.Array]) -> bytes:
    """The rows as messages of a number of fields, then each field's length (-1 for NULL) and bytes.

    DataRow (tag D) has this form, and CopyData (tag d) in a COPY in binary format.
    """
    lengths = [lengths_of(column) for column in columns]
    size = 4 + 2 + 4 * len(columns) + sum(lengths)
    head = np.zeros(len(columns[0]), np.dtype([("tag", "S1"), ("size", ">i4"), ("count", ">i2")]))
    head["tag"], head["size"], head["count"] = tag, size, len(columns)
    parts = [of_width(head)]
    for column, length in zip(columns, lengths, strict=True):
        parts += [_length_words(column, length), column]
    return data_of(packed(*parts)).tobytes()


def _length_words(column: pa.Array, lengths: Numbers) -> pa.Array:
    if column.null_count:
        lengths = np.where(column.is_valid().to_numpy(zero_copy_only=False), lengths, _NULL_LENGTH)
    return of_width(lengths.astype(">i4"))


def _scalar(array: pa.Array, name: str, form: int) -> pa.Array:
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pa.types.is_null(array.type):
        return array.cast(BYTES)
    return binary_of(array, name) if form == BINARY_FORMAT else text_of(array, name)


def _array(array: pa.Array, element: Builtin, form: int) -> pa.Array:
    """Input: lists, or arrays of a fixed length, of values of a scalar type."""
    lists = array.cast(pa.large_list(array.type.value_type))
    counts = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False)
    cuts = np.concatenate([[0], np.cumsum(counts)])
    values = _scalar(pc.list_flatten(lists), element.name, form)
    if form == BINARY_FORMAT:
        head = _binary_heads(values, counts, cuts, element.oid)
        return joined(
            head, _regrouped(packed(_length_words(values, lengths_of(values)), values), cuts, lists)
        )
    shown = pc.fill_null(_quoted(values), b"NULL")
    return joined(b"{", _regrouped(packed(_commas(counts, cuts), shown), cuts, lists), b"}")


def _regrouped(pieces: pa.Array, cuts: Numbers, lists: pa.Array) -> pa.Array:
    """The pieces of each list, joined; they are adjacent in the buffer already."""
    offsets = offsets_of(pieces)
    return of_offsets((offsets - offsets[0])[cuts], data_of(pieces), validity(lists))


def _commas(counts: Numbers, cuts: Numbers) -> pa.Array:
    """A comma for each value that is not the first of its list."""
    size = np.ones(cuts[-1], np.int64)
    size[cuts[:-1][counts > 0]] = 0
    offsets = np.concatenate([[0], np.cumsum(size)])
    return of_offsets(offsets, b"," * int(offsets[-1]))


def _quoted(values: pa.Array) -> pa.Array:
    """Quote elements that a reader would otherwise misread."""
    odd = pc.match_substring_regex(values, _QUOTED_ELEMENT)
    if not pc.any(odd).as_py():
        return values
    escaped = pc.replace_substring(pc.replace_substring(values, b"\\", rb"\\"), b'"', rb"\"")
    return pc.if_else(odd, joined(b'"', escaped, b'"'), values)


def _binary_heads(values: pa.Array, counts: Numbers, cuts: Numbers, oid: int) -> pa.Array:
    """Dimensions, NULL flag, type, then length and lower bound, which an empty array lacks."""
    nulls = np.concatenate([[0], np.cumsum(values.is_null().to_numpy(zero_copy_only=False))])
    some = counts > 0
    ones = np.ones_like(counts)
    words = np.stack([some, nulls[cuts[1:]] > nulls[cuts[:-1]], ones * oid, counts, ones], axis=1).astype(
        ">i4"
    )
    kept = np.ones(words.shape, bool)
    kept[~some, 3:] = False
    offsets = np.concatenate([[0], np.cumsum(4 * kept.sum(axis=1))])
    return of_offsets(offsets, words[kept])
