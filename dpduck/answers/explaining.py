"""What EXPLAIN says of a query, and which epsilon an error takes: planned, never charged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from dpduck.answers import clamp_gain, delta_gain, notices
from dpduck.answers.explain import Explanation, LedgerStatus, explain
from dpduck.answers.other_errors import WantedError, epsilon_for
from dpduck.answers.pipeline import ReleaseRequest
from dpduck.answers.preparation import Preparation
from dpduck.answers.replay import Replay
from dpduck.answers.room_words import answer_lines
from dpduck.answers.settings import Settings
from dpduck.answers.summaries import DEAR, UNPAID, Search, Summaries
from dpduck.answers.summary_answers import (
    beside_lines,
    explained,
    is_same_question,
    of_synthetic_rows,
    serves,
)
from dpduck.answers.synthetic_rows import SyntheticRows
from dpduck.compiler.parse.effort import reading
from dpduck.compiler.parse.statements import Explain, Parameters, Select, parse
from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import Event
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.errors import DpduckError, ParameterError
from dpduck.kernel.errors.advice import Audience
from dpduck.kernel.errors.notices import full_text
from dpduck.kernel.ledger import BudgetStatus
from dpduck.kernel.ledger.room import RoomLeft
from dpduck.kernel.ledger.session import Session
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.model import Plan, PublicPlan
from dpduck.kernel.plan.prices import event_of
from dpduck.policies.accounts import most_queries

Known = Callable[[ReleaseRequest, Settings], Replay | None]


@dataclass(frozen=True)
class Explaining:
    """Explains the queries of one session. `known`: the earlier answer that it would be given again."""

    session: Session
    preparation: Preparation
    summaries: Summaries
    synthetic: SyntheticRows
    interrupts: Interrupts
    audience: Audience
    known: Known

    def explain(
        self, sql: str, params: Parameters, settings: Settings, *, brief: bool = False
    ) -> Explanation:
        """As `Service.explain`."""
        with reading(sql, self.interrupts.check):
            select = _select_of(sql, "only a SELECT has a plan")
            return self.of_select(sql, select, params, settings, brief=brief)

    def epsilon_for(self, sql: str, wanted: WantedError, settings: Settings) -> Fraction:
        """As `Service.epsilon_for`."""
        with reading(sql, self.interrupts.check):
            select = _select_of(sql, "only a SELECT has an error")
            if select.options.epsilon is not None:
                raise ParameterError(
                    "the query says its epsilon itself",
                    detail="So there is none to be found for an error.",
                    hint="Leave epsilon out of its OPTIONS.",
                )
            return epsilon_for(wanted, self.preparation.plans_by_epsilon(select, None, settings))

    def of_select(
        self, sql: str, select: Select, params: Parameters, settings: Settings, *, brief: bool = False
    ) -> Explanation:
        """As `explain`, of a query that was parsed."""
        request, costs = self.preparation.explained(
            sql, select, params, settings, self.interrupts, brief=brief
        )
        if isinstance(request, PublicPlan):
            explanation, table = explain(request, costs), request.synthetic
            if table is None:
                return explanation
            only = settings.summaries == "only"
            return of_synthetic_rows(explanation, self.synthetic.owed(table), only=only)
        is_owner = self.session.analyst is None
        caveats = notices.of_blocks(request.plan.blocks, is_owner=is_owner, chosen=())
        found, price = self._found(request, settings)
        from_summary, beside = self._of_summary(request, None if price else found, settings)
        if from_summary is not None:
            return from_summary
        status = self._ledger_status(request, found, price)
        gain = [] if brief else self._gain_of_delta(request, select, params, settings, status)
        gain += [] if brief else self._gain_of_clamp(request.plan, select, params, settings)
        notes = [full_text(notice, self.audience) for notice in caveats]
        return explain(request.plan, costs, status, notes, [*gain, *beside])

    def _found(self, request: ReleaseRequest, settings: Settings) -> tuple[Replay | None, Fraction]:
        """The answer that would be given again, and what a budget FOR somebody would pay for it now."""
        found = self.known(request, settings)
        if found is not None:
            event, seq = event_of(request.plan), found.kept.seq
            price = self.session.price_of_replay(event, seq, request.accounts)
            if price == 0 or (price is not None and settings.summaries != "only"):
                return found, price
        return None, Fraction(0)

    def _of_summary(
        self, request: ReleaseRequest, found: Replay | None, settings: Settings
    ) -> tuple[Explanation | None, list[str]]:
        """What there is to say if a summary would answer, else lines about summaries that would not.

        Input: `found`: the answer that would be replayed for nothing.
        """
        if settings.summaries == "off" or (found is not None and is_same_question(request, found)):
            return None, []
        only = settings.summaries == "only"
        search = self.summaries.search(request, is_compared=not only)
        choice = search.best
        if choice is None:
            return None, beside_lines(search, None, only=only)
        if not only and not serves(choice, found, self.summaries.preferred):
            return None, beside_lines(search, self.summaries.owed(choice.summary), only=only)
        price = self.summaries.price(choice.summary, request, free=only)
        if price is not None:
            return explained(choice, request, price), []
        reason = UNPAID if only else DEAR
        refused = Search(None, {**search.reasons, choice.summary.name: reason})
        return None, beside_lines(refused, None, only=only)

    def _gain_of_delta(
        self,
        request: ReleaseRequest,
        select: Select,
        params: Parameters,
        settings: Settings,
        status: LedgerStatus,
    ) -> list[str]:
        """What a delta would gain, as lines; none if there is one, or no budget would allow it."""
        own = settings.of_query(select.options)
        if own.delta or select.options.delta is not None:
            return []
        try:
            other = self.preparation.plan(select, params, replace(settings, delta=delta_gain.EXAMPLE))
        except DpduckError:
            return []
        if isinstance(other, PublicPlan):
            return []
        accounts = (self.session.account, *request.accounts)
        budgets = self.session.ledger.budgets(accounts)
        left = most_queries(budgets, event_of(other))
        if left is not None and left[0] < 1:
            return []
        gained = delta_gain.WithDelta(other, _prices(budgets, event_of(other)))
        return delta_gain.lines_of(request.plan, gained, status.beside, self.audience)

    def _gain_of_clamp(
        self, plan: Plan | CompoundPlan, select: Select, params: Parameters, settings: Settings
    ) -> list[str]:
        """What private clamps would gain, as lines; none if the query says which it wants."""
        asked = settings.private_clamp or select.options.clamp is not None
        if asked or not clamp_gain.may_gain(plan):
            return []
        try:
            other = self.preparation.plan(select, params, replace(settings, private_clamp=True))
        except DpduckError:
            return []
        return [] if isinstance(other, PublicPlan) else clamp_gain.lines_of(plan, other, self.audience)

    def _ledger_status(self, request: ReleaseRequest, found: Replay | None, price: Fraction) -> LedgerStatus:
        event = event_of(request.plan)
        budgets = self.session.ledger.budgets((self.session.account, *request.accounts))
        left = most_queries(budgets, event)
        return LedgerStatus(
            None if found is None else found.kept.at,
            "" if found is None else found.derived.note,
            None if left is None else left[0],
            "" if left is None else f"{left[1].scope} {left[1].name}",
            _prices(budgets, event),
            () if found is not None else tuple(answer_lines(request.plan, self._room_left())),
            price,
            None if found is None else found.errors,
        )

    def _room_left(self) -> RoomLeft:
        return self.session.ledger.room_left(self.session.analyst)


def _select_of(sql: str, otherwise: str) -> Select:
    """The query of a statement. Errors: ParameterError, with what is said `otherwise`."""
    statement = parse(sql)
    select = statement.select if isinstance(statement, Explain) else statement
    if not isinstance(select, Select):
        raise ParameterError(otherwise, hint="Write SELECT ....")
    return select


def _prices(budgets: Sequence[BudgetStatus], event: Event) -> tuple[tuple[str, Fraction], ...]:
    """What an event costs of those budgets that add up something else than epsilon."""
    measures = dict.fromkeys(budget.cap.measure for budget in budgets if budget.cap.measure is not None)
    return tuple((measure.name, measure.of(cost_of(event))) for measure in measures)
