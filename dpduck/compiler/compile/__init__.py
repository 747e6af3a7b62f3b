"""Compiles a validated query into a typed plan: finds the blocks that read private rows, and plans them.

A statement is a tree of blocks. The innermost ones may filter and project private rows; the blocks that
aggregate them are released, each with a share of epsilon; all blocks around these are post-processing of
what was released. Any other structure is refused, and no text of the query is copied into generated SQL.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

from sqlglot import exp

from dpduck.compiler import public
from dpduck.compiler.block.inline import inline
from dpduck.compiler.block.pivot import without_pivots
from dpduck.compiler.compile.around import Around, is_whole
from dpduck.compiler.compile.statement import (
    NAMES,
    REPORT,
    REPORTS,
    QueryLimits,
    StatementRelations,
    UsedTwice,
)
from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.planner.shares import Share, shares_of
from dpduck.compiler.validate import ValidSelect
from dpduck.kernel.catalog.model import Catalog, fold
from dpduck.kernel.plan.compound import MOST_CELLS, CompoundPlan, most_groups
from dpduck.kernel.plan.model import Plan, PublicPlan
from dpduck.kernel.plan.public_facts import PublicValues

__all__ = ["AnyPlan", "QueryLimits", "make_plan", "plan_and_whole", "plans_by_epsilon"]

AnyPlan = Plan | CompoundPlan | PublicPlan


def make_plan(select: ValidSelect, catalog: Catalog, limits: QueryLimits, facts: PublicValues) -> AnyPlan:
    """Return the plan of a query. It reads no private data.

    Input: `facts`: facts about the rows of public tables.
    Errors: UnsupportedSqlError, UnknownNameError, PolicyError.
    """
    return _plan_of(*_read(select, catalog, limits, facts))


def plan_and_whole(
    select: ValidSelect, catalog: Catalog, limits: QueryLimits, facts: PublicValues
) -> tuple[AnyPlan, Callable[[], AnyPlan] | None]:
    """Return the plan of a query, and what plans it again so that all groups are counted plainly.

    The latter is None for a query that is not one block. Input and errors: as of `make_plan`.
    """
    query, statement, sql = _read(select, catalog, limits, facts)
    made = _plan_of(query, statement, sql)
    if not isinstance(made, Plan) or not is_whole(statement.blocks[0].select):
        return made, None
    return made, partial(statement.blocks[0].whole_plan, limits.epsilon)


def _plan_of(query: exp.Query, statement: StatementRelations, sql: str) -> AnyPlan:
    if not statement.blocks:
        return statement.public(sql)
    if not statement.is_compound:
        [block] = statement.blocks
        if is_whole(block.select):
            return block.plan
        passed = replace(
            _within(query, block.select, block.plan),
            answer_sql=sql,
            constants=(*block.plan.constants, *statement.constants),
        )
        ends, ends_sql = (statement.passed, sql) if statement.passed else statement.with_ends(block)
        return replace(passed, ends=ends, ends_sql=ends_sql)
    within = tuple(_within(query, block.select, block.plan) for block in statement.blocks)
    constants = tuple(dict.fromkeys(statement.constants))
    made = CompoundPlan(within, sql, constants, statement.public_rows)
    _check_size(made, query)
    return made


def _check_size(plan: CompoundPlan, node: exp.Expr) -> None:
    """Refuse blocks that together have too many groups: each has a cell in the columns of all blocks."""
    groups = sum(most_groups(block) for block in plan.blocks)
    if groups * len(plan.columns) > MOST_CELLS:
        raise refusal(
            "the blocks of this query have too many groups together",
            f"They have {groups:,} groups and {len(plan.columns):,} columns, of which the product may be "
            f"{MOST_CELLS:,}.",
            "Group by fewer or coarser keys, or ask in several queries.",
            node,
        )


def _within(query: exp.Query, block: exp.Select, plan: Plan) -> Plan:
    """Return the plan of a block in an outer query, with what of it the answer shows, divides and counts."""
    around = Around(block, plan)
    quotients = tuple(dict.fromkeys((*plan.quotients, *around.quotients(query))))
    return replace(
        plan,
        shown=around.shown(query),
        quotients=quotients,
        counting=around.counting(),
        differences=(),
        sums=around.sums(query),
        plain=False,
        shows_all=False,
        ends=(),
        ends_sql="",
    )


def plans_by_epsilon(
    select: ValidSelect, catalog: Catalog, limits: QueryLimits, facts: PublicValues
) -> Callable[[Fraction], AnyPlan]:
    """Return a function from epsilon to the query's plan, which analyses the query only once.

    The plans lack the SQL of outer queries around the blocks.
    Input and errors: as of `make_plan`.
    """
    _, statement, sql = _read(select, catalog, limits, facts)
    blocks = statement.blocks
    if not blocks:
        return lambda _: statement.public(sql)
    shares = [Share(limits.epsilon, limits.delta)]
    if statement.is_compound:
        shares = list(shares_of([block.plan for block in blocks], limits.epsilon, limits.delta))

    def plan_at(epsilon: Fraction) -> AnyPlan:
        scale = epsilon / limits.epsilon
        plans = [
            block.plan_at(replace(share, epsilon=share.epsilon * scale))
            for block, share in zip(blocks, shares, strict=True)
        ]
        private = tuple(plan for plan in plans if isinstance(plan, Plan))
        return CompoundPlan(private, sql) if statement.is_compound else plans[0]

    return plan_at


def _read(
    select: ValidSelect, catalog: Catalog, limits: QueryLimits, facts: PublicValues
) -> tuple[exp.Query, StatementRelations, str]:
    """Return the query with its CTEs inlined, the analysed statement, and its public SQL."""
    query = _with_reports(inline(select.expression, catalog), catalog)
    query = without_pivots(
        query, catalog, facts, StatementRelations(query, catalog, limits, facts).reads_rows
    )
    statement, narrowed = StatementRelations(query, catalog, limits, facts), True
    if limits.shows_ends:
        statement.pass_ends()
    try:
        sql = public.public_query(query, statement)
    except UsedTwice:  # the uses need different groups, so no outer LIMIT may narrow a release
        statement, narrowed = StatementRelations(query, catalog, limits, facts, narrowed=False), False
        sql = public.public_query(query, statement)
    if not statement.is_compound:
        return query, statement, sql
    _check_units(statement)
    shares = shares_of([block.plan for block in statement.blocks], limits.epsilon, limits.delta)
    statement = StatementRelations(
        query, catalog, limits, facts, narrowed=narrowed, shares=shares, before=statement.blocks
    )
    return query, statement, public.public_query(query, statement)


def _check_units(statement: StatementRelations) -> None:
    """Refuse blocks about different kinds of people: their budgets are apart, and no sum of both is kept."""
    first = statement.blocks[0]
    for block in statement.blocks:
        if block.plan.root != first.plan.root:
            raise refusal(
                "the parts of this query are about different privacy units",
                f"One part protects {first.plan.unit}, another {block.plan.unit}.",
                "Ask for them one by one.",
                block.select,
            )


def _with_reports(query: exp.Query, catalog: Catalog) -> exp.Query:
    """Replace dp_budget() and the like by tables of these names, and mark them and `NAMES` as reports.

    So are tables of synthetic rows: their rows are in no database either.
    """
    synthetic = {fold(table.name): table for table in catalog.synthetic}
    for table in list(query.find_all(exp.Table)):
        call = table.this
        name = f"{table.db}.{table.name}".lower()
        if name in NAMES and not table.catalog:
            table.set("db", None)
            table.meta[REPORT] = name
        if isinstance(call, exp.Anonymous) and call.name.lower() in REPORTS and not call.expressions:
            table.set("this", exp.to_identifier(call.name.lower(), quoted=True))
            table.meta[REPORT] = call.name.lower()
        found = synthetic.get(fold(table.name))
        is_default = fold(table.db) in ("", "main", "public") and not table.catalog
        if found is not None and isinstance(call, exp.Identifier) and is_default:
            table.set("db", None)
            table.meta[REPORT] = found.name
    return query
