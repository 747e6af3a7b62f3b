"""Rows: to whom each belongs, and how many of them, and how much in them, one unit has.

Setting. One unit u is added or removed with all its rows D_u in all tables of its key: in the table of the
key those where the key is u, in a linked table those whose link leads to such a row. A relation is *local* if
it is the disjoint union, over units u, of rows R_u that are a function of D_u and of public tables alone,
with none for a unit without rows. Then adding u adds R_u, and nothing else moves. Rows of nobody, whose key
is NULL, are in no R_u.

Theorem of privacy units. Let FROM be a chain of scans, each joined by a product or, as an *optional* group,
by LEFT JOIN ... ON; conditions of inner joins and of WHERE are tests of the joined row. Where a test is true
of no NULL in a column of a group, the group is there: it is no optional one, and its ON is a test. Let all
private scans be of one key. The joined rows are local, with u the value of a column c of an owner, if
 (1) all private scans that are always there have the same unit, by the tests;
 (2) in each optional group each private scan has the unit of an owner before it, by its ON and by those tests
     that do not name the group (the first owner of all needs none);
 (3) c is not NULL, by a test or a constraint.
Proof. A row with c = u reads private rows of u alone, by (1) and (2), and a group that is absent in it has no
row in D that meets ON, so none in D_u. Conversely, a row made from D_u is in the relation: a group absent
there has no match in D, as a match would have the unit u by (2), and so be in D_u. Without rows of u no row
has c = u, since the scan of c is there by (3). QED The same holds for a subquery whose private scans all have
the unit of an owner around it.

"The same unit" follows by union-find from equalities of columns of one type. An equality that is true has no
NULL, so what it reads is there.
 key    a column that is the key, or a link that leads to the key itself, holds the unit.
 link   a link leads to a column that a constraint keeps unique, so to one row, and has the unit of that row.
        So two rows have the same unit if they name one row by equal columns: by a link, or as its unique key.
 twins  two rows of one table with an equal unique key are one row, and equal in all columns.
How many rows has a unit, where some expressions are fixed?
 scan    columns of a unique key, none NULL, settle a row, and then all its columns; of an optional group only
         where all is settled that its ON reads of others: else it is there for some rows, absent for others.
         Scans that are not settled multiply.
 widens  let f = g(k) be true, where f is computed of what is settled and g is a cast of column k that no two
         values share, of the type of f. Then k is settled: were there two values of k, g would have one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from dpduck.kernel.catalog.model import Catalog, Table, fold
from dpduck.kernel.catalog.types import INTEGER_RANGES, parse_type
from dpduck.kernel.check.functions import CHOOSERS, EXACT_SUMS, ORDERLESS, SCALARS, UNNEST
from dpduck.kernel.check.shapes import (
    Key,
    Node,
    conjuncts,
    cut,
    is_of_groups,
    key_of,
    node_of,
    rejected,
    uncast,
)
from dpduck.kernel.check.spans import (
    ANY,
    INF,
    Facts,
    Known,
    Number,
    Span,
    both,
    constant,
    learn,
    span_of,
    span_of_type,
    times,
)
from dpduck.kernel.check.written import reads_no_table
from dpduck.kernel.tree import emit
from dpduck.kernel.tree.nodes import (
    AggregateCall,
    Call,
    Choice,
    ColumnRef,
    Comparison,
    Conversion,
    Exists,
    Expression,
    Literal,
    NullTest,
    ScalarSubquery,
    SortKey,
    WindowCall,
)
from dpduck.kernel.tree.relations import (
    DerivedTable,
    GroupedTables,
    JoinedTables,
    ReaderTable,
    Relation,
    SelectItem,
    SelectQuery,
    TableScan,
)
from dpduck.kernel.tree.walk import columns_in, every_part, has_subquery, parts_of, ungrouped

if TYPE_CHECKING:
    from dpduck.kernel.check.layers import Layer

Fixed = frozenset[Expression]
Given = Mapping[str, tuple[Span, ...]]  # facts of columns
_WITHIN_HUGEINT = INTEGER_RANGES.keys() - {"UHUGEINT"}  # it is compared with others as a DOUBLE
_WIDER = {("FLOAT", "DOUBLE"), ("DATE", "TIMESTAMP")}
UNIT = 0  # as a column: the unit of a row


class UnboundedError(Exception):
    """The tree is not understood. The text says what."""


class Classes:
    """Union-find: which nodes are equal."""

    def __init__(self) -> None:
        self.parents: dict[Node, Node] = {}

    def find(self, node: Node) -> Node:
        while (parent := self.parents.get(node, node)) != node:
            node = parent
        return node

    def unite(self, one: Node, other: Node) -> bool:
        """Make both equal, and return whether that is new."""
        first, second = self.find(one), self.find(other)
        self.parents.setdefault(second, second)
        self.parents[first] = second
        return first != second


class TableRows:
    """A table of the catalog. Its declaration and constraints are believed. Errors: UnboundedError."""

    is_local, shaken = True, frozenset[str]()
    root: object
    links: list[tuple[Key, object]]

    def __init__(self, table: Table, catalog: Catalog) -> None:
        known = any(one is table or one == table for one in (*catalog.tables, *catalog.synthetic))
        if not known and not (table.is_written and reads_no_table(table.scan or "")):
            raise UnboundedError("a table that is not of the catalog")
        self.table, self.private, self.root = table, table.private, catalog.root(table).full_name
        if not table.private and not table.public and table not in catalog.synthetic:
            raise UnboundedError("a table without a policy")
        self.keys = _keys(table)
        self.units: list[Key] = [] if (own := _unit_column(table, catalog)) is None else [own]
        place, link = (table.schema, table.name), table.link
        self.links = [(key[0], (place, key[0])) for key in self.keys if len(key) == 1]
        if link is not None:
            target = catalog.table(link.table, link.schema)
            if (fold(link.target),) in _keys(target):
                self.links.append((fold(link.column), ((target.schema, target.name), fold(link.target))))
        self.required = {*map(fold, (*table.required, *table.primary_key))}
        self.names: set[str] = {name for key in self.keys for name in key}

    def type_of(self, key: Key) -> str | None:
        """The type of a column, or of a field; None if that is not known."""
        if isinstance(key, str):
            column = self.table.part(key)
            return None if column is None or column.path else column.type
        parts = (part for part in self.table.parts if part.is_field)
        return next((part.type for part in parts if tuple(map(fold, part.path)) == key), None)

    def has(self, key: Key) -> bool:
        name = key if isinstance(key, str) else key[0]
        return any(fold(column.name) == name for column in self.table.columns)

    def span(self, key: Key, _given: Given) -> Span:
        name = self.type_of(key)
        low, high, kind = ANY if name is None else span_of_type(parse_type(name))
        return (
            (-INF, INF, kind) if kind == "decimal" else (low, high, kind)
        )  # Arrow's may be beyond their type

    def rows(
        self, names: frozenset[str], _ranks: Mapping[str, int], present: frozenset[str] = frozenset()
    ) -> Number:
        """Rule `scan`. Input: `present`: the fixed columns that are not NULL."""
        return (
            1
            if any(name <= names and name <= present | self.required for name in map(frozenset, self.keys))
            else INF
        )

    def values(self, _wanted: Iterable[str], _names: frozenset[str], _ranks: Mapping[str, int]) -> Number:
        return INF

    def settles(self, name: str, names: frozenset[str]) -> bool:
        return name in names


def _keys(table: Table) -> list[tuple[str, ...]]:
    keys = (*table.unique_keys, *((table.primary_key,) if table.primary_key else ()))
    return [tuple(map(fold, key)) for key in keys]


def _unit_column(table: Table, catalog: Catalog) -> str | None:
    """Lemma `key`."""
    if table.link is None:
        return None if table.unit is None else fold(table.unit)
    own = _unit_column(catalog.table(table.link.table, table.link.schema), catalog)
    return fold(table.link.column) if own == fold(table.link.target) else None


@dataclass(frozen=True)
class World:
    """What a tree may read: tables of the catalog, and the rows of another query that the reader holds."""

    catalog: Catalog
    read: Callable[[SelectQuery, World], Layer]
    held: SelectQuery | None = None


class From:
    """FROM and WHERE of a query. `outer`: those around a subquery. Errors: UnboundedError."""

    pairs: list[tuple[Node, Node]]
    private: list[str]
    owners: list[str]
    is_local: bool

    def __init__(
        self, source: Relation, where: Iterable[Expression], world: World, outer: From | None = None
    ) -> None:
        self.world, self.outer = world, outer
        self.scans: dict[str, TableRows | Layer] = {}
        self.spine: list[str] = []
        self.optional: list[tuple[list[str], list[Expression]]] = []
        self.tests = list(conjuncts(where))
        self._flatten(source, self.spine, self.tests, self.optional)
        self._settle_optional()
        self.around: dict[str, TableRows | Layer] = {} if outer is None else outer.around | outer.scans
        if self.around.keys() & self.scans.keys():
            raise UnboundedError("two tables of one alias")
        self.pairs = [*([] if outer is None else outer.pairs), *self._equalities(self.tests)]
        self.classes = self._classes(self.pairs)
        self.private = [alias for alias, scan in self.scans.items() if scan.private]
        self.owners = [] if outer is None else list(outer.owners)
        self.subqueries: dict[Expression, Span] = {}
        self._closed: dict[Fixed, tuple[set[Node], set[str], Number]] = {}
        self._prove()
        for test in (*self.tests, *(test for _, on in self.optional for test in on)):
            self.check(test)

    def _flatten(  # noqa: C901  (a case for each kind of relation)
        self,
        relation: Relation,
        spine: list[str],
        tests: list[Expression],
        optional: list[tuple[list[str], list[Expression]]],
    ) -> None:
        match relation:
            case GroupedTables(tables):
                return self._flatten(tables, spine, tests, optional)
            case JoinedTables(left, "JOIN" | "CROSS JOIN", right, on):
                self._flatten(left, spine, tests, optional)
                self._flatten(right, spine, tests, optional)
                tests += conjuncts(on)
                return None
            case JoinedTables(left, "LEFT JOIN", right, on):
                self._flatten(left, spine, tests, optional)
                group: tuple[list[str], list[Expression]] = [], list(conjuncts(on))
                inside: list[tuple[list[str], list[Expression]]] = []
                self._flatten(right, *group, inside)
                if inside:
                    raise UnboundedError("a LEFT JOIN within another")
                optional.append(group)
                return None
            case TableScan(table, alias):
                rows: TableRows | Layer = TableRows(table, self.world.catalog)
            case DerivedTable(query, alias):
                rows = self.world.read(query, self.world)
            case ReaderTable(emit.HELD, None) if self.world.held is not None:
                alias, rows = emit.short_name(emit.HELD), self.world.read(self.world.held, self.world)
            case _:
                raise UnboundedError("rows of this kind")
        if alias in self.scans:
            raise UnboundedError("two tables of one alias")
        self.scans[alias] = rows
        spine.append(alias)
        return None

    def _settle_optional(self) -> None:
        """LEFT JOIN is JOIN, and its ON a test, where a test has a column that is not NULL."""
        while True:
            there = {alias for test in self.tests for alias, _ in rejected(test)}
            found = next((group for group in self.optional if there & {*group[0]}), None)
            if found is None:
                return
            self.optional.remove(found)
            self.spine += found[0]
            self.tests += found[1]

    # --- whose rows they are ---------------------------------------------------------------------

    def _prove(self) -> None:  # noqa: C901
        """The theorem of privacy units."""
        if len({self.scan(alias).root for alias in (*self.owners, *self.private)}) > 1:
            raise UnboundedError("tables of several keys")
        self.is_local = all(scan.is_local for scan in self.scans.values())
        if not self.is_local and (len(self.scans) > 1 or self.outer is not None):
            raise UnboundedError("rows of no unit are joined")
        if self.outer is not None and self.private and not self.owners:
            raise UnboundedError("a subquery over other units")
        for aliases, on in [(self.spine, None), *self.optional]:
            classes = self.classes
            if on is not None:
                pairs = [pair for pair in self.pairs if not {pair[0][0], pair[1][0]} & {*aliases}]
                classes = self._classes([*pairs, *self._equalities(on)])
            for alias in aliases:
                if not self.scans[alias].private:
                    continue
                unit = classes.find((alias, UNIT))
                if self.owners and all(classes.find((owner, UNIT)) != unit for owner in self.owners):
                    raise UnboundedError("rows that may be of another unit")
                self.owners.append(alias)
        first = self.private[0] if len(self.private) == 1 else ""
        is_one = first in self.spine and not isinstance(self.scans[first], TableRows)
        if self.private and self.outer is None and not is_one and not self.unit_classes:
            raise UnboundedError("rows of nobody")

    def scan(self, alias: str) -> TableRows | Layer:
        """The scan of that alias, here or around. Errors: UnboundedError."""
        found = self.scans.get(alias) or self.around.get(alias)
        if found is None:
            raise UnboundedError("a column of no table")
        return found

    @cached_property
    def unit_classes(self) -> set[Node]:
        """The classes of columns that are the unit and not NULL: part (3)."""
        return {self.classes.find((owner, UNIT)) for owner in self.owners} & self.present

    def is_unit(self, node: Expression) -> bool:
        node = ungrouped(node)
        return isinstance(node, ColumnRef) and self.classes.find(node_of(node)) in self.unit_classes

    @cached_property
    def present(self) -> set[Node]:
        """The classes of columns that are not NULL in a row that meets all tests."""
        found = {node for pair in self.pairs for node in pair} | {
            node for test in self.tests for node in rejected(test)
        }
        found |= {node for node, _ in self.widened}
        for alias in self.spine:
            scan = self.scans[alias]
            found |= {
                (alias, name) for name in (scan.required if isinstance(scan, TableRows) else scan.units)
            }
        return {self.classes.find(node) for node in found}

    def has_value(self, node: Expression) -> bool:
        """Whether an expression is not NULL, as a test says of it, here or where it comes from."""
        tested = (test.value for test in self.tests if isinstance(test, NullTest) and test.negated)
        if node in map(ungrouped, tested):
            return True
        if not isinstance(node, ColumnRef) or node.path or node.table not in self.spine:
            return False
        scan = self.scans[node.table]
        if isinstance(scan, TableRows):
            return fold(node.name) in scan.required
        item = scan.items.get(fold(node.name))
        return item is not None and scan.below.has_value(item)

    # --- equalities ------------------------------------------------------------------------------

    def _equalities(self, tests: Iterable[Expression]) -> Iterator[tuple[Node, Node]]:
        """The columns and constants of one type that tests say are equal."""
        for test in tests:
            if isinstance(test, Comparison) and test.symbol == "=":
                (one, first), (other, second) = self._side(test.left), self._side(test.right)
                if first is not None and (first == second or {first, second} <= _WITHIN_HUGEINT):
                    yield one, other

    def _side(self, side: Expression) -> tuple[Node, str | None]:
        side = ungrouped(side)
        if isinstance(side, ColumnRef):
            return node_of(side), self.scan(side.table).type_of(key_of(side))
        is_constant = isinstance(side, Literal) or constant(side) is not None
        return ("=", side), side.type.name if is_constant else None

    def _classes(self, pairs: Iterable[tuple[Node, Node]]) -> Classes:
        classes, scans = Classes(), self.around | self.scans
        for one, other in [
            *(((alias, key), (alias, UNIT)) for alias, scan in scans.items() for key in scan.units),
            *pairs,
        ]:
            classes.unite(one, other)
        while any([_twins(classes, *one, *other) for one, other in combinations(scans.items(), 2)]):  # noqa: C419  (all of them)
            pass
        return classes

    # --- how many --------------------------------------------------------------------------------

    def rows(self, fixed: Fixed, known: Known | None = None) -> Number:
        """The most rows of one unit, where these expressions are fixed, and others within what is known."""
        return self._close(fixed, known or {})[2]

    def values(self, wanted: Iterable[Expression], fixed: Fixed, known: Known | None = None) -> Number:
        """The most combinations of values of expressions in rows of one unit, where others are fixed."""
        rest = [node for node in wanted if not self.is_settled(node, fixed)]
        most, known = self.rows(fixed, known), known or {}
        if not rest:
            return min(1, most)
        read = {node_of(ref) for node in rest for ref in columns_in(node)}
        aliases, names = {alias for alias, _ in read}, [key for _, key in read if isinstance(key, str)]
        plain = not any(
            isinstance(part, (AggregateCall, WindowCall)) or has_subquery(part)
            for n in rest
            for part in every_part(n)
        )
        if len(aliases) == 1 and plain and len(names) == len(read):
            [alias] = aliases
            most = min(
                most,
                self.scan(alias).values(names, self.fixed_names(alias, fixed), self._ranks(alias, known)),
            )
        return most

    def is_settled(self, node: Expression, fixed: Fixed) -> bool:
        """Whether an expression has one value, where others are fixed. All functions are deterministic."""
        node = ungrouped(node)
        if node in fixed:
            return True
        if isinstance(node, ColumnRef):
            roots, settled, _ = self._close(fixed, {})
            if node.table in settled or self.classes.find(node_of(node)) in roots:
                return True
            key = key_of(node)
            return isinstance(key, str) and self.scan(node.table).settles(
                key, self.fixed_names(node.table, fixed)
            )
        if isinstance(node, (ScalarSubquery, Exists, AggregateCall, WindowCall)):
            return False
        return all(self.is_settled(part, fixed) for part in parts_of(node))

    def _close(self, fixed: Fixed, known: Known) -> tuple[set[Node], set[str], Number]:
        """The fixed classes, the settled scans, and the most rows of the others together. Rule `scan`."""
        if not known and fixed in self._closed:
            return self._closed[fixed]
        find, nodes = self.classes.find, list(self.classes.parents)
        roots = {find(node_of(node)) for node in fixed if isinstance(node, ColumnRef)}
        roots |= self.unit_classes | {find(node) for node in nodes if node[0] == "="}
        settled: set[str] = set()
        on_of = {alias: on for aliases, on in self.optional for alias in aliases}
        while True:
            for node, read in self.widened:
                roots |= {find(node)} if self._are_settled(read, roots, settled) else set()
            found = {
                alias: self._rows_of(alias, on_of.get(alias, []), roots, settled, known)
                for alias in (*self.spine, *on_of)
                if alias not in settled
            }
            once = {alias for alias, most in found.items() if most == 1}
            new = once & {*self.spine}
            for aliases, on in self.optional:  # whether it is there is settled where all is that ON reads
                read = {ref for test in on for ref in columns_in(test) if ref.table not in aliases}
                is_settled = self._are_settled(read, roots, settled) and not any(map(has_subquery, on))
                new |= once & {*aliases} if is_settled else set()
            if not new:
                break
            settled |= new
            roots |= {find(node) for node in nodes if node[0] in new}
        most: Number = 1
        for one in found.values():
            most = times(most, one)
        if not known:
            self._closed[fixed] = roots, settled, most
        return roots, settled, most

    def _rows_of(
        self, alias: str, on: list[Expression], roots: set[Node], settled: set[str], known: Known
    ) -> Number:
        """The most rows of a scan that a unit has, where classes are fixed."""
        scan, find = self.scans[alias], self.classes.find
        here: set[object] = set()
        for pair in self._equalities(on):
            for node, other in (pair, pair[::-1]):
                if node[0] == alias and (other[0] in ("=", *settled) or find(other) in roots):
                    here.add(node[1])
        for node, read in self._widened(on):
            if node[0] == alias and self._are_settled(read, roots, settled):
                here.add(node[1])
        names = frozenset(name for name in scan.names if name in here or find((alias, name)) in roots)
        if not isinstance(scan, TableRows):
            return scan.rows(names, self._ranks(alias, known))
        present = frozenset(name for name in names if name in here or find((alias, name)) in self.present)
        return scan.rows(names, {}, present)

    def _are_settled(self, read: Iterable[ColumnRef], roots: set[Node], settled: set[str]) -> bool:
        return all(ref.table in settled or self.classes.find(node_of(ref)) in roots for ref in read)

    @cached_property
    def widened(self) -> list[tuple[Node, set[ColumnRef]]]:
        """The columns that tests settle, each with those that settle it."""
        return self._widened(self.tests)

    def _widened(self, tests: Iterable[Expression]) -> list[tuple[Node, set[ColumnRef]]]:
        """Columns, each with those that settle it. Rule `widens`."""
        found = []
        for test in tests:
            if isinstance(test, Comparison) and test.symbol == "=":
                left, right = ungrouped(test.left), ungrouped(test.right)
                for side, other in ((left, right), (right, left)):
                    key, of = self._kept(side), self._type(side)
                    if (
                        key is not None
                        and of is not None
                        and of == self._type(other)
                        and not has_subquery(other)
                    ):
                        found.append((node_of(key), {*columns_in(other)}))
        return found

    def _type(self, side: Expression) -> str | None:
        if isinstance(side, ColumnRef):
            return self.scan(side.table).type_of(key_of(side))
        return side.type.name if isinstance(side, Conversion) else None

    def _kept(self, side: Expression) -> ColumnRef | None:
        """The column of a cast that no two of its values share, or of no cast."""
        if not isinstance(side, Conversion):
            return side if isinstance(side, ColumnRef) else None
        key, target = ungrouped(side.value), side.type
        name = self._type(key)
        if not isinstance(key, ColumnRef) or name is None:
            return None
        of = parse_type(name)
        exact = of.kind in ("integer", "decimal") and target.kind in ("integer", "decimal")
        is_kept = exact and of.scale <= target.scale
        is_text = target.name == "VARCHAR" and of.kind in ("integer", "enum")
        return key if is_kept or is_text or (name, target.name) in _WIDER else None

    def fixed_names(self, alias: str, fixed: Fixed) -> frozenset[str]:
        """The columns of a scan that are fixed."""
        roots, _, _ = self._close(fixed, {})
        return frozenset(name for name in self.scan(alias).names if self.classes.find((alias, name)) in roots)

    def is_short(self, ref: ColumnRef, length: Number) -> bool:
        """Whether a text is cut to a length where it comes from."""
        scan, key = self.scan(ref.table), key_of(ref)
        if isinstance(scan, TableRows) or not isinstance(key, str):
            return False
        item = scan.items.get(key)
        if isinstance(item, ColumnRef):
            return scan.below.is_short(item, length)
        return item is not None and cut(item)[0] <= length

    def exact(self, node: Expression) -> Expression:
        """x for CASE ... ELSE x END with one NaN and one zero, and for what cuts a text that is short
        already: DuckDB takes both for equal to x."""
        node = ungrouped(node)
        if isinstance(node, Choice) and node.otherwise is None:
            length, text = cut(node)
            return text if isinstance(text, ColumnRef) and self.is_short(text, length) else node
        if not isinstance(node, Choice) or node.otherwise is None:
            return node
        for test, value in node.branches:
            match ungrouped(test):
                case Call("isnan", (x,)) if (
                    x == node.otherwise and isinstance(value, Literal) and value.value == "nan"
                ):
                    continue
                case Comparison("=", x, same) if (
                    x == node.otherwise and same == value and isinstance(value, Literal)
                ):
                    continue
            return node
        return ungrouped(node.otherwise)

    def order(self, window: WindowCall) -> Fixed:
        terms = (term.value if isinstance(term, SortKey) else term for term in window.order_by)
        return frozenset(self.exact(term) for term in terms)

    def fixed_by(self, window: WindowCall) -> Fixed:
        """What is alike in rows that take the same turn."""
        return frozenset(self.exact(node) for node in window.partition_by) | self.order(window)

    def _ranks(self, alias: str, known: Known) -> dict[str, int]:
        """The columns of a scan that are whole numbers up to some number, by tests or by what is known."""
        found: dict[str, int] = {}
        known = both(self.known, known)
        for node in known:
            if isinstance(node, ColumnRef) and node.table == alias and not node.path:
                _, high, kind = span_of(node, self, known)
                if kind == "int" and -INF < high < INF:
                    found[fold(node.name)] = int(high)
        return found

    # --- expressions -----------------------------------------------------------------------------

    @cached_property
    def known(self) -> Known:
        """What tests say of numbers."""
        known: Facts = {}
        for test in self.tests:
            learn(test, True, known)
        return known

    def span(self, node: Expression) -> Span:
        """The span of an expression in rows that meet all tests."""
        return span_of(node, self, self.known)

    def column_span(self, ref: ColumnRef, known: Known) -> Span:
        return self.scan(ref.table).span(key_of(ref), self.given(ref.table, known))

    def given(self, alias: str, known: Known) -> Given:
        """What is known of the columns of a scan."""
        refs = (node for node in known if isinstance(node, ColumnRef) and not node.path)
        return {fold(ref.name): known[ref] for ref in refs if ref.table == alias}

    def other_span(self, node: Expression) -> Span:
        """The span of a subquery, or of an element of a list that is a column."""
        if isinstance(node, ScalarSubquery):
            return self.subqueries.get(node, ANY)
        ref = (
            ungrouped(node.arguments[0])
            if isinstance(node, Call) and node.name in ("list_extract", UNNEST)
            else None
        )
        name = self.scan(ref.table).type_of(key_of(ref)) if isinstance(ref, ColumnRef) else None
        return span_of_type(parse_type(name[:-2])) if name is not None and name.endswith("[]") else ANY

    def check(self, node: Expression, *, aggregates: bool = False) -> None:  # noqa: C901  (a case for each)
        """Check that an expression reads its row, or its group, and nothing else. Errors: UnboundedError."""
        for part in every_part(node):
            match part:
                case ColumnRef(table) if not self.scan(table).has(key_of(part)):
                    raise UnboundedError("a column that is not there")
                case Call(name) if name not in SCALARS:
                    raise UnboundedError(f"function {name}")
                case WindowCall():
                    raise UnboundedError("a window within an expression")
                case AggregateCall() if not aggregates:
                    raise UnboundedError("an aggregate without groups")
                case AggregateCall(arguments=arguments):
                    self.check_aggregate(part)
                    for argument in arguments:
                        self.check(argument)
                case ScalarSubquery(query) | Exists(query):
                    self._check_subquery(query, part)

    def check_aggregate(self, node: AggregateCall) -> None:
        """Check that an aggregate is a function of its rows, in no order. Errors: UnboundedError."""
        if node.name in CHOOSERS and not node.distinct:
            chosen, by = map(ungrouped, node.arguments)
            fixed = parts_of(by) if isinstance(by, Call) and by.name == "row" else (by,)
            fits = self.is_settled(chosen, frozenset(self.exact(one) for one in fixed))
        elif node.name in EXACT_SUMS:
            fits = self.span(node.arguments[0])[2] in ("int", "decimal")
        else:
            fits = node.name in ORDERLESS
        if not fits:
            raise UnboundedError(f"aggregate {node.name}")

    def _check_subquery(self, query: SelectQuery, around: Expression) -> None:
        """A subquery reads public rows, and private ones of the unit of the row around it."""
        is_scalar = isinstance(around, ScalarSubquery)
        if query.limit is not None or query.order_by or query.having or query.group_by or query.distinct:
            raise UnboundedError("a subquery of this form")
        rows = From(query.source, query.where, self.world, self)
        for item in query.items:
            if not isinstance(item, SelectItem) or (is_scalar and not is_of_groups(item.value, [])):
                raise UnboundedError("a subquery of this form")
            rows.check(item.value, aggregates=is_scalar)
            call = uncast(item.value)
            if is_scalar and isinstance(call, AggregateCall):
                inside = rows.span(call.arguments[0]) if call.arguments else ANY
                self.subqueries[around] = (0, INF, "int") if call.name == "count" else (-INF, INF, inside[2])


def _twins(
    classes: Classes, one: str, first: TableRows | Layer, other: str, second: TableRows | Layer
) -> bool:
    """Lemmas `link` and `twins`: unite what they say, and return whether that was new."""
    find, changed = classes.find, False
    for column, target in first.links:
        for match, same in second.links:
            if target == same and find((one, column)) == find((other, match)):
                changed |= classes.unite((one, UNIT), (other, UNIT))
    if isinstance(first, TableRows) and isinstance(second, TableRows) and first.table == second.table:
        for key in first.keys:
            if all(find((one, name)) == find((other, name)) for name in key):
                names = {node[1] for node in classes.parents if node[0] in (one, other)} | {UNIT}
                for name in names:
                    changed |= classes.unite((one, name), (other, name))
    return changed
