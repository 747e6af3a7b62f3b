"""Whose rows a block reads: every row kept must belong to exactly one privacy unit, or to nobody.

Theorem. Let the private tables of a block fall into one class under "in every row kept, both sides
belong to the same unit", and let the unit be NULL for rows of nobody, which are dropped. Then removing a
unit's rows from all tables removes from the block exactly the rows with that unit: a row with another
unit joins only rows of its own unit and of public tables, none of which is removed. So a count of
distinct units per group falls by 0 or 1, and rows of one unit are a function of that unit's rows alone.

Two tables are of one class when their unit columns are equal (both of one root), or when the link of one
equals its target in the other: the linked row is the one that says whose the row is.
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

MAX_MANY = 2  # tables in which one person may have any number of rows, in one block


@dataclass(frozen=True)
class Owned:
    """Rows and the unit that each belongs to.

    `unit`: its column, NULL for nobody. `root`: the table whose key it is. `tables`: the private tables
    read, each of which is charged. `one_row`: a unit has at most one row, by the schema itself.
    `own_rows`: the instances of which all rows of a unit hold the same row: its own in a table where it
    has one, and what public tables say of that by key. `many`: the private tables that are not met on a
    key, and so say how many rows a unit has.
    """

    rows: SourceRows
    unit: ColumnRef
    root: Table
    tables: tuple[Table, ...]
    one_row: bool
    own_rows: tuple[Instance, ...] = ()
    many: tuple[Table, ...] = ()

    @property
    def unit_is_text(self) -> bool:
        """Whether a value of the unit may be of any length."""
        return self.root.column(str(self.root.unit)).type.startswith("VARCHAR")

    def is_unit(self, node: Expression) -> bool:
        """Whether a column holds the unit itself: its own, or one that equals it in every row."""
        return node in self.equal_to(self.unit)

    def equal_to(self, node: Expression) -> set[Expression]:
        """The columns that are equal to this one in every row, itself among them."""
        return _equal_to(node, self.rows)

    def has_one_row_in(self, keys: Sequence[tuple[Key, Typed]]) -> bool:
        """Whether a unit has at most one row for each combination of these keys, by the schema itself.

        Rows of which a UNIQUE column is NULL may repeat; keys of a domain are not NULL.
        """
        if self.one_row or len(self.rows.instances) != 1:
            return self.one_row
        [instance] = self.rows.instances
        table, units = instance.table, self.equal_to(self.unit)
        values = units | {value.node for _, value in keys}
        present = units | {value.node for key, value in keys if key.domain is not None}
        return any(
            {instance.column(column) for column in columns}
            <= (values if columns == table.primary_key else present)
            for columns in table.unique_keys
        )

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
    """Find the unit of each row; links that the query leaves out are joined.

    Errors: UnsupportedSqlError if rows of different people could meet, or a public table multiplies rows.
    """
    private = [instance for instance in rows.instances if instance.table.private]
    _check_one_class(private, rows, catalog, node)
    many = [instance for instance in private if not _is_met_on_key(instance, rows)]
    _check_multiplied(many, node)
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
    return Owned(rows, unit, root, tables, one_row, own_rows, tuple(dict.fromkeys(i.table for i in many)))


def _own_rows(rows: SourceRows, unit: ColumnRef) -> tuple[Instance, ...]:
    """Where a table has a unit once, that row; and the public rows that it, or such a row, leads to.

    Noise relies on it, so only constraints count, which no later row can break.
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
    """The column that holds the unit itself: the key, or a link to the unit column of its target."""
    if table.link is None:
        return table.unit
    target = catalog.table(table.link.table, table.link.schema)
    holds_unit = fold(unit_column(target, catalog) or "") == fold(table.link.target)
    return table.link.column if holds_unit else None


def root_of(table: Table, catalog: Catalog) -> Table:
    """The table at the end of the links, whose key is the unit."""
    while table.link is not None:
        table = catalog.table(table.link.table, table.link.schema)
    return table


def _follow_links(
    rows: SourceRows, instance: Instance, catalog: Catalog, aliases: Aliases
) -> tuple[SourceRows, Instance]:
    """Join linked tables until one holds the unit itself."""
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
    """All private tables must be joined by their people."""
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
        link = f"ADD PRIVACY_LINK (column) REFERENCES {written(one.table.name)}(column)"
        words = ", if both hold rows of the same people."
        hint = Hint.of("The owner can run ", AlterTable(other.table.name, link), words)
    else:
        hint = Hint.of(f"Join them ON {_join_example(one, other, catalog)}.")
    return refusal(
        f"tables {one.table.name} and {other.table.name} are not joined by their people",
        "Rows of one person would meet rows of others, so removing one could change many groups by many.",
        hint,
        node,
    )


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
    """The columns of an instance that equal columns of the others in every row."""
    strangers = [other for other in others if other is not instance]
    met = {
        column.name
        for pair in rows.equal
        for column in pair
        if isinstance(column, ColumnRef) and instance.owns(column)
        if any(other.owns(partner) for partner in pair - {column} for other in strangers)
    }
    return [column.name for column in instance.table.columns if column.name in met]


def _check_public(rows: SourceRows, facts: PublicValues, node: exp.Expr) -> None:
    """Each public table is met on a key of its own, so that it adds columns and not rows."""
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


def _check_multiplied(many: Sequence[Instance], node: exp.Expr) -> None:
    """A person with r rows in each of n tables would make r^n rows, and the time would tell who has many."""
    if len(many) > MAX_MANY:
        raise refusal(
            "the tables multiply each other's rows within one person",
            f"{', '.join(dict.fromkeys(i.table.name for i in many))} are joined by their people, "
            f"{len(many)} times; {MAX_MANY} times is the most.",
            "Join them on keys, or ask a query for each.",
            node,
        )


def _is_met_on_key(instance: Instance, rows: SourceRows) -> bool:
    """Whether a constraint says that each row of the others meets one row of this private table."""
    return _hold_key(_met_columns(instance, rows, rows.instances), instance.table.unique_keys)


def _is_met(columns: Sequence[str], table: Table, facts: PublicValues) -> bool:
    """Whether the columns of a public table lead to one row, as declared or as its rows are now."""
    return _hold_key(columns, table.unique_keys) or (bool(columns) and facts.is_unique(table, tuple(columns)))


def _hold_key(columns: Sequence[str], keys: Sequence[tuple[str, ...]]) -> bool:
    folded = set(map(fold, columns))
    return any(set(map(fold, key)) <= folded for key in keys)
