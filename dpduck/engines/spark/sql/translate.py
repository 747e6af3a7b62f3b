"""Score SQL read node by node, and written in another engine's words.

What type an expression has, DuckDB itself says: it binds the query on tables of the same names and types that
hold no rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import sqlglot
from sqlglot import exp

from dpduck.catalog.types import SqlType, parse_type
from dpduck.engines.spark.sql.nodes import Ask, Dialect, EngineCall, Unavailable, Value, infix, most_of
from dpduck.errors import UnsupportedSqlError
from dpduck.query.write.emit import GIVEN

_BIGINT, _BOOLEAN, _VARCHAR = map(parse_type, ("BIGINT", "BOOLEAN", "VARCHAR"))
_NULL = SqlType('"NULL"', "null")
_AGGREGATES = ("count", "sum", "min", "max", "quantile_disc")
_OF_CONSTANTS = ("lower", "upper")  # which DuckDB evaluates: the pattern of ILIKE
_RANKS = ("row_number", "dense_rank")
_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.NullSafeNEQ)
_TYPED = (
    exp.Column,
    exp.Dot,
    exp.Cast,
    exp.Case,
    exp.Coalesce,
    exp.Paren,
    exp.Predicate,
    exp.Connector,
    exp.Not,
)
_JOINS = (("", ""), ("", "INNER"), ("", "CROSS"), ("LEFT", ""), ("LEFT", "OUTER"))
_INTEGER_LIMIT, _BIGINT_LIMIT = 2**31, 2**63

# Of each node, what it may have besides its parts; whatever else is set is refused.
_PARTS: dict[type[exp.Expr], frozenset[str]] = {
    exp.Select: frozenset(
        {
            "expressions",
            "from_",
            "joins",
            "where",
            "group",
            "having",
            "order",
            "limit",
            "distinct",
        }
    ),
    exp.Join: frozenset({"this", "side", "kind", "on", "using"}),
    exp.Table: frozenset({"this", "db", "catalog", "alias"}),
    exp.Subquery: frozenset({"this", "alias"}),
    exp.Window: frozenset({"this", "partition_by", "order", "over"}),
    exp.Ordered: frozenset({"this", "nulls_first", "desc"}),
    exp.Group: frozenset({"expressions"}),
    exp.In: frozenset({"this", "expressions"}),
    exp.Between: frozenset({"this", "low", "high"}),
    exp.Case: frozenset({"ifs", "default"}),
    exp.Coalesce: frozenset({"this", "expressions"}),
    exp.Cast: frozenset({"this", "to"}),
    exp.TryCast: frozenset({"this", "to", "safe"}),
    exp.Distinct: frozenset(),
}

# How the engine reads a table of DuckDB: the parts of its name in, a table or subquery out.
Tables = Callable[[Sequence[str]], exp.Expr]


def translate(sql: str, dialect: Dialect, tables: Tables, ask: Ask) -> str:
    """The query in the engine's SQL.

    Errors: UnsupportedSqlError where the engine has nothing of the same meaning. No row has any part in that.
    """
    reason = ""
    try:
        tree = sqlglot.parse_one(sql, dialect="duckdb")
        if isinstance(tree, exp.Select):
            return _Query(dialect, tables, ask).select(tree).sql(dialect=dialect.dialect)
        reason = "it is no SELECT"
    except Unavailable as error:
        reason = str(error)
    except RecursionError:
        reason = "it is nested too deeply"
    raise UnsupportedSqlError(
        f"this query cannot run on {dialect.name}",
        detail=f"{reason[:1].upper()}{reason[1:]}: it would not be sure to give the same numbers as DuckDB.",
        hint="Leave that part out, or write it with what docs/ENGINES.md lists.",
    )


def _needed(condition: exp.Expr) -> exp.Expr | None:
    """A condition without the parts that compare with the one window given.

    These leave out rows that the join with the window leaves out too, to spare DuckDB work.
    """
    parts = list(condition.flatten(unnest=False)) if isinstance(condition, exp.And) else [condition]
    kept = [part for part in parts if not any(map(_is_given, part.find_all(exp.Table)))]
    return exp.and_(*kept, wrap=False) if kept else None


def _is_given(table: exp.Table) -> bool:
    return [part.name for part in table.parts] == GIVEN.split(".")


def _check(node: exp.Expr) -> None:
    known = _PARTS.get(type(node))
    if known is None:
        return
    for name, part in node.args.items():
        if name not in known and part not in (None, False, []):
            raise Unavailable(f"{type(node).__name__.upper()} with {name} has no translation")


@dataclass(frozen=True)
class _Query:
    dialect: Dialect
    tables: Tables
    ask: Ask

    def select(self, node: exp.Select) -> exp.Select:
        _check(node)
        scope = _Scope(self, _types_in(node, self.ask))
        made = exp.Select(expressions=[scope.item(item) for item in node.expressions])
        source = node.args.get("from_")
        if source is not None:
            made.set("from_", exp.From(this=self.source(source.this)))
        made.set("joins", [self._join(join, scope) for join in node.args.get("joins") or ()])
        for name, kind in (("where", exp.Where), ("having", exp.Having)):
            clause = node.args.get(name)
            condition = None if clause is None else _needed(clause.this)
            if condition is not None:
                made.set(name, kind(this=scope.value(condition).sql))
        self._set_tail(made, node, scope)
        return made

    def _set_tail(self, made: exp.Select, node: exp.Select, scope: _Scope) -> None:
        group, order, limit = (node.args.get(name) for name in ("group", "order", "limit"))
        if group is not None:
            _check(group)
            made.set("group", exp.Group(expressions=[scope.value(key).sql for key in group.expressions]))
        if order is not None:
            made.set("order", scope.order(order))
        if limit is not None:
            made.set("limit", exp.Limit(expression=limit.expression.copy()))
        if node.args.get("distinct") is not None:
            _check(node.args["distinct"])
            made.set("distinct", exp.Distinct())

    def source(self, node: exp.Expr) -> exp.Expr:
        """What stands in FROM, with its alias."""
        _check(node)
        alias = node.args.get("alias")
        if alias is not None and alias.args.get("columns"):
            raise Unavailable("an alias with names of columns has no translation")
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
            made = self.tables([part.name for part in node.parts])
        elif isinstance(node, exp.Subquery) and isinstance(node.this, exp.Select):
            made = exp.Subquery(this=self.select(node.this))
        else:
            raise Unavailable("what stands in FROM has no translation")
        name = alias.this.name if alias is not None else node.name
        made.set("alias", exp.TableAlias(this=exp.to_identifier(name, quoted=True)))
        return made

    def _join(self, node: exp.Expr, scope: _Scope) -> exp.Expr:
        _check(node)
        if not isinstance(node, exp.Join) or (node.side, node.kind) not in _JOINS:
            raise Unavailable("this join has no translation")
        made = exp.Join(this=self.source(node.this), side=node.side, kind=node.kind)
        if node.args.get("on") is not None:
            made.set("on", scope.value(node.args["on"]).sql)
        made.set("using", [exp.to_identifier(one.name, quoted=True) for one in node.args.get("using") or ()])
        return made


@dataclass(frozen=True)
class _Scope:
    """The expressions of one SELECT. `types`: by the text of each."""

    query: _Query
    types: dict[str, SqlType]

    def item(self, node: exp.Expr) -> exp.Expr:
        """One of the select list."""
        if isinstance(node, exp.Star) or (isinstance(node, exp.Column) and isinstance(node.this, exp.Star)):
            if any(node.args.get(name) for name in ("except_", "replace", "rename")):
                raise Unavailable("* without some columns has no translation")
            return _quoted(node) if isinstance(node, exp.Column) else exp.Star()
        if isinstance(node, exp.Alias):
            return exp.Alias(this=self.value(node.this).sql, alias=exp.to_identifier(node.alias, quoted=True))
        return self.value(node).sql

    def order(self, node: exp.Expr) -> exp.Expr:
        """ORDER BY, with NULL where DuckDB has it."""
        made = []
        for part in node.expressions:
            _check(part)
            made.append(
                exp.Ordered(
                    this=self.value(part.this).sql,
                    desc=bool(part.args.get("desc")),
                    nulls_first=bool(part.args.get("nulls_first")),
                )
            )
        return exp.Order(expressions=made)

    def value(self, node: exp.Expr) -> Value:
        """An expression."""
        _check(node)
        for kind, method in _METHODS:
            if isinstance(node, kind):
                return method(self, node)
        raise Unavailable(f"{type(node).__name__} has no translation")

    def _type(self, node: exp.Expr) -> SqlType:
        found = self.types.get(_text(node))
        if found is None:
            raise Unavailable("the type of an expression is not known")
        return found

    # --- leaves --------------------------------------------------------------------------------

    def _column(self, node: exp.Expr) -> Value:
        sql_type = self._type(node)
        return Value(_quoted(node), sql_type, most=most_of(sql_type))

    def _literal(self, node: exp.Expr) -> Value:
        if node.is_string:
            return Value(node.copy(), _VARCHAR, node.name)
        if not node.name.isdigit():
            return Value(node.copy(), parse_type("DECIMAL(18,3)"), node.name)
        count = int(node.name)
        name = "INTEGER" if count < _INTEGER_LIMIT else "BIGINT"
        if count >= _BIGINT_LIMIT:
            raise Unavailable("a number of more than 64 bits has no translation")
        return Value(node.copy(), parse_type(name), node.name, count)

    def _word(self, node: exp.Expr) -> Value:
        return Value(node.copy(), _NULL if isinstance(node, exp.Null) else _BOOLEAN)

    def _negative(self, node: exp.Expr) -> Value:
        inner = self.value(node.this)
        if inner.constant is None or inner.type.kind != "integer":
            raise Unavailable("a minus sign has no translation")
        return replace(inner, sql=exp.Neg(this=inner.sql), constant=f"-{inner.constant}")

    # --- conditions ----------------------------------------------------------------------------

    def _paren(self, node: exp.Expr) -> Value:
        inner = self.value(node.this)
        return replace(inner, sql=exp.Paren(this=inner.sql))

    def _not(self, node: exp.Expr) -> Value:
        return Value(exp.Not(this=self.value(node.this).sql), _BOOLEAN)

    def _connector(self, node: exp.Expr) -> Value:
        links = [self.value(link).sql for link in node.flatten(unnest=False)]
        made = links[0]
        for link in links[1:]:
            made = type(node)(this=made, expression=link)
        return Value(made, _BOOLEAN)

    def _comparison(self, node: exp.Expr) -> Value:
        left, right = self.value(node.this), self.value(node.args["expression"])
        _check_comparable([left, right])
        return Value(type(node)(this=left.sql, expression=right.sql), _BOOLEAN)

    def _is(self, node: exp.Expr) -> Value:
        if not isinstance(node.args["expression"], exp.Null):
            raise Unavailable("IS with anything but NULL has no translation")
        return Value(exp.Is(this=self.value(node.this).sql, expression=exp.Null()), _BOOLEAN)

    def _between(self, node: exp.Expr) -> Value:
        value, low, high = (self.value(node.args[name]) for name in ("this", "low", "high"))
        _check_comparable([value, low, high])
        return Value(exp.Between(this=value.sql, low=low.sql, high=high.sql), _BOOLEAN)

    def _in(self, node: exp.Expr) -> Value:
        """Of floats written out: an engine may look them up by their bits, where 0.0 and -0.0 differ."""
        value, members = self.value(node.this), [self.value(member) for member in node.expressions]
        _check_comparable([value, *members])
        if value.type.kind != "float":
            return Value(exp.In(this=value.sql, expressions=[member.sql for member in members]), _BOOLEAN)
        tests = [infix(exp.EQ, value.sql, member.sql) for member in members]
        made = tests[0]
        for test in tests[1:]:
            made = exp.Or(this=made, expression=test)
        return Value(exp.Paren(this=made), _BOOLEAN)

    # --- branches and conversions --------------------------------------------------------------

    def _case(self, node: exp.Expr) -> Value:
        target = self._type(node)
        ifs, most = [], 0
        for branch in node.args["ifs"]:
            value = self.value(branch.args["true"])
            ifs.append(exp.If(this=self.value(branch.this).sql, true=self._in_type(value, target)))
            most = max(most, value.most)
        default = node.args.get("default")
        if default is not None:
            value = self.value(default)
            most, default = max(most, value.most), self._in_type(value, target)
        return Value(exp.Case(ifs=ifs, default=default), target, most=most)

    def _coalesce(self, node: exp.Expr) -> Value:
        target = self._type(node)
        values = [self.value(part) for part in (node.this, *node.expressions)]
        first, *rest = (self._in_type(value, target) for value in values)
        return Value(exp.Coalesce(this=first, expressions=rest), target, most=max(v.most for v in values))

    def _in_type(self, value: Value, target: SqlType) -> exp.Expr:
        if value.type in (target, _NULL):
            return value.sql
        return self.query.dialect.cast(value, target, False)

    def _cast(self, node: exp.Expr) -> Value:
        target = self.types.get(_text(node)) or parse_type(node.args["to"].sql(dialect="duckdb"))
        inner, dialect = node.this, self.query.dialect
        if isinstance(inner, exp.Null):
            return Value(exp.Cast(this=exp.Null(), to=dialect.type_of(target)), target)
        if isinstance(inner, exp.Literal) and inner.is_string and target.kind != "text":
            return _constant(inner.name, target, dialect)
        value = self.value(inner)
        most = min(value.most, most_of(target)) if value.type.kind == "integer" else most_of(target)
        if value.type == target:
            return replace(value, most=most)
        return Value(dialect.cast(value, target, isinstance(node, exp.TryCast)), target, most=most)

    # --- functions -----------------------------------------------------------------------------

    def _function(self, node: exp.Expr) -> Value:
        name, arguments = _called(node)
        function = self.query.dialect.functions.get(name)
        if function is None:
            raise Unavailable(f"the function {name} is not available")
        if name == "count" and len(arguments) == 1 and isinstance(arguments[0], exp.Star):
            return Value(exp.Count(this=exp.Star()), _BIGINT, most=most_of(_BIGINT))
        if name == "count" and len(arguments) == 1 and isinstance(arguments[0], exp.Distinct):
            different = exp.Distinct(expressions=[self.value(one).sql for one in arguments[0].expressions])
            return Value(exp.Count(this=different), _BIGINT, most=most_of(_BIGINT))
        values = [self.value(argument) for argument in arguments]
        if name in _OF_CONSTANTS and all(value.constant is not None for value in values):
            [[folded]] = self.query.ask(f"SELECT {_text(node)}")
            return Value(exp.Literal.string(str(folded)), _VARCHAR, str(folded))
        target = self._type(node)
        most = _most(name, values, target)
        return Value(function(EngineCall(name, values, target, self.query.ask)), target, most=most)

    def _window(self, node: exp.Expr) -> Value:
        """row_number() and dense_rank(), of no order, in any; and a running sum of counts."""
        name, arguments = _called(node.this)
        values = [self.value(argument) for argument in arguments]
        is_sum = name == "sum" and [value.type for value in values] == [_BIGINT] and node.args.get("order")
        if not is_sum and (name not in _RANKS or arguments):
            raise Unavailable(f"the window function {name} is not available")
        by = [self.value(part).sql for part in node.args.get("partition_by") or ()]
        order = node.args.get("order")
        any_order = exp.Order(expressions=[exp.Ordered(this=one.copy()) for one in by or [exp.Null()]])
        order_by = any_order if order is None else self.order(order)
        function = exp.Anonymous(this=name, expressions=[value.sql for value in values])
        made = exp.Window(this=function, partition_by=by, order=order_by, over="OVER")
        return Value(exp.Cast(this=made, to=self.query.dialect.type_of(_BIGINT)), _BIGINT)


_Kinds = type[exp.Expr] | tuple[type[exp.Expr], ...]
_METHODS: tuple[tuple[_Kinds, Callable[[_Scope, exp.Expr], Value]], ...] = (
    (exp.Column, _Scope._column),
    (exp.Literal, _Scope._literal),
    ((exp.Boolean, exp.Null), _Scope._word),
    (exp.Neg, _Scope._negative),
    (exp.Paren, _Scope._paren),
    (exp.Not, _Scope._not),
    ((exp.And, exp.Or), _Scope._connector),
    (_COMPARISONS, _Scope._comparison),
    (exp.Is, _Scope._is),
    (exp.Between, _Scope._between),
    (exp.In, _Scope._in),
    (exp.Case, _Scope._case),
    (exp.Coalesce, _Scope._coalesce),
    (exp.Cast, _Scope._cast),
    (exp.Window, _Scope._window),
    (exp.Dot, _Scope._function),
)


def _quoted(node: exp.Expr) -> exp.Expr:
    assert isinstance(node, exp.Column)
    if isinstance(node.this, exp.Star):
        return exp.Column(this=exp.Star(), table=exp.to_identifier(node.table, quoted=True))
    table = exp.to_identifier(node.table, quoted=True) if node.table else None
    return exp.Column(this=exp.to_identifier(node.name, quoted=True), table=table)


def _constant(text: str, target: SqlType, dialect: Dialect) -> Value:
    most = most_of(target)
    if target.kind == "integer":
        most = abs(int(text))
        if most > most_of(target):
            raise Unavailable("a number of more than 38 digits has no translation")
    return Value(dialect.constant(text, target), target, text, most)


_EXACT = ("integer", "decimal", "null")


def _check_comparable(values: Sequence[Value]) -> None:
    """Types that an engine compares without loss: the same, or exact numbers of up to 38 digits together."""
    kinds = {value.type for value in values if value.type != _NULL}
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


def _called(node: exp.Expr) -> tuple[str, list[exp.Expr]]:
    """The function of DuckDB itself that a node calls, and its arguments."""
    owner = node.this if isinstance(node, exp.Dot) else None
    function = node.args.get("expression") if isinstance(node, exp.Dot) else None
    system = isinstance(owner, exp.Dot) and (owner.this.name, owner.expression.name) == ("system", "main")
    if not system or not isinstance(function, exp.Anonymous):
        raise Unavailable("a function that is not DuckDB's own has no translation")
    return function.name.lower(), list(function.expressions)


# --- types ---------------------------------------------------------------------------------------


def _types_in(select: exp.Select, ask: Ask) -> dict[str, SqlType]:
    """The types of all expressions in a SELECT, but for those in its subqueries."""
    rows, totals = _texts(select)
    found: dict[str, SqlType] = {}
    clauses = {name: select.args[name].copy() for name in ("from_", "group") if select.args.get(name)}
    joins = [join.copy() for join in select.args.get("joins") or ()]
    for texts, kept in ((rows, ("from_",)), (totals, ("from_", "group"))):
        if not texts:
            continue
        probe = exp.Select(joins=joins, **{name: clauses[name] for name in kept if name in clauses})
        tail = probe.sql(dialect="duckdb").removeprefix("SELECT")
        items = ", ".join(f"{text} AS c{number}" for number, text in enumerate(texts))
        kinds = [str(row[1]) for row in ask(f"DESCRIBE SELECT {items} {tail}")]
        found |= {text: parse_type(kind) for text, kind in zip(texts, kinds, strict=True)}
    return found


def _texts(select: exp.Select) -> tuple[list[str], list[str]]:
    """What has a type: of single rows, and of groups, each once."""
    rows: dict[str, None] = {}
    totals: dict[str, None] = {}
    for node in _own_nodes(select):
        if isinstance(node, _TYPED) and not isinstance(getattr(node, "this", None), exp.Star):
            if isinstance(node, exp.Dot) and not isinstance(node.args["expression"], exp.Anonymous):
                continue  # system.main
            held = set(map(type, node.find_all(exp.Window)))
            if held or (isinstance(node.parent, exp.Window) and node.arg_key == "this"):
                continue
            (totals if _is_total(node) else rows)[_text(node)] = None
    return list(rows), list(totals)


def _own_nodes(select: exp.Select) -> Iterator[exp.Expr]:
    sources = (exp.Subquery, exp.Table)
    for part in select.walk(prune=lambda node: isinstance(node, sources)):
        if not isinstance(part, (*sources, exp.Select)):
            yield part


def _is_total(node: exp.Expr) -> bool:
    functions = (inner.args.get("expression") for inner in node.find_all(exp.Dot))
    return any(isinstance(one, exp.Anonymous) and one.name in _AGGREGATES for one in functions)


def _text(node: exp.Expr) -> str:
    return node.sql(dialect="duckdb")
