"""Derived tables: subqueries that are computed for each privacy unit apart.

Theorem. Let f be a function of the rows of one unit, and let a derived table have, for each unit, the rows
that f makes of that unit's rows. Then removing a unit from the database removes exactly its own rows from the
derived table. So a derived table is a private table whose key is the unit, and all that is proved of private
tables holds for it (see `privacy_units`).

Proof. The rows of a block have one unit each, and those of a unit are a function of that unit's rows and of
public tables alone. Every SELECT that is written here groups by the unit, or partitions its windows by it, or
keeps it in DISTINCT: so each of its results is computed of rows of one unit, by functions that depend on
these rows as a set (see `unit_aggregates`; windows that number rows order them by all columns that are read).

The unit is added to GROUP BY, PARTITION BY and DISTINCT whatever the query says, so that the theorem rests
on what is written here. A query whose own GROUP BY means something else, as it does not determine the unit,
is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlglot import exp

from dpduck.compiler.block import semi_joins
from dpduck.compiler.block.derived_tables import ComputedRows, DerivedTableWriter
from dpduck.compiler.block.from_clause import columns_of, flattened, read_rows
from dpduck.compiler.block.privacy_units import own
from dpduck.compiler.block.rows import Aliases, Scope, SourceRows
from dpduck.compiler.block.unit_aggregates import unit_aggregate
from dpduck.compiler.block.unit_windows import depends_on_ties, unit_window
from dpduck.compiler.block.unnest import spread, unnested
from dpduck.compiler.functions.aggregates import is_aggregate
from dpduck.compiler.functions.expressions import conditions, expression
from dpduck.compiler.parse.nodes import refusal, scalar, unwrap
from dpduck.kernel.catalog.model import Catalog, fold
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.public_facts import PublicValues
from dpduck.kernel.tree.nodes import Expression

_READ = ("expressions", "having", "qualify")  # the clauses that read groups and windows
_NOT_APART = {"limit": "LIMIT", "offset": "OFFSET", "sample": "USING SAMPLE"}


def scope_of(catalog: Catalog, facts: PublicValues) -> Scope:
    """Return the scope of a block, in which subqueries may be derived."""
    return Scope(
        catalog, Aliases.of(catalog), facts, derive, materialize, semi_joins.value_of, unnested, spread
    )


def is_unit_local(select: exp.Select, scope: Scope) -> bool:
    """Whether a subquery that aggregates or deduplicates private rows does so for each unit apart."""
    try:
        select = spread(select)
        rows = read_rows(select, scope)
        owned = own(rows, scope.catalog, scope.aliases, scope.facts, select)
        prepared = _prepared(select, owned.rows)
        if _groups(prepared):
            values = [value for _, value in _keys(prepared, owned.rows)]
        else:
            values = [column.value for column in flattened(select, rows).columns]
    except DpduckError:
        return False  # what is wrong with it is said where it is read
    return owned.determine_unit(value.node for value in values)


def derive(select: exp.Select, scope: Scope) -> SourceRows:
    """Read a subquery that groups, numbers or deduplicates the rows of each unit.

    Errors: UnsupportedSqlError, UnknownNameError, PolicyError.
    """
    rows = read_rows(select, scope)
    _check_clauses(select, rows)
    select = _prepared(select, rows)
    stage: SourceRows = rows
    if _groups(select):
        stage = _grouped(select, stage, scope)
    if select.args.get("having") is not None:
        stage = stage.where(*conditions(select.args["having"].this, stage))
    if any(_windows(select)):
        stage = _windowed(select, stage, scope)
    if select.args.get("qualify") is not None:
        stage = stage.where(*conditions(select.args["qualify"].this, stage))
    stage = flattened(select, stage)
    return _distinct(select, stage, scope) if select.args.get("distinct") is not None else stage


def materialize(rows: SourceRows, scope: Scope, node: exp.Expr) -> SourceRows:
    """Return rows as one derived table with the same columns."""
    table = DerivedTableWriter.over(rows, scope, node)
    return table.with_columns(rows.columns)


def _check_clauses(select: exp.Select, rows: SourceRows) -> None:
    if not any(one.table.private for one in rows.instances):
        raise refusal(
            "a subquery that aggregates public rows is not supported beside private rows",
            "Only public tables themselves are joined.",
            "Ask for it apart, or store its answer in a public table.",
            select,
        )
    for word, name in _NOT_APART.items():
        if select.args.get(word) is not None:
            raise refusal(
                f"{name} inside FROM is not supported here",
                "One person's rows could then decide which rows of others are kept.",
                "Filter with WHERE inside, and sort, limit or group outside. The first rows of each person: "
                "QUALIFY row_number() OVER (PARTITION BY person ORDER BY ts) <= 3.",
                select,
            )
    distinct, group = select.args.get("distinct"), select.args.get("group")
    if distinct is not None and distinct.args.get("on") is not None:
        raise _not_computed("DISTINCT ON", select)
    for name, value in group.args.items() if group is not None else ():
        if value and name not in ("expressions", "all"):
            raise _not_computed(name.upper().replace("_", " "), select)


def _not_computed(clause: str, select: exp.Select) -> DpduckError:
    return refusal(
        f"{clause} inside FROM is not supported here",
        "Only GROUP BY, HAVING, DISTINCT, window functions and QUALIFY are computed for each person apart.",
        "Write GROUP BY with the person among its keys, or QUALIFY row_number() OVER (...) = 1.",
        select,
    )


# --- names ---------------------------------------------------------------------------------------


def _prepared(select: exp.Select, rows: SourceRows) -> exp.Select:
    """Return a copy in which `*`, aliases of the select list and names of windows are written out."""
    select = select.copy()
    _name_windows(select)
    _expand_stars(select, rows)
    aliases = {fold(item.alias): item.this for item in select.expressions if isinstance(item, exp.Alias)}
    for clause in (*_READ, "group"):
        for part in _parts(select, clause):
            _expand_aliases(part, aliases, rows, frozenset())
    return select


def _names(node: exp.Expr) -> Iterator[exp.Column]:
    """Yield the columns in an expression, outside of subqueries, whose names are their own."""
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, exp.Column):
            yield part
        elif not isinstance(part, exp.Query):
            stack += part.iter_expressions()


def _parts(select: exp.Select, clause: str) -> list[exp.Expr]:
    found = select.args.get(clause)
    return list(found) if isinstance(found, list) else [] if found is None else [found]


def _name_windows(select: exp.Select) -> None:
    defined = {fold(window.name): window for window in select.args.get("windows") or ()}
    for window in select.find_all(exp.Window):
        alias = window.args.get("alias")
        known = None if alias is None else defined.get(fold(alias.name))
        if known is not None and window is not known:
            for name in ("partition_by", "order", "spec"):
                value = known.args.get(name)
                copied = (
                    [part.copy() for part in value] if isinstance(value, list) else value and value.copy()
                )
                window.set(name, copied or window.args.get(name))
            window.set("alias", None)


def _expand_stars(select: exp.Select, rows: SourceRows) -> None:
    items: list[exp.Expr] = []
    for item in select.expressions:
        star = item if isinstance(item, exp.Star) else item.this if isinstance(item, exp.Column) else None
        if not isinstance(star, exp.Star):
            items.append(item)
            continue
        meant = [id(column.value) for column in columns_of(item, rows)]
        known = [column for column in rows.columns if id(column.value) in meant]
        items += [exp.column(column.name, column.qualifier, quoted=True) for column in known]
    select.set("expressions", items)


def _expand_aliases(
    node: exp.Expr, aliases: dict[str, exp.Expr], rows: SourceRows, used: frozenset[str]
) -> None:
    """Replace names that are no columns of FROM by the items that they are aliases of."""
    for column in list(_names(node)):
        name = fold(column.name)
        if column.table or isinstance(column.this, exp.Star) or rows.known(column):
            continue
        if name in aliases and name not in used:
            written = exp.Paren(this=aliases[name].copy())
            column.replace(written)
            _expand_aliases(written, aliases, rows, used | {name})


# --- GROUP BY ------------------------------------------------------------------------------------


def _groups(select: exp.Select) -> bool:
    return bool(select.args.get("group") or select.args.get("having")) or any(_aggregates(select))


def _keys(select: exp.Select, rows: SourceRows) -> list[tuple[exp.Expr, Typed]]:
    """Return the terms of GROUP BY with their values."""
    group = select.args.get("group")
    items = [unwrap(item.unalias()) for item in select.expressions]
    if group is None:
        nodes = []
    elif group.args.get("all") and not group.expressions:
        nodes = [item for item in items if not any(_aggregates_in([item]))]
    else:
        nodes = [_term(unwrap(node), items) for node in group.expressions]
    return [(node, expression(node, rows)) for node in nodes]


def _term(node: exp.Expr, items: list[exp.Expr]) -> exp.Expr:
    """Return what a term of GROUP BY denotes: GROUP BY 1 is the first item."""
    number = scalar(node) if isinstance(node, exp.Literal) and not node.is_string else None
    return items[number - 1] if isinstance(number, int) and 1 <= number <= len(items) else node


def _grouped(select: exp.Select, rows: SourceRows, scope: Scope) -> ComputedRows:
    table = DerivedTableWriter.over(rows, scope, select)
    keys = _keys(select, table.rows)
    if not table.owned.determine_unit(value.node for _, value in keys):
        raise refusal(
            "this subquery groups the rows of different people",
            "One person's rows could then decide which rows of others are kept, or what is computed of them.",
            f"Add {table.unit_name} to its GROUP BY, or aggregate outside.",
            select.args.get("group") or select,
        )
    known = {value.node: table.place(value, node) for node, value in keys}
    for node in list(_aggregates(select)):
        table.put(node, table.place(unit_aggregate(node, table.known, table.limit)))
    written = {node: known[value.node] for node, value in keys}
    for clause in _READ:
        for part in _parts(select, clause):
            _put_keys(part, written, known, table)
    return table.grouped_by(value for _, value in keys)


def _put_keys(
    node: exp.Expr, written: dict[exp.Expr, Typed], known: dict[Expression, Typed], table: DerivedTableWriter
) -> None:
    """Replace the keys in a clause by columns of the derived table. Errors: UnsupportedSqlError else."""
    if table.is_put(node) or isinstance(node, exp.Query):
        return
    if node in written and not isinstance(node, exp.Literal):
        table.put(node, written[node])
    elif isinstance(node, exp.Column):
        value = known.get(table.rows.resolve(node).node)
        if value is None:
            raise refusal(
                f"column {node.name} is neither grouped nor aggregated",
                "Each column of a group is made of its keys and of aggregates.",
                "Add it to GROUP BY, or write min(x), max(x) or arg_min(x, ts).",
                node,
            )
        table.put(node, value)
    else:
        for part in list(node.iter_expressions()):
            _put_keys(part, written, known, table)


def _aggregates(select: exp.Select) -> Iterator[exp.Expr]:
    """Yield the aggregates of groups."""
    return _aggregates_in([part for clause in _READ for part in _parts(select, clause)])


def _aggregates_in(stack: list[exp.Expr]) -> Iterator[exp.Expr]:
    """Yield aggregates outside of subqueries: not the functions of windows, but those in their arguments."""
    while stack:
        node = stack.pop()
        if isinstance(node, exp.Window):
            stack += [*_arguments(node.this), *_around(node)]
        elif is_aggregate(node):
            yield node
        elif not isinstance(node, exp.Query):
            stack += node.iter_expressions()


def _arguments(function: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the arguments of the function of a window, and the condition of its FILTER."""
    for part in function.iter_expressions():
        if part is function.this and isinstance(function, (exp.Filter, exp.IgnoreNulls)):
            yield from _arguments(part)
        else:
            yield part


def _around(window: exp.Window) -> Iterable[exp.Expr]:
    """Yield the parts of a window besides its function."""
    return (part for part in window.iter_expressions() if part is not window.this)


# --- windows -------------------------------------------------------------------------------------


def _windows(select: exp.Select) -> Iterator[exp.Window]:
    for clause in ("expressions", "qualify"):
        for part in _parts(select, clause):
            yield from part.find_all(exp.Window)


def _windowed(select: exp.Select, rows: SourceRows, scope: Scope) -> ComputedRows:
    """Compute window functions in a derived table that has all columns that the query reads.

    Rows that are equal in all of these are told apart by their number, if several functions depend on it:
    each by itself may take such rows in any order, but not each in another one.
    """
    windows = list(_windows(select))
    for window in windows:
        if window.find_ancestor(exp.Window) is not None:
            raise refusal(
                "a window function inside another is not supported",
                "Its rows are not there yet.",
                "Compute it in a subquery.",
                window,
            )
    table = DerivedTableWriter.over(rows, scope, select)
    if sum(map(depends_on_ties, windows)) > 1:
        _carry(select, table)
        rows = table.numbered()
        table = DerivedTableWriter.over(rows, scope, select)
    read = list(_columns(select))
    ties = list(dict.fromkeys(table.sortable(table.rows.resolve(column)) for column in read))
    if isinstance(rows, ComputedRows) and rows.number is not None:
        ties.append(rows.number)
    for window in windows:
        partition = _partition(window, table)
        value = unit_window(window, table.known, table.limit, [value.node for value in partition], ties)
        if isinstance(window.this, exp.RowNumber):
            for one in partition:
                table.place(one)
            table.place(value)
            table.add_key([*(one.node for one in partition), value.node])
        table.put(window, table.place(value))
    _carry(select, table)
    return table.computed()


def _carry(select: exp.Select, table: DerivedTableWriter) -> None:
    """Put the columns that the query reads into the derived table."""
    for column in list(_columns(select)):
        if not table.is_put(column):
            table.put(column, table.place(table.rows.resolve(column), column))


def _columns(select: exp.Select) -> Iterator[exp.Column]:
    """Yield the columns of the clauses that read windows."""
    for clause in ("expressions", "qualify"):
        for part in _parts(select, clause):
            yield from _names(part)


def _partition(window: exp.Window, table: DerivedTableWriter) -> list[Typed]:
    values = [expression(unwrap(node), table.rows) for node in window.args.get("partition_by") or ()]
    if not table.owned.determine_unit(value.node for value in values):
        raise refusal(
            "this window function goes over the rows of different people",
            "Removing a person could change the rows of others.",
            f"Write OVER (PARTITION BY {table.unit_name} ...), or aggregate first: "
            "SELECT page, rank() OVER (ORDER BY count(*) DESC) FROM visits GROUP BY page.",
            window,
        )
    unit = table.owned.unit
    return [Typed.of(unit), *(value for value in values if value.node != unit)]


# --- DISTINCT ------------------------------------------------------------------------------------


def _distinct(select: exp.Select, rows: SourceRows, scope: Scope) -> SourceRows:
    table = DerivedTableWriter.over(rows, scope, select)
    if not table.owned.determine_unit(column.value.node for column in rows.columns):
        raise refusal(
            "this DISTINCT goes over the rows of different people",
            "One person's rows could then decide which rows of others are kept.",
            f"Add {table.unit_name} to it, or use GROUP BY outside.",
            select,
        )
    return table.with_columns(rows.columns, distinct=True)
