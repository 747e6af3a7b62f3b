"""The block that aggregates private rows, read but not yet planned: its groups, requests and clauses.

The answer is post-processing over released columns: this reader says, for each key and aggregate in
the block, which released column it is; all else is translated as SQL over public relations.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from sqlglot import exp

from dpduck.catalog import fold
from dpduck.errors import DpduckError
from dpduck.query import emit, naming, public
from dpduck.query.aggregates import Aggregates, check_key_type, is_aggregate
from dpduck.query.expressions import expression
from dpduck.query.keys import Key, unique_name
from dpduck.query.nodes import is_literal, refusal, scalar, unwrap
from dpduck.query.owners import Owned
from dpduck.query.plan import RELEASE
from dpduck.query.requests import Count, Mode, Quantile, Request
from dpduck.query.rows import Rows
from dpduck.query.typed import Typed

MAX_REQUESTS = 100
MAX_THRESHOLD = 10**12  # no table has more units
_SHAPES = (
    "Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, "
    "or SELECT count(*), avg(x), median(x) FROM t."
)
_CONSTANTS = (exp.Literal, exp.Boolean, exp.Null)  # which order nothing
_BOUND_COLUMNS = {
    "dp_low": "low",
    "dp_interval_low": "low",
    "dp_high": "high",
    "dp_interval_high": "high",
    "dp_gap": "gap",
}


@dataclass(frozen=True)
class Item:
    """One column of the answer: its name and its SQL over released columns."""

    name: str
    sql: str


@dataclass(frozen=True)
class Order:
    """One term of ORDER BY over released columns."""

    sql: str
    descending: bool
    suffix: str  # NULLS FIRST or LAST, as written


@dataclass(frozen=True)
class Question:
    """A block in parts. `requests` by released column; `shown`: those that SELECT, HAVING or QUALIFY use.

    `grouped`: whether there is a GROUP BY. `top`: the column of counts by which the largest groups are
    asked, and how many. `above`: the column of counts and the threshold that HAVING compares it with.
    """

    owned: Owned
    keys: tuple[tuple[Key, Typed], ...]
    requests: tuple[Request, ...]
    shown: frozenset[str]
    items: tuple[Item, ...]
    grouped: bool
    having: str = ""
    qualify: str = ""
    order: tuple[Order, ...] = ()
    limit: int | None = None
    offset: int = 0
    distinct: str = ""
    top: tuple[str, int] | None = None
    above: tuple[str, int] | None = None

    def request(self, column: str) -> Request:
        """The request that is released as the column."""
        return next(request for request in self.requests if request.column == column)


def released(column: str) -> str:
    """A column of the release in the answer's SQL."""
    return f"{emit.identifier(RELEASE)}.{emit.identifier(column)}"


def key_column(number: int) -> str:
    """The released column of a key."""
    return f"k{number}"


@dataclass
class _Reader:
    """Knows the released column of each key and aggregate; collects requests as they are met."""

    select: exp.Select
    owned: Owned
    aggregates: Aggregates
    keys: list[tuple[Key, Typed]] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    met: list[str] = field(default_factory=list)  # the columns of requests that were used
    _written: dict[str, str | None] = field(default_factory=dict)  # aliases; None: being written

    @property
    def rows(self) -> Rows:
        return self.owned.rows

    # --- what public SQL asks of its caller ------------------------------------------------------

    def table(self, node: exp.Table) -> str | None:
        raise refusal(
            "a subquery is not supported here",
            "Only keys and aggregates of the groups are in sight.",
            "Join the table in FROM.",
            node,
        )

    def block(self, node: exp.Query) -> str | None:
        raise refusal(
            "a subquery is not supported here",
            "Its rows may depend on private rows of others.",
            "Join the table in FROM, or filter with WHERE.",
            node,
        )

    def value(self, node: exp.Expr) -> str | None:
        """The released column that the node stands for, None if it is made of parts."""
        if isinstance(node.parent, exp.Window) and node.arg_key == "this":
            return None
        if isinstance(node, exp.Anonymous) and str(node.this).lower() in _BOUND_COLUMNS:
            return self._bound(node)
        if is_aggregate(node):
            return self._aggregate(node)
        if isinstance(node, exp.Column):
            return self._column(node)
        if isinstance(node, exp.Star):
            raise self._not_a_key(node, "*")
        return self._key(node)

    def _aggregate(self, node: exp.Expr) -> str:
        found = [self._request(request) for request in self.aggregates.read(node, f"a{len(self.requests)}")]
        self.met += [request.column for request in found]
        columns = [released(request.column) for request in found]
        share = node.args.get("expression") or node.args.get("quantile")
        listed = isinstance(share, exp.Array)
        return emit.call("list_value", *columns) if listed else columns[0]

    def _request(self, request: Request) -> Request:
        """The request, or the one that asks the same."""
        for known in self.requests:
            if type(known) is type(request) and replace(request, column=known.column) == known:
                return known
        if len(self.requests) >= MAX_REQUESTS:
            raise refusal(
                f"more than {MAX_REQUESTS} aggregates", "Each needs a share of epsilon.", "Ask for fewer."
            )
        if isinstance(request, (Quantile, Mode)):  # its values stand beside the keys in score SQL
            taken = [key.name for key, _ in self.keys]
            request = replace(request, key=replace(request.key, name=unique_name(request.key.name, taken)))
        self.requests.append(request)
        return request

    def _bound(self, node: exp.Anonymous) -> str:
        """dp_low(n), dp_high(n), dp_gap(n) of a released number."""
        argument = unwrap(node.expressions[0]) if len(node.expressions) == 1 else node
        if isinstance(argument, exp.Column) and not argument.table:
            argument = self._aliased(argument.name) or argument
        if not is_aggregate(argument):
            raise refusal(
                f"{str(node.this).lower()} takes a released aggregate",
                "It says how exact one number of the answer is.",
                "Write SELECT count(*) AS n, dp_low(n), dp_high(n) ....",
                node,
            )
        request = self._request(self.aggregates.read(argument, f"a{len(self.requests)}")[0])
        if isinstance(request, (Quantile, Mode)):
            raise refusal(
                f"{str(node.this).lower()} takes a count, a sum or an average",
                "A value selected from the data has no interval; EXPLAIN says how far its rank is off.",
                "Leave it out.",
                node,
            )
        column = request.column
        self.met.append(column)
        return released(f"{column}_{_BOUND_COLUMNS[str(node.this).lower()]}")  # of the same release

    def _column(self, node: exp.Column) -> str:
        if isinstance(node.this, exp.Star):
            raise self._not_a_key(node, "*")
        if self.rows.known(node) or node.table:
            found = self._key_of(self.rows.resolve(node))
            if found is not None:
                return found
        aliased = None if node.table else self._aliased(node.name)
        if aliased is not None and not _mentions(aliased, node.name):
            return self._alias(node, aliased)
        value = self.rows.resolve(node)
        raise self._not_a_key(node, value.name or node.name)

    def _alias(self, node: exp.Column, value: exp.Expr) -> str:
        """What an alias of the select list stands for, written once for all of its uses."""
        name = fold(node.name)
        if name not in self._written:
            self._written[name] = None
            self._written[name] = public.public_expression(value, self)
        sql = self._written[name]
        if sql is None:
            raise refusal(
                f"alias {node.name} is defined by itself", "It has no value.", "Write it in full.", node
            )
        return sql

    def _not_a_key(self, node: exp.Expr, name: str) -> DpduckError:
        if not self.keys and not any(is_aggregate(part) for part in self.select.walk()):
            return refusal(
                "private rows cannot be listed",
                "Columns of the answer are aggregates, and the keys of GROUP BY.",
                _SHAPES,
                node,
            )
        return refusal(
            f"column {name.rpartition('.')[2]} is neither grouped nor aggregated",
            "Each column of the answer is made of keys and aggregates.",
            "Add it to GROUP BY, or leave it out.",
            node,
        )

    def _key(self, node: exp.Expr) -> str | None:
        """The key that an expression is, if it is one: GROUP BY lower(page) and SELECT lower(page)."""
        if not self.keys or node.find(exp.Column) is None:
            return None
        if any(is_aggregate(part) for part in node.walk()):
            return None
        typed = None
        try:
            typed = expression(node, self.rows)
        except DpduckError:
            return None  # made of parts, each of which must be a key
        return self._key_of(typed)

    def _key_of(self, value: Typed) -> str | None:
        for number, (_, typed) in enumerate(self.keys):
            if typed.sql == value.sql:
                return released(key_column(number))
        return None

    def _aliased(self, name: str) -> exp.Expr | None:
        """The select item of that alias."""
        for node in self.select.expressions:
            if isinstance(node, exp.Alias) and fold(node.alias) == fold(name):
                return unwrap(node.this)
        return None

    # --- clauses ---------------------------------------------------------------------------------

    def read_keys(self) -> None:
        """GROUP BY: columns, expressions, aliases, positions, ALL."""
        group = self.select.args.get("group")
        if group is None and not self._lists_keys():
            return
        if group is None:
            group = exp.Group(all=True)
        nodes = [self._grouped(unwrap(node)) for node in group.expressions]
        if group.args.get("all") and not group.expressions:
            plain = [_of_item(node) for node in self.select.expressions]
            nodes = [node for node in plain if not any(map(is_aggregate, node.walk()))]
            nodes = [node for node in nodes if node.find(exp.Column) is not None]
        for node in nodes:
            self._add_key(node)
        if not self.keys:
            raise refusal("GROUP BY names no key", "There is nothing to group by.", _SHAPES, group)

    def _lists_keys(self) -> bool:
        """SELECT DISTINCT a, b: the groups themselves."""
        plain = not any(is_aggregate(part) for node in self.select.expressions for part in node.walk())
        return plain and self.select.args.get("distinct") is not None

    def _grouped(self, node: exp.Expr) -> exp.Expr:
        """As in DuckDB, a column of the tables comes before an alias of the select list."""
        if isinstance(node, exp.Literal) and not node.is_string:
            return self.item(node)
        if isinstance(node, exp.Column) and not node.table and not self.rows.known(node):
            return self._aliased(node.name) or node
        return node

    def item(self, node: exp.Literal) -> exp.Expr:
        """The select item with that number."""
        number = scalar(node)
        if isinstance(number, int) and 1 <= number <= len(self.select.expressions):
            return _of_item(self.select.expressions[number - 1])
        raise refusal(
            f"there is no column {node.this} in the answer",
            f"It has {len(self.select.expressions)}.",
            "Use a number from 1 on.",
            node,
        )

    def _add_key(self, node: exp.Expr) -> None:
        if any(map(is_aggregate, node.walk())):
            raise refusal(
                "GROUP BY takes a column or an expression of the rows",
                "Aggregates are computed after grouping.",
                "Write GROUP BY region, or GROUP BY 1 for the first column of the answer.",
                node,
            )
        value = self.aggregates.with_values(expression(node, self.rows))
        self.aggregates.check_not_unit(value, node)
        check_key_type(value, node)
        if self._key_of(value) is not None:
            return
        name = node.name if isinstance(node, exp.Column) else self._alias_of(node)
        taken = [key.name for key, _ in self.keys]
        self.keys.append((Key(unique_name(name, taken), value.type.name, value.domain), value))

    def _alias_of(self, node: exp.Expr) -> str:
        for item in self.select.expressions:
            if isinstance(item, exp.Alias) and unwrap(item.this) == node:
                return item.alias
        return ""

    def read_items(self) -> list[Item]:
        """The select list."""
        if not self.select.expressions:
            raise refusal("the select list is empty", "There is nothing to answer.", _SHAPES)
        return [self._item(node) for node in self.select.expressions]

    def _item(self, node: exp.Expr) -> Item:
        value = _of_item(node)
        name = node.alias if isinstance(node, exp.Alias) and node.alias else naming.name_of(value)
        return Item(name, public.public_expression(value, self))

    def read_order(self) -> list[Order]:
        """ORDER BY over released columns; as in DuckDB, an alias comes before a column of the tables."""
        order = self.select.args.get("order")
        if order is None:
            return []
        return [term for node in order.expressions for term in self._ordered(node)]

    def _ordered(self, node: exp.Ordered) -> list[Order]:
        value = unwrap(node.this)
        if isinstance(value, exp.Var):  # ORDER BY ALL
            items = [_of_item(item) for item in self.select.expressions]
            return [self._order(item, node) for item in items if not isinstance(item, _CONSTANTS)]
        if isinstance(value, exp.Literal) and not value.is_string:
            value = self.item(value)
        elif isinstance(value, exp.Column) and not value.table:
            value = self._aliased(value.name) or value
        return [] if isinstance(value, _CONSTANTS) else [self._order(value, node)]

    def _order(self, value: exp.Expr, node: exp.Ordered) -> Order:
        sql = public.public_expression(value, self)
        return Order(sql, bool(node.args.get("desc")), public.nulls_suffix(node))


def _of_item(node: exp.Expr) -> exp.Expr:
    return unwrap(node.this if isinstance(node, exp.Alias) else node)


def _mentions(node: exp.Expr, name: str) -> bool:
    """Whether an alias would be replaced by itself: SELECT x + 1 AS x."""
    return any(not column.table and fold(column.name) == fold(name) for column in node.find_all(exp.Column))


def read_question(
    select: exp.Select, owned: Owned, aggregates: Aggregates, outer_top: tuple[str, int] | None = None
) -> Question:
    """Read the block.

    Input: `outer_top`: the output column and the number of rows that an outer query keeps of it.
    Errors: UnsupportedSqlError, UnknownNameError, PolicyError.
    """
    reader = _Reader(select, owned, aggregates)
    special = _listed(select, reader)
    if special is not None:
        return special
    reader.read_keys()
    items = reader.read_items()
    having = _clause(select, "having", reader)
    qualify_top = _qualify_top(select, reader)
    uncounted = set(reader.met)
    qualify = _clause(select, "qualify", reader)
    order = reader.read_order()
    limit, offset = public.constant_limit(select)
    grouped = select.args.get("group") is not None or bool(reader.keys)
    top = _top(reader, order, limit, offset) or qualify_top or _outer(reader, items, outer_top)
    if not reader.requests and not grouped:
        raise refusal(
            "private rows cannot be listed",
            "Columns of the answer are aggregates, and the keys of GROUP BY.",
            _SHAPES,
        )
    shown = uncounted if qualify_top and top == qualify_top else uncounted | _used(qualify, reader)
    return Question(
        owned,
        tuple(reader.keys),
        tuple(reader.requests),
        frozenset(shown),
        tuple(items),
        grouped,
        having,
        "" if qualify_top and top == qualify_top else qualify,
        tuple(order),
        limit,
        offset,
        _distinct(select, reader),
        top if grouped else None,
        _above(select, reader) if grouped else None,
    )


def _distinct(select: exp.Select, reader: _Reader) -> str:
    """DISTINCT or DISTINCT ON (...), as it stands before the select list."""
    distinct = select.args.get("distinct")
    if distinct is None:
        return ""
    on = distinct.args.get("on")
    if on is None:
        return "DISTINCT "
    terms = ", ".join(public.public_expression(node, reader) for node in on.expressions)
    return f"DISTINCT ON ({terms}) "


def _used(sql: str, reader: _Reader) -> set[str]:
    return {request.column for request in reader.requests if released(request.column) in sql}


def _clause(select: exp.Select, name: str, reader: _Reader) -> str:
    clause = select.args.get(name)
    return "" if clause is None else public.public_expression(clause.this, reader)


# --- the largest groups --------------------------------------------------------------------------


def _top(reader: _Reader, order: list[Order], limit: int | None, offset: int) -> tuple[str, int] | None:
    """ORDER BY count(*) DESC LIMIT k OFFSET o: the k + o largest."""
    if limit is None or not order or not order[0].descending:
        return None
    column = _units_column(order[0].sql, reader)
    return None if column is None or limit + offset < 1 else (column, limit + offset)


def _units_column(sql: str, reader: _Reader) -> str | None:
    """The request that counts units, if the SQL is its released column: only such can be ranked."""
    for request in reader.requests:
        if released(request.column) == sql and isinstance(request, Count) and request.rows is None:
            return request.column
    return None


def _qualify_top(select: exp.Select, reader: _Reader) -> tuple[str, int] | None:
    """QUALIFY row_number() OVER (ORDER BY count(*) DESC) <= k."""
    clause = select.args.get("qualify")
    test = unwrap(clause.this) if clause is not None else None
    if not isinstance(test, (exp.LTE, exp.LT)):
        return None
    window, bound = unwrap(test.this), unwrap(test.args["expression"])
    number = scalar(bound) if is_literal(bound) else None
    plain = isinstance(window, exp.Window) and isinstance(window.this, exp.RowNumber)
    if not plain or window.args.get("partition_by") or not isinstance(number, int):
        return None
    order = window.args.get("order")
    first = order.expressions[0] if order is not None and order.expressions else None
    if not isinstance(first, exp.Ordered) or not first.args.get("desc"):
        return None
    column = _units_column(public.public_expression(first.this, reader), reader)
    k = number if isinstance(test, exp.LTE) else number - 1
    return None if column is None or k < 1 else (column, k)


def _outer(reader: _Reader, items: list[Item], outer: tuple[str, int] | None) -> tuple[str, int] | None:
    """An outer query that sorts by one of our counts and keeps k rows."""
    if outer is None or reader.select.args.get("limit") is not None:
        return None
    for item in items:
        if fold(item.name) == fold(outer[0]):
            column = _units_column(item.sql, reader)
            return None if column is None else (column, outer[1])
    return None


def _above(select: exp.Select, reader: _Reader) -> tuple[str, int] | None:
    """HAVING count(*) > T: the count, and the least number that passes."""
    clause = select.args.get("having")
    test = unwrap(clause.this) if clause is not None else None
    if isinstance(test, (exp.LT, exp.LTE)):
        mirror = exp.GT if isinstance(test, exp.LT) else exp.GTE
        test = mirror(this=test.args["expression"], expression=test.this)
    if not isinstance(test, (exp.GT, exp.GTE)) or not is_literal(test.args["expression"]):
        return None
    bound = scalar(test.args["expression"])
    if not isinstance(bound, int) or isinstance(bound, bool) or is_literal(test.this):
        return None
    column = _units_column(public.public_expression(test.this, reader), reader)
    if column is None or not 0 < bound <= MAX_THRESHOLD:
        return None
    return column, bound + isinstance(test, exp.GT)


# --- lists of groups as one value ----------------------------------------------------------------


def _listed(select: exp.Select, reader: _Reader) -> Question | None:
    """SELECT approx_top_k(x, 10) and SELECT histogram(x): groups, handed out as one list or map."""
    if len(select.expressions) != 1:
        return None
    node = _of_item(select.expressions[0])
    histogram = isinstance(node, exp.Anonymous) and str(node.this).lower() == "histogram"
    if not histogram and not isinstance(node, exp.ApproxTopK):
        return None
    for clause in ("group", "having", "qualify", "order", "distinct", "limit", "offset"):
        if select.args.get(clause) is not None:
            raise refusal(
                f"{clause.upper()} is not supported beside {naming.name_of(node)}",
                "The answer is one row.",
                "Write GROUP BY x with count(*) instead.",
                select,
            )
    arguments = node.expressions if isinstance(node, exp.Anonymous) else [node.this]
    if len(arguments) != 1:
        raise refusal("histogram takes one argument", "Its keys are all values.", "Write histogram(x).", node)
    reader._add_key(unwrap(arguments[0]))
    count = reader._request(Count("a0", ()))
    alias = select.expressions[0]
    name = alias.alias if isinstance(alias, exp.Alias) else naming.name_of(node)
    keys = released(key_column(0))
    if histogram:
        units = released(count.column)
        sizes = f"CAST(CASE WHEN {units} > 0 THEN {units} ELSE 0 END AS UBIGINT)"
        sql = emit.call("map", emit.call("list", keys), emit.call("list", sizes))
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
        every = f"system.main.list({keys} ORDER BY {released(count.column)} DESC)"
        sql = emit.call("list_slice", every, "1", str(k))
        shown, top = set(), (count.column, k)
    items = (Item(name, sql),)
    return Question(
        reader.owned, tuple(reader.keys), tuple(reader.requests), frozenset(shown), items, True, top=top
    )
