"""Reads the tables, joins and filters of a block into one FROM and WHERE.

Subqueries that only filter and project are flattened: their columns become expressions over the tables,
and their conditions are added to the WHERE. Other subqueries become derived tables, which are computed for
each privacy unit apart (see `unit_local`). So each row of the score SQL is a join of rows whose privacy unit
is known (see `privacy_units`), and the score SQL uses no name of the query.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from sqlglot import exp

from dpduck.catalog.model import Catalog, Column, Table, fold
from dpduck.catalog.nested import fields_of, name_of
from dpduck.catalog.types import parse_type
from dpduck.errors import DpduckError, PolicyError, UnknownNameError
from dpduck.errors.advice import Hint, OpenTable
from dpduck.errors.names import MOST_NEAR, nearest
from dpduck.query.block.constant_rows import constant_table
from dpduck.query.block.row_keys import TableKey, keys_of
from dpduck.query.functions import private_refusals
from dpduck.query.functions.aggregates import is_computed
from dpduck.query.functions.expressions import conditions, expression
from dpduck.query.parse.nodes import position_of, refusal, unwrap
from dpduck.query.plan.model import Nulls
from dpduck.query.plan.public_facts import PublicValues
from dpduck.query.private.type_rules import compares_exactly
from dpduck.query.tree import build
from dpduck.query.tree.nodes import ColumnRef, Comparison, Expression
from dpduck.query.tree.relations import (
    DerivedTable,
    GroupedTables,
    JoinedTables,
    Relation,
    SelectQuery,
    TableScan,
)
from dpduck.query.tree.walk import has_subquery
from dpduck.query.write.expression import Typed

MAX_TABLES = 20
_SUPPORTED_JOINS = {("", ""), ("", "INNER"), ("LEFT", ""), ("LEFT", "OUTER"), ("", "CROSS")}
_CLAUSES = ("group", "having", "qualify", "distinct", "limit", "offset", "order", "windows", "sample")


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
                    return self.changed(_column_value(instance, part))
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
        """Return the value of a subquery in an expression. Errors: UnsupportedSqlError."""
        assert self.scope is not None
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
        for instance in self.instances:
            left_out = instance.table.not_read(node.name)
            if left_out is not None and not ambiguous:
                left_out.position = position_of(node)
                return left_out
        if node.args.get("catalog"):
            return private_refusals.of_argument(node, "catalog")
        qualifiers = list(dict.fromkeys(c.qualifier for c in self.columns if c.qualifier))
        if ambiguous:
            message = f"column {node.name} is ambiguous"
            hint = f"Qualify it by one of: {', '.join(qualifiers)}."
        elif node.table and fold(node.table) not in map(fold, qualifiers):
            message = f"there is no table {node.table} in this query"
            hint = f"Its columns are qualified by {', '.join(qualifiers)}."
        else:
            names = dict.fromkeys(c.name for c in self.columns if not node.table or _qualified(node, c))
            where = f"table {node.table or qualifiers[0]}" if len(qualifiers) == 1 else "the query"
            message = f"{where} has no column {node.name}"
            near = nearest(node.name, names) if len(names) > MOST_NEAR else []
            hint = f"Did you mean {', '.join(near)}?" if near else f"Its columns are: {', '.join(names)}."
        return UnknownNameError(message, hint=hint, position=position_of(node))


def _names(node: exp.Column, column: Visible) -> bool:
    """Whether a name denotes a column, which has its last part."""
    if node.args.get("catalog") or node.args.get("fields"):
        return False
    return _qualified(node, column) if node.table else not column.hidden


def _qualified(node: exp.Column, column: Visible) -> bool:
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


def read_rows(select: exp.Select, scope: Scope) -> SourceRows:
    """Read a block's FROM, JOINs and WHERE.

    Errors: UnsupportedSqlError, UnknownNameError; PolicyError for a table without a policy.
    """
    rows = read_from(select, scope)
    where = select.args.get("where")
    if where is None:
        return rows
    kept = rows.where(*conditions_of_where(where, rows))
    return replace(kept, equal=kept.equal | equalities(where.this, rows))


def conditions_of_where(where: exp.Expr, rows: SourceRows) -> tuple[Expression, ...]:
    """Return the conditions of a WHERE over rows."""
    return conditions(where.this, rows)


def read_from(select: exp.Select, scope: Scope) -> SourceRows:
    """Read a block's FROM and JOINs. Errors: as of `read_rows`."""
    source = select.args.get("from_")
    if not isinstance(source, exp.From):
        raise refusal(
            "a query needs FROM", "There is nothing to protect without a table.", "Write SELECT ... FROM t."
        )
    rows = _with_joins(_read_item(source.this, scope), select, scope)
    if len(rows.instances) > MAX_TABLES:
        raise refusal(f"more than {MAX_TABLES} tables are joined", "One is enough for most.", "Join fewer.")
    return rows


def _with_joins(rows: SourceRows, node: exp.Expr, scope: Scope) -> SourceRows:
    """Add the joins of a node: a SELECT, or a table or subquery in parentheses."""
    for join in node.args.get("joins") or ():
        unnested = scope.unnest(rows, join, scope)
        rows = _join(rows, _read_item(join.this, scope), join, scope) if unnested is None else unnested
    return rows


def _read_item(node: exp.Expr, scope: Scope) -> SourceRows:
    if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
        return _with_joins(_read_table(node, scope), node, scope)
    constants = constant_table(node)
    if constants is not None:
        rows = _rows_of(constants, scope, [column.name for column in constants.columns], node.alias or None)
        return _with_joins(rows, node, scope)
    if isinstance(node, exp.Subquery):
        _check_bare(node, "alias", "joins")
        if isinstance(node.this, exp.Select):
            rows = _renamed(subquery_rows(node.this, scope), node)
        else:
            rows = _read_item(node.this, scope)
            rows = _renamed(rows, node) if node.alias else rows
        return _with_joins(rows, node, scope)
    reason = "What it makes is not protected by a policy."
    if isinstance(node, exp.Subquery) and isinstance(node.this, exp.SetOperation):
        reason = "One person's rows could hide, or be hidden by, those of others."
    raise refusal(
        "this FROM is not supported beside private rows",
        reason,
        "Name a table of the database, or a subquery that filters and projects one.",
        node,
    )


def _check_bare(node: exp.Expr, *known: str) -> None:
    """Refuse arguments of the node other than its name and those in `known`. Errors: UnsupportedSqlError."""
    for name, value in node.args.items():
        if value and name not in ("this", "db", *known):
            raise refusal(
                f"{name.rstrip('_').upper()} is not supported at this place of FROM",
                "Only tables, joins, and subqueries that filter and project are read here.",
                "Write it at the end of the query.",
                node,
            )


# --- tables --------------------------------------------------------------------------------------


def _read_table(node: exp.Table, scope: Scope) -> SourceRows:
    _check_bare(node, "alias", "joins")
    table = find_table(node, scope.catalog)
    check_open(table, node)
    names = _column_aliases(node, [column.name for column in table.columns])
    qualifier, schema = (node.alias, None) if node.alias else (table.name, table.schema)
    return _rows_of(table, scope, names, qualifier, schema)


def _rows_of(
    table: Table, scope: Scope, names: list[str], qualifier: str | None, schema: str | None = None
) -> SourceRows:
    """Return the rows of a table, whose columns have these names in the block."""
    instance = Instance(table, scope.aliases.next())
    columns = tuple(
        Visible(name, _column_value(instance, column), qualifier, schema)
        for name, column in zip(names, table.columns, strict=True)
    )
    return SourceRows((instance,), instance.relation, (), columns, scope=scope)


def find_table(node: exp.Table, catalog: Catalog) -> Table:
    """Return the table that the node names. Errors: UnknownNameError."""
    try:
        return catalog.table(node.name, node.db or None)
    except UnknownNameError as error:
        error.position = position_of(node)
        raise


def check_open(table: Table, node: exp.Expr) -> None:
    """Refuse a table without a valid policy. Errors: PolicyError."""
    if table.public or table.private:
        return
    if table.misfit is not None:
        raise PolicyError(
            f"table {table.name} is closed, since its privacy policy no longer holds",
            detail=f"When it is applied: {table.misfit.reason}.",
            hint=Hint.of("The owner can mend it: ", table.misfit.remedy),
            position=position_of(node),
        )
    raise PolicyError(
        f"table {table.name} has no privacy policy",
        detail="A table is closed until its owner says whose rows it holds, or that it is public.",
        hint=Hint.of(OpenTable(table.name), "."),
        position=position_of(node),
    )


def _column_value(instance: Instance, column: Column) -> Typed:
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


def _column_aliases(node: exp.Expr, names: list[str]) -> list[str]:
    """Return the column names after an alias such as FROM t AS a(x, y), which renames the first columns."""
    alias = node.args.get("alias")
    given = (
        [part.name for part in alias.args.get("columns") or ()] if isinstance(alias, exp.TableAlias) else []
    )
    if len(given) > len(names):
        raise refusal(
            "too many column aliases", f"The table has {len(names)} columns.", "Leave some out.", node
        )
    return [*given, *names[len(given) :]]


# --- subqueries ----------------------------------------------------------------------------------


def subquery_rows(select: exp.Select, scope: Scope) -> SourceRows:
    """Read a subquery: flatten it if it filters and projects, else derive it."""
    select = scope.spread(select)
    if is_flat(select):
        return flattened(select, read_rows(select, scope))
    return scope.derive(select, scope)


def is_flat(select: exp.Select) -> bool:
    """Whether a subquery only filters and projects: each of its rows is made of one row of its FROM."""
    if any(select.args.get(word) for word in _CLAUSES):
        return False
    return not any(is_computed(part) for node in select.expressions for part in node.walk())


def flattened(select: exp.Select, rows: SourceRows) -> SourceRows:
    """Return the rows with the columns of the select list."""
    columns = [column for node in select.expressions for column in columns_of(node, rows)]
    return replace(rows, columns=tuple(columns))


def columns_of(node: exp.Expr, rows: SourceRows) -> list[Visible]:
    """Return the columns that an item of a select list over rows stands for: several if it is `*`."""
    star = node if isinstance(node, exp.Star) else node.this if isinstance(node, exp.Column) else None
    if isinstance(star, exp.Star):
        left_out = _left_out(star)
        return [
            Visible(column.name, column.value)
            for column in rows.columns
            if (_qualified(node, column) if node.args.get("table") else not column.hidden)  # type: ignore[arg-type]
            and fold(column.name) not in left_out
        ]
    value = unwrap(node.this if isinstance(node, exp.Alias) else node)
    name = node.alias if isinstance(node, exp.Alias) else value.name if isinstance(value, exp.Column) else ""
    return [Visible(name, replace(expression(value, rows), origin=(value, rows)))]


def _left_out(star: exp.Star) -> set[str]:
    """Return the folded names of * EXCLUDE (a, b)."""
    for name in ("replace", "rename"):
        if star.args.get(name):
            raise refusal(
                f"* {name.upper()} is not supported over private rows",
                "It gives a column another meaning or name.",
                "Name the columns: SELECT age + 1 AS age, page FROM t.",
                star,
            )
    return {fold(node.name) for node in star.args.get("except_") or ()}


def _renamed(rows: SourceRows, node: exp.Subquery) -> SourceRows:
    names = _column_aliases(node, [column.name for column in rows.columns])
    columns = (
        Visible(name, column.value, node.alias or None)
        for name, column in zip(names, rows.columns, strict=True)
    )
    return replace(rows, columns=tuple(columns))


_OUTER = (
    "It keeps rows of the right that have no partner, so one person's rows decide about rows of others.",
    "Write LEFT JOIN, with the private table on the left.",
)
_UNKNOWN_JOIN = ("It is not among those whose effect is known.", "Write JOIN ... ON or LEFT JOIN ... ON.")
_WHY_NOT = {
    "NATURAL": ("Which columns are compared depends on the schema.", "Write JOIN ... USING (column)."),
    "ASOF": ("It chooses among partners, which may belong to others.", "Write JOIN ... ON a.x = b.x."),
    "POSITIONAL": ("Rows have no order of their own.", "Write JOIN ... ON a.x = b.x."),
    "SEMI": (
        "Whether a row has a partner is a condition, and a join could multiply rows that are counted.",
        "Write WHERE EXISTS (SELECT 1 FROM w WHERE w.uid = v.uid AND w.page = v.page).",
    ),
    "ANTI": ("Rows without a partner are found otherwise.", "Write LEFT JOIN ... WHERE b.x IS NULL."),
    "RIGHT": _OUTER,
    "FULL": _OUTER,
}


# --- joins ---------------------------------------------------------------------------------------


def _join(left: SourceRows, right: SourceRows, join: exp.Join, scope: Scope) -> SourceRows:
    kind = (join.side, join.kind)
    if kind not in _SUPPORTED_JOINS or join.args.get("method"):
        words = " ".join(part for part in (join.method, *kind) if part)
        detail, hint = _WHY_NOT.get(join.method or join.kind or join.side, _UNKNOWN_JOIN)
        raise refusal(f"{words} JOIN is not supported", detail, hint, join)
    if right.kept is not None or (left.kept is not None and join.side != "LEFT"):
        raise _joined_to_kept(join)
    if join.side == "LEFT":
        right = _joinable(right, join, scope)
        if _reads_public_alone(left) and not _reads_public_alone(right):
            return _kept_join(left, right, join)
        return _left_join(left, right, join)
    other = right.source if len(right.instances) == 1 else GroupedTables(right.source)
    both = SourceRows(
        left.instances + right.instances,
        JoinedTables(left.source, "CROSS JOIN", other),
        left.conditions + right.conditions,
        left.columns + right.columns,
        left.equal | right.equal,
        left.scope,
    )
    both, tests, equal = _joined_on(both, left, right, join)
    if tests:
        both = replace(both, source=JoinedTables(left.source, "JOIN", other, tuple(tests)))
    return replace(both, equal=both.equal | equal)


def _joinable(right: SourceRows, join: exp.Join, scope: Scope) -> SourceRows:
    """Return the right side of a LEFT JOIN as one table: its rows as a derived one if they are computed."""
    is_table = len(right.instances) == 1 and all(_plain(column, right) for column in right.columns)
    is_table = is_table and not any(map(has_subquery, right.conditions))
    if is_table or not any(one.table.private for one in right.instances):
        return right
    return scope.materialize(right, scope, join)


def _left_join(left: SourceRows, right: SourceRows, join: exp.Join) -> SourceRows:
    """Build a LEFT JOIN. The right side's filters move into ON; its columns must be plain columns.

    An expression there could be other than NULL where no row matches, such as coalesce(x, 0).
    """
    instance = replace(_only_table(right, join), optional=True)
    columns = left.columns + right.columns
    both = SourceRows(
        (*left.instances, instance), left.source, left.conditions, columns, left.equal, left.scope, left.kept
    )
    both, tests, equal = _joined_on(both, left, right, join)
    if not tests:
        raise _no_condition(join)
    if left.kept is not None:
        both = replace(both, kept=_kept_without(left.kept, instance, equal, join))
    source = JoinedTables(left.source, "LEFT JOIN", right.source, (*tests, *right.conditions))
    # A matched right row equals its partners; an unmatched one is all NULL, so it has no other unit.
    # Equalities between two columns of the left side filter no rows, so they do not hold afterwards.
    met = frozenset(pair for pair in equal if sum(map(instance.owns, pair)) == 1)
    instances = (*left.instances, replace(instance, met=met, on=(*tests, *right.conditions)))
    return replace(both, source=source, instances=instances)


def _kept_join(left: SourceRows, right: SourceRows, join: exp.Join) -> SourceRows:
    """Build the LEFT JOIN of public rows with private ones: an inner join, and the rows that it leaves out.

    Whether a public row has a partner is private, so the block must not depend on it: see `kept_rows`.
    """
    instance = _only_table(right, join)
    both = SourceRows(
        (*left.instances, instance),
        left.source,
        left.conditions,
        left.columns + right.columns,
        left.equal | right.equal,
        left.scope,
    )
    both, tests, equal = _joined_on(both, left, right, join)
    if not tests:
        raise _no_condition(join)
    on = (*tests, *right.conditions)
    source = JoinedTables(left.source, "JOIN", right.source, on)
    return replace(both, source=source, equal=both.equal | equal, kept=KeptRows((instance,), on))


def _kept_without(
    kept: KeptRows, instance: Instance, equal: frozenset[frozenset[Expression]], join: exp.Join
) -> KeptRows:
    """Return the kept rows after a LEFT JOIN in which none of them finds a partner.

    Errors: UnsupportedSqlError if its condition does not say that.
    """
    if not any(any(map(instance.owns, pair)) and any(map(kept.are_null, pair)) for pair in equal):
        raise _joined_to_kept(join)
    return replace(kept, absent=(*kept.absent, instance))


def _reads_public_alone(rows: SourceRows) -> bool:
    return not any(one.table.private for one in rows.instances)


def _joined_to_kept(join: exp.Join) -> Exception:
    return refusal(
        "a LEFT JOIN that keeps rows of a public table is joined further",
        "Which of its rows have a partner is private, and this join could depend on it.",
        "Join the public tables first, and the private ones LEFT JOIN ... ON their keys after that; or write "
        "JOIN in place of LEFT JOIN.",
        join,
    )


def _only_table(right: SourceRows, join: exp.Join) -> Instance:
    """Return the one table on the right of a LEFT JOIN. Errors: UnsupportedSqlError if it computes."""
    if len(right.instances) == 1 and all(_plain(column, right) for column in right.columns):
        return right.instances[0]
    raise refusal(
        "the right side of this LEFT JOIN is not supported",
        "Its expressions would have to be NULL where no row matches.",
        "Join the table itself, and compute with its columns outside.",
        join,
    )


def _plain(column: Visible, rows: SourceRows) -> bool:
    instance = rows.instances[0]
    return instance.owns(column.value.node)


def _joined_on(
    both: SourceRows, left: SourceRows, right: SourceRows, join: exp.Join
) -> tuple[SourceRows, list[Expression], frozenset[frozenset[Expression]]]:
    """Return the rows, the join condition, and the column pairs that it makes equal.

    USING hides the right column, so that the unqualified name is the left one.
    """
    using = [node.name for node in join.args.get("using") or ()]
    if using:
        pairs = [(left.resolve(exp.column(name)), right.resolve(exp.column(name))) for name in using]
        for one, two in pairs:
            if one.type != two.type:
                raise refusal(
                    "USING needs columns of one type",
                    f"{one.name} is of type {one.type.name}, {two.name} of type {two.type.name}.",
                    "Declare both columns with the same type.",
                    join,
                )
        hidden = {column for column in right.columns if fold(column.name) in set(map(fold, using))}
        columns = tuple(replace(c, hidden=True) if c in hidden else c for c in right.columns)
        tests: list[Expression] = [Comparison("=", one.node, two.node) for one, two in pairs]
        equal = frozenset(frozenset((one.node, two.node)) for one, two in pairs)
        return replace(both, columns=left.columns + columns), tests, equal
    on = join.args.get("on")
    if on is None:
        return both, [], frozenset()
    return both, list(conditions(on, both)), equalities(on, both)


def _no_condition(join: exp.Join) -> Exception:
    return refusal(
        "a join needs a condition",
        "Without one every row meets every other.",
        "Write JOIN shops ON visits.shop = shops.id.",
        join,
    )


def equalities(node: exp.Expr, rows: SourceRows) -> frozenset[frozenset[Expression]]:
    """Return the pairs that are exactly equal, without rounding, where the condition is true.

    These are the a = b among its ANDs, or in every branch of an OR; one of them is a column.
    """
    pairs: set[frozenset[Expression]] = set()
    stack = [unwrap(node)]
    while stack:
        link = unwrap(stack.pop())
        if isinstance(link, exp.And):
            stack += [link.this, link.args["expression"]]
        elif isinstance(link, exp.Or):
            branches = [equalities(branch, rows) for branch in _branches(link)]
            pairs |= frozenset.intersection(*branches)
        elif isinstance(link, exp.EQ):
            sides = unwrap(link.this), unwrap(link.args["expression"])
            is_plain = not any(side.find(exp.Query) for side in sides)
            if is_plain and any(isinstance(side, exp.Column) for side in sides):
                one, two = (expression(side, rows) for side in sides)
                if compares_exactly(one.type, two.type):
                    pairs.add(frozenset((one.node, two.node)))
    return frozenset(pairs)


def _branches(node: exp.Expr) -> list[exp.Expr]:
    """Return the operands of a chain of ORs, without recursion."""
    branches, stack = [], [node]
    while stack:
        part = unwrap(stack.pop())
        if isinstance(part, exp.Or):
            stack += [part.this, part.args["expression"]]
        else:
            branches.append(part)
    return branches
