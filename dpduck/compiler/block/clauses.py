"""Translates the clauses of a block over private rows to SQL over released columns.

The answer is post-processing: this reader maps each key and aggregate of the block to a released column;
everything else is translated as SQL over public relations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from sqlglot import exp

from dpduck.compiler import public
from dpduck.compiler.block import grouping_sets
from dpduck.compiler.block.aggregate_calls import is_list, name_of_call
from dpduck.compiler.block.aggregates import Aggregates
from dpduck.compiler.block.differences import bound_of_difference, clamps_apart
from dpduck.compiler.block.key_space import PublicKeys
from dpduck.compiler.block.key_types import check_key_type
from dpduck.compiler.block.null_keys import declares_null, lists_null
from dpduck.compiler.block.populations import check_population, of_population
from dpduck.compiler.block.privacy_units import Owned
from dpduck.compiler.block.quantile_intervals import check_bound, check_difference, check_one, with_interval
from dpduck.compiler.block.question import Item, OrderTerm, is_bounded, released
from dpduck.compiler.block.rows import SourceRows
from dpduck.compiler.block.skipped_nulls import counted_as
from dpduck.compiler.block.written import scaled, written
from dpduck.compiler.functions import refusals
from dpduck.compiler.functions.aggregates import is_aggregate
from dpduck.compiler.functions.expressions import endpoints_of, expression
from dpduck.compiler.functions.lacking import lacking
from dpduck.compiler.parse.nodes import refusal, scalar, unwrap
from dpduck.compiler.write import column_names
from dpduck.kernel.catalog.model import ValuesDomain, fold
from dpduck.kernel.catalog.types import convert
from dpduck.kernel.errors import DpduckError, UnsupportedSqlError
from dpduck.kernel.errors.advice import BOUNDED_ROWS, Hint
from dpduck.kernel.plan.aggregates import Aggregate, Count, Mode, Quantile, Sum
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.keys import Key, Places, key_column, unique_name
from dpduck.kernel.tree import emit
from dpduck.kernel.tree.answer import AnswerExpression
from dpduck.kernel.tree.nodes import Literal

MAX_REQUESTS = 100
SHAPES = (
    "Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, "
    "or SELECT count(*), avg(x), median(x) FROM t."
)
_SET_WORDS: dict[type[exp.Expr], str] = {
    exp.Union: "UNION",
    exp.Except: "EXCEPT",
    exp.Intersect: "INTERSECT",
}
_CONSTANTS = (exp.Literal, exp.Boolean, exp.Null)  # no effect in ORDER BY
_BOUND_COLUMNS = {
    "dp_low": "low",
    "dp_interval_low": "low",
    "dp_high": "high",
    "dp_interval_high": "high",
    "dp_gap": "gap",
    "dp_p_value": "p_value",
}


def no_listing(select: exp.Select, node: exp.Expr | None = None) -> UnsupportedSqlError:
    """Return the refusal of a block that shows rows: as they are, or as a side of what another query reads.

    Input: where it shows them, if that is known.
    """
    side: exp.Expr = select
    while isinstance(side.parent, (exp.SetOperation, exp.Paren)):
        side = side.parent
    if isinstance(side, exp.SetOperation) and isinstance(side.parent, (exp.Subquery, exp.CTE)):
        word = _SET_WORDS[type(side)]
        return refusal(
            f"private rows cannot be a side of {word}",
            f"Each side of {word} is released by itself: its columns are aggregates and keys of GROUP BY.",
            "Aggregate each side, and then what they give: SELECT sum(n) FROM (SELECT count(*) AS n FROM t "
            "UNION ALL SELECT count(*) FROM s).",
            node,
        )
    return refusal(
        "private rows cannot be listed",
        "Columns of the answer are aggregates, and the keys of GROUP BY.",
        SHAPES,
        node,
    )


@dataclass
class BlockReader:
    """Maps keys and aggregates to released columns, and collects the requests of the block."""

    select: exp.Select
    owned: Owned
    aggregates: Aggregates
    public_keys: PublicKeys
    beside: Callable[[exp.Query], str] | None = None  # translates subqueries of released or public rows
    keys: list[tuple[Key, Typed]] = field(default_factory=list)
    sets: list[Places] = field(default_factory=list)  # grouping sets, if there are several
    requests: list[Aggregate] = field(default_factory=list)
    used: list[str] = field(default_factory=list)  # the columns of requests that clauses use so far
    constants: list[str] = field(default_factory=list)  # SQL of constant expressions
    _written: dict[str, AnswerExpression | None] = field(default_factory=dict)  # aliases; None: in progress

    @property
    def rows(self) -> SourceRows:
        return self.owned.rows

    # --- the context of public SQL ---------------------------------------------------------------

    def table(self, node: exp.Table) -> str | None:
        """Refuse a table: subqueries, which alone have tables, are translated as a whole."""
        raise refusals.of_source(node)

    def block(self, node: exp.Query) -> str | None:
        """Translate a subquery in an expression: its rows are public or released, and none of this block."""
        if self.beside is None:
            raise refusals.of_node(node)
        return self.beside(node)

    def constant(self, sql: str) -> None:
        """Record the SQL of a constant expression, each time that it is used."""
        self.constants.append(sql)

    def value(self, node: exp.Expr) -> AnswerExpression | None:
        """Return the released column of a key or aggregate; None if the node must be translated by parts."""
        if isinstance(node.parent, exp.Window) and node.arg_key == "this":
            return None
        if isinstance(node, exp.Anonymous) and str(node.this).lower() in _BOUND_COLUMNS:
            return self._bound(node)
        if isinstance(node, (exp.Grouping, exp.GroupingId)):
            return self._grouping(node)
        if is_aggregate(node):
            return self._aggregate(node)
        if isinstance(node, exp.Column):
            return self._column(node)
        if isinstance(node, exp.Star):
            raise self._not_a_key(node, "*")
        return self._key(node)

    def _aggregate(self, node: exp.Expr) -> AnswerExpression:
        found = self._asked(node)
        self.used += [request.column for request in found]
        if self.sets:
            return grouping_sets.total(found[0])
        columns = [released(request.column) for request in found]
        if not is_list(node):
            return columns[0]
        listed = emit.call("list_value", *(column.sql for column in columns))
        listed = f"CASE WHEN {columns[0].sql} IS NOT NULL THEN {listed} END"  # NULL without rows
        return AnswerExpression(listed, reads=frozenset().union(*(column.reads for column in columns)))

    def _asked(self, node: exp.Expr, bound: str = "") -> list[Aggregate]:
        """Return the requests of an aggregate call, with the form in which it is written.

        Input: the bound that is asked of it. A quantile has an interval only if one is.
        """
        read = self.aggregates.read(node, f"a{len(self.requests)}")  # first: it refuses what is too deep
        if self.aggregates.for_population and not self.sets:
            read = tuple(map(of_population, read))
        if self.sets:
            name, keys = name_of_call(node), self._key_names
            read = tuple(grouping_sets.with_parts(request, node, name, keys) for request in read)
        if bound in ("low", "high"):
            population = self.aggregates.for_population
            read = tuple(with_interval(request, population=population) for request in read)
        form = written(node)
        return [
            self.request(replace(request, written=form, nulls=counted_as(request, self.rows)))
            for request in read
        ]

    def request(self, request: Aggregate) -> Aggregate:
        """Add a request, or return the equal one that exists. Errors: UnsupportedSqlError for too many."""
        for place, known in enumerate(self.requests):
            if isinstance(request, Quantile) and isinstance(known, Quantile):
                interval = known.interval or request.interval
                asked = replace(known, interval=interval)
                if replace(request, column=known.column, interval=interval) == asked:
                    self.requests[place] = asked
                    return asked
            elif type(known) is type(request) and replace(request, column=known.column) == known:
                if isinstance(request, Count) and isinstance(known, Count):
                    kept = replace(request, column=known.column) if request.asks_rows else known
                    asks_units = request.asks_units or known.asks_units
                    present = request.asks_present and known.asks_present
                    self.requests[place] = replace(kept, asks_units=asks_units, asks_present=present)
                return known
        if len(self.requests) >= MAX_REQUESTS:
            raise refusal(
                f"more than {MAX_REQUESTS} aggregates", "Each needs a share of epsilon.", "Ask for fewer."
            )
        if isinstance(request, (Quantile, Mode)):  # score SQL has a column of its values beside the keys
            taken = [key.name for key, _ in self.keys]
            request = replace(request, key=replace(request.key, name=unique_name(request.key.name, taken)))
        self.requests.append(request)
        return request

    @property
    def _key_names(self) -> list[str]:
        return [exp.to_identifier(key.name).sql("duckdb") for key, _ in self.keys]

    def _bound(self, node: exp.Anonymous) -> AnswerExpression:
        """Read dp_low, dp_high, dp_gap or dp_p_value of a released number; of a mode the last two only.

        Of the difference of two numbers there is no gap.
        """
        if self.sets:
            raise grouping_sets.no_interval(str(node.this).lower(), node, self._key_names)
        argument = self._unaliased(node.expressions[0]) if len(node.expressions) == 1 else node
        bound = _BOUND_COLUMNS[str(node.this).lower()]
        if isinstance(argument, exp.Sub) and bound != "gap":
            sides = (self._unaliased(side) for side in (argument.this, argument.expression))
            first, second = (self._bounded(side, "low", node) for side in sides)
            check_difference(first, second, bound, node)
            if any(isinstance(s, Sum) and not is_bounded(s, self.owned, self.keys) for s in (first, second)):
                raise clamps_apart(node)
            population = self.aggregates.for_population
            return bound_of_difference(first, second, bound, self.owned, for_population=population)
        return released(f"{self._bounded(argument, bound, node).column}_{bound}")

    def _ratio(self, ratio: exp.Div, node: exp.Anonymous) -> DpduckError:
        """The refusal of the interval of a quotient: that of the average is known, which is one."""
        dividend, divisor = (self._unaliased(side) for side in (ratio.this, ratio.expression))
        average = written(dividend).average if is_aggregate(dividend) else ""
        counts = isinstance(divisor, exp.Count)
        mean = average if average and counts else "avg(x)"
        return refusal(
            f"{str(node.this).lower()} takes no quotient of released numbers",
            "Both of its parts have noise, and the interval of neither is that of the quotient.",
            f"Write {mean} AS a, dp_low(a), dp_high(a): an average has an interval.",
            node,
        )

    def _unaliased(self, node: exp.Expr) -> exp.Expr:
        """Return the expression that a select-list alias stands for; any other as it is."""
        node = unwrap(node)
        if isinstance(node, exp.Column) and not node.table:
            return unwrap(self._aliased(node.name) or node)
        return node

    def _bounded(self, argument: exp.Expr, bound: str, node: exp.Anonymous) -> Aggregate:
        """Return the aggregate of which a call asks for a bound. Errors: UnsupportedSqlError."""
        if isinstance(argument, exp.Div) and any(map(is_aggregate, argument.expression.walk())):
            raise self._ratio(argument, node)
        if not is_aggregate(argument):
            raise refusal(
                f"{str(node.this).lower()} takes a released aggregate, or the difference of two",
                "It says how exact one number of the answer is.",
                f"Write SELECT {scaled(argument) or 'count(*)'} AS n, dp_low(n), dp_high(n) ....",
                node,
            )
        name = str(node.this).lower()
        check_one(argument, name, node)
        request = self._asked(argument, bound)[0]
        check_bound(request, bound, name, node)
        if self.aggregates.for_population and bound in ("low", "high"):
            check_population(request, name, node)
        self.used.append(request.column)
        return request

    def _grouping(self, node: exp.Expr) -> AnswerExpression:
        """Read GROUPING(a, b), which tells totals from groups whose key is NULL."""
        named = [self._grouped(unwrap(part)) for part in node.expressions]
        places = [self._place_of(expression(part, self.rows)) for part in named]
        known = [place for place in places if place is not None]
        if len(known) < len(places) or not known:
            raise refusal(
                "GROUPING takes keys of GROUP BY",
                "It says over which of them a total is.",
                "Write GROUPING(page) beside GROUP BY ROLLUP (page).",
                node,
            )
        return grouping_sets.grouping(known, has_sets=bool(self.sets))

    def _column(self, node: exp.Column) -> AnswerExpression:
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

    def _alias(self, node: exp.Column, value: exp.Expr) -> AnswerExpression:
        """Translate the expression of a select-list alias, once for all of its uses."""
        name = fold(node.name)
        if name not in self._written:
            self._written[name] = None
            self._written[name] = public.public_expression(value, self)
        written = self._written[name]
        if written is None:
            raise refusal(
                f"alias {node.name} is defined by itself", "It has no value.", "Write it in full.", node
            )
        return written

    def _not_a_key(self, node: exp.Expr, name: str) -> DpduckError:
        if node.find_ancestor(exp.Window) is not None:
            return refusal(
                "a window function over private rows is not supported",
                "Removing a person could change the rows of others.",
                "Aggregate first: SELECT page, rank() OVER (ORDER BY count(*)) FROM visits GROUP BY page.",
                node,
            )
        if not self.keys and not any(is_aggregate(part) for part in self.select.walk()):
            return no_listing(self.select, node)
        return refusal(
            f"column {name.rpartition('.')[2]} is neither grouped nor aggregated",
            "Each column of the answer is made of keys and aggregates.",
            "Add it to GROUP BY, or leave it out.",
            node,
        )

    def _key(self, node: exp.Expr) -> AnswerExpression | None:
        """Return the released key that equals an expression: SELECT lower(page) ... GROUP BY lower(page)."""
        if not self.keys or node.find(exp.Column) is None:
            return None
        if any(is_aggregate(part) for part in node.walk()):
            return None
        typed = None
        try:
            typed = expression(node, self.rows)
        except DpduckError:
            return None  # the caller translates its parts, each of which must be a key
        return self._key_of(typed)

    def _key_of(self, value: Typed) -> AnswerExpression | None:
        place = self._place_of(value)
        return None if place is None else released(key_column(place))

    def _place_of(self, value: Typed) -> int | None:
        """Return the index of the key that equals an expression."""
        return next((place for place, (_, typed) in enumerate(self.keys) if typed.node == value.node), None)

    def _aliased(self, name: str) -> exp.Expr | None:
        """Return the expression of the select item with that alias."""
        for node in self.select.expressions:
            if isinstance(node, exp.Alias) and fold(node.alias) == fold(name):
                return unwrap(node.this)
        return None

    # --- clauses ---------------------------------------------------------------------------------

    def read_keys(self) -> None:
        """Read GROUP BY: columns, expressions, aliases, positions or ALL, and sets of them."""
        group = self.select.args.get("group")
        if group is None and not self._lists_keys():
            return
        if group is None:
            group = exp.Group(all=True)
        sets = [self._read_set(terms) for terms in grouping_sets.sets_of(group)]
        self.sets = sets if len(sets) > 1 else []
        nodes = [self._grouped(unwrap(node)) for node in (group.expressions if not sets else ())]
        if group.args.get("all") and not group.expressions:
            plain = [of_item(node) for node in self.select.expressions]
            nodes = [node for node in plain if not any(map(self._is_released, node.walk()))]
            nodes = [node for node in nodes if node.find(exp.Column) is not None]
        for node in nodes:
            self.add_key(node)
        if not self.keys:
            raise refusal("GROUP BY names no key", "There is nothing to group by.", SHAPES, group)

    def _read_set(self, terms: grouping_sets.Terms) -> Places:
        """Add the keys of a grouping set, and return their places."""
        return tuple(dict.fromkeys(self.add_key(self._grouped(unwrap(term))) for term in terms))

    def _is_released(self, node: exp.Expr) -> bool:
        """Whether a node is a number of the answer: an aggregate, its interval, or an alias of such."""
        if isinstance(node, exp.Anonymous) and str(node.this).lower() in _BOUND_COLUMNS:
            return True
        if isinstance(node, exp.Column) and not node.table and not self.rows.known(node):
            aliased = self._aliased(node.name)
            return aliased is not None and any(map(is_aggregate, aliased.walk()))
        return is_aggregate(node)

    def _lists_keys(self) -> bool:
        """Whether the block is SELECT DISTINCT without aggregates, which means GROUP BY ALL."""
        plain = not any(is_aggregate(part) for node in self.select.expressions for part in node.walk())
        return plain and self.select.args.get("distinct") is not None

    def _grouped(self, node: exp.Expr) -> exp.Expr:
        """Resolve a GROUP BY term. As in DuckDB, a table column takes precedence over an alias."""
        if isinstance(node, exp.Literal) and not node.is_string:
            return self.item(node)
        if isinstance(node, exp.Column) and not node.table and not self.rows.known(node):
            return self._aliased(node.name) or node
        return node

    def item(self, node: exp.Literal) -> exp.Expr:
        """Return the expression of the select item at that position, counted from 1."""
        number = scalar(node)
        if isinstance(number, int) and 1 <= number <= len(self.select.expressions):
            return of_item(self.select.expressions[number - 1])
        raise refusal(
            f"there is no column {node.this} in the answer",
            f"It has {len(self.select.expressions)}.",
            "Use a number from 1 on.",
            node,
        )

    def add_key(self, node: exp.Expr) -> int:
        """Add a key unless it is known, and return its place."""
        if any(map(is_aggregate, node.walk())):
            raise refusal(
                "GROUP BY takes a column or an expression of the rows",
                "Aggregates are computed after grouping.",
                "Write GROUP BY region, or GROUP BY 1 for the first column of the answer.",
                node,
            )
        value = self.aggregates.with_values(expression(node, self.rows))
        if value.domain is None:
            value = replace(value, lacks=lacking(node, self.aggregates))
        if self.aggregates.is_unit(value) and self.select.find_ancestor(exp.Select) is not None:
            raise refusal(
                f"a subquery that groups by the privacy unit {node.sql()} is not supported",
                "What is computed for each of its values is one person's, and is not computed apart.",
                Hint.of(
                    "Write avg(x) or median(x), in which each unit has the same weight, or ",
                    BOUNDED_ROWS,
                    ", without a subquery.",
                ),
                node,
            )
        self.aggregates.check_not_unit(value, node)
        check_key_type(value, node)
        place = self._place_of(value)
        if place is not None:
            return place
        alias = "" if isinstance(node, exp.Column) else self._alias_of(node)
        name = node.name if isinstance(node, exp.Column) else alias
        taken = [key.name for key, _ in self.keys]
        # Of a domain of which no value is left, an expression may have none: then it is not narrowed here.
        left = self.aggregates.with_values(expression(node, self.public_keys.rows)).domain or value.domain
        if left is None and isinstance(value.node, Literal) and value.node.value is not None:
            left = ValuesDomain((convert(value.node.value, value.type),))  # 'all' AS segment
            value = replace(value, domain=left)
        if left is None:
            left = self.public_keys.whole_numbers(value.node, endpoints_of(node, self.aggregates))
        rows, own = self.public_keys.rows, unique_name(name, taken)
        nulls = lists_null(value.node, rows), declares_null(value.node, rows)
        self.keys.append((Key(own, value.type.name, left, value.domain, *nulls, alias=alias), value))
        return len(self.keys) - 1

    def _alias_of(self, node: exp.Expr) -> str:
        for item in self.select.expressions:
            if isinstance(item, exp.Alias) and unwrap(item.this) == node:
                return item.alias
        return ""

    def read_items(self) -> list[Item]:
        """Read the select list."""
        if not self.select.expressions:
            raise refusal("the select list is empty", "There is nothing to answer.", SHAPES)
        return [self._item(node) for node in self.select.expressions]

    def _item(self, node: exp.Expr) -> Item:
        value = of_item(node)
        translated = public.public_expression(value, self)  # first: it refuses what is too large to name
        name = node.alias if isinstance(node, exp.Alias) and node.alias else column_names.name_of(value)
        return Item(name, translated)

    def read_order(self) -> list[OrderTerm]:
        """Read ORDER BY. As in DuckDB, an alias takes precedence over a table column."""
        order = self.select.args.get("order")
        if order is None:
            return []
        return [term for node in order.expressions for term in self._ordered(node)]

    def _ordered(self, node: exp.Ordered) -> list[OrderTerm]:
        value = unwrap(node.this)
        if isinstance(value, exp.Var):  # ORDER BY ALL
            items = [of_item(item) for item in self.select.expressions]
            return [self._order(item, node) for item in items if not isinstance(item, _CONSTANTS)]
        if isinstance(value, exp.Literal) and not value.is_string:
            value = self.item(value)
        elif isinstance(value, exp.Column) and not value.table:
            value = self._aliased(value.name) or value
        return [] if isinstance(value, _CONSTANTS) else [self._order(value, node)]

    def _order(self, value: exp.Expr, node: exp.Ordered) -> OrderTerm:
        translated = public.public_expression(value, self)
        return OrderTerm(translated, bool(node.args.get("desc")), public.nulls_suffix(node))


def of_item(node: exp.Expr) -> exp.Expr:
    """Return the expression of a select item, without its alias."""
    return unwrap(node.this if isinstance(node, exp.Alias) else node)


def _mentions(node: exp.Expr, name: str) -> bool:
    """Whether an expression contains an unqualified column of that name, as in SELECT x + 1 AS x."""
    return any(not column.table and fold(column.name) == fold(name) for column in node.find_all(exp.Column))
