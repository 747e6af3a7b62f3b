"""Finds the privacy unit of each row of a block: each selected row has one unit, or the NULL unit.

Theorem. Let the private tables of a block form one class under "in every selected row, both sides belong
to the same unit", and let rows of the NULL unit be dropped. Then removing a unit's rows from all tables
removes from the block exactly the rows with that unit: a row with another unit joins only rows of its own
unit and of public tables, none of which is removed. So a count of distinct units per group decreases by 0
or 1, and the rows of one unit are a function of that unit's table rows and of public tables alone.

Two tables are in one class if their unit columns are equal (and have the same root), or if the link of one
equals its target in the other, since the linked row determines the unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from dpduck.catalog.model import Catalog, Table, fold, written
from dpduck.errors.advice import AlterTable, Hint
from dpduck.query.block.from_clause import Aliases, Instance, SourceRows
from dpduck.query.parse.nodes import refusal
from dpduck.query.plan.public_facts import PublicValues
from dpduck.query.tree.nodes import ColumnRef, Comparison, Expression
from dpduck.query.tree.relations import JoinedTables, TableScan
from dpduck.query.tree.walk import columns_in
from dpduck.query.write.expression import Typed
from dpduck.query.write.keys import Key

MAX_UNBOUNDED = 2  # tables of one block in which the rows of a unit are unbounded


@dataclass(frozen=True)
class Owned:
    """The rows of a block with their privacy units.

    `unit`: the column of the unit; rows where it is NULL are dropped. `root`: the table whose key it is.
    `tables`: the private tables read, each of which is charged. `one_row`: constraints say that a unit has
    at most one row. `own_rows`: the instances that contribute the same row to all rows of a unit: a table
    with one row per unit, and public tables joined to it on a key. `unbounded`: the private tables not joined
    on a key, whose rows determine how many rows a unit has.
    """

    rows: SourceRows
    unit: ColumnRef
    root: Table
    tables: tuple[Table, ...]
    one_row: bool
    own_rows: tuple[Instance, ...] = ()
    unbounded: tuple[Table, ...] = ()

    @property
    def unit_is_text(self) -> bool:
        """Whether the unit is a string, whose length is unbounded."""
        return self.root.column(str(self.root.unit)).type.startswith("VARCHAR")

    def is_unit(self, node: Expression) -> bool:
        """Whether a column is the unit column, or equals it in every row."""
        return node in self.equal_to(self.unit)

    def equal_to(self, node: Expression) -> set[Expression]:
        """Return the columns that equal this one in every row, including itself."""
        return _equal_to(node, self.rows)

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

    def shows_every_row(self, keys: Sequence[tuple[Key, Typed]]) -> bool:
        """Whether constraints say that to count each unit once for each combination is to count all rows."""
        return self.has_one_row_in(keys) or all(one in self.own_rows for one in self.rows.instances)

    def is_of_unit(self, node: Expression) -> bool:
        """Whether an expression has the same value in all rows of a unit."""
        others = [instance for instance in self.rows.instances if instance not in self.own_rows]
        return not any(other.owns(column) for column in columns_in(node) for other in others)


def _equal_to(node: Expression, rows: SourceRows) -> set[Expression]:
    known: set[Expression] = set()
    grown = {node}
    while known != grown:
        known = grown
        grown = known.union(*(pair for pair in rows.equal if pair & known))
    return known


def own(rows: SourceRows, catalog: Catalog, aliases: Aliases, facts: PublicValues, node: exp.Expr) -> Owned:
    """Find the unit of each row, joining the linked tables that lead to it if the query does not.

    Errors: UnsupportedSqlError if rows of different units could be joined, or a public table multiplies rows.
    """
    private = [instance for instance in rows.instances if instance.table.private]
    _check_one_class(private, rows, catalog, node)
    unbounded = [instance for instance in private if not _is_met_on_key(instance, rows)]
    _check_multiplied(unbounded, node)
    _check_public(rows, facts, node)
    firm = [instance for instance in private if not instance.optional]
    if not firm:
        raise refusal(
            "the left side of this LEFT JOIN is public",
            "Its rows without a partner belong to nobody.",
            "Write the private table on the left, or an inner join.",
            node,
        )
    direct = [instance for instance in firm if unit_column(instance.table, catalog) is not None]
    start = direct[0] if direct else firm[0]
    rows, start = _follow_links(rows, start, catalog, aliases)
    root = root_of(start.table, catalog)
    tables = tuple(dict.fromkeys(i.table for i in rows.instances if i.table.private))
    one_row = len(rows.instances) == 1 and start.table.unit_is_unique
    unit = start.column(str(unit_column(start.table, catalog)))
    own_rows = _own_rows(rows, unit)
    return Owned(
        rows, unit, root, tables, one_row, own_rows, tuple(dict.fromkeys(i.table for i in unbounded))
    )


def _own_rows(rows: SourceRows, unit: ColumnRef) -> tuple[Instance, ...]:
    """Return the tables with one row per unit, and the public tables joined to such tables on a key.

    The noise relies on this, so it uses constraints only, and not facts that later rows can change.
    """
    units = _equal_to(unit, rows)
    firm = [instance for instance in rows.instances if not instance.optional]
    found = [i for i in firm if i.table.unit_is_unique and i.column(str(i.table.unit)) in units]
    waiting = [instance for instance in firm if not instance.table.private]
    while True:
        joined = [i for i in waiting if _hold_key(_met_columns(i, rows, found), i.table.unique_keys)]
        if not joined:
            return tuple(found)
        found += joined
        waiting = [instance for instance in waiting if instance not in joined]


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


def _follow_links(
    rows: SourceRows, instance: Instance, catalog: Catalog, aliases: Aliases
) -> tuple[SourceRows, Instance]:
    """Join the linked tables, up to the first that has a unit column."""
    while unit_column(instance.table, catalog) is None:
        link = instance.table.link
        assert link is not None
        target = Instance(catalog.table(link.table, link.schema), aliases.next())
        test = Comparison("=", instance.column(link.column), target.column(link.target))
        source = JoinedTables(rows.source, "JOIN", TableScan(target.table, target.alias), (test,))
        rows = replace(rows, source=source, instances=(*rows.instances, target))
        instance = target
    return rows, instance


def _check_one_class(private: Sequence[Instance], rows: SourceRows, catalog: Catalog, node: exp.Expr) -> None:
    """Refuse private tables that are not all joined on their units. Errors: UnsupportedSqlError."""
    known, waiting = list(private[:1]), list(private[1:])
    while waiting:
        found = next(
            (one for one in waiting if any(_same_unit(one, other, rows, catalog) for other in known)), None
        )
        if found is None:
            raise _strangers(known[0], waiting[0], catalog, node)
        known.append(found)
        waiting.remove(found)


def _same_unit(one: Instance, other: Instance, rows: SourceRows, catalog: Catalog) -> bool:
    if _is_linked(one, other, rows) or _is_linked(other, one, rows):
        return True
    columns = unit_column(one.table, catalog), unit_column(other.table, catalog)
    if columns[0] is None or columns[1] is None:
        return False
    same_root = root_of(one.table, catalog) == root_of(other.table, catalog)
    return same_root and frozenset((one.column(columns[0]), other.column(columns[1]))) in rows.equal


def _is_linked(one: Instance, other: Instance, rows: SourceRows) -> bool:
    link = one.table.link
    if link is None or (fold(link.schema), fold(link.table)) != (
        fold(other.table.schema),
        fold(other.table.name),
    ):
        return False
    return frozenset((one.column(link.column), other.column(link.target))) in rows.equal


def _strangers(one: Instance, other: Instance, catalog: Catalog, node: exp.Expr) -> Exception:
    roots = {root_of(one.table, catalog).name, root_of(other.table, catalog).name}
    if len(roots) > 1:
        hint = _advice_to_link(*sorted((one.table, other.table), key=lambda table: table.unit_is_unique))
    else:
        hint = Hint.of(f"Join them ON {_join_example(one, other, catalog)}.")
    return refusal(
        f"tables {one.table.name} and {other.table.name} are not joined by their people",
        "Rows of one person would meet rows of others, so removing one could change many groups by many.",
        hint,
        node,
    )


def _advice_to_link(near: Table, far: Table) -> Hint:
    columns = near.unit or "column", far.unit or "column"
    link = AlterTable(
        near.name, f"ADD PRIVACY_LINK ({columns[0]}) REFERENCES {written(far.name)}({columns[1]})"
    )
    words = (
        f", if both hold rows of the same people; join them ON {written(near.name)}.{columns[0]} = "
        f"{written(far.name)}.{columns[1]}. What else the query needs is said then."
    )
    if near.unit is None:
        return Hint.of("The owner can run ", link, words)
    return Hint.of("The owner can run ", AlterTable(near.name, "DROP PRIVACY_KEY"), " and then ", link, words)


def _join_example(one: Instance, other: Instance, catalog: Catalog) -> str:
    for near, far in ((one.table, other.table), (other.table, one.table)):
        link = near.link
        if link is not None and fold(link.table) == fold(far.name):
            return f"{near.name}.{link.column} = {far.name}.{link.target}"
    columns = unit_column(one.table, catalog), unit_column(other.table, catalog)
    if columns[0] is None or columns[1] is None:
        return "the columns of the PRIVACY_LINKs between them, through the tables on the way"
    if one.table == other.table:
        return f"a.{columns[0]} = b.{columns[0]}, whatever names the two have in FROM"
    return f"{one.table.name}.{columns[0]} = {other.table.name}.{columns[1]}"


def _met_columns(instance: Instance, rows: SourceRows, others: Sequence[Instance]) -> list[str]:
    """Return the columns of an instance that equal something computed of the others in every row."""
    strangers = [other for other in others if other is not instance]
    met = {
        column.name
        for pair in rows.equal
        for column in pair
        if isinstance(column, ColumnRef) and instance.owns(column)
        if any(_reads_only(partner, strangers) for partner in pair - {column})
    }
    return [column.name for column in instance.table.columns if column.name in met]


def _reads_only(node: Expression, instances: Sequence[Instance]) -> bool:
    """Whether an expression reads columns, and all of them are of these tables."""
    columns = list(columns_in(node))
    return bool(columns) and all(any(one.owns(column) for one in instances) for column in columns)


def _check_public(rows: SourceRows, facts: PublicValues, node: exp.Expr) -> None:
    """Refuse a public table that is not joined on a key of its own, since it would multiply rows."""
    for instance in rows.instances:
        met = _met_columns(instance, rows, rows.instances)
        if not instance.table.private and not _is_met(met, instance.table, facts):
            name = instance.table.name
            raise refusal(
                f"public table {name} is not joined on a key of its own",
                "A row would meet several of its rows, or all.",
                f"Join it ON t.x = {name}.key, where key is its PRIMARY KEY or UNIQUE.",
                node,
            )


def _check_multiplied(unbounded: Sequence[Instance], node: exp.Expr) -> None:
    """Limit the tables with unbounded rows per unit.

    A unit with r rows in each of n such tables has r^n joined rows, and the run time would reveal it.
    """
    if len(unbounded) > MAX_UNBOUNDED:
        raise refusal(
            "the tables multiply each other's rows within one person",
            f"{', '.join(dict.fromkeys(i.table.name for i in unbounded))} are joined by their people, "
            f"{len(unbounded)} times; {MAX_UNBOUNDED} times is the most.",
            "Join them on keys, or ask a query for each.",
            node,
        )


def _is_met_on_key(instance: Instance, rows: SourceRows) -> bool:
    """Whether constraints say that each row of the others joins at most one row of this instance."""
    return _hold_key(_met_columns(instance, rows, rows.instances), instance.table.unique_keys)


def _is_met(columns: Sequence[str], table: Table, facts: PublicValues) -> bool:
    """Whether the columns identify one row of a public table, by a constraint or by its present rows."""
    return _hold_key(columns, table.unique_keys) or (bool(columns) and facts.is_unique(table, tuple(columns)))


def _hold_key(columns: Sequence[str], keys: Sequence[tuple[str, ...]]) -> bool:
    folded = set(map(fold, columns))
    return any(set(map(fold, key)) <= folded for key in keys)
