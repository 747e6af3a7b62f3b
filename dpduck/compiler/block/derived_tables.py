"""Writes derived tables: one SELECT whose rows have their privacy unit in a column of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from sqlglot import exp

from dpduck.compiler.block.left_out import may_differ
from dpduck.compiler.block.null_keys import may_be_null
from dpduck.compiler.block.privacy_units import Owned, own
from dpduck.compiler.block.public_columns import PublicColumns
from dpduck.compiler.block.row_keys import TableKey
from dpduck.compiler.block.row_limits import RowLimit, row_limit
from dpduck.compiler.block.rows import Derivation, Instance, Scope, SourceRows, Visible
from dpduck.compiler.functions.expressions import endpoints_of
from dpduck.compiler.functions.lacking import lacking
from dpduck.compiler.parse.nodes import unwrap
from dpduck.compiler.write import column_names
from dpduck.kernel.catalog.model import Column, Contribution, Table
from dpduck.kernel.catalog.nested import name_of, paths_in
from dpduck.kernel.catalog.types import SqlType, parse_type
from dpduck.kernel.plan.expression import Lack, Typed
from dpduck.kernel.plan.public_facts import PublicValues
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import AggregateCall, ColumnRef, Expression, WindowCall
from dpduck.kernel.tree.relations import SelectItem, SelectQuery
from dpduck.kernel.tree.walk import columns_in, every_part, has_subquery

UNIT = "unit"  # the column of a derived table that has the unit
_PLACE = "place"  # the key in `meta` of a name in a query that stands for a column of a derived table
_NUMBERS = ("integer", "decimal", "float")
_NUMBER = parse_type("BIGINT")


@dataclass(frozen=True)
class ComputedRows(SourceRows):
    """Rows of a derived table. `placed`: what the names stand for that `DerivedTableWriter.put` wrote.

    `number`: the column that tells rows apart that are equal in all others.
    """

    placed: Mapping[str, Typed] = field(default_factory=dict)
    number: Expression | None = None

    def resolve(self, node: exp.Column) -> Typed:
        place = node.meta.get(_PLACE)
        return super().resolve(node) if place is None else self.placed[place]

    def with_values(self, changed: Callable[[Typed], Typed]) -> Self:
        placed = {name: changed(value) for name, value in self.placed.items()}
        return replace(super().with_values(changed), placed=placed)

    def known(self, node: exp.Column) -> bool:
        return _PLACE in node.meta or super().known(node)


@dataclass
class DerivedTableWriter:
    """A derived table in the making: columns are placed in it, and then it is written."""

    owned: Owned
    facts: PublicValues
    alias: str
    name: str
    columns: list[Column] = field(default_factory=list)
    declared: set[str] = field(default_factory=set)
    present: set[str] = field(default_factory=set)
    row_keys: set[tuple[str, TableKey]] = field(default_factory=set)
    placed: dict[str, Typed] = field(default_factory=dict)
    keys: list[tuple[str, ...]] = field(default_factory=list)
    _by_node: dict[Expression, Typed] = field(default_factory=dict)
    _items: dict[Expression, SelectItem] = field(default_factory=dict)

    @classmethod
    def over(cls, rows: SourceRows, scope: Scope, node: exp.Expr) -> DerivedTableWriter:
        """Return an empty derived table of these rows. Errors: UnsupportedSqlError if they have no unit."""
        owned = own(rows, scope.catalog, scope.aliases, scope.facts, node)
        around = node.parent
        name = around.alias if isinstance(around, exp.Subquery) and around.alias else "a subquery"
        return cls(owned, scope.facts, scope.aliases.next(), name)

    @property
    def rows(self) -> SourceRows:
        return self.owned.rows

    @cached_property
    def known(self) -> PublicColumns:
        """The columns of the rows, with the domains that public tables give them."""
        return PublicColumns(self.rows, self.owned, self.facts)

    @cached_property
    def limit(self) -> RowLimit:
        """How many rows a unit has."""
        return row_limit(self.owned)

    @property
    def unit_name(self) -> str:
        """The name of the unit, for errors."""
        return str(self.owned.root.unit)

    # --- columns ---------------------------------------------------------------------------------

    def place(self, value: Typed, node: exp.Expr | None = None) -> Typed:
        """Return the column of the derived table that has a value, which is added if it is new.

        Input: `node`: the expression of the value, from which its range is known.
        """
        if value.type == self.owned.unit.type and self.owned.is_always_unit(value.node):
            return Typed(ColumnRef(self.alias, UNIT, value.type), value.type, None, value.name, value.column)
        if value.node not in self._by_node:
            self._by_node[value.node] = self._add(value, node)
        return self._by_node[value.node]

    def _add(self, value: Typed, node: exp.Expr | None) -> Typed:
        name = f"c{len(self._items)}"
        ends = value.ends
        if ends is None and value.domain is None and node is not None and value.type.kind in _NUMBERS:
            ends = endpoints_of(unwrap(node), self.known)
        domain = value.domain if any(columns_in(value.node)) else None
        has_range = domain is not None or (ends is not None and None not in ends)
        if has_range and (value.claimed or may_differ(value, self.owned)):
            self.declared.add(name)
        if domain is None:
            domain = self.owned.public_values(value.node, self.facts)
        if not may_be_null(value.node, self.rows):
            self.present.add(name)
        written = self.sortable(value)
        if written == value.node:
            self.row_keys |= {(name, key) for key in self.owned.row_keys_of(value.node)}
        self._items[value.node] = SelectItem(written, name, is_ours=False)
        self.columns.append(Column(name, value.type.name, domain))
        placed = ColumnRef(self.alias, name, value.type)
        lacks = () if has_range else value.lacks or self._lacks(value, node)
        return Typed(
            placed, value.type, domain, value.name, value.column, ends=ends, parts=value.parts, lacks=lacks
        )

    def _lacks(self, value: Typed, node: exp.Expr | None) -> tuple[Lack, ...]:
        if node is not None:
            return lacking(node, self.known)
        return () if value.origin is None else lacking(*self.known.origin_of(value.origin))

    def sortable(self, value: Typed) -> Expression:
        """Return a value as it is stored and sorted; what is computed of several rows is made of such."""
        if any(isinstance(part, (AggregateCall, WindowCall)) for part in every_part(value.node)):
            return value.node
        return build.sortable(value.node)

    def put(self, node: exp.Expr, value: Typed) -> None:
        """Replace a node of the query by a name that stands for a column of the derived table."""
        shown = node.name if isinstance(node, exp.Column) else column_names.name_of(node)
        place = str(len(self.placed))
        name = exp.Column(this=exp.to_identifier(shown, quoted=True))
        name.meta[_PLACE] = self.alias + place
        self.placed[self.alias + place] = value
        node.replace(name)

    def is_put(self, node: exp.Expr) -> bool:
        """Whether a node stands for a column of this derived table."""
        return node.meta.get(_PLACE) in self.placed

    def _add_elements(self, value: Typed, element: SqlType) -> Typed:
        """Return the column that has the elements of a list, for each of which there is a row."""
        name = f"c{len(self._items)}"
        node = build.call("unnest", element, value.node)
        self._items[node] = SelectItem(node, name, is_ours=False)
        parts = tuple(Column(name_of(path), kind, path=path) for path, kind in paths_in(name, element.name))
        self.columns.append(Column(name, element.name, value.elements, parts=parts))
        if value.elements is not None:
            self.declared.add(name)
        placed = ColumnRef(self.alias, name, element)
        return Typed(placed, element, value.elements, f"unnest({value.name})", value.column)

    # --- the table -------------------------------------------------------------------------------

    def add_key(self, values: Iterable[Expression]) -> None:
        """Note that no two rows of a unit have the same values, all of which are placed."""
        items = [self._items[value] for value in values if value in self._items]
        self.keys.append((UNIT, *(item.name for item in items)))

    def grouped_by(self, values: Iterable[Typed]) -> ComputedRows:
        """Return one row for each unit and combination of values.

        Values that are the same in all rows of a unit do not tell its groups apart: the others are a key.
        """
        nodes = [value.node for value in values if _is_of_rows(value.node)]
        keys = [self._items[node] for node in nodes if node in self._items]
        telling = [node for node in nodes if not self.owned.is_of_unit(node)]
        self.keys.append((UNIT, *(self._items[node].name for node in telling if node in self._items)))
        return self._written(group_by=(self.owned.unit, *(key.value for key in keys)))

    def numbered(self) -> ComputedRows:
        """Return the same rows with a number that tells those apart that are equal in all placed columns."""
        every = tuple(item.value for item in self._items.values())
        number = WindowCall(build.call("row_number", _NUMBER), (self.owned.unit, *every), ())
        column = self.place(Typed(number, _NUMBER))
        return replace(self.computed(), number=column.node)

    def computed(self) -> ComputedRows:
        """Return the same rows with the placed columns only."""
        return self._written()

    def with_columns(self, columns: Iterable[Visible], *, distinct: bool = False) -> ComputedRows:
        """Return rows with the same names for columns, all of which are placed. `distinct`: each row once."""
        shown = tuple(replace(column, value=self._shown(column.value)) for column in columns)
        if distinct:
            self.keys.append((UNIT, *(column.name for column in self.columns)))
        return replace(self._written(distinct=distinct), columns=shown)

    def with_elements(
        self, columns: Iterable[Visible], value: Typed, element: SqlType
    ) -> tuple[ComputedRows, Typed]:
        """Return a row with these columns for each element of a list, and the column of the elements."""
        shown = tuple(replace(column, value=self._shown(column.value)) for column in columns)
        elements = self._add_elements(value, element)
        return replace(self._written(multiplied=True), columns=shown), elements

    def _shown(self, value: Typed) -> Typed:
        ends = None
        if value.origin is not None and value.domain is None and value.type.kind in _NUMBERS:
            ends = endpoints_of(*self.known.origin_of(value.origin))
        return self.place(replace(value, ends=value.ends or ends))

    def _factors(self) -> int:
        """Return the factors of the number of a unit's rows, of lists that were unnested before."""
        derived = (one.derivation for one in self.rows.instances)
        return max((one.factors for one in derived if one is not None), default=1)

    def _with_row_keys(self, keys: Iterable[tuple[str, ...]]) -> Iterable[tuple[str, ...]]:
        """Yield keys, and what is one since it has a column that determines the unit in its place."""
        names = {name for name, _ in self.row_keys}
        for key in keys:
            yield key
            others = tuple(name for name in key if name != UNIT)
            if names.intersection(others):
                yield others
            elif not others:
                yield from ((name,) for name in sorted(names))

    def _written(
        self, *, group_by: tuple[Expression, ...] = (), distinct: bool = False, multiplied: bool = False
    ) -> ComputedRows:
        """Return the rows of the table. `multiplied`: there are several of each row that it is made of."""
        owned, rows = self.owned, self.rows
        query = SelectQuery(
            (SelectItem(owned.unit, UNIT, is_ours=False), *self._items.values()),
            rows.source,
            (*rows.conditions, build.is_present(owned.unit)),
            group_by=group_by,
            distinct=distinct,
        )
        is_unique = not multiplied and ((UNIT,) in self.keys or owned.one_row)
        keys = tuple(self._with_row_keys([(UNIT,)] if is_unique else self.keys))
        table = Table(
            "",
            "",
            self.name,
            (Column(UNIT, owned.unit.type.name), *self.columns),
            unit=UNIT,
            unit_is_unique=is_unique,
            unique_keys=keys,
            primary_key=(UNIT,) if is_unique else (),
            contribution=Contribution(rows=None if is_unique else owned.rows_bound),
        )
        derivation = Derivation(
            query,
            owned.tables,
            owned.root,
            frozenset(self.declared),
            frozenset(self.present),
            factors=1 + owned.factors if multiplied else 1 if is_unique else self._factors(),
            row_keys=frozenset(self.row_keys),
            null_units=owned.null_units,
            named=owned.named,
        )
        instance = Instance(table, self.alias, derivation=derivation)
        return ComputedRows((instance,), instance.relation, (), (), scope=rows.scope, placed=self.placed)


def _is_of_rows(node: Expression) -> bool:
    """Whether an expression may differ from row to row. A constant is no key: its digits name a column."""
    return any(columns_in(node)) or has_subquery(node)
