"""SHOW PRIVACY and SHOW PRIVACY FOR: the policies of a database, and which queries a table can answer.

Pure functions of the catalog, which is public.
"""

from __future__ import annotations

from dpduck.kernel.catalog.model import Catalog, Column, Contribution, RangeDomain, Table, View, fold, written
from dpduck.kernel.catalog.statements import TableName
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.errors import UnknownNameError
from dpduck.kernel.errors.advice import GAP, Audience, BoundGroups, DeclareDomain, SetTo, text_for
from dpduck.kernel.errors.names import written_path

PRIVACY_COLUMNS = ("table", "status", "unit", "column", "domain", "contribution")
ANSWER_COLUMNS = ("query", "answered", "how")

Row = tuple[str | None, ...]

_SHOWN_VALUES = 10
_NUMBERS = ("integer", "decimal", "float")
_ORDERED = (*_NUMBERS, "date", "timestamp")
_RANGE = "BETWEEN (LOW, HIGH)"  # no example: it would be taken at its word


# --- SHOW PRIVACY --------------------------------------------------------------------------------


def privacy_rows(catalog: Catalog) -> list[Row]:
    """One row per table and view, and one per column with a public domain."""
    rows = [row for table in catalog.tables for row in _table_rows(table)]
    return rows + [(view.name, "view", None, None, None, None) for view in catalog.views]


def _table_rows(table: Table) -> list[Row]:
    head = (table.name, _status(table), _unit(table))
    columns = [part for column in table.columns for part in (column, *column.parts)]
    domains = [(column.name, _domain(column)) for column in columns]
    first = (*head, None, None, _contribution(table.contribution))
    return [first, *((*head, name, domain, None) for name, domain in domains if domain is not None)]


def _status(table: Table) -> str:
    if table.public or table.private:
        return "public" if table.public else "private"
    return "closed" if table.misfit is None else f"closed: {table.misfit.reason}"


def _unit(table: Table) -> str | None:
    link = table.link
    return table.unit if link is None else f"{link.column} -> {link.table}.{link.target}"


def _contribution(bounds: Contribution) -> str | None:
    given = (("groups", bounds.groups), ("rows", bounds.rows))
    return ", ".join(f"{name} = {bound}" for name, bound in given if bound is not None) or None


def _domain(column: Column) -> str | None:
    shown = _values(column)
    return f"{shown} OR NULL" if shown is not None and column.or_null else shown


def _values(column: Column) -> str | None:
    domain, reference = column.domain, column.reference
    if reference is not None:
        size = "" if domain is None else f": {domain.size:,} values"
        return f"REFERENCES {reference.table}({reference.column}){size or ', which is not there'}"
    if domain is None:
        return None
    if isinstance(domain, RangeDomain):
        return f"BETWEEN ({domain.low}, {domain.high}) STEP {domain.step}"
    shown = ", ".join(str(value) for value in domain.values[:_SHOWN_VALUES])
    return f"IN ({shown}{', ...' if domain.size > _SHOWN_VALUES else ''})"


# --- SHOW PRIVACY FOR t --------------------------------------------------------------------------


def answer_rows(catalog: Catalog, name: TableName, audience: Audience = Audience.SQL) -> list[Row]:
    """Which kinds of queries a table can answer: yes, no or with a delta, and how or what to type.

    Input: `audience`: who reads it. Errors: UnknownNameError.
    """
    try:
        table = catalog.table(name.name, name.schema)
    except UnknownNameError:
        if any(_is_named(view, name) for view in catalog.views):
            how = "The view is expanded: its tables' policies hold."
            return [("any query", "as its tables", how)]
        raise
    if table.public:
        return [("any query", "yes", "The table is public: no noise, no charge.")]
    if not table.private:
        how = f"{_alter(table)} ADD PRIVACY_KEY (column), or {_alter(table)} SET PUBLIC"
        if table.misfit is not None:
            how = f"Its policy no longer holds: {table.misfit.reason}. {text_for(table.misfit.remedy)}"
        return [("any query", "no", how)]
    rows = [_count_row(catalog, table), *_groups_row(catalog, table, audience)]
    for column in table.columns:
        for part in (column, *(part for part in column.parts if part.is_field)):
            rows += _column_rows(catalog, table, part, audience)
    return rows + _join_rows(catalog, table)


def _is_named(view: View, name: TableName) -> bool:
    schema = fold(name.schema or "main")
    same_schema = fold(view.schema) == ("main" if schema == "public" else schema)
    return same_schema and fold(view.name) == fold(name.name)


def _count_row(catalog: Catalog, table: Table) -> Row:
    unit, rows = _unit_name(catalog, table), table.contribution.rows
    what = f"distinct {unit}" if rows is None else f"rows, at most {rows} for each {unit}"
    return ("count(*)", "yes", f"It counts {what}.")


def _groups_row(catalog: Catalog, table: Table, audience: Audience) -> list[Row]:
    """How many groups of one unit the noise is for, unless a unit has one row."""
    unit, groups = _unit_name(catalog, table), table.contribution.groups
    if table.unit_is_unique:
        return []
    if groups is not None:
        return [("GROUP BY", "yes", f"Of one {unit}, {groups:,} group{'s' * (groups > 1)} at most.")]
    bound = BoundGroups(table.name, 1).option(audience)
    bound = bound or f"{_alter(table)} SET PRIVACY CONTRIBUTION (groups = 1)"
    return [("GROUP BY", "yes", f"Of one {unit}, all groups: if each has one row, less noise by {bound}")]


def _column_rows(catalog: Catalog, table: Table, column: Column, audience: Audience) -> list[Row]:
    rows = [_group_row(catalog, table, column, audience)]
    if _holds_unit(catalog, table, column):
        return rows
    kind = parse_type(column.type).kind
    if kind not in ("float", "other"):
        rows.append((f"mode({written_path(column.name)})", *_key_answer(catalog, table, column, audience)))
    if kind in _ORDERED:
        rows.append(
            (f"median({written_path(column.name)}), quantile_cont", *_range_answer(table, column, audience))
        )
    if kind in _NUMBERS:
        rows.append((f"sum({written_path(column.name)}), avg", *_range_answer(table, column, audience)))
    return rows


def _group_row(catalog: Catalog, table: Table, column: Column, audience: Audience) -> Row:
    can, how = _key_answer(catalog, table, column, audience)
    return (
        f"GROUP BY {written_path(column.name)}",
        can,
        f"{how[:-1]} and NULL." if column.or_null and can == "yes" else how,
    )


def _key_answer(catalog: Catalog, table: Table, column: Column, audience: Audience) -> tuple[str, str]:
    kind = parse_type(column.type).kind
    if _holds_unit(catalog, table, column):
        return "no", "Each group would be one unit."
    if kind in ("float", "other"):
        return "no", f"Values of type {column.type} are no keys."
    if column.domain is not None:
        return "yes", f"{column.domain.size:,} public values."
    delta = SetTo("dp_delta", "1e-6").text(audience)
    return "with delta", f"{delta}, or {_declared(table, column, audience, is_range=kind != 'text')}"


def _range_answer(table: Table, column: Column, audience: Audience) -> tuple[str, str]:
    if isinstance(column.domain, RangeDomain):
        return "yes", f"From {column.domain.low} to {column.domain.high}."
    return "no", _declared(table, column, audience, is_range=True)


def _join_rows(catalog: Catalog, table: Table) -> list[Row]:
    """Joins along links, in both directions, and joins of public tables."""
    rows = [] if table.link is None else [_join_row(catalog, table, table)]
    for other in catalog.tables:
        link = other.link
        if link is not None and (link.schema, link.table) == (table.schema, table.name):
            rows.append(_join_row(catalog, other, table))
    return [*rows, ("JOIN of a public table", "yes", "On its PRIMARY KEY or UNIQUE column.")]


def _join_row(catalog: Catalog, linked: Table, table: Table) -> Row:
    """The join along the link of `linked`, as seen from `table`."""
    link = linked.link
    assert link is not None
    other = written(link.table if linked is table else linked.name)
    ends = f"{written(linked.name)}.{written(link.column)} = {written(link.table)}.{written(link.target)}"
    root = catalog.root(linked)
    return (f"JOIN {other}", "yes", f"ON {ends}: both hold rows of {root.name}.{root.unit}.")


def _unit_name(catalog: Catalog, table: Table) -> str:
    root = catalog.root(table)
    return str(table.unit) if table.link is None else f"{root.name}.{root.unit}"


def _holds_unit(catalog: Catalog, table: Table, column: Column) -> bool:
    """Whether the column is the unit itself: the key, or a link to such a column."""
    if table.link is None:
        return table.unit is not None and fold(table.unit) == fold(column.name)
    target = catalog.table(table.link.table, table.link.schema)
    leads = _holds_unit(catalog, target, target.column(table.link.target))
    return leads and fold(table.link.column) == fold(column.name)


def _declared(table: Table, column: Column, audience: Audience, *, is_range: bool) -> str:
    """What declares a domain, with gaps where the reader's own bounds or values are to stand."""
    if audience.options_declare:
        return DeclareDomain(table.name, column.name, ("a", "b"), is_range=is_range).text(audience)
    values = _RANGE if is_range else f"IN ('{GAP}', '{GAP}')"
    return f"{_alter(table)} ALTER COLUMN {written_path(column.name)} SET PRIVACY DOMAIN {values}"


def _alter(table: Table) -> str:
    schema = "" if table.schema == "main" else f"{written(table.schema)}."
    return f"ALTER TABLE {schema}{written(table.name)}"
