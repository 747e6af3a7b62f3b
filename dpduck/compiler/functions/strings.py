"""Functions of strings and blobs."""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler.functions.entry import (
    TRANSLATED,
    Entries,
    SparkCall,
    SqlFunction,
    public_calls,
    public_names,
)
from dpduck.compiler.private import bounds, lists, patterns, strings

_BINARY = "this expression"
_JOINED = "safe coalesce"
_REPLACED = "this expression replacement"


def _affix(name: str, spark: str) -> SqlFunction:
    """Return the entry of starts_with, ends_with, contains or a synonym."""
    return SqlFunction(name, strings.affix(name), _BINARY, spark=SparkCall(spark, "a search"))


def _length(name: str, spark: str) -> SqlFunction:
    return SqlFunction(name, strings.length_of(name), range=bounds.of_length, spark=SparkCall(spark, "texts"))


ENTRIES: Entries = {
    exp.DPipe: SqlFunction("||", strings.concat_operator, _BINARY, "safe"),
    exp.Concat: SqlFunction("concat", strings.concat, "expressions", _JOINED),
    exp.ConcatWs: SqlFunction(
        "concat_ws", strings.concat_ws, "expressions", _JOINED, spark=SparkCall("concat_ws", "texts")
    ),
    exp.Lower: SqlFunction("lower", strings.of_text("lower", str.lower)),
    exp.Upper: SqlFunction("upper", strings.of_text("upper", str.upper)),
    exp.Reverse: SqlFunction("reverse", strings.of_text("reverse", lambda text: text[::-1])),
    exp.Length: SqlFunction(
        "length",
        lists.length_or(strings.length_of("length")),
        range=bounds.of_length,
        spark=SparkCall("char_length", "texts"),
    ),
    exp.Trim: SqlFunction(TRANSLATED, strings.trim, "this expression position"),
    exp.Substring: SqlFunction("substr", strings.substring, "this start length"),
    exp.Left: SqlFunction("left", strings.left, _BINARY),
    exp.Right: SqlFunction("right", strings.right, _BINARY),
    exp.Replace: SqlFunction(TRANSLATED, strings.replace, _REPLACED),
    exp.SplitPart: SqlFunction(TRANSLATED, strings.split_part, "this delimiter part_index"),
    exp.StrPosition: SqlFunction("instr", strings.position, "this substr"),
    exp.StartsWith: _affix("starts_with", "startswith"),
    exp.EndsWith: _affix("ends_with", "endswith"),
    exp.Contains: SqlFunction(
        "contains",
        lists.contains_or(strings.affix("contains")),
        _BINARY,
        spark=SparkCall("contains", "a search"),
    ),
    exp.RegexpReplace: SqlFunction(
        TRANSLATED, patterns.regexp_replace, f"{_REPLACED} modifiers", "single_replace"
    ),
    exp.RegexpExtract: SqlFunction(
        TRANSLATED,
        patterns.regexp_extract,
        "this expression group parameters",
        "null_if_pos_overflow",
        private_arguments="this expression group null_if_pos_overflow",
    ),
    exp.RegexpExtractAll: SqlFunction(TRANSLATED, None, "this expression group parameters"),
    exp.RegexpSplit: SqlFunction("string_split_regex", None, _BINARY),
    exp.Split: SqlFunction("string_split", None, _BINARY),
    exp.Pad: SqlFunction(TRANSLATED, None, "this expression fill_pattern is_left"),
    exp.Format: SqlFunction(TRANSLATED, None, "this expressions"),
    exp.Chr: SqlFunction("chr", None, "expressions", "charset"),
    exp.SHA2: SqlFunction("sha256", ignored="length"),
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
