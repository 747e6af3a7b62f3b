"""Runs the statements of summaries: CREATE, EXPLAIN CREATE, REFRESH, DROP and SHOW.

A summary is charged for before the first private row is read, and settled with what was released: a crash in
between leaves a charge without a summary, never a summary without its charge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpduck.answers.band_advice import proposed_bands
from dpduck.answers.pipeline import check_current, unsettled
from dpduck.answers.preparation import Preparation
from dpduck.answers.results import Row
from dpduck.answers.room_words import no_room, summary_line
from dpduck.answers.summaries import Summaries, Summary
from dpduck.answers.summary_choice import ChosenDesign, chosen, cost_text, plan_lines
from dpduck.answers.summary_preparation import PreparedSummary, prepared_summary
from dpduck.answers.summary_words import (
    MOST_TOLD,
    cell_error,
    made_notice,
    measure_lines,
    noise_alone,
    part_name,
    quantity_names,
    share_text,
    shares_text,
)
from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.catalog.statements import (
    CreateSummary,
    DropSummary,
    ExplainSummary,
    RefreshSummary,
    ReleasedNumbers,
    ShowSummaries,
    ShowSummary,
    SummaryNoise,
    SummaryStatement,
)
from dpduck.kernel.data_line import below
from dpduck.kernel.engine import ScoreReader
from dpduck.kernel.errors import (
    DpduckError,
    ExecutionError,
    LedgerError,
    ParameterError,
    PermissionDeniedError,
    UnknownNameError,
    decimal_text,
)
from dpduck.kernel.ledger import StoredRelease
from dpduck.kernel.ledger.session import Session
from dpduck.kernel.ledger.summaries import PaidSummary
from dpduck.kernel.noise import Entropy
from dpduck.kernel.tree.relations import SelectQuery
from dpduck.policies.accounts import most_queries
from dpduck.summaries.design import Design
from dpduck.summaries.floor import least_epsilon
from dpduck.summaries.kept import KeptDesign, digest_of_cells, most_bytes, write_tables
from dpduck.summaries.release import noisy_tables
from dpduck.summaries.residuals import Columns, size_of

STATUS_COLUMNS = ("status",)
EXPLAIN_COLUMNS = ("explain",)
SUMMARY_COLUMNS = ("name", "table", "columns", "tables", "counts", "made", "epsilon", "spent", "state")
DETAIL_COLUMNS = ("what", "value")
NUMBER_COLUMNS = ("table", "cell", "n")


def columns_of(statement: SummaryStatement) -> Sequence[str]:
    """The columns of what a statement returns."""
    match statement:
        case ExplainSummary():
            return EXPLAIN_COLUMNS
        case ShowSummaries():
            return SUMMARY_COLUMNS
        case ShowSummary():
            return DETAIL_COLUMNS
        case ReleasedNumbers():
            return NUMBER_COLUMNS
    return STATUS_COLUMNS


@dataclass(frozen=True)
class Outcome:
    """What a statement returns. `charged`: exact epsilon, as text."""

    rows: Sequence[Row] = ()
    notices: tuple[str, ...] = ()
    charged: str = "0"


@dataclass(frozen=True)
class Workshop:
    """What makes summaries. `open` opens the reader of scores; `check` asks the engine whether it can run a
    query; `pause` waits until a time that does not reveal how long reading took."""

    session: Session
    preparation: Preparation
    summaries: Summaries
    open: Callable[[], AbstractContextManager[ScoreReader]]
    check: Callable[[SelectQuery], None]
    entropy: Entropy
    pause: Callable[[], None]
    interrupts: Interrupts

    def run(self, statement: SummaryStatement) -> Outcome:
        """Run a statement. Errors: any DpduckError; its `charged` says what was charged."""
        self.preparation.catalog()  # so that it is known which database it is
        match statement:
            case CreateSummary():
                return self._create(statement)
            case ExplainSummary(create=create):
                return self._explain(create)
            case RefreshSummary(name=name):
                return self._refresh(name)
            case DropSummary(name=name):
                return self._drop(name)
            case ShowSummaries():
                return Outcome(
                    [_row_of(summary, self._is_current(summary)) for summary in self.summaries.all()]
                )
            case ShowSummary(name=name):
                return Outcome(self._details(self._found(name)))
            case ReleasedNumbers(name=name):
                return self._numbers(self._found(name))

    # --- making one ------------------------------------------------------------------------------

    def _create(self, create: CreateSummary) -> Outcome:
        before = self._before(create)
        if before is not None:
            self._check_own(before)
        prepared = prepared_summary(create, self.preparation, self.interrupts)
        return self._made(create, prepared, before)

    def _refresh(self, name: str) -> Outcome:
        before = self._found(name)
        self._check_own(before)
        kind: SummaryNoise = "laplace" if before.description.gaussian is None else "gaussian"
        create = replace(before.create, noise=kind)  # of auto, the one that it has
        prepared = prepared_summary(create, self.preparation, self.interrupts)
        return self._made(create, prepared, before)

    def _before(self, create: CreateSummary) -> Summary | None:
        """The summary that is replaced, if there is one. Errors: ParameterError if the name is taken."""
        catalog = self.preparation.catalog()
        if catalog.has(create.name):
            raise ParameterError(
                f"there is a table or view {create.name} already",
                detail="Summaries, tables and views have names of their own.",
                hint=f"CREATE PRIVACY SUMMARY {create.name}_summary ON ....",
            )
        found = self._known(create.name)
        if found is not None and not create.replace:
            raise ParameterError(
                f"there is a summary {create.name} already",
                detail=f"It was paid for on {found.kept.at:%Y-%m-%d %H:%M:%S} UTC.",
                hint=f"ALTER PRIVACY SUMMARY {create.name} REFRESH, or CREATE OR REPLACE PRIVACY SUMMARY.",
            )
        return found

    def _made(self, create: CreateSummary, prepared: PreparedSummary, before: Summary | None) -> Outcome:
        """Charge for a summary, release it, and keep it: in room that is held from before the charge."""
        design = self._chosen(create, prepared).design
        self._check_useful(create, design)
        described = _described(create, design, before)
        size, ledger, analyst = (
            _most_bytes(described, prepared, design),
            self.session.ledger,
            self.session.analyst,
        )
        left = ledger.room_left(analyst)
        with ledger.holding(analyst, size) as fits:
            if not fits:
                raise no_room(create.name, size, left, is_owner=analyst is None)
            return self._paid(create, prepared, design, described, before)

    def _paid(
        self,
        create: CreateSummary,
        prepared: PreparedSummary,
        design: Design,
        described: KeptDesign,
        before: Summary | None,
    ) -> Outcome:
        scores, event = design.scores(prepared.salt), design.event
        self.check(scores)
        prepared.bounds.summary(design, scores)
        statement = create.text
        text = f"{statement} /* {shares_text(design)} */"
        self.interrupts.check()  # a statement stopped by now is not charged
        with ExitStack() as opened:
            reader = opened.enter_context(self.open())
            check_current(prepared, reader)
            paid = self.session.charge_summary(
                event,
                text,
                prepared.accounts,
                self.summaries.subject,
                create.name,
                statement,
                is_new=before is None and not create.replace,
                before=None if before is None else before.kept.seq,
            )
            # ============ the data line: private rows are read below ============
            tables = None
            with below(), opened:  # any error's text could quote a private value
                tables = noisy_tables(reader.read(scores), design, self.entropy)
        self.pause()
        if tables is None:
            raise ExecutionError(charged=decimal_text(event.epsilon))
        # ============ everything below is already released ============
        stored = StoredRelease(
            prepared.subject, prepared.version, described.text(), write_tables(design, tables)
        )
        is_named = self._settle(paid, stored, create, statement, event.epsilon)
        said = made_notice(create.name, design, described.spent, is_new=before is None)
        if not is_named:
            said = f"Summary {create.name} was made anew or dropped meanwhile: this one answers nothing."
        return Outcome(notices=(said,), charged=decimal_text(event.epsilon))

    def _chosen(self, create: CreateSummary, prepared: PreparedSummary) -> ChosenDesign:
        accounts = (self.session.account, *prepared.accounts)
        return chosen(create, prepared, self.session.ledger.budgets(accounts))

    def _check_useful(self, create: CreateSummary, design: Design) -> None:
        """Errors: ParameterError if each number would be noise, unless the owner forces it."""
        is_owner = self.session.analyst is None
        if create.forced and not is_owner:
            raise PermissionDeniedError(
                "only the data owner makes a summary with FORCE",
                detail="No data was read.",
                hint="Leave it out, or ask the data owner.",
            )
        least = None if create.forced else least_epsilon(design)
        if least is not None:
            raise noise_alone(create, design, least, is_owner=is_owner)

    def _settle(
        self,
        paid: PaidSummary,
        stored: StoredRelease,
        create: CreateSummary,
        statement: str,
        epsilon: Fraction,
    ) -> bool:
        """Keep what was released. Output: whether it has its name."""
        subject, analyst = self.summaries.subject, self.session.analyst
        try:
            return self.session.ledger.settle_summary(paid, stored, subject, create.name, statement, analyst)
        except DpduckError as error:
            fault: LedgerError = unsettled(error, epsilon)
        raise fault

    def _drop(self, name: str) -> Outcome:
        found = self._known(name)
        if found is not None:
            self._check_own(found)
        ledger, analyst = self.session.ledger, self.session.analyst
        statement = f"DROP PRIVACY SUMMARY {name}"
        if found is None and analyst is not None:
            raise _unknown(name)
        if not ledger.drop_summary(self.summaries.subject, name, statement, analyst):
            raise _unknown(name)
        spent = "" if found is None else f" Epsilon {decimal_text(found.description.spent)} stays spent."
        return Outcome(notices=(f"Summary {name} answers no more.{spent}",))

    # --- finding one -----------------------------------------------------------------------------

    def _known(self, name: str) -> Summary | None:
        return next((one for one in self.summaries.all() if fold(one.kept.name) == fold(name)), None)

    def _found(self, name: str) -> Summary:
        found = self._known(name)
        if found is None:
            raise _unknown(name)
        return found

    def _check_own(self, summary: Summary) -> None:
        """Errors: PermissionDeniedError for an analyst, of a summary that somebody else made."""
        if self.session.analyst is None or summary.kept.analyst == self.session.analyst:
            return
        raise PermissionDeniedError(
            f"summary {summary.name} belongs to somebody else",
            detail="No data was read.",
            hint="Create one under another name, or ask the data owner.",
        )

    # --- telling of one --------------------------------------------------------------------------

    def _explain(self, create: CreateSummary) -> Outcome:
        before = self._before(create)
        prepared = prepared_summary(create, self.preparation, self.interrupts)
        choice = self._chosen(create, prepared)
        design = choice.design
        self._check_useful(create, design)
        self.check(design.scores(prepared.salt))
        accounts = (self.session.account, *prepared.accounts)
        left = most_queries(self.session.ledger.budgets(accounts), design.event)
        lines = explained(create, design) + plan_lines(choice, create, prepared)
        lines += proposed_bands(create, prepared, design, self.preparation, self.interrupts)
        if left is not None:
            lines.append(f"  left      {left[0]:,} such summaries: {left[1].scope} {left[1].name}")
        size = _most_bytes(_described(create, design, before), prepared, design)
        lines.append(summary_line(size, self.session.ledger.room_left(self.session.analyst)))
        lines += self._overlaps(design, prepared)
        return Outcome([(line,) for line in lines])

    def _overlaps(self, design: Design, prepared: PreparedSummary) -> list[str]:
        """What other summaries of the same rows measure already."""
        lines = []
        for other in self.summaries.all():
            if other.design is None or other.subject != prepared.subject:
                continue
            known = {column.asked or column.value.node for column in other.design.rows.columns}
            same = [c.name for c in design.rows.columns if (c.asked or c.value.node) in known]
            if len(same) > 1:
                names = ", ".join(same)
                lines.append(
                    f"  note      summary {other.name} has {names} already; this pays for them again"
                )
        return lines

    def _is_current(self, summary: Summary) -> bool | None:
        """Whether a summary counted the rows as they are now; None if it fits its table no more."""
        if summary.design is None:
            return None
        return self.summaries.is_current(summary)

    def _details(self, summary: Summary) -> list[Row]:
        reader = self.session.reader
        is_shown = reader is None or summary.kept.analyst == reader  # its workload is what somebody asks
        rows: list[Row] = [
            *([("statement", summary.description.create)] if is_shown else []),
            ("table", str(summary.create.table)),
            ("made", f"{summary.kept.at:%Y-%m-%d %H:%M:%S} UTC"),
            ("epsilon", decimal_text(cost_of(summary.kept.event).epsilon)),
            *[("delta", decimal_text(delta)) for delta in [cost_of(summary.kept.event).delta] if delta],
            ("spent in all", decimal_text(summary.description.spent)),
            ("counts", summary.counts or "each unit once: it has one row"),
        ]
        if summary.design is None:
            return [*rows, ("answers nothing", summary.reason)]
        design = summary.design
        rows += [(f"column {column.name}", _listed(column.labels)) for column in design.rows.columns]
        for table in design.tables:
            rows.append(
                (part_name(design, table), f"{share_text(design, table)}, +-{cell_error(design, table):,}")
            )
        for measure in design.rows.measures:
            rows.append(
                (f"measure {measure.name}", f"from {float(measure.low):g} to {float(measure.high):g}")
            )
        return rows

    def _numbers(self, summary: Summary) -> Outcome:
        """The released numbers, for who may have answers; a budget FOR somebody pays as for one of them."""
        if summary.design is None:
            raise ParameterError(
                f"the numbers of summary {summary.name} cannot be named",
                detail=_sentence(summary.reason),
                hint=f"ALTER PRIVACY SUMMARY {summary.name} REFRESH.",
            )
        design, contents = summary.design, self.summaries.contents(summary)
        charged = self.summaries.pay(summary, f"SELECT * FROM dp_summary('{summary.name}')")
        rows: list[Row] = []
        for name, tables in zip(quantity_names(design), (contents.tables, *contents.sums), strict=True):
            for table in design.tables:
                rows += _numbers_of(design, table, tables[table], name)
        return Outcome(rows, charged=decimal_text(charged))


def _described(create: CreateSummary, design: Design, before: Summary | None) -> KeptDesign:
    """What is stored of a design. Input: the summary that is replaced."""
    return KeptDesign(
        create.text,
        digest_of_cells(design.rows),
        design.most,
        design.shares,
        design.event.epsilon + (Fraction(0) if before is None else before.description.spent),
        create.max_age,
        design.gaussian,
        design.measures,
    )


def _most_bytes(described: KeptDesign, prepared: PreparedSummary, design: Design) -> int:
    """How many bytes a summary takes at most, from public facts."""
    public = StoredRelease(prepared.subject, prepared.version, described.text(), "")
    return public.size + most_bytes(design)


def _numbers_of(design: Design, table: Columns, numbers: NDArray[np.int64], name: str) -> Iterator[Row]:
    """The released numbers of a table, or a residual. Input: of what, if not of counts."""
    columns = [design.rows.columns[number] for number in table]
    fitted = design.strategies.get(table, {})
    for place, n in np.ndenumerate(numbers):
        cell = ", ".join(
            f"{column.name} row {at + 1}" if number in fitted else f"{column.name}={column.labels[at]}"
            for number, column, at in zip(table, columns, place, strict=True)
        )
        yield (f"{design.named(table)}{name}", cell, str(n))


def explained(create: CreateSummary, design: Design) -> list[str]:
    """What EXPLAIN says of a design."""
    cells = size_of(range(len(design.sizes)), design.sizes)
    cost, noun = cost_text(design.event), "table" if design.gaussian is None else "residual"
    tables = f"{len(design.tables)} {noun}{'s' * (len(design.tables) != 1)}"
    lines = [
        f"summary {create.name}: {design.kind} noise, {tables}, {cells:,} full cells, {cost}",
        f"  cost      {cost}, once; each refresh costs it again",
        f"  counts    {_counted(design)}",
    ]
    whole = sum(share for own in (design.shares, *design.measures) for share in own.values())
    of = "epsilon" if design.gaussian is None else "mu squared"
    lines += [
        f"  {noun:<9} {design.named(table)}: {float(design.shares[table] / whole):.2f} of {of}, "
        f"{size_of(table, design.sizes):,} cells, each within {cell_error(design, table):,}"
        for table in design.tables[:MOST_TOLD]
    ]
    if len(design.tables) > MOST_TOLD:
        lines.append(f"  {noun:<9} ... and {len(design.tables) - MOST_TOLD} more")
    for number, column in enumerate(design.rows.columns):
        if (number,) in design.variances:
            lines.append(
                f"  error     by {column.name}, of {column.size:,}: within {cell_error(design, (number,)):,} "
                "with probability 95 %"
            )
    lines += measure_lines(design)
    if design.rows.left_out:
        lines.append(f"  leaves    out rows whose {design.rows.left_out} is not in its public domain")
    nullable = [column.name for column in design.rows.columns if column.key.or_null]
    if nullable:
        lines.append(f"  NULL      is a cell of {', '.join(nullable)}: less noise where a column is NOT NULL")
    lines.append(f"  cannot    {_cannot(design)}")
    if design.gaussian is None and create.delta:
        lines.append("  note      DELTA is not spent: its tables have discrete Laplace noise")
    return lines


def _counted(design: Design) -> str:
    if design.most is None:
        return "each unit once: the schema allows it one row"
    times = "" if design.most == 1 else f", which makes noise {design.most} times as large as for one row"
    return f"rows, at most {design.most} of each unit in total{times}; of more, a hash chooses"


def _cannot(design: Design) -> str:
    """What cannot be asked."""
    names = ", ".join(column.name for column in design.rows.columns)
    bands = [column.name for column in design.rows.columns if column.asked is None]
    largest = max(len(table) for table in design.tables)
    said = f"ask of other columns than {names}"
    if largest < len(design.sizes):
        said += f", or of more than {largest} of them at once"
    owned = design.rows.owned
    if not owned.one_row and owned.rows_bound is None:
        alter = f"ALTER TABLE {owned.named[0].name} SET PRIVACY CONTRIBUTION (rows = {design.most})"
        said += f", nor count(*), sums and averages, which count people: {alter} first"
    return said + (f", or within a band of {', '.join(bands)}" if bands else "")


def _row_of(summary: Summary, is_current: bool | None) -> Row:
    create = summary.create
    names = ", ".join(column.name for column in create.columns)
    states = {None: summary.reason, True: "of the present rows", False: "its database has changed since"}
    state = "older than its MAX AGE" if summary.is_too_old else states[is_current]
    return (
        summary.name,
        str(create.table),
        names,
        str(len(summary.description.shares)),
        summary.counts or "units",
        f"{summary.kept.at:%Y-%m-%d %H:%M:%S}",
        decimal_text(cost_of(summary.kept.event).epsilon),
        decimal_text(summary.description.spent),
        state,
    )


def _listed(labels: Sequence[str]) -> str:
    shown = ", ".join(labels[:20])
    return shown if len(labels) <= 20 else f"{shown}, ... ({len(labels):,})"


def _unknown(name: str) -> UnknownNameError:
    return UnknownNameError(
        f"there is no summary {name[:60]}", hint="SHOW PRIVACY SUMMARIES lists those that there are."
    )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
