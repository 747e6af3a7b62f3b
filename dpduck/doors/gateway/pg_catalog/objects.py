"""The public schema as Postgres objects: relations, their columns, keys and comments, with OIDs.

User objects are numbered from 16384, ordered by name, so the same schema always has the same OIDs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

from dpduck.doors.gateway.encoding.pgtypes import PgType, pg_type
from dpduck.kernel.catalog.model import Catalog, Link, Table, View, fold
from dpduck.policies.show import privacy_rows

FIRST_OID = 16384
PUBLIC = "public"  # the name under which the schema `main` is shown
_MAX_COLUMNS = 1600  # Postgres's limit; attnum is a smallint


@dataclass(frozen=True)
class Field:
    """A column of a relation."""

    name: str
    type: PgType
    duckdb_type: str = "VARCHAR"
    required: bool = False
    comment: str | None = None


@dataclass(frozen=True)
class KeyConstraint:
    """A key that the schema declares: its name, and the numbers of its columns from 1."""

    oid: int
    index: int
    name: str
    columns: tuple[int, ...]
    primary: bool


@dataclass(frozen=True)
class ForeignKey:
    """A link shown as a foreign key."""

    oid: int
    name: str
    column: int
    table: int
    target: int
    key: int


@dataclass
class Relation:
    """A table or view; `kind` as in pg_class."""

    oid: int
    schema: str
    name: str
    kind: str
    fields: tuple[Field, ...]
    comment: str | None = None
    keys: tuple[KeyConstraint, ...] = ()
    references: list[ForeignKey] = field(default_factory=list)

    def number(self, column: str) -> int:
        """The number of a column, from 1."""
        return next(n for n, item in enumerate(self.fields, 1) if fold(item.name) == fold(column))


def shown_schema(name: str) -> str:
    """The schema's name as shown to Postgres clients."""
    return PUBLIC if fold(name) == "main" else name


Comments = Mapping[tuple[str, str, str | None], str]  # of the owner, by folded schema, table and column


def relations(catalog: Catalog, comments: Comments) -> list[Relation]:
    """All tables and views, ordered by name. Input: what their owner says about them."""
    sources: list[Table | View] = [*catalog.tables, *catalog.views]
    sources.sort(key=lambda source: (shown_schema(source.schema), source.name))
    found = {_name(source): _relation(FIRST_OID + n, source, comments) for n, source in enumerate(sources)}
    oids = count(FIRST_OID + len(sources))
    for source in sources:
        if isinstance(source, Table):
            found[_name(source)].keys = tuple(_keys(source, found[_name(source)], oids))
    for source in sources:
        if isinstance(source, Table) and source.link is not None:
            found[_name(source)].references += _references(found, source, source.link, oids)
    return list(found.values())


def _name(source: Table | View) -> tuple[str, str]:
    return fold(source.schema), fold(source.name)


def _relation(oid: int, source: Table | View, comments: Comments) -> Relation:
    schema = shown_schema(source.schema)

    def said(column: str | None = None) -> str | None:
        return comments.get((*_name(source), None if column is None else fold(column)))

    if isinstance(source, View):
        fields = tuple(
            Field(c.name, pg_type(c.type), c.type, comment=said(c.name))
            for c in source.columns[:_MAX_COLUMNS]
        )
        about = _joined(said(), "view: the policies of its tables hold")
        return Relation(oid, schema, source.name, "v", fields, about)
    head, *rows = privacy_rows(Catalog((source,)))
    domains = {str(row[3]): f"domain: {row[4]}" for row in rows}
    required = {fold(name) for name in (*source.primary_key, *source.required)}
    unit = None if source.unit is None else fold(source.unit)
    fields = tuple(
        Field(
            c.name,
            pg_type(c.type),
            c.type,
            fold(c.name) in required,
            _joined(said(c.name), "privacy unit" if fold(c.name) == unit else None, domains.get(c.name)),
        )
        for c in source.columns[:_MAX_COLUMNS]
    )
    kind = "r" if source.definition is None else "v"
    return Relation(oid, schema, source.name, kind, fields, _joined(said(), _table_comment(head)))


def _joined(*texts: str | None) -> str | None:
    return "; ".join(text for text in texts if text) or None


def _table_comment(row: tuple[str | None, ...]) -> str:
    status, unit, contribution = row[1], row[2], row[5]
    if status == "closed":
        return "closed: no policy yet"
    if unit is None:
        return str(status)
    text = f"private: unit through {unit}" if " -> " in unit else f"private: unit {unit}"
    return text if contribution is None else f"{text}; at most {contribution}"


def _keys(table: Table, relation: Relation, oids: Iterator[int]) -> Iterator[KeyConstraint]:
    for names in table.unique_keys:
        columns = tuple(relation.number(name) for name in names)
        primary = names == table.primary_key
        parts = [table.name, "pkey"] if primary else [table.name, *names, "key"]
        yield KeyConstraint(next(oids), next(oids), "_".join(parts), columns, primary)


def _references(
    found: dict[tuple[str, str], Relation], table: Table, link: Link, oids: Iterator[int]
) -> Iterator[ForeignKey]:
    """The link as a foreign key, if its target is a key, as Postgres requires."""
    target = found.get((fold(link.schema), fold(link.table)))
    if target is None:
        return
    relation = found[_name(table)]
    column = target.number(link.target)
    key = next((key for key in target.keys if key.columns == (column,)), None)
    if key is not None:
        name = f"{table.name}_{link.column}_fkey"
        yield ForeignKey(next(oids), name, relation.number(link.column), target.oid, column, key.index)
