"""From an allowed query to a typed plan: which question is asked, and the SQL of its scores.

A pipeline of short functions: find the table, translate WHERE, read the select list, then match one of
the few shapes below. What matches none is refused; nothing is guessed and no text is passed on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from sqlglot import exp

from dpduck.catalog import Catalog, Column, RangeDomain, ValuesDomain, fold, written
from dpduck.errors import PolicyError, UnsupportedSqlError
from dpduck.query import naming, scoresql
from dpduck.query.grid import candidate_type
from dpduck.query.nodes import is_literal, position_of, refusal, scalar, unwrap
from dpduck.query.plan import (
    CountPlan,
    HistogramPlan,
    Key,
    ModePlan,
    Output,
    Plan,
    QuantilePlan,
    TopKPlan,
)
from dpduck.query.predicates import predicate
from dpduck.query.scope import Scope, open_scope, type_of
from dpduck.query.validate import ValidSelect
from dpduck.sqltypes import parse_number

MAX_LIMIT = 10_000
MAX_HISTOGRAM = 1_000_000
HIDDEN_COUNT = -1

_SHAPES = (
    "Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, "
    "or SELECT count(*), mode(x) or median(x) FROM t."
)


@dataclass(frozen=True)
class Item:
    """One entry of the select list. `role`: key, count, mode or quantile."""

    output: Output
    role: str
    node: exp.Expr
    column: Column | None = None
    quantile: Fraction = Fraction(1, 2)


@dataclass(frozen=True)
class Question:
    """A query in parts, each read but not yet put together."""

    scope: Scope
    conditions: list[str]
    items: tuple[Item, ...]
    select: exp.Select
    epsilon: Fraction
    delta: Fraction

    @property
    def outputs(self) -> tuple[Output, ...]:
        return tuple(item.output for item in self.items)


def make_plan(select: ValidSelect, catalog: Catalog, epsilon: Fraction, delta: Fraction) -> Plan:
    """The plan of a query. Reads no data.

    Input: a query that passed the gate; epsilon and delta for this query.
    Output: a plan whose delta is 0 unless its candidates are found in private rows.
    Errors: UnsupportedSqlError, UnknownNameError, PolicyError.
    """
    question = _read(select.expression, catalog, epsilon, delta)
    if question.select.args.get("group") is not None:
        return _plan_groups(question)
    return _plan_single(question)


def _read(select: exp.Select, catalog: Catalog, epsilon: Fraction, delta: Fraction) -> Question:
    scope = open_scope(select, catalog)
    where = select.args.get("where")
    conditions = [] if where is None else [predicate(where.this, scope)]
    items = tuple(_read_item(node, scope) for node in select.expressions)
    aggregates = [item for item in items if item.role != "key"]
    if len(aggregates) > 1:
        raise refusal(
            "several aggregates in one query are not supported",
            "Each of them needs a share of epsilon.",
            "Ask for them one by one.",
            aggregates[1].node,
        )
    if not items:
        raise refusal("the select list is empty", "There is nothing to answer.", _SHAPES)
    return Question(scope, conditions, items, select, epsilon, delta)


# --- the select list -----------------------------------------------------------------------------


def _read_item(node: exp.Expr, scope: Scope) -> Item:
    alias = node.alias if isinstance(node, exp.Alias) else None
    item = _read_value(unwrap(node.this if isinstance(node, exp.Alias) else node), scope)
    return item if not alias else replace(item, output=replace(item.output, name=alias))


def _read_value(node: exp.Expr, scope: Scope) -> Item:
    if isinstance(node, exp.Column):
        column = scope.resolve(node)
        return Item(Output(column.name, column.type, "key"), "key", node, column)
    if isinstance(node, exp.Count):
        _check_counts_units(node, scope)
        return Item(Output(naming.count_name(node), "BIGINT", "count"), "count", node)
    if isinstance(node, exp.Mode):
        return _read_mode(node, scope)
    if isinstance(node, (exp.Median, exp.PercentileCont, exp.PercentileDisc)):
        return _read_quantile(node, scope)
    raise refusal(
        "this column of the answer is not supported", "It is neither a key nor an aggregate.", _SHAPES, node
    )


def _check_counts_units(node: exp.Count, scope: Scope) -> None:
    """count(*), count(1), count(unit) and count(DISTINCT unit) all count units."""
    argument = node.this
    if isinstance(argument, exp.Distinct):
        argument = argument.expressions[0] if len(argument.expressions) == 1 else node
    elif argument is None or (isinstance(argument, (exp.Star, exp.Literal)) and not argument.is_string):
        return
    if not scope.names(argument, scope.table.unit):
        raise refusal(
            "only privacy units can be counted",
            f"count(*) and count(DISTINCT {scope.table.unit}) both count distinct {scope.table.unit}.",
            "Write count(*), with WHERE x IS NOT NULL to leave out rows without x.",
            node,
        )


def _read_mode(node: exp.Mode, scope: Scope) -> Item:
    column = _argument(node, scope)
    output = Output(naming.call_name("mode", node.this), column.type, "value")
    return Item(output, "mode", node, column)


def _read_quantile(node: exp.Median | exp.PercentileCont | exp.PercentileDisc, scope: Scope) -> Item:
    column = _argument(node, scope)
    discrete = isinstance(node, exp.PercentileDisc)
    result_type = column.type if discrete else naming.quantile_type(type_of(column))
    if isinstance(node, exp.Median):
        output = Output(naming.call_name("median", node.this), result_type, "value")
        return Item(output, "quantile", node, column)
    share = unwrap(node.args["expression"])
    function = "quantile_disc" if discrete else "quantile_cont"
    quantile = _share(share, node)
    output = Output(naming.call_name(function, node.this, share), result_type, "value")
    return Item(output, "quantile", node, column, quantile)


def _share(node: exp.Expr, call: exp.Expr) -> Fraction:
    number = parse_number(scalar(node)) if isinstance(node, exp.Literal) and not node.is_string else None
    if number is None or not 0 < number < 1 or number.denominator > 10_000:
        raise refusal(
            "the quantile must be a constant between 0 and 1",
            "It may have up to four decimal places; lists are not supported.",
            "Write quantile_cont(x, 0.25).",
            call,
        )
    return number


def _argument(node: exp.Expr, scope: Scope) -> Column:
    argument = unwrap(node.this) if isinstance(node.this, exp.Expr) else node
    if isinstance(argument, exp.Column):
        column = scope.resolve(argument)
        _check_not_unit(column, scope, node)
        return column
    raise refusal(
        "an aggregate takes one column",
        "An expression over a private row may fail, or take long, on that row alone, and so reveal it.",
        "Write mode(x) or median(x) with a column x.",
        node,
    )


def _check_not_unit(column: Column, scope: Scope, node: exp.Expr) -> None:
    if fold(column.name) == fold(str(scope.table.unit)):
        raise refusal(
            f"column {column.name} is the privacy unit",
            "Each of its values stands for one person, who would be revealed by it.",
            "Use another column, or count(*) to count units.",
            node,
        )


# --- one answer for the whole table --------------------------------------------------------------


def _plan_single(question: Question) -> Plan:
    item = question.items[0]
    if len(question.items) > 1 or item.role == "key":
        raise refusal(
            "private rows cannot be listed",
            "Columns of the answer are aggregates, and the keys of GROUP BY.",
            _SHAPES,
            next(item for item in question.items if item.role == "key").node,
        )
    _check_single_order(question)
    if item.role == "count":
        sql = scoresql.total(question.scope, question.conditions)
        return CountPlan(question.scope.table, question.epsilon, Fraction(0), sql, question.outputs)
    return _plan_mode(question, item) if item.role == "mode" else _plan_quantile(question, item)


def _check_single_order(question: Question) -> None:
    """One row has no order, and any LIMIT keeps it."""
    order = question.select.args.get("order")
    if order is not None:
        raise refusal("ORDER BY is not supported here", "The answer is one row.", "Leave it out.", order)
    _limit(question.select, None)


def _plan_mode(question: Question, item: Item) -> ModePlan:
    key, delta = _candidates(question, item)
    sql = scoresql.by_key(question.scope, question.conditions, _column(item))
    return ModePlan(question.scope.table, question.epsilon, delta, sql, question.outputs, key)


def _plan_quantile(question: Question, item: Item) -> QuantilePlan:
    column = _column(item)
    if not isinstance(column.domain, RangeDomain):
        raise _no_range(question.scope, column, item.node)
    sql = scoresql.by_value(question.scope, question.conditions, column, column.domain)
    key = Key(scoresql.key_name(column), candidate_type(type_of(column)).name, column.domain)
    table, epsilon = question.scope.table, question.epsilon
    return QuantilePlan(table, epsilon, Fraction(0), sql, question.outputs, key, column.domain, item.quantile)


def _no_range(scope: Scope, column: Column, node: exp.Expr) -> PolicyError | UnsupportedSqlError:
    kind = type_of(column).kind
    example = {"date": "'2024-01-01', '2024-12-31'", "timestamp": "'2024-01-01', '2024-12-31'"}.get(
        kind, "0, 100"
    )
    if kind not in ("integer", "decimal", "float", "date", "timestamp"):
        return refusal(
            f"column {column.name} has no median",
            f"It is of type {column.type}.",
            "Use a number, date or timestamp column, or mode(x).",
            node,
        )
    return PolicyError(
        f"column {scope.table.name}.{column.name} has no public range",
        detail="A range taken from private rows would reveal the extreme ones.",
        hint=f"ALTER TABLE {written(scope.table.name)} ALTER COLUMN {written(column.name)} "
        f"SET PRIVACY DOMAIN BETWEEN ({example}).",
        position=position_of(node),
    )


# --- an answer for each key ----------------------------------------------------------------------


def _plan_groups(question: Question) -> Plan:
    item = _key_item(question)
    _check_grouped_items(question, item)
    key, delta = _candidates(question, item)
    order = _order(question, item)
    limit = _limit(question.select, key.domain)
    if limit is None:
        return _plan_histogram(question, item, key, delta, order)
    _check_top_order(question, order)
    sql = scoresql.by_key(question.scope, question.conditions, _column(item))
    return TopKPlan(question.scope.table, question.epsilon, delta, sql, question.outputs, key, limit)


def _plan_histogram(
    question: Question, item: Item, key: Key, delta: Fraction, order: tuple[tuple[int, bool], ...]
) -> HistogramPlan:
    size = 1 if key.domain is None else key.domain.size
    if HIDDEN_COUNT not in dict(order) and all(other.role == "key" for other in question.items):
        raise refusal(
            "a list of keys needs a count",
            "Which keys are present is private; only counts with noise say it.",
            "Add count(*) to the select list, or ORDER BY count(*) DESC LIMIT 10.",
            item.node,
        )
    if size > MAX_HISTOGRAM:
        raise refusal(
            f"the domain of {_column(item).name} is too large for a histogram",
            f"It has {size} values; a histogram without LIMIT may have {MAX_HISTOGRAM}.",
            "Add ORDER BY count(*) DESC LIMIT 10.",
            item.node,
        )
    unique = question.scope.table.unit_is_unique
    if key.domain is None and not unique:
        raise _no_domain(question, _column(item), item.node, delta_helps=False)
    groups = 1 if unique else size
    sql = scoresql.by_key(question.scope, question.conditions, _column(item))
    return HistogramPlan(
        question.scope.table, question.epsilon, delta, sql, question.outputs, key, groups, order
    )


def _key_item(question: Question) -> Item:
    """The select item that GROUP BY names: by column, by alias, by number, or all."""
    group = question.select.args["group"]
    keys = [item for item in question.items if item.role == "key"]
    if group.args.get("all") and not group.expressions and keys:
        named = keys
    else:
        named = [_grouped(unwrap(node), question) for node in group.expressions]
    columns = {fold(_column(item).name) for item in named}
    if len(columns) != 1:
        raise refusal(
            "GROUP BY takes one column",
            "Several keys, and expressions as keys, are not supported.",
            "Write GROUP BY region.",
            group,
        )
    return named[0]


def _grouped(node: exp.Expr, question: Question) -> Item:
    if isinstance(node, exp.Column):
        return _grouped_column(node, question)
    number = scalar(node) if isinstance(node, exp.Literal) and not node.is_string else None
    if isinstance(number, int) and 1 <= number <= len(question.items):
        item = question.items[number - 1]
        if item.role == "key":
            return item
    raise refusal(
        "GROUP BY takes a column of the table",
        "Expressions and aggregates as keys are not supported.",
        "Write GROUP BY region, or GROUP BY 1 for the first column of the answer.",
        question.select.args["group"],
    )


def _grouped_column(node: exp.Column, question: Question) -> Item:
    """As in DuckDB, a column of the table comes before an alias of the select list."""
    known = {fold(column.name) for column in question.scope.table.columns}
    if not node.table and fold(node.name) not in known:
        for item in question.items:
            if item.role == "key" and fold(item.output.name) == fold(node.name):
                return item
    column = question.scope.resolve(node)
    return Item(Output(column.name, column.type, "key"), "key", node, column)


def _check_grouped_items(question: Question, key: Item) -> None:
    for item in question.items:
        if item.role == "key" and _column(item) != key.column:
            raise refusal(
                f"column {_column(item).name} is neither grouped nor aggregated",
                "Each column of the answer is the key or the count.",
                "Add it to GROUP BY, or leave it out.",
                item.node,
            )
        if item.role in ("mode", "quantile"):
            raise refusal(
                "only count(*) can be grouped",
                "Other aggregates per group are not supported.",
                "Ask for each group with WHERE.",
                item.node,
            )
    _check_not_unit(_column(key), question.scope, key.node)


def _candidates(question: Question, item: Item) -> tuple[Key, Fraction]:
    """The key and the delta that it costs: keys found in private rows need one, public ones do not."""
    column = _column(item)
    if type_of(column).kind == "float":
        raise refusal(
            f"column {column.name} of type {column.type} cannot be a key",
            "Floating point values are rarely equal, so each would be a group of its own.",
            "Use a column of integers, decimals or text.",
            item.node,
        )
    if type_of(column).kind == "other":
        raise refusal(
            f"column {column.name} of type {column.type} cannot be a key",
            "Keys are whole numbers, decimals, text, dates, timestamps, BOOLEAN and ENUM.",
            "Use a column of one of these types.",
            item.node,
        )
    key = Key(scoresql.key_name(column), column.type, column.domain)
    if column.domain is not None:
        return key, Fraction(0)
    if question.delta == 0:
        raise _no_domain(question, column, item.node)
    return key, question.delta


def _no_domain(
    question: Question, column: Column, node: exp.Expr, *, delta_helps: bool = True
) -> PolicyError:
    table = question.scope.table
    example = {"date": "BETWEEN ('2024-01-01', '2024-12-31')", "timestamp": "IN ('2024-01-01 00:00:00')"}
    domain = example.get(
        type_of(column).kind, "IN ('flu', 'gout')" if type_of(column).kind == "text" else "IN (1, 2)"
    )
    declare = (
        f"ALTER TABLE {written(table.name)} ALTER COLUMN {written(column.name)} SET PRIVACY DOMAIN {domain}"
    )
    detail = "Keys taken from private rows would reveal who is present."
    hint = f"{declare}, or SET dp_delta = 1e-6."
    if not delta_helps:
        detail += f" With a delta all their counts need a {table.unit} that is UNIQUE, one row each."
        hint = f"{declare}, or add ORDER BY count(*) DESC LIMIT 10."
    return PolicyError(
        f"column {table.name}.{column.name} has no public domain",
        detail=detail,
        hint=hint,
        position=position_of(node),
    )


def _column(item: Item) -> Column:
    assert item.column is not None
    return item.column


# --- ORDER BY and LIMIT --------------------------------------------------------------------------


def _order(question: Question, key: Item) -> tuple[tuple[int, bool], ...]:
    """ORDER BY as (number of the output, descending)."""
    order = question.select.args.get("order")
    if order is None:
        return ()
    return tuple(
        (_ordered_output(node.this, question, key), bool(node.args.get("desc"))) for node in order.expressions
    )


def _ordered_output(node: exp.Expr, question: Question, key: Item) -> int:
    node = unwrap(node)
    if isinstance(node, exp.Count):
        _check_counts_units(node, question.scope)
        return _number_of("count", question)
    if isinstance(node, exp.Literal) and not node.is_string:
        number = scalar(node)
        if isinstance(number, int) and 1 <= number <= len(question.items):
            return number - 1
    if isinstance(node, exp.Column):
        return _ordered_column(node, question, key)
    raise refusal(
        "ORDER BY takes columns of the answer",
        "Anything else would order by private rows.",
        "Write ORDER BY count(*) DESC, ORDER BY 2 or ORDER BY n.",
        node,
    )


def _ordered_column(node: exp.Column, question: Question, key: Item) -> int:
    """As in DuckDB, an alias of the select list comes before a column of the table."""
    if not node.table:
        for number, item in enumerate(question.items):
            if fold(item.output.name) == fold(node.name):
                return number
    if question.scope.names(node, _column(key).name):
        return _number_of("key", question)
    raise refusal(
        f"the answer cannot be ordered by {node.name}",
        "It is not a column of the answer.",
        "Write ORDER BY count(*) DESC, ORDER BY 2 or ORDER BY n.",
        node,
    )


def _number_of(role: str, question: Question) -> int:
    for number, item in enumerate(question.items):
        if item.role == role:
            return number
    if role == "count":
        return HIDDEN_COUNT
    raise refusal(
        "the answer cannot be ordered by a key that it does not show",
        "ORDER BY takes columns of the answer.",
        "Add the key to the select list.",
    )


def _check_top_order(question: Question, order: tuple[tuple[int, bool], ...]) -> None:
    """A LIMIT below the number of candidates selects the largest counts, and nothing else."""
    number, descending = order[0] if order else (0, False)
    by_count = bool(order) and (number == HIDDEN_COUNT or question.items[number].role == "count")
    if by_count and descending:
        return
    raise refusal(
        "LIMIT selects the largest counts only",
        "The smallest counts, or the first keys, would be those of very few people.",
        "Write ORDER BY count(*) DESC LIMIT 10, or leave LIMIT out.",
        question.select.args["limit"],
    )


def _limit(select: exp.Select, domain: ValuesDomain | RangeDomain | None) -> int | None:
    """The number of candidates to select, or None for all of them."""
    limit = select.args.get("limit")
    if limit is None:
        return None
    node = unwrap(limit.args["expression"])
    number = scalar(node) if is_literal(node) else None
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise refusal(
            "LIMIT takes a positive whole number",
            "It decides what is selected, so it must be a constant.",
            "Write LIMIT 10.",
            limit,
        )
    if domain is not None and number >= domain.size:
        return None
    if number > MAX_LIMIT and select.args.get("group") is not None:
        raise refusal(
            f"LIMIT is larger than {MAX_LIMIT}",
            "Each selected row costs a share of epsilon.",
            f"Write a LIMIT of at most {MAX_LIMIT}.",
            limit,
        )
    return number
