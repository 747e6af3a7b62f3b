"""The tests have teeth: each of these mistakes in the code fails one of the checks that the tests run.

A check that a mutant survives shows too little. A mutant whose text is no longer in the source fails too, and
is to be written anew for the new source.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from dpduck.kernel import scores
from dpduck.kernel.mechanisms import (
    additive,
    linear_estimates,
    noisy_max,
    private_topk,
    quantile,
    ranked_counts,
    selection,
    topk,
    topk_counts,
)
from dpduck.kernel.noise import Exponential, Gumbel, Laplace, Maxima, OrderStatistic, samplers, uniform
from tests import test_scores
from tests.mechanisms import (
    checks,
    test_additive,
    test_events,
    test_private_topk,
    test_quantile,
    test_topk,
    test_topk_counts,
)
from tests.mechanisms.mutation import Mutant, pair_of_tests
from tests.noise import test_families, test_order, test_samplers, test_uniform

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
Check = Callable[[], object]


# Checks: one function for each set of arguments


@cache
def exponential_top_k(scores_: tuple[int, ...] = (1, 0, 2), k: int = 1, form: str = "plain") -> Check:
    return lambda: checks.check_top_k(scores_, k, "exponential", form=form)


@cache
def laplace_top_k(scores_: tuple[int, ...] = (1, 0, 2), k: int = 1) -> Check:
    return lambda: checks.check_top_k(scores_, k, "laplace", reach=1)


@cache
def flip(rate: Fraction = checks.RATE, **claims: int) -> Check:
    return lambda: checks.check_permute_and_flip((1, 0, 1), rate=rate, **claims)  # type: ignore[arg-type]


@cache
def gumbel(**claims: int) -> Check:
    return lambda: checks.check_exponential((1, 0, 1), **claims)  # type: ignore[arg-type]


@cache
def grid(q: Fraction = HALF, values: tuple[int, ...] = (1, 1, 2)) -> Check:
    return lambda: checks.check_quantile(values, 4, q)


def lumped_grid() -> None:
    """Windows narrower than the data, so that bounds and lookups matter."""
    for values in ([0, 0, 1, 5, 6, 6, 9, 9, 12, 14, 14, 15], [0, 1, 9, 9, 9, 12, 12, 13, 14, 15, 15, 15]):
        expected = checks.rank_scores(values, 16, HALF)
        with test_quantile.coarse(0, 1):
            for sample in test_quantile.samples(values, 16):
                assert test_quantile.unrolled(sample, 16, HALF, 0.0) == expected


@cache
def private(counts: tuple[int, ...] = (2, 3, 1), k: int = 2, groups: int | None = 1) -> Check:
    return lambda: checks.check_private_top_k(counts, k, groups=groups, reach=1)


def private_with_cut() -> None:
    with pytest.MonkeyPatch.context() as patch:
        test_private_topk.read_only(patch, 1)
        checks.check_private_top_k((2, 2, 5, 4), 1, groups=None)


@cache
def private_counts(groups: int | None = None) -> Check:
    return lambda: checks.check_private_counts(groups=groups)


def bottoms() -> None:
    for groups in (None, 3):
        checks.check_bottom(Fraction(1), Fraction(1, 10**6), 7, groups)


def thresholds() -> None:
    checks.check_threshold(Fraction(1), Fraction(1, 10**6), 3)


@cache
def counts(groups: int | None = None) -> Check:
    def check() -> None:
        for values in ((40, 31, 31, 7), (60, 31, 7, 7)):  # one winner is sure, and two
            checks.check_top_k_counts(values, groups=groups)

    return check


def intervals() -> None:
    test_topk_counts.test_estimates_are_unbiased_and_intervals_hold(3, HALF)


def sum_or_each() -> None:
    test_topk_counts.test_the_sum_is_measured_where_a_unit_may_touch_all_winners(Fraction(1))


def each_split() -> None:
    test_topk_counts.test_the_split_is_the_best_of_a_hundred_and_adds_up(10, 1)


@cache
def event(name: str) -> Check:
    return lambda: test_events.check_cost(name, Fraction(1), 2)


@cache
def family(make: type) -> Check:
    return lambda: test_families.test_the_bounds_contain_the_exact_noise(make, Fraction(31, 10))


@cache
def inverse(make: type) -> Check:
    return lambda: test_families.test_exact_inverts_the_distribution_function(make, Fraction(31, 10))


def large_groups() -> None:
    test_families.test_the_bounds_contain_the_largest_noises_of_a_group(Exponential, Fraction(1), 7)


def places() -> None:
    test_order.columns.cache_clear()
    try:
        test_order.test_each_place_has_its_exact_law(3, 2)
    finally:
        test_order.columns.cache_clear()


def plain_groups() -> None:
    for reach in (0.0, 2.0, 100.0):
        test_scores.check_groups(scores.PlainScores(np.array(values := [3, 1, 3, 0, 7, 0])), values, 2, reach)


@cache
def undecided(number: int) -> Check:
    return lambda: test_samplers.test_an_undecided_word_gets_more_digits([number * ((1 << 64) - 1)], number)


# Mutants


RANKING = [
    Mutant(
        "the first member stands for its group",
        noisy_max.Ranking.members,
        "choose_another(int(self.groups.sizes[entry.group]), ranks, entropy)",
        "len(ranks)",
        exponential_top_k((2, 2, 1)),
    ),
    Mutant(
        "the second of a group is never found",
        noisy_max._descending,
        "following is not None",
        "following is not None and count == 1",
        exponential_top_k((2, 2, 1), 2),
    ),
    Mutant(
        "groups are pruned too early",
        noisy_max._group_maxima,
        "high >= yardstick",
        "low > yardstick",
        exponential_top_k(),
    ),
    Mutant(
        "a lumped candidate keeps the bound as its score",
        noisy_max._descending,
        "groups.score(member)",
        "entry.score",
        exponential_top_k(form="lumped"),
    ),
    Mutant(
        "a lumped candidate is always the first",
        noisy_max._descending,
        "choose_another(int(groups.sizes[entry.group]), ranks, entropy)",
        "len(ranks)",
        exponential_top_k(form="lumped"),
    ),
    Mutant(
        "close values are compared by their bounds",
        noisy_max.NoisyScore.__lt__,
        "self.low > other.high or other.low > self.high",
        "True",
        test_topk.test_equal_words_are_told_apart_by_later_digits,
    ),
]
TOP_K = [
    Mutant(
        "top-k: noise halved",
        topk._family,
        "Exponential(rate)",
        "Exponential(2 * rate)",
        exponential_top_k(),
    ),
    Mutant(
        "top-k: epsilon is not shared among k", topk.top_k, "(k * spread)", "spread", exponential_top_k(k=2)
    ),
    Mutant(
        "top-k: gaps rounded to the nearest",
        topk.release_gaps,
        "a.floor_of_gap(b, unit) * unit",
        "(a.floor_of_gap(b, unit / 2) + 1) // 2 * unit",
        exponential_top_k(),
    ),
    Mutant(
        "top-k: the best loser is forgotten",
        topk.top_k,
        "rank(scores, k + 1",
        "rank(scores, k",
        exponential_top_k(),
    ),
    Mutant(
        "top-k: a gap of integer parts",
        topk.release_gaps,
        "a.floor_of_gap(b, unit) * unit",
        "a.score + a.noise.floor() - b.score - b.noise.floor()",
        exponential_top_k(),
    ),
    Mutant(
        "Laplace top-k: the last gap is raw",
        topk.release_gaps,
        "best[k - 1].floor_of_gap(best[k])",
        "integers[-1] - best[k].score - best[k].noise.floor()",
        laplace_top_k(),
    ),
    Mutant(
        "Laplace top-k: noise halved", topk._family, "Laplace(rate)", "Laplace(2 * rate)", laplace_top_k()
    ),
    Mutant(
        "Laplace top-k: exponential noise instead",
        topk._family,
        "Laplace(rate) if",
        "Exponential(rate) if",
        laplace_top_k(),
    ),
    Mutant(
        "Laplace top-k: all gaps like the last",
        topk.release_gaps,
        "float(a - b) for a, b in pairwise(integers)",
        "float(a.floor_of_gap(b)) for a, b in pairwise(best[:k])",
        laplace_top_k(k=2),
    ),
    Mutant(
        "top-k: half of the cost is charged",
        topk.top_k,
        "NoisyTopK(epsilon",
        "NoisyTopK(epsilon / 2",
        event("top_k laplace"),
    ),
]
SELECTION = [
    Mutant(
        "permute-and-flip: the monotonic rate for any scores",
        selection.selection_rate,
        "if monotonic",
        "if True",
        flip(monotonic=False),
    ),
    Mutant(
        "permute-and-flip: sensitivity forgotten",
        selection.selection_rate,
        "(2 * sensitivity)",
        "2",
        flip(monotonic=False, sensitivity=3),
    ),
    Mutant(
        "permute-and-flip: sensitivity forgotten for monotonic scores",
        selection.selection_rate,
        "epsilon / sensitivity",
        "epsilon",
        flip(sensitivity=3),
    ),
    Mutant(
        "permute-and-flip: Gumbel noise",
        selection.permute_and_flip,
        "Exponential(selection_rate",
        "Gumbel(selection_rate",
        flip(HALF),
    ),
    Mutant(
        "exponential: exponential noise", selection.exponential, "Gumbel(rate)", "Exponential(rate)", gumbel()
    ),
    Mutant(
        "exponential: the monotonic rate for any scores",
        selection.selection_rate,
        "if monotonic",
        "if True",
        gumbel(monotonic=False),
    ),
    Mutant(
        "exponential: the gap on another grid",
        selection._best_of_two,
        "Fraction(sensitivity, GAP_STEPS)",
        "Fraction(sensitivity, 2 * GAP_STEPS)",
        gumbel(),
    ),
    Mutant("exponential: the p-value halved", selection.exponential, "= 2 / (1", "= 1 / (1", gumbel()),
    Mutant(
        "exponential: the gap in units of noise",
        selection._best_of_two,
        "Fraction(sensitivity, GAP_STEPS)",
        "Fraction(1, GAP_STEPS)",
        gumbel(sensitivity=3),
    ),
]
QUANTILE = [
    Mutant("quantile: the monotonic rate", quantile.quantile, "monotonic=False", "monotonic=True", grid()),
    Mutant(
        "quantile: sensitivity forgotten",
        quantile._sensitivity,
        "max(q.numerator, q.denominator - q.numerator)",
        "1",
        grid(QUARTER, (1,)),
    ),
    Mutant(
        "quantile: the smaller weight as sensitivity",
        quantile._sensitivity,
        "max(q.numerator",
        "min(q.numerator",
        grid(QUARTER, (1,)),
    ),
    Mutant(
        "quantile: sides exchanged",
        quantile.RankScores._scores,
        "self._unit * below - self._rank",
        "self._rank - self._unit * below",
        grid(QUARTER),
    ),
    Mutant(
        "quantile: units at the point do not count as below",
        quantile.RankScores._scores,
        "(below + at)",
        "below",
        grid(),
    ),
    Mutant(
        "quantile: the window's units are lost from the bound",
        quantile.RankScores._windowed,
        "rank - inside,",
        "rank - self._unit * self._sample.count,",
        lumped_grid,
    ),
    Mutant(
        "quantile: values in the windows counted from 0",
        quantile.Values.window,
        "below + np.cumsum(bins)",
        "np.cumsum(bins)",
        lumped_grid,
    ),
]
COUNTS = [
    Mutant(
        "counts: groups forgotten",
        additive.noisy_counts,
        "rate = epsilon / (groups * rows)",
        "rate = epsilon / rows",
        checks.check_noisy_counts,
    ),
    Mutant(
        "counts: rows forgotten",
        additive.noisy_counts,
        "rate = epsilon / (groups * rows)",
        "rate = epsilon / groups",
        checks.check_noisy_counts,
    ),
    Mutant(
        "counts: rows claimed as groups",
        additive.noisy_counts,
        "Histogram(epsilon, groups=groups)",
        "Histogram(epsilon, groups=groups * rows)",
        checks.check_noisy_counts,
    ),
    Mutant(
        "counts: one noise for all",
        additive.noisy_counts,
        "discrete_laplace(rate, len(counts), entropy)",
        "discrete_laplace(rate, 1, entropy)",
        checks.check_noisy_counts,
    ),
    Mutant(
        "counts: noise that only adds",
        additive.noisy_counts,
        "discrete_laplace(rate, len(counts), entropy)",
        "abs(discrete_laplace(rate, len(counts), entropy))",
        checks.check_noisy_counts,
    ),
    Mutant(
        "counts: an interval too narrow by one",
        additive.half_width,
        "- 1, 0)",
        "- 2, 0)",
        checks.check_noisy_counts,
    ),
    Mutant(
        "private keys: a threshold of tau - 1", additive.threshold, "return 1 + max", "return max", thresholds
    ),
    Mutant(
        "private keys: delta is not shared",
        additive.threshold,
        "float(delta / groups)",
        "float(delta)",
        thresholds,
    ),
    Mutant(
        "private keys: the threshold ignores groups",
        additive.threshold,
        "epsilon / groups",
        "epsilon",
        thresholds,
    ),
    Mutant(
        "private keys: one below the threshold shows",
        additive.private_key_counts,
        "noisy >= tau",
        "noisy >= tau - 1",
        checks.check_private_key_counts,
    ),
    Mutant(
        "private keys: true counts are shown",
        additive.private_key_counts,
        "noisy[shown]",
        "block[shown]",
        checks.check_private_key_counts,
    ),
    Mutant(
        "private keys: groups forgotten",
        additive.private_key_counts,
        "epsilon / groups",
        "epsilon",
        checks.check_private_key_counts,
    ),
    Mutant(
        "private keys: rounding down",
        additive.threshold,
        "2.0**-40 -",
        "-",
        test_additive.test_rounding_never_lowers_a_threshold,
    ),
]
PRIVATE_TOP_K = [
    Mutant(
        "private top-k: the bottom ignores the next count",
        private_topk.private_top_k,
        "following + bottom",
        "bottom",
        private_with_cut,
    ),
    Mutant(
        "private top-k: the bottom is one too low",
        private_topk.bottom,
        "return 1 + max",
        "return max",
        bottoms,
    ),
    Mutant(
        "private top-k: only one stranger",
        private_topk.bottom,
        "KEYS_READ + k if",
        "1 if",
        bottoms,
    ),
    Mutant("private top-k: the bottom forgets k", private_topk.bottom, "k / epsilon", "1 / epsilon", bottoms),
    Mutant(
        "private top-k: keys below the bottom show",
        noisy_max.rank_above,
        "min([*places, count])",
        "min(scores.count, count)",
        private(),
    ),
    Mutant(
        "private top-k: epsilon is not shared among k",
        private_topk.private_top_k,
        "Exponential(selection / k)",
        "Exponential(selection)",
        private(),
    ),
    Mutant(
        "private top-k: the last before the bottom is not shown",
        noisy_max.rank_above,
        "min([*places, count])",
        "min([*(place - 1 for place in places if place), count])",
        private(),
    ),
    Mutant(
        "private top-k: rounding down",
        private_topk.bottom,
        " + 2.0**-40",
        "",
        test_private_topk.test_rounding_never_lowers_the_bottom,
    ),
    Mutant(
        "private top-k: selection and measurement both cost all",
        private_topk.private_top_k,
        "split.selection if measure",
        "epsilon if measure",
        private_counts(),
    ),
    Mutant(
        "private top-k: sensitivity forgotten in the measurement",
        private_topk.private_top_k,
        "k if groups is None else min(k, groups)",
        "1",
        private_counts(),
    ),
    Mutant(
        "private top-k: delta is not charged",
        private_topk.private_top_k,
        "PrivateTopK(selection, delta, k=k)",
        "PrivateTopK(selection, k=k)",
        event("private_top_k"),
    ),
]
TOP_K_COUNTS = [
    Mutant(
        "counts of the top k: gaps of the wrong sign",
        linear_estimates.estimate,
        "-np.cumsum",
        "np.cumsum",
        counts(),
    ),
    Mutant(
        "counts of the top k: sensitivity forgotten",
        topk_counts.top_k_counts,
        "k if groups is None else min(k, groups)",
        "1",
        counts(),
    ),
    Mutant(
        "counts of the top k: sensitivity forgotten in the rate",
        linear_estimates.Split.measurement_rate,
        "self.measurement / self.sensitivity",
        "self.measurement",
        counts(),
    ),
    Mutant(
        "counts of the top k: selection is not shared among k",
        linear_estimates.Split.selection_rate,
        "self.selection / self.places",
        "self.selection",
        counts(),
    ),
    Mutant(
        "counts of the top k: lambda inverted",
        linear_estimates._variance,
        "gap / measured",
        "measured / gap",
        each_split,
    ),
    Mutant(
        "counts of the top k: the parts cost more than the whole",
        linear_estimates.best_split,
        "measurement = epsilon - selection",
        "measurement = epsilon",
        counts(),
    ),
    Mutant(
        "counts of the top k: measured without noise",
        ranked_counts._by_each,
        "count + x for",
        "count for",
        checks.check_measured_each,
    ),
    Mutant(
        "counts of the top k: the sum measured without noise",
        ranked_counts._by_sum,
        "sum(true[:block]) + int",
        "sum(true[:block]) + 0 * int",
        counts(),
    ),
    Mutant(
        "counts of the top k: the first winner stands for the sum",
        ranked_counts._by_sum,
        "total = sum(true[:block])",
        "total = block * true[0]",
        counts(),
    ),
    Mutant(
        "counts of the top k: gaps rounded to whole numbers",
        ranked_counts.measured_counts,
        ", linear_estimates.FINE)",
        ")",
        counts(),
    ),
    Mutant(
        "counts of the top k: the law of a best estimate for those that are not sure",
        ranked_counts._by_each,
        "counts[:sure] = ",
        "counts[:] = ",
        checks.check_measured_each,
    ),
    Mutant(
        "counts of the top k: the sum of all, as if all were sure",
        ranked_counts._by_sum,
        "block = sure or len(true)",
        "block = len(true)",
        counts(),
    ),
    Mutant(
        "counts of the top k: sure ones are not told from the others",
        ranked_counts.sure_winners,
        "chance <= most",
        "chance <= 1",
        counts(),
    ),
    Mutant(
        "counts of the top k: the measurement shared by one only",
        linear_estimates.Split.among,
        "min(self.sensitivity, winners)",
        "1",
        checks.check_among,
    ),
    Mutant(
        "counts of the top k: always the sum",
        linear_estimates.best_split,
        "(False, True)",
        "(True,)",
        sum_or_each,
    ),
    Mutant(
        "counts of the top k: intervals too short",
        linear_estimates.error_spread,
        "0.975)",
        "0.9)",
        intervals,
    ),
    Mutant(
        "counts of the top k: the measurement is not charged",
        topk_counts.top_k_counts,
        ", split.measured",
        "",
        event("top_k_counts"),
    ),
]
NOISE = [
    Mutant(
        "noise: exponential floats at another rate",
        Exponential.guess,
        "float(self.rate)",
        "float(2 * self.rate)",
        family(Exponential),
    ),
    Mutant(
        "noise: exponential balls at another rate",
        Exponential.exact,
        "_ball(self.rate)",
        "_ball(2 * self.rate)",
        inverse(Exponential),
    ),
    Mutant(
        "noise: Gumbel upside down", Gumbel.guess, "-np.log(-log_cdf)", "np.log(-log_cdf)", family(Gumbel)
    ),
    Mutant("noise: Laplace off by one below", Laplace.guess, "1.0 - half", "-half", family(Laplace)),
    Mutant(
        "noise: Laplace of another scale",
        Laplace._upper_guess,
        "np.log1p(np.exp(-rate))",
        "np.log(2.0)",
        family(Laplace),
    ),
    Mutant("noise: Laplace balls off by one below", Laplace.exact, "1 - self", "-self", inverse(Laplace)),
    Mutant(
        "noise: the next one of a group of the same size",
        OrderStatistic.next,
        "self.size - len(self.uniforms)",
        "self.size - len(self.uniforms) + 1",
        large_groups,
    ),
    Mutant(
        "noise: digits of the next one at the wrong power",
        OrderStatistic.exact,
        "(self.size - i)",
        "self.size",
        large_groups,
    ),
    Mutant(
        "noise: a group's largest is that of one", Maxima.draw, "term_high / sizes", "term_high", large_groups
    ),
    Mutant(
        "noise: the law of a place, by another route",
        OrderStatistic.next,
        "self.size - len(self.uniforms)",
        "self.size - len(self.uniforms) + 1",
        places,
    ),
    Mutant(
        "noise: geometric at a rate 30 % too high",
        samplers.geometric,
        "Exponential(rate)",
        "Exponential(rate * 13 / 10)",
        lambda: test_samplers.test_the_right_rate_is_accepted_and_a_wrong_one_rejected("geometric", HALF),
    ),
    Mutant(
        "noise: geometric at a rate a little too high",
        samplers.geometric,
        "Exponential(rate)",
        "Exponential(rate * (1 + Fraction(1, 10**8)))",
        lambda: test_samplers.test_geometric_is_the_inverse_of_its_distribution_function(Fraction(1)),
    ),
    Mutant(
        "noise: an undecided floor is rounded down",
        samplers._floors,
        "low == high",
        "low == low",
        undecided(1),
    ),
    Mutant(
        "noise: bounds on the logarithm without slack",
        uniform.log_bounds,
        "low * (1.0 + SLACK), high * (1.0 - SLACK)",
        "low, high",
        test_uniform.test_the_bounds_contain_the_logarithm_of_every_number_with_these_digits,
    ),
    Mutant(
        "choice: an undecided word goes to the lower",
        samplers.choose,
        "low if low == high else None",
        "low",
        test_samplers.test_a_third_needs_more_than_64_digits,
    ),
    Mutant(
        "choice: a taken number again",
        samplers.choose_another,
        "rank += rank >= number",
        "rank += 0",
        test_samplers.test_another_is_never_a_taken_one,
    ),
    Mutant(
        "choice: the numbers taken in their own order",
        samplers.choose_another,
        "sorted(taken)",
        "taken",
        test_samplers.test_another_is_never_a_taken_one,
    ),
]
SCORES = [
    Mutant(
        "scores: a bound below some of its members",
        scores.PlainScores.groups,
        "floor - 1",
        "floor - 2",
        plain_groups,
    ),
    Mutant(
        "scores: the floor itself is lumped",
        scores.PlainScores.groups,
        "values >= floor",
        "values > floor",
        plain_groups,
    ),
    Mutant(
        "scores: all members are the first",
        scores._PlainGroups.candidates,
        "starts[member.group] + member.rank",
        "starts[member.group]",
        plain_groups,
    ),
    Mutant(
        "scores: a lumped member has the bound as its score",
        scores.CandidateGroups.score,
        "self._own_score(member)",
        "int(self.bounds[member.group])",
        plain_groups,
    ),
]
MUTANTS = [
    *(*RANKING, *TOP_K, *SELECTION, *QUANTILE, *COUNTS),
    *(*PRIVATE_TOP_K, *TOP_K_COUNTS, *NOISE, *SCORES),
]


test_a_mutant_is_caught, test_the_check_passes_without_the_mutant = pair_of_tests(MUTANTS)
