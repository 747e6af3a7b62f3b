"""Which released numbers choose what an answer shows: one flow of data over the queries around a block.

Noise that chooses a row, or one of several values, also moves the number that is shown, so that its interval
must be wider (see `cost.chosen_error`). Each expression carries the released columns that it is computed of,
and so do the columns and the order of each query, however many queries pass them on. What keeps some rows, or
picks a value, by an expression that carries any is a choice: a condition, LIMIT in an order, a key of GROUP
BY, first_value, arg_max. What is not known to choose nothing, chooses.

A choice anywhere counts for the whole statement: a number has the same interval wherever it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from dpduck.compiler import public
from dpduck.compiler.block.question import AggregateQuery
from dpduck.compiler.compile.around import is_whole, item_names, sources
from dpduck.compiler.compile.passed_ends import inner_query
from dpduck.compiler.functions.aggregates import is_aggregate
from dpduck.compiler.parse.dialect import AggregateTerms
from dpduck.compiler.parse.nodes import scalar, unwrap
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.plan.model import Cut

Noise = frozenset[str]  # released columns of which something is computed
_NONE: Noise = frozenset()
_ENDS = ("_low", "_high")
_EVERY_ROW = 1 << 62

# Scalars that pick none of their operands.
_COMPUTE = (
    exp.Abs,
    exp.Alias,
    exp.Binary,
    exp.Cast,
    exp.Ceil,
    exp.Floor,
    exp.Interval,
    exp.Ln,
    exp.Ordered,
    exp.Predicate,
    exp.Round,
    exp.Sqrt,
    exp.Tuple,
    exp.Unary,
)
_PICK_OF_SEVERAL = (exp.Coalesce, exp.Greatest, exp.Least)
# Aggregates of all values alike, in whatever order, and what picks values by their places in an order.
_ADD_UP = (exp.Avg, exp.Count, exp.CountIf, exp.Stddev, exp.StddevPop, exp.StddevSamp, exp.Sum)
_PICK_BY_PLACE = (
    exp.AnyValue,
    exp.ArrayAgg,
    exp.First,
    exp.FirstValue,
    exp.GroupConcat,
    exp.Lag,
    exp.Last,
    exp.LastValue,
    exp.Lead,
    exp.NthValue,
)
_AROUND_CALLS = (exp.Filter, exp.IgnoreNulls, exp.RespectNulls, exp.WithinGroup, AggregateTerms)
_RANK = (exp.CumeDist, exp.DenseRank, exp.Ntile, exp.PercentRank, exp.Rank, exp.RowNumber)


def chosen_rows(query: exp.Expr, block: exp.Select, question: AggregateQuery) -> Cut:
    """Return which numbers of a block choose what a statement shows, other than by the block's own clauses.

    Input: the statement, with its CTEs inlined; a block of it, and what that asks for.
    Output: `places`: at most how many rows of the block are shown, each once; 1 if that is not known.
    """
    flow = _Flow(block, _rows_of_block(question))
    flow.choose(_picked_in_block(block, question))
    flow.rows_of(query, None)
    ranked = [limit for limit in flow.limits if limit.noise]
    found = flow.chosen.union(*(limit.noise for limit in ranked))
    columns = frozenset(one.column for one in question.requests if _reads(one.column, found))
    around = _queries_around(block)
    known = not flow.chosen and all(any(limit.node is one for one in around) for limit in ranked)
    return Cut(columns, _rows_kept(block, around) if known else 1)


# --- what a block passes on ------------------------------------------------------------------------


@dataclass(frozen=True)
class _Rows:
    """What the rows of a query carry: each column by its folded name, any other column, and their order.

    `known`: the columns are all that there are, in their order.
    """

    columns: tuple[tuple[str, Noise], ...] = ()
    other: Noise = _NONE
    order: Noise = _NONE
    known: bool = True

    @property
    def all(self) -> Noise:
        return self.other.union(*(noise for _, noise in self.columns))

    def read(self, name: str) -> Noise | None:
        """Return what a column carries; None if there is none of that name."""
        found = [noise for own, noise in self.columns if own == name]
        return _NONE.union(*found) if found else None if self.known else self.other


def _rows_of_block(question: AggregateQuery) -> _Rows:
    ranked = (one[0] for one in (question.top, question.top_sum, question.above) if one is not None)
    order = frozenset(ranked).union(*(term.value.reads for term in question.order))
    columns = ((fold(item.name), _noisy(item.value.reads, question)) for item in question.items)
    return _Rows(tuple(columns), order=_noisy(order, question))


def _noisy(read: Noise, question: AggregateQuery) -> Noise:
    """Return the released columns that are not keys."""
    asked = [request.column for request in question.requests]
    return frozenset(one for one in read if any(_reads(column, {one}) for column in asked))


def _reads(column: str, noise: Iterable[str]) -> bool:
    """Whether any released column of an aggregate is read: a0, a0_low, ...."""
    return any(one == column or one.startswith(f"{column}_") for one in noise)


def _has_ends(noise: Noise) -> bool:
    return any(one.endswith(_ENDS) for one in noise)


def _picked_in_block(block: exp.Select, question: AggregateQuery) -> Noise:
    """Return what columns of a block read that show an end of an interval if noise picks it."""
    picked = [term.reads for term in question.distinct or ()]
    for item, node in zip(question.items, block.expressions, strict=False):
        if _has_ends(item.value.reads) and not all(map(_computes, _scalars(node))):
            picked.append(item.value.reads)
    return _NONE.union(*picked)


def _scalars(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the parts of an expression that are no leaves, outside of aggregates and ends of intervals."""
    if isinstance(node, exp.Anonymous) and str(node.this).lower().startswith("dp_"):
        return
    if not is_aggregate(node) and any(True for _ in node.iter_expressions()):
        yield node
        for part in node.iter_expressions():
            yield from _scalars(part)


def _computes(node: exp.Expr) -> bool:
    return isinstance(node, (*_COMPUTE, exp.Column, exp.DataType))


# --- where rows are kept ---------------------------------------------------------------------------


def _queries_around(block: exp.Select) -> list[exp.Select]:
    """Return the queries that show rows of a block, each once, from the inside; none unless all do."""
    found, inner = list[exp.Select](), block
    while not is_whole(inner):
        outer = inner.find_ancestor(exp.Select, exp.SetOperation)
        if not isinstance(outer, exp.Select) or inner_query(outer) is not inner:
            return []
        found.append(outer)
        inner = outer
    return found


def _rows_kept(block: exp.Select, around: Sequence[exp.Select]) -> int:
    """Return at most how many rows are shown; 1 where fewer may be that noise chose before."""
    if not around and not is_whole(block):
        return 1
    kept, limited = _EVERY_ROW, _is_limited(block)
    for outer in around:
        filtered = outer.args.get("where") or outer.args.get("qualify")
        repeats = any(item.find(exp.Unnest, exp.Explode) for item in outer.expressions)
        if outer.args.get("offset") or (limited and filtered) or repeats:
            return 1
        limit, _ = public.constant_limit(outer)
        kept = kept if limit is None else min(kept, max(limit, 1))
        limited = limited or limit is not None
    return kept


def _is_limited(select: exp.Select) -> bool:
    return any(select.args.get(clause) for clause in ("limit", "offset", "having", "qualify", "distinct"))


# --- the flow --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Limit:
    """A query with LIMIT or OFFSET, and what the order carries in which these keep rows."""

    node: exp.Expr
    noise: Noise


@dataclass
class _Names:
    """The names of one query: its items of FROM, its aliases, and those of the query around it."""

    sources: list[tuple[str, _Rows]]
    outer: _Names | None
    select: exp.Expr | None = None
    busy: set[str] = field(default_factory=set)  # aliases that are being followed

    @property
    def order(self) -> Noise:
        return _NONE.union(*(rows.order for _, rows in self.sources))

    @property
    def all(self) -> Noise:
        around = _NONE if self.outer is None else self.outer.all
        return around.union(*(rows.all for _, rows in self.sources))

    @property
    def items(self) -> list[exp.Expr]:
        return self.select.expressions if isinstance(self.select, exp.Select) else []


class _Flow:
    """Follows what a block releases through a statement. `chosen`: what picks rows or values there."""

    def __init__(self, block: exp.Select, released: _Rows) -> None:
        self._block, self._released, self._hash = block, released, hash(block)
        self.chosen: Noise = _NONE
        self.limits: list[_Limit] = []
        self._known: dict[int, Noise] = {}  # what expressions carry

    def choose(self, noise: Noise) -> None:
        """Note that rows or values are picked by what carries this."""
        self.chosen |= noise

    # --- queries ---

    def rows_of(self, node: exp.Expr, outer: _Names | None) -> _Rows:
        """Return what the rows of a query carry, or those of an item of FROM."""
        if self._is_block(node):
            return self._released
        if isinstance(node, exp.Select):
            return self._select(node, outer)
        if isinstance(node, exp.SetOperation):
            return self._set_operation(node, outer)
        if isinstance(node, exp.Subquery):
            return self._in_parentheses(node, outer)
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
            self.choose(_NONE if not node.args.get("pivots") else self._parts(node, outer))
            return _Rows(known=False)
        noise = self._parts(node, outer)  # VALUES, unnest, range
        self.choose(noise)
        return _Rows(other=noise, known=False)

    def _is_block(self, node: exp.Expr) -> bool:
        if node is self._block:
            return True
        alike = isinstance(node, exp.Select) and len(node.expressions) == len(self._block.expressions)
        return alike and hash(node) == self._hash and node == self._block

    def _select(self, node: exp.Select, outer: _Names | None) -> _Rows:
        scope = _Names([], outer, node)
        for item in sources(node):
            scope.sources += self._item_of_from(item, scope)
        for join in node.args.get("joins") or ():
            self._join(join, scope)
        for lateral in node.args.get("laterals") or ():
            scope.sources.append((fold(lateral.alias), self.rows_of(lateral, scope)))
        columns = self._columns(node, scope)
        for clause in ("where", "having", "qualify"):
            self.choose(self._of(node.args.get(clause), scope))
        self._group(node.args.get("group"), scope)
        distinct = node.args.get("distinct")
        if distinct is not None:
            self.choose(self._of(distinct.args.get("on"), scope) | columns.all)
        return self._tail(node, columns, scope)

    def _item_of_from(self, item: exp.Expr, scope: _Names) -> Iterator[tuple[str, _Rows]]:
        rows = self.rows_of(item, scope)
        names = [fold(name) for name in item.alias_column_names]
        if names:
            own = rows.columns if rows.known else ()
            renamed = tuple((name, noise) for name, (_, noise) in zip(names, own, strict=False))
            kept = own[len(renamed) :]
            rows = _Rows((*renamed, *kept), rows.all if not own else _NONE, rows.order, bool(own))
        yield fold(item.alias_or_name), rows
        for join in item.args.get("joins") or ():
            yield from self._item_of_from(join.this, scope)
            self._join(join, _Names([*scope.sources, ("", rows), ("", self.rows_of(join.this, scope))], None))

    def _join(self, join: exp.Expr, scope: _Names) -> None:
        self.choose(self._of(join.args.get("on"), scope))
        self.choose(
            _NONE.union(*(self._named(fold(name.name), scope) for name in join.args.get("using") or ()))
        )
        if join.args.get("method"):  # NATURAL, POSITIONAL, ASOF
            self.choose(scope.order | (scope.all if str(join.args["method"]).upper() == "NATURAL" else _NONE))

    def _set_operation(self, node: exp.SetOperation, outer: _Names | None) -> _Rows:
        chain = [node]
        while isinstance(left := chain[-1].this, exp.SetOperation) and not _has_tail(left):
            chain.append(left)
        right = (one.args["expression"] for one in reversed(chain))
        first, *_ = each = [self.rows_of(one, outer) for one in (left, *right)]
        every, order = (
            _NONE.union(*found) for found in zip(*((one.all, one.order) for one in each), strict=True)
        )
        if any(not isinstance(one, exp.Union) or one.args.get("distinct") for one in chain):
            self.choose(every)
        by_place = not any(one.args.get("by_name") for one in chain)
        aligned = all(one.known and len(one.columns) == len(first.columns) for one in each)
        if by_place and aligned:
            places = zip(*(one.columns for one in each), strict=True)
            columns = ((place[0][0], _NONE.union(*(noise for _, noise in place))) for place in places)
            rows = _Rows(tuple(columns), order=order)
        else:
            rows = _Rows(other=every, order=order, known=False)
        return self._tail(node, rows, _Names([("", rows)], outer))

    def _in_parentheses(self, node: exp.Subquery, outer: _Names | None) -> _Rows:
        rows = self.rows_of(node.this, outer)
        if node.args.get("pivots"):
            self.choose(rows.all | rows.order)
            rows = _Rows(other=rows.all, order=rows.order, known=False)
        return self._tail(node, rows, _Names([("", rows)], outer)) if _has_tail(node) else rows

    def _tail(self, node: exp.Expr, rows: _Rows, scope: _Names) -> _Rows:
        """Follow ORDER BY, LIMIT and OFFSET. The order of what is read counts, too: it decides on ties."""
        order = node.args.get("order")
        terms = () if order is None else order.expressions
        noise = scope.order.union(*(self._term(term, rows, scope) for term in terms))
        if node.args.get("limit") or node.args.get("offset"):
            self.limits.append(_Limit(node, noise))
        return _Rows(rows.columns, rows.other, noise, rows.known)

    def _term(self, term: exp.Expr, rows: _Rows, scope: _Names) -> Noise:
        """Return what a term of ORDER BY or GROUP BY carries. A column by its place: any column."""
        value = unwrap(term.this) if isinstance(term, exp.Ordered) else unwrap(term)
        if isinstance(value, exp.Var):  # ALL
            return rows.all
        if isinstance(value, exp.Literal):
            place = scalar(value)
            if isinstance(place, int) and rows.known and 1 <= place <= len(rows.columns):
                return rows.columns[place - 1][1]
            return rows.all
        return self._of(value, scope)

    def _group(self, group: exp.Expr | None, scope: _Names) -> None:
        if group is None:
            return
        keys = [item for item in scope.items if not any(map(is_aggregate, item.walk()))]
        if group.args.get("all"):
            self.choose(_NONE.union(*(self._of(key, scope) for key in keys)))
        for term in group.expressions:
            value = unwrap(term)
            place = scalar(value) if isinstance(value, exp.Literal) else None
            if isinstance(place, int) and 1 <= place <= len(scope.items):
                value = scope.items[place - 1]
            self.choose(self._of(value, scope))

    def _columns(self, node: exp.Select, scope: _Names) -> _Rows:
        """Return what the select list carries."""
        columns, known, other = list[tuple[str, Noise]](), True, _NONE
        for item, name in zip(node.expressions, item_names(node), strict=True):
            value = unwrap(item.unalias())
            star = value.this if isinstance(value, exp.Column) else value
            if isinstance(star, exp.Star):
                table = fold(value.table) if isinstance(value, exp.Column) else ""
                read = [rows for alias, rows in scope.sources if table in ("", alias)]
                columns += self._of_star(star, read, scope)
                known = known and all(rows.known for rows in read)
                other = other.union(*(rows.other for rows in read))
            elif isinstance(value, exp.Columns):
                known, other = False, other | scope.all
                columns += [one for _, rows in scope.sources for one in rows.columns]
            else:
                columns.append((fold(name), self._of(item, scope)))
        return _Rows(tuple(columns), other, known=known)

    def _of_star(self, star: exp.Star, read: list[_Rows], scope: _Names) -> Iterator[tuple[str, Noise]]:
        left_out = {fold(one.name) for one in star.args.get("except_") or ()}
        replaced = {fold(one.alias): self._of(one, scope) for one in star.args.get("replace") or ()}
        renamed = {fold(one.this.name): fold(one.alias) for one in star.args.get("rename") or ()}
        for name, noise in (one for rows in read for one in rows.columns):
            if name not in left_out:
                yield renamed.get(name, name), replaced.get(name, noise)
        yield from replaced.items() if not all(rows.known for rows in read) else ()

    # --- expressions ---

    def _of(self, node: exp.Expr | None, scope: _Names | None) -> Noise:
        """Return what an expression carries, and note what it picks."""
        if node is None or isinstance(node, (exp.Literal, exp.Identifier, exp.DataType)):
            return _NONE
        if id(node) not in self._known:
            self._known[id(node)] = self._read(node, scope)
        return self._known[id(node)]

    def _read(self, node: exp.Expr, scope: _Names | None) -> Noise:
        if isinstance(node, exp.Query):
            return self.rows_of(node, scope).all
        if isinstance(node, exp.Connector):
            return _NONE.union(*(self._of(part, scope) for part in node.flatten()))
        if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
            return self._column(node, scope)
        if isinstance(node, (exp.Star, exp.Columns)) or isinstance(node.this, exp.Star):
            counted = isinstance(node.parent, exp.Count) or isinstance(node, exp.Count)
            return _NONE if counted or scope is None else scope.all
        if isinstance(node, exp.Window):
            return self._window(node, scope)
        if is_aggregate(node):
            return self._aggregate(node, scope)
        noise = self._parts(node, scope)
        if _has_ends(noise) and self._picks(node, scope):
            self.choose(noise)
        return noise

    def _parts(self, node: exp.Expr, scope: _Names | None) -> Noise:
        return _NONE.union(*(self._of(part, scope) for part in node.iter_expressions()))

    def _picks(self, node: exp.Expr, scope: _Names | None) -> bool:
        """Whether a scalar picks one of its operands, or none, by their noise."""
        if isinstance(node, (exp.Case, exp.If)):
            branches = node.args.get("ifs") or [node]
            tests = [node.this if isinstance(node, exp.Case) else None, *(one.this for one in branches)]
            return any(self._of(test, scope) for test in tests)
        if isinstance(node, _PICK_OF_SEVERAL):
            return sum(bool(self._of(part, scope)) for part in node.iter_expressions()) > 1
        return not isinstance(node, _COMPUTE)

    def _aggregate(self, node: exp.Expr, scope: _Names | None) -> Noise:
        values, terms, call = self._call(node, scope)
        if isinstance(call, _ADD_UP):
            self.choose(terms if values else _NONE)
        elif isinstance(call, _PICK_BY_PLACE):
            terms |= _NONE if scope is None else scope.order
            self.choose(terms)
        else:
            self.choose(values | terms)
        return values | terms

    def _window(self, node: exp.Window, scope: _Names | None) -> Noise:
        values, terms, call = self._call(node.this, scope)
        terms = terms.union(
            *(self._of(part, scope) for part in node.iter_expressions() if part is not node.this)
        )
        if node.args.get("alias") is not None and scope is not None and scope.select is not None:
            terms = terms.union(*(self._parts(one, scope) for one in scope.select.args.get("windows") or ()))
        elif node.args.get("order") is None and scope is not None:
            by_place = isinstance(call, (*_PICK_BY_PLACE, *_RANK)) or node.args.get("spec") is not None
            terms |= scope.order if by_place else _NONE
        if isinstance(call, _ADD_UP):
            self.choose(terms if values else _NONE)
        elif isinstance(call, _PICK_BY_PLACE):
            self.choose(terms)
        elif not isinstance(call, _RANK):
            self.choose(values | terms)
        return values | terms

    def _call(self, node: exp.Expr, scope: _Names | None) -> tuple[Noise, Noise, exp.Expr]:
        """Return what the arguments of an aggregate carry, what its FILTER and ORDER BY do, and its call."""
        terms = _NONE
        while isinstance(node, _AROUND_CALLS):
            around = (part for part in node.iter_expressions() if part is not node.this)
            terms = terms.union(*(self._of(part, scope) for part in around))
            node = node.this
        arguments = list(node.iter_expressions())
        for place, one in enumerate(arguments):
            if isinstance(one, exp.Order):
                terms = terms.union(*(self._of(term, scope) for term in one.expressions))
                arguments[place] = one.this
        return _NONE.union(*(self._of(one, scope) for one in arguments)), terms, node

    # --- names ---

    def _column(self, node: exp.Column, scope: _Names | None) -> Noise:
        """Return what a name carries: of a field, its STRUCT; of an unknown name, everything."""
        table, name = fold(node.parts[0].name) if node.table else "", fold(node.name)
        while table and scope is not None:
            found = [rows for alias, rows in scope.sources if alias in (table, fold(node.table))]
            if found:
                return _NONE.union(*(rows.all if (one := rows.read(name)) is None else one for rows in found))
            if scope.outer is None:
                return self._named(table, scope)
            scope = scope.outer
        return _NONE if scope is None else self._named(name, scope)

    def _named(self, name: str, scope: _Names) -> Noise:
        """Return what a name without a table carries: as a column or an alias, in the innermost query."""
        inside: _Names | None = scope
        while inside is not None:
            found = [noise for _, rows in inside.sources if (noise := rows.read(name)) is not None]
            items = [one for one in inside.items if isinstance(one, exp.Alias) and fold(one.alias) == name]
            if items and name not in inside.busy:
                inside.busy.add(name)
                found += [self._of(one, inside) for one in items]
                inside.busy.discard(name)
            if found or items:
                return _NONE.union(*found)
            inside = inside.outer
        return scope.all


def _has_tail(node: exp.Expr) -> bool:
    return any(node.args.get(clause) for clause in ("order", "limit", "offset"))
