"""Translate a catalog query from Postgres's SQL to DuckDB's SQL on the gateway's own tables.

The tree is first checked against an allow-list. Then each node is rewritten once, innermost first; a
name outside the catalog, or a function that is not listed, is refused. The text is generated anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from dpduck.compiler.parse.postgres_names import root_selects
from dpduck.compiler.validate import within_bounds
from dpduck.doors.gateway.pg_catalog.casts import array_of, rewrite_cast, shown_column
from dpduck.doors.gateway.pg_catalog.functions import rewrite_call, rewrite_from_call, rewrite_unnest
from dpduck.doors.gateway.pg_catalog.naming import name_projections
from dpduck.doors.gateway.pg_catalog.nodes import builtin, call, cast, literal, unwrap
from dpduck.doors.gateway.pg_catalog.ordering import order_columns
from dpduck.doors.gateway.pg_catalog.parameters import Parameters
from dpduck.doors.gateway.pg_catalog.reading import write
from dpduck.doors.gateway.pg_catalog.vocabulary import NODES, OID, TEXT, VECTORS, Vocabulary
from dpduck.kernel.errors import UnknownNameError, UnsupportedSqlError

_SCHEMAS = {"pg_catalog": "pg", "information_schema": "info"}
_PLAIN = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_HINT = "Catalog queries are SELECTs on pg_catalog and information_schema."
_MOST_TABLES = 60
_MOST_NESTED = 7
_MOST_JSONS = 10

_OPERATORS: dict[str, Callable[[exp.Expr, exp.Expr], exp.Expr]] = {
    "~": lambda a, b: builtin("regexp_matches", a, b),
    "~*": lambda a, b: builtin("regexp_matches", a, b, literal("i")),
    "!~": lambda a, b: exp.Not(this=builtin("regexp_matches", a, b)),
    "!~*": lambda a, b: exp.Not(this=builtin("regexp_matches", a, b, literal("i"))),
    "~~": lambda a, b: _matched(a, b, "s"),
    "!~~": lambda a, b: exp.Not(this=_matched(a, b, "s")),
    "~~*": lambda a, b: _matched(a, b, "si"),
    "!~~*": lambda a, b: exp.Not(this=_matched(a, b, "si")),
    "=": lambda a, b: exp.EQ(this=a, expression=b),
    "<>": lambda a, b: exp.NEQ(this=a, expression=b),
    "<": lambda a, b: exp.LT(this=a, expression=b),
    ">": lambda a, b: exp.GT(this=a, expression=b),
    "<=": lambda a, b: exp.LTE(this=a, expression=b),
    ">=": lambda a, b: exp.GTE(this=a, expression=b),
    "+": lambda a, b: exp.Add(this=a, expression=b),
    "-": lambda a, b: exp.Sub(this=a, expression=b),
    "*": lambda a, b: exp.Mul(this=a, expression=b),
    "||": lambda a, b: exp.DPipe(this=a, expression=b),
}
_WHO: dict[type[exp.Expr], str] = {
    exp.CurrentUser: "current_user",
    exp.SessionUser: "session_user",
    exp.CurrentRole: "current_role",
    exp.CurrentSchema: "current_schema",
    exp.CurrentCatalog: "current_catalog",
}


_CLOCKS: dict[type[exp.Expr], str] = {
    exp.CurrentTimestamp: "TIMESTAMPTZ",
    exp.Localtimestamp: "TIMESTAMP",
    exp.CurrentDate: "DATE",
    exp.CurrentTime: "TIME",
    exp.Localtime: "TIME",
}


@dataclass(frozen=True)
class Translated:
    """DuckDB's SQL, the types of its parameters, and the names and types that Postgres has for its columns.

    `columns`: None if the query has `*`; a type is None if it is DuckDB's own.
    """

    sql: str
    parameters: tuple[str, ...]
    columns: tuple[tuple[str, str | None], ...] | None


def translate(tree: exp.Query, vocabulary: Vocabulary, database: str) -> Translated:
    """Translate a tree, which is modified. Input: `database`: what the client calls the one it is in.

    Errors: UnsupportedSqlError, UnknownNameError.
    """
    nodes = list(within_bounds(tree))
    _check(nodes)
    columns = name_projections(tree, vocabulary)
    rewriter = _Rewriter(tree, vocabulary, Parameters(vocabulary), database)
    root = rewriter.run()
    return Translated(write(order_columns(root)), rewriter.parameters.types(), columns)


def names_of(tree: exp.Query) -> Iterator[tuple[str | None, str]]:
    """The schema and name of each table that a query reads, except those of WITH and functions."""
    local = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        if isinstance(table.this, exp.Identifier):
            schema = table.db.lower() or None
            if schema is not None or table.name.lower() not in local:
                yield schema, _folded(table.this)


def _check(nodes: list[exp.Expr]) -> None:
    if sum(type(node) is exp.Table for node in nodes) > _MOST_TABLES:
        raise UnsupportedSqlError("the catalog query is too large", hint=_HINT)
    if any(type(node) not in NODES for node in nodes):
        raise UnsupportedSqlError("this catalog query is not supported", hint=_HINT)
    _check_calls(nodes)


def _check_calls(nodes: list[exp.Expr]) -> None:
    """Check bounds on calls: a macro copies its arguments, and JSON in JSON doubles its backslashes."""
    calls = [node for node in nodes if type(node) in (exp.Anonymous, exp.Cast, exp.Like, exp.ILike)]
    if any(_depth(node) > _MOST_NESTED for node in calls):
        raise UnsupportedSqlError("calls are nested too deeply in the catalog query", hint=_HINT)
    jsons = sum(node.name.lower().startswith("json") for node in calls if type(node) is exp.Anonymous)
    recursive = any(node.args.get("recursive") for node in nodes if type(node) is exp.With)
    if jsons > (0 if recursive else _MOST_JSONS):
        raise UnsupportedSqlError("there are too many JSON values in the catalog query", hint=_HINT)


def _depth(node: exp.Expr) -> int:
    """How many calls enclose this one, within its SELECT."""
    depth, parent = 0, node.parent
    while parent is not None and not isinstance(parent, exp.Query):
        depth += isinstance(parent, (exp.Anonymous, exp.Cast, exp.Like, exp.ILike))
        parent = parent.parent
    return depth


def _folded(identifier: exp.Identifier) -> str:
    """The name as Postgres reads it: lower case unless it is quoted."""
    name = str(identifier.this)
    return name if identifier.args.get("quoted") else name.lower()


def _matched(content: exp.Expr, pattern: exp.Expr, flags: str) -> exp.Expr:
    """LIKE as a regular expression, which is matched in linear time."""
    return builtin("regexp_full_match", content, call("own", "like_pattern", pattern), literal(flags))


def _with_backslash(pattern: exp.Expr, escape: exp.Expr) -> exp.Expr:
    """Convert the pattern of LIKE ... ESCAPE '/' to one whose escape character is the backslash."""
    if not (isinstance(escape, exp.Literal) and len(str(escape.this)) == 1):
        raise UnsupportedSqlError("ESCAPE takes one character in a catalog query", hint=_HINT)
    sign = str(escape.this)
    if sign == "\\":
        return pattern
    if not sign.isalnum() and sign not in "%_":
        doubled = call("pg", "replace", pattern, literal("\\"), literal("\\\\"))
        return call("pg", "replace", doubled, literal(sign), literal("\\"))
    raise UnsupportedSqlError("ESCAPE takes a sign such as / in a catalog query", hint=_HINT)


@dataclass
class _Rewriter:
    tree: exp.Query
    vocabulary: Vocabulary
    parameters: Parameters
    database: str
    _local: set[str] = field(default_factory=set)

    def run(self) -> exp.Query:
        self._local = {_folded(c.args["alias"].this) for c in self.tree.find_all(exp.CTE)}
        holder = exp.Subquery(this=self.tree)
        for node in reversed(list(self.tree.walk(bfs=False))):
            self._visit(node)
        root = holder.this
        if any(not isinstance(unwrap(item.this), exp.Query) for item in root.find_all(exp.Any)):
            raise UnsupportedSqlError("this use of ANY is not supported in a catalog query", hint=_HINT)
        root.pop()
        return root  # type: ignore[no-any-return]

    def _visit(self, node: exp.Expr) -> None:
        handler = _HANDLERS.get(type(node))
        if handler is None:
            return
        new = handler(self, node)
        if new is not node:
            node.replace(new)

    # --- names ---

    def _identifier(self, node: exp.Expr) -> exp.Expr:
        assert isinstance(node, exp.Identifier)
        if _folded(node).startswith("own_"):  # names used within dpduck's macros
            raise UnknownNameError("names that begin with own_ are not in the catalog", hint=_HINT)
        node.set("this", _folded(node))
        node.set("quoted", True)
        return node

    def _column(self, node: exp.Expr) -> exp.Expr:
        node.set("db", None)
        node.set("catalog", None)
        if isinstance(node.this, exp.Star):
            return node
        if not node.args.get("table") and node.name in ("user", "current_role"):
            return call("pg", node.name)
        if node.name in ("xmin", "xmax", "ctid", "tableoid", "cmin", "cmax"):
            return self._hidden_column(node)
        return shown_column(node, self.vocabulary)

    def _hidden_column(self, node: exp.Expr) -> exp.Expr:
        if node.name != "tableoid":
            return exp.Literal.number(0)
        select = node.find_ancestor(exp.Select)
        tables = [] if select is None else list(select.find_all(exp.Table))
        wanted = node.args["table"].name if node.args.get("table") else None
        for table in tables:
            if wanted in (None, table.alias_or_name) and isinstance(table.this, exp.Identifier):
                return call("pg", "to_regclass", literal(table.name))
        return exp.Literal.number(0)

    def _table(self, node: exp.Expr) -> exp.Expr:
        if not isinstance(node.this, exp.Identifier):
            return rewrite_from_call(node, node)
        schema, name = node.args.get("db"), node.name
        node.set("only", None)
        if node.text("catalog") not in ("", self.database):
            raise UnknownNameError("other databases cannot be read", hint=_HINT)
        if schema is None and name in self._local:
            return _renamed(node, f"with {name}")
        node.set("catalog", None)
        own = "pg" if schema is None else _SCHEMAS.get(schema.name)
        if own is None or name not in self.vocabulary.relations[own]:
            raise UnknownNameError(f"{_said(name)} is not in the catalog", hint=_HINT)
        node.set("db", exp.to_identifier(own, quoted=True))
        return node

    def _cte(self, node: exp.Expr) -> exp.Expr:
        alias = node.args["alias"]
        alias.set("this", exp.to_identifier(f"with {alias.name}", quoted=True))
        return node

    def _lateral(self, node: exp.Expr) -> exp.Expr:
        inner = node.this
        if isinstance(inner, exp.Subquery):
            return node
        return rewrite_from_call(node, exp.Table(this=inner, ordinality=node.args.get("ordinality")))

    def _unnest(self, node: exp.Expr) -> exp.Expr:
        return node if isinstance(node.parent, exp.Lateral) else rewrite_unnest(node, node)

    # --- calls ---

    def _call(self, node: exp.Expr) -> exp.Expr:
        assert isinstance(node, exp.Anonymous)
        return rewrite_call(node, self.vocabulary)

    def _dot(self, node: exp.Expr) -> exp.Expr:
        if isinstance(node.this, exp.Identifier):
            if node.this.name not in (*_SCHEMAS, "public"):
                raise UnknownNameError(f"there is no schema {_said(node.this.name)}", hint=_HINT)
            called: exp.Expr = node.expression
            return called
        return node

    def _clock(self, node: exp.Expr) -> exp.Expr:
        """The time in UTC, as the connection's time zone is."""
        moment, kind = builtin("now"), _CLOCKS[type(node)]
        return moment if kind == "TIMESTAMPTZ" else cast(cast(moment, "TIMESTAMP"), kind)

    def _exists(self, node: exp.Expr) -> exp.Expr:
        """EXISTS (SELECT FROM t): no column is needed."""
        for select in root_selects(node.this):
            if not select.expressions:
                select.set("expressions", [exp.Literal.number(1)])
        return node

    def _who(self, node: exp.Expr) -> exp.Expr:
        return call("pg", _WHO[type(node)])

    # --- operators ---

    def _operator(self, node: exp.Expr) -> exp.Expr:
        name = str(node.args["operator"]).lower().removeprefix("pg_catalog.")
        if name not in _OPERATORS:
            raise UnsupportedSqlError("this operator is not supported in a catalog query", hint=_HINT)
        return _OPERATORS[name](node.this, node.expression)

    def _equal(self, node: exp.Expr) -> exp.Expr:
        right = node.expression
        if not isinstance(right, exp.Any) or isinstance(unwrap(right.this), exp.Query):
            return node
        return self._contains(right.this, node.this)

    def _unequal(self, node: exp.Expr) -> exp.Expr:
        right = node.expression
        if isinstance(right, exp.Anonymous) and right.name.lower() == "all" and len(right.expressions) == 1:
            return exp.Not(this=self._contains(right.expressions[0], node.this))
        return node

    def _contains(self, items: exp.Expr, item: exp.Expr) -> exp.Expr:
        items, inner = unwrap(items), unwrap(item)
        if isinstance(items, exp.Literal):
            of = TEXT if not isinstance(inner, exp.Literal) or inner.is_string else OID
            if isinstance(inner, exp.Column):
                of = self.vocabulary.columns.get(inner.name, TEXT)
            items = array_of(str(items.this), f"{of}[]")
        return builtin("list_contains", items, item)

    def _joined(self, node: exp.Expr) -> exp.Expr:
        """Postgres's || treats a NULL array as empty."""
        sides = (node.this, node.expression)
        if any(isinstance(unwrap(side), exp.Array) or unwrap(side).name == "array" for side in sides):
            return builtin("list_concat", *sides)
        return node

    def _divided(self, node: exp.Expr) -> exp.Expr:
        """Postgres truncates the quotient of two integers."""
        left, right = unwrap(node.this), unwrap(node.expression)
        whole = isinstance(left, exp.Cast) and left.to.is_type(*exp.DataType.INTEGER_TYPES)
        if whole and isinstance(right, exp.Literal) and right.is_int:
            return exp.IntDiv(this=node.this, expression=right)
        return node

    def _like(self, node: exp.Expr) -> exp.Expr:
        if isinstance(node.expression, exp.Any):
            raise UnsupportedSqlError("LIKE ANY is not supported in a catalog query", hint=_HINT)
        pattern = node.expression
        if isinstance(node.parent, exp.Escape):
            pattern = _with_backslash(pattern, node.parent.expression)
        found = _matched(node.this, pattern, "si" if isinstance(node, exp.ILike) else "s")
        return exp.Not(this=found) if node.args.get("negate") else found

    def _escape(self, node: exp.Expr) -> exp.Expr:
        inner: exp.Expr = node.this
        return inner

    def _match(self, node: exp.Expr) -> exp.Expr:
        flags = (literal("i"),) if isinstance(node, exp.RegexpILike) else ()
        return builtin("regexp_matches", node.this, node.expression, *flags)

    def _collate(self, node: exp.Expr) -> exp.Expr:
        inner: exp.Expr = node.this
        return inner

    def _bracket(self, node: exp.Expr) -> exp.Expr:
        """Vectors are indexed from 0."""
        column = unwrap(node.this)
        if isinstance(column, exp.Column) and self.vocabulary.declared.get(column.name) in VECTORS:
            items = [exp.Paren(this=item) for item in node.expressions]
            node.set("expressions", [exp.Add(this=i, expression=exp.Literal.number(1)) for i in items])
        return node

    # --- constants ---

    def _text(self, node: exp.Expr) -> exp.Expr:
        return literal(str(node.this))

    def _parameter(self, node: exp.Expr) -> exp.Expr:
        return self.parameters.typed(node)

    def _cast(self, node: exp.Expr) -> exp.Expr:
        return rewrite_cast(node, self.vocabulary)

    def _distinct(self, node: exp.Expr) -> exp.Expr:
        """Refuse string_agg(DISTINCT x, ','), in which the generator would treat both as one argument."""
        parent = node.parent
        if isinstance(parent, exp.Anonymous) and len(node.expressions) > 1:
            raise UnsupportedSqlError("DISTINCT takes one argument in a catalog query", hint=_HINT)
        return node


_HANDLERS: dict[type[exp.Expr], Callable[[_Rewriter, exp.Expr], exp.Expr]] = {
    exp.Identifier: _Rewriter._identifier,
    exp.Column: _Rewriter._column,
    exp.Table: _Rewriter._table,
    exp.CTE: _Rewriter._cte,
    exp.Unnest: _Rewriter._unnest,
    exp.Lateral: _Rewriter._lateral,
    exp.Anonymous: _Rewriter._call,
    exp.Dot: _Rewriter._dot,
    **dict.fromkeys(_WHO, _Rewriter._who),
    **dict.fromkeys(_CLOCKS, _Rewriter._clock),
    exp.Exists: _Rewriter._exists,
    exp.Operator: _Rewriter._operator,
    exp.EQ: _Rewriter._equal,
    exp.NEQ: _Rewriter._unequal,
    exp.DPipe: _Rewriter._joined,
    exp.Div: _Rewriter._divided,
    exp.Escape: _Rewriter._escape,
    exp.Like: _Rewriter._like,
    exp.ILike: _Rewriter._like,
    exp.RegexpLike: _Rewriter._match,
    exp.RegexpILike: _Rewriter._match,
    exp.Collate: _Rewriter._collate,
    exp.Bracket: _Rewriter._bracket,
    exp.ByteString: _Rewriter._text,
    exp.RawString: _Rewriter._text,
    exp.Parameter: _Rewriter._parameter,
    exp.Cast: _Rewriter._cast,
    exp.Distinct: _Rewriter._distinct,
}


def _renamed(table: exp.Expr, name: str) -> exp.Expr:
    """A table of WITH gets a unique name, so that it cannot be mistaken for one of DuckDB's."""
    if not table.args.get("alias"):
        table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name, quoted=True)))
    table.set("this", exp.to_identifier(name, quoted=True))
    return table


def _said(name: str) -> str:
    """The name, if it is safe to repeat in a message."""
    return name if _PLAIN.fullmatch(name) else "this name"
