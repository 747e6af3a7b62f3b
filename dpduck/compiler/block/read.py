"""Reads the tree of a block over private rows into an aggregate query."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from sqlglot import exp

from dpduck.compiler import public
from dpduck.compiler.block import top_k_clauses
from dpduck.compiler.block.aggregates import Aggregates
from dpduck.compiler.block.clauses import BlockReader, no_listing, of_item
from dpduck.compiler.block.key_space import PublicKeys
from dpduck.compiler.block.privacy_units import Owned
from dpduck.compiler.block.question import AggregateQuery, Item, released
from dpduck.compiler.functions.aggregates import is_aggregate
from dpduck.compiler.functions.expressions import condition
from dpduck.compiler.parse.nodes import is_literal, refusal, scalar, unwrap
from dpduck.compiler.write import column_names
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.plan.aggregates import Count
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.keys import Key, KeySpace, key_column
from dpduck.kernel.plan.model import RANK
from dpduck.kernel.tree import emit
from dpduck.kernel.tree.answer import AnswerExpression
from dpduck.kernel.tree.nodes import Expression

_CONSTANT = (exp.Literal, exp.Neg, exp.Paren, exp.Cast, exp.DataType, exp.DataTypeParam)


def read_question(
    select: exp.Select,
    owned: Owned,
    aggregates: Aggregates,
    public_keys: PublicKeys,
    outer_top: tuple[str, int] | None = None,
    beside: Callable[[exp.Query], str] | None = None,
) -> AggregateQuery:
    """Read a block.

    Input: `outer_top`: the column by which an outer query sorts, and the number of rows that it keeps;
        `beside`: the translation of subqueries in expressions, which read what is public or released.
    Errors: UnsupportedSqlError, UnknownNameError, PolicyError.
    """
    reader = BlockReader(select, owned, aggregates, public_keys, beside)
    special = _listed(select, reader)
    if special is not None:
        return special
    reader.read_keys()
    if not reader.sets and owned.has_one_row_in(reader.keys):
        aggregates.rows_bound = None  # constraints say more than the policy
    items = reader.read_items()
    having = _clause(select, "having", reader)
    qualify_top = None if reader.sets else top_k_clauses.qualify_top(select, reader)
    uncounted = set(reader.used)
    qualify = _clause(select, "qualify", reader)
    order = reader.read_order()
    limit, offset = public.constant_limit(select)
    grouped = select.args.get("group") is not None or bool(reader.keys)
    top = above = top_sum = None
    if grouped and not reader.sets:  # a total is of all groups
        top = (
            top_k_clauses.top(reader, order, limit, offset)
            or qualify_top
            or top_k_clauses.outer(reader, items, outer_top)
        )
        above = top_k_clauses.above(select, reader)
        if having is None and qualify is None and top is None:
            top_sum = top_k_clauses.top_sum(reader, order, limit, offset)
    if not reader.requests and not grouped:
        raise no_listing(select)
    _record_casts(select, reader)
    space = public_keys.space(reader.keys)
    top_by_qualify = qualify_top is not None and top == qualify_top
    shown = uncounted if top_by_qualify else uncounted | _used(qualify, reader)
    return AggregateQuery(
        owned,
        _in_space(reader, space),
        tuple(reader.requests),
        frozenset(shown),
        tuple(items),
        grouped,
        having,
        qualify,
        tuple(order),
        limit,
        offset,
        _distinct(select, reader),
        top,
        above,
        tuple(dict.fromkeys(reader.constants)),
        space.joint,
        tuple(_key_conditions(select, reader)),
        sets=tuple(reader.sets),
        top_sum=top_sum,
        top_by_qualify=top_by_qualify,
    )


def _record_casts(select: exp.Select, reader: BlockReader) -> None:
    """Record casts of constants beside private rows, where DuckDB would fail and a row has NULL."""
    for node in select.find_all(exp.Cast):
        if type(node) is exp.Cast and all(type(part) in _CONSTANT for part in node.this.walk()):
            with suppress(DpduckError):  # of a type that public SQL has another rule for
                public.public_expression(node, reader)


def _in_space(reader: BlockReader, space: KeySpace) -> tuple[tuple[Key, Typed], ...]:
    """Return the keys with the domains of the candidates."""
    return tuple((key, value) for key, (_, value) in zip(space.keys, reader.keys, strict=True))


def _distinct(select: exp.Select, reader: BlockReader) -> tuple[AnswerExpression, ...] | None:
    """Return the terms of DISTINCT ON (...), none for plain DISTINCT; None without DISTINCT."""
    distinct = select.args.get("distinct")
    if distinct is None:
        return None
    on = distinct.args.get("on")
    if on is None:
        return ()
    return tuple(public.public_expression(node, reader) for node in on.expressions)


def _used(value: AnswerExpression | None, reader: BlockReader) -> set[str]:
    return set() if value is None else {r.column for r in reader.requests if r.column in value.reads}


def _clause(select: exp.Select, name: str, reader: BlockReader) -> AnswerExpression | None:
    clause = select.args.get(name)
    return None if clause is None else public.public_expression(clause.this, reader)


def _key_conditions(select: exp.Select, reader: BlockReader) -> Iterator[Expression]:
    """Yield the conditions of HAVING and QUALIFY that read no aggregate, as conditions on the rows."""
    for clause in (select.args.get("having"), select.args.get("qualify")):
        stack = [] if clause is None else [clause.this]
        while stack:
            node = unwrap(stack.pop())
            if isinstance(node, (exp.And, exp.Or, exp.Not)):
                stack += node.iter_expressions()
            elif not any(is_aggregate(part) or isinstance(part, exp.Window) for part in node.walk()):
                with suppress(DpduckError):  # it names an alias
                    yield condition(node, reader.rows)


# --- lists of groups as one value ----------------------------------------------------------------


def _listed(select: exp.Select, reader: BlockReader) -> AggregateQuery | None:
    """Read SELECT approx_top_k(x, 10) or SELECT histogram(x): groups returned as one list or map."""
    if len(select.expressions) != 1:
        return None
    node = of_item(select.expressions[0])
    histogram = isinstance(node, exp.Anonymous) and str(node.this).lower() == "histogram"
    if not histogram and not isinstance(node, exp.ApproxTopK):
        return None
    for clause in ("group", "having", "qualify", "order", "distinct", "limit", "offset"):
        if select.args.get(clause) is not None:
            raise refusal(
                f"{clause.upper()} is not supported beside {column_names.name_of(node)}",
                "The answer is one row.",
                "Write GROUP BY x with count(*) instead.",
                select,
            )
    arguments = node.expressions if isinstance(node, exp.Anonymous) else [node.this]
    if len(arguments) != 1:
        raise refusal("histogram takes one argument", "Its keys are all values.", "Write histogram(x).", node)
    reader.add_key(unwrap(arguments[0]))
    count = reader.request(Count("a0", (), rows=reader.aggregates.rows_bound if histogram else None))
    alias = select.expressions[0]
    name = alias.alias if isinstance(alias, exp.Alias) else column_names.name_of(node)
    keys, units, rank = released(key_column(0)), released(count.column), released(RANK)
    if histogram:
        sizes = f"CAST(CASE WHEN {units.sql} > 0 THEN {units.sql} ELSE 0 END AS UBIGINT)"
        sql = emit.call("map", emit.call("list", keys.sql), emit.call("list", sizes))
        item = Item(name, AnswerExpression(sql, reads=keys.reads | units.reads))
        shown, top = {count.column}, None
    else:
        number = node.args.get("expression")
        k = scalar(number) if number is not None and is_literal(number) else None
        if not isinstance(k, int) or isinstance(k, bool) or k < 1:
            raise refusal(
                "approx_top_k takes a positive number",
                "It is a constant.",
                "Write approx_top_k(x, 10).",
                node,
            )
        by_count, by_rank = (
            AnswerExpression(
                emit.call("list_slice", emit.call("list", f"{keys.sql} ORDER BY {order}"), "1", str(k)),
                reads=keys.reads | reads,
            )
            for order, reads in ((f"{units.sql} DESC", units.reads), (rank.sql, rank.reads))
        )
        item = Item(name, by_count, by_rank)
        shown, top = set(), (count.column, k)
    keys_, requests = _in_space(reader, reader.public_keys.space(reader.keys)), tuple(reader.requests)
    return AggregateQuery(reader.owned, keys_, requests, frozenset(shown), (item,), True, top=top)
