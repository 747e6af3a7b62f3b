"""Functions of lists, maps, structs, enums, hashes and types, most of which private rows do not support."""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler.functions.entry import TRANSLATED, Entries, SqlFunction, public_calls, public_names
from dpduck.compiler.private import bounds, json_paths, lists

_BINARY = "this expression"
_JSON = "only_json_types scalar_only"

ENTRIES: Entries = {
    exp.ArrayAppend: SqlFunction(TRANSLATED, None, _BINARY, "null_propagation"),
    exp.ArrayConcat: SqlFunction("list_concat", None, "this expressions", "null_propagation"),
    exp.ArrayContains: SqlFunction("list_contains", lists.contains, _BINARY),
    exp.ArrayContainsAll: SqlFunction("list_has_all", None, _BINARY),
    exp.ArrayDistinct: SqlFunction("list_distinct", ignored="check_null"),
    exp.ArrayIntersect: SqlFunction("list_intersect", None, "expressions"),
    exp.ArrayMax: SqlFunction(TRANSLATED),
    exp.ArrayMin: SqlFunction(TRANSLATED),
    exp.ArrayOverlaps: SqlFunction("list_has_any", None, _BINARY),
    exp.ArrayPosition: SqlFunction("list_position", None, _BINARY),
    exp.ArrayPrepend: SqlFunction(TRANSLATED, None, _BINARY),
    exp.ArraySlice: SqlFunction("array_slice", None, "this start end step", "is_length"),
    exp.ArraySort: SqlFunction(TRANSLATED, None, "this asc nulls_first"),
    exp.ArrayToString: SqlFunction(TRANSLATED, None, _BINARY),
    exp.CosineDistance: SqlFunction("list_cosine_distance", None, _BINARY),
    exp.EuclideanDistance: SqlFunction("list_distance", None, _BINARY),
    **public_calls("flatten map_from_entries map_keys typeof"),
    exp.JSONExtract: SqlFunction(TRANSLATED, json_paths.part, _BINARY, _JSON, is_public=False),
    exp.JSONExtractScalar: SqlFunction(
        TRANSLATED, json_paths.text, _BINARY, _JSON, range=json_paths.range_of, is_public=False
    ),
    exp.ArraySize: SqlFunction("array_length", lists.length, _BINARY, range=bounds.of_length),
    exp.Bracket: SqlFunction(TRANSLATED, lists.item, "this expressions"),
    **public_calls("struct_extract", _BINARY),
    **{name: SqlFunction(name, lists.item) for name in ("array_extract", "list_element", "list_extract")},
    **public_calls("map", "keys values"),
    **public_names(
        """
        array_has_any array_indexof cardinality element_at enum_code enum_first enum_last
        enum_range hash is_histogram_other_bin list_cat list_grade_up list_has_all
        list_indexof list_intersect list_pack list_position list_select list_slice list_unique list_value
        list_where list_zip map_concat map_contains map_entries map_extract map_extract_value map_values row
        struct_extract_at struct_keys union_extract union_tag
        """
    ),
}
