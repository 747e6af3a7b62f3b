"""Reads the columns of a private summary: their cells, and which values of a table's columns are in each.

A cell is a value of a column of the summary, or a band of values; NULL is one where it may occur, so that
rows with it are counted like all others. All of it follows from public domains. What a query asks of a column
of the table is answered from cells only if it is the same for all values in a cell (see
`dpduck.summaries.questions`); so they are kept beside it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sqlglot import exp

from dpduck.compiler.block.aggregates import Aggregates
from dpduck.compiler.block.clauses import BlockReader
from dpduck.compiler.block.from_clause import read_rows
from dpduck.compiler.block.inline import inline
from dpduck.compiler.block.key_space import PublicKeys
from dpduck.compiler.block.left_out import partial_key
from dpduck.compiler.block.narrowing import texts
from dpduck.compiler.block.null_keys import may_be_null
from dpduck.compiler.block.privacy_units import Owned, own
from dpduck.compiler.block.unit_local import scope_of
from dpduck.compiler.compile.summary_measures import MeasureColumn, read_measures
from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.validate import ValidSelect
from dpduck.kernel.arrow.strings import text
from dpduck.kernel.catalog.model import Bound, Catalog, Domain, RangeDomain, Table, ticks
from dpduck.kernel.catalog.statements import SummaryColumn
from dpduck.kernel.catalog.types import ConversionError, Value, convert, parse_type, public_value
from dpduck.kernel.errors import DpduckError, PolicyError
from dpduck.kernel.errors.advice import DeclareDomain, Hint
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.keys import Key
from dpduck.kernel.plan.public_facts import PublicValues
from dpduck.kernel.tree import build
from dpduck.kernel.tree.emit import LIST
from dpduck.kernel.tree.nodes import VARCHAR, ColumnRef, Comparison, Expression
from dpduck.kernel.tree.relations import JoinedTables, ReaderTable, SelectQuery
from dpduck.kernel.tree.walk import columns_in, has_subquery, rewritten

MOST_VALUES = 100_000  # of a column of the table, for each of which its cell is known
_INDEX = parse_type("BIGINT")
_ORDERED = ("integer", "decimal", "float", "date", "timestamp")


@dataclass(frozen=True)
class SourceValues:
    """A column of the table that a column of the summary is made of.

    `column`: in score SQL; `listed`: its values as text, None for NULL; `cells`: the cell of each, -1: none.
    """

    column: ColumnRef
    listed: tuple[str | None, ...]
    cells: tuple[int, ...]


@dataclass(frozen=True)
class CellColumn:
    """A column of a summary.

    `key`: its cells as score SQL has them, in the order of their numbers; `value`: in score SQL; `asked`: the
    expression that a query may ask for by itself, whose values are the cells; None if these are bands.
    `labels`: what people call each cell. `within`: the domain that rows must be in, where the key does not
    say it. `made_of`: None if the cells are known by the expression alone. `may_leave_out`: rows may have
    values outside of the domain, and are then not counted.
    """

    name: str
    key: Key
    value: Typed
    labels: tuple[str, ...]
    asked: Expression | None = None
    within: tuple[Key, Typed] | None = None
    made_of: SourceValues | None = None
    may_leave_out: bool = False

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.labels)

    @property
    def texts(self) -> tuple[str | None, ...]:
        """The values of the cells as text that casts back to them."""
        return _texts(self.key)


@dataclass(frozen=True)
class SummaryRows:
    """The rows that a summary counts, its columns, and the numbers of rows that it adds up."""

    owned: Owned
    columns: tuple[CellColumn, ...]
    measures: tuple[MeasureColumn, ...] = ()

    @property
    def left_out(self) -> str:
        """The columns of which rows may have values outside of the domain, by name; mostly none."""
        names = [column.name for column in self.columns if column.may_leave_out]
        return " or ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of cells of each column."""
        return tuple(column.size for column in self.columns)


def read_summary(
    select: ValidSelect,
    columns: Sequence[SummaryColumn],
    measures: Sequence[str],
    catalog: Catalog,
    facts: PublicValues,
) -> SummaryRows:
    """Read the columns and measures of a summary. Nothing private is read.

    Input: SELECT of the columns, in this order, count(*), and sum(x), avg(x) of each measure, FROM the table
        GROUP BY ALL.
    Errors: UnsupportedSqlError, UnknownNameError, PolicyError.
    """
    query = inline(select.expression, catalog)
    assert isinstance(query, exp.Select)
    scope = scope_of(catalog, facts)
    rows = read_rows(query, scope)
    owned = own(rows, catalog, scope.aliases, facts, query, released=True)
    public_keys = PublicKeys(owned, facts)
    aggregates = Aggregates(owned, owned.rows_bound, facts)
    reader = BlockReader(query, owned, aggregates, public_keys)
    found: list[CellColumn] = []
    for column, node in zip(columns, query.expressions, strict=False):
        if node.find(exp.Column) is None:
            raise _constant(column, node)
        place = reader.add_key(node.this if isinstance(node, exp.Alias) else node)
        if place < len(found):
            raise refusal(
                f"the summary has {column.sql} twice", "Both have the same cells.", "Leave one out.", node
            )
        key, value = reader.keys[place]
        found.append(_read(column, key, value, public_keys, owned, facts, node))
    calls = [node.this if isinstance(node, exp.Alias) else node for node in query.expressions]
    return SummaryRows(
        owned, tuple(found), read_measures(measures, calls[len(columns) + 1 :], aggregates, owned)
    )


def _read(
    column: SummaryColumn,
    key: Key,
    value: Typed,
    public_keys: PublicKeys,
    owned: Owned,
    facts: PublicValues,
    node: exp.Expr,
) -> CellColumn:
    if has_subquery(value.node):
        raise refusal(
            "a column of a summary has no subquery", "Its cells are public.", "Write a column, or CASE.", node
        )
    key = public_keys.space([(key, value)]).keys[0]
    if key.domain is None:
        raise _no_domain(column, value, owned)
    if key.domain.size > MOST_VALUES and not column.bands:
        raise refusal(
            f"column {column.name} of a summary has {key.domain.size:,} values",
            "Each would be a cell, and noise would be all that is in most.",
            f"Write {column.sql} BANDS (value, ...), or a coarser expression.",
            node,
        )
    partial = partial_key(key, value, owned)
    has_null = key.or_null or (partial is not None and partial.nulls)
    key = replace(key, name=column.name, or_null=has_null, declared_null=has_null)
    leaves_out = partial is not None and partial.others
    if column.bands:
        return replace(_banded(column, key, value, node), may_leave_out=leaves_out)
    labels = tuple(_label(one) for one in cells_of(key))
    made_of = _made_of(key, value, owned, facts)
    return CellColumn(column.name, key, value, labels, value.node, None, made_of, leaves_out)


# --- values of the table's columns, and their cells ----------------------------------------------


def _made_of(key: Key, value: Typed, owned: Owned, facts: PublicValues) -> SourceValues | None:
    """The one column of the table of which an expression is made, if its values are public and not many."""
    columns = list(dict.fromkeys(columns_in(value.node)))
    if len(columns) != 1:
        return None
    [column] = columns
    if column == value.node:
        listed = _texts(key)
        return SourceValues(column, listed, tuple(range(len(listed))))
    source = _declared(column, owned)
    if source is None or source[0].size > MOST_VALUES:
        return None
    values: list[str | None] = texts(source[0])
    values += [None] if source[1] else []
    made = values_of(value.node, [(column, values)], facts)
    if made is None:
        return None
    known = {cell: number for number, cell in enumerate(cells_of(key))}
    sql_type = value.type
    cells = (known.get(as_cell(one, sql_type.name), -1) for (_, one) in made)
    return SourceValues(column, tuple(values), tuple(cells))


def _declared(column: ColumnRef, owned: Owned) -> tuple[Domain, bool] | None:
    """The domain of a column of the table, and whether NULL is beside it."""
    for instance in owned.rows.instances:
        if instance.owns(column):
            found = instance.table.part(column.name)
            if found is not None and found.domain is not None:
                return found.domain, found.or_null or may_be_null(column, owned.rows)
    return None


def values_of(
    node: Expression, lists: Sequence[tuple[Expression, Sequence[str | None]]], facts: PublicValues
) -> list[tuple[int, Value | None]] | None:
    """An expression for all combinations of values of what it reads, the last varying fastest.

    Input: parts of the expression, each with its values as text. Output: pairs of the number of a combination
    and the value, ascending; None if it reads anything else, or cannot be computed.
    """
    aliases = [f"g{place}" for place, _ in enumerate(lists)]
    columns = {
        part: build.converted(ColumnRef(alias, "v", VARCHAR, is_ours=True), part.type)
        for alias, (part, _) in zip(aliases, lists, strict=True)
    }
    put = rewritten(node, columns.get)
    ours = set(aliases)
    if has_subquery(put) or any(column.table not in ours for column in columns_in(put)):
        return None
    names = [f"{LIST}{place}" for place, _ in enumerate(lists)]
    number: Expression = ColumnRef(aliases[0], "i", _INDEX, is_ours=True)
    for alias, (_, values) in zip(aliases[1:], lists[1:], strict=True):
        size = build.literal(len(values), _INDEX)
        own = ColumnRef(alias, "i", _INDEX, is_ours=True)
        number = build.call("+", _INDEX, build.call("*", _INDEX, number, size), own)
    source = _product([ReaderTable(name, alias) for name, alias in zip(names, aliases, strict=True)])
    query = SelectQuery((number, build.as_read(put)), source)
    found = facts.rows(query, {name: list(values) for name, (_, values) in zip(names, lists, strict=True)})
    return None if found is None else sorted(((row[0], row[1]) for row in found), key=lambda row: row[0])


def _product(tables: Sequence[ReaderTable]) -> ReaderTable | JoinedTables:
    product: ReaderTable | JoinedTables = tables[0]
    for table in tables[1:]:
        product = JoinedTables(product, "CROSS JOIN", table)
    return product


def as_cell(value: Value | None, sql_type: str) -> Value | None:
    """A value that was computed, in the form in which domains have it; of no domain if it has none."""
    try:
        return None if value is None else public_value(value, parse_type(sql_type))
    except ConversionError:
        return _OUTSIDE


_OUTSIDE = "\0"  # no value of a domain


def cells_of(key: Key) -> list[Value | None]:
    """The cells of a key, in order."""
    domain = key.domain
    if isinstance(domain, RangeDomain):
        values: list[Value | None] = [domain.value(number) for number in range(domain.size)]
    else:
        values = list(domain or ())
    return [*values, None] if key.or_null else values


def _label(cell: Value | None) -> str:
    if cell is None:
        return "NULL"
    return str(cell).lower() if isinstance(cell, bool) else str(text(cell))


def _texts(key: Key) -> tuple[str | None, ...]:
    return tuple(None if one is None else text(one) for one in cells_of(key))


# --- bands ---------------------------------------------------------------------------------------


def _banded(column: SummaryColumn, key: Key, value: Typed, node: exp.Expr) -> CellColumn:
    domain = key.domain
    if not isinstance(value.node, ColumnRef) or value.type.kind not in _ORDERED or domain is None:
        raise refusal(
            f"BANDS are of a column of numbers or times, and {column.sql} is none",
            "A band is all values from its first one up to the next band.",
            f"Write CASE WHEN ... END AS {column.name}.",
            node,
        )
    firsts = _firsts(column, value, domain, node)
    number = build.literal(len(firsts), _INDEX)
    pairs = [
        (Comparison("<", value.node, build.compared(first, value.type)), build.literal(place, _INDEX))
        for place, first in enumerate(firsts)
    ]
    null = [(build.is_null(value.node), build.null(_INDEX))] if key.or_null else []
    index = build.choice(*null, *pairs, otherwise=number, of=_INDEX)
    cells = RangeDomain(0, len(firsts), 1)
    own = Key(key.name, _INDEX.name, cells, cells, key.or_null, key.or_null)
    return CellColumn(
        column.name,
        own,
        Typed.of(index, cells),
        _labels(firsts, or_null=key.or_null),
        within=(key, value),
        made_of=_bands_of(key, value, domain, firsts),
    )


def _firsts(column: SummaryColumn, value: Typed, domain: Domain, node: exp.Expr) -> list[Bound]:
    """The first value of each band but the lowest. Errors: UnsupportedSqlError."""
    try:
        firsts = [convert(one, value.type) for one in column.bands]
    except ConversionError as error:
        raise refusal(
            f"a first value of BANDS is no {value.type.name}", f"{error}.", "Write a constant.", node
        ) from None
    numbers = [ticks(one) for one in firsts]  # type: ignore[arg-type]
    low, high = _ends(domain)
    rising = all(before < after for before, after in pairwise(numbers))
    if not rising or not all(ticks(low) < one <= ticks(high) for one in numbers):
        raise refusal(
            f"the BANDS of {column.name} do not divide its domain",
            f"Each begins above the one before, within {text(low)} to {text(high)}; below the first and from "
            "the last on are bands, too.",
            f"Write {column.sql} BANDS (18, 30, 65).",
            node,
        )
    return firsts  # type: ignore[return-value]


def _ends(domain: Domain) -> tuple[Bound, Bound]:
    if isinstance(domain, RangeDomain):
        return domain.low, domain.high
    values = sorted(domain.values, key=ticks)  # type: ignore[arg-type]
    return values[0], values[-1]  # type: ignore[return-value]


def _bands_of(key: Key, value: Typed, domain: Domain, firsts: Sequence[Bound]) -> SourceValues | None:
    assert isinstance(value.node, ColumnRef)
    if domain.size > MOST_VALUES:
        return None
    edges = [ticks(first) for first in firsts]
    cells = [
        len(firsts) + 1 if one is None else bisect_right(edges, ticks(one))  # type: ignore[arg-type]
        for one in cells_of(key)
    ]
    return SourceValues(value.node, _texts(key), tuple(cells))


def _labels(firsts: Sequence[Bound], *, or_null: bool) -> tuple[str, ...]:
    shown = [str(text(first)) for first in firsts]
    inner = [f"{one} to below {other}" for one, other in pairwise(shown)]
    labels = [f"below {shown[0]}", *inner, f"from {shown[-1]}"]
    return (*labels, "NULL") if or_null else tuple(labels)


# --- refusals ------------------------------------------------------------------------------------


def _constant(column: SummaryColumn, node: exp.Expr) -> DpduckError:
    return refusal(
        f"the column {column.name} of a summary is a constant", "It has one cell.", "Leave it out.", node
    )


def _no_domain(column: SummaryColumn, value: Typed, owned: Owned) -> DpduckError:
    name = value.name or column.sql
    table: Table = owned.rows.instances[0].table
    hint: Hint | str = "Declare the domains of the columns that it reads."
    if value.column is not None:
        hint = Hint.of(DeclareDomain(table.name, value.column[1], ("a", "b")), ".")
    return PolicyError(
        f"{name} has no public domain",
        detail="Cells of a summary are public; values taken from private rows would reveal who is present.",
        hint=hint,
    )
