"""From the statement of a summary to its cells and what its workload asks of them: all of it is public."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpduck.answers.claimed_bounds import BoundsCheck
from dpduck.answers.pipeline import Snapshot
from dpduck.answers.preparation import Preparation, present_time
from dpduck.answers.replay import subject_of, subject_of_rows
from dpduck.compiler.compile import QueryLimits, make_plan
from dpduck.compiler.compile.summary import SummaryRows, read_summary
from dpduck.compiler.parse.statements import Select, bind, parse
from dpduck.compiler.validate.clock import reads_clock, validated_at
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.model import Catalog, written
from dpduck.kernel.catalog.statements import Accounting, CreateSummary
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.ledger import Account
from dpduck.kernel.plan.model import Plan
from dpduck.summaries.design import most_rows
from dpduck.summaries.linear_queries import LinearQuery
from dpduck.summaries.questions import Unserved, questions_of


@dataclass(frozen=True)
class PreparedSummary:
    """What a summary is made of, before it is designed.

    `charts`: what each query of its workload asks; `accounts`, `subject`, `version` and `is_current`: as of a
    `ReleaseRequest`; `salt`: by which score SQL chooses among the rows of a unit; `accounting`: what budgets
    of the units add up; `bounds`: checks what its noise relies on.
    """

    rows: SummaryRows
    charts: Mapping[str, Sequence[LinearQuery]]
    accounts: tuple[Account, ...]
    subject: str
    version: str
    salt: int
    accounting: Accounting
    bounds: BoundsCheck
    is_current: Callable[[Snapshot | None], bool]


def prepared_summary(
    create: CreateSummary, preparation: Preparation, interrupts: Interrupts
) -> PreparedSummary:
    """The columns of a summary, and what its workload asks of them. Errors: as `Preparation.plan`."""
    present = preparation.at_present(interrupts)
    catalog, facts = present.catalog, present.facts
    with preparation.advising(), facts.at_once():
        rows = summary_rows(create, catalog, facts)
        owned = rows.owned
        subject = subject_of_rows(owned.rows.source, owned.unit, (*owned.tables, owned.root), catalog.salt)
        charts = {
            asked: _charts_of(asked, create, rows, subject, catalog, facts)
            for asked in create.workload
            if isinstance(asked, str)
        }
    accounts = preparation.accounts(owned.tables, owned.root)
    version = preparation.version(owned.tables, joins_public=owned.reads_public)
    bounds = BoundsCheck(catalog)
    return PreparedSummary(
        rows, charts, accounts, subject, version, catalog.salt, catalog.accounting, bounds, present.is_current
    )


def summary_rows(create: CreateSummary, catalog: Catalog, facts: PublicFacts) -> SummaryRows:
    """The columns of a summary. Errors: as `Preparation.plan`."""
    names = (written(part) for part in (create.table.schema, create.table.name) if part is not None)
    items = ", ".join(f"{column.sql} AS {written(column.name)}" for column in create.columns)
    sums = "".join(f", sum({one}), avg({one})" for one in create.measures)
    select = parse(f"SELECT {items}, count(*){sums} FROM {'.'.join(names)} GROUP BY ALL")
    if not isinstance(select, Select) or reads_clock(select):
        raise UnsupportedSqlError(
            "a column of a summary is an expression of a row",
            detail="What depends on the time of day has other cells tomorrow.",
            hint="Write the columns of the table, or what is computed of them alone.",
        )
    return read_summary(
        validated_at(bind(select), present_time()), create.columns, create.measures, catalog, facts
    )


def _charts_of(
    asked: str,
    create: CreateSummary,
    rows: SummaryRows,
    subject: str,
    catalog: Catalog,
    facts: PublicFacts,
) -> list[LinearQuery]:
    """What a query of a workload asks of the cells. Errors: UnsupportedSqlError if they tell it not."""
    statement = parse(asked)
    if not isinstance(statement, Select):
        raise _not_asked(asked, "it is no SELECT")
    valid = validated_at(bind(statement), present_time())
    made = make_plan(valid, catalog, QueryLimits(Fraction(1), whole=True), facts)
    if not isinstance(made, Plan) or subject_of(made, catalog.salt) != subject:
        raise _not_asked(asked, f"it is not about {create.table} alone")
    reason = ""
    try:
        questions = questions_of(made, rows, most_rows(create, rows), lambda _: True, facts)
    except Unserved as why:
        reason = str(why)
    if reason:
        raise _not_asked(asked, reason)
    return [query for question in questions.values() for query in question.queries]


def _not_asked(asked: str, reason: str) -> UnsupportedSqlError:
    return UnsupportedSqlError(
        "a query of the workload cannot be answered from the summary",
        detail=f"Of {asked[:200]!r}: {reason}.",
        hint="Name the columns that it reads, with values or bands that it does not divide.",
    )
