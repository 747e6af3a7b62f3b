"""The rows of FROM and WHERE: to whom each belongs, and how many one unit has of them.

Setting. One unit u is added or removed with all its rows D_u in all tables of its key: in the table of the key those
where the key is u, in a linked table those whose link leads to such a row. A relation R is *local* if it is the
disjoint union, over units u, of rows R_u that are a function of D_u and of public tables alone, with no row for a
unit without rows. Then adding u adds R_u, and nothing else moves. Rows of nobody, whose key is NULL, are in no R_u: so
each relation must keep them out.

Theorem of privacy units. Let FROM be a chain of scans, each joined by a product or, as an *optional* group, by LEFT
JOIN ... ON; conditions of inner joins and of WHERE are tests of the joined row. Let all private scans be of one key.
The joined rows are local, with u the value of a column c of an owner, if
 (1) all private scans that are always there have the same unit, by the tests;
 (2) in each optional group each private scan has the unit of a private scan before it, by its ON and by those tests
     that do not name the group (for the first, if none was before it: the unit of the others in the group);
 (3) c is not NULL, by a test or a constraint.
Proof. A row of R with c = u reads private rows of u alone, by (1) and (2), and a group that is absent in it has no row
in D that meets ON, so none in D_u. Conversely, a row made from D_u is in R: a group absent there has no match in D,
as a match would have the unit u by (2), and so be in D_u. Without rows of u no row has c = u, since the scan of c is
there by (3). QED The same holds for a subquery whose private scans all have the unit of a scan around it.

"The same unit" follows by union-find from equalities of columns of one type, and from these lemmas:
 key    a column that is the key, or a link that leads to the key itself, holds the unit.
 link   a link leads to a column that a constraint keeps unique, so to one row, and the row has the unit of that one. So
        two rows have the same unit if they name the same row by equal columns: by a link, or as its unique key.
 twins  two rows of one table with an equal unique key are one row, and equal in all columns.
An equality that is true has no NULL, so scans whose columns it reads are there.

How many rows has a unit, where some expressions are fixed? A scan is *settled* if columns of a unique key of it are
fixed, by equalities with what is fixed; then all its columns are. The rest multiply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING

from dpduck.catalog.model import Catalog, Table, fold
from dpduck.catalog.types import INTEGER_RANGES, parse_type
from dpduck.kernel.check.sizes import size_of
from dpduck.kernel.check.spans import ANY, INF, Known, Number, Span, bare, constant, learn, span_of_type
from dpduck.kernel.check.written import reads_no_table
from dpduck.query.tree import emit
from dpduck.query.tree.nodes import (
    AggregateCall,
    ColumnRef,
    Comparison,
    Connective,
    Exists,
    Expression,
    Literal,
    Membership,
    NullTest,
    RangeTest,
    ScalarSubquery,
    WindowCall,
)
from dpduck.query.tree.relations import (
    DerivedTable,
    GroupedTables,
    JoinedTables,
    ReaderTable,
    Relation,
    SelectQuery,
    TableScan,
)
from dpduck.query.tree.walk import parts_of

if TYPE_CHECKING:
    from dpduck.kernel.check.layers import Layer

Key = str | tuple[str, ...]  # of a column: its name, or the path to a field
Node = tuple[str, object]  # an alias and a column of it, or "=" and a constant
UNIT = 0  # stands for the unit of a row of a scan
Fixed = frozenset[Expression]
NONE: Fixed = frozenset()
NOTHING_KNOWN: Known = MappingProxyType({})


class UnboundedError(Exception):
    """The tree is not understood. The text says what."""


def key_of(ref: ColumnRef) -> Key:
    """The column that a reference names, as DuckDB compares names."""
    return tuple(map(fold, ref.path)) if ref.path else fold(ref.name)


def node_of(ref: ColumnRef) -> Node:
    return ref.table, key_of(ref)


class Classes:
    """Union-find: which nodes are equal."""

    def __init__(self) -> None:
        self.parents: dict[Node, Node] = {}

    def find(self, node: Node) -> Node:
        parent = self.parents.get(node, node)
        if parent == node:
            return node
        root = self.find(parent)
        self.parents[node] = root
        return root

    def unite(self, one: Node, other: Node) -> bool:
        """Make both equal, and return whether that is new."""
        first, second = self.find(one), self.find(other)
        if first == second:
            return False
        self.parents.setdefault(second, second)
        self.parents[first] = second
        return True


@dataclass(frozen=True)
class World:
    """What a tree may read: tables of the catalog, and rows that another query has left in the reader."""

    catalog: Catalog
    held: SelectQuery | None = None


@dataclass(frozen=True)
class TableRows:
    """A table of the catalog. Its declaration and constraints are believed."""

    table: Table
    catalog: Catalog

    @property
    def private(self) -> bool:
        return self.table.private

    @property
    def root(self) -> object:
        root = self.catalog.root(self.table)
        return root.database, root.schema, root.name

    @property
    def units(self) -> list[Key]:
        """Lemma `key`: the columns that hold the unit."""
        column = _unit_column(self.table, self.catalog)
        return [] if column is None else [fold(column)]

    @property
    def links(self) -> list[tuple[Key, object]]:
        """Lemma `link`: columns of which each names one private row whose unit is that of this row, and that row."""
        if not self.table.private:
            return []
        place = self.table.schema, self.table.name
        found: list[tuple[Key, object]] = [(key[0], (*place, key[0])) for key in self.keys if len(key) == 1]
        link = self.table.link
        if link is not None:
            target = self.catalog.table(link.table, link.schema)
            if any(len(key) == 1 and fold(key[0]) == fold(link.target) for key in _keys(target)):
                found.append((fold(link.column), (target.schema, target.name, fold(link.target))))
        return found

    @property
    def keys(self) -> list[tuple[Key, ...]]:
        return [tuple(map(fold, key)) for key in _keys(self.table)]

    def type_of(self, key: Key) -> str | None:
        """The type of a column, or of a field."""
        if isinstance(key, str):
            column = self.table.part(key)
            return None if column is None or column.path else column.type
        parts = (part for part in self.table.parts if part.is_field)
        return next((part.type for part in parts if tuple(map(fold, part.path)) == key), None)

    def span(self, key: Key, known: Mapping[Key, Span]) -> Span:  # noqa: ARG002
        name = self.type_of(key)
        return ANY if name is None else span_of_type(parse_type(name))

    def is_required(self, key: Key) -> bool:
        return any(fold(name) == key for name in (*self.table.required, *self.table.primary_key))

    def has(self, ref: ColumnRef) -> bool:
        """Whether the table has the column, or the column of a field."""
        name = fold(ref.path[0] if ref.path else ref.name)
        return any(fold(column.name) == name for column in self.table.columns)


def _keys(table: Table) -> Iterator[tuple[str, ...]]:
    yield from table.unique_keys
    if table.primary_key:
        yield table.primary_key


def _unit_column(table: Table, catalog: Catalog) -> str | None:
    if table.link is None:
        return table.unit
    target = catalog.table(table.link.table, table.link.schema)
    own = _unit_column(target, catalog)
    return table.link.column if own is not None and fold(own) == fold(table.link.target) else None


@dataclass
class Optional:
    """A group of scans joined by LEFT JOIN. `on`: what a match meets."""

    aliases: list[str]
    on: list[Expression]


@dataclass
class From:
    """FROM and WHERE of a query. `outer`: those around a subquery. Errors: UnboundedError."""

    source: Relation
    where: tuple[Expression, ...]
    world: World
    read: Callable[[SelectQuery, World], Layer]
    outer: From | None = None
    scans: dict[str, TableRows | Layer] = field(default_factory=dict)
    spine: list[str] = field(default_factory=list)
    optional: list[Optional] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tests: list[Expression] = list(conjuncts(self.where))
        self._flatten(self.source, self.spine, self.tests, self.optional)
        pairs = list(self._equalities(self.tests))
        self.pairs = pairs if self.outer is None else [*self.outer.pairs, *pairs]
        self.classes = self._classes(self.pairs)
        self._closed: dict[Fixed, tuple[set[Node], set[str], Number]] = {}
        self.private = [alias for alias, scan in self.scans.items() if scan.private]
        self.owners = [] if self.outer is None else list(self.outer.owners)
        self.is_local = True
        if self.private:
            self._prove()

    # --- the chain -------------------------------------------------------------------------------

    def _flatten(
        self, relation: Relation, spine: list[str], tests: list[Expression], optional: list[Optional]
    ) -> None:
        match relation:
            case GroupedTables(tables):
                self._flatten(tables, spine, tests, optional)
            case JoinedTables(left, "JOIN" | "CROSS JOIN", right, on):
                self._flatten(left, spine, tests, optional)
                self._flatten(right, spine, tests, optional)
                tests += conjuncts(on)
            case JoinedTables(left, "LEFT JOIN", right, on):
                self._flatten(left, spine, tests, optional)
                group, inside = Optional([], list(conjuncts(on))), []
                self._flatten(right, group.aliases, group.on, inside)
                for nested in inside:
                    if any(self.scans[alias].private for alias in [*group.aliases, *nested.aliases]):
                        raise UnboundedError("a private LEFT JOIN within another")
                    group.aliases += nested.aliases
                optional.append(group)
            case TableScan(table, alias):
                self._scan(alias, _rows_of(table, self.world.catalog), spine)
            case DerivedTable(query, alias):
                self._scan(alias, self.read(query, self.world), spine)
            case ReaderTable(emit.HELD, alias) if self.world.held is not None:
                self._scan(alias or emit.short_name(emit.HELD), self.read(self.world.held, self.world), spine)
            case _:
                raise UnboundedError(f"rows of a {type(relation).__name__}")

    def _scan(self, alias: str, rows: TableRows | Layer, spine: list[str]) -> None:
        around = self.outer
        while around is not None:
            if alias in around.scans:
                raise UnboundedError(f"two tables {alias}")
            around = around.outer
        if alias in self.scans:
            raise UnboundedError(f"two tables {alias}")
        self.scans[alias] = rows
        spine.append(alias)

    # --- whose rows they are ---------------------------------------------------------------------

    def _prove(self) -> None:
        """The theorem of privacy units."""
        if len({self.scans[alias].root for alias in self.private}) > 1:
            raise UnboundedError("tables of several keys")
        if self.outer is not None and self.outer.owners:
            self._require_root(self.outer)
        self.is_local = all(isinstance(scan, TableRows) or scan.is_local for scan in self.scans.values())
        if not self.is_local and (len(self.private) > 1 or self.outer is not None or self.optional):
            raise UnboundedError("rows of no unit are joined")
        for alias in self.spine:
            if alias in self.private:
                self._own(alias, self.classes)
        for group in self.optional:
            inside = [alias for alias in group.aliases if alias in self.private]
            if not inside:
                continue
            pairs = [pair for pair in self.pairs if not any(node[0] in group.aliases for node in pair)]
            classes = self._classes([*pairs, *self._equalities(group.on)])
            for alias in inside:
                self._own(alias, classes)

    def _require_root(self, outer: From) -> None:
        around = {outer.find_scan(alias).root for alias in outer.owners}
        if {self.scans[alias].root for alias in self.private} != around:
            raise UnboundedError("tables of several keys")

    def _own(self, alias: str, classes: Classes) -> None:
        unit = classes.find((alias, UNIT))
        if self.owners and not any(classes.find((owner, UNIT)) == unit for owner in self.owners):
            raise UnboundedError(f"rows of {alias} may be of another unit")
        self.owners.append(alias)

    def find_scan(self, alias: str) -> TableRows | Layer:
        """The scan of that alias, here or around. Errors: UnboundedError."""
        around: From | None = self
        while around is not None:
            if alias in around.scans:
                return around.scans[alias]
            around = around.outer
        raise UnboundedError(f"no table {alias}")

    def is_unit(self, node: Expression) -> bool:
        """Whether an expression is the unit of the row, and not NULL."""
        node = bare(node)
        if not isinstance(node, ColumnRef) or not self.private:
            return False
        root = self.classes.find(node_of(node))
        if not any(self.classes.find((owner, UNIT)) == root for owner in self.owners):
            return False
        return root in self.present

    @property
    def has_no_nobody(self) -> bool:
        """Whether rows of nobody are kept out: part (3)."""
        if any(self.classes.find((owner, UNIT)) in self.present for owner in self.owners):
            return True
        first = self.scans[self.private[0]]
        return len(self.private) == 1 and self.private[0] in self.spine and not isinstance(first, TableRows)

    @cached_property
    def present(self) -> set[Node]:
        """The classes of columns that are not NULL in a row that meets all tests."""
        found = {self.classes.find(node) for pair in self.pairs for node in pair}
        for test in self.tests:
            match bare(test):
                case NullTest(value, True) | Membership(value) | RangeTest(value) | Comparison("<" | "<=" | ">" | ">=", value):
                    values: tuple[Expression, ...] = (value,)
                case _:
                    continue
            found |= {self.classes.find(node_of(ref)) for ref in map(bare, values) if isinstance(ref, ColumnRef)}
        for alias in self.spine:
            scan = self.scans[alias]
            if isinstance(scan, TableRows):
                names = [*scan.table.required, *scan.table.primary_key]
                found |= {self.classes.find((alias, fold(name))) for name in names}
            else:
                found |= {self.classes.find((alias, name)) for name in scan.units}
        return found

    # --- equalities ------------------------------------------------------------------------------

    def _equalities(self, tests: Iterable[Expression]) -> Iterator[tuple[Node, Node]]:
        """The columns and constants of one type that tests say are equal."""
        for test in tests:
            match bare(test):
                case Comparison("=", left, right):
                    one, other = self._side(bare(left)), self._side(bare(right))
                    if one is not None and other is not None and _is_same_type(one[1], other[1]):
                        yield one[0], other[0]

    def _side(self, side: Expression) -> tuple[Node, str] | None:
        if isinstance(side, ColumnRef):
            name = self.find_scan(side.table).type_of(key_of(side))
            return None if name is None else (node_of(side), name)
        if constant(side) is not None or isinstance(side, Literal):
            return ("=", side), side.type.name
        return None

    def _classes(self, pairs: Iterable[tuple[Node, Node]]) -> Classes:
        classes = Classes()
        scans = dict(self.scans)
        around = self.outer
        while around is not None:
            scans.update(around.scans)
            around = around.outer
        for alias, scan in scans.items():
            for key in scan.units:
                classes.unite((alias, key), (alias, UNIT))
        for one, other in pairs:
            classes.unite(one, other)
        if len(scans) > 1:
            while any([_twins(classes, *one, *other) for one, other in combinations(scans.items(), 2)]):
                pass
        return classes

    # --- how many --------------------------------------------------------------------------------

    def rows(self, fixed: Fixed = NONE, known: Known = NOTHING_KNOWN) -> Number:
        """The most rows of one unit, where these expressions are fixed, and others within what is known."""
        return self._close(fixed, known)[2]

    def is_settled(self, node: Expression, fixed: Fixed) -> bool:
        """Whether an expression has one value, where others are fixed. All functions are deterministic."""
        node = bare(node)
        if node in fixed:
            return True
        match node:
            case ColumnRef():
                roots, settled, _ = self._close(fixed)
                if node.table in settled or self.classes.find(node_of(node)) in roots:
                    return True
                scan, key = self.scans.get(node.table), key_of(node)
                if scan is None or isinstance(scan, TableRows) or not isinstance(key, str):
                    return False
                return scan.settles(key, self.fixed_names(node.table, scan, fixed))
            case ScalarSubquery() | Exists() | AggregateCall() | WindowCall():
                return False
        return all(self.is_settled(part, fixed) for part in parts_of(node))

    def values(self, wanted: Iterable[Expression], fixed: Fixed = NONE, known: Known = NOTHING_KNOWN) -> Number:
        """The most combinations of values of expressions that rows of one unit have, where others are fixed."""
        rest = [node for node in map(bare, wanted) if not self.is_settled(node, fixed)]
        if not rest:
            return min(1, self.rows(fixed, known))
        found = self.rows(fixed, known)
        sizes: Number = 1
        for node in rest:
            sizes = times(sizes, self.size(node))
        found = min(found, sizes)
        read = {ref for node in rest for ref in _columns(node)}
        names = [key for key in map(key_of, read) if isinstance(key, str)]
        aliases = {ref.table for ref in read}
        if len(aliases) == 1 and len(names) == len(read) and not any(_reads_more(node) for node in rest):
            [alias] = aliases
            scan = self.scans.get(alias)
            if scan is not None and not isinstance(scan, TableRows):
                names_fixed = self.fixed_names(alias, scan, fixed)
                found = min(found, scan.values(names, names_fixed, self._most_of(alias, known)))
        return found

    def _close(self, fixed: Fixed, known: Known = NOTHING_KNOWN) -> tuple[set[Node], set[str], Number]:
        if known:
            return self._closure(fixed, known)
        if fixed not in self._closed:
            self._closed[fixed] = self._closure(fixed, known)
        return self._closed[fixed]

    def _closure(self, fixed: Fixed, known: Known) -> tuple[set[Node], set[str], Number]:
        """The fixed classes, the settled scans, and the most rows of the others together."""
        find = self.classes.find
        roots = {find(node_of(node)) for node in map(bare, fixed) if isinstance(node, ColumnRef)}
        roots |= {find((owner, UNIT)) for owner in self.owners}
        roots |= {find(node) for node in self.classes.parents if node[0] == "="}
        settled: set[str] = set()
        pending: list[tuple[str, list[Expression]]] = [(alias, []) for alias in self.spine]
        pending += [(alias, group.on) for group in self.optional for alias in group.aliases]
        while True:
            for alias, on in pending:
                if self._most(alias, on, roots, settled, known) == 1:
                    settled.add(alias)
                    roots |= {find(node) for node in self.classes.parents if node[0] == alias}
                    pending.remove((alias, on))
                    break
            else:
                break
        most: Number = 1
        for alias, on in pending:
            most = times(most, self._most(alias, on, roots, settled, known))
        return roots, settled, most

    def _most(
        self, alias: str, on: list[Expression], roots: set[Node], settled: set[str], known: Known
    ) -> Number:
        """The most rows of a scan that a unit has, where classes are fixed."""
        scan, find = self.scans[alias], self.classes.find
        here: set[object] = set()
        for pair in self._equalities(on):
            for node, other in (pair, pair[::-1]):
                if node[0] == alias and (other[0] in settled or other[0] == "=" or find(other) in roots):
                    here.add(node[1])

        def is_fixed(key: Key) -> bool:
            return key in here or find((alias, key)) in roots

        if not isinstance(scan, TableRows):
            names = frozenset(name for name in scan.items if is_fixed(name))
            return scan.rows(names, self._most_of(alias, known))
        for key in scan.keys:
            if all(
                is_fixed(name)
                and (name in here or scan.is_required(name) or find((alias, name)) in self.present)
                for name in key
            ):
                return 1
        return INF

    def fixed_names(self, alias: str, scan: Layer, fixed: Fixed) -> frozenset[str]:
        """The columns of a scan that are fixed."""
        roots, _, _ = self._close(fixed)
        return frozenset(name for name in scan.items if self.classes.find((alias, name)) in roots)

    def _most_of(self, alias: str, known: Known) -> dict[str, int]:
        """The columns of a scan that are whole numbers up to some number, by tests or by what is known."""
        found: dict[str, int] = {}
        for node, (_, high, kind) in [*self.known.items(), *known.items()]:
            if isinstance(node, ColumnRef) and node.table == alias and kind == "int" and abs(high) < INF and not node.path:
                name = fold(node.name)
                found[name] = min(int(high), found.get(name, int(high)))
        return found

    # --- numbers ---------------------------------------------------------------------------------

    @cached_property
    def known(self) -> Known:
        """What tests say of numbers."""
        known: dict[Expression, Span] = {}
        for test in self.tests:
            learn(test, True, known, self)
        return known

    def column_span(self, ref: ColumnRef, known: Known) -> Span:
        """The span of a column, if expressions of the same row are within what is known."""
        scan = self.find_scan(ref.table)
        if isinstance(scan, TableRows):
            return scan.span(key_of(ref), {})
        given = {
            fold(node.name): span
            for node, span in known.items()
            if isinstance(node, ColumnRef) and node.table == ref.table and not node.path
        }
        return scan.span(key_of(ref), given)

    def aggregate_span(self, node: AggregateCall | WindowCall, known: Known) -> Span:  # noqa: ARG002
        """Aggregates belong to no row of FROM."""
        return ANY

    def size(self, node: Expression) -> Number:
        """How many values an expression can have that tests name, or that its type has."""
        return size_of(node, self)


def conjuncts(tests: Iterable[Expression]) -> Iterator[Expression]:
    """The conditions that all hold."""
    for test in map(bare, tests):
        if isinstance(test, Connective) and test.word == "AND":
            yield from conjuncts(test.links)
        else:
            yield test


def times(one: Number, other: Number) -> Number:
    """The product, where nothing is so often as one likes still nothing."""
    return 0 if 0 in (one, other) else one * other


def _columns(node: Expression) -> Iterator[ColumnRef]:
    if isinstance(node, ColumnRef):
        yield node
    for part in parts_of(node):
        yield from _columns(part)


def _reads_more(node: Expression) -> bool:
    if isinstance(node, (ScalarSubquery, Exists, AggregateCall, WindowCall)):
        return True
    return any(_reads_more(part) for part in parts_of(node))


def _is_same_type(one: str, other: str) -> bool:
    return one == other or (one in INTEGER_RANGES and other in INTEGER_RANGES)


def _twins(classes: Classes, one: str, first: TableRows | Layer, other: str, second: TableRows | Layer) -> bool:
    """Lemmas `link` and `twins`: unite what they say, and return whether that was new."""
    changed = False
    for column, target in first.links:
        for match, same in second.links:
            if target == same and classes.find((one, column)) == classes.find((other, match)):
                changed |= classes.unite((one, UNIT), (other, UNIT))
    if isinstance(first, TableRows) and isinstance(second, TableRows) and first.table == second.table:
        for key in first.keys:
            if all(classes.find((one, name)) == classes.find((other, name)) for name in key):
                names = {node[1] for node in classes.parents if node[0] in (one, other)} | {UNIT}
                changed |= any([classes.unite((one, name), (other, name)) for name in names])
    return changed


def _rows_of(table: Table, catalog: Catalog) -> TableRows:
    """The rows of a table as the catalog declares it. Errors: UnboundedError."""
    if any(one is table or one == table for one in (*catalog.tables, *catalog.synthetic)):
        if not table.private and not table.public and table not in catalog.synthetic:
            raise UnboundedError(f"{table.name} has no policy")
        return TableRows(table, catalog)
    if table.is_written and table.scan is not None and reads_no_table(table.scan):
        return TableRows(table, catalog)
    raise UnboundedError(f"{table.name} is not of the catalog")
