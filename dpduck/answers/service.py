"""Statements in, rows out: the interface of connections, functions and the gateway to the pipeline.

A service stores no results, so several threads may share one: each statement runs on its own cursor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from typing import TypeVar

import duckdb
import pyarrow as pa

from dpduck.answers import notices
from dpduck.answers.beside_noise import beside_noise, chosen_privately
from dpduck.answers.blocks import rows_beside, together
from dpduck.answers.delta_advice import allowed, names_delta
from dpduck.answers.explain import Explanation
from dpduck.answers.explaining import Explaining
from dpduck.answers.intervals import of_missing_ends
from dpduck.answers.other_errors import WantedError
from dpduck.answers.pipeline import (
    ReleaseRequest,
    Response,
    answer,
    check_current,
    is_replayed,
    replay,
    response_again,
)
from dpduck.answers.preparation import Preparation
from dpduck.answers.presentation import presented
from dpduck.answers.rehearsal import check_shape
from dpduck.answers.replay import Replay, ReplayCache, description_of, find
from dpduck.answers.results import (
    PublicRows,
    ResultRows,
    Row,
    Shape,
    evaluate,
    shape_of,
    text_rows,
    text_shape,
    text_table,
    unmet,
)
from dpduck.answers.settings import Settings, columns_of
from dpduck.answers.summaries import UNPAID, Search, Summaries, SummaryCache, refused
from dpduck.answers.summary_advice import SummaryAdvice, advised
from dpduck.answers.summary_answers import (
    is_same_question,
    serves,
)
from dpduck.answers.summary_statements import Workshop
from dpduck.answers.summary_statements import columns_of as summary_columns
from dpduck.answers.synthetic_rows import SyntheticCache, SyntheticRows
from dpduck.compiler.parse.effort import reading
from dpduck.compiler.parse.settings import ResetSetting, SetOption, ShowSetting
from dpduck.compiler.parse.statements import Describe, Explain, Select, parse
from dpduck.compiler.parse.statements import Parameters as Parameters
from dpduck.engines.duckdb.hardening import cursor_of, open_scratch, scratch_of_process
from dpduck.engines.source import Source
from dpduck.kernel.arrow.columns import scores_of
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.model import Catalog, Table
from dpduck.kernel.catalog.statements import (
    CreateSummary,
    ExplainSummary,
    PolicyStatement,
    RefreshSummary,
    ReleasedNumbers,
    ShowBudgets,
    ShowBudgetsFor,
    ShowPrivacy,
    ShowPrivacyFor,
    ShowStatement,
    ShowSummaries,
    ShowSummary,
    SummaryStatement,
    TableName,
)
from dpduck.kernel.engine import ScoreReader
from dpduck.kernel.errors import (
    DpduckError,
    ExecutionError,
    LedgerError,
    ParameterError,
    PolicyError,
    decimal_text,
)
from dpduck.kernel.errors.advice import Audience, Hint, SetTo
from dpduck.kernel.errors.notices import Notice, Rank, Said
from dpduck.kernel.ledger import Account
from dpduck.kernel.ledger.session import BUDGET_SCHEMA, LEDGER_SCHEMA, POLICY_SCHEMA, Session, sql_columns
from dpduck.kernel.noise import Entropy, SystemEntropy
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.model import Output, Plan, PublicPlan
from dpduck.kernel.plan.prices import event_of
from dpduck.kernel.system.recent import Recent
from dpduck.policies.accounts import (
    BUDGET_COLUMNS,
    REMAINING_COLUMNS,
    above_delta,
    accounts_of,
    accounts_shown,
    budget_rows,
    most_queries,
    remaining_rows,
)
from dpduck.policies.names import COLUMNS_SCHEMA, TABLES_SCHEMA, column_rows, described_rows, table_rows
from dpduck.policies.privacy_keys import subject
from dpduck.policies.show import ANSWER_COLUMNS, PRIVACY_COLUMNS, answer_rows, privacy_rows
from dpduck.policies.suggest import Proposal, propose

T = TypeVar("T")

_MOST_GIVEN = 256  # answers that are kept as they were given again
_MOST_RECORDED = 1_000  # answers of which a session remembers that they are recorded
_MOST_GIVEN_ROWS = 1_000  # of each

_WHERE_DATA_ARE = "Run it where the data are: dpduck query FILE, with the server's --ledger."
_EXPLAIN_COLUMNS = ("explain",)
_STATUS_COLUMNS = ("status",)
_DESCRIBE_COLUMNS = ("column_name", "column_type", "null", "key", "default", "extra")
_REPORTS = {
    "dp_budget": BUDGET_SCHEMA,
    "dp_ledger": LEDGER_SCHEMA,
    "dp_policies": POLICY_SCHEMA,
    "information_schema.tables": TABLES_SCHEMA,
    "information_schema.columns": COLUMNS_SCHEMA,
}
_SHOW_COLUMNS: dict[type[ShowStatement], Sequence[str]] = {
    ShowPrivacy: PRIVACY_COLUMNS,
    ShowPrivacyFor: ANSWER_COLUMNS,
    ShowBudgets: BUDGET_COLUMNS,
    ShowBudgetsFor: REMAINING_COLUMNS,
}


@dataclass(frozen=True)
class _Given:
    """An answer as it was given again. `made`: what its rows follow from beside it, a plan and a setting."""

    found: Replay
    made: tuple[Plan | CompoundPlan, bool]
    rows: ResultRows


@dataclass(frozen=True)
class PlanningWorkspace:
    """What the sessions of one analyst may share: cached plans, the replay cache, answers as they were given
    again, and the database in which answers are bound.

    `database`: in memory, and empty.
    """

    database: duckdb.DuckDBPyConnection
    preparation: Preparation
    replay_cache: ReplayCache
    given: Recent[_Given] = field(default_factory=lambda: Recent(_MOST_GIVEN))
    summaries: SummaryCache = field(default_factory=SummaryCache)
    synthetic: SyntheticCache = field(default_factory=SyntheticCache)

    @classmethod
    def of(
        cls, source: Source, analyst: str | None, database: duckdb.DuckDBPyConnection | None = None
    ) -> PlanningWorkspace:
        """Input: `database`: an existing one to use."""
        if database is None:
            database = scratch_of_process() if source.memory is None else open_scratch(source.memory)
        return cls(database, Preparation(source, analyst, database), ReplayCache())


class Service:
    """Runs statements for one session.

    Input: `workspace`: a shared one (default: its own); `pause`: as in `pipeline.answer` (default: none, if
        the caller may know how long a query takes); `records`: whether policies that differ from the record
        are recorded; `interrupts`: what stops the work of this session (default: its own).
    """

    def __init__(
        self,
        source: Source,
        session: Session,
        settings: Settings,
        workspace: PlanningWorkspace | None = None,
        pause: Callable[[], None] = lambda: None,
        *,
        records: bool = True,
        interrupts: Interrupts | None = None,
    ) -> None:
        self._owns_workspace = workspace is None
        workspace = workspace or PlanningWorkspace.of(source, session.analyst)
        self.session = session
        self.settings = settings
        self._initial = replace(settings)
        self.interrupts = interrupts or Interrupts()
        self._pause = pause
        self._data = source.connection
        self._memory = source.memory
        self.takes_tables = source.files is None and source.elsewhere is None and source.lake is None
        self._audience = Audience.SQL if source.files is None else Audience.SHELL_ON_FILE
        self._engine = source.engine
        self._entropy: Entropy = SystemEntropy()
        self.scratch = workspace.database  # for released rows only
        self._prepare = workspace.preparation
        self._decisions = workspace.preparation.decisions(session.ledger, records=records)
        self._replay_cache = workspace.replay_cache
        self._given = workspace.given
        self._summaries = Summaries(session, self._prepare, workspace.summaries)
        self._synthetic = SyntheticRows(self._summaries, workspace.synthetic)
        self._prepare.offer(self._synthetic.named)
        self._explaining = Explaining(
            session,
            self._prepare,
            self._summaries,
            self._synthetic,
            self.interrupts,
            self._audience,
            self._known,
        )
        # Answers, with the accounts, that this session was given with nothing left to record: that stays so.
        self._recorded: set[tuple[int, tuple[Account, ...]]] = set()

    def run(
        self, sql: str | PolicyStatement, params: Parameters = None, *, promised: str | None = None
    ) -> ResultRows | PublicRows:
        """Run one statement. A SELECT is charged before any private row is read.

        Input: the text, or a policy as an object; `promised`: the repr of the shape that was announced for
            the query; if the shape has changed, nothing runs.
        Errors: any DpduckError; its `charged` says what was charged.
        """
        if isinstance(sql, PolicyStatement):
            return self._done(sql)
        read = self._prepare.known(sql, params, self.settings) or self._read(sql, params)
        match read:
            case ReleaseRequest() | PublicPlan():
                return self._answer(read, promised, sql)
            case Explanation():
                return text_rows(_EXPLAIN_COLUMNS, [(line,) for line in str(read).splitlines()])
            case Describe():
                return text_rows(_DESCRIBE_COLUMNS, self._described(read.source, params))
            case ShowPrivacy() | ShowPrivacyFor() | ShowBudgets() | ShowBudgetsFor():
                return text_rows(_SHOW_COLUMNS[type(read)], self._show(read))
            case ShowSetting(name=name):
                return text_rows(columns_of(name), self.settings.rows_of(name))
        return self._of_summaries(read) if isinstance(read, SummaryStatement) else self._done(read)

    def _of_summaries(self, statement: SummaryStatement) -> ResultRows:
        workshop = Workshop(
            self.session,
            self._prepare,
            self._summaries,
            self._open,
            self._engine.check,
            self._entropy,
            self._pause,
            self.interrupts,
        )
        with self._advising():
            outcome = workshop.run(statement)
        rows = text_rows(summary_columns(statement), outcome.rows)
        is_made = isinstance(statement, CreateSummary | RefreshSummary)
        return replace(rows, notices=outcome.notices, charged=outcome.charged, fresh=is_made)

    def _done(self, statement: SetOption | ResetSetting | PolicyStatement) -> ResultRows:
        return replace(text_rows(_STATUS_COLUMNS, []), notices=self.change(statement))

    def _read(
        self, sql: str, params: Parameters
    ) -> (
        ReleaseRequest
        | PublicPlan
        | Explanation
        | Describe
        | SetOption
        | ShowSetting
        | ResetSetting
        | ShowStatement
        | PolicyStatement
        | SummaryStatement
    ):
        """Parse a text and prepare it. The tree of a query, which may be large, is freed on return."""
        with reading(sql, self.interrupts.check), self._allowing():
            statement = parse(sql)
            if isinstance(statement, Select):
                return self._prepare.request(sql, statement, params, self.settings, self.interrupts)
            if isinstance(statement, Explain):
                return self._explaining.of_select(sql, statement.select, params, self.settings)
            return statement

    def _answer(
        self, request: ReleaseRequest | PublicPlan, promised: str | None, text: str
    ) -> ResultRows | PublicRows:
        shape = _shape_of(request if isinstance(request, PublicPlan) else request.plan)
        if promised is not None and repr(shape) != promised:
            raise PolicyError(
                "the plan of this query has changed",
                detail="A policy or a setting was changed while it was prepared.",
                hint="Run it again.",
            )
        if isinstance(request, ReleaseRequest):
            return self._private(request, promised)
        if request.synthetic is not None:
            only = self.settings.summaries == "only"
            made = self._synthetic.read(request.synthetic, text, self.interrupts.check, free=only)
            assert isinstance(shape, Shape)
            return ResultRows(shape, made.rows, decimal_text(made.charged), (made.said,))
        if not isinstance(shape, PublicRows):
            return self._report(shape, request.report)
        self._decisions.note_reading(request.tables, text)
        return shape

    def _report(self, shape: Shape, name: str | None) -> ResultRows:
        """The rows of dp_budget(), dp_ledger(), dp_policies() or information_schema for this session."""
        table = self._reported(name)
        rows = [[_text(cell) for cell in row.values()] for row in table.to_pylist()]
        return ResultRows(shape, text_table(rows, table.num_columns))

    def _reported(self, name: str | None) -> pa.Table:
        match name:
            case "dp_budget":
                return self.session.budgets(self.accounts())
            case "dp_policies":
                return self.policies()
            case "information_schema.tables":
                return table_rows(self.shown_catalog())
            case "information_schema.columns":
                return column_rows(self.shown_catalog())
        return self.session.entries()

    def policies(self) -> pa.Table:
        """The policy entries of the database that the session may see."""
        self.catalog()  # so that edits without dpduck are on record
        return self.session.policies(self._decisions.subject)

    def open(self) -> tuple[str, ...]:
        """Load the policies now. Output: notices for the owner. Errors: LedgerError.

        Other errors are reported by the first statement.
        """
        try:
            self.catalog()
        except LedgerError:
            raise
        except DpduckError:
            pass
        return (*self._decisions.take_notices(), *self._of_delta())

    def set(self, name: str, value: str) -> tuple[str, ...]:
        """Change a setting. Output: notices for the user. Errors: as `Settings.set`."""
        self.settings.set(name, value)
        return self._of_delta() if name == "dp_delta" else ()

    def begin(self) -> None:
        """Take the present settings for those of the session's beginning."""
        self._initial = replace(self.settings)

    def reset(self, name: str) -> tuple[str, ...]:
        """Change a setting back to what it was at the beginning, or all. Output: notices for the user.

        Errors: UnknownNameError.
        """
        self.settings.restore(name, self._initial)
        return self._of_delta() if name in ("dp_delta", "all") else ()

    def _of_delta(self) -> tuple[str, ...]:
        """A warning for a delta above the lifetime cap; unreadable policies are reported elsewhere."""
        remark = None
        if self.settings.delta:
            with suppress(DpduckError):
                remark = above_delta(self.session.ledger, self.catalog(), self.settings.delta)
        return () if remark is None else (remark,)

    def _private(self, request: ReleaseRequest, promised: str | None = None) -> ResultRows:
        found = self._found(request)
        # First: if they cannot be read, nothing is charged.
        public = rows_beside(request.plan, self.open_public, self.interrupts)
        offered: tuple[Notice, ...] = ()
        free = found if found is not None and self._is_free(request, found) else None
        if free is None or not is_same_question(request, free):
            answered, offered = self._from_summary(request, public, free, promised)
            if answered is not None:
                return answered
        only = self.settings.summaries == "only"
        response = None if found is None else replay(request, self.session, found, free=only)
        if response is None and only:
            raise refused(self._search(request))  # as if there were no earlier answer
        if response is None:
            response = self._answered_once(request)
        rows = self._rows(request, response, public)
        return replace(rows, notices=(*rows.notices, *offered)) if rows.fresh else rows

    def _is_free(self, request: ReleaseRequest, found: Replay) -> bool:
        """Whether an earlier answer costs nothing now: no budget FOR somebody has still to pay for it.

        One that it has to pay for, which others were given, changes nothing of what else is free.
        """
        return self.session.price_of_replay(event_of(request.plan), found.kept.seq, request.accounts) == 0

    def _answered_once(self, request: ReleaseRequest) -> Response:
        """A fresh answer, or that which another session was given to the same question just now."""
        if not self.settings.replay:
            return self._answered(request)
        questions = self.session.ledger.questions
        question = (request.subject, request.version, description_of(request.plan))
        if questions.is_held(question) and not self._is_admitted(request):
            return self._answered(request)  # which is refused as if nobody else asked: at once
        with questions.held(question, self.interrupts.check):
            found, response = self._found(request), None  # it may have been stored since it was looked for
            if found is not None and is_same_question(request, found):
                response = replay(request, self.session, found)
            return self._answered(request) if response is None else response

    def _is_admitted(self, request: ReleaseRequest) -> bool:
        """Whether the budgets would allow a fresh answer now."""
        budgets = self.session.ledger.budgets((self.session.account, *request.accounts))
        left = most_queries(budgets, event_of(request.plan))
        return left is None or left[0] > 0

    def _answered(self, request: ReleaseRequest) -> Response:
        self.interrupts.check()  # a query stopped by now is not charged
        with self._advising():
            return answer(request, self.session, self._open(), self._entropy, self._pause)

    def _from_summary(
        self, request: ReleaseRequest, public: Sequence[pa.Table], found: Replay | None, promised: str | None
    ) -> tuple[ResultRows | None, tuple[Notice, ...]]:
        """The answer of a summary, or else what to say beside a fresh one.

        Input: an answer that would serve otherwise, and is free.
        Errors: UnsupportedSqlError if only summaries may.
        """
        if self.settings.summaries == "off":
            return None, ()
        search = self._search(request)
        choice = search.best
        if choice is not None and promised is not None and repr(shape_of(choice.plan)) != promised:
            search = Search(
                None, {choice.summary.name: "the columns that were announced are those of the table"}
            )
            choice = None
        only = self.settings.summaries == "only"
        if choice is None or not (only or serves(choice, found, self._summaries.preferred)):
            if only and found is None:
                raise refused(search)
            offered = None if choice is None or found is not None else self._summaries.offered(choice)
            return None, () if offered is None else (offered,)
        contents = self._summaries.contents(choice.summary)
        charged = self._summaries.use(choice, request, free=only)
        if charged is None:
            if only:
                raise refused(Search(None, {choice.summary.name: UNPAID}))
            return None, ()
        response = Response(
            choice.tables(contents),
            decimal_text(charged),
            choice.summary.kept.at,
            said=self._summaries.said(choice, request, charged),
            errors=choice.errors,
        )
        return self._rows(replace(request, plan=choice.plan_of_all), response, public), ()

    def _search(self, request: ReleaseRequest) -> Search:
        """The summary that serves a query best."""
        has_epsilon = self.settings.summaries != "only"
        return self._summaries.search(request, is_compared=has_epsilon)

    @contextmanager
    def _allowing(self) -> Iterator[None]:
        """Let a hint to set a delta name one that the budgets of private tables still allow."""
        try:
            yield
        except DpduckError as error:
            if names_delta(error):
                error.advice = allowed(error, self.session.ledger.budgets(self._charged_accounts()))
            raise

    def _charged_accounts(self) -> list[Account]:
        """The accounts that this session's queries are charged to, on any table."""
        catalog, analyst = self.catalog(), self.session.analyst
        private = (table for table in catalog.tables if table.private)
        found = (accounts_of(catalog, [table], catalog.root(table), analyst) for table in private)
        return list(dict.fromkeys([self.session.account, *chain.from_iterable(found)]))

    @contextmanager
    def _advising(self) -> Iterator[None]:
        """Add the memory limit to the hint of every failed query, whether it was the cause or not."""
        try:
            yield
        except ExecutionError as error:
            if self._memory is not None:
                memory = f"If {self._memory} of memory may be too little, raise that limit. "
                error.advice = Hint.of(memory, error.advice or "")
            raise

    def replayed(self, sql: str, params: Parameters = None) -> ResultRows | None:
        """The rows of a query that this session has replayed before, without a new entry and without waiting.

        Output: None if an entry or waiting is needed, as for filters that DuckDB computes; then nothing has
            happened.
        """
        request = self._prepare.known(sql, params, self.settings)
        if (
            not isinstance(request, ReleaseRequest)
            or not self.settings.replay
            or _computes_more(request.plan)
        ):
            return None
        ledger = self.session.ledger
        found = self._replay_cache.last(request.plan, ledger, request.subject, request.version)
        if found is None:
            return None
        if not self._is_recorded(request, found):
            return None
        made = (request.plan, self.settings.noisy_averages)
        given = self._given.get(id(found))
        if given is not None and given.found is found and given.made == made:
            return given.rows
        rows = self._rows(request, response_again(request, found))
        if rows.count <= _MOST_GIVEN_ROWS:
            self._given[id(found)] = _Given(found, made, rows)
        return rows

    def _is_recorded(self, request: ReleaseRequest, found: Replay) -> bool:
        """Whether this session was given an answer with nothing left to record; False rather than wait."""
        recorded = (found.kept.seq, request.accounts)
        if recorded in self._recorded:
            return True
        if not is_replayed(request, self.session, found):
            return False
        if len(self._recorded) >= _MOST_RECORDED:
            self._recorded.clear()
        self._recorded.add(recorded)
        return True

    def known_columns(self, sql: str, params: Parameters = None) -> tuple[Output, ...] | None:
        """The columns of a private query's answer, if it was planned before; else None."""
        request = self._prepare.known(sql, params, self.settings)
        return request.columns if isinstance(request, ReleaseRequest) else None

    def _rows(
        self, request: ReleaseRequest, response: Response, public: Sequence[pa.Table] = ()
    ) -> ResultRows:
        """The rows, and what to say of them: first what noise makes of them, then what they mean."""
        shape, fresh = shape_of(request.plan), response.made is None
        tables, said, chosen = [], list[Said](_notices(response)), []
        for block, released in zip(request.plan.blocks, response.tables, strict=True):
            noisy = beside_noise(block, released, noisy_averages=self.settings.noisy_averages)
            chosen.append(chosen_privately(block, released))
            tables.append(presented(block, noisy.table))
            said += noisy.notices
        table = together(request.plan, [*tables, *public])
        rows = ResultRows(
            shape,
            table,
            response.charged,
            (),
            fresh,
            not fresh,
            request.columns,
            request.plan,
            response.errors,
            response.plan,
        )
        for block, own in zip(request.plan.blocks, tables, strict=True):
            said += self._of_unmet(block, rows) if own.num_rows else ()
        said += self._caveats(response.plan or request.plan, chosen)
        said += of_missing_ends(rows) if self.settings.shows_ends else ()
        return replace(rows, notices=tuple(dict.fromkeys(said)))

    def _of_unmet(self, plan: Plan, rows: ResultRows) -> tuple[Notice, ...]:
        """A notice if HAVING or QUALIFY leaves no group of an answer: a function of released rows alone."""
        missed = unmet(plan.filters, rows, self.scratch, self.interrupts)
        if missed is None:
            return ()
        return (Notice(Rank.UNCERTAIN, f"No group meets {missed.word}."),)

    def _found(self, request: ReleaseRequest) -> Replay | None:
        """An earlier answer that can be replayed, unless the session has turned replay off."""
        if not self.settings.replay:
            return None
        return self._replay_cache.find(
            request.plan, self.session.ledger, request.subject, request.version, self._meets
        )

    def _known(self, request: ReleaseRequest, settings: Settings) -> Replay | None:
        """An earlier answer that can be replayed, and that the session may know about beforehand.

        An analyst learns of answers to others only by replaying them, which is recorded.
        """
        analyst = self.session.analyst
        if not settings.replay:
            return None
        if analyst is None:
            return self._found(request)
        return find(request.plan, self.session.ledger, request.subject, request.version, self._meets, analyst)

    def _meets(
        self, condition: str, columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[str | None]]
    ) -> list[bool] | None:
        """Whether released key values meet a condition; None if DuckDB cannot tell."""
        return evaluate(condition, [Output(*column) for column in columns], rows, self.scratch)

    def explain(self, sql: str, params: Parameters = None, *, brief: bool = False) -> Explanation:
        """Explain a query. Charges nothing and reads no private row.

        Input: `brief`: without what another error would cost, and what a delta or private clamps would gain,
            for which the query is planned again and again.
        """
        return self._explaining.explain(sql, params, self.settings, brief=brief)

    def epsilon_for(self, sql: str, wanted: WantedError) -> Fraction:
        """The epsilon at which the errors of a query are as wanted. Charges nothing and reads no private row.

        Errors: as of `explain`, and of `other_errors.epsilon_for`.
        """
        return self._explaining.epsilon_for(sql, wanted, self.settings)

    def _caveats(
        self, plan: Plan | CompoundPlan, chosen: Sequence[Mapping[str, float]] = ()
    ) -> tuple[Notice, ...]:
        is_owner = self.session.analyst is None
        return notices.of_blocks(plan.blocks, is_owner=is_owner, chosen=chosen)

    def count_request(self, sql: str, params: Parameters, epsilon: Fraction) -> ReleaseRequest:
        """The request for a query that is one count of units, at the given epsilon.

        Errors: as `run`; ParameterError for any other query. Nothing is charged.
        """
        statement = parse(sql)
        settings = replace(self.settings, epsilon=epsilon)
        request = None
        if isinstance(statement, Select):
            request = self._prepare.request(sql, statement, params, settings, runs=False)
        if not isinstance(request, ReleaseRequest) or not request.plan.is_one_count:
            raise ParameterError(
                "this is not one count",
                detail="A stream asks for counts of units, one at a time.",
                hint="Write SELECT count(*) FROM t WHERE ..., or count(DISTINCT unit) if rows are declared.",
            )
        return request

    @contextmanager
    def counting(self, request: ReleaseRequest) -> Iterator[Callable[[Callable[[int], T]], T]]:
        """Open what passes the true count of a request to a mechanism that is paid for, and to nothing else.

        Errors: PolicyError if the database has changed since it was planned.
        """
        [plan] = request.plan.blocks
        [measure] = plan.measures

        def ask(mechanism: Callable[[int], T]) -> T:
            table = reader.read(measure.scores)
            return mechanism(sum(scores_of(table.column("score").combine_chunks(), "score").tolist()))

        request.bounds.plan(request.plan)
        with self._open() as reader:
            check_current(request, reader)
            yield ask

    def shape(self, sql: str) -> Shape | PublicRows:
        """The result's shape: columns and the SQL over them, or SQL on public tables.

        Charges nothing and reads no private row.
        """
        statement = parse(sql)
        match statement:
            case Select():
                plan = self._prepare.plan(statement, None, self.settings)
                return _shape_of(plan)
            case Explain():
                return text_shape(_EXPLAIN_COLUMNS)
            case Describe():
                return text_shape(_DESCRIBE_COLUMNS)
            case ShowPrivacy() | ShowPrivacyFor() | ShowBudgets() | ShowBudgetsFor():
                return text_shape(_SHOW_COLUMNS[type(statement)])
            case ShowSetting(name=name):
                return text_shape(columns_of(name))
        if isinstance(statement, SummaryStatement):
            return text_shape(summary_columns(statement))
        return text_shape(_STATUS_COLUMNS)

    def columns(self, sql: str, params: Parameters = None) -> tuple[Output, ...] | None:
        """The columns of a statement's result, with DuckDB's types; None if it returns no rows.

        Charges nothing and reads no private row. Errors: as `run`, except those of the ledger.
        """
        request = self._prepare.known(sql, params, self.settings)
        if request is None:
            with reading(sql, self.interrupts.check), self._allowing():
                statement = parse(sql)
                if isinstance(statement, Explain):
                    return text_shape(_EXPLAIN_COLUMNS).columns
                if isinstance(statement, Describe):
                    return text_shape(_DESCRIBE_COLUMNS).columns
                if isinstance(statement, ShowStatement):
                    return text_shape(_SHOW_COLUMNS[type(statement)]).columns
                if isinstance(statement, ShowSetting):
                    return text_shape(columns_of(statement.name)).columns
                if isinstance(statement, (ExplainSummary, ShowSummaries, ShowSummary, ReleasedNumbers)):
                    return text_shape(summary_columns(statement)).columns
                if not isinstance(statement, Select):
                    return None
                request = self._prepare.request(sql, statement, params, self.settings)
        return request.columns if isinstance(request, ReleaseRequest) else self._columns_of(request)

    def _columns_of(self, plan: Plan | CompoundPlan | PublicPlan) -> tuple[Output, ...]:
        shape = _shape_of(plan)
        if isinstance(shape, PublicRows):
            return self._prepare.public_columns(shape.sql)
        return check_shape(shape, self.scratch)

    def _described(self, source: Select | TableName, params: Parameters) -> Sequence[Row]:
        """Names and types of the columns of a query or table; for all that is said, those of a query may be
        NULL."""
        if isinstance(source, TableName):
            return described_rows(subject(self.shown_catalog(), source))
        columns = self._columns_of(self._prepare.plan(source, params, self.settings))
        return [(column.name, column.type, "YES", None, None, None) for column in columns]

    def public_columns(self, rows: PublicRows) -> tuple[Output, ...]:
        """The columns of rows of public tables, with DuckDB's types. Errors: UnsupportedSqlError."""
        return self._prepare.public_columns(rows.sql)

    def open_public(self, sql: str) -> duckdb.DuckDBPyConnection:
        """The connection on which SQL over public tables runs."""
        return self._engine.open_public(sql)

    def close(self) -> None:
        """Close everything that is not shared."""
        self._engine.close()
        if self._owns_workspace:
            self.scratch.close()

    def catalog(self) -> Catalog:
        """The present public facts of the database."""
        return self._prepare.catalog()

    def shown_catalog(self) -> Catalog:
        """The same, and the tables of synthetic rows: what tools are shown. Errors: LedgerError."""
        catalog, synthetic = self.catalog(), self.synthetic_tables()
        return replace(catalog, tables=(*catalog.tables, *synthetic), synthetic=synthetic)

    def synthetic_tables(self) -> tuple[Table, ...]:
        """The tables of synthetic rows. Errors: as of `catalog`."""
        database = self.catalog().database
        return tuple(replace(one, database=database) for one in self._synthetic.tables())

    def proposal(self) -> Proposal:
        """A policy for what has none yet, from the schema alone. Errors: PolicyError, LedgerError."""
        catalog = self.catalog()
        with cursor_of(self._data) as cursor:
            return propose(cursor, catalog)

    def summary_advice(self) -> list[SummaryAdvice]:
        """Which summaries would have answered what was asked, for less. Errors: as of `advised`."""
        self.catalog()
        return advised(self.session, self._prepare, self.interrupts)

    def accounts(self) -> list[Account]:
        """The accounts that queries on this database are charged to, besides the session."""
        return accounts_shown(self.catalog(), self.session)

    def budgets_of(self, plan: Plan | CompoundPlan) -> pa.Table:
        """The budget status of the accounts that a query is charged to, as of `Connection.budget`."""
        accounts = accounts_of(self.catalog(), plan.tables, plan.root, self.session.analyst)
        charged = {(one.scope, one.name) for one in (self.session.account, *accounts)}
        budgets = self.session.budgets(accounts)
        names = zip(budgets.column("scope").to_pylist(), budgets.column("name").to_pylist(), strict=True)
        return budgets.filter(pa.array([pair in charged for pair in names], pa.bool_()))

    def _open(self) -> AbstractContextManager[ScoreReader]:
        return self._engine.open(self.interrupts)

    def change(self, statement: SetOption | ResetSetting | PolicyStatement) -> tuple[str, ...]:
        """Change a setting, or for the owner a policy. Output: notices. Errors: as `run`."""
        match statement:
            case SetOption(name=name, value=value):
                return self.set(name, value)
            case ResetSetting(name=name):
                return self.reset(name)
            case PolicyStatement():
                if self.session.analyst is not None:
                    raise PolicyError(
                        "only the data owner sets policies",
                        detail=f"This connection belongs to analyst {self.session.analyst!r}.",
                        hint=_WHERE_DATA_ARE if self.session.oversees else "Ask the data owner.",
                    )
                return self._prepare.change(statement)
        return ()

    def _show(self, statement: ShowStatement) -> Sequence[Row]:
        match statement:
            case ShowPrivacy():
                return privacy_rows(self.catalog())
            case ShowPrivacyFor(table=name):
                return answer_rows(self.catalog(), name, self._audience)
            case ShowBudgets():
                return budget_rows(self.session, self.catalog())
            case ShowBudgetsFor(table=name):
                return self._remaining(name)

    def _remaining(self, name: TableName) -> Sequence[Row]:
        """How many queries on a table its budgets still allow."""
        catalog, settings = self.catalog(), self.settings
        table = catalog.table(name.name, name.schema)
        own = accounts_of(catalog, [table], catalog.root(table), self.session.analyst)
        accounts = (self.session.account, *own)
        return remaining_rows(self.session.ledger, accounts, settings.epsilon, settings.delta)


def _shape_of(plan: Plan | CompoundPlan | PublicPlan) -> Shape | PublicRows:
    """The shape of a plan's result."""
    if not isinstance(plan, PublicPlan):
        return shape_of(plan)
    if plan.synthetic is not None:
        return Shape(tuple(Output(one.name, one.type) for one in plan.synthetic.columns), plan.sql)
    if plan.report is None:
        return PublicRows(plan.sql, () if plan.notice is None else (plan.notice,))
    columns = sql_columns(_REPORTS[plan.report])
    return Shape(tuple(Output(*column) for column in columns), plan.sql)


def _computes_more(plan: Plan | CompoundPlan) -> bool:
    """Whether DuckDB computes more for an answer than its SQL, or reads public rows."""
    return isinstance(plan, CompoundPlan) or bool(plan.filters)


def _text(cell: object) -> str | None:
    if isinstance(cell, Decimal):
        return f"{cell:f}"
    return None if cell is None else str(cell)


def _notices(response: Response) -> tuple[Notice, ...]:
    if response.made is None or response.said:
        return response.said
    cost = "nothing was charged" if response.charged == "0" else f"epsilon {response.charged} was charged"
    made = f"This is from the answer of {response.made:%Y-%m-%d %H:%M:%S} UTC; {cost}."
    detail = f"{made} {response.note}" if response.note else ""
    ask = Hint.of(SetTo("dp_replay", "off"), " asks for a new one.")
    return (Notice(Rank.MEANING, made, detail, ask),)
