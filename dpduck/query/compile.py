"""Compiles a validated query into a typed plan: finds the block that reads private rows, and plans it.

A statement is a tree of blocks. The innermost ones may filter and project private rows; one block
aggregates them, which is the release; all blocks around it are post-processing of the release. Any other
structure is refused, and no text of the query is copied into generated SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlglot import exp

from dpduck.catalog.model import Catalog, Table, fold
from dpduck.errors import PolicyError
from dpduck.errors.advice import Hint
from dpduck.query import public
from dpduck.query.block.aggregates import Aggregates
from dpduck.query.block.asks_beside import asks_beside, words_of
from dpduck.query.block.emptiness import (
    reason_to_keep_nothing,
    reason_to_list_nothing,
    reason_to_select_nothing,
    reason_to_show_nothing,
)
from dpduck.query.block.from_clause import check_open, find_table, read_rows
from dpduck.query.block.inline import inline
from dpduck.query.block.key_space import PublicKeys
from dpduck.query.block.listing import PREVIEW, PREVIEW_NOTICE, empty_listing
from dpduck.query.block.missing import together
from dpduck.query.block.pivot import without_pivots
from dpduck.query.block.privacy_units import Owned, own
from dpduck.query.block.read import read_question
from dpduck.query.block.unit_local import is_unit_local, scope_of
from dpduck.query.functions.aggregates import is_aggregate
from dpduck.query.parse.nodes import is_literal, refusal, scalar, unwrap
from dpduck.query.plan.model import RELEASE, Plan, PublicPlan, Quotient
from dpduck.query.plan.names import requests_of
from dpduck.query.plan.public_facts import PublicValues
from dpduck.query.planner.answer_sql import no_rows
from dpduck.query.planner.choose import QueryBudget, choose
from dpduck.query.tree import emit
from dpduck.query.tree.answer import AnswerExpression
from dpduck.query.validate import ValidSelect

# Tables that a query may read if it reads no other.
REPORTS = ("dp_budget", "dp_ledger", "dp_policies")
NAMES = ("information_schema.tables", "information_schema.columns")
_REPORT = "report"  # the key in `meta` of a table node that is a report


@dataclass(frozen=True)
class QueryLimits:
    """The limits that the caller sets: epsilon and delta of the query, and a bound on groups per unit.

    `preview`: a query that lists private rows has an empty answer instead of a refusal.
    """

    epsilon: Fraction
    delta: Fraction = Fraction(0)
    groups: int | None = None
    unit: str | None = None  # the unit column that the query names, which must be that of the policy
    preview: bool = False


def make_plan(
    select: ValidSelect, catalog: Catalog, limits: QueryLimits, facts: PublicValues
) -> Plan | PublicPlan:
    """Return the plan of a query. It reads no private data.

    Input: `facts`: facts about the rows of public tables.
    Errors: UnsupportedSqlError, UnknownNameError, PolicyError.
    """
    query, statement, sql = _read(select, catalog, limits, facts)
    if statement.plan is None:
        return statement.public(sql)
    if statement.whole:
        return statement.plan
    constants = (*statement.plan.constants, *statement.constants)
    return replace(
        statement.plan,
        answer_sql=sql,
        shown=_passed_on(query, statement),
        quotients=(*statement.plan.quotients, *_divided(query, statement)),
        plain=False,
        shows_all=False,
        constants=constants,
    )


def plans_by_epsilon(
    select: ValidSelect, catalog: Catalog, limits: QueryLimits, facts: PublicValues
) -> Callable[[Fraction], Plan | PublicPlan]:
    """Return a function from epsilon to the query's plan, which analyses the query only once.

    The plans lack the SQL of outer queries around the release.
    Input and errors: as of `make_plan`.
    """
    _, statement, sql = _read(select, catalog, limits, facts)
    choose_at = statement.choose_at
    return choose_at if choose_at is not None else lambda _: statement.public(sql)


def _read(
    select: ValidSelect, catalog: Catalog, limits: QueryLimits, facts: PublicValues
) -> tuple[exp.Query, _Statement, str]:
    """Return the query with its CTEs inlined, the analysed statement, and its public SQL."""
    statement = _Statement(catalog, limits, facts)
    query = _with_reports(inline(select.expression, catalog))
    query = without_pivots(query, catalog, facts, statement.reads_rows)
    try:
        return query, statement, public.public_query(query, statement)
    except _UsedTwice:  # the uses need different groups, so no outer LIMIT may narrow the release
        statement = _Statement(catalog, limits, facts, narrowed=False)
    return query, statement, public.public_query(query, statement)


def _with_reports(query: exp.Query) -> exp.Query:
    """Replace dp_budget() and the like by tables of these names, and mark them and `NAMES` as reports."""
    for table in list(query.find_all(exp.Table)):
        call = table.this
        name = f"{table.db}.{table.name}".lower()
        if name in NAMES and not table.catalog:
            table.set("db", None)
            table.meta[_REPORT] = name
        if isinstance(call, exp.Anonymous) and call.name.lower() in REPORTS and not call.expressions:
            table.set("this", exp.to_identifier(call.name.lower(), quoted=True))
            table.meta[_REPORT] = call.name.lower()
    return query


class _UsedTwice(Exception):  # noqa: N818 (a signal, not an error)
    """The block of the release is used again, under another outer ORDER BY with LIMIT."""


class _Statement:
    """The context of public SQL for a whole statement: it resolves tables, and the block of the release.

    `narrowed`: an outer ORDER BY with LIMIT restricts the release to the largest groups.
    """

    def __init__(
        self, catalog: Catalog, limits: QueryLimits, facts: PublicValues, *, narrowed: bool = True
    ) -> None:
        self._narrowed = narrowed
        self._catalog = catalog
        self._limits = limits
        self._facts = facts
        self._block: exp.Select | None = None
        self._outer: tuple[str, int] | None = None
        self.plan: Plan | None = None
        self.choose_at: Callable[[Fraction], Plan | PublicPlan] | None = None  # by epsilon
        self.whole = False  # the release is the whole statement
        self.constants: list[str] = []
        self._public: list[Table] = []
        self._report: str | None = None
        self._public_reason = ""
        self._notice: Hint | None = None
        self._unit_local: dict[int, tuple[exp.Select, bool]] = {}

    def public(self, sql: str) -> PublicPlan:
        """Return the plan of a statement without a release."""
        if self._report is not None:
            source = "names and types" if self._report in NAMES else "the ledger"
            return PublicPlan(sql, f"the query reads {source} only, and costs nothing", self._report)
        read = tuple(dict.fromkeys(self._public))
        if self._public_reason:
            return PublicPlan(sql, self._public_reason, tables=read, notice=self._notice)
        return PublicPlan(sql, tables=read)

    def table(self, node: exp.Table) -> str | None:
        if _REPORT in node.meta:
            return self._read_report(node.meta[_REPORT], node)
        table = find_table(node, self._catalog)
        check_open(table, node)
        if table.private:
            raise refusal(
                f"table {table.name} is private",
                "Its rows are only counted and measured, in a block of their own.",
                "Write SELECT key, count(*) FROM t GROUP BY key, as a query or a subquery.",
                node,
            )
        self._public.append(table)
        self._check_apart(node)
        return emit.table_name(table)

    def _read_report(self, name: str, node: exp.Expr) -> str:
        """Return the SQL name of a report, which is in a database of its own, without any other table."""
        if self._public or self.plan is not None or self._report not in (None, name):
            raise _not_apart(name, node)
        self._report = name
        return emit.identifier(RELEASE)

    def value(self, node: exp.Expr) -> AnswerExpression | None:  # noqa: ARG002 (nothing outside the release is known)
        return None

    def constant(self, sql: str) -> None:
        self.constants.append(sql)

    def is_release(self, node: exp.Expr) -> bool:
        """Whether a query is the block that aggregates private rows, or the same once more."""
        return self._block is not None and node == self._block

    def block(self, node: exp.Query) -> str | None:
        """Return the answer SQL of the release if the block aggregates private rows, else None."""
        if not isinstance(node, exp.Select) or not self.reads_rows(node):
            return None
        _check_no_report(node)
        listed = self._listing(node)
        if listed is not None:
            self._public_reason, self._notice = listed.reason, listed.notice
            return listed.sql
        if self.plan is None:
            self._block = node
            self._outer = self._top_of(node)
            plan = self._release(node)
            if isinstance(plan, PublicPlan):
                self._public_reason, self._notice = plan.reason, plan.notice
                return plan.sql
            self.plan = plan
            self.whole = _is_whole(node)
        elif node != self._block:
            raise refusal(
                "private rows are aggregated in two places",
                "Each aggregation is a release of its own.",
                "Ask for them one by one, or put both aggregates into one SELECT.",
                node,
            )
        elif self._top_of(node) != self._outer:
            raise _UsedTwice
        self._check_apart(node)
        return self.plan.answer_sql

    def _listing(self, select: exp.Select) -> PublicPlan | None:
        """Return the empty answer of a query that lists private rows, if it shows none or is a preview."""
        if _aggregates(select) or select.args.get("qualify") is not None:
            return None
        rows = read_rows(select, scope_of(self._catalog, self._facts))
        reason = self._reason_of_outer(select) or reason_to_list_nothing(select, rows, self._facts)
        if reason is not None:
            return PublicPlan(empty_listing(select, rows), _free(reason))
        limit, _ = public.constant_limit(select)
        if self._limits.preview and limit is not None and _is_whole(select):
            return PublicPlan(empty_listing(select, rows), PREVIEW, notice=PREVIEW_NOTICE)
        return None

    def _reason_of_outer(self, block: exp.Select) -> str | None:
        """Return why the queries around a block have no use for its rows; None if they may have one."""
        node: exp.Expr = block
        while (outer := node.parent) is not None:
            if isinstance(outer, (exp.Select, exp.SetOperation)):
                reason = reason_to_keep_nothing(outer, self._facts)
                if reason is None and node.arg_key in ("from_", "joins", "where"):
                    reason = reason_to_select_nothing(outer, self._facts)
                if reason is not None:
                    return f"{reason} in the query around it"
            node = outer
        return None

    def _top_of(self, select: exp.Select) -> tuple[str, int] | None:
        return _outer_top(select) if self._narrowed else None

    def _check_apart(self, node: exp.Expr) -> None:
        """Refuse a report or a release beside other tables: each is in a database of its own."""
        if self._report is not None:
            raise _not_apart(self._report, node)
        if self.plan is not None and self._public:
            raise refusal(
                "an answer about private rows cannot be joined with a public table",
                "Private rows can be, before they are aggregated.",
                f"Join {self._public[0].name} inside the block that aggregates.",
                node,
            )

    def reads_rows(self, select: exp.Select) -> bool:
        """Whether the block itself reads private rows, through subqueries that only filter and project."""
        return any(self._is_private(item) for item in _sources(select))

    def _is_private(self, item: exp.Expr) -> bool:
        if any(self._is_private(join.this) for join in item.args.get("joins") or ()):
            return True
        if _REPORT in item.meta:
            return False
        if isinstance(item, exp.Table) and isinstance(item.this, exp.Identifier):
            return self._find(item).private
        if not isinstance(item, exp.Subquery):
            return False
        if isinstance(item.this, exp.Select):
            return self.reads_rows(item.this) and (
                not _aggregates(item.this) or self._is_unit_local(item.this)
            )
        return self._is_private(item.this)

    def _is_unit_local(self, select: exp.Select) -> bool:
        """Whether a subquery aggregates for each unit apart; found out once, as blocks around it ask too."""
        if id(select) not in self._unit_local:
            local = is_unit_local(select, scope_of(self._catalog, self._facts))
            self._unit_local[id(select)] = select, local
        return self._unit_local[id(select)][1]

    def _find(self, node: exp.Table) -> Table:
        table = find_table(node, self._catalog)
        check_open(table, node)
        return table

    def _release(self, select: exp.Select) -> Plan | PublicPlan:
        scope = scope_of(self._catalog, self._facts)
        rows = read_rows(select, scope)
        owned = own(rows, self._catalog, scope.aliases, self._facts, select)
        self._check_unit(owned, select)
        bounds = [table.contribution for table in owned.tables]
        groups = _least([*(bound.groups for bound in bounds), self._limits.groups])
        aggregates = Aggregates(owned, owned.rows_bound, self._facts)
        question = read_question(select, owned, aggregates, PublicKeys(owned, self._facts), self._outer)
        catalog, node = self._catalog, select.args.get("group") or select
        reason = reason_to_show_nothing(select, question, self._facts) or self._reason_of_outer(select)
        question = replace(question, owned=owned.reading(scope.read), beside=asks_beside(question))
        notice = Hint.of(words_of(question.beside[0])) if question.beside else None

        def choose_at(epsilon: Fraction) -> Plan | PublicPlan:
            budget = QueryBudget(epsilon, self._limits.delta, catalog.adds_up_rho)
            try:
                plan = choose(question, budget, groups, catalog.salt, node)  # first: it may refuse the query
            except PolicyError as error:
                missing = [error, *aggregates.missing]
            else:
                missing = aggregates.missing
            if missing:
                raise together(missing)
            return plan if reason is None else PublicPlan(no_rows(question), _free(reason), notice=notice)

        self.choose_at = choose_at
        return choose_at(self._limits.epsilon)

    def _check_unit(self, owned: Owned, node: exp.Expr) -> None:
        wanted = self._limits.unit
        if wanted is not None and wanted.lower() != str(owned.root.unit).lower():
            raise refusal(
                f"the privacy unit is {owned.root.unit}, not {wanted}",
                "The owner's policy says whom the noise protects.",
                "Leave privacy_unit_column out.",
                node,
            )


def _check_no_report(block: exp.Select) -> None:
    """Refuse a report in a block over private rows."""
    for table in block.find_all(exp.Table):
        if _REPORT in table.meta:
            raise _not_apart(table.meta[_REPORT], table)


def _is_whole(block: exp.Select) -> bool:
    """Whether a block is the whole statement."""
    outer = block.parent
    return outer is None or (isinstance(outer, exp.Subquery) and outer.parent is None)


def _free(reason: str) -> str:
    return f"{reason}, so no private row is read, and the query is free"


def _not_apart(report: str, node: exp.Expr) -> Exception:
    shown = report if report in NAMES else f"{report}()"
    return refusal(
        f"{shown} cannot be joined with anything else",
        "It is read apart from all rows.",
        f"Write SELECT ... FROM {shown} alone.",
        node,
    )


def _least(numbers: Iterator[int | None] | list[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return min(known, default=None)


def _sources(select: exp.Select) -> list[exp.Expr]:
    source = select.args.get("from_")
    joins = select.args.get("joins") or []
    return ([source.this] if isinstance(source, exp.From) else []) + [join.this for join in joins]


def _aggregates(select: exp.Select) -> bool:
    """Whether a block aggregates: by GROUP BY, HAVING or DISTINCT, or by an aggregate in its select list."""
    if (
        select.args.get("distinct") is not None
        or select.args.get("group") is not None
        or select.args.get("having") is not None
    ):
        return True
    return any(is_aggregate(part) for node in select.expressions for part in _own_parts(node))


def _own_parts(node: exp.Expr) -> Iterator[exp.Expr]:
    stack = [node]
    while stack:
        part = stack.pop()
        yield part
        if not isinstance(part, (exp.Query, exp.Window)):
            stack.extend(part.iter_expressions())


def _outer_top(select: exp.Select) -> tuple[str, int] | None:
    """Return the column by which the outer query sorts in descending order, and how many rows it keeps.

    None if the outer query does anything else: only then the rows that it drops need not be measured.
    """
    subquery = select.parent
    outer = subquery.find_ancestor(exp.Select) if isinstance(subquery, exp.Subquery) else None
    if outer is None or outer.args.get("from_") is not subquery.parent or outer.args.get("joins"):  # type: ignore[union-attr]
        return None
    if any(outer.args.get(clause) for clause in ("where", "group", "having", "qualify", "distinct")):
        return None
    if len(outer.expressions) == 1:
        largest = _max_by(unwrap(outer.expressions[0].unalias()))
        if largest is not None and not outer.args.get("limit"):
            return largest
    if any(
        is_aggregate(part) or isinstance(part, exp.Window) for e in outer.expressions for part in e.walk()
    ):
        return None
    order = outer.args.get("order")
    limit, offset = public.constant_limit(outer)
    first = order.expressions[0] if order is not None else None
    if limit is None or limit + offset == 0 or first is None or not first.args.get("desc"):
        return None
    column = _sorted_column(unwrap(first.this), outer)
    return None if column is None else (column, limit + offset)


def _sorted_column(node: exp.Expr, outer: exp.Select) -> str | None:
    """Return the inner column that ORDER BY names. As in DuckDB, an alias takes precedence over a column."""
    if isinstance(node, exp.Literal) and not node.is_string:
        number = scalar(node)
        if isinstance(number, int) and 1 <= number <= len(outer.expressions):
            node = unwrap(outer.expressions[number - 1].unalias())
    elif isinstance(node, exp.Column) and not node.table:
        aliased = [
            e for e in outer.expressions if isinstance(e, exp.Alias) and fold(e.alias) == fold(node.name)
        ]
        node = unwrap(aliased[0].this) if aliased else node
    return node.name if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star) else None


def _max_by(node: exp.Expr) -> tuple[str, int] | None:
    """Read max_by(key, count, k), which keeps the k largest: the name of the count, and k."""
    if not isinstance(node, exp.ArgMax) or not isinstance(unwrap(node.args["expression"]), exp.Column):
        return None
    count = node.args.get("count")
    k = 1 if count is None else scalar(count) if is_literal(count) else None
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        return None
    return unwrap(node.args["expression"]).name, k


def _passed_on(query: exp.Expr, statement: _Statement) -> tuple[tuple[str, str], ...]:
    """Return the released columns that a query selects unchanged, by their names in its answer."""
    if statement.is_release(query):
        assert statement.plan is not None
        return statement.plan.shown
    shown: list[tuple[str, str]] = []
    known = _read_columns(query, statement)
    for node in query.expressions:
        value = _of_one_group(unwrap(node.unalias()))
        if isinstance(value, exp.Star):
            changed = {fold(name.name) for name in value.find_all(exp.Identifier)}  # EXCLUDE, REPLACE, RENAME
            shown += [pair for pair in known.items() if fold(pair[0]) not in changed]
        elif isinstance(value, exp.Column) and value.name in known:
            shown.append((node.alias_or_name, known[value.name]))
    return tuple(shown)


def _read_columns(query: exp.Expr, statement: _Statement) -> dict[str, str]:
    """Return the released columns that the one subquery in FROM passes on, by its names for them."""
    sources = _sources(query) if isinstance(query, exp.Select) else []
    source = sources[0] if len(sources) == 1 else None
    if not isinstance(source, exp.Subquery) or source.alias_column_names:
        return {}
    return dict(_passed_on(source.this, statement))


def _of_one_group(value: exp.Expr) -> exp.Expr:
    """Return the number of one group that any_value(n) FILTER (...) is, as in what PIVOT stands for."""
    inner = unwrap(value.this) if isinstance(value, exp.Filter) else value
    return unwrap(inner.this) if isinstance(inner, exp.AnyValue) else value


def _divided(query: exp.Query, statement: _Statement) -> tuple[Quotient, ...]:
    """Return what the columns of an outer query divide by columns that are released numbers."""
    assert statement.plan is not None
    asked = {request.column for request in requests_of(statement.plan)}
    read_columns = _read_columns(query, statement).items()
    known = {fold(name): column for name, column in read_columns if column in asked}

    def read(node: exp.Expr) -> frozenset[str]:
        names = (fold(column.name) for column in node.find_all(exp.Column))
        return frozenset(known[name] for name in names if name in known)

    items = query.expressions if isinstance(query, exp.Select) else ()
    found = (
        Quotient(item.alias_or_name or item.sql(dialect="duckdb"), read(part.this), read(part.expression))
        for item in items
        for part in item.find_all(exp.Div, exp.IntDiv)
    )
    return tuple(dict.fromkeys(quotient for quotient in found if quotient.divisor))
