"""The rows of FROM and WHERE: the tables, the conditions, and the columns that a block can name.

Names of the query stand for expressions over the tables, each of which has an alias that the query does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from sqlglot import exp

from dpduck.compiler.block.row_keys import TableKey, keys_of
from dpduck.compiler.functions import private_refusals
from dpduck.compiler.parse.nodes import if_a_text, position_of, refusal
from dpduck.kernel.catalog.model import Catalog, Column, Table, fold
from dpduck.kernel.catalog.nested import fields_of, name_of
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.errors import DpduckError, UnknownNameError
from dpduck.kernel.errors.names import MOST_NEAR, did_you_mean, written
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.model import Nulls
from dpduck.kernel.plan.public_facts import PublicValues
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import ColumnRef, Expression
from dpduck.kernel.tree.relations import (
    DerivedTable,
    Relation,
    SelectQuery,
    TableScan,
)

_END = re.compile(r"(?:(?!dp_)(.+)_|dp_)(low|high)", re.IGNORECASE)


@dataclass(frozen=True)
class Derivation:
    """How a derived table is computed: the query, and the private tables that it reads.

    `root`: the table whose key is the unit. `declared`: the columns whose range follows from declared
    domains, which rows may leave. `present`: the columns that are never NULL. `factors`: of how many numbers
    that are not bounded the number of a unit's rows is the product at most. `row_keys`: the columns that tell
    whose a row is, each with the key that it equals in every row. `null_units`: the keys and links that may
    be NULL in rows that it leaves out. `named`: the private tables that FROM names.
    """

    query: SelectQuery
    tables: tuple[Table, ...]
    root: Table
    declared: frozenset[str] = frozenset()
    present: frozenset[str] = frozenset()
    factors: int = 1
    row_keys: frozenset[tuple[str, TableKey]] = frozenset()
    null_units: tuple[Nulls, ...] = ()
    named: tuple[Table, ...] = ()


@dataclass(frozen=True)
class Instance:
    """One table in FROM. `optional`: it is the right side of a LEFT JOIN, so its columns may be NULL.

    `met`: pairs of columns that are equal in every selected row in which an optional table has a row, one of
    each pair its own. Of the other rows they say nothing: not even that two partners of it are equal. `on`:
    the conditions under which an optional table has a row.
    `derivation`: how it is computed, if it is no table of the catalog.
    """

    table: Table
    alias: str
    optional: bool = False
    met: frozenset[frozenset[Expression]] = frozenset()
    on: tuple[Expression, ...] = ()
    derivation: Derivation | None = None
    _refs: dict[str, ColumnRef] = field(default_factory=dict, compare=False, repr=False)

    def column(self, name: str) -> ColumnRef:
        """Return a column of the instance in the score SQL: always the same node for the same column."""
        known = self._refs.get(name)
        if known is None:
            found = self.table.column(name)
            known = self._refs[name] = build.column(self.alias, found)
        return known

    @property
    def relation(self) -> Relation:
        """The table as an item of FROM."""
        if self.derivation is None:
            return TableScan(self.table, self.alias)
        return DerivedTable(self.derivation.query, self.alias)

    @property
    def row_keys(self) -> frozenset[tuple[str, TableKey]]:
        """The columns that tell whose a row is, each with the key of a table that it equals."""
        return keys_of(self.table) if self.derivation is None else self.derivation.row_keys

    @property
    def private_tables(self) -> tuple[Table, ...]:
        """The private tables of the catalog whose rows it reads."""
        if self.derivation is not None:
            return self.derivation.tables
        return (self.table,) if self.table.private else ()

    @property
    def named_tables(self) -> tuple[Table, ...]:
        """The private tables of the catalog that the query names."""
        if self.derivation is not None:
            return self.derivation.named
        return (self.table,) if self.table.private else ()

    def owns(self, column: Expression) -> bool:
        """Whether the expression is a column of this instance."""
        return isinstance(column, ColumnRef) and column.table == self.alias


@dataclass(frozen=True)
class Visible:
    """A column that the block can name, with or without its qualifier."""

    name: str
    value: Typed
    qualifier: str | None = None
    schema: str | None = None
    hidden: bool = False  # the right column of USING, which needs its qualifier

    def with_value(self, value: Typed) -> Visible:
        """Return the column with another value."""
        return self if value is self.value else replace(self, value=value)


@dataclass(frozen=True)
class KeptRows:
    """The rows of public tables that a LEFT JOIN keeps though nobody has a partner for them.

    `absent`: the tables whose columns are NULL there. `on`: the conditions that such rows do not meet.
    """

    absent: tuple[Instance, ...]
    on: tuple[Expression, ...]

    def are_null(self, column: Expression) -> bool:
        """Whether a column is NULL in all of them."""
        return any(one.owns(column) for one in self.absent)


def _unchanged(value: Typed) -> Typed:
    return value


@dataclass(frozen=True)
class SourceRows:
    """FROM, WHERE and the visible columns. `equal`: pairs of columns that are equal in every selected row.

    `kept`: rows of plain SQL that are not among them, which a block ignores (see `kept_rows`).
    `changed`: what `with_values` made of the columns, for fields, which are found by their names only.
    """

    instances: tuple[Instance, ...]
    source: Relation
    conditions: tuple[Expression, ...]
    columns: tuple[Visible, ...]
    equal: frozenset[frozenset[Expression]] = frozenset()
    scope: Scope | None = field(default=None, compare=False, repr=False)
    kept: KeptRows | None = None
    changed: Callable[[Typed], Typed] = field(default=_unchanged, compare=False, repr=False)

    def resolve(self, node: exp.Column) -> Typed:
        """Return the value of a column name. Errors: UnknownNameError; UnsupportedSqlError for `*`."""
        if isinstance(node.this, exp.Star):
            raise refusal(
                "* is not supported here",
                "Rows of a private table never leave it.",
                "Write count(*), or name one column.",
                node,
            )
        found = self._named(node)
        if len({column.value.node for column in found}) == 1:
            return found[0].value
        field = None if found else self._field(node)
        if field is None:
            raise self._not_found(node, ambiguous=bool(found))
        value, path = field
        return self._value_of_field(value, path, node)

    def _field(self, node: exp.Column) -> tuple[Typed, tuple[str, ...]] | None:
        """Return the STRUCT that begins a dotted name and the fields that follow; None if none does.

        As in DuckDB, a qualifier counts as a table rather than as a column.
        """
        names, fields = [part.name for part in node.parts], tuple(node.args.get("fields") or ())
        for length in range(min(3, len(names)), 0, -1):
            path = (*names[length:], *fields)
            start = exp.column(*reversed(names[:length]))
            found = {column.value.node: column.value for column in self._named(start)}
            if path and len(found) == 1:
                [value] = found.values()
                return (value, path) if value.type.kind == "other" else None
        return None

    def _value_of_field(self, value: Typed, path: tuple[str, ...], node: exp.Column) -> Typed:
        """Return a field as the column that it is. Errors: UnknownNameError, UnsupportedSqlError."""
        if isinstance(value.node, ColumnRef):
            for instance in self.instances:
                names = (*(value.node.path or (value.node.name,)), *path)
                part = instance.table.part(name_of(names)) if instance.owns(value.node) else None
                if part is not None and part.is_field:
                    return self.changed(column_value(instance, part))
        if not value.type.name.startswith("STRUCT("):
            raise refusal(
                f"parts of column {value.name} are not read",
                f"It is of type {value.type.name}.",
                "Name the fields of a STRUCT, or write payload->>'type' of JSON; a view of "
                "the owner can convert others.",
                node,
            )
        known = ", ".join(name for name, _ in fields_of(value.type.name))
        raise UnknownNameError(
            f"column {value.name or 'of a subquery'} has no field {'.'.join(path)} here",
            hint=f"Its fields are: {known}. A subquery that computes something selects them by name.",
            position=position_of(node),
        )

    def subquery(self, node: exp.Expr) -> Typed:
        """Return the value of a subquery in an expression. Errors: UnsupportedSqlError, UnknownNameError."""
        if self.scope is None:
            raise UnknownNameError(f"{type(node).__name__} reads rows")
        return self.scope.subquery(node, self, self.scope)

    def known(self, node: exp.Column) -> bool:
        """Whether a visible column has that name, or a field of one."""
        return self.is_column(node) or self._field(node) is not None

    def is_column(self, node: exp.Column) -> bool:
        """Whether a visible column has that name."""
        return bool(self._named(node))

    def _named(self, node: exp.Column) -> list[Visible]:
        """Return the columns that a name denotes."""
        return [column for column in self._by_name.get(fold(node.name), ()) if _names(node, column)]

    @cached_property
    def _by_name(self) -> dict[str, list[Visible]]:
        found: dict[str, list[Visible]] = {}
        for column in self.columns:
            found.setdefault(fold(column.name), []).append(column)
        return found

    def with_values(self, changed: Callable[[Typed], Typed]) -> Self:
        """Return the rows with other values for what can be named."""
        columns = (column.with_value(changed(column.value)) for column in self.columns)
        before = self.changed
        return replace(self, columns=tuple(columns), changed=lambda value: changed(before(value)))

    def where(self, *conditions: Expression) -> SourceRows:
        """Return the rows with the conditions added to WHERE."""
        return replace(self, conditions=(*self.conditions, *conditions))

    def _not_found(self, node: exp.Column, *, ambiguous: bool) -> DpduckError:
        qualifiers = list(dict.fromkeys(c.qualifier for c in self.columns if c.qualifier))
        is_no_table = bool(node.table) and fold(node.table) not in map(fold, qualifiers)
        for instance in self.instances:
            left_out = instance.table.not_read(node.parts[0].name if is_no_table else node.name)
            if left_out is not None and not ambiguous:
                left_out.position = position_of(node)
                return left_out
        if node.args.get("catalog"):
            return private_refusals.of_argument(node, "catalog")
        if ambiguous:
            message = f"column {node.name} is ambiguous"
            hint = f"Qualify it by one of: {', '.join(qualifiers)}."
        elif is_no_table and _is_outside(node):
            message = f"a subquery cannot use {node.table}.{node.name} of the query around it here"
            hint = (
                "Join a subquery with GROUP BY instead: "
                "SELECT ... FROM s LEFT JOIN (SELECT k, count(*) AS n FROM t GROUP BY k) t ON t.k = s.k."
            )
        elif is_no_table:
            message = f"there is no table {node.table} in this query"
            near = did_you_mean(node.table, qualifiers)
            hint = f"{near} Its columns are qualified by {', '.join(qualifiers)}.".strip()
        else:
            names = dict.fromkeys(c.name for c in self.columns if not node.table or qualified(node, c))
            where = f"table {node.table or qualifiers[0]}" if len(qualifiers) == 1 else "the query"
            message = f"{where} has no column {node.name}"
            others = () if node.table else _aliases_around(node)
            hint = _end_of(node, others) or _in_having(node, others) or _near(node.name, names, others)
            hint += if_a_text(node) if isinstance(node.parent, exp.Predicate) else ""
        return UnknownNameError(message, hint=hint, position=position_of(node))


def _near(name: str, names: Iterable[str], others: Sequence[str]) -> str:
    """Return which names are near one, and what there is if these are few, or none is near."""
    columns = list(names)
    near = did_you_mean(name, dict.fromkeys((*columns, *others)))
    listed = f"Its columns are: {', '.join(columns)}."
    return " ".join(filter(None, (near, listed if not near or len(columns) <= MOST_NEAR else "")))


def _in_having(node: exp.Column, aliases: Sequence[str]) -> str:
    """Return where a condition on a number of the answer is written, for a name of one; else nothing."""
    if fold(node.name) in map(fold, aliases) and node.find_ancestor(exp.Where) is not None:
        return f"{written(node.name)} is computed of rows that WHERE has chosen: test it in HAVING."
    return ""


def _aliases_around(node: exp.Column) -> list[str]:
    """Return the names that its query gives to what it shows, but for what the column is in."""
    select = node.find_ancestor(exp.Select)
    items = [] if select is None else [item for item in select.expressions if item.alias]
    return [item.alias for item in items if all(part is not node for part in item.find_all(exp.Column))]


def _end_of(node: exp.Column, aliases: Sequence[str]) -> str:
    """Return how to name the end of an interval, for a name such as n_low or dp_low; else nothing."""
    found = _END.fullmatch(node.name)
    number = next((name for name in aliases if found and fold(name) == fold(found[1] or aliases[-1])), None)
    if found is None or number is None:
        return ""
    end = f"dp_{found[2].lower()}({written(number)})"
    return f"The end of an interval is written as a function: {end}."


def _is_outside(node: exp.Column) -> bool:
    """Whether the name before a column is that of a table in FROM of a query around its own."""
    select = node.find_ancestor(exp.Select)
    while select is not None and (select := select.find_ancestor(exp.Select)) is not None:
        source, joins = select.args.get("from_"), select.args.get("joins") or ()
        tables = [part.this for part in (source, *joins) if part is not None]
        if any(fold(table.alias_or_name) == fold(node.table) for table in tables):
            return True
    return False


def _names(node: exp.Column, column: Visible) -> bool:
    """Whether a name denotes a column, which has its last part."""
    if node.args.get("catalog") or node.args.get("fields"):
        return False
    return qualified(node, column) if node.table else not column.hidden


def qualified(node: exp.Column, column: Visible) -> bool:
    if column.qualifier is None or fold(column.qualifier) != fold(node.table):
        return False
    return not node.db or (column.schema is not None and _schema(node.db) == fold(column.schema))


def _schema(name: str) -> str:
    return "main" if fold(name) == "public" else fold(name)


@dataclass
class Aliases:
    """Generates unique table aliases that are not column names, so that `t.x` is always the column x."""

    taken: set[str]
    used: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, catalog: Catalog) -> Aliases:
        return cls({fold(column.name) for table in catalog.tables for column in table.columns})

    def next(self, prefix: str = "t") -> str:
        number = len(self.used)
        alias = prefix if number == 0 else f"{prefix}{number + 1}"
        while alias in self.taken:
            alias += "_"
        self.used.append(alias)
        return alias


@dataclass(frozen=True)
class Scope:
    """What a FROM is read with: the catalog, aliases that are free, and facts about public tables.

    `derive`: reads a subquery that does more than filter and project. `materialize`: makes rows one table.
    `subquery`: the value of one in an expression. `unnest`: rows joined with the elements of a list, if a
    join is of that kind. `spread`: unnest of a select list as such a join. `read`: the tables that subqueries
    in expressions read. `values`: what they are, by their text and the tables outside. `not_in`: the columns
    that NOT IN compares with as if they were never NULL.
    """

    catalog: Catalog
    aliases: Aliases
    facts: PublicValues
    derive: Callable[[exp.Select, Scope], SourceRows]
    materialize: Callable[[SourceRows, Scope, exp.Expr], SourceRows]
    subquery: Callable[[exp.Expr, SourceRows, Scope], Typed]
    unnest: Callable[[SourceRows, exp.Join, Scope], SourceRows | None]
    spread: Callable[[exp.Select], exp.Select]
    read: list[Table] = field(default_factory=list)
    values: dict[Hashable, Typed] = field(default_factory=dict)
    not_in: list[Nulls] = field(default_factory=list)


def column_value(instance: Instance, column: Column) -> Typed:
    node = instance.column(column.name)
    names = (instance.table.name, column.name)
    return Typed(
        node, node.type, column.domain, ".".join(names), names, parts=_parts_of(column, instance.table)
    )


def _parts_of(column: Column, table: Table) -> tuple[tuple[tuple[str, ...], Column], ...]:
    """Return the parts of a list or of JSON by the steps that lead to them."""
    if parse_type(column.type).kind != "other":
        return ()
    path = column.path or (column.name,)
    inner = [part for part in table.parts if part.path[: len(path)] == path and part.path != path]
    return tuple((part.path[len(path) :], part) for part in inner)
