"""Text to plan, in the steps of `answers.service`, without a session: what the fuzzers and timings run."""

from __future__ import annotations

from fractions import Fraction

from dpduck.answers.settings import Settings
from dpduck.compiler.compile import AnyPlan, QueryLimits, make_plan
from dpduck.compiler.parse.statements import Select, Statement, bind, parse
from dpduck.compiler.validate import validate
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.plan.public_facts import PublicValues

EPSILON = Fraction(1, 2)


def limits_of(select: Select) -> QueryLimits:
    """What a query may spend: what it says itself, else epsilon 0.5 and no delta. Errors: DpduckError."""
    settings = Settings(EPSILON).of_query(select.options)
    assert settings.epsilon is not None
    return QueryLimits(
        settings.epsilon,
        settings.delta,
        settings.groups,
        select.options.unit,
        noise=settings.noise,
        population=settings.population,
    )


def plan_select(select: Select, catalog: Catalog, facts: PublicValues) -> AnyPlan:
    """The plan of a parsed query. Errors: DpduckError."""
    return make_plan(validate(bind(select)), catalog, limits_of(select), facts)


def plan_text(text: str, catalog: Catalog, facts: PublicValues) -> AnyPlan | Statement:
    """The plan of a query, or the statement that the text is instead. Errors: DpduckError."""
    statement = parse(text)
    return plan_select(statement, catalog, facts) if isinstance(statement, Select) else statement
