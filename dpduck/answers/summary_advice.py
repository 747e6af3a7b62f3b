"""Proposes summaries from the charges on record: which would have answered what was asked, and for how much.

What is proposed follows from the texts of queries in the ledger, and from public facts: each is planned once
more, and no private row is read. The texts are of all analysts, so that this is for the owner alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from dpduck.answers.preparation import Preparation, Present, present_time
from dpduck.answers.summaries import MOST_NOISE
from dpduck.answers.summary_preparation import summary_rows
from dpduck.compiler.compile import QueryLimits, make_plan
from dpduck.compiler.compile.summary_columns import AskedColumns, asked_columns, column_sql
from dpduck.compiler.parse.statements import Select, bind, parse
from dpduck.compiler.validate.clock import validated_at
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.model import Table
from dpduck.kernel.catalog.statements import CreateSummary
from dpduck.kernel.errors import DpduckError, PermissionDeniedError, decimal_text
from dpduck.kernel.errors.names import written
from dpduck.kernel.ledger import Entry
from dpduck.kernel.ledger.glance import last_charges
from dpduck.kernel.ledger.session import Session
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.cost import column_error
from dpduck.kernel.plan.model import Plan, PublicPlan
from dpduck.summaries.answers import is_measured, served
from dpduck.summaries.design import Design, designs
from dpduck.summaries.questions import Unserved, questions_of

MOST_READ = 2_000  # charges, the last ones
_MOST_TEXTS = 300  # different queries
_MOST_COLUMNS = 8
_MOST_TOGETHER = 3  # columns of the tables that are proposed
_STEPS = tuple(Fraction(one) for one in ("0.1", "0.2", "0.5", "1", "2", "5"))  # epsilon of a proposal
_BANDS = "-- Bands are taken from what was asked: whoever sees the summary sees them."
_LEAST = 0.5  # half-width with which another is compared: whole numbers are no more exact


@dataclass(frozen=True)
class SummaryAdvice:
    """A summary that would have answered what was asked of a table.

    `statement`: what makes it, '' if none would have cost less; `questions`: how often the table was asked,
    and `cost`: for how much epsilon; `answered`: how often the summary would have answered, which cost
    `answered_cost`; `reasons`: why not, and how often.
    """

    table: str
    statement: str
    epsilon: Fraction
    questions: int
    cost: Fraction
    answered: int
    answered_cost: Fraction
    reasons: Sequence[tuple[str, int]]

    @property
    def words(self) -> str:
        """The advice as a sentence."""
        asked = (
            f"{_counted(self.questions, 'question')} on {self.table} cost epsilon {decimal_text(self.cost)}"
        )
        if not self.statement:
            return f"{asked}. No summary would have answered them for less."
        return (
            f"{asked}. This summary would have cost {decimal_text(self.epsilon)} and answered "
            f"{self.answered:,} of them, which cost {decimal_text(self.answered_cost)}."
        )


@dataclass(frozen=True)
class _Past:
    """A query of the record: what it reads, its plan at what it was charged, how often, and for how much."""

    asked: AskedColumns
    plan: Plan | CompoundPlan
    times: int
    cost: Fraction


def is_owner(session: Session) -> bool:
    """Whether a session is of the data's owner: an auditor oversees, too, but asks nothing."""
    return session.analyst is None or (session.oversees and session.asks)


def check_owner(session: Session) -> None:
    """Errors: PermissionDeniedError for whoever is not the data's owner: the texts are of all analysts."""
    if is_owner(session):
        return
    raise PermissionDeniedError(
        "only the data owner sees what others asked",
        detail="A proposal is made of the queries of all analysts.",
        hint="Ask the data owner.",
    )


def advised(session: Session, preparation: Preparation, interrupts: Interrupts) -> list[SummaryAdvice]:
    """A proposal for each table of which enough was asked, the dearest first.

    Errors: PermissionDeniedError, LedgerError, PolicyError. It charges nothing, and reads no private row.
    """
    check_owner(session)
    present = preparation.at_present(interrupts)
    entries = [entry for entry in last_charges(session.ledger, MOST_READ).entries if _is_question(entry)]
    past: dict[Table, list[_Past]] = {}
    for one in _read(entries, preparation, present, interrupts):
        past.setdefault(one.asked.table, []).append(one)
    found = [_advice(table, of_table, present, interrupts) for table, of_table in past.items()]
    return sorted(found, key=lambda one: (-one.cost, one.table))


def _is_question(entry: Entry) -> bool:
    return bool(entry.epsilon) and not entry.replayed and entry.mechanism != "summary"


def _read(
    entries: Sequence[Entry], preparation: Preparation, present: Present, interrupts: Interrupts
) -> Iterator[_Past]:
    """The queries of the record that can still be planned, each text once."""
    by_text: dict[str, list[Entry]] = {}
    for entry in entries:
        by_text.setdefault(entry.query, []).append(entry)
    most = sorted(by_text.items(), key=lambda pair: (-len(pair[1]), pair[0]))[:_MOST_TEXTS]
    for text, own in most:
        interrupts.check()
        with suppress(DpduckError):  # a query of other tables, or that is no query
            statement = parse(text)
            asked = None
            if isinstance(statement, Select):
                asked = asked_columns(statement.expression, present.catalog)
            if asked is None or not isinstance(statement, Select):
                continue
            each = sum((entry.epsilon for entry in own), Fraction(0)) / len(own)
            plan = _planned(statement, each, present)
            if isinstance(plan, PublicPlan):
                continue
            accounts = {(one.scope, one.name) for one in preparation.accounts(plan.tables, plan.root)}
            charged = [entry for entry in own if accounts & {*entry.accounts}]
            if charged:
                cost = sum((entry.epsilon for entry in charged), Fraction(0))
                yield _Past(asked, plan, len(charged), cost)


def _planned(select: Select, epsilon: Fraction, present: Present) -> Plan | CompoundPlan | PublicPlan:
    """The plan that counts all groups plainly, as a summary answers, at what was charged for it."""
    with present.facts.at_once():
        valid = validated_at(bind(select), present_time())
        limits = QueryLimits(epsilon, noise="laplace", unit=select.options.unit, whole=True)
        return make_plan(valid, present.catalog, limits, present.facts)


# --- one table -----------------------------------------------------------------------------------


def _advice(table: Table, past: Sequence[_Past], present: Present, interrupts: Interrupts) -> SummaryAdvice:
    questions = sum(one.times for one in past)
    cost = sum((one.cost for one in past), Fraction(0))
    best = SummaryAdvice(table.full_name, "", Fraction(0), questions, cost, 0, Fraction(0), ())
    columns = _columns(table, past, present)
    if not columns:
        return best
    for epsilon in _STEPS:
        interrupts.check()
        made = _tried(table, columns, past, epsilon, present)
        if made is None:
            continue
        statement, answered, reasons = made
        times = sum(one.times for one in answered)
        spent = sum((one.cost for one in answered), Fraction(0))
        if (spent - epsilon, times) > (best.answered_cost - best.epsilon, best.answered):
            best = SummaryAdvice(
                table.full_name, statement, epsilon, questions, cost, times, spent, reasons.most_common()
            )
    return best


def _columns(table: Table, past: Sequence[_Past], present: Present) -> list[str]:
    """The columns of a summary as SQL, those that are asked for most often first."""
    uses, keys = Counter[str](), dict[str, None]()
    firsts: dict[str, set[object]] = {}
    for one in past:
        keys |= one.asked.keys
        for name in {*one.asked.keys, *one.asked.read}:
            uses[name] += one.times
        for name, found in one.asked.firsts.items():
            firsts.setdefault(name, set()).update(found)
    columns: list[str] = []
    for name, _ in sorted(uses.items(), key=lambda pair: (-pair[1], pair[0])):
        column = column_sql(name, keys, firsts.get(name, set()), table)  # type: ignore[arg-type]
        if column is not None and len(columns) < _MOST_COLUMNS and _fits(table, [*columns, column], present):
            columns.append(column)
    return columns


def _fits(table: Table, columns: Sequence[str], present: Present) -> bool:
    """Whether a summary may have these columns."""
    return _designed(_statement(table, columns, 1, Fraction(1)), present) is not None


def _statement(table: Table, columns: Sequence[str], together: int, epsilon: Fraction) -> str:
    name = written(f"{table.name}_summary")
    ways = min(together, len(columns))
    return (
        f"CREATE PRIVACY SUMMARY {name} ON {_named(table)} ({', '.join(columns)})\n"
        f"    WORKLOAD (ALL {ways} WAY) EPSILON {decimal_text(epsilon)}"
    )


def _named(table: Table) -> str:
    parts = (table.name,) if table.full_name == table.name else (table.schema, table.name)
    return ".".join(map(written, parts))


def _designed(statement: str, present: Present) -> Design | None:
    """The design of a summary; None if it cannot be made."""
    with suppress(DpduckError):
        create = parse(statement)
        assert isinstance(create, CreateSummary)
        with present.facts.at_once():
            [found] = designs(create, summary_rows(create, present.catalog, present.facts), {})
            return found.design
    return None


def _tried(
    table: Table, columns: Sequence[str], past: Sequence[_Past], epsilon: Fraction, present: Present
) -> tuple[str, list[_Past], Counter[str]] | None:
    """The smallest tables that answer most, which queries they answer, and why not the others."""
    best = None
    for together in range(1, min(_MOST_TOGETHER, len(columns)) + 1):
        statement = _statement(table, columns, together, epsilon)
        design = _designed(statement, present)
        if design is None:
            continue
        answered, reasons = [], Counter[str]()
        for one in past:
            reason = _reason_against(one.plan, design, present.facts)
            if reason:
                reasons[reason] += one.times
            else:
                answered.append(one)
        if best is None or sum(one.cost for one in answered) > sum(one.cost for one in best[1]):
            best = statement, answered, reasons
    return best


def _reason_against(plan: Plan | CompoundPlan, design: Design, facts: PublicFacts) -> str:
    """Why a summary would not answer a query that was charged for; '' if it would."""
    try:
        with facts.at_once():
            for block in plan.blocks:
                measured = questions_of(
                    block, design.rows, design.most, lambda query: is_measured(query, design), facts
                )
                widths = served(block, measured, design).half_widths
                fresh = column_error(block)
                if any(
                    width > MOST_NOISE * max(fresh.get(column, float("inf")), _LEAST)
                    for column, width in widths.items()
                ):
                    return "it would be less exact than what was asked"
    except Unserved as why:
        return str(why)
    return ""


def script_of(found: Sequence[SummaryAdvice]) -> str:
    """The proposals as a script, with what they would have saved as comments."""
    if not found:
        return "-- Nothing was charged that can be planned now, so that no summary is proposed.\n"
    parts = []
    for one in found:
        lines = [f"-- {one.words}"]
        lines += [f"--   not answered: {_counted(times, 'question')}: {why}" for why, times in one.reasons]
        if one.statement:
            lines += [_BANDS] * ("BANDS" in one.statement) + [f"{one.statement};"]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
