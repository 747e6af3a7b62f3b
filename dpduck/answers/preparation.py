"""From the text of a query to a request of the pipeline: parsed, validated, planned, and cached.

A dashboard sends the same text again and again. As long as nothing is written to the database file, the
catalog and the plan of a text stay the same, and are cached. A database in memory does not report writes, so
nothing is cached for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from typing import TypeVar

import duckdb

from dpduck.answers.blocks import rows_beside
from dpduck.answers.claimed_bounds import BoundsCheck
from dpduck.answers.known_answers import known_answer
from dpduck.answers.other_errors import OtherCosts, costs_of_other_errors
from dpduck.answers.pipeline import ReleaseRequest, Snapshot
from dpduck.answers.rehearsal import check_answer, check_constants, check_shape
from dpduck.answers.replay import subject_of
from dpduck.answers.results import describe, shape_of
from dpduck.answers.settings import Settings
from dpduck.compiler.compile import AnyPlan, QueryLimits, make_plan, plan_and_whole, plans_by_epsilon
from dpduck.compiler.parse.statements import Explain, Parameters, Select, bind, parse
from dpduck.compiler.validate.clock import reads_clock, validated_at
from dpduck.engines.duckdb.data_version import version_of
from dpduck.engines.duckdb.hardening import cursor_of
from dpduck.engines.duckdb.public_facts import ListRows, PublicFacts
from dpduck.engines.source import Source, check_kind
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.model import Catalog, Table, default_account_ids
from dpduck.kernel.catalog.statements import PolicyStatement
from dpduck.kernel.errors import DpduckError, ParameterError, UnknownNameError
from dpduck.kernel.errors.advice import Hint, SetTo
from dpduck.kernel.ledger import Account, Ledger, Subject
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.model import Output, Plan, PublicPlan
from dpduck.kernel.system.recent import Recent
from dpduck.policies import load_catalog
from dpduck.policies.accounts import accounts_of
from dpduck.policies.decisions import Decisions

T = TypeVar("T")

_MOST = 256  # cached texts
_NONE_SET = Fraction(1)  # the epsilon for planning if none is set; a private query is then refused


@dataclass(frozen=True)
class Present:
    """What is public at one time: `is_current` tells whether it still is, in the snapshot that is read."""

    catalog: Catalog
    facts: PublicFacts
    is_current: Callable[[Snapshot | None], bool]


@dataclass(frozen=True)
class _Loaded:
    """A catalog, the state of the file when it was loaded, and what was read, before it met the record."""

    state: object
    catalog: Catalog
    read: Catalog


class Preparation:
    """Makes plans and requests for the queries of one analyst (None: the data owner).

    Input: `workspace`: an empty database, in which the SQL over released columns is bound.
    """

    def __init__(self, source: Source, analyst: str | None, workspace: duckdb.DuckDBPyConnection) -> None:
        check_kind(source)
        self._workspace = workspace
        self._source = source
        self._analyst = analyst
        self._file = source.file
        self._decisions: Decisions | None = None
        self._loaded: _Loaded | None = None
        self._synthetic: Callable[[Select], tuple[Table, ...]] = lambda _: ()
        self._requests = Recent[ReleaseRequest | PublicPlan](_MOST)
        self._columns = Recent[tuple[Output, ...]](_MOST)
        self._of_lists = ListRows()
        self._explained = Recent[tuple[ReleaseRequest | PublicPlan, OtherCosts]](_MOST)

    @property
    def subject(self) -> Subject:
        """Which database it is, as the ledger records it, once its catalog was loaded."""
        return Subject("stored") if self._decisions is None else self._decisions.subject

    def decisions(self, ledger: Ledger, *, records: bool = True) -> Decisions:
        """The policies and their record in a ledger, checked from now on whenever they are loaded."""
        if self._decisions is None:
            self._decisions = Decisions(ledger, self._source, self._analyst, records=records)
        return self._decisions

    def offer(self, synthetic: Callable[[Select], tuple[Table, ...]]) -> None:
        """Let queries read synthetic rows. Input: the tables of those that a query names."""
        self._synthetic = synthetic

    def change(self, statement: PolicyStatement) -> tuple[str, ...]:
        """Set a policy. Output: remarks for the owner. Errors: as `Decisions.make`."""
        assert self._decisions is not None
        try:
            return self._decisions.make(statement, partial(self._load, values=False))
        finally:
            self.forget()

    def catalog(self) -> Catalog:
        """The present public facts of the database."""
        return self._current().catalog

    def forget(self) -> None:
        """Clear the caches after a change of policy, which the state of the file does not show."""
        self._loaded = None
        self._requests.clear()
        self._columns.clear()
        self._explained.clear()

    def _current(self) -> _Loaded:
        """The catalog, read anew if the file may have changed since it was."""
        state, loaded = self._file.state(), self._loaded
        if loaded is None or state is None or state != loaded.state:
            read = []  # not kept in self: another thread may read a later one meanwhile

            def load() -> Catalog:
                read.append(self._load())
                return read[-1]

            catalog = load() if self._decisions is None else self._decisions.check(load)
            loaded = self._loaded = _Loaded(state, catalog, read[-1])
        return loaded

    def known(self, text: str, params: Parameters, settings: Settings) -> ReleaseRequest | PublicPlan | None:
        """The cached request of a text, if still valid, with the present version of the data."""
        found = self._requests.get((self._file.state(), text, repr(params), repr(settings)))
        return self._now(found) if isinstance(found, ReleaseRequest) else found

    def request(
        self,
        text: str,
        select: Select,
        params: Parameters,
        settings: Settings,
        interrupts: Interrupts | None = None,
        *,
        runs: bool = True,
    ) -> ReleaseRequest | PublicPlan:
        """The request for a query, or SQL on what is public. Errors: as `plan`.

        Input: `interrupts`: what can stop it; `runs`: the query is run, and may be again: else it is only
            explained, and its request is not kept for that.
        """
        loaded = self._current()
        state, catalog = loaded.state, loaded.catalog
        select = _as_meant(select, catalog, settings)
        facts = self._facts(interrupts)
        made, whole, catalog = self._plan_and_whole(catalog, select, params, settings, facts, interrupts)

        def is_unwritten() -> bool:
            return state is not None and self._file.state() == state

        request: ReleaseRequest | PublicPlan
        if isinstance(made, PublicPlan):
            request = made
        else:
            accounts = accounts_of(catalog, made.tables, made.root, self._analyst)
            columns = check_shape(shape_of(made), self._workspace)
            stops = interrupts or Interrupts()
            check_constants(made, self._workspace, stops)
            beside = rows_beside(made, self._source.engine.open_public, stops)
            check_answer(made, self._workspace, stops, beside)
            subject = subject_of(made, catalog.salt)
            own = replace(settings)  # which SET changes
            request = ReleaseRequest(
                made,
                text,
                accounts,
                subject,
                "",
                BoundsCheck(catalog),
                columns,
                lambda _: is_unwritten(),
                _once(lambda: self._whole(text, params, own) if whole is None else _private(whole)),
            )
        # Not one that will soon mean something else, as a summary of another day does, which writes no data.
        is_lasting = not reads_clock(select) and not is_synthetic(request)
        if state is not None and runs and is_lasting:
            self._requests[state, text, repr(params), repr(settings)] = request
        if isinstance(request, PublicPlan):
            return request

        return self._now(replace(request, is_current=self._currency(loaded, facts)))

    def _currency(self, loaded: _Loaded, facts: PublicFacts) -> Callable[[Snapshot | None], bool]:
        """What tells whether all that was planned with is as it was, in a snapshot."""
        state = loaded.state

        def is_current(snapshot: Snapshot | None) -> bool:
            if not self._is_of_version(snapshot, state):
                return False
            is_unwritten = state is not None and self._file.state() == state
            return is_unwritten or self._still_holds(loaded.read, facts, snapshot)

        return is_current

    def _whole(self, text: str, params: Parameters, settings: Settings) -> Plan | CompoundPlan | None:
        """The plan of a query that counts all groups plainly; None if it has none."""
        with suppress(DpduckError):
            statement = parse(text)
            select = statement.select if isinstance(statement, Explain) else statement
            if isinstance(select, Select):
                catalog = self.catalog()
                select = _as_meant(select, catalog, settings)
                facts = self._facts()
                with facts.at_once():
                    valid = validated_at(bind(select, params), present_time())
                    return _private(
                        lambda: make_plan(valid, catalog, _limits(select, settings).counting_all(), facts)
                    )
        return None

    def at_present(self, interrupts: Interrupts | None = None) -> Present:
        """What is public now, of which something is planned that is no query."""
        loaded, facts = self._current(), self._facts(interrupts)
        return Present(loaded.catalog, facts, self._currency(loaded, facts))

    def accounts(self, tables: Sequence[Table], root: Table) -> tuple[Account, ...]:
        """The accounts that what reads some tables is charged to. Input: the table whose key is the unit."""
        return accounts_of(self.catalog(), tables, root, self._analyst)

    def version(self, tables: Sequence[Table], *, joins_public: bool) -> str:
        """The state of the rows of some tables; see `version_of`."""
        if self._analyst is None:
            self._file.settle(self._source.connection)
        return version_of(tables, self._file, joins_public=joins_public)

    def facts(self) -> PublicFacts:
        """Facts about what is public."""
        return self._facts()

    def _is_of_version(self, snapshot: Snapshot | None, state: object) -> bool:
        """Whether what is read is of the version with which the answer is stored, where that is exact."""
        lake = self._source.lake
        return lake is None or snapshot is None or lake.snapshot_of(snapshot) == state

    def explained(
        self,
        text: str,
        select: Select,
        params: Parameters,
        settings: Settings,
        interrupts: Interrupts,
        *,
        brief: bool = False,
    ) -> tuple[ReleaseRequest | PublicPlan, OtherCosts]:
        """As `request`, for a query that is only to be explained, with what other errors would cost.

        Input: `brief`: without that.
        """
        state = self._current().state
        key = (state, text, repr(params), repr(settings), brief)
        found = self._explained.get(key)
        if found is None:
            request = self.request(text, select, params, settings, interrupts, runs=False)
            costs: OtherCosts = {}
            if isinstance(request, ReleaseRequest) and not brief:
                replan = self.plans_by_epsilon(select, params, settings)
                costs = costs_of_other_errors(request.plan, replan)
            found = request, costs
            if state is not None and not reads_clock(select) and not is_synthetic(request):
                self._explained[key] = found
        request, costs = found
        return (self._now(request) if isinstance(request, ReleaseRequest) else request), costs

    def _still_holds(self, before: Catalog, facts: PublicFacts, snapshot: Snapshot | None) -> bool:
        """Whether tables, constraints and policies are as they were before, and facts of public rows too."""
        with suppress(duckdb.Error, DpduckError):  # a table is gone
            return self._load(snapshot) == before and facts.still_hold(snapshot)
        return False

    def plan(self, select: Select, params: Parameters, settings: Settings) -> AnyPlan:
        """The plan of a query. Errors: ParameterError, UnsupportedSqlError, UnknownNameError, PolicyError."""
        catalog = self.catalog()
        return self._plan(catalog, _as_meant(select, catalog, settings), params, settings, self._facts())

    def plans_by_epsilon(
        self, select: Select, params: Parameters, settings: Settings
    ) -> Callable[[Fraction], AnyPlan]:
        """A function from epsilon to the plan of a query. Errors: as `plan`."""
        limits = _limits(select, settings)
        catalog = self.catalog()
        valid = validated_at(bind(_as_meant(select, catalog, settings), params), present_time())
        facts = self._facts()
        with facts.at_once():
            return plans_by_epsilon(valid, catalog, limits, facts)

    def public_columns(self, sql: str) -> tuple[Output, ...]:
        """The columns of a query on public tables. Errors: UnsupportedSqlError."""
        state = self._file.state()
        found = self._columns.get((state, sql))
        if found is None:
            found = describe(sql, self._source.connection)
            if state is not None:
                self._columns[state, sql] = found
        return found

    def _plan(
        self, catalog: Catalog, select: Select, params: Parameters, settings: Settings, facts: PublicFacts
    ) -> AnyPlan:
        return self._plan_and_whole(catalog, select, params, settings, facts)[0]

    def _plan_and_whole(
        self,
        catalog: Catalog,
        select: Select,
        params: Parameters,
        settings: Settings,
        facts: PublicFacts,
        interrupts: Interrupts | None = None,
    ) -> tuple[AnyPlan, Callable[[], AnyPlan] | None, Catalog]:
        """The plan, that which counts all groups plainly, and the catalog with what both read."""
        with self.advising(), facts.at_once():
            valid = validated_at(bind(select, params), present_time())
            try:
                made, whole = plan_and_whole(valid, catalog, _limits(select, settings), facts)
            except UnknownNameError:
                offered = self._synthetic(select)
                if not offered:
                    raise
                catalog = replace(catalog, synthetic=offered)
                made, whole = plan_and_whole(valid, catalog, _limits(select, settings), facts)
        if interrupts is not None:
            interrupts.check()
        if not isinstance(made, PublicPlan):
            for query in made.queries:
                self._source.engine.check(query)
            made = known_answer(made, self._workspace, interrupts or Interrupts()) or made
        needs_epsilon = settings.summaries != "only"  # then nothing is charged
        own = settings.of_query(select.options)
        if needs_epsilon and own.epsilon is None and not isinstance(made, PublicPlan):
            raise ParameterError(
                "no epsilon is set",
                detail="Each query on private rows spends some epsilon, and none is chosen for you.",
                hint=Hint.of(SetTo("dp_epsilon", "0.5"), "."),
            )
        return made, whole, catalog

    @contextmanager
    def advising(self) -> Iterator[None]:
        """Let hints tell an analyst to ask the owner; policies of files are options of whoever asks."""
        try:
            yield
        except DpduckError as error:
            if self._analyst is not None and self._source.files is None and isinstance(error.advice, Hint):
                error.advice = error.advice.for_analyst()
            raise

    def _facts(self, interrupts: Interrupts | None = None) -> PublicFacts:
        elsewhere = self._source.elsewhere
        rows = None if elsewhere is None else elsewhere.rows
        return PublicFacts(self._source.connection, interrupts, rows, self._of_lists)

    def _now(self, request: ReleaseRequest) -> ReleaseRequest:
        if self._analyst is None:
            self._file.settle(self._source.connection)
        return replace(request, version=self._version(request.plan))

    def _version(self, plan: Plan | CompoundPlan) -> str:
        return version_of(plan.tables, self._file, joins_public=plan.joins_public)

    def _load(self, snapshot: Snapshot | None = None, *, values: bool = True) -> Catalog:
        """The catalog as a transaction sees it; without one as it is now."""
        source, files = self._source, self._source.files
        if files is not None:
            files.check(source.connection)
        rows = None if source.elsewhere is None else source.elsewhere.rows
        with ExitStack() as opened:
            cursor = snapshot or opened.enter_context(cursor_of(source.connection))
            catalog = load_catalog(cursor, source.policies, rows, source.left_out, values=values)
        if files is None:
            return catalog
        tables = (*catalog.tables, *(view.as_table() for view in catalog.views))
        read = (
            replace(
                table, scan=files.scan, account_ids=default_account_ids(files.account_name, table.columns)
            )
            for table in tables
        )
        return replace(catalog, tables=tuple(read), views=())


def _once(make: Callable[[], T]) -> Callable[[], T]:
    """A function that is computed when it is first asked for."""
    found: list[T] = []

    def once() -> T:
        if not found:
            found.append(make())
        return found[0]

    return once


def is_synthetic(request: ReleaseRequest | PublicPlan) -> bool:
    """Whether a query reads the synthetic rows of a summary."""
    return isinstance(request, PublicPlan) and request.synthetic is not None


def present_time() -> datetime:
    """The present time, in UTC."""
    return datetime.now(UTC).replace(tzinfo=None)


def _as_meant(select: Select, catalog: Catalog, settings: Settings) -> Select:
    return select if settings.reading is None else settings.reading.read(select, catalog)


def _private(make: Callable[[], AnyPlan]) -> Plan | CompoundPlan | None:
    """A plan that reads private rows; None if there is none."""
    with suppress(DpduckError):
        made = make()
        return None if isinstance(made, PublicPlan) else made
    return None


def _limits(select: Select, settings: Settings) -> QueryLimits:
    own = settings.of_query(select.options)
    return QueryLimits(
        own.epsilon or _NONE_SET,
        own.delta,
        own.bound_on_groups,
        select.options.unit,
        own.preview,
        own.noise,
        own.population,
        own.counts_rows,
        own.distinct,
        own.groups == "private",
        own.private_clamp,
        shows_ends=own.shows_ends,
    )
