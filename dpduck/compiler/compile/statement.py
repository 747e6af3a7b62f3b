"""A statement: the relations of its public SQL, and its blocks over private rows, which are planned here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

from sqlglot import exp

from dpduck.compiler import public
from dpduck.compiler.block.aggregates import Aggregates
from dpduck.compiler.block.asks_beside import asks_beside, notice_of
from dpduck.compiler.block.emptiness import (
    reason_to_keep_nothing,
    reason_to_list_nothing,
    reason_to_select_nothing,
    reason_to_show_nothing,
)
from dpduck.compiler.block.from_clause import check_open, find_table, read_rows
from dpduck.compiler.block.kept_rows import check_ignored
from dpduck.compiler.block.key_space import PublicKeys
from dpduck.compiler.block.listing import PREVIEW, PREVIEW_NOTICE, check_reads_columns, empty_listing
from dpduck.compiler.block.missing import together
from dpduck.compiler.block.privacy_units import Owned, own
from dpduck.compiler.block.read import read_question
from dpduck.compiler.block.unit_local import is_unit_local, scope_of
from dpduck.compiler.compile.around import is_whole, names_around, outer_top, sources
from dpduck.compiler.compile.chosen_rows import chosen_rows
from dpduck.compiler.compile.passed_ends import NamesOfEnds, inner_query, passes_ends, select_ends
from dpduck.compiler.compile.public_rows import public_rows
from dpduck.compiler.functions.aggregates import is_aggregate
from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.parse.settings import AskedNoise
from dpduck.compiler.planner.answer_sql import names_of_ends, no_rows
from dpduck.compiler.planner.choose import choose
from dpduck.compiler.planner.distinct_values import Function as AskedFunction
from dpduck.compiler.planner.plan_parts import QueryBudget
from dpduck.compiler.planner.shares import Share
from dpduck.kernel.catalog.model import Catalog, Table, fold
from dpduck.kernel.errors import PolicyError
from dpduck.kernel.errors.notices import Notice
from dpduck.kernel.plan.compound import RowsBeside, rows_sql
from dpduck.kernel.plan.model import RELEASE, Ends, Plan, PublicPlan
from dpduck.kernel.plan.public_facts import PublicValues
from dpduck.kernel.tree import emit
from dpduck.kernel.tree.answer import AnswerExpression

# Tables that a query may read if it reads no other.
REPORTS = ("dp_budget", "dp_ledger", "dp_policies")
NAMES = ("information_schema.tables", "information_schema.columns")
REPORT = "report"  # the key in `meta` of a table node that is a report
MOST_BLOCKS = 32
_ENDED = "ended"  # the key in `meta` of a block whose ends are selected


class ChooseAt(Protocol):
    """Plans a block again. `whole`: all groups are counted plainly, as a summary answers."""

    def __call__(self, share: Share, number: int | None, *, whole: bool = False) -> Plan | PublicPlan: ...


@dataclass(frozen=True)
class QueryLimits:
    """The limits that the caller sets: epsilon and delta of the query, and a bound on groups per unit.

    `preview`: a query that lists private rows has an empty answer instead of a refusal. `noise`: which one
    counts and sums are to have. `population`: intervals are to hold for the population. `counts_rows`:
    count(*) is to count rows, also where nothing bounds those of a unit. `distinct`: by which function
    distinct values are counted. `private_groups`: in how many groups a unit counts is chosen privately, where
    no bound says it. `private_clamp`: declared bounds on totals are a ceiling of a clamp that is chosen so.
    `whole`: all groups are counted plainly, as a summary answers. `shows_ends`: the answer is to have the
    ends of the intervals of its numbers, too.
    """

    epsilon: Fraction
    delta: Fraction = Fraction(0)
    groups: int | None = None
    unit: str | None = None  # the unit column that the query names, which must be that of the policy
    preview: bool = False
    noise: AskedNoise = "best"
    population: bool = False
    counts_rows: bool = False
    distinct: AskedFunction = "ranked"
    private_groups: bool = False
    private_clamp: bool = False
    whole: bool = False
    shows_ends: bool = False

    def counting_all(self) -> QueryLimits:
        """As these, for all groups, each with a plain count of the noise that costs no delta."""
        return replace(self, delta=Fraction(0), noise="laplace", private_groups=False, whole=True)


@dataclass(frozen=True)
class BlockOfRows:
    """A block over private rows: its plan, those at other shares, and what an outer query keeps of it.

    `number`: its place among several blocks, from 1. `is_alone`: its clauses read no rows of other blocks, so
    they mean the same whatever the shares of these are.
    """

    select: exp.Select
    outer: tuple[str, int] | None
    plan: Plan
    choose_at: ChooseAt
    number: int | None
    is_alone: bool

    def plan_at(self, share: Share) -> Plan | PublicPlan:
        """Return the plan at another share of the budget."""
        return self.choose_at(share, self.number)

    def whole_plan(self, epsilon: Fraction) -> Plan | PublicPlan:
        """Return the plan that counts all groups plainly, with the noise that costs no delta."""
        return self.choose_at(Share(epsilon, Fraction(0)), self.number, whole=True)


class UsedTwice(Exception):  # noqa: N818 (a signal, not an error)
    """The block of the release is used again, under another outer ORDER BY with LIMIT."""


class StatementRelations:
    """The context of public SQL for a whole statement: it resolves tables, and blocks over private rows.

    A query with several blocks is translated twice: first as if each block had the whole budget, and then
    with the `shares` of the blocks, in the order of the text; only then the SQL reads the rows of all blocks.
    `before`: the blocks as they were read the first time. Those that stand alone are not read again.
    `narrowed`: an outer ORDER BY with LIMIT restricts a release to the largest groups.
    """

    def __init__(
        self,
        query: exp.Query,
        catalog: Catalog,
        limits: QueryLimits,
        facts: PublicValues,
        *,
        narrowed: bool = True,
        shares: Sequence[Share] | None = None,
        before: Sequence[BlockOfRows] = (),
    ) -> None:
        self._query = query
        self._catalog = catalog
        self._limits = limits
        self._facts = facts
        self._narrowed = narrowed
        self._shares = shares
        self._before = before
        self._asides = 0  # subqueries in expressions of blocks, so far
        self.blocks: list[BlockOfRows] = []  # an inner one before the one in whose expressions it stands
        self._rows: list[RowsBeside] = []
        self.constants: list[str] = []
        self._public: list[Table] = []
        self._report: str | None = None
        self._public_reason = ""
        self._notice: Notice | None = None
        self._ends: tuple[list[str], NamesOfEnds, int] | None = None  # of the last block that was planned
        self.passed: tuple[Ends, ...] = ()  # what the queries around it select
        self._unit_local: dict[int, tuple[exp.Select, bool]] = {}

    @property
    def public_rows(self) -> tuple[RowsBeside, ...]:
        """The public rows that are joined with what the blocks release."""
        return tuple(self._rows)

    @property
    def is_compound(self) -> bool:
        """Whether released rows meet those of other blocks, or public ones."""
        return bool(self.blocks) and (len(self.blocks) > 1 or bool(self._public))

    def public(self, sql: str) -> PublicPlan:
        """Return the plan of a statement without a release."""
        synthetic = next((one for one in self._catalog.synthetic if one.name == self._report), None)
        if synthetic is not None:
            reason = f"the query reads synthetic rows of summary {synthetic.name} only"
            return PublicPlan(sql, reason, self._report, synthetic=synthetic)
        if self._report is not None:
            source = "names and types" if self._report in NAMES else "the ledger"
            return PublicPlan(sql, f"the query reads {source} only, and costs nothing", self._report)
        read = tuple(dict.fromkeys(self._public))
        if self._public_reason:
            return PublicPlan(sql, self._public_reason, tables=read, notice=self._notice)
        return PublicPlan(sql, tables=read)

    def pass_ends(self) -> None:
        """Let the queries around a block select the ends of its intervals, where they pass its numbers on."""
        block: exp.Expr | None = self._query
        while isinstance(block, exp.Select) and not self.reads_rows(block):
            block = inner_query(block)
        if not isinstance(block, exp.Select) or is_whole(block):
            return
        if self.block(block) is not None and self._ends is not None:
            self.passed = select_ends(block, *self._ends)

    def with_ends(self, block: BlockOfRows) -> tuple[tuple[Ends, ...], str]:
        """Return which columns of the answer have ends of intervals, and its SQL with these at its right.

        Input: the one block of the statement, which other queries are around. Output: nothing if they make
            others of its rows.
        """
        if not passes_ends(block.select) or self._ends is None or not block.plan.ends:
            return (), ""
        block.select.meta[_ENDED] = True
        query = self._query.copy()
        [ended] = (one for one in query.find_all(exp.Select) if _ENDED in one.meta)
        passed = select_ends(ended, *self._ends)
        return passed, public.public_query(query, _WithEnds(self, ended, block.plan.ends_sql))

    def table(self, node: exp.Table) -> str | None:
        if REPORT in node.meta:
            return self._read_report(node.meta[REPORT], node)
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
        return emit.table_name(table) if self._shares is None else self._read_beside(table, node)

    def _read_beside(self, table: Table, node: exp.Table) -> str:
        """Return SQL of the rows of a public table, which are read to stand beside released rows."""
        assert self._shares is not None
        places = [place for place, rows in enumerate(self._rows) if rows.table == table]
        if not places:
            places = [len(self._rows)]
            self._rows.append(public_rows(table, self._query, self._facts, node))
        number = len(self._shares) + 1 + places[0]
        return f"({rows_sql(number, self._rows[places[0]].columns)})"

    def _read_report(self, name: str, node: exp.Expr) -> str:
        """Return the SQL name of a report, which is in a database of its own, without any other table."""
        if self._public or self.blocks or self._report not in (None, name):
            raise self._not_apart(name, node)
        self._report = name
        return emit.identifier(RELEASE)

    def value(self, node: exp.Expr) -> AnswerExpression | None:  # noqa: ARG002 (nothing outside the release is known)
        return None

    def constant(self, sql: str) -> None:
        self.constants.append(sql)

    def block(self, node: exp.Query) -> str | None:
        """Return the answer SQL of a block if it aggregates private rows, else None."""
        if not isinstance(node, exp.Select) or not self.reads_rows(node):
            return None
        self._check_no_report(node)
        listed = self._listing(node)
        if listed is not None:
            self._public_reason, self._notice = listed.reason, listed.notice
            return listed.sql
        found = self._known(node)
        if found is None:
            outer = outer_top(node) if self._narrowed else None
            made = self._read_before(node, outer) or self._release(node, outer)
            if isinstance(made, PublicPlan):
                self._public_reason, self._notice = made.reason, made.notice
                return made.sql
            found = made
            self.blocks.append(found)
        self._check_apart(node)
        return found.plan.answer_sql

    def _known(self, node: exp.Select) -> BlockOfRows | None:
        """Return the equal block that was released before. Errors: UsedTwice if it was narrowed otherwise."""
        found = next((block for block in self.blocks if block.select == node), None)
        if found is not None and self._narrowed and outer_top(node) != found.outer:
            raise UsedTwice
        return found

    def _read_before(self, node: exp.Select, outer: tuple[str, int] | None) -> BlockOfRows | None:
        """Return a block that stands alone and was read the first time, at its share of the budget."""
        found = next((block for block in self._before if block.select is node and block.is_alone), None)
        if found is None or found.outer != outer:
            return None
        number = self._next_number()
        plan = found.choose_at(self._share(), number)
        return replace(found, plan=plan, number=number) if isinstance(plan, Plan) else None

    def _next_number(self) -> int | None:
        """Return the place of the next block; None if it is the only one, or the shares are not known yet."""
        return None if self._shares is None else len(self.blocks) + 1

    def _check_number(self, node: exp.Select) -> None:
        if len(self.blocks) >= MOST_BLOCKS:
            raise refusal(
                f"private rows are aggregated in more than {MOST_BLOCKS} places",
                "Each has a share of epsilon.",
                "Ask for some of them in a query of their own.",
                node,
            )

    def _share(self) -> Share:
        """Return what the next block may spend."""
        whole = Share(self._limits.epsilon, self._limits.delta)
        return whole if self._shares is None else self._shares[len(self.blocks)]

    def _listing(self, select: exp.Select) -> PublicPlan | None:
        """Return the empty answer of a query that lists private rows, if it shows none or is a preview."""
        if _aggregates(select) or select.args.get("qualify") is not None:
            return None
        rows = read_rows(select, scope_of(self._catalog, self._facts))
        reason = self._reason_of_outer(select) or reason_to_list_nothing(select, rows, self._facts)
        if reason is not None:
            return PublicPlan(empty_listing(select, rows), _free(reason))
        limit, _ = public.constant_limit(select)
        if self._limits.preview and limit is not None and is_whole(select):
            check_reads_columns(select)
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

    def _check_apart(self, node: exp.Expr) -> None:
        """Refuse a report beside other tables: it is in a database of its own."""
        if self._report is not None:
            raise self._not_apart(self._report, node)

    def _check_no_report(self, block: exp.Select) -> None:
        """Refuse a report in a block over private rows."""
        for table in block.find_all(exp.Table):
            if REPORT in table.meta:
                raise self._not_apart(table.meta[REPORT], table)

    def _not_apart(self, report: str, node: exp.Expr) -> Exception:
        is_synthetic = any(one.name == report for one in self._catalog.synthetic)
        shown = report if is_synthetic or report in NAMES else f"{report}()"
        return refusal(
            f"{shown} cannot be joined with anything else",
            "Its synthetic rows are read apart." if is_synthetic else "It is read apart from all rows.",
            f"Write SELECT ... FROM {shown} alone.",
            node,
        )

    def reads_rows(self, select: exp.Select) -> bool:
        """Whether the block itself reads private rows, through subqueries that only filter and project."""
        return any(self._is_private(item) for item in sources(select))

    def _is_private(self, item: exp.Expr) -> bool:
        if any(self._is_private(join.this) for join in item.args.get("joins") or ()):
            return True
        if REPORT in item.meta:
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

    def _release(self, select: exp.Select, outer: tuple[str, int] | None) -> BlockOfRows | PublicPlan:
        """Return a block with its plan at its share of the budget, or what is public without a release."""
        self._check_number(select)
        asides = self._asides
        scope = scope_of(self._catalog, self._facts)
        rows = read_rows(select, scope)
        owned = own(rows, self._catalog, scope.aliases, self._facts, select, released=True)
        self._check_unit(owned, select)
        bounds = [table.contribution for table in owned.named]
        groups = _least([*(bound.groups for bound in bounds), self._limits.groups])
        aggregates = Aggregates(
            owned,
            owned.rows_bound,
            self._facts,
            for_population=self._limits.population,
            counts_rows=self._limits.counts_rows,
            private_clamp=self._limits.private_clamp,
        )
        question = read_question(
            select, owned, aggregates, PublicKeys(owned, self._facts), outer, self._beside
        )
        catalog, node = self._catalog, select.args.get("group") or select
        check_ignored(question, node)
        reason = reason_to_show_nothing(select, question, self._facts) or self._reason_of_outer(select)
        question = replace(
            question,
            owned=owned.reading(scope.read),
            beside=asks_beside(question),
            not_in=tuple(dict.fromkeys(scope.not_in)),
            chosen=chosen_rows(self._query, select, question),
        )
        notice = notice_of(question.beside[0]) if question.beside else None

        around = select.find_ancestor(exp.Select, exp.SetOperation)
        shows_ends = self._limits.shows_ends and passes_ends(select)
        combines = around is not None or select.find(exp.Window) is not None

        def choose_at(share: Share, number: int | None, *, whole: bool = False) -> Plan | PublicPlan:
            limits, adds = self._limits.counting_all() if whole else self._limits, catalog.accounting
            budget = QueryBudget(
                share.epsilon,
                share.delta,
                adds,
                number,
                limits.noise,
                combines=combines,
                distinct=limits.distinct,
                private_groups=limits.private_groups,
                whole=limits.whole,
                shows_ends=shows_ends,
            )
            try:
                plan = choose(question, budget, groups, catalog.salt, node)  # first: it may refuse the query
            except PolicyError as error:
                missing = [error, *aggregates.missing]
            else:
                missing = aggregates.missing
            if missing:
                raise together(missing)
            if reason is None:
                return plan
            return PublicPlan(no_rows(question, shows_ends=shows_ends), _free(reason), notice=notice)

        number = self._next_number()
        plan = choose_at(self._share(), number)
        if passes_ends(select):
            self._ends = names_of_ends(question, plan if isinstance(plan, Plan) else None)
        if isinstance(plan, PublicPlan):
            return plan
        return BlockOfRows(select, outer, plan, choose_at, number, is_alone=self._asides == asides)

    def _beside(self, node: exp.Query) -> str:
        """Translate a query that stands in an expression of a block, over the rows of other blocks.

        Errors: UnsupportedSqlError if it reads the groups of the block itself.
        """
        self._asides += 1
        known = {fold(table.alias_or_name) for table in node.find_all(exp.Table, exp.Subquery)}
        around = names_around(node) - known
        for column in node.find_all(exp.Column):
            qualifiers = [fold(part.name) for part in column.parts[:-1]]  # tables, schemas and STRUCTs
            if qualifiers and qualifiers[0] not in known and around.intersection(qualifiers):
                raise refusal(
                    "a subquery in an expression cannot read the groups around it",
                    "What it aggregates is released apart.",
                    "Join both on their keys: WITH a AS (SELECT page, count(*) AS n FROM visits "
                    "GROUP BY page), b AS (...) SELECT a.n / b.n FROM a JOIN b ON a.page = b.page.",
                    column,
                )
        return public.public_query(node, self)

    def _check_unit(self, owned: Owned, node: exp.Expr) -> None:
        wanted = self._limits.unit
        if wanted is not None and wanted.lower() != str(owned.root.unit).lower():
            raise refusal(
                f"the privacy unit is {owned.root.unit}, not {wanted}",
                "The owner's policy says whom the noise protects.",
                "Leave privacy_unit_column out.",
                node,
            )


@dataclass(frozen=True)
class _WithEnds:
    """The relations of a statement, with other SQL of its block. What is known of its constants stays so."""

    statement: StatementRelations
    select: exp.Select
    sql: str

    def table(self, node: exp.Table) -> str | None:
        return self.statement.table(node)

    def block(self, node: exp.Query) -> str | None:
        return self.sql if node is self.select else self.statement.block(node)

    def value(self, node: exp.Expr) -> AnswerExpression | None:
        return self.statement.value(node)

    def constant(self, sql: str) -> None:
        pass


def _free(reason: str) -> str:
    return f"{reason}, so no private row is read, and the query is free"


def _least(numbers: Iterator[int | None] | list[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return min(known, default=None)


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
