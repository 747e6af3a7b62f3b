"""As `test_mutants`, for top-k down to a threshold, peeling, one winner's gap, streams and intervals."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from dpduck.kernel import scores
from dpduck.kernel.accounting import composition, conversion
from dpduck.kernel.accounting.events import TopKAbove
from dpduck.kernel.ledger import repricing
from dpduck.kernel.mechanisms import (
    accuracy,
    linear_estimates,
    noisy_max,
    peeling,
    selection,
    sparse_vector,
    threshold_estimates,
    topk,
    topk_above,
)
from tests.accounting import test_composition, test_conversion
from tests.mechanisms import (
    test_peeling,
    test_selection_gaps,
    test_stream,
    test_threshold_estimates,
    test_topk_above,
)
from tests.mechanisms.mutation import Mutant, pair_of_tests

Check = Callable[[], object]


# Checks


@cache
def above(levels: tuple[int, ...] = (1, 0), threshold: int = 1, k: int = 2, form: str = "plain") -> Check:
    return lambda: test_topk_above.check_top_k_above(levels, threshold, k, reach=1, form=form)


@cache
def above_measured(groups: int | None = None) -> Check:
    return lambda: test_topk_above.check_measured_above(groups)


@cache
def split_among(groups: int | None = None) -> Check:
    return lambda: test_topk_above.test_the_split_among_fewer_winners_spends_the_same(5, 2, groups)


def names() -> None:
    test_topk_above.test_the_threshold_is_told_apart_from_candidates_of_its_score()


@cache
def gumbel(k: int = 2) -> Check:
    return lambda: test_peeling.check_gumbel((1, 0, 2), k)


@cache
def peeled(k: int = 2) -> Check:
    return lambda: test_peeling.check_peeled((2, 0, 1, 1), k)


def rho() -> None:
    test_peeling.test_the_account_in_rho_is_the_stated_one(Fraction(1), 3)


def vector() -> None:
    test_composition.test_a_vector_of_counts_costs_exactly_its_bound(0.3, 2)


def converted() -> None:
    test_conversion.check_safe_side(Fraction(1), Fraction(1, 10**6))


def settled() -> None:
    charged, used = TopKAbove(Fraction(1), k=4), TopKAbove(Fraction(1, 4), k=4)
    test_peeling.test_a_settlement_gives_back_epsilon_and_never_rho(charged, used, Fraction(1, 4))


@cache
def flip(sensitivity: int = 1, *, monotonic: bool = True) -> Check:
    return lambda: test_selection_gaps.check_flip_with_gap(monotonic=monotonic, sensitivity=sensitivity)


def whole_p_values() -> None:
    test_selection_gaps.test_p_values_use_whole_gaps()


@cache
def expected_gaps(theta: float) -> Check:
    return lambda: test_selection_gaps.test_the_expected_gap_is_the_integral_of_its_survival(theta)


@cache
def given(kind: str = "alone", name: str = "epsilon 1") -> Check:
    return lambda: test_threshold_estimates.test_given_that_it_passed_an_interval_holds_for_every_count(
        name, kind
    )


@cache
def ends(excess: int = 60, kind: str = "alone") -> Check:
    return lambda: test_threshold_estimates.test_the_ends_are_where_the_quotient_says(excess, kind)


def opened() -> None:
    test_threshold_estimates.test_a_lower_end_is_open_up_to_3_7_noise_scales_above_the_cut(Fraction(1, 7))


@cache
def scans(name: str = "at the threshold", *, adaptive: bool = True) -> Check:
    return lambda: test_threshold_estimates.check_scans(name, adaptive=adaptive)


def combined() -> None:
    test_threshold_estimates.check_combined()


def tails() -> None:
    test_threshold_estimates.test_the_log_tail_of_a_difference_is_exact(1, 2, Fraction(9, 10))


@cache
def stream(*, adaptive: bool = True) -> Check:
    return lambda: test_stream.check_stream((9, -5), 2, adaptive=adaptive)


# Mutants


TOP_K_ABOVE = [
    Mutant(
        "down to a threshold: epsilon is not shared among k",
        topk_above.top_k_above,
        "Exponential(selection / k)",
        "Exponential(selection)",
        above(),
    ),
    Mutant(
        "down to a threshold: the threshold itself is not shown as used",
        topk_above.top_k_above,
        "min(winners + 1, k)",
        "min(winners, k)",
        above(),
    ),
    Mutant(
        "down to a threshold: all is shown as used",
        topk_above.top_k_above,
        "selection * min(winners + 1, k) / k",
        "selection",
        above(),
    ),
    Mutant(
        "down to a threshold: one lower",
        topk_above.top_k_above,
        "rank_above(scores, threshold,",
        "rank_above(scores, threshold - 1,",
        above(),
    ),
    Mutant(
        "down to a threshold: twice as sure of ranks",
        topk_above.top_k_above,
        "p_values(gaps, family.rate)",
        "p_values(gaps, 2 * family.rate)",
        above(),
    ),
    Mutant(
        "down to a threshold: the threshold wins a place",
        noisy_max.rank_above,
        "min([*places, count])",
        "min([*(place + 1 for place in places), count])",
        above(),
    ),
    Mutant(
        "down to a threshold: it stops for nothing",
        noisy_max.rank_above,
        "min([*places, count])",
        "count",
        names,
    ),
    Mutant(
        "down to a threshold: the last gap is lost",
        noisy_max.rank_above,
        "count + 1, family",
        "count, family",
        above(k=1),
    ),
    Mutant(
        "down to a threshold: another group stands for it",
        noisy_max.rank_above,
        "len(ranking.groups.sizes) - 1",
        "0",
        above((1, 0), -1, 2),
    ),
    Mutant(
        "down to a threshold: it is ten candidates",
        scores.WithThreshold.groups,
        "np.append(groups.sizes, 1)",
        "np.append(groups.sizes, 10)",
        test_topk_above.test_the_threshold_is_a_candidate_like_any_other,
    ),
    Mutant(
        "down to a threshold: its number is a candidate's",
        scores._GroupsWithThreshold.candidates,
        "[self.others.count if",
        "[0 if",
        test_topk_above.test_the_threshold_is_a_candidate_like_any_other,
    ),
    Mutant(
        "down to a threshold: selection and measurement both cost all",
        topk_above.top_k_above,
        "split.selection if measure",
        "epsilon if measure",
        above_measured(),
    ),
    Mutant(
        "down to a threshold: measured as if there were k winners",
        topk_above.top_k_above,
        "split.among(winners)",
        "split",
        test_topk_above.check_each_measured,
    ),
    Mutant(
        "down to a threshold: the measurement is given back",
        topk_above.top_k_above,
        "Composed.of(used, counting) if winners else used",
        "used",
        above_measured(),
    ),
    Mutant(
        "down to a threshold: a measurement of nothing is paid",
        topk_above.top_k_above,
        "if winners else used",
        "if True else used",
        above_measured(),
    ),
    Mutant(
        "down to a threshold: one winner's sensitivity for all",
        linear_estimates.Split.among,
        "min(self.sensitivity, winners)",
        "1",
        split_among(),
    ),
    Mutant(
        "down to a threshold: noise of as many places as there are winners",
        linear_estimates.Split.selection_rate,
        "self.selection / self.places",
        "self.selection / self.k",
        split_among(1),
    ),
]
PEELING = [
    Mutant(
        "gumbel: epsilon is not shared",
        peeling.gumbel_top_k,
        "Gumbel(epsilon / (k * spread))",
        "Gumbel(epsilon / spread)",
        gumbel(),
    ),
    Mutant(
        "gumbel: the event of one winner",
        peeling.gumbel_top_k,
        "GumbelTopK(epsilon, k=k)",
        "GumbelTopK(epsilon, k=1)",
        gumbel(),
    ),
    Mutant(
        "gumbel: the event of a k-th of it",
        peeling.gumbel_top_k,
        "GumbelTopK(epsilon, k=k)",
        "GumbelTopK(epsilon / k, k=k)",
        gumbel(),
    ),
    Mutant(
        "gumbel: in order of number",
        peeling.gumbel_top_k,
        "tuple(winners)",
        "tuple(sorted(winners))",
        gumbel(),
    ),
    Mutant(
        "peeling: epsilon is not shared",
        peeling.peeled_top_k,
        "epsilon / k, entropy",
        "epsilon, entropy",
        peeled(),
    ),
    Mutant(
        "peeling: noise for any scores",
        peeling.peeled_top_k,
        "monotonic=True",
        "monotonic=False",
        peeled(),
    ),
    Mutant(
        "peeling: winners may win again",
        peeling.peeled_top_k,
        "np.delete(left, winner.candidate)",
        "left",
        peeled(),
    ),
    Mutant(
        "peeling: numbers among those left",
        peeling.peeled_top_k,
        "int(left[winner.candidate])",
        "winner.candidate",
        peeled(3),
    ),
    Mutant(
        "peeling: only the first is charged",
        peeling.peeled_top_k,
        "winner.event for winner in winners",
        "winner.event for winner in winners[:1]",
        peeled(),
    ),
    Mutant("rho of gumbel: k times too little", composition._beside_sums, "8 * k)", "8 * k**2)", rho),
    Mutant("rho of gumbel: a ninth", composition._beside_sums, "(8 * k)", "(9 * k)", rho),
    Mutant("rho of gumbel: rounded down", composition._rounded_up, "math.ceil", "math.floor", rho),
    Mutant("rho of groups: too little", composition.rho_of, "(2 * groups)", "(2 * groups**2)", vector),
    Mutant("rho of groups: of one", composition.rho_of, "(2 * groups)", "2", vector),
    Mutant("rho to epsilon: no alpha", conversion._rest, "(log + ball(delta).log())", "log", converted),
    Mutant("rho to epsilon: too little of it", conversion.epsilon_at, "(1 + ball(beyond))", "1", converted),
    Mutant("rho to epsilon: rounded down", conversion.epsilon_at, "rounded_up", "rounded_down", converted),
    Mutant("epsilon to rho: rounded up", conversion.rho_limit, "rounded_down", "rounded_up", converted),
    Mutant(
        "settlements give rho back",
        repricing.given_back,
        "Cost(less.epsilon, less.delta)",
        "less",
        settled,
    ),
]
ONE_WINNER = [
    Mutant(
        "one winner's gap: the monotonic rate for any scores",
        selection.selection_rate,
        "if monotonic",
        "if True",
        flip(monotonic=False),
    ),
    Mutant(
        "one winner's gap: sensitivity forgotten",
        selection.selection_rate,
        "epsilon / sensitivity",
        "epsilon",
        flip(3),
    ),
    Mutant(
        "one winner's gap: Gumbel noise",
        selection.permute_and_flip_with_gap,
        "Exponential(rate)",
        "Gumbel(rate)",
        flip(),
    ),
    Mutant(
        "one winner's gap: twice as sure",
        selection.permute_and_flip_with_gap,
        "math.exp(-float(gap * rate))",
        "math.exp(-2 * float(gap * rate))",
        flip(),
    ),
    Mutant(
        "one winner's gap: on a grid of one unit's parts",
        selection._best_of_two,
        "Fraction(sensitivity, GAP_STEPS)",
        "Fraction(1, GAP_STEPS)",
        flip(3),
    ),
    Mutant(
        "one winner's gap: rounded up",
        selection._best_of_two,
        "floor_of_gap(ranking.best[1], unit) * unit",
        "floor_of_gap(ranking.best[1], unit) * unit + unit",
        flip(),
    ),
    Mutant(
        "one winner's gap: half is charged",
        selection.permute_and_flip_with_gap,
        "PermuteAndFlip(epsilon)",
        "PermuteAndFlip(epsilon / 2)",
        flip(),
    ),
    Mutant("p-values: of the gap and a half", topk.p_values, "gap - 0.5", "gap", whole_p_values),
    Mutant("p-values: of twice the rate", topk.p_values, "float(rate)", "2 * float(rate)", whole_p_values),
    Mutant(
        "expected gaps: the winner's own weight is lost",
        selection.expected_gap,
        "(1 + math.exp(-theta))",
        "1.0",
        expected_gaps(0.7),
    ),
    Mutant(
        "expected gaps: no lead",
        selection.expected_gap,
        "max(theta, 0.0) +",
        "0.0 +",
        expected_gaps(6.0),
    ),
]
ESTIMATES = [
    Mutant(
        "estimates: the cut is forgotten",
        threshold_estimates.selected,
        "level.gap - level.cut",
        "level.gap",
        ends(60, "clear"),
    ),
    Mutant(
        "estimates: the threshold is forgotten",
        threshold_estimates.selected,
        "float(threshold + level.gap)",
        "float(level.gap)",
        ends(),
    ),
    Mutant(
        "estimates: as if passing said nothing of the low end",
        threshold_estimates._ends,
        "log_tail_of_difference(t, own, other) - log_tail_of_difference(t - excess, own, other)",
        "log_tail_of_difference(t, own, other)",
        ends(26),
    ),
    Mutant(
        "estimates: as if passing said nothing of the high end",
        threshold_estimates._ends,
        "log_tail_of_difference(t + 1, own, other) - log_tail_of_difference(t - excess, own, other)",
        "log_tail_of_difference(t + 1, own, other)",
        ends(0),
    ),
    Mutant(
        "estimates: a high end one gap too near",
        threshold_estimates._ends,
        "t + 1, own",
        "t, own",
        given("alone", "small noise"),
    ),
    Mutant(
        "estimates: 90 % below",
        threshold_estimates._ends,
        "likely > math.log(_DOUBT)",
        "likely > math.log(2 * _DOUBT)",
        given(),
    ),
    Mutant(
        "estimates: 90 % above",
        threshold_estimates._ends,
        "-math.expm1(larger) > _DOUBT",
        "-math.expm1(larger) > 2 * _DOUBT",
        given(),
    ),
    Mutant(
        "estimates: the low end open for ever",
        threshold_estimates._ends,
        "math.exp(-min(own, other) * excess)",
        "math.exp(-0.5 * min(own, other) * excess)",
        opened,
    ),
    Mutant(
        "estimates: without the threshold's noise",
        threshold_estimates._ends,
        "float(rate), float(common)",
        "float(rate), 100 * float(common)",
        given(),
    ),
    Mutant(
        "estimates: sides exchanged",
        threshold_estimates.selected,
        "for estimate, (_, above) in",
        "for estimate, (above, _) in",
        opened,
    ),
    Mutant(
        "estimates: gaps beyond the measurement's interval",
        threshold_estimates.measured,
        "min(max(x, m - width), m + width)",
        "x",
        combined,
    ),
    Mutant(
        "estimates: intervals around what was combined",
        threshold_estimates.measured,
        "[m - width for m in counts]",
        "[x - width for x in estimates]",
        combined,
    ),
    Mutant(
        "estimates: each gap with a threshold of its own",
        threshold_estimates.combine,
        "(y + common)",
        "y",
        combined,
    ),
    Mutant("tails: of one noise", accuracy.log_tail_of_difference, "** 2 / between", "/ between", tails),
    Mutant("tails: the fast one decides", accuracy.log_tail_of_difference, "- slow * x", "- fast * x", tails),
    Mutant("tails: one step off", accuracy.log_tail_of_difference, "(1 - x, one", "(-x, one", tails),
]
STREAM = [
    Mutant(
        "stream: never over",
        sparse_vector.Stream.ask,
        "if self.is_over:",
        "if False:",
        test_stream.check_over,
    ),
    Mutant(
        "stream: one answer more than is paid",
        sparse_vector.EpsilonSplit.is_over,
        "2 * self.k - 2",
        "2 * self.k - 1",
        test_stream.check_over,
    ),
    Mutant(
        "stream: a new threshold for each question",
        sparse_vector.Stream.ask,
        "if self._bar is None:",
        "if True:",
        stream(),
    ),
    Mutant(
        "stream: a threshold without noise",
        sparse_vector.Stream.ask,
        "self._plan.bar(self._entropy)",
        "self._plan.threshold",
        stream(),
    ),
    Mutant("stream: all have one number", sparse_vector.Stream.ask, "self._asked += 1", "pass", stream()),
    Mutant(
        "stream: answers are not paid", sparse_vector.Stream.ask, "self._hits.append(hit)", "pass", stream()
    ),
    Mutant(
        "stream: estimates are gaps",
        sparse_vector.Stream.ask,
        "self._plan.threshold, budget.threshold",
        "0, budget.threshold",
        stream(),
    ),
    Mutant(
        "stream: finished and not over",
        sparse_vector.Stream.is_over,
        "self._released is not None or self._plan",
        "self._plan",
        test_stream.check_over,
    ),
    Mutant(
        "stream: measured as if one unit moved one count",
        sparse_vector._release,
        "plan.measurement / _moved(len(hits), groups)",
        "plan.measurement",
        test_stream.check_measured_stream,
    ),
    Mutant(
        "stream: the measurement is not shown as used",
        sparse_vector._release,
        "Composed.of(used, NoisyCount(plan.measurement))",
        "used",
        test_stream.check_measured_stream,
    ),
    Mutant(
        "stream: all is shown as used",
        sparse_vector._release,
        "budget.spent(sum(map(_cost, hits)))",
        "budget.spent(2 * budget.k)",
        stream(),
    ),
]
MUTANTS = [*TOP_K_ABOVE, *PEELING, *ONE_WINNER, *ESTIMATES, *STREAM]


test_a_mutant_is_caught, test_the_check_passes_without_the_mutant = pair_of_tests(MUTANTS, 2)
