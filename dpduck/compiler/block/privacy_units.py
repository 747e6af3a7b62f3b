"""Finds the privacy unit of each row of a block: each selected row has one unit, or the NULL unit.

Theorem. Let the private tables of a block form one class under "in every selected row, both sides belong
to the same unit", and let rows of the NULL unit be dropped. Then removing a unit's rows from all tables
removes from the block exactly the rows with that unit: a row with another unit joins only rows of its own
unit and of public tables, none of which is removed. So a count of distinct units per group decreases by 0
or 1, and the rows of one unit are a function of that unit's table rows and of public tables alone.

Two tables are in one class if their unit columns are equal (and have the same root), or if columns of theirs
are equal that tell whose a row is, such as a link and its target (see `row_keys`). A table behind a LEFT JOIN
joins the class by equalities of its own ON, which hold where it has a row; but they bring no other table into
the class, since they do not hold where it has none: of a JOIN c LEFT JOIN b ON a.u = b.u AND b.u = c.u, a and
c may be strangers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from itertools import permutations

from sqlglot import exp

from dpduck.compiler.block.null_units import null_units
from dpduck.compiler.block.row_keys import TableKey
from dpduck.compiler.block.rows import Aliases, Instance, SourceRows
from dpduck.compiler.parse.nodes import refusal
from dpduck.kernel.catalog.model import Catalog, Domain, Table, fold, written
from dpduck.kernel.errors.advice import AlterTable, Hint
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.keys import Key
from dpduck.kernel.plan.model import Nulls
from dpduck.kernel.plan.public_facts import PublicValues
from dpduck.kernel.tree.nodes import ColumnRef, Comparison, Expression, Literal
from dpduck.kernel.tree.relations import GroupedTables, JoinedTables, Relation, TableScan
from dpduck.kernel.tree.walk import (
    columns_in,
    filters_of,
    has_subquery,
    parts_of,
    scans_in,
    ungrouped,
)

Pairs = frozenset[frozenset[Expression]]

MOST_MET = 1_000  # rows of public tables that one row meets
MAX_ROWS = 1_000_000  # rows of one unit that count in one group
MAX_UNBOUNDED = 2  # tables of one block in which the rows of a unit are unbounded


@dataclass(frozen=True)
class Owned:
    """The rows of a block with their privacy units.

    `unit`: the column of the unit; rows where it is NULL are dropped. `root`: the table whose key it is.
    `tables`: the private tables read, each of which is charged. `reads_public`: public tables are read too.
    `one_row`: constraints say that a unit has
    at most one row. `own_rows`: the instances that contribute the same row to all rows of a unit: a table
    with one row per unit, and public tables joined to it on a key. `unbounded`: the private tables not joined
    on a key, whose rows determine how many rows a unit has. `multiplied`: those whose rows multiply, each
    with those in whose place it may be. `factors`: of how many numbers that are not bounded that is the
    product at most; 0 if `one_row`. `null_units`: the keys and links that may be NULL in
    rows that plain SQL selects. `named`: the private tables that FROM names, also in subqueries there;
    others of `tables` only lead from these to the unit.
    """

    rows: SourceRows
    unit: ColumnRef
    root: Table
    tables: tuple[Table, ...]
    one_row: bool
    reads_public: bool
    own_rows: tuple[Instance, ...] = ()
    unbounded: tuple[Table, ...] = ()
    multiplied: tuple[tuple[Table, ...], ...] = ()
    factors: int = 0
    null_units: tuple[Nulls, ...] = ()
    named: tuple[Table, ...] = ()

    def reading(self, tables: Sequence[Table]) -> Owned:
        """Return the same, with tables that subqueries in expressions read."""
        private = tuple(dict.fromkeys((*self.tables, *(table for table in tables if table.private))))
        public = self.reads_public or any(table.public for table in tables)
        return replace(self, tables=private, reads_public=public)

    @property
    def rows_bound(self) -> int | None:
        """The policies' bound on the rows of a unit in a group; None without one, or if it has one row.

        Of tables that are joined on the unit alone it is the product: each row of a unit in the one meets all
        of its rows in the other, so that less would cut some of a unit that is within both bounds. A table
        behind a LEFT JOIN and that whose place it takes (see `_multiplying`) have as many rows as both
        together at most. Where one of the tables has no bound, nothing follows, and the largest one is taken.
        """
        if self.one_row:
            return None
        if self.unbounded:
            factors = [[table.contribution.rows for table in tables] for tables in self.multiplied]
            known = [rows for bounds in factors for rows in bounds if rows is not None]
            if known and len(known) == sum(map(len, factors)):
                return min(math.prod(sum(rows or 0 for rows in bounds) for bounds in factors), MAX_ROWS)
            return max(known, default=None)
        bounds = (table.contribution.rows for table in self.tables)
        return min((bound for bound in bounds if bound is not None), default=None)

    @property
    def unit_is_text(self) -> bool:
        """Whether the unit is a string, whose length is unbounded."""
        return self.root.column(str(self.root.unit)).type.startswith("VARCHAR")

    def is_unit(self, node: Expression) -> bool:
        """Whether a column is the unit column, or equals it in every row."""
        return node in self.equal_to(self.unit)

    def is_always_unit(self, node: Expression) -> bool:
        """Whether a column equals the unit in every row, also where a LEFT JOIN finds nothing."""
        return node in equal_columns(self.unit, self.rows)

    def determine_unit(self, values: Iterable[Expression]) -> bool:
        """Whether rows with equal values have one unit, also where a LEFT JOIN finds nothing.

        So do the unit, what equals it in every row, the key of a table whose rows have one unit each, and a
        column that equals such a key.
        """
        known = {column for value in values for column in equal_columns(value, self.rows)}
        firm = [one for one in self.rows.instances if one.table.private and not one.optional]
        return self.unit in known or any(
            any(self._is_key(one, key, known) for key in one.table.unique_keys)
            or (one.derivation is not None and any(one.column(name) in known for name, _ in one.row_keys))
            for one in firm
        )

    def row_keys_of(self, value: Expression) -> frozenset[TableKey]:
        """Return the keys of tables that a value equals in every row, and that tell whose a row is."""
        same = equal_columns(value, self.rows)
        firm = [one for one in self.rows.instances if one.table.private and not one.optional]
        return frozenset(
            key for one in firm for name, key in one.row_keys if self._is_row_key(one, name, same)
        )

    def _is_row_key(self, instance: Instance, name: str, same: set[Expression]) -> bool:
        """Whether a column that tells whose a row is has no NULL, and is among columns that are equal."""
        column, table = instance.column(name), instance.table
        met = any(column in pair for pair in self.rows.equal)
        never_null = instance.derivation is not None or table.primary_key == (column.name,) or met
        return column in same and never_null

    def _is_key(self, instance: Instance, key: tuple[str, ...], known: set[Expression]) -> bool:
        """Whether known columns are a key of the table, without NULLs, of which there may be several."""
        columns = {instance.column(column) for column in key}
        met = {column for pair in self.rows.equal for column in pair}
        return columns <= known and (key == instance.table.primary_key or columns <= met)

    def equal_to(self, node: Expression) -> set[Expression]:
        """Return the columns that equal this one in every row in which both are present, including itself."""
        always = equal_columns(node, self.rows)
        optional = [pair for one in self.rows.instances for pair in one.met if pair & always]
        return always.union(*optional)

    def has_one_row_in(self, keys: Sequence[tuple[Key, Typed]]) -> bool:
        """Whether constraints say that a unit has at most one row for each combination of these keys.

        UNIQUE allows several rows with NULL, so its columns must not be NULL: keys with a domain are not,
        unless NULL is beside it.
        """
        if self.one_row or len(self.rows.instances) != 1:
            return self.one_row
        [instance] = self.rows.instances
        table, units = instance.table, self.equal_to(self.unit)
        values = units | {value.node for _, value in keys}
        present = units | {value.node for key, value in keys if key.domain is not None and not key.or_null}
        return any(
            {instance.column(column) for column in columns}
            <= (values if columns == table.primary_key else present)
            for columns in table.unique_keys
        )

    def public_values(self, node: Expression, facts: PublicValues) -> Domain | None:
        """Return the values of a column of a public table, or of one equal to it; None for others."""
        same = self.equal_to(node)
        for instance in self.rows.instances:
            own = {node} if instance.optional else same  # unmatched rows of a LEFT JOIN are not equal
            for column in () if instance.table.private else instance.table.columns:
                if column.type == node.type.name and instance.column(column.name) in own:
                    return facts.values(instance.table, column.name)
        return None

    def shows_every_row(self, keys: Sequence[tuple[Key, Typed]]) -> bool:
        """Whether constraints say that to count each unit once for each combination is to count all rows."""
        return self.has_one_row_in(keys) or all(one in self.own_rows for one in self.rows.instances)

    def is_of_unit(self, node: Expression) -> bool:
        """Whether an expression has the same value in all rows of a unit."""
        if has_subquery(node):
            return False
        others = [instance for instance in self.rows.instances if instance not in self.own_rows]
        return not any(other.owns(column) for column in columns_in(node) for other in others)


def equal_columns(node: Expression, rows: SourceRows) -> set[Expression]:
    """Return the columns that equal this one in every row, including itself."""
    known: set[Expression] = set()
    grown = {node}
    while known != grown:
        known = grown
        grown = known.union(*(pair for pair in rows.equal if pair & known))
    return known


def own(
    rows: SourceRows,
    catalog: Catalog,
    aliases: Aliases,
    facts: PublicValues,
    node: exp.Expr,
    *,
    released: bool = False,
) -> Owned:
    """Find the unit of each row, joining the linked tables that lead to it if the query does not.

    Input: `released`: the rows are those of a block that is released. Then a LEFT JOIN may keep public rows
        (see `kept_rows`), and rows may meet several of a small public table: what counts of a unit is bounded
        after that. Of rows that are computed for each unit, the number per unit is relied upon.
    Errors: UnsupportedSqlError if rows of different units could be joined, or a public table multiplies rows.
    """
    private = [instance for instance in rows.instances if instance.table.private]
    firm = [instance for instance in private if not instance.optional]
    if not firm or (rows.kept is not None and not released):
        raise refusal(
            "the left side of this LEFT JOIN is public",
            "Its rows without a partner belong to nobody.",
            "Aggregate first, and join then: FROM shops LEFT JOIN (SELECT page, count(*) AS n FROM visits "
            "GROUP BY page) AS v ON v.page = shops.name. Or write an inner join.",
            node,
        )
    _check_one_class(private, rows, catalog, node)
    unbounded = [instance for instance in private if not _is_met_on_key(instance, rows)]
    multiplied = _multiplying(unbounded)
    factors = _check_multiplied([one for one, *_ in multiplied], node)
    _check_public(rows, facts, MOST_MET if released else 1, node)
    direct = [instance for instance in firm if unit_column(instance.table, catalog) is not None]
    start = direct[0] if direct else firm[0]
    joined, path = _follow_links(rows, start, catalog, aliases)
    (first, *linked), start = ((one, _whose(one.table)) for one in path), path[-1]
    nulls = null_units(rows, first, linked)
    rows = joined
    root = root_of_instance(start, catalog)
    tables = tuple(dict.fromkeys(table for one in rows.instances for table in one.private_tables))
    unit = start.column(str(unit_column(start.table, catalog)))
    own_rows = _own_rows(rows, unit, catalog)
    is_single = len(rows.instances) == 1 and _has_one_row(start, rows, catalog)
    one_row = is_single or all(one in own_rows for one in rows.instances)
    reads_public = any(table.public for table in scans_in(rows.source))
    return Owned(
        rows,
        unit,
        root,
        tables,
        one_row,
        reads_public,
        own_rows,
        tuple(dict.fromkeys(i.table for i in unbounded)),
        tuple(tuple(one.table for one in placed) for placed in multiplied),
        0 if one_row else factors,
        nulls,
        tuple(dict.fromkeys(table for one in private for table in one.named_tables)),
    )


def _own_rows(rows: SourceRows, unit: ColumnRef, catalog: Catalog) -> tuple[Instance, ...]:
    """Return the tables with one row per unit, and the tables joined to such tables on a key.

    The noise relies on this, so it uses constraints only, and not facts that later rows can change.

    Theorem. If all tables of a block are among these, a unit has at most one row in it. A row of a block is
    made of one row of each table, or of none behind a LEFT JOIN, and no two rows are made of the same. In all
    rows of a unit the first tables have the same row: it has the unit, and constants in other columns of a
    key. By induction so do those joined on a key to what is the same already, the unit among it; where the
    conditions of a LEFT JOIN read nothing else, it finds a partner in all rows of the unit or in none.
    """
    units = equal_columns(unit, rows)
    firm = [instance for instance in rows.instances if not instance.optional]
    found = [i for i in firm if i.table.unit_is_unique and i.column(str(i.table.unit)) in units]
    found += [i for i in firm if i not in found and _is_fixed(i, rows, units, catalog)]
    waiting = [instance for instance in rows.instances if instance not in found]
    while True:
        joined = [
            one
            for one in waiting
            if _hold_key(_met_columns(one, rows, found, units), one.table.unique_keys)
            and all(_depends_on(test, [*found, one], units) for test in one.on)
        ]
        if not joined:
            return tuple(found)
        found += joined
        waiting = [instance for instance in waiting if instance not in joined]


def _is_fixed(instance: Instance, rows: SourceRows, units: set[Expression], catalog: Catalog) -> bool:
    """Whether its rows of a unit have one value each in all columns of a key, as in `WHERE number = 1`."""
    name = unit_column(instance.table, catalog) if instance.table.private else None
    return name is not None and instance.column(name) in units and _has_one_row(instance, rows, catalog)


def _depends_on(test: Expression, instances: Sequence[Instance], units: set[Expression]) -> bool:
    """Whether a condition reads these tables and the unit alone: else a LEFT JOIN may find a row for some
    rows only."""
    if has_subquery(test):
        return False
    return all(column in units or any(one.owns(column) for one in instances) for column in columns_in(test))


def _has_one_row(instance: Instance, rows: SourceRows, catalog: Catalog) -> bool:
    """Whether constraints and equalities with constants leave at most one row of each unit."""
    if instance.table.unit_is_unique:
        return True
    known = {*fixed_columns(rows), instance.column(str(unit_column(instance.table, catalog)))}
    keys = instance.table.unique_keys
    return any({instance.column(column) for column in columns} <= known for columns in keys)


def fixed_columns(rows: SourceRows) -> set[Expression]:
    """Return the columns that the conditions compare with a constant: all rows have the same value there."""
    tests = [ungrouped(test) for test in rows.conditions]
    equalities = [test for test in tests if isinstance(test, Comparison) and test.symbol == "="]
    return {test.left for test in equalities if isinstance(test.right, Literal)}


def unit_column(table: Table, catalog: Catalog) -> str | None:
    """Return the column of the unit: the key, or a link to the target's unit column; None without one."""
    if table.link is None:
        return table.unit
    target = catalog.table(table.link.table, table.link.schema)
    holds_unit = fold(unit_column(target, catalog) or "") == fold(table.link.target)
    return table.link.column if holds_unit else None


def root_of(table: Table, catalog: Catalog) -> Table:
    """Follow the links from a table to the table whose key is the unit."""
    while table.link is not None:
        table = catalog.table(table.link.table, table.link.schema)
    return table


def root_of_instance(instance: Instance, catalog: Catalog) -> Table:
    """Return the table whose key is the unit of an instance."""
    if instance.derivation is not None:
        return instance.derivation.root
    return root_of(instance.table, catalog)


def _whose(table: Table) -> str:
    """Return the column of a private table that says whose a row is: its link or its key."""
    return str(table.unit) if table.link is None else table.link.column


def _follow_links(
    rows: SourceRows, instance: Instance, catalog: Catalog, aliases: Aliases
) -> tuple[SourceRows, list[Instance]]:
    """Join the linked tables, up to the first that has a unit column, and return all that lead there."""
    path = [instance]
    while unit_column(instance.table, catalog) is None:
        link = instance.table.link
        assert link is not None
        target = catalog.table(link.table, link.schema)
        found = _left_joined(rows, instance.column(link.column), target, link.target)
        rows, instance = found or _with_linked(rows, instance, target, aliases)
        path.append(instance)
    return rows, path


def _with_linked(
    rows: SourceRows, instance: Instance, table: Table, aliases: Aliases
) -> tuple[SourceRows, Instance]:
    """Join the table that an instance is linked to."""
    assert instance.table.link is not None
    target = Instance(table, aliases.next())
    test = Comparison(
        "=", instance.column(instance.table.link.column), target.column(instance.table.link.target)
    )
    source = JoinedTables(rows.source, "JOIN", target.relation, (test,))
    equal = rows.equal | {frozenset((test.left, test.right))}
    return replace(rows, source=source, instances=(*rows.instances, target), equal=equal), target


def _left_joined(
    rows: SourceRows, link: ColumnRef, table: Table, target: str
) -> tuple[SourceRows, Instance] | None:
    """Return the rows with the LEFT JOIN of a table ON its link alone as a JOIN; None if there is none.

    Rows that find nothing there belong to nobody, and are left out in any case.
    """
    for one in rows.instances:
        if one.optional and one.table == table and one.derivation is None:
            pair = {link, one.column(target)}
            if [{*parts_of(test)} for test in map(ungrouped, one.on)] == [pair] and pair in one.met:
                firm = replace(one, optional=False, met=frozenset(), on=())
                instances = tuple(firm if each is one else each for each in rows.instances)
                source = _as_join(rows.source, one.alias)
                equal = rows.equal | {frozenset(pair)}
                return replace(rows, source=source, instances=instances, equal=equal), firm
    return None


def _as_join(source: Relation, alias: str) -> Relation:
    """Return an item of FROM in which the LEFT JOIN of a table is a JOIN."""
    match source:
        case GroupedTables(tables):
            return replace(source, tables=_as_join(tables, alias))
        case JoinedTables(right=TableScan(alias=found)) if found == alias:
            return replace(source, kind="JOIN")
        case JoinedTables(left, _, right):
            return replace(source, left=_as_join(left, alias), right=_as_join(right, alias))
    return source


def _check_one_class(private: Sequence[Instance], rows: SourceRows, catalog: Catalog, node: exp.Expr) -> None:
    """Refuse private tables that are not all joined on their units. Errors: UnsupportedSqlError."""
    firm_first = sorted(private, key=lambda one: one.optional)
    known, waiting = firm_first[:1], firm_first[1:]
    while waiting:
        found = next(
            (one for one in waiting if any(_same_unit(one, other, rows, catalog) for other in known)), None
        )
        if found is None:
            raise _strangers(known[0], waiting[0], rows, catalog, node)
        known.append(found)
        waiting.remove(found)


def _same_unit(one: Instance, other: Instance, rows: SourceRows, catalog: Catalog) -> bool:
    """Whether a table has, in each selected row in which it has a row, the unit of another one.

    Input: `one` in question; `other`, which is in the class.
    """
    equal = rows.equal | one.met
    if any(
        own == key and frozenset((one.column(left), other.column(right))) in equal
        for left, own in one.row_keys
        for right, key in other.row_keys
    ):
        return True
    columns = unit_column(one.table, catalog), unit_column(other.table, catalog)
    if columns[0] is None or columns[1] is None:
        return False
    same_root = root_of_instance(one, catalog) == root_of_instance(other, catalog)
    return same_root and frozenset((one.column(columns[0]), other.column(columns[1]))) in equal


def _strangers(
    one: Instance, other: Instance, rows: SourceRows, catalog: Catalog, node: exp.Expr
) -> Exception:
    if root_of_instance(one, catalog) != root_of_instance(other, catalog):
        near, far = sorted((one, other), key=lambda instance: instance.table.unit_is_unique)
        hint = _advice_to_link(near, far, unit_column(far.table, catalog) or "column", rows)
    else:
        advice = _advice_to_join(one, other, _joined_on(one, other, catalog), rows)
        hint = Hint.of(f"{advice[0].upper()}{advice[1:]}.")
    return refusal(
        f"tables {one.table.name} and {other.table.name} are not joined by their people",
        "Rows of one person would meet rows of others, so removing one could change many groups by many.",
        hint,
        node,
    )


def _advice_to_link(near: Instance, far: Instance, target: str, rows: SourceRows) -> Hint:
    columns = near.table.unit or "column", target
    link = AlterTable(
        near.table.name,
        f"ADD PRIVACY_LINK ({columns[0]}) REFERENCES {written(far.table.name)}({columns[1]})",
    )
    join = _advice_to_join(near, far, columns, rows)
    words = f", if both hold rows of the same people; {join}. What else the query needs is said then."
    if near.table.unit is None:
        return Hint.of("The owner can run ", link, words)
    unlink = AlterTable(near.table.name, "DROP PRIVACY_KEY")
    return Hint.of("The owner can run ", unlink, " and then ", link, words)


def _advice_to_join(one: Instance, other: Instance, columns: tuple[str, str] | None, rows: SourceRows) -> str:
    """Return how to join two tables by their people. Input: the columns; None: others are between them."""
    if columns is None:
        return "join them ON the columns of the PRIVACY_LINKs between them, through the tables on the way"
    pair = list(zip((one, other), columns, strict=True))
    known = [_name_of(instance, column, rows) for instance, column in pair]
    names = [
        name or f"{written(instance.table.name)}.{written(column)}"
        for name, (instance, column) in zip(known, pair, strict=True)
    ]
    meet = " = ".join(names) + ("" if all(known) else ", which subqueries have to select,")
    if names[0] == names[1]:
        return f"join them ON a.{columns[0]} = b.{columns[1]}, whatever names the two have in FROM"
    joined = any(
        _reads_only(left, [one]) and _reads_only(right, [other])
        for pair in rows.equal | one.met | other.met
        for left, right in permutations(pair, 2)
    )
    return f"add AND {meet} to their join" if joined else f"join them ON {meet}".removesuffix(",")


def _name_of(instance: Instance, column: str, rows: SourceRows) -> str | None:
    """Return a column of a table by the name that it has in the query; None if no subquery selects it."""
    found = (
        f"{written(visible.qualifier)}.{written(visible.name)}"
        for visible in rows.columns
        if visible.qualifier is not None
        and isinstance(visible.value.node, ColumnRef)
        and instance.owns(visible.value.node)
        and fold(visible.value.node.name) == fold(column)
    )
    return next(found, None)


def _joined_on(one: Instance, other: Instance, catalog: Catalog) -> tuple[str, str] | None:
    """Return the columns on which two tables of the same people are joined; None if others are between."""
    link = one.table.link
    if link is not None and fold(link.table) == fold(other.table.name):
        return link.column, link.target
    link = other.table.link
    if link is not None and fold(link.table) == fold(one.table.name):
        return link.target, link.column
    columns = unit_column(one.table, catalog), unit_column(other.table, catalog)
    return None if columns[0] is None or columns[1] is None else (columns[0], columns[1])


def _met_columns(
    instance: Instance, rows: SourceRows, others: Sequence[Instance], known: Set[Expression] = frozenset()
) -> list[str]:
    """Return the columns of an instance that equal something computed of the others, where it has a row.

    Input: `known`: columns of any other tables that count as computed of the others.
    """
    strangers = [other for other in others if other is not instance]
    met = {
        column.name
        for pair in rows.equal | instance.met
        for column in pair
        if isinstance(column, ColumnRef) and instance.owns(column)
        if any(partner in known or _reads_only(partner, strangers) for partner in pair - {column})
    }
    return [column.name for column in instance.table.columns if column.name in met]


def _reads_only(node: Expression, instances: Sequence[Instance]) -> bool:
    """Whether an expression reads columns, and all of them are of these tables.

    A subquery in it may read columns of any table.
    """
    columns = list(columns_in(node))
    known = all(any(one.owns(column) for one in instances) for column in columns)
    return bool(columns) and known and not has_subquery(node)


def _check_public(rows: SourceRows, facts: PublicValues, most: int, node: exp.Expr) -> None:
    """Refuse public tables that multiply rows by more than `most`: not joined on a key, and not small."""
    for instance in rows.instances:
        met = _met_columns(instance, rows, rows.instances)
        if instance.table.private or _is_met(met, instance.table, facts):
            continue
        most = most // max(1, facts.count(instance.table)) if _has_condition(instance, rows) else 0
        if most == 0:
            raise _multiplies(instance.table, node)


def _has_condition(instance: Instance, rows: SourceRows) -> bool:
    """Whether a condition reads the public table: where none does, it may have been forgotten."""
    tests = (*rows.conditions, *filters_of(rows.source))
    return any(instance.owns(column) for test in tests for column in columns_in(test))


def _multiplies(table: Table, node: exp.Expr) -> Exception:
    what = "the list of constants" if table.is_written else "public table"
    key = "a column in which no value occurs twice" if table.is_written else "its PRIMARY KEY or UNIQUE"
    return refusal(
        f"{what} {table.name}".rstrip() + " is not joined on a key of its own",
        f"A row would meet several of its rows, or all: at most {MOST_MET:,}, where a condition says which.",
        f"Join it ON t.x = {table.name or 'u'}.key, where key is {key}.",
        node,
    )


def _multiplying(unbounded: Sequence[Instance]) -> list[tuple[Instance, ...]]:
    """Return the tables of which a unit has as many joined rows as there are combinations of their rows, each
    with those whose place it takes.

    Those with one row per unit are not among them. Nor is a table P that another table O among them, behind
    a LEFT JOIN, meets on a key of P: where O has a row, that row determines the row of P; where it has none,
    P counts in its place. So each O takes the place of one P at most, and itself counts where it has a row.
    """
    several = [one for one in unbounded if not one.table.unit_is_unique]
    free: list[tuple[Instance, ...]] = [(one,) for one in several]
    for one in several:
        if one.optional:
            met = next(
                (placed for placed in free if placed[0] is not one and _meets_key(one, placed[0])), None
            )
            if met is not None:
                free = [(*placed, *met) if one in placed else placed for placed in free if placed is not met]
    return free


def _meets_key(one: Instance, other: Instance) -> bool:
    """Whether a row of a table behind a LEFT JOIN has its partner in another table by a key of that table."""
    columns = [column for pair in one.met for column in pair if other.owns(column)]
    names = [column.name for column in columns if isinstance(column, ColumnRef)]
    return _hold_key(names, other.table.unique_keys)


def _check_multiplied(unbounded: Sequence[Instance], node: exp.Expr) -> int:
    """Limit the tables with unbounded rows per unit, and return how many factors their product has.

    A unit with r rows in each of n such tables has r^n joined rows, and the run time would reveal it.
    """
    factors = sum(1 if one.derivation is None else one.derivation.factors for one in unbounded)
    if factors > MAX_UNBOUNDED >= len(unbounded):
        raise refusal(
            "lists multiply the rows of one person",
            "Each row meets each element: lists in lists, or beside another table, make as many rows as a "
            f"product of {factors} numbers that nothing bounds; {MAX_UNBOUNDED} is the most.",
            "Unnest one list of one table, or ask a query for each.",
            node,
        )
    if len(unbounded) > MAX_UNBOUNDED:
        raise refusal(
            "the tables multiply each other's rows within one person",
            f"{', '.join(dict.fromkeys(i.table.name for i in unbounded))} are joined by their people, "
            f"{len(unbounded)} times; {MAX_UNBOUNDED} times is the most.",
            "Join them on keys, or ask a query for each.",
            node,
        )
    return factors


def _is_met_on_key(instance: Instance, rows: SourceRows) -> bool:
    """Whether constraints say that each row of the others joins at most one row of this instance."""
    return _hold_key(_met_columns(instance, rows, rows.instances), instance.table.unique_keys)


def _is_met(columns: Sequence[str], table: Table, facts: PublicValues) -> bool:
    """Whether the columns identify one row of a public table, by a constraint or by its present rows."""
    return _hold_key(columns, table.unique_keys) or (bool(columns) and facts.is_unique(table, tuple(columns)))


def _hold_key(columns: Sequence[str], keys: Sequence[tuple[str, ...]]) -> bool:
    folded = set(map(fold, columns))
    return any(set(map(fold, key)) <= folded for key in keys)
