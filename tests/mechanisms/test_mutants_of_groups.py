"""As `test_mutants`, for sums, means, moments, keys above a threshold and keys that may be shown."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from dpduck.kernel.mechanisms import (
    accuracy,
    averages,
    deviations,
    moments,
    partitions,
    sparse_vector,
    sums,
    threshold_estimates,
)
from dpduck.kernel.noise import Laplace, samplers
from tests.mechanisms import (
    test_averages,
    test_deviations,
    test_events,
    test_moments,
    test_partitions,
    test_sparse_vector,
    test_sums,
)
from tests.mechanisms.mutation import Mutant, pair_of_tests
from tests.noise import test_families, test_samplers

Check = Callable[[], object]


# Checks


@cache
def event(name: str) -> Check:
    return lambda: test_events.check_cost(name, Fraction(1), 2)


@cache
def mean_intervals(share: float, count: int) -> Check:
    return lambda: test_averages.check_coverage(share, count)


def deviations_hold() -> None:
    test_deviations.test_intervals_hold("var_pop", test_deviations.skewed, 200)


def slopes_hold() -> None:
    """Far from 0, where noise of the divisor matters most."""
    test_deviations.test_intervals_hold("corr", test_deviations.even, 200)
    test_deviations.test_intervals_hold("regr_slope", test_deviations.skewed, 200)


@cache
def outputs(scores: tuple[int, ...] = (9, -5, 2), k: int = 2, *, adaptive: bool = True) -> Check:
    return lambda: test_sparse_vector.check_every_output(scores, k, adaptive=adaptive)


@cache
def measured(groups: int | None = None) -> Check:
    return lambda: test_sparse_vector.check_measured(groups)


@cache
def intervals(name: str, *, adaptive: bool = False) -> Check:
    return lambda: test_sparse_vector.check_intervals(name, adaptive=adaptive, draws=200)


def quadrature() -> None:
    test_sparse_vector.test_the_tail_of_two_noises_by_quadrature(1.0, 3.0)


@cache
def curve(number: int = 2) -> Check:
    return lambda: test_partitions.check_curve(*test_partitions.CASES[number])


@cache
def words(number: int = 2) -> Check:
    return lambda: test_partitions.check_words(*test_partitions.CASES[number])


def planned() -> None:
    test_partitions.test_shown_from_is_the_least_number_of_units(*test_partitions.CASES[0])


def large_noise() -> None:
    test_samplers.check_whole_laplace(Fraction(1, 2**200))


def tails() -> None:
    test_samplers.check_at_least(Fraction(1, 100), 7)


def chances() -> None:
    test_families.test_the_chance_of_less_than_a_whole_number_is_exact(Fraction(1))


def proposals() -> None:
    test_families.test_floats_propose_that_chance_to_40_bits(Fraction(1))


# Mutants


SUMS = [
    Mutant(
        "sums: groups forgotten",
        sums.sum_rate,
        "epsilon / (groups * bound)",
        "epsilon / bound",
        test_sums.check_noisy_sums,
    ),
    Mutant(
        "sums: the bound forgotten",
        sums.sum_rate,
        "epsilon / (groups * bound)",
        "epsilon / groups",
        test_sums.check_noisy_sums,
    ),
    Mutant(
        "sums: one noise for all",
        sums.noisy_sums,
        "whole_laplace(rate, len(sums), entropy)",
        "whole_laplace(rate, 1, entropy) * len(sums)",
        test_sums.check_noisy_sums,
    ),
    Mutant(
        "sums: noise that only adds",
        sums.noisy_sums,
        "total + x for",
        "total + abs(x) for",
        test_sums.check_noisy_sums,
    ),
    Mutant(
        "sums: in floats",
        sums.noisy_sums,
        "total + x for",
        "int(float(total)) + x for",
        test_sums.check_noisy_sums,
    ),
    Mutant(
        "sums: half of the cost is charged",
        sums.noisy_sums,
        "BoundedSums(epsilon, groups",
        "BoundedSums(epsilon / 2, groups",
        event("sums"),
    ),
    Mutant(
        "noise beyond 64 bits: at another rate",
        samplers.whole_laplace,
        "Laplace(rate)",
        "Laplace(rate * (1 + Fraction(1, 10**12)))",
        large_noise,
    ),
    Mutant(
        "noise beyond 64 bits: in steps of a float's",
        samplers.whole_laplace,
        "[_exact_floor(family, Uniform(word, entropy))",
        "[int(float(_exact_floor(family, Uniform(word, entropy))))",
        large_noise,
    ),
    Mutant(
        "noise at least a number: not conditional",
        samplers.laplace_at_least,
        "number.ball() * -family.log_below(least).expm1()",
        "number.ball()",
        tails,
    ),
    Mutant(
        "noise at least a number: more than it",
        samplers.laplace_at_least,
        "log_below(least)",
        "log_below(least + 1)",
        tails,
    ),
    Mutant("chance below: at most instead of less", Laplace.log_below, "(1 - x)", "(-x)", chances),
    Mutant(
        "chance below: floats of another scale",
        Laplace.guess_log_below,
        "np.log1p(np.exp(-rate))",
        "np.log(2.0)",
        proposals,
    ),
]
MOMENTS = [
    Mutant(
        "moments: rows forgotten",
        moments.weight_rate,
        "(groups * rows * whole)",
        "(groups * whole)",
        test_moments.check_noisy_weights,
    ),
    Mutant(
        "moments: groups forgotten",
        moments.weight_rate,
        "(groups * rows * whole)",
        "(rows * whole)",
        test_moments.check_noisy_weights,
    ),
    Mutant(
        "moments: epsilon for each sum, but of one weight",
        moments.weight_rate,
        "(groups * rows * whole)",
        "(groups * rows)",
        test_moments.check_noisy_weights,
    ),
    Mutant(
        "moments: the same noise on all sums",
        moments.noisy_weights,
        "noise = whole_laplace(rate, len(column), entropy)",
        "noise = locals().get('noise') or whole_laplace(rate, len(column), entropy)",
        test_moments.check_noisy_weights,
    ),
    Mutant(
        "deviations: intervals of the noise of one sum",
        deviations.estimates,
        "reach = REACH * scale",
        "reach = REACH * scale / 2",
        deviations_hold,
    ),
    Mutant(
        "deviations: the noise of the divisor forgotten",
        deviations._ratio,
        "q * q - qq, p * q - pq",
        "q * q, p * q",
        slopes_hold,
    ),
    Mutant(
        "deviations: nothing has a slope",
        deviations._ratio,
        "(q > 0) & (square > 0)",
        "(q > 0)",
        test_deviations.test_a_spread_within_its_noise_has_no_slope,
    ),
]
AVERAGES = [
    Mutant(
        "means: rows forgotten",
        averages.mean_rate,
        "(groups * rows * ticks)",
        "(groups * ticks)",
        test_averages.check_noisy_means,
    ),
    Mutant(
        "means: groups forgotten",
        averages.mean_rate,
        "(groups * rows * ticks)",
        "(rows * ticks)",
        test_averages.check_noisy_means,
    ),
    Mutant(
        "means: the same noise on both ends",
        averages.noisy_means,
        "noise[1::2]",
        "noise[::2]",
        test_averages.check_noisy_means,
    ),
    Mutant(
        "means: the total is measured without the high end's part",
        averages.noisy_means,
        "n * ticks - a + y",
        "n * ticks + y",
        test_averages.check_noisy_means,
    ),
    Mutant(
        "means: a share beyond 1",
        averages._share,
        ", Fraction(1))",
        ", Fraction(2))",
        test_averages.check_noisy_means,
    ),
    Mutant(
        "means: nothing is a low mean",
        averages._share,
        "Fraction(1, 2)",
        "Fraction(0)",
        test_averages.check_noisy_means,
    ),
    Mutant(
        "means: intervals of 90 %",
        averages._table,
        ", doubt,",
        ", 2 * doubt,",
        mean_intervals(0.5, 1000),
    ),
    Mutant(
        "means: intervals as wide in the middle as at the ends",
        averages._width,
        "np.minimum(x, 1 - x)",
        "0 * x",
        mean_intervals(0.5, 1000),
    ),
    Mutant(
        "means: intervals as narrow at the ends as in the middle",
        averages._width,
        "np.minimum(x, 1 - x)",
        "0 * x + 0.5",
        mean_intervals(0.1, 1000),
    ),
    Mutant(
        "means: ends exchanged",
        averages._intervals,
        "1 - _least_shares(to_low, to_high",
        "1 - _least_shares(to_high, to_low",
        mean_intervals(0.1, 1000),
    ),
]
SPARSE_VECTOR = [
    Mutant(
        "above: one answer more than is paid",
        sparse_vector.EpsilonSplit.is_over,
        "> 2 * self.k - 2",
        "> 2 * self.k - 1",
        outputs((2, 0, 3), 1),
    ),
    Mutant(
        "above: one answer too few",
        sparse_vector.EpsilonSplit.is_over,
        "> 2 * self.k - 2",
        ">= 2 * self.k - 2",
        outputs(),
    ),
    Mutant("above: a near answer costs half", sparse_vector._cost, "else 2", "else 1", outputs()),
    Mutant("above: a clear answer costs all", sparse_vector._cost, "return 1 if", "return 2 if", outputs()),
    Mutant(
        "above: the threshold has no noise",
        sparse_vector._Plan.bar,
        "threshold + int(discrete_laplace(self.budget.threshold, 1, entropy)[0])",
        "threshold + 0 * int(discrete_laplace(self.budget.threshold, 1, entropy)[0])",
        outputs(),
    ),
    Mutant(
        "above: the threshold's noise at an answer's rate",
        sparse_vector._Plan.bar,
        "discrete_laplace(self.budget.threshold, 1",
        "discrete_laplace(self.budget.answer, 1",
        outputs(),
    ),
    Mutant(
        "above: four standard deviations",
        sparse_vector.EpsilonSplit.margin,
        "2 * math.sqrt",
        "4 * math.sqrt",
        outputs(),
    ),
    Mutant(
        "above: the first test with the noise of the second",
        sparse_vector.EpsilonSplit.unit,
        "self.answer / 2",
        "self.answer",
        outputs(),
    ),
    Mutant(
        "above: an answer's noise is a fresh one",
        sparse_vector._Trial.hit,
        "rate(clear=clear), least_noise, entropy",
        "rate(clear=clear), -(10**9), entropy",
        outputs(),
    ),
    Mutant(
        "above: a clear answer's gap from the margin",
        sparse_vector._Trial.hit,
        "noise - self.distance",
        "noise - least_noise",
        outputs(),
    ),
    Mutant(
        "above: the tests are one",
        sparse_vector._Trial._log_below,
        "near + self._log_not_clear()",
        "near",
        outputs(),
    ),
    Mutant(
        "above: floats that pass over candidates",
        sparse_vector._possible,
        ">= all_below",
        ">= 0.5 * all_below",
        outputs(),
    ),
    Mutant(
        "above: the plain scan has a first test",
        sparse_vector._Trial.hit,
        "self.budget.adaptive and",
        "True and",
        outputs(adaptive=False),
    ),
    Mutant(
        "above: the parts are not the stated ones",
        sparse_vector.divide,
        "k ** (2 / 3)",
        "(2 * k) ** (2 / 3)",
        outputs(),
    ),
    Mutant(
        "above: k parts of all", sparse_vector.divide, "(epsilon - threshold) / k", "epsilon / k", outputs()
    ),
    Mutant(
        "above: the wrong one of a run",
        sparse_vector._hits_of_run,
        "start + place",
        "start",
        test_sparse_vector.check_runs,
    ),
    Mutant(
        "above: a run ends with its first answer",
        sparse_vector._hits_of_run,
        "if place < length",
        "if False",
        test_sparse_vector.check_rest_of_a_run,
    ),
    Mutant(
        "above: the length of a run forgotten",
        sparse_vector._possible,
        "log_below * lengths",
        "log_below",
        test_sparse_vector.check_runs,
    ),
    Mutant(
        "above: sensitivity of the counts forgotten",
        sparse_vector._moved,
        "answers if groups is None else min(answers, groups)",
        "1",
        measured(),
    ),
    Mutant(
        "above: selection and measurement both cost all",
        sparse_vector._Plan.of,
        "divide(epsilon - measurement",
        "divide(epsilon",
        measured(),
    ),
    Mutant(
        "above: gaps with noises of their own",
        threshold_estimates.combine,
        "common = common_variance",
        "common = 0 * common_variance",
        measured(),
    ),
    Mutant(
        "above: the lower end is never open",
        threshold_estimates._ends,
        "math.inf if open_below else",
        "1.0 / own if open_below else",
        intervals("all below"),
    ),
    Mutant(
        "above: intervals of 5 %",
        threshold_estimates._ends,
        "return likely > math.log(_DOUBT)",
        "return likely > math.log(1 - _DOUBT)",
        intervals("far above"),
    ),
    Mutant("above: half a tail", accuracy.tail, "(2 * (large**2", "(4 * (large**2", quadrature),
    Mutant(
        "above: the threshold is not charged",
        sparse_vector._Plan.event,
        "AboveThreshold(self.budget.spent(2 * self.budget.k)",
        "AboveThreshold(self.budget.k * self.budget.answer",
        event("above"),
    ),
    Mutant(
        "above: the measurement is not charged",
        sparse_vector._Plan.event,
        "Composed.of(tests, NoisyCount(self.measurement)) if",
        "tests if",
        event("above, measured"),
    ),
]
PARTITIONS = [
    Mutant("keys: delta is not shared", partitions._curve, "delta / groups)", "delta)", words()),
    Mutant("keys: epsilon is not shared", partitions._curve, "epsilon / groups", "epsilon", words()),
    Mutant(
        "keys: the turn comes one later",
        partitions.Curve.turn,
        "return 1 + settle",
        "return 2 + settle",
        curve(),
    ),
    Mutant(
        "keys: the turn comes one earlier",
        partitions.Curve.turn,
        "return 1 + settle",
        "return settle",
        curve(),
    ),
    Mutant(
        "keys: growth without an end", partitions.Curve.at, "if count <= self.turn", "if count > 0", curve()
    ),
    Mutant(
        "keys: as if the first unit counted for nothing",
        partitions.Curve.at,
        "min(count, self.turn)",
        "min(count - 1, self.turn)",
        curve(),
    ),
    Mutant("keys: doubt shows a key", partitions._is_positive, "else None", "else True", words()),
    Mutant("keys: doubt hides a key", partitions._is_positive, "else None", "else False", words()),
    Mutant(
        "keys: rounded up",
        partitions._shown,
        "words < surely[place]",
        "words <= perhaps[place]",
        words(),
    ),
    Mutant(
        "keys: the least number of units is one too low",
        partitions.shown_from,
        "high = 1",
        "return 15",
        planned,
    ),
    Mutant(
        "keys: delta is not charged",
        partitions.select_partitions,
        "KeySelection(epsilon, delta, ",
        "KeySelection(epsilon, ",
        event("partitions"),
    ),
]
MUTANTS = [*SUMS, *AVERAGES, *MOMENTS, *SPARSE_VECTOR, *PARTITIONS]


test_a_mutant_is_caught, test_the_check_passes_without_the_mutant = pair_of_tests(MUTANTS)
