"""Chooses the mechanism of an aggregate query: of all possible plans, the one of the smallest error.

The choice depends on public facts only: the policy, the query, the sizes of domains, epsilon and delta.
The error of a plan combines two half-widths at 95 %, by the root of the sum of squares: that of the counts
it shows, and the lead with which a group comes before all other candidates. Epsilon is divided among
several requests by the weights of `cost.weight`: with noise w_i / epsilon_i, the sum of all errors is
smallest if epsilon_i is proportional to sqrt(w_i).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlglot import exp

from dpduck.accounting.composition import cost_of
from dpduck.catalog.model import RangeDomain
from dpduck.catalog.statements import Accounting
from dpduck.errors import DpduckError, decimal_text
from dpduck.errors.advice import Hint, SetTo
from dpduck.mechanisms.clamped_topk import can_rank
from dpduck.mechanisms.private_topk import KEYS_READ
from dpduck.query.block.asks_beside import near_words
from dpduck.query.block.left_out import of_null_units, partial_keys
from dpduck.query.block.question import AggregateQuery, is_bounded, key_column
from dpduck.query.parse.nodes import refusal
from dpduck.query.parse.settings import AskedNoise
from dpduck.query.plan import cost, prices
from dpduck.query.plan.aggregates import Aggregate, ClampedSum, Count, Distinct, Mode, Sum
from dpduck.query.plan.compound import rows_sql
from dpduck.query.plan.model import (
    MOST_LISTED,
    RELEASE,
    UNITS,
    Alternative,
    Asked,
    EveryKey,
    FoundKeys,
    KeysAbove,
    LargestKeys,
    Measure,
    OneGroup,
    Plan,
    PublicPlan,
    Selection,
)
from dpduck.query.planner.answer_sql import (
    answer_sql,
    columns_of,
    cut_of,
    differences_of,
    ends_of,
    filters_of,
    is_plain,
    no_rows,
    quotients_of,
    read_by,
    shown_of,
    shows_all,
)
from dpduck.query.planner.chosen_groups import with_chosen_groups
from dpduck.query.planner.clamped_sums import with_clamp
from dpduck.query.planner.distinct_values import Function as AskedFunction
from dpduck.query.planner.distinct_values import decided
from dpduck.query.planner.levels import leveled
from dpduck.query.planner.many_quantiles import together
from dpduck.query.planner.noises import Noised, can_share, may_be_gaussian, noised, width_of
from dpduck.query.planner.quantile_intervals import with_doubts
from dpduck.query.planner.score_sql import GroupKeys, passes_of, score_sql
from dpduck.query.planner.shares import divided
from dpduck.query.planner.undeclared_keys import no_domain, no_domains, no_totals
from dpduck.query.tree import emit
from dpduck.query.tree.relations import SelectQuery

_MOST_ERROR = 1.5  # times the least error, for a lower price in rho or mu^2
MAX_HISTOGRAM = 1_000_000
MAX_COUNTED = 10_000_000  # groups that are all counted and shown, as whole columns without Python values
MAX_LISTED = 1_000
MAX_LIMIT = 10_000
MAX_CANDIDATES = 2**62 - 1  # so that their noise can be drawn in 64-bit integers
_DECLARED = "the keys that the owner declared, whether or not a row has them; that costs nothing"
_NO_CANDIDATE = "no candidate meets the conditions, whatever the rows are; that costs nothing"


@dataclass(frozen=True)
class QueryBudget:
    """The epsilon and delta of a block. `accounting`: what its budgets add up: epsilon, rho, or mu^2.

    `block`: the block's number, from 1, if the answer reads the released rows of several. `noise`: which one
    counts and sums are to have. `combines`: an outer query or a window may add up groups. `distinct`: by
    which function distinct values are counted. `private_groups`: in how many groups a unit counts is chosen
    privately, where no bound says it. `whole`: all groups of public domains are counted plainly, as a
    summary answers: without a selection, and without choices that are made privately.
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


def choose(
    question: AggregateQuery, budget: QueryBudget, groups: int | None, salt: int, node: exp.Expr
) -> Plan | PublicPlan:
    """Return the best plan for an aggregate query; a public plan if it asks only for public keys.

    Input: `groups`: the declared bound on groups per unit; None if there is none.
    Errors: PolicyError or UnsupportedSqlError if no mechanism can answer it.
    """
    planner = Planner(question, budget, groups, salt, node)
    if not question.grouped:
        return _best(planner.one_group(), budget.accounting)
    if question.space.size == 0:
        return PublicPlan(no_rows(question), _NO_CANDIDATE, notice=_of_no_candidate(question))
    if question.sets and not question.space.is_known:
        raise no_totals(question, budget.delta, node)
    if not question.requests and question.space.is_known:
        return planner.keys_alone()
    return _best(planner.drafts(), budget.accounting)


def _best(drafts: Sequence[Draft], accounting: Accounting) -> Plan:
    """Return the plan of the least error, with all as alternatives.

    In rho or mu^2 plans of the same epsilon have different prices. There the plan is taken that would have
    the least error at an equal price, of those whose error is at most 1.5 times the least at this epsilon:
    errors are in proportion to 1 / epsilon and prices to its square, so that error times the root of the
    price compares.
    """
    best = min(drafts, key=lambda draft: draft.cost)
    prices: dict[str, Fraction] = {}
    if accounting != "pure" and len(drafts) > 1:
        prices = {draft.title: draft.price(accounting) for draft in drafts}
        near = [draft for draft in drafts if draft.cost <= best.cost * _MOST_ERROR]
        best = min(near, key=lambda draft: draft.cost * math.sqrt(prices[draft.title]))
    found = tuple(
        Alternative(draft.title, draft.cost, is_taken=draft is best, price=prices.get(draft.title))
        for draft in drafts
        if draft.title
    )
    return replace(best.plan, alternatives=found)


class Planner:
    """Builds the candidate plans of one aggregate query."""

    def __init__(
        self, question: AggregateQuery, budget: QueryBudget, groups: int | None, salt: int, node: exp.Expr
    ) -> None:
        self._question = question
        self._budget = budget
        self._declared = groups
        self._salt = salt
        self._node = node
        self._size = question.space.size
        self._requests = together(with_doubts(question))

    def drafts(self) -> list[Draft]:
        """Return all plans for a query with GROUP BY. Errors: PolicyError or UnsupportedSqlError if none."""
        if self._budget.whole:
            drafts = self._every_key()
            if not drafts:
                raise self._no_plan()
            return drafts
        # A top-k with threshold never costs more than one without, so the other is not considered.
        ranked = self._above() or self._largest() or self._largest_sums()
        drafts = [*self._every_key(), *ranked, *self._found()]
        if not drafts:
            raise self._no_plan()
        return drafts

    # --- candidates ------------------------------------------------------------------------------

    def one_group(self) -> list[Draft]:
        """Draft the plans of a query without GROUP BY."""
        question = self._question
        needs_delta = any(isinstance(r, Mode) and r.key.domain is None for r in question.requests)
        if needs_delta and self._budget.delta == 0:
            unknown = next(r for r in question.requests if isinstance(r, Mode) and r.key.domain is None)
            raise no_domain(unknown.value, self._node)
        shares = self._shares(self._requests, [cost.weight(r, 1) for r in self._requests])
        pairs = zip(self._requests, shares, strict=True)
        measures = [self._measure(r, share, groups=1, most=None) for r, share in pairs]
        noises = self._noised(measures, 1)
        title = "aggregates of all rows" if len(noises) > 1 else ""
        return [Draft(one.titled(title), one.width, self._plan(OneGroup(), one.measures)) for one in noises]

    def keys_alone(self) -> PublicPlan:
        """Return the public plan that lists all keys of public domains, for example for a dashboard's filter.

        It reads no private row, so conditions of the query that read more than keys have no effect on it.
        """
        if self._size is None or self._size > MAX_LISTED:
            raise refusal(
                f"the answer would list {self._size:,} public keys",
                f"Without an aggregate all keys of the domain are listed, at most {MAX_LISTED:,}.",
                "Add count(*), and ORDER BY count(*) DESC LIMIT 10.",
                self._node,
            )
        types = [key.type for key, _ in self._question.keys]
        groups = (
            [f"CAST({_constant(value)} AS {name})" for value, name in zip(group, types, strict=True)]
            for group in self._question.space.groups()
        )
        rows = ", ".join(f"({', '.join(values)})" for values in groups)
        columns = ", ".join(emit.identifier(key_column(number)) for number, _ in enumerate(types))
        source = f"(VALUES {rows}) AS {emit.identifier(RELEASE)}({columns})"
        return PublicPlan(answer_sql(self._question, EveryKey(), source), _DECLARED)

    def _every_key(self) -> list[Draft]:
        """Draft the full-domain plans: a noisy number for each key; none if there are too many keys."""
        requests = self._requests
        if self._size is None or self._all_groups > self._most_groups or not requests:
            return []
        groups, most = self._bound(self._size)
        shares = self._shares(requests, [cost.weight(request, groups) for request in requests])
        measures = [
            self._measure(request, share, groups=groups, most=most, chosen=self._budget.private_groups)
            for request, share in zip(requests, shares, strict=True)
        ]
        title = f"histogram of all {self._size:,} groups"
        noises = self._noised(measures, self._size)
        if self._question.sets and self._budget.noise != "gaussian" and not self._budget.whole:
            noises += leveled(measures, self._question.sets, self._question.space)
        plans = [self._plan(EveryKey(groups=groups), one.measures, most) for one in noises]
        costs = (
            cost.costs_of_sets(plans)
            if self._question.sets
            else [self._cost_of_all(one.measures) for one in noises]
        )
        return [
            Draft(one.titled(title), error, plan)
            for one, error, plan in zip(noises, costs, plans, strict=True)
        ]

    def _noised(self, measures: Sequence[Measure], size: int, spent: Fraction = Fraction(0)) -> list[Noised]:
        """Return the measures with each noise that they may have.

        Input: how many groups are measured; `spent`: the part of delta that is not left for it.
        """
        if self._budget.noise == "gaussian" and not self._budget.delta and may_be_gaussian(measures):
            raise self._without_delta()
        finds = self._size is None or any(measure.delta for measure in measures)  # and spends delta on it
        delta = Fraction(0) if finds else self._budget.delta - spent
        return noised(measures, delta, None if self._adds_up else size, self._budget.noise)

    def _without_delta(self) -> DpduckError:
        return refusal(
            "Gaussian noise needs a delta",
            "No epsilon bounds it without one: far out, its probabilities differ by any factor.",
            Hint.of(SetTo("dp_delta", "1e-6"), ", or ", SetTo("dp_noise", "best"), "."),
            self._node,
        )

    @property
    def _adds_up(self) -> bool:
        """Whether numbers of several groups may be added up, so that their noise is not shared."""
        return bool(self._question.sets) or self._budget.combines

    @property
    def _all_groups(self) -> int:
        """The number of groups that are released, or that the answer has, if that is larger."""
        return max(self._size or 0, self._question.most_groups or 0)

    @property
    def _most_groups(self) -> int:
        """The maximum number of groups of a full-domain plan."""
        question = self._question
        counted = all(isinstance(request, (Count, Distinct)) for request in question.requests)
        domains = [key.domain for key, _ in question.keys]
        whole = all(isinstance(domain, RangeDomain) and isinstance(domain.low, int) for domain in domains)
        plain = counted and whole and not (question.top or question.above or question.sets)
        return MAX_COUNTED if plain else MAX_HISTOGRAM

    def _cost_of_all(self, measures: Sequence[Measure]) -> float:
        """Return the cost of measuring all groups and choosing among them afterwards."""
        question = self._question
        asked = question.top or question.above or question.top_sum
        if asked is None:
            return width_of(measures)
        column, _ = asked
        width = _width_of(column, measures)
        fixed = asked == question.above
        choosing = cost.choosing_error_of_all(width, self._others, fixed=fixed)
        return math.hypot(choosing, width if column in question.shown else 0.0)

    @property
    def _others(self) -> int:
        """How many candidates one group has beside it; of keys found in private rows, no more are ranked."""
        return max((self._size or KEYS_READ) - 1, 1)

    def _largest(self) -> list[Draft]:
        """Draft noisy top-k, with counts by BLUE if they are shown; none if it does not apply."""
        top = self._question.top
        if top is None or (self._size is None and self._budget.delta == 0):
            return []
        column, k = top
        if k > MAX_LIMIT or (self._size is not None and not k < self._size <= MAX_CANDIDATES):
            return []
        if self._sees_all_groups():
            return []
        counted = column if self._is_shown(column, LargestKeys()) else None
        delta = self._budget.delta if self._size is None else Fraction(0)
        gumbel = self._budget.in_rho and counted is None and self._size is not None
        among = "those found in private rows" if self._size is None else f"{self._size:,}"
        title = f"{'Gumbel' if gumbel else 'noisy'} top-k: the {k:,} largest of {among}"
        anew = self._chosen_anew(column, k, counted) if self._size is not None else []
        if anew and self._budget.noise == "gaussian":
            return anew
        own = LargestKeys(delta=delta, counted=counted, k=k, gumbel=gumbel)
        return [*self._ranked(title, own, column), *anew]

    def _chosen_anew(self, column: str, k: int, counted: str | None) -> list[Draft]:
        """Draft Gumbel top-k, with Gaussian noise on the counts if they are shown; none if it does not apply.

        Gaps and p-values are of the noise of noisy top-k.
        """
        noise, delta = self._budget.noise, self._budget.delta
        beside = {f"{column}_gap", f"{column}_p_value"}
        if noise == "laplace" or not beside.isdisjoint(read_by(self._question, LargestKeys(counted=column))):
            return []
        if counted is None and self._budget.in_rho:
            return []  # names cost much less rho at the price of epsilon alone
        if not delta:
            if noise == "gaussian" and counted is not None:
                raise self._without_delta()
            return []
        others = [request for request in self._question.requests if request.column != column]
        if any(cost.bound_of(request) is not None for request in others):
            delta /= 2  # the other half is for their noise
        shared = counted is not None and not self._adds_up and can_share(self._bound(k)[0], k)
        selection = LargestKeys(delta=delta, counted=counted, k=k, gaussian=True, shared=shared)
        name = "correlated Gaussian noise" if shared else "Gaussian noise"
        title = f"Gumbel top-k: the {k:,} largest of {self._size:,}"
        title += ", with a delta" if counted is None else f", counted anew with {name}"
        return self._ranked(title, selection, column)

    def _largest_sums(self) -> list[Draft]:
        """Draft top-k by a sum, with all numbers of the groups shown measured; none if it does not apply."""
        question = self._question
        if question.top_sum is None or self._size is None or self._sees_all_groups():
            return []
        column, k = question.top_sum
        request = question.request(column)
        if not isinstance(request, Sum) or not k < self._size <= MOST_LISTED or k > MAX_LIMIT:
            return []
        groups, most = self._bound(k)
        if not is_bounded(request, question.owned, question.keys):
            return self._largest_clamped(request, k, groups, most)
        spread, gumbel = max(cost.spread_of(request), 1), self._budget.in_rho
        weights = [3.0 * k, *(cost.weight(one, groups) for one in self._requests)]
        shares = self._shares([Count(UNITS, ()), *self._requests], weights)
        measures = [
            self._measure(one, share, groups=groups, most=most)
            for one, share in zip(self._requests, shares[1:], strict=True)
        ]
        title = f"top-k by sums: the {k:,} largest of {self._size:,}"
        plain = LargestKeys(self._scores(request, None), shares[0], k=k, gumbel=gumbel, spread=spread)
        anew = replace(plain, gumbel=False, gaussian=True, delta=self._budget.delta / 2)
        ways = [(f"{'Gumbel' if gumbel else 'noisy'} {title}", plain)]
        with_delta = self._budget.noise != "laplace" and not gumbel
        if with_delta and anew.delta and prices.can_choose_anew(anew):
            ways.append((f"Gumbel {title}, with a delta", anew))
        return [
            Draft(
                one.titled(name),
                math.hypot(
                    cost.choosing_error(selection, self._others) / 10**request.scale,
                    _width_of(column, one.measures),
                ),
                self._plan(selection, one.measures, most, request),
            )
            for name, selection in ways
            for one in self._noised(measures, k, selection.delta)
        ]

    def _largest_clamped(self, request: Sum, k: int, groups: int, most: int | None) -> list[Draft]:
        """Draft top-k by a sum whose clamp is chosen privately, before groups are chosen by the sums."""
        weights = [3.0 * k, *(cost.weight(one, groups) for one in self._requests)]
        shares = self._shares([Count(UNITS, ()), *self._requests], weights)
        ranked = with_clamp(request, self._question, shares[0], groups, self._node)
        if not isinstance(ranked, ClampedSum) or not can_rank(shares[0]):
            return []
        measures = [
            self._measure(one, share, groups=groups, most=most)
            for one, share in zip(self._requests, shares[1:], strict=True)
        ]
        selection = LargestKeys(
            self._scores(ranked, None),
            shares[0],
            k=k,
            gumbel=self._budget.in_rho,
            spread=1 if ranked.above_zero else 2,
            clamped=ranked,
        )
        name = "Gumbel" if selection.gumbel else "noisy"
        title = f"{name} top-k by sums with a private clamp: the {k:,} largest of {self._size:,}"
        choosing = cost.choosing_error(selection, self._others)
        return [
            Draft(
                one.titled(title),
                math.hypot(choosing, _width_of(request.column, one.measures)),
                self._plan(selection, one.measures, most, ranked),
            )
            for one in self._noised(measures, k)
        ]

    def _above(self) -> list[Draft]:
        """Draft thresholded top-k, for HAVING with LIMIT; none if it does not apply."""
        question = self._question
        if question.above is None or self._size is None or self._size > MAX_CANDIDATES:
            return []
        column, threshold = question.above
        if question.top is not None:
            k = question.top[1] if question.top[0] == column else 0
        else:
            k = 0 if question.limit is None or question.order else question.limit + question.offset
        if question.qualify is not None or self._sees_all_groups() or not 0 < k <= min(self._size, MAX_LIMIT):
            return []
        counted = column if self._is_shown(column, KeysAbove()) else None
        title = f"top-k above {threshold:,}: at most {k:,} of {self._size:,}"
        return self._ranked(title, KeysAbove(counted=counted, k=k, threshold=threshold), column)

    def _sees_all_groups(self) -> bool:
        """Whether the answer needs all groups, not the top k, because of DISTINCT or a window function."""
        question = self._question
        terms = [*(item.value for item in question.items), *(order.value for order in question.order)]
        return question.distinct is not None or any(term.windowed for term in terms)

    def _is_shown(self, column: str, selection: Selection) -> bool:
        """Whether the answer reads the counts that rank the groups, or their intervals, gaps or p-values."""
        beside = {f"{column}{end}" for end in ("", "_low", "_high", "_gap", "_p_value")}
        return not beside.isdisjoint(read_by(self._question, selection))

    def _ranked(self, title: str, selection: LargestKeys | KeysAbove, column: str) -> list[Draft]:
        """Draft a selection of k groups by a count, with measures for the other requests."""
        k, counted = selection.k, selection.counted
        groups, most = self._bound(k)
        relied = groups if groups < k and (counted is not None or self._size is None) else None
        others = [request for request in self._requests if request.column != column]
        first = k * (6.0 if counted else 3.0)  # near its half-width at epsilon 1
        count = self._question.request(column)
        weights = [first, *(cost.weight(request, groups) for request in others)]
        shares = self._shares([count, *others], weights)
        scores = self._scores(count, most if relied is not None else None)
        selection = replace(selection, scores=scores, epsilon=shares[0], groups=relied)
        spent = Fraction(0)
        if isinstance(selection, LargestKeys) and selection.gaussian:
            if not prices.can_choose_anew(selection):
                return []
            spent = selection.delta
        measures = [
            self._measure(request, share, groups=groups, most=most)
            for request, share in zip(others, shares[1:], strict=True)
        ]
        # The other numbers do not decide between plans, so those with the least noise are taken.
        best = min(self._noised(measures, k, spent), key=lambda one: one.error)
        plan = self._plan(selection, best.measures, most, count)
        return [Draft(title, _cost(selection, self._others), plan)]

    def _found(self) -> list[Draft]:
        """Draft partition selection, for keys without a public domain; none if it does not apply."""
        if self._size is not None or self._budget.delta == 0 or self._question.top is not None:
            return []
        groups, most = self._bound(None)
        if groups == 0:
            return []
        plain = [r for r in self._requests if isinstance(r, Count) and _counts_units(r)]
        counted = plain[0] if plain else None
        others = [request for request in self._requests if request is not counted]
        selecting = counted or Count(UNITS, ())
        weights = [cost.weight(request, groups) for request in (selecting, *others)]
        shares = self._shares([selecting, *others], weights)
        selection = FoundKeys(
            self._scores(selecting, most),
            shares[0],
            self._budget.delta,
            None if counted is None else counted.column,
            groups,
        )
        measures = [
            self._measure(request, share, groups=groups, most=most)
            for request, share in zip(others, shares[1:], strict=True)
        ]
        title = "partition selection: the groups found in enough private rows"
        return [
            Draft(
                f"{title}, Gaussian noise" if one.gaussian else title,
                cost.selection_error(one),
                self._plan(one, measures, most, selecting),
            )
            for one in self._counted(selection)
        ]

    def _counted(self, selection: FoundKeys) -> list[FoundKeys]:
        """Return a selection with each noise that its counts may have, if it releases any."""
        gaussian = replace(selection, gaussian=True)
        if selection.counted is None or self._budget.noise == "laplace":
            return [selection]
        return [gaussian] if self._budget.noise == "gaussian" else [selection, gaussian]

    # --- parts -----------------------------------------------------------------------------------

    def _bound(self, shown: int | None) -> tuple[int, int | None]:
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
        owned = self._question.owned
        if owned.one_row:
            return 1
        keys = enumerate(self._question.keys)
        return self._question.space.size_of(
            place for place, (_, value) in keys if not owned.is_of_unit(value.node)
        )

    def _measure(
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
            request = with_chosen_groups(request, self._question, epsilon, groups)
        request = decided(request, self._question, epsilon, groups, self._budget.distinct)
        request = with_clamp(request, self._question, epsilon, groups, self._node)
        delta = self._delta_of(request) if isinstance(request, Mode) else Fraction(0)
        passes = passes_of(self._question.owned, GroupKeys(self._question.keys, most), request, self._salt)
        return Measure(request, epsilon, delta, groups, self._scores(request, most), passes)

    def _delta_of(self, request: Mode) -> Fraction:
        """Return the delta of a mode. Errors: PolicyError, UnsupportedSqlError if it has no candidates."""
        domain = request.key.domain
        if domain is not None and domain.size > MAX_CANDIDATES:
            raise refusal(
                "mode has too many candidates",
                f"There are {domain.size:,} of them, and the most is {MAX_CANDIDATES:,}.",
                "Take the mode of a coarser expression, such as x // 1000.",
                self._node,
            )
        if domain is None and self._question.grouped:
            raise no_domain(request.value, self._node, delta_helps=False)
        return self._budget.delta if domain is None else Fraction(0)

    def _scores(self, request: Aggregate, most: int | None) -> SelectQuery:
        groups = GroupKeys(self._question.keys, most)
        return score_sql(self._question.owned, groups, request, self._salt)

    def _shares(self, requests: Sequence[Aggregate], weights: Sequence[float]) -> list[Fraction]:
        """Divide epsilon: requests with an epsilon get it, the others share the rest by weight."""
        asked = sum((r.epsilon for r in requests if r.epsilon is not None), Fraction(0))
        free = [weight for r, weight in zip(requests, weights, strict=True) if r.epsilon is None]
        rest = self._budget.epsilon - asked
        if rest < 0 or (free and rest == 0):
            raise refusal(
                f"the aggregates ask for epsilon {decimal_text(asked)}",
                f"The query spends {decimal_text(self._budget.epsilon)} in all.",
                "SET dp_epsilon to more, or leave epsilon => ... out.",
                self._node,
            )
        rests = iter(divided(rest, free))
        return [next(rests) if r.epsilon is None else r.epsilon for r in requests]

    def _plan(
        self,
        selection: Selection,
        measures: Sequence[Measure],
        most: int | None = None,
        ranked: Aggregate | None = None,
    ) -> Plan:
        question = self._question
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
            self._budget.private_groups,
        )
        columns = columns_of(question, selection, measures)
        source = emit.identifier(RELEASE)
        if self._budget.block is not None:
            source = f"({rows_sql(self._budget.block, columns)}) AS {source}"
        ends = ends_of(question, selection, columns)
        return Plan(
            question.owned.tables,
            question.owned.root,
            tuple(key for key, _ in question.keys),
            selection,
            tuple(measures),
            columns,
            answer_sql(question, selection, source),
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
            ends=tuple(name for name, _ in ends),
            ends_sql=answer_sql(question, selection, source, ends),
        )

    def _adds_units(self) -> bool:
        """Whether totals may be of groups that share a unit: they are over keys that it may vary in."""
        owned, keys = self._question.owned, self._question.keys
        varying = {place for place, (_, value) in enumerate(keys) if not owned.is_of_unit(value.node)}
        return not owned.one_row and any(not varying <= set(places) for places in self._question.sets)

    def _no_plan(self) -> DpduckError:
        question = self._question
        if question.top is not None and question.top[1] > MAX_LIMIT:
            return self._too_many_selected()
        if self._size is None:
            needs_bound = self._bound(None)[0] == 0
            return no_domains(question, self._budget.delta, self._node, needs_bound=needs_bound)
        if self._size > MAX_CANDIDATES:
            return refusal(
                "the keys have too many combinations",
                f"There are {self._size:,} of them, and the most is {MAX_CANDIDATES:,}.",
                "Group by fewer keys, or by coarser ones such as x // 10.",
                self._node,
            )
        return self._too_many_rows()

    def _too_many_selected(self) -> DpduckError:
        offset = self._question.offset
        return refusal(
            f"LIMIT and OFFSET together are larger than {MAX_LIMIT}"
            if offset
            else f"LIMIT is larger than {MAX_LIMIT}",
            f"Each selected row costs a share of epsilon{', also one that OFFSET skips' if offset else ''}.",
            f"Write a LIMIT of at most {MAX_LIMIT}{', and no OFFSET' if offset else ''}.",
            self._node,
        )

    def _too_many_rows(self) -> DpduckError:
        shown, hint = "shown", "Add ORDER BY count(*) DESC LIMIT 10."
        if self._question.order and self._question.limit is not None:
            shown = "measured, unless a count of units selects the largest"
            hint = "Narrow the keys with WHERE, group by fewer or coarser ones, or sort by count(*) DESC."
        rows = "rows"
        if self._question.sets:
            rows, shown = "groups and totals", "added up"
            hint = "Narrow the keys with WHERE, or group by fewer or coarser ones."
        return refusal(
            f"the answer would have {self._all_groups:,} {rows}",
            f"All groups of a public domain are {shown}, at most {self._most_groups:,}.",
            hint,
            self._node,
        )


def _of_no_candidate(question: AggregateQuery) -> Hint | None:
    """Return what to say of rows that domains leave out; None if plain SQL has no group either."""
    names = ", ".join(partial.name for partial in partial_keys(question.keys, question.owned))
    return (
        Hint.of(
            f"No value in the domain of {names} meets the conditions; rows with NULL or other values are "
            f"left out.{near_words(question.beside)}"
        )
        if names
        else None
    )


def _counts_units(request: Count) -> bool:
    return not request.conditions and request.rows is None


def _cost(selection: Selection, others: int) -> float:
    """Return the cost of a selection: of choosing, and of counting if counts are shown."""
    counting = 0.0 if selection.counted is None else cost.selection_error(selection)
    return math.hypot(cost.choosing_error(selection, others), counting)


def _width_of(column: str, measures: Sequence[Measure]) -> float:
    return width_of([measure for measure in measures if measure.request.column == column])


def _constant(value: object) -> str:
    return "NULL" if value is None else emit.string(str(value))
