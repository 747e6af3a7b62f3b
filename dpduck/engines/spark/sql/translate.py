"""The tree of score SQL written in another engine's words, node by node."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from sqlglot import exp

from dpduck.compiler.private.comparisons import SYMBOLS
from dpduck.engines.spark.sql.nodes import Ask, Dialect, EngineCall, Unavailable, Value, infix, most_of
from dpduck.kernel.catalog.types import SqlType, parse_type
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.emit import GIVEN
from dpduck.kernel.tree.nodes import (
    BOOLEAN,
    NULL,
    VARCHAR,
    AggregateCall,
    Call,
    Choice,
    ColumnRef,
    Comparison,
    Connective,
    Conversion,
    Exists,
    Expression,
    FirstPresent,
    Grouped,
    Literal,
    Membership,
    Negation,
    NullTest,
    RangeTest,
    ScalarSubquery,
    SortKey,
    Star,
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
from dpduck.kernel.tree.walk import every_part

_BIGINT = parse_type("BIGINT")
_OF_CONSTANTS = ("lower", "upper")  # which DuckDB evaluates: the pattern of ILIKE
_RANKS = ("row_number", "dense_rank")
_COMPARISONS = {symbol: kind for kind, symbol in SYMBOLS.items()}
_CONNECTIVES: dict[str, type[exp.Expr]] = {"AND": exp.And, "OR": exp.Or}
_JOINS = {"JOIN": ("", ""), "CROSS JOIN": ("", "CROSS"), "LEFT JOIN": ("LEFT", "")}
_BIGINT_LIMIT = 2**63

# How the engine reads a table of DuckDB: the parts of its name in, a table or subquery out.
Tables = Callable[[Sequence[str]], exp.Expr]


def translate(query: SelectQuery, dialect: Dialect, tables: Tables, ask: Ask) -> str:
    """The query in the engine's SQL.

    Errors: UnsupportedSqlError where the engine has nothing of the same meaning. No row has any part in that.
    """
    reason = ""
    try:
        return _Query(dialect, tables, ask).select(query).sql(dialect=dialect.dialect)
    except Unavailable as error:
        reason = str(error)
    except RecursionError:
        reason = "it is nested too deeply"
    raise UnsupportedSqlError(
        f"this query cannot run on {dialect.name}",
        detail=f"{reason[:1].upper()}{reason[1:]}: it would not be sure to give the same numbers as DuckDB.",
        hint="Leave that part out, or write it with what docs/ENGINES.md lists.",
    )


def _needed(tests: Sequence[Expression]) -> tuple[Expression, ...]:
    """The tests without those that compare with the one window given.

    These leave out rows that the join with the window leaves out too, to spare DuckDB work.
    """
    return tuple(test for test in _links("AND", tests) if not any(map(_is_of_window, every_part(test))))


def _is_of_window(node: Expression) -> bool:
    source = node.query.source if isinstance(node, ScalarSubquery) else None
    return isinstance(source, ReaderTable) and source.name == GIVEN


def _links(word: str, tests: Sequence[Expression]) -> Iterator[Expression]:
    """All links of a chain, of which some may be chains themselves."""
    for test in tests:
        if isinstance(test, Connective) and test.word == word:
            yield from _links(word, test.links)
        else:
            yield test


@dataclass(frozen=True)
class _Query:
    dialect: Dialect
    tables: Tables
    ask: Ask

    def select(self, node: SelectQuery) -> exp.Select:
        scope = _Scope(self)
        made = exp.Select(expressions=[scope.item(item) for item in node.items])
        made.set("from_", exp.From(this=self.source(_first(node.source))))
        made.set("joins", [self._join(join, scope) for join in _joins(node.source)])
        for name, kind, tests in (("where", exp.Where, node.where), ("having", exp.Having, node.having)):
            needed = _needed(tests)
            if needed:
                made.set(name, kind(this=scope.connected("AND", needed).sql))
        self._set_tail(made, node, scope)
        return made

    def _set_tail(self, made: exp.Select, node: SelectQuery, scope: _Scope) -> None:
        if node.group_by:
            made.set("group", exp.Group(expressions=[scope.value(key).sql for key in node.group_by]))
        if node.order_by:
            made.set("order", scope.order(node.order_by))
        if node.limit is not None:
            made.set("limit", exp.Limit(expression=exp.Literal.number(node.limit)))
        if node.distinct:
            made.set("distinct", exp.Distinct())

    def source(self, node: Relation) -> exp.Expr:
        """What stands in FROM, with its alias."""
        match node:
            case TableScan(table, name) if table.scan is None and table.definition is None:
                made = self.tables([table.database, table.schema, table.name])
            case ReaderTable(full_name, alias):
                parts = full_name.split(".")
                made, name = self.tables(parts), alias or parts[-1]
            case DerivedTable(query, name):
                made = exp.Subquery(this=self.select(query))
            case TableScan() | JoinedTables() | GroupedTables():
                raise Unavailable("what stands in FROM has no translation")
            case _:
                assert_never(node)
        made.set("alias", exp.TableAlias(this=exp.to_identifier(name, quoted=True)))
        return made

    def _join(self, node: JoinedTables, scope: _Scope) -> exp.Expr:
        side, kind = _JOINS[node.kind]
        made = exp.Join(this=self.source(node.right), side=side, kind=kind)
        if node.on:
            made.set("on", scope.connected("AND", node.on).sql)
        return made


def _first(node: Relation) -> Relation:
    while isinstance(node, JoinedTables):
        node = node.left
    return node


def _joins(node: Relation) -> list[JoinedTables]:
    found = []
    while isinstance(node, JoinedTables):
        found.append(node)
        node = node.left
    return found[::-1]


@dataclass(frozen=True)
class _Scope:
    """The expressions of one SELECT."""

    query: _Query

    def item(self, node: SelectItem | Expression | Star) -> exp.Expr:
        """One of the select list."""
        match node:
            case Star(None):
                return exp.Star()
            case Star(table):
                return exp.Column(this=exp.Star(), table=exp.to_identifier(table, quoted=True))
            case SelectItem(value, name):
                return exp.Alias(this=self.value(value).sql, alias=exp.to_identifier(name, quoted=True))
        return self.value(node).sql

    def order(self, terms: Sequence[Expression | SortKey]) -> exp.Expr:
        """ORDER BY, with NULL where DuckDB has it."""
        made = []
        for term in terms:
            key = term if isinstance(term, SortKey) else SortKey(term)
            value = self.value(key.value).sql
            made.append(exp.Ordered(this=value, desc=key.descending, nulls_first=key.nulls == "FIRST"))
        return exp.Order(expressions=made)

    def value(self, node: Expression) -> Value:  # noqa: C901 (a case for each node)
        """An expression."""
        match node:
            case ColumnRef():
                return Value(_column(node), node.type, most=most_of(node.type))
            case Literal():
                return self._literal(node)
            case Grouped(inside):
                value = self.value(inside)
                return replace(value, sql=exp.Paren(this=value.sql))
            case Negation(inside):
                return Value(exp.Not(this=self.value(inside).sql), BOOLEAN)
            case Connective(word, links):
                return self.connected(word, links)
            case Comparison():
                return self._comparison(node)
            case NullTest(inside, negated):
                test = exp.Is(this=self.value(inside).sql, expression=exp.Null())
                return Value(exp.Not(this=test) if negated else test, BOOLEAN)
            case RangeTest():
                return self._between(node)
            case Membership():
                return self._in(node)
            case Choice():
                return self._case(node)
            case FirstPresent():
                return self._coalesce(node)
            case Conversion():
                return self._cast(node)
            case WindowCall():
                return self._window(node)
            case AggregateCall(name):
                return self._count(node) if name == "count" else self._function(node)
            case Call():
                return self._function(node)
            case ScalarSubquery() | Exists():
                raise Unavailable("a subquery in an expression has no translation")
        assert_never(node)

    # --- leaves --------------------------------------------------------------------------------

    def _literal(self, node: Literal) -> Value:
        value, target, dialect = node.value, node.type, self.query.dialect
        if value is None:
            made = exp.Null() if target == NULL else exp.Cast(this=exp.Null(), to=dialect.type_of(target))
            return Value(made, target)
        if isinstance(value, bool):
            return Value(exp.Boolean(this=value), target)
        if isinstance(value, str):
            plain = target.kind == "text"
            return (
                Value(exp.Literal.string(value), VARCHAR, value)
                if plain
                else _constant(value, target, dialect)
            )
        if value >= _BIGINT_LIMIT:
            raise Unavailable("a number of more than 64 bits has no translation")
        return Value(exp.Literal.number(value), target, str(value), value)

    # --- conditions ----------------------------------------------------------------------------

    def connected(self, word: str, links: Sequence[Expression]) -> Value:
        """Conditions joined by AND or OR."""
        first, *others = [self.value(link) for link in _links(word, links)]
        made = first.sql
        for link in others:
            made = _CONNECTIVES[word](this=made, expression=link.sql)
        return Value(made, BOOLEAN)

    def _comparison(self, node: Comparison) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        _check_comparable([left, right])
        return Value(_COMPARISONS[node.symbol](this=left.sql, expression=right.sql), BOOLEAN)

    def _between(self, node: RangeTest) -> Value:
        value, low, high = map(self.value, (node.value, node.low, node.high))
        _check_comparable([value, low, high])
        return Value(exp.Between(this=value.sql, low=low.sql, high=high.sql), BOOLEAN)

    def _in(self, node: Membership) -> Value:
        """Of floats written out: an engine may look them up by their bits, where 0.0 and -0.0 differ."""
        value, members = self.value(node.value), [self.value(member) for member in node.members]
        _check_comparable([value, *members])
        if value.type.kind != "float":
            return Value(exp.In(this=value.sql, expressions=[member.sql for member in members]), BOOLEAN)
        tests = [infix(exp.EQ, value.sql, member.sql) for member in members]
        made = tests[0]
        for test in tests[1:]:
            made = exp.Or(this=made, expression=test)
        return Value(exp.Paren(this=made), BOOLEAN)

    # --- branches and conversions --------------------------------------------------------------

    def _case(self, node: Choice) -> Value:
        target, ifs, most = node.type, [], 0
        for test, result in node.branches:
            value = self.value(result)
            ifs.append(exp.If(this=self.value(test).sql, true=self._in_type(value, target)))
            most = max(most, value.most)
        default = None
        if node.otherwise is not None:
            value = self.value(node.otherwise)
            most, default = max(most, value.most), self._in_type(value, target)
        return Value(exp.Case(ifs=ifs, default=default), target, most=most)

    def _coalesce(self, node: FirstPresent) -> Value:
        values = [self.value(part) for part in node.values]
        first, *rest = (self._in_type(value, node.type) for value in values)
        return Value(exp.Coalesce(this=first, expressions=rest), node.type, most=max(v.most for v in values))

    def _in_type(self, value: Value, target: SqlType) -> exp.Expr:
        if value.type in (target, NULL):
            return value.sql
        return self.query.dialect.cast(value, target, False)

    def _cast(self, node: Conversion) -> Value:
        inner, target, dialect = node.value, node.type, self.query.dialect
        if isinstance(inner, Literal) and isinstance(inner.value, str) and inner.type.kind == "text":
            return self._literal(replace(inner, type=target))
        value = self.value(inner)
        most = min(value.most, most_of(target)) if value.type.kind == "integer" else most_of(target)
        if value.type == target:
            return replace(value, most=most)
        return Value(dialect.cast(value, target, node.safe), target, most=most)

    # --- functions -----------------------------------------------------------------------------

    def _count(self, node: AggregateCall) -> Value:
        if not node.arguments:
            return Value(exp.Count(this=exp.Star()), _BIGINT, most=most_of(_BIGINT))
        if not node.distinct:
            return self._function(node)
        different = exp.Distinct(expressions=[self.value(one).sql for one in node.arguments])
        return Value(exp.Count(this=different), _BIGINT, most=most_of(_BIGINT))

    def _function(self, node: Call | AggregateCall) -> Value:
        function = self.query.dialect.functions.get(node.name)
        if function is None:
            raise Unavailable(f"the function {node.name} is not available")
        values = [self.value(argument) for argument in node.arguments]
        if node.name in _OF_CONSTANTS and all(value.constant is not None for value in values):
            [[folded]] = self.query.ask(f"SELECT {sql(node)}")
            return Value(exp.Literal.string(str(folded)), VARCHAR, str(folded))
        most = _most(node.name, values, node.type)
        return Value(function(EngineCall(node.name, values, node.type, self.query.ask)), node.type, most=most)

    def _window(self, node: WindowCall) -> Value:
        """row_number() and dense_rank(), of no order, in any; and a sum of counts.

        Without an order it is that of all rows of the partition: ordered by its own columns, they are peers.
        """
        name, arguments = node.function.name, node.function.arguments
        values = [self.value(argument) for argument in arguments]
        is_sum = name == "sum" and [value.type for value in values] == [_BIGINT]
        if node.frame is not None or (not is_sum and (name not in _RANKS or arguments)):
            raise Unavailable(f"the window function {name} is not available")
        by = [self.value(part).sql for part in node.partition_by]
        any_order = exp.Order(expressions=[exp.Ordered(this=one.copy()) for one in by or [exp.Null()]])
        order_by = self.order(node.order_by) if node.order_by else any_order
        function = exp.Anonymous(this=name, expressions=[value.sql for value in values])
        made = exp.Window(this=function, partition_by=by, order=order_by, over="OVER")
        return Value(exp.Cast(this=made, to=self.query.dialect.type_of(_BIGINT)), _BIGINT)


def _column(node: ColumnRef) -> exp.Expr:
    name, *fields = node.path or (node.name,)
    made: exp.Expr = exp.Column(
        this=exp.to_identifier(name, quoted=True), table=exp.to_identifier(node.table, quoted=True)
    )
    for field in fields:
        made = exp.Dot(this=made, expression=exp.to_identifier(field, quoted=True))
    return made


def _constant(text: str, target: SqlType, dialect: Dialect) -> Value:
    most = most_of(target)
    if target.kind == "integer":
        if not text.removeprefix("-").isdecimal():
            raise Unavailable("a text as a number is not available")
        most = abs(int(text))
        if most > most_of(target):
            raise Unavailable("a number of more than 38 digits has no translation")
    return Value(dialect.constant(text, target), target, text, most)


_EXACT = ("integer", "decimal", "null")


def _check_comparable(values: Sequence[Value]) -> None:
    """Types that an engine compares without loss: the same, or exact numbers of up to 38 digits together."""
    kinds = {value.type for value in values if value.type != NULL}
    if len(kinds) < 2 or all(kind.kind == "integer" and kind.name != "HUGEINT" for kind in kinds):
        return
    if all(kind.kind in _EXACT for kind in kinds):
        scale = max(kind.scale for kind in kinds)
        whole = max(
            len(str(value.most)) if value.type.kind == "integer" else value.type.width - value.type.scale
            for value in values
        )
        if scale + whole <= 38 and not any(kind.name == "HUGEINT" and scale for kind in kinds):
            return
    names = " and ".join(sorted(kind.name for kind in kinds))
    raise Unavailable(f"the comparison of {names} is not available")


def _most(name: str, values: Sequence[Value], target: SqlType) -> int:
    """The largest amount of a result. Errors: Unavailable where 38 digits would not hold it."""
    mosts = [value.most for value in values]
    if target.name != "HUGEINT":
        return most_of(target)
    if name in ("+", "-", "*") and len(mosts) == 2:
        most = mosts[0] * mosts[1] if name == "*" else sum(mosts)
        if most > most_of(target):
            raise Unavailable("whole numbers of more than 38 digits are not available")
        return most
    known = name in ("//", "%", "abs", "-", "least", "greatest")
    return max(mosts) if known else most_of(target)
