"""Functions of text, and of bytes."""

from __future__ import annotations

from sqlglot import exp

from dpduck.query.functions.entry import (
    SPELLED,
    Entries,
    FunctionEntry,
    SparkCall,
    function,
    public_calls,
    public_names,
)
from dpduck.query.private import patterns, strings

_BINARY = "this expression"
_JOINED = "safe coalesce"
_REPLACED = "this expression replacement"


def _affix(name: str, spark: str) -> FunctionEntry:
    """Whether a text starts with another, ends with it, or contains it."""
    return function(name, strings.affix(name), _BINARY, spark=SparkCall(spark, "a search"))


def _length(name: str, spark: str) -> FunctionEntry:
    return function(name, strings.length_of(name), spark=SparkCall(spark, "texts"))


ENTRIES: Entries = {
    exp.DPipe: function("||", strings.joined, _BINARY, "safe"),
    exp.Concat: function("concat", strings.concat, "expressions", _JOINED),
    exp.ConcatWs: function(
        "concat_ws", strings.concat_ws, "expressions", _JOINED, spark=SparkCall("concat_ws", "texts")
    ),
    exp.Lower: function("lower", strings.of_text("lower", str.lower)),
    exp.Upper: function("upper", strings.of_text("upper", str.upper)),
    exp.Reverse: function("reverse", strings.of_text("reverse", lambda text: text[::-1])),
    exp.Length: _length("length", "char_length"),
    exp.Trim: function(SPELLED, strings.trim, "this expression position"),
    exp.Substring: function("substr", strings.substring, "this start length"),
    exp.Left: function("left", strings.left, _BINARY),
    exp.Right: function("right", strings.right, _BINARY),
    exp.Replace: function(SPELLED, strings.replace, _REPLACED),
    exp.SplitPart: function(SPELLED, strings.split_part, "this delimiter part_index"),
    exp.StrPosition: function("instr", strings.position, "this substr"),
    exp.StartsWith: _affix("starts_with", "startswith"),
    exp.EndsWith: _affix("ends_with", "endswith"),
    exp.Contains: _affix("contains", "contains"),
    exp.RegexpReplace: function(SPELLED, patterns.regexp_replace, f"{_REPLACED} modifiers", "single_replace"),
    exp.RegexpExtract: function(
        SPELLED,
        patterns.regexp_extract,
        "this expression group parameters",
        "null_if_pos_overflow",
        in_rows="this expression group null_if_pos_overflow",
    ),
    exp.RegexpExtractAll: function(SPELLED, None, "this expression group parameters"),
    exp.RegexpSplit: function("string_split_regex", None, _BINARY),
    exp.Split: function("string_split", None, _BINARY),
    exp.Pad: function(SPELLED, None, "this expression fill_pattern is_left"),
    exp.Format: function(SPELLED, None, "this expressions"),
    exp.Chr: function("chr", None, "expressions", "charset"),
    exp.SHA2: function("sha256", marks="length"),
    **public_calls("ascii bit_length from_base64 hex md5 sha1 to_base64 unhex unicode"),
    **public_calls("translate", "this from_ to"),
    "prefix": _affix("prefix", "startswith"),
    "suffix": _affix("suffix", "endswith"),
    "strlen": _length("strlen", "octet_length"),
    **public_names(
        """
        hamming jaccard left_grapheme length_grapheme mismatches nfc_normalize octet_length ord regexp_escape
        regexp_split_to_array right_grapheme strip_accents substring_grapheme url_decode url_encode
        """
    ),
}
