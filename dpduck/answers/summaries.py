"""The private summaries of a session's database: which there are, which of them serves a query, and how well.

Which summaries there are, and what they could answer, is public: so nothing here costs anything, and EXPLAIN
says as much as an answer does.
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import partial

import pyarrow as pa

from dpduck.answers.pipeline import ReleaseRequest
from dpduck.answers.preparation import Preparation
from dpduck.answers.replay import subject_of
from dpduck.answers.summary_preparation import summary_rows
from dpduck.compiler.compile.summary import SummaryRows
from dpduck.compiler.parse.statements import parse
from dpduck.kernel.catalog.model import Catalog, fold
from dpduck.kernel.catalog.statements import CreateSummary
from dpduck.kernel.errors import DpduckError, PolicyError, UnsupportedSqlError, decimal_text
from dpduck.kernel.errors.advice import Hint, SetTo
from dpduck.kernel.errors.notices import Notice, Rank
from dpduck.kernel.ledger import Account, Subject
from dpduck.kernel.ledger.session import Session
from dpduck.kernel.ledger.summaries import KeptSummary, KnownSummaries
from dpduck.kernel.mechanisms.averages import accuracy_of_means
from dpduck.kernel.plan.aggregates import Mean
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.cost import column_error
from dpduck.kernel.plan.coverage import Covers, covers
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.plan.prices import event_of
from dpduck.summaries.answers import Served, is_measured, served, whole_width
from dpduck.summaries.chosen import allowed_for, chosen_together
from dpduck.summaries.design import Design
from dpduck.summaries.kept import Contents, KeptDesign, digest_of_cells, read_tables
from dpduck.summaries.questions import Unserved, questions_of

MOST_NOISE = 1.5  # relative to a fresh answer: up to here a summary answers
NOTED_NOISE = 10  # up to here it is said that one could
_LEAST = 0.5  # half-width in ticks with which another is compared: whole numbers are no more exact
_MANY = 10**9  # values of a mean, of which one does not matter
_MOST = 256  # plans of which is remembered what serves them


@dataclass(frozen=True, eq=False)
class Summary:
    """A summary that there is. `design`: None if it fits its table no more; `reason`: why not.

    `version`: of the rows that it counted; `description`: as it is stored.
    """

    kept: KeptSummary
    create: CreateSummary
    description: KeptDesign
    subject: str
    version: str
    design: Design | None
    reason: str = ""

    @property
    def name(self) -> str:
        """Its name as it was created."""
        return self.create.name

    @property
    def is_too_old(self) -> bool:
        """Whether it has reached its MAX AGE."""
        most = self.description.max_age
        return most is not None and _now() - self.kept.at > timedelta(days=float(most))

    @property
    def counts(self) -> str:
        """What its numbers count, in words."""
        if self.design is None or self.design.most is None:
            return ""
        rows = "row" if self.design.most == 1 else "rows"
        return f"rows, at most {self.design.most} {rows} of each unit; what that leaves out is not told"


@dataclass(frozen=True, eq=False)
class ServedPlan:
    """A summary that serves a query: the plan of all groups, each block as it is served.

    `noise`: its half-widths relative to those of a fresh answer, the largest; `fresh`: the latter by column.
    """

    summary: Summary
    plan: Plan | CompoundPlan
    blocks: tuple[Served, ...]
    noise: float
    fresh: Mapping[str, float]

    @property
    def plan_of_all(self) -> Plan | CompoundPlan:
        """The plan without the bounds of the table: a summary has its own, of which it says itself."""
        if isinstance(self.plan, CompoundPlan):
            return replace(self.plan, blocks=tuple(map(self._counted, self.plan.blocks)))
        return self._counted(self.plan)

    def _counted(self, plan: Plan) -> Plan:
        is_cut = self.summary.design is not None and self.summary.design.most is not None
        asked = replace(plan.asked, most=None, one_each=True, is_cut=is_cut)
        return replace(allowed_for(plan), asked=asked)

    @property
    def covers(self) -> dict[str, Covers]:
        """What the interval of each column of the answer covers, by its name."""
        design = self.summary.design
        assert design is not None
        found: dict[str, Covers] = {}
        for block in self.plan_of_all.blocks:
            known = covers(block)
            for name, column in block.shown:
                if column in known:
                    own = known[column]
                    found[name] = "domain" if own == "both" and design.rows.left_out else own
        return found

    @property
    def errors(self) -> dict[str, float]:
        """What the error of each column of the answer stays within at 95 %, by its name."""
        found: dict[str, float] = {}
        for block in self.blocks:
            known = block.errors
            for name, column in block.plan.shown:
                if column in known:
                    found[name] = max(known[column], found.get(name, 0.0))
        return found

    @property
    def promise(self) -> str:
        """How exact the columns of the answer are, in a list."""
        errors = [f"{name} to +-{whole_width(width):,}" for name, width in self.errors.items()]
        means = [f"{name} of n values to +-{whole_width(width):,} / n" for name, width in self.means.items()]
        return ", ".join([*errors, *means])

    @property
    def means(self) -> dict[str, float]:
        """What the error of each mean, by its name, stays within, times the number of values."""
        found: dict[str, float] = {}
        for block in self.blocks:
            known = block.errors_of_means
            found |= {name: known[column] for name, column in block.plan.shown if column in known}
        return found

    @property
    def tables_read(self) -> int:
        """How many of its tables, or residuals, the answer is made of."""
        design = self.summary.design
        assert design is not None
        asked = [question.query.columns for block in self.blocks for question in block.questions.values()]
        if design.gaussian is not None:
            return sum(any({*part} <= {*columns} for columns in asked) for part in design.tables)
        return sum(any({*table} & {*columns} or not columns for columns in asked) for table in design.tables)

    def tables(self, contents: Contents) -> tuple[pa.Table, ...]:
        """The released columns of each block."""
        return tuple(block.table(contents) for block in self.blocks)


@dataclass(frozen=True, eq=False)
class Search:
    """What was found for a query: the summary that serves it best, and why each of the others does not."""

    best: ServedPlan | None
    reasons: Mapping[str, str]


class SummaryCache:
    """What the sessions of one analyst share: summaries as they were read, and what serves which plan."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[Subject, KnownSummaries] = {}
        self._read: dict[int, tuple[Catalog, Summary]] = {}
        self._contents: OrderedDict[int, Contents] = OrderedDict()
        self._served: OrderedDict[tuple[int, int], tuple[object, tuple[Served, ...] | str]] = OrderedDict()

    def known(self, session: Session, subject: Subject) -> KnownSummaries:
        """Which summaries there are now."""
        found = session.ledger.summaries(subject, self._known.get(subject))
        self._known[subject] = found
        return found

    def summary(self, seq: int, catalog: Catalog, read: Callable[[], Summary | None]) -> Summary | None:
        """A summary as it fits a catalog; None if it is gone."""
        with self._lock:
            known = self._read.get(seq)
        if known is None or not (known[0] is catalog or known[0] == catalog):
            found = read()
            if found is None:
                return None
            known = catalog, found
            with self._lock:
                self._read[seq] = known
        return known[1]

    def contents(self, summary: Summary, session: Session) -> Contents:
        """The noisy tables of a summary.

        Errors: LedgerError unless they are those that were released; PolicyError if they are gone.
        """
        seq, design = summary.kept.seq, summary.design
        assert design is not None
        with self._lock:
            found = self._contents.get(seq)
        if found is None or found.design is not design:
            stored = session.ledger.summary(seq)
            if stored is None:
                raise changed_meanwhile(summary.name)
            found = Contents.of(design, read_tables(design, stored.rows))
            with self._lock:
                self._contents[seq] = found
                while len(self._contents) > _MOST_CONTENTS:
                    self._contents.popitem(last=False)
        return found

    def served(
        self, plan: Plan | CompoundPlan, summary: Summary, find: Callable[[], tuple[Served, ...] | str]
    ) -> tuple[Served, ...] | str:
        """How a summary serves a plan, or why it does not."""
        at = id(plan), id(summary)
        with self._lock:
            known = self._served.get(at)
        if known is None or known[0] is not plan:
            known = plan, find()  # the plan is kept, so that its id is not that of another
            with self._lock:
                self._served[at] = known
                while len(self._served) > _MOST:
                    self._served.popitem(last=False)
        return known[1]


_MOST_CONTENTS = 8  # summaries whose tables are kept in memory


class Summaries:
    """The summaries that one session may ask. `preferred`: the one that answered last, if any did."""

    def __init__(self, session: Session, preparation: Preparation, cache: SummaryCache) -> None:
        self._session = session
        self._prepare = preparation
        self._cache = cache
        self._preferred = ""

    # --- which there are -------------------------------------------------------------------------

    @property
    def subject(self) -> Subject:
        """Of the summaries of this database."""
        stored = self._prepare.subject  # without the catalog, which would be read again after a write
        return Subject("summary", stored.database, stored.place)

    def all(self) -> list[Summary]:
        """All summaries that were released, by name."""
        known = self._cache.known(self._session, self.subject)
        if not known.names:
            return []
        catalog = self._prepare.catalog()
        ledger = self._session.ledger
        released = {name: seq for name, seq in known.names.items() if ledger.has_summary(seq)}
        found = (
            self._cache.summary(seq, catalog, partial(self._read, name, seq))
            for name, seq in sorted(released.items())
        )
        return [summary for summary in found if summary is not None]

    def _read(self, name: str, seq: int) -> Summary | None:
        """A summary; None if it was dropped or made anew just now."""
        ledger = self._session.ledger
        kept, stored = ledger.kept_summary(name, seq), ledger.summary(seq)
        if stored is None:
            return None
        description = KeptDesign.read(stored.description)
        statement = None if description is None else parse(description.create)
        if description is None or not isinstance(statement, CreateSummary):
            raise UnsupportedSqlError(
                f"summary {name} was made by a later version of dpduck",
                detail="Its format is not known here.",
                hint="Install the newest version, or DROP PRIVACY SUMMARY.",
            )
        design, reason = None, "its columns have other values than when it was made"
        try:
            present = self._prepare.at_present()
            with present.facts.at_once():
                rows = summary_rows(statement, present.catalog, present.facts)
        except DpduckError as error:
            reason = error.message
        else:
            if digest_of_cells(rows) == description.cells:
                design, reason = _design(rows, description), ""
        return Summary(kept, statement, description, stored.subject, stored.version, design, reason)

    # --- which serves a query --------------------------------------------------------------------

    @property
    def preferred(self) -> str:
        """The summary that answered last in this session: charts of one page are to agree."""
        return self._preferred

    def search(self, request: ReleaseRequest, *, is_compared: bool) -> Search:
        """The best summary for a query. Input: whether there would be a fresh answer to compare with.

        Errors: LedgerError.
        """
        summaries, reasons, found = self.all(), dict[str, str](), list[ServedPlan]()
        whole = request.whole() if summaries else None
        for summary in summaries:
            choice = self._choice(summary, request, whole, is_compared=is_compared)
            if isinstance(choice, ServedPlan):
                found.append(choice)
            else:
                reasons[summary.name] = choice
        best = min(found, key=self._rank, default=None)
        return Search(best, reasons)

    def _rank(self, choice: ServedPlan) -> tuple[bool, bool, float, str]:
        """First the one that has answered in this session, if it is exact enough; then the most exact."""
        widths, name = sum(choice.errors.values()), choice.summary.name
        return choice.noise > MOST_NOISE, name != self._preferred, choice.noise or widths, name

    def _choice(
        self,
        summary: Summary,
        request: ReleaseRequest,
        whole: Plan | CompoundPlan | None,
        *,
        is_compared: bool,
    ) -> ServedPlan | str:
        if summary.design is None:
            return summary.reason
        if summary.is_too_old:
            return f"it is older than its MAX AGE, and waits for ALTER PRIVACY SUMMARY {summary.name} REFRESH"
        if whole is None:
            return "the query is not of groups of public domains"
        blocks = self._cache.served(whole, summary, lambda: self._served(whole, summary))
        if isinstance(blocks, str):
            return blocks
        fresh = _fresh_errors(request, whole) if is_compared else []
        ratios, named = [0.0], dict[str, float]()
        for block, widths in zip(blocks, fresh, strict=False):
            known = (
                (width, widths.get(column, math.inf), _LEAST * block.tick(column))
                for column, width in block.half_widths.items()
            )
            ratios += [width / max(fresh_width, least) for width, fresh_width, least in known]
            named |= {
                name: widths[column]
                for name, column in block.plan.shown
                if column in widths and not block.is_mean(column)
            }
        return ServedPlan(summary, chosen_together(whole), blocks, max(ratios), named)

    def _served(self, whole: Plan | CompoundPlan, summary: Summary) -> tuple[Served, ...] | str:
        design, facts, salt = summary.design, self._prepare.facts(), self._prepare.catalog().salt
        assert design is not None
        if any(subject_of(block, salt) != summary.subject for block in whole.blocks):
            return "it is of other rows"
        try:
            with facts.at_once():
                return tuple(
                    served(
                        block,
                        questions_of(
                            block, design.rows, design.most, lambda query: is_measured(query, design), facts
                        ),
                        design,
                    )
                    for block in chosen_together(whole).blocks
                )
        except Unserved as why:
            return str(why)

    def is_one(self, name: str) -> bool:
        """Whether a summary has that name."""
        return fold(name) in self._cache.known(self._session, self.subject).names

    # --- answers ---------------------------------------------------------------------------------

    def use(self, choice: ServedPlan, request: ReleaseRequest, *, free: bool) -> Fraction | None:
        """Record that a summary is asked. Output: the epsilon charged, 0 unless a budget FOR somebody pays.

        None: it has less left than that, or is not to pay, or the query asks to spend less. Input: `free`:
            nothing is to be charged.
        Errors: LedgerError.
        """
        kept = choice.summary.kept
        if self.price(choice.summary, request, free=free) is None:
            return None
        charged = self._session.replay(
            kept.event, request.text, kept.seq, request.accounts, of_summary=True, free=free
        )
        if charged is not None:
            self._preferred = choice.summary.name
        return charged

    def price(self, summary: Summary, request: ReleaseRequest, *, free: bool) -> Fraction | None:
        """The epsilon that `use` would charge now. Input and output: as of `use`."""
        price, own, asked = self.owed(summary), summary.kept.event, event_of(request.plan)
        if price and (free or own.epsilon > asked.epsilon or own.delta > asked.delta):
            return None
        return price

    def owed(self, summary: Summary) -> Fraction | None:
        """What a budget FOR somebody would pay now for all numbers, mostly 0; None if it has less left."""
        kept = summary.kept
        return self._session.price_of_replay(kept.event, kept.seq, self._accounts(summary))

    def contents(self, summary: Summary) -> Contents:
        """The noisy tables of a summary. Errors: LedgerError."""
        return self._cache.contents(summary, self._session)

    def pay(self, summary: Summary, text: str, *, free: bool = False) -> Fraction:
        """Record that all numbers of a summary are read.

        Input: `free`: nothing is to be charged. Output: what a budget FOR somebody paid for them now, mostly
            0.
        Errors: PermissionDeniedError, LedgerError; UnsupportedSqlError if that budget has less left.
        """
        kept, accounts = summary.kept, self._accounts(summary)
        charged = self._session.replay(kept.event, text, kept.seq, accounts, of_summary=True, free=free)
        if charged is None:
            raise refused(Search(None, {summary.name: UNPAID if free else POOR}))
        return charged

    def _accounts(self, summary: Summary) -> tuple[Account, ...]:
        assert summary.design is not None
        owned = summary.design.rows.owned
        return tuple(self._prepare.accounts(owned.tables, owned.root))

    def is_current(self, summary: Summary) -> bool:
        """Whether the rows are those that a summary has counted."""
        assert summary.design is not None
        owned = summary.design.rows.owned
        return self._prepare.version(owned.tables, joins_public=owned.reads_public) == summary.version

    def said(self, choice: ServedPlan, request: ReleaseRequest, charged: Fraction) -> tuple[Notice, ...]:
        """What to say of an answer from a summary. Input: what a budget FOR somebody paid for it now."""
        summary = choice.summary
        design = summary.design
        assert design is not None
        made = f"{summary.kept.at:%Y-%m-%d %H:%M:%S} UTC"
        cost = f"epsilon {decimal_text(charged)} was charged once" if charged else "it costs nothing"
        said = [f"This is from summary {summary.name}, which was paid for on {made}; {cost}."]
        if summary.counts:
            said.append(f"It counts {summary.counts}.")
        left_out = design.rows.left_out
        if left_out:
            said.append(f"It leaves out rows whose {left_out} is not in its public domain.")
        if summary.version != request.version:
            said.append("Its database has changed since.")
        sentence = f"This is from summary {summary.name}; {cost}."
        ask = Hint.of(SetTo("dp_summaries", "off"), " asks the table.")
        return (Notice(Rank.MEANING, sentence, " ".join(said), ask),)

    def offered(self, choice: ServedPlan) -> Notice | None:
        """What to say beside a fresh answer that a summary would have given with more noise."""
        if not MOST_NOISE < choice.noise <= NOTED_NOISE or not choice.errors:
            return None  # the error of an average depends on how many values it has
        words, price = f"Summary {choice.summary.name} would give {choice.promise}", self.owed(choice.summary)
        if price is None:
            return None
        if price:
            pays = Hint.of(f"FROM dp_summary('{choice.summary.name}') pays it.")
            return Notice(Rank.ADVICE, f"{words} {once(price)}.", hint=pays)
        takes = Hint.of(SetTo("dp_summaries", "only"), " takes it.")
        return Notice(Rank.ADVICE, f"{words} at no cost.", hint=takes)


UNPAID = "a budget FOR somebody, which has not paid for it yet, would be charged"
DEAR = (
    "a budget FOR somebody would pay its price, which is more than the query asks to spend or than is left; "
    "FROM dp_summary() pays it, once"
)
POOR = "no budget has what it cost left"


def once(price: Fraction) -> str:
    """What a budget FOR somebody pays, in words."""
    return f"for epsilon {decimal_text(price)} once, of a budget FOR somebody"


def changed_meanwhile(name: str) -> PolicyError:
    """The error for a summary that another session has dropped or made anew."""
    return PolicyError(
        f"summary {name} was made anew or dropped meanwhile", detail="No data was read.", hint="Run it again."
    )


def refused(search: Search) -> UnsupportedSqlError:
    """The error for a query that no summary answers, where only summaries may."""
    reasons = "; ".join(f"{name}: {reason}" for name, reason in search.reasons.items())
    return UnsupportedSqlError(
        "no summary answers this query",
        detail=f"{reasons}." if reasons else "There is no summary.",
        hint=Hint.of(SetTo("dp_summaries", "on"), " asks the table where no summary answers."),
    )


def _design(rows: SummaryRows, kept: KeptDesign) -> Design:
    return Design(rows, kept.most, kept.shares, kept.gaussian, kept.measures)


def _now() -> datetime:
    return datetime.now(UTC)


def _fresh_errors(request: ReleaseRequest, whole: Plan | CompoundPlan) -> list[dict[str, float]]:
    """The half-widths of a fresh answer for each block: those of all groups, or of a plan that is better."""
    found = []
    for number, block in enumerate(whole.blocks):
        widths = _with_means(block)
        own = _with_means(request.plan.blocks[number]) if number < len(request.plan.blocks) else {}
        found.append({column: min(width, own.get(column, width)) for column, width in widths.items()})
    return found


def _with_means(plan: Plan) -> dict[str, float]:
    """The half-widths of counts and sums, and of means times the number of values, at the worst mean."""
    found = column_error(plan)
    for measure in plan.measures:
        request = measure.request
        if isinstance(request, Mean):
            error = accuracy_of_means(measure.epsilon, _MANY, rows=request.rows or 1, groups=measure.groups)
            found[request.column] = error.half_width * _MANY * float(request.high - request.low)
    return found
