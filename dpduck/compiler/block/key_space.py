"""Finds the candidates of a query: the combinations of its keys' values that a row can have at all.

Keys that read the same columns or the same public table are evaluated together: over the rows of that table
and all values in the domains of those columns, under the conditions of the query that read nothing else. So
the keys of each selected row are among the combinations, unless one of its columns has a value outside of
its domain; and only public values are read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from dpduck.compiler.block.grains import grain_of, is_of_grain, starts_of
from dpduck.compiler.block.narrowing import (
    KINDS,
    MOST_VALUES,
    conditions_of,
    narrowed,
    narrowed_columns,
    part_of,
    texts,
    with_domains,
)
from dpduck.compiler.block.null_keys import is_matched
from dpduck.compiler.block.privacy_units import Owned
from dpduck.compiler.block.rows import Instance
from dpduck.compiler.parse.nodes import refusal
from dpduck.kernel.catalog.model import Domain, RangeDomain, ValuesDomain
from dpduck.kernel.catalog.types import ConversionError, Value, public_value
from dpduck.kernel.plan.expression import Ends, Typed
from dpduck.kernel.plan.keys import Group, JointKeys, Key, KeySpace
from dpduck.kernel.plan.public_facts import PublicValues
from dpduck.kernel.tree import build
from dpduck.kernel.tree.emit import LIST
from dpduck.kernel.tree.nodes import VARCHAR, ColumnRef, Comparison, Expression
from dpduck.kernel.tree.relations import (
    DerivedTable,
    JoinedTables,
    ReaderTable,
    Relation,
    SelectItem,
    SelectQuery,
    TableScan,
)
from dpduck.kernel.tree.walk import columns_in, has_subquery, rewritten, ungrouped

Domains = dict[ColumnRef, Domain]
Source = ColumnRef | Instance  # a private column with a domain, or a public table

MOST_COMBINATIONS = 100_000  # of joint keys
_MOST_ROWS = 1_000_000  # among which combinations are sought; and of candidates, if some keys are joint
_MOST_VALUES = 10_000  # of a column that is tried beside others


@dataclass(frozen=True)
class _Together:
    """Keys that are evaluated together: their places, what is read for them, and the conditions."""

    places: tuple[int, ...]
    sources: frozenset[Source]
    conditions: tuple[Expression, ...]


class PublicKeys:
    """What the conditions of a block leave of public domains."""

    def __init__(self, owned: Owned, facts: PublicValues) -> None:
        self._owned = owned
        self._facts = facts
        self._domains = narrowed_columns(owned.rows, facts)
        self.rows = with_domains(owned.rows, self._domains) if self._domains else owned.rows

    def whole_numbers(self, node: Expression, ends: Ends) -> Domain | None:
        """Return the integers that a key without a domain can be, where their range and conditions leave few.

        Input: `ends`: the ends of its public range.
        """
        if node.type.kind != "integer":
            return None
        least, most = node.type.ticks
        low = least if ends[0] is None else max(least, math.ceil(ends[0]))
        high = most if ends[1] is None else min(most, math.floor(ends[1]))
        if low > high:
            return ValuesDomain(())
        tests = [test for test in conditions_of(self._owned.rows) if _reads_only(test, node)]
        found = narrowed(RangeDomain(low, high, 1), node, tests, self._facts)
        return found if found.size <= MOST_COMBINATIONS else None

    def space(self, keys: Sequence[tuple[Key, Typed]]) -> KeySpace:
        """Return the candidates of a query with these keys."""
        return _Finder(keys, self._owned, self._domains, self._facts).find()


class _Finder:
    def __init__(
        self, keys: Sequence[tuple[Key, Typed]], owned: Owned, domains: Domains, facts: PublicValues
    ) -> None:
        self._keys = [key for key, _ in keys]
        self._values = [value for _, value in keys]
        self._rows = owned.rows
        self._domains = domains
        self._facts = facts
        self._conditions = conditions_of(owned.rows)
        self._grains: dict[ColumnRef, str] = {}
        self._starts = self._listed_by_grain()

    def _listed_by_grain(self) -> Domains:
        """Return the columns of long ranges of times of which keys need the days, hours or months alone."""
        found: Domains = {}
        keys = [value.node for value in self._values if not has_subquery(value.node)]
        for column in {column for node in keys for column in columns_in(node)}:
            domain = self._declared(column)
            if domain is None or domain.size <= _MOST_VALUES:
                continue
            asked = [node for node in (*keys, *self._conditions) if column in set(columns_in(node))]
            grain = grain_of(column, domain, asked, _MOST_VALUES)
            if grain is not None and any(
                column in set(columns_in(one)) for one in keys if is_of_grain(one, column, grain)
            ):
                self._grains[column] = grain
                found[column] = starts_of(domain, grain, column)
        return found

    def find(self) -> KeySpace:
        """Return the candidates. Where too many rows would have to be tried, those of each key alone."""
        found, joint, waiting = list(self._keys), [], set(range(len(self._keys)))
        for part in filter(self._is_needed, self._parts()):
            combinations = self._combinations(part)
            if combinations is None:
                continue
            waiting -= set(part.places)
            for number, place in enumerate(part.places):
                found[place] = _with_values(found[place], {group[number] for group in combinations})
            if len(combinations) < math.prod(found[place].size or 0 for place in part.places):
                joint.append(_in_order(part.places, combinations, found))
        for place in waiting:
            found[place] = self._narrowed_alone(found[place], self._values[place].node)
        space = KeySpace(tuple(found), tuple(joint))
        return space if space.size is None or space.size <= _MOST_ROWS else replace(space, joint=())

    def _narrowed_alone(self, key: Key, node: Expression) -> Key:
        """Narrow a key by the conditions on its own expression, unless its column is narrowed already."""
        if key.domain is None or (isinstance(node, ColumnRef) and key.domain == self._domains.get(node)):
            return key
        tests = [test for test in self._conditions if _reads_only(test, node)]
        return replace(key, domain=narrowed(key.domain, node, tests, self._facts)) if tests else key

    # --- keys that belong together ---------------------------------------------------------------

    def _parts(self) -> list[_Together]:
        """Return the keys that can be evaluated, together if they or conditions read the same sources."""
        tests = [(test, sources) for test in self._conditions if (sources := self._sources(test))]
        read = {place: self._sources(value.node) for place, value in enumerate(self._values)}
        known = {place: sources for place, sources in read.items() if sources and self._is_countable(place)}
        groups = _connected([*known.values(), *(sources for _, sources in tests)])
        parts = []
        for group in groups:
            places = tuple(place for place, sources in known.items() if sources <= group)
            if places:
                parts.append(
                    _Together(places, group, tuple(test for test, sources in tests if sources <= group))
                )
        return parts

    def _is_countable(self, place: int) -> bool:
        return self._values[place].type.kind in KINDS

    def _sources(self, node: Expression) -> frozenset[Source] | None:
        """Return what an expression reads; None if any of it is not public."""
        if has_subquery(node):
            return None
        columns = set(columns_in(node))
        if any(not is_of_grain(node, column, self._grains[column]) for column in columns & set(self._grains)):
            return None
        sources = [self._source(column) for column in columns]
        known = frozenset(source for source in sources if source is not None)
        if len(known) > 1 and any(isinstance(one, ColumnRef) and self._is_long(one) for one in known):
            return None
        return known if len(sources) and None not in sources else None

    def _is_long(self, column: ColumnRef) -> bool:
        """Whether a column has so many values that they are tried with those of no other column."""
        return self._size(column) > _MOST_VALUES + 1

    def _source(self, column: ColumnRef) -> Source | None:
        instance = next(one for one in self._rows.instances if one.owns(column))
        if not instance.table.private:
            return instance if is_matched(instance, self._rows) else None
        domain = self._domain(column)
        known = domain is not None and domain.size <= MOST_VALUES and column.type.kind in KINDS
        return column if known else None

    def _domain(self, column: ColumnRef) -> Domain | None:
        """Return the values of a column that are tried."""
        return self._starts.get(column) or self._declared(column)

    def _declared(self, column: ColumnRef) -> Domain | None:
        instance = next(one for one in self._rows.instances if one.owns(column))
        return self._domains.get(column, instance.table.column(column.name).domain)

    def _is_needed(self, part: _Together) -> bool:
        """Whether the candidates may be fewer than the domains of the keys, or are unknown without."""
        place = part.places[0]
        key, node = self._keys[place], self._values[place].node
        if len(part.places) > 1 or key.domain is None:
            return True
        if isinstance(node, ColumnRef) and self._source(node) == node:  # narrowed by conditions on it alone
            return any(set(columns_in(test)) != {node} for test in part.conditions)
        if self._values[place].domain is None:  # then the key has a range of numbers in place of one
            return True
        is_cut = any(source in self._grains and source in self._domains for source in part.sources)
        return bool(part.conditions) or key.or_null or is_cut

    # --- their combinations ----------------------------------------------------------------------

    def _combinations(self, part: _Together) -> list[Group] | None:
        """Return the combinations of the keys' values; None if there are too many, or they cannot be read."""
        if math.prod(map(self._size, part.sources)) > _MOST_ROWS < self._rows_of(part):
            return None  # that joins on keys make them fewer is asked only of many
        nodes = [self._values[place].node for place in part.places]
        never_null = [self._values[place].node for place in part.places if not self._keys[place].or_null]
        lists: dict[str, list[str | None]] = {}
        query = SelectQuery(
            tuple(SelectItem(build.as_read(_listed_in(part, node)), f"k{i}") for i, node in enumerate(nodes)),
            self._relation(part, lists),
            tuple(_listed_in(part, test) for test in (*part.conditions, *map(build.is_present, never_null))),
            limit=MOST_COMBINATIONS + 1,
            distinct=True,
        )
        found = self._facts.rows(query, lists)
        if found is None or len(found) > MOST_COMBINATIONS:
            return None
        values = [self._values[place] for place in part.places]
        return [tuple(map(_read, group, values)) for group in found]

    def _rows_of(self, part: _Together) -> int:
        """Return the number of rows to try: of each source, unless it is joined on a key to those before."""
        size = 1
        before: set[Source] = set()
        for source in sorted(part.sources, key=self._size):
            if not (isinstance(source, Instance) and self._is_met_on_key(source, before, part)):
                size *= self._size(source)
            before.add(source)
        return size

    def _size(self, source: Source) -> int:
        if isinstance(source, Instance):
            return self._facts.count(source.table)
        domain = self._domain(source)
        return 0 if domain is None else domain.size + 1  # and NULL

    def _is_met_on_key(self, instance: Instance, before: set[Source], part: _Together) -> bool:
        met = set()
        for test in map(ungrouped, part.conditions):
            if isinstance(test, Comparison) and test.symbol == "=":
                for own, other in ((test.left, test.right), (test.right, test.left)):
                    sources = self._sources(other)
                    if isinstance(own, ColumnRef) and instance.owns(own) and sources and sources <= before:
                        met.add(own.name)
        return bool(met) and self._facts.is_unique(instance.table, tuple(sorted(met)))

    def _relation(self, part: _Together, lists: dict[str, list[str | None]]) -> Relation:
        """Return the product of the sources; each table of FROM has its own alias, with the columns read.

        Output: in `lists`, the values of the columns. A column of a row may also be NULL.
        """
        items: list[Relation] = []
        columns = [source for source in part.sources if isinstance(source, ColumnRef)]
        columns.sort(key=lambda column: (column.table, column.name))
        for table, own in groupby(columns, lambda column: column.table):
            pairs = []
            for column in own:
                name, domain = f"{LIST}{len(lists)}", self._domain(column)
                lists[name] = [None, *([] if domain is None else texts(domain))]
                pairs.append((name, column))
            items.append(DerivedTable(_listed(pairs), table))
        tables = [source for source in part.sources if isinstance(source, Instance)]
        items += [TableScan(one.table, one.alias) for one in sorted(tables, key=lambda one: one.alias)]
        return _product(items)


def _read(cell: Value | None, key: Typed) -> Value | None:
    """Return a value of a key as a candidate. Errors: UnsupportedSqlError for one that cannot be one.

    A private row could meet it, so it would have to be carried there and back.
    """
    try:
        return None if cell is None else public_value(cell, key.type)
    except ConversionError:
        pass
    raise refusal(
        f"a public table gives {key.name or 'a key'} a value that cannot be a key",
        "Keys are dates and timestamps of the years 1 to 9999, not infinite ones, and texts without NUL.",
        "Leave such rows out, as in WHERE day <= DATE '9999-12-31', or write CASE for them.",
    )


def _connected(sets: Sequence[frozenset[Source]]) -> list[frozenset[Source]]:
    """Return the unions of sets that overlap, directly or through others."""
    groups: list[frozenset[Source]] = []
    for one in sets:
        near = [group for group in groups if group & one]
        groups = [group for group in groups if not group & one]
        groups.append(one.union(*near))
    return groups


def _listed_in(part: _Together, node: Expression) -> Expression:
    """Return an expression in which fields whose values are listed are columns of that name."""

    def instead(one: Expression) -> Expression | None:
        return replace(one, path=()) if isinstance(one, ColumnRef) and one in part.sources else None

    return rewritten(node, instead)


def _listed(columns: Sequence[tuple[str, ColumnRef]]) -> SelectQuery:
    """Return all combinations of lists, each as the column that it stands for."""
    aliases = [f"g{i}" for i, _ in enumerate(columns)]
    tables = [ReaderTable(name, alias) for alias, (name, _) in zip(aliases, columns, strict=True)]
    items = [
        SelectItem(
            build.converted(ColumnRef(alias, "v", VARCHAR, is_ours=True), column.type),
            column.name,
            is_ours=False,
        )
        for alias, (_, column) in zip(aliases, columns, strict=True)
    ]
    return SelectQuery(tuple(items), _product(tables))


def _product(items: Sequence[Relation]) -> Relation:
    product = items[0]
    for item in items[1:]:
        product = JoinedTables(product, "CROSS JOIN", item)
    return product


def _reads_only(test: Expression, node: Expression) -> bool:
    """Whether a condition reads columns through this expression alone."""
    if has_subquery(test):
        return False
    marker = build.string("")
    return test != (rest := rewritten(test, lambda part: marker if part == node else None)) and not any(
        columns_in(rest)
    )


# --- domains -------------------------------------------------------------------------------------


def _with_values(key: Key, found: set[Value | None]) -> Key:
    """Return the key with these candidates only, in the order of its domain, else sorted."""
    values, or_null = _present(found), None in found
    if key.domain is None:
        return replace(key, domain=_sorted(values), or_null=or_null)
    places = _places(key.domain, values)
    kept = [places[value] for value in values if value in places]
    if len(kept) < len(values):
        return replace(key, domain=_sorted(values), or_null=or_null)
    return replace(key, domain=part_of(key.domain, sorted(kept)), or_null=or_null)


def _present(values: set[Value | None]) -> set[Value]:
    return {value for value in values if value is not None}


def _sorted(values: set[Value]) -> ValuesDomain:
    return ValuesDomain(tuple(sorted(values)))


def _places(domain: Domain, values: set[Value]) -> dict[Value, int]:
    """Return the indices of the values that are in a domain."""
    if isinstance(domain, ValuesDomain):
        return {value: place for place, value in enumerate(domain)}
    offsets = {value: domain.offset(value) for value in values}  # type: ignore[arg-type]
    return {
        value: place
        for value, place in offsets.items()
        if 0 <= place < domain.size and domain.value(place) == value
    }


def _in_order(places: tuple[int, ...], combinations: Sequence[Group], keys: Sequence[Key]) -> JointKeys:
    """Return joint keys in the order of their domains, the last one varying fastest."""
    orders = []
    for number, place in enumerate(places):
        domain = keys[place].domain
        values = _present({group[number] for group in combinations})
        orders.append({} if domain is None else _places(domain, values))

    def order(group: Group) -> tuple[int, ...]:
        pairs = zip(orders, group, strict=True)
        return tuple(len(own) if value is None else own[value] for own, value in pairs)

    return JointKeys(places, tuple(sorted(combinations, key=order)))
