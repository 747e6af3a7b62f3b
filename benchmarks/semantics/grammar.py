"""The forms of all functions and operators of the product's function table.

The types of their arguments are from DuckDB's own signatures and from the cases of the table's tests. An
entry without any form is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import duckdb

from dpduck.compiler.functions.aggregates import ENTRIES as AGGREGATES
from dpduck.compiler.functions.entry import SqlFunction
from dpduck.compiler.functions.table import SCALARS
from tests.query.function_cases import CASES

HOLE = re.compile(r"\{(\w+)\}")
_KINDS: Mapping[str, str] = {
    "VARCHAR": "text",
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"), "integer"),
    **dict.fromkeys(("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"), "integer"),
    **dict.fromkeys(("DOUBLE", "FLOAT"), "number"),
    "DECIMAL": "decimal",
    "DATE": "date",
    "TIMESTAMP": "moment",
    "TIMESTAMP WITH TIME ZONE": "zoned",
    "BOOLEAN": "bool",
    "INTERVAL": "interval",
    "BLOB": "blob",
    "BIT": "bit",
    "TIME": "time",
    **dict.fromkeys(("ANY", "T"), "any"),
    **dict.fromkeys(("ANY[]", "T[]"), "list"),
    "VARCHAR[]": "texts",
    **dict.fromkeys(("DOUBLE[]", "FLOAT[]"), "numbers"),
}
_OF_MAPS = ("map_contains", "map_extract", "map_extract_value")
# Entries of the table that are neither a plain call nor a case of the tests.
_WRITTEN: Mapping[str, tuple[str, ...]] = {
    "RegexpExtractAll": ("regexp_extract_all({text}, '[a-z]')", "regexp_extract_all({text}, '(a)(b)', {i})"),
    "Pad": ("lpad({text}, 5, {t})", "rpad({text}, 7, {t})"),
    "Format": ("format('{{}} {{}}', {any}, {any})", "printf('%s', {text})", "printf('%d', {integer})"),
    "ArrayAppend": ("list_append({list}, {any})", "array_append({list}, {any})"),
    "ArrayMax": ("list_max({list})",),
    "ArrayMin": ("list_min({list})",),
    "ArrayPrepend": ("list_prepend({any}, {list})",),
    "ArraySort": ("list_sort({list})", "list_sort({list}, 'DESC')", "list_reverse_sort({list})"),
    "ArrayToString": ("array_to_string({texts}, {t})",),
    "DateTrunc": ("date_trunc('{unit}', {date})", "date_trunc('{unit}', {d})"),
    "Flatten": ("flatten([[{i}], [{integer}, {i}]])",),
    "MapFromEntries": ("map_from_entries([({t}, {integer})])",),
    "MapKeys": ("map_keys(MAP {{ {t}: {any} }})",),
    "StructExtract": ("struct_extract({{ 'a': {any} }}, 'a')",),
    "struct_extract_at": ("struct_extract_at(row({any}, {any}), 1)",),
    "element_at": ("element_at(MAP {{ {t}: {any} }}, {t})",),
    "list_select": ("list_select({list}, [1, 2])",),
    "list_where": ("list_where({list}, [TRUE, FALSE])",),
    "union_extract": ("union_extract(union_value(a := {integer}), 'a')",),
    "union_tag": ("union_tag(union_value(a := {integer}))",),
    **{name: (name + "(MAP {{ {t}: {any} }}, {t})",) for name in _OF_MAPS},
    **{name: (name + "(MAP {{ {t}: {any} }})",) for name in ("map_entries", "map_values")},
    "formatreadablesize": ("formatReadableSize({integer})",),
    "formatreadabledecimalsize": ("formatReadableDecimalSize({integer})",),
}
_COMPARED = ("integer", "decimal", "number", "text", "date", "moment", "zoned", "bool")
_COMPARISONS = (
    "{{{0}}} IN ({{{0}}}, {{{0}}})",
    "{{{0}}} NOT IN ({{{0}}}, {{{0}}})",
    "{{{0}}} IN (SELECT {{{1}}})",
    "{{{0}}} NOT IN (SELECT {{{1}}})",
    "{{{0}}} IN (VALUES ({{{1}}}), ({{{1}}}))",
    "{{{0}}} = ANY (SELECT {{{1}}})",
    "{{{0}}} = {{{0}}}",
    "{{{0}}} <> {{{0}}}",
    "{{{0}}} < {{{0}}}",
    "{{{0}}} >= {{{0}}}",
    "{{{0}}} BETWEEN {{{0}}} AND {{{0}}}",
    "{{{0}}} IS DISTINCT FROM {{{0}}}",
    "CASE WHEN {{test}} THEN {{{0}}} ELSE {{{0}}} END",
    "CASE {{{0}}} WHEN {{{0}}} THEN 1 ELSE 2 END",
    "coalesce({{{0}}}, {{{0}}})",
    "nullif({{{0}}}, {{{0}}})",
    "greatest({{{0}}}, {{{0}}})",
    "least({{{0}}}, {{{0}}})",
    "if({{test}}, {{{0}}}, {{{0}}})",
)
_CONSTANT_OF = {"integer": "i", "decimal": "n", "number": "n", "text": "t", "date": "d", "moment": "m"}


@dataclass(frozen=True)
class Form:
    """The text of a function or operator with holes. `entry`: its name in the function table."""

    entry: str
    text: str


def scalars() -> list[Form]:
    """The forms of scalar functions and operators, in an order of their own. Errors: ValueError."""
    signatures = _signatures("scalar")
    found = {form: None for key, entry in SCALARS.items() for form in _of(_name(key), entry, signatures)}
    missing = {_name(key) for key in SCALARS} - {form.entry for form in found}
    if missing:
        raise ValueError(f"functions of the table without a form: {', '.join(sorted(missing))}")
    compared = (
        Form("comparison", text.format(kind, _CONSTANT_OF.get(kind, kind)))
        for kind in _COMPARED
        for text in _COMPARISONS
    )
    return [*found, *compared]


def aggregates() -> list[Form]:
    """The forms of aggregates over public rows."""
    signatures = _signatures("aggregate")
    return [
        Form(_name(key), _call(entry.name, kinds))
        for key, entry in AGGREGATES.items()
        for kinds in signatures.get(entry.name, ())
    ]


def _name(key: type | str) -> str:
    return key if isinstance(key, str) else key.__name__


def _of(name: str, entry: SqlFunction, signatures: Mapping[str, list[tuple[str, ...]]]) -> Iterator[Form]:
    texts = list(_WRITTEN.get(name, ()))
    if name in CASES:
        texts += [text for forms in CASES[name].forms.values() for text in forms]
    called = entry.name or name
    texts += [_call(called, kinds) for kinds in signatures.get(called, ())]
    yield from (Form(name, text) for text in dict.fromkeys(texts))


def _call(name: str, kinds: tuple[str, ...]) -> str:
    holes = ["{" + kind + "}" for kind in kinds]
    if name.isidentifier():
        return f"{name}({', '.join(holes)})"
    return f"({name}{holes[0]})" if len(holes) == 1 else f"({f' {name} '.join(holes)})"


def _signatures(kind: str) -> dict[str, list[tuple[str, ...]]]:
    """The kinds of arguments of each function, in DuckDB, as far as there are operands of these types."""
    listed = "SELECT function_name, parameter_types, varargs FROM duckdb_functions() WHERE function_type = $1"
    found: dict[str, list[tuple[str, ...]]] = {}
    with duckdb.connect() as connection:
        for name, types, more in connection.execute(f"{listed} ORDER BY ALL", [kind]).fetchall():
            every = [*types, *([more] if more else [])]
            kinds = tuple(_KINDS.get(one, "") for one in every)
            known = found.setdefault(name, [])
            if "" not in kinds and kinds not in known:
                known.append(kinds)
    return found
