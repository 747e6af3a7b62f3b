"""What the plans of one aggregate query are made of: bounds, shares of epsilon, scores, noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from dpduck.compiler.block.left_out import of_null_units, partial_keys
from dpduck.compiler.block.question import AggregateQuery
from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.parse.settings import AskedNoise
from dpduck.compiler.planner.answer_sql import (
    answer_sql,
    columns_of,
    cut_of,
    differences_of,
    ends_of,
    filters_of,
    is_plain,
    quotients_of,
    read_by,
    shown_of,
    shows_all,
)
from dpduck.compiler.planner.chosen_groups import with_chosen_groups
from dpduck.compiler.planner.clamped_sums import with_clamp
from dpduck.compiler.planner.distinct_values import Function as AskedFunction
from dpduck.compiler.planner.distinct_values import decided
from dpduck.compiler.planner.many_quantiles import together
from dpduck.compiler.planner.noises import Noised, may_be_gaussian, noised, width_of
from dpduck.compiler.planner.quantile_intervals import with_doubts
from dpduck.compiler.planner.score_sql import GroupKeys, passes_of, score_sql
from dpduck.compiler.planner.shares import divided
from dpduck.compiler.planner.undeclared_keys import no_domain
from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.catalog.statements import Accounting
from dpduck.kernel.errors import DpduckError, decimal_text
from dpduck.kernel.errors.advice import Hint, SetTo
from dpduck.kernel.mechanisms.private_topk import KEYS_READ
from dpduck.kernel.plan import prices
from dpduck.kernel.plan.aggregates import Aggregate, Mode
from dpduck.kernel.plan.compound import rows_sql
from dpduck.kernel.plan.model import (
    RELEASE,
    Asked,
    FoundKeys,
    Measure,
    Plan,
    Selection,
)
from dpduck.kernel.tree import emit
from dpduck.kernel.tree.relations import SelectQuery

MAX_LIMIT = 10_000
MAX_CANDIDATES = 2**62 - 1  # so that their noise can be drawn in 64-bit integers


@dataclass(frozen=True)
class QueryBudget:
    """The epsilon and delta of a block. `accounting`: what its budgets add up: epsilon, rho, or mu^2.

    `block`: the block's number, from 1, if the answer reads the released rows of several. `noise`: which one
    counts and sums are to have. `combines`: an outer query or a window may add up groups. `distinct`: by
    which function distinct values are counted. `private_groups`: in how many groups a unit counts is chosen
    privately, where no bound says it. `whole`: all groups of public domains are counted plainly, as a
    summary answers: without a selection, and without choices that are made privately. `shows_ends`: the
    answer has the ends of intervals.
    """

    epsilon: Fraction
    delta: Fraction
    accounting: Accounting = "pure"
    block: int | None = None
    noise: AskedNoise = "best"
    combines: bool = False
    distinct: AskedFunction = "ranked"
    private_groups: bool = False
    whole: bool = False
    shows_ends: bool = False

    @property
    def in_rho(self) -> bool:
        """Whether its budgets add up rho or mu^2, not epsilon."""
        return self.accounting != "pure"


@dataclass(frozen=True)
class Draft:
    """A candidate plan: its description, its cost (an error in counts), and the plan."""

    title: str
    cost: float
    plan: Plan

    def price(self, accounting: Accounting) -> Fraction:
        """Return what the plan costs of budgets that add up so."""
        spent = cost_of(prices.event_of(self.plan))
        return {"pure": spent.epsilon, "zcdp": spent.rho, "gdp": spent.mu_squared}[accounting]


class PlanParts:
    """Makes the parts of the plans of one aggregate query, and puts them together.

    Input: `groups`: the declared bound on groups per unit, None if there is none; `node`: where the query is
    in the text, for errors. `size`: the number of possible groups, None if they are not known; `requests`:
    its aggregates, of which those that can be read together are one.
    """

    def __init__(
        self, question: AggregateQuery, budget: QueryBudget, groups: int | None, salt: int, node: exp.Expr
    ) -> None:
        self.question = question
        self.budget = budget
        self.node = node
        self.size = question.space.size
        self.requests = together(with_doubts(question))
        self._declared = groups
        self._salt = salt

    def noised(self, measures: Sequence[Measure], size: int, spent: Fraction = Fraction(0)) -> list[Noised]:
        """Return the measures with each noise that they may have.

        Input: how many groups are measured; `spent`: the part of delta that is not left for it.
        """
        if self.budget.noise == "gaussian" and not self.budget.delta and may_be_gaussian(measures):
            raise self.without_delta()
        finds = self.size is None or any(measure.delta for measure in measures)  # and spends delta on it
        delta = Fraction(0) if finds else self.budget.delta - spent
        return noised(measures, delta, None if self.adds_up else size, self.budget.noise)

    def without_delta(self) -> DpduckError:
        """Return the refusal of Gaussian noise without a delta."""
        return refusal(
            "Gaussian noise needs a delta",
            "No epsilon bounds it without one: far out, its probabilities differ by any factor.",
            Hint.of(SetTo("dp_delta", "1e-6"), ", or ", SetTo("dp_noise", "best"), "."),
            self.node,
        )

    @property
    def adds_up(self) -> bool:
        """Whether numbers of several groups may be added up, so that their noise is not shared."""
        return bool(self.question.sets) or self.budget.combines

    @property
    def others(self) -> int:
        """How many candidates one group has beside it; of keys found in private rows, no more are ranked."""
        return max((self.size or KEYS_READ) - 1, 1)

    def sees_all_groups(self) -> bool:
        """Whether the answer needs all groups, not the top k, because of DISTINCT or a window function."""
        question = self.question
        terms = [*(item.value for item in question.items), *(order.value for order in question.order)]
        return question.distinct is not None or any(term.windowed for term in terms)

    @property
    def shows_ranks(self) -> bool:
        """Whether the answer shows the counts by which it asks for the largest groups."""
        top = self.question.top
        return top is not None and top[0] in self.question.shown

    def is_shown(self, column: str, selection: Selection) -> bool:
        """Whether the answer reads the counts that rank the groups, or their intervals, gaps or p-values."""
        beside = {f"{column}{end}" for end in ("", "_low", "_high", "_gap", "_p_value")}
        return not beside.isdisjoint(read_by(self.question, selection))

    def reads_gaps(self) -> bool:
        """Whether the answer reads how far groups are ahead of the next, which a ranking alone releases."""
        top = self.question.top
        gaps = set() if top is None else {f"{top[0]}_gap", f"{top[0]}_p_value"}
        return not gaps.isdisjoint(read_by(self.question, FoundKeys()))

    def bound(self, shown: int | None) -> tuple[int, int | None]:
        """Return the maximum number of groups per unit, and the bound to enforce for it (None: no need).

        Input: `shown`: the number of groups shown; None if it is unknown. Then the maximum is 0 if neither
        the policy nor the schema bounds it.
        """
        own = self._own_groups()
        possible = own if shown is None else shown if own is None else min(own, shown)
        if self._declared is not None and (possible is None or self._declared < possible):
            return self._declared, self._declared
        return (0 if possible is None else possible), None

    def _own_groups(self) -> int | None:
        """Return the number of groups that the schema lets one unit be in; None if it is unbounded.

        Keys that are the same in all rows of a unit do not count.
        """
        owned = self.question.owned
        if owned.one_row:
            return 1
        keys = enumerate(self.question.keys)
        return self.question.space.size_of(
            place for place, (_, value) in keys if not owned.is_of_unit(value.node)
        )

    def measure(
        self,
        request: Aggregate,
        epsilon: Fraction,
        *,
        groups: int,
        most: int | None,
        chosen: bool = False,
    ) -> Measure:
        """Return a request with its scores. Input: `chosen`: in how many groups units count may be chosen."""
        if chosen and most is None:
            request = with_chosen_groups(request, self.question, epsilon, groups)
        request = decided(request, self.question, epsilon, groups, self.budget.distinct)
        request = with_clamp(request, self.question, epsilon, groups, self.node)
        delta = self._delta_of(request) if isinstance(request, Mode) else Fraction(0)
        passes = passes_of(self.question.owned, GroupKeys(self.question.keys, most), request, self._salt)
        return Measure(request, epsilon, delta, groups, self.scores(request, most), passes)

    def _delta_of(self, request: Mode) -> Fraction:
        """Return the delta of a mode. Errors: PolicyError, UnsupportedSqlError if it has no candidates."""
        domain = request.key.domain
        if domain is not None and domain.size > MAX_CANDIDATES:
            raise refusal(
                "mode has too many candidates",
                f"There are {domain.size:,} of them, and the most is {MAX_CANDIDATES:,}.",
                "Take the mode of a coarser expression, such as x // 1000.",
                self.node,
            )
        if domain is None and self.question.grouped:
            raise no_domain(request.value, self.node, delta_helps=False)
        return self.budget.delta if domain is None else Fraction(0)

    def scores(self, request: Aggregate, most: int | None) -> SelectQuery:
        """Return the score SQL of a request. Input: the bound on groups to enforce; None: no need."""
        groups = GroupKeys(self.question.keys, most)
        return score_sql(self.question.owned, groups, request, self._salt)

    def shares(self, requests: Sequence[Aggregate], weights: Sequence[float]) -> list[Fraction]:
        """Divide epsilon: requests with an epsilon get it, the others share the rest by weight."""
        asked = sum((r.epsilon for r in requests if r.epsilon is not None), Fraction(0))
        free = [weight for r, weight in zip(requests, weights, strict=True) if r.epsilon is None]
        rest = self.budget.epsilon - asked
        if rest < 0 or (free and rest == 0):
            raise refusal(
                f"the aggregates ask for epsilon {decimal_text(asked)}",
                f"The query spends {decimal_text(self.budget.epsilon)} in all.",
                "SET dp_epsilon to more, or leave epsilon => ... out.",
                self.node,
            )
        rests = iter(divided(rest, free))
        return [next(rests) if r.epsilon is None else r.epsilon for r in requests]

    def plan(
        self,
        selection: Selection,
        measures: Sequence[Measure],
        most: int | None = None,
        ranked: Aggregate | None = None,
    ) -> Plan:
        """Put a plan together. Input: the enforced bound on groups; what ranks them, if it chooses them."""
        question = self.question
        rows, unit = question.owned.rows, question.owned.unit
        asked = Asked(
            rows.source,
            tuple(instance.alias for instance in rows.instances),
            unit,
            frozenset(rows.conditions),
            tuple(value.node for _, value in question.keys),
            question.owned.one_row,
            question.owned.shows_every_row(question.keys),
            most,
            ranked,
            question.owned.reads_public,
            partial_keys(question.keys, question.owned),
            question.has_noisy_filter,
            question.beside,
            self._adds_units(),
            question.owned.null_units,
            of_null_units(question),
            question.not_in,
            question.owned.named,
            self.budget.private_groups,
        )
        columns = columns_of(question, selection, measures)
        source = emit.identifier(RELEASE)
        if self.budget.block is not None:
            source = f"({rows_sql(self.budget.block, columns)}) AS {source}"
        intervals = ends_of(question, selection, columns)
        with_ends = answer_sql(question, selection, source, intervals.added)
        return Plan(
            question.owned.tables,
            question.owned.root,
            tuple(key for key, _ in question.keys),
            selection,
            tuple(measures),
            columns,
            with_ends if self.budget.shows_ends else answer_sql(question, selection, source),
            asked,
            shown_of(question, columns),
            is_plain(question, selection),
            shows_all(question, selection),
            constants=question.constants,
            joint=question.joint,
            cut=cut_of(question, selection),
            quotients=quotients_of(question, selection),
            filters=filters_of(question, selection, source),
            sets=question.sets,
            differences=differences_of(question, selection),
            apart=tuple(dict.fromkeys(pair for _, pair in differences_of(question, selection))),
            ends=intervals.ends,
            ends_sql=with_ends,
        )

    def _adds_units(self) -> bool:
        """Whether totals may be of groups that share a unit: they are over keys that it may vary in."""
        owned, keys = self.question.owned, self.question.keys
        varying = {place for place, (_, value) in enumerate(keys) if not owned.is_of_unit(value.node)}
        return not owned.one_row and any(not varying <= set(places) for places in self.question.sets)


def width_of_column(column: str, measures: Sequence[Measure]) -> float:
    """Return the half-width at 95 % of one column."""
    return width_of([measure for measure in measures if measure.request.column == column])
