"""Whose rows a table holds: its privacy key or link, or that it is public. Pure."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace

from dpduck.kernel.catalog.model import Catalog, Column, Link, Table, View, fold, written
from dpduck.kernel.catalog.statements import (
    AddPrivacyKey,
    AddPrivacyLink,
    DropPrivacyKey,
    DropPrivacyLink,
    SetPublic,
    TableName,
)
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.errors import PolicyError
from dpduck.kernel.errors.advice import AlterTable, DeclareUnit, Hint

# Types with a single notion of equality, so that equal values are one unit.
_UNIT_KINDS = ("integer", "decimal", "text", "boolean", "date", "timestamp", "enum")
_UNIT_TYPES = (
    "UUID",
    "BLOB",
    "TIME",
    "TIMESTAMP WITH TIME ZONE",
    "TIMESTAMP_S",
    "TIMESTAMP_MS",
    "TIMESTAMP_NS",
)

# The tokens of a view's definition: a string, a quoted name or a bare one.
_WORD = re.compile(r"""'(?:[^']|'')*'|"((?:[^"]|"")*)"|([^\W\d][\w$]*)""")
_QUERIES_OF_TEXT = ("query", "query_table")  # functions whose argument names tables
# What takes the columns, types or statistics of all rows from single ones, or fails at one.
_READERS = {
    *("read_csv", "read_csv_auto", "sniff_csv", "read_json", "read_json_auto", "read_json_objects"),
    *("read_json_objects_auto", "read_ndjson", "read_ndjson_auto", "read_ndjson_objects", "read_xlsx"),
    *("read_avro", "st_read", "sqlite_scan", "postgres_scan", "postgres_query", "mysql_query", "delta_scan"),
    "iceberg_scan",
}
_BY_LINE = '"dpduck.line"'  # a column of the views of FILE, which read each line by itself
_TEXT_FILE = re.compile(r"\.(csv|tsv|json|ndjson|jsonl|xlsx|avro)(\.[a-z0-9]+)?$", re.IGNORECASE)


def subject(catalog: Catalog, name: TableName) -> Table:
    """The table of that name, or the view as the table that it becomes with a policy. UnknownNameError."""
    views = tuple(view.as_table() for view in catalog.views)
    return replace(catalog, tables=(*catalog.tables, *views)).table(name.name, name.schema)


def add_key(catalog: Catalog, table: Table, statement: AddPrivacyKey) -> Table:
    column = table.column(statement.column)
    check_view(catalog, table)
    if table.link is not None:
        raise _two_units(table)
    if table.unit is not None and fold(table.unit) != fold(column.name):
        raise PolicyError(
            f"table {table.name} already has the privacy key {table.unit}",
            hint=Hint.of(AlterTable(table.name, "DROP PRIVACY_KEY"), " first."),
        )
    _check_unit_type(table, column, "key")
    unique = fold(column.name) in map(fold, table.unique_columns)
    return replace(table, unit=column.name, public=False, unit_is_unique=unique)


def add_link(catalog: Catalog, table: Table, statement: AddPrivacyLink) -> Table:
    column = table.column(statement.column)
    target = subject(catalog, statement.target)
    target_column = target.column(statement.target_column)
    link = Link(column.name, target.schema, target.name, target_column.name)
    check_view(catalog, table)
    if table.unit is not None or (table.link is not None and table.link != link):
        raise _two_units(table)
    # No cycle can arise: a private target's links end at a key, and this table has no key or link yet.
    _check_target(table, target, target_column)
    _check_link_types(table, column, target, target_column)
    if not (_holds_unit(catalog, target, target_column) or is_unique(target, target_column)):
        raise _not_unique(table, target, target_column)
    return replace(table, link=link, public=False)


def drop_key(catalog: Catalog, table: Table, _: DropPrivacyKey) -> Table:
    if table.unit is None:
        raise PolicyError(
            f"table {table.name} has no privacy key",
            hint=Hint.of(DeclareUnit(table.name), " adds one."),
        )
    check_not_linked(catalog, table)
    return replace(table, unit=None, unit_is_unique=False)


def drop_link(catalog: Catalog, table: Table, _: DropPrivacyLink) -> Table:
    if table.link is None:
        raise PolicyError(
            f"table {table.name} has no privacy link",
            hint=Hint.of(
                AlterTable(table.name, "ADD PRIVACY_LINK (column) REFERENCES t(column)"), " adds one."
            ),
        )
    check_not_linked(catalog, table)
    return replace(table, link=None)


def set_public(catalog: Catalog, table: Table, statement: SetPublic) -> Table:
    check_view(catalog, table)
    if table.private:
        held, word = (f"key {table.unit}", "KEY") if table.link is None else (_link_text(table), "LINK")
        raise PolicyError(
            f"table {table.name} has the privacy {held}",
            detail="A table with a privacy key or link holds private rows.",
            hint=Hint.of(AlterTable(table.name, f"DROP PRIVACY_{word}"), " first."),
        )
    if statement.columns is not None and statement.columns != fingerprint(table):
        raise PolicyError(
            f"table {table.name} is not the one that was set public",
            detail="Its columns are not those of then.",
            hint=Hint.of(AlterTable(table.name, "SET PUBLIC"), ", if it holds nothing private."),
        )
    return replace(table, public=True)


def is_unique(table: Table, column: Column) -> bool:
    """Whether a constraint, which DuckDB enforces at each write, makes values of the column unique."""
    return fold(column.name) in map(fold, table.unique_columns)


def _holds_unit(catalog: Catalog, table: Table, column: Column) -> bool:
    """Whether the column's values are the units themselves: it is the key, or a link to such a column."""
    if table.link is None:
        return table.unit is not None and fold(column.name) == fold(table.unit)
    target = catalog.table(table.link.table, table.link.schema)
    is_link = fold(column.name) == fold(table.link.column)
    return is_link and _holds_unit(catalog, target, target.column(table.link.target))


def _not_unique(table: Table, target: Table, column: Column) -> PolicyError:
    """The error for a link to a column that may contain a value twice."""
    return PolicyError(
        f"column {target.name}.{column.name} is not unique",
        detail=f"A row of {table.name} would belong to several rows of {target.name}, and so perhaps to two "
        "units. No constraint forbids it, and how the rows are now says nothing of later ones.",
        hint=Hint.of(AlterTable(target.name, f"ADD PRIMARY KEY ({written(column.name)})"), "."),
    )


def fingerprint(table: Table) -> str:
    """A digest of a table's columns and types, and of a view's definition."""
    # DuckDB's versions quote different names.
    definition = (table.definition or "").replace('"', "").lower()
    facts = [[column.name, column.type] for column in table.columns]
    return hashlib.sha256(json.dumps([facts, definition]).encode()).hexdigest()


def can_be_unit(column: Column) -> bool:
    """Whether its values are equal or not without rounding, so that they tell units apart."""
    is_fit = parse_type(column.type).kind in _UNIT_KINDS or column.type in _UNIT_TYPES
    return is_fit and not column.path


def _check_unit_type(table: Table, column: Column, what: str) -> None:
    if not can_be_unit(column):
        raise PolicyError(
            f"column {table.name}.{column.name} of type {column.type} cannot be a privacy {what}",
            detail=f"The values of a privacy {what} are equal or not, without rounding: not FLOAT, not "
            "nested.",
            hint="Use a column of integers, text or UUIDs.",
        )


def _check_target(table: Table, target: Table, column: Column) -> None:
    if target.name == table.name and target.schema == table.schema:
        raise PolicyError(
            f"table {table.name} cannot be linked to itself",
            detail="A link leads to the table that says whose rows these are.",
            hint=Hint.of(DeclareUnit(table.name), ", if a column of it says so."),
        )
    if not target.private:
        raise PolicyError(
            f"table {target.name} has no privacy key or link",
            detail="A link leads to the table that says whose rows these are.",
            hint=f"Say first whose rows {written(target.name)} holds: "
            f"{DeclareUnit(target.name, column.name).sql()} if each {written(column.name)} is one person, "
            "else ADD PRIVACY_LINK (column) REFERENCES t(column).",
        )


def _check_link_types(table: Table, column: Column, target: Table, target_column: Column) -> None:
    _check_unit_type(table, column, "link")
    if column.type != target_column.type:
        raise PolicyError(
            f"columns {table.name}.{column.name} and {target.name}.{target_column.name} differ in type",
            detail=f"They are of type {column.type} and {target_column.type}; comparing them could round.",
            hint=Hint.of(
                AlterTable(table.name, f"ALTER COLUMN {written(column.name)} TYPE {target_column.type}"), "."
            ),
        )


def check_not_linked(catalog: Catalog, table: Table) -> None:
    """Check that no other table links to this one. Errors: PolicyError."""
    links = [(other, other.link) for other in catalog.tables if other.link is not None]
    linked = [other for other, link in links if (link.schema, link.table) == (table.schema, table.name)]
    if linked:
        raise PolicyError(
            f"other tables are linked to {table.name}: {', '.join(other.name for other in linked)}",
            detail="Without it nothing would say whose rows theirs are.",
            hint=Hint.of(AlterTable(linked[0].name, "DROP PRIVACY_LINK"), " first."),
        )


def _two_units(table: Table) -> PolicyError:
    held, word = (f"key {table.unit}", "KEY") if table.link is None else (_link_text(table), "LINK")
    return PolicyError(
        f"table {table.name} already has the privacy {held}",
        detail="A table has a key or one link: two persons in one row cannot both be protected by one unit.",
        hint=Hint.of(AlterTable(table.name, f"DROP PRIVACY_{word}"), " first."),
    )


def _link_text(table: Table) -> str:
    link = table.link
    return "" if link is None else f"link {link.column} to {link.table}.{link.target}"


def check_view(catalog: Catalog, table: Table) -> None:
    """Refuse a policy for a view of other tables, which its policy could contradict, or of a reader of texts.

    It is enough that the view's text mentions the name of another table, whatever it means there.
    """
    reader = None if table.definition is None else _first_reader(table.definition)
    if reader is not None:
        raise PolicyError(
            f"view {table.name} cannot have a privacy policy",
            detail=f"It reads by {reader[:60]}: one row may decide how others are read, or fail a query.",
            hint="Copy the rows into a table, or give a CSV file itself as FILE, whose lines are read apart.",
        )
    named = None if table.definition is None else _first_table_named(table.definition, table, catalog)
    if named is not None:
        raise PolicyError(
            f"view {table.name} cannot have a privacy policy of its own",
            detail=f"Its definition mentions {named}.",
            hint="Query the view directly: it is expanded and its tables' policies hold.",
        )


def _words(definition: str) -> list[tuple[str, str]]:
    """The names in a view's definition, each as it is meant, and as it stands there if it is not quoted."""
    words = [(quoted.replace('""', '"') or bare, bare) for quoted, bare in _WORD.findall(definition)]
    # Names before AS are those of the view itself.
    start = next((i for i, (_, bare) in enumerate(words) if bare.upper() == "AS"), 0)
    return words[start:]


def _first_reader(definition: str) -> str | None:
    if _BY_LINE in definition:
        return None
    words = (word for word, _ in _words(definition))
    return next((w for w in words if fold(w) in _READERS or _TEXT_FILE.search(w)), None)


def _first_table_named(definition: str, view: Table, catalog: Catalog) -> str | None:
    objects: list[Table | View] = [*catalog.tables, *catalog.views]
    others = [one for one in objects if (one.schema, one.name) != (view.schema, view.name)]
    known = {*(fold(one.name) for one in others), *_QUERIES_OF_TEXT}
    return next((word for word, _ in _words(definition) if fold(word) in known), None)
